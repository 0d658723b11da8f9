// SPDX-License-Identifier: Apache-2.0
// The minimum cut by shortest augmenting paths: what a person can follow.
#include "core/base/tick.h"
#include "core/partition/flow_network.h"

#include <algorithm>
#include <tuple>

namespace cutaway::partition {
namespace {

/// Edges in pairs: 2 k and its reverse 2 k + 1.
struct Residual {
    std::vector<int> to;
    std::vector<int64_t> room;
    std::vector<std::vector<int>> from; ///< edges by vertex

    explicit Residual(size_t vertices) : from(vertices) {}
    void add(int a, int b, int64_t capacity) {
        for (const auto& [tail, head, left] : {std::tuple{a, b, capacity}, {b, a, int64_t{0}}}) {
            from[static_cast<size_t>(tail)].push_back(static_cast<int>(to.size()));
            to.push_back(head);
            room.push_back(left);
        }
    }

    /// Edges of a shortest path with room; empty: there is none.
    std::vector<int> shortestPath(int source, int sink) const {
        std::vector<int> by(from.size(), -1);
        std::vector<int> open{source};
        for (size_t k = 0; k < open.size() && by[static_cast<size_t>(sink)] < 0; ++k)
            for (int edge : from[static_cast<size_t>(open[k])]) {
                const int next = to[static_cast<size_t>(edge)];
                if (room[static_cast<size_t>(edge)] <= 0 || next == source ||
                    by[static_cast<size_t>(next)] >= 0)
                    continue;
                by[static_cast<size_t>(next)] = edge;
                open.push_back(next);
            }
        std::vector<int> path;
        if (by[static_cast<size_t>(sink)] < 0) return path;
        for (int at = sink; at != source; at = to[static_cast<size_t>(path.back() ^ 1)])
            path.push_back(by[static_cast<size_t>(at)]);
        std::reverse(path.begin(), path.end());
        return path;
    }

    /// Distances to the sink over edges with room.
    std::vector<int> toSink(int sink) const {
        std::vector<int> distance(from.size(), -1);
        std::vector<int> open{sink};
        distance[static_cast<size_t>(sink)] = 0;
        for (size_t k = 0; k < open.size(); ++k)
            for (int edge : from[static_cast<size_t>(open[k])]) {
                const int before = to[static_cast<size_t>(edge)];
                if (room[static_cast<size_t>(edge ^ 1)] <= 0 ||
                    distance[static_cast<size_t>(before)] >= 0)
                    continue;
                distance[static_cast<size_t>(before)] = distance[static_cast<size_t>(open[k])] + 1;
                open.push_back(before);
            }
        return distance;
    }
};

} // namespace

FlowNetwork::Story FlowNetwork::follow() const {
    Residual residual(static_cast<size_t>(vertices_) + 2);
    for (const Edge& edge : edges_)
        residual.add(edge.from, edge.to, edge.capacity);
    Story story;
    while (true) {
        base::tick();
        const std::vector<int> edges = residual.shortestPath(source(), sink());
        if (edges.empty()) break;
        auto room = [&](int edge) { return residual.room[static_cast<size_t>(edge)]; };
        const int narrow = *std::min_element(edges.begin(), edges.end(),
                                             [&](int a, int b) { return room(a) < room(b); });
        Story::Path path;
        path.flow = room(narrow);
        path.narrow = residual.to[static_cast<size_t>(narrow ^ 1)];
        path.vertices.push_back(source());
        for (int edge : edges) {
            residual.room[static_cast<size_t>(edge)] -= path.flow;
            residual.room[static_cast<size_t>(edge ^ 1)] += path.flow;
            path.vertices.push_back(residual.to[static_cast<size_t>(edge)]);
        }
        story.value += path.flow;
        story.paths.push_back(std::move(path));
    }
    story.fromSink = residual.toSink(sink());
    return story;
}

} // namespace cutaway::partition
