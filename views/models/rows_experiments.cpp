// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/format.h"
#include "views/models/rows.h"
#include "views/models/significance.h"

#include <QCoreApplication>
#include <algorithm>

namespace cutaway::views::rows {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Rows)
};

/// Compilations are of whole scripts, also where one call of it is shown.
bool sameBut(const Measured& a, const Measured& shown) {
    return a.undecided().matches(shown.ofScript().undecided());
}

/// What a measurement of an experiment is of: of the call that is shown.
Measured measuredOf(const Experiment& experiment, const Measured& shown) {
    Measured of = shown;
    of.decisions = experiment.of.decisions;
    return of;
}

/// The newest compiled measurement of these decisions; null: none.
const record::Run* measured(const std::vector<record::Run>& history, const Measured& of) {
    for (auto run = history.rbegin(); run != history.rend(); ++run)
        if (run->backend == "inductor" && Measured(*run).matches(of)) return &*run;
    return nullptr;
}

const Experiment* find(const std::vector<Experiment>& all, const Measured& of) {
    for (const Experiment& one : all)
        if (one.of.matches(of.ofScript())) return &one;
    return nullptr;
}

/// "96 KiB (+32 KiB)": better is less.
template <typename Value, typename Format>
Cell against(Value value, std::optional<Value> plain, Format text) {
    Cell cell{text(value), QVariant::fromValue(value), -1, Tone::Normal, {}};
    if (!plain || *plain == value) return cell;
    const bool more = value > *plain;
    cell.text +=
        QString(" (%1%2)").arg(more ? "+" : "−", text(more ? value - *plain : *plain - value));
    cell.tone = more ? Tone::Warning : Tone::Good;
    return cell;
}

QString predictedText(const Outcome& outcome) {
    const QString more = outcome.unpredicted > 0
                             ? Words::tr(" and %1 not predicted").arg(outcome.unpredicted)
                             : QString();
    return outcome.predictedUs > 0 ? format::microseconds(outcome.predictedUs) + more : QString();
}

/// What the kernels of a measurement take, each timed by itself; 0: that was not measured.
double kernelTime(const record::Run* run) {
    double sum = 0;
    if (run)
        for (const record::KernelTiming& timing : run->kernels)
            sum += timing.us;
    return sum;
}

/// A time that was measured; of a run that others disturbed it says so, too: the number stands beside
/// predictions.
/// \param how one is measured that was not; empty: it cannot be
Cell measuredCell(double us, const QString& why, const QString& how) {
    if (us <= 0)
        return {how.isEmpty() ? Words::tr("not measured") : Words::tr("not yet"),
                {},
                -1,
                Tone::Muted,
                how};
    if (why.isEmpty()) return {format::microseconds(us), us, -1, Tone::Normal, {}};
    return {disturbedText(format::microseconds(us)), us, -1, Tone::Warning, why};
}

Cell kernelCell(const record::Run* run, const QString& how) {
    return measuredCell(kernelTime(run), run ? whyKernelsUnsteady(*run) : QString(), how);
}

Cell callCell(const record::Run* run, const QString& how) {
    return measuredCell(run ? run->us : 0, run ? whyUnsteady(*run) : QString(), how);
}

/// What was decided, and what of it is not so.
QString saidOf(const QString& decisions, const DecisionNotes& notes) {
    if (decisions.isEmpty()) return Words::tr("as the compiler decides");
    QStringList all;
    for (const QString& one : decisions.split("; "))
        all << (notes.contains(one) ? decisionText(one) + " — " + notes[one].text
                                    : decisionText(one));
    return all.join("; ");
}

} // namespace

std::vector<Column> experimentColumns() {
    return {
        {Words::tr("Decided"), false, false, Words::tr("a double click or Enter goes back to it")},
        {Words::tr("Predicted"), true, false,
         Words::tr("time of the kernels of all functions by the cost model, without launches"),
         "us"},
        {Words::tr("Kernels took"), true, false,
         Words::tr("time of the same kernels, each timed by itself"), "us"},
        {Words::tr("Call took"), true, false,
         Words::tr("measured: median of one call, with launches and all that is no kernel"), "us"},
        {Words::tr("Against the compiler's own"), false, false,
         Words::tr("rank test of single calls")},
        {Words::tr("Saved"), true, false,
         Words::tr("bytes that the backwards keep, inputs included"), "bytes"},
        {Words::tr("Kernels"), true, false, {}, "1"},
        {Words::tr("Traffic"), true, false, Words::tr("bytes read and written by kernels"),
         "bytes"},
        {Words::tr("Arena"), true, false, Words::tr("memory for what lies between kernels"),
         "bytes"}};
}

std::vector<Row> experiments(const std::vector<Experiment>& all,
                             const std::vector<record::Run>& history, const Measured& shown) {
    const Experiment* plain = find(all, shown.undecided());
    const record::Run* plainRun = measured(history, shown.undecided());
    std::vector<Row> result;
    for (size_t i = 0; i < all.size(); ++i) {
        const Experiment& one = all[i];
        if (!sameBut(one.of, shown)) continue;
        const bool own = one.of.decisions.isEmpty();
        const Outcome* base = plain && !own ? &plain->outcome : nullptr;
        auto of = [&](auto Outcome::* field) {
            return base ? std::optional(base->*field)
                        : std::optional<std::remove_cvref_t<decltype(one.outcome.*field)>>();
        };
        const record::Run* run = measured(history, measuredOf(one, shown));
        const Compared compared = run && plainRun && !own ? compare(*run, *plainRun) : Compared();
        Row row;
        row.detail = QString::number(i);
        row.bold = one.of.matches(shown.ofScript());
        const QString how = row.bold ? Words::tr("F5 measures")
                                     : Words::tr("a double click or Enter goes back to it, and F5 "
                                                 "measures it then");
        const QString said = saidOf(one.of.decisions, one.notes);
        const auto bytes = [](int64_t value) { return format::bytes(value); };
        row.cells = {{said, {}, -1, one.notes.isEmpty() ? Tone::Normal : Tone::Warning, said},
                     against<double>(one.outcome.predictedUs, of(&Outcome::predictedUs),
                                     [](double value) { return format::microseconds(value); }),
                     kernelCell(run, how),
                     callCell(run, how),
                     {compared.ratio > 0 ? compared.factorText() : QString(),
                      compared.ratio,
                      -1,
                      compared.verdict == Verdict::Faster   ? Tone::Good
                      : compared.verdict == Verdict::Slower ? Tone::Warning
                                                            : Tone::Normal,
                      {}},
                     against<int64_t>(one.outcome.savedBytes, of(&Outcome::savedBytes), bytes),
                     against<int>(one.outcome.kernels, of(&Outcome::kernels),
                                  [](int value) { return QString::number(value); }),
                     against<int64_t>(one.outcome.traffic, of(&Outcome::traffic), bytes),
                     against<int64_t>(one.outcome.arena, of(&Outcome::arena), bytes)};
        if (one.outcome.unpredicted > 0)
            row.cells[static_cast<size_t>(ExperimentColumn::Predicted)].tooltip =
                predictedText(one.outcome);
        result.push_back(std::move(row));
    }
    return result;
}

std::vector<Column> comparedColumns() {
    std::vector<Column> columns = experimentColumns();
    columns[0] = {Words::tr("Record"), false, false,
                  Words::tr("a double click or Enter compares it with what is shown")};
    columns[static_cast<size_t>(ExperimentColumn::Verdict)].title =
        Words::tr("Against what is shown");
    columns.insert(columns.begin() + 1, {Words::tr("Nodes"), true, false,
                                         Words::tr("of each graph of the function that is shown")});
    return columns;
}

std::vector<Row> compared(const std::vector<ComparedRecord>& all, bool measurable) {
    auto compiledRun = [](const ComparedRecord& record) {
        const record::Run* found = nullptr;
        for (const record::Run& run : record.runs)
            if (run.backend == "inductor") found = &run;
        return found;
    };
    std::vector<Row> result;
    std::optional<Outcome> first;
    const record::Run* firstRun = nullptr;
    for (size_t i = 0; i < all.size(); ++i) {
        const record::Entry* entry = all[i].shown();
        if (!entry) continue;
        const Outcome outcome = outcomeOf(all[i].record->record());
        const record::Run* run = compiledRun(all[i]);
        auto of = [&](auto Outcome::* field) {
            using Value = std::remove_cvref_t<decltype(outcome.*field)>;
            return first ? std::optional<Value>((*first).*field) : std::optional<Value>();
        };
        const Compared against = run && firstRun ? compare(*run, *firstRun) : Compared();
        QStringList nodes;
        for (const record::GraphStage& graph : entry->graphs)
            nodes << QString::fromStdString(graph.name) + " " + QString::number(graph.nodes.size());
        const auto bytes = [](int64_t value) { return format::bytes(value); };
        Row row;
        row.detail = QString::number(i);
        row.bold = i == 0;
        const QString how = row.bold && measurable ? Words::tr("F5 measures") : QString();
        row.cells = {
            {all[i].title, {}, -1, Tone::Normal, all[i].title},
            {nodes.join(" · "), {}, -1, Tone::Normal, {}},
            rows::against<double>(outcome.predictedUs, of(&Outcome::predictedUs),
                                  [](double value) { return format::microseconds(value); }),
            kernelCell(run, how),
            callCell(run, how),
            {against.ratio > 0 ? against.factorText() : QString(),
             against.ratio,
             -1,
             Tone::Normal,
             {}},
            rows::against<int64_t>(outcome.savedBytes, of(&Outcome::savedBytes), bytes),
            rows::against<int>(outcome.kernels, of(&Outcome::kernels),
                               [](int value) { return QString::number(value); }),
            rows::against<int64_t>(outcome.traffic, of(&Outcome::traffic), bytes),
            rows::against<int64_t>(outcome.arena, of(&Outcome::arena), bytes)};
        if (entry->lowered.empty()) // another program's graph: nothing was compiled
            for (size_t cell : {2, 6, 7, 8, 9})
                row.cells[cell] = {QString(), {}, -1, Tone::Normal, {}};
        result.push_back(std::move(row));
        if (i == 0) {
            first = outcome;
            firstRun = run;
        }
    }
    return result;
}

QString experimentSummary(const std::vector<Experiment>& all,
                          const std::vector<record::Run>& history, const Measured& shown) {
    const Experiment *now = find(all, shown), *plain = find(all, shown.undecided());
    const QString sums =
        now && now->outcome.parts > 1
            ? " " + Words::tr("All numbers are sums over the %1 compiled parts of the script.")
                        .arg(now->outcome.parts)
            : QString();
    if (!now && shown.decisions.isEmpty())
        return Words::tr("Nothing is compiled yet: what is decided instead of the compiler, and "
                         "what that changes, will stand here.");
    if (shown.decisions.isEmpty())
        return Words::tr("Everything is as the compiler decides. Select a value in Partition, or a "
                         "pair in "
                         "Kernels, and decide otherwise: what it changes stands here at once.") +
               sums;
    QString text =
        Words::tr("Decided: %1.").arg(saidOf(shown.decisions, now ? now->notes : DecisionNotes()));
    if (!now || !plain) return text;
    auto change = [](const QString& what, int64_t from, int64_t to, auto write) {
        return from == to ? Words::tr("%1 %2, as before").arg(what, write(to))
                          : Words::tr("%1 %2 → %3").arg(what, write(from), write(to));
    };
    const auto bytes = [](int64_t value) { return format::bytes(value); };
    const auto count = [](int64_t value) { return QString::number(value); };
    const Outcome &a = plain->outcome, &b = now->outcome;
    text += "\n" + QStringList{change(Words::tr("saved"), a.savedBytes, b.savedBytes, bytes),
                               change(Words::tr("kernels"), a.kernels, b.kernels, count),
                               change(Words::tr("traffic"), a.traffic, b.traffic, bytes)}
                       .join("; ");
    if (b.arena > a.arena && shown.decisions.contains("budget "))
        text +=
            "\n" + Words::tr("The budget is for saved and live values: the arena of the kernels "
                             "has grown, %1 → %2.")
                       .arg(bytes(a.arena), bytes(b.arena));
    const record::Run *run = measured(history, shown), *base = measured(history, shown.undecided());
    text += "\n" + Words::tr("Kernels by themselves, predicted: %1 → %2")
                       .arg(predictedText(a), predictedText(b));
    const auto took = [](const record::Run& of) {
        const QString time = format::microseconds(kernelTime(&of));
        return whyKernelsUnsteady(of).isEmpty() ? time : disturbedText(time);
    };
    if (kernelTime(run) > 0 && kernelTime(base) > 0)
        text += Words::tr("; measured: %1 → %2").arg(took(*base), took(*run));
    text += ".\n";
    if (!run)
        text += Words::tr("Whole calls: not measured yet.");
    else if (!base)
        text += Words::tr("A whole call, measured: %1; the compiler's own was not measured.")
                    .arg(format::microseconds(run->us));
    else
        text += Words::tr("A whole call, measured: %1 → %2")
                    .arg(format::microseconds(base->us), format::microseconds(run->us)) +
                (compare(*run, *base).text().isEmpty()
                     ? QString(".")
                     : QString(" (%1).").arg(compare(*run, *base).text()));
    return text + sums;
}

QString budgetSummary(const std::vector<Experiment>& all, const std::vector<record::Run>& history,
                      const Measured& shown, const QString& budget) {
    const auto with = [&](const QStringList& decisions) {
        Measured of = shown;
        of.decisions = decisions.join("; ");
        return of;
    };
    const QStringList made = shown.decisions.split("; ", Qt::SkipEmptyParts);
    const Measured before = with(leftToCompiler(made, decisionSubject(budget))),
                   after = with(decided(made, budget));
    const Experiment *a = find(all, before), *b = find(all, after);
    if (!a || !b) return {};
    QString text = Words::tr("Kernels, predicted: %1 without a budget, %2 with this one")
                       .arg(predictedText(a->outcome), predictedText(b->outcome));
    const record::Run *base = measured(history, before), *run = measured(history, after);
    if (!base || !run) return text + Words::tr("; not both measured.");
    const QString verdict = compare(*run, *base).text();
    return text +
           Words::tr("; a call, measured: %1 and %2")
               .arg(format::microseconds(base->us), format::microseconds(run->us)) +
           (verdict.isEmpty() ? QString(".") : QString(" (%1).").arg(verdict));
}

/// Of a kernel in a measurement.
static ScheduleTime kernelIn(const record::Run* run, const QString& place) {
    ScheduleTime time;
    for (const record::KernelTiming& one : run ? run->kernels : std::vector<record::KernelTiming>())
        if (QString::fromStdString(one.graph + "/" + one.kernel) == place) time.us += one.us;
    time.disturbed = run && !whyKernelsUnsteady(*run).isEmpty();
    return time;
}

QString scheduleSummary(const std::vector<Experiment>& all, const std::vector<record::Run>& history,
                        const Measured& shown, const TimedSchedule& timed) {
    const Experiment *now = find(all, shown), *plain = find(all, shown.undecided());
    if (!now || !plain) return {};
    const record::Run *run = measured(history, shown), *base = measured(history, shown.undecided());
    const auto took = [](const ScheduleTime& time) {
        const QString us = format::microseconds(time.us);
        return time.disturbed ? disturbedText(us) : us;
    };
    QStringList lines;
    for (const QString& decision : shown.decisions.split("; ")) {
        const QString place = decision.section(' ', 1).section('=', 0, 0);
        if (!decision.startsWith("schedule ") || !plain->outcome.schedules.contains(place) ||
            !now->outcome.schedules.contains(place))
            continue;
        const TakenSchedule before = plain->outcome.schedules[place],
                            after = now->outcome.schedules[place];
        // All of them in turns is better than two measurements one after the other.
        const std::string graph = place.section('/', 0, 0).toStdString(),
                          kernel = place.section('/', 1).toStdString();
        ScheduleTime a = timed(graph, kernel, before.text.toStdString()),
                     b = timed(graph, kernel, after.text.toStdString());
        if (a.us <= 0 || b.us <= 0) a = kernelIn(base, place), b = kernelIn(run, place);
        lines << Words::tr("%1, %2 → %3: predicted %4 → %5, %6")
                     .arg(place, before.text, after.text, format::microseconds(before.predictedUs),
                          format::microseconds(after.predictedUs),
                          a.us > 0 && b.us > 0 ? Words::tr("measured %1 → %2").arg(took(a), took(b))
                                               : Words::tr("not measured yet"));
    }
    return lines.join("\n");
}

} // namespace cutaway::views::rows
