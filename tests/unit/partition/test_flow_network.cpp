// SPDX-License-Identifier: Apache-2.0
#include "core/partition/flow_network.h"

#include <QtTest>

#include <random>

using cutaway::partition::FlowNetwork;

namespace {

struct Edge {
    int from, to;
    int64_t capacity;
};

/// Smallest capacity over all 2^vertices cuts, and the smallest sink side that reaches it.
std::pair<int64_t, uint32_t> bruteForce(int vertices, const std::vector<Edge>& edges) {
    int64_t best = FlowNetwork::kInfinite;
    uint32_t bestSide = 0;
    for (uint32_t side = 0; side < (1u << vertices); ++side) {
        auto onSinkSide = [&](int v) {
            return v == vertices + 1 || (v < vertices && ((side >> v) & 1u));
        };
        int64_t sum = 0;
        for (const Edge& edge : edges)
            if (!onSinkSide(edge.from) && onSinkSide(edge.to)) sum += edge.capacity;
        if (sum < best || (sum == best && std::popcount(side) < std::popcount(bestSide))) {
            best = sum;
            bestSide = side;
        }
    }
    return {best, bestSide};
}

} // namespace

class TestFlowNetwork : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_chain_is_cut_at_its_narrowest_edge() {
        FlowNetwork network(2);
        network.addEdge(network.source(), 0, 5);
        network.addEdge(0, 1, 2);
        network.addEdge(1, network.sink(), 7);
        auto cut = network.minimumCut();
        QCOMPARE(cut.value, int64_t{2});
        QVERIFY(!cut.sinkSide[0]);
        QVERIFY(cut.sinkSide[1]);
    }
    void among_equal_cuts_the_one_nearest_the_sink_is_taken() {
        FlowNetwork network(2);
        network.addEdge(network.source(), 0, 3);
        network.addEdge(0, 1, 3);
        network.addEdge(1, network.sink(), 3);
        auto cut = network.minimumCut();
        QVERIFY(!cut.sinkSide[0]);
        QVERIFY(!cut.sinkSide[1]);
    }
    /// Path by path it comes to the cut of the other method, and each path pays what is said.
    void a_followed_cut_is_the_cut() {
        std::mt19937 random(7);
        for (int round = 0; round < 300; ++round) {
            const int vertices = 1 + static_cast<int>(random() % 9);
            FlowNetwork network(vertices);
            const int edges = static_cast<int>(random() % 30);
            for (int e = 0; e < edges; ++e) {
                const int from = static_cast<int>(random() % (vertices + 1)); // not the sink
                int to = static_cast<int>(random() % (vertices + 1));
                if (to == vertices) to = network.sink();
                if (from == to || (from == network.source() && to == network.sink())) continue;
                const int64_t capacity = static_cast<int64_t>(random() % 20);
                network.addEdge(from, to, capacity);
            }
            const FlowNetwork::Cut cut = network.minimumCut();
            const FlowNetwork::Story story = network.follow();
            QCOMPARE(story.value, cut.value);
            int64_t sum = 0;
            for (const FlowNetwork::Story::Path& path : story.paths) {
                sum += path.flow;
                QVERIFY(path.flow > 0);
                QCOMPARE(path.vertices.front(), network.source());
                QCOMPARE(path.vertices.back(), network.sink());
                QVERIFY(std::find(path.vertices.begin(), path.vertices.end(), path.narrow) !=
                        path.vertices.end());
            }
            QCOMPARE(sum, cut.value);
            for (size_t v = 0; v < cut.sinkSide.size(); ++v)
                QCOMPARE(story.fromSink[v] >= 0, bool(cut.sinkSide[v]));
        }
    }
    void an_uncuttable_path_is_shown() {
        FlowNetwork network(2);
        network.addEdge(network.source(), 1, FlowNetwork::kInfinite);
        network.addEdge(1, 0, FlowNetwork::kInfinite);
        QVERIFY(network.infinitePath().empty());
        network.addEdge(0, network.sink(), FlowNetwork::kInfinite);
        QCOMPARE(network.infinitePath(), (std::vector<int>{2, 1, 0, 3}));
    }
    void random_networks_agree_with_trying_every_cut() {
        std::mt19937 random(7);
        for (int round = 0; round < 300; ++round) {
            int vertices = 2 + static_cast<int>(random() % 6);
            FlowNetwork network(vertices);
            std::vector<Edge> edges;
            for (int k = 0; k < 3 * vertices; ++k) {
                int from = static_cast<int>(random() % static_cast<unsigned>(vertices + 1));
                int to = static_cast<int>(random() % static_cast<unsigned>(vertices + 1));
                if (to == vertices) to = vertices + 1;
                if (from == to) continue;
                edges.push_back({from, to, static_cast<int64_t>(random() % 4)});
                network.addEdge(from, to, edges.back().capacity);
            }
            auto [value, side] = bruteForce(vertices, edges);
            auto cut = network.minimumCut();
            QCOMPARE(cut.value, value);
            for (int v = 0; v < vertices; ++v)
                QCOMPARE(bool(cut.sinkSide[static_cast<size_t>(v)]), bool((side >> v) & 1u));
        }
    }
};

QTEST_APPLESS_MAIN(TestFlowNetwork)
#include "test_flow_network.moc"
