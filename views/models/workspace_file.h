// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A workspace in a file: which document was open and its text, what it was compiled for, what was
/// decided, what was selected, and where the panes were. Small enough to be sent: records and
/// measurements are made again.
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QMap>
#include <QStringList>
#include <optional>

namespace cutaway::views {

struct WorkspaceFile {
    QString path; ///< of the document; empty: it had no file
    QString text; ///< of a script, as it was shown; empty: the document is a record
    QString size, device, backend;
    QStringList decisions, selected; ///< selected: keys of items
    QString stage;                   ///< of the graph
    int boxes = -1;                  ///< FoldKind of the graph; -1: not told
    QStringList opened, closed;      ///< boxes of the graph, by Fold::key
    QByteArray tour;                 ///< that is played in a lesson, as writeTour() writes it
    int tourStep = -1;               ///< counted from 0; -1: none is played
    int function = 0, entry = 0;
    bool over = false; ///< of a lesson: nothing more is told
    QByteArray layout;
    QMap<QString, QByteArray> splitters;
    QMap<QString, QString> tabs;

    static constexpr const char* kSuffix = "cutaway-workspace";
    /// Paths are written relative to \p file, which may be moved along with what it names.
    QByteArray bytes(const QString& file) const;
    /// \returns nothing when it is no workspace. Errors: user error, one that cannot be read.
    static std::optional<base::Result<WorkspaceFile>> read(const QString& file);
};

} // namespace cutaway::views
