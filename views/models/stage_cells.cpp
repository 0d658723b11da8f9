// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/stage_cells.h"

#include "views/models/format.h"

#include <QCoreApplication>
#include <QHash>
#include <algorithm>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(StageCells)
};

/// "compile" of "compile", "forward: compile" and "forward: compile, 3 of 7 kernels".
QString stageOf(const QString& label) {
    return label.section(QStringLiteral(": "), -1).section(QStringLiteral(", "), 0, 0);
}

/// \param words one of QT_TRANSLATE_N_NOOP, "%1 node(s)"; nothing is said of nothing
QString counted(size_t value, const char* words) {
    return value ? Words::tr(words, nullptr, static_cast<int>(value))
                       .arg(format::count(static_cast<int64_t>(value)))
                 : QString();
}

/// Sum over the lowered graphs of the entry.
template <typename Count> size_t overLowered(const record::Entry& entry, Count count) {
    size_t sum = 0;
    for (const record::LoweredGraph& lowered : entry.lowered)
        sum += count(lowered);
    return sum;
}

QString guards(const record::Entry& entry) {
    return counted(entry.guards.size(), QT_TRANSLATE_N_NOOP("StageCells", "%1 guard(s)"));
}
QString changes(const record::Entry& entry) {
    const auto changed = std::ranges::count_if(entry.passes, &record::PassRun::changed);
    return entry.passes.empty()
               ? QString()
               : Words::tr("%1 of %2 changed").arg(changed).arg(entry.passes.size());
}
QString saved(const record::Entry& entry) {
    return entry.hasPartition ? Words::tr("%1 saved").arg(entry.partition.saved.size()) : QString();
}
QString buffers(const record::Entry& entry) {
    return counted(overLowered(entry, [](const auto& graph) { return graph.buffers.size(); }),
                   QT_TRANSLATE_N_NOOP("StageCells", "%1 buffer(s)"));
}
QString kernels(const record::Entry& entry) {
    return counted(overLowered(entry, [](const auto& graph) { return graph.kernels.size(); }),
                   QT_TRANSLATE_N_NOOP("StageCells", "%1 kernel(s)"));
}
QString arena(const record::Entry& entry) {
    const size_t bytes = overLowered(
        entry, [](const auto& graph) { return static_cast<size_t>(graph.memory.arenaBytes); });
    return entry.lowered.empty() ? QString() : format::bytes(static_cast<int64_t>(bytes));
}

/// What is counted of the stages that are neither a graph nor a language.
constexpr struct {
    const char* stage;
    QString (*count)(const record::Entry&);
} kCounts[] = {{"guards", guards}, {"passes", changes},  {"partition", saved},
               {"loops", buffers}, {"kernels", kernels}, {"memory", arena}};

QString lines(const record::Entry& entry, const std::string& language) {
    return counted(overLowered(entry,
                               [&](const record::LoweredGraph& graph) {
                                   size_t sum = 0;
                                   for (const record::KernelInfo& kernel : graph.kernels)
                                       for (const record::Code& code : kernel.codes)
                                           if (code.language == language) sum += code.lines.size();
                                   return sum;
                               }),
                   QT_TRANSLATE_N_NOOP("StageCells", "%1 line(s)"));
}

QString countOf(const record::Entry& entry, const QString& stage) {
    const std::string name = stage.toStdString();
    if (const record::GraphStage* graph = entry.graph(name))
        return counted(graph->nodes.size(), QT_TRANSLATE_N_NOOP("StageCells", "%1 node(s)"));
    for (const auto& row : kCounts)
        if (name == row.stage) return row.count(entry);
    return lines(entry, name);
}

} // namespace

std::vector<StageCell> stageCells(const std::vector<StageInfo>& stages, const record::Entry* entry,
                                  const QString& at, bool failed) {
    std::vector<StageCell> cells;
    QHash<QString, double> times;
    if (entry)
        for (const record::StageTime& time : entry->times)
            times[stageOf(QString::fromStdString(time.stage))] += time.ms;
    for (const StageInfo& stage : stages) {
        StageCell cell{stage, StageCell::State::Absent, {}, 0};
        if (entry) cell.count = countOf(*entry, stage.name);
        cell.ms = times.value(stage.name);
        if (!cell.count.isEmpty() || cell.ms > 0) cell.state = StageCell::State::Done;
        if (!at.isEmpty() && stageOf(at) == stage.name)
            cell.state = failed ? StageCell::State::Failed : StageCell::State::Running;
        cells.push_back(std::move(cell));
    }
    return cells;
}

} // namespace cutaway::views
