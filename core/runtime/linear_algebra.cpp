// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/linear_algebra.h"

#include "core/runtime/lapack.h"
#include "core/runtime/matrix_errors.h"

#include <fmt/format.h>
#include <unsupported/Eigen/FFT>

#include <algorithm>
#include <cmath>
#include <limits>

/// Argument that LAPACK refused in this thread, from 1; 0: none.
static thread_local int refusedArgument = 0;

/// Takes the place of LAPACK's own, which ends the process (netlib.org/lapack, xerbla.f).
extern "C" void xerbla_(const char*, const int* argument, size_t) {
    refusedArgument = *argument;
}

namespace cutaway::runtime {

namespace {

/// info of a matrix that LAPACK refused, below all of its own: kRefused minus the argument.
constexpr int kRefused = -1000;

using Kind = kernel::MatrixTask::Kind;

/// Operations that are worth waking threads for.
constexpr int64_t kParallelWork = 1 << 17;

/// One matrix in LAPACK's order.
template <typename T> struct Columns {
    int m = 0, n = 0;
    std::vector<T> elements;

    Columns(int64_t rows, int64_t columns)
        : m(static_cast<int>(rows)), n(static_cast<int>(columns)),
          elements(static_cast<size_t>(rows * columns)) {}
    T& at(int64_t i, int64_t j) { return elements[static_cast<size_t>(j * m + i)]; }
    const T& at(int64_t i, int64_t j) const { return elements[static_cast<size_t>(j * m + i)]; }
    T* data() { return elements.data(); }
    int ld() const { return std::max(m, 1); }
};

/// Does the task for one matrix after the other.
template <typename T> class Worker {
public:
    explicit Worker(const MatricesSpec& spec)
        : spec_(spec), a_(spec.rows, spec.columns),
          b_(spec.rows, spec.task.kind == Kind::Inverse ? spec.rows : spec.right),
          pivots_(static_cast<size_t>(std::min(spec.rows, spec.columns))) {}

    /// \returns info
    int run(const T* matrix, const T* second, T* result) {
        refusedArgument = 0;
        const int info = runTask(matrix, second, result);
        return refusedArgument ? kRefused - refusedArgument : info;
    }

private:
    using L = Lapack<T>;

    int runTask(const T* matrix, const T* second, T* result) {
        result_ = result;
        at_ = 0;
        fill(a_, spec_.matrix, matrix);
        if (spec_.task.hasTwoOperands()) fill(b_, spec_.second, second);
        switch (spec_.task.kind) {
        case Kind::Cholesky:
            return cholesky();
        case Kind::Lu:
            return factor();
        case Kind::Inverse:
        case Kind::Solve:
            return solve();
        case Kind::Triangular:
            return triangular();
        case Kind::Eigen:
            return eigen();
        case Kind::Singular:
            return singular();
        case Kind::Qr:
            return orthogonal();
        case Kind::Exponential:
        case Kind::Places:
            return textbook();
        case Kind::Reflectors:
            return reflectors();
        case Kind::Symmetric:
            return symmetric();
        case Kind::SymmetricSolve:
            return symmetricSolve();
        case Kind::General:
            return general();
        case Kind::Fourier:
            return fourier();
        }
        return 0;
    }

    static void fill(Columns<T>& to, const MatrixView& view, const T* from) {
        for (int64_t j = 0; j < to.n; ++j)
            for (int64_t i = 0; i < to.m; ++i)
                to.at(i, j) = from[i * view.rowStride + j * view.columnStride];
    }
    void put(T value) { result_[at_++ * spec_.result.columnStride] = value; }
    void put(const Columns<T>& matrix, int64_t rows, int64_t columns) {
        for (int64_t i = 0; i < rows; ++i)
            for (int64_t j = 0; j < columns; ++j)
                put(matrix.at(i, j));
    }
    void put(const Columns<T>& matrix) { put(matrix, matrix.m, matrix.n); }
    bool isFinite() const {
        return std::all_of(a_.elements.begin(), a_.elements.end(),
                           [](T x) { return std::isfinite(x); });
    }
    /// Space of the size that the routine asks for, which it tells rounded to T, whatever the
    /// matrix.
    T* space(T wanted) {
        const double count = std::nextafter(wanted, std::numeric_limits<T>::infinity());
        const double most = std::numeric_limits<int>::max();
        work_.resize(
            std::max(work_.size(), static_cast<size_t>(std::clamp(std::ceil(count), 1.0, most))));
        return work_.data();
    }

    int cholesky() {
        int info = 0;
        const int lda = a_.ld();
        L::potrf("L", &a_.n, a_.data(), &lda, &info, 1);
        for (int64_t j = 0; j < a_.n; ++j)
            for (int64_t i = 0; i < j; ++i)
                a_.at(i, j) = 0;
        put(a_);
        put(static_cast<T>(info));
        return info;
    }
    int lu() {
        int info = 0;
        const int lda = a_.ld();
        L::getrf(&a_.m, &a_.n, a_.data(), &lda, pivots_.data(), &info);
        return info;
    }
    int factor() {
        const int info = lu();
        put(a_);
        for (int pivot : pivots_)
            put(static_cast<T>(pivot));
        for (int64_t place : kernel::placesOf({pivots_.begin(), pivots_.end()}, spec_.rows))
            put(static_cast<T>(place));
        put(static_cast<T>(info));
        return info;
    }
    int solve() {
        if (spec_.task.kind == Kind::Inverse) {
            std::fill(b_.elements.begin(), b_.elements.end(), T(0));
            for (int64_t i = 0; i < b_.n; ++i)
                b_.at(i, i) = 1;
        }
        const int info = lu(), lda = a_.ld(), ldb = b_.ld();
        int wrong = 0;
        L::getrs("N", &a_.n, &b_.n, a_.data(), &lda, pivots_.data(), b_.data(), &ldb, &wrong, 1);
        put(b_);
        put(static_cast<T>(info));
        return info;
    }
    int triangular() {
        const T one = 1;
        const int lda = a_.ld(), ldb = b_.ld();
        L::trsm("L", spec_.task.upper ? "U" : "L", "N", spec_.task.unit ? "U" : "N", &b_.m, &b_.n,
                &one, a_.data(), &lda, b_.data(), &ldb, 1, 1, 1, 1);
        put(b_);
        return 0;
    }
    int nothingButNaN() {
        for (int64_t i = spec_.length(); i > 0; --i)
            put(std::numeric_limits<T>::quiet_NaN());
        return 0;
    }
    int eigen() {
        if (!isFinite()) return nothingButNaN();
        const char *job = spec_.task.values ? "N" : "V", *uplo = spec_.task.upper ? "U" : "L";
        const int lda = a_.ld();
        std::vector<T> values(static_cast<size_t>(a_.n));
        int info = 0, count = -1, integers = -1, wantedIntegers = 0;
        T wanted = 0;
        L::syevd(job, uplo, &a_.n, a_.data(), &lda, values.data(), &wanted, &count, &wantedIntegers,
                 &integers, &info, 1, 1);
        T* work = space(wanted);
        count = static_cast<int>(work_.size());
        integers = std::max(wantedIntegers, 1);
        integers_.resize(static_cast<size_t>(integers));
        L::syevd(job, uplo, &a_.n, a_.data(), &lda, values.data(), work, &count, integers_.data(),
                 &integers, &info, 1, 1);
        for (T value : values)
            put(value);
        if (!spec_.task.values) put(a_);
        return info;
    }
    int singular() {
        if (std::ranges::any_of(a_.elements, [](T x) { return std::isnan(x); })) return -1;
        if (!isFinite()) return nothingButNaN();
        const int k = std::min(a_.m, a_.n), lda = a_.ld();
        const bool values = spec_.task.values, full = spec_.task.full;
        const char* job = values ? "N" : full ? "A" : "S";
        Columns<T> u(values ? 0 : a_.m, full ? a_.m : k), v(full ? a_.n : k, values ? 0 : a_.n);
        const int ldu = std::max(a_.m, 1), ldv = v.ld();
        std::vector<T> s(static_cast<size_t>(k));
        integers_.resize(static_cast<size_t>(8 * k + 1));
        int info = 0, count = -1;
        T wanted = 0;
        L::gesdd(job, &a_.m, &a_.n, a_.data(), &lda, s.data(), u.data(), &ldu, v.data(), &ldv,
                 &wanted, &count, integers_.data(), &info, 1);
        T* work = space(wanted);
        count = static_cast<int>(work_.size());
        L::gesdd(job, &a_.m, &a_.n, a_.data(), &lda, s.data(), u.data(), &ldu, v.data(), &ldv, work,
                 &count, integers_.data(), &info, 1);
        if (!values) put(u);
        for (T value : s)
            put(value);
        if (!values) put(v);
        return info;
    }
    /// a_ becomes R above reflectors. \returns their factors
    std::vector<T> reflect() {
        const int lda = a_.ld();
        std::vector<T> tau(static_cast<size_t>(std::min(a_.m, a_.n)));
        int info = 0, count = -1;
        T wanted = 0;
        L::geqrf(&a_.m, &a_.n, a_.data(), &lda, tau.data(), &wanted, &count, &info);
        T* work = space(wanted);
        count = static_cast<int>(work_.size());
        L::geqrf(&a_.m, &a_.n, a_.data(), &lda, tau.data(), work, &count, &info);
        return tau;
    }
    int reflectors() {
        const std::vector<T> tau = reflect();
        put(a_);
        for (T factor : tau)
            put(factor);
        return 0;
    }
    int symmetric() {
        const int lda = a_.ld();
        int info = 0, count = -1;
        T wanted = 0;
        L::sytrf("L", &a_.n, a_.data(), &lda, pivots_.data(), &wanted, &count, &info, 1);
        T* work = space(wanted);
        count = static_cast<int>(work_.size());
        L::sytrf("L", &a_.n, a_.data(), &lda, pivots_.data(), work, &count, &info, 1);
        put(a_);
        for (int pivot : pivots_)
            put(static_cast<T>(pivot));
        put(static_cast<T>(info));
        return info;
    }
    int symmetricSolve() {
        const int n = a_.m, lda = a_.ld(), ldb = b_.ld();
        for (int i = 0; i < n; ++i)
            pivots_[static_cast<size_t>(i)] = static_cast<int>(a_.at(i, n));
        for (int i = 0; i < n; ++i) { // blocks of two rows have two negative pivots
            const int pivot = pivots_[static_cast<size_t>(i)];
            const bool whole =
                pivot > 0 || (i + 1 < n && pivots_[static_cast<size_t>(i + 1)] == pivot);
            if (pivot == 0 || std::abs(pivot) > n || !whole) return -1;
            i += pivot < 0;
        }
        int info = 0;
        L::sytrs("L", &n, &b_.n, a_.data(), &lda, pivots_.data(), b_.data(), &ldb, &info, 1);
        put(b_);
        return info;
    }
    int general() {
        if (!isFinite()) return -1;
        const bool values = spec_.task.values;
        const int n = a_.n, lda = a_.ld(), one = 1;
        std::vector<T> real(static_cast<size_t>(n)), imaginary(real.size());
        Columns<T> v(values ? 0 : n, values ? 0 : n);
        const int ldv = v.ld();
        int info = 0, count = -1;
        T wanted = 0;
        const char* right = values ? "N" : "V";
        L::geev("N", right, &n, a_.data(), &lda, real.data(), imaginary.data(), nullptr, &one,
                v.data(), &ldv, &wanted, &count, &info, 1, 1);
        T* work = space(wanted);
        count = static_cast<int>(work_.size());
        L::geev("N", right, &n, a_.data(), &lda, real.data(), imaginary.data(), nullptr, &one,
                v.data(), &ldv, work, &count, &info, 1, 1);
        for (size_t i = 0; i < real.size(); ++i) {
            put(real[i]);
            put(imaginary[i]);
        }
        if (!values) putPairs(v, imaginary);
        return info;
    }
    /// Columns j and j + 1 of a conjugate pair of eigenvalues are real and imaginary part of both
    /// vectors.
    void putPairs(const Columns<T>& v, const std::vector<T>& imaginary) {
        for (int64_t i = 0; i < v.m; ++i)
            for (int64_t j = 0; j < v.n; ++j) {
                const T turn = imaginary[static_cast<size_t>(j)];
                const int64_t first = turn < 0 ? j - 1 : j;
                put(v.at(i, first));
                put(turn == 0 ? T(0) : turn > 0 ? v.at(i, first + 1) : -v.at(i, first + 1));
            }
    }
    int fourier() {
        const auto n = static_cast<size_t>(a_.m);
        std::vector<std::complex<T>> from(n), to(n);
        for (size_t i = 0; i < n; ++i)
            from[i] = {a_.at(static_cast<int64_t>(i), 0), a_.at(static_cast<int64_t>(i), 1)};
        if (n == 0) return 0;
        if (n == 1) // Eigen's kissfft reads a scratch buffer that it has not made
            to = from;
        else if (spec_.task.inverse)
            transform_.inv(to.data(), from.data(), a_.m);
        else
            transform_.fwd(to.data(), from.data(), a_.m);
        for (const std::complex<T>& each : to) {
            put(each.real());
            put(each.imag());
        }
        return 0;
    }
    int orthogonal() {
        const int k = std::min(a_.m, a_.n);
        const int inner = spec_.task.full ? a_.m : k;
        const std::vector<T> tau = reflect();
        int info = 0;
        T wanted = 0;
        Columns<T> q(a_.m, inner), r(inner, a_.n);
        for (int64_t j = 0; j < a_.n; ++j)
            for (int64_t i = 0; i < a_.m; ++i) {
                if (i <= j && i < inner) r.at(i, j) = a_.at(i, j);
                if (j < k) q.at(i, j) = a_.at(i, j);
            }
        const int ldq = q.ld();
        int count = -1;
        L::orgqr(&q.m, &q.n, &k, q.data(), &ldq, tau.data(), &wanted, &count, &info);
        T* work = space(wanted);
        count = static_cast<int>(work_.size());
        L::orgqr(&q.m, &q.n, &k, q.data(), &ldq, tau.data(), work, &count, &info);
        put(q);
        put(r);
        return info;
    }
    int textbook() {
        kernel::SlowMatrix a(a_.m, a_.n);
        for (int64_t i = 0; i < a.rows; ++i)
            for (int64_t j = 0; j < a.columns; ++j)
                a(i, j) = a_.at(i, j);
        for (double x : kernel::slowResult(spec_.task, a, a))
            put(static_cast<T>(x));
        return 0;
    }

    const MatricesSpec& spec_;
    Columns<T> a_, b_;
    std::vector<int> pivots_, integers_;
    std::vector<T> work_;
    Eigen::FFT<T> transform_{typename Eigen::FFT<T>::impl_type(), Eigen::FFT<T>::Unscaled};
    T* result_ = nullptr;
    int64_t at_ = 0;
};

/// What PyTorch says of it (BatchLinearAlgebra.cpp, _linalg_check_errors).
std::string whyNot(Kind kind, int info, std::optional<int64_t> element) {
    const std::string place = element ? fmt::format("(Batch element {}): ", *element) : "";
    switch (kind) {
    case Kind::Cholesky:
        return fmt::format("linalg.cholesky: {}The factorization could not be completed because "
                           "the input is not positive-definite (the leading minor of order {} is "
                           "not positive-definite).",
                           place, info);
    case Kind::Inverse:
        return fmt::format("linalg.inv: {}The diagonal element {} is zero, the inversion could not "
                           "be completed because the input matrix is singular.",
                           place, info);
    case Kind::Solve:
        return fmt::format(
            "torch.linalg.solve: {}The solver failed because the input matrix is singular.", place);
    case Kind::Lu:
        return fmt::format("torch.linalg.lu_factor: {}U[{},{}] is zero and using it on lu_solve "
                           "would result in a division by zero.",
                           place, info, info);
    case Kind::SymmetricSolve:
        return fmt::format("linalg.ldl_solve: {}the pivots are none of linalg.ldl_factor", place);
    case Kind::Symmetric:
        return fmt::format("linalg.ldl_factor: {}The factorization could not be completed because "
                           "the block of D at row {} is zero.",
                           place, info);
    default:
        break;
    }
    const std::string_view name = kind == Kind::Eigen     ? "linalg.eigh"
                                  : kind == Kind::General ? "linalg.eig"
                                                          : "linalg.svd";
    if (info < 0)
        return fmt::format("{}: {}The algorithm failed to converge because the input matrix "
                           "contained non-finite values.",
                           name, place);
    return fmt::format("{}: {}The algorithm failed to converge because the input matrix is "
                       "ill-conditioned or has too many repeated {} values (error code: {}).",
                       name, place, kind == Kind::Singular ? "singular" : "eigen", info);
}

/// What every message of whyNot() has, and no other.
constexpr std::string_view kWhyNot[] = {
    "The factorization could not be completed because", "the inversion could not be completed",
    "The solver failed because the input matrix is singular",
    "The algorithm failed to converge because the input matrix"};

class LapackKernel : public LibraryKernel {
public:
    explicit LapackKernel(MatricesSpec spec) : spec_(std::move(spec)) {}
    base::Status run(void* const* pointers, void* /*memory*/, int threads) override {
        return spec_.dtype == ir::DType::Float64 ? runAs<double>(pointers, threads)
                                                 : runAs<float>(pointers, threads);
    }
    std::string implementation() const override {
        if (spec_.task.kind == Kind::Exponential)
            return "Taylor's series in double, scaled and squared";
        if (spec_.task.kind == Kind::Fourier) return "Eigen's kissfft";
        return spec_.task.kind == Kind::Places ? "one exchange after the other" : "LAPACK";
    }

private:
    template <typename T> base::Status runAs(void* const* pointers, int threads) {
        const bool two = spec_.task.hasTwoOperands();
        const auto* matrix = static_cast<const T*>(pointers[0]);
        const auto* second = two ? static_cast<const T*>(pointers[1]) : nullptr;
        auto* result = static_cast<T*>(pointers[two ? 2 : 1]);
        const int64_t count = spec_.batches();
        std::vector<int> infos(static_cast<size_t>(count));
        const int64_t work = count * spec_.rows * spec_.columns * std::max(spec_.rows, spec_.right);
        const int team =
            work < kParallelWork ? 1 : static_cast<int>(std::min<int64_t>(threads, count));
#pragma omp parallel num_threads(team) if (team > 1)
        {
            Worker<T> worker(spec_);
#pragma omp for schedule(static)
            for (int64_t i = 0; i < count; ++i)
                infos[static_cast<size_t>(i)] =
                    worker.run(matrix + batchOffset(spec_.matrix, spec_.batch, i),
                               two ? second + batchOffset(spec_.second, spec_.batch, i) : nullptr,
                               result + batchOffset(spec_.result, spec_.batch, i));
        }
        const auto refused = std::ranges::find_if(infos, [](int info) { return info < kRefused; });
        if (refused != infos.end())
            return base::userError(
                {},
                fmt::format("linear algebra of {} x {} matrices: too large for LAPACK "
                            "(its argument {})",
                            spec_.rows, spec_.columns, kRefused - *refused),
                "make the matrices smaller");
        return spec_.task.quiet ? base::Status() : whyNoFactors(spec_, infos);
    }

    MatricesSpec spec_;
};

} // namespace

int64_t MatricesSpec::batches() const {
    int64_t count = 1;
    for (int64_t size : batch)
        count *= size;
    return count;
}

base::Status whyNoFactors(const MatricesSpec& spec, std::span<const int> infos) {
    const auto failed = std::ranges::find_if(infos, [](int info) { return info != 0; });
    if (failed == infos.end()) return {};
    const auto element =
        spec.batch.empty() ? std::nullopt : std::optional<int64_t>(failed - infos.begin());
    return base::userError({}, whyNot(spec.task.kind, *failed, element));
}

LibraryKernelPtr makeLapack(const MatricesSpec& spec) {
    return std::make_unique<LapackKernel>(spec);
}

bool tellsOfMatrix(const base::Diagnostic& error) {
    return std::ranges::any_of(kWhyNot, [&](std::string_view words) {
        return error.message.find(words) != std::string::npos;
    });
}

} // namespace cutaway::runtime
