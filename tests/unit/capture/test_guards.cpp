// SPDX-License-Identifier: Apache-2.0
// When a function is compiled again, and what checking its guards costs.
#include "core/base/sanitizers.h"
#include "tests/support/script_world.h"

#include <QtTest>

#include <chrono>

using namespace cutaway;
using namespace cutaway::test;

namespace {

/// Compiles that the calls of a script cause: `calls` use f, x (ones of 4) and what `setup` makes.
size_t compiles(const std::string& setup, const std::string& calls) {
    ScriptWorld world;
    ScriptRun run = world.run("import torch\nx = torch.ones(4)\n" + setup + "\n" + calls + "\n");
    if (!run.error.empty()) qWarning("%s", run.error.c_str());
    return run.error.empty() ? world.compiler.captured.size() : size_t{999};
}

const std::string kAdd = "@torch.compile\ndef f(x, k=1):\n    return x + k\n";

} // namespace

class TestGuards : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void the_same_call_compiles_once();
    void size_dtype_stride_and_gradient_are_guarded();
    void constants_are_guarded_by_value_and_type();
    void entries_are_kept_and_found_again();
    void containers_are_guarded();
    void globals_and_closures_are_guarded();
    void modules_are_guarded();
    void objects_are_guarded();
    void what_was_not_read_is_not_guarded();
    void one_tensor_given_twice_is_guarded();
    void the_limit_of_entries_leads_to_eager_with_a_warning();
    void the_guard_that_failed_is_told();
    void grad_mode_has_its_own_entry();
    void guards_read_as_text();
    void checking_guards_is_quick();
};

void TestGuards::the_same_call_compiles_once() {
    QCOMPARE(compiles(kAdd, "for i in range(10):\n    f(x)\nf(torch.zeros(4))"), size_t{1});
}

void TestGuards::size_dtype_stride_and_gradient_are_guarded() {
    QCOMPARE(compiles(kAdd, "f(x)\nf(torch.ones(5))\nf(torch.ones(5))"), size_t{2});
    QCOMPARE(compiles(kAdd, "f(x)\nf(torch.ones(4, 1))"), size_t{2});
    QCOMPARE(compiles(kAdd, "f(x)\nf(x.double())"), size_t{2});
    QCOMPARE(compiles(kAdd, "a = torch.ones(2, 3)\nf(a)\nf(torch.ones(3, 2).T)"), size_t{2});
    QCOMPARE(compiles(kAdd, "f(x)\nf(torch.ones(4, requires_grad=True))"), size_t{2});
}

void TestGuards::constants_are_guarded_by_value_and_type() {
    QCOMPARE(compiles(kAdd, "f(x, 1)\nf(x, 1)\nf(x)"), size_t{1});
    QCOMPARE(compiles(kAdd, "f(x, 1)\nf(x, 2)"), size_t{2});
    QCOMPARE(compiles(kAdd, "f(x, 1)\nf(x, 1.0)\nf(x, True)"), size_t{3});
    QCOMPARE(
        compiles(
            "@torch.compile\ndef f(x, mode):\n    return x.cos() if mode == 'cos' else x.sin()\n",
            "f(x, 'cos')\nf(x, 'c' + 'os')\nf(x, 'sin')"),
        size_t{2});
}

void TestGuards::entries_are_kept_and_found_again() {
    QCOMPARE(compiles(kAdd, "for i in range(4):\n    f(x)\n    f(x.double())\n    f(x.long())"),
             size_t{3});
}

void TestGuards::containers_are_guarded() {
    std::string sum = "@torch.compile\ndef f(xs):\n    return sum(xs)\n";
    QCOMPARE(compiles(sum, "f([x, x * 2])\nf([x * 3, x * 4])"), size_t{1});
    QCOMPARE(compiles(sum, "f([x, x * 2])\nf([x, x * 2, x * 3])"), size_t{2});
    std::string dict = "@torch.compile\ndef f(d):\n    t = d['a']\n    if 'b' in d:\n        t = t "
                       "+ d['b']\n    return t * 2\n";
    QCOMPARE(compiles(dict, "f({'a': x})\nf({'a': x * 2})\nf({'a': x, 'b': x * 3})"), size_t{2});
    std::string all = "@torch.compile\ndef f(d):\n    return [v * 2 for k, v in d.items()]\n";
    QCOMPARE(compiles(all, "f({'a': x})\nf({'b': x})"), size_t{2});
}

void TestGuards::globals_and_closures_are_guarded() {
    QCOMPARE(compiles("k = 2\n@torch.compile\ndef f(x):\n    return x * k\n",
                      "f(x)\nk = 2\nf(x)\nk = 3\nf(x)"),
             size_t{2});
    QCOMPARE(compiles("def h(x):\n    return x + 1\n@torch.compile\ndef f(x):\n    return h(x)\n",
                      "f(x)\ndef h(x):\n    return x - 1\nf(x)"),
             size_t{2});
    QCOMPARE(compiles("def make():\n    n = 1\n    def get(x):\n        return x * n\n    def "
                      "put(v):\n        nonlocal n\n        n = v\n    return get, put\nget, put = "
                      "make()\nf = torch.compile(get)",
                      "f(x)\nf(x)\nput(5)\nf(x)"),
             size_t{2});
}

void TestGuards::modules_are_guarded() {
    std::string net = "m = torch.nn.Sequential(torch.nn.Linear(4, 3), "
                      "torch.nn.Dropout(0.0))\nm.eval()\nf = torch.compile(m)\n";
    QCOMPARE(compiles(net, "f(x)\nf(x * 2)"), size_t{1});
    QCOMPARE(compiles(net, "f(x)\nm[0].weight.data.mul_(2)\nf(x)"), size_t{1});
    QCOMPARE(compiles(net, "f(x)\nm[0].weight = torch.nn.Parameter(torch.ones(3, 4))\nf(x)"),
             size_t{1});
    QCOMPARE(
        compiles(
            net,
            "f(x)\nm[0].weight = torch.nn.Parameter(torch.ones(5, 4))\nm[0].bias = None\nf(x)"),
        size_t{2});
    QCOMPARE(compiles(net, "f(x)\nm.append(torch.nn.Identity().eval())\nf(x)"), size_t{2});
    QCOMPARE(compiles("@torch.compile\ndef f(x, mod):\n    return mod(x) * 2\na = "
                      "torch.nn.ReLU()\nb = torch.nn.Tanh()",
                      "f(x, a)\nf(x, b)\nf(x, a)\nf(x, b)"),
             size_t{2});
    QCOMPARE(compiles("m = torch.nn.Linear(4, 3)\n@torch.compile\ndef f(x):\n    return m(x)\n",
                      "f(x)\nm.eval()\nf(x)\nm.train()\nf(x)"),
             size_t{2});
}

void TestGuards::objects_are_guarded() {
    std::string config = "class Config:\n    def __init__(self, k):\n        self.k = "
                         "k\n@torch.compile\ndef f(x, c):\n    return x * c.k\n";
    QCOMPARE(compiles(config, "f(x, Config(2))\nf(x, Config(2))"), size_t{1});
    QCOMPARE(compiles(config, "c = Config(2)\nf(x, c)\nc.k = 3\nf(x, c)"), size_t{2});
}

void TestGuards::what_was_not_read_is_not_guarded() {
    QCOMPARE(compiles("@torch.compile\ndef f(x, unused):\n    return x + 1\n",
                      "f(x, torch.ones(1))\nf(x, torch.ones(2))\nf(x, [1, 2])"),
             size_t{1});
    QCOMPARE(compiles("@torch.compile\ndef f(d):\n    return d['a'] + 1\n",
                      "f({'a': x, 'b': 1})\nf({'b': 2, 'a': x})"),
             size_t{1});
}

void TestGuards::one_tensor_given_twice_is_guarded() {
    std::string add = "@torch.compile\ndef f(a, b):\n    return a * 2 + b\n";
    QCOMPARE(compiles(add, "f(x, x)\nf(x, x)"), size_t{1});
    ScriptWorld world;
    ScriptRun run = world.run("import torch\n" + add +
                              "x = torch.ones(1)\ny = x * 5\nprint(f(x, x), f(x, y), f(y, y))\n");
    QCOMPARE(QString::fromStdString(run.error + run.printed),
             QString("tensor([3.]) tensor([7.]) tensor([15.])\n"));
}

void TestGuards::the_limit_of_entries_leads_to_eager_with_a_warning() {
    ScriptWorld world;
    ScriptRun run = world.run("import torch\n@torch.compile\ndef f(x, k):\n    return x + int(k)\n"
                              "print(sum([f(torch.ones(1), str(i)).item() for i in range(12)]))\n");
    QCOMPARE(QString::fromStdString(run.error + run.printed), QString("78.0\n"));
    QCOMPARE(world.compiler.captured.size(), size_t{8});
    QCOMPARE(run.warnings.size(), size_t{1});
    QCOMPARE(QString::fromStdString(run.warnings[0].str()).trimmed(),
             QString("script.py:3:1: warning: f was compiled for 8 different inputs and runs "
                     "eagerly from now on\n"
                     "hint: keep sizes and constants the same between calls; this time "
                     "L['k'] == '7', actual '8'"));
}

/// The guard that a second call did not meet, as the second entry tells it.
static QString whyAgain(const std::string& function, const std::string& first,
                        const std::string& second) {
    ScriptWorld world;
    ScriptRun run = world.run("import torch\nx = torch.ones(4)\n@torch.compile\n" + function +
                              "f(" + first + ")\nf(" + second + ")\n");
    if (!run.error.empty() || world.compiler.captured.size() < 2)
        return QString::fromStdString("once: " + run.error);
    const capture::GuardText& guard = world.compiler.captured[1].guards.at(0);
    return QString::fromStdString(guard.kind + ": " + guard.condition);
}

void TestGuards::the_guard_that_failed_is_told() {
    const std::string add = "def f(a, k=1):\n    return a + k\n";
    QCOMPARE(whyAgain(add, "x", "torch.ones(5)"),
             QString("RECOMPILES: tensor 'L['a']' size mismatch at index 0. expected 4, actual 5"));
    QCOMPARE(whyAgain(add, "x", "x.double()"),
             QString("RECOMPILES: tensor 'L['a']' dtype mismatch. expected float32, actual "
                     "float64"));
    QCOMPARE(whyAgain(add, "x, 2.5", "x, 'b' and 3.5"),
             QString("RECOMPILES: L['k'] == 2.5, actual 3.5"));
    const std::string first = "def f(d):\n    return d['a'][0] * len(d['a'])\n";
    QCOMPARE(whyAgain(first, "{'a': [x]}", "{'a': [x, x]}"),
             QString("RECOMPILES: len(L['d']['a']) == 1, actual 2"));
    const std::string both = "def f(a, b):\n    return a * 2 + b\n";
    QCOMPARE(whyAgain(both, "x, x", "x, x + 1"), QString("RECOMPILES: L['b'] is L['a']"));
}

void TestGuards::grad_mode_has_its_own_entry() {
    QCOMPARE(compiles(kAdd, "f(x)\nwith torch.no_grad():\n    f(x)\n    f(x)\nf(x)"), size_t{2});
}

void TestGuards::guards_read_as_text() {
    ScriptWorld world;
    ScriptRun run = world.run(
        "import torch\nclass N(torch.nn.Module):\n    def __init__(self):\n        "
        "super().__init__()\n        self.layers = torch.nn.Sequential(torch.nn.Linear(2, 2))\n    "
        "def forward(self, x):\n        return self.layers(x)\nm = N()\n@torch.compile\ndef f(x, "
        "mod, k):\n    return mod(x) * k\nf(torch.ones(1, 2), m, 3)\n");
    QCOMPARE(QString::fromStdString(run.error), QString());
    QStringList texts;
    for (const auto& g : world.compiler.captured.at(0).guards)
        texts << QString::fromStdString(fmt::format("{}: {} {}", g.kind, g.source, g.condition));
    QVERIFY(texts.contains("GRAD_MODE: grad mode on"));
    QVERIFY(texts.contains("CONSTANT_MATCH: L['k'] == 3"));
    QVERIFY(texts.contains("MODULE_MATCH: L['mod'] is the same N"));
    QVERIFY(texts.contains("CONSTANT_MATCH: L['mod'].training == True"));
    QVERIFY(texts.contains("TENSOR_MATCH: L['mod'].layers[0].weight float32, cpu, sizes [2, 2], "
                           "strides [2, 1], requires_grad"));
    QVERIFY(texts.contains("TENSOR_MATCH: L['x'] float32, cpu, sizes [1, 2], strides [2, 1]"));
    for (const auto& g : world.compiler.captured[0].guards)
        QVERIFY(g.where.known());
}

namespace {

/// Answers at once: what is left is the cost of guards, arguments and results.
class NothingCompiler : public capture::GraphCompiler {
    struct Nothing : capture::CompiledGraph {
        std::vector<runtime::TensorPtr> answer;
        base::Result<std::vector<runtime::TensorPtr>>
        call(std::span<const runtime::TensorPtr>, std::span<const int64_t>, bool) override {
            return answer;
        }
    };
    base::Result<std::shared_ptr<capture::CompiledGraph>>
    compile(const capture::CapturedFunction& f, const capture::CompileOptions&, bool) override {
        auto nothing = std::make_shared<Nothing>();
        std::vector<int64_t> hints;
        if (f.graph->shapes)
            for (const ir::SizeSymbol& symbol : f.graph->shapes->symbols())
                hints.push_back(symbol.hint);
        const ir::Graph graph = f.graph->withSizes(hints);
        for (ir::NodeId id : graph.outputs) {
            ir::TensorType type = graph.node(id).type();
            type.strides = ir::contiguousStrides(type.sizes);
            CUTAWAY_TRY(runtime::TensorPtr t, runtime::emptyTensor(type));
            nothing->answer.push_back(std::move(t));
        }
        return std::shared_ptr<capture::CompiledGraph>(nothing);
    }
};

/// One call of \p name with \p inputs times x.
double callMicroseconds(const std::string& script, const std::string& name, size_t inputs = 1) {
    ReferenceEager eager;
    NothingCompiler compiler;
    capture::ProgramOptions options;
    options.path = "script.py";
    options.text = script;
    auto program = capture::Program::load(options, eager, compiler);
    if (!program.ok()) return 1e9;
    auto f = (*program)->compile((*program)->global(name), {});
    std::vector<capture::ValuePtr> args;
    for (size_t i = 0; i < inputs; ++i)
        args.push_back((*program)->global(inputs == 1 ? "x" : fmt::format("x{}", i)));
    if (!f.ok() || !(*f)->call(args, true).ok()) return 1e9;
    double best = 1e9;
    for (int round = 0; round < 20; ++round) {
        auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < 1000; ++i)
            if (!(*f)->call(args, true).ok()) return 1e9;
        best = std::min(best, std::chrono::duration<double, std::micro>(
                                  std::chrono::steady_clock::now() - begin)
                                      .count() /
                                  1000);
    }
    return best;
}

} // namespace

void TestGuards::checking_guards_is_quick() {
    double tiny = callMicroseconds(
        "import torch\nx = torch.ones(4)\ndef f(x):\n    return torch.cos(x)\n", "f");
    double mlp = callMicroseconds(
        "import torch\nimport torch.nn as nn\nx = torch.ones(2, 4)\nm = nn.Sequential(nn.Linear(4, "
        "4), nn.ReLU(), nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4))\n",
        "m");
    std::string ten = "import torch\n", names, sum;
    for (int i = 0; i < 10; ++i) {
        ten += fmt::format("x{} = torch.ones(4)\n", i);
        names += fmt::format("{}x{}", i ? ", " : "", i);
        sum += fmt::format("{}x{}", i ? " + " : "", i);
    }
    double inputs =
        callMicroseconds(ten + "def f(" + names + "):\n    return " + sum + "\n", "f", 10);
    double symbols = callMicroseconds(ten + "for x in (" + names +
                                          "):\n"
                                          "    torch._dynamo.maybe_mark_dynamic(x, 0)\n"
                                          "def f(" +
                                          names + "):\n    return " + sum + "\n",
                                      "f", 10);
    qInfo("a call costs %.3f us for a function of one tensor, %.3f us for one of ten, %.3f us for "
          "ten of a size that varies, %.3f us for a module of six parameters",
          tiny, inputs, symbols, mlp);
    const double slower = base::kSanitized ? 20 : 1;
    QVERIFY(symbols < 20 * slower);
    QVERIFY(inputs < 20 * slower);
    QVERIFY(tiny < 20 * slower); // aims: 1 and 2; sanitizers and busy machines are slower
    QVERIFY(mlp < 40 * slower);
}

QTEST_APPLESS_MAIN(TestGuards)
#include "test_guards.moc"
