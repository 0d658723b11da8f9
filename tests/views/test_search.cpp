// SPDX-License-Identifier: GPL-3.0-or-later
// Anything of a record is found by words, fields and expressions, wherever it stands.
#include "tests/views/sample_record.h"
#include "tests/views/window_fixture.h"
#include "views/models/record_search.h"
#include "views/panes/graph/graph_pane.h"
#include "views/widgets/command_palette.h"

#include <QLineEdit>
#include <QListWidget>

using namespace cutaway;
using namespace cutaway::views;
using Fixture = testing::WindowFixture;

class TestSearch : public QObject {
    Q_OBJECT

    const RecordView view_{testing::doubleCosineRecord()};

    QStringList keys(const QString& query, size_t most = 1000) const {
        QStringList result;
        for (const FoundItem& one : searchRecord(view_, query, most))
            result << view_.key(one.item);
        return result;
    }

private slots:
    void words_are_found_in_every_place() {
        QStringList places;
        for (const FoundItem& one : searchRecord(view_, "cos", 1000))
            if (!places.contains(one.where)) places << one.where;
        for (const char* where : {"source", "captured", "joint", "kernels", "buffers", "cpp"})
            QVERIFY2(places.contains(where), where);
        QVERIFY(keys("nothing_is_called_so").isEmpty());
        QCOMPARE(keys("cos", 3).size(), 3);
    }
    void the_one_that_is_called_so_comes_first() {
        QVERIFY2(keys("cos_1").front().endsWith("/cos_1"), qPrintable(keys("cos_1").front()));
    }
    void places_fields_and_expressions_narrow_it() {
        for (const QString& key : keys("in:joint op:cos"))
            QVERIFY2(key.startsWith("joint/"), qPrintable(key));
        QCOMPARE(keys("in:joint op:cos").size(), 2);
        QCOMPARE(keys("in:joint /^sin(_1)?$/").size(), 2);
        QCOMPARE(keys("in:joint bytes>1g").size(), 0);
        QVERIFY(!keys("in:joint bytes>=1k").isEmpty());
        QCOMPARE(keys("in:source torch.cos"), (QStringList{"source:9", "source:10"}));
        QCOMPARE(keys("in:kernels").size(), 2);
        QString problem;
        QVERIFY(searchRecord(view_, "/(/", 10, &problem).size() <= 10);
        QVERIFY(!problem.isEmpty());
    }
    void what_is_chosen_is_selected() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.action("Go to…")->trigger();
        auto* palette = f.window->findChild<CommandPalette*>();
        QVERIFY(palette);
        auto* input = palette->findChild<QLineEdit*>();
        QTest::keyClicks(input, "in:joint cos_1");
        QTest::keyClick(input, Qt::Key_Return); // before the search is through
        QTRY_COMPARE(f.window->selection()->items(),
                     std::vector<ItemId>{f.session()->record()->find("joint/cos_1")});
        auto* graph = f.window->workspace()->pane<GraphPane>();
        QTRY_COMPARE(graph->stage(), QString("joint"));
    }
};

QTEST_MAIN(TestSearch)
#include "test_search.moc"
