// SPDX-License-Identifier: Apache-2.0
/// \file
/// A loop tree as two C++ functions: the share of one thread, and the entry that starts the threads
/// and does what comes after. Extents may be symbolic, loops nested as they like, stores
/// accumulate. Private to this folder.
///
/// What the threads share is the first loop of the tree: its rows, or, when it is the only loop and
/// a vector one, its elements; or, where iterations meet in memory, the dimension that each owns a
/// part of, or that rows are sorted by.
#pragma once

#include "core/codegen/cpp/kernel_text.h"
#include "core/kernel/loop_tree.h"

namespace cutaway::codegen::cpp {

class TreeEmitter : KernelText {
public:
    TreeEmitter(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
                const kernel::LoopTree& tree, const schedule::CpuPlan& plan);
    /// Everything below the prelude. Fills scratchBytes too. Throws std::logic_error for a tree
    /// that this emitter has no text for.
    Lines emit();
    const ir::Sym& scratchBytes() const { return scratchBytes_; }

private:
    using Steps = std::vector<kernel::StepId>;
    /// Where the updates of an accumulator are.
    struct Sum {
        const kernel::Step* start = nullptr;
        kernel::StepId loop;   ///< next to the start: the loop that the updates are in
        bool vector = false;   ///< they are in lanes
        int accumulators = 1;  ///< vectors that take turns
        bool across = false;   ///< started before the loop that is shared
        std::string variable;  ///< of the partial value
        std::string positions; ///< of extremes of columns
    };

    // tree_plan.cpp: what is decided before any line is printed
    void chooseShared();
    bool isOneRow(kernel::StepId loop) const;
    void joinNothing();
    static std::vector<kernel::Axis> joinedRows(const kernel::LoopTree& tree);
    void findSums(const Steps& steps, bool outermost);
    void findKept();
    void planKept(kernel::LocalId id, const std::vector<kernel::StepId>& open,
                  kernel::BufferId from);
    bool keepInOutput(kernel::LocalId id, const std::vector<kernel::StepId>& open);
    void planColumns(kernel::LocalId id, Sum& sum);
    void planColumnScan(const kernel::Step& s, const std::vector<kernel::StepId>& open);
    void planAcross(kernel::LocalId id, Sum& sum);
    void planExtremes(Sum& sum);
    ir::Sym allocate(const ir::Sym& elements, ir::DType dtype, ir::Sym& each);

    // tree.cpp: text
    void emitShare(Lines& lines);
    void emitRows(Lines& body);
    const Steps& rowSteps() const;
    void declareRow(const Lines& used, Lines& lines);
    void openParts(const ir::Sym& count, int64_t granule, const std::string& parts, Lines& body);
    void emitEntry(Lines& lines);
    void emitSteps(const Steps& steps, Lines& lines);
    void emitScalars(const Steps& steps, Lines& lines);
    void emitLoop(kernel::StepId id, Lines& lines);
    void emitVector(const kernel::Step& loop, Lines& lines);
    void emitElement(const kernel::Step& s, Expressions& values, Lines& body, bool masked);
    // tree_sums.cpp: accumulators
    void startColumns(const kernel::Step& s, Lines& lines);
    void declareSum(kernel::LocalId id, Lines& lines);
    void closeSum(kernel::LocalId id, Lines& lines);
    bool sumsLanes(const kernel::Step& loop) const;
    int accumulators(const kernel::Step& loop) const;
    void emitUpdate(const kernel::Step& s, Expressions& values, Lines& body, bool masked);
    void emitColumnExtreme(const kernel::Step& s, const std::string& value, Lines& body,
                           const std::string& lanes);
    // tree_meet.cpp: sums at computed places
    void emitGuard(const kernel::Step& s, Expressions& values, Lines& lines);
    void emitAccumulate(const kernel::Step& s, const std::string& value, Expressions& values,
                        Lines& body, const std::string& lanes);
    void planCopies();
    void addCopies(Lines& lines);
    void addEachCopy(const std::string& sum, Lines& lines);
    const ir::Sym& places() const;
    void planSort();
    void emitSort(Lines& lines);
    Steps neededBy(kernel::ExprId value) const;
    // tree_scan.cpp: running values
    void startRunning(const kernel::Step& loop, Lines& before);
    void planParts();
    void emitTotals(Lines& lines);
    Steps neededByScans(const kernel::Step& loop) const;
    void addToTotal(const kernel::Step& loop, const kernel::Step& s, Expressions& values,
                    Lines& body);
    void storeTotals(Lines& lines);
    void addTotals(Lines& lines);
    void emitRunning(const kernel::Step& loop, const kernel::Step& s, Expressions& values,
                     Lines& body);
    void startColumnScans(kernel::StepId loop, Lines& lines);
    void emitColumnScan(const kernel::Step& s, Expressions& values, Lines& body, bool masked);
    void storeKept(kernel::LocalId id, const std::string& value, const kernel::Step& s, bool masked,
                   Lines& body);
    void printVectorLoop(const Lines& body, const kernel::Step& loop, const std::string& begin,
                         const std::string& end, Lines& lines);
    bool isPlain(const kernel::Step& loop, const std::string& begin) const;
    void printPlainLoop(const Lines& body, const kernel::Step& loop, const std::string& begin,
                        const std::string& end, Lines& lines);

    const kernel::Step& step(kernel::StepId id) const { return tree_.step(id); }
    bool isVector(const kernel::Step& s) const;
    std::string text(const ir::Sym& sym) { return names_.indices().scalar(sym); }
    ir::DType dtypeOf(kernel::ExprId id) const { return program_.loops.pool[id].dtype; }

    const kernel::LoopTree& tree_;
    kernel::StepId shared_;                ///< invalid: one thread does everything
    Steps before_, after_;                 ///< root steps around it
    bool chunked_ = false;                 ///< shared_ is one long vector loop
    bool finishing_ = false;               ///< after the shared loop
    const kernel::Step* owner_ = nullptr;  ///< the store whose target the threads share
    bool ownsElements_ = false;            ///< its owned coordinate is the innermost variable
    const kernel::Step* copied_ = nullptr; ///< the store whose target each thread has a copy of
    std::string copy_, total_;             ///< names of a copy, and of the target
    ir::Sym copyElements_{0}, copyOffset_{0};
    const kernel::Step* sorted_ = nullptr;     ///< the store by whose place rows are sorted
    std::string sort_, keys_, begins_, order_; ///< names of its function and tables
    int turns_ = 1; ///< accumulators(the vector loop that is being printed)
    int loops_ = 0; ///< loop bodies named so far
    int threads_ = 1;
    ir::Sym scratchBytes_{0};
    std::map<kernel::LocalId, Sum> sums_;
    std::map<kernel::LocalId, std::string> vectorSums_;  ///< lanes of sums across rows
    std::map<const kernel::Step*, std::string> running_; ///< what a scan has made so far
    std::map<const kernel::Step*, std::vector<std::string>> columnScans_; ///< the same of columns
    /// Of a scan whose row is walked in parts: its state's type and name, and where it is.
    struct Carry {
        const kernel::Step* scan;
        std::string type, name, address, each;
    };
    std::vector<Carry> carries_;
    std::string totals_;             ///< name of the function that makes the totals of a part
    bool totalling_ = false;         ///< it is being printed
    std::set<kernel::LocalId> open_; ///< accumulators whose lanes are declared
    std::set<const kernel::Step*> readBack_; ///< stores whose target keeps a value for a later loop
    std::set<kernel::LocalId> stored_;       ///< kept values that their loop writes to scratch
    Lines sortSetUp_{1}, shareSetUp_{1}, shareResults_{1}, finishSetUp_{1};
};

} // namespace cutaway::codegen::cpp
