// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Tabs as low as a small window wants them.
#pragma once

#include <QWidget>

namespace cutaway::views {

/// A bar of tabs, a header, two rows. Where there is no more room, a page is cut or scrolled; else the
/// highest page of all tabs would tell how low they may be, and with them the window.
inline int leastTabs(const QWidget* widget) {
    constexpr int kLines = 6;
    return kLines * widget->fontMetrics().lineSpacing();
}

} // namespace cutaway::views
