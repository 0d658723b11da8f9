// SPDX-License-Identifier: GPL-3.0-or-later
// What repeats and what belongs to a module is drawn as one box, which opens and closes; only what
// is proven to be equal repeats.
#include "tests/views/window_fixture.h"
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
    return folds(maker.stage, {FoldKind::Repeats, {}});
}

} // namespace

class TestBoxes : public QObject {
    Q_OBJECT
private slots:
    void a_chain_of_equal_operations_is_one_box() {
        StageMaker m;
        ItemId x = m.input();
        for (int i = 0; i < 1000; ++i)
            x = m.call("add", {x}, "1");
        const auto boxes = repeats(m);
        QCOMPARE(boxes.size(), size_t(1));
        QCOMPARE(boxes[0].title, QString("add × 1000"));
        QCOMPARE(boxes[0].members.size(), size_t(1000));
        const GraphScene scene = stageScene(m.stage, textRoom, {FoldKind::Repeats, {}});
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
            for (const Fold& fold : folds(m.stage, {FoldKind::Modules, open}))
                all << QString(fold.title).replace(QChar(0xa0), ' ');
            return all;
        };
        QCOMPARE(titles({}), (QStringList{"a · 4 nodes", "b · 3 nodes"}));
        QCOMPARE(titles({"module:a"}),
                 (QStringList{"a.one · 2 nodes", "a.two · 2 nodes", "b · 3 nodes"}));
        QCOMPARE(titles({"module:a", "module:a.one", "module:b"}),
                 (QStringList{"a.two · 2 nodes"}));
    }
    void a_box_opens_by_double_click_and_by_key() {
        StageMaker m;
        ItemId x = m.input();
        for (int i = 0; i < 30; ++i)
            x = m.call("add", {x}, "1");
        GraphScene scene = stageScene(m.stage, textRoom, {FoldKind::Repeats, {}});
        placeLayered(scene);
        record::Record record;
        record.items.resize(m.stage.nodes.size());
        SelectionState selection;
        selection.setRecord(std::make_shared<RecordView>(std::move(record)));
        GraphCanvas canvas;
        canvas.resize(400, 300);
        canvas.setSelectionState(&selection, &canvas);
        canvas.setScene(scene, false);
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
    }
};

QTEST_MAIN(TestBoxes)
#include "test_boxes.moc"
