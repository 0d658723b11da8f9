// SPDX-License-Identifier: GPL-3.0-or-later
// Any two texts of a record compared with links, records side by side, the peak of a memory plan,
// and work of which only the newest counts.
#include "tests/views/window_fixture.h"
#include "views/models/latest_work.h"
#include "views/models/memory_peak.h"
#include "views/models/rows.h"
#include "views/models/side_by_side.h"
#include "views/panes/compare/compare_pane.h"
#include "views/panes/compare/graphs_beside.h"
#include "views/widgets/code_view.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/item_view.h"
#include "views/widgets/legend.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QRegularExpression>
#include <QSemaphore>
#include <QSplitter>
#include <QToolButton>

using namespace cutaway;
using namespace cutaway::views;
using Fixture = testing::WindowFixture;

namespace {

bool settled(ComparePane* pane) {
    return QTest::qWaitFor([&] { return pane->isSettled(); });
}

} // namespace

class TestCompare : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_line_belongs_to_a_side_and_to_an_item() {
        const ComparedRecord one{
            "one", std::make_shared<RecordView>(testing::doubleCosineRecord()), 0, 0, {}};
        const Comparison same = compareTexts(one, "graph/joint", one, "graph/joint");
        QCOMPARE(same.added + same.removed, 0);
        // Every node, and what the graph returns.
        QCOMPARE(same.lines.size(), one.shown()->graph("joint")->nodes.size() + 1);
        const Comparison other = compareTexts(one, "graph/captured", one, "graph/joint");
        QVERIFY(other.added > 0);
        int left = 0, right = 0;
        for (const ComparedLine& line : other.lines) {
            if (line.text.startsWith("return ")) continue;
            QCOMPARE(line.left != kNoItem, line.sign <= 0);
            QCOMPARE(line.right != kNoItem, line.sign >= 0);
            left += line.sign <= 0;
            right += line.sign >= 0;
        }
        QCOMPARE(size_t(left), one.shown()->graph("captured")->nodes.size());
        QCOMPARE(size_t(right), one.shown()->graph("joint")->nodes.size());
    }
    void every_choice_has_a_text() {
        const ComparedRecord one{
            "one", std::make_shared<RecordView>(testing::doubleCosineRecord()), 0, 0, {}};
        const auto choices = textChoices(*one.shown());
        QVERIFY(choices.size() > 8);
        for (const TextChoice& choice : choices)
            QVERIFY2(!compareTexts(one, choice.id, one, choice.id).lines.empty(),
                     qPrintable(choice.id));
    }
    void what_is_shown_is_compared_with_what_was_kept() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<ComparePane>("compare");
        QVERIFY(settled(pane));
        const QHeaderView* head = pane->table()->header(); // times are in sight, nodes behind them
        QVERIFY(head->visualIndex(static_cast<int>(rows::ComparedColumn::Nodes)) >
                head->visualIndex(static_cast<int>(rows::ComparedColumn::Measured)));
        // Nothing was chosen: two stages side by side would be a wall of differences.
        QCOMPARE(pane->counts(), QString("forward graph: the same text twice"));
        QVERIFY(pane->stages().isEmpty());
        pane->choose(0, 0, "graph/captured");
        QVERIFY(settled(pane));
        QVERIFY2(pane->counts().startsWith("captured graph → forward graph, lines: −"),
                 qPrintable(pane->counts()));
        pane->keepShown();
        QCOMPARE(pane->recordCount(), 2);
        pane->choose(1, 0, "graph/joint");
        pane->choose(0, 1, "graph/joint");
        QVERIFY(settled(pane));
        QCOMPARE(pane->counts(), QString("joint graph: no difference"));
        QVERIFY2(pane->stages().contains(QRegularExpression("All \\d+ stages of both records")),
                 qPrintable(pane->stages()));
        QCOMPARE(pane->table()->rowModel()->rowCount(), 2);
        f.session()->decide({"save cos"});
        QVERIFY(f.settled());
        QCOMPARE(pane->recordCount(), 2); // kept over a new result
    }
    void every_stage_of_two_records_is_compared() {
        record::Record other = testing::doubleCosineRecord();
        record::Entry& entry = other.functions.front().entries.front();
        entry.lowered.front().buffers.front().text = "another loop";
        const ComparedRecord one{
            "one", std::make_shared<RecordView>(testing::doubleCosineRecord()), 0, 0, {}},
            changed{"changed", std::make_shared<RecordView>(std::move(other)), 0, 0, {}};
        int differ = 0;
        const auto stages = compareStages(one, changed);
        QVERIFY(stages.size() > 4);
        for (const StageDifference& stage : stages) {
            const bool differs = stage.removed + stage.added > 0;
            QCOMPARE(differs, stage.text.id == "loops/forward");
            differ += differs;
        }
        QCOMPARE(differ, 1);
    }
    void the_left_record_stands_on_the_left() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<ComparePane>("compare");
        pane->keepShown(); // chosen on the left
        pane->showBeside();
        QVERIFY(settled(pane));
        const QString left = pane->beside()->heading(0), right = pane->beside()->heading(1);
        QVERIFY2(!left.startsWith("shown now"), qPrintable(left));
        QVERIFY2(right.startsWith("shown now\n"), qPrintable(right));
        pane->choose(0, 0, "graph/forward");
        pane->choose(1, 1, "graph/forward");
        QVERIFY(settled(pane));
        QVERIFY(pane->beside()->heading(0).startsWith("shown now"));
    }
    void records_are_compared_by_the_keyboard_alone() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<ComparePane>("compare");
        pane->keepShown();
        pane->choose(0, 0, "graph/joint");
        pane->choose(1, 1, "graph/joint");
        pane->table()->setFocus();
        pane->table()->setCurrentIndex(pane->table()->model()->index(1, 0));
        QTest::keyClick(pane->table(), Qt::Key_Return);
        QStringList chosen;
        for (const QComboBox* box : pane->findChildren<QComboBox*>())
            chosen << box->accessibleName() + ": " + box->currentText();
        const QString kept = pane->table()->model()->index(1, 0).data().toString();
        // Of the same script and size only what tells it from others is said.
        QVERIFY2(kept.contains(QRegularExpression("^\\d\\d:\\d\\d:\\d\\d")), qPrintable(kept));
        QCOMPARE(chosen, (QStringList{"Left record: " + kept, "Left text: joint graph",
                                      "Right record: shown now", "Right text: joint graph"}));
        QVERIFY(settled(pane));
        bool reached = false; // stages that differ are links
        for (const QLabel* label : pane->findChildren<QLabel*>())
            reached = reached || (label->text() == pane->stages() &&
                                  label->textInteractionFlags() & Qt::LinksAccessibleByKeyboard);
        QVERIFY(reached);
    }
    void of_two_records_both_sides_are_the_same_text() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<ComparePane>("compare");
        const auto box = [&](const char* name) {
            for (QComboBox* one : pane->findChildren<QComboBox*>())
                if (one->accessibleName() == name) return one;
            return static_cast<QComboBox*>(nullptr);
        };
        const auto take = [](QComboBox* from, const QVariant& id) {
            from->setCurrentIndex(from->findData(id));
            emit from->activated(from->currentIndex());
        };
        QComboBox *left = box("Left text"), *right = box("Right text");
        auto* same = pane->findChild<QToolButton*>("sameText");
        take(left, "graph/captured"); // two stages of one record
        QCOMPARE(right->currentData(), QVariant("graph/forward"));
        QVERIFY(!same->isEnabled());
        QCOMPARE(same->text(), QString("≠"));
        pane->keepShown();
        QCOMPARE(left->currentData(), QVariant("graph/forward"));
        QVERIFY(same->isEnabled() && same->isChecked());
        for (const auto& [from, other] : {std::pair{left, right}, std::pair{right, left}})
            for (const char* id : {"graph/joint", "loops/forward", "graph/captured"}) {
                take(from, id);
                QCOMPARE(other->currentData(), QVariant(id));
                QCOMPARE(same->text(), QString("="));
            }
        f.session()->decide({"save cos"}); // a new result keeps them so
        QVERIFY(f.settled());
        QCOMPARE(left->currentData(), right->currentData());
        same->click();
        take(left, "graph/joint");
        QCOMPARE(right->currentData(), QVariant("graph/captured"));
        same->click(); // again what is on the right
        QCOMPARE(left->currentData(), QVariant("graph/captured"));
    }
    /// A forward may compute what the backward reads; its graph has no two sides for that.
    void only_a_joint_graph_has_two_sides() {
        record::Record made = testing::doubleCosineRecord();
        for (record::GraphStage& stage : made.functions[0].entries[0].graphs)
            if (stage.name == "forward") stage.nodes.back().backward = true;
        const ComparedRecord one{"one", std::make_shared<RecordView>(std::move(made)), 0, 0, {}};
        const auto bands = [&](const char* text) {
            return graphDifference(one, text, true, one, text, true, textWidth(QFont()))
                .scene.bands.size();
        };
        QCOMPARE(bands("graph/joint"), size_t(2));
        QCOMPARE(bands("graph/forward"), size_t(0));
    }
    void two_stages_are_one_graph() {
        const ComparedRecord one{
            "one", std::make_shared<RecordView>(testing::doubleCosineRecord()), 0, 0, {}};
        const auto difference = [&](const char* left, const char* right) {
            return graphDifference(one, left, true, one, right, true, textWidth(QFont()));
        };
        const auto stage = [&](const char* name) { return one.shown()->graph(name)->nodes.size(); };
        const GraphDifference same = difference("graph/joint", "graph/joint");
        QCOMPARE(size_t(same.same), stage("joint"));
        QCOMPARE(same.added + same.removed + same.rewritten, 0);
        const GraphDifference made = difference("graph/captured", "graph/joint");
        QVERIFY(made.isGraph && made.added > 0 && made.same > 0);
        QCOMPARE(size_t(made.same + made.rewritten + made.removed), stage("captured"));
        QCOMPARE(size_t(made.same + made.rewritten + made.added), stage("joint"));
        // Each side alone is that graph, and nothing moved.
        const GraphScene left = sideOf(made, DifferenceSide::Left),
                         right = sideOf(made, DifferenceSide::Right);
        QCOMPARE(left.nodes.size(), stage("captured"));
        QCOMPARE(right.nodes.size(), stage("joint"));
        QCOMPARE(left.nodes[0].title, QString("x")); // as it is called there
        QCOMPARE(right.nodes[0].title, QString("primals_1"));
        const auto places = [](const GraphScene& scene) {
            QList<QRectF> rects;
            for (const SceneNode& node : scene.nodes)
                rects << node.rect;
            return rects;
        };
        const QList<QRectF> both = places(made.scene);
        for (const GraphScene* side : {&left, &right}) {
            for (const QRectF& rect : places(*side))
                QVERIFY(both.contains(rect));
            for (const SceneEdge& edge : side->edges)
                QVERIFY(edge.from >= 0 && edge.to >= 0 && size_t(edge.to) < side->nodes.size());
        }
        // A selected cosine of the captured graph lights where it stands for the joint one, too.
        const ItemId cosine = one.record->find("captured/cos"),
                     joint = one.record->find("joint/cos");
        QVERIFY(cosine != kNoItem && made.scene.find(cosine) >= 0);
        QCOMPARE(made.scene.find(cosine), made.scene.find(joint));
        QVERIFY(!difference("loops/forward", "graph/joint").isGraph);
    }
    void what_reads_something_else_was_rewritten() {
        record::Record before = testing::doubleCosineRecord(), after = before;
        record::GraphStage* joint = nullptr;
        for (record::GraphStage& stage : after.functions[0].entries[0].graphs)
            if (stage.name == "joint") joint = &stage;
        QVERIFY(joint);
        for (record::GraphNode& node : joint->nodes)
            if (node.name == "cos_1") { // now of the input, not of the first cosine
                node.inputs = {joint->nodes[0].item};
            }
        const ComparedRecord a{"a", std::make_shared<RecordView>(before), 0, 0, {}},
            b{"b", std::make_shared<RecordView>(after), 0, 0, {}};
        const GraphDifference made =
            graphDifference(a, "graph/joint", false, b, "graph/joint", true, textWidth(QFont()));
        QCOMPARE(made.rewritten, 1);
        QCOMPARE(made.added + made.removed, 0);
        int gone = 0, come = 0;
        for (const SceneEdge& edge : made.scene.edges) {
            gone += edge.change < 0;
            come += edge.change > 0;
        }
        QCOMPARE(gone, 1);
        QCOMPARE(come, 1);
        for (size_t i = 0; i < made.scene.nodes.size(); ++i)
            QCOMPARE(made.scene.nodes[i].change == 2, made.told[i].contains("\n+ "));
    }
    void names_that_shift_behind_a_new_node_hide_nothing() {
        // mul(x, x), add, mul; then another mul comes behind the first.
        record::Record before = testing::doubleCosineRecord(), after = before;
        const auto set = [](record::Record& of, const std::string& script,
                            std::vector<record::GraphNode> nodes) {
            of.files[0].text = script;
            for (size_t i = 0; i < nodes.size(); ++i) {
                record::GraphNode& node = nodes[i];
                node.item = ItemId(1000 + i);
                node.type = "f32[4]";
                node.text = node.name + ": f32[4] = " + node.text;
                if (i > 0) node.source = {{of.files[0].name, int(i) + 1, 1, 0, 0}};
            }
            for (record::GraphStage& stage : of.functions[0].entries[0].graphs)
                if (stage.name == "joint") stage.nodes = nodes;
        };
        const auto node = [](const char* name, const char* op, const char* text,
                             std::vector<ItemId> inputs) {
            record::GraphNode made;
            made.name = name, made.op = op, made.text = text, made.inputs = std::move(inputs);
            made.kind = *op ? "call" : "placeholder";
            return made;
        };
        const char *mul = "aten.mul.Tensor", *add = "aten.add.Tensor";
        set(before, "def f(x):\n a = x * x\n b = a + x\n return b * x\n",
            {node("x", "", "input", {}), node("mul", mul, "mul(x, x)", {1000}),
             node("add", add, "add(mul, x)", {1001, 1000}),
             node("mul_1", mul, "mul(add, x)", {1002, 1000})});
        set(after, "def f(x):\n a = x * x\n a = a * a\n b = a + x\n return b * x\n",
            {node("x", "", "input", {}), node("mul", mul, "mul(x, x)", {1000}),
             node("mul_1", mul, "mul(mul, mul)", {1001}),
             node("add", add, "add(mul_1, x)", {1002, 1000}),
             node("mul_2", mul, "mul(add, x)", {1003, 1000})});
        const ComparedRecord a{"a", std::make_shared<RecordView>(before), 0, 0, {}},
            b{"b", std::make_shared<RecordView>(after), 0, 0, {}};
        const GraphDifference made =
            graphDifference(a, "graph/joint", false, b, "graph/joint", true, textWidth(QFont()));
        QCOMPARE(made.added, 1);
        QCOMPARE(made.removed, 0);
        QCOMPARE(made.rewritten, 1); // the sum reads another product
        QCOMPARE(made.same, 3);
    }
    void stages_are_drawn_as_one_graph_in_the_pane() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<ComparePane>("compare");
        pane->choose(0, 0, "graph/captured");
        pane->choose(1, 0, "graph/joint");
        pane->showOnGraph();
        QVERIFY(settled(pane));
        QVERIFY2(pane->counts().startsWith("Nodes: +"), qPrintable(pane->counts()));
        const size_t all = pane->canvas()->scene().nodes.size();
        pane->showOnGraph(DifferenceSide::Left);
        QVERIFY(pane->canvas()->scene().nodes.size() < all);
        pane->choose(1, 0, "loops/forward");
        QVERIFY(settled(pane));
        QVERIFY(pane->canvas()->scene().nodes.empty());
    }
    void from_afar_a_difference_has_its_colours_whatever_is_selected() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<ComparePane>("compare");
        pane->choose(0, 0, "graph/captured");
        pane->choose(1, 0, "graph/joint");
        pane->showOnGraph();
        QVERIFY(settled(pane));
        GraphCanvas* canvas = pane->canvas();
        std::vector<ItemId> all;
        for (const SceneNode& node : canvas->scene().nodes)
            all.push_back(node.item);
        for (const bool selected : {false, true}) {
            f.window->selection()->select(selected ? all : std::vector<ItemId>());
            pane->flush();
            canvas->zoomBy(0.2 / canvas->zoom());
            QTRY_VERIFY(canvas->isSettled());
            const QImage shown = canvas->grab().toImage();
            int added = 0;
            for (int y = 0; y < shown.height(); ++y)
                for (int x = 0; x < shown.width(); ++x)
                    added += shown.pixelColor(x, y) == canvas->theme().good;
            QVERIFY2(added > 40, qPrintable(QString::number(added)));
        }
        QStringList words;
        for (const LegendEntry& entry : pane->findChild<Legend*>()->entries())
            words << entry.text;
        QVERIFY(words.contains("only right") && words.contains("only left"));
    }
    void only_a_kept_record_can_be_removed() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<ComparePane>("compare");
        QPushButton* remove = nullptr;
        for (QPushButton* button : pane->findChildren<QPushButton*>())
            if (button->text() == "Remove") remove = button;
        QVERIFY(remove && !remove->isEnabled());
        pane->keepShown();
        QCOMPARE(pane->recordCount(), 2);
        pane->table()->setCurrentIndex(pane->table()->model()->index(0, 0));
        QVERIFY(!remove->isEnabled());
        pane->table()->setCurrentIndex(pane->table()->model()->index(1, 0));
        QVERIFY(remove->isEnabled());
        remove->click();
        QCOMPARE(pane->recordCount(), 1);
        QVERIFY(!remove->isEnabled());
        // Numbers of nodes say of which graph they are.
        const QString nodes = pane->table()->model()->index(0, 1).data().toString();
        QVERIFY2(nodes.contains("captured ") && nodes.contains("joint "), qPrintable(nodes));
    }
    void a_click_on_a_line_selects_its_node() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<ComparePane>("compare");
        pane->choose(0, 0, "graph/joint");
        pane->choose(1, 0, "graph/joint");
        QVERIFY(settled(pane));
        emit pane->view()->lineActivated(1);
        QCOMPARE(f.window->selection()->items(), std::vector<ItemId>{f.item("joint/cos")});
    }
    void saved_records_are_compared_with_what_is_shown() {
        Fixture f;
        QVERIFY(f.openAndWait());
        const QString path = f.folder.filePath("kept.cutaway");
        QVERIFY(f.savesRecord(path));
        auto* pane = f.pane<ComparePane>("compare");
        pane->addRecord(path);
        QTRY_COMPARE(pane->recordCount(), 2);
        pane->addRecord(f.write("broken.cutaway", "no record"));
        QTRY_VERIFY2(!pane->counts().contains("lines:"), qPrintable(pane->counts()));
        QCOMPARE(pane->recordCount(), 2);
    }
    void models_and_scripts_are_compiled_to_be_compared() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<ComparePane>("compare");
        int count = 1;
        for (const char* name : {"other.onnx", "other.pt2", "other.py"}) {
            pane->addRecord(f.write(name, "x = 1\n"));
            ++count;
            QTRY_COMPARE(pane->recordCount(), count);
            QVERIFY(settled(pane));
            pane->choose(0, count - 1, "graph/joint"); // which no such file holds
            pane->choose(1, 0, "graph/joint");
            QVERIFY(settled(pane));
            QVERIFY2(pane->counts().contains("no difference"), qPrintable(pane->counts()));
        }
        // What does not compile is compared by the graph that it holds, or it is said why not.
        pane->addRecord(f.write("wrong.py", "x = 1\n"));
        QTRY_VERIFY2(pane->counts().contains("wrong.py does not compile: unknown name"),
                     qPrintable(pane->counts()));
        QCOMPARE(pane->recordCount(), count);
    }
    void graphs_of_all_records_stand_beside_each_other() {
        Fixture f;
        QVERIFY(f.openAndWait());
        const QString path = f.folder.filePath("kept.cutaway");
        QVERIFY(f.savesRecord(path));
        auto* pane = f.pane<ComparePane>("compare");
        pane->keepShown();
        pane->keepShown();
        QCOMPARE(pane->recordCount(), 2); // nothing new was there to keep
        pane->addRecord(path);
        QTRY_COMPARE(pane->recordCount(), 3);
        pane->choose(1, 0, "loops/forward"); // which cannot be drawn
        pane->showBeside();
        QStringList texts;
        for (QComboBox* one : pane->findChildren<QComboBox*>())
            if (one->accessibleName().endsWith("text")) texts << one->currentData().toString();
        QCOMPARE(texts, (QStringList{"graph/forward", "graph/forward"}));
        pane->choose(1, 0, "graph/joint");
        QVERIFY(settled(pane));
        const auto& canvases = pane->beside()->canvases();
        QCOMPARE(canvases.size(), size_t(3));
        // Two of the same compilation are told apart.
        QVERIFY(pane->beside()->heading(1).section('\n', 0, 0) !=
                pane->beside()->heading(2).section('\n', 0, 0));
        QVERIFY2(pane->beside()->heading(2).contains("\nthe same graph against"),
                 qPrintable(pane->beside()->heading(2)));
        // A node lights in all of them, whichever was clicked.
        const ItemId cos = f.item("joint/cos");
        auto nodeOf = [&](const GraphCanvas* canvas) {
            const auto& nodes = canvas->scene().nodes;
            return int(std::ranges::find(nodes, cos, &SceneNode::item) - nodes.begin());
        };
        QVERIFY(nodeOf(canvases[2]) < int(canvases[2]->scene().nodes.size()));
        canvases[2]->choose(nodeOf(canvases[2]));
        for (const GraphCanvas* canvas : canvases)
            QVERIFY(canvas->isSelected(nodeOf(canvas)));
        for (int count = 4; count <= 5; ++count) {
            pane->addRecord(path);
            QTRY_COMPARE(pane->recordCount(), count);
        }
        QVERIFY(settled(pane));
        QCOMPARE(canvases.size(), size_t(GraphsBeside::kMost));
        QCOMPARE(pane->counts(), QString("1 more record not drawn"));
        const auto inARow = [&] {
            return pane->beside()->findChildren<QSplitter*>().last()->count();
        };
        GraphsBeside* beside = pane->beside();
        beside->setFixedSize(1200, 160);
        QTRY_COMPARE(inARow(), 4);
        beside->setFixedSize(300, 1200);
        QTRY_VERIFY(inARow() < 4);
    }
    void calls_of_all_records_share_an_axis() {
        const auto view = std::make_shared<RecordView>(testing::doubleCosineRecord());
        auto timed = [](double us) {
            record::Run run;
            run.backend = "inductor";
            run.us = 3 * us;
            run.kernels = {{"forward", "fused_cos", kNoItem, us},
                           {"backward", "fused_sin_mul", kNoItem, us}};
            return run;
        };
        const record::LoweredGraph& lowered = view->entry(0, 0)->lowered.front();
        record::Run fast = timed(10), slow = timed(20);
        fast.kernels.front().kernel = slow.kernels.front().kernel = lowered.kernels.front().name;
        fast.kernels.front().graph = slow.kernels.front().graph = lowered.graph;
        const ComparedRecord now{"now", view, 0, 0, {slow}}, kept{"kept", view, 0, 0, {fast}},
            bare{"bare", view, 0, 0, {}};
        const Timeline line = callsSideBySide({now, kept, bare});
        QCOMPARE(line.us, 60.0);
        QCOMPARE(line.lanes.count("now") + line.lanes.count("kept"), 2);
        QVERIFY(!line.lanes.contains("bare") && line.note.contains("bare"));
        int lit = 0;
        for (const Span& span : line.spans)
            lit += span.item == lowered.kernels.front().item;
        QCOMPARE(lit, 2);
        // Records of which none was timed: nothing but words.
        QVERIFY(callsSideBySide({bare}).spans.empty());
        QVERIFY(callsSideBySide({}).spans.empty());
    }
    void a_kernel_of_another_name_leads_to_what_computes_its_nodes() {
        const auto view = std::make_shared<RecordView>(testing::doubleCosineRecord());
        record::Record other = testing::doubleCosineRecord();
        for (auto& lowered : other.functions.front().entries.front().lowered)
            for (record::KernelInfo& kernel : lowered.kernels)
                kernel.name += "_renamed";
        const ComparedRecord now{"now", view, 0, 0, {}},
            changed{"changed", std::make_shared<RecordView>(std::move(other)), 0, 0, {}};
        const KernelMatch match(now);
        int kernels = 0;
        for (const record::LoweredGraph& lowered : changed.shown()->lowered)
            for (const record::KernelInfo& kernel : lowered.kernels) {
                const ItemId found = match.find(changed, kernel.item);
                QVERIFY(found != kNoItem);
                QCOMPARE(view->kernel(found)->name + "_renamed", kernel.name);
                ++kernels;
            }
        QVERIFY(kernels > 1);
        QCOMPARE(match.find(changed, kNoItem), kNoItem);
    }
    void a_printed_graph_of_another_program_is_compared() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<ComparePane>("compare");
        pane->addRecord(f.write("dynamo.txt", "def forward(self, x: \"f32[4]\"):\n"
                                              "    cos: \"f32[4]\" = torch.cos(x)\n"
                                              "    return (cos,)\n"));
        QTRY_COMPARE(pane->recordCount(), 2);
        pane->choose(0, 1, "graph/captured");
        pane->choose(1, 0, "graph/captured");
        pane->showOnGraph();
        QVERIFY(settled(pane));
        QVERIFY2(pane->counts().startsWith("Nodes: +"), qPrintable(pane->counts()));
        // Nothing of it was compiled: no number stands there, not even 0.
        for (int column : {2, 6, 7, 8, 9})
            QCOMPARE(pane->table()->model()->index(1, column).data().toString(), QString());
        QVERIFY(!pane->table()->model()->index(0, 7).data().toString().isEmpty());
    }
    void the_peak_of_a_plan_is_explained() {
        record::LoweredGraph lowered;
        lowered.kernels.resize(3);
        for (int k = 0; k < 3; ++k)
            lowered.kernels[static_cast<size_t>(k)].name = "k" + std::to_string(k);
        lowered.memory.arenaBytes = 3100;
        lowered.memory.items = {{"a", "arena", "", 0, 1000, 0, 1},
                                {"b", "arena", "", 1000, 2000, 1, 2},
                                {"out", "output", "", 0, 9000, 1, 2}};
        const MemoryPeak peak = memoryPeak(lowered);
        QCOMPARE(peak.kernel, 1);
        QCOMPARE(peak.inUse, int64_t(3000));
        QCOMPARE(peak.items.size(), size_t(2));
        const QString said = explainPeak(lowered, peak);
        QVERIFY2(said.contains("k1, kernel 2 of 3") && said.contains("b (") &&
                     said.contains("has 100"),
                 qPrintable(said));
        QCOMPARE(memoryPeak({}).kernel, -1);
    }
    /// What is written in the place of another value is in use once.
    void values_in_one_place_are_in_use_once() {
        record::LoweredGraph lowered;
        lowered.kernels.resize(4);
        lowered.memory.arenaBytes = 1100;
        lowered.memory.items = {{"a", "arena", "", 0, 1000, 0, 1},
                                {"b", "arena", "", 0, 1000, 1, 2}, // in a's place at kernel 1
                                {"c", "arena", "", 1000, 100, 2, 3},
                                {"d", "arena", "", 0, 600, 3, 3}}; // after b
        QCOMPARE(sharedPlaces(lowered.memory), (std::vector<int>{-1, 0, -1, -1}));
        const std::vector<int64_t> inUse{1000, 1000, 1100, 700};
        for (int k = 0; k < 4; ++k)
            QCOMPARE(memoryAt(lowered, k).inUse, inUse[size_t(k)]);
        QCOMPARE(memoryPeak(lowered).kernel, 2);
        lowered.memory.items.resize(2);
        const QString said = explainPeak(lowered, memoryAt(lowered, 1));
        QVERIFY2(said.contains("a (") && said.contains("b (in the place of a)"), qPrintable(said));
    }
    void only_the_newest_work_counts() {
        QStringList done;
        QSemaphore begun, go;
        {
            LatestWork work;
            work.start([&] {
                begun.release();
                go.acquire();
                return [&] { done << "first"; };
            });
            begun.acquire();
            work.start([&] { return [&] { done << "second"; }; });
            work.start([&] { return [&] { done << "third"; }; });
            go.release();
            QTRY_VERIFY(!work.isBusy());
            QCOMPARE(done, QStringList({"third"}));
            work.start([&] { return [&] { done << "forgotten"; }; });
            work.forget();
            QTRY_VERIFY(!work.isBusy());
            work.start([&] { return [&] { done << "gone"; }; });
        }
        QCoreApplication::processEvents();
        QCOMPARE(done, QStringList({"third"}));
    }
};

QTEST_MAIN(TestCompare)
#include "test_compare.moc"
