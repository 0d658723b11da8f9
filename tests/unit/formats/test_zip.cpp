// SPDX-License-Identifier: Apache-2.0
#include "core/formats/zip.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::formats;

class TestZip : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void entries_come_back() {
        auto bytes = writeZip({{"a", "one"}, {"b/c", std::string(100000, 'x')}});
        QVERIFY(bytes.ok());
        auto entries = readZip(*bytes);
        QVERIFY(entries.ok());
        QCOMPARE(entries->size(), size_t(2));
        QCOMPARE(*entries->find("a"), "one");
        QCOMPARE(entries->find("b/c")->size(), size_t(100000));
        QVERIFY(!entries->find("c"));
    }
    void what_unpacks_to_more_than_the_limit_is_refused() {
        // Each fits by itself.
        auto bytes = writeZip({{"a", std::string(3 << 20, '0')}, {"b", std::string(3 << 20, '0')}});
        QVERIFY(bytes.ok());
        QVERIFY(bytes->size() < 20000);
        auto entries = readZip(*bytes, 5 << 20);
        QVERIFY(!entries.ok());
        QCOMPARE(entries.error().message, "the zip unpacks to more than 5 MiB");
        QVERIFY(readZip(*bytes, 6 << 20).ok());
    }
    void what_says_that_it_is_too_large_is_refused_unread() {
        auto bytes = writeZip({{"a", std::string(100, '0')}});
        QVERIFY(bytes.ok());
        // The size in the central directory, whose headers begin with PK\1\2.
        const size_t header = bytes->find("PK\x01\x02");
        QVERIFY(header != std::string::npos);
        bytes->replace(header + 24, 4, std::string("\0\0\0\x7f", 4));
        auto entries = readZip(*bytes);
        QVERIFY(!entries.ok());
        QCOMPARE(entries.error().message, "the zip unpacks to more than 256 MiB");
    }
    void damage_is_a_message() {
        auto whole = writeZip({{"a", std::string(1000, 'x') + "y"}});
        QVERIFY(whole.ok());
        for (size_t i = 0; i < whole->size(); ++i) {
            std::string damaged = *whole;
            damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
            if (auto entries = readZip(damaged); !entries.ok())
                QVERIFY(!entries.error().message.empty());
            if (auto entries = readZip(whole->substr(0, i)); !entries.ok())
                QVERIFY(!entries.error().message.empty());
        }
    }
};

QTEST_APPLESS_MAIN(TestZip)
#include "test_zip.moc"
