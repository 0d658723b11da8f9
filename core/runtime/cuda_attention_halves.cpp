// SPDX-License-Identifier: Apache-2.0
// Attention with 16-bit operands: which tiles, and the constants before the text.
#include "core/runtime/cuda_attention.h"
#include "core/runtime/cuda_attention_halves_text.h"
#include "core/runtime/cuda_halves_text.h"
#include "core/runtime/cuda_text_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace cutaway::runtime {
namespace {

/// Squares of 16 lines of each warp, warps of a block, lines that pass by at once, and how many
/// blocks one multiprocessor has.
struct Tiling {
    int64_t tilesM, warps, stream, blocksEach;
    int64_t own() const { return 16 * tilesM * warps; }
};

enum class Pass { Forward, KeepsKeys, KeepsQueries };

/// Numbers of a line in shared memory (kLineE and kLineV of the text).
int64_t lineOf(int64_t width) {
    return (width + 15) / 16 * 16 + 8;
}

int64_t sharedBytes(const AttentionSpec& spec, const Tiling& tiling) {
    const int64_t narrow = lineOf(spec.width), wide = lineOf(spec.valueWidth);
    if (!spec.isBackward()) return 2 * (tiling.own() * narrow + tiling.stream * (narrow + wide));
    return 2 * (tiling.own() * (narrow + wide) + 2 * tiling.stream * (narrow + wide + 4));
}

/// The first that fits and gives every multiprocessor a block, if any does; measured on an H200.
Tiling tilingOf(const AttentionSpec& spec, Pass pass, int64_t limit) {
    constexpr int64_t kMultiprocessors = 132;
    const bool narrow = spec.width <= 64 && spec.valueWidth <= 64;
    const auto best = [&]() -> Tiling {
        if (pass == Pass::Forward) return {2, 4, 64, narrow ? 2 : 1};
        if (pass == Pass::KeepsKeys) return narrow ? Tiling{2, 4, 32, 2} : Tiling{1, 4, 64, 1};
        return narrow ? Tiling{2, 4, 64, 1} : Tiling{2, 4, 32, 2};
    };
    const std::array tilings{best(), Tiling{1, 4, 64, 2}, Tiling{1, 4, 32, 2}, Tiling{1, 2, 16, 1}};
    const int64_t length = pass == Pass::KeepsKeys ? spec.keys : spec.rows;
    const auto suits = [&](const Tiling& one) {
        const int64_t blocks = (length + one.own() - 1) / one.own() * spec.batch * spec.heads;
        return sharedBytes(spec, one) <= limit && (one.tilesM == 1 || blocks >= kMultiprocessors);
    };
    const auto found = std::find_if(tilings.begin(), tilings.end(), suits);
    return found == tilings.end() ? tilings.back() : *found;
}

std::string constantsText(const AttentionSpec& spec, bool aligned) {
    return fmt::format("#define DEVICE __device__ __forceinline__\n"
                       "constexpr int kBatch = {}, kHeads = {}, kRows = {}, kKeys = {};\n"
                       "constexpr int kWidth = {}, kValueWidth = {};\n"
                       "constexpr bool kCausal = {}, kSafe = {}, kInner = {}, kMasked = {};\n"
                       "constexpr bool kVectors = {}, kBfloat = {};\n"
                       "constexpr float kScale = {:a}f;\n",
                       spec.batch, spec.heads, spec.rows, spec.keys, spec.width, spec.valueWidth,
                       spec.task.causal, spec.task.safe, spec.task.inner, spec.masked,
                       aligned && inMultiples(spec, 8), spec.operands == ir::DType::BFloat16,
                       static_cast<float>(spec.task.scale)) +
           attentionStrides(spec);
}

} // namespace

AttentionSources halfAttentionSources(const AttentionSpec& spec, int64_t sharedLimit,
                                      bool aligned) {
    const std::string constants = constantsText(spec, aligned);
    const int64_t heads = spec.batch * spec.heads;
    AttentionSources sources;
    const auto textOf = [&](const Tiling& tiling, bool keepsKeys, std::string_view body) {
        return constants +
               fmt::format("constexpr int kTilesM = {}, kWarps = {}, kOwn = {}, kStream = {};\n"
                           "constexpr int kBlocksEach = {};\n"
                           "constexpr bool kKeepsKeys = {};\n",
                           tiling.tilesM, tiling.warps, tiling.own(), tiling.stream,
                           tiling.blocksEach, keepsKeys) +
               halfNumbersText() + std::string(kInfinityText) + std::string(kPowerText) +
               std::string(kHalfTiles) + std::string(kHeadsText) + std::string(body);
    };
    const auto add = [&](std::string entry, Pass pass, int64_t length, std::string_view body) {
        const Tiling tiling = tilingOf(spec, pass, sharedLimit);
        codegen::KernelSource& source = sources.passes.emplace_back();
        source.entry = std::move(entry);
        source.text = textOf(tiling, pass == Pass::KeepsKeys, body);
        source.launch.blocks = ir::Sym((length + tiling.own() - 1) / tiling.own() * heads);
        source.launch.threads = static_cast<int>(32 * tiling.warps);
        source.launch.sharedBytes = sharedBytes(spec, tiling);
    };
    if (!spec.isBackward()) {
        add("attention", Pass::Forward, spec.rows, kHalfForward);
        return sources;
    }
    sources.sums.entry = "attention_sums";
    sources.sums.text = textOf(tilingOf(spec, Pass::KeepsKeys, sharedLimit), true,
                               attentionSumsText("Bits", "wide"));
    sources.sums.launch.blocks = ir::Sym((heads * spec.rows + 7) / 8);
    sources.sums.launch.threads = 256;
    sources.sumBytes = heads * spec.rows * 4;
    add("attention_backward", Pass::KeepsKeys, spec.keys, kHalfBackward);
    add("attention_backward", Pass::KeepsQueries, spec.rows, kHalfBackward);
    return sources;
}

} // namespace cutaway::runtime
