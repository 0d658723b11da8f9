// SPDX-License-Identifier: Apache-2.0
#include "core/memory/plan.h"

#include "core/base/said.h"
#include "core/base/tick.h"
#include "core/memory/in_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace cutaway::memory {

using kernel::Buffer;
using kernel::BufferId;
using kernel::BufferKind;
using kernel::KernelProgram;

namespace {

constexpr int64_t kAlignment = 64;

/// No buffer is planned with more, beyond any address space. A call that needs it is out of memory,
/// and sums of a plan's buffers stay within 64 bits.
constexpr int64_t kMostBytes = int64_t{1} << 55;

int64_t aligned(int64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Lays the regions out one after the other. \returns their bytes together.
int64_t placeRegions(int count, const std::vector<Placement*>& arena) {
    std::vector<int64_t> bytes(static_cast<size_t>(count)), begins;
    for (const Placement* placement : arena) {
        int64_t& most = bytes[static_cast<size_t>(placement->region)];
        most = std::max(most, aligned(placement->bytes));
    }
    int64_t end = 0;
    for (int64_t each : bytes) {
        begins.push_back(end);
        end += each;
    }
    for (Placement* placement : arena)
        placement->offset = begins[static_cast<size_t>(placement->region)];
    return end;
}

class Planner {
public:
    explicit Planner(const KernelProgram& program) : program_(program) {}

    MemoryPlan run() {
        findLastReads();
        findLifetimes();
        placeOutputs();
        placeArena();
        for (auto& [id, placement] : found_)
            plan_.placements.push_back(placement);
        for (const Shared& shared : shared_) {
            Placement placement = found_.at(root(shared.buffer));
            placement.buffer = shared.buffer;
            placement.reason = shared.reason;
            if (replaces_.contains(shared.buffer)) plan_.unsharedBytes += aligned(placement.bytes);
            plan_.placements.push_back(std::move(placement));
        }
        std::sort(plan_.placements.begin(), plan_.placements.end(),
                  [](const Placement& a, const Placement& b) { return a.buffer < b.buffer; });
        return std::move(plan_);
    }

private:
    bool overlap(const Placement& a, const Placement& b) const {
        return a.firstKernel <= b.lastKernel && b.firstKernel <= a.lastKernel;
    }
    /// Whose memory a buffer has: a scatter's base's, an operand's that it replaces, else its own.
    BufferId root(BufferId id) const {
        while (true) {
            const auto replaced = replaces_.find(id);
            const BufferId next =
                replaced != replaces_.end() ? replaced->second : program_.loops.buffer(id).base;
            if (!next.valid()) return id;
            id = next;
        }
    }
    std::string name(BufferId id) const { return program_.loops.buffer(id).name; }

    void findLastReads() {
        for (size_t k = 0; k < program_.kernels.size(); ++k)
            for (const auto* touched : {&program_.kernels[k].reads, &program_.kernels[k].writes})
                for (BufferId id : *touched)
                    lastTouch_[root(id)] = static_cast<int>(k);
        for (const kernel::StridedView& view : program_.loops.outputs)
            if (view.buffer.valid())
                lastTouch_[root(view.buffer)] = static_cast<int>(program_.kernels.size());
    }

    /// The operand whose place \p id takes, which kernel number \p now reads last; else invalid.
    BufferId replacedBy(BufferId id, int now) const {
        const kernel::Kernel& kernel = program_.kernels[static_cast<size_t>(now)];
        for (BufferId read : kernel.reads) {
            const auto place = found_.find(root(read));
            const bool ours = place != found_.end() && place->second.firstKernel >= 0 &&
                              place->second.kind == Placement::Kind::Arena;
            const bool whole = !program_.loops.buffer(read).base.valid() && !taken_.contains(read);
            if (ours && whole && lastTouch_.at(read) == now &&
                mayReplace(program_, kernel, read, id))
                return read;
        }
        return {};
    }

    void findLifetimes() {
        const kernel::LoopProgram& loops = program_.loops;
        for (size_t i = 0; i < loops.inputs.size(); ++i)
            start(loops.inputs[i], Placement::Kind::Input, static_cast<int>(i),
                  base::said("an argument of the call"));
        for (const Buffer& buffer : loops.buffers)
            if (buffer.kind == BufferKind::Constant)
                start(buffer.id, Placement::Kind::Constant, 0,
                      base::said("a constant of the graph"));
        for (size_t k = 0; k < program_.kernels.size(); ++k) {
            const int now = static_cast<int>(k);
            for (BufferId id : program_.kernels[k].reads) {
                // No kernel computes what has no elements; a product over an empty dimension still
                // names it as an operand. emplace() leaves a placement that is there alone.
                if (program_.loops.buffer(id).numel().is(0))
                    start(id, Placement::Kind::Arena, 0, base::said("no elements"));
                found_.at(root(id)).lastKernel = now;
            }
            for (BufferId id : program_.kernels[k].writes) {
                if (const BufferId base = root(id); base != id) {
                    found_.at(base).lastKernel = now;
                    shared_.push_back(
                        {id, base::said("in the memory of {}, which it adds to", name(base))});
                    continue;
                }
                if (const BufferId read = replacedBy(id, now); read.valid()) {
                    shared_.push_back(
                        {id, base::said("in the place of {}, which its kernel reads last",
                                        name(read))});
                    taken_.insert(read);
                    replaces_.emplace(id, read);
                    found_.at(root(id)).lastKernel = now;
                    continue;
                }
                start(id, Placement::Kind::Arena, 0, {});
                found_.at(id).firstKernel = found_.at(id).lastKernel = now;
            }
        }
    }

    void start(BufferId id, Placement::Kind kind, int index, std::string reason) {
        Placement placement;
        placement.buffer = id;
        placement.kind = kind;
        placement.index = index;
        const Buffer& buffer = program_.loops.buffer(id);
        placement.bytes = kMostBytes / static_cast<int64_t>(ir::sizeBytes(buffer.dtype));
        placement.bytes = std::min(program_.loops.hint(buffer.numel()), placement.bytes) *
                          static_cast<int64_t>(ir::sizeBytes(buffer.dtype));
        placement.firstKernel = placement.lastKernel = -1;
        placement.reason = std::move(reason);
        found_.emplace(id, std::move(placement));
    }

    void placeOutputs() {
        const int end = static_cast<int>(program_.kernels.size());
        for (const kernel::StridedView& view : program_.loops.outputs) {
            if (!view.buffer.valid()) continue;
            // Only an empty tensor is an output that no kernel writes.
            const BufferId memory = root(view.buffer);
            if (!found_.contains(memory)) start(memory, Placement::Kind::Arena, 0, {});
            Placement& placement = found_.at(memory);
            placement.lastKernel = end;
            if (placement.kind != Placement::Kind::Arena) continue;
            placement.kind = Placement::Kind::Output;
            placement.index = plan_.outputAllocations++;
            placement.reason = base::said("returned to the caller: allocated for each call");
        }
    }

    // Largest first; each goes where the gap between neighbours alive at the same time is smallest.
    void placeArena() {
        std::vector<Placement*> arena;
        for (auto& [id, placement] : found_)
            if (placement.kind == Placement::Kind::Arena) arena.push_back(&placement);
        std::stable_sort(arena.begin(), arena.end(), [](const Placement* a, const Placement* b) {
            return a->bytes > b->bytes;
        });
        if (program_.loops.shapes) chooseRegions(arena);
        std::vector<const Placement*> placed;
        for (Placement* placement : arena) {
            base::tick();
            if (placement->region < 0) placement->offset = bestOffset(*placement, placed);
            placement->reason = reasonFor(*placement, placed);
            plan_.arenaBytes =
                std::max(plan_.arenaBytes, placement->offset + aligned(placement->bytes));
            plan_.unsharedBytes += aligned(placement->bytes);
            placed.push_back(placement);
        }
    }

    /// Each buffer, the largest of the captured call first, goes to the smallest region that
    /// nothing alive at the same time is in.
    void chooseRegions(const std::vector<Placement*>& arena) {
        std::vector<std::vector<const Placement*>> regions;
        for (Placement* placement : arena) {
            size_t best = regions.size();
            for (size_t r = 0; r < regions.size(); ++r)
                if (std::none_of(regions[r].begin(), regions[r].end(), [&](const Placement* other) {
                        return overlap(*placement, *other);
                    }))
                    best = r; // the later, the smaller
            if (best == regions.size()) regions.emplace_back();
            regions[best].push_back(placement);
            placement->region = static_cast<int>(best);
        }
        plan_.regions = static_cast<int>(regions.size());
        placeRegions(plan_.regions, arena);
    }

    int64_t bestOffset(const Placement& wanted, const std::vector<const Placement*>& placed) const {
        std::vector<const Placement*> busy;
        for (const Placement* other : placed)
            if (overlap(wanted, *other)) busy.push_back(other);
        std::sort(busy.begin(), busy.end(),
                  [](const Placement* a, const Placement* b) { return a->offset < b->offset; });
        const int64_t bytes = aligned(wanted.bytes);
        int64_t end = 0, best = -1, bestGap = INT64_MAX;
        for (const Placement* other : busy) {
            const int64_t gap = other->offset - end;
            if (gap >= bytes && gap < bestGap) {
                best = end;
                bestGap = gap;
            }
            end = std::max(end, other->offset + aligned(other->bytes));
        }
        return best >= 0 ? best : end;
    }

    std::string reasonFor(const Placement& wanted,
                          const std::vector<const Placement*>& placed) const {
        const Placement* before = nullptr;
        for (const Placement* other : placed) {
            const bool touches = other->offset < wanted.offset + aligned(wanted.bytes) &&
                                 wanted.offset < other->offset + aligned(other->bytes);
            if (touches && !overlap(wanted, *other)) before = before ? before : other;
        }
        if (!before) return base::said("{} bytes of its own", wanted.bytes);
        if (before->lastKernel < wanted.firstKernel)
            return base::said("reuses the place of {} (dead after kernel {})", name(before->buffer),
                              before->lastKernel);
        return base::said("gives its place to {} (first written by kernel {})",
                          name(before->buffer), before->firstKernel);
    }

    const KernelProgram& program_;
    std::map<BufferId, Placement> found_;
    struct Shared {
        BufferId buffer;
        std::string reason;
    };
    std::vector<Shared> shared_;            ///< what lies in another's memory
    std::map<BufferId, BufferId> replaces_; ///< by what takes its place: an operand
    std::set<BufferId> taken_;              ///< operands whose place is taken
    std::map<BufferId, int>
        lastTouch_; ///< by memory: the last kernel that touches it, or the caller
    MemoryPlan plan_;
};

} // namespace

const Placement* MemoryPlan::find(BufferId buffer) const {
    auto it = std::lower_bound(placements.begin(), placements.end(), buffer,
                               [](const Placement& p, BufferId id) { return p.buffer < id; });
    return it != placements.end() && it->buffer == buffer ? &*it : nullptr;
}

MemoryPlan planMemory(const KernelProgram& program) {
    return Planner(program).run();
}

MemoryPlan planFor(const MemoryPlan& plan, const KernelProgram& numbers) {
    MemoryPlan result = plan;
    std::vector<Placement*> arena;
    for (Placement& placement : result.placements) {
        placement.bytes = numbers.loops.buffer(placement.buffer).bytes();
        if (placement.region >= 0) arena.push_back(&placement);
    }
    result.arenaBytes = placeRegions(plan.regions, arena);
    return result;
}

} // namespace cutaway::memory
