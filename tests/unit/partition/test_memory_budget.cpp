// SPDX-License-Identifier: Apache-2.0
// Partitions within a memory budget, the curve they are chosen from, what it predicts, and regions
// that are computed again because a script asked for it.
#include "core/partition/curve.h"
#include "core/partition/op_kinds.h"
#include "tests/support/captured_graphs.h"
#include "tests/support/interpret.h"
#include "tests/support/random_graph.h"

#include <QElapsedTimer>
#include <QtTest>

#include <algorithm>
#include <random>

using namespace cutaway;
using namespace cutaway::testing;
using partition::Budget;
using partition::Estimate;
using partition::Estimator;
using partition::JointInfo;
using partition::Partitioner;
using partition::PartitionOptions;
using partition::Rates;

namespace {

/// Two hidden layers whose products are worth saving and whose activations are not.
ir::Graph hiddenLayers(int64_t batch = 64, int64_t width = 32, int layers = 2) {
    Captured c;
    NodeId x = c.input("x", {batch, width});
    for (int k = 0; k < layers; ++k) {
        const NodeId w = c.input("w" + std::to_string(k), {width, width});
        x = c.call("tanh", {c.call("relu", {c.call("mm", {x, w})})});
    }
    c.output(c.call("sum", {x}));
    return std::move(c.graph);
}

PartitionOptions within(Budget budget) {
    PartitionOptions options;
    options.budget = budget;
    return options;
}

std::vector<NodeId> named(const ir::Graph& graph, const std::vector<std::string>& names) {
    std::vector<NodeId> ids;
    for (NodeId id : graph.order())
        if (std::find(names.begin(), names.end(), graph.node(id).name) != names.end())
            ids.push_back(id);
    return ids;
}

/// And what else there is to choose.
partition::Partition withChoices(const autodiff::JointGraph& joint,
                                 const PartitionOptions& options) {
    partition::Partition parts = take(partition::partitionJointGraph(joint, options));
    const base::Status status = partition::predictChoices(joint, options, parts);
    if (!status) qFatal("%s", status.error().message.c_str());
    return parts;
}

int64_t freshBytes(const partition::Partition& parts) {
    int64_t bytes = 0;
    for (const auto& saved : parts.saved)
        bytes += saved.input ? 0 : saved.bytes;
    return bytes;
}

} // namespace

class TestMemoryBudget : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void the_peak_is_that_of_liveness() {
        const autodiff::JointGraph joint = jointOf(doubleCosine()); // values of 1 KiB
        const JointInfo info(joint);
        const Estimator estimator(info, Rates{});
        // One kernel each: the result, then the gradient.
        const Estimate again = estimator.of(named(joint.graph, {"primals_1"}));
        QCOMPARE(again.peakBytes, 2048);
        QCOMPARE(again.savedBytes, 0);
        QCOMPARE(again.recomputed, 1);
        const Estimate saved = estimator.of(named(joint.graph, {"primals_1", "cos"}));
        QCOMPARE(saved.peakBytes, 3072);
        QCOMPARE(saved.savedBytes, 1024);
        QCOMPARE(saved.recomputed, 0);
        // Read: x, x and the tangent; written: result and gradient; with cos: written and read.
        Rates rates{1024, 1e30, 10};
        QCOMPARE(Estimator(info, rates).of(named(joint.graph, {"primals_1"})).us, 2 * 10 + 5.0);
        QCOMPARE(Estimator(info, rates).of(named(joint.graph, {"primals_1", "cos"})).us,
                 2 * 10 + 7.0);
    }
    void products_part_kernels_and_their_operands_lie_in_memory() {
        Captured c;
        NodeId x = c.input("x", {16, 16}, false), w = c.input("w", {16, 16});
        c.output(c.call("sum", {c.call("mm", {c.call("cos", {x}), w})}));
        const autodiff::JointGraph joint = jointOf(std::move(c.graph));
        const JointInfo info(joint);
        // cos | mm | sum | t(cos) mm expand(tangent)
        const Rates rates{1e30, 1e30, 1};
        const Estimate estimate = Estimator(info, rates).of(named(joint.graph, {"cos"}));
        QCOMPARE(estimate.us, 4.0);
        // cos is kept, mm's result goes before the gradient comes.
        QVERIFY2(estimate.peakBytes >= 2 * 1024 && estimate.peakBytes <= 3 * 1024 + 4,
                 qPrintable(QString::number(estimate.peakBytes)));
    }
    void what_a_changed_input_gives_is_saved() {
        Captured c;
        const NodeId x = c.input("x", {16, 16}, false), w = c.input("w", {16, 16});
        const NodeId y = c.call("sigmoid", {c.call("mul.Tensor", {c.call("exp", {x}), w})});
        c.output(c.call("sum", {c.call("mul.Tensor", {y, w})}));
        const autodiff::JointGraph joint = jointOf(std::move(c.graph));
        const auto savesFirst = [](const partition::Partition& parts) {
            return std::any_of(parts.saved.begin(), parts.saved.end(),
                               [](const auto& saved) { return saved.node.index == 0; });
        };
        QVERIFY(savesFirst(take(partition::partitionJointGraph(joint, within({.share = 0})))));
        for (const Budget budget : {Budget{.share = 1}, Budget{.share = 0.5}, Budget{.share = 0},
                                    Budget{1, 1024}, Budget{1, 8192}}) {
            PartitionOptions options = within(budget);
            options.written = {{0, false}};
            QVERIFY(!savesFirst(withChoices(joint, options)));
        }
        // What the backward reads itself cannot be helped.
        Captured direct;
        const NodeId a = direct.input("a", {16, 16}, false), b = direct.input("b", {16, 16});
        direct.output(direct.call("sum", {direct.call("mul.Tensor", {a, b})}));
        PartitionOptions options;
        options.written = {{0, false}};
        const autodiff::JointGraph read = jointOf(std::move(direct.graph));
        const auto isInput = [&] {
            for (const auto& saved : take(partition::partitionJointGraph(read, options)).saved)
                if (saved.node.index == 0) return saved.input ? "kept alive" : "copied";
            return "not saved";
        };
        QCOMPARE(isInput(), "kept alive");
        options.written = {{0, true}};
        QCOMPARE(isInput(), "copied");
    }
    void the_usual_cut_stays_what_it_is_beside_a_curve() {
        for (auto how : {Partitioner::MinCut, Partitioner::Default}) {
            const autodiff::JointGraph joint = jointOf(hiddenLayers());
            PartitionOptions options(how);
            const auto plain = take(partition::partitionJointGraph(joint, options));
            const auto parts = withChoices(joint, options);
            QVERIFY(plain.curve.empty() && !parts.curve.empty());
            QCOMPARE(parts.saved.size(), plain.saved.size());
            for (size_t i = 0; i < parts.saved.size(); ++i) {
                QVERIFY(parts.saved[i].node == plain.saved[i].node);
                QCOMPARE(parts.saved[i].reason, plain.saved[i].reason);
            }
            QCOMPARE(parts.algorithm, plain.algorithm);
            QCOMPARE(parts.point.savedBytes, freshBytes(parts));
        }
    }
    void no_point_of_a_curve_beats_another_and_none_is_beaten_by_the_partitioners() {
        for (unsigned seed = 1; seed <= 40; ++seed) {
            ir::Graph graph = randomGraph(seed);
            if (!autodiff::needsGradient(graph)) continue;
            const autodiff::JointGraph joint = jointOf(std::move(graph));
            PartitionOptions options, all(Partitioner::Default);
            const auto usual = withChoices(joint, options);
            const auto most = withChoices(joint, all);
            for (size_t i = 0; i < usual.curve.size(); ++i)
                for (size_t k = 0; k < usual.curve.size(); ++k) {
                    const Estimate &a = usual.curve[i], &b = usual.curve[k];
                    QVERIFY(i == k || a.us > b.us || a.peakBytes > b.peakBytes ||
                            (a.us == b.us && a.peakBytes == b.peakBytes));
                }
            for (const Estimate& other : {usual.point, most.point})
                QVERIFY(std::any_of(usual.curve.begin(), usual.curve.end(), [&](const Estimate& e) {
                    return e.us <= other.us && e.peakBytes <= other.peakBytes;
                }));
        }
    }
    void a_share_of_nothing_keeps_inputs_only() {
        const autodiff::JointGraph joint = jointOf(hiddenLayers());
        QVERIFY(freshBytes(take(partition::partitionJointGraph(joint, Partitioner::MinCut))) > 0);
        const auto parts = take(partition::partitionJointGraph(joint, within({.share = 0})));
        QCOMPARE(freshBytes(parts), 0);
        QCOMPARE(parts.algorithm, "budget");
        QVERIFY(!parts.recomputed.empty());
        QVERIFY2(parts.budget.starts_with("asked for 0 of what min_cut saves, 0 B: 0 B saved"),
                 parts.budget.c_str());
    }
    void a_whole_share_is_min_cut_itself() {
        const autodiff::JointGraph joint = jointOf(hiddenLayers());
        const auto parts = take(partition::partitionJointGraph(joint, within({.share = 1})));
        QCOMPARE(parts.algorithm, "min_cut");
        QVERIFY(parts.budget.empty());
    }
    void a_budget_is_kept_and_is_the_best_of_all_subsets() {
        const autodiff::JointGraph joint = jointOf(hiddenLayers(64, 32, 1));
        const JointInfo info(joint);
        const Estimator estimator(info, Rates{});
        std::vector<NodeId> inputs, open;
        for (NodeId id : joint.graph.order())
            if (!info.tangentClosure[id.index] && weightOf(info, id).canSave)
                (joint.graph.node(id).kind == ir::NodeKind::Placeholder ? inputs : open)
                    .push_back(id);
        QVERIFY2(open.size() >= 4 && open.size() <= 10, std::to_string(open.size()).c_str());
        std::vector<Estimate> all;
        for (uint32_t subset = 0; subset < 1u << open.size(); ++subset) {
            std::vector<NodeId> saved = inputs;
            for (size_t i = 0; i < open.size(); ++i)
                if (subset >> i & 1) saved.push_back(open[i]);
            all.push_back(estimator.of(saved));
        }
        int64_t least = INT64_MAX, most = 0;
        for (const Estimate& estimate : all) {
            least = std::min(least, estimate.peakBytes);
            most = std::max(most, estimate.peakBytes);
        }
        QVERIFY(most > least);
        for (int64_t peak = least; peak <= most; peak += 1024) {
            const auto parts = take(partition::partitionJointGraph(joint, within({1, peak})));
            QVERIFY(parts.point.peakBytes <= peak);
            for (const Estimate& estimate : all)
                QVERIFY(estimate.peakBytes > peak || estimate.us >= parts.point.us);
            QVERIFY2(parts.budget.find("the best of all") != std::string::npos,
                     parts.budget.c_str());
        }
        const auto parts = take(partition::partitionJointGraph(joint, within({1, least - 1})));
        QCOMPARE(parts.point.peakBytes, least);
        QVERIFY2(parts.budget.find("which nothing keeps") != std::string::npos,
                 parts.budget.c_str());
    }
    void a_budget_of_many_values_is_kept_and_tells_its_gap() {
        const autodiff::JointGraph joint = jointOf(hiddenLayers(64, 32, 12));
        const auto usual = withChoices(joint, {});
        double before = usual.point.us;
        for (double share : {0.9, 0.6, 0.3, 0.0}) {
            const auto parts = take(partition::partitionJointGraph(joint, within({share})));
            QVERIFY(static_cast<double>(freshBytes(parts)) <=
                    share * static_cast<double>(freshBytes(usual)));
            QVERIFY2(parts.budget.find("within ") != std::string::npos, parts.budget.c_str());
            QVERIFY(parts.point.us >= before * 0.9); // less memory, not less time
            before = parts.point.us;
        }
        for (const Estimate& point : usual.curve) {
            const auto parts =
                take(partition::partitionJointGraph(joint, within({1, point.peakBytes})));
            QVERIFY(parts.point.peakBytes <= point.peakBytes && parts.point.us <= point.us);
        }
    }
    void budgets_compute_the_same_numbers() {
        for (unsigned seed = 1; seed <= 120; ++seed) {
            ir::Graph graph = randomGraph(seed);
            if (!autodiff::needsGradient(graph)) continue;
            const autodiff::JointGraph joint = jointOf(std::move(graph));
            std::mt19937 random(seed);
            HostTensors inputs = randomInputs(joint.graph, random);
            const auto border =
                inputs.end() - static_cast<std::ptrdiff_t>(joint.tangentOutputs.size());
            const HostTensors primals(inputs.begin(), border), tangents(border, inputs.end());
            const HostTensors expected = interpret(joint.graph, inputs);
            for (const Budget budget : {Budget{0.0}, Budget{0.5}, Budget{1, 1}, Budget{1, 300}}) {
                const auto parts = take(partition::partitionJointGraph(joint, within(budget)));
                QVERIFY2(distance(interpret(parts, joint.forwardOutputs, primals, tangents),
                                  expected) == 0,
                         std::to_string(seed).c_str());
            }
        }
    }
    void wishes_hold_within_a_budget() {
        const autodiff::JointGraph joint = jointOf(hiddenLayers());
        std::vector<partition::Wish> wishes = {{"relu_1", true}, {"mm", false}};
        PartitionOptions options = within({.share = 0.5});
        options.wishes = &wishes;
        take(partition::partitionJointGraph(joint, options));
        QVERIFY2(wishes[0].met, wishes[0].problem.c_str());
        QVERIFY2(wishes[1].met, wishes[1].problem.c_str());
    }
    void a_checkpointed_region_saves_what_it_reads_and_gives_and_nothing_inside() {
        for (auto how : {Partitioner::MinCut, Partitioner::Default}) {
            Captured c;
            NodeId x = c.input("x", {16, 16}), at = x;
            for (int region = 1; region <= 2; ++region) {
                c.b.provenance.checkpoint = region;
                const NodeId w = c.input("w" + std::to_string(region), {16, 16});
                at = c.call("relu", {c.call("mm", {c.call("tanh", {c.call("mm", {at, w})}), w})});
            }
            c.b.provenance.checkpoint = 0;
            c.output(c.call("sum", {c.call("cos", {at})}));
            const ir::Graph captured = std::move(c.graph);
            const autodiff::JointGraph joint = jointOf(captured.clone());
            const auto parts = take(partition::partitionJointGraph(joint, how));
            for (const auto& saved : parts.saved) {
                const ir::Node& node = joint.graph.node(saved.node);
                QVERIFY2(saved.input || node.name == "relu" || node.name == "relu_1",
                         node.name.c_str());
            }
            std::vector<std::string> again;
            for (const auto& value : parts.recomputed)
                again.push_back(joint.graph.node(value.node).name);
            for (const char* name : {"mm", "tanh", "mm_2", "tanh_1"})
                QVERIFY2(std::find(again.begin(), again.end(), name) != again.end(), name);
            // Computed again next to its use: the first region's after the second's gradients.
            const ir::Graph& backward = parts.backward;
            size_t first = 0, lastOfSecond = 0;
            for (size_t i = 0; i < backward.order().size(); ++i) {
                const ir::Node& node = backward.node(backward.order()[i]);
                if (node.name == "tanh") first = i;
                if (node.name == "tanh_1") lastOfSecond = i;
            }
            QVERIFY(lastOfSecond > 0 && first > lastOfSecond + 2);
            std::mt19937 random(3);
            HostTensors inputs = randomInputs(joint.graph, random);
            const auto border = inputs.end() - 1;
            QVERIFY(distance(interpret(parts, joint.forwardOutputs, {inputs.begin(), border},
                                       {border, inputs.end()}),
                             interpret(joint.graph, inputs)) == 0);
        }
    }
    void the_curve_of_two_thousand_nodes_takes_a_fifth_of_a_second() {
        const autodiff::JointGraph joint = jointOf(hiddenLayers(64, 32, 150));
        PartitionOptions options;
        QElapsedTimer timer;
        timer.start();
        take(partition::partitionJointGraph(joint, options));
        const qint64 plain = timer.restart();
        const auto parts = withChoices(joint, options);
        const qint64 with = timer.elapsed();
        qInfo("%zu joint nodes: %zu points; %lld ms, %lld ms with the curve",
              joint.graph.order().size(), parts.curve.size(), static_cast<long long>(plain),
              static_cast<long long>(with));
        QVERIFY2(with - plain < 4000, "aim 200 ms on an idle machine");
    }
};

QTEST_APPLESS_MAIN(TestMemoryBudget)
#include "test_memory_budget.moc"
