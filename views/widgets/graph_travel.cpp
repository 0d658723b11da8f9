// SPDX-License-Identifier: GPL-3.0-or-later
// GraphCanvas by keyboard: along the edges, from row to row, between what was found.
#include "views/widgets/graph_canvas.h"

#include <QKeyEvent>
#include <cmath>

namespace cutaway::views {

/// The node at the other end of an edge that lies in that direction, the nearest aside; -1: none.
int GraphCanvas::neighbourAlong(int from, bool down) const {
    const QPointF at = scene_->graph.nodes[static_cast<size_t>(from)].rect.center();
    int best = -1;
    double bestAside = 1e300;
    for (const SceneEdge& edge : scene_->graph.edges) {
        if (edge.from != from && edge.to != from) continue;
        const int other = edge.from == from ? edge.to : edge.from;
        const QPointF d = scene_->graph.nodes[static_cast<size_t>(other)].rect.center() - at;
        if ((down ? d.y() : -d.y()) < 4) continue;
        if (std::fabs(d.x()) >= bestAside) continue;
        bestAside = std::fabs(d.x());
        best = other;
    }
    return best;
}

/// The nearest node in the direction of an arrow key; -1: none.
int GraphCanvas::neighbourAside(int from, int key) const {
    const QPointF at = scene_->graph.nodes[static_cast<size_t>(from)].rect.center();
    int best = -1;
    double bestScore = 1e300;
    for (size_t i = 0; i < scene_->graph.nodes.size(); ++i) {
        const QPointF d = scene_->graph.nodes[i].rect.center() - at;
        const double along = key == Qt::Key_Down    ? d.y()
                             : key == Qt::Key_Up    ? -d.y()
                             : key == Qt::Key_Right ? d.x()
                                                    : -d.x();
        const double aside = key == Qt::Key_Down || key == Qt::Key_Up ? d.x() : d.y();
        if (along < 4) continue;
        const double score = along + 3 * std::fabs(aside);
        if (score < bestScore) {
            bestScore = score;
            best = static_cast<int>(i);
        }
    }
    return best;
}

/// Up and down follow the edges where there are any; left and right go to the next in the row.
void GraphCanvas::moveTo(int key) {
    const int from = currentNode();
    if (scene_->graph.nodes.empty()) return;
    if (from < 0) {
        selectNode(0, false);
        return revealHighlight();
    }
    int best = -1;
    if (key == Qt::Key_Up || key == Qt::Key_Down) best = neighbourAlong(from, key == Qt::Key_Down);
    if (best < 0) best = neighbourAside(from, key);
    if (best < 0) return;
    selectNode(best, false);
    if (!shownArea().contains(scene_->graph.nodes[static_cast<size_t>(best)].rect))
        revealNode(best);
}

void GraphCanvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Space:
        return fit();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomBy(1.25);
    case Qt::Key_Minus:
        return zoomBy(0.8);
    case Qt::Key_1:
        return actualSize();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const int at = currentNode();
            at >= 0 && !scene_->graph.nodes[static_cast<size_t>(at)].fold.isEmpty())
            return emit foldToggled(
                openedByKey_ = scene_->graph.nodes[static_cast<size_t>(at)].fold, true);
        break;
    case Qt::Key_Backspace: // closes what was opened around the node
        if (const int at = currentNode(); at >= 0)
            if (const int frame = scene_->graph.nodes[static_cast<size_t>(at)].frame; frame >= 0)
                return emit foldToggled(scene_->graph.frames[static_cast<size_t>(frame)].key,
                                        false);
        break;
    case Qt::Key_N:
        return goToMatch(event->modifiers() & Qt::ShiftModifier ? -1 : 1);
    case Qt::Key_F:
        return revealHighlight();
    case Qt::Key_Escape:
        if (selection_) selection_->select({}, origin_);
        return;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier)
            return moveTo(event->key());
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

} // namespace cutaway::views
