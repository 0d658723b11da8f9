// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/interpret.h"
#include "core/kernel/printer.h"
#include "core/kernel/verify.h"
#include "core/lower/lower.h"
#include "core/ops/builder.h"
#include "core/ops/reference.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace cutaway;
using kernel::BufferKind;

namespace {

ir::HostTensor valuesOf(const ops::SampleTensor& sample, uint32_t seed) {
    std::mt19937 random(seed);
    ir::HostTensor t = ir::HostTensor::zeros(sample.dtype, sample.sizes);
    for (int64_t i = 0; i < t.numel(); ++i) {
        const double u = (random() % 1024) / 1024.0;
        if (ir::isFloating(sample.dtype))
            t.set(i, sample.low + (sample.high - sample.low) * u);
        else if (sample.dtype == ir::DType::Bool)
            t.setInt(i, random() % 2);
        else
            t.setInt(i, static_cast<int64_t>(sample.low) +
                            static_cast<int64_t>((sample.high - sample.low + 1) * u));
    }
    return t;
}

ir::TensorType typeOf(const ops::SampleTensor& sample) {
    ir::TensorType type = ir::TensorType::contiguous(
        sample.dtype, ir::Shape(sample.sizes.begin(), sample.sizes.end()));
    const size_t rank = type.rank();
    if (sample.transposed && rank >= 2) {
        std::swap(type.sizes[rank - 1], type.sizes[rank - 2]);
        type.strides = ir::contiguousStrides(type.sizes);
        std::swap(type.sizes[rank - 1], type.sizes[rank - 2]);
        std::swap(type.strides[rank - 1], type.strides[rank - 2]);
    }
    return type;
}

bool lowersItself(const ops::OpDef& def) {
    return !std::holds_alternative<ops::Decompose>(def.lowering) &&
           !std::holds_alternative<ops::NoLowering>(def.lowering);
}

bool close(double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return true;
    return std::fabs(a - b) <= 2e-5 * (1 + std::fabs(a));
}

/// Empty when loops and reference functions agree on one sample.
std::string checkSample(const ops::OpDef& def, const ops::Sample& sample) {
    ir::Graph graph("sample");
    ops::Builder builder(graph);
    std::vector<ir::NodeId> ids;
    std::vector<ir::HostTensor> inputs;
    for (const ops::SampleTensor& t : sample.tensors) {
        inputs.push_back(valuesOf(t, static_cast<uint32_t>(17 + ids.size())));
        ids.push_back(graph.addPlaceholder("x" + std::to_string(ids.size()), typeOf(t)));
    }
    ir::ArgList args = sample.args;
    ir::rewriteNodes(args, [&](ir::NodeId id) { return ids[id.index]; });
    auto call = builder.tryCall(def.name(), args);
    if (!call.ok()) return call.error().message;
    graph.outputs = {*call};
    if (const size_t results = graph.node(*call).types.size(); graph.node(*call).tuple) {
        graph.outputs.clear();
        for (size_t i = 0; i < results; ++i)
            graph.outputs.push_back(builder.getitem(*call, static_cast<int>(i)));
    }
    auto expected = ops::evaluate(graph, inputs);
    if (!expected.ok()) return expected.error().message;
    auto loops = lower::lowerGraph(graph);
    if (!loops.ok()) return loops.error().message;
    if (auto problem = kernel::verify(*loops)) return *problem;
    auto actual = kernel::interpret(*loops, inputs);
    if (!actual.ok()) return actual.error().message;
    for (size_t k = 0; k < expected->size(); ++k) {
        const ir::HostTensor &want = (*expected)[k], &have = (*actual)[k];
        if (want.sizes != have.sizes || want.dtype != have.dtype) return "types differ";
        for (int64_t i = 0; i < want.numel(); ++i)
            if (!close(want.get(i), have.get(i)))
                return "element " + std::to_string(i) + ": expected " +
                       std::to_string(want.get(i)) + ", found " + std::to_string(have.get(i)) +
                       "\n" + kernel::print(*loops);
    }
    return {};
}

ir::NodeId input(ir::Graph& graph, const std::string& name, ir::Shape sizes) {
    return graph.addPlaceholder(name, ir::TensorType::contiguous(ir::DType::Float32, sizes));
}

int count(const kernel::LoopProgram& program, BufferKind kind) {
    return static_cast<int>(std::count_if(program.buffers.begin(), program.buffers.end(),
                                          [&](const auto& b) { return b.kind == kind; }));
}

} // namespace

class TestLower : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_operation_means_in_loops_what_its_reference_says() {
        int checked = 0;
        std::string problems;
        for (const ops::OpDef& def : ops::catalogue().all()) {
            if (!lowersItself(def) || !def.reference || !def.samples) continue;
            int number = 0;
            for (const ops::Sample& sample : def.samples()) {
                ++number;
                if (!sample.expectedError.empty()) continue;
                const std::string problem = checkSample(def, sample);
                ++checked;
                if (!problem.empty())
                    problems +=
                        def.name() + " sample " + std::to_string(number) + ": " + problem + "\n";
            }
        }
        QVERIFY2(problems.empty(), problems.c_str());
        QVERIFY(checked > 50);
    }
    void views_make_no_buffers_and_keep_their_provenance() {
        ir::Graph graph("views");
        ops::Builder b(graph);
        ir::NodeId x = input(graph, "x", {6, 4});
        ir::NodeId view = b.permute(x, {1, 0});
        graph.outputs = {b.call("cos", {ir::Arg(view)}), view};
        auto loops = lower::lowerGraph(graph);
        QVERIFY(loops.ok());
        QCOMPARE(loops->buffers.size(), size_t(2));
        const auto& cos = loops->buffers[1];
        QVERIFY(std::find(cos.from.begin(), cos.from.end(), view.index) != cos.from.end());
        QVERIFY(loops->outputs[1].buffer == loops->inputs[0]);
        QVERIFY(loops->outputs[1].strides[0].is(1) && loops->outputs[1].strides[1].is(4));
    }
    void scalars_and_uniform_tensors_become_constants() {
        ir::Graph graph("constants");
        ops::Builder b(graph);
        ir::NodeId x = input(graph, "x", {3});
        graph.outputs = {b.add(x, ir::Arg(b.scalar(2.5, ir::DType::Float32, {})))};
        auto loops = lower::lowerGraph(graph);
        QVERIFY(loops.ok());
        QCOMPARE(loops->buffers.size(), size_t(2));
        QVERIFY(kernel::print(*loops).find("x[d0] + 2.5") != std::string::npos);
    }
    void views_of_views_keep_size_symbols() {
        // s1, a size, has the number of the dimension that the transpose moves.
        ir::Graph graph("captured");
        graph.shapes = std::make_shared<ir::ShapeEnv>();
        const ir::Sym n = graph.shapes->add(4, "n"), m = graph.shapes->add(6, "m");
        ops::Builder b(graph);
        const ir::NodeId x = input(graph, "x", {n, m, 8});
        const ir::NodeId flat =
            b.call("view", {ir::Arg(x), ir::Arg(ir::ArgList{ir::Arg(n * m), ir::Arg(8)})});
        graph.outputs = {b.call(
            "neg", {ir::Arg(b.call("permute", {ir::Arg(flat),
                                               ir::Arg(ir::ArgList{ir::Arg(1), ir::Arg(0)})}))})};
        graph.outputNames = {"y"};
        auto loops = lower::lowerGraph(graph);
        QVERIFY2(loops.ok(), loops.ok() ? "" : loops.error().message.c_str());
        ir::HostTensor values = ir::HostTensor::zeros(ir::DType::Float32, {3, 5, 8});
        for (int64_t i = 0; i < values.numel(); ++i)
            values.set(i, static_cast<double>(i));
        auto found = kernel::interpret(*loops, std::span(&values, 1));
        QVERIFY2(found.ok(), found.ok() ? "" : found.error().message.c_str());
        for (int64_t row = 0; row < 8; ++row)
            for (int64_t column = 0; column < 15; ++column)
                QCOMPARE((*found)[0].get(row * 15 + column), -double(column * 8 + row));
    }
    void products_read_transposed_operands_in_place() {
        ir::Graph graph("product");
        ops::Builder b(graph);
        ir::NodeId x = input(graph, "x", {3, 5}), w = input(graph, "w", {4, 5});
        graph.outputs = {b.call("mm", {ir::Arg(x), ir::Arg(b.permute(w, {1, 0}))})};
        auto loops = lower::lowerGraph(graph);
        QVERIFY(loops.ok());
        QCOMPARE(count(*loops, BufferKind::Library), 1);
        QCOMPARE(count(*loops, BufferKind::Pointwise), 0);
        const auto& call = *loops->buffers.back().call;
        QVERIFY(call.operands[1].strides[0].is(1) && call.operands[1].strides[1].is(5));
    }
    void convolutions_read_16_bits_as_they_are() {
        // Device, groups, towards the weight, whether the library sees 16 bits.
        const std::tuple<ir::Device, int64_t, bool, bool> rows[] = {
            {{ir::Device::Kind::Cuda, 0}, 1, false, true},
            {{ir::Device::Kind::Cuda, 0}, 2, true, true},
            {{ir::Device::Kind::Cuda, 0}, 16, false, true},
            {{ir::Device::Kind::Cuda, 0}, 16, true, false}, // of groups of a few channels
            {{}, 1, false, true},
            {{}, 16, true, true}};
        for (const auto& [device, groups, weight, halves] : rows) {
            ir::Graph graph("convolution");
            ops::Builder b(graph);
            auto operand = [&](const char* name, ir::Shape sizes) {
                return ir::Arg(graph.addPlaceholder(
                    name,
                    ir::TensorType::contiguous(ir::DType::BFloat16, std::move(sizes), device)));
            };
            const ir::ArgList one{ir::Arg(ir::Sym(1))}, none{ir::Arg(ir::Sym(0))};
            const ir::Arg x = operand("x", {2, 16, 5, 5});
            const ir::Shape taps = {16, 16 / groups, 3, 3};
            const ir::ArgList sizes(taps.begin(), taps.end());
            graph.outputs = {weight
                                 ? b.call("_convolution_weight_gradient",
                                          {x, operand("g", {2, 16, 5, 5}), sizes, one, one, one,
                                           ir::Sym(groups), false})
                                 : b.call("convolution", {x, operand("w", taps), ir::Arg(), one,
                                                          one, one, false, none, ir::Sym(groups)})};
            auto loops = lower::lowerGraph(graph);
            QVERIFY(loops.ok());
            const ir::DType wanted = halves ? ir::DType::BFloat16 : ir::DType::Float32;
            int calls = 0;
            for (const kernel::Buffer& buffer : loops->buffers) {
                if (!buffer.call) continue;
                ++calls;
                QCOMPARE(buffer.dtype, wanted);
                QCOMPARE(loops->buffer(buffer.call->operands[0].buffer).dtype, wanted);
            }
            QCOMPARE(calls, 1);
            QCOMPARE(loops->buffers.size(), size_t(halves ? 3 : 6));
        }
    }
    void unused_nodes_are_not_lowered_and_missing_outputs_stay_missing() {
        ir::Graph graph("dead");
        ops::Builder b(graph);
        ir::NodeId x = input(graph, "x", {3});
        b.call("cos", {ir::Arg(x)});
        graph.outputs = {x, ir::NodeId()};
        auto loops = lower::lowerGraph(graph);
        QVERIFY(loops.ok());
        QCOMPARE(loops->buffers.size(), size_t(1));
        QVERIFY(!loops->outputs[1].buffer.valid());
    }
    void composite_operations_are_refused_as_bugs() {
        ir::Graph graph("composite");
        ops::Builder b(graph);
        ir::NodeId x = input(graph, "x", {3, 4});
        auto call = b.tryCall("_softmax", {ir::Arg(x), ir::Arg(ir::Sym(1)), ir::Arg(false)});
        QVERIFY(call.ok());
        graph.outputs = {*call};
        auto loops = lower::lowerGraph(graph);
        QVERIFY(!loops.ok());
        QVERIFY(loops.error().fault == base::Fault::Bug);
        QVERIFY(loops.error().message.find("_softmax") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestLower)
#include "test_lower.moc"
