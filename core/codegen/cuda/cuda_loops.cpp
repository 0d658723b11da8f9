// SPDX-License-Identifier: Apache-2.0
// What the tree says: which loops are rows, what runs after all of them, what differs along a row,
// what waits from one loop to the next.
#include "core/codegen/cuda/cuda_emitter.h"

#include "core/kernel/address.h"

#include <fmt/format.h>

#include <stdexcept>

namespace cutaway::codegen {

using namespace kernel;

bool CudaEmitter::isInner(const Step& loop) const {
    return tree_.axis(loop.axis).variable == innerVar();
}

/// Starts, then the loops over rows (and statements of the only row), then what comes after.
void CudaEmitter::findParts() {
    if (plan_.style == CudaPlan::Style::Sorted) {
        rowSteps_ = tree_.root;
        while (step(rowSteps_[0]).kind == Step::Kind::Loop) {
            const Step& loop = step(rowSteps_[0]);
            if (plan_.apart && isInner(loop))
                inner_ = tree_.axis(loop.axis).extent;
            else
                sorted_.push_back(tree_.axis(loop.axis));
            rowSteps_ = loop.body;
        }
        return;
    }
    if (plan_.style == CudaPlan::Style::Serial || plan_.style == CudaPlan::Style::Tiles) {
        rowSteps_ = tree_.root;
        // Owners run all iterations of the loops along which updates may meet.
        while (rowSteps_.size() == 1) {
            const Step& s = step(rowSteps_[0]);
            if (s.kind != Step::Kind::Loop || !has(s.places, Place::Grid)) break;
            if (plan_.owners > 0 && s.axisKind != AxisKind::Space) break;
            rows_.push_back(s.axis);
            rowCount_ = rowCount_ * tree_.axis(s.axis).extent;
            rowSteps_ = s.body;
        }
        return;
    }
    size_t k = 0;
    for (; k < tree_.root.size() && step(tree_.root[k]).kind == Step::Kind::Start; ++k)
        for (LocalId local : step(tree_.root[k]).locals)
            across_.insert(local.index);
    for (; k < tree_.root.size(); ++k) {
        const Step& s = step(tree_.root[k]);
        rowSteps_.push_back(tree_.root[k]);
        if (s.kind == Step::Kind::Loop && has(s.places, Place::Grid)) {
            ++k;
            break;
        }
    }
    after_.assign(tree_.root.begin() + static_cast<std::ptrdiff_t>(k), tree_.root.end());
    while (rowSteps_.size() == 1) {
        const Step& s = step(rowSteps_[0]);
        if (s.kind != Step::Kind::Loop || !has(s.places, Place::Grid) || isInner(s)) break;
        rows_.push_back(s.axis);
        rowCount_ = rowCount_ * tree_.axis(s.axis).extent;
        rowSteps_ = s.body;
    }
    for (const Axis& axis : tree_.axes)
        if (axis.variable == innerVar()) {
            hasInner_ = true;
            inner_ = axis.extent;
        }
    visitSteps(tree_, rowSteps_, [&](const Step& s, const std::vector<StepId>& open) {
        if (s.kind == Step::Kind::Loop && !isInner(s))
            throw std::logic_error("loops inside rows over " + tree_.axis(s.axis).variable.str());
        rowsReduce_ |= s.kind == Step::Kind::Update && !open.empty() && !isAcross(s);
    });
}

bool CudaEmitter::isAcross(const Step& update) const {
    return across_.contains(update.locals[0].index);
}

/// Locals of elements, and those that wait from one loop over the row to the next.
void CudaEmitter::findVarying() {
    visitSteps(tree_, tree_.root, [&](const Step& s, const std::vector<StepId>& open) {
        auto look = [&](ExprId value) {
            if (!value.valid()) return;
            pool_.visit(value, [&](ExprId, const Expr& e) {
                if (e.kind == ExprKind::Local) read_.insert(e.local.index);
            });
        };
        look(s.value);
        for (const Coord& coord : s.coords)
            look(coord.indirect);
        if (s.kind == Step::Kind::Loop || s.kind == Step::Kind::Store) return;
        const bool along = !open.empty() && isInner(step(open.back()));
        for (LocalId id : s.locals) {
            const bool many = !tree_.local(id).axes.empty();
            if (many || (defines(s.kind) && along)) varying_.insert(id.index);
            if (!many || s.kind != Step::Kind::Let) continue;
            if (pool_[s.value].kind == ExprKind::Load) {
                keptLoads_[s.value.index] = id;
                loadOf_[id.index] = s.value;
            } else {
                keptLocals_.insert(id.index);
            }
        }
    });
}

/// Element offset of an access; computed coordinates are left out.
ir::Sym CudaEmitter::offset(BufferId buffer, const std::vector<Coord>& coords) const {
    const ir::Shape& strides = program_.loops.buffer(buffer).strides;
    ir::Sym sum;
    for (size_t d = 0; d < coords.size(); ++d)
        if (!coords[d].indirect.valid()) sum = sum + coords[d].index * strides[d];
    return sum.simplify([&](ir::Var v) -> std::optional<ir::Sym> {
        for (const Axis& axis : tree_.axes)
            if (axis.variable == v) return axis.extent;
        return std::nullopt;
    });
}

bool CudaEmitter::sideBySide(const ir::Sym& offset, int width) const {
    return kernel::sideBySide(offset, innerVar(), width);
}

bool CudaEmitter::fillsRows() const {
    return loops_.tiles * loops_.chunks * ir::Sym(int64_t{plan_.tx} * plan_.vector) == inner_;
}

std::string CudaEmitter::chunkLoop() const {
    if (!manyChunks()) return {};
    if (plan_.parts > 1 && !inFinish_)
        return fmt::format("for (int c = part; c < {}; c += {})", sizeText(loops_.chunks),
                           plan_.parts);
    return fmt::format("for (int c = 0; c < {}; ++c)", sizeText(loops_.chunks));
}

std::string CudaEmitter::accumulatorType(ReduceOp op, ir::DType dtype) {
    const auto type = cudaType(dtype);
    if (op == ReduceOp::Welford) return fmt::format("op::Moments<{}>", type);
    return isArg(op) ? fmt::format("op::Arg<{}>", type) : std::string(type);
}

void CudaEmitter::nameEverything() {
    if (plan_.style == CudaPlan::Style::Sorted) // what cuda_sorted.cpp declares
        for (const char* name :
             {"list", "values", "listed", "rows", "next", "known", "first", "end", "found", "fits",
              "row", "place", "at", "wide", "groups", "group", "highest", "sum"})
            names_.fresh(name);
    std::set<uint32_t> silent; // kept loads and extremes have no name of their own
    for (const auto& [local, load] : loadOf_)
        silent.insert(local);
    for (const Step& s : tree_.steps)
        if (s.kind == Step::Kind::Start && s.locals.size() == 2) silent.insert(s.locals[0].index);
    for (const Axis& axis : tree_.axes)
        if (axis.variable != innerVar()) names_.fresh(axis.variable.str());
    for (uint32_t i = 0; i < tree_.locals.size(); ++i)
        localNames_.push_back(silent.contains(i) ? std::string()
                                                 : names_.fresh(tree_.locals[i].name));
    visitSteps(tree_, tree_.root, [&](const Step& s, const std::vector<StepId>&) {
        if (s.kind != Step::Kind::Update) return;
        const uint32_t local = s.locals.back().index;
        sums_[local] = names_.fresh(localNames_[local] + "_acc");
    });
}

} // namespace cutaway::codegen
