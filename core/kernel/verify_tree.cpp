// SPDX-License-Identifier: Apache-2.0
// Invariants of loop trees.
#include "core/kernel/masked_read.h"
#include "core/kernel/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace cutaway::kernel {

namespace {

using Problem = std::optional<std::string>;

class TreeVerifier {
public:
    TreeVerifier(const LoopProgram& program, const LoopTree& tree)
        : program_(program), tree_(tree), seen_(tree.steps.size()),
          definitions_(tree.locals.size()) {}

    Problem run() {
        if (Problem problem = checkSteps(tree_.root)) return problem;
        for (size_t i = 0; i < definitions_.size(); ++i)
            if (!definitions_[i].known) return tree_.locals[i].name + " is never computed";
        if (tree_.sizeArguments != sizeSymbols(program_, tree_))
            return "size arguments are not the size symbols that the tree names";
        return std::nullopt;
    }

private:
    struct Definition {
        bool known = false;
        bool started = false; ///< by Start, not by Let
        std::vector<StepId> open;
    };

    Problem checkSteps(const std::vector<StepId>& steps) {
        for (StepId id : steps) {
            if (id.index >= seen_.size()) return "a step that is not in the tree";
            if (seen_[id.index]) return "a step stands at two places of the tree";
            seen_[id.index] = true;
            const Step& step = tree_.step(id);
            if (Problem problem =
                    step.kind == Step::Kind::Loop ? checkLoop(id, step) : checkStatement(step))
                return problem;
        }
        return std::nullopt;
    }

    Problem checkLoop(StepId id, const Step& step) {
        if (step.axis.index >= tree_.axes.size()) return "a loop over an axis that is not listed";
        const Axis& axis = tree_.axis(step.axis);
        const std::string name = axis.variable.str();
        if (isOpen(step.axis)) return "a loop over " + name + " inside another one";
        for (ir::Var v : axis.extent.variables())
            if (v.kind != 's') return "the extent of " + name + " depends on " + v.str();
        if (step.axisKind != kindOf(program_, tree_, id))
            return "the loop over " + name + " is of another kind than its steps make it";
        if (step.axisKind == AxisKind::Scan && (step.places & ~sharedByScans(step)) != 0)
            return "the loop over " + name + " is a scan: its iterations cannot be shared";
        // Lanes are added one after the other.
        if (step.axisKind == AxisKind::Reduce && (step.places & ~(Place::Vector | Place::Unroll)))
            if (Problem problem = checkConflicts(id, step, name)) return problem;
        open_.push_back(id);
        Problem problem = checkSteps(step.body);
        open_.pop_back();
        return problem;
    }

    /// Lanes and the threads of a block combine what they have where nothing but Scan steps depends on
    /// the iterations before; threads whose parts are lanes do, too.
    Places sharedByScans(const Step& loop) const {
        std::set<LocalId> updated;
        bool read = false;
        for (StepId id : loop.body) {
            const Step& step = tree_.step(id);
            if (step.kind == Step::Kind::Update)
                updated.insert(step.locals.begin(), step.locals.end());
        }
        visitSteps(tree_, loop.body, [&](const Step& step, const std::vector<StepId>&) {
            if (step.value.valid())
                program_.pool.visit(step.value, [&](ExprId, const Expr& e) {
                    read = read || (e.kind == ExprKind::Local && updated.contains(e.local));
                });
        });
        const auto unrolled = static_cast<Places>(Place::Unroll);
        if (read) return unrolled;
        const auto parts = static_cast<Places>(
            has(loop.places, Place::Vector) ? static_cast<Places>(Place::Threads) : 0);
        return parts | unrolled | (Place::Vector | Place::Block) | static_cast<Places>(Place::Lane);
    }

    /// Shared iterations that meet in one element of memory need a policy.
    Problem checkConflicts(StepId loop, const Step& step, const std::string& name) const {
        Problem problem;
        visitSteps(tree_, step.body, [&](const Step& s, const std::vector<StepId>&) {
            if (s.kind != Step::Kind::Store || s.store != StoreKind::Accumulate) return;
            if (s.conflict != Conflict::None) return;
            const bool apart = std::any_of(s.coords.begin(), s.coords.end(), [&](const Coord& c) {
                return !c.indirect.valid() &&
                       c.index.asVar() == tree_.axis(tree_.step(loop).axis).variable;
            });
            if (!apart)
                problem = fmt::format("iterations of {} meet in {} without a policy for it", name,
                                      program_.buffer(s.target).name);
        });
        return problem;
    }

    Problem checkStatement(const Step& step) {
        if (step.value.valid() == (step.kind == Step::Kind::Start))
            return "a statement without a value";
        if (step.value.valid())
            if (Problem problem = checkValue(step.value)) return problem;
        if (Problem problem = checkVariables(step.position)) return problem;
        if (step.kind == Step::Kind::Store) return checkStore(step);
        const bool pair = step.kind == Step::Kind::Scan
                              ? givesPlaces(step.running)
                              : step.kind != Step::Kind::Let && givesTwo(step.reduce);
        if (step.kind == Step::Kind::Scan)
            if (Problem problem = checkScan(step)) return problem;
        const size_t count = pair ? 2 : 1;
        if (step.locals.size() != count) return "a statement with too many or too few results";
        for (size_t k = 0; k < count; ++k)
            if (Problem problem = checkLocal(step, k)) return problem;
        return std::nullopt;
    }

    Problem checkScan(const Step& step) const {
        const ir::DType dtype = program_.pool[step.value].dtype;
        if (open_.empty() || (step.axis.valid() && !isOpen(step.axis)))
            return "a running value outside a loop";
        if (step.running == RowCall::Running::LogSumExp && !ir::isFloating(dtype))
            return "exponentials of integers are summed";
        if (dtype == ir::DType::Bool) return "a running value of truth values";
        return std::nullopt;
    }

    Problem checkLocal(const Step& step, size_t k) {
        const LocalId id = step.locals[k];
        if (id.index >= definitions_.size()) return "a value that is not listed";
        const TreeLocal& local = tree_.local(id);
        Definition& definition = definitions_[id.index];
        if (step.kind == Step::Kind::Update) {
            if (!definition.started) return local.name + " is updated but not an accumulator";
            return checkUse(id);
        }
        // Another loop may make it again.
        if (definition.known && !(step.kind == Step::Kind::Let && checkUse(id)))
            return local.name + " is computed twice";
        definition = {true, step.kind == Step::Kind::Start, open_};
        if (step.kind == Step::Kind::Start) return std::nullopt;
        for (AxisId axis : local.axes)
            if (!isOpen(axis)) return local.name + " is computed outside its loops";
        if (step.kind == Step::Kind::Scan && k == 1)
            return local.dtype == ir::DType::Int64 ? Problem() : local.name + " is no position";
        if (program_.pool[step.value].dtype != local.dtype)
            return local.name + " is computed as " +
                   std::string(ir::name(program_.pool[step.value].dtype));
        return std::nullopt;
    }

    Problem checkStore(const Step& step) {
        if (!step.target.valid() || step.target.index >= program_.buffers.size())
            return "a store to no buffer";
        const Buffer& target = program_.buffer(step.target);
        if (step.coords.size() != target.sizes.size())
            return "a store to " + target.name + " has other coordinates than its sizes";
        if (program_.pool[step.value].dtype != ir::computeType(target.dtype))
            return target.name + " is stored with another dtype";
        for (const Coord& coord : step.coords) {
            if (coord.indirect.valid()) {
                if (Problem problem = checkValue(coord.indirect)) return problem;
            } else if (Problem problem = checkVariables(coord.index)) {
                return problem;
            }
        }
        const bool assigned = step.store == StoreKind::Assign;
        if (assigned && !assigned_.insert(step.target).second)
            return target.name + " is stored twice";
        if (assigned && step.conflict != Conflict::None)
            return target.name + " is assigned: there is nothing to accumulate in an order";
        if (!assigned && givesTwo(step.reduce))
            return fmt::format("{} cannot accumulate {}", target.name, text(step.reduce));
        const bool divides = step.conflict == Conflict::Owner || step.conflict == Conflict::Sorted;
        if (divides && (step.owned < 0 || static_cast<size_t>(step.owned) >= target.sizes.size()))
            return target.name + " is divided along a dimension that it has not";
        return std::nullopt;
    }

    Problem checkValue(ExprId root) const {
        Problem problem;
        program_.pool.visit(root, [&](ExprId, const Expr& e) {
            if (problem) return;
            if (e.kind == ExprKind::Local) problem = checkUse(e.local);
            if (e.kind == ExprKind::Load &&
                e.coords.size() != program_.buffer(e.buffer).sizes.size())
                problem = fmt::format("{} is loaded with {} coordinates",
                                      program_.buffer(e.buffer).name, e.coords.size());
            if (!problem) problem = checkVariables(e.index);
            for (const Coord& c : e.coords)
                if (!problem) problem = checkVariables(c.index);
            if (problem || !e.isMasked()) return;
            std::vector<Axis> loops;
            for (StepId loop : open_)
                loops.push_back(tree_.axis(tree_.step(loop).axis));
            problem = readsOutside(program_, e, loops);
        });
        return problem;
    }

    Problem checkUse(LocalId id) const {
        if (id.index >= definitions_.size()) return "a value that is not listed";
        const TreeLocal& local = tree_.local(id);
        const Definition& definition = definitions_[id.index];
        if (!definition.known) return local.name + " is used before it is computed";
        for (AxisId axis : local.axes)
            if (!isOpen(axis))
                return fmt::format("{} is used outside a loop over {}", local.name,
                                   tree_.axis(axis).variable.str());
        for (StepId around : definition.open) {
            const bool own = std::find(local.axes.begin(), local.axes.end(),
                                       tree_.step(around).axis) != local.axes.end();
            if (!own && std::find(open_.begin(), open_.end(), around) == open_.end())
                return local.name + " is used outside its loop";
        }
        return std::nullopt;
    }

    Problem checkVariables(const ir::Sym& sym) const {
        for (ir::Var v : sym.variables()) {
            if (v.kind == 's') continue;
            const bool open = std::any_of(open_.begin(), open_.end(), [&](StepId id) {
                return tree_.axis(tree_.step(id).axis).variable == v;
            });
            if (!open) return "variable " + v.str() + " is used outside its loop";
        }
        return std::nullopt;
    }

    bool isOpen(AxisId axis) const {
        return std::any_of(open_.begin(), open_.end(),
                           [&](StepId id) { return tree_.step(id).axis == axis; });
    }

    const LoopProgram& program_;
    const LoopTree& tree_;
    std::vector<bool> seen_;
    std::vector<Definition> definitions_;
    std::vector<StepId> open_;
    std::set<BufferId> assigned_;
};

} // namespace

Problem verify(const LoopProgram& program, const LoopTree& tree) {
    return TreeVerifier(program, tree).run();
}

} // namespace cutaway::kernel
