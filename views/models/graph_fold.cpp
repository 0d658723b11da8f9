// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/graph_fold.h"

#include "views/models/format.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <utility>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(GraphFold)
};

/// With two equal parts nothing but the looser comparison of the first would be known.
constexpr size_t kLeastTimes = 3;

/// Inputs that every repetition reads in the same place, each its own, which nothing else reads: they
/// belong to what repeats, as weights to their layers.
std::vector<int> ownInputs(const std::vector<FoldItem>& items, const record::Repeat& repeat,
                           const std::vector<bool>& boxed, const std::vector<int>& frameOf) {
    constexpr int kUnread = -1, kElsewhere = -2;
    const auto at = [](int index) { return static_cast<size_t>(index); };
    std::vector<int> repetition(items.size(), kElsewhere), reader(items.size(), kUnread);
    for (size_t i = 0; i < repeat.calls.size(); ++i)
        repetition[at(repeat.calls[i])] = static_cast<int>(i / repeat.period);
    for (size_t i = 0; i < items.size(); ++i)
        for (int input : items[i].inputs) {
            int& by = reader[at(input)];
            by = by == kUnread || by == repetition[i] ? repetition[i] : kElsewhere;
        }
    std::vector<int> own;
    for (size_t call = 0; call < repeat.period; ++call)
        for (size_t slot = 0; slot < items[at(repeat.calls[call])].inputs.size(); ++slot) {
            std::vector<int> inputs;
            for (size_t i = call; i < repeat.calls.size(); i += repeat.period) {
                const std::vector<int>& reads = items[at(repeat.calls[i])].inputs;
                if (slot >= reads.size()) break;
                const int input = reads[slot];
                if (items[at(input)].isCall() || boxed[at(input)] || reader[at(input)] < 0 ||
                    frameOf[at(input)] != frameOf[at(repeat.calls.front())])
                    break;
                inputs.push_back(input);
            }
            if (inputs.size() == repeat.times) own.insert(own.end(), inputs.begin(), inputs.end());
        }
    return own;
}

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
        fold.brief = fold.title;
        fold.members = ownInputs(items, found, boxed, plan.frameOf);
        fold.members.insert(fold.members.end(), found.calls.begin(), found.calls.end());
        std::ranges::sort(fold.members);
        const auto twice = std::ranges::unique(fold.members);
        fold.members.erase(twice.begin(), twice.end());
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
        putParts(-1, -1);
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

    /// The parts of a group (-1: the roots) in their order, equal neighbours together, as far as
    /// nothing else of the computation stands between them.
    const std::vector<std::vector<int>>& runs(int owner) const {
        const auto [at, isNew] = runs_.try_emplace(owner);
        std::vector<std::vector<int>>& result = at->second;
        if (!isNew) return result;
        const bool apart = owner >= 0 && equalParts(group(owner));
        std::vector<int> equal;
        const auto put = [&] {
            if (equal.size() < kLeastTimes || !isLeft(equal))
                result.push_back(equal);
            else
                putUnlessLeft(equal, result);
            equal.clear();
        };
        for (int part : owner < 0 ? tree_.roots : group(owner).children) {
            if (!equal.empty() && (apart || isPlain(group(part)) ||
                                   group(equal.front()).sameAs != group(part).sameAs))
                put();
            equal.push_back(part);
        }
        if (!equal.empty()) put();
        return result;
    }
    /// As many as can be at a time.
    void putUnlessLeft(const std::vector<int>& equal, std::vector<std::vector<int>>& runs) const {
        std::vector<int> run;
        for (int part : equal) {
            run.push_back(part);
            if (run.size() < 2 || !isLeft(run)) continue;
            run.pop_back();
            runs.push_back(std::exchange(run, {part}));
        }
        runs.push_back(run);
    }
    bool isLeft(const std::vector<int>& parts) const {
        std::vector<bool> inside(items_.size());
        for (int part : parts)
            for (int item : group(part).all)
                inside[static_cast<size_t>(item)] = true;
        return views::isLeft(items_, inside);
    }
    QString runKey(const std::vector<int>& run) const {
        return "times:" + group(run.front()).key() + "-" + group(run.back()).path.section('.', -1);
    }

    /// How many nodes and boxes are drawn for the inside of a group.
    int size(int of) const {
        int result = static_cast<int>(group(of).own.size());
        for (const auto& run : runs(of))
            result += run.size() < kLeastTimes ? static_cast<int>(run.size()) : 1;
        return result;
    }

    /// Level by level, as long as there is room.
    void chooseOpen() {
        open_.assign(tree_.groups.size(), false);
        std::vector<int> level;
        int drawn = static_cast<int>(tree_.outside.size());
        auto gather = [&](int owner, std::vector<int>& into) {
            for (const auto& run : runs(owner)) {
                if (run.size() >= kLeastTimes) continue;
                for (int part : run) // one operation says its parameters by its box
                    if (group(part).calls > 1) into.push_back(part);
            }
        };
        for (const auto& run : runs(-1))
            drawn += run.size() < kLeastTimes ? static_cast<int>(run.size()) : 1;
        gather(-1, level);
        while (!level.empty()) {
            int more = drawn;
            for (int part : level)
                more += size(part) - 1;
            if (more > folding_.room) break;
            drawn = more;
            std::vector<int> next;
            for (int part : level) {
                open_[static_cast<size_t>(part)] = true;
                gather(part, next);
            }
            level = std::move(next);
        }
        for (size_t g = 0; g < open_.size(); ++g) {
            const QString key = tree_.groups[g].key();
            open_[g] = folding_.open.contains(key) || (open_[g] && !folding_.closed.contains(key));
        }
    }

    void putParts(int owner, int frame) {
        for (const auto& run : runs(owner)) {
            int inside = frame;
            if (run.size() >= kLeastTimes) {
                if (!folding_.open.contains(runKey(run))) {
                    putRun(run, frame, owner);
                    continue;
                }
                inside = static_cast<int>(plan_.frames.size());
                plan_.frames.push_back(
                    {runKey(run), runTitle(run, pathIn(run.front(), owner)), frame});
            }
            for (int part : run)
                putPart(part, inside, owner);
        }
    }

    QString runTitle(const std::vector<int>& run, const QString& first) const {
        return QString("%1 … %2%3")
            .arg(first, group(run.back()).path.section('.', -1), classOf(run.front()));
    }

    void putRun(const std::vector<int>& run, int frame, int owner) {
        Fold fold;
        fold.key = runKey(run);
        fold.times = static_cast<int>(run.size());
        fold.frame = frame;
        fold.ending = QString(" × %1").arg(run.size());
        fold.title = runTitle(run, pathIn(run.front(), owner)) + fold.ending;
        fold.brief = runTitle(run, lastOf(run.front())) + fold.ending;
        for (int part : run)
            fold.members.insert(fold.members.end(), group(part).all.begin(), group(part).all.end());
        std::ranges::sort(fold.members);
        plan_.boxes.push_back(std::move(fold));
    }

    void putPart(int part, int frame, int owner) {
        const ModuleGroup& of = group(part);
        if (isPlain(of)) return put(of.all, frame);
        if (open_[static_cast<size_t>(part)]) {
            // Nodes that nobody has seen as one are not framed.
            if (of.operation && !folding_.open.contains(of.key())) return put(of.all, frame);
            const int made = static_cast<int>(plan_.frames.size());
            plan_.frames.push_back({of.key(), pathIn(part, owner) + classOf(part), frame});
            put(of.own, made);
            return putParts(part, made);
        }
        Fold fold;
        fold.key = of.key();
        fold.frame = frame;
        fold.members = of.all;
        fold.times = equalParts(of) ? static_cast<int>(of.children.size()) : 1;
        fold.ending = titleEnd(part);
        fold.title = pathIn(part, owner) + classOf(part) + fold.ending;
        fold.brief = lastOf(part) + classOf(part) + fold.ending;
        plan_.boxes.push_back(std::move(fold));
    }

    void put(const std::vector<int>& items, int frame) {
        for (int item : items)
            plan_.frameOf[static_cast<size_t>(item)] = frame;
    }

    /// Within a frame its name is not said again, unless a number alone would be left.
    QString pathIn(int part, int owner) const {
        const QString path = group(part).path;
        if (owner < 0) return path;
        const QString rest = path.mid(group(owner).path.size() + 1);
        return !rest.isEmpty() && rest.front().isDigit()
                   ? group(owner).path.section('.', -1) + "." + rest
                   : rest;
    }
    QString lastOf(int part) const {
        const QString path = group(part).path;
        return path.section('.', isNumbered(part) ? -2 : -1);
    }
    bool isNumbered(int part) const {
        const QString last = group(part).path.section('.', -1);
        return !last.isEmpty() && last.front().isDigit();
    }
    /// What a number alone does not say: " Linear" behind "0".
    QString classOf(int part) const {
        const QString known = folding_.names.classes.value(group(part).path);
        return isNumbered(part) && !known.isEmpty() ? " " + known : QString();
    }

    QString titleEnd(int part) const {
        const ModuleGroup& of = group(part);
        if (equalParts(of)) return QString(" × %1").arg(of.children.size());
        if (of.calls == 1)
            for (int item : of.all)
                if (items_[static_cast<size_t>(item)].isCall()) {
                    const QString op = format::shortOp(
                        QString::fromStdString(items_[static_cast<size_t>(item)].node->op));
                    const bool said = classOf(part).trimmed().startsWith(QString(op).remove('_'),
                                                                         Qt::CaseInsensitive);
                    return said ? QString() : " · " + op;
                }
        const int many = static_cast<int>(of.all.size());
        return " · " + Words::tr("%1 node(s)", nullptr, many).arg(format::count(many));
    }

    const std::vector<FoldItem>& items_;
    ModuleTree tree_;
    FoldPlan& plan_;
    const Folding& folding_;
    std::vector<bool> open_;
    mutable std::map<int, std::vector<std::vector<int>>> runs_; ///< by owner
};

} // namespace

FoldPlan planFolds(const std::vector<FoldItem>& items, const Folding& folding) {
    FoldPlan plan;
    plan.frameOf.assign(items.size(), -1);
    if (folding.kind == FoldKind::None) return plan;
    CallSignatures signatures(items);
    if (folding.kind == FoldKind::Modules)
        Modules(items, moduleTree(items, folding.names, signatures), plan, folding).plan();
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
