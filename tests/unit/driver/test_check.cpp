// SPDX-License-Identifier: Apache-2.0
// `check` allows for rounding, and for nothing else: results and gradients that are one percent off
// fail wherever right ones pass.
#include "core/driver/check.h"

#include <QtTest>

using namespace cutaway;

class TestCheck : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void one_percent_is_no_rounding_data();
    void one_percent_is_no_rounding();
    void sizes_that_a_backward_is_not_told_are_the_runs();
};

void TestCheck::one_percent_is_no_rounding_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("input");
    const QString usual = "torch.randn(6, 16)";
    auto row = [](const char* name, const QString& body, const QString& input) {
        QTest::newRow(name) << body << input;
    };
    row("pointwise", "torch.tanh(x) * x", usual);
    row("gelu", "F.gelu(x)", usual);
    row("gelu, also where 1 + erf cancels", "F.gelu(x)", "torch.arange(400) / 40 - 9");
    row("gelu in double precision", "F.gelu(x)",
        "(torch.arange(200, dtype=torch.float64) / 50 - 9)");
    row("1 + erf", "1 + torch.erf(x)", "torch.arange(600) / 100 - 6");
    row("a corner that rounding crosses", "((x * 1.1 + 2) - 2 - x * 1.1).abs() + x * x", usual);
    row("the absolute deviation", "(x - x.mean(1, keepdim=True)).abs() * x", usual);
    row("layer norm", "F.layer_norm(x, (16,)) * x", usual);
    row("softmax", "torch.softmax(x, 1) * x", usual);
    row("std", "x.std(1) * x[:, 0]", usual);
    row("a product", "x @ x.t()", usual);
}

void TestCheck::one_percent_is_no_rounding() {
    QFETCH(QString, body);
    QFETCH(QString, input);
    driver::SessionOptions options;
    options.path = "model.py";
    options.text =
        ("import torch\nimport torch.nn.functional as F\ntrain = True\n"
         "def model(x):\n    return " +
         body + "\ndef example_inputs(size):\n    return ((" + input + ").requires_grad_(),)\n")
            .toStdString();
    driver::Tools tools{std::string()};
    auto loaded = driver::loadProgram(tools, options, "inductor", nullptr, backend::KeepRuns::Yes);
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().str().c_str());
    auto step = driver::CaseStep::make(*loaded, "", "inductor");
    QVERIFY2(step.ok(), step.ok() ? "" : step.error().str().c_str());
    QVERIFY(step->run().ok());

    auto failing = [&](const std::vector<backend::KeptRun>& runs) {
        auto rows = driver::checkRuns(*loaded->eager, runs);
        if (!rows.ok()) return QString::fromStdString(rows.error().str());
        QStringList names;
        for (const record::Check& row : *rows)
            if (!row.passed) names << QString::fromStdString(row.what).section(' ', 1, 1);
        return names.join(", ");
    };
    const std::vector<backend::KeptRun> right = loaded->compiler->keptRuns();
    QCOMPARE(right.size(), size_t(2));
    QCOMPARE(failing(right), QString());
    for (size_t k : {size_t(0), size_t(1)}) {
        std::vector<backend::KeptRun> wrong = right;
        auto host = runtime::toHost(*wrong[k].outputs[0]);
        QVERIFY(host.ok());
        for (int64_t i = 0; i < host->numel(); ++i)
            host->set(i, host->get(i) * 1.01);
        wrong[k].outputs[0] = *runtime::fromHost(*host, {});
        QCOMPARE(failing(wrong), QString(right[k].graph == "forward" ? "output" : "grad"));
    }
}

// A backward may read nothing that has the sizes it gives: the mean's is one number, expanded.
void TestCheck::sizes_that_a_backward_is_not_told_are_the_runs() {
    driver::SessionOptions options;
    options.path = "model.py";
    options.text = "import torch\n"
                   "import torch.nn.functional as F\n"
                   "def model(x):\n    return x.sum() + 1, F.avg_pool1d(x, 3, 2)\n"
                   "compiled = torch.compile(model, dynamic=True)\n"
                   "for size in (7, 9):\n"
                   "    total, pooled = compiled(torch.randn(2, 3, size, requires_grad=True))\n"
                   "    (total + pooled.sum()).backward()\n";
    driver::Tools tools{std::string()};
    auto loaded = driver::loadProgram(tools, options, "inductor", nullptr, backend::KeepRuns::Yes);
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().str().c_str());
    auto rows = driver::checkRuns(*loaded->eager, loaded->compiler->keptRuns(), true);
    QVERIFY2(rows.ok(), rows.ok() ? "" : rows.error().str().c_str());
    int interpreted = 0;
    for (const record::Check& row : *rows) {
        QVERIFY2(row.passed, row.what.c_str());
        interpreted += row.what.find("grad of") != std::string::npos &&
                       row.what.find("interpreted") != std::string::npos;
    }
    QCOMPARE(interpreted, 2);
}

QTEST_GUILESS_MAIN(TestCheck)
#include "test_check.moc"
