// SPDX-License-Identifier: Apache-2.0
// Where capture stops and goes on: inside of called functions, in loops, blocks and generators; and
// where it does not stop: changes of what is outside, random numbers. Each script prints the same
// plain and compiled; the numbers of graphs are PyTorch's (with nested_graph_breaks).
#include "tests/support/script_world.h"

#include <QtTest>

#include <set>

using namespace cutaway;
using namespace cutaway::capture;
using namespace cutaway::test;

class TestBreaks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_script_prints_the_same_data();
    void a_script_prints_the_same();
    void loops_resume_without_an_entry_an_iteration();
    void a_break_is_told_once();
};

namespace {

struct Row {
    const char *name, *text;
    int graphs; ///< that compute something, over all calls; -1: any number
    int breaks; ///< places
};

const Row kRows[] = {
    {"a break inside a called function goes on there", R"(
def h(y):
    y = y * 2
    print("middle")
    return y + 3
def g(x):
    a = x + 1
    b = h(a)
    return b * 4
for i in range(2): print(f(torch.ones(2))))",
     2, 1},
    {"two levels down, twice", R"(
def inner(y, tag):
    y = y * 2
    print(tag, y.shape)
    return y + 3
def middle(y):
    a = inner(y, "one") + 1
    return inner(a, "two") - a
def g(x):
    return middle(x + 1) * 4, x
for i in range(2): print(f(torch.ones(2))))",
     3, 1},
    {"recursion", R"(
def h(x, n):
    if n == 0:
        print("bottom")
        return x * 3
    return h(x + n, n - 1) * 2
def g(x): return h(x, 3) + 1
for i in range(2): print(f(torch.ones(2))))",
     2, 1},
    {"a module's forward", R"(
class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))
    def forward(self, x):
        y = x * self.w
        print("inside")
        return y + self.w
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Inner()
        self.rest = nn.Sequential(Inner(), nn.ReLU())
    def forward(self, x):
        return self.rest(self.first(x) + 1) * 2
g = Outer()
f = torch.compile(g) if compiled else g
for i in range(2): print(f(torch.ones(2)).detach()))",
     -1, 2},
    {"an object that is being made", R"(
class Box:
    def __init__(self, v):
        self.v = v * 2
        print("box")
        self.w = self.v + 1
def g(x):
    b = Box(x + 1)
    return b.v, b.w * 2
for i in range(2): print(f(torch.ones(2))))",
     2, 1},
    {"super() behind a break", R"(
class A:
    def m(self, x):
        print("A")
        return x + 1
class B(A):
    def m(self, x):
        y = super().m(x * 2)
        print("B")
        return super().m(y) * 3
b = B()
def g(x): return b.m(x) - 1
for i in range(2): print(f(torch.ones(2))))",
     -1, 2},
    {"an exception crosses resumed frames", R"(
def inner(x, n):
    y = x * 2
    print("in")
    if n > 2: raise ValueError(f"n is {n}")
    return y + 1
def middle(x, n):
    try:
        return inner(x, n) * 2
    finally:
        print("finally")
def g(x, n):
    try:
        return middle(x + 1, n)
    except ValueError as e:
        print("caught", e)
        return x - 1
for n in (1, 5, 2): print(f(torch.ones(2), n)))",
     -1, -1},
    {"grad mode of a caller's block", R"(
def inner(x):
    print(torch.is_grad_enabled())
    return x * 2
def g(x):
    with torch.no_grad():
        y = inner(x * 3)
    return y.requires_grad, (x * 2).requires_grad, torch.is_grad_enabled()
for i in range(2): print(f(torch.ones(2, requires_grad=True))))",
     -1, 1},
    {"closures keep their variables", R"(
def g(x):
    count = 0
    def inner(y):
        nonlocal count
        count += 1
        print("count", count)
        count += 10
        return y * count
    a = inner(x) + inner(x)
    return a, count
for i in range(2): print(f(torch.ones(2))))",
     -1, 1},
    {"a generator goes on behind a break", R"(
def pieces(x):
    for i in range(3):
        yield x * i
    yield x - 1
def g(x):
    total = x
    for p in pieces(x + 1):
        total = total + p
        print("piece")
    return total
for i in range(2): print(f(torch.ones(2))))",
     -1, -1},
    {"keywords, defaults, spread arguments", R"(
def inner(a, *rest, scale=2, **more):
    b = a * scale
    print(len(rest), sorted(more))
    return b + sum(rest) + more["k"]
def g(x): return inner(x, 1, 2, scale=3, k=x) * 2 + inner(x, k=4)
for i in range(2): print(f(torch.ones(2))))",
     3, 1},

    // effects
    {"attributes of an object", R"(
class State: pass
s = State()
s.steps = torch.zeros(2)
def g(x):
    s.steps = s.steps + x
    s.last = x * 2
    return s.steps * s.last
for i in range(3): print(f(torch.ones(2)), s.steps, s.last))",
     -1, 0},
    {"a deleted attribute", R"(
class State: pass
def g(x, s):
    s.b = s.a + x
    del s.a
    return hasattr(s, "a"), s.b
for i in range(2):
    s = State()
    s.a = torch.ones(2) * i
    print(f(torch.ones(2), s), sorted(vars(s))))",
     -1, 0},
    {"items of lists and dicts", R"(
def g(x, l, d):
    l[0] = x + l[1]
    l.append(x * 3)
    d["n"] = x - 1
    d["k"], last = l.pop(), d["k"]
    return l[0] + d["n"] + last
for i in range(3):
    l, d = [torch.ones(2), torch.ones(2) * i], {"k": torch.ones(2)}
    print(f(torch.ones(2), l, d), l, d))",
     -1, 0},
    {"a list reversed, a set, a dict in another order", R"(
def g(x, l, s, d):
    l.reverse()
    s.add(7)
    first = d.pop("a")
    d["a"] = first * 2
    return x + l[0]
for i in range(2):
    l, s, d = [torch.zeros(2), torch.ones(2) * (i + 2)], {1}, {"a": torch.ones(2), "b": 2}
    print(f(torch.ones(2), l, s, d), l, sorted(s), list(d.items())))",
     -1, 0},
    {"the same list under two names", R"(
def g(x, a, b):
    a[0] = x * 2
    return b[0] + 1
for i in range(2):
    p, q = [torch.ones(2)], [torch.zeros(2)]
    print(f(torch.ones(2), p, q), f(torch.ones(2), p, p)))",
     -1, 0},
    {"a nonlocal and a global variable", R"(
total = torch.zeros(2)
def make():
    kept = torch.ones(2)
    def g(x):
        global total
        nonlocal kept
        total = total + x
        kept = kept * 2
        return total + kept
    return g
g = make()
f = torch.compile(g) if compiled else g
for i in range(3): print(f(torch.ones(2)), total))",
     -1, 0},
    {"buffers that are assigned", R"(
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(2))
        self.calls = 0
    def forward(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x
        return x - self.mean
m = M()
f = torch.compile(m) if compiled else m
for i in range(3): print(f(torch.ones(2) * i), m.mean))",
     -1, 0},
    {"effects come before a break's own, once", R"(
log = []
def g(x):
    log.append(x * 2)
    print(len(log), log[-1])
    log.append(x * 3)
    return x + 1
for i in range(2): print(f(torch.ones(2)), len(log)))",
     -1, -1},
    {"an exception behind a change", R"(
log = []
def g(x, n):
    log.append(x + 1)
    if n > 1: raise ValueError("no")
    return x * 2
for n in (1, 2, 1):
    try: print(f(torch.ones(2), n))
    except ValueError as e: print(e)
    print(len(log)))",
     -1, 0},

    // tensors
    {"items of a tensor are assigned", R"(
def g(x, y):
    z = x * 1
    z[0] = 5
    z[1:, 0] = y * 2
    z[..., -1] = y.sum()
    z[None, 2] = torch.tensor([7, 8, 9])
    x[1] = y.sum() + 4
    x[0, 1:2] = -1
    y[:] = 3
    return z, z.sum()
for i in range(2):
    x, y = torch.arange(9.0).reshape(3, 3), torch.ones(2) * i
    print(f(x, y), x, y))",
     1, 0},
    {"parameters are changed with gradients off", R"(
w = torch.ones(2, requires_grad=True)
def g(x):
    with torch.no_grad():
        w.sub_(x * 0.1)
        w.mul_(2)
    return x + 1
for i in range(3): print(f(torch.ones(2)), w, w.requires_grad))",
     1, 0},

    // random numbers
    {"numbers are drawn in the script's order", R"(
def g(x):
    a = torch.rand(2)
    b = torch.randn(3, 2)
    c = torch.randint(0, 10, (4,))
    d = torch.rand_like(x)
    e = torch.randperm(5)
    h = torch.bernoulli(torch.full((4,), 0.5))
    i = torch.empty(3).uniform_(1, 2)
    j = torch.normal(x, 2.0)
    return a, b, c, d * x, e, h, i, j
torch.manual_seed(3)
for i in range(2): print(f(torch.ones(2)))
print(torch.rand(1)))",
     1, 0},
    {"dropout in training", R"(
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 8)
        self.drop = nn.Dropout(0.5)
    def forward(self, x): return self.drop(torch.relu(self.a(x))).sum()
torch.manual_seed(0)
m = M()
f = torch.compile(m) if compiled else m
for i in range(3): print(round(f(torch.ones(2, 4)).item(), 4))
m.eval()
print(round(f(torch.ones(2, 4)).item(), 4)))",
     2, 0},
    {"numbers that nobody reads are drawn, too", R"(
def g(x):
    torch.rand(5)
    return x + 1
torch.manual_seed(1)
f(torch.ones(2))
print(torch.rand(2)))",
     1, 0},
};

std::string script(const QString& text, bool compiled) {
    QString whole =
        "import torch\nimport torch.nn as nn\ncompiled = " + QString(compiled ? "True" : "False") +
        "\nf = g = None\n";
    // The function under test is the last one called g before the first loop.
    const QString make = compiled ? "f = torch.compile(g)\n" : "f = g\n";
    for (const QString& line : text.split('\n')) {
        if ((line.startsWith("for ") || line.startsWith("torch.manual_seed")) &&
            !text.contains("f = torch.compile"))
            whole += make;
        whole += line + "\n";
    }
    return whole.toStdString();
}

} // namespace

void TestBreaks::a_script_prints_the_same_data() {
    QTest::addColumn<int>("row");
    for (size_t i = 0; i < std::size(kRows); ++i)
        QTest::newRow(kRows[i].name) << static_cast<int>(i);
}

void TestBreaks::a_script_prints_the_same() {
    QFETCH(int, row);
    const Row& r = kRows[row];
    ScriptWorld plainWorld, world;
    const ScriptRun plain = plainWorld.run(script(r.text, false));
    QCOMPARE(QString::fromStdString(plain.error), QString());
    const ScriptRun run = world.run(script(r.text, true));
    QCOMPARE(QString::fromStdString(run.error + run.printed),
             QString::fromStdString(plain.printed));
    int graphs = 0;
    std::set<std::string> breaks;
    for (const CapturedFunction& f : world.compiler.captured) {
        graphs += !f.graph->outputs.empty();
        for (const base::Diagnostic& d : f.breaks)
            breaks.insert(d.str());
    }
    QVERIFY(!world.compiler.captured.empty());
    if (r.graphs >= 0) QCOMPARE(graphs, r.graphs);
    if (r.breaks >= 0) QCOMPARE(static_cast<int>(breaks.size()), r.breaks);
}

void TestBreaks::loops_resume_without_an_entry_an_iteration() {
    auto entries = [](int n) {
        ScriptWorld world;
        ScriptRun run = world.run(R"(import torch
def h(x, i):
    x = x + 1
    print(end="")
    return x * 2
@torch.compile
def f(x, n):
    for i in range(n):
        x = h(x, i)
    for i, name in enumerate(["a"] * n):
        x = x - 1
        print(end="")
    return x
print(f(torch.ones(2), )" + std::to_string(n) +
                                  "))\n");
        return run.error.empty() ? world.compiler.captured.size() : 0;
    };
    QVERIFY(entries(6) > 0);
    QCOMPARE(entries(40), entries(6));
}

void TestBreaks::a_break_is_told_once() {
    ScriptWorld world;
    ScriptRun run = world.run(R"(import torch
def h(x):
    print("h")
    return x + 1
@torch.compile
def f(x):
    return h(h(x)) * 2
for i in range(3): f(torch.ones(i + 2))
)");
    QCOMPARE(QString::fromStdString(run.error), QString());
    QCOMPARE(run.warnings.size(), size_t{1});
}

QTEST_APPLESS_MAIN(TestBreaks)
#include "test_breaks.moc"
