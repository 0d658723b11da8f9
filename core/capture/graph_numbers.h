// SPDX-License-Identifier: Apache-2.0
/// \file
/// Numbers that a captured graph computes from elements of tensors, so that nothing is known of
/// them but what torch._check() said: t.item() where torch._dynamo.config.capture_scalar_outputs
/// is set, t.tolist() of integers, floats that differ from call to call. What needs such a number itself (a size, a text) asks
/// Interp::plain(), which ends the graph there. Private to this folder.
/// Source: torch/fx/experimental/symbolic_shapes.py (unbacked symbols).
#pragma once

#include "core/capture/interp.h"

namespace cutaway::capture {

/// The number of a tensor of one element.
Val graphNumber(Interp& interp, TensorObj& t);
/// An operator of which an operand is such a number, the other a number or a tensor; unbound where
/// it needs the number itself.
Val graphBinary(Interp& interp, BinaryOp op, const Val& a, const Val& b);
/// The same of a size and a number, whose result is a float; unbound where it needs the size itself.
Val sizeBinary(Interp& interp, BinaryOp op, const Val& a, const Val& b);
/// The square root of a size, or of a number that follows from sizes; float(size). Unbound: neither.
Val rootOfSize(Interp& interp, const Val& v);
Val floatOfSize(Interp& interp, const Val& v);
Val graphCompare(Interp& interp, CompareOp op, const Val& a, const Val& b);
/// -x; int(x), float(x).
Val graphNegative(Interp& interp, const NumberObj& x);
Val graphConverted(Interp& interp, const NumberObj& x, ir::DType dtype);
/// max() or min() of two, of which one is such a number; abs() of one; sin() and the like, which are
/// \p operation in the graph, of a float of the call or what follows from sizes. Unbound for others.
Val graphExtreme(Interp& interp, bool greatest, const Val& a, const Val& b);
Val graphMagnitude(Interp& interp, const NumberObj& x);
Val graphFunction(Interp& interp, const Val& v, const char* operation, double (*function)(double));
/// An operation with such a number that is written as others; unbound for others.
Val graphOperation(Interp& interp, const std::string& base, const std::vector<Val>& positional,
                   const std::vector<std::pair<StrObj*, Val>>& keywords);
/// The arguments of an operation with such numbers as tensors, where it takes tensors in their
/// place; false: it has none of them.
bool graphArguments(Interp& interp, const std::string& base, std::vector<Val>& positional,
                    std::vector<std::pair<StrObj*, Val>>& keywords);
/// torch.tensor() of values among which are such numbers, in the order of memory.
Val tensorOfNumbers(Interp& interp, const std::vector<Val>& values,
                    const std::vector<int64_t>& sizes, const std::optional<ir::DType>& wanted,
                    ir::Device device);
/// Whether every call of the captured graph checks an assertion of \p v, one number that the graph
/// computes, as PyTorch does (torch._assert_async): it raises RuntimeError with \p message.
bool assertedLater(Interp& interp, const Val& v, const std::string& message);
/// The same of _C.asserted_later(condition, message), and of a number, _C.checked_later(..).
Val assertedLater(Interp& interp, const BuiltinObj& self, const Arguments& args);
Val checkedLater(Interp& interp, const BuiltinObj& self, const Arguments& args);

} // namespace cutaway::capture
