// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The graph of a stage as each of its passes left it, rebuilt from the differences that the record
/// holds. All steps are placed together, so that a node which no pass touched stays where it is.
#pragma once

#include "views/models/graph_scene.h"

#include <QHash>
#include <QMap>

namespace cutaway::views {

/// The lines of a stage's nodes, as each of its passes left them.
class PassReplay {
public:
    using Lines = QMap<QString, QString>; ///< of the print-out, by node
    struct Step {
        size_t pass; ///< index in Entry::passes
        Lines after;
        Lines removed;
        QHash<QString, int> change; ///< as SceneNode::change
        Lines before;
    };
    /// \p step with its first rewrites alone, the last of which has its changes marked.
    Step upTo(const Step& step, int rewrite) const;

    /// \param stage whose passes are followed; the entry must outlive this
    PassReplay(const record::Entry& entry, const std::string& stage);

    const std::vector<Step>& steps() const { return steps_; }
    /// Null for a pass of another stage.
    const Step* step(size_t pass) const;
    /// The graph after a pass. Nodes that are as the record holds them are taken from there, others
    /// read from their lines, without an item where a later pass took them out.
    record::GraphStage stageAfter(size_t pass) const;
    const record::GraphStage* stage() const { return stage_; }

private:
    static void apply(Step& step, const record::NodeChange& change, bool marked);

    const record::GraphStage* stage_;
    const record::Entry& entry_;
    std::vector<Step> steps_;
};

/// The names that a line reads, each once; \p known tells which words are names.
std::vector<QString> inputsOfLine(const QString& line,
                                  const std::function<bool(const QString&)>& known);

class PassSteps {
public:
    /// \param stage whose passes are stepped through; the entry must outlive this
    PassSteps(const record::Entry& entry, const std::string& stage, const TextWidth& width);

    /// The graph after a pass (index in Entry::passes): what it added and rewrote is marked, and
    /// what it removed stands there still. Empty for a pass of another stage.
    /// \param rewrite with the pass's rewrites up to this one, which is marked; 0: all of them
    GraphScene scene(size_t pass, int rewrite = 0) const;

private:
    using Lines = PassReplay::Lines;
    void placeAll(const TextWidth& width);
    std::vector<QString> inputsOf(const QString& line) const;

    PassReplay replay_;
    QHash<QString, SceneNode> nodes_;                      ///< by name, placed
    QHash<std::pair<QString, QString>, SceneEdge> routes_; ///< by who is read and who reads
    std::vector<SceneBand> bands_;                         ///< of a joint graph
};

} // namespace cutaway::views
