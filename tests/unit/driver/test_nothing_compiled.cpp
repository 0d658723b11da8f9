// SPDX-License-Identifier: Apache-2.0
// A script that ran without compiling anything is told which of its switches is off.
#include "core/driver/nothing_compiled.h"

#include <QtTest>

using namespace cutaway;

class TestNothingCompiled : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void the_switch_is_named_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<QByteArray>("hint");
        QTest::newRow("expression") << QByteArray("compiled = False\nm = 1\n"
                                                  "f = torch.compile(m) if compiled else m\n")
                                    << 1 << QByteArray("'compiled' is False, and line 3")
                                    << QByteArray("write 'compiled = True' in line 1");
        QTest::newRow("block") << QByteArray("import torch\nfast: bool = False\nif fast:\n"
                                             "    # at last\n    m = torch.compile(m)\n")
                               << 2 << QByteArray("'fast' is False, and line 5")
                               << QByteArray("write 'fast = True' in line 2");
        QTest::newRow("not called")
            << QByteArray("f = torch.compile(g)\n") << 0 << QByteArray("in line 1 is not called")
            << QByteArray("call it");
        QTest::newRow("comment") << QByteArray("# torch.compile is not used\n") << 0
                                 << QByteArray("calls no compiled function")
                                 << QByteArray("add torch.compile");
        QTest::newRow("empty") << QByteArray() << 0 << QByteArray("calls no compiled function")
                               << QByteArray("add torch.compile");
    }
    void the_switch_is_named() {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(QByteArray, message);
        QFETCH(QByteArray, hint);
        const base::Diagnostic said = driver::nothingCompiled("a.py", text.toStdString());
        QCOMPARE(said.where.line, line);
        QVERIFY2(said.message.find(message.toStdString()) != std::string::npos,
                 said.message.c_str());
        QVERIFY2(said.hint.find(hint.toStdString()) != std::string::npos, said.hint.c_str());
    }
};

QTEST_GUILESS_MAIN(TestNothingCompiled)
#include "test_nothing_compiled.moc"
