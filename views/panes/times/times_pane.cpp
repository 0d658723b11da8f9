// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/times/times_pane.h"

#include "views/models/format.h"
#include "views/panes/times/roofline_chart.h"
#include "views/panes/times/timeline_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

namespace cutaway::views {

static QLabel* note() {
    auto* label = new QLabel;
    label->setObjectName("muted");
    label->setWordWrap(true);
    label->setMargin(6);
    return label;
}

/// A drawing over what is said of it.
static QWidget* above(QWidget* drawing, QWidget* below) {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(drawing, 1);
    column->addWidget(below);
    return page;
}

TimesPane::TimesPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), tabs_(new QTabWidget), call_(new TimelineView),
      compilation_(new TimelineView), roofline_(new RooflineChart), callNote_(note()),
      compileNote_(note()), machineNote_(note()),
      measure_(new QPushButton(tr("Measure the machine"))) {
    tabs_->setDocumentMode(true);
    tabs_->addTab(above(call_, callNote_), tr("A call"));
    tabs_->addTab(above(compilation_, compileNote_), tr("Compilation"));
    auto* foot = new QWidget;
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(6, 3, 6, 3);
    row->addWidget(machineNote_, 1);
    row->addWidget(measure_);
    tabs_->addTab(above(roofline_, foot), tr("Roofline"));
    body()->addWidget(tabs_);
    compilation_->setAccessibleName(tr("Timeline of the compilation"));
    call_->setAccessibleName(tr("Timeline of a call"));
    call_->setSelectionState(&selection());
    roofline_->setSelectionState(&selection());
    measure_->setToolTip(tr("How fast a large sum reads and writes, how fast a large product "
                            "multiplies: about a second"));
    connect(measure_, &QPushButton::clicked, &session(), &Session::measureMachine);
    connect(&session(), &Session::runsChanged, this, &TimesPane::showMeasurements);
    connect(&session(), &Session::machineMeasured, this, &TimesPane::showMeasurements);
    connect(&session(), &Session::optionsChanged, this, &TimesPane::showMeasurements);
}

const record::Run* TimesPane::run() const {
    const record::Run* found = nullptr;
    for (const record::Run& one : session().runs())
        if (!one.kernels.empty() && (!found || one.backend == "inductor")) found = &one;
    return found;
}

void TimesPane::showMeasurements() {
    const record::Run* measured = entry() ? run() : nullptr;
    const bool dimmed = measured && !Measured(*measured).matches(session().shown());
    Timeline line = measured ? callTimeline(*measured, *entry()) : Timeline();
    QString said = line.note;
    if (dimmed) said = tr("Measured with %1. ").arg(Measured(*measured).text()) + said;
    callNote_->setText(said);
    call_->setTimeline(std::move(line), dimmed);
    const Ceilings most = session().ceilings();
    roofline_->setPoints(measured ? rooflinePoints(*measured, *entry())
                                  : std::vector<RooflinePoint>(),
                         most, dimmed);
    machineNote_->setText(most.known() ? tr("This machine: %1, %2/s in a large product")
                                             .arg(format::bandwidth(most.bytesPerSecond),
                                                  format::flops(most.flopsPerSecond))
                          : !session().machineProblem().isEmpty()
                              ? tr("Not measured: %1").arg(session().machineProblem())
                              : tr("What the machine can do is not measured yet."));
    showStatus();
}

void TimesPane::showRecord() {
    Timeline line = entry() ? compileTimeline(*entry()) : Timeline();
    compileNote_->setText(line.note);
    compilation_->setTimeline(std::move(line), false);
    showMeasurements();
}

void TimesPane::showSelection(bool) {
    call_->update();
    roofline_->update();
}

void TimesPane::showStatus() {
    const QString advice = emptyAdvice(tr("Nothing was measured yet: F5 measures."));
    call_->setEmptyText(advice);
    roofline_->setEmptyText(run() ? tr("No kernel here both computes and moves bytes.") : advice);
    compilation_->setEmptyText(emptyAdvice(tr("This record holds no times.")));
    measure_->setEnabled(session().engine()->isUsable() && !session().isMeasuringMachine());
    measure_->setText(session().isMeasuringMachine() ? tr("Measuring…")
                                                     : tr("Measure the machine"));
}

void TimesPane::showTheme() {
    call_->setTheme(theme());
    compilation_->setTheme(theme());
    roofline_->setTheme(theme());
}

} // namespace cutaway::views
