// SPDX-License-Identifier: GPL-3.0-or-later
// The window's manners: what was clicked is what is told, what is known stays on the screen, and
// nothing acts where it cannot be seen.
#include "tests/views/window_fixture.h"
#include "views/models/deep_link.h"
#include "views/models/rows.h"
#include "views/panes/code/code_pane.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/kernels/kernels_pane.h"
#include "views/panes/numbers/numbers_pane.h"
#include "views/panes/partition/partition_pane.h"
#include "views/panes/passes/passes_pane.h"
#include "views/widgets/banner.h"
#include "views/widgets/detail_line.h"
#include "views/widgets/find_bar.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/item_view.h"
#include "views/widgets/stale_veil.h"

#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QProgressBar>
#include <QScrollBar>
#include <QSplitter>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QWheelEvent>
#include <csignal>
#include <memory>

using namespace cutaway;
using namespace cutaway::views;
using Fixture = testing::WindowFixture;
using State = EngineClient::State;

namespace {

bool inSight(const QWidget* widget) {
    return widget->isVisible() && !widget->visibleRegion().isEmpty();
}

/// Drops a file on the middle of \p on, as Qt delivers it: to whoever accepts, from the inside out.
/// Whoever gives it would rather have it moved. \returns whether it was taken, and only copied.
bool drop(QWidget* on, const QString& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    data.setText(QUrl::fromLocalFile(file).toString());
    for (QWidget* at = on; at; at = at->parentWidget()) {
        if (!at->acceptDrops()) continue;
        constexpr Qt::DropActions kAny = Qt::CopyAction | Qt::MoveAction;
        QDragEnterEvent enter(at->rect().center(), kAny, &data, Qt::LeftButton, {});
        enter.setDropAction(Qt::MoveAction);
        QCoreApplication::sendEvent(at, &enter);
        if (!enter.isAccepted()) continue;
        QDropEvent event(at->rect().center(), kAny, &data, Qt::LeftButton, {});
        event.setDropAction(Qt::MoveAction);
        QCoreApplication::sendEvent(at, &event);
        return event.isAccepted() && event.dropAction() == Qt::CopyAction;
    }
    return false;
}

QDockWidget* dockOf(const Fixture& f, const char* name) {
    for (auto* dock : f.window->workspace()->docks())
        if (dock->objectName() == name) return dock;
    return nullptr;
}
int width(const Fixture& f, const char* dock) {
    return dockOf(f, dock)->width();
}

} // namespace

class TestManners : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_link_to_a_node_opens_on_it() {
        for (const DeepLink& link :
             {DeepLink{"/a/b c+d.py", "1 & 2", "f.0/joint/cos=%1"}, DeepLink{"/ü?#.py", {}, {}}}) {
            const auto read = readLink(link.text());
            QVERIFY2(read, qPrintable(link.text()));
            QCOMPARE(read->path, link.path);
            QCOMPARE(read->size, link.size);
            QCOMPARE(read->select, link.select);
        }
        for (const char* text :
             {"", "/a/b.py", "file:///a/b.py", "cutaway://host/b.py", "cutaway:b"})
            QVERIFY2(!readLink(text), text);
        Fixture f;
        QVERIFY(f.openAndWait());
        f.window->selectKey("joint/cos");
        QVERIFY(f.settled());
        QMenu menu;
        f.pane<GraphPane>("graph")->addActions(&menu, f.window->selection()->items());
        for (QAction* one : menu.actions())
            if (one->text().remove('&') == "Copy a link to it") one->trigger();
        const QString link = QGuiApplication::clipboard()->text();
        QVERIFY2(link.startsWith("cutaway:///") && link.endsWith("joint/cos"), qPrintable(link));
        QVERIFY(!f.window->openLink("cutaway:nothing"));
        auto other = f.makeWindow();
        QVERIFY(other->openLink(link));
        QTRY_COMPARE(other->selection()->items().size(), size_t(1));
        QCOMPARE(other->session()->record()->key(other->selection()->items()[0]),
                 QString("joint/cos"));
    }
    void a_link_to_a_box_opens_on_what_is_in_it() {
        Fixture f;
        QVERIFY(f.openAndWait(f.write("net.py", "module = 1\n")));
        auto* graphs = f.pane<GraphPane>("graph");
        graphs->setFolding(FoldKind::Modules, {}, {"module:net"});
        QVERIFY(f.settled());
        const auto& nodes = graphs->canvas()->scene().nodes;
        const auto box =
            std::ranges::find_if(nodes, [](auto& node) { return !node.fold.isEmpty(); });
        QVERIFY(box != nodes.end());
        const std::vector<ItemId> members = box->members;
        emit graphs->canvas()->menuRequested(int(box - nodes.begin()), {});
        auto* menu = graphs->findChild<QMenu*>("graphMenu");
        QVERIFY(menu);
        int offered = 0;
        for (QAction* one : menu->actions())
            if (one->text().remove('&') == "Copy a link to it") one->trigger(), ++offered;
        menu->close();
        QCOMPARE(offered, 1);
        const QString link = QGuiApplication::clipboard()->text();
        QVERIFY2(link.contains("box=captured/"), qPrintable(link));
        auto other = f.makeWindow();
        QVERIFY(other->openLink(link));
        QTRY_COMPARE(other->selection()->items().size(), members.size());
        QVERIFY(other->openLink(link + "s")); // of which there is none
        QTRY_VERIFY(other->findChild<Banner*>()->text().contains("not in this compilation"));
    }
    void loops_of_a_record_without_texts_come_when_they_are_shown() {
        Fixture f("bare");
        QVERIFY(f.openAndWait());
        QVERIFY(f.session()->lacksTexts());
        auto* kernels = f.pane<KernelsPane>("kernels");
        QVERIFY(kernels->showStage("loops"));
        f.window->selection()->select(
            {f.session()->currentEntry()->lowered.at(0).kernels.at(0).item});
        kernels->flush();
        CodeView* loops = kernels->findChild<CodeView*>();
        QTRY_VERIFY2(loops->text().startsWith("define void @f()"), qPrintable(loops->text()));
    }
    void the_clicked_decision_is_the_one_that_is_explained() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* kernels = f.pane<KernelsPane>("kernels");
        auto* line = kernels->findChild<DetailLine*>();
        ItemView* table = kernels->decisions();
        const int reason = static_cast<int>(rows::DecisionColumn::Reason);
        const int count = table->model()->rowCount();
        QVERIFY(count > 3);
        for (int row = count - 1; row >= 0; --row) {
            const QModelIndex at = table->model()->index(row, 0);
            table->scrollTo(at);
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                              table->visualRect(at).center());
            kernels->flush();
            QCOMPARE(table->meantRow().row(), row);
            QCOMPARE(line->text(), at.siblingAtColumn(reason).data().toString());
        }
        // A selection made elsewhere is explained by what it lights.
        f.window->selection()->select({f.item("backward/buffer/mul_1")});
        kernels->flush();
        QVERIFY(table->meantRow().data().toString().contains("mul_1"));
    }
    void a_reason_that_a_low_pane_cuts_off_is_whole_in_its_tooltip() {
        ItemView table(rows::decisionColumns(), "table");
        const int reason = static_cast<int>(rows::DecisionColumn::Reason);
        const std::unique_ptr<QWidget> both(DetailLine::below(&table, reason, "a hint"));
        both->resize(200, 60);
        both->show();
        const auto view = std::make_shared<const RecordView>(testing::doubleCosineRecord());
        table.setRows(rows::decisions(view, *view->entry(0, 0)));
        table.setCurrentIndex(table.model()->index(0, 0)); // without another size
        const auto* line = both->findChild<DetailLine*>();
        QVERIFY(!line->text().isEmpty() && line->text() != "a hint");
        QVERIFY2(line->toolTip().contains(line->text().toHtmlEscaped()),
                 qPrintable(line->toolTip()));
        table.setParent(nullptr);
    }
    void without_a_document_its_commands_say_why_they_are_not_possible() {
        Fixture f;
        QVERIFY(!f.session()->hasDocument());
        for (const char* name :
             {"Save as…", "Save record…", "Save workspace…", "Export report…", "Export trace…",
              "Whole graph…", "What is shown…", "Colour the graph by a file…", "Close"}) {
            const QAction* action = f.action(name);
            QVERIFY2(action && !action->isEnabled(), name);
            QCOMPARE(action->property("whyNot").toString(), QString("nothing is open"));
        }
        QVERIFY(f.openAndWait());
        QVERIFY(f.action("Save workspace…")->isEnabled() && f.action("Close")->isEnabled());
    }
    void what_is_selected_is_exported_only_where_something_is() {
        Fixture f;
        QVERIFY(f.openAndWait());
        QAction* selected = f.action("What is selected…");
        QVERIFY(selected && !selected->isEnabled());
        QVERIFY(!selected->property("whyNot").toString().isEmpty());
        f.window->selectKey("captured/cos");
        QVERIFY(selected->isEnabled());
        f.window->selection()->clear();
        QVERIFY(!selected->isEnabled());
        f.window->selectKey("backward/neg"); // stands in no graph that is shown
        f.pane<GraphPane>("graph")->setStage("captured");
        QVERIFY(f.settled());
        f.window->selection()->select({f.session()->record()->find("source:3")});
        selected->trigger(); // asks for no name
        QVERIFY(f.window->banner()->text().contains("No node of the graph"));
    }
    void other_colours_leave_columns_as_they_are() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* table = f.pane<KernelsPane>("kernels")->findChild<ItemView*>("kernelTree");
        const auto rows = table->rowModel()->content();
        f.action("Switch light and dark")->trigger();
        QTest::qWait(150);
        QVERIFY(f.settled());
        QCOMPARE(table->rowModel()->content(), rows);   // not made anew
        ItemView alone(rows::kernelColumns(), "alone"); // docks may move by a pixel
        alone.setStretchColumn(static_cast<int>(rows::KernelColumn::Type));
        alone.resize(400, 300);
        alone.show();
        alone.setContent(rows, true);
        QTest::qWait(50);
        alone.header()->resizeSection(0, 77);
        f.action("Switch light and dark")->trigger();
        QTest::qWait(150);
        QCOMPARE(alone.header()->sectionSize(0), 77);
        f.action("Larger type")->trigger();
        QTRY_VERIFY(alone.header()->sectionSize(0) != 77);
        f.action("Smaller type")->trigger();
        QTest::qWait(100);
    }
    void what_only_shares_a_line_is_not_explained() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<PartitionPane>("partition");
        auto* table = pane->findChild<ItemView*>("recomputedTable");
        table->setCurrentIndex(table->model()->index(0, 0)); // cos
        pane->flush();
        QVERIFY(table->meantRow().isValid());
        f.window->selection()->select({f.item("joint/cos_1")});
        pane->flush();
        QVERIFY(!table->meantRow().isValid());
    }
    void a_reason_of_one_lit_row_says_whose_it_is() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<PartitionPane>("partition");
        auto* table = pane->findChild<ItemView*>("recomputedTable");
        auto* line = table->parentWidget()->findChild<DetailLine*>();
        const QModelIndex first = table->model()->index(0, 0);
        const int reason = static_cast<int>(rows::RecomputedColumn::Reason);
        f.window->selection()->select({f.item("source:9")});
        pane->flush();
        QVERIFY(table->meantRow().isValid());
        QCOMPARE(line->text(),
                 first.data().toString() + ": " + first.siblingAtColumn(reason).data().toString());
        table->setCurrentIndex(first);
        pane->flush();
        QCOMPARE(line->text(), first.siblingAtColumn(reason).data().toString());
    }
    void the_lit_line_follows_the_caret_of_who_types() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.window->reveal("source");
        f.editor()->setFocus();
        f.editor()->setCursorPosition(8, 0); // torch.cos
        emit f.editor()->lineActivated(8);
        QCOMPARE(f.window->selection()->items(), std::vector<ItemId>{f.item("source:9")});
        f.editor()->insertAt("    # above\n", 8, 0);
        f.editor()->setCursorPosition(9, 0);
        QVERIFY(f.settled());
        f.window->workspace()->pane<SourcePane>()->flush();
        QVERIFY(!f.session()->isStale());
        QCOMPARE(f.window->selection()->items(), std::vector<ItemId>{f.item("source:10")});
    }
    void keys_of_what_is_not_possible_say_why() {
        Fixture f("userError");
        QVERIFY(f.window->openFile(f.path));
        QTRY_VERIFY(f.session()->failed());
        QVERIFY(!f.action("Measure")->isEnabled());
        QTest::keyClick(f.window->focusWidget(), Qt::Key_F5);
        QCOMPARE(f.window->statusBar()->findChild<QLabel*>("said")->text(),
                 QString("Measure: The script does not compile."));
        for (QToolButton* button : f.window->findChildren<QToolButton*>())
            if (button->defaultAction() == f.action("Measure")) {
                button->ensurePolished();
                QCOMPARE(button->palette().color(QPalette::Disabled, QPalette::ButtonText),
                         lightTheme().disabled);
            }
    }
    void the_wheel_changes_no_choice_in_passing() {
        Fixture f;
        QVERIFY(f.openAndWait());
        for (QComboBox* box : f.window->findChildren<QComboBox*>()) {
            if (box->count() < 2 || !box->isVisible()) continue;
            f.editor()->setFocus();
            const int before = box->currentIndex();
            for (int turn : {-120, 120}) {
                QWheelEvent wheel(box->rect().center(), box->mapToGlobal(box->rect().center()), {},
                                  {0, turn}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                                  false);
                QApplication::sendEvent(box, &wheel);
                QCOMPARE(box->currentIndex(), before);
            }
            QVERIFY(!(box->focusPolicy() & Qt::WheelFocus & ~Qt::StrongFocus));
        }
        QCOMPARE(f.session()->options().size, QString("tiny"));
    }
    void the_keyboard_begins_in_a_pane_and_comes_back_to_one() {
        Fixture f;
        QVERIFY(f.openAndWait());
        const auto inPanes = [&] {
            const QWidget* now = f.window->focusWidget();
            return now && f.window->workspace()->isAncestorOf(now);
        };
        QTRY_VERIFY(inPanes());
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 2; ++k) {
                f.action("Presentation (Esc leaves it)")->trigger();
                QTest::qWait(60);
            }
            QTRY_VERIFY(inPanes());
        }
        f.action("Restore default layout")->trigger();
        QTRY_VERIFY(inPanes());
    }
    void what_is_decided_is_told_by_the_status_bar() {
        Fixture f;
        QVERIFY(f.openAndWait());
        const auto* button = f.window->findChild<QToolButton*>("decisionsInForce");
        QVERIFY(button && !button->isVisible());
        f.session()->decide({"save cos"});
        QVERIFY(f.settled());
        QVERIFY(button->isVisible());
        QCOMPARE(button->text(), QString("1 decision"));
        f.session()->decide({});
        QVERIFY(f.settled());
        QVERIFY(!button->isVisible());
    }
    void a_row_that_shares_an_item_is_not_lit_as_the_chosen_one() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* kernels = f.pane<KernelsPane>("kernels");
        ItemView* table = kernels->decisions();
        const QModelIndex at = table->model()->index(1, 0);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(at).center());
        kernels->flush();
        int alone = 0;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            alone += table->isMeantAlone(table->model()->index(row, 1));
        QCOMPARE(alone, 1);
        QVERIFY(table->isMeantAlone(at));
    }
    void a_pane_that_goes_leaves_the_keyboard_to_another() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.window->activateWindow();
        f.pane<KernelsPane>("kernels")->setFocus();
        QWidget* had = f.window->focusWidget();
        QVERIFY(had);
        had->hide();
        for (QComboBox* box : f.window->findChildren<QComboBox*>())
            QVERIFY(box != f.window->focusWidget());
        QVERIFY(f.window->workspace()->isAncestorOf(f.window->focusWidget()));
    }
    void half_a_text_keeps_the_last_good_content_with_its_age_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("does not compile") << "wrong\n";
        QTest::newRow("compiles nothing") << "nothing = 1\n";
    }
    void half_a_text_keeps_the_last_good_content_with_its_age() {
        QFETCH(QString, text);
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* graph = f.pane<GraphPane>("graph");
        const RecordPtr good = f.session()->record();
        const size_t nodes = graph->canvas()->scene().nodes.size();
        QVERIFY(nodes > 0);
        auto* veil = graph->findChild<StaleVeil*>();
        QVERIFY(!veil->isVisible());
        f.session()->setText(text);
        QTRY_VERIFY(veil->isVisible());
        QVERIFY(f.settled());
        graph->flush();
        QCOMPARE(f.session()->record(), good);
        QCOMPARE(graph->canvas()->scene().nodes.size(), nodes);
        QVERIFY(!f.session()->diagnostics().empty());
        QCOMPARE(f.session()->sizes(), QStringList({"tiny", "cpu"}));
        QVERIFY2(veil->text().contains("old"), qPrintable(veil->text()));
        const QString before = veil->text();
        QTRY_VERIFY(veil->text() != before); // it grows older
        f.session()->setText(testing::kDoubleCosine);
        QTRY_VERIFY(!veil->isVisible());
    }
    void a_size_that_is_gone_gives_way_to_those_that_are_there() {
        Fixture f;
        QVERIFY(f.openAndWait());
        CompileOptions options = f.session()->options();
        options.size = "gone";
        f.session()->setOptions(options);
        QTRY_COMPARE(f.session()->options().size, QString("tiny"));
        QVERIFY(f.settled());
        QVERIFY(!f.session()->failed());
        QVERIFY(!f.session()->isStale());
    }
    void the_first_request_of_a_document_can_be_cancelled() {
        Fixture f("slow");
        QVERIFY(f.window->openFile(f.path));
        QTRY_VERIFY(f.session()->isCompiling());
        QTRY_VERIFY(f.action("Cancel")->isEnabled());
        f.action("Cancel")->trigger();
        QTRY_VERIFY(f.session()->wasCancelled());
        QTRY_COMPARE(f.session()->engine()->pendingRequests(), 0);
    }
    void an_engine_that_was_ended_here_starts_again_once() {
        Fixture f("hang");
        f.session()->engine()->setCancelGrace(200);
        QVERIFY(f.window->openFile(f.path));
        QTRY_VERIFY(f.session()->isCompiling());
        f.session()->setText("# another\n"); // nobody cancelled
        QTRY_VERIFY(f.window->banner()->text().contains("was ended and started again"));
        QTRY_COMPARE(f.session()->engine()->state(), State::Ready);
        QTRY_VERIFY(f.session()->isCompiling()); // the text that only waited is tried
        f.session()->setText("# a third\n");
        QTRY_COMPARE(f.session()->engine()->state(), State::Crashed);
        QTest::qWait(200);
        QCOMPARE(f.session()->engine()->state(), State::Crashed);
    }
    void another_document_frees_the_engine_of_the_one_before() {
        Fixture f("slow");
        QVERIFY(f.window->openFile(f.path));
        QTRY_VERIFY(f.session()->isCompiling());
        QVERIFY(f.window->openFile(f.write("second.py", testing::kDoubleCosine)));
        QTRY_COMPARE(f.session()->engine()->pendingRequests(), 1); // the second's
    }
    void what_brought_the_engine_down_is_not_tried_again_by_itself() {
        Fixture f("crash");
        QVERIFY(f.window->openFile(f.path));
        QTRY_VERIFY(f.session()->wasInterrupted());
        QTRY_COMPARE(f.session()->engine()->state(), State::Ready); // it came back by itself
        QTest::qWait(200);
        QCOMPARE(f.session()->engine()->state(), State::Ready);
        QVERIFY(f.session()->wasInterrupted());
        f.session()->compileNow(); // a person may
        QTRY_COMPARE(f.session()->engine()->state(), State::Crashed);
        QVERIFY(f.session()->wasInterrupted());
        QSignalSpy states(f.session()->engine(), &EngineClient::stateChanged);
        f.action("Compile again")->trigger();
        QTRY_VERIFY(states.count() >= 3); // starting, ready, and down again
        f.session()->setText("# another\n");
        QVERIFY(!f.session()->wasInterrupted());
    }
    void a_file_dropped_on_any_text_is_opened_data() {
        QTest::addColumn<QString>("pane");
        QTest::newRow("source") << "source";
        QTest::newRow("code") << "code";
    }
    void a_file_dropped_on_any_text_is_opened() {
        QFETCH(QString, pane);
        Fixture f;
        QVERIFY(f.openAndWait());
        const QString other = f.write("other.py", "x = 1\n");
        CodeView* view = pane == "code" ? f.pane<CodePane>("code")->view() : f.editor();
        const QString before = f.session()->text();
        QVERIFY(drop(view->viewport(), other));
        QCOMPARE(f.session()->path(), other);
        QCOMPARE(f.session()->text(), "x = 1\n");
        QCOMPARE(Fixture::read(f.path), before.toUtf8());
    }
    void titles_change_only_when_no_button_is_held() {
        Fixture f;
        Workspace* workspace = f.window->workspace();
        const QDockWidget* dock = workspace->docks().front();
        workspace->setLocked(true);
        QTRY_VERIFY(dock->titleBarWidget());
        QTest::mousePress(f.window->windowHandle(), Qt::LeftButton, {}, QPoint(5, 5));
        workspace->setLocked(false);
        QTest::qWait(200);
        QVERIFY(dock->titleBarWidget()); // it may be what is dragged
        QTest::mouseRelease(f.window->windowHandle(), Qt::LeftButton, {}, QPoint(5, 5));
        QTRY_VERIFY(!dock->titleBarWidget());
    }
    void escape_puts_a_dragged_pane_back() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.window->workspace()->setLocked(false);
        QDockWidget* dock = dockOf(f, "dock.code");
        QTRY_VERIFY(!dock->titleBarWidget());
        const QRect before = dock->geometry();
        QWindow* window = f.window->windowHandle();
        const QPoint title = dock->mapTo(f.window.get(), QPoint(30, 8));
        const auto dragTo = [&](QPoint to) {
            QTest::mousePress(window, Qt::LeftButton, {}, title);
            for (int i = 1; i <= 5; ++i)
                QTest::mouseMove(window, title + (to - title) * i / 5);
        };
        dragTo({200, 300});
        QVERIFY(dock->isFloating());
        QTest::keyClick(window, Qt::Key_Escape);
        QTRY_VERIFY(!dock->isFloating());
        QTest::mouseMove(window, QPoint(600, 500));
        QTest::mouseRelease(window, Qt::LeftButton, {}, QPoint(600, 500));
        QTRY_COMPARE(dock->geometry(), before);
        QVERIFY(!QWidget::mouseGrabber());
        // Nothing is left of it: the next drag goes where it ends.
        dragTo({200, 300});
        QVERIFY(dock->isFloating());
        QTest::mouseRelease(window, Qt::LeftButton, {}, QPoint(200, 300));
        QTRY_VERIFY(!dock->isFloating());
        QTRY_VERIFY(dock->geometry() != before);
    }
    void tab_stays_in_sight_and_selects_nothing() {
        Fixture f;
        QVERIFY(f.openAndWait());
        QApplication::setActiveWindow(f.window.get());
        f.pane<KernelsPane>("kernels")->tree()->setFocus();
        f.window->selection()->select({f.item("source:10")});
        const std::vector<ItemId> chosen = f.window->selection()->items();
        QSet<QWidget*> visited;
        for (Qt::Key key : {Qt::Key_Backtab, Qt::Key_Tab})
            for (int i = 0; i < 30; ++i) {
                QWidget* at = QApplication::focusWidget();
                QVERIFY(at);
                if (at == f.editor()) break; // an editor takes the key for itself
                visited << at;
                QVERIFY2(inSight(at), qPrintable(at->metaObject()->className() + at->objectName()));
                QTest::keyClick(at, key,
                                key == Qt::Key_Backtab ? Qt::ShiftModifier : Qt::NoModifier);
                QCOMPARE(f.window->selection()->items(), chosen);
            }
        QVERIFY(visited.size() > 4);
    }
    void a_layout_fits_the_size_that_a_window_gets_at_its_start() {
        Fixture f;
        f.window = f.makeWindow({1600, 1000});
        QVERIFY(f.openAndWait());
        QWindow* window = f.window->windowHandle();
        const auto drag = [&](const char* left, int by) { // what is right of it
            const QWidget* dock = dockOf(f, left);
            const QPoint at = dock->mapTo(f.window.get(), QPoint(dock->width() + 2, 60));
            QTest::mousePress(window, Qt::LeftButton, {}, at);
            QTest::mouseMove(window, at + QPoint(by / 2, 0));
            QTest::mouseMove(window, at + QPoint(by, 0));
            QTest::mouseRelease(window, Qt::LeftButton, {}, at + QPoint(by, 0));
        };
        drag("dock.source", -180);
        drag("dock.graph", -250);
        QTest::qWait(100);
        const int source = width(f, "dock.source"), code = width(f, "dock.code");
        QVERIFY(code > 2 * source);
        f.window->close();
        f.window = f.makeWindow({900, 600});
        QVERIFY(f.window->openFile(f.path));
        QCoreApplication::processEvents();
        f.window->resize(1600, 1000); // as a window manager does with a maximised one
        QVERIFY(f.settled());
        QVERIFY2(std::abs(width(f, "dock.source") - source) <= 3,
                 qPrintable(QString::number(width(f, "dock.source"))));
        QVERIFY2(std::abs(width(f, "dock.code") - code) <= 3,
                 qPrintable(QString::number(width(f, "dock.code"))));
    }
    void tab_follows_what_is_seen_in_panes_that_are_low_and_in_those_that_are_not() {
        Fixture f;
        QVERIFY(f.openAndWait());
        // Top to bottom, as far as they do not stand beside each other.
        QWidget* outside = f.editor();
        const auto isInOrder = [outside](Pane* pane) {
            int last = -1;
            for (QWidget* at = outside->nextInFocusChain(); at != outside;
                 at = at->nextInFocusChain()) {
                if (!pane->isAncestorOf(at) || !at->isVisible() ||
                    !(at->focusPolicy() & Qt::TabFocus) || at->focusProxy())
                    continue;
                const int y = at->mapTo(pane, at->rect().bottomLeft()).y();
                if (y < last - 20) return false;
                last = std::max(last, y);
            }
            return last >= 0;
        };
        for (const QSize size : {QSize(900, 600), QSize(1280, 1400), QSize(900, 600)}) {
            f.window->resize(size);
            for (const char* id : {"partition", "kernels", "numbers", "whatif", "run", "capture"}) {
                auto* pane = f.pane<Pane>(id);
                QTRY_VERIFY2(isInOrder(pane), id);
            }
        }
    }
    void tables_have_rows_to_show_in_the_smallest_window() {
        Fixture f;
        f.window = f.makeWindow({900, 600});
        QVERIFY(f.openAndWait());
        f.session()->decide({"save cos"});
        QVERIFY(f.settled());
        for (const auto& [id, table] :
             {std::pair{"kernels", "kernelTree"}, std::pair{"run", "runTable"},
              std::pair{"whatif", "experimentTable"}, std::pair{"capture", "unitTree"},
              std::pair{"capture", "guardList"}, std::pair{"numbers", "numberTable"}}) {
            auto* pane = f.pane<Pane>(id);
            auto* view = pane->findChild<ItemView*>(table);
            for (auto* tabs : pane->findChildren<QTabWidget*>())
                if (const int at = tabs->indexOf(view); at >= 0) tabs->setCurrentIndex(at);
            QTRY_VERIFY2(inSight(view), table);
            const int row = view->fontMetrics().height();
            QTRY_VERIFY2(view->viewport()->height() > 3 * row, table);
        }
    }
    void compared_values_have_rows_at_the_usual_size() {
        Fixture f; // 1280x800
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<NumbersPane>("numbers");
        pane->compare();
        QTRY_VERIFY(!f.session()->isComparing() && f.session()->numbers());
        pane->flush();
        const ItemView* view = pane->table();
        QTRY_VERIFY2(view->viewport()->height() >= 5 * view->sizeHintForRow(0),
                     qPrintable(QString::number(view->viewport()->height())));
    }
    void splitters_inside_of_panes_are_kept() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* splitter = f.pane<KernelsPane>("kernels")->findChild<QSplitter*>();
        const int high = splitter->height();
        splitter->setSizes({high / 4, high - high / 4});
        const QList<int> before = splitter->sizes();
        f.window->close();
        f.window = f.makeWindow();
        QVERIFY(f.openAndWait());
        auto* again = f.pane<KernelsPane>("kernels")->findChild<QSplitter*>();
        QVERIFY(std::abs(again->sizes()[0] - before[0]) <= 2);
    }
    void tabs_inside_of_panes_are_kept() {
        Fixture f;
        QVERIFY(f.openAndWait());
        const auto tabsOf = [&](const char* id) {
            return f.window->workspace()->findChild<Pane*>(id)->findChild<QTabBar*>();
        };
        f.pane<Pane>("times");
        tabsOf("times")->setCurrentIndex(3);
        f.pane<CodePane>("code");
        tabsOf("code")->setCurrentIndex(2);
        f.window->close();
        f.window = f.makeWindow();
        QVERIFY(f.openAndWait());
        QCOMPARE(tabsOf("times")->currentIndex(), 3);
        QCOMPARE(tabsOf("code")->currentIndex(), 2);
        f.window->workspace()->restoreTab("times.0", "1/99"); // of another program's tabs
        QCOMPARE(tabsOf("times")->currentIndex(), 3);
    }
    void every_pane_that_is_called_takes_the_keyboard() {
        Fixture f;
        QVERIFY(f.openAndWait());
        for (QDockWidget* dock : f.window->workspace()->docks()) {
            auto* pane = qobject_cast<Pane*>(dock->widget());
            QVERIFY2(pane && pane->focusProxy(), qPrintable(dock->windowTitle()));
            QVERIFY2(pane->isAncestorOf(pane->focusProxy()), qPrintable(dock->windowTitle()));
        }
    }
    void commands_show_the_pane_that_they_act_on_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("pane");
        QTest::newRow("fit") << "Fit graph"
                             << "graph";
        QTest::newRow("stage") << "Graph: joint"
                               << "graph";
        QTest::newRow("undo") << "Undo"
                              << "source";
        QTest::newRow("pass") << "Next pass with changes"
                              << "passes";
        QTest::newRow("measure") << "Measure"
                                 << "run";
    }
    void commands_show_the_pane_that_they_act_on() {
        QFETCH(QString, command);
        QFETCH(QString, pane);
        Fixture f;
        QVERIFY(f.openAndWait());
        for (QDockWidget* dock : f.window->workspace()->docks())
            if (dock->widget()->objectName() == pane) dock->hide();
        QCoreApplication::processEvents();
        auto* target = f.window->workspace()->findChild<Pane*>(pane);
        QVERIFY(!inSight(target));
        f.action(command)->trigger();
        QTRY_VERIFY(inSight(target));
    }
    void progress_begins_anew_with_every_request() {
        Fixture f("slow");
        QVERIFY(f.window->openFile(f.path));
        QTRY_VERIFY(f.session()->isCompiling());
        auto* bar = f.window->findChild<QProgressBar*>();
        QTRY_VERIFY(bar->isVisible());
        QCOMPARE(bar->maximum(), 0); // nobody knows yet
        emit f.session()->progress("forward: compile, 2 of 5 kernels", 0.4);
        QCOMPARE(bar->value(), 400);
        emit f.session()->progress("backward: lower, fuse, plan", 0);
        QCOMPARE(bar->maximum(), 0);
        emit f.session()->progress("forward: compile, 2 of 5 kernels", 0.4);
        const auto* times = f.window->findChild<QLabel*>("times"); // a clock beside it
        QVERIFY2(times->text().endsWith("so far"), qPrintable(times->text()));
        const QString before = times->text();
        QTRY_VERIFY(times->text().endsWith("so far") && times->text() != before);
        f.session()->cancel();
        QTRY_VERIFY(!bar->isVisible());
        f.session()->compileNow();
        QTRY_VERIFY(bar->isVisible());
        QCOMPARE(bar->maximum(), 0);
    }
    void first_stages_of_an_earlier_text_are_no_result() {
        Fixture f("stages");
        f.session()->newDocument("# endless\n");
        QTRY_VERIFY(f.session()->isPartial());
        f.session()->cancel();
        QTRY_VERIFY(!f.session()->isCompiling());
        f.session()->setText("wrong = 1\n");
        auto* veil = f.pane<Pane>("graph")->findChild<StaleVeil*>();
        QTRY_VERIFY(veil->isVisible());
        QVERIFY2(veil->text().startsWith("First stages of an earlier text"),
                 qPrintable(veil->text()));
    }
    void a_search_ends_with_its_document() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* field = f.pane<GraphPane>("graph")->findChild<QLineEdit*>();
        field->setText("cos");
        f.session()->setText(f.session()->text() + "# more\n");
        QVERIFY(f.settled());
        QCOMPARE(field->text(), QString("cos"));
        f.editor()->setFocus();
        f.action("Find in text…")->trigger();
        FindBar* bar = f.window->workspace()->pane<SourcePane>()->findBar();
        QTRY_VERIFY(bar->isVisible());
        bar->wanted()->setText("torch.cos");
        QCOMPARE(bar->said(), QString("2 found"));
        f.editor()->append("# torch.cos\n"); // what is said is of the text that is there
        QCOMPARE(bar->said(), QString("3 found"));
        QVERIFY(f.openAndWait(f.write("second.py", testing::kDoubleCosine)));
        QVERIFY(field->text().isEmpty());
        QVERIFY(!bar->isVisible());
        QVERIFY(bar->wanted()->text().isEmpty() && bar->said().isEmpty());
    }
    void differences_have_no_line_numbers() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* passes = f.pane<PassesPane>("passes");
        auto* view = passes->findChild<CodeView*>();
        passes->step(1);
        QVERIFY(!view->text().isEmpty());
        QCOMPARE(view->marginWidth(0), 0);
        view->setCode(QString("+ line\n").repeated(120));
        passes->applyTheme(darkTheme());
        QCOMPARE(view->marginWidth(0), 0);
        QVERIFY(f.editor()->marginWidth(0) > 0);
    }
    void going_back_moves_no_text() {
        CodeView view;
        view.resize(200, 100);
        view.setCode(QString("x").repeated(400));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QTest::keyClick(&view, Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(view.horizontalScrollBar()->value(), 0);
    }
    /// Such a line is read when typing pauses; until then what is typed looks like what is before it.
    void what_is_typed_into_a_long_line_is_read_in_the_end() {
        CodeView view, fresh;
        const QString code = "x = [" + QString("0.5, ").repeated(8000) + "]\ny = 1\n";
        for (CodeView* each : {&view, &fresh}) {
            each->setLanguage("python");
            each->resize(400, 100);
            each->show();
            QVERIFY(QTest::qWaitForWindowExposed(each));
        }
        view.setCode(code, false);
        view.viewport()->repaint();
        const auto style = [](const CodeView& of, int at) {
            return of.SendScintilla(QsciScintilla::SCI_GETSTYLEAT, at);
        };
        const auto number = style(view, 7);
        view.setCursorPosition(0, 8);
        QTest::keyClicks(&view, "5, 'a");
        view.viewport()->repaint();
        QCOMPARE(style(view, 8), number);
        QCOMPARE(style(view, 12), number);
        QTest::keyClick(&view, Qt::Key_Backspace);
        QTest::keyClick(&view, Qt::Key_B);
        fresh.setCode(view.text(), false);
        fresh.viewport()->repaint();
        const int end = int(view.length());
        QVERIFY(style(fresh, 12) != number);
        QTRY_COMPARE(style(view, 12), style(fresh, 12));
        for (int at = 0; at < end; ++at)
            QCOMPARE(style(view, at), style(fresh, at));
    }
    void a_click_on_the_tab_of_a_pane_gives_it_the_keys() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.editor()->setFocus();
        for (QTabBar* bar :
             f.window->workspace()->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
            for (int i = 0; i < bar->count(); ++i)
                if (bar->tabText(i) == "Passes")
                    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(i).center());
        auto* passes = f.pane<Pane>("passes");
        QTRY_VERIFY(passes->isVisible() && passes->isAncestorOf(QApplication::focusWidget()));
    }
    void blank_lines_never_light_up() {
        CodeView view;
        view.setCode("a\n\n  \t\nb\n");
        view.setHighlights([](int) { return Highlight::Selected; });
        for (int line = 0; line < 4; ++line)
            QCOMPARE(view.markersAtLine(line) != 0, line == 0 || line == 3);
    }
};

QTEST_MAIN(TestManners)
#include "test_manners.moc"
