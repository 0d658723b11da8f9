// SPDX-License-Identifier: Apache-2.0
#include "odd_calls.h"

#include "core/ops/sample_tools.h"
#include "tests/differential/random_models/catalogue_call.h"
#include "tests/ops/sample_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <random>

namespace cutaway::testing {

using ir::DType;

namespace {

// --- tensors ---

struct TensorChange {
    const char* what;
    void (*make)(ops::SampleTensor&);
};
template <DType dtype> void become(ops::SampleTensor& t) {
    t.dtype = dtype;
}
/// Beside dtypes: of all tensors at once likewise.
constexpr TensorChange kShapes[] = {
    {"0-d", [](ops::SampleTensor& t) { t.sizes = {}; }},
    {"empty", [](ops::SampleTensor& t) { t.sizes = {0}; }},
    {"one element", [](ops::SampleTensor& t) { t.sizes = {1}; }},
    {"a dimension less",
     [](ops::SampleTensor& t) {
         if (!t.sizes.empty()) t.sizes.erase(t.sizes.begin());
     }},
    {"a dimension more", [](ops::SampleTensor& t) { t.sizes.insert(t.sizes.begin(), 2); }},
    {"two dimensions more", [](ops::SampleTensor& t) { t.sizes.insert(t.sizes.begin(), 2, 1); }},
    {"first size 0",
     [](ops::SampleTensor& t) {
         if (!t.sizes.empty()) t.sizes.front() = 0;
     }},
    {"last size 0",
     [](ops::SampleTensor& t) {
         if (!t.sizes.empty()) t.sizes.back() = 0;
     }},
    {"first size longer",
     [](ops::SampleTensor& t) {
         if (!t.sizes.empty()) t.sizes.front() += 1;
     }},
    {"last size longer",
     [](ops::SampleTensor& t) {
         if (!t.sizes.empty()) t.sizes.back() += 1;
     }},
    {"last size shorter",
     [](ops::SampleTensor& t) {
         if (!t.sizes.empty() && t.sizes.back() > 0) t.sizes.back() -= 1;
     }},
    {"first size 1",
     [](ops::SampleTensor& t) {
         if (!t.sizes.empty()) t.sizes.front() = 1;
     }},
    {"all sizes 1", [](ops::SampleTensor& t) { t.sizes.assign(t.sizes.size(), 1); }},
};
constexpr TensorChange kDTypes[] = {
    {"bool", become<DType::Bool>},         {"uint8", become<DType::UInt8>},
    {"int8", become<DType::Int8>},         {"int32", become<DType::Int32>},
    {"int64", become<DType::Int64>},       {"float16", become<DType::Float16>},
    {"bfloat16", become<DType::BFloat16>}, {"float32", become<DType::Float32>},
    {"float64", become<DType::Float64>},
};
constexpr TensorChange kValues[] = {
    {"awkward", [](ops::SampleTensor& t) { t.awkward = true; }},
    {"beyond the ends", [](ops::SampleTensor& t) { t.low = -100, t.high = 100; }},
    {"of zeros", [](ops::SampleTensor& t) { t.low = t.high = 0; }},
    {"of minus ones", [](ops::SampleTensor& t) { t.low = t.high = -1; }},
};

/// What the values may be then, and how they may lie.
void settle(ops::SampleTensor& t) {
    const size_t rank = t.sizes.size();
    if (rank < 2 || t.sizes[rank - 1] != t.sizes[rank - 2]) t.definite = false;
    if (!ir::isFloating(t.dtype)) t.definite = t.awkward = false;
    const auto within = [&](double low, double high) {
        t.low = std::min(std::max(t.low, low), high),
        t.high = std::max(std::min(t.high, high), low);
    };
    if (t.dtype == DType::Bool) within(0, 1);
    if (t.dtype == DType::UInt8) within(0, 255);
    if (t.dtype == DType::Int8) within(-128, 127);
    if (t.dtype == DType::Int32 || t.dtype == DType::Int16) within(-2e9, 2e9);
}

// --- other arguments ---

ir::Arg listOf(const ir::ArgList& list, ir::Arg value) {
    return ir::Arg(ir::ArgList(list.size(), std::move(value)));
}

/// Odd values for an argument of the schema, of which \p now is a good one.
std::vector<ir::Arg> oddValues(const ops::SchemaArg& argument, const ir::Arg& now) {
    using ops::I, ops::L;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double inf = std::numeric_limits<double>::infinity();
    std::vector<ir::Arg> odd;
    if (argument.optional) odd.push_back({});
    const std::string_view type = argument.type;
    constexpr int64_t kInts[] = {
        0,  1,   -1,      2,       -2,        3,         7,         -7,
        64, 100, -100000, 1 << 30, INT32_MAX, INT64_MAX, INT64_MIN, int64_t{1} << 40};
    if (type == "int" || type == "SymInt")
        for (int64_t value : kInts)
            odd.push_back(I(value));
    if (type == "Scalar") {
        for (int64_t value : {int64_t{0}, int64_t{-1}, int64_t{3}, INT64_MAX, INT64_MIN})
            odd.push_back(I(value));
        odd.push_back(ir::Arg(true));
    }
    if (type == "Scalar" || type == "float")
        for (double value : {0.0, -1.0, 0.5, nan, inf, -inf, 1e300, -1e-300})
            odd.push_back(ir::Arg(value));
    if (type == "bool")
        for (bool value : {false, true})
            odd.push_back(ir::Arg(value));
    if (type == "ScalarType")
        for (DType dtype : {DType::Bool, DType::UInt8, DType::Int64, DType::Float16, DType::Float64,
                            DType::Float8E4M3, DType::Complex64})
            odd.push_back(ir::Arg(dtype));
    if (type == "str" || type == "MemoryFormat" || type == "Layout")
        for (const char* text :
             {"", "nonsense", "channels_last", "channels_last_3d", "preserve_format", "strided"})
            odd.push_back(ir::Arg(std::string(text)));
    const bool ints = type.starts_with("int[") || type.starts_with("SymInt[");
    if (ints || type.starts_with("bool[") || type == "float[]") {
        const ir::ArgList* list = now.list();
        ir::ArgList some = list ? *list : ir::ArgList{};
        const ir::Arg one = ints ? I(1) : type == "float[]" ? ir::Arg(1.0) : ir::Arg(true);
        odd.push_back(ir::Arg(ir::ArgList()));
        for (size_t length : {1, 2, 3, 5})
            odd.push_back(listOf(ir::ArgList(length), one));
        ir::ArgList longer = some, shorter = some;
        longer.push_back(one);
        odd.push_back(ir::Arg(longer));
        if (!shorter.empty()) shorter.pop_back(), odd.push_back(ir::Arg(shorter));
        if (ints)
            for (int64_t value : {int64_t{0}, int64_t{-1}, int64_t{-2}, int64_t{2}, int64_t{3},
                                  int64_t{9}, int64_t{1} << 31, INT64_MAX, INT64_MIN}) {
                odd.push_back(listOf(some, I(value)));
                if (some.empty()) continue;
                ir::ArgList first = some, last = some;
                first.front() = I(value), last.back() = I(value);
                odd.push_back(ir::Arg(first));
                odd.push_back(ir::Arg(last));
            }
        if (type == "float[]")
            for (double value : {0.0, -1.0, nan, inf, 1e300})
                odd.push_back(listOf(some, ir::Arg(value)));
    }
    if (type == "Tensor[]" || type == "Tensor?[]") {
        odd.push_back(ir::Arg(ir::ArgList()));
        if (const ir::ArgList* list = now.list(); list && !list->empty()) {
            ir::ArgList shorter = *list, longer = *list, none = *list;
            shorter.pop_back(), longer.push_back(list->front());
            odd.push_back(ir::Arg(shorter));
            odd.push_back(ir::Arg(longer));
            longer.insert(longer.end(), 3, list->front());
            odd.push_back(ir::Arg(longer));
            if (type == "Tensor?[]") {
                none.front() = {};
                odd.push_back(ir::Arg(none));
                odd.push_back(listOf(*list, {}));
            }
        }
    }
    return odd;
}

// --- calls ---

std::vector<OddCall> changedOnce(const ops::OpDef& def, const ops::Sample& good,
                                 const std::string& number) {
    std::vector<OddCall> calls;
    auto add = [&](ops::Sample sample, const std::string& what) {
        for (ops::SampleTensor& tensor : sample.tensors)
            settle(tensor);
        calls.push_back({&def, std::move(sample), number + what});
    };
    const auto changeTensors = [&](std::span<const TensorChange> changes) {
        for (const TensorChange& change : changes) {
            for (size_t k = 0; k < good.tensors.size(); ++k) {
                ops::Sample sample = good;
                change.make(sample.tensors[k]);
                add(std::move(sample), fmt::format("tensor {} {}", k, change.what));
            }
            if (good.tensors.size() < 2) continue;
            ops::Sample all = good;
            for (ops::SampleTensor& tensor : all.tensors)
                change.make(tensor);
            add(std::move(all), fmt::format("all tensors {}", change.what));
        }
    };
    changeTensors(kShapes);
    changeTensors(kDTypes);
    changeTensors(kValues);
    for (size_t i = 0; i < def.parsed.args.size(); ++i) {
        ops::Sample full = good;
        while (full.args.size() <= i && full.args.size() < def.parsed.args.size()) {
            const ops::SchemaArg& next = def.parsed.args[full.args.size()];
            full.args.push_back(next.defaultValue.value_or(ir::Arg()));
        }
        const ops::SchemaArg& argument = def.parsed.args[i];
        if (argument.type == "Tensor" && full.args[i].isNone() && !good.tensors.empty())
            for (uint32_t k = 0; k < good.tensors.size(); ++k) {
                ops::Sample sample = full;
                sample.args[i] = ops::T(k);
                add(std::move(sample), argument.name + " another tensor");
            }
        for (ir::Arg& value : oddValues(argument, full.args[i])) {
            ops::Sample sample = full;
            sample.args[i] = std::move(value);
            add(std::move(sample), argument.name);
        }
    }
    return calls;
}

/// The tensors that are still named, in the order in which they are.
void dropUnused(ops::Sample& sample) {
    std::vector<ops::SampleTensor> used;
    ir::rewriteNodes(sample.args, [&](ir::NodeId id) {
        used.push_back(sample.tensors[id.index]);
        return ir::NodeId(static_cast<uint32_t>(used.size() - 1));
    });
    sample.tensors = std::move(used);
}

} // namespace

std::vector<OddCall> oddCalls(const ops::OpDef& def, size_t pairs) {
    std::vector<OddCall> calls;
    std::vector<ops::Sample> good;
    for (const ops::Sample& sample : def.samples())
        if (sample.expectedError.empty()) good.push_back(sample);
    if (good.size() > 3) good.erase(good.begin() + 2, good.end() - 1);
    for (size_t g = 0; g < good.size(); ++g) {
        auto once = changedOnce(def, good[g], fmt::format("sample {}, ", g));
        calls.insert(calls.end(), once.begin(), once.end());
    }
    std::mt19937_64 random(std::hash<std::string>()(def.name()));
    const size_t single = calls.size();
    for (size_t k = 0; k < pairs && single > 0; ++k) {
        const OddCall first = calls[random() % single];
        auto again = changedOnce(def, first.sample, first.what + "; ");
        if (!again.empty()) calls.push_back(again[random() % again.size()]);
    }
    for (OddCall& call : calls)
        dropUnused(call.sample);
    return calls;
}

OddCall withComplex(OddCall call) {
    for (ops::SampleTensor& tensor : call.sample.tensors) {
        if (tensor.dtype == DType::Float32) tensor.dtype = DType::Complex64;
        if (tensor.dtype == DType::Float64) tensor.dtype = DType::Complex128;
    }
    return call;
}

int64_t resultBytes(const OddCall& call) {
    auto made = tests::makeSampleGraph(*call.def, call.sample);
    if (!made.ok()) return 0;
    int64_t bytes = 0;
    for (const ir::TensorType& type : made->graph.node(made->call).types) {
        int64_t each = static_cast<int64_t>(ir::sizeBytes(type.dtype));
        for (const ir::Sym& size : type.sizes)
            if (__builtin_mul_overflow(each, size.constant(), &each)) each = INT64_MAX / 4;
        bytes = std::max(bytes, each);
    }
    return bytes;
}

std::string textOf(const OddCall& call) {
    std::vector<std::string> tensors;
    for (const ops::SampleTensor& t : call.sample.tensors)
        tensors.push_back(fmt::format("{}[{}]", ir::name(t.dtype), fmt::join(t.sizes, ", ")));
    std::vector<std::string> names;
    for (size_t k = 0; k < tensors.size(); ++k)
        names.push_back(fmt::format("<{}>", tensors[k]));
    return CatalogueCall{call.def, &call.sample, {}, false}.text(names) + "  # " + call.what;
}

} // namespace cutaway::testing
