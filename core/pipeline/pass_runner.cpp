// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/pass_runner.h"

#include "core/base/tick.h"
#include "core/ir/printer.h"

#include <chrono>
#include <exception>
#include <fmt/format.h>

namespace cutaway::pipeline {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Lines of the nodes before a pass, by id.
std::vector<std::string> linesOf(const ir::Graph& graph) {
    std::vector<std::string> lines(graph.idLimit());
    for (ir::NodeId id : graph.order()) {
        base::tick();
        lines[id.index] = ir::print(graph.node(id), graph);
    }
    return lines;
}

std::vector<record::NodeChange> changes(const std::vector<std::string>& before,
                                        const std::vector<std::string>& beforeNames,
                                        const ir::Graph& graph) {
    std::vector<record::NodeChange> result;
    std::vector<std::string> after = linesOf(graph);
    for (ir::NodeId id : graph.order()) {
        const std::string& name = graph.node(id).name;
        if (id.index >= before.size() || before[id.index].empty())
            result.push_back({"added", name, "", after[id.index]});
        else if (before[id.index] != after[id.index])
            result.push_back({"rewritten", name, before[id.index], after[id.index]});
    }
    for (size_t i = 0; i < before.size(); ++i)
        if (!before[i].empty() && (i >= after.size() || after[i].empty()))
            result.push_back({"removed", beforeNames[i], before[i], ""});
    return result;
}

base::Status runOne(const PassRow& row, ir::Graph& graph, record::PassRun* run) {
    std::vector<std::string> before, names;
    uint64_t hash = 0;
    if (run) {
        hash = graph.contentHash();
        before = linesOf(graph);
        names.resize(graph.idLimit());
        for (ir::NodeId id : graph.order())
            names[id.index] = graph.node(id).name;
    }
    Clock::time_point start = Clock::now();
    try {
        if (base::Status status = row.run(graph); !status) return status;
    } catch (const std::exception& error) {
        return base::bugError(
            fmt::format("pass {} on graph {}: {}", row.name, graph.graphName, error.what()));
    }
    double ms = millisecondsSince(start);
    if (auto broken = ir::verify(graph))
        return base::bugError(
            fmt::format("pass {} left graph {} broken: {}", row.name, graph.graphName, *broken));
    if (run) {
        *run = {graph.graphName, std::string(row.name), std::string(row.summary), false, ms, {}};
        run->changed = graph.contentHash() != hash;
        if (run->changed) run->changes = changes(before, names, graph);
    }
    return {};
}

} // namespace

base::Status runPasses(PassPoint point, ir::Graph& graph, const Options& options,
                       std::vector<record::PassRun>* runs) {
    for (const PassRow& row : passTable()) {
        if (row.point != point) continue;
        if (options.cancel.cancelled()) return base::cancelledError();
        bool wanted = row.required || (options.strategy.graphPasses &&
                                       !options.disabledPasses.contains(std::string(row.name)));
        if (!wanted) continue;
        record::PassRun run;
        CUTAWAY_CHECK(runOne(row, graph, runs ? &run : nullptr));
        if (runs) runs->push_back(std::move(run));
    }
    return {};
}

ir::Graph beginStage(const ir::Graph& graph) {
    ir::Graph copy = graph.clone();
    for (ir::NodeId id : copy.order())
        copy.node(id).from = {id};
    return copy;
}

} // namespace cutaway::pipeline
