// SPDX-License-Identifier: Apache-2.0
// The graphs captured from the samples (cases/*.txt), where their nodes come from, and graph
// breaks. After an intended change run with CUTAWAY_REBASE=1 and read the difference.
#include "tests/support/script_world.h"

#include <QFile>
#include <QtTest>

using namespace cutaway;
using namespace cutaway::test;
using capture::CapturedFunction;

namespace {

/// The graph, its inputs' sources, its nodes' lines and modules, the guards, the transformed code.
std::string describe(const CapturedFunction& f) {
    const ir::Graph& g = *f.graph;
    std::string text = g.order().size() < 100
                           ? ir::print(g)
                           : fmt::format("graph of {} nodes\n", g.order().size());
    for (ir::NodeId id : g.order()) {
        if (g.order().size() > 100 && id.index > 3) break;
        const ir::Node& n = g.node(id);
        if (n.kind == ir::NodeKind::Placeholder) {
            text += fmt::format("{} <- {}{}\n", n.name, n.inputSource,
                                n.type().requiresGrad ? ", requires_grad" : "");
            continue;
        }
        text += fmt::format("{} in '{}':", n.name, n.modulePath);
        for (const ir::SourceFrame& frame : *n.source)
            text += fmt::format(" {}:{} {}", frame.where.file, frame.where.line, frame.function);
        text += "\n";
    }
    for (const capture::MadeModules& made : f.modules) {
        text += fmt::format("from node {} made at:", made.first);
        for (const base::Location& where : made.lines)
            text += fmt::format(" {}:{}", where.file, where.line);
        text += "\n";
    }
    for (const capture::GuardText& guard : f.guards)
        text += fmt::format("{}: {} {} ({}:{})\n", guard.kind, guard.source, guard.condition,
                            guard.where.file, guard.where.line);
    for (const base::Diagnostic& d : f.breaks)
        text += "break: " + d.str() + "\n";
    return text + f.transformedCode;
}

double largestDifference(const capture::ValuePtr& a, const capture::ValuePtr& b) {
    auto x = capture::flattenTensors(a), y = capture::flattenTensors(b);
    if (x.size() != y.size() || x.empty()) return 1e300;
    double worst = 0;
    for (size_t i = 0; i < x.size(); ++i) {
        auto p = runtime::toHost(*x[i]), q = runtime::toHost(*y[i]);
        if (!p.ok() || !q.ok() || p->sizes != q->sizes) return 1e300;
        for (int64_t k = 0; k < p->numel(); ++k)
            worst = std::max(worst, std::abs(p->get(k) - q->get(k)));
    }
    return worst;
}

QString printed(const std::string& script) {
    ScriptWorld world;
    ScriptRun run = world.run(script);
    return QString::fromStdString(run.error + run.printed);
}

} // namespace

class TestCapture : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void samples_are_captured_as_written_down_data();
    void samples_are_captured_as_written_down();
    void a_branch_on_data_breaks_the_graph_and_resumes();
    void print_breaks_the_graph_and_the_rest_is_captured();
    void loops_with_breaks_resume_with_their_iterator();
    void a_break_inside_a_call_takes_its_effects_back();
    void results_keep_their_structure();
    void in_place_operations_are_functionalised();
    void no_grad_inside_cuts_the_gradient();
    void values_made_during_capture_may_change();
    void effects_on_outside_values_happen_on_every_call();
    void a_function_without_tensors_works();
    void closures_defaults_and_keywords_are_read_through();
    void compile_works_as_function_decorator_and_method();
    void parameters_know_the_line_that_made_them();
};

void TestCapture::samples_are_captured_as_written_down_data() {
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"double_cosine", "mul_add_relu", "thousand_adds", "matmul_add_relu", "mlp_three_layer",
          "mlp_train", "layernorm_gelu_residual", "softmax_cross_entropy", "attention_block"})
        QTest::newRow(name) << name;
}

void TestCapture::samples_are_captured_as_written_down() {
    QFETCH(QString, name);
    std::string sample = "samples/" + name.toStdString() + ".py";
    ScriptWorld world;
    ScriptRun run = world.run(readText(CUTAWAY_SOURCE_DIR "/" + sample), sample);
    QCOMPARE(QString::fromStdString(run.error), QString());
    QVERIFY(run.program->isCaseFile());
    auto inputs = run.program->exampleInputs("tiny");
    QVERIFY(inputs.ok());
    auto model = run.program->global("model");
    auto compiled = run.program->compile(model, {});
    QVERIFY(compiled.ok());
    auto result = (*compiled)->call(*inputs, run.program->train());
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().str().c_str());
    auto eager = run.program->call(model, *inputs, false);
    QVERIFY(eager.ok());
    QVERIFY(largestDifference(*result, *eager) < 1e-5);
    QCOMPARE(world.compiler.captured.size(), size_t{1});
    QVERIFY((*compiled)->call(*inputs, run.program->train()).ok());
    QCOMPARE(world.compiler.captured.size(), size_t{1});
    QCOMPARE(world.compiler.runs, 2);

    const std::string text = withoutLibraryLines(describe(world.compiler.captured[0]));
    QFile file(QStringLiteral(CUTAWAY_SOURCE_DIR "/tests/unit/capture/cases/") + name + ".txt");
    if (qEnvironmentVariableIsSet("CUTAWAY_REBASE")) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.data(), static_cast<qint64>(text.size()));
        return;
    }
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    QStringList want = QString::fromUtf8(file.readAll()).split('\n'),
                found = QString::fromStdString(text).split('\n');
    for (qsizetype i = 0; i < std::min(want.size(), found.size()); ++i)
        QCOMPARE(found[i], want[i]);
    QCOMPARE(found.size(), want.size());
}

void TestCapture::parameters_know_the_line_that_made_them() {
    ScriptWorld world;
    const ScriptRun run = world.run("import torch\n"
                                    "class Net(torch.nn.Module):\n"
                                    "    def __init__(self):\n"
                                    "        super().__init__()\n"
                                    "        self.scale = torch.nn.Parameter(torch.ones(4))\n"
                                    "    def forward(self, x):\n"
                                    "        return x * self.scale\n"
                                    "torch.compile(Net())(torch.ones(4))\n");
    QCOMPARE(QString::fromStdString(run.error), QString());
    QCOMPARE(world.compiler.captured.size(), size_t{1});
    const capture::CapturedFunction& made = world.compiler.captured[0];
    for (ir::NodeId id : made.graph->placeholders()) {
        const auto own = std::ranges::find(made.modules, id.index, &capture::MadeModules::first);
        const bool isScale = made.graph->node(id).inputSource == "self.scale";
        QCOMPARE(own != made.modules.end() && !own->lines.empty() && own->lines[0].line == 5,
                 isScale);
    }
}

void TestCapture::a_branch_on_data_breaks_the_graph_and_resumes() {
    ScriptWorld world;
    ScriptRun run = world.run(R"(import torch

@torch.compile
def function(inputs):
    x = inputs["x"]
    y = inputs["y"]
    x = x.cos().cos()
    if x.mean() > 0.5:
        x = x / 1.1
    return x * y

def plain(inputs):
    x = inputs["x"].cos().cos()
    if x.mean() > 0.5:
        x = x / 1.1
    return x * inputs["y"]

high = {"x": torch.zeros(10), "y": torch.ones(10)}
low = {"x": torch.full((10,), 0.5 * 3.14159), "y": torch.ones(10)}
# cos(cos(0)) = 0.54, cos(cos(pi / 2)) = 1: both are above 0.5; sin's turn comes with x = pi
third = {"x": torch.full((10,), 0.3), "y": torch.ones(10)}
for i in range(3):
    for inputs in [high, low, third]:
        assert torch.allclose(function(inputs), plain(inputs))
print("same")
)");
    QCOMPARE(QString::fromStdString(run.error + run.printed), QString("same\n"));
    QCOMPARE(world.compiler.captured.size(), size_t{2});
    const CapturedFunction& first = world.compiler.captured[0];
    QCOMPARE(QString::fromStdString(ir::print(*first.graph)),
             QString(R"(graph captured(inputs_x: f32[10]):
    cos: f32[10] = aten.cos.default(inputs_x)
    cos_1: f32[10] = aten.cos.default(cos)
    mean: f32[] = aten.mean.default(cos_1)
    gt: b8[] = aten.gt.Scalar(mean, 0.5)
    return (gt, cos_1)
)"));
    QCOMPARE(first.breaks.size(), size_t{1});
    QCOMPARE(QString::fromStdString(first.breaks[0].str()).split('\n')[0],
             QString("script.py:8:8: warning: the branch depends on the data of a tensor"));
    QCOMPARE(QString::fromStdString(first.transformedCode), QString(R"(def function(inputs):
    stack_0, x = __compiled_fn_0(inputs['x'])
    y = inputs['y']
    # line 8: if x.mean() > 0.5:
    if stack_0:
        return __resume_at_9(x, y)
    return __resume_at_10(x, y)
)"));
    QCOMPARE(QString::fromStdString(world.compiler.captured[1].segment), QString("resume_at_9"));
}

void TestCapture::print_breaks_the_graph_and_the_rest_is_captured() {
    ScriptWorld world;
    ScriptRun run = world.run(R"(import torch

@torch.compile
def f(x):
    y = x + 1
    print("middle", y.shape)
    return y * 2

print(f(torch.ones(2)), f(torch.ones(2)))
)");
    QCOMPARE(
        QString::fromStdString(run.error + run.printed),
        QString(
            "middle torch.Size([2])\nmiddle torch.Size([2])\ntensor([4., 4.]) tensor([4., 4.])\n"));
    QCOMPARE(world.compiler.captured.size(), size_t{2});
    QCOMPARE(world.compiler.runs, 4);
}

void TestCapture::loops_with_breaks_resume_with_their_iterator() {
    QCOMPARE(printed(R"(import torch

def f(x, names):
    total = x
    for i, name in enumerate(names):
        total = total + i
        print(name, end=" ")
        if total.sum() > 6:
            break
    return total, [n for n in names]

g = torch.compile(f)
print(f(torch.ones(2), ["a", "b", "c", "d"]))
print(g(torch.ones(2), ["a", "b", "c", "d"]))
)"),
             QString("a b c (tensor([4., 4.]), ['a', 'b', 'c', 'd'])\n"
                     "a b c (tensor([4., 4.]), ['a', 'b', 'c', 'd'])\n"));
}

void TestCapture::a_break_inside_a_call_takes_its_effects_back() {
    QCOMPARE(printed(R"(import torch

class Box:
    pass

def helper(out, box, d, x):
    out.append(x * 2)
    box.value = 1
    d["n"] = d.get("n", 0) + 1
    x += 1
    with torch.no_grad():
        print("helper", len(out), d)
    return x

@torch.compile
def f(x):
    out = []
    d = {}
    box = Box()
    y = x * 1
    z = helper(out, box, d, y)
    w = [v for v in map(lambda k: print(k) or k * 10, [1, 2, 3])]
    return out, d, box.value, y, z is y, w, torch.is_grad_enabled()

for i in range(2):
    print(f(torch.ones(1)))
)"),
             QString("helper 1 {'n': 1}\n1\n2\n3\n"
                     "([tensor([2.])], {'n': 1}, 1, tensor([2.]), True, [10, 20, 30], True)\n")
                 .repeated(2));
}

void TestCapture::results_keep_their_structure() {
    QCOMPARE(printed(R"(import torch

class Result:
    def __init__(self, value):
        self.value = value
        self.note = "n"

@torch.compile
def f(x, y):
    z = x + y
    return {"sum": z, "parts": [x, (z, 3, None)], "same": z, "shape": x.shape, "object": Result(z * 2)}

for i in range(2):
    out = f(torch.ones(1), torch.ones(1))
    print(out["sum"], out["parts"], out["same"] is out["sum"], out["shape"], out["object"].value, out["object"].note)
)"),
             QString("tensor([2.]) [tensor([1.]), (tensor([2.]), 3, None)] True torch.Size([1]) "
                     "tensor([4.]) n\n")
                 .repeated(2));
}

void TestCapture::in_place_operations_are_functionalised() {
    QCOMPARE(printed(R"(import torch

@torch.compile(fullgraph=True)
def f(x):
    y = x * 2
    z = y
    y += 1
    y.relu_()
    return y, z, y is z

print(f(torch.tensor([-3.0, 1.0])))
x = torch.zeros(2)

@torch.compile
def g(x):
    x += 1
    return x * 2

print(g(x), x, g(x), x)
)"),
             QString("(tensor([0., 3.]), tensor([0., 3.]), True)\n"
                     "tensor([2., 2.]) tensor([2., 2.]) tensor([4., 4.]) tensor([2., 2.])\n"));
}

void TestCapture::no_grad_inside_cuts_the_gradient() {
    ScriptWorld world;
    ScriptRun run = world.run(R"(import torch

@torch.compile
def f(x):
    with torch.no_grad():
        a = x * 2
    return a + x, a

out, a = f(torch.ones(2, requires_grad=True))
print(torch.is_grad_enabled())
)");
    QCOMPARE(QString::fromStdString(run.error + run.printed), QString("True\n"));
    QCOMPARE(QString::fromStdString(ir::print(*world.compiler.captured.at(0).graph)),
             QString(R"(graph captured(x: f32[2] requires_grad):
    detach: f32[2] = aten.detach.default(x)
    mul: f32[2] = aten.mul.Tensor(detach, 2)
    add: f32[2] = aten.add.Tensor(mul, x, 1)
    return (add, mul)
)"));
}

void TestCapture::values_made_during_capture_may_change() {
    ScriptWorld world;
    ScriptRun run = world.run(R"(import torch

@torch.compile(fullgraph=True)
def f(xs):
    parts = []
    sizes = {}
    for i, x in enumerate(xs):
        parts.append(x * i)
        sizes[i] = x.shape[0]
    parts.reverse()
    return torch.stack(parts) if False else parts, sizes

print(f([torch.ones(1), torch.ones(2)]))
)");
    QCOMPARE(QString::fromStdString(run.error + run.printed),
             QString("([tensor([1., 1.]), tensor([0.])], {0: 1, 1: 2})\n"));
}

void TestCapture::effects_on_outside_values_happen_on_every_call() {
    QCOMPARE(printed(R"(import torch

log = []
count = 0

class State:
    calls = 0

state = State()

@torch.compile
def f(x):
    global count
    y = x + 1
    log.append(1)
    count += 1
    state.calls = state.calls + 1
    return y

for i in range(3):
    f(torch.ones(1))
print(len(log), count, state.calls)
)"),
             QString("3 3 3\n"));
}

void TestCapture::a_function_without_tensors_works() {
    ScriptWorld world;
    ScriptRun run = world.run(R"(import torch
f = torch.compile(lambda a, b=2: (a + b, "text"))
g = torch.compile(lambda x: x)
x = torch.ones(1)
print(f(1), f(1, b=5), f("a", "b"), g(x) is x)
)");
    QCOMPARE(QString::fromStdString(run.error + run.printed),
             QString("(3, 'text') (6, 'text') ('ab', 'text') True\n"));
    QCOMPARE(world.compiler.captured.size(), size_t{0});
}

void TestCapture::closures_defaults_and_keywords_are_read_through() {
    ScriptWorld world;
    ScriptRun run = world.run(R"(import torch

def make(scale, bias):
    def inner(x, *rest, k=torch.ones(1), **more):
        return x * scale + bias + k + sum(rest) + more["z"]
    return inner

f = torch.compile(make(3, torch.ones(1)), fullgraph=True)
x = torch.ones(1)
print(f(x, 1, 2, z=x), f(x, 1, 2, z=x * 2), f(x, 1, 4, z=x))
)");
    QCOMPARE(QString::fromStdString(run.error + run.printed),
             QString("tensor([9.]) tensor([10.]) tensor([11.])\n"));
    QCOMPARE(world.compiler.captured.size(), size_t{3}); // x is z, x is not z, another constant
}

void TestCapture::compile_works_as_function_decorator_and_method() {
    ScriptWorld world;
    ScriptRun run = world.run(R"(import torch

class M(torch.nn.Module):
    def forward(self, x):
        return torch.cos(x)

@torch.compile(backend="eager", mode="max-autotune")
def f(x):
    return x + 1

m = M()
m.compile(backend="aot_eager", options={"trace.enabled": True})
x = torch.zeros(1)
print(m(x), f(x), torch.compile(m)(x), torch.compile(m.forward, dynamic=False)(x), torch.compile(f, disable=True) is f)
)");
    QCOMPARE(QString::fromStdString(run.error + run.printed),
             QString("tensor([1.]) tensor([1.]) tensor([1.]) tensor([1.]) True\n"));
    QCOMPARE(world.compiler.options.size(), size_t{4});
    QCOMPARE(QString::fromStdString(world.compiler.options[0].backend), QString("aot_eager"));
    QCOMPARE(QString::fromStdString(world.compiler.options[1].mode), QString("max-autotune"));
    QCOMPARE(QString::fromStdString(world.compiler.options[0].options["trace.enabled"]),
             QString("True"));
    QCOMPARE(run.program->compiledFunctions().size(), size_t{4});
}

QTEST_APPLESS_MAIN(TestCapture)
#include "test_capture.moc"
