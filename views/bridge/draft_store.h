// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Unsaved edits on disk, so that neither a crash nor closing the window loses them.
#pragma once

#include "core/base/result.h"

#include <QDateTime>
#include <QList>
#include <QString>
#include <optional>

namespace cutaway::views {

struct Draft {
    QString path; ///< the file edited; empty for one that never had a name
    QString text;
    QDateTime time;
    QString key; ///< what the draft is kept under: the path, or an id of a script without one
    std::optional<QString> base; ///< what the file held when the edits began, if that is known
};

class DraftStore {
public:
    explicit DraftStore(QString folder) : folder_(std::move(folder)) {}

    /// A key of its own for each script that has no path yet.
    static QString newKey();
    /// An older draft stays when this one cannot be written.
    base::Status write(const Draft& draft) const;
    std::optional<Draft> read(const QString& key) const;
    void remove(const QString& key) const;
    /// Newest first.
    QList<Draft> all() const;

private:
    QString fileFor(const QString& key) const;
    QString folder_;
};

} // namespace cutaway::views
