// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/node_facts.h"

#include "views/language/sentences.h"
#include "views/models/format.h"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>

namespace cutaway::views::facts {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(ItemFacts)
};

constexpr size_t kMostLinks = 8, kMostDecisions = 12;

const record::GraphStage& graphOf(const RecordView& view, ItemId item) {
    const Place& at = view.place(item);
    return view.entry(at.function, at.entry)->graphs[at.graph];
}

/// The input of a compiled graph that stands for the same value: its kernels are made for just
/// these strides; null: none is known.
const record::LoopBuffer* asCompiled(const RecordView& view, const record::GraphNode& node,
                                     const std::vector<ItemId>& below) {
    for (ItemId item : below)
        if (const record::LoopBuffer* buffer = view.buffer(item);
            buffer && buffer->kind == "input" && buffer->name == node.name)
            return buffer;
    return nullptr;
}

/// Shape, dtype and strides of a printed type: "f32[4, 8][1, 4]".
struct TypeParts {
    QString dtype, shape, strides;
};
TypeParts typeParts(const QString& type) {
    static const QRegularExpression form("^(\\w+)(\\[[^\\]]*\\])?(\\[[^\\]]*\\])?");
    const auto match = form.match(type);
    TypeParts parts{match.captured(1), match.captured(2), match.captured(3)};
    if (parts.strides.isEmpty() && parts.shape.size() > 2) parts.strides = Words::tr("contiguous");
    return parts;
}

FactSection valueSection(const record::GraphNode& node, const record::LoopBuffer* compiled) {
    FactSection section{Words::tr("Value"), {}};
    const TypeParts type = typeParts(str(compiled ? compiled->type : node.type));
    const int64_t bytes = compiled ? compiled->bytes : node.bytes;
    if (!type.dtype.isEmpty())
        section.facts.push_back({Words::tr("dtype"), {code(type.dtype)}, false});
    if (!type.shape.isEmpty())
        section.facts.push_back({Words::tr("Shape"), {code(type.shape)}, false});
    if (!type.strides.isEmpty()) {
        Fact stride{Words::tr("Stride"), {code(type.strides)}, false};
        if (compiled && bytes < node.bytes)
            stride.pieces.push_back(
                plain(" " + Words::tr("(expanded: elements are repeated along a stride of 0; %1 "
                                      "if they were not)")
                                .arg(format::bytes(node.bytes))));
        section.facts.push_back(std::move(stride));
    }
    if (bytes > 0)
        section.facts.push_back(
            {Words::tr("Bytes"),
             {plain(QString("%1 (%2 B)").arg(format::bytes(bytes), format::count(bytes)))},
             true});
    return section;
}

FactSection edgesSection(const RecordView& view, ItemId item) {
    FactSection section{Words::tr("Neighbours"), {}};
    const record::GraphNode& node = *view.node(item);
    const record::GraphStage& graph = graphOf(view, item);
    Fact arguments{Words::tr("Arguments"), {}, false}, users{Words::tr("Users"), {}, true};
    for (ItemId input : node.inputs) {
        addPiece(arguments, link(view, input));
        if (const record::GraphNode* from = view.node(input))
            arguments.pieces.push_back(code(" " + str(from->type)));
    }
    std::vector<ItemId> uses;
    for (const record::GraphNode& other : graph.nodes)
        if (std::find(other.inputs.begin(), other.inputs.end(), item) != other.inputs.end())
            uses.push_back(other.item);
    addLinks(users, view, uses);
    const bool output =
        std::find(graph.outputs.begin(), graph.outputs.end(), item) != graph.outputs.end();
    if (output) addPiece(users, plain(Words::tr("result of the graph")));
    if (users.pieces.empty()) addPiece(users, {Words::tr("none"), kNoItem, false, Tone::Muted});
    if (!arguments.pieces.empty()) section.facts.push_back(std::move(arguments));
    section.facts.push_back(std::move(users));
    return section;
}

/// The node of the joint graph that \p item is, or became, or came from.
std::vector<ItemId> jointOf(const RecordView& view, ItemId item) {
    std::vector<ItemId> result;
    auto keep = [&](const std::vector<ItemId>& items) {
        for (ItemId other : items)
            if (view.place(other).node >= 0 && graphOf(view, other).name == "joint")
                result.push_back(other);
    };
    const std::string& stage = graphOf(view, item).name;
    if (stage == "joint") return {item};
    if (stage == "captured")
        keep(view.links().descendants({item}));
    else
        keep(view.links().ancestors({item}));
    return result;
}

FactSection partitionSection(const RecordView& view, ItemId item) {
    FactSection section{Words::tr("Partition"), {}};
    const Place& at = view.place(item);
    const record::Entry& entry = *view.entry(at.function, at.entry);
    if (!entry.hasPartition) return section;
    const std::vector<ItemId> joint = jointOf(view, item);
    auto isOne = [&](ItemId other) {
        return std::find(joint.begin(), joint.end(), other) != joint.end();
    };
    auto add = [&](const QString& what, ItemId of, int64_t bytes, const std::string& reason) {
        Fact fact{what, {}, true};
        if (of != item) {
            fact.pieces.push_back(link(view, of));
            fact.pieces.push_back(plain(", "));
        }
        fact.pieces.push_back(plain(format::bytes(bytes) + " — " + told(reason)));
        section.facts.push_back(std::move(fact));
    };
    for (const record::SavedTensor& saved : entry.partition.saved)
        if (isOne(saved.item)) add(Words::tr("Saved"), saved.item, saved.bytes, saved.reason);
    for (const record::RecomputedValue& value : entry.partition.recomputed)
        if (isOne(value.item)) add(Words::tr("Recomputed"), value.item, value.bytes, value.reason);
    return section;
}

/// Without its folder; "<torch/nn/functional.py>", which is in no folder, as it stands.
QString shownFile(const QString& file) {
    return file.startsWith('<') ? file : file.section('/', -1);
}

FactSection sourceSection(const RecordView& view, const record::GraphNode& node) {
    FactSection section{Words::tr("Source"), {}};
    for (auto where = node.source.rbegin(); where != node.source.rend(); ++where) {
        Fact fact;
        const QString short_ = QString("%1:%2").arg(shownFile(str(where->file))).arg(where->line);
        ItemId line = kNoItem;
        QString text;
        const auto& files = view.record().files;
        for (size_t i = 0; i < files.size(); ++i)
            if (files[i].name == where->file) {
                line = view.sourceItem(static_cast<int>(i), where->line - 1);
                text = str(files[i].text).section('\n', where->line - 1, where->line - 1).trimmed();
            }
        fact.pieces = {{short_, line, false, Tone::Normal}};
        if (!text.isEmpty()) fact.pieces.push_back(code("  " + text));
        fact.brief = section.facts.empty();
        section.facts.push_back(std::move(fact));
    }
    if (!node.modulePath.empty())
        section.facts.push_back({Words::tr("Module"), {code(str(node.modulePath))}, true});
    if (!node.rule.empty())
        section.facts.push_back({Words::tr("Made by"), {plain(told(node.rule))}, true});
    return section;
}

/// Guards whose source is that of an input, or reaches it: "self.0" for "self.0.weight".
FactSection guardSection(const RecordView& view, ItemId item) {
    FactSection section{Words::tr("Guards"), {}};
    const record::GraphNode& node = *view.node(item);
    static const QRegularExpression comment("#\\s*(.+)$");
    const QString source = comment.match(str(node.text)).captured(1).trimmed();
    if (node.kind != "placeholder" || source.isEmpty()) return section;
    const Place& at = view.place(item);
    for (const record::Guard& guard : view.entry(at.function, at.entry)->guards) {
        const QString of = str(guard.source);
        if (of != source && !source.startsWith(of + ".") && !source.startsWith(of + "[")) continue;
        section.facts.push_back(
            {str(guard.kind), {code(of + " " + str(guard.condition))}, of == source});
    }
    return section;
}

FactSection loweredSection(const RecordView& view, ItemId item, const std::vector<ItemId>& below) {
    FactSection section{Words::tr("What became of it"), {}};
    QHash<QString, std::vector<ItemId>> nodes;
    std::vector<ItemId> kernels;
    for (ItemId other : below) {
        const Place& place = view.place(other);
        if (place.node >= 0 && other != item)
            nodes[str(graphOf(view, other).name)].push_back(other);
        else if (place.kernel >= 0 && place.code < 0)
            kernels.push_back(other);
    }
    auto add = [&](const QString& label, const std::vector<ItemId>& items, bool brief) {
        Fact fact{label, {}, brief};
        addLinks(fact, view, items);
        if (!fact.pieces.empty()) section.facts.push_back(std::move(fact));
    };
    for (const char* stage : {"joint", "forward", "backward"})
        add(QString::fromLatin1(stage), nodes.value(QString::fromLatin1(stage)), false);
    add(kernels.size() == 1 ? Words::tr("Kernel") : Words::tr("Kernels"), kernels, true);
    return section;
}

void addOperation(ItemFacts& out, const record::GraphNode& node, const FactSources& sources) {
    FactSection section{Words::tr("Operation"), {}};
    if (!node.op.empty()) section.facts.push_back({Words::tr("Name"), {code(str(node.op))}, false});
    const QStringList doc =
        sources.docs && !node.op.empty() ? sources.docs(str(node.op)).split('\n') : QStringList();
    if (!doc.value(0).isEmpty())
        section.facts.push_back(
            {Words::tr("What it does"),
             {plain(QCoreApplication::translate("Operations", doc.value(0).toUtf8().constData()))},
             true});
    if (!doc.value(1).isEmpty())
        section.facts.push_back({Words::tr("Formula"), {code(doc.value(1))}, true});
    section.facts.push_back({Words::tr("Written"), {code(str(node.text))}, false});
    out.sections.push_back(std::move(section));
}

} // namespace

FactPiece link(const RecordView& view, ItemId item) {
    return {view.title(item), item, true, Tone::Normal};
}

void addPiece(Fact& fact, FactPiece piece) {
    if (!fact.pieces.empty()) fact.pieces.push_back(plain(", "));
    fact.pieces.push_back(std::move(piece));
}

void addLinks(Fact& fact, const RecordView& view, const std::vector<ItemId>& items) {
    for (size_t i = 0; i < items.size() && i < kMostLinks; ++i)
        addPiece(fact, link(view, items[i]));
    if (items.size() > kMostLinks)
        addPiece(fact, {Words::tr("%1 more").arg(items.size() - kMostLinks), kNoItem, false,
                        Tone::Muted});
}

const record::LoweredGraph* loweredOf(const RecordView& view, ItemId item) {
    const Place& at = view.place(item);
    return at.lowered < 0 ? nullptr : &view.entry(at.function, at.entry)->lowered[at.lowered];
}

static Fact decisionFact(const RecordView& view, const record::FusionDecision& decision) {
    Fact fact{decision.fused ? Words::tr("Fused") : Words::tr("Apart"), {}, false};
    fact.pieces = {
        link(view, decision.a),
        plain(" + "),
        link(view, decision.b),
        {" " + told(decision.rule), kNoItem, false, decision.fused ? Tone::Good : Tone::Warning},
        plain(": " + told(decision.reason))};
    return fact;
}

FactSection decisionOfPair(const RecordView& view, ItemId a, ItemId b) {
    FactSection section{Words::tr("Fusion"), {}};
    if (const record::LoweredGraph* lowered = loweredOf(view, a))
        for (const record::FusionDecision& decision : lowered->decisions)
            if ((decision.a == a && decision.b == b) || (decision.a == b && decision.b == a))
                section.facts.push_back(decisionFact(view, decision));
    return section;
}

FactSection decisionsOf(const RecordView& view, const std::vector<ItemId>& buffers) {
    FactSection section{Words::tr("Fusion"), {}};
    const QSet<ItemId> wanted(buffers.begin(), buffers.end());
    size_t more = 0;
    const record::LoweredGraph* last = nullptr;
    for (ItemId buffer : buffers) {
        const record::LoweredGraph* lowered = loweredOf(view, buffer);
        if (!lowered || lowered == last) continue;
        last = lowered;
        for (const record::FusionDecision& decision : lowered->decisions) {
            if (!wanted.contains(decision.a) && !wanted.contains(decision.b)) continue;
            if (section.facts.size() >= kMostDecisions) {
                ++more;
                continue;
            }
            section.facts.push_back(decisionFact(view, decision));
        }
    }
    if (more > 0)
        section.facts.push_back(
            {{}, {{Words::tr("%1 more").arg(more), kNoItem, false, Tone::Muted}}, false});
    return section;
}

void describeNode(ItemFacts& out, const RecordView& view, ItemId item, const FactSources& sources) {
    const record::GraphNode& node = *view.node(item);
    const record::GraphStage& graph = graphOf(view, item);
    out.kind = node.kind == "placeholder" ? Words::tr("input")
               : node.kind == "constant"  ? Words::tr("constant")
                                          : Words::tr("operation");
    out.head = str(node.type);
    addOperation(out, node, sources);
    const std::vector<ItemId> below = view.links().descendants({item});
    out.sections.push_back(valueSection(node, asCompiled(view, node, below)));
    out.sections.push_back(edgesSection(view, item));
    out.sections.push_back(partitionSection(view, item));
    out.sections.push_back(loweredSection(view, item, below));
    out.sections.push_back(sourceSection(view, node));
    std::vector<ItemId> buffers;
    for (ItemId other : below)
        if (view.buffer(other)) buffers.push_back(other);
    out.sections.push_back(decisionsOf(view, buffers));
    out.sections.push_back(guardSection(view, item));
    out.places.push_back(
        {"graph", str(graph.name), Words::tr("Graph: %1").arg(str(graph.name)), item});
    const std::vector<ItemId> joint = jointOf(view, item);
    const Place& at = view.place(item);
    if (!joint.empty() && view.entry(at.function, at.entry)->hasPartition)
        out.places.push_back({"partition", {}, Words::tr("Partition"), joint.front()});
    for (ItemId other : below)
        if (view.place(other).kernel >= 0 && view.place(other).code < 0) {
            out.places.push_back({"kernels", {}, Words::tr("Kernels"), other});
            out.places.push_back({"code", {}, Words::tr("Code"), other});
            break;
        }
    if (!buffers.empty())
        out.places.push_back({"memory", {}, Words::tr("Memory"), buffers.front()});
    if (!node.source.empty()) out.places.push_back({"source", {}, Words::tr("Source"), item});
}

} // namespace cutaway::views::facts
