// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/pass_steps.h"

#include "views/models/format.h"

#include <QRegularExpression>
#include <QSet>
#include <algorithm>

namespace cutaway::views {

namespace {

QString str(const std::string& text) {
    return QString::fromStdString(text).trimmed();
}

/// A record may hold a stage as it was before its passes or as they left it.
bool isBefore(const record::GraphStage& stage, const std::vector<const record::PassRun*>& passes) {
    QHash<QString, QString> lines;
    for (const record::GraphNode& node : stage.nodes)
        lines.insert(str(node.name), str(node.text));
    for (const record::PassRun* pass : passes)
        for (const record::NodeChange& change : pass->changes)
            if (!change.before.empty() && lines.value(str(change.node)) == str(change.before)) {
                return true;
            } else if (!change.after.empty() &&
                       lines.value(str(change.node)) == str(change.after)) {
                return false;
            }
    return false;
}

} // namespace

PassReplay::PassReplay(const record::Entry& entry, const std::string& stage)
    : stage_(entry.graph(stage)), entry_(entry) {
    if (!stage_) return;
    std::vector<const record::PassRun*> passes;
    for (const record::PassRun& pass : entry.passes)
        if (pass.stage == stage_->name) passes.push_back(&pass);
    Lines lines;
    for (const record::GraphNode& node : stage_->nodes)
        lines.insert(str(node.name), str(node.text));
    if (!isBefore(*stage_, passes)) { // back to what the first pass found
        for (auto pass = passes.rbegin(); pass != passes.rend(); ++pass)
            for (auto change = (*pass)->changes.rbegin(); change != (*pass)->changes.rend();
                 ++change)
                if (change->before.empty())
                    lines.remove(str(change->node));
                else
                    lines.insert(str(change->node), str(change->before));
    }
    for (const record::PassRun* pass : passes) {
        Step step{static_cast<size_t>(pass - entry.passes.data()), lines, {}, {}, lines};
        for (const record::NodeChange& change : pass->changes)
            apply(step, change, true);
        lines = step.after;
        steps_.push_back(std::move(step));
    }
}

void PassReplay::apply(Step& step, const record::NodeChange& change, bool marked) {
    const QString name = str(change.node);
    if (change.after.empty()) {
        step.after.remove(name);
        if (!marked) return;
        step.removed.insert(name, str(change.before));
        step.change.insert(name, -1);
    } else {
        step.after.insert(name, str(change.after));
        if (marked) step.change.insert(name, change.before.empty() ? 1 : 2);
    }
}

PassReplay::Step PassReplay::upTo(const Step& step, int rewrite) const {
    Step part{step.pass, step.before, {}, {}, step.before};
    for (const record::NodeChange& change : entry_.passes[step.pass].changes)
        if (change.rewrite > 0 && change.rewrite <= rewrite)
            apply(part, change, change.rewrite == rewrite);
    return part;
}

const PassReplay::Step* PassReplay::step(size_t pass) const {
    for (const Step& step : steps_)
        if (step.pass == pass) return &step;
    return nullptr;
}

/// A node as its line of the print-out tells it, but for item and inputs.
static record::GraphNode nodeOfLine(const QString& name, const QString& line) {
    record::GraphNode node;
    const QString right = line.section(" = ", 1);
    node.name = name.toStdString();
    node.text = line.toStdString();
    node.type = line.section(": ", 1).section(" = ", 0, 0).toStdString();
    node.kind = right.startsWith("placeholder") ? "placeholder"
                : right.startsWith("constant")  ? "constant"
                                                : "call";
    if (node.kind == "call") node.op = right.section('(', 0, 0).toStdString();
    return node;
}

std::vector<QString> inputsOfLine(const QString& line,
                                  const std::function<bool(const QString&)>& known) {
    static const QRegularExpression word("[A-Za-z_]\\w*");
    std::vector<QString> result;
    const QString arguments = line.section(" = ", 1).section('(', 1);
    for (auto match = word.globalMatch(arguments); match.hasNext();) {
        const QString name = match.next().captured();
        if (known(name) && std::find(result.begin(), result.end(), name) == result.end())
            result.push_back(name);
    }
    return result;
}

record::GraphStage PassReplay::stageAfter(size_t pass) const {
    record::GraphStage after;
    const Step* found = step(pass);
    if (!found) return after;
    after.name = stage_->name;
    // In the order of the graph as it became; what a later pass took out comes last.
    Lines lines = found->after;
    QHash<QString, ItemId> numbers;
    for (const record::GraphNode& node : stage_->nodes) {
        const QString name = QString::fromStdString(node.name);
        const QString line = lines.take(name);
        if (line.isEmpty()) continue;
        numbers.insert(name, node.item);
        record::GraphNode then = node;
        if (line != str(node.text)) {
            then = nodeOfLine(name, line);
            then.item = node.item;
            then.source = node.source;
            then.backward = node.backward;
            then.modulePath = node.modulePath;
        }
        after.nodes.push_back(std::move(then));
    }
    for (auto at = lines.constBegin(); at != lines.constEnd(); ++at)
        after.nodes.push_back(nodeOfLine(at.key(), at.value()));
    return after;
}

PassSteps::PassSteps(const record::Entry& entry, const std::string& stage, const TextWidth& width)
    : replay_(entry, stage) {
    if (replay_.stage()) placeAll(width);
}

std::vector<QString> PassSteps::inputsOf(const QString& line) const {
    return inputsOfLine(line, [this](const QString& name) { return nodes_.contains(name); });
}

/// Which nodes stand on the backward side: those of which the record says so, and of what a pass took
/// out those that read them or are read by them alone.
static std::vector<bool> backwardSide(const record::GraphStage& graph, size_t recorded) {
    std::vector<bool> backward(graph.nodes.size());
    std::vector<std::vector<size_t>> users(graph.nodes.size());
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
        const record::GraphNode& node = graph.nodes[i];
        backward[i] = node.backward || node.name.starts_with("tangents");
        for (ItemId input : node.inputs)
            users[input].push_back(i);
    }
    for (bool isNew = true; isNew;) { // nodes may stand before what they read
        isNew = false;
        for (size_t i = recorded; i < graph.nodes.size(); ++i) {
            const auto late = [&](size_t other) { return backward[other]; };
            if (backward[i] || (std::ranges::none_of(graph.nodes[i].inputs, late) &&
                                (users[i].empty() || !std::ranges::all_of(users[i], late))))
                continue;
            backward[i] = isNew = true;
        }
    }
    return backward;
}

void PassSteps::placeAll(const TextWidth& width) {
    const record::GraphStage& stage = *replay_.stage();
    // Every node that ever was, in the order of the graph as it became; of lines the longest-lived.
    QStringList order;
    Lines all;
    const auto add = [&](const QString& name, const QString& line) {
        if (all.contains(name)) return;
        order << name;
        all.insert(name, line);
    };
    for (const record::GraphNode& node : stage.nodes)
        add(str(node.name), str(node.text));
    for (const PassReplay::Step& step : replay_.steps())
        for (const Lines* lines : {&step.removed, &step.after})
            for (auto at = lines->constBegin(); at != lines->constEnd(); ++at)
                add(at.key(), at.value());
    QHash<QString, ItemId> numbers;
    for (const QString& name : order) {
        nodes_.insert(name, {});
        numbers.insert(name, static_cast<ItemId>(numbers.size()));
    }
    record::GraphStage together;
    for (const QString& name : order)
        together.nodes.push_back(nodeOfLine(name, all.value(name)));
    const auto read = [&](const QString& name, const QString& line) {
        auto& inputs = together.nodes[numbers.value(name)].inputs;
        for (const QString& input : inputsOf(line))
            if (std::ranges::find(inputs, numbers.value(input)) == inputs.end())
                inputs.push_back(numbers.value(input));
    };
    for (size_t i = 0; i < together.nodes.size(); ++i) {
        together.nodes[i].item = static_cast<ItemId>(i);
        if (i < stage.nodes.size()) together.nodes[i].backward = stage.nodes[i].backward;
        read(order[static_cast<qsizetype>(i)], all.value(order[static_cast<qsizetype>(i)]));
    }
    // Edges of every step, so that a node stands behind all that it ever read.
    for (const PassReplay::Step& step : replay_.steps())
        for (const Lines* lines : {&step.removed, &step.after})
            for (auto at = lines->constBegin(); at != lines->constEnd(); ++at)
                if (QString& last = all[at.key()]; last != at.value())
                    read(at.key(), last = at.value());
    GraphScene scene = plainScene(together, width);
    placeMirrored(scene, backwardSide(together, stage.nodes.size()));
    bands_ = scene.bands;
    for (SceneEdge& edge : scene.edges)
        routes_.insert({order[edge.from], order[edge.to]}, edge);
    for (qsizetype i = 0; i < order.size(); ++i) {
        SceneNode& node = scene.nodes[static_cast<size_t>(i)];
        const auto at = static_cast<size_t>(i);
        node.item = at < stage.nodes.size() ? stage.nodes[at].item : kNoItem;
        nodes_.insert(order[i], node);
    }
}

GraphScene PassSteps::scene(size_t pass, int rewrite) const {
    GraphScene scene;
    const PassReplay::Step* whole = replay_.step(pass);
    if (!whole) return scene;
    const PassReplay::Step part = rewrite > 0 ? replay_.upTo(*whole, rewrite) : *whole;
    const PassReplay::Step* found = &part;
    QHash<QString, int> index;
    for (const Lines* lines : {&found->after, &found->removed})
        for (auto at = lines->constBegin(); at != lines->constEnd(); ++at) {
            SceneNode node = nodes_.value(at.key());
            node.change = found->change.value(at.key());
            node.ghost = node.change < 0;
            index.insert(at.key(), static_cast<int>(scene.nodes.size()));
            scene.nodes.push_back(std::move(node));
        }
    for (const Lines* lines : {&found->after, &found->removed})
        for (auto at = lines->constBegin(); at != lines->constEnd(); ++at)
            for (const QString& input : inputsOf(at.value())) {
                const auto route = routes_.constFind({input, at.key()});
                if (!index.contains(input) || route == routes_.constEnd()) continue;
                SceneEdge edge = *route;
                edge.from = index.value(input);
                edge.to = index.value(at.key());
                if (lines == &found->removed) edge.style = EdgeStyle::Again;
                scene.edges.push_back(std::move(edge));
            }
    for (const SceneNode& node : scene.nodes)
        scene.bounds |= node.rect.adjusted(-6, -6, 6, 6);
    scene.bands = bands_;
    for (const SceneBand& band : bands_)
        scene.bounds |= band.rect;
    return scene;
}

} // namespace cutaway::views
