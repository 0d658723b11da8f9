// SPDX-License-Identifier: Apache-2.0
/// \file
/// What sets compute, element by element in CPython's order of doing it: that decides how the result stands.
#pragma once

#include "core/capture/interp.h"

namespace cutaway::capture {

/// A set, or the keys or items of a dict: what |, &, ^ and - take beside sets.
bool isLikeSet(const Val& v);
bool isOfSets(BinaryOp op);
/// What isLikeSet() says as a set.
Val asSet(Interp& in, const Val& v);
Val likeSetOperation(Interp& in, BinaryOp op, const Val& a, const Val& b);
/// A new set of the elements of \p from.
Val copyOfSet(Interp& in, const SetObj& from, bool frozen);
/// Adds the elements of \p more, a set, a dict or whatever can be iterated.
void addAll(Interp& in, SetObj& set, const Val& more);
/// a | b and the like of a set and another, or what can be iterated: of the kind of \p a.
Val setOperation(Interp& in, BinaryOp op, const Val& a, const Val& b);
/// a |= b and the like.
void changeSet(Interp& in, BinaryOp op, SetObj& a, const Val& b);

} // namespace cutaway::capture
