// SPDX-License-Identifier: Apache-2.0
// Accesses that a kernel's inner loop does not walk side by side, but one of its loops over rows
// does.
#include "core/schedule/row_facts.h"

#include <algorithm>

namespace cutaway::schedule {

using namespace kernel;

namespace {

constexpr int64_t kSector = 32; // bytes: the least that a GPU moves
constexpr int64_t kLine = 64;   // of a processor's caches

/// The accesses that lie along one loop over rows.
class Along {
public:
    Along(const RowFacts& facts, size_t row)
        : facts_(facts), variable_(facts.form.rows[row].variable) {
        turned_.row = row;
    }

    Turned run() {
        for (const RowTree::Pass& pass : facts_.form.passes)
            if (pass.inner)
                for (const RowTree::Statement& s : pass.statements)
                    look(s);
        return std::move(turned_);
    }

private:
    void look(const RowTree::Statement& s) {
        facts_.pool.visit(s.step->value, [&](ExprId id, const Expr& e) {
            if (e.kind != ExprKind::Load || contains(turned_.loads, id)) return;
            // The neutral value may not be one that memory of fewer bits keeps.
            if (e.isMasked() && isStorageOnly(facts_.program.buffer(e.buffer).dtype)) return;
            if (add(e.buffer, e.coords)) turned_.loads.push_back(id);
        });
        if (s.op != RowOp::Store || s.accumulates()) return;
        const Expr& value = facts_.pool[s.step->value];
        if (value.kind != ExprKind::Local || !facts_.varies(s.step->value)) return;
        if (!add(s.step->target, s.step->coords) || !facts_.definition(value.local)) return;
        if (!contains(turned_.stored, value.local)) turned_.stored.push_back(value.local);
    }

    template <typename T> static bool contains(const std::vector<T>& in, T what) {
        return std::find(in.begin(), in.end(), what) != in.end();
    }

    bool add(BufferId buffer, const std::vector<Coord>& coords) {
        const bool direct = std::none_of(coords.begin(), coords.end(),
                                         [](const Coord& c) { return c.indirect.valid(); });
        if (!direct) return false;
        const ir::Sym offset = facts_.offset(buffer, coords);
        const auto along = offset.coefficient(variable_), inner = offset.coefficient(innerVar());
        if (!along || !along->is(1) || (inner && (inner->is(0) || inner->is(1)))) return false;
        const auto bytes = static_cast<int64_t>(sizeBytes(facts_.program.buffer(buffer).dtype));
        const int64_t apart =
            inner && inner->isConst() ? std::abs(inner->constant()) * bytes : kLine;
        turned_.sectorBytes += static_cast<double>(std::min(apart, kSector));
        turned_.apart = std::max(turned_.apart, apart);
        turned_.narrowest = turned_.any() ? std::min(turned_.narrowest, bytes) : bytes;
        turned_.bytes += bytes;
        return true;
    }

    const RowFacts& facts_;
    ir::Var variable_;
    Turned turned_;
};

} // namespace

const Turned& RowFacts::turned() const {
    if (turned_) return *turned_;
    turned_.emplace();
    if (!form.inner) return *turned_;
    for (size_t row = 0; row < form.rows.size(); ++row)
        if (Turned along = Along(*this, row).run(); along.bytes > turned_->bytes)
            turned_ = std::move(along);
    return *turned_;
}

} // namespace cutaway::schedule
