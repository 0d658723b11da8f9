// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A lesson: one window writes what it shows to a file in a folder that others see, and their
/// windows show the same. A file, so that any folder that is shared will do; it is looked at again
/// and again, since network folders tell nobody of changes.
#pragma once

#include "views/models/workspace_file.h"

#include <QDateTime>
#include <QObject>
#include <QPair>
#include <QTimer>
#include <functional>

namespace cutaway::views {

class Lesson : public QObject {
    Q_OBJECT
public:
    /// \param now what the window shows
    explicit Lesson(std::function<WorkspaceFile()> now, QObject* parent = nullptr);

    /// Writes from now on. Fails when the file cannot be written.
    base::Status teach(const QString& file);
    /// Something changed that the window shows: it is written a little later.
    void tell();
    /// Reads from now on. Fails when the file is no workspace.
    base::Status follow(const QString& file);
    /// Taught, it tells those who follow that it is over.
    void end();
    bool isTeaching() const { return teaching_; }
    bool isFollowing() const { return following_; }
    const QString& file() const { return file_; }

signals:
    void came(const WorkspaceFile& kept);
    void changed();                     ///< taught, followed, or neither
    void failed(const QString& reason); ///< it cannot be written any more
    void over();                        ///< who teaches has ended it
    /// The file that is followed cannot be read; empty: it can be again.
    void lost(const QString& reason);

private:
    base::Status write(bool over = false);
    void look();
    void missed(const QString& reason);
    void stop();

    std::function<WorkspaceFile()> now_;
    QString file_;
    QByteArray written_;
    QPair<QDateTime, qint64> seen_; ///< time and size of the file
    bool teaching_ = false, following_ = false;
    int misses_ = 0; ///< looks in a row at a file that could not be read
    QTimer soon_, looking_;
};

} // namespace cutaway::views
