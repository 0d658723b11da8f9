// SPDX-License-Identifier: Apache-2.0
// Sums over rows: every thread has its own, a block adds them up, the last block of a group adds
// the blocks' and the last group's the groups'. The order is fixed, so results repeat bit by bit.
#include "core/codegen/cuda/cuda_emitter.h"

#include "core/kernel/scalar_eval.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::codegen {

using namespace kernel;
using Kind = Statement::Kind;

std::string CudaEmitter::opName(ReduceOp op) const {
    switch (op) {
    case ReduceOp::Sum:
        return "op::Sum";
    case ReduceOp::Prod:
        return "op::Prod";
    case ReduceOp::Max:
        return "op::Max";
    case ReduceOp::Min:
        return "op::Min";
    case ReduceOp::Any:
        return "op::Any";
    case ReduceOp::All:
        return "op::All";
    case ReduceOp::ArgMax:
        return "op::ArgMax";
    case ReduceOp::ArgMin:
        return "op::ArgMin";
    }
    return {};
}

std::string CudaEmitter::identity(const Statement& s) const {
    const ir::DType dtype = facts_.pool[s.value].dtype;
    const ReduceOp op = s.reduce == ReduceOp::ArgMax   ? ReduceOp::Max
                        : s.reduce == ReduceOp::ArgMin ? ReduceOp::Min
                                                       : s.reduce;
    const Scalar start = reduceIdentity(op, dtype);
    const std::string value = cudaLiteral(dtype, start.real, start.integer);
    if (!isArg(s.reduce)) return value;
    return fmt::format("{{{}, 9223372036854775807ll}}", value);
}

std::string CudaEmitter::combine(const Statement& s, const std::string& a,
                                 const std::string& b) const {
    return s.reduce == ReduceOp::Sum ? fmt::format("{} + {}", a, b)
                                     : fmt::format("{}::combine({}, {})", opName(s.reduce), a, b);
}

void CudaEmitter::declareTotals() {
    for (const Phase& phase : nest_.phases)
        for (const Statement& s : phase.statements) {
            if (s.kind != Kind::ReduceColumn && s.kind != Kind::ReduceAll) continue;
            const std::string type(cudaType(facts_.pool[s.value].dtype));
            Total total;
            total.statement = &s;
            total.name = localNames_[s.local.index];
            total.type = isArg(s.reduce) ? fmt::format("op::Arg<{}>", type) : type;
            total.accumulator = sums_.at(s.local.index);
            total.partial = names_.fresh(total.name + "_partial");
            total.group = plan_.groups() > 1 ? names_.fresh(total.name + "_group") : total.partial;
            (s.kind == Kind::ReduceColumn ? columns_ : alls_).push_back(std::move(total));
        }
    if (columns_.empty() && alls_.empty()) return;
    if (plan_.splits > 1) {
        const int64_t tickets = plan_.tiles * (plan_.groups() + 1);
        source_.ticketBytes = (tickets * 4 + 255) / 256 * 256;
        scratchBytes_ = source_.ticketBytes;
        out_.line("unsigned* const tickets = static_cast<unsigned*>(scratch);");
    }
    auto pointer = [&](const Total& total, const std::string& name, int64_t count) {
        const auto size = int64_t(sizeBytes(facts_.pool[total.statement->value].dtype));
        const int64_t bytes = count * (isArg(total.statement->reduce) ? 16 : size);
        out_.line(fmt::format(
            "{0}* const {1} = reinterpret_cast<{0}*>(static_cast<char*>(scratch) + {2});",
            total.type, name, scratchBytes_));
        scratchBytes_ += (bytes + 255) / 256 * 256;
    };
    for (const Total& total : columns_) {
        out_.setOrigin(total.statement->from);
        pointer(total, total.partial, plan_.splits * facts_.inner);
        if (plan_.groups() > 1) pointer(total, total.group, plan_.groups() * facts_.inner);
        if (plan_.columnsInScratch) {
            out_.line("// Too many columns for registers: this block's sums live in its scratch.");
            out_.open(fmt::format("for (int column = threadIdx.x; column < {}; column += {})",
                                  facts_.inner, plan_.threads));
            out_.line(fmt::format("{}[blockIdx.x * {} + column] = {};", total.partial, facts_.inner,
                                  isArg(total.statement->reduce)
                                      ? total.type + identity(*total.statement)
                                      : identity(*total.statement)));
            out_.close();
            continue;
        }
        const int64_t count = plan_.chunks * plan_.vector;
        out_.line(fmt::format("{} {}[{}];", total.type, total.accumulator, count));
        out_.line("#pragma unroll");
        out_.line(fmt::format("for (int k = 0; k < {}; ++k) {}[k] = {};", count, total.accumulator,
                              isArg(total.statement->reduce)
                                  ? total.type + identity(*total.statement)
                                  : identity(*total.statement)));
    }
    for (const Total& total : alls_) {
        out_.setOrigin(total.statement->from);
        pointer(total, total.partial, plan_.splits);
        out_.line(
            fmt::format("{} {} = {};", total.type, total.accumulator, identity(*total.statement)));
    }
    if (plan_.columnsInScratch) out_.line("__syncthreads();");
    out_.setOrigin(BufferId());
}

std::string CudaEmitter::blockReduction(const Statement& s, const std::string& value) {
    const std::string type(cudaType(facts_.pool[s.value].dtype));
    const std::string shared = names_.fresh("shared_" + localNames_[s.local.index]);
    out_.line(fmt::format("__shared__ {} {}[{}];", isArg(s.reduce) ? "op::Arg<" + type + ">" : type,
                          shared, std::max(plan_.threads / 32, 1)));
    return fmt::format("op::reduceBlock<{}, {}>({}, {})", opName(s.reduce), plan_.threads, value,
                       shared);
}

void CudaEmitter::emitRowTotals(const Phase& phase) {
    for (const Statement& s : phase.statements) {
        if (s.kind != Kind::ReduceRow) continue;
        out_.setOrigin(s.from);
        const std::string& local = localNames_[s.local.index];
        const bool block = plan_.tx > 32 || inFinish_;
        const std::string& sum = sums_.at(s.local.index);
        const std::string value =
            block ? blockReduction(s, sum)
                  : fmt::format("op::reduceLanes<{}, {}>({})", opName(s.reduce), plan_.tx, sum);
        blockReductions_ += block && !inFinish_;
        out_.line(fmt::format("const {} {} = {}{};", cudaType(nest_.locals[s.local.index].dtype),
                              local, value, isArg(s.reduce) ? ".index" : ""));
    }
}

// Column sums of the block's rows: over y through shared memory, then to scratch.
void CudaEmitter::emitColumnPartial(const Total& total) {
    const Statement& s = *total.statement;
    out_.setOrigin(s.from);
    const int width = plan_.vector;
    const bool loop = plan_.chunks > 1;
    const std::string element = loop ? fmt::format("c * {} + k", width) : "k";
    if (plan_.ty > 1) {
        const std::string shared = names_.fresh("shared_" + total.name);
        out_.line(fmt::format("__shared__ {} {}[{}];", total.type, shared, plan_.threads * width));
        if (loop) {
            out_.line("#pragma unroll");
            out_.open(fmt::format("for (int c = 0; c < {}; ++c)", plan_.chunks));
        }
        out_.line(
            fmt::format("for (int k = 0; k < {0}; ++k) {1}[threadIdx.x * {0} + k] = {2}[{3}];",
                        width, shared, total.accumulator, element));
        out_.line("__syncthreads();");
        out_.open("if (y == 0)");
        out_.open(fmt::format("for (int s = 1; s < {}; ++s)", plan_.ty));
        out_.open(fmt::format("for (int k = 0; k < {}; ++k)", width));
        const std::string other = fmt::format("{}[(s * {} + x) * {} + k]", shared, plan_.tx, width);
        const std::string mine = fmt::format("{}[{}]", total.accumulator, element);
        out_.line(fmt::format("{} = {};", mine, combine(s, mine, other)));
        out_.close();
        out_.close();
        out_.close();
        out_.line("__syncthreads();");
        if (loop) out_.close();
    }
    if (loop) {
        out_.line("#pragma unroll");
        out_.open(fmt::format("for (int c = 0; c < {}; ++c)", plan_.chunks));
    }
    const std::string tile =
        columnsInTiles() ? fmt::format("tile * {} + ", plan_.tileColumns) : std::string();
    const std::string first = names_.fresh(total.name + "_at");
    out_.line(fmt::format("const int {} = {}{} * {};", first, tile,
                          loop ? fmt::format("(c * {} + x)", plan_.tx) : "x", width));
    out_.open(fmt::format("if ({}{} < {})", plan_.ty > 1 ? "y == 0 && " : "", first, facts_.inner));
    out_.line("#pragma unroll");
    out_.line(fmt::format("for (int k = 0; k < {}; ++k) {}[split * {} + {} + k] = {}[{}];", width,
                          total.partial, facts_.inner, first, total.accumulator, element));
    out_.close();
    if (loop) out_.close();
}

void CudaEmitter::emitAllPartial(const Total& total) {
    out_.setOrigin(total.statement->from);
    const std::string value = blockReduction(*total.statement, total.accumulator);
    const std::string block = names_.fresh(total.name + "_block");
    out_.line(fmt::format("const {} {} = {};", total.type, block, value));
    out_.line(fmt::format("if (threadIdx.x == 0) {}[blockIdx.x] = {};", total.partial, block));
}

std::string CudaEmitter::columnLoop() const {
    if (!columnsInTiles())
        return fmt::format("for (int column = threadIdx.x; column < {}; column += {})",
                           facts_.inner, plan_.threads);
    const std::string end = facts_.inner % plan_.tileColumns == 0
                                ? std::string()
                                : fmt::format(" && column < {}", facts_.inner);
    return fmt::format("for (int column = tile * {0} + threadIdx.x; column < (tile + 1) * {0}{1}; "
                       "column += {2})",
                       plan_.tileColumns, end, plan_.threads);
}

void CudaEmitter::emitGroupSums() {
    const int64_t size = plan_.splitGroup, groups = plan_.groups();
    const std::string base =
        columnsInTiles() ? fmt::format("tickets + tile * {}", groups + 1) : std::string("tickets");
    out_.line(fmt::format("const int group = split / {};", size));
    const bool even = plan_.splits % size == 0;
    out_.line(fmt::format("const int first = group * {};", size));
    out_.line(even ? fmt::format("const int end = first + {};", size)
                   : fmt::format("const int end = min(first + {}, {});", size, plan_.splits));
    out_.line(fmt::format("if (!op::arriveLast({} + group, end - first)) return;", base));
    for (const Total& total : columns_) {
        const Statement& s = *total.statement;
        out_.setOrigin(s.from);
        out_.open(columnLoop());
        out_.line(fmt::format("{0} sum = {1}[first * {2} + column];", total.type, total.partial,
                              facts_.inner));
        out_.line("#pragma unroll 16");
        out_.line(fmt::format(
            "for (int s = first + 1; s < end; ++s) sum = {};",
            combine(s, "sum", fmt::format("{}[s * {} + column]", total.partial, facts_.inner))));
        out_.line(fmt::format("{}[group * {} + column] = sum;", total.group, facts_.inner));
        out_.close();
    }
    out_.setOrigin(BufferId());
    out_.line(fmt::format("if (!op::arriveLast({} + {}, {})) return;", base, groups, groups));
}

void CudaEmitter::emitLastBlock() {
    out_.setOrigin(BufferId());
    if (plan_.splits == 1)
        out_.line("__syncthreads();");
    else if (plan_.groups() > 1)
        emitGroupSums();
    else
        out_.line(fmt::format("if (!op::arriveLast(tickets{}, {})) return;",
                              columnsInTiles() ? " + tile * 2" : "", plan_.splits));
}

void CudaEmitter::emitAllTotal(const Total& total) {
    const Statement& s = *total.statement;
    out_.setOrigin(s.from);
    const std::string sum = names_.fresh(total.name + "_blocks");
    out_.line(fmt::format("{} {} = {};", total.type, sum, identity(s)));
    out_.line(fmt::format("for (int s = threadIdx.x; s < {}; s += {}) {} = {};", plan_.splits,
                          plan_.threads, sum, combine(s, sum, total.partial + "[s]")));
    out_.line(fmt::format("const {} {} = {}{};", cudaType(nest_.locals[s.local.index].dtype),
                          total.name, blockReduction(s, sum), isArg(s.reduce) ? ".index" : ""));
}

void CudaEmitter::emitColumnTotal(const Total& total) {
    const Statement& s = *total.statement;
    const bool arg = isArg(s.reduce);
    out_.setOrigin(s.from);
    const std::string sum = arg ? total.name + "_best" : total.name;
    out_.line(fmt::format("{} {} = {}[column];", total.type, sum, total.group));
    const int64_t count = plan_.groups() > 1 ? plan_.groups() : plan_.splits;
    if (count > 1) {
        out_.line("#pragma unroll 16");
        out_.line(fmt::format(
            "for (int s = 1; s < {}; ++s) {} = {};", count, sum,
            combine(s, sum, fmt::format("{}[s * {} + column]", total.group, facts_.inner))));
    }
    if (arg) out_.line(fmt::format("const long long {} = {}.index;", total.name, sum));
    localText_[s.local.index] = total.name;
}

void CudaEmitter::emitFinishPhase(const Phase& phase) {
    if (!phase.inner) {
        rowOwner_ = "threadIdx.x == 0";
        emitRowPhase(phase);
        return;
    }
    for (const Statement& s : phase.statements) {
        if (s.kind == Kind::Let || s.kind == Kind::Store) continue;
        const std::string type(cudaType(facts_.pool[s.value].dtype));
        out_.setOrigin(s.from);
        out_.line(fmt::format("{} {} = {};", isArg(s.reduce) ? "op::Arg<" + type + ">" : type,
                              sums_.at(s.local.index), identity(s)));
    }
    const Statements statements = withRecomputed(phase.statements);
    out_.open(columnLoop());
    innerText_ = "column";
    std::vector<LocalId> locals;
    std::vector<ExprId> loads;
    for (const Statement* s : statements)
        facts_.needs(s->value, locals, loads);
    for (const Total& total : columns_)
        if (std::find(locals.begin(), locals.end(), total.statement->local) != locals.end())
            emitColumnTotal(total);
    emitElements(statements, "");
    out_.setOrigin(BufferId());
    out_.close();
    for (const Statement& s : phase.statements) {
        if (s.kind == Kind::Let || s.kind == Kind::Store) continue;
        out_.setOrigin(s.from);
        const std::string& local = localNames_[s.local.index];
        const std::string value = blockReduction(s, sums_.at(s.local.index));
        out_.line(fmt::format("const {} {} = {}{};", cudaType(nest_.locals[s.local.index].dtype),
                              local, value, isArg(s.reduce) ? ".index" : ""));
    }
}

void CudaEmitter::emitFinish() {
    if (columns_.empty() && alls_.empty()) return;
    inFinish_ = true;
    if (!plan_.columnsInScratch)
        for (const Total& total : columns_)
            emitColumnPartial(total);
    for (const Total& total : alls_)
        emitAllPartial(total);
    emitLastBlock();
    for (const Total& total : alls_)
        emitAllTotal(total);
    for (const Phase& phase : nest_.finish)
        emitFinishPhase(phase);
}

} // namespace cutaway::codegen
