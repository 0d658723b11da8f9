// SPDX-License-Identifier: Apache-2.0
// The tree is written as .clang-format says (`cmake --build build/dev --target format` writes it so), and
// clang-tidy finds nothing in the headers of core and app, nor in two sources (five seconds each).
#include <QDirIterator>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

class TestFormat : public QObject {
    Q_OBJECT

    const QDir root_{CUTAWAY_SOURCE_DIR};

    QStringList sources(const QStringList& folders, const QStringList& patterns) const {
        QStringList found;
        for (const QString& folder : folders) {
            QDirIterator at(root_.filePath(folder), patterns, QDir::Files,
                            QDirIterator::Subdirectories);
            while (at.hasNext())
                found << root_.relativeFilePath(at.next());
        }
        found.sort();
        return found;
    }

    struct Said {
        int status = -1;
        QString text;
    };
    Said run(const QString& program, const QStringList& arguments) const {
        QProcess process;
        process.setWorkingDirectory(root_.path());
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(program, arguments);
        Said said;
        if (process.waitForFinished(-1) && process.exitStatus() == QProcess::NormalExit)
            said.status = process.exitCode();
        said.text = QString::fromUtf8(process.readAll());
        return said;
    }
    static QString program(const QString& name) { return QStandardPaths::findExecutable(name); }

    Said format(const QStringList& files) const {
        return run(program("clang-format-19"), QStringList{"--dry-run", "-Werror"} + files);
    }
    Said tidy(const QString& file) const {
        return run(program("clang-tidy-19"),
                   {"--quiet", "--config-file=.clang-tidy", "--warnings-as-errors=*", file, "--",
                    "-std=c++20", "-I.", "-isystem", "/usr/lib/llvm-19/include"});
    }

private Q_SLOTS:
    void the_tree_is_formatted() {
        if (program("clang-format-19").isEmpty()) QSKIP("no clang-format-19");
        const QStringList files = sources({"core", "app", "views", "tests"}, {"*.h", "*.cpp"});
        QVERIFY(files.size() > 1000);
        const Said said = format(files);
        QVERIFY2(said.status == 0, qPrintable(said.text.left(2000)));
    }

    void what_is_not_formatted_is_seen() {
        if (program("clang-format-19").isEmpty()) QSKIP("no clang-format-19");
        QTemporaryDir folder(root_.filePath("build/formatXXXXXX"));
        QFile file(folder.filePath("a.cpp"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("int  f( ){return 1 ;}\n");
        file.close();
        QVERIFY(format({file.fileName()}).status != 0);
    }

    void headers_are_tidy() {
        if (program("clang-tidy-19").isEmpty()) QSKIP("no clang-tidy-19");
        QByteArray text;
        int count = 0;
        for (const QString& name : sources({"core", "app"}, {"*.h"})) {
            QFile header(root_.filePath(name));
            QVERIFY(header.open(QIODevice::ReadOnly));
            const QByteArray lines = header.readAll();
            // Those of the compiler's libraries, and bodies that a source includes several times.
            if (lines.contains("\"llvm/") || lines.contains("<llvm/") ||
                lines.contains("<clang/") || name.endsWith("_body.h"))
                continue;
            text += "#include \"" + name.toUtf8() + "\"\n";
            ++count;
        }
        QVERIFY(count > 250);
        QTemporaryDir folder;
        QFile file(folder.filePath("headers.cpp"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        const Said said = tidy(file.fileName());
        QVERIFY2(said.status == 0, qPrintable(said.text.left(2000)));
    }

    void sources_are_tidy_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"core/ir/graph.cpp", "core/pipeline/recorder.cpp"})
            QTest::newRow(file) << file;
    }
    void sources_are_tidy() {
        if (program("clang-tidy-19").isEmpty()) QSKIP("no clang-tidy-19");
        QFETCH(QString, file);
        const Said said = tidy(file);
        QVERIFY2(said.status == 0, qPrintable(said.text.left(2000)));
    }

    void what_is_untidy_is_seen() {
        if (program("clang-tidy-19").isEmpty()) QSKIP("no clang-tidy-19");
        QTemporaryDir folder;
        QFile file(folder.filePath("a.cpp"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#include <string>\n#include <utility>\n"
                   "size_t bad_name(std::string a) {\n    const std::string b = std::move(a);\n"
                   "    return a.size() + b.size();\n}\n");
        file.close();
        const Said said = tidy(file.fileName());
        QVERIFY(said.status != 0);
        QVERIFY2(said.text.contains("readability-identifier-naming"), qPrintable(said.text));
        QVERIFY2(said.text.contains("bugprone-use-after-move"), qPrintable(said.text));
    }
};

QTEST_GUILESS_MAIN(TestFormat)
#include "test_format.moc"
