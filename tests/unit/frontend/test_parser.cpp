// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/script/ast.h"

#include <QDir>
#include <QFile>
#include <QtTest>

using namespace cutaway;
using namespace cutaway::frontend;

namespace {

std::string read(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll().toStdString();
}

QStringList scripts(const QString& folder) {
    QStringList paths;
    QDir dir(folder);
    for (const QString& name : dir.entryList({"*.py"}, QDir::Files, QDir::Name))
        paths << dir.filePath(name);
    return paths;
}

std::string errorOf(const std::string& text) {
    auto script = parse("s.py", text);
    return script.ok() ? "" : script.error().str();
}

/// Every node must lie inside the text and inside its parent's lines.
void checkSpans(const Expr& e, int lines, int& nodes) {
    ++nodes;
    QVERIFY(e.span.line >= 1 && e.span.endLine <= lines);
    QVERIFY(e.span.line < e.span.endLine ||
            (e.span.line == e.span.endLine && e.span.column <= e.span.endColumn));
    for (const ExprPtr* child : {&e.a, &e.b, &e.c})
        if (*child) checkSpans(**child, lines, nodes);
    for (const ExprPtr& item : e.items)
        if (item) checkSpans(*item, lines, nodes);
    for (const Keyword& k : e.keywords)
        checkSpans(*k.value, lines, nodes);
}

void checkSpans(const Block& block, int lines, int& nodes) {
    for (const StmtPtr& s : block) {
        ++nodes;
        QVERIFY(s->span.line >= 1 && s->span.endLine <= lines);
        if (s->value) checkSpans(*s->value, lines, nodes);
        for (const ExprPtr& t : s->targets)
            checkSpans(*t, lines, nodes);
        checkSpans(s->body, lines, nodes);
        checkSpans(s->orElse, lines, nodes);
        if (s->function) checkSpans(s->function->body, lines, nodes);
    }
}

} // namespace

class TestParser : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_script_of_the_product_parses();
    void every_node_has_a_place();
    void operators_bind_as_in_python();
    void a_call_keeps_its_arguments_in_order();
    void strings_are_decoded_and_joined();
    void format_strings_hold_expressions_with_their_place();
    void lines_continue_in_brackets_and_behind_a_backslash();
    void columns_count_characters();
    void mistakes_have_one_message_with_a_place_data();
    void mistakes_have_one_message_with_a_place();
    void towers_are_refused();
};

void TestParser::every_script_of_the_product_parses() {
    QStringList all = scripts(CUTAWAY_SOURCE_DIR "/samples") +
                      scripts(CUTAWAY_SOURCE_DIR "/resources/script_library") +
                      scripts(CUTAWAY_SOURCE_DIR "/tests/unit/capture/scripts");
    QVERIFY(all.size() > 15);
    for (const QString& path : all) {
        auto script = parse(path.toStdString(), read(path));
        QVERIFY2(script.ok(), script.ok() ? "" : script.error().str().c_str());
        QVERIFY(!(*script)->body.empty());
    }
}

void TestParser::every_node_has_a_place() {
    for (const QString& path : scripts(CUTAWAY_SOURCE_DIR "/tests/unit/capture/scripts")) {
        std::string text = read(path);
        auto script = parse(path.toStdString(), text);
        QVERIFY(script.ok());
        int lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1, nodes = 0;
        checkSpans((*script)->body, lines, nodes);
        QVERIFY(nodes > 100);
    }
}

void TestParser::operators_bind_as_in_python() {
    auto script =
        parse("s.py", "-2 ** 2 + 3 * 4 @ 5 if not a or b and c < d < e else lambda x: x\n");
    QVERIFY(script.ok());
    const Expr& e = *(*script)->body[0]->value;
    QCOMPARE(e.kind, ExprKind::Conditional);
    QCOMPARE(e.a->text, std::string("+"));
    QCOMPARE(e.a->a->text, std::string("-")); // minus (2 ** 2)
    QCOMPARE(e.a->a->a->text, std::string("**"));
    QCOMPARE(e.a->b->text, std::string("@")); // (3 * 4) @ 5
    QCOMPARE(e.b->text, std::string("or"));
    QCOMPARE(e.b->items[1]->text, std::string("and"));
    QCOMPARE(e.b->items[1]->items[1]->names, (std::vector<std::string>{"<", "<"}));
    QCOMPARE(e.c->kind, ExprKind::Lambda);
}

void TestParser::a_call_keeps_its_arguments_in_order() {
    auto script = parse("s.py", "f(1, *xs, key=2, **rest)\n");
    QVERIFY(script.ok());
    const Expr& call = *(*script)->body[0]->value;
    QCOMPARE(call.items.size(), size_t{2});
    QCOMPARE(call.items[1]->kind, ExprKind::Starred);
    QCOMPARE(call.keywords[0].name, std::string("key"));
    QCOMPARE(call.keywords[1].name, std::string());
}

void TestParser::strings_are_decoded_and_joined() {
    auto script = parse("s.py", "x = 'a\\n' r'\\n' \"\"\"b\n\"c\" \"\"\"\n");
    QVERIFY(script.ok());
    QCOMPARE((*script)->body[0]->value->text, std::string("a\n\\nb\n\"c\" "));
}

void TestParser::format_strings_hold_expressions_with_their_place() {
    auto script = parse("s.py", "x = f\"{{}} {a['k']:>{w}} {b!r}\"\n");
    QVERIFY(script.ok());
    const Expr& e = *(*script)->body[0]->value;
    QCOMPARE(e.kind, ExprKind::Formatted);
    QCOMPARE(e.items[0]->text, std::string("{} "));
    QCOMPARE(e.items[1]->a->kind, ExprKind::Subscript);
    QCOMPARE(e.items[1]->a->span.column, 13);
    QCOMPARE(e.items[1]->b->items.size(), size_t{2});
    QCOMPARE(e.items[3]->text, std::string("r"));
}

void TestParser::lines_continue_in_brackets_and_behind_a_backslash() {
    auto script = parse("s.py", "x = [1,  # one\n\n  2]\ny = 1 + \\\n  2\nif x: y = 2; z = 3\n");
    QVERIFY(script.ok());
    QCOMPARE((*script)->body.size(), size_t{3});
    QCOMPARE((*script)->body[2]->body.size(), size_t{2});
}

void TestParser::columns_count_characters() {
    auto script = parse("s.py", "x = '大小' + y\n");
    QVERIFY(script.ok());
    QCOMPARE((*script)->body[0]->value->b->span.column, 12);
}

void TestParser::mistakes_have_one_message_with_a_place_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    auto row = [](const char* name, const char* text, const char* message) {
        QTest::newRow(name) << QString(text) << QString(message);
    };
    row("open bracket", "def f(x:\n    return x\n", "s.py:1:6: error: '(' is never closed\n");
    row("wrong bracket", "x = (1]\n",
        "s.py:1:7: error: found ']', expected ')'\n"
        "s.py:1:5: note: '(' was opened here\n");
    row("no colon", "if True\n    x = 1\n",
        "s.py:1:8: error: found end of line, expected ':' after the condition\n");
    row("no block", "def f(x):\nreturn x\n",
        "s.py:2:1: error: found 'return', expected an indented block after the function's "
        "header\n");
    row("half an expression", "x = 1 +\n",
        "s.py:1:8: error: found end of line, expected an expression\n");
    row("assignment to a call", "f(1) = 2\n",
        "s.py:1:1: error: the result of a call cannot be assigned to\n");
    row("await", "def f(x):\n    await x\n", "s.py:2:5: error: 'await' outside async function\n");
    row("async for", "async for x in y:\n    pass\n",
        "s.py:1:1: error: 'async for' outside async function\n");
    row("async", "async x = 1\n",
        "s.py:1:7: error: found 'x', expected 'def', 'for' or 'with' after 'async'\n");
    row("both kinds of except", "try:\n    f()\nexcept A:\n    pass\nexcept* B:\n    pass\n",
        "s.py:5:1: error: cannot have both 'except' and 'except*' on the same 'try'\n");
    row("full-width", "x = f（1）\n",
        "s.py:1:6: error: found the full-width character '（'\nhint: write '('\n");
    row("open string", "x = 'abc\n", "s.py:1:5: error: string is not closed: expected '\n");
    row("dedent", "if x:\n        y = 1\n    z = 2\n",
        "s.py:3:5: error: this line's indentation matches no block that is open\n"
        "hint: indent it like the line that the block starts with\n");
    row("tabs and spaces", "if x:\n\ty = 1\n        z = 2\n",
        "s.py:3:9: error: inconsistent use of tabs and spaces in indentation\n"
        "hint: indent with spaces alone\n");
    row("return outside", "return 1\n", "s.py:1:1: error: 'return' outside a function\n");
    row("break outside", "break\n", "s.py:1:1: error: 'break' outside a loop\n");
    row("keyword twice", "f(a=1, a=2)\n", "s.py:1:8: error: keyword argument 'a' is given twice\n");
    row("relative import", "from . import x\n",
        "s.py:1:6: error: relative imports are not supported\n"
        "hint: a script is one file; put the code into it\n");
    row("format brace", "x = f'{a'\n",
        "s.py:1:7: error: '{' of the format string is never closed\nhint: write '{{' for the "
        "character\n");
    row("keyword as a name", "class = 3\n", "s.py:1:7: error: found '=', expected a class name\n");
    row("default order", "def f(a=1, b):\n    pass\n",
        "s.py:1:12: error: parameter 'b' without a default follows one with a default\n");
}

void TestParser::mistakes_have_one_message_with_a_place() {
    QFETCH(QString, text);
    QFETCH(QString, message);
    QString found = QString::fromStdString(errorOf(text.toStdString()));
    if (!found.endsWith('\n')) found += '\n';
    QCOMPARE(found, message);
}

void TestParser::towers_are_refused() {
    std::string nested(5000, '('), sum = "x = 1";
    for (int i = 0; i < 5000; ++i)
        sum += " + 1";
    QVERIFY(errorOf("x = " + nested).find("nested more than 150 levels deep") !=
                std::string::npos ||
            errorOf("x = " + nested).find("is never closed") != std::string::npos);
    QVERIFY(errorOf("x = " + nested + std::string(5000, ')')).find("nested more than 150") !=
            std::string::npos);
    QVERIFY(errorOf(sum + "\n").find("expression of more than 1000 levels") != std::string::npos);
    std::string blocks;
    for (int i = 0; i < 200; ++i)
        blocks += std::string(static_cast<size_t>(i), ' ') + "if x:\n";
    QVERIFY(!errorOf(blocks).empty());
}

QTEST_APPLESS_MAIN(TestParser)
#include "test_parser.moc"
