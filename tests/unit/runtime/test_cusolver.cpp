// SPDX-License-Identifier: Apache-2.0
// Factorizations and solutions on a GPU by cuSOLVER against LAPACK's, errors included; a named skip
// where there is no GPU. What needs none: the texts around its calls compile, and who is chosen.
#include "core/jit/cpu_compiler.h"
#include "core/runtime/cusolver.h"
#include "core/runtime/library.h"
#include "tests/support/library_run.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace cutaway;
using namespace cutaway::runtime;

namespace {

using Kind = kernel::MatrixTask::Kind;

struct Task {
    const char* words;
    bool square; ///< else of any sizes
    bool heavy;  ///< the diagonal: so that each matrix has a solution
};
constexpr Task kTasks[] = {{"cholesky", true, true},
                           {"cholesky, quiet", true, true},
                           {"lu", false, false},
                           {"solve", true, true},
                           {"inverse", true, true},
                           {"triangular", true, true},
                           {"triangular, upper", true, true},
                           {"triangular, upper, unit", true, true},
                           {"eigen", true, false},
                           {"eigen, upper", true, false},
                           {"eigen, values", true, false},
                           {"singular", false, false},
                           {"singular, full", false, false},
                           {"singular, values", false, false},
                           {"qr", false, false},
                           {"qr, full", false, false},
                           {"reflectors", false, false}};

struct MatrixCase {
    MatricesSpec spec;
    std::vector<double> first, second;
};

/// \param longest of the sides
MatrixCase matrixCase(const Task& task, uint32_t seed, ir::DType dtype, int64_t longest) {
    auto random = [state = uint64_t{seed} * 7919 + 17]() mutable {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<double>(state >> 11) * 0x1p-53;
    };
    auto side = [&] { return 1 + static_cast<int64_t>(random() * double(longest)); };
    MatrixCase made;
    MatricesSpec& spec = made.spec;
    spec.task = *kernel::MatrixTask::fromText(task.words);
    spec.dtype = dtype;
    spec.rows = side();
    spec.columns = task.square ? spec.rows : side();
    const bool two = spec.task.hasTwoOperands();
    spec.right = two ? side() : 0;
    if (seed % 3 == 1) spec.batch = {3};
    if (seed % 3 == 2) spec.batch = {2, 2};
    const bool turned = seed % 2;
    const auto view = [&](int64_t rows, int64_t columns) {
        MatrixView all{std::vector<int64_t>(spec.batch.size()), turned ? 1 : columns,
                       turned ? rows : 1};
        int64_t step = rows * columns;
        for (size_t d = spec.batch.size(); d-- > 0; step *= spec.batch[d])
            all.batchStrides[d] = step;
        return all;
    };
    spec.matrix = view(spec.rows, spec.columns);
    if (two) spec.second = view(spec.rows, spec.right);
    spec.result = view(1, spec.length());
    spec.result.columnStride = 1;
    made.first.resize(static_cast<size_t>(spec.batches() * spec.rows * spec.columns));
    for (size_t e = 0; e < made.first.size(); ++e) {
        const auto place = static_cast<int64_t>(e) % (spec.rows * spec.columns);
        const bool diagonal = task.heavy && place / spec.columns == place % spec.columns;
        made.first[e] = 2 * random() - 1 + (diagonal ? 2 + static_cast<double>(spec.rows) : 0);
    }
    made.second.resize(static_cast<size_t>(spec.batches() * spec.rows * spec.right));
    for (double& x : made.second)
        x = 2 * random() - 1;
    return made;
}

ir::HostTensor hostOf(const std::vector<double>& values, ir::DType dtype) {
    auto host = ir::HostTensor::zeros(dtype, {static_cast<int64_t>(values.size())});
    for (size_t i = 0; i < values.size(); ++i)
        host.set(static_cast<int64_t>(i), values[i]);
    return host;
}

struct Outcome {
    std::vector<double> result;
    std::string error;
    std::string by;
};

Outcome byLapack(const MatrixCase& c) {
    std::vector<ir::HostTensor> hosts{hostOf(c.first, c.spec.dtype)};
    if (c.spec.task.hasTwoOperands()) hosts.push_back(hostOf(c.second, c.spec.dtype));
    const auto count = static_cast<size_t>(c.spec.batches() * c.spec.length());
    hosts.push_back(hostOf(std::vector<double>(count), c.spec.dtype));
    std::vector<void*> pointers;
    for (ir::HostTensor& host : hosts)
        pointers.push_back(host.bytes.data());
    Outcome outcome;
    const auto status = testing::runCall(*makeLapack(c.spec), pointers.data(), 1);
    if (!status.ok()) outcome.error = status.error().message;
    for (size_t i = 0; i < count; ++i)
        outcome.result.push_back(hosts.back().get(static_cast<int64_t>(i)));
    return outcome;
}

base::Result<Outcome> byCusolver(CudaDevice& device, const MatrixCase& c) {
    const ir::Device cuda{ir::Device::Kind::Cuda, 0};
    std::vector<TensorPtr> tensors;
    std::vector<void*> pointers;
    const auto add = [&](const std::vector<double>& values) -> base::Status {
        CUTAWAY_TRY(TensorPtr tensor, fromHost(hostOf(values, c.spec.dtype), cuda));
        pointers.push_back(tensor->data());
        tensors.push_back(std::move(tensor));
        return {};
    };
    CUTAWAY_CHECK(add(c.first));
    if (c.spec.task.hasTwoOperands()) CUTAWAY_CHECK(add(c.second));
    const auto count = static_cast<size_t>(c.spec.batches() * c.spec.length());
    CUTAWAY_CHECK(add(std::vector<double>(count, 12345)));
    CUTAWAY_TRY(LibraryKernelPtr kernel, makeCusolver(device, c.spec));
    CUTAWAY_TRY(const StoragePtr memory,
                device.allocate(static_cast<size_t>(kernel->workspace(1))));
    Outcome outcome;
    for (int round = 0; round < 2; ++round) { // the second finds the memory used
        const auto status = kernel->run(pointers.data(), memory->data(), 1);
        outcome.error = status.ok() ? std::string() : status.error().message;
    }
    outcome.by = kernel->implementation();
    CUTAWAY_TRY(const ir::HostTensor found, toHost(*tensors.back()));
    for (size_t i = 0; i < count; ++i)
        outcome.result.push_back(found.get(static_cast<int64_t>(i)));
    return outcome;
}

/// a [m k] times b [k n].
std::vector<double> product(const double* a, const double* b, int64_t m, int64_t k, int64_t n,
                            const double* between = nullptr, bool turnA = false,
                            bool turnB = false) {
    std::vector<double> all;
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
            double sum = 0;
            for (int64_t l = 0; l < k; ++l)
                sum += a[turnA ? l * m + i : i * k + l] * (between ? between[l] : 1) *
                       b[turnB ? j * k + l : l * n + j];
            all.push_back(sum);
        }
    return all;
}

/// What of one row of the result is the same whoever computes it: vectors are unique up to signs,
/// and those of no value not even that.
std::vector<double> unique(const MatricesSpec& spec, const double* row) {
    const int64_t m = spec.rows, n = spec.columns, k = std::min(m, n);
    std::vector<double> all;
    const auto add = [&](const std::vector<double>& part) {
        all.insert(all.end(), part.begin(), part.end());
    };
    if (spec.task.values || (spec.task.kind != Kind::Eigen && spec.task.kind != Kind::Singular))
        return {row, row + spec.length()};
    if (spec.task.kind == Kind::Eigen) {
        add({row, row + n});
        const double* vectors = row + n;
        add(product(vectors, vectors, n, n, n, row, false, true));
        add(product(vectors, vectors, n, n, n, nullptr, true));
        return all;
    }
    const int64_t left = spec.task.full ? m : k, right = spec.task.full ? n : k;
    const double *u = row, *s = u + m * left, *v = s + k;
    add({s, s + k});
    add(product(u, u, left, m, left, nullptr, true));
    add(product(v, v, right, n, right, nullptr, false, true));
    std::vector<double> first; // columns of U that have a value
    for (int64_t i = 0; i < m; ++i)
        first.insert(first.end(), u + i * left, u + i * left + k);
    add(product(first.data(), v, m, k, n, s));
    return all;
}

QString whyNoDevice() {
    const auto device = cudaDevice(0);
    return QString::fromStdString(device.ok() ? whyNoCusolver() : device.error().message);
}

#define NEEDS_CUSOLVER()                                                                           \
    if (QString why = whyNoDevice(); !why.isEmpty()) QSKIP(qPrintable(why))

} // namespace

class TestCusolver : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void texts_for_cuda_compile() {
        for (const Task& task : kTasks)
            for (uint32_t seed : {1u, 2u, 6u}) {
                const MatrixCase c = matrixCase(task, seed, ir::DType::Float32, 9);
                for (const std::string entry : {"matrices_pack", "matrices_unpack"}) {
                    auto ptx = jit::previewPtx(entry, matricesText(c.spec), "sm_90");
                    QVERIFY2(ptx.ok(), ptx.ok() ? "" : ptx.error().str().c_str());
                    QVERIFY(ptx->find(".visible .entry " + entry) != std::string::npos);
                }
            }
    }

    void small_matrices_and_many_go_to_the_processor() {
        const auto first = [](const char* words, int64_t n, std::vector<int64_t> batch) {
            MatricesSpec spec;
            spec.task = *kernel::MatrixTask::fromText(words);
            spec.rows = spec.columns = spec.right = n;
            spec.matrix.batchStrides.assign(batch.size(), n * n);
            spec.second = spec.result = spec.matrix;
            spec.batch = std::move(batch);
            return considerProviders(ir::Device::Kind::Cuda, spec, {}).front().provider->name;
        };
        const std::string_view cusolver = "cuSOLVER", lapack = "LAPACK of the CPU";
        for (const char* words : {"cholesky", "lu", "solve", "inverse", "triangular", "qr",
                                  "reflectors", "eigen", "singular"}) {
            QCOMPARE(first(words, 1000, {}), cusolver);
            QCOMPARE(first(words, 4, {1000}), lapack);
        }
        QCOMPARE(first("cholesky", 4, {}), lapack);
        QCOMPARE(first("exponential", 1000, {}), lapack); // it has none
        QCOMPARE(first("symmetric", 1000, {}), lapack);
        QCOMPARE(first("cholesky", 40000, {}), lapack); // more than it counts
    }

    void factors_and_solutions_are_lapacks() {
        NEEDS_CUSOLVER();
        auto device = CudaDevice::open(0);
        QVERIFY(device.ok());
        for (const Task& task : kTasks)
            for (ir::DType dtype : {ir::DType::Float32, ir::DType::Float64})
                for (uint32_t seed = 1; seed <= 6; ++seed) {
                    const MatrixCase c = matrixCase(task, seed, dtype, seed == 6 ? 150 : 12);
                    const Outcome wanted = byLapack(c);
                    const auto found = byCusolver(**device, c);
                    QVERIFY2(found.ok(), found.ok() ? "" : found.error().str().c_str());
                    QCOMPARE(found->error, wanted.error);
                    const double limit = dtype == ir::DType::Float64 ? 1e-9 : 1e-3;
                    for (int64_t b = 0; b < c.spec.batches(); ++b) {
                        const int64_t at = b * c.spec.length();
                        const auto ours = unique(c.spec, found->result.data() + at);
                        const auto theirs = unique(c.spec, wanted.result.data() + at);
                        double scale = 1;
                        for (double x : theirs)
                            scale = std::max(scale, std::fabs(x));
                        for (size_t i = 0; i < ours.size(); ++i)
                            QVERIFY2(std::fabs(ours[i] - theirs[i]) <= limit * scale,
                                     qPrintable(QString("%1, %2 x %3, seed %4, by %5: number %6 is "
                                                        "%7, LAPACK's %8")
                                                    .arg(task.words)
                                                    .arg(c.spec.rows)
                                                    .arg(c.spec.columns)
                                                    .arg(seed)
                                                    .arg(found->by.c_str())
                                                    .arg(i)
                                                    .arg(ours[i])
                                                    .arg(theirs[i])));
                    }
                }
    }

    void what_fails_is_told_as_lapack_tells_it() {
        NEEDS_CUSOLVER();
        auto device = CudaDevice::open(0);
        QVERIFY(device.ok());
        for (const char* words : {"cholesky", "inverse", "solve", "lu", "singular"}) {
            for (const Task& task : kTasks) {
                if (std::string_view(task.words) != words) continue;
                MatrixCase c = matrixCase({words, true, true}, 4, ir::DType::Float32, 5);
                const auto whole = static_cast<size_t>(c.spec.rows * c.spec.columns);
                const double bad = c.spec.task.kind == Kind::Singular
                                       ? std::numeric_limits<double>::quiet_NaN()
                                       : 0;
                std::fill_n(c.first.begin() + static_cast<ptrdiff_t>(whole), whole, bad);
                const auto found = byCusolver(**device, c);
                QVERIFY2(found.ok(), found.ok() ? "" : found.error().str().c_str());
                QVERIFY2(found->error.find("(Batch element 1)") != std::string::npos, words);
                QCOMPARE(found->error, byLapack(c).error);
            }
        }
        MatrixCase c = matrixCase({"eigen", true, false}, 3, ir::DType::Float64, 7);
        c.first[0] = std::numeric_limits<double>::infinity();
        const auto found = byCusolver(**device, c);
        QVERIFY(found.ok() && found->error.empty());
        for (double x : found->result)
            QVERIFY(std::isnan(x));
    }
};

QTEST_APPLESS_MAIN(TestCusolver)
#include "test_cusolver.moc"
