// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/compound_layout.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace cutaway::views {

namespace {

constexpr double kPortWidth = 8;

/// What stands in a frame: a node, a frame, or the place at a rim where a value enters or leaves.
enum class VertexKind : uint8_t { In, Body, Out };
struct Vertex {
    VertexKind kind = VertexKind::Body;
    int node = -1;  ///< or the value that enters or leaves
    int frame = -1; ///< instead of a node
    int order = 0;  ///< the first node in it
};

struct Level {
    std::vector<Vertex> vertices;
    std::map<std::tuple<VertexKind, int, int>, int> index;
    std::map<std::tuple<int, int, int>, int> edgeIndex;
    std::vector<std::pair<int, int>> edges;
    std::vector<int> values; ///< by edge
    LayoutResult result;
    QPointF origin; ///< what moves its own coordinates to those of the drawing
    QRectF frame;   ///< in those of the drawing
};

struct Segment {
    int level = 0, edge = 0;
};

class Compound {
public:
    explicit Compound(const CompoundInput& input)
        : input_(input), levels_(input.parents.size() + 1),
          firstOf_(input.parents.size(), std::numeric_limits<int>::max()) {}

    CompoundResult run() {
        for (size_t i = 0; i < input_.flat.sizes.size(); ++i)
            for (int f = input_.frameOf[i]; f >= 0; f = parent(f))
                firstOf_[static_cast<size_t>(f)] =
                    std::min(firstOf_[static_cast<size_t>(f)], static_cast<int>(i));
        for (size_t i = 0; i < input_.flat.sizes.size(); ++i)
            body(input_.frameOf[i], static_cast<int>(i), -1);
        for (size_t f = 0; f < input_.parents.size(); ++f)
            body(input_.parents[f], -1, static_cast<int>(f));
        for (auto [from, to] : input_.flat.edges)
            thread(from, to);
        for (size_t f = input_.parents.size() + 1; f-- > 0;)
            place(static_cast<int>(f) - 1);
        moveAll();
        return result();
    }

private:
    int parent(int frame) const { return input_.parents[static_cast<size_t>(frame)]; }
    Level& level(int frame) { return levels_[static_cast<size_t>(frame + 1)]; }

    int vertex(int at, VertexKind kind, int node, int frame) {
        Level& in = level(at);
        auto [found, isNew] =
            in.index.try_emplace({kind, node, frame}, static_cast<int>(in.vertices.size()));
        if (isNew)
            in.vertices.push_back(
                {kind, node, frame, frame < 0 ? node : firstOf_[static_cast<size_t>(frame)]});
        return found->second;
    }
    int body(int at, int node, int frame) { return vertex(at, VertexKind::Body, node, frame); }

    void segment(int at, int from, int to, int value) {
        Level& in = level(at);
        auto [found, isNew] =
            in.edgeIndex.try_emplace({from, to, value}, static_cast<int>(in.edges.size()));
        if (isNew) {
            in.edges.emplace_back(from, to);
            in.values.push_back(value);
        }
        segments_.back().push_back({at, found->second});
    }

    /// Leads an edge up out of the frames of its source and down into those of its target.
    void thread(int from, int to) {
        segments_.emplace_back();
        std::vector<int> up, down; // frames, from the inside
        for (int f = input_.frameOf[static_cast<size_t>(from)]; f >= 0; f = parent(f))
            up.push_back(f);
        for (int f = input_.frameOf[static_cast<size_t>(to)]; f >= 0; f = parent(f))
            down.push_back(f);
        while (!up.empty() && !down.empty() && up.back() == down.back()) {
            up.pop_back();
            down.pop_back();
        }
        int at = input_.frameOf[static_cast<size_t>(from)];
        int current = body(at, from, -1);
        for (int f : up) {
            segment(f, current, vertex(f, VertexKind::Out, from, -1), from);
            at = parent(f);
            current = body(at, -1, f);
        }
        for (size_t k = down.size(); k-- > 0;) {
            segment(at, current, body(at, -1, down[k]), from);
            at = down[k];
            current = vertex(at, VertexKind::In, from, -1);
        }
        segment(at, current, body(at, to, -1), from);
    }

    QSizeF sizeOf(const Vertex& vertex) {
        if (vertex.kind != VertexKind::Body) return {kPortWidth, 0};
        if (vertex.frame < 0) return input_.flat.sizes[static_cast<size_t>(vertex.node)];
        const QRectF inside = level(vertex.frame).result.bounds;
        const double title = input_.titleWidths[static_cast<size_t>(vertex.frame)];
        return {std::max(inside.width(), title) + 2 * kFrameMargin,
                inside.height() + 2 * kFrameMargin + kFrameHead};
    }

    /// All frames inside were placed before.
    void place(int frame) {
        Level& at = level(frame);
        // Cycles between frames are cut where the nodes stand in this order.
        std::vector<int> order(at.vertices.size()), rank(at.vertices.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, {}, [&](int v) {
            const Vertex& vertex = at.vertices[static_cast<size_t>(v)];
            return std::pair(vertex.kind, vertex.order);
        });
        LayoutInput input;
        input.rankGap = input_.flat.rankGap;
        input.nodeGap = input_.flat.nodeGap;
        input.narrow = input_.flat.narrow;
        for (size_t i = 0; i < order.size(); ++i) {
            const Vertex& vertex = at.vertices[static_cast<size_t>(order[i])];
            rank[static_cast<size_t>(order[i])] = static_cast<int>(i);
            input.sizes.push_back(sizeOf(vertex));
            input.pins.push_back(vertex.kind == VertexKind::In    ? int8_t(-1)
                                 : vertex.kind == VertexKind::Out ? int8_t(1)
                                                                  : int8_t(0));
        }
        for (auto [from, to] : at.edges)
            input.edges.emplace_back(rank[static_cast<size_t>(from)],
                                     rank[static_cast<size_t>(to)]);
        LayoutResult made = layeredLayout(input);
        at.result = made;
        for (size_t v = 0; v < order.size(); ++v)
            at.result.centers[static_cast<size_t>(order[v])] = made.centers[v];
    }

    void moveAll() {
        for (size_t f = 0; f < input_.parents.size(); ++f) { // parents come first
            const Level& outer = level(input_.parents[f]);
            Level& inner = level(static_cast<int>(f));
            const int at = outer.index.at({VertexKind::Body, -1, static_cast<int>(f)});
            inner.frame = QRectF(QPointF(), sizeOf(outer.vertices[static_cast<size_t>(at)]));
            inner.frame.moveCenter(outer.result.centers[static_cast<size_t>(at)] + outer.origin);
            const QRectF bounds = inner.result.bounds;
            const double top = kFrameMargin + (input_.headBelow ? 0 : kFrameHead);
            inner.origin = QPointF(inner.frame.center().x() - bounds.center().x(),
                                   inner.frame.top() + top - bounds.top());
        }
    }

    /// Where a value passes the rim of a frame.
    QPointF port(int frame, VertexKind kind, int value) {
        const Level& at = level(frame);
        const int v = at.index.at({kind, value, -1});
        return {at.result.centers[static_cast<size_t>(v)].x() + at.origin.x(),
                kind == VertexKind::In ? at.frame.top() : at.frame.bottom()};
    }

    CompoundResult result() {
        CompoundResult out;
        out.flat.bounds = level(-1).result.bounds;
        for (size_t f = 0; f < input_.parents.size(); ++f)
            out.frames.push_back(level(static_cast<int>(f)).frame);
        for (size_t i = 0; i < input_.flat.sizes.size(); ++i) {
            const Level& at = level(input_.frameOf[i]);
            const int v = at.index.at({VertexKind::Body, static_cast<int>(i), -1});
            out.flat.centers.push_back(at.result.centers[static_cast<size_t>(v)] + at.origin);
        }
        for (const auto& segments : segments_) {
            std::vector<QPointF> points;
            for (const Segment& segment : segments) {
                Level& at = level(segment.level);
                const auto& route = at.result.routes[static_cast<size_t>(segment.edge)];
                const auto [from, to] = at.edges[static_cast<size_t>(segment.edge)];
                const int value = at.values[static_cast<size_t>(segment.edge)];
                const size_t first = points.size();
                for (QPointF p : route)
                    points.push_back(p + at.origin);
                const Vertex &source = at.vertices[static_cast<size_t>(from)],
                             &target = at.vertices[static_cast<size_t>(to)];
                if (source.frame >= 0) points[first] = port(source.frame, VertexKind::Out, value);
                if (target.frame >= 0) points.back() = port(target.frame, VertexKind::In, value);
            }
            out.flat.routes.push_back(std::move(points));
        }
        return out;
    }

    const CompoundInput& input_;
    std::vector<Level> levels_; ///< of the drawing itself, then by frame
    std::vector<int> firstOf_;
    std::vector<std::vector<Segment>> segments_; ///< by edge
};

} // namespace

CompoundResult compoundLayout(const CompoundInput& input) {
    if (input.parents.empty()) return {layeredLayout(input.flat), {}};
    return Compound(input).run();
}

} // namespace cutaway::views
