// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/partition/partition_pane.h"

#include "views/models/format.h"
#include "views/models/rows.h"
#include "views/panes/decision_bar.h"
#include "views/panes/partition/budget_bar.h"
#include "views/widgets/detail_line.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/item_view.h"
#include "views/widgets/legend.h"
#include "views/widgets/low_tabs.h"
#include "views/widgets/pane_bar.h"
#include "views/widgets/tab_order.h"

#include <QCryptographicHash>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>
#include <utility>

namespace cutaway::views {

namespace {
constexpr size_t kMostAtOnce = 400; ///< nodes placed without another thread: some milliseconds
constexpr int kLowLines = 34;
constexpr int kLeastWide = 390; ///< narrower, the words around the drawing wrap and take its height
} // namespace

PartitionPane::PartitionPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), canvas_(new GraphCanvas), legend_(new Legend), summary_(new QLabel),
      cut_(new QWidget), tabs_(new QTabWidget), splitter_(new QSplitter(Qt::Vertical)),
      saved_(new ItemView(rows::savedColumns(), "savedTable")),
      recomputed_(new ItemView(rows::recomputedColumns(), "recomputedTable")) {
    auto* bar = new PaneBar;
    summary_->setObjectName("summary");
    summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    summary_->setWordWrap(true);
    bar->addWidget(summary_, 1);
    bar->addButton("fit", tr("Fit the whole graph (Space)"), this, [this] { canvas_->fit(); });
    auto* column = new QVBoxLayout(cut_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(canvas_, 1);
    column->addWidget(legend_);
    decisions_ = new DecisionBar(&session(), &selection(),
                                 tr("Select a value of the forward to decide otherwise."));
    column->addWidget(decisions_);
    budget_ = new BudgetBar(&session());
    column->addWidget(budget_);
    tabs_->setDocumentMode(true);
    tabs_->setMinimumHeight(leastTabs(tabs_));
    QString hint = tr("Point at a row to read why.");
    savedPage_ = DetailLine::below(saved_, static_cast<int>(rows::SavedColumn::Reason), hint);
    recomputedPage_ =
        DetailLine::below(recomputed_, static_cast<int>(rows::RecomputedColumn::Reason), hint);
    tabs_->addTab(savedPage_, tr("Saved"));
    tabs_->addTab(recomputedPage_, tr("Recomputed"));
    splitter_->addWidget(cut_);
    splitter_->addWidget(tabs_);
    splitter_->setStretchFactor(0, 3);
    splitter_->setStretchFactor(1, 1);
    splitter_->setSizes({520, 170});
    body()->addWidget(splitter_);
    setMinimumWidth(kLeastWide);
    setFocusProxy(canvas_);
    canvas_->setSelectionState(&selection(), canvas_);
    connect(canvas_, &GraphCanvas::menuRequested, this, [this](int node, QPoint at) {
        if (node < 0) return;
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        addActions(menu, {canvas_->scene().nodes[static_cast<size_t>(node)].item});
        menu->popup(at);
    });
    connect(canvas_, &GraphCanvas::foldToggled, this, [this](const QString& key, bool open) {
        folding_.set(key, open);
        anchor_ = key;
        if (entry()) showScene();
    });
    canvas_->setTooltip([this](const SceneNode& node) { return itemTip(node.item); });
    for (ItemView* table : {saved_, recomputed_}) {
        table->setSelectionState(&selection());
        table->setOrigin(table);
    }
    saved_->setStretchColumn(static_cast<int>(rows::SavedColumn::Reason));
    recomputed_->setStretchColumn(static_cast<int>(rows::RecomputedColumn::Reason));
}

void PartitionPane::resizeEvent(QResizeEvent* event) {
    Pane::resizeEvent(event);
    share();
}

/// In a low pane the drawing above the tables would be a stripe: it is a tab beside them.
void PartitionPane::share() {
    const bool low =
        height() < kLowLines * fontMetrics().lineSpacing() && entry() && entry()->hasPartition;
    if (low == (tabs_->indexOf(cut_) >= 0)) return;
    if (low) {
        tabs_->insertTab(0, cut_, tr("Cut"));
        tabs_->setCurrentIndex(0);
    } else {
        tabs_->removeTab(tabs_->indexOf(cut_));
        splitter_->insertWidget(0, cut_);
        cut_->show();
        splitter_->setSizes({520, 170});
    }
    orderTabs(tabs_, cut_, low);
}

bool PartitionPane::isSettled() const {
    return Pane::isSettled() && !placer_.isBusy() && canvas_->isSettled();
}

QString PartitionPane::advice() const {
    return emptyAdvice(tr("No backward graph: nothing here requires a gradient, so there is "
                          "nothing to cut."));
}

void PartitionPane::showLegend() {
    if (!entry() || !entry()->hasPartition) return legend_->setEntries({}, {});
    legend_->setEntries({{theme().saved, tr("saved across the cut"), false},
                         {theme().again, tr("computed again"), true}},
                        QString::fromStdString(entry()->partition.algorithm));
}

void PartitionPane::showRecord() {
    placer_.forget();
    budget_->show(entry() && entry()->hasPartition ? &entry()->partition : nullptr);
    if (!entry() || !entry()->hasPartition) {
        canvas_->setEmptyText(advice());
        canvas_->setScene(shared({}), false);
        showLegend();
        saved_->setRows({});
        recomputed_->setRows({});
        summary_->clear();
        share();
        tabs_->hide();
        shown_.clear();
        return;
    }
    folding_.names = foldNames(*entry());
    showLegend();
    tabs_->show();
    share();
    showScene();
    showTables();
}

PartitionPane::PlacedCut PartitionPane::placedCut(const record::Entry& entry, const QFont& font,
                                                  const Folding& folding) {
    GraphScene scene = partitionScene(entry, textWidth(font), folding);
    QCryptographicHash shape(QCryptographicHash::Sha1);
    for (const SceneNode& node : scene.nodes)
        shape.addData((node.title + "/" + node.name + ";").toUtf8());
    return {shared(std::move(scene)), shape.result()};
}

/// A large graph is placed on another thread; what is shown stays until then.
void PartitionPane::showScene() {
    const record::GraphStage* joint = entry()->graph("joint");
    if (joint && joint->nodes.size() <= kMostAtOnce)
        return present(placedCut(*entry(), canvas_->font(), folding_));
    if (canvas_->scene().nodes.empty()) canvas_->setEmptyText(tr("Placing the nodes…"));
    placer_.start([this, record = session().record(), function = session().function(),
                   index = session().entryIndex(), font = canvas_->font(),
                   folding = folding_]() -> LatestWork::Finish {
        const record::Entry* owner = record->entry(function, index);
        if (!owner) return {};
        return [this, made = placedCut(*owner, font, folding)] { present(made); };
    });
}

void PartitionPane::present(const PlacedCut& made) {
    canvas_->setScene(made.scene, made.shape == shown_, std::exchange(anchor_, QString()));
    shown_ = made.shape;
}

void PartitionPane::showTables() {
    const record::Partition& cut = entry()->partition;
    int64_t copied = 0, kept = 0;
    for (const record::SavedTensor& tensor : cut.saved)
        (tensor.input ? kept : copied) += tensor.bytes;
    const int saved = static_cast<int>(cut.saved.size()),
              again = static_cast<int>(cut.recomputed.size());
    QString text = tr("%1 tensor(s) saved, %2", nullptr, saved)
                       .arg(format::count(saved), format::bytes(copied + kept));
    if (kept > 0) text += tr(" (%1 of it inputs)").arg(format::bytes(kept));
    text += tr(" · %1 value(s) computed again", nullptr, again).arg(format::count(again));
    summary_->setText(text);
    summary_->setToolTip(text);
    saved_->fillRows(cut.saved.size(), [of = session().record(), entry = entry()] {
        return rows::saved(*of, *entry);
    });
    recomputed_->fillRows(cut.recomputed.size(), [of = session().record(), entry = entry()] {
        return rows::recomputed(*entry);
    });
    tabs_->setTabText(tabs_->indexOf(savedPage_), tr("Saved (%1)").arg(cut.saved.size()));
    tabs_->setTabText(tabs_->indexOf(recomputedPage_),
                      tr("Recomputed (%1)").arg(cut.recomputed.size()));
    saved_->setEmptyText(tr("Nothing is saved."));
    recomputed_->setEmptyText(tr("Nothing is computed again."));
}

void PartitionPane::showTheme() {
    canvas_->setTheme(theme());
    legend_->setTheme(theme());
    budget_->setTheme(theme());
    saved_->setTheme(theme());
    recomputed_->setTheme(theme());
}

void PartitionPane::showSelection(bool reveal) {
    decisions_->setVisible(entry() && entry()->hasPartition);
    decisions_->refresh();
    saved_->updateHighlights(reveal && selection().origin() != saved_);
    recomputed_->updateHighlights(reveal && selection().origin() != recomputed_);
    if (reveal && selection().origin() != canvas_)
        canvas_->revealHighlight();
    else
        canvas_->update();
}

void PartitionPane::showStatus() {
    canvas_->setEmptyText(advice());
}

} // namespace cutaway::views
