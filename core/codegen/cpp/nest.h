// SPDX-License-Identifier: Apache-2.0
/// \file
/// A loop nest as two C++ functions: the rows of one thread, and the entry that starts the threads
/// and finishes. Private to this folder.
#pragma once

#include "core/codegen/cpp/kernel_text.h"

namespace cutaway::codegen::cpp {

class NestEmitter : KernelText {
public:
    NestEmitter(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
                const schedule::CpuPlan& plan);
    /// Everything below the prelude. Fills scratchBytes too.
    Lines emit();
    int64_t scratchBytes() const { return scratchBytes_; }

private:
    /// The range of the inner loop in text.
    struct Range {
        std::string begin = "0", end;
        bool tail = false;
        int unroll = 1;
    };

    void planKept();
    void planPhaseKept(const std::vector<kernel::Phase>& phases);
    bool keepInOutput(const kernel::Phase& phase, kernel::LocalId local);
    void planAcrossRows();
    int64_t allocate(int64_t bytesPerPart);

    void emitRows(Lines& lines);
    void emitEntry(Lines& lines);
    void emitFinish(Lines& lines);
    void emitPhase(const kernel::Phase& phase, Lines& lines, const Range& range);
    void emitScalars(const kernel::Phase& phase, Lines& lines);
    void emitInner(const kernel::Phase& phase, Lines& lines, const Range& range);
    void emitStatement(const kernel::Statement& s, Expressions& expressions, Lines& before,
                       Lines& body, const Range& range);
    void emitReduction(const kernel::Statement& s, Expressions& expressions, Lines& body,
                       const Range& range);
    void emitLoop(Lines& lines, const Lines& body, const Range& range);
    void declareAccumulators(const kernel::Phase& phase, Lines& lines, const Range& range);
    void closeAccumulators(const kernel::Phase& phase, Lines& lines);
    Range rowRange(const kernel::Phase& phase) const;
    int unrollOf(const kernel::Phase& phase, int64_t count) const;
    bool streams(const kernel::Statement& s) const;
    const kernel::Local& local(const kernel::Statement& s) const {
        return nest_.locals[s.local.index];
    }

    const kernel::LoopNest& nest_;
    int64_t rows_ = 1, width_ = 1;
    int steps_ = 0;          ///< loop bodies named so far
    bool finishing_ = false; ///< after all rows
    int64_t scratchBytes_ = 0;
    std::set<const kernel::Statement*> cachedStores_; ///< read back by a later phase
    std::set<kernel::LocalId> kept_;
    std::map<kernel::LocalId, std::string> accumulators_;       ///< across rows, of one thread
    std::map<kernel::LocalId, std::string> vectorAccumulators_; ///< of the loop being printed
    Lines threadSetUp_{1};   ///< first lines of the rows function
    Lines threadResults_{1}; ///< its last lines
    Lines finishSetUp_{1};   ///< first lines after all rows
};

} // namespace cutaway::codegen::cpp
