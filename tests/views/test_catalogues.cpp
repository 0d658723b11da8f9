// SPDX-License-Identifier: GPL-3.0-or-later
// The catalogues are complete: lupdate, run over the sources, finds no words that they lack and
// none that nobody says any more; translations keep what is filled in, marks and keys; the contents
// (tours, samples, stages) are translated, too.
#include "core/ops/catalogue.h"
#include "core/pipeline/stage_table.h"
#include "tests/views/catalogue_file.h"
#include "views/language/language.h"
#include "views/models/tour.h"
#include "views/widgets/start_page.h"

#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QtTest>

using namespace cutaway;
using namespace cutaway::views;
using cutaway::views::testing::CatalogueMessage;
using cutaway::views::testing::readCatalogue;

static const QString kFolder = QString(CUTAWAY_SOURCE_DIR) + "/resources/translations/";
static const QString kHowTo =
    "\nRun `cmake --build BUILD --target catalogues`, then translate what "
    "resources/translations/window_zh.ts marks as unfinished.";

class TestCatalogues : public QObject {
    Q_OBJECT

    static QSet<QString> namesOf(const std::vector<CatalogueMessage>& all) {
        QSet<QString> names;
        for (const CatalogueMessage& one : all)
            names.insert(one.name());
        return names;
    }
    static QStringList sorted(const QSet<QString>& all) {
        QStringList list = all.values();
        list.sort();
        return list;
    }
    /// What is filled in, in any order; %n and %Ln alike.
    static QStringList blanksIn(const QString& text) {
        static const QRegularExpression blank("%(L?\\d|L?n)|<[^>]*>");
        QStringList found;
        for (auto match = blank.globalMatch(text); match.hasNext();)
            found << match.next().captured();
        found.sort();
        return found;
    }
    static int keysIn(const QString& text) {
        static const QRegularExpression key("&(?=\\w)(?!\\w+;)");
        return static_cast<int>(text.count(key));
    }
    /// A translation that is wrong by its form; empty: none.
    static QString problem(const CatalogueMessage& one) {
        for (const QString& form : one.forms) {
            if (form.isEmpty()) return "is empty";
            if (blanksIn(form) != blanksIn(one.source)) return "fills in something else";
            if (keysIn(form) != keysIn(one.source)) return "has another number of keys (&)";
            if (one.source.endsWith("…") != form.endsWith("…")) return "differs in its “…”";
        }
        return one.forms.isEmpty() ? "has no translation" : QString();
    }

private Q_SLOTS:
    void every_word_of_the_sources_is_translated_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("pluralOnly");
        QTest::newRow("Chinese") << "window_zh.ts" << false;
        QTest::newRow("English") << "window_en.ts" << true;
    }
    void every_word_of_the_sources_is_translated() {
        QFETCH(QString, file);
        QFETCH(bool, pluralOnly);
        QTemporaryDir folder;
        const QString renewed = folder.filePath(file);
        QVERIFY(QFile::copy(kFolder + file, renewed));
        QStringList arguments{"-no-obsolete", "-locations", "none", "-recursive", "views",
                              "app",          "-I",         ".",    "-ts",        renewed};
        if (pluralOnly) arguments.prepend("-pluralonly");
        QProcess lupdate;
        lupdate.setWorkingDirectory(CUTAWAY_SOURCE_DIR);
        lupdate.start(CUTAWAY_LUPDATE, arguments);
        QVERIFY(lupdate.waitForFinished(120000));
        const QString said = QString::fromLocal8Bit(lupdate.readAllStandardError());
        QVERIFY2(lupdate.exitCode() == 0, qPrintable(said));
        // Words of a function of no class, or of a class without tr of its own, would be looked for
        // where the catalogue does not have them.
        static const QRegularExpression lost("lacks Q_OBJECT|without context|unknown namespace");
        QVERIFY2(!said.contains(lost), qPrintable(said));
        const auto kept = readCatalogue(kFolder + file), now = readCatalogue(renewed);
        QVERIFY(now.size() > 10);
        const QSet<QString> had = namesOf(kept), has = namesOf(now);
        QVERIFY2((has - had).isEmpty(),
                 qPrintable("not in " + file + ":\n" + sorted(has - had).join('\n') + kHowTo));
        QVERIFY2((had - has).isEmpty(),
                 qPrintable("nobody says any more:\n" + sorted(had - has).join('\n') + kHowTo));
        for (const CatalogueMessage& one : kept)
            QVERIFY2(one.finished, qPrintable(one.name() + kHowTo));
    }
    void translations_keep_what_is_filled_in_and_keys() {
        for (const char* file : {"window_zh.ts", "contents_zh.ts"})
            for (const CatalogueMessage& one : readCatalogue(kFolder + file)) {
                const QString wrong = problem(one);
                QVERIFY2(wrong.isEmpty(),
                         qPrintable(QString("%1: “%2” → “%3” %4")
                                        .arg(file, one.source, one.forms.join(" / "), wrong)));
            }
        for (const CatalogueMessage& one : readCatalogue(kFolder + "window_en.ts"))
            QVERIFY2(one.numerus && one.forms.size() == 2, qPrintable(one.name()));
    }
    void the_check_sees_what_it_forbids() {
        auto wrong = [](const QString& source, const QString& form) {
            return !problem({"C", source, {form}, false, true}).isEmpty();
        };
        QVERIFY(wrong("%1 of %2", "%1") && wrong("&Open", "打开") && wrong("Save…", "保存"));
        QVERIFY(wrong("<b>x</b>", "x") && wrong("x", ""));
        QVERIFY(!wrong("%1 of %2", "%2 的 %1") && !wrong("&Open", "打开(&O)"));
    }
    /// Tours, samples and stages are no words of the sources.
    void the_contents_are_translated() {
        const QSet<QString> has = namesOf(readCatalogue(kFolder + "contents_zh.ts"));
        QSet<QString> wanted;
        auto want = [&](const char* context, const QString& text) {
            if (!text.isEmpty()) wanted.insert(QString(context) + ": " + text);
        };
        speak("en");
        const auto tours = shippedTours();
        QCOMPARE(tours.size(), size_t{10});
        for (const Tour& tour : tours) {
            want("Tours", tour.title), want("Tours", tour.about);
            for (const TourStep& step : tour.steps)
                for (const QString& text :
                     {step.title, step.text, step.attempt, step.question, step.hint, step.notes})
                    want("Tours", text);
        }
        for (const Sample& sample : samplesIn(QString(CUTAWAY_SOURCE_DIR) + "/samples"))
            want("Samples", sample.teaches);
        for (const pipeline::StageRow& row : pipeline::stageTable()) {
            want("Stages", QString::fromUtf8(row.title));
            want("Stages", QString::fromUtf8(row.summary));
        }
        QVERIFY2((wanted - has).isEmpty(), qPrintable(sorted(wanted - has).join('\n')));
        // What the usual operations do; those that few models have are told in English.
        const auto before = wanted.size();
        for (const ops::OpDef& op : ops::catalogue().all())
            if (const QString text =
                    QString::fromUtf8(op.doc.summary.data(), qsizetype(op.doc.summary.size()));
                has.contains("Operations: " + text))
                want("Operations", text);
        QVERIFY(wanted.size() > before + 130);
        QVERIFY2((has - wanted).isEmpty(), qPrintable(sorted(has - wanted).join('\n')));
    }
    void a_language_is_spoken_once_it_is_chosen() {
        auto compare = [] { return QCoreApplication::translate("Panes", "Kernels"); };
        QCOMPARE(languages(), QStringList({"en", "zh"}));
        speak("zh");
        QCOMPARE(spoken(), "zh");
        QCOMPARE(compare(), "内核");
        QCOMPARE(shippedTours().front().title, "割：训练保留什么");
        QCOMPARE(QCoreApplication::translate("StageCells", "%1 node(s)", nullptr, 3), "%1 个节点");
        speak("en");
        QCOMPARE(compare(), "Kernels");
        QCOMPARE(QCoreApplication::translate("StageCells", "%1 node(s)", nullptr, 1),
                 "%1\u00a0node");
        QCOMPARE(QCoreApplication::translate("StageCells", "%1 node(s)", nullptr, 2),
                 "%1\u00a0nodes");
        QCOMPARE(spokenFor("zh"), "zh");
        QVERIFY(languages().contains(spokenFor("system")) && languages().contains(spokenFor("xx")));
    }
};

QTEST_MAIN(TestCatalogues)
#include "test_catalogues.moc"
