// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/format.h"
#include "views/models/rows.h"
#include "views/models/significance.h"
#include "views/models/timeline.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace cutaway::views::rows {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Rows)
};

QString str(const std::string& text) {
    return QString::fromStdString(text);
}
} // namespace

std::vector<Column> runColumns() {
    return {{Words::tr("Backend"), false, true, {}},
            {Words::tr("Time"), true, false,
             Words::tr("median of one call; forward and backward when training"), "us"},
            {Words::tr("Speed-up"), true, false, Words::tr("against eager"), "1"},
            {Words::tr("Against eager"), false, false,
             Words::tr("whether single calls differ by more than chance")},
            {Words::tr("Spread"), true, false,
             Words::tr("half the distance between the quartiles of the calls"), "1"},
            {Words::tr("Error"), true, false,
             Words::tr("largest relative error against double precision"), "1"},
            {Words::tr("Kernels"), true, false, Words::tr("kernels launched in one call"), "1"},
            {Words::tr("Traffic"), true, false,
             Words::tr("bytes read and written by kernels in one call"), "bytes"},
            {Words::tr("Peak"), true, false, Words::tr("peak memory"), "MiB"},
            {Words::tr("Compile"), true, false, Words::tr("time to compile, once"), "s"},
            {Words::tr("Measured"), false, false, Words::tr("what the numbers are of")}};
}

/// The eager run of the same text, size, device and threads; null: none. What the compiler was told
/// does not change eager.
static const record::Run* eagerOf(const std::vector<record::Run>& all, const record::Run& of) {
    for (const record::Run& run : all)
        if (run.backend == "eager" && &run != &of &&
            Measured(run).undecided().matches(Measured(of).undecided()))
            return &run;
    return nullptr;
}

static QString launchesTip(const record::Run& run) {
    if (run.eagerLaunches == 0) return Words::tr("all in compiled graphs");
    return QString(Words::tr("%1 in compiled graphs, %2 one by one outside of them"))
        .arg(format::count(run.launches - run.eagerLaunches), format::count(run.eagerLaunches));
}

/// "7 + 1": in compiled graphs, and outside.
static QString launchesText(const record::Run& run) {
    const int compiled = run.launches - run.eagerLaunches;
    if (run.eagerLaunches == 0 || compiled == 0) return format::count(run.launches);
    return format::count(compiled) + " + " + format::count(run.eagerLaunches);
}

static Tone toneOf(const Compared& compared) {
    switch (compared.verdict) {
    case Verdict::Faster:
        return Tone::Good;
    case Verdict::Slower:
        return Tone::Warning;
    case Verdict::Same:
    case Verdict::Unsteady:
        return Tone::Muted;
    case Verdict::Unknown: // a record of before single calls were kept
        break;
    }
    return compared.ratio >= 1.05                         ? Tone::Good
           : compared.ratio > 0 && compared.ratio <= 0.95 ? Tone::Warning
                                                          : Tone::Normal;
}

/// The median with a bar, and where most calls lie.
static Cell timeCell(const record::Run& run, double longest) {
    Cell cell{format::microseconds(run.us), run.us, longest > 0 ? run.us / longest : 0,
              Tone::Normal,
              QString(Words::tr("best %1 in %2 runs, %3 threads"))
                  .arg(format::microseconds(run.usMin))
                  .arg(run.runs)
                  .arg(run.threads)};
    if (const auto spread = spreadOf(run); spread && longest > 0) {
        cell.low = spread->lowest / longest;
        cell.high = spread->highest / longest;
        cell.tooltip +=
            Words::tr("; the line at the foot spans four of five calls: %1 to %2")
                .arg(format::microseconds(spread->lowest), format::microseconds(spread->highest));
    }
    if (const QString why = whyUnsteady(run); !why.isEmpty()) {
        cell.tone = Tone::Warning;
        cell.tooltip += "\n" + why;
    }
    return cell;
}

static Cell spreadCell(const record::Run& run) {
    const auto spread = spreadOf(run);
    if (!spread || run.us <= 0) return {};
    const double half = (spread->high - spread->low) / 2;
    QString tip = Words::tr("half of the calls took %1 to %2")
                      .arg(format::microseconds(spread->low), format::microseconds(spread->high));
    const QString why = whyUnsteady(run);
    if (!why.isEmpty()) tip += "\n" + why;
    return {"± " + format::microseconds(half), half / run.us, -1,
            half / run.us > 0.1 || !why.isEmpty() ? Tone::Warning : Tone::Muted, tip};
}

/// A time that is not \p run's own is said not to be, also where it is compared with none.
static Cell verdictCell(const record::Run& run, Compared compared) {
    if (isUnsteady(run)) compared.verdict = Verdict::Unsteady;
    if (compared.verdict == Verdict::Unsteady) {
        const QString why = whyUnsteady(run);
        return {Words::tr("disturbed"), compared.p, -1, Tone::Warning,
                why.isEmpty() ? Words::tr("what it is compared with was disturbed") : why};
    }
    return {compared.text(), compared.p, -1, toneOf(compared),
            Words::tr("rank test of single calls; differences below 2 % count as none")};
}

/// The longest that is drawn: a median, or where most calls of it end.
static double longestOf(const std::vector<record::Run>& all) {
    double longest = 0;
    for (const record::Run& run : all) {
        longest = std::max(longest, run.us);
        if (const auto spread = spreadOf(run)) longest = std::max(longest, spread->highest);
    }
    return longest;
}

std::vector<Row> runs(const std::vector<record::Run>& all, const Measured& shown) {
    const double longest = longestOf(all);
    std::vector<Row> result;
    for (const record::Run& run : all) {
        Row row;
        row.dimmed = !Measured(run).matches(shown);
        row.detail = str(run.backend);
        const record::Run* eager = run.backend == "eager" ? nullptr : eagerOf(all, run);
        const Compared compared = eager ? compare(run, *eager) : Compared();
        const bool same = compared.verdict == Verdict::Same;
        row.cells = {
            {str(run.backend), {}, -1, Tone::Normal, {}},
            timeCell(run, longest),
            {compared.ratio > 0 ? (same ? "≈ " : "") + format::ratio(compared.ratio) : QString(),
             compared.ratio,
             -1,
             toneOf(compared),
             {}},
            verdictCell(run, compared),
            spreadCell(run),
            {format::error(run.maxError),
             run.maxError,
             -1,
             run.maxError < 0 ? Tone::Muted : Tone::Normal,
             {}},
            {launchesText(run), run.launches, -1, Tone::Normal, launchesTip(run)},
            {run.bytesMoved > 0 ? format::bytes(run.bytesMoved) : QString(),
             static_cast<qlonglong>(run.bytesMoved), -1, Tone::Normal,
             Words::tr("what all of these read and write, those outside of compiled graphs "
                       "included: the sum that makes a loss of the outputs is one")},
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

std::vector<Column> historyColumns() {
    return {{Words::tr("Backend"), false, true, {}},
            {Words::tr("Time"), true, false, Words::tr("median of one call"), "us"},
            {Words::tr("Spread"), true, false,
             Words::tr("half the distance between the quartiles of the calls"), "1"},
            {Words::tr("Against the first"), false, false,
             Words::tr(
                 "the measurement that the others are compared with is chosen with a double click "
                 "or Enter")},
            {Words::tr("Measured"), false, false, Words::tr("what the numbers are of")}};
}

std::vector<Row> history(const std::vector<record::Run>& all, int baseline, const Measured& shown) {
    const double longest = longestOf(all);
    const bool known = baseline >= 0 && static_cast<size_t>(baseline) < all.size();
    std::vector<Row> result;
    for (size_t i = all.size(); i-- > 0;) {
        const record::Run& run = all[i];
        const bool isBase = known && i == static_cast<size_t>(baseline);
        Compared compared;
        if (known && !isBase) compared = compare(run, all[static_cast<size_t>(baseline)]);
        Row row;
        row.detail = QString::number(i);
        row.bold = isBase;
        row.dimmed = !Measured(run).matches(shown);
        Cell verdict = isBase ? Cell{Words::tr("the baseline"), 0, -1, Tone::Muted, {}}
                              : verdictCell(run, compared);
        if (compared.ratio > 0) verdict.text = format::ratio(compared.ratio) + " " + verdict.text;
        row.cells = {{str(run.backend), {}, -1, Tone::Normal, {}},
                     timeCell(run, longest),
                     spreadCell(run),
                     verdict,
                     {Measured(run).text(), {}, -1, Tone::Muted, {}}};
        result.push_back(std::move(row));
    }
    return result;
}

/// What the engine calls what it counts.
static const char* const kCounters[] = {
    QT_TRANSLATE_NOOP("Rows", "instructions"), QT_TRANSLATE_NOOP("Rows", "cycles"),
    QT_TRANSLATE_NOOP("Rows", "cache misses"), QT_TRANSLATE_NOOP("Rows", "branch misses"),
    QT_TRANSLATE_NOOP("Rows", "page faults"),  QT_TRANSLATE_NOOP("Rows", "context switches"),
};
enum class Counter { Instructions, Cycles, CacheMisses, BranchMisses, PageFaults };

/// The same in the window's words.
static QString counterName(const QString& what) {
    for (const char* name : kCounters)
        if (what == QLatin1String(name)) return QCoreApplication::translate("Rows", name);
    return what;
}

/// What a column tells of a kernel; -1: that was not counted.
static double countOf(const record::KernelTiming& kernel, TimingColumn column) {
    const auto value = [&](Counter counter) {
        const auto at = std::ranges::find(kernel.counts, kCounters[static_cast<int>(counter)],
                                          &record::KernelCount::what);
        return at == kernel.counts.end() ? -1.0 : at->value;
    };
    switch (column) {
    case TimingColumn::Instructions:
        return value(Counter::Instructions);
    case TimingColumn::PerCycle:
        return value(Counter::Cycles) > 0 && value(Counter::Instructions) >= 0
                   ? value(Counter::Instructions) / value(Counter::Cycles)
                   : -1;
    case TimingColumn::CacheMisses:
        return value(Counter::CacheMisses);
    case TimingColumn::BranchMisses:
        return value(Counter::BranchMisses);
    case TimingColumn::PageFaults:
        return value(Counter::PageFaults);
    default:
        return -1;
    }
}

static QString countText(double value) {
    return value < 100 ? QLocale().toString(value, 'f', value == std::floor(value) ? 0 : 1)
                       : format::count(static_cast<qint64>(std::llround(value)));
}

static Cell countCell(const record::KernelTiming& kernel, TimingColumn column) {
    const double value = countOf(kernel, column);
    if (value < 0) return {};
    return {column == TimingColumn::PerCycle ? QLocale().toString(value, 'f', 2) : countText(value),
            value};
}

std::vector<Column> timingColumns() {
    return {{Words::tr("Kernel"), false, true, {}},
            {Words::tr("Time"), true, false, {}, "us"},
            {Words::tr("Share"), true, false, Words::tr("of the time of the whole call"), "1"},
            {Words::tr("Traffic"), true, false, {}, "bytes"},
            {Words::tr("Bandwidth"), true, false, {}, "bytes/s"},
            {Words::tr("Instructions"), true, false,
             Words::tr("of one call, over all threads, as the processor counts them"), "1"},
            {Words::tr("Per cycle"), true, false,
             Words::tr("instructions that each cycle of a processor completes"), "1"},
            {Words::tr("Cache misses"), true, false,
             Words::tr("accesses to memory that no cache of the processor answers"), "1"},
            {Words::tr("Branch misses"), true, false,
             Words::tr("branches that the processor predicted wrongly"), "1"},
            {Words::tr("Page faults"), true, false,
             Words::tr("pages of memory that are touched for the first time"), "1"}};
}

std::vector<TimingColumn> uncountedColumns(const record::Run& run) {
    std::vector<TimingColumn> none;
    for (const auto column :
         {TimingColumn::Instructions, TimingColumn::PerCycle, TimingColumn::CacheMisses,
          TimingColumn::BranchMisses, TimingColumn::PageFaults})
        if (std::ranges::none_of(run.kernels, [&](const record::KernelTiming& kernel) {
                // None of any kernel is the rule: it would take the room of what tells something.
                return column == TimingColumn::PageFaults ? countOf(kernel, column) > 0
                                                          : countOf(kernel, column) >= 0;
            }))
            none.push_back(column);
    return none;
}

std::vector<Column> countColumns() {
    return {{Words::tr("Counted"), false, false, Words::tr("on the host, over all threads")},
            {Words::tr("Backend"), false, true, {}},
            {Words::tr("A call"), true, false, Words::tr("the mean of ten calls"), "1"},
            {Words::tr("Beside eager"), true, false, {}, "1"}};
}

std::vector<Row> counts(const std::vector<Counted>& all) {
    std::vector<Row> result;
    auto valueOf = [](const Counted& of, const QString& what) {
        for (const auto& [name, value] : of.perCall)
            if (name == what) return value;
        return -1.0;
    };
    for (const Counted& one : all)
        if (!one.missing.isEmpty()) {
            Row row;
            row.cells = {{Words::tr("instructions, cycles, misses: %1").arg(one.missing),
                          {},
                          -1,
                          Tone::Muted,
                          Words::tr("instructions, cycles, misses: %1").arg(one.missing)},
                         Cell{},
                         Cell{},
                         Cell{}};
            result.push_back(std::move(row));
            break;
        }
    const auto eager = std::ranges::find(all, QStringLiteral("eager"), &Counted::backend);
    QStringList known;
    for (const Counted& one : all)
        for (const auto& [what, value] : one.perCall)
            if (!known.contains(what)) known << what;
    for (const QString& what : known) {
        double most = 0;
        for (const Counted& one : all)
            most = std::max(most, valueOf(one, what));
        const double base = eager == all.end() ? -1 : valueOf(*eager, what);
        for (const Counted& one : all) {
            const double value = valueOf(one, what);
            if (value < 0) continue;
            const bool beside = base > 0 && one.backend != "eager";
            Row row;
            row.cells = {{counterName(what), {}},
                         {one.backend, {}},
                         {countText(value), value, most > 0 ? value / most : 0},
                         {beside ? QString::number(value / base, 'g', 3) + QChar(0xd7) : QString(),
                          beside ? value / base : 1.0}};
            result.push_back(std::move(row));
        }
    }
    return result;
}

std::vector<Column> lineColumns() {
    return {
        {Words::tr("Share"), true, false, Words::tr("of the samples of a call, all threads"), "1"},
        {Words::tr("Line"), false, true, {}},
        {Words::tr("Kernel"), false, true, {}}};
}

/// The kernel's C++ text; null: there is none.
static const record::Code* codeOf(const record::Entry& entry, const QString& graph,
                                  const QString& kernel) {
    for (const record::LoweredGraph& lowered : entry.lowered)
        for (const record::KernelInfo& one : lowered.kernels)
            for (const record::Code& code : one.codes)
                if (str(lowered.graph) == graph && str(one.name) == kernel &&
                    code.language == "cpp")
                    return &code;
    return nullptr;
}

std::vector<Row> lines(const record::Entry* entry, const Sampled* sampled) {
    std::vector<Row> result;
    if (!entry || !sampled) return result;
    const double all = std::max(1, sampled->samples);
    double most = 0;
    int rest = sampled->samples;
    const auto add = [&](int samples, const QString& line, const QString& kernel, Tone tone) {
        Row& row = result.emplace_back();
        row.cells = {
            {QString::number(100 * samples / all, 'f', 1) + " %", samples / all, samples / all},
            {line, {}, -1, tone},
            {kernel, {}, -1, tone}};
        most = std::max(most, samples / all);
        rest -= samples;
        return &row;
    };
    for (const Sampled::Code& code : sampled->codes) {
        if (code.kernels.empty()) continue;
        const auto& [graph, kernel] = code.kernels.front();
        QString names = kernel;
        if (code.kernels.size() > 1)
            names += Words::tr(" and %n more", nullptr, static_cast<int>(code.kernels.size()) - 1);
        const record::Code* text = codeOf(*entry, graph, kernel);
        int unknown = code.samples;
        for (const Sampled::Line& line : code.lines) {
            unknown -= line.samples;
            const auto at = static_cast<size_t>(line.line) - 1;
            const record::CodeLine* shown =
                text && at < text->lines.size() ? &text->lines[at] : nullptr;
            Row* row = add(line.samples,
                           QString("%1  %2").arg(line.line).arg(shown ? str(shown->text).trimmed()
                                                                      : QString()),
                           names, Tone::Normal);
            if (shown && shown->item != kNoItem) row->items = {shown->item};
        }
        if (unknown > 0) add(unknown, Words::tr("no line of it"), names, Tone::Muted);
    }
    std::ranges::stable_sort(result, std::ranges::greater(),
                             [](const Row& row) { return row.cells[0].bar; });
    if (rest > 0) add(rest, Words::tr("libraries, and the program itself"), {}, Tone::Muted);
    for (Row& row : result)
        if (most > 0) row.cells[0].bar /= most;
    return result;
}

/// Where a measured kernel leads to, whose item tells the rest; or why that is nowhere.
static void link(Row& row, const record::KernelTiming& timing, const record::Entry* entry) {
    const ItemId item =
        entry && !row.dimmed ? kernelItem(*entry, timing.graph, timing.kernel) : kNoItem;
    if (item != kNoItem) return row.items.push_back(item);
    Cell& name = row.cells.front();
    name.tone = Tone::Muted;
    name.tooltip =
        str(timing.graph) + "\n" +
        (row.dimmed ? Words::tr("leads nowhere: it was measured of something else than what is "
                                "shown")
                    : Words::tr("leads nowhere: what is shown has no kernel of this name"));
}

std::vector<Row> timings(const record::Run& run, const Measured& shown,
                         const record::Entry* entry) {
    double total = 0, most = 0;
    for (const record::KernelTiming& timing : run.kernels) {
        total += timing.us;
        most = std::max(most, timing.us);
    }
    // Kernels are timed by themselves, so they may sum up to more than a call of all of them takes.
    const double whole = run.us > 0 ? run.us : total, rest = whole - total;
    const QString why = whyKernelsUnsteady(run);
    const bool disturbed = !why.isEmpty();
    most = std::max(most, std::abs(rest));
    const auto shareText = [&](double us) {
        return disturbed || whole <= 0 ? QString()
                                       : QString::number(us / whole * 100, 'f', 1) + " %";
    };
    std::vector<Row> result;
    for (const record::KernelTiming& timing : run.kernels) {
        Row row;
        row.dimmed = !Measured(run).matches(shown);
        double share = whole > 0 ? timing.us / whole : 0;
        double rate = timing.us > 0 ? double(timing.bytes) / (timing.us * 1e-6) : 0;
        row.cells = {
            {str(timing.kernel), {}, -1, Tone::Normal, {}},
            {format::microseconds(timing.us), timing.us, most > 0 ? timing.us / most : 0,
             disturbed ? Tone::Warning : Tone::Normal, why},
            {shareText(timing.us), share, -1, Tone::Muted, {}},
            {format::bytes(timing.bytes),
             static_cast<qlonglong>(timing.bytes),
             -1,
             Tone::Normal,
             {}},
            {format::bandwidth(rate), rate, -1, disturbed ? Tone::Warning : Tone::Normal, why},
            countCell(timing, TimingColumn::Instructions),
            countCell(timing, TimingColumn::PerCycle),
            countCell(timing, TimingColumn::CacheMisses),
            countCell(timing, TimingColumn::BranchMisses),
            countCell(timing, TimingColumn::PageFaults)};
        link(row, timing, entry);
        result.push_back(std::move(row));
    }
    if (run.kernels.empty() || run.us <= 0) return result;
    auto add = [&](const QString& name, double us, const QString& tip, bool bold) {
        Row row;
        row.dimmed = !Measured(run).matches(shown);
        row.bold = bold;
        row.cells = {{name, {}, -1, Tone::Muted, tip},
                     {(us < 0 ? "−" : "") + format::microseconds(std::abs(us)), us,
                      bold || us < 0 ? -1 : us / most, Tone::Muted, tip},
                     {shareText(us), us / whole, -1, Tone::Muted, {}}};
        row.cells.resize(timingColumns().size());
        result.push_back(std::move(row));
    };
    if (rest >= 0 && !disturbed)
        add(Words::tr("launch and the rest"), rest,
            Words::tr("what the call takes beside its kernels: checks, launches, allocation"),
            false);
    else if (disturbed)
        add(Words::tr("disturbed: not to be trusted"), rest, why, false);
    else
        add(Words::tr("timed one by one"), rest,
            Words::tr(
                "timing a kernel by itself takes time, too, and each finds less in the caches: "
                "together they take that much less"),
            false);
    add(Words::tr("one call"), whole, Words::tr("median of one call: the sum of the rows above"),
        true);
    return result;
}

std::vector<Column> checkColumns() {
    return {{Words::tr("Compared"), false, true, {}},
            {Words::tr("Verdict"), false, false, {}},
            {Words::tr("Compiled"), true, false,
             Words::tr("largest relative error of the compiled result"), "1"},
            {Words::tr("Eager"), true, false,
             Words::tr("largest relative error of the eager result"), "1"},
            {Words::tr("Limit"), true, false, {}, "1"}};
}

std::vector<Row> checks(const std::vector<record::Check>& all, const Measured& shown) {
    std::vector<Row> result;
    for (const record::Check& check : all) {
        Row row;
        row.dimmed = !Measured(check).matches(shown.ofScript());
        row.cells = {
            {str(check.what), {}, -1, Tone::Normal, {}},
            {check.passed ? Words::tr("passed") : Words::tr("failed"),
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
