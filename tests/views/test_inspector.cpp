// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of an item: the facts in words, the pane that shows them, links that lead on, and
// the same when hovering.
#include "tests/views/window_fixture.h"
#include "views/models/item_facts.h"
#include "views/models/remarks.h"
#include "views/panes/code/code_pane.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/inspector/inspector_pane.h"
#include "views/widgets/code_view.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/item_view.h"

#include <QHelpEvent>
#include <QTextBrowser>
#include <QToolButton>
#include <QToolTip>

using namespace cutaway;
using namespace cutaway::views;
using cutaway::views::testing::WindowFixture;

static QString said(const ItemFacts& facts, const QString& section) {
    QString text;
    for (const FactSection& one : facts.sections)
        if (one.title == section)
            for (const Fact& fact : one.facts) {
                text += fact.label + ": ";
                for (const FactPiece& piece : fact.pieces)
                    text += piece.text;
                text += "\n";
            }
    return text;
}

class TestInspector : public QObject {
    Q_OBJECT

    static FactSources docs() {
        return {
            [](const QString& op) { return op == "aten.cos.default" ? "cosine\ny = cos(x)" : ""; },
            nullptr};
    }

private Q_SLOTS:
    void a_line_is_told_the_same_once_and_a_frame_in_one_line() {
        record::Code code;
        code.lines.resize(3);
        const std::string frame =
            "\nFunction: rows\nOffset: [SP-8], Type: Spill, Align: 16, Size: 8\n"
            "Offset: [SP-16], Type: Variable, Align: 16, Size: 32\n"
            "    x @ rows.cpp:3\n"
            "Offset: [SP-24], Type: Spill, Align: 16, Size: 8";
        std::vector<record::Remark> remarks(3, {"passed", "loop-unroll", "unrolled", 2});
        remarks.push_back({"missed", "loop-vectorize", "not vectorized", 2});
        remarks.push_back({"passed", "loop-unroll", "unrolled", 3});
        remarks.push_back({"analysis", "stack-frame-layout", frame, 1});
        remarks.push_back({"analysis", "stack-frame-layout", "\nFunction: empty", 1});
        QStringList told;
        for (const PlacedRemark& one : placedRemarks(code, remarks))
            told << QString::number(one.line) + " " + one.text;
        QCOMPARE(told, (QStringList{"2 loop-unroll: unrolled (× 3)",
                                    "2 loop-vectorize: not vectorized", "3 loop-unroll: unrolled",
                                    "1 stack-frame-layout: 16 bytes in 2 places (Spill), "
                                    "32 bytes in 1 place (Variable)"}));
    }
    void every_item_that_stands_somewhere_has_facts() {
        const RecordView view(testing::doubleCosineRecord());
        for (ItemId item = 0; item < view.itemCount(); ++item) {
            if (!view.place(item).known()) continue;
            const ItemFacts facts = factsOf(view, item, docs());
            QVERIFY2(!facts.kind.isEmpty() && !facts.title.isEmpty(), qPrintable(view.key(item)));
            QVERIFY2(!facts.places.empty(), qPrintable(view.key(item)));
            for (const FactSection& section : facts.sections)
                QVERIFY(!section.facts.empty());
        }
        QVERIFY(factsOf(view, kNoItem, docs()).kind.isEmpty());
        QVERIFY(factsOf(view, std::vector<ItemId>{}, docs()).kind.isEmpty());
    }
    void a_node_tells_what_it_is_and_what_became_of_it() {
        const RecordView view(testing::doubleCosineRecord());
        const ItemId cos = view.search("joint/cos");
        QVERIFY(cos != kNoItem);
        const ItemFacts facts = factsOf(view, cos, docs());
        QVERIFY(said(facts, "Operation").contains("y = cos(x)"));
        QVERIFY(said(facts, "Value").contains("Shape: ["));
        QVERIFY(said(facts, "Value").contains("contiguous"));
        QVERIFY(said(facts, "Neighbours").contains("Arguments: primals_1"));
        QVERIFY(said(facts, "Neighbours").contains("Users: cos_1"));
        QVERIFY(said(facts, "Partition").contains("Recomputed"));
        QVERIFY(!said(facts, "Source").isEmpty());
        QVERIFY(said(facts, "What became of it").contains("Kernel"));
    }
    void a_line_that_makes_a_module_leads_to_what_it_computes() {
        record::Record record = testing::doubleCosineRecord();
        const size_t line = 3; // of which nothing is compiled
        const ItemId made = record.files[0].lineItems[line];
        const auto told = [&] {
            return said(factsOf(RecordView(record), made, docs()), "What became of it");
        };
        QVERIFY2(told().contains("nothing is compiled"), qPrintable(told()));
        const ItemId cos = RecordView(record).search("captured/cos");
        record.links.push_back({cos, made});
        QVERIFY2(told().contains("captured: cos\n") && told().contains("kernels: "),
                 qPrintable(told()));
        // The lines that a kernel came from are those that call what it computes.
        const RecordView view(record);
        const auto lines = view.callLines({view.search("forward/kernel/fused_cos")});
        QVERIFY(!lines.empty() && std::ranges::find(lines, made) == lines.end());
        QVERIFY(std::ranges::count(view.links().ancestors({cos}), made) == 1);
    }
    void a_pair_tells_why_it_is_one_kernel_or_two() {
        const RecordView view(testing::doubleCosineRecord());
        const std::vector<ItemId> pair{view.find("forward/buffer/cos"),
                                       view.find("forward/buffer/cos_1")};
        const QString told = said(factsOf(view, pair, docs()), "Fusion");
        QVERIFY2(told.contains("the second reads the first element by element"), qPrintable(told));
        QCOMPARE(told.count("\n"), 2); // of just these: the sample says two things of them
        QVERIFY(said(factsOf(view, {view.find("joint/cos"), pair[0]}, docs()), "Fusion").isEmpty());
    }
    void disturbed_times_of_a_kernel_are_told_as_such() {
        const RecordView view(testing::doubleCosineRecord());
        const record::KernelInfo& kernel =
            view.record().functions[0].entries[0].lowered[0].kernels[0];
        record::Run run;
        run.us = 9;
        run.kernels = {{"forward", kernel.name, record::kNoItem, 2, 4000, 1000}};
        for (const bool disturbed : {false, true}) {
            run.disturbed = disturbed;
            const std::vector<record::Run> runs{run};
            FactSources sources = docs();
            sources.runs = &runs;
            int told = 0;
            for (const FactSection& section : factsOf(view, kernel.item, sources).sections)
                for (const Fact& fact : section.facts)
                    if (fact.label == "Measured" || fact.label == "Bandwidth") {
                        ++told;
                        QCOMPARE(fact.pieces[0].text.contains("disturbed"), disturbed);
                        QCOMPARE(fact.pieces[0].tone, disturbed ? Tone::Warning : Tone::Normal);
                    }
            QCOMPARE(told, 2);
        }
    }
    void an_expanded_gradient_is_what_the_kernels_were_made_for() {
        record::Record record = testing::doubleCosineRecord();
        const RecordView before(record);
        QVERIFY(said(factsOf(before, before.search("backward/tangents_1"), docs()), "Value")
                    .contains("contiguous"));
        record.items.push_back({record::ItemKind::Buffer, "backward/buffer/tangents_1"});
        const auto item = static_cast<ItemId>(record.items.size() - 1);
        record.links.push_back({item, before.search("backward/tangents_1")});
        for (record::LoweredGraph& lowered : record.functions[0].entries[0].lowered)
            if (lowered.graph == "backward")
                lowered.buffers.push_back(
                    {item, "tangents_1", "input", "f32[16, 16][0, 0]", {}, 4, true});
        const RecordView view(record);
        const QString value =
            said(factsOf(view, view.search("backward/tangents_1"), docs()), "Value");
        QVERIFY2(value.contains("[0, 0]") && value.contains("expanded"), qPrintable(value));
        QVERIFY2(value.contains("(4 B)") && !value.contains("contiguous"), qPrintable(value));
    }
    void what_the_compiler_said_of_a_loop_is_told_of_all_that_it_computes() {
        WindowFixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<InspectorPane>("inspector");
        f.window->selectKey("joint/cos"); // up to the operation,
        QTRY_VERIFY(said(pane->facts(), "The C++ compiler").contains("loop not vectorized"));
        for (const record::SourceFile& file : f.session()->record()->record().files) {
            bool told = false; // and to the line of the script
            for (ItemId line : file.lineItems)
                told |=
                    said(factsOf(*f.session()->record(), line, pane->sources()), "The C++ compiler")
                        .contains("loop not vectorized");
            QVERIFY(told);
        }
        auto* code = f.pane<CodePane>("code");
        f.window->selectKey("forward/kernel/fused_cos");
        auto* button = code->findChild<QToolButton*>("remarks");
        QVERIFY(button && button->isVisible() && code->view()->notes() == 0);
        button->click();
        QTRY_COMPARE(code->view()->notes(), size_t{1});
    }
    void several_items_are_added_up() {
        const RecordView view(testing::doubleCosineRecord());
        const ItemId a = view.search("joint/cos"), b = view.search("joint/cos_1");
        const ItemFacts facts = factsOf(view, std::vector<ItemId>{a, b}, docs());
        QVERIFY(facts.title.contains("2"));
        QVERIFY(said(facts, "Together").contains("Results"));
    }
    void the_pane_follows_the_selection_and_its_links_lead_on() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<InspectorPane>("inspector");
        QVERIFY(pane->text()->toPlainText().contains("Click anything"));
        fixture.window->selectKey("joint/cos");
        QTRY_VERIFY(pane->text()->toPlainText().startsWith("cos"));
        const ItemId user = fixture.session()->record()->search("joint/cos_1");
        emit pane->text()->anchorClicked(QUrl(QString("item:%1").arg(user)));
        QCOMPARE(fixture.window->selection()->items(), std::vector<ItemId>{user});
        QTRY_VERIFY(pane->text()->toPlainText().startsWith("cos_1"));
        // "Reveal in" brings the pane up, with the stage that the node stands in.
        auto* graph = fixture.window->workspace()->pane<GraphPane>();
        fixture.window->reveal("passes");
        QTRY_VERIFY(graph->visibleRegion().isEmpty());
        QCOMPARE(pane->facts().places.front().pane, QString("graph"));
        emit pane->text()->anchorClicked(QUrl("place:0"));
        QTRY_VERIFY(!graph->visibleRegion().isEmpty());
        QCOMPARE(graph->stage(), QString("joint"));
    }
    void links_are_followed_by_keyboard() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<InspectorPane>("inspector");
        fixture.window->selectKey("joint/cos");
        QTRY_VERIFY(pane->text()->toPlainText().startsWith("cos"));
        auto* graph = fixture.window->workspace()->pane<GraphPane>();
        graph->setStage("captured");
        pane->text()->setFocus();
        QTest::keyClick(pane->text(), Qt::Key_Tab); // the first link: the graph it stands in
        QTest::keyClick(pane->text(), Qt::Key_Return);
        QTRY_COMPARE(graph->stage(), QString("joint"));
    }
    void hovering_tells_the_same_everywhere() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto tipAt = [](QWidget* widget, QPoint at) {
            QToolTip::hideText();
            QHelpEvent help(QEvent::ToolTip, at, widget->mapToGlobal(at));
            QApplication::sendEvent(widget, &help);
            return QToolTip::text();
        };
        auto* graph = fixture.pane<GraphPane>("graph");
        graph->setStage("joint");
        QVERIFY(fixture.settled());
        GraphCanvas* canvas = graph->canvas();
        const QPointF node = canvas->scene().nodes[1].rect.center();
        const QPointF shown = (node - canvas->shownArea().topLeft()) * canvas->zoom();
        QVERIFY(tipAt(canvas, shown.toPoint()).contains("operation"));
        // A table: the cell's own tip, else what is known of the row's item.
        auto* kernels = fixture.window->workspace()->findChild<ItemView*>("kernelTree");
        QVERIFY(kernels);
        fixture.window->reveal("kernels");
        QVERIFY(fixture.settled());
        const QModelIndex group = kernels->model()->index(0, 0);
        const QModelIndex kernel = kernels->model()->index(0, 0, group);
        QVERIFY(
            tipAt(kernels->viewport(), kernels->visualRect(kernel).center()).contains("kernel"));
        // The source.
        QWidget* editor = fixture.editor()->viewport();
        QString tip;
        for (int y = 4; y < 300 && !tip.contains("source line"); y += 8)
            tip = tipAt(editor, {120, y});
        QVERIFY2(tip.contains("source line"), qPrintable(tip));
    }
};

QTEST_MAIN(TestInspector)
#include "test_inspector.moc"
