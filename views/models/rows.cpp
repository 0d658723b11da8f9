// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/rows.h"

#include "views/language/sentences.h"
#include "views/models/format.h"
#include "views/models/kind_names.h"

#include <QCoreApplication>
#include <QSet>

namespace cutaway::views::rows {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Rows)
};

QString str(const std::string& text) {
    return QString::fromStdString(text);
}

Cell text(const std::string& value, Tone tone = Tone::Normal) {
    return {str(value), {}, -1, tone, {}};
}
Cell kindCell(const std::string& kind, Tone tone = Tone::Normal) {
    return {kindName(kind), {}, -1, tone, {}};
}
/// What the compiler says.
Cell toldCell(const std::string& sentence) {
    return {told(sentence), {}, -1, Tone::Normal, {}};
}
Cell bytesCell(int64_t value, double bar = -1) {
    return {format::bytes(value), static_cast<qlonglong>(value), bar, Tone::Normal,
            format::count(value) + " B"};
}

template <typename T, typename F> double maximum(const std::vector<T>& values, F of) {
    double most = 0;
    for (const T& value : values)
        most = std::max(most, static_cast<double>(of(value)));
    return most;
}

} // namespace

std::vector<ItemId> itemsAt(const RecordView& view, const base::Location& where) {
    const auto& files = view.record().files;
    for (size_t i = 0; i < files.size(); ++i)
        if (files[i].name == where.file) {
            ItemId item = view.sourceItem(static_cast<int>(i), where.line - 1);
            if (item != kNoItem) return {item};
        }
    return {};
}

std::vector<Column> savedColumns() {
    return {{Words::tr("Saved tensor"), false, true, {}},
            {Words::tr("Type"), false, true, {}},
            {Words::tr("Bytes"), true, false,
             Words::tr("kept from the forward to the backward call"), "bytes"},
            {Words::tr("Why it is saved"), false, false, {}}};
}

std::vector<Row> saved(const RecordView& view, const record::Entry& entry) {
    std::vector<Row> result;
    const auto& all = entry.partition.saved;
    double most = maximum(all, [](const auto& s) { return s.bytes; });
    for (const record::SavedTensor& tensor : all) {
        const record::GraphNode* node = view.node(tensor.item);
        Row row;
        row.items = {tensor.item};
        row.cells = {text(tensor.name), text(node ? node->type : ""),
                     bytesCell(tensor.bytes, most > 0 ? double(tensor.bytes) / most : 0),
                     toldCell(tensor.reason)};
        if (tensor.input) {
            row.cells[2].tone = Tone::Muted;
            row.cells[2].tooltip =
                Words::tr("an input of the forward graph: kept alive, not copied");
        }
        result.push_back(std::move(row));
    }
    return result;
}

std::vector<Column> recomputedColumns() {
    return {
        {Words::tr("Recomputed value"), false, true, {}},
        {Words::tr("Operation"), false, true, {}},
        {Words::tr("Saves"), true, false, Words::tr("bytes that saving it would cost"), "bytes"},
        {Words::tr("Why it is recomputed"), false, false, {}}};
}

std::vector<Row> recomputed(const record::Entry& entry) {
    std::vector<Row> result;
    for (const record::RecomputedValue& value : entry.partition.recomputed) {
        Row row;
        row.items = {value.item};
        row.cells = {text(value.name),
                     {format::shortOp(str(value.op)), {}, -1, Tone::Normal, str(value.op)},
                     bytesCell(value.bytes),
                     toldCell(value.reason)};
        result.push_back(std::move(row));
    }
    return result;
}

std::vector<Column> kernelColumns() {
    return {{Words::tr("Name"), false, true, {}},
            {Words::tr("Kind"), false, false, {}},
            {Words::tr("Traffic"), true, false, Words::tr("bytes read and written"), "bytes"},
            {Words::tr("Work"), true, false, Words::tr("floating-point operations"), "FLOP"},
            {Words::tr("Type"), false, true, {}}};
}

static Row bufferRow(const record::LoopBuffer& buffer) {
    Row row;
    row.items = {buffer.item};
    row.detail = str(buffer.text);
    row.cells = {text(buffer.name, buffer.inMemory ? Tone::Normal : Tone::Muted),
                 kindCell(buffer.kind, Tone::Muted),
                 buffer.inMemory
                     ? bytesCell(buffer.bytes)
                     : Cell{Words::tr("registers"), 0, -1, Tone::Muted,
                            Words::tr("never written to memory: lives inside the kernel")},
                 Cell{}, text(buffer.type, Tone::Muted)};
    return row;
}

static Row kernelRow(const RecordView& view, const record::KernelInfo& kernel, double most) {
    Row row;
    row.items = {kernel.item};
    int64_t traffic = kernel.bytesRead + kernel.bytesWritten;
    row.cells = {text(kernel.name),
                 kindCell(kernel.kind),
                 bytesCell(traffic, most > 0 ? double(traffic) / most : 0),
                 {format::flops(kernel.flops), kernel.flops, -1, Tone::Normal, {}},
                 Cell{}};
    row.cells[2].tooltip =
        QString(Words::tr("reads %1, writes %2"))
            .arg(format::bytes(kernel.bytesRead), format::bytes(kernel.bytesWritten));
    for (ItemId item : kernel.buffers)
        if (const record::LoopBuffer* buffer = view.buffer(item))
            row.children.push_back(bufferRow(*buffer));
    return row;
}

std::vector<Row> kernels(const RecordView& view, const record::Entry& entry) {
    std::vector<Row> result;
    double most = 0;
    for (const record::LoweredGraph& graph : entry.lowered)
        most = std::max(most, maximum(graph.kernels,
                                      [](const auto& k) { return k.bytesRead + k.bytesWritten; }));
    for (const record::LoweredGraph& graph : entry.lowered) {
        Row row;
        row.bold = true;
        int64_t traffic = 0;
        double work = 0;
        for (const record::KernelInfo& kernel : graph.kernels) {
            traffic += kernel.bytesRead + kernel.bytesWritten;
            work += kernel.flops;
            row.children.push_back(kernelRow(view, kernel, most));
        }
        const int many = static_cast<int>(graph.kernels.size());
        QString kinds = Words::tr("%1 kernel(s)", nullptr, many).arg(format::count(many));
        row.cells = {text(graph.graph),
                     {kinds, many, -1, Tone::Muted, {}},
                     bytesCell(traffic),
                     {format::flops(work), work, -1, Tone::Normal, {}},
                     Cell{}};
        result.push_back(std::move(row));
    }
    return result;
}

std::vector<Column> decisionColumns() {
    return {{Words::tr("Pair"), false, true, {}},
            {Words::tr("Decision"), false, false, {}},
            {Words::tr("Shared"), true, false,
             Words::tr(
                 "bytes of the values that the two share, for this pair alone: one value stands in "
                 "each of its pairs. Keep the two apart, and What if tells what the whole moves"),
             "bytes"},
            {Words::tr("Why"), false, false, {}}};
}

static std::vector<Cell> decisionCells(const RecordView& view, const record::LoweredGraph& graph,
                                       const record::FusionDecision& decision) {
    return {{view.title(decision.a) + " + " + view.title(decision.b),
             {},
             -1,
             Tone::Normal,
             str(graph.graph)},
            {(decision.fused ? Words::tr("fused") : Words::tr("apart")) +
                 (decision.rule.empty() ? QString() : ": " + told(decision.rule)),
             {},
             -1,
             decision.fused ? Tone::Good : Tone::Warning,
             {}},
            bytesCell(decision.bytesSaved),
            toldCell(decision.reason)};
}

Table decisions(const RecordPtr& of, const record::Entry& entry) {
    std::vector<Row> rows;
    for (const record::LoweredGraph& graph : entry.lowered)
        for (const record::FusionDecision& decision : graph.decisions) {
            rows.emplace_back();
            rows.back().items = {decision.a, decision.b};
        }
    return {std::move(rows), [of, graphs = &entry.lowered](size_t row) {
                auto graph = graphs->begin();
                for (; row >= graph->decisions.size(); ++graph)
                    row -= graph->decisions.size();
                return decisionCells(*of, *graph, graph->decisions[row]);
            }};
}

std::vector<Column> passColumns() {
    return {{Words::tr("Pass"), false, true, {}},
            {Words::tr("Changes"), true, false, {}, "1"},
            {Words::tr("Time"), true, false, {}, "ms"}};
}

std::vector<Row> passes(const record::Entry& entry, bool onlyChanged) {
    std::vector<Row> result;
    for (size_t i = 0; i < entry.passes.size(); ++i) {
        const record::PassRun& pass = entry.passes[i];
        if (onlyChanged && !pass.changed) continue;
        if (result.empty() || result.back().cells[0].text != str(pass.stage)) {
            Row stage;
            stage.bold = true;
            stage.detail = "-1";
            stage.cells = {text(pass.stage), Cell{}, Cell{}};
            result.push_back(std::move(stage));
        }
        Row row;
        row.detail = QString::number(i);
        Tone tone = pass.changed ? Tone::Normal : Tone::Muted;
        row.cells = {
            {str(pass.pass), {}, -1, tone, told(pass.summary)},
            {pass.changes.empty() ? QStringLiteral("–") : QString::number(pass.changes.size()),
             static_cast<int>(pass.changes.size()),
             -1,
             tone,
             {}},
            {format::milliseconds(pass.ms), pass.ms, -1, Tone::Muted, {}}};
        result.back().children.push_back(std::move(row));
    }
    return result;
}

Row passesLeftOut(const QStringList& names, const QString& detail) {
    Row group;
    group.bold = true;
    group.detail = "-1";
    group.cells = {{Words::tr("Left out"), {}, -1, Tone::Normal, {}}, Cell{}, Cell{}};
    for (const QString& name : names) {
        Row row;
        row.detail = detail + name;
        row.cells = {{name, {}, -1, Tone::Muted, Words::tr("It was left out")}, Cell{}, Cell{}};
        group.children.push_back(std::move(row));
    }
    return group;
}

std::vector<Column> messageColumns() {
    return {{Words::tr("Severity"), false, false, {}},
            {Words::tr("Message"), false, false, {}},
            {Words::tr("Where"), false, true, {}}};
}

static QString place(const RecordView& view, const base::Location& where) {
    if (!where.known()) return str(where.file);
    QString file = str(where.file);
    const auto& files = view.record().files;
    if (!files.empty() && files[0].name == where.file) return Words::tr("line %1").arg(where.line);
    return QString("%1:%2").arg(file.mid(file.lastIndexOf('/') + 1)).arg(where.line);
}

std::vector<Row> messages(const RecordView& view, const std::vector<base::Diagnostic>& found) {
    std::vector<Row> result;
    for (size_t i = 0; i < found.size(); ++i) {
        const base::Diagnostic& one = found[i];
        Row row;
        row.detail = QString::number(i);
        row.items = itemsAt(view, one.where);
        Tone tone = one.severity == base::Severity::Error     ? Tone::Error
                    : one.severity == base::Severity::Warning ? Tone::Warning
                                                              : Tone::Muted;
        QString severity = one.severity == base::Severity::Error     ? Words::tr("error")
                           : one.severity == base::Severity::Warning ? Words::tr("warning")
                                                                     : Words::tr("note");
        row.cells = {{severity, static_cast<int>(one.severity), -1, tone, {}},
                     {told(one.message), {}, -1, Tone::Normal, str(one.str())},
                     {place(view, one.where), {}, -1, Tone::Muted, str(one.where.str())}};
        for (const base::DiagnosticNote& note : one.notes) {
            Row child;
            child.items = itemsAt(view, note.where);
            child.detail = row.detail;
            child.cells = {{Words::tr("note"), {}, -1, Tone::Muted, {}},
                           toldCell(note.message),
                           {place(view, note.where), {}, -1, Tone::Muted, str(note.where.str())}};
            row.children.push_back(std::move(child));
        }
        if (!one.hint.empty()) {
            Row child;
            child.detail = row.detail;
            child.cells = {{Words::tr("hint"), {}, -1, Tone::Good, {}}, toldCell(one.hint), Cell{}};
            row.children.push_back(std::move(child));
        }
        result.push_back(std::move(row));
    }
    return result;
}

std::vector<Column> guardColumns() {
    return {{Words::tr("Guard"), false, true, {}},
            {Words::tr("Condition"), false, true, {}},
            {Words::tr("Where"), false, true, {}}};
}

std::vector<Row> guards(const RecordView& view, const record::Entry& entry) {
    std::vector<Row> result;
    for (const record::Guard& guard : entry.guards) {
        Row row;
        row.items = itemsAt(view, guard.where);
        row.cells = {guard.source.empty() ? text(guard.kind) : text(guard.source),
                     text(guard.condition),
                     {place(view, guard.where), {}, -1, Tone::Muted, {}}};
        result.push_back(std::move(row));
    }
    return result;
}

} // namespace cutaway::views::rows
