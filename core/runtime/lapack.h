// SPDX-License-Identifier: Apache-2.0
/// \file
/// The routines of LAPACK and BLAS that are called, by dtype. Fortran: column-major matrices, every
/// argument by address, the length of each text behind the others.
#pragma once

#include <cstddef>

namespace cutaway::runtime {

extern "C" {
#define CUTAWAY_LAPACK(T, p)                                                                       \
    void p##potrf_(const char* uplo, const int* n, T* a, const int* lda, int* info, size_t);       \
    void p##getrf_(const int* m, const int* n, T* a, const int* lda, int* pivots, int* info);      \
    void p##getrs_(const char* trans, const int* n, const int* nrhs, const T* a, const int* lda,   \
                   const int* pivots, T* b, const int* ldb, int* info, size_t);                    \
    void p##trsm_(const char* side, const char* uplo, const char* trans, const char* diag,         \
                  const int* m, const int* n, const T* alpha, const T* a, const int* lda, T* b,    \
                  const int* ldb, size_t, size_t, size_t, size_t);                                 \
    void p##syevd_(const char* jobz, const char* uplo, const int* n, T* a, const int* lda, T* w,   \
                   T* work, const int* lwork, int* iwork, const int* liwork, int* info, size_t,    \
                   size_t);                                                                        \
    void p##gesdd_(const char* jobz, const int* m, const int* n, T* a, const int* lda, T* s, T* u, \
                   const int* ldu, T* vt, const int* ldvt, T* work, const int* lwork, int* iwork,  \
                   int* info, size_t);                                                             \
    void p##geqrf_(const int* m, const int* n, T* a, const int* lda, T* tau, T* work,              \
                   const int* lwork, int* info);                                                   \
    void p##orgqr_(const int* m, const int* n, const int* k, T* a, const int* lda, const T* tau,   \
                   T* work, const int* lwork, int* info);                                          \
    void p##geev_(const char* left, const char* right, const int* n, T* a, const int* lda,         \
                  T* real, T* imaginary, T* vl, const int* ldvl, T* vr, const int* ldvr, T* work,  \
                  const int* lwork, int* info, size_t, size_t);                                    \
    void p##sytrf_(const char* uplo, const int* n, T* a, const int* lda, int* pivots, T* work,     \
                   const int* lwork, int* info, size_t);                                           \
    void p##sytrs_(const char* uplo, const int* n, const int* nrhs, const T* a, const int* lda,    \
                   const int* pivots, T* b, const int* ldb, int* info, size_t);
CUTAWAY_LAPACK(float, s)
CUTAWAY_LAPACK(double, d)
#undef CUTAWAY_LAPACK
}

template <typename T> struct Lapack;
#define CUTAWAY_LAPACK(T, p)                                                                       \
    template <> struct Lapack<T> {                                                                 \
        static constexpr auto potrf = p##potrf_;                                                   \
        static constexpr auto getrf = p##getrf_;                                                   \
        static constexpr auto getrs = p##getrs_;                                                   \
        static constexpr auto trsm = p##trsm_;                                                     \
        static constexpr auto syevd = p##syevd_;                                                   \
        static constexpr auto gesdd = p##gesdd_;                                                   \
        static constexpr auto geqrf = p##geqrf_;                                                   \
        static constexpr auto orgqr = p##orgqr_;                                                   \
        static constexpr auto geev = p##geev_;                                                     \
        static constexpr auto sytrf = p##sytrf_;                                                   \
        static constexpr auto sytrs = p##sytrs_;                                                   \
    };
CUTAWAY_LAPACK(float, s)
CUTAWAY_LAPACK(double, d)
#undef CUTAWAY_LAPACK

} // namespace cutaway::runtime
