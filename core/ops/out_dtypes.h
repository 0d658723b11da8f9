// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which dtypes the tensors may have that out= names: what the result's can be cast to, or none but
/// the result's own. Indexing, matrix products, linear algebra, softmax, pooling and copies of views
/// take no others, the rest of the catalogue does, and otherwise what a family says here.
#pragma once

#include "core/ops/op_def.h"

#include <initializer_list>
#include <optional>
#include <string_view>

namespace cutaway::ops {

enum class OutDTypes : uint8_t {
    Cast, ///< to one of the result's category, or a wider one
    Same,
    Truth ///< bool and uint8
};

/// Says it of the operations \p names, which \p ops has.
/// \param said the message of PyTorch's kernel where another one is refused: {out} and {result} stand
/// for dtypes; empty: the one that most have
void outTakes(const std::vector<OpDef>& ops, std::initializer_list<std::string_view> names,
              OutDTypes taken, std::string_view said = {},
              base::ErrorClass as = base::ErrorClass::Runtime);

/// \param name what the script calls the operation
/// \param results how many it gives; of the overloads those are asked that give as many
/// \returns PyTorch's error where \p out is not taken for a result of \p result; nothing: it is
std::optional<base::Diagnostic> refusedOut(std::string_view name, size_t results, ir::DType result,
                                           ir::DType out);

} // namespace cutaway::ops
