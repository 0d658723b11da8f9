// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What is typed to find nodes, in the words of text_query.h: words and expressions are looked for in
/// the operation, the name and the type; the fields are op, name, type, module, kind and bytes.
#pragma once

#include "views/models/graph_scene.h"
#include "views/models/text_query.h"

#include <functional>

namespace cutaway::views {

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
    Term parse(const QueryWord& word);

    std::vector<Term> terms_;
    QString problem_;
};

} // namespace cutaway::views
