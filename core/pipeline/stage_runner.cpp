// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/stage_runner.h"

#include "core/base/tick.h"

#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <new>

namespace cutaway::pipeline {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// "joint", "forward: kernels"
std::string label(std::string_view stage, const StageContext& context) {
    const std::string graph = context.graphName();
    return graph.empty() ? std::string(stage) : fmt::format("{}: {}", graph, stage);
}

/// What \p work gives; exceptions as diagnostics.
template <typename Work>
base::Status contained(const StageRow& row, const StageContext& context, const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return base::environmentError(
            fmt::format("out of memory in stage {}", label(row.name, context)),
            "make the model or its sizes smaller");
    } catch (const std::exception& error) {
        return base::bugError(fmt::format("stage {}: {}", label(row.name, context), error.what()));
    }
}

base::Status runRow(const StageRow& row, StageContext& context) {
    if ((row.needs & ~context.made) != 0)
        return base::bugError(
            fmt::format("stage {} runs before what it needs is there", label(row.name, context)));
    if (context.options.progress) context.options.progress(label(row.name, context), 0);
    const Clock::time_point start = Clock::now();
    CUTAWAY_CHECK(contained(row, context, [&] { return row.run(context); }));
    context.made |= row.gives;
    if (context.recorder)
        context.recorder->addTime(label(row.name, context), millisecondsSince(start));
    if (!row.verify || !context.options.verify) return {};
    if (auto broken = row.verify(context))
        return base::bugError(
            fmt::format("stage {} gave a wrong result: {}", label(row.name, context), *broken));
    return {};
}

base::Status runAll(StageId first, StageId last, StageContext& context) {
    double recordMs = 0;
    for (const StageRow& row : stageTable()) {
        if (row.id < first || row.id > last) continue;
        if (row.wanted && !row.wanted(context)) continue;
        if (context.options.cancel.cancelled()) return base::cancelledError();
        if (row.run) CUTAWAY_CHECK(runRow(row, context));
        if (!row.record || !context.recorder) continue;
        const Clock::time_point start = Clock::now();
        row.record(*context.recorder, context);
        recordMs += millisecondsSince(start);
        if (context.options.recorded) context.options.recorded();
    }
    if (context.recorder) context.recorder->addTime(label("record", context), recordMs);
    if (context.options.progress) context.options.progress(kRunsAgain, 0);
    return {};
}

} // namespace

base::Status runStages(StageId first, StageId last, StageContext& context) {
    base::CancelScope scope(context.options.cancel);
    try {
        return runAll(first, last, context);
    } catch (const base::Cancelled&) {
        return base::cancelledError();
    }
}

} // namespace cutaway::pipeline
