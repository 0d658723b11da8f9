// SPDX-License-Identifier: Apache-2.0
#include "core/fusion/epilogue.h"

#include "core/kernel/address.h"

#include <algorithm>
#include <cmath>

namespace cutaway::fusion {

using kernel::Buffer;
using kernel::BufferKind;
using kernel::Epilogue;
using kernel::Expr;
using kernel::ExprKind;
using kernel::LoopProgram;
using kernel::ScalarOp;

namespace {

class Matcher {
public:
    Matcher(const LoopProgram& program, const Analysis& analysis, const Buffer& product,
            const Buffer& follower)
        : program_(program), analysis_(analysis), pool_(program.pool), product_(product),
          follower_(follower) {}

    /// \param value the buffer whose elements the chain has reached
    std::optional<Epilogue> match(BufferId value) const {
        const Expr& e = pool_[follower_.body];
        if (follower_.dtype != product_.dtype || e.kind != ExprKind::Op) return std::nullopt;
        auto isValue = [&](ExprId id) {
            const Expr& e = pool_[id];
            return e.kind == ExprKind::Load && e.buffer == value && !e.isMasked();
        };
        if (isRelu(e, isValue)) return Epilogue{Epilogue::Kind::Relu, 0, {}, follower_.id};
        if (e.args.size() != 2) return std::nullopt;
        const bool first = isValue(e.args[0]);
        if (first == isValue(e.args[1])) return std::nullopt;
        return binary(e, pool_[e.args[first ? 1 : 0]], first);
    }

private:
    template <typename IsValue> bool isRelu(const Expr& e, const IsValue& isValue) const {
        auto isZero = [&](ExprId id) {
            const Expr& c = pool_[id];
            return c.kind == ExprKind::Constant && c.value == 0 && c.integer == 0;
        };
        if (e.op == ScalarOp::Max)
            return (isValue(e.args[0]) && isZero(e.args[1])) ||
                   (isValue(e.args[1]) && isZero(e.args[0]));
        if (e.op != ScalarOp::Where) return false;
        const Expr& test = pool_[e.args[0]];
        if (test.kind != ExprKind::Op || test.args.size() != 2) return false;
        if (!isValue(test.args[0]) || !isZero(test.args[1])) return false;
        if (test.op == ScalarOp::Le || test.op == ScalarOp::Lt)
            return isZero(e.args[1]) && isValue(e.args[2]);
        return false; // where(x > 0, x, 0) turns NaN into 0, which relu does not
    }

    std::optional<Epilogue> binary(const Expr& e, const Expr& other, bool first) const {
        Epilogue epilogue{Epilogue::Kind::AddScalar, other.value, {}, follower_.id};
        if (other.kind == ExprKind::Constant) {
            if (!ir::isFloating(product_.dtype)) return std::nullopt;
            if (e.op == ScalarOp::Add) return epilogue;
            if (e.op == ScalarOp::Sub && first) {
                epilogue.scalar = -other.value;
                return epilogue;
            }
            epilogue.kind = Epilogue::Kind::MulScalar;
            if (e.op == ScalarOp::Mul) return epilogue;
            int exponent = 0;
            // x / 8 is x * 0.125 exactly; other divisions round differently.
            if (e.op != ScalarOp::Div || !first || other.value == 0 ||
                !std::isfinite(other.value) || std::fabs(std::frexp(other.value, &exponent)) != 0.5)
                return std::nullopt;
            epilogue.scalar = 1 / other.value;
            return epilogue;
        }
        if (e.op != ScalarOp::Add || other.kind != ExprKind::Load || other.isMasked())
            return std::nullopt;
        return addTensor(other, epilogue);
    }

    std::optional<Epilogue> addTensor(const Expr& load, Epilogue epilogue) const {
        if (follower_.sizes != product_.sizes) return std::nullopt;
        const Buffer& tensor = program_.buffer(load.buffer);
        const bool inMemory = tensor.kind == BufferKind::Input ||
                              tensor.kind == BufferKind::Constant ||
                              tensor.kind == BufferKind::Library || analysis_[tensor.id].mustStore;
        if (!inMemory || tensor.dtype != product_.dtype) return std::nullopt;
        std::vector<ir::Sym> coords;
        for (const kernel::Coord& c : load.coords) {
            if (c.indirect.valid()) return std::nullopt;
            coords.push_back(c.index);
        }
        epilogue.kind = Epilogue::Kind::AddTensor;
        epilogue.tensor = kernel::stridedView(tensor, coords, product_.sizes);
        return epilogue.tensor ? std::optional(epilogue) : std::nullopt;
    }

    const LoopProgram& program_;
    const Analysis& analysis_;
    const kernel::ExprPool& pool_;
    const Buffer& product_;
    const Buffer& follower_;
};

bool isDenseRowMajor(const Buffer& buffer) {
    return buffer.strides == ir::contiguousStrides(buffer.sizes);
}

} // namespace

Epilogues findEpilogues(const LoopProgram& program, Analysis& analysis, bool taken,
                        const std::vector<WishedPair>& wished) {
    Epilogues result{std::vector<BufferId>(program.buffers.size()),
                     std::vector<std::vector<Epilogue>>(program.buffers.size())};
    for (const Buffer& product : program.buffers) {
        if (product.kind != BufferKind::Library || analysis[product.id].kind != LoopKind::None)
            continue;
        const std::vector<Epilogue::Kind>& kinds = kernel::info(product.call->op).epilogues;
        BufferId value = product.id;
        std::vector<BufferId> computed{value}; ///< by the call
        while (!analysis[value].mustStore && analysis[value].consumers.size() == 1) {
            const Buffer& follower = program.buffer(analysis[value].consumers.front());
            const BufferInfo& info = analysis[follower.id];
            const bool elementwise =
                follower.kind == BufferKind::Pointwise && isDenseRowMajor(follower) &&
                info.body == follower.body &&
                std::all_of(info.loads.begin(), info.loads.end(), [&](const Access& access) {
                    return access.buffer != value || access.relation == Relation::Same;
                });
            if (!elementwise || info.numel == 0) break;
            const Wanted wanted = wantedOf(wished, computed, follower.id);
            if (wanted.apart || !(taken || wanted.together)) break;
            auto epilogue = Matcher(program, analysis, product, follower).match(value);
            if (!epilogue || std::find(kinds.begin(), kinds.end(), epilogue->kind) == kinds.end())
                break;
            if (epilogue->tensor) analysis[epilogue->tensor->buffer].mustStore = true;
            result.chains[product.id.index].push_back(std::move(*epilogue));
            result.owner[follower.id.index] = product.id;
            value = follower.id;
            computed.push_back(value);
        }
    }
    return result;
}

} // namespace cutaway::fusion
