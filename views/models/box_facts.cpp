// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/box_facts.h"

#include "views/models/format.h"
#include "views/models/node_facts.h"

#include <QCoreApplication>
#include <algorithm>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(BoxFacts)
};

/// "linear × 4, relu": the most frequent first.
QString operationsOf(const std::vector<SceneNode>& nodes) {
    std::vector<std::pair<QString, int>> counts;
    for (const SceneNode& node : nodes) {
        if (node.op.isEmpty()) continue;
        const auto at = std::ranges::find(counts, node.title, &std::pair<QString, int>::first);
        if (at == counts.end())
            counts.emplace_back(node.title, 1);
        else
            ++at->second;
    }
    std::ranges::stable_sort(counts, std::ranges::greater(), &std::pair<QString, int>::second);
    QStringList all;
    for (const auto& [name, count] : counts)
        all << (count > 1 ? QString("%1 × %2").arg(name).arg(count) : name);
    return all.join(", ");
}

} // namespace

ItemFacts boxFacts(const SceneNode& box) {
    ItemFacts out;
    out.kind = Words::tr("box");
    out.title = box.title;
    out.head = box.subtitle;
    if (!box.inside) return out;
    int64_t bytes = 0;
    int inputs = 0;
    for (const SceneNode& node : *box.inside) {
        bytes += node.op.isEmpty() ? 0 : node.bytes;
        inputs += node.op.isEmpty();
    }
    const auto count = static_cast<int64_t>(box.inside->size());
    FactSection inside{Words::tr("Inside"), {}};
    auto add = [&](const QString& label, const QString& text) {
        if (!text.isEmpty()) inside.facts.push_back({label, {facts::plain(text)}, true});
    };
    add(Words::tr("Nodes"), inputs > 0 ? Words::tr("%1, of which parameters and inputs: %2")
                                             .arg(format::count(count), format::count(inputs))
                                       : format::count(count));
    add(Words::tr("Operations"), operationsOf(*box.inside));
    if (bytes > 0) add(Words::tr("Results"), format::bytes(bytes));
    inside.facts.push_back({{}, {facts::plain(Words::tr("A double click opens it."))}, true});
    out.sections = {std::move(inside)};
    return out;
}

} // namespace cutaway::views
