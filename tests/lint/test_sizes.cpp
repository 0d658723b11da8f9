// SPDX-License-Identifier: Apache-2.0
// Shape rules ask about sizes (OpCall::same, less, divisible, number): a size may be a symbol, and
// only the ShapeEnv may decide what is not known of it. Whether a size is 0 or 1 may be read off.
#include <QDir>
#include <QRegularExpression>
#include <QtTest>

class TestSizes : public QObject {
    Q_OBJECT

    /// Not rules: what asks, what evaluates constants, what looks at proofs only or copies nodes.
    const QStringList notRules{"op_call.cpp",      "builder.cpp",        "bind.cpp",
                               "reference.cpp",    "memory_order.cpp",   "parse_graph.cpp",
                               "verify_views.cpp", "custom_function.cpp"};

    static QStringList findings(const QString& text) {
        static const QRegularExpression bare[] = {
            QRegularExpression("\\.constant\\(\\)"),
            QRegularExpression("[.>]constants\\(|ir::constants\\("),
            QRegularExpression("\\.(sizes|strides)(\\[[^\\]]*\\]|\\.(back|front)\\(\\))? *[=!]= "),
            QRegularExpression("[=!]= [\\w.()\\[\\]]*\\.(sizes|strides)\\b(?!\\.size)"),
            QRegularExpression("numel\\(\\) *([=!]=|[<>]) *[^0-9 ]")};
        QStringList found;
        const QStringList lines = text.split('\n');
        for (int i = 0; i < lines.size(); ++i) {
            const QString& line = lines[i];
            const bool host = line.contains("->sizes") || line.contains("host");
            for (const QRegularExpression& e : bare)
                if (!host && e.match(line).hasMatch())
                    found << QString("line %1: %2").arg(i + 1).arg(line.trimmed());
        }
        return found;
    }

private Q_SLOTS:
    void rules_compare_no_sizes_themselves() {
        const QDir folder(QString(CUTAWAY_SOURCE_DIR) + "/core/ops");
        const QStringList files = folder.entryList({"*.cpp", "*.h"});
        QVERIFY(files.size() > 100);
        for (const QString& name : files) {
            if (notRules.contains(name)) continue;
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QStringList found = findings(QString::fromUtf8(file.readAll()));
            QVERIFY2(found.isEmpty(), qPrintable(name + ": " + found.join("; ") +
                                                 ": ask the call (same, less, number ...)"));
        }
    }

    void the_lint_sees_what_it_forbids() {
        for (const char* line :
             {"int64_t size = self.sizes[0].constant();", "if (a.sizes == b.sizes) return;",
              "fits = x.sizes[i] != y.sizes[i];", "if (!(q.sizes.back() == k.sizes.back()))",
              "return a.numel() == b.numel();"})
            QVERIFY2(!findings(line).isEmpty(), line);
        for (const char* line :
             {"if (size.is(1)) continue;", "if (index.rank() == self.sizes.size()) return;",
              "fits = call.same(type.sizes[i], sizes[i]);"})
            QVERIFY2(findings(line).isEmpty(), line);
    }
};

QTEST_APPLESS_MAIN(TestSizes)
#include "test_sizes.moc"
