// SPDX-License-Identifier: Apache-2.0
/// \file
/// The methods of built-in types: rows of the tables that Interp::setUpMethods() puts into them.
#pragma once

#include "core/capture/interp.h"

namespace cutaway::capture {

struct MethodRow {
    const char *types, *names; ///< separated by spaces
    BuiltinFunction function;
    bool ofClass = false; ///< a class method
};

std::span<const MethodRow> textMethods();      ///< str, bytes
std::span<const MethodRow> containerMethods(); ///< lists, dicts, sets, numbers

/// What hash() gives: the same in every run, unlike the keyed hashes of tables (hashOf), which scripts
/// do not see.
uint64_t publicHash(Interp& in, const Val& v);

/// b"%d" % 3 (formatPercent() is for text)
std::string formatPercentOfBytes(Interp& interp, std::string_view text, const Val& values);

/// torch.Tensor.NAME, which takes the tensor first; unbound: tensors have no such method.
Val tensorFunction(Interp& in, const std::string& name);

} // namespace cutaway::capture
