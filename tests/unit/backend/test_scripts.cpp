// SPDX-License-Identifier: Apache-2.0
// What scripts print with real operations, compiled graphs and gradients: as PyTorch does.
#include "tests/support/compiled_scripts.h"

#include <QtTest>

#include <chrono>
#include <thread>

using namespace cutaway;

class TestScripts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void detached_tensors_require_no_gradient();
    void a_detached_tensor_is_a_leaf_that_shares_memory();
    void a_compiled_function_returns_detached_tensors();
    void a_retained_graph_runs_back_again();
    void a_second_way_back_needs_what_was_saved();
    void a_saved_tensor_that_changed_in_place_is_refused();
    void in_place_changes_of_what_no_gradient_needs_are_fine();
    void results_saved_for_backward_and_changed_in_place_are_refused();
    void elements_that_share_memory_are_not_written();
    void an_input_that_overlaps_what_is_written_is_refused();
    void equal_elements_do_not_vary_and_a_perfect_row_loses_nothing();
    void compiled_functions_that_nobody_can_call_are_let_go();
    void embedding_takes_the_indices_first();
    void operations_refuse_values_out_of_range_data();
    void operations_refuse_values_out_of_range();
    void an_index_given_to_a_compiled_function_is_looked_at_in_every_call();
    void values_within_range_pass();
    void sizes_beyond_64_bits_are_out_of_memory_data();
    void sizes_beyond_64_bits_are_out_of_memory();
    void a_sum_over_more_than_anybody_waits_for_is_refused_or_cancelled();

private:
    /// What a script printed, then its message if it failed.
    QString printed(const std::string& text, const std::string& backendName = "inductor",
                    const base::CancelToken& cancel = {}) {
        return QString::fromStdString(scripts_.run("import torch\n" + text, backendName, cancel));
    }

    test::CompiledScripts scripts_;
};

void TestScripts::detached_tensors_require_no_gradient() {
    QCOMPARE(printed(R"(
x = torch.arange(3.).requires_grad_()
d = x.detach()
print(x.requires_grad, d.requires_grad, d.is_leaf, torch.zeros_like(x).requires_grad)
own = d.clone().requires_grad_()
(own * own).sum().backward()
print(x.grad, own.grad)
)"),
             QString("True False True False\nNone tensor([0., 2., 4.])\n"));
}

void TestScripts::a_detached_tensor_is_a_leaf_that_shares_memory() {
    QCOMPARE(printed(R"(
x = torch.arange(3.).requires_grad_()
y = x.data
y[0] = 9.
x.detach()[1] = 7.
d = x.detach().requires_grad_()
(d * x).sum().backward()
print(x.detach(), x.grad, d.grad)
)"),
             QString("tensor([9., 7., 2.]) tensor([9., 7., 2.]) tensor([9., 7., 2.])\n"));
}

void TestScripts::a_compiled_function_returns_detached_tensors() {
    for (const char* name : {"inductor", "aot_eager", "eager"})
        QCOMPARE(printed(R"(
@torch.compile
def f(x):
    return x * 2, x.detach(), x.detach() * 3, (x * 2).detach(), torch.zeros_like(x)

@torch.compile
def g(x):
    return x.detach()

@torch.compile
def no(x):
    with torch.no_grad():
        y = x * 2
    return y

x = torch.ones(2, requires_grad=True)
print([o.requires_grad for o in f(x)], g(x).requires_grad, no(x).requires_grad)
)",
                         name),
                 QString("[True, False, False, False, False] False False\n"));
}

void TestScripts::a_retained_graph_runs_back_again() {
    const std::string body = R"(
def f(x, w):
    h = torch.tanh(x @ w)
    return (h * h).sum()

for g in [f, torch.compile(f)]:
    x = torch.full((2, 2), 0.5)
    w = torch.full((2, 2), 0.25, requires_grad=True)
    y = g(x, w)
    y.backward(retain_graph=True)
    once = w.grad.clone()
    y.backward()
    print(torch.equal(w.grad, once * 2), once[0, 0].item() > 0)
    try:
        y.backward()
    except RuntimeError as e:
        print(str(e)[:50])
)";
    const QString twice = "True True\nTrying to backward through the graph a second time\n";
    for (const char* name : {"inductor", "aot_eager", "eager"})
        QCOMPARE(printed(body, name), twice.repeated(2));
}

// As PyTorch's eager mode, eagerly and captured.
void TestScripts::a_second_way_back_needs_what_was_saved() {
    const std::string body = R"(
def outcome(back):
    w = torch.full((3,), 0.5, requires_grad=True)
    def f(x):
        try:
            back(w, x)
            return w.grad
        except RuntimeError as e:
            return str(e)[:50]
    eagerly = f(torch.ones(3))
    w.grad = None
    compiled = torch.compile(f)(torch.ones(3))
    print(eagerly, torch.is_tensor(compiled) and torch.equal(eagerly, compiled) or eagerly == compiled)

def loss_twice(w, x):
    loss = (w * w * x).sum()
    loss.backward()
    loss.backward()
def grad_twice(w, x):
    y = w.exp().sum()
    w.grad = torch.autograd.grad(y, w)[0] + torch.autograd.grad(y, w)[0]
def shared(w, x):
    y = w.exp()
    y.sum().backward()
    (y * 2).sum().backward()
def retained(w, x):
    y = w.exp()
    y.sum().backward(retain_graph=True)
    (y * 2).sum().backward()
def nothing_saved(w, x):
    y = (w + x).view(3, 1).expand(3, 2).sum()
    y.backward()
    (y * 2).backward()
def behind_what_saves_nothing(w, x):
    y = w + 1
    (y * y).sum().backward()
    (y * 2).sum().backward()
def apart(w, x):
    (w * w).sum().backward()
    (w * w).sum().backward()
for back in (loss_twice, grad_twice, shared, retained, nothing_saved, behind_what_saves_nothing, apart):
    outcome(back)
)";
    const QString refused = "Trying to backward through the graph a second time True\n";
    QCOMPARE(printed(body), refused.repeated(3) + "tensor([4.9462, 4.9462, 4.9462]) True\n"
                                                  "tensor([6., 6., 6.]) True\n"
                                                  "tensor([5., 5., 5.]) True\n"
                                                  "tensor([2., 2., 2.]) True\n");
}

void TestScripts::embedding_takes_the_indices_first() {
    const std::string body = R"(
import torch.nn.functional as F

w = torch.arange(6.).reshape(3, 2).requires_grad_()
i = torch.tensor([2, 0, 2])

def f(i, w):
    return F.embedding(i, w, padding_idx=-3)

for g in [f, torch.compile(f)]:
    w.grad = None
    y = g(i, w)
    y.sum().backward()
    print(y.tolist(), w.grad.tolist())
print(F.embedding(i, w).tolist() == torch.ops.aten.embedding(w, i).tolist())
)";
    const QString both =
        "[[4.0, 5.0], [0.0, 1.0], [4.0, 5.0]] [[0.0, 0.0], [0.0, 0.0], [2.0, 2.0]]\n";
    QCOMPARE(printed(body), both.repeated(2) + "True\n");
    QVERIFY(
        printed("import torch.nn.functional as F\n"
                "F.embedding(torch.ones(3, 2), torch.tensor([[1, 0]]))\n")
            .startsWith("s.py:3:1: error: Expected tensor for argument #1 'indices' to have one of "
                        "the following scalar types: Long, Int; but got torch.FloatTensor"));
}

void TestScripts::sizes_beyond_64_bits_are_out_of_memory_data() {
    QTest::addColumn<QString>("expression");
    for (const char* expression :
         {"torch.ones(1 << 62, dtype=torch.float64)", "torch.zeros(1 << 32, 1 << 30) + 1",
          "torch.zeros(1 << 32, 1 << 32)", "torch.zeros(1 << 31, 1 << 31, 1 << 31)",
          "torch.arange(1 << 62)", "torch.rand(2, 1 << 32, 1 << 32)",
          "torch.zeros(0, 1 << 40, 1 << 40)", "x.expand(1 << 62, 3) * 2",
          "x.expand(1 << 60, 3) * 2", "x[0].expand(1 << 61).var()", "x.expand(1 << 40, 3).tolist()",
          "torch.full((1 << 62,), 1)", "torch.zeros_like(x.expand(1 << 61, 3))",
          "torch.cat([x[0].expand(1 << 62), x[0].expand(1 << 62)])",
          "x[0].expand(1 << 59, 1) @ x[0].expand(1, 1 << 59)"})
        QTest::newRow(expression) << expression;
}

void TestScripts::sizes_beyond_64_bits_are_out_of_memory() {
    QFETCH(QString, expression);
    const std::string text = expression.toStdString();
    for (const std::string& body :
         {"x = torch.zeros(3)\ny = " + text + "\n",
          "@torch.compile\ndef f(x):\n    return " + text + "\n\nf(torch.zeros(3))\n"}) {
        QString out = printed(body);
        QVERIFY2(out.startsWith("s.py:") && out.contains(": error: out of memory on cpu: "),
                 qPrintable(out));
    }
}

void TestScripts::a_saved_tensor_that_changed_in_place_is_refused() {
    for (const char* change : {"x.add_(1.)", "x[0] = 5.", "x.fill_(2.)", "x.view(3)[1:].mul_(2.)"})
        for (const char* name : {"inductor", "aot_eager", "eager"})
            QCOMPARE(printed(std::string(R"(
def f(x, w):
    return (torch.sin(x) * w).sum()

for g in [f, torch.compile(f)]:
    x = torch.arange(3.)
    w = torch.ones(3, requires_grad=True)
    x.requires_grad_()
    y = g(x, w)
    with torch.no_grad():
        )") + change + R"(
    try:
        y.backward()
    except RuntimeError as e:
        print(str(e)[:94])
)",
                             name),
                     QString("one of the variables needed for gradient computation has been "
                             "modified by an inplace operation\n")
                         .repeated(2));
    QVERIFY(
        printed("x = torch.ones(2)\nw = torch.ones(2, requires_grad=True)\n"
                "y = (x * w).sum()\nx += 1\ny.backward()\n")
            .contains("s.py:6:1: error: one of the variables needed for gradient computation "
                      "has been modified by an inplace operation: [torch.FloatTensor [2]] is at "
                      "version 1; expected version 0 instead. Hint: enable anomaly detection to "
                      "find the operation that failed to compute its gradient, with "
                      "torch.autograd.set_detect_anomaly(True, check_nan=False).\n"));
}

void TestScripts::results_saved_for_backward_and_changed_in_place_are_refused() {
    // By PyTorch's rule, although the tape here still has the old values.
    QCOMPARE(printed(R"(
def attempt(f, *sizes):
    x = torch.full((3,), 0.5, requires_grad=True)
    try:
        f(x).backward()
        print(x.grad.tolist())
    except RuntimeError as e:
        print("inplace operation" in str(e))

def saved_result(x):
    y = x.exp()
    y += 1
    return y.sum()
def saved_input(x):
    y = x * 2
    z = y * y
    y.mul_(3)
    return z.sum()
def saved_by_another(x):
    y = torch.ones(3)
    z = y * x
    y += x
    return (y + z).sum()
def not_needed(x):
    y = x * 2
    y += 1
    y *= 3
    return y.sum()
def of_itself(x):
    y = x * 2
    y *= x
    return y.sum()
for f in [saved_result, saved_input, saved_by_another, not_needed, of_itself]:
    attempt(f)
)"),
             QString("True\nTrue\nTrue\n[6.0, 6.0, 6.0]\n[2.0, 2.0, 2.0]\n"));
}

void TestScripts::elements_that_share_memory_are_not_written() {
    QCOMPARE(printed(R"(
def refused(f):
    try:
        f(torch.ones(1).expand(3))
        return False
    except RuntimeError as e:
        return "single memory location" in str(e)

def assigned(x):
    x[:] = torch.arange(3.)
def part(x):
    x[1].add_(1)
def number(x):
    x[0:2] = 5
compiled = torch.compile(lambda x: x.expand(3).add_(1))
print([refused(f) for f in [lambda x: x.add_(1), lambda x: x.copy_(torch.ones(3)), lambda x: x.relu_(),
                            lambda x: x.uniform_(), assigned]])
print([refused(f) for f in [lambda x: x.zero_(), lambda x: x.fill_(2), part, number,
                            lambda x: x[:1].add_(1), lambda x: x.expand(0, 3).add_(1)]])
try:
    compiled(torch.ones(1))
except RuntimeError as e:
    print("single memory location" in str(e))
)"),
             QString("[True, True, True, True, True]\n[False, False, False, False, False, False]\n"
                     "True\n"));
}

void TestScripts::equal_elements_do_not_vary_and_a_perfect_row_loses_nothing() {
    QCOMPARE(printed(R"(
rows = torch.full((4, 7), 0.1) + torch.arange(4.).unsqueeze(1) * 1.7
def all_zero(f):
    eager, compiled = f(rows), torch.compile(f)(rows)
    return [float(eager.abs().sum()), float(compiled.abs().sum())]
print(all_zero(lambda x: x.std(1)), all_zero(lambda x: x.t().var(0)), all_zero(lambda x: x[1].std()),
      all_zero(lambda x: x[:, :1].expand(4, 3).std(1, False)))
def loss(x):
    return torch.nn.functional.cross_entropy(x, torch.tensor([0]))
perfect = torch.tensor([[100., 0.]])
print(loss(perfect), torch.compile(loss)(perfect))
print(torch.zeros(3, 0).std(1).shape)
)"),
             QString("[0.0, 0.0] [0.0, 0.0] [0.0, 0.0] [0.0, 0.0]\ntensor(0.) tensor(0.)\n"
                     "torch.Size([3])\n"));
}

void TestScripts::an_input_that_overlaps_what_is_written_is_refused() {
    QCOMPARE(
        printed(R"(
def refused(f):
    answers = []
    for g in [f, torch.compile(f)]:
        try:
            g(torch.arange(6.))
            answers.append(False)
        except RuntimeError as e:
            answers.append("some elements of the input tensor and the written-to" in str(e))
    return answers[0] if answers[0] == answers[1] else answers

def shifted_item(x):
    x[1:] = x[:-1]
def shifted_item_added(x):
    x[1:] += x[:-1]
def one_item(x):
    x[:] = x[1]
def itself(x):
    x += x
def same_window(x):
    x[1:3] *= x[1:3]
print([refused(f) for f in [lambda x: x[1:].copy_(x[:-1]), lambda x: x[1:].add_(x[:-1]),
                            lambda x: x[:4].view(2, 2).add_(x[:4].view(2, 2).t()),
                            lambda x: x.div_(x[0]), lambda x: x.view(2, 3).add_(x[:3]),
                            shifted_item, shifted_item_added]])
print([refused(f) for f in [lambda x: x[:3].copy_(x[3:]), lambda x: x[1:].div_(x[0]), itself, same_window,
                            lambda x: x.mul_(x.view(2, 3).view(6)), lambda x: x.fill_(x[1]), one_item,
                            lambda x: x[:0].add_(x[:0]), lambda x: x.expand(1, 6).add_(1),
                            lambda x: x[:1].expand(4).zero_(), lambda x: x[:1].expand(4).fill_(2)]])
)"),
        QString("[True, True, True, True, True, True, True]\n"
                "[False, False, False, False, False, False, False, False, False, False, False]\n"));
}

void TestScripts::a_sum_over_more_than_anybody_waits_for_is_refused_or_cancelled() {
    const QString refused = printed("torch.ones(1).expand(10 ** 9, 10 ** 9).sum()\n");
    QVERIFY2(refused.contains("elements, at most"), qPrintable(refused));
    base::CancelToken cancel;
    std::thread soon([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        cancel.cancel();
    });
    QElapsedTimer clock;
    clock.start();
    const QString cancelled = printed(
        "try:\n    torch.ones(1).expand(2 ** 19, 2 ** 20).sum()\nexcept BaseException:\n    pass\n"
        "print('went on')\n",
        "inductor", cancel);
    soon.join();
    QVERIFY2(cancelled.contains("cancelled"), qPrintable(cancelled));
    QVERIFY(!cancelled.contains("went on"));
    QVERIFY2(clock.elapsed() < 5000, qPrintable(QString::number(clock.elapsed())));
    // Long, but not too long: on a thread of its own, and right.
    QCOMPARE(
        printed("print(torch.ones(1, dtype=torch.uint8).expand(2 ** 15, 2 ** 16).any().item())"),
        QString("1\n"));
}

void TestScripts::compiled_functions_that_nobody_can_call_are_let_go() {
    pipeline::Toolchain toolchain("");
    pipeline::Options compilation;
    backend::EagerRunner eager(toolchain, compilation);
    backend::BackendCompiler compiler(toolchain, compilation, eager, nullptr);
    capture::ProgramOptions options;
    options.path = "s.py";
    options.text = "import torch\nkept = [torch.compile(lambda x: x) for i in range(10)]\n"
                   "for i in range(5000):\n    torch.compile(lambda x: x + i)\n";
    auto program = capture::Program::load(options, eager, compiler);
    QVERIFY(program.ok());
    QVERIFY((*program)->compiledFunctions().size() >= 10);
    QVERIFY((*program)->compiledFunctions().size() < 200);
}

void TestScripts::in_place_changes_of_what_no_gradient_needs_are_fine() {
    QCOMPARE(printed(R"(
def f(x, w):
    return (x + w).sum() + (x * 2).sum()

for g in [f, torch.compile(f)]:
    x = torch.zeros(2, requires_grad=True)
    w = torch.ones(2, requires_grad=True)
    y = g(x, w)
    with torch.no_grad():
        x += 1
        w.zero_()
    y.backward()
    print(x.grad, w.grad)

model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
step = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(3):
    step.zero_grad()
    model(torch.ones(4, 2)).sum().backward()
    step.step()
print("trained")
)"),
             QString("tensor([3., 3.]) tensor([1., 1.])\n").repeated(2) + "trained\n");
}

void TestScripts::operations_refuse_values_out_of_range_data() {
    QTest::addColumn<QString>("message");
    auto row = [](const char* expression, const char* message) {
        QTest::newRow(expression) << QString(message);
    };
    row("x.gather(1, torch.tensor([[0], [7], [-1]]))",
        "gather: index 7 is out of bounds for dimension 1 with size 2");
    row("x.gather(-1, torch.tensor([[0], [-1]]))",
        "gather: index -1 is out of bounds for dimension 1 with size 2");
    row("x.scatter(1, torch.tensor([[0], [7]]), 1.)",
        "scatter: index 7 is out of bounds for dimension 1 with size 2");
    row("x.scatter_add(0, torch.tensor([[-1, 0]]), x[:1])",
        "scatter_add: index -1 is out of bounds for dimension 0 with size 3");
    row("x[torch.tensor([-4])]", "index: index -4 is out of bounds for dimension 0 with size 3");
    row("x[:, torch.tensor([0, 2])]",
        "index: index 2 is out of bounds for dimension 1 with size 2");
    row("x.index_put_((torch.tensor([3]),), torch.tensor(1.))",
        "index_put: index 3 is out of bounds for dimension 0 with size 3");
    row("torch.index_select(x, 0, torch.tensor([-1]))",
        "index_select: index -1 is out of bounds for dimension 0 with size 3");
    row("F.embedding(torch.tensor([3]), x)",
        "embedding: index 3 is out of bounds for dimension 0 with size 3");
    row("F.cross_entropy(x, torch.tensor([0, 1, 2]))",
        "nll_loss_forward: target 2 is out of bounds for dimension 1 with size 2");
    row("F.nll_loss(x, torch.tensor([0, 1, -1]))",
        "nll_loss_forward: target -1 is out of bounds for dimension 1 with size 2");
    const char* floor = "floor_divide: integer division by zero (ZeroDivisionError)";
    const char* remainder = "remainder: integer division by zero (ZeroDivisionError)";
    row("torch.tensor([1]) // 0", floor);
    row("torch.tensor([1, 2]) // torch.tensor([1, 0])", floor);
    row("torch.tensor([1]) % 0", remainder);
    row("torch.tensor([1]) % torch.tensor([0])", remainder);
    row("torch.div(torch.tensor([1]), torch.tensor([0]), rounding_mode='trunc')",
        "div: integer division by zero (ZeroDivisionError)");
    row("torch.arange(35, dtype=torch.uint8) % torch.arange(34, -1, -1, dtype=torch.uint8)",
        remainder);
    // Values that a view holds more of than it shows, that nobody chooses, or of a number.
    row("torch.arange(9.)[:4].gather(0, torch.tensor([6]))",
        "gather: index 6 is out of bounds for dimension 0 with size 4");
    row("torch.where(torch.tensor([True, False]), torch.tensor([4, 4]) // torch.tensor([1, 0]), 0)",
        floor);
    row("torch.ones(3, 1).expand(3, 2).gather(1, torch.tensor([[0, 2]]))",
        "gather: index 2 is out of bounds for dimension 1 with size 2");
    row("torch.tensor(5.).gather(0, torch.tensor(1))",
        "gather: index 1 is out of bounds for dimension 0 with size 1");
    row("torch.tensor(5.).scatter_add(0, torch.tensor(2), torch.tensor(1.))",
        "scatter_add: index 2 is out of bounds for dimension 0 with size 1");
    row("F.embedding(torch.arange(4), x)",
        "embedding: index 3 is out of bounds for dimension 0 with size 3");
    row("x[:0].gather(0, torch.tensor([[0, 0]]))",
        "gather: every index is out of bounds for dimension 0 with size 0");
}

void TestScripts::operations_refuse_values_out_of_range() {
    QFETCH(QString, message);
    const std::string imports = "import torch.nn.functional as F\n";
    const std::string expression = QTest::currentDataTag();
    QString out = printed(imports + "x = torch.ones(3, 2)\n" + expression + "\n");
    QVERIFY2(out.startsWith("s.py:4:") && out.contains(": error: " + message), qPrintable(out));
    // A compiled function tells the same, at the same line, and works again afterwards.
    for (const char* name : {"inductor", "aot_eager"}) {
        out = printed(imports + "def f(x, wrong):\n    if wrong:\n        return " + expression +
                          "\n    return x * 2\ng = torch.compile(f)\n"
                          "try:\n    g(torch.ones(3, 2), True)\n"
                          "except (RuntimeError, IndexError) as e:\n"
                          "    print(e)\nprint(g(torch.ones(1), False))\n"
                          "g(torch.ones(3, 2), True)\n",
                      name);
        QVERIFY2(out.startsWith(message + "\ntensor([2.])\ns.py:5:"), qPrintable(out));
    }
}

void TestScripts::an_index_given_to_a_compiled_function_is_looked_at_in_every_call() {
    // Rows of many lengths: the lanes behind a row's end hold no index of anybody's.
    const std::string body = R"(
import torch.nn.functional as F

def f(x, i, w, t):
    picked = x.gather(1, i)
    rows = F.embedding(i[:, 0], w)
    return (picked * 2).sum() + rows.sum() + F.cross_entropy(x, t, ignore_index=-7)

def g(a, b):
    return a // b + a % b

for n in [1, 3, 7, 16, 21]:
    x = (torch.arange(4.0 * n) / n).reshape(4, n).requires_grad_()
    w = torch.ones(n, 5, requires_grad=True)
    i = torch.arange(4 * n).reshape(4, n) % n
    t = torch.tensor([-7, 0, n - 1, -7])
    compiled = torch.compile(f)
    difference = compiled(x, i, w, t) - f(x, i, w, t)
    compiled(x, i, w, t).backward()
    bad, target = i.clone(), t.clone()
    bad[3, n - 1] = n
    target[1] = -1
    a, b, zero = torch.arange(n) + 1, torch.ones(n, dtype=torch.int64), torch.ones(n, dtype=torch.int64)
    zero[n - 1] = 0
    said = []
    for call in [lambda: compiled(x, bad, w, t), lambda: compiled(x, i, w, target),
                 lambda: torch.compile(g)(a, zero), lambda: compiled(x, i, w, t),
                 lambda: torch.compile(g)(a, b)]:
        try:
            call()
            said.append("fine")
        except (RuntimeError, IndexError) as e:
            said.append(" ".join(str(e).split()[:3]))
    print(abs(difference.item()) < 1e-4, said)
)";
    QStringList lines = printed(body).trimmed().split('\n');
    QVERIFY2(lines.size() == 5, qPrintable(lines.join('\n')));
    const int sizes[] = {1, 3, 7, 16, 21};
    for (int k = 0; k < 5; ++k)
        QCOMPARE(lines[k], QString("True ['gather: index %1', 'nll_loss_forward: target -1', "
                                   "'floor_divide: integer division', 'fine', 'fine']")
                               .arg(sizes[k]));
}

void TestScripts::values_within_range_pass() {
    QCOMPARE(printed(R"(
import torch.nn.functional as F
x = torch.ones(3, 2)
print(x.gather(1, torch.tensor([[0], [1]])).shape, F.nll_loss(x, torch.tensor([0, 1, -100])))
print(F.cross_entropy(x[0], torch.tensor(1)), x.gather(0, torch.zeros(0, 2, dtype=torch.int64)).shape)
print(torch.tensor([1.]) // 0, torch.tensor([5]) % 3, torch.tensor([1]) / 0)
print((torch.zeros(0, dtype=torch.int64) // torch.tensor(0)).shape)
)"),
             QString("torch.Size([2, 1]) tensor(-1.)\n"
                     "tensor(0.6931) torch.Size([0, 2])\n"
                     "tensor([inf]) tensor([2]) tensor([inf])\n"
                     "torch.Size([0])\n"));
}

QTEST_GUILESS_MAIN(TestScripts)
#include "test_scripts.moc"
