// SPDX-License-Identifier: Apache-2.0
// odd_arguments [--first N] [--every N] [--op TEXT] [--jobs N] [--pairs N] [--cache DIR]
// Every operation of the catalogue (whose name holds TEXT) with systematically odd arguments: its good samples with one
// thing changed (a size, a rank, a dtype, positions beyond the end, a number, a list's length, None), and N with two, at
// random. Each call runs and, where there are gradients, is differentiated, in a process that may crash. A call may be
// refused or give any numbers; a crash, a message of a defect, and a call that does not end fail. --every N takes one
// call in N, beginning with the one numbered --first.
#include "random_models/catalogue_call.h"

#include "core/backend/eager_runner.h"
#include "core/jit/quick_code.h"
#include "core/ops/call_forms.h"
#include "core/ops/catalogue.h"
#include "core/ops/sample_tools.h"
#include "tests/ops/sample_graph.h"

#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cutaway;
using namespace cutaway::testing;
using ir::DType;

namespace {

struct OddCall {
    const ops::OpDef* def;
    ops::Sample sample;
    std::string what; ///< what is odd about it
};

// --- tensors ---

struct TensorChange {
    const char* what;
    void (*make)(ops::SampleTensor&);
};
template <DType dtype> void become(ops::SampleTensor& t) {
    t.dtype = dtype;
}
/// Beside dtypes: of all tensors at once likewise.
constexpr TensorChange kShapes[] = {
    {"0-d", [](ops::SampleTensor& t) { t.sizes = {}; }},
    {"empty", [](ops::SampleTensor& t) { t.sizes = {0}; }},
    {"one element", [](ops::SampleTensor& t) { t.sizes = {1}; }},
    {"a dimension less",
     [](ops::SampleTensor& t) {
         if (!t.sizes.empty()) t.sizes.erase(t.sizes.begin());
     }},
    {"a dimension more", [](ops::SampleTensor& t) { t.sizes.insert(t.sizes.begin(), 2); }},
    {"two dimensions more", [](ops::SampleTensor& t) { t.sizes.insert(t.sizes.begin(), 2, 1); }},
    {"first size 0",
     [](ops::SampleTensor& t) {
         if (!t.sizes.empty()) t.sizes.front() = 0;
     }},
    {"last size 0",
     [](ops::SampleTensor& t) {
         if (!t.sizes.empty()) t.sizes.back() = 0;
     }},
    {"first size longer",
     [](ops::SampleTensor& t) {
         if (!t.sizes.empty()) t.sizes.front() += 1;
     }},
    {"last size longer",
     [](ops::SampleTensor& t) {
         if (!t.sizes.empty()) t.sizes.back() += 1;
     }},
    {"last size shorter",
     [](ops::SampleTensor& t) {
         if (!t.sizes.empty() && t.sizes.back() > 0) t.sizes.back() -= 1;
     }},
    {"first size 1",
     [](ops::SampleTensor& t) {
         if (!t.sizes.empty()) t.sizes.front() = 1;
     }},
    {"all sizes 1", [](ops::SampleTensor& t) { t.sizes.assign(t.sizes.size(), 1); }},
};
constexpr TensorChange kDTypes[] = {
    {"bool", become<DType::Bool>},         {"uint8", become<DType::UInt8>},
    {"int8", become<DType::Int8>},         {"int32", become<DType::Int32>},
    {"int64", become<DType::Int64>},       {"float16", become<DType::Float16>},
    {"bfloat16", become<DType::BFloat16>}, {"float32", become<DType::Float32>},
    {"float64", become<DType::Float64>},
};
constexpr TensorChange kValues[] = {
    {"awkward", [](ops::SampleTensor& t) { t.awkward = true; }},
    {"beyond the ends", [](ops::SampleTensor& t) { t.low = -100, t.high = 100; }},
    {"of zeros", [](ops::SampleTensor& t) { t.low = t.high = 0; }},
    {"of minus ones", [](ops::SampleTensor& t) { t.low = t.high = -1; }},
};

/// What the values may be then, and how they may lie.
void settle(ops::SampleTensor& t) {
    const size_t rank = t.sizes.size();
    if (rank < 2 || t.sizes[rank - 1] != t.sizes[rank - 2]) t.definite = false;
    if (!ir::isFloating(t.dtype)) t.definite = t.awkward = false;
    const auto within = [&](double low, double high) {
        t.low = std::min(std::max(t.low, low), high),
        t.high = std::max(std::min(t.high, high), low);
    };
    if (t.dtype == DType::Bool) within(0, 1);
    if (t.dtype == DType::UInt8) within(0, 255);
    if (t.dtype == DType::Int8) within(-128, 127);
    if (t.dtype == DType::Int32 || t.dtype == DType::Int16) within(-2e9, 2e9);
}

// --- other arguments ---

ir::Arg listOf(const ir::ArgList& list, ir::Arg value) {
    return ir::Arg(ir::ArgList(list.size(), std::move(value)));
}

/// Odd values for an argument of the schema, of which \p now is a good one.
std::vector<ir::Arg> oddValues(const ops::SchemaArg& argument, const ir::Arg& now) {
    using ops::I, ops::L;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double inf = std::numeric_limits<double>::infinity();
    std::vector<ir::Arg> odd;
    if (argument.optional) odd.push_back({});
    const std::string_view type = argument.type;
    constexpr int64_t kInts[] = {
        0,  1,   -1,      2,       -2,        3,         7,         -7,
        64, 100, -100000, 1 << 30, INT32_MAX, INT64_MAX, INT64_MIN, int64_t{1} << 40};
    if (type == "int" || type == "SymInt")
        for (int64_t value : kInts)
            odd.push_back(I(value));
    if (type == "Scalar") {
        for (int64_t value : {int64_t{0}, int64_t{-1}, int64_t{3}, INT64_MAX, INT64_MIN})
            odd.push_back(I(value));
        odd.push_back(ir::Arg(true));
    }
    if (type == "Scalar" || type == "float")
        for (double value : {0.0, -1.0, 0.5, nan, inf, -inf, 1e300, -1e-300})
            odd.push_back(ir::Arg(value));
    if (type == "bool")
        for (bool value : {false, true})
            odd.push_back(ir::Arg(value));
    if (type == "ScalarType")
        for (DType dtype : {DType::Bool, DType::UInt8, DType::Int64, DType::Float16, DType::Float64,
                            DType::Float8E4M3})
            odd.push_back(ir::Arg(dtype));
    if (type == "str" || type == "MemoryFormat" || type == "Layout")
        for (const char* text :
             {"", "nonsense", "channels_last", "channels_last_3d", "preserve_format", "strided"})
            odd.push_back(ir::Arg(std::string(text)));
    const bool ints = type.starts_with("int[") || type.starts_with("SymInt[");
    if (ints || type.starts_with("bool[") || type == "float[]") {
        const ir::ArgList* list = now.list();
        ir::ArgList some = list ? *list : ir::ArgList{};
        const ir::Arg one = ints ? I(1) : type == "float[]" ? ir::Arg(1.0) : ir::Arg(true);
        odd.push_back(ir::Arg(ir::ArgList()));
        for (size_t length : {1, 2, 3, 5})
            odd.push_back(listOf(ir::ArgList(length), one));
        ir::ArgList longer = some, shorter = some;
        longer.push_back(one);
        odd.push_back(ir::Arg(longer));
        if (!shorter.empty()) shorter.pop_back(), odd.push_back(ir::Arg(shorter));
        if (ints)
            for (int64_t value : {int64_t{0}, int64_t{-1}, int64_t{-2}, int64_t{2}, int64_t{3},
                                  int64_t{9}, int64_t{1} << 31, INT64_MAX, INT64_MIN}) {
                odd.push_back(listOf(some, I(value)));
                if (some.empty()) continue;
                ir::ArgList first = some, last = some;
                first.front() = I(value), last.back() = I(value);
                odd.push_back(ir::Arg(first));
                odd.push_back(ir::Arg(last));
            }
        if (type == "float[]")
            for (double value : {0.0, -1.0, nan, inf, 1e300})
                odd.push_back(listOf(some, ir::Arg(value)));
    }
    if (type == "Tensor[]" || type == "Tensor?[]") {
        odd.push_back(ir::Arg(ir::ArgList()));
        if (const ir::ArgList* list = now.list(); list && !list->empty()) {
            ir::ArgList shorter = *list, longer = *list, none = *list;
            shorter.pop_back(), longer.push_back(list->front());
            odd.push_back(ir::Arg(shorter));
            odd.push_back(ir::Arg(longer));
            longer.insert(longer.end(), 3, list->front());
            odd.push_back(ir::Arg(longer));
            if (type == "Tensor?[]") {
                none.front() = {};
                odd.push_back(ir::Arg(none));
                odd.push_back(listOf(*list, {}));
            }
        }
    }
    return odd;
}

// --- calls ---

std::vector<OddCall> changedOnce(const ops::OpDef& def, const ops::Sample& good,
                                 const std::string& number) {
    std::vector<OddCall> calls;
    auto add = [&](ops::Sample sample, const std::string& what) {
        for (ops::SampleTensor& tensor : sample.tensors)
            settle(tensor);
        calls.push_back({&def, std::move(sample), number + what});
    };
    const auto changeTensors = [&](std::span<const TensorChange> changes) {
        for (const TensorChange& change : changes) {
            for (size_t k = 0; k < good.tensors.size(); ++k) {
                ops::Sample sample = good;
                change.make(sample.tensors[k]);
                add(std::move(sample), fmt::format("tensor {} {}", k, change.what));
            }
            if (good.tensors.size() < 2) continue;
            ops::Sample all = good;
            for (ops::SampleTensor& tensor : all.tensors)
                change.make(tensor);
            add(std::move(all), fmt::format("all tensors {}", change.what));
        }
    };
    changeTensors(kShapes);
    changeTensors(kDTypes);
    changeTensors(kValues);
    for (size_t i = 0; i < def.parsed.args.size(); ++i) {
        ops::Sample full = good;
        while (full.args.size() <= i && full.args.size() < def.parsed.args.size()) {
            const ops::SchemaArg& next = def.parsed.args[full.args.size()];
            full.args.push_back(next.defaultValue.value_or(ir::Arg()));
        }
        const ops::SchemaArg& argument = def.parsed.args[i];
        if (argument.type == "Tensor" && full.args[i].isNone() && !good.tensors.empty())
            for (uint32_t k = 0; k < good.tensors.size(); ++k) {
                ops::Sample sample = full;
                sample.args[i] = ops::T(k);
                add(std::move(sample), argument.name + " another tensor");
            }
        for (ir::Arg& value : oddValues(argument, full.args[i])) {
            ops::Sample sample = full;
            sample.args[i] = std::move(value);
            add(std::move(sample), argument.name);
        }
    }
    return calls;
}

/// The tensors that are still named, in the order in which they are.
void dropUnused(ops::Sample& sample) {
    std::vector<ops::SampleTensor> used;
    ir::rewriteNodes(sample.args, [&](ir::NodeId id) {
        used.push_back(sample.tensors[id.index]);
        return ir::NodeId(static_cast<uint32_t>(used.size() - 1));
    });
    sample.tensors = std::move(used);
}

std::vector<OddCall> oddCalls(const ops::OpDef& def, size_t pairs) {
    std::vector<OddCall> calls;
    std::vector<ops::Sample> good;
    for (const ops::Sample& sample : def.samples())
        if (sample.expectedError.empty()) good.push_back(sample);
    if (good.size() > 3) good.erase(good.begin() + 2, good.end() - 1);
    for (size_t g = 0; g < good.size(); ++g) {
        auto once = changedOnce(def, good[g], fmt::format("sample {}, ", g));
        calls.insert(calls.end(), once.begin(), once.end());
    }
    std::mt19937_64 random(std::hash<std::string>()(def.name()));
    const size_t single = calls.size();
    for (size_t k = 0; k < pairs && single > 0; ++k) {
        const OddCall first = calls[random() % single];
        auto again = changedOnce(def, first.sample, first.what + "; ");
        if (!again.empty()) calls.push_back(again[random() % again.size()]);
    }
    for (OddCall& call : calls)
        dropUnused(call.sample);
    return calls;
}

std::string textOf(const OddCall& call) {
    std::vector<std::string> tensors;
    for (const ops::SampleTensor& t : call.sample.tensors)
        tensors.push_back(fmt::format("{}[{}]", ir::name(t.dtype), fmt::join(t.sizes, ", ")));
    std::vector<std::string> names;
    for (size_t k = 0; k < tensors.size(); ++k)
        names.push_back(fmt::format("<{}>", tensors[k]));
    return CatalogueCall{call.def, &call.sample, {}, false}.text(names) + "  # " + call.what;
}

// --- trying ---

/// What is wrong with it; nothing where it was refused in the user's words, or done.
std::string tried(backend::EagerRunner& eager, const OddCall& call, int& done) {
    const auto defect = [](const base::Diagnostic& error) {
        return error.fault == base::Fault::Bug ? error.message : std::string();
    };
    if (!ops::checkKinds(*call.def, call.sample.args).ok())
        return {}; // whoever binds calls has asked
    auto made = tests::makeSampleGraph(*call.def, call.sample);
    if (!made.ok()) return defect(made.error());
    const ir::Node& node = made->graph.node(made->call);
    int64_t bytes = 0;
    for (const ir::TensorType& type : node.types) {
        int64_t each = static_cast<int64_t>(ir::sizeBytes(type.dtype));
        for (const ir::Sym& size : type.sizes)
            if (__builtin_mul_overflow(each, size.constant(), &each)) each = INT64_MAX / 4;
        bytes = std::max(bytes, each);
    }
    if (bytes > int64_t{1} << 28) return {}; // large tensors are the user's wish
    std::vector<runtime::TensorPtr> tensors;
    for (size_t k = 0; k < made->inputs.size(); ++k) {
        auto tensor = runtime::fromHost(made->inputs[k], {});
        if (!tensor.ok()) return tensor.error().message;
        (*tensor)->type.requiresGrad = ir::isFloating(made->inputs[k].dtype);
        tensors.push_back(*tensor);
    }
    ir::ArgList args = node.args; // complete
    uint32_t next = 0;
    ir::rewriteNodes(args, [&](ir::NodeId) { return ir::NodeId(next++); });
    auto results = eager.call(*call.def, args, tensors, true);
    if (!results.ok()) return defect(results.error());
    ++done;
    runtime::BackwardRequest request{.inputs = {}, .accumulate = false};
    for (const runtime::TensorPtr& result : *results) {
        if (!result || !result->type.requiresGrad || !result->gradFunction) continue;
        auto ones = eager.call("ones_like", {ir::Arg(ir::NodeId(0))}, {backend::valueOf(result)});
        if (!ones.ok()) return defect(ones.error());
        request.roots.push_back(result);
        request.gradients.push_back(*ones);
    }
    for (const runtime::TensorPtr& tensor : tensors)
        if (tensor->type.requiresGrad) request.inputs.push_back(tensor);
    if (request.roots.empty() || request.inputs.empty()) return {};
    auto gradients = eager.backward(request);
    if (!gradients.ok()) return defect(gradients.error());
    for (size_t k = 0; k < gradients->size(); ++k)
        if ((*gradients)[k] && (*gradients)[k]->type.sizes != request.inputs[k]->type.sizes)
            return fmt::format("a gradient of sizes {} for {}",
                               ir::str((*gradients)[k]->type.sizes),
                               ir::str(request.inputs[k]->type.sizes));
    return {};
}

struct Options {
    size_t first = 0, every = 1, jobs = 2, pairs = 40;
    std::string op, cache;
};

constexpr itimerval kLimit{{}, {8, 0}}, kNone{}; // of the processor's time
constexpr rlim_t kMemory = rlim_t{6} << 30;

/// Tries calls from \p begin on and writes to \p pipe: "@3" before the call numbered 3, "+" behind it where it was
/// done, other lines where something is wrong.
void tryFrom(const std::vector<OddCall>& calls, size_t begin, const Options& options, int pipe) {
    const rlimit memory{kMemory, kMemory}, core{0, 0};
    ::setrlimit(RLIMIT_AS, &memory);
    ::setrlimit(RLIMIT_CORE, &core);
    const jit::QuickCode quick;
    pipeline::Toolchain toolchain(options.cache);
    backend::EagerRunner eager(toolchain, {});
    const auto say = [&](const std::string& line) {
        if (::write(pipe, line.data(), line.size()) < 0) ::_exit(1);
    };
    for (size_t k = begin; k < calls.size(); ++k) {
        say(fmt::format("@{}\n", k));
        int done = 0;
        ::setitimer(ITIMER_PROF, &kLimit, nullptr);
        std::string wrong;
        try {
            wrong = tried(eager, calls[k], done);
        } catch (const std::exception& error) {
            wrong = std::string("exception: ") + error.what();
        }
        ::setitimer(ITIMER_PROF, &kNone, nullptr);
        if (done) say("+\n");
        if (!wrong.empty()) say(fmt::format("{}\n    {}\n", wrong, textOf(calls[k])));
    }
}

struct Tally {
    size_t calls = 0, done = 0, failed = 0;
};

/// Tries calls in a process of their own, and those behind one that crashes in another.
void tryAll(const std::vector<OddCall>& calls, const Options& options, Tally& tally) {
    for (size_t begin = 0; begin < calls.size();) {
        int ends[2];
        if (::pipe(ends) != 0) std::abort();
        const pid_t child = ::fork();
        if (child < 0) std::abort();
        if (child == 0) {
            ::close(ends[0]);
            tryFrom(calls, begin, options, ends[1]);
            ::_exit(0);
        }
        ::close(ends[1]);
        std::string text;
        char block[4096];
        for (ssize_t n; (n = ::read(ends[0], block, sizeof block)) > 0;)
            text.append(block, static_cast<size_t>(n));
        ::close(ends[0]);
        int status = 0;
        ::waitpid(child, &status, 0);
        std::istringstream lines(text);
        size_t at = begin;
        std::string told;
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with('@'))
                at = std::stoul(line.substr(1));
            else if (line == "+")
                ++tally.done;
            else
                told += line + "\n", tally.failed += !line.starts_with("    ");
        }
        if (WIFSIGNALED(status))
            ++tally.failed, told += fmt::format("{}\n    {}\n", ::strsignal(WTERMSIG(status)),
                                                textOf(calls[at]));
        fmt::print("{}", told);
        std::fflush(stdout);
        begin = WIFSIGNALED(status) ? at + 1 : calls.size();
    }
    tally.calls += calls.size();
}

Tally tryOperations(const Options& options, size_t job) {
    Tally tally;
    size_t number = 0, turn = 0;
    for (const ops::OpDef& def : ops::catalogue().all()) {
        if (def.name().find(options.op) == std::string::npos) continue;
        std::vector<OddCall> calls;
        for (OddCall& call : oddCalls(def, options.pairs))
            if (number++ % options.every == options.first % options.every)
                calls.push_back(std::move(call));
        if (turn++ % options.jobs == job) tryAll(calls, options, tally);
    }
    return tally;
}

bool parse(int count, char** arguments, Options& options) {
    bool good = count % 2 == 1;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = arguments[i], value = arguments[i + 1];
        const std::map<std::string, size_t*> numbers{{"--first", &options.first},
                                                     {"--every", &options.every},
                                                     {"--jobs", &options.jobs},
                                                     {"--pairs", &options.pairs}};
        const std::map<std::string, std::string*> texts{{"--op", &options.op},
                                                        {"--cache", &options.cache}};
        if (const auto at = numbers.find(name); at != numbers.end())
            good &= std::from_chars(value.data(), value.data() + value.size(), *at->second).ec ==
                    std::errc();
        else if (const auto text = texts.find(name); text != texts.end())
            *text->second = value;
        else
            good = false;
    }
    return good && options.every > 0 && options.jobs > 0;
}

} // namespace

int main(int count, char** arguments) {
    Options options;
    if (!parse(count, arguments, options)) {
        fmt::print(stderr, "usage: odd_arguments [--first N] [--every N] [--op NAME] [--jobs N] "
                           "[--pairs N] [--cache DIR]\n");
        return 2;
    }
    std::vector<pid_t> jobs;
    for (size_t job = 0; job < options.jobs; ++job) {
        jobs.push_back(::fork());
        if (jobs.back() != 0) continue;
        const Tally tally = tryOperations(options, job);
        fmt::print("{} calls, {} done, {} failed\n", tally.calls, tally.done, tally.failed);
        std::fflush(stdout);
        ::_exit(tally.failed ? 1 : 0);
    }
    bool failed = false;
    for (pid_t job : jobs) {
        int status = 0;
        ::waitpid(job, &status, 0);
        failed |= status != 0;
    }
    return failed ? 1 : 0;
}
