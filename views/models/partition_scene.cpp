// SPDX-License-Identifier: GPL-3.0-or-later
// The scene of the joint graph with the cut of the partition.
#include "views/models/graph_scene.h"

#include "views/models/format.h"

#include <QHash>
#include <algorithm>
#include <utility>

namespace cutaway::views {

namespace {

/// Rebuilds the edges of a joint scene so that recomputed values stand on the backward side too.
class CutBuilder {
public:
    CutBuilder(const record::GraphStage& joint, const record::Partition& cut,
               const TextWidth& width)
        : joint_(joint), width_(width), scene_(plainScene(joint, width)),
          backward_(backwardNodes(joint, scene_)) {
        for (size_t i = 0; i < joint.nodes.size(); ++i)
            index_.insert(joint.nodes[i].item, static_cast<int>(i));
        for (const record::SavedTensor& tensor : cut.saved) {
            saved_.insert(index_.value(tensor.item, -1), tensor.bytes);
            mostBytes_ = std::max(mostBytes_, tensor.bytes);
        }
    }

    GraphScene build(const Folding& folding) {
        std::vector<SceneEdge> crossing;
        std::vector<SceneEdge> kept;
        for (const SceneEdge& edge : scene_.edges)
            (crosses(edge) ? crossing : kept).push_back(edge);
        scene_.edges = std::move(kept);
        for (const SceneEdge& edge : crossing)
            link(edge.from, edge.to);
        fold(folding);
        labelLines();
        placeMirrored(scene_, backward_);
        scene_.cut = true;
        return std::move(scene_);
    }

private:
    bool crosses(const SceneEdge& edge) const {
        return !backward_[static_cast<size_t>(edge.from)] &&
               backward_[static_cast<size_t>(edge.to)];
    }

    /// The backward side needs forward value \p value in \p user.
    void link(int value, int user) {
        auto saved = saved_.constFind(value);
        bool input = joint_.nodes[static_cast<size_t>(value)].kind != "call";
        if (saved == saved_.constEnd() && !input) {
            addEdge(ghost(value), user, EdgeStyle::Again);
            return;
        }
        SceneEdge& edge = addEdge(value, user, EdgeStyle::Saved);
        const int64_t bytes =
            saved != saved_.constEnd() ? *saved : joint_.nodes[static_cast<size_t>(value)].bytes;
        edge.width = widthOf(bytes);
        if (!counted_.contains(value)) edge.savedBytes = bytes;
        counted_.insert(value, true);
    }

    /// The lines of one node leave it as one bundle: what crosses stands on the first of them.
    void labelLines() {
        QHash<int, int64_t> sums;
        for (const SceneEdge& edge : scene_.edges)
            sums[edge.from] += edge.savedBytes;
        for (SceneEdge& edge : scene_.edges) {
            if (edge.savedBytes == 0) continue;
            edge.width = std::max(edge.width, widthOf(edge.savedBytes)); // of a box's values
            if (const int64_t all = std::exchange(sums[edge.from], 0); all > 0) {
                edge.width = std::max(edge.width, widthOf(all));
                edge.label = format::bytes(all);
            }
        }
    }

    double widthOf(int64_t bytes) const {
        return mostBytes_ > 0 ? 2 + 4 * std::min(1.0, double(bytes) / double(mostBytes_)) : 2;
    }

    void fold(const Folding& folding) {
        std::vector<FoldItem> items = foldItems(joint_);
        for (size_t i = 0; i < items.size(); ++i)
            items[i].inputs.clear();
        items.resize(scene_.nodes.size());
        for (auto at = ghosts_.constBegin(); at != ghosts_.constEnd(); ++at)
            items[static_cast<size_t>(*at)] = {
                &joint_.nodes[static_cast<size_t>(at.key())], true, {}, true};
        for (const SceneEdge& edge : scene_.edges)
            items[static_cast<size_t>(edge.to)].inputs.push_back(edge.from);
        const std::vector<int> place = foldScene(scene_, planFolds(items, folding), width_);
        std::vector<bool> backward(scene_.nodes.size());
        for (size_t i = 0; i < place.size(); ++i)
            if (backward_[i]) backward[static_cast<size_t>(place[i])] = true;
        backward_ = std::move(backward);
    }

    int ghost(int value) {
        if (auto at = ghosts_.constFind(value); at != ghosts_.constEnd()) return *at;
        SceneNode copy = scene_.nodes[static_cast<size_t>(value)];
        copy.ghost = true;
        copy.output = false;
        int index = static_cast<int>(scene_.nodes.size());
        scene_.nodes.push_back(copy);
        backward_.push_back(true);
        ghosts_.insert(value, index);
        for (ItemId input : joint_.nodes[static_cast<size_t>(value)].inputs)
            if (int from = index_.value(input, -1); from >= 0) link(from, index);
        return index;
    }

    SceneEdge& addEdge(int from, int to, EdgeStyle style) {
        SceneEdge edge;
        edge.from = from;
        edge.to = to;
        edge.style = style;
        scene_.edges.push_back(std::move(edge));
        return scene_.edges.back();
    }

    const record::GraphStage& joint_;
    const TextWidth& width_;
    GraphScene scene_;
    std::vector<bool> backward_;
    QHash<ItemId, int> index_;
    QHash<int, int64_t> saved_;
    QHash<int, int> ghosts_;
    QHash<int, bool> counted_; ///< values whose bytes an edge has
    int64_t mostBytes_ = 0;
};

} // namespace

GraphScene partitionScene(const record::Entry& entry, const TextWidth& width,
                          const Folding& folding) {
    const record::GraphStage* joint = entry.graph("joint");
    if (!joint || !entry.hasPartition) return {};
    return CutBuilder(*joint, entry.partition, width).build(folding);
}

} // namespace cutaway::views
