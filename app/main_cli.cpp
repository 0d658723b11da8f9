// SPDX-License-Identifier: Apache-2.0
// The command-line tool: parses the arguments and calls one command.
#include "app/cli/commands.h"
#include "app/engine/dot_layout.h"
#include "core/backend/plugin.h"
#include "core/base/box.h"
#include "core/base/file_system.h"
#include "core/base/process.h"
#include "core/base/sanitizers.h"
#include "core/driver/report.h"

#include <CLI/CLI.hpp>
#include <cctype>
#include <functional>
#include <new>
#include <sstream>

using namespace cutaway;

#if CUTAWAY_ADDRESS_SANITIZER
/// The box lets nobody trace a process, as the search for leaks does.
extern "C" const char* __asan_default_options() {
    return "detect_leaks=0";
}
#endif

namespace {

auto number(auto accepts, const char* expected) {
    return [=](const std::string& text) {
        char* end = nullptr;
        double value = std::strtod(text.c_str(), &end);
        bool good = !text.empty() && *end == 0 && accepts(value);
        return good ? "" : "expected " + std::string(expected) + ", found '" + text + "'";
    };
}

std::string notEmpty(const std::string& text) {
    return text.empty() ? "expected a path, found ''" : "";
}

/// Commands and their options.
class CommandLine {
public:
    CommandLine() {
        app_.set_version_flag("--version", "cutaway " CUTAWAY_VERSION);
        app_.require_subcommand(1);
        app_.failure_message([](const CLI::App*, const CLI::Error& error) {
            return std::string("error: ") + error.what() + "\nhint: 'cutaway --help' tells more\n";
        });
        options_.session.verify = false;
        addExplaining();
        addMeasuring();
        addOthers();
    }

    /// The exit status: that of the command, or of arguments that are wrong.
    int run(int argc, char** argv) {
        std::string known;
        bool isKnown = false;
        for (const CLI::App* sub : app_.get_subcommands({})) {
            known += (known.empty() ? "" : ", ") + sub->get_name();
            isKnown |= argc > 1 && sub->get_name() == argv[1];
        }
        if (argc > 1 && argv[1][0] != '-' && !isKnown)
            return cli::fail(base::usageError(std::string("unknown command '") + argv[1] + "'",
                                              "known commands: " + known));
        try {
            app_.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            return written(app_.exit(error) == 0 ? cli::kSuccess : cli::kUsage);
        }
        if (base::Status status = base::wantOpenFiles(); !status) return cli::fail(status.error());
        if (!serves_)
            for (const std::string& path : options_.plugins)
                if (base::Status status = backend::loadPlugin(path); !status)
                    return cli::fail(status.error());
        return written(chosen_());
    }

private:
    /// The status once standard output has all that was printed.
    static int written(int status) {
        if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
        return cli::fail(base::environmentError("cannot write standard output",
                                                "check the free space of where it goes"));
    }
    CLI::App* command(const char* name, const char* help, int (*run)(const cli::CommandOptions&)) {
        CLI::App* sub = app_.add_subcommand(name, help);
        sub->callback([this, run] { chosen_ = [this, run] { return run(options_); }; });
        return sub;
    }
    void addFile(CLI::App* sub, const char* what = "script, case file or .cutaway record") {
        sub->add_option("FILE", options_.session.path, what)->required();
    }
    /// What is compiled for, and how.
    void addTarget(CLI::App* sub) {
        sub->add_option("--device", options_.session.device, "cpu, cuda or cuda:N");
        sub->add_option("--threads", options_.session.threads,
                        "CPU threads of the kernels (0: all)")
            ->check(number([](double x) { return x >= 0; }, "a number from 0 up"));
        sub->add_option("--vector-bytes", options_.session.vectorBytes,
                        "widest vector register that C++ text may use (default: this machine's)")
            ->check(CLI::IsMember({16, 32, 64}));
        sub->add_flag(
            "--verify", options_.session.verify,
            "check the invariants of what every stage gives (a defect ends with a message)");
        sub->add_flag("--transformed", options_.session.transformed,
                      "run the transformed code of compiled functions, which 'explain --stage "
                      "guards' shows, as source");
        sub->add_flag("--no-cache", options_.noCache, "neither read nor write the kernel cache");
        addDecisions(sub);
        addPlugin(sub);
    }
    /// What a person decides instead of the compiler.
    void addDecisions(CLI::App* sub) {
        sub->add_option("--decide", options_.session.decisions,
                        "decide instead of the compiler: 'save NODE', 'recompute NODE', 'apart "
                        "BUFFER BUFFER', 'together BUFFER BUFFER' (may be repeated)")
            ->allow_extra_args(false);
        sub->add_option_function<std::vector<std::string>>(
               "--recipe",
               [this](const std::vector<std::string>& files) {
                   for (const std::string& file : files)
                       addRecipe(file);
               },
               "a file of such decisions, one a line, as the window saves them; lines that begin "
               "with # are remarks (may be repeated)")
            ->allow_extra_args(false);
        sub->add_option_function<std::vector<std::string>>(
               "--input",
               [this](const std::vector<std::string>& given) {
                   for (const std::string& text : given)
                       options_.session.decisions.push_back("input " + text);
               },
               "values for a tensor of a case file's inputs, counted from 0: '0=normal(0, 1, 7)', "
               "'1=ints(0, 10, 7)', '0=zeros', '0=file(x.npy)' (may be repeated)")
            ->allow_extra_args(false);
        sub->add_option_function<std::string>(
            "--memory-budget",
            [this](const std::string& text) {
                options_.session.decisions.push_back("budget " + text);
            },
            "what training may keep for the backward: 0.5 (of what min_cut saves) or a peak, "
            "64MiB");
        sub->add_option_function<std::string>(
            "--partitioner",
            [this](const std::string& text) {
                options_.session.decisions.push_back("partitioner " + text);
            },
            "min_cut (default), or default: save all that the backward reads");
        sub->add_flag_callback(
            "--freezing", [this] { options_.session.decisions.emplace_back("freezing"); },
            "without gradients: fold what parameters and buffers alone give, once");
        sub->add_option("--schedule", options_.session.schedules,
                        "KERNEL=CANDIDATE: its number or text in 'explain --stage schedule'; the "
                        "kernel may be GRAPH/KERNEL or * (may be repeated)")
            ->allow_extra_args(false);
        sub->add_option("--disable-pass", options_.session.disabledPasses,
                        "leave out a graph pass (may be repeated)");
    }
    void addRecipe(const std::string& file) {
        auto text = base::readFile(file);
        if (!text) throw CLI::ValidationError("--recipe", text.error().message);
        std::istringstream lines(*text);
        for (std::string line; std::getline(lines, line);) {
            while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())))
                line.pop_back();
            if (!line.empty() && line.front() != '#') options_.session.decisions.push_back(line);
        }
    }
    void addBackend(CLI::App* sub) {
        sub->add_option("--backend", options_.session.backend,
                        "inductor, aot_eager, eager, or one of a plug-in");
    }
    /// Before the process confines itself; of the engine when its child does.
    void addPlugin(CLI::App* sub) {
        sub->add_option("--plugin", options_.plugins,
                        "a shared library that adds backends and numbers of nodes "
                        "(resources/plugin/cutaway_plugin.h); runs with your rights (may be "
                        "repeated)")
            ->allow_extra_args(false)
            ->check(notEmpty);
    }
    void addSize(CLI::App* sub) {
        sub->add_option("--size", options_.session.size,
                        "a case file's size key (default: its first)");
    }
    /// What of a script is looked at.
    void addFunction(CLI::App* sub) {
        sub->add_option("--function", options_.session.function,
                        "only the compiled function of this name, as the script calls it");
        sub->add_option("--call", options_.session.call,
                        "only this call of a script's compiled function, from 1, as and when it is "
                        "made (default: all that runs; of what is timed the last)")
            ->check(number([](double x) { return x >= 1 && x <= 1e9; }, "a number from 1"));
    }
    void addJson(CLI::App* sub) { sub->add_flag("--json", options_.json, "print JSON"); }

    /// What runs and tells.
    void addExplaining() {
        CLI::App* run =
            command("run", "run a script as Python would; its torch.compile calls compile",
                    cli::runCommand);
        addFile(run, "script or case file"), addTarget(run), addBackend(run);
        run->add_option(
               "--record", options_.output,
               "write the record of what is compiled, as it grows: OUT.cutaway, to which a "
               "window attaches")
            ->check(notEmpty);

        CLI::App* explain =
            command("explain", "print every stage of a compilation", cli::explainCommand);
        addFile(explain), addTarget(explain), addBackend(explain), addSize(explain),
            addJson(explain), addFunction(explain);
        explain->add_option("--stage", options_.stage, "one stage: " + driver::stageNames());
        explain->add_option("--overlay", options_.overlay,
                            "only the numbers of nodes that an overlay of a plug-in computes");
    }

    /// What compares and times.
    void addMeasuring() {
        CLI::App* check = command(
            "check", "compare compiled results with eager and double precision", cli::checkCommand);
        check->add_option("FILE", options_.files, "case files or scripts")->required();
        addTarget(check), addSize(check), addJson(check), addFunction(check);
        check->add_flag("--probe", options_.probe,
                        "print every value of the compiled graphs beside eager mode and double "
                        "precision, and which is the first that rounding does not explain");

        CLI::App* bench = command(
            "bench", "time case files, or the compiled functions of scripts, on several backends",
            cli::benchCommand);
        bench->add_option("FILE", options_.files, "case files or scripts")->required();
        bench->add_flag("--backward", options_.backward,
                        "such a call, and back from the sum of what it gives");
        addTarget(bench), addSize(bench), addJson(bench), addFunction(bench);
        bench->add_option("--backends", options_.backends, "comma-separated")->delimiter(',');
        bench->add_option("--min-time", options_.minSeconds, "seconds of measuring per row")
            ->check(number([](double x) { return x > 0; }, "a number above 0"));
        bench->add_flag("--curve", options_.curve,
                        "time every choice of memory against time that the partition has");
        bench
            ->add_option("--trace", options_.output,
                         "also write stages, calls and kernels as a trace for Perfetto or "
                         "chrome://tracing: OUT.json")
            ->check(notEmpty);
        bench->add_flag("--kernels", options_.kernels, "also time every kernel by itself");
        bench->add_flag("--counters", options_.counters,
                        "also count instructions, cycles, misses and page faults of a call");

        bench->add_flag(
            "--lines", options_.lines,
            "also sample where a call computes: which kernels, and which lines of their "
            "texts");

        CLI::App* tune = command("tune", "time every schedule that was considered for every kernel",
                                 cli::tuneCommand);
        tune->add_option("FILE", options_.files, "case files or scripts")->required();
        addTarget(tune), addBackend(tune), addSize(tune), addJson(tune), addFunction(tune);
        tune->add_option("--rounds", options_.rounds, "turns of every schedule")
            ->check(
                number([](double x) { return x >= 1 && x <= 1000; }, "a number from 1 to 1000"));
    }

    /// What writes and compares files, and what tells of the tool itself.
    void addOthers() {
        CLI::App* compile =
            command("compile", "write the record of a compilation", cli::compileCommand);
        addFile(compile), addTarget(compile), addBackend(compile), addSize(compile),
            addFunction(compile);
        compile->add_option("-o,--output", options_.output, "OUT.cutaway")
            ->required()
            ->check(notEmpty);

        CLI::App* diff =
            command("diff", "what changed between two records, stage by stage", cli::diffCommand);
        diff->add_option("FILES", options_.files, "A.cutaway B.cutaway")->expected(2)->required();
        addJson(diff);
        diff->add_flag("--exit-code", options_.exitCode, "end with 1 where they differ");

        CLI::App* exporter =
            command("export", "write kernels or graphs as files of their own", cli::exportCommand);
        addFile(exporter), addTarget(exporter), addBackend(exporter), addSize(exporter),
            addFunction(exporter);
        exporter->add_option("-o,--output", options_.output, "folder")->required()->check(notEmpty);
        exporter
            ->add_option("--as", options_.exportAs,
                         "kernels: cpp or cuda; graphs: dot, graphml, svg, pdf or png; all: html")
            ->check(CLI::IsMember({"cpp", "cuda", "dot", "graphml", "svg", "pdf", "png", "html"}));

        CLI::App* ops = command("ops", "list the operations, or show one", cli::opsCommand);
        ops->add_option("NAME", options_.name, "operation, with or without overload");
        addJson(ops);
        CLI::App* doctor = command("doctor", "tell what this machine offers", cli::doctorCommand);
        addJson(doctor);
        CLI::App* serve = command("serve", "the engine: JSON-RPC over standard input and output",
                                  cli::serveCommand);
        addPlugin(serve);
        serve->parse_complete_callback([this] { serves_ = true; });
    }

    CLI::App app_{"Cutaway: a visual, interactive tensor-compiler explorer", "cutaway"};
    cli::CommandOptions options_;
    std::function<int()> chosen_;
    bool serves_ = false; ///< the engine loads plug-ins itself, and tells its client of problems
};

int runTool(int argc, char** argv) {
    if (base::Status status = base::prepareProcess(); !status) return cli::fail(status.error());
    if (argc == 2 && std::string_view(argv[1]) == "layout") return engine::runDotLayout();
    return CommandLine().run(argc, argv);
}

} // namespace

int main(int argc, char** argv) {
    try {
        return runTool(argc, argv);
    } catch (const std::bad_alloc&) {
        return cli::fail(base::environmentError("out of memory",
                                                "make the model or its sizes smaller, or free "
                                                "memory and try again"));
    } catch (const std::exception& error) {
        return cli::fail(base::bugError(std::string("unexpected failure: ") + error.what()));
    }
}
