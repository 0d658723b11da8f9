// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/memory_peak.h"

#include "views/models/format.h"

#include <QCoreApplication>
#include <algorithm>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(MemoryPeak)
};

constexpr size_t kNamed = 4;

} // namespace

MemoryPeak memoryPeak(const record::LoweredGraph& lowered) {
    const auto kernels = static_cast<int>(lowered.kernels.size());
    std::vector<int64_t> inUse(lowered.kernels.size() + 1); // differences first
    for (const record::MemoryItem& item : lowered.memory.items) {
        if (item.kind != "arena" || item.firstKernel < 0 || item.firstKernel >= kernels) continue;
        inUse[static_cast<size_t>(item.firstKernel)] += item.bytes;
        const int end = std::clamp(item.lastKernel, item.firstKernel, kernels - 1) + 1;
        inUse[static_cast<size_t>(end)] -= item.bytes;
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
    for (const record::MemoryItem& item : lowered.memory.items) {
        if (item.kind != "arena" || item.firstKernel > kernel || item.lastKernel < kernel) continue;
        then.items.push_back(&item);
        then.inUse += item.bytes;
    }
    std::stable_sort(then.items.begin(), then.items.end(),
                     [](const auto* a, const auto* b) { return a->bytes > b->bytes; });
    return then;
}

QString explainPeak(const record::LoweredGraph& lowered, const MemoryPeak& peak) {
    if (peak.kernel < 0) return {};
    QStringList names;
    for (size_t i = 0; i < std::min(kNamed, peak.items.size()); ++i)
        names << QString("%1 (%2)").arg(QString::fromStdString(peak.items[i]->buffer),
                                        format::bytes(peak.items[i]->bytes));
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
