// SPDX-License-Identifier: Apache-2.0
// Random functions whose sizes are symbols: results and gradients of every size are those of the
// plain function.
#include "symbolic_programs.h"

#include <QtTest>

#include <random>

using namespace cutaway;

namespace {

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
    return text +
           "def inputs(n):\n    m = 2 * n + 1 if n % 2 else n\n"
           "    return [torch.randn(n, m, requires_grad=True),"
           " torch.randn(n, m, requires_grad=True), torch.randn(m, requires_grad=True),"
           " torch.randn(n, 1, requires_grad=True), torch.randn(m, m, requires_grad=True)]\n";
}

} // namespace

class TestRandomSizes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void random_functions_are_right_data();
    void random_functions_are_right();

private:
    SymbolicPrograms programs_;
};

void TestRandomSizes::random_functions_are_right_data() {
    QTest::addColumn<QString>("function");
    for (unsigned seed = 1; seed <= 8; ++seed)
        QTest::newRow(qPrintable(QString("seed %1, inductor").arg(seed)))
            << QString::fromStdString(randomFunction(seed));
}

void TestRandomSizes::random_functions_are_right() {
    QFETCH(QString, function);
    const std::string out =
        programs_.run("import torch\n" + function.toStdString() + kEverySize, "inductor");
    QCOMPARE(QString::fromStdString(out), QString());
    QCOMPARE(programs_.compilations, 2); // n and m are one symbol until they differ
    QCOMPARE(programs_.bySize, QString());
}

QTEST_APPLESS_MAIN(TestRandomSizes)
#include "test_random_sizes.moc"
