// SPDX-License-Identifier: Apache-2.0
#include "core/partition/estimate.h"

#include "core/base/tick.h"
#include "core/partition/op_kinds.h"

#include <algorithm>
#include <numeric>

namespace cutaway::partition {

Estimator::Estimator(const JointInfo& info, const Rates& rates)
    : info_(info), rates_(rates), values_(info.graph.idLimit()), reads_(info.graph.idLimit()),
      kept_(info.graph.idLimit()) {
    for (ir::NodeId id : info.forwardOutputs)
        kept_[id.index] = true;
    for (ir::NodeId id : info.graph.order()) {
        base::tick();
        const ir::Node& node = info.graph.node(id);
        Value& value = values_[id.index];
        reads_[id.index] = ir::inputNodes(node.args);
        value.root = id;
        if (node.kind == ir::NodeKind::Placeholder) kept_[id.index] = true;
        if (node.kind != ir::NodeKind::Call) {
            value.bytes = bytesOf(node, info.graph);
            continue;
        }
        const std::vector<ir::NodeId>& reads = reads_[id.index];
        if (isView(node) && !reads.empty()) value.root = values_[reads[0].index].root;
        const ops::OpDef* def = opOf(node);
        value.bytes = node.tuple ? 0 : bytesOf(node, info.graph); // its elements hold them
        value.fusible = isGetitem(node) ? values_[reads[0].index].fusible : isFusible(node);
        value.takesAll = isGetitem(node) || (def && def->traits.takesProducers);
        value.work = def && !isView(node);
        if (value.work) value.flops = flopsOf(node, info.graph);
    }
}

/// One of the two graphs: its calls in their order, in groups that make one kernel each.
class Estimator::Sequence {
public:
    Sequence(const Estimator& all, std::vector<ir::NodeId> calls)
        : all_(all), calls_(std::move(calls)), at_(all.values_.size(), -1), level_(calls_.size()),
          group_(calls_.size()), wrote_(calls_.size()) {
        std::iota(group_.begin(), group_.end(), 0);
        for (size_t i = 0; i < calls_.size(); ++i)
            at_[calls_[i].index] = static_cast<int>(i);
        for (size_t i = 0; i < calls_.size(); ++i)
            join(i);
        for (size_t i = 0; i < calls_.size(); ++i)
            group_[i] = find(static_cast<int>(i));
        last_.resize(calls_.size());
        for (size_t i = 0; i < calls_.size(); ++i)
            last_[static_cast<size_t>(group_[i])] = i;
    }
    /// The position at which the kernel runs that a call is in: that of its last call.
    size_t when(size_t i) const { return last_[static_cast<size_t>(group_[i])]; }

    /// Microseconds of all kernels. \p wanted by node id: read after this graph.
    /// \param read called with (when, root) for what a kernel reads of others
    double us(const std::vector<bool>& wanted, const auto& read) {
        std::vector<double> bytes(calls_.size()), flops(calls_.size());
        std::vector<bool> works(calls_.size());
        std::vector<int> lastReader(all_.values_.size(), -1);
        for (size_t i = 0; i < calls_.size(); ++i) {
            const Value& value = all_.values_[calls_[i].index];
            const auto group = static_cast<size_t>(group_[i]);
            flops[group] += value.flops;
            if (value.work) works[group] = true;
            if (wanted[calls_[i].index]) write(value.root, bytes);
            for (ir::NodeId input : all_.reads_[calls_[i].index]) {
                const ir::NodeId root = all_.values_[input.index].root;
                const int made = at_[root.index];
                if (made >= 0 && group_[static_cast<size_t>(made)] == group_[i]) continue;
                if (!value.work) continue; // who reads the view reads it
                if (made >= 0) write(root, bytes);
                read(when(i), root);
                if (lastReader[root.index] == group_[i]) continue;
                lastReader[root.index] = group_[i];
                bytes[group] += static_cast<double>(
                    std::min(all_.values_[input.index].bytes, all_.values_[root.index].bytes));
            }
        }
        double sum = 0;
        for (size_t g = 0; g < calls_.size(); ++g)
            if (works[g])
                sum += all_.rates_.launchUs + std::max(bytes[g] / all_.rates_.bytesPerUs,
                                                       flops[g] / all_.rates_.flopsPerUs);
        return sum;
    }

    const std::vector<ir::NodeId>& calls() const { return calls_; }
    /// After us(): whether the call's result is in memory.
    bool inMemory(size_t i) const { return wrote_[i]; }

private:
    void write(ir::NodeId root, std::vector<double>& bytes) {
        const int made = at_[root.index];
        if (made < 0 || wrote_[static_cast<size_t>(made)]) return;
        wrote_[static_cast<size_t>(made)] = true;
        bytes[static_cast<size_t>(group_[static_cast<size_t>(made)])] +=
            static_cast<double>(all_.values_[root.index].bytes);
    }
    /// Groups are joined at one level only, which grows along whatever cannot be fused: so no group
    /// waits for itself.
    void join(size_t i) {
        const Value& value = all_.values_[calls_[i].index];
        int& mine = level_[i];
        auto fuses = [&](ir::NodeId input) {
            return value.takesAll || (value.fusible && all_.values_[input.index].fusible);
        };
        for (ir::NodeId input : all_.reads_[calls_[i].index])
            if (const int made = at_[input.index]; made >= 0)
                mine = std::max(mine, level_[static_cast<size_t>(made)] + (fuses(input) ? 0 : 1));
        for (ir::NodeId input : all_.reads_[calls_[i].index])
            if (const int made = at_[input.index];
                made >= 0 && fuses(input) && level_[static_cast<size_t>(made)] == mine)
                group_[static_cast<size_t>(find(static_cast<int>(i)))] = find(made);
    }
    int find(int i) {
        while (group_[static_cast<size_t>(i)] != i) {
            int& up = group_[static_cast<size_t>(i)];
            up = group_[static_cast<size_t>(up)];
            i = up;
        }
        return i;
    }

    const Estimator& all_;
    std::vector<ir::NodeId> calls_;
    std::vector<int> at_;            ///< by node id: position among the calls, -1: none of them
    std::vector<int> level_, group_; ///< by position
    std::vector<size_t> last_;       ///< by group
    std::vector<bool> wrote_;        ///< by position
};

/// What both graphs consist of for one choice.
struct Estimator::Step {
    Step(const Estimator& all, const std::vector<ir::NodeId>& saved)
        : isSaved(all.values_.size()), late(all.values_.size()), early(all.values_.size()) {
        const JointInfo& info = all.info_;
        for (ir::NodeId id : saved)
            isSaved[id.index] = true;
        const std::vector<ir::NodeId>& order = info.graph.order();
        for (ir::NodeId id : info.gradients)
            if (id.valid()) late[id.index] = true;
        for (auto at = order.rbegin(); at != order.rend(); ++at)
            if (late[at->index] && !isSaved[at->index])
                for (ir::NodeId input : all.reads_[at->index])
                    late[input.index] = true;
        for (ir::NodeId id : order)
            isSaved[id.index] = isSaved[id.index] && late[id.index];
        for (ir::NodeId id : info.forwardOutputs)
            early[id.index] = true;
        for (auto at = order.rbegin(); at != order.rend(); ++at) {
            if (isSaved[at->index]) early[at->index] = true;
            if (early[at->index])
                for (ir::NodeId input : all.reads_[at->index])
                    early[input.index] = true;
        }
    }

    std::vector<ir::NodeId> forwardCalls(const JointInfo& info) const {
        std::vector<ir::NodeId> calls;
        for (ir::NodeId id : info.graph.order())
            if (early[id.index] && info.graph.node(id).kind != ir::NodeKind::Placeholder)
                calls.push_back(id);
        return calls;
    }
    bool isLateCall(const JointInfo& info, ir::NodeId id) const {
        return late[id.index] && !isSaved[id.index] &&
               info.graph.node(id).kind != ir::NodeKind::Placeholder;
    }
    /// What hangs on tangents in the joint graph's order, all else right before its first use.
    std::vector<ir::NodeId> backwardCalls(const Estimator& all) const {
        const JointInfo& info = all.info_;
        std::vector<ir::NodeId> calls, open;
        std::vector<bool> placed(all.values_.size());
        auto place = [&](ir::NodeId id) {
            open.assign(1, id);
            while (!open.empty()) {
                const ir::NodeId at = open.back();
                const size_t before = open.size();
                if (!placed[at.index])
                    for (ir::NodeId input : all.reads_[at.index])
                        if (isLateCall(info, input) && !placed[input.index]) open.push_back(input);
                if (open.size() > before) continue;
                open.pop_back();
                if (placed[at.index]) continue;
                placed[at.index] = true;
                calls.push_back(at);
            }
        };
        for (ir::NodeId id : info.graph.order())
            if (info.tangentClosure[id.index] && isLateCall(info, id)) place(id);
        for (ir::NodeId id : info.graph.order())
            if (isLateCall(info, id)) place(id);
        return calls;
    }

    std::vector<bool> isSaved, late, early; ///< by node id; late: needed by the backward
};

Estimate Estimator::of(const std::vector<ir::NodeId>& saved) const {
    base::tick();
    const Step step(*this, saved);
    Estimate result;
    Sequence forward(*this, step.forwardCalls(info_)), backward(*this, step.backwardCalls(*this));
    const size_t border = forward.calls().size(), end = border + backward.calls().size();
    std::vector<bool> afterForward = step.isSaved, afterAll(values_.size());
    for (ir::NodeId id : info_.forwardOutputs)
        afterForward[id.index] = true;
    for (ir::NodeId id : info_.gradients)
        if (id.valid()) afterAll[id.index] = true;

    // When the memory of a root is read for the last time, forward and backward made one row.
    std::vector<size_t> last(values_.size());
    auto reads = [&](size_t from) {
        return [&last, from](size_t when, ir::NodeId root) {
            last[root.index] = std::max(last[root.index], from + when);
        };
    };
    result.us = forward.us(afterForward, reads(0));
    std::vector<size_t> lastForward = last;
    result.us += backward.us(afterAll, reads(border));
    for (ir::NodeId id : info_.graph.order())
        if (step.isSaved[id.index]) {
            ++result.saved;
            if (!kept_[id.index]) result.savedBytes += values_[id.index].bytes;
        }

    std::vector<int64_t> change(end + 2);
    auto lives = [&](const Sequence& sequence, size_t from, const std::vector<size_t>& until,
                     const std::vector<bool>& kept) {
        for (size_t i = 0; i < sequence.calls().size(); ++i) {
            const ir::NodeId id = sequence.calls()[i];
            if (!sequence.inMemory(i)) continue;
            const size_t start = from + sequence.when(i);
            change[start] += values_[id.index].bytes;
            const size_t stop = kept[id.index] ? end : std::max(until[id.index], start);
            change[stop + 1] -= values_[id.index].bytes;
        }
    };
    // A saved value lives until the backward has read it, a result until the caller is done.
    std::vector<size_t> untilForward = lastForward;
    std::vector<bool> results(values_.size());
    for (ir::NodeId id : info_.forwardOutputs)
        results[values_[id.index].root.index] = true;
    for (ir::NodeId id : info_.gradients)
        if (id.valid()) results[values_[id.index].root.index] = true;
    for (ir::NodeId id : info_.graph.order())
        if (step.isSaved[id.index]) untilForward[id.index] = std::max(last[id.index], border);
    lives(forward, 0, untilForward, results);
    lives(backward, border, last, results);
    int64_t now = 0;
    for (int64_t step : change) {
        now += step;
        result.peakBytes = std::max(result.peakBytes, now);
    }
    for (ir::NodeId id : backward.calls())
        if (info_.requiredForward[id.index] && info_.graph.node(id).kind == ir::NodeKind::Call)
            ++result.recomputed;
    return result;
}

} // namespace cutaway::partition
