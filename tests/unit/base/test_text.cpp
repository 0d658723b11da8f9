// SPDX-License-Identifier: Apache-2.0
// Lines, distances between names, and differences between texts.
#include "core/base/line_diff.h"
#include "core/base/text.h"

#include <QtTest>

#include <random>

using namespace cutaway::base;

namespace {

using Text = std::vector<std::string>;

/// One text of a difference: its common lines and those of one sign.
Text sideOf(const std::vector<DiffLine>& lines, int sign) {
    Text text;
    for (const DiffLine& line : lines)
        if (line.sign == 0 || line.sign == sign) text.push_back(line.text);
    return text;
}

/// Length of the longest common subsequence, by the table that every textbook shows.
size_t commonLines(const Text& a, const Text& b) {
    std::vector<std::vector<size_t>> table(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = 1; i <= a.size(); ++i)
        for (size_t j = 1; j <= b.size(); ++j)
            table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1
                                               : std::max(table[i - 1][j], table[i][j - 1]);
    return table[a.size()][b.size()];
}

} // namespace

class TestText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void lines_end_at_line_ends() {
        QCOMPARE(splitLines(""), Text{});
        QCOMPARE(splitLines("a\n\nb\n"), (Text{"a", "", "b"}));
        QCOMPARE(splitLines("a\nb"), (Text{"a", "b"}));
    }

    void invalid_utf8_is_found() {
        QCOMPARE(findInvalidUtf8("caf\xc3\xa9"), std::string_view::npos);
        QCOMPARE(findInvalidUtf8("caf\xe9"), size_t{3});
        QCOMPARE(findInvalidUtf8("\xc0\xaf"), size_t{0});      // overlong
        QCOMPARE(findInvalidUtf8("a\xed\xa0\x80"), size_t{1}); // surrogate
        QCOMPARE(findInvalidUtf8("\xf4\x90\x80\x80"), size_t{0});
    }

    void edit_distance() {
        QCOMPARE(editDistance("", ""), size_t{0});
        QCOMPARE(editDistance("", "abc"), size_t{3});
        QCOMPARE(editDistance("kitten", "sitting"), size_t{3});
        QCOMPARE(editDistance("sitting", "kitten"), size_t{3});
        QCOMPARE(editDistance("relu", "relu6"), size_t{1});
    }

    void file_names_are_given_once() {
        FileNames names;
        QCOMPARE(names.next("f"), std::string("f"));
        QCOMPARE(names.next("f"), std::string("f_2"));
        QCOMPARE(names.next("g"), std::string("g"));
    }

    void a_difference_holds_both_texts_and_the_most_common_lines() {
        std::mt19937 random(5);
        for (int round = 0; round < 300; ++round) {
            auto text = [&] {
                Text lines(random() % 12);
                for (std::string& line : lines)
                    line = std::string(1, static_cast<char>('a' + random() % 4));
                return lines;
            };
            const Text a = text(), b = text();
            const auto lines = diffLines(a, b);
            QCOMPARE(sideOf(lines, -1), a);
            QCOMPARE(sideOf(lines, 1), b);
            QCOMPARE(size_t(std::count_if(lines.begin(), lines.end(),
                                          [](const DiffLine& line) { return line.sign == 0; })),
                     commonLines(a, b));
        }
    }

    void removed_lines_stand_before_added_ones() {
        const auto lines = diffLines({"same", "old"}, {"same", "new"});
        QCOMPARE(lines.size(), size_t{3});
        QCOMPARE(lines[1].sign, -1);
        QCOMPARE(lines[2].sign, 1);
    }

    void long_texts_with_nothing_in_common_take_no_time_to_speak_of() {
        Text a, b;
        for (int i = 0; i < 20'000; ++i) {
            a.push_back("a" + std::to_string(i));
            b.push_back("b" + std::to_string(i));
        }
        const auto lines = diffLines(a, b);
        QCOMPARE(sideOf(lines, -1), a);
        QCOMPARE(sideOf(lines, 1), b);
    }
};

QTEST_GUILESS_MAIN(TestText)
#include "test_text.moc"
