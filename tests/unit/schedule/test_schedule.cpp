// SPDX-License-Identifier: Apache-2.0
// Candidates of hand-made kernels: which templates take them, which is taken and why, and the text
// by which a candidate is asked for.
#include "tests/unit/codegen/kernel_fixture.h"

#include "core/schedule/schedule.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::test;
using schedule::Candidate;
using schedule::Schedule;

namespace {

/// y = relu(x) in one long loop.
KernelFixture relu(int64_t n) {
    KernelFixture f({}, n);
    BufferId x = f.input("x", DType::Float32, {n});
    BufferId y = f.output("y", DType::Float32, {n});
    f.store(f.phase(), y, {i()}, f.pool().op(ScalarOp::Max, {f.load(x, {at(i())}), f.constant(0)}));
    return f;
}

/// Rows divided by their sums; \p again: the row is read a second time.
KernelFixture normalised(int64_t rows, int64_t n) {
    KernelFixture f({rows}, n);
    BufferId x = f.input("x", DType::Float32, {rows, n});
    BufferId y = f.output("y", DType::Float32, {rows, n});
    Phase& p0 = f.phase();
    ExprId e = f.let(p0, "e", f.pool().op(ScalarOp::Exp, {f.load(x, {at(o()), at(i())})}));
    ExprId sum = f.reduceRow(p0, "sum_1", ReduceOp::Sum, e);
    Phase& p1 = f.phase();
    f.store(p1, y, {o(), i()}, f.pool().op(ScalarOp::Div, {e, sum}));
    return f;
}

/// Rows over N and pixels of [N, 5, pixels], less their sums.
KernelFixture channels(int64_t n, int64_t pixels) {
    KernelFixture f({5}, pixels, 16, {n});
    BufferId x = f.input("x", DType::Float32, {n, 5, pixels});
    BufferId y = f.output("y", DType::Float32, {n, 5, pixels});
    const ExprId load = f.load(x, {at(o(1)), at(o()), at(i())});
    ExprId sum = f.reduceRow(f.phase(), "sum", ReduceOp::Sum, load);
    f.store(f.phase(), y, {o(1), o(), i()}, f.pool().op(ScalarOp::Sub, {load, sum}));
    return f;
}

/// y = x + z, of which x lies the other way round.
KernelFixture turned(int64_t rows, int64_t n) {
    KernelFixture f({rows}, n);
    BufferId x = f.input("x", DType::Float32, {n, rows});
    BufferId z = f.input("z", DType::Float32, {rows, n});
    BufferId y = f.output("y", DType::Float32, {rows, n});
    const ExprId sum =
        f.pool().op(ScalarOp::Add, {f.load(x, {at(i()), at(o())}), f.load(z, {at(o()), at(i())})});
    Phase& phase = f.phase();
    f.store(phase, y, {o(), i()}, f.let(phase, "sum", sum));
    return f;
}

/// A kernel with its traffic, as fusion leaves it.
const Kernel& measured(KernelFixture& f) {
    f.finished();
    Kernel& kernel = f.program.kernels.front();
    for (BufferId id : kernel.reads)
        kernel.bytesRead += f.program.loops.buffer(id).bytes();
    for (BufferId id : kernel.writes)
        kernel.bytesWritten += f.program.loops.buffer(id).bytes();
    return kernel;
}

Schedule scheduled(KernelFixture& f, const schedule::DeviceModel& model) {
    const Kernel& kernel = measured(f);
    return schedule::makeSchedule(f.program, kernel, model);
}

int fitting(const Schedule& schedule) {
    return static_cast<int>(std::count_if(schedule.considered.begin(), schedule.considered.end(),
                                          [](const Candidate& c) { return c.refused.empty(); }));
}

const auto kCpu = schedule::cpuModel(2, 64);
const auto kCuda = schedule::cudaModel();

} // namespace

class TestSchedule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void decisions_are_text_and_back() {
        const Candidate candidate{
            "rows", {{"vector", 8}, {"threads", 2}, {"stream", 1}}, 0, {}, {}};
        QCOMPARE(candidate.str(), std::string("rows: vector 8, threads 2, stream 1"));
        auto parsed = schedule::parseCandidate(candidate.str());
        QVERIFY(parsed.ok());
        QCOMPARE(parsed->by, candidate.by);
        QVERIFY(parsed->decisions == candidate.decisions);
        QVERIFY(schedule::parseCandidate("rows").ok());
        for (const char* wrong :
             {"", ": vector 8", "rows: vector", "rows: vector x", "rows: vector 8 threads 2",
              "rows: vector 8, vector 4", "rows: 8"})
            QVERIFY2(!schedule::parseCandidate(wrong).ok(), wrong);
    }

    void the_smallest_prediction_is_taken_among_several() {
        KernelFixture kernels[] = {relu(1 << 20), normalised(512, 1000), normalised(4, 1 << 20)};
        for (KernelFixture& f : kernels)
            for (const auto& model : {kCpu, kCuda}) {
                const Schedule schedule = scheduled(f, model);
                // Rows that no block can keep are read again, one way.
                const bool one = f.inner->constant() == 1 << 20 && &f != kernels &&
                                 model.kind == ir::Device::Kind::Cuda;
                QVERIFY(fitting(schedule) >= (one ? 1 : 2));
                for (const Candidate& candidate : schedule.considered) {
                    if (!candidate.refused.empty()) continue;
                    QVERIFY(candidate.predictedUs >= schedule.chosen().predictedUs);
                    QVERIFY(!candidate.reasons.empty());
                }
            }
    }

    void threads_are_woken_for_enough_work() {
        KernelFixture small = relu(1000), large = relu(1 << 22);
        QCOMPARE(scheduled(small, kCpu).chosen().decisions.get("threads"), int64_t(1));
        QCOMPARE(scheduled(large, kCpu).chosen().decisions.get("threads"), int64_t(2));
        QCOMPARE(scheduled(large, schedule::cpuModel(1, 64)).chosen().decisions.get("threads"),
                 int64_t(1));
        // One row cannot be shared.
        KernelFixture row = normalised(1, 1 << 22);
        QCOMPARE(scheduled(row, kCpu).chosen().decisions.get("threads"), int64_t(1));
    }

    void more_values_than_registers_wait_in_memory() {
        KernelFixture f({}, 1 << 10);
        BufferId x = f.input("x", DType::Float32, {1 << 10});
        BufferId y = f.output("y", DType::Float32, {1 << 10});
        Phase& p = f.phase();
        std::vector<ExprId> values;
        for (int k = 0; k < 100; ++k)
            values.push_back(
                f.let(p, "v" + std::to_string(k),
                      f.pool().op(ScalarOp::Add, {f.load(x, {at(i())}), f.constant(k)})));
        ExprId sum = values[0];
        for (int k = 1; k < 100; ++k)
            sum = f.pool().op(ScalarOp::Mul, {sum, values[static_cast<size_t>(k)]});
        f.store(p, y, {i()}, sum);
        QVERIFY(scheduled(f, kCpu).taken >= 0);
        QVERIFY(scheduled(f, kCuda).taken >= 0);
    }

    void outputs_beyond_the_caches_are_streamed() {
        KernelFixture small = relu(1 << 16), large = relu(1 << 24);
        QCOMPARE(scheduled(small, kCpu).chosen().decisions.get("stream"), int64_t(0));
        QCOMPARE(scheduled(large, kCpu).chosen().decisions.get("stream"), int64_t(1));
    }

    void loops_that_compute_ask_for_their_inputs_beside_streamed_stores() {
        KernelFixture f({}, 1 << 24);
        BufferId x = f.input("x", DType::Float32, {1 << 24});
        BufferId y = f.output("y", DType::Float32, {1 << 24});
        ExprId value = f.load(x, {at(i())});
        for (int k = 0; k < 3; ++k)
            value = f.pool().op(ScalarOp::Cos, {value});
        f.store(f.phase(), y, {i()}, value);
        KernelFixture light = relu(1 << 24);
        QCOMPARE(scheduled(f, kCpu).chosen().str(),
                 std::string("elements: vector 16, threads 2, stream 1, prefetch 1"));
        QCOMPARE(scheduled(light, kCpu).chosen().decisions.get("prefetch"), int64_t(0));
    }

    void vectors_are_as_wide_as_registers() {
        for (int bytes : {16, 32, 64}) {
            KernelFixture f = relu(1 << 20);
            QCOMPARE(scheduled(f, schedule::cpuModel(2, bytes)).chosen().decisions.get("vector"),
                     int64_t(bytes / 4));
        }
        KernelFixture narrow = normalised(100, 3);
        QCOMPARE(scheduled(narrow, kCpu).chosen().decisions.get("vector"), int64_t(2));
    }

    void a_pass_is_as_many_loops_as_it_has_axes() {
        KernelFixture f = channels(3, 64), short_ = channels(100, 8);
        QCOMPARE(scheduled(f, kCpu).chosen().decisions.get("loops"), int64_t(2));
        // Loops shorter than a vector would leave its lanes empty.
        for (const Candidate& candidate : scheduled(short_, kCpu).considered)
            QVERIFY(candidate.decisions.get("loops") == 0 ||
                    candidate.decisions.get("vector") <= 8);
        const Kernel& kernel = measured(f);
        Schedule schedule = schedule::makeSchedule(f.program, kernel, kCpu);
        QVERIFY(schedule::force(schedule, f.program, kernel, kCpu, "rows: vector 16").ok());
        const auto status =
            schedule::force(schedule, f.program, kernel, kCpu, "rows: vector 16, loops 3");
        QVERIFY(!status.ok());
        QVERIFY(QString::fromStdString(status.error().message).contains("one loop or 2, not 3"));
    }

    void gpu_templates_take_what_they_are_for_data() {
        QTest::addColumn<qint64>("rows");
        QTest::addColumn<qint64>("n");
        QTest::addColumn<QString>("taken");
        QTest::newRow("short rows: a warp") << qint64(4096) << qint64(512) << "rows";
        QTest::newRow("rows that no block can keep")
            << qint64(256) << qint64(1 << 17) << "rows-reread";
        QTest::newRow("the longest row of registers") << qint64(256) << qint64(53248) << "rows";
    }
    void gpu_templates_take_what_they_are_for() {
        QFETCH(qint64, rows);
        QFETCH(qint64, n);
        QFETCH(QString, taken);
        KernelFixture f = normalised(rows, n);
        QCOMPARE(QString::fromStdString(scheduled(f, kCuda).chosen().by), taken);
    }

    void what_lies_along_the_rows_is_turned_in_tiles() {
        KernelFixture square = turned(4096, 4096), narrow = turned(3, 1 << 20),
                      straight = normalised(4096, 512);
        QCOMPARE(scheduled(square, kCuda).chosen().by, std::string("tiles"));
        // Tiles would be empty for the most part, and the reads share their sectors.
        QCOMPARE(scheduled(narrow, kCuda).chosen().by, std::string("linear"));
        for (const Candidate& candidate : scheduled(straight, kCuda).considered)
            QVERIFY(candidate.by != "tiles" || !candidate.refused.empty());
        const Kernel& kernel = measured(square);
        Schedule schedule = schedule::makeSchedule(square.program, kernel, kCuda);
        for (const auto& [wanted, why] : {std::pair("tiles: tile 48, threads 256", "tiles of 48"),
                                          {"tiles: tile 64, threads 32", "do not share a tile"},
                                          {"tiles: tile 32, threads 96", "do not share a tile"}}) {
            const auto status = schedule::force(schedule, square.program, kernel, kCuda, wanted);
            QVERIFY(!status.ok());
            QVERIFY2(QString::fromStdString(status.error().message).contains(why), wanted);
        }
        QVERIFY(
            schedule::force(schedule, square.program, kernel, kCuda, "tiles: tile 32, threads 256")
                .ok());
        const std::string text = codegen::emitCuda(square.program, kernel, schedule.chosen()).text;
        QVERIFY(text.find("__shared__ float x_tile[32 * 33];") != std::string::npos);
        QVERIFY(text.find("__syncthreads();") != std::string::npos);
    }

    void rows_are_done_in_parts_where_their_lines_would_be_lost() {
        // Rows a power of two apart share few places of a cache.
        KernelFixture far = turned(4096, 4096), near = turned(4096, 64), odd = turned(4096, 4099);
        QCOMPARE(scheduled(far, kCpu).chosen().decisions.get("tile"), int64_t(64));
        QCOMPARE(scheduled(near, kCpu).chosen().decisions.get("tile"), int64_t(0));
        QCOMPARE(scheduled(odd, kCpu).chosen().decisions.get("tile"), int64_t(0)); // a prime
        const Kernel& kernel = measured(far);
        Schedule schedule = schedule::makeSchedule(far.program, kernel, kCpu);
        const auto status =
            schedule::force(schedule, far.program, kernel, kCpu, "rows: vector 16, tile 48");
        QVERIFY(!status.ok());
        QVERIFY(QString::fromStdString(status.error().message).contains("tiles of 48"));
        KernelFixture straight = normalised(512, 1000);
        const Kernel& other = measured(straight);
        Schedule none = schedule::makeSchedule(straight.program, other, kCpu);
        QVERIFY(
            !schedule::force(none, straight.program, other, kCpu, "rows: vector 16, tile 20").ok());
    }

    void a_candidate_is_asked_for_by_number_and_by_text() {
        KernelFixture f = normalised(512, 1000);
        const Kernel& kernel = measured(f);
        Schedule schedule = schedule::makeSchedule(f.program, kernel, kCpu);
        const int was = schedule.taken;
        for (size_t n = 0; n < schedule.considered.size(); ++n) {
            const Candidate candidate = schedule.considered[n];
            auto byNumber =
                schedule::force(schedule, f.program, kernel, kCpu, std::to_string(n + 1));
            QCOMPARE(byNumber.ok(), candidate.refused.empty());
            if (!byNumber.ok()) continue;
            QCOMPARE(schedule.taken, static_cast<int>(n));
            QVERIFY(schedule.forced);
            // The text alone makes the same kernel again.
            Schedule other = schedule::makeSchedule(f.program, kernel, kCpu);
            QVERIFY(schedule::force(other, f.program, kernel, kCpu, candidate.str()).ok());
            QCOMPARE(other.taken, static_cast<int>(n));
            QCOMPARE(cutaway::testing::sourceBy(f.program, kernel, other, kCpu.kind).text,
                     codegen::emitCpp(f.program, kernel, candidate).text);
        }
        // One that was not considered is checked and joins the others.
        const size_t count = schedule.considered.size();
        QVERIFY(
            schedule::force(schedule, f.program, kernel, kCpu, "rows: vector 4, threads 7").ok());
        QCOMPARE(schedule.considered.size(), count + 1);
        QCOMPARE(schedule.chosen().decisions.get("threads"), int64_t(7));
        QVERIFY(schedule.taken != was);
    }

    void what_cannot_be_taken_says_why_data() {
        QTest::addColumn<bool>("cuda");
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("message");
        QTest::newRow("number") << false << "99" << "has no candidate 99";
        QTest::newRow("template") << false << "tiles: vector 8" << "no schedule template";
        QTest::newRow("unfit template") << false << "elements: vector 8" << "not one long loop";
        QTest::newRow("unknown decision") << false << "rows: lanes 8" << "decides nothing";
        QTest::newRow("width") << false << "rows: vector 12" << "a power of two";
        QTest::newRow("threads") << false << "rows: vector 16, threads 0" << "0 threads";
        QTest::newRow("text") << false << "rows: vector" << "expected a choice";
        QTest::newRow("cpu prefetch") << false << "rows: vector 16, prefetch 1"
                                      << "beside streamed stores only";
        QTest::newRow("cuda vector") << true << "rows: vector 3, row-threads 32" << "vectors of 3";
        QTest::newRow("cuda block") << true << "rows: row-threads 32, threads 100" << "warps";
        QTest::newRow("cuda row") << true << "rows: row-threads 64, threads 256"
                                  << "64 threads a row";
        QTest::newRow("registers") << true << "rows: row-threads 1, threads 32" << "registers";
        QTest::newRow("splits") << true << "rows: row-threads 32, splits 2" << "add nothing up";
        QTest::newRow("prefetch") << true << "rows: row-threads 256, prefetch 1" << "load ahead";
    }
    void what_cannot_be_taken_says_why() {
        QFETCH(bool, cuda);
        QFETCH(QString, wanted);
        QFETCH(QString, message);
        KernelFixture f = normalised(512, 1000);
        const Kernel& kernel = measured(f);
        const auto& model = cuda ? kCuda : kCpu;
        Schedule schedule = schedule::makeSchedule(f.program, kernel, model);
        const int was = schedule.taken;
        const auto status =
            schedule::force(schedule, f.program, kernel, model, wanted.toStdString());
        QVERIFY(!status.ok());
        QVERIFY2(QString::fromStdString(status.error().message).contains(message),
                 status.error().message.c_str());
        QCOMPARE(schedule.taken, was);
    }
};

QTEST_APPLESS_MAIN(TestSchedule)
#include "test_schedule.moc"
