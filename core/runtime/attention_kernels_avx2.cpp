// SPDX-License-Identifier: Apache-2.0
#define ATTENTION_NAMESPACE avx2
#define ATTENTION_BYTES 32
#define ATTENTION_TILE 6
#include "core/runtime/attention_kernels_body.h"

namespace cutaway::runtime {

AttentionKernelSet attentionKernelsAvx2() {
    return {avx2::kernels<float>(), avx2::kernels<double>(), "avx2"};
}

} // namespace cutaway::runtime
