// SPDX-License-Identifier: Apache-2.0
/// \file
/// One function per family file; catalogue.cpp joins them.
#pragma once

#include "core/ops/op_def.h"

namespace cutaway::ops {

using Family = std::vector<OpDef> (*)();

std::vector<OpDef> elementwiseUnaryOps();
std::vector<OpDef> elementwiseBinaryOps();
std::vector<OpDef> powerOps();
std::vector<OpDef> elementwiseFunctionOps();
std::vector<OpDef> elementwiseComposedOps();
std::vector<OpDef> elementwisePairOps();
std::vector<OpDef> specialOps();
std::vector<OpDef> specialPolynomialOps();
std::vector<OpDef> comparisonOps();
std::vector<OpDef> selectionOps();
std::vector<OpDef> reduceOps();
std::vector<OpDef> reduceFormOps();
std::vector<OpDef> statisticsOps();
std::vector<OpDef> statisticsFormOps();
std::vector<OpDef> scanOps();
std::vector<OpDef> orderOps();
std::vector<OpDef> viewOps();
std::vector<OpDef> complexViewOps();
std::vector<OpDef> viewDimOps();
std::vector<OpDef> splitJoinOps();
std::vector<OpDef> contractOps();
std::vector<OpDef> indexOps();
std::vector<OpDef> indexTensorOps();
std::vector<OpDef> indexAlongOps();
std::vector<OpDef> factoryOps();
std::vector<OpDef> factoryFormOps();
std::vector<OpDef> conversionOps();
std::vector<OpDef> randomOps();
std::vector<OpDef> softmaxOps();
std::vector<OpDef> layerNormOps();
std::vector<OpDef> activationOps();
std::vector<OpDef> lossOps();
std::vector<OpDef> attentionOps();
std::vector<OpDef> convolutionOps();
std::vector<OpDef> batchNormOps();
std::vector<OpDef> poolingOps();

} // namespace cutaway::ops
