// SPDX-License-Identifier: Apache-2.0
// Attention by blocks of keys against the slow meaning of the call, forwards and backwards.
#include "core/jit/cpu_compiler.h"
#include "core/runtime/attention.h"
#include "core/runtime/attention_kernels.h"
#include "core/runtime/cuda_attention.h"
#include "tests/support/library_run.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace cutaway;
using namespace cutaway::runtime;

namespace {

using Numbers = std::vector<double>;

/// A tensor [B, H, rows, columns] with gaps between its rows, and heads or rows outermost.
struct Operand {
    std::vector<int64_t> sizes, strides;
    Numbers elements;

    double at(int64_t b, int64_t h, int64_t r, int64_t c) const {
        return elements[static_cast<size_t>(b * strides[0] + h * strides[1] + r * strides[2] +
                                            (strides.size() > 3 ? c * strides[3] : 0))];
    }
};

struct Case {
    AttentionSpec spec;
    std::vector<Operand> operands; ///< as the spec has them
    std::mt19937 random;

    explicit Case(uint32_t seed) : random(seed) {
        const auto upTo = [&](int64_t n) { return 1 + static_cast<int64_t>(random() % n); };
        spec.batch = upTo(2), spec.heads = upTo(3);
        // One row, parts of a panel, several panels; less than a block of keys, several.
        spec.rows = seed % 3 ? upTo(40) : upTo(300);
        spec.keys = seed % 4 ? upTo(60) : upTo(300);
        spec.width = upTo(40), spec.valueWidth = seed % 2 ? spec.width : upTo(70);
        spec.task.causal = random() % 2, spec.task.inner = random() % 2;
        spec.task.safe = random() % 2;
        spec.task.scale = 1 / std::sqrt(static_cast<double>(spec.width));
        spec.masked = random() % 2;
        add(spec.rows, spec.width);
        add(spec.keys, spec.width);
        add(spec.keys, spec.valueWidth);
    }
    void add(int64_t rows, int64_t columns) {
        Operand o{{spec.batch, spec.heads, rows, columns}, {}, {}};
        const int64_t gap = static_cast<int64_t>(random() % 2) * 3, width = columns + gap;
        if (random() % 2)
            o.strides = {spec.heads * rows * width, width, spec.heads * width, 1};
        else
            o.strides = {spec.heads * rows * width, rows * width, width, 1};
        fill(o, spec.batch * spec.heads * rows * width);
    }
    void addMask() {
        if (!spec.masked) return;
        const bool byKey = random() % 2;
        Operand mask{
            {spec.batch, spec.heads, spec.rows, spec.keys}, {0, 0, byKey ? 0 : spec.keys, 1}, {}};
        fill(mask, byKey ? spec.keys : spec.rows * spec.keys);
        // Some keys are hidden, some rows see nothing.
        for (double& x : operands.back().elements)
            if (random() % 4 == 0) x = -INFINITY;
        if (!byKey && spec.task.safe)
            for (int64_t key = 0; key < spec.keys; ++key)
                operands.back().elements[static_cast<size_t>(key)] = -INFINITY;
    }
    void fill(Operand o, int64_t count) {
        std::normal_distribution<double> number;
        for (int64_t i = 0; i < count; ++i)
            o.elements.push_back(static_cast<float>(number(random)));
        spec.strides.push_back(o.strides);
        operands.push_back(std::move(o));
    }

    kernel::SlowHead head(int64_t b, int64_t h) const {
        const auto matrix = [this, b, h](size_t which) {
            return [this, b, h, which](int64_t r, int64_t c) {
                return operands[which].at(b, h, r, c);
            };
        };
        kernel::SlowHead head{spec.rows, spec.keys, spec.width, spec.valueWidth,
                              matrix(0), matrix(1), matrix(2),  {},
                              {},        {}};
        if (spec.masked) head.mask = matrix(operands.size() - 1);
        if (spec.isBackward()) {
            head.gradient = matrix(3), head.output = matrix(4);
            head.logarithms = [this, b, h](int64_t r) { return operands[5].at(b, h, r, 0); };
        }
        return head;
    }

    template <typename T> std::vector<T> run(int threads, int64_t length) {
        std::vector<std::vector<T>> memory;
        std::vector<void*> pointers;
        for (const Operand& o : operands)
            memory.emplace_back(o.elements.begin(), o.elements.end());
        std::vector<T> result(static_cast<size_t>(length), T(-77));
        for (std::vector<T>& m : memory)
            pointers.push_back(m.data());
        pointers.push_back(result.data());
        spec.dtype = sizeof(T) == 8 ? ir::DType::Float64 : ir::DType::Float32;
        if (!testing::runCall(*makeAttention(spec), pointers.data(), threads).ok())
            throw std::runtime_error("it does not run");
        return result;
    }
};

/// A part of a result, [B, H, length, width] as the task lays it out.
struct Part {
    int64_t begin, length, width;
};
size_t placeIn(const Case& c, const Part& part, bool inner, int64_t b, int64_t h, int64_t i) {
    const int64_t heads = c.spec.heads, row = i / part.width, column = i % part.width;
    const int64_t at = inner ? ((b * part.length + row) * heads + h) * part.width + column
                             : ((b * heads + h) * part.length + row) * part.width + column;
    return static_cast<size_t>(part.begin + at);
}

template <typename T>
void compare(const Case& c, const std::vector<T>& result, const Part& part, bool inner, int64_t b,
             int64_t h, const Numbers& expected) {
    const double limit = sizeof(T) == 8 ? 1e-12 : 2e-4;
    for (int64_t i = 0; i < part.length * part.width; ++i) {
        const double x = static_cast<double>(result[placeIn(c, part, inner, b, h, i)]);
        const double y = expected[static_cast<size_t>(i)];
        if (std::isnan(x) && std::isnan(y)) continue;
        QVERIFY2(std::abs(x - y) <= limit * (1 + std::abs(y)),
                 qPrintable(QString("element %1: %2, expected %3").arg(i).arg(x).arg(y)));
    }
}

template <typename T> void forwards(uint32_t seed) {
    Case c(seed);
    c.addMask();
    const AttentionSpec& s = c.spec;
    const int64_t heads = s.batch * s.heads;
    const Part output{0, s.rows, s.valueWidth}, logs{heads * s.rows * s.valueWidth, s.rows, 1};
    const auto result = c.run<T>(1 + seed % 3, heads * s.rows * (s.valueWidth + 1));
    for (int64_t b = 0; b < s.batch; ++b)
        for (int64_t h = 0; h < s.heads; ++h) {
            const kernel::SlowAttention slow = kernel::slowAttention(s.task, c.head(b, h));
            compare(c, result, output, s.task.inner, b, h, slow.output);
            // Of a row that sees nothing there is no logarithm.
            Numbers seen = slow.logarithms;
            for (int64_t i = 0; i < s.rows; ++i)
                if (const size_t row = placeIn(c, logs, false, b, h, i);
                    std::isinf(static_cast<double>(result[row])))
                    seen[static_cast<size_t>(i)] = static_cast<double>(result[row]);
            for (int64_t i = 0; i < s.rows; ++i) {
                const double x = static_cast<double>(result[placeIn(c, logs, false, b, h, i)]);
                if (!std::isfinite(x)) continue;
                QVERIFY(std::abs(x - seen[static_cast<size_t>(i)]) < 1e-4);
            }
            if (QTest::currentTestFailed()) return;
        }
}

template <typename T> void backwards(uint32_t seed) {
    Case c(seed);
    c.spec.task.safe = true; // gradients of NaN say nothing
    c.spec.op = kernel::LibraryOp::AttentionBackward;
    AttentionSpec& s = c.spec;
    c.add(s.rows, s.valueWidth);
    c.add(s.rows, s.valueWidth);
    Operand logs{{s.batch, s.heads, s.rows}, {s.heads * s.rows, 1, s.heads}, {}};
    c.fill(logs, s.batch * s.heads * s.rows);
    for (double& x : c.operands.back().elements)
        x += 4;
    c.addMask();
    const int64_t heads = s.batch * s.heads;
    const Part query{0, s.rows, s.width}, key{heads * s.rows * s.width, s.keys, s.width},
        value{heads * (s.rows + s.keys) * s.width, s.keys, s.valueWidth};
    const auto result = c.run<T>(1 + seed % 3, value.begin + heads * value.length * value.width);
    for (int64_t b = 0; b < s.batch; ++b)
        for (int64_t h = 0; h < s.heads; ++h) {
            const auto slow = kernel::slowAttentionBackward(s.task, c.head(b, h));
            compare(c, result, query, s.task.inner, b, h, slow.query);
            compare(c, result, key, s.task.inner, b, h, slow.key);
            compare(c, result, value, s.task.inner, b, h, slow.value);
            if (QTest::currentTestFailed()) return;
        }
}

/// A case's texts for an H200's multiprocessor and the smallest.
void compiles(uint32_t seed, ir::DType operands, const char* architecture) {
    Case c(seed);
    c.spec.operands = operands;
    c.spec.op = seed % 2 ? kernel::LibraryOp::Attention : kernel::LibraryOp::AttentionBackward;
    if (c.spec.isBackward()) {
        c.add(c.spec.rows, c.spec.valueWidth);
        c.add(c.spec.rows, c.spec.valueWidth);
        c.add(c.spec.rows, 1);
    }
    c.addMask();
    QVERIFY(takesAttention(c.spec));
    for (int64_t shared : {232448, 49152}) {
        const AttentionSources sources = attentionSources(c.spec, shared, true);
        QCOMPARE(sources.passes.size(), size_t(c.spec.isBackward() ? 2 : 1));
        std::vector<codegen::KernelSource> all = sources.passes;
        if (c.spec.isBackward()) all.push_back(sources.sums);
        for (const codegen::KernelSource& source : all) {
            QVERIFY(source.launch.sharedBytes <= shared);
            auto ptx = jit::previewPtx(source.entry, source.text, architecture);
            QVERIFY2(ptx.ok(), ptx.ok() ? "" : ptx.error().str().c_str());
            QVERIFY(ptx->find(".entry " + source.entry) != std::string::npos);
        }
    }
}

} // namespace

class TestAttention : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void random_heads_forwards() {
        for (uint32_t seed = 1; seed <= 60 && !QTest::currentTestFailed(); ++seed) {
            forwards<float>(seed);
            forwards<double>(seed);
        }
    }
    void random_heads_backwards() {
        for (uint32_t seed = 1; seed <= 60 && !QTest::currentTestFailed(); ++seed) {
            backwards<float>(seed);
            backwards<double>(seed);
        }
    }
    /// The kernels that this machine would not choose, too.
    void instruction_sets_agree() {
        std::vector<AttentionKernelSet> sets{attentionKernelsBase()};
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            sets.push_back(attentionKernelsAvx2());
        if (__builtin_cpu_supports("avx512f")) sets.push_back(attentionKernelsAvx512());
#endif
        std::mt19937 random(3);
        std::normal_distribution<float> number;
        std::vector<float> q(150 * 24), k(200 * 24), v(200 * 24);
        for (std::vector<float>* all : {&q, &k, &v})
            for (float& x : *all)
                x = number(random);
        std::vector<std::vector<float>> results;
        for (const AttentionKernelSet& set : sets) {
            std::vector<float> y(150 * 24), logs(150);
            AttentionHead<float> h;
            h.rows = 150, h.keys = 200, h.width = h.valueWidth = 24, h.scale = 0.2f;
            h.query = q.data(), h.key = k.data(), h.value = v.data(), h.output = y.data();
            h.queryRow = h.keyRow = h.valueRow = h.outputRow = 24, h.logarithms = logs.data();
            std::vector<float> space(static_cast<size_t>(set.single.forwardWorkspace(h)));
            for (int64_t row = 0; row < h.rows; row += set.single.blockRows)
                set.single.forward(h, row, space.data());
            results.push_back(std::move(y));
        }
        for (const std::vector<float>& one : results)
            for (size_t i = 0; i < one.size(); ++i)
                QVERIFY(std::abs(one[i] - results[0][i]) < 1e-5f);
    }
    void cuda_text_compiles() {
        for (uint32_t seed = 1; seed <= 6 && !QTest::currentTestFailed(); ++seed)
            compiles(seed, ir::DType::Float32, "sm_90");
    }
    void cuda_text_of_16_bits_compiles() {
        for (uint32_t seed = 1; seed <= 4 && !QTest::currentTestFailed(); ++seed) {
            compiles(seed, ir::DType::BFloat16, "sm_90");
            compiles(seed, ir::DType::Float16, "sm_80");
        }
        // Its tensor cores do not know bfloat16.
        compiles(5, ir::DType::BFloat16, "sm_75");
    }
    void heads_that_are_too_wide_are_left() {
        Case c(1);
        c.spec.operands = ir::DType::BFloat16;
        QVERIFY(takesAttention(c.spec));
        c.spec.valueWidth = kWidestHead + 1;
        QVERIFY(!takesAttention(c.spec));
        c.spec.valueWidth = 8, c.spec.operands = ir::DType::Int8;
        QVERIFY(!takesAttention(c.spec));
    }
    void a_row_that_sees_nothing_is_zero_or_not_a_number() {
        for (bool safe : {true, false}) {
            Case c(2);
            c.spec.masked = true, c.spec.task.safe = safe, c.spec.task.causal = false;
            c.addMask();
            for (double& x : c.operands.back().elements)
                x = -INFINITY;
            const int64_t count = c.spec.batch * c.spec.heads * c.spec.rows * c.spec.valueWidth;
            const auto y = c.run<float>(1, count + count / c.spec.valueWidth);
            for (int64_t i = 0; i < count; ++i) {
                const float x = y[static_cast<size_t>(i)];
                QVERIFY(safe ? x == 0 : std::isnan(x));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestAttention)
#include "test_attention.moc"
