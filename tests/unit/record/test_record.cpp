// SPDX-License-Identifier: Apache-2.0
// The record survives JSON and .cutaway files, refuses damaged ones with a message, and answers
// provenance questions in both directions.
#include "core/base/file_system.h"
#include "core/formats/zip.h"
#include "core/record/columns.h"
#include "core/record/json.h"

#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>

using namespace cutaway;
using namespace cutaway::record;

static Record sample() {
    Record record;
    record.producer = "test";
    record.path = "a.py";
    record.items = {{ItemKind::SourceLine, "source:1"}, {ItemKind::Node, "captured/cos"},
                    {ItemKind::Node, "joint/cos"},      {ItemKind::Node, "joint/sin"},
                    {ItemKind::Kernel, "forward/k"},    {ItemKind::Kernel, "backward/k"}};
    record.links = {{1, 0}, {2, 1}, {3, 1}, {4, 2}, {5, 3}};
    Entry entry;
    GraphStage captured;
    captured.name = "captured";
    GraphNode node;
    node.item = 1;
    node.name = "cos";
    captured.nodes.push_back(node);
    entry.graphs.push_back(captured);
    entry.times.push_back({"capture", 1.5});
    record.functions.push_back({"model", {"a.py", 1}, {entry}});
    record.messages.push_back(base::userError({"a.py", 3, 2}, "found x, expected y", "do z"));
    return record;
}

class TestRecord : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void json_round_trip_keeps_everything() {
        auto json = toJson(sample());
        auto back = fromJson(json);
        QVERIFY(back.ok());
        QCOMPARE(toJson(*back).dump(), json.dump());
    }
    void timings_are_left_out_of_the_deterministic_part() {
        Record a = sample(), b = sample();
        b.functions[0].entries[0].times[0].ms = 99;
        QCOMPARE(toJson(a, Part::Deterministic).dump(), toJson(b, Part::Deterministic).dump());
        QVERIFY(toJson(a) != toJson(b));
    }
    void the_part_of_timings_holds_nothing_else() {
        Record record = sample();
        record.functions.insert(record.functions.begin(), Function{"other", {}, {}});
        record.runs.push_back({});
        const auto json = toJson(record, Part::Timings);
        QCOMPARE(json["functions"].dump(),
                 std::string(R"([null,{"entries":[{"times":[{"ms":1.5,"stage":"capture"}]}]}])"));
        QCOMPARE(json.size(), size_t{3}); // and runs, and checks
        auto back = fromJson(toJson(record, Part::Deterministic));
        QVERIFY(back.ok() && back->functions[1].entries[0].times.empty() && back->runs.empty());
        QVERIFY(addTimings(*back, json).ok());
        QCOMPARE(toJson(*back).dump(), toJson(record).dump());
    }
    void timings_of_another_record_are_refused() {
        Record record = sample();
        record.functions.push_back(record.functions[0]);
        auto back = fromJson(toJson(sample(), Part::Deterministic));
        auto status = addTimings(*back, toJson(record, Part::Timings));
        QVERIFY(!status);
        QCOMPARE(status.error().message,
                 std::string("record.functions: expected 1 elements, found 2"));
    }
    void links_come_in_pairs() {
        auto json = toJson(sample());
        json["links"].erase(0);
        auto bad = fromJson(json);
        QVERIFY(!bad.ok());
        QCOMPARE(bad.error().message,
                 std::string("record.links: expected pairs of items, found 9 numbers"));
    }
    void files_of_version_1_open() {
        // Links were objects, and timings.json held the whole record again.
        auto all = toJson(sample());
        all["version"] = 1;
        auto links = nlohmann::json::array();
        for (const Link& link : sample().links)
            links.push_back({{"item", link.item}, {"from", link.from}});
        all["links"] = links;
        auto deterministic = all;
        deterministic["functions"][0]["entries"][0].erase("times");
        auto bytes = formats::writeZip(
            {{"record.json", deterministic.dump()}, {"timings.json", all.dump()}});
        QVERIFY(bytes.ok());
        auto back = record::parse(*bytes, "old.cutaway");
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().message.c_str());
        QCOMPARE(toJson(*back).dump(), toJson(sample()).dump());
    }
    void a_file_is_written_and_read_back() {
        QTemporaryDir folder;
        std::string path = folder.filePath("r.cutaway").toStdString();
        QVERIFY(save(sample(), path).ok());
        auto back = record::open(path);
        QVERIFY(back.ok());
        QCOMPARE(toJson(*back).dump(), toJson(sample()).dump());
        std::string first = *base::readFile(path);
        QVERIFY(save(sample(), path).ok());
        QVERIFY(first == *base::readFile(path));
    }
    void columns_keep_everything() {
        Record record = sample();
        record.runs.push_back({});
        record.runs[0].us = 1.25;
        record.runs[0].bytesMoved = -(int64_t(1) << 62);
        record.functions[0].entries[0].graphs[0].outputs = {kNoItem, 3, 1, kNoItem};
        auto bare = fromColumns(toColumns(record, Part::All, false));
        QVERIFY(bare.ok());
        QCOMPARE(codeLineCount(*bare), codeLineCount(record));
        QCOMPARE(lacksTexts(*bare), codeLineCount(record) > 0);
        QVERIFY(!lacksTexts(record));
        auto back = fromColumns(toColumns(record));
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().message.c_str());
        QCOMPARE(toJson(*back).dump(), toJson(record).dump());
        auto rest = fromColumns(toColumns(record, Part::Deterministic));
        QVERIFY(rest.ok());
        QCOMPARE(toJson(*rest, Part::Deterministic).dump(),
                 toJson(record, Part::Deterministic).dump());
        QVERIFY(toColumns(*rest, Part::Deterministic) == toColumns(record, Part::Deterministic));
    }
    void columns_of_every_damage_are_refused_or_a_sound_record() {
        const std::string good = toColumns(sample());
        for (size_t length = 0; length < good.size(); ++length) {
            auto bad = fromColumns(std::string_view(good).substr(0, length));
            QVERIFY(!bad.ok());
            QVERIFY(!bad.error().message.empty());
        }
        int refused = 0;
        for (size_t at = 0; at < good.size(); ++at)
            for (int bit = 0; bit < 8; ++bit) {
                std::string bytes = good;
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
                auto back = fromColumns(bytes);
                refused += !back.ok();
                if (!back.ok()) continue;
                const LinkIndex links(*back); // goes where the items say
                QVERIFY(fromJson(toJson(*back)).ok());
            }
        QVERIFY(refused > 1000);
    }
    void columns_that_do_not_fit_are_named() {
        Record record = sample();
        record.links.push_back({77, 1});
        auto bad = fromColumns(toColumns(record));
        QVERIFY(!bad.ok());
        QCOMPARE(bad.error().message,
                 std::string("record.links.item names item 77, but there are 6 items"));
        std::string bytes = toColumns(sample());
        bytes.resize(bytes.size() - 1);
        bad = fromColumns(bytes);
        QVERIFY(!bad.ok());
        QVERIFY2(bad.error().message.starts_with("record."), bad.error().message.c_str());
        bytes = toColumns(sample());
        const size_t version = bytes.find('\n') + 1;
        bytes[version] = Record::kVersion + 1;
        bad = fromColumns(bytes);
        QVERIFY(!bad.ok());
        QCOMPARE(bad.error().message,
                 std::string("the record has version 4, this program reads 1 to 3"));
        QCOMPARE(bad.error().hint, std::string("open it with a newer version of Cutaway"));
    }
    void what_columns_claim_takes_no_memory() {
        // A list of 2^40 producers, where one byte follows.
        std::string bytes = "cutaway columns\n\3";
        bytes += std::string("\0\0", 2);                                // no texts
        bytes += std::string("o\6record\1", 9);                         // one field:
        bytes += std::string("l\5sizes\6\x80\x80\x80\x80\x80\x20", 14); // its counts
        bytes += std::string("t\0\1\0", 4);                             // its elements
        auto bad = fromColumns(bytes);
        QVERIFY(!bad.ok());
        QCOMPARE(bad.error().message, std::string("record.sizes: 1099511627776 elements are told, "
                                                  "at most 1 are there"));
        // One text of a megabyte that stands in a list 2000 times.
        Record record;
        record.sizes.assign(2000, std::string(1 << 20, 'x'));
        bad = fromColumns(toColumns(record));
        QVERIFY(!bad.ok());
        QCOMPARE(bad.error().message, std::string("record.sizes: it takes more than 1024 MiB"));
    }
    void a_damaged_file_is_told_once_and_clearly() {
        const nlohmann::json head{{"version", 3}, {"columns", "record.columns"}};
        auto message = [](formats::ZipEntries entries) {
            auto bad = record::parse(*formats::writeZip(entries), "a.cutaway");
            return bad.ok() ? std::string() : bad.error().str();
        };
        QCOMPARE(message({{"record.json", head.dump()}}),
                 std::string("a.cutaway: error: it holds no record.columns; the file is damaged"));
        QCOMPARE(message({{"record.json", head.dump()}, {"record.columns", "other"}}),
                 std::string("a.cutaway: error: record.columns cannot be read (expected a record's "
                             "columns); the file is damaged"));
        QVERIFY(message({{"record.json", R"({"version": 4, "columns": "record.parts"})"}})
                    .find("the record has version 4, this program reads 1 to 3") !=
                std::string::npos);
    }
    void versions_that_are_none_are_refused() {
        for (const char* version : {"18446744073709551615", "9223372036854775808", "1e300", "0",
                                    "-1", "\"2\"", "null", "2.5", "[]"}) {
            nlohmann::json all = toJson(sample());
            all["version"] = nlohmann::json::parse(version);
            QVERIFY2(!fromJson(all), version);
        }
    }
    void files_of_version_2_open() {
        auto json = toJson(sample(), Part::Deterministic);
        json["version"] = 2;
        auto bytes = formats::writeZip({{"record.json", json.dump(1)},
                                        {"timings.json", toJson(sample(), Part::Timings).dump(1)}});
        auto back = record::parse(*bytes, "old.cutaway");
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().message.c_str());
        QCOMPARE(toJson(*back).dump(), toJson(sample()).dump());
    }
    void damaged_files_are_refused_with_a_message() {
        QTemporaryDir folder;
        std::string path = folder.filePath("r.cutaway").toStdString();
        QVERIFY(base::writeFileAtomically(path, "not a zip").ok());
        auto bad = record::open(path);
        QVERIFY(!bad.ok());
        QVERIFY(bad.error().str().find(path + ": error: expected a zip archive") == 0);
        auto missing = record::open(path + "x");
        QVERIFY(!missing.ok() && missing.error().message.find("cannot open file") == 0);
    }
    void a_wrong_field_is_named() {
        auto json = toJson(sample());
        json["functions"][0]["entries"][0]["graphs"][0]["nodes"][0]["bytes"] = "many";
        auto bad = fromJson(json);
        QVERIFY(!bad.ok());
        QCOMPARE(bad.error().message,
                 std::string("record.functions[0].entries[0].graphs[0].nodes[0].bytes: expected an "
                             "integer, found string"));
    }
    void links_out_of_range_are_refused() {
        auto json = toJson(sample());
        json["links"][0] = 77;
        QVERIFY(!fromJson(json).ok());
    }
    void numbers_that_would_lead_out_of_bounds_are_refused_data() {
        QTest::addColumn<QString>("where");
        QTest::addColumn<qint64>("number");
        QTest::addColumn<QString>("message");
        QTest::newRow("node's item")
            << "/functions/0/entries/0/graphs/0/nodes/0/item" << qint64(6)
            << "record.functions[0].entries[0].graphs[0].nodes[0].item names item 6, but there are "
               "6 items";
        QTest::newRow("kind") << "/items/0/kind" << qint64(5)
                              << "record.items[0].kind: expected a number from 0 to 4, found 5";
        QTest::newRow("severity")
            << "/messages/0/severity" << qint64(-1)
            << "record.messages[0].severity: expected a number from 0 to 2, found -1";
        QTest::newRow("item id of 33 bits")
            << "/links/1" << qint64(1) + (qint64(1) << 32)
            << "record.links[1]: expected an integer of 32 bits, found 4294967297";
        QTest::newRow("line") << "/messages/0/where/line" << (qint64(1) << 40)
                              << "record.messages[0].where.line: expected an integer of 32 bits, "
                                 "found 1099511627776";
        QTest::newRow("version") << "/version" << (qint64(1) << 32) + 1
                                 << "the record has version 4294967297, this program reads 1 to 3";
    }
    void numbers_that_would_lead_out_of_bounds_are_refused() {
        QFETCH(QString, where);
        QFETCH(qint64, number);
        QFETCH(QString, message);
        auto json = toJson(sample());
        json[nlohmann::json::json_pointer(where.toStdString())] = number;
        auto bad = fromJson(json);
        QVERIFY(!bad.ok());
        QCOMPARE(QString::fromStdString(bad.error().message), message);
    }
    void nesting_is_limited_and_brackets_in_text_are_none() {
        QVERIFY(!parseJson(std::string(1000000, '[')).ok());
        auto deep = parseJson(std::string(65, '[') + std::string(65, ']'));
        QVERIFY(!deep.ok());
        QCOMPARE(deep.error().message, "expected at most 64 levels of nesting, found 65");
        QVERIFY(parseJson(std::string(64, '[') + std::string(64, ']')).ok());
        QVERIFY(parseJson("\"\\\"" + std::string(100, '[') + "\"").ok());
    }
    void values_are_limited_before_they_are_made() {
        std::string zeros = "[0";
        for (int i = 0; i < 12'000'000; ++i)
            zeros += ",0";
        auto many = parseJson(zeros + "]");
        QVERIFY(!many.ok());
        QCOMPARE(many.error().message, "expected at most 12000000 values, found 12000002");
        QVERIFY(parseJson("\"" + std::string(13'000'000, ',') + "\"").ok());
    }
    void text_that_is_no_utf8_can_be_saved() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("r.cutaway").toStdString();
        Record record = sample();
        record.files.push_back({"a.py",
                                "# gr\xf6\xdf"
                                "e\n",
                                {}});
        QVERIFY(save(record, path).ok());
        auto back = record::open(path);
        QVERIFY(back.ok());
        QCOMPARE(back->files[0].text, "# gr\xef\xbf\xbd\xef\xbf\xbd"
                                      "e\n");
    }
    void newer_versions_are_refused_and_say_so() {
        auto json = toJson(sample());
        json["version"] = Record::kVersion + 1;
        auto bad = fromJson(json);
        QVERIFY(!bad.ok() && bad.error().message.find("version") != std::string::npos);
    }
    void provenance_works_in_both_directions() {
        LinkIndex index(sample());
        QCOMPARE(index.ancestors({4}), (std::vector<ItemId>{0, 1, 2, 4}));
        QCOMPARE(index.descendants({1}), (std::vector<ItemId>{1, 2, 3, 4, 5}));
    }
    void a_forward_kernel_reaches_the_backward_through_the_captured_node() {
        auto related = LinkIndex(sample()).related({4});
        QCOMPARE(related.direct, (std::vector<ItemId>{0, 1, 2, 4}));
        QCOMPARE(related.through, (std::vector<ItemId>{3, 5}));
    }
};

QTEST_APPLESS_MAIN(TestRecord)
#include "test_record.moc"
