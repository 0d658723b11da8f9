// SPDX-License-Identifier: Apache-2.0
// A pass with running values: the threads of a row have an element each. Every scan is a meeting of
// all of them, so what lies between two scans is guarded by itself.
#include "core/codegen/cuda/cuda_emitter.h"

#include <fmt/format.h>

namespace cutaway::codegen {

using namespace kernel;
using Kind = Step::Kind;
using Running = RowCall::Running;

namespace {

/// What threads combine: floating sums in double, as sums of a CPU.
std::string stateType(const Step& scan, ir::DType dtype) {
    const std::string type(dtype == ir::DType::Bool ? "unsigned char" : cudaType(dtype));
    if (givesPlaces(scan.running)) return fmt::format("op::Arg<{}>", type);
    return ir::isFloating(dtype) ? "double" : type;
}

std::string_view combinedBy(Running running) {
    switch (running) {
    case Running::Sum:
        return "op::Sum";
    case Running::Product:
        return "op::Prod";
    case Running::LogSumExp:
        return "op::LogSumExp";
    case Running::Max:
        return "op::LastArgMax";
    case Running::Min:
        return "op::LastArgMin";
    }
    return {};
}

/// What changes nothing; of positions, that there is none.
std::string_view nothing(Running running) {
    switch (running) {
    case Running::Sum:
        return "0";
    case Running::Product:
        return "1";
    case Running::LogSumExp:
        return "-__longlong_as_double(0x7ff0000000000000ll)";
    case Running::Max:
    case Running::Min:
        return "{0, -1}";
    }
    return {};
}

} // namespace

void CudaEmitter::startRunning(const Step& scan) {
    const std::string type = stateType(scan, dtypeOf(scan.value));
    const std::string& name = running_[&scan] =
        names_.fresh(fmt::format("{}_so_far", tree_.local(scan.locals.back()).name));
    out_.setOrigin(scan.from);
    out_.line(fmt::format("{} {} = {};", type, name, nothing(scan.running)));
}

/// One turn's statements up to a scan (or all): values are made again where they are needed.
void CudaEmitter::emitScanned(const Statements& until, const Step* scan) {
    const bool guarded = !fillsRows();
    if (guarded)
        out_.open(fmt::format("if (i < {})", sizeText(inner_)));
    else
        out_.open("");
    Statements statements = until;
    if (scan) statements.push_back(scan);
    countUses(statements);
    const size_t scope = mark();
    for (const Step* s : until)
        emitStatement(*s);
    if (scan) {
        out_.setOrigin(scan->from);
        const std::string value = text(scan->value), name = sums_.at(scan->locals.back().index);
        out_.line(givesPlaces(scan->running) ? fmt::format("{} = {{{}, i}};", name, value)
                                             : fmt::format("{} = {};", name, value));
    }
    forget(scope);
    for (const Step* s : until)
        if (s->kind == Kind::Let) localText_.erase(s->locals[0].index);
    out_.setOrigin(BufferId());
    out_.close();
}

void CudaEmitter::emitScanLoop(const Step& loop) {
    for (StepId id : loop.body)
        if (step(id).kind == Kind::Scan) startRunning(step(id));
    if (manyChunks()) {
        const std::string count = sizeText(loops_.chunks);
        if (plan_.tx == 1) out_.line("#pragma unroll 8");
        out_.open(loop.backwards ? fmt::format("for (int c = {} - 1; c >= 0; --c)", count)
                                 : fmt::format("for (int c = 0; c < {}; ++c)", count));
        declareInner();
    }
    innerText_ = std::string("i");
    Statements values, once; // made again by every part; done by the next one
    for (StepId id : loop.body) {
        const Step& s = step(id);
        if (s.kind != Kind::Scan) {
            (s.kind == Kind::Let ? values : once).push_back(&s);
            continue;
        }
        const LocalId local = s.locals.back();
        const std::string type = stateType(s, dtypeOf(s.value));
        const std::string own = sums_[local.index] =
            names_.fresh(fmt::format("{}_own", tree_.local(local).name));
        out_.setOrigin(s.from);
        out_.line(fmt::format("{} {} = {};", type, own, nothing(s.running)));
        emitScanned(values, &s);
        out_.setOrigin(s.from);
        const int meeting = plan_.beside    ? (plan_.tx > 1 ? plan_.threads : 0)
                            : plan_.tx > 32 ? plan_.tx / 32
                                            : 0;
        const std::string places =
            meeting > 0 ? names_.fresh(fmt::format("shared_{}", tree_.local(local).name))
                        : fmt::format("({}*)0", type);
        if (meeting > 0) out_.line(fmt::format("__shared__ {} {}[{}];", type, places, meeting));
        const std::string all = names_.fresh(fmt::format("{}_all", tree_.local(local).name));
        const std::string how =
            plan_.beside ? fmt::format("scanBeside<{}, {}, {}, {}>", combinedBy(s.running),
                                       plan_.tx, plan_.ty, loop.backwards)
                         : fmt::format("scanRow<{}, {}, {}>", combinedBy(s.running), plan_.tx,
                                       loop.backwards);
        out_.line(fmt::format("const {} {} = op::{}({}, {}, {});", type, all, how, own,
                              running_.at(&s), places));
        const bool pair = givesPlaces(s.running);
        if (pair) localText_[s.locals[0].index] = fmt::format("{}.value", all);
        localText_[local.index] =
            pair ? fmt::format("{}.index", all)
                 : fmt::format("({})({})", cudaType(tree_.local(local).dtype), all);
    }
    Statements all = values;
    all.insert(all.end(), once.begin(), once.end());
    emitScanned(all, nullptr);
    for (StepId id : loop.body)
        if (step(id).kind == Kind::Scan)
            for (LocalId local : step(id).locals)
                localText_.erase(local.index);
    if (manyChunks()) out_.close();
    emitRowTotals(loop);
}

} // namespace cutaway::codegen
