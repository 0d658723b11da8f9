// SPDX-License-Identifier: Apache-2.0
#include "core/partition/flow_network.h"

// GCC 12 cannot see that Boost's edge iterators are set before they are read.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

#include <algorithm>

namespace cutaway::partition {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Descriptor = Traits::edge_descriptor;

struct VertexData {
    boost::default_color_type color = boost::white_color;
    int64_t distance = 0;
    Descriptor predecessor;
};
struct EdgeData {
    int64_t capacity = 0;
    int64_t residual = 0;
    Descriptor reverse;
};
using BoostGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, VertexData, EdgeData>;

/// Everything that reaches \p sink over edges with capacity left.
std::vector<bool> reaching(const BoostGraph& graph, size_t sink) {
    std::vector<bool> seen(boost::num_vertices(graph));
    std::vector<size_t> open{sink};
    seen[sink] = true;
    while (!open.empty()) {
        size_t at = open.back();
        open.pop_back();
        for (auto [edge, end] = boost::out_edges(at, graph); edge != end; ++edge) {
            size_t before = boost::target(*edge, graph);
            if (seen[before] || graph[graph[*edge].reverse].residual <= 0) continue;
            seen[before] = true;
            open.push_back(before);
        }
    }
    return seen;
}

} // namespace

void FlowNetwork::addEdge(int from, int to, int64_t capacity) {
    edges_.push_back({from, to, capacity});
}

std::vector<int> FlowNetwork::infinitePath() const {
    std::vector<std::vector<int>> next(static_cast<size_t>(vertices_) + 2);
    for (const Edge& edge : edges_)
        if (edge.capacity >= kInfinite) next[static_cast<size_t>(edge.from)].push_back(edge.to);
    std::vector<int> before(next.size(), -1);
    std::vector<int> open{source()};
    for (size_t k = 0; k < open.size(); ++k)
        for (int to : next[static_cast<size_t>(open[k])])
            if (before[static_cast<size_t>(to)] < 0 && to != source()) {
                before[static_cast<size_t>(to)] = open[k];
                open.push_back(to);
            }
    std::vector<int> path;
    if (before[static_cast<size_t>(sink())] < 0) return path;
    for (int at = sink(); at >= 0; at = before[static_cast<size_t>(at)])
        path.push_back(at);
    std::reverse(path.begin(), path.end());
    return path;
}

FlowNetwork::Cut FlowNetwork::minimumCut() const {
    BoostGraph graph(static_cast<size_t>(vertices_) + 2);
    for (const Edge& edge : edges_) {
        auto from = static_cast<size_t>(edge.from), to = static_cast<size_t>(edge.to);
        Descriptor there = boost::add_edge(from, to, graph).first;
        Descriptor back = boost::add_edge(to, from, graph).first;
        graph[there].capacity = edge.capacity;
        graph[there].reverse = back;
        graph[back].reverse = there;
    }
    Cut cut;
    cut.value = boost::boykov_kolmogorov_max_flow(
        graph, boost::get(&EdgeData::capacity, graph), boost::get(&EdgeData::residual, graph),
        boost::get(&EdgeData::reverse, graph), boost::get(&VertexData::predecessor, graph),
        boost::get(&VertexData::color, graph), boost::get(&VertexData::distance, graph),
        boost::get(boost::vertex_index, graph), static_cast<size_t>(source()),
        static_cast<size_t>(sink()));
    cut.sinkSide = reaching(graph, static_cast<size_t>(sink()));
    return cut;
}

} // namespace cutaway::partition
