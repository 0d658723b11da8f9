// SPDX-License-Identifier: Apache-2.0
/// \file
/// Parts of the family of statistics that are made of others. Internal to core/ops.
#pragma once

#include "core/ops/op_def.h"

namespace cutaway::ops {

void addVarianceForms(std::vector<OpDef>& ops); ///< var_mean, std_mean, cov, corrcoef
void addHistograms(std::vector<OpDef>& ops);    ///< histc, histogram, isin

} // namespace cutaway::ops
