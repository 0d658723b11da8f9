// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that shows state: status bar, banner, tool bar choices.
#include "views/main_window.h"

#include "views/language/sentences.h"
#include "views/models/format.h"
#include "views/panes/source/source_pane.h"
#include "views/widgets/banner.h"
#include "views/widgets/stage_bar.h"
#include "views/widgets/start_page.h"
#include "views/workspace.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QRegularExpression>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

namespace cutaway::views {

bool MainWindow::isBusy() const {
    return session_.isOpening() || session_.isCompiling() || session_.isRunning() ||
           session_.isComparing() || session_.isTiming();
}

/// Which commands are possible now, and why others are not.
void MainWindow::showPossible() {
    cancel_->setEnabled(isBusy());
    cancel_->setProperty("whyNot", tr("nothing is under way"));
    undoDecision_->setEnabled(session_.canUndoDecision());
    redoDecision_->setEnabled(session_.canRedoDecision());
    copyCommand_->setEnabled(!session_.isReadOnly() && !session_.path().isEmpty());
    copyCommand_->setProperty("whyNot", session_.isReadOnly() ? tr("a record is not compiled again")
                                                              : tr("the script has no file yet"));
    for (QAction* action : {undoDecision_, redoDecision_})
        action->setProperty("whyNot", tr("nothing was decided instead of the compiler"));
    const QString whyNot = session_.whyNoRun();
    measure_->setEnabled(whyNot.isEmpty());
    measure_->setProperty("whyNot", whyNot);
    for (QAction* action : {exportCpp_, exportCuda_}) {
        action->setEnabled(whyNot.isEmpty());
        action->setProperty("whyNot", whyNot);
    }
    compareValues_->setEnabled(whyNot.isEmpty());
    compareValues_->setProperty("whyNot", whyNot);
    measure_->setToolTip(whyNot.isEmpty() ? tr("Measure eager against compiled (F5)") : whyNot);
}

void MainWindow::showProgress() {
    const bool busy = isBusy();
    if (busy && !progress_->isVisible() && !progressDelay_.isActive()) {
        progress_->setRange(0, 0); // until somebody knows how far it is
        progressDelay_.start();
    }
    if (!busy) {
        progressDelay_.stop();
        clock_.stop();
        progress_->hide();
        cancelButton_->hide();
    }
}

void MainWindow::showDecided() {
    const auto decided = static_cast<int>(session_.options().decisions.size());
    decisions_->setVisible(decided > 0 && session_.hasDocument());
    decisions_->setText(tr("%n decision(s)", nullptr, decided));
    decisions_->setToolTip(tr("Made instead of the compiler: %1")
                               .arg(decisionsText(session_.options().decisions.join("; "))));
}

/// What the engine, or the document, is at.
QString MainWindow::stateText() const {
    switch (engine_.state()) {
    case EngineClient::State::Starting:
        return tr("Starting the engine…");
    case EngineClient::State::Stopped:
        return tr("Engine stopped");
    case EngineClient::State::Crashed:
        return tr("Engine gone");
    case EngineClient::State::Failed:
        return tr("No engine");
    case EngineClient::State::Unresponsive:
        return tr("Cancelling…");
    case EngineClient::State::Ready:
        break;
    }
    if (session_.isOpening()) return tr("Opening the record…");
    if (session_.compileWaits()) return tr("Measuring; the compilation waits");
    if (session_.isRunning()) return tr("Measuring…");
    if (session_.isComparing()) return tr("Comparing values…");
    if (session_.isTiming()) return tr("Timing schedules…");
    if (session_.isCompiling()) return tr("Compiling…");
    if (session_.wasInterrupted()) return tr("The engine ended while compiling; F7 compiles");
    if (session_.wasCancelled()) return tr("Cancelled; F7 compiles");
    if (session_.failed())
        return session_.isReadOnly() ? tr("Cannot be read") : tr("Does not compile");
    if (session_.isStale()) return tr("Out of date");
    if (session_.record()->isEmpty()) return tr("Ready");
    if (session_.isFollowing()) {
        const auto count = static_cast<int>(session_.record()->parts().size());
        const QString so = tr("%1 compilation(s)", nullptr, count).arg(format::count(count));
        return session_.isGrowing() ? tr("Attached: %1 so far, more as the program runs").arg(so)
                                    : tr("Attached: %1; the program has ended").arg(so);
    }
    if (session_.isReadOnly()) return tr("Saved record, read only");
    const DecisionNotes& notes = session_.decisionNotes();
    if (notes.isEmpty()) return tr("Up to date");
    return std::ranges::all_of(notes, &DecisionNote::followed)
               ? tr("Up to date; a decided name means another value: see What if")
               : tr("Up to date; not as decided: see What if");
}

void MainWindow::showStatus() {
    showPossible();
    showProgress();
    showDecided();
    const Theme& theme = chosenTheme();
    const bool gaveUp = session_.wasInterrupted() || session_.wasCancelled();
    const bool doubtful = gaveUp || session_.isStale() || !session_.decisionNotes().isEmpty();
    QColor dot = !engine_.isUsable() ? theme.error
                 : isBusy()          ? theme.accent
                 : session_.failed() ? theme.error
                 : doubtful          ? theme.warning
                                     : theme.good;
    state_->setText(QString("<span style='color:%1'>●</span> %2").arg(dot.name(), stateText()));
    state_->setToolTip(engine_.problem().isEmpty() ? engine_.info().producer : engine_.problem());
    telling_.start();
}

void MainWindow::say(const QString& text) {
    said_->setText(text);
    said_->setToolTip(text); // where it is cut
    said_->setVisible(!text.isEmpty());
    times_->setVisible(text.isEmpty());
    if (text.isEmpty())
        saying_.stop();
    else
        saying_.start();
}

/// What can be done with what is selected.
void MainWindow::showSelected() {
    back_->setProperty("whyNot", tr("nothing was selected before"));
    forward_->setProperty("whyNot", tr("nothing was selected after"));
    exportSelected_->setProperty("whyNot", tr("nothing is selected"));
    back_->setEnabled(selection_.canGoBack());
    forward_->setEnabled(selection_.canGoForward());
    exportSelected_->setEnabled(!selection_.isEmpty());
}

void MainWindow::showStages() {
    stages_->setCells(stageCells(engine_.info().stages, session_.currentEntry(),
                                 session_.whereCompiling(), !session_.isCompiling()),
                      session_.isCurrent());
    stages_->setVisible(!presenting_ && session_.hasDocument() && !stages_->actions().isEmpty());
}

void MainWindow::showTimes() {
    showStages();
    const record::Entry* entry = session_.currentEntry();
    QStringList parts;
    double total = 0;
    if (entry)
        for (const record::StageTime& time : entry->times) {
            total += time.ms;
            parts << QString("%1 %2").arg(QString::fromStdString(time.stage),
                                          format::milliseconds(time.ms));
        }
    if (progress_->isVisible()) {
        times_->setEnabled(true);
        times_->setToolTip(tr("How long this has lasted"));
        return times_->setText(tr("%1 so far").arg(format::age(session_.workingMs() / 1000)));
    }
    times_->setEnabled(session_.isCurrent()); // else dimmed
    const QString old = session_.isCurrent() || parts.isEmpty() ? "" : tr("Of an earlier text:\n");
    times_->setToolTip(old + parts.join("\n"));
    times_->setText(
        session_.failed() ? QString() // "compiled in" beside "Does not compile"
        : session_.compilesNothing()
            ? tr("ran in %1").arg(format::milliseconds(session_.compileMs()))
        : session_.compileMs() > 0
            ? tr("compiled in %1, %2 of it in the stages")
                  .arg(format::milliseconds(session_.compileMs()), format::milliseconds(total))
        : total > 0 ? tr("%1 in the stages").arg(format::milliseconds(total))
                    : QString());
}

/// Many panes ask for room one after the other; the window is told of it once.
bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) fitLeast_.start();
    return QMainWindow::event(event);
}

/// Keys of a command that is not possible come here: it is said why.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    const QKeySequence keys(event->keyCombination());
    for (const QAction* action : findChildren<QAction*>()) {
        const QString whyNot = action->property("whyNot").toString();
        if (action->isEnabled() || whyNot.isEmpty() || action->shortcut() != keys) continue;
        say(tr("%1: %2").arg(format::withoutMnemonic(action->text()).remove(QChar(0x2026)),
                             whyNot));
        return;
    }
    QMainWindow::keyPressEvent(event);
}

std::optional<Banner::Message> MainWindow::engineMessage() {
    using State = EngineClient::State;
    const State state = engine_.state();
    const Banner::Choice restart{tr("Start the engine again"), [this] { engine_.restart(); }};
    if (state == State::Crashed || state == State::Failed) {
        QString first = engine_.problem().section('\n', 0, 0);
        QString kept = session_.record()->isEmpty()
                           ? QString()
                           : tr(" The last good result stays on the screen.");
        return Banner::Message{Tone::Error,
                               first.left(1).toUpper() + first.mid(1) + "." + kept,
                               engine_.problem(),
                               {restart}};
    }
    if (state == State::Unresponsive)
        return Banner::Message{Tone::Normal,
                               tr("The engine is still at work that was cancelled. It is started "
                                  "again if that goes on."),
                               engine_.problem(),
                               {restart}};
    return {};
}

/// What others did to the file.
std::optional<Banner::Message> MainWindow::diskMessage() {
    using DiskState = Session::DiskState;
    const QString name = QFileInfo(session_.path()).fileName();
    const Banner::Choice keep{tr("Keep what is here"), [this] {
                                  session_.keepDraft();
                                  session_.keepMine();
                              }};
    switch (session_.diskState()) {
    case DiskState::Same:
        return {};
    case DiskState::Missing:
        return Banner::Message{
            Tone::Warning,
            tr("“%1” is no longer on disk. What this window shows of it is kept.").arg(name),
            session_.path(),
            session_.isReadOnly() ? std::vector{keep}
                                  : std::vector{{tr("Save it again"), [this] { save(); }}, keep}};
    case DiskState::Changed:
        break;
    }
    std::vector<Banner::Choice> choices{
        {tr("Take the file"), [this] { session_.reloadFromDisk(); }}};
    if (saveRefused_) {
        choices.push_back({tr("Overwrite"), [this] { overwrite(); }});
        choices.push_back({tr("Save as…"), [this] { saveAs(); }});
    } else {
        choices.push_back(keep);
    }
    if (session_.isReadOnly())
        choices.push_back({tr("Show it as it grows"), [this] { session_.follow(); }});
    if (session_.diskText()) choices.push_back({tr("Compare"), [this] { compareWithDisk(); }});
    QString text = tr("“%1” was changed by another program.").arg(name);
    if (saveRefused_) text = tr("Not saved: ") + text;
    return Banner::Message{Tone::Warning, text, session_.path(), choices};
}

/// Edits that were restored, and those of another window.
std::optional<Banner::Message> MainWindow::draftMessage() {
    const QString others =
        session_.othersEdit() ? tr("Another window has unsaved edits of this file.") : QString();
    const auto time = session_.restoredDraft();
    if (!time && others.isEmpty()) return {};
    if (!time) return Banner::Message{Tone::Warning, others, {}, {}};
    QString text = tr("Unsaved edits of %1 were restored.")
                       .arg(QLocale().toString(*time, QLocale::ShortFormat));
    // One question about what an earlier window left, not two.
    if (session_.decisionsRestored())
        text += " " + tr("So was what was decided: %1.")
                          .arg(decisionsText(session_.options().decisions.join("; ")));
    std::vector<Banner::Choice> choices{{tr("Keep what is here"), [this] {
                                             session_.keepDraft();
                                             session_.keepDecisions();
                                             showBanner();
                                         }}};
    if (QFileInfo::exists(session_.path())) {
        choices.push_back({tr("Compare"), [this] { compareWithDisk(); }});
        choices.push_back({tr("Take the file"), [this] {
                               session_.discardDraft();
                               showBanner();
                           }});
    }
    return Banner::Message{Tone::Normal, (text + " " + others).trimmed(), {}, std::move(choices)};
}

std::optional<Banner::Message> MainWindow::decisionsMessage() {
    if (!session_.decisionsRestored() || session_.restoredDraft()) return {};
    return Banner::Message{Tone::Normal,
                           tr("What was decided of this file in an earlier window is in force: %1.")
                               .arg(decisionsText(session_.options().decisions.join("; "))),
                           {},
                           {{tr("Keep what is decided"),
                             [this] {
                                 session_.keepDecisions();
                                 showBanner();
                             }},
                            {tr("Leave it to the compiler"), [this] { session_.decide({}); }}}};
}

/// A script whose own switch keeps it from compiling: the switch, to be turned with a click.
std::optional<Banner::Message> MainWindow::switchMessage() {
    if (!session_.compilesNothing() || session_.isReadOnly()) return {};
    static const QRegularExpression written(R"(^write '(\w+) = True' in line (\d+)$)");
    for (const base::Diagnostic& said : session_.diagnostics()) {
        const auto found = written.match(QString::fromStdString(said.hint));
        if (!found.hasMatch()) continue;
        const QString name = found.captured(1);
        const int line = found.captured(2).toInt() - 1;
        QString what = told(said.message) + ".";
        what[0] = what[0].toUpper();
        return Banner::Message{
            Tone::Normal, what, {}, {{tr("Write “%1 = True”").arg(name), [this, name, line] {
                                          workspace_->reveal<SourcePane>()->replaceInLine(
                                              line, "False", "True");
                                      }}}};
    }
    return {};
}

void MainWindow::showBanner() {
    std::vector<Banner::Message> all;
    auto add = [&](std::optional<Banner::Message> message) {
        if (message) all.push_back(std::move(*message));
    };
    add(engineMessage());
    for (const Notice& notice : notices_)
        all.push_back(notice.message);
    add(diskMessage());
    add(draftMessage());
    add(decisionsMessage());
    add(switchMessage());
    // What can wait does so where others look on.
    if (presenting_)
        std::erase_if(all, [](const Banner::Message& one) { return one.tone == Tone::Normal; });
    banner_->showMessages(all);
}

void MainWindow::notify(About about, const QString& text, std::vector<Banner::Choice> choices,
                        Tone tone, const QString& document) {
    std::erase_if(notices_, [&](const Notice& notice) {
        return notice.about == about && notice.document == document;
    });
    if (!text.isEmpty()) {
        choices.push_back(
            {tr("Close"), [this, about, document] { notify(about, {}, {}, {}, document); }});
        notices_.insert(notices_.begin(), {about, document, {tone, text, {}, std::move(choices)}});
    }
    showBanner();
}

/// Once it has its place among the docks.
void MainWindow::scrollTo(QDockWidget* dock) {
    QTimer::singleShot(0, dock, [this, dock] {
        if (!dock->isFloating()) desk_->ensureWidgetVisible(dock, 0, 0);
    });
}

void MainWindow::showDocument() {
    bool has = session_.hasDocument();
    pages_->setCurrentWidget(has ? static_cast<QWidget*>(desk_) : start_);
    QString name =
        session_.path().isEmpty() ? tr("untitled.py") : QFileInfo(session_.path()).fileName();
    setWindowTitle(has ? QString("%1[*] — Cutaway").arg(name) : QStringLiteral("Cutaway"));
    setWindowFilePath(session_.path());
    saveAction_->setEnabled(has && !session_.isReadOnly() && !session_.isModel());
    saveAction_->setProperty("whyNot", !has ? tr("no script is open")
                                       : session_.isModel()
                                           ? tr("an exported program is not edited")
                                           : tr("a record is not edited"));
    for (QAction* action : ofDocument_) {
        action->setEnabled(has);
        action->setProperty("whyNot", tr("nothing is open"));
    }
    if (has) addRecent(session_.path());
    storeSoon();
    if (!has) {
        start_->fill(settings_.value("recent").toStringList(), session_.drafts().all(),
                     samplesIn(options_.samplesFolder));
        start_->setFocus(); // Return opens what is to be opened first
    }
    showBanner();
    showOptions();
    showStatus();
}

void MainWindow::showOptions() {
    saveRecipe_->setEnabled(!session_.options().decisions.isEmpty());
    saveRecipe_->setProperty("whyNot", tr("nothing was decided instead of the compiler"));
    applyRecipe_->setEnabled(session_.hasDocument() && !session_.isReadOnly());
    applyRecipe_->setProperty("whyNot", session_.isReadOnly() ? tr("a record is not compiled again")
                                                              : tr("no script is open"));
    const CompileOptions& options = session_.options();
    size_->clear();
    size_->addItems(session_.sizes());
    size_->setCurrentText(options.size);
    size_->setEnabled(!session_.isReadOnly());
    sizeAction_->setVisible(!session_.sizes().isEmpty());
    QStringList devices = engine_.info().devices;
    if (devices.isEmpty()) devices << "cpu";
    // A record was made for the device that it says, whatever is chosen for scripts.
    const record::Entry* entry = session_.currentEntry();
    const QString device =
        session_.isReadOnly() && entry ? QString::fromStdString(entry->device) : options.device;
    if (!devices.contains(device)) devices << device;
    device_->clear();
    device_->addItems(devices);
    device_->setCurrentText(device);
    device_->setEnabled(!session_.isReadOnly());
    device_->setToolTip(
        engine_.info().cudaAvailable
            ? tr("Device to compile for: %1").arg(engine_.info().cudaMessage)
            : tr("Device to compile for. No GPU: %1").arg(engine_.info().cudaMessage));
}

void MainWindow::showFunctions() {
    QSignalBlocker blocker(function_);
    function_->clear();
    for (const RecordView::Part& part : session_.record()->parts()) {
        function_->addItem(part.title, QPoint(part.function, part.entry));
        if (part.function == session_.function() && part.entry == session_.entryIndex())
            function_->setCurrentIndex(function_->count() - 1);
    }
    functionAction_->setVisible(function_->count() > 1);
}

} // namespace cutaway::views
