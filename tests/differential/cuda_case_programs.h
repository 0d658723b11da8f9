// SPDX-License-Identifier: Apache-2.0
/// \file
/// The benchmark cases as fused kernel programs for CUDA, forward and backward.
#pragma once

#include "core/fusion/fuse.h"
#include "core/kernel/device_traits.h"
#include "core/lower/lower.h"
#include "core/partition/partition.h"
#include "tests/support/captured_graphs.h"
#include "tests/support/interpret.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cutaway::testing {

struct CudaProgram {
    std::string name;
    std::shared_ptr<kernel::KernelProgram> program;
};

inline std::shared_ptr<kernel::KernelProgram> fusedForCuda(ir::Graph graph) {
    check(passes::decomposeBeforeLowering(graph));
    check(passes::mergeCommon(graph));
    check(passes::removeDead(graph));
    kernel::LoopProgram loops = take(lower::lowerGraph(graph));
    const ir::Device cuda{ir::Device::Kind::Cuda, 0};
    for (kernel::Buffer& buffer : loops.buffers)
        buffer.device = cuda;
    auto program = std::make_shared<kernel::KernelProgram>(fusion::fuse(loops, {}));
    for (kernel::Kernel& kernel : program->kernels)
        kernel.device = cuda;
    return program;
}

inline ir::Graph inferenceOf(Captured& c) {
    check(passes::decomposeBeforeAutograd(c.graph));
    check(passes::decomposeAfterAutograd(c.graph));
    check(passes::foldConstants(c.graph));
    check(passes::simplifyAlgebra(c.graph));
    check(passes::mergeCommon(c.graph));
    check(passes::removeDead(c.graph));
    return std::move(c.graph);
}

/// Programs differ between devices in who adds at computed places: a GPU's atomics, a CPU's owners.
inline void moveTo(kernel::KernelProgram& program, ir::Device device) {
    for (kernel::Buffer& buffer : program.loops.buffers)
        buffer.device = device;
    const kernel::Conflict sums = kernel::traitsOf(device).sumsAtPlaces;
    for (kernel::Kernel& kernel : program.kernels) {
        kernel.device = device;
        if (!kernel.tree) continue;
        for (kernel::Step& step : kernel.tree->steps)
            if (step.conflict != kernel::Conflict::None) step.conflict = sums;
    }
}

/// \param scale 0: small enough for the slow interpreter; 1: the cases' "gpu" sizes
inline std::vector<CudaProgram> cudaPrograms(int scale) {
    std::vector<CudaProgram> all;
    auto train = [&](const std::string& name, ir::Graph captured) {
        const partition::Partition p = take(partition::partitionJointGraph(
            jointOf(std::move(captured)), partition::Partitioner::MinCut));
        all.push_back({name + " forward", fusedForCuda(p.forward.clone())});
        all.push_back({name + " backward", fusedForCuda(p.backward.clone())});
    };
    auto pick = [&](int64_t small, int64_t large) { return scale ? large : small; };
    {
        Captured c;
        NodeId x = c.input("x", {pick(33, 1024), pick(20, 1 << 19)});
        c.output(c.call("cos", {c.call("cos", {x})}));
        train("double_cosine", std::move(c.graph));
    }
    train("layernorm_gelu_residual", layerNormGeluResidual(pick(70, 65536), pick(256, 1024)));
    train("softmax_cross_entropy", softmaxCrossEntropy(pick(70, 8192), pick(132, 50304)));
    train("mlp_train", mlpTrain(pick(40, 8192), pick(48, 1024), pick(96, 2048)));
    {
        Captured c;
        const int64_t n = pick(40, 8192);
        NodeId x = c.input("x", {n, n}, false), y = c.input("y", {n, n}, false);
        c.output(c.call("relu", {c.b.add(c.call("matmul", {x, y}), 1.0)}));
        all.push_back({"matmul_add_relu", fusedForCuda(inferenceOf(c))});
    }
    {
        Captured c;
        NodeId x = c.input("x", {pick(33, 1024), pick(7, 1 << 19)}, false);
        c.output(c.call("relu", {c.b.add(c.b.mul(x, 2.0), 1.0)}));
        all.push_back({"mul_add_relu", fusedForCuda(inferenceOf(c))});
    }
    {
        Captured c;
        const ir::Shape sizes = {pick(2, 8), pick(3, 16), pick(40, 2048), pick(16, 64)};
        NodeId q = c.input("q", sizes, false), k = c.input("k", sizes, false);
        NodeId v = c.input("v", sizes, false);
        NodeId kt = c.call("transpose.int", {k, Arg(ir::Sym(-2)), Arg(ir::Sym(-1))});
        NodeId scores = c.b.div(c.call("matmul", {q, kt}), 8.0);
        NodeId attention = c.call("softmax.int", {scores, Arg(ir::Sym(-1))});
        c.output(c.call("matmul", {attention, v}));
        all.push_back({"attention_block", fusedForCuda(inferenceOf(c))});
    }
    {
        Captured c;
        NodeId b = c.input("b", {}), column = c.input("column", {pick(33, 1024), 1});
        NodeId x = c.input("x", {pick(33, 1024), pick(20, 4096)});
        c.output(c.call("sum", {c.b.add(x, b)}));
        c.output(c.call("sum", {c.call("expand", {column, ints({pick(33, 1024), 12})})}));
        train("sums of broadcast values", std::move(c.graph));
    }
    {
        Captured c;
        NodeId x = c.input("x", {pick(33, 1024), pick(20, 4096)}, false);
        NodeId first =
            c.call("slice.Tensor", {x, Arg(ir::Sym(1)), Arg(ir::Sym(0)), Arg(ir::Sym(1))});
        c.output(c.b.sub(x, first));
        all.push_back({"a buffer whole and at an element", fusedForCuda(inferenceOf(c))});
    }
    {
        // Read along one loop and written along another, with a value of each row between.
        Captured c;
        const ir::Shape turned = {pick(2, 128), pick(35, 64), pick(48, 3136)};
        NodeId x = c.input("x", {turned[0], turned[2], turned[1]}, false);
        NodeId y = c.input("y", turned, false), w = c.input("w", {turned[1], 1}, false);
        NodeId t = c.call("transpose.int", {x, Arg(ir::Sym(1)), Arg(ir::Sym(2))});
        c.output(c.call("clone", {c.b.mul(c.b.add(t, y), c.call("exp", {w}))}));
        all.push_back({"turned reads", fusedForCuda(inferenceOf(c))});
    }
    {
        // Most accesses lie along the loop that one result does not.
        Captured c;
        const ir::Shape sizes = {pick(70, 4096), pick(37, 4096)};
        NodeId x = c.input("x", sizes, false), y = c.input("y", sizes, false, ir::DType::Float16);
        NodeId sum = c.b.add(x, y);
        NodeId t = c.call("transpose.int", {sum, Arg(ir::Sym(0)), Arg(ir::Sym(1))});
        c.output(c.b.mul(x, 2.0));
        c.output(c.call("clone", {t}));
        c.output(sum);
        all.push_back({"turned writes", fusedForCuda(inferenceOf(c))});
    }
    {
        // Sums at computed rows: every column is apart.
        Captured c;
        NodeId table = c.input("table", {12, pick(20, 768)});
        NodeId tokens = c.input("tokens", {pick(33, 4096)}, false, ir::DType::Int64);
        c.output(c.call("embedding", {table, tokens}));
        train("gradient of a table", std::move(c.graph));
    }
    {
        // Every coordinate is computed.
        Captured c;
        NodeId x = c.input("x", {pick(7, 1024)}, false), from = c.input("from", {40}, false);
        NodeId at = c.input("at", {40}, false, ir::DType::Int64);
        c.output(c.call("scatter_add", {x, Arg(ir::Sym(0)), at, from}));
        all.push_back({"sums at places", fusedForCuda(inferenceOf(c))});
    }
    {
        // Two statements of the first pass over a row read what is kept for the second.
        Captured c;
        NodeId x = c.input("x", {pick(33, 1024), 7});
        NodeId first =
            c.call("slice.Tensor", {x, Arg(ir::Sym(1)), Arg(ir::Sym(0)), Arg(ir::Sym(1))});
        NodeId left = c.b.sub(x, first);
        c.output(c.call("where.self",
                        {c.call("gt.Scalar", {left, Arg(0.02)}), left, c.b.mul(left, 1.0)}));
        train("a kept value with two readers", std::move(c.graph));
    }
    {
        // What runs along rows, behind a reduction of them; the other way in the backward.
        Captured c;
        NodeId x = c.input("x", {pick(33, 4096), pick(70, 1000)});
        NodeId shares = c.call("softmax.int", {x, Arg(ir::Sym(-1))});
        NodeId sums = c.call("cumsum", {shares, Arg(ir::Sym(-1))});
        NodeId logs = c.call("logcumsumexp", {c.call("sin", {x}), Arg(ir::Sym(-1))});
        c.output(c.b.mul(sums, logs));
        train("running values", std::move(c.graph));
    }
    {
        Captured c; // several of them in one pass, one of which a reduction reads
        NodeId x = c.input("x", {pick(33, 4096), pick(70, 1000)}, false);
        NodeId sums = c.call("cumsum", {x, Arg(ir::Sym(-1))});
        for (const char* extreme : {"max", "min"}) {
            const NodeId both =
                c.call("_scan_extreme", {x, Arg(ir::Sym(1)), Arg(std::string(extreme))});
            c.output(c.b.getitem(both, 1));
            c.output(c.b.getitem(both, 0));
        }
        c.output(c.b.sub(sums, c.call("amax", {sums, ints({1}), Arg(true)})));
        all.push_back({"places and a sum", fusedForCuda(inferenceOf(c))});
    }
    {
        // Down columns, with what they add and what reads them; the other way in the backward.
        Captured c;
        NodeId x = c.input("x", {pick(2, 8), pick(37, 1024), pick(70, 512)});
        NodeId sums = c.call("cumsum", {c.call("sin", {x}), Arg(ir::Sym(1))});
        NodeId logs = c.call("logcumsumexp", {x, Arg(ir::Sym(1))});
        c.output(c.b.mul(sums, logs));
        train("running values down columns", std::move(c.graph));
    }
    {
        Captured c; // along one row, of which a processor's threads have parts; and from its end
        NodeId x = c.input("x", {pick(1003, 100003)});
        NodeId sums = c.call("cumsum", {c.call("sin", {x}), Arg(ir::Sym(0))});
        c.output(c.b.mul(sums, x));
        train("running sums along one row", std::move(c.graph));
    }
    {
        Captured c;
        NodeId x = c.input("x", {pick(1003, 100003)}, false);
        for (const char* extreme : {"max", "min"}) {
            const NodeId both =
                c.call("_scan_extreme", {x, Arg(ir::Sym(0)), Arg(std::string(extreme))});
            c.output(c.b.getitem(both, 1));
            c.output(c.b.mul(c.b.getitem(both, 0), 2.0));
        }
        c.output(c.call("logcumsumexp", {c.b.mul(x, 3.0), Arg(ir::Sym(0))}));
        c.output(c.call("cumprod", {x, Arg(ir::Sym(0))}));
        all.push_back({"places and products along one row", fusedForCuda(inferenceOf(c))});
    }
    {
        Captured c; // the largest of columns, where it is, and what reads both
        NodeId x = c.input("x", {pick(33, 4096), pick(70, 1000)}, false);
        const NodeId both = c.call("max.dim", {x, Arg(ir::Sym(0)), Arg(false)});
        c.output(c.b.getitem(both, 1));
        c.output(c.b.mul(c.b.getitem(both, 0), 2.0));
        c.output(c.call("argmin", {c.b.mul(x, x), Arg(ir::Sym(0)), Arg(false)}));
        all.push_back({"extremes of columns", fusedForCuda(inferenceOf(c))});
    }
    {
        Captured c; // more columns' results than would each fit into shared memory of their own
        NodeId x = c.input("x", {pick(33, 4096), pick(68, 1000)}, false, ir::DType::Float64);
        for (NodeId of : {x, c.b.mul(x, x), c.call("sin", {x})})
            for (const char* extreme : {"argmax", "argmin"})
                c.output(c.call(extreme, {of, Arg(ir::Sym(0)), Arg(false)}));
        c.output(c.call("sum.dim_IntList", {x, Arg(ir::ArgList{Arg(ir::Sym(0))}), Arg(false)}));
        all.push_back({"many results of double columns", fusedForCuda(inferenceOf(c))});
    }
    {
        Captured c; // places and products of few, long columns
        NodeId x = c.input("x", {pick(150, 1000), pick(17, 40)}, false);
        for (const char* extreme : {"max", "min"}) {
            const NodeId both =
                c.call("_scan_extreme", {x, Arg(ir::Sym(0)), Arg(std::string(extreme))});
            c.output(c.b.getitem(both, 1));
            c.output(c.b.mul(c.b.getitem(both, 0), 2.0));
        }
        c.output(c.call("cumprod", {x, Arg(ir::Sym(0))}));
        all.push_back({"places down columns", fusedForCuda(inferenceOf(c))});
    }
    for (ir::DType dtype : {ir::DType::Float16, ir::DType::BFloat16}) {
        Captured c; // rows that are kept, row sums, sums over rows; loads of 8 elements at once
        NodeId x = c.input("x", {pick(33, 4096), pick(24, 4096)}, true, dtype);
        NodeId w = c.input("w", {pick(24, 4096)}, true, dtype);
        NodeId gelu = c.call("gelu", {c.b.add(c.b.mul(x, w), 0.1)});
        c.output(c.call("softmax.int", {gelu, Arg(ir::Sym(-1))}));
        train(std::string(ir::name(dtype)) + " softmax", std::move(c.graph));
    }
    for (ir::DType dtype : {ir::DType::Int8, ir::DType::UInt8, ir::DType::UInt16, ir::DType::UInt32,
                            ir::DType::UInt64, ir::DType::Float8E4M3, ir::DType::Float8E5M2}) {
        Captured c; // what wraps around, is narrowed, compared and reduced
        NodeId x = c.input("x", {pick(33, 4096), pick(24, 4096)}, false, dtype);
        NodeId wide = c.call("prims.convert_element_type", {x, Arg(ir::DType::Float32)});
        NodeId narrow = c.call("prims.convert_element_type", {c.b.mul(wide, 1.5), Arg(dtype)});
        if (ir::isIntegral(dtype)) {
            NodeId sum = c.b.add(c.b.mul(x, x), narrow);
            c.output(c.call("gt.Tensor", {sum, x}));
            narrow = c.call("maximum", {sum, x});
        }
        c.output(narrow);
        all.push_back({std::string(ir::name(dtype)) + " in memory", fusedForCuda(inferenceOf(c))});
    }
    return all;
}

/// Programs whose sizes are symbols; the hints are small enough for the slow interpreter. They
/// have rows of symbolic length, symbolic numbers of rows, sums over both and over everything.
inline std::vector<CudaProgram> cudaProgramsOfSymbols() {
    std::vector<CudaProgram> all;
    auto program = [&](const std::string& name, bool train, bool rows, bool columns,
                       const std::function<NodeId(Captured&, NodeId, NodeId)>& value) {
        Captured c;
        c.graph.shapes = std::make_shared<ir::ShapeEnv>();
        const ir::Sym n = rows ? c.graph.shapes->add(37, "L['x'].size()[0]") : ir::Sym(37);
        const ir::Sym m = columns ? c.graph.shapes->add(70, "L['x'].size()[1]") : ir::Sym(72);
        const NodeId x = c.input("x", {n, m}, train), w = c.input("w", {m}, train);
        c.output(value(c, x, w));
        if (!train) {
            all.push_back({name, fusedForCuda(inferenceOf(c))});
            return;
        }
        const partition::Partition p = take(partition::partitionJointGraph(
            jointOf(std::move(c.graph)), partition::Partitioner::MinCut));
        all.push_back({name + " forward", fusedForCuda(p.forward.clone())});
        all.push_back({name + " backward", fusedForCuda(p.backward.clone())});
    };
    for (const auto& [rows, columns] : {std::pair(true, false), {false, true}, {true, true}}) {
        const std::string of = std::string(rows ? ", rows" : "") + (columns ? ", columns" : "");
        program("softmax" + of, true, rows, columns, [](Captured& c, NodeId x, NodeId w) {
            return c.call("softmax.int", {c.b.mul(x, w), Arg(ir::Sym(-1))});
        });
        program("sum" + of, true, rows, columns, [](Captured& c, NodeId x, NodeId w) {
            return c.call("sum", {c.call("cos", {c.b.mul(x, w)})});
        });
        program("running" + of, true, rows, columns, [](Captured& c, NodeId x, NodeId w) {
            return c.call("cumsum", {c.b.mul(x, w), Arg(ir::Sym(-1))});
        });
        program("running down" + of, true, rows, columns, [](Captured& c, NodeId x, NodeId w) {
            return c.call("cumsum", {c.b.mul(x, w), Arg(ir::Sym(0))});
        });
        program("turned" + of, false, rows, columns, [](Captured& c, NodeId x, NodeId w) {
            NodeId t = c.call("transpose.int", {c.b.mul(x, w), Arg(ir::Sym(0)), Arg(ir::Sym(1))});
            return c.call("clone", {c.call("exp", {t})});
        });
        program("columns" + of, false, rows, columns, [](Captured& c, NodeId x, NodeId w) {
            return c.b.mul(c.call("amax", {x, ints({0})}), w);
        });
    }
    return all;
}

} // namespace cutaway::testing
