// SPDX-License-Identifier: Apache-2.0
// Losses. Decompositions: torch/_decomp/decompositions.py (nll_loss_forward, nll_loss_backward).
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::Shape;
using ir::Sym;
using ir::TensorType;

enum Reduce { kNone = 0, kMean = 1, kSum = 2 }; ///< at::Reduction
constexpr NotDifferentiable kSecondOrder{"second derivatives are not supported"};

/// The class dimension: 1, or 0 for a single row.
int classDim(const TensorType& self) {
    return self.rank() < 2 ? 0 : 1;
}

base::Status targetFits(const OpCall& call, size_t selfArg, size_t targetArg, size_t weightArg) {
    const TensorType &self = call.tensor(selfArg), &target = call.tensor(targetArg);
    if (!ir::isFloating(self.dtype))
        return refuse(call,
                      fmt::format("expected floating-point input, found {}", ir::name(self.dtype)));
    if (target.dtype != DType::Int64)
        return refuse(call, fmt::format("expected an int64 target of class numbers, found {}",
                                        ir::name(target.dtype)));
    Shape wanted = self.sizes;
    if (self.rank() == 1)
        wanted.clear();
    else if (self.rank() >= 2)
        wanted.erase(wanted.begin() + 1);
    bool fits = self.rank() >= 1 && self.rank() <= 2 && call.same(target.sizes, wanted);
    if (self.rank() == 2 && target.rank() == 1 && !fits)
        return refuse(call, fmt::format("input {} has {} rows, target {} has {}",
                                        ir::str(self.sizes), self.sizes[0].str(),
                                        ir::str(target.sizes), target.sizes[0].str()))
            .as(ErrorClass::Value);
    if (!fits)
        return refuse(
            call, fmt::format("expected input [rows, classes] and target [rows], found {} and {}",
                              ir::str(self.sizes), ir::str(target.sizes)));
    Sym classes = self.sizes[static_cast<size_t>(classDim(self))];
    if (classes.is(0) && !target.numel().is(0))
        return refuse(call, "expected at least one class, found none");
    if (call.isTensor(weightArg) && !call.same(call.tensor(weightArg).sizes, Shape{classes}))
        return refuse(call, fmt::format("expected a weight for each of {} classes, found {}",
                                        classes.str(), ir::str(call.tensor(weightArg).sizes)));
    return {};
}

int64_t reductionOf(const OpCall& call, size_t arg) {
    return call.number(arg);
}

Result<Types> nllForwardShape(const OpCall& call) {
    CUTAWAY_CHECK(targetFits(call, 0, 1, 2));
    const TensorType& self = call.tensor(0);
    TensorType scalar = TensorType::contiguous(self.dtype, {}, self.device);
    bool rows = reductionOf(call, 3) == kNone && self.rank() == 2;
    TensorType loss =
        rows ? TensorType::contiguous(self.dtype, {self.sizes[0]}, self.device) : scalar;
    return Types{loss, scalar};
}

/// ne(target, ignore_index)
NodeId counted(Builder& b, const Arg& target, const Arg& ignore) {
    return b.call("ne.Scalar", {target, ignore});
}
/// One value for each row of a class tensor, picked by target.
NodeId picked(Builder& b, NodeId from, int dim, NodeId index) {
    NodeId gathered = b.call("gather", {Arg(from), intArg(dim), Arg(index)});
    return b.call("squeeze.dim", {Arg(gathered), intArg(dim)});
}

std::vector<NodeId> nllForward(Builder& b, const ir::Node& node) {
    OpCall call = callOf(b, node);
    const TensorType type = call.tensor(0);
    int dim = classDim(type);
    int64_t reduction = reductionOf(call, 3);
    NodeId self = *node.args[0].node(), weight;
    if (!node.args[2].isNone()) {
        weight = *node.args[2].node();
        if (type.rank() > 1) weight = b.reshape(weight, {Sym(1), type.sizes[1]});
        self = b.mul(self, Arg(weight));
    }
    NodeId target = *node.args[1].node();
    NodeId safe = b.where(counted(b, Arg(target), node.args[4]), Arg(target), intArg(0));
    NodeId index = b.call("unsqueeze", {Arg(safe), intArg(dim)});
    NodeId loss = b.neg(picked(b, self, dim, index));
    loss = b.where(counted(b, Arg(target), node.args[4]), Arg(loss), intArg(0));
    if (reduction == kNone && type.rank() > 1) return {loss, b.scalar(0, type.dtype, type.device)};
    NodeId total;
    if (weight.valid()) {
        NodeId wide = b.expand(weight, type.sizes);
        NodeId weights = picked(b, wide, dim, index);
        weights = b.where(counted(b, Arg(target), node.args[4]), Arg(weights), intArg(0));
        total = b.call("sum", {Arg(weights)});
    } else {
        NodeId count = b.call("sum", {Arg(counted(b, Arg(target), node.args[4]))});
        total = b.convert(count, type.dtype);
    }
    if (reduction == kSum) loss = b.call("sum", {Arg(loss)});
    if (reduction == kMean) loss = b.div(b.call("sum", {Arg(loss)}), Arg(total));
    return {loss, total};
}

Gradients nllForwardVjp(Builder& b, NodeId forward, GradOutputs grads) {
    Vjp v(b, forward, grads);
    if (!v.wants(0)) return v.finish();
    NodeId total = b.getitem(forward, 1);
    v.set(0, b.call("nll_loss_backward",
                    {Arg(v.grad), v.arg(0), v.arg(1), v.arg(2), v.arg(3), v.arg(4), Arg(total)}));
    return v.finish();
}

Result<Types> nllBackwardShape(const OpCall& call) {
    CUTAWAY_CHECK(targetFits(call, 1, 2, 3));
    return likeArg1(call);
}

std::vector<NodeId> nllBackward(Builder& b, const ir::Node& node) {
    OpCall call = callOf(b, node);
    const TensorType type = call.tensor(1);
    int dim = classDim(type);
    NodeId grad = *node.args[0].node();
    if (reductionOf(call, 4) == kMean) grad = b.div(grad, node.args[6]);
    NodeId target = b.call("unsqueeze", {node.args[2], intArg(dim)});
    NodeId safe = b.where(counted(b, Arg(target), node.args[5]), Arg(target), intArg(0));
    NodeId zeros = b.call(
        "full", {Arg(sizeList(type.sizes)), intArg(0), Arg(type.dtype), Arg{}, Arg(type.device)});
    NodeId hot = b.call("scatter.value", {Arg(zeros), intArg(dim), Arg(safe), Arg(-1.0)});
    if (b.type(grad).rank() > 0) grad = b.call("unsqueeze", {Arg(grad), intArg(dim)});
    if (!node.args[3].isNone()) {
        NodeId weight = *node.args[3].node();
        if (type.rank() > 1) weight = b.reshape(weight, {Sym(1), type.sizes[1]});
        grad = b.mul(grad, Arg(weight));
    }
    grad = b.where(counted(b, Arg(target), node.args[5]), Arg(grad), intArg(0));
    return {b.mul(hot, Arg(grad))};
}

// --- cross entropy ---

Result<Types> crossEntropyShape(const OpCall& call) {
    CUTAWAY_CHECK(targetFits(call, 0, 1, 2));
    if (call.real(5) != 0) return refuse(call, "label_smoothing other than 0 is not supported");
    const TensorType& self = call.tensor(0);
    bool rows = reductionOf(call, 3) == kNone && self.rank() == 2;
    return one(
        TensorType::contiguous(self.dtype, rows ? Shape{self.sizes[0]} : Shape{}, self.device));
}

std::vector<NodeId> crossEntropy(Builder& b, const ir::Node& node) {
    NodeId self = *node.args[0].node();
    NodeId logs = b.call("_log_softmax", {Arg(self), intArg(classDim(b.type(self))), Arg(false)});
    NodeId both = b.call("nll_loss_forward",
                         {Arg(logs), node.args[1], node.args[2], node.args[3], node.args[4]});
    return {b.getitem(both, 0)};
}

Result<Types> nllShape(const OpCall& call) {
    CUTAWAY_TRY(Types types, nllForwardShape(call));
    types.pop_back();
    return types;
}

std::vector<NodeId> nll(Builder& b, const ir::Node& node) {
    NodeId both = b.call("nll_loss_forward",
                         {node.args[0], node.args[1], node.args[2], node.args[3], node.args[4]});
    return {b.getitem(both, 0)};
}

struct NllRows {
    std::vector<double> loss, weight;
};
/// -weight * value at the target of every row; ignored rows count nothing. Nothing at all when a
/// target is out of bounds.
std::optional<NllRows> nllRows(const OpCall& call, Tensors tensors,
                               const std::vector<double>& logs) {
    const ir::HostTensor& target = *tensors[1];
    auto classes = static_cast<size_t>(tensors[0]->sizes.back());
    int64_t ignore = call.number(4);
    std::vector<double> weights(classes, 1);
    if (call.has(2)) weights = valuesOf<double>(*tensors[2]);
    NllRows rows;
    for (int64_t r = 0; r < target.numel(); ++r)
        if (int64_t t = target.getInt(r); t != ignore && (t < 0 || t >= std::ssize(weights)))
            return std::nullopt;
    for (int64_t r = 0; r < target.numel(); ++r) {
        int64_t t = target.getInt(r);
        double w = t == ignore ? 0 : weights[static_cast<size_t>(t)];
        rows.weight.push_back(w);
        rows.loss.push_back(
            t == ignore ? 0 : -w * logs[static_cast<size_t>(r) * classes + static_cast<size_t>(t)]);
    }
    return rows;
}

template <bool fromLogits, bool withTotal>
Values nllReference(const OpCall& call, Tensors tensors) {
    DType dtype = tensors[0]->dtype;
    std::vector<double> logs = valuesOf<double>(*tensors[0]);
    auto classes = static_cast<size_t>(tensors[0]->sizes.back());
    for (size_t r = 0; fromLogits && r < logs.size(); r += classes) {
        double largest = *std::max_element(logs.begin() + static_cast<std::ptrdiff_t>(r),
                                           logs.begin() + static_cast<std::ptrdiff_t>(r + classes));
        double sum = 0;
        for (size_t c = 0; c < classes; ++c)
            sum += std::exp(logs[r + c] - largest);
        for (size_t c = 0; c < classes; ++c)
            logs[r + c] -= largest + std::log(sum);
    }
    std::optional<NllRows> rows = nllRows(call, tensors, logs);
    if (!rows) return {};
    int64_t reduction = reductionOf(call, 3);
    double loss = 0, total = 0;
    for (double x : rows->loss)
        loss += x;
    for (double x : rows->weight)
        total += x;
    bool perRow = reduction == kNone && tensors[0]->sizes.size() == 2;
    if (reduction == kMean) loss /= total;
    Values results;
    if (perRow)
        results.push_back(tensorOf(dtype, {tensors[0]->sizes[0]}, rows->loss));
    else
        results.push_back(ir::HostTensor::scalar(dtype, loss));
    if (withTotal) results.push_back(ir::HostTensor::scalar(dtype, perRow ? 0 : total));
    return results;
}

Values nllBackwardReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor &grad = *tensors[0], &self = *tensors[1], &target = *tensors[2];
    int64_t classes = self.sizes.back(), ignore = call.number(5);
    double total = tensors.back()->get(0);
    std::vector<double> result(static_cast<size_t>(self.numel()));
    for (int64_t r = 0; r < target.numel(); ++r) {
        int64_t t = target.getInt(r);
        if (t == ignore) continue;
        if (t < 0 || t >= classes) return {};
        double g = grad.get(grad.sizes.empty() ? 0 : r);
        if (reductionOf(call, 4) == kMean) g /= total;
        double w = call.has(3) ? tensors[3]->get(t) : 1;
        result[static_cast<size_t>(r * classes + t)] = -w * g;
    }
    return oneValue(tensorOf(self.dtype, self.sizes, result));
}

// --- mean squared error ---

Result<Types> mseShape(const OpCall& call) {
    CUTAWAY_TRY(Types types, promoteBinary(call));
    if (!ir::isFloating(types[0].dtype))
        return refuse(
            call, fmt::format("expected floating-point input, found {}", ir::name(types[0].dtype)));
    if (reductionOf(call, 2) == kNone) return types;
    return one(TensorType::contiguous(types[0].dtype, {}, types[0].device));
}

std::vector<NodeId> mse(Builder& b, const ir::Node& node) {
    NodeId difference = b.sub(*node.args[0].node(), node.args[1]);
    NodeId square = b.call("pow.Tensor_Scalar", {Arg(difference), intArg(2)});
    int64_t reduction = reductionOf(callOf(b, node), 2);
    if (reduction == kMean) return {b.call("mean", {Arg(square)})};
    if (reduction == kSum) return {b.call("sum", {Arg(square)})};
    return {square};
}

Gradients mseVjp(Builder& b, NodeId forward, GradOutputs grads) {
    Vjp v(b, forward, grads);
    for (size_t i : {0, 1}) {
        if (!v.wants(i)) continue;
        v.set(i, b.call("mse_loss_backward", {Arg(v.grad), v.arg(i), v.arg(1 - i), v.arg(2)}));
    }
    return v.finish();
}

/// norm * (self - target) * grad, norm = 2 / n or 2
std::vector<NodeId> mseBackward(Builder& b, const ir::Node& node) {
    NodeId difference = b.sub(*node.args[1].node(), node.args[2]);
    double norm = 2;
    const ir::Sym count = b.type(difference).numel();
    const bool mean = reductionOf(callOf(b, node), 3) == kMean;
    if (mean && count.isConst()) norm /= static_cast<double>(callOf(b, node).number(count));
    NodeId grad = b.mul(b.mul(difference, Arg(norm)), node.args[0]);
    return {mean && !count.isConst() ? b.div(grad, Arg(count)) : grad};
}

Result<Types> mseBackwardShape(const OpCall& call) {
    return pointwiseType(call, resultDType(call, {1, 2}), {1, 2});
}

Values mseReference(const OpCall& call, Tensors tensors) {
    DType dtype = resultDType(call, {0, 1});
    ir::HostTensor squares = broadcastMapAs<double, 2>(
        call, tensors, {0, 1}, dtype, dtype, [](double a, double b) { return (a - b) * (a - b); });
    int64_t reduction = reductionOf(call, 2);
    if (reduction == kNone) return oneValue(std::move(squares));
    double sum = 0;
    for (int64_t i = 0; i < squares.numel(); ++i)
        sum += squares.get(i);
    if (reduction == kMean) sum /= static_cast<double>(squares.numel());
    return oneValue(ir::HostTensor::scalar(dtype, sum));
}

Values mseBackwardReference(const OpCall& call, Tensors tensors) {
    DType dtype = resultDType(call, {1, 2});
    double norm = 2;
    Sizes all = broadcastSizes({tensors[1]->sizes, tensors[2]->sizes});
    if (reductionOf(call, 3) == kMean) norm /= static_cast<double>(product(all));
    return oneValue(broadcastMapAs<double, 3>(
        call, tensors, {0, 1, 2}, dtype, dtype,
        [&](double g, double a, double b) { return norm * (a - b) * g; }));
}

// --- samples and records ---

std::vector<Sample> nllSamples(std::string_view base, std::vector<Arg> tail) {
    auto make = [&](std::vector<SampleTensor> tensors, Arg weight, int64_t reduction,
                    int64_t ignore) {
        ir::ArgList args{T(0), T(1), weight, I(reduction), I(ignore)};
        args.insert(args.end(), tail.begin(), tail.end());
        return good(std::move(tensors), args);
    };
    SampleTensor rows = f32({4, 5}), targets = i64({4}, 0, 4);
    Sample wrongType = make({rows, f32({4})}, none(), kMean, -100);
    wrongType.expectedError =
        std::string(base) + ": expected an int64 target of class numbers, found float32";
    Sample wrongRows = make({rows, i64({3}, 0, 4)}, none(), kMean, -100);
    wrongRows.expectedError =
        std::string(base) + ": input [4, 5] has 4 rows, target [3] has 3";
    return {make({rows, targets}, none(), kMean, -100),
            make({rows, targets}, none(), kSum, -100),
            make({rows, targets}, none(), kNone, -100),
            make({rows, targets}, none(), kMean, 2),
            make({rows, targets, f32({5}, 0.5, 2)}, T(2), kMean, 1),
            make({rows, targets, f32({5}, 0.5, 2)}, T(2), kNone, -100),
            make({f64({5}), i64({}, 0, 4)}, none(), kMean, -100),
            wrongType,
            wrongRows};
}

std::vector<Sample> nllBackwardSamples() {
    auto make = [](SampleTensor grad, Arg weight, int64_t reduction, int64_t ignore) {
        return good({grad, f32({4, 5}), i64({4}, 0, 4), f32({5}, 0.5, 2), f32({}, 2, 4)},
                    {T(0), T(1), T(2), weight, I(reduction), I(ignore), T(4)});
    };
    return {make(f32({}), none(), kMean, -100), make(f32({4}), none(), kNone, 2),
            make(f32({}), T(3), kSum, 1), make(f32({4}), T(3), kNone, -100)};
}

void addCrossEntropy(std::vector<OpDef>& ops) {
    ops.push_back(
        {"cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, "
         "SymInt ignore_index=-100, float label_smoothing=0.0) -> Tensor",
         crossEntropyShape,
         ThroughDecomposition{},
         Decompose{crossEntropy, DecomposeWhen::BeforeAutograd},
         nllReference<true, false>,
         [] {
             auto samples = nllSamples("cross_entropy_loss", {Arg(0.0)});
             samples.push_back(
                 bad({f32({2, 3}), i64({2}, 0, 2)}, {T(0), T(1), none(), I(1), I(-100), Arg(0.1)},
                     "cross_entropy_loss: label_smoothing other than 0 is not supported"));
             return samples;
         },
         {"negative log-likelihood of the target class under softmax",
          "y = -log_softmax(x)[target]", "torch.nn.functional.cross_entropy"}});
    OpDoc doc{"negative log-likelihood from log-probabilities", "y = -weight[target] x[target]",
              "torch.nn.functional.nll_loss"};
    ops.push_back({"nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, "
                   "SymInt ignore_index=-100) -> Tensor",
                   nllShape, ThroughDecomposition{}, Decompose{nll, DecomposeWhen::BeforeAutograd},
                   nllReference<false, false>, [] { return nllSamples("nll_loss", {}); }, doc});
    ops.push_back({"nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, "
                   "SymInt ignore_index) -> (Tensor output, Tensor total_weight)",
                   nllForwardShape,
                   VjpRule{nllForwardVjp},
                   Decompose{nllForward, DecomposeWhen::AfterAutograd},
                   nllReference<false, true>,
                   [] { return nllSamples("nll_loss_forward", {}); },
                   doc,
                   {.oneGradient = true}});
    ops.push_back(
        {"nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, "
         "int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor",
         nllBackwardShape,
         kSecondOrder,
         Decompose{nllBackward, DecomposeWhen::AfterAutograd},
         nllBackwardReference,
         nllBackwardSamples,
         {"gradient of nll_loss", "dx[target] = -weight[target] dy",
          "torch._decomp: nll_loss_backward"}});
}

void addMse(std::vector<OpDef>& ops) {
    ops.push_back(
        {"mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor",
         mseShape,
         VjpRule{mseVjp},
         Decompose{mse, DecomposeWhen::AfterAutograd},
         mseReference,
         [] {
             std::vector<Sample> samples;
             for (int64_t reduction : {kNone, kMean, kSum})
                 samples.push_back(good({f32({2, 3}), f32({2, 3})}, {T(0), T(1), I(reduction)}));
             samples.push_back(good({f32({2, 3}), f32({3})}, {T(0), T(1), I(kMean)}));
             samples.push_back(
                 bad({f32({2, 3}), f32({4})}, {T(0), T(1), I(kMean)},
                     "mse_loss: shapes [2, 3] and [4] do not broadcast: 3 against 4 in "
                     "dimension 1"));
             return samples;
         },
         {"squared difference", "y = (x - target)^2, averaged or summed",
          "torch.nn.functional.mse_loss"}});
    ops.push_back(
        {"mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> "
         "Tensor",
         mseBackwardShape,
         kSecondOrder,
         Decompose{mseBackward, DecomposeWhen::AfterAutograd},
         mseBackwardReference,
         [] {
             return std::vector<Sample>{
                 good({f32({}), f32({2, 3}), f32({2, 3})}, {T(0), T(1), T(2), I(kMean)}),
                 good({f32({2, 3}), f32({2, 3}), f32({3})}, {T(0), T(1), T(2), I(kNone)})};
         },
         {"gradient of mse_loss", "dx = 2/n (x - target) dy", "torch._decomp: mse_loss_backward"}});
}

} // namespace

std::vector<OpDef> lossOps() {
    std::vector<OpDef> ops;
    addCrossEntropy(ops);
    addMse(ops);
    return ops;
}

} // namespace cutaway::ops
