// SPDX-License-Identifier: Apache-2.0
// Whatever is decided instead of the compiler, results and gradients stay right: values of the
// joint graph saved or computed again, pairs of buffers kept apart or fused, against double
// precision.
#include "core/driver/case.h"

#include <QtTest>

#include <random>

using namespace cutaway;

namespace {

constexpr size_t kTried = 5; ///< decisions of each kind a sample, chosen at random

driver::SessionOptions optionsOf(const char* sample) {
    driver::SessionOptions options;
    options.path = std::string(CUTAWAY_SOURCE_DIR "/samples/") + sample + ".py";
    options.size = "tiny";
    options.threads = 2;
    return options;
}

/// The other way round for everything that was decided.
std::vector<std::vector<std::string>> decisionsOf(const record::Record& record) {
    std::vector<std::string> values, pairs;
    for (const record::Function& function : record.functions)
        for (const record::Entry& entry : function.entries) {
            for (const record::SavedTensor& tensor : entry.partition.saved)
                if (!tensor.input) values.push_back("recompute " + tensor.name);
            for (const record::RecomputedValue& value : entry.partition.recomputed)
                values.push_back("save " + value.name);
            for (const record::LoweredGraph& lowered : entry.lowered) {
                auto name = [&](record::ItemId item) {
                    for (const record::LoopBuffer& buffer : lowered.buffers)
                        if (buffer.item == item) return lowered.graph + "/" + buffer.name;
                    return std::string();
                };
                for (const record::FusionDecision& one : lowered.decisions)
                    pairs.push_back((one.fused ? "apart " : "together ") + name(one.a) + " " +
                                    name(one.b));
            }
        }
    std::vector<std::vector<std::string>> chosen;
    std::mt19937 random(7);
    for (std::vector<std::string>* all : {&values, &pairs}) {
        std::shuffle(all->begin(), all->end(), random);
        if (all->size() > kTried) all->resize(kTried);
        for (const std::string& one : *all)
            chosen.push_back({one});
        if (all->size() > 1) chosen.push_back(*all); // and together
    }
    return chosen;
}

/// The case's first output as the compiled code gives it.
std::vector<float> firstResult(driver::Tools& tools, const driver::SessionOptions& options) {
    auto loaded = driver::loadProgram(tools, options, options.backend, nullptr);
    if (!loaded.ok()) return {};
    auto step = driver::CaseStep::make(*loaded, options.size, options.backend);
    if (!step.ok() || !step->run().ok() || step->outputs().empty()) return {};
    const runtime::Tensor& tensor = *step->outputs().front();
    const auto* values = static_cast<const float*>(tensor.data());
    return {values, values + tensor.type.numel().constant()};
}

} // namespace

class TestDecidedCases : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void results_stay_right_data() {
        QTest::addColumn<QByteArray>("sample");
        for (const char* sample : {"double_cosine", "mlp_train", "layernorm_gelu_residual",
                                   "softmax_cross_entropy", "attention_block"})
            QTest::newRow(sample) << QByteArray(sample);
    }
    void results_stay_right() {
        QFETCH(QByteArray, sample);
        driver::Tools tools{std::string()};
        driver::SessionOptions options = optionsOf(sample);
        const driver::Compiled plain = driver::compile(tools, options);
        QVERIFY(!plain.error);
        int followed = 0;
        for (const std::vector<std::string>& decisions : decisionsOf(plain.record)) {
            options.decisions = decisions;
            const driver::Compiled other = driver::compile(tools, options);
            QVERIFY2(!other.error, decisions.front().c_str());
            QCOMPARE(other.record.decisions, decisions);
            followed += other.record.messages.size() == plain.record.messages.size();
            const auto rows = driver::check(tools, options);
            QVERIFY2(rows.ok(), decisions.front().c_str());
            for (const record::Check& row : *rows)
                QVERIFY2(row.passed, (decisions.front() + ": " + row.what).c_str());
        }
        QVERIFY(followed > 0);
    }
    void a_library_call_is_computed_by_whom_was_asked_for() {
        driver::Tools tools{std::string()};
        driver::SessionOptions options = optionsOf("mlp_three_layer");
        const std::vector<float> plain = firstResult(tools, options);
        options.schedules = {"mm_addmm_relu=skinny kernels"};
        QCOMPARE(firstResult(tools, options), plain);
        options.schedules = {"mm_addmm_relu=loops", "mm_addmm_1_relu_1=loops"};
        QVERIFY(firstResult(tools, options) != plain); // sums in another order
        const auto rows = driver::check(tools, options);
        QVERIFY(rows.ok());
        for (const record::Check& row : *rows)
            QVERIFY2(row.passed, row.what.c_str());
        const driver::Compiled compiled = driver::compile(tools, options);
        const record::LoweredGraph& forward =
            compiled.record.functions.at(0).entries.at(0).lowered.at(0);
        for (const record::KernelInfo& kernel : forward.kernels) {
            int taken = 0;
            for (const record::ScheduleCandidate& candidate : kernel.candidates) {
                if (candidate.target != "cpu" || !candidate.taken) continue;
                ++taken;
                QVERIFY(candidate.predictedUs > 0);
                QCOMPARE(candidate.forced, candidate.by == "loops");
            }
            QCOMPARE(taken, 1);
        }
        options.schedules = {"mm_addmm_relu=vectors"};
        const driver::Compiled wrong = driver::compile(tools, options);
        QVERIFY(wrong.error && wrong.error->message.find("is a library call") != std::string::npos);
    }
    void a_measurement_says_what_was_decided_and_how_single_calls_went() {
        driver::Tools tools{std::string()};
        driver::SessionOptions options = optionsOf("double_cosine");
        options.decisions = {"save cos"};
        std::vector<record::Run> runs;
        driver::BenchOptions how;
        how.backends = {"inductor"};
        how.minSeconds = 0.02;
        how.profileKernels = true;
        int counted = 0;
        how.counted = [&](const driver::Counted&) { ++counted; };
        const base::Status status = driver::bench(
            tools, options, how, [&](const record::Run& run, const auto&) { runs.push_back(run); });
        QVERIFY(status.ok());
        QCOMPARE(runs.at(0).decisions, std::string("save cos"));
        QVERIFY(runs[0].samples.size() >= 5 && runs[0].samples.size() <= 400);
        QVERIFY(runs[0].savedBytes > 0);
        QCOMPARE(counted, 1);
        QVERIFY(!runs[0].kernels.empty());
        for (const record::KernelTiming& kernel : runs[0].kernels) // where nothing else is counted
            QVERIFY(std::ranges::find(kernel.counts, "page faults", &record::KernelCount::what) !=
                    kernel.counts.end());
    }
};

QTEST_APPLESS_MAIN(TestDecidedCases)
#include "test_decided_cases.moc"
