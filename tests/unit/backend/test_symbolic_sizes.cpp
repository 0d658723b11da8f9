// SPDX-License-Identifier: Apache-2.0
// Functions whose sizes are symbols, compiled by every backend: results and gradients of every size
// are those of the plain function.
#include "symbolic_programs.h"

#include <QtTest>

using namespace cutaway;

class TestSymbolicSizes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_size_is_right_data();
    void every_size_is_right();
    void five_lengths_are_two_compilations();

private:
    SymbolicPrograms programs_;
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
    row("first dimension of three",
        "def f(x, y):\n    return torch.ops.aten.cross(x, y, None)\n"
        "def inputs(n):\n    return [torch.randn(n + 4, 3, requires_grad=True),"
        " torch.randn(n + 4, 3, requires_grad=True)]\n");
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
    row("flattened", "def f(x, w):\n    y = x.reshape(-1, 6) @ w\n"
                     "    z = y.t().contiguous().view(4, x.shape[0], x.shape[1])\n"
                     "    return torch.tanh(z).sum(2), z.flatten(1).amax(1)\n"
                     "def inputs(n):\n    return [torch.randn(n, n + 1, 6, requires_grad=True),"
                     " torch.randn(6, 4, requires_grad=True)]\n");
    row("whole sums", "def f(x):\n    y = (x * x).sum()\n    return x / y, x.mean(), x.amax() * x\n"
                      "def inputs(n):\n    return [torch.randn(300, 7 * n, requires_grad=True)]\n");
    row("column sums", "def f(x, b):\n    y = torch.relu(x + b)\n    return y.sum(0), (y - "
                       "y.mean(0)).var(0), y.argmax(1)\n"
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
    const std::string out = programs_.run(R"(import torch
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
    QCOMPARE(programs_.compilations, 4);
    QCOMPARE(programs_.bySize, QString());
}

void TestSymbolicSizes::every_size_is_right() {
    QFETCH(QString, function);
    const QString backend = QString(QTest::currentDataTag()).section(", ", -1);
    const std::string out = programs_.run("import torch\n" + function.toStdString() + kEverySize,
                                          backend.toStdString());
    QCOMPARE(QString::fromStdString(out), QString());
    QCOMPARE(programs_.compilations, 1);
    QCOMPARE(programs_.bySize, QString());
}

QTEST_APPLESS_MAIN(TestSymbolicSizes)
#include "test_symbolic_sizes.moc"
