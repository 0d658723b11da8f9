// SPDX-License-Identifier: Apache-2.0
// What scripts print, against what CPython 3.11 printed for the same file (scripts/*.txt).
#include "core/base/sanitizers.h"
#include "core/capture/objects.h"
#include "tests/support/script_world.h"

#include <QDir>
#include <QtTest>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <set>
#include <thread>
#include <unistd.h>

using namespace cutaway;
using namespace cutaway::test;

class TestEvaluator : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void hashes_of_tables_are_salted();
    void scripts_print_what_python_prints_data();
    void scripts_print_what_python_prints();
    void tensors_compute_and_print();
    void modules_register_parameters_and_print_their_structure();
    void states_hold_what_is_shared_and_no_buffer_that_is_not_persistent();
    void assignments_may_have_many_targets();
    void seeds_repeat_draws();
    void an_optimizer_changes_parameters_in_place();
    void in_place_operations_change_shared_memory();
    void an_endless_loop_can_be_cancelled();
    void values_outlive_their_program();
    void towers_of_values_give_an_error_or_a_result();
    void a_long_chain_of_lists_is_freed_without_recursion();
    void cycles_are_freed();
    void what_is_in_use_survives_a_collection();
};

constexpr const char* kTellHash = "CUTAWAY_TEST_TELLS_A_HASH";

void TestEvaluator::initTestCase() {
    if (!qEnvironmentVariableIsSet(kTellHash)) return;
    printf("hash %zu\n", capture::textHash("a"));
    fflush(stdout);
    _exit(0);
}

/// Nobody can choose keys that fall into one place of a table: each process has hashes of its own,
/// which hash() does not tell.
void TestEvaluator::hashes_of_tables_are_salted() {
    std::set<QByteArray> found;
    for (int i = 0; i < 2; ++i) {
        const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
        FILE* other = popen((std::string(kTellHash) + "=1 '" + self + "'").c_str(), "r");
        QVERIFY(other);
        QByteArray out(4096, '\0');
        out.resize(static_cast<qsizetype>(fread(out.data(), 1, 4096, other)));
        pclose(other);
        QVERIFY2(out.contains("hash "), out);
        found.insert(out.mid(out.indexOf("hash ")));
    }
    QCOMPARE(found.size(), size_t{2});
    ScriptWorld world;
    const std::string printed =
        world.run("print(hash('a'), 'a'.__hash__(), hash(('a',)))", "script.py").printed;
    const QStringList told = QString::fromStdString(printed).trimmed().split(' ');
    QCOMPARE(told.size(), 3);
    QCOMPARE(told[0], told[1]);
    QVERIFY(told[0] != QString::number(static_cast<int64_t>(capture::textHash("a")) >> 1));
}

void TestEvaluator::scripts_print_what_python_prints_data() {
    QTest::addColumn<QString>("path");
    QDir dir(CUTAWAY_SOURCE_DIR "/tests/unit/capture/scripts");
    QStringList names = dir.entryList({"*.py"}, QDir::Files, QDir::Name);
    QVERIFY(names.size() >= 6);
    for (const QString& name : names)
        QTest::newRow(qPrintable(name)) << dir.filePath(name);
}

void TestEvaluator::scripts_print_what_python_prints() {
    QFETCH(QString, path);
    ScriptWorld world;
    ScriptRun run = world.run(readText(path.toStdString()), "script.py");
    QCOMPARE(QString::fromStdString(run.error), QString());
    QString expected = QString::fromStdString(
        readText(path.toStdString().substr(0, static_cast<size_t>(path.size() - 3)) + ".txt"));
    QStringList want = expected.split('\n'),
                found = QString::fromStdString(run.printed).split('\n');
    for (qsizetype i = 0; i < std::min(want.size(), found.size()); ++i)
        QCOMPARE(found[i], want[i]);
    QCOMPARE(found.size(), want.size());
}

void TestEvaluator::tensors_compute_and_print() {
    ScriptWorld world;
    ScriptRun run = world.run(R"(
import torch
x = torch.tensor([[1.0, 2.0], [3.0, 4.5]])
print(x + 1, x.shape, x.size(0), x.dim(), x.numel(), x.dtype, x.T.shape)
print(2 - x, 1 / x, -x, x @ x, x > 2, x.sum(), x.mean().item(), (x * 2).tolist())
print(torch.arange(3), torch.zeros(2, 3).shape, torch.ones((2,), dtype=torch.int64), torch.full((2,), 7.0))
print(x[0], x[0, 1].item(), x[None].shape, x[..., 0], len(x), [r.sum().item() for r in x])
print(x.view(4), x.reshape(-1).shape, x.permute(1, 0).shape, x.double().dtype, x.to(torch.int64), x.float() is x)
print(torch.relu(torch.tensor([-1.0, 2.0])), torch.softmax(torch.zeros(2), dim=0), torch.is_tensor(x), isinstance(x, torch.Tensor))
print(torch.allclose(x, x + 1e-9), torch.equal(x, x + 1), x.requires_grad, torch.tensor(3), torch.tensor(True))
print(f"{x.sum():.2f}", float(x.sum()), int(x.sum()), bool(x.sum() > 3), torch.tensor([1e-5, 1.0]))
)");
    QCOMPARE(QString::fromStdString(run.error), QString());
    QStringList lines = QString::fromStdString(run.printed).split('\n');
    QCOMPARE(lines[0], QString("tensor([[2.0000, 3.0000],"));
    QCOMPARE(lines[1], QString("        [4.0000, 5.5000]]) torch.Size([2, 2]) 2 2 4 torch.float32 "
                               "torch.Size([2, 2])"));
    QVERIFY(
        run.printed.find("tensor([0, 1, 2]) torch.Size([2, 3]) tensor([1, 1]) tensor([7., 7.])") !=
        std::string::npos);
    QVERIFY(run.printed.find(
                "tensor([1., 2.]) 2.0 torch.Size([1, 2, 2]) tensor([1., 3.]) 2 [3.0, 7.5]") !=
            std::string::npos);
    QVERIFY(run.printed.find("tensor([0., 2.]) tensor([0.5000, 0.5000]) True True") !=
            std::string::npos);
    QVERIFY(run.printed.find("True False False tensor(3) tensor(True)") != std::string::npos);
    QVERIFY(run.printed.find("10.50 10.5 10 True tensor([1.0000e-05, 1.0000e+00])") !=
            std::string::npos);
}

void TestEvaluator::states_hold_what_is_shared_and_no_buffer_that_is_not_persistent() {
    ScriptWorld world;
    ScriptRun run = world.run(R"(
import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2, bias=False)
        self.b = nn.Linear(2, 2)
        self.b.weight = self.a.weight
        self.register_buffer("kept", torch.ones(1))
        self.register_buffer("left", torch.ones(1), persistent=False)

net, other = Net(), Net()
print(list(net.state_dict()), len(list(net.parameters())), [n for n, b in net.named_buffers()])
other.load_state_dict(net.state_dict())
print(other.a.weight is other.b.weight, torch.equal(other.b.weight, net.a.weight))
)");
    QCOMPARE(QString::fromStdString(run.error), QString());
    QCOMPARE(QString::fromStdString(run.printed),
             QString("['kept', 'a.weight', 'b.weight', 'b.bias'] 2 ['kept', 'left']\nTrue True\n"));
}

void TestEvaluator::assignments_may_have_many_targets() {
    std::string targets;
    for (int i = 0; i < 70000; ++i)
        targets += fmt::format("a{}, ", i);
    for (const char* place : {"", "def f():\n    "}) {
        ScriptWorld world;
        ScriptRun run =
            world.run(fmt::format("{}{} = range(70000)\n{}", place, targets,
                                  *place ? "    return a69999\nprint(f())\n" : "print(a69999)\n"));
        QCOMPARE(QString::fromStdString(run.error), QString());
        QCOMPARE(QString::fromStdString(run.printed), QString("69999\n"));
    }
    ScriptWorld world;
    const std::string error = world.run("*b, " + targets + " = range(70000)\n").error;
    QVERIFY2(error.find("targets around a starred one, at most") != std::string::npos,
             error.c_str());
}

void TestEvaluator::modules_register_parameters_and_print_their_structure() {
    ScriptWorld world;
    ScriptRun run = world.run(R"(
import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2, bias=False))
        self.norm = nn.LayerNorm(2)
        self.scale = nn.Parameter(torch.ones(1))
        self.register_buffer("steps", torch.zeros(1))
        self.blocks = nn.ModuleList([nn.Identity() for i in range(2)])

    def forward(self, x):
        return self.norm(self.layers(x)) * self.scale

net = Net()
print(net)
print([(n, tuple(p.shape)) for n, p in net.named_parameters()])
print([n for n, b in net.named_buffers()], net.training, net.eval().training, net.norm.training, len(net.blocks))
print(net(torch.randn(3, 4)).shape, net.layers[0].weight.requires_grad, isinstance(net.scale, nn.Parameter))
bound = 1 / 4 ** 0.5
print(all(abs(v) <= bound for row in net.layers[0].weight.tolist() for v in row), net.layers[0].weight.std().item() > 0.1)
)");
    QCOMPARE(QString::fromStdString(run.error), QString());
    QCOMPARE(QString::fromStdString(run.printed), QString(R"(Net(
  (layers): Sequential(
    (0): Linear(in_features=4, out_features=8, bias=True)
    (1): ReLU()
    (2): Linear(in_features=8, out_features=2, bias=False)
  )
  (norm): LayerNorm((2,), eps=1e-05, elementwise_affine=True, bias=True)
  (blocks): ModuleList(
    (0-1): 2 x Identity()
  )
)
[('scale', (1,)), ('layers.0.weight', (8, 4)), ('layers.0.bias', (8,)), ('layers.2.weight', (2, 8)), ('norm.weight', (2,)), ('norm.bias', (2,))]
['steps'] True False False 2
torch.Size([3, 2]) True True
True True
)"));
}

void TestEvaluator::seeds_repeat_draws() {
    ScriptWorld world;
    ScriptRun run = world.run(R"(
import torch
torch.manual_seed(3)
a = torch.randn(5)
torch.manual_seed(3)
b = torch.randn(5)
c = torch.randn(5)
i = torch.randint(0, 4, (100,))
print(torch.equal(a, b), torch.equal(b, c), min(i.tolist()) >= 0, max(i.tolist()) < 4)
)");
    QCOMPARE(QString::fromStdString(run.error + run.printed), QString("True False True True\n"));
}

void TestEvaluator::an_optimizer_changes_parameters_in_place() {
    ScriptWorld world;
    ScriptRun run = world.run(R"(
import torch
p = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
p.grad = torch.tensor([0.5, 1.0])
for optimizer in [torch.optim.SGD([p], lr=0.1), torch.optim.Adam([p], lr=0.1)]:
    optimizer.step()
    print([round(v, 4) for v in p.tolist()])
optimizer.zero_grad()
print(p.grad, p.requires_grad)
)");
    QCOMPARE(QString::fromStdString(run.error + run.printed),
             QString("[0.95, 1.9]\n[0.85, 1.8]\nNone True\n"));
}

void TestEvaluator::in_place_operations_change_shared_memory() {
    ScriptWorld world;
    ScriptRun run = world.run(R"(
import torch
x = torch.zeros(3)
y = x
x += 1
x.mul_(3)
y[1] = 9
print(y.tolist(), x.zero_().tolist(), torch.tensor([-1.0]).relu_().tolist())
a = torch.ones(2, requires_grad=True)
b = a * 2
b += 1
c = b.view(2)
b += 1
print(b.tolist(), c.tolist())
c = None
b += 1
print(b.tolist())
)");
    QCOMPARE(QString::fromStdString(run.error + run.printed),
             QString("[3.0, 9.0, 3.0] [0.0, 0.0, 0.0] [0.0]\n[4.0, 4.0] [4.0, 4.0]\n"
                     "[5.0, 5.0]\n"));
}

void TestEvaluator::an_endless_loop_can_be_cancelled() {
    ScriptWorld world;
    base::CancelToken token;
    std::thread canceller([token] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        token.cancel();
    });
    ScriptRun run =
        world.run("while True:\n    try:\n        x = 1\n    except Exception:\n        pass\n",
                  "script.py", token);
    canceller.join();
    QVERIFY(run.error.find("cancelled") != std::string::npos);
}

void TestEvaluator::values_outlive_their_program() {
    ScriptWorld world;
    capture::ValuePtr kept;
    {
        ScriptRun run = world.run("import torch\nx = [torch.ones(2)]\nx.append(x)\n");
        QCOMPARE(QString::fromStdString(run.error), QString());
        kept = run.program->global("x");
        QCOMPARE(capture::flattenTensors(kept).size() > 0, true);
    }
    QCOMPARE(capture::flattenTensors(kept).size(), size_t{0});
}

void TestEvaluator::a_long_chain_of_lists_is_freed_without_recursion() {
    ScriptWorld world;
    ScriptRun run =
        world.run("x = []\nfor i in range(200000):\n    x = [x]\nx = None\nprint('freed')\n");
    QCOMPARE(QString::fromStdString(run.error + run.printed), QString("freed\n"));
}

void TestEvaluator::towers_of_values_give_an_error_or_a_result() {
    const std::string tower =
        "x = ()\ny = ()\nfor i in range(100000):\n    x = (x,)\n    y = (y,)\n";
    for (const char* use :
         {"print(x == y)", "print(len({x: 1}))", "print(x < y)", "s = repr(x)",
          "import torch\ntorch.zeros(x)", "isinstance(1, x)", "import torch\ntorch.tensor(x)"}) {
        ScriptWorld world;
        ScriptRun run = world.run(tower + use + "\nx = y = None\n");
        if (!run.error.empty()) QVERIFY(run.error.find("nested") != std::string::npos);
    }
}

/// Objects of every kind that can hold another, tied into cycles with a tensor of 64 KiB, twenty
/// thousand times: 1.2 GiB of tensors and 300 MiB of objects, were they kept.
void TestEvaluator::cycles_are_freed() {
    ScriptWorld world;
    world.memoryLimit = size_t{64} << 20;
    ScriptRun run = world.run(R"(
import torch
class Node:
    pass
def tie(x):
    a = Node()
    a.self = a
    l = [a, x]
    l.append(l)
    d = {'list': l}
    d['dict'] = d
    def f(n):
        return f(n) if n else (x, a)
    a.f = f
    a.method = a.f
    def g():
        yield gen
        yield x
    gen = g()
    next(gen)
    class Local:
        value = x
        def me(self):
            return super().__init__
    Local.instance = Local()
    s = slice(l, d, a)
    l.append(s)
    t = (l, d)
    l.append(t)
    it = iter(l)
    l.append(it)
    l.append(map(f, l))
    p = property(f)
    Local.p = p
    Local.q = staticmethod(f)
    l.append(Local().me())
for i in range(20000):
    tie(torch.zeros(16384))
)");
    QCOMPARE(QString::fromStdString(run.error), QString());
    if (base::kSanitized) QSKIP("a sanitizer keeps freed memory for a while");
    std::ifstream statm("/proc/self/statm");
    size_t pages = 0, resident = 0;
    statm >> pages >> resident;
    QVERIFY2(resident * 4096 < size_t{600} << 20,
             qPrintable(QString("%1 MiB").arg(resident * 4096 >> 20)));
}

void TestEvaluator::what_is_in_use_survives_a_collection() {
    ScriptWorld world;
    world.memoryLimit = size_t{64} << 20;
    ScriptRun run = world.run(R"(
import torch
class Node:
    def __init__(self, name):
        self.name = name
        self.me = self
    def walk(self):
        for i in range(3):
            yield self.name + str(i)
def churn():
    for i in range(20000):
        l = []
        l.append(l)
        l.append('x' * 5000)
def outer():
    n = Node('n')
    def inner():
        churn()
        return n.me.name
    return inner
class Keeper:
    def __enter__(self):
        self.kept = Node('with')
        return self.kept
    def __exit__(self, *a):
        churn()
w = Node('w').walk()
print(next(w))
churn()
print(next(w), outer()(), [churn() or k for k in {'a': Node('a')}])
with Keeper() as k:
    churn()
    print(k.me.name)
try:
    try:
        raise ValueError(Node('e'))
    finally:
        churn()
except ValueError as e:
    churn()
    print(e.args[0].me.name)
print(sorted([Node('z'), Node('y')], key=lambda n: churn() or n.me.name)[0].name, next(w))
t = torch.ones(2)
l = [t]
l.append(l)
churn()
print(l[1][1][0].sum().item())
)");
    QCOMPARE(QString::fromStdString(run.error), QString());
    QCOMPARE(QString::fromStdString(run.printed), QString("w0\nw1 n ['a']\nwith\ne\ny w2\n2.0\n"));
}

QTEST_APPLESS_MAIN(TestEvaluator)
#include "test_evaluator.moc"
