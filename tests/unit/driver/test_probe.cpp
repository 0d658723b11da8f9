// SPDX-License-Identifier: Apache-2.0
// The probe finds the first value that a kernel gets wrong, and nothing where all are right.
#include "core/driver/probe_runs.h"

#include <QtTest>
#include <nlohmann/json.hpp>
#include <numeric>

using namespace cutaway;
using driver::ProbedValue;

namespace {

/// Runs the real kernels, and makes one value that they store one percent larger.
class Wrong : public runtime::Executable {
public:
    Wrong(std::shared_ptr<const runtime::Executable> real, std::string name)
        : real_(std::move(real)), name_(std::move(name)) {}
    base::Result<std::vector<runtime::TensorPtr>> run(std::span<const runtime::TensorPtr> inputs,
                                                      std::span<const int64_t> symbols) override {
        CUTAWAY_TRY(std::vector<runtime::TensorPtr> results, again_->run(inputs, symbols));
        for (size_t i = 0; i < results.size(); ++i) {
            if (names_[i] != name_) continue;
            CUTAWAY_TRY(ir::HostTensor host, runtime::toHost(*results[i]));
            for (int64_t k = 0; k < host.numel(); ++k)
                host.set(k, host.get(k) * 1.01);
            CUTAWAY_TRY(results[i], runtime::fromHost(host, {}));
        }
        return results;
    }
    base::Result<std::vector<runtime::TensorPtr>>
    profile(std::span<const runtime::TensorPtr> inputs, std::vector<runtime::KernelTime>&,
            std::span<const int64_t> symbols) override {
        return run(inputs, symbols);
    }
    base::Result<std::shared_ptr<runtime::Executable>>
    replanned(std::shared_ptr<const kernel::KernelProgram> program,
              memory::MemoryPlan plan) const override {
        auto wrong = std::make_shared<Wrong>(real_, name_);
        for (const kernel::StridedView& view : program->loops.outputs)
            wrong->names_.push_back(view.buffer.valid() ? program->loops.buffer(view.buffer).name
                                                        : std::string());
        CUTAWAY_TRY(wrong->again_, real_->replanned(program, std::move(plan)));
        return std::shared_ptr<runtime::Executable>(std::move(wrong));
    }
    int launches() const override { return real_->launches(); }
    int64_t arenaBytes() const override { return real_->arenaBytes(); }

private:
    std::shared_ptr<const runtime::Executable> real_;
    std::shared_ptr<runtime::Executable> again_;
    std::vector<std::string> names_; ///< of the outputs' buffers
    std::string name_;
};

driver::SessionOptions script(const QString& body, const QString& inputs, bool train) {
    driver::SessionOptions options;
    options.path = "model.py";
    options.text = (QString("import torch\nimport torch.nn.functional as F\ntrain = %1\n"
                            "def model(x, w):\n    return %2\n"
                            "def example_inputs(size):\n    return (%3)\n")
                        .arg(train ? "True" : "False", body, inputs))
                       .toStdString();
    return options;
}

/// A program that ran once, with everything kept.
struct Kept {
    driver::Tools tools{std::string()};
    pipeline::RecordBuilder builder;
    base::Result<driver::LoadedProgram> loaded;

    explicit Kept(const driver::SessionOptions& options)
        : loaded(
              driver::loadProgram(tools, options, "inductor", &builder, backend::KeepRuns::Yes)) {
        auto step = driver::CaseStep::make(*loaded, "", "inductor");
        if (!step.ok() || !step->run().ok()) qFatal("the case does not run");
    }
    base::Result<driver::Probe> probe(const std::vector<backend::KeptRun>& runs) {
        return driver::probeRuns(*loaded->eager, builder.record, runs);
    }
};

const char* kInputs = "torch.randn(6, 16).requires_grad_(), torch.randn(16, 16).requires_grad_()";

} // namespace

class TestProbe : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void right_programs_have_no_first_data();
    void right_programs_have_no_first();
    void the_first_wrong_value_is_found();
    void where_values_come_from();
    void what_is_not_finite_is_counted();
    void the_first_element_that_is_not_finite_is_named();
    void random_numbers_are_the_same_for_all();
    void numbers_as_json();
};

void TestProbe::right_programs_have_no_first_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<bool>("trains");
    auto row = [](const char* name, const QString& body, bool trains = true) {
        QTest::newRow(name) << body << trains;
    };
    row("pointwise", "torch.tanh(x @ w) * 2 + x");
    row("softmax", "torch.softmax(x @ w, 1)");
    row("layer norm", "F.layer_norm(x @ w, (16,)) * x");
    row("gelu and a sum", "F.gelu(x @ w).sum(1)");
    row("losses", "F.cross_entropy(x @ w, torch.arange(6))");
    row("sorting, two results", "torch.sort(x @ w, 1)[0] * x");
    row("a variance and a mean", "torch.var_mean(x * 3, 1)[0] + (x @ w).sum(1)");
    row("attention", "F.scaled_dot_product_attention(x.view(1, 2, 3, 16), "
                     "(x @ w).view(1, 2, 3, 16), x.view(1, 2, 3, 16))");
    row("an index", "(x @ w)[torch.tensor([1, 2, 2])] * 2");
    row("complex numbers", "torch.view_as_real(torch.fft.fft(x @ w)).sum(2)");
    row("complex results", "torch.complex(x, x) * torch.complex(x @ w, x)", false);
    row("a convolution", "F.conv1d(x.view(1, 6, 16), w.view(16, 2, 8).narrow(1, 0, 1)"
                         ".expand(16, 6, 8)).relu()");
}

void TestProbe::right_programs_have_no_first() {
    QFETCH(QString, body);
    QFETCH(bool, trains);
    for (const bool train : {false, true}) {
        driver::Tools tools{std::string()};
        auto probe = driver::probe(tools, script(body, kInputs, train));
        QVERIFY2(probe.ok(), probe.ok() ? "" : probe.error().str().c_str());
        QVERIFY2(probe->first < 0, probe->first < 0 ? "" : driver::probeText(*probe).c_str());
        QVERIFY2(probe->problems.empty(),
                 probe->problems.empty() ? "" : probe->problems[0].c_str());
        QSet<QString> graphs;
        for (const ProbedValue& value : probe->values) {
            graphs.insert(QString::fromStdString(value.graph));
            QVERIFY(value.eager.has_value());
            QVERIFY2(!value.eager->beyond, value.key.c_str());
            QVERIFY(value.elements > 0);
            QCOMPARE(std::accumulate(value.histogram.begin(), value.histogram.end(), int64_t(0)),
                     value.elements - value.notFinite);
        }
        QCOMPARE(graphs.contains("backward"), train && trains);
        QVERIFY(graphs.contains("forward") && graphs.contains("captured"));
    }
}

void TestProbe::the_first_wrong_value_is_found() {
    Kept kept(script("torch.tanh(x @ w) @ w + torch.sin(x)", kInputs, true));
    const std::vector<backend::KeptRun> right = kept.loaded->compiler->keptRuns();
    QCOMPARE(right.size(), size_t(2));
    auto clean = kept.probe(right);
    QVERIFY(clean.ok() && clean->first < 0);
    int tried = 0;
    for (size_t run = 0; run < right.size(); ++run)
        for (const kernel::Kernel& kernel : right[run].program->kernels)
            for (kernel::BufferId id : kernel.writes) {
                const std::string name = right[run].program->loops.buffer(id).name;
                const ir::Graph& graph = *right[run].compiled;
                const auto is = [&](ir::NodeId node) { return graph.node(node).name == name; };
                if (std::ranges::none_of(graph.order(), is)) continue; // an operand laid out anew
                std::vector<backend::KeptRun> wrong = right;
                wrong[run].executable = std::make_shared<Wrong>(right[run].executable, name);
                auto probe = kept.probe(wrong);
                QVERIFY(probe.ok());
                QVERIFY2(probe->first >= 0, name.c_str());
                const ProbedValue& first = probe->values[static_cast<size_t>(probe->first)];
                QCOMPARE(first.graph, right[run].graph);
                QCOMPARE(first.name, name);
                QVERIFY(first.compiled.relative > 0.001 && first.compiled.relative < 0.1);
                QVERIFY(!first.eager->beyond);
                ++tried;
            }
    QVERIFY(tried >= 4);
}

void TestProbe::where_values_come_from() {
    driver::Tools tools{std::string()};
    auto probe =
        driver::probe(tools, script("torch.tanh(x * 2).sum(1) + w[:6, 0]", kInputs, false));
    QVERIFY(probe.ok());
    QHash<QString, ProbedValue> values;
    for (const ProbedValue& value : probe->values)
        values.insert(QString::fromStdString(value.graph + "/" + value.op), value);
    using Origin = ProbedValue::Origin;
    QVERIFY(values["forward/add.Tensor"].origin == Origin::Stored);
    QVERIFY(values["forward/tanh"].origin == Origin::Computed);
    QVERIFY(values["forward/"].origin == Origin::Input);
    const ProbedValue& captured = values["captured/tanh"];
    QCOMPARE(captured.counterpart, values["forward/tanh"].name);
    QCOMPARE(captured.key, "model.0/captured/" + captured.name);
    QVERIFY(captured.least >= -1 && captured.most <= 1 && captured.least < captured.most);
}

void TestProbe::what_is_not_finite_is_counted() {
    driver::Tools tools{std::string()};
    auto probe = driver::probe(tools, script("torch.log(x - x) + w.sum()", kInputs, false));
    QVERIFY(probe.ok());
    QCOMPARE(probe->first, -1); // in double precision, too
    int64_t most = 0;
    for (const ProbedValue& value : probe->values) {
        most = std::max(most, value.notFinite);
        QCOMPARE(value.firstNotFinite, value.notFinite ? std::string("[0, 0] is -inf") : "");
    }
    QCOMPARE(most, int64_t(6 * 16));
}

void TestProbe::the_first_element_that_is_not_finite_is_named() {
    driver::Tools tools{std::string()};
    auto probe = driver::probe(
        tools, script("x / (torch.arange(96).reshape(6, 16) != 37).float() * 0", kInputs, false));
    QVERIFY(probe.ok());
    QStringList named;
    for (const ProbedValue& value : probe->values)
        if (value.op.find("mul") != std::string::npos)
            named << QString::fromStdString(value.firstNotFinite);
    QVERIFY(!named.isEmpty());
    for (const QString& one : named)
        QCOMPARE(one, QString("[2, 5] is nan"));
}

void TestProbe::random_numbers_are_the_same_for_all() {
    driver::Tools tools{std::string()};
    auto probe = driver::probe(tools, script("F.dropout(x, 0.5) + w.sum()", kInputs, false));
    QVERIFY2(probe.ok(), probe.ok() ? "" : probe.error().str().c_str());
    QCOMPARE(probe->first, -1); // they are drawn before the graph, which takes them as an input
}

void TestProbe::numbers_as_json() {
    driver::Probe probe;
    ProbedValue value;
    value.key = "model.0/forward/log";
    value.origin = ProbedValue::Origin::Stored;
    value.compiled = {INFINITY, INFINITY, true};
    value.least = NAN;
    probe.values = {value};
    probe.first = 0;
    const nlohmann::json row = driver::probeJson(probe)["values"][0];
    QCOMPARE(row["compiled"]["absolute"], "inf");
    QCOMPARE(row["min"], "nan");
    QVERIFY(!row.contains("eager"));
    QVERIFY(driver::probeText(probe).find("first beyond rounding") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestProbe)
#include "test_probe.moc"
