// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/format.h"
#include "views/models/rows.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace cutaway::views::rows {

namespace {
QString tr(const char* text) {
    return QCoreApplication::translate("rows", text);
}
QString str(const std::string& text) {
    return QString::fromStdString(text);
}
} // namespace

std::vector<Column> runColumns() {
    return {{tr("Backend"), false, true, {}},
            {tr("Time"), true, false, tr("median of one call; forward and backward when training")},
            {tr("Speed-up"), true, false, tr("against eager")},
            {tr("Error"), true, false, tr("largest relative error against double precision")},
            {tr("Kernels"), true, false, tr("kernels launched in one call")},
            {tr("Traffic"), true, false, tr("bytes read and written by kernels in one call")},
            {tr("Peak"), true, false, tr("peak memory")},
            {tr("Compile"), true, false, tr("time to compile, once")},
            {tr("Measured"), false, false, tr("what the numbers are of")}};
}

/// Time of the eager run of the same text, size, device and threads; 0: none.
static double eagerTime(const std::vector<record::Run>& all, const record::Run& of) {
    for (const record::Run& run : all)
        if (run.backend == "eager" && Measured(run).matches(Measured(of))) return run.us;
    return 0;
}

static QString launchesTip(const record::Run& run) {
    if (run.eagerLaunches == 0) return tr("all in compiled graphs");
    return QString(tr("%1 in compiled graphs, %2 one by one outside of them"))
        .arg(format::count(run.launches - run.eagerLaunches), format::count(run.eagerLaunches));
}

/// "7 + 1": in compiled graphs, and outside.
static QString launchesText(const record::Run& run) {
    const int compiled = run.launches - run.eagerLaunches;
    if (run.eagerLaunches == 0 || compiled == 0) return format::count(run.launches);
    return format::count(compiled) + " + " + format::count(run.eagerLaunches);
}

/// From the best to the median of a measurement's runs; 0: not known.
static double spreadOf(const record::Run& run) {
    return run.usMin > 0 ? std::max(0.0, run.us - run.usMin) : 0;
}

std::vector<Row> runs(const std::vector<record::Run>& all, const Measured& shown) {
    double slowest = 0;
    for (const record::Run& run : all)
        slowest = std::max(slowest, run.us);
    std::vector<Row> result;
    for (const record::Run& run : all) {
        Row row;
        row.dimmed = !Measured(run).matches(shown);
        const double eager = eagerTime(all, run);
        double speedup = eager > 0 && run.us > 0 ? eager / run.us : 0;
        row.detail = str(run.backend);
        // Medians that lie within the spread of the runs say nothing.
        double spreadUs = spreadOf(run);
        for (const record::Run& other : all)
            if (other.backend == "eager" && other.us == eager)
                spreadUs = std::max(spreadUs, spreadOf(other));
        const bool sure = eager <= 0 || std::abs(run.us - eager) >= spreadUs;
        Tone gain = !sure                           ? Tone::Muted
                    : speedup >= 1.05               ? Tone::Good
                    : speedup > 0 && speedup < 0.95 ? Tone::Warning
                                                    : Tone::Normal;
        QString spread = QString(tr("best %1 in %2 runs, %3 threads"))
                             .arg(format::microseconds(run.usMin))
                             .arg(run.runs)
                             .arg(run.threads);
        row.cells = {
            {str(run.backend), {}, -1, Tone::Normal, {}},
            {format::microseconds(run.us), run.us, slowest > 0 ? run.us / slowest : 0, Tone::Normal,
             spread},
            {run.backend == "eager" ? QString()
             : sure                 ? format::ratio(speedup)
                                    : "≈ " + format::ratio(speedup),
             speedup, -1, gain,
             sure ? QString()
                  : tr("the difference lies within the spread of the runs (%1)")
                        .arg(format::microseconds(spreadUs))},
            {format::error(run.maxError),
             run.maxError,
             -1,
             run.maxError < 0 ? Tone::Muted : Tone::Normal,
             {}},
            {launchesText(run), run.launches, -1, Tone::Normal, launchesTip(run)},
            {run.bytesMoved > 0 ? format::bytes(run.bytesMoved) : QString(),
             static_cast<qlonglong>(run.bytesMoved),
             -1,
             Tone::Normal,
             {}},
            {run.peakMiB > 0 ? format::bytes(static_cast<int64_t>(run.peakMiB * 1048576))
                             : QString(),
             run.peakMiB,
             -1,
             Tone::Normal,
             {}},
            {run.compileSeconds > 0 ? format::microseconds(run.compileSeconds * 1e6) : QString(),
             run.compileSeconds,
             -1,
             Tone::Muted,
             {}},
            {Measured(run).text(), {}, -1, Tone::Muted, {}}};
        result.push_back(std::move(row));
    }
    return result;
}

std::vector<Column> timingColumns() {
    return {{tr("Kernel"), false, true, {}},
            {tr("Time"), true, false, {}},
            {tr("Share"), true, false, tr("of the time of the whole call")},
            {tr("Traffic"), true, false, {}},
            {tr("Bandwidth"), true, false, {}}};
}

std::vector<Row> timings(const record::Run& run, const Measured& shown) {
    double total = 0, most = 0;
    for (const record::KernelTiming& timing : run.kernels) {
        total += timing.us;
        most = std::max(most, timing.us);
    }
    // Kernels are timed by themselves, so they may sum up to more than a call of all of them takes.
    const double whole = std::max(total, run.us), rest = whole - total;
    most = std::max(most, rest);
    std::vector<Row> result;
    for (const record::KernelTiming& timing : run.kernels) {
        Row row;
        row.dimmed = !Measured(run).matches(shown);
        if (timing.item != kNoItem) row.items = {timing.item};
        double share = whole > 0 ? timing.us / whole : 0;
        double rate = timing.us > 0 ? double(timing.bytes) / (timing.us * 1e-6) : 0;
        row.cells = {{str(timing.kernel), {}, -1, Tone::Normal, str(timing.graph)},
                     {format::microseconds(timing.us),
                      timing.us,
                      most > 0 ? timing.us / most : 0,
                      Tone::Normal,
                      {}},
                     {QString::number(share * 100, 'f', 1) + " %", share, -1, Tone::Muted, {}},
                     {format::bytes(timing.bytes),
                      static_cast<qlonglong>(timing.bytes),
                      -1,
                      Tone::Normal,
                      {}},
                     {format::bandwidth(rate), rate, -1, Tone::Normal, {}}};
        result.push_back(std::move(row));
    }
    if (rest > 0 && !run.kernels.empty()) {
        Row row;
        row.dimmed = !Measured(run).matches(shown);
        row.cells = {
            {tr("launch and the rest"),
             {},
             -1,
             Tone::Muted,
             tr("what the call takes beside its kernels: checks, launches, allocation")},
            {format::microseconds(rest), rest, most > 0 ? rest / most : 0, Tone::Muted, {}},
            {QString::number(rest / whole * 100, 'f', 1) + " %", rest / whole, -1, Tone::Muted, {}},
            {},
            {}};
        result.push_back(std::move(row));
    }
    return result;
}

std::vector<Column> checkColumns() {
    return {{tr("Compared"), false, true, {}},
            {tr("Verdict"), false, false, {}},
            {tr("Compiled"), true, false, tr("largest relative error of the compiled result")},
            {tr("Eager"), true, false, tr("largest relative error of the eager result")},
            {tr("Limit"), true, false, {}}};
}

std::vector<Row> checks(const std::vector<record::Check>& all, const Measured& shown) {
    std::vector<Row> result;
    for (const record::Check& check : all) {
        Row row;
        row.dimmed = !Measured(check).matches(shown);
        row.cells = {
            {str(check.what), {}, -1, Tone::Normal, {}},
            {check.passed ? tr("passed") : tr("failed"),
             {},
             -1,
             check.passed ? Tone::Good : Tone::Error,
             {}},
            {format::error(check.compiledError), check.compiledError, -1, Tone::Normal, {}},
            {format::error(check.eagerError), check.eagerError, -1, Tone::Normal, {}},
            {format::error(check.limit), check.limit, -1, Tone::Muted, {}}};
        result.push_back(std::move(row));
    }
    return result;
}

} // namespace cutaway::views::rows
