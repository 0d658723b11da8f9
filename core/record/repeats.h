// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stretches of a graph that repeat: the layers of a network, the steps of a recurrence. What
/// "block × N" rests on in the text of a stage and in the window.
///
/// Repeats are proven, not guessed by names: two calls count as equal when they are the same
/// operation of the same type, with the same numbers as arguments, and read values that lie equally
/// far back, or inputs of the same type, or (backward) values that the same operation saved. A run
/// of n equal stretches follows from comparing each call with the one a period later.
#pragma once

#include "core/record/record.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace cutaway::record {

/// A node of a graph and what it reads.
struct RepeatItem {
    const GraphNode* node = nullptr;
    bool backward = false;
    std::vector<int> inputs; ///< items
    bool again = false;      ///< computed once more, for the backward
    bool isCall() const { return node->kind == "call"; }
};
/// The nodes of a stage as they stand in its text.
std::vector<RepeatItem> repeatItems(const GraphStage& stage);

/// The numbers of equal calls are equal: the same operation of the same type with the same numbers
/// as arguments. What an argument is called does not count; what stands for it is said by the
/// function that is given for it.
class CallSignatures {
public:
    explicit CallSignatures(std::span<const RepeatItem> items);
    /// \param standsFor what is written for an input of the call, an index into the items
    template <typename F> int number(int item, F standsFor) {
        std::string text = heads_[static_cast<size_t>(item)];
        for (const Piece& piece : pieces_[static_cast<size_t>(item)])
            text += piece.input < 0 ? piece.text : standsFor(piece.input);
        return intern(text);
    }
    int intern(const std::string& text);

private:
    struct Piece {
        std::string text;
        int input = -1;
    };
    std::vector<std::string> heads_;
    std::vector<std::vector<Piece>> pieces_;
    std::unordered_map<std::string, int> numbers_;
};

/// Calls that compute the same, \p times after one another.
struct Repeat {
    std::vector<int> calls; ///< items, ascending: period × times
    size_t period = 0, times = 0;
};
/// The longest first, at every place, of 256 calls at most and three times at least, where eight
/// calls or more are saved. \p apart: items that belong to something else; \p place: only calls of
/// one place repeat one another. Both by item.
std::vector<Repeat> findRepeats(std::span<const RepeatItem> items, CallSignatures& signatures,
                                const std::vector<bool>& apart, std::span<const int> place);
std::vector<Repeat> findRepeats(const GraphStage& stage);

} // namespace cutaway::record
