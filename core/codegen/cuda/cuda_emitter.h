// SPDX-License-Identifier: Apache-2.0
/// \file
/// Prints one loop nest as a CUDA kernel, as a candidate says.
#pragma once

#include "core/codegen/cuda/cuda_text.h"
#include "core/schedule/cuda_plan.h"

#include <optional>
#include <unordered_map>

namespace cutaway::codegen {

using schedule::CudaPlan;
using schedule::NestFacts;

class CudaEmitter {
public:
    CudaEmitter(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
                const schedule::Candidate& how);
    KernelSource emit();

private:
    using Statements = std::vector<const kernel::Statement*>;
    /// A partial result on its way from threads to blocks to the end.
    struct Total {
        const kernel::Statement* statement = nullptr;
        std::string name;        ///< of the final value
        std::string accumulator; ///< of a thread's partial value
        std::string type;        ///< of the partial value
        std::string partial;     ///< pointer: one a block (and column)
        std::string group;       ///< pointer: one a group of blocks (and column)
    };

    // cuda_emitter.cpp: the frame
    void emitSignature();
    void declareCaches();
    void emitFirstPrefetch();
    std::string nextRowLoad(const kernel::Expr& load) const;
    void emitOuterVariables();
    void emitLinear();
    void emitRows();
    void openRowLoop();
    void emitRowPhase(const kernel::Phase& phase);
    Statements withRecomputed(const std::vector<kernel::Statement>& statements);
    void addRecomputed(kernel::ExprId value, std::vector<uint32_t>& have, Statements& out);

    // cuda_statements.cpp: one pass over elements, or one value per row
    void emitElements(const Statements& statements, const std::string& openChunks);
    void declareInner();
    void emitLoads(const Statements& statements, bool varying);
    void emitVectorLoad(kernel::ExprId id, const kernel::Expr& load);
    void emitStatement(const kernel::Statement& s);
    void emitStore(const kernel::Statement& s);
    void emitAccumulate(const kernel::Statement& s);
    bool needsLane(const Statements& statements) const;
    std::string accumulatorOf(const kernel::Statement& s) const;

    // cuda_expressions.cpp: text of values
    std::string text(kernel::ExprId id);
    std::string opText(const kernel::Expr& e);
    std::string castText(const kernel::Expr& e);
    std::string checkText(const kernel::Expr& e);
    std::string loadText(const kernel::Expr& e);
    std::string index(const ir::Sym& offset) const;
    void countUses(const Statements& statements);
    void name(kernel::ExprId id, std::string text);
    size_t mark() const { return named_.size(); }
    void forget(size_t mark);
    int depth(kernel::ExprId id) const;

    // cuda_finish.cpp: from partial results to the end of the kernel
    void declareTotals();
    std::string identity(const kernel::Statement& s) const;
    std::string combine(const kernel::Statement& s, const std::string& a,
                        const std::string& b) const;
    std::string opName(kernel::ReduceOp op) const;
    void emitRowTotals(const kernel::Phase& phase);
    std::string blockReduction(const kernel::Statement& s, const std::string& value);
    void emitFinish();
    void emitColumnPartial(const Total& total);
    void emitAllPartial(const Total& total);
    void emitLastBlock();
    void emitGroupSums();
    void emitAllTotal(const Total& total);
    void emitFinishPhase(const kernel::Phase& phase);
    void emitColumnTotal(const Total& total);
    std::string columnLoop() const;

    std::string localText(kernel::LocalId id) const;
    std::string cacheSlot() const;
    bool isCached(kernel::LocalId id) const;
    bool isCached(kernel::ExprId id) const;
    bool columnsInTiles() const { return plan_.tiles > 1; }

    const kernel::KernelProgram& program_;
    const kernel::Kernel& kernel_;
    const kernel::LoopNest& nest_;
    NestFacts facts_;
    CudaPlan plan_;
    TextWriter out_;
    Namer names_;
    KernelSource source_;
    std::string integer_; ///< "int" or "long long"

    std::unordered_map<uint32_t, std::string> pointers_;  ///< by BufferId
    std::vector<std::string> localNames_;                 ///< by LocalId
    std::unordered_map<uint32_t, std::string> sums_;      ///< a thread's partial values, by LocalId
    std::unordered_map<uint32_t, std::string> localText_; ///< values in scope, by LocalId
    std::unordered_map<uint32_t, std::string> exprText_;  ///< expressions in scope, by ExprId
    std::vector<uint32_t> named_;                         ///< keys of exprText_, oldest first
    std::unordered_map<uint32_t, int> uses_;
    mutable std::unordered_map<uint32_t, int> depth_;
    std::unordered_map<uint32_t, std::string> cacheNames_;      ///< of kept loads, by ExprId
    std::unordered_map<uint32_t, std::string> cacheLocalNames_; ///< of kept locals, by LocalId
    std::unordered_map<uint32_t, bool> cacheFilled_;
    std::unordered_map<uint32_t, std::string> nextNames_; ///< of the next row's, by ExprId
    std::vector<uint32_t> fillPending_; ///< kept loads that no vector access fills
    bool descending_ = false;           ///< text() is walking an expression, operands first
    std::unordered_map<const kernel::Statement*, std::string> vectorStores_;
    std::string innerText_ = "i"; ///< what the inner variable is called here
    std::string rowOwner_;        ///< condition: this thread writes the row's single values
    bool inFinish_ = false;
    std::vector<Total> columns_, alls_;
    int64_t scratchBytes_ = 0;
    int blockReductions_ = 0;
};

} // namespace cutaway::codegen
