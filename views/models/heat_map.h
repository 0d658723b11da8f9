// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Nodes of a scene put into classes by a quantity: bytes, saved bytes, work, time, error, or numbers of
/// a file.
#pragma once

#include "views/models/graph_scene.h"
#include "views/models/node_values.h"
#include "views/models/numbers.h"

namespace cutaway::views {

enum class HeatKind : uint8_t { None, Bytes, SavedBytes, Work, Time, Occupancy, Error, Given };
enum class HeatScale : uint8_t { Logarithmic, Linear };
constexpr int kHeatClasses = 5;

struct HeatMap {
    /// What each class holds, from the least: "1 KiB – 4 KiB"; empty: no node has the quantity.
    std::vector<QString> classes;
    std::vector<int> ofNode; ///< by index in the scene; -1: none
    QString note;            ///< what the quantity is of
};

QString heatName(HeatKind kind);

/// Work and time are those of the kernel that computes a node's value: the same for all its nodes.
/// \param runs measurements of this record; without any no node has a time
/// \param numbers of this record; without them no node has an error
/// \param given of any nodes; without them no node has a number of a file
/// \param scale of equal steps; those of errors are powers of a hundred always
HeatMap heatMap(HeatKind kind, const RecordView& view, const record::Entry& entry,
                const GraphScene& scene, const std::vector<record::Run>& runs,
                const NumbersPtr& numbers = nullptr, HeatScale scale = HeatScale::Logarithmic,
                const NodeValuesPtr& given = nullptr);

} // namespace cutaway::views
