// SPDX-License-Identifier: Apache-2.0
/// \file
/// Expressions as C++ text: vectors inside an inner loop, scalars elsewhere. What does not depend
/// on the inner variable is computed before the loop. Private to this folder.
#pragma once

#include "core/codegen/cpp/index_text.h"
#include "core/codegen/cpp/text.h"
#include "core/kernel/row_tree.h"
#include "core/kernel/varying.h"

#include <map>
#include <unordered_map>

namespace cutaway::codegen::cpp {

/// How a local is read in a phase that did not compute it.
struct LocalAccess {
    std::string name;    ///< of its variable
    std::string address; ///< kept for later: where its row lies; the index in the row is added
    ir::Sym index{kernel::innerVar()}; ///< in the row
    std::string parts;                 ///< Column: the threads' partial results ...
    std::string columns;               ///< ... one row of so many each
    kernel::ReduceOp reduce = kernel::ReduceOp::Sum;
};

/// What every phase of one kernel shares.
struct KernelNames {
    /// \param joined loops of \p tree whose iterations are counted by one row number
    KernelNames(const kernel::KernelProgram& p, const kernel::LoopTree& tree,
                std::vector<kernel::Axis> joined);

    const kernel::KernelProgram& program;
    std::vector<kernel::Axis> rows;   ///< outer loops, joined into one row number
    std::vector<kernel::Axis> others; ///< loops below the rows
    std::vector<bool> perElement;     ///< by LocalId: one value for each lane
    Scope names;                      ///< of the file: what both functions may name
    Scope* block = nullptr;           ///< the block that loops are printed into
    std::map<kernel::BufferId, std::string> pointers;
    std::vector<LocalAccess> locals;
    std::set<ir::DType> usedVectors;
    int lanes = 1;
    bool prefetch = false; ///< loads ask for what lies further on
    int temporaries = 0;

    /// How many values a variable has; unknown ones count as very many.
    int64_t sizeOf(ir::Var variable) const;
    ir::Sym extentOf(ir::Var variable) const;
    std::string nameOf(ir::Var variable);
    IndexText indices();
    /// Outer variables joined into one row number where the expression allows it.
    ir::Sym byRow(const ir::Sym& sym) const;
    std::string vectorOf(ir::DType dtype);
};

/// Combines two values of a reduction: "math::max(a, b)".
std::string combined(kernel::ReduceOp op, const std::string& a, const std::string& b);

// How tightly the parts of a text bind.
constexpr int kPrimary = 10, kUnary = 9, kProduct = 8, kSum = 7, kShift = 6, kComparison = 5,
              kBitwise = 3, kChoice = 1;

/// What the prelude's functions that update memory at computed places end with: "add".
std::string_view updating(kernel::ReduceOp op);

/// The expressions of one phase.
class Expressions {
public:
    /// \param before  lines before the inner loop (or the phase's own, without one)
    /// \param lanes   ", lanes" where loads and stores may be partial, else empty
    Expressions(KernelNames& kernel, const std::vector<kernel::ExprId>& roots, bool inner,
                Lines& before, Lines& body, std::string lanes);

    std::string scalar(kernel::ExprId id, kernel::BufferId from);
    std::string vector(kernel::ExprId id, kernel::BufferId from); ///< uniform values are spread
    bool varying(kernel::ExprId id) { return inner_ && varying_(id); }
    void define(kernel::LocalId id) { defined_.insert(id); }
    bool definedHere(kernel::LocalId id) const { return defined_.count(id) > 0; }
    /// Any store of a tree but one that accumulates at lanes that may meet.
    void store(const kernel::Step& s, const std::string& value, bool stream);
    /// Where \p coords lie, from the buffer's start. \p uniform: the text is a long, else a vector.
    std::string address(const kernel::Buffer& buffer, const std::vector<kernel::Coord>& coords,
                        bool vector, bool& uniform);
    /// One coordinate, kept inside its dimension.
    std::string within(const kernel::Buffer& buffer, size_t dimension, const kernel::Coord& coord,
                       bool vector);
    /// Conversion of a value that has been printed.
    std::string converted(const std::string& text, ir::DType from, ir::DType to, bool vector) const;

private:
    struct Value {
        std::string text;
        int precedence = 0;
    };
    struct Binding {
        std::string name;
        LinePtr line;
    };
    Value value(kernel::ExprId id, bool vector);
    Value leaf(kernel::ExprId id, const kernel::Expr& e, bool vector);
    Value element(const kernel::Buffer& buffer, const std::string& index) const;
    Value operation(const kernel::Expr& e, bool vector);
    Value plainOperation(const kernel::Expr& e, bool vector);
    Value call(std::string_view name, const kernel::Expr& e, bool vector);
    Value infix(std::string_view sign, int precedence, const kernel::Expr& e, bool vector);
    Value comparison(const kernel::Expr& e, std::string_view sign, bool vector);
    std::optional<Value> laneComparison(const kernel::Expr& e);
    Value boolean(const kernel::Expr& e, bool vector);
    Value cast(const kernel::Expr& e, bool vector);
    std::string check(const kernel::Expr& e, bool vector);
    Value localValue(kernel::ExprId id, const kernel::Expr& e, bool vector);
    Value load(kernel::ExprId id, const kernel::Expr& e, bool vector);
    Value loadLanes(kernel::ExprId id, const kernel::Expr& e);
    std::string operand(kernel::ExprId id, int precedence, bool vector, bool spread);
    std::optional<std::string> stepping(int64_t apart, const kernel::Buffer& buffer,
                                        const std::vector<kernel::Coord>& coords);
    /// Declares a variable for an expression. \p exact: the name is taken as it is.
    Value bind(kernel::ExprId id, const std::string& wanted, ir::DType dtype,
               const std::string& text, bool vector, bool exact = false);
    void count(kernel::ExprId root);
    bool deep(kernel::ExprId id) const;
    void nameDeepParts(kernel::ExprId root, bool vector);
    const kernel::ExprPool& pool() const { return kernel_.program.loops.pool; }

    KernelNames& kernel_;
    bool inner_;
    Lines& before_;
    Lines& body_;
    std::string lanes_;
    Scope loop_; ///< the loop's body
    kernel::BufferId from_;
    std::set<kernel::LocalId> defined_;
    std::unordered_map<kernel::ExprId, int> uses_, depth_;
    kernel::Varying varying_;
    std::map<std::pair<kernel::ExprId, bool>, Binding> bindings_;
};

} // namespace cutaway::codegen::cpp
