// SPDX-License-Identifier: Apache-2.0
// Names from outside stay names in whatever they are written into.
#include "core/base/quote.h"
#include "core/base/text.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace cutaway::base;

namespace {

const std::vector<std::string>& hostile() {
    using namespace std::string_literals;
    static const std::vector<std::string> all = {"\\\"); system(\"id\"); //\n",
                                                 "%n%s",
                                                 "*/ x",
                                                 "$(touch made)",
                                                 "`touch made`",
                                                 "\"; touch made; \"",
                                                 "\\",
                                                 "\\\\\"",
                                                 "a\n#include <x>",
                                                 "a\0b"s,
                                                 "\x1b[2J",
                                                 "?"
                                                 "?/\"",
                                                 "!!",
                                                 "&quot;; touch made",
                                                 "\xff\xfe",
                                                 "'; touch made; '",
                                                 "\r\n\ttouch made\n"};
    return all;
}

} // namespace

class TestQuote : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void file_names_are_one_plain_name() {
        using namespace std::string_literals;
        QCOMPARE(fileName("<lambda>"), "lambda");
        QCOMPARE(fileName("f_1.x-y"), "f_1.x-y");
        QCOMPARE(fileName("../../etc/passwd"), "_._.._etc_passwd");
        QCOMPARE(fileName("."), "_");
        QCOMPARE(fileName(".."), "_.");
        QCOMPARE(fileName(""), "unnamed");
        QCOMPARE(fileName("a\0b"s), "a_b");
        QCOMPARE(fileName("größe"), "größe");
        QCOMPARE(fileName("-rf"), "_rf");
        QCOMPARE(fileName("--help"), "_-help");
        // RIGHT-TO-LEFT OVERRIDE, isolate, zero width space, soft hyphen, C1, line separator
        for (const char* unseen : {"\u202e", "\u2066", "\u200b", "\u00ad", "\u0085", "\u2028"})
            QCOMPARE(fileName(std::string("a") + unseen + "gpj.exe"), "a_gpj.exe");
        QCOMPARE(fileName("模型_é_🙂"), "模型_é_🙂");
        QCOMPARE(fileName("a\xff"), "a_");
        QCOMPARE(fileName(std::string(5000, 'x')).size(), size_t(100));
        for (const std::string& text : hostile()) {
            const std::string name = fileName(text);
            QVERIFY(!name.empty() && name[0] != '.');
            QVERIFY2(name.find_first_of("/\\\"'$`;&|<>*?! \t\r\n") == std::string::npos,
                     name.c_str());
            QVERIFY(name.find('\0') == std::string::npos);
        }
    }
    void a_second_name_gets_a_number() {
        FileNames names;
        QCOMPARE(names.next("a/b"), "a_b");
        QCOMPARE(names.next("a_b"), "a_b_2");
        QCOMPARE(names.next("a\\b"), "a_b_3");
    }
    void invalid_utf8_is_replaced() {
        QCOMPARE(validUtf8("größe 中 😀"), "größe 中 😀");
        QCOMPARE(validUtf8("a\xff"), "a\xef\xbf\xbd");
        // Overlong, surrogate, beyond Unicode, cut off.
        for (const char* bad : {"\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe4\xb8"})
            QCOMPARE(QString::fromStdString(validUtf8(bad)).count(QChar(0xfffd)),
                     qsizetype(std::string_view(bad).size()));
    }
    void c_strings_print_what_they_were_made_from() {
        QTemporaryDir folder;
        std::string program = "#include <cstdio>\nint main() {\n";
        QByteArray expected;
        for (const std::string& text : hostile()) {
            program += "    std::fwrite(" + cString(text) + ", 1, " + std::to_string(text.size()) +
                       ", stdout);\n";
            expected += QByteArray::fromStdString(text);
        }
        QFile file(folder.filePath("p.cpp"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(program + "}\n"));
        file.close();
        QProcess compiler;
        compiler.start("c++", {"-trigraphs", "-w", "-o", folder.filePath("p"), file.fileName()});
        QVERIFY(compiler.waitForFinished(60000));
        QVERIFY2(compiler.exitCode() == 0, compiler.readAllStandardError());
        QProcess made;
        made.start(folder.filePath("p"), QStringList());
        QVERIFY(made.waitForFinished());
        QCOMPARE(made.readAllStandardOutput(), expected);
    }
    void dot_strings_mean_nothing_to_a_shell() {
        QTemporaryDir folder;
        QFile file(folder.filePath("g.dot"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (const std::string& text : hostile())
            file.write(QByteArray::fromStdString("n0 [label=" + dotString(text) + "];\n"));
        file.close();
        for (const char* shell : {"sh", "bash"}) {
            QProcess process;
            process.setWorkingDirectory(folder.path());
            process.start(shell, {"-c", ". ./g.dot"});
            QVERIFY(process.waitForFinished());
            QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList("g.dot"));
        }
    }
    void a_terminal_is_sent_no_commands() {
        QCOMPARE(terminalText("a\tb\nc\x1b[2J\x7f\xc2\x9b"), "a\tb\nc\\x1b[2J\\x7f\\x9b");
        QCOMPARE(terminalText("größe"), "größe");
    }
};

QTEST_APPLESS_MAIN(TestQuote)
#include "test_quote.moc"
