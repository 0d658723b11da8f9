// SPDX-License-Identifier: Apache-2.0
/// \file
/// Scalar expressions of the loop IR, hash-consed in a pool: equal expressions have equal ids, so
/// common subexpressions are shared by construction.
#pragma once

#include "core/base/ids.h"
#include "core/ir/sym.h"
#include "core/ir/tensor_type.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cutaway::kernel {

using ExprId = base::Id<struct ExprTag>;
using BufferId = base::Id<struct BufferTag>;
/// A condition that a value is asked to meet (LoopProgram::checks).
using CheckId = base::Id<struct CheckTag>;
/// A value computed by a statement of a kernel (loop_tree.h).
using LocalId = base::Id<struct LocalTag>;

enum class ScalarOp : uint8_t {
#define SCALAR_OP(name, text, arity, flops, commutative) name,
#include "core/kernel/scalar_ops.def"
#undef SCALAR_OP
};

struct ScalarOpInfo {
    std::string_view text;
    int arity;
    int flops;
    bool commutative;
};
const ScalarOpInfo& info(ScalarOp op);

/// One coordinate of a load: an index expression over loop variables, or a computed integer.
struct Coord {
    ir::Sym index;
    ExprId indirect; ///< when valid, the coordinate is this int64 expression's value
    bool operator==(const Coord&) const = default;
};

enum class ExprKind : uint8_t {
    Constant, ///< value (floating) or integer
    Index,    ///< an index expression as an int64 value
    Load,     ///< buffer[coords], one coordinate per dimension of the buffer; may be masked
    Local,    ///< a statement's value; in scheduled kernels only
    Op,       ///< a row of scalar_ops.def
    Cast,     ///< conversion of args[0] to dtype
    Check     ///< args[0]; where it does not meet the condition `check`, the call reports that
};

struct Expr {
    ExprKind kind = ExprKind::Constant;
    ir::DType dtype = ir::DType::Float32;
    ScalarOp op = ScalarOp::Add;
    double value = 0;
    int64_t integer = 0;
    ir::Sym index;
    BufferId buffer;
    LocalId local;
    CheckId check;
    std::vector<Coord> coords;
    std::vector<ExprId> args; ///< operands; of a masked load the condition and the neutral value
    bool operator==(const Expr&) const = default;

    /// Of a load: where its condition does not hold, its value is the neutral one, nothing is read,
    /// and the coordinates may lie outside of the buffer.
    bool isMasked() const { return kind == ExprKind::Load && !args.empty(); }
    ExprId mask() const { return isMasked() ? args[0] : ExprId(); } ///< invalid: it always reads
    ExprId neutral() const { return isMasked() ? args[1] : ExprId(); }
};

/// What the text of a masked load is called: masked(x[d0 - 1], d0 - 1 >= 0, 0.0).
inline constexpr std::string_view kMaskedLoad = "masked";

/// Text of an index expression; the inner variable of a kernel, of which there is one, is "i".
std::string indexText(const ir::Sym& index);

class ExprPool {
public:
    const Expr& operator[](ExprId id) const { return exprs_[id.index]; }
    size_t size() const { return exprs_.size(); }

    /// Expressions have compute dtypes (ir::computeType): what is made here of a dtype that is only
    /// stored is float32, and rounded where it is stored. So is a cast, but for one to float8.
    ExprId constant(ir::DType dtype, double value);
    ExprId constantInt(ir::DType dtype, int64_t value);
    ExprId index(const ir::Sym& value); ///< constants become Constant
    ExprId load(BufferId buffer, ir::DType dtype, std::vector<Coord> coords);
    /// A load that reads where \p mask (Bool) holds, and is \p neutral elsewhere. A mask that always
    /// or never holds leaves the plain load or the neutral value.
    ExprId load(BufferId buffer, ir::DType dtype, std::vector<Coord> coords, ExprId mask,
                ExprId neutral);
    ExprId load(const Expr& load); ///< an equal load, mask included
    ExprId local(LocalId local, ir::DType dtype);
    /// Result dtype by rule: comparisons, logic and IsNan give Bool, Where its second operand's,
    /// others their first operand's. Operands that are all constants are folded, exactly as the
    /// operation would compute at run time in its dtype.
    ExprId op(ScalarOp op, std::span<const ExprId> args);
    ExprId op(ScalarOp o, std::initializer_list<ExprId> args) {
        return op(o, std::span<const ExprId>(args.begin(), args.size()));
    }
    ExprId cast(ir::DType dtype, ExprId a); ///< the expression itself when the dtype is equal
    ExprId check(CheckId check, ExprId a);
    ExprId both(ExprId a, ExprId b); ///< that both hold; an invalid id always holds

    /// Rewrites bottom-up: variables in index expressions by \p variable (may be null), and loads
    /// by \p load, which gets the load with rewritten coordinates and may return an invalid id to
    /// keep it. What replaces a masked load is a choice between it and the neutral value.
    ExprId rewrite(ExprId root, const ir::Sym::Replacement& variable,
                   const std::function<ExprId(const Expr& load)>& load);
    /// Every node under \p root, operands first, each once.
    void visit(ExprId root, const std::function<void(ExprId, const Expr&)>& visitor) const;
    /// How str names what it cannot know.
    struct Names {
        std::function<std::string(BufferId)> buffer;
        std::function<std::string(LocalId)> local = {};     ///< default: l0, l1 ...
        std::function<std::string(const Expr&)> place = {}; ///< of a load; empty: its coordinates
    };
    /// Infix text: "cos(primals_1[d0, d1])"; \p bufferName names buffers.
    std::string str(ExprId root, const std::function<std::string(BufferId)>& bufferName) const {
        return str(root, Names{bufferName});
    }
    std::string str(ExprId root, const Names& names) const;

private:
    ExprId intern(Expr expr);
    std::vector<Expr> exprs_;
    std::unordered_multimap<uint64_t, uint32_t> byHash_;
};

} // namespace cutaway::kernel
