// SPDX-License-Identifier: Apache-2.0
// The house rules that a compiler does not check: includes point down the list of core's folders,
// core knows no Qt and prints nothing, files name their licence, folders explain themselves.
#include <QDir>
#include <QDirIterator>
#include <QRegularExpression>
#include <QtTest>

class TestLayering : public QObject {
    Q_OBJECT

    static QString text(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    static QStringList sources(const QString& folder) {
        QStringList files;
        QDirIterator all(root() + folder, {"*.h", "*.cpp", "*.def"}, QDir::Files,
                         QDirIterator::Subdirectories);
        while (all.hasNext())
            files << all.next();
        files.sort();
        return files;
    }
    /// First line and number of lines of every function that stands for itself; not those in texts.
    static QList<std::pair<int, int>> functions(const QString& source) {
        static const QRegularExpression start("^[A-Za-z\\[]"),
            other("^(namespace|extern|struct|class|enum|union)\\b.*\\{$");
        QList<std::pair<int, int>> found;
        const QStringList lines = source.split('\n');
        static const QRegularExpression text("R\"(\\w*)\\(");
        int begin = -1;
        bool body = false;
        QString raw; ///< the end of the text that the line is in
        for (int i = 0; i < lines.size(); ++i) {
            const QString& line = lines[i];
            if (!raw.isEmpty()) {
                if (line.contains(raw)) raw.clear();
                continue;
            }
            if (const auto match = text.match(line); match.hasMatch())
                if (const QString end = ")" + match.captured(1) + "\""; !line.contains(end))
                    raw = end;
            if (begin < 0 && start.match(line).hasMatch() && !other.match(line).hasMatch())
                begin = i, body = false;
            body |= line.endsWith('{');
            if (line == "}" && begin >= 0 && body) found.append({begin + 1, i - begin + 1});
            if (line.startsWith('}') || (!body && (line.isEmpty() || line.endsWith(';'))))
                begin = -1;
        }
        return found;
    }
    static QString root() { return QString(CUTAWAY_SOURCE_DIR) + "/"; }
    static QString shortName(const QString& path) { return path.mid(root().size()); }

    /// Folders of core, lowest first, and what each declares to depend on.
    static QMap<QString, QStringList> dependencies(QStringList* order) {
        QMap<QString, QStringList> result;
        QRegularExpression declaration("cutaway_library\\(([\\w/]+)([^)]*)\\)");
        auto matches = declaration.globalMatch(text(root() + "core/CMakeLists.txt"));
        while (matches.hasNext()) {
            auto match = matches.next();
            QString folder = match.captured(1);
            *order << folder;
            QStringList& known = result[folder];
            QRegularExpression dependency("cutaway_(\\w+)");
            auto names = dependency.globalMatch(match.captured(2));
            while (names.hasNext()) {
                QString name = names.next().captured(1);
                known << name << result.value(name);
            }
            known << folder;
        }
        return result;
    }

private Q_SLOTS:
    void core_folders_include_only_what_they_depend_on() {
        QStringList order;
        auto allowed = dependencies(&order);
        QVERIFY(order.size() > 15);
        QRegularExpression include("#include \"core/(\\w+)/");
        for (const QString& path : sources("core")) {
            QString folder = shortName(path).section('/', 1, 1);
            QVERIFY2(allowed.contains(folder), qPrintable("core/CMakeLists.txt misses " + folder));
            auto matches = include.globalMatch(text(path));
            while (matches.hasNext()) {
                QString used = matches.next().captured(1);
                QVERIFY2(allowed[folder].contains(used),
                         qPrintable(shortName(path) + " includes core/" + used));
            }
        }
    }

    void core_and_command_line_know_no_qt() {
        QRegularExpression qt("#include <Q");
        for (const char* folder : {"core", "app/cli", "app/engine"})
            for (const QString& path : sources(folder))
                QVERIFY2(!text(path).contains(qt), qPrintable(shortName(path)));
    }

    void views_see_driver_and_record_only() {
        QRegularExpression include("#include \"core/(\\w+)/");
        for (const QString& path : sources("views")) {
            auto matches = include.globalMatch(text(path));
            while (matches.hasNext()) {
                QString used = matches.next().captured(1);
                QVERIFY2(used == "driver" || used == "record" || used == "base",
                         qPrintable(shortName(path) + " includes core/" + used));
            }
        }
    }

    void core_prints_nothing_and_never_exits() {
        QRegularExpression forbidden("\\bstd::(cout|cerr|clog|exit|abort)\\b|\\b(printf|puts|exit|"
                                     "abort)\\(|\\bfmt::print\\(");
        for (const QString& path : sources("core")) {
            QStringList lines = text(path).split('\n');
            for (int i = 0; i < lines.size(); ++i) {
                QString code = lines[i].section("//", 0, 0);
                code.remove(QRegularExpression("\"([^\"\\\\]|\\\\.)*\""));
                QVERIFY2(
                    !code.contains(forbidden),
                    qPrintable(QString("%1:%2: %3").arg(shortName(path)).arg(i + 1).arg(lines[i])));
            }
        }
    }

    void every_source_names_its_licence() {
        for (const char* folder : {"core", "app", "views", "tests", "resources"})
            for (const QString& path : sources(folder)) {
                QString first = text(path).section('\n', 0, 0);
                bool window = shortName(path).startsWith("views/") ||
                              shortName(path).startsWith("app/main_gui") ||
                              shortName(path).startsWith("tests/views/");
                bool licensed =
                    first.contains("SPDX-License-Identifier: Apache-2.0") ||
                    (window && first.contains("SPDX-License-Identifier: GPL-3.0-or-later"));
                if (shortName(path).endsWith(".def")) continue;
                QVERIFY2(licensed, qPrintable(shortName(path)));
            }
    }

    void every_folder_of_core_explains_itself() {
        QStringList order;
        dependencies(&order);
        for (const QString& folder : order) {
            QString readme = text(root() + "core/" + folder + "/README.md");
            QVERIFY2(!readme.isEmpty(), qPrintable("core/" + folder + "/README.md is missing"));
            QVERIFY2(readme.count('\n') <= 45,
                     qPrintable("core/" + folder + "/README.md is too long"));
        }
    }

    /// Tables and commands may be wide.
    void readmes_are_read_without_scrolling() {
        constexpr qsizetype kWidest = 124;
        QStringList readmes{root() + "README.md", root() + "DIFFERENCES.md"};
        for (const char* folder :
             {"core", "app", "views", "tests", "resources", "samples", "packaging"}) {
            QDirIterator all(root() + folder, {"README.md"}, QDir::Files,
                             QDirIterator::Subdirectories);
            while (all.hasNext())
                readmes << all.next();
        }
        for (const QString& readme : readmes) {
            bool command = false;
            for (const QString& line : text(readme).split('\n')) {
                if (line.startsWith("```")) command = !command;
                QVERIFY2(command || line.startsWith('|') || line.size() <= kWidest,
                         qPrintable(shortName(readme) + ": " + line));
            }
        }
    }

    /// Words in backticks with the ending of a source: whole paths, or the end of one.
    void readmes_name_files_that_exist() {
        static const QRegularExpression word("`([a-z0-9_/]+\\.(?:h|cpp|py|sh))`");
        QStringList files, readmes;
        for (const char* folder : {"core", "app", "views", "tests", "resources", "samples"}) {
            QDirIterator all(root() + folder, QDir::Files, QDirIterator::Subdirectories);
            while (all.hasNext()) {
                files << '/' + shortName(all.next());
                if (files.last().endsWith("/README.md")) readmes << files.last().mid(1);
            }
        }
        QVERIFY(readmes.size() > 20);
        int named = 0;
        for (const QString& readme : readmes)
            for (auto words = word.globalMatch(text(root() + readme)); words.hasNext(); ++named) {
                const QString name = words.next().captured(1);
                const bool exists = std::any_of(files.begin(), files.end(), [&](const QString& f) {
                    return f.endsWith('/' + name);
                });
                QVERIFY2(exists, qPrintable(readme + " names " + name + ", which does not exist"));
            }
        QVERIFY(named > 100);
    }

    void functions_stay_small() {
        int count = 0;
        for (const char* folder : {"core", "app", "views"})
            for (const QString& path : sources(folder))
                for (const auto& [line, length] : functions(text(path))) {
                    ++count;
                    QVERIFY2(length <= 100, qPrintable(QString("%1:%2 has %3 lines")
                                                           .arg(shortName(path))
                                                           .arg(line)
                                                           .arg(length)));
                }
        QVERIFY(count > 4000);
    }

    void functions_are_found_and_measured() {
        const QString text =
            "namespace a {\n\nint f(int x,\n      int y) {\n    g();\n\n    h();\n}\n"
            "struct S {\n    int a;\n};\nint g();\n\nvoid h() {\n}\n} // namespace a\n";
        const QList<std::pair<int, int>> expected = {{3, 6}, {14, 2}};
        QCOMPARE(functions(text), expected);
    }

    void sources_stay_small() {
        for (const char* folder : {"core", "app", "views"})
            for (const QString& path : sources(folder))
                QVERIFY2(text(path).count('\n') <= 800, qPrintable(shortName(path)));
    }
};

QTEST_APPLESS_MAIN(TestLayering)
#include "test_layering.moc"
