// SPDX-License-Identifier: Apache-2.0
// Losses. Decompositions: torch/_decomp/decompositions.py (nll_loss_forward, nll_loss_backward).
#include "core/ir/dtype_words.h"
#include "core/ops/composite.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::DType;

constexpr IndexArgument kTarget{1, "target"};
enum Reduce { kNone = 0, kMean = 1, kSum = 2 }; ///< at::Reduction
/// The class dimension: 1, or 0 for a single row.
int classDim(const TensorType& self) {
    return self.rank() < 2 ? 0 : 1;
}

/// As torch.nn.functional.nll_loss says it.
base::Diagnostic unlikeBatch(const Sym& input, const Sym& target) {
    return base::userError({},
                           fmt::format("Expected input batch_size ({}) to match target batch_size "
                                       "({}).",
                                       input.str(), target.str()))
        .as(ErrorClass::Value);
}

base::Status targetFits(const OpCall& call, size_t selfArg, size_t targetArg, size_t weightArg) {
    const TensorType &self = call.tensor(selfArg), &target = call.tensor(targetArg);
    if (!ir::isFloating(self.dtype))
        return refuse(call,
                      fmt::format("expected floating-point input, found {}", ir::name(self.dtype)));
    if (target.dtype != DType::Int64 && target.dtype != DType::UInt8)
        return base::userError({},
                               fmt::format("expected target dtype to be Long or Byte, but got {}",
                                           ir::scalarType(target.dtype)));
    Shape wanted = self.sizes;
    if (self.rank() == 1)
        wanted.clear();
    else if (self.rank() >= 2)
        wanted.erase(wanted.begin() + 1);
    if (self.rank() == 0)
        return base::userError({}, "Expected 1 or more dimensions (got 0)").as(ErrorClass::Value);
    if (self.rank() <= 2 && target.rank() > 1)
        return base::userError({}, "0D or 1D target tensor expected, multi-target not supported");
    bool fits = self.rank() >= 1 && self.rank() <= 2 && call.same(target.sizes, wanted);
    if (self.rank() == 2 && target.rank() == 1 && !fits)
        return unlikeBatch(self.sizes[0], target.sizes[0]);
    if (!fits)
        return refuse(
            call, fmt::format("expected input [rows, classes] and target [rows], found {} and {}",
                              ir::str(self.sizes), ir::str(target.sizes)));
    Sym classes = self.sizes[static_cast<size_t>(classDim(self))];
    if (classes.is(0) && !target.numel().is(0))
        return refuse(call, "expected at least one class, found none");
    if (call.isTensor(weightArg) && !call.same(call.tensor(weightArg).sizes, Shape{classes}))
        return base::userError({},
                               fmt::format("weight tensor should be defined either for all {} "
                                           "classes or no classes but got weight tensor of "
                                           "shape: {}",
                                           classes.str(), ir::str(call.tensor(weightArg).sizes)));
    if (call.isTensor(weightArg) && call.tensor(weightArg).dtype != self.dtype)
        return base::userError({}, fmt::format("expected scalar type {} but found {}",
                                               ir::scalarType(self.dtype),
                                               ir::scalarType(call.tensor(weightArg).dtype)));
    return {};
}

/// Numbers of classes, which may be bytes.
Value classNumbers(const Operands& x, size_t i) {
    return x.type(i).dtype == DType::Int64 ? x.tensor(i) : Value(convert(x[i], DType::Int64));
}

int64_t reductionOf(const OpCall& call, size_t arg) {
    return call.number(arg);
}

base::Status reductionFits(const OpCall& call, size_t arg) {
    const int64_t reduction = reductionOf(call, arg);
    if (reduction == kNone || reduction == kMean || reduction == kSum) return {};
    return refuse(call, fmt::format("{} is not a valid value for reduction", reduction));
}

Result<Types> nllForwardShape(const OpCall& call) {
    CUTAWAY_CHECK(targetFits(call, 0, 1, 2));
    CUTAWAY_CHECK(reductionFits(call, 3));
    const TensorType& self = call.tensor(0);
    TensorType scalar = TensorType::contiguous(self.dtype, {}, self.device);
    bool rows = reductionOf(call, 3) == kNone && self.rank() == 2;
    TensorType loss =
        rows ? TensorType::contiguous(self.dtype, {self.sizes[0]}, self.device) : scalar;
    return Types{loss, scalar};
}

/// One value for each row of a class tensor, picked by target.
Formula pickedRow(const Formula& from, int dim, const Formula& index) {
    return squeeze(aten("gather", from, dim, index), dim);
}
/// A weight for each class, to be multiplied with rows of classes.
Value classWeight(const Value& weight, const TensorType& self) {
    return self.rank() > 1 ? Value(reshape(weight, {Sym(1), self.sizes[1]})) : weight;
}

Results nllForward(const Operands& x) {
    const TensorType type = x.type(0);
    const int dim = classDim(type);
    const int64_t reduction = reductionOf(x.call(), 3);
    Value self = x.tensor(0), target = classNumbers(x, 1), weight;
    if (x.has(2)) {
        weight = classWeight(x.tensor(2), type);
        self = self * weight;
    }
    auto counted = [&] { return ne(target, x[4]); };
    Value index = unsqueeze(where(counted(), target, 0), dim);
    // 0 - x where PyTorch adds up from 0: one perfect row loses 0, not -0. A longer sum begins so.
    const bool oneRow = reduction != kNone && target.type().numel().is(1);
    Value loss = oneRow ? 0 - pickedRow(self, dim, index) : -pickedRow(self, dim, index);
    loss = where(counted(), loss, 0);
    if (reduction == kNone && type.rank() > 1)
        return {loss, scalar(x.b, 0, type.dtype, type.device)};
    Value total;
    if (weight.valid()) {
        Value weights = pickedRow(expand(weight, type.sizes), dim, index);
        total = sum(where(counted(), weights, 0));
    } else {
        total = convert(sum(counted()), type.dtype);
    }
    if (reduction == kSum) loss = sum(loss);
    if (reduction == kMean) loss = sum(loss) / total;
    return {loss, total};
}

Formula nllForwardGradient(Vjp& v) {
    return aten("nll_loss_backward", v.grad, v[0], v[1], v[2], v[3], v[4], item(v.result, 1));
}

/// PyTorch's "This input cannot have requires_grad True": weights of classes have no gradient.
void nllForwardVjp(Vjp& v) {
    if (v.wants(2))
        refuseCall(v, "it is not differentiable with respect to argument 'weight'",
                   "call detach() on the weights, or do not require a gradient there");
    vjpOfFirst<nllForwardGradient>(v);
}

Result<Types> nllBackwardShape(const OpCall& call) {
    CUTAWAY_CHECK(targetFits(call, 1, 2, 3));
    const TensorType &grad = call.tensor(0), &target = call.tensor(2);
    const auto isRows = [&] { return grad.rank() == 1 && call.same(grad.sizes, target.sizes); };
    const auto isOne = [&] { return grad.rank() <= 1 && call.same(grad.numel(), Sym(1)); };
    if (call.number(4) == kNone && target.rank() == 1 && !isRows())
        return base::userError(
            {}, fmt::format("Expected a tensor of dimension 1 and tensor.size[0] == {} but got: "
                            "dimension {} and tensor.size[0] = {}",
                            target.sizes[0].str(), grad.rank(),
                            grad.rank() == 0 ? "nothing" : grad.sizes[0].str()));
    if ((call.number(4) != kNone || target.rank() == 0) && !isOne())
        return base::userError({}, "Expected a single element grad_output tensor, but got: " +
                                       ir::str(grad.sizes));
    return likeArg1(call);
}

Results nllBackward(const Operands& x) {
    const TensorType type = x.type(1);
    const int dim = classDim(type);
    Value grad = x.tensor(0);
    if (reductionOf(x.call(), 4) == kMean) grad = grad / x[6];
    Value target = unsqueeze(classNumbers(x, 2), dim);
    Value safe = where(ne(target, x[5]), target, 0);
    Value hot = aten("scatter.value", full(x.b, type.sizes, 0, type), dim, safe, -1.0);
    if (grad.type().rank() > 0) grad = unsqueeze(grad, dim);
    if (x.has(3)) grad = grad * classWeight(x.tensor(3), type);
    grad = where(ne(target, x[5]), grad, 0);
    return {hot * grad};
}

// --- cross entropy ---

/// Rows of classes: dimensions behind the classes are rows as well.
Value classRows(const Value& x) {
    const Shape sizes = x.type().sizes;
    if (sizes.size() <= 2) return x;
    std::vector<int> order{0};
    for (int d = 2; d < static_cast<int>(sizes.size()); ++d)
        order.push_back(d);
    order.push_back(1);
    Value last = permute(x, order);
    return reshape(last, {ir::floorDiv(x.type().numel(), sizes[1]), sizes[1]});
}

/// nll_loss over any number of dimensions: [n, classes, d..] and [n, d..].
Formula nllOver(const Operands& x, const Value& logs) {
    const Shape sizes = logs.type().sizes;
    // A vector of one target names the class of a vector of classes.
    const bool named = sizes.size() == 1 && x.type(1).rank() == 1;
    if (named && !x.type(1).sizes[0].is(1))
        throwRefusal(
            base::userError({}, fmt::format("For 1D input, 1D target must have size 1, but "
                                            "got target size: {}",
                                            x.type(1).sizes[0].str()))
                .as(ErrorClass::Value));
    if (sizes.size() <= 2) {
        Formula target = named ? squeeze(x[1], 0) : x[1];
        return item(aten("nll_loss_forward", logs, target, x[2], x[3], x[4]), 0);
    }
    if (x.type(1).dtype == DType::UInt8)
        throwRefusal(base::userError({}, "expected scalar type Long but found Byte"));
    Shape rows = sizes;
    rows.erase(rows.begin() + 1);
    if (x.type(1).rank() > 0 && !x.call().same(x.type(1).sizes[0], rows[0]))
        throwRefusal(unlikeBatch(rows[0], x.type(1).sizes[0]));
    if (sizes.size() == 4 && x.type(1).rank() != 3)
        throwRefusal(
            base::userError({}, fmt::format("only batches of spatial targets supported (3D "
                                            "tensors) but got targets of dimension: {}",
                                            x.type(1).rank())));
    if (sizes.size() == 4 && !x.call().same(x.type(1).sizes, rows))
        throwRefusal(base::userError({}, fmt::format("size mismatch (got input: {} , target: {}",
                                                     ir::str(sizes), ir::str(x.type(1).sizes))));
    if (x.has(2) && !x.call().same(x.type(2).numel(), sizes[1]))
        throwRefusal(
            base::userError({}, "weight tensor should be defined either for all or no classes"));
    if (!x.call().same(x.type(1).sizes, rows))
        throwRefusal(base::userError({}, fmt::format("Expected target size {}, got {}",
                                                     ir::str(rows), ir::str(x.type(1).sizes))));
    Value flat = reshape(x[1], {x.type(1).numel()});
    Value loss = item(aten("nll_loss_forward", classRows(logs), flat, x[2], x[3], x[4]), 0);
    return reductionOf(x.call(), 3) == kNone ? reshape(loss, rows) : loss;
}

/// Weights of the classes, to be multiplied with [n, classes, d..].
Formula weighted(const Operands& x, const Value& v) {
    if (!x.has(2)) return v;
    Shape sizes(v.type().rank(), Sym(1));
    sizes[static_cast<size_t>(classDim(v.type()))] = x.type(2).numel();
    return v * reshape(x[2], sizes);
}

/// Targets are probabilities of the classes.
Formula crossEntropyOfProbabilities(const Operands& x, const Value& logs) {
    const int dim = classDim(logs.type());
    const double smoothing = x.call().real(5);
    const int64_t classes = x.call().number(logs.type().sizes[static_cast<size_t>(dim)]);
    Value target = x.tensor(1);
    if (smoothing > 0) target = target * (1 - smoothing) + smoothing / static_cast<double>(classes);
    Value loss = -sum(weighted(x, logs * target), {dim});
    const int64_t reduction = reductionOf(x.call(), 3);
    if (reduction == kNone) return loss;
    if (reduction == kSum) return sum(loss);
    return sum(loss) / ir::floorDiv(logs.type().numel(), Sym(classes));
}

/// What is taken from the target's class is spread over all of them.
Formula smoothedCrossEntropy(const Operands& x, const Value& logs) {
    const int dim = classDim(logs.type());
    const double smoothing = x.call().real(5);
    const int64_t classes = x.call().number(logs.type().sizes[static_cast<size_t>(dim)]);
    const int64_t reduction = reductionOf(x.call(), 3);
    Value sharp = nllOver(x, logs);
    const Value target = classNumbers(x, 1);
    Value counted = ne(target, x[4]);
    Value spread = where(counted, -sum(weighted(x, logs), {dim}), 0);
    if (reduction == kSum) spread = sum(spread);
    if (reduction == kMean) {
        Value count = sum(convert(counted, logs.type().dtype));
        if (x.has(2)) {
            Value weights =
                aten("index.Tensor", x[2], std::vector<Formula>{where(counted, target, 0)});
            count = sum(where(counted, weights, 0));
        }
        spread = sum(spread) / count;
    }
    return sharp * (1 - smoothing) + spread * (smoothing / static_cast<double>(classes));
}

Results crossEntropy(const Operands& x) {
    const TensorType self = x.type(0), target = x.type(1);
    const double smoothing = x.call().real(5);
    if (!(smoothing >= 0 && smoothing <= 1))
        refuseCall(x, fmt::format("expected a label_smoothing from 0 to 1, found {}", smoothing));
    if (!ir::isFloating(self.dtype) || self.rank() == 0)
        refuseCall(x,
                   fmt::format("expected floating-point input with classes, found {}", self.str()));
    const bool probabilities =
        ir::isFloating(target.dtype) && x.call().same(target.sizes, self.sizes);
    if (!probabilities && self.rank() <= 2)
        if (auto fits = targetFits(x.call(), 0, 1, 2); !fits.ok()) throwRefusal(fits.error());
    if (probabilities && x.call().number(4) >= 0)
        refuseCall(x, "probabilities as a target take no ignore_index");
    Value logs = aten("_log_softmax", x[0], classDim(self), false);
    if (probabilities) return {crossEntropyOfProbabilities(x, logs)};
    return {smoothing > 0 ? smoothedCrossEntropy(x, logs) : nllOver(x, logs)};
}

Results nllNd(const Operands& x) {
    return {nllOver(x, x.tensor(0))};
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

Values nllReference(const OpCall& call, Tensors tensors) {
    DType dtype = tensors[0]->dtype;
    std::vector<double> logs = valuesOf<double>(*tensors[0]);
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
    results.push_back(ir::HostTensor::scalar(dtype, perRow ? 0 : total));
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
    CUTAWAY_CHECK(reductionFits(call, 2));
    if (reductionOf(call, 2) == kNone) return types;
    return one(TensorType::contiguous(types[0].dtype, {}, types[0].device));
}

Results mse(const Operands& x) {
    const DType dtype = resultDType(x.call(), {0, 1});
    Value square = pow(convert(x[0], dtype) - convert(x[1], dtype), 2);
    int64_t reduction = reductionOf(x.call(), 2);
    if (reduction == kMean) return {aten("mean", square)};
    if (reduction == kSum) return {sum(square)};
    return {square};
}

void mseVjp(Vjp& v) {
    for (size_t i : {0, 1})
        v.set(i, aten("mse_loss_backward", v.grad, v[i], v[1 - i], v[2]));
}

/// norm * (self - target) * grad, norm = 2 / n or 2
Results mseBackward(const Operands& x) {
    OpCall call = x.call();
    const DType dtype = resultDType(call, {1, 2});
    Value difference = convert(x[1], dtype) - convert(x[2], dtype);
    double norm = 2;
    const ir::Sym count = difference.type().numel();
    const bool mean = reductionOf(call, 3) == kMean;
    if (mean && count.isConst()) norm /= static_cast<double>(call.number(count));
    Formula grad = difference * norm * x[0];
    return {mean && !count.isConst() ? grad / count : grad};
}

Result<Types> mseBackwardShape(const OpCall& call) {
    CUTAWAY_TRY(Types types, pointwiseType(call, resultDType(call, {1, 2}), {1, 2}));
    types[0].strides = ir::contiguousStrides(types[0].sizes);
    return types;
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

std::vector<Sample> nllSamples(std::vector<Arg> tail) {
    auto make = [&](std::vector<SampleTensor> tensors, Arg weight, int64_t reduction,
                    int64_t ignore) {
        ir::ArgList args{T(0), T(1), weight, I(reduction), I(ignore)};
        args.insert(args.end(), tail.begin(), tail.end());
        return good(std::move(tensors), args);
    };
    SampleTensor rows = f32({4, 5}), targets = i64({4}, 0, 4);
    Sample wrongType = make({rows, f32({4})}, none(), kMean, -100);
    wrongType.expectedError = "expected target dtype to be Long or Byte, but got Float";
    Sample wrongRows = make({rows, i64({3}, 0, 4)}, none(), kMean, -100);
    wrongRows.expectedError = "Expected input batch_size (4) to match target batch_size (3).";
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

/// Class numbers and probabilities, with and without smoothing, in images too.
std::vector<Sample> crossEntropySamples() {
    std::vector<Sample> samples = nllSamples({Arg(0.0)});
    for (int64_t reduction : {kNone, kMean, kSum}) {
        auto with = [&](SampleTensor x, SampleTensor target) {
            const Arg ignored = I(ir::isFloating(target.dtype) ? -100 : 1);
            // Weights of class numbers have no gradient, as in PyTorch.
            auto make = ir::isFloating(target.dtype) ? good : forwardOnly;
            samples.push_back(make({x, target, f32({5}, 0.5, 2)},
                                   {T(0), T(1), T(2), I(reduction), ignored, Arg(0.1)}));
            samples.push_back(
                good({x, target}, {T(0), T(1), none(), I(reduction), ignored, Arg(0.1)}));
        };
        with(f32({4, 5}), i64({4}, 0, 4));
        with(f32({2, 5, 3}), i64({2, 3}, 0, 4));
        with(f32({2, 5, 3}), f32({2, 5, 3}, 0, 1));
        with(f32({5}), f32({5}, 0, 1));
    }
    samples.push_back(bad({f32({2, 3}), i64({2}, 0, 2)},
                          {T(0), T(1), none(), I(1), I(-100), Arg(1.5)},
                          "cross_entropy_loss: expected a label_smoothing from 0 to 1, found 1.5"));
    return samples;
}

std::vector<Sample> nllImageSamples() {
    std::vector<Sample> samples;
    for (int64_t reduction : {kNone, kMean, kSum})
        samples.push_back(good({f32({2, 5, 2, 3}), i64({2, 2, 3}, 0, 4), f32({5}, 0.5, 2)},
                               {T(0), T(1), T(2), I(reduction), I(2)}));
    samples.push_back(bad({f32({2, 5, 2}), i64({2, 3}, 0, 4)}, {T(0), T(1), none(), I(1), I(-100)},
                          "Expected target size [2, 2], got [2, 3]"));
    return samples;
}

std::vector<Sample> nllBackwardSamples() {
    auto make = [](SampleTensor grad, Arg weight, int64_t reduction, int64_t ignore) {
        return good({grad, f32({4, 5}), i64({4}, 0, 4), f32({5}, 0.5, 2), f32({}, 2, 4)},
                    {T(0), T(1), T(2), weight, I(reduction), I(ignore), T(4)});
    };
    auto refused = [&](SampleTensor grad, int64_t reduction, std::string why) {
        return bad({grad, f32({4, 5}), i64({4}, 0, 4), f32({5}, 0.5, 2), f32({}, 2, 4)},
                   {T(0), T(1), T(2), T(3), I(reduction), I(-100), T(4)}, why);
    };
    return {make(f32({}), none(), kMean, -100),
            make(f32({4}), none(), kNone, 2),
            make(f32({}), T(3), kSum, 1),
            make(f32({4}), T(3), kNone, -100),
            refused(f32({5}), kNone,
                    "Expected a tensor of dimension 1 and tensor.size[0] == 4 but got: dimension 1 "
                    "and tensor.size[0] = 5"),
            refused(f32({4}), kMean, "Expected a single element grad_output tensor, but got: [4]")};
}

void addCrossEntropy(std::vector<OpDef>& ops) {
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(composite(
        "cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, "
        "SymInt ignore_index=-100, float label_smoothing=0.0) -> Tensor",
        crossEntropy, crossEntropySamples,
        {"negative log-likelihood of the target under softmax; targets are class numbers, or "
         "probabilities",
         "y = -log_softmax(x)[target]", "torch.nn.functional.cross_entropy"},
        {.index = kTarget})));
    OpDoc doc{"negative log-likelihood from log-probabilities", "y = -weight[target] x[target]",
              "torch.nn.functional.nll_loss"};
    ops.push_back(saving(
        "self target",
        with<&Traits::refuses, Refuses::WholeNumbers>(composite(
            "nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt "
            "ignore_index=-100) -> Tensor",
            nllNd, [] { return nllSamples({}); }, doc, {.index = kTarget}))));
    ops.push_back(
        saving("self target", composite("nll_loss_nd(Tensor self, Tensor target, Tensor? "
                                        "weight=None, int reduction=Mean, SymInt "
                                        "ignore_index=-100) -> Tensor",
                                        nllNd, nllImageSamples, doc, {.index = kTarget})));
    ops.push_back({"nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, "
                   "SymInt ignore_index) -> (Tensor output, Tensor total_weight)",
                   nllForwardShape,
                   VjpRule{nllForwardVjp},
                   Decompose{nllForward, DecomposeWhen::AfterAutograd},
                   nllReference,
                   [] { return nllSamples({}); },
                   doc,
                   {.oneGradient = true, .index = kTarget}});
    ops.push_back(
        {"nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, "
         "int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor",
         nllBackwardShape,
         ThroughDecomposition{},
         Decompose{nllBackward, DecomposeWhen::AfterAutograd},
         nllBackwardReference,
         nllBackwardSamples,
         {"gradient of nll_loss", "dx[target] = -weight[target] dy",
          "torch._decomp: nll_loss_backward"}});
}

void addMse(std::vector<OpDef>& ops) {
    ops.push_back(with<&Traits::refuses, Refuses::WholeNumbers>(
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
             samples.push_back(bad(
                 {f32({2, 3}), f32({4})}, {T(0), T(1), I(kMean)},
                 "The size of tensor a (3) must match the size of tensor b (4) at non-singleton "
                 "dimension 1"));
             return samples;
         },
         {"squared difference", "y = (x - target)^2, averaged or summed",
          "torch.nn.functional.mse_loss"}}));
    ops.push_back(
        {"mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> "
         "Tensor",
         mseBackwardShape,
         ThroughDecomposition{},
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
