// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/roofline.h"

#include "views/models/format.h"
#include "views/models/significance.h"
#include "views/models/timeline.h"

#include <QCoreApplication>
#include <algorithm>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Roofline)
};
} // namespace

QString ceilingsScript() {
    return QStringLiteral(
        "import torch\n\ntrain = False\nsizes = {\"machine\": (1 << 24, 1536)}\n\n\n"
        "def model(x, y, a, b):\n    return x + y, a @ b\n\n\n"
        "def example_inputs(size):\n    n, m = sizes[size]\n"
        "    return torch.randn(n), torch.randn(n), torch.randn(m, m), torch.randn(m, m)\n");
}

std::optional<Ceilings> ceilingsOf(const record::Run& run) {
    Ceilings found;
    for (const record::KernelTiming& timing : run.kernels) {
        if (timing.us <= 0) continue;
        const double seconds = timing.us / 1e6;
        found.bytesPerSecond = std::max(found.bytesPerSecond, double(timing.bytes) / seconds);
        found.flopsPerSecond = std::max(found.flopsPerSecond, timing.flops / seconds);
    }
    if (!found.known()) return {};
    return found;
}

std::vector<RooflinePoint> rooflinePoints(const record::Run& run, const record::Entry& entry) {
    std::vector<RooflinePoint> points;
    const bool disturbed = !whyKernelsUnsteady(run).isEmpty();
    for (const record::KernelTiming& timing : run.kernels) {
        if (timing.us <= 0 || timing.bytes <= 0 || timing.flops <= 0) continue;
        RooflinePoint point;
        point.kernel = QString::fromStdString(timing.kernel);
        point.graph = QString::fromStdString(timing.graph);
        point.item = kernelItem(entry, timing.graph, timing.kernel);
        point.us = timing.us;
        point.intensity = timing.flops / double(timing.bytes);
        point.flopsPerSecond = timing.flops / (timing.us / 1e6);
        point.bytesPerSecond = double(timing.bytes) / (timing.us / 1e6);
        point.disturbed = disturbed;
        points.push_back(std::move(point));
    }
    return points;
}

std::optional<RooflineArrow> rooflineArrow(const std::vector<record::Run>& runs,
                                           const record::Run& compiled) {
    double flops = 0;
    for (const record::KernelTiming& timing : compiled.kernels)
        flops += timing.flops;
    const auto whole = [&](const record::Run& run, const QString& name) {
        RooflinePoint point;
        point.kernel = name;
        point.us = run.us;
        point.intensity = flops / double(run.bytesMoved);
        point.flopsPerSecond = flops / (run.us / 1e6);
        point.bytesPerSecond = double(run.bytesMoved) / (run.us / 1e6);
        point.disturbed = isUnsteady(run);
        return point;
    };
    const auto known = [](const record::Run& run) { return run.us > 0 && run.bytesMoved > 0; };
    if (flops <= 0 || !known(compiled)) return {};
    for (const record::Run& run : runs)
        if (run.backend == "eager" && known(run) && run.size == compiled.size &&
            run.device == compiled.device && run.threads == compiled.threads &&
            run.textHash == compiled.textHash)
            return RooflineArrow{whole(run, Words::tr("eager, a whole call")),
                                 whole(compiled, Words::tr("compiled, a whole call"))};
    return {};
}

QString explained(const RooflinePoint& point, const Ceilings& ceilings) {
    QString text =
        Words::tr("%1: %2, %3/s and %4, %5 operations a byte")
            .arg(point.kernel,
                 point.disturbed ? disturbedText(format::microseconds(point.us))
                                 : format::microseconds(point.us),
                 format::flops(point.flopsPerSecond), format::bandwidth(point.bytesPerSecond),
                 QString::number(point.intensity, 'g', 3));
    if (!ceilings.known()) return text;
    const double most = ceilings.attainable(point.intensity);
    const QString share = QString::number(100 * point.flopsPerSecond / most, 'f', 0);
    return text + "\n" +
           (most < ceilings.flopsPerSecond ? Words::tr("%1 % of what the memory allows")
                                           : Words::tr("%1 % of what the arithmetic allows"))
               .arg(share);
}

} // namespace cutaway::views
