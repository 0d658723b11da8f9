// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/timeline.h"

#include "views/models/significance.h"

#include <QCoreApplication>
#include <QHash>
#include <algorithm>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};
} // namespace

ItemId kernelItem(const record::Entry& entry, const std::string& graph, const std::string& kernel) {
    for (const record::LoweredGraph& lowered : entry.lowered)
        if (lowered.graph == graph)
            for (const record::KernelInfo& one : lowered.kernels)
                if (one.name == kernel) return one.item;
    return kNoItem;
}

/// A lane for each thread of the teams that computed \p run's kernels, where there was more than
/// one; kernels begin one behind the other. \p line holds those.
static void addThreads(Timeline& line, const record::Run& run) {
    int threads = 0;
    for (const record::KernelTiming& timing : run.kernels)
        for (const record::ThreadPart& part : timing.threads)
            threads = std::max(threads, part.thread + 1);
    if (threads < 2) return;
    const auto first = static_cast<int>(line.lanes.size());
    for (int thread = 0; thread < threads; ++thread)
        line.lanes << Words::tr("thread %1").arg(thread);
    size_t kernel = 0;
    std::vector<Span> parts;
    int unknown = 0;
    for (const Span& span : line.spans) {
        if (span.kind != Span::Kind::Kernel) continue;
        const std::vector<record::ThreadPart>& all = run.kernels[kernel++].threads;
        unknown += all.empty();
        for (const record::ThreadPart& part : all)
            if (part.begin < span.us)
                parts.push_back({span.name, first + part.thread, span.begin + part.begin,
                                 std::min(part.us, span.us - part.begin), span.item,
                                 Span::Kind::Kernel, span.disturbed});
    }
    line.spans.insert(line.spans.end(), parts.begin(), parts.end());
    line.note +=
        " " + (line.disturbed.isEmpty()
                   ? Words::tr("Where a thread's lane is empty it waits for the others, or it has "
                               "no part in that kernel.")
                   : Words::tr("Where a thread's lane is empty it waits for the others or for a "
                               "processor, or it has no part in that kernel."));
    if (unknown > 0)
        line.note += " " + Words::tr("Of %n kernel(s) it is not known which threads compute them: "
                                     "below these every thread's lane is empty.",
                                     nullptr, unknown);
}

/// Kernels and the rest.
static Timeline kernelsOfCall(const record::Run& run, const record::Entry& entry) {
    Timeline line;
    line.disturbed = whyKernelsUnsteady(run);
    const bool disturbed = !line.disturbed.isEmpty();
    double at = 0;
    for (const record::KernelTiming& timing : run.kernels) {
        const QString graph = QString::fromStdString(timing.graph);
        if (!line.lanes.contains(graph)) line.lanes << graph;
        line.spans.push_back({QString::fromStdString(timing.kernel),
                              static_cast<int>(line.lanes.indexOf(graph)), at, timing.us,
                              kernelItem(entry, timing.graph, timing.kernel), Span::Kind::Kernel,
                              disturbed});
        at += timing.us;
    }
    line.us = at;
    if (line.spans.empty()) return line;
    if (run.us > at) {
        line.lanes << Words::tr("the rest");
        line.spans.push_back({Words::tr("launch and the rest"),
                              static_cast<int>(line.lanes.size()) - 1, at, run.us - at, kNoItem,
                              Span::Kind::Rest, disturbed});
        line.us = run.us;
        line.note =
            Words::tr("Kernels in their order, each timed by itself; what a call takes beside them "
                      "is drawn behind the last.");
    } else {
        line.note =
            Words::tr("Kernels in their order, each timed by itself: together they take longer "
                      "than a call of all of them.");
    }
    return line;
}

/// A lane for the one stream of each GPU that kernels ran on. \p line holds those.
static void addStreams(Timeline& line, const record::Entry& entry) {
    QHash<ItemId, QString> gpus;
    for (const record::LoweredGraph& lowered : entry.lowered)
        for (const record::KernelInfo& kernel : lowered.kernels)
            if (kernel.device.starts_with("cuda"))
                gpus[kernel.item] = QString::fromStdString(kernel.device);
    std::vector<Span> parts;
    for (const Span& span : line.spans) {
        const auto gpu = gpus.constFind(span.item);
        if (span.kind != Span::Kind::Kernel || gpu == gpus.cend()) continue;
        const QString lane = Words::tr("%1, stream").arg(*gpu);
        if (!line.lanes.contains(lane)) line.lanes << lane;
        parts.push_back(span);
        parts.back().lane = static_cast<int>(line.lanes.indexOf(lane));
    }
    line.spans.insert(line.spans.end(), parts.begin(), parts.end());
}

Timeline callTimeline(const record::Run& run, const record::Entry& entry, CallLanes lanes) {
    Timeline line = kernelsOfCall(run, entry);
    if (lanes == CallLanes::GraphsAndThreads) {
        addThreads(line, run);
        addStreams(line, entry);
    }
    return line;
}

/// Lines of the script that call what a kernel computes, in their order.
static std::vector<ItemId> linesOf(const RecordView& view, const record::Entry& entry,
                                   ItemId kernel) {
    for (const record::LoweredGraph& lowered : entry.lowered)
        for (const record::KernelInfo& one : lowered.kernels)
            if (one.item == kernel) return view.callLines(one.buffers);
    return {};
}

Timeline flameGraph(const record::Run& run, const RecordView& view, const record::Entry& entry) {
    Timeline flame;
    const Timeline line = kernelsOfCall(run, entry);
    if (line.spans.empty()) return flame;
    flame.us = line.us;
    flame.disturbed = line.disturbed;
    const bool disturbed = !line.disturbed.isEmpty();
    flame.lanes = {Words::tr("the call"), Words::tr("graph"), Words::tr("script"),
                   Words::tr("kernel")};
    flame.spans.push_back({QString::fromStdString(run.caseName.empty() ? "call" : run.caseName), 0,
                           0, line.us, kNoItem, Span::Kind::Stage, disturbed});
    std::vector<ItemId> before;
    Span graph, lines;
    const auto end = [&](Span& span) {
        if (span.us > 0) flame.spans.push_back(span);
        span.us = 0;
    };
    for (const Span& span : line.spans) {
        const QString& name = line.lanes[span.lane];
        const bool isKernel = span.kind == Span::Kind::Kernel;
        if (graph.us > 0 && (graph.name != name || !isKernel)) end(graph);
        if (graph.us == 0)
            graph = {isKernel ? name : span.name,
                     1,
                     span.begin,
                     0,
                     kNoItem,
                     isKernel ? Span::Kind::Stage : Span::Kind::Rest,
                     disturbed};
        graph.us += span.us;
        const std::vector<ItemId> own =
            span.item == kNoItem ? std::vector<ItemId>() : linesOf(view, entry, span.item);
        if (lines.us > 0 && (own != before || lines.begin < graph.begin)) end(lines);
        if (!isKernel) continue;
        if (lines.us == 0) {
            QStringList titles;
            for (ItemId item : own)
                titles << view.title(item);
            lines = {titles.isEmpty() ? Words::tr("no line is known") : titles.join(", "),
                     2,
                     span.begin,
                     0,
                     own.empty() ? kNoItem : own.front(),
                     Span::Kind::Lines,
                     disturbed};
        }
        lines.us += span.us;
        before = own;
        Span kernel = span;
        kernel.lane = 3;
        flame.spans.push_back(kernel);
    }
    end(graph);
    end(lines);
    std::ranges::stable_sort(flame.spans, {}, [](const Span& span) { return span.lane; });
    flame.note = Words::tr("Widths are times of kernels, each timed by itself; a kernel of several "
                           "lines stands below all of them.");
    addThreads(flame, run);
    return flame;
}

/// The stage whose time holds that of the passes of a graph stage; empty: none is known to.
static std::string stageOfPasses(const std::string& graphStage) {
    return graphStage == "captured" ? "decompose" : graphStage == "joint" ? "passes" : "";
}

Timeline compileTimeline(const record::Entry& entry) {
    Timeline line;
    line.lanes << Words::tr("stages");
    double at = 0;
    for (const record::StageTime& time : entry.times) {
        const double us = time.ms * 1000;
        line.spans.push_back(
            {QString::fromStdString(time.stage), 0, at, us, kNoItem, Span::Kind::Stage});
        double inside = 0;
        std::vector<Span> passes;
        for (const record::PassRun& pass : entry.passes) {
            if (stageOfPasses(pass.stage) != time.stage) continue;
            passes.push_back({QString::fromStdString(pass.pass), 1, at + inside, pass.ms * 1000,
                              kNoItem, Span::Kind::Pass});
            inside += pass.ms * 1000;
        }
        if (!passes.empty() && inside <= us) {
            if (line.lanes.size() < 2) line.lanes << Words::tr("passes");
            line.spans.insert(line.spans.end(), passes.begin(), passes.end());
        }
        at += us;
    }
    line.us = at;
    std::ranges::stable_sort(line.spans, {}, &Span::begin);
    if (!line.spans.empty())
        line.note =
            Words::tr("Stages in their order, each as long as it took; passes stand at the start "
                      "of their stage.");
    return line;
}

} // namespace cutaway::views
