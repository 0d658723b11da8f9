// SPDX-License-Identifier: Apache-2.0
/// \file
/// Minimum cut of a directed network with one source and one sink.
#pragma once

#include <cstdint>
#include <vector>

namespace cutaway::partition {

class FlowNetwork {
public:
    static constexpr int64_t kInfinite = int64_t{1} << 61;

    explicit FlowNetwork(int vertices) : vertices_(vertices) {}
    int source() const { return vertices_; }
    int sink() const { return vertices_ + 1; }
    /// Finite capacities must add up to less than kInfinite.
    void addEdge(int from, int to, int64_t capacity);

    /// A path from source to sink along which no edge can be cut; empty when there is none.
    std::vector<int> infinitePath() const;

    struct Cut {
        int64_t value = 0;
        /// By vertex: it can still reach the sink when all flow is sent, so the edges into this set
        /// are the minimum cut nearest the sink. That set is the same for every maximum flow (and
        /// is what NetworkX, hence PyTorch up to 2.11, takes).
        std::vector<bool> sinkSide;
    };
    /// Requires: infinitePath() is empty. Method: Boykov and Kolmogorov, PAMI 26 (2004), as in
    /// Boost.Graph.
    Cut minimumCut() const;

    /// The same cut step by step, for people to follow: one path after the other, each with as much
    /// as its narrowest edge still takes, always a shortest one (Edmonds and Karp, JACM 19, 1972);
    /// then what can still reach the sink. Slow: for networks of some thousand edges.
    struct Story {
        struct Path {
            std::vector<int> vertices; ///< from source to sink
            int64_t flow = 0;          ///< sent along it
            int narrow = 0;            ///< vertex whose edge to the next one is full now: the first
        };
        std::vector<Path> paths;
        std::vector<int> fromSink; ///< by vertex: edges to the sink in the end; -1: none lead there
        int64_t value = 0;
    };
    Story follow() const;

private:
    struct Edge {
        int from, to;
        int64_t capacity;
    };
    int vertices_;
    std::vector<Edge> edges_;
};

} // namespace cutaway::partition
