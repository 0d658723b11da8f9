// SPDX-License-Identifier: Apache-2.0
/// \file
/// Prints a scheduled loop tree as a CUDA kernel.
#pragma once

#include "core/codegen/cuda/cuda_text.h"
#include "core/schedule/cuda_tree.h"

#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace cutaway::codegen {

using schedule::CudaPlan;

class CudaEmitter {
public:
    CudaEmitter(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
                const schedule::CudaLoops& loops);
    /// Throws std::logic_error for a tree that this emitter has no text for.
    KernelSource emit();

private:
    using Step = kernel::Step;
    using Steps = std::vector<kernel::StepId>;
    using Statements = std::vector<const Step*>;
    /// A partial result on its way from threads to blocks to the end.
    struct Total {
        const Step* update = nullptr;
        kernel::LocalId local;   ///< the result: of ArgMax and ArgMin the position
        std::string name;        ///< of the final value
        std::string accumulator; ///< of a thread's partial value
        std::string type;        ///< of the partial value
        std::string partial;     ///< pointer: one a block (and column)
        std::string group;       ///< pointer: one a group of blocks (and column)
    };

    // cuda_loops.cpp: what the tree says
    void findParts();
    void nameEverything();
    void findVarying();
    bool varies(kernel::ExprId id) const { return varies_(id); }
    bool isInner(const Step& loop) const;
    bool isAcross(const Step& update) const;
    ir::Sym offset(kernel::BufferId buffer, const std::vector<kernel::Coord>& coords) const;
    bool sideBySide(const ir::Sym& offset, int width) const;
    ir::DType dtypeOf(kernel::ExprId id) const { return pool_[id].dtype; }
    static std::string accumulatorType(kernel::ReduceOp op, ir::DType dtype);
    std::string accumulatorType(const Step& update) const {
        return accumulatorType(update.reduce, pool_[update.value].dtype);
    }

    // cuda_emitter.cpp: the frame
    void emitSignature();
    void declareCaches();
    void emitFirstPrefetch();
    std::string nextRowLoad(const kernel::Expr& load) const;
    void emitRowVariables();
    void emitLinear();
    void emitRows();
    void emitSerial();
    void emitSerialLoop(const Step& loop);
    std::string variableText(ir::Var v) const;
    void openRowLoop();
    void emitSteps(const Steps& steps);
    void emitScalars(const Statements& statements);
    void emitStart(const Step& start);
    void emitRowLoop(const Step& loop);

    // cuda_tiles.cpp: squares of elements, which shared memory turns
    void emitTiles();
    void declareTiles();
    void emitTile(const Step& across);

    // cuda_sorted.cpp: blocks that sort what goes to their places
    void emitSorted();
    void emitCollect(const Statements& statements, const Step& store);
    void emitAdd(const Statements& statements, const Step& store, const ir::Sym& columns);
    void openSorted(const std::string& row);
    std::string placeText(const Step& store);
    std::string targetText(const Step& store, const std::string& place);

    // cuda_scan.cpp: a pass with running values
    void emitScanLoop(const Step& loop);
    void emitScanned(const Statements& until, const Step* scan);
    void startRunning(const Step& scan);

    // cuda_statements.cpp: one pass over elements, or one value per row
    void emitElements(const Statements& statements, const std::string& openChunks);
    void declareInner();
    void emitLoads(const Statements& statements, bool varying);
    void emitVectorLoad(kernel::ExprId id, const kernel::Expr& load);
    void emitStatement(const Step& s);
    void emitLet(const Step& s);
    std::string ownerText(const Step& store);
    void emitOwned(const Statements& statements);
    void emitStore(const Step& s);
    void emitAccumulate(const Step& s);
    bool needsLane(const Statements& statements) const;
    std::string accumulatorOf(const Step& s) const;
    std::string positionText(const Step& s) const;

    // cuda_expressions.cpp: text of values
    std::string text(kernel::ExprId id);
    std::string opText(const kernel::Expr& e);
    std::string castText(const kernel::Expr& e);
    std::string checkText(const kernel::Expr& e);
    /// The dtype of a load's element before it is computed with, and the element as it is then.
    ir::DType inMemory(const kernel::Expr& load) const;
    std::string inCompute(ir::DType dtype, const std::string& element) const;
    std::string loadText(kernel::ExprId id, const kernel::Expr& load);
    std::string loadText(kernel::BufferId buffer, const std::vector<kernel::Coord>& coords);
    std::string offsetText(kernel::BufferId buffer, const std::vector<kernel::Coord>& coords);
    std::string index(const ir::Sym& offset) const;
    /// A size as an operand: a number, or in parentheses.
    std::string sizeText(const ir::Sym& size) const;
    void countUses(const Statements& statements);
    void name(kernel::ExprId id, std::string text);
    size_t mark() const { return named_.size(); }
    void forget(size_t mark);
    int depth(kernel::ExprId id) const;

    // cuda_finish.cpp: from partial results to the end of the kernel
    void declareTotals();
    std::string identity(const Step& s) const;
    std::string combine(const Step& s, const std::string& a, const std::string& b) const;
    std::string opName(kernel::ReduceOp op) const;
    void declareParts();
    void declarePartial(const Step& s, const std::string& name, const ir::Sym& count);
    void emitRowTotals(const Step& loop);
    void emitPartTotals(const Step& loop);
    void nameTotal(const Step& s, std::string value);
    static const char* member(kernel::ReduceOp op, size_t k);
    std::string blockReduction(const Step& s, const std::string& value);
    void emitFinish();
    void emitColumnPartial(const Total& total);
    void emitAllPartial(const Total& total);
    void emitLastBlock();
    void emitGroupSums();
    void emitAllTotal(const Total& total);
    void emitFinishLoop(const Step& loop);
    void emitColumnTotal(const Total& total);
    std::string columnLoop() const;

    std::string localText(kernel::LocalId id) const;
    std::string cacheSlot() const;
    bool isKept(kernel::LocalId id) const { return !inFinish_ && keptLocals_.contains(id.index); }
    bool isKept(kernel::ExprId id) const { return !inFinish_ && keptLoads_.contains(id.index); }
    bool columnsInTiles() const { return !loops_.tiles.is(1); }
    /// Whether the threads' chunks make whole rows.
    bool fillsRows() const;
    /// "for every chunk of the row"; empty where a thread has one.
    std::string chunkLoop() const;
    bool manyChunks() const { return !loops_.chunks.is(1); }
    const Step& step(kernel::StepId id) const { return tree_.step(id); }

    const kernel::KernelProgram& program_;
    const kernel::Kernel& kernel_;
    const schedule::CudaLoops& loops_;
    const kernel::LoopTree& tree_;
    const CudaPlan& plan_;
    const kernel::ExprPool& pool_;
    TextWriter out_;
    Namer names_;
    KernelSource source_;
    std::string integer_; ///< "int" or "long long"
    bool long_ = false;   ///< its body is so long that no loop around it is unrolled

    std::vector<kernel::AxisId> rows_; ///< the loops over rows, outermost first
    Steps rowSteps_, after_;           ///< of one row; when all rows are done
    bool hasInner_ = false;            ///< there are loops over the innermost variable
    bool rowsReduce_ = false;          ///< along the innermost variable
    ir::Sym rowCount_{1}, inner_{1};
    std::set<uint32_t> across_;  ///< accumulators started before the rows
    std::set<uint32_t> varying_; ///< locals of elements
    std::set<uint32_t> read_;    ///< locals that a value reads
    std::set<uint32_t> keptLocals_;
    std::unordered_map<uint32_t, kernel::LocalId> keptLoads_; ///< by ExprId
    std::map<uint32_t, kernel::ExprId> loadOf_;               ///< the same by LocalId
    mutable kernel::Varying varies_;

    std::unordered_map<uint32_t, std::string> pointers_;  ///< by BufferId
    std::unordered_map<uint32_t, std::string> sizeNames_; ///< of size symbols
    std::vector<std::string> localNames_;                 ///< by LocalId
    std::unordered_map<uint32_t, std::string> sums_;      ///< a thread's partial values, by LocalId
    std::unordered_map<uint32_t, std::string> localText_; ///< values in scope, by LocalId
    std::unordered_map<uint32_t, std::string> exprText_;  ///< expressions in scope, by ExprId
    std::vector<uint32_t> named_;                         ///< keys of exprText_, oldest first
    std::unordered_map<uint32_t, int> uses_;
    mutable std::unordered_map<uint32_t, int> depth_;
    std::unordered_map<uint32_t, std::string> cacheNames_; ///< of kept locals, by LocalId
    std::unordered_map<uint32_t, bool> cacheFilled_;       ///< by ExprId of kept loads
    std::unordered_map<uint32_t, std::string>
        loaded_; ///< elements of masked vector loads, by ExprId
    std::unordered_map<uint32_t, std::string> nextNames_; ///< of the next row's, by ExprId
    std::vector<uint32_t> fillPending_; ///< kept loads that no vector access fills
    bool descending_ = false;           ///< text() is walking an expression, operands first
    std::unordered_map<const Step*, std::string> vectorStores_;
    std::string tileSlot_; ///< Tiles: an element's place in the tile, in the loops at hand
    std::map<uint32_t, std::string> tileFirsts_; ///< by AxisId: the block's first along it
    std::string owner_;                          ///< the thread's number among owners of places
    std::vector<kernel::Axis> sorted_;           ///< Sorted: the loops whose iterations are listed
    bool owns_ = false;           ///< what is printed is done by the owner of its place alone
    int serialLoops_ = 0;         ///< loops of one thread that are open
    std::string innerText_ = "i"; ///< what the inner variable is called here
    std::string rowOwner_;        ///< condition: this thread writes the row's single values
    bool inFinish_ = false;
    std::vector<Total> columns_, alls_;
    std::map<uint32_t, std::string> parts_; ///< by LocalId: pointer to the sums of a row's parts
    std::map<std::string, std::string> columnShared_; ///< by type: where column sums meet
    ir::Sym scratchBytes_{0};
    std::unordered_map<const Step*, std::string> running_; ///< what a scan has made so far
    int blockReductions_ = 0;
};

} // namespace cutaway::codegen
