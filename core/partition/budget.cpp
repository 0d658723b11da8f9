// SPDX-License-Identifier: Apache-2.0
#include "core/partition/budget.h"

#include "core/base/tick.h"
#include "core/partition/flow_network.h"
#include "core/partition/min_cut.h"
#include "core/partition/op_kinds.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace cutaway::partition {
namespace {

constexpr size_t kMostCorners = 64;
constexpr size_t kMostTried = 1024; ///< single values between two corners
constexpr int kMostRounds = 8;
/// The sum of all capacities: far below the network's infinity.
constexpr double kMostFlow = double(int64_t{1} << 56);

/// Times and bytes of every value, by node id.
struct Costs {
    Costs(const JointInfo& info, const Rates& rates) : values(info.graph.idLimit()) {
        for (ir::NodeId id : info.graph.order()) {
            const ir::Node& node = info.graph.node(id);
            Value& value = values[id.index];
            const Weight weight = weightOf(info, id);
            const bool input = node.kind == ir::NodeKind::Placeholder;
            const auto size = static_cast<double>(bytesOf(node, info.graph));
            value.canSave = weight.canSave;
            value.bytes = weight.materialized && isKept(info, id) ? 0 : bytesOf(node, info.graph);
            value.saveUs = (weight.materialized ? 1 : 2) * size / rates.bytesPerUs;
            value.again = !input && !isRandom(node);
            if (node.kind == ir::NodeKind::Call && !isGetitem(node) && !isView(node))
                value.againUs = againUs(info, rates, node);
            totalUs += value.saveUs + value.againUs;
            totalBytes += value.bytes;
        }
    }

    struct Value {
        bool canSave = false, again = false; ///< may be saved; may be computed again
        int64_t bytes = 0;                   ///< that saving it keeps in memory
        double saveUs = 0, againUs = 0;
    };
    std::vector<Value> values;
    double totalUs = 1;
    int64_t totalBytes = 1;

    const Value& operator[](ir::NodeId id) const { return values[id.index]; }

private:
    /// The caller keeps inputs and results, saved or not.
    static bool isKept(const JointInfo& info, ir::NodeId id) {
        return info.graph.node(id).kind == ir::NodeKind::Placeholder ||
               std::find(info.forwardOutputs.begin(), info.forwardOutputs.end(), id) !=
                   info.forwardOutputs.end();
    }
    static double againUs(const JointInfo& info, const Rates& rates, const ir::Node& node) {
        const double us = flopsOf(node, info.graph) / rates.flopsPerUs;
        if (isFusible(node)) return us; // in the kernel that reads it
        auto bytes = static_cast<double>(bytesOf(node, info.graph));
        ir::forEachNode(node.args, [&](ir::NodeId input) {
            bytes += static_cast<double>(bytesOf(info.graph.node(input), info.graph));
        });
        return us + bytes / rates.bytesPerUs + rates.launchUs;
    }
};

/// Whole numbers for the network: what saving and what computing again weigh.
struct Scale {
    double perUs = 0, perByte = 0;
    int64_t operator()(double us, int64_t bytes = 0) const {
        return std::llround(us * perUs + static_cast<double>(bytes) * perByte);
    }
};

base::Result<std::vector<ir::NodeId>> cutAt(const JointInfo& info, const Costs& costs,
                                            const Scale& scale) {
    constexpr int64_t kInfinite = FlowNetwork::kInfinite;
    const std::vector<ir::NodeId>& order = info.graph.order();
    FlowNetwork network(2 * static_cast<int>(order.size()));
    auto in = [&](ir::NodeId id) { return 2 * info.position[id.index]; };
    auto out = [&](ir::NodeId id) { return in(id) + 1; };
    for (ir::NodeId id : order) {
        base::tick();
        if (info.tangentClosure[id.index]) {
            network.addEdge(in(id), network.sink(), kInfinite);
            continue;
        }
        const Costs::Value& value = costs[id];
        if (info.requiredBackward[id.index]) network.addEdge(out(id), network.sink(), kInfinite);
        network.addEdge(network.source(), in(id), value.again ? scale(value.againUs) : kInfinite);
        network.addEdge(in(id), out(id),
                        value.canSave ? scale(value.saveUs, value.bytes) : kInfinite);
        for (ir::NodeId user : info.users[id.index])
            network.addEdge(out(id), in(user), kInfinite);
    }
    if (!network.infinitePath().empty())
        return base::bugError("a value can be neither saved nor computed again");
    const FlowNetwork::Cut cut = network.minimumCut();
    std::vector<ir::NodeId> saved;
    for (ir::NodeId id : order)
        if (!cut.sinkSide[static_cast<size_t>(in(id))] &&
            cut.sinkSide[static_cast<size_t>(out(id))])
            saved.push_back(id);
    return saved;
}

Choice costWith(const JointInfo& info, const Costs& costs, const std::vector<ir::NodeId>& saved) {
    std::vector<bool> isSaved(info.graph.idLimit()), needed(info.graph.idLimit());
    for (ir::NodeId id : saved)
        isSaved[id.index] = true;
    Choice choice;
    const std::vector<ir::NodeId>& order = info.graph.order();
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        const bool late = info.tangentClosure[at->index];
        if (!late && !needed[at->index] && !info.requiredBackward[at->index]) continue;
        if (!late && isSaved[at->index]) {
            choice.saved.push_back(*at);
            choice.bytes += costs[*at].bytes;
            choice.us += costs[*at].saveUs;
            continue;
        }
        if (!late) choice.us += costs[*at].againUs;
        ir::forEachNode(info.graph.node(*at).args,
                        [&](ir::NodeId input) { needed[input.index] = true; });
    }
    std::reverse(choice.saved.begin(), choice.saved.end());
    return choice;
}

/// Finds corners between two that are known, the farthest from their line first.
class HullFinder {
public:
    HullFinder(const JointInfo& info, const Costs& costs) : info_(info), costs_(costs) {}

    base::Status between(const Choice& more, const Choice& less, std::vector<Choice>& found) {
        if (found.size() + 2 >= kMostCorners || more.bytes <= less.bytes) return {};
        const double price = (less.us - more.us) / static_cast<double>(more.bytes - less.bytes);
        if (price <= 0) return {};
        const double unit =
            kMostFlow / (costs_.totalUs + price * static_cast<double>(costs_.totalBytes));
        CUTAWAY_TRY(auto saved, cutAt(info_, costs_, {unit, unit * price}));
        Choice middle = costWith(info_, costs_, saved);
        auto priced = [&](const Choice& c) { return c.us + price * static_cast<double>(c.bytes); };
        // Rounding to the network's units makes no corners.
        if (priced(middle) >= priced(more) * (1 - 1e-9)) return {};
        if (middle.bytes >= more.bytes || middle.bytes <= less.bytes) return {};
        CUTAWAY_CHECK(between(more, middle, found));
        found.push_back(middle);
        return between(found.back(), less, found);
    }

private:
    const JointInfo& info_;
    const Costs& costs_;
};

/// Saves more of \p candidates, those first that gain most for their bytes, as long as they fit.
void improve(const JointInfo& info, const Costs& costs, const std::vector<ir::NodeId>& candidates,
             int64_t bytes, Choice& choice) {
    auto with = [&](ir::NodeId id) {
        std::vector<ir::NodeId> more = choice.saved;
        more.push_back(id);
        return costWith(info, costs, more);
    };
    for (int round = 0; round < kMostRounds; ++round) {
        const std::set<ir::NodeId> saved(choice.saved.begin(), choice.saved.end());
        std::vector<std::pair<double, ir::NodeId>> gains; ///< of each alone, for a byte
        for (ir::NodeId id : candidates) {
            if (saved.contains(id) || gains.size() >= kMostTried) continue;
            base::tick();
            const Choice more = with(id);
            const double gain = choice.us - more.us;
            const auto grown = static_cast<double>(more.bytes - choice.bytes);
            if (gain > 0) gains.emplace_back(gain / std::max(grown, 1.0), id);
        }
        std::stable_sort(gains.begin(), gains.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        bool gained = false;
        for (const auto& [gain, id] : gains) {
            base::tick();
            Choice more = with(id);
            if (more.bytes > bytes || more.us >= choice.us) continue;
            choice = std::move(more);
            gained = true;
        }
        if (!gained) return;
    }
}

/// Saves less, first what costs least for the bytes that it frees, until the rest fits.
void trim(const JointInfo& info, const Costs& costs, int64_t bytes, Choice& choice) {
    for (size_t tried = 0; choice.bytes > bytes && tried < kMostTried;) {
        Choice best;
        double least = 0;
        for (ir::NodeId id : choice.saved) {
            if (costs[id].bytes == 0 || !costs[id].again) continue;
            base::tick();
            ++tried;
            std::vector<ir::NodeId> fewer = choice.saved;
            std::erase(fewer, id);
            Choice next = costWith(info, costs, fewer);
            if (next.bytes >= choice.bytes) continue;
            // More than what does not fit is worth nothing.
            const auto freed = static_cast<double>(choice.bytes - std::max(next.bytes, bytes));
            const double loss = (next.us - choice.us) / freed;
            if (!best.saved.empty() && loss >= least) continue;
            least = loss;
            best = std::move(next);
        }
        if (best.saved.empty()) return;
        choice = std::move(best);
    }
}

} // namespace

base::Result<std::vector<Choice>> paretoCurve(const JointInfo& info, const Rates& rates) {
    const Costs costs(info, rates);
    // Bytes first, time among equals, at the far end.
    const double perByte = kMostFlow / 2 / static_cast<double>(costs.totalBytes);
    const Scale bytesFirst{std::min(perByte, kMostFlow) / 2 / costs.totalUs, perByte};
    CUTAWAY_TRY(auto fastest, cutAt(info, costs, {kMostFlow / costs.totalUs, 0}));
    CUTAWAY_TRY(auto smallest, cutAt(info, costs, bytesFirst));
    std::vector<Choice> curve = {costWith(info, costs, fastest)};
    const Choice last = costWith(info, costs, smallest);
    std::vector<Choice> between;
    CUTAWAY_CHECK(HullFinder(info, costs).between(curve.front(), last, between));
    curve.insert(curve.end(), between.begin(), between.end());
    if (last.bytes < curve.back().bytes) curve.push_back(last);
    return curve;
}

Choice costOf(const JointInfo& info, const Rates& rates, const std::vector<ir::NodeId>& saved) {
    return costWith(info, Costs(info, rates), saved);
}

Budgeted withinBytes(const JointInfo& info, const Rates& rates, const std::vector<Choice>& curve,
                     int64_t bytes) {
    size_t at = 0;
    while (at + 1 < curve.size() && curve[at].bytes > bytes)
        ++at;
    Budgeted best{curve[at], 0};
    if (at == 0 || curve[at].bytes >= bytes) return best;
    const Choice& larger = curve[at - 1];
    const Costs costs(info, rates);
    improve(info, costs, larger.saved, bytes, best.choice);
    Choice trimmed = larger;
    trim(info, costs, bytes, trimmed);
    improve(info, costs, larger.saved, bytes, trimmed);
    if (trimmed.bytes <= bytes && trimmed.us < best.choice.us) best.choice = std::move(trimmed);
    const double share = static_cast<double>(larger.bytes - bytes) /
                         static_cast<double>(larger.bytes - curve[at].bytes);
    best.gapUs = std::max(0.0, best.choice.us - (larger.us + share * (curve[at].us - larger.us)));
    return best;
}

} // namespace cutaway::partition
