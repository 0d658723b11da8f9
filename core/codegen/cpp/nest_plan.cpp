// SPDX-License-Identifier: Apache-2.0
// What is worked out before any line is printed: names, and the memory of values that outlast a
// loop.
#include "core/codegen/cpp/nest.h"

#include "core/kernel/address.h"

#include <fmt/format.h>

namespace cutaway::codegen::cpp {

using namespace kernel;
using ir::DType;

namespace {

bool reducesAcross(const Statement& s) {
    return s.kind == Statement::Kind::ReduceColumn || s.kind == Statement::Kind::ReduceAll;
}

} // namespace

NestEmitter::NestEmitter(const KernelProgram& program, const Kernel& kernel,
                         const schedule::CpuPlan& plan)
    : KernelText(program, kernel, plan, *kernel.loops), nest_(*kernel.loops) {
    names_.lanes = nest_.inner ? plan_.vector : 1;
    width_ = names_.sizeOf(innerVar());
    rows_ = nest_.outer.empty() ? 1 : names_.sizeOf({'w', 0});
    std::vector<ir::Var> variables;
    for (const LoopDim& dim : nest_.outer)
        variables.push_back(dim.variable);
    nameEverything(variables, nest_.locals);
    planKept();
    planAcrossRows();
}

int64_t NestEmitter::allocate(int64_t bytesPerPart) {
    const int64_t offset = scratchBytes_;
    const int64_t rounded = (bytesPerPart + kAlignment - 1) / kAlignment * kAlignment;
    scratchBytes_ += rounded * plan_.threads;
    return offset;
}

void NestEmitter::planKept() {
    planPhaseKept(nest_.phases);
    planPhaseKept(nest_.finish);
}

/// Values of an inner loop that a later loop reads get a row of memory each.
void NestEmitter::planPhaseKept(const std::vector<Phase>& phases) {
    std::map<LocalId, size_t> definedIn;
    std::map<LocalId, const Statement*> definition;
    const bool finish = &phases == &nest_.finish;
    for (size_t p = 0; p < phases.size(); ++p) {
        for (const Statement& s : phases[p].statements) {
            program_.loops.pool.visit(s.value, [&](ExprId, const Expr& e) {
                if (e.kind != ExprKind::Local) return;
                auto found = definedIn.find(e.local);
                if (found != definedIn.end() && found->second != p) kept_.insert(e.local);
            });
            const Level level = s.kind == Statement::Kind::Let ? local(s).level : Level::Row;
            if (level == Level::Element || level == Level::Column) {
                definedIn[s.local] = p;
                definition[s.local] = &s;
            }
        }
    }
    for (const auto& [id, p] : definedIn) {
        if (!kept_.count(id)) continue;
        const Local& value = nest_.locals[id.index];
        const auto size = static_cast<int64_t>(ir::sizeBytes(value.dtype));
        if (!finish && plan_.keepInOutput && keepInOutput(phases[p], id)) continue;
        LocalAccess& access = names_.locals[id.index];
        access.address = names_.names.unique("kept_" + access.name);
        access.stored = true;
        const int64_t bytes = (width_ * size + kAlignment - 1) / kAlignment * kAlignment;
        const int64_t offset = allocate(bytes);
        const std::string type = scalarType(value.dtype);
        (finish ? finishSetUp_ : threadSetUp_)
            .add(fmt::format("{0}* {1} = ({0}*)(scratch + {2});", type, access.address,
                             finish ? std::to_string(offset)
                                    : fmt::format("{} + {} * part", offset, bytes)),
                 {definition[id]->from});
    }
}

/// True when the value is an output of the same loop that can be read back from there.
bool NestEmitter::keepInOutput(const Phase& phase, LocalId id) {
    for (const Statement& s : phase.statements) {
        const Expr& value = program_.loops.pool[s.value];
        if (s.kind != Statement::Kind::Store || value.kind != ExprKind::Local || value.local != id)
            continue;
        const ir::Sym offset = names_.byRow(offsetOf(program_.loops.buffer(s.target), s.coords));
        const auto step = offset.coefficient(innerVar());
        if (!step || !step->is(1)) continue;
        const ir::Sym start = offset - ir::Sym(innerVar());
        names_.locals[id.index].address =
            plus(names_.pointers.at(s.target), names_.indices().scalar(start));
        cachedStores_.insert(&s);
        return true;
    }
    return false;
}

/// Partial results of the threads, one after the other in scratch memory.
void NestEmitter::planAcrossRows() {
    for (const Phase& phase : nest_.phases) {
        for (const Statement& s : phase.statements) {
            if (!reducesAcross(s)) continue;
            const Local& value = local(s);
            LocalAccess& access = names_.locals[s.local.index];
            access.reduce = s.reduce;
            const bool column = s.kind == Statement::Kind::ReduceColumn;
            const bool sums = s.reduce == ReduceOp::Sum || s.reduce == ReduceOp::Prod;
            const bool wide = !column && sums && ir::isFloating(value.dtype);
            const DType dtype = wide ? DType::Float64 : value.dtype;
            const std::string type = scalarType(dtype);
            const auto size = static_cast<int64_t>(ir::sizeBytes(dtype));
            const int64_t count = column ? width_ : 1;
            const int64_t bytes = (count * size + kAlignment - 1) / kAlignment * kAlignment;
            const int64_t offset = allocate(bytes);
            access.parts = names_.names.unique(access.name + "_parts");
            access.columns = std::to_string(bytes / size);
            const std::string start = identity(s.reduce, dtype);
            finishSetUp_.add(fmt::format("const {0}* {1} = (const {0}*)(scratch + {2});", type,
                                         access.parts, offset),
                             {s.from});
            if (column) {
                const std::string mine = names_.names.unique(access.name + "_columns");
                accumulators_[s.local] = mine;
                threadSetUp_.add(fmt::format("{0}* {1} = ({0}*)(scratch + {2} + {3} * part);", type,
                                             mine, offset, bytes),
                                 {s.from});
                threadSetUp_.add(
                    fmt::format("for (long i = 0; i < {}; ++i) {}[i] = {};", width_, mine, start),
                    {s.from});
                continue;
            }
            const std::string total = names_.names.unique(access.name + "_total");
            accumulators_[s.local] = total;
            threadSetUp_.add(fmt::format("{} {} = {};", type, total, start), {s.from});
            threadResults_.add(
                fmt::format("*({}*)(scratch + {} + {} * part) = {};", type, offset, bytes, total),
                {s.from});
            const std::string sum = names_.names.unique(access.name + "_sum");
            finishSetUp_.add(fmt::format("{} {} = {}[0];", type, sum, access.parts), {s.from});
            finishSetUp_.add("for (long part = 1; part < threads; ++part)", {s.from});
            finishSetUp_.add(
                "    " + fmt::format(
                             "{} = {};", sum,
                             combined(s.reduce, sum,
                                      fmt::format("{}[{} * part]", access.parts, access.columns))),
                {s.from});
            finishSetUp_.add(
                fmt::format("const {0} {1} = ({0}){2};", scalarType(value.dtype), access.name, sum),
                {s.from});
        }
    }
}

} // namespace cutaway::codegen::cpp
