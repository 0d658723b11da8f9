// SPDX-License-Identifier: Apache-2.0
#define ATTENTION_NAMESPACE base
#define ATTENTION_BYTES 16
#define ATTENTION_TILE 4
#include "core/runtime/attention_kernels_body.h"

namespace cutaway::runtime {

AttentionKernelSet attentionKernelsBase() {
    return {base::kernels<float>(), base::kernels<double>(), "base"};
}

} // namespace cutaway::runtime
