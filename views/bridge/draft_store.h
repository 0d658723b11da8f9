// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Unsaved edits and decisions on disk, so that neither a crash nor closing the window loses them.
#pragma once

#include "core/base/result.h"

#include <QDateTime>
#include <QList>
#include <QLockFile>
#include <QStringList>
#include <memory>
#include <optional>

namespace cutaway::views {

struct Draft {
    QString path; ///< the file edited; empty for one that never had a name
    QString text;
    QDateTime time;
    QString key;                 ///< the path, or an id of a script without one
    std::optional<QString> base; ///< what the file held when the edits began, if that is known
    QString file;                ///< where the draft itself lies
    QStringList decisions{};     ///< made instead of the compiler: see models/decisions.h

    /// What it is called: the file's name, or the first line that was written in one without.
    QString title() const;
};

/// The drafts in a folder, and the one that belongs to a window's document. It is locked as long as
/// the document is open: other windows neither restore nor remove it.
class DraftStore {
public:
    explicit DraftStore(QString folder) : folder_(std::move(folder)) {}

    /// A key of its own for each script that has no path yet.
    static QString newKey();
    /// Lets go of the document before and takes up the newest draft of \p key that no other window
    /// holds. \param file the draft that is preferred
    std::optional<Draft> take(const QString& key, const QString& file = {});
    /// Lets go of the draft that is held; it stays.
    void release();
    /// Writes the document's draft. An older one stays when this cannot be written.
    base::Status write(const Draft& draft);
    /// Removes the document's draft.
    void remove();
    /// Whether another living window has unsaved edits under this key.
    bool othersHold(const QString& key) const;
    /// Removes one of all().
    static void discard(const Draft& draft);
    /// Those that no other window holds, newest first.
    QList<Draft> all() const;
    /// Keeps what is decided instead of the compiler for a saved file; none: nothing is kept of it.
    base::Status keepDecisions(const QString& path, const QStringList& decisions);
    /// What was kept for it.
    QStringList decisionsOf(const QString& path) const;

private:
    QList<Draft> read() const;
    bool isOthers(const QString& file) const;
    QString decisionsFile(const QString& path) const;

    QString folder_, file_;
    std::shared_ptr<QLockFile> lock_; ///< beside file_
};

} // namespace cutaway::views
