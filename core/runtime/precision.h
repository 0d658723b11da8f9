// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether float32 may be rounded to TF32 (10 bits of mantissa) on a GPU's tensor cores. Asked when
/// a call runs, as PyTorch does: nothing is compiled for one answer.
#pragma once

namespace cutaway::runtime {

struct Precision {
    bool matmulTf32 = false;     ///< torch.backends.cuda.matmul.allow_tf32
    bool convolutionTf32 = true; ///< torch.backends.cudnn.allow_tf32
    bool operator==(const Precision&) const = default;
};

/// What is allowed now: what was set last, or nothing while somebody wants exact results.
Precision precision();
void setPrecision(const Precision& allowed);

/// Wants exact results while it lives, whatever is set: what compares values with limits of
/// float32.
class FullPrecision {
public:
    FullPrecision();
    ~FullPrecision();
    FullPrecision(const FullPrecision&) = delete;
    FullPrecision& operator=(const FullPrecision&) = delete;
};

} // namespace cutaway::runtime
