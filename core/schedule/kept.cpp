// SPDX-License-Identifier: Apache-2.0
// What one pass over a row leaves for the next.
#include "core/schedule/row_facts.h"

#include <algorithm>
#include <set>

namespace cutaway::schedule {

using namespace kernel;

namespace {

class KeptFinder {
public:
    KeptFinder(const RowFacts& facts, double recomputeFlops)
        : facts_(facts), recomputeFlops_(recomputeFlops) {}

    Kept find() {
        for (const RowTree::Pass& phase : facts_.form.passes) {
            if (!phase.inner) continue;
            for (const RowTree::Statement& s : phase.statements) {
                use(s.step->value);
                if (s.op == RowOp::Let) definedIn_[s.local.index] = phase_;
            }
            ++phase_;
        }
        finishLoads();
        for (int after = 0; after < phase_; ++after) {
            int64_t live = 0;
            for (const Span& span : spans_)
                if (span.first <= after && after < span.last) live += span.bytes;
            kept_.peak = std::max(kept_.peak, live);
        }
        return kept_;
    }

private:
    void use(ExprId value) {
        std::vector<LocalId> locals;
        std::vector<ExprId> loads;
        facts_.needs(value, locals, loads);
        for (ExprId load : loads)
            loadPhases_[load.index].insert(phase_);
        for (LocalId local : locals)
            useLocal(local);
    }

    // A local of an earlier pass is kept when computing it again is dear, else computed again.
    void useLocal(LocalId local) {
        const RowTree::Statement* let = facts_.definition(local);
        if (!let) return;
        int& definedIn = definedIn_[local.index];
        if (definedIn == phase_) return;
        for (Span& span : spans_)
            if (span.local == local) span.last = phase_;
        if (std::find(kept_.locals.begin(), kept_.locals.end(), local) != kept_.locals.end())
            return;
        if (cost(*let) > recomputeFlops_) {
            kept_.locals.push_back(local);
            const auto bytes = static_cast<int64_t>(sizeBytes(facts_.form.dtype(local)));
            kept_.bytes += bytes;
            spans_.push_back({local, definedIn, phase_, bytes});
            return;
        }
        definedIn = phase_; // computed again, once in this pass
        use(let->step->value);
    }

    double cost(const RowTree::Statement& let) {
        std::vector<LocalId> locals;
        std::vector<ExprId> loads;
        facts_.needs(let.step->value, locals, loads);
        double sum = facts_.flops(let.step->value);
        for (LocalId local : locals)
            if (const RowTree::Statement* inner = facts_.definition(local)) sum += cost(*inner);
        return sum;
    }

    void finishLoads() {
        for (const auto& [index, phases] : loadPhases_) {
            const Expr& load = facts_.pool[ExprId(index)];
            if (phases.size() < 2) continue;
            // The neutral value may not be one that memory of fewer bits keeps.
            if (load.isMasked() && isStorageOnly(facts_.program.buffer(load.buffer).dtype))
                continue;
            // A value per column (a weight) comes from the cache again, for all rows.
            bool perRow = facts_.form.rows.empty();
            for (const Coord& coord : load.coords)
                for (ir::Var v : coord.index.variables())
                    perRow |= v.kind == 'o';
            if (!perRow) continue;
            kept_.loads.push_back(ExprId(index));
            const auto bytes = static_cast<int64_t>(sizeBytes(load.dtype));
            kept_.bytes += bytes;
            spans_.push_back({LocalId(), *phases.begin(), *phases.rbegin(), bytes});
        }
    }

    /// The passes that a kept value lives through.
    struct Span {
        LocalId local;
        int first = 0, last = 0;
        int64_t bytes = 0;
    };

    const RowFacts& facts_;
    double recomputeFlops_;
    int phase_ = 0;
    Kept kept_;
    std::vector<Span> spans_;
    std::map<uint32_t, int> definedIn_;
    std::map<uint32_t, std::set<int>> loadPhases_;
};

} // namespace

const Kept& RowFacts::kept(double recomputeFlops) const {
    auto known = kept_.find(recomputeFlops);
    if (known == kept_.end())
        known = kept_.emplace(recomputeFlops, KeptFinder(*this, recomputeFlops).find()).first;
    return known->second;
}

} // namespace cutaway::schedule
