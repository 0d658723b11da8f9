// SPDX-License-Identifier: Apache-2.0
/// \file
/// The stages, in order, from the guards of a capture to loaded code: the runner, the record, the
/// command line and the engine read this one table. Adding a stage is one id, one row, and its
/// functions in stages.h and stage_text.h.
#pragma once

#include "core/pipeline/stage_context.h"
#include "core/pipeline/stage_text.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cutaway::pipeline {

enum class StageId : uint8_t {
    Guards,
    Captured,
    Decompose,
    Joint,
    Passes,
    Partition,
    Frozen,
    Forward,
    Backward,
    Choices,
    Loops,
    Kernels,
    Schedule,
    Autotune,
    Memory,
    Emit,
    Cpp,
    Cuda,
    Llvm,
    Assembly,
    Ptx,
    Sass,
    Compile,
    Load
};

struct StageRow {
    StageId id;
    std::string_view name;    ///< "joint": what `explain --stage` takes
    std::string_view title;   ///< "Joint graph"
    std::string_view summary; ///< one sentence
    Artifacts needs = 0, gives = 0;
    /// Null where nothing runs: capture has made it, another stage has, or it is made when asked
    /// for. Its exceptions become diagnostics (runStages).
    base::Status (*run)(StageContext&) = nullptr;
    /// False: this graph does not need the stage. Null: every graph does.
    bool (*wanted)(const StageContext&) = nullptr;
    /// First broken invariant of what was given, or nothing.
    std::optional<std::string> (*verify)(const StageContext&) = nullptr;
    void (*record)(EntryRecorder&, const StageContext&) = nullptr;
    /// Text and JSON of what was recorded; null: there is nothing to show of it.
    StageText print = nullptr;
    StageJson json = nullptr;
};

/// By StageId.
std::span<const StageRow> stageTable();
const StageRow& stageRow(StageId id);
/// The row that can be shown under this name, or null.
const StageRow* findShownStage(std::string_view name);

} // namespace cutaway::pipeline
