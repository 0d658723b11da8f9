// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/graph_accessible.h"

#include "views/widgets/graph_canvas.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>
#include <algorithm>
#include <tuple>
#include <vector>

namespace cutaway::views {

namespace {

/// One node; it is valid as long as the scene is shown that it belongs to.
class NodeAccessible : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    NodeAccessible(GraphCanvas* canvas, int index)
        : canvas_(canvas), index_(index), scene_(canvas->sceneNumber()) {}

    bool isValid() const override { return canvas_ && canvas_->sceneNumber() == scene_; }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override {
        return canvas_ ? QAccessible::queryAccessibleInterface(canvas_) : nullptr;
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::TreeItem; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text which) const override {
        if (!isValid()) return {};
        const SceneNode& node = this->node();
        if (which == QAccessible::Name) {
            QStringList parts{node.title, node.name, node.subtitle};
            parts.removeAll(QString());
            return parts.join(", ");
        }
        if (which == QAccessible::Description) return described();
        return {};
    }

    QRect rect() const override {
        if (!isValid()) return {};
        const QRectF shown = canvas_->shownArea(), own = node().rect;
        const QRectF placed((own.topLeft() - shown.topLeft()) * canvas_->zoom(),
                            own.size() * canvas_->zoom());
        const QRect seen = placed.toAlignedRect();
        return {canvas_->mapToGlobal(seen.topLeft()), seen.size()};
    }

    QAccessible::State state() const override {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        state.selectable = state.focusable = true;
        state.selected = canvas_->isSelected(index_);
        state.focused = state.selected && canvas_->hasFocus();
        state.expandable = state.collapsed = !node().fold.isEmpty();
        state.offscreen = !canvas_->shownArea().intersects(node().rect);
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }
    QStringList actionNames() const override {
        QStringList names{pressAction()};
        if (isValid() && !node().fold.isEmpty()) names << showMenuAction();
        return names;
    }
    void doAction(const QString& action) override {
        if (!isValid()) return;
        if (action == pressAction()) canvas_->choose(index_);
        if (action == showMenuAction() && !node().fold.isEmpty())
            emit canvas_->foldToggled(node().fold, true);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    const SceneNode& node() const { return canvas_->scene().nodes[static_cast<size_t>(index_)]; }
    QString described() const {
        QStringList reads, users;
        for (const SceneEdge& edge : canvas_->scene().edges) {
            const auto& nodes = canvas_->scene().nodes;
            auto name = [&](int at) {
                const SceneNode& other = nodes[static_cast<size_t>(at)];
                return other.name.isEmpty() ? other.title : other.name;
            };
            if (edge.to == index_) reads << name(edge.from);
            if (edge.from == index_) users << name(edge.to);
        }
        QStringList parts{opKindName(node().kind)};
        if (!reads.isEmpty()) parts << GraphCanvas::tr("reads %1").arg(reads.join(", "));
        if (!users.isEmpty()) parts << GraphCanvas::tr("read by %1").arg(users.join(", "));
        return parts.join("; ");
    }

    QPointer<GraphCanvas> canvas_;
    int index_, scene_;
};

/// As the computation goes: row by row, forward before backward, which goes up.
std::vector<int> readingOrder(const GraphScene& scene) {
    struct Place {
        bool backward;
        double row, x;
        int node;
        auto key() const { return std::tuple(backward, row, x, node); }
    };
    std::vector<Place> places;
    for (int i = 0; const SceneNode& node : scene.nodes) {
        const QPointF at = node.rect.center();
        const bool backward = std::ranges::any_of(scene.bands, [&](const SceneBand& band) {
            return band.backward && band.rect.contains(at);
        });
        places.push_back({backward, backward ? -at.y() : at.y(), at.x(), i++});
    }
    std::ranges::sort(places, {}, &Place::key);
    std::vector<int> order;
    for (const Place& place : places)
        order.push_back(place.node);
    return order;
}

class CanvasAccessible : public QAccessibleWidget {
public:
    explicit CanvasAccessible(GraphCanvas* canvas) : QAccessibleWidget(canvas, QAccessible::Tree) {}
    ~CanvasAccessible() override { forget(); }

    int childCount() const override { return static_cast<int>(canvas()->scene().nodes.size()); }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount()) return nullptr;
        renew();
        QAccessible::Id& id = ids_[static_cast<size_t>(index)];
        if (id == 0)
            id = QAccessible::registerAccessibleInterface(
                new NodeAccessible(canvas(), order_[static_cast<size_t>(index)]));
        return QAccessible::accessibleInterface(id);
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (size_t i = 0; i < ids_.size(); ++i)
            if (ids_[i] != 0 && QAccessible::accessibleInterface(ids_[i]) == child)
                return static_cast<int>(i);
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        for (int i = 0; i < childCount(); ++i)
            if (QAccessibleInterface* node = child(i); node->rect().contains(x, y)) return node;
        return nullptr;
    }
    QAccessibleInterface* focusChild() const override {
        renew();
        for (int i = 0; i < childCount(); ++i)
            if (canvas()->isSelected(order_[static_cast<size_t>(i)])) return child(i);
        return nullptr;
    }

private:
    GraphCanvas* canvas() const { return static_cast<GraphCanvas*>(widget()); }
    void renew() const {
        if (scene_ == canvas()->sceneNumber()) return;
        forget();
        scene_ = canvas()->sceneNumber();
        order_ = readingOrder(canvas()->scene());
        ids_.assign(order_.size(), 0);
    }
    void forget() const {
        for (const QAccessible::Id id : ids_)
            if (id != 0) QAccessible::deleteAccessibleInterface(id);
        ids_.clear();
    }
    mutable std::vector<QAccessible::Id> ids_;
    mutable std::vector<int> order_; ///< node of each child
    mutable int scene_ = -1;
};

QAccessibleInterface* make(const QString&, QObject* object) {
    auto* canvas = qobject_cast<GraphCanvas*>(object);
    return canvas ? new CanvasAccessible(canvas) : nullptr;
}

} // namespace

void installGraphAccessibility() {
    static const bool installed = [] {
        QAccessible::installFactory(make);
        return true;
    }();
    (void)installed;
}

} // namespace cutaway::views
