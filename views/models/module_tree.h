// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The modules of a graph as a tree, and which of them compute the same.
#pragma once

#include "core/record/record.h"

#include <QHash>
#include <QString>
#include <span>
#include <vector>

namespace cutaway::views {

/// A node that may be put into a box: one of a stage, or a copy of one that is computed again.
struct FoldItem {
    const record::GraphNode* node = nullptr;
    bool backward = false;
    std::vector<int> inputs; ///< items
    bool isCall() const { return node->kind == "call"; }
};

/// The numbers of equal calls are equal: the same operation of the same type with the same numbers
/// as arguments. What an argument is called does not count; what stands for it is said by the
/// function that is given for it.
class CallSignatures {
public:
    explicit CallSignatures(std::span<const FoldItem> items);
    /// \param standsFor what is written for an input of the call, an index into the items
    template <typename F> int number(int item, F standsFor) {
        QString text = heads_[static_cast<size_t>(item)];
        for (const Piece& piece : pieces_[static_cast<size_t>(item)])
            text += piece.input < 0 ? piece.text : standsFor(piece.input);
        return intern(text);
    }
    int intern(const QString& text);

private:
    struct Piece {
        QString text;
        int input = -1;
    };
    std::vector<QString> heads_;
    std::vector<std::vector<Piece>> pieces_;
    QHash<QString, int> numbers_;
};

/// A module, or those of its calls that the backward makes of it.
struct ModuleGroup {
    QString path;
    int parent = -1;
    bool backward = false;
    std::vector<int> children; ///< groups, in the order of their first calls
    std::vector<int> own;      ///< items of no child, ascending
    std::vector<int> all;      ///< items, ascending
    int calls = 0;             ///< among all
    int sameAs = -1;           ///< a number that is equal for groups that compute the same
    QString key() const { return "module:" + QString(backward ? "<" : "") + path; }
};

/// Parents come before their children. A module whose only part is another one is one with it. The
/// parameters that a module alone uses belong to it; what the caller gives does not. A container that
/// the computation leaves and enters again is none: its parts stand in its parent.
struct ModuleTree {
    std::vector<ModuleGroup> groups;
    std::vector<int> roots;
    std::vector<int> outside; ///< items of no module
};
ModuleTree moduleTree(std::span<const FoldItem> items, CallSignatures& signatures);

} // namespace cutaway::views
