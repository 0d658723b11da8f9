// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that teaches: glossary, What's This, tours of others and one's own.
#include "views/main_window.h"

#include "views/panes/graph/graph_pane.h"
#include "views/panes/tour/speaker_notes.h"
#include "views/panes/tour/tour_maker.h"
#include "views/panes/tour/tour_pane.h"
#include "views/widgets/command_palette.h"
#include "views/widgets/glossary_dialog.h"
#include "views/workspace.h"

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

namespace cutaway::views {

void MainWindow::showGlossary() {
    auto* words = new GlossaryDialog(this);
    connect(words, &GlossaryDialog::paneRequested, this, [this](const QString& pane) {
        if (session_.hasDocument()) workspace_->reveal(pane);
    });
    words->show();
}

/// What has a tooltip says the same when it is asked what it is; the rest speaks for its pane.
bool MainWindow::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::WhatsThis || event->type() == QEvent::QueryWhatsThis)
        if (auto* widget = qobject_cast<QWidget*>(object);
            widget && isAncestorOf(widget) && !widget->toolTip().isEmpty())
            widget->setWhatsThis(widget->toolTip());
    return QMainWindow::eventFilter(object, event);
}

void MainWindow::showSpeakerNotes() {
    if (auto* shown = findChild<SpeakerNotes*>()) return shown->raise();
    (new SpeakerNotes(workspace_->pane<TourPane>(), this))->show();
}

void MainWindow::beginTour(int number) {
    const std::vector<Tour> all = shippedTours();
    if (number < 0 || static_cast<size_t>(number) >= all.size()) return;
    auto* pane = workspace_->pane<TourPane>();
    pane->begin(all[static_cast<size_t>(number)]); // opens its sample
    if (pane->isPlaying()) workspace_->reveal(pane->objectName());
}

/// Panes are behind the start page: there the tours are a list.
void MainWindow::chooseTour() {
    if (session_.hasDocument()) {
        workspace_->reveal<TourPane>();
        return;
    }
    std::vector<PaletteEntry> entries;
    for (const Tour& tour : shippedTours())
        entries.push_back({tour.title,
                           {},
                           true,
                           [this, number = static_cast<int>(entries.size())] { beginTour(number); },
                           tour.about});
    (new CommandPalette(tr("Choose a tour"), std::move(entries), this))->show();
}

void MainWindow::openTour() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a tour"), {}, tr("Tours (*.json)"));
    if (!path.isEmpty()) playTour(path);
}

bool MainWindow::playTour(const QString& path) {
    QFile file(path);
    const QString name = QFileInfo(path).fileName();
    if (!file.open(QIODevice::ReadOnly)) {
        notify(About::Tour, tr("Could not open %1").arg(name + ": " + file.errorString()));
        return false;
    }
    auto tour = readTour(file.readAll(), name);
    if (!tour) {
        notify(About::Tour,
               tr("This is no tour: %1.").arg(QString::fromStdString(tour.error().message)));
        return false;
    }
    if (!session_.hasDocument() && tour->sample.isEmpty()) newDocument();
    workspace_->reveal<TourPane>()->begin(std::move(*tour));
    return true;
}

void MainWindow::makeTour() {
    if (!session_.hasDocument())
        return notify(About::Tour,
                      tr("Open a script first: a tour is made of what the window shows."));
    const QString sample =
        isSample(session_.path()) ? QFileInfo(session_.path()).fileName() : QString();
    auto* maker = new TourMaker([this] { return shownPlace(); }, sample, this);
    connect(maker, &TourMaker::tryRequested, this,
            [this](const Tour& tour) { workspace_->reveal<TourPane>()->begin(tour); });
    maker->show();
}

ShownPlace MainWindow::shownPlace() const {
    ShownPlace now{paneInUse_, workspace_->pane<GraphPane>()->stage(), {}};
    if (!selection_.items().empty())
        now.select = session_.record()->key(selection_.items().front());
    return now;
}

} // namespace cutaway::views
