// SPDX-License-Identifier: Apache-2.0
/// \file
/// The table of schedule templates. Adding one is a file with four functions, a GPU's with five, and
/// a row in templates.cpp; the emitter of its device then prints what it decides.
#pragma once

#include "core/schedule/row_facts.h"
#include "core/schedule/schedule.h"

#include <span>

namespace cutaway::schedule {

struct CudaPlan;

struct Prediction {
    double us = 0;
    std::vector<std::string> reasons;
};

struct Template {
    std::string_view name;
    ir::Device::Kind device;
    std::string_view summary;
    std::vector<std::string_view> decisions; ///< what it knows to decide
    /// Why it cannot run such loops, whatever the decisions; empty: it can.
    std::string (*refuse)(const RowFacts& facts);
    /// Decisions worth a prediction, at least one; some may turn out to be refused.
    std::vector<Decisions> (*propose)(const RowFacts& facts, const DeviceModel& model);
    /// Why these decisions cannot run these loops; empty: they can. Every emitted kernel has passed
    /// here, also one whose decisions were typed in.
    std::string (*check)(const RowFacts& facts, const DeviceModel& model, const Decisions& these);
    Prediction (*predict)(const RowFacts& facts, const DeviceModel& model, const Decisions& these);
    /// A GPU's: what decisions that were checked mean.
    CudaPlan (*plan)(const RowFacts& facts, const Decisions& these) = nullptr;
    /// Updates that meet in one place are added by whoever comes first.
    bool addsInAnyOrder = false;
};

std::span<const Template> templates();
/// The row, or null. Names are unique for each kind of device.
const Template* findTemplate(ir::Device::Kind device, std::string_view name);

/// What a kernel that is a tree of loops of any kind can be run by: its loops say themselves what
/// is shared, so vectors and threads are left to choose.
std::vector<Candidate> treeCandidates(const kernel::KernelProgram& program,
                                      const kernel::Kernel& kernel, const DeviceModel& model);

} // namespace cutaway::schedule
