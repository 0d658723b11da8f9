// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/graph_difference.h"

#include "core/base/line_diff.h"
#include "views/models/pass_steps.h"

#include <QRegularExpression>
#include <algorithm>
#include <numeric>

namespace cutaway::views {

namespace {

using record::GraphNode;
using record::GraphStage;

QString str(const std::string& text) {
    return QString::fromStdString(text);
}

QHash<ItemId, int> placesOf(const GraphStage& graph) {
    QHash<ItemId, int> places;
    for (size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i].item != kNoItem) places.insert(graph.nodes[i].item, int(i));
    return places;
}

/// The lines of a record's script files.
class ScriptLines {
public:
    explicit ScriptLines(const record::Record& record) {
        for (const record::SourceFile& file : record.files)
            lines_.insert(str(file.name), str(file.text).split('\n'));
    }
    /// The text of the innermost line that a node came from; empty: not known.
    std::string of(const GraphNode& node) const {
        if (node.source.empty()) return {};
        const base::Location& where = node.source.back();
        return lines_.value(str(where.file)).value(where.line - 1).trimmed().toStdString();
    }

private:
    QHash<QString, QStringList> lines_;
};

/// How alike two nodes are: the operation counts most, then the name, then the type.
constexpr int kSameOp = 4, kSameName = 2, kSameType = 1;
int likeness(const GraphNode& a, const GraphNode& b) {
    return kSameOp * (a.kind == b.kind && a.op == b.op) + kSameName * (a.name == b.name) +
           kSameType * (a.type == b.type);
}

struct Pair {
    int left, right, likeness;
    bool only = false; ///< neither has another one
};

/// Whom each node of the right is; -1: nobody. The most alike are joined first.
std::vector<int> joined(const GraphStage& left, const GraphStage& right, std::vector<Pair> pairs) {
    std::vector<int> ofLeft(left.nodes.size()), ofRight(right.nodes.size());
    for (const Pair& pair : pairs)
        ++ofLeft[size_t(pair.left)], ++ofRight[size_t(pair.right)];
    for (Pair& pair : pairs)
        pair.only = ofLeft[size_t(pair.left)] == 1 && ofRight[size_t(pair.right)] == 1;
    std::ranges::stable_sort(pairs, std::greater<>(), &Pair::likeness);
    std::vector<int> whom(right.nodes.size(), -1);
    std::vector<bool> taken(left.nodes.size());
    for (const Pair& pair : pairs) {
        if (pair.likeness < kSameName && !pair.only) continue;
        if (taken[size_t(pair.left)] || whom[size_t(pair.right)] >= 0) continue;
        taken[size_t(pair.left)] = true;
        whom[size_t(pair.right)] = pair.left;
    }
    return whom;
}

/// Pairs of which one node came from the other, over any number of stages.
std::vector<Pair> byOrigin(const RecordView& view, const GraphStage& left,
                           const GraphStage& right) {
    std::vector<Pair> pairs;
    auto climb = [&](const GraphStage& later, const GraphStage& earlier, bool rightIsLater) {
        const QHash<ItemId, int> at = placesOf(earlier);
        for (size_t i = 0; i < later.nodes.size(); ++i) {
            if (later.nodes[i].item == kNoItem) continue;
            for (ItemId item : view.links().ancestors({later.nodes[i].item}))
                if (const int other = at.value(item, -1); other >= 0)
                    pairs.push_back({rightIsLater ? other : int(i), rightIsLater ? int(i) : other,
                                     likeness(later.nodes[i], earlier.nodes[size_t(other)])});
        }
    };
    climb(right, left, true);
    if (pairs.empty()) climb(left, right, false);
    // What a pass has taken out since has its name alone.
    QHash<QString, int> named;
    for (size_t i = 0; i < left.nodes.size(); ++i)
        named.insert(str(left.nodes[i].name), int(i));
    for (size_t i = 0; i < right.nodes.size(); ++i)
        if (const int other = named.value(str(right.nodes[i].name), -1);
            other >= 0 &&
            (right.nodes[i].item == kNoItem || left.nodes[size_t(other)].item == kNoItem))
            pairs.push_back({other, int(i), likeness(left.nodes[size_t(other)], right.nodes[i])});
    return pairs;
}

/// Of two records, whose names count nodes and so shift behind a change: what both compute in one
/// order on one line of the script, then what they compute in one order, then by name and operation.
std::vector<Pair> byOrder(const ComparedRecord& a, const GraphStage& left, const ComparedRecord& b,
                          const GraphStage& right) {
    std::vector<Pair> pairs;
    std::vector<int> aloneLeft(left.nodes.size()), aloneRight(right.nodes.size());
    std::iota(aloneLeft.begin(), aloneLeft.end(), 0);
    std::iota(aloneRight.begin(), aloneRight.end(), 0);
    // Pairs nodes that stand in one order and are called the same by \p key.
    const ScriptLines linesLeft(a.record->record()), linesRight(b.record->record());
    const auto align = [&](const auto& key) {
        std::vector<std::string> keysLeft, keysRight;
        for (int at : aloneLeft)
            keysLeft.push_back(key(left.nodes[size_t(at)], linesLeft));
        for (int at : aloneRight)
            keysRight.push_back(key(right.nodes[size_t(at)], linesRight));
        std::vector<int> restLeft, restRight;
        size_t l = 0, r = 0;
        for (const base::DiffLine& line : base::diffLines(keysLeft, keysRight)) {
            if (line.sign < 0) restLeft.push_back(aloneLeft[l++]);
            if (line.sign > 0) restRight.push_back(aloneRight[r++]);
            if (line.sign != 0) continue;
            const int from = aloneLeft[l++], to = aloneRight[r++];
            pairs.push_back(
                {from, to, likeness(left.nodes[size_t(from)], right.nodes[size_t(to)])});
        }
        aloneLeft = std::move(restLeft), aloneRight = std::move(restRight);
    };
    const auto computes = [](const GraphNode& node) {
        return node.kind + " " + node.op + " " + node.type +
               (node.kind == "call" ? std::string() : " " + node.name);
    };
    align([&](const GraphNode& node, const ScriptLines& lines) {
        return computes(node) + "\n" + lines.of(node);
    });
    align([&](const GraphNode& node, const ScriptLines&) { return computes(node); });
    align([](const GraphNode& node, const ScriptLines&) {
        return node.kind + " " + node.op + " " + node.name;
    });
    return pairs;
}

/// The right side of a node's line, with numbers of the drawn nodes in place of their names.
QString computedBy(const GraphNode& node, const QHash<QString, int>& drawn) {
    if (node.kind == "placeholder") return QStringLiteral("placeholder");
    static const QRegularExpression word("[A-Za-z_][\\w.]*");
    const QString text = str(node.text).section(" = ", 1).section("  # ", 0, 0).trimmed();
    QString result;
    qsizetype done = 0;
    for (auto match = word.globalMatch(text); match.hasNext();) {
        const auto one = match.next();
        const int at = drawn.value(one.captured(), -1);
        if (at < 0) continue;
        result += text.mid(done, one.capturedStart() - done) + "%" + QString::number(at);
        done = one.capturedEnd();
    }
    return result + text.mid(done);
}

/// Drawn nodes that a node reads in one of the graphs, in the order of its arguments.
std::vector<ItemId> readBy(const GraphStage& graph, int node, const QHash<QString, int>& drawn,
                           const QHash<ItemId, int>& places) {
    const GraphNode& reader = graph.nodes[size_t(node)];
    std::vector<ItemId> result; // each once: x * x is one edge
    for (ItemId input : reader.inputs)
        if (const int at = places.value(input, -1); at >= 0) {
            const ItemId from = ItemId(drawn.value(str(graph.nodes[size_t(at)].name)));
            if (std::ranges::find(result, from) == result.end()) result.push_back(from);
        }
    if (!reader.inputs.empty()) return result;
    for (const QString& name :
         inputsOfLine(str(reader.text), [&](const QString& word) { return drawn.contains(word); }))
        result.push_back(ItemId(drawn.value(name)));
    return result;
}

/// Both graphs as one, each node once.
struct Union {
    GraphStage stage;
    std::vector<int> change;                              ///< as SceneNode::change
    std::vector<int> left, right;                         ///< by drawn node: its index there, or -1
    std::vector<std::vector<ItemId>> readLeft, readRight; ///< drawn nodes that it reads there
    QHash<QString, int> ofLeft, ofRight;                  ///< drawn node by its name there
};

Union unite(const GraphStage& left, const GraphStage& right, const std::vector<int>& whom) {
    Union both;
    std::vector<int> partner(left.nodes.size(), -1);
    for (size_t i = 0; i < right.nodes.size(); ++i)
        if (whom[i] >= 0) partner[size_t(whom[i])] = int(i);
    auto add = [&](int l, int r) {
        const int at = int(both.left.size());
        both.left.push_back(l);
        both.right.push_back(r);
        both.change.push_back(l < 0 ? 1 : r < 0 ? -1 : 0);
        both.stage.nodes.push_back(r < 0 ? left.nodes[size_t(l)] : right.nodes[size_t(r)]);
        if (l >= 0) both.ofLeft.insert(str(left.nodes[size_t(l)].name), at);
        if (r >= 0) both.ofRight.insert(str(right.nodes[size_t(r)].name), at);
    };
    for (size_t i = 0; i < left.nodes.size(); ++i)
        add(int(i), partner[i]);
    for (size_t i = 0; i < right.nodes.size(); ++i)
        if (whom[i] < 0) add(-1, int(i));
    const QHash<ItemId, int> placesLeft = placesOf(left), placesRight = placesOf(right);
    both.readLeft.resize(both.left.size());
    both.readRight.resize(both.left.size());
    for (size_t i = 0; i < both.left.size(); ++i) {
        if (both.left[i] >= 0)
            both.readLeft[i] = readBy(left, both.left[i], both.ofLeft, placesLeft);
        if (both.right[i] >= 0)
            both.readRight[i] = readBy(right, both.right[i], both.ofRight, placesRight);
        if (both.change[i] != 0) continue;
        const GraphNode &was = left.nodes[size_t(both.left[i])],
                        &is = right.nodes[size_t(both.right[i])];
        if (was.type != is.type || both.readLeft[i] != both.readRight[i] ||
            computedBy(was, both.ofLeft) != computedBy(is, both.ofRight))
            both.change[i] = 2;
    }
    return both;
}

} // namespace

/// The graph that a text of textChoices() is of: its nodes, those that a later pass took out without
/// an item. Nothing: the text is of no graph.
static std::optional<GraphStage> comparedGraph(const ComparedRecord& record, const QString& text) {
    const record::Entry* entry = record.shown();
    const QString kind = text.section('/', 0, 0), rest = text.section('/', 1);
    if (!entry) return std::nullopt;
    if (kind == "pass" && rest.toULongLong() < entry->passes.size())
        return PassReplay(*entry, entry->passes[rest.toULongLong()].stage)
            .stageAfter(rest.toULongLong());
    const GraphStage* stage = kind == "graph" ? entry->graph(rest.toStdString()) : nullptr;
    return stage ? std::optional(*stage) : std::nullopt;
}

GraphDifference graphDifference(const ComparedRecord& left, const QString& leftText, bool shownLeft,
                                const ComparedRecord& right, const QString& rightText,
                                bool shownRight, const TextWidth& width) {
    GraphDifference result;
    const auto a = comparedGraph(left, leftText), b = comparedGraph(right, rightText);
    if (!a || !b) return result;
    result.isGraph = true;
    const bool together =
        left.record == right.record && left.function == right.function && left.entry == right.entry;
    std::vector<Pair> pairs;
    if (together) pairs = byOrigin(*left.record, *a, *b);
    if (pairs.empty()) pairs = byOrder(left, *a, right, *b); // forward and backward: two children
    Union both = unite(*a, *b, joined(*a, *b, std::move(pairs)));
    std::vector<bool> backward(both.left.size());
    for (size_t i = 0; i < both.left.size(); ++i) {
        GraphNode& node = both.stage.nodes[i];
        node.inputs = both.readRight[i];
        for (ItemId input : both.readLeft[i])
            if (std::ranges::find(node.inputs, input) == node.inputs.end())
                node.inputs.push_back(input);
        node.item = ItemId(i); // for the edges: those of the record come after
        backward[i] = node.backward || node.name.rfind("tangents", 0) == 0;
    }
    result.scene = plainScene(both.stage, width);
    // A forward may hold nodes of the backward, which are cheaper to keep than what they read.
    if (a->name == "joint" || b->name == "joint")
        placeMirrored(result.scene, backward);
    else
        placeLayered(result.scene);
    for (SceneEdge& edge : result.scene.edges) {
        const auto holds = [&](const std::vector<ItemId>& inputs) {
            return std::ranges::find(inputs, ItemId(edge.from)) != inputs.end();
        };
        const bool was = holds(both.readLeft[size_t(edge.to)]),
                   is = holds(both.readRight[size_t(edge.to)]);
        edge.style = is ? EdgeStyle::Normal : EdgeStyle::Again;
        edge.change = was == is ? 0 : is ? 1 : -1;
    }
    const GraphScene leftScene = plainScene(*a, width);
    for (size_t i = 0; i < both.left.size(); ++i) {
        SceneNode& node = result.scene.nodes[i];
        result.left.push_back(both.left[i] < 0 ? SceneNode()
                                               : leftScene.nodes[size_t(both.left[i])]);
        const GraphNode* was = both.left[i] < 0 ? nullptr : &a->nodes[size_t(both.left[i])];
        const GraphNode* is = both.right[i] < 0 ? nullptr : &b->nodes[size_t(both.right[i])];
        node.change = both.change[i];
        node.ghost = node.change < 0;
        ++(node.change == 0   ? result.same
           : node.change == 1 ? result.added
           : node.change == 2 ? result.rewritten
                              : result.removed);
        node.item = kNoItem;
        node.members.clear();
        if (was && shownLeft && was->item != kNoItem) node.members.push_back(was->item);
        if (is && shownRight && is->item != kNoItem) node.members.push_back(is->item);
        if (!node.members.empty()) node.item = node.members.back();
        if (node.members.size() < 2) node.members.clear();
        QString told = was ? "− " + str(was->text).trimmed() : QString();
        if (is) told += (was ? "\n+ " : "+ ") + str(is->text).trimmed();
        result.told.push_back(node.change == 0 ? told.section('\n', -1).mid(2) : told);
    }
    return result;
}

GraphScene sideOf(const GraphDifference& difference, DifferenceSide side) {
    GraphScene scene = difference.scene;
    if (side == DifferenceSide::Both) return scene;
    const int other = side == DifferenceSide::Left ? 1 : -1;
    scene.nodes.clear();
    scene.edges.clear();
    std::vector<int> place(difference.scene.nodes.size(), -1);
    for (size_t i = 0; i < place.size(); ++i) {
        const SceneNode& node = difference.scene.nodes[i];
        if (node.change == other) continue;
        place[i] = int(scene.nodes.size());
        scene.nodes.push_back(node);
        SceneNode& shown = scene.nodes.back();
        shown.ghost = false;
        if (side == DifferenceSide::Right) continue;
        const SceneNode& was = difference.left[i];
        shown.title = was.title;
        shown.name = was.name;
        shown.subtitle = was.subtitle;
        shown.brief = was.brief;
        shown.kind = was.kind;
    }
    for (SceneEdge edge : difference.scene.edges) {
        if (edge.change == other) continue;
        edge.from = place[size_t(edge.from)];
        edge.to = place[size_t(edge.to)];
        edge.style = EdgeStyle::Normal;
        scene.edges.push_back(std::move(edge));
    }
    return scene;
}

} // namespace cutaway::views
