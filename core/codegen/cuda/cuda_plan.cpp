// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cuda/cuda_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace cutaway::codegen {

using namespace kernel;
using Kind = Statement::Kind;

namespace {

constexpr int64_t kSharedLimit = 220 << 10; // of 227 KiB, less the static arrays of reductions
constexpr int kRegisterWords = 32;          // a thread's share for cached values and column sums
constexpr int kMostRegisterWords = 52; // the same in blocks of 1024, where more are not to be had
constexpr int kPrefetchWords = 16;     // of the next row, loaded while this one is worked on
constexpr double kLongBody = 256;      // operations: more, times the vector, leave the code cache
constexpr double kDearBody = 12;       // operations: worth several chunks in flight
constexpr int kChunksInFlight = 4;     // measured on an H200: 1 loses 6 %, 8 loses 2 %

int64_t divideUp(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

int64_t powerOfTwoUp(int64_t n) {
    int64_t p = 1;
    while (p < n)
        p *= 2;
    return p;
}

bool anySideBySide(const NestFacts& facts, int width) {
    bool found = false;
    for (const Phase& phase : facts.nest.phases) {
        if (!phase.inner) continue;
        for (const Statement& s : phase.statements) {
            if (s.kind == Kind::Store)
                found |= facts.sideBySide(facts.offset(s.target, s.coords), width);
            facts.pool.visit(s.value, [&](ExprId, const Expr& e) {
                if (e.kind == ExprKind::Load)
                    found |= facts.sideBySide(facts.offset(e.buffer, e.coords), width);
            });
        }
    }
    return found;
}

// Operations on one element.
double bodyFlops(const NestFacts& facts) {
    double sum = 0;
    for (const Phase& phase : facts.nest.phases)
        for (const Statement& s : phase.statements)
            if (phase.inner) sum += facts.flops(s.value);
    return sum;
}

int chooseVector(const NestFacts& facts) {
    const int most = bodyFlops(facts) > kLongBody ? 2 : 4;
    // Four of any dtype: 8-byte values take two accesses, which costs less than half-width ones
    // for their 4-byte neighbours. Without alignment: one at a time.
    const int wanted = facts.nest.schedule.alignedAccess ? most : 1;
    for (int width : {4, 2})
        if (width <= wanted && facts.inner % width == 0 && anySideBySide(facts, width))
            return width;
    return 1;
}

bool needsLongIndex(const NestFacts& facts, const Kernel& kernel) {
    const int64_t limit = std::numeric_limits<int32_t>::max();
    bool needed = facts.rows * facts.inner > limit;
    auto check = [&](BufferId id) {
        const Buffer& buffer = facts.program.buffer(id);
        int64_t last = 0;
        for (size_t d = 0; d < buffer.sizes.size(); ++d)
            last += (buffer.sizes[d].constant() - 1) * buffer.strides[d].constant();
        needed |= last > limit;
    };
    std::for_each(kernel.reads.begin(), kernel.reads.end(), check);
    std::for_each(kernel.writes.begin(), kernel.writes.end(), check);
    return needed;
}

/// Which values of one pass over the row are worth keeping for a later pass.
struct Kept {
    std::vector<LocalId> locals;
    std::vector<ExprId> loads;
    int64_t bytes = 0; ///< per element, all together
    int64_t peak = 0;  ///< per element, at the worst time
};

class KeptFinder {
public:
    KeptFinder(const NestFacts& facts, double recomputeFlops)
        : facts_(facts), recomputeFlops_(recomputeFlops) {}

    Kept find() {
        for (const Phase& phase : facts_.nest.phases) {
            if (!phase.inner) continue;
            for (const Statement& s : phase.statements) {
                use(s.value);
                if (s.kind == Kind::Let) definedIn_[s.local.index] = phase_;
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
        const Statement* let = facts_.definition(local);
        if (!let) return;
        int& definedIn = definedIn_[local.index];
        if (definedIn == phase_) return;
        for (Span& span : spans_)
            if (span.local == local) span.last = phase_;
        if (std::find(kept_.locals.begin(), kept_.locals.end(), local) != kept_.locals.end())
            return;
        if (cost(*let) > recomputeFlops_) {
            kept_.locals.push_back(local);
            const auto bytes =
                static_cast<int64_t>(sizeBytes(facts_.nest.locals[local.index].dtype));
            kept_.bytes += bytes;
            spans_.push_back({local, definedIn, phase_, bytes});
            return;
        }
        definedIn = phase_; // computed again, once in this pass
        use(let->value);
    }

    double cost(const Statement& let) {
        std::vector<LocalId> locals;
        std::vector<ExprId> loads;
        facts_.needs(let.value, locals, loads);
        double sum = facts_.flops(let.value);
        for (LocalId local : locals)
            if (const Statement* inner = facts_.definition(local)) sum += cost(*inner);
        return sum;
    }

    void finishLoads() {
        for (const auto& [index, phases] : loadPhases_) {
            const Expr& load = facts_.pool[ExprId(index)];
            if (phases.size() < 2) continue;
            // A value per column (a weight) comes from the cache again, for all rows.
            bool perRow = facts_.nest.outer.empty();
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

    const NestFacts& facts_;
    double recomputeFlops_;
    int phase_ = 0;
    Kept kept_;
    std::vector<Span> spans_;
    std::map<uint32_t, int> definedIn_;
    std::map<uint32_t, std::set<int>> loadPhases_;
};

int64_t columnBytes(const NestFacts& facts) {
    int64_t bytes = 0;
    for (const Phase& phase : facts.nest.phases)
        for (const Statement& s : phase.statements)
            if (s.kind == Kind::ReduceColumn)
                bytes += static_cast<int64_t>(sizeBytes(facts.nest.locals[s.local.index].dtype)) *
                         (s.reduce == ReduceOp::ArgMax || s.reduce == ReduceOp::ArgMin ? 4 : 1);
    return bytes;
}

void planLinear(const NestFacts& facts, int multiprocessors, CudaPlan& plan) {
    const int64_t chunks = std::max<int64_t>(facts.rows * facts.inner / plan.vector, 1);
    plan.threads = static_cast<int>(std::clamp<int64_t>(powerOfTwoUp(chunks), 32, 256));
    if (facts.reducesAll) {
        plan.persistent = true;
        const int64_t most = int64_t{multiprocessors} * 2048 / plan.threads;
        plan.blocks = std::clamp<int64_t>(divideUp(chunks, plan.threads * 4), 1, most);
        plan.splits = plan.splitGroup = plan.blocks;
        return;
    }
    // Several loads in flight where arithmetic would keep a thread from asking for the next.
    const int64_t full = int64_t{multiprocessors} * 2048;
    const double flops = bodyFlops(facts);
    const bool dear = flops > kDearBody && flops < kLongBody;
    plan.chunksPerThread = dear && chunks >= full * 8 ? kChunksInFlight : 1;
    plan.blocks = divideUp(chunks, int64_t{plan.threads} * plan.chunksPerThread);
}

void planSplits(const NestFacts& facts, int multiprocessors, int blocksPerMultiprocessor,
                CudaPlan& plan) {
    const int64_t sets = divideUp(std::max<int64_t>(facts.rows, 1), plan.ty);
    plan.persistent = facts.reducesColumns || facts.reducesAll;
    const int64_t most =
        std::max<int64_t>(int64_t{multiprocessors} * blocksPerMultiprocessor / plan.tiles, 1);
    plan.splits = plan.persistent ? std::min(sets, most) : sets;
    plan.splitGroup = plan.splits;
    if (plan.splits > 16 && facts.reducesColumns)
        plan.splitGroup = static_cast<int64_t>(std::ceil(std::sqrt(double(plan.splits))));
    plan.blocks = plan.splits * plan.tiles;
}

// Columns that do not depend on each other: a block takes a tile of them.
void planColumns(const NestFacts& facts, int multiprocessors, CudaPlan& plan) {
    const int64_t chunks = std::max<int64_t>(facts.inner / plan.vector, 1);
    plan.tx = static_cast<int>(std::min<int64_t>(powerOfTwoUp(chunks), 32));
    plan.ty = plan.threads / plan.tx;
    plan.chunks = 1;
    plan.tileColumns = int64_t{plan.tx} * plan.vector;
    plan.tiles = divideUp(std::max<int64_t>(facts.inner, 1), plan.tileColumns);
    planSplits(facts, multiprocessors, 8, plan);
    // A split should have some rows of its own before more blocks pay.
    const int64_t useful = divideUp(std::max<int64_t>(facts.rows, 1), int64_t{plan.ty} * 4);
    if (plan.splits > useful) {
        plan.splits = plan.splitGroup = std::max<int64_t>(useful, 1);
        if (plan.splits > 16)
            plan.splitGroup = static_cast<int64_t>(std::ceil(std::sqrt(double(plan.splits))));
        plan.blocks = plan.splits * plan.tiles;
    }
}

// Threads along a row so that what waits between passes fits in registers; else shared memory.
void planRows(const NestFacts& facts, int multiprocessors, CudaPlan& plan) {
    const int64_t chunks = std::max<int64_t>(divideUp(facts.inner, plan.vector), 1);
    Kept kept = KeptFinder(facts, 4).find();
    const int64_t columns = facts.reducesColumns ? columnBytes(facts) : 0;
    auto words = [&](int64_t tx) {
        return divideUp(chunks, tx) * plan.vector * std::max<int64_t>(kept.peak + columns, 4) / 4;
    };
    int64_t tx = std::min<int64_t>(powerOfTwoUp(chunks), 32);
    while (tx < 1024 && words(tx) > kRegisterWords)
        tx = tx == 32 ? 128 : tx * 2;
    plan.tx = static_cast<int>(tx);
    plan.ty = tx > 32 ? 1 : static_cast<int>(256 / tx);
    plan.threads = plan.tx * plan.ty;
    plan.chunks = divideUp(chunks, tx);
    plan.tileColumns = facts.inner;
    plan.cache = CudaPlan::Cache::Registers;
    int perMultiprocessor = std::max(1, 1024 / plan.threads);
    if (words(tx) > kMostRegisterWords) {
        plan.columnsInScratch = columns > 0 && plan.chunks * plan.vector * columns / 4 > 32;
        auto sharedBytes = [&] { return kept.bytes * plan.chunks * plan.vector * tx; };
        if (sharedBytes() > kSharedLimit)
            kept = KeptFinder(facts, std::numeric_limits<double>::infinity()).find();
        plan.cache = kept.bytes == 0 || sharedBytes() > kSharedLimit ? CudaPlan::Cache::None
                                                                     : CudaPlan::Cache::Shared;
        if (plan.cache == CudaPlan::Cache::None)
            kept = Kept{};
        else
            plan.sharedBytes = sharedBytes();
        perMultiprocessor = plan.cache == CudaPlan::Cache::Shared ? 1 : 2;
    }
    plan.cachedLocals = kept.locals;
    plan.cachedLoads = kept.loads;
    planSplits(facts, multiprocessors, perMultiprocessor, plan);
    const bool whole = plan.chunks * tx * plan.vector == facts.inner;
    const int64_t ahead = plan.chunks * plan.vector * static_cast<int64_t>(kept.loads.size());
    plan.prefetch = plan.persistent && whole && !plan.longIndex &&
                    plan.cache == CudaPlan::Cache::Registers && facts.nest.outer.size() == 1 &&
                    plan.splits * plan.ty < facts.rows && ahead <= kPrefetchWords;
}

} // namespace

CudaPlan planCuda(const NestFacts& facts, const Kernel& kernel, int multiprocessors) {
    CudaPlan plan;
    plan.vector = chooseVector(facts);
    plan.longIndex = needsLongIndex(facts, kernel);
    const bool rowsShare = facts.reducesRows || facts.reducesColumns;
    plan.style = rowsShare ? CudaPlan::Style::Rows : CudaPlan::Style::Linear;
    if (!rowsShare)
        planLinear(facts, multiprocessors, plan);
    else if (!facts.reducesRows && !facts.reducesAll && !facts.finishReduces)
        planColumns(facts, multiprocessors, plan);
    else
        planRows(facts, multiprocessors, plan);
    return plan;
}

} // namespace cutaway::codegen
