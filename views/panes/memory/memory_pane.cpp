// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/memory/memory_pane.h"

#include "views/models/format.h"
#include "views/models/memory_peak.h"
#include "views/panes/memory/memory_map.h"
#include "views/widgets/choice_box.h"
#include "views/widgets/pane_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>

namespace cutaway::views {

MemoryPane::MemoryPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), graphs_(new ChoiceBox), summary_(new QLabel), map_(new MemoryMap),
      peak_(new QLabel) {
    setFocusProxy(graphs_);
    auto* bar = new PaneBar;
    graphs_->setAccessibleName(tr("Graph"));
    bar->addWidget(graphs_);
    summary_->setObjectName("summary");
    summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    bar->addWidget(summary_, 1);
    body()->addWidget(bar);
    body()->addWidget(map_, 1);
    peak_->setObjectName("muted");
    peak_->setWordWrap(true);
    peak_->setMargin(6);
    peak_->setMinimumHeight(1); // the plan comes first
    peak_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    body()->addWidget(peak_);
    map_->setSelectionState(&selection());
    connect(graphs_, &QComboBox::activated, this, [this] { showGraph(); });
}

void MemoryPane::showRecord() {
    QString before = graphs_->currentText();
    graphs_->clear();
    if (entry())
        for (const record::LoweredGraph& lowered : entry()->lowered)
            graphs_->addItem(QString::fromStdString(lowered.graph));
    graphs_->setVisible(graphs_->count() > 0);
    if (int same = graphs_->findText(before); same >= 0) graphs_->setCurrentIndex(same);
    showGraph();
}

void MemoryPane::showGraph() {
    int index = graphs_->currentIndex();
    const record::LoweredGraph* lowered =
        entry() && index >= 0 ? &entry()->lowered[static_cast<size_t>(index)] : nullptr;
    map_->setPlan(session().record(), lowered);
    showStatus();
    peak_->setText(lowered ? explainPeak(*lowered, memoryPeak(*lowered)) : QString());
    peak_->setVisible(!peak_->text().isEmpty());
    if (!lowered) return summary_->clear();
    const record::MemoryPlan& plan = lowered->memory;
    QString text = tr("arena %1").arg(format::bytes(plan.arenaBytes));
    if (plan.unsharedBytes > plan.arenaBytes)
        text += tr(", %1 without sharing").arg(format::bytes(plan.unsharedBytes));
    summary_->setText(text);
}

void MemoryPane::showSelection(bool) {
    map_->update();
}

void MemoryPane::showStatus() {
    map_->setEmptyText(
        emptyAdvice(tr("Every buffer of this graph is an input, an output or lives in "
                       "registers: the arena is empty.")));
}

void MemoryPane::showTheme() {
    map_->setTheme(theme());
}

} // namespace cutaway::views
