// SPDX-License-Identifier: Apache-2.0
/// \file
/// Index expressions as C++ text. Private to this folder.
#pragma once

#include "core/ir/sym.h"

#include <functional>
#include <optional>
#include <string>

namespace cutaway::codegen::cpp {

class IndexText {
public:
    /// \p name of a variable; \p size of its range.
    IndexText(std::function<std::string(ir::Var)> name, std::function<int64_t(ir::Var)> size)
        : name_(std::move(name)), size_(std::move(size)) {}

    /// A long: "4096 * row + i".
    std::string scalar(const ir::Sym& sym) const { return text(sym, false); }
    /// A vector of longs, where the inner variable is i + lane_numbers().
    std::string vector(const ir::Sym& sym) const;

private:
    std::string text(const ir::Sym& sym, bool vector) const;
    std::string atomText(const ir::Sym::Atom& atom, bool vector) const;
    std::string operand(const ir::Sym& sym, bool vector) const;
    std::function<std::string(ir::Var)> name_;
    std::function<int64_t(ir::Var)> size_;
};

/// \p text as an operand of a sign: in parentheses where it has signs of its own.
std::string operand(const std::string& text);
/// \p base + \p offset, without "+ 0".
std::string plus(const std::string& base, const std::string& offset);

} // namespace cutaway::codegen::cpp
