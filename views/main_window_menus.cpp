// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that makes menus, tool bar and palettes.
#include "views/main_window.h"

#include "views/language/language.h"
#include "views/models/decisions.h"
#include "views/models/format.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/numbers/numbers_pane.h"
#include "views/panes/passes/passes_pane.h"
#include "views/panes/run/run_pane.h"
#include "views/panes/source/source_pane.h"
#include "views/panes/times/times_pane.h"
#include "views/panes/tour/tour_pane.h"
#include "views/widgets/choice_box.h"
#include "views/widgets/code_view.h"
#include "views/widgets/command_palette.h"
#include "views/widgets/find_bar.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/graph_export.h"
#include "views/widgets/pointer_ring.h"
#include "views/widgets/shortcut_sheet.h"
#include "views/widgets/stage_bar.h"
#include "views/widgets/start_page.h"
#include "views/workspace.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QShortcut>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>
#include <QWhatsThis>

namespace cutaway::views {

QAction* MainWindow::add(QMenu* menu, const char* text, const QKeySequence& keys,
                         const QString& tip, std::function<void()> act, const char* icon) {
    return add(menu, {text, tr(text)}, keys, tip, std::move(act), icon);
}

QAction* MainWindow::add(QMenu* menu, const CommandName& name, const QKeySequence& keys,
                         const QString& tip, std::function<void()> act, const char* icon) {
    auto* action = menu->addAction(name.shown);
    action->setProperty("command", name.english);
    action->setProperty("usualKeys", keys.toString());
    const QString id = "keys/" + keysId(action);
    action->setShortcut(settings_.contains(id) ? QKeySequence(settings_.value(id).toString())
                                               : keys);
    action->setProperty("tip", tip);
    action->setWhatsThis(tip);
    showKeys(action);
    connect(action, &QAction::triggered, this, [act = std::move(act)] { act(); });
    if (icon) icons_.emplace_back(action, QString::fromLatin1(icon));
    return action;
}

/// A command's name in the settings, the same in every language.
QString MainWindow::keysId(const QAction* action) {
    QString text = action->property("command").toString();
    return text.remove('&').remove(QChar(0x2026)).replace(' ', '_').replace('/', '_');
}

void MainWindow::showKeys(QAction* action) {
    const QString tip = action->property("tip").toString();
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    action->setToolTip(keys.isEmpty() ? tip : QString("%1 (%2)").arg(tip, keys));
}

void MainWindow::showShortcuts() {
    std::vector<ShortcutRow> rows;
    auto visit = [&](auto& self, QMenu* menu, const QString& group, const QString& path) -> void {
        for (QAction* action : menu->actions()) {
            if (action->isSeparator()) continue;
            const QString text = format::withoutMnemonic(action->text());
            if (action->menu() && action->menu() != recentMenu_ && action->menu() != draftsMenu_)
                self(self, action->menu(), group, path + text + " › ");
            else if (!action->menu() && action->property("usualKeys").isValid())
                rows.push_back({group, path + text, action,
                                QKeySequence(action->property("usualKeys").toString())});
        }
    };
    for (QAction* top : menuBar()->actions())
        visit(visit, top->menu(), format::withoutMnemonic(top->text()), {});
    for (ShortcutRow& row : ShortcutSheet::paneKeys())
        rows.push_back(std::move(row));
    (new ShortcutSheet(
         std::move(rows),
         [this](const ShortcutRow& row) {
             const QString id = "keys/" + keysId(row.action);
             if (row.action->shortcut() == row.usual)
                 settings_.remove(id);
             else
                 settings_.setValue(id, row.action->shortcut().toString());
             showKeys(row.action);
         },
         this))
        ->show();
}

/// One word for a shell, whatever is in it.
static QString quoted(QString word) {
    static const QRegularExpression plain("\\A[\\w./:=-]+\\z");
    if (plain.match(word).hasMatch()) return word;
    return "'" + word.replace("'", "'\\''") + "'";
}

QString MainWindow::benchCommand(const QString& file, const CompileOptions& options) {
    QStringList words{"cutaway", "bench", quoted(file)};
    if (!options.size.isEmpty()) words << QStringLiteral("--size") << quoted(options.size);
    words << QStringLiteral("--device") << quoted(options.device);
    for (const QString& one : options.decisions)
        words << QStringLiteral("--decide") << quoted(one);
    return words.join(' ');
}

static Pane* paneOfKeyboard() {
    for (QWidget* at = QApplication::focusWidget(); at; at = at->parentWidget())
        if (auto* found = qobject_cast<Pane*>(at)) return found;
    return nullptr;
}

void MainWindow::makeMenus() {
    makeFileMenu();
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = add(edit, QT_TR_NOOP("&Undo"), QKeySequence::Undo,
                        tr("Take back what was done last: an edit of the script, a decision, or "
                           "another size or device"),
                        [this] { undoLast(); });
    QAction* redo = add(edit, QT_TR_NOOP("&Redo"), QKeySequence::Redo,
                        tr("Do again what was taken back last"), [this] { redoLast(); });
    if (redo->shortcut() == QKeySequence(QKeySequence::Redo)) { // as some are used to
        const QKeySequence y(Qt::CTRL | Qt::Key_Y), z(Qt::CTRL | Qt::SHIFT | Qt::Key_Z);
        redo->setShortcuts({redo->shortcut(), redo->shortcut() == y ? z : y});
    }
    // Told when the menu opens: the keys work at any time, and do nothing where there is nothing.
    connect(edit, &QMenu::aboutToShow, this, [this, undo, redo] {
        const auto* source = workspace_->pane<SourcePane>()->editor();
        undo->setEnabled(session_.hasDocument() &&
                         (source->isUndoAvailable() || session_.canUndoDecision()));
        redo->setEnabled(session_.hasDocument() &&
                         (source->isRedoAvailable() || session_.canRedoDecision()));
    });
    connect(edit, &QMenu::aboutToHide, this, [undo, redo] {
        for (QAction* action : {undo, redo})
            action->setEnabled(true);
    });
    edit->addSeparator();
    const auto source = [this] { return workspace_->reveal<SourcePane>()->findBar(); };
    const auto find = [source] { // in the pane's text, else in the script
        Pane* at = paneOfKeyboard();
        return at && at->findBar() ? at->findBar() : source();
    };
    const auto goOn = [find](bool forward) {
        Pane* at = paneOfKeyboard();
        if (QLineEdit* field = at ? at->searchField() : nullptr)
            emit field->returnPressed();
        else
            find()->findNext(forward);
    };
    add(edit, QT_TR_NOOP("&Find in text…"), QKeySequence::Find,
        tr("Find in the pane where the keyboard is, or text in the source"), [find] {
            Pane* at = paneOfKeyboard();
            QLineEdit* field = at ? at->searchField() : nullptr;
            if (!field) return find()->open(false);
            field->setFocus();
            field->selectAll();
        });
    add(edit, QT_TR_NOOP("R&eplace in source…"), QKeySequence(Qt::CTRL | Qt::Key_H),
        tr("Find text in the source and replace it"), [source] { source()->open(true); });
    add(edit, QT_TR_NOOP("Find &next"), Qt::Key_F3, tr("Find the text again"),
        [goOn] { goOn(true); });
    add(edit, QT_TR_NOOP("Find pre&vious"), Qt::SHIFT | Qt::Key_F3, tr("Find the text before"),
        [goOn] { goOn(false); });
    add(edit, QT_TR_NOOP("Find a node in the &graph"), Qt::CTRL | Qt::SHIFT | Qt::Key_F,
        tr("Words, fields such as op:mm bytes>1M module:attn, and /expressions/"), [this] {
            auto* search = workspace_->reveal<GraphPane>()->search();
            search->setFocus();
            search->selectAll();
        });
    add(edit, QT_TR_NOOP("Next that “Go to” finds"), Qt::Key_F4,
        tr("From one of what “Go to…” found to the next, in all panes"), [this] { goToFound(1); });
    add(edit, QT_TR_NOOP("Previous that “Go to” finds"), Qt::SHIFT | Qt::Key_F4,
        tr("The one before"), [this] { goToFound(-1); });
    edit->addSeparator();
    back_ = add(
        edit, QT_TR_NOOP("Selection &back"), QKeySequence(Qt::ALT | Qt::Key_Left),
        tr("What was selected before"), [this] { selection_.goBack(); }, "back");
    forward_ = add(
        edit, QT_TR_NOOP("Selection for&ward"), QKeySequence(Qt::ALT | Qt::Key_Right),
        tr("What was selected after"), [this] { selection_.goForward(); }, "forward");
    add(edit, QT_TR_NOOP("&Clear selection"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A),
        tr("Put all lights out"), [this] { selection_.clear(); });
    edit->addSeparator();
    undoDecision_ =
        add(edit, QT_TR_NOOP("Undo &decision"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Z),
            tr("Take back what was decided last instead of the compiler"),
            [this] { session_.undoDecision(); });
    redoDecision_ =
        add(edit, QT_TR_NOOP("Redo dec&ision"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Y),
            tr("Decide so again"), [this] { session_.redoDecision(); });
    saveRecipe_ = add(edit, QT_TR_NOOP("Save decisions…"), {},
                      tr("All that is decided instead of the compiler, passes included, as a "
                         "recipe for other scripts and for “cutaway … --recipe”"),
                      [this] { saveRecipe(); });
    applyRecipe_ = add(edit, QT_TR_NOOP("Apply decisions…"), {}, tr("Decide as a recipe says"),
                       [this] { applyRecipe(); });
    copyCommand_ = add(edit, QT_TR_NOOP("Copy as a co&mmand"), {},
                       tr("What measures this file in a shell, as it is decided here"), [this] {
                           QGuiApplication::clipboard()->setText(benchCommand(
                               QFileInfo(session_.path()).absoluteFilePath(), session_.options()));
                       });
    edit->addSeparator();
    add(edit, QT_TR_NOOP("&Settings…"), QKeySequence(Qt::CTRL | Qt::Key_Comma),
        tr("Colours, type, and what happens at the start"), [this] { showSettings(); });
    showSelected();
    makeViewMenu();
    makeRunMenu();
    makeHelpMenu();
}

/// Edits and decisions are taken back in the order in which they were made.
void MainWindow::undoLast() {
    const bool edits = workspace_->pane<SourcePane>()->editor()->isUndoAvailable();
    if (!session_.isDecisionLast() && (edits || !session_.canUndoDecision()))
        return workspace_->reveal<SourcePane>()->editor()->undo(); // works on what can be seen
    const CompileOptions were = session_.options();
    session_.undoDecision();
    sayDecided(were, tr("A decision was taken back."));
}

void MainWindow::redoLast() {
    const bool edits = workspace_->pane<SourcePane>()->editor()->isRedoAvailable();
    if (!session_.isDecisionNext() && (edits || !session_.canRedoDecision()))
        return workspace_->reveal<SourcePane>()->editor()->redo();
    const CompileOptions were = session_.options();
    session_.redoDecision();
    sayDecided(were, tr("A decision was made again."));
}

void MainWindow::sayDecided(const CompileOptions& were, const QString& what) {
    const CompileOptions& are = session_.options();
    if (are.size != were.size) return say(tr("The size is “%1” again.").arg(are.size));
    if (are.device != were.device) return say(tr("The device is %1 again.").arg(are.device));
    const QString now = decisionsText(session_.options().decisions.join("; "));
    say(now.isEmpty() ? tr("%1 Nothing is decided now.").arg(what)
                      : tr("%1 Decided now: %2.").arg(what, now));
}

void MainWindow::makeFileMenu() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    add(file, QT_TR_NOOP("&New"), QKeySequence::New, tr("Start a new script"),
        [this] { newDocument(); });
    QAction* window =
        add(file, QT_TR_NOOP("New &window"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N),
            tr("A second document beside this one, with an engine of its own"),
            [this] { openWindow(); });
    window->setEnabled(!options_.windowCommand.isEmpty());
    window->setProperty("whyNot", tr("this program cannot be started anew"));
    add(
        file, QT_TR_NOOP("&Open…"), QKeySequence::Open, tr("Open a script or a record"),
        [this] { openDialog(); }, "open");
    add(file, QT_TR_NOOP("Attac&h…"), {},
        tr("Show what a running program compiles, as it happens: the record that "
           "“cutaway run --record” writes"),
        [this] { attach(); });
    add(file, QT_TR_NOOP("Open a trace…"), {},
        tr("What torch.profiler, Perfetto or “cutaway bench --trace” wrote, beside our own times"),
        [this] { workspace_->reveal<TimesPane>()->askTrace(); });
    ofDocument_.push_back(add(file, QT_TR_NOOP("Colour the graph by a file…"), {},
                              tr("Numbers of nodes from a CSV or JSON file as a heat map"),
                              [this] { workspace_->reveal<GraphPane>()->askNodeValues(); }));
    add(file, QT_TR_NOOP("Open a link…"), {}, tr("Open what a link to a node leads to"),
        [this] { openLinkDialog(); });
    recentMenu_ = file->addMenu(tr("Open &recent"));
    fillRecentMenu();
    draftsMenu_ = file->addMenu(tr("Unsaved &drafts"));
    connect(file, &QMenu::aboutToShow, this, &MainWindow::fillDraftsMenu);
    QMenu* gallery = file->addMenu(tr("Sa&mples"));
    QMenu* group = gallery; // of their own: one list would not fit a screen
    for (const Sample& sample : samplesIn(options_.samplesFolder)) {
        if (!sample.group.isEmpty() && group->title() != sample.group)
            group = gallery->addMenu(sample.group);
        add(group, {sample.title, sample.title}, {}, sample.teaches, [this, path = sample.path] {
            openFile(path);
        })->setProperty("sample", true);
    }
    gallery->setEnabled(!gallery->isEmpty());
    file->addSeparator();
    saveAction_ = add(
        file, QT_TR_NOOP("&Save"), QKeySequence::Save, tr("Save the script"), [this] { save(); },
        "save");
    ofDocument_.push_back(add(file, QT_TR_NOOP("Save &as…"), QKeySequence::SaveAs,
                              tr("Save the script under another name"), [this] { saveAs(); }));
    ofDocument_.push_back(
        add(file, QT_TR_NOOP("Save re&cord…"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S),
            tr("Save everything shown as a .cutaway file"), [this] { saveRecord(); }));
    ofDocument_.push_back(add(
        file, QT_TR_NOOP("Sa&ve workspace…"), {},
        tr("The script with its options, decisions, selection and panes as one small file, to go "
           "on "
           "from here or to send; Open… opens it"),
        [this] { saveWorkspace(); }));
    ofDocument_.push_back(add(file, QT_TR_NOOP("Export re&port…"), {},
                              tr("One HTML page with linked panes, for people without the program"),
                              [this] { exportReport(); }));
    ofDocument_.push_back(
        add(file, QT_TR_NOOP("Export &trace…"), {},
            tr("Stages, measured calls and kernels for Perfetto or chrome://tracing"),
            [this] { exportTrace(); }));
    QMenu* kernels = file->addMenu(tr("Export &kernels"));
    const QString built =
        tr("A folder with the kernels, a CMake file, and a program that runs them, "
           "checks their results and times them");
    exportCpp_ = add(kernels, QT_TR_NOOP("As &C++…"), {}, built, [this] { exportKernels(false); });
    exportCuda_ = add(kernels, QT_TR_NOOP("As C&UDA…"), {}, built, [this] { exportKernels(true); });
    QMenu* exports = file->addMenu(tr("&Export graph"));
    const QString kinds = tr("As SVG, PDF, PNG, DOT or GraphML");
    ofDocument_.push_back(add(exports, QT_TR_NOOP("&Whole graph…"),
                              QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), kinds,
                              [this] { askExport(ExportScope::Whole); }));
    ofDocument_.push_back(add(exports, QT_TR_NOOP("What is &shown…"), {}, kinds,
                              [this] { askExport(ExportScope::Shown); }));
    exportSelected_ = add(exports, QT_TR_NOOP("What is se&lected…"), {}, kinds,
                          [this] { askExport(ExportScope::Selected); });
    file->addSeparator();
    ofDocument_.push_back(add(file, QT_TR_NOOP("C&lose"), QKeySequence::Close,
                              tr("Close the document and go to the start page; edits are kept"),
                              [this] { closeDocument(); }));
    add(file, QT_TR_NOOP("&Quit"), QKeySequence::Quit, tr("Close the window; edits are kept"),
        [this] { close(); });
}

void MainWindow::fillDraftsMenu() {
    draftsMenu_->clear();
    for (const Draft& draft : session_.drafts().all()) {
        const QString name = draft.path.isEmpty() ? draft.title() : format::shortPath(draft.path);
        add(draftsMenu_,
            {name, tr("%1, %2").arg(name, QLocale().toString(draft.time, QLocale::ShortFormat))},
            {}, draft.text.section('\n', 0, 9), [this, draft] { openDraft(draft); });
    }
    draftsMenu_->setEnabled(!draftsMenu_->isEmpty());
}

void MainWindow::fillRecentMenu() {
    if (!recentMenu_) return;
    recentMenu_->clear();
    int number = 1;
    for (const QString& path : settings_.value("recent").toStringList()) {
        QKeySequence keys =
            number <= 9 ? QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_0 + number)) : QKeySequence();
        QAction* action = add(recentMenu_, {path, format::shortPath(path)}, keys,
                              tr("Open this file"), [this, path] { openFile(path); });
        action->setEnabled(QFileInfo::exists(path));
        action->setProperty("whyNot", tr("the file is gone"));
        ++number;
    }
    recentMenu_->setEnabled(!recentMenu_->isEmpty());
}

void MainWindow::makeViewMenu() {
    QMenu* view = menuBar()->addMenu(tr("&View"));
    add(
        view, QT_TR_NOOP("&Commands…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
        tr("Find and run any command"), [this] { showCommandPalette(); }, "palette");
    add(view, QT_TR_NOOP("&Go to…"), QKeySequence(Qt::CTRL | Qt::Key_P),
        tr("Find any node, buffer, kernel or line"), [this] { showItemPalette(); });
    view->addSeparator();
    QMenu* panes = view->addMenu(tr("&Panes"));
    for (const PaneRow& row : paneList())
        add(panes,
            {QString("Show %1").arg(row.title),
             tr("Show %1").arg(QCoreApplication::translate("Panes", row.title))},
            QKeySequence(QLatin1String(row.key)), QCoreApplication::translate("Panes", row.about),
            [this, id = QString(row.id)] { workspace_->reveal(id); });
    QMenu* open = panes->addMenu(tr("&Open")); // of its own: one list would not fit a screen
    for (QDockWidget* dock : workspace_->docks())
        open->addAction(dock->toggleViewAction());
    QAction* lock = add(view, QT_TR_NOOP("&Lock panes"), {},
                        tr("Locked panes cannot be moved or closed by accident"), [this] {
                            settings_.setValue("lockPanes", !workspace_->isLocked());
                            applySetting("lockPanes");
                        });
    connect(workspace_, &Workspace::lockedPaneDragged, this, [this] {
        say(tr("Panes are locked where they are: View, Lock panes lets them be moved."));
    });
    lock->setCheckable(true);
    lock->setChecked(settings_.value("lockPanes", true).toBool());
    workspace_->setLocked(lock->isChecked());
    connect(view, &QMenu::aboutToShow, lock,
            [this, lock] { lock->setChecked(workspace_->isLocked()); });
    makeLayoutMenu(view);
    add(view, QT_TR_NOOP("&Restore default layout"), {}, tr("Put every pane where it was at first"),
        [this] {
            workspace_->restoreDefaultLayout();
            focusLater();
        });
    view->addSeparator();
    auto graph = [this] { return workspace_->reveal<GraphPane>(); };
    add(view, QT_TR_NOOP("&Fit graph"), QKeySequence(Qt::CTRL | Qt::Key_0),
        tr("Show the whole graph"), [graph] { graph()->canvas()->fit(); });
    QMenu* stages = view->addMenu(tr("Stage of the grap&h"));
    for (const char* stage : {"captured", "joint", "forward", "backward"})
        add(stages, {QString("Graph: %1").arg(stage), tr("Graph: %1").arg(stage)}, {},
            tr("Show this stage in the graph pane"), [graph, stage] { graph()->setStage(stage); });
    present_ =
        add(view, {"Pr&esentation", tr("Pr&esentation (Esc leaves it)")}, QKeySequence(Qt::Key_F11),
            tr("Large type, and nothing but the panes; Esc leaves it"),
            [this] { setPresenting(!presenting_); });
    present_->setCheckable(true);
    spotlight_ = add(view, QT_TR_NOOP("Spotlight"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_L),
                     tr("Darken all but what lies around the pointer, in a presentation"), [] {});
    spotlight_->setCheckable(true);
    connect(spotlight_, &QAction::toggled, this, [this](bool on) { pointer_->setSpotlight(on); });
    spotlight_->setEnabled(false);
    spotlight_->setProperty("whyNot", tr("nothing is presented: F11 begins it"));
    add(view, QT_TR_NOOP("Speaker notes"), {},
        tr("What to say at each step of a tour, in a window of its own"),
        [this] { showSpeakerNotes(); });
    QMenu* type = view->addMenu(tr("Si&ze of the type"));
    QAction* larger = add(type, QT_TR_NOOP("L&arger type"), QKeySequence(Qt::CTRL | Qt::Key_Equal),
                          tr("Everything larger"), [this] { setFontSize(points_ + 1); });
    // Where plus is another key, or the same with Shift.
    if (larger->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_Equal))
        larger->setShortcuts({larger->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_Plus)});
    add(type, QT_TR_NOOP("S&maller type"), QKeySequence(Qt::CTRL | Qt::Key_Minus),
        tr("Everything smaller"), [this] { setFontSize(points_ - 1); });
    view->addSeparator();
    QMenu* themes = view->addMenu(tr("&Theme"));
    auto* group = new QActionGroup(this);
    auto addTheme = [&](const QString& id, const CommandName& title) {
        QAction* action =
            add(themes, title, {}, tr("Use these colours"), [this, id] { setThemeChoice(id); });
        action->setCheckable(true);
        group->addAction(action);
        connect(themes, &QMenu::aboutToShow, action,
                [this, action, id] { action->setChecked(themeChoice_ == id); });
    };
    addTheme("system", {"As the &system", tr("As the &system")});
    for (const ThemeRow& row : themeRows())
        addTheme(row.id, {row.title, QCoreApplication::translate("Theme", row.title)});
    add(
        view, QT_TR_NOOP("S&witch light and dark"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_T),
        tr("Dark where it is light, and light where it is dark; contrast and colours for colour "
           "blindness stay"),
        [this] { setThemeChoice(otherTheme(themeChoice_, systemDark_)); }, "theme");
    makeLanguageMenu(view);
}

/// Whoever does not read the language that is spoken finds the others by their own words and in English.
void MainWindow::makeLanguageMenu(QMenu* view) {
    QMenu* menu = view->addMenu(tr("Language (语言)"));
    auto* group = new QActionGroup(this);
    auto addLanguage = [&](const QString& id, const CommandName& name) {
        QAction* action =
            add(menu, name, {}, tr("Of the window, when it is opened anew"), [this, id] {
                settings_.setValue("language", id);
                applySetting("language");
            });
        action->setCheckable(true);
        group->addAction(action);
        connect(menu, &QMenu::aboutToShow, action, [this, action, id] {
            action->setChecked(settings_.value("language", "system").toString() == id);
        });
    };
    addLanguage("system", {QString("Language: %1").arg("system"), tr("As the &system")});
    for (const QString& id : languages())
        addLanguage(id, {QString("Language: %1").arg(languageInEnglish(id)), languageName(id)});
}

void MainWindow::makeRunMenu() {
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    measure_ = add(
        run, QT_TR_NOOP("&Measure"), QKeySequence(Qt::Key_F5), tr("Measure eager against compiled"),
        [this] { measure(); }, "run");
    compareValues_ = add(run, QT_TR_NOOP("Compare &values"), QKeySequence(Qt::Key_F6),
                         tr("Every value beside eager mode and double precision"),
                         [this] { workspace_->reveal<NumbersPane>()->compare(); });
    add(run, QT_TR_NOOP("&Compile again"), QKeySequence(Qt::Key_F7), tr("Compile the script now"),
        [this] { session_.compileAgain(); });
    cancel_ = add(
        run, QT_TR_NOOP("C&ancel"), QKeySequence(Qt::CTRL | Qt::Key_Period),
        tr("Give up what the engine is doing"), [this] { session_.cancel(); }, "stop");
    cancel_->setEnabled(false);
    run->addSeparator();
    auto passes = [this] { return workspace_->reveal<PassesPane>(); };
    add(run, QT_TR_NOOP("&Next pass with changes"), {},
        tr("Step through the passes (] in the pane)"), [passes] { passes()->step(1); });
    add(run, QT_TR_NOOP("&Previous pass with changes"), {}, tr("Step back through the passes"),
        [passes] { passes()->step(-1); });
    run->addSeparator();
    add(
        run, QT_TR_NOOP("Start the &engine again"), {}, tr("End the engine and start a fresh one"),
        [this] { engine_.restart(); }, "restart");
}

void MainWindow::makeHelpMenu() {
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    add(help, QT_TR_NOOP("&Tours…"), {}, tr("Be led through the window, step by step"),
        [this] { chooseTour(); });
    add(help, QT_TR_NOOP("&Open a tour…"), {}, tr("Play a tour that somebody has made"),
        [this] { openTour(); });
    add(help, QT_TR_NOOP("&Make a tour…"), {}, tr("Make steps of what the window shows"),
        [this] { makeTour(); });
    add(help, QT_TR_NOOP("Teac&h…"), {},
        tr("What this window shows goes to a file; windows that follow it, on other machines too, "
           "show the same"),
        [this] { teach(); });
    add(help, QT_TR_NOOP("&Follow a lesson…"), {},
        tr("Show what a teacher’s window shows, as it goes on"), [this] { followLesson(); });
    add(help, QT_TR_NOOP("&Glossary…"), {}, tr("The words of the window, explained"),
        [this] { showGlossary(); });
    add(help, QT_TR_NOOP("&What is this?"), QKeySequence::WhatsThis,
        tr("Then click anything: it says what it is"), [] { QWhatsThis::enterWhatsThisMode(); });
    add(help, QT_TR_NOOP("Commands and &keys…"), QKeySequence(Qt::Key_F1),
        tr("All commands with their keys, which can be changed here"), [this] { showShortcuts(); });
    // The same on a question mark, where nobody types.
    auto* sheet = new QShortcut(QKeySequence("?"), this);
    connect(sheet, &QShortcut::activated, this, [this] { showShortcuts(); });
    add(help, QT_TR_NOOP("&About Cutaway"), {}, tr("Version and licences"),
        [this] { showAbout(); });
}

void MainWindow::makeToolBar() {
    auto* bar = addToolBar(tr("Tools"));
    bar->setObjectName("toolBar");
    bar->setMovable(false);
    bar->setIconSize(QSize(kToolIcon, kToolIcon));
    auto action = [this](const char* icon) {
        for (auto& [candidate, name] : icons_)
            if (name == icon) return candidate;
        return static_cast<QAction*>(nullptr);
    };
    for (const char* icon : {"open", "save"})
        bar->addAction(action(icon));
    bar->addSeparator();
    for (const char* icon : {"back", "forward"})
        bar->addAction(action(icon));
    bar->addSeparator();
    auto labelled = [&](const QString& text, QComboBox* box, const QString& tip) {
        auto* holder = new QWidget;
        auto* row = new QHBoxLayout(holder);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(5);
        row->addWidget(new QLabel(text));
        row->addWidget(box);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setToolTip(tip);
        box->setAccessibleName(text);
        return bar->addWidget(holder);
    };
    function_ = new ChoiceBox;
    size_ = new ChoiceBox;
    device_ = new ChoiceBox;
    functionAction_ =
        labelled(tr("Function"), function_, tr("Compiled function that the panes show"));
    sizeAction_ = labelled(tr(" Size"), size_, tr("Size of the example inputs"));
    labelled(tr(" Device"), device_, tr("Device to compile for"));
    connect(function_, &QComboBox::activated, this, [this](int index) {
        QPoint at = function_->itemData(index).toPoint();
        session_.setFocus(at.x(), at.y());
    });
    connect(size_, &QComboBox::activated, this, [this] {
        CompileOptions options = session_.options();
        options.size = size_->currentText();
        session_.change(options);
    });
    connect(device_, &QComboBox::activated, this, [this] {
        CompileOptions options = session_.options();
        options.device = device_->currentText();
        session_.change(options);
    });
    auto* gap = new QWidget;
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(gap);
    // Words where the icon alone would not say it.
    const std::pair<const char*, QString> tools[] = {
        {"run", tr("Measure")}, {"stop", {}}, {"palette", tr("Commands")}, {"theme", tr("Theme")}};
    for (const auto& [icon, word] : tools) {
        QAction* tool = action(icon);
        bar->addAction(tool);
        if (word.isEmpty()) continue;
        tool->setIconText(word);
        if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(tool)))
            button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
    addToolBarBreak();
    stages_ = new StageBar;
    addToolBar(stages_);
    connect(stages_, &StageBar::stageChosen, workspace_, &Workspace::revealStage);
}

/// What no menu has: the tabs inside of panes, and the choices of the tool bar.
void MainWindow::addChoices(std::vector<PaletteEntry>* entries) {
    if (!session_.hasDocument()) return;
    for (const PaneRow& row : paneList()) {
        const QString title = QCoreApplication::translate("Panes", row.title);
        auto* pane = workspace_->findChild<Pane*>(row.id);
        for (QTabWidget* tabs : pane->findChildren<QTabWidget*>())
            for (int i = 0; i < tabs->count(); ++i)
                entries->push_back({title + " › " + tabs->tabText(i),
                                    {},
                                    tabs->isTabEnabled(i),
                                    [this, tabs, i, id = QString(row.id)] {
                                        workspace_->reveal(id);
                                        tabs->setCurrentIndex(i);
                                    },
                                    tabs->tabToolTip(i)});
    }
    for (QComboBox* box : {function_, size_, device_})
        for (int i = 0; i < box->count() && box->isVisible() && box->isEnabled(); ++i)
            entries->push_back({box->accessibleName().trimmed() + " › " + box->itemText(i),
                                i == box->currentIndex() ? tr("chosen") : QString(), true,
                                [box, i] {
                                    box->setCurrentIndex(i);
                                    emit box->activated(i);
                                },
                                box->toolTip()});
}

void MainWindow::showCommandPalette() {
    std::vector<PaletteEntry> entries, samples;
    auto visit = [&](auto& self, QMenu* menu, const QString& path) -> void {
        for (QAction* action : menu->actions()) {
            if (action->isSeparator()) continue;
            QString text = format::withoutMnemonic(action->text());
            if (action->menu()) {
                self(self, action->menu(), path + text.remove(QChar(0x2026)) + " › ");
                continue;
            }
            QString detail = action->shortcut().toString(QKeySequence::NativeText);
            if (!action->isEnabled()) {
                detail = action->property("whyNot").toString();
                if (detail.isEmpty()) detail = tr("not possible now");
            }
            (action->property("sample").toBool() ? samples : entries)
                .push_back({path + text, detail, action->isEnabled(),
                            [action] { action->trigger(); },
                            action->toolTip() + " " + action->property("command").toString()});
        }
    };
    for (QAction* top : menuBar()->actions())
        visit(visit, top->menu(), format::withoutMnemonic(top->text()) + " › ");
    addChoices(&entries);
    entries.insert(entries.end(), samples.begin(), samples.end()); // not before all commands
    (new CommandPalette(tr("Type a command"), std::move(entries), this))->show();
}

} // namespace cutaway::views
