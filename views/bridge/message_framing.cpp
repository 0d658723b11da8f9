// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/message_framing.h"

#include <QCoreApplication>
#include <QList>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(MessageReader)
};
constexpr qsizetype kMaxHeaderBytes = 4096;
constexpr qint64 kMaxBodyBytes = qint64(1) << 30;
} // namespace

QByteArray framed(const QByteArray& body) {
    return "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

std::optional<QByteArray> MessageReader::next() {
    if (!problem_.isEmpty()) return std::nullopt;
    qsizetype end = buffer_.indexOf("\r\n\r\n");
    if (end < 0) {
        if (buffer_.size() > kMaxHeaderBytes)
            problem_ = Words::tr("a message without a Content-Length header");
        return std::nullopt;
    }
    qint64 length = -1;
    for (const QByteArray& line : buffer_.left(end).split('\n')) {
        QByteArray trimmed = line.trimmed();
        if (!trimmed.toLower().startsWith("content-length:")) continue;
        bool ok = false;
        qint64 value = trimmed.mid(15).trimmed().toLongLong(&ok);
        if (ok) length = value;
    }
    if (length < 0 || length > kMaxBodyBytes) {
        problem_ = Words::tr("a message without a usable Content-Length header");
        return std::nullopt;
    }
    if (buffer_.size() < end + 4 + length) return std::nullopt;
    QByteArray body = buffer_.mid(end + 4, length);
    buffer_.remove(0, end + 4 + length);
    return body;
}

} // namespace cutaway::views
