// SPDX-License-Identifier: Apache-2.0
// Sorts: tiles in shared memory by a bitonic network (K. E. Batcher, 1968), then runs merged two
// and two, where every element finds its place by bisection in the other run. An element's key has
// its position behind it, so that no two are alike: the order is stable, and the same at every run.
// Scans: every block walks a part of a row tile by tile; where a row has several parts, their totals
// are combined first, in order.
#include "core/runtime/cuda_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::runtime {
namespace {

using kernel::LibraryOp;
using Running = kernel::RowCall::Running;

constexpr int64_t kMostBlocks = 1 << 20;

/// Truth values are read as numbers.
std::string_view elementType(ir::DType dtype) {
    return dtype == ir::DType::Bool ? "unsigned char" : ir::info(dtype).cudaType;
}

/// Sizes and strides, and where a row begins.
std::string placesText(const RowsSpec& spec) {
    std::string text =
        fmt::format("typedef long long index_t;\ntypedef {} element;\n"
                    "constexpr index_t kRows = {}, kLength = {}, kCount = {}, kFromStride = {}, "
                    "kToStride = {};\n",
                    elementType(spec.row.dtype), spec.rows(), spec.length, spec.count,
                    spec.operandStride, spec.resultStride);
    text += "struct Start { index_t from, to; };\n"
            "__device__ __forceinline__ Start startOf(index_t row) {\n    Start start{0, 0};\n";
    for (size_t d = spec.outer.size(); d-- > 0;) {
        const RowsSpec::Dim& dim = spec.outer[d];
        text += fmt::format(
            "    start.from += row % {0} * {1}; start.to += row % {0} * {2}; row /= {0};\n",
            dim.size, dim.operand, dim.result);
    }
    return text + "    return start;\n}\n";
}

std::string keyText(const RowsSpec& spec) {
    const ir::DType dtype = spec.row.dtype;
    const bool wide = ir::sizeBytes(dtype) == 8;
    std::string text =
        fmt::format("typedef {} key_t;\n", wide ? "unsigned long long" : "unsigned int");
    text += "__device__ __forceinline__ key_t keyOf(element x) {\n";
    if (ir::isFloating(dtype))
        text += fmt::format("    if (x != x) return {1}~key_t(0);\n"
                            "    const key_t bits = x == 0 ? 0 : key_t({0}(x));\n"
                            "    const key_t sign = key_t(1) << {2};\n"
                            "    return {1}(bits & sign ? ~bits : bits | sign);\n",
                            wide ? "__double_as_longlong" : "__float_as_int",
                            spec.row.descending ? "~" : "", wide ? 63 : 31);
    else
        text += fmt::format("    return {}(key_t({}){});\n", spec.row.descending ? "~" : "",
                            dtype == ir::DType::Bool ? "x != 0" : "x",
                            dtype == ir::DType::Int32   ? " ^ 0x80000000u"
                            : dtype == ir::DType::Int64 ? " ^ 0x8000000000000000ull"
                                                        : "");
    return text + "}\n" +
           (wide ? R"(struct Entry { key_t key; index_t at; };
__device__ __forceinline__ Entry entryOf(element x, index_t at) { return {keyOf(x), at}; }
__device__ __forceinline__ Entry noEntry() { return {~key_t(0), 0x7fffffffffffffffll}; }
__device__ __forceinline__ bool before(const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key < b.key : a.at < b.at;
}
__device__ __forceinline__ index_t placeOf(const Entry& e) { return e.at; }
)"
                 : R"(typedef unsigned long long Entry;
__device__ __forceinline__ Entry entryOf(element x, index_t at) {
    return (unsigned long long)keyOf(x) << 32 | (unsigned int)at;
}
__device__ __forceinline__ Entry noEntry() { return ~0ull; }
__device__ __forceinline__ bool before(Entry a, Entry b) { return a < b; }
__device__ __forceinline__ index_t placeOf(Entry e) { return e & 0xffffffffu; }
)");
}

constexpr std::string_view kSort = R"(
// The tiles of all rows, one after the other; a whole row is the result.
extern "C" __global__ void __launch_bounds__(kTile / 2 < 32 ? 32 : kTile / 2)
sort_tiles(const element* __restrict__ from, index_t* __restrict__ to, const Entry*,
           Entry* __restrict__ runs, index_t) {
    __shared__ Entry tile[kTile];
    for (index_t block = blockIdx.x; block < kRows * kTiles; block += gridDim.x) {
        const index_t row = block / kTiles, first = block % kTiles * kTile;
        const Start start = startOf(row);
        for (int i = threadIdx.x; i < kTile; i += blockDim.x)
            tile[i] = first + i < kLength
                          ? entryOf(from[start.from + (first + i) * kFromStride], first + i)
                          : noEntry();
        __syncthreads();
        for (int size = 2; size <= kTile; size *= 2)
            for (int stride = size / 2; stride > 0; stride /= 2) {
                for (int i = threadIdx.x; i < kTile / 2; i += blockDim.x) {
                    const int low = 2 * i - (i & (stride - 1)), high = low + stride;
                    const Entry a = tile[low], b = tile[high];
                    if (before(b, a) == ((low & size) == 0)) {
                        tile[low] = b;
                        tile[high] = a;
                    }
                }
                __syncthreads();
            }
        for (int i = threadIdx.x; i < kTile; i += blockDim.x) {
            if (kTiles > 1) {
                if (first + i < kLength) runs[row * kLength + first + i] = tile[i];
            } else if (i < kCount) {
                to[start.to + i * kToStride] = placeOf(tile[i]);
            }
        }
        __syncthreads();
    }
}

// Runs of the given width, two and two.
extern "C" __global__ void __launch_bounds__(256)
sort_merge(const element*, index_t* __restrict__ to, const Entry* __restrict__ runs,
           Entry* __restrict__ merged, index_t width) {
    const bool last = 2 * width >= kLength;
    const index_t step = (index_t)gridDim.x * blockDim.x;
    for (index_t e = blockIdx.x * (index_t)blockDim.x + threadIdx.x; e < kRows * kLength; e += step) {
        const index_t row = e / kLength, i = e % kLength, pair = i / (2 * width) * (2 * width);
        const bool second = i - pair >= width;
        const Entry* line = runs + row * kLength;
        const index_t middle = pair + width < kLength ? pair + width : kLength;
        const index_t end = pair + 2 * width < kLength ? pair + 2 * width : kLength;
        const index_t begin = second ? pair : middle;
        index_t low = begin, high = second ? middle : end;
        const Entry mine = line[i];
        while (low < high) {
            const index_t mid = (low + high) / 2;
            if (before(line[mid], mine))
                low = mid + 1;
            else
                high = mid;
        }
        const index_t place = i - (second ? middle - pair : 0) + low - begin;
        if (!last)
            merged[row * kLength + place] = mine;
        else if (place < kCount)
            to[startOf(row).to + place * kToStride] = placeOf(mine);
    }
}
)";

/// What a scan keeps, and how a later part joins an earlier one.
std::string stateText(const RowsSpec& spec) {
    const ir::DType dtype = spec.row.dtype;
    const bool floating = ir::isFloating(dtype);
    const std::string_view result = elementType(spec.dtype);
    std::string text = fmt::format("typedef {} result_t;\n", result);
    if (spec.row.givesPlaces()) {
        const bool most = spec.row.running == Running::Max;
        return text + fmt::format(R"(struct State {{ element value; index_t at; }};
__device__ __forceinline__ State nothing() {{ return {{0, -1}}; }}
__device__ __forceinline__ State stateOf(element x, index_t at) {{ return {{x, at}}; }}
__device__ __forceinline__ State joined(const State& a, const State& b) {{
    if (a.at < 0) return b;
    if (b.at < 0) return a;
    return {} ? b : a;
}}
__device__ __forceinline__ result_t resultOf(const State& s) {{ return s.at; }}
)",
                                  floating
                                      ? fmt::format("b.value != b.value || (b.value {} a.value && "
                                                    "a.value == a.value)",
                                                    most ? ">=" : "<=")
                                      : fmt::format("b.value {} a.value", most ? ">=" : "<="));
    }
    std::string_view start = "0", join = "a + b";
    if (spec.row.running == Running::Product) start = "1", join = "a * b";
    if (spec.row.running == Running::LogSumExp) {
        start = "-__longlong_as_double(0x7ff0000000000000ll)";
        join = "a != a || b != b ? a + b : a == b && a - a != 0 ? a : "
               "(a > b ? a : b) + log1p(exp(a > b ? b - a : a - b))";
    }
    return text + fmt::format(R"(typedef {} State;
__device__ __forceinline__ State nothing() {{ return {}; }}
__device__ __forceinline__ State stateOf(element x, index_t) {{ return (State)x; }}
__device__ __forceinline__ State joined(State a, State b) {{ return {}; }}
__device__ __forceinline__ result_t resultOf(State s) {{ return {}; }}
)",
                              floating ? "double" : "unsigned long long", start, join,
                              spec.dtype == ir::DType::Bool ? "s != 0" : "(result_t)s");
}

constexpr std::string_view kScan = R"(
constexpr int kThreads = 256, kEach = 4, kTile = kThreads * kEach;

// Walks part [begin, end) of a row; the state after it.
template <bool stores>
__device__ State walk(const element* from, result_t* to, index_t row, index_t begin, index_t end,
                      State carried) {
    __shared__ State totals[kThreads];
    const Start start = startOf(row);
    const int t = threadIdx.x;
    for (index_t tile = begin; tile < end; tile += kTile) {
        State own[kEach], total = nothing();
        for (int k = 0; k < kEach; ++k) {
            const index_t i = tile + t * kEach + k, at = kBackwards ? kLength - 1 - i : i;
            own[k] = i < end ? stateOf(from[start.from + at * kFromStride], at) : nothing();
            total = joined(total, own[k]);
        }
        totals[t] = total;
        __syncthreads();
        for (int shift = 1; shift < kThreads; shift *= 2) {
            const State before = t >= shift ? totals[t - shift] : nothing();
            const State mine = totals[t];
            __syncthreads();
            totals[t] = joined(before, mine);
            __syncthreads();
        }
        if (stores) {
            State sum = joined(carried, t > 0 ? totals[t - 1] : nothing());
            for (int k = 0; k < kEach; ++k) {
                const index_t i = tile + t * kEach + k, at = kBackwards ? kLength - 1 - i : i;
                sum = joined(sum, own[k]);
                if (i < end) to[start.to + at * kToStride] = resultOf(sum);
            }
        }
        carried = joined(carried, totals[kThreads - 1]);
        __syncthreads();
    }
    return carried;
}
__device__ __forceinline__ index_t endOf(index_t part) {
    return (part + 1) * kPart < kLength ? (part + 1) * kPart : kLength;
}

extern "C" __global__ void __launch_bounds__(kThreads)
scan_totals(const element* __restrict__ from, result_t*, const State*, State* __restrict__ totals,
            index_t) {
    for (index_t b = blockIdx.x; b < kRows * kParts; b += gridDim.x) {
        const State total = walk<false>(from, nullptr, b / kParts, b % kParts * kPart,
                                        endOf(b % kParts), nothing());
        if (threadIdx.x == 0) totals[b] = total;
    }
}

// What comes before every part.
extern "C" __global__ void __launch_bounds__(32)
scan_before(const element*, result_t*, const State* __restrict__ totals, State* __restrict__ before,
            index_t) {
    for (index_t row = blockIdx.x * 32 + threadIdx.x; row < kRows; row += gridDim.x * 32) {
        State sum = nothing();
        for (index_t part = 0; part < kParts; ++part) {
            before[row * kParts + part] = sum;
            sum = joined(sum, totals[row * kParts + part]);
        }
    }
}

extern "C" __global__ void __launch_bounds__(kThreads)
scan_rows(const element* __restrict__ from, result_t* __restrict__ to,
          const State* __restrict__ before, State*, index_t) {
    for (index_t b = blockIdx.x; b < kRows * kParts; b += gridDim.x)
        walk<true>(from, to, b / kParts, b % kParts * kPart, endOf(b % kParts),
                   kParts > 1 ? before[b] : nothing());
}

// Rows beside each other in memory, a thread for each.
extern "C" __global__ void __launch_bounds__(128)
scan_beside(const element* __restrict__ from, result_t* __restrict__ to, const State*, State*,
            index_t) {
    for (index_t row = blockIdx.x * 128 + threadIdx.x; row < kRows; row += gridDim.x * 128) {
        const Start start = startOf(row);
        State sum = nothing();
        for (index_t i = 0; i < kLength; ++i) {
            const index_t at = kBackwards ? kLength - 1 - i : i;
            sum = joined(sum, stateOf(from[start.from + at * kFromStride], at));
            to[start.to + at * kToStride] = resultOf(sum);
        }
    }
}
)";

int64_t ceilDiv(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

class GeneratedRows : public LibraryKernel {
public:
    explicit GeneratedRows(CudaDevice& device) : device_(device) {}
    base::Status prepare(const RowsSpec& spec) {
        if (spec.isEmpty()) return {};
        const RowsProgram program =
            spec.op == LibraryOp::Scan ? scanProgram(spec) : sortProgram(spec);
        scratchBytes_ = program.scratchBytes;
        CudaModulePtr module;
        for (const RowsProgram::Launch& launch : program.launches) {
            codegen::KernelSource source;
            source.text = program.text;
            source.entry = launch.entry;
            source.launch.blocks = launch.blocks;
            source.launch.threads = static_cast<int>(launch.threads);
            if (!module) {
                CUTAWAY_TRY(module, loadModule(device_, source));
            }
            CUTAWAY_TRY(CudaKernelPtr kernel, CudaKernel::load(source, module));
            steps_.push_back({std::move(kernel), launch.from, launch.to, launch.width});
        }
        return {};
    }
    base::Status run(void* const* pointers, void* memory, int) override {
        device_.activate();
        auto half = [&](int64_t which) -> void* {
            return scratchBytes_ > 0 ? static_cast<std::byte*>(memory) + which * scratchBytes_
                                     : nullptr;
        };
        for (Step& step : steps_) {
            void* values[] = {pointers[0], pointers[1], half(step.from), half(step.to)};
            void* arguments[] = {&values[0], &values[1], &values[2], &values[3], &step.width};
            CUTAWAY_CHECK(step.kernel->launch(arguments));
        }
        return {};
    }
    int64_t workspace(int) const override { return 2 * scratchBytes_; }
    std::string implementation() const override { return "generated kernel"; }

private:
    struct Step {
        CudaKernelPtr kernel;
        int64_t from, to, width;
    };
    CudaDevice& device_;
    int64_t scratchBytes_ = 0;
    std::vector<Step> steps_;
};

} // namespace

RowsProgram sortProgram(const RowsSpec& spec) {
    // Sixteen bytes an entry where keys have eight: both fill half of what a block always has.
    const bool wide = ir::sizeBytes(spec.row.dtype) == 8;
    const int64_t most = wide ? 1024 : 2048;
    int64_t tile = 2;
    while (tile < std::min(spec.length, most))
        tile *= 2;
    const int64_t tiles = ceilDiv(spec.length, tile);
    RowsProgram program;
    program.text =
        placesText(spec) +
        fmt::format("constexpr int kTile = {};\nconstexpr index_t kTiles = {};\n", tile, tiles) +
        keyText(spec) + std::string(kSort);
    program.launches.push_back({"sort_tiles", std::min(spec.rows() * tiles, kMostBlocks),
                                std::max<int64_t>(tile / 2, 32), 0, 0, 0});
    if (tiles == 1) return program;
    program.scratchBytes = spec.rows() * spec.length * (wide ? 16 : 8);
    int64_t at = 0;
    for (int64_t width = tile; width < spec.length; width *= 2, at = 1 - at)
        program.launches.push_back({"sort_merge",
                                    std::min(ceilDiv(spec.rows() * spec.length, 256), kMostBlocks),
                                    256, at, 1 - at, width});
    return program;
}

RowsProgram scanProgram(const RowsSpec& spec) {
    // Enough blocks for any GPU; parts of a few tiles at least.
    constexpr int64_t kEnough = 512, kTile = 1024;
    const bool beside = spec.operandStride != 1 && !spec.outer.empty() &&
                        spec.outer.back().operand == 1 && spec.rows() >= 8 * 128;
    const int64_t rows = spec.rows();
    const int64_t wanted = std::max<int64_t>(1, kEnough / rows);
    const int64_t part = ceilDiv(std::max(ceilDiv(spec.length, wanted), 4 * kTile), kTile) * kTile;
    const int64_t parts = ceilDiv(spec.length, part);
    RowsProgram program;
    program.text = placesText(spec) +
                   fmt::format("constexpr index_t kPart = {}, kParts = {};\n"
                               "constexpr bool kBackwards = {};\n",
                               part, parts, spec.row.backwards) +
                   stateText(spec) + std::string(kScan);
    if (beside) {
        program.launches.push_back(
            {"scan_beside", std::min(ceilDiv(rows, 128), kMostBlocks), 128, 0, 0, 0});
        return program;
    }
    const int64_t blocks = std::min(rows * parts, kMostBlocks);
    if (parts > 1) {
        program.scratchBytes = rows * parts * 16;
        program.launches.push_back({"scan_totals", blocks, 256, 0, 0, 0});
        program.launches.push_back(
            {"scan_before", std::min(ceilDiv(rows, 32), kMostBlocks), 32, 0, 1, 0});
    }
    program.launches.push_back({"scan_rows", blocks, 256, 0, 1, 0});
    if (parts > 1) program.launches.back().from = 1;
    return program;
}

base::Result<LibraryKernelPtr> makeGeneratedRows(CudaDevice& device, const RowsSpec& spec) {
    auto call = std::make_unique<GeneratedRows>(device);
    CUTAWAY_CHECK(call->prepare(spec));
    return LibraryKernelPtr(std::move(call));
}

} // namespace cutaway::runtime
