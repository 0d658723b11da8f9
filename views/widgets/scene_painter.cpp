// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/scene_painter.h"

#include "views/models/compound_layout.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace cutaway::views {

namespace {

// Below these scales details cost time and cannot be seen.
constexpr double kTextScale = 0.27, kSubtitleScale = 0.75, kSmoothScale = 0.25, kCurveScale = 0.12;
/// Smallest text on the screen, in pixels, that is still read with ease.
constexpr double kLeastText = 10;
/// Room for a band's title.
constexpr double kBandHead = 34;
constexpr double kBadge = 13;

/// \p font, or a larger one where \p scale would make it too small to read.
QFont legible(QFont font, double scale) {
    double pixels = QFontInfo(font).pixelSize() * scale;
    if (pixels < kLeastText) font.setPointSizeF(font.pointSizeF() * kLeastText / pixels);
    return font;
}

/// S-curves between ranks: each piece leaves and arrives vertically.
QPainterPath curve(const SceneEdge& edge) {
    QPainterPath path(edge.points.front());
    for (size_t i = 1; i < edge.points.size(); ++i) {
        QPointF a = edge.points[i - 1], b = edge.points[i];
        if (std::fabs(a.x() - b.x()) < 0.5) {
            path.lineTo(b);
        } else {
            double y = (a.y() + b.y()) / 2;
            path.cubicTo({a.x(), y}, {b.x(), y}, b);
        }
    }
    return path;
}

/// A polyline with rounded corners.
QPainterPath rounded(const SceneEdge& edge) {
    const auto& p = edge.points;
    QPainterPath path(p.front());
    for (size_t i = 1; i + 1 < p.size(); ++i) {
        QPointF in = p[i] - p[i - 1], out = p[i + 1] - p[i];
        double lengthIn = std::hypot(in.x(), in.y()), lengthOut = std::hypot(out.x(), out.y());
        double radius = std::min({18.0, lengthIn / 2, lengthOut / 2});
        if (radius < 0.5) continue;
        path.lineTo(p[i] - in * (radius / lengthIn));
        path.quadTo(p[i], p[i] + out * (radius / lengthOut));
    }
    path.lineTo(p.back());
    return path;
}

QColor mixed(const QColor& a, const QColor& b, double share) {
    auto mix = [share](int x, int y) { return static_cast<int>(x + (y - x) * share); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

void paintArrow(QPainter& painter, const SceneEdge& edge, double size) {
    QPointF tip = edge.points.back();
    QPointF before = edge.points[edge.points.size() - 2];
    QPointF direction = tip - before;
    if (!edge.rail && std::fabs(direction.y()) > 4) direction.setX(0);
    double length = std::hypot(direction.x(), direction.y());
    if (length < 1e-6) return;
    direction /= length;
    QPointF side(-direction.y(), direction.x());
    QPointF base = tip - direction * size;
    QPolygonF head{tip, base + side * size * 0.5, base - side * size * 0.5};
    painter.setBrush(painter.pen().color());
    QPen pen = painter.pen();
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(head);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
}

} // namespace

QString fittingTitle(const QFontMetricsF& metrics, const QString& title, const QString& ending,
                     Qt::TextElideMode mode, double room) {
    if (ending.isEmpty() || metrics.horizontalAdvance(title) <= room)
        return metrics.elidedText(title, mode, room);
    // A name of less than a letter and dots tells nothing: its room is the ending's.
    const double left = room - metrics.horizontalAdvance(ending);
    if (left >= metrics.horizontalAdvance(QStringLiteral("m…")))
        return metrics.elidedText(title.chopped(ending.size()), mode, left) + ending;
    static const QRegularExpression dot(QStringLiteral("^ · "));
    const QString alone = QString(ending).remove(dot).trimmed();
    return metrics.horizontalAdvance(alone) <= room ? alone : QString();
}

/// Smaller than the lines beside it by more, a line could not be read: then it is cut.
static constexpr double kLeastOfGrowth = 0.75;

QFont briefFont(const QFont& usual, const QString& text, double scale, double room) {
    double growth = std::clamp(0.75 / scale, 1.0, kBriefGrowth);
    const double wide = QFontMetricsF(usual).horizontalAdvance(text);
    const double fitting = 0.97 * room / wide; // sizes of type come in steps
    if (growth * wide > room) growth = std::max({1.0, kLeastOfGrowth * growth, fitting});
    QFont font = usual;
    font.setPointSizeF(font.pointSizeF() * growth);
    return font;
}

void ScenePainter::paintBands(QPainter& painter, double scale) const {
    for (const SceneBand& band : scene_.bands) {
        QColor color = band.backward ? look_.theme.again : look_.theme.kind(OpKind::Pointwise);
        color.setAlphaF(look_.theme.dark ? 0.09 : 0.06);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(band.rect, 12, 12);
        painter.setBrush(Qt::NoBrush);
    }
    if (scene_.cut && scene_.bands.size() == 2) paintCut(painter);
    paintBandTitles(painter, scale);
}

/// How much darker (in the dark: lighter) the inside of a frame is than what it stands in.
double ScenePainter::frameTint() const {
    return look_.theme.dark ? 0.05 : 0.03;
}

/// Frames around the parts of open boxes, the outer ones first.
void ScenePainter::paintFrames(QPainter& painter, const QRectF& area, double scale) const {
    QColor fill = look_.theme.text;
    fill.setAlphaF(frameTint());
    painter.setPen(QPen(look_.theme.border, std::max(1.0, 0.7 / scale)));
    painter.setBrush(fill);
    for (const SceneFrame& frame : scene_.frames)
        if (frame.rect.intersects(area)) painter.drawRoundedRect(frame.rect, 8, 8);
    painter.setBrush(Qt::NoBrush);
}

/// Their heads, which close them again: on a ground of their own, over the edges that come in.
void ScenePainter::paintFrameTitles(QPainter& painter, const QRectF& area, double scale) const {
    QFont font = look_.font;
    font.setBold(true);
    font = legible(font, scale);
    const QFontMetricsF metrics(font);
    for (const SceneFrame& frame : scene_.frames) {
        const QRectF head = headOf(frame).adjusted(8, 0, -8, 0);
        // Grown over the head it would lie on what stands below.
        if (!frame.rect.intersects(area) || metrics.height() > 1.7 * head.height()) continue;
        const QString title = metrics.elidedText("▾ " + frame.title, Qt::ElideMiddle, head.width());
        QRectF ground(head.left() - 3, 0, metrics.horizontalAdvance(title) + 6,
                      std::min(metrics.height(), head.height()));
        ground.moveTop(head.center().y() - ground.height() / 2);
        QColor color = look_.theme.base; // as the frames around it have made it
        for (const SceneFrame* at = &frame; at;
             at = at->parent < 0 ? nullptr : &scene_.frames[static_cast<size_t>(at->parent)])
            color = mixed(color, look_.theme.text, frameTint());
        painter.fillRect(ground, color);
        painter.setFont(font);
        painter.setPen(look_.theme.muted);
        painter.drawText(head, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextDontClip, title);
    }
}

/// The triangle at the end of a box.
void ScenePainter::paintOpener(QPainter& painter, const SceneNode& node, const Coat& coat,
                               double scale) const {
    if (node.fold.isEmpty() || scale < kTextScale) return;
    const bool upper = isInLines(node, scale);
    const QPointF at(node.rect.right() - kOpenerWidth / 2,
                     node.rect.top() + node.rect.height() * (upper ? 0.25 : 0.5));
    painter.setPen(Qt::NoPen);
    const bool onHead = coat.isFull && (upper || !coat.isLit);
    painter.setBrush(onHead ? coat.ink : look_.theme.muted);
    painter.drawPolygon(QPolygonF{at + QPointF(-3, -5), at + QPointF(4, 0), at + QPointF(-3, 5)});
    painter.setBrush(Qt::NoBrush);
}

static QString cutTitle() {
    return QCoreApplication::translate("GraphCanvas", "cut");
}

void ScenePainter::paintCut(QPainter& painter) const {
    const QRectF &left = scene_.bands[0].rect, &right = scene_.bands[1].rect;
    double x = (left.right() + right.left()) / 2;
    QColor color = look_.theme.saved;
    color.setAlphaF(0.55);
    painter.setPen(QPen(color, 1.5, Qt::DashLine));
    painter.drawLine(QPointF(x, left.top() + kBandHead), QPointF(x, left.bottom()));
}

/// Without bold strokes where characters have so many of them that those would run together.
QFont ScenePainter::bandTitleFont(double scale) const {
    constexpr char16_t kManyStrokes = 0x2e80;
    QFont font = look_.font;
    font.setBold(cutTitle().front().unicode() < kManyStrokes);
    return legible(font, scale);
}

std::vector<ScenePainter::Placed> ScenePainter::bandTitles(double scale) const {
    const QFontMetricsF metrics(bandTitleFont(scale));
    const double high = metrics.height();
    std::vector<Placed> titles;
    const double gap =
        scene_.bands.size() == 2 ? scene_.bands[1].rect.left() - scene_.bands[0].rect.right() : 0;
    // Small graphs have little room above their first row: the title then rises over the rim.
    auto place = [&](double x, double top, double room, const QString& text, const QColor& color) {
        const double wide = metrics.horizontalAdvance(text);
        if (wide > room) return;
        const double y = std::min(top + 10, top + kBandHead + 22 - high);
        titles.push_back({QRectF(x - wide / 2, y, wide, high), text, color});
    };
    for (const SceneBand& band : scene_.bands)
        place(band.rect.center().x(), band.rect.top(), band.rect.width() + gap / 2, band.title,
              look_.theme.muted);
    if (scene_.cut && gap > 0)
        place(scene_.bands[0].rect.right() + gap / 2, scene_.bands[0].rect.top(), gap, cutTitle(),
              look_.theme.saved);
    return titles;
}

void ScenePainter::paintBandTitles(QPainter& painter, double scale) const {
    painter.setFont(bandTitleFont(scale));
    for (const Placed& title : bandTitles(scale)) {
        painter.setPen(title.color);
        painter.drawText(title.box, Qt::AlignCenter | Qt::TextDontClip, title.text);
    }
}

void ScenePainter::paintEdge(QPainter& painter, const SceneEdge& edge, double scale) const {
    if (edge.points.size() < 2) return;
    Highlight level = std::min(look_.light(edge.from), look_.light(edge.to));
    QColor color = mixed(look_.theme.faint, look_.theme.base, look_.theme.dark ? 0.45 : 0.4);
    double width = edge.width;
    Qt::PenStyle style = Qt::SolidLine;
    if (edge.style == EdgeStyle::Saved) color = look_.theme.saved;
    if (edge.style == EdgeStyle::Again) {
        color = look_.theme.again;
        style = Qt::DashLine;
    }
    if (edge.change != 0) color = edge.change > 0 ? look_.theme.good : look_.theme.error;
    if (edge.style == EdgeStyle::Saved && level < Highlight::Direct)
        color =
            mixed(color, look_.theme.base, 0.25); // opaque: rails of one value lie on each other
    if (edge.style == EdgeStyle::Normal && level >= Highlight::Direct) {
        color = look_.theme.mark;
        width = 2;
    }
    QPen pen(color, std::max(width, 0.7 / scale), style, Qt::FlatCap, Qt::RoundJoin);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    if (scale < kCurveScale) {
        painter.drawPolyline(edge.points.data(), static_cast<int>(edge.points.size()));
        return;
    }
    painter.drawPath(scene_.smoothed || edge.rail ? rounded(edge) : curve(edge));
    if (scale > kTextScale) paintArrow(painter, edge, 5 + edge.width);
}

QFont ScenePainter::edgeTypeFont() const {
    QFont font = look_.font;
    font.setPointSizeF(font.pointSizeF() * 0.8);
    return font;
}

std::vector<ScenePainter::Placed> ScenePainter::edgeTypes(const std::vector<int>& edges) const {
    const QFontMetricsF metrics(edgeTypeFont());
    std::vector<Placed> labels;
    const auto isFree = [&](const QRectF& box) {
        return std::ranges::none_of(
                   labels, [&](const Placed& other) { return other.box.intersects(box); }) &&
               std::ranges::none_of(placed_.nodes.query(box), [&](int node) {
                   return scene_.nodes[static_cast<size_t>(node)].rect.intersects(box);
               });
    };
    for (int index : edges) {
        const SceneEdge& edge = scene_.edges[static_cast<size_t>(index)];
        if (edge.type.isEmpty() || edge.rail || edge.points.size() < 2) continue;
        const QString text = edgeText(edge.type, look_.edgeTypes);
        if (text.isEmpty()) continue;
        QRectF box(0, 0, metrics.horizontalAdvance(text) + 8, metrics.height());
        const auto parts = static_cast<int>(edge.points.size()) - 1;
        for (int away = 0; away <= parts; ++away) { // from the middle towards both ends
            const int part = (parts - 1) / 2 + (away % 2 ? -(away + 1) / 2 : away / 2);
            if (part < 0 || part >= parts) continue;
            const QPointF* at = &edge.points[static_cast<size_t>(part)];
            box.moveCenter((at[0] + at[1]) / 2);
            if (!isFree(box)) continue;
            labels.push_back({box, text, look_.theme.muted});
            break;
        }
    }
    return labels;
}

void ScenePainter::paintEdgeTypes(QPainter& painter, const std::vector<int>& edges) const {
    painter.setFont(edgeTypeFont());
    for (const Placed& label : edgeTypes(edges)) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(look_.theme.base);
        painter.drawRect(label.box);
        painter.setPen(label.color);
        painter.drawText(label.box, Qt::AlignCenter, label.text);
    }
}

QFont ScenePainter::edgeLabelFont(double scale) const {
    QFont font = look_.font;
    font.setPointSizeF(font.pointSizeF() * 0.92);
    font.setBold(true);
    return legible(font, scale);
}

std::vector<ScenePainter::Placed> ScenePainter::edgeLabels(const std::vector<int>& edges,
                                                           double scale) const {
    std::vector<Placed> labels;
    if (scene_.bands.size() != 2) return labels;
    const QFontMetricsF metrics(edgeLabelFont(scale));
    const double room = scene_.bands[1].rect.left() - scene_.bands[0].rect.right();
    const double high = metrics.height() + 3;
    auto edgeAt = [&](int index) -> const SceneEdge& {
        return scene_.edges[static_cast<size_t>(index)];
    };
    std::vector<int> largestFirst;
    for (int index : edges)
        if (!edgeAt(index).label.isEmpty()) largestFirst.push_back(index);
    // Where there is room for one of two labels, the larger tensor has it.
    std::stable_sort(largestFirst.begin(), largestFirst.end(),
                     [&](int a, int b) { return edgeAt(a).width > edgeAt(b).width; });
    for (int index : largestFirst) {
        const SceneEdge& edge = edgeAt(index);
        const double wide = metrics.horizontalAdvance(edge.label) + high * 0.65;
        const double x = std::min(edge.labelAt.x(), scene_.bands[1].rect.left() - wide);
        const QRectF box(x, edge.labelAt.y() - high / 2, wide, high);
        const bool free = std::ranges::none_of(
            labels, [&](const Placed& other) { return other.box.intersects(box); });
        if (wide <= room && free) labels.push_back({box, edge.label, look_.theme.saved});
    }
    return labels;
}

void ScenePainter::paintEdgeLabels(QPainter& painter, const std::vector<int>& edges,
                                   double scale) const {
    painter.setFont(edgeLabelFont(scale));
    for (const Placed& label : edgeLabels(edges, scale)) {
        painter.setPen(QPen(label.color, std::max(1.0, 0.7 / scale)));
        painter.setBrush(look_.theme.base);
        const double round = label.box.height() / 2;
        painter.drawRoundedRect(label.box, round, round);
        painter.setPen(label.color);
        painter.drawText(label.box, Qt::AlignCenter, label.text);
    }
}

/// What a node's own colour fills: all of it where one line is written, else the half with its name.
/// Inputs and what is computed again stay pale between the operations.
ScenePainter::Coat ScenePainter::coatOf(int index, bool faded) const {
    const SceneNode& node = scene_.nodes[static_cast<size_t>(index)];
    const Highlight level = look_.light(index);
    const bool lit = level >= Highlight::Direct && heatOf(index) < 0 && node.change == 0;
    Coat coat;
    coat.head = node.change != 0 ? colorFromAfar(index) : colorOf(index);
    coat.isFull = heatOf(index) >= 0 || (!node.ghost && node.kind != OpKind::Input);
    if (faded) coat.head = mixed(coat.head, look_.theme.base, 0.72);
    coat.body = mixed(look_.theme.base, coat.head, look_.theme.dark ? 0.16 : 0.08);
    if (node.change == 1) coat.body = look_.theme.added;
    if (node.change == -1) coat.body = look_.theme.removed;
    if (node.change == 2) coat.body = look_.theme.direct;
    if (lit) // the light is the ground of all that is written
        coat.body = level == Highlight::Selected ? look_.theme.selected : look_.theme.direct;
    if (faded) coat.body = mixed(coat.body, look_.theme.base, 0.6);
    if (!coat.isFull) coat.head = coat.body;
    coat.isLit = lit;
    coat.ink = !coat.isFull ? look_.theme.text
               : faded      ? look_.theme.muted
                            : look_.theme.on(coat.head);
    return coat;
}

void ScenePainter::paintNode(QPainter& painter, int index, double scale) const {
    const SceneNode& node = scene_.nodes[static_cast<size_t>(index)];
    Highlight level = look_.light(index);
    const bool dimmed = look_.isDimmed(index);
    bool faded = dimmed || (look_.fades && level == Highlight::None);
    const Coat coat = coatOf(index, faded);
    QColor rim = mixed(colorOf(index), look_.theme.base, faded ? 0.65 : 0.15);
    double width = 1;
    if (node.change != 0) {
        rim = colorFromAfar(index);
        width = 2;
    }
    if (level >= Highlight::Direct) {
        rim = look_.theme.mark;
        width = level == Highlight::Selected ? 2.5 : 1.8;
        if (heatOf(index) >= 0) width += 1.5;
    }
    if (look_.isFound(index)) {
        rim = look_.theme.accent;
        width = 2.5;
    }
    if (index == hovered_) width += 0.8;
    if (scale < kSmoothScale) return paintFromAfar(painter, index, scale);
    const QPen pen(rim, std::max(width, 0.8 / scale), node.ghost ? Qt::DashLine : Qt::SolidLine);
    const double radius = node.kind == OpKind::Input ? node.rect.height() / 2 : 5;
    const bool lines = isInLines(node, scale);
    painter.setPen(pen);
    painter.setBrush(lines || coat.isLit ? coat.body : coat.head);
    painter.drawRoundedRect(node.rect, radius, radius);
    if (lines && coat.isFull) paintHead(painter, node, coat, pen, radius);
    if (!node.fold.isEmpty()) { // a pile
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(node.rect.adjusted(-3, -3, 3, 3), radius + 2, radius + 2);
    }
    if (!node.chip) paintBadge(painter, index, coat, faded, scale);
    if (node.output) {
        painter.setPen(QPen(rim, 1));
        painter.drawLine(node.rect.bottomLeft() + QPointF(8, 4),
                         node.rect.bottomRight() + QPointF(-8, 4));
    }
    if (scale >= kTextScale) paintNodeText(painter, node, coat, scale);
    paintOpener(painter, node, coat, scale);
}

/// The upper half, which holds the name.
void ScenePainter::paintHead(QPainter& painter, const SceneNode& node, const Coat& coat,
                             const QPen& pen, double radius) const {
    const QRectF& rect = node.rect;
    QPainterPath path(QPointF(rect.left(), rect.center().y()));
    path.lineTo(rect.left(), rect.top() + radius);
    path.quadTo(rect.topLeft(), rect.topLeft() + QPointF(radius, 0));
    path.lineTo(rect.right() - radius, rect.top());
    path.quadTo(rect.topRight(), rect.topRight() + QPointF(0, radius));
    path.lineTo(rect.right(), rect.center().y());
    path.closeSubpath();
    painter.setPen(Qt::NoPen);
    painter.setBrush(coat.head);
    painter.drawPath(path);
    painter.setPen(pen); // the light goes all the way around
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rect, radius, radius);
}

/// Whether a node's name, kind and type are written, in two lines.
bool ScenePainter::isInLines(const SceneNode& node, double scale) {
    return scale >= kSubtitleScale && !node.subtitle.isEmpty() && !node.chip;
}

/// A light hides neither a difference nor a heat: it stands around the node.
void ScenePainter::paintFromAfar(QPainter& painter, int index, double scale) const {
    const QRectF& rect = scene_.nodes[static_cast<size_t>(index)].rect;
    const bool lit = look_.light(index) >= Highlight::Direct, found = look_.isFound(index);
    const QColor light = lit ? look_.theme.mark : look_.theme.accent;
    const bool told = placed_.isDifference || heatOf(index) >= 0;
    if ((lit || found) && !told) return painter.fillRect(rect, light);
    const double around = 1.5 / scale;
    if (lit || found) painter.fillRect(rect.adjusted(-around, -around, around, around), light);
    QColor own = colorFromAfar(index);
    if (look_.isDimmed(index)) own = mixed(own, look_.theme.base, 0.6);
    painter.fillRect(rect, mixed(own, look_.theme.base, placed_.isDifference ? 0 : 0.25));
}

/// What a pass did is told by a sign as well as by its colour.
static QString signOf(int change) {
    return change == 1    ? QStringLiteral("+")
           : change == -1 ? QStringLiteral("−")
           : change == 2  ? QStringLiteral("~")
                          : QString();
}

/// The kind's letter on its colour, so that the colour need not be known; from afar the colour
/// alone.
static QFont badgeFont(QFont font) {
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 0.85);
    return font;
}

/// As wide as its letter needs.
static double badgeWidth(const QFont& font) {
    return std::max(kBadge, QFontMetricsF(badgeFont(font)).horizontalAdvance('M') + 2);
}

void ScenePainter::paintBadge(QPainter& painter, int index, const Coat& coat, bool faded,
                              double scale) const {
    const SceneNode& node = scene_.nodes[static_cast<size_t>(index)];
    const bool letter = scale >= kSubtitleScale;
    const bool input = node.kind == OpKind::Input;
    if (!letter && (input || (coat.isFull && !coat.isLit))) return; // told by ends and by ground
    const bool upper = isInLines(node, scale);
    const double high = (upper ? node.rect.height() / 2 : node.rect.height()) - 6;
    QColor color = look_.theme.kind(node.kind);
    if (letter && coat.isFull) color = mixed(coat.head, look_.theme.on(coat.head), 0.22);
    painter.setPen(Qt::NoPen);
    painter.setBrush(faded && !coat.isFull ? mixed(color, look_.theme.base, 0.5) : color);
    const QRectF badge(node.rect.left() + (input ? 9 : 4), node.rect.top() + 3,
                       letter ? badgeWidth(look_.font) : 3.5, high);
    painter.drawRoundedRect(badge, letter ? 3 : 1.7, letter ? 3 : 1.7);
    if (!letter) return;
    painter.setFont(badgeFont(look_.font));
    painter.setPen(look_.theme.on(color));
    painter.drawText(badge, Qt::AlignCenter,
                     node.change != 0 ? signOf(node.change) : opKindLetter(node.kind));
}

/// A line alone has room to grow, so that it can be read for longer while zooming out. All grow
/// alike (the size of a text must not look like a rank), but those that would then be cut: they grow
/// as far as they are whole.
void ScenePainter::paintBrief(QPainter& painter, const SceneNode& node, const Coat& coat,
                              double scale) const {
    QRectF inner = node.rect.adjusted(9, 2, node.fold.isEmpty() ? -5 : -kOpenerWidth, -2);
    QString text = node.brief.isEmpty() ? node.title : node.brief;
    if (node.change != 0) text = signOf(node.change) + " " + text;
    const QFont font = briefFont(look_.font, text, scale, inner.width());
    painter.setFont(font);
    painter.setPen(node.ghost ? look_.theme.again : coat.isLit ? look_.theme.text : coat.ink);
    // Names differ in their numbers, which stand last.
    painter.drawText(
        inner, Qt::AlignCenter,
        fittingTitle(QFontMetricsF(font), text, node.ending, Qt::ElideMiddle, inner.width()));
}

void ScenePainter::paintNodeText(QPainter& painter, const SceneNode& node, const Coat& coat,
                                 double scale) const {
    if (!isInLines(node, scale)) return paintBrief(painter, node, coat, scale);
    const double left = badgeWidth(look_.font) + (node.kind == OpKind::Input ? 16 : 10);
    QRectF inner = node.rect.adjusted(left, 1, node.fold.isEmpty() ? -8 : -kOpenerWidth, -1);
    QFont bold = look_.font;
    bold.setBold(true);
    QFontMetricsF boldMetrics(bold);
    painter.setFont(bold);
    painter.setPen(node.ghost && !coat.isFull ? look_.theme.again : coat.ink);
    QRectF first(inner.left(), inner.top(), inner.width(), inner.height() / 2);
    QString title =
        fittingTitle(boldMetrics, node.title, node.ending, Qt::ElideRight, first.width());
    painter.drawText(first, Qt::AlignVCenter | Qt::AlignLeft, title);
    QFont small = look_.font;
    small.setPointSizeF(small.pointSizeF() * 0.9);
    QFontMetricsF metrics(small);
    painter.setFont(small);
    painter.setPen(coat.isFull ? coat.ink : look_.theme.muted);
    double used = boldMetrics.horizontalAdvance(title) + 10;
    QRectF nameRect = first.adjusted(used, 0, 0, 0);
    if (!node.name.isEmpty() && nameRect.width() > 24)
        painter.drawText(nameRect, Qt::AlignVCenter | Qt::AlignRight,
                         metrics.elidedText(node.name, Qt::ElideRight, nameRect.width()));
    painter.setPen(look_.theme.muted);
    QRectF second(inner.left(), inner.top() + inner.height() / 2, inner.width(),
                  inner.height() / 2);
    painter.drawText(second, Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(node.subtitle, Qt::ElideRight, second.width()));
}

void ScenePainter::paint(QPainter& painter, const QRectF& area, double scale) const {
    painter.setRenderHint(QPainter::Antialiasing, scale >= kSmoothScale);
    paintBands(painter, scale);
    paintFrames(painter, area, scale);
    const std::vector<int> edges = placed_.edges.query(area);
    for (int index : edges)
        paintEdge(painter, scene_.edges[static_cast<size_t>(index)], scale);
    paintFrameTitles(painter, area, scale);
    paintNodes(painter, placed_.nodes.query(area), scale);
    if (look_.edgeTypes && scale >= kTypeScale) paintEdgeTypes(painter, edges);
    paintEdgeLabels(painter, edges, scale);
}

void ScenePainter::paintSketch(QPainter& painter, const QRectF& area, double scale) const {
    paintBands(painter, scale);
    paintFrames(painter, area, scale);
    paintFrameTitles(painter, area, scale);
    paintNodes(painter, placed_.nodes.query(area), scale);
}

void ScenePainter::paintNodes(QPainter& painter, const std::vector<int>& nodes,
                              double scale) const {
    painter.setRenderHint(QPainter::Antialiasing, scale >= kSmoothScale);
    for (int index : nodes)
        paintNode(painter, index, scale);
}

QColor ScenePainter::colorOf(int index) const {
    const int heat = heatOf(index);
    return heat >= 0 ? look_.theme.heat[static_cast<size_t>(heat)]
                     : look_.theme.kind(scene_.nodes[static_cast<size_t>(index)].kind);
}

QColor ScenePainter::colorFromAfar(int index) const {
    if (!placed_.isDifference) return colorOf(index);
    switch (scene_.nodes[static_cast<size_t>(index)].change) {
    case 1:
        return look_.theme.good;
    case -1:
        return look_.theme.error;
    case 2:
        return look_.theme.warning;
    default:
        return mixed(look_.theme.faint, look_.theme.base, 0.4);
    }
}

} // namespace cutaway::views
