// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/layout_request.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace cutaway::views {

using nlohmann::json;

namespace {

constexpr double kBeside = 5; ///< between a line that passes and a box
constexpr double kPile = 4;   ///< what is drawn around a box that opens

std::optional<QPointF> pointFromJson(const json& from) {
    if (!from.is_array() || from.size() != 2 || !from[0].is_number() || !from[1].is_number())
        return std::nullopt;
    QPointF point(from[0].get<double>(), from[1].get<double>());
    if (!std::isfinite(point.x()) || !std::isfinite(point.y())) return std::nullopt;
    return point;
}

/// Graphviz counts y upwards, the screen downwards: edges should lead down.
void putUpright(GraphScene& scene) {
    double down = 0;
    for (const SceneEdge& edge : scene.edges)
        down += scene.nodes[static_cast<size_t>(edge.to)].rect.center().y() -
                scene.nodes[static_cast<size_t>(edge.from)].rect.center().y();
    if (down >= 0) return;
    for (SceneNode& node : scene.nodes)
        node.rect.moveCenter({node.rect.center().x(), -node.rect.center().y()});
    for (SceneEdge& edge : scene.edges)
        for (QPointF& p : edge.points)
            p.setY(-p.y());
}

} // namespace

std::optional<GraphScene> placedFromJson(GraphScene scene, const json& reply) {
    if (!reply.is_object() || !reply.contains("positions") || !reply.contains("edges"))
        return std::nullopt;
    const json &positions = reply["positions"], &edges = reply["edges"];
    if (!positions.is_array() || positions.size() != scene.nodes.size() || !edges.is_array() ||
        edges.size() != scene.edges.size())
        return std::nullopt;
    for (size_t i = 0; i < scene.nodes.size(); ++i) {
        auto center = pointFromJson(positions[i]);
        if (!center) return std::nullopt;
        scene.nodes[i].rect.moveCenter(*center);
    }
    for (size_t e = 0; e < scene.edges.size(); ++e) {
        SceneEdge& edge = scene.edges[e];
        edge.points.clear();
        if (!edges[e].is_array()) return std::nullopt;
        for (const json& item : edges[e])
            if (auto point = pointFromJson(item)) edge.points.push_back(*point);
        if (edge.points.size() < 2)
            edge.points = {scene.nodes[static_cast<size_t>(edge.from)].rect.center(),
                           scene.nodes[static_cast<size_t>(edge.to)].rect.center()};
    }
    putUpright(scene);
    scene.smoothed = true;
    scene.bounds = {};
    for (const SceneNode& node : scene.nodes)
        scene.bounds |= node.rect;
    for (const SceneEdge& edge : scene.edges)
        for (QPointF p : edge.points)
            scene.bounds |= QRectF(p - QPointF(1, 1), QSizeF(2, 2));
    return scene;
}

json layoutQuestion(const GraphScene& scene) {
    json nodes = json::array(), edges = json::array();
    for (size_t i = 0; i < scene.nodes.size(); ++i) {
        const SceneNode& node = scene.nodes[i];
        const double beside = kBeside + (node.fold.isEmpty() ? 0 : kPile);
        nodes.push_back(
            {{"id", i}, {"w", node.rect.width() + 2 * beside}, {"h", node.rect.height()}});
    }
    for (const SceneEdge& edge : scene.edges)
        edges.push_back({edge.from, edge.to});
    return {{"nodes", nodes}, {"edges", edges}};
}

int requestLayout(EngineClient& engine, const GraphScene& scene, int budgetMs,
                  std::function<void(std::optional<GraphScene>)> done) {
    json params = layoutQuestion(scene);
    params["budgetMs"] = budgetMs;
    return engine.request(
        "layout", std::move(params),
        [scene, done = std::move(done)](const EngineReply& reply) {
            if (reply.error) return done(std::nullopt);
            done(placedFromJson(scene, *reply.result));
        },
        budgetMs * 2 + 1000);
}

} // namespace cutaway::views
