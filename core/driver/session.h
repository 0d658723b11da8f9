// SPDX-License-Identifier: Apache-2.0
/// \file
/// What app and views may call: open a model file, compile it with everything recorded, check it
/// against double precision, measure it.
#pragma once

#include "core/base/cancel.h"
#include "core/base/result.h"
#include "core/record/record.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::driver {

struct SessionOptions {
    std::string path;
    std::optional<std::string> text;    ///< instead of the file's content (an editor's buffer)
    std::optional<std::string> content; ///< the file's bytes, where the caller has read them
    std::string device = "cpu";         ///< "cpu", "cuda", "cuda:1"
    std::string size;                   ///< a case file's size key; empty: its first
    std::string function;               ///< only the compiled function of that name; empty: all
    /// Only that call of a script's compiled functions, from 1, as and when it is made; 0: whatever
    /// runs (compile, check, probe, export), or a function's last call (bench, tune).
    int call = 0;
    std::string backend = "inductor";
    bool transformed = false; ///< run the transformed code that is shown of compiled functions
    bool verify = true;       ///< check the invariants of what every stage gives
    int threads = 0;          ///< 0: the machine's
    int vectorBytes = 0;      ///< widest vector register of C++ text: 16, 32, 64; 0: this machine's
    std::set<std::string> disabledPasses;
    /// How kernels are to run: "KERNEL=CANDIDATE", where the kernel may be named with its graph, or
    /// "*", and the candidate by its number or text in stage "schedule".
    std::vector<std::string> schedules;
    /// What is to be decided otherwise than by the compiler: "save NODE", "recompute NODE" (of the
    /// joint graph), "apart BUFFER BUFFER", "together BUFFER BUFFER", "schedule KERNEL=CANDIDATE",
    /// "budget 0.5", "budget 64MiB", "partitioner default", "without PASS", "order PASS OTHER"
    /// (right before it), "freezing", "input 0=normal(0, 1, 7)" (core/driver/inputs.h). One that
    /// cannot be met is told as a warning.
    std::vector<std::string> decisions;
    /// The bytes of a file that a decision names, or that an ONNX model has its weights in; null: they are read.
    std::function<base::Result<std::string>(const std::string& path)> readInput;
    std::function<void(std::string_view)> print;      ///< the script's output; null: dropped
    std::function<void(std::string_view)> printError; ///< what it writes to sys.stderr
    std::function<void(const base::Diagnostic&)>
        warn; ///< graph breaks, eager fallbacks; null: dropped
    std::function<void(std::string_view)>
        traceback; ///< Python's account of an exception that the script did not catch
    /// Told of every stage; \p fraction of it that is done, 0: not known.
    std::function<void(const std::string& stage, double fraction)> progress;
    /// Told of the record under construction whenever a stage's result was added to it, on the
    /// thread that compiles; may throw base::Cancelled.
    std::function<void(const record::Record& soFar)> recorded;
    base::CancelToken cancel;
};

/// Compilers of this machine, shared by sessions; costly to make (about 15 ms), so keep it.
class Tools {
public:
    /// \param cacheFolder empty: no disk cache; an error: none either, and cacheProblem() tells it
    explicit Tools(const base::Result<std::string>& cacheFolder);
    ~Tools();
    struct Parts;
    Parts& parts() { return *parts_; }

private:
    std::unique_ptr<Parts> parts_;
};

/// A warning when compiled kernels could not be kept on disk; said once.
std::optional<base::Diagnostic> cacheProblem(Tools& tools);

/// What a compilation gave: the record, and the error that ended it early, if any. A record is
/// there also when an error is: it holds what was done until then, and the error among its
/// messages.
struct Compiled {
    record::Record record;
    std::optional<base::Diagnostic> error;
};

/// Reads, captures, compiles and runs once (forward, and backward for a case with train), recording
/// everything, or what became of the function and the call that the options name. A .cutaway file is
/// opened instead.
Compiled compile(Tools& tools, const SessionOptions& options);

/// Runs a script as Python would; its torch.compile calls compile. Gives the status that sys.exit()
/// asked for, 0 without it.
/// \param record gets what was compiled, also when the script fails; null: nothing is recorded
base::Result<int> runScript(Tools& tools, const SessionOptions& options,
                            record::Record* record = nullptr);

/// A tensor of a case file's example inputs.
struct CaseInput {
    std::string argument; ///< "0", or "1.2": the second tensor of the second argument
    std::string type;
    bool integral = false; ///< bool included
};
/// In order: their numbers are those of the decision "input NUMBER=...". None of other scripts.
base::Result<std::vector<CaseInput>> caseInputs(Tools& tools, const SessionOptions& options);
/// The file that a decision "input NUMBER=file(PATH)" names.
std::optional<std::string> inputFile(std::string_view decision);

/// Compares compiled results and gradients with eager ones and with double precision, for a case
/// file or for every compiled function of a script.
base::Result<std::vector<record::Check>> check(Tools& tools, const SessionOptions& options);

/// What one call was counted to do, on the host (runtime/counters.h).
struct Counted {
    std::vector<std::pair<std::string, double>> perCall; ///< "instructions", in an order that stays
    std::string missing; ///< why the processor's own counters are not among them; empty: they are
};
/// Where the host was in some hundred milliseconds of one call after the other (runtime/sampler.h).
struct Sampled {
    struct Line {
        int line = 0; ///< of the kernel's C++ text, from 1
        int samples = 0;
        std::string text; ///< of the line, under the names that were compiled
    };
    /// Kernels that have one machine code.
    struct Code {
        std::vector<std::pair<std::string, std::string>> kernels; ///< graph and name
        int samples = 0;
        /// By line; samples whose line is not known are in none. None where many kernels have more.
        std::vector<Line> lines;
    };
    std::string what;        ///< the moments are equally many of this: "cycles", "clock"
    int samples = 0;         ///< all; those of no code are libraries' or the program's own
    std::vector<Code> codes; ///< the most first
    std::string missing;     ///< why there is nothing; empty: there is
};
struct BenchOptions {
    std::vector<std::string> backends;
    double minSeconds = 0.5;
    bool profileKernels = false; ///< fill Run::kernels from a few extra calls
    bool backward = false;       ///< a call of a function, and back from the sum of what it gives
    /// Told what calls of a row did, from a few extra ones, before its report; null: nobody asks. With
    /// profileKernels the kernels on a CPU have their own counts, too.
    std::function<void(Counted)> counted;
    std::function<void(Sampled)> sampled; ///< likewise
};
using BenchReport = std::function<void(const record::Run&, const std::optional<base::Diagnostic>&)>;
/// Times a case file's step on each backend (design section 12; bench/torch_runner.py), or calls
/// that a script makes of its compiled functions, made again with the same arguments: a row each.
/// \param report gets each row as soon as it is known; a backend that fails gives its diagnostic
base::Status bench(Tools& tools, const SessionOptions& options, const BenchOptions& how,
                   const BenchReport& report);

/// One candidate of a kernel's schedule, timed.
struct TunedCandidate {
    int number = 0; ///< in stage "schedule", from 1
    std::string text;
    double predictedUs = 0, measuredUs = 0;
    bool taken = false;
    bool disturbed = false; ///< by other programs throughout: the time is not its own
};
struct TunedKernel {
    std::string entry; ///< of the record that it is in: "model.0"
    std::string graph, kernel;
    std::vector<TunedCandidate> candidates; ///< those that can run it
    bool isDisturbed() const;               ///< whether any of their times is
};

/// Times every candidate of every kernel of a case file's step, or of calls of a script's compiled
/// functions (back from the sum of what they give, where that has a gradient): all is compiled once
/// for each number of a candidate, and the compilations take turns, but for a call by its number.
/// Medians over \p rounds, of those that no other program disturbed, and up to three times as many
/// until half of them are such.
base::Result<std::vector<TunedKernel>> tune(Tools& tools, const SessionOptions& options,
                                            int rounds);
/// How well predictions fit, in a few lines: ratios, ranks, what taking the fastest would save. Of
/// kernels that were disturbed only how many they are.
std::string tuneSummary(const std::vector<TunedKernel>& kernels);

/// A text of a recorded kernel that is made on demand: "llvm", "llvm-before", "asm", "ptx", "sass",
/// from the kernel's recorded C++ or CUDA text. Lines link to the text's items. "remarks" is the C++
/// text itself with what its compiler says of its lines. Only text that these tools have generated is
/// given to a compiler; a record that was opened may hold anything. Errors: user error for an unknown
/// language and for text of unknown origin; environment error when a tool is missing.
struct Listing {
    record::Code code;
    std::vector<record::Remark> remarks;
};
base::Result<Listing> listing(Tools& tools, const record::KernelInfo& kernel,
                              const std::string& language);

} // namespace cutaway::driver
