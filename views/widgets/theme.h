// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Every colour of the window, in a light and a dark set. Panes ask here and nowhere else.
#pragma once

#include "views/bridge/selection_state.h"
#include "views/models/op_kind.h"
#include "views/models/row_model.h"

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QPalette>
#include <array>

namespace cutaway::views {

struct Theme {
    bool dark = false;
    QColor window, base, raised, text, muted, faint, border, accent, accentText;
    QColor error, warning, good;
    QColor selected, direct, through; ///< backgrounds of lit lines and rows
    QColor mark;                      ///< outline of lit graph nodes
    QColor saved, again;              ///< edges across the cut; recomputed values
    QColor added, removed;            ///< backgrounds in a diff
    std::array<QColor, kOpKinds> kinds;
    // Syntax.
    QColor keyword, string, number, comment, name, type, label;

    QPalette palette() const;
    QString styleSheet() const;
    QColor tone(Tone tone) const;
    /// Background of a lit item; invalid for None.
    QColor highlight(Highlight level) const;
    QColor kind(OpKind kind) const { return kinds[static_cast<size_t>(kind)]; }
    /// A one-colour icon of resources/icons in the colour of text.
    QIcon icon(const QString& name) const;
};

const Theme& lightTheme();
const Theme& darkTheme();

QFont codeFont();

} // namespace cutaway::views
