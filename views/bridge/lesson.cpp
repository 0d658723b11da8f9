// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/lesson.h"

#include "core/base/file_system.h"

#include <QFile>
#include <QFileInfo>
#include <utility>

namespace cutaway::views {

namespace {
constexpr int kSoonMs = 150, kLookMs = 400;
constexpr int kMissesTold = 3; ///< a file that is being replaced is there again before
} // namespace

Lesson::Lesson(std::function<WorkspaceFile()> now, QObject* parent)
    : QObject(parent), now_(std::move(now)) {
    soon_.setSingleShot(true);
    soon_.setInterval(kSoonMs);
    connect(&soon_, &QTimer::timeout, this, [this] {
        if (!teaching_) return;
        if (const base::Status status = write(); !status) {
            stop();
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

base::Status Lesson::write(bool over) {
    WorkspaceFile now = now_();
    now.over = over;
    const QByteArray bytes = now.bytes(file_);
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
    const base::Status told = teaching_ ? write(true) : base::Status();
    stop();
    if (!told) emit failed(QString::fromStdString(told.error().message));
}

void Lesson::stop() {
    soon_.stop();
    looking_.stop();
    const bool was = teaching_ || following_;
    teaching_ = following_ = false;
    misses_ = 0;
    written_.clear();
    seen_ = {};
    if (was) emit changed();
}

void Lesson::look() {
    const QFileInfo info(file_);
    const QPair<QDateTime, qint64> now{info.lastModified(), info.size()};
    if (!info.exists()) return missed(tr("it is not there any more"));
    if (now == seen_ && misses_ == 0) return;
    const auto kept = WorkspaceFile::read(file_);
    if (!kept) return missed(tr("it cannot be read, or is no lesson any more"));
    if (!*kept) return missed(QString::fromStdString(kept->error().message));
    if (std::exchange(misses_, 0) >= kMissesTold) emit lost({});
    if (now == seen_) return;
    seen_ = now;
    emit came(**kept);
    if (!(*kept)->over || !following_) return;
    stop();
    emit over();
}

void Lesson::missed(const QString& reason) {
    if (++misses_ == kMissesTold) emit lost(reason);
}

} // namespace cutaway::views
