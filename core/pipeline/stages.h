// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the rows of the stage table run, check and record. Private to this folder.
#pragma once

#include "core/pipeline/stage_context.h"

#include <optional>
#include <string>

namespace cutaway::pipeline {

// stages_graph.cpp: from the captured graph to the forward and the backward graph.
base::Status runDecompose(StageContext&);
base::Status runJoint(StageContext&);
base::Status runSimplify(StageContext&);
base::Status runPartition(StageContext&);
base::Status runChoices(StageContext&);
bool wantsGradient(const StageContext&);
bool trains(const StageContext&);
bool freezes(const StageContext&);
bool weighsChoices(const StageContext&);
std::optional<std::string> verifySimplified(const StageContext&);
std::optional<std::string> verifyJoint(const StageContext&);
std::optional<std::string> verifyPartition(const StageContext&);
void recordCaptured(EntryRecorder&, const StageContext&);
void recordJoint(EntryRecorder&, const StageContext&);
void recordPartition(EntryRecorder&, const StageContext&);
void recordChoices(EntryRecorder&, const StageContext&);
void recordFrozen(EntryRecorder&, const StageContext&);
void recordForward(EntryRecorder&, const StageContext&);
void recordBackward(EntryRecorder&, const StageContext&);

// stages_code.cpp: from one of these to what runs.
base::Status runLower(StageContext&);
base::Status runFuse(StageContext&);
base::Status runSchedule(StageContext&);
base::Status runPlan(StageContext&);
base::Status runEmit(StageContext&);
base::Status runCompile(StageContext&);
base::Status runLoad(StageContext&);
std::optional<std::string> verifyLoops(const StageContext&);
std::optional<std::string> verifyKernels(const StageContext&);
std::optional<std::string> verifySchedules(const StageContext&);
std::optional<std::string> verifyMemory(const StageContext&);
std::optional<std::string> verifySources(const StageContext&);
std::optional<std::string> verifyBinaries(const StageContext&);
void recordLoops(EntryRecorder&, const StageContext&);
void recordKernels(EntryRecorder&, const StageContext&);
void recordSchedules(EntryRecorder&, const StageContext&);
void recordMemory(EntryRecorder&, const StageContext&);
void recordSources(EntryRecorder&, const StageContext&);

} // namespace cutaway::pipeline
