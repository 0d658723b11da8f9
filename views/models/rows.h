// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What the tables and trees show: columns and rows, built from plain record data.
#pragma once

#include "views/models/comparison.h"
#include "views/models/counted.h"
#include "views/models/decisions.h"
#include "views/models/measured.h"
#include "views/models/row_model.h"
#include "views/models/sampled.h"

#include <functional>

namespace cutaway::views::rows {

enum class SavedColumn { Name, Type, Bytes, Reason };
std::vector<Column> savedColumns();
std::vector<Row> saved(const RecordView& view, const record::Entry& entry);

enum class RecomputedColumn { Name, Op, Bytes, Reason };
std::vector<Column> recomputedColumns();
std::vector<Row> recomputed(const record::Entry& entry);

/// Graph, kernel, buffer.
enum class KernelColumn { Name, Kind, Traffic, Work, Type };
std::vector<Column> kernelColumns();
std::vector<Row> kernels(const RecordView& view, const record::Entry& entry);

enum class DecisionColumn { Pair, Verdict, Bytes, Reason };
std::vector<Column> decisionColumns();
Table decisions(const RecordPtr& of, const record::Entry& entry);

enum class PassColumn { Pass, Changes, Time };
std::vector<Column> passColumns();
/// One row a pass run; DetailRole is the index in Entry::passes.
std::vector<Row> passes(const record::Entry& entry, bool onlyChanged);
/// A group of those that a decision left out; DetailRole is \p detail and the name.
Row passesLeftOut(const QStringList& names, const QString& detail);

enum class RunColumn {
    Backend,
    Time,
    Speedup,
    Verdict,
    Spread,
    Error,
    Kernels,
    Bytes,
    Memory,
    Compile,
    Of
};
std::vector<Column> runColumns();
/// \param shown what is not a measurement of this is dimmed
std::vector<Row> runs(const std::vector<record::Run>& runs, const Measured& shown);

/// Every measurement, the newest first; DetailRole is the index in \p all.
/// \param baseline what the others are compared with: an index, or -1 for none
enum class HistoryColumn { Backend, Time, Spread, Verdict, Of };
std::vector<Column> historyColumns();
std::vector<Row> history(const std::vector<record::Run>& all, int baseline, const Measured& shown);

enum class ExperimentColumn {
    Decisions,
    Predicted,
    KernelTime, ///< measured
    Measured,
    Verdict,
    Saved,
    Kernels,
    Traffic,
    Arena
};
std::vector<Column> experimentColumns();
/// Those of the text, size and device that are shown; DetailRole is the index in \p all.
std::vector<Row> experiments(const std::vector<Experiment>& all,
                             const std::vector<record::Run>& history, const Measured& shown);
/// Every compilation below the one that it was made from, where that has several; DetailRole is the
/// index in \p all.
enum class AttemptColumn { What, When, Predicted, Saved, Kernels, Traffic, Arena };
std::vector<Column> attemptColumns();
std::vector<Row> attempts(const std::vector<Experiment>& all, const Measured& shown);
/// What the decisions that are shown changed, in words.
QString experimentSummary(const std::vector<Experiment>& all,
                          const std::vector<record::Run>& history, const Measured& shown);
/// What came of \p budget ("budget 3072B") where it was compiled, beside the same without one; empty:
/// it was not.
QString budgetSummary(const std::vector<Experiment>& all, const std::vector<record::Run>& history,
                      const Measured& shown, const QString& budget);
/// What each kernel's time became whose schedule was asked for, a line each, predicted and measured.
/// \param timed of a graph's kernel by a schedule, where it was timed among all others
using TimedSchedule = std::function<ScheduleTime(
    const std::string& graph, const std::string& kernel, const std::string& schedule)>;
QString scheduleSummary(const std::vector<Experiment>& all, const std::vector<record::Run>& history,
                        const Measured& shown, const TimedSchedule& timed);

enum class ComparedColumn {
    Record,
    Nodes,
    Predicted,
    KernelTime,
    Measured,
    Verdict,
    Saved,
    Kernels,
    Traffic,
    Arena
};
std::vector<Column> comparedColumns();
/// The first is what the others are compared with; DetailRole is the index.
/// \param measurable what is shown, the first of them, can be measured
std::vector<Row> compared(const std::vector<ComparedRecord>& all, bool measurable = true);

enum class TimingColumn {
    Kernel,
    Time,
    Share,
    Traffic,
    Bandwidth,
    Instructions,
    PerCycle,
    CacheMisses,
    BranchMisses,
    PageFaults
};
std::vector<Column> timingColumns();
/// Columns that have nothing to tell of \p run: the processor counts no such thing, or nobody asked.
std::vector<TimingColumn> uncountedColumns(const record::Run& run);
/// \param entry whose kernels they lead to, where \p run is of what is shown; null: none is shown
std::vector<Row> timings(const record::Run& run, const Measured& shown, const record::Entry* entry);

/// What each backend's call was counted to do, one counter below the other.
enum class CountColumn { What, Backend, Call, Beside };
std::vector<Column> countColumns();
std::vector<Row> counts(const std::vector<Counted>& all);

/// The lines of generated text that a call of the entry's backend spends its time in, the most first.
/// \param sampled null: there is none
enum class LineColumn { Share, Line, Kernel };
std::vector<Column> lineColumns();
std::vector<Row> lines(const record::Entry* entry, const Sampled* sampled);

enum class CheckColumn { What, Verdict, Compiled, Eager, Limit };
std::vector<Column> checkColumns();
std::vector<Row> checks(const std::vector<record::Check>& checks, const Measured& shown);

enum class MessageColumn { Severity, Message, Where };
std::vector<Column> messageColumns();
std::vector<Row> messages(const RecordView& view, const std::vector<base::Diagnostic>& found);

enum class GuardColumn { Source, Condition, Where };
std::vector<Column> guardColumns();
std::vector<Row> guards(const RecordView& view, const record::Entry& entry);

/// The source line's item, if the record has that file.
std::vector<ItemId> itemsAt(const RecordView& view, const base::Location& where);

} // namespace cutaway::views::rows
