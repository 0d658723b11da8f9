// SPDX-License-Identifier: Apache-2.0
// Squares of elements: what lies along one loop is read into shared memory, or written from it, by
// threads that lie along that loop; everything else is done by threads that lie along the other.
#include "core/codegen/cuda/cuda_emitter.h"

#include <fmt/format.h>

namespace cutaway::codegen {

using namespace kernel;

void CudaEmitter::declareTiles() {
    auto declare = [&](uint32_t local, ir::DType dtype, const std::string& of) {
        const std::string& name = cacheNames_[local] = names_.fresh(of + "_tile");
        out_.line(fmt::format("__shared__ {} {}[{} * {}];", cudaType(dtype), name, plan_.tx,
                              plan_.tx + 1));
    };
    for (const auto& [local, load] : loadOf_)
        declare(local, inMemory(pool_[load]), program_.loops.buffer(pool_[load].buffer).name);
    for (uint32_t local : keptLocals_)
        declare(local, tree_.locals[local].dtype, localNames_[local]);
}

void CudaEmitter::emitTiles() {
    out_.line(fmt::format("const int x = threadIdx.x % {};", plan_.tx));
    out_.line(fmt::format("const int y = threadIdx.x / {};", plan_.tx));
    out_.line("const int tile = blockIdx.x;");
    // The tree's last loop walks the rows of the tile, its body's last one along them.
    const Step& last = step(rowSteps_.back());
    const AxisId one = last.axis, other = step(last.body.back()).axis;
    const bool innerFirst = isInner(last);
    const AxisId inner = innerFirst ? one : other, turned = innerFirst ? other : one;
    const ir::Sym tile(ir::Var{'b', 0}), size(plan_.tx);
    const ir::Sym rest = ir::floorDiv(tile, loops_.splits);
    auto at = [&](const ir::Sym& place) {
        return cudaIndex(place, [&](ir::Var v) {
            return v.kind == 'b' ? std::string("tile") : variableText(v);
        });
    };
    auto first = [&](AxisId axis, const ir::Sym& place) {
        const std::string& name = tileFirsts_[axis.index] =
            names_.fresh(tree_.axis(axis).variable.str() + "_first");
        out_.line(fmt::format("const {} {} = {};", integer_, name, at(place * size)));
    };
    first(turned, ir::mod(tile, loops_.splits));
    first(inner, ir::mod(rest, loops_.tiles));
    if (!rows_.empty()) {
        out_.line(
            fmt::format("const {} row = {};", integer_, at(ir::floorDiv(rest, loops_.tiles))));
        emitRowVariables();
    }
    declareTiles();
    for (size_t k = 0; k < rowSteps_.size(); ++k) {
        if (k > 0) out_.line("__syncthreads();");
        emitTile(step(rowSteps_[k]));
    }
}

/// \param across a loop over the rows of the tile; the last step of it is the loop along them.
void CudaEmitter::emitTile(const Step& across) {
    const Step& along = step(across.body.back());
    const Axis &row = tree_.axis(across.axis), &column = tree_.axis(along.axis);
    const std::string rowName = variableText(row.variable),
                      columnName = variableText(column.variable);
    tileSlot_ = isInner(along) ? fmt::format("[k * {} + x]", plan_.tx + 1)
                               : fmt::format("[x * {} + k]", plan_.tx + 1);
    out_.open("");
    out_.line(fmt::format("const {} {} = {} + x;", integer_, columnName,
                          tileFirsts_.at(along.axis.index)));
    out_.line("#pragma unroll");
    out_.open(fmt::format("for (int u = 0; u < {}; ++u)", plan_.tx / plan_.ty));
    out_.line(fmt::format("const int k = y + u * {};", plan_.ty));
    out_.line(
        fmt::format("const {} {} = {} + k;", integer_, rowName, tileFirsts_.at(across.axis.index)));
    std::string inside;
    for (const auto& [axis, name] : {std::pair(&row, &rowName), std::pair(&column, &columnName)})
        if (!ir::mod(axis->extent, ir::Sym(plan_.tx)).is(0))
            inside += fmt::format("{}{} < {}", inside.empty() ? "" : " && ", *name,
                                  sizeText(axis->extent));
    if (!inside.empty()) out_.open(fmt::format("if ({})", inside));
    const size_t scope = mark();
    Statements once, elements;
    for (StepId id : across.body)
        if (step(id).kind != Step::Kind::Loop) once.push_back(&step(id));
    for (StepId id : along.body)
        elements.push_back(&step(id));
    rowOwner_ = columnName + " == 0";
    emitScalars(once);
    emitElements(elements, "");
    forget(scope);
    for (const Step* s : once)
        if (s->kind == Step::Kind::Let) localText_.erase(s->locals[0].index);
    out_.setOrigin(BufferId());
    if (!inside.empty()) out_.close();
    out_.close();
    out_.close();
}

} // namespace cutaway::codegen
