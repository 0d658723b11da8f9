// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/thumbnail.h"

#include <QFile>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <cmath>

namespace cutaway::views {

namespace {

QJsonArray numbers(const QRectF& rect) {
    return {std::round(rect.left()), std::round(rect.top()), std::round(rect.width()),
            std::round(rect.height())};
}

QRectF rectOf(const QJsonArray& numbers) {
    return {numbers[0].toDouble(), numbers[1].toDouble(), numbers[2].toDouble(),
            numbers[3].toDouble()};
}

} // namespace

QJsonObject Thumbnail::json() const {
    QJsonArray nodeList, edgeList, bandList;
    for (const Node& node : nodes) {
        QJsonArray one = numbers(node.rect);
        one << static_cast<int>(node.kind) << (node.ghost ? 1 : 0);
        nodeList << one;
    }
    for (const Edge& edge : edges) {
        QJsonArray one{edge.saved ? 1 : 0};
        for (const QPointF& point : edge.points)
            one << std::round(point.x()) << std::round(point.y());
        edgeList << one;
    }
    for (const QRectF& band : bands)
        bandList << numbers(band);
    return {{"size", QJsonArray{std::ceil(size.width()), std::ceil(size.height())}},
            {"nodes", nodeList},
            {"edges", edgeList},
            {"bands", bandList}};
}

Thumbnail Thumbnail::fromJson(const QJsonObject& json) {
    Thumbnail out;
    const QJsonArray size = json["size"].toArray();
    out.size = {size[0].toDouble(), size[1].toDouble()};
    for (const auto& value : json["nodes"].toArray()) {
        const QJsonArray one = value.toArray();
        const int kind = std::clamp(one[4].toInt(), 0, kOpKinds - 1);
        out.nodes.push_back({rectOf(one), static_cast<OpKind>(kind), one[5].toInt() != 0});
    }
    for (const auto& value : json["edges"].toArray()) {
        const QJsonArray one = value.toArray();
        Edge edge;
        edge.saved = one[0].toInt() != 0;
        for (qsizetype i = 1; i + 1 < one.size(); i += 2)
            edge.points << QPointF(one[i].toDouble(), one[i + 1].toDouble());
        out.edges.push_back(std::move(edge));
    }
    for (const auto& value : json["bands"].toArray())
        out.bands.push_back(rectOf(value.toArray()));
    return out;
}

Thumbnail thumbnailOf(const GraphScene& scene) {
    Thumbnail out;
    const QPointF origin = scene.bounds.topLeft();
    out.size = scene.bounds.size();
    for (const SceneNode& node : scene.nodes)
        out.nodes.push_back({node.rect.translated(-origin), node.kind, node.ghost});
    for (const SceneEdge& edge : scene.edges) {
        QPolygonF points;
        for (const QPointF& point : edge.points)
            points << point - origin;
        out.edges.push_back({points, edge.style == EdgeStyle::Saved});
    }
    for (const SceneBand& band : scene.bands)
        out.bands.push_back(band.rect.translated(-origin));
    return out;
}

Thumbnail thumbnailOf(const record::Record& record) {
    constexpr double kLetter = 2; // no text is read: boxes are as wide as they must be
    const TextWidth width = [](const QString& text, bool) { return kLetter * double(text.size()); };
    const record::Entry* best = nullptr; // the largest
    size_t most = 0;
    for (const record::Function& function : record.functions)
        for (const record::Entry& entry : function.entries)
            for (const record::GraphStage& stage : entry.graphs)
                if (stage.nodes.size() > most) {
                    most = stage.nodes.size();
                    best = &entry;
                }
    if (!best) return {};
    const Folding folding{FoldKind::Modules, {}, {}, kFoldRoom, foldNames(*best)};
    if (best->hasPartition) return thumbnailOf(partitionScene(*best, width, folding));
    GraphScene scene = stageScene(best->graphs.front(), width, folding);
    placeLayered(scene);
    return thumbnailOf(scene);
}

const Thumbnail& shippedThumbnail(const QString& sample) {
    static const QHash<QString, Thumbnail> all = [] {
        QHash<QString, Thumbnail> read;
        QFile file(":/thumbnails.json");
        if (!file.open(QIODevice::ReadOnly)) return read;
        const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
        for (auto at = json.begin(); at != json.end(); ++at)
            read.insert(at.key(), Thumbnail::fromJson(at->toObject()));
        return read;
    }();
    static const Thumbnail none;
    const auto found = all.constFind(sample);
    return found == all.constEnd() ? none : *found;
}

} // namespace cutaway::views
