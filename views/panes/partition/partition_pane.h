// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The joint graph with the cut drawn, and tables of what is saved and what is computed again.
#pragma once

#include "views/models/latest_work.h"
#include "views/models/placed_scene.h"
#include "views/panes/pane.h"

class QLabel;
class QSplitter;
class QTabWidget;

namespace cutaway::views {

class BudgetBar;
class DecisionBar;
class GraphCanvas;
class ItemView;
class Legend;

class PartitionPane : public Pane {
    Q_OBJECT
public:
    PartitionPane(PaneContext context, QWidget* parent);
    bool isSettled() const override;
    GraphCanvas* canvas() const { return canvas_; }
    bool showStage(const QString& stage) override { return stage == "partition"; }

protected:
    void showTheme() override;
    void showRecord() override;
    void showColours() override { showLegend(); }
    void showSelection(bool reveal) override;
    void showStatus() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showLegend();
    void share();
    QString advice() const;
    void showScene();
    struct PlacedCut {
        ScenePtr scene;
        QByteArray shape; ///< the same boxes keep the view
    };
    /// On any thread.
    static PlacedCut placedCut(const record::Entry& entry, const QFont& font,
                               const Folding& folding);
    void present(const PlacedCut& made);
    void showTables();
    GraphCanvas* canvas_;
    Legend* legend_;
    DecisionBar* decisions_;
    BudgetBar* budget_;
    QLabel* summary_;
    QWidget* cut_; ///< the drawing, with what decides about it
    QTabWidget* tabs_;
    QSplitter* splitter_;
    QWidget *savedPage_, *recomputedPage_;
    ItemView *saved_, *recomputed_;
    QByteArray shown_;
    Folding folding_{FoldKind::Modules, {}, {}, kFoldRoom};
    QString anchor_;    ///< the box that was opened or closed last stays where it is
    LatestWork placer_; ///< last: it waits for what it does before the rest goes
};

} // namespace cutaway::views
