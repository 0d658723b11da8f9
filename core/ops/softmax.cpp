// SPDX-License-Identifier: Apache-2.0
// Softmax and its logarithm. Decompositions: torch/_decomp/decompositions.py.
#include "core/ops/computed_in.h"
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

int softmaxDim(const OpCall& call, size_t arg) {
    return *call.dim(arg, call.tensor(0).rank());
}

// --- softmax.int, log_softmax.int ---

Result<Types> softmaxIntShape(const OpCall& call) {
    const TensorType& self = call.tensor(0);
    CUTAWAY_TRY(int dim, call.dim(1, self.rank()));
    (void)dim;
    DType dtype = call.has(2) ? call.dtype(2) : self.dtype;
    if (!ir::isFloating(dtype))
        return refuse(call,
                      fmt::format("expected a floating-point tensor, found {}", ir::name(dtype)),
                      "pass dtype=torch.float32")
            .as(ErrorClass::NotImplemented);
    return one(TensorType::contiguous(dtype, self.sizes, self.device));
}

template <bool isLog> Results softmaxInt(const Operands& x) {
    Value self = convert(x[0], x.node.types[0].dtype);
    return {aten(isLog ? "_log_softmax" : "_softmax", self, x[1], false)};
}

// --- _softmax, _log_softmax ---

Result<Types> softmaxShape(const OpCall& call) {
    const TensorType& self = call.tensor(0);
    CUTAWAY_TRY(int dim, call.dim(1, self.rank()));
    (void)dim;
    if (!ir::isFloating(self.dtype))
        return refuse(
            call, fmt::format("expected a floating-point tensor, found {}", ir::name(self.dtype)));
    return likeArg0(call);
}

/// x less its largest element along dim; nothing to subtract when there are no elements.
Formula shifted(const Value& x, int dim) {
    if (x.type().numel().is(0)) return x;
    return x - amax(x, {dim}, true);
}
/// A 0-dim tensor has no dimension to reduce: the list of dims is then empty.
std::vector<int> dimsFor(const OpCall& call, size_t arg) {
    if (call.tensor(0).rank() == 0) return {};
    return {softmaxDim(call, arg)};
}

Results softmax(const Operands& x) {
    OpCall call = x.call();
    Value powers = exp(shifted(x.tensor(0), softmaxDim(call, 1)));
    return {powers / sum(powers, dimsFor(call, 1), true)};
}

Results logSoftmax(const Operands& x) {
    OpCall call = x.call();
    Value moved = shifted(x.tensor(0), softmaxDim(call, 1));
    return {moved - log(sum(exp(moved), dimsFor(call, 1), true))};
}

template <bool isLog> Formula softmaxGradient(Vjp& v) {
    return aten(isLog ? "_log_softmax_backward_data" : "_softmax_backward_data", v.grad, v.result,
                v[1], v.type(0).dtype);
}

Results softmaxBackward(const Operands& x) {
    OpCall call = x.call();
    Value product = x[0] * x[1];
    Value scaled = x[1] * sum(product, dimsFor(call, 2), true);
    return {convert(product - scaled, call.dtype(3))};
}

Results logSoftmaxBackward(const Operands& x) {
    OpCall call = x.call();
    Value scaled = exp(x[1]) * sum(x[0], dimsFor(call, 2), true);
    return {convert(x[0] - scaled, call.dtype(3))};
}

Result<Types> softmaxBackwardShape(const OpCall& call) {
    const TensorType& grad = call.tensor(0);
    if (!call.same(grad.sizes, call.tensor(1).sizes))
        return refuse(call, fmt::format("gradient {} and output {} differ in shape",
                                        ir::str(grad.sizes), ir::str(call.tensor(1).sizes)));
    for (ir::DType dtype : {grad.dtype, call.tensor(1).dtype, call.dtype(3)})
        if (!ir::isFloating(dtype))
            return refuse(
                call, fmt::format("expected floating-point numbers, found {}", ir::name(dtype)));
    CUTAWAY_TRY(int dim, call.dim(2, grad.rank()));
    (void)dim;
    return one(TensorType::contiguous(call.dtype(3), grad.sizes, grad.device));
}

/// Applies f(values, step, count) to every line of elements along dim.
template <class F> void eachLine(const Sizes& sizes, int dim, F f) {
    if (sizes.empty()) return f(size_t{0}, size_t{1}, size_t{1});
    auto d = static_cast<size_t>(dim);
    auto count = static_cast<size_t>(sizes[d]);
    size_t step = 1, outer = 1;
    for (size_t i = 0; i < sizes.size(); ++i) {
        if (i < d) outer *= static_cast<size_t>(sizes[i]);
        if (i > d) step *= static_cast<size_t>(sizes[i]);
    }
    for (size_t o = 0; o < outer; ++o)
        for (size_t s = 0; s < step; ++s)
            f(o * count * step + s, step, count);
}

template <bool isLog> Values softmaxReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    std::vector<double> x = valuesOf<double>(in);
    eachLine(
        in.sizes, hostDim(call, 1, in.sizes.size()), [&](size_t first, size_t step, size_t count) {
            double largest = -std::numeric_limits<double>::infinity(), sum = 0;
            for (size_t i = 0; i < count; ++i)
                largest = std::max(largest, x[first + i * step]);
            for (size_t i = 0; i < count; ++i)
                sum += std::exp(x[first + i * step] - largest);
            for (size_t i = 0; i < count; ++i) {
                double& value = x[first + i * step];
                value = isLog ? value - largest - std::log(sum) : std::exp(value - largest) / sum;
            }
        });
    DType dtype =
        call.has(2) && call.def.parsed.args[2].type == "ScalarType" ? call.dtype(2) : in.dtype;
    return oneValue(tensorOf(dtype, in.sizes, x));
}

template <bool isLog> Values softmaxBackwardReference(const OpCall& call, Tensors tensors) {
    const ir::HostTensor& in = *tensors[0];
    std::vector<double> grad = valuesOf<double>(in), y = valuesOf<double>(*tensors[1]);
    eachLine(in.sizes, hostDim(call, 2, in.sizes.size()),
             [&](size_t first, size_t step, size_t count) {
                 double sum = 0;
                 for (size_t i = first, n = 0; n < count; i += step, ++n)
                     sum += isLog ? grad[i] : grad[i] * y[i];
                 for (size_t i = first, n = 0; n < count; i += step, ++n)
                     grad[i] = isLog ? grad[i] - std::exp(y[i]) * sum : y[i] * (grad[i] - sum);
             });
    return oneValue(tensorOf(call.dtype(3), in.sizes, grad));
}

// --- samples and records ---

std::vector<Sample> softmaxSamples(std::string_view base, Arg last) {
    return {good({f32({3, 5})}, {T(0), I(1), last}),
            good({f32({2, 3, 4})}, {T(0), I(-2), last}),
            good({f64({})}, {T(0), I(0), last}),
            good({transposed(f32({4, 3}))}, {T(0), I(0), last}),
            forwardOnly({f32({0, 3})}, {T(0), I(1), last}),
            good({f32({4, 6}, -80, 80)}, {T(0), I(1), last}),
            bad({f32({2, 3})}, {T(0), I(2), last},
                "Dimension out of range (expected to be in range of [-2, 1], but got 2)"),
            bad({i64({3})}, {T(0), I(0), last},
                std::string(base) + ": expected a floating-point tensor, found int64")};
}
std::vector<Sample> softmaxBackwardSamples() {
    return {good({f32({3, 5}), f32({3, 5}, 0, 1)}, {T(0), T(1), I(1), Arg(DType::Float32)}),
            good({f32({2, 3, 4}), f32({2, 3, 4}, 0, 1)}, {T(0), T(1), I(-2), Arg(DType::Float32)}),
            good({f64({0, 2}), f64({0, 2})}, {T(0), T(1), I(0), Arg(DType::Float64)})};
}
void addSoftmax(std::vector<OpDef>& ops) {
    OpDoc soft{"exponentials scaled to sum to one along dim",
               "y = e^(x - max x) / sum of e^(x - max x)", "torch.softmax"};
    OpDoc logSoft{"logarithm of softmax along dim", "y = x - max x - ln(sum of e^(x - max x))",
                  "torch.log_softmax"};
    ops.push_back(
        {"softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", softmaxIntShape,
         ThroughDecomposition{}, Decompose{softmaxInt<false>, DecomposeWhen::BeforeAutograd},
         softmaxReference<false>, [] { return softmaxSamples("softmax", none()); }, soft});
    ops.push_back(
        {"log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", softmaxIntShape,
         ThroughDecomposition{}, Decompose{softmaxInt<true>, DecomposeWhen::BeforeAutograd},
         softmaxReference<true>, [] { return softmaxSamples("log_softmax", none()); }, logSoft});
    ops.push_back({"_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", softmaxShape,
                   VjpRule{vjpOfFirst<softmaxGradient<false>>},
                   Decompose{inFloat<softmax>, DecomposeWhen::AfterAutograd},
                   softmaxReference<false>, [] { return softmaxSamples("_softmax", Arg(false)); },
                   soft});
    ops.push_back({"_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", softmaxShape,
                   VjpRule{vjpOfFirst<softmaxGradient<true>>},
                   Decompose{inFloat<logSoftmax>, DecomposeWhen::AfterAutograd},
                   softmaxReference<true>,
                   [] { return softmaxSamples("_log_softmax", Arg(false)); }, logSoft});
    ops.push_back({"_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType "
                   "input_dtype) "
                   "-> Tensor",
                   softmaxBackwardShape,
                   ThroughDecomposition{},
                   Decompose{inFloat<softmaxBackward>, DecomposeWhen::AfterAutograd},
                   softmaxBackwardReference<false>,
                   softmaxBackwardSamples,
                   {"gradient of softmax", "dx = y * (dy - sum of dy * y)",
                    "torch._decomp: _softmax_backward_data"}});
    ops.push_back({"_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, "
                   "ScalarType input_dtype) -> Tensor",
                   softmaxBackwardShape,
                   ThroughDecomposition{},
                   Decompose{inFloat<logSoftmaxBackward>, DecomposeWhen::AfterAutograd},
                   softmaxBackwardReference<true>,
                   softmaxBackwardSamples,
                   {"gradient of log_softmax", "dx = dy - e^y * sum of dy",
                    "torch._decomp: _log_softmax_backward_data"}});
}

} // namespace

std::vector<OpDef> softmaxOps() {
    std::vector<OpDef> ops;
    addSoftmax(ops);
    return ops;
}

} // namespace cutaway::ops
