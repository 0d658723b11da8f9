// SPDX-License-Identifier: Apache-2.0
#include "core/base/tick.h"
#include "core/codegen/cuda/cuda_emitter.h"
#include "core/codegen/signs.h"
#include "core/kernel/bits.h"
#include "core/kernel/scalar_eval.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cutaway::codegen {

using namespace kernel;

namespace {

// Deeper expressions get a name for a part of them: readable, and compilers limit nesting.
constexpr int kMaxDepth = 6;

std::string_view infix(ScalarOp op) {
    switch (op) {
    case ScalarOp::Add:
        return "+";
    case ScalarOp::Sub:
        return "-";
    case ScalarOp::Mul:
        return "*";
    case ScalarOp::Div:
        return "/";
    default:
        return comparisonSign(op);
    }
}

std::string_view function(ScalarOp op) {
    switch (op) {
    case ScalarOp::FloorDiv:
        return "op::floorDiv";
    case ScalarOp::Max:
        return "op::max";
    case ScalarOp::Min:
        return "op::min";
    case ScalarOp::IsNan:
        return "op::isnan";
    default:
        return {};
    }
}

} // namespace

std::string CudaEmitter::index(const ir::Sym& offset) const {
    return cudaIndex(offset, [&](ir::Var v) { return variableText(v); });
}

std::string CudaEmitter::variableText(ir::Var v) const {
    if (v == innerVar()) return innerText_;
    return v.kind == 's' ? sizeNames_.at(v.index) : v.str();
}

std::string CudaEmitter::sizeText(const ir::Sym& size) const {
    const bool simple = size.isConst() || size.asVar();
    return simple ? index(size) : "(" + index(size) + ")";
}

void CudaEmitter::countUses(const Statements& statements) {
    uses_.clear();
    std::unordered_map<uint32_t, bool> seen;
    for (const Step* s : statements) {
        ++uses_[s->value.index];
        pool_.visit(s->value, [&](ExprId id, const Expr& e) {
            if (std::exchange(seen[id.index], true)) return;
            for (ExprId arg : e.args)
                ++uses_[arg.index];
            for (const Coord& coord : e.coords)
                if (coord.indirect.valid()) ++uses_[coord.indirect.index];
        });
    }
}

void CudaEmitter::name(ExprId id, std::string text) {
    exprText_[id.index] = std::move(text);
    named_.push_back(id.index);
}

void CudaEmitter::forget(size_t mark) {
    for (; named_.size() > mark; named_.pop_back())
        exprText_.erase(named_.back());
}

int CudaEmitter::depth(ExprId id) const {
    if (exprText_.count(id.index)) return 0;
    if (auto known = depth_.find(id.index); known != depth_.end()) return known->second;
    return 0;
}

std::string CudaEmitter::text(ExprId id) {
    if (auto known = exprText_.find(id.index); known != exprText_.end()) return known->second;
    if (!descending_) {
        // Operands first, so that a chain of a thousand operations needs no deep recursion: each
        // call below meets a named value after kMaxDepth steps.
        descending_ = true;
        pool_.visit(id, [&](ExprId operand, const Expr& e) {
            if (operand != id && (e.kind == ExprKind::Op || e.isMasked())) text(operand);
        });
        descending_ = false;
    }
    base::tick();
    const Expr e = pool_[id];
    std::string value;
    switch (e.kind) {
    case ExprKind::Constant:
        return cudaLiteral(e.dtype, e.value, e.integer);
    case ExprKind::Local:
        return localText(e.local);
    case ExprKind::Index:
        value = fmt::format("(long long)({})", index(e.index));
        break;
    case ExprKind::Load:
        value = loadText(id, e);
        break;
    case ExprKind::Op:
        value = opText(e);
        break;
    case ExprKind::Cast:
        value = castText(e);
        break;
    case ExprKind::Check:
        value = checkText(e);
        break;
    }
    int below = 0;
    for (ExprId arg : e.args)
        below = std::max(below, depth(arg));
    depth_[id.index] = below + 1;
    const bool shared = uses_[id.index] > 1 && e.kind != ExprKind::Index;
    // A check is a line of its own: every element makes it, whatever is chosen later.
    const bool line = e.kind == ExprKind::Load || e.kind == ExprKind::Check;
    if (!line && !shared && below < kMaxDepth) return value;
    const std::string wanted = e.kind == ExprKind::Load ? program_.loops.buffer(e.buffer).name
                                                        : std::string(line ? "checked" : "t");
    const std::string fresh = names_.fresh(wanted);
    out_.line(fmt::format("const {} {} = {};", cudaType(e.dtype), fresh, value));
    name(id, fresh);
    if (auto fill = std::find(fillPending_.begin(), fillPending_.end(), id.index);
        fill != fillPending_.end()) {
        out_.line(fmt::format("{}{} = {};", cacheNames_.at(keptLoads_.at(id.index).index),
                              cacheSlot(), fresh));
        fillPending_.erase(fill);
    }
    return fresh;
}

ir::DType CudaEmitter::inMemory(const Expr& load) const {
    return program_.loops.buffer(load.buffer).dtype;
}

std::string CudaEmitter::inCompute(ir::DType dtype, const std::string& element) const {
    return ir::isStorageOnly(dtype) ? fmt::format("float({})", element) : element;
}

std::string CudaEmitter::loadText(ExprId id, const Expr& load) {
    std::string reads, none;
    if (load.isMasked()) {
        reads = text(load.mask());
        none = text(load.neutral());
    }
    const auto known = loaded_.find(id.index);
    const std::string element = known != loaded_.end()
                                    ? known->second
                                    : inCompute(inMemory(load), loadText(load.buffer, load.coords));
    return load.isMasked() ? fmt::format("({} ? {} : {})", reads, element, none) : element;
}

std::string CudaEmitter::loadText(BufferId id, const std::vector<Coord>& coords) {
    return fmt::format("{}[{}]", pointers_.at(id.index), offsetText(id, coords));
}

std::string CudaEmitter::offsetText(BufferId id, const std::vector<Coord>& coords) {
    const Buffer& buffer = program_.loops.buffer(id);
    std::string computed;
    for (size_t d = 0; d < coords.size(); ++d) {
        if (!coords[d].indirect.valid()) continue;
        const std::string at = text(coords[d].indirect);
        const ir::Sym& stride = buffer.strides[d];
        if (stride.is(0)) continue;
        if (!computed.empty()) computed += " + ";
        computed += fmt::format("op::within({}, {})", at, index(buffer.sizes[d]));
        if (!stride.is(1)) computed += " * " + sizeText(stride);
    }
    const ir::Sym direct = offset(id, coords);
    if (computed.empty())
        computed = index(direct);
    else if (!direct.is(0))
        computed = index(direct) + " + " + computed;
    return computed;
}

std::string CudaEmitter::opText(const Expr& e) {
    std::vector<std::string> args;
    for (ExprId arg : e.args)
        args.push_back(text(arg));
    const ir::DType operand = pool_[e.args.back()].dtype;
    const bool logical = operand == ir::DType::Bool;
    if (auto sign = infix(e.op); !sign.empty()) {
        const std::string value = fmt::format("({} {} {})", args[0], sign, args[1]);
        // Where C++ would compute in int: the bits that the dtype does not have are lost at once.
        const bool narrow = ir::isIntegral(e.dtype) && !logical && !isPredicate(e.op) &&
                            ir::sizeBytes(e.dtype) < ir::sizeBytes(ir::DType::Int32);
        return narrow ? fmt::format("({}){}", cudaType(e.dtype), value) : value;
    }
    switch (e.op) {
    case ScalarOp::Where:
        return fmt::format("({} ? {} : {})", args[0], args[1], args[2]);
    case ScalarOp::And:
        return fmt::format("({} {} {})", args[0], logical ? "&&" : "&", args[1]);
    case ScalarOp::Or:
        return fmt::format("({} {} {})", args[0], logical ? "||" : "|", args[1]);
    case ScalarOp::Not:
        return fmt::format("!{}", args[0]);
    case ScalarOp::Neg:
        return fmt::format("(-{})", args[0]);
    default:
        break;
    }
    const bool integer = !ir::isFloating(operand);
    const bool rounding = e.op == ScalarOp::Floor || e.op == ScalarOp::Ceil ||
                          e.op == ScalarOp::Round || e.op == ScalarOp::Trunc;
    if (integer && rounding) return args[0];
    if (integer && e.op == ScalarOp::IsNan) return "false";
    std::string name(function(e.op));
    if (name.empty())
        name = fmt::format("{}::{}", isSpecial(e.op) ? "special" : "op", info(e.op).text);
    return fmt::format("{}({})", name, fmt::join(args, ", "));
}

std::string CudaEmitter::checkText(const Expr& e) {
    const Check& check = program_.loops.check(e.check);
    const std::string value = text(e.args[0]), number = std::to_string(e.check.index + 1);
    return check.kind == Check::Kind::Index
               ? fmt::format("op::checkIndex({}, {}, faults, {})", value, index(check.size), number)
               : fmt::format("op::checkDivisor({}, faults, {})", value, number);
}

std::string CudaEmitter::castText(const Expr& e) {
    const std::string value = text(e.args[0]);
    if (keepsBits(e)) return fmt::format("op::sameBits<{}>({})", cudaType(e.dtype), value);
    const ir::DType from = pool_[e.args[0]].dtype;
    if (e.dtype == ir::DType::Bool) return fmt::format("({} != 0)", value);
    if (ir::isFloating(from) && e.dtype == ir::DType::Int32)
        return fmt::format("op::toInt32({})", value);
    if (ir::isFloating(from) && ir::isIntegral(e.dtype)) {
        const std::string wide = fmt::format("op::toInt64({})", value);
        if (e.dtype == ir::DType::UInt64)
            return fmt::format("({0} < 0 ? (unsigned long long){1} : (unsigned long long)({0}))",
                               value, wide);
        return e.dtype == ir::DType::Int64 ? wide
                                           : fmt::format("({})({})", cudaType(e.dtype), wide);
    }
    return fmt::format("({})({})", cudaType(e.dtype), value);
}

} // namespace cutaway::codegen
