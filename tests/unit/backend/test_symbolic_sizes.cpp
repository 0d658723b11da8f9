// SPDX-License-Identifier: Apache-2.0
// Functions whose sizes are symbols, compiled by every backend: results and gradients of every size
// are those of the plain function.
#include "core/backend/graph_compiler.h"
#include "core/capture/program.h"

#include <QtTest>

#include <random>

using namespace cutaway;

namespace {

/// f(*inputs) with several sizes against the compiled one: results, and gradients of all inputs.
const std::string kFrame = R"(
def leaves(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [t for part in value for t in leaves(part)]

def run(function, inputs):
    inputs = [t.detach().clone().requires_grad_(t.requires_grad) for t in inputs]
    outputs = leaves(function(*inputs))
    wanted = [o for o in outputs if o.requires_grad]
    if wanted:
        sum([(o * (torch.arange(o.numel()) / o.numel() + 0.5).view(o.shape)).sum() for o in wanted]).backward()
    return outputs + [t.grad for t in inputs if t.grad is not None]

compiled = torch.compile(f, dynamic=True)
for n in (2, 7, 33, 3, 16, 7):
    a = inputs(n)
    got, want = run(compiled, a), run(f, a)
    for x, y in zip(got, want):
        limit = 1e-5 * (1 + float(y.abs().amax()) if y.numel() else 1)
        if x.shape != y.shape or not torch.allclose(x, y, rtol=1e-4, atol=limit):
            print('size', n, 'differs:', repr(x)[:300], repr(y)[:300])
    if len(got) != len(want):
        print('size', n, 'has', len(got), 'results and gradients, expected', len(want))
)";

/// A function of x, y [n, m], row [m], column [n, 1] and w [m, m], n and m symbols.
std::string randomFunction(unsigned seed) {
    std::mt19937 random(seed);
    const char* matrices[] = {"{x}.sin()",
                              "torch.tanh({x})",
                              "torch.sigmoid({x} * 0.5)",
                              "{x} + {y}",
                              "{x} * {y}",
                              "{x} - {x}.mean(1, keepdim=True)",
                              "{x} / (1 + {x}.abs().sum(0))",
                              "torch.softmax({x}, -1)",
                              "torch.softmax({x}, 0) * {y}",
                              "{x} - {x}.amax(1, keepdim=True)",
                              "({x} @ w) * 0.3",
                              "({y} + {x}) @ ({x}.t() @ {x} / x.shape[0])",
                              "{x}.reshape(-1).view(x.shape[0], x.shape[1]) * {y}",
                              "torch.cat([{x}[1:], {x}[:1]])",
                              "torch.cat([{x}, {x}], 1)[:, :x.shape[1]]",
                              "{x}.t().contiguous().t() + row",
                              "{x} * (row + column)",
                              "{x} + {x}.mean() * x.shape[1]",
                              "torch.where({x} > {y}, {x}, column)"};
    std::string text = "def f(x, y, row, column, w):\n";
    std::vector<std::string> values = {"x", "y"};
    const size_t steps = 4 + random() % 8;
    for (size_t k = 0; k < steps; ++k) {
        std::string value = matrices[random() % std::size(matrices)];
        for (const char* name : {"{x}", "{y}"})
            for (const std::string& chosen = values[random() % values.size()];;) {
                const size_t at = value.find(name);
                if (at == std::string::npos) break;
                value.replace(at, 3, chosen);
            }
        values.push_back("v" + std::to_string(k));
        text += "    " + values.back() + " = " + value + "\n";
    }
    text += "    return " + values.back() + ", " + values[values.size() - 2] + ".sum(" +
            std::vector<std::string>{"", "0", "1"}[random() % 3] + ")\n";
    return text + "def inputs(n):\n    m = 2 * n + 1 if n % 2 else n\n"
                  "    return [torch.randn(n, m, requires_grad=True),"
                  " torch.randn(n, m, requires_grad=True), torch.randn(m, requires_grad=True),"
                  " torch.randn(n, 1, requires_grad=True), torch.randn(m, m, requires_grad=True)]\n";
}

} // namespace

class TestSymbolicSizes : public QObject {
    Q_OBJECT
private slots:
    void every_size_is_right_data();
    void every_size_is_right();
    void five_lengths_are_two_compilations();
    void random_functions_are_right_data();
    void random_functions_are_right();

private:
    struct Counting : backend::BackendCompiler {
        using BackendCompiler::BackendCompiler;
        int compilations = 0;
        base::Result<std::shared_ptr<capture::CompiledGraph>>
        compile(const capture::CapturedFunction& captured, const capture::CompileOptions& options,
                bool gradMode) override {
            ++compilations;
            return BackendCompiler::compile(captured, options, gradMode);
        }
    };
    std::string run(const std::string& text, const std::string& backend);

    pipeline::Toolchain toolchain_{""};
    int compilations_ = 0;
    QString bySize_; ///< why graphs were compiled for each combination of sizes
};

void TestSymbolicSizes::every_size_is_right_data() {
    QTest::addColumn<QString>("function");
    auto row = [](const char* name, const char* function) {
        for (const char* backend : {"inductor", "eager"})
            QTest::newRow(qPrintable(QString("%1, %2").arg(name, backend))) << QString(function);
    };
    row("pointwise", "def f(x, y):\n    return torch.tanh(x * y) + x.cos()\n"
                     "def inputs(n):\n    return [torch.randn(n, requires_grad=True),"
                     " torch.randn(n, requires_grad=True)]\n");
    row("broadcast", "def f(x, y):\n    return x * y + y\n"
                     "def inputs(n):\n    return [torch.randn(n, 5, requires_grad=True),"
                     " torch.randn(1, 5, requires_grad=True)]\n");
    row("rows", "def f(x):\n    return torch.softmax(x, -1), x.mean(1), x.var(0), x.amax(1)\n"
                "def inputs(n):\n    return [torch.randn(n, 2 * n + 1, requires_grad=True)]\n");
    row("products",
        "def f(x, w, b):\n    h = torch.relu(x @ w + b)\n    return h @ h.t(), h.sum()\n"
        "def inputs(n):\n    return [torch.randn(n, 6, requires_grad=True),"
        " torch.randn(6, n + 1, requires_grad=True),"
        " torch.randn(n + 1, requires_grad=True)]\n");
    row("attention", "def f(x, w):\n    b, t, c = x.shape\n"
                     "    q, k, v = (x @ w).split(c, dim=2)\n"
                     "    q, k, v = [a.view(b, t, 2, c // 2).transpose(1, 2) for a in (q, k, v)]\n"
                     "    y = torch.nn.functional.scaled_dot_product_attention(q, k, v)\n"
                     "    return x + y.transpose(1, 2).reshape(b, t, c)\n"
                     "def inputs(n):\n    return [torch.randn(n, n + 2, 8, requires_grad=True),"
                     " torch.randn(8, 24, requires_grad=True)]\n");
    row("views",
        "def f(x):\n    n = x.shape[0]\n"
        "    return x.t() * 2, x.reshape(-1), x.view(n, 2, 3).permute(2, 0, 1) + 1, x[1:] * n\n"
        "def inputs(n):\n    return [torch.randn(n + 1, 6, requires_grad=True)]\n");
    row("joins", "def f(x, y):\n    z = torch.cat([x, y], 1)\n    return z * z, z[:, :x.shape[1]], "
                 "torch.stack([x, x])\n"
                 "def inputs(n):\n    return [torch.randn(4, n, requires_grad=True),"
                 " torch.randn(4, 2 * n + 1, requires_grad=True)]\n");
    row("loss", "def f(x, w):\n    t = torch.arange(x.shape[0]) % 5\n"
                "    return torch.nn.functional.cross_entropy(x @ w, t)\n"
                "def inputs(n):\n    return [torch.randn(n, 6, requires_grad=True),"
                " torch.randn(6, 5, requires_grad=True)]\n");
    row("rest", "def f(x, y):\n    return x[2:] * y[2:], x[1:].amax(0), (x[2:] + 1).sum(), "
                "torch.softmax(x, 0)[1:].mean(1)\n"
                "def inputs(n):\n    return [torch.randn(n + 2, n + 3, requires_grad=True),"
                " torch.randn(n + 2, n + 3, requires_grad=True)]\n");
    row("equal until they part",
        "def f(x, y):\n    return (x.exp() @ y).relu() / (1 + x.abs().sum(1, keepdim=True))\n"
        "def inputs(n):\n    return [torch.randn(n, 7 if n == 2 else n, requires_grad=True),"
        " torch.randn(7 if n == 2 else n, 4, requires_grad=True)]\n");
    row("flattened",
        "def f(x, w):\n    y = x.reshape(-1, 6) @ w\n"
        "    z = y.t().contiguous().view(4, x.shape[0], x.shape[1])\n"
        "    return torch.tanh(z).sum(2), z.flatten(1).amax(1)\n"
        "def inputs(n):\n    return [torch.randn(n, n + 1, 6, requires_grad=True),"
        " torch.randn(6, 4, requires_grad=True)]\n");
    row("whole sums", "def f(x):\n    y = (x * x).sum()\n    return x / y, x.mean(), x.amax() * x\n"
                      "def inputs(n):\n    return [torch.randn(300, 7 * n, requires_grad=True)]\n");
    row("column sums",
        "def f(x, b):\n    y = torch.relu(x + b)\n    return y.sum(0), (y - y.mean(0)).var(0), y.argmax(1)\n"
        "def inputs(n):\n    return [torch.randn(5 * n, n, requires_grad=True),"
        " torch.randn(n, requires_grad=True)]\n");
    row("embedding", "def f(w, v):\n    i = (torch.arange(v.shape[0]) * 5) % 11\n"
                     "    return torch.nn.functional.embedding(i, w) * v\n"
                     "def inputs(n):\n    return [torch.randn(11, 6, requires_grad=True),"
                     " torch.randn(n, 6, requires_grad=True)]\n");
    row("gather", "def f(x):\n    i = torch.arange(x.shape[0]).view(-1, 1) % 3\n"
                  "    return x.gather(1, i) * 2, x.sum(1)\n"
                  "def inputs(n):\n    return [torch.randn(n, n + 2, requires_grad=True)]\n");
    row("convolution",
        "def f(x, w, b):\n    y = torch.relu(torch.nn.functional.conv2d(x, w, b, padding=1))\n"
        "    return torch.nn.functional.max_pool2d(y, 2)\n"
        "def inputs(n):\n    return [torch.randn(n, 3, 8, 8, requires_grad=True),"
        " torch.randn(4, 3, 3, 3, requires_grad=True), torch.randn(4, requires_grad=True)]\n");
    row("norm", "def f(x, w, b):\n    return torch.nn.functional.layer_norm(x, (8,), w, b) * x\n"
                "def inputs(n):\n    return [torch.randn(n, 3, 8, requires_grad=True),"
                " torch.randn(8, requires_grad=True), torch.randn(8, requires_grad=True)]\n");
}

void TestSymbolicSizes::five_lengths_are_two_compilations() {
    const std::string out = run(R"(import torch
def model(inputs):
    x = inputs["x"]
    y = inputs["y"]
    x = x.cos().cos()
    if x.mean() > 0.5:
        x = x / 1.1
    return x * y
compiled = torch.compile(model)
for n in (10, 17, 1000, 4099, 33):
    a = {k: torch.randn(n, requires_grad=True) for k in ("x", "y")}
    b = {k: v.detach().clone().requires_grad_(True) for k, v in a.items()}
    compiled(a).sum().backward()
    model(b).sum().backward()
    for k in a:
        if not torch.allclose(a[k].grad, b[k].grad, rtol=1e-5, atol=1e-6):
            print(n, k, a[k].grad, b[k].grad)
)",
                                "inductor");
    QCOMPARE(QString::fromStdString(out), QString());
    // Up to the branch and from there on; each for 10, then for every length.
    QCOMPARE(compilations_, 4);
    QCOMPARE(bySize_, QString());
}

void TestSymbolicSizes::random_functions_are_right_data() {
    QTest::addColumn<QString>("function");
    for (unsigned seed = 1; seed <= 8; ++seed)
        QTest::newRow(qPrintable(QString("seed %1, inductor").arg(seed)))
            << QString::fromStdString(randomFunction(seed));
}

void TestSymbolicSizes::random_functions_are_right() {
    QFETCH(QString, function);
    const std::string out = run("import torch\n" + function.toStdString() + kFrame, "inductor");
    QCOMPARE(QString::fromStdString(out), QString());
    QCOMPARE(compilations_, 2); // n and m are one symbol until they differ
    QCOMPARE(bySize_, QString());
}

/// What the script prints, its errors included. Leaves compilations_ and bySize_.
std::string TestSymbolicSizes::run(const std::string& text, const std::string& backend) {
    pipeline::Options compilation;
    backend::EagerRunner eager(toolchain_, compilation);
    pipeline::RecordBuilder record;
    Counting compiler(toolchain_, compilation, eager, &record);
    std::string out;
    capture::ProgramOptions options;
    options.path = "s.py";
    options.text = text;
    options.print = [&](std::string_view part) { out += part; };
    options.compileDefaults.backend = backend;
    auto program = capture::Program::load(options, eager, compiler);
    if (!program.ok()) out += program.error().str();
    compilations_ = compiler.compilations;
    bySize_.clear();
    for (const record::Function& called : record.record.functions)
        for (const record::Entry& entry : called.entries)
            for (const record::Guard& guard : entry.guards)
                if (guard.condition.starts_with("are compiled for each"))
                    bySize_ += QString::fromStdString(guard.condition) + "\n";
    return out;
}

void TestSymbolicSizes::every_size_is_right() {
    QFETCH(QString, function);
    const QString backend = QString(QTest::currentDataTag()).section(", ", -1);
    const std::string out =
        run("import torch\n" + function.toStdString() + kFrame, backend.toStdString());
    QCOMPARE(QString::fromStdString(out), QString());
    QCOMPARE(compilations_, 1);
    QCOMPARE(bySize_, QString());
}

QTEST_APPLESS_MAIN(TestSymbolicSizes)
#include "test_symbolic_sizes.moc"
