// SPDX-License-Identifier: Apache-2.0
// Sums over rows: every thread has its own, a block adds them up, the last block of a group adds
// the blocks' and the last group's the groups'. The order is fixed, so results repeat bit by bit.
#include "core/codegen/cuda/cuda_emitter.h"

#include "core/kernel/scalar_eval.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::codegen {

using namespace kernel;
using Kind = Step::Kind;

namespace {

/// Bytes rounded up, so that the next part begins on a cache line.
ir::Sym wholeLines(const ir::Sym& bytes) {
    return ir::floorDiv(bytes + ir::Sym(255), ir::Sym(256)) * ir::Sym(256);
}

} // namespace

/// Of an accumulator of two results, the one that is local number \p k.
const char* CudaEmitter::member(ReduceOp op, size_t k) {
    if (op == ReduceOp::Welford) return k == 0 ? ".mean" : ".squares";
    return k == 0 ? ".value" : ".index";
}

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
    case ReduceOp::Welford:
        return "op::Welford";
    }
    return {};
}

/// What an accumulator starts as. \param s a Start or an Update
std::string CudaEmitter::identity(const Step& s) const {
    if (s.reduce == ReduceOp::Welford) return "{0, 0, 0}";
    const ir::DType dtype =
        s.kind == Kind::Start ? tree_.local(s.locals[0]).dtype : dtypeOf(s.value);
    const ReduceOp op = s.reduce == ReduceOp::ArgMax   ? ReduceOp::Max
                        : s.reduce == ReduceOp::ArgMin ? ReduceOp::Min
                                                       : s.reduce;
    const Scalar start = reduceIdentity(op, dtype);
    const std::string value = cudaLiteral(dtype, start.real, start.integer);
    if (!isArg(s.reduce)) return value;
    return fmt::format("{{{}, 9223372036854775807ll}}", value);
}

std::string CudaEmitter::combine(const Step& s, const std::string& a, const std::string& b) const {
    return s.reduce == ReduceOp::Sum ? fmt::format("{} + {}", a, b)
                                     : fmt::format("{}::combine({}, {})", opName(s.reduce), a, b);
}

/// A row's blocks have a ticket and a place for each sum of each of them.
void CudaEmitter::declareParts() {
    source_.ticketBytes = wholeLines(loops_.splits * ir::Sym(4));
    scratchBytes_ = source_.ticketBytes;
    out_.line("unsigned* const tickets = static_cast<unsigned*>(scratch);");
    visitSteps(tree_, rowSteps_, [&](const Step& s, const std::vector<StepId>&) {
        if (s.kind != Kind::Update) return;
        out_.setOrigin(s.from);
        std::string& name = parts_[s.locals.back().index];
        name = names_.fresh(localNames_[s.locals.back().index] + "_parts");
        declarePartial(s, name, loops_.splits * ir::Sym(plan_.parts));
    });
    out_.setOrigin(BufferId());
}

/// A pointer into scratch memory with places for \p count partial results.
void CudaEmitter::declarePartial(const Step& s, const std::string& name, const ir::Sym& count) {
    const auto size = int64_t(sizeBytes(dtypeOf(s.value)));
    out_.line(
        fmt::format("{0}* const {1} = reinterpret_cast<{0}*>(static_cast<char*>(scratch) + {2});",
                    accumulatorType(s), name, index(scratchBytes_)));
    const int64_t each = s.reduce == ReduceOp::Welford ? 3 * size : isArg(s.reduce) ? 16 : size;
    scratchBytes_ = scratchBytes_ + wholeLines(count * ir::Sym(each));
}

void CudaEmitter::declareTotals() {
    if (plan_.parts > 1) return declareParts();
    visitSteps(tree_, rowSteps_, [&](const Step& s, const std::vector<StepId>&) {
        if (s.kind != Kind::Update || !isAcross(s)) return;
        Total total;
        total.update = &s;
        total.local = s.locals.back();
        total.name = localNames_[total.local.index];
        total.type = accumulatorType(s);
        total.accumulator = sums_.at(total.local.index);
        total.partial = names_.fresh(total.name + "_partial");
        total.group = plan_.groups() > 1 ? names_.fresh(total.name + "_group") : total.partial;
        const bool column = !tree_.local(total.local).axes.empty();
        (column ? columns_ : alls_).push_back(std::move(total));
    });
    if (columns_.empty() && alls_.empty()) return;
    if (!loops_.splits.is(1)) {
        const ir::Sym tickets = loops_.tiles * ir::Sym(plan_.groups() + 1);
        source_.ticketBytes = wholeLines(tickets * ir::Sym(4));
        scratchBytes_ = source_.ticketBytes;
        out_.line("unsigned* const tickets = static_cast<unsigned*>(scratch);");
    }
    const ir::Sym groups(plan_.groups());
    for (const Total& total : columns_) {
        out_.setOrigin(total.update->from);
        const bool two = givesTwo(total.update->reduce);
        const std::string start = (two ? total.type : "") + identity(*total.update);
        declarePartial(*total.update, total.partial, loops_.splits * inner_);
        if (plan_.groups() > 1) declarePartial(*total.update, total.group, groups * inner_);
        if (plan_.columnsInScratch) {
            const std::string columns = sizeText(inner_);
            out_.line("// Too many columns for registers: this block's sums live in its scratch.");
            out_.open(fmt::format("for (int column = threadIdx.x; column < {}; column += {})",
                                  columns, plan_.threads));
            out_.line(
                fmt::format("{}[blockIdx.x * {} + column] = {};", total.partial, columns, start));
            out_.close();
            continue;
        }
        const int64_t count = loops_.chunks.constant() * plan_.vector;
        out_.line(fmt::format("{} {}[{}];", total.type, total.accumulator, count));
        out_.line("#pragma unroll");
        out_.line(fmt::format("for (int k = 0; k < {}; ++k) {}[k] = {};", count, total.accumulator,
                              start));
    }
    for (const Total& total : alls_) {
        out_.setOrigin(total.update->from);
        declarePartial(*total.update, total.partial, loops_.splits);
        out_.line(
            fmt::format("{} {} = {};", total.type, total.accumulator, identity(*total.update)));
    }
    if (plan_.columnsInScratch) out_.line("__syncthreads();");
    out_.setOrigin(BufferId());
}

std::string CudaEmitter::blockReduction(const Step& s, const std::string& value) {
    const std::string shared = names_.fresh("shared_" + localNames_[s.locals.back().index]);
    out_.line(fmt::format("__shared__ {} {}[{}];", accumulatorType(s), shared,
                          std::max(plan_.threads / 32, 1)));
    return fmt::format("op::reduceBlock<{}, {}>({}, {})", opName(s.reduce), plan_.threads, value,
                       shared);
}

/// After a loop that threads share: what they have summed along it.
void CudaEmitter::emitRowTotals(const Step& loop) {
    if (plan_.parts > 1) return emitPartTotals(loop);
    for (StepId id : loop.body) {
        const Step& s = step(id);
        if (s.kind != Kind::Update || (!inFinish_ && isAcross(s))) continue;
        out_.setOrigin(s.from);
        const LocalId local = s.locals.back();
        const bool block = has(loop.places, Place::Block);
        const std::string& sum = sums_.at(local.index);
        const std::string value =
            block ? blockReduction(s, sum)
                  : fmt::format("op::reduceLanes<{}, {}>({})", opName(s.reduce), plan_.tx, sum);
        blockReductions_ += block && !inFinish_;
        nameTotal(s, value);
    }
}

/// The same where blocks share a row: each leaves its sum in scratch, and the last goes on.
void CudaEmitter::emitPartTotals(const Step& loop) {
    std::vector<const Step*> updates;
    for (StepId id : loop.body)
        if (step(id).kind == Kind::Update) updates.push_back(&step(id));
    if (updates.empty()) return;
    for (const Step* s : updates) {
        out_.setOrigin(s->from);
        const uint32_t local = s->locals.back().index;
        const std::string block = names_.fresh(localNames_[local] + "_block");
        out_.line(fmt::format("const {} {} = {};", accumulatorType(*s), block,
                              blockReduction(*s, sums_.at(local))));
        out_.line(fmt::format("if (x == 0) {}[blockIdx.x] = {};", parts_.at(local), block));
    }
    out_.setOrigin(BufferId());
    out_.line(fmt::format("if (!op::arriveLast(tickets + split, {})) return;", plan_.parts));
    for (const Step* s : updates) {
        out_.setOrigin(s->from);
        const uint32_t local = s->locals.back().index;
        const std::string sum = names_.fresh(localNames_[local] + "_row");
        out_.line(fmt::format("{} {} = {};", accumulatorType(*s), sum, identity(*s)));
        out_.line(fmt::format(
            "for (int p = x; p < {}; p += {}) {} = {};", plan_.parts, plan_.threads, sum,
            combine(*s, sum, fmt::format("{}[split * {} + p]", parts_.at(local), plan_.parts))));
        nameTotal(*s, blockReduction(*s, sum));
    }
}

/// Names what \p value, a complete accumulator, gives: of two results the second where something
/// reads it.
void CudaEmitter::nameTotal(const Step& s, std::string value) {
    const LocalId local = s.locals.back();
    if (givesTwo(s.reduce)) {
        if (read_.contains(s.locals[0].index)) {
            const std::string both = names_.fresh(localNames_[local.index] + "_both");
            out_.line(fmt::format("const {} {} = {};", accumulatorType(s), both, value));
            localText_[s.locals[0].index] = both + member(s.reduce, 0);
            value = both;
        }
        value += member(s.reduce, 1);
    }
    out_.line(fmt::format("const {} {} = {};", cudaType(tree_.local(local).dtype),
                          localNames_[local.index], value));
}

// Column sums of the block's rows: over y through shared memory, then to scratch.
void CudaEmitter::emitColumnPartial(const Total& total) {
    const Step& s = *total.update;
    out_.setOrigin(s.from);
    const int width = plan_.vector;
    const bool loop = manyChunks();
    const std::string element = loop ? fmt::format("c * {} + k", width) : "k";
    if (plan_.ty > 1) {
        // Sums of one type meet in one place, one after the other.
        std::string& shared = columnShared_[total.type];
        if (shared.empty()) {
            shared = names_.fresh("shared_" + total.name);
            out_.line(
                fmt::format("__shared__ {} {}[{}];", total.type, shared, plan_.threads * width));
        }
        if (loop) {
            out_.line("#pragma unroll");
            out_.open(chunkLoop());
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
        out_.open(chunkLoop());
    }
    const std::string tile =
        columnsInTiles() ? fmt::format("tile * {} + ", plan_.tileColumns) : std::string();
    const std::string first = names_.fresh(total.name + "_at");
    out_.line(fmt::format("const int {} = {}{} * {};", first, tile,
                          loop ? fmt::format("(c * {} + x)", plan_.tx) : "x", width));
    out_.open(
        fmt::format("if ({}{} < {})", plan_.ty > 1 ? "y == 0 && " : "", first, sizeText(inner_)));
    out_.line("#pragma unroll");
    out_.line(fmt::format("for (int k = 0; k < {}; ++k) {}[split * {} + {} + k] = {}[{}];", width,
                          total.partial, sizeText(inner_), first, total.accumulator, element));
    out_.close();
    if (loop) out_.close();
}

void CudaEmitter::emitAllPartial(const Total& total) {
    out_.setOrigin(total.update->from);
    const std::string value = blockReduction(*total.update, total.accumulator);
    const std::string block = names_.fresh(total.name + "_block");
    out_.line(fmt::format("const {} {} = {};", total.type, block, value));
    out_.line(fmt::format("if (threadIdx.x == 0) {}[blockIdx.x] = {};", total.partial, block));
}

std::string CudaEmitter::columnLoop() const {
    if (!columnsInTiles())
        return fmt::format("for (int column = threadIdx.x; column < {}; column += {})",
                           sizeText(inner_), plan_.threads);
    const std::string end = ir::mod(inner_, ir::Sym(plan_.tileColumns)).is(0)
                                ? std::string()
                                : fmt::format(" && column < {}", sizeText(inner_));
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
        const Step& s = *total.update;
        out_.setOrigin(s.from);
        out_.open(columnLoop());
        out_.line(fmt::format("{0} sum = {1}[first * {2} + column];", total.type, total.partial,
                              sizeText(inner_)));
        out_.line("#pragma unroll 16");
        out_.line(fmt::format(
            "for (int s = first + 1; s < end; ++s) sum = {};",
            combine(s, "sum",
                    fmt::format("{}[s * {} + column]", total.partial, sizeText(inner_)))));
        out_.line(fmt::format("{}[group * {} + column] = sum;", total.group, sizeText(inner_)));
        out_.close();
    }
    out_.setOrigin(BufferId());
    out_.line(fmt::format("if (!op::arriveLast({} + {}, {})) return;", base, groups, groups));
}

void CudaEmitter::emitLastBlock() {
    out_.setOrigin(BufferId());
    if (loops_.splits.is(1))
        out_.line("__syncthreads();");
    else if (plan_.groups() > 1)
        emitGroupSums();
    else
        out_.line(fmt::format("if (!op::arriveLast(tickets{}, {})) return;",
                              columnsInTiles() ? " + tile * 2" : "", sizeText(loops_.splits)));
}

void CudaEmitter::emitAllTotal(const Total& total) {
    const Step& s = *total.update;
    out_.setOrigin(s.from);
    const std::string sum = names_.fresh(total.name + "_blocks");
    out_.line(fmt::format("{} {} = {};", total.type, sum, identity(s)));
    out_.line(fmt::format("for (int s = threadIdx.x; s < {}; s += {}) {} = {};",
                          sizeText(loops_.splits), plan_.threads, sum,
                          combine(s, sum, total.partial + "[s]")));
    nameTotal(s, blockReduction(s, sum));
}

void CudaEmitter::emitColumnTotal(const Total& total) {
    const Step& s = *total.update;
    const bool two = givesTwo(s.reduce);
    out_.setOrigin(s.from);
    const std::string sum = two ? total.name + "_both" : total.name;
    out_.line(fmt::format("{} {} = {}[column];", total.type, sum, total.group));
    const ir::Sym count = plan_.groups() > 1 ? ir::Sym(plan_.groups()) : loops_.splits;
    if (!count.is(1)) {
        out_.line("#pragma unroll 16");
        out_.line(fmt::format(
            "for (int s = 1; s < {}; ++s) {} = {};", sizeText(count), sum,
            combine(s, sum, fmt::format("{}[s * {} + column]", total.group, sizeText(inner_)))));
    }
    if (two) {
        out_.line(fmt::format("const {} {} = {}{};", cudaType(tree_.local(total.local).dtype),
                              total.name, sum, member(s.reduce, 1)));
        localText_[s.locals[0].index] = sum + member(s.reduce, 0);
    }
    localText_[total.local.index] = total.name;
}

/// A loop over columns when all rows are done.
void CudaEmitter::emitFinishLoop(const Step& loop) {
    Statements statements;
    std::set<uint32_t> read;
    for (StepId id : loop.body) {
        statements.push_back(&step(id));
        pool_.visit(step(id).value, [&](ExprId, const Expr& e) {
            if (e.kind == ExprKind::Local) read.insert(e.local.index);
        });
    }
    out_.open(columnLoop());
    innerText_ = "column";
    for (const Total& total : columns_)
        if (read.contains(total.local.index) || read.contains(total.update->locals[0].index))
            emitColumnTotal(total);
    emitElements(statements, "");
    out_.setOrigin(BufferId());
    out_.close();
    emitRowTotals(loop);
}

/// What the last block does when every block has its partial results.
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
    rowOwner_ = "threadIdx.x == 0";
    emitSteps(after_);
}

} // namespace cutaway::codegen
