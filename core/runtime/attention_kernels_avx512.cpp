// SPDX-License-Identifier: Apache-2.0
#define ATTENTION_NAMESPACE avx512
#define ATTENTION_BYTES 64
#define ATTENTION_TILE 12
#include "core/runtime/attention_kernels_body.h"

namespace cutaway::runtime {

AttentionKernelSet attentionKernelsAvx512() {
    return {avx512::kernels<float>(), avx512::kernels<double>(), "avx512"};
}

} // namespace cutaway::runtime
