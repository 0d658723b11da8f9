// SPDX-License-Identifier: GPL-3.0-or-later
// What stays: docks while something is selected, a graph's place until it is seen, the window for
// its next start, what is said beside what is done; and what is found by its own words.
#include "tests/views/window_fixture.h"
#include "views/panes/code/code_pane.h"
#include "views/panes/decision_bar.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/kernels/kernels_pane.h"
#include "views/panes/partition/partition_pane.h"
#include "views/panes/steps/steps_pane.h"
#include "views/panes/tour/tour_pane.h"
#include "views/widgets/command_palette.h"
#include "views/widgets/detail_line.h"
#include "views/widgets/elided_button.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/item_view.h"
#include "views/widgets/sample_card.h"
#include "views/widgets/shortcut_sheet.h"
#include "views/widgets/start_page.h"

#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QStatusBar>
#include <QTreeWidget>

using namespace cutaway;
using namespace cutaway::views;
using Fixture = testing::WindowFixture;

namespace {

std::map<QString, int> widths(const Fixture& f) {
    std::map<QString, int> all;
    for (const QDockWidget* dock : f.window->workspace()->docks())
        if (!dock->visibleRegion().isEmpty()) all[dock->windowTitle()] = dock->width();
    return all;
}

std::map<QString, int> heights(const Fixture& f) {
    std::map<QString, int> all;
    for (const QDockWidget* dock : f.window->workspace()->docks())
        if (!dock->visibleRegion().isEmpty()) all[dock->windowTitle()] = dock->height();
    return all;
}

/// Gives the next file dialog that name, and keeps what it is called.
void answer(const QString& path, QString* title) {
    QTimer::singleShot(0, qApp, [=] {
        QTRY_VERIFY(qobject_cast<QFileDialog*>(QApplication::activeModalWidget()));
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        *title = dialog->windowTitle();
        dialog->findChild<QLineEdit*>("fileNameEdit")->setText(path);
        QMetaObject::invokeMethod(dialog, "accept", Qt::QueuedConnection);
    });
}

} // namespace

class TestStays : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }

    void selecting_makes_no_dock_wider() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.window->reveal("partition");
        f.window->reveal("kernels");
        for (int high : {560, 640, 720, 800, 900}) { // reasons have one line, or two
            f.window->resize(1400, high);
            f.window->selection()->clear();
            QVERIFY(f.settled());
            QTest::qWait(30);
            const auto before = widths(f);
            QVERIFY(before.size() > 3);
            for (const char* key : {"joint/cos", "joint/cos_1", "joint/mul_1"}) {
                f.window->selectKey(key);
                QVERIFY(!f.window->selection()->isEmpty());
                QVERIFY(f.settled());
                QTest::qWait(20);
                QCOMPARE(widths(f), before);
            }
            for (DetailLine* line : f.window->findChildren<DetailLine*>())
                line->setText(QString("a reason ").repeated(50));
            QTest::qWait(20);
            QCOMPARE(widths(f), before);
        }
    }
    void borders_stay_where_they_are_whatever_comes_and_goes() {
        Fixture f;
        f.window = f.makeWindow({1400, 900});
        QVERIFY(f.openAndWait());
        QTest::qWait(1700); // the start is over
        const auto before = heights(f);
        QVERIFY(before.size() > 3);
        for (int i = 0; i < 4; ++i)
            for (int high : {860, 900}) { // as a message does that comes and goes
                f.window->resize(1400, high);
                QTest::qWait(30);
            }
        for (int i = 0; i < 3; ++i) {
            f.action("Close")->trigger();
            QTest::qWait(30);
            QVERIFY(f.openAndWait());
            QTest::qWait(30);
        }
        for (const auto& [dock, high] : heights(f))
            QVERIFY2(before.contains(dock) && std::abs(before.at(dock) - high) <= 3,
                     qPrintable(QString("%1: %2").arg(dock).arg(high)));
    }
    void rows_stay_under_the_mouse_that_chooses_one() {
        Fixture f; // at 1280x800, where pairs have two rows and a half
        QVERIFY(f.openAndWait());
        auto* kernels = f.pane<KernelsPane>("kernels");
        QVERIFY(f.settled());
        ItemView* table = kernels->decisions();
        QTRY_VERIFY(table->isVisible() && table->model()->rowCount() > 2);
        auto* line = kernels->findChild<DetailLine*>();
        for (int row : {0, 1}) {
            const QModelIndex at = table->model()->index(row, 0);
            const QPoint place = table->visualRect(at).center();
            const int high = table->height(), low = line->height();
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, place);
            kernels->flush();
            QTest::qWait(30);
            QCOMPARE(table->height(), high);
            QCOMPARE(line->height(), low);
            QCOMPARE(table->indexAt(place).row(), row);
        }
        // What may be decided is there all the same, though there is no room for words.
        auto* bar = kernels->findChild<DecisionBar*>();
        const auto buttons = bar->findChildren<QPushButton*>();
        QVERIFY(std::ranges::any_of(buttons, [bar](QPushButton* one) {
            return one->isVisible() && bar->rect().contains(one->geometry().bottomRight());
        }));
    }
    void a_graph_that_is_seen_for_the_first_time_is_seen_whole() {
        Fixture f;
        f.window = f.makeWindow({1600, 1000});
        QVERIFY(f.openAndWait());
        f.window->selectKey("joint/cos_1");
        QVERIFY(f.settled());
        f.window->reveal("partition");
        QVERIFY(f.settled());
        QTest::qWait(50);
        const auto* canvas = f.window->workspace()->pane<PartitionPane>()->canvas();
        for (const SceneNode& node : canvas->scene().nodes)
            QVERIFY2(canvas->shownArea().contains(node.rect), qPrintable(node.title));
    }
    void the_kernel_that_is_shown_stays_while_a_record_grows() {
        Fixture f("stages");
        QVERIFY(f.openAndWait());
        auto* code = f.pane<CodePane>("code");
        code->flush();
        QCOMPARE(f.session()->record()->place(f.item("backward/kernel/fused_cos")).lowered, 1);
        f.window->selectKey("backward/kernel/fused_cos");
        code->flush();
        const auto shown = [&] { return code->findChild<QComboBox*>()->currentText(); };
        QCOMPARE(shown(), QString("backward · fused_cos"));
        f.window->selection()->clear(); // it is shown all the same
        code->flush();
        QCOMPARE(shown(), QString("backward · fused_cos"));
        f.session()->setText(QString(testing::kDoubleCosine) + "# endless\n");
        QTRY_VERIFY(f.session()->isPartial());
        code->flush();
        QVERIFY2(shown().isEmpty(), qPrintable(shown())); // no other instead
        f.session()->setText(testing::kDoubleCosine);
        QTRY_VERIFY(!f.session()->isPartial() && f.session()->isCurrent());
        QVERIFY(f.settled());
        code->flush();
        QCOMPARE(shown(), QString("backward · fused_cos"));
    }
    void a_first_compilation_is_not_measured() {
        Fixture f("hang");
        QVERIFY(f.window->openFile(f.path));
        QTRY_VERIFY(f.session()->isCompiling());
        f.window->reveal("run");
        QTest::qWait(20);
        QCOMPARE(f.session()->whyNoRun(), QString("The script is still being compiled."));
        QVERIFY(!f.action("Measure")->isEnabled());
        const auto buttons =
            f.window->workspace()->findChild<Pane*>("run")->findChildren<QPushButton*>();
        const auto run = std::ranges::find_if(
            buttons, [](const QPushButton* one) { return one->text() == "Run"; });
        QVERIFY(run != buttons.end() && !(*run)->isEnabled());
    }
    void a_window_that_is_ended_has_its_size_again() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.window->resize(1111, 777);
        f.window->selectKey("joint/cos_1");
        const QString settings = f.folder.filePath("settings.ini");
        QTRY_COMPARE(
            QSettings(settings, QSettings::IniFormat).value("session/selected").toStringList(),
            QStringList{"joint/cos_1"});
        MainWindow::Options options; // another start, while this window was told of no end
        options.engineCommand = {FAKE_ENGINE, f.mode};
        options.settingsFile = settings;
        MainWindow again(options);
        QCOMPARE(again.size(), QSize(1111, 777));
        again.restoreSession();
        QCOMPARE(again.session()->path(), f.path);
    }
    void no_document_is_gone_on_with_that_was_closed() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.action("Close")->trigger();
        f.window->close();
        f.window = f.makeWindow();
        f.window->restoreSession();
        QVERIFY(!f.session()->hasDocument());
    }
    void the_graph_that_is_looked_at_is_exported() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.window->setGraphStage("joint");
        QString title;
        for (const auto& [pane, called, node] : {std::tuple("graph", "joint", "tangents_1"),
                                                 {"partition", "Partition", "tangents_1"}}) {
            f.window->reveal(pane);
            QVERIFY(f.settled());
            const QString path = f.folder.filePath(QString(pane) + ".dot");
            answer(path, &title);
            f.action("Whole graph…")->trigger();
            QCOMPARE(title, QString("Export graph: %1").arg(called));
            QVERIFY2(f.read(path).contains(node), f.read(path).constData());
            QVERIFY(!f.window->workspace()->findChild<Pane*>(pane)->visibleRegion().isEmpty());
        }
    }
    void what_is_said_leaves_the_state_in_sight() {
        Fixture f("userError");
        QVERIFY(f.window->openFile(f.path));
        QTRY_VERIFY(f.session()->failed());
        QTest::keyClick(f.window->focusWidget(), Qt::Key_F5);
        const auto* said = f.window->statusBar()->findChild<QLabel*>("said");
        QVERIFY(said->isVisible());
        QCOMPARE(said->text(), QString("Measure: The script does not compile."));
        bool state = false;
        for (const QLabel* label : f.window->statusBar()->findChildren<QLabel*>())
            state = state || (label->isVisible() && label->text().contains("Does not compile"));
        QVERIFY(state);
    }
    void the_language_is_found_by_its_own_words_and_in_english() {
        Fixture f;
        f.action("Commands…")->trigger();
        auto* palette = f.window->findChild<CommandPalette*>();
        QVERIFY(palette);
        auto* list = palette->findChild<QListWidget*>();
        for (const char* typed : {"chinese", "language", "中文", "语言"}) {
            palette->findChild<QLineEdit*>()->setText(typed);
            QVERIFY2(list->count() > 0 && (list->item(0)->flags() & Qt::ItemIsEnabled), typed);
            QVERIFY2(list->item(0)->text().contains("语言"), qPrintable(list->item(0)->text()));
        }
        palette->close();
        for (QAction* action : f.window->findChildren<QAction*>())
            if (action->text() == "中文") action->trigger();
        QVERIFY(f.choices().contains("Open it anew"));
    }
    void samples_say_whole_sentences_and_tours_begin_on_the_start_page() {
        Fixture f;
        f.samplesFolder = CUTAWAY_SOURCE_DIR "/samples";
        f.window = f.makeWindow();
        bool models = false;
        for (const Sample& sample : samplesIn(f.samplesFolder)) {
            models = models || sample.path.endsWith("models/gpt2.py");
            if (!sample.group.isEmpty())
                QVERIFY2(sample.teaches.endsWith('.'), qPrintable(sample.teaches));
        }
        QVERIFY(models);
        auto* page = f.window->findChild<StartPage*>();
        // The keyboard is at the sample to start with, and Tab goes on as the page is read.
        const auto cards = page->findChildren<SampleCard*>();
        QVERIFY(cards.size() > 15);
        QCOMPARE(cards[0]->accessibleName(), QString("double cosine, Start here"));
        // In a small window, too, cards stand beside each other and fill their rows.
        f.window->resize(900, 600);
        const auto isFilled = [&] { // by the first row, but for the margins
            int last = 0;
            for (const SampleCard* card : cards)
                if (card->parentWidget() == cards[0]->parentWidget() && card->y() == cards[0]->y())
                    last = std::max(last, card->geometry().right() + 1);
            return last + 2 * cards[0]->x() >= cards[0]->parentWidget()->width();
        };
        QTRY_VERIFY(f.window->width() == 900 && cards[1]->y() == cards[0]->y() && isFilled());
        const auto tours = page->findChildren<QPushButton*>("link"); // say all of their names
        QVERIFY(!tours.isEmpty());
        for (QPushButton* tour : tours)
            if (auto* button = dynamic_cast<WrappedButton*>(tour)) {
                QCOMPARE(button->lines(button->width()).replace('\n', ' '), button->text());
                QCOMPARE(button->height(), button->heightForWidth(button->width()));
            }
        QTRY_VERIFY(cards[0]->hasFocus());
        QTest::keyClick(cards[0], Qt::Key_Tab);
        QVERIFY(cards[1]->hasFocus());
        QSignalSpy chosen(page, &StartPage::fileChosen);
        QTest::keyClick(cards[1], Qt::Key_Return);
        QTRY_COMPARE(chosen.count(), 1);
        QVERIFY(chosen[0][0].toString().endsWith("mul_add_relu.py"));
        emit page->tourChosen(0);
        QTRY_COMPARE(QFileInfo(f.session()->path()).fileName(), QString("double_cosine.py"));
        QVERIFY(f.window->workspace()->pane<TourPane>()->isPlaying());
    }
    void times_of_another_compilation_colour_nothing() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.window->measure();
        QTRY_VERIFY(!f.session()->isRunning() && !f.session()->runs().empty());
        auto* graph = f.pane<GraphPane>("graph");
        graph->setStage("joint");
        graph->setHeat(HeatKind::Time);
        QVERIFY(f.settled());
        QVERIFY(!graph->shownHeat().classes.empty());
        f.session()->decide({"save cos"});
        QVERIFY(f.settled());
        graph->flush();
        QVERIFY(f.session()->isCurrent() && !f.session()->runs().empty());
        QVERIFY(graph->shownHeat().classes.empty());
        QVERIFY2(graph->shownHeat().note.contains("before it was decided"),
                 qPrintable(graph->shownHeat().note));
        QVERIFY(f.session()->runsOfShown().empty());
        f.session()->undoDecision();
        QVERIFY(f.settled());
        graph->flush();
        QVERIFY(!graph->shownHeat().classes.empty()); // of what is shown again
    }
    void tabs_and_choices_are_found_among_the_commands() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.action("Commands…")->trigger();
        auto* palette = f.window->findChild<CommandPalette*>();
        auto* list = palette->findChild<QListWidget*>();
        palette->findChild<QLineEdit*>()->setText("sweep");
        QVERIFY(list->count() > 0);
        QCOMPARE(list->item(0)->text(), QString("Times › Sweep"));
        palette->findChild<QLineEdit*>()->setText("size cpu");
        QVERIFY(list->count() > 0);
        QCOMPARE(list->item(0)->text(), QString("Size › cpu"));
        emit list->itemClicked(list->item(0));
        QTRY_COMPARE(f.session()->options().size, QString("cpu"));
    }
    void escape_is_no_key_that_is_given() {
        Fixture f;
        f.action("Commands and keys…")->trigger();
        auto* sheet = f.window->findChild<ShortcutSheet*>("shortcutSheet");
        QTreeWidgetItem* measure = nullptr;
        for (QTreeWidgetItemIterator at(sheet->list()); *at; ++at)
            if ((*at)->text(0).trimmed() == "Measure") measure = *at;
        QVERIFY(measure);
        sheet->list()->setCurrentItem(measure);
        auto* keys = sheet->findChild<QKeySequenceEdit*>();
        keys->setFocus();
        QTest::keyClick(keys, Qt::Key_Escape);
        QTest::qWait(1300); // an edit ends a second after its last key
        QCOMPARE(f.action("Measure")->shortcut(), QKeySequence(Qt::Key_F5));
        QVERIFY(sheet->isVisible());
        QVERIFY(
            !sheet->setKeys(measure->data(0, Qt::UserRole).toInt(), QKeySequence(Qt::Key_Escape))
                 .isEmpty());
        QCOMPARE(f.action("Measure")->shortcut(), QKeySequence(Qt::Key_F5));
    }
    void counts_of_a_narrow_graph_stay() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* graph = f.pane<GraphPane>("graph");
        graph->setStage("joint");
        QVERIFY(f.settled());
        f.window->resize(900, 600);
        QTest::qWait(30);
        QLabel* counts = nullptr;
        for (QLabel* label : graph->findChildren<QLabel*>())
            if (label->toolTip().contains("edge")) counts = label;
        QVERIFY(counts && !counts->text().isEmpty());
        QVERIFY(counts->fontMetrics().horizontalAdvance(counts->text()) <= counts->width());
    }
    void a_tour_stays_at_its_place() {
        Fixture f;
        f.samplesFolder = CUTAWAY_SOURCE_DIR "/samples";
        f.window = f.makeWindow({1600, 1000});
        emit f.window->findChild<StartPage*>()->tourChosen(0);
        QVERIFY(f.settled());
        auto* tour = f.window->workspace()->pane<TourPane>();
        QTest::qWait(50);
        const QPoint at = tour->mapTo(f.window.get(), QPoint(0, 0));
        QVERIFY(!tour->visibleRegion().isEmpty());
        for (int step = 1; step < static_cast<int>(tour->tour().steps.size()); ++step) {
            tour->goTo(step);
            QVERIFY(f.settled());
            QTest::qWait(50);
            QCOMPARE(tour->mapTo(f.window.get(), QPoint(0, 0)), at);
            QVERIFY(!tour->visibleRegion().isEmpty());
        }
    }
};

QTEST_MAIN(TestStays)
#include "test_stays.moc"
