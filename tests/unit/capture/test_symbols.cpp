// SPDX-License-Identifier: Apache-2.0
// Sizes and ints that are symbols: when they become so, what the script may do with them, and the
// guards that it leaves.
#include "tests/support/script_world.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::test;

namespace {

/// A script defines f(...) and calls check(...): the compiled function against the plain one.
const std::string kCheck = R"(import torch

def same(a, b):
    if isinstance(a, (tuple, list)):
        return type(a) == type(b) and len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, torch.Tensor):
        return a.shape == b.shape and a.dtype == b.dtype and torch.allclose(a, b)
    return type(a) == type(b) and a == b

def check(*args):
    got, want = compiled(*args), f(*args)
    if not same(got, want):
        print('different:', repr(got)[-200:], repr(want)[-200:])
)";

struct Outcome {
    size_t compiles = 999;
    std::vector<std::string> guards; ///< of the last compilation: texts on sizes
    std::string text, error;
};

Outcome outcome(const std::string& function, const std::string& calls,
                const std::string& options = "") {
    ScriptWorld world;
    const std::string script =
        kCheck + "\n" + function + "\ncompiled = torch.compile(f" + options + ")\n" + calls + "\n";
    ScriptRun run = world.run(script, "model.py");
    Outcome result;
    result.error = run.error;
    result.text = run.printed;
    if (run.error.empty()) result.compiles = world.compiler.captured.size();
    if (!world.compiler.captured.empty())
        for (const capture::GuardText& g : world.compiler.captured.back().guards)
            if (g.kind == "SIZE" || g.kind == "SHAPE_ENV")
                result.guards.push_back(g.source + ", " + g.condition);
    return result;
}

/// Compiles so often, and every call gives what the plain function gives.
bool works(size_t compiles, const std::string& function, const std::string& calls,
           const std::string& options = "") {
    const Outcome o = outcome(function, calls, options);
    if (o.error.empty() && o.text.empty() && o.compiles == compiles) return true;
    qWarning("%zu compilations, expected %zu\n%s%s", o.compiles, compiles, o.error.c_str(),
             o.text.c_str());
    return false;
}

bool hasGuard(const Outcome& o, const std::string& part) {
    for (const std::string& guard : o.guards)
        if (guard.find(part) != std::string::npos) return true;
    for (const std::string& guard : o.guards)
        qWarning("%s", guard.c_str());
    qWarning("%s%s", o.error.c_str(), o.text.c_str());
    return false;
}

const std::string kDouble = "def f(x):\n    return x * 2 + 1\n";
const std::string kLengths = "for n in (5, 7, 3, 16, 33):\n    check(torch.randn(n))\n";

} // namespace

class TestSymbols : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_second_size_makes_it_a_symbol();
    void five_lengths_of_a_branch_on_data_compile_twice();
    void dynamic_true_and_false();
    void zero_and_one_are_constants();
    void sizes_that_varied_are_symbols_of_their_own();
    void relations_name_the_line_that_asked();
    void branches_on_sizes_are_guarded();
    void sizes_calculate();
    void products_meet();
    void views_and_strides();
    void slices_with_symbols();
    void joins_and_splits();
    void broadcasting();
    void what_needs_the_number_makes_it_a_constant();
    void ints_that_vary_are_symbols();
    void results_may_be_sizes();
    void sizes_survive_a_graph_break();
    void marks();
    void broken_marks_are_told();
    void modules_keep_the_sizes_of_parameters();
};

/// Both sides of the branch, and what follows it: each once with numbers and once with a symbol.
void TestSymbols::five_lengths_of_a_branch_on_data_compile_twice() {
    const std::string branch = "def f(inputs):\n"
                               "    x = inputs['x']\n"
                               "    y = inputs['y']\n"
                               "    x = x.cos().cos()\n"
                               "    if x.mean() > 0.5:\n"
                               "        x = x / 1.1\n"
                               "    return x * y\n";
    QVERIFY(works(4, branch,
                  "for n in (50, 70, 30, 160, 330):\n"
                  "    check({'x': torch.randn(n), 'y': torch.randn(n)})\n"));
}

void TestSymbols::a_second_size_makes_it_a_symbol() {
    QVERIFY(works(2, kDouble, kLengths));
    QVERIFY(works(2, "def f(d):\n    return d['x'].cos() * d['y']\n",
                  "for n in (10, 12, 5, 99, 64):\n"
                  "    check({'x': torch.randn(n), 'y': torch.randn(n)})\n"));
    // One dimension varies, the other does not.
    const Outcome o = outcome(kDouble, "check(torch.randn(4, 8))\ncheck(torch.randn(6, 8))\n");
    QVERIFY(hasGuard(o, "s0 = 6: L['x'].size()[0], from 2 on"));
    QCOMPARE(o.guards.size(), size_t{1});
}

void TestSymbols::dynamic_true_and_false() {
    QVERIFY(works(1, kDouble, kLengths, ", dynamic=True"));
    QVERIFY(works(5, kDouble, kLengths, ", dynamic=False"));
    QVERIFY(works(1, "def f(x, k):\n    return x * k\n",
                  "for k in (2, 3, 4):\n    check(torch.ones(5), k)\n", ", dynamic=True"));
}

void TestSymbols::zero_and_one_are_constants() {
    QVERIFY(works(4, kDouble, "for n in (5, 7, 1, 0, 9, 2):\n    check(torch.randn(n))\n"));
    QVERIFY(
        works(2, kDouble, "for n in (1, 4):\n    check(torch.randn(n, 3))\n", ", dynamic=True"));
}

void TestSymbols::sizes_that_varied_are_symbols_of_their_own() {
    const std::string two = "def f(x, y):\n    return x.sum() + y.sum()\n";
    QVERIFY(works(2, two,
                  "for n, m in ((4, 4), (5, 5), (9, 9)):\n"
                  "    check(torch.randn(n), torch.randn(m))\n"));
    QVERIFY(works(2, two,
                  "for n, m in ((4, 4), (5, 5), (9, 8), (5, 5), (3, 7)):\n"
                  "    check(torch.randn(n), torch.randn(m))\n"));
}

void TestSymbols::relations_name_the_line_that_asked() {
    const std::string add = "def f(x, y):\n    z = x + y\n    return z\n";
    const Outcome o = outcome(add, "a, b = torch.randn(4), torch.randn(4)\n"
                                   "for t in (a, b):\n    torch._dynamo.mark_dynamic(t, 0)\n"
                                   "compiled(a, b)\n");
    QCOMPARE(o.compiles, size_t{1});
    QVERIFY(hasGuard(o, "s0 == s1, asked by z = x + y at model.py:16"));
}

void TestSymbols::branches_on_sizes_are_guarded() {
    const std::string branch = "def f(x):\n    if x.shape[0] > 4:\n        return x + 1\n"
                               "    return x - 1\n";
    QVERIFY(works(2, branch, "for n in (5, 9, 3, 2, 100, 4):\n    check(torch.randn(n))\n",
                  ", dynamic=True"));
    const Outcome o = outcome(branch, "check(torch.randn(9))\n", ", dynamic=True");
    QVERIFY(hasGuard(o, "4 < s0, asked by if x.shape[0] > 4: at model.py:16"));
    QVERIFY(works(1, "def f(x):\n    assert len(x) >= 2\n    return x * 2\n",
                  "for n in (5, 9):\n    check(torch.randn(n))\n", ", dynamic=True"));
}

void TestSymbols::sizes_calculate() {
    QVERIFY(works(
        1,
        "def f(x):\n"
        "    n, m = x.shape\n"
        "    k = (n * m + 3 * n - m) // 2 + n % 3 + max(n, m) - min(n, 2)\n"
        "    return x * k + x.numel() - len(x) + x.size(1) + (-n) + torch.full((n,), m).sum()\n",
        "for n in (3, 7, 8, 16, 33):\n    check(torch.randn(n, 5 * n))\n", ", dynamic=True"));
    QVERIFY(works(1, "def f(x):\n    return x / x.shape[0], x.mean(), x.var(), x.mean(0)\n",
                  "for n in (3, 7, 8):\n    check(torch.randn(n, 4))\n", ", dynamic=True"));
    QVERIFY(works(1, "def f(x):\n    return torch.arange(x.shape[0]) + torch.zeros(x.shape[0])\n",
                  "for n in (3, 7, 8):\n    check(torch.randn(n, 4))\n", ", dynamic=True"));
}

void TestSymbols::products_meet() {
    const std::string weight = "w = torch.randn(9, 7)\n";
    QVERIFY(works(1,
                  weight + "def f(x):\n    return torch.mm(x, w), torch.addmm(w[0], x, w), "
                           "torch.bmm(x.unsqueeze(0), w.unsqueeze(0))\n",
                  "for n in (3, 5):\n    check(torch.randn(n, 9))\n", ", dynamic=True"));
    QVERIFY(works(1, "def f(x, y):\n    return torch.mm(x, y)\n",
                  "for n in (3, 5):\n    check(torch.randn(n, n + 1), torch.randn(n + 1, 9))\n",
                  ", dynamic=True"));
}

void TestSymbols::views_and_strides() {
    QVERIFY(works(1,
                  "def f(x):\n"
                  "    b, t, c = x.shape\n"
                  "    h = x.view(b, t, 4, c // 4).transpose(1, 2)\n"
                  "    return h.reshape(b, 4, -1), h.transpose(1, 2).reshape(b, t, c)\n",
                  "for n in (3, 7, 8, 16):\n    check(torch.randn(2 * n, n + 2, 8))\n",
                  ", dynamic=True"));
    QVERIFY(works(1, "def f(x):\n    return x.reshape(-1, 4) + 1, x.flatten(), x.t()\n",
                  "for n in (2, 3, 7):\n    check(torch.randn(4 * n, 6 * n))\n", ", dynamic=True"));
    QVERIFY(works(1, "def f(x):\n    return x.t().contiguous() * 2, x.permute(1, 0) + 1\n",
                  "for n in (2, 3, 7):\n    check(torch.randn(n, n + 3))\n", ", dynamic=True"));
    // A transposed input: its strides follow from its sizes.
    QVERIFY(works(1, "def f(x):\n    return x * 2 + x.sum(0)\n",
                  "for n in (2, 3, 7):\n    check(torch.randn(n, n + 3).t())\n", ", dynamic=True"));
}

void TestSymbols::slices_with_symbols() {
    QVERIFY(works(1,
                  "def f(x, y):\n"
                  "    n = y.shape[0]\n"
                  "    return x[:n] + y, x[n:].sum(), x[-1], y[n - 1], y[1:], y[:-1]\n",
                  "for n in (3, 7, 8, 16):\n    check(torch.randn(64), torch.randn(n))\n",
                  ", dynamic=True"));
    QVERIFY(works(1, "def f(x):\n    return x[::2], x[1::3]\n",
                  "for n in (5, 7, 8, 16):\n    check(torch.randn(n))\n", ", dynamic=True"));
}

void TestSymbols::joins_and_splits() {
    QVERIFY(works(1,
                  "def f(x, y):\n"
                  "    both = torch.cat([x, y])\n"
                  "    a, b = both.split([x.shape[0], y.shape[0]])\n"
                  "    return both * 2, a + 1, b, torch.stack([x, x]), x.chunk(2, 1)\n",
                  "for n in (3, 7, 8):\n    check(torch.randn(n, 4), torch.randn(2 * n, 4))\n",
                  ", dynamic=True"));
}

void TestSymbols::broadcasting() {
    const std::string add = "def f(x, y):\n    return x + y\n";
    QVERIFY(works(1, add, "for n in (3, 7, 8):\n    check(torch.randn(n, 4), torch.randn(1, 4))\n",
                  ", dynamic=True"));
    QVERIFY(works(2, add,
                  "for n, m in ((3, 3), (7, 1), (8, 8), (5, 1)):\n"
                  "    check(torch.randn(n), torch.randn(m))\n",
                  ", dynamic=True"));
    const Outcome o = outcome(add, "compiled(torch.randn(3), torch.randn(4))\n", ", dynamic=True");
    QVERIFY(o.error.find("must match the size of tensor b") != std::string::npos);
}

void TestSymbols::what_needs_the_number_makes_it_a_constant() {
    const std::string loop =
        "def f(x):\n    y = x\n    for i in range(x.shape[0]):\n        y = y + i\n    return y\n";
    QVERIFY(
        works(3, loop, "for n in (3, 4, 5, 4):\n    check(torch.randn(n))\n", ", dynamic=True"));
    const Outcome o = outcome(loop, "check(torch.randn(3))\n", ", dynamic=True");
    QVERIFY(hasGuard(o, "s0 == 3, asked by for i in range(x.shape[0]): at model.py:17"));
    QVERIFY(works(2, "def f(x):\n    return x * int(f'{x.shape[0]}')\n",
                  "for n in (3, 4, 3):\n    check(torch.randn(n))\n", ", dynamic=True"));
    QVERIFY(works(2, "def f(x):\n    return x * {3: 1.5, 4: 2.5}[x.shape[0]]\n",
                  "for n in (3, 4, 3):\n    check(torch.randn(n))\n", ", dynamic=True"));
}

void TestSymbols::ints_that_vary_are_symbols() {
    QVERIFY(works(2, "def f(x, k):\n    return x * k + x[:k].sum()\n",
                  "for k in (3, 5, 6, 9):\n    check(torch.randn(20), k)\n"));
    QVERIFY(works(3, "def f(x, k):\n    return x * k\n",
                  "for k in (3, 5, 1, 9, 1):\n    check(torch.randn(20), k)\n"));
    QVERIFY(works(2, "def f(x, k):\n    def g():\n        return x * k\n    return g()\n",
                  "for k in (3, 5, 6, 9):\n    check(torch.randn(20), k)\n"));
}

void TestSymbols::results_may_be_sizes() {
    QVERIFY(works(1, "def f(x):\n    return x + 1, x.shape, x.shape[0] * 2 + 1, {'n': len(x)}\n",
                  "for n in (3, 4, 5):\n    check(torch.randn(n, 2))\n", ", dynamic=True"));
}

void TestSymbols::sizes_survive_a_graph_break() {
    QVERIFY(works(2,
                  "def f(x):\n    n = x.shape[0]\n    y = x * n\n    if y.sum() > 1e9:\n"
                  "        return y\n    return y + n\n",
                  "for n in (3, 4, 5):\n    check(torch.randn(n, 2))\n", ", dynamic=True"));
}

void TestSymbols::marks() {
    const std::string marked =
        "def call(n, m):\n    x = torch.randn(n, m)\n    MARK\n    check(x)\n";
    auto with = [&](const std::string& mark) {
        std::string text = marked;
        text.replace(text.find("MARK"), 4, "torch._dynamo." + mark);
        return text;
    };
    QVERIFY(works(1, kDouble, with("mark_dynamic(x, 0)") + "call(3, 4)\ncall(7, 4)\ncall(9, 4)\n"));
    QVERIFY(works(1, kDouble,
                  with("mark_dynamic(x, [0, 1], min=2, max=64)") + "call(3, 4)\ncall(7, 5)\n"));
    // Without a range of its own, a mark is kept by code that is for more than one size.
    QVERIFY(works(1, "def f(x):\n    if x.shape[0] > 2:\n        return x * 2\n    return x\n",
                  with("mark_dynamic(x, 0)") + "call(3, 4)\ncall(7, 4)\n"));
    QVERIFY(works(2, kDouble, with("mark_dynamic(x, 0)") + "call(1, 4)\ncall(7, 4)\n"));
    QVERIFY(works(2, kDouble,
                  with("maybe_mark_dynamic(x, 0)") + "call(3, 4)\ncall(7, 4)\ncall(1, 4)\n"));
    QVERIFY(works(3, kDouble, with("mark_static(x, 0)") + "call(3, 4)\ncall(7, 4)\ncall(9, 4)\n"));
    QVERIFY(works(1, kDouble, with("mark_static(x, 1)") + "call(3, 4)\ncall(7, 4)\n",
                  ", dynamic=True"));
}

void TestSymbols::broken_marks_are_told() {
    auto error = [](const std::string& function, const std::string& mark) {
        return outcome(function, "x = torch.randn(8)\ntorch._dynamo." + mark + "\ncompiled(x)\n")
            .error;
    };
    QVERIFY(error(kDouble, "mark_dynamic(x, 0, min=10, max=20)")
                .find("dimension 0 of L['x'] has size 8, outside of the range 10 to 20") !=
            std::string::npos);
    const std::string constant =
        error("def f(x):\n    return x * int(f'{x.shape[0]}')\n", "mark_dynamic(x, 0)");
    QVERIFY2(constant.find("L['x'].size()[0] was to stay dynamic, but the code makes it the "
                           "constant 8: s0 == 8, asked by return x * int(f'{x.shape[0]}') at "
                           "model.py:16") != std::string::npos,
             constant.c_str());
    const std::string narrow = error("def f(x):\n    if x.shape[0] > 4:\n        return x\n"
                                     "    return x + 1\n",
                                     "mark_dynamic(x, 0, max=64)");
    QVERIFY2(narrow.find("works for sizes from 5 to 64 only: 4 < s0") != std::string::npos,
             narrow.c_str());
    QVERIFY(outcome(kDouble, "x = torch.randn(8)\ntorch._dynamo.mark_dynamic(x, 3)\n")
                .error.find("dimension 3 of a tensor") != std::string::npos);
}

void TestSymbols::modules_keep_the_sizes_of_parameters() {
    const Outcome o =
        outcome("m = torch.nn.Linear(4, 6)\ndef f(x):\n    return m(x)\n",
                "for n in (3, 5, 9):\n    check(torch.randn(n, 4))\n", ", dynamic=True");
    QCOMPARE(o.error + o.text, std::string());
    QCOMPARE(o.compiles, size_t{1});
}

QTEST_APPLESS_MAIN(TestSymbols)
#include "test_symbols.moc"
