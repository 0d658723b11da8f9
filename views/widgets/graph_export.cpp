// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/graph_export.h"

#include "core/base/file_system.h"
#include "core/base/quote.h"
#include "views/widgets/graph_canvas.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace cutaway::views {

using base::Status; // a qualified type before a function hides its words from lupdate

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(GraphExport)
};

constexpr double kRim = 20;
constexpr double kMostPixels = 16000; ///< a side of a PNG; more is refused by some readers

base::Diagnostic wrong(const QString& text) {
    return base::userError({}, text.toStdString());
}

QByteArray drawn(const PlacedScene& scene, const SceneLook& look, const QRectF& area,
                 const QString& suffix, double pngScale) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    auto paint = [&](QPaintDevice* device, double scale) {
        QPainter painter;
        if (!painter.begin(device)) return false;
        painter.scale(scale, scale);
        painter.translate(-area.topLeft());
        ScenePainter(scene, look).paint(painter, area, 1);
        return painter.end();
    };
    if (suffix == "svg") {
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setSize(area.size().toSize());
        svg.setViewBox(QRectF(QPointF(0, 0), area.size()));
        if (!paint(&svg, 1)) return {};
    } else if (suffix == "pdf") {
        QPdfWriter pdf(&buffer);
        pdf.setResolution(72);
        pdf.setPageMargins({});
        pdf.setPageSize(QPageSize(area.size(), QPageSize::Point));
        if (!paint(&pdf, 1)) return {};
    } else {
        const double scale =
            std::min(pngScale, kMostPixels / std::max(area.width(), area.height()));
        QImage image((area.size() * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
        image.fill(look.theme.base);
        if (!paint(&image, scale)) return {};
        image.save(&buffer, "PNG");
    }
    return buffer.data();
}

} // namespace

QStringList exportFilters() {
    return {Words::tr("Scalable vector graphics (*.svg)"), Words::tr("Portable document (*.pdf)"),
            Words::tr("Picture (*.png)"), Words::tr("Graphviz (*.dot)"),
            Words::tr("GraphML (*.graphml)")};
}

/// The nodes of \p scene that \p keep holds, with the edges between them.
static GraphScene partOf(const GraphScene& scene, const std::vector<bool>& keep) {
    GraphScene part = scene;
    part.nodes.clear();
    part.edges.clear();
    part.bands.clear();
    part.frames.clear();
    part.cut = false;
    part.bounds = {};
    std::vector<int> place(scene.nodes.size(), -1);
    for (size_t i = 0; i < scene.nodes.size(); ++i) {
        if (!keep[i]) continue;
        place[i] = static_cast<int>(part.nodes.size());
        part.nodes.push_back(scene.nodes[i]);
        part.nodes.back().frame = -1;
        part.bounds |= scene.nodes[i].rect;
    }
    for (SceneEdge edge : scene.edges) {
        edge.from = place[static_cast<size_t>(edge.from)];
        edge.to = place[static_cast<size_t>(edge.to)];
        if (edge.from < 0 || edge.to < 0) continue;
        for (QPointF p : edge.points)
            part.bounds |= QRectF(p - QPointF(1, 1), QSizeF(2, 2));
        part.edges.push_back(std::move(edge));
    }
    return part;
}

static QString sceneAsDot(const GraphScene& scene) {
    auto quoted = [](QString text) {
        return "\"" + text.replace('\\', "\\\\").replace('"', "\\\"") + "\"";
    };
    QString dot = "digraph graph_ {\n  node [shape=box, style=rounded];\n";
    auto put = [&](auto& self, int frame) -> void {
        for (size_t i = 0; i < scene.nodes.size(); ++i) {
            const SceneNode& node = scene.nodes[i];
            if (node.frame != frame) continue;
            QStringList lines{node.title};
            if (!node.name.isEmpty()) lines << node.name;
            if (!node.subtitle.isEmpty()) lines << node.subtitle;
            dot += QString("  n%1 [label=%2%3];\n")
                       .arg(i)
                       .arg(quoted(lines.join('\n')).replace('\n', "\\n"),
                            node.kind == OpKind::Input ? ", shape=ellipse" : "");
        }
        for (size_t f = 0; f < scene.frames.size(); ++f) {
            if (scene.frames[f].parent != frame) continue;
            dot += QString("  subgraph cluster_%1 {\n  label=%2;\n")
                       .arg(f)
                       .arg(quoted(scene.frames[f].title));
            self(self, static_cast<int>(f));
            dot += "  }\n";
        }
    };
    put(put, -1);
    for (const SceneEdge& edge : scene.edges)
        dot += QString("  n%1 -> n%2%3;\n")
                   .arg(edge.from)
                   .arg(edge.to)
                   .arg(edge.type.isEmpty() ? QString() : " [label=" + quoted(edge.type) + "]");
    return dot + "}\n";
}

/// What is drawn, with a node's data apart and open boxes as graphs within their node.
static QString sceneAsGraphMl(const GraphScene& scene) {
    const auto plain = [](const QString& text) {
        return QString::fromStdString(base::xmlText(text.toStdString()));
    };
    const auto data = [&](const char* key, const QString& value) {
        return value.isEmpty() ? QString()
                               : QString("<data key=\"%1\">%2</data>").arg(key, plain(value));
    };
    QString out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
    for (const char* key : {"label", "name", "type", "op", "module", "bytes"})
        out += QString("  <key id=\"%1\" for=\"node\" attr.name=\"%1\" attr.type=\"%2\"/>\n")
                   .arg(key, QString(key) == "bytes" ? "long" : "string");
    out += "  <key id=\"flows\" for=\"edge\" attr.name=\"type\" attr.type=\"string\"/>\n"
           "  <key id=\"saved\" for=\"edge\" attr.name=\"saved\" attr.type=\"boolean\"/>\n"
           "  <graph id=\"g\" edgedefault=\"directed\">\n";
    auto put = [&](auto& self, int frame) -> void {
        for (size_t i = 0; i < scene.nodes.size(); ++i) {
            const SceneNode& node = scene.nodes[i];
            if (node.frame != frame) continue;
            out += QString("<node id=\"n%1\">").arg(i) + data("label", node.title) +
                   data("name", node.name) + data("type", node.subtitle) + data("op", node.op) +
                   data("module", node.module) + data("bytes", QString::number(node.bytes)) +
                   "</node>\n";
        }
        for (size_t f = 0; f < scene.frames.size(); ++f) {
            if (scene.frames[f].parent != frame) continue;
            out += QString("<node id=\"f%1\">").arg(f) + data("label", scene.frames[f].title) +
                   QString("<graph id=\"g%1\" edgedefault=\"directed\">\n").arg(f);
            self(self, static_cast<int>(f));
            out += "</graph></node>\n";
        }
    };
    put(put, -1);
    for (const SceneEdge& edge : scene.edges)
        out += QString("<edge source=\"n%1\" target=\"n%2\">").arg(edge.from).arg(edge.to) +
               data("flows", edge.type) +
               (edge.style == EdgeStyle::Saved ? data("saved", "true") : QString()) + "</edge>\n";
    return out + "  </graph>\n</graphml>\n";
}

base::Result<QByteArray> drawnGraph(const GraphScene& scene, const Theme& theme, const QFont& font,
                                    const QString& suffix, double pngScale) {
    if (scene.nodes.empty()) return wrong(Words::tr("there is no graph to export"));
    if (suffix == "dot") return sceneAsDot(scene).toUtf8();
    if (suffix == "graphml") return sceneAsGraphMl(scene).toUtf8();
    if (suffix != "svg" && suffix != "pdf" && suffix != "png")
        return wrong(Words::tr("“.%1” is none of .svg, .pdf, .png, .dot, .graphml").arg(suffix));
    SceneLook look; // without the lights of the screen
    look.theme = theme;
    look.font = font;
    const QByteArray bytes =
        drawn(PlacedScene(scene), look, scene.bounds.adjusted(-kRim, -kRim, kRim, kRim), suffix,
              pngScale);
    if (bytes.isEmpty()) return wrong(Words::tr("the graph cannot be drawn"));
    return bytes;
}

Status exportGraph(const GraphCanvas& canvas, const GraphScene& whole, ExportScope scope,
                   const QString& path, double pngScale) {
    std::vector<bool> keep(canvas.scene().nodes.size(), true);
    if (scope != ExportScope::Whole)
        for (size_t i = 0; i < keep.size(); ++i)
            keep[i] = scope == ExportScope::Shown
                          ? canvas.shownArea().intersects(canvas.scene().nodes[i].rect)
                          : canvas.isSelected(static_cast<int>(i));
    const GraphScene part = scope == ExportScope::Whole ? whole : partOf(canvas.scene(), keep);
    if (part.nodes.empty() && scope == ExportScope::Selected)
        return wrong(Words::tr("no node of this graph is selected"));
    CUTAWAY_TRY(const QByteArray bytes, drawnGraph(part, canvas.theme(), canvas.font(),
                                                   QFileInfo(path).suffix().toLower(), pngScale));
    return base::writeFileAtomically(QFile::encodeName(path).toStdString(), bytes.toStdString());
}

} // namespace cutaway::views
