// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/pass_table.h"

#include "core/base/said.h"
#include "core/passes/channels_last.h"
#include "core/passes/collapse_one_hot.h"
#include "core/passes/cut_joins.h"
#include "core/passes/decompose.h"
#include "core/passes/fold_constants.h"
#include "core/passes/fold_into_weights.h"
#include "core/passes/fuse_attention.h"
#include "core/passes/gather_joined_slices.h"
#include "core/passes/join_products.h"
#include "core/passes/join_stores.h"
#include "core/passes/join_trained.h"
#include "core/passes/merge_common.h"
#include "core/passes/raise_views.h"
#include "core/passes/reassociate_constants.h"
#include "core/passes/remove_dead.h"
#include "core/passes/simplify_algebra.h"
#include "core/passes/sink_views.h"
#include "core/passes/split_wide_joins.h"
#include "core/passes/thin_products.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <initializer_list>
#include <utility>

// Headers of core/passes, whole (resources/CMakeLists.txt).
namespace cutaway::resources::passes {
extern const std::string_view channels_last, collapse_one_hot, cut_joins, decompose, fold_constants,
    fold_into_weights, fuse_attention, gather_joined_slices, join_products, join_stores,
    join_trained, merge_common, raise_views, reassociate_constants, remove_dead, simplify_algebra,
    sink_views, split_wide_joins, thin_products;
}

namespace cutaway::pipeline {

namespace headers = resources::passes;

static constexpr PassRow kPasses[] = {
    {"join_stores",
     PassPoint::Captured,
     {passes::joinStores, passes::kJoinStores},
     false,
     base::said(
         "what is written piece by piece is joined once; stores that later ones cover disappear"),
     &headers::join_stores},
    {"raise_views", PassPoint::Captured, passes::raiseViews, false,
     base::said("rows of a product are chosen before it, where nothing reads the others"),
     &headers::raise_views},
    {"fuse_attention",
     PassPoint::Captured,
     {passes::fuseAttention, passes::kFuseAttention},
     false,
     base::said(
         "softmax(q k^T) v becomes one call without a matrix of weights, where that is faster"),
     &headers::fuse_attention},
    {"join_trained",
     PassPoint::Captured,
     {passes::joinTrained, passes::kJoinTrained},
     false,
     base::said("trained layers of one input, each too small to fill a GPU, become one"),
     &headers::join_trained},
    {"decompose_before_autograd", PassPoint::Captured, passes::decomposeBeforeAutograd, true,
     base::said("composite operations (linear, layer_norm, cross_entropy) become ATen's "
                "differentiable ones"),
     &headers::decompose},
    {"decompose_after_autograd", PassPoint::Joint, passes::decomposeAfterAutograd, true,
     base::said(
         "operations and their backwards become pointwise operations, reductions and products"),
     &headers::decompose},
    {"fold_constants",
     PassPoint::Joint,
     {passes::foldConstants, passes::kFoldConstants},
     false,
     base::said("values known at compile time are computed now; x+0, x*1 disappear"),
     &headers::fold_constants},
    {"sink_views", PassPoint::Joint, passes::sinkViews, false,
     base::said("views sink below casts and pointwise calls where views behind them or equal calls "
                "then meet"),
     &headers::sink_views},
    {"simplify_algebra", PassPoint::Joint, passes::simplifyAlgebra, false,
     base::said("log(exp(x)), double negations, inverse permutations and chained views disappear"),
     &headers::simplify_algebra},
    {"cut_joins",
     PassPoint::Joint,
     {passes::cutJoins, passes::kCutJoins},
     false,
     base::said(
         "what is cut and joined again is what it was; a slice of a join is a slice of its piece"),
     &headers::cut_joins},
    {"fold_into_weights", PassPoint::Joint, passes::foldIntoWeights, false,
     base::said(
         "batch norms, scales and addends behind convolutions and products with frozen weights "
         "disappear into these"),
     &headers::fold_into_weights},
    {"reassociate_constants", PassPoint::Joint, passes::reassociateConstants, false,
     base::said("chains of constant addends become one addition, with fewer roundings"),
     &headers::reassociate_constants},
    {"thin_products", PassPoint::Joint, passes::thinProducts, false,
     base::said(
         "products that sum one number, or end in one column of a computed matrix, become loops"),
     &headers::thin_products},
    {"merge_common", PassPoint::Joint, passes::mergeCommon, false,
     base::said("equal calls with equal arguments are computed once"), &headers::merge_common},
    {"join_products",
     PassPoint::Joint,
     {passes::joinProducts, passes::kJoinProducts},
     false,
     base::said(
         "products of one matrix with frozen weights, each too small to fill a GPU, become one"),
     &headers::join_products},
    {"remove_dead", PassPoint::Joint, passes::removeDead, true,
     base::said("values that nothing uses are removed"), &headers::remove_dead},
    {"channels_last", PassPoint::Joint, passes::channelsLast, false,
     base::said(
         "convolutions on the CPU and what follows them compute with the channels innermost"),
     &headers::channels_last},
    {"collapse_one_hot", PassPoint::Lowering, passes::collapseOneHot, false,
     base::said("the sum of a one-hot tensor is the value in its hot place"),
     &headers::collapse_one_hot},
    {"gather_joined_slices",
     PassPoint::Lowering,
     {passes::gatherJoinedSlices, passes::kGatherJoinedSlices},
     false,
     base::said("a join of many slices of one tensor is one gather"),
     &headers::gather_joined_slices},
    {"split_wide_joins",
     PassPoint::Lowering,
     {passes::splitWideJoins, passes::kSplitWideJoins},
     true,
     base::said("a join of very many tensors becomes a join of joins"),
     &headers::split_wide_joins},
    {"decompose_before_lowering", PassPoint::Lowering, passes::decomposeBeforeLowering, true,
     base::said("what is left (var_mean) becomes loops' primitives"), &headers::decompose},
    {"merge_common", PassPoint::Lowering, passes::mergeCommon, false,
     base::said("equal calls with equal arguments are computed once"), &headers::merge_common},
    {"remove_dead", PassPoint::Lowering, passes::removeDead, true,
     base::said("values that nothing uses are removed"), &headers::remove_dead},
};

std::span<const PassRow> passTable() {
    return kPasses;
}

std::string passText(std::string_view name) {
    std::string text;
    const auto* row = std::ranges::find(kPasses, name, &PassRow::name);
    std::string_view rest = row == std::end(kPasses) ? std::string_view() : *row->header;
    while (!rest.empty()) {
        const size_t end = std::min(rest.find('\n'), rest.size() - 1);
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end + 1);
        if (line.starts_with("#pragma")) break; // what follows is of single functions
        if (!line.starts_with("///") || line == "/// \\file") continue;
        line.remove_prefix(std::min<size_t>(4, line.size()));
        const bool begins = std::ranges::any_of(
            std::initializer_list<std::string_view>{"fires:", "must not:", "nearly:", "Source:"},
            [&](std::string_view word) { return line.starts_with(word); });
        if (begins || line.empty()) {
            if (!text.empty() && text.back() != '\n') text += '\n';
            if (line.empty()) continue;
        }
        // Lines of the header are cut for its width, and their columns are made of spaces.
        bool apart = !text.empty() && text.back() != '\n';
        for (char c : line) {
            if (c == ' ') {
                apart = !text.empty() && text.back() != '\n';
                continue;
            }
            if (std::exchange(apart, false)) text += ' ';
            text += c;
        }
    }
    return text.empty() ? text : text + "\n";
}

base::Result<int64_t> readArgument(std::string_view pass, std::string_view text) {
    const auto* row = std::ranges::find(kPasses, pass, &PassRow::name);
    if (row == std::end(kPasses))
        return base::usageError(fmt::format("unknown pass '{}'", pass),
                                "'explain --stage passes' shows the passes");
    const passes::PassArgument* takes = row->run.argument();
    if (!takes) return base::usageError(fmt::format("pass '{}' takes no argument", pass));
    const std::string hint =
        fmt::format("{}={} is usual: {}", takes->name, takes->usual, takes->summary);
    const size_t equals = text.find('=');
    if (text.substr(0, equals) != takes->name || equals == std::string_view::npos)
        return base::usageError(
            fmt::format("pass '{}' has no argument '{}'", pass, text.substr(0, equals)), hint);
    const std::string_view number = text.substr(equals + 1);
    int64_t value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || end != number.data() + number.size() || value < takes->least ||
        value > takes->most)
        return base::usageError(
            fmt::format("argument '{}' of pass '{}': expected a number from {} to {}, found '{}'",
                        takes->name, pass, takes->least, takes->most, number),
            hint);
    return value;
}

/// Moves \p order.pass right before \p order.other. \returns whether it did: not past a required
/// pass, and only where both are.
static bool moved(std::vector<const PassRow*>& rows, const PassOrder& order) {
    const auto place = [&](const std::string& name) {
        return std::ranges::find(rows, name, [](const PassRow* row) { return row->name; });
    };
    const auto from = place(order.pass), to = place(order.other);
    if (from == rows.end() || to == rows.end() || from == to) return false;
    const auto [first, last] = std::minmax(from, to);
    if (std::any_of(first, last + 1, [](const PassRow* row) { return row->required; }))
        return false;
    if (from < to)
        std::rotate(from, from + 1, to);
    else
        std::rotate(to, from, from + 1);
    return true;
}

static std::vector<const PassRow*> rowsAt(PassPoint point) {
    std::vector<const PassRow*> rows;
    for (const PassRow& row : kPasses)
        if (row.point == point) rows.push_back(&row);
    return rows;
}

std::vector<const PassRow*> passesAt(PassPoint point, const std::vector<PassOrder>& orders) {
    std::vector<const PassRow*> rows = rowsAt(point);
    for (const PassOrder& order : orders)
        moved(rows, order);
    return rows;
}

std::string whyNoOrder(const PassOrder& order) {
    for (const std::string* name : {&order.pass, &order.other}) {
        const auto row = std::ranges::find(kPasses, *name, &PassRow::name);
        if (row == std::end(kPasses)) return "unknown pass '" + *name + "'";
        if (row->required)
            return "pass '" + *name + "' stays where it is: other passes rely on its place";
    }
    if (order.pass == order.other) return "pass '" + order.pass + "' cannot run before itself";
    for (PassPoint point : {PassPoint::Captured, PassPoint::Joint, PassPoint::Lowering}) {
        std::vector<const PassRow*> rows = rowsAt(point);
        if (moved(rows, order)) return {};
    }
    return "a pass that others rely on stands between '" + order.pass + "' and '" + order.other +
           "'";
}

} // namespace cutaway::pipeline
