// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cusolver.h"

#include "core/jit/cuda_library.h"
#include "core/runtime/cuda_generic.h"
#include "core/runtime/cuda_handles.h"
#include "core/runtime/matrix_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace cutaway::runtime {
namespace {

using Kind = kernel::MatrixTask::Kind;

// What of cusolverDn.h and cublas_v2.h is used; the numbers are part of their binary interface.
using Handle = void*;
enum { kLower = 0, kUpper = 1 };        // CUBLAS_FILL_MODE_..
enum { kNoTranspose = 0, kLeft = 0 };   // CUBLAS_OP_N, CUBLAS_SIDE_LEFT
enum { kValues = 0, kWithVectors = 1 }; // CUSOLVER_EIG_MODE_..
constexpr const char* kHint = "install the CUDA toolkit's cuSOLVER and cuBLAS, or set CUDA_HOME";

/// The routines for one dtype. Sizes of their work space are counted in elements.
template <typename T> struct Routines {
    int (*potrfSize)(Handle, int uplo, int n, T* a, int lda, int* count) = nullptr;
    int (*potrf)(Handle, int uplo, int n, T* a, int lda, T* work, int count, int* info) = nullptr;
    int (*getrfSize)(Handle, int m, int n, T* a, int lda, int* count) = nullptr;
    int (*getrf)(Handle, int m, int n, T* a, int lda, T* work, int* pivots, int* info) = nullptr;
    int (*getrs)(Handle, int trans, int n, int right, const T* a, int lda, const int* pivots, T* b,
                 int ldb, int* info) = nullptr;
    int (*geqrfSize)(Handle, int m, int n, T* a, int lda, int* count) = nullptr;
    int (*geqrf)(Handle, int m, int n, T* a, int lda, T* tau, T* work, int count,
                 int* info) = nullptr;
    int (*orgqrSize)(Handle, int m, int n, int k, const T* a, int lda, const T* tau,
                     int* count) = nullptr;
    int (*orgqr)(Handle, int m, int n, int k, T* a, int lda, const T* tau, T* work, int count,
                 int* info) = nullptr;
    int (*syevdSize)(Handle, int job, int uplo, int n, const T* a, int lda, const T* w,
                     int* count) = nullptr;
    int (*syevd)(Handle, int job, int uplo, int n, T* a, int lda, T* w, T* work, int count,
                 int* info) = nullptr;
    int (*gesvdSize)(Handle, int m, int n, int* count) = nullptr;
    int (*gesvd)(Handle, signed char jobU, signed char jobV, int m, int n, T* a, int lda, T* s,
                 T* u, int ldu, T* v, int ldv, T* work, int count, T* real, int* info) = nullptr;
    int (*trsm)(Handle, int side, int uplo, int trans, int diagonal, int m, int n, const T* alpha,
                const T* a, int lda, T* b, int ldb) = nullptr;

    bool load(const jit::CudaLibrary& solver, const jit::CudaLibrary& blas, char letter) {
        const auto get = [&](auto& function, const char* name) {
            return solver.load(function, fmt::format("cusolverDn{}{}", letter, name).c_str());
        };
        return get(potrfSize, "potrf_bufferSize") && get(potrf, "potrf") &&
               get(getrfSize, "getrf_bufferSize") && get(getrf, "getrf") && get(getrs, "getrs") &&
               get(geqrfSize, "geqrf_bufferSize") && get(geqrf, "geqrf") &&
               get(orgqrSize, "orgqr_bufferSize") && get(orgqr, "orgqr") &&
               get(syevdSize, "syevd_bufferSize") && get(syevd, "syevd") &&
               get(gesvdSize, "gesvd_bufferSize") && get(gesvd, "gesvd") &&
               blas.load(trsm, fmt::format("cublas{}trsm_v2", letter).c_str());
    }
};

struct Libraries {
    int (*createSolver)(Handle*) = nullptr;
    int (*streamOfSolver)(Handle, CuStream) = nullptr;
    int (*createBlas)(Handle*) = nullptr;
    int (*streamOfBlas)(Handle, CuStream) = nullptr;
    Routines<float> single;
    Routines<double> twice;

    template <typename T> const Routines<T>& routines() const {
        if constexpr (std::is_same_v<T, double>)
            return twice;
        else
            return single;
    }
};

base::Result<Libraries> openLibraries() {
    CUTAWAY_TRY(const jit::CudaLibrary blas,
                jit::CudaLibrary::open("cuBLAS, which solves with triangles,",
                                       {"libcublas.so.13", "libcublas.so.12", "libcublas.so"},
                                       kHint));
    CUTAWAY_TRY(const jit::CudaLibrary solver,
                jit::CudaLibrary::open("cuSOLVER, which factors matrices,",
                                       {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"},
                                       kHint));
    Libraries all;
    if (!solver.load(all.createSolver, "cusolverDnCreate") ||
        !solver.load(all.streamOfSolver, "cusolverDnSetStream") ||
        !blas.load(all.createBlas, "cublasCreate_v2") ||
        !blas.load(all.streamOfBlas, "cublasSetStream_v2") || !all.single.load(solver, blas, 'S') ||
        !all.twice.load(solver, blas, 'D'))
        return base::environmentError("the cuSOLVER library found lacks functions that are used",
                                      kHint);
    return all;
}

struct Handles {
    Handle solver = nullptr, blas = nullptr;
};

base::Status start(const Libraries& all, CudaDevice& device, Handles& handles) {
    int status = all.createSolver(&handles.solver);
    if (status == 0) status = all.streamOfSolver(handles.solver, device.stream());
    if (status == 0) status = all.createBlas(&handles.blas);
    if (status == 0) status = all.streamOfBlas(handles.blas, device.stream());
    if (status == 0) return {};
    return base::environmentError(fmt::format("cuSOLVER cannot start: status {}", status), kHint);
}

bool isWide(const MatricesSpec& spec) {
    return spec.task.kind == Kind::Singular && spec.rows < spec.columns;
}
int64_t rightOf(const MatricesSpec& spec) {
    return spec.task.kind == Kind::Inverse ? spec.rows : spec.right;
}
int64_t smallSide(const MatricesSpec& spec) {
    return std::min(spec.rows, spec.columns);
}
/// Columns of Q.
int64_t innerOf(const MatricesSpec& spec) {
    return spec.task.full ? spec.rows : smallSide(spec);
}
/// Whether a matrix may have no such factorization or solution.
bool mayFail(Kind kind) {
    return kind != Kind::Triangular && kind != Kind::Qr && kind != Kind::Reflectors;
}

/// What of a call's memory is whose; bytes from its start.
class Parts {
public:
    int64_t add(int64_t bytes) {
        const int64_t at = size_;
        size_ += (bytes + 255) / 256 * 256;
        return at;
    }
    int64_t size() const { return size_; }

private:
    int64_t size_ = 0;
};

template <typename T> class CusolverKernel : public LibraryKernel {
public:
    CusolverKernel(CudaDevice& device, const MatricesSpec& spec, const Libraries& all,
                   Handles handles)
        : device_(device), spec_(spec), call_(all.routines<T>()), handles_(handles),
          m_(static_cast<int>(spec.rows)), n_(static_cast<int>(spec.columns)),
          k_(static_cast<int>(smallSide(spec))), right_(static_cast<int>(rightOf(spec))),
          batches_(spec.batches()) {}

    /// Errors: environment error when a library fails; nothing is queued.
    base::Status prepare() {
        device_.activate();
        CUTAWAY_CHECK(askWork());
        const auto numbers = [&](int64_t each) {
            return parts_.add(batches_ * each * int64_t{sizeof(T)});
        };
        infoAt_ = parts_.add((2 * batches_ + 1) * int64_t{sizeof(int)});
        aAt_ = numbers(spec_.rows * spec_.columns);
        bAt_ = numbers(spec_.rows * right_);
        sAt_ = numbers(spec_.columns);
        uEach_ = sizeOfU();
        vEach_ = sizeOfV();
        uAt_ = numbers(uEach_);
        vAt_ = numbers(vEach_);
        pivotsAt_ = parts_.add(batches_ * k_ * int64_t{sizeof(int)});
        workAt_ = parts_.add(int64_t{workCount_} * int64_t{sizeof(T)});
        return loadKernels();
    }

    int64_t workspace(int) const override { return parts_.size(); }
    std::string implementation() const override {
        return spec_.task.kind == Kind::Triangular ? "cuBLAS" : "cuSOLVER";
    }

    base::Status run(void* const* pointers, void* memory, int) override {
        device_.activate();
        memory_ = static_cast<std::byte*>(memory);
        const bool two = spec_.task.hasTwoOperands();
        CUTAWAY_CHECK(
            device_.zero(ints(infoAt_), sizeof(int) * static_cast<size_t>(2 * batches_ + 1)));
        const void* packed[] = {pointers[0], two ? pointers[1] : nullptr, part(aAt_), part(bAt_),
                                ints(infoAt_) + batches_};
        CUTAWAY_CHECK(launch(*pack_, packed));
        for (int64_t i = 0; i < batches_; ++i)
            CUTAWAY_CHECK(one(i));
        const void* unpacked[] = {part(aAt_),    part(bAt_),           part(sAt_),
                                  part(uAt_),    part(vAt_),           ints(pivotsAt_),
                                  ints(infoAt_), pointers[two ? 2 : 1]};
        CUTAWAY_CHECK(launch(*unpack_, unpacked));
        if (spec_.task.quiet || !mayFail(spec_.task.kind)) return {};
        std::vector<int> infos(static_cast<size_t>(2 * batches_));
        CUTAWAY_CHECK(device_.copyToHost(infos.data(), ints(infoAt_), infos.size() * sizeof(int)));
        for (size_t i = 0, count = infos.size() / 2; i < count; ++i) // not finite, as LAPACK's
            if (infos[count + i] && spec_.task.kind == Kind::Singular) infos[i] = -1;
        infos.resize(infos.size() / 2);
        return whyNoFactors(spec_, infos);
    }

private:
    T* part(int64_t at) const { return reinterpret_cast<T*>(memory_ + at); }
    int* ints(int64_t at) const { return reinterpret_cast<int*>(memory_ + at); }
    int64_t sizeOfU() const {
        if (spec_.task.kind == Kind::Qr) return spec_.rows * innerOf(spec_);
        if (spec_.task.kind != Kind::Singular || spec_.task.values) return 0;
        const int64_t tall = std::max(m_, n_);
        return tall * (spec_.task.full ? tall : k_);
    }
    int64_t sizeOfV() const {
        const bool has = spec_.task.kind == Kind::Singular && !spec_.task.values;
        return has ? int64_t{k_} * k_ : 0;
    }

    base::Status askWork() {
        int first = 0, second = 0, status = 0;
        switch (spec_.task.kind) {
        case Kind::Cholesky:
            status = call_.potrfSize(handles_.solver, kLower, n_, nullptr, m_, &first);
            break;
        case Kind::Lu:
        case Kind::Solve:
        case Kind::Inverse:
            status = call_.getrfSize(handles_.solver, m_, n_, nullptr, m_, &first);
            break;
        case Kind::Qr:
        case Kind::Reflectors:
            status = call_.geqrfSize(handles_.solver, m_, n_, nullptr, m_, &first);
            if (status == 0 && spec_.task.kind == Kind::Qr)
                status = call_.orgqrSize(handles_.solver, m_, static_cast<int>(innerOf(spec_)), k_,
                                         nullptr, m_, nullptr, &second);
            break;
        case Kind::Eigen:
            status = call_.syevdSize(handles_.solver, job(), triangle(), n_, nullptr, m_, nullptr,
                                     &first);
            break;
        case Kind::Singular:
            status = call_.gesvdSize(handles_.solver, std::max(m_, n_), k_, &first);
            break;
        default:
            break;
        }
        workCount_ = std::max({first, second, 1});
        return checked(status);
    }
    int job() const { return spec_.task.values ? kValues : kWithVectors; }
    int triangle() const { return spec_.task.upper ? kUpper : kLower; }
    static base::Status checked(int status) {
        if (status == 0) return {};
        return base::environmentError(fmt::format("cuSOLVER failed: status {}", status),
                                      "check that cuSOLVER and the driver belong together");
    }

    base::Status loadKernels() {
        codegen::KernelSource source;
        source.text = matricesText(spec_);
        source.launch.threads = 256;
        CudaModulePtr module;
        const auto load = [&](const char* entry, int64_t elements) -> base::Result<CudaKernelPtr> {
            source.entry = entry;
            source.launch.blocks = std::clamp<int64_t>((elements + 255) / 256, 1, 1 << 16);
            if (!module) {
                CUTAWAY_TRY(module, loadModule(device_, source));
            }
            return CudaKernel::load(source, module);
        };
        CUTAWAY_TRY(pack_, load("matrices_pack", batches_ * spec_.rows * spec_.columns));
        CUTAWAY_TRY(unpack_, load("matrices_unpack", batches_ * spec_.length()));
        return {};
    }
    template <size_t count>
    static base::Status launch(const CudaKernel& kernel, const void* (&values)[count]) {
        void* arguments[count];
        for (size_t i = 0; i < count; ++i)
            arguments[i] = &values[i];
        return kernel.launch(arguments);
    }

    /// Matrix number \p i, in its parts of the memory.
    base::Status one(int64_t i) {
        T* a = part(aAt_) + i * m_ * n_;
        T* b = part(bAt_) + i * m_ * right_;
        T* s = part(sAt_) + i * n_;
        T* work = part(workAt_);
        int* pivots = ints(pivotsAt_) + i * k_;
        int* info = ints(infoAt_) + i;
        int* spare = ints(infoAt_) + 2 * batches_;
        const Handle solver = handles_.solver;
        const T unit = 1;
        switch (spec_.task.kind) {
        case Kind::Cholesky:
            return checked(call_.potrf(solver, kLower, n_, a, m_, work, workCount_, info));
        case Kind::Lu:
            return checked(call_.getrf(solver, m_, n_, a, m_, work, pivots, info));
        case Kind::Solve:
        case Kind::Inverse:
            CUTAWAY_CHECK(checked(call_.getrf(solver, m_, n_, a, m_, work, pivots, info)));
            if (right_ == 0) return {};
            return checked(
                call_.getrs(solver, kNoTranspose, n_, right_, a, m_, pivots, b, m_, spare));
        case Kind::Triangular:
            return checked(call_.trsm(handles_.blas, kLeft, triangle(), kNoTranspose,
                                      spec_.task.unit, m_, right_, &unit, a, m_, b, m_));
        case Kind::Eigen:
            return checked(
                call_.syevd(solver, job(), triangle(), n_, a, m_, s, work, workCount_, info));
        case Kind::Singular:
            return singular(i, a, s, work, info);
        default: // Qr, Reflectors
            CUTAWAY_CHECK(checked(call_.geqrf(solver, m_, n_, a, m_, s, work, workCount_, spare)));
            if (spec_.task.kind == Kind::Reflectors) return {};
            T* q = part(uAt_) + i * uEach_;
            CUTAWAY_CHECK(
                device_.copyWithin(q, a, sizeof(T) * static_cast<size_t>(int64_t{m_} * k_)));
            return checked(call_.orgqr(solver, m_, static_cast<int>(innerOf(spec_)), k_, q, m_, s,
                                       work, workCount_, spare));
        }
    }
    /// gesvd takes matrices that are not wider than tall: others lie transposed.
    base::Status singular(int64_t i, T* a, T* s, T* work, int* info) {
        const int tall = std::max(m_, n_);
        const auto jobU = static_cast<signed char>(spec_.task.values ? 'N'
                                                   : spec_.task.full ? 'A'
                                                                     : 'S');
        const auto jobV = static_cast<signed char>(spec_.task.values ? 'N' : 'A');
        return checked(call_.gesvd(handles_.solver, jobU, jobV, tall, k_, a, tall, s,
                                   part(uAt_) + i * uEach_, tall, part(vAt_) + i * vEach_, k_, work,
                                   workCount_, nullptr, info));
    }

    CudaDevice& device_;
    MatricesSpec spec_;
    const Routines<T>& call_;
    Handles handles_;
    int m_, n_, k_, right_;
    int64_t batches_;
    Parts parts_;
    int workCount_ = 1;
    /// Infos, whether each matrix has something not finite, a spare one; matrices; solutions;
    /// values or factors of reflectors; Q or U; V^T; pivots; the routines' own.
    int64_t infoAt_ = 0, aAt_ = 0, bAt_ = 0, sAt_ = 0, uAt_ = 0, vAt_ = 0, pivotsAt_ = 0,
            workAt_ = 0;
    int64_t uEach_ = 0, vEach_ = 0;
    CudaKernelPtr pack_, unpack_;
    std::byte* memory_ = nullptr; ///< of the current run
};

template <typename T>
base::Result<LibraryKernelPtr> makeFor(CudaDevice& device, const MatricesSpec& spec) {
    CUTAWAY_TRY(const Libraries* all, openedOnce(openLibraries));
    CUTAWAY_TRY(const Handles handles, handleOf(*all, device, start));
    auto kernel = std::make_unique<CusolverKernel<T>>(device, spec, *all, handles);
    CUTAWAY_CHECK(kernel->prepare());
    return LibraryKernelPtr(std::move(kernel));
}

/// Elements from an operand's start to its matrix number `batch`.
std::string startText(const char* name, const MatrixView& view, const std::vector<int64_t>& batch) {
    std::string text = fmt::format(
        "__device__ __forceinline__ index_t {}(index_t batch) {{\n    index_t at = 0;\n", name);
    for (size_t d = batch.size(); d-- > 0;)
        text += fmt::format("    at += batch % {0} * {1}; batch /= {0};\n", batch[d],
                            view.batchStrides[d]);
    return text + "    return at;\n}\n";
}

/// The number at place i of the result, of a matrix whose parts begin at a, b, s, u, v and p.
std::string_view valueText(const MatricesSpec& spec) {
    switch (spec.task.kind) {
    case Kind::Cholesky:
        return "    if (i == kRows * kColumns) return info;\n"
               "    return i % kColumns <= i / kColumns ? a[i % kColumns * kRows + i / kColumns] : "
               "0;\n";
    case Kind::Lu:
        return R"(    if (i < kRows * kColumns) return a[i % kColumns * kRows + i / kColumns];
    i -= kRows * kColumns;
    if (i < kSmall) return p[i];
    i -= kSmall;
    if (i == kRows) return info;
    for (index_t k = kSmall; k-- > 0;) // where row i stood before each exchange
        i = i == k ? p[k] - 1 : i == p[k] - 1 ? k : i;
    return i;
)";
    case Kind::Solve:
    case Kind::Inverse:
    case Kind::Triangular:
        return "    if (i == kRows * kRight) return info;\n"
               "    return b[i % kDivisor * kRows + i / kDivisor];\n";
    case Kind::Eigen:
        return R"(    if (notFinite) return kNan;
    if (i < kRows) return s[i];
    i -= kRows;
    return a[i % kRows * kRows + i / kRows];
)";
    case Kind::Reflectors:
        return "    if (i < kRows * kColumns) return a[i % kColumns * kRows + i / kColumns];\n"
               "    return s[i - kRows * kColumns];\n";
    case Kind::Qr:
        return R"(    if (i < kRows * kInner) return u[i % kInner * kRows + i / kInner];
    i -= kRows * kInner;
    return i / kColumns <= i % kColumns ? a[i % kColumns * kRows + i / kColumns] : 0;
)";
    default: // Singular
        if (spec.task.values) return "    return notFinite ? kNan : s[i];\n";
        return isWide(spec) ? R"(    if (notFinite) return kNan;
    if (i < kRows * kRows) return v[i];
    i -= kRows * kRows;
    if (i < kSmall) return s[i];
    return u[i - kSmall];
)"
                            : R"(    if (notFinite) return kNan;
    if (i < kRows * kColumnsOfU) return u[i % kColumnsOfU * kRows + i / kColumnsOfU];
    i -= kRows * kColumnsOfU;
    if (i < kSmall) return s[i];
    i -= kSmall;
    return v[i % kColumns * kColumns + i / kColumns];
)";
    }
}

constexpr std::string_view kKernels = R"(
// What is not finite is told, and is 0 for whom it would keep from ending.
extern "C" __global__ void __launch_bounds__(256)
matrices_pack(const element* __restrict__ first, const element* __restrict__ second,
              element* __restrict__ a, element* __restrict__ b, int* __restrict__ notFinite) {
    const index_t from = blockIdx.x * (index_t)blockDim.x + threadIdx.x;
    const index_t step = (index_t)gridDim.x * blockDim.x;
    for (index_t e = from; e < kBatches * kRows * kColumns; e += step) {
        const index_t batch = e / (kRows * kColumns), at = e % (kRows * kColumns);
        const index_t i = at / kColumns, j = at % kColumns;
        element x = first[startOfFirst(batch) + i * kFirstRow + j * kFirstColumn];
        if (kWatches && x - x != 0) {
            notFinite[batch] = 1;
            x = 0;
        }
        a[batch * (kRows * kColumns) + (kWide ? at : j * kRows + i)] = x;
    }
    for (index_t e = from; e < kBatches * kRows * kRight; e += step) {
        const index_t batch = e / (kRows * kRight), i = e % kRows, j = e / kRows % kDivisor;
        b[e] = kUnit ? element(i == j)
                     : second[startOfSecond(batch) + i * kSecondRow + j * kSecondColumn];
    }
}

extern "C" __global__ void __launch_bounds__(256)
matrices_unpack(const element* __restrict__ a, const element* __restrict__ b,
                const element* __restrict__ s, const element* __restrict__ u,
                const element* __restrict__ v, const int* __restrict__ p,
                const int* __restrict__ infos, element* __restrict__ result) {
    const index_t step = (index_t)gridDim.x * blockDim.x;
    for (index_t e = blockIdx.x * (index_t)blockDim.x + threadIdx.x; e < kBatches * kLength;
         e += step) {
        const index_t batch = e / kLength, i = e % kLength;
        result[startOfResult(batch) + i * kResultStep] =
            valueAt(i, a + batch * kRows * kColumns, b + batch * kRows * kRight,
                    s + batch * kColumns, u + batch * kUEach, v + batch * kSmall * kSmall,
                    p + batch * kSmall, infos[batch], infos[kBatches + batch] != 0);
    }
}
)";

} // namespace

std::string whyNoCusolver() {
    const auto found = openedOnce(openLibraries);
    return found.ok() ? std::string() : found.error().message;
}

std::string whyNotByCusolver(const MatricesSpec& spec) {
    switch (spec.task.kind) {
    case Kind::Cholesky:
    case Kind::Lu:
    case Kind::Solve:
    case Kind::Inverse:
    case Kind::Triangular:
    case Kind::Eigen:
    case Kind::Singular:
    case Kind::Qr:
    case Kind::Reflectors:
        break;
    default:
        return "has no such task";
    }
    if (spec.batches() == 0 || spec.rows == 0 || spec.columns == 0 || spec.length() == 0)
        return "has nothing to factor";
    const int64_t longest = std::max({spec.rows, spec.columns, rightOf(spec)});
    if (longest > (1 << 15)) return "takes matrices of up to 32768 rows and columns";
    return {};
}

double cusolverUs(const MatricesSpec& spec) {
    // Microseconds that a call takes of itself and for each column, one after the other.
    double call = 20, column = 3;
    switch (spec.task.kind) {
    case Kind::Cholesky:
        column = 1;
        break;
    case Kind::Triangular:
        call = 10, column = 0.1;
        break;
    case Kind::Eigen:
        call = 200, column = 20;
        break;
    case Kind::Singular:
        call = 500, column = 200;
        break;
    default:
        break;
    }
    const auto cube = static_cast<double>(spec.rows * spec.columns) *
                      static_cast<double>(std::max(spec.columns, rightOf(spec)));
    constexpr double kFlops = 5e6, kKernelsUs = 10;
    return kKernelsUs +
           static_cast<double>(spec.batches()) *
               (call + column * static_cast<double>(smallSide(spec)) + 4 * cube / kFlops);
}

std::string matricesText(const MatricesSpec& spec) {
    const Kind kind = spec.task.kind;
    const bool twice = spec.dtype == ir::DType::Float64, inverse = kind == Kind::Inverse;
    const bool svd = kind == Kind::Singular;
    const int64_t small = smallSide(spec), tall = std::max(spec.rows, spec.columns);
    const int64_t inner = kind == Kind::Qr ? innerOf(spec) : 1;
    const int64_t columnsOfU = svd && spec.task.full ? tall : small;
    const int64_t sizeOfU = kind == Kind::Qr           ? spec.rows * inner
                            : svd && !spec.task.values ? tall * columnsOfU
                                                       : 0;
    std::string text = fmt::format(
        "typedef long long index_t;\ntypedef {} element;\n"
        "constexpr index_t kBatches = {}, kRows = {}, kColumns = {}, kRight = {}, kSmall = {}, "
        "kLength = {},\n    kInner = {}, kColumnsOfU = {}, kUEach = {}, kDivisor = {};\n",
        twice ? "double" : "float", spec.batches(), spec.rows, spec.columns, rightOf(spec), small,
        spec.length(), inner, columnsOfU, sizeOfU, std::max<int64_t>(rightOf(spec), 1));
    text += fmt::format("constexpr index_t kFirstRow = {}, kFirstColumn = {}, kSecondRow = {}, "
                        "kSecondColumn = {}, kResultStep = {};\n",
                        spec.matrix.rowStride, spec.matrix.columnStride, spec.second.rowStride,
                        spec.second.columnStride, spec.result.columnStride);
    text += fmt::format("constexpr bool kWatches = {}, kWide = {}, kUnit = {};\n",
                        svd || kind == Kind::Eigen, isWide(spec), inverse);
    text += startText("startOfFirst", spec.matrix, spec.batch);
    text += startText("startOfSecond", spec.second,
                      spec.task.hasTwoOperands() ? spec.batch : std::vector<int64_t>{});
    text += startText("startOfResult", spec.result, spec.batch);
    text +=
        "__device__ __forceinline__ element valueAt(index_t i, const element* a, const element* "
        "b, const element* s,\n    const element* u, const element* v, const int* p, int info, "
        "bool notFinite) {\n    const element kNan = __int_as_float(0x7fc00000);\n";
    text += valueText(spec);
    return text + "}\n" + std::string(kKernels);
}

base::Result<LibraryKernelPtr> makeCusolver(CudaDevice& device, const MatricesSpec& spec) {
    return spec.dtype == ir::DType::Float64 ? makeFor<double>(device, spec)
                                            : makeFor<float>(device, spec);
}

} // namespace cutaway::runtime
