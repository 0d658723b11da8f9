// SPDX-License-Identifier: Apache-2.0
// Python numbers of eager calls: a value that changes costs no new kernel and changes no result.
#include "core/runtime/cuda.h"
#include "tests/support/compiled_scripts.h"

#include <QtTest>

using namespace cutaway;

class TestEagerNumbers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void changing_numbers_keep_their_kernels_data();
    void changing_numbers_keep_their_kernels();
    void gradients_follow_the_numbers();
    void errors_follow_the_numbers();
    void numbers_lie_where_their_kernel_runs();

private:
    struct Told {
        QString text;
        int64_t compiled = 0;
    };
    Told run(const std::string& text) {
        const QString said = QString::fromStdString(
            scripts_.run("import torch\nimport torch.nn.functional as F\n" + text));
        return {said, scripts_.compiled};
    }

    test::CompiledScripts scripts_;
};

void TestEagerNumbers::changing_numbers_keep_their_kernels_data() {
    QTest::addColumn<QString>(
        "call"); // of x float32, y the same on the tape, i int64, m bool, z a 0-dim float32; s a float
    for (const char* call : {"x + s",
                             "s - x",
                             "x * s",
                             "x / s",
                             "s / x",
                             "x // s",
                             "x % s",
                             "x.abs() ** s",
                             "torch.add(x, x, alpha=s)",
                             "torch.sub(x, x, alpha=s)",
                             "x.clamp(-s, s)",
                             "x < s",
                             "torch.where(m, x, s)",
                             "torch.where(m, s, 0.0)",
                             "x.masked_fill(m, s)",
                             "i + s",
                             "i * int(s)",
                             "i // int(s + 1)",
                             "z + s",
                             "torch.full((3,), s)",
                             "torch.full_like(x, s)",
                             "F.elu(x, s)",
                             "torch.addcmul(x, x, x, value=s)",
                             "torch.lerp(x, x * 2, s / 40)",
                             "F.pad(x, (1, 1), value=s)",
                             "x.index_fill(1, torch.tensor([0]), s)",
                             "x.clone().mul_(s).add_(x, alpha=s)",
                             "F.hardtanh(x, -s, s)",
                             "F.leaky_relu(x, s)",
                             "F.softplus(x, s, 9.0)",
                             "F.celu(x, s)",
                             "F.hardshrink(x, s)",
                             "F.softshrink(x, s)",
                             "torch.autograd.grad(F.elu(y, s).sum(), y)[0]",
                             "torch.autograd.grad(F.celu(y, s).sum(), y)[0]",
                             "torch.autograd.grad(F.hardtanh(y, -s, s).sum(), y)[0]",
                             "torch.autograd.grad(F.leaky_relu(y, s).sum(), y)[0]",
                             "torch.autograd.grad(F.softplus(y, s, 9.0).sum(), y)[0]",
                             "torch.autograd.grad(F.hardshrink(y, s).sum(), y)[0]",
                             "torch.autograd.grad(F.softshrink(y, s).sum(), y)[0]"})
        QTest::newRow(call) << call;
}

void TestEagerNumbers::changing_numbers_keep_their_kernels() {
    QFETCH(QString, call);
    auto script = [&](int count) {
        return "torch.manual_seed(0)\nx = torch.randn(3, 4)\nm = x > 0\nz = torch.tensor(1.5)\n"
               "i = torch.arange(6).reshape(2, 3)\ny = x.clone().requires_grad_()\n"
               "for n in range(" +
               std::to_string(count) + "):\n    s = 0.3 + n * 1.25\n    a = " + call.toStdString() +
               "\n";
    };
    const Told few = run(script(3)), many = run(script(9));
    QVERIFY2(few.text.isEmpty(), qPrintable(few.text));
    QCOMPARE(many.compiled, few.compiled);
    // Against the last value alone, which is a constant of its kernel then.
    std::string both = script(9) + "print(a.dtype, a.tolist())\n";
    std::string alone = script(0) + "s = 0.3 + 8 * 1.25\na = " + call.toStdString() +
                        "\nprint(a.dtype, a.tolist())\n";
    QCOMPARE(run(both).text, run(alone).text);
}

void TestEagerNumbers::gradients_follow_the_numbers() {
    const Told told = run(R"(
def slope(f, s, twice):
    a = torch.tensor([0.5, 1.5], requires_grad=True)
    g, = torch.autograd.grad(f(a, s).sum(), a, create_graph=twice)
    return [round(v, 3) for v in g.tolist()]
for twice in (False, True):
    for s in (2.0, 3.0, 4.0):
        print(slope(lambda a, s: a * s, s, twice), slope(lambda a, s: a ** s, s, twice),
              slope(lambda a, s: torch.add(a, a, alpha=s), s, twice), slope(lambda a, s: s / a, s, twice),
              slope(lambda a, s: torch.lerp(a, a * a, s / 10), s, twice))
)");
    // By hand: s; s a^(s-1); 1 + s; -s / a^2; 1 - w + 2 a w.
    QString once;
    for (double s : {2.0, 3.0, 4.0}) {
        auto pair = [&](auto f) {
            auto number = [](double v) {
                QString text = QString::number(std::round(v * 1000) / 1000);
                return text.contains('.') ? text : text + ".0";
            };
            return "[" + number(f(0.5)) + ", " + number(f(1.5)) + "]";
        };
        once += pair([&](double) { return s; }) + " " +
                pair([&](double a) { return s * std::pow(a, s - 1); }) + " " +
                pair([&](double) { return 1 + s; }) + " " +
                pair([&](double a) { return -s / (a * a); }) + " " +
                pair([&](double a) { return 1 - s / 10 + 2 * a * s / 10; }) + "\n";
    }
    QCOMPARE(told.text, once + once);
}

/// What is wrong with one value is said although others went through.
void TestEagerNumbers::errors_follow_the_numbers() {
    const Told told = run(
        "for s in (1, 2, 3, 300):\n"
        "    try:\n        a = torch.full((2,), s, dtype=torch.uint8)\n        print(a.tolist())\n"
        "    except RuntimeError as e:\n        print('RuntimeError')\n"
        "i = torch.tensor([4])\n"
        "for s in (1, 2, 3, 0):\n"
        "    try:\n        print((i // s).tolist())\n"
        "    except RuntimeError as e:\n        print('RuntimeError')\n"
        "for s in (1, 2, 3, 0.5):\n"
        "    try:\n        print(torch.add(i, i, alpha=s).tolist())\n"
        "    except RuntimeError as e:\n        print('RuntimeError')\n");
    QCOMPARE(
        told.text,
        QString(
            "[1, 1]\n[2, 2]\n[3, 3]\nRuntimeError\n[4]\n[2]\n[1]\nRuntimeError\n[8]\n[12]\n[16]\n"
            "RuntimeError\n"));
}

void TestEagerNumbers::numbers_lie_where_their_kernel_runs() {
    if (auto device = runtime::cudaDevice(0); !device.ok()) QSKIP(device.error().message.c_str());
    const Told told =
        run("for s in (1.0, 2.0, 3.0):\n"
            "    a = torch.full((3,), s, device='cuda')\n"
            "    b = torch.linspace(s, s + 1, 3, device='cuda')\n"
            "    print(a.sum().item(), b.sum().item(), torch.where(a > s, s, 0.0).sum().item())\n");
    QCOMPARE(told.text, QString("3.0 4.5 0.0\n6.0 7.5 0.0\n9.0 10.5 0.0\n"));
}

QTEST_APPLESS_MAIN(TestEagerNumbers)
#include "test_eager_numbers.moc"
