// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/main_window.h"

#include "core/base/file_system.h"
#include "core/record/json.h"
#include "views/bridge/document_file.h"
#include "views/language/sentences.h"
#include "views/models/item_facts.h"
#include "views/models/workspace_file.h"
#include "views/panes/code/code_pane.h"
#include "views/panes/compare/compare_pane.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/messages/messages_pane.h"
#include "views/panes/run/run_pane.h"
#include "views/panes/source/source_pane.h"
#include "views/panes/times/times_pane.h"
#include "views/panes/tour/tour_pane.h"
#include "views/widgets/banner.h"
#include "views/widgets/code_font.h"
#include "views/widgets/compare_dialog.h"
#include "views/widgets/pane_bar.h"
#include "views/widgets/restyle.h"
#include "views/widgets/save_name.h"
#include "views/widgets/stage_bar.h"
#include "views/widgets/start_page.h"
#include "views/workspace.h"

#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QProgressBar>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

namespace cutaway::views {

namespace {
constexpr int kProgressDelayMs = 300, kClockMs = 500, kLooksDelayMs = 30;
constexpr int kFitDelayMs = 50;
constexpr int kStoreDelayMs = 800; ///< after the last change
constexpr int kSaidMs = 8000;
constexpr int kMaxRecent = 12;
constexpr const char* kFileFilter = QT_TRANSLATE_NOOP(
    "cutaway::views::MainWindow", "Scripts, models, records and workspaces (*.py *.pt2 *.onnx "
                                  "*.cutaway *.cutaway-workspace);;"
                                  "All files (*)");
} // namespace

/// What the engine says of its work but for names of stages and kernels.
constexpr const char* kWork[] = {
    QT_TRANSLATE_NOOP("cutaway::views::MainWindow", "capturing"),
    QT_TRANSLATE_NOOP("cutaway::views::MainWindow", "compiling and running once"),
    QT_TRANSLATE_NOOP("cutaway::views::MainWindow", "recording"),
    QT_TRANSLATE_NOOP("cutaway::views::MainWindow", "comparing values"),
    QT_TRANSLATE_NOOP("cutaway::views::MainWindow", "comparing with double precision")};

static QString sentence(const QString& text) {
    return text.left(1).toUpper() + text.mid(1) + ".";
}

MainWindow::MainWindow(const Options& options)
    : options_(options), settings_(options.settingsFile, QSettings::IniFormat),
      engine_(engineCommand()),
      session_(&engine_, DraftStore(QFileInfo(options.settingsFile).absolutePath() + "/drafts")),
      pages_(new QStackedWidget), desk_(new QScrollArea),
      lesson_([this] { return workspaceNow(); }), start_(new StartPage), banner_(new Banner) {
    systemDark_ = QApplication::palette().color(QPalette::Window).lightness() < 128;
    workspace_ = new Workspace({&session_, &selection_}, this);
    auto* central = new QWidget;
    auto* column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(pages_, 1);
    column->addWidget(banner_); // below: nothing above moves under the mouse when it comes or goes
    pages_->addWidget(start_);
    pages_->addWidget(desk_);
    desk_->setObjectName("desk");
    desk_->setFrameShape(QFrame::NoFrame);
    desk_->setWidgetResizable(true);
    desk_->setFocusPolicy(Qt::NoFocus);
    desk_->setWidget(workspace_);
    connect(workspace_, &Workspace::revealed, this, &MainWindow::scrollTo);
    setCentralWidget(central);
    layout()->setSizeConstraint(QLayout::SetNoConstraint); // see fitLeast_
    setAcceptDrops(true);
    resize(1280, 800);
    static const double systemPoints = QApplication::font().pointSizeF();
    usualSystemPoints_ = systemPoints;
    usualPoints_ = settings_.value("fontSize", systemPoints).toDouble();
    makeMenus();
    makeToolBar();
    makeStatusBar();
    makePresentKeys();
    setUp();
    setCodeFamily(settings_.value("codeFamily").toString());
    setFontSize(usualPoints_);
    setThemeChoice(options.theme.isEmpty() ? settings_.value("theme", "system").toString()
                                           : options.theme);
    applyLooks();
    applySetting("lessMotion");
    qApp->installEventFilter(this); // What's This
    restoreLayout();
    showDocument();
    showFunctions();
    engine_.start();
}

MainWindow::~MainWindow() = default;

void MainWindow::setUp() {
    connectSession();
    connectPanes();
    setUpLesson();
    looks_.setSingleShot(true);
    looks_.setInterval(kLooksDelayMs);
    connect(&looks_, &QTimer::timeout, this, &MainWindow::applyLooks);
    progressDelay_.setSingleShot(true);
    progressDelay_.setInterval(kProgressDelayMs);
    connect(&progressDelay_, &QTimer::timeout, this, [this] {
        if (!session_.isBusy()) return;
        progress_->show();
        cancelButton_->show();
        clock_.start();
        showTimes();
    });
    placed_.setSingleShot(true);
    connect(&placed_, &QTimer::timeout, this, &MainWindow::placeAll);
    fitLeast_.setSingleShot(true);
    fitLeast_.setInterval(kFitDelayMs);
    connect(&fitLeast_, &QTimer::timeout, this,
            [this] { setMinimumSize(layout()->totalMinimumSize()); });
    telling_.setSingleShot(true);
    telling_.setInterval(0);
    connect(&telling_, &QTimer::timeout, this, [this] {
        showFunctions();
        showTimes();
    });
    storing_.setSingleShot(true);
    storing_.setInterval(kStoreDelayMs);
    connect(&storing_, &QTimer::timeout, this, &MainWindow::storeLayout);
    connect(&selection_, &SelectionState::changed, this, &MainWindow::storeSoon);
    connect(&session_, &Session::focusChanged, this, &MainWindow::storeSoon);
    for (const QTabBar* tabs : workspace_->findChildren<QTabBar*>())
        connect(tabs, &QTabBar::currentChanged, this, &MainWindow::storeSoon);
    clock_.setInterval(kClockMs);
    connect(&clock_, &QTimer::timeout, this, &MainWindow::showTimes);
}

void MainWindow::connectSession() {
    connect(&session_, &Session::recordChanged, this, [this] {
        selection_.setRecord(session_.record());
        telling_.start();
    });
    connect(&session_, &Session::focusChanged, &telling_, qOverload<>(&QTimer::start));
    connect(&session_, &Session::documentChanged, this, [this] {
        showDocument();
        if (const auto done = std::exchange(whenOpened_, {})) done();
    });
    connect(&session_, &Session::openFailed, this, [this](const QString& problem) {
        whenOpened_ = {};
        notify(About::Opening,
               problem.isEmpty() ? QString() : tr("Could not open %1").arg(problem));
    });
    connect(&session_, &Session::textReplaced, this, [this](bool other) {
        if (other) selection_.forget();
    });
    connect(&session_, &Session::modifiedChanged, this,
            [this] { setWindowModified(session_.isModified()); });
    connect(&session_, &Session::optionsChanged, this, &MainWindow::showOptions);
    connect(&session_, &Session::runsChanged, this, [this] {
        // The pane that tells it may be out of sight.
        if (!session_.runProblem().isEmpty())
            say(tr("Not measured: %1").arg(session_.runProblem()));
    });
    connect(&session_, &Session::diskChanged, this, [this] {
        if (session_.diskState() == Session::DiskState::Same) saveRefused_ = false;
        showBanner();
    });
    connect(&session_, &Session::statusChanged, this, &MainWindow::showStatus);
    connect(&session_, &Session::diagnosticsChanged, this, &MainWindow::showBanner);
    connect(&session_, &Session::progress, this, [this](const QString& stage, double fraction) {
        progress_->setRange(0, fraction > 0 ? 1000 : 0);
        progress_->setValue(static_cast<int>(fraction * 1000));
        const auto* known = std::ranges::find(kWork, stage);
        const QString work = known == std::end(kWork) ? stage : tr(*known);
        state_->setText(work.left(1).toUpper() + work.mid(1) + "…");
        showStages();
    });
    connect(&engine_, &EngineClient::stateChanged, this, [this] {
        if (engine_.state() == EngineClient::State::Ready)
            notify(About::Plugins, engine_.info().pluginProblems.isEmpty()
                                       ? QString()
                                       : sentence(engine_.info().pluginProblems.join("; ")));
        showBanner();
        showOptions();
        showStatus();
    });
    connect(&selection_, &SelectionState::changed, this, [this] {
        showSelected();
        const auto& items = selection_.items();
        QString text;
        if (!items.empty()) text = session_.record()->label(items.front());
        if (items.size() > 1) text += tr(" and %1 more").arg(items.size() - 1);
        selectionText_->setText(text);
        // A selection in another function brings that function up.
        if (items.empty()) return;
        const Place& place = session_.record()->place(items.front());
        if (place.function >= 0) session_.setFocus(place.function, place.entry);
    });
    connect(&engine_, &EngineClient::stateChanged, this, &MainWindow::startAgain,
            Qt::QueuedConnection);
    connect(&session_, &Session::recordChanged, this, [this] { startedAgain_ = false; });
    connect(&session_, &Session::draftProblemChanged, this, [this] {
        const QString problem = session_.draftProblem();
        notify(About::Draft, problem.isEmpty() ? QString() : sentence(problem));
    });
    // A banner tells of decisions until others are made.
    connect(&session_, &Session::optionsChanged, this, [this] {
        if (std::exchange(toldDecisions_, session_.decisionsRestored()) && !toldDecisions_)
            showBanner();
    });
}

void MainWindow::connectPanes() {
    connect(start_, &StartPage::openRequested, this, &MainWindow::openDialog);
    connect(start_, &StartPage::newRequested, this, &MainWindow::newDocument);
    connect(start_, &StartPage::fileChosen, this, &MainWindow::openFile);
    connect(start_, &StartPage::draftChosen, this,
            [this](const Draft& draft) { openDraft(draft); });
    connect(start_, &StartPage::tourChosen, this, &MainWindow::beginTour);
    auto* messages = workspace_->pane<MessagesPane>();
    auto* source = workspace_->pane<SourcePane>();
    connect(messages, &MessagesPane::placeChosen, source, &SourcePane::goTo);
    for (Pane* pane : workspace_->findChildren<Pane*>())
        connect(pane, &Pane::revealRequested, this,
                [this, pane](const QString& id, const QString& stage) {
                    if (!stage.isEmpty()) setGraphStage(stage);
                    // A tour's words are read beside what they are about, at one place from its
                    // first step to its last.
                    if (const auto* tour = qobject_cast<TourPane*>(pane)) {
                        QStringList panes;
                        for (const TourStep& step : tour->tour().steps)
                            panes << step.pane;
                        workspace_->keepInSight(pane->objectName(), panes);
                    }
                    workspace_->reveal(id);
                });
    connect(workspace_->pane<TourPane>(), &TourPane::ended, this,
            [this] { workspace_->letBack(workspace_->pane<TourPane>()->objectName()); });
    connect(workspace_->pane<TourPane>(), &TourPane::sampleRequested, this,
            [this](const QString& name) {
                if (options_.samplesFolder.isEmpty())
                    return notify(
                        About::Tour,
                        tr("No samples are installed, and the tour is about one: %1.").arg(name));
                openFile(options_.samplesFolder + "/" + name);
            });
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        for (QWidget* at = now; at && at != workspace_; at = at->parentWidget())
            if (auto* pane = qobject_cast<Pane*>(at);
                pane && workspace_->isAncestorOf(pane) && pane->objectName() != "tour")
                paneInUse_ = pane->objectName();
    });
}

void MainWindow::makeStatusBar() {
    state_ = new QLabel;
    times_ = new QLabel;
    times_->setObjectName("times");
    selectionText_ = new QLabel;
    said_ = new QLabel;
    said_->setObjectName("said");
    said_->hide();
    saying_.setSingleShot(true);
    saying_.setInterval(kSaidMs);
    connect(&saying_, &QTimer::timeout, this, [this] { say({}); });
    progress_ = new QProgressBar;
    progress_->setFixedWidth(120);
    progress_->setTextVisible(false);
    progress_->hide();
    cancelButton_ = new QToolButton;
    cancelButton_->setDefaultAction(cancel_);
    cancelButton_->hide();
    decisions_ = new QToolButton;
    decisions_->setObjectName("decisionsInForce");
    decisions_->hide();
    connect(decisions_, &QToolButton::clicked, this, [this] { workspace_->reveal("whatif"); });
    statusBar()->addWidget(state_);
    statusBar()->addWidget(decisions_);
    lessonButton_ = new QToolButton;
    lessonButton_->setObjectName("lesson");
    lessonButton_->hide();
    statusBar()->addWidget(lessonButton_);
    statusBar()->addWidget(progress_);
    statusBar()->addWidget(cancelButton_);
    statusBar()->addWidget(said_, 1);
    statusBar()->addWidget(times_, 1);
    statusBar()->addPermanentWidget(selectionText_);
    statusBar()->setSizeGripEnabled(false);
}

const Theme& MainWindow::chosenTheme() const {
    return themeCalled(themeChoice_, systemDark_);
}

void MainWindow::setThemeChoice(const QString& choice) {
    themeChoice_ = choice;
    if (options_.theme.isEmpty()) settings_.setValue("theme", choice);
    looks_.start();
}

void MainWindow::applyTheme() {
    const Theme& theme = chosenTheme();
    const QString sheet = theme.styleSheet();
    if (appliedSheet_.isEmpty()) { // of a new window: its sizes, too
        qApp->setStyleSheet({});
        QApplication::setPalette(theme.palette());
        qApp->setStyleSheet(sheet);
    } else if (sheet != qApp->styleSheet()) {
        Restyle::apply(sheet, theme.palette());
    }
    if (std::exchange(appliedSheet_, sheet) != sheet)
        for (auto& [action, name] : icons_)
            action->setIcon(theme.icon(name));
    workspace_->applyTheme(theme);
    stages_->setTheme(theme);
    start_->setTheme(theme);
    // Qt's buttons for what does not fit have an icon of their own, dark on dark, and no name.
    for (const char* name : {"qt_toolbar_ext_button", "qt_menubar_ext_button"})
        for (auto* more : findChildren<QToolButton*>(name)) {
            more->setIcon(theme.icon("forward"));
            more->setToolTip(tr("What has no room here"));
            more->setAccessibleName(more->toolTip());
        }
    showStatus();
}

bool MainWindow::openFile(const QString& path) {
    if (const auto kept = WorkspaceFile::read(path)) {
        if (*kept) return openWorkspace(**kept);
        notify(About::Opening, tr("Could not open %1")
                                   .arg(QFileInfo(path).fileName() + ": " +
                                        QString::fromStdString(kept->error().message)));
        return false;
    }
    if (session_.hasDocument() && DocumentFile::isTrace(path)) {
        workspace_->reveal<TimesPane>()->openTrace(path);
        return true;
    }
    std::vector<Banner::Choice> instead;
    if (session_.hasDocument() && DocumentFile::isGraph(path))
        instead.push_back({tr("Add it to Compare"), [this, path] {
                               notify(About::Opening, {});
                               workspace_->reveal<ComparePane>()->addRecord(path);
                           }});
    const bool opened = replaceDocument(
        [&](QString* error) { return session_.openFile(path, error); }, std::move(instead));
    if (opened) workspace_->pane<SourcePane>()->setFocus();
    return opened;
}

bool MainWindow::replaceDocument(const std::function<bool(QString*)>& open,
                                 std::vector<Banner::Choice> otherwise) {
    const bool modified = session_.hasDocument() && session_.isModified();
    const QString key = session_.key();
    const QString name =
        session_.path().isEmpty() ? tr("untitled.py") : QFileInfo(session_.path()).fileName();
    QString error;
    whenOpened_ = {};
    const bool opened = open(&error);
    notify(About::Opening, opened ? QString() : tr("Could not open %1").arg(error),
           std::move(otherwise));
    if (!opened) return false;
    auto done = [this, modified, key, name] {
        // They were about what was open; questions about what was left before stay until it comes
        // back, and what is told of a lesson as long as that is so.
        std::erase_if(notices_, [this](const Notice& notice) {
            return notice.about != About::Lesson &&
                   (notice.about != About::Left || notice.document == session_.key());
        });
        showBanner();
        if (modified && key != session_.key()) tellOfDraft(key, name);
    };
    if (session_.isOpening())
        whenOpened_ = std::move(done);
    else
        done();
    return true;
}

/// Of edits that were left behind with their document.
void MainWindow::tellOfDraft(const QString& key, const QString& name) {
    for (const Draft& draft : session_.drafts().all()) {
        if (draft.key != key) continue;
        notify(About::Left, tr("Unsaved edits of “%1” are kept as a draft.").arg(name),
               {{tr("Go back to them"), [this, draft] { openDraft(draft); }},
                {tr("Discard them"),
                 [this, draft] {
                     session_.discard(draft);
                     notify(About::Left, {}, {}, {}, draft.key);
                     if (!session_.hasDocument()) showDocument(); // the start page names drafts
                 }}},
               Tone::Normal, key);
        break;
    }
}

void MainWindow::openDialog() {
    QString folder = QFileInfo(settings_.value("recent").toStringList().value(0)).absolutePath();
    QFileDialog dialog(this, tr("Open"), folder, tr(kFileFilter));
    // Anything may be typed: what it is that does not open is said better here than by a grey
    // button.
    dialog.setFileMode(QFileDialog::AnyFile);
    const int letter = dialog.fontMetrics().averageCharWidth();
    dialog.resize(120 * letter, 60 * letter);                  // names, kinds and dates whole
    if (auto* list = dialog.findChild<QTreeView*>("treeView")) // of the dialog that Qt draws
        list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    if (dialog.exec() != QDialog::Accepted) return;
    if (const QString path = dialog.selectedFiles().value(0); !path.isEmpty()) openFile(path);
}

/// An engine that is gone comes back by itself, but not again before it made something.
void MainWindow::startAgain() {
    if (engine_.state() != EngineClient::State::Crashed) return;
    if (startedAgain_) return notify(About::Engine, {}); // it does not come back by itself
    startedAgain_ = true;
    const QString happened = engine_.problem().section('\n', 0, 0);
    const bool ended = engine_.endedFor();
    engine_.start();
    notify(About::Engine,
           ended ? tr("The work did not stop when it was given up, so the engine was ended and "
                      "started again.")
                 : sentence(happened) + tr(" It was started again.") +
                       (session_.wasInterrupted()
                            ? tr(" What it fell over is not compiled by itself: F7 tries again.")
                            : QString()));
}

void MainWindow::openDraft(const Draft& draft) {
    if (!keepEdits()) return;
    replaceDocument([&](QString*) {
        session_.openDraft(draft);
        return true;
    });
}

/// \returns false, having said so, when the unsaved edits would be lost.
bool MainWindow::keepEdits() {
    QString error;
    if (session_.keepEdits(&error)) return true;
    notify(About::Saving, sentence(error), {{tr("Save as…"), [this] { saveAs(); }}});
    return false;
}

void MainWindow::closeDocument() {
    replaceDocument([this](QString* error) { return session_.closeDocument(error); });
}

void MainWindow::openWindow() {
    const QStringList& command = options_.windowCommand;
    const bool started =
        !command.isEmpty() && QProcess::startDetached(command.first(), command.mid(1));
    notify(About::Opening,
           started ? QString() : tr("Could not start another window: %1").arg(command.join(' ')));
}

void MainWindow::newDocument() {
    if (!keepEdits()) return;
    const bool opened = replaceDocument([this](QString*) {
        session_.newDocument(
            QStringLiteral("import torch\n\n\ndef model(x):\n    return torch.relu(x + 1)"
                           "\n\n\ndef example_inputs(size):\n    return "
                           "(torch.randn(8, 16),)\n"));
        return true;
    });
    if (opened) workspace_->pane<SourcePane>()->setFocus(); // to be written in
}

void MainWindow::save() {
    // A sample is everybody's: changes to it are a file of one's own.
    if (session_.path().isEmpty() || isSample(session_.path())) return saveAs();
    QString error;
    constexpr auto kWrites = QFile::WriteOwner | QFile::WriteGroup | QFile::WriteOther;
    const bool marked =
        QFile::exists(session_.path()) && !(QFile::permissions(session_.path()) & kWrites);
    if (session_.save(&error))
        return notify(About::Saving,
                      marked ? tr("“%1” is marked as read-only; it was written nevertheless.")
                                   .arg(QFileInfo(session_.path()).fileName())
                             : QString(),
                      {}, Tone::Normal);
    saveRefused_ = session_.diskState() == Session::DiskState::Changed;
    if (saveRefused_) return showBanner();
    notify(About::Saving, tr("Not saved: %1").arg(error), {{tr("Save as…"), [this] { saveAs(); }}});
}

void MainWindow::overwrite() {
    session_.keepMine();
    save();
}

bool MainWindow::isSample(const QString& path) const {
    const QString folder = QDir(options_.samplesFolder).canonicalPath();
    const QString file = QFileInfo(path).canonicalFilePath();
    return !options_.samplesFolder.isEmpty() && !folder.isEmpty() && file.startsWith(folder + "/");
}

void MainWindow::saveAs() {
    QString proposal = session_.path().isEmpty() ? tr("untitled.py") : session_.path();
    if (isSample(session_.path()))
        proposal = QDir::home().filePath(QFileInfo(session_.path()).fileName());
    if (session_.isModel())
        proposal = QFileInfo(session_.path())
                       .dir()
                       .filePath(QFileInfo(session_.path()).completeBaseName() + ".py");
    const QString path = askSaveName(
        this,
        isSample(session_.path()) ? tr("Save the sample as a file of your own") : tr("Save as"),
        proposal, tr("Scripts (*.py);;All files (*)"), "py");
    QString error;
    if (path.isEmpty()) return;
    notify(About::Saving,
           session_.saveAs(path, &error) ? QString() : tr("Not saved: %1").arg(error));
}

void MainWindow::saveRecord() {
    const QFileInfo script(session_.path());
    const QString name = session_.path().isEmpty() ? tr("untitled") : script.completeBaseName();
    if (session_.record()->isEmpty())
        return notify(About::Export, tr("There is no record to save yet."));
    const QString title = session_.isCurrent() || session_.isReadOnly()
                              ? tr("Save record")
                              : tr("Save the last good result, of %1: not the text on the screen")
                                    .arg(session_.recordTime().toString("HH:mm:ss"));
    const QString path = askSaveName(this, title, script.absolutePath() + "/" + name,
                                     tr("Records (*.cutaway)"), "cutaway");
    if (path.isEmpty()) return;
    session_.writeRecord(
        [path](const record::Record& record) {
            return record::save(record, QFile::encodeName(path).toStdString());
        },
        [this, path](const base::Status& status) {
            if (!status)
                return notify(About::Export,
                              tr("Could not save the record: %1").arg(told(status.error())));
            notify(About::Export, {});
            say(tr("Saved %1").arg(QFileInfo(path).fileName()));
        });
}

void MainWindow::compareWithDisk() {
    session_.lookAtDisk();
    const QString name = QFileInfo(session_.path()).fileName();
    const QString onDisk = session_.diskText().value_or(session_.savedText());
    auto* dialog = new CompareDialog(name, onDisk, session_.text(), chosenTheme(), this);
    dialog->addChoice(tr("Take the file"), [this] { session_.reloadFromDisk(); });
    dialog->addChoice(tr("Keep what is here"), [this] {
        session_.keepDraft();
        session_.keepMine();
        showBanner();
    });
    dialog->open();
}

void MainWindow::addRecent(const QString& path) {
    if (path.isEmpty()) return;
    QStringList recent = settings_.value("recent").toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    settings_.setValue("recent", recent.mid(0, kMaxRecent));
    fillRecentMenu();
}

bool MainWindow::isIdle() const {
    return !session_.isBusy() && !session_.isWriting() &&
           engine_.state() != EngineClient::State::Starting && engine_.pendingRequests() == 0 &&
           !telling_.isActive() && workspace_->isSettled();
}

void MainWindow::reveal(const QString& pane) {
    workspace_->reveal(pane);
}

void MainWindow::setGraphStage(const QString& stage) {
    workspace_->pane<GraphPane>()->setStage(stage);
}

void MainWindow::setCodeLanguage(const QString& language) {
    workspace_->pane<CodePane>()->setLanguage(language);
}

void MainWindow::selectKey(const QString& key) {
    if (ItemId item = session_.record()->search(key); item != kNoItem) selection_.select({item});
}

void MainWindow::goTo(ItemId item) {
    const ItemFacts facts = factsOf(*session_.record(), item, {});
    const auto own = std::find_if(facts.places.begin(), facts.places.end(),
                                  [&](const FactPlace& place) { return place.item == item; });
    if (own != facts.places.end()) {
        if (!own->stage.isEmpty()) setGraphStage(own->stage);
        workspace_->reveal(own->pane);
    }
    selection_.select({item});
}

/// A key that starts something does not end it.
void MainWindow::measure() {
    auto* pane = workspace_->reveal<RunPane>();
    if (session_.isRunning())
        return say(tr("A measurement is under way: %1 gives it up.")
                       .arg(cancel_->shortcut().toString(QKeySequence::NativeText)));
    pane->run();
}

void MainWindow::whenCompiled(std::function<void()> act) {
    auto once = std::make_shared<QMetaObject::Connection>();
    *once = connect(&session_, &Session::statusChanged, this, [this, once, act = std::move(act)] {
        if (session_.record()->isEmpty() || session_.isCompiling() || session_.isOpening()) return;
        auto call = act; // disconnecting deletes this function
        disconnect(*once);
        call();
    });
}

void MainWindow::closeEvent(QCloseEvent* event) {
    // Unsaved edits are kept as a draft and come back at the next start; there is nothing to ask
    // unless that fails.
    if (QString error; !closeAnyway_ && !session_.keepEdits(&error)) {
        notify(About::Saving, sentence(error),
               {{tr("Save as…"), [this] { saveAs(); }}, {tr("Close without them"), [this] {
                                                             closeAnyway_ = true;
                                                             close();
                                                         }}});
        return event->ignore();
    }
    lesson_.end();
    workspace_->letBack(workspace_->pane<TourPane>()->objectName());
    storeLayout();
    event->accept();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (placed_.isActive()) placed_.start(0);
    storeSoon();
}

void MainWindow::moveEvent(QMoveEvent* event) {
    QMainWindow::moveEvent(event);
    storeSoon();
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    focusLater();
}

/// Qt gives the keyboard to the first box of the tool bar when docks come or go.
void MainWindow::focusLater() {
    QTimer::singleShot(0, this, [this] {
        const QWidget* now = focusWidget();
        if (session_.hasDocument() && (!now || !workspace_->isAncestorOf(now))) focusWork();
    });
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange) storeSoon();
    // Not every file system tells of changes.
    if (event->type() == QEvent::ActivationChange && isActiveWindow()) {
        session_.lookAtDisk();
        showBanner(); // others may have begun or ended their edits
    }
}

/// The pane in use takes the keyboard, or the script where that one is not to be seen.
void MainWindow::focusWork() {
    QWidget* script = workspace_->pane<SourcePane>();
    QWidget* last = workspace_->findChild<Pane*>(paneInUse_);
    for (QWidget* pane : {last, script})
        if (pane && pane->isVisible() && !pane->visibleRegion().isEmpty())
            return pane->setFocus(Qt::OtherFocusReason);
    workspace_->setFocus(Qt::OtherFocusReason);
}

/// Qt's own order leads into docks that lie behind the tab of another: these stay shown, out of
/// sight.
bool MainWindow::focusNextPrevChild(bool next) {
    // Asked by a widget that was just hidden, too: work goes on in a pane, not in the tool bar.
    if (focusWidget() && !focusWidget()->isVisible() && session_.hasDocument()) {
        focusWork();
        return true;
    }
    QWidget* start = focusWidget() ? focusWidget() : this;
    auto step = [next](QWidget* w) {
        return next ? w->nextInFocusChain() : w->previousInFocusChain();
    };
    auto canTake = [this](const QWidget* w) {
        return w->window() == this && w->isEnabled() && w->isVisible() && !w->focusProxy() &&
               (w->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && !w->visibleRegion().isEmpty();
    };
    for (QWidget* at = step(start); at && at != start; at = step(at))
        if (canTake(at)) {
            at->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
            return true;
        }
    return false;
}

/// A file that is opened is not moved: whoever gives it may otherwise remove it.
static void takeCopy(QDropEvent* event) {
    if (!event->mimeData()->hasUrls()) return event->ignore();
    event->setDropAction(event->possibleActions() & Qt::CopyAction ? Qt::CopyAction
                                                                   : event->proposedAction());
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    takeCopy(event);
}

void MainWindow::dragMoveEvent(QDragMoveEvent* event) {
    takeCopy(event);
}

void MainWindow::dropEvent(QDropEvent* event) {
    takeCopy(event);
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) {
            openFile(url.toLocalFile());
            break;
        }
}

void MainWindow::showAbout() {
    QMessageBox::about(
        this, tr("About Cutaway"),
        tr("<h3>Cutaway</h3><p>A visual, interactive tensor-compiler explorer.</p>"
           "<p>Engine: %1</p><p>The window is free software under the GNU General "
           "Public License 3 or later; the compiler under the Apache License 2.0.</p>")
            .arg(engine_.info().producer.isEmpty() ? tr("not running") : engine_.info().producer));
}

} // namespace cutaway::views
