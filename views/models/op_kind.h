// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The families that graph nodes are coloured by.
#pragma once

#include "core/record/record.h"

#include <QString>

namespace cutaway::views {

enum class OpKind : uint8_t {
    Input,
    Constant,
    Pointwise,
    Reduction,
    Matmul,
    View,
    Norm, ///< composites of pointwise and reduction: softmax, layer norm, losses
    Random,
    Other
};
constexpr int kOpKinds = 9;

OpKind opKind(const record::GraphNode& node);
QString opKindName(OpKind kind);
/// One letter for it, the same in every language.
QString opKindLetter(OpKind kind);

} // namespace cutaway::views
