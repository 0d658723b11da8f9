// SPDX-License-Identifier: GPL-3.0-or-later
// What comes about moment by moment: the player and its keys, the three stories with their
// captions, less motion; and tours that are made in the window, saved and played.
#include "tests/views/window_fixture.h"
#include "views/models/stories.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/pane_list.h"
#include "views/panes/steps/kernel_stage.h"
#include "views/panes/steps/steps_pane.h"
#include "views/panes/tour/tour_maker.h"
#include "views/panes/tour/tour_pane.h"
#include "views/widgets/glossary_dialog.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/player.h"

#include <QLineEdit>
#include <QTextBrowser>
#include <QToolButton>
#include <nlohmann/json.hpp>

using namespace cutaway;
using namespace cutaway::views;
using cutaway::views::testing::WindowFixture;

class TestSteps : public QObject {
    Q_OBJECT

    static KernelStory::Touch touch(KernelStory::Touching kind, int64_t row, int64_t column) {
        return {kind, kind == KernelStory::Touching::Read ? size_t(0) : size_t(1), {row, column}};
    }
    static const record::LoweredGraph& lowered(const WindowFixture& fixture) {
        return fixture.session()->currentEntry()->lowered[0];
    }

private Q_SLOTS:
    void what_vectors_touch_is_told_as_one() {
        using enum KernelStory::Touching;
        KernelStory story;
        story.buffers = {{"x", "f32[2, 40]", {2, 40}}, {"y", "f32[40, 2]", {40, 2}}};
        KernelStory::Moment moment{1, "i = 0…15", {}};
        for (int64_t lane = 0; lane < 16; ++lane) {
            moment.touches.push_back(touch(Read, 1, lane));
            moment.touches.push_back(touch(Read, 0, 2 * lane)); // not beside each other
            moment.touches.push_back(touch(Write, lane, 0));
        }
        story.moments.push_back(moment);
        const QString caption = captionOf(story, 0);
        QVERIFY2(caption.startsWith("i = 0…15: reads x[1, 0…15], x[0, 0], x[0, 2],"),
                 qPrintable(caption));
        QVERIFY2(caption.contains("and 11 more; writes y[0…15, 0]"), qPrintable(caption));
    }
    void the_player_is_driven_by_keys() {
        Player player;
        QSignalSpy moments(&player, &Player::momentChanged);
        player.setLength(4);
        QCOMPARE(moments.count(), 1); // the first
        player.show();
        for (Qt::Key key : {Qt::Key_Right, Qt::Key_Right, Qt::Key_Left})
            QTest::keyClick(&player, key);
        QCOMPARE(player.moment(), 1);
        QTest::keyClick(&player, Qt::Key_End);
        QCOMPARE(player.moment(), 3);
        QTest::keyClick(&player, Qt::Key_Right); // there is no more
        QCOMPARE(player.moment(), 3);
        QTest::keyClick(&player, Qt::Key_Home);
        QCOMPARE(player.moment(), 0);
        QTest::keyClick(&player, Qt::Key_Space);
        QVERIFY(player.isPlaying());
        QTRY_COMPARE_WITH_TIMEOUT(player.moment(), 3, 10000);
        QTRY_VERIFY(!player.isPlaying()); // at the end
        player.play();                    // again from the start
        QVERIFY(player.isPlaying() && player.moment() == 0);
        player.hide();
        QVERIFY(!player.isPlaying());
    }
    void with_less_motion_nothing_plays_by_itself() {
        Player player;
        player.setLength(4);
        player.show();
        player.play();
        player.setLessMotion(true);
        QVERIFY(!player.isPlaying());
        QTest::keyClick(&player, Qt::Key_Space);
        QVERIFY(!player.isPlaying());
        QTest::keyClick(&player, Qt::Key_Right);
        QCOMPARE(player.moment(), 1);
    }
    void less_motion_is_a_setting() {
        WindowFixture fixture;
        QSettings(fixture.folder.filePath("settings.ini"), QSettings::IniFormat)
            .setValue("lessMotion", true);
        fixture.window = fixture.makeWindow();
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<StepsPane>("steps");
        QVERIFY(fixture.settled());
        QCOMPARE(pane->player()->length(), 4);
        pane->player()->play();
        QVERIFY(!pane->player()->isPlaying());
    }
    void a_kernel_is_told_element_by_element() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<StepsPane>("steps");
        pane->tell(StepsPane::Kernel);
        QVERIFY(fixture.settled());
        QCOMPARE(pane->player()->length(), 4);
        pane->player()->setMoment(2);
        QCOMPARE(pane->caption(), "o0 = 1, i = 0: reads x[1, 0]; writes out[1, 0]. Iterations "
                                  "shown of each loop: o0: 2 of 16, i: 2 of 16.");
    }
    void what_was_asked_of_an_older_record_is_not_waited_for() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<StepsPane>("steps");
        QVERIFY(fixture.settled());
        fixture.session()->decide({"save cos"});
        pane->tell(StepsPane::Kernel);
        fixture.window->reveal("graph"); // where nobody looks at it nothing is asked anew
        QVERIFY(fixture.settled());
    }
    void the_room_of_a_long_caption_stays() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<StepsPane>("steps");
        pane->tell(StepsPane::Kernel);
        QVERIFY(fixture.settled());
        QList<int> heights;
        for (int moment : {0, 1, 2, 3, 2, 1, 0}) {
            pane->player()->setMoment(moment);
            QCoreApplication::processEvents();
            for (const QLabel* label : pane->findChildren<QLabel*>())
                if (label->text() == pane->caption()) heights << label->height();
        }
        QVERIFY(std::ranges::is_sorted(heights)); // none gives room back while it is played
    }
    void what_is_touched_is_in_sight_also_of_hundreds_of_buffers() {
        using enum KernelStory::Touching;
        KernelStory story;
        for (int line = 0; line < 300; ++line)
            story.lines << QString(60, 'x');
        for (size_t b = 0; b < 200; ++b) {
            story.buffers.push_back({QString("b%1").arg(b), "f32[4, 4]", {4, 4}});
            story.moments.push_back({static_cast<int>(b), "", {{Read, b, {0, 0}}}});
        }
        KernelStage stage;
        stage.resize(290, 400);
        stage.setStory(story);
        QVERIFY(!stage.showsAllBuffers());
        for (int moment : {0, 1, 77, 150, 199, 3}) {
            stage.setMoment(moment);
            QVERIFY2(stage.showsTouched(), qPrintable(QString::number(moment)));
        }
    }
    void every_buffer_is_in_sight_in_a_low_pane() {
        using enum KernelStory::Touching;
        KernelStory story;
        for (int line = 0; line < 12; ++line)
            story.lines << QString(60, 'x'); // below each other: they are wide
        KernelStory::Moment moment{1, "", {}};
        for (size_t b = 0; b < 4; ++b) {
            story.buffers.push_back({QString("b%1").arg(b), "f32[4, 4]", {4, 4}});
            moment.touches.push_back({Read, b, {0, 0}});
        }
        story.moments.push_back(moment);
        KernelStage stage;
        stage.resize(290, 300);
        stage.setStory(story);
        QVERIFY(stage.showsAllBuffers());
        stage.resize(1200, 140); // beside each other
        QVERIFY(stage.showsAllBuffers() && stage.showsTitles());
        story.moments[0].touches[0].coords = {0, -1}; // which the title says, too
        stage.setStory(story);
        stage.resize(500, 600);
        QVERIFY(stage.showsTitles());
    }
    void cache_lines_are_counted_as_they_are_touched() {
        KernelStory story;
        story.buffers = {{"x", "f32[4, 24]", {4, 24}},
                         {"y", "f64[4, 24][1, 4]", {4, 24}},
                         {"z", "strange[4]", {4}}};
        QCOMPARE(KernelStory::CacheLines(story.buffers[0]).of({0, 15}), int64_t(0));
        QCOMPARE(KernelStory::CacheLines(story.buffers[0]).of({0, 16}), int64_t(1));
        QCOMPARE(KernelStory::CacheLines(story.buffers[0]).of({1, 0}),
                 int64_t(1)); // of the same as the row before
        QCOMPARE(KernelStory::CacheLines(story.buffers[0]).of({-1, 0}), int64_t(-1));
        QCOMPARE(KernelStory::CacheLines(story.buffers[1]).of({3, 1}), int64_t(0)); // by columns
        QCOMPARE(KernelStory::CacheLines(story.buffers[1]).of({0, 2}), int64_t(1));
        QCOMPARE(KernelStory::CacheLines(story.buffers[2]).of({1}), int64_t(-1));
        using enum KernelStory::Touching;
        story.moments = {{0, "", {{Read, 0, {0, 0}}}},
                         {0, "", {{Read, 0, {0, 1}}, {Write, 1, {0, 0}}}},
                         {0, "", {{Read, 0, {0, 20}}}}};
        QCOMPARE(story.cacheLines(0)[1], size_t(1));
        QCOMPARE(story.cacheLines(0)[2], size_t(2));
        QCOMPARE(story.cacheLines(1)[0], size_t(0));
    }
    void the_cut_is_told_path_by_path() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<StepsPane>("steps");
        pane->tell(StepsPane::Cut);
        QVERIFY(fixture.settled());
        QCOMPARE(pane->player()->length(), 4); // a path, two rounds, the cut
        QVERIFY2(pane->caption().contains("Path 1 of 1: primals_1 → cos → sin"),
                 qPrintable(pane->caption()));
        auto* canvas = pane->findChild<GraphCanvas*>();
        auto heatOf = [&](const char* name) {
            for (size_t i = 0; i < canvas->scene().nodes.size(); ++i)
                if (const SceneNode& node = canvas->scene().nodes[i];
                    node.name == name || (node.name.isEmpty() && node.title == name))
                    return canvas->heat()[i];
            return -2;
        };
        QCOMPARE(heatOf("cos"), 4);
        QCOMPARE(heatOf("tangents_1"), -1);
        pane->player()->setMoment(2);
        QVERIFY(pane->caption().contains("3 values until now"));
        QCOMPARE(heatOf("primals_1"), 2); // its price is used up
        pane->player()->setMoment(3);
        QVERIFY(pane->caption().contains("primals_1 saved"));
        QCOMPARE(heatOf("primals_1"), 4);
        fixture.action("Presentation (Esc leaves it)")->trigger(); // told again, larger
        QVERIFY(fixture.settled());
        QTRY_COMPARE(pane->player()->moment(), 3);
        fixture.action("Presentation (Esc leaves it)")->trigger();
    }
    /// What is told first is what there is to tell, until somebody has chosen.
    void where_libraries_do_all_the_arena_is_told() {
        WindowFixture fixture;
        record::Record made = testing::doubleCosineRecord();
        for (record::LoweredGraph& graph : made.functions[0].entries[0].lowered)
            for (record::KernelInfo& kernel : graph.kernels)
                kernel.kind = "library";
        const QString file = fixture.folder.filePath("libraries.cutaway");
        QVERIFY(record::save(made, file.toStdString()).ok());
        QVERIFY(fixture.openAndWait(file));
        auto* pane = fixture.pane<StepsPane>("steps");
        QVERIFY(fixture.settled());
        QVERIFY2(pane->caption().startsWith("Kernel 1 of "), qPrintable(pane->caption()));
        pane->tell(StepsPane::Kernel);
        QVERIFY(fixture.settled());
        QCOMPARE(pane->player()->length(), 0);
    }
    void the_arena_is_told_kernel_by_kernel() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<StepsPane>("steps");
        pane->tell(StepsPane::Arena);
        QVERIFY(fixture.settled());
        QCOMPARE(pane->player()->length(), static_cast<int>(lowered(fixture).kernels.size()));
        QVERIFY2(pane->caption().startsWith("Kernel 1 of "), qPrintable(pane->caption()));
    }
    void the_arenas_captions_say_what_comes_and_goes() {
        record::LoweredGraph graph;
        for (const char* name : {"a", "b", "c"})
            graph.kernels.emplace_back().name = name;
        graph.memory.arenaBytes = 3072;
        graph.memory.items = {{"x", "arena", "", 0, 1024, 0, 1},
                              {"y", "arena", "", 1024, 2048, 1, 1}};
        const QString space(QChar(0x00a0));
        QCOMPARE(arenaCaption(graph, 1),
                 "Kernel 2 of 3, b: 3" + space + "KiB of 3" + space +
                     "KiB in use. Comes: y. Goes afterwards: y, x. This is the peak.");
        QCOMPARE(arenaCaption(graph, 2), "Kernel 3 of 3, c: nothing of the arena is in use.");
    }
    void nonsense_is_no_story() {
        using nlohmann::json;
        QVERIFY(!kernelStoryOf(json::object()) && !cutTaleOf(json::array()));
        json story = {{"lines", {"k"}},
                      {"left", json::array()},
                      {"buffers", json::array()},
                      {"moments", {{{"line", 0}, {"at", ""}, {"touches", json::array()}}}}};
        QVERIFY(kernelStoryOf(story).has_value());
        story["moments"][0]["line"] = 7;
        QVERIFY(!kernelStoryOf(story));
        story["moments"][0]["line"] = 0;
        story["moments"][0]["touches"] = {{{"kind", "read"}, {"buffer", 3}, {"coords", {0}}}};
        QVERIFY(!kernelStoryOf(story));
    }
    void every_word_of_the_glossary_leads_to_a_pane() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        fixture.action("Glossary…")->trigger();
        auto* words = fixture.window->findChild<GlossaryDialog*>("glossary");
        QVERIFY(words);
        QVERIFY(words->text()->toPlainText().contains("Minimum cut"));
        QTest::keyClicks(words->filter(), "guard");
        QVERIFY(!words->text()->toPlainText().contains("Minimum cut"));
        QVERIFY(words->text()->toPlainText().contains("A condition that held at capture"));
        QStringList panes{QString()};
        for (const PaneRow& row : paneList())
            panes << row.id;
        for (const GlossaryEntry& entry : glossary())
            QVERIFY2(panes.contains(entry.pane), qPrintable(entry.pane));
        emit words->text()->anchorClicked(QUrl("pane:capture"));
        QTRY_VERIFY(fixture.window->workspace()->findChild<Pane*>("capture")->isVisible());
    }
    void everything_says_what_it_is() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        for (QWidget* widget : fixture.window->findChildren<QWidget*>()) {
            if (widget->toolTip().isEmpty()) continue;
            QHelpEvent asked(QEvent::QueryWhatsThis, {}, {});
            QCoreApplication::sendEvent(widget, &asked);
            QVERIFY2(asked.isAccepted(), qPrintable(widget->toolTip()));
            QVERIFY(!widget->whatsThis().isEmpty());
        }
        for (const Pane* pane : fixture.window->workspace()->findChildren<Pane*>())
            QVERIFY(!pane->whatsThis().isEmpty());
        QCOMPARE(fixture.action("What is this?")->shortcut(),
                 QKeySequence(QKeySequence::WhatsThis));
    }
    void a_tour_is_made_of_what_is_shown_saved_and_played() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        fixture.action("Make a tour…")->trigger();
        auto* maker = fixture.window->findChild<TourMaker*>("tourMaker");
        QVERIFY(maker);
        maker->findChildren<QLineEdit*>().first()->setText("Mine");
        auto* graph = fixture.pane<GraphPane>("graph");
        graph->setStage("joint");
        fixture.window->goTo(fixture.item("joint/cos"));
        emit qApp->focusChanged(nullptr, graph->canvas());
        maker->addStep();
        maker->setStepText("Here", "A cosine.");
        const QString path = fixture.folder.filePath("mine.json");
        maker->addStep();
        QVERIFY(!maker->save(path)); // a step says something
        maker->setStepText("", "And another.");
        QVERIFY(maker->save(path));
        const auto read = readTour(WindowFixture::read(path), "mine.json");
        QVERIFY(read.ok());
        QCOMPARE(read->title, "Mine");
        QCOMPARE(read->steps.size(), size_t{2});
        QCOMPARE(read->steps[0].pane, "graph");
        QCOMPARE(read->steps[0].stage, "joint");
        QCOMPARE(read->steps[0].select, "joint/cos");
        maker->close();
        graph->setStage("captured");
        QVERIFY(fixture.window->playTour(path));
        auto* tour = fixture.window->workspace()->pane<TourPane>();
        QVERIFY(tour->isPlaying());
        QCOMPARE(graph->stage(), "joint");
        QVERIFY(tour->text()->toPlainText().contains("A cosine."));
        QVERIFY(!fixture.window->playTour(fixture.write("bad.json", "{}")));
    }
    void every_shipped_tour_is_written_as_it_was_read() {
        for (const Tour& tour : shippedTours()) {
            const auto again = readTour(writeTour(tour), "again");
            QVERIFY(again.ok());
            QCOMPARE(writeTour(*again), writeTour(tour));
            QCOMPARE(again->steps.size(), tour.steps.size());
            QCOMPARE(again->steps.back().value, tour.steps.back().value);
            QCOMPARE(again->steps.front().pane, tour.steps.front().pane);
        }
    }
};

QTEST_MAIN(TestSteps)
#include "test_steps.moc"
