// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that are found, applied at once, kept and put back; going on where the last window
// ended; the start page in the order of teaching.
#include "tests/views/window_fixture.h"
#include "views/panes/graph/graph_pane.h"
#include "views/widgets/settings_dialog.h"
#include "views/widgets/start_page.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QStatusBar>
#include <QTabBar>
#include <QToolBar>
#include <QTreeView>
#include <QWindow>

using namespace cutaway;
using namespace cutaway::views;
using Fixture = testing::WindowFixture;

class TestWindowSettings : public QObject {
    Q_OBJECT

    static SettingsDialog* open(Fixture& f) {
        f.action("Settings…")->trigger();
        return f.window->findChild<SettingsDialog*>("settingsDialog");
    }
    template <typename T> static T* editor(SettingsDialog* dialog, const char* key) {
        return dialog->findChild<QWidget*>(QString("setting.") + key)->findChild<T*>();
    }
    static void putBack(SettingsDialog* dialog, const char* key) {
        dialog->findChild<QWidget*>(QString("setting.") + key)->findChild<QPushButton*>()->click();
    }

private Q_SLOTS:
    void settings_are_applied_kept_and_put_back() {
        Fixture f;
        const double usual = QApplication::font().pointSizeF();
        SettingsDialog* dialog = open(f);
        QVERIFY(dialog);
        editor<QDoubleSpinBox>(dialog, "fontSize")->setValue(usual + 3);
        QTRY_COMPARE(QApplication::font().pointSizeF(), usual + 3);
        editor<QCheckBox>(dialog, "lockPanes")->setChecked(false);
        QVERIFY(!f.window->workspace()->isLocked());
        f.window = f.makeWindow(); // another start
        QCOMPARE(QApplication::font().pointSizeF(), usual + 3);
        QVERIFY(!f.window->workspace()->isLocked());
        dialog = open(f);
        putBack(dialog, "fontSize");
        QTRY_COMPARE(QApplication::font().pointSizeF(), usual);
        putBack(dialog, "lockPanes");
        QVERIFY(f.window->workspace()->isLocked());
        QVERIFY(editor<QCheckBox>(dialog, "lockPanes")->isChecked());
    }
    void a_window_begins_in_the_size_of_the_type_that_is_set() {
        Fixture f;
        const double usual = QApplication::font().pointSizeF();
        f.window.reset();
        QSettings(f.folder.filePath("settings.ini"), QSettings::IniFormat)
            .setValue("fontSize", usual + 5);
        f.window = f.makeWindow();
        QCOMPARE(QApplication::font().pointSizeF(), usual + 5);
        for (QWidget* one :
             std::initializer_list<QWidget*>{f.window->menuBar(), f.window->statusBar(),
                                             f.window->workspace()->findChild<GraphPane*>(),
                                             f.window->workspace()->findChild<QTabBar*>()})
            QCOMPARE(one->font().pointSizeF(), usual + 5);
        SettingsDialog* dialog = open(f);
        putBack(dialog, "fontSize");
        QTRY_COMPARE(QApplication::font().pointSizeF(), usual);
    }
    void steps_of_the_type_are_one_and_everything_grows() {
        Fixture f;
        const double usual = QApplication::font().pointSizeF();
        const auto* bar = f.window->findChild<QToolBar*>("stageBar");
        const int before = bar->fontMetrics().height();
        struct Count : QObject {
            int styles = 0, fonts = 0;
            bool eventFilter(QObject*, QEvent* event) override {
                styles += event->type() == QEvent::StyleChange;
                fonts += event->type() == QEvent::ApplicationFontChange;
                return false;
            }
        } count;
        f.window->installEventFilter(&count);
        for (int i = 0; i < 6; ++i)
            f.action("Larger type")->trigger();
        QTRY_COMPARE(QApplication::font().pointSizeF(), usual + 6);
        QVERIFY2(count.fonts >= 1 && count.fonts <= 2, qPrintable(QString::number(count.fonts)));
        QCOMPARE(count.styles, 0); // which would polish every widget
        for (Pane* pane : f.window->workspace()->findChildren<Pane*>())
            for (QWidget* one : pane->findChildren<QWidget*>())
                if (qobject_cast<QLabel*>(one) || qobject_cast<QTreeView*>(one) ||
                    qobject_cast<QComboBox*>(one) || qobject_cast<QTabBar*>(one))
                    QVERIFY2(one->font().pointSizeF() > usual,
                             qPrintable(pane->objectName() + " " + one->metaObject()->className()));
        QVERIFY(bar->fontMetrics().height() > before);
        for (int i = 0; i < 6; ++i)
            f.action("Smaller type")->trigger();
        QTRY_COMPARE(QApplication::font().pointSizeF(), usual);
    }
    void a_presentation_tells_its_least_size_once() {
        Fixture f;
        QVERIFY(f.openAndWait());
        QTest::qWait(300);
        const QWindow* window = f.window->windowHandle();
        for (int i = 0; i < 2; ++i) { // there and back
            QSignalSpy wide(window, &QWindow::minimumWidthChanged),
                high(window, &QWindow::minimumHeightChanged);
            f.action("Presentation (Esc leaves it)")->trigger();
            QTest::qWait(400);
            QVERIFY2(wide.count() <= 1 && high.count() <= 1,
                     qPrintable(QString("%1, %2").arg(wide.count()).arg(high.count())));
        }
        QVERIFY(f.window->minimumWidth() > 0); // and is held to it
        f.window->resize(1, 1);
        QVERIFY(f.window->width() >= f.window->minimumWidth());
        QVERIFY(f.window->height() >= f.window->minimumHeight());
    }
    void settings_are_found_by_any_word() {
        Fixture f;
        SettingsDialog* dialog = open(f);
        QVERIFY(dialog->rowOf("theme") && dialog->rowOf("reopen"));
        dialog->filter()->setText("colour blind");
        QVERIFY(dialog->rowOf("theme") && !dialog->rowOf("reopen"));
        dialog->filter()->setText("start");
        QVERIFY(!dialog->rowOf("theme") && dialog->rowOf("reopen"));
    }
    void a_window_goes_on_where_the_last_one_ended() {
        Fixture f;
        QVERIFY(f.openAndWait());
        f.window->setGraphStage("joint");
        f.window->selectKey("joint/cos");
        f.window->close();
        f.window = f.makeWindow();
        f.window->restoreSession();
        QTRY_COMPARE(f.session()->path(), f.path);
        QTRY_VERIFY(!f.session()->record()->isEmpty());
        QTRY_COMPARE(f.window->selection()->items(), std::vector<ItemId>{f.item("joint/cos")});
        QCOMPARE(f.window->workspace()->pane<GraphPane>()->stage(), QString("joint"));
        f.window->close();
        QFile::remove(f.path);
        f.window = f.makeWindow();
        f.window->restoreSession();
        QVERIFY(!f.session()->hasDocument()); // it is gone
    }
    void a_script_without_a_name_comes_back() {
        Fixture f;
        f.action("New")->trigger();
        f.session()->setText("# mine\n" + f.session()->text());
        const QString text = f.session()->text();
        f.window->close();
        f.window.reset(); // its draft is nobody's
        f.window = f.makeWindow();
        f.window->restoreSession();
        QCOMPARE(f.session()->text(), text);
        QVERIFY(f.session()->path().isEmpty() && f.session()->isModified());
        f.action("New")->trigger(); // nothing is written in this one
        f.window->close();
        f.window.reset();
        f.window = f.makeWindow();
        f.window->restoreSession();
        QVERIFY(f.session()->hasDocument() && !f.session()->isModified());
        QVERIFY(f.session()->text().startsWith("import torch"));
        f.action("Close")->trigger();
        f.window->close();
        f.window.reset();
        f.window = f.makeWindow();
        f.window->restoreSession();
        QVERIFY(!f.session()->hasDocument());
    }
    void it_begins_anew_where_that_is_wanted() {
        Fixture f;
        QVERIFY(f.openAndWait());
        editor<QCheckBox>(open(f), "reopen")->setChecked(false);
        f.window->close();
        f.window = f.makeWindow();
        f.window->restoreSession();
        QVERIFY(!f.session()->hasDocument());
    }
    void samples_come_in_the_order_of_teaching() {
        const QList<Sample> samples = samplesIn(CUTAWAY_SOURCE_DIR "/samples");
        QVERIFY(samples.size() > 15);
        QCOMPARE(samples[0].title, QString("double cosine"));
        QVERIFY(samples[0].teaches.contains("recomputing beats saving"));
        QVERIFY(samples[0].group.isEmpty());
        QCOMPARE(samples.back().group, QString("Whole training scripts"));
        for (const Sample& sample : samples)
            QVERIFY2(!sample.teaches.isEmpty(), qPrintable(sample.path));
    }
};

QTEST_MAIN(TestWindowSettings)
#include "test_window_settings.moc"
