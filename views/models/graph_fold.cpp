// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/graph_fold.h"

#include "views/models/format.h"

#include <QCoreApplication>
#include <algorithm>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(GraphFold)
};

/// With two equal parts nothing but the looser comparison of the first would be known.
constexpr size_t kLeastTimes = 3;

/// Among the calls that stand in no box yet.
void addRepeats(const std::vector<FoldItem>& items, CallSignatures& signatures,
                const Folding& folding, FoldPlan& plan) {
    std::vector<bool> boxed(items.size());
    for (const Fold& box : plan.boxes)
        for (int member : box.members)
            boxed[static_cast<size_t>(member)] = true;
    for (const record::Repeat& found :
         record::findRepeats(items, signatures, boxed, plan.frameOf)) {
        const auto node = [&](size_t i) -> const record::GraphNode& {
            return *items[static_cast<size_t>(found.calls[i])].node;
        };
        Fold fold;
        fold.key = "repeat:" + QString::fromStdString(node(0).name);
        fold.times = static_cast<int>(found.times);
        fold.frame = plan.frameOf[static_cast<size_t>(found.calls.front())];
        QStringList ops;
        for (size_t i = 0; i < found.period && i < 4; ++i)
            ops << format::shortOp(QString::fromStdString(node(i).op));
        fold.title = found.period <= 4 ? ops.join(" ") : Words::tr("block of %1").arg(found.period);
        fold.ending = QString(" × %1").arg(found.times);
        fold.title += fold.ending;
        fold.members = found.calls;
        if (!folding.open.contains(fold.key)) {
            plan.boxes.push_back(std::move(fold));
            continue;
        }
        for (int member : fold.members)
            plan.frameOf[static_cast<size_t>(member)] = static_cast<int>(plan.frames.size());
        plan.frames.push_back({fold.key, fold.title, fold.frame});
    }
}

class Modules {
public:
    Modules(const std::vector<FoldItem>& items, ModuleTree tree, FoldPlan& plan,
            const Folding& folding)
        : items_(items), tree_(std::move(tree)), plan_(plan), folding_(folding) {}

    void plan() {
        chooseOpen();
        putParts(tree_.roots, -1, -1);
    }

private:
    const ModuleGroup& group(int index) const { return tree_.groups[static_cast<size_t>(index)]; }
    /// A box around one node would hide nothing.
    static bool isPlain(const ModuleGroup& group) { return group.all.size() < 2; }
    bool equalParts(const ModuleGroup& of) const {
        return of.own.empty() && of.children.size() >= kLeastTimes &&
               std::ranges::all_of(of.children, [&](int child) {
                   return group(child).sameAs == group(of.children.front()).sameAs;
               });
    }

    /// Parts in their order, equal neighbours together.
    std::vector<std::vector<int>> runs(const std::vector<int>& parts, bool apart) const {
        std::vector<std::vector<int>> result;
        for (int part : parts)
            if (!apart && !result.empty() &&
                group(result.back().front()).sameAs == group(part).sameAs && !isPlain(group(part)))
                result.back().push_back(part);
            else
                result.push_back({part});
        return result;
    }
    QString runKey(const std::vector<int>& run) const {
        return "times:" + group(run.front()).key() + "-" + group(run.back()).path.section('.', -1);
    }

    /// How many nodes and boxes are drawn for the inside of a group.
    int size(const ModuleGroup& of) const {
        int result = static_cast<int>(of.own.size());
        for (const auto& run : runs(of.children, equalParts(of)))
            result += run.size() < kLeastTimes ? static_cast<int>(run.size()) : 1;
        return result;
    }

    /// Level by level, as long as there is room.
    void chooseOpen() {
        open_.assign(tree_.groups.size(), false);
        std::vector<int> level;
        int drawn = static_cast<int>(tree_.outside.size());
        auto gather = [&](const std::vector<int>& parts, bool apart, std::vector<int>& into) {
            for (const auto& run : runs(parts, apart)) {
                if (run.size() >= kLeastTimes) continue;
                for (int part : run) // one operation says its parameters by its box
                    if (group(part).calls > 1) into.push_back(part);
            }
        };
        for (const auto& run : runs(tree_.roots, false))
            drawn += run.size() < kLeastTimes ? static_cast<int>(run.size()) : 1;
        gather(tree_.roots, false, level);
        while (!level.empty()) {
            int more = drawn;
            for (int part : level)
                more += size(group(part)) - 1;
            if (more > folding_.room) break;
            drawn = more;
            std::vector<int> next;
            for (int part : level) {
                open_[static_cast<size_t>(part)] = true;
                gather(group(part).children, equalParts(group(part)), next);
            }
            level = std::move(next);
        }
        for (size_t g = 0; g < open_.size(); ++g) {
            const QString key = tree_.groups[g].key();
            open_[g] = folding_.open.contains(key) || (open_[g] && !folding_.closed.contains(key));
        }
    }

    void putParts(const std::vector<int>& parts, int frame, int owner) {
        const bool apart = owner >= 0 && equalParts(group(owner));
        for (const auto& run : runs(parts, apart)) {
            int inside = frame;
            if (run.size() >= kLeastTimes) {
                if (!folding_.open.contains(runKey(run))) {
                    putRun(run, frame, owner);
                    continue;
                }
                inside = static_cast<int>(plan_.frames.size());
                plan_.frames.push_back({runKey(run), runTitle(run, owner), frame});
            }
            for (int part : run)
                putPart(part, inside, owner);
        }
    }

    QString runTitle(const std::vector<int>& run, int owner) const {
        return QString("%1 … %2").arg(nameIn(run.front(), owner),
                                      group(run.back()).path.section('.', -1));
    }

    void putRun(const std::vector<int>& run, int frame, int owner) {
        Fold fold;
        fold.key = runKey(run);
        fold.times = static_cast<int>(run.size());
        fold.frame = frame;
        fold.ending = QString(" × %1").arg(run.size());
        fold.title = runTitle(run, owner) + fold.ending;
        for (int part : run)
            fold.members.insert(fold.members.end(), group(part).all.begin(), group(part).all.end());
        std::ranges::sort(fold.members);
        plan_.boxes.push_back(std::move(fold));
    }

    void putPart(int part, int frame, int owner) {
        const ModuleGroup& of = group(part);
        if (isPlain(of)) return put(of.all, frame);
        if (open_[static_cast<size_t>(part)]) {
            const int made = static_cast<int>(plan_.frames.size());
            plan_.frames.push_back({of.key(), nameIn(part, owner), frame});
            put(of.own, made);
            return putParts(of.children, made, part);
        }
        Fold fold;
        fold.key = of.key();
        fold.frame = frame;
        fold.members = of.all;
        fold.times = equalParts(of) ? static_cast<int>(of.children.size()) : 1;
        fold.ending = titleEnd(of);
        fold.title = nameIn(part, owner) + fold.ending;
        plan_.boxes.push_back(std::move(fold));
    }

    void put(const std::vector<int>& items, int frame) {
        for (int item : items)
            plan_.frameOf[static_cast<size_t>(item)] = frame;
    }

    /// Within a frame its name is not said again, unless a number alone would be left.
    QString nameIn(int part, int owner) const {
        const QString path = group(part).path;
        if (owner < 0) return path;
        const QString rest = path.mid(group(owner).path.size() + 1);
        return !rest.isEmpty() && rest.front().isDigit()
                   ? group(owner).path.section('.', -1) + "." + rest
                   : rest;
    }

    QString titleEnd(const ModuleGroup& of) const {
        if (equalParts(of)) return QString(" × %1").arg(of.children.size());
        if (of.calls == 1)
            for (int item : of.all)
                if (items_[static_cast<size_t>(item)].isCall())
                    return " · " + format::shortOp(QString::fromStdString(
                                       items_[static_cast<size_t>(item)].node->op));
        const int many = static_cast<int>(of.all.size());
        return " · " + Words::tr("%1 node(s)", nullptr, many).arg(format::count(many));
    }

    const std::vector<FoldItem>& items_;
    ModuleTree tree_;
    FoldPlan& plan_;
    const Folding& folding_;
    std::vector<bool> open_;
};

} // namespace

FoldPlan planFolds(const std::vector<FoldItem>& items, const Folding& folding) {
    FoldPlan plan;
    plan.frameOf.assign(items.size(), -1);
    if (folding.kind == FoldKind::None) return plan;
    CallSignatures signatures(items);
    if (folding.kind == FoldKind::Modules)
        Modules(items, moduleTree(items, signatures), plan, folding).plan();
    addRepeats(items, signatures, folding, plan);
    return plan;
}

Folding withEverythingOpen(const std::vector<FoldItem>& items, Folding folding) {
    while (true) { // a box may open to further ones
        const std::vector<Fold> boxes = planFolds(items, folding).boxes;
        const qsizetype before = folding.open.size();
        for (const Fold& box : boxes)
            folding.set(box.key, true);
        if (folding.open.size() == before) return folding;
    }
}

} // namespace cutaway::views
