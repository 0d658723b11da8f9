// SPDX-License-Identifier: GPL-3.0-or-later
// Every pane with and without a record, linking across panes, the banner after a crash, and a
// picture of the window that is not blank.
#include "core/record/json.h"
#include "tests/views/sample_record.h"
#include "views/main_window.h"
#include "views/models/rows.h"
#include "views/panes/code/code_pane.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/kernels/kernels_pane.h"
#include "views/panes/passes/passes_pane.h"
#include "views/panes/source/source_pane.h"
#include "views/widgets/banner.h"
#include "views/widgets/code_view.h"
#include "views/widgets/command_palette.h"
#include "views/widgets/detail_line.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/item_view.h"
#include "views/workspace.h"

#include <QApplication>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QTimer>
#include <QtTest>
#include <csignal>
#include <nlohmann/json.hpp>

using namespace cutaway;
using namespace cutaway::views;

namespace {

struct Fixture {
    explicit Fixture(const char* mode, const QString& theme = "light") {
        path = folder.filePath("double_cosine.py");
        QFile file(path);
        if (file.open(QIODevice::WriteOnly)) file.write(testing::kDoubleCosine);
        file.close();
        MainWindow::Options options;
        options.engineCommand = {FAKE_ENGINE, mode};
        options.settingsFile = folder.filePath("settings.ini");
        options.theme = theme;
        window = std::make_unique<MainWindow>(options);
        window->resize(1280, 800);
        window->show();
    }
    bool openAndWait() {
        window->openFile(path);
        return QTest::qWaitFor(
            [&] { return !window->session()->record()->isEmpty() && window->isIdle(); });
    }
    bool openRecord(const record::Record& record) {
        path = folder.filePath("saved.cutaway");
        return record::save(record, path.toStdString()).ok() && openAndWait();
    }
    template <typename T> T* pane(const char* id) const {
        window->reveal(id);
        QCoreApplication::processEvents();
        auto* found = window->workspace()->findChild<T*>(id);
        found->flush();
        return found;
    }
    ItemId item(const char* key) const { return window->session()->record()->find(key); }
    QTemporaryDir folder;
    QString path;
    std::unique_ptr<MainWindow> window;
};

int marked(CodeView* view, int line) {
    return static_cast<int>(view->markersAtLine(line)) & 0b1110;
}

bool inSight(CodeView* view, int line) {
    int first = view->firstVisibleLine();
    auto shown = static_cast<int>(view->SendScintilla(QsciScintilla::SCI_LINESONSCREEN));
    return line >= first && line < first + shown;
}

/// A code pane of its own, with room for a few lines only.
std::unique_ptr<CodePane> smallCodePane(const Fixture& f) {
    auto pane = std::make_unique<CodePane>(PaneContext{f.window->session(), f.window->selection()},
                                           nullptr);
    pane->applyTheme(lightTheme());
    pane->resize(320, 160);
    pane->show();
    pane->flush();
    return pane;
}

} // namespace

class TestWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_pane_lives_with_no_record_and_with_one() {
        EngineClient engine({FAKE_ENGINE, "good"});
        QTemporaryDir folder;
        Session session(&engine, DraftStore(folder.path()));
        SelectionState selection;
        for (const PaneRow& row : paneList()) {
            std::unique_ptr<Pane> pane(row.make({&session, &selection}, nullptr));
            pane->applyTheme(lightTheme());
            pane->resize(300, 200);
            pane->show();
            pane->flush();
            QVERIFY2(!pane->grab().isNull(), row.id);
        }
        Fixture f("good");
        QVERIFY(f.openAndWait());
        for (const PaneRow& row : paneList()) {
            Pane* pane = f.pane<Pane>(row.id);
            pane->applyTheme(darkTheme());
            pane->flush();
            QVERIFY2(pane->isVisible(), row.id);
            QVERIFY2(!pane->whatsThis().isEmpty(), row.id);
        }
    }
    /// Each would hold records, ask the engine and place graphs that nobody sees.
    void panes_behind_others_wait_until_they_are_looked_at() {
        Fixture fixture("good");
        QVERIFY(fixture.openAndWait());
        auto* passes = fixture.window->workspace()->findChild<PassesPane*>("passes");
        fixture.window->reveal("graph");
        QCoreApplication::processEvents();
        fixture.window->session()->compileNow();
        QVERIFY(QTest::qWaitFor([&] { return fixture.window->isIdle(); }));
        QCOMPARE(passes->currentPass(), -1);
        fixture.window->reveal("passes");
        QVERIFY(passes->currentPass() >= 0);
    }
    void what_is_asked_of_the_engine_holds_no_record() {
        Fixture fixture("good");
        QVERIFY(fixture.openAndWait());
        Session* session = fixture.window->session();
        const RecordPtr& shown = session->record();
        const long holders = shown.use_count();
        session->story(nlohmann::json::object(), [](const JsonPtr&, const QString&) {});
        session->overlay("none", [](const auto&, const QString&) {});
        session->listing({0, 0, "forward", "none", "cpp"}, [](const Listing&) {});
        QCOMPARE(shown.use_count(), holders);
    }
    void a_source_line_lights_nodes_kernels_and_code() {
        Fixture f("good");
        QVERIFY(f.openAndWait());
        auto* source = f.pane<SourcePane>("source");
        auto* code = f.pane<CodePane>("code");
        f.pane<KernelsPane>("kernels");
        source->goTo(9, 4); // b = torch.cos(a)
        emit source->editor()->lineActivated(9);
        SelectionState* selection = f.window->selection();
        QCOMPARE(selection->items(), std::vector<ItemId>{f.item("source:10")});
        QVERIFY(selection->level(f.item("backward/sin")) == Highlight::Direct);
        code->flush();
        QVERIFY(!marked(code->view(), 3)); // cos, line 4 of fused_cos
        QVERIFY(marked(code->view(), 4));  // cos_1
        source->flush();
        QVERIFY(marked(source->editor(), 9));
        QVERIFY(!marked(source->editor(), 8));
    }
    void a_code_line_leads_back_to_the_source() {
        Fixture f("good");
        QVERIFY(f.openAndWait());
        auto* source = f.pane<SourcePane>("source");
        auto* code = f.pane<CodePane>("code");
        emit code->view()->lineActivated(3);
        QCOMPARE(f.window->selection()->items(),
                 std::vector<ItemId>{f.item("forward/cpp/fused_cos:4")});
        source->flush();
        QVERIFY(marked(source->editor(), 8));
        QVERIFY(!marked(source->editor(), 9));
    }
    void a_backward_kernel_brings_its_code_up() {
        Fixture f("good");
        QVERIFY(f.openAndWait());
        auto* code = f.pane<CodePane>("code");
        QVERIFY(code->view()->text().contains("cos_1"));
        f.window->selection()->select({f.item("backward/kernel/fused_cos")});
        code->flush();
        QVERIFY(code->view()->text().contains("mul_1"));
        code->setLanguage("cuda");
        QVERIFY(code->view()->text().contains("__global__"));
        code->setLanguage("llvm");
        QTRY_VERIFY(code->view()->text().contains("define void"));
    }
    void a_language_opens_at_what_is_lit() {
        Fixture f("good");
        QVERIFY(f.openAndWait());
        auto code = smallCodePane(f);
        f.window->selection()->select({f.item("backward/kernel/fused_cos")});
        code->flush();
        emit code->view()->lineActivated(9); // mul_1, the last line
        code->view()->setFirstVisibleLine(0);
        code->flush();
        QCOMPARE(code->view()->firstVisibleLine(), 0); // the text that was clicked stays
        QVERIFY(!inSight(code->view(), 7));
        code->setLanguage("cuda");
        QVERIFY(marked(code->view(), 7));
        QVERIFY(inSight(code->view(), 7));
    }
    void another_text_opens_at_its_start() {
        Fixture f("good");
        QVERIFY(f.openAndWait());
        auto code = smallCodePane(f);
        f.window->selection()->select({f.item("backward/kernel/fused_cos")});
        code->flush();
        f.window->selection()->clear();
        code->flush();
        code->view()->setFirstVisibleLine(4);
        int before = code->view()->firstVisibleLine();
        QVERIFY(before > 0);
        RecordPtr old = f.window->session()->record();
        f.window->session()->setText(f.window->session()->text() + "# more\n");
        QTRY_VERIFY(f.window->session()->record() != old);
        code->flush();
        QCOMPARE(code->view()->firstVisibleLine(), before); // the same text, renewed
        code->setLanguage("cuda");
        QCOMPARE(code->view()->firstVisibleLine(), 0);
    }
    void empty_lines_of_code_are_never_lit() {
        record::Record record = testing::doubleCosineRecord();
        for (record::Code& code : record.functions[0].entries[0].lowered[0].kernels[0].codes)
            if (code.language == "cpp")
                code.lines.insert(code.lines.begin() + 4, {code.lines[3].item, "  "});
        Fixture f("good");
        QVERIFY(f.openRecord(record));
        auto* code = f.pane<CodePane>("code");
        emit code->view()->lineActivated(3);
        code->flush();
        QVERIFY(marked(code->view(), 3));
        QVERIFY(!marked(code->view(), 4));
    }
    void a_long_prelude_is_folded_away() {
        CodeView view;
        view.resize(400, 300);
        view.show();
        view.setReadOnly(true);
        view.setLanguage("cpp");
        QString text;
        for (int i = 0; i < 700; ++i)
            text += "#define X" + QString::number(i) + " {\n";
        text += "int kernel() {}\n";
        view.setCode(text);
        view.setHiddenPrefix(700);
        QCoreApplication::processEvents();
        view.setHighlights([](int) { return Highlight::None; });
        view.grab();
        QVERIFY(!view.SendScintilla(QsciScintilla::SCI_GETLINEVISIBLE, 1));
        QVERIFY(!view.SendScintilla(QsciScintilla::SCI_GETLINEVISIBLE, 699));
        QVERIFY(view.SendScintilla(QsciScintilla::SCI_GETLINEVISIBLE, 700));
        view.setTheme(themeRows().back().theme); // other colours open nothing
        QCoreApplication::processEvents();
        QVERIFY(!view.SendScintilla(QsciScintilla::SCI_GETLINEVISIBLE, 1));
        view.setHiddenPrefix(0);
        QVERIFY(view.SendScintilla(QsciScintilla::SCI_GETLINEVISIBLE, 1));
    }
    void a_table_row_selects_its_items() {
        Fixture f("good");
        QVERIFY(f.openAndWait());
        auto* kernels = f.pane<KernelsPane>("kernels");
        QModelIndex row = kernels->decisions()->model()->index(0, 0);
        kernels->decisions()->setCurrentIndex(row);
        QCOMPARE(f.window->selection()->items().size(), 2u);
        kernels->decisions()->selectAll();
        QVERIFY(kernels->decisions()->selectionAsTsv().contains("fused: vertical\t"));
    }
    void a_kernel_tells_what_was_considered_for_it() {
        Fixture f("good");
        QVERIFY(f.openAndWait());
        auto* kernels = f.pane<KernelsPane>("kernels");
        kernels->flush();
        const QString text = kernels->findChild<QTextBrowser*>()->toPlainText();
        QVERIFY2(text.contains("Considered for CPU"), qPrintable(text));
        QVERIFY(text.contains("elements: vector 16, threads 2"));
        QVERIFY(text.contains("rows share nothing"));
    }
    void a_selection_reveals_the_deepest_row() {
        Fixture f("good");
        QVERIFY(f.openAndWait());
        auto* kernels = f.pane<KernelsPane>("kernels");
        f.window->selection()->select({f.item("backward/mul_1")});
        kernels->flush();
        QModelIndex row = kernels->tree()->meantRow();
        QCOMPARE(row.data().toString(), QString("mul_1"));
        QRect place = kernels->tree()->visualRect(row);
        QVERIFY(kernels->tree()->viewport()->rect().contains(place.center()));
    }
    void a_line_tells_the_whole_reason_of_a_row() {
        Fixture f("good");
        QVERIFY(f.openAndWait());
        auto* kernels = f.pane<KernelsPane>("kernels");
        auto* line = kernels->findChild<DetailLine*>();
        f.window->selection()->select({f.item("backward/buffer/mul_1")});
        kernels->flush();
        QCOMPARE(line->text(),
                 QString("neg_1 + mul_1: the second reads the first element by element"));
        QAbstractItemModel* model = kernels->decisions()->model();
        emit kernels->decisions()->entered(model->index(model->rowCount() - 1, 0));
        QCOMPARE(line->text(), QString("they share no data"));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(kernels->decisions()->viewport(), &leave);
        QCOMPARE(line->text(),
                 QString("neg_1 + mul_1: the second reads the first element by element"));
    }
    void long_messages_take_more_lines() {
        ItemView list(rows::messageColumns(), "list");
        list.setWrapped(true);
        list.setStretchColumn(1);
        base::Diagnostic brief, lengthy;
        brief.message = "brief";
        for (int i = 0; i < 12; ++i)
            lengthy.message += "many words ";
        list.resize(300, 200);
        list.show();
        list.setRows(rows::messages(RecordView({}), {brief, lengthy}));
        QCoreApplication::processEvents();
        auto height = [&](int row) {
            return list.visualRect(list.model()->index(row, 0)).height();
        };
        QVERIFY(height(1) >= 3 * (height(0) - 6));
    }
    void a_search_moves_nothing_in_the_bar() {
        Fixture f("good");
        QVERIFY(f.openAndWait());
        auto* graph = f.pane<GraphPane>("graph");
        auto* field = graph->findChild<QLineEdit*>();
        QSize least = graph->minimumSizeHint();
        QRect place = field->geometry();
        field->setText("cos");
        QCoreApplication::processEvents();
        QCOMPARE(field->findChild<QLabel*>()->text(), QString("2"));
        QVERIFY(field->findChild<QLabel*>()->isVisible());
        QCOMPARE(graph->minimumSizeHint(), least);
        QCOMPARE(field->geometry(), place);
    }
    void the_graph_pane_shows_every_stage_without_moving_on_an_edit() {
        Fixture f("good");
        QVERIFY(f.openAndWait());
        auto* graph = f.pane<GraphPane>("graph");
        for (auto [stage, nodes] : {std::pair{"captured", 3u}, std::pair{"joint", 10u},
                                    std::pair{"forward", 3u}, std::pair{"backward", 9u}}) {
            graph->setStage(stage);
            QTRY_VERIFY(graph->isSettled());
            QCOMPARE(graph->canvas()->scene().nodes.size(), size_t(nodes));
        }
        QRectF before = graph->canvas()->scene().nodes[2].rect;
        RecordPtr old = f.window->session()->record();
        f.window->session()->setText(f.window->session()->text() + "# more\n");
        QTRY_VERIFY(f.window->session()->record() != old);
        graph->flush();
        QCOMPARE(graph->canvas()->scene().nodes[2].rect, before);
    }
    void passes_are_stepped_through() {
        Fixture f("good");
        QVERIFY(f.openAndWait());
        auto* passes = f.pane<PassesPane>("passes");
        QCOMPARE(passes->currentPass(), 1);
        passes->step(1);
        QCOMPARE(passes->currentPass(), 2);
        passes->step(1);
        QCOMPARE(passes->currentPass(), 2);
        passes->step(-1);
        QCOMPARE(passes->currentPass(), 1);
    }
    void an_error_stands_beside_its_line() {
        Fixture f("good");
        QVERIFY(f.openAndWait());
        auto* source = f.pane<SourcePane>("source");
        QString text = f.window->session()->text();
        source->editor()->setText(text.replace("torch.cos(x)", "wrong.cos(x)"));
        QTRY_VERIFY(f.window->session()->failed());
        QTRY_VERIFY(source->editor()->annotation(8).contains("unknown name 'wrong'"));
        QVERIFY(source->editor()->annotation(8).contains("did you mean"));
        QVERIFY(!f.window->session()->record()->isEmpty());
    }
    void an_engine_that_is_gone_comes_back_by_itself() {
        Fixture f("good");
        QVERIFY(f.openAndWait());
        QVERIFY(!f.window->banner()->isVisible());
        const qint64 before = f.window->session()->engine()->processId();
        kill(static_cast<pid_t>(before), SIGKILL);
        QTRY_VERIFY(f.window->banner()->isVisible());
        QTRY_VERIFY(f.window->banner()->text().contains("started again"));
        QVERIFY(!f.window->session()->record()->isEmpty());
        QTRY_VERIFY(f.window->isIdle());
        QVERIFY(f.window->session()->engine()->processId() != before);
    }
    void one_that_falls_again_waits_for_the_button() {
        Fixture f("crash");
        QVERIFY(f.window->openFile(f.path));
        auto* engine = f.window->session()->engine();
        QTRY_VERIFY(f.window->session()->wasInterrupted());
        QTRY_COMPARE(engine->state(), EngineClient::State::Ready); // once
        f.window->session()->compileAgain();
        QTRY_COMPARE(engine->state(), EngineClient::State::Crashed);
        QTest::qWait(100);
        QCOMPARE(engine->state(), EngineClient::State::Crashed);
        QTRY_VERIFY(f.window->banner()->isVisible());
        f.window->banner()->findChild<QPushButton*>()->click();
        QTRY_COMPARE(engine->state(), EngineClient::State::Ready);
    }
    void the_layout_is_stored_and_restored() {
        QString settings;
        Fixture f("good");
        QVERIFY(f.openAndWait());
        auto* memory = f.window->workspace()->docks().back();
        memory->hide();
        f.window->close();
        MainWindow::Options options;
        options.engineCommand = {FAKE_ENGINE, "good"};
        options.settingsFile = f.folder.filePath("settings.ini");
        MainWindow again(options);
        QVERIFY(again.workspace()->docks().back()->isHidden());
        again.workspace()->restoreDefaultLayout();
        QVERIFY(!again.workspace()->docks().back()->isHidden());
    }
    void the_graph_is_exported_where_the_pane_in_sight_has_none() {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        Fixture f("good");
        record::Record record = testing::doubleCosineRecord();
        for (record::Function& function : record.functions)
            for (record::Entry& entry : function.entries)
                entry.hasPartition = false;
        QVERIFY(f.openRecord(record));
        f.window->reveal("partition");
        QVERIFY(QTest::qWaitFor([&] { return f.window->isIdle(); }));
        QTimer::singleShot(0, qApp, [] {
            QTRY_VERIFY(qobject_cast<QFileDialog*>(QApplication::activeModalWidget()));
            auto* dialog = static_cast<QDialog*>(QApplication::activeModalWidget());
            dialog->findChild<QLineEdit*>("fileNameEdit")->setText("whole.svg");
            dialog->accept();
        });
        for (QAction* action : f.window->findChildren<QAction*>())
            if (action->property("command").toString().remove('&').startsWith("Whole"))
                action->trigger();
        QVERIFY(QFile::exists(f.folder.filePath("whole.svg")));
    }
    void who_drags_a_locked_pane_is_told() {
        Fixture f("good");
        QVERIFY(f.openAndWait());
        QSignalSpy told(f.window->workspace(), &Workspace::lockedPaneDragged);
        QTabBar* bar = nullptr; // of docks
        for (QTabBar* one :
             f.window->workspace()->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
            if (one->isVisible() && one->count() > 1) bar = one;
        QVERIFY(bar);
        const QPoint at = bar->tabRect(0).center();
        QTest::mousePress(bar, Qt::LeftButton, {}, at);
        QTest::mouseMove(bar, at + QPoint(2, 1));
        QCOMPARE(told.size(), 0);
        QMouseEvent far(QEvent::MouseMove, at + QPoint(90, 60),
                        bar->mapToGlobal(at + QPoint(90, 60)), Qt::NoButton, Qt::LeftButton,
                        Qt::NoModifier);
        QApplication::sendEvent(bar, &far);
        QApplication::sendEvent(bar, &far);
        QTest::mouseRelease(bar, Qt::LeftButton, {}, at + QPoint(90, 60));
        QCOMPARE(told.size(), 1); // once a drag
        QVERIFY(f.window->statusBar()->findChildren<QLabel*>().size() > 0);
        bool said = false;
        for (const QLabel* label : f.window->statusBar()->findChildren<QLabel*>())
            said = said || label->text().contains("Lock panes");
        QVERIFY(said);
    }
    void commands_are_found_by_words_and_by_letters() {
        std::vector<PaletteEntry> entries{{"File › Open", {}, true, {}},
                                          {"View › Fit graph", {}, true, {}},
                                          {"Run › Measure", {}, true, {}}};
        QCOMPARE(CommandPalette::matching(entries, "graph fit", 9), std::vector<int>{1});
        QCOMPARE(CommandPalette::matching(entries, "rnmsr", 9), std::vector<int>{2});
        QCOMPARE(CommandPalette::matching(entries, "", 9).size(), 3u);
        QVERIFY(CommandPalette::matching(entries, "xyz", 9).empty());
        entries[1].about = "As SVG or PNG";
        QCOMPARE(CommandPalette::matching(entries, "svg", 9), std::vector<int>{1});
        // A word that is told of one means more than its letters scattered over another's name.
        entries = {{"View › Theme › As the system", {}, true, {}},
                   {"File › Colour the graph by a file…", {}, true, {}}};
        entries[1].about = "Numbers of nodes as a heat map";
        QCOMPARE(CommandPalette::matching(entries, "heat", 9), (std::vector<int>{1, 0}));
    }
    void the_window_is_not_blank_data() {
        QTest::addColumn<QString>("theme");
        QTest::newRow("light") << "light";
        QTest::newRow("dark") << "dark";
    }
    void the_window_is_not_blank() {
        QFETCH(QString, theme);
        Fixture f("good", theme);
        QVERIFY(f.openAndWait());
        QImage image = f.window->grab().toImage();
        QCOMPARE(image.size(), QSize(1280, 800));
        QSet<QRgb> colours;
        int dark = 0, all = 0;
        for (int y = 0; y < image.height(); y += 3)
            for (int x = 0; x < image.width(); x += 3) {
                colours.insert(image.pixel(x, y));
                dark += QColor(image.pixel(x, y)).lightness() < 128;
                ++all;
            }
        QVERIFY2(colours.size() > 60, qPrintable(QString::number(colours.size())));
        QCOMPARE(dark > all / 2, theme == "dark");
    }
    void panes_behind_other_tabs_change_their_colours() {
        // Panes behind other tabs get their colours when they are shown.
        const QStringList panes{"graph", "kernels", "memory", "capture", "inspector", "run"};
        const auto pictures = [&](const Fixture& f) {
            QList<QImage> all;
            for (const QString& id : panes) {
                f.window->reveal(id);
                if (!QTest::qWaitFor([&] { return f.window->isIdle(); })) return all;
                f.window->activateWindow();
                f.window->workspace()->setFocus();
                QTest::qWait(20);
                all << f.window->workspace()->grab().toImage();
            }
            return all;
        };
        const auto pixelsOf = [](const QImage& image, const QSet<QRgb>& colours) {
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    count += colours.contains(image.pixel(x, y));
            return count;
        };
        Fixture f("good", "light");
        QVERIFY(f.openAndWait());
        pictures(f); // all have been shown once
        const QList<QImage> light = pictures(f);
        f.window->setThemeChoice("dark");
        QTest::qWait(100);
        const QList<QImage> dark = pictures(f);
        f.window->setThemeChoice("light");
        QTest::qWait(100);
        const QList<QImage> again = pictures(f);
        const Theme& was = lightTheme();
        const QSet<QRgb> grounds{was.window.rgb(), was.base.rgb(), was.raised.rgb()};
        for (qsizetype i = 0; i < panes.size(); ++i) {
            const auto failed = [&](const QString& what) {
                return QString("%1: %2").arg(panes[i], what).toUtf8();
            };
            QVERIFY(again.size() > i && dark.size() > i);
            QVERIFY2(pixelsOf(light[i], grounds) > 100'000, failed("light"));
            const int left = pixelsOf(dark[i], grounds);
            QVERIFY2(left < 200, failed(QString::number(left)));
            QVERIFY2(again[i] == light[i], failed("again"));
        }
    }
};

QTEST_MAIN(TestWindow)
#include "test_window.moc"
