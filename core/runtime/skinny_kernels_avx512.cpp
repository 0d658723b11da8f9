// SPDX-License-Identifier: Apache-2.0
#define SKINNY_NAMESPACE avx512
#define SKINNY_LANES 16
#include "core/runtime/skinny_kernels_body.h"

namespace cutaway::runtime {

SkinnyKernels skinnyKernelsAvx512() {
    return {avx512::dots, avx512::sweep, "avx512"};
}

} // namespace cutaway::runtime
