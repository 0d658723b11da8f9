// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/memory_peak.h"

#include "views/models/format.h"

#include <QCoreApplication>
#include <algorithm>
#include <functional>
#include <utility>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(MemoryPeak)
};

constexpr size_t kNamed = 4;

} // namespace

std::vector<int> sharedPlaces(const record::MemoryPlan& plan) {
    std::vector<int> order, result(plan.items.size(), -1);
    for (size_t i = 0; i < plan.items.size(); ++i)
        if (plan.items[i].kind == "arena") order.push_back(static_cast<int>(i));
    const auto item = [&](int i) -> const record::MemoryItem& {
        return plan.items[static_cast<size_t>(i)];
    };
    std::ranges::stable_sort(order, {},
                             [&](int i) { return std::pair(item(i).offset, item(i).firstKernel); });
    int holder = -1; // of those in this place the one that is in use the longest
    for (int i : order) {
        const bool isHeld = holder >= 0 && item(holder).offset == item(i).offset &&
                            item(holder).lastKernel >= item(i).firstKernel;
        if (isHeld) result[static_cast<size_t>(i)] = holder;
        if (!isHeld || item(i).lastKernel > item(holder).lastKernel) holder = i;
    }
    return result;
}

MemoryPeak memoryPeak(const record::LoweredGraph& lowered) {
    const auto kernels = static_cast<int>(lowered.kernels.size());
    std::vector<int64_t> inUse(lowered.kernels.size() + 1); // differences first
    const auto add = [&](int first, int last, int64_t bytes) {
        if (first < 0 || first >= kernels || last < first) return;
        inUse[static_cast<size_t>(first)] += bytes;
        inUse[static_cast<size_t>(std::min(last, kernels - 1)) + 1] -= bytes;
    };
    const std::vector<int> places = sharedPlaces(lowered.memory);
    for (size_t i = 0; i < places.size(); ++i) {
        const record::MemoryItem& item = lowered.memory.items[i];
        if (item.kind != "arena") continue;
        add(item.firstKernel, std::max(item.firstKernel, item.lastKernel), item.bytes);
        if (places[i] < 0) continue;
        const record::MemoryItem& holder = lowered.memory.items[static_cast<size_t>(places[i])];
        add(item.firstKernel, std::min(item.lastKernel, holder.lastKernel),
            -std::min(item.bytes, holder.bytes));
    }
    int64_t now = 0, most = 0;
    int peak = -1;
    for (int k = 0; k < kernels; ++k) {
        now += inUse[static_cast<size_t>(k)];
        if (now > most) {
            most = now;
            peak = k;
        }
    }
    return memoryAt(lowered, peak);
}

MemoryPeak memoryAt(const record::LoweredGraph& lowered, int kernel) {
    MemoryPeak then;
    then.kernel = kernel;
    std::vector<std::pair<const record::MemoryItem*, const record::MemoryItem*>> found;
    const std::vector<int> places = sharedPlaces(lowered.memory);
    for (size_t i = 0; i < places.size(); ++i) {
        const record::MemoryItem& item = lowered.memory.items[i];
        if (item.kind != "arena" || item.firstKernel > kernel || item.lastKernel < kernel) continue;
        const record::MemoryItem* holder =
            places[i] < 0 ? nullptr : &lowered.memory.items[static_cast<size_t>(places[i])];
        if (holder && holder->lastKernel < kernel) holder = nullptr;
        found.emplace_back(&item, holder);
        then.inUse += item.bytes - (holder ? std::min(item.bytes, holder->bytes) : 0);
    }
    std::ranges::stable_sort(found, std::greater(),
                             [](const auto& one) { return one.first->bytes; });
    for (const auto& [item, holder] : found) {
        then.items.push_back(item);
        then.places.push_back(holder);
    }
    return then;
}

QString explainPeak(const record::LoweredGraph& lowered, const MemoryPeak& peak) {
    if (peak.kernel < 0) return {};
    QStringList names;
    for (size_t i = 0; i < std::min(kNamed, peak.items.size()); ++i)
        names << (peak.places[i]
                      ? Words::tr("%1 (in the place of %2)")
                            .arg(QString::fromStdString(peak.items[i]->buffer),
                                 QString::fromStdString(peak.places[i]->buffer))
                      : QString("%1 (%2)").arg(QString::fromStdString(peak.items[i]->buffer),
                                               format::bytes(peak.items[i]->bytes)));
    if (peak.items.size() > kNamed) names << Words::tr("%1 more").arg(peak.items.size() - kNamed);
    QString text =
        Words::tr("Peak at %1, kernel %2 of %3: %4 in use by %5.")
            .arg(QString::fromStdString(lowered.kernels[static_cast<size_t>(peak.kernel)].name))
            .arg(peak.kernel + 1)
            .arg(lowered.kernels.size())
            .arg(format::bytes(peak.inUse), names.join(", "));
    if (const int64_t gaps = lowered.memory.arenaBytes - peak.inUse; gaps > 0)
        text +=
            " " + Words::tr("The arena has %1 more, for alignment and gaps between buffers that "
                            "live longer.")
                      .arg(format::bytes(gaps));
    return text;
}

} // namespace cutaway::views
