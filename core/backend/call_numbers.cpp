// SPDX-License-Identifier: Apache-2.0
#include "core/backend/call_numbers.h"

#include "core/kernel/scalar_eval.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <mutex>

namespace cutaway::backend {

std::vector<size_t> numberArguments(const ops::OpDef& def, const ir::ArgList& args) {
    std::vector<size_t> numbers;
    if (def.isRandom()) return numbers;
    for (size_t i = 0; i < args.size() && i < def.parsed.args.size(); ++i) {
        const std::string& type = def.parsed.args[i].type;
        if (type != "Scalar" && type != "Tensor") continue;
        const ir::Sym* integer = std::get_if<ir::Sym>(&args[i]);
        if (std::holds_alternative<double>(args[i]) || (integer && integer->isConst()))
            numbers.push_back(i);
    }
    return numbers;
}

std::span<const NumberDTypes> numberDTypes() {
    static constexpr std::array<NumberDTypes, 2> kDTypes = {
        {{ir::DType::Float64, ir::DType::Int64}, {ir::DType::Float32, ir::DType::Int64}}};
    return kDTypes;
}

/// The dtype for one of them.
static ir::DType dtypeFor(const ir::Arg& number, const NumberDTypes& dtypes) {
    return std::holds_alternative<double>(number) ? dtypes.real : dtypes.integer;
}

std::optional<ir::ArgList> roundedNumbers(const ops::OpDef& def, const ir::ArgList& args,
                                          std::span<const runtime::TensorPtr> tensors) {
    if (!def.traits.roundsNumbers || tensors.empty()) return std::nullopt;
    const ir::DType dtype = tensors[0]->type.dtype;
    const bool rounds = std::all_of(tensors.begin(), tensors.end(), [&](const auto& tensor) {
        return tensor->type.dtype == dtype && !tensor->type.device.isCuda();
    });
    if (!rounds || !ir::isHalf(dtype)) return std::nullopt;
    ir::ArgList rounded = args;
    for (size_t i : numberArguments(def, args))
        if (double* real = std::get_if<double>(&rounded[i]))
            *real = kernel::scalarOf(dtype, *real).real;
    return rounded;
}

ir::ArgList withInputs(ir::ArgList args, std::span<const size_t> numbers, size_t count) {
    for (size_t i : numbers)
        args[i] = ir::NodeId(static_cast<uint32_t>(count++));
    return args;
}

namespace {

constexpr size_t kKeptNumbers = 4096;

/// On a GPU, the same tensor for the same number: a copy to the device costs as much as a kernel.
base::Result<runtime::TensorPtr> numberOn(const ir::HostTensor& host, ir::Device device) {
    if (!device.isCuda()) return runtime::fromHost(host, device);
    static auto* const mutex = new std::mutex;
    static auto* const kept = new std::map<std::string, runtime::TensorPtr>;
    std::string key = fmt::format("{} {} ", device.index, static_cast<int>(host.dtype));
    key.append(reinterpret_cast<const char*>(host.bytes.data()), host.bytes.size());
    const std::lock_guard lock(*mutex);
    if (kept->size() >= kKeptNumbers) kept->clear();
    runtime::TensorPtr& number = (*kept)[key];
    if (!number) {
        CUTAWAY_TRY(number, runtime::fromHost(host, device));
    }
    return number;
}

} // namespace

base::Result<std::vector<runtime::TensorPtr>>
withNumbers(std::span<const runtime::TensorPtr> tensors, const ir::ArgList& args,
            std::span<const size_t> numbers, const NumberDTypes& dtypes, ir::Device device) {
    std::vector<runtime::TensorPtr> inputs(tensors.begin(), tensors.end());
    for (size_t i : numbers) {
        ir::HostTensor host = ir::HostTensor::zeros(dtypeFor(args[i], dtypes), {});
        if (const double* real = std::get_if<double>(&args[i]))
            host.set(0, *real);
        else
            host.setInt(0, std::get<ir::Sym>(args[i]).constant());
        CUTAWAY_TRY(runtime::TensorPtr input, numberOn(host, device));
        inputs.push_back(std::move(input));
    }
    return inputs;
}

} // namespace cutaway::backend
