// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Several nodes drawn as one box: what belongs to one module, what one operation of the script
/// became, and what repeats ("add × 1000", "blocks × 12"). Boxes nest; an opened one is a frame around its parts.
/// What repeats is found in core/record/repeats.h. Modules are compared by all of their nodes.
#pragma once

#include "core/record/record.h"
#include "views/models/module_tree.h"

#include <QSet>
#include <QString>
#include <vector>

namespace cutaway::views {

enum class FoldKind : uint8_t { None, Repeats, Modules }; ///< Modules: and what repeats besides

struct Folding {
    FoldKind kind = FoldKind::None;
    QSet<QString> open;   ///< Fold::key of boxes that were opened
    QSet<QString> closed; ///< and of those that were closed
    /// Modules are open from the start, level by level, while no more than so many nodes and boxes
    /// are drawn.
    int room = 0;
    FoldNames names{};

    void set(const QString& key, bool isOpen) {
        (isOpen ? closed : open).remove(key);
        (isOpen ? open : closed).insert(key);
    }
    bool touched() const { return !open.isEmpty() || !closed.isEmpty(); }
};
/// How many nodes and boxes can be read at once.
constexpr int kFoldRoom = 48;

/// One box: items by index, ascending.
struct Fold {
    QString key; ///< stable for the same text: "repeat:add_3" or "module:layers.0"
    QString title;
    QString brief;  ///< the title without the path to the module, for where there is little room
    QString ending; ///< of both: how many it holds, which is never cut
    std::vector<int> members;
    int times = 1;  ///< how often the stretch repeats
    int frame = -1; ///< the frame in which it stands
};

/// A box that is open.
struct FoldFrame {
    QString key, title;
    int parent = -1;
};

struct FoldPlan {
    std::vector<Fold> boxes; ///< they do not overlap; items in none of them stand by themselves
    std::vector<FoldFrame> frames; ///< parents first
    std::vector<int> frameOf;      ///< by item: the innermost frame; -1: none
};

FoldPlan planFolds(const std::vector<FoldItem>& items, const Folding& folding);
/// With every box opened: each node stands by itself, in its frames.
Folding withEverythingOpen(const std::vector<FoldItem>& items, Folding folding);
/// The nodes of a stage as they stand in its text.
inline std::vector<FoldItem> foldItems(const record::GraphStage& stage) {
    return record::repeatItems(stage);
}

} // namespace cutaway::views
