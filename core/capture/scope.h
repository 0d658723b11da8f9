// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which variable every name means: a slot of the function, a cell shared with inner functions, or
/// a global.
#pragma once

#include "core/frontend/script/ast.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cutaway::capture {

struct Scope {
    enum class Kind : uint8_t { Script, Class, Function };
    enum class Binding : uint8_t { Local, Cell, Free, Global, Name };

    Kind kind = Kind::Script;
    Scope* parent = nullptr;
    std::vector<std::string> order; ///< bound names in order of appearance, parameters first
    std::map<std::string, bool> bound;
    std::map<std::string, frontend::Span> declaredGlobal, declaredNonlocal;
    std::vector<std::string> used;
    std::map<std::string, Binding> bindings; ///< filled in by resolve
    std::vector<std::string> cells, frees;
    std::map<const void*, std::unique_ptr<Scope>> inner; ///< by syntax node

    Binding binding(const std::string& name) const;
};

/// Names of a comprehension's variables are made unique ("x@3") in the tree: comprehensions then
/// need no function of their own. Throws base::Diagnostic.
std::unique_ptr<Scope> analyseScopes(frontend::Script& script);
/// "x" from "x@3".
std::string plainName(const std::string& name);

} // namespace cutaway::capture
