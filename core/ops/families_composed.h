// SPDX-License-Identifier: Apache-2.0
/// \file
/// The families whose operations are mostly composites (composite.h); families.h has the others.
#pragma once

#include "core/ops/op_def.h"

namespace cutaway::ops {

std::vector<OpDef> viewWindowOps();
std::vector<OpDef> viewCompositeOps();
std::vector<OpDef> repeatOps();
std::vector<OpDef> viewCopyOps();
std::vector<OpDef> joinCompositeOps();
std::vector<OpDef> productOps();
std::vector<OpDef> contractionOps();
std::vector<OpDef> indexWriteOps();
std::vector<OpDef> activationFormulaOps();
std::vector<OpDef> activationSlopeOps();
std::vector<OpDef> lossFormulaOps();
std::vector<OpDef> marginLossOps();
std::vector<OpDef> paddingOps();
std::vector<OpDef> resamplingOps();
std::vector<OpDef> gridOps();
std::vector<OpDef> normalizationOps();
std::vector<OpDef> distanceOps();
std::vector<OpDef> normOps();
std::vector<OpDef> linearAlgebraOps();
std::vector<OpDef> linearAlgebraFormOps();
std::vector<OpDef> windowPoolingOps();

} // namespace cutaway::ops
