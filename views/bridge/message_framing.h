// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Content-Length framing of JSON-RPC messages, as the Language Server Protocol does it; behind a
/// message may follow bytes that are no JSON (a record as columns), told by Attachment-Length.
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>

namespace cutaway::views {

/// The body with its header.
QByteArray framed(const QByteArray& body);

struct Message {
    QByteArray body, attachment;
};

/// Cuts a stream of bytes into messages.
class MessageReader {
public:
    void feed(const QByteArray& bytes) { buffer_ += bytes; }
    /// The next complete message; nothing while more bytes are needed or after damage.
    std::optional<Message> next();
    /// What is wrong with the stream; empty while it is sound. Damage is final: after a wrong
    /// header nobody knows where the next message starts.
    const QString& problem() const { return problem_; }

private:
    bool takeHeader();
    void take(QByteArray& into, qint64& left);

    QByteArray buffer_; ///< what came and is not taken yet
    std::optional<Message> message_;
    qint64 bodyLeft_ = 0, attachmentLeft_ = 0;
    QString problem_;
};

} // namespace cutaway::views
