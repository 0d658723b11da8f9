// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Draws a placed scene with any QPainter, on any thread: level of detail, lights, colours.
#pragma once

#include "views/models/placed_scene.h"
#include "views/widgets/theme.h"

#include <QFontMetricsF>

class QPainter;
class QPen;

namespace cutaway::views {

/// What a scene looks like beside its geometry; each list is by the index of a node, or empty.
struct SceneLook {
    Theme theme;
    QFont font;
    std::vector<Highlight> lights;
    std::vector<int> heat; ///< class of a heat map; -1: none
    std::vector<bool> matches, dimmed;
    bool fades = false;    ///< what is not lit steps back
    uint8_t edgeTypes = 0; ///< EdgeWords that are written along edges

    Highlight light(int node) const {
        return lights.empty() ? Highlight::None : lights[static_cast<size_t>(node)];
    }
    bool isFound(int node) const { return !matches.empty() && matches[static_cast<size_t>(node)]; }
    bool isDimmed(int node) const { return !dimmed.empty() && dimmed[static_cast<size_t>(node)]; }
};

/// What of a title has room: only what stands before its ending is shortened, in the middle or at
/// its end; without room for the ending there is none at all.
QString fittingTitle(const QFontMetricsF& metrics, const QString& title, const QString& ending,
                     Qt::TextElideMode mode, double room);

/// The type of a node that says one line: the smaller the picture, the larger, as far as the line has
/// \p room, but never smaller than usual.
QFont briefFont(const QFont& usual, const QString& text, double scale, double room);

class ScenePainter {
public:
    static constexpr double kTypeScale = 0.85; ///< from which on types fit beside edges
    /// Refers to both. \param hovered the node that is pointed at; -1: none
    ScenePainter(const PlacedScene& placed, const SceneLook& look, int hovered = -1)
        : placed_(placed), scene_(placed.graph), look_(look), hovered_(hovered) {}

    /// All that touches \p area, in scene coordinates. \param scale pixels of the screen for one of
    /// the scene
    void paint(QPainter& painter, const QRectF& area, double scale) const;
    /// Without its edges.
    void paintSketch(QPainter& painter, const QRectF& area, double scale) const;
    void paintNodes(QPainter& painter, const std::vector<int>& nodes, double scale) const;
    QColor colorOf(int node) const;
    /// Of a node without a text: of a difference between two graphs what became of it, in others
    /// what colorOf() says.
    QColor colorFromAfar(int node) const;

    /// A text on a ground of its own, or a heading: nothing may cover part of it.
    struct Placed {
        QRectF box;
        QString text;
        QColor color;
    };
    /// Labels of those edges that have room, the larger tensors' first.
    std::vector<Placed> edgeLabels(const std::vector<int>& edges, double scale) const;
    /// What flows along those edges, where it lies on no node and on no other.
    std::vector<Placed> edgeTypes(const std::vector<int>& edges) const;
    /// What stands above the bands and above the cut between them, in bandTitleFont().
    std::vector<Placed> bandTitles(double scale) const;

private:
    QFont edgeLabelFont(double scale) const;
    QFont edgeTypeFont() const;
    QFont bandTitleFont(double scale) const;
    int heatOf(int node) const {
        return look_.heat.empty() ? -1 : look_.heat[static_cast<size_t>(node)];
    }
    void paintBands(QPainter& painter, double scale) const;
    void paintBandTitles(QPainter& painter, double scale) const;
    void paintCut(QPainter& painter) const;
    double frameTint() const;
    void paintFrames(QPainter& painter, const QRectF& area, double scale) const;
    void paintFrameTitles(QPainter& painter, const QRectF& area, double scale) const;
    void paintEdge(QPainter& painter, const SceneEdge& edge, double scale) const;
    void paintEdgeTypes(QPainter& painter, const std::vector<int>& edges) const;
    void paintEdgeLabels(QPainter& painter, const std::vector<int>& edges, double scale) const;
    void paintNode(QPainter& painter, int index, double scale) const;
    void paintFromAfar(QPainter& painter, int index, double scale) const;
    /// How a node is coloured.
    struct Coat {
        QColor head, body, ink; ///< the ink is of what is written on the head
        bool isFull = false;    ///< the head has the node's colour, else that of the body
        bool isLit = false;     ///< the body has the selection's
    };
    Coat coatOf(int node, bool faded) const;
    static bool isInLines(const SceneNode& node, double scale);
    void paintHead(QPainter& painter, const SceneNode& node, const Coat& coat, const QPen& pen,
                   double radius) const;
    void paintBadge(QPainter& painter, int node, const Coat& coat, bool faded, double scale) const;
    void paintBrief(QPainter& painter, const SceneNode& node, const Coat& coat, double scale) const;
    void paintNodeText(QPainter& painter, const SceneNode& node, const Coat& coat,
                       double scale) const;
    void paintOpener(QPainter& painter, const SceneNode& node, const Coat& coat,
                     double scale) const;

    const PlacedScene& placed_;
    const GraphScene& scene_;
    const SceneLook& look_;
    int hovered_;
};

} // namespace cutaway::views
