// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Buttons: what may be decided of what is selected, under how it is now. They never make the pane
/// wider.
#pragma once

#include "views/bridge/selection_state.h"
#include "views/bridge/session.h"

#include <QFrame>

class QLabel;
class QMenu;

namespace cutaway::views {

class DecisionBar : public QFrame {
    Q_OBJECT
public:
    /// \param advice what to select, said while nothing is that could be decided
    DecisionBar(Session* session, SelectionState* selection, QString advice,
                QWidget* parent = nullptr);
    /// Brings it up to date with record and selection.
    void refresh();

    /// Adds what may be decided of \p items to a menu.
    static void addTo(QMenu* menu, Session* session, const std::vector<ItemId>& items);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void leaveRoom();
    void showParts();
    QWidget* before() const;
    Session* session_;
    SelectionState* selection_;
    QString advice_;
    QLabel* now_;
    QWidget* buttons_; ///< in as many rows as they need
    bool low_ = false; ///< there is no room for both words and buttons
};

} // namespace cutaway::views
