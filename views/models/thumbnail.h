// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A graph so small that only its shape is seen: what the start page shows of each sample. Those of
/// the shipped samples stand in resources/thumbnails.json.
#pragma once

#include "views/models/graph_scene.h"

#include <QJsonObject>
#include <QPolygonF>

namespace cutaway::views {

struct Thumbnail {
    struct Node {
        QRectF rect;
        OpKind kind = OpKind::Other;
        bool ghost = false; ///< computed again in the backward graph
    };
    struct Edge {
        QPolygonF points;
        bool saved = false; ///< crosses the cut
    };
    QSizeF size;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::vector<QRectF> bands; ///< forward and backward, of a graph with a cut

    QJsonObject json() const;
    static Thumbnail fromJson(const QJsonObject& json);
    bool isEmpty() const { return nodes.empty(); }
};

/// Of a placed scene, in whole units from its upper left.
Thumbnail thumbnailOf(const GraphScene& scene);
/// What a compilation is best known by: its joint graph with the cut, else the graph that was
/// captured. Boxes as small as they are when no text is read; the same on every machine.
Thumbnail thumbnailOf(const record::Record& record);
/// That of a shipped sample, by its path below the samples ("models/gpt2.py"); empty: there is none.
const Thumbnail& shippedThumbnail(const QString& sample);

} // namespace cutaway::views
