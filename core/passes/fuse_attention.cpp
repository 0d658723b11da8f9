// SPDX-License-Identifier: Apache-2.0
#include "core/passes/fuse_attention.h"

#include "core/base/said.h"
#include "core/ir/shape_env.h"
#include "core/passes/attention_pattern.h"
#include "core/passes/relaid.h"
#include "core/passes/remove_dead.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::passes {
namespace {

using ir::Arg;
using ir::NodeId;

// What the predictions reckon with, in a microsecond of one core: operations of products and of the
// blocks' kernels alike; elements of queries and results that the blocks turn, forwards and in
// training; bytes of scores on their way through memory, by how large the matrix of scores is.
// Measured with AVX-512, 64 wide, on S = 16 to 2048: within a fifth from S = 64 on.
constexpr double kFlops = 2e5, kTurned = 3.7e3, kTurnedTraining = 1.2e3, kHeadUs = 0.35,
                 kBlockUs = 0.5, kCallUs = 0.3;
double scoreBytesPerUs(double bytes) {
    return bytes <= 8e6 ? 1.4e5 : bytes <= 64e6 ? 6e4 : 3.3e4;
}
// The same of 16 bits, which the blocks compute in float32: elements that are widened or rounded,
// and scores on their way through mask and softmax. Measured without tiles, S = 256 and 1024.
constexpr double kWidened = 4e3, kHalfScores = 2.5e3, kHalfMasked = 7e3;
/// Operations of their products.
double halfFlops(ir::DType dtype) {
#if defined(__x86_64__)
    if (dtype == ir::DType::BFloat16) {
        if (__builtin_cpu_supports("amx-bf16")) return 5 * kFlops;   // in tiles
        if (__builtin_cpu_supports("avx512bf16")) return 2 * kFlops; // in pairs
    }
#endif
    return dtype == ir::DType::BFloat16 || dtype == ir::DType::Float16 ? kFlops : 0;
}
/// Queries that are computed together, whether there are as many or not.
constexpr double kQueries = 32;

// The same of a GPU, measured on an H200 with full precision: operations of the blocks' kernels and
// of products, bytes of scores, a launch, a block of keys when others leave nothing to overlap.
constexpr double kGpuBytes = 3e6, kLaunchUs = 5, kGpuQueries = 64;
struct GpuRates {
    double blocks, products, blockUs;
};
constexpr GpuRates kGpuSingle{3.4e7, 5e7, 3}, kGpuHalf{2.2e8, 5e8, 1.2};
/// Wider heads have no place in a multiprocessor's shared memory.
constexpr int64_t kGpuWidest = 128;

struct Prediction {
    double blocksUs, productsUs;
    bool training, onGpu;
    bool pays(int64_t percent) const {
        return blocksUs * 100 < productsUs * static_cast<double>(percent);
    }
    std::string text() const {
        const std::string where = onGpu ? base::said("a GPU") : base::said("one core");
        return training ? base::said(
                              "predicted {:.0f} us by blocks of keys, {:.0f} us as products and a "
                              "softmax, on {}, with the backward",
                              blocksUs, productsUs, where)
                        : base::said(
                              "predicted {:.0f} us by blocks of keys, {:.0f} us as products and a "
                              "softmax, on {}",
                              blocksUs, productsUs, where);
    }
};

class Fuser {
public:
    Fuser(ir::Graph& graph, int64_t percent)
        : graph_(graph), percent_(percent), sweep_(graph), b_(sweep_.builder()), relaid_(sweep_),
          matcher_(graph) {}

    base::Status run() {
        CUTAWAY_CHECK(sweep_.run([this](ir::Node& node) { return visit(node); }, false));
        if (!fused_) return {};
        relaid_.restoreOutputs();
        // The softmax would be decomposed and differentiated.
        return removeDead(graph_);
    }

private:
    base::Status visit(ir::Node& node) {
        const auto found = matcher_.match(node);
        if (!found || !takes(*found)) return relaid_.follow(node);
        const Prediction prediction = predict(*found);
        if (!prediction.pays(percent_)) {
            node.rule = base::said("attention stays apart: {}", prediction.text());
            return relaid_.follow(node);
        }
        b_.provenance.rule = base::said("attention: {}", prediction.text());
        sweep_.because(
            prediction.pays(kFuseAttention.usual)
                ? base::said("it ends softmax(q k^T) v, and one call is predicted to be faster")
                : base::said(
                      "it ends softmax(q k^T) v, and one call was asked for, slower or not"));
        for (NodeId id : matcher_.inside(node, *found))
            std::ranges::copy(graph_.node(id).from, std::back_inserter(b_.provenance.from));
        const std::vector<ir::TensorType> had = node.types;
        const NodeId id = node.id;
        const NodeId fused = fuse(*found);
        if (!sameType(b_.type(fused), had.front())) relaid_.add(fused, had);
        sweep_.replace(id, fused);
        fused_ = true;
        return {};
    }

    bool takes(const AttentionPattern& found) const {
        if (found.scores.back().is(0)) return false; // a sum over no keys is no divisor
        const ir::TensorType& q = graph_.node(found.query.node).type();
        const bool onGpu = q.device.isCuda();
        if (ir::isHalf(q.dtype)
                ? !onGpu && !found.whole && matcher_.learns(found)
                : q.dtype != ir::DType::Float32 && (onGpu || q.dtype != ir::DType::Float64))
            return false;
        for (const MatrixOperand* operand : {&found.query, &found.value})
            if (onGpu && number(sizeOf(*operand, found.scores.size() - 1)) > kGpuWidest)
                return false;
        for (NodeId id : {found.key.node, found.value.node})
            if (graph_.node(id).type().dtype != q.dtype) return false;
        // A mask of wider numbers might hide less when it is rounded.
        return found.meaning != AttentionPattern::Mask::Added || !found.mask.valid() ||
               graph_.node(found.mask).type().dtype == q.dtype;
    }

    double number(const ir::Sym& size) const {
        return static_cast<double>(size.isConst() ? size.constant() : graph_.shapes->hint(size));
    }

    Prediction predict(const AttentionPattern& found) const {
        double heads = 1;
        const size_t rank = found.scores.size();
        for (size_t d = 0; d + 2 < rank; ++d)
            heads *= number(found.scores[d]);
        const double rows = number(found.scores[rank - 2]), keys = number(found.scores[rank - 1]);
        const double width =
            number(sizeOf(found.query, rank - 1)) + number(sizeOf(found.value, rank - 1));
        const ir::TensorType& q = graph_.node(found.query.node).type();
        const bool onGpu = q.device.isCuda();
        const ir::DType dtype = found.whole && !onGpu ? ir::computeType(q.dtype) : q.dtype;
        const auto bytes = static_cast<double>(ir::sizeBytes(dtype));
        const double wider = bytes / 4; // half as many lanes
        const double whole = std::ceil(rows / kQueries) * kQueries;
        const double seen = found.causal ? std::min(1.0, 0.5 + kQueries / keys) : 1;
        const bool training = matcher_.learns(found);
        if (onGpu) return predictOnGpu(found, heads, rows, keys, width, bytes, training);
        if (ir::isHalf(dtype)) return predictWidened(dtype, heads, rows, keys, width, seen);
        // Two products forwards; backwards the blocks compute the scores again.
        const double product = heads * keys * width * wider / kFlops;
        const double scores = heads * rows * keys * bytes, passes = training ? 11 : 4;
        return {kCallUs + heads * kBlockUs + product * whole * seen * (training ? 7 : 2) +
                    heads * whole * width * wider / (training ? kTurnedTraining : kTurned),
                (training ? 7 : 3) * kCallUs + heads * kHeadUs +
                    product * rows * (training ? 6 : 2) + passes * scores / scoreBytesPerUs(scores),
                training, false};
    }

    /// Of 16 bits on a processor, forwards: \p seen of the scores are computed by the blocks.
    static Prediction predictWidened(ir::DType dtype, double heads, double rows, double keys,
                                     double width, double seen) {
        const double product = 2 * heads * keys * width, scores = heads * rows * keys;
        const double whole = std::ceil(rows / kQueries) * kQueries;
        const double widened = heads * (rows + keys) * width / kWidened;
        const double masked = seen < 1 ? scores / kHalfMasked : 0;
        return {kCallUs + heads * kBlockUs + product * whole * seen / kFlops +
                    heads * whole * width / kTurned + widened,
                3 * kCallUs + heads * kHeadUs + product * rows / halfFlops(dtype) +
                    scores / kHalfScores + masked,
                false, false};
    }

    static Prediction predictOnGpu(const AttentionPattern& found, double heads, double rows,
                                   double keys, double width, double bytes, bool training) {
        const GpuRates& rates = bytes < 4 ? kGpuHalf : kGpuSingle;
        const double seen = found.causal ? std::min(1.0, 0.5 + kGpuQueries / keys) : 1;
        const double product = 2 * heads * rows * keys * width / 2; // of one of the two
        const double blocks = std::ceil(keys / kGpuQueries) * rates.blockUs;
        const double scores = heads * rows * keys * bytes;
        // Backwards the blocks compute the scores twice, and two kernels pass over the keys.
        return {(training ? 4 : 1) * kLaunchUs +
                    std::max((training ? 9 : 2) * product * seen / rates.blocks,
                             (training ? 3 : 1) * blocks),
                (training ? 9 : 4) * kLaunchUs + (training ? 6 : 2) * product / rates.products +
                    (training ? 11 : 4) * scores / kGpuBytes,
                training, true};
    }

    const ir::Sym& sizeOf(const MatrixOperand& operand, size_t dim) const {
        const ir::Shape& sizes = graph_.node(operand.node).type().sizes;
        return sizes[operand.order.empty() ? dim : static_cast<size_t>(operand.order[dim])];
    }

    /// The operand as [B, H, rows, width], its batch dimensions those of the scores.
    NodeId heads(const MatrixOperand& operand, const ir::Shape& scores) {
        NodeId value = ordered(sweep_.resolve(operand.node), operand.order);
        ir::Shape sizes(scores.begin(), scores.end() - 2);
        const ir::Shape own = b_.type(value).sizes;
        sizes.insert(sizes.end(), own.end() - 2, own.end());
        if (sizes != own) value = b_.expand(value, sizes);
        return grown(value);
    }
    NodeId grown(NodeId value) {
        while (b_.type(value).rank() < 4)
            value = b_.call("unsqueeze", {Arg(value), Arg(ir::Sym(0))});
        return value;
    }
    NodeId ordered(NodeId value, const std::vector<int>& order) {
        return std::is_sorted(order.begin(), order.end()) ? value : b_.permute(value, order);
    }

    /// What is added to the scores: booleans become 0 where a key is seen, -inf elsewhere.
    Arg mask(const AttentionPattern& found, ir::DType dtype) {
        if (!found.mask.valid()) return Arg{};
        NodeId mask = sweep_.resolve(found.mask);
        if (found.meaning != AttentionPattern::Mask::Added) {
            const ir::Device device = b_.type(mask).device;
            const NodeId zero = b_.scalar(0, dtype, device);
            const NodeId lowest =
                b_.scalar(-std::numeric_limits<double>::infinity(), dtype, device);
            const bool hides = found.meaning == AttentionPattern::Mask::Hidden;
            mask = b_.where(mask, Arg(hides ? lowest : zero), Arg(hides ? zero : lowest));
        }
        return Arg(mask);
    }

    NodeId fuse(const AttentionPattern& found) {
        const ir::TensorType& given = graph_.node(found.query.node).type();
        const ir::DType dtype = given.dtype;
        const ir::DType inside = given.device.isCuda() ? dtype : ir::computeType(dtype);
        const auto as = [&](NodeId value, ir::DType wanted) {
            if (b_.type(value).dtype == wanted) return value;
            return b_.call("prims.convert_element_type", {Arg(value), Arg(wanted)});
        };
        const NodeId q = as(heads(found.query, found.scores), inside);
        Arg mask = this->mask(found, inside);
        if (const NodeId* added = mask.node()) mask = Arg(as(*added, inside));
        const NodeId results =
            b_.call("_attention", {Arg(q), Arg(as(heads(found.key, found.scores), inside)),
                                   Arg(as(heads(found.value, found.scores), inside)), mask,
                                   Arg(found.causal), Arg(found.safe), Arg(found.scale)});
        NodeId y = as(b_.getitem(results, 0), dtype);
        for (size_t rank = found.scores.size(); b_.type(y).rank() > rank;)
            y = b_.call("squeeze.dim", {Arg(y), Arg(ir::Sym(0))});
        return ordered(y, found.result);
    }

    ir::Graph& graph_;
    int64_t percent_;
    Sweep sweep_;
    ops::Builder& b_;
    Relaid relaid_;
    AttentionMatcher matcher_;
    bool fused_ = false;
};

} // namespace

base::Status fuseAttention(ir::Graph& graph, int64_t percent) {
    return Fuser(graph, percent).run();
}

} // namespace cutaway::passes
