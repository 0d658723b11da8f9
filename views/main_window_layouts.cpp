// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that arranges panes: the layouts that come along, those that a person keeps, and how it all was
// in the last window.
#include "views/main_window.h"

#include "core/base/file_system.h"
#include "views/bridge/document_file.h"
#include "views/models/workspace_file.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/tour/tour_pane.h"
#include "views/widgets/save_name.h"
#include "views/workspace.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QTimer>
#include <algorithm>

namespace cutaway::views {

namespace {
const QString kOwnLayouts = QStringLiteral("ownLayouts");

QStringList inOrder(const QSet<QString>& names) {
    QStringList all(names.begin(), names.end());
    all.sort();
    return all;
}
} // namespace

void MainWindow::storeLayout() {
    storing_.stop();
    if (options_.beside) return; // unsaved edits are kept as drafts all the same
    if (!presenting_) settings_.setValue("geometry", saveGeometry()); // else that of before
    settings_.setValue("session/path", session_.hasDocument() ? session_.path() : QString());
    const bool untitled = session_.hasDocument() && session_.path().isEmpty();
    settings_.setValue("session/untitled", untitled ? session_.key() : QString());
    if (session_.hasDocument()) {
        QStringList selected;
        for (ItemId item : selection_.items())
            selected << session_.record()->key(item);
        settings_.setValue("session/selected", selected);
        settings_.setValue("session/size", session_.options().size);
        settings_.setValue("session/stage", workspace_->pane<GraphPane>()->stage());
        const Folding& folding = workspace_->pane<GraphPane>()->folding();
        settings_.setValue("session/boxes", static_cast<int>(folding.kind));
        settings_.setValue("session/opened", inOrder(folding.open));
        settings_.setValue("session/closed", inOrder(folding.closed));
        settings_.setValue("session/function", session_.function());
        settings_.setValue("session/entry", session_.entryIndex());
        if (!workspace_->isMoved())
            settings_.setValue("layout", presenting_
                                             ? beforePresenting_
                                             : workspace_->wantedState(Workspace::kLayoutVersion));
        if (!presenting_ && !workspace_->isMoved()) {
            const Workspace::Shares shares = workspace_->shares();
            QVariantMap docks;
            for (auto at = shares.docks.begin(); at != shares.docks.end(); ++at)
                docks[at.key()] = at.value();
            settings_.setValue("shares/room", shares.room);
            settings_.setValue("shares/docks", docks);
        }
        for (const auto& [name, state] : workspace_->splitterStates())
            settings_.setValue("splitters/" + name, state);
        for (const auto& [name, state] : workspace_->tabStates())
            settings_.setValue("tabs/" + name, state);
    }
    settings_.sync();
}

void MainWindow::restoreSession() {
    WorkspaceFile kept;
    kept.path = settings_.value("session/path").toString();
    const QString untitled = settings_.value("session/untitled").toString();
    if (!settings_.value("reopen", true).toBool()) return;
    if (untitled.isEmpty() && !QFileInfo::exists(kept.path)) return;
    kept.selected = settings_.value("session/selected").toStringList();
    kept.size = settings_.value("session/size").toString();
    kept.function = settings_.value("session/function").toInt();
    kept.entry = settings_.value("session/entry").toInt();
    setGraphStage(settings_.value("session/stage", "captured").toString());
    kept.boxes = settings_.value("session/boxes", kept.boxes).toInt();
    kept.opened = settings_.value("session/opened").toStringList();
    kept.closed = settings_.value("session/closed").toStringList();
    foldAsIn(kept);
    if (untitled.isEmpty() ? openFile(kept.path) : openUntitled(untitled)) comeBack(kept);
}

/// A script that was never saved: its draft, or a new one where nothing was written in it.
bool MainWindow::openUntitled(const QString& key) {
    const QList<Draft> drafts = session_.drafts().all();
    const auto draft = std::ranges::find(drafts, key, &Draft::key);
    if (draft != drafts.end())
        openDraft(*draft);
    else if (!session_.drafts().othersHold(key))
        newDocument();
    return session_.hasDocument();
}

void MainWindow::comeBack(const WorkspaceFile& kept) {
    const auto select = [this, key = session_.key(), kept] {
        if (session_.key() != key || !selection_.items().empty()) return;
        session_.setFocus(kept.function, kept.entry); // where there still is one
        std::vector<ItemId> items;
        for (const QString& key : kept.selected)
            if (const ItemId item = session_.record()->find(key); item != kNoItem)
                items.push_back(item);
        if (!items.empty()) selection_.select(items);
    };
    // The sizes that a file offers are known once it is compiled.
    whenCompiled([this, key = session_.key(), size = kept.size, select] {
        CompileOptions options = session_.options();
        if (session_.key() != key || options.size == size || !session_.sizes().contains(size))
            return select();
        options.size = size;
        session_.setOptions(options);
        whenCompiled(select);
    });
}

WorkspaceFile MainWindow::workspaceNow() const {
    WorkspaceFile kept;
    kept.path = session_.path();
    kept.text = session_.isReadOnly() ? QString() : session_.text();
    kept.size = session_.options().size;
    kept.device = session_.options().device;
    kept.backend = session_.options().backend;
    kept.decisions = session_.options().decisions;
    for (ItemId item : selection_.items())
        kept.selected << session_.record()->key(item);
    kept.stage = workspace_->pane<GraphPane>()->stage();
    const Folding& folding = workspace_->pane<GraphPane>()->folding();
    kept.boxes = static_cast<int>(folding.kind);
    kept.opened = inOrder(folding.open);
    kept.closed = inOrder(folding.closed);
    kept.function = session_.function();
    kept.entry = session_.entryIndex();
    kept.layout =
        presenting_ ? beforePresenting_ : workspace_->saveState(Workspace::kLayoutVersion);
    for (const auto& [splitter, state] : workspace_->splitterStates())
        kept.splitters[splitter] = state;
    for (const auto& [bar, state] : workspace_->tabStates())
        kept.tabs[bar] = state;
    if (const auto* tours = workspace_->pane<TourPane>(); tours->isPlaying()) {
        Tour tour = tours->tour();
        tour.sample.clear(); // the script is told already
        for (TourStep& step : tour.steps)
            step.notes.clear(); // for who speaks
        kept.tour = writeTour(tour);
        kept.tourStep = tours->step();
    }
    return kept;
}

void MainWindow::saveWorkspace() {
    if (!session_.hasDocument()) return;
    const QFileInfo script(session_.path());
    const QString name = session_.path().isEmpty() ? tr("untitled") : script.completeBaseName();
    const QString file = askSaveName(
        this, tr("Save workspace"),
        script.absolutePath() + "/" + name + "." + WorkspaceFile::kSuffix,
        tr("Workspaces (*.%1);;All files (*)").arg(WorkspaceFile::kSuffix), WorkspaceFile::kSuffix);
    if (file.isEmpty()) return;
    const WorkspaceFile kept = workspaceNow();
    const base::Status written = base::writeFileAtomically(QFile::encodeName(file).toStdString(),
                                                           kept.bytes(file).toStdString());
    notify(About::Saving,
           written ? QString()
                   : tr("Not saved: %1").arg(QString::fromStdString(written.error().message)));
    if (written) say(tr("Saved the workspace: %1").arg(QFileInfo(file).fileName()));
}

/// The script as it was kept: that of its file, where this is the same, else without a file.
bool MainWindow::openWorkspace(const WorkspaceFile& kept) {
    const auto file = kept.path.isEmpty() ? std::nullopt : DocumentFile::read(kept.path, nullptr);
    if (kept.text.isEmpty() || (file && file->text == kept.text)) {
        if (!openFile(kept.path)) return false;
    } else {
        const auto open = [&](QString* error) {
            if (!session_.keepEdits(error)) return false;
            session_.newDocument(kept.text);
            return true;
        };
        if (!replaceDocument(open)) return false;
        if (!kept.path.isEmpty())
            notify(About::Opening,
                   tr("“%1” is not where it was, or is another by now: its text is shown as it "
                      "was kept, without a file.")
                       .arg(QFileInfo(kept.path).fileName()),
                   {}, Tone::Normal);
    }
    showPanesOf(kept);
    decideAsIn(kept);
    selection_.clear(); // else what was selected before would stay: it may be of the same document
    comeBack(kept);
    playTourOf(kept, {});
    return true;
}

void MainWindow::showPanesOf(const WorkspaceFile& kept) {
    setPresenting(false);
    workspace_->restoreLayout(kept.layout, Workspace::kLayoutVersion);
    for (auto at = kept.splitters.begin(); at != kept.splitters.end(); ++at)
        workspace_->restoreSplitter(at.key(), at.value());
    for (auto at = kept.tabs.begin(); at != kept.tabs.end(); ++at)
        workspace_->restoreTab(at.key(), at.value());
    if (!kept.stage.isEmpty()) setGraphStage(kept.stage);
    foldAsIn(kept);
}

/// The boxes of the graph, where they are told.
void MainWindow::foldAsIn(const WorkspaceFile& kept) {
    if (kept.boxes < 0 || kept.boxes > static_cast<int>(FoldKind::Modules)) return;
    workspace_->pane<GraphPane>()->setFolding(static_cast<FoldKind>(kept.boxes),
                                              {kept.opened.begin(), kept.opened.end()},
                                              {kept.closed.begin(), kept.closed.end()});
}

void MainWindow::decideAsIn(const WorkspaceFile& kept) {
    if (session_.isReadOnly()) return;
    CompileOptions options = session_.options();
    options.backend = kept.backend;
    options.decisions = kept.decisions;
    if (engine_.info().devices.contains(kept.device)) options.device = kept.device;
    session_.setOptions(options);
}

void MainWindow::restoreLayout() {
    restoreGeometry(settings_.value("geometry").toByteArray());
    workspace_->restoreLayout(settings_.value("layout").toByteArray(), Workspace::kLayoutVersion);
    Workspace::Shares shares{settings_.value("shares/room").toSize(), {}};
    const QVariantMap docks = settings_.value("shares/docks").toMap();
    for (auto at = docks.begin(); at != docks.end(); ++at)
        shares.docks[at.key()] = at.value().toSize();
    workspace_->restoreShares(shares);
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
    all.insert(name, workspace_->saveState(Workspace::kLayoutVersion));
    settings_.setValue(kOwnLayouts, all);
    fillOwnLayouts();
}

void MainWindow::showOwnLayout(const QString& name) {
    setPresenting(false);
    workspace_->restoreLayout(settings_.value(kOwnLayouts).toMap().value(name).toByteArray(),
                              Workspace::kLayoutVersion);
}

void MainWindow::forgetLayout(const QString& name) {
    QVariantMap all = settings_.value(kOwnLayouts).toMap();
    all.remove(name);
    settings_.setValue(kOwnLayouts, all);
    fillOwnLayouts();
}

} // namespace cutaway::views
