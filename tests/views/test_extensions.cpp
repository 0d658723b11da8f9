// SPDX-License-Identifier: GPL-3.0-or-later
// What plug-ins of the engine add to the window; where calls compute, line by line; a script's own
// switch that keeps it from compiling.
#include "tests/views/window_fixture.h"
#include "views/models/sampled.h"
#include "views/panes/code/code_pane.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/run/run_pane.h"
#include "views/widgets/item_view.h"
#include "views/widgets/settings_dialog.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QTabWidget>
#include <nlohmann/json.hpp>

using namespace cutaway;
using namespace cutaway::views;
using Fixture = cutaway::views::testing::WindowFixture;

class TestExtensions : public QObject {
    Q_OBJECT

    static void setPlugins(Fixture& f, const QString& files) {
        f.action("Settings…")->trigger();
        auto* dialog = f.window->findChild<SettingsDialog*>("settingsDialog");
        QVERIFY(dialog);
        QWidget* row = dialog->findChild<QWidget*>("setting.plugins");
        auto* text = row ? row->findChild<QLineEdit*>() : nullptr;
        QVERIFY(text);
        text->setText(files);
        emit text->editingFinished();
        dialog->setObjectName("old");
        dialog->close();
        QVERIFY(QTest::qWaitFor([&] {
            return f.session()->engine()->state() == EngineClient::State::Ready &&
                   f.window->isIdle();
        }));
    }
    static QStringList backends(Fixture& f) {
        QStringList names;
        for (QCheckBox* box : f.pane<RunPane>("run")->findChildren<QCheckBox*>())
            names << box->text();
        return names;
    }

private Q_SLOTS:
    void plugins_of_the_settings_are_loaded_and_forgotten() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* graph = f.pane<GraphPane>("graph");
        auto* choice = graph->findChild<QComboBox*>("heatChoice");
        const int usual = choice->count();
        QVERIFY(!backends(f).contains("example"));
        setPlugins(f, "/some/plugin.so");
        QVERIFY(backends(f).contains("example"));
        QCOMPARE(choice->count(), usual + 1);
        QCOMPARE(choice->itemText(usual), QString("users"));
        setPlugins(f, "");
        QVERIFY(!backends(f).contains("example"));
        QCOMPARE(choice->count(), usual);
    }
    void an_overlay_colours_the_nodes() {
        Fixture f;
        QVERIFY(f.openAndWait());
        setPlugins(f, " /some/plugin.so ;");
        auto* graph = f.pane<GraphPane>("graph");
        graph->setStage("captured");
        QVERIFY(f.settled());
        auto* choice = graph->findChild<QComboBox*>("heatChoice");
        const int row = choice->findText("users");
        QVERIFY(row >= 0);
        choice->setCurrentIndex(row);
        emit choice->activated(row);
        QTRY_VERIFY(!graph->shownHeat().classes.empty());
        QCOMPARE(graph->shownHeat().note, QString("users"));
        QCOMPARE(choice->currentText(), QString("users"));
        const auto coloured =
            std::ranges::count_if(graph->shownHeat().ofNode, [](int one) { return one >= 0; });
        QCOMPARE(static_cast<int>(coloured), 2);
        // Of the next compilation, too.
        f.session()->compileNow();
        QVERIFY(f.settled());
        QTRY_COMPARE(graph->shownHeat().note, QString("users"));
        // And gone with the plug-in.
        setPlugins(f, "");
        QCOMPARE(choice->currentIndex(), 0);
    }
    void a_plugin_that_cannot_be_used_is_told() {
        Fixture f;
        QVERIFY(f.openAndWait());
        setPlugins(f, "/some/broken.so");
        QVERIFY2(f.window->banner()->text().contains("broken.so' is not used"),
                 qPrintable(f.window->banner()->text()));
        setPlugins(f, "");
        QVERIFY(!f.window->banner()->text().contains("broken.so"));
    }
    void samples_stand_beside_lines() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.window->measure();
        QVERIFY(
            QTest::qWaitFor([&] { return !f.session()->runs().empty() && f.window->isIdle(); }));
        const Sampled* sampled = f.session()->sampledOfShown();
        QVERIFY(sampled);
        QCOMPARE(sampled->shares("forward", "fused_cos").value(2), 0.5);
        QCOMPARE(sampled->shares("forward", "fused_cos").size(), 2);
        QVERIFY(sampled->shares("backward", "fused_cos").isEmpty());
        auto* run = f.pane<RunPane>("run");
        auto* table = run->findChild<ItemView*>("lineTable");
        const QAbstractItemModel* model = table->model();
        QCOMPARE(model->rowCount(), 4); // two lines, what is of no line, what is of no kernel
        QCOMPARE(model->index(0, 0).data().toString(), QString("50.0 %"));
        QVERIFY(model->index(0, 1).data().toString().startsWith("3  "));
        QCOMPARE(model->index(0, 2).data().toString(), QString("fused_cos"));
        QCOMPARE(model->index(2, 0).data().toString(), QString("5.0 %"));
        QCOMPARE(model->index(3, 0).data().toString(), QString("25.0 %"));
        auto* code = f.pane<CodePane>("code");
        code->setLanguage("cpp");
        QVERIFY(f.settled());
        QVERIFY(code->view()->marginWidth(3) > 0);
        code->setLanguage("llvm"); // of another text nothing is known
        QVERIFY(f.settled());
        QCOMPARE(code->view()->marginWidth(3), 0);
    }
    void a_low_run_pane_has_all_its_tables_in_tabs() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* run = f.pane<RunPane>("run");
        auto* table = run->findChild<ItemView*>("runTable");
        auto* tabs = run->findChild<QTabWidget*>();
        const int usual = tabs->count();
        QVERIFY(tabs->indexOf(table) < 0 && table->isVisible());
        run->resize(run->width(), 12 * run->fontMetrics().height());
        QTRY_COMPARE(tabs->indexOf(table), 0);
        QCOMPARE(tabs->count(), usual + 2); // and what is measured
        QVERIFY(table->isVisible() && tabs->currentWidget() == table);
        run->resize(run->width(), 24 * run->fontMetrics().height());
        QTRY_VERIFY(tabs->indexOf(table) < 0);
        QVERIFY(table->isVisible());
    }
    void samples_of_something_else_are_left_out() {
        QVERIFY(sampledFromJson(nlohmann::json("text")).empty());
        const auto read = sampledFromJson(nlohmann::json::parse(
            R"([3, {"backend": 5, "samples": "many", "codes": [1, {"lines": [{"line": -1}]}]}])"));
        QCOMPARE(read.size(), size_t(1));
        QVERIFY(read[0].codes.size() == 1 && read[0].codes[0].lines.empty());
        QVERIFY(read[0].shares("forward", "fused_cos").isEmpty());
    }
    void a_switch_is_turned_with_a_click() {
        Fixture f;
        const QByteArray script = "import torch\n\nswitch = False # nothing\n";
        QVERIFY(f.window->openFile(f.write("switched.py", script)));
        QVERIFY(f.choose("Write “switch = True”"));
        QCOMPARE(f.editor()->text(), QString("import torch\n\nswitch = True # nothing\n"));
        QVERIFY(f.editor()->isUndoAvailable());
        QTRY_VERIFY(!f.choices().contains("Write “switch = True”"));
    }
};

QTEST_MAIN(TestExtensions)
#include "test_extensions.moc"
