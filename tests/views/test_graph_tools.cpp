// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does with a graph: find nodes, colour and filter them, walk along edges, ask for a
// menu, look at a large one through its overview.
#include "tests/views/window_fixture.h"
#include "views/models/heat_map.h"
#include "views/models/item_facts.h"
#include "views/models/layered_layout.h"
#include "views/models/node_query.h"
#include "views/panes/graph/graph_pane.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/legend.h"
#include "views/widgets/scene_painter.h"

#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTextDocumentFragment>
#include <QToolButton>

using namespace cutaway;
using namespace cutaway::views;
using cutaway::views::testing::WindowFixture;

static double textRoom(const QString& text, bool) {
    return 8.0 * double(text.size());
}

/// A chain of \p count additions of one input to another.
static record::GraphStage additions(int count) {
    record::GraphStage stage;
    stage.name = "captured";
    auto add = [&](const std::string& name, const std::string& kind, std::vector<ItemId> inputs) {
        record::GraphNode node;
        node.item = static_cast<ItemId>(stage.nodes.size());
        node.name = name;
        node.kind = kind;
        node.op = kind == "call" ? "aten.add.Tensor" : "";
        node.type = "f32[8]";
        node.bytes = 32;
        node.inputs = std::move(inputs);
        stage.nodes.push_back(node);
        return node.item;
    };
    ItemId x = add("x", "placeholder", {});
    const ItemId bias = add("bias", "placeholder", {});
    for (int i = 0; i < count; ++i)
        x = add("add_" + std::to_string(i), "call", {x, bias});
    stage.outputs = {x};
    return stage;
}

class TestGraphTools : public QObject {
    Q_OBJECT

    static QPoint shownAt(const GraphCanvas& canvas, int node) {
        const QPointF center = canvas.scene().nodes[static_cast<size_t>(node)].rect.center();
        return ((center - canvas.shownArea().topLeft()) * canvas.zoom()).toPoint();
    }

private Q_SLOTS:
    void stages_that_do_not_fit_are_in_a_menu_and_the_shown_one_is_not() {
        testing::WindowFixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<GraphPane>("graph");
        auto* more = pane->findChild<QToolButton*>("moreButtons");
        QVERIFY(more);
        const auto shown = [&] {
            QStringList names;
            for (const QToolButton* button : pane->findChildren<QToolButton*>())
                if (button->isVisible() && button->property("segment").toBool())
                    names << button->text();
            return names;
        };
        pane->setStage("backward");
        QTRY_COMPARE(shown().size(), 4);
        QVERIFY(!more->isVisible());
        auto* row = more->parentWidget();
        row->resize(more->sizeHint().width() + 150, row->height());
        QVERIFY(more->isVisible());
        QVERIFY2(shown().size() < 4 && shown().contains("backward"), qPrintable(shown().join(' ')));
        for (const QToolButton* button : row->findChildren<QToolButton*>())
            if (button->isVisible()) QVERIFY(button->geometry().right() <= row->width());
        emit more->menu()->aboutToShow();
        QAction* joint = nullptr;
        for (QAction* action : more->menu()->actions())
            if (action->text() == "joint") joint = action;
        QVERIFY(joint);
        joint->trigger();
        QCOMPARE(pane->stage(), QString("joint"));
        QVERIFY(shown().contains("joint"));
    }
    void choices_of_a_narrow_graph_are_whole_and_its_search_has_room_while_it_is_used() {
        WindowFixture f;
        f.window = f.makeWindow({900, 600});
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<GraphPane>("graph");
        QVERIFY(f.settled());
        QTest::qWait(50);
        QVERIFY(pane->width() < 420);
        for (const char* name : {"heatChoice", "foldChoice"}) {
            const auto* box = pane->findChild<QComboBox*>(name);
            QVERIFY2(box->width() >= box->sizeHint().width(), name);
            QVERIFY2(pane->rect().contains(
                         box->geometry().translated(box->parentWidget()->mapTo(pane, QPoint()))),
                     name);
        }
        const int before = pane->search()->width();
        pane->search()->setFocus();
        QTRY_VERIFY(pane->search()->width() > before && pane->search()->width() > 150);
        QTest::keyClick(pane->search(), Qt::Key_Tab);
        QTRY_COMPARE(pane->search()->width(), before);
        pane->search()->setFocus();
        QTest::keyClicks(pane->search(), "cos");
        QVERIFY(!pane->canvas()->foundItems().empty());
        QTest::keyClick(pane->search(), Qt::Key_Escape); // ends the search
        QVERIFY(pane->search()->text().isEmpty() && pane->canvas()->foundItems().empty());
        QVERIFY(pane->canvas()->hasFocus());
        QTRY_COMPARE(pane->search()->width(), before);
    }
    void types_of_edges_lie_on_no_node() {
        GraphScene scene = stageScene(additions(12), textRoom, {FoldKind::None, {}, {}, kFoldRoom});
        placeLayered(scene);
        const ScenePtr placed = shared(std::move(scene));
        SceneLook look;
        look.font = QApplication::font();
        look.edgeTypes = kAllWords;
        const auto labels =
            ScenePainter(*placed, look)
                .edgeTypes(placed->edges.query(placed->graph.bounds.adjusted(-50, -50, 50, 50)));
        QVERIFY(labels.size() >= 6);
        for (const ScenePainter::Placed& label : labels) {
            QVERIFY(label.text.contains("f32[8]"));
            for (const SceneNode& node : placed->graph.nodes)
                QVERIFY2(!node.rect.intersects(label.box), qPrintable(node.title));
        }
    }
    void words_of_a_type_are_chosen_one_by_one() {
        const QString type = "f32[4, s0][1, 4] · 32 KiB";
        QCOMPARE(edgeText(type, kAllWords), type);
        QCOMPARE(edgeText(type, kShape), QString("[4, s0]"));
        QCOMPARE(edgeText(type, kDtype | kStride), QString("f32[1, 4]"));
        QCOMPARE(edgeText(type, kDtype | kBytes), QString("f32 · 32 KiB"));
        QCOMPARE(edgeText(type, kBytes), QString("32 KiB"));
        QCOMPARE(edgeText("s64", kShape), QString());
        WindowFixture f;
        QVERIFY(f.openAndWait());
        auto* button = f.pane<GraphPane>("graph")->findChild<QToolButton*>("edgeTypes");
        const auto words = [&] { return f.pane<GraphPane>("graph")->canvas()->edgeTypes(); };
        const QList<QAction*> all = button->menu()->actions();
        button->click();
        QCOMPARE(words(), kAllWords);
        all[2]->trigger();
        QCOMPARE(int(words()), kDtype | kShape | kBytes);
        for (int one : {0, 1, 3})
            all[one]->trigger();
        QVERIFY(words() == 0 && !button->isChecked());
        all[1]->trigger();
        QVERIFY(words() == kShape && button->isChecked());
    }
    /// What is gone to fills the room as far as there is a graph.
    void nothing_beyond_the_graph_is_gone_to() {
        GraphScene scene = stageScene(additions(60), textRoom, {FoldKind::None, {}, {}, kFoldRoom});
        placeLayered(scene);
        GraphCanvas canvas;
        canvas.resize(500, 400);
        canvas.setScene(shared(GraphScene(scene)), false);
        canvas.actualSize();
        for (int node : {0, int(scene.nodes.size()) - 1, 30}) {
            canvas.revealNode(node);
            const QRectF seen = canvas.shownArea();
            QVERIFY(seen.contains(scene.nodes[size_t(node)].rect));
            QVERIFY(seen.top() > scene.bounds.top() - 40);
            QVERIFY(seen.bottom() < scene.bounds.bottom() + 40);
        }
    }
    void an_edit_leaves_what_is_looked_at_where_it_is() {
        GraphScene scene = stageScene(additions(40), textRoom, {FoldKind::None, {}, {}, kFoldRoom});
        placeLayered(scene);
        GraphScene edited = scene;
        for (SceneNode& node : edited.nodes)
            node.rect.translate(90, 300); // rows came above
        edited.nodes[5].name = "another";
        GraphCanvas canvas;
        canvas.resize(500, 400);
        canvas.setScene(shared(GraphScene(scene)), false);
        canvas.setEdited(shared(GraphScene(scene)));
        canvas.actualSize();
        canvas.revealNode(21);
        const QPoint before = shownAt(canvas, 21);
        const double zoom = canvas.zoom();
        QVERIFY(canvas.rect().contains(before));
        canvas.setEdited(shared(GraphScene(edited)));
        QCOMPARE(shownAt(canvas, 21), before);
        QCOMPARE(canvas.zoom(), zoom);
        canvas.fit(); // what is seen whole is seen whole
        canvas.setEdited(shared(GraphScene(scene)));
        QVERIFY(canvas.shownArea().contains(scene.bounds));
    }
    void types_that_are_asked_for_are_seen() {
        WindowFixture f;
        QVERIFY(f.openAndWait());
        auto* canvas = f.pane<GraphPane>("graph")->canvas();
        QVERIFY(!canvas->scene().nodes.empty());
        canvas->zoomBy(0.3 / canvas->zoom());
        canvas->setEdgeTypes(kAllWords);
        QVERIFY(canvas->zoom() >= 0.85);
        const double zoom = canvas->zoom();
        canvas->setEdgeTypes(0);
        canvas->setEdgeTypes(kAllWords);
        QCOMPARE(canvas->zoom(), zoom); // near enough already
    }
    void queries_have_words_fields_sizes_and_expressions() {
        SceneNode node;
        node.title = "mm", node.name = "mm_3", node.subtitle = "f16[64, 64]";
        node.op = "aten.mm.default", node.module = "layers.2.attn", node.bytes = 2 << 20;
        node.kind = OpKind::Matmul;
        for (const char* text : {"mm",
                                 "MM",
                                 "f16",
                                 "op:mm",
                                 "name:mm_3",
                                 "module:attn",
                                 "kind:product",
                                 "type:f16",
                                 "bytes>1M",
                                 "bytes<=2M",
                                 "bytes>=2048k",
                                 "/^mm_\\d$/",
                                 "op:mm bytes>1M module:attn",
                                 "-op:view",
                                 "bytes>1.5M",
                                 "op:MM",
                                 "op:aten",
                                 "op:m*",
                                 "op:*mm",
                                 "op:aten.mm.default"})
            QVERIFY2(NodeQuery(text).matches(node), text);
        for (const char* text : {"relu", "op:relu", "module:mlp", "bytes<1M", "/^mm$x/", "mm -f16",
                                 "op:mm bytes>1G", "op:m", "op:", ""})
            QVERIFY2(!NodeQuery(text).matches(node), text);
        node.op = "aten.bmm.default"; // which is no mm
        QVERIFY(!NodeQuery("op:mm").matches(node));
        node.op = "aten._softmax.default";
        QVERIFY(NodeQuery("op:softmax").matches(node) && NodeQuery("op:_softmax").matches(node));
        QVERIFY(NodeQuery("/[/").problem().contains("["));
        QVERIFY(NodeQuery("bytes>big").problem().contains("big"));
        QVERIFY(NodeQuery("op:mm").problem().isEmpty());
    }
    void an_input_with_far_users_stands_beside_each() {
        const GraphScene scene = stageScene(additions(40), textRoom);
        QCOMPARE(std::count_if(scene.nodes.begin(), scene.nodes.end(),
                               [](const SceneNode& node) { return node.chip; }),
                 39);
        QCOMPARE(scene.nodes.size(), size_t(42 + 39));
        for (const SceneEdge& edge : scene.edges)
            if (scene.nodes[size_t(edge.from)].chip)
                QCOMPARE(scene.nodes[size_t(edge.from)].item, ItemId(1));
        // Few or near users keep their edges.
        const GraphScene few = stageScene(additions(4), textRoom);
        QCOMPARE(few.nodes.size(), size_t(6));
        // The chain goes straight down.
        GraphScene placed = stageScene(additions(200), textRoom);
        placeLayered(placed);
        const double drift =
            std::abs(placed.nodes[200].rect.center().x() - placed.nodes[10].rect.center().x());
        QVERIFY2(drift < 1000, qPrintable(QString::number(drift)));
    }
    void more_bytes_make_thicker_edges() {
        record::GraphStage stage = additions(3);
        stage.nodes[3].bytes = 1 << 20;
        const GraphScene scene = stageScene(stage, textRoom);
        double thin = 0, thick = 0;
        for (const SceneEdge& edge : scene.edges)
            (scene.nodes[size_t(edge.from)].bytes > 32 ? thick : thin) = edge.width;
        QCOMPARE(thin, 1.0);
        QCOMPARE(thick, 4.0);
    }
    void numbers_of_a_file_are_of_one_script() {
        WindowFixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<GraphPane>("graph");
        pane->setStage("joint");
        pane->setColumns({{"mine", {{"cos", 2.0}}}, {"other", {{"sin", 3.0}}}});
        auto* colours = pane->findChild<QComboBox*>("heatChoice");
        QCOMPARE(colours->currentText(), QString("mine"));
        colours->setCurrentIndex(colours->findText("other"));
        emit colours->activated(colours->currentIndex());
        QTRY_VERIFY(pane->shownHeat().note.startsWith("other"));
        emit colours->activated(colours->findText("mine"));
        QVERIFY(f.settled());
        QCOMPARE(pane->shownHeat().note, QString("mine"));
        QCOMPARE(pane->shownHeat().classes.size(), size_t(1));
        QVERIFY(f.openAndWait(f.write("other.py", testing::kDoubleCosine)));
        QVERIFY(pane->shownHeat().classes.empty());
    }
    void heat_puts_nodes_into_classes() {
        const RecordView view(testing::doubleCosineRecord());
        const record::Entry& entry = *view.entry(0, 0);
        const GraphScene scene = stageScene(*entry.graph("joint"), textRoom);
        const HeatMap bytes = heatMap(HeatKind::Bytes, view, entry, scene, {});
        QCOMPARE(bytes.ofNode.size(), scene.nodes.size());
        QVERIFY(!bytes.classes.empty());
        // Equal steps of the quantity: what is a tenth of the most is in the first class.
        GraphScene ten = scene;
        ten.nodes[0].bytes = 100, ten.nodes[1].bytes = 1000, ten.nodes[2].bytes = 10;
        const auto classOf = [&](HeatScale scale) {
            return heatMap(HeatKind::Bytes, view, entry, ten, {}, nullptr, scale).ofNode;
        };
        QCOMPARE(classOf(HeatScale::Linear)[0], 0);
        QVERIFY(classOf(HeatScale::Logarithmic)[0] > 0);
        QCOMPARE(classOf(HeatScale::Linear)[1], kHeatClasses - 1);
        // Of a file: by key, by name; what is named nowhere has no colour.
        auto columns = readNodeValues("node,loss\njoint/cos,-2\nmul_1,3\n", "loss.csv");
        QVERIFY(columns && columns->size() == 1);
        NodeValues given = columns->front();
        const HeatMap own = heatMap(HeatKind::Given, view, entry, scene, {}, nullptr,
                                    HeatScale::Logarithmic, std::make_shared<NodeValues>(given));
        QCOMPARE(own.note, QString("loss"));
        for (size_t i = 0; i < scene.nodes.size(); ++i) {
            const std::string& name = view.node(scene.nodes[i].item)->name;
            QCOMPARE(own.ofNode[i], name == "cos" ? 0 : name == "mul_1" ? kHeatClasses - 1 : -1);
        }
        // A name that no node has is told.
        given.byName.insert("joint/none", 4);
        QCOMPARE(heatMap(HeatKind::Given, view, entry, scene, {}, nullptr, HeatScale::Logarithmic,
                         std::make_shared<NodeValues>(given))
                     .note,
                 QString("loss: 2 of 3 are of nodes here"));
        QVERIFY(readNodeValues("{\"cos\": 1.5}", "a.json"));
        // Further columns: those with numbers, by whatever they are separated.
        columns = readNodeValues("node;error;note;ms\n\"cos\";0.5;x;3\nsin;;y;4\n", "a.csv");
        QVERIFY(columns);
        QCOMPARE(columns->size(), size_t(2));
        QCOMPARE(columns->at(0).title, QString("error"));
        QCOMPARE(columns->at(0).byName, (QHash<QString, double>{{"cos", 0.5}}));
        QCOMPARE(columns->at(1).title, QString("ms"));
        QCOMPARE(columns->at(1).byName, (QHash<QString, double>{{"cos", 3}, {"sin", 4}}));
        for (const char* text : {"", "cos\n", "a,b\nc,d\n", "{\"cos\": \"x\"}", "{"})
            QVERIFY2(!readNodeValues(text, "a.csv"), text);
        QVERIFY(heatMap(HeatKind::Given, view, entry, scene, {}).classes.empty());
        const HeatMap saved = heatMap(HeatKind::SavedBytes, view, entry, scene, {});
        const auto hot = std::count_if(saved.ofNode.begin(), saved.ofNode.end(),
                                       [](int heat) { return heat >= 0; });
        QCOMPARE(size_t(hot), entry.partition.saved.size());
        const GraphScene captured = stageScene(*entry.graph("captured"), textRoom);
        const HeatMap there = heatMap(HeatKind::SavedBytes, view, entry, captured, {});
        QVERIFY(!there.classes.empty()); // what it came from
        QVERIFY(heatMap(HeatKind::Work, view, entry, GraphScene(), {}).note.contains("Work"));
        QVERIFY(heatMap(HeatKind::Time, view, entry, scene, {}).classes.empty());
        record::Run run;
        const record::LoweredGraph& lowered = entry.lowered.at(0);
        run.kernels.push_back({lowered.graph, lowered.kernels.at(0).name, kNoItem, 12.0, 0, 0});
        const HeatMap time = heatMap(HeatKind::Time, view, entry, scene, {run});
        QCOMPARE(time.classes.size(), size_t(1));
        QVERIFY(std::any_of(time.ofNode.begin(), time.ofNode.end(), [](int h) { return h == 0; }));
    }
    void occupancy_is_told_of_the_nodes_of_each_kernel() {
        record::Record record = testing::doubleCosineRecord();
        record::LoweredGraph& lowered = record.functions[0].entries[0].lowered.at(0);
        lowered.kernels.at(0).gpu = {256, 40, 2048, 4, 0.5, "registers", "sm_90"};
        const RecordView view(std::move(record));
        const record::Entry& entry = *view.entry(0, 0);
        const GraphScene scene = stageScene(*entry.graph("joint"), textRoom);
        const HeatMap heat = heatMap(HeatKind::Occupancy, view, entry, scene, {});
        QCOMPARE(heat.classes, std::vector<QString>{QString("50\u00a0%")});
        QVERIFY(std::ranges::count(heat.ofNode, 0) > 0 && std::ranges::count(heat.ofNode, -1) > 0);
        const RecordView without(testing::doubleCosineRecord());
        QVERIFY(heatMap(HeatKind::Occupancy, without, *without.entry(0, 0), scene, {})
                    .note.contains("Occupancy"));
        const ItemFacts facts = factsOf(view, entry.lowered[0].kernels[0].item, {});
        bool told = false;
        for (const FactSection& section : facts.sections)
            for (const Fact& fact : section.facts)
                for (const auto& piece : fact.pieces)
                    told = told || piece.text.contains("held back by registers");
        QVERIFY(told);
    }
    void time_of_the_backward_is_not_given_to_the_forward() {
        const RecordView view(testing::doubleCosineRecord());
        const record::Entry& entry = *view.entry(0, 0);
        record::Run run;
        for (const record::LoweredGraph& lowered : entry.lowered)
            for (const record::KernelInfo& kernel : lowered.kernels)
                run.kernels.push_back({lowered.graph, kernel.name, kNoItem,
                                       lowered.graph == "forward" ? 10.0 : 1000.0, 0, 0});
        for (const char* stage : {"captured", "joint"}) {
            const GraphScene scene = stageScene(*entry.graph(stage), textRoom);
            const HeatMap time = heatMap(HeatKind::Time, view, entry, scene, {run});
            auto heatOf = [&](const char* name) {
                for (size_t i = 0; i < scene.nodes.size(); ++i)
                    if (scene.nodes[i].name == name || scene.nodes[i].title == name)
                        return time.ofNode[i];
                return -2;
            };
            // Computed in the forward, and once more by the backward's kernel.
            QCOMPARE(heatOf("cos"), 0);
            QCOMPARE(heatOf("cos_1"), 0);
            if (QString(stage) == "joint") QVERIFY(heatOf("mul_1") > 0);
            QCOMPARE(heatOf(QString(stage) == "joint" ? "primals_1" : "x"), -1);
        }
    }
    void the_legend_filters_by_mouse_and_by_keyboard() {
        Legend legend;
        legend.setFilters(true);
        legend.setEntries({{Qt::red, "one", false, "O", 4}, {Qt::blue, "two", false, "T", 7}},
                          "two");
        legend.resize(300, 40);
        legend.show();
        QVERIFY(QTest::qWaitForWindowExposed(&legend));
        legend.grab();
        QSignalSpy changed(&legend, &Legend::filterChanged);
        QTest::mouseClick(&legend, Qt::LeftButton, {}, legend.placeOf(1).center());
        QCOMPARE(changed.count(), 1);
        QVERIFY(legend.isOff(7) && !legend.isOff(4));
        legend.setFocus();
        QTest::keyClick(&legend, Qt::Key_Left);
        QTest::keyClick(&legend, Qt::Key_Space);
        QVERIFY(legend.isOff(4));
        QTest::keyClick(&legend, Qt::Key_Space);
        QVERIFY(!legend.isOff(4));
    }
    void arrows_walk_along_edges() {
        auto view = std::make_shared<RecordView>(testing::doubleCosineRecord());
        SelectionState selection;
        selection.setRecord(view);
        GraphCanvas canvas;
        canvas.resize(600, 500);
        canvas.setSelectionState(&selection, &canvas);
        GraphScene scene = stageScene(view->entry(0, 0)->graphs[0], textRoom);
        placeLayered(scene);
        canvas.setScene(shared(scene), false);
        canvas.show();
        QVERIFY(QTest::qWaitForWindowExposed(&canvas));
        auto current = [&] { return canvas.scene().find(selection.items().at(0)); };
        selection.select({scene.nodes[0].item});
        for (const SceneEdge& edge : scene.edges) {
            selection.select({scene.nodes[size_t(edge.from)].item});
            QTest::keyClick(&canvas, Qt::Key_Down);
            const int to = current();
            QVERIFY(
                std::any_of(scene.edges.begin(), scene.edges.end(), [&](const SceneEdge& other) {
                    return other.from == edge.from && other.to == to;
                }));
            QTest::keyClick(&canvas, Qt::Key_Up);
            const int back = current();
            QVERIFY(
                std::any_of(scene.edges.begin(), scene.edges.end(), [&](const SceneEdge& other) {
                    return other.from == back && other.to == to;
                }));
        }
    }
    void letters_of_a_legend_stay_on_their_chips_in_large_type() {
        Legend legend;
        QFont font = legend.font();
        font.setPointSizeF(24);
        legend.setFont(font);
        legend.setEntries({{QColor(Qt::red), "", false, "M", 0}}, {});
        legend.resize(200, legend.heightForWidth(200));
        const QImage image = legend.grab().toImage();
        QRect chip, letter;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const QColor color = image.pixelColor(x, y);
                if (color == QColor(Qt::red)) chip |= QRect(x, y, 1, 1);
                if (color == lightTheme().on(Qt::red)) letter |= QRect(x, y, 1, 1);
            }
        QVERIFY(!letter.isEmpty());
        QVERIFY2(chip.contains(letter), qPrintable(QString("%1 by %2 on %3 by %4")
                                                       .arg(letter.width())
                                                       .arg(letter.height())
                                                       .arg(chip.width())
                                                       .arg(chip.height())));
    }
    void nodes_are_told_to_screen_readers() {
        auto view = std::make_shared<RecordView>(testing::doubleCosineRecord());
        SelectionState selection;
        selection.setRecord(view);
        GraphScene scene = stageScene(*view->entry(0, 0)->graph("captured"), textRoom);
        placeLayered(scene);
        std::swap(scene.nodes[0].rect, scene.nodes[2].rect); // as boxes stand first
        GraphCanvas canvas;
        canvas.resize(400, 400);
        canvas.setSelectionState(&selection, &canvas);
        canvas.setScene(shared(scene), false);
        canvas.show();
        QVERIFY(QTest::qWaitForWindowExposed(&canvas));
        QAccessibleInterface* graph = QAccessible::queryAccessibleInterface(&canvas);
        QCOMPARE(graph->childCount(), int(scene.nodes.size()));
        QCOMPARE(graph->role(), QAccessible::Tree);
        for (int i = 1; i < graph->childCount(); ++i) // as the computation goes
            QVERIFY(graph->child(i - 1)->rect().top() < graph->child(i)->rect().top());
        QAccessibleInterface* node = graph->child(1);
        QCOMPARE(graph->indexOfChild(node), 1);
        QVERIFY(node->text(QAccessible::Name).contains(scene.nodes[1].title));
        QVERIFY(node->text(QAccessible::Name).contains(scene.nodes[1].subtitle));
        QVERIFY2(node->text(QAccessible::Description).contains("reads "),
                 qPrintable(node->text(QAccessible::Description)));
        QCOMPARE(graph->childAt(node->rect().center().x(), node->rect().center().y()), node);
        QVERIFY(!node->state().selected);
        node->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(selection.items(), std::vector<ItemId>{scene.nodes[1].item});
        QVERIFY(node->state().selected);
        QCOMPARE(graph->focusChild(), node);
        canvas.setScene(shared(scene), true);
        QVERIFY(graph->child(1)->isValid() && graph->child(99) == nullptr);
    }
    void the_overview_leads_to_the_other_end() {
        GraphScene scene = stageScene(additions(300), textRoom);
        placeLayered(scene);
        GraphCanvas canvas;
        canvas.resize(500, 500);
        canvas.setScene(shared(scene), false);
        canvas.show();
        QVERIFY(QTest::qWaitForWindowExposed(&canvas));
        QVERIFY(canvas.shownArea().top() < 100);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPoint(500 - 28, 500 - 11)); // its end
        QVERIFY(canvas.shownArea().bottom() > scene.bounds.bottom() - 500);
        canvas.fit();
        const QPointF before = canvas.shownArea().center();
        QTest::mouseClick(&canvas, Qt::LeftButton, {},
                          QPoint(500 - 28, 500 - 14)); // none there now
        QCOMPARE(canvas.shownArea().center(), before);
    }
    void the_overview_hides_no_number_and_goes_where_there_is_no_room() {
        record::Record record = testing::doubleCosineRecord();
        const GraphScene scene = partitionScene(record.functions[0].entries[0], textRoom);
        int shown = 0, hidden = 0;
        for (const QSize size : {QSize(420, 213), QSize(620, 520), QSize(900, 620)})
            for (double factor : {1.0, 2.0, 4.0})
                for (const QPointF at : {QPointF(0, 0), QPointF(0.5, 0.5), QPointF(1, 1)}) {
                    GraphCanvas canvas;
                    canvas.resize(size);
                    canvas.setScene(shared(scene), false);
                    canvas.fit();
                    canvas.zoomBy(factor);
                    QTest::mousePress(&canvas, Qt::LeftButton, {}, canvas.rect().center());
                    QTest::mouseMove(
                        &canvas, QPoint(int(size.width() * at.x()), int(size.height() * at.y())));
                    const QRectF map = canvas.overviewRect();
                    const QRectF area = canvas.shownArea();
                    ++(map.isEmpty() ? hidden : shown);
                    QVERIFY2(map.width() * map.height() < 0.16 * size.width() * size.height(),
                             "it would fill the canvas");
                    const QRectF under(area.topLeft() + map.topLeft() / canvas.zoom(),
                                       map.size() / canvas.zoom());
                    QVERIFY(!canvas.textsShown().empty() || factor > 1);
                    for (const QRectF& text : canvas.textsShown())
                        QVERIFY(map.isEmpty() || !text.intersects(under));
                }
        QVERIFY2(shown > 0 && hidden > 0, qPrintable(QString("%1 %2").arg(shown).arg(hidden)));
    }
    void the_answer_to_a_search_does_not_cover_the_question() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<GraphPane>("graph");
        pane->setStage("captured");
        QVERIFY(fixture.settled());
        pane->search()->setText("op:sin");
        QTest::qWait(50);
        auto* answer = pane->search()->findChild<QLabel*>();
        QVERIFY(answer && answer->text().startsWith("0"));
        const int asked = pane->search()->fontMetrics().horizontalAdvance(pane->search()->text());
        const auto labels = pane->findChildren<QLabel*>();
        QString told;
        for (const QLabel* label : labels)
            if (label->objectName() == "foundElsewhere" && label->isVisible())
                told = QTextDocumentFragment::fromHtml(label->text()).toPlainText();
        QVERIFY2(told.contains(" in joint"), qPrintable(told));
        QVERIFY2(answer->x() > asked, qPrintable(QString("%1 %2").arg(answer->x()).arg(asked)));
        pane->setStage("joint");
        QVERIFY(fixture.settled());
        QVERIFY2(told.startsWith(QString("none here; %1 in joint").arg(answer->text())),
                 qPrintable(told));
        pane->setStage("captured");
        QVERIFY(fixture.settled());
        pane->search()->setText("foo:bar"); // why nothing is found
        QTRY_VERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->text().startsWith("no field “foo”: op, name");
        }));
        pane->search()->setText("op:sin");
        pane->search()->setFixedWidth(110); // there is none
        QTest::qWait(50);
        QCOMPARE(answer->text(), QString("0"));
        QVERIFY2(answer->x() > asked, qPrintable(QString("%1 %2").arg(answer->x()).arg(asked)));
    }
    void the_pane_finds_colours_and_offers_a_menu() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<GraphPane>("graph");
        pane->setStage("joint");
        QVERIFY(fixture.settled());
        pane->search()->setFocus();
        QTest::keyClicks(pane->search(), "op:cos -name:cos_1");
        QTest::keyClick(pane->search(), Qt::Key_Return);
        const RecordView& record = *fixture.session()->record();
        QCOMPARE(record.title(fixture.window->selection()->items().at(0)), QString("cos"));
        pane->setHeat(HeatKind::Bytes);
        QVERIFY(!pane->legend()->entries().empty());
        QVERIFY(pane->canvas()->heat().at(0) >= 0);
        pane->setHeat(HeatKind::None);
        QVERIFY(pane->canvas()->heat().empty());
        const int node = pane->canvas()->scene().find(record.search("joint/cos"));
        QContextMenuEvent event(QContextMenuEvent::Mouse, shownAt(*pane->canvas(), node),
                                pane->canvas()->mapToGlobal(shownAt(*pane->canvas(), node)));
        QApplication::sendEvent(pane->canvas(), &event);
        auto* menu = pane->findChild<QMenu*>("graphMenu");
        QTRY_VERIFY(menu && menu->isVisible());
        QStringList texts;
        QAction* users = nullptr;
        for (QAction* action : menu->actions()) {
            texts << action->text().remove('&');
            if (texts.back().startsWith("Select its users")) users = action;
        }
        QVERIFY2(texts.contains("Reveal in Kernels"), qPrintable(texts.join(", ")));
        QVERIFY(users);
        users->trigger();
        QCOMPARE(record.title(fixture.window->selection()->items().at(0)), QString("cos_1"));
        menu->close();
    }
};

QTEST_MAIN(TestGraphTools)
#include "test_graph_tools.moc"
