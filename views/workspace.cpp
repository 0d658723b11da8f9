// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workspace.h"

#include "views/widgets/item_view.h"
#include "views/widgets/pane_bar.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QSplitter>
#include <QStyle>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <algorithm>
#include <map>
#include <utility>

namespace cutaway::views {

namespace {
constexpr int kDragPollMs = 60;
constexpr int kBelowShare = 4;     ///< of the height, for a pane that goes below
constexpr int kTabGap = 4;         ///< between a tab bar and its dock
constexpr int kRounding = 3;       ///< of a share of another size
constexpr int kRestoringMs = 1500; ///< a window manager has maximised the window by then
} // namespace

/// Of the tab that \p table stands on, else \p pane's.
static QString titleOver(QWidget* table, const QString& pane) {
    for (QWidget *page = table, *above = nullptr; (above = page->parentWidget()); page = above)
        if (auto* tabs = qobject_cast<QTabWidget*>(above->parentWidget());
            tabs && tabs->indexOf(page) >= 0)
            return tabs->tabText(tabs->indexOf(page));
    return pane;
}

Workspace::Workspace(PaneContext context, QWidget* parent) : QMainWindow(parent) {
    setWindowFlags(Qt::Widget);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDocumentMode(true);
    titles_.setSingleShot(true);
    titles_.setInterval(0);
    connect(&titles_, &QTimer::timeout, this, &Workspace::showTitles);
    restoring_.setSingleShot(true);
    restoring_.setInterval(kRestoringMs);
    connect(&restoring_, &QTimer::timeout, this, [this] {
        const bool exact = size() == restoredRoom_;
        restored_.clear();
        if (!exact) keepShares();
        titles_.start();
    });
    for (const PaneRow& row : paneList()) {
        QString title = QCoreApplication::translate("Panes", row.title);
        auto* dock = new QDockWidget(title, this);
        dock->setObjectName(QString("dock.%1").arg(row.id));
        dock->setAllowedAreas(Qt::AllDockWidgetAreas);
        Pane* pane = row.make(context, dock);
        pane->setObjectName(row.id);
        QString about = QCoreApplication::translate("Panes", row.about);
        pane->setWhatsThis(about);
        pane->setAccessibleDescription(about);
        for (ItemView* view : pane->findChildren<ItemView*>()) {
            if (view->accessibleName().isEmpty()) view->setAccessibleName(titleOver(view, title));
            view->setItemTooltip([pane](ItemId item) { return pane->itemTip(item); });
            view->setItemMenu([pane](QMenu* menu, const std::vector<ItemId>& items) {
                pane->addActions(menu, items);
            });
        }
        dock->setWidget(pane);
        dock->toggleViewAction()->setToolTip(about);
        connect(pane, &Pane::waitingChanged, dock, [this, dock, title](int count) {
            dock->setWindowTitle(count > 0 ? QString("%1 (%2)").arg(title).arg(count) : title);
            titles_.start();
        });
        for (auto changed : {&QDockWidget::visibilityChanged, &QDockWidget::topLevelChanged})
            connect(dock, changed, this, [this] { titles_.start(); });
        dock->installEventFilter(this);
        connect(dock, &QDockWidget::dockLocationChanged, this, [this] { titles_.start(); });
        docks_.push_back(dock);
        panes_.push_back(pane);
    }
    restoreDefaultLayout();
}

void Workspace::applyTheme(const Theme& theme) {
    for (Pane* pane : panes_) {
        pane->applyTheme(theme);
        PaneBar::applyIcons(pane, theme);
    }
}

void Workspace::restoreDefaultLayout() {
    movedFrom_.clear();
    std::map<PanePlace, std::vector<QDockWidget*>> places;
    size_t i = 0;
    for (const PaneRow& row : paneList()) {
        docks_[i]->setFloating(false);
        docks_[i]->show();
        removeDockWidget(docks_[i]);
        places[row.place].push_back(docks_[i++]);
    }
    auto head = [&](PanePlace place) { return places[place].front(); };
    addDockWidget(Qt::LeftDockWidgetArea, head(PanePlace::Left));
    splitDockWidget(head(PanePlace::Left), head(PanePlace::Center), Qt::Horizontal);
    splitDockWidget(head(PanePlace::Center), head(PanePlace::Right), Qt::Horizontal);
    splitDockWidget(head(PanePlace::Left), head(PanePlace::LeftBottom), Qt::Vertical);
    splitDockWidget(head(PanePlace::Right), head(PanePlace::RightBottom), Qt::Vertical);
    for (auto& [place, docks] : places) {
        for (size_t k = 1; k < docks.size(); ++k)
            tabifyDockWidget(docks[k - 1], docks[k]);
        for (QDockWidget* dock : docks)
            dock->show();
        docks.front()->raise();
    }
    if (isVisible()) shareRoom();
}

const std::vector<LayoutRow>& layoutRows() {
    static const std::vector<LayoutRow> rows = {
        {QT_TRANSLATE_NOOP("Layouts", "&Learn"),
         QT_TRANSLATE_NOOP("Layouts",
                           "The script, its graphs, and what is known of what is selected"),
         {"source", "inspector", "messages", "tour", "graph", "partition", "passes", "steps"},
         {"source", "inspector", "graph"}},
        {QT_TRANSLATE_NOOP("Layouts", "&Compare"),
         QT_TRANSLATE_NOOP("Layouts",
                           "Any two stages, passes or records beside the script and its code"),
         {"source", "inspector", "graph", "partition", "passes", "compare", "steps", "code",
          "kernels", "run", "whatif", "numbers"},
         {"source", "inspector", "compare", "code", "kernels"}},
        {QT_TRANSLATE_NOOP("Layouts", "&Profile"),
         QT_TRANSLATE_NOOP("Layouts", "What was measured, the kernels and their code"),
         {"source", "inspector", "graph", "partition", "compare", "code", "kernels", "run",
          "whatif", "memory", "times", "numbers"},
         {"source", "inspector", "graph", "code", "run"}},
        {QT_TRANSLATE_NOOP("Layouts", "P&resent"),
         QT_TRANSLATE_NOOP("Layouts", "Script, graph and code in large type, for a projector"),
         {"source", "graph", "partition", "passes", "compare", "steps", "code"},
         {"source", "graph", "code"},
         true}};
    return rows;
}

void Workspace::applyLayout(const LayoutRow& row) {
    restored_.clear(); // this is wanted now
    restoreDefaultLayout();
    for (size_t i = 0; i < docks_.size(); ++i)
        if (std::ranges::none_of(row.panes, [&](const char* id) {
                return panes_[i]->objectName() == QLatin1String(id);
            }))
            docks_[i]->hide();
    for (const char* id : row.front)
        reveal(id);
}

/// Not within itself: it gives the docks sizes, and so this widget, while it still holds their places.
/// Nor is anything laid out before it has ended: Qt shows tab bars one after the other, and a pane that
/// wants another size since it was given this one would have them dealt out anew in between.
bool Workspace::restoreNow(const QByteArray& state, int version) {
    if (std::exchange(restoringNow_, true)) return false;
    layout()->setEnabled(false);
    const bool restored = restoreState(state, version);
    layout()->setEnabled(true);
    restoringNow_ = false;
    return restored;
}

bool Workspace::restoreLayout(const QByteArray& state, int version) {
    roomShared_ = restoreNow(state, version);
    if (roomShared_) {
        shares_.clear();
        restored_ = state;
        restoredVersion_ = version;
        restoredRoom_ = {};
    }
    return roomShared_;
}

QByteArray Workspace::wantedState(int version) const {
    return restored_.isEmpty() ? saveState(version) : restored_;
}

void Workspace::holdStill() {
    still_ = true;
    layout()->setEnabled(false);
}

void Workspace::goOn() {
    still_ = false;
    layout()->setEnabled(true);
    layout()->activate(); // what is put back is fitted into the room that it knows
    restored_.isEmpty() ? keepShares() : restoreWanted();
}

QSize Workspace::wantedRoom() const {
    return restored_.isEmpty() ? size() : restoredRoom_;
}

void Workspace::putBack(const QByteArray& state, int version, QSize room) {
    revealed_.clear();
    restored_ = state;
    restoredVersion_ = version;
    restoredRoom_ = room;
    restoring_.start();
    if (still_) return;
    // Once the widgets know how small they may be in the type that they have now.
    QTimer::singleShot(0, this, [this, state, version] {
        if (restored_ == state) restoreNow(state, version);
    });
}

void Workspace::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (!roomShared_) QTimer::singleShot(0, this, &Workspace::shareRoom);
    roomShared_ = true;
    if (!restored_.isEmpty())
        restoring_.start();
    else // it may have another size than when it was last seen
        QTimer::singleShot(0, this, &Workspace::keepShares);
}

/// Docks that were restored into a small window keep the proportions that they had to take there
/// when it grows to its full size.
void Workspace::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (!isVisible() || restoringNow_ || still_) return;
    restored_.isEmpty() ? keepShares() : restoreWanted();
}

void Workspace::restoreWanted() {
    if (!restoreNow(restored_, restoredVersion_)) return;
    if (size() != restoredRoom_) keepShares();
    for (const QString& id : std::as_const(revealed_)) {
        dockOf(id)->show();
        dockOf(id)->raise(); // what has not been shown yet comes in turns of its own
    }
}

/// The dock, or the one that stands in its place on another tab; null: neither is to be seen.
QDockWidget* Workspace::inSight(QDockWidget* dock) const {
    auto isInSight = [](const QDockWidget* one) {
        return !one->isFloating() && !one->visibleRegion().isEmpty();
    };
    if (isInSight(dock)) return dock;
    for (QDockWidget* other : tabifiedDockWidgets(dock))
        if (isInSight(other)) return other;
    return nullptr;
}

/// With the tab bar above it, which is part of what resizeDocks() deals out.
QSize Workspace::shareOf(const QDockWidget* dock) const {
    const QRect place = dock->geometry();
    for (const QTabBar* bar : findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
        const QRect tabs = bar->geometry();
        const bool above = tabs.bottom() <= place.top() && place.top() - tabs.bottom() <= kTabGap;
        if (bar->isVisible() && above && tabs.left() <= place.right() &&
            tabs.right() >= place.left())
            return {place.width(), place.bottom() - tabs.top() + 1};
    }
    return place.size();
}

/// As somebody left them, or as they were when they came up.
void Workspace::rememberShares() {
    std::vector<std::pair<QDockWidget*, QSize>> shares;
    for (QDockWidget* dock : docks_)
        if (inSight(dock) == dock) shares.emplace_back(dock, shareOf(dock));
    // What was put back is as it was but for rounding, which would add up.
    const bool same = size() == sharedRoom_ && !dragged_ &&
                      std::ranges::equal(shares, shares_, [](const auto& now, const auto& then) {
                          const QSize by = now.second - then.second;
                          return now.first == then.first && std::abs(by.width()) <= kRounding &&
                                 std::abs(by.height()) <= kRounding;
                      });
    if (!same) shares_ = std::move(shares);
    sharedRoom_ = size();
    dragged_ = false;
}

/// In a small window docks are as large as they must be. In a larger one each has its share again.
void Workspace::keepShares() {
    QList<QDockWidget*> docks;
    QList<int> wide, high;
    for (const auto& [dock, size] : shares_) {
        docks << inSight(dock);
        if (!docks.last()) return; // other docks than were remembered
        wide << size.width() * width() / std::max(1, sharedRoom_.width());
        high << size.height() * height() / std::max(1, sharedRoom_.height());
    }
    resizeDocks(docks, wide, Qt::Horizontal);
    resizeDocks(docks, high, Qt::Vertical);
}

Workspace::Shares Workspace::shares() {
    if (isVisible() && restored_.isEmpty() && size() == sharedRoom_) rememberShares();
    Shares kept{sharedRoom_, {}};
    for (const auto& [dock, size] : shares_)
        kept.docks[dock->objectName()] = size;
    return kept;
}

void Workspace::restoreShares(const Shares& kept) {
    sharedRoom_ = kept.room;
    shares_.clear();
    for (QDockWidget* dock : docks_)
        if (const auto at = kept.docks.constFind(dock->objectName()); at != kept.docks.constEnd())
            shares_.emplace_back(dock, *at);
}

/// Qt's drag knows no way back: it ends where it is, and all docks are put where they were.
void Workspace::dropWhereItWas() {
    QDockWidget* dock = std::exchange(held_, nullptr);
    qApp->removeEventFilter(this);
    setDockOptions(dockOptions() &
                   ~AnimatedDocks); // else it is still on its way when it is put back
    const QPointF at = dock->mapFromGlobal(QCursor::pos());
    QMouseEvent release(QEvent::MouseButtonRelease, at, QCursor::pos(), Qt::LeftButton,
                        Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(dock, &release);
    setDockOptions(dockOptions() | AnimatedDocks);
    putBack(beforeDrag_, kLayoutVersion, size());
}

/// Whoever drags what is locked is told so, once a drag.
void Workspace::watchLocked(QEvent* event) {
    if (event->type() != QEvent::MouseButtonPress && event->type() != QEvent::MouseMove) return;
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const QPoint at = mouse->globalPosition().toPoint();
    if (event->type() == QEvent::MouseButtonPress)
        pressedAt_ = mouse->button() == Qt::LeftButton ? std::optional(at) : std::nullopt;
    else if (pressedAt_ && mouse->buttons().testFlag(Qt::LeftButton) &&
             (at - *pressedAt_).manhattanLength() > 2 * QApplication::startDragDistance()) {
        pressedAt_.reset();
        emit lockedPaneDragged();
    }
}

bool Workspace::eventFilter(QObject* watched, QEvent* event) {
    if (locked_ && (qobject_cast<QDockWidget*>(watched) || qobject_cast<QTabBar*>(watched)))
        watchLocked(event);
    // What a click on a tab shows has the keys.
    if (const auto* tabs = qobject_cast<QTabBar*>(watched);
        tabs && event->type() == QEvent::MouseButtonRelease &&
        tabs->tabAt(static_cast<QMouseEvent*>(event)->position().toPoint()) == tabs->currentIndex())
        for (QDockWidget* dock : docks_)
            if (dock->windowTitle() == tabs->tabText(tabs->currentIndex()))
                dock->widget()->setFocus(Qt::MouseFocusReason);
    if (auto* dock = qobject_cast<QDockWidget*>(watched);
        dock && event->type() == QEvent::MouseButtonPress && !locked_) {
        held_ = dock;
        beforeDrag_ = saveState(kLayoutVersion);
        qApp->installEventFilter(this); // whoever has the keyboard
    } else if (held_ && QGuiApplication::mouseButtons() == Qt::NoButton) {
        held_ = nullptr;
        qApp->removeEventFilter(this);
    } else if (held_ && QWidget::mouseGrabber() == held_ &&
               (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) &&
               static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        if (event->type() == QEvent::KeyPress) dropWhereItWas();
        return true;
    }
    // Nothing but a separator makes docks larger or smaller while a button is held.
    if (event->type() == QEvent::Resize && !qobject_cast<QTabBar*>(watched) &&
        QGuiApplication::mouseButtons() != Qt::NoButton) {
        dragged_ = true;
        titles_.start(kDragPollMs);
    }
    return QMainWindow::eventFilter(watched, event);
}

std::vector<std::pair<QString, QByteArray>> Workspace::splitterStates() const {
    std::vector<std::pair<QString, QByteArray>> states;
    for (const Pane* pane : panes_) {
        int number = 0;
        for (const QSplitter* splitter : pane->findChildren<QSplitter*>()) {
            const QString name = QString("%1.%2").arg(pane->objectName()).arg(number++);
            const QList<int> sizes = splitter->sizes();
            // One that was never shown has no sizes yet.
            if (!splitter->testAttribute(Qt::WA_PendingResizeEvent) && !sizes.contains(0) &&
                sizes.size() > 1)
                states.emplace_back(name, splitter->saveState());
        }
    }
    return states;
}

void Workspace::restoreSplitter(const QString& name, const QByteArray& state) {
    const auto* owner = findChild<Pane*>(name.section('.', 0, 0));
    const auto splitters = owner ? owner->findChildren<QSplitter*>() : QList<QSplitter*>();
    const int number = name.section('.', 1).toInt();
    if (number >= 0 && number < splitters.size()) splitters[number]->restoreState(state);
}

std::vector<std::pair<QString, QString>> Workspace::tabStates() const {
    std::vector<std::pair<QString, QString>> states;
    for (const Pane* pane : panes_) {
        int number = 0;
        for (const QTabBar* tabs : pane->findChildren<QTabBar*>())
            states.emplace_back(QString("%1.%2").arg(pane->objectName()).arg(number++),
                                QString("%1/%2").arg(tabs->currentIndex()).arg(tabs->count()));
    }
    return states;
}

void Workspace::restoreTab(const QString& name, const QString& state) {
    const auto* owner = findChild<Pane*>(name.section('.', 0, 0));
    const auto all = owner ? owner->findChildren<QTabBar*>() : QList<QTabBar*>();
    const int number = name.section('.', 1).toInt();
    if (number >= 0 && number < all.size() && all[number]->count() == state.section('/', 1).toInt())
        all[number]->setCurrentIndex(state.section('/', 0, 0).toInt());
}

void Workspace::shareRoom() {
    auto head = [&](PanePlace place) {
        for (size_t i = 0; i < docks_.size(); ++i)
            if (paneList()[i].place == place) return docks_[i];
        return docks_.front();
    };
    int wide = std::max(width(), 900), high = std::max(height(), 600);
    resizeDocks({head(PanePlace::Left), head(PanePlace::Center), head(PanePlace::Right)},
                {wide * 26 / 100, wide * 39 / 100, wide * 35 / 100}, Qt::Horizontal);
    resizeDocks({head(PanePlace::Left), head(PanePlace::LeftBottom)},
                {high * 56 / 100, high * 44 / 100}, Qt::Vertical);
    resizeDocks({head(PanePlace::Right), head(PanePlace::RightBottom)},
                {high * 52 / 100, high * 48 / 100}, Qt::Vertical);
    shares_.clear();
    titles_.start();
    leaveRoomBelow();
}

/// For what stands below the rest for a while.
void Workspace::leaveRoomBelow() {
    for (auto moved = movedFrom_.keyBegin(); moved != movedFrom_.keyEnd(); ++moved)
        resizeDocks({dockOf(*moved)}, {height() / kBelowShare}, Qt::Vertical);
}

void Workspace::setLocked(bool locked) {
    locked_ = locked;
    showTitles();
}

/// Tabs that do not fit are scrolled to, and stay in their order while panes are locked: of half a title nobody knows what it leads to.
void Workspace::showWholeTabs() {
    for (QTabBar* bar : findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
        bar->setElideMode(Qt::ElideNone);
        bar->setUsesScrollButtons(true);
        bar->setMovable(!locked_);
        bar->installEventFilter(this);
        for (int i = 0; i < bar->count(); ++i)
            bar->setTabToolTip(i, bar->tabText(i));
    }
}

/// What a dock behind a tab is dragged, floated and closed with.
static QWidget* makeHandle(QDockWidget* dock) {
    auto* handle = new QWidget;
    handle->setObjectName("dockHandle");
    handle->setToolTip(Workspace::tr("Drag to move this pane"));
    auto* row = new QHBoxLayout(handle);
    row->setContentsMargins(0, 0, 2, 0);
    row->setSpacing(0);
    row->addStretch(1);
    auto add = [&](QStyle::StandardPixmap icon, const QString& tip, auto act) {
        auto* button = new QToolButton;
        button->setIcon(dock->style()->standardIcon(icon, nullptr, dock));
        button->setIconSize(QSize(10, 10));
        button->setAutoRaise(true);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        QObject::connect(button, &QToolButton::clicked, dock, act, Qt::QueuedConnection);
        row->addWidget(button);
    };
    add(QStyle::SP_TitleBarNormalButton, Workspace::tr("Float this pane"),
        [dock] { dock->setFloating(true); });
    add(QStyle::SP_TitleBarCloseButton, Workspace::tr("Close this pane"),
        [dock] { dock->close(); });
    return handle;
}

void Workspace::showTitles() {
    // A title bar that changes while it is dragged never hears of the button's release.
    if (QGuiApplication::mouseButtons() != Qt::NoButton) return titles_.start(kDragPollMs);
    titles_.setInterval(0);
    const bool known = std::ranges::all_of(
        shares_, [this](const auto& share) { return inSight(share.first) != nullptr; });
    // While they are out of sight, with nothing open, they have the shares that they had.
    if (isVisible() && restored_.isEmpty() &&
        (shares_.empty() || dragged_ || !known || size() == sharedRoom_))
        rememberShares();
    showWholeTabs();
    for (QDockWidget* dock : docks_) {
        QWidget* before = dock->titleBarWidget();
        bool tabbed = false; // only with docks that are shown is there a tab bar
        for (QDockWidget* other : tabifiedDockWidgets(dock))
            tabbed = tabbed || !other->isHidden();
        if (!locked_ || dock->isFloating()) {
            dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable |
                              QDockWidget::DockWidgetFloatable);
            const bool handle = tabbed && !dock->isFloating(); // its title stands on the tab
            if (handle ? before && before->objectName() == "dockHandle" : !before)
                continue; // setting it again would end a drag
            dock->setTitleBarWidget(handle ? makeHandle(dock) : nullptr);
            if (before) before->deleteLater();
            continue;
        }
        dock->setFeatures(QDockWidget::NoDockWidgetFeatures);
        auto* label = qobject_cast<QLabel*>(before);
        if (label) label->setText(dock->windowTitle());
        if (before && tabbed == !label && before->objectName() != "dockHandle") continue;
        QWidget* title = tabbed ? new QWidget : new QLabel(dock->windowTitle());
        title->setObjectName(tabbed ? "noTitle" : "dockTitle");
        dock->setTitleBarWidget(title);
        if (before) before->deleteLater();
    }
}

void Workspace::reveal(const QString& id) {
    if (!restored_.isEmpty() && !revealed_.contains(id)) revealed_ << id;
    for (size_t i = 0; i < docks_.size(); ++i)
        if (panes_[i]->objectName() == id) {
            docks_[i]->show();
            docks_[i]->raise();
            panes_[i]->flush(); // whoever called for it goes on with what it shows
            panes_[i]->setFocus();
            emit revealed(docks_[i]);
        }
}

QDockWidget* Workspace::dockOf(const QString& id) const {
    for (size_t i = 0; i < docks_.size(); ++i)
        if (panes_[i]->objectName() == id) return docks_[i];
    return nullptr;
}

void Workspace::keepInSight(const QString& id, const QStringList& others) {
    QDockWidget* dock = dockOf(id);
    if (!dock || dock->isFloating()) return;
    for (const QString& other : others) {
        QDockWidget* shown = dockOf(other);
        if (!shown || shown == dock || !tabifiedDockWidgets(dock).contains(shown)) continue;
        if (movedFrom_.isEmpty()) {
            rememberShares();
            sharesBefore_ = shares_;
            roomBefore_ = size();
        }
        movedFrom_[id] = shown;
        addDockWidget(Qt::BottomDockWidgetArea, dock);
        dock->show();
        layout()->activate(); // it has a place
        leaveRoomBelow();
        shares_.clear(); // of before
        titles_.start();
        return;
    }
}

void Workspace::letBack(const QString& id) {
    QDockWidget *home = movedFrom_.take(id), *dock = dockOf(id);
    if (!home || dock->isFloating()) return;
    tabifyDockWidget(home, dock);
    dock->show();
    dock->raise();
    if (!movedFrom_.isEmpty()) return;
    // Qt deals the room out anew: each has what it had before, once it is in sight.
    QTimer::singleShot(0, this, [this, shares = std::exchange(sharesBefore_, {})] {
        shares_ = shares;
        sharedRoom_ = roomBefore_;
        keepShares();
    });
}

bool Workspace::revealStage(const QString& stage) {
    for (Pane* pane : panes_)
        if (pane->showStage(stage)) {
            reveal(pane->objectName());
            return true;
        }
    return false;
}

bool Workspace::isSettled() const {
    return std::all_of(panes_.begin(), panes_.end(),
                       [](const Pane* pane) { return !pane->isVisible() || pane->isSettled(); });
}

} // namespace cutaway::views
