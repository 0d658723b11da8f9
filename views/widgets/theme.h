// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Every colour of the window, in several sets. Panes ask here and nowhere else.
#pragma once

#include "views/bridge/selection_state.h"
#include "views/models/graph_scene.h"
#include "views/models/heat_map.h"
#include "views/models/row_model.h"

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QPalette>
#include <array>

namespace cutaway::views {

struct Theme {
    bool dark = false;
    QColor window, base, raised, text, muted, faint, disabled, border, accent, accentText;
    QColor hover; ///< ground of what the pointer is on and of buttons that are down
    QColor error, warning, good;
    QColor selected, direct, through; ///< backgrounds of lit lines and rows
    QColor mark;                      ///< outline of lit graph nodes
    QColor saved, again;              ///< edges across the cut; recomputed values
    QColor added, removed;            ///< backgrounds in a diff
    std::array<QColor, kOpKinds> kinds;
    std::array<QColor, kHeatClasses> heat; ///< from the least to the most
    // Syntax.
    QColor keyword, string, number, comment, name, type, label;

    QPalette palette() const;
    QString styleSheet() const;
    QColor tone(Tone tone) const;
    /// Background of a lit item; invalid for None.
    QColor highlight(Highlight level) const;
    QColor kind(OpKind kind) const { return kinds[static_cast<size_t>(kind)]; }
    /// A text colour that can be read on \p ground.
    QColor on(const QColor& ground) const;
    /// A one-colour icon of resources/icons in the colour of text.
    QIcon icon(const QString& name) const;
};

const Theme& lightTheme();
const Theme& darkTheme();

struct ThemeRow {
    const char* id;    ///< stable: stored in settings
    const char* title; ///< to be translated in context "Theme"
    Theme theme;
};
/// Every theme that can be chosen: a light one, and the dark one that is like it.
const std::vector<ThemeRow>& themeRows();
/// The id of the one that is like it, but light where it is dark. \param id of a theme, or "system"
QString otherTheme(const QString& id, bool systemDark);
/// By its id; else the light or dark one as the system's is.
const Theme& themeCalled(const QString& id, bool systemDark);

/// Contrast of two colours as WCAG 2 defines it: 1 (none) to 21.
double contrast(const QColor& a, const QColor& b);

QFont codeFont();

} // namespace cutaway::views
