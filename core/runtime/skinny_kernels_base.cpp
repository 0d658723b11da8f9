// SPDX-License-Identifier: Apache-2.0
#define SKINNY_NAMESPACE base
#define SKINNY_LANES 4
#include "core/runtime/skinny_kernels_body.h"

namespace cutaway::runtime {

SkinnyKernels skinnyKernelsBase() {
    return {base::dots, base::sweep, "base"};
}

} // namespace cutaway::runtime
