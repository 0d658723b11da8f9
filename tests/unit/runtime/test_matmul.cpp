// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/library.h"
#include "core/runtime/skinny_kernels.h"
#include "core/runtime/tensor.h"
#include "tests/support/library_run.h"

#include <QtTest>
#include <cmath>
#include <limits>
#include <random>

using namespace cutaway;
using namespace cutaway::runtime;
using Kind = kernel::Epilogue::Kind;

namespace {

/// A product with its data; operands lie in vectors with a margin that must stay untouched.
struct Problem {
    MatmulSpec spec;
    std::vector<std::vector<float>> memory; ///< by pointer, the result last
    std::vector<void*> pointers() {
        std::vector<void*> out;
        for (auto& values : memory)
            out.push_back(values.data());
        return out;
    }
};

/// By the provider that the table chooses.
base::Result<LibraryKernelPtr> chosen(const MatmulSpec& spec, int threads) {
    return makeLibraryKernel(ir::Device::Kind::Cpu, spec, {.threads = threads});
}

constexpr float kUntouched = 12345;

int64_t extent(const MatmulSpec& spec, const MatrixView& operand, int64_t rows, int64_t columns) {
    int64_t last = (rows - 1) * operand.rowStride + (columns - 1) * operand.columnStride;
    for (size_t d = 0; d < spec.batch.size(); ++d)
        last += (spec.batch[d] - 1) * operand.batchStrides[d];
    return std::max<int64_t>(last + 1, 0);
}

/// Row-major or column-major, with \p padding unused elements after each row (column).
MatrixView operand(const MatmulSpec& spec, int64_t rows, int64_t columns, bool transposed,
                   int64_t padding) {
    MatrixView out;
    int64_t step = (transposed ? rows : columns) + padding;
    out.rowStride = transposed ? 1 : step;
    out.columnStride = transposed ? step : 1;
    int64_t next = step * (transposed ? columns : rows);
    out.batchStrides.assign(spec.batch.size(), 0);
    for (size_t d = spec.batch.size(); d-- > 0; next *= spec.batch[d])
        out.batchStrides[d] = next;
    return out;
}

/// The problem's memory as numbers of 16 bits, its float32 numbers rounded to them.
struct Halves {
    std::vector<std::vector<uint16_t>> memory;
    Halves(Problem& p, ir::DType dtype) {
        p.spec.dtype = dtype;
        for (auto& values : p.memory) {
            auto& bits = memory.emplace_back();
            for (float& value : values)
                rounded(value, dtype, &bits.emplace_back());
        }
    }
    static void rounded(float& value, ir::DType dtype, uint16_t* bits) {
        if (dtype == ir::DType::BFloat16) {
            const ir::BFloat16 half(value);
            value = half, *bits = half.bits;
        } else {
            const ir::Float16 half(value);
            value = half, *bits = half.bits;
        }
    }
    static float value(uint16_t bits, ir::DType dtype) {
        if (dtype == ir::DType::BFloat16) {
            ir::BFloat16 half;
            half.bits = bits;
            return half;
        }
        ir::Float16 half;
        half.bits = bits;
        return half;
    }
    /// The result back among the problem's float32 numbers.
    base::Status run(Problem& p, LibraryKernel& matmul) {
        std::vector<void*> pointers;
        for (auto& bits : memory)
            pointers.push_back(bits.data());
        CUTAWAY_CHECK(testing::runCall(matmul, pointers.data(), 2));
        for (size_t i = 0; i < memory.back().size(); ++i)
            p.memory.back()[i] = value(memory.back()[i], p.spec.dtype);
        return {};
    }
};

struct Options {
    std::vector<int64_t> batch;
    int64_t m = 4, n = 4, k = 4;
    bool ta = false, tb = false, tr = false;
    int64_t padding = 0;
    int bias = 0; ///< 0 none, 1 per column, 2 full, 3 per row
    std::vector<Kind> epilogues{};
};

Problem build(const Options& o, unsigned seed = 1) {
    Problem p;
    p.spec.batch = o.batch;
    p.spec.m = o.m;
    p.spec.n = o.n;
    p.spec.k = o.k;
    p.spec.a = operand(p.spec, o.m, o.k, o.ta, o.padding);
    p.spec.b = operand(p.spec, o.k, o.n, o.tb, o.padding);
    p.spec.result = operand(p.spec, o.m, o.n, o.tr, o.padding);
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    auto add = [&](const MatrixView& at, int64_t rows, int64_t columns) {
        auto& values =
            p.memory.emplace_back(static_cast<size_t>(extent(p.spec, at, rows, columns)));
        for (float& value : values)
            value = uniform(random);
    };
    add(p.spec.a, o.m, o.k);
    add(p.spec.b, o.k, o.n);
    if (o.bias) {
        MatrixView bias = operand(p.spec, o.m, o.n, false, 0);
        if (o.bias == 1) bias = {std::vector<int64_t>(o.batch.size()), 0, 1};
        if (o.bias == 3) bias = {std::vector<int64_t>(o.batch.size()), 1, 0};
        p.spec.bias = bias;
        add(bias, o.m, o.n);
    }
    for (Kind kind : o.epilogues) {
        EpilogueSpec& epilogue = p.spec.epilogues.emplace_back();
        epilogue.kind = kind;
        epilogue.scalar = kind == Kind::MulScalar ? 0.125 : 0.3;
        if (kind != Kind::AddTensor) continue;
        epilogue.tensor = p.spec.epilogues.size() % 2
                              ? p.spec.result
                              : MatrixView{std::vector<int64_t>(o.batch.size()), 0, 1};
        add(epilogue.tensor, o.m, o.n);
    }
    auto size = static_cast<size_t>(extent(p.spec, p.spec.result, o.m, o.n)) + 16;
    p.memory.emplace_back(size, kUntouched);
    return p;
}

/// The element of the result in double, straight from the definition.
double expected(const Problem& p, int64_t batch, int64_t m, int64_t n) {
    auto at = [&](size_t pointer, const MatrixView& operand, int64_t row, int64_t column) {
        return static_cast<double>(p.memory[pointer][static_cast<size_t>(
            batchOffset(operand, p.spec.batch, batch) + row * operand.rowStride +
            column * operand.columnStride)]);
    };
    double value = 0;
    for (int64_t k = 0; k < p.spec.k; ++k)
        value += at(0, p.spec.a, m, k) * at(1, p.spec.b, k, n);
    size_t pointer = 2;
    if (p.spec.bias) value += at(pointer++, *p.spec.bias, m, n);
    for (const EpilogueSpec& epilogue : p.spec.epilogues) {
        if (epilogue.kind == Kind::AddTensor) value += at(pointer++, epilogue.tensor, m, n);
        if (epilogue.kind == Kind::AddScalar) value += epilogue.scalar;
        if (epilogue.kind == Kind::MulScalar) value *= epilogue.scalar;
        if (epilogue.kind == Kind::Relu && !std::isnan(value)) value = std::max(value, 0.0);
    }
    return value;
}

/// Empty when every element is right and nothing else was written.
QString compare(const Problem& p) {
    const std::vector<float>& result = p.memory.back();
    std::vector<bool> written(result.size());
    double tolerance = 2e-6 * std::sqrt(static_cast<double>(p.spec.k)) + 1e-6;
    // Half a unit in the last place of the sum and of each epilogue's result.
    const auto roundings = static_cast<double>(1 + p.spec.epilogues.size());
    if (p.spec.dtype == ir::DType::BFloat16) tolerance += 1.01 / 256 * roundings;
    if (p.spec.dtype == ir::DType::Float16) tolerance += 1.01 / 2048 * roundings;
    float untouched = kUntouched;
    uint16_t bits = 0;
    if (ir::isHalf(p.spec.dtype)) Halves::rounded(untouched, p.spec.dtype, &bits);
    for (int64_t batch = 0; batch < p.spec.batches(); ++batch)
        for (int64_t m = 0; m < p.spec.m; ++m)
            for (int64_t n = 0; n < p.spec.n; ++n) {
                auto at = static_cast<size_t>(batchOffset(p.spec.result, p.spec.batch, batch) +
                                              m * p.spec.result.rowStride +
                                              n * p.spec.result.columnStride);
                written[at] = true;
                double wanted = expected(p, batch, m, n), found = static_cast<double>(result[at]);
                bool same = std::isfinite(wanted)
                                ? std::abs(wanted - found) <= tolerance * (1 + std::abs(wanted))
                                : (std::isnan(wanted) ? std::isnan(found) : wanted == found);
                if (!same)
                    return QString("[%1, %2, %3]: found %4, expected %5")
                        .arg(batch)
                        .arg(m)
                        .arg(n)
                        .arg(found)
                        .arg(wanted);
            }
    for (size_t i = 0; i < result.size(); ++i)
        if (!written[i] && result[i] != untouched)
            return QString("element %1 beside the result was written").arg(i);
    return {};
}

QString name(const Options& o, const LibraryKernel& matmul) {
    return QString("%1 batch %2, %3x%4x%5, %6%7%8 padding %9")
        .arg(QString::fromStdString(matmul.implementation()))
        .arg(o.batch.size())
        .arg(o.m)
        .arg(o.n)
        .arg(o.k)
        .arg(o.ta ? "T" : "N")
        .arg(o.tb ? "T" : "N")
        .arg(o.tr ? "T" : "N")
        .arg(o.padding);
}

/// By every provider that takes numbers of 16 bits.
QString checkHalves(const Options& o, ir::DType dtype, int* ways = nullptr) {
    Problem model = build(o);
    model.spec.dtype = dtype;
    for (const char* provider : {"oneDNN", "in float32"}) {
        const ProviderContext context{.threads = 2, .wanted = provider};
        const auto first = considerProviders(ir::Device::Kind::Cpu, model.spec, context).front();
        if (first.provider->name != provider) continue; // not on this processor
        auto matmul = first.provider->make(model.spec, context);
        if (!matmul) return QString::fromStdString(matmul.error().message);
        if (!*matmul) continue;
        if (ways) ++*ways;
        Problem p = build(o);
        Halves halves(p, dtype);
        for (int run = 0; run < 2; ++run) {
            auto status = halves.run(p, **matmul);
            if (!status) return QString::fromStdString(status.error().message);
            QString complaint = compare(p);
            if (!complaint.isEmpty()) return name(o, **matmul) + ": " + complaint;
        }
    }
    return {};
}

/// Runs every way that takes the case and returns the first complaint.
QString checkAll(const Options& o, int* ways = nullptr) {
    std::vector<LibraryKernelPtr> all;
    MatmulSpec spec = build(o).spec;
    all.push_back(makeLoopMatmul(spec));
    all.push_back(makeSkinnyMatmul(spec));
    auto library = makeDnnlMatmul(spec, 2);
    if (!library) return QString::fromStdString(library.error().message);
    all.push_back(std::move(*library));
    auto best = chosen(spec, 2);
    if (!best) return QString::fromStdString(best.error().message);
    all.push_back(std::move(*best));
    for (auto& matmul : all) {
        if (!matmul) continue;
        if (ways) ++*ways;
        Problem p = build(o);
        auto pointers = p.pointers();
        auto status = testing::runCall(*matmul, pointers.data(), 2);
        if (!status) return QString::fromStdString(status.error().message);
        QString complaint = compare(p);
        if (!complaint.isEmpty()) return name(o, *matmul) + ": " + complaint;
    }
    return {};
}

void verify(const Options& o) {
    QString complaint = checkAll(o);
    QVERIFY2(complaint.isEmpty(), qPrintable(complaint));
}

} // namespace

class TestMatmul : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void odd_sizes_and_transposes_agree_with_the_definition();
    void batches_agree_with_the_definition();
    void a_repeated_operand_is_read_with_stride_zero();
    void biases_of_all_forms_are_added();
    void epilogues_run_in_order();
    void relu_keeps_nan_and_infinities_keep_their_meaning();
    void every_instruction_set_gives_the_same_product();
    void other_dtypes_are_multiplied_exactly();
    void an_empty_sum_gives_the_bias();
    void large_products_use_the_library_and_small_ones_do_not();
    void heads_inside_a_row_need_no_copy();
    void a_prepared_product_can_move_to_another_thread();
    void sixteen_bits_are_summed_in_float32_and_rounded_once();
    void epilogues_of_sixteen_bits_round_each();
    void a_widened_operand_is_kept_until_it_changes();
    void a_packed_operand_is_kept_until_it_changes();
};

void TestMatmul::odd_sizes_and_transposes_agree_with_the_definition() {
    const int64_t sizes[][3] = {{1, 1, 1},    {1, 7, 5},    {5, 1, 9},     {3, 130, 70},
                                {130, 3, 70}, {17, 19, 23}, {16, 65, 129}, {33, 31, 1},
                                {70, 90, 5},  {64, 64, 64}, {129, 2, 200}, {100, 130, 77}};
    int ways = 0;
    for (auto& size : sizes)
        for (int bits = 0; bits < 8; ++bits)
            for (int64_t padding : {0, 3}) {
                Options o{{}, size[0], size[1], size[2]};
                o.ta = bits & 1;
                o.tb = bits & 2;
                o.tr = bits & 4;
                o.padding = padding;
                QString complaint = checkAll(o, &ways);
                QVERIFY2(complaint.isEmpty(), qPrintable(complaint));
            }
    // Loops and the chosen way always; the library and the skinny kernels nearly always.
    QVERIFY(ways > 12 * 8 * 2 * 3);
}

void TestMatmul::batches_agree_with_the_definition() {
    for (int bits = 0; bits < 4; ++bits) {
        Options o{{2, 3}, 40, 50, 20};
        o.ta = bits & 1;
        o.tb = bits & 2;
        verify(o);
        verify({{5}, 9, 33, 17, o.ta, o.tb});
        verify({{4}, 33, 9, 17, o.ta, o.tb});
        verify({{2, 1, 2}, 16, 16, 16, o.ta, o.tb});
    }
}

void TestMatmul::a_repeated_operand_is_read_with_stride_zero() {
    for (int64_t m : {3, 40}) {
        Problem p = build({{2, 3}, m, 37, 21});
        p.spec.b.batchStrides = {0, 0};
        if (m == 40) p.spec.a.batchStrides[1] = 0; // repeated where the other one is
        for (int way = 0; way < 2; ++way) {
            auto matmul = way ? makeLoopMatmul(p.spec) : *chosen(p.spec, 2);
            auto pointers = p.pointers();
            QVERIFY(testing::runCall(*matmul, pointers.data(), 2).ok());
            QString complaint = compare(p);
            QVERIFY2(complaint.isEmpty(), qPrintable(complaint));
        }
    }
}

void TestMatmul::biases_of_all_forms_are_added() {
    for (int bias : {1, 2, 3})
        for (int64_t m : {4, 64}) {
            Options o{{}, m, 96, 48};
            o.bias = bias;
            verify(o);
            o.batch = {3};
            verify(o);
        }
}

void TestMatmul::epilogues_run_in_order() {
    const std::vector<std::vector<Kind>> chains = {
        {Kind::MulScalar},
        {Kind::AddScalar, Kind::MulScalar},
        {Kind::MulScalar, Kind::AddScalar},
        {Kind::AddTensor},
        {Kind::AddTensor, Kind::MulScalar, Kind::AddTensor},
        {Kind::AddScalar, Kind::Relu},
        {Kind::Relu, Kind::AddTensor, Kind::Relu, Kind::MulScalar},
    };
    for (const auto& chain : chains)
        for (int bias : {0, 1, 2})
            for (int64_t m : {3, 50})
                for (bool batched : {false, true}) {
                    Options o{{}, m, 70, 40};
                    if (batched) o.batch = {3};
                    o.bias = bias;
                    o.epilogues = chain;
                    verify(o);
                }
}

void TestMatmul::relu_keeps_nan_and_infinities_keep_their_meaning() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (int64_t m : {4, 64}) {
        Options o{{}, m, 80, 32};
        o.epilogues = {Kind::AddScalar, Kind::Relu};
        for (bool library : {false, true}) {
            Problem p = build(o);
            p.memory[0][5] = std::numeric_limits<float>::quiet_NaN();
            p.memory[1][3] = kInfinity;
            p.memory[1][7] = -kInfinity;
            auto matmul = library ? *makeDnnlMatmul(p.spec, 2) : *chosen(p.spec, 2);
            auto pointers = p.pointers();
            QVERIFY(testing::runCall(*matmul, pointers.data(), 2).ok());
            QString complaint = compare(p);
            QVERIFY2(complaint.isEmpty(), qPrintable(complaint));
            QVERIFY(std::isnan(p.memory.back()[0]));
        }
    }
}

void TestMatmul::every_instruction_set_gives_the_same_product() {
    std::vector<SkinnyKernels> sets{skinnyKernelsBase()};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        sets.push_back(skinnyKernelsAvx2());
    if (__builtin_cpu_supports("avx512f")) sets.push_back(skinnyKernelsAvx512());
#endif
    for (const SkinnyKernels& set : sets)
        for (int64_t rows : {1, 2, 3, 7})
            for (bool dots : {false, true}) {
                Options o{{}, rows, 1100, 45};
                o.tb = dots;
                Problem p = build(o);
                const MatmulSpec& s = p.spec;
                SkinnyProblem problem{p.memory[0].data(),
                                      s.a.rowStride,
                                      1,
                                      p.memory[1].data(),
                                      s.b.columnStride,
                                      s.b.rowStride,
                                      p.memory[2].data(),
                                      s.result.rowStride,
                                      1,
                                      rows,
                                      s.k};
                (dots ? set.dots : set.sweep)(problem, 0, 700);
                (dots ? set.dots : set.sweep)(problem, 700, 1100);
                QString complaint = compare(p);
                QVERIFY2(complaint.isEmpty(), qPrintable(set.name + (": " + complaint)));
            }
}

void TestMatmul::other_dtypes_are_multiplied_exactly() {
    MatmulSpec spec;
    spec.m = spec.n = spec.k = 2;
    spec.a = spec.b = spec.result = {{}, 2, 1};
    int64_t a[] = {1, 2, 3, int64_t{1} << 60}, b[] = {5, 6, 7, 1}, c[4] = {};
    void* pointers[] = {a, b, c};
    spec.dtype = ir::DType::Int64;
    QVERIFY(testing::runCall(**chosen(spec, 2), pointers, 2).ok());
    QCOMPARE(c[0], int64_t{19});
    QCOMPARE(c[1], int64_t{8});
    QCOMPARE(c[3], 18 + (int64_t{1} << 60));
    double x[] = {0.1, 0.2, 0.3, 0.4}, y[] = {1, 2, 3, 4}, z[4] = {};
    void* doubles[] = {x, y, z};
    spec.dtype = ir::DType::Float64;
    QVERIFY(testing::runCall(**chosen(spec, 2), doubles, 2).ok());
    QCOMPARE(z[0], 0.1 * 1 + 0.2 * 3);
}

void TestMatmul::an_empty_sum_gives_the_bias() {
    Options o{{}, 3, 5, 0};
    o.bias = 1;
    o.epilogues = {Kind::Relu};
    Problem p = build(o);
    auto pointers = p.pointers();
    QVERIFY(testing::runCall(**chosen(p.spec, 2), pointers.data(), 2).ok());
    QString complaint = compare(p);
    QVERIFY2(complaint.isEmpty(), qPrintable(complaint));
}

void TestMatmul::large_products_use_the_library_and_small_ones_do_not() {
    auto implementation = [](Options o) { return (*chosen(build(o).spec, 2))->implementation(); };
    for (int bits = 0; bits < 4; ++bits) {
        bool ta = bits & 1, tb = bits & 2;
        std::string large = implementation({{}, 128, 256, 64, ta, tb});
        QVERIFY2(large.starts_with("oneDNN ") && large.find("ref") == std::string::npos,
                 large.c_str());
        std::string batched = implementation({{2, 2}, 64, 64, 32, ta, tb});
        QVERIFY2(batched.starts_with("oneDNN ") && batched.find("ref") == std::string::npos,
                 batched.c_str());
    }
    QVERIFY(implementation({{}, 4, 256, 64, false, true}).starts_with("dots "));
    QVERIFY(implementation({{}, 4, 256, 64, false, false}).starts_with("sweep "));
    QVERIFY(implementation({{}, 256, 256, 4, true, false}).starts_with("sweep "));
}

void TestMatmul::heads_inside_a_row_need_no_copy() {
    // [batch, head, position, feature] as a view of [batch, position, head, feature].
    Options o{{2, 4}, 30, 30, 16};
    Problem p = build(o);
    p.spec.a = {{30 * 64, 16}, 64, 1};
    p.spec.b = {{30 * 64, 16}, 1, 64};
    auto matmul = *chosen(p.spec, 2);
    QVERIFY2(matmul->implementation() != "loops", matmul->implementation().c_str());
    auto pointers = p.pointers();
    QVERIFY(testing::runCall(*matmul, pointers.data(), 2).ok());
    QString complaint = compare(p);
    QVERIFY2(complaint.isEmpty(), qPrintable(complaint));
}

void TestMatmul::a_prepared_product_can_move_to_another_thread() {
    Problem p = build({{}, 100, 120, 300, true, false});
    auto matmul = *chosen(p.spec, 2);
    auto pointers = p.pointers();
    bool ok = false;
    std::unique_ptr<QThread> thread(
        QThread::create([&] { ok = testing::runCall(*matmul, pointers.data(), 2).ok(); }));
    thread->start();
    QVERIFY(thread->wait(20000));
    QVERIFY(ok);
    QString complaint = compare(p);
    QVERIFY2(complaint.isEmpty(), qPrintable(complaint));
}

void TestMatmul::sixteen_bits_are_summed_in_float32_and_rounded_once() {
    const int64_t sizes[][3] = {{1, 1, 1},     {1, 7, 5},    {5, 1, 9},      {3, 130, 70},
                                {130, 3, 70},  {17, 19, 23}, {16, 65, 129},  {33, 31, 1},
                                {64, 64, 64},  {3, 5, 0},    {100, 130, 77}, {1, 300, 200},
                                {40, 48, 1000}};
    int ways = 0;
    for (ir::DType dtype : {ir::DType::BFloat16, ir::DType::Float16})
        for (auto& size : sizes)
            for (int bits = 0; bits < 4; ++bits)
                for (int bias = 0; bias < 4; ++bias)
                    for (int form = 0; form < 3; ++form) {
                        Options o{{}, size[0], size[1], size[2]};
                        o.ta = bits & 1;
                        o.tb = bits & 2;
                        if (form == 1) o.batch = {2, 3};
                        o.padding = form == 2 ? 3 : 0;
                        o.bias = bias;
                        QString complaint = checkHalves(o, dtype, &ways);
                        QVERIFY2(complaint.isEmpty(), qPrintable(complaint));
                    }
    QVERIFY(ways >= 2 * 13 * 4 * 4 * 3); // in float32 always
}

void TestMatmul::epilogues_of_sixteen_bits_round_each() {
    for (ir::DType dtype : {ir::DType::BFloat16, ir::DType::Float16})
        for (int bias : {0, 1, 2})
            for (const auto& chain :
                 std::vector<std::vector<Kind>>{{Kind::Relu},
                                                {Kind::AddTensor},
                                                {Kind::MulScalar},
                                                {Kind::Relu, Kind::AddTensor}}) {
                Options o{{3}, 50, 70, 40};
                o.bias = bias;
                o.epilogues = chain;
                QString complaint = checkHalves(o, dtype);
                QVERIFY2(complaint.isEmpty(), qPrintable(complaint));
            }
    // 256 + 1 is 256 in bfloat16, and so once more; 256 + 2 would be 258.
    Options o{{}, 1, 1, 1};
    o.epilogues = {Kind::AddScalar, Kind::AddScalar};
    Problem p = build(o);
    p.memory[0] = {16}, p.memory[1] = {16};
    for (EpilogueSpec& epilogue : p.spec.epilogues)
        epilogue.scalar = 1;
    Halves halves(p, ir::DType::BFloat16);
    QVERIFY(halves.run(p, **chosen(p.spec, 2)).ok());
    QCOMPARE(p.memory.back()[0], 256.0f);
    // NaN stays behind a relu.
    o.epilogues = {Kind::Relu};
    p = build(o);
    p.memory[0] = {std::numeric_limits<float>::quiet_NaN()};
    Halves nan(p, ir::DType::Float16);
    QVERIFY(nan.run(p, **chosen(p.spec, 2)).ok());
    QVERIFY(std::isnan(p.memory.back()[0]));
}

void TestMatmul::a_widened_operand_is_kept_until_it_changes() {
    Options o{{}, 20, 30, 10};
    Problem p = build(o);
    Halves halves(p, ir::DType::Float16);
    const ProviderContext context{.threads = 2, .wanted = "in float32"};
    auto matmul = *makeLibraryKernel(ir::Device::Kind::Cpu, p.spec, context);
    QVERIFY2(matmul->implementation().ends_with("in float32"), matmul->implementation().c_str());
    QVERIFY(halves.run(p, *matmul).ok());
    QVERIFY(compare(p).isEmpty());
    // What is said to be as it was is not read again; what is not said is.
    for (size_t i = 0; i < halves.memory[1].size(); ++i) {
        p.memory[1][i] *= -1;
        Halves::rounded(p.memory[1][i], p.spec.dtype, &halves.memory[1][i]);
    }
    QVERIFY(matmul->keeps(1));
    matmul->sameAsLast(1);
    QVERIFY(halves.run(p, *matmul).ok());
    QVERIFY(!compare(p).isEmpty());
    QVERIFY(halves.run(p, *matmul).ok());
    QString complaint = compare(p);
    QVERIFY2(complaint.isEmpty(), qPrintable(complaint));
}

void TestMatmul::a_packed_operand_is_kept_until_it_changes() {
    for (ir::DType dtype : {ir::DType::Float32, ir::DType::BFloat16}) {
        Problem p = build({{}, 300, 520, 260});
        std::optional<Halves> halves;
        if (ir::isHalf(dtype)) halves.emplace(p, dtype);
        auto matmul = makeDnnlMatmul(p.spec, 2);
        if (!matmul || !*matmul) continue; // nothing multiplies these here
        const auto run = [&] {
            auto pointers = p.pointers();
            return halves ? halves->run(p, **matmul)
                          : testing::runCall(**matmul, pointers.data(), 2);
        };
        QVERIFY(run().ok());
        QString complaint = compare(p);
        QVERIFY2(complaint.isEmpty(), qPrintable(complaint));
        if (!(*matmul)->keeps(1)) continue; // the library wants it as it lies
        for (float& value : p.memory[1])
            value *= -1;
        if (halves)
            for (uint16_t& bits : halves->memory[1])
                bits ^= 0x8000;
        (*matmul)->sameAsLast(1);
        QVERIFY(run().ok());
        QVERIFY(!compare(p).isEmpty());
        QVERIFY(run().ok());
        complaint = compare(p);
        QVERIFY2(complaint.isEmpty(), qPrintable(complaint));
    }
}

QTEST_APPLESS_MAIN(TestMatmul)
#include "test_matmul.moc"
