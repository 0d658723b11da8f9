// SPDX-License-Identifier: Apache-2.0
// What one iteration of the inner loops costs a processor with vectors.
#include "core/kernel/masked_read.h"
#include "core/schedule/row_facts.h"

#include <algorithm>
#include <set>

namespace cutaway::schedule {

using namespace kernel;

namespace {

/// The most element values of one inner iteration that wait for a later use at the same time; sums
/// live from the first iteration to the last.
int peakLive(const ExprPool& pool, const RowTree& form, const RowTree::Pass& phase) {
    std::map<LocalId, size_t> lastUse;
    for (size_t at = 0; at < phase.statements.size(); ++at)
        pool.visit(phase.statements[at].step->value, [&](ExprId, const Expr& e) {
            if (e.kind == ExprKind::Local) lastUse[e.local] = at;
        });
    std::vector<int> ends(phase.statements.size()); ///< values read here for the last time
    int live = 0, peak = 0;
    for (size_t at = 0; at < phase.statements.size(); ++at) {
        const RowTree::Statement& s = phase.statements[at];
        live -= ends[at];
        const bool sum = reduces(s.op);
        const auto last = sum || !s.local.valid() ? lastUse.end() : lastUse.find(s.local);
        const bool waits =
            last != lastUse.end() && last->second > at && form.level(s.local) == Level::Element;
        if (waits) ++ends[last->second];
        live += waits || sum;
        peak = std::max(peak, live);
    }
    return std::max(peak, 1);
}

class Counter {
public:
    explicit Counter(const RowFacts& facts) : facts_(facts) {}

    InnerLoops run() {
        for (const auto* phases : {&facts_.form.passes, &facts_.form.finish}) {
            const bool finish = phases == &facts_.form.finish;
            for (const RowTree::Pass& phase : *phases) {
                ++pass_;
                for (const RowTree::Statement& s : phase.statements) {
                    if (phase.inner) widest(s);
                    if (!finish) cost(s, phase.inner);
                }
                if (!phase.inner) continue;
                loops_.steps = std::max(loops_.steps, phase.statements.size());
                loops_.peakLive =
                    std::max(loops_.peakLive, peakLive(facts_.pool, facts_.form, phase));
            }
        }
        return loops_;
    }

private:
    static double words(ir::DType dtype) { return static_cast<double>(ir::sizeBytes(dtype)) / 4; }

    void holds(ir::DType dtype) { loops_.widest = std::max(loops_.widest, ir::sizeBytes(dtype)); }

    /// A comparison of positions that vectors make of lane numbers.
    bool ofLanes(const Expr& e) const { return laneBound(facts_.pool, e, innerVar()).has_value(); }

    void widest(const RowTree::Statement& statement) {
        const ExprPool& pool = facts_.pool;
        if (statement.local.valid()) holds(facts_.form.dtype(statement.local));
        // Positions that are wanted as such: not in fewer bits, and not to compare lanes with.
        std::set<ExprId> wanted = {statement.step->value};
        pool.visit(statement.step->value, [&](ExprId, const Expr& e) {
            if (e.kind == ExprKind::Op && info(e.op).flops > 1) loops_.light = false;
            const bool narrows =
                e.kind == ExprKind::Cast && pool[e.args[0]].kind == ExprKind::Index;
            if (!narrows && !ofLanes(e)) wanted.insert(e.args.begin(), e.args.end());
            for (const Coord& coord : e.coords)
                if (coord.indirect.valid()) wanted.insert(coord.indirect);
        });
        pool.visit(statement.step->value, [&](ExprId id, const Expr& e) {
            const bool position = e.kind == ExprKind::Index && !wanted.contains(id);
            if (!position && facts_.varies(id)) holds(e.dtype);
        });
    }

    void access(const ir::Sym& offset, bool direct, ir::DType dtype) {
        if (direct && !offset.dependsOn(innerVar()))
            ++loops_.rowOps; // the same element all along the row
        else if (direct && facts_.sideBySide(offset, 1))
            loops_.words += words(dtype);
        else {
            ++loops_.gathered;
            if (direct && facts_.sideBySideInPieces(offset))
                loops_.pieceWords += words(dtype);
            else
                ++loops_.pieceGathered;
        }
    }

    void cost(const RowTree::Statement& s, bool inner) {
        facts_.pool.visit(s.step->value, [&](ExprId id, const Expr& e) {
            const bool varies = inner && facts_.varies(id);
            if (e.kind == ExprKind::Local) later(e.local);
            double size = words(e.dtype);
            for (ExprId arg : e.args)
                if (!ofLanes(e)) size = std::max(size, words(facts_.pool[arg].dtype));
            if (e.kind == ExprKind::Load && varies) {
                const bool direct = std::none_of(e.coords.begin(), e.coords.end(),
                                                 [](const Coord& c) { return c.indirect.valid(); });
                access(facts_.offset(e.buffer, e.coords), direct, e.dtype);
            } else if (e.kind == ExprKind::Op || e.kind == ExprKind::Cast) {
                const double operations = e.kind == ExprKind::Op ? info(e.op).flops : 1;
                (varies ? loops_.words : loops_.rowOps) += operations * (varies ? size : 1);
            }
        });
        if (s.op == RowOp::Store) {
            if (!inner) return;
            const ir::DType dtype = facts_.program.buffer(s.step->target).dtype;
            if (!s.accumulates())
                return access(facts_.offset(s.step->target, s.step->coords), true, dtype);
            const bool direct =
                std::none_of(s.step->coords.begin(), s.step->coords.end(), [&](const Coord& c) {
                    return c.indirect.valid() && facts_.varies(c.indirect);
                });
            const ir::Sym offset = facts_.offset(s.step->target, s.step->coords);
            access(offset, direct, dtype); // loaded, added to and stored
            access(offset, direct, dtype);
            loops_.words += words(dtype);
            return;
        }
        if (s.op == RowOp::Scan) {
            // Some steps that move lanes and combine them, sums in twice the width.
            constexpr double kSum = 20, kPosition = 60, kLogSum = 80;
            const bool logs = s.step->running == RowCall::Running::LogSumExp;
            loops_.words +=
                words(facts_.form.dtype(s.step->locals[0])) * (s.step->locals.size() > 1 ? kPosition
                                                               : logs                    ? kLogSum
                                                                                         : kSum);
            loops_.light = false;
            for (LocalId local : s.step->locals)
                definedIn_[local] = pass_;
            return;
        }
        if (s.op == RowOp::Let) {
            if (inner && facts_.form.level(s.local) == Level::Element) definedIn_[s.local] = pass_;
            return;
        }
        const bool argument = isArg(s.step->reduce);
        // A column's sum is in memory: loaded, added to and stored.
        const double operations = s.step->reduce == ReduceOp::Welford ? 6
                                  : argument                          ? 4
                                  : s.op == RowOp::ReduceColumn       ? 3
                                                                      : 1;
        (inner ? loops_.words : loops_.rowOps) += operations * words(facts_.form.dtype(s.local));
        loops_.reduces |= inner && !argument && s.op != RowOp::ReduceColumn;
    }

    // Read in a later pass than its own: a row of it waits in memory.
    void later(LocalId local) {
        auto found = definedIn_.find(local);
        if (found == definedIn_.end() || found->second == pass_) return;
        const auto bytes =
            static_cast<int64_t>(ir::sizeBytes(facts_.form.dtype(local)) * facts_.inner);
        loops_.keptRowBytes = std::max(loops_.keptRowBytes, bytes);
    }

    const RowFacts& facts_;
    InnerLoops loops_;
    int pass_ = 0;
    std::map<LocalId, int> definedIn_;
};

} // namespace

const InnerLoops& RowFacts::innerLoops() const {
    if (!innerLoops_) innerLoops_ = Counter(*this).run();
    return *innerLoops_;
}

} // namespace cutaway::schedule
