// SPDX-License-Identifier: Apache-2.0
/// \file
/// Captured graphs of the train cases, built by hand as capture gives them, and the passes between
/// capture and partition in their order. For tests only.
#pragma once

#include "core/autodiff/joint_graph.h"
#include "core/ops/builder.h"
#include "core/passes/decompose.h"
#include "core/passes/fold_constants.h"
#include "core/passes/merge_common.h"
#include "core/passes/reassociate_constants.h"
#include "core/passes/remove_dead.h"
#include "core/passes/simplify_algebra.h"

#include <stdexcept>

namespace cutaway::testing {

using ir::Arg;
using ir::ArgList;
using ir::NodeId;

inline ArgList ints(std::initializer_list<int64_t> values) {
    ArgList list;
    for (int64_t value : values)
        list.push_back(Arg(ir::Sym(value)));
    return list;
}

/// A graph under construction.
struct Captured {
    ir::Graph graph{"captured"};
    ops::Builder b{graph};

    NodeId input(const std::string& name, ir::Shape sizes, bool requiresGrad = true,
                 ir::DType dtype = ir::DType::Float32) {
        ir::TensorType type = ir::TensorType::contiguous(dtype, std::move(sizes));
        type.requiresGrad = requiresGrad;
        NodeId id = graph.addPlaceholder(name, type);
        graph.node(id).inputSource = "L['" + name + "']";
        return id;
    }
    NodeId call(std::string_view op, ArgList args) { return b.call(op, std::move(args)); }
    void output(NodeId id) {
        graph.outputNames.push_back("output " + std::to_string(graph.outputs.size()));
        graph.outputs.push_back(id);
    }
};

inline ir::Graph doubleCosine() {
    Captured c;
    NodeId x = c.input("x", {16, 16});
    c.output(c.call("cos", {c.call("cos", {x})}));
    return std::move(c.graph);
}

inline ir::Graph mlpTrain(int64_t batch = 4, int64_t width = 1024, int64_t hidden = 2048) {
    Captured c;
    NodeId w1 = c.input("w1", {hidden, width}), b1 = c.input("b1", {hidden});
    NodeId x = c.input("x", {batch, width}, false);
    NodeId w2 = c.input("w2", {width, hidden}), b2 = c.input("b2", {width});
    NodeId h = c.call("relu", {c.call("linear", {x, w1, b1})});
    c.output(c.call("linear", {h, w2, b2}));
    return std::move(c.graph);
}

inline ir::Graph layerNormGeluResidual(int64_t rows = 4, int64_t width = 1024) {
    Captured c;
    NodeId w = c.input("w", {width}), b = c.input("b", {width}), x = c.input("x", {rows, width});
    NodeId norm = c.call("layer_norm", {x, ints({width}), w, b, 1e-5});
    c.output(c.b.add(x, c.call("gelu", {norm})));
    return std::move(c.graph);
}

inline ir::Graph softmaxCrossEntropy(int64_t rows = 4, int64_t classes = 128) {
    Captured c;
    NodeId logits = c.input("logits", {rows, classes});
    NodeId target = c.input("target", {rows}, false, ir::DType::Int64);
    c.output(c.call("cross_entropy_loss", {logits, target}));
    return std::move(c.graph);
}

inline void check(const base::Status& status) {
    if (!status.ok()) throw std::runtime_error(status.error().str());
}
template <typename T> T take(base::Result<T> result) {
    if (!result.ok()) throw std::runtime_error(result.error().str());
    return std::move(*result);
}

/// From a captured graph to what the partitioner gets.
inline autodiff::JointGraph jointOf(ir::Graph captured, bool simplified = true) {
    check(passes::decomposeBeforeAutograd(captured));
    autodiff::JointGraph joint = take(autodiff::buildJointGraph(captured));
    check(passes::decomposeAfterAutograd(joint.graph));
    if (simplified) {
        check(passes::foldConstants(joint.graph));
        check(passes::simplifyAlgebra(joint.graph));
        check(passes::reassociateConstants(joint.graph));
        check(passes::mergeCommon(joint.graph));
    }
    check(passes::removeDead(joint.graph));
    return joint;
}

} // namespace cutaway::testing
