// SPDX-License-Identifier: Apache-2.0
// Damaged scripts: whatever comes in, a result or one message comes out, and nothing hangs.
#include "tests/support/script_world.h"

#include "core/frontend/script/ast.h"

#include <QDir>
#include <QtTest>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

using namespace cutaway;
using namespace cutaway::test;

namespace {

std::vector<std::string> seeds() {
    std::vector<std::string> texts;
    for (const char* folder :
         {"/tests/unit/capture/scripts", "/samples", "/resources/script_library"}) {
        QDir dir(QString(CUTAWAY_SOURCE_DIR) + folder);
        for (const QString& name : dir.entryList({"*.py"}, QDir::Files, QDir::Name))
            texts.push_back(readText(dir.filePath(name).toStdString()));
    }
    static const char* const compiled = R"(import torch
@torch.compile
def f(x, k=1):
    y = []
    for i in range(3):
        y.append(x * i + k)
    if x.sum() > 0:
        print(len(y))
    with torch.no_grad():
        z = sum(y)
    return {'y': y, 'z': z.view(-1)}
print(f(torch.ones(2)), f(torch.zeros(2, 2), k=2))
)";
    texts.emplace_back(compiled);
    return texts;
}

const char* const kPieces[] = {"(",          ")",
                               "[",          "]",
                               "{",          "}",
                               ":",          ",",
                               "=",          "==",
                               "\n",         "\n    ",
                               "    ",       "\t",
                               "\"",         "'",
                               "\"\"\"",     "f'{",
                               "}'",         "\\",
                               "#",          "def ",
                               "class ",     "lambda x: ",
                               "for i in ",  "while ",
                               "if ",        "else:",
                               "try:",       "except:",
                               "finally:",   "with ",
                               "return ",    "yield ",
                               "*",          "**",
                               "@",          "not ",
                               " in ",       " is ",
                               "None",       "True",
                               "0",          "-1",
                               "1e309",      "99999999999999999999",
                               "torch",      "import torch",
                               "super()",    "self",
                               "x",          "...",
                               "del ",       "global x",
                               "nonlocal x", "raise ",
                               "assert ",    "\xff",
                               "\xe4\xb8",   "（",
                               "\0x",        "break",
                               "continue"};

std::string damaged(const std::vector<std::string>& texts, std::mt19937& random) {
    auto below = [&](size_t n) { return n == 0 ? size_t{0} : static_cast<size_t>(random() % n); };
    std::string text = texts[below(texts.size())];
    size_t changes = 1 + below(4);
    for (size_t k = 0; k < changes; ++k) {
        size_t at = below(text.size());
        switch (below(6)) {
        case 0:
            text.erase(at, 1 + below(8));
            break;
        case 1:
            text.insert(at, kPieces[below(std::size(kPieces))]);
            break;
        case 2:
            text.replace(at, std::min<size_t>(1 + below(3), text.size() - at),
                         kPieces[below(std::size(kPieces))]);
            break;
        case 3: { // a line twice or elsewhere
            size_t from = text.rfind('\n', at), to = text.find('\n', at);
            if (from != std::string::npos && to != std::string::npos) {
                std::string line = text.substr(from, to - from);
                if (below(2)) text.erase(from, to - from);
                size_t target = text.find('\n', below(text.size()));
                if (target != std::string::npos) text.insert(target, line);
            }
            break;
        }
        case 4: { // crossing with another script
            const std::string& other = texts[below(texts.size())];
            text = text.substr(0, at) + other.substr(below(other.size()));
            break;
        }
        default:
            text.resize(at);
        }
    }
    return text;
}

/// A well-formed message: a place (scripts are the only input), a text, no final period.
void checkMessage(const base::Diagnostic& d, const std::string& text) {
    bool good = !d.message.empty() && d.message.back() != '.' && d.fault != base::Fault::Bug;
    if (!good) qWarning("%s\n--- for ---\n%s", d.str().c_str(), text.c_str());
    QVERIFY(good);
}

} // namespace

class TestFuzzScript : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void damaged_scripts_parse_or_give_one_message();
    void damaged_scripts_run_or_give_one_message();
    void noise_gives_a_message();
};

void TestFuzzScript::damaged_scripts_parse_or_give_one_message() {
    std::mt19937 random(20240501);
    auto texts = seeds();
    for (int i = 0; i < 4000; ++i) {
        std::string text = damaged(texts, random);
        auto script = frontend::parse("fuzz.py", text);
        if (script.ok()) continue;
        checkMessage(script.error(), text);
        QVERIFY(script.error().where.known());
    }
}

void TestFuzzScript::damaged_scripts_run_or_give_one_message() {
    std::mt19937 random(7);
    auto texts = seeds();
    for (int i = 0; i < 400; ++i) {
        std::string text = damaged(texts, random);
        ReferenceEager eager;
        ReferenceCompiler compiler;
        capture::ProgramOptions options;
        options.path = "fuzz.py";
        options.text = text;
        size_t printed = 0;
        // A script may have become endless: so many lines are enough.
        options.print = [&](std::string_view) {
            if (++printed > 2000) options.cancel.cancel();
        };
        std::atomic<bool> done = false;
        std::thread watch([&, token = options.cancel] {
            for (int t = 0; t < 300 && !done; ++t)
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            token.cancel();
        });
        auto program = capture::Program::load(options, eager, compiler);
        done = true;
        watch.join();
        if (!program.ok()) checkMessage(program.error(), text);
    }
}

void TestFuzzScript::noise_gives_a_message() {
    std::mt19937 random(3);
    for (int i = 0; i < 300; ++i) {
        std::string text;
        for (size_t k = 0, n = random() % 200; k < n; ++k)
            text += static_cast<char>(random() % 256);
        auto script = frontend::parse("fuzz.py", text);
        if (!script.ok()) checkMessage(script.error(), text);
    }
}

QTEST_APPLESS_MAIN(TestFuzzScript)
#include "test_fuzz_script.moc"
