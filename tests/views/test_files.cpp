// SPDX-License-Identifier: GPL-3.0-or-later
// Files are told by their content, are changed by a person's edits only, and are never written over
// what another program put there without asking.
#include "core/base/held_file.h"
#include "core/base/line_diff.h"
#include "tests/views/window_fixture.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/tour/tour_pane.h"
#include "views/widgets/compare_dialog.h"
#include "views/widgets/item_view.h"
#include "views/widgets/start_page.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QStatusBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace cutaway;
using namespace cutaway::views;
using Fixture = testing::WindowFixture;
using DiskState = Session::DiskState;

namespace {

/// While it lives, no file of this process can grow past a few bytes: the disk is full.
class FullDisk {
public:
    FullDisk() : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &old_);
        rlimit low = old_;
        low.rlim_cur = 4;
        setrlimit(RLIMIT_FSIZE, &low);
    }
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, signal_);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    void (*signal_)(int);
    rlimit old_{};
};

/// Types a name into the next file dialog and accepts it.
void answerSaveDialog(const QString& name) {
    QTimer::singleShot(0, qApp, [name] {
        QTRY_VERIFY(qobject_cast<QFileDialog*>(QApplication::activeModalWidget()));
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        dialog->findChild<QLineEdit*>("fileNameEdit")->setText(name);
        static_cast<QDialog*>(dialog)->accept();
    });
}

} // namespace

class TestFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }

    void kernels_are_exported_to_a_folder_that_was_not_there() {
        Fixture f;
        QVERIFY(f.openAndWait());
        QTimer::singleShot(0, qApp, [] {
            QTRY_VERIFY(qobject_cast<QFileDialog*>(QApplication::activeModalWidget()));
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            dialog->findChild<QLineEdit*>("fileNameEdit")->setText("made/here");
            const auto* box = dialog->findChild<QDialogButtonBox*>("buttonBox");
            QVERIFY(box->button(QDialogButtonBox::Open)->isEnabled());
            box->button(QDialogButtonBox::Open)->click();
        });
        f.action("As C++…")->trigger();
        QTRY_VERIFY(QFile::exists(f.folder.filePath("made/here/model_forward/main.cpp")));
    }
    void what_was_typed_is_taken_back_line_by_line() {
        Fixture f;
        QVERIFY(f.openAndWait());
        const QString before = f.editor()->text();
        f.editor()->setFocus();
        f.editor()->setCursorPosition(f.editor()->lines() - 1, 0);
        QTest::keyClicks(f.editor(), "a = 1\rb = 2\rc = 3");
        QCOMPARE(f.editor()->text(), before + "a = 1\nb = 2\nc = 3");
        f.editor()->undo();
        QCOMPARE(f.editor()->text(), before + "a = 1\nb = 2\n");
        f.editor()->undo();
        QCOMPARE(f.editor()->text(), before + "a = 1\n");
        f.editor()->undo();
        QCOMPARE(f.editor()->text(), before);
        QVERIFY(!f.window->session()->isModified());
        for (int i = 0; i < 3; ++i)
            f.editor()->redo();
        QCOMPARE(f.editor()->text(), before + "a = 1\nb = 2\nc = 3");
    }
    void a_name_that_is_typed_is_written_whatever_lies_beside_it() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.write("g.svg", "old");
        const auto inDialog = [](auto act) {
            QTimer::singleShot(0, qApp, [act] {
                QTRY_VERIFY(qobject_cast<QFileDialog*>(QApplication::activeModalWidget()));
                auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
                act(dialog, dialog->findChild<QLineEdit*>("fileNameEdit"));
                static_cast<QDialog*>(dialog)->accept();
            });
        };
        inDialog([&](QFileDialog* dialog, QLineEdit* name) {
            QVERIFY(QTest::qWaitForWindowActive(dialog));
            name->selectAll();
            QTest::keyClicks(name, f.folder.filePath("g.png"), {}, 20);
        });
        f.action("Whole graph…")->trigger();
        QVERIFY(QFile::exists(f.folder.filePath("g.png")));
        QCOMPARE(Fixture::read(f.folder.filePath("g.svg")), QByteArray("old"));
        // Who chooses a kind of file gets one of that kind.
        QString chosen;
        inDialog([&](QFileDialog* dialog, QLineEdit* name) {
            const QStringList kinds = dialog->nameFilters();
            const auto pdf = std::ranges::find_if(
                kinds, [](const QString& kind) { return kind.contains("*.pdf"); });
            QVERIFY(pdf != kinds.end());
            emit dialog->filterSelected(*pdf);
            chosen = name->text();
            QCOMPARE(chosen.section('.', -1), "pdf");
        });
        f.action("Whole graph…")->trigger();
        QVERIFY2(QFile::exists(f.folder.filePath(chosen)), qPrintable(chosen));
    }
    void a_changed_sample_is_saved_as_a_file_of_ones_own() {
        Fixture f;
        QVERIFY(QDir(f.folder.path()).mkdir("samples"));
        f.samplesFolder = f.folder.filePath("samples");
        const QString sample = f.write("samples/one.py", "x = 1\n");
        f.window = f.makeWindow();
        QVERIFY(f.window->openFile(sample));
        f.editor()->setText("x = 2\n");
        QVERIFY(f.window->session()->isModified());
        const QString own = f.folder.filePath("own.py");
        answerSaveDialog(own);
        f.action("Save")->trigger();
        QCOMPARE(Fixture::read(sample), QByteArray("x = 1\n"));
        QCOMPARE(Fixture::read(own), QByteArray("x = 2\n"));
        QCOMPARE(f.window->session()->path(), own);
    }
    /// What holds graphs to compare goes there with one click.
    void what_holds_graphs_is_added_to_compare() {
        Fixture f;
        QVERIFY(f.openAndWait());
        const QString log = f.write(
            "trace.log",
            "V1122 00:27:40.909000 11092 torch/_dynamo/utils.py:2473] {\"chromium_event\": {}}\n"
            "\t{\n\t\"name\": \"dynamo\"\n\t}\n"
            "V1122 00:27:41.000000 11092 torch/_functorch/x.py:1] {\"aot_forward_graph\": {}, "
            "\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0, \"has_payload\": \"0\"}\n"
            "\tclass GraphModule(torch.nn.Module):\n"
            "\t    def forward(self, primals_1: \"f32[16, 16]\"):\n"
            "\t        cos: \"f32[16, 16]\" = torch.ops.aten.cos.default(primals_1)\n"
            "\t        return (cos,)\n");
        QVERIFY(!f.window->openFile(log));
        QVERIFY2(f.window->banner()->text().contains("log of PyTorch's compiler"),
                 qPrintable(f.window->banner()->text()));
        QVERIFY(f.choices().contains("Add it to Compare"));
        f.choose("Add it to Compare");
        const auto* table = f.window->workspace()->findChild<ItemView*>("comparedTable");
        QTRY_COMPARE(table->model()->rowCount(), 2);
        QVERIFY(!f.window->banner()->isVisible());
        QVERIFY(!f.window->openFile(f.write("data.gguf", "GGUF\x03")));
        QVERIFY(!f.choices().contains("Add it to Compare"));
    }
    void what_is_no_script_is_refused_and_stays_as_it_is_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        QTest::newRow("saved") << QByteArray("PK\x03\x04....a/data.pkl") << "torch.save";
        QTest::newRow("tensors") << QByteArray("GGUF\x03") << "format GGUF";
        QTest::newRow("no text") << QByteArray("\x07\x07\x80") << "no text in UTF-8";
        QTest::newRow("zeros") << QByteArray("x = 1\ny\0z\n", 10) << "line 2, byte 8 of the file";
        QTest::newRow("latin-1") << QByteArray("# a\n# caf\xe9\nx = 1\n") << "line 2, byte 10";
        QTest::newRow("cut off") << QByteArray("x = '\xe2\x82") << "line 1, byte 6";
        QTest::newRow("stray byte") << QByteArray("x\x80\n") << "line 1, byte 2";
        QTest::newRow("zip") << QByteArray("PK\x03\x04 something else") << "zip archive";
    }
    void what_is_no_script_is_refused_and_stays_as_it_is() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        Fixture f;
        QVERIFY(f.openAndWait());
        const QString file = f.write("model.bin", bytes);
        QVERIFY(!f.window->openFile(file));
        QVERIFY2(f.window->banner()->text().contains(says), qPrintable(f.window->banner()->text()));
        QVERIFY(f.window->banner()->text().contains("model.bin"));
        QCOMPARE(f.session()->path(), f.path); // what was open stays open
        f.action("Save")->trigger();
        QCOMPARE(Fixture::read(file), bytes);
        QCOMPARE(Fixture::read(f.path), QByteArray(testing::kDoubleCosine));
    }
    void a_closed_document_leaves_the_start_page_and_its_edits_as_a_draft() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.session()->setText("edited = 1\n");
        f.action("Close")->trigger();
        QVERIFY(!f.session()->hasDocument());
        QVERIFY(f.session()->record()->isEmpty());
        QVERIFY(!f.action("Close")->isEnabled());
        QVERIFY(f.session()->text().isEmpty() && !f.session()->isModified());
        QVERIFY(f.window->findChild<StartPage*>()->isVisible());
        QVERIFY(f.openAndWait());
        QCOMPARE(f.session()->text(), QString("edited = 1\n"));
    }
    void who_types_on_has_a_draft_all_the_same() {
        Fixture f;
        QVERIFY(f.openAndWait());
        QElapsedTimer typing;
        typing.start();
        const auto kept = [&] {
            const QDir drafts(f.folder.filePath("drafts"));
            const QStringList all = drafts.entryList({"*.draft.json"});
            return !all.isEmpty() && Fixture::read(drafts.filePath(all[0])).contains("typed");
        };
        QString text;
        for (int i = 0; i < 100 && !kept(); ++i) {
            f.session()->setText(text += "typed = 1\n");
            QTest::qWait(50);
        }
        QVERIFY2(kept() && typing.elapsed() < 4500, qPrintable(QString::number(typing.elapsed())));
    }
    void a_file_marked_as_read_only_is_told() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.session()->setText("x = 1\n");
        QVERIFY(QFile::setPermissions(f.path, QFile::ReadOwner));
        f.action("Save")->trigger();
        const QString said = f.window->banner()->text();
        // Written by an atomic replacement, which only the folder's owner may refuse.
        QVERIFY2(said.contains("marked as read-only"), qPrintable(said));
        QCOMPARE(Fixture::read(f.path), QByteArray("x = 1\n"));
    }
    void a_pipe_is_not_waited_for() {
        Fixture f;
        const QString pipe = f.folder.filePath("pipe.py");
        QCOMPARE(mkfifo(qPrintable(pipe), 0600), 0);
        QVERIFY(!f.window->openFile(pipe));
        QVERIFY(f.window->banner()->text().contains("pipe"));
    }
    /// What `cutaway run --record` writes, attached to.
    void a_record_is_shown_as_it_grows() {
        Fixture f;
        record::Record written = testing::doubleCosineRecord();
        const QString file = f.folder.filePath("live.cutaway");
        const auto save = [&] { return record::save(written, file.toStdString()).ok(); };
        QVERIFY(save());
        QVERIFY(f.openAndWait(file));
        f.session()->follow();
        QVERIFY(f.session()->isFollowing());
        QVERIFY(!f.session()->isGrowing());
        auto writer = std::make_unique<base::HeldFile>();
        writer->hold(file.toStdString());
        QTRY_VERIFY(f.session()->isGrowing());
        f.window->selection()->select({f.item("captured/cos")});
        for (int more = 1; more <= 2; ++more) {
            record::Function another = written.functions[0];
            another.name = "later" + std::to_string(more);
            written.functions.push_back(another);
            QVERIFY(save());
            QTRY_COMPARE(static_cast<int>(f.session()->record()->record().functions.size()),
                         1 + more);
            QVERIFY(f.settled());
            QVERIFY(f.choices().isEmpty()); // it is not asked each time
            QCOMPARE(f.session()->record()->key(f.window->selection()->items().front()),
                     QString("captured/cos"));
        }
        writer->hold(file.toStdString()); // of what was written anew
        QTRY_VERIFY(f.session()->isGrowing());
        const auto says = [&](const QString& text) {
            const auto labels = f.window->statusBar()->findChildren<QLabel*>();
            return std::ranges::any_of(labels,
                                       [&](auto* one) { return one->text().contains(text); });
        };
        QTRY_VERIFY(says("Attached: 3 compilation") && says("more as the program runs"));
        writer = nullptr; // the program ends
        QTRY_VERIFY(!f.session()->isGrowing());
        QVERIFY(f.session()->isFollowing());
        QVERIFY(f.openAndWait()); // another document is no such record
        QVERIFY(!f.session()->isFollowing());
        // One that was only opened asks, and follows from then on.
        QVERIFY(f.openAndWait(file));
        written.functions.pop_back();
        QVERIFY(save());
        QVERIFY(f.choose("Show it as it grows"));
        QTRY_COMPARE(static_cast<int>(f.session()->record()->record().functions.size()), 2);
    }
    void a_record_is_recognised_without_its_suffix() {
        Fixture f;
        const QString file = f.folder.filePath("plain");
        QVERIFY(record::save(testing::doubleCosineRecord(), file.toStdString()).ok());
        const QByteArray bytes = Fixture::read(file);
        QVERIFY(f.openAndWait(file));
        QVERIFY(f.session()->isReadOnly());
        auto says = [&](const QString& text) {
            const QList<QLabel*> labels = f.window->statusBar()->findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(),
                               [&](const QLabel* label) { return label->text().contains(text); });
        };
        QTRY_VERIFY(says("read only"));
        QVERIFY(!f.session()->isModified());
        f.action("Save")->trigger();
        QCOMPARE(Fixture::read(file), bytes);
    }
    void what_is_open_stays_when_a_record_cannot_be_read() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.session()->setText("edited = 1\n" + QString(testing::kDoubleCosine));
        QVERIFY(f.settled());
        const QString good = f.folder.filePath("good.cutaway");
        QVERIFY(record::save(testing::doubleCosineRecord(), good.toStdString()).ok());
        const QByteArray bytes = Fixture::read(good);
        const RecordPtr before = f.session()->record();
        const QString cut = f.write("cut.cutaway", bytes.left(bytes.size() / 2));
        f.window->openFile(cut);
        QVERIFY(f.settled());
        QCOMPARE(f.session()->path(), f.path);
        QCOMPARE(f.session()->record(), before);
        QVERIFY(f.session()->text().startsWith("edited = 1"));
        QVERIFY2(f.window->banner()->text().contains("Could not open") &&
                     f.window->banner()->text().contains("cut.cutaway"),
                 qPrintable(f.window->banner()->text()));
        QVERIFY2(!f.window->banner()->text().contains("error:") &&
                     f.window->banner()->text().contains(". Open a file written by"),
                 qPrintable(f.window->banner()->text()));
        // A good one takes its place once it is read, and says where the edits went.
        f.window->openFile(good);
        QCOMPARE(f.session()->path(), f.path);
        QVERIFY(QTest::qWaitFor([&] { return f.session()->path() == good; }));
        QTRY_VERIFY(!f.session()->record()->isEmpty());
        QTRY_VERIFY(f.choices().contains("Go back to them"));
        QVERIFY(!f.window->banner()->text().contains("Could not open"));
        // What is asked for meanwhile comes instead.
        f.window->openFile(cut);
        QVERIFY(f.window->openFile(f.path));
        QVERIFY(f.settled());
        QCOMPARE(f.session()->path(), f.path);
        QVERIFY(!f.window->banner()->text().contains("Could not open"));
    }
    void a_saved_record_gets_its_suffix() {
        Fixture f;
        QVERIFY(f.openAndWait());
        answerSaveDialog(f.folder.filePath("kept"));
        f.action("Save record…")->trigger();
        QTRY_VERIFY(!f.session()->isWriting());
        QVERIFY(QFileInfo::exists(f.folder.filePath("kept.cutaway")));
        QVERIFY(!QFileInfo::exists(f.folder.filePath("kept")));
    }
    void showing_a_text_is_no_edit_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("plain") << QByteArray("x = 1\n");
        QTest::newRow("windows line ends") << QByteArray("x = 1\r\ny = 2\r\n");
        QTest::newRow("mixed line ends") << QByteArray("x = 1\r\ny = 2\nz = 3\r");
        QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbfx = 1\n");
        QTest::newRow("empty") << QByteArray();
    }
    void showing_a_text_is_no_edit() {
        QFETCH(QByteArray, bytes);
        Fixture f;
        QVERIFY(f.openAndWait());
        bool everModified = false;
        connect(f.session(), &Session::modifiedChanged, this,
                [&] { everModified = everModified || f.session()->isModified(); });
        const QString file = f.write("other.py", bytes);
        QVERIFY(f.openAndWait(file));
        QVERIFY(!everModified);
        f.action("Save")->trigger();
        QCOMPARE(Fixture::read(file), bytes);
    }
    void the_sizes_stay_when_a_second_file_is_opened() {
        Fixture f;
        QVERIFY(f.openAndWait());
        QVERIFY(f.openAndWait(f.write("second.py", testing::kDoubleCosine)));
        QCOMPARE(f.session()->sizes(), QStringList({"tiny", "cpu"}));
        QTest::qWait(200); // nothing that comes late takes them away
        QCOMPARE(f.session()->sizes(), QStringList({"tiny", "cpu"}));
        bool offered = false;
        for (QComboBox* box : f.window->findChildren<QComboBox*>())
            offered =
                offered || (box->isVisible() && box->findText("cpu") >= 0 && box->count() == 2);
        QVERIFY(offered);
    }

    void what_others_write_is_reloaded_on_request() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.editor()->setText("mine = 1\n");
        f.write("double_cosine.py", "theirs = 1\n");
        QTRY_COMPARE(f.choices(), QStringList({"Take the file", "Keep what is here", "Compare"}));
        QCOMPARE(f.session()->text(), "mine = 1\n");
        QVERIFY(f.choose("Take the file"));
        QCOMPARE(f.session()->text(), "theirs = 1\n");
        QVERIFY(!f.session()->isModified());
        QTRY_VERIFY(f.choices().isEmpty());
        f.editor()->undo(); // what was typed is not gone
        QTRY_COMPARE(f.session()->text(), QString("mine = 1\n"));
    }
    void what_others_write_is_never_overwritten_silently() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.session()->setText("mine = 1\n");
        f.write("double_cosine.py", "theirs = 1\n");
        f.action("Save")->trigger(); // before the watch has told
        QCOMPARE(Fixture::read(f.path), "theirs = 1\n");
        QVERIFY(f.window->banner()->text().startsWith("Not saved"));
        QVERIFY(f.choose("Overwrite"));
        QCOMPARE(Fixture::read(f.path), "mine = 1\n");
        QVERIFY(!f.session()->isModified());
        QTRY_VERIFY(f.choices().isEmpty());
    }
    void one_message_hides_no_other() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.session()->setText("mine = 1\n");
        QVERIFY(f.openAndWait(f.write("second.py", testing::kDoubleCosine)));
        QTRY_VERIFY(f.choices().contains("Discard them"));
        f.session()->setText("edited = 1\n");
        f.write("second.py", "theirs = 1\n");
        f.action("Save")->trigger();
        QVERIFY(!f.window->openFile(f.write("model.gguf", QByteArray("GGUF\x03"))));
        const QString said = f.window->banner()->text();
        for (const char* part : {"kept as a draft", "changed by another program", "model.gguf"})
            QVERIFY2(said.contains(part), qPrintable(said));
        // Closing the newest leaves the questions.
        QVERIFY(f.choose("Close"));
        QVERIFY(!f.window->banner()->text().contains("model.gguf"));
        QTRY_VERIFY(f.choices().contains("Discard them") && f.choices().contains("Overwrite"));
    }
    void a_message_moves_nothing_above_it() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* editor = f.editor();
        const QPoint before = editor->mapTo(f.window.get(), QPoint());
        QVERIFY(!f.window->openFile(f.folder.filePath("missing.py")));
        QTRY_VERIFY(f.window->banner()->isVisible() && f.window->banner()->height() > 10);
        QCOMPARE(editor->mapTo(f.window.get(), QPoint()), before);
    }
    void what_was_decided_is_saved_as_a_recipe_and_applied_to_another_script() {
        Fixture f;
        QVERIFY(f.openAndWait());
        QVERIFY(!f.action("Save decisions…")->isEnabled());
        f.session()->decide({"save cos", "without remove_dead"});
        QVERIFY(f.settled());
        const QString recipe = f.folder.filePath("mine.recipe");
        answerSaveDialog(recipe);
        f.action("Save decisions…")->trigger();
        QVERIFY(Fixture::read(recipe).contains("\nsave cos\n"));
        QVERIFY(f.openAndWait(f.write("second.py", testing::kDoubleCosine)));
        f.session()->decide({"recompute cos", "budget 2048B"});
        QVERIFY(f.settled());
        answerSaveDialog(recipe);
        f.action("Apply decisions…")->trigger();
        QCOMPARE(f.session()->options().decisions,
                 QStringList({"budget 2048B", "save cos", "without remove_dead"}));
        QVERIFY(f.session()->canUndoDecision());
        QVERIFY(f.settled());
        const QString other = f.write("other.recipe", "make it fast\n");
        answerSaveDialog(other);
        f.action("Apply decisions…")->trigger();
        QVERIFY(f.window->banner()->text().contains("make it fast"));
        QCOMPARE(f.session()->options().decisions.size(), 3);
    }
    void a_workspace_comes_back_as_it_was_also_without_its_script() {
        Fixture f;
        QVERIFY(f.openAndWait());
        CompileOptions options = f.session()->options();
        options.size = "cpu";
        f.session()->setOptions(options);
        QVERIFY(f.settled());
        f.session()->decide({"save cos"});
        QVERIFY(f.settled());
        f.window->setGraphStage("joint");
        f.window->selectKey("joint/cos");
        f.window->workspace()->pane<GraphPane>()->setFolding(FoldKind::Modules, {"module:mine"});
        const QString file = f.folder.filePath("mine.cutaway-workspace");
        answerSaveDialog(file);
        f.action("Save workspace…")->trigger();
        QVERIFY2(QFileInfo(file).size() > 100 && QFileInfo(file).size() < 100000,
                 qPrintable(QString::number(QFileInfo(file).size())));
        QVERIFY(!Fixture::read(file).contains(f.folder.path().toUtf8())); // it may be moved
        const auto isAsItWas = [&] {
            return f.settled() && f.session()->text() == testing::kDoubleCosine &&
                   f.session()->options().decisions == QStringList{"save cos"} &&
                   f.session()->options().size == "cpu" &&
                   f.window->selection()->items() == std::vector<ItemId>{f.item("joint/cos")};
        };
        f.window = f.makeWindow();
        QVERIFY(f.window->openFile(f.write("second.py", "x = 1\n")));
        QVERIFY(f.window->openFile(file));
        QTRY_VERIFY(isAsItWas());
        QCOMPARE(f.session()->path(), f.path);
        // Over the same document: what was selected and opened since gives way.
        auto* graph = f.window->workspace()->pane<GraphPane>();
        QCOMPARE(graph->folding().open, QSet<QString>{"module:mine"});
        graph->setFolding(FoldKind::Repeats);
        f.window->selectKey("joint/sin");
        QVERIFY(f.window->openFile(file));
        QTRY_VERIFY(isAsItWas());
        QCOMPARE(graph->folding().kind, FoldKind::Modules);
        QCOMPARE(graph->folding().open, QSet<QString>{"module:mine"});
        QVERIFY(QFile::remove(f.path));
        f.window = f.makeWindow();
        QVERIFY(f.window->openFile(file));
        QVERIFY(f.window->banner()->text().contains("double_cosine.py"));
        QTRY_VERIFY(isAsItWas());
        QVERIFY(f.session()->path().isEmpty());
        QVERIFY(!f.window->openFile(f.write("new.cutaway-workspace", "{\"cutawayWorkspace\": 9}")));
        QVERIFY(f.window->banner()->text().contains("newer program"));
    }
    void a_lesson_shows_in_other_windows_what_the_teacher_shows() {
        Fixture f;
        QVERIFY(f.openAndWait());
        const QString file = f.folder.filePath("lesson.cutaway-workspace");
        answerSaveDialog(file);
        f.action("Teach…")->trigger();
        QVERIFY(QFileInfo::exists(file));
        auto* mark = f.window->findChild<QToolButton*>("lesson");
        QCOMPARE(mark->text(), QString("Teaching"));
        Fixture student;
        answerSaveDialog(file);
        student.action("Follow a lesson…")->trigger();
        QCOMPARE(student.window->findChild<QToolButton*>("lesson")->text(),
                 QString("Following a lesson"));
        QTRY_COMPARE(student.session()->text(), QString(testing::kDoubleCosine));
        QTRY_VERIFY(student.window->isIdle());
        f.window->setGraphStage("joint");
        f.window->selectKey("joint/cos");
        const auto selected = [](const Fixture& of) {
            const auto& items = of.window->selection()->items();
            return items.size() == 1 ? of.session()->record()->key(items[0]) : QString();
        };
        QTRY_COMPARE(selected(student), QString("joint/cos"));
        auto* graph = student.window->workspace()->findChild<GraphPane*>("graph");
        QTRY_COMPARE(graph->stage(), QString("joint"));
        f.editor()->append("\n# more\n");
        f.session()->decide({"save cos"});
        QTRY_COMPARE(student.session()->text(), f.session()->text());
        QTRY_COMPARE(student.session()->options().decisions, QStringList("save cos"));
        QTRY_COMPARE(selected(student), selected(f));
        // Left, it goes on without.
        student.window->findChild<QToolButton*>("lesson")->click();
        QVERIFY(student.window->findChild<QToolButton*>("lesson")->isHidden());
        f.window->selectKey("joint/sin");
        QTest::qWait(700);
        QCOMPARE(selected(student), QString("joint/cos"));
        answerSaveDialog(f.write("none.cutaway-workspace", "x = 1\n"));
        student.action("Follow a lesson…")->trigger();
        QVERIFY(student.window->banner()->text().contains("this is no lesson"));
    }
    void a_tour_and_its_questions_are_part_of_a_lesson() {
        Fixture f, student;
        QVERIFY(f.openAndWait());
        const QString file = f.folder.filePath("lesson.cutaway-workspace");
        answerSaveDialog(file);
        f.action("Teach…")->trigger();
        answerSaveDialog(file);
        student.action("Follow a lesson…")->trigger();
        QTRY_VERIFY(student.window->isIdle() && !student.session()->record()->isEmpty());
        const auto toursOf = [](const Fixture& of) {
            return of.window->workspace()->findChild<TourPane*>("tour");
        };
        Tour tour{"Mine", "about", {}, {{}, {}}};
        tour.steps[0].title = "First", tour.steps[0].text = "Look.";
        tour.steps[0].notes = "only the teacher reads this";
        tour.steps[1] = tour.steps[0];
        tour.steps[1].question = "How many?", tour.steps[1].value = "nodes.captured";
        toursOf(f)->begin(tour);
        QTRY_COMPARE(toursOf(student)->step(), 0);
        QVERIFY(!Fixture::read(file).contains("only the teacher"));
        toursOf(f)->goTo(1);
        QTRY_COMPARE(toursOf(student)->step(), 1);
        QVERIFY(toursOf(student)->answer()->isVisibleTo(student.window.get()));
        QTest::keyClicks(toursOf(student)->answer(), "77"); // each answers by itself
        QTest::keyClick(toursOf(student)->answer(), Qt::Key_Return);
        QVERIFY(!toursOf(student)->verdict().isEmpty() && toursOf(f)->verdict().isEmpty());
        f.window->selectKey("joint/cos"); // the teacher goes on, and the answer stays
        QTest::qWait(700);
        QCOMPARE(toursOf(student)->answer()->text(), QString("77"));
        toursOf(f)->goTo(2);
        QTRY_VERIFY(!toursOf(student)->isPlaying());
    }
    void who_follows_a_lesson_is_told_what_becomes_of_it() {
        Fixture f, student;
        QVERIFY(f.openAndWait());
        const QString file = f.folder.filePath("lesson.cutaway-workspace");
        answerSaveDialog(file);
        f.action("Teach…")->trigger();
        answerSaveDialog(file);
        student.action("Follow a lesson…")->trigger();
        QTRY_VERIFY(student.window->isIdle() && !student.session()->record()->isEmpty());
        const Banner* banner = student.window->banner();
        QVERIFY(!banner->isVisible());
        QVERIFY(QFile::rename(file, file + ".away"));
        QTRY_VERIFY(banner->isVisible() && banner->text().contains("is not there any more"));
        QVERIFY(student.choices().contains("Follow it no longer"));
        QVERIFY(QFile::rename(file + ".away", file));
        QTRY_VERIFY(!banner->isVisible());
        // A record that this machine does not have, and one that it gets.
        WorkspaceFile shown = **WorkspaceFile::read(file);
        shown.text.clear();
        shown.path = f.folder.filePath("theirs.cutaway");
        f.write("lesson.cutaway-workspace", shown.bytes(file));
        QTRY_VERIFY(banner->isVisible() && banner->text().contains("theirs.cutaway"));
        QCOMPARE(student.session()->text(), QString(testing::kDoubleCosine));
        f.window->selectKey("joint/cos"); // the teacher goes on
        QTRY_VERIFY(!banner->isVisible());
        auto* mark = student.window->findChild<QToolButton*>("lesson");
        QVERIFY(mark->isVisible());
        f.window->findChild<QToolButton*>("lesson")->click();
        QTRY_VERIFY(banner->isVisible() && banner->text().contains("The lesson is over"));
        QVERIFY(mark->isHidden());
        QCOMPARE(student.session()->text(), QString(testing::kDoubleCosine));
    }
    void several_messages_take_one_line_until_they_are_opened() {
        Fixture f;
        f.window = f.makeWindow({900, 600});
        QVERIFY(f.openAndWait());
        Banner* banner = f.window->banner();
        QVERIFY(!f.window->openFile(f.folder.filePath("missing.py")));
        QTRY_VERIFY(banner->isVisible());
        const int one = banner->height();
        QVERIFY(!banner->findChild<QPushButton*>("moreMessages"));
        QVERIFY(QFile::remove(f.path));
        f.session()->lookAtDisk();
        const auto more = [&] { return banner->findChild<QPushButton*>("moreMessages"); };
        QTRY_VERIFY(more() && more()->isVisible());
        QCOMPARE(more()->text(), QString("and 1 more"));
        QVERIFY(banner->text().contains("missing.py") && banner->text().contains("no longer"));
        QTRY_VERIFY2(banner->height() <= one + 2, qPrintable(QString::number(banner->height())));
        const auto again = [&] {
            for (const QPushButton* button : banner->findChildren<QPushButton*>())
                if (button->text() == "Save it again" && button->isVisible()) return true;
            return false;
        };
        QVERIFY(!again());
        QTest::mouseClick(more(), Qt::LeftButton);
        QTRY_VERIFY(again());
        QTRY_VERIFY(banner->height() > one);
        QVERIFY(banner->height() <= f.window->height() / 3);
        QTest::mouseClick(more(), Qt::LeftButton);
        QTRY_VERIFY(banner->height() <= one + 2 && !banner->isOpen());
        QVERIFY(f.choose("Close"));
        QTRY_VERIFY(!more());
        QTRY_VERIFY(again());
    }
    void many_opened_messages_leave_room_for_the_window() {
        QWidget window;
        window.resize(900, 600);
        auto* column = new QVBoxLayout(&window);
        column->addWidget(new QWidget, 1);
        auto* banner = new Banner;
        column->addWidget(banner);
        window.show();
        std::vector<Banner::Message> all(
            12, {Tone::Warning, QString("a long one ").repeated(30), {}, {{"Close", [] {}}}});
        banner->showMessages(all);
        QTRY_VERIFY(banner->height() > 10 && banner->height() < 60);
        QCOMPARE(banner->findChild<QPushButton*>("moreMessages")->text(), QString("and 11 more"));
        banner->setOpen(true);
        QTRY_VERIFY(banner->height() > 100);
        QVERIFY2(banner->height() <= 200, qPrintable(QString::number(banner->height())));
        banner->showMessages({all.front()});
        QVERIFY(!banner->isOpen());
    }
    void a_message_that_follows_none_is_seen() {
        QWidget window;
        window.resize(900, 600);
        auto* column = new QVBoxLayout(&window);
        column->addWidget(new QWidget, 1);
        auto* banner = new Banner;
        column->addWidget(banner);
        window.show();
        for (const char* text : {"one", "another"}) {
            banner->showMessages({{Tone::Warning, text, {}, {{"Close", [] {}}}}});
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            QTest::qWait(50);
            const auto* button = banner->findChild<QPushButton*>();
            QVERIFY(button);
            const QRect place(button->mapTo(banner, QPoint()), button->size());
            QVERIFY2(button->height() > 10 && banner->rect().contains(place), text);
            QVERIFY2(!button->visibleRegion().isEmpty() && place.right() > 800, text);
            banner->showMessages({});
            QTest::qWait(50);
            QVERIFY(!banner->isVisible());
        }
    }
    void a_full_disk_takes_neither_the_file_nor_the_draft() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.session()->setText("mine = 1\n");
        QTRY_COMPARE(f.session()->drafts().all().size(), 1);
        {
            FullDisk full;
            f.action("Save")->trigger();
        }
        QCOMPARE(Fixture::read(f.path), QByteArray(testing::kDoubleCosine));
        QVERIFY(f.session()->isModified());
        QVERIFY(f.window->banner()->text().startsWith("Not saved"));
        QCOMPARE(f.session()->drafts().all().value(0).text, QString("mine = 1\n"));
        f.action("Save")->trigger();
        QCOMPARE(Fixture::read(f.path), "mine = 1\n");
        QVERIFY(f.session()->drafts().all().isEmpty());
    }
    void a_saved_file_keeps_its_permissions() {
        Fixture f;
        QVERIFY(f.openAndWait());
        QCOMPARE(chmod(qPrintable(f.path), 0700), 0);
        f.session()->setText("mine = 1\n");
        QVERIFY(f.session()->save(nullptr));
        struct stat now{};
        QCOMPARE(stat(qPrintable(f.path), &now), 0);
        QCOMPARE(now.st_mode & 07777, 0700u);
    }
    void edits_that_cannot_be_kept_keep_the_window_open() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.session()->setText("one = 1\n");
        QTRY_COMPARE(f.session()->drafts().all().size(), 1);
        {
            FullDisk full;
            f.session()->setText("two = 2\n");
            QTRY_VERIFY(f.window->banner()->text().startsWith("Unsaved edits could not be kept"));
            QCOMPARE(f.session()->drafts().all().value(0).text, QString("one = 1\n"));
            QVERIFY(!f.window->close());
            f.action("New")->trigger();
            QVERIFY(!f.window->openFile(f.write("other.py", "x")));
            QCOMPARE(f.session()->text(), "two = 2\n");
        }
        QVERIFY(f.window->close());
        QCOMPARE(f.session()->drafts().all().value(0).text, QString("two = 2\n"));
    }
    void exports_to_a_full_disk_are_told_and_leave_nothing() {
        Fixture f;
        QVERIFY(f.openAndWait());
        for (const auto& [command, name] :
             {std::pair{"Whole graph…", "graph.svg"}, {"Save record…", "kept.cutaway"}}) {
            const QString file = f.folder.filePath(name);
            answerSaveDialog(file);
            {
                FullDisk full;
                f.action(command)->trigger();
                QTRY_VERIFY(!f.session()->isWriting());
            }
            QVERIFY(!QFileInfo::exists(file));
            QVERIFY2(f.window->banner()->isVisible(), command);
            QVERIFY(f.window->banner()->text().contains(name));
        }
    }
    void what_is_kept_may_be_saved() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.write("double_cosine.py", "theirs = 1\n");
        QTRY_COMPARE(f.session()->diskState(), DiskState::Changed);
        QVERIFY(f.choose("Keep what is here"));
        QVERIFY(f.choices().isEmpty());
        QVERIFY(f.session()->isModified()); // it is not what the file holds
        f.action("Save")->trigger();
        QCOMPARE(Fixture::read(f.path), QByteArray(testing::kDoubleCosine));
        QTest::qWait(300);
        QCOMPARE(f.session()->diskState(), DiskState::Same); // one's own writing is no change
    }
    void a_file_that_another_replaces_is_watched_on() {
        Fixture f;
        QVERIFY(f.openAndWait());
        for (const char* text : {"one = 1\n", "two = 2\n"}) {
            const QString aside = f.write("aside", text);
            QCOMPARE(rename(qPrintable(aside), qPrintable(f.path)), 0); // as editors save
            QTRY_COMPARE(f.session()->diskState(), DiskState::Changed);
            QVERIFY(f.choose("Take the file"));
            QCOMPARE(f.session()->text(), QString(text));
        }
    }
    void a_file_that_is_removed_can_be_saved_again() {
        Fixture f;
        QVERIFY(f.openAndWait());
        QVERIFY(QFile::remove(f.path));
        QTRY_COMPARE(f.choices(), QStringList({"Save it again", "Keep what is here"}));
        QVERIFY(f.choose("Save it again"));
        QCOMPARE(Fixture::read(f.path), QByteArray(testing::kDoubleCosine));
        QTRY_VERIFY(f.choices().isEmpty());
    }
    void the_two_texts_are_compared_line_by_line() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.session()->setText("a = 1\nmine = 1\nb = 2\n");
        f.write("double_cosine.py", "a = 1\ntheirs = 1\nb = 2\n");
        QTRY_COMPARE(f.session()->diskState(), DiskState::Changed);
        QVERIFY(f.choose("Compare"));
        auto* dialog = f.window->findChild<CompareDialog*>();
        QVERIFY(dialog);
        QCOMPARE(dialog->view()->text(), QString("  a = 1\n- theirs = 1\n+ mine = 1\n  b = 2"));
        dialog->reject();
    }
    void a_draft_does_not_overwrite_what_others_wrote_meanwhile() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.session()->setText("mine = 1\n");
        QVERIFY(f.window->close());
        f.write("double_cosine.py", "theirs = 1\n");
        f.window = f.makeWindow();
        QVERIFY(f.window->openFile(f.path));
        QCOMPARE(f.session()->text(), "mine = 1\n");
        QCOMPARE(f.session()->diskState(), DiskState::Changed);
        f.action("Save")->trigger();
        QCOMPARE(Fixture::read(f.path), "theirs = 1\n");
        // The same at every later start, until it is settled.
        f.session()->setText("mine = 2\n");
        QVERIFY(f.window->close());
        f.window = f.makeWindow();
        QVERIFY(f.window->openFile(f.path));
        QCOMPARE(f.session()->diskState(), DiskState::Changed);
    }
    void lines_are_told_apart() {
        using Lines = std::vector<std::string>;
        auto shown = [](const Lines& a, const Lines& b) {
            std::string all;
            for (const base::DiffLine& line : base::diffLines(a, b))
                all += std::string(line.sign < 0 ? "-" : line.sign > 0 ? "+" : " ") + line.text;
            return all;
        };
        QCOMPARE(shown({"a", "b", "c"}, {"a", "c", "d"}), std::string(" a-b c+d"));
        QCOMPARE(shown({}, {"x"}), std::string("+x"));
        QCOMPARE(shown({"x"}, {}), std::string("-x"));
        QCOMPARE(shown({"a", "a"}, {"a"}), std::string(" a-a"));
    }
};

QTEST_MAIN(TestFiles)
#include "test_files.moc"
