// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The docks: one for each row of the pane list, in a window inside the window, with layouts that
/// are stored and restored.
#pragma once

#include "views/panes/pane_list.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QMap>
#include <QPointer>
#include <optional>

namespace cutaway::views {

/// A named layout: the default one with some panes alone, and those of them that stand in front.
struct LayoutRow {
    const char* title; ///< to be translated in context "Layouts"
    const char* about;
    std::vector<const char*> panes, front;
    bool present = false; ///< in large type
};
const std::vector<LayoutRow>& layoutRows();

class Workspace : public QMainWindow {
    Q_OBJECT
public:
    Workspace(PaneContext context, QWidget* parent);

    static constexpr int kLayoutVersion = 1; ///< of what is stored

    void applyTheme(const Theme& theme);
    void restoreDefaultLayout();
    void applyLayout(const LayoutRow& row);
    /// \returns false when \p state holds no layout of this version.
    bool restoreLayout(const QByteArray& state, int version);
    /// What saveState() gives, or will give once what is put back just now is in place.
    QByteArray wantedState(int version) const;
    /// Puts back what wantedState() gave, from the event loop, while the window goes back to the size that it had then.
    /// \param room wantedRoom() of then: a layout is exact in a room of its own size
    void putBack(const QByteArray& state, int version, QSize room);
    QSize wantedRoom() const;
    /// No dock is given another place until goOn().
    void holdStill();
    void goOn();
    /// How large the docks in sight were, by their names, in the last window that had room for it: the
    /// layout of a smaller one tells only what they had to be there.
    struct Shares {
        QSize room;
        QMap<QString, QSize> docks;
    };
    Shares shares();
    void restoreShares(const Shares& kept);
    /// The splitters inside of panes, by names that stay: "kernels.0".
    std::vector<std::pair<QString, QByteArray>> splitterStates() const;
    void restoreSplitter(const QString& name, const QByteArray& state);
    /// Which of the tabs inside of panes are open, by names that stay: "times.0".
    std::vector<std::pair<QString, QString>> tabStates() const;
    /// Does nothing where there are other tabs now.
    void restoreTab(const QString& name, const QString& state);
    /// Locked panes have no title bars of their own under tabs and cannot be dragged or closed by
    /// accident; the View menu unlocks them.
    void setLocked(bool locked);
    bool isLocked() const { return locked_; }
    /// Docks in list order.
    const std::vector<QDockWidget*>& docks() const { return docks_; }
    /// The pane of a class; every class of the pane list has one.
    template <typename T> T* pane() const {
        for (Pane* pane : panes_)
            if (auto* found = qobject_cast<T*>(pane)) return found;
        Q_UNREACHABLE();
    }
    /// Shows, raises and focuses a pane.
    void reveal(const QString& id);
    /// Keeps a pane in view while others are shown: where one of them is a tab of its group, it goes
    /// below until letBack().
    void keepInSight(const QString& id, const QStringList& others);
    /// Puts a pane that reveal() moved back among its tabs.
    void letBack(const QString& id);
    /// True until what reveal() moved is back.
    bool isMoved() const { return !movedFrom_.isEmpty(); }
    template <typename T> T* reveal() {
        T* shown = pane<T>();
        reveal(shown->objectName());
        return shown;
    }
    /// Reveals the pane that shows a stage of the engine's table. \returns false: none does.
    bool revealStage(const QString& stage);
    bool isSettled() const;

signals:
    void revealed(QDockWidget* dock);
    void lockedPaneDragged();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void dropWhereItWas();
    void watchLocked(QEvent* event);
    void shareRoom();
    void leaveRoomBelow();
    QDockWidget* dockOf(const QString& id) const;
    void showTitles();
    void showWholeTabs();
    bool roomShared_ = false; ///< the default layout is dealt out once the size is known
    bool locked_ = true;
    bool restoreNow(const QByteArray& state, int version);
    void restoreWanted();
    bool restoringNow_ = false, still_ = false;
    QDockWidget* inSight(QDockWidget* dock) const;
    QSize shareOf(const QDockWidget* dock) const;
    void rememberShares();
    void keepShares();

    std::vector<std::pair<QDockWidget*, QSize>> shares_; ///< of docks in sight, in sharedRoom_
    QSize sharedRoom_;
    std::vector<std::pair<QDockWidget*, QSize>> sharesBefore_; ///< reveal() moved the first pane
    QSize roomBefore_;
    QPointer<QDockWidget> held_;      ///< a button was pressed on it: it may be dragged
    QByteArray beforeDrag_;           ///< where all docks were then
    std::optional<QPoint> pressedAt_; ///< on what is locked
    bool dragged_ = false;            ///< a separator, since shares_ were remembered
    QByteArray restored_; ///< put in place again with every size that the window gets at its start
    int restoredVersion_ = 0;
    QSize restoredRoom_;   ///< that it was made in; empty: not known
    QStringList revealed_; ///< since then: they stay in front
    QTimer titles_, restoring_;
    QHash<QString, QDockWidget*> movedFrom_; ///< by pane: one of the group that it left for a while
    std::vector<QDockWidget*> docks_;
    std::vector<Pane*> panes_;
};

} // namespace cutaway::views
