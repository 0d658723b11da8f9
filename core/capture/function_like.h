// SPDX-License-Identifier: Apache-2.0
/// \file
/// Functions and iterators made after others, where a captured value is described and where it is
/// made anew.
#pragma once

#include "core/capture/interp.h"

namespace cutaway::capture {

/// A function of \p from's code and names: room for as many values in its closure and as many
/// defaults, all unbound, and no attributes.
inline FunctionObj* functionLike(Interp& in, const FunctionObj& from) {
    auto* made = in.make<FunctionObj>();
    made->code = from.code;
    made->globals = from.globals;
    made->name = from.name;
    made->qualifiedName = from.qualifiedName;
    made->keywordDefaults = from.keywordDefaults;
    made->definingClass = from.definingClass;
    made->closure.resize(from.closure.size());
    made->defaults.resize(from.defaults.size());
    return made;
}

/// \p to stands where \p from does.
inline void placeLike(IteratorObj& to, const IteratorObj& from) {
    to.at = from.at;
    to.stop = from.stop;
    to.step = from.step;
}

/// An iterator that stands where \p from does.
inline Val iteratorLike(Interp& in, const IteratorObj& from, std::vector<Val> parts) {
    auto* made = in.make<IteratorObj>(from.over);
    made->parts = std::move(parts);
    placeLike(*made, from);
    return Val(made);
}

} // namespace cutaway::capture
