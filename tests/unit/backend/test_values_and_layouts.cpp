// SPDX-License-Identifier: Apache-2.0
// Values, dtypes, gradients, aliases and strides of scripts, eager and compiled: as PyTorch's.
#include "core/backend/graph_compiler.h"
#include "core/capture/program.h"

#include <QtTest>

using namespace cutaway;

class TestValuesAndLayouts : public QObject {
    Q_OBJECT
private slots:
    void small_integers_and_bools_keep_their_dtypes_data();
    void small_integers_and_bools_keep_their_dtypes();
    void tensors_are_found_in_containers();
    void integers_that_do_not_fit_overflow();
    void ranks_beyond_index_variables_are_refused();

private:
    /// What a script printed, then its message if it failed.
    QString printed(const std::string& text);

    pipeline::Toolchain toolchain_{""};
};

QString TestValuesAndLayouts::printed(const std::string& text) {
    pipeline::Options compilation;
    backend::EagerRunner eager(toolchain_, compilation);
    backend::BackendCompiler compiler(toolchain_, compilation, eager, nullptr);
    std::string out;
    capture::ProgramOptions options;
    options.path = "s.py";
    options.text = "import torch\n" + text;
    options.print = [&](std::string_view part) { out += part; };
    options.compileDefaults.backend = "inductor";
    auto program = capture::Program::load(options, eager, compiler);
    if (!program.ok()) out += program.error().str();
    return QString::fromStdString(out);
}

void TestValuesAndLayouts::small_integers_and_bools_keep_their_dtypes_data() {
    QTest::addColumn<QString>("result");
    auto row = [](const char* expression, const char* result) {
        QTest::newRow(expression) << QString(result);
    };
    row("torch.amax(u, 1)", "tensor([  3, 200], dtype=torch.uint8)");
    row("torch.amin(u, 0)", "tensor([1, 0, 3], dtype=torch.uint8)");
    row("torch.max(u)", "tensor(200, dtype=torch.uint8)");
    row("torch.min(u + 7)", "tensor(7, dtype=torch.uint8)");
    row("torch.any(u)", "tensor(1, dtype=torch.uint8)");
    row("torch.all(u)", "tensor(0, dtype=torch.uint8)");
    row("torch.all(u, 1)", "tensor([0, 1], dtype=torch.uint8)");
    row("torch.any(u[:0])", "tensor(0, dtype=torch.uint8)");
    row("torch.all(u[:0])", "tensor(1, dtype=torch.uint8)");
    row("torch.any(u > 100, 1)", "tensor([False,  True])");
    row("torch.square(u > 3)", "tensor([[0, 0, 0],\n        [1, 1, 1]])");
    row("torch.square(u)", "tensor([[ 1,  0,  9],\n        [16, 64, 36]], dtype=torch.uint8)");
    row("torch.zeros_like(u).scatter_add(0, torch.tensor([[0, 1, 0], [0, 1, 0]]), u + 100)",
        "tensor([[205,   0, 209],\n        [  0, 144,   0]], dtype=torch.uint8)");
    row("torch.zeros(2, 3).int().scatter_add(0, torch.tensor([[0, 1, 0], [0, 1, 0]]), u.int())",
        "tensor([[  5,   0,   9],\n        [  0, 200,   0]], dtype=torch.int32)");
    row("torch.zeros(2, 3).bool().scatter_add(0, torch.tensor([[0, 1, 0], [0, 1, 0]]), u > 1)",
        "tensor([[ True, False,  True],\n        [False,  True, False]])");
}

void TestValuesAndLayouts::small_integers_and_bools_keep_their_dtypes() {
    QFETCH(QString, result);
    QString out = printed(std::string(R"(
def f(u):
    return )") + QTest::currentDataTag() +
                          R"(
u = torch.tensor([[1, 0, 3], [4, 200, 6]]).to(torch.uint8)
print(f(u))
print(torch.compile(f)(u))
)");
    QCOMPARE(out, result + "\n" + result + "\n");
}

void TestValuesAndLayouts::tensors_are_found_in_containers() {
    QCOMPARE(printed(R"(
t = torch.tensor([1, 2, 3])
one, two = torch.tensor(1), torch.tensor(2)
print(3 in t, 5 in t, 2.0 in t, two in t, 5 not in t)
print(t in [t], two in [one, two], one in [3, 1], 3 in (torch.tensor(3),), None in [one])
print([one, two].index(two), [one, two].count(2), [one] == [1])
try:
    print("a" in t)
except RuntimeError as e:
    print(e)
)"),
             QString("True False True True True\n"
                     "True True True True False\n"
                     "1 1 True\n"
                     "'in' a tensor looks for a number or a tensor, found str\n"));
}

void TestValuesAndLayouts::integers_that_do_not_fit_overflow() {
    QCOMPARE(printed(R"(
def attempt(f):
    try:
        print(f())
    except OverflowError as e:
        print("overflow")
attempt(lambda: 2 ** 64)
attempt(lambda: 4 ** 32)
attempt(lambda: 2 ** 10 ** 9)
attempt(lambda: (-2) ** 64)
attempt(lambda: 3 ** 40)
attempt(lambda: len(range(-2 ** 62, 2 ** 62)))
attempt(lambda: (-2) ** 63 + 2 ** 62)
attempt(lambda: (-1) ** (2 ** 62 + 1) + 0 ** 2 ** 62 + 1 ** 2 ** 62)
attempt(lambda: len(range(1 - 2 ** 62, 2 ** 62)))
attempt(lambda: (2 ** 62 - 1 in range(1 - 2 ** 62, 2 ** 62), -9 in range(-1, -10, -4)))
)"),
             QString("overflow\n").repeated(6) +
                 "-4611686018427387904\n0\n9223372036854775807\n(True, True)\n");
}

void TestValuesAndLayouts::ranks_beyond_index_variables_are_refused() {
    QCOMPARE(printed(R"(
print((torch.zeros(1).reshape((1,) * 65535) + 1).dim())
try:
    torch.zeros(1).reshape((1,) * 65536)
except RuntimeError as e:
    print(e)
)"),
             QString("65535\na tensor of 65536 dimensions\n"));
}

QTEST_GUILESS_MAIN(TestValuesAndLayouts)
#include "test_values_and_layouts.moc"
