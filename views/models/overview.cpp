// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/overview.h"

#include "views/models/format.h"

#include <QCoreApplication>
#include <algorithm>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Overview)
};

constexpr size_t kMostListed = 4;

QString str(const std::string& text) {
    return QString::fromStdString(text);
}

Fact plain(const QString& label, const QString& text) {
    return {label, {{text}}, false};
}

QString counted(const QString& words, qsizetype count) {
    return words.arg(format::count(count));
}

/// "3 operations, 1 input".
QString graphText(const record::GraphStage& graph) {
    const auto calls = std::ranges::count(graph.nodes, "call", &record::GraphNode::kind);
    const auto inputs = std::ranges::count(graph.nodes, "placeholder", &record::GraphNode::kind);
    return counted(Words::tr("%1 operation(s)", nullptr, static_cast<int>(calls)), calls) + ", " +
           counted(Words::tr("%1 input(s)", nullptr, static_cast<int>(inputs)), inputs);
}

QString cutText(const record::Partition& cut) {
    int64_t bytes = 0;
    for (const record::SavedTensor& tensor : cut.saved)
        bytes += tensor.bytes;
    const auto saved = static_cast<qsizetype>(cut.saved.size());
    QString text = counted(Words::tr("%1 tensor(s)", nullptr, static_cast<int>(saved)), saved) +
                   ", " + format::bytes(bytes);
    if (const auto again = static_cast<qsizetype>(cut.recomputed.size()); again > 0)
        text += "; " +
                counted(Words::tr("%1 value(s) computed again", nullptr, static_cast<int>(again)),
                        again);
    return text;
}

struct Work {
    qsizetype kernels = 0;
    int64_t bytes = 0, arena = 0;
    double flops = 0;
};

QString workText(const Work& work) {
    QString text =
        counted(Words::tr("%1 kernel(s)", nullptr, static_cast<int>(work.kernels)), work.kernels) +
        ", " + Words::tr("%1 read and written").arg(format::bytes(work.bytes));
    if (work.flops > 0) text += ", " + format::flops(work.flops);
    return text;
}

/// The largest of \p all, with links.
template <typename T, typename Bytes>
FactSection largest(const QString& title, std::vector<const T*> all, Bytes bytesOf) {
    FactSection section{title, {}};
    std::ranges::stable_sort(all, std::greater<>(), bytesOf);
    int64_t sum = 0;
    for (const T* one : all)
        sum += bytesOf(one);
    for (size_t i = 0; i < std::min(all.size(), kMostListed); ++i) {
        const int64_t bytes = bytesOf(all[i]);
        QString text = format::bytes(bytes);
        if (sum > 0 && all.size() > 1) text += " · " + format::percent(double(bytes) / double(sum));
        section.facts.push_back({{},
                                 {{str(all[i]->name), all[i]->item, true},
                                  {"  " + text, kNoItem, false, Tone::Muted}}});
    }
    return section;
}

} // namespace

ItemFacts overviewOf(const RecordView& view, const record::Function& function,
                     const record::Entry& entry, bool isPartial) {
    ItemFacts out;
    out.kind = isPartial ? Words::tr("compiled in part") : Words::tr("compiled");
    out.title = view.titleOf(function, entry);
    out.head = str(entry.device) + " · " + str(entry.backend);
    FactSection all{Words::tr("What became of it"), {}};
    for (const record::GraphStage& graph : entry.graphs)
        if (graph.name == "captured" || graph.name == "joint") {
            all.facts.push_back(
                plain(graph.name == "joint" ? Words::tr("Joint") : Words::tr("Captured"),
                      graphText(graph)));
            out.places.push_back(
                {"graph", str(graph.name), Words::tr("Graph: %1").arg(str(graph.name)), kNoItem});
        }
    if (entry.hasPartition) {
        all.facts.push_back(plain(Words::tr("Saved"), cutText(entry.partition)));
        out.places.push_back({"partition", {}, Words::tr("Partition"), kNoItem});
    }
    std::vector<const record::KernelInfo*> kernels;
    Work work;
    for (const record::LoweredGraph& graph : entry.lowered) {
        if (isPartial && graph.kernels.empty()) continue; // on their way
        Work own;
        for (const record::KernelInfo& kernel : graph.kernels) {
            kernels.push_back(&kernel);
            own.bytes += kernel.bytesRead + kernel.bytesWritten;
            own.flops += kernel.flops;
            ++own.kernels;
        }
        all.facts.push_back(plain(entry.lowered.size() == 1   ? Words::tr("Kernels")
                                  : graph.graph == "backward" ? Words::tr("Backward")
                                                              : Words::tr("Forward"),
                                  workText(own)));
        work.arena += graph.memory.arenaBytes;
    }
    if (!kernels.empty()) {
        all.facts.push_back(plain(Words::tr("Arena"), format::bytes(work.arena)));
        out.places.push_back({"kernels", {}, Words::tr("Kernels"), kNoItem});
    }
    const auto guards = static_cast<qsizetype>(entry.guards.size());
    if (guards > 0) {
        all.facts.push_back(plain(Words::tr("Guards"), format::count(guards)));
        out.places.push_back({"capture", {}, Words::tr("Capture"), kNoItem});
    }
    out.sections.push_back(std::move(all));
    if (kernels.size() > 1)
        out.sections.push_back(largest(Words::tr("Kernels that move most"), kernels,
                                       [](const record::KernelInfo* kernel) {
                                           return kernel->bytesRead + kernel->bytesWritten;
                                       }));
    std::vector<const record::SavedTensor*> saved;
    for (const record::SavedTensor& tensor : entry.partition.saved)
        saved.push_back(&tensor);
    if (!saved.empty())
        out.sections.push_back(largest(Words::tr("Largest of what is kept"), saved,
                                       [](const record::SavedTensor* one) { return one->bytes; }));
    return out;
}

} // namespace cutaway::views
