// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What is typed to find nodes: words, fields and regular expressions, all of which must hold.
///   relu            in the operation, the name or the type
///   /^mm_\d+$/      a regular expression over the same
///   op:mm  name:x  type:f16  module:attn  kind:product   a field that contains the text
///   bytes>1M  bytes<=64k     sizes in bytes, with k, M or G of 1024
///   -op:view        a minus in front: what follows must not hold
#pragma once

#include "views/models/graph_scene.h"

#include <optional>

namespace cutaway::views {

/// "64k" -> 65536, "1e-6"; k, M and G of 1024. Nothing: no number.
std::optional<double> queriedNumber(const QString& text);

class NodeQuery {
public:
    explicit NodeQuery(const QString& text = {});

    bool isEmpty() const { return terms_.empty(); }
    /// What is wrong with the text; empty: nothing.
    const QString& problem() const { return problem_; }
    bool matches(const SceneNode& node) const;
    /// What can be typed, in one line.
    static QString help();

private:
    using Term = std::function<bool(const SceneNode&)>;
    Term parse(QString word);

    std::vector<Term> terms_;
    QString problem_;
};

} // namespace cutaway::views
