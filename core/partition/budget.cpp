// SPDX-License-Identifier: Apache-2.0
#include "core/partition/budget.h"

#include "core/base/tick.h"
#include "core/partition/flow_network.h"
#include "core/partition/min_cut.h"
#include "core/partition/op_kinds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

namespace cutaway::partition {
namespace {

constexpr size_t kMostCorners = 64, kFewestCorners = 6;
constexpr size_t kCornerNodes = 128000; ///< corners times nodes, about
constexpr size_t kTriedNodes = 2000000; ///< single values tried between two corners, times nodes
constexpr int kMostRounds = 8;
/// The sum of all capacities: far below the network's infinity.
constexpr double kMostFlow = double(int64_t{1} << 56);

/// Times and bytes of every value, by node id.
struct Costs {
    explicit Costs(const BudgetProblem& problem) : values(problem.info.graph.idLimit()) {
        const JointInfo& info = problem.info;
        const Rates& rates = problem.rates;
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
        for (const WishedNode& wish : problem.wished) {
            Value& value = values[wish.id.index];
            value.canSave = value.wanted = wish.save;
            value.again = !wish.save;
        }
        const size_t nodes = std::max<size_t>(info.graph.order().size(), 1);
        mostCorners = std::clamp(kCornerNodes / nodes, kFewestCorners, kMostCorners);
        mostTried = std::max<size_t>(kTriedNodes / nodes, 16);
    }

    struct Value {
        bool canSave = false, again = false; ///< may be saved; may be computed again
        bool wanted = false;                 ///< saved whatever it costs
        int64_t bytes = 0;                   ///< that saving it keeps in memory
        double saveUs = 0, againUs = 0;
    };
    std::vector<Value> values;
    double totalUs = 1;
    int64_t totalBytes = 1;
    size_t mostCorners = 0, mostTried = 0;

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
        const int64_t price = value.wanted ? 0 : scale(value.saveUs, value.bytes);
        network.addEdge(in(id), out(id), value.canSave ? price : kInfinite);
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
        // An input that what is computed again starts from is saved, whether it was named or not.
        if (!late && (isSaved[at->index] || !costs[*at].again)) {
            if (!costs[*at].canSave) choice.us = std::numeric_limits<double>::infinity();
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

/// Finds corners between two that are known, first where the line between neighbours leaves most
/// room.
class HullFinder {
public:
    HullFinder(const JointInfo& info, const Costs& costs) : info_(info), costs_(costs) {}

    base::Status refine(std::vector<Choice>& curve) {
        auto room = [&](size_t i) {
            return (curve[i + 1].us - curve[i].us) *
                   static_cast<double>(curve[i].bytes - curve[i + 1].bytes);
        };
        std::vector<bool> straight(1, curve.size() < 2); ///< nothing lies below the line
        for (size_t cuts = 2; cuts < costs_.mostCorners && curve.size() > 1; ++cuts) {
            size_t widest = straight.size();
            for (size_t i = 0; i < straight.size(); ++i)
                if (!straight[i] && (widest == straight.size() || room(i) > room(widest)))
                    widest = i;
            if (widest == straight.size()) return {};
            CUTAWAY_TRY(auto middle, below(curve[widest], curve[widest + 1]));
            if (!middle) {
                straight[widest] = true;
                continue;
            }
            const auto at = static_cast<std::ptrdiff_t>(widest);
            curve.insert(curve.begin() + at + 1, std::move(*middle));
            straight.insert(straight.begin() + at, false);
        }
        return {};
    }

private:
    /// The choice farthest below the line between two, or nothing.
    base::Result<std::optional<Choice>> below(const Choice& more, const Choice& less) const {
        if (more.bytes <= less.bytes) return std::optional<Choice>();
        const double price = (less.us - more.us) / static_cast<double>(more.bytes - less.bytes);
        if (price <= 0) return std::optional<Choice>();
        const double unit =
            kMostFlow / (costs_.totalUs + price * static_cast<double>(costs_.totalBytes));
        CUTAWAY_TRY(auto saved, cutAt(info_, costs_, {unit, unit * price}));
        Choice middle = costWith(info_, costs_, saved);
        auto priced = [&](const Choice& c) { return c.us + price * static_cast<double>(c.bytes); };
        // Rounding to the network's units makes no corners.
        if (priced(middle) >= priced(more) * (1 - 1e-9)) return std::optional<Choice>();
        if (middle.bytes >= more.bytes || middle.bytes <= less.bytes)
            return std::optional<Choice>();
        return std::optional<Choice>(std::move(middle));
    }

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
            if (saved.contains(id) || gains.size() >= costs.mostTried) continue;
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
    for (size_t tried = 0; choice.bytes > bytes && tried < costs.mostTried;) {
        Choice best;
        double least = 0;
        for (ir::NodeId id : choice.saved) {
            if (costs[id].bytes == 0 || !costs[id].again) continue;
            base::tick();
            ++tried;
            std::vector<ir::NodeId> fewer = choice.saved;
            std::erase(fewer, id);
            Choice next = costWith(info, costs, fewer);
            if (next.bytes >= choice.bytes || !std::isfinite(next.us)) continue;
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

base::Result<std::vector<Choice>> paretoCurve(const BudgetProblem& problem) {
    const JointInfo& info = problem.info;
    const Costs costs(problem);
    // Bytes first, time among equals, at the far end.
    const double perByte = kMostFlow / 2 / static_cast<double>(costs.totalBytes);
    const Scale bytesFirst{std::min(perByte, kMostFlow) / 2 / costs.totalUs, perByte};
    CUTAWAY_TRY(auto fastest, cutAt(info, costs, {kMostFlow / costs.totalUs, 0}));
    CUTAWAY_TRY(auto smallest, cutAt(info, costs, bytesFirst));
    std::vector<Choice> curve = {costWith(info, costs, fastest)};
    Choice last = costWith(info, costs, smallest);
    if (last.bytes < curve.front().bytes) curve.push_back(std::move(last));
    CUTAWAY_CHECK(HullFinder(info, costs).refine(curve));
    return curve;
}

Choice costOf(const BudgetProblem& problem, const std::vector<ir::NodeId>& saved) {
    return costWith(problem.info, Costs(problem), saved);
}

std::vector<double> usWithout(const BudgetProblem& problem, const std::vector<ir::NodeId>& saved) {
    const Costs costs(problem);
    const double all = costWith(problem.info, costs, saved).us;
    std::vector<double> result;
    for (size_t i = 0; i < saved.size(); ++i) {
        std::vector<ir::NodeId> fewer = saved;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        const bool skipped = !costs[saved[i]].again || i >= costs.mostTried;
        const double without = skipped ? all : costWith(problem.info, costs, fewer).us;
        result.push_back(skipped || !std::isfinite(without) ? -1 : without - all);
    }
    return result;
}

Budgeted withinBytes(const BudgetProblem& problem, const std::vector<Choice>& curve,
                     int64_t bytes) {
    const JointInfo& info = problem.info;
    size_t at = 0;
    while (at + 1 < curve.size() && curve[at].bytes > bytes)
        ++at;
    Budgeted best{curve[at], 0};
    if (at == 0 || curve[at].bytes >= bytes) return best;
    const Choice& larger = curve[at - 1];
    const Costs costs(problem);
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
