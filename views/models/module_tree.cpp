// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/module_tree.h"

#include <QHash>
#include <QStringList>
#include <algorithm>
#include <map>
#include <utility>

namespace cutaway::views {

namespace {

/// What a module has of its own, not what it was called with: the comment of its line names it by a
/// path ("G['net'].blocks[0].norm1.weight"), and what was given by one key ("L['x']").
bool isParameter(const record::GraphNode& node) {
    const QString from = QString::fromStdString(node.text).section("  # ", 1);
    return node.kind != "call" && !from.startsWith("gradient of") && !from.startsWith("saved ") &&
           from.contains('.');
}

/// With fewer nodes an operation is read as well by what it became.
constexpr size_t kLeastOfOperation = 8;

class TreeMaker {
public:
    TreeMaker(std::span<const FoldItem> items, const FoldNames& names, CallSignatures& signatures)
        : items_(items), names_(names), signatures_(signatures), groupOf_(items.size(), -1) {}

    ModuleTree make() {
        const std::vector<QString> operations = operationsOfItems();
        for (size_t i = 0; i < items_.size(); ++i) {
            const QString path = QString::fromStdString(items_[i].node->modulePath);
            if (!path.isEmpty()) groupOf_[i] = group(path, items_[i]);
            if (!operations[i].isEmpty())
                groupOf_[i] = operation(path.isEmpty() ? operations[i] : path + '.' + operations[i],
                                        groupOf_[i], items_[i]);
        }
        takeParameters();
        leaveOutContainers();
        for (size_t i = 0; i < items_.size(); ++i) {
            const int at = groupOf_[i];
            (at < 0 ? tree_.outside : tree_.groups[static_cast<size_t>(at)].own)
                .push_back(static_cast<int>(i));
            for (int up = at; up >= 0; up = tree_.groups[static_cast<size_t>(up)].parent) {
                tree_.groups[static_cast<size_t>(up)].all.push_back(static_cast<int>(i));
                tree_.groups[static_cast<size_t>(up)].calls += items_[i].isCall();
            }
        }
        joinSingleParts();
        compareAll();
        return std::move(tree_);
    }

private:
    int group(const QString& path, const FoldItem& of) {
        const QString key = ModuleGroup::side(of.backward, of.again) + path;
        if (auto at = index_.constFind(key); at != index_.constEnd()) return *at;
        const qsizetype dot = path.lastIndexOf('.');
        return add(path, key, dot < 0 ? -1 : group(path.left(dot), of), of);
    }
    /// An operation that is a part of a module (-1: of none).
    int operation(const QString& path, int module, const FoldItem& of) {
        const QString key = "operation:" + ModuleGroup::side(of.backward, of.again) + path;
        if (auto at = index_.constFind(key); at != index_.constEnd()) return *at;
        const int made = add(path, key, module, of);
        tree_.groups[static_cast<size_t>(made)].operation = true;
        return made;
    }
    int add(const QString& path, const QString& key, int parent, const FoldItem& of) {
        const int made = static_cast<int>(tree_.groups.size());
        index_.insert(key, made);
        ModuleGroup group;
        group.path = path;
        group.parent = parent;
        group.backward = of.backward;
        group.again = of.again;
        tree_.groups.push_back(std::move(group));
        (parent < 0 ? tree_.roots : tree_.groups[static_cast<size_t>(parent)].children)
            .push_back(made);
        return made;
    }

    /// The name of the captured operation of which an item is one node of many, by item. Where it is
    /// all that its module computes, the module says as much.
    std::vector<QString> operationsOfItems() const {
        std::vector<QString> result(items_.size());
        if (names_.calls.isEmpty()) return result;
        std::map<QString, std::vector<size_t>> found; // by side and place
        QHash<QString, size_t> calls;                 // by side and module
        const auto moduleOf = [&](size_t i) {
            return ModuleGroup::side(items_[i].backward, items_[i].again) +
                   QString::fromStdString(items_[i].node->modulePath);
        };
        for (size_t i = 0; i < items_.size(); ++i) {
            if (!items_[i].isCall()) continue;
            ++calls[moduleOf(i)];
            const QString place = placeOf(*items_[i].node);
            if (names_.calls.contains(place))
                found[ModuleGroup::side(items_[i].backward, items_[i].again) + place].push_back(i);
        }
        for (const auto& [key, nodes] : found) {
            const record::GraphNode& first = *items_[nodes.front()].node;
            const bool all =
                !first.modulePath.empty() && nodes.size() == calls.value(moduleOf(nodes.front()));
            std::vector<bool> inside(items_.size());
            for (size_t i : nodes)
                inside[i] = true;
            if (nodes.size() < kLeastOfOperation || all || isLeft(items_, inside)) continue;
            for (size_t i : nodes)
                result[i] = names_.calls.value(placeOf(first));
        }
        return result;
    }

    /// The innermost group that holds both; -1: none.
    int common(int a, int b) const {
        auto depth = [this](int at) {
            int steps = 0;
            for (; at >= 0; at = tree_.groups[static_cast<size_t>(at)].parent)
                ++steps;
            return steps;
        };
        int da = depth(a), db = depth(b);
        for (; da > db; --da)
            a = tree_.groups[static_cast<size_t>(a)].parent;
        for (; db > da; --db)
            b = tree_.groups[static_cast<size_t>(b)].parent;
        while (a != b) {
            a = tree_.groups[static_cast<size_t>(a)].parent;
            b = tree_.groups[static_cast<size_t>(b)].parent;
        }
        return a;
    }

    void takeParameters() {
        constexpr int kUnused = -2;
        std::vector<int> place(items_.size(), kUnused), across = place;
        for (size_t i = 0; i < items_.size(); ++i)
            for (int input : items_[i].inputs) {
                // What the backward reads of the forward crosses the cut wherever it stands, unless
                // nothing of the forward is there to read it.
                const bool crosses =
                    items_[static_cast<size_t>(input)].backward != items_[i].backward;
                int& at = (crosses ? across : place)[static_cast<size_t>(input)];
                at = at == kUnused ? groupOf_[i] : common(at, groupOf_[i]);
            }
        for (size_t i = 0; i < items_.size(); ++i) {
            const int at = place[i] == kUnused ? across[i] : place[i];
            if (groupOf_[i] < 0 && at >= 0 && isParameter(*items_[i].node)) groupOf_[i] = at;
        }
    }

    /// What only holds others (a ModuleDict) and is left and entered again on the way from one to
    /// another is no step of the computation: drawn around them, it would be both before and after
    /// what stands between. Its parts stand in its parent.
    void leaveOutContainers() {
        std::vector<bool> computes(tree_.groups.size());
        for (size_t i = 0; i < items_.size(); ++i)
            if (groupOf_[i] >= 0 && items_[i].isCall())
                computes[static_cast<size_t>(groupOf_[i])] = true;
        for (size_t g = 0; g < tree_.groups.size(); ++g) {
            ModuleGroup& group = tree_.groups[g];
            if (computes[g] || group.children.size() < 2 || !isGroupLeft(static_cast<int>(g)))
                continue;
            auto& list = group.parent < 0
                             ? tree_.roots
                             : tree_.groups[static_cast<size_t>(group.parent)].children;
            const auto at = list.erase(std::ranges::find(list, static_cast<int>(g)));
            list.insert(at, group.children.begin(), group.children.end());
            for (int child : std::exchange(group.children, {}))
                tree_.groups[static_cast<size_t>(child)].parent = group.parent;
            std::ranges::replace(groupOf_, static_cast<int>(g), group.parent);
        }
    }

    bool isIn(int item, int group) const {
        int at = groupOf_[static_cast<size_t>(item)];
        while (at >= 0 && at != group)
            at = tree_.groups[static_cast<size_t>(at)].parent;
        return at == group;
    }

    bool isGroupLeft(int group) const {
        std::vector<bool> inside(items_.size());
        for (size_t i = 0; i < items_.size(); ++i)
            inside[i] = isIn(static_cast<int>(i), group);
        return isLeft(items_, inside);
    }

    /// What holds one part and nothing else gives its place to that.
    void joinSingleParts() {
        auto replace = [this](int parent, int by, int with) {
            auto& list =
                parent < 0 ? tree_.roots : tree_.groups[static_cast<size_t>(parent)].children;
            std::replace(list.begin(), list.end(), by, with);
        };
        for (size_t g = 0; g < tree_.groups.size(); ++g) {
            ModuleGroup& group = tree_.groups[g];
            if (group.children.size() != 1 || !group.own.empty()) continue;
            const int child = group.children.front();
            replace(group.parent, static_cast<int>(g), child);
            tree_.groups[static_cast<size_t>(child)].parent = group.parent;
            group.children.clear();
        }
    }

    /// Equal: the same calls in the same order, which read the same of each other and values of the
    /// same types from outside.
    void compareAll() {
        std::vector<int> inside(items_.size(), -1);
        for (ModuleGroup& group : tree_.groups) {
            for (size_t k = 0; k < group.all.size(); ++k)
                inside[static_cast<size_t>(group.all[k])] = static_cast<int>(k);
            // Parameters stand where they are first read, not where the caller has them.
            std::string text = "group:";
            for (int item : group.all) {
                if (!items_[static_cast<size_t>(item)].isCall()) continue;
                const int number = signatures_.number(item, [&](int input) {
                    const FoldItem& from = items_[static_cast<size_t>(input)];
                    const int at = inside[static_cast<size_t>(input)];
                    return "<" +
                           (at >= 0 && from.isCall() ? std::to_string(callPosition(group, at))
                                                     : from.node->type) +
                           ">";
                });
                text += std::to_string(number) + ",";
            }
            group.sameAs = signatures_.intern(text);
            for (int item : group.all)
                inside[static_cast<size_t>(item)] = -1;
            positions_.clear();
        }
    }

    /// How many calls of the group come before the item at \p at.
    int callPosition(const ModuleGroup& group, int at) {
        if (positions_.empty()) {
            int calls = 0;
            for (int item : group.all) {
                positions_.push_back(calls);
                calls += items_[static_cast<size_t>(item)].isCall();
            }
        }
        return positions_[static_cast<size_t>(at)];
    }

    std::span<const FoldItem> items_;
    const FoldNames& names_;
    CallSignatures& signatures_;
    ModuleTree tree_;
    QHash<QString, int> index_;
    std::vector<int> groupOf_, positions_;
};

} // namespace

bool isLeft(std::span<const FoldItem> items, const std::vector<bool>& inside) {
    const auto first = std::ranges::find(inside, true);
    const auto last = std::find(inside.rbegin(), inside.rend(), true).base();
    std::vector<bool> out(items.size());     ///< of others, and made of what is inside
    for (auto at = first; at < last; ++at) { // inputs come before users
        const auto i = static_cast<size_t>(at - inside.begin());
        for (int input : items[i].inputs) {
            const auto from = static_cast<size_t>(input);
            if (out[from] && inside[i]) return true;
            if (!inside[i] && (out[from] || inside[from])) out[i] = true;
        }
    }
    return false;
}

ModuleTree moduleTree(std::span<const FoldItem> items, const FoldNames& names,
                      CallSignatures& signatures) {
    return TreeMaker(items, names, signatures).make();
}

} // namespace cutaway::views
