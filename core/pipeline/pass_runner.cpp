// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/pass_runner.h"

#include "core/base/tick.h"
#include "core/ir/printer.h"

#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <optional>

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

/// A graph as the last pass left it: taken again only where a pass has changed it.
struct Snapshot {
    explicit Snapshot(const ir::Graph& graph)
        : hash(graph.contentHash()), lines(linesOf(graph)), names(graph.idLimit()) {
        for (ir::NodeId id : graph.order())
            names[id.index] = graph.node(id).name;
    }
    uint64_t hash;
    std::vector<std::string> lines, names; ///< by id; empty: no such node
};

std::vector<record::NodeChange> changes(const Snapshot& before, const Snapshot& after,
                                        const ir::Graph& graph) {
    std::vector<record::NodeChange> result;
    for (ir::NodeId id : graph.order()) {
        const std::string& name = graph.node(id).name;
        const std::string& line = after.lines[id.index];
        if (id.index >= before.lines.size() || before.lines[id.index].empty())
            result.push_back({"added", name, "", line});
        else if (before.lines[id.index] != line)
            result.push_back({"rewritten", name, before.lines[id.index], line});
    }
    for (size_t i = 0; i < before.lines.size(); ++i)
        if (!before.lines[i].empty() && (i >= after.lines.size() || after.lines[i].empty()))
            result.push_back({"removed", before.names[i], before.lines[i], ""});
    return result;
}

/// \param run filled when \p snapshot, the graph before, is there; both may be null
base::Status runOne(const PassRow& row, ir::Graph& graph, record::PassRun* run,
                    std::optional<Snapshot>* snapshot) {
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
    if (!run) return {};
    *run = {graph.graphName, std::string(row.name), std::string(row.summary), false, ms, {}};
    run->changed = graph.contentHash() != (*snapshot)->hash;
    if (!run->changed) return {};
    Snapshot after(graph);
    run->changes = changes(**snapshot, after, graph);
    *snapshot = std::move(after);
    return {};
}

} // namespace

base::Status runPasses(PassPoint point, ir::Graph& graph, const Options& options,
                       std::vector<record::PassRun>* runs) {
    std::optional<Snapshot> snapshot;
    if (runs) snapshot.emplace(graph);
    for (const PassRow* one : passesAt(point, options.passOrders)) {
        const PassRow& row = *one;
        if (options.cancel.cancelled()) return base::cancelledError();
        bool wanted = row.required || (options.strategy.graphPasses &&
                                       !options.disabledPasses.contains(std::string(row.name)));
        if (!wanted) continue;
        record::PassRun run;
        CUTAWAY_CHECK(runOne(row, graph, runs ? &run : nullptr, &snapshot));
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
