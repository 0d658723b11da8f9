// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What a call of a backend was counted to do: instructions, cycles, misses, page faults.
#pragma once

#include <QString>
#include <nlohmann/json_fwd.hpp>
#include <utility>
#include <vector>

namespace cutaway::views {

struct Counted {
    QString backend;
    std::vector<std::pair<QString, double>> perCall; ///< in the order in which they are told
    QString missing; ///< why the processor's own counters are not among them; empty: they are
};

/// The engine's "counts"; what does not fit is left out.
std::vector<Counted> countedFromJson(const nlohmann::json& counts);

} // namespace cutaway::views
