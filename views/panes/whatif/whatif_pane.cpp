// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/whatif/whatif_pane.h"

#include "views/models/rows.h"
#include "views/widgets/elided_button.h"
#include "views/widgets/fitted_scroll.h"
#include "views/widgets/item_view.h"
#include "views/widgets/pane_bar.h"
#include "views/widgets/part_tabs.h"

#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace cutaway::views {

namespace {
constexpr int kLowLines = 14;
}

WhatIfPane::WhatIfPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), summary_(new QLabel), clear_(new ElidedButton(tr("Take all back"))),
      measure_(new ElidedButton(tr("Measure"))),
      table_(new ItemView(rows::experimentColumns(), "experimentTable")),
      attempts_(new ItemView(rows::attemptColumns(), "attemptTable")),
      told_(new FittedScroll(summary_)), parts_(new PartTabs(kLowLines)) {
    auto* bar = new PaneBar;
    undo_ = bar->addButton("back", tr("Undo the last decision"), this,
                           [this] { session().undoDecision(); });
    redo_ = bar->addButton("forward", tr("Decide so again"), this,
                           [this] { session().redoDecision(); });
    undo_->setObjectName("undoDecision");
    redo_->setObjectName("redoDecision");
    clear_->setToolTip(tr("Leave everything to the compiler"));
    bar->addWidget(clear_);
    all_ = bar->addButton("history",
                          tr("All attempts: every compilation of this document below the one that "
                             "it was made from, and not only those that differ in what is decided"),
                          this, [this] { showTables(); });
    all_->setCheckable(true);
    all_->setObjectName("allAttempts");
    bar->addStretch();
    bar->addWidget(measure_);
    body()->addWidget(bar);
    table_->setStretchColumn(static_cast<int>(rows::ExperimentColumn::Decisions));
    table_->setWrapped(true);
    summary_->setWordWrap(true);
    summary_->setMargin(8);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    parts_->addHead(told_, tr("What changed"));
    attempts_->setStretchColumn(static_cast<int>(rows::AttemptColumn::What));
    attempts_->setWrapped(true);
    parts_->addPart(table_, tr("Compilations"));
    parts_->addPart(attempts_, tr("All attempts"));
    showTables();
    body()->addWidget(parts_, 1);
    connect(parts_, &PartTabs::lowChanged, this, [this] { parts_->showPart(told_); });
    setFocusProxy(table_);
    connect(clear_, &QPushButton::clicked, this, [this] { session().decide({}); });
    connect(measure_, &QPushButton::clicked, this, [this] {
        session().run({{QStringLiteral("eager"), session().options().backend}, 0, 0.3, true});
    });
    for (ItemView* all : {table_, attempts_})
        connect(all, &ItemView::rowOpened, this, [this](const Row* row) {
            const auto& experiments = session().experiments();
            if (row->detail.toULongLong() < experiments.size())
                session().returnTo(Experiment(experiments[row->detail.toULongLong()]));
        });
    connect(&this->session(), &Session::schedulesTimed, this, &WhatIfPane::fill);
}

/// One below the other would have no room; where there are tabs, both have one.
void WhatIfPane::showTables() {
    const bool all = all_->isChecked();
    parts_->setPartVisible(table_, !all);
    parts_->setPartVisible(attempts_, all);
    parts_->showPart(all ? attempts_ : table_);
    setFocusProxy(all ? attempts_ : table_);
}

QString WhatIfPane::summary() const {
    return summary_->text();
}

void WhatIfPane::fill() {
    table_->setRows(
        rows::experiments(session().experiments(), session().history(), session().shown()));
    attempts_->setRows(rows::attempts(session().experiments(), session().shown()));
    // A record's own words, of what is not there, stand in the table.
    parts_->setPartVisible(told_, !session().isReadOnly());
    if (session().isReadOnly() && all_->isChecked()) {
        all_->setChecked(false);
        showTables();
    }
    if (session().isReadOnly()) parts_->showPart(table_);
    const Measured shown = session().shown();
    const auto timed = [this](const std::string& graph, const std::string& kernel,
                              const std::string& schedule) {
        return session().scheduleTime(graph, kernel, schedule);
    };
    summary_->setText(QStringList{
        rows::experimentSummary(session().experiments(), session().history(), shown),
        rows::scheduleSummary(session().experiments(), session().history(), shown, timed)}
                          .join('\n')
                          .trimmed());
    told_->updateGeometry();
}

void WhatIfPane::showRecord() {
    fill();
}

void WhatIfPane::showStatus() {
    const bool own = !session().isReadOnly();
    table_->setEmptyText(own ? tr("Every compilation of this text becomes a row here.")
                             : tr("A saved record is not compiled again: there is nothing to "
                                  "compare. Open its script to decide otherwise."));
    attempts_->setEmptyText(tr("Every compilation becomes a row here, below the one that it was "
                               "made from: edits, sizes, devices, decisions."));
    undo_->setEnabled(own && session().canUndoDecision());
    redo_->setEnabled(own && session().canRedoDecision());
    all_->setEnabled(own);
    clear_->setEnabled(own && !session().options().decisions.isEmpty());
    const QString whyNot = session().whyNoRun();
    measure_->setEnabled(whyNot.isEmpty() && !session().isRunning());
    measure_->setToolTip(!whyNot.isEmpty() ? whyNot
                         : session().options().decisions.isEmpty()
                             ? tr("Measure what is shown now")
                             : tr("Measure what is shown now, and right after it what the compiler "
                                  "does by itself"));
    if (own) session().compileUndecided();
}

void WhatIfPane::showTheme() {
    table_->setTheme(theme());
    attempts_->setTheme(theme());
}

} // namespace cutaway::views
