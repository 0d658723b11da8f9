// SPDX-License-Identifier: GPL-3.0-or-later
// What the compiler says, in Chinese: every text that base::said marks in core has its translation,
// the one that a sentence was printed from is found, and all that a record says is told.
#include "core/base/said.h"
#include "tests/views/catalogue_file.h"
#include "tests/views/sample_record.h"
#include "views/language/language.h"
#include "views/language/sentences.h"
#include "views/models/rows.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>

using namespace cutaway;
using namespace cutaway::views;
using cutaway::base::said;

namespace {

/// The texts of said("…" "…") in a source.
void addTexts(const QString& source, QSet<QString>& all) {
    static const QRegularExpression call(R"re(\bsaid\(\s*((?:"(?:[^"\\\n]|\\.)*"\s*)+))re"),
        literal(R"re("((?:[^"\\\n]|\\.)*)")re");
    for (auto at = call.globalMatch(source); at.hasNext();) {
        QString text;
        for (auto part = literal.globalMatch(at.next().captured(1)); part.hasNext();)
            text += part.next().captured(1);
        all.insert(text.replace("\\\"", "\""));
    }
}

/// What is told to people, and not marked.
void addUnmarked(const QString& source, const QString& file, QStringList& all) {
    static const QRegularExpression call(
        R"re((?:\b(?:stop|because)\(|\breasons\.push_back\()\s*(?:fmt::format\(\s*)?("[^"{]*[a-z] [a-z][^"]*"))re");
    for (auto at = call.globalMatch(source); at.hasNext();)
        all << file + ": " + at.next().captured(1);
}

QSet<QString> saidInCore(QStringList* unmarked) {
    QSet<QString> all;
    QDirIterator files(QString(CUTAWAY_SOURCE_DIR) + "/core", {"*.cpp", "*.h"}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QString source = QString::fromUtf8(file.readAll());
        addTexts(source, all);
        addUnmarked(source, file.fileName(), *unmarked);
    }
    return all;
}

QStringList sorted(const QSet<QString>& all) {
    QStringList list = all.values();
    list.sort();
    return list;
}

/// Which blanks are filled: "0 1 2" for "{} {:.1f} {}" and for "{2} {0} {1}".
QStringList blanksIn(const QString& text) {
    static const QRegularExpression blank(R"(\{(\d*)(:[^}]*)?\})");
    QStringList found;
    for (auto match = blank.globalMatch(text); match.hasNext();) {
        const QString number = match.next().captured(1);
        found << (number.isEmpty() ? QString::number(found.size()) : number);
    }
    found.sort();
    return found;
}

std::vector<testing::CatalogueMessage> catalogue() {
    return testing::readCatalogue(QString(CUTAWAY_SOURCE_DIR) +
                                  "/resources/translations/sentences.zh.ts");
}

} // namespace

class TestSentences : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { speak("en"); }

    void every_text_of_the_core_has_its_chinese() {
        QSet<QString> has;
        for (const auto& one : catalogue()) {
            QVERIFY2(!one.forms.value(0).isEmpty(), qPrintable(one.source));
            QVERIFY2(blanksIn(one.forms[0]) == blanksIn(one.source), qPrintable(one.source));
            has.insert(one.source);
        }
        QStringList unmarked;
        const QSet<QString> wanted = saidInCore(&unmarked);
        QVERIFY2(unmarked.isEmpty(), qPrintable("without base::said:\n" + unmarked.join('\n')));
        QVERIFY(wanted.size() > 300);
        QVERIFY2((wanted - has).isEmpty(),
                 qPrintable("not in sentences.zh.ts:\n" + sorted(wanted - has).join('\n')));
        QVERIFY2((has - wanted).isEmpty(),
                 qPrintable("nobody says any more:\n" + sorted(has - wanted).join('\n')));
    }
    void sentences_made_to_be_slow_are_left_as_they_are() {
        speak("zh");
        const QString slow = "a reads and b writes lie along c: tiles of d" +
                             QString(" x e").repeated(300) + QString(" in f").repeated(300) +
                             " bytes of shared memory, 1 lanes";
        const QString deep = QString("a is apart: b and ").repeated(100'000);
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(told(slow), slow);
        QCOMPARE(told(deep), deep);
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
    }
    void each_text_is_found_in_what_was_printed_from_it() {
        speak("zh");
        static const QRegularExpression blank(R"(\{(\d*)(:[^}]*)?\})");
        for (const auto& one : catalogue()) {
            QString printed = one.source, wanted = one.forms[0];
            QStringList filled;
            for (auto match = blank.match(printed); match.hasMatch();
                 match = blank.match(printed)) {
                const bool number = !match.captured(2).isEmpty();
                filled << (number ? QString::number(filled.size() + 0.5)
                                  : QString("v%1").arg(filled.size()));
                printed.replace(match.capturedStart(), match.capturedLength(), filled.back());
            }
            for (int next = 0; wanted.contains(blank);) {
                const auto match = blank.match(wanted);
                const QString number = match.captured(1);
                wanted.replace(match.capturedStart(), match.capturedLength(),
                               filled.value(number.isEmpty() ? next++ : number.toInt()));
            }
            QCOMPARE(told(printed), wanted);
        }
    }
    void what_is_filled_in_is_told_too() {
        const std::string reason = said("both read {}, but {}", "x",
                                        said("one runs on {}, the other on {}", "cpu", "cuda:0"));
        QCOMPARE(told(reason), QString::fromStdString(reason)); // in English
        speak("zh");
        QCOMPARE(told(reason), QString("两者都读取 x，但一个在 cpu 上运行，另一个在 cuda:0 上"));
        QCOMPARE(told(std::string("rows")), QString("rows")); // a name
        QCOMPARE(told(QString("what a person wrote")), QString("what a person wrote"));
    }
    void a_record_is_told_in_chinese() {
        speak("zh");
        const RecordView view(testing::doubleCosineRecord());
        record::Entry entry = *view.entry(0, 0);
        entry.partition.saved[0].reason = said("asked for: {} saved", "1.00 KiB");
        QCOMPARE(rows::saved(view, entry)[0].cells[3].text, QString("按要求：保存 1.00 KiB"));
    }
};

QTEST_GUILESS_MAIN(TestSentences)
#include "test_sentences.moc"
