// SPDX-License-Identifier: Apache-2.0
// The scan that a library computes, and its gradients (torch/csrc/autograd/FunctionsManual.cpp:
// logcumsumexp_backward; product_gradients.cpp).
#include "core/ops/call_forms.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/row_reference.h"
#include "core/ops/sample_tools.h"
#include "core/ops/scan_tools.h"

#include <algorithm>
#include <stdexcept>

namespace cutaway::ops {

using ir::DType;

Value running(const Value& self, int dim, std::string_view what, bool backwards) {
    return aten("_scan", self, dim, std::string(what), backwards);
}
Values runningExtremes(const ir::HostTensor& in, int dim, bool largest) {
    auto places = [&](const std::vector<double>& row) {
        std::vector<double> at(row.size());
        size_t best = 0;
        for (size_t i = 0; i < row.size(); ++i) {
            const bool better = largest ? row[i] >= row[best] : row[i] <= row[best];
            if (row[i] != row[i] || (row[best] == row[best] && better)) best = i;
            at[i] = static_cast<double>(best);
        }
        return at;
    };
    auto values = [&](const std::vector<double>& row) {
        std::vector<double> at = places(row);
        for (double& place : at)
            place = row[static_cast<size_t>(place)];
        return at;
    };
    return {mapRows(in, dim, in.dtype, values), mapRows(in, dim, DType::Int64, places)};
}

namespace {

Result<kernel::RowCall::Running> wantRunning(const OpCall& call) {
    using Running = kernel::RowCall::Running;
    const std::string& wanted = std::get<std::string>(call.args[2]);
    const bool extremes = call.args.size() == 3;
    for (Running running :
         {Running::Sum, Running::Product, Running::LogSumExp, Running::Max, Running::Min})
        if (wanted == kernel::text(running) &&
            extremes == (running == Running::Max || running == Running::Min))
            return running;
    return refuse(call, "'" + wanted + "' does not run");
}
kernel::RowCall::Running runningOf(const OpCall& call) {
    return *wantRunning(call);
}
/// Of extremes there is no fourth argument.
kernel::RowCall scanOfRows(const OpCall& call) {
    kernel::RowCall row;
    row.dim = *call.dim(1, call.tensor(0).rank());
    row.running = runningOf(call);
    row.backwards = call.args.size() > 3 && call.boolean(3);
    return row;
}
ir::TensorType likeRows(const OpCall& call, DType dtype) {
    const ir::TensorType& self = call.tensor(0);
    return ir::TensorType::contiguous(dtype, self.sizes, self.device);
}
Result<Types> scanShape(const OpCall& call) {
    CUTAWAY_CHECK(call.dim(1, call.tensor(0).rank()));
    CUTAWAY_CHECK(wantRunning(call));
    return one(likeRows(call, call.tensor(0).dtype));
}
Result<Types> scanExtremeShape(const OpCall& call) {
    CUTAWAY_CHECK(call.dim(1, call.tensor(0).rank()));
    CUTAWAY_CHECK(wantRunning(call));
    return Types{likeRows(call, call.tensor(0).dtype), likeRows(call, DType::Int64)};
}
double logSumOf(double a, double b) {
    const double larger = std::max(a, b);
    return std::isinf(larger) ? larger
                              : larger + std::log(std::exp(a - larger) + std::exp(b - larger));
}
Values rowsReference(const OpCall& call, Tensors tensors) {
    using Running = kernel::RowCall::Running;
    const Running running = runningOf(call);
    const int dim = hostDim(call, 1, tensors[0]->sizes.size());
    return oneValue(mapRows(*tensors[0], dim, outDType(call), [&](std::vector<double> row) {
        const bool back = call.boolean(3);
        if (back) std::reverse(row.begin(), row.end());
        for (size_t i = 1; i < row.size(); ++i)
            row[i] = running == Running::Sum       ? row[i - 1] + row[i]
                     : running == Running::Product ? row[i - 1] * row[i]
                                                   : logSumOf(row[i - 1], row[i]);
        if (back) std::reverse(row.begin(), row.end());
        return row;
    }));
}
Values extremesReference(const OpCall& call, Tensors tensors) {
    return runningExtremes(*tensors[0], hostDim(call, 1, tensors[0]->sizes.size()),
                           runningOf(call) == kernel::RowCall::Running::Max);
}
/// To the elements that were taken (cummaxmin_backward).
Formula extremesGradient(const Vjp& v) {
    return aten("scatter_add", full(v.b, v.type(0).sizes, 0, v.type(0)), scanOfRows(v.call()).dim,
                item(v.result, 1), v.grad);
}

/// Positive and negative gradients apart, both in logarithms; the least number instead of the
/// logarithm of zero, which would make NaN where this is differentiated again.
Formula logSumGradient(const Vjp& v, int dim, bool backwards) {
    Value logs = aten("log", aten("abs", v.grad));
    const double least = -ir::floatLimits(v.grad.type().dtype).max;
    auto part = [&](const Formula& taken) {
        Value terms = where(taken, logs, least) - v.result;
        return aten("exp", running(terms, dim, "logsumexp", !backwards) + v[0]);
    };
    return part(gt(v.grad, 0)) - part(lt(v.grad, 0));
}
Formula scanGradient(Vjp& v) {
    const kernel::RowCall row = scanOfRows(v.call());
    if (row.running == kernel::RowCall::Running::Sum)
        return running(v.grad, row.dim, "sum", !row.backwards);
    if (row.running == kernel::RowCall::Running::Product)
        return aten("_cumprod_backward", v.grad, v[0], row.dim, row.backwards);
    return logSumGradient(v, row.dim, row.backwards);
}

} // namespace

void addRowScan(std::vector<OpDef>& ops) {
    ops.push_back(internal(
        {"_scan(Tensor self, int dim, str running, bool backwards) -> Tensor",
         scanShape,
         VjpRule{vjpOfFirst<scanGradient>},
         RowsOfLibrary{kernel::LibraryOp::Scan, scanOfRows},
         rowsReference,
         [] {
             std::vector<Sample> samples;
             for (const char* what : {"sum", "product", "logsumexp"})
                 for (int dim : {0, 1, 2})
                     samples.push_back(good({f64({2, 7, 3})},
                                            {T(0), I(dim), Arg(std::string(what)), Arg(dim == 1)}));
             samples.push_back(
                 forwardOnly({f64({2, 7})}, {T(0), I(1), Arg(std::string("sum")), Arg(true)}));
             samples.push_back(
                 bad({f32({3})}, {T(0), I(1), Arg(std::string("sum")), Arg(false)},
                     "Dimension out of range (expected to be in range of [-1, 0], but got 1)"));
             return samples;
         },
         {"what runs along rows", "y[i] = what of x[j], j <= i", "torch.cumsum"},
         {.flops = 2}}));
    ops.push_back(internal(
        {"_scan_extreme(Tensor self, int dim, str running) -> (Tensor values, Tensor indices)",
         scanExtremeShape,
         VjpRule{vjpOfFirst<extremesGradient>},
         RowsOfLibrary{kernel::LibraryOp::Scan, scanOfRows},
         extremesReference,
         [] {
             std::vector<Sample> samples;
             for (const char* what : {"max", "min"})
                 for (int dim : {0, 1, 2})
                     samples.push_back(
                         good({f64({2, 7, 3})}, {T(0), I(dim), Arg(std::string(what))}));
             samples.push_back(forwardOnly({b8({2, 9})}, {T(0), I(1), Arg(std::string("max"))}));
             samples.push_back(
                 bad({f32({3})}, {T(0), I(1), Arg(std::string("max"))},
                     "Dimension out of range (expected to be in range of [-1, 0], but got 1)"));
             return samples;
         },
         {"extremes that run along rows, and where they are: of the later of equal elements, of "
          "the latest NaN",
          "y[i] = max or min of x[j], j <= i", "torch.cummax"},
         {.flops = 2}}));
}

} // namespace cutaway::ops
