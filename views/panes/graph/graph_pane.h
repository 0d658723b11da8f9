// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// One stage of the graph, drawn. The engine lays small graphs out with Graphviz under a time
/// budget; the in-process layout stands in while waiting and for everything else.
#pragma once

#include "views/models/heat_map.h"
#include "views/models/latest_work.h"
#include "views/models/placed_scene.h"
#include "views/panes/pane.h"

class QButtonGroup;
class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace cutaway::views {

class GraphCanvas;
class Legend;
class OverflowRow;

class GraphPane : public Pane {
    Q_OBJECT
public:
    GraphPane(PaneContext context, QWidget* parent);
    bool isSettled() const override;
    GraphCanvas* canvas() const { return canvas_; }
    void setStage(const QString& stage);
    const QString& stage() const { return stage_; }
    bool showStage(const QString& stage) override;
    /// Colours the nodes by a quantity; None: by their kinds.
    void setHeat(HeatKind kind);
    void setHeatScale(HeatScale scale);
    /// Colours the nodes by numbers of a file.
    void setNodeValues(NodeValuesPtr values);
    /// Offers the columns of a file as colours, and shows the first.
    void setColumns(const std::vector<NodeValues>& columns);
    const HeatMap& shownHeat() const { return map_; }
    /// What is drawn as one box, and which of them, by Fold::key, are not as they were at first.
    void setFolding(FoldKind kind, const QSet<QString>& opened = {},
                    const QSet<QString>& closed = {});
    const Folding& folding() const { return folding_; }
    Legend* legend() const { return legend_; }
    QLineEdit* search() const { return search_; }
    QLineEdit* searchField() const override { return search_; }
    /// Opens what is around a box of this stage, by its Fold::key, and selects all that is in it.
    /// \returns false: there is none
    bool goToBox(const QString& key);
    /// Asks for a file of numbers, and colours the nodes by them.
    void askNodeValues();
    /// What is shown with every box opened, placed.
    GraphScene everyNode() const;
    /// Selects all that the search found.
    void selectFound();

signals:
    void stageChanged();
    void foldingChanged();

protected:
    void showTheme() override;
    void showRecord() override;
    void showSelection(bool reveal) override;
    void showStatus() override;

private:
    void makeToolbar();
    void makeFoundCount();
    void showFound(int count);
    void placeFound();
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showStages();
    /// The record that came only holds more of what is shown or being placed.
    bool isMoreOfTheSame() const;
    QStringList foundElsewhere() const;
    void placeHint();
    void showScene();
    void placeAside();
    void measureHeat();
    /// Colours the nodes by what a plug-in of the engine computes; empty: no longer.
    void setOverlay(const QString& name);
    void showOverlays();
    void showHeat(HeatMap map);
    QString otherwiseMeasured() const;
    // graph_pane_tools.cpp
    void makeFootRow();
    void makeEdgeWords(QToolButton* types);
    void showColours();
    void showLegend();
    void showCounts();
    void placeCounts();
    void toggleFold(const QString& key, bool open);
    /// Opens every box around a node, and selects it.
    void goInside(ItemId item);
    void showMenu(int node, QPoint at);
    void requestPlaces(const GraphScene& scene, const QByteArray& signature);
    void present(const ScenePtr& scene, const QByteArray& signature);
    void keep(const QByteArray& signature, const ScenePtr& scene);

    QString stage_ = QStringLiteral("captured");
    QString wanted_ = stage_;      ///< what was chosen; it may be on its way yet
    RecordPtr of_ = emptyRecord(); ///< what is shown or being placed is of it,
    int compilation_ = 0;          ///< which came from this compilation
    QButtonGroup* stages_;
    OverflowRow* stageRow_;
    QLineEdit* search_;
    QLabel* found_;
    QString answer_; ///< how many were found
    GraphCanvas* canvas_;
    Legend* legend_;
    QComboBox* heatChoice_;
    QToolButton* scaleChoice_;
    QComboBox* foldChoice_;
    QLabel* counts_;
    QLabel* hint_;           ///< on the canvas: what is not here, and leads to where it is
    QStringList countTexts_; ///< from the longest to the shortest
    Folding folding_{FoldKind::Modules, {}, {}, kFoldRoom};
    QString anchor_;          ///< the box that was opened or closed last stays where it is
    bool revealNext_ = false; ///< what is selected, as soon as it is placed
    HeatKind heat_ = HeatKind::None;
    HeatScale scale_ = HeatScale::Logarithmic;
    NodeValuesPtr given_;
    std::vector<NodeValuesPtr> columns_; ///< of the file that was opened last
    QString overlay_; ///< of a plug-in, which given_ came from; empty: from a file
    RecordPtr overlayOf_;
    HeatMap map_;      ///< of what is shown
    QByteArray shown_; ///< signature on the screen
    QString shownOf_;  ///< stage, function and folding of that; empty: of another document
    QHash<QByteArray, ScenePtr> placed_; ///< by signature, so that an edit elsewhere moves nothing
    QList<QByteArray> placedOrder_;      ///< the oldest first
    int layoutId_ = 0;
    QTimer fallback_;
    LatestWork placer_, heater_; ///< last: they wait for what they do before the rest goes
};

} // namespace cutaway::views
