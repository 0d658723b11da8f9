// SPDX-License-Identifier: GPL-3.0-or-later
// Stepping through the passes: the graph after each is rebuilt from the differences, nodes that no
// pass touched stay where they are, what changed is marked, lines and nodes are links.
#include "tests/views/window_fixture.h"
#include "views/models/decisions.h"
#include "views/models/pass_steps.h"
#include "views/panes/passes/passes_pane.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/item_view.h"

#include <QCheckBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <map>

using namespace cutaway;
using namespace cutaway::views;
using cutaway::views::testing::WindowFixture;

static double textRoom(const QString& text, bool) {
    return 8.0 * double(text.size());
}

/// x, a = sin(x), b = a * 1, c = cos(b); the first pass takes b out, the second writes d for c.
static record::Entry entry(bool recordedBefore) {
    record::Entry entry;
    record::GraphStage stage;
    stage.name = "joint";
    auto add = [&](const std::string& name, const std::string& right) {
        record::GraphNode node;
        node.item = static_cast<ItemId>(stage.nodes.size());
        node.name = name;
        node.kind = right == "placeholder" ? "placeholder" : "call";
        node.type = "f32[8]";
        node.text = name + ": f32[8] = " + right;
        stage.nodes.push_back(node);
    };
    add("x", "placeholder");
    add("a", "aten.sin.default(x)");
    if (recordedBefore) {
        add("b", "aten.mul.Tensor(a, 1)");
        add("c", "aten.cos.default(b)");
    } else {
        add("d", "aten.tanh.default(a)");
    }
    entry.graphs.push_back(stage);
    record::PassRun none{"joint", "nothing", "", false, 0, {}, {}};
    record::PassRun first{"joint", "simplify", "", true, 0, {}, {}};
    first.changes = {
        {"rewritten", "c", "c: f32[8] = aten.cos.default(b)", "c: f32[8] = aten.cos.default(a)"},
        {"removed", "b", "b: f32[8] = aten.mul.Tensor(a, 1)", ""}};
    record::PassRun second{"joint", "replace", "", true, 0, {}, {}};
    second.changes = {{"added", "d", "", "d: f32[8] = aten.tanh.default(a)"},
                      {"removed", "c", "c: f32[8] = aten.cos.default(a)", ""}};
    entry.passes = {none, first, second};
    return entry;
}

/// One pass that took two nodes away, each by a rewrite of its own.
record::Entry twoRewrites() {
    record::Entry entry;
    record::GraphStage stage;
    stage.name = "joint";
    for (const auto& [name, right] : {std::pair{"x", "placeholder"},
                                      {"a", "aten.sin.default(x)"},
                                      {"c", "aten.cos.default(a)"}}) {
        record::GraphNode node;
        node.name = name;
        node.kind = std::string(right) == "placeholder" ? "placeholder" : "call";
        node.text = std::string(name) + ": f32[8] = " + right;
        stage.nodes.push_back(node);
    }
    entry.graphs.push_back(stage);
    record::PassRun pass{"joint", "simplify", "smaller", true, 0, {}, {}};
    pass.changes = {
        {"rewritten", "a", "a: f32[8] = aten.sin.default(p)", "a: f32[8] = aten.sin.default(x)", 1},
        {"rewritten", "c", "c: f32[8] = aten.cos.default(q)", "c: f32[8] = aten.cos.default(a)", 2},
        {"removed", "p", "p: f32[8] = aten.mul.Tensor(x, 1)", "", 1},
        {"removed", "q", "q: f32[8] = aten.mul.Tensor(a, 1)", "", 2}};
    pass.rewrites = {{"p", "", {"x"}, "times one", "", {"x"}}, {"q", "", {"a"}, "", "", {"a"}}};
    entry.passes = {pass};
    return entry;
}

class TestPasses : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void steps_are_rebuilt_from_either_end_data() {
        QTest::addColumn<bool>("before");
        QTest::newRow("the record holds what the first pass found") << true;
        QTest::newRow("the record holds what the last pass left") << false;
    }
    void steps_are_rebuilt_from_either_end() {
        QFETCH(bool, before);
        const record::Entry all = entry(before);
        const PassSteps steps(all, "joint", textRoom);
        const PassReplay replay(all, "joint");
        QCOMPARE(replay.step(0)->after.keys(), (QStringList{"a", "b", "c", "x"}));
        QCOMPARE(replay.step(1)->after.keys(), (QStringList{"a", "c", "x"}));
        QCOMPARE(replay.step(1)->after.value("c"), QString("c: f32[8] = aten.cos.default(a)"));
        QCOMPARE(replay.step(2)->after.keys(), (QStringList{"a", "d", "x"}));
        auto node = [&](size_t pass, const QString& name) {
            const GraphScene scene = steps.scene(pass);
            for (const SceneNode& one : scene.nodes)
                if (one.title == name || one.name == name) return one;
            return SceneNode{};
        };
        QCOMPARE(node(1, "c").change, 2);
        QCOMPARE(node(1, "b").change, -1); // stands there still, as taken away
        QCOMPARE(node(2, "d").change, 1);
        QCOMPARE(node(2, "c").change, -1);
        QCOMPARE(node(2, "a").change, 0);
        QCOMPARE(node(0, "a").rect, node(1, "a").rect);
        QCOMPARE(node(1, "c").rect, node(2, "c").rect);
        QVERIFY(steps.scene(0).edges.size() == 3 && steps.scene(7).nodes.empty());
    }
    /// As in the Graph pane: forward down on the left, backward up on the right.
    void a_joint_graph_has_its_two_sides() {
        record::Entry all = entry(false);
        all.graphs.front().nodes.back().backward = true; // d, which took the place of c
        const GraphScene scene = PassSteps(all, "joint", textRoom).scene(2);
        QCOMPARE(scene.bands.size(), size_t(2));
        const auto rect = [&](const QString& name) {
            for (const SceneNode& one : scene.nodes)
                if (one.title == name || one.name == name) return one.rect;
            return QRectF();
        };
        QVERIFY(scene.bands[0].rect.contains(rect("a")));
        QVERIFY(scene.bands[1].rect.contains(rect("d")));
        QVERIFY(scene.bounds.contains(scene.bands[1].rect));
        for (const SceneEdge& edge : scene.edges)
            QVERIFY(edge.points.size() >= 2);
    }
    void rewrites_of_a_pass_are_shown_one_after_the_other() {
        const record::Entry all = twoRewrites();
        const PassSteps steps(all, "joint", textRoom);
        const auto changes = [&](int rewrite) {
            QMap<QString, int> found;
            for (const SceneNode& one : steps.scene(0, rewrite).nodes)
                found[one.name.isEmpty() ? one.title : one.name] = one.change;
            return found;
        };
        QCOMPARE(changes(1),
                 (QMap<QString, int>{{"x", 0}, {"a", 2}, {"p", -1}, {"q", 0}, {"c", 0}}));
        QCOMPARE(changes(2), (QMap<QString, int>{{"x", 0}, {"a", 0}, {"q", -1}, {"c", 2}}));
        QCOMPARE(changes(0),
                 (QMap<QString, int>{{"x", 0}, {"a", 2}, {"p", -1}, {"q", -1}, {"c", 2}}));
    }
    void the_pane_tells_what_met_the_rule() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<PassesPane>("passes");
        const auto& passes = fixture.session()->currentEntry()->passes;
        const auto* shown = &passes[static_cast<size_t>(pane->currentPass())];
        QCOMPARE(shown->rewrites.size(), size_t(1));
        QVERIFY(pane->rewriteText()->isVisible());
        QCOMPARE(pane->rewriteText()->text(), QString("1 rewrite, all of it below"));
        pane->setFocus();
        QTest::keyClick(pane->focusWidget() ? pane->focusWidget() : pane, '.');
        QCOMPARE(pane->rewrite(), 1);
        const QString said = pane->rewriteText()->text();
        QVERIFY2(said.contains("drops nodes that nothing uses") &&
                     said.contains("aten.ones_like.default(cos_1)") &&
                     said.contains("no value that is needed reads it"),
                 qPrintable(said));
    }
    void the_pane_steps_by_keys_and_shows_the_graph() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<PassesPane>("passes");
        const auto& passes = fixture.session()->currentEntry()->passes;
        QVERIFY(passes.size() > 1);
        QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
        QTabBar* bar = pane->tabs()->tabBar();
        QTest::mouseMove(bar, bar->tabRect(1).center());
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(1).center());
        QCOMPARE(pane->tabs()->currentWidget(), pane->canvas());
        pane->canvas()->setFocus();
        const int count = static_cast<int>(passes.size());
        for (int i = 0; i < 2 * count; ++i)
            QTest::keyClick(pane->canvas(), '{');
        QCOMPARE(pane->currentPass(), 0);
        std::map<std::pair<std::string, QString>, QPointF> places; // by stage and node
        for (int i = 0; i < count; ++i) {
            QCOMPARE(pane->currentPass(), i);
            QVERIFY(!pane->canvas()->scene().nodes.empty());
            const auto& nodes = pane->canvas()->scene().nodes;
            for (const SceneNode& node : nodes) { // who survives a pass stays where it was
                const QString& name = node.name.isEmpty() ? node.title : node.name;
                const auto [at, first] =
                    places.try_emplace({passes[size_t(i)].stage, name}, node.rect.center());
                QCOMPARE(node.rect.center(), at->second);
            }
            const auto marked = std::count_if(nodes.begin(), nodes.end(),
                                              [](const SceneNode& n) { return n.change != 0; });
            QCOMPARE(marked > 0, passes[size_t(i)].changed);
            QTest::keyClick(pane->canvas(), '}');
        }
        QCOMPARE(pane->currentPass(), count - 1);
        QTest::keyClick(pane->canvas(), '[');
        QVERIFY(pane->currentPass() < count && passes[size_t(pane->currentPass())].changed);
    }
    void a_pass_tells_its_rule_and_changes_places_with_its_neighbour() {
        WindowFixture f;
        QVERIFY(f.openAndWait());
        // The other way round, none of the two could be moved.
        f.session()->engine()->setProperty("optionalPasses",
                                           QStringList{"fold_constants", "remove_dead"});
        auto* pane = f.pane<PassesPane>("passes");
        auto button = [&](const QString& text) -> QPushButton* {
            for (QPushButton* one : pane->switches()->findChildren<QPushButton*>())
                if (one->text() == text) return one;
            return nullptr;
        };
        for (int i = 0; i < 10; ++i)
            pane->stepAny(-1);
        QVERIFY(pane->rule()->toPlainText().contains("Nothing is known"));
        QVERIFY(!button("Earlier") && button("Later"));
        pane->stepAny(1);
        QVERIFY(pane->rule()->toPlainText().contains("never used"));
        QVERIFY(button("Earlier") && !button("Later")); // the next one is of another graph
        button("Earlier")->click();
        const QStringList moved{"order remove_dead fold_constants"};
        QTRY_COMPARE(f.session()->options().decisions, moved);
        QCOMPARE(decided(moved, "save cos"), (moved + QStringList{"save cos"}));
        const QStringList two{"order b c", "order a b"}; // the second builds on the first
        QCOMPARE(decided(two, "apart x y"), (QStringList{"apart x y", "order b c", "order a b"}));
        QVERIFY(f.settled());
        pane->flush();
        QTRY_VERIFY(button("Undo “remove_dead before fold_constants”"));
        button("Undo “remove_dead before fold_constants”")->click();
        QTRY_VERIFY(f.session()->options().decisions.isEmpty());
    }
    void a_pass_is_given_another_number() {
        WindowFixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<PassesPane>("passes");
        auto current = [&] {
            return f.session()->currentEntry()->passes[size_t(pane->currentPass())].pass;
        };
        const auto stepTo = [&](const std::string& pass) {
            for (int i = 0; i < 20; ++i)
                pane->stepAny(-1);
            for (int i = 0; i < 20 && current() != pass; ++i)
                pane->stepAny(1);
            return current() == pass;
        };
        QVERIFY(stepTo("remove_dead"));
        QVERIFY(pane->argument()->isHidden() || !pane->argument()->isVisibleTo(pane));
        QVERIFY(stepTo("fold_constants"));
        QVERIFY(pane->argument()->isVisibleTo(pane));
        QCOMPARE(pane->argument()->text(), "elements: 4096");
        pane->argument()->setFocus();
        pane->argument()->selectAll();
        QTest::keyClicks(pane->argument(), "16");
        QVERIFY(f.session()->options().decisions.isEmpty()); // while it is typed
        QTest::keyClick(pane->argument(), Qt::Key_Return);
        const QStringList made{"with fold_constants elements=16"};
        QTRY_COMPARE(f.session()->options().decisions, made);
        QVERIFY(f.settled());
        pane->flush();
        QCOMPARE(current(), std::string("fold_constants"));
        QCOMPARE(pane->argument()->value(), 16);
        QCOMPARE(decisionText(made[0]), "pass fold_constants: elements=16");
        QString problem;
        QCOMPARE(readRecipe(recipeText(made), &problem), made);
        QCOMPARE(decided(made, "with fold_constants elements=8"),
                 QStringList{"with fold_constants elements=8"});
        pane->argument()->setValue(4096); // as usual is no decision
        QTRY_VERIFY(f.session()->options().decisions.isEmpty());
    }
    /// The pass that is told of is one of the list's: in another document the first that changed
    /// something, and after an undo the one that is left out again.
    void what_is_told_is_a_pass_of_the_list() {
        WindowFixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<PassesPane>("passes");
        const auto current = [&]() -> const record::PassRun* {
            return pane->currentPass() < 0
                       ? nullptr
                       : &f.session()->currentEntry()->passes[size_t(pane->currentPass())];
        };
        const auto row = [&] {
            const Row* at = pane->findChild<ItemView*>()->currentRow();
            return at ? at->detail : QString();
        };
        // The list of a few passes leaves its room to what they did.
        const auto* list = pane->findChild<ItemView*>();
        QTRY_VERIFY2(list->viewport()->height() <
                         (list->model()->rowCount() * 4 + 2) * list->sizeHintForRow(0),
                     qPrintable(QString::number(list->viewport()->height())));
        while (pane->currentPass() > 0)
            pane->stepAny(-1);
        QVERIFY(current() && !current()->changed);
        pane->findChild<QCheckBox*>()->setChecked(true);
        QVERIFY(f.openAndWait(f.write("other.py", testing::kDoubleCosine)));
        pane->flush();
        QTRY_VERIFY(current() && current()->changed &&
                    row() == QString::number(pane->currentPass()));
        while (current()->pass != "remove_dead")
            pane->step(1);
        const auto become = [&](const QStringList& decisions) {
            f.session()->decide(decisions);
            QVERIFY(f.settled());
            pane->flush();
        };
        become({"without remove_dead"});
        QTRY_COMPARE(row(), QString("without remove_dead"));
        become({});
        QTRY_VERIFY(current() && current()->pass == "remove_dead");
    }
    void a_pass_is_left_out_and_put_back() {
        WindowFixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<PassesPane>("passes");
        auto button = [&](const QString& text) -> QPushButton* {
            for (QPushButton* one : pane->switches()->findChildren<QPushButton*>())
                if (one->text() == text) return one;
            return nullptr;
        };
        auto current = [&] {
            return f.session()->currentEntry()->passes[size_t(pane->currentPass())].pass;
        };
        for (int i = 0; current() != "remove_dead"; ++i) {
            QVERIFY(i < 10);
            pane->step(1);
        }
        QVERIFY(button("Leave this pass out"));
        button("Leave this pass out")->click();
        QTRY_COMPARE(f.session()->options().decisions, QStringList{"without remove_dead"});
        QVERIFY(f.settled());
        pane->flush();
        QTRY_VERIFY(button("Put “remove_dead” back"));
        QVERIFY(!button("Leave this pass out"));
        const Row* row = pane->findChild<ItemView*>()->currentRow(); // it stays in the list
        QVERIFY(row && row->detail == "without remove_dead");
        QCOMPARE(pane->currentPass(), -1);
        QVERIFY(std::ranges::any_of(pane->findChildren<QLabel*>(), [](const QLabel* label) {
            return label->text() == "<b>remove_dead</b> was left out of this compilation.";
        }));
        button("Put “remove_dead” back")->click();
        QTRY_VERIFY(f.session()->options().decisions.isEmpty());
        QVERIFY(f.settled());
        pane->flush();
        QCOMPARE(current(), std::string("remove_dead"));
        button("Leave this pass out")->click(); // what is undone leads back to it, too
        QTRY_COMPARE(f.session()->options().decisions, QStringList{"without remove_dead"});
        QVERIFY(f.settled());
        pane->flush();
        f.session()->undoDecision();
        QVERIFY(f.settled());
        pane->flush();
        QCOMPARE(current(), std::string("remove_dead"));
        // What later stages rely on cannot be left out.
        for (int i = 0; i < 10; ++i)
            pane->stepAny(-1);
        QCOMPARE(current(), std::string("fold_constants"));
        QVERIFY(!button("Leave this pass out"));
    }
};

QTEST_MAIN(TestPasses)
#include "test_passes.moc"
