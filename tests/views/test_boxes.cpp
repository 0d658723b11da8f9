// SPDX-License-Identifier: GPL-3.0-or-later
// What repeats and what belongs to a module is drawn as one box, which opens and closes; only what
// is proven to be equal repeats.
#include "tests/views/window_fixture.h"
#include "views/models/box_facts.h"
#include "views/models/graph_fold.h"
#include "views/panes/graph/graph_pane.h"
#include "views/widgets/graph_canvas.h"

using namespace cutaway;
using namespace cutaway::views;

static double textRoom(const QString& text, bool) {
    return 8.0 * double(text.size());
}

namespace {

struct StageMaker {
    record::GraphStage stage;
    int count = 0;
    StageMaker() { stage.name = "captured"; }
    ItemId input(const std::string& type = "f32[8]") {
        return add("in" + std::to_string(count), "placeholder", "", type, {}, "");
    }
    ItemId call(const std::string& op, std::vector<ItemId> inputs, const std::string& more = "",
                const std::string& module = "", const std::string& type = "f32[8]") {
        return add(op + "_" + std::to_string(count), "call", "aten." + op + ".default", type,
                   std::move(inputs), more, module);
    }
    ItemId add(const std::string& name, const std::string& kind, const std::string& op,
               const std::string& type, std::vector<ItemId> inputs, const std::string& more,
               const std::string& module = "") {
        record::GraphNode node;
        node.item = static_cast<ItemId>(stage.nodes.size());
        node.name = name, node.kind = kind, node.op = op, node.type = type;
        node.modulePath = module;
        node.text = name + ": " + type + " = " + op + "(";
        for (ItemId from : inputs)
            node.text += stage.nodes[from].name + ", ";
        node.text += more + ")";
        node.inputs = std::move(inputs);
        stage.nodes.push_back(node);
        ++count;
        return node.item;
    }
};

std::vector<Fold> repeats(const StageMaker& maker) {
    return planFolds(foldItems(maker.stage), {FoldKind::Repeats, {}, {}, 0}).boxes;
}

} // namespace

class TestBoxes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_short_title_keeps_how_many_there_are() {
        const QFontMetricsF metrics{QFont()};
        const QString ending = " · 263 nodes", title = "transformer.h.0" + ending;
        const double all = metrics.horizontalAdvance(title);
        for (auto mode : {Qt::ElideMiddle, Qt::ElideRight})
            for (double room = all + 1; room > 0; room -= 7) {
                const QString shown = fittingTitle(metrics, title, ending, mode, room);
                QVERIFY(metrics.horizontalAdvance(shown) <= room);
                QVERIFY2(shown.isEmpty() || shown.endsWith("263 nodes"), qPrintable(shown));
            }
        QCOMPARE(fittingTitle(metrics, title, ending, Qt::ElideMiddle, all + 1), title);
        QCOMPARE(fittingTitle(metrics, title, ending, Qt::ElideMiddle,
                              metrics.horizontalAdvance(ending) + 1),
                 QString("263 nodes"));
        QVERIFY(fittingTitle(metrics, title, ending, Qt::ElideMiddle, all - 5).contains("…"));
    }
    void a_line_grows_as_far_as_it_is_whole() {
        const QFont usual;
        const auto wide = [&](const QString& text, double scale, double room) {
            return QFontMetricsF(briefFont(usual, text, scale, room)).horizontalAdvance(text);
        };
        const QString text = "cross_entropy_loss · 19 nodes";
        const double own = QFontMetricsF(usual).horizontalAdvance(text);
        for (double scale : {1.0, 0.5, 0.3, 0.1})
            for (double room : {1.02 * own, 1.4 * own, 1.6 * own})
                if (const double least =
                        std::max(1.0, 0.75 * std::min(0.75 / scale, kBriefGrowth)) * own;
                    room > least)
                    QVERIFY2(wide(text, scale, room) <= room,
                             qPrintable(QString("%1 %2").arg(scale).arg(room / own)));
                else // is cut, not small
                    QVERIFY(wide(text, scale, room) > 0.98 * least);
        QVERIFY(wide(text, 0.1, 5 * own) > 1.7 * own);
    }
    void a_box_says_what_of_its_title_is_no_name() {
        StageMaker m;
        ItemId x = m.input();
        for (int i = 0; i < 20; ++i)
            x = m.call("add", {x}, "1");
        const auto boxes = repeats(m);
        QCOMPARE(boxes.size(), size_t(1));
        QCOMPARE(boxes[0].ending, QString(" × 20"));
        GraphScene scene = stageScene(m.stage, textRoom, {FoldKind::Repeats, {}, {}, 0});
        const auto box = std::ranges::find_if(
            scene.nodes, [](const SceneNode& node) { return !node.fold.isEmpty(); });
        QVERIFY(box != scene.nodes.end());
        QVERIFY(box->title.endsWith(box->ending) && !box->ending.isEmpty());
    }
    void a_chain_of_equal_operations_is_one_box() {
        StageMaker m;
        ItemId x = m.input();
        for (int i = 0; i < 1000; ++i)
            x = m.call("add", {x}, "1");
        const auto boxes = repeats(m);
        QCOMPARE(boxes.size(), size_t(1));
        QCOMPARE(boxes[0].title, QString("add × 1000"));
        QCOMPARE(boxes[0].members.size(), size_t(1000));
        const GraphScene scene = stageScene(m.stage, textRoom, {FoldKind::Repeats, {}, {}, 0});
        QCOMPARE(scene.nodes.size(), size_t(2));
        QCOMPARE(scene.edges.size(), size_t(1));
        QCOMPARE(scene.find(500), 1); // every node is found in its box
    }
    void blocks_repeat_with_their_own_weights() {
        StageMaker m;
        ItemId x = m.input();
        std::vector<ItemId> weights;
        for (int i = 0; i < 12; ++i)
            weights.push_back(m.input("f32[8, 8]"));
        for (int i = 0; i < 12; ++i) {
            const ItemId before = x;
            x = m.call("mm", {x, weights[size_t(i)]});
            x = m.call("relu", {x});
            x = m.call("add", {before, x});
        }
        const auto boxes = repeats(m);
        QCOMPARE(boxes.size(), size_t(1));
        QCOMPARE(boxes[0].times, 12); // the first reads the input itself, the others each other
        QVERIFY2(boxes[0].title.contains("×"), qPrintable(boxes[0].title));
    }
    /// An optimizer's step: what each repetition reads of its own is no row of inputs above one box.
    void inputs_of_each_repetition_are_in_its_box() {
        StageMaker m;
        const ItemId rate = m.input("f32[]");
        std::vector<ItemId> parameters, gradients;
        for (int i = 0; i < 40; ++i) {
            parameters.push_back(m.input());
            gradients.push_back(m.input());
        }
        const ItemId read = m.input();
        for (int i = 0; i < 40; ++i) {
            const ItemId step = m.call("mul", {gradients[size_t(i)], rate});
            m.call("sub", {parameters[size_t(i)], step});
        }
        m.call("sum", {read});
        const auto boxes = repeats(m);
        QCOMPARE(boxes.size(), size_t(1));
        QCOMPARE(boxes[0].times, 40);
        QCOMPARE(boxes[0].members.size(), size_t(160));
        const auto holds = [&](ItemId item) {
            return std::ranges::find(boxes[0].members, static_cast<int>(item)) !=
                   boxes[0].members.end();
        };
        QVERIFY(!holds(rate) && !holds(read)); // of all repetitions, and of none
        // Of a chain the first repetition alone reads what goes in.
        StageMaker chain;
        ItemId x = chain.input();
        for (int i = 0; i < 20; ++i)
            x = chain.call("add", {x}, "1");
        QCOMPARE(repeats(chain)[0].members.size(), size_t(20));
        // What something else reads, too, stands by itself.
        m.call("sum", {gradients[7]});
        QCOMPARE(repeats(m)[0].members.size(), size_t(120));
    }
    void what_differs_does_not_repeat() {
        auto chain = [](auto step) {
            StageMaker m;
            ItemId x = m.input(), first = x;
            for (int i = 0; i < 40; ++i)
                x = step(m, x, first, i);
            size_t held = 0;
            for (const Fold& fold : repeats(m))
                held += fold.members.size();
            return held;
        };
        // Other numbers, other types, values from elsewhere.
        QCOMPARE(chain([](StageMaker& m, ItemId x, ItemId, int i) {
                     return m.call("add", {x}, std::to_string(i));
                 }),
                 size_t(0));
        QCOMPARE(chain([](StageMaker& m, ItemId x, ItemId, int i) {
                     return m.call("cat", {x}, "", "", "f32[" + std::to_string(i) + "]");
                 }),
                 size_t(0));
        ItemId kept = 0;
        QVERIFY(chain([&](StageMaker& m, ItemId x, ItemId first, int i) {
                    if (i == 0) kept = m.call("sin", {first});
                    return m.call("add", {x, kept});
                }) == 0);
        QVERIFY(chain([](StageMaker& m, ItemId x, ItemId, int) {
                    return m.call("add", {x}, "1");
                }) >= 39);
    }
    void modules_open_one_level_at_a_time() {
        StageMaker m;
        ItemId x = m.input();
        for (const char* module : {"a.one", "a.one", "a.two", "a.two", "b", "b", "b"})
            x = m.call("relu", {x}, "", module);
        auto titles = [&](const QSet<QString>& open) {
            QStringList all;
            const FoldPlan plan = planFolds(foldItems(m.stage), {FoldKind::Modules, open, {}, 0});
            for (const Fold& fold : plan.boxes)
                all << QString(fold.title).replace(QChar(0xa0), ' ');
            for (const FoldFrame& frame : plan.frames)
                all << "[" + frame.title + "]";
            return all;
        };
        QCOMPARE(titles({}), (QStringList{"a · 4 nodes", "b · 3 nodes"}));
        QCOMPARE(titles({"module:a"}),
                 (QStringList{"one · 2 nodes", "two · 2 nodes", "b · 3 nodes", "[a]"}));
        QCOMPARE(titles({"module:a", "module:a.one", "module:b"}),
                 (QStringList{"two · 2 nodes", "[a]", "[one]", "[b]"}));
    }
    /// Blocks of a linear layer and an addition; \p odd has another operation.
    static StageMaker blocks(int count, int odd = -1) {
        StageMaker m;
        ItemId x = m.add("x", "placeholder", "", "f32[8]", {}, "");
        m.stage.nodes.back().text += "  # L['x']";
        for (int i = 0; i < count; ++i) {
            const std::string block = "net.blocks." + std::to_string(i);
            const ItemId w = m.input("f32[8, 8]");
            m.stage.nodes.back().text += "  # G['net'].blocks[" + std::to_string(i) + "].up.weight";
            const ItemId y = m.call("linear", {x, w}, "", block + ".up");
            x = m.call(i == odd ? "mul" : "add", {x, y}, "", block);
        }
        m.call("sum", {x});
        return m;
    }
    void equal_modules_count_as_one_times_n() {
        const FoldPlan same =
            planFolds(foldItems(blocks(12).stage), {FoldKind::Modules, {}, {}, 0});
        QCOMPARE(same.boxes.size(), size_t(1));
        QCOMPARE(same.boxes[0].title, QString("net.blocks × 12"));
        QCOMPARE(same.boxes[0].members.size(), size_t(36)); // with their weights
        const FoldPlan other =
            planFolds(foldItems(blocks(12, 5).stage), {FoldKind::Modules, {}, {}, 0});
        QVERIFY2(!other.boxes[0].title.contains("×"), qPrintable(other.boxes[0].title));
        // Opened, what is equal side by side is one box.
        const FoldPlan open = planFolds(foldItems(blocks(12, 5).stage),
                                        {FoldKind::Modules, {"module:net.blocks"}, {}, 0});
        QStringList titles;
        for (const Fold& fold : open.boxes)
            titles << fold.title.section(" · ", 0, 0);
        QCOMPARE(titles, (QStringList{"blocks.0 … 4 × 5", "blocks.5", "blocks.6 … 11 × 6"}));
    }
    /// Queries, keys and values side by side are one box; the projection of what attention makes of
    /// them is not, as it would be both before and after it.
    void equal_modules_with_others_between_are_no_run() {
        StageMaker m;
        const auto linear = [&](ItemId from, const std::string& name) {
            const ItemId w = m.input("f32[8, 8]");
            m.stage.nodes.back().text += "  # G['net']." + name + ".weight";
            return m.call("linear", {from, w}, "", "net." + name);
        };
        const ItemId x = m.input();
        const ItemId q = linear(x, "wq"), k = linear(x, "wk"), v = linear(x, "wv");
        const ItemId out = linear(m.call("attention", {q, k, v}, "", "net"), "wo");
        m.call("add", {x, out}, "", "net");
        const Folding open{FoldKind::Modules, {"module:net"}, {}, 0};
        QStringList titles;
        for (const Fold& fold : planFolds(foldItems(m.stage), open).boxes)
            titles << fold.title.section(" · ", 0, 0);
        QCOMPARE(titles, (QStringList{"wq … wv × 3", "wo"}));
        GraphScene scene = stageScene(m.stage, textRoom, open);
        placeLayered(scene);
        for (const SceneEdge& edge : scene.edges)
            QVERIFY(scene.nodes[size_t(edge.from)].rect.center().y() <
                    scene.nodes[size_t(edge.to)].rect.center().y());
    }
    /// A backward reads weights whose forward is not there: they stand in its modules. In a joint graph
    /// they stand where the forward reads them.
    void weights_that_only_a_backward_reads_are_in_its_modules() {
        for (const bool joint : {false, true}) {
            StageMaker m;
            std::vector<ItemId> weights;
            for (int i = 0; i < 12; ++i) {
                weights.push_back(m.input("f32[8, 8]"));
                m.stage.nodes.back().text += QString("  # self.h.%1.weight").arg(i).toStdString();
            }
            ItemId x = m.input();
            const auto pass = [&](bool backward) {
                for (size_t i = 0; i < weights.size(); ++i) {
                    x = m.call("mm", {x, weights[i]}, "", "h." + std::to_string(i % 3));
                    m.stage.nodes.back().backward = backward;
                }
            };
            if (joint) pass(false);
            pass(true);
            const FoldPlan plan = planFolds(foldItems(m.stage),
                                            {FoldKind::Modules, {}, {"module:h", "module:<h"}, 0});
            QCOMPARE(plan.boxes.size(), size_t(joint ? 2 : 1));
            for (const Fold& box : plan.boxes)
                QCOMPARE(box.members.size(), size_t(box.key.contains("<") && joint ? 12 : 24));
        }
    }
    void what_is_called_by_a_number_says_its_class() {
        record::Entry entry;
        for (const auto& [source, type] : {std::pair("self.layers.0", "Linear"),
                                           {"G['net'].layers[1]", "Block"},
                                           {"self.layers", "Sequential"}})
            entry.guards.push_back(
                {"MODULE_MATCH", source, std::string("is the same ") + type, {}});
        entry.guards.push_back({"MODULE_MATCH", "G['torch']", "is module torch", {}});
        const FoldNames names = foldNames(entry);
        QCOMPARE(names.classes.size(), 3);
        StageMaker m;
        ItemId x = m.input();
        const ItemId w = m.input("f32[8, 8]");
        m.stage.nodes.back().text += "  # self.layers.0.weight";
        x = m.call("linear", {x, w}, "", "layers.0");
        for (int i = 0; i < 3; ++i)
            x = m.call("relu", {x}, "", "layers.1");
        m.call("sum", {x});
        const auto plan = [&](const QSet<QString>& open) {
            return planFolds(foldItems(m.stage), {FoldKind::Modules, open, {}, 0, names});
        };
        const FoldPlan shut = plan({"module:layers"});
        QCOMPARE(shut.boxes.size(), size_t(2));
        QCOMPARE(shut.boxes[0].title, QString("layers.0 Linear")); // which says "linear", too
        QCOMPARE(QString(shut.boxes[1].title).replace(QChar(0xa0), ' '),
                 QString("layers.1 Block · 3 nodes"));
        QCOMPARE(shut.frames[0].title, QString("layers")); // a name says enough
        QCOMPARE(plan({"module:layers", "module:layers.0"}).frames[1].title,
                 QString("layers.0 Linear"));
        // Where there is little room the way to a module is left out.
        QCOMPARE(plan({}).boxes[0].brief, plan({}).boxes[0].title);
        StageMaker deep;
        x = deep.input();
        for (int i = 0; i < 3; ++i)
            x = deep.call("relu", {x}, "", "transformer.body.ln_f");
        deep.call("sum", {x});
        const Fold box = planFolds(foldItems(deep.stage), {FoldKind::Modules, {}, {}, 0}).boxes[0];
        QVERIFY2(box.title.startsWith("transformer.body.ln_f · "), qPrintable(box.title));
        QVERIFY2(box.brief.startsWith("ln_f · ") && box.brief.endsWith(box.ending),
                 qPrintable(box.brief));
    }
    /// A loss is one operation of the script and many nodes of the joint graph, beside modules that
    /// are boxes.
    void what_one_operation_became_is_one_box() {
        record::Entry entry;
        StageMaker captured, m;
        const auto at = [](StageMaker& maker, int line) {
            base::Location where{"model.py", line, 5, line, 30};
            maker.stage.nodes.back().source = {where};
        };
        ItemId x = captured.input();
        x = captured.call("linear", {x}, "", "lm_head");
        at(captured, 3);
        captured.add("cross_entropy", "call", "aten.cross_entropy.default", "f32[]", {x}, "");
        at(captured, 4);
        entry.graphs = {captured.stage};
        x = m.input();
        x = m.call("addmm", {x}, "", "lm_head");
        at(m, 3);
        const ItemId logits = x;
        for (int i = 0; i < 9; ++i) {
            x = m.call(i % 2 ? "exp" : "sub", {x, logits});
            at(m, 4);
        }
        m.call("sum", {x});
        at(m, 5);
        const FoldNames names = foldNames(entry);
        const auto plan = [&](const QSet<QString>& open, int room) {
            return planFolds(foldItems(m.stage), {FoldKind::Modules, open, {}, room, names});
        };
        const FoldPlan shut = plan({}, 5);
        QCOMPARE(shut.boxes.size(), size_t(1));
        QVERIFY2(shut.boxes[0].title.startsWith("cross_entropy · 9"),
                 qPrintable(shut.boxes[0].title));
        QCOMPARE(shut.boxes[0].members.size(), size_t(9));
        const FoldPlan opened = plan({shut.boxes[0].key}, 5);
        QVERIFY(opened.boxes.empty());
        QCOMPARE(opened.frames.size(), size_t(1));
        QCOMPARE(opened.frames[0].title, QString("cross_entropy"));
        // What there is room for stands by itself, and what a loop calls is no single operation.
        QVERIFY(plan({}, 40).boxes.empty() && plan({}, 40).frames.empty());
        captured.call("sub", {0});
        at(captured, 4);
        entry.graphs = {captured.stage};
        QVERIFY(!foldNames(entry).calls.contains(placeOf(captured.stage.nodes.back())));
    }
    void a_name_that_is_an_operation_hides_no_repeat() {
        StageMaker m = blocks(4);
        for (record::GraphNode& node : m.stage.nodes) // the first of each is named as it is
            if (node.name == "linear_2") node.name = "linear", node.text.replace(0, 8, "linear");
        for (record::GraphNode& node : m.stage.nodes)
            if (const size_t at = node.text.find("linear_2"); at != std::string::npos)
                node.text.replace(at, 8, "linear");
        const FoldPlan plan = planFolds(foldItems(m.stage), {FoldKind::Modules, {}, {}, 0});
        QCOMPARE(plan.boxes[0].title, QString("net.blocks × 4"));
    }
    void modules_are_open_while_there_is_room() {
        auto drawn = [](int room, const QSet<QString>& closed = {}) {
            return planFolds(foldItems(blocks(3).stage), {FoldKind::Modules, {}, closed, room})
                .frames.size();
        };
        QCOMPARE(drawn(4), size_t(0)); // x, blocks, sum
        QCOMPARE(drawn(5), size_t(1)); // x, three blocks, sum
        QCOMPARE(drawn(8), size_t(4)); // each with its addition and its layer
        QCOMPARE(drawn(8, {"module:net.blocks.1"}), size_t(3));
    }
    void frames_hold_their_parts_and_edges_pass_their_rims() {
        GraphScene scene = stageScene(blocks(6).stage, textRoom, {FoldKind::Modules, {}, {}, 100});
        QCOMPARE(scene.frames.size(), size_t(7));
        placeLayered(scene);
        for (const SceneNode& node : scene.nodes)
            for (size_t f = 0; f < scene.frames.size(); ++f) {
                bool inside = false;
                for (int at = node.frame; at >= 0; at = scene.frames[size_t(at)].parent)
                    inside = inside || size_t(at) == f;
                QCOMPARE(scene.frames[f].rect.intersects(node.rect), inside);
                QCOMPARE(scene.frames[f].rect.contains(node.rect), inside);
            }
        for (const SceneEdge& edge : scene.edges) {
            QCOMPARE(edge.points.front().y(), scene.nodes[size_t(edge.from)].rect.bottom());
            QCOMPARE(edge.points.back().y(), scene.nodes[size_t(edge.to)].rect.top());
            for (size_t p = 1; p < edge.points.size(); ++p)
                QVERIFY(edge.points[p].y() >= edge.points[p - 1].y() - 0.01);
        }
    }
    void a_whole_graph_holds_every_node() {
        for (const FoldKind kind : {FoldKind::Modules, FoldKind::Repeats, FoldKind::None}) {
            const auto stage = blocks(12, 5).stage;
            const Folding open = withEverythingOpen(foldItems(stage), {kind, {}, {}, 10});
            QVERIFY(planFolds(foldItems(stage), open).boxes.empty());
            const GraphScene scene = stageScene(stage, textRoom, open);
            QVERIFY(std::ranges::count(scene.nodes, false, &SceneNode::chip) >=
                    std::ptrdiff_t(stage.nodes.size()));
        }
    }
    void a_head_closes_its_frame_which_stays_in_place() {
        const StageMaker m = blocks(3);
        auto placed = [&](const QSet<QString>& closed) {
            GraphScene scene = stageScene(m.stage, textRoom, {FoldKind::Modules, {}, closed, 100});
            placeLayered(scene);
            return scene;
        };
        GraphCanvas canvas;
        canvas.resize(500, 700);
        canvas.setScene(shared(placed({})), false);
        canvas.show();
        QVERIFY(QTest::qWaitForWindowExposed(&canvas));
        auto onScreen = [&](QPointF p) {
            return (p - canvas.shownArea().topLeft()) * canvas.zoom();
        };
        const SceneFrame frame = canvas.scene().frames[2];
        const QPointF before = onScreen(frame.rect.topLeft());
        QSignalSpy toggled(&canvas, &GraphCanvas::foldToggled);
        QTest::mouseClick(&canvas, Qt::LeftButton, {},
                          onScreen(frame.rect.topLeft() + QPointF(20, 8)).toPoint());
        QCOMPARE(toggled.count(), 1);
        QCOMPARE(toggled[0][0].toString(), frame.key);
        QCOMPARE(toggled[0][1].toBool(), false);
        canvas.setScene(shared(placed({frame.key})), false, frame.key);
        for (const SceneNode& node : canvas.scene().nodes)
            if (node.fold == frame.key) {
                const QPointF now = onScreen(node.rect.topLeft());
                QVERIFY((now - before).manhattanLength() < 1);
                QTest::mouseClick(
                    &canvas, Qt::LeftButton, {}, // its triangle opens it again
                    onScreen({node.rect.right() - 8, node.rect.center().y()}).toPoint());
                QCOMPARE(toggled.count(), 2);
                QCOMPARE(toggled[1][1].toBool(), true);
                return;
            }
        QFAIL("no box");
    }
    /// Two tables of a container, what is made of both outside of it, and its layers.
    static StageMaker embedded(bool around) {
        StageMaker m;
        const ItemId tokens = m.input("i64[8]"), places = m.input("i64[8]");
        ItemId a = m.call("embedding", {tokens}, "", "body.tokens");
        const ItemId b = m.call("embedding", {places}, "", "body.places");
        a = m.call("add", {a, b}, "", around ? "" : "body.sum");
        for (const char* module : {"body.h.0", "body.h.0", "body.h.1", "body.h.1", "body.last"})
            a = m.call("relu", {a}, "", module);
        m.call("sum", {a});
        return m;
    }
    void what_a_container_is_left_for_stands_in_its_place() {
        for (const bool around : {false, true}) {
            GraphScene scene =
                stageScene(embedded(around).stage, textRoom, {FoldKind::Modules, {}, {}, 100});
            placeLayered(scene);
            for (const SceneEdge& edge : scene.edges)
                QVERIFY2(scene.nodes[size_t(edge.from)].rect.center().y() <
                             scene.nodes[size_t(edge.to)].rect.center().y(),
                         qPrintable(scene.nodes[size_t(edge.to)].title));
            QStringList frames;
            for (const SceneFrame& frame : scene.frames)
                frames << frame.key;
            QCOMPARE(frames.contains("module:body"), !around);
            QVERIFY(frames.contains("module:body.h")); // left by nothing
        }
    }
    void a_search_finds_what_stands_in_closed_boxes_and_opens_them() {
        const StageMaker m = embedded(true);
        GraphCanvas canvas;
        canvas.setScene(shared(stageScene(m.stage, textRoom, {FoldKind::Modules, {}, {}, 0})),
                        false);
        QCOMPARE(canvas.setSearch("op:relu"), 5); // four of these in a box
        QVERIFY(std::ranges::count(canvas.matches(), true) < 5);
        QCOMPARE(canvas.foundItems().size(), size_t(5));
        QCOMPARE(canvas.setSearch("body.h"), 1); // the title of the box
        QCOMPARE(canvas.setSearch("-op:relu op:aten"), 4);
        canvas.setSearch("op:relu");
        QSignalSpy wanted(&canvas, &GraphCanvas::insideWanted);
        canvas.goToMatch(1);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(m.stage.nodes.at(wanted[0][0].value<ItemId>()).op,
                 std::string("aten.relu.default"));
        for (const SceneNode& node : canvas.scene().nodes) {
            if (!node.inside || node.title.startsWith("body.last")) continue;
            const ItemFacts facts = boxFacts(node);
            QCOMPARE(facts.title, node.title);
            QCOMPARE(facts.sections.at(0).facts.at(1).pieces.at(0).text, QString("relu × 4"));
        }
    }
    void a_box_opens_by_double_click_and_by_key() {
        StageMaker m;
        ItemId x = m.input();
        for (int i = 0; i < 30; ++i)
            x = m.call("add", {x}, "1");
        GraphScene scene = stageScene(m.stage, textRoom, {FoldKind::Repeats, {}, {}, 0});
        placeLayered(scene);
        record::Record record;
        record.items.resize(m.stage.nodes.size());
        SelectionState selection;
        selection.setRecord(std::make_shared<RecordView>(std::move(record)));
        GraphCanvas canvas;
        canvas.resize(400, 300);
        canvas.setSelectionState(&selection, &canvas);
        canvas.setScene(shared(scene), false);
        canvas.show();
        QVERIFY(QTest::qWaitForWindowExposed(&canvas));
        QSignalSpy toggled(&canvas, &GraphCanvas::foldToggled);
        const QPoint at =
            ((scene.nodes[1].rect.center() - canvas.shownArea().topLeft()) * canvas.zoom())
                .toPoint();
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, at);
        QCOMPARE(selection.items().size(), size_t(30)); // a box stands for all that it holds
        QTest::mouseDClick(&canvas, Qt::LeftButton, {}, at);
        QCOMPARE(toggled.count(), 1);
        QCOMPARE(toggled[0][0].toString(), QString("repeat:add_1"));
        QTest::keyClick(&canvas, Qt::Key_Return);
        QCOMPARE(toggled.count(), 2);
        // What a key opened is seen from its begin on, wherever its box was; a mouse finds it where it was.
        const QString key = toggled[0][0].toString();
        GraphScene open = scene;
        open.nodes[1].fold.clear();
        SceneFrame frame;
        frame.key = key;
        frame.rect = scene.nodes[1].rect.adjusted(0, 0, 90, 80);
        open.frames = {frame};
        open.bounds |= frame.rect;
        canvas.setScene(shared(scene), false, key); // what the key above would have opened
        canvas.zoomBy(1 / canvas.zoom());
        const QPointF corner = canvas.shownArea().bottomRight() - frame.rect.topLeft();
        const QPointF from(3, 3), to = from + corner - QPointF(60, 30);
        QTest::mousePress(&canvas, Qt::LeftButton, {}, from.toPoint());
        QMouseEvent drag(QEvent::MouseMove, to, canvas.mapToGlobal(to), Qt::NoButton,
                         Qt::LeftButton, {});
        QCoreApplication::sendEvent(&canvas, &drag);
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, to.toPoint());
        QVERIFY(!canvas.shownArea().contains(frame.rect));
        const QPointF before = canvas.shownArea().topLeft();
        canvas.setScene(shared(open), false, key);
        QCOMPARE(canvas.shownArea().topLeft(), before);
        canvas.setScene(shared(scene), false, key);
        QTest::keyClick(&canvas, Qt::Key_Return);
        canvas.setScene(shared(open), false, key);
        QVERIFY(canvas.shownArea().contains(frame.rect));
        open.frames[0].rect = scene.nodes[1].rect.adjusted(0, 0, 400, 80); // wider than the room
        canvas.setScene(shared(scene), false, key);
        QTest::keyClick(&canvas, Qt::Key_Return);
        canvas.setScene(shared(open), false, key);
        QVERIFY(canvas.shownArea().contains(open.frames[0].rect));
    }
};

QTEST_MAIN(TestBoxes)
#include "test_boxes.moc"
