// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Where a backend's call was at some thousand moments: which kernels, which lines of their texts.
#pragma once

#include <QHash>
#include <QString>
#include <nlohmann/json_fwd.hpp>
#include <utility>
#include <vector>

namespace cutaway::views {

struct Sampled {
    struct Line {
        int line = 0; ///< of the kernel's C++ text, from 1
        int samples = 0;
    };
    /// Kernels that have one machine code.
    struct Code {
        std::vector<std::pair<QString, QString>> kernels; ///< graph and name
        int samples = 0;
        std::vector<Line> lines;
    };
    QString backend;
    QString by; ///< "cycles", "clock"
    int samples = 0;
    std::vector<Code> codes;
    QString missing; ///< why there is nothing; empty: there is

    /// Share of all samples, by line from 0; of a kernel that has none: empty.
    QHash<int, double> shares(const QString& graph, const QString& kernel) const;
};

/// The engine's "samples"; what does not fit is left out.
std::vector<Sampled> sampledFromJson(const nlohmann::json& samples);

} // namespace cutaway::views
