// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/address.h"
#include "core/kernel/tree_text.h"

#include <fmt/format.h>

namespace cutaway::kernel {

namespace {

class TreePrinter {
public:
    TreePrinter(const LoopProgram& program, const LoopTree& tree)
        : program_(program), tree_(tree) {}

    void print(const std::vector<StepId>& steps, int depth) {
        for (StepId id : steps) {
            const Step& step = tree_.step(id);
            text_ += std::string(static_cast<size_t>(depth) * 4, ' ') + line(step) + "\n";
            if (step.kind == Step::Kind::Loop) print(step.body, depth + 1);
        }
    }
    std::string text_;

private:
    std::string line(const Step& step) const {
        switch (step.kind) {
        case Step::Kind::Loop:
            return loopText(step);
        case Step::Kind::Let:
            return fmt::format("{} = {}", declared(step), valueText(step.value));
        case Step::Kind::Start:
            return fmt::format("{} = start {}", declared(step), kernel::text(step.reduce));
        case Step::Kind::Update:
            return fmt::format("{} {}= {}{}", names(step), kernel::text(step.reduce),
                               valueText(step.value),
                               isArg(step.reduce) ? " at " + indexText(step.position) : "");
        case Step::Kind::Scan:
            return fmt::format(
                "{} = running {} of {}{}", declared(step), kernel::text(step.running),
                valueText(step.value),
                step.axis.valid() ? " along " + indexText(tree_.axis(step.axis).variable) : "");
        case Step::Kind::Store:
            break;
        }
        const Buffer& target = program_.buffer(step.target);
        const bool assigns = step.store == StoreKind::Assign;
        return fmt::format("{}[{}] {}= {}{}", target.name, placeText(target, step.coords),
                           assigns ? "" : kernel::text(step.reduce), valueText(step.value),
                           conflictText(step));
    }

    std::string loopText(const Step& step) const {
        const Axis& axis = tree_.axis(step.axis);
        std::string text =
            fmt::format("for {} in 0..{}", indexText(axis.variable), indexText(axis.extent));
        if (step.axisKind == AxisKind::Reduce) text += " reduce";
        if (step.axisKind == AxisKind::Scan) text += " scan";
        auto place = [&](Place place, const char* name) {
            if (has(step.places, place)) text += name;
        };
        place(Place::Threads, " threads");
        place(Place::Vector, " vector");
        place(Place::Unroll, " unroll");
        place(Place::Grid, " grid");
        place(Place::Block, " block");
        place(Place::Lane, " lane");
        if (step.tail == Tail::Mask) text += " masked";
        if (step.backwards) text += " backwards";
        return text + ":";
    }

    static std::string conflictText(const Step& step) {
        switch (step.conflict) {
        case Conflict::None:
            break;
        case Conflict::Owner:
            return fmt::format(" by owner of {}", step.owned);
        case Conflict::Atomic:
            return " by atomics";
        case Conflict::Copies:
            return " by copies";
        case Conflict::Sorted:
            return fmt::format(" by sorting of {}", step.owned);
        }
        return {};
    }

    std::string declared(const Step& step) const {
        std::string text;
        for (LocalId id : step.locals) {
            const TreeLocal& local = tree_.local(id);
            text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", local.name,
                                ir::shortName(local.dtype));
            for (size_t k = 0; k < local.axes.size(); ++k)
                text += (k ? ", " : "[") + indexText(tree_.axis(local.axes[k]).variable);
            if (!local.axes.empty()) text += "]";
        }
        return text;
    }
    std::string names(const Step& step) const {
        std::string text;
        for (LocalId id : step.locals)
            text += (text.empty() ? "" : ", ") + tree_.local(id).name;
        return text;
    }

    std::string valueText(ExprId id) const {
        ExprPool::Names names;
        names.buffer = [this](BufferId b) { return program_.buffer(b).name; };
        names.local = [this](LocalId l) { return tree_.local(l).name; };
        names.place = [this](const Expr& load) -> std::string {
            for (const Coord& c : load.coords)
                if (c.indirect.valid()) return {};
            return placeText(program_.buffer(load.buffer), load.coords);
        };
        return program_.pool.str(id, names);
    }

    /// Coordinates, or one offset where coordinates are digits of a merged loop's index.
    std::string placeText(const Buffer& buffer, const std::vector<Coord>& coords) const {
        std::string text;
        bool plain = true;
        for (const Coord& c : coords) {
            const std::string one = c.indirect.valid() ? valueText(c.indirect) : indexText(c.index);
            text += (text.empty() ? "" : ", ") + one;
            plain = plain && (c.indirect.valid() || one.find_first_of("/%") == std::string::npos);
        }
        const auto offset = offsetOf(buffer, coords);
        if (plain || coords.size() < 2 || !offset ||
            buffer.strides != ir::contiguousStrides(buffer.sizes))
            return text;
        const std::string flat = indexText(*offset);
        return flat.find_first_of("/%") == std::string::npos ? flat : text;
    }

    const LoopProgram& program_;
    const LoopTree& tree_;
};

} // namespace

std::string print(const LoopProgram& program, const LoopTree& tree, int depth) {
    TreePrinter printer(program, tree);
    printer.print(tree.root, depth);
    return printer.text_;
}

} // namespace cutaway::kernel
