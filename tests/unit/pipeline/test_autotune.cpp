// SPDX-License-Identifier: Apache-2.0
// max-autotune: every candidate of a kernel is timed, and the fastest is what runs.
#include "core/pipeline/compile.h"
#include "core/runtime/tensor.h"
#include "core/schedule/verify.h"
#include "tests/support/interpret.h"
#include "tests/support/random_graph.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;
using namespace cutaway::pipeline;

class TestAutotune : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void the_fastest_candidate_is_taken() {
        const record::Entry entry = entryOf(layerNormGeluResidual(64, 512));
        int timed = 0;
        for (const record::LoweredGraph& lowered : entry.lowered)
            for (const record::KernelInfo& kernel : lowered.kernels) {
                double least = 0, taken = 0;
                bool busy = false; // other programs had the processors: predictions stand
                for (const record::ScheduleCandidate& candidate : kernel.candidates) {
                    if (candidate.target != "cpu" || !candidate.refused.empty()) continue;
                    const double us = candidate.measuredUs;
                    if (us > 0) least = least > 0 ? std::min(least, us) : us;
                    if (!candidate.taken) continue;
                    taken = us;
                    busy = candidate.reasons.back().starts_with("not taken by time");
                    QVERIFY(busy || candidate.reasons.back().starts_with("measured "));
                }
                QCOMPARE(least > 0, !busy);
                QVERIFY(busy || (taken > 0 && !schedule::isWorthChanging(least, taken)));
                ++timed;
            }
        QVERIFY(timed > 0);
        QVERIFY(std::ranges::any_of(entry.times, [](const record::StageTime& time) {
            return time.stage == "forward: autotune";
        }));
    }

    void nothing_is_timed_unless_it_was_asked_for() {
        for (const record::LoweredGraph& lowered :
             entryOf(layerNormGeluResidual(64, 512), {}).lowered)
            for (const record::KernelInfo& kernel : lowered.kernels)
                for (const record::ScheduleCandidate& candidate : kernel.candidates)
                    QCOMPARE(candidate.measuredUs, 0.0);
    }

    void what_was_asked_for_stays() {
        Options options = tuned();
        options.wishes = std::make_shared<Wishes>();
        options.wishes->schedules.push_back({"*", "2"});
        for (const record::LoweredGraph& lowered :
             entryOf(layerNormGeluResidual(64, 512), options).lowered)
            for (const record::KernelInfo& kernel : lowered.kernels) {
                QVERIFY(kernel.candidates[1].taken && kernel.candidates[1].forced);
                QCOMPARE(kernel.candidates[1].measuredUs, 0.0);
            }
    }

    /// Classes 0 are in bounds.
    void indices_are_made_up_in_bounds() {
        const record::Entry entry = entryOf(softmaxCrossEntropy(64, 128));
        for (const record::KernelInfo& kernel : entry.lowered.at(0).kernels)
            for (const std::string& line : kernel.schedule)
                QVERIFY2(line.find("refused") == std::string::npos, line.c_str());
    }

    /// 0 divides nothing, 1 does.
    void divisors_are_not_zero() {
        Captured c;
        NodeId x = c.input("x", {64, 64}, false, ir::DType::Int64),
               y = c.input("y", {64, 64}, false, ir::DType::Int64);
        c.output(c.call("floor_divide", {x, y}));
        const record::Entry entry = entryOf(c.graph);
        const auto& lines = entry.lowered.at(0).kernels.at(0).schedule;
        QVERIFY(std::ranges::any_of(lines, [](const std::string& line) {
            return line.starts_with("measured ") || line.starts_with("not taken by time");
        }));
    }

    void random_graphs_compute_the_same() {
        for (unsigned seed = 1; seed <= 12; ++seed) {
            const ir::Graph captured = randomGraph(seed);
            auto parts = partitionGraph(captured, false, tuned(), nullptr);
            QVERIFY2(parts.ok(), parts ? "" : parts.error().str().c_str());
            auto compiled = compileGraph(parts->forward, toolchain_, tuned(), nullptr);
            QVERIFY2(compiled.ok(), compiled ? "" : compiled.error().str().c_str());
            std::mt19937 random(seed);
            const HostTensors inputs = randomInputs(captured, random);
            std::vector<runtime::TensorPtr> given;
            for (const ir::HostTensor& input : inputs)
                given.push_back(take(runtime::fromHost(input, {})));
            const auto results = take(compiled->executable->run(given));
            HostTensors got;
            for (const runtime::TensorPtr& result : results)
                got.push_back(take(runtime::toHost(*result)));
            const double worst = distance(got, interpret(captured, inputs));
            QVERIFY2(worst < 1e-4, qPrintable(QString("seed %1: %2").arg(seed).arg(worst)));
        }
    }

private:
    static Options tuned() {
        Options options;
        options.mode = "max-autotune";
        return options;
    }

    record::Entry entryOf(const ir::Graph& captured, const Options& options = tuned()) {
        RecordBuilder builder;
        EntryRecorder recorder(builder, builder.function("f", {"model.py", 1}));
        const Partitioned parts = take(partitionGraph(captured, false, options, &recorder));
        take(compileGraph(parts.forward, toolchain_, options, &recorder));
        return recorder.entry();
    }

    Toolchain toolchain_{""};
};

QTEST_GUILESS_MAIN(TestAutotune)
#include "test_autotune.moc"
