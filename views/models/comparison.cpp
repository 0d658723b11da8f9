// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/comparison.h"

#include "core/base/line_diff.h"
#include "views/models/pass_steps.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Comparison)
};

QString str(const std::string& text) {
    return QString::fromStdString(text);
}

/// A text's lines, and the item of each.
struct Lines {
    std::vector<std::string> texts;
    std::vector<ItemId> items;

    void add(const std::string& text, ItemId item = kNoItem) {
        for (const QString& line : str(text).split('\n')) {
            if (line.trimmed().isEmpty()) continue;
            texts.push_back(line.toStdString());
            items.push_back(item);
        }
    }
};

/// What a graph gives back, as it prints it: two of the same nodes may save other ones.
std::string returnedBy(const record::GraphStage& stage) {
    std::map<ItemId, std::string> names;
    for (const record::GraphNode& node : stage.nodes)
        names[node.item] = node.name;
    QStringList returned;
    for (ItemId output : stage.outputs)
        returned << (output == kNoItem ? QString("None") : str(names[output]));
    return ("return (" + returned.join(", ") + ")").toStdString();
}

void addGraph(Lines& lines, const record::Entry& entry, const std::string& name) {
    const record::GraphStage* stage = entry.graph(name);
    if (!stage) return;
    for (const record::GraphNode& node : stage->nodes)
        lines.add(node.text.empty() ? node.name : node.text, node.item);
    if (!stage->outputs.empty()) lines.add(returnedBy(*stage));
}

void addPass(Lines& lines, const record::Entry& entry, size_t pass) {
    if (pass >= entry.passes.size()) return;
    const std::string& name = entry.passes[pass].stage;
    for (const record::GraphNode& node : PassReplay(entry, name).stageAfter(pass).nodes)
        lines.add(node.text, node.item);
}

void addLowered(Lines& lines, const record::Entry& entry, const std::string& what,
                const std::string& graph) {
    for (const record::LoweredGraph& lowered : entry.lowered) {
        if (lowered.graph != graph) continue;
        if (what == "loops")
            for (const record::LoopBuffer& buffer : lowered.buffers)
                lines.add(buffer.text, buffer.item);
        for (const record::KernelInfo& kernel : lowered.kernels) {
            if (what == "kernels") {
                std::string names;
                for (ItemId item : kernel.buffers)
                    for (const record::LoopBuffer& buffer : lowered.buffers)
                        if (buffer.item == item) names += " " + buffer.name;
                lines.add(kernel.name + " (" + kernel.kind + "):" + names, kernel.item);
                for (const std::string& choice : kernel.schedule)
                    lines.add("    " + choice, kernel.item);
            }
            for (const record::Code& code : kernel.codes) {
                if (code.language != what) continue;
                for (size_t i = static_cast<size_t>(code.hiddenPrefix); i < code.lines.size(); ++i)
                    lines.add(code.lines[i].text, code.lines[i].item);
            }
        }
    }
}

Lines linesOf(const ComparedRecord& record, const QString& id) {
    Lines lines;
    const record::Entry* entry = record.shown();
    if (!entry) return lines;
    const QString kind = id.section('/', 0, 0), rest = id.section('/', 1);
    if (kind == "graph")
        addGraph(lines, *entry, rest.toStdString());
    else if (kind == "pass")
        addPass(lines, *entry, rest.toULongLong());
    else
        addLowered(lines, *entry, kind.toStdString(), rest.toStdString());
    return lines;
}

} // namespace

std::vector<TextChoice> textChoices(const record::Entry& entry) {
    std::vector<TextChoice> choices;
    for (const record::GraphStage& stage : entry.graphs)
        choices.push_back({"graph/" + str(stage.name), Words::tr("%1 graph").arg(str(stage.name))});
    for (size_t i = 0; i < entry.passes.size(); ++i)
        if (entry.passes[i].changed)
            choices.push_back({QString("pass/%1").arg(i), Words::tr("%1 after pass %2: %3")
                                                              .arg(str(entry.passes[i].stage))
                                                              .arg(i + 1)
                                                              .arg(str(entry.passes[i].pass))});
    for (const record::LoweredGraph& lowered : entry.lowered) {
        const QString graph = str(lowered.graph);
        choices.push_back({"loops/" + graph, Words::tr("loops of %1").arg(graph)});
        choices.push_back({"kernels/" + graph, Words::tr("kernels of %1").arg(graph)});
        for (const auto& [language, title] : {std::pair("cpp", "C++"), std::pair("cuda", "CUDA")})
            for (const record::KernelInfo& kernel : lowered.kernels)
                if (std::ranges::any_of(kernel.codes, [&](const record::Code& code) {
                        return code.language == language && !code.lines.empty();
                    })) {
                    choices.push_back(
                        {language + ("/" + graph), Words::tr("%1 of %2").arg(title, graph)});
                    break;
                }
    }
    return choices;
}

Comparison compareTexts(const ComparedRecord& left, const QString& leftText,
                        const ComparedRecord& right, const QString& rightText) {
    const Lines a = linesOf(left, leftText), b = linesOf(right, rightText);
    Comparison result;
    size_t atA = 0, atB = 0;
    for (const base::DiffLine& line : base::diffLines(a.texts, b.texts)) {
        ComparedLine one{QString::fromStdString(line.text), kNoItem, kNoItem, line.sign};
        if (line.sign <= 0) one.left = a.items[atA++];
        if (line.sign >= 0) one.right = b.items[atB++];
        result.removed += line.sign < 0;
        result.added += line.sign > 0;
        result.lines.push_back(std::move(one));
    }
    return result;
}

std::vector<StageDifference> compareStages(const ComparedRecord& left,
                                           const ComparedRecord& right) {
    std::vector<StageDifference> all;
    if (!left.shown() || !right.shown()) return all;
    const std::vector<TextChoice> theirs = textChoices(*right.shown());
    for (const TextChoice& one : textChoices(*left.shown())) {
        // Passes are told apart by their numbers, which other passes before them change.
        if (one.id.startsWith("pass/") ||
            std::ranges::find(theirs, one.id, &TextChoice::id) == theirs.end())
            continue;
        const Comparison made = compareTexts(left, one.id, right, one.id);
        if (!made.lines.empty()) all.push_back({one, made.removed, made.added});
    }
    return all;
}

} // namespace cutaway::views
