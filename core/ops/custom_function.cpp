// SPDX-License-Identifier: Apache-2.0
// A function of a script that says itself what its gradient is (torch.autograd.Function): what its
// backward() computes stands in the graph, from stand-ins for the gradients that will arrive.
#include "core/ops/call_forms.h"
#include "core/ops/families_custom.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"

#include <algorithm>
#include <unordered_map>

namespace cutaway::ops {

namespace {

/// Positions of the arguments.
constexpr size_t kOutputs = 0, kInputs = 1, kGradients = 2, kArriving = 3;

Result<Types> customShape(const OpCall& call) {
    const auto list = [&](size_t i) { return *call.args[i].list(); };
    if (list(kInputs).size() != list(kGradients).size() ||
        list(kOutputs).size() != list(kArriving).size())
        return refuse(call, "expected a gradient for each input, and one that arrives for each "
                            "output");
    const std::vector<ir::TensorType> inputs = call.tensors(kInputs);
    for (size_t i = 0; i < inputs.size(); ++i)
        if (const ir::Arg gradient = list(kGradients)[i]; gradient.node())
            if (!call.same(call.graph.node(*gradient.node()).type().sizes, inputs[i].sizes))
                return refuse(call, "expected gradients of the sizes of their inputs");
    return call.tensors(kOutputs);
}

Values customReference(const OpCall& call, Tensors tensors) {
    Values values;
    for (size_t i = 0; i < call.tensors(kOutputs).size(); ++i)
        values.push_back(*tensors[i]);
    return values;
}

/// Copies what a graph computes from some of its nodes, with other nodes in their place.
class Replay {
public:
    explicit Replay(Builder& builder) : b_(builder) {}
    void put(NodeId old, NodeId with) {
        first_ = std::min(first_, old.index);
        now_[old.index] = with;
    }
    /// Runs through the nodes up to \p end and copies those that depend on what was put.
    void run(uint32_t end) {
        for (uint32_t i = first_; i < end; ++i) {
            const NodeId id(i);
            if (now_.count(i) || !b_.graph().contains(id)) continue;
            const ir::Node& node = b_.graph().node(id);
            bool depends = false;
            ir::forEachNode(node.args, [&](NodeId k) { depends |= now_.count(k.index) > 0; });
            if (depends) now_[i] = copy(node);
        }
    }
    NodeId of(NodeId old) const {
        auto known = now_.find(old.index);
        return known == now_.end() ? old : known->second;
    }

private:
    NodeId copy(const ir::Node& node) {
        if (node.op == "getitem")
            return b_.getitem(of(*node.args[0].node()),
                              static_cast<int>(std::get<ir::Sym>(node.args[1]).constant()));
        ir::ArgList args = node.args;
        ir::rewriteNodes(args, [&](NodeId k) { return of(k); });
        return b_.call(node.op, std::move(args));
    }

    Builder& b_;
    uint32_t first_ = UINT32_MAX;
    std::unordered_map<uint32_t, NodeId> now_; ///< looked up by id, never walked
};

/// The gradients that backward() gave, from the gradients that arrived; results that it saved are
/// those of the function, which have this gradient again.
void customVjp(Vjp& v) {
    const ir::ArgList args = v.node.args;
    const ir::ArgList &outputs = *args[kOutputs].list(), &inputs = *args[kInputs].list(),
                      &found = *args[kGradients].list(), &arriving = *args[kArriving].list();
    Replay replay(v.b);
    const uint32_t end = NodeId(v.result).index;
    for (size_t i = 0; i < outputs.size(); ++i) {
        const NodeId standIn = *arriving[i].node();
        Value gradient = v.grads[i].valid() ? v.grads[i] : Value(zerosLike(Value(v.b, standIn)));
        if (gradient.type().strides != v.b.type(standIn).strides)
            gradient = aten("contiguous", gradient);
        replay.put(standIn, gradient);
        replay.put(*outputs[i].node(), v.b.getitem(v.result, static_cast<int>(i)));
    }
    replay.run(end);
    for (size_t j = 0; j < inputs.size(); ++j)
        if (found[j].node() && v.wants(outputs.size() + j))
            v.set(outputs.size() + j, Value(v.b, replay.of(*found[j].node())));
}

Results customResults(const Operands& x) {
    Results results;
    for (const Arg& output : *x.node.args[kOutputs].list())
        results.push_back(*output.node());
    return results;
}

Arg listOf(std::vector<uint32_t> tensors) {
    ir::ArgList list;
    for (uint32_t k : tensors)
        list.push_back(T(k));
    return Arg(list);
}

} // namespace

std::vector<OpDef> customFunctionOps() {
    std::vector<OpDef> ops;
    ops.push_back(
        internal({"prims.custom_function(Tensor[] outputs, Tensor[] inputs, Tensor?[] gradients, "
                  "Tensor[] arriving) -> Tensor[]",
                  customShape,
                  VjpRule{customVjp},
                  Decompose{customResults, DecomposeWhen::AfterAutograd},
                  customReference,
                  [] {
                      return std::vector<Sample>{
                          forwardOnly({f32({2, 3}), f32({3}), f32({3}), f32({2, 3})},
                                      {listOf({0}), listOf({1}), listOf({2}), listOf({3})})};
                  },
                  {"the results of a script's function with the gradient that it gives", "y = y",
                   "torch.autograd.Function"}}));
    ops.push_back(
        internal({"prims.arriving_gradient(Tensor self) -> Tensor",
                  [](const OpCall& call) -> Result<Types> {
                      const ir::TensorType& self = call.tensor(0);
                      return one(ir::TensorType::contiguous(self.dtype, self.sizes, self.device));
                  },
                  VjpRule{noGradients},
                  Decompose{[](const Operands& x) {
                                return Results{full(x.b, x.type(0).sizes, 0.0, x.type(0))};
                            },
                            DecomposeWhen::AfterAutograd},
                  [](const OpCall&, Tensors tensors) {
                      return oneValue(ir::HostTensor::zeros(tensors[0]->dtype, tensors[0]->sizes));
                  },
                  [] { return std::vector<Sample>{good({f32({2, 3})}, {T(0)})}; },
                  {"stands for the gradient that will arrive at a result; zero where none does",
                   "y = 0", "torch.autograd.Function"}}));
    return ops;
}

} // namespace cutaway::ops
