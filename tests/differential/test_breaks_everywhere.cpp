// SPDX-License-Identifier: Apache-2.0
// A graph break behind every statement of every function of the samples changes no result: the
// scripts of samples/training print what they print under PyTorch, the cases of samples give what
// they give eagerly. Neither does the transformed code of every entry, run as source in place of
// the original: calls of compiled graphs and resume functions. (The graphs run eagerly: what is
// tested is how capture stops and goes on.)
#include "core/frontend/script/ast.h"
#include "tests/support/printed_numbers.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <map>

using namespace cutaway;
using namespace cutaway::test;

namespace {

QString read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Where breaks go: behind which line, in which column.
class Places {
public:
    std::multimap<int, int> found;

    void addBlock(const frontend::Block& block, bool inFunction) {
        for (const auto& statement : block)
            add(*statement, inFunction);
    }

private:
    static int lastLine(const frontend::Stmt& s) {
        int last = std::max(s.span.endLine, s.span.line);
        auto block = [&](const frontend::Block& b) {
            for (const auto& inner : b)
                last = std::max(last, lastLine(*inner));
        };
        block(s.body);
        block(s.orElse);
        block(s.finally);
        for (const frontend::Handler& h : s.handlers)
            block(h.body);
        for (const frontend::MatchCase& c : s.cases)
            block(c.body);
        if (s.function) block(s.function->body);
        return last;
    }
    void add(const frontend::Stmt& s, bool inFunction) {
        using Kind = frontend::StmtKind;
        const bool leaves = s.kind == Kind::Return || s.kind == Kind::Raise ||
                            s.kind == Kind::Break || s.kind == Kind::Continue ||
                            s.kind == Kind::Global || s.kind == Kind::Nonlocal;
        if (inFunction && !leaves) found.emplace(lastLine(s), s.span.column);
        const bool inside = inFunction && s.kind != Kind::Class;
        addBlock(s.body, inside);
        addBlock(s.orElse, inside);
        addBlock(s.finally, inside);
        for (const frontend::Handler& h : s.handlers)
            addBlock(h.body, inside);
        for (const frontend::MatchCase& c : s.cases)
            addBlock(c.body, inside);
        if (s.function) addBlock(s.function->body, true);
    }
};

/// The script with a break behind every statement of its functions; empty when it cannot be read.
QString withBreaks(const QString& text) {
    auto script = frontend::parse("sample.py", text.toStdString());
    if (!script.ok()) return {};
    Places places;
    places.addBlock((*script)->body, false);
    QStringList lines = text.split('\n'), all;
    for (int i = 0; i < lines.size(); ++i) {
        all << lines[i];
        auto [from, to] = places.found.equal_range(i + 1);
        std::vector<int> columns;
        for (auto at = from; at != to; ++at)
            columns.push_back(at->second);
        std::sort(columns.rbegin(), columns.rend()); // the innermost block ends first
        for (int column : columns)
            all << QString(column - 1, ' ') + "torch._dynamo.graph_break()";
    }
    return all.join('\n');
}

struct Outcome {
    int status = -1;
    QString printed, told;
};

Outcome run(const QString& text, bool transformed) {
    QTemporaryDir folder;
    QFile script(folder.filePath("script.py"));
    if (!script.open(QIODevice::WriteOnly)) return {};
    script.write(text.toUtf8());
    script.close();
    QProcess process;
    QStringList arguments = {"run", script.fileName()};
    if (transformed) arguments << "--transformed";
    process.start(CUTAWAY_TOOL, arguments);
    if (!process.waitForFinished(300000)) return {-1, "no answer in 300 s", {}};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

/// How a script runs.
struct Way {
    const char* name;
    bool breaks, transformed;
};
constexpr Way kWays[] = {
    {"breaks", true, false}, {"transformed", false, true}, {"breaks, transformed", true, true}};

const char* const kSamples = CUTAWAY_SOURCE_DIR "/samples";

} // namespace

class TestBreaksEverywhere : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void training_goes_on_behind_every_statement_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("breaks");
        QTest::addColumn<bool>("transformed");
        for (const QString folder : {"training", "models"})
            for (const QString& file :
                 QDir(QString(kSamples) + "/" + folder).entryList({"*.py"}, QDir::Files))
                for (const Way& way : kWays) {
                    // Models break in library modules only, which have no statements here.
                    if (folder == "models" && way.breaks) continue;
                    QTest::newRow(qPrintable(file + ", " + way.name))
                        << folder << QFileInfo(file).baseName() << way.breaks << way.transformed;
                }
    }
    void training_goes_on_behind_every_statement() {
        QFETCH(QString, folder);
        QFETCH(QString, name);
        QFETCH(bool, breaks);
        QFETCH(bool, transformed);
        QString text = read(QString(kSamples) + "/" + folder + "/" + name + ".py");
        if (breaks) text = withBreaks(text);
        static const QRegularExpression kSetting("\ncompiled = (True|False)\n");
        QVERIFY(text.contains(kSetting));
        text.replace(kSetting, "\ncompiled = True\n");
        static const QRegularExpression kCompile(R"(torch\.compile\(([\w.]+)\))");
        text.replace(kCompile, "torch.compile(\\1, backend=\"eager\")");
        const Outcome found = run(text, transformed);
        QVERIFY2(found.status == 0, qPrintable(found.told));
        const QString expected =
            read(CUTAWAY_SOURCE_DIR "/tests/data/" + folder + "_output/" + name + ".txt");
        QCOMPARE(withoutNumbers(found.printed), withoutNumbers(expected));
        const auto [difference, half] = largestDifferences(found.printed, expected);
        qInfo("%d breaks, largest difference %g",
              static_cast<int>(found.told.count("graph break:")), difference);
        QVERIFY(difference <= (name == "mixed_precision" ? 2e-2 : 2e-4));
        QVERIFY(half <= 2e-2);
        breaks_ += found.told.count("graph break:");
        QVERIFY2(!found.told.contains("cannot be resumed"), qPrintable(found.told));
    }
    void cases_go_on_behind_every_statement_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("breaks");
        QTest::addColumn<bool>("transformed");
        for (const QString& file : QDir(kSamples).entryList({"*.py"}, QDir::Files))
            for (const Way& way : kWays)
                if (file != "thousand_adds.py" || !way.breaks) // one statement, a thousand times
                    QTest::newRow(qPrintable(file + ", " + way.name))
                        << file << way.breaks << way.transformed;
    }
    void cases_go_on_behind_every_statement() {
        QFETCH(QString, name);
        QFETCH(bool, breaks);
        QFETCH(bool, transformed);
        QString text = read(QString(kSamples) + "/" + name);
        if (breaks) text = withBreaks(text);
        QVERIFY(text.contains("def example_inputs"));
        text += R"(
_inputs = example_inputs(next(iter(sizes)))
_expected = model(*_inputs)
_found = torch.compile(model, backend="eager")(*_inputs)
print("agree" if torch.allclose(_found, _expected, 1e-5, 1e-6) else "differ")
)";
        const Outcome found = run(text, transformed);
        QVERIFY2(found.status == 0, qPrintable(found.told));
        QCOMPARE(found.printed, QString("agree\n"));
        QVERIFY2(!found.told.contains("cannot be resumed"), qPrintable(found.told));
        breaks_ += found.told.count("graph break:");
    }
    void there_were_breaks() { QVERIFY(breaks_ > 150); }

private:
    qsizetype breaks_ = 0;
};

QTEST_APPLESS_MAIN(TestBreaksEverywhere)
#include "test_breaks_everywhere.moc"
