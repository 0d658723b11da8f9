// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The graph of a stage as each of its passes left it, rebuilt from the differences that the record
/// holds. All steps are placed together, so that a node which no pass touched stays where it is.
#pragma once

#include "views/models/graph_scene.h"

#include <QHash>
#include <QMap>

namespace cutaway::views {

class PassSteps {
public:
    /// \param stage whose passes are stepped through; the entry must outlive this
    PassSteps(const record::Entry& entry, const std::string& stage, const TextWidth& width);

    /// The graph after a pass (index in Entry::passes): what it added and rewrote is marked, and
    /// what it removed stands there still. Empty for a pass of another stage.
    GraphScene scene(size_t pass) const;
    /// Lines of the print-out after a pass, by node.
    QMap<QString, QString> linesAfter(size_t pass) const;

private:
    using Lines = QMap<QString, QString>;
    struct Step {
        size_t pass;
        Lines after;
        Lines removed;
        QHash<QString, int> change; ///< as SceneNode::change
    };
    void replay();
    void placeAll(const TextWidth& width);
    const Step* step(size_t pass) const;
    std::vector<QString> inputsOf(const QString& line) const;

    const record::Entry& entry_;
    const record::GraphStage* stage_;
    std::vector<Step> steps_;
    QHash<QString, SceneNode> nodes_; ///< by name, placed
};

} // namespace cutaway::views
