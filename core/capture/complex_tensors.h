// SPDX-License-Identifier: Apache-2.0
/// \file
/// Complex tensors have memory and a dtype; what is computed of them is computed of pairs of real
/// numbers, by formulas in the script language (torch/_complex.py), in both tensor worlds.
#pragma once

#include "core/capture/interp.h"

namespace cutaway::capture {

/// Whether something complex is among the operands; not of those that work on any memory
/// (view_as_real, detach).
bool isComplexOperation(const std::string& base, const Arguments& arguments);
/// Such an operation, by torch._complex.
Val complexOperation(Interp& interp, const std::string& base, const Arguments& arguments);
/// An attribute or method that complex tensors have of their own; unbound for others.
Val complexAttr(Interp& interp, const Val& tensor, StrObj* name);
/// A function of torch._complex.
Val callComplex(Interp& interp, const char* function, std::initializer_list<Val> arguments);
/// A number of a tensor's memory: a complex one of a complex dtype.
Val elementOf(Interp& interp, const ir::HostTensor& host, int64_t i);
/// Writes one. Errors: RuntimeError for what the dtype cannot hold (a negative uint8 wraps around, as
/// in PyTorch), ValueError and OverflowError of ints beyond 64 bits.
void setElement(Interp& interp, ir::HostTensor& host, int64_t i, const Val& v);

} // namespace cutaway::capture
