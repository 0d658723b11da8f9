// SPDX-License-Identifier: Apache-2.0
/// \file
/// A call of any operation of the catalogue as script text, after one of its good samples.
#pragma once

#include "core/ops/op_def.h"

#include <random>
#include <string>
#include <vector>

namespace cutaway::testing {

struct CatalogueCall {
    const ops::OpDef* def = nullptr;
    const ops::Sample* sample = nullptr;
    std::vector<ir::TensorType> results; ///< what the shape rule says of the sample
    bool tuple = false;                  ///< the results come in a tuple

    /// "torch.ops.aten.add.Tensor(a, b, alpha=2)" of these texts in place of the sample's tensors.
    std::string text(const std::vector<std::string>& tensors) const;
    /// Whether no derivative with respect to this tensor of the sample is to be compared.
    bool isCut(size_t tensor) const;
    /// Whether the sign of a zero or of a NaN, or the last bit, is another result.
    bool looksAtBits() const;
    /// Whether it gives its tensor in another dtype.
    bool converts() const;
};

/// Whether a model may call it: operations with values that depend on their inputs alone.
bool isCallable(const ops::OpDef& def);

/// A random operation and sample among those whose results have sizes of their own.
CatalogueCall randomCall(std::mt19937_64& random);

} // namespace cutaway::testing
