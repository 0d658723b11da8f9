// SPDX-License-Identifier: Apache-2.0
// The benchmark cases' graphs, forward and backward: reference functions = loop IR = fused kernels,
// and the number of kernels that each needs.
#include "core/fusion/fuse.h"
#include "core/kernel/interpret.h"
#include "core/kernel/printer.h"
#include "core/kernel/verify.h"
#include "core/lower/lower.h"
#include "core/ops/reference.h"
#include "core/partition/partition.h"
#include "tests/support/captured_graphs.h"
#include "tests/support/interpret.h"

#include <QtTest>

#include <random>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

struct Compiled {
    size_t kernels = 0;
    int64_t bytesWritten = 0;
    std::string text;
    std::string problem;
};

/// Values stay near 1 so that random saved tensors (variances, sums of exponentials) are sensible.
ir::HostTensor positive(const ir::TensorType& type, std::mt19937& random) {
    ir::HostTensor t = ir::HostTensor::zeros(type.dtype, ir::constants(type.sizes));
    for (int64_t i = 0; i < t.numel(); ++i) {
        if (ir::isFloating(type.dtype))
            t.set(i, 0.5 + (random() % 1024) / 1024.0);
        else
            t.setInt(i, random() % 2);
    }
    return t;
}

Compiled compile(ir::Graph graph) {
    Compiled result;
    check(passes::decomposeBeforeLowering(graph));
    check(passes::mergeCommon(graph));
    check(passes::removeDead(graph));
    std::mt19937 random(11);
    std::vector<ir::HostTensor> inputs;
    for (NodeId id : graph.placeholders())
        inputs.push_back(positive(graph.node(id).type(), random));
    const auto expected = take(ops::evaluate(graph, inputs));
    const kernel::LoopProgram loops = take(lower::lowerGraph(graph));
    for (bool fuse : {false, true}) {
        fusion::FusionOptions options;
        options.fuse = fuse;
        const kernel::KernelProgram program = fusion::fuse(loops, options);
        result.kernels = program.kernels.size();
        result.bytesWritten = 0;
        for (const kernel::Kernel& k : program.kernels)
            result.bytesWritten += k.bytesWritten;
        result.text = kernel::print(program);
        if (auto problem = kernel::verify(program)) result.problem = *problem;
        const auto actual = take(kernel::interpret(program, inputs));
        for (size_t k = 0; k < expected.size(); ++k) {
            if (!graph.outputs[k].valid()) continue;
            for (int64_t i = 0; i < expected[k].numel(); ++i) {
                const double x = expected[k].get(i), y = actual[k].get(i);
                if (!(std::fabs(x - y) <= 1e-4 * (1 + std::fabs(x))))
                    result.problem = "output " + std::to_string(k) + " element " +
                                     std::to_string(i) + ": " + std::to_string(x) + " and " +
                                     std::to_string(y);
            }
        }
    }
    return result;
}

partition::Partition split(ir::Graph captured) {
    return take(partition::partitionJointGraph(jointOf(std::move(captured)),
                                               partition::Partitioner::MinCut));
}

ir::Graph inference(Captured& c) {
    check(passes::decomposeBeforeAutograd(c.graph));
    check(passes::decomposeAfterAutograd(c.graph));
    check(passes::foldConstants(c.graph));
    check(passes::simplifyAlgebra(c.graph));
    check(passes::mergeCommon(c.graph));
    check(passes::removeDead(c.graph));
    return std::move(c.graph);
}

} // namespace

#define CHECK_KERNELS(graph, count)                                                                \
    do {                                                                                           \
        const Compiled compiled = compile(graph);                                                  \
        QVERIFY2(compiled.problem.empty(), (compiled.problem + "\n" + compiled.text).c_str());     \
        QVERIFY2(compiled.kernels == size_t(count), compiled.text.c_str());                        \
    } while (false)

class TestCaseKernels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void double_cosine_is_one_kernel_each_way() {
        const partition::Partition p = split(doubleCosine());
        CHECK_KERNELS(p.forward.clone(), 1);
        CHECK_KERNELS(p.backward.clone(), 1);
    }
    void layer_norm_gelu_residual_is_one_kernel_each_way() {
        const partition::Partition p = split(layerNormGeluResidual(4, 64));
        CHECK_KERNELS(p.forward.clone(), 1);
        CHECK_KERNELS(p.backward.clone(), 1);
    }
    void softmax_cross_entropy_is_one_kernel_each_way() {
        const partition::Partition p = split(softmaxCrossEntropy(4, 32));
        // The loss, the count of rows, and two values a row: nothing of the logits' size.
        QCOMPARE(compile(p.forward.clone()).bytesWritten, int64_t(4 + 4 + 2 * 4 * 4));
        CHECK_KERNELS(p.forward.clone(), 1);
        CHECK_KERNELS(p.backward.clone(), 1);
    }
    void mlp_train_is_products_and_one_fused_kernel_for_the_hidden_layer() {
        const partition::Partition p = split(mlpTrain(4, 16, 32));
        CHECK_KERNELS(p.forward.clone(), 2);
        // Three products, the relu's gradient with the hidden bias's, the output bias's gradient.
        CHECK_KERNELS(p.backward.clone(), 5);
    }
    void matmul_add_relu_is_one_library_call() {
        Captured c;
        NodeId x = c.input("x", {4, 6}, false), y = c.input("y", {6, 5}, false);
        c.output(c.call("relu", {c.b.add(c.call("matmul", {x, y}), 1.0)}));
        CHECK_KERNELS(inference(c), 1);
    }
    void mul_add_relu_is_one_kernel() {
        Captured c;
        NodeId x = c.input("x", {4, 6}, false), y = c.input("y", {4, 6}, false);
        c.output(c.call("relu", {c.b.add(c.b.mul(x, y), 1.0)}));
        CHECK_KERNELS(inference(c), 1);
    }
    void attention_is_two_products_and_one_softmax() {
        Captured c;
        const ir::Shape sizes = {2, 2, 8, 4};
        NodeId q = c.input("q", sizes, false), k = c.input("k", sizes, false);
        NodeId v = c.input("v", sizes, false);
        NodeId kt = c.call("transpose.int", {k, Arg(ir::Sym(-2)), Arg(ir::Sym(-1))});
        NodeId scores = c.b.div(c.call("matmul", {q, kt}), 2.0);
        NodeId attention = c.call("softmax.int", {scores, Arg(ir::Sym(-1))});
        c.output(c.call("matmul", {attention, v}));
        CHECK_KERNELS(inference(c), 3);
    }
};

QTEST_APPLESS_MAIN(TestCaseKernels)
#include "test_case_kernels.moc"
