// SPDX-License-Identifier: GPL-3.0-or-later
// Documents in the window: nothing that was typed is lost, and what went wrong stays to be read.
#include "tests/views/sample_record.h"
#include "tests/views/window_fixture.h"
#include "views/main_window.h"
#include "views/panes/source/source_pane.h"
#include "views/widgets/banner.h"
#include "views/widgets/code_view.h"
#include "views/widgets/start_page.h"
#include "views/workspace.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace cutaway;
using namespace cutaway::views;

namespace {

struct Fixture {
    explicit Fixture(const char* mode = "good") {
        path = folder.filePath("double_cosine.py");
        QFile file(path);
        if (file.open(QIODevice::WriteOnly)) file.write(testing::kDoubleCosine);
        file.close();
        MainWindow::Options options;
        options.engineCommand = {FAKE_ENGINE, mode};
        options.settingsFile = folder.filePath("settings.ini");
        window = std::make_unique<MainWindow>(options);
        window->resize(1280, 800);
        window->show();
    }
    Session* session() const { return window->session(); }
    CodeView* editor() const { return window->workspace()->pane<SourcePane>()->editor(); }
    QAction* action(const QString& text) const {
        for (QAction* one : window->findChildren<QAction*>())
            if (one->text().remove('&') == text) return one;
        return nullptr;
    }
    QStringList draftTexts() const {
        QStringList texts;
        for (const Draft& draft : session()->drafts().all())
            texts << draft.text;
        texts.sort();
        return texts;
    }
    QTemporaryDir folder;
    QString path;
    std::unique_ptr<MainWindow> window;
};

} // namespace

class TestDocuments : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_new_script_does_not_replace_an_unsaved_one() {
        Fixture f;
        QAction* fresh = f.action("New");
        QVERIFY(fresh);
        for (const char* text : {"first = 1\n", "second = 2\n"}) {
            fresh->trigger();
            QVERIFY(!f.session()->isModified());
            f.session()->setText(text); // and at once the next: before the draft is due
        }
        fresh->trigger();
        QCOMPARE(f.draftTexts(), QStringList({"first = 1\n", "second = 2\n"}));
    }
    void a_new_script_is_written_in_at_once() {
        testing::WindowFixture f;
        f.action("New")->trigger();
        QTRY_VERIFY(QApplication::focusWidget() == f.editor());
        QTest::keyClicks(QApplication::focusWidget(), "# mine");
        QVERIFY2(f.session()->text().startsWith("# mine"), qPrintable(f.session()->text()));
    }
    void drafts_without_a_name_are_told_apart_by_what_was_written() {
        Draft draft;
        draft.base = "import torch\n\n\ndef model(x):\n    return x\n";
        draft.text = *draft.base;
        QCOMPARE(draft.title(), QString("untitled"));
        draft.text = "import torch\n\n\ndef model(x):\n    return  torch.erf(x)\n";
        QCOMPARE(draft.title(), QString("untitled: return torch.erf(x)"));
        draft.text = "# " + QString(100, 'a');
        QCOMPARE(draft.title(), "untitled: # " + QString(38, 'a') + QChar(0x2026));
        draft.path = "/some/where.py";
        QCOMPARE(draft.title(), QString("where.py"));
    }
    void kept_edits_are_told_and_can_be_gone_back_to_or_discarded() {
        testing::WindowFixture f;
        QVERIFY(f.openAndWait());
        const QString other = f.write("other.py", "x = 1\n");
        QVERIFY(f.window->openFile(other));
        QVERIFY(f.choices().isEmpty()); // nothing was edited
        QVERIFY(f.window->openFile(f.path));
        f.session()->setText("edited = 1\n");
        QVERIFY(f.window->openFile(other));
        QVERIFY(f.window->banner()->text().contains("double_cosine.py"));
        QVERIFY(f.choose("Go back to them"));
        QCOMPARE(f.session()->text(), QString("edited = 1\n"));
        QVERIFY(f.choose("Keep what is here"));
        QVERIFY(f.window->openFile(other));
        QVERIFY(f.choose("Discard them"));
        QVERIFY(f.choices().isEmpty());
        QVERIFY(f.session()->drafts().all().isEmpty());
        QVERIFY(f.window->openFile(f.path));
        QCOMPARE(f.session()->text(), QString(testing::kDoubleCosine));
    }
    void a_question_about_a_draft_outlives_other_files() {
        testing::WindowFixture f;
        QVERIFY(f.openAndWait());
        const QString other = f.write("other.py", "x = 1\n"),
                      third = f.write("third.py", "y = 1\n");
        const QString broken = f.write("broken.cutaway", "no record");
        f.session()->setText("edited = 1\n");
        QVERIFY(f.window->openFile(other));
        f.window->openFile(broken);
        QTRY_VERIFY(f.choices().contains("Go back to them"));
        QVERIFY(f.window->openFile(other));
        f.session()->setText("edited = 2\n");
        QVERIFY(f.window->openFile(third)); // each has its own
        QTRY_COMPARE(f.choices().count("Go back to them"), 2);
        QVERIFY(f.window->openFile(other)); // answered
        QTRY_COMPARE(f.choices().count("Go back to them"), 1);
        QVERIFY(f.window->banner()->text().contains("double_cosine.py"));
    }
    void edits_of_a_file_survive_a_new_script_at_once() {
        Fixture f;
        QVERIFY(f.window->openFile(f.path));
        f.session()->setText("edited = 1\n");
        f.action("New")->trigger();
        QVERIFY(f.window->openFile(f.path));
        QCOMPARE(f.session()->text(), "edited = 1\n");
        QVERIFY(f.session()->restoredDraft());
    }
    void a_draft_without_a_file_offers_none() {
        testing::WindowFixture f;
        const auto texts = [&] {
            QStringList found;
            for (const Draft& draft : f.session()->drafts().all())
                found << draft.text;
            return found;
        };
        f.window->show();
        f.action("New")->trigger();
        f.session()->setText("kept = 1\n");
        f.action("Close")->trigger();
        QTRY_COMPARE(texts(), QStringList("kept = 1\n"));
        const Draft draft = f.session()->drafts().all().front();
        f.session()->openDraft(draft);
        QVERIFY(f.session()->restoredDraft());
        QTRY_VERIFY(f.choices().contains("Keep what is here"));
        QVERIFY(!f.choices().contains("Take the file"));
        QVERIFY(!f.choices().contains("Compare"));
    }
    void a_draft_that_comes_back_after_it_was_thrown_away_is_kept_again() {
        testing::WindowFixture f;
        const auto texts = [&] {
            QStringList found;
            for (const Draft& draft : f.session()->drafts().all())
                found << draft.text;
            return found;
        };
        f.window->show();
        f.action("New")->trigger();
        f.session()->setText("kept = 1\n");
        f.action("Close")->trigger();
        QTRY_COMPARE(texts(), QStringList("kept = 1\n"));
        const Draft draft = f.session()->drafts().all().front();
        QVERIFY(f.choose("Discard them"));
        QCOMPARE(texts(), QStringList());
        for (const QPushButton* button : f.window->findChildren<QPushButton*>())
            QVERIFY2(!button->isVisible() || !button->text().contains("unsaved edits"),
                     qPrintable(button->text()));
        f.session()->openDraft(draft); // as a page does that was drawn before
        QCOMPARE(f.session()->text(), "kept = 1\n");
        QTRY_COMPARE(texts(), QStringList("kept = 1\n"));
    }
    void a_draft_belongs_to_the_window_that_wrote_it() {
        Fixture f;
        QVERIFY(f.window->openFile(f.path));
        f.session()->setText("first = 1\n");
        QVERIFY(QTest::qWaitFor([&] { return f.draftTexts().size() == 1; }));
        MainWindow::Options options;
        options.engineCommand = {FAKE_ENGINE, "good"};
        options.settingsFile = f.folder.filePath("settings.ini");
        MainWindow second(options);
        second.show();
        QVERIFY(second.openFile(f.path));
        QCOMPARE(second.session()->text(), QString(testing::kDoubleCosine));
        QVERIFY(!second.session()->restoredDraft());
        QVERIFY(second.banner()->isVisible());
        QVERIFY(second.banner()->text().contains("Another window"));
        QVERIFY(second.session()->drafts().all().isEmpty());
        second.session()->setText("second = 2\n");
        QVERIFY(QTest::qWaitFor([&] { return second.session()->drafts().all().size() == 1; }));
        second.session()->discardDraft();
        QCOMPARE(f.draftTexts(), QStringList({"first = 1\n"}));
        f.window.reset(); // now it is nobody's
        QVERIFY(second.openFile(f.path));
        QCOMPARE(second.session()->text(), "first = 1\n");
    }
    void a_saved_script_leaves_no_draft() {
        Fixture f;
        f.action("New")->trigger();
        f.session()->setText("kept = 1\n");
        QVERIFY(f.session()->saveAs(f.folder.filePath("kept.py"), nullptr));
        QVERIFY(!f.session()->isModified());
        QCOMPARE(f.draftTexts(), QStringList());
    }
    void a_file_that_cannot_be_opened_is_told_until_one_can() {
        Fixture f;
        QVERIFY(!f.window->openFile(f.folder.filePath("missing.py")));
        QVERIFY(QTest::qWaitFor([&] { return f.window->isIdle(); })); // the engine has started
        QVERIFY(f.window->banner()->isVisible());
        QVERIFY(f.window->banner()->text().contains("missing.py"));
        QVERIFY(f.window->openFile(f.path));
        QVERIFY(!f.window->banner()->isVisible());
    }
    void a_shortcut_that_is_disabled_types_nothing() {
        Fixture f;
        QVERIFY(f.window->openFile(f.path));
        QVERIFY(QTest::qWaitFor([&] { return f.window->isIdle(); }));
        f.editor()->setFocus();
        QTest::keyClick(f.editor(), '.', Qt::ControlModifier);
        QCOMPARE(f.session()->text(), QString(testing::kDoubleCosine));
        QTest::keyClick(f.editor(), 'x');
        QVERIFY(f.session()->isModified());
    }
    void a_cancelled_compilation_is_no_error_of_the_script() {
        Fixture f("slow");
        QVERIFY(f.window->openFile(f.path));
        QVERIFY(QTest::qWaitFor([&] { return f.session()->isCompiling(); }));
        f.session()->cancel();
        QVERIFY(QTest::qWaitFor([&] { return !f.session()->isCompiling(); }));
        QVERIFY(f.session()->wasCancelled());
        QVERIFY(!f.session()->failed());
        QVERIFY(f.session()->diagnostics().empty());
        f.session()->compileNow();
        QVERIFY(!f.session()->wasCancelled());
    }
    void what_was_cancelled_does_not_begin_again_with_the_engine() {
        Fixture f("slow");
        QVERIFY(f.window->openFile(f.path));
        QTRY_VERIFY(f.session()->isCompiling());
        f.session()->cancel();
        QTRY_VERIFY(f.session()->wasCancelled());
        f.session()->engine()->restart();
        QTRY_COMPARE(f.session()->engine()->state(), EngineClient::State::Ready);
        QTest::qWait(50);
        QVERIFY(!f.session()->isCompiling() && f.session()->wasCancelled());
        f.session()->setText("# another\n"); // which nobody gave up
        QTRY_VERIFY(f.session()->isCompiling());
    }
    void another_window_stands_beside_and_takes_nothing_from_the_first() {
        testing::WindowFixture f;
        QVERIFY(f.action("New window") && !f.action("New window")->isEnabled()); // no program
        QVERIFY(f.openAndWait());
        f.editor()->insert("# mine\n"); // unsaved, in the first
        const QString before = f.session()->text();
        MainWindow::Options options;
        options.engineCommand = {FAKE_ENGINE, "good"};
        options.settingsFile = f.folder.filePath("settings.ini");
        options.windowCommand = {"/bin/sh", "-c", ": > '" + f.folder.filePath("started") + "'"};
        options.beside = true;
        {
            MainWindow second(options);
            second.show();
            QVERIFY(second.openFile(f.write("other.py", "y = 2\n")));
            second.session()->setText("y = 3\n");
            for (QAction* one : second.findChildren<QAction*>())
                if (one->text().remove('&') == "New window") one->trigger();
            QTRY_VERIFY(QFileInfo::exists(f.folder.filePath("started")));
            QVERIFY(QTest::qWaitFor([&] { return second.isIdle(); }));
            QVERIFY(second.close());
        }
        QCOMPARE(f.session()->text(), before);
        QVERIFY(f.window->close());
        f.window.reset();                 // lets go of its draft
        const auto next = f.makeWindow(); // goes on with the first; the other's edits are kept
        next->restoreSession();
        QCOMPARE(next->session()->path(), f.path);
        QCOMPARE(next->session()->text(), before);
        QStringList kept;
        for (const Draft& draft : next->session()->drafts().all())
            kept << draft.text;
        QVERIFY2(kept.contains("y = 3\n"), qPrintable(kept.join('|')));
    }
    void commands_are_given_by_their_names() {
        Fixture f;
        QVERIFY(f.window->openFile(f.path));
        QVERIFY(QTest::qWaitFor([&] { return f.window->isIdle(); }));
        QCOMPARE(f.window->giveCommand("close"), QString());
        QVERIFY(!f.session()->hasDocument());
        QCOMPARE(f.window->giveCommand("New window"),
                 QString("this program cannot be started anew"));
        QCOMPARE(f.window->giveCommand("Do what I mean"), QString("there is no such command"));
        QCOMPARE(f.window->giveCommand(""), QString("there is no such command"));
    }
    void there_are_no_samples_in_no_folder() { QVERIFY(samplesIn({}).isEmpty()); }
};

QTEST_MAIN(TestDocuments)
#include "test_documents.moc"
