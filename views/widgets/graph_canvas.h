// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Paints a GraphScene: pan, zoom at the pointer, level of detail, a spatial grid, lit nodes,
/// keyboard navigation. Made for ten thousand nodes.
#pragma once

#include "views/models/graph_scene.h"
#include "views/models/spatial_grid.h"
#include "views/widgets/theme.h"

#include <QPixmap>
#include <QWidget>
#include <functional>

namespace cutaway::views {

class GraphCanvas : public QWidget {
    Q_OBJECT
public:
    explicit GraphCanvas(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setSelectionState(SelectionState* selection, const QObject* origin);
    /// \param keepView keeps zoom and place (same graph, new layout); else shows it from the top.
    /// \param anchor key of a box or a frame that stays where it is on the screen
    void setScene(GraphScene scene, bool keepView, const QString& anchor = {});
    const GraphScene& scene() const { return scene_; }
    /// Another one for each scene.
    int sceneNumber() const { return sceneNumber_; }
    /// Selects a node as a click does.
    void choose(int node);
    void setEmptyText(const QString& text);
    /// Text of a node's tooltip.
    void setTooltip(std::function<QString(const SceneNode&)> tooltip) {
        tooltip_ = std::move(tooltip);
    }

    void fit();
    void actualSize();
    void zoomBy(double factor) { zoomAt(rect().center(), factor); }
    const Theme& theme() const { return theme_; }
    bool isSelected(int node) const { return levelOf(node) == Highlight::Selected; }
    double zoom() const { return zoom_; }
    /// The part of the scene that the canvas shows.
    QRectF shownArea() const { return {toScene({0, 0}), toScene(QPointF(width(), height()))}; }
    /// Scrolls so that lit nodes are on the screen.
    void revealHighlight();
    void revealNode(int index);
    /// Nodes that a NodeQuery finds are marked. \returns how many.
    int setSearch(const QString& text);
    const QString& searchProblem() const { return searchProblem_; }
    const std::vector<bool>& matches() const { return matches_; }
    /// Nodes that step back, as a legend filters them; empty: none.
    void setDimmed(const std::function<bool(const SceneNode&)>& dimmed);
    /// Types along the edges, where there is room for them.
    void setEdgeTypes(bool shown);
    void goToMatch(int step);

    QSize sizeHint() const override { return {420, 320}; }
    /// Paints the whole scene, for export.
    void paintScene(QPainter& painter, const QRectF& area, double scale);

signals:
    void nodeActivated(ItemId item);
    /// A box is to be opened, or what was one closed again.
    void foldToggled(const QString& key, bool open);
    /// The menu of a node is asked for; -1: of the whole graph.
    void menuRequested(int node, QPoint globalPosition);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    QPointF toScene(QPointF p) const { return (p - offset_) / zoom_; }
    void zoomAt(QPointF at, double factor);
    void showFromTop();
    int nodeAt(QPointF scenePoint);
    /// The frame whose head is there; -1: none.
    int frameHeadAt(QPointF scenePoint) const;
    QRectF headOf(const SceneFrame& frame) const;
    bool opens(int node, QPointF scenePoint) const;
    int currentNode() const;
    // graph_travel.cpp
    void moveTo(int key);
    int neighbourAlong(int from, bool down) const;
    int neighbourAside(int from, int key) const;
    // graph_overview.cpp: the small map of a graph that is larger than the canvas
    QRectF overviewRect() const;
    void paintOverview(QPainter& painter);
    QPointF overviewToScene(QPointF p) const;
    void centerOn(QPointF scenePoint);
    void selectNode(int index, bool extend);
    Highlight levelOf(int node) const;
    bool anyLit() const;
    void paintBands(QPainter& painter, double scale) const;
    void paintBandTitles(QPainter& painter, double scale) const;
    void paintCut(QPainter& painter) const;
    void paintFrames(QPainter& painter, const QRectF& area, double scale) const;
    void paintOpener(QPainter& painter, const SceneNode& node, double scale) const;
    void paintEdge(QPainter& painter, const SceneEdge& edge, double scale) const;
    void paintEdgeTypes(QPainter& painter, const std::vector<int>& edges, double scale) const;
    void paintEdgeLabels(QPainter& painter, const std::vector<int>& edges, double scale) const;
    void paintNode(QPainter& painter, int index, double scale) const;
    void paintBadge(QPainter& painter, const SceneNode& node, bool faded, double scale) const;
    void paintBrief(QPainter& painter, const SceneNode& node, double scale) const;
    void paintNodeText(QPainter& painter, const SceneNode& node, double scale) const;

    GraphScene scene_;
    SpatialGrid nodeGrid_, edgeGrid_;
    Theme theme_;
    SelectionState* selection_ = nullptr;
    const QObject* origin_ = nullptr;
    std::function<QString(const SceneNode&)> tooltip_;
    QString emptyText_, search_, searchProblem_;
    std::vector<bool> matches_, dimmed_;
    QPixmap overview_; ///< nodes in their colours, painted when the scene or the theme changes
    bool edgeTypes_ = false, overviewDrag_ = false;
    double zoom_ = 1;
    QPointF offset_{40, 40};
    QPointF pressed_, offsetAtPress_;
    bool fades_ = false; ///< what is not lit steps back
    bool dragging_ = false, viewSet_ = false, fitted_ = true;
    int hovered_ = -1, sceneNumber_ = 0;
};

} // namespace cutaway::views
