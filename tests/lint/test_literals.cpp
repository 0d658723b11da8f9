// SPDX-License-Identifier: Apache-2.0
// What people read in the window passes by tr(): literals of views/ that are prose, or that are
// given to a widget as its text, and are no argument of tr, translate or one of Qt's _NOOP macros.
// A simple reading of the text: comments, raw strings and markup are left out; what is no word of
// the window stands below with its reason.
#include <QDirIterator>
#include <QRegularExpression>
#include <QtTest>

namespace {

struct Allowed {
    const char* file;
    const char* literal; ///< begins so
    const char* reason;
};

const Allowed kAllowed[] = {
    {"views/models/fold_names.cpp", "is the same ", "what a record says"},
    {"views/main_window.cpp", "import torch", "a script"},
    {"views/main_window.cpp", "\\n\\n\\ndef example_inputs", "a script"},
    {"views/models/roofline.cpp", "import torch", "a script"},
    {"views/models/roofline.cpp", "def ", "a script"},
    {"views/models/roofline.cpp", "    return torch", "a script"},
    {"views/models/module_tree.cpp", "gradient of", "what a record says"},
    {"views/models/decisions.cpp", "library call", "what a record says"},
    {"views/widgets/graph_export.cpp", "digraph graph_", "DOT"},
    {"views/widgets/graph_export.cpp", "  subgraph", "DOT"},
    {"views/main_window_menus.cpp", "As the &system", "a command's name in the settings"},
    {"views/widgets/code_font.cpp", "", "families of type"},
};

struct Finding {
    int line;
    QString literal;
};

/// The text with comments and raw strings blanked out, as long as before.
QString bare(QString text) {
    static const QRegularExpression outside(
        R"re(//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')re",
        QRegularExpression::DotMatchesEverythingOption);
    for (auto match = outside.globalMatch(text); match.hasNext();) {
        const auto one = match.next();
        if (one.captured().startsWith('"')) continue; // a literal
        for (qsizetype i = one.capturedStart(); i < one.capturedEnd(); ++i)
            if (text[i] != '\n') text[i] = ' ';
    }
    return text;
}

/// Whether what stands before a literal begins a call that translates it.
bool isTranslated(const QString& before) {
    static const QRegularExpression call(
        "(\\btr|translate|_NOOP)\\(\\s*(\"(?:[^\"\\\\]|\\\\.)*\"\\s*,?\\s*)*$");
    return call.match(before.right(1200)).hasMatch();
}

bool isProse(QString literal) {
    static const QRegularExpression markup("<[^>]*>|%\\d|\\\\u\\w{4}|\\\\n"),
        words("[A-Za-z]{2,},? [A-Za-z]{2,}");
    return literal.remove(markup).contains(words);
}

bool isShown(const QString& before) {
    static const QRegularExpression given(
        "(set(Text|ToolTip|PlaceholderText|WindowTitle|AccessibleName|AccessibleDescription|"
        "StatusTip|WhatsThis|Title|EmptyText|Prefix|Suffix)|addTab|addMenu|new QLabel|"
        "new QPushButton|new QCheckBox|showMessage|notify)\\(\\s*$");
    return given.match(before.right(120)).hasMatch();
}

std::vector<Finding> findings(const QString& source, const QString& file) {
    static const QRegularExpression literals("\"((?:[^\"\\\\\n]|\\\\.)*)\"");
    const QString text = bare(source);
    std::vector<Finding> found;
    for (auto match = literals.globalMatch(text); match.hasNext();) {
        const auto one = match.next();
        const QString before = text.left(one.capturedStart()), literal = one.captured(1);
        if (before.section('\n', -1).trimmed().startsWith('#') || isTranslated(before)) continue;
        static const QRegularExpression letters("[A-Za-z]{2,}");
        if (!isProse(literal) && !(isShown(before) && literal.contains(letters))) continue;
        const bool allowed =
            std::any_of(std::begin(kAllowed), std::end(kAllowed), [&](const Allowed& row) {
                return file == QLatin1String(row.file) && literal.startsWith(row.literal);
            });
        if (!allowed) found.push_back({static_cast<int>(before.count('\n')) + 1, literal});
    }
    return found;
}

} // namespace

class TestLiterals : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void what_is_shown_passes_by_tr() {
        QDirIterator files(QString(CUTAWAY_SOURCE_DIR) + "/views", {"*.cpp", "*.h"}, QDir::Files,
                           QDirIterator::Subdirectories);
        int read = 0;
        QStringList all;
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString name = file.fileName().mid(int(qstrlen(CUTAWAY_SOURCE_DIR)) + 1);
            for (const Finding& one : findings(QString::fromUtf8(file.readAll()), name))
                all << QString("%1:%2: \"%3\"").arg(name).arg(one.line).arg(one.literal);
            ++read;
        }
        QVERIFY(read > 150);
        QVERIFY2(all.isEmpty(), qPrintable(all.join('\n') + "\nsay it through tr()"));
    }
    void the_lint_sees_what_it_forbids() {
        for (const char* line :
             {"label->setText(\"Ready\");", "auto s = QString(\"no such file\");",
              "parts << QStringLiteral(\"two words\");", "new QLabel(\"Size\");",
              "f(tr(\"fine\"), \"not fine\");", "x = \"<b>two words</b>\";"})
            QVERIFY2(!findings(line, "views/x.cpp").empty(), line);
        for (const char* line :
             {"label->setText(tr(\"Ready to go\"));", "// \"two words\"",
              "setObjectName(\"graphMenu\");", "Words::tr(\"a \"\n   \"long text\")",
              "QT_TRANSLATE_NOOP(\"Ctx\", \"two words\")", "html += \"<td align='right'>%1</td>\";",
              "#include \"a b/c d.h\"", "translate(\"Ctx\", \"two words\")", "R\"(two words)\""})
            QVERIFY2(findings(line, "views/x.cpp").empty(), line);
        QVERIFY(findings("f(\"import torch as t\");", "views/main_window.cpp").empty());
    }
};

QTEST_APPLESS_MAIN(TestLiterals)
#include "test_literals.moc"
