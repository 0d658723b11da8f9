// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that arranges panes: the layouts that come along, those that a person keeps, and how it all was
// in the last window.
#include "views/main_window.h"

#include "views/panes/graph/graph_pane.h"
#include "views/workspace.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QTimer>

namespace cutaway::views {

namespace {
const QString kOwnLayouts = QStringLiteral("ownLayouts");
} // namespace

void MainWindow::storeLayout() {
    storing_.stop();
    if (options_.beside) return; // unsaved edits are kept as drafts all the same
    if (!presenting_) settings_.setValue("geometry", saveGeometry()); // else that of before
    settings_.setValue("session/path", session_.hasDocument() ? session_.path() : QString());
    if (session_.hasDocument()) {
        QStringList selected;
        for (ItemId item : selection_.items())
            selected << session_.record()->key(item);
        settings_.setValue("session/selected", selected);
        settings_.setValue("session/size", session_.options().size);
        settings_.setValue("session/stage", workspace_->pane<GraphPane>()->stage());
        settings_.setValue("session/function", session_.function());
        settings_.setValue("session/entry", session_.entryIndex());
        if (!workspace_->isMoved())
            settings_.setValue("layout", presenting_ ? beforePresenting_
                                                     : workspace_->wantedState(kLayoutVersion));
        for (const auto& [name, state] : workspace_->splitterStates())
            settings_.setValue("splitters/" + name, state);
        for (const auto& [name, state] : workspace_->tabStates())
            settings_.setValue("tabs/" + name, state);
    }
    settings_.sync();
}

void MainWindow::restoreSession() {
    const QString path = settings_.value("session/path").toString();
    if (!settings_.value("reopen", true).toBool() || !QFileInfo::exists(path)) return;
    const QStringList selected = settings_.value("session/selected").toStringList();
    setGraphStage(settings_.value("session/stage", "captured").toString());
    const QString size = settings_.value("session/size").toString();
    if (!openFile(path)) return;
    const int function = settings_.value("session/function").toInt(),
              entry = settings_.value("session/entry").toInt();
    const auto select = [this, path, selected, function, entry] {
        if (session_.path() != path || !selection_.items().empty()) return;
        session_.setFocus(function, entry); // where there still is one
        std::vector<ItemId> items;
        for (const QString& key : selected)
            if (const ItemId item = session_.record()->find(key); item != kNoItem)
                items.push_back(item);
        if (!items.empty()) selection_.select(items);
    };
    // The sizes that a file offers are known once it is compiled.
    whenCompiled([this, path, size, select] {
        CompileOptions options = session_.options();
        if (session_.path() != path || options.size == size || !session_.sizes().contains(size))
            return select();
        options.size = size;
        session_.setOptions(options);
        whenCompiled(select);
    });
}

void MainWindow::restoreLayout() {
    restoreGeometry(settings_.value("geometry").toByteArray());
    workspace_->restoreLayout(settings_.value("layout").toByteArray(), kLayoutVersion);
    settings_.beginGroup("splitters");
    for (const QString& name : settings_.allKeys())
        workspace_->restoreSplitter(name, settings_.value(name).toByteArray());
    settings_.endGroup();
    settings_.beginGroup("tabs");
    for (const QString& name : settings_.allKeys())
        workspace_->restoreTab(name, settings_.value(name).toString());
    settings_.endGroup();
}

void MainWindow::makeLayoutMenu(QMenu* view) {
    QMenu* layouts = view->addMenu(tr("La&youts"));
    int number = 1;
    for (const LayoutRow& row : layoutRows())
        add(layouts, {row.title, QCoreApplication::translate("Layouts", row.title)},
            QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key(Qt::Key_0 + number++)),
            QCoreApplication::translate("Layouts", row.about), [this, &row] {
                setPresenting(row.present); // what it was before comes back when that ends
                workspace_->applyLayout(row);
            });
    layouts->addSeparator();
    add(layouts, QT_TR_NOOP("&Keep this layout…"), {},
        tr("Where the panes are now, under a name of your own"), [this] {
            const QString name =
                QInputDialog::getText(this, tr("Keep this layout"), tr("Name:")).trimmed();
            if (!name.isEmpty()) keepLayout(name);
        });
    ownLayouts_ = layouts->addMenu(tr("&Own layouts"));
    forgetLayouts_ = layouts->addMenu(tr("Forget a la&yout"));
    fillOwnLayouts();
}

/// The names that were kept, in their order.
QStringList MainWindow::ownLayouts() const {
    QStringList names = settings_.value(kOwnLayouts).toMap().keys();
    names.sort(Qt::CaseInsensitive);
    return names;
}

void MainWindow::fillOwnLayouts() {
    ownLayouts_->clear();
    forgetLayouts_->clear();
    for (const QString& name : ownLayouts()) {
        add(ownLayouts_, {QString("Layout %1").arg(name), name}, {},
            tr("The panes as they were kept"), [this, name] { showOwnLayout(name); });
        add(forgetLayouts_, {QString("Forget %1").arg(name), name}, {}, tr("Keep it no longer"),
            [this, name] {
                // The menu that is being used is made anew.
                QTimer::singleShot(0, this, [this, name] { forgetLayout(name); });
            });
    }
    for (QMenu* menu : {ownLayouts_, forgetLayouts_})
        menu->setEnabled(!menu->isEmpty());
}

void MainWindow::keepLayout(const QString& name) {
    QVariantMap all = settings_.value(kOwnLayouts).toMap();
    all.insert(name, workspace_->saveState(kLayoutVersion));
    settings_.setValue(kOwnLayouts, all);
    fillOwnLayouts();
}

void MainWindow::showOwnLayout(const QString& name) {
    setPresenting(false);
    workspace_->restoreLayout(settings_.value(kOwnLayouts).toMap().value(name).toByteArray(),
                              kLayoutVersion);
}

void MainWindow::forgetLayout(const QString& name) {
    QVariantMap all = settings_.value(kOwnLayouts).toMap();
    all.remove(name);
    settings_.setValue(kOwnLayouts, all);
    fillOwnLayouts();
}

} // namespace cutaway::views
