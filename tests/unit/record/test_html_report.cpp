// SPDX-License-Identifier: Apache-2.0
// The report: one page that holds the whole record, loads nothing, and takes no text for markup.
#include "core/record/html_report.h"
#include "core/record/json.h"

#include <QtTest>
#include <nlohmann/json.hpp>

using namespace cutaway;

namespace {

/// What the page holds between the tags of its data.
std::string dataOf(const std::string& page) {
    const std::string begin = "<script type=\"application/json\" id=\"record\">";
    const size_t from = page.find(begin) + begin.size();
    return page.substr(from, page.find("</script>", from) - from);
}

record::Record nasty() {
    record::Record made;
    made.path = "</script><script>alert(1)</script><!-- @RECORD@ & \" \\";
    made.items.push_back({record::ItemKind::SourceLine, "source:1 <b>"});
    made.files.push_back({made.path, "x = '</SCRIPT>' # <!--\n", {0}});
    return made;
}

} // namespace

class TestHtmlReport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void the_page_holds_the_record() {
        const record::Record made = nasty();
        const auto parsed = record::parseJson(dataOf(record::htmlReport(made)));
        QVERIFY(parsed.ok());
        const auto read = record::fromJson(*parsed);
        QVERIFY(read.ok());
        QCOMPARE(record::toJson(*read).dump(), record::toJson(made).dump());
    }
    void no_text_is_taken_for_markup() {
        const std::string data = dataOf(record::htmlReport(nasty()));
        QVERIFY(data.find('<') == std::string::npos);
        const std::string page = record::htmlReport(nasty());
        QVERIFY(page.find("innerHTML") == std::string::npos);
        QVERIFY(page.find("alert(1)</script>") == std::string::npos);
    }
    void the_page_loads_nothing() {
        const std::string page = record::htmlReport({});
        for (const char* word : {"http:", "https:", "src=", "@import", "url(", "fetch("})
            QVERIFY2(page.find(word) == std::string::npos, word);
        QVERIFY(page.find("default-src 'none'") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestHtmlReport)
#include "test_html_report.moc"
