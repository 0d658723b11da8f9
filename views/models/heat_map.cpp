// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/heat_map.h"

#include "views/models/format.h"

#include <QCoreApplication>
#include <QHash>
#include <QSet>
#include <cmath>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(HeatMap)
};
} // namespace

QString heatName(HeatKind kind) {
    switch (kind) {
    case HeatKind::None:
        return Words::tr("Kind");
    case HeatKind::Bytes:
        return Words::tr("Bytes");
    case HeatKind::SavedBytes:
        return Words::tr("Saved bytes");
    case HeatKind::Work:
        return Words::tr("Work");
    case HeatKind::Time:
        return Words::tr("Time");
    case HeatKind::Occupancy:
        return Words::tr("Occupancy");
    case HeatKind::Error:
        return Words::tr("Error");
    case HeatKind::Given:
        return Words::tr("From a file…");
    }
    return {};
}

namespace {

QString noneHas(HeatKind kind) {
    return Words::tr("%1: no node here has any").arg(heatName(kind));
}

/// Microseconds by kernel item, of the compiled run.
QHash<ItemId, double> times(const record::Entry& entry, const std::vector<record::Run>& runs) {
    QHash<QString, double> byName;
    for (const record::Run& run : runs)
        for (const record::KernelTiming& timing : run.kernels)
            byName.insert(QString::fromStdString(timing.graph + "/" + timing.kernel), timing.us);
    QHash<ItemId, double> result;
    for (const record::LoweredGraph& lowered : entry.lowered)
        for (const record::KernelInfo& kernel : lowered.kernels) {
            const auto at =
                byName.constFind(QString::fromStdString(lowered.graph + "/" + kernel.name));
            if (at != byName.constEnd()) result.insert(kernel.item, *at);
        }
    return result;
}

/// For every node of the scene the largest quantity of a kernel that computes it: of the forward's
/// kernels where there are any, since the backward's that compute it again come later.
std::vector<double> byKernel(const RecordView& view, const record::Entry& entry,
                             const GraphScene& scene, const QHash<ItemId, double>& quantity) {
    QHash<ItemId, int> index;
    for (size_t i = 0; i < scene.nodes.size(); ++i)
        if (!scene.nodes[i].chip && scene.nodes[i].kind != OpKind::Input)
            index.insert(scene.nodes[i].item, static_cast<int>(i));
    std::vector<double> values(scene.nodes.size());
    std::vector<int> computedBy(scene.nodes.size(), -1); ///< number of the lowered graph
    for (size_t g = 0; g < entry.lowered.size(); ++g)
        for (const record::KernelInfo& kernel : entry.lowered[g].kernels)
            for (ItemId from : view.links().ancestors(kernel.buffers)) {
                const int at = index.value(from, -1);
                if (at < 0) continue;
                int& by = computedBy[static_cast<size_t>(at)];
                if (by < 0) by = static_cast<int>(g);
                if (by != static_cast<int>(g)) continue;
                double& value = values[static_cast<size_t>(at)];
                value = std::max(value, quantity.value(kernel.item));
            }
    return values;
}

QString formatted(HeatKind kind, double value) {
    if (kind == HeatKind::Error)
        return std::isinf(value) ? QString(QChar(0x221e)) : format::error(value);
    if (kind == HeatKind::Time) return format::microseconds(value);
    if (kind == HeatKind::Occupancy) return format::percent(value);
    if (kind == HeatKind::Work) return format::flops(value);
    return format::bytes(std::llround(value)); // not 1023.99…
}

/// Equal steps of the logarithm, or from nothing to the most; as few as there are different values.
HeatMap classified(HeatKind kind, const std::vector<double>& values, HeatScale scale) {
    HeatMap map;
    map.ofNode.assign(values.size(), -1);
    double least = 0, most = 0;
    for (double value : values) {
        if (value <= 0) continue;
        least = least > 0 ? std::min(least, value) : value;
        most = std::max(most, value);
    }
    if (most <= 0) return map;
    const double range = std::log(most / least);
    const int count = range < 1e-9 ? 1 : kHeatClasses;
    const bool linear = scale == HeatScale::Linear;
    const auto share = [&](double value) {
        return count == 1 ? 0 : linear ? value / most : std::log(value / least) / range;
    };
    const auto bound = [&](int c) {
        const double part = double(c) / count;
        return linear ? most * part : least * std::exp(range * part);
    };
    for (size_t i = 0; i < values.size(); ++i)
        if (values[i] > 0)
            map.ofNode[i] = std::min(count - 1, static_cast<int>(count * share(values[i])));
    for (int c = 0; c < count; ++c) {
        const double low = bound(c), high = bound(c + 1);
        map.classes.push_back(
            count == 1 ? formatted(kind, most)
                       : Words::tr("%1 – %2").arg(formatted(kind, low), formatted(kind, high)));
    }
    return map;
}

/// What is saved for the backward: by the nodes of the joint graph, those that they came from and
/// those that became of them in other graphs.
std::vector<double> savedBytes(const RecordView& view, const record::Entry& entry,
                               const GraphScene& scene) {
    QHash<ItemId, double> saved;
    for (const record::SavedTensor& tensor : entry.partition.saved) {
        const auto bytes = static_cast<double>(tensor.bytes);
        saved[tensor.item] += bytes;
        for (const auto& items :
             {view.links().ancestors({tensor.item}), view.links().descendants({tensor.item})})
            for (ItemId other : items)
                if (other != tensor.item && view.place(other).node >= 0) saved[other] += bytes;
    }
    std::vector<double> values(scene.nodes.size());
    for (size_t i = 0; i < values.size(); ++i) {
        const SceneNode& node = scene.nodes[i];
        if (node.chip) continue;
        if (node.members.empty()) values[i] = saved.value(node.item);
        for (ItemId member : node.members)
            values[i] += saved.value(member);
    }
    return values;
}

/// The largest error of what a node stands for; below the least that there is where all is exact:
/// these are a class, too.
HeatMap ofErrors(const RecordView& view, const GraphScene& scene, const Numbers& numbers) {
    const QHash<ItemId, double> errors = errorsByItem(numbers, view);
    HeatMap map;
    map.ofNode.assign(scene.nodes.size(), -1);
    std::vector<double> values(scene.nodes.size(), -1);
    for (size_t i = 0; i < scene.nodes.size(); ++i) {
        const SceneNode& node = scene.nodes[i];
        if (node.chip) continue;
        values[i] = errors.value(node.item, -1);
        for (ItemId member : node.members)
            values[i] = std::max(values[i], errors.value(member, -1));
    }
    // A factor of a hundred a class: what float32 rounds, what sums make of it, what is wrong.
    static constexpr double kBounds[] = {0, 1e-6, 1e-4, 1e-2, INFINITY};
    for (size_t i = 0; i < values.size(); ++i)
        for (int c = 0; c < kHeatClasses && map.ofNode[i] < 0 && values[i] >= 0; ++c)
            if (values[i] <= kBounds[c]) map.ofNode[i] = c;
    if (std::ranges::all_of(map.ofNode, [](int c) { return c < 0; })) return map;
    map.classes.push_back(Words::tr("exact"));
    for (int c = 1; c + 1 < kHeatClasses; ++c)
        map.classes.push_back(Words::tr("up to %1").arg(formatted(HeatKind::Error, kBounds[c])));
    map.classes.push_back(
        Words::tr("more than %1").arg(formatted(HeatKind::Error, kBounds[kHeatClasses - 2])));
    map.note = Words::tr("of compiled values, relative to double precision");
    return map;
}

/// Of a file, by names or keys: from the least to the most, which may be below nothing.
HeatMap ofGiven(const RecordView& view, const GraphScene& scene, const NodeValues& given,
                HeatScale scale) {
    HeatMap map;
    map.ofNode.assign(scene.nodes.size(), -1);
    std::vector<double> values(scene.nodes.size(), NAN);
    double least = INFINITY, most = -INFINITY;
    QSet<QString> met; // names that are of nodes here
    const auto add = [&](double& value, ItemId item) {
        const record::GraphNode* node = view.node(item);
        auto at = given.byName.constFind(view.key(item));
        const QString key = view.key(item);
        // A record with one function is known without its name: "joint/cos_1".
        if (at == given.byName.constEnd()) at = given.byName.constFind(key.section('/', -2));
        if (at == given.byName.constEnd() && node)
            at = given.byName.constFind(QString::fromStdString(node->name));
        if (at == given.byName.constEnd()) return;
        value = std::isnan(value) ? *at : std::max(value, *at);
        met.insert(at.key());
    };
    for (size_t i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].chip) continue;
        add(values[i], scene.nodes[i].item);
        for (ItemId member : scene.nodes[i].members)
            add(values[i], member);
        if (std::isnan(values[i])) continue;
        least = std::min(least, values[i]);
        most = std::max(most, values[i]);
    }
    if (!(most >= least)) return map;
    const bool linear = scale == HeatScale::Linear || least <= 0;
    const int count = most > least ? kHeatClasses : 1;
    const auto place = [&](double value) { return linear ? value : std::log(value); };
    const double low = place(least), range = place(most) - low;
    for (size_t i = 0; i < values.size(); ++i)
        if (!std::isnan(values[i]))
            map.ofNode[i] =
                count == 1 ? 0
                           : std::min(count - 1,
                                      static_cast<int>(count * (place(values[i]) - low) / range));
    const auto text = [&](int c) {
        const double at = low + range * c / count;
        return QString::number(linear ? at : std::exp(at), 'g', 4);
    };
    for (int c = 0; c < count; ++c)
        map.classes.push_back(count == 1 ? text(0)
                                         : Words::tr("%1 – %2").arg(text(c), text(c + 1)));
    map.note = given.title;
    if (met.size() < given.byName.size())
        map.note = Words::tr("%1: %2 of %3 are of nodes here")
                       .arg(given.title)
                       .arg(met.size())
                       .arg(given.byName.size());
    return map;
}

} // namespace

HeatMap heatMap(HeatKind kind, const RecordView& view, const record::Entry& entry,
                const GraphScene& scene, const std::vector<record::Run>& runs,
                const NumbersPtr& numbers, HeatScale scale, const NodeValuesPtr& given) {
    std::vector<double> values(scene.nodes.size());
    HeatMap map;
    if (kind == HeatKind::Error) {
        if (numbers) map = ofErrors(view, scene, *numbers);
        if (!numbers) map.note = Words::tr("not compared yet: the Numbers pane compares");
        if (map.note.isEmpty()) map.note = noneHas(kind);
        return map;
    }
    if (kind == HeatKind::Given) {
        if (given) map = ofGiven(view, scene, *given, scale);
        if (map.classes.empty())
            map.note = given ? Words::tr("no node here is named in %1").arg(given->title)
                             : Words::tr("no file is chosen");
        return map;
    }
    if (kind == HeatKind::Bytes) {
        for (size_t i = 0; i < scene.nodes.size(); ++i)
            if (!scene.nodes[i].chip) values[i] = static_cast<double>(scene.nodes[i].bytes);
    } else if (kind == HeatKind::SavedBytes) {
        values = savedBytes(view, entry, scene);
    } else if (kind == HeatKind::Work) {
        QHash<ItemId, double> work;
        for (const record::LoweredGraph& lowered : entry.lowered)
            for (const record::KernelInfo& kernel : lowered.kernels)
                work.insert(kernel.item, kernel.flops);
        values = byKernel(view, entry, scene, work);
        map.note = Words::tr("of the kernel that computes a node");
    } else if (kind == HeatKind::Occupancy) {
        QHash<ItemId, double> share;
        for (const record::LoweredGraph& lowered : entry.lowered)
            for (const record::KernelInfo& kernel : lowered.kernels)
                share.insert(kernel.item, kernel.gpu.share);
        values = byKernel(view, entry, scene, share);
        map.note = Words::tr("of a multiprocessor, predicted for the kernel's CUDA text");
        scale = HeatScale::Linear; // of all
    } else if (kind == HeatKind::Time) {
        values = byKernel(view, entry, scene, times(entry, runs));
        map.note = Words::tr("of the kernel that computes a node");
    }
    const QString note = map.note;
    map = classified(kind, values, scale);
    map.note =
        map.classes.empty()
            ? kind == HeatKind::Time ? Words::tr("not measured yet: F5 measures") : noneHas(kind)
            : note;
    return map;
}

} // namespace cutaway::views
