// SPDX-License-Identifier: GPL-3.0-or-later
// Assembly without what only the assembler needs, and what its instructions do.
#include "views/models/assembly.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::views;

class TestAssembly : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void what_the_assembler_alone_needs_goes() {
        record::Code code;
        code.language = "asm";
        const char* lines[] = {"kernel:",
                               "    # for (long i = 0; i < n; ++i)",
                               ".Lkernel$local:",
                               "    vmovups zmm0, [rdi]",
                               "    vaddps zmm0, zmm0, [rip + .LCPI0_0]",
                               ".LBB0_1:",
                               "    call _ZN4math3cosEd",
                               "    jne .LBB0_1",
                               "    ret",
                               "",
                               ".LCPI0_0:",
                               " .long 0x42b20000"};
        for (int i = 0; const char* line : lines)
            code.lines.push_back({record::ItemId(i++), line});
        const record::Code shown = readableAssembly(code);
        QStringList texts;
        for (const record::CodeLine& line : shown.lines)
            texts << QString::fromStdString(line.text);
        QCOMPARE(texts, (QStringList{"kernel:", lines[1], lines[3], lines[4], ".LBB0_1:",
                                     "    call math::cos(double)", lines[7], "    ret"}));
        QCOMPARE(shown.lines[3].item, record::ItemId(4)); // links stay with their lines
    }
    void instructions_are_explained_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("help");
        auto row = [](const char* line, const char* help) {
            QTest::newRow(line) << QString("    ") + line << QString(help);
        };
        row("vfmadd213ps zmm0, zmm1, zmm2", "vfmadd213ps: multiplies and adds at once, with one "
                                            "rounding (floats, 512 bits at once)");
        row("vmovups ymm0, [rdi]",
            "vmovups: loads or stores at any address (floats, 256 bits at once)");
        row("mulss xmm0, xmm1", "mulss: multiplies (one float)");
        row("vpaddd xmm0, xmm0, xmm1", "vpaddd: adds (128 bits at once)");
        row("jne .L1", "jne: goes on at the label, if the comparison says so");
        row("ret", "ret: returns");
        row("frobnicate eax", "");
        QTest::newRow("label") << QString("kernel:") << QString();
        QTest::newRow("comment") << QString("    # add") << QString();
    }
    void instructions_are_explained() {
        QFETCH(QString, line);
        QFETCH(QString, help);
        QCOMPARE(instructionHelp(line), help);
    }
};

QTEST_GUILESS_MAIN(TestAssembly)
#include "test_assembly.moc"
