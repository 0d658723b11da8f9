// SPDX-License-Identifier: Apache-2.0
#include "core/fusion/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace cutaway::fusion {

using kernel::ExprKind;
using kernel::Kernel;
using kernel::Level;
using kernel::LoopNest;
using kernel::LoopProgram;
using kernel::Schedule;
using kernel::Statement;

namespace {

// Below this much work waking the threads costs more than they save (some 3 us on a small machine).
constexpr double kWorthThreads = 32768;
// A processor looks some hundreds of instructions ahead: of longer iterations it sees one at a
// time, so those that are to overlap must be interleaved in the text.
constexpr size_t kLookAhead = 128;

struct Facts {
    int64_t rows = 1, inner = 1;
    size_t widest = 1; ///< bytes of the widest value that a vector holds
    size_t steps = 0;  ///< statements of the longest inner phase
    bool light = true; ///< no step needs registers of its own (a polynomial)
};

/// What one statement of an inner loop says about vectors; what a row has once stays scalar.
void look(const LoopProgram& program, const LoopNest& nest, const Statement& statement,
          Facts& facts) {
    auto holds = [&](ir::DType dtype) {
        facts.widest = std::max(facts.widest, ir::sizeBytes(dtype));
    };
    if (statement.local.valid()) holds(nest.locals[statement.local.index].dtype);
    std::set<kernel::ExprId> narrowed; // positions that are wanted in fewer bits, and made so
    program.pool.visit(statement.value, [&](kernel::ExprId, const kernel::Expr& e) {
        if (e.kind == ExprKind::Cast && program.pool[e.args[0]].kind == ExprKind::Index)
            narrowed.insert(e.args[0]);
        if (e.kind == ExprKind::Op && kernel::info(e.op).flops > 1) facts.light = false;
    });
    program.pool.visit(statement.value, [&](kernel::ExprId id, const kernel::Expr& e) {
        const bool scalar =
            e.kind == ExprKind::Constant ||
            (e.kind == ExprKind::Local && (nest.locals[e.local.index].level == Level::Row ||
                                           nest.locals[e.local.index].level == Level::Once));
        if (!scalar && !narrowed.contains(id)) holds(e.dtype);
    });
}

Facts factsOf(const LoopProgram& program, const LoopNest& nest) {
    Facts facts;
    for (const kernel::LoopDim& dim : nest.outer)
        facts.rows *= dim.size.constant();
    facts.inner = nest.inner->size.constant();
    for (const std::vector<kernel::Phase>* phases : {&nest.phases, &nest.finish})
        for (const kernel::Phase& phase : *phases) {
            if (!phase.inner) continue;
            facts.steps = std::max(facts.steps, phase.statements.size());
            for (const Statement& statement : phase.statements)
                look(program, nest, statement, facts);
        }
    return facts;
}

class Scheduler {
public:
    Scheduler(const LoopProgram& program, Kernel& kernel, int peakLive,
              const FusionOptions& options)
        : kernel_(kernel), nest_(*kernel.loops), schedule_(nest_.schedule), peakLive_(peakLive),
          options_(options), facts_(factsOf(program, nest_)) {}

    void run() {
        vectors();
        threads();
        stores();
    }

private:
    template <typename... Args> void because(fmt::format_string<Args...> text, Args&&... args) {
        // A CUDA kernel's launch is planned, and told, by its emitter.
        if (kernel_.device.isCuda()) return;
        schedule_.reasons.push_back(fmt::format(text, std::forward<Args>(args)...));
    }

    void vectors() {
        int width = std::max(1, options_.vectorBytes / static_cast<int>(facts_.widest));
        while (width > 1 && width > facts_.inner)
            width /= 2;
        schedule_.vectorWidth = width;
        because("vectors of {} lanes: {} bytes of registers, values of {} bytes, {} elements a row",
                width, options_.vectorBytes, facts_.widest, facts_.inner);
        int unroll = 1;
        while (unroll < 4 && unroll * 2 * peakLive_ <= 8 &&
               int64_t{unroll} * 2 * width <= facts_.inner)
            unroll *= 2;
        if (facts_.steps > kLookAhead && facts_.light && unroll > 1) {
            schedule_.vectorWidth = width * unroll;
            because(
                "values of {} lanes, {} registers each: of {} steps in a row each is done for {} "
                "vectors before the next",
                schedule_.vectorWidth, unroll, facts_.steps, unroll);
            return;
        }
        schedule_.unroll = unroll;
        if (unroll > 1)
            because("{} vectors in flight hide latency; values of each that are alive at once: {}",
                    unroll, peakLive_);
    }

    void threads() {
        const double elements =
            static_cast<double>(facts_.rows) * static_cast<double>(facts_.inner);
        const double work = std::max(elements, kernel_.flops / 4);
        schedule_.parallel = options_.threads > 1 && work > kWorthThreads;
        if (schedule_.parallel)
            because("{} threads: {:.0f} units of work", options_.threads, work);
        else
            because("one thread: {:.0f} units of work do not pay for waking others", work);
    }

    void stores() {
        schedule_.nonTemporal =
            !kernel_.device.isCuda() && kernel_.bytesWritten > options_.cacheBytes / 2;
        if (schedule_.nonTemporal)
            because("stores bypass the caches: {} bytes written, the cache holds {}",
                    kernel_.bytesWritten, options_.cacheBytes);
    }

    Kernel& kernel_;
    LoopNest& nest_;
    Schedule& schedule_;
    int peakLive_;
    const FusionOptions& options_;
    Facts facts_;
};

} // namespace

void chooseSchedule(const LoopProgram& program, Kernel& kernel, int peakLive,
                    const FusionOptions& options) {
    Scheduler(program, kernel, peakLive, options).run();
}

} // namespace cutaway::fusion
