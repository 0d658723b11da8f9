// SPDX-License-Identifier: GPL-3.0-or-later
// The window around the panes: keys that can be changed, layouts, presentation, finding and
// replacing, export of graphs, what the palette says of commands that are not possible.
#include "tests/views/window_fixture.h"
#include "views/panes/code/code_pane.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/kernels/kernels_pane.h"
#include "views/panes/tour/tour_pane.h"
#include "views/widgets/code_font.h"
#include "views/widgets/command_palette.h"
#include "views/widgets/find_bar.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/graph_export.h"
#include "views/widgets/item_view.h"
#include "views/widgets/shortcut_sheet.h"
#include "views/widgets/stale_veil.h"

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QStatusBar>
#include <QSvgRenderer>
#include <QTabBar>
#include <QToolButton>
#include <QTreeWidget>
#include <QXmlStreamReader>

using namespace cutaway;
using namespace cutaway::views;
using cutaway::views::testing::WindowFixture;

class TestShell : public QObject {
    Q_OBJECT

    static ShortcutSheet* sheetOf(WindowFixture& fixture) {
        return fixture.window->findChild<ShortcutSheet*>("shortcutSheet");
    }

    /// Whether docks do not fit into the window.
    static bool scrolls(const WindowFixture& fixture) {
        const auto* desk = fixture.window->findChild<QScrollArea*>("desk");
        return desk->horizontalScrollBar()->maximum() > 0 ||
               desk->verticalScrollBar()->maximum() > 0;
    }

private Q_SLOTS:
    /// What a screen reader says of each control is a word for people.
    void every_control_has_a_name() {
        WindowFixture fixture;
        fixture.window = fixture.makeWindow({700, 480}); // not all stages have room
        QVERIFY(fixture.openAndWait());
        QStringList nameless;
        int named = 0;
        for (QWidget* widget : fixture.window->findChildren<QWidget*>()) {
            const bool controls =
                qobject_cast<QAbstractButton*>(widget) ||
                qobject_cast<QAbstractItemView*>(widget) || qobject_cast<QComboBox*>(widget) ||
                qobject_cast<QLineEdit*>(widget) || qobject_cast<QPlainTextEdit*>(widget);
            const QWidget* owner = widget->parentWidget();
            if (!controls || widget->isHidden() || qobject_cast<const QComboBox*>(owner) ||
                qobject_cast<const QAbstractSpinBox*>(owner) ||
                qobject_cast<const QLineEdit*>(owner) || qobject_cast<QHeaderView*>(widget) ||
                (owner && owner->inherits("QComboBoxPrivateContainer")))
                continue; // parts of others
            const QString name =
                QAccessible::queryAccessibleInterface(widget)->text(QAccessible::Name);
            // A box of choices is called by the one that is chosen.
            if ((name.isEmpty() && widget->accessibleName().isEmpty()) ||
                (name == widget->objectName() && qobject_cast<QAbstractItemView*>(widget)))
                nameless << QString("%1 %2 of %3")
                                .arg(widget->metaObject()->className(), widget->objectName(),
                                     owner ? owner->objectName() : QString());
            ++named;
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join("; ")));
        QVERIFY(named > 60);
        QCOMPARE(fixture.pane<Pane>("run")->findChild<ItemView*>("historyTable")->accessibleName(),
                 QString("History"));
    }
    void kernels_that_are_exported_stay_below_the_folder() {
        WindowFixture f;
        QVERIFY(f.openAndWait());
        int written = 0;
        QVERIFY(QDir(f.folder.path()).mkpath("out/kernels"));
        f.session()->exportSources(false, f.folder.filePath("out/kernels"),
                                   [&](int files, const QString& problem) {
                                       QVERIFY2(problem.isEmpty(), qPrintable(problem));
                                       written = files;
                                   });
        QCOMPARE(written, 0); // not before the event loop
        QTRY_COMPARE(written, 1);
        QCOMPARE(f.read(f.folder.filePath("out/kernels/model_forward/main.cpp")),
                 QByteArray("int main"));
        QVERIFY(!QFile::exists(f.folder.filePath("out/outside.cpp")));
    }
    void layouts_are_kept_under_names() {
        WindowFixture f;
        QVERIFY(f.openAndWait());
        auto dock = [&](const char* name) { return f.window->findChild<QDockWidget*>(name); };
        QVERIFY(f.window->ownLayouts().isEmpty());
        dock("dock.code")->hide();
        f.window->keepLayout("only graphs");
        f.action("Restore default layout")->trigger();
        QVERIFY(!dock("dock.code")->isHidden());
        QCOMPARE(f.window->ownLayouts(), QStringList{"only graphs"});
        auto another = f.makeWindow(); // another start
        QCOMPARE(another->ownLayouts(), QStringList{"only graphs"});
        another.reset();
        QAction* show = nullptr;
        QAction* forget = nullptr;
        for (QAction* action : f.window->findChildren<QAction*>()) {
            const QString command = action->property("command").toString();
            if (command == "Layout only graphs") show = action;
            if (command == "Forget only graphs") forget = action;
        }
        QVERIFY(show && forget);
        show->trigger();
        QVERIFY(dock("dock.code")->isHidden());
        forget->trigger();
        QTRY_VERIFY(f.window->ownLayouts().isEmpty());
    }

    void keys_are_listed_changed_and_kept() {
        WindowFixture fixture;
        fixture.action("Commands and keys…")->trigger();
        ShortcutSheet* sheet = sheetOf(fixture);
        QVERIFY(sheet);
        int row = -1;
        QStringList all;
        for (QTreeWidgetItemIterator at(sheet->list()); *at; ++at) {
            all << (*at)->text(0).trimmed();
            if ((*at)->text(0).trimmed() == "Measure") row = (*at)->data(0, Qt::UserRole).toInt();
        }
        QVERIFY(row >= 0);
        QVERIFY(all.contains("In a graph") && all.contains("Fit the whole graph"));
        QVERIFY(sheet->setKeys(row, QKeySequence(Qt::Key_F7)).contains("Compile again"));
        QCOMPARE(fixture.action("Measure")->shortcut(), QKeySequence(Qt::Key_F5));
        QVERIFY(sheet->setKeys(row, QKeySequence("Ctrl+Alt+M")).isEmpty());
        QCOMPARE(fixture.action("Measure")->shortcut(), QKeySequence("Ctrl+Alt+M"));
        sheet->close();
        fixture.window = fixture.makeWindow(); // another start
        QCOMPARE(fixture.action("Measure")->shortcut(), QKeySequence("Ctrl+Alt+M"));
    }
    void tab_goes_through_the_find_bar_as_it_is_read() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        QApplication::setActiveWindow(fixture.window.get());
        auto* bar = fixture.window->findChild<FindBar*>();
        fixture.action("Replace in source…")->trigger();
        QTRY_COMPARE(QApplication::focusWidget(), bar->wanted());
        QStringList visited;
        for (int i = 0; i < 8; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QWidget* at = QApplication::focusWidget();
            QVERIFY2(bar->isAncestorOf(at), at->metaObject()->className());
            auto* button = qobject_cast<QAbstractButton*>(at);
            visited << (button ? button->text() : at->accessibleName());
        }
        QCOMPARE(visited, QStringList({"Replace by", "Aa", ".*", "↑", "↓", "Replace", "All", "×"}));
    }
    void titles_of_tabs_are_whole_in_a_small_window() {
        WindowFixture fixture;
        fixture.window = fixture.makeWindow({900, 600});
        QVERIFY(fixture.openAndWait());
        QCoreApplication::processEvents();
        int bars = 0;
        for (QTabBar* bar :
             fixture.window->workspace()->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
            if (!bar->isVisible()) continue;
            ++bars;
            QCOMPARE(bar->elideMode(), Qt::ElideNone);
            QVERIFY(bar->usesScrollButtons());
            for (int i = 0; i < bar->count(); ++i) {
                const QFontMetrics metrics(bar->font());
                QVERIFY(bar->tabRect(i).width() >= metrics.horizontalAdvance(bar->tabText(i)));
            }
        }
        QVERIFY(bars > 0);
    }
    void every_pane_fits_into_a_small_window() {
        WindowFixture fixture;
        fixture.window = fixture.makeWindow({900, 600});
        QVERIFY(fixture.openAndWait());
        for (const PaneRow& row : paneList()) {
            fixture.window->reveal(row.id);
            QVERIFY(fixture.settled());
            QCoreApplication::processEvents();
            QVERIFY2(fixture.window->width() <= 900 && fixture.window->height() <= 600,
                     qPrintable(QString("%1: %2 × %3")
                                    .arg(row.id)
                                    .arg(fixture.window->width())
                                    .arg(fixture.window->height())));
            QVERIFY2(!scrolls(fixture), row.id);
        }
    }
    /// Where docks are as small as they may be they are scrolled, to the one that is called for.
    void docks_are_scrolled_where_they_do_not_fit() {
        WindowFixture fixture;
        fixture.window = fixture.makeWindow({640, 480});
        QVERIFY(fixture.openAndWait());
        for (int i = 0; i < 6; ++i) // more than half as large again
            fixture.action("Larger type")->trigger();
        QVERIFY(fixture.settled());
        QTest::qWait(300); // bars hear of another type one after the other
        fixture.window->resize(640, 480);
        QTRY_COMPARE(fixture.window->size(), QSize(640, 480));
        QVERIFY(scrolls(fixture));
        for (const char* id : {"code", "source", "kernels", "inspector", "graph"}) {
            const auto* pane = fixture.pane<Pane>(id);
            const auto* desk = fixture.window->findChild<QScrollArea*>("desk");
            const auto seen = [&] {
                const QRect place(pane->mapTo(desk->viewport(), QPoint()), pane->size());
                return place.intersected(desk->viewport()->rect()).size();
            };
            const QSize wanted = pane->size().boundedTo(desk->viewport()->size());
            QTRY_VERIFY2(seen().width() >= wanted.width() * 9 / 10 &&
                             seen().height() >= wanted.height() * 8 / 10,
                         qPrintable(QString("%1: %2 × %3 of %4 × %5")
                                        .arg(id)
                                        .arg(seen().width())
                                        .arg(seen().height())
                                        .arg(wanted.width())
                                        .arg(wanted.height())));
        }
        fixture.window->resize(1400, 900);
        QTRY_VERIFY(!scrolls(fixture));
        QCOMPARE(fixture.window->workspace()->width(), 1400);
    }
    void every_pane_fits_into_a_small_window_in_large_type() {
        WindowFixture fixture;
        fixture.window = fixture.makeWindow({900, 600});
        QVERIFY(fixture.openAndWait());
        for (int i = 0; i < 6; ++i) // more than half as large again
            fixture.action("Larger type")->trigger();
        QVERIFY(fixture.settled());
        for (const PaneRow& row : paneList()) {
            fixture.window->reveal(row.id);
            QVERIFY(fixture.settled());
            QCoreApplication::processEvents();
            // Bars hear of another type one after the other.
            QTRY_VERIFY2(!scrolls(fixture), row.id);
        }
    }
    /// A table that is out of sight while the type grows has whole titles when it comes up.
    void titles_of_tables_and_icons_follow_the_type() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        fixture.window->reveal("kernels");
        for (int i = 0; i < 6; ++i)
            fixture.action("Larger type")->trigger();
        QVERIFY(fixture.settled());
        QTest::qWait(300); // type is sized a little later
        for (auto* button : fixture.window->workspace()->findChildren<QToolButton*>())
            if (!button->property("iconName").isNull())
                QVERIFY(button->iconSize().height() >= button->fontMetrics().ascent());
        const auto* table = fixture.pane<Pane>("run")->findChild<ItemView*>("runTable");
        for (int column = 1; column < table->header()->count(); ++column) {
            const int wanted = std::min(table->header()->sectionSizeHint(column),
                                        table->viewport()->width() * 2 / 5 - 2);
            QTRY_VERIFY2(table->header()->sectionSize(column) >= wanted,
                         qPrintable(QString("%1: %2 of %3")
                                        .arg(column)
                                        .arg(table->header()->sectionSize(column))
                                        .arg(wanted)));
        }
    }
    /// No pane's bars take the room of the script beside them, and no tables that of a drawing.
    void script_and_drawings_have_room_in_a_small_window() {
        WindowFixture fixture;
        fixture.window = fixture.makeWindow({900, 600});
        QVERIFY(fixture.openAndWait());
        const Workspace* workspace = fixture.window->workspace();
        const auto widths = [&] {
            QStringList all;
            for (const Pane* pane : workspace->findChildren<Pane*>())
                all << QString("%1 %2")
                           .arg(pane->objectName())
                           .arg(pane->parentWidget()->minimumSizeHint().width());
            return all.join(", ");
        };
        const int source = fixture.editor()->width();
        QVERIFY2(source >= 200, qPrintable(QString("%1: %2").arg(source).arg(widths())));
        auto* pane = fixture.pane<Pane>("partition");
        QVERIFY(fixture.settled());
        auto* canvas = pane->findChild<GraphCanvas*>();
        QTRY_VERIFY2(canvas->visibleRegion().boundingRect().height() >= 220,
                     qPrintable(QString::number(canvas->height())));
        fixture.window->resize(1280, 900); // above the tables again
        auto* table = pane->findChild<ItemView*>("savedTable");
        QTRY_VERIFY(!table->visibleRegion().isEmpty() && !canvas->visibleRegion().isEmpty());
    }
    void a_low_pane_keeps_its_rows() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<KernelsPane>("kernels");
        fixture.window->resize(900, 600);
        QTest::qWait(50);
        auto* tabs = pane->findChild<QTabWidget*>();
        for (const auto& [tab, view] : {std::pair(0, pane->tree()), {1, pane->decisions()}}) {
            tabs->setCurrentIndex(tab);
            QTest::qWait(20);
            const int row = view->visualRect(view->model()->index(0, 0)).height();
            QVERIFY(row > 0);
            QVERIFY2(view->viewport()->height() >= 5 * row / 2,
                     qPrintable(QString("%1 of %2").arg(view->viewport()->height()).arg(row)));
        }
        fixture.window->resize(1280, 1000);
        QTest::qWait(50);
        QVERIFY(tabs->indexOf(pane->tree()) < 0 && pane->tree()->isVisible());
    }
    void the_age_of_a_pane_covers_no_button() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        for (const char* id : {"run", "graph", "kernels", "partition"}) {
            auto* pane = fixture.pane<Pane>(id);
            auto* veil = pane->findChild<StaleVeil*>();
            veil->lift(QDateTime::currentDateTime(), false);
            const auto* age = veil->findChild<QLabel*>("staleAge");
            const QRect covered(age->mapTo(pane, QPoint()), age->size());
            for (QAbstractButton* button : pane->findChildren<QAbstractButton*>()) {
                if (!button->isVisible()) continue;
                const QRect place(button->mapTo(pane, QPoint()), button->size());
                QVERIFY2(!covered.intersects(place), qPrintable(id + (" " + button->text())));
            }
            veil->drop();
        }
    }
    void a_question_mark_opens_the_sheet_but_not_while_typing() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
        fixture.editor()->setFocus();
        QTest::keyClick(fixture.editor(), '?');
        QVERIFY(fixture.editor()->text().contains('?'));
        QVERIFY(!sheetOf(fixture));
        auto* canvas = fixture.pane<GraphPane>("graph")->canvas();
        canvas->setFocus();
        QTest::keyClick(canvas, '?');
        QTRY_VERIFY(sheetOf(fixture));
    }
    void layouts_show_what_they_are_for() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto shown = [&](const char* pane) {
            for (QDockWidget* dock : fixture.window->workspace()->docks())
                if (dock->objectName() == QString("dock.%1").arg(pane)) return !dock->isHidden();
            return false;
        };
        fixture.action("Learn")->trigger();
        QVERIFY(shown("graph") && shown("inspector") && shown("tour"));
        for (const PaneRow& row : paneList()) // nothing stands where they were
            QVERIFY2(row.place != PanePlace::Right && row.place != PanePlace::RightBottom
                         ? true
                         : !shown(row.id),
                     row.id);
        for (const LayoutRow& row : layoutRows())
            for (const auto& ids : {row.panes, row.front})
                for (const char* id : ids)
                    QVERIFY2(fixture.window->workspace()->findChild<Pane*>(id), id);
        fixture.action("Profile")->trigger();
        QVERIFY(shown("run") && shown("code") && !shown("passes"));
        fixture.action("Restore default layout")->trigger();
        for (const PaneRow& row : paneList())
            QVERIFY2(shown(row.id), row.id);
    }
    void every_layout_fits_the_smallest_window() {
        WindowFixture fixture;
        fixture.window = fixture.makeWindow({900, 600});
        QVERIFY(fixture.openAndWait());
        for (int layout = 1; layout <= 4; ++layout) {
            for (QAction* action : fixture.window->findChildren<QAction*>())
                if (action->shortcut() ==
                    QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key(Qt::Key_0 + layout)))
                    action->trigger();
            QVERIFY(fixture.settled());
            QTest::qWait(300); // type is sized a little later
            QStringList wide;
            for (const Pane* pane : fixture.window->workspace()->findChildren<Pane*>())
                if (pane->minimumSizeHint().width() > 200)
                    wide << QString("%1 %2")
                                .arg(pane->objectName())
                                .arg(pane->minimumSizeHint().width());
            QVERIFY2(!scrolls(fixture), qPrintable(QString("%1: ").arg(layout) + wide.join(", ")));
        }
        fixture.action("Presentation (Esc leaves it)")->trigger(); // of every window after this
    }
    void presentation_is_large_and_bare_and_ends() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        const double points = QApplication::font().pointSizeF();
        fixture.action("Presentation (Esc leaves it)")->trigger();
        QVERIFY(QApplication::font().pointSizeF() > 1.4 * points);
        QVERIFY(!fixture.window->statusBar()->isVisible());
        QTRY_COMPARE(fixture.window->menuBar()->height(), 0);
        auto* ring = fixture.window->findChild<QWidget*>("pointerRing");
        QVERIFY(ring->isVisible() && ring->testAttribute(Qt::WA_TransparentForMouseEvents));
        QVERIFY(ring->size() == fixture.window->size());
        auto shade = [&] { return ring->grab().toImage().pixelColor(1, ring->height() - 1); };
        const QColor bright = shade();
        QAction* spotlight = fixture.action("Spotlight");
        spotlight->trigger();
        QVERIFY(shade() != bright);
        spotlight->trigger();
        QCOMPARE(shade(), bright);
        spotlight->trigger(); // it ends with the presentation
        // The keys of a remote control lead through a tour.
        auto* tour = fixture.pane<TourPane>("tour");
        Tour mine;
        mine.steps.resize(3);
        tour->begin(mine);
        QTest::keyClick(fixture.window.get(), Qt::Key_PageDown);
        QCOMPARE(tour->step(), 1);
        QTest::keyClick(fixture.window.get(), Qt::Key_PageUp);
        QTest::keyClick(fixture.window.get(), Qt::Key_PageUp);
        QCOMPARE(tour->step(), 0);
        tour->goTo(-1);
        QTest::keyClick(fixture.window.get(), Qt::Key_F11);
        QVERIFY(!ring->isVisible());
        QVERIFY(!spotlight->isEnabled() && !spotlight->isChecked());
        QTRY_VERIFY(fixture.window->menuBar()->height() > 0);
        fixture.action("Presentation (Esc leaves it)")->trigger();
        fixture.action("Presentation (Esc leaves it)")->trigger();
        QCOMPARE(QApplication::font().pointSizeF(), points);
        QVERIFY(fixture.window->statusBar()->isVisible());
    }
    void a_presentation_is_disturbed_by_no_question_that_can_wait() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        fixture.session()->setText("edited = 1\n");
        QVERIFY(fixture.openAndWait(fixture.write("other.py", testing::kDoubleCosine)));
        const Banner* banner = fixture.window->banner();
        QTRY_VERIFY(banner->isVisible() && banner->text().contains("kept as a draft"));
        fixture.action("Presentation (Esc leaves it)")->trigger();
        QTRY_VERIFY(!banner->isVisible());
        fixture.action("Presentation (Esc leaves it)")->trigger();
        QTRY_VERIFY(banner->isVisible());
    }
    void presentation_leaves_every_dock_as_wide_as_it_was() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto widths = [&] {
            QList<int> all;
            for (const QDockWidget* dock : fixture.window->workspace()->docks())
                if (!dock->visibleRegion().isEmpty()) all << dock->width();
            return all;
        };
        auto* workspace = fixture.window->workspace();
        workspace->resizeDocks({workspace->docks()[0]}, {401}, Qt::Horizontal);
        QTest::qWait(100);
        const QList<int> before = widths();
        const QSize size = fixture.window->size();
        for (const char* how : {"Presentation (Esc leaves it)", "Present"}) {
            fixture.action(how)->trigger();
            QTest::qWait(200);
            QTest::keyClick(fixture.window.get(), Qt::Key_Escape);
            QVERIFY(fixture.window->statusBar()->isVisible());
            fixture.window->resize(size); // as a window manager does
            QTRY_COMPARE(widths(), before);
        }
    }
    void layouts_show_what_they_are_called_after() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto front = [&] {
            QStringList all;
            for (const QDockWidget* dock : fixture.window->workspace()->docks())
                if (!dock->visibleRegion().isEmpty()) all << dock->widget()->objectName();
            return all;
        };
        for (QAction* one : fixture.window->findChildren<QAction*>()) // a pane is called so, too
            if (one->property("command") == "&Compare") one->trigger();
        QTRY_VERIFY2(front().contains("compare") && front().contains("source"),
                     qPrintable(front().join(' ')));
        fixture.action("Present")->trigger();
        QTRY_COMPARE(front(), QStringList({"source", "graph", "code"}));
        fixture.action("Presentation (Esc leaves it)")->trigger();
    }
    void boxes_are_made_for_the_type_that_is_used() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* graph = fixture.pane<GraphPane>("graph");
        QVERIFY(fixture.settled());
        const double before = graph->canvas()->scene().nodes[1].rect.width();
        for (int i = 0; i < 8; ++i)
            fixture.action("Larger type")->trigger();
        QTRY_VERIFY(graph->canvas()->scene().nodes[1].rect.width() > 1.2 * before);
        for (int i = 0; i < 8; ++i)
            fixture.action("Smaller type")->trigger();
        QTRY_COMPARE(graph->canvas()->scene().nodes[1].rect.width(), before);
    }
    void nothing_is_said_of_buffers_that_were_not_compiled() {
        WindowFixture fixture("userError");
        QVERIFY(fixture.window->openFile(fixture.path));
        QVERIFY(fixture.settled());
        auto* pane = fixture.pane<KernelsPane>("kernels");
        const QString said = pane->findChild<ItemView*>("decisionTable")->emptyText();
        QVERIFY2(said.contains("does not compile"), qPrintable(said));
    }
    void what_was_given_up_is_not_marked_as_well() {
        WindowFixture fixture("slow");
        QVERIFY(fixture.window->openFile(fixture.path));
        QTRY_VERIFY(fixture.session()->isCompiling());
        fixture.session()->cancel();
        QTRY_VERIFY(fixture.session()->wasCancelled() && !fixture.session()->isCompiling());
        QString status;
        for (const QLabel* label : fixture.window->statusBar()->findChildren<QLabel*>())
            if (label->text().contains("Cancelled")) status = label->text();
        QVERIFY2(status.contains(lightTheme().warning.name()), qPrintable(status));
        QVERIFY(!status.contains(lightTheme().good.name()));
    }
    void text_is_found_where_the_keyboard_is() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* code = fixture.pane<CodePane>("code");
        code->view()->setFocus();
        fixture.action("Find in text…")->trigger();
        QTRY_VERIFY(code->findBar()->isVisible());
        const FindBar* source = fixture.window->workspace()->pane<SourcePane>()->findBar();
        QVERIFY(!source->isVisible());
        QVERIFY(!code->findBar()->replacement()->isVisible());
        code->findBar()->wanted()->setText("cos");
        QVERIFY2(code->findBar()->said().endsWith("found"), qPrintable(code->findBar()->said()));
        fixture.action("Find next")->trigger(); // of the field that has the keyboard
        QVERIFY(!source->isVisible());
        QCOMPARE(code->view()->selectedText(), QString("cos"));
        QVERIFY(fixture.openAndWait(fixture.write("second.py", testing::kDoubleCosine)));
        QVERIFY(!code->findBar()->isVisible());
        fixture.editor()->setFocus();
        fixture.action("Find in text…")->trigger();
        QTRY_VERIFY(source->isVisible());
    }
    void text_is_found_and_replaced_in_place() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        fixture.editor()->setText("cos sin\ncos Cos\n");
        fixture.editor()->setCursorPosition(0, 0);
        fixture.action("Replace in source…")->trigger();
        FindBar* bar = fixture.window->workspace()->pane<SourcePane>()->findBar();
        QTRY_VERIFY(bar->isVisible());
        bar->wanted()->setText("cos");
        QCOMPARE(bar->said(), QString("3 found"));
        QCOMPARE(fixture.editor()->selectedText(), QString("cos"));
        QTest::keyClick(bar->wanted(), Qt::Key_Return);
        int line = 0, column = 0;
        fixture.editor()->getCursorPosition(&line, &column);
        QCOMPARE(line, 1);
        bar->replacement()->setText("tan");
        bar->replaceAll();
        QCOMPARE(fixture.editor()->text(), QString("tan sin\ntan tan\n"));
        bar->expression()->setChecked(true);
        bar->wanted()->setText("(t)an");
        bar->replacement()->setText("\\1anh");
        bar->replaceAll();
        QCOMPARE(fixture.editor()->text(), QString("tanh sin\ntanh tanh\n"));
        bar->wanted()->setText("(");
        QCOMPARE(bar->said(), QString("no valid expression"));
        QTest::keyClick(bar->wanted(), Qt::Key_Escape);
        QVERIFY(!bar->isVisible());
    }
    void graphs_are_exported_whole_shown_and_selected() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        auto* pane = fixture.pane<GraphPane>("graph");
        pane->setStage("joint");
        QVERIFY(fixture.settled());
        GraphCanvas& canvas = *pane->canvas();
        auto file = [&](const char* name) { return fixture.folder.filePath(name); };
        for (const char* name : {"g.svg", "g.pdf", "g.png", "g.dot", "g.graphml"})
            QVERIFY2(exportGraph(canvas, canvas.scene(), ExportScope::Whole, file(name)).ok(),
                     name);
        QVERIFY(QSvgRenderer(file("g.svg")).isValid());
        QVERIFY(WindowFixture::read(file("g.pdf")).startsWith("%PDF"));
        const QImage usual(file("g.png"));
        QVERIFY(!usual.isNull());
        QVERIFY(exportGraph(canvas, canvas.scene(), ExportScope::Whole, file("large.png"), 4).ok());
        QVERIFY(std::abs(QImage(file("large.png")).width() - 2 * usual.width()) <= 2);
        QXmlStreamReader graphMl(WindowFixture::read(file("g.graphml")));
        int nodes = 0, edges = 0;
        while (!graphMl.atEnd())
            if (graphMl.readNext() == QXmlStreamReader::StartElement) {
                nodes += graphMl.name() == QLatin1String("node");
                edges += graphMl.name() == QLatin1String("edge");
            }
        QVERIFY2(!graphMl.hasError(), qPrintable(graphMl.errorString()));
        QCOMPARE(nodes, int(canvas.scene().nodes.size() + canvas.scene().frames.size()));
        QCOMPARE(edges, int(canvas.scene().edges.size()));
        const QByteArray dot = WindowFixture::read(file("g.dot"));
        QCOMPARE(dot.count("[label=") - dot.count("->"), int(canvas.scene().nodes.size()));
        fixture.window->selectKey("joint/cos");
        QVERIFY(exportGraph(canvas, canvas.scene(), ExportScope::Selected, file("s.dot")).ok());
        QCOMPARE(WindowFixture::read(file("s.dot")).count("[label="), 1);
        fixture.window->selection()->clear();
        const auto none = exportGraph(canvas, canvas.scene(), ExportScope::Selected, file("n.dot"));
        QVERIFY(!none.ok() && none.error().message.find("selected") != std::string::npos);
        QVERIFY(!exportGraph(canvas, canvas.scene(), ExportScope::Whole, file("g.doc")).ok());
    }
    void docks_have_their_shares_again_after_a_small_window() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        fixture.window->resize(1590, 970);
        auto shown = [&] {
            QTest::qWait(80);
            QMap<QString, QSize> sizes;
            for (const QDockWidget* dock : fixture.window->workspace()->docks())
                if (!dock->visibleRegion().isEmpty()) sizes[dock->objectName()] = dock->size();
            return sizes;
        };
        QTest::qWait(1700); // it is no start any more
        const auto before = shown();
        QVERIFY(before.size() > 3);
        fixture.window->resize(900, 600);
        QVERIFY(shown() != before);
        fixture.window->resize(1590, 970);
        const auto after = shown();
        for (auto at = before.begin(); at != before.end(); ++at) {
            const QSize was = at.value(), is = after.value(at.key());
            QVERIFY2(std::abs(was.width() - is.width()) < 6 &&
                         std::abs(was.height() - is.height()) < 6,
                     qPrintable(QString("%1: %2x%3, then %4x%5")
                                    .arg(at.key())
                                    .arg(was.width())
                                    .arg(was.height())
                                    .arg(is.width())
                                    .arg(is.height())));
        }
    }
    void a_pane_behind_a_tab_says_its_title_once() {
        WindowFixture fixture;
        fixture.window->workspace()->setLocked(false);
        QTest::qWait(50);
        int handles = 0;
        for (QDockWidget* dock : fixture.window->workspace()->docks()) {
            const bool tabbed = !fixture.window->workspace()->tabifiedDockWidgets(dock).isEmpty();
            QCOMPARE(dock->titleBarWidget() != nullptr, tabbed);
            if (!tabbed) continue;
            ++handles;
            QVERIFY(dock->titleBarWidget()->findChildren<QLabel*>().isEmpty());
            QCOMPARE(dock->titleBarWidget()->findChildren<QToolButton*>().size(), 2);
        }
        QVERIFY(handles > 5);
        fixture.window->workspace()->setLocked(true);
        QTest::qWait(50);
        for (QDockWidget* dock : fixture.window->workspace()->docks())
            QVERIFY(dock->titleBarWidget() && dock->titleBarWidget()->objectName() != "dockHandle");
    }
    void both_keys_with_a_plus_make_the_type_larger() {
        WindowFixture fixture;
        const auto keys = fixture.action("Larger type")->shortcuts();
        QVERIFY(keys.contains(QKeySequence("Ctrl++")) && keys.contains(QKeySequence("Ctrl+=")));
    }
    void a_note_of_a_long_line_stays_in_sight() {
        CodeView view;
        view.resize(300, 200);
        view.setCode("    " + QString("a + ").repeated(80) + "b\n", false);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const QString message =
            "the bracket that opens here is never closed, as far as can be seen";
        view.addError(0, 10, 11, message, false);
        QVERIFY(view.annotation(0).startsWith("the bracket"));
        view.setCursorPosition(0, 320); // scrolls
        QTRY_VERIFY(view.horizontalScrollBar()->value() > 400);
        QTRY_VERIFY(view.annotation(0).startsWith("   "));
        const QStringList lines = view.annotation(0).split('\n');
        const QFontMetricsF metrics(codeFont());
        for (const QString& line : lines) {
            const auto blank = line.size() - line.trimmed().size();
            const double left = (4 + 0.92 * double(blank)) * metrics.horizontalAdvance('m');
            QVERIFY2(left + 1 >= view.horizontalScrollBar()->value(), qPrintable(line));
            QVERIFY(left < view.horizontalScrollBar()->value() + 100);
        }
        QCOMPARE(lines.join(' ').simplified(), message);
        view.setCursorPosition(0, 0);
        QTRY_VERIFY(view.annotation(0).startsWith("the bracket"));
    }
    void the_palette_says_why_a_command_is_not_possible() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        fixture.action("Commands…")->trigger();
        auto* palette = fixture.window->findChild<CommandPalette*>();
        QVERIFY(palette);
        palette->findChild<QLineEdit*>()->setText("run cancel");
        auto* list = palette->findChild<QListWidget*>();
        QVERIFY(list->count() > 0);
        QVERIFY(!(list->item(0)->flags() & Qt::ItemIsEnabled));
        QCOMPARE(list->item(0)->data(Qt::UserRole + 1).toString(), QString("nothing is under way"));
        palette->close();
    }
    void back_does_not_lead_into_another_document() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        fixture.window->selectKey("joint/cos");
        fixture.window->selectKey("joint/cos_1");
        QVERIFY(fixture.window->selection()->canGoBack());
        QVERIFY(fixture.openAndWait(fixture.write("other.py", testing::kDoubleCosine)));
        QVERIFY(!fixture.window->selection()->canGoBack());
        QVERIFY(fixture.window->selection()->isEmpty());
    }
    /// The program was started once on a small screen.
    void docks_have_their_shares_again_after_a_start_in_a_small_window() {
        WindowFixture fixture;
        const auto start = [&](QSize size) {
            fixture.window.reset();
            fixture.window = fixture.makeWindow(size);
            QMap<QString, QSize> sizes;
            if (!fixture.openAndWait()) return sizes;
            QTest::qWait(3000); // it is no start any more, and has been kept
            for (const QDockWidget* dock : fixture.window->workspace()->docks())
                if (!dock->visibleRegion().isEmpty()) sizes[dock->objectName()] = dock->size();
            return sizes;
        };
        const auto before = start({1590, 970});
        QVERIFY(before.size() > 3);
        QVERIFY(start({800, 480}) != before);
        const auto after = start({1590, 970});
        for (auto at = before.begin(); at != before.end(); ++at) {
            const QSize by = at.value() - after.value(at.key());
            QVERIFY2(std::abs(by.width()) < 8 && std::abs(by.height()) < 8,
                     qPrintable(
                         QString("%1: %2x%3 more").arg(at.key()).arg(by.width()).arg(by.height())));
        }
    }
    void splitters_of_panes_out_of_sight_are_kept_under_other_colours() {
        WindowFixture fixture;
        QVERIFY(fixture.openAndWait());
        const auto kept = [&] { return fixture.window->workspace()->splitterStates(); };
        for (const char* id : {"partition", "memory", "graph", "run", "kernels"}) {
            fixture.window->workspace()->reveal(id);
            QCoreApplication::processEvents();
        }
        const auto before = kept();
        QVERIFY(before.size() > 1);
        fixture.action("Switch light and dark")->trigger();
        QTest::qWait(100);
        QCOMPARE(kept().size(), before.size());
    }
};

QTEST_MAIN(TestShell)
#include "test_shell.moc"
