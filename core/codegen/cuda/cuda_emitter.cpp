// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cuda/cuda_emitter.h"

#include "core/codegen/cpp/prelude.h"
#include "core/codegen/source.h"
#include "core/kernel/scalar_eval.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::resources {
extern const std::string_view kCudaPrelude;
}

namespace cutaway::codegen {

using namespace kernel;

namespace {

/// Calls of functions of many instructions in the text: each element of a vector has its own.
bool callsMany(const LoopProgram& program, const LoopTree& tree) {
    constexpr int kDear = 10, kMany = 128;
    int64_t calls = 0;
    for (const Step& s : tree.steps)
        if (s.value.valid())
            program.pool.visit(s.value, [&](ExprId, const Expr& e) {
                calls += e.kind == ExprKind::Op && info(e.op).flops >= kDear;
            });
    return calls * std::max(tree.lanes, 1) > kMany;
}

/// The prelude with the special functions that the tree's values call and the dtypes of its memory.
std::string preludeFor(const LoopProgram& program, const Kernel& kernel, const LoopTree& tree) {
    const ExprPool& pool = program.pool;
    std::string calls;
    for (const auto* ids : {&kernel.reads, &kernel.writes})
        for (BufferId id : *ids)
            calls += fmt::format("{}\n", cudaType(program.buffer(id).dtype));
    for (const Step& s : tree.steps)
        if (s.value.valid())
            pool.visit(s.value, [&](ExprId, const Expr& e) {
                if (e.kind == ExprKind::Op && isSpecial(e.op))
                    calls += fmt::format("special::{}\n", info(e.op).text);
            });
    const std::string_view whole = cudaPrelude(), sections = cpp::withoutFirst(whole);
    return (callsMany(program, tree) ? "#define MANY_CALLS\n" : "") +
           std::string(whole.substr(0, whole.size() - sections.size())) +
           cpp::neededSections(sections, calls) + specialFunctions(calls);
}

bool mentions(const LoopProgram& program, const LoopTree& tree, ir::Var v) {
    bool found = false;
    auto look = [&](ExprId id) {
        program.pool.visit(id, [&](ExprId, const Expr& e) {
            found |= e.index.dependsOn(v);
            for (const Coord& coord : e.coords)
                found |= coord.index.dependsOn(v);
        });
    };
    for (const Step& s : tree.steps) {
        if (s.value.valid()) look(s.value);
        for (const Coord& coord : s.coords) {
            found |= coord.index.dependsOn(v);
            if (coord.indirect.valid()) look(coord.indirect);
        }
    }
    return found;
}

} // namespace

CudaEmitter::CudaEmitter(const KernelProgram& program, const Kernel& kernel,
                         const schedule::CudaLoops& loops)
    : program_(program), kernel_(kernel), loops_(loops), tree_(loops.tree), plan_(loops.plan),
      pool_(program.loops.pool), out_(preludeFor(program.loops, kernel, tree_)),
      integer_(plan_.longIndex ? "long long" : "int"), long_(callsMany(program.loops, tree_)),
      varies_(
          program.loops, innerVar(),
          [this](LocalId local) { return varying_.contains(local.index); }, true) {
    findParts();
    findVarying();
    nameEverything();
}

KernelSource CudaEmitter::emit() {
    source_.entry = kernel_.name;
    source_.preludeLines = static_cast<int>(std::count(out_.text.begin(), out_.text.end(), '\n'));
    out_.line("");
    emitSignature();
    declareTotals();
    if (plan_.style == CudaPlan::Style::Linear)
        emitLinear();
    else if (plan_.style == CudaPlan::Style::Tiles)
        emitTiles();
    else if (plan_.style == CudaPlan::Style::Serial)
        emitSerial();
    else if (plan_.style == CudaPlan::Style::Sorted)
        emitSorted();
    else
        emitRows();
    emitFinish();
    out_.setOrigin(BufferId());
    out_.close();
    source_.text = std::move(out_.text);
    source_.lines = std::move(out_.origins);
    source_.scratchBytes = scratchBytes_;
    source_.sizeArguments = tree_.sizeArguments;
    source_.launch = {loops_.blocks, plan_.threads, plan_.sharedBytes};
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
    for (ir::Var size : tree_.sizeArguments) {
        sizeNames_[size.index] = names_.fresh(size.str());
        parameters.push_back("long long " + sizeNames_[size.index]);
    }
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

void CudaEmitter::emitRowVariables() {
    std::string rest = "row";
    for (size_t d = rows_.size(); d-- > 0;) {
        const Axis& axis = tree_.axis(rows_[d]);
        const std::string name = variableText(axis.variable);
        if (rows_.size() == 1 && axis.extent.is(1) &&
            !mentions(program_.loops, tree_, axis.variable))
            return;
        const std::string size = axis.extent.is(0) ? "1" : sizeText(axis.extent);
        out_.line(fmt::format("const {} {} = {};", integer_, name,
                              d == 0 ? rest : fmt::format("{} % {}", rest, size)));
        if (d > 0) rest += fmt::format(" / {}", size);
    }
}

void CudaEmitter::emitScalars(const Statements& statements) {
    countUses(statements);
    const size_t scope = mark();
    const auto isLet = [](const Step* s) { return s->kind == Step::Kind::Let; };
    if (serialLoops_ > 0 && statements.back()->kind == Step::Kind::Store &&
        statements.back()->conflict == Conflict::Owner &&
        std::all_of(statements.begin(), statements.end() - 1, isLet)) {
        emitOwned(statements);
        return forget(scope);
    }
    for (const Step* s : statements) {
        const bool single = s->kind != Step::Kind::Let && !rowOwner_.empty();
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
}

void CudaEmitter::emitStart(const Step& start) {
    out_.setOrigin(start.from);
    // The first local has the dtype of the values; a position is the second.
    out_.line(fmt::format("{} {} = {};",
                          accumulatorType(start.reduce, tree_.local(start.locals[0]).dtype),
                          sums_.at(start.locals.back().index), identity(start)));
    // A thread's own loops have the value when they end; others are summed over threads first.
    if (plan_.style != CudaPlan::Style::Serial) return;
    const std::string& sum = sums_.at(start.locals.back().index);
    const bool two = givesTwo(start.reduce);
    for (size_t k = 0; k < start.locals.size(); ++k)
        localText_[start.locals[k].index] = two ? sum + member(start.reduce, k) : sum;
}

void CudaEmitter::emitSteps(const Steps& steps) {
    const bool serial = plan_.style == CudaPlan::Style::Serial;
    Statements scalars;
    auto flush = [&] {
        if (!scalars.empty()) emitScalars(scalars);
        scalars.clear();
    };
    for (StepId id : steps) {
        const Step& s = step(id);
        if (s.kind != Step::Kind::Start && s.kind != Step::Kind::Loop) {
            scalars.push_back(&s);
            continue;
        }
        flush();
        if (s.kind == Step::Kind::Start)
            emitStart(s);
        else if (serial)
            emitSerialLoop(s);
        else if (inFinish_)
            emitFinishLoop(s);
        else
            emitRowLoop(s);
    }
    flush();
}

void CudaEmitter::emitRowLoop(const Step& loop) {
    Statements statements;
    for (StepId id : loop.body)
        statements.push_back(&step(id));
    const bool linear = plan_.style == CudaPlan::Style::Linear;
    if (std::ranges::any_of(statements, [](const Step* s) { return s->kind == Step::Kind::Scan; }))
        return emitScanLoop(loop);
    emitElements(statements, linear ? "" : chunkLoop());
    emitRowTotals(loop);
}

void CudaEmitter::emitLinear() {
    // Where there are vectors they divide the rows.
    const ir::Sym perRow = ir::floorDiv(inner_, ir::Sym(plan_.vector));
    const ir::Sym chunks = rowCount_ * perRow;
    const ir::Sym step = loops_.blocks * ir::Sym(plan_.threads);
    const bool unrolled = plan_.chunksPerThread > 1;
    const std::string here = fmt::format("threadIdx.x + {}blockIdx.x * {}",
                                         plan_.longIndex ? "(long long)" : "", plan_.threads);
    if (plan_.persistent) {
        out_.line(long_ ? "#pragma unroll 1" : "#pragma unroll 4");
        out_.open(fmt::format("for ({} chunk = {}; chunk < {}; chunk += {})", integer_, here,
                              sizeText(chunks), sizeText(step)));
    } else if (unrolled) {
        out_.line("#pragma unroll");
        out_.open(fmt::format("for (int u = 0; u < {}; ++u)", plan_.chunksPerThread));
        out_.line(fmt::format("const {} chunk = threadIdx.x + ({}blockIdx.x * {} + u) * {};",
                              integer_, plan_.longIndex ? "(long long)" : "", plan_.chunksPerThread,
                              plan_.threads));
    } else {
        out_.line(fmt::format("const {} chunk = {};", integer_, here));
    }
    const bool guarded = !plan_.persistent && !(step * ir::Sym(plan_.chunksPerThread) == chunks);
    if (guarded) out_.open(fmt::format("if (chunk < {})", sizeText(chunks)));
    const std::string first = plan_.vector > 1 ? "i0" : "i";
    const std::string times = plan_.vector > 1 ? fmt::format(" * {}", plan_.vector) : "";
    if (rows_.empty()) {
        out_.line(fmt::format("const {} {} = chunk{};", integer_, first, times));
    } else if (!hasInner_ || perRow.is(0) || perRow.is(1)) {
        out_.line(fmt::format("const {} row = chunk;", integer_));
        if (hasInner_) out_.line(fmt::format("const {} {} = 0;", integer_, first));
    } else {
        out_.line(fmt::format("const {} row = chunk / {};", integer_, sizeText(perRow)));
        out_.line(
            fmt::format("const {} {} = chunk % {}{};", integer_, first, sizeText(perRow), times));
    }
    emitRowVariables();
    rowOwner_ = hasInner_ ? first + " == 0" : "";
    emitSteps(rowSteps_);
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
    auto kept = [&](uint32_t local, ir::DType dtype, const std::string& of) {
        cacheNames_[local] = names_.fresh(of + suffix);
        declare(dtype, cacheNames_[local]);
    };
    for (const auto& [local, load] : loadOf_)
        kept(local, inMemory(pool_[load]), program_.loops.buffer(pool_[load].buffer).name);
    for (uint32_t local : keptLocals_)
        kept(local, tree_.locals[local].dtype, localNames_[local]);
}

std::string CudaEmitter::nextRowLoad(const Expr& load) const {
    const ir::Var row = tree_.axis(rows_[0]).variable;
    const std::string next =
        index(offset(load.buffer, load.coords).substitute([&](ir::Var v) -> std::optional<ir::Sym> {
            if (v == row) return ir::Sym(ir::Var{'n', 0});
            return std::nullopt;
        }));
    return fmt::format("op::load<{}>({} + {})", plan_.vector, pointers_.at(load.buffer.index),
                       next);
}

// The kept loads of a block's first row; every row then asks for the next one's.
void CudaEmitter::emitFirstPrefetch() {
    std::vector<ExprId> loads;
    for (const auto& [local, id] : loadOf_) {
        const Expr& load = pool_[id];
        const bool direct = std::none_of(load.coords.begin(), load.coords.end(),
                                         [](const Coord& c) { return c.indirect.valid(); });
        if (direct && !load.isMasked() && plan_.vector > 1 &&
            sideBySide(offset(load.buffer, load.coords), plan_.vector))
            loads.push_back(id);
    }
    if (loads.empty()) return;
    for (ExprId id : loads) {
        const Expr& load = pool_[id];
        nextNames_[id.index] = names_.fresh(program_.loops.buffer(load.buffer).name + "_next");
        out_.line(fmt::format("op::Vec<{}, {}> {}[{}];", cudaType(inMemory(load)), plan_.vector,
                              nextNames_[id.index], plan_.chunks));
    }
    out_.open("");
    out_.line(plan_.ty > 1 ? fmt::format("const int n0 = min(split * {} + y, {});", plan_.ty,
                                         sizeText(rowCount_ - ir::Sym(1)))
                           : std::string("const int n0 = split;"));
    if (manyChunks()) {
        out_.line("#pragma unroll");
        out_.open(chunkLoop());
        declareInner();
    }
    innerText_ = "i0";
    for (ExprId id : loads)
        out_.line(fmt::format("{}[{}] = {};", nextNames_[id.index], manyChunks() ? "c" : "0",
                              nextRowLoad(pool_[id])));
    innerText_ = "i";
    if (manyChunks()) out_.close();
    out_.close();
}

void CudaEmitter::openRowLoop() {
    const std::string here = plan_.ty > 1 ? fmt::format("split * {} + y", plan_.ty) : "split";
    if (plan_.persistent) {
        const bool light = !manyChunks() && !rowsReduce_ && !long_;
        if (light) out_.line("#pragma unroll 4");
        out_.open(fmt::format("for ({} row = {}; row < {}; row += {})", integer_, here,
                              sizeText(rowCount_), sizeText(loops_.splits * ir::Sym(plan_.ty))));
        return;
    }
    if (plan_.beside && plan_.tx > 1) {
        // All of a block meet in its barriers: those without a row do the last one again.
        out_.line(fmt::format("const {0} row = min(({0})({1}), ({0}){2});", integer_, here,
                              sizeText(rowCount_ - ir::Sym(1))));
        return;
    }
    out_.line(fmt::format("const {} row = {};", integer_, here));
    if (!ir::mod(rowCount_, ir::Sym(plan_.ty)).is(0))
        out_.line(fmt::format("if (row >= {}) return;", sizeText(rowCount_)));
}

void CudaEmitter::emitRows() {
    const bool shared = plan_.cache == CudaPlan::Cache::Shared;
    const int along = plan_.beside ? plan_.ty : plan_.tx; // neighbouring threads
    out_.line(plan_.ty > 1
                  ? fmt::format("const int x = threadIdx.x {} {};", plan_.beside ? "/" : "%", along)
                  : "const int x = threadIdx.x;");
    if (plan_.ty > 1)
        out_.line(fmt::format("const int y = threadIdx.x {} {};", plan_.beside ? "%" : "/", along));
    if (columnsInTiles()) {
        const std::string tiles = sizeText(loops_.tiles);
        out_.line(fmt::format("const int tile = blockIdx.x % {};", tiles));
        out_.line(fmt::format("const int split = blockIdx.x / {};", tiles));
    } else {
        const bool parts = plan_.parts > 1;
        if (parts) out_.line(fmt::format("const int part = blockIdx.x % {};", plan_.parts));
        out_.line(fmt::format("const int split = blockIdx.x{};",
                              parts ? fmt::format(" / {}", plan_.parts) : std::string()));
    }
    if (shared) {
        out_.line("extern __shared__ __align__(16) unsigned char row_cache[];");
        declareCaches();
    }
    if (!manyChunks()) declareInner();
    if (plan_.prefetch) emitFirstPrefetch();
    openRowLoop();
    if (!nextNames_.empty())
        out_.line(fmt::format("const {0} n0 = min(row + {1}, {2});", integer_,
                              sizeText(loops_.splits * ir::Sym(plan_.ty)),
                              sizeText(rowCount_ - ir::Sym(1))));
    emitRowVariables();
    if (!shared) declareCaches();
    rowOwner_ = columnsInTiles() ? "x == 0 && tile == 0" : "x == 0";
    emitSteps(rowSteps_);
    out_.setOrigin(BufferId());
    if (!plan_.persistent) return;
    // One barrier a row does not keep the next row's partial results from overtaking.
    if (blockReductions_ == 1) out_.line("__syncthreads();");
    out_.close();
}

/// A thread has an iteration of the rows, or every so many places, or both, and runs all other loops.
void CudaEmitter::emitSerial() {
    const std::string here = fmt::format("threadIdx.x + {}blockIdx.x * {}",
                                         plan_.longIndex ? "(long long)" : "", plan_.threads);
    if (plan_.owners > 0) owner_ = names_.fresh("owner");
    if (plan_.owners > 0 && rows_.empty()) {
        out_.line(
            fmt::format("const int {} = threadIdx.x + blockIdx.x * {};", owner_, plan_.threads));
        return emitSteps(rowSteps_);
    }
    if (plan_.owners > 0) {
        // Neighbours have neighbouring rows, which are columns of the target.
        const std::string thread = names_.fresh("thread");
        out_.line(fmt::format("const {} {} = {};", integer_, thread, here));
        out_.line(fmt::format("const int {} = {} / {};", owner_, thread, sizeText(rowCount_)));
        out_.line(fmt::format("const {} row = {} % {};", integer_, thread, sizeText(rowCount_)));
        out_.line(fmt::format("if ({} >= {}) return;", owner_, plan_.owners));
    } else {
        out_.line(fmt::format("const {} row = {};", integer_, here));
        out_.line(fmt::format("if (row >= {}) return;", sizeText(rowCount_)));
    }
    emitRowVariables();
    emitSteps(rowSteps_);
}

void CudaEmitter::emitSerialLoop(const Step& loop) {
    const Axis& axis = tree_.axis(loop.axis);
    // Owners ask for several places at once.
    if (!owner_.empty()) out_.line("#pragma unroll 8");
    out_.open(fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1})", integer_,
                          variableText(axis.variable), sizeText(axis.extent)));
    ++serialLoops_;
    emitSteps(loop.body);
    --serialLoops_;
    out_.setOrigin(BufferId());
    out_.close();
}

KernelSource emitCuda(const KernelProgram& program, const Kernel& kernel,
                      const schedule::Candidate& how) {
    const schedule::CudaLoops loops = schedule::cudaLoops(program, kernel, how);
    return CudaEmitter(program, kernel, loops).emit();
}

std::string_view cudaPrelude() {
    return resources::kCudaPrelude;
}

} // namespace cutaway::codegen
