// SPDX-License-Identifier: Apache-2.0
// Sorts and scans along rows against the obvious way; the texts for CUDA are compiled.
#include "core/jit/cpu_compiler.h"
#include "core/runtime/cuda_rows.h"
#include "core/runtime/library.h"
#include "tests/support/library_run.h"
#include "tests/unit/runtime/row_cases.h"

#include <QtTest>

#include <set>

using namespace cutaway;
using namespace cutaway::tests;
using namespace cutaway::runtime;

namespace {

constexpr ir::DType kDTypes[] = {ir::DType::Float32, ir::DType::Float64, ir::DType::Int32,
                                 ir::DType::Int64,   ir::DType::UInt8,   ir::DType::Bool};

void runAndCompare(RowCase c, int threads) {
    void* pointers[] = {c.operand.data(), c.result.data()};
    auto kernel = makeLoopRows(c.spec);
    QVERIFY(c.spec.op != LibraryOp::Sort || c.spec.isEmpty() || kernel->workspace(threads) > 0);
    QVERIFY(testing::runCall(*kernel, pointers, threads).ok());
    const std::string wrong = complaintOf(c);
    QVERIFY2(wrong.empty(), wrong.c_str());
}

} // namespace

class TestRows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void random_rows_are_sorted_and_scanned() {
        for (LibraryOp op : {LibraryOp::Sort, LibraryOp::Scan})
            for (ir::DType dtype : kDTypes)
                for (uint32_t seed = 1; seed <= 60; ++seed) {
                    // Short ones, those that are sorted by digits, those of several tiles.
                    const int64_t longest = seed % 5 ? 40 : seed % 2 ? 1500 : 4000;
                    runAndCompare(rowCase(seed, dtype, op, longest), seed % 3 ? 1 : 2);
                    if (QTest::currentTestFailed()) return;
                }
    }
    void one_long_row_is_shared_by_threads() {
        for (ir::DType dtype : {ir::DType::Float32, ir::DType::Int64})
            for (int threads : {2, 3, 5}) {
                RowCase c = rowCase(7, dtype, LibraryOp::Sort, 40);
                c.spec.outer.clear();
                c.spec.operandStride = c.spec.resultStride = 1;
                const int64_t n = 100000;
                c.spec.length = c.spec.count = n;
                c.operand.resize(static_cast<size_t>(n) * ir::sizeBytes(dtype));
                c.result.resize(static_cast<size_t>(n) * sizeof(int64_t));
                std::vector<int64_t> keys;
                withType(dtype, [&]<typename T>(T) {
                    for (int64_t i = 0; i < n; ++i) {
                        keys.push_back(i * 7919 % 1000);
                        reinterpret_cast<T*>(c.operand.data())[i] = static_cast<T>(keys.back());
                    }
                });
                c.expected.resize(static_cast<size_t>(n));
                std::iota(c.expected.begin(), c.expected.end(), 0.0);
                std::stable_sort(c.expected.begin(), c.expected.end(), [&](double i, double j) {
                    const auto a = keys[static_cast<size_t>(i)], b = keys[static_cast<size_t>(j)];
                    return c.spec.row.descending ? a > b : a < b;
                });
                runAndCompare(c, threads);
                if (QTest::currentTestFailed()) return;
            }
    }
    void rows_without_elements_are_nothing() {
        for (LibraryOp op : {LibraryOp::Sort, LibraryOp::Scan}) {
            RowsSpec spec;
            spec.op = op;
            QVERIFY(spec.isEmpty());
            void* pointers[] = {nullptr, nullptr};
            QVERIFY(testing::runCall(*makeLoopRows(spec), pointers, 2).ok());
        }
    }
    void texts_for_cuda_compile() {
        std::set<std::string> seen;
        for (LibraryOp op : {LibraryOp::Sort, LibraryOp::Scan})
            for (ir::DType dtype : kDTypes)
                for (uint32_t seed = 1; seed <= 12; ++seed) {
                    const RowCase c = rowCase(seed, dtype, op, seed % 2 ? 40 : 5000);
                    const RowsProgram program =
                        op == LibraryOp::Sort ? sortProgram(c.spec) : scanProgram(c.spec);
                    for (const RowsProgram::Launch& launch : program.launches) {
                        // One text a way: compiling is slow.
                        const std::string way = std::to_string(static_cast<int>(op)) +
                                                std::string(ir::name(dtype)) + launch.entry +
                                                std::string(kernel::text(c.spec.row.running));
                        if (!seen.insert(way).second) continue;
                        auto ptx = jit::previewPtx(launch.entry, program.text, "sm_90");
                        QVERIFY2(ptx.ok(), ptx.ok() ? "" : ptx.error().str().c_str());
                        QVERIFY(ptx->find(".visible .entry " + launch.entry) != std::string::npos);
                    }
                }
    }
    void the_choice_says_how() {
        RowsSpec spec;
        spec.length = 1000;
        spec.count = 10;
        const auto all = considerProviders(ir::Device::Kind::Cpu, spec, {.threads = 2});
        QCOMPARE(all.front().provider->name, std::string_view("loops"));
        QVERIFY(all.front().verdict.reason.find("selects the first") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestRows)
#include "test_rows.moc"
