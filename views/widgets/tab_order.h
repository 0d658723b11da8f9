// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Where Tab goes when a page moves between a place above tabs and one of these tabs: it follows
/// what is seen, top to bottom. Qt keeps the order that the widgets were made in.
#pragma once

#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

namespace cutaway::views {

/// The bar of the tabs comes right before what is in \p page, or right after it.
inline void orderTabs(QTabWidget* tabs, QWidget* page, bool before) {
    const auto takesFocus = [&](const QWidget* widget) {
        return widget->focusPolicy() != Qt::NoFocus && widget != tabs->tabBar();
    };
    for (QToolButton* scroll : tabs->tabBar()->findChildren<QToolButton*>())
        scroll->setFocusPolicy(Qt::NoFocus); // for the mouse: arrow keys go from tab to tab
    QWidget* at = page;                      // all of a page stands behind it in the chain
    if (before) {
        do
            at = at->previousInFocusChain();
        while (at != page && !takesFocus(at));
    } else {
        for (QWidget* next = page; page == next || page->isAncestorOf(next);
             next = next->nextInFocusChain())
            if (takesFocus(next)) at = next;
    }
    if (at != page) QWidget::setTabOrder(at, tabs->tabBar());
}

} // namespace cutaway::views
