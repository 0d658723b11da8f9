// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the CPU templates share: proposals, checks, and the predicted time of rows x passes.
/// Private to this folder.
#pragma once

#include "core/schedule/cpu_plan.h"
#include "core/schedule/templates.h"

namespace cutaway::schedule {

// Names of the CPU templates.
constexpr std::string_view kElements = "elements", kCpuRows = "rows", kCpuTree = "tree",
                           kCpuParts = "parts";

std::vector<std::string_view> cpuDecisions();
/// Numbers of lanes worth a prediction, the widest of a register first.
std::vector<int64_t> lanesOf(const RowFacts& facts, const DeviceModel& model);
std::vector<Decisions> proposeCpu(const RowFacts& facts, const DeviceModel& model);
std::string checkCpu(const RowFacts& facts, const DeviceModel& model, const Decisions& these);
Prediction predictCpu(const RowFacts& facts, const DeviceModel& model, const Decisions& these);

} // namespace cutaway::schedule
