// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that arranges panes: the layouts that come along, and those that a person keeps.
#include "views/main_window.h"

#include "views/workspace.h"

#include <QCoreApplication>
#include <QInputDialog>
#include <QMenu>
#include <QTimer>

namespace cutaway::views {

namespace {
const QString kOwnLayouts = QStringLiteral("ownLayouts");
} // namespace

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
