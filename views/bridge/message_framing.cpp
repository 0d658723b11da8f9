// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/message_framing.h"

#include <QCoreApplication>
#include <QList>
#include <utility>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(MessageReader)
};
constexpr qsizetype kMaxHeaderBytes = 4096;
constexpr qint64 kMaxBodyBytes = qint64(1) << 30;
constexpr qint64 kMostAhead = qint64(1) << 25;

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

bool MessageReader::takeHeader() {
    const qsizetype end = buffer_.indexOf("\r\n\r\n");
    if (end < 0) {
        if (buffer_.size() > kMaxHeaderBytes)
            problem_ = Words::tr("a message without a Content-Length header");
        return false;
    }
    const QByteArray header = buffer_.left(end);
    bodyLeft_ = field(header, "content-length:");
    attachmentLeft_ = std::max<qint64>(0, field(header, "attachment-length:"));
    if (bodyLeft_ < 0 || bodyLeft_ > kMaxBodyBytes || attachmentLeft_ > kMaxBodyBytes) {
        problem_ = Words::tr("a message without a usable Content-Length header");
        return false;
    }
    buffer_.remove(0, end + 4);
    message_.emplace();
    // It need not move as it grows.
    message_->attachment.reserve(std::min(attachmentLeft_, kMostAhead));
    return true;
}

/// Memory is touched for what has come, not for what is told.
void MessageReader::take(QByteArray& into, qint64& left) {
    const qint64 count = std::min<qint64>(left, buffer_.size());
    into.append(buffer_.constData(), count);
    buffer_.remove(0, count);
    left -= count;
}

std::optional<Message> MessageReader::next() {
    if (!problem_.isEmpty() || (!message_ && !takeHeader())) return std::nullopt;
    take(message_->body, bodyLeft_);
    take(message_->attachment, attachmentLeft_);
    if (bodyLeft_ > 0 || attachmentLeft_ > 0) return std::nullopt;
    return std::exchange(message_, std::nullopt);
}

} // namespace cutaway::views
