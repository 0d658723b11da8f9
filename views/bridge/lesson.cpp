// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/lesson.h"

#include "core/base/file_system.h"

#include <QFile>
#include <QFileInfo>

namespace cutaway::views {

namespace {
constexpr int kSoonMs = 150, kLookMs = 400;
}

Lesson::Lesson(std::function<WorkspaceFile()> now, QObject* parent)
    : QObject(parent), now_(std::move(now)) {
    soon_.setSingleShot(true);
    soon_.setInterval(kSoonMs);
    connect(&soon_, &QTimer::timeout, this, [this] {
        if (!teaching_) return;
        if (const base::Status status = write(); !status) {
            end();
            emit failed(QString::fromStdString(status.error().message));
        }
    });
    looking_.setInterval(kLookMs);
    connect(&looking_, &QTimer::timeout, this, &Lesson::look);
}

base::Status Lesson::teach(const QString& file) {
    end();
    file_ = file;
    if (base::Status status = write(); !status) return status;
    teaching_ = true;
    emit changed();
    return {};
}

void Lesson::tell() {
    if (teaching_ && !soon_.isActive()) soon_.start();
}

base::Status Lesson::write() {
    const QByteArray bytes = now_().bytes(file_);
    if (bytes == written_) return {};
    base::Status status =
        base::writeFileAtomically(QFile::encodeName(file_).toStdString(), bytes.toStdString());
    if (status) written_ = bytes;
    return status;
}

base::Status Lesson::follow(const QString& file) {
    const auto kept = WorkspaceFile::read(file);
    if (!kept)
        return base::userError({}, tr("this is no lesson, which “Teach…” writes").toStdString());
    if (!*kept) return kept->error();
    end();
    file_ = file;
    following_ = true;
    look();
    looking_.start();
    emit changed();
    return {};
}

void Lesson::end() {
    soon_.stop();
    looking_.stop();
    const bool was = teaching_ || following_;
    teaching_ = following_ = false;
    written_.clear();
    seen_ = {};
    if (was) emit changed();
}

void Lesson::look() {
    const QFileInfo info(file_);
    const QPair<QDateTime, qint64> now{info.lastModified(), info.size()};
    if (!info.exists() || now == seen_) return;
    const auto kept = WorkspaceFile::read(file_);
    if (!kept || !*kept) return; // looked at again
    seen_ = now;
    emit came(**kept);
}

} // namespace cutaway::views
