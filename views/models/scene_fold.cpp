// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes in which boxes stand for several nodes, and frames around the parts of open ones.
#include "views/models/format.h"
#include "views/models/graph_scene.h"

#include <algorithm>
#include <array>
#include <map>
#include <ranges>

namespace cutaway::views {

namespace {

constexpr double kBoxPadding = 12, kBoxBadge = 18, kLeastBox = 84, kMostBox = 320;

/// What most of its calls are, views aside.
OpKind mostOften(const std::vector<int>& members, const GraphScene& scene) {
    std::array<int, kOpKinds> counts{};
    for (int member : members) {
        const OpKind kind = scene.nodes[static_cast<size_t>(member)].kind;
        if (kind != OpKind::Input && kind != OpKind::Constant && kind != OpKind::View)
            ++counts[static_cast<size_t>(kind)];
    }
    const auto most = std::ranges::max_element(counts);
    return *most > 0 ? static_cast<OpKind>(most - counts.begin())
                     : scene.nodes[static_cast<size_t>(members.back())].kind;
}

SceneNode boxOf(const Fold& fold, const GraphScene& scene, const TextWidth& width) {
    const SceneNode* last = &scene.nodes[static_cast<size_t>(fold.members.back())];
    for (int member : fold.members) // parameters may stand last
        if (const SceneNode& node = scene.nodes[static_cast<size_t>(member)]; !node.op.isEmpty())
            last = &node;
    SceneNode box = *last;
    box.fold = fold.key;
    box.frame = fold.frame;
    box.title = fold.title;
    box.brief = fold.brief;
    box.ending = fold.ending;
    box.name.clear();
    box.op.clear();
    box.kind = mostOften(fold.members, scene);
    box.output = false;
    box.ghost = std::ranges::all_of(
        fold.members, [&](int member) { return scene.nodes[static_cast<size_t>(member)].ghost; });
    for (int member : fold.members) {
        box.members.push_back(scene.nodes[static_cast<size_t>(member)].item);
        box.output = box.output || scene.nodes[static_cast<size_t>(member)].output;
    }
    // Decisions and facts are asked for by what the box is first of.
    box.item = box.members.front();
    for (int member : std::views::reverse(fold.members)) // its inputs may stand first
        if (const SceneNode& node = scene.nodes[static_cast<size_t>(member)]; !node.op.isEmpty())
            box.item = node.item;
    const double wide = std::max({width(box.title, true), width(box.subtitle, false),
                                  kBriefGrowth * width(box.brief, false)});
    const double type = typeScale(width);
    box.rect.setWidth(std::clamp(wide + 2 * kBoxPadding + type * kBoxBadge + kOpenerWidth,
                                 kLeastBox, type * kMostBox));
    return box;
}

/// Edges inside of a box go, equal ones are one; what is saved along them adds up.
void joinEdges(GraphScene& out, std::vector<SceneEdge> edges, const std::vector<int>& place) {
    std::map<std::tuple<int, int, EdgeStyle>, size_t> seen;
    for (SceneEdge& edge : edges) {
        edge.from = place[static_cast<size_t>(edge.from)];
        edge.to = place[static_cast<size_t>(edge.to)];
        if (edge.from == edge.to) continue;
        const auto [at, isNew] =
            seen.try_emplace({edge.from, edge.to, edge.style}, out.edges.size());
        if (isNew) {
            out.edges.push_back(std::move(edge));
        } else {
            out.edges[at->second].savedBytes += edge.savedBytes;
            out.edges[at->second].width = std::max(out.edges[at->second].width, edge.width);
        }
    }
}

} // namespace

std::vector<int> foldScene(GraphScene& scene, const FoldPlan& plan, const TextWidth& width) {
    std::vector<int> place(scene.nodes.size(), -1);
    if (plan.boxes.empty() && plan.frames.empty()) {
        for (size_t i = 0; i < place.size(); ++i)
            place[i] = static_cast<int>(i);
        return place;
    }
    std::vector<int> boxes(scene.nodes.size(), -1);
    for (size_t b = 0; b < plan.boxes.size(); ++b)
        for (int member : plan.boxes[b].members)
            boxes[static_cast<size_t>(member)] = static_cast<int>(b);
    GraphScene out;
    std::vector<int> made(plan.boxes.size(), -1);
    for (size_t i = 0; i < scene.nodes.size(); ++i) {
        const int b = boxes[i];
        if (b >= 0 && made[static_cast<size_t>(b)] >= 0) {
            place[i] = made[static_cast<size_t>(b)];
            continue;
        }
        place[i] = static_cast<int>(out.nodes.size());
        if (b < 0) {
            out.nodes.push_back(scene.nodes[i]);
            out.nodes.back().frame = plan.frameOf[i];
        } else {
            out.nodes.push_back(boxOf(plan.boxes[static_cast<size_t>(b)], scene, width));
            made[static_cast<size_t>(b)] = place[i];
        }
    }
    for (size_t b = 0; b < plan.boxes.size(); ++b) {
        auto inside = std::make_shared<std::vector<SceneNode>>();
        for (int member : plan.boxes[b].members)
            inside->push_back(std::move(scene.nodes[static_cast<size_t>(member)]));
        if (made[b] >= 0) out.nodes[static_cast<size_t>(made[b])].inside = std::move(inside);
    }
    joinEdges(out, std::move(scene.edges), place);
    for (const FoldFrame& frame : plan.frames)
        out.frames.push_back({frame.key, frame.title, frame.parent, {}, width(frame.title, true)});
    scene = std::move(out);
    return place;
}

} // namespace cutaway::views
