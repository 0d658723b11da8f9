// SPDX-License-Identifier: Apache-2.0
#include "judge.h"

#include "child.h"
#include "model.h"

#include "core/driver/check.h"
#include "core/jit/quick_code.h"
#include "core/runtime/precision.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <regex>
#include <sstream>
#include <sys/time.h>
#include <unistd.h>

namespace cutaway::testing {

namespace {

/// Printed numbers of results whose graphs were found right may differ by this much of their size:
/// what is looked for is a lost gradient or a wrong tensor, not rounding. Gradients cancel more (of
/// a normalisation behind another).
struct Allowed {
    double relative, absolute;
};
constexpr Allowed kPrinted{2e-3, 1e-5}, kPrintedGradient{5e-2, 2e-4};

struct Ran {
    driver::LoadedProgram program;
    std::string printed;
    bool broke = false; ///< a graph of it
};

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

base::Result<Ran> run(driver::Tools& tools, const std::string& script, const std::string& device) {
    driver::SessionOptions options;
    options.device = device;
    options.path = "model.py";
    options.text = script;
    options.threads = 2;
    for (const std::string& line : linesOf(script))
        if (line.starts_with(kDecision))
            options.decisions.push_back(line.substr(std::string_view(kDecision).size()));
    auto printed = std::make_shared<std::string>();
    options.print = [printed](std::string_view text) { printed->append(text); };
    auto broke = std::make_shared<bool>(false);
    options.warn = [broke](const base::Diagnostic& told) {
        *broke |= told.message.starts_with("graph break");
    };
    CUTAWAY_TRY(
        driver::LoadedProgram program,
        driver::loadProgram(tools, options, options.backend, nullptr, backend::KeepRuns::Yes));
    return Ran{std::move(program), *printed, *broke};
}

/// "output 0 torch.float32 (2,) [1.0, nan]": what stands before the list, and its numbers.
std::pair<std::string, std::vector<double>> parsed(const std::string& line) {
    const size_t at = line.find('[');
    std::vector<double> numbers;
    if (at == std::string::npos) return {line, numbers};
    std::string word;
    for (char c : line.substr(at) + ",") {
        if (c != ',' && c != ']') {
            if (c != '[' && c != ' ') word += c;
            continue;
        }
        if (word == "True" || word == "False")
            numbers.push_back(word == "True");
        else if (!word.empty())
            numbers.push_back(std::strtod(word.c_str(), nullptr));
        word.clear();
    }
    return {line.substr(0, at), numbers};
}

bool close(const std::vector<double>& a, const std::vector<double>& b, const Allowed& allowed) {
    if (a.size() != b.size()) return false;
    double squares = 0;
    size_t finite = 0;
    for (double x : a)
        if (std::isfinite(x)) squares += x * x, ++finite;
    const double size = finite ? std::sqrt(squares / static_cast<double>(finite)) : 0;
    for (size_t i = 0; i < a.size(); ++i) {
        if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
        if (!(std::abs(a[i] - b[i]) <=
              allowed.relative * (size + std::abs(a[i])) + allowed.absolute))
            return false;
    }
    return true;
}

/// Takes away gradients that are zeros in compiled code and none in eager: what a graph before a
/// break gives the next one has a gradient of zeros where nothing comes back, in PyTorch, too.
void dropZerosOfBreaks(std::vector<std::string>& found, const std::vector<std::string>& expected) {
    std::erase_if(found, [&](const std::string& line) {
        const auto [head, numbers] = parsed(line);
        const bool zeros = std::ranges::all_of(numbers, [](double x) { return x == 0; });
        const auto same = [&head = head](const std::string& other) {
            return other.starts_with(head);
        };
        return zeros && head.starts_with("grad of ") && std::ranges::none_of(expected, same);
    });
}

Verdict comparePrinted(const Ran& compiledRun, const std::string& eager) {
    const std::string& compiled = compiledRun.printed;
    auto found = linesOf(compiled), expected = linesOf(eager);
    if (compiledRun.broke) dropZerosOfBreaks(found, expected);
    if (found.size() != expected.size())
        return {"other lines", "compiled:\n" + compiled + "eager:\n" + eager};
    for (size_t i = 0; i < found.size(); ++i) {
        const auto [head, numbers] = parsed(found[i]);
        const auto [wantedHead, wanted] = parsed(expected[i]);
        const Allowed& allowed = head.starts_with("grad") ? kPrintedGradient : kPrinted;
        if (head == wantedHead && close(wanted, numbers, allowed)) continue;
        return {"printed " + (head == wantedHead ? std::string("numbers") : std::string("types")),
                fmt::format("compiled: {}\neager:    {}", found[i], expected[i])};
    }
    return {};
}

/// Gradients by differences are no comparison with eager: they test what both rest on.
bool isAsEager(const record::Check& row) {
    if (row.what.find("differences") != std::string::npos) return false;
    return row.compiledError == row.eagerError ||
           std::abs(row.compiledError - row.eagerError) <= 1e-2 * row.eagerError;
}

/// The message without names and numbers: what shrinking must keep.
std::string kindOf(const std::string& message) {
    std::string kind;
    for (char c : message.substr(0, message.find('\n')))
        if (!std::isdigit(static_cast<unsigned char>(c))) kind += c;
    return kind;
}

std::string uncompiled(std::string script) {
    static const std::regex kCall(R"(torch\.compile\((\w+)[^)]*\))");
    return std::regex_replace(script, kCall, "$1");
}

} // namespace

Verdict judge(const std::string& script, const Bench& bench) {
    const runtime::FullPrecision exact; // the limits are float32's
    std::optional<jit::QuickCode> quick;
    if (bench.quick) quick.emplace();
    driver::Tools tools(bench.cacheFolder);
    auto eager = run(tools, uncompiled(script), bench.device);
    if (!eager) return {"eager: " + kindOf(eager.error().message), eager.error().str()};
    auto compiled = run(tools, script, bench.device);
    if (!compiled) return {"compiled: " + kindOf(compiled.error().message), compiled.error().str()};
    auto rows =
        driver::checkRuns(*compiled->program.eager, compiled->program.compiler->keptRuns(), true);
    if (!rows) return {"check: " + kindOf(rows.error().message), rows.error().str()};
    Verdict asEager;
    for (const record::Check& row : *rows) {
        if (row.passed && row.eagerError <= row.limit) continue;
        if (isAsEager(row)) {
            asEager = {kAsEager, row.what};
            continue;
        }
        return {row.passed ? "eager numbers" : "numbers",
                fmt::format("{}: compiled off by {:.2e}, eager by {:.2e}, limit {:.2e}", row.what,
                            row.compiledError, row.eagerError, row.limit)};
    }
    Verdict verdict = comparePrinted(*compiled, eager->printed);
    if (verdict.fault.empty()) verdict = asEager;
    for (const backend::KeptRun& kept : compiled->program.compiler->keptRuns())
        for (ir::NodeId id : kept.captured->order())
            verdict.operations.insert(kept.captured->node(id).op);
    return verdict;
}

std::string packed(const Verdict& verdict) {
    return fmt::format("{}\n{}\n{}", verdict.fault, fmt::join(verdict.operations, " "),
                       verdict.detail);
}

Verdict unpacked(const std::string& text) {
    const size_t end = text.find('\n'), next = text.find('\n', end + 1);
    if (end == std::string::npos || next == std::string::npos) return {"no verdict", text};
    Verdict verdict{text.substr(0, end), text.substr(next + 1)};
    std::istringstream operations(text.substr(end, next - end));
    for (std::string operation; operations >> operation;)
        verdict.operations.insert(operation);
    return verdict;
}

Verdict triedAlone(const std::string& script, const Bench& bench, int seconds) {
    const Child::End end = Child([&] {
                               // What other work takes of the machine does not count; waiting has
                               // an end, too.
                               const itimerval computed{{}, {seconds, 0}};
                               ::setitimer(ITIMER_PROF, &computed, nullptr);
                               ::alarm(30 * static_cast<unsigned>(seconds));
                               return packed(judge(script, bench));
                           }).end();
    if (end.signal == SIGALRM || end.signal == SIGPROF) return {"runs too long", ""};
    if (end.signal) return {"crash", fmt::format("signal {}", end.signal)};
    return unpacked(end.text);
}

} // namespace cutaway::testing
