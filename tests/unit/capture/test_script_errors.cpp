// SPDX-License-Identifier: Apache-2.0
// Every kind of mistake in a script: its exact message and place.
#include "tests/support/script_world.h"

#include <QtTest>

#include <chrono>
#include <future>
#include <thread>
#include <utility>

using namespace cutaway;
using namespace cutaway::test;

class TestScriptErrors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_mistake_has_one_message_with_its_place_data();
    void a_mistake_has_one_message_with_its_place();
    void a_missing_feature_is_a_warning_unless_the_whole_graph_is_asked_for();
    void errors_under_capture_leave_the_program_usable();
    void exceptions_are_of_the_classes_of_pytorch_data();
    void exceptions_are_of_the_classes_of_pytorch();
    void nothing_catches_a_cancellation();
    void an_interruption_is_an_exception();
    void a_script_may_be_cancelled_before_it_begins();
    void a_traceback_tells_the_calls_and_the_class();
    void a_break_is_told_once_a_place();
};

namespace {

const std::string kWhole = "import torch\n@torch.compile(fullgraph=True)\ndef f(x):\n";

} // namespace

void TestScriptErrors::a_mistake_has_one_message_with_its_place_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    auto row = [](const char* name, const std::string& text, const std::string& message) {
        QTest::newRow(name) << QString::fromStdString(text) << QString::fromStdString(message);
    };
    row("syntax", "x = (1,\n", "s.py:1:5: error: '(' is never closed\n");
    row("unknown name", "value = 1\nprint(valeu)\n",
        "s.py:2:7: error: name 'valeu' is not defined\nhint: did you mean 'value'?\n");
    row("torch not imported", "x = torch.ones(1)\n",
        "s.py:1:5: error: name 'torch' is not defined\nhint: add 'import torch' at the top\n");
    row("unknown function of torch", "import torch\ny = torch.coss(torch.ones(1))\n",
        "s.py:2:5: error: module 'torch' has no attribute 'coss'\nhint: did you mean 'cos'?\n");
    row("of PyTorch alone", "import torch\ny = torch.lobpcg(torch.ones(4, 4))\n",
        "s.py:2:5: error: torch.lobpcg of PyTorch is not part of Cutaway\n");
    row("a tensor's of PyTorch alone", "import torch\ntorch.ones(4).to_mkldnn()\n",
        "s.py:2:1: error: torch.Tensor.to_mkldnn of PyTorch is not part of Cutaway\n");
    row("an import of PyTorch alone", "from torch.nn import NLLLoss2d\n",
        "s.py:1:22: error: torch.nn.NLLLoss2d of PyTorch is not part of "
        "Cutaway\n");
    row("unknown tensor method", "import torch\ny = torch.ones(1).sofmax(dim=0)\n",
        "s.py:2:5: error: 'Tensor' object has no attribute 'sofmax'\nhint: did you mean "
        "'softmax'?\n");
    row("unknown attribute",
        "class A:\n    def __init__(self):\n        self.weight = 1\n\n\nA().wieght\n",
        "s.py:6:1: error: 'A' object has no attribute 'wieght'\nhint: did you mean 'weight'?\n");
    row("unknown module", "import requests\n",
        "s.py:1:8: error: module 'requests' is not available\nhint: scripts can use torch, einops "
        "and "
        "those of Python's modules that touch no files\n");
    row("misspelt module", "import torch.optm\n",
        "s.py:1:8: error: module 'torch.optm' is not available\nhint: did you mean "
        "'torch.optim'?\n");
    row("unknown import", "from torch.nn import Linaer\n",
        "s.py:1:22: error: module 'torch.nn' has no 'Linaer'\nhint: did you mean 'Linear'?\n");
    row("files", "f = open('x')\n",
        "s.py:1:5: error: open() is not available\nhint: scripts touch no files\n");
    row("shapes in a call",
        "import torch\n\n\ndef f(a, b):\n    return a @ b\n\n\nx = torch.randn(32, 64)\ny = "
        "torch.randn(128, 10)\nf(x, y)\n",
        "s.py:5:12: error: mm: mat1 and mat2 shapes cannot be multiplied (32x64 and 128x10)\n"
        "s.py:8:5: note: f32[32, 64] was made here\n"
        "s.py:9:5: note: f32[128, 10] was made here\n"
        "s.py:10:1: note: f() was called from here\n");
    row("shapes under capture",
        kWhole + "    a = x.reshape(8, 4)\n    b = torch.ones(3, 2)\n    return torch.matmul(a, "
                 "b)\n\n\nf(torch.ones(4, 8))\n",
        "s.py:6:12: error: mm: mat1 and mat2 shapes cannot be multiplied (8x4 and 3x2)\n"
        "s.py:4:9: note: f32[8, 4] was made here\n"
        "s.py:5:9: note: f32[3, 2] was made here\n"
        "s.py:9:1: note: f() was called from here\n");
    row("shapes in a module",
        "import torch\nimport torch.nn as nn\nm = nn.Sequential(nn.Linear(8, 16), nn.Linear(8, "
        "4))\nm(torch.ones(2, 8))\n",
        "s.py:4:1: error: addmm: mat1 and mat2 shapes cannot be multiplied (2x16 and 8x4)\n"
        "s.py:4:1: note: f32[2, 16] was made here\n"
        "s.py:3:37: note: f32[4, 8] was made here\n"
        "s.py:3:37: note: f32[4] was made here\n"
        "<torch/nn/__init__.py>: note: in forward(), called from there\n"
        "<torch/nn/__init__.py>: note: in forward(), called from there\n"
        "<torch/nn/functional.py>: note: in linear(), called from there\n"
        "hint: the input [2, 16] has 16 features, the weight [4, 8] expects 8\n");
    row("too many arguments", "def f(a, b):\n    return a\n\n\nf(1, 2, 3)\n",
        "s.py:5:1: error: f() takes 2 positional arguments, found 3\n");
    row("missing argument", "def f(a, b):\n    return a\n\n\nf(b=1)\n",
        "s.py:5:1: error: f() misses argument 'a'\n");
    row("unknown parameter", "def f(a, width=1):\n    return a\n\n\nf(1, widht=2)\n",
        "s.py:5:1: error: f() has no parameter 'widht'\nhint: did you mean 'width'?\n");
    row("wrong type", "x = 'a' + 1\n",
        "s.py:1:5: error: operator '+' does not work on str and int\nhint: convert with str() or "
        "use a format string\n");
    row("none", "def f():\n    pass\n\n\nx = f() + 1\n",
        "s.py:5:5: error: operator '+' does not work on NoneType and int\n"
        "hint: one side is None: a function without 'return' gives None\n");
    row("key", "d = {'alpha': 1}\nd['alhpa']\n",
        "s.py:2:1: error: the dict has no key 'alhpa'\nhint: did you mean 'alpha'?\n");
    row("index", "x = [1]\nx[3]\n",
        "s.py:2:1: error: index 3 is out of range for a list of 1 item\n");
    row("division", "def f(x):\n    return 1 / x\n\n\nf(0)\n",
        "s.py:2:12: error: division by zero\ns.py:5:1: note: f() was called from here\n");
    row("overflow", "x = 2 ** (2 ** 40)\n",
        "s.py:1:5: error: an integer may have 1048576 bits, this one needs more\nhint: use "
        "floats\n");
    row("raised", "raise ValueError('no good')\n", "s.py:1:1: error: no good\n");
    row("own exception", "class Bad(Exception):\n    pass\n\n\nraise Bad('x')\n",
        "s.py:5:1: error: Bad: x\n");
    row("assertion", "assert 1 == 2, 'they differ'\n", "s.py:1:1: error: they differ\n");
    row("unbound", "def f():\n    print(x)\n    x = 1\n\n\nf()\n",
        "s.py:2:11: error: local variable 'x' is used before it has a value\ns.py:6:1: note: f() "
        "was called from here\n");
    row("recursion", "def f(x):\n    return f(x)\n\n\nf(1)\n",
        "s.py:2:12: error: calls are nested too deeply\ns.py:2:12: note: f() was called "
        "from here\n"
        "hint: look for a function that calls itself without an end\n");
    row("module without init",
        "import torch.nn as nn\nclass N(nn.Module):\n    def __init__(self):\n        self.fc = "
        "nn.Linear(2, 2)\nN()\n",
        "s.py:4:9: error: cannot assign module before Module.__init__() call\ns.py:5:1: note: "
        "__init__() was called from here\n"
        "hint: call super().__init__() first in __init__\n");
    row("ambiguous truth", "import torch\nif torch.ones(3):\n    pass\n",
        "s.py:2:4: error: Boolean value of Tensor with more than one value is ambiguous\n"
        "hint: reduce it to one element with .any() or .all()\n");
    row("branch on data",
        kWhole + "    if x.sum() > 0:\n        return x\n    return -x\nf(torch.ones(3))\n",
        "s.py:4:8: error: the branch depends on the data of a tensor\nhint: compute both sides and "
        "choose with "
        "torch.where, or leave the branch outside the compiled function\n");
    row("a branch on an item",
        kWhole + "    return x if x.sum().item() > 1 else -x\nf(torch.ones(3))\n",
        "s.py:4:17: error: the branch depends on a number that the graph computes\n"
        "hint: say what holds with torch._check(), compute both sides and choose with "
        "torch.where, or leave the branch outside the compiled function\n");
    row("change of an input that requires a gradient",
        kWhole + "    x += 1\n    return x\nf(torch.ones(3, requires_grad=True))\n",
        "s.py:4:5: error: add_() changes a tensor that exists outside the compiled function and "
        "requires a gradient\nhint: use x.add(...) and return the result\n");
    row("change of a view of a leaf",
        kWhole + "    x[1:].mul_(2)\n    return x\nf(torch.ones(3, requires_grad=True))\n",
        "s.py:4:5: error: a view of a tensor that exists outside the compiled function and "
        "requires a gradient is changed in place\n"
        "hint: change a clone() of it, or do it within torch.no_grad()\n");
    row("a text of a list of an input",
        kWhole + "    print(x.tolist()[0])\n    return x\nf(torch.ones(3))\n",
        "s.py:4:5: error: print() writes text\nhint: call it outside the compiled function\n");
    row("change without recording",
        kWhole + "    y = x * 1\n    y.detach().add_(1)\n    return y\n"
                 "f(torch.ones(3, requires_grad=True))\n",
        "s.py:5:5: error: a tensor with a gradient is changed in place without recording it\n"
        "hint: change a clone() of it\n");
    row("print under capture", kWhole + "    print(x)\n    return x\nf(torch.ones(3))\n",
        "s.py:4:5: error: print() writes text\nhint: call it outside the compiled function\n");
    row("random under capture", kWhole + "    return torch.multinomial(x, 2)\nf(torch.ones(3))\n",
        "s.py:4:12: error: torch.multinomial() draws by the values of a tensor\nhint: call it "
        "outside the compiled function\n");
    row("outside class",
        "class A: pass\n" + kWhole + "    A.n = 1\n    return x\nf(torch.ones(3))\n",
        "s.py:5:5: error: the compiled function changes a class, which exists "
        "outside it\n"
        "hint: return the new value and assign it outside, or compile a smaller function\n");
}

void TestScriptErrors::a_mistake_has_one_message_with_its_place() {
    QFETCH(QString, text);
    QFETCH(QString, message);
    ScriptWorld world;
    QString found =
        QString::fromStdString(withoutLibraryLines(world.run(text.toStdString(), "s.py").error));
    if (!found.endsWith('\n')) found += '\n';
    QCOMPARE(found, message);
}

void TestScriptErrors::a_missing_feature_is_a_warning_unless_the_whole_graph_is_asked_for() {
    ScriptWorld world;
    ScriptRun run = world.run("import torch\n@torch.compile\ndef f(x):\n    return x * "
                              "x.sum().item()\nprint(f(torch.ones(3)))\n",
                              "s.py");
    QCOMPARE(QString::fromStdString(run.error + run.printed), QString("tensor([3., 3., 3.])\n"));
    QCOMPARE(run.warnings.size(), size_t{1});
    QCOMPARE(QString::fromStdString(run.warnings[0].str()).split('\n')[0],
             QString("s.py:4:16: warning: graph break: .item() needs the value of a tensor"));
}

void TestScriptErrors::errors_under_capture_leave_the_program_usable() {
    ScriptWorld world;
    ScriptRun run =
        world.run("import torch\n@torch.compile\ndef f(x):\n    with torch.no_grad():\n        "
                  "return x @ torch.ones(7)\n"
                  "for x in [torch.ones(3), torch.ones(7)]:\n    try:\n        print(f(x))\n    "
                  "except RuntimeError as e:\n        print('caught', torch.is_grad_enabled())\n",
                  "s.py");
    QCOMPARE(QString::fromStdString(run.error + run.printed), QString("caught True\ntensor(7.)\n"));
}

void TestScriptErrors::exceptions_are_of_the_classes_of_pytorch_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("classes");
    auto row = [](const char* text, const char* classes) {
        QTest::newRow(text) << QString(text) << QString(classes);
    };
    const char *index = "IndexError LookupError Exception", *runtime = "RuntimeError Exception",
               *value = "ValueError Exception", *type = "TypeError Exception",
               *notImplemented = "NotImplementedError RuntimeError Exception";
    row("x[5]", index);
    row("x.sum(dim=5)", index);
    row("x[0, 0, 0]", index);
    row("torch.softmax(x, dim=5)", index);
    row("x.transpose(0, 5)", index);
    row("x.unsqueeze(9)", index);
    row("x.select(0, 9)", index);
    row("torch.cat([x, x], dim=5)", index);
    row("x.view(5)", runtime);
    row("x @ x", runtime);
    row("bool(x)", runtime);
    row("torch.zeros(-1)", runtime);
    row("torch.zeros(10 ** 18)", "MemoryError Exception"); // of this world; else RuntimeError
    row("torch.tensor([[1], [2, 3]])", value);
    row("len(torch.tensor(1))", type);
    row("list(zip([1, 2], [1], strict=True))", value);
    row("list(zip([1], [1, 2], strict=True))", value);
    row("torch.optim.SGD([], lr=1)", value);
    row("torch.compile(lambda x: x, mode='fast')", runtime);
    row("torch.compile(lambda x: x, options={'fast': True})", runtime);
    row("torch.compile(lambda x: x, options={'max_autotune': 1})", runtime);
    row("torch.compile(lambda x: x, fast=True)", type);
    row("broken(x)", "Unsupported TorchDynamoException RuntimeError Exception");
    row("[many(x, 'k' * k) for k in range(9)]", "FailOnRecompileLimitHit Exception");
    row("{}['a']", "KeyError LookupError Exception");
    row("time.sleep(-1)", value);
    row("x.sum('a')", type);
    row("x.sum(foo=1)", type);
    row("torch.add(x)", type);
    row("torch.add(x, 'a')", type);
    row("torch.add(x, x, x)", type);
    row("torch.cat(x)", type);
    row("torch.cat([x, 1])", type);
    row("torch.relu('a')", type);
    row("torch.relu()", type);
    row("x.transpose('a', 'b')", type);
    row("x.transpose(0)", type);
    row("torch.softmax(x, 'a')", type);
    row("torch.matmul(x, 3)", type);
    row("x @ 3", type);
    row("x + 'a'", type);
    row("x + None", type);
    row("x ** 'a'", type);
    row("F.linear(x, 3)", type);
    row("nn.Linear(2)", type);
    row("nn.Sequential(3)", type);
    row("nn.Dropout('a')", type);
    row("torch.optim.SGD(x, lr=0.1)", type);
    row("torch.optim.SGD([3], lr=0.1)", type);
    row("torch.full((2,), 'a')", type);
    row("torch.zeros('a')", type);
    row("torch.exp(1)", type);
    row("torch.where(b, x, 'a')", type);
    row("x.masked_fill(b, 'a')", type);
    row("torch.cat([])", value);
    row("F.cross_entropy(x, torch.zeros(2, dtype=torch.long))", value);
    row("F.cross_entropy(x, torch.zeros(3, dtype=torch.long), reduction='foo')", value);
    row("nn.Dropout(2)", value);
    row("nn.Dropout(-0.1)", value);
    row("F.dropout(x, 2.0, False)", value);
    row("torch.optim.SGD([x], lr=-1)", value);
    row("torch.optim.SGD([x], lr=0.1, momentum=-1)", value);
    row("torch.optim.SGD([x], lr=0.1, nesterov=True)", value);
    row("torch.optim.Adam([x], betas=(2, 0.1))", value);
    row("torch.optim.AdamW([x], weight_decay=-1)", value);
    row("torch.optim.SGD([{'params': [x]}, {'params': [x]}], lr=0.1)", value);
    row("x[::-1]", value);
    row("int(x)", value);
    row("torch.ones(0, 3).amax(dim=0)", index);
    row("x.squeeze(7)", index);
    row("torch.tensor(1)[0]", index);
    row("torch.stack([])", runtime);
    row("F.cross_entropy(x, torch.zeros(3))", runtime);
    row("torch.ones(2) + torch.ones(3)", runtime);
    row("nn.Linear(2, 3).load_state_dict({})", runtime);
    row("x.item()", runtime);
    row("b - b", notImplemented);
    row("b - 1", notImplemented);
    row("1 - b", notImplemented);
    row("x - b", notImplemented);
    row("b.sub_(b)", notImplemented);
    row("-b", notImplemented);
    row("x & x", notImplemented);
    row("i.mean()", notImplemented);
    row("torch.softmax(i, dim=0)", notImplemented);
    row("nn.Module()(x)", notImplemented);
}

void TestScriptErrors::exceptions_are_of_the_classes_of_pytorch() {
    QFETCH(QString, text);
    QFETCH(QString, classes);
    ScriptWorld world;
    ScriptRun run = world.run(
        "import time\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
        "import torch.optim\nimport torch._dynamo.exc as exc\nx = torch.ones(3, 4)\n"
        "i = torch.zeros(3, 4, dtype=torch.long)\nb = x > 0\n"
        "@torch.compile(fullgraph=True)\ndef broken(x):\n    print(x)\n"
        "@torch.compile(fullgraph=True)\ndef many(x, k):\n    return x + len(k)\n"
        "assert issubclass(torch.OutOfMemoryError, RuntimeError)\n"
        "assert torch.cuda.OutOfMemoryError is torch.OutOfMemoryError\n"
        "assert issubclass(exc.Unsupported, exc.TorchDynamoException)\n"
        "try:\n    " +
            text.toStdString() +
            "\nexcept Exception as e:\n    print(*[c.__name__ for c in "
            "type(e).__mro__ if c.__name__ not in ('BaseException', 'object')])\n",
        "s.py");
    QCOMPARE(QString::fromStdString(run.error), QString());
    QCOMPARE(QString::fromStdString(run.printed).trimmed(), classes);
}

void TestScriptErrors::nothing_catches_a_cancellation() {
    for (const char* loop : {"while True:\n            pass", "time.sleep(1000)"}) {
        base::CancelToken token;
        std::thread later([token] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            token.cancel();
        });
        ScriptWorld world;
        ScriptRun run = world.run(
            fmt::format(
                "import time\nwhile True:\n    try:\n        {}\n    except BaseException:\n  "
                "      print('caught')\n    finally:\n        print('caught')\n",
                loop),
            "s.py", token);
        later.join();
        QVERIFY2(run.error.find("cancelled") != std::string::npos, run.error.c_str());
        QCOMPARE(QString::fromStdString(run.printed), QString());
    }
}

void TestScriptErrors::an_interruption_is_an_exception() {
    for (const char* loop : {"while True:\n            pass", "time.sleep(1000)",
                             "torch.compile(lambda x: sum(range(10**15)))(torch.ones(1))"}) {
        base::CancelToken token;
        bool told = false;
        std::promise<void> begun;
        std::thread later([token, ready = begun.get_future()] {
            ready.wait_for(std::chrono::minutes(1));
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            token.interrupt();
        });
        ScriptWorld world;
        world.onPrint = [&] {
            if (!std::exchange(told, true)) begun.set_value();
        };
        ScriptRun run = world.run(
            fmt::format("import time, torch\ntry:\n    try:\n        print('begun')\n        {}\n"
                        "    except Exception:\n"
                        "        print('no Exception')\n    finally:\n        print('finally')\n"
                        "except KeyboardInterrupt as e:\n    print(repr(e))\nprint('end')\n",
                        loop),
            "s.py", token);
        later.join();
        QCOMPARE(QString::fromStdString(run.error), QString());
        QCOMPARE(QString::fromStdString(run.printed),
                 QString("begun\nfinally\nKeyboardInterrupt()\nend\n"));
    }
}

void TestScriptErrors::a_script_may_be_cancelled_before_it_begins() {
    ReferenceEager eager;
    ReferenceCompiler compiler;
    capture::ProgramOptions options;
    options.path = "s.py";
    options.text = "print(1)";
    options.cancel.cancel();
    const auto program = capture::Program::load(options, eager, compiler);
    QVERIFY(!program.ok());
    QCOMPARE(QString::fromStdString(program.error().message), QString("cancelled"));
}

void TestScriptErrors::a_traceback_tells_the_calls_and_the_class() {
    ReferenceEager eager;
    ReferenceCompiler compiler;
    auto told = [&](const std::string& text) {
        QString traceback;
        capture::ProgramOptions options;
        options.path = "s.py";
        options.text = text;
        options.traceback = [&](std::string_view t) {
            traceback += QString::fromUtf8(t.data(), static_cast<qsizetype>(t.size()));
        };
        (void)capture::Program::load(options, eager, compiler);
        return traceback;
    };
    QCOMPARE(told("def f(x):\n    return 1 / x\n\n\nf(0)\n"),
             QString("Traceback (most recent call last):\n"
                     "  File \"s.py\", line 5, in <module>\n    f(0)\n"
                     "  File \"s.py\", line 2, in f\n    return 1 / x\n"
                     "ZeroDivisionError: division by zero\n"));
    QCOMPARE(told("class Bad(Exception):\n    pass\nraise Bad('x')\n"),
             QString("Traceback (most recent call last):\n"
                     "  File \"s.py\", line 3, in <module>\n    raise Bad('x')\nBad: x\n"));
    QVERIFY(
        told("import torch\n@torch.compile(fullgraph=True)\ndef f(x):\n    print(x)\nf(torch.ones("
             "1))\n")
            .endsWith("torch._dynamo.exc.Unsupported: print() writes text\n"));
    QCOMPARE(told("x = (1\n"), QString());
    QCOMPARE(told("try:\n    1 / 0\nexcept ZeroDivisionError:\n    pass\n"), QString());
}

void TestScriptErrors::a_break_is_told_once_a_place() {
    ScriptWorld world;
    ScriptRun run =
        world.run("import torch\n@torch.compile\ndef f(x):\n    print('-')\n    return x + "
                  "x.sum().item()\nfor n in range(2, 6):\n    f(torch.ones(n))\n",
                  "s.py");
    QCOMPARE(QString::fromStdString(run.error), QString());
    QCOMPARE(run.warnings.size(), size_t{2});
}

QTEST_APPLESS_MAIN(TestScriptErrors)
#include "test_script_errors.moc"
