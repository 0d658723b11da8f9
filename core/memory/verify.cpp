// SPDX-License-Identifier: Apache-2.0
#include "core/memory/plan.h"

#include "core/memory/in_place.h"

#include <algorithm>
#include <fmt/format.h>

namespace cutaway::memory {

namespace {

using Problem = std::optional<std::string>;

/// Kernels between which a buffer's place is its own, from the program alone.
struct Lifetime {
    int first = -1, last = -1;
};

class PlanVerifier {
public:
    PlanVerifier(const MemoryPlan& plan, const kernel::KernelProgram& program)
        : plan_(plan), program_(program), lifetimes_(program.loops.buffers.size()) {}

    Problem run() {
        if (Problem problem = findLifetimes()) return problem;
        std::vector<const Placement*> arena;
        for (const Placement& place : plan_.placements) {
            if (place.kind != Placement::Kind::Arena || place.bytes == 0) continue;
            if (place.offset < 0 || place.offset % 64 != 0 ||
                place.offset + place.bytes > plan_.arenaBytes)
                return fmt::format("{} lies at {} in an arena of {} bytes", name(place.buffer),
                                   place.offset, plan_.arenaBytes);
            arena.push_back(&place);
        }
        for (const Workspace& one : plan_.workspaces)
            if (const auto kernel = static_cast<size_t>(one.kernel);
                kernel >= program_.kernels.size() || !program_.kernels[kernel].call ||
                one.bytes <= 0)
                return fmt::format("{} bytes of workspace for kernel {}, which is no library call",
                                   one.bytes, one.kernel);
        std::ranges::sort(arena, {}, &Placement::offset);
        for (size_t i = 0; i < arena.size(); ++i)
            for (size_t j = i + 1;
                 j < arena.size() && arena[j]->offset < arena[i]->offset + arena[i]->bytes; ++j)
                if (together(arena[i]->buffer, arena[j]->buffer))
                    return fmt::format("{} and {} share memory while both are needed",
                                       name(arena[i]->buffer), name(arena[j]->buffer));
        return std::nullopt;
    }

private:
    const std::string& name(kernel::BufferId id) const { return program_.loops.buffer(id).name; }
    bool together(kernel::BufferId a, kernel::BufferId b) const {
        const Lifetime &x = lifetimes_[a.index], &y = lifetimes_[b.index];
        if (x.last == y.first && replaced(a, b, x.last)) return false;
        if (y.last == x.first && replaced(b, a, y.last)) return false;
        return x.first <= y.last && y.first <= x.last;
    }
    /// Whether kernel number \p k may and does write \p next where \p before lies.
    bool replaced(kernel::BufferId before, kernel::BufferId next, int k) const {
        if (k < 0) return false;
        const kernel::Kernel& kernel = program_.kernels[static_cast<size_t>(k)];
        return plan_.find(before)->offset == plan_.find(next)->offset &&
               std::ranges::count(kernel.writes, next) == 1 &&
               mayReplace(program_, kernel, before, next);
    }

    Problem findLifetimes() {
        for (size_t k = 0; k < program_.kernels.size(); ++k) {
            const kernel::Kernel& kernel = program_.kernels[k];
            for (const auto* touched : {&kernel.reads, &kernel.writes})
                for (kernel::BufferId id : *touched) {
                    if (!plan_.find(id))
                        return fmt::format("{}, which {} needs, has no place", name(id),
                                           kernel.name);
                    Lifetime& life = lifetimes_[id.index];
                    if (life.first < 0) life.first = static_cast<int>(k);
                    life.last = static_cast<int>(k);
                }
        }
        for (const kernel::StridedView& view : program_.loops.outputs) {
            if (!view.buffer.valid()) continue;
            const Placement* place = plan_.find(view.buffer);
            if (!place) return fmt::format("{}, a result, has no place", name(view.buffer));
            if (place->kind == Placement::Kind::Arena)
                return fmt::format("{}, a result, lies in the arena", name(view.buffer));
        }
        return std::nullopt;
    }

    const MemoryPlan& plan_;
    const kernel::KernelProgram& program_;
    std::vector<Lifetime> lifetimes_;
};

} // namespace

std::optional<std::string> verify(const MemoryPlan& plan, const kernel::KernelProgram& program) {
    return PlanVerifier(plan, program).run();
}

} // namespace cutaway::memory
