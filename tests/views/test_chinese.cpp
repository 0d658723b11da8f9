// SPDX-License-Identifier: GPL-3.0-or-later
// The window in Chinese: no words are looked for in vain in the catalogue, no English is left on
// what is shown, keys of a menu stay apart in every language, and the language can be chosen.
#include "tests/views/catalogue_file.h"
#include "tests/views/window_fixture.h"
#include "views/language/language.h"
#include "views/panes/pane_list.h"
#include "views/widgets/settings_dialog.h"
#include "views/widgets/shortcut_sheet.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTabBar>
#include <QTextDocument>
#include <QTranslator>
#include <QTreeView>
#include <nlohmann/json.hpp>

using namespace cutaway;
using namespace cutaway::views;
using cutaway::views::testing::WindowFixture;

namespace {

/// Asked last: what the catalogues do not have.
class Misses : public QTranslator {
public:
    explicit Misses(QSet<QString> contexts) : contexts_(std::move(contexts)) {}
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* text, const char*, int) const override {
        if (contexts_.contains(context) || QByteArray(context).startsWith("cutaway::"))
            missed_.insert(QString("%1: %2").arg(context, QString::fromUtf8(text)));
        return {};
    }
    QStringList missed() const { return missed_.values(); }

private:
    QSet<QString> contexts_;
    mutable QSet<QString> missed_;
};

QSet<QString> contexts() {
    QSet<QString> all;
    for (const auto& one : cutaway::views::testing::readCatalogue(
             QString(CUTAWAY_SOURCE_DIR) + "/resources/translations/window_zh.ts"))
        all.insert(one.context);
    return all;
}

/// Two words of English, and nothing Chinese.
bool isEnglish(QString text) {
    if (Qt::mightBeRichText(text)) {
        QTextDocument document;
        document.setHtml(text);
        text = document.toPlainText();
    }
    static const QRegularExpression words("[A-Za-z][a-z]+ [a-z]{2,}"), chinese("\\p{Han}");
    return text.contains(words) && !text.contains(chinese);
}

/// What the widgets below \p root say themselves; cells of tables hold what the compiler says.
QStringList said(const QWidget* root) {
    QStringList all;
    for (const QWidget* widget : root->findChildren<QWidget*>()) {
        all << widget->toolTip() << widget->whatsThis() << widget->accessibleName();
        if (auto* label = qobject_cast<const QLabel*>(widget)) all << label->text();
        if (auto* button = qobject_cast<const QAbstractButton*>(widget)) all << button->text();
        if (auto* line = qobject_cast<const QLineEdit*>(widget)) all << line->placeholderText();
        if (auto* box = qobject_cast<const QComboBox*>(widget))
            for (int i = 0; i < box->count(); ++i)
                all << box->itemText(i);
        if (auto* tabs = qobject_cast<const QTabBar*>(widget))
            for (int i = 0; i < tabs->count(); ++i)
                all << tabs->tabText(i) << tabs->tabToolTip(i);
        if (auto* head = qobject_cast<const QHeaderView*>(widget); head && head->model())
            for (int i = 0; i < head->count(); ++i)
                for (int role : {Qt::DisplayRole, Qt::ToolTipRole})
                    all << head->model()->headerData(i, head->orientation(), role).toString();
    }
    for (const QAction* action : root->findChildren<QAction*>())
        all << action->text() << action->toolTip();
    return all;
}

/// What the compiler says: every text of the record that has several words.
void addTexts(const nlohmann::json& of, QStringList& all) {
    if (of.is_string()) {
        const QString text = QString::fromStdString(of.get<std::string>());
        if (isEnglish(text)) all << text;
    }
    if (of.is_structured())
        for (const nlohmann::json& part : of)
            addTexts(part, all);
}

/// \param quoted what may be said as it is
QStringList englishIn(const QWidget* root, const QStringList& quoted = {}) {
    QStringList english;
    for (const QString& text : said(root)) {
        if (!isEnglish(text) || english.contains(text)) continue;
        const bool quotes = std::any_of(quoted.begin(), quoted.end(), [&](const QString& one) {
            return text.contains(one) || text.contains(one.toHtmlEscaped());
        });
        if (!quotes) english << text;
    }
    return english;
}

/// Keys that two commands of one menu share, in all menus below.
QStringList sharedKeys(const QList<QAction*>& actions, const QString& menu) {
    QStringList shared;
    QHash<QChar, QString> taken;
    for (const QAction* action : actions) {
        static const QRegularExpression key("&(\\w)");
        if (const auto match = key.match(action->text()); match.hasMatch()) {
            const QChar letter = match.captured(1)[0].toUpper();
            if (taken.contains(letter))
                shared << menu + ": " + taken[letter] + " / " + action->text();
            taken.insert(letter, action->text());
        }
        if (action->menu()) shared << sharedKeys(action->menu()->actions(), action->text());
    }
    return shared;
}

} // namespace

class TestChinese : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { speak("en"); }

    void the_whole_window_is_chinese() {
        Misses misses(contexts());
        QCoreApplication::installTranslator(&misses);
        speak("zh"); // asked before the misses
        WindowFixture start;
        QVERIFY2(englishIn(start.window.get()).isEmpty(),
                 qPrintable(englishIn(start.window.get()).join('\n')));
        QVERIFY(start.openAndWait());
        start.window->goTo(start.item("joint/cos"));
        QStringList quoted{"a stage", "no driver"}; // of the engine's table, and of its machine
        addTexts(record::toJson(start.session()->record()->record()), quoted);
        for (const PaneRow& row : paneList()) {
            start.window->reveal(row.id);
            QVERIFY(start.settled());
            const QStringList english = englishIn(start.window.get(), quoted);
            QVERIFY2(english.isEmpty(), qPrintable(row.id + (": " + english.join('\n'))));
        }
        start.action("设置(S)…")->trigger();
        start.action("命令和快捷键(K)…")->trigger();
        start.action("术语表(G)…")->trigger();
        start.action("制作导览(M)…")->trigger();
        QCOMPARE(start.window->findChildren<QDialog*>().size(), 4);
        for (QDialog* dialog : start.window->findChildren<QDialog*>())
            QVERIFY2(englishIn(dialog).isEmpty(), qPrintable(englishIn(dialog).join('\n')));
        QVERIFY2(misses.missed().isEmpty(), qPrintable(misses.missed().join('\n')));
        QCoreApplication::removeTranslator(&misses);
    }
    void keys_of_a_menu_stay_apart_data() {
        QTest::addColumn<QString>("language");
        for (const QString& id : languages())
            QTest::newRow(qPrintable(id)) << id;
    }
    void keys_of_a_menu_stay_apart() {
        QFETCH(QString, language);
        speak(language);
        WindowFixture start;
        const auto shared = sharedKeys(start.window->menuBar()->actions(), "the bar");
        QVERIFY2(shared.isEmpty(), qPrintable(shared.join('\n')));
    }
    void keys_that_were_changed_hold_in_every_language() {
        QTemporaryDir folder;
        const QString settings = folder.filePath("settings.ini");
        QSettings(settings, QSettings::IniFormat).setValue("keys/Settings", "Ctrl+Alt+9");
        speak("zh");
        MainWindow::Options options;
        options.engineCommand = {FAKE_ENGINE, "good"};
        options.settingsFile = settings;
        MainWindow window(options);
        QKeySequence keys;
        for (const QAction* action : window.findChildren<QAction*>())
            if (action->text().startsWith("设置")) keys = action->shortcut();
        QCOMPARE(keys, QKeySequence("Ctrl+Alt+9"));
    }
    void the_language_is_chosen_in_the_settings() {
        WindowFixture start;
        QVERIFY(start.openAndWait());
        QSignalSpy anew(start.window.get(), &MainWindow::openAnewRequested);
        start.action("Settings…")->trigger();
        auto* dialog = start.window->findChild<SettingsDialog*>("settingsDialog");
        auto* choice = dialog->rowOf("language")->findChild<QComboBox*>();
        QCOMPARE(choice->count(), 3);
        QCOMPARE(choice->itemText(2), "中文");
        choice->setCurrentIndex(2);
        emit choice->activated(2);
        QSettings settings(start.folder.filePath("settings.ini"), QSettings::IniFormat);
        QCOMPARE(settings.value("language").toString(), "zh");
        QVERIFY(start.choose("Open it anew"));
        QCOMPARE(anew.count(), 1);
        choice->setCurrentIndex(1); // what is spoken: nothing to offer
        emit choice->activated(1);
        QVERIFY(!start.choices().contains("Open it anew"));
    }
};

QTEST_MAIN(TestChinese)
#include "test_chinese.moc"
