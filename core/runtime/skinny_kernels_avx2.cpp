// SPDX-License-Identifier: Apache-2.0
#define SKINNY_NAMESPACE avx2
#define SKINNY_LANES 8
#include "core/runtime/skinny_kernels_body.h"

namespace cutaway::runtime {

SkinnyKernels skinnyKernelsAvx2() {
    return {avx2::dots, avx2::sweep, "avx2"};
}

} // namespace cutaway::runtime
