// SPDX-License-Identifier: Apache-2.0
#include "core/driver/inputs.h"

#include "core/base/file_system.h"
#include "core/driver/case.h"
#include "core/driver/npy.h"
#include "core/runtime/random.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace cutaway::driver {

namespace {

using ir::HostTensor;
using runtime::TensorPtr;
using Kind = GivenInput::Kind;

constexpr std::string_view kVerb = "input ";
constexpr size_t kShortestHash = 8;
constexpr const char* kForms = "normal(MEAN, DEVIATION, SEED), uniform(LOW, HIGH, SEED), ints(LOW, "
                               "HIGH, SEED), zeros, ones, file(PATH)";

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

template <typename T> std::optional<T> number(std::string_view text) {
    T value{};
    text = trimmed(text);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "0, 1, 7": two numbers and a seed, in what has the kind already.
bool readRange(std::string_view text, GivenInput& into) {
    const size_t first = text.find(','), second = text.find(',', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return false;
    const auto a = number<double>(text.substr(0, first)),
               b = number<double>(text.substr(first + 1, second - first - 1));
    const auto seed = number<uint64_t>(text.substr(second + 1));
    if (!a || !b || !seed || !std::isfinite(*a) || !std::isfinite(*b)) return false;
    into.a = *a, into.b = *b, into.seed = *seed;
    if (into.kind == Kind::Normal) return *b >= 0;
    if (into.kind == Kind::Uniform) return *a < *b;
    const bool whole = *a == std::floor(*a) && *b == std::floor(*b);
    return whole && std::abs(*a) < 0x1p53 && std::abs(*b) < 0x1p53 && *a < *b;
}

void readFileForm(std::string_view text, GivenInput& into) {
    const size_t comma = text.rfind(", ");
    const std::string_view tail =
        comma == std::string_view::npos ? std::string_view() : text.substr(comma + 2);
    const bool hash = tail.size() >= kShortestHash &&
                      tail.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    into.path = hash ? text.substr(0, comma) : text;
    if (hash) into.hash = tail;
}

/// A tensor of the host with the sizes of \p like, drawn as PyTorch draws on the CPU.
base::Result<TensorPtr> drawn(const GivenInput& input, const ir::TensorType& like) {
    const bool integers = input.kind == Kind::Integers;
    const ir::DType dtype = integers                           ? ir::DType::Int64
                            : like.dtype == ir::DType::Float64 ? ir::DType::Float64
                                                               : ir::DType::Float32;
    CUTAWAY_TRY(TensorPtr tensor,
                runtime::emptyTensor(ir::TensorType::contiguous(dtype, like.sizes, {})));
    runtime::Draw draw;
    draw.distribution = integers                     ? runtime::Distribution::Integer
                        : input.kind == Kind::Normal ? runtime::Distribution::Normal
                                                     : runtime::Distribution::Uniform;
    draw.a = input.a, draw.b = input.b;
    draw.low = static_cast<int64_t>(input.a), draw.high = static_cast<int64_t>(input.b);
    runtime::Generator generator(input.seed);
    CUTAWAY_CHECK(runtime::fillRandom(*tensor, draw, generator));
    return tensor;
}

base::Result<TensorPtr> ofFile(const GivenInput& input, const std::string& bytes,
                               const ir::TensorType& like) {
    if (!input.hash.empty() && !record::textHash(bytes).starts_with(input.hash))
        return base::userError({input.path}, "this file is another one than was chosen",
                               "choose it again");
    CUTAWAY_TRY(const HostTensor array, readNpy(bytes, input.path));
    if (ir::isIntegral(array.dtype) != ir::isIntegral(like.dtype) ||
        ir::isComplex(array.dtype) != ir::isComplex(like.dtype))
        return base::userError({input.path},
                               fmt::format("input {} is {}, and the file holds {}", input.number,
                                           ir::info(like.dtype).name, ir::info(array.dtype).name),
                               "save the array with a dtype of the same kind");
    return runtime::fromHost(array, {});
}

base::Result<TensorPtr> valueFor(const GivenInput& input, const auto& read,
                                 const ir::TensorType& like) {
    if (input.kind == Kind::File) {
        CUTAWAY_TRY(const std::string bytes, read(input.path));
        return ofFile(input, bytes, like);
    }
    if (input.kind == Kind::Zeros || input.kind == Kind::Ones) {
        HostTensor constant = HostTensor::zeros(ir::DType::Float32, {});
        constant.set(0, input.kind == Kind::Ones);
        CUTAWAY_TRY(TensorPtr scalar, runtime::fromHost(constant, {}));
        return runtime::viewOf(scalar, like.sizes, ir::Shape(like.rank(), ir::Sym(0)), 0);
    }
    if (!ir::isFloating(like.dtype) && input.kind != Kind::Integers)
        return base::usageError(fmt::format("input {} is {}: '{}' makes no such values",
                                            input.number, ir::info(like.dtype).name, input.text),
                                "ints(LOW, HIGH, SEED), zeros, ones or file(PATH) do");
    return drawn(input, like);
}

} // namespace

base::Result<GivenInput> parseInput(const std::string& text) {
    GivenInput input;
    input.text = text;
    auto wrong = [&] {
        return base::usageError(fmt::format("input '{}': expected NUMBER=VALUES", text), kForms);
    };
    const size_t at = text.find('=');
    if (at == std::string::npos) return wrong();
    const std::string_view all = text;
    const auto place = number<size_t>(all.substr(0, at));
    const std::string_view form = trimmed(all.substr(at + 1));
    if (!place) return wrong();
    input.number = *place;
    if (form == "zeros" || form == "ones") {
        input.kind = form == "ones" ? Kind::Ones : Kind::Zeros;
        return input;
    }
    const size_t open = form.find('(');
    if (open == std::string_view::npos || form.back() != ')') return wrong();
    const std::string_view name = form.substr(0, open),
                           inside = form.substr(open + 1, form.size() - open - 2);
    if (name == "file" && !inside.empty()) {
        input.kind = Kind::File;
        readFileForm(inside, input);
        return input;
    }
    input.kind = name == "normal"    ? Kind::Normal
                 : name == "uniform" ? Kind::Uniform
                                     : Kind::Integers;
    const bool known = name == "normal" || name == "uniform" || name == "ints";
    if (!known || !readRange(inside, input)) return wrong();
    return input;
}

std::optional<std::string> inputFile(std::string_view decision) {
    if (!decision.starts_with(kVerb)) return std::nullopt;
    const auto input = parseInput(std::string(decision.substr(kVerb.size())));
    if (!input || input->kind != Kind::File) return std::nullopt;
    return input->path;
}

std::vector<TensorPtr> caseTensors(const std::vector<capture::ValuePtr>& arguments) {
    std::vector<TensorPtr> all;
    for (const capture::ValuePtr& argument : arguments)
        for (TensorPtr& tensor : capture::flattenTensors(argument))
            if (std::find(all.begin(), all.end(), tensor) == all.end())
                all.push_back(std::move(tensor));
    return all;
}

base::Status
giveInputs(const std::vector<GivenInput>& inputs,
           const std::function<base::Result<std::string>(const std::string& path)>& read,
           const std::vector<TensorPtr>& tensors) {
    auto readHere = [&](const std::string& path) -> base::Result<std::string> {
        return read ? read(path) : base::readFile(path);
    };
    for (const GivenInput& input : inputs) {
        if (input.number >= tensors.size())
            return base::usageError(
                fmt::format("input '{}': example_inputs gives {} tensors, counted from 0",
                            input.text, tensors.size()));
        runtime::Tensor& tensor = *tensors[input.number];
        CUTAWAY_TRY(const TensorPtr value, valueFor(input, readHere, tensor.type));
        if (value->type.sizes == tensor.type.sizes) {
            CUTAWAY_CHECK(runtime::copyInto(tensor, *value));
            continue;
        }
        CUTAWAY_TRY(const TensorPtr room,
                    runtime::emptyTensor(ir::TensorType::contiguous(
                        tensor.type.dtype, value->type.sizes, tensor.type.device)));
        CUTAWAY_CHECK(runtime::copyInto(*room, *value));
        const bool wanted = tensor.type.requiresGrad;
        tensor.type = room->type;
        tensor.type.requiresGrad = wanted;
        tensor.storage = room->storage;
        tensor.offset = 0;
    }
    return {};
}

base::Result<std::vector<CaseInput>> caseInputs(Tools& tools, const SessionOptions& options) {
    CUTAWAY_TRY(LoadedProgram loaded, loadProgram(tools, options, options.backend, nullptr));
    std::vector<CaseInput> inputs;
    if (!loaded.program->isCaseFile()) return inputs;
    const std::vector<std::string> sizes = loaded.program->sizeKeys();
    const std::string size = !options.size.empty() ? options.size
                             : sizes.empty()       ? std::string()
                                                   : sizes.front();
    CUTAWAY_TRY(const std::vector<capture::ValuePtr> arguments,
                loaded.program->exampleInputs(size));
    std::vector<TensorPtr> seen;
    for (size_t i = 0; i < arguments.size(); ++i) {
        int part = 0;
        for (const TensorPtr& tensor : capture::flattenTensors(arguments[i])) {
            const std::string name = part++ ? fmt::format("{}.{}", i, part) : std::to_string(i);
            if (std::find(seen.begin(), seen.end(), tensor) != seen.end()) continue;
            seen.push_back(tensor);
            inputs.push_back({name, tensor->type.str(), ir::isIntegral(tensor->type.dtype)});
        }
    }
    return inputs;
}

} // namespace cutaway::driver
