// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Measured kernels against what their machine was measured to do: the roofline of Williams,
/// Waterman and Patterson (2009).
#pragma once

#include "views/models/record_view.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace cutaway::views {

/// What a machine was measured to reach; 0: not measured.
struct Ceilings {
    double bytesPerSecond = 0; ///< a sum of two large vectors
    double flopsPerSecond = 0; ///< a large product of matrices
    bool known() const { return bytesPerSecond > 0 && flopsPerSecond > 0; }
    /// The most that work of an intensity (operations a byte) can reach, in operations a second.
    double attainable(double intensity) const {
        return std::min(intensity * bytesPerSecond, flopsPerSecond);
    }
};

/// The script whose two kernels are those of Ceilings.
QString ceilingsScript();
/// Out of a measurement of ceilingsScript(); nothing when it holds no such kernels.
std::optional<Ceilings> ceilingsOf(const record::Run& run);

struct RooflinePoint {
    ItemId item = kNoItem;
    QString kernel, graph;
    double intensity = 0;      ///< operations a byte of traffic
    double flopsPerSecond = 0; ///< measured
    double bytesPerSecond = 0;
    double us = 0;
    bool disturbed = false; ///< others had the processors: the time is not its own
};

/// Every kernel of a run that has operations and traffic, in their order.
/// \param entry its kernels are found by their names: a run does not know their items
std::vector<RooflinePoint> rooflinePoints(const record::Run& run, const record::Entry& entry);

/// A call as a whole: the operations of the compiled kernels, at the traffic and in the time of each
/// backend. Nothing where eager mode was not measured with what \p compiled was, or no kernel is known
/// to have operations.
struct RooflineArrow {
    RooflinePoint eager, compiled;
};
std::optional<RooflineArrow> rooflineArrow(const std::vector<record::Run>& runs,
                                           const record::Run& compiled);

/// "12.3 µs at 4.5 GFLOP/s, 0.125 operations a byte: 61 % of what the memory allows".
QString explained(const RooflinePoint& point, const Ceilings& ceilings);

} // namespace cutaway::views
