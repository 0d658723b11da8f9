// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cuda/cuda_emitter.h"

#include "core/codegen/source.h"
#include "core/kernel/scalar_eval.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::resources {
extern const std::string_view kCudaPrelude;
}

namespace cutaway::codegen {

using namespace kernel;
using Kind = Statement::Kind;

namespace {

/// The prelude with the special functions that the nest's values call.
std::string preludeFor(const ExprPool& pool, const LoopNest& nest) {
    std::string calls;
    for (const auto* phases : {&nest.phases, &nest.finish})
        for (const Phase& phase : *phases)
            for (const Statement& s : phase.statements)
                pool.visit(s.value, [&](ExprId, const Expr& e) {
                    if (e.kind == ExprKind::Op && isSpecial(e.op))
                        calls += fmt::format("special::{}\n", info(e.op).text);
                });
    return std::string(cudaPrelude()) + specialFunctions(calls);
}

} // namespace

CudaEmitter::CudaEmitter(const KernelProgram& program, const Kernel& kernel,
                         const schedule::Candidate& how)
    : program_(program), kernel_(kernel), nest_(*kernel.loops), facts_(program, kernel),
      plan_(schedule::cudaPlan(facts_, how)), out_(preludeFor(facts_.pool, nest_)),
      integer_(plan_.longIndex ? "long long" : "int") {
    for (size_t d = 0; d < nest_.outer.size(); ++d)
        names_.fresh(nest_.outer[d].variable.str());
    for (const Local& local : nest_.locals)
        localNames_.push_back(names_.fresh(local.name));
    for (const auto* phases : {&nest_.phases, &nest_.finish})
        for (const Phase& phase : *phases)
            for (const Statement& s : phase.statements)
                if (s.kind != Kind::Let && s.kind != Kind::Store)
                    sums_[s.local.index] = names_.fresh(localNames_[s.local.index] + "_acc");
}

KernelSource CudaEmitter::emit() {
    source_.entry = kernel_.name;
    source_.preludeLines = static_cast<int>(std::count(out_.text.begin(), out_.text.end(), '\n'));
    out_.line("");
    emitSignature();
    declareTotals();
    if (plan_.style == CudaPlan::Style::Linear)
        emitLinear();
    else
        emitRows();
    emitFinish();
    out_.setOrigin(BufferId());
    out_.close();
    source_.text = std::move(out_.text);
    source_.lines = std::move(out_.origins);
    source_.scratchBytes = ir::Sym(scratchBytes_);
    source_.launch = {plan_.blocks, plan_.threads, plan_.sharedBytes};
    return std::move(source_);
}

void CudaEmitter::emitSignature() {
    std::vector<std::string> parameters;
    auto add = [&](BufferId id, bool read) {
        const Buffer& buffer = program_.loops.buffer(id);
        const std::string pointer = names_.fresh((read ? "in_" : "out_") + buffer.name);
        pointers_[id.index] = pointer;
        parameters.push_back(fmt::format("{}{}* __restrict__ {}", read ? "const " : "",
                                         cudaType(buffer.dtype), pointer));
    };
    for (BufferId id : kernel_.reads)
        add(id, true);
    for (BufferId id : kernel_.writes)
        add(id, false);
    source_.checks = makesChecks(program_, kernel_);
    if (source_.checks) parameters.push_back("long long* faults");
    parameters.push_back("void* __restrict__ scratch");
    out_.setOrigin(kernel_.members);
    out_.line("extern \"C\" __global__ void __launch_bounds__(" + std::to_string(plan_.threads) +
              ")");
    const std::string head = kernel_.name + "(";
    const std::string gap(head.size(), ' ');
    for (size_t p = 0; p < parameters.size(); ++p) {
        const bool last = p + 1 == parameters.size();
        const std::string line = (p ? gap : head) + parameters[p] + (last ? ")" : ",");
        if (last)
            out_.open(line);
        else
            out_.line(line);
    }
    out_.setOrigin(BufferId());
}

void CudaEmitter::emitOuterVariables() {
    const size_t count = nest_.outer.size();
    std::string rest = "row";
    for (size_t d = count; d-- > 0;) {
        const int64_t size = std::max<int64_t>(nest_.outer[d].size.constant(), 1);
        const std::string name = nest_.outer[d].variable.str();
        const bool first = d == 0;
        out_.line(fmt::format("const {} {} = {};", integer_, name,
                              first ? rest : fmt::format("{} % {}", rest, size)));
        if (!first) rest += fmt::format(" / {}", size);
    }
}

// Locals of other passes that are not kept are computed again just before their first use.
void CudaEmitter::addRecomputed(ExprId value, std::vector<uint32_t>& have, Statements& out) {
    std::vector<LocalId> locals;
    std::vector<ExprId> loads;
    facts_.needs(value, locals, loads);
    for (LocalId local : locals) {
        const Statement* let = facts_.definition(local);
        if (!let || isCached(local)) continue;
        if (std::find(have.begin(), have.end(), local.index) != have.end()) continue;
        addRecomputed(let->value, have, out);
        have.push_back(local.index);
        out.push_back(let);
    }
}

CudaEmitter::Statements CudaEmitter::withRecomputed(const std::vector<Statement>& statements) {
    Statements out;
    std::vector<uint32_t> have;
    for (const Statement& s : statements) {
        addRecomputed(s.value, have, out);
        if (s.kind == Kind::Let) have.push_back(s.local.index);
        out.push_back(&s);
    }
    return out;
}

void CudaEmitter::emitRowPhase(const Phase& phase) {
    if (!phase.inner) {
        Statements statements;
        for (const Statement& s : phase.statements)
            statements.push_back(&s);
        countUses(statements);
        const size_t scope = mark();
        for (const Statement* s : statements) {
            const bool single = s->kind != Kind::Let && !rowOwner_.empty();
            const size_t guard = mark();
            out_.setOrigin(s->from);
            if (single) out_.open(fmt::format("if ({})", rowOwner_));
            emitStatement(*s);
            if (single) {
                forget(guard);
                out_.close();
            }
        }
        forget(scope);
        return;
    }
    for (const Statement& s : phase.statements) {
        if (s.kind != Kind::ReduceRow) continue;
        out_.setOrigin(s.from);
        const bool arg = s.reduce == ReduceOp::ArgMax || s.reduce == ReduceOp::ArgMin;
        const auto type = cudaType(facts_.pool[s.value].dtype);
        out_.line(fmt::format("{} {} = {};",
                              arg ? fmt::format("op::Arg<{}>", type) : std::string(type),
                              accumulatorOf(s), identity(s)));
    }
    emitElements(withRecomputed(phase.statements),
                 plan_.chunks > 1 ? fmt::format("for (int c = 0; c < {}; ++c)", plan_.chunks) : "");
    emitRowTotals(phase);
}

void CudaEmitter::emitLinear() {
    const int64_t perRow = facts_.inner / plan_.vector;
    const int64_t chunks = facts_.rows * perRow;
    const int64_t step = plan_.blocks * plan_.threads;
    const bool unrolled = plan_.chunksPerThread > 1;
    const std::string here = fmt::format("threadIdx.x + {}blockIdx.x * {}",
                                         plan_.longIndex ? "(long long)" : "", plan_.threads);
    if (plan_.persistent) {
        out_.line("#pragma unroll 4");
        out_.open(fmt::format("for ({} chunk = {}; chunk < {}; chunk += {})", integer_, here,
                              chunks, step));
    } else if (unrolled) {
        out_.line("#pragma unroll");
        out_.open(fmt::format("for (int u = 0; u < {}; ++u)", plan_.chunksPerThread));
        out_.line(fmt::format("const {} chunk = threadIdx.x + ({}blockIdx.x * {} + u) * {};",
                              integer_, plan_.longIndex ? "(long long)" : "", plan_.chunksPerThread,
                              plan_.threads));
    } else {
        out_.line(fmt::format("const {} chunk = {};", integer_, here));
    }
    const bool guarded = !plan_.persistent && step * plan_.chunksPerThread != chunks;
    if (guarded) out_.open(fmt::format("if (chunk < {})", chunks));
    const std::string first = plan_.vector > 1 ? "i0" : "i";
    const std::string times = plan_.vector > 1 ? fmt::format(" * {}", plan_.vector) : "";
    if (nest_.outer.empty()) {
        out_.line(fmt::format("const {} {} = chunk{};", integer_, first, times));
    } else if (!nest_.inner || perRow <= 1) {
        out_.line(fmt::format("const {} row = chunk;", integer_));
        if (nest_.inner) out_.line(fmt::format("const {} {} = 0;", integer_, first));
    } else {
        out_.line(fmt::format("const {} row = chunk / {};", integer_, perRow));
        out_.line(fmt::format("const {} {} = chunk % {}{};", integer_, first, perRow, times));
    }
    emitOuterVariables();
    // Nothing is shared along a row, so what is computed once per row comes first.
    rowOwner_ = nest_.inner ? first + " == 0" : "";
    for (const Phase& phase : nest_.phases)
        if (!phase.inner) emitRowPhase(phase);
    Statements all;
    for (const Phase& phase : nest_.phases)
        for (const Statement& s : phase.statements)
            if (phase.inner) all.push_back(&s);
    if (!all.empty()) emitElements(all, "");
    out_.setOrigin(BufferId());
    if (guarded) out_.close();
    if (plan_.persistent || unrolled) out_.close();
}

void CudaEmitter::declareCaches() {
    int64_t offset = 0;
    auto declare = [&](ir::DType dtype, const std::string& name) {
        const std::string type = fmt::format("op::Vec<{}, {}>", cudaType(dtype), plan_.vector);
        if (plan_.cache == CudaPlan::Cache::Shared) {
            out_.line(fmt::format("{}* const {} = reinterpret_cast<{}*>(row_cache + {});", type,
                                  name, type, offset));
            offset += plan_.chunks * plan_.tx * plan_.vector * int64_t(sizeBytes(dtype));
        } else {
            out_.line(fmt::format("{} {}[{}];", type, name, plan_.chunks));
        }
    };
    const std::string suffix = plan_.cache == CudaPlan::Cache::Shared ? "_s" : "_r";
    cacheFilled_.clear();
    for (ExprId id : plan_.cachedLoads) {
        const Expr& load = facts_.pool[id];
        cacheNames_[id.index] = names_.fresh(facts_.program.buffer(load.buffer).name + suffix);
        declare(load.dtype, cacheNames_[id.index]);
    }
    for (LocalId id : plan_.cachedLocals) {
        cacheLocalNames_[id.index] = names_.fresh(localNames_[id.index] + suffix);
        declare(nest_.locals[id.index].dtype, cacheLocalNames_[id.index]);
    }
}

std::string CudaEmitter::nextRowLoad(const Expr& load) const {
    const ir::Sym offset = facts_.offset(load.buffer, load.coords);
    const std::string next = index(offset.substitute([&](ir::Var v) -> std::optional<ir::Sym> {
        if (v == nest_.outer[0].variable) return ir::Sym(ir::Var{'n', 0});
        return std::nullopt;
    }));
    return fmt::format("op::load<{}>({} + {})", plan_.vector, pointers_.at(load.buffer.index),
                       next);
}

// The kept loads of a block's first row; every row then asks for the next one's.
void CudaEmitter::emitFirstPrefetch() {
    std::vector<ExprId> loads;
    for (ExprId id : plan_.cachedLoads) {
        const Expr& load = facts_.pool[id];
        bool direct = true;
        for (const Coord& coord : load.coords)
            direct &= !coord.indirect.valid();
        const ir::Sym offset = facts_.offset(load.buffer, load.coords);
        if (direct && facts_.sideBySide(offset, plan_.vector) && plan_.vector > 1)
            loads.push_back(id);
    }
    if (loads.empty()) return;
    for (ExprId id : loads) {
        const Expr& load = facts_.pool[id];
        nextNames_[id.index] = names_.fresh(facts_.program.buffer(load.buffer).name + "_next");
        out_.line(fmt::format("op::Vec<{}, {}> {}[{}];", cudaType(load.dtype), plan_.vector,
                              nextNames_[id.index], plan_.chunks));
    }
    out_.open("");
    out_.line(plan_.ty > 1 ? fmt::format("const int n0 = min(split * {} + y, {});", plan_.ty,
                                         facts_.rows - 1)
                           : std::string("const int n0 = split;"));
    if (plan_.chunks > 1) {
        out_.line("#pragma unroll");
        out_.open(fmt::format("for (int c = 0; c < {}; ++c)", plan_.chunks));
        declareInner();
    }
    innerText_ = "i0";
    for (ExprId id : loads)
        out_.line(fmt::format("{}[{}] = {};", nextNames_[id.index], plan_.chunks > 1 ? "c" : "0",
                              nextRowLoad(facts_.pool[id])));
    innerText_ = "i";
    if (plan_.chunks > 1) out_.close();
    out_.close();
}

void CudaEmitter::openRowLoop() {
    const int64_t step = plan_.splits * plan_.ty;
    const std::string here = plan_.ty > 1 ? fmt::format("split * {} + y", plan_.ty) : "split";
    if (plan_.persistent) {
        const bool light = plan_.chunks == 1 && !facts_.reducesRows;
        if (light) out_.line("#pragma unroll 4");
        out_.open(fmt::format("for ({} row = {}; row < {}; row += {})", integer_, here, facts_.rows,
                              step));
        return;
    }
    out_.line(fmt::format("const {} row = {};", integer_, here));
    if (facts_.rows % plan_.ty != 0) out_.line(fmt::format("if (row >= {}) return;", facts_.rows));
}

void CudaEmitter::emitRows() {
    const bool shared = plan_.cache == CudaPlan::Cache::Shared;
    out_.line(plan_.ty > 1 ? fmt::format("const int x = threadIdx.x % {};", plan_.tx)
                           : "const int x = threadIdx.x;");
    if (plan_.ty > 1) out_.line(fmt::format("const int y = threadIdx.x / {};", plan_.tx));
    if (columnsInTiles()) {
        out_.line(fmt::format("const int tile = blockIdx.x % {};", plan_.tiles));
        out_.line(fmt::format("const int split = blockIdx.x / {};", plan_.tiles));
    } else {
        out_.line("const int split = blockIdx.x;");
    }
    if (shared) {
        out_.line("extern __shared__ __align__(16) unsigned char row_cache[];");
        declareCaches();
    }
    if (plan_.chunks == 1) declareInner();
    if (plan_.prefetch) emitFirstPrefetch();
    openRowLoop();
    if (!nextNames_.empty())
        out_.line(fmt::format("const {0} n0 = min(row + {1}, {2});", integer_,
                              plan_.splits * plan_.ty, facts_.rows - 1));
    emitOuterVariables();
    if (!shared) declareCaches();
    rowOwner_ = columnsInTiles() ? "x == 0 && tile == 0" : "x == 0";
    for (const Phase& phase : nest_.phases)
        emitRowPhase(phase);
    out_.setOrigin(BufferId());
    if (!plan_.persistent) return;
    // One barrier a row does not keep the next row's partial results from overtaking.
    if (blockReductions_ == 1) out_.line("__syncthreads();");
    out_.close();
}

KernelSource emitCuda(const KernelProgram& program, const Kernel& kernel,
                      const schedule::Candidate& how) {
    return CudaEmitter(program, kernel, how).emit();
}

std::string_view cudaPrelude() {
    return resources::kCudaPrelude;
}

} // namespace cutaway::codegen
