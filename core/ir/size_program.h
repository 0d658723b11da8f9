// SPDX-License-Identifier: Apache-2.0
/// \file
/// Size arithmetic as a flat program: evaluated once a call from the values of the size symbols.
#pragma once

#include "core/ir/sym.h"

#include <map>
#include <span>

namespace cutaway::ir {

/// A list `slot = op(slot, slot)`; equal expressions share a slot.
class SizeProgram {
public:
    enum class Op : uint8_t { Constant, Symbol, Add, Mul, FloorDiv, Mod, Min, Max };
    struct Step {
        Op op = Op::Constant;
        int32_t a = 0, b = 0; ///< slots
        int64_t number = 0;   ///< Constant: its value; Symbol: the symbol's index
        auto operator<=>(const Step&) const = default;
    };

    /// The slot that will hold the value of \p size, whose variables are size symbols.
    int32_t slot(const Sym& size);
    /// Values of all slots; \p symbols by index of the symbol. Nothing is allocated when \p slots
    /// has been used before. A division by 0 gives 0.
    void run(std::span<const int64_t> symbols, std::vector<int64_t>& slots) const;
    bool empty() const { return steps_.empty(); }
    size_t size() const { return steps_.size(); }

private:
    int32_t add(Step step);
    std::vector<Step> steps_;
    std::map<Step, int32_t> known_;
};

} // namespace cutaway::ir
