// SPDX-License-Identifier: Apache-2.0
// The special functions on host values: the text that generated code contains, compiled here.
#include "core/kernel/scalar_eval.h"

#include <math.h>

namespace cutaway::kernel {

namespace {
#include "resources/kernel_headers/special_functions.h"

template <int arity, class F, class T> double applied(F function, T a, T b) {
    if constexpr (arity == 1)
        return function(a);
    else
        return function(a, b);
}

template <class T> double floating(ScalarOp op, T a, T b) {
    switch (op) {
#define SPECIAL_OP(name, function, arity, flops)                                                   \
    case ScalarOp::name:                                                                           \
        return applied<arity>([](auto... x) { return special::function(x...); }, a, b);
#define SPECIAL_INTEGER_OP(name, function, arity, flops)
#include "core/kernel/special_ops.def"
    default:
        return 0;
    }
}

} // namespace

Scalar evaluateSpecial(ScalarOp op, ir::DType dtype, const Scalar& a, const Scalar& b) {
    if (!ir::isFloating(dtype)) return scalarOfInt(dtype, special::gcd(a.integer, b.integer));
    if (dtype == ir::DType::Float32)
        return scalarOf(dtype,
                        floating(op, static_cast<float>(a.real), static_cast<float>(b.real)));
    return scalarOf(dtype, floating(op, a.real, b.real));
}

} // namespace cutaway::kernel
