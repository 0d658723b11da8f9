// SPDX-License-Identifier: Apache-2.0
#include "core/fusion/decisions.h"

#include "core/base/said.h"
#include "core/base/tick.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

namespace cutaway::fusion {

using kernel::Buffer;
using kernel::BufferKind;
using kernel::FusionDecision;
using kernel::LoopProgram;

namespace {

constexpr const char* kFusionOff = base::said("fusion is off: one kernel for each buffer");

class Explainer {
public:
    Explainer(const LoopProgram& program, const Analysis& analysis, const Grouping& grouping,
              const std::vector<bool>& stores, bool fuse)
        : program_(program), analysis_(analysis), grouping_(grouping), stores_(stores),
          fuse_(fuse) {}

    std::vector<FusionDecision> run() {
        for (const Buffer& buffer : program_.buffers) {
            base::tick();
            explainRecomputed(buffer);
            if (buffer.of.valid()) {
                add({buffer.of, buffer.id, true, base::said("one accumulator"),
                     base::said("{} and {} are results of the same loops", name(buffer.of),
                                name(buffer.id)),
                     0});
                continue;
            }
            std::set<BufferId> seen;
            for (const Access& access : analysis_[buffer.id].loads)
                if (isComputed(access.buffer) && seen.insert(access.buffer).second)
                    flow(access.buffer, buffer.id);
            if (!buffer.call) continue;
            for (const kernel::StridedView& view : buffer.call->operands)
                if (isComputed(view.buffer) && seen.insert(view.buffer).second)
                    flow(view.buffer, buffer.id);
        }
        for (const Buffer& buffer : program_.buffers)
            for (auto [a, b] : sharedReaders(program_, analysis_, grouping_, buffer.id))
                shared(buffer.id, a, b);
        for (const Buffer& buffer : program_.buffers)
            if (buffer.call)
                for (const kernel::StridedView& view : buffer.call->operands)
                    besideLibrary(view.buffer, buffer.id);
        return std::move(decisions_);
    }

private:
    std::string name(BufferId id) const { return program_.buffer(id).name; }
    static uint64_t pairOf(BufferId a, BufferId b) { return uint64_t{a.index} << 32 | b.index; }
    bool isComputed(BufferId id) const {
        const BufferKind kind = program_.buffer(id).kind;
        return kind != BufferKind::Input && kind != BufferKind::Constant;
    }

    void add(FusionDecision decision) {
        base::tick();
        seen_.insert(pairOf(decision.a, decision.b));
        decisions_.push_back(std::move(decision));
    }

    void explainRecomputed(const Buffer& consumer) {
        for (BufferId producer : analysis_[consumer.id].recomputes) {
            const BufferInfo& info = analysis_[producer];
            const int64_t saved = stores_[producer.index]
                                      ? analysis_[consumer.id].points.hint() *
                                            static_cast<int64_t>(ir::sizeBytes(consumer.dtype))
                                      : 2 * bytesOf(program_, program_.buffer(producer));
            add({producer, consumer.id, true, base::said("recomputed"),
                 base::said("{} is computed again where {} reads it: {:.0f} operations for each of "
                            "{} elements cost less than {} bytes of traffic",
                            name(producer), name(consumer.id), info.flops,
                            analysis_[consumer.id].points, saved),
                 saved});
        }
    }

    std::string fusedRule(BufferId a, BufferId b) const {
        const Role from = grouping_.roles[a.index], to = grouping_.roles[b.index];
        if (from == Role::Library || to == Role::Library) return base::said("epilogue");
        if (to == Role::Scalar || to == Role::Column) return base::said("after all rows");
        if (to == Role::ColumnReduce) return base::said("sum over rows");
        if (to == Role::FullReduce || to == Role::RowAll) return base::said("sum over everything");
        if (from == Role::RowReduce || from == Role::Row) return base::said("follows its row");
        if (to == Role::RowScan || to == Role::ColumnScan) return base::said("running value");
        if (to == Role::RowReduce) return base::said("row reduction");
        return base::said("same loops");
    }

    std::string loopText(BufferId id) const {
        const Group& group = grouping_.groups[grouping_.groupOf[id.index]];
        return group.rows
                   ? base::said("{} rows of {} elements", group.rows, group.points / group.rows)
                   : base::said("{} elements", group.points);
    }

    /// Whether \p a is in memory even where its kernel and that of \p b are one.
    bool isStoredBeside(BufferId a, BufferId b) const {
        const std::vector<BufferId>& readers = analysis_[a].consumers;
        return analysis_[a].mustStore ||
               std::any_of(readers.begin(), readers.end(), [&](BufferId reader) {
                   return !grouping_.together(a, reader) && !grouping_.together(b, reader);
               });
    }

    void flow(BufferId a, BufferId b) {
        const bool stored = isStoredBeside(a, b);
        // Of this value alone: what the rest of two kernels reads is not known without making them.
        const int64_t bytes = bytesOf(program_, program_.buffer(a)) * (stored ? 1 : 2);
        if (grouping_.together(a, b)) {
            const std::string rule = fusedRule(a, b);
            const std::string how =
                rule == "epilogue"
                    ? base::said("{} is computed inside the library's product", name(b))
                    : base::said("one kernel of {} computes both", loopText(b));
            return add({a, b, true, rule,
                        stored ? base::said("{}: {} is written but its {} bytes are not read back",
                                            how, name(a), bytes)
                               : base::said("{}: {} never reaches memory, which spares writing "
                                            "and reading it, {} bytes",
                                            how, name(a), bytes),
                        bytes});
        }
        if (grouping_.groupOf[b.index] == Grouping::kNoGroup)
            return add(
                {a, b, true, base::said("recomputed"),
                 base::said("{} has no kernel of its own: whoever reads it computes it again "
                            "from {}",
                            name(b), name(a)),
                 0});
        auto refusal = grouping_.refusals.find({a, b});
        FusionDecision decision{a, b, false, base::said("library call"), {}, bytes};
        if (!fuse_) {
            decision.rule = base::said("off");
            decision.reason = kFusionOff;
        } else if (refusal != grouping_.refusals.end()) {
            decision.rule = refusal->second.rule;
            decision.reason = refusal->second.reason;
        } else {
            decision.reason =
                base::said("{} is computed by the library from operands in memory", name(b));
        }
        add(std::move(decision));
    }

    void shared(BufferId read, BufferId a, BufferId b) {
        if (seen_.contains(pairOf(a, b))) return;
        const int64_t bytes = bytesOf(program_, program_.buffer(read));
        if (grouping_.together(a, b))
            return add({a, b, true, base::said("shared read"),
                        base::said("both read {} in one kernel of {}: its {} bytes are read once",
                                   name(read), loopText(b), bytes),
                        bytes});
        if (!fuse_) return add({a, b, false, base::said("off"), kFusionOff, bytes});
        const auto refusal = grouping_.refusals.find({a, b});
        if (refusal == grouping_.refusals.end()) // a read that came after the grouping
            return add({a, b, false, base::said("recomputed"),
                        base::said("both read {} only since one of them computes a cheap value "
                                   "from it again, in the kernel it had by then",
                                   name(read)),
                        bytes});
        add({a, b, false, refusal->second.rule,
             base::said("both read {}, but {}", name(read), refusal->second.reason), bytes});
    }

    /// A library call shares its operand with nobody, however near the other readers are: the loops
    /// that read it, and the calls before this one.
    void besideLibrary(BufferId read, BufferId called) {
        std::vector<BufferId> others = called_[read];
        for (BufferId reader : analysis_[read].consumers)
            if (grouping_.groupOf[reader.index] != Grouping::kNoGroup) others.push_back(reader);
        if (others.size() > kReadersReach) others.resize(kReadersReach);
        for (BufferId other : others) {
            const BufferId a = std::min(other, called), b = std::max(other, called);
            if (a == b || seen_.contains(pairOf(a, b)) || grouping_.together(a, b)) continue;
            add({a, b, false, fuse_ ? base::said("library call") : base::said("off"),
                 fuse_ ? base::said("both read {}, but {} is computed by the library from operands "
                                    "in memory",
                                    name(read), name(called))
                       : std::string(kFusionOff),
                 bytesOf(program_, program_.buffer(read))});
        }
        called_[read].push_back(called);
    }

    const LoopProgram& program_;
    const Analysis& analysis_;
    const Grouping& grouping_;
    const std::vector<bool>& stores_;
    bool fuse_;
    std::map<BufferId, std::vector<BufferId>> called_; ///< by operand: those told so far
    std::unordered_set<uint64_t> seen_;                ///< pairOf those that are explained
    std::vector<FusionDecision> decisions_;
};

} // namespace

std::vector<FusionDecision> explain(const LoopProgram& program, const Analysis& analysis,
                                    const Grouping& grouping, const std::vector<bool>& stores,
                                    bool fuse) {
    return Explainer(program, analysis, grouping, stores, fuse).run();
}

} // namespace cutaway::fusion
