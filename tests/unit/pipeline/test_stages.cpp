// SPDX-License-Identifier: Apache-2.0
#include "core/ops/builder.h"
#include "core/pipeline/compile.h"
#include "core/pipeline/stage_table.h"

#include <QtTest>
#include <set>
#include <stdexcept>

using namespace cutaway;
using namespace cutaway::pipeline;

namespace {

constexpr int kLine = 7;

/// output = sum(cos(x)), as a capture of line 7 gives it; \p grad x requires a gradient
ir::Graph cosSum(bool grad = true) {
    ir::Graph graph("captured");
    ops::Builder builder(graph);
    ir::TensorType type = ir::TensorType::contiguous(ir::DType::Float32, {4, 8});
    type.requiresGrad = grad;
    const ir::NodeId x = graph.addPlaceholder("x", type);
    builder.provenance.source = std::make_shared<const std::vector<ir::SourceFrame>>(
        std::vector<ir::SourceFrame>{{{"model.py", kLine}, "f", "cos(x).sum()"}});
    const ir::NodeId cos = builder.call("cos", {x});
    graph.outputs = {builder.call("sum", {cos})};
    graph.outputNames = {"output"};
    return graph;
}

/// \p count operations one after the other, all of them results: one kernel
ir::Graph chain(int count) {
    ir::Graph graph("captured");
    ops::Builder builder(graph);
    ir::NodeId x = graph.addPlaceholder("x", ir::TensorType::contiguous(ir::DType::Float32, {64}));
    for (int i = 0; i < count; ++i) {
        x = builder.call(i % 2 ? "cos" : "sin", {x});
        graph.outputs.push_back(x);
        graph.outputNames.push_back("output_" + std::to_string(i));
    }
    return graph;
}

/// While it lives, an operation has another definition.
class Redefined {
public:
    explicit Redefined(const char* op)
        : def_(const_cast<ops::OpDef*>(ops::catalogue().find(op))), before_(*def_) {}
    ~Redefined() { *def_ = before_; }
    ops::OpDef* operator->() { return def_; }

private:
    ops::OpDef* def_;
    ops::OpDef before_;
};

} // namespace

class TestStages : public QObject {
    Q_OBJECT

    Toolchain toolchain_{""};

private Q_SLOTS:
    void rows_stand_in_the_order_of_their_ids_and_needs() {
        Artifacts made = 0;
        std::set<std::string_view> names;
        size_t next = 0;
        for (const StageRow& row : stageTable()) {
            QCOMPARE(static_cast<size_t>(row.id), next++);
            QVERIFY2(names.insert(row.name).second, row.name.data());
            QVERIFY2((row.needs & ~made) == 0, row.name.data());
            QVERIFY2(row.run || row.print, "a row that neither runs nor shows");
            QCOMPARE(row.print != nullptr, row.json != nullptr);
            made |= row.gives;
        }
        QVERIFY(made & kExecutable);
        QVERIFY(findShownStage("joint") == &stageRow(StageId::Joint));
        QVERIFY(!findShownStage("load"));
    }

    void stages_are_told_timed_and_recorded() {
        RecordBuilder builder;
        EntryRecorder recorder(builder, builder.function("f", {"model.py", 1}));
        Options options;
        std::vector<std::string> told;
        options.progress = [&](const std::string& stage, double) { told.push_back(stage); };
        const ir::Graph captured = cosSum();
        auto parts = partitionGraph(captured, true, options, &recorder);
        QVERIFY2(parts.ok(), parts ? "" : parts.error().str().c_str());
        QVERIFY(parts->training);
        auto code = compileGraph(parts->forward, toolchain_, options, &recorder);
        QVERIFY2(code.ok(), code ? "" : code.error().str().c_str());
        QVERIFY(code->executable && code->program);
        const std::vector<std::string> expected = {"decompose", "joint", "passes", "partition"};
        QVERIFY(std::equal(expected.begin(), expected.end(), told.begin()));
        const record::Entry& entry = recorder.entry();
        for (const char* graph : {"captured", "joint", "forward", "backward"})
            QVERIFY2(entry.graph(graph), graph);
        QCOMPARE(entry.lowered.size(), 1u);
        QVERIFY(!entry.lowered[0].kernels.empty() && !entry.lowered[0].memory.items.empty());
        std::set<std::string> timed;
        for (const record::StageTime& time : entry.times)
            timed.insert(time.stage);
        for (const char* stage : {"joint", "forward: loops", "forward: compile", "forward: load"})
            QVERIFY2(timed.contains(stage), stage);
    }

    void without_a_gradient_there_is_no_joint_graph() {
        auto parts = partitionGraph(cosSum(false), true, {}, nullptr);
        QVERIFY(parts.ok());
        QVERIFY(!parts->training);
        QCOMPARE(parts->forwardOutputs, 1);
    }

    void a_rule_that_throws_is_told_at_the_scripts_line() {
        Redefined cos("cos");
        cos->gradient = ops::VjpRule([](ops::Vjp&) { throw std::logic_error("no such argument"); });
        auto parts = partitionGraph(cosSum(), true, {}, nullptr);
        QVERIFY(!parts.ok());
        QCOMPARE(parts.error().fault, base::Fault::Bug);
        QCOMPARE(parts.error().where.str(), std::string("model.py:7"));
        QCOMPARE(parts.error().message,
                 std::string("gradient rule of aten.cos.default: no such argument"));
    }

    void a_lowering_rule_that_throws_is_told_at_the_scripts_line() {
        Redefined cos("cos");
        std::get<ops::Pointwise>(cos->lowering).build =
            [](kernel::ExprPool&, const ops::OpCall&,
               std::span<const kernel::ExprId>) -> kernel::ExprId {
            throw std::logic_error("no operand");
        };
        auto parts = partitionGraph(cosSum(), false, {}, nullptr);
        QVERIFY(parts.ok());
        auto code = compileGraph(parts->forward, toolchain_, {}, nullptr);
        QVERIFY(!code.ok());
        QCOMPARE(code.error().where.line, kLine);
        QCOMPARE(code.error().message,
                 std::string("lowering rule of aten.cos.default: no operand"));
    }

    void a_broken_result_names_the_stage() {
        Redefined cos("cos");
        std::get<ops::Pointwise>(cos->lowering).build =
            [](kernel::ExprPool& pool, const ops::OpCall&,
               std::span<const kernel::ExprId>) -> kernel::ExprId {
            return pool.cast(ir::DType::Float32, pool.index(ir::Sym(kernel::dimVar(9))));
        };
        ir::Graph graph = cosSum(false);
        graph.graphName = "forward";
        auto code = compileGraph(graph, toolchain_, {}, nullptr);
        QVERIFY(!code.ok());
        QVERIFY2(code.error().message.starts_with("stage forward: loops gave a wrong result: "),
                 code.error().message.c_str());
    }

    void who_cancels_gets_no_error_of_anybody() {
        Options options;
        options.cancel.cancel();
        auto parts = partitionGraph(cosSum(), true, options, nullptr);
        QVERIFY(!parts.ok());
        QCOMPARE(parts.error().fault, base::Fault::Cancelled);
        auto code = compileGraph(cosSum(false), toolchain_, options, nullptr);
        QVERIFY(!code.ok());
        QCOMPARE(code.error().fault, base::Fault::Cancelled);
    }

    void links_grow_as_the_graph_does() {
        auto linksOf = [&](int count) {
            RecordBuilder builder;
            EntryRecorder recorder(builder, builder.function("f", {"model.py", 1}));
            auto parts = partitionGraph(chain(count), false, {}, &recorder);
            if (!parts.ok() || !compileGraph(parts->forward, toolchain_, {}, &recorder).ok())
                return size_t(0);
            // A line of the kernel still leads to all that it computes.
            const record::LoweredGraph& lowered = recorder.entry().lowered.at(0);
            const record::LinkIndex links(builder.record);
            const auto below = links.descendants({lowered.buffers.at(1).item});
            for (const record::KernelInfo& kernel : lowered.kernels)
                if (!std::binary_search(below.begin(), below.end(), kernel.item)) return size_t(0);
            return builder.record.links.size();
        };
        const size_t small = linksOf(40), large = linksOf(160);
        QVERIFY(small > 0);
        QVERIFY2(large < 5 * small, qPrintable(QString("%1, then %2").arg(small).arg(large)));
    }

    /// A node comes from the lines that made the modules in which it is computed, too.
    void lines_that_made_modules_lead_to_their_nodes() {
        RecordBuilder builder;
        builder.addSource("model.py", std::string(9, '\n'));
        EntryRecorder recorder(builder, builder.function("f", {"model.py", 1}));
        const ir::Graph graph = cosSum(false); // x, cos, sum
        recorder.addModules(1, {{"model.py", 2}, {"model.py", 3}});
        recorder.addModules(2, {{"model.py", 2}});
        recorder.addGraph(graph, "");
        const record::LinkIndex links(builder.record);
        const auto lines = [&](size_t node) {
            std::vector<int> result;
            for (record::ItemId id :
                 links.ancestors({recorder.entry().graph("captured")->nodes[node].item}))
                if (builder.record.items[id].kind == record::ItemKind::SourceLine)
                    result.push_back(static_cast<int>(id) + 1);
            std::ranges::sort(result);
            return result;
        };
        QCOMPARE(lines(0), std::vector<int>());
        QCOMPARE(lines(1), (std::vector<int>{2, 3, kLine}));
        QCOMPARE(lines(2), (std::vector<int>{2, kLine}));
    }

    void a_later_backward_is_an_entry_of_its_own() {
        RecordBuilder builder;
        record::Function& function = builder.function("f", {"model.py", 1});
        EntryRecorder recorder(builder, function);
        auto parts = partitionGraph(cosSum(), true, {}, &recorder);
        QVERIFY(parts.ok());
        QVERIFY(compileGraph(parts->forward, toolchain_, {}, &recorder).ok());
        const size_t buffers = recorder.entry().lowered.size();
        auto later = recorder.forBackward();
        QVERIFY(compileGraph(parts->backward, toolchain_, {}, later.get()).ok());
        const std::vector<record::Entry>& entries = builder.record.functions[0].entries;
        QCOMPARE(entries.size(), 2u);
        QCOMPARE(entries[0].lowered.size(), buffers);
        QCOMPARE(entries[1].backwardOf, 0);
        QCOMPARE(entries[1].lowered.size(), 1u);
        QCOMPARE(entries[1].lowered[0].graph, std::string("backward"));
        // A kernel of it leads back to the line.
        const record::LinkIndex links(builder.record);
        const record::ItemId node = entries[0].graph("captured")->nodes[1].item;
        const auto from = links.ancestors({entries[1].lowered[0].kernels[0].item});
        QVERIFY(std::find(from.begin(), from.end(), node) != from.end());
    }
};

QTEST_APPLESS_MAIN(TestStages)
#include "test_stages.moc"
