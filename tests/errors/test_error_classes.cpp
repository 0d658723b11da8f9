// SPDX-License-Identifier: Apache-2.0
// Wrong calls, one a line of tests/data/error_classes.txt, each with the class of exception that
// CPython 3.11 and PyTorch (2.11; later lines 2.15) raise for it ("ok": none). All run in one script.
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

namespace {

struct Row {
    QByteArray expected, statements; ///< statements separated by "; "
};

QList<Row> rows() {
    QFile file(CUTAWAY_SOURCE_DIR "/tests/data/error_classes.txt");
    if (!file.open(QIODevice::ReadOnly)) qFatal("no table");
    QList<Row> rows;
    for (const QByteArray& line : file.readAll().split('\n')) {
        const qsizetype bar = line.indexOf(" | ");
        if (bar > 0) rows.append({line.left(bar), line.mid(bar + 3)});
    }
    return rows;
}

const char* const kNames = R"(
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
x3 = torch.ones(2, 3, 4)
y23 = torch.ones(2, 3)
i4 = torch.zeros(4, dtype=torch.long)
i0 = torch.tensor([0, 1])
t0 = torch.tensor(1.)
def f1(a):
    return a + 1
def g1(a):
    return a
class C1:
    def m(self):
        return 1
    def m2(self):
        return self.nope
    @property
    def p(self):
        return 1
    @property
    def p2(self):
        return self.nope
)";

/// A function of its own, so that names which the statements assign are local ones.
QByteArray attempt(qsizetype number, QByteArray statements) {
    const bool compound = QList<QByteArray>{"for", "if", "class", "with", "def"}.contains(
        statements.left(statements.indexOf(' ')));
    if (!compound) statements.replace("; ", "\n        ");
    return "def t" + QByteArray::number(number) +
           "():\n"
           "    global x, i, b, u, leaf, m\n"
           "    x = torch.arange(12.).reshape(3, 4)\n"
           "    i = torch.zeros(3, 4, dtype=torch.long)\n"
           "    b = x > 5\n"
           "    u = torch.ones(2, dtype=torch.uint8)\n"
           "    leaf = torch.ones(3, 4, requires_grad=True)\n"
           "    m = nn.Linear(4, 2)\n"
           "    try:\n        " +
           statements +
           "\n        print('ok')\n"
           "    except BaseException as e:\n"
           "        print(type(e).__name__)\n"
           "t" +
           QByteArray::number(number) + "()\n";
}

} // namespace

class TestErrorClasses : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wrong_calls_raise_what_pytorch_and_python_raise() {
        const QList<Row> table = rows();
        QVERIFY(table.size() > 500);
        QTemporaryDir folder;
        QFile script(folder.filePath("wrong.py"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(kNames);
        for (qsizetype k = 0; k < table.size(); ++k)
            script.write(attempt(k, table[k].statements));
        script.close();
        QProcess process;
        process.start(CUTAWAY_TOOL, {"run", script.fileName()});
        QVERIFY(process.waitForFinished(120000));
        const QList<QByteArray> found = process.readAllStandardOutput().trimmed().split('\n');
        QByteArray differ;
        for (qsizetype k = 0; k < std::min(found.size(), table.size()); ++k)
            if (found[k] != table[k].expected)
                differ += table[k].statements + ": " + found[k] + ", expected " +
                          table[k].expected + "\n";
        QVERIFY2(differ.isEmpty(), differ.constData());
        QVERIFY2(found.size() == table.size(), process.readAllStandardError().constData());
    }
};

QTEST_APPLESS_MAIN(TestErrorClasses)
#include "test_error_classes.moc"
