// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/pass_runner.h"

#include "core/base/tick.h"
#include "core/ir/printer.h"
#include "core/ops/verify_views.h"
#include "core/passes/rewrite_log.h"

#include <cctype>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>

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

/// Which rewrite each change is of.
class RewriteNumbers {
public:
    RewriteNumbers(const passes::RewriteLog& log, const Snapshot& before, const Snapshot& after) {
        for (const passes::LoggedRewrite& one : log) {
            ++count_;
            for (ir::NodeId id : one.built)
                ofNode_.try_emplace(id.index, count_);
            ofNode_.try_emplace(one.node.index, count_);
            for (ir::NodeId id : one.replaced) {
                ofNode_.try_emplace(id.index, count_);
                if (id.index < before.names.size()) ofName_.emplace(before.names[id.index], count_);
            }
        }
        // With a tuple its elements go, too.
        for (size_t i = 0; i < before.lines.size() && count_ > 0; ++i) {
            const std::string& line = before.lines[i];
            const bool gone = !line.empty() && (i >= after.lines.size() || after.lines[i].empty());
            if (!gone || ofNode_.contains(i)) continue;
            if (const int number = of(i, line); number > 0) {
                ofNode_.emplace(i, number);
                ofName_.emplace(before.names[i], number);
            }
        }
    }
    /// \param before its line; a node that only reads another value now is of that value's rewrite
    int of(size_t id, std::string_view before) const {
        if (const auto at = ofNode_.find(id); at != ofNode_.end()) return at->second;
        if (ofName_.empty()) return 0;
        for (size_t end = 0, begin = 0; begin < before.size(); begin = end + 1) {
            for (end = begin; end < before.size() && isOfName(before[end]);)
                ++end;
            const auto at = ofName_.find(before.substr(begin, end - begin));
            if (at != ofName_.end()) return at->second;
        }
        return 0;
    }

private:
    static bool isOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

    int count_ = 0;
    std::unordered_map<size_t, int> ofNode_;
    std::map<std::string, int, std::less<>> ofName_;
};

std::vector<record::NodeChange> changes(const Snapshot& before, const Snapshot& after,
                                        const ir::Graph& graph, const RewriteNumbers& numbers) {
    std::vector<record::NodeChange> result;
    for (ir::NodeId id : graph.order()) {
        const std::string& name = graph.node(id).name;
        const std::string& line = after.lines[id.index];
        if (id.index >= before.lines.size() || before.lines[id.index].empty())
            result.push_back({"added", name, "", line, numbers.of(id.index, {})});
        else if (before.lines[id.index] != line)
            result.push_back({"rewritten", name, before.lines[id.index], line,
                              numbers.of(id.index, before.lines[id.index])});
    }
    for (size_t i = 0; i < before.lines.size(); ++i)
        if (!before.lines[i].empty() && (i >= after.lines.size() || after.lines[i].empty()))
            result.push_back(
                {"removed", before.names[i], before.lines[i], "", numbers.of(i, before.lines[i])});
    return result;
}

int64_t argumentOf(const PassRow& row, const Options& options) {
    if (!row.run.argument()) return 0;
    const auto told = options.passArguments.find(row.name);
    return told != options.passArguments.end() ? told->second : row.run.argument()->usual;
}

/// \param run filled when \p snapshot, the graph before, is there; both may be null
base::Status runOne(const PassRow& row, ir::Graph& graph, const Options& options,
                    record::PassRun* run, std::optional<Snapshot>* snapshot) {
    passes::RewriteLog log;
    Clock::time_point start = Clock::now();
    try {
        const passes::RewriteListener listener(run ? &log : nullptr);
        if (base::Status status = row.run(graph, argumentOf(row, options)); !status) return status;
    } catch (const std::exception& error) {
        return base::bugError(
            fmt::format("pass {} on graph {}: {}", row.name, graph.graphName, error.what()));
    }
    double ms = millisecondsSince(start);
    if (run) {
        *run = {
            graph.graphName, std::string(row.name), std::string(row.summary), false, ms, {}, {}};
        run->changed = graph.contentHash() != (*snapshot)->hash;
        if (!run->changed) return {}; // and whole, as it was before
    }
    auto broken = ir::verify(graph);
    // Lowering reads views as maps of indices, also where an input lies otherwise than it was said to.
    if (!broken && options.verify && row.point != PassPoint::Lowering)
        broken = ops::verifyViews(graph);
    if (broken)
        return base::bugError(
            fmt::format("pass {} left graph {} broken: {}", row.name, graph.graphName, *broken));
    if (!run) return {};
    Snapshot after(graph);
    run->changes = changes(**snapshot, after, graph, RewriteNumbers(log, **snapshot, after));
    for (passes::LoggedRewrite& one : log)
        run->rewrites.push_back({std::move(one.name), std::move(one.line), std::move(one.inputs),
                                 std::move(one.rule), std::move(one.condition),
                                 std::move(one.becomes)});
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
        CUTAWAY_CHECK(runOne(row, graph, options, runs ? &run : nullptr, &snapshot));
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
