// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/whatif/whatif_pane.h"

#include "views/models/rows.h"
#include "views/widgets/fitted_scroll.h"
#include "views/widgets/item_view.h"
#include "views/widgets/pane_bar.h"
#include "views/widgets/part_tabs.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace cutaway::views {

namespace {
constexpr int kLowLines = 14;
}

WhatIfPane::WhatIfPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), summary_(new QLabel), clear_(new QPushButton(tr("Take all back"))),
      measure_(new QPushButton(tr("Measure"))),
      table_(new ItemView(rows::experimentColumns(), "experimentTable")),
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
    bar->addStretch();
    bar->addWidget(measure_);
    body()->addWidget(bar);
    table_->setStretchColumn(static_cast<int>(rows::ExperimentColumn::Decisions));
    table_->setWrapped(true);
    summary_->setWordWrap(true);
    summary_->setMargin(8);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    parts_->addHead(told_, tr("What changed"));
    parts_->addPart(table_, tr("Compilations"));
    body()->addWidget(parts_, 1);
    connect(parts_, &PartTabs::lowChanged, this, [this] { parts_->showPart(told_); });
    setFocusProxy(table_);
    connect(clear_, &QPushButton::clicked, this, [this] { session().decide({}); });
    connect(measure_, &QPushButton::clicked, this, [this] {
        session().run({{QStringLiteral("eager"), session().options().backend}, 0, 0.3, true});
    });
    connect(table_, &ItemView::doubleClicked, this, [this] {
        const Row* row = table_->currentRow();
        if (!row) return;
        const auto index = row->detail.toULongLong();
        if (index < session().experiments().size()) {
            const QString all = session().experiments()[index].of.decisions;
            session().decide(all.isEmpty() ? QStringList() : all.split("; "));
        }
    });
    connect(&this->session(), &Session::schedulesTimed, this, &WhatIfPane::fill);
}

QString WhatIfPane::summary() const {
    return summary_->text();
}

void WhatIfPane::fill() {
    table_->setRows(
        rows::experiments(session().experiments(), session().history(), session().shown()));
    // A record's own words, of what is not there, stand in the table.
    parts_->setPartVisible(told_, !session().isReadOnly());
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
    undo_->setEnabled(own && session().canUndoDecision());
    redo_->setEnabled(own && session().canRedoDecision());
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
}

} // namespace cutaway::views
