// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/verify.h"

#include "core/kernel/masked_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace cutaway::kernel {

namespace {

using Problem = std::optional<std::string>;

/// Checks one LoopProgram.
class ProgramVerifier {
public:
    explicit ProgramVerifier(const LoopProgram& program) : program_(program) {
        for (const Buffer& buffer : program.buffers)
            if (buffer.base.valid()) bases_.insert(buffer.base);
    }

    Problem run() const {
        std::set<std::string> names;
        for (size_t i = 0; i < program_.buffers.size(); ++i) {
            const Buffer& buffer = program_.buffers[i];
            if (buffer.id.index != i) return "buffer " + buffer.name + " has another one's id";
            if (!names.insert(buffer.name).second) return "two buffers are called " + buffer.name;
            if (buffer.sizes.size() != buffer.strides.size())
                return "buffer " + buffer.name + " has a stride too many or too few";
            if (Problem problem = checkKind(buffer)) return problem;
        }
        for (BufferId input : program_.inputs)
            if (program_.buffer(input).kind != BufferKind::Input)
                return program_.buffer(input).name + " is listed as an input but computed";
        for (const StridedView& view : program_.outputs)
            if (view.buffer.valid())
                if (Problem problem = checkView(view)) return problem;
        return std::nullopt;
    }

private:
    Problem checkKind(const Buffer& buffer) const {
        switch (buffer.kind) {
        case BufferKind::Input:
            return std::nullopt;
        case BufferKind::Constant:
            return buffer.constant ? Problem() : "constant " + buffer.name + " has no value";
        case BufferKind::Library:
            return checkCall(buffer);
        case BufferKind::Pointwise:
        case BufferKind::Reduction:
            return checkBody(buffer);
        case BufferKind::Scatter:
            return checkScatter(buffer);
        case BufferKind::Result:
            return checkResult(buffer);
        }
        return std::nullopt;
    }

    Problem checkResult(const Buffer& buffer) const {
        if (!buffer.of.valid() || buffer.of >= buffer.id)
            return buffer.name + " is a result of what is not computed yet";
        const Buffer& of = program_.buffer(buffer.of);
        if (of.sizes != buffer.sizes) return buffer.name + " and its positions differ in sizes";
        if (of.kind == BufferKind::Reduction && givesTwo(of.reduce)) {
            if (buffer.body.valid()) return buffer.name + " is what a reduction finds, no value";
            return program_.pool[of.body].dtype == ir::computeType(buffer.dtype)
                       ? Problem()
                       : buffer.name + " is no element of what is reduced";
        }
        if (of.kind != BufferKind::Library || of.call->op != LibraryOp::Scan ||
            !of.call->row.givesPlaces())
            return fmt::format("{} has no other result than itself", of.name);
        return buffer.body.valid() ? checkBody(buffer) : buffer.name + " has no value";
    }

    Problem checkCall(const Buffer& buffer) const {
        if (!buffer.call) return "library buffer " + buffer.name + " has no call";
        const LibraryCall& call = *buffer.call;
        const LibraryOpInfo& op = info(call.op);
        const size_t all = op.operands.size(), least = op.lastIsOptional ? all - 1 : all;
        if (call.operands.size() < least || call.operands.size() > all)
            return fmt::format("{} calls {} with {} operands", buffer.name, info(call.op).name,
                               call.operands.size());
        for (const StridedView& view : call.reads()) {
            if (!view.buffer.valid() || view.buffer >= buffer.id)
                return buffer.name + " reads what is not computed yet";
            if (Problem problem = checkView(view)) return problem;
        }
        return info(call.op).verify(call, buffer);
    }

    Problem checkScatter(const Buffer& buffer) const {
        if (!buffer.base.valid() || buffer.base >= buffer.id)
            return buffer.name + " adds to what is not computed yet";
        const Buffer& base = program_.buffer(buffer.base);
        if (base.kind != BufferKind::Pointwise || base.sizes != buffer.sizes ||
            base.strides != buffer.strides || base.dtype != buffer.dtype)
            return buffer.name + " and what it starts as differ";
        const Expr& place = program_.pool[buffer.place];
        if (place.kind != ExprKind::Load || place.buffer != buffer.id ||
            place.coords.size() != buffer.sizes.size())
            return buffer.name + " has no place for its updates";
        return checkBody(buffer);
    }

    Problem checkBody(const Buffer& buffer) const {
        const Expr& root = program_.pool[buffer.body];
        const bool reduction = buffer.kind == BufferKind::Reduction;
        if (!(reduction && isArg(buffer.reduce)) && root.dtype != ir::computeType(buffer.dtype))
            return fmt::format("body of {} is {}, the buffer {}", buffer.name, ir::name(root.dtype),
                               ir::name(buffer.dtype));
        if (reduction && buffer.reduce == ReduceOp::Welford && !ir::isFloating(root.dtype))
            return "deviations of integers in " + buffer.name;
        Problem problem;
        program_.pool.visit(buffer.body, [&](ExprId, const Expr& e) {
            if (problem) return;
            if (e.kind == ExprKind::Local) problem = "body of " + buffer.name + " uses a local";
            if (e.kind == ExprKind::Index) problem = checkVariables(buffer, e.index);
            if (e.kind == ExprKind::Check) problem = checkCheck(buffer, e);
            if (e.kind != ExprKind::Load) return;
            if (e.buffer >= buffer.id || isBase(e.buffer))
                problem = buffer.name + " loads what is not computed yet";
            else if (e.coords.size() != program_.buffer(e.buffer).sizes.size())
                problem = fmt::format("{} loads {} with {} coordinates", buffer.name,
                                      program_.buffer(e.buffer).name, e.coords.size());
            else if (ir::computeType(program_.buffer(e.buffer).dtype) != e.dtype)
                problem = fmt::format("{} loads {} as {}", buffer.name,
                                      program_.buffer(e.buffer).name, ir::name(e.dtype));
            for (const Coord& c : e.coords)
                if (!problem) problem = checkVariables(buffer, c.index);
            if (!problem && e.isMasked()) problem = checkMask(buffer, e);
        });
        return problem;
    }

    /// Where the mask holds the coordinates are inside: looked at in the corners of the loops.
    Problem checkMask(const Buffer& buffer, const Expr& load) const {
        if (load.args.size() != 2 || program_.pool[load.mask()].dtype != ir::DType::Bool ||
            program_.pool[load.neutral()].dtype != load.dtype)
            return fmt::format("{} loads {} under what is no condition and value", buffer.name,
                               program_.buffer(load.buffer).name);
        std::vector<Axis> loops;
        auto add = [&](const ir::Shape& sizes, ir::Var (*variable)(size_t)) {
            for (size_t k = 0; k < sizes.size(); ++k)
                loops.push_back({variable(k), sizes[k]});
        };
        add(buffer.kind == BufferKind::Scatter ? ir::Shape() : buffer.sizes, dimVar);
        add(buffer.reduced, reduceVar);
        return readsOutside(program_, load, loops);
    }

    /// The memory of what a scatter starts as is the scatter's afterwards.
    bool isBase(BufferId id) const { return bases_.contains(id); }

    Problem checkCheck(const Buffer& buffer, const Expr& e) const {
        if (e.check.index >= program_.checks.size())
            return "body of " + buffer.name + " makes a check that is not listed";
        if (ir::isFloating(e.dtype))
            return "body of " + buffer.name + " checks a floating-point value";
        return std::nullopt;
    }

    Problem checkVariables(const Buffer& buffer, const ir::Sym& sym) const {
        for (ir::Var v : sym.variables()) {
            const bool known = (v.kind == 'd' && v.index < buffer.sizes.size()) ||
                               (v.kind == 'r' && v.index < buffer.reduced.size()) ||
                               program_.isSizeSymbol(v);
            if (!known) return fmt::format("{} uses unknown variable {}", buffer.name, v.str());
        }
        return std::nullopt;
    }

    Problem checkView(const StridedView& view) const {
        const Buffer& buffer = program_.buffer(view.buffer);
        if (view.sizes.size() != view.strides.size())
            return "a view of " + buffer.name + " has a stride too many or too few";
        using Place = __int128; // strides of a made-up program may leave 64 bits
        Place last = program_.hint(view.offset), end = 0;
        for (size_t i = 0; i < view.sizes.size(); ++i) {
            if (view.sizes[i].is(0)) return std::nullopt;
            last += Place(program_.hint(view.sizes[i]) - 1) * program_.hint(view.strides[i]);
        }
        for (size_t i = 0; i < buffer.sizes.size(); ++i)
            end += Place(program_.hint(buffer.sizes[i]) - 1) * program_.hint(buffer.strides[i]);
        if (last > end || program_.hint(view.offset) < 0)
            return "a view of " + buffer.name + " reaches beyond it";
        return std::nullopt;
    }

    const LoopProgram& program_;
    std::set<BufferId> bases_;
};

/// What a kernel says that it reads and writes is what its steps read and write.
Problem verifyAccesses(const LoopProgram& program, const Kernel& kernel, const LoopTree& tree) {
    std::set<BufferId> loaded, stored;
    auto look = [&](ExprId value) {
        program.pool.visit(value, [&](ExprId, const Expr& e) {
            if (e.kind == ExprKind::Load) loaded.insert(e.buffer);
        });
    };
    for (const Step& step : tree.steps) {
        if (step.value.valid()) look(step.value);
        for (const Coord& coord : step.coords)
            if (coord.indirect.valid()) look(coord.indirect);
        if (step.kind == Step::Kind::Store) stored.insert(step.target);
    }
    auto differ = [&](const std::set<BufferId>& found, const std::vector<BufferId>& listed,
                      const char* done, const char* list) -> Problem {
        for (BufferId id : listed)
            if (!found.contains(id))
                return fmt::format("{} is never {}", program.buffer(id).name, done);
        for (BufferId id : found)
            if (std::find(listed.begin(), listed.end(), id) == listed.end())
                return fmt::format("{} is {} but not in {}", program.buffer(id).name, done, list);
        return std::nullopt;
    };
    if (Problem problem = differ(loaded, kernel.reads, "loaded", "reads")) return problem;
    return differ(stored, kernel.writes, "stored", "writes");
}

/// The same of a call.
Problem verifyCall(const Kernel& kernel) {
    if (kernel.writes.empty()) return "a library call that writes nothing";
    std::set<BufferId> read;
    for (const StridedView& view : kernel.call->reads())
        read.insert(view.buffer);
    if (read != std::set<BufferId>(kernel.reads.begin(), kernel.reads.end()))
        return "a library call reads other buffers than the kernel lists";
    return std::nullopt;
}

} // namespace

Problem verify(const LoopProgram& program) {
    return ProgramVerifier(program).run();
}

Problem verify(const KernelProgram& program) {
    if (Problem problem = verify(program.loops)) return problem;
    std::set<BufferId> available;
    std::set<std::string> names;
    for (const Buffer& buffer : program.loops.buffers)
        if (buffer.kind == BufferKind::Input || buffer.kind == BufferKind::Constant ||
            buffer.numel().is(0))
            available.insert(buffer.id);
    for (const Kernel& kernel : program.kernels) {
        if (!names.insert(kernel.name).second) return "two kernels are called " + kernel.name;
        if (kernel.tree.has_value() == kernel.call.has_value())
            return "kernel " + kernel.name + " is not either loops or a library call";
        for (BufferId id : kernel.reads)
            if (!available.contains(id))
                return fmt::format("kernel {} reads {} before it is written", kernel.name,
                                   program.loops.buffer(id).name);
        for (BufferId id : kernel.writes)
            if (const BufferId base = program.loops.buffer(id).base;
                base.valid() && !available.contains(base))
                return fmt::format("kernel {} adds to {} before it is written", kernel.name,
                                   program.loops.buffer(base).name);
        for (BufferId id : kernel.writes)
            if (!available.insert(id).second)
                return fmt::format("kernel {} writes {}, which is written already", kernel.name,
                                   program.loops.buffer(id).name);
        if (!kernel.hasCode()) {
            if (Problem problem = verifyCall(kernel))
                return fmt::format("kernel {}: {}", kernel.name, *problem);
            continue;
        }
        const LoopTree& tree = *kernel.tree;
        Problem problem = verify(program.loops, tree);
        if (!problem && kernel.oneLoop) problem = verify(program.loops, *kernel.oneLoop);
        if (!problem) problem = verifyAccesses(program.loops, kernel, tree);
        if (problem) return fmt::format("kernel {}: {}", kernel.name, *problem);
    }
    for (const StridedView& view : program.loops.outputs)
        if (view.buffer.valid() && !available.contains(view.buffer))
            return fmt::format("output {} is never written",
                               program.loops.buffer(view.buffer).name);
    return std::nullopt;
}

} // namespace cutaway::kernel
