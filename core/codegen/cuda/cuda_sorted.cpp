// SPDX-License-Identifier: Apache-2.0
// Sums at computed places by sorting. A block lists the iterations whose updates are of its places,
// from as many as fit its list, however they fall; sorts the list by place and number; and adds the
// updates of each place in that order. What is listed together follows from the places alone.
#include "core/codegen/cuda/cuda_emitter.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::codegen {

using namespace kernel;

constexpr int kList =
    2048; ///< iterations that are sorted at once; 8 + 8 bytes of shared memory each

void CudaEmitter::emitSorted() {
    Statements statements;
    for (StepId id : rowSteps_)
        statements.push_back(&step(id));
    const auto at = std::ranges::find(statements, Step::Kind::Store, &Step::kind);
    const Step& store = **at;
    statements.erase(at);
    ir::Sym count(1);
    for (const Axis& axis : sorted_)
        count = count * axis.extent;
    const std::string type(cudaType(ir::computeType(program_.loops.buffer(store.target).dtype)));
    out_.line(fmt::format("__shared__ unsigned long long list[{}];", kList));
    if (!plan_.apart) out_.line(fmt::format("__shared__ {} values[{}];", type, kList));
    out_.line("__shared__ int listed;");
    out_.line(fmt::format("const int rows = {};", sizeText(count)));
    out_.line("if (threadIdx.x == 0) listed = 0;");
    out_.line("__syncthreads();");
    // A quarter of a list when places are spread evenly; less where more of them are of this block.
    out_.line(fmt::format("int next = {};", int64_t{kList} / 4 * plan_.owners));
    out_.line("int known = 0;");
    out_.open("for (int first = 0; first < rows;)");
    out_.line("const int end = rows - first < next ? rows : first + next;");
    emitCollect(statements, store);
    out_.line("__syncthreads();");
    out_.line("const int found = listed;");
    out_.line("__syncthreads();");
    out_.line(fmt::format("const bool fits = found <= {};", kList));
    out_.open("if (fits)");
    out_.line("known = found;");
    out_.line("first = end;");
    out_.line(fmt::format("if (rows > first && {} >= known) continue;", kList / 2));
    out_.close();
    // Nothing was known and too many were found: look at fewer. A list's length of them always fits.
    out_.open("else if (known == 0)");
    out_.line(fmt::format("next = next / 4 < {0} ? {0} : next / 4;", kList));
    out_.close();
    out_.line("op::sortList(list, known);");
    emitAdd(statements, store, inner_);
    out_.line("__syncthreads();");
    out_.line("known = 0;");
    out_.line("if (threadIdx.x == 0) listed = 0;");
    out_.line("__syncthreads();");
    out_.setOrigin(BufferId());
    out_.close();
}

/// The variables of the iteration with number \p row.
void CudaEmitter::openSorted(const std::string& row) {
    std::string rest = row;
    for (size_t d = sorted_.size(); d-- > 0;) {
        const std::string size = sizeText(sorted_[d].extent);
        out_.line(fmt::format("const int {} = {};", variableText(sorted_[d].variable),
                              d == 0 ? rest : fmt::format("{} % {}", rest, size)));
        rest += fmt::format(" / {}", size);
    }
}

/// Of a row with one place that; else the element of the target.
std::string CudaEmitter::placeText(const Step& store) {
    if (!plan_.apart) return offsetText(store.target, store.coords);
    const auto owned = static_cast<size_t>(store.owned);
    return fmt::format("op::within({}, {})", text(store.coords[owned].indirect),
                       index(program_.loops.buffer(store.target).sizes[owned]));
}

std::string CudaEmitter::targetText(const Step& store, const std::string& place) {
    const std::string& pointer = pointers_.at(store.target.index);
    if (!plan_.apart) return fmt::format("{}[{}]", pointer, place);
    const auto owned = static_cast<size_t>(store.owned);
    std::vector<Coord> others = store.coords;
    others[owned] = Coord{ir::Sym(0), {}};
    return fmt::format("{}[{} * {} + {}]", pointer, place,
                       sizeText(program_.loops.buffer(store.target).strides[owned]),
                       index(offset(store.target, others)));
}

void CudaEmitter::emitCollect(const Statements& statements, const Step& store) {
    std::set<LocalId> needed;
    auto look = [&](ExprId value) {
        pool_.visit(value, [&](ExprId, const Expr& e) {
            if (e.kind == ExprKind::Local) needed.insert(e.local);
        });
    };
    for (const Coord& coord : store.coords)
        if (coord.indirect.valid()) look(coord.indirect);
    std::set<const Step*> wanted;
    for (auto s = statements.rbegin(); s != statements.rend(); ++s)
        if (needed.contains((*s)->locals[0])) {
            wanted.insert(*s);
            look((*s)->value);
        }
    out_.open(
        fmt::format("for (int row = first + threadIdx.x; row < end; row += {})", plan_.threads));
    openSorted("row");
    countUses(statements);
    const size_t scope = mark();
    for (const Step* s : statements)
        if (wanted.contains(s)) emitStatement(*s);
    out_.setOrigin(store.from);
    out_.line(fmt::format("const unsigned place = {};", placeText(store)));
    out_.line(fmt::format("if (place % {} != blockIdx.x) continue;", plan_.owners));
    out_.line("const int at = atomicAdd(&listed, 1);");
    out_.line(fmt::format("if (at >= {}) continue;", kList));
    out_.line("list[at] = (unsigned long long)place << 32 | (unsigned)row;");
    forget(scope);
    out_.close();
}

void CudaEmitter::emitAdd(const Statements& statements, const Step& store, const ir::Sym& columns) {
    const ir::DType dtype = program_.loops.buffer(store.target).dtype;
    const std::string type(cudaType(ir::computeType(dtype)));
    const auto values = [&](const std::string& at) {
        out_.line(fmt::format("const int row = (int)(unsigned)list[{}];", at));
        openSorted("row");
        countUses(statements);
        for (const Step* s : statements)
            emitStatement(*s);
        out_.setOrigin(store.from);
    };
    const size_t scope = mark();
    std::string each = "threadIdx.x", groups = std::to_string(plan_.threads);
    if (plan_.apart) {
        // Threads that a row leaves over take other places.
        out_.line(fmt::format("const int wide = {0} < {1} ? {0} : {1};", sizeText(columns),
                              plan_.threads));
        out_.line(fmt::format("const int groups = {} / wide;", plan_.threads));
        out_.line("const int group = threadIdx.x / wide;");
        each = "group", groups = "groups";
        out_.open(
            fmt::format("for (int i = threadIdx.x % wide; i < {} && group < groups; i += wide)",
                        sizeText(columns)));
    } else {
        out_.open(fmt::format("for (int at = threadIdx.x; at < known; at += {})", plan_.threads));
        values("at");
        out_.line(fmt::format("values[at] = ({})({});", type, text(store.value)));
        forget(scope);
        out_.close();
        out_.line("__syncthreads();");
    }
    // Each group begins with the first place that begins in its share of the list.
    out_.line(fmt::format("int at = (int)((long long)known * {} / {});", each, groups));
    out_.line(
        fmt::format("const int highest = (int)((long long)known * ({} + 1) / {});", each, groups));
    out_.line("while (at < highest && at > 0 && list[at] >> 32 == list[at - 1] >> 32) ++at;");
    out_.open("while (at < highest)");
    out_.line("const unsigned place = list[at] >> 32;");
    const std::string target = targetText(store, "place");
    out_.line(fmt::format("{} sum = {};", type, inCompute(dtype, target)));
    out_.open("for (; at < known && list[at] >> 32 == place; ++at)");
    if (plan_.apart) {
        values("at");
        out_.line(fmt::format(
            "sum = {};", combine(store, "sum", fmt::format("({})({})", type, text(store.value)))));
        forget(scope);
    } else {
        out_.line(fmt::format("sum = {};", combine(store, "sum", "values[at]")));
    }
    out_.close();
    out_.line(fmt::format("{} = sum;", target));
    out_.close();
    if (plan_.apart) out_.close();
}

} // namespace cutaway::codegen
