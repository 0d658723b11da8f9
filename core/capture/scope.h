// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which variable every name means: a slot of the function, a cell shared with inner functions, or
/// a global.
#pragma once

#include "core/capture/text_hash.h"
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
    TextMap<bool> bound;
    std::map<std::string, frontend::Span> declaredGlobal, declaredNonlocal;
    std::vector<std::string> used;
    TextMap<Binding> bindings; ///< filled in by resolve
    std::vector<std::string> cells, frees;
    std::map<const void*, std::unique_ptr<Scope>> inner; ///< by syntax node
    /// A comprehension's variables are variables of the scope around it, under a name of their own
    /// ("x@3"): comprehensions then need no function. By syntax node.
    std::unordered_map<const frontend::Expr*, std::string> renamed;

    Binding binding(const std::string& name) const;
    /// What a name of the syntax tree is called in this scope.
    const std::string& name(const frontend::Expr& name) const;
};

/// The scope of a script with all that are in it. Throws base::Diagnostic.
std::unique_ptr<Scope> analyseScopes(const frontend::Script& script);
/// "x" from "x@3".
std::string plainName(const std::string& name);

} // namespace cutaway::capture
