// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/item_facts.h"

#include "views/language/sentences.h"
#include "views/models/format.h"
#include "views/models/kind_names.h"
#include "views/models/node_facts.h"
#include "views/models/significance.h"

#include <QCoreApplication>
#include <QMap>
#include <algorithm>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(ItemFacts)
};
} // namespace

using namespace facts;

static constexpr size_t kMostRemarks = 12, kMostRemarkedKernels = 3;

namespace {

/// Of a kernel in a measurement; null: it was not measured.
struct Timed {
    const record::KernelTiming* timing = nullptr;
    const record::Run* run = nullptr;
};

Timed timingOf(const FactSources& sources, const RecordView& view, ItemId kernel) {
    if (!sources.runs) return {};
    const record::KernelInfo* info = view.kernel(kernel);
    const record::LoweredGraph* lowered = loweredOf(view, kernel);
    for (const record::Run& run : *sources.runs) {
        if (sources.of && !Measured(run).matches(*sources.of)) continue;
        for (const record::KernelTiming& timing : run.kernels)
            if (info && lowered && timing.kernel == info->name && timing.graph == lowered->graph)
                return {&timing, &run};
    }
    return {};
}

/// "50 % of a multiprocessor's warps: 4 blocks of 256 threads, …".
QString occupancyText(const record::GpuLoad& load) {
    QString text = Words::tr("%1 of the warps of a multiprocessor (%2), predicted: %3 blocks of %4 "
                             "threads, about %5 registers a thread, %6 of shared memory")
                       .arg(format::percent(load.share), str(load.architecture))
                       .arg(load.blocks)
                       .arg(load.threads)
                       .arg(load.registers)
                       .arg(format::bytes(load.sharedBytes));
    if (load.share < 1) text += Words::tr("; held back by %1").arg(str(load.limit));
    return text;
}

void describeKernel(ItemFacts& out, const RecordView& view, ItemId item,
                    const FactSources& sources) {
    const record::KernelInfo& kernel = *view.kernel(item);
    out.kind = Words::tr("kernel");
    out.head = kindName(kernel.kind) + " · " + str(kernel.device);
    FactSection work{Words::tr("Work"), {}};
    const int64_t bytes = kernel.bytesRead + kernel.bytesWritten;
    work.facts.push_back({Words::tr("Reads"), {plain(format::bytes(kernel.bytesRead))}, true});
    work.facts.push_back({Words::tr("Writes"), {plain(format::bytes(kernel.bytesWritten))}, true});
    if (kernel.flops > 0) {
        work.facts.push_back({Words::tr("Work"), {plain(format::flops(kernel.flops))}, true});
        if (bytes > 0)
            work.facts.push_back(
                {Words::tr("Intensity"),
                 {plain(Words::tr("%1 FLOP a byte").arg(kernel.flops / double(bytes), 0, 'g', 3))},
                 false});
    }
    if (kernel.gpu.threads > 0)
        work.facts.push_back({Words::tr("Occupancy"), {plain(occupancyText(kernel.gpu))}, false});
    if (const auto [timing, run] = timingOf(sources, view, item); timing) {
        const QString why = whyKernelsUnsteady(*run);
        const auto told = [&why](const QString& number) {
            return why.isEmpty() ? plain(number)
                                 : FactPiece{disturbedText(number), kNoItem, false, Tone::Warning};
        };
        work.facts.push_back(
            {Words::tr("Measured"), {told(format::microseconds(timing->us))}, true});
        if (timing->us > 0 && timing->bytes > 0)
            work.facts.push_back(
                {Words::tr("Bandwidth"),
                 {told(format::bandwidth(double(timing->bytes) / timing->us * 1e6))},
                 false});
        if (!why.isEmpty())
            work.facts.push_back({{}, {{why, kNoItem, false, Tone::Warning}}, false});
    }
    out.sections.push_back(std::move(work));
    FactSection data{Words::tr("Data"), {}};
    auto names = [](const std::vector<std::string>& all) {
        Fact fact;
        for (const std::string& name : all)
            addPiece(fact, code(str(name)));
        return fact;
    };
    Fact reads = names(kernel.reads), writes = names(kernel.writes), holds;
    reads.label = Words::tr("Reads from"), writes.label = Words::tr("Writes to"),
    holds.label = Words::tr("Computes");
    addLinks(holds, view, kernel.buffers);
    for (Fact* fact : {&reads, &writes, &holds})
        if (!fact->pieces.empty()) data.facts.push_back(std::move(*fact));
    out.sections.push_back(std::move(data));
    FactSection schedule{Words::tr("Schedule"), {}};
    for (const std::string& reason : kernel.schedule)
        schedule.facts.push_back({{}, {plain(told(reason))}, false});
    for (const record::ScheduleCandidate& candidate : kernel.candidates) {
        QString verdict =
            !candidate.refused.empty() ? told(candidate.refused)
            : candidate.taken
                ? Words::tr("taken, %1 predicted").arg(format::microseconds(candidate.predictedUs))
                : Words::tr("%1 predicted").arg(format::microseconds(candidate.predictedUs));
        schedule.facts.push_back(
            {str(candidate.target), {code(str(candidate.text())), plain(" — " + verdict)}, false});
    }
    out.sections.push_back(std::move(schedule));
    out.sections.push_back(decisionsOf(view, kernel.buffers));
    out.places = {{"kernels", {}, Words::tr("Kernels"), item},
                  {"code", {}, Words::tr("Code"), item}};
}

void describeBuffer(ItemFacts& out, const RecordView& view, ItemId item) {
    const record::LoopBuffer& buffer = *view.buffer(item);
    const record::LoweredGraph& lowered = *loweredOf(view, item);
    out.kind = Words::tr("buffer");
    out.head = str(buffer.type);
    FactSection main{Words::tr("Buffer"), {}};
    main.facts.push_back({Words::tr("Kind"), {plain(kindName(buffer.kind))}, true});
    main.facts.push_back(
        {Words::tr("Where"),
         {plain(buffer.inMemory ? Words::tr("memory, %1").arg(format::bytes(buffer.bytes))
                                : Words::tr("registers of its kernel: never in memory"))},
         true});
    if (ItemId kernel = view.kernelOf(item); kernel != kNoItem)
        main.facts.push_back({Words::tr("Kernel"), {link(view, kernel)}, true});
    for (const record::MemoryItem& place : lowered.memory.items)
        if (place.buffer == buffer.name && place.kind != "workspace") {
            main.facts.push_back({Words::tr("Lies"),
                                  {plain(Words::tr("at byte %1, from kernel %2 to %3 — %4")
                                             .arg(format::count(place.offset))
                                             .arg(place.firstKernel + 1)
                                             .arg(place.lastKernel + 1)
                                             .arg(told(place.reason)))},
                                  false});
        }
    out.sections.push_back(std::move(main));
    out.sections.push_back({Words::tr("Loops"), {{{}, {code(str(buffer.text))}, false}}});
    out.sections.push_back(decisionsOf(view, {item}));
    out.places = {{"kernels", {}, Words::tr("Kernels"), item},
                  {"memory", {}, Words::tr("Memory"), item}};
}

void describeCodeLine(ItemFacts& out, const RecordView& view, ItemId item) {
    const Place& at = view.place(item);
    const record::KernelInfo& kernel =
        view.entry(at.function, at.entry)->lowered[at.lowered].kernels[at.kernel];
    out.kind = Words::tr("line of code");
    out.head = str(kernel.codes[at.code].lines[at.codeLine].text).trimmed();
    if (out.head.isEmpty()) out.head = view.label(item); // its text has not come
    FactSection main{Words::tr("Comes from"), {}};
    main.facts.push_back({Words::tr("Kernel"), {link(view, kernel.item)}, true});
    Fact computes{Words::tr("Computes"), {}, true};
    std::vector<ItemId> buffers;
    for (ItemId from : view.links().ancestors({item}))
        if (view.buffer(from)) buffers.push_back(from);
    addLinks(computes, view, buffers);
    if (!computes.pieces.empty()) main.facts.push_back(std::move(computes));
    Fact source{Words::tr("Source"), {}, true};
    addLinks(source, view, view.callLines({item}));
    if (!source.pieces.empty()) main.facts.push_back(std::move(source));
    out.sections.push_back(std::move(main));
    out.places = {{"code", {}, Words::tr("Code"), item},
                  {"kernels", {}, Words::tr("Kernels"), kernel.item}};
}

void describeSourceLine(ItemFacts& out, const RecordView& view, ItemId item) {
    const Place& at = view.place(item);
    const QStringList lines = str(view.record().files[at.file].text).split('\n');
    out.kind = Words::tr("source line");
    out.head = lines.value(at.line).trimmed();
    QMap<QString, std::vector<ItemId>> nodes; // by graph
    std::vector<ItemId> kernels;
    for (ItemId below : view.links().descendants({item})) {
        const Place& place = view.place(below);
        if (place.node >= 0)
            nodes[str(view.entry(place.function, place.entry)->graphs[place.graph].name)].push_back(
                below);
        else if (place.kernel >= 0 && place.code < 0)
            kernels.push_back(below);
    }
    FactSection main{Words::tr("What became of it"), {}};
    auto add = [&](const QString& label, const std::vector<ItemId>& items) {
        Fact fact{label, {}, true};
        addLinks(fact, view, items);
        if (!fact.pieces.empty()) main.facts.push_back(std::move(fact));
    };
    for (const char* graph : {"captured", "joint", "forward", "backward"})
        add(QString::fromLatin1(graph), nodes.value(QString::fromLatin1(graph)));
    add(Words::tr("kernels"), kernels);
    if (main.facts.empty())
        main.facts.push_back(
            {{},
             {{Words::tr(
                   "nothing is compiled from this line: Python runs it. Tensors that it makes "
                   "may come into a graph as inputs."),
               kNoItem, false, Tone::Muted}},
             true});
    out.sections.push_back(std::move(main));
    out.places = {{"source", {}, Words::tr("Source"), item}};
}

/// What is said of the loops that compute an item, or of all loops of a kernel.
FactSection remarksOf(const RecordView& view, ItemId item, const FactSources& sources) {
    FactSection section{Words::tr("The C++ compiler"), {}};
    if (!sources.remarks) return section;
    const bool whole = view.kernel(item) && view.place(item).codeLine < 0;
    for (ItemId kernel : remarkedKernels(view, item)) {
        const std::vector<PlacedRemark>* all = sources.remarks(kernel);
        if (!all) continue;
        for (const PlacedRemark& remark : *all) {
            if (!whole && !std::ranges::count(view.links().ancestors(remark.items), item)) continue;
            if (section.facts.size() == kMostRemarks) {
                section.facts.push_back(
                    {{}, {{QString(QChar(0x2026)), kNoItem, false, Tone::Muted}}, false});
                return section;
            }
            const QString at = Words::tr("line %1").arg(remark.line);
            const FactPiece place = remark.items.empty()
                                        ? plain(at)
                                        : FactPiece{at, remark.items.front(), false, Tone::Normal};
            section.facts.push_back(
                {whole ? QString() : view.title(kernel),
                 {place,
                  plain(" — "),
                  {remark.text, kNoItem, false, remark.missed ? Tone::Warning : Tone::Good}},
                 false});
        }
    }
    return section;
}

} // namespace

std::vector<ItemId> remarkedKernels(const RecordView& view, ItemId item) {
    std::vector<ItemId> kernels;
    const auto add = [&](ItemId one) {
        const record::KernelInfo* kernel = one == kNoItem ? nullptr : view.kernel(one);
        const auto isCpp = [](const record::Code& code) { return code.language == "cpp"; };
        if (kernel && kernels.size() < kMostRemarkedKernels && kernel->device == "cpu" &&
            !std::ranges::count(kernels, kernel->item) && std::ranges::any_of(kernel->codes, isCpp))
            kernels.push_back(kernel->item);
    };
    add(view.kernelOf(item));
    if (kernels.empty())
        for (ItemId below : view.links().descendants({item}))
            if (view.place(below).kernel >= 0 && view.place(below).codeLine < 0) add(below);
    return kernels;
}

ItemFacts factsOf(const RecordView& view, ItemId item, const FactSources& sources) {
    ItemFacts out;
    const Place& at = view.place(item);
    if (!at.known()) return out;
    out.title = view.title(item);
    if (at.node >= 0)
        describeNode(out, view, item, sources);
    else if (at.line >= 0)
        describeSourceLine(out, view, item);
    else if (at.codeLine >= 0)
        describeCodeLine(out, view, item);
    else if (at.buffer >= 0)
        describeBuffer(out, view, item);
    else if (at.kernel >= 0)
        describeKernel(out, view, item, sources);
    out.sections.push_back(remarksOf(view, item, sources));
    std::erase_if(out.sections, [](const FactSection& section) { return section.facts.empty(); });
    return out;
}

ItemFacts factsOf(const RecordView& view, const std::vector<ItemId>& items,
                  const FactSources& sources) {
    if (items.size() == 1) return factsOf(view, items.front(), sources);
    ItemFacts out;
    if (items.empty()) return out;
    out.kind = Words::tr("selection");
    out.title = Words::tr("%1 items").arg(items.size());
    int64_t bytes = 0, given = 0;
    double flops = 0;
    FactSection list{Words::tr("Selected"), {}};
    Fact names;
    addLinks(names, view, items);
    list.facts.push_back(std::move(names));
    for (ItemId item : items) {
        if (const auto* node = view.node(item))
            (node->kind == "call" ? bytes : given) += node->bytes;
        if (const auto* buffer = view.buffer(item)) bytes += buffer->bytes;
        if (view.place(item).codeLine >= 0) continue;
        if (const auto* kernel = view.kernel(item)) flops += kernel->flops;
    }
    FactSection sums{Words::tr("Together"), {}};
    // As the tip of a box counts, which stands for the same nodes.
    if (bytes > 0)
        sums.facts.push_back({Words::tr("Results"), {plain(format::bytes(bytes))}, true});
    if (given > 0)
        sums.facts.push_back(
            {Words::tr("Parameters and inputs"), {plain(format::bytes(given))}, true});
    if (flops > 0) sums.facts.push_back({Words::tr("Work"), {plain(format::flops(flops))}, true});
    if (!sums.facts.empty()) out.sections.push_back(std::move(sums));
    if (items.size() == 2) // why they are one kernel, or two
        if (FactSection pair = decisionOfPair(view, items[0], items[1]); !pair.facts.empty())
            out.sections.push_back(std::move(pair));
    out.sections.push_back(std::move(list));
    return out;
}

} // namespace cutaway::views
