// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/graph_scene.h"

#include "views/models/compound_layout.h"
#include "views/models/format.h"

#include <QFontMetricsF>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::views {

namespace {

constexpr double kNodeHeight = 40, kPadding = 12, kMinWidth = 84, kMaxWidth = 260;
constexpr double kBadgeRoom = 18;
constexpr double kChipHeight = 20;
constexpr size_t kManyUses = 5; ///< with fewer, edges are clear enough
constexpr int kFarUses = 24;    ///< nodes between the first and the last use
constexpr double kGutter = 180, kLane = 16, kMostLanes = 14;

/// The last words of where an input comes from: "norm1.weight" of
/// "G['net'].blocks[0].norm1.weight".
QString sourceName(const record::GraphNode& node) {
    const QString from = QString::fromStdString(node.text).section("  # ", 1);
    if (!from.contains('.') || from.contains(' ')) return {};
    return from.section('.', -2);
}

SceneNode sceneNode(const record::GraphNode& node, const TextWidth& width) {
    SceneNode out;
    out.item = node.item;
    out.kind = opKind(node);
    QString name = QString::fromStdString(node.name);
    QString op = format::shortOp(QString::fromStdString(node.op));
    bool call = node.kind == "call" && !op.isEmpty();
    out.title = call ? op : name;
    if (call && name != op) out.name = name;
    if (node.kind == "placeholder") out.name = sourceName(node);
    out.subtitle = QString::fromStdString(node.type);
    out.bytes = node.bytes;
    out.op = QString::fromStdString(node.op);
    out.module = QString::fromStdString(node.modulePath);
    double first = width(out.title, true) + (out.name.isEmpty() ? 0 : 14 + width(out.name, false));
    const double type = typeScale(width);
    double wide = std::max(first, width(out.subtitle, false)) + 2 * kPadding + type * kBadgeRoom;
    out.rect = QRectF(0, 0, std::clamp(wide, kMinWidth, type * kMaxWidth), type * kNodeHeight);
    return out;
}

void setBounds(GraphScene& scene) {
    QRectF bounds;
    for (const SceneNode& node : scene.nodes)
        bounds |= node.rect;
    for (const SceneEdge& edge : scene.edges)
        for (QPointF p : edge.points)
            bounds |= QRectF(p - QPointF(1, 1), QSizeF(2, 2));
    for (const SceneFrame& frame : scene.frames)
        bounds |= frame.rect;
    for (const SceneBand& band : scene.bands)
        bounds |= band.rect;
    scene.bounds = bounds;
}

/// The part of a scene on one side of the cut, placed by itself.
struct Side {
    std::vector<int> nodes; ///< indices in the scene
    CompoundInput input;
    std::vector<int> edges, frames; ///< indices in the scene
    CompoundResult result;
};

Side layoutSide(const GraphScene& scene, const std::vector<bool>& backward, bool side) {
    Side out;
    std::vector<int> local(scene.nodes.size(), -1), frames(scene.frames.size(), -1);
    std::vector<bool> here(scene.frames.size());
    for (size_t i = 0; i < scene.nodes.size(); ++i)
        for (int f = scene.nodes[i].frame; f >= 0 && backward[i] == side;
             f = scene.frames[static_cast<size_t>(f)].parent)
            here[static_cast<size_t>(f)] = true;
    auto localFrame = [&](int f) { return f < 0 ? -1 : frames[static_cast<size_t>(f)]; };
    for (size_t f = 0; f < scene.frames.size(); ++f) {
        if (!here[f]) continue;
        frames[f] = static_cast<int>(out.frames.size());
        out.frames.push_back(static_cast<int>(f));
        out.input.parents.push_back(localFrame(scene.frames[f].parent));
        out.input.titleWidths.push_back(scene.frames[f].titleWidth);
    }
    out.input.headBelow = side;
    out.input.flat.narrow = true; // two of them stand beside each other
    for (size_t i = 0; i < scene.nodes.size(); ++i)
        if (backward[i] == side) {
            local[i] = static_cast<int>(out.nodes.size());
            out.nodes.push_back(static_cast<int>(i));
            out.input.flat.sizes.push_back(scene.nodes[i].rect.size());
            out.input.frameOf.push_back(localFrame(scene.nodes[i].frame));
        }
    for (size_t e = 0; e < scene.edges.size(); ++e) {
        int from = local[static_cast<size_t>(scene.edges[e].from)];
        int to = local[static_cast<size_t>(scene.edges[e].to)];
        if (from < 0 || to < 0) continue;
        out.edges.push_back(static_cast<int>(e));
        out.input.flat.edges.emplace_back(from, to);
    }
    out.result = compoundLayout(out.input);
    return out;
}

/// Writes one side into the scene: moved to \p x, stretched to \p height, upside down for the
/// backward side.
void putSide(GraphScene& scene, const Side& side, double x, double height, bool flip) {
    const LayoutResult& flat = side.result.flat;
    double own = flat.bounds.height(), high = kNodeHeight; // of a row
    for (int node : side.nodes)
        high = std::max(high, scene.nodes[static_cast<size_t>(node)].rect.height());
    auto map = [&](QPointF p) {
        double y = p.y() - flat.bounds.top();
        if (own > high) y = high / 2 + (y - high / 2) * (height - high) / (own - high);
        return QPointF(p.x() - flat.bounds.left() + x, flip ? height - y : y);
    };
    for (size_t i = 0; i < side.nodes.size(); ++i)
        scene.nodes[static_cast<size_t>(side.nodes[i])].rect.moveCenter(map(flat.centers[i]));
    for (size_t e = 0; e < side.edges.size(); ++e) {
        SceneEdge& edge = scene.edges[static_cast<size_t>(side.edges[e])];
        edge.points.clear();
        for (QPointF p : flat.routes[e])
            edge.points.push_back(map(p));
        // Stretching moves the ends off the rims, whose height stays.
        const QRectF& from = scene.nodes[static_cast<size_t>(edge.from)].rect;
        const QRectF& to = scene.nodes[static_cast<size_t>(edge.to)].rect;
        edge.points.front().setY(flip ? from.top() : from.bottom());
        edge.points.back().setY(flip ? to.bottom() : to.top());
    }
    for (size_t f = 0; f < side.frames.size(); ++f) {
        const QRectF& rect = side.result.frames[f];
        scene.frames[static_cast<size_t>(side.frames[f])].rect =
            QRectF(map(rect.topLeft()), map(rect.bottomRight())).normalized();
    }
}

} // namespace

QRectF headOf(const SceneFrame& frame) {
    return {frame.rect.topLeft(), QSizeF(frame.rect.width(), kFrameHead)};
}

int GraphScene::find(ItemId item) const {
    for (size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].item == item || std::find(nodes[i].members.begin(), nodes[i].members.end(),
                                               item) != nodes[i].members.end())
            return static_cast<int>(i);
    return -1;
}

QRectF GraphScene::rectOf(const std::vector<int>& indices) const {
    QRectF result;
    for (int index : indices)
        result |= nodes[static_cast<size_t>(index)].rect;
    return result;
}

/// The operation tells most, unless others have it as well: then it is the value's name.
/// Boxes are wide enough for it to be written larger when the graph is seen from afar.
static void setBriefs(GraphScene& scene, const TextWidth& width) {
    QHash<QString, int> uses;
    for (const SceneNode& node : scene.nodes)
        ++uses[node.title];
    for (SceneNode& node : scene.nodes)
        node.brief = uses[node.title] > 1 && !node.name.isEmpty() ? node.name : node.title;
    for (SceneNode& node : scene.nodes) {
        double wide = kBriefGrowth * width(node.brief, false) + kBriefInset;
        node.rect.setWidth(std::clamp(wide, node.rect.width(),
                                      std::max(node.rect.width(), typeScale(width) * kMaxWidth)));
    }
}

/// Replaces the edges from inputs with many far users by an edge from a small copy beside each.
static void addChips(GraphScene& scene, const TextWidth& width) {
    const size_t own = scene.nodes.size();
    std::vector<std::vector<size_t>> out(own);
    for (size_t e = 0; e < scene.edges.size(); ++e)
        out[static_cast<size_t>(scene.edges[e].from)].push_back(e);
    for (size_t i = 0; i < own; ++i) {
        const OpKind kind = scene.nodes[i].kind;
        if ((kind != OpKind::Input && kind != OpKind::Constant) || out[i].size() < kManyUses)
            continue;
        // Uses that follow each other closely are drawn well by one bundle of edges.
        if (scene.edges[out[i].back()].to - scene.edges[out[i].front()].to < kFarUses) continue;
        SceneNode chip = scene.nodes[i];
        chip.chip = true;
        chip.output = false;
        chip.brief = chip.name.isEmpty() ? chip.title : chip.name;
        const double type = typeScale(width);
        const double wide =
            std::clamp(width(chip.brief, false) + 2 * kPadding, 40.0, type * kMaxWidth);
        chip.rect = QRectF(0, 0, wide, type * kChipHeight);
        for (size_t k = 1; k < out[i].size(); ++k) {
            scene.edges[out[i][k]].from = static_cast<int>(scene.nodes.size());
            scene.nodes.push_back(chip);
        }
    }
}

/// One pixel to four, by the logarithm of the bytes.
static void setWidths(GraphScene& scene) {
    int64_t most = 1, least = std::numeric_limits<int64_t>::max();
    for (const SceneEdge& edge : scene.edges) {
        const int64_t bytes = scene.nodes[static_cast<size_t>(edge.from)].bytes;
        if (bytes <= 0) continue;
        most = std::max(most, bytes);
        least = std::min(least, bytes);
    }
    const double range = std::log2(double(most) / double(std::max<int64_t>(1, least)));
    for (SceneEdge& edge : scene.edges) {
        const int64_t bytes = scene.nodes[static_cast<size_t>(edge.from)].bytes;
        if (bytes > 0 && range > 1)
            edge.width = 1 + 3 * std::log2(double(bytes) / double(least)) / range;
    }
}

GraphScene plainScene(const record::GraphStage& stage, const TextWidth& width) {
    GraphScene scene;
    QHash<ItemId, int> index;
    for (const record::GraphNode& node : stage.nodes) {
        index.insert(node.item, static_cast<int>(scene.nodes.size()));
        scene.nodes.push_back(sceneNode(node, width));
    }
    setBriefs(scene, width);
    for (ItemId item : stage.outputs)
        if (int at = index.value(item, -1); at >= 0)
            scene.nodes[static_cast<size_t>(at)].output = true;
    for (size_t i = 0; i < stage.nodes.size(); ++i) {
        std::vector<ItemId> seen; // x * x is one edge
        for (ItemId input : stage.nodes[i].inputs) {
            int from = index.value(input, -1);
            if (from < 0 || std::find(seen.begin(), seen.end(), input) != seen.end()) continue;
            seen.push_back(input);
            SceneEdge edge;
            edge.from = from;
            edge.to = static_cast<int>(i);
            const SceneNode& read = scene.nodes[static_cast<size_t>(from)];
            edge.type = read.subtitle;
            if (read.bytes > 0) edge.type += " · " + format::bytes(read.bytes);
            scene.edges.push_back(std::move(edge));
        }
    }
    return scene;
}

QString edgeText(const QString& type, uint8_t words) {
    static const QRegularExpression form(
        "^([^\\[·]*?)(\\[[^\\]]*\\])?(\\[[^\\]]*\\])?(?: · (.*))?$");
    const auto parts = form.match(type);
    QString text;
    for (int part = 0; part < 3; ++part)
        if (words & (1 << part)) text += parts.captured(part + 1);
    const QString bytes = words & kBytes ? parts.captured(4) : QString();
    return text.isEmpty() || bytes.isEmpty() ? text + bytes : text + " · " + bytes;
}

double typeScale(const TextWidth& width) {
    static const QString sample = QStringLiteral("0123456789abcdefghij");
    constexpr double kRoomy = 8; // pixels a letter, for which the constants here are enough
    return std::max(1.0, width(sample, false) / (kRoomy * double(sample.size())));
}

TextWidth textWidth(const QFont& font) {
    QFont bold = font;
    bold.setBold(true);
    return [plain = QFontMetricsF(font), heavy = QFontMetricsF(bold),
            known = QHash<QString, double>()](const QString& text, bool isBold) mutable {
        const QString key = isBold ? text + '\n' : text;
        auto at = known.constFind(key);
        if (at == known.constEnd())
            at = known.insert(key, (isBold ? heavy : plain).horizontalAdvance(text));
        return *at;
    };
}

GraphScene stageScene(const record::GraphStage& stage, const TextWidth& width,
                      const Folding& folding) {
    GraphScene scene = plainScene(stage, width);
    foldScene(scene, planFolds(foldItems(stage), folding), width);
    addChips(scene, width);
    setWidths(scene);
    return scene;
}

void placeLayered(GraphScene& scene) {
    CompoundInput input;
    for (const SceneNode& node : scene.nodes) {
        input.flat.sizes.push_back(node.rect.size());
        input.frameOf.push_back(node.frame);
    }
    for (const SceneEdge& edge : scene.edges)
        input.flat.edges.emplace_back(edge.from, edge.to);
    for (const SceneFrame& frame : scene.frames) {
        input.parents.push_back(frame.parent);
        input.titleWidths.push_back(frame.titleWidth);
    }
    const CompoundResult result = compoundLayout(input);
    for (size_t i = 0; i < scene.nodes.size(); ++i)
        scene.nodes[i].rect.moveCenter(result.flat.centers[i]);
    for (size_t e = 0; e < scene.edges.size(); ++e)
        scene.edges[e].points = result.flat.routes[e];
    for (size_t f = 0; f < scene.frames.size(); ++f)
        scene.frames[f].rect = result.frames[f];
    scene.smoothed = false;
    setBounds(scene);
}

std::vector<bool> backwardNodes(const record::GraphStage& joint, const GraphScene& scene) {
    QHash<ItemId, bool> late;
    for (const record::GraphNode& node : joint.nodes)
        late.insert(node.item, node.backward || node.name.rfind("tangents", 0) == 0);
    std::vector<bool> backward(scene.nodes.size());
    for (size_t i = 0; i < scene.nodes.size(); ++i)
        backward[i] = late.value(scene.nodes[i].item);
    for (const SceneEdge& edge : scene.edges) // a chip stands on the side of its use
        if (scene.nodes[static_cast<size_t>(edge.from)].chip)
            backward[static_cast<size_t>(edge.from)] = backward[static_cast<size_t>(edge.to)];
    return backward;
}

namespace {

/// Routes what crosses the cut: along the rows, and up or down in a lane of the gutter that belongs
/// to the value, or to the closed box which alone reads it: hundreds would be a wall.
class Rails {
public:
    Rails(GraphScene& scene, const std::vector<bool>& backward, double left, double right)
        : scene_(scene), backward_(backward), left_(left), right_(right) {
        for (size_t i = 0; i < scene.nodes.size(); ++i)
            rows_[backward[i]].emplace_back(scene.nodes[i].rect.center().y(), int(i));
        for (auto& row : rows_)
            std::ranges::sort(row);
    }

    /// The node that the lane of each edge belongs to; -1: it does not cross.
    static std::vector<int> owners(const GraphScene& scene, const std::vector<bool>& backward) {
        constexpr int kSeveral = -1;
        QHash<int, int> reader; // of each value that crosses
        const auto crosses = [&](const SceneEdge& edge) {
            return backward[static_cast<size_t>(edge.from)] !=
                   backward[static_cast<size_t>(edge.to)];
        };
        for (const SceneEdge& edge : scene.edges) {
            if (!crosses(edge)) continue;
            const auto known = reader.find(edge.from);
            if (known == reader.end())
                reader.insert(edge.from, edge.to);
            else if (*known != edge.to)
                *known = kSeveral;
        }
        std::vector<int> owners;
        for (const SceneEdge& edge : scene.edges) {
            const bool isShared = reader.value(edge.from, kSeveral) == edge.to &&
                                  !scene.nodes[static_cast<size_t>(edge.to)].fold.isEmpty();
            owners.push_back(!crosses(edge) ? -1 : isShared ? edge.to : edge.from);
        }
        return owners;
    }

    /// Each once, in the order of the edges.
    static std::vector<int> lanes(const std::vector<int>& owners) {
        std::vector<int> result;
        QSet<int> known;
        for (int owner : owners) {
            if (owner < 0 || known.contains(owner)) continue;
            known.insert(owner);
            result.push_back(owner);
        }
        return result;
    }

    void route() {
        const std::vector<int> owners = Rails::owners(scene_, backward_);
        std::vector<int> order = lanes(owners);
        std::stable_sort(order.begin(), order.end(),
                         [&](int a, int b) { return rect(a).center().y() > rect(b).center().y(); });
        QHash<int, int> lane;
        for (size_t i = 0; i < order.size(); ++i)
            lane.insert(order[i], static_cast<int>(i));
        double room = right_ - left_ - 100;
        double step = order.size() > 1 ? std::min(kLane, room / double(order.size() - 1)) : 0;
        double first = left_ + 72;
        for (size_t e = 0; e < owners.size(); ++e)
            if (owners[e] >= 0) routeEdge(scene_.edges[e], first + step * lane.value(owners[e]));
    }

private:
    const QRectF& rect(int node) const { return scene_.nodes[static_cast<size_t>(node)].rect; }

    /// Whether another node stands in the row between this one and the gutter.
    bool blocked(int node) const {
        const QRectF& own = rect(node);
        bool side = backward_[static_cast<size_t>(node)];
        const std::vector<std::pair<double, int>>& row = rows_[side];
        const double y = own.center().y(), high = own.height();
        for (auto at = std::ranges::upper_bound(row, y - high, {}, &std::pair<double, int>::first);
             at != row.end() && at->first < y + high; ++at) {
            const double x = rect(at->second).center().x();
            if (at->second != node && (side ? x < own.center().x() : x > own.center().x()))
                return true;
        }
        return false;
    }

    void routeEdge(SceneEdge& edge, double lane) {
        const QRectF &from = rect(edge.from), &to = rect(edge.to);
        edge.rail = true;
        edge.points.clear();
        double startY = from.center().y(), endY = to.center().y();
        if (blocked(edge.from)) {
            startY = from.bottom() + 13;
            double x = from.center().x() + from.width() * 0.25;
            edge.points.emplace_back(x, from.bottom());
            edge.points.emplace_back(x, startY);
        } else {
            edge.points.emplace_back(from.right(), startY);
        }
        edge.points.emplace_back(lane, startY);
        edge.labelAt = QPointF(left_ + 8, startY);
        if (blocked(edge.to)) {
            endY = to.bottom() + 13; // the backward side reads upwards
            double x = to.center().x() - to.width() * 0.25;
            edge.points.emplace_back(lane, endY);
            edge.points.emplace_back(x, endY);
            edge.points.emplace_back(x, to.bottom());
        } else {
            edge.points.emplace_back(lane, endY);
            edge.points.emplace_back(to.left(), endY);
        }
    }

    GraphScene& scene_;
    const std::vector<bool>& backward_;
    std::vector<std::pair<double, int>> rows_[2]; ///< forward and backward nodes by their y
    double left_, right_;                         ///< rims of the gutter
};

} // namespace

void placeMirrored(GraphScene& scene, const std::vector<bool>& backward) {
    Side left = layoutSide(scene, backward, false), right = layoutSide(scene, backward, true);
    if (left.nodes.empty() || right.nodes.empty()) return placeLayered(scene);
    double height = std::max(left.result.flat.bounds.height(), right.result.flat.bounds.height());
    double lanes = double(Rails::lanes(Rails::owners(scene, backward)).size());
    double rightX =
        left.result.flat.bounds.width() + kGutter + kLane * std::min(lanes, double(kMostLanes));
    putSide(scene, left, 0, height, false);
    putSide(scene, right, rightX, height, true);
    double margin = 28, head = 34;
    QRectF forward(-margin, -margin - head, left.result.flat.bounds.width() + 2 * margin,
                   height + 2 * margin + head);
    QRectF back(rightX - margin, -margin - head, right.result.flat.bounds.width() + 2 * margin,
                height + 2 * margin + head);
    scene.bands = {{forward, QStringLiteral("forward"), false},
                   {back, QStringLiteral("backward"), true}};
    Rails(scene, backward, forward.right(), back.left()).route();
    scene.smoothed = false;
    setBounds(scene);
}

} // namespace cutaway::views
