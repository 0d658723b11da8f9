// SPDX-License-Identifier: Apache-2.0
// An exception finds its way by a table of functions that is searched by where they begin. GCC says of
// a part of a function without code, too, where it is; what begins at the same place may then not be
// found, and whatever is thrown through it ends the process. No two functions of the program begin at
// one place.
#include <QFile>
#include <QtTest>

#include <cstring>
#include <elf.h>

class TestUnwinding : public QObject {
    Q_OBJECT

    QByteArray program;

    template <class T> T at(quint64 place) const {
        T value{};
        if (place + sizeof value <= quint64(program.size()))
            std::memcpy(&value, program.constData() + place, sizeof value);
        return value;
    }

private Q_SLOTS:
    void functions_that_throw_begin_at_places_of_their_own() {
        QFile file(QStringLiteral(CUTAWAY_TOOL));
        QVERIFY(file.open(QIODevice::ReadOnly));
        program = file.readAll();
        const auto head = at<Elf64_Ehdr>(0);
        quint64 table = 0;
        for (int i = 0; i < head.e_phnum; ++i) {
            const auto part = at<Elf64_Phdr>(head.e_phoff + quint64(i) * sizeof(Elf64_Phdr));
            if (part.p_type == PT_GNU_EH_FRAME) table = part.p_offset;
        }
        QVERIFY(table != 0);
        // Version, and that of the table: pairs of 32 bits, relative to it.
        QCOMPARE(at<quint8>(table), quint8(1));
        QCOMPARE(at<quint8>(table + 3), quint8(0x3b));
        const auto count = at<quint32>(table + 8);
        QVERIFY(count > 1000);
        for (quint32 i = 1; i < count; ++i) {
            const quint64 here = table + 12 + 8 * quint64(i);
            QVERIFY2(
                at<qint32>(here - 8) < at<qint32>(here),
                qPrintable(QString("two functions begin 0x%1 behind the table: nm -C finds their "
                                   "names; write the one without code otherwise")
                               .arg(at<qint32>(here), 0, 16)));
        }
    }
};

QTEST_APPLESS_MAIN(TestUnwinding)
#include "test_unwinding.moc"
