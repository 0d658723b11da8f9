// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that teaches other windows what it shows, or follows such a lesson.
#include "views/main_window.h"

#include "views/panes/graph/graph_pane.h"
#include "views/panes/source/source_pane.h"
#include "views/panes/tour/tour_pane.h"
#include "views/widgets/code_view.h"
#include "views/widgets/save_name.h"
#include "views/workspace.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QToolButton>

namespace cutaway::views {

void MainWindow::setUpLesson() {
    connect(lessonButton_, &QToolButton::clicked, &lesson_, &Lesson::end);
    connect(&lesson_, &Lesson::changed, this, [this] {
        const QString name = QFileInfo(lesson_.file()).fileName();
        const bool teaching = lesson_.isTeaching();
        lessonButton_->setVisible(teaching || lesson_.isFollowing());
        lessonButton_->setText(teaching ? tr("Teaching") : tr("Following a lesson"));
        lessonButton_->setToolTip(
            (teaching ? tr("What this window shows goes to “%1”. A click ends that.")
                      : tr("This window shows what “%1” tells. A click ends that."))
                .arg(name));
    });
    connect(&lesson_, &Lesson::failed, this, [this](const QString& why) {
        notify(About::Lesson, tr("The lesson ended: %1").arg(why));
    });
    connect(&lesson_, &Lesson::over, this, [this] {
        notify(About::Lesson, tr("The lesson is over: what it showed stays."), {}, Tone::Normal);
    });
    connect(&lesson_, &Lesson::lost, this, [this](const QString& why) {
        notify(About::Lesson,
               why.isEmpty()
                   ? QString()
                   : tr("The lesson “%1” tells nothing now: %2. It is looked for again and "
                        "again; what it showed stays.")
                         .arg(QFileInfo(lesson_.file()).fileName(), why),
               why.isEmpty() ? std::vector<Banner::Choice>()
                             : std::vector<Banner::Choice>{
                                   {tr("Follow it no longer"), [this] { lesson_.end(); }}});
    });
    connect(&lesson_, &Lesson::came, this, &MainWindow::takeLesson);
    for (auto changed : {&Session::recordChanged, &Session::modifiedChanged,
                         &Session::optionsChanged, &Session::documentChanged})
        connect(&session_, changed, &lesson_, &Lesson::tell);
    connect(&session_, &Session::statusChanged, this, &MainWindow::selectAsTaught);
    for (auto changed : {&GraphPane::stageChanged, &GraphPane::foldingChanged})
        connect(workspace_->pane<GraphPane>(), changed, &lesson_, &Lesson::tell);
    for (auto changed : {&TourPane::stepShown, &TourPane::ended})
        connect(workspace_->pane<TourPane>(), changed, &lesson_, &Lesson::tell);
}

static QString lessonFilter() {
    return MainWindow::tr("Lessons (*.%1);;All files (*)").arg(WorkspaceFile::kSuffix);
}

void MainWindow::teach() {
    const QString file = askSaveName(this, tr("Teach: a file in a folder that the others see"),
                                     QFileInfo(session_.path()).absolutePath() + "/" +
                                         tr("lesson") + "." + WorkspaceFile::kSuffix,
                                     lessonFilter(), WorkspaceFile::kSuffix);
    if (file.isEmpty()) return;
    const base::Status written = lesson_.teach(file);
    notify(About::Lesson,
           written ? QString()
                   : tr("Not saved: %1").arg(QString::fromStdString(written.error().message)));
}

void MainWindow::followLesson() {
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Follow a lesson"), QFileInfo(session_.path()).absolutePath(), lessonFilter());
    if (file.isEmpty()) return;
    taught_.reset();
    const base::Status opened = lesson_.follow(file);
    notify(About::Lesson, opened ? QString()
                                 : tr("Could not open %1")
                                       .arg(QFileInfo(file).fileName() + ": " +
                                            QString::fromStdString(opened.error().message)));
}

/// Only what is another than before: whatever was moved here meanwhile stays.
void MainWindow::takeLesson(const WorkspaceFile& kept) {
    WorkspaceFile now = kept;
    if (!now.text.isEmpty() && !QFileInfo::exists(now.path)) now.path.clear(); // of the teacher's
    const auto before = std::exchange(taught_, now);
    selectionDue_ = true;
    if (tellWhatDiffers(now)) {
        taught_.reset(); // opened with the next that comes, if it is there by then
        return;
    }
    if (!before || now.path != before->path || (now.text.isEmpty() && !before->text.isEmpty())) {
        openWorkspace(now);
        return;
    }
    auto* editor = workspace_->pane<SourcePane>()->editor();
    if (now.text != before->text && editor->text() != now.text) editor->setText(now.text);
    if (now.layout != before->layout || now.tabs != before->tabs || now.stage != before->stage)
        showPanesOf(now);
    if (now.opened != before->opened || now.closed != before->closed || now.boxes != before->boxes)
        foldAsIn(now);
    playTourOf(now, before->tour);
    if (now.decisions != before->decisions || now.device != before->device ||
        now.backend != before->backend)
        decideAsIn(now);
    if (now.size != before->size) comeBack(now);
    selectAsTaught();
}

/// The step of a tour that is played, with its question: each answers it of what is compiled here.
void MainWindow::playTourOf(const WorkspaceFile& kept, const QByteArray& before) {
    auto* tours = workspace_->pane<TourPane>();
    if (kept.tour == before) {
        if (!before.isEmpty() && tours->isPlaying() && tours->step() != kept.tourStep)
            tours->goTo(kept.tourStep);
    } else if (kept.tour.isEmpty()) {
        if (tours->isPlaying()) tours->goTo(-1);
    } else if (auto tour = readTour(kept.tour, QFileInfo(kept.path).fileName()); !tour) {
        notify(About::Tour,
               tr("This is no tour: %1.").arg(QString::fromStdString(tour.error().message)));
    } else {
        workspace_->reveal<TourPane>()->begin(std::move(*tour), kept.tourStep);
    }
}

/// What this machine cannot show as the teacher's does. \returns whether that is the document.
bool MainWindow::tellWhatDiffers(const WorkspaceFile& taught) {
    QString text;
    const bool missing = taught.text.isEmpty() && !QFileInfo::exists(taught.path);
    if (missing)
        text = tr("The lesson shows “%1”, which is not on this machine: put it where the lesson's "
                  "file is.")
                   .arg(QFileInfo(taught.path).fileName());
    else if (!engine_.info().devices.isEmpty() && !engine_.info().devices.contains(taught.device))
        text = tr("The lesson is compiled for %1, which this machine does not have: here it is "
                  "for %2.")
                   .arg(taught.device, session_.options().device);
    notify(About::Lesson, text, {}, missing ? Tone::Error : Tone::Normal);
    return missing;
}

void MainWindow::selectAsTaught() {
    if (!selectionDue_ || !taught_ || !lesson_.isFollowing() || session_.isBusy() ||
        session_.record()->isEmpty())
        return;
    selectionDue_ = false;
    session_.setFocus(taught_->function, taught_->entry);
    std::vector<ItemId> items;
    for (const QString& key : taught_->selected)
        if (const ItemId item = session_.record()->find(key); item != kNoItem)
            items.push_back(item);
    if (items.empty() && !taught_->selected.isEmpty())
        say(tr("What the teacher has selected is not in what is compiled here: %1.")
                .arg(taught_->selected.join(", ")));
    if (items != selection_.items()) selection_.select(items);
}

} // namespace cutaway::views
