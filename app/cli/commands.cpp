// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"

#include "app/engine/server.h"
#include "core/backend/plugin.h"
#include "core/base/box.h"
#include "core/base/file_system.h"
#include "core/base/held_file.h"
#include "core/base/private_folder.h"
#include "core/base/quote.h"
#include "core/driver/report.h"
#include "core/formats/onnx.h"
#include "core/pipeline/stage_runner.h"
#include "core/record/json.h"
#include "core/runtime/counters.h"
#include "core/runtime/sampler.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace cutaway::cli {

using nlohmann::json;

namespace {

void print(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

/// A path or name that is no UTF-8 is replaced rather than refused.
std::string jsonText(const json& value, int indent = -1) {
    return value.dump(indent, ' ', false, json::error_handler_t::replace) + "\n";
}

/// Names from a script or record stand in messages: they must not command the terminal.
void tell(const base::Diagnostic& diagnostic) {
    std::fprintf(stderr, "%s\n", base::terminalText(diagnostic.str()).c_str());
}

/// What Python prints of an uncaught exception, or a script to sys.stderr.
void tellTraceback(std::string_view text) {
    std::fprintf(stderr, "%s", base::terminalText(std::string(text)).c_str());
}

/// Compiles with a record, printing warnings; an error gives its exit status, and the record what was made before.
int compiled(driver::Tools& tools, const CommandOptions& options, record::Record& into) {
    driver::SessionOptions request = options.session;
    request.print = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); };
    request.traceback = tellTraceback;
    request.printError = tellTraceback;
    driver::Compiled result = driver::compile(tools, request);
    for (const base::Diagnostic& message : result.record.messages)
        if (message.severity != base::Severity::Error) tell(message);
    into = std::move(result.record);
    return result.error ? fail(*result.error) : kSuccess;
}

} // namespace

int fail(const base::Diagnostic& diagnostic) {
    tell(diagnostic);
    switch (diagnostic.fault) {
    case base::Fault::User:
        return kInputWrong;
    case base::Fault::Usage:
        return kUsage;
    case base::Fault::Environment:
        return kEnvironment;
    case base::Fault::Bug:
    case base::Fault::Cancelled:
        break;
    }
    return kInputWrong;
}

/// The folder if it can be used, asked once: from inside the box it cannot be seen why not.
static base::Result<std::string> usableCacheFolder() {
    CUTAWAY_TRY(std::string folder, base::defaultCacheFolder());
    CUTAWAY_TRY(const base::PrivateFolder opened, base::PrivateFolder::open(folder));
    return folder;
}

base::Result<std::string> cacheFolder(const CommandOptions& options) {
    if (options.noCache) return std::string();
    static const base::Result<std::string> folder = usableCacheFolder();
    if (!folder) return folder.error();
    return *folder;
}

/// Says that a folder was made for a file, when it was not there before.
class MadeFolder {
public:
    explicit MadeFolder(const std::string& file)
        : folder_(std::filesystem::path(file).parent_path()) {
        std::error_code code;
        missing_ = !folder_.empty() && !std::filesystem::exists(folder_, code);
    }
    void tell() {
        std::error_code code;
        if (missing_ && std::filesystem::exists(folder_, code))
            std::fprintf(stderr, "note: made the folder %s\n",
                         base::terminalText("'" + folder_.string() + "'").c_str());
        missing_ = false;
    }

private:
    std::filesystem::path folder_;
    bool missing_ = false;
};

/// The folder that has to be written to for a file or folder \p path to be there.
static std::string writtenFolder(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code code;
    fs::path at = fs::weakly_canonical(path, code); // a link is written through
    if (!fs::is_directory(at, code)) at = at.parent_path();
    while (!at.empty() && !fs::is_directory(at, code) && at != at.parent_path())
        at = at.parent_path();
    return at.empty() ? "." : at.string();
}

void confine(const CommandOptions& options) {
    auto cache = cacheFolder(options);
    base::BoxRules rules = base::systemRules(cache ? *cache : std::string());
    rules.readable.insert(rules.readable.end(), options.files.begin(), options.files.end());
    if (!options.session.path.empty()) rules.readable.push_back(options.session.path);
    for (const std::string& file : std::vector(rules.readable)) // weights beside a model
        for (std::string_view weights : formats::kOnnxWeights)
            if (file.ends_with(".onnx")) rules.readable.push_back(file + std::string(weights));
    for (const std::string& decision : options.session.decisions)
        if (auto file = driver::inputFile(decision)) rules.readable.push_back(*file);
    if (!options.output.empty()) rules.writable.push_back(writtenFolder(options.output));
    // None can be opened inside.
    if (options.counters) runtime::processCounters();
    if (options.lines) runtime::processSampler();
    // A kernel without Landlock is no news for every call; doctor tells it.
    base::enterBox(rules);
}

void warnOfCache(driver::Tools& tools) {
    if (auto problem = driver::cacheProblem(tools)) tell(*problem);
}

/// As Python answers Ctrl-C: the script sees KeyboardInterrupt, and a second one, before the script
/// has seen the first, ends the process. What leaves the script ends the process by the signal.
class KeyboardInterrupts {
public:
    explicit KeyboardInterrupts(const base::CancelToken& token) {
        watched_ = &token;
        std::signal(SIGINT, [](int) {
            if (!watched_->interrupt()) die();
        });
    }
    ~KeyboardInterrupts() { std::signal(SIGINT, SIG_DFL); }
    static bool ended(const base::Diagnostic& error) {
        return error.fault == base::Fault::Cancelled;
    }
    static void die() {
        std::signal(SIGINT, SIG_DFL);
        std::raise(SIGINT);
    }

private:
    static inline const base::CancelToken* watched_ = nullptr;
};

/// Writes the record of a script that runs, as it grows, for who looks on: when a graph is compiled,
/// and on the way while that takes no more than a fifth of the time.
class GrowingRecord {
public:
    explicit GrowingRecord(std::string path) : path_(std::move(path)), made_(path_) {}
    /// \param record lives until it is over()
    void grew(const record::Record& record) {
        record_ = &record;
        const Clock::duration since = Clock::now() - begin_;
        if (since > kShort && since > 5 * spent_)
            write(record);
        else
            isWritten_ = false;
    }
    void compiled() {
        if (record_ && !isWritten_) write(*record_);
    }
    /// \returns the exit status of what could not be written, or success.
    int over(const record::Record& record) {
        write(record);
        return failed_;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kShort{100};

    void write(const record::Record& record) {
        const Clock::time_point begin = Clock::now();
        const base::Status status = record::save(record, path_);
        held_.hold(path_);
        if (!status && failed_ == kSuccess) failed_ = fail(status.error());
        made_.tell();
        spent_ += Clock::now() - begin;
        isWritten_ = true;
    }

    std::string path_;
    MadeFolder made_;
    base::HeldFile held_; ///< until the program ends
    const record::Record* record_ = nullptr;
    Clock::time_point begin_ = Clock::now();
    Clock::duration spent_{};
    bool isWritten_ = true;
    int failed_ = kSuccess;
};

int runCommand(const CommandOptions& options) {
    confine(options);
    driver::SessionOptions request = options.session;
    std::optional<GrowingRecord> growing;
    if (!options.output.empty()) {
        growing.emplace(options.output);
        request.recorded = [&](const record::Record& soFar) { growing->grew(soFar); };
        request.progress = [&](const std::string& stage, double) {
            if (stage == pipeline::kRunsAgain) growing->compiled();
        };
    }
    const KeyboardInterrupts interrupts(request.cancel);
    request.print = [](std::string_view text) {
        print(text);
        std::fflush(stdout);
    };
    request.warn = tell;
    request.traceback = tellTraceback;
    request.printError = tellTraceback;
    driver::Tools tools(cacheFolder(options));
    record::Record record;
    base::Result<int> status = driver::runScript(tools, request, growing ? &record : nullptr);
    const int written = growing ? growing->over(record) : kSuccess;
    warnOfCache(tools);
    if (!status && interrupts.ended(status.error())) {
        fail(status.error());
        std::fflush(nullptr);
        interrupts.die();
    }
    if (!status) return fail(status.error());
    return *status == kSuccess ? written : *status;
}

/// Lines "node,number", which the window's colours read, too.
static int printOverlay(const record::Record& record, const std::string& overlay) {
    auto numbers = driver::nodeNumbers(record, overlay);
    if (!numbers) return fail(numbers.error());
    std::string text = "node," + overlay + "\n";
    for (const auto& [key, value] : *numbers)
        text += fmt::format("{},{}\n", key, value);
    print(base::terminalText(text));
    return kSuccess;
}

int explainCommand(const CommandOptions& options) {
    if (!options.overlay.empty())
        if (base::Status known = backend::knownOverlay(options.overlay); !known)
            return fail(known.error());
    confine(options);
    driver::Tools tools(cacheFolder(options));
    record::Record record;
    if (int status = compiled(tools, options, record)) {
        // The stages before the one that failed say what it was given.
        if (options.overlay.empty() && !options.json)
            if (auto text = driver::explainText(tools, record, options.stage))
                print(base::terminalText(*text));
        return status;
    }
    if (!options.overlay.empty()) return printOverlay(record, options.overlay);
    if (options.json) {
        auto result = driver::explainJson(tools, record, options.stage);
        if (!result) return fail(result.error());
        print(jsonText(*result, 1));
        return kSuccess;
    }
    auto text = driver::explainText(tools, record, options.stage);
    if (!text) return fail(text.error());
    print(base::terminalText(*text));
    return kSuccess;
}

int checkCommand(const CommandOptions& options) {
    confine(options);
    driver::Tools tools(cacheFolder(options));
    int worst = kSuccess;
    for (const std::string& file : options.files) {
        if (options.probe) {
            worst = std::max(worst, probeFile(tools, options, file));
            continue;
        }
        driver::SessionOptions request = options.session;
        request.path = file;
        if (!request.decisions.empty()) request.warn = tell; // of those that were not followed
        auto checks = driver::check(tools, request);
        if (!checks) {
            worst = std::max(worst, fail(checks.error()));
            continue;
        }
        for (const record::Check& row : *checks) {
            if (!row.passed) worst = std::max(worst, int{kInputWrong});
            if (options.json) {
                json line = record::toJson(row);
                line["file"] = file;
                print(jsonText(line));
                continue;
            }
            print(fmt::format("{} {}: {}: compiled {:.2e}, eager {:.2e}, limit {:.2e}\n",
                              row.passed ? "ok  " : "FAIL", file, row.what, row.compiledError,
                              row.eagerError, row.limit));
        }
    }
    warnOfCache(tools);
    return worst;
}

static json countsJson(const driver::Counted& counted) {
    json counts = json::object();
    for (const auto& [what, value] : counted.perCall)
        counts[what] = value;
    return counts;
}

static std::string countsText(const driver::Counted& counted) {
    std::string text;
    for (const auto& [what, value] : counted.perCall)
        text += fmt::format("    {:<20} {:>16.1f} a call\n", what, value);
    if (!counted.missing.empty())
        text += fmt::format("    instructions, cycles, misses: {}\n", counted.missing);
    return text;
}

/// "1.21e+06 instructions, 3.02e+05 cycles (4.00 IPC), 12.0 cache misses"; empty: none were counted.
static std::string kernelCountsText(const record::KernelTiming& kernel) {
    std::string text;
    double instructions = 0;
    for (const record::KernelCount& one : kernel.counts) {
        if (one.what == "context switches" || one.value <= 0) continue; // of other programs
        text += fmt::format("{}{:.4g} {}", text.empty() ? "" : ", ", one.value, one.what);
        if (one.what == "instructions") instructions = one.value;
        if (one.what == "cycles" && one.value > 0 && instructions > 0)
            text += fmt::format(" ({:.2f} instructions each)", instructions / one.value);
    }
    return text.empty() ? text : "              " + text + "\n";
}

/// The lines that most of the time is spent in.
static std::string samplesText(const driver::Sampled& sampled) {
    if (!sampled.missing.empty()) return fmt::format("    lines: {}\n", sampled.missing);
    const double all = std::max(1, sampled.samples);
    int inside = 0;
    std::string text;
    for (const driver::Sampled::Code& code : sampled.codes) {
        inside += code.samples;
        std::string names;
        for (const auto& [graph, kernel] : code.kernels)
            names += (names.empty() ? "" : ", ") + graph + "/" + kernel;
        text += fmt::format("    {:>5.1f} %  {}\n", 100 * code.samples / all, names);
        std::vector<driver::Sampled::Line> lines = code.lines;
        std::ranges::stable_sort(lines, std::ranges::greater(), &driver::Sampled::Line::samples);
        constexpr size_t kMost = 5;
        for (size_t i = 0; i < std::min(kMost, lines.size()); ++i)
            text += fmt::format("        {:>5.1f} %  line {}: {}\n", 100 * lines[i].samples / all,
                                lines[i].line, lines[i].text);
    }
    return fmt::format("    {} samples by {}; {:.1f} % in libraries and the program itself\n",
                       sampled.samples, sampled.what, 100 * (sampled.samples - inside) / all) +
           text;
}

void noteDisturbed() {
    std::fputs(
        "note: other programs had the processors all the while: the times above are not this "
        "program's own; measure again when nothing else runs\n",
        stderr);
}

int benchCommand(const CommandOptions& options) {
    const bool traced = !options.output.empty();
    if (traced && (options.files.size() != 1 || options.curve))
        return fail(base::usageError("--trace wants one case file, without --curve",
                                     "give each file a trace of its own"));
    confine(options);
    int worst = kSuccess;
    std::vector<record::Run> runs;
    auto head = [shown = options.json]() mutable {
        if (std::exchange(shown, true)) return;
        print(
            fmt::format("{:<26} {:<6} {:<6} {:<10} {:>12} {:>12} {:>6} {:>10} {:>9} {:>8} {:>12}\n",
                        "case", "device", "size", "backend", "us", "us_min", "runs", "compile_s",
                        "peak_mib", "launches", "saved_bytes"));
    };
    for (const std::string& file : options.files) {
        if (options.curve) {
            worst = std::max(worst, benchCurve(options, file));
            continue;
        }
        driver::SessionOptions request = options.session;
        request.path = file;
        driver::BenchOptions how;
        how.backends = options.backends;
        how.minSeconds = options.minSeconds;
        how.profileKernels = options.kernels || traced;
        how.backward = options.backward;
        driver::Counted counted;
        driver::Sampled sampled;
        if (options.lines) how.sampled = [&](driver::Sampled row) { sampled = std::move(row); };
        if (options.counters) how.counted = [&](driver::Counted row) { counted = std::move(row); };
        // Compile times are cold, as the PyTorch runner's: no disk cache.
        driver::Tools tools(std::string{});
        std::string told; // what is wrong with the file is wrong on every backend
        auto report = [&](const record::Run& row, const std::optional<base::Diagnostic>& problem) {
            if (problem && std::exchange(told, problem->str()) != problem->str())
                worst = std::max(worst, fail(*problem));
            if (traced && !problem) runs.push_back(row);
            if (options.json) {
                json line = record::toJson(row);
                if (problem) line["error"] = problem->message;
                if (row.kernels.empty()) line.erase("kernels");
                if (row.maxError < 0) line.erase("max_error");
                if (options.counters) line["counts"] = countsJson(counted);
                if (options.lines) line["lines"] = driver::samplesJson(sampled);
                if (!counted.missing.empty()) line["counts_missing"] = counted.missing;
                print(jsonText(line));
            } else if (!problem) {
                head();
                print(fmt::format("{:<26} {:<6} {:<6} {:<10} {:>12.3f} {:>12.3f} {:>6} {:>10.4f} "
                                  "{:>9.1f} {:>8} {:>12}\n",
                                  row.caseName, row.device, row.size, row.backend, row.us,
                                  row.usMin, row.runs, row.compileSeconds, row.peakMiB,
                                  row.launches, row.savedBytes));
                for (const record::KernelTiming& time : row.kernels)
                    print(fmt::format("    {:<9} {:<40} {:>12.3f} us {:>9.1f} GB/s\n", time.graph,
                                      time.kernel, time.us,
                                      static_cast<double>(time.bytes) / time.us * 1e-3) +
                          kernelCountsText(time));
                print(countsText(counted));
                if (options.lines) print(samplesText(sampled));
                if (row.disturbed) noteDisturbed();
            }
            counted = {};
            sampled = {};
            std::fflush(stdout);
        };
        if (base::Status status = driver::bench(tools, request, how, report); !status)
            worst = std::max(worst, fail(status.error()));
    }
    return traced ? std::max(worst, writeTrace(options, std::move(runs))) : worst;
}

int tuneCommand(const CommandOptions& options) {
    confine(options);
    int worst = kSuccess;
    std::vector<driver::TunedKernel> all;
    for (const std::string& file : options.files) {
        driver::SessionOptions request = options.session;
        request.path = file;
        driver::Tools tools(cacheFolder(options));
        auto kernels = driver::tune(tools, request, options.rounds);
        warnOfCache(tools);
        if (!kernels) {
            worst = std::max(worst, fail(kernels.error()));
            continue;
        }
        for (const driver::TunedKernel& kernel : *kernels) {
            if (!options.json)
                print(fmt::format("{}: {}/{}/{}\n", std::filesystem::path(file).stem().string(),
                                  kernel.entry, kernel.graph, kernel.kernel));
            for (const driver::TunedCandidate& row : kernel.candidates)
                print(options.json ? jsonText({{"file", file},
                                               {"entry", kernel.entry},
                                               {"graph", kernel.graph},
                                               {"kernel", kernel.kernel},
                                               {"number", row.number},
                                               {"schedule", row.text},
                                               {"predicted_us", row.predictedUs},
                                               {"measured_us", row.measuredUs},
                                               {"disturbed", row.disturbed},
                                               {"taken", row.taken}})
                                   : fmt::format("  {}{:>2} predicted {:>10.2f} us, measured "
                                                 "{:>10.2f} us{}  {}\n",
                                                 row.taken ? ">" : " ", row.number, row.predictedUs,
                                                 row.measuredUs, row.disturbed ? ", disturbed" : "",
                                                 row.text));
        }
        all.insert(all.end(), kernels->begin(), kernels->end());
        std::fflush(stdout);
    }
    if (!options.json) {
        print(driver::tuneSummary(all));
        if (std::ranges::any_of(all, &driver::TunedKernel::isDisturbed)) noteDisturbed();
    }
    return worst;
}

int compileCommand(const CommandOptions& options) {
    confine(options);
    driver::Tools tools(cacheFolder(options));
    record::Record record;
    if (int status = compiled(tools, options, record)) return status;
    MadeFolder made(options.output);
    if (base::Status status = record::save(record, options.output); !status)
        return fail(status.error());
    made.tell();
    return kSuccess;
}

int diffCommand(const CommandOptions& options) {
    confine(options);
    auto before = record::open(options.files[0]);
    if (!before) return fail(before.error());
    auto after = record::open(options.files[1]);
    if (!after) return fail(after.error());
    const json differing = driver::diffJson(*before, *after);
    print(options.json ? jsonText(differing, 1)
                       : base::terminalText(driver::diffText(*before, *after)));
    return options.exitCode && !differing.empty() ? kInputWrong : kSuccess;
}

int opsCommand(const CommandOptions& options) {
    if (options.json && options.name.empty()) {
        print(jsonText(driver::opsJson(), 1));
        return kSuccess;
    }
    auto text = driver::opsText(options.name);
    if (!text) return fail(text.error());
    if (options.json) {
        json rows = json::array();
        for (const json& row : driver::opsJson()) {
            std::string name = row["name"];
            if (name == options.name || name.substr(0, name.find('.')) == options.name)
                rows.push_back(row);
        }
        print(jsonText(rows, 1));
        return kSuccess;
    }
    print(*text);
    return kSuccess;
}

int doctorCommand(const CommandOptions& options) {
    driver::Tools tools(cacheFolder(options));
    print(options.json ? jsonText(driver::doctorJson(tools), 1) : driver::doctorText(tools));
    return kSuccess;
}

int serveCommand(const CommandOptions& options) {
    return engine::serve(cacheFolder(options), options.plugins);
}

} // namespace cutaway::cli
