// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Shows a scene: pan, zoom at the pointer, lit nodes, keyboard navigation. Few nodes are painted
/// where they are needed; many on another thread, as pictures that are moved and stretched until
/// the next ones are there, so that a frame of a hundred thousand costs no more than one of a
/// hundred.
#pragma once

#include "views/models/latest_work.h"
#include "views/widgets/scene_painter.h"

#include <QImage>
#include <QWidget>
#include <functional>
#include <optional>

namespace cutaway::views {

class GraphCanvas : public QWidget {
    Q_OBJECT
public:
    explicit GraphCanvas(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setSelectionState(SelectionState* selection, const QObject* origin);
    /// \param keepView keeps zoom and place (same graph, new layout); else shows it from the top.
    /// \param anchor key of a box or a frame that stays where it is on the screen
    void setScene(ScenePtr scene, bool keepView, const QString& anchor = {});
    /// The same graph after an edit: who went to a part of it goes on seeing that, where it was.
    void setEdited(ScenePtr scene);
    const GraphScene& scene() const { return scene_->graph; }
    const ScenePtr& placedScene() const { return scene_; }
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
    const Theme& theme() const { return look_.theme; }
    bool isSelected(int node) const { return levelOf(node) == Highlight::Selected; }
    double zoom() const { return zoom_; }
    /// The part of the scene that the canvas shows.
    QRectF shownArea() const { return {toScene({0, 0}), toScene(QPointF(width(), height()))}; }
    /// Scrolls so that lit nodes are on the screen.
    void revealHighlight();
    void revealNode(int index);
    /// Nodes that a NodeQuery finds are marked, and boxes that hold some. \returns how many nodes
    /// there are, those in boxes counted, too.
    int setSearch(const QString& text);
    /// What it found, in boxes, too.
    const std::vector<ItemId>& foundItems() const { return found_; }
    /// Of the small map of a graph that is larger than the canvas; empty: there is none. It hides
    /// neither numbers nor headings of the graph.
    QRectF overviewRect() const;
    /// What those stand on, in scene coordinates.
    std::vector<QRectF> textsShown() const;
    const QString& searchProblem() const { return searchProblem_; }
    const std::vector<bool>& matches() const { return look_.matches; }
    /// Nodes that step back, as a legend filters them; empty: none.
    void setDimmed(std::vector<bool> dimmed);
    /// Classes of a heat map, by index; empty: nodes are coloured by their kinds.
    void setHeat(std::vector<int> heat);
    const std::vector<int>& heat() const { return look_.heat; }
    /// Types along the edges, where there is room for them: a graph from afar is gone nearer to.
    /// \param words which EdgeWords of them; 0: none
    void setEdgeTypes(uint8_t words);
    uint8_t edgeTypes() const { return look_.edgeTypes; }
    void goToMatch(int step);

    QSize sizeHint() const override { return {420, 320}; }
    /// Something of the scene can be seen.
    bool isShown() const;
    /// False while a picture is wanted or on its way.
    bool isSettled();

signals:
    /// A box is to be opened, or what was one closed again.
    void foldToggled(const QString& key, bool open);
    /// What was gone to stands in a box that is closed.
    void insideWanted(ItemId item);
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
    void open();
    void showFromTop();
    void follow();
    int nodeAt(QPointF scenePoint) const;
    /// The frame whose head is there; -1: none.
    int frameHeadAt(QPointF scenePoint) const;
    bool opens(int node, QPointF scenePoint) const;
    int currentNode() const;
    // graph_travel.cpp
    void moveTo(int key);
    int neighbourAlong(int from, bool down) const;
    int neighbourAside(int from, int key) const;
    // graph_overview.cpp: the small map
    std::optional<QPointF> overviewCorner(QSizeF size) const;
    size_t nodesIn(const QRectF& area) const;
    QRectF placedOverview() const;
    void paintOverview(QPainter& painter);
    void refreshOverview(QSizeF size);
    QPointF overviewToScene(QPointF p) const;
    void centerOn(QPointF scenePoint);
    void selectNode(int index, bool extend);
    Highlight levelOf(int node) const;
    // graph_pictures.cpp
    /// What was painted, how and when.
    struct Picture {
        QImage image;
        QRectF area; ///< of the scene
        double scale = 0;
        int look = 0; ///< lookNumber_ of then
    };
    bool paintsItself() const;
    QRectF wantedArea() const;
    QRectF picturedArea(double scale) const;
    bool wantsPart() const;
    void paintPictures(QPainter& painter);
    void paintFocus(QPainter& painter) const;
    void requestPicture();
    /// \param colours the overview shows it, too
    void changeLook(bool colours);
    void refreshLights();

    ScenePtr scene_;
    SceneLook look_;
    bool lightsOld_ = false; ///< the selection changed since
    int lookNumber_ = 1;     ///< another one for every scene and look
    Picture part_, whole_;
    SelectionState* selection_ = nullptr;
    const QObject* origin_ = nullptr;
    std::function<QString(const SceneNode&)> tooltip_;
    QString emptyText_, search_, searchProblem_;
    std::vector<ItemId> found_;
    QImage overview_; ///< nodes in their colours
    int overviewLook_ = 0, coloursNumber_ = 1;
    bool overviewDrag_ = false;
    mutable QRectF overviewRect_;                       ///< of overviewOf_
    mutable std::pair<int, QRectF> overviewOf_{-1, {}}; ///< scene and the part that is shown
    double zoom_ = 1;
    QPointF offset_{40, 40};
    QPointF pressed_, offsetAtPress_;
    bool dragging_ = false, viewSet_ = false;
    /// How the view follows the size of the canvas, chosen when a scene is opened: what was looked
    /// at is not shown otherwise because the canvas got a little smaller.
    enum class View : uint8_t { Whole, FromTop, Free };
    View view_ = View::Whole;
    bool seen_ = false;             ///< painted since that was chosen
    QString openedByKey_;           ///< the box, until it is placed open
    std::function<void()> atSight_; ///< what is to be shown, as soon as the size for it is known
    int hovered_ = -1, sceneNumber_ = 0;
    LatestWork painter_; ///< last: it waits for what it does before the rest goes
};

} // namespace cutaway::views
