// SPDX-License-Identifier: Apache-2.0
#include "core/backend/graph_compiler.h"

#include "core/backend/complex_boundary.h"
#include "core/backend/eager_runner.h"
#include "core/capture/capture.h"
#include "core/ir/meta_device.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace cutaway::backend {

using runtime::TensorPtr;

namespace {

/// Combinations of sizes that stay compiled; the one that was called longest ago makes room.
constexpr size_t kKeptSizes = 32;

/// A graph with symbols, compiled anew for every combination of sizes: where the stages below the
/// graph need numbers.
class BySize : public capture::CompiledGraph {
public:
    BySize(Backend& backend, capture::CapturedFunction captured, pipeline::Options options,
           bool gradMode)
        : backend_(backend), captured_(std::move(captured)), options_(std::move(options)),
          gradMode_(gradMode) {}

    base::Status compileFor(std::span<const int64_t> symbols,
                            std::unique_ptr<pipeline::EntryRecorder> recorder) {
        capture::CapturedFunction sized = captured_;
        sized.graph = std::make_shared<ir::Graph>(captured_.graph->withSizes(symbols));
        CUTAWAY_TRY(auto graph, backend_.compile(sized, gradMode_, options_, std::move(recorder)));
        if (bySize_.size() >= kKeptSizes)
            bySize_.erase(
                std::min_element(bySize_.begin(), bySize_.end(), [](const auto& a, const auto& b) {
                    return a.second.called < b.second.called;
                }));
        bySize_[std::vector<int64_t>(symbols.begin(), symbols.end())] = {std::move(graph), calls_};
        return {};
    }
    base::Result<std::vector<TensorPtr>> call(std::span<const TensorPtr> inputs,
                                              std::span<const int64_t> symbols,
                                              bool gradMode) override {
        const std::vector<int64_t> sizes(symbols.begin(), symbols.end());
        if (!bySize_.contains(sizes)) CUTAWAY_CHECK(compileFor(symbols, nullptr));
        Sized& sized = bySize_.at(sizes);
        sized.called = ++calls_;
        const std::shared_ptr<capture::CompiledGraph> graph = sized.graph; // a call may compile
        return graph->call(inputs, {}, gradMode);
    }

private:
    struct Sized {
        std::shared_ptr<capture::CompiledGraph> graph;
        uint64_t called = 0; ///< number of the last call
    };
    Backend& backend_;
    capture::CapturedFunction captured_;
    pipeline::Options options_;
    bool gradMode_;
    uint64_t calls_ = 0;
    std::map<std::vector<int64_t>, Sized> bySize_;
};

/// What torch.compile was told, for the stages.
pipeline::Options told(pipeline::Options options, const capture::CompileOptions& arguments) {
    options.mode = arguments.mode;
    options.dynamic = arguments.dynamic;
    options.settings = arguments.options;
    return options;
}

} // namespace

BackendCompiler::BackendCompiler(pipeline::Toolchain& toolchain, pipeline::Options options,
                                 EagerRunner& eager, pipeline::RecordBuilder* recorder)
    : options_(std::move(options)), eager_(eager), recorder_(recorder) {
    for (const BackendRow& row : backends())
        backends_.push_back(row.create({toolchain, eager, watch_}));
}

GraphStatistics BackendCompiler::statistics() const {
    GraphStatistics result;
    for (const auto& add : watch_.counters)
        add(result);
    return result;
}

std::unique_ptr<pipeline::EntryRecorder>
BackendCompiler::beginEntry(const capture::CapturedFunction& captured,
                            const std::string& backendName) {
    if (!recorder_) return nullptr;
    record::Function& function = recorder_->function(captured.functionName, captured.where);
    auto recorder = std::make_unique<pipeline::EntryRecorder>(*recorder_, function);
    record::Entry& entry = recorder->entry();
    entry.segment = captured.segment;
    entry.call = captured.call;
    entry.transformedCode = captured.transformedCode;
    entry.breaks = captured.breaks;
    entry.backend = backendName;
    for (const capture::GuardText& guard : captured.guards)
        entry.guards.push_back({guard.kind, guard.source, guard.condition, guard.where});
    for (const capture::MadeModules& made : captured.modules)
        recorder->addModules(made.first, made.lines);
    entry.device = pipeline::deviceOf(*captured.graph).str();
    recorder->addTime("captured", captured.captureMs);
    called_.push_back(
        {captured.functionName, captured.where,
         recorder_->function(captured.functionName, captured.where).entries.size() - 1,
         captured.calls});
    return recorder;
}

/// Leaves a function the entries \p taken, with their backwards.
static void keepEntries(record::Function& function, const std::set<size_t>& taken) {
    std::vector<record::Entry> kept;
    std::map<size_t, int> places; // of the entries that stay
    for (size_t i = 0; i < function.entries.size(); ++i) {
        record::Entry& entry = function.entries[i];
        const bool isBackward = entry.backwardOf >= 0;
        if (!taken.contains(isBackward ? static_cast<size_t>(entry.backwardOf) : i)) continue;
        if (isBackward) entry.backwardOf = places.at(static_cast<size_t>(entry.backwardOf));
        places.emplace(i, static_cast<int>(kept.size()));
        kept.push_back(std::move(entry));
    }
    function.entries = std::move(kept);
}

void BackendCompiler::recordCalls(bool keptOnly) {
    std::map<const record::Function*, std::set<size_t>> taken;
    for (const Called& each : called_) {
        if (!each.calls || each.calls->count == 0) continue;
        record::Function& function = recorder_->function(each.function, each.where);
        function.entries[each.entry].guards.push_back(
            {"CALLS", each.function, each.calls->text(), each.where});
        if (each.calls->kept) taken[&function].insert(each.entry);
    }
    called_.clear();
    if (!keptOnly) return;
    for (record::Function& function : recorder_->record.functions)
        keepEntries(function, taken[&function]);
    std::erase_if(recorder_->record.functions,
                  [](const record::Function& function) { return function.entries.empty(); });
}

base::Status BackendCompiler::wantBackend(const std::string& name) const {
    if (findBackend(name)) return {};
    return base::userError({}, fmt::format("unknown backend '{}'", name),
                           "known backends: " + backendNames());
}

/// Leaves no trace in the record when it fails.
base::Result<std::shared_ptr<capture::CompiledGraph>>
BackendCompiler::compileWithSymbols(Backend& backend, const capture::CapturedFunction& captured,
                                    const std::string& backendName, bool gradMode,
                                    const pipeline::Options& options) {
    const ir::ShapeEnv& shapes = *captured.graph->shapes;
    const size_t asked = shapes.guards().size();
    auto entries = [&]() -> std::vector<record::Entry>& {
        return recorder_->function(captured.functionName, captured.where).entries;
    };
    const record::Record before = recorder_ ? recorder_->record : record::Record();
    const size_t number = recorder_ ? entries().size() : 0, called = called_.size();
    auto compiled = backend.compile(captured, gradMode, options, beginEntry(captured, backendName));
    if (!recorder_) return compiled;
    if (!compiled) {
        recorder_->record = before;
        called_.resize(called);
        return compiled;
    }
    // What the stages have asked about sizes.
    for (const ir::SizeGuard& guard : std::span(shapes.guards()).subspan(asked)) {
        const capture::GuardText text = capture::textOf(guard);
        entries()[number].guards.push_back({text.kind, text.source, text.condition, text.where});
    }
    return compiled;
}

base::Result<std::shared_ptr<capture::CompiledGraph>>
BackendCompiler::compile(const capture::CapturedFunction& captured,
                         const capture::CompileOptions& options, bool gradMode) {
    if (hasComplex(*captured.graph)) {
        CUTAWAY_TRY(PairsGraph pairs, onPairs(*captured.graph));
        capture::CapturedFunction real = captured;
        real.graph = pairs.graph;
        CUTAWAY_TRY(auto inner, compile(real, options, gradMode));
        return behindPairs(std::move(inner), std::move(pairs), eager_);
    }
    CUTAWAY_CHECK(wantBackend(options.backend));
    // Where there are no values, calls run one by one: each makes tensors of its results' sizes.
    const bool meta = pipeline::deviceOf(*captured.graph) == ir::kMetaDevice;
    const BackendRow* row = findBackend(meta ? "eager" : options.backend);
    Backend& backend = *backends_[static_cast<size_t>(row - backends().data())];
    const pipeline::Options how = told(options_, options);
    const std::shared_ptr<ir::ShapeEnv>& shapes = captured.graph->shapes;
    if (!shapes)
        return backend.compile(captured, gradMode, how, beginEntry(captured, options.backend));
    std::string why = backend.whyBySize(*captured.graph);
    if (why.empty()) {
        const size_t asked = shapes->guards().size();
        auto compiled = compileWithSymbols(backend, captured, options.backend, gradMode, how);
        if (!compiled && shapes->guards().size() > asked) {
            // The stages have found sizes equal: now that is known from the start.
            capture::CapturedFunction settled = captured;
            auto graph = std::make_shared<ir::Graph>(captured.graph->clone());
            graph->rewriteSizes([&](const ir::Sym& size) { return shapes->replaced(size); });
            settled.graph = std::move(graph);
            compiled = compileWithSymbols(backend, settled, options.backend, gradMode, how);
        }
        if (compiled || compiled.error().fault != base::Fault::Bug) return compiled;
        why = "internal error: " + compiled.error().message;
        base::Diagnostic bug = compiled.error();
        bug.severity = base::Severity::Warning;
        if (!bug.where.known()) bug.where = captured.where;
        bug.notes.push_back({captured.where, fmt::format("{} is compiled for each combination of "
                                                         "sizes instead of once for all of them",
                                                         captured.functionName)});
        if (warn_) warn_(bug);
    }
    capture::CapturedFunction noted = captured;
    noted.guards.push_back(
        {"SIZE", "kernels", "are compiled for each combination of sizes: " + why, captured.where});
    auto recorder = beginEntry(noted, options.backend);
    std::vector<int64_t> hints;
    for (const ir::SizeSymbol& symbol : shapes->symbols())
        hints.push_back(symbol.hint);
    auto bySize = std::make_shared<BySize>(backend, captured, how, gradMode);
    CUTAWAY_CHECK(bySize->compileFor(hints, std::move(recorder)));
    return std::shared_ptr<capture::CompiledGraph>(std::move(bySize));
}

} // namespace cutaway::backend
