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

/// The number in the header's line of \p name; -1: no such line, or no number.
qint64 field(const QByteArray& header, const char* name) {
    qint64 found = -1;
    for (const QByteArray& line : header.split('\n')) {
        const QByteArray trimmed = line.trimmed();
        if (!trimmed.toLower().startsWith(name)) continue;
        bool ok = false;
        const qint64 value = trimmed.mid(qstrlen(name)).trimmed().toLongLong(&ok);
        if (ok) found = value;
    }
    return found;
}
} // namespace

QByteArray framed(const QByteArray& body) {
    return "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

std::optional<Frame> MessageReader::next() {
    if (!problem_.isEmpty()) return std::nullopt;
    qsizetype end = buffer_.indexOf("\r\n\r\n");
    if (end < 0) {
        if (buffer_.size() > kMaxHeaderBytes)
            problem_ = Words::tr("a message without a Content-Length header");
        return std::nullopt;
    }
    const QByteArray header = buffer_.left(end);
    const qint64 length = field(header, "content-length:");
    const qint64 attached = std::max<qint64>(0, field(header, "attachment-length:"));
    if (length < 0 || length > kMaxBodyBytes || attached > kMaxBodyBytes) {
        problem_ = Words::tr("a message without a usable Content-Length header");
        return std::nullopt;
    }
    const qsizetype whole = end + 4 + length + attached;
    if (buffer_.size() < whole) return std::nullopt;
    Frame frame{buffer_.mid(end + 4, length), buffer_.mid(end + 4 + length, attached)};
    buffer_.remove(0, whole);
    return frame;
}

} // namespace cutaway::views
