// SPDX-License-Identifier: GPL-3.0-or-later
// Any two texts of a record compared with links, records side by side, the peak of a memory plan,
// and work of which only the newest counts.
#include "tests/views/window_fixture.h"
#include "views/models/latest_work.h"
#include "views/models/memory_peak.h"
#include "views/models/rows.h"
#include "views/panes/compare/compare_pane.h"
#include "views/widgets/code_view.h"
#include "views/widgets/item_view.h"

#include <QSemaphore>

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
private slots:
    void every_line_belongs_to_a_side_and_to_an_item() {
        const ComparedRecord one{
            "one", std::make_shared<RecordView>(testing::doubleCosineRecord()), 0, 0, {}};
        const Comparison same = compareTexts(one, "graph/joint", one, "graph/joint");
        QCOMPARE(same.added + same.removed, 0);
        QCOMPARE(same.lines.size(), one.shown()->graph("joint")->nodes.size());
        const Comparison other = compareTexts(one, "graph/captured", one, "graph/joint");
        QVERIFY(other.added > 0);
        int left = 0, right = 0;
        for (const ComparedLine& line : other.lines) {
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
        // Nothing was chosen: two stages side by side would be a wall of differences.
        QCOMPARE(pane->counts(), QString("the same text twice"));
        pane->choose(0, 0, "graph/captured");
        QVERIFY(settled(pane));
        QVERIFY2(pane->counts().contains("Lines"), qPrintable(pane->counts()));
        pane->keepShown();
        QCOMPARE(pane->recordCount(), 2);
        pane->choose(1, 0, "graph/joint");
        pane->choose(0, 1, "graph/joint");
        QVERIFY(settled(pane));
        QCOMPARE(pane->counts(), QString("no difference"));
        QCOMPARE(pane->table()->rowModel()->rowCount(), 2);
        f.session()->decide({"save cos"});
        QVERIFY(f.settled());
        QCOMPARE(pane->recordCount(), 2); // kept over a new result
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
        QTRY_VERIFY2(!pane->counts().contains("Lines"), qPrintable(pane->counts()));
        QCOMPARE(pane->recordCount(), 2);
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
