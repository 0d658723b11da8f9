// SPDX-License-Identifier: Apache-2.0
#include "core/record/chrome_trace.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace cutaway::record {

using nlohmann::json;

namespace {

class Trace {
public:
    explicit Trace(const Record& record) : record_(record), links_(record) {}

    std::string text() {
        for (const Function& function : record_.functions)
            for (size_t e = 0; e < function.entries.size(); ++e)
                addCompilation(function, function.entries[e], e);
        for (const Run& run : record_.runs)
            addRun(run);
        const json whole = {{"traceEvents", events_},
                            {"displayTimeUnit", "ns"},
                            {"otherData",
                             {{"producer", record_.producer},
                              {"script", record_.path},
                              {"note", "stages and kernels stand one behind the other, as long as "
                                       "each took by itself"}}}};
        return whole.dump(-1, ' ', false, json::error_handler_t::replace);
    }

private:
    void beginProcess(const std::string& name) {
        ++process_;
        lanes_.clear();
        events_.push_back(
            {{"ph", "M"}, {"pid", process_}, {"name", "process_name"}, {"args", {{"name", name}}}});
        events_.push_back({{"ph", "M"},
                           {"pid", process_},
                           {"name", "process_sort_index"},
                           {"args", {{"sort_index", process_}}}});
    }
    /// The number of a lane of this process.
    int lane(const std::string& name) {
        const auto known = lanes_.find(name);
        if (known != lanes_.end()) return known->second;
        const int number = static_cast<int>(lanes_.size()) + 1;
        lanes_.emplace(name, number);
        events_.push_back({{"ph", "M"},
                           {"pid", process_},
                           {"tid", number},
                           {"name", "thread_name"},
                           {"args", {{"name", name}}}});
        events_.push_back({{"ph", "M"},
                           {"pid", process_},
                           {"tid", number},
                           {"name", "thread_sort_index"},
                           {"args", {{"sort_index", number}}}});
        return number;
    }
    void add(const std::string& laneName, const std::string& name, const char* category,
             double begin, double us, json arguments) {
        const int number = lane(laneName);
        events_.push_back({{"ph", "X"},
                           {"pid", process_},
                           {"tid", number},
                           {"name", name},
                           {"cat", category},
                           {"ts", begin},
                           {"dur", us},
                           {"args", std::move(arguments)}});
    }

    void addCompilation(const Function& function, const Entry& entry, size_t index) {
        if (entry.times.empty()) return;
        beginProcess(fmt::format("compilation: {}, {}{}{}", function.name,
                                 entry.call > 0 ? fmt::format("call {}", entry.call)
                                                : fmt::format("entry {}", index + 1),
                                 entry.segment.empty() ? std::string() : " · " + entry.segment,
                                 entry.backwardOf >= 0 ? " · backward" : ""));
        double at = 0;
        for (const StageTime& stage : entry.times) {
            const double us = stage.ms * 1000;
            add("stages", stage.stage, "stage", at, us, json::object());
            addPasses(entry, stage.stage, at, us);
            at += us;
        }
    }
    /// Those whose times lie within the stage's.
    void addPasses(const Entry& entry, const std::string& stage, double begin, double us) {
        double inside = 0;
        std::vector<const PassRun*> passes;
        for (const PassRun& pass : entry.passes)
            if ((pass.stage == "captured" && stage == "decompose") ||
                (pass.stage == "joint" && stage == "passes")) {
                passes.push_back(&pass);
                inside += pass.ms * 1000;
            }
        if (inside > us) return;
        for (const PassRun* pass : passes) {
            add("stages", pass->pass, "pass", begin, pass->ms * 1000,
                {{"summary", pass->summary}, {"changes", pass->changes.size()}});
            begin += pass->ms * 1000;
        }
    }

    void addRun(const Run& run) {
        beginProcess(fmt::format("{}: size {}, {}, {} threads", run.backend,
                                 run.size.empty() ? "-" : run.size, run.device, run.threads));
        const json about = {
            {"median_us", run.us},      {"fastest_us", run.usMin},       {"calls", run.runs},
            {"launches", run.launches}, {"bytes_moved", run.bytesMoved}, {"peak_mib", run.peakMiB},
            {"train", run.train},       {"decisions", run.decisions}};
        double at = 0;
        for (const KernelTiming& kernel : run.kernels) {
            addKernel(kernel, at);
            at += kernel.us;
        }
        if (!run.kernels.empty() && run.us > at)
            add("launch and the rest", "launch and the rest", "launch", at, run.us - at,
                json::object());
        addThreads(run);
        at = 0;
        for (size_t i = 0; i < run.samples.size(); ++i) {
            add("measured calls", fmt::format("call {}", i + 1), "call", at, run.samples[i],
                i == 0 ? about : json::object());
            at += run.samples[i];
        }
        if (run.samples.empty()) add("measured calls", "median call", "call", 0, run.us, about);
    }

    /// A lane for each thread of a team; where it is empty the thread waits.
    void addThreads(const Run& run) {
        int threads = 0;
        for (const KernelTiming& kernel : run.kernels)
            for (const ThreadPart& part : kernel.threads)
                threads = std::max(threads, part.thread + 1);
        for (int thread = 0; thread < threads; ++thread) {
            double at = 0;
            for (const KernelTiming& kernel : run.kernels) {
                for (const ThreadPart& part : kernel.threads)
                    if (part.thread == thread)
                        add(fmt::format("thread {}", thread), kernel.kernel, "thread",
                            at + part.begin, part.us, json::object());
                at += kernel.us;
            }
        }
    }

    void addKernel(const KernelTiming& timing, double at) {
        json arguments = {{"bytes", timing.bytes}, {"flops", timing.flops}};
        if (timing.us > 0) {
            arguments["GB/s"] = static_cast<double>(timing.bytes) / timing.us * 1e-3;
            arguments["GFLOP/s"] = timing.flops / timing.us * 1e-3;
        }
        const KernelInfo* info = find(timing);
        if (info) {
            arguments["reads"] = info->reads;
            arguments["writes"] = info->writes;
            arguments["source"] = sourceOf(info->buffers);
            if (!info->schedule.empty()) arguments["schedule"] = info->schedule;
        }
        const bool library = info && info->kind != "loops";
        add(timing.graph, timing.kernel, library ? "library call" : "kernel", at, timing.us,
            std::move(arguments));
    }
    const KernelInfo* find(const KernelTiming& timing) const {
        for (const Function& function : record_.functions)
            for (const Entry& entry : function.entries)
                for (const LoweredGraph& lowered : entry.lowered)
                    for (const KernelInfo& kernel : lowered.kernels)
                        if (lowered.graph == timing.graph && kernel.name == timing.kernel)
                            return &kernel;
        return nullptr;
    }
    /// "model.py:9": lines that call what the items came from, not those that made modules of it.
    std::vector<std::string> sourceOf(const std::vector<ItemId>& items) const {
        const std::vector<ItemId> from = links_.ancestors(items); // sorted
        std::set<std::pair<size_t, int>> lines;                   // file, line
        for (const Function& function : record_.functions)
            for (const Entry& entry : function.entries)
                if (const GraphStage* captured = entry.graph("captured"))
                    for (const GraphNode& node : captured->nodes)
                        if (std::ranges::binary_search(from, node.item))
                            for (const base::Location& where : node.source)
                                for (size_t file = 0; file < record_.files.size(); ++file)
                                    if (record_.files[file].name == where.file)
                                        lines.emplace(file, where.line);
        std::vector<std::string> names;
        for (const auto& [file, line] : lines)
            names.push_back(fmt::format("{}:{}", record_.files[file].name, line));
        return names;
    }

    const Record& record_;
    LinkIndex links_;
    json events_ = json::array();
    int process_ = 0;
    std::map<std::string, int> lanes_; ///< of the process
};

} // namespace

std::string chromeTrace(const Record& record) {
    return Trace(record).text();
}

} // namespace cutaway::record
