// SPDX-License-Identifier: Apache-2.0
#include "core/partition/reasons.h"

#include "core/base/said.h"
#include "core/partition/op_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace cutaway::partition {
namespace {

constexpr size_t kNamedSources = 3;

std::string scaled(double value, double step, const std::array<const char*, 5>& units) {
    size_t unit = 0;
    while (value >= step && unit + 1 < units.size()) {
        value /= step;
        ++unit;
    }
    // Three digits, as the window writes the same number beside it.
    const int decimals = value == std::floor(value) || value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return fmt::format("{:.{}f} {}", value, decimals, units[unit]);
}

std::string flopsText(double flops) {
    return scaled(flops, 1000, {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP"});
}

std::string baseName(const ir::Node& node) {
    return node.op.substr(0, node.op.find('.'));
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
        text += names[i];
    }
    return text;
}

class Explainer {
public:
    Explainer(const JointInfo& info, const MinCut* cut) : info_(info), cut_(cut) {}

    std::string saved(const ir::Node& node) const;

private:
    /// The nearest values before a node that could have been saved instead of it.
    void alternatives(const ir::Node& node, std::vector<ir::NodeId>& found) const;
    std::string banned(const ir::Node& node, Ban ban) const;
    std::string cutHere(const ir::Node& node) const;
    bool inForwardOutputs(ir::NodeId id) const {
        const auto& outputs = info_.forwardOutputs;
        return std::find(outputs.begin(), outputs.end(), id) != outputs.end();
    }

    const JointInfo& info_;
    const MinCut* cut_;
};

void Explainer::alternatives(const ir::Node& node, std::vector<ir::NodeId>& found) const {
    std::vector<ir::NodeId> open = ir::inputNodes(node.args);
    while (!open.empty()) {
        ir::NodeId at = open.back();
        open.pop_back();
        if (cut_->weights[at.index].canSave) {
            if (std::find(found.begin(), found.end(), at) == found.end()) found.push_back(at);
            continue;
        }
        for (ir::NodeId input : ir::inputNodes(info_.graph.node(at).args))
            open.push_back(input);
    }
    std::sort(found.begin(), found.end(), [&](ir::NodeId a, ir::NodeId b) {
        return info_.position[a.index] < info_.position[b.index];
    });
}

std::string Explainer::banned(const ir::Node& node, Ban ban) const {
    std::string size = bytesText(bytesOf(node, info_.graph));
    const ops::OpDef* def = opOf(node);
    switch (ban) {
    case Ban::NotRecomputable:
        if (def && def->isRandom())
            return base::said("{} is random: a second draw would give other values",
                              baseName(node));
        if (def && (def->traits.computeIntensive || def->isLibrary()))
            return base::said("{} is compute-intensive: saving {} is cheaper than recomputing {}",
                              baseName(node), size, flopsText(flopsOf(node, info_.graph)));
        return base::said("{} is not computed twice: it cannot be fused into what reads it; {} "
                          "saved",
                          baseName(node), size);
    case Ban::MaterializedBackward: {
        if (inForwardOutputs(node.id))
            return base::said("a result of the forward, {} in memory "
                              "anyway",
                              size);
        for (ir::NodeId user : info_.users[node.id.index])
            if (!info_.requiredForward[user.index] && !areFusible(node, info_.graph.node(user)))
                return base::said(
                    "{} in the backward reads it from memory: recomputing would write "
                    "and read the same {}",
                    info_.graph.node(user).name, size);
        return base::said("a view of it is read from memory in the backward: recomputing would "
                          "write and read the same {}",
                          size);
    }
    case Ban::Reduction: {
        int64_t read = 0;
        for (const ir::Arg& arg : node.args)
            if (arg.node()) read += bytesOf(info_.graph.node(*arg.node()), info_.graph);
        return base::said("{} is a reduction: saving {} is cheaper than reading {} again",
                          baseName(node), size, bytesText(read));
    }
    case Ban::UsedFarApart:
        return base::said("its input is also used before an operation that cannot be fused: "
                          "recomputing it would need both far apart; {} saved",
                          size);
    case Ban::LongChain:
        return base::said("ends a chain of more than 100 operations that would all be recomputed; "
                          "{} saved",
                          size);
    case Ban::Wished:
        return base::said("asked for: {} saved", size);
    case Ban::None:
    case Ban::Input:
        break;
    }
    return {};
}

std::string Explainer::cutHere(const ir::Node& node) const {
    const Weight& weight = cut_->weights[node.id.index];
    std::string text = base::said("cut here: weight {} (distance {} from the backward, {})",
                                  bytesText(weight.value), info_.distance[node.id.index],
                                  weight.materialized ? base::said("in memory anyway")
                                                      : base::said("written extra"));
    std::vector<ir::NodeId> inputs;
    alternatives(node, inputs);
    if (inputs.empty()) return text;
    int64_t sum = 0;
    std::vector<std::string> names;
    for (ir::NodeId id : inputs) {
        sum += cut_->weights[id.index].value;
        names.push_back(info_.graph.node(id).name);
    }
    return base::said("{} against {} for {}", text, bytesText(sum), joined(names));
}

std::string Explainer::saved(const ir::Node& node) const {
    if (info_.copied[node.id.index])
        return base::said("an input that the call changes in place: {} copied",
                          bytesText(bytesOf(node, info_.graph)));
    if (node.kind == ir::NodeKind::Placeholder)
        return base::said("input of the forward graph: kept alive at no cost{}",
                          inForwardOutputs(node.id) ? base::said(", returned as well") : "");
    if (!cut_)
        return base::said("the default partition saves every forward value that the backward uses; "
                          "{}",
                          bytesText(bytesOf(node, info_.graph)));
    if (std::string text = banned(node, cut_->bans[node.id.index]); !text.empty()) return text;
    if (isGetitem(node)) {
        const ir::Node& tuple = info_.graph.node(*node.args[0].node());
        if (Ban ban = cut_->bans[tuple.id.index]; ban != Ban::None)
            return base::said("a result of {}: {}", tuple.name, banned(tuple, ban));
    }
    return cutHere(node);
}

/// Which saved values each recomputed one is computed from, at most a few named.
struct Sources {
    std::vector<ir::NodeId> ids;
    bool more = false;

    void add(ir::NodeId id) {
        if (std::find(ids.begin(), ids.end(), id) != ids.end()) return;
        if (ids.size() == kNamedSources) {
            more = true;
        } else {
            ids.push_back(id);
        }
    }
};

std::string sourcesText(const JointInfo& info, const Sources& sources) {
    std::vector<std::string> names;
    for (ir::NodeId id : sources.ids)
        names.push_back(info.graph.node(id).name);
    if (sources.more) names.push_back("others");
    return joined(names);
}

/// \param fresh bytes that only this value makes the backward read.
std::string recomputedReason(const JointInfo& info, const ir::Node& node, const Sources& sources,
                             int64_t fresh) {
    if (sources.ids.empty()) return base::said("depends on no input: made again, nothing read");
    std::string from = sourcesText(info, sources);
    if (isView(node)) return base::said("a view of {}: no memory, no work", from);
    return base::said("recomputed from {} in the fused backward: {}, saves {}", from,
                      fresh == 0 ? base::said("reads nothing new")
                                 : base::said("reads {} for it", bytesText(fresh)),
                      bytesText(bytesOf(node, info.graph)));
}

} // namespace

std::string bytesText(int64_t bytes) {
    return scaled(static_cast<double>(bytes), 1024, {"B", "KiB", "MiB", "GiB", "TiB"});
}

std::string timeText(double us) {
    return us < 10000 ? fmt::format("{:.1f} us", us) : fmt::format("{:.1f} ms", us / 1000);
}

static bool keptAlive(const JointInfo& info, const ir::Node& node) {
    return node.kind == ir::NodeKind::Placeholder && !info.copied[node.id.index];
}

std::vector<SavedTensor> explainBudgeted(const BudgetProblem& problem, const Extracted& extracted) {
    const JointInfo& info = problem.info;
    const std::vector<double> without = usWithout(problem, extracted.saved);
    const Explainer explainer(info, nullptr);
    std::vector<SavedTensor> result;
    for (size_t i = 0; i < extracted.saved.size(); ++i) {
        const ir::Node& node = info.graph.node(extracted.saved[i]);
        const std::string size = bytesText(bytesOf(node, info.graph));
        std::string reason = base::said("within the budget: {} saved", size);
        if (node.kind == ir::NodeKind::Placeholder)
            reason = explainer.saved(node);
        else if (isRandom(node))
            reason = base::said("random: a second draw would give other values; {} saved", size);
        else if (without[i] >= 0)
            reason = base::said("within the budget: {} saved, computing it again takes {} longer",
                                size, timeText(without[i]));
        result.push_back(
            {node.id, bytesOf(node, info.graph), keptAlive(info, node), std::move(reason)});
    }
    return result;
}

std::vector<SavedTensor> explainSaved(const JointInfo& info, const Extracted& extracted,
                                      const MinCut* cut) {
    Explainer explainer(info, cut);
    std::vector<SavedTensor> result;
    for (ir::NodeId id : extracted.saved) {
        const ir::Node& node = info.graph.node(id);
        result.push_back(
            {id, bytesOf(node, info.graph), keptAlive(info, node), explainer.saved(node)});
    }
    return result;
}

std::vector<RecomputedValue> explainRecomputed(const JointInfo& info, const Extracted& extracted) {
    std::vector<bool> read(info.graph.idLimit());
    std::vector<Sources> sources(info.graph.idLimit());
    for (ir::NodeId id : extracted.saved) {
        sources[id.index].add(id);
        // Read by an operation that only the backward has.
        for (ir::NodeId user : info.users[id.index])
            if (!info.requiredForward[user.index]) read[id.index] = true;
    }
    std::vector<bool> isSaved(info.graph.idLimit());
    for (ir::NodeId id : extracted.saved)
        isSaved[id.index] = true;
    std::vector<RecomputedValue> result;
    for (ir::NodeId id : extracted.recomputed) {
        const ir::Node& node = info.graph.node(id);
        Sources& own = sources[id.index];
        int64_t fresh = 0;
        ir::forEachNode(node.args, [&](ir::NodeId input) {
            for (ir::NodeId source : sources[input.index].ids)
                own.add(source);
            own.more |= sources[input.index].more;
            if (!isSaved[input.index] || read[input.index]) return;
            fresh += bytesOf(info.graph.node(input), info.graph);
            read[input.index] = true;
        });
        if (node.tuple) continue; // its elements are listed
        result.push_back({id, bytesOf(node, info.graph), recomputedReason(info, node, own, fresh)});
    }
    return result;
}

} // namespace cutaway::partition
