// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/partition/partition_pane.h"

#include "views/models/format.h"
#include "views/models/rows.h"
#include "views/widgets/detail_line.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/item_view.h"
#include "views/widgets/legend.h"
#include "views/widgets/pane_bar.h"

#include <QLabel>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

namespace cutaway::views {

PartitionPane::PartitionPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), canvas_(new GraphCanvas), legend_(new Legend), summary_(new QLabel),
      tabs_(new QTabWidget), saved_(new ItemView(rows::savedColumns(), "savedTable")),
      recomputed_(new ItemView(rows::recomputedColumns(), "recomputedTable")) {
    auto* bar = new PaneBar;
    summary_->setObjectName("summary");
    summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    bar->addWidget(summary_, 1);
    bar->addButton("fit", tr("Fit the whole graph (Space)"), this, [this] { canvas_->fit(); });
    auto* top = new QWidget;
    auto* column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(canvas_, 1);
    column->addWidget(legend_);
    tabs_->setDocumentMode(true);
    QString hint = tr("Point at a row to read why.");
    tabs_->addTab(DetailLine::below(saved_, static_cast<int>(rows::SavedColumn::Reason), hint),
                  tr("Saved"));
    tabs_->addTab(
        DetailLine::below(recomputed_, static_cast<int>(rows::RecomputedColumn::Reason), hint),
        tr("Recomputed"));
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(top);
    splitter->addWidget(tabs_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({520, 170});
    body()->addWidget(splitter);
    setFocusProxy(canvas_);
    canvas_->setSelectionState(&selection(), this);
    canvas_->setTooltip([this](const SceneNode& node) { return itemTip(node.item); });
    for (ItemView* table : {saved_, recomputed_}) {
        table->setSelectionState(&selection());
        table->setOrigin(table);
    }
    saved_->setStretchColumn(static_cast<int>(rows::SavedColumn::Reason));
    recomputed_->setStretchColumn(static_cast<int>(rows::RecomputedColumn::Reason));
}

QString PartitionPane::advice() const {
    return emptyAdvice(tr("No backward graph: nothing here requires a gradient, so there is "
                          "nothing to cut."));
}

void PartitionPane::showRecord() {
    if (!entry() || !entry()->hasPartition) {
        canvas_->setEmptyText(advice());
        canvas_->setScene({}, false);
        legend_->setEntries({}, {});
        saved_->setRows({});
        recomputed_->setRows({});
        summary_->clear();
        tabs_->hide();
        shown_.clear();
        return;
    }
    const record::Partition& cut = entry()->partition;
    QFontMetricsF plain(canvas_->font());
    QFont bold = canvas_->font();
    bold.setBold(true);
    QFontMetricsF heavy(bold);
    GraphScene scene = partitionScene(*entry(), [&](const QString& text, bool isBold) {
        return (isBold ? heavy : plain).horizontalAdvance(text);
    });
    QByteArray shape; // the same boxes keep the view
    for (const SceneNode& node : scene.nodes)
        shape += (node.title + "/" + node.name + ";").toUtf8();
    canvas_->setScene(std::move(scene), shape == shown_);
    shown_ = shape;
    legend_->setEntries({{theme().saved, tr("saved across the cut"), false},
                         {theme().again, tr("computed again"), true}},
                        QString::fromStdString(cut.algorithm));
    tabs_->show();
    int64_t copied = 0, kept = 0;
    for (const record::SavedTensor& tensor : cut.saved)
        (tensor.input ? kept : copied) += tensor.bytes;
    auto size = [](const auto& list) { return static_cast<int64_t>(list.size()); };
    QString text = tr("%1 saved, %2")
                       .arg(format::counted(size(cut.saved), tr("tensor"), tr("tensors")),
                            format::bytes(copied + kept));
    if (kept > 0) text += tr(" (%1 of it inputs)").arg(format::bytes(kept));
    text += tr(" · %1 computed again")
                .arg(format::counted(size(cut.recomputed), tr("value"), tr("values")));
    summary_->setText(text);
    summary_->setToolTip(text);
    saved_->setRows(rows::saved(record(), *entry()));
    recomputed_->setRows(rows::recomputed(*entry()));
    tabs_->setTabText(0, tr("Saved (%1)").arg(cut.saved.size()));
    tabs_->setTabText(1, tr("Recomputed (%1)").arg(cut.recomputed.size()));
    saved_->setEmptyText(tr("Nothing is saved."));
    recomputed_->setEmptyText(tr("Nothing is computed again."));
}

void PartitionPane::showTheme() {
    canvas_->setTheme(theme());
    legend_->setTheme(theme());
    saved_->setTheme(theme());
    recomputed_->setTheme(theme());
}

void PartitionPane::showSelection(bool reveal) {
    saved_->updateHighlights(reveal && selection().origin() != saved_);
    recomputed_->updateHighlights(reveal && selection().origin() != recomputed_);
    if (reveal)
        canvas_->revealHighlight();
    else
        canvas_->update();
}

void PartitionPane::showStatus() {
    canvas_->setEmptyText(advice());
}

} // namespace cutaway::views
