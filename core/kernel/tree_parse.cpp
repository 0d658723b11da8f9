// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/parse_expr.h"
#include "core/kernel/tree_text.h"
#include "core/kernel/verify.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <stdexcept>

namespace cutaway::kernel {

namespace {

std::optional<ReduceOp> reduceNamed(std::string_view word) {
    for (ReduceOp op : {ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Max, ReduceOp::Min, ReduceOp::Any,
                        ReduceOp::All, ReduceOp::ArgMax, ReduceOp::ArgMin, ReduceOp::Welford})
        if (word == text(op)) return op;
    return std::nullopt;
}

class TreeParser {
public:
    TreeParser(LoopProgram& program, std::string_view text, base::Location before)
        : program_(program), text_(text), before_(std::move(before)) {
        for (const Buffer& buffer : program.buffers)
            buffers_[buffer.name] = buffer.id;
        names_.local = [this](std::string_view name) { return find(locals_, name); };
        names_.localType = [this](LocalId id) { return tree_.local(id).dtype; };
        names_.buffer = [this](std::string_view name) { return find(buffers_, name); };
        names_.bufferType = [this](BufferId id) { return program_.buffer(id).dtype; };
        names_.place = [this](BufferId id, std::vector<Coord> c) { return place(id, c); };
    }

    base::Result<LoopTree> run() {
        try {
            while (!text_.empty())
                parseLine();
            complete(program_, tree_);
            auto problem = verify(program_, tree_);
            if (!problem) return std::move(tree_);
            return base::userError({before_.file, before_.line},
                                   "these loops cannot run: " + *problem);
        } catch (const ParseError& error) {
            return wrong(error.what);
        } catch (const std::logic_error& error) { // dtypes that do not fit
            return wrong(error.what());
        }
    }

private:
    base::Diagnostic wrong(std::string_view what) const {
        if (before_.file.empty())
            return base::userError({}, fmt::format("line {} of the loops: {}", line_, what));
        return base::userError({before_.file, before_.line + line_}, std::string(what));
    }

    template <typename Id>
    static std::optional<Id> find(const std::map<std::string, Id, std::less<>>& table,
                                  std::string_view name) {
        auto it = table.find(name);
        return it == table.end() ? std::nullopt : std::optional(it->second);
    }

    /// A single index of a buffer of several dimensions is an offset.
    std::vector<Coord> place(BufferId id, const std::vector<Coord>& coords) const {
        const Buffer& buffer = program_.buffer(id);
        if (coords.size() != 1 || buffer.sizes.size() < 2 || coords[0].indirect.valid())
            return coords;
        std::vector<Coord> digits(buffer.sizes.size());
        ir::Sym rest = coords[0].index;
        for (size_t k = digits.size(); k-- > 1; rest = ir::floorDiv(rest, buffer.sizes[k]))
            digits[k].index = ir::mod(rest, buffer.sizes[k]);
        digits[0].index = rest;
        return digits;
    }

    void parseLine() {
        ++line_;
        const size_t end = std::min(text_.find('\n'), text_.size());
        std::string_view line = text_.substr(0, end);
        text_.remove_prefix(std::min(end + 1, text_.size()));
        const size_t indent = std::min(line.find_first_not_of(' '), line.size());
        TextReader reader(line);
        if (reader.atEnd()) return;
        while (!open_.empty() && open_.back().second >= indent)
            open_.pop_back();
        Step step = reader.take("for") ? loop(reader) : statement(reader);
        if (!reader.atEnd()) throw ParseError{fmt::format("'{}' goes on too long", line)};
        const bool isLoop = step.kind == Step::Kind::Loop;
        const StepId id = tree_.add(std::move(step));
        (open_.empty() ? tree_.root : tree_.steps[open_.back().first.index].body).push_back(id);
        if (isLoop) open_.emplace_back(id, indent);
    }

    ir::Sym index(const SyntaxNode& node) const {
        auto result = indexOf(node);
        if (!result) throw ParseError{"expected an index expression"};
        return *result;
    }

    Step loop(TextReader& reader) {
        Step step;
        step.kind = Step::Kind::Loop;
        const auto variable = variableOf(reader.word());
        if (!variable) throw ParseError{"expected a loop variable: o0, o1, ..., i"};
        reader.expect("in");
        reader.expect("0");
        reader.expect("..");
        const ir::Sym extent = index(reader.expression());
        for (uint32_t k = 0; k < tree_.axes.size(); ++k)
            if (tree_.axes[k] == Axis{*variable, extent}) step.axis = AxisId(k);
        if (!step.axis.valid()) step.axis = tree_.addAxis(*variable, extent);
        if (!reader.take("reduce")) reader.take("scan"); // follows from the steps
        static constexpr std::array<std::pair<const char*, Place>, 6> kPlaces = {
            {{"threads", Place::Threads},
             {"vector", Place::Vector},
             {"unroll", Place::Unroll},
             {"grid", Place::Grid},
             {"block", Place::Block},
             {"lane", Place::Lane}}};
        for (auto [name, place] : kPlaces)
            if (reader.take(name)) step.places |= static_cast<Places>(place);
        if (reader.take("masked")) step.tail = Tail::Mask;
        step.backwards = reader.take("backwards");
        reader.expect(":");
        return step;
    }

    Step statement(TextReader& reader) {
        const std::string name = reader.word();
        if (reader.take("[")) return store(name, reader);
        if (reader.take(":")) return definition(name, reader);
        Step step;
        step.kind = Step::Kind::Update;
        step.locals = {local(name)};
        if (reader.take(",")) step.locals.push_back(local(reader.word()));
        step.reduce = reduction(reader);
        reader.expect("=");
        step.value =
            build(program_.pool, names_, reader.expression(), tree_.local(step.locals[0]).dtype);
        if (reader.take("at")) step.position = index(reader.expression());
        return step;
    }

    LocalId local(std::string_view name) const {
        const auto id = find(locals_, name);
        if (!id) throw ParseError{fmt::format("{} is not started", name)};
        return *id;
    }

    ReduceOp reduction(TextReader& reader) const {
        const std::string word = reader.word();
        const auto op = reduceNamed(word);
        if (!op) throw ParseError{word + " is no reduction"};
        return *op;
    }

    RowCall::Running running(TextReader& reader) const {
        using Running = RowCall::Running;
        const std::string word = reader.word();
        for (Running how :
             {Running::Sum, Running::Product, Running::LogSumExp, Running::Max, Running::Min})
            if (word == text(how)) return how;
        throw ParseError{word + " does not run along a loop"};
    }

    Step definition(std::string name, TextReader& reader) {
        Step step;
        std::vector<std::string> names;
        do {
            if (!names.empty()) {
                name = reader.word();
                reader.expect(":");
            }
            names.push_back(name);
            const std::string type = reader.word();
            const auto dtype = dtypeNamed(type);
            if (!dtype) throw ParseError{type + " is no dtype"};
            TreeLocal local{name, *dtype, {}, {}};
            if (reader.take("["))
                for (const SyntaxNode& node : reader.list("]"))
                    local.axes.push_back(axisOf(node));
            step.locals.push_back(tree_.addLocal(std::move(local)));
        } while (reader.take(","));
        reader.expect("=");
        if (reader.take("start")) {
            step.kind = Step::Kind::Start;
            step.reduce = reduction(reader);
        } else {
            if (reader.take("running")) {
                step.kind = Step::Kind::Scan;
                step.running = running(reader);
                reader.expect("of");
            }
            step.value = build(program_.pool, names_, reader.expression(),
                               tree_.local(step.locals[0]).dtype);
            if (step.kind == Step::Kind::Scan && reader.take("along"))
                step.axis = axisOf(reader.expression());
        }
        for (size_t k = 0; k < names.size(); ++k)
            if (!locals_.emplace(names[k], step.locals[k]).second)
                throw ParseError{names[k] + " is computed twice"};
        return step;
    }

    /// The axis of a variable; one that no loop runs over yet gets its extent from the first loop.
    AxisId axisOf(const SyntaxNode& node) {
        const auto variable = variableOf(node.text);
        if (!variable) throw ParseError{node.text + " is no loop variable"};
        for (uint32_t k = 0; k < tree_.axes.size(); ++k)
            if (tree_.axes[k].variable == *variable) return AxisId(k);
        // Started before its loop: the rest of the text tells how far it runs.
        const std::string head = fmt::format("for {} in 0..", node.text);
        const size_t at = text_.find(head);
        if (at == std::string_view::npos) throw ParseError{"no loop runs over " + node.text};
        TextReader reader(text_.substr(at + head.size()));
        return tree_.addAxis(*variable, index(reader.expression()));
    }

    Step store(const std::string& name, TextReader& reader) {
        Step step;
        step.kind = Step::Kind::Store;
        const auto target = find(buffers_, name);
        if (!target) throw ParseError{name + " is no buffer"};
        step.target = step.from = *target;
        step.coords = place(*target, coordsOf(program_.pool, names_, reader.list("]")));
        if (!reader.take("=")) {
            step.store = StoreKind::Accumulate;
            step.reduce = reduction(reader);
            reader.expect("=");
        }
        step.value =
            build(program_.pool, names_, reader.expression(), program_.buffer(*target).dtype);
        if (!reader.take("by")) return step;
        if (reader.take("atomics")) {
            step.conflict = Conflict::Atomic;
            return step;
        }
        if (reader.take("copies")) {
            step.conflict = Conflict::Copies;
            return step;
        }
        step.conflict = reader.take("sorting") ? Conflict::Sorted : Conflict::Owner;
        if (step.conflict == Conflict::Owner) reader.expect("owner");
        reader.expect("of");
        const ir::Sym dimension = index(reader.expression());
        step.owned = dimension.isConst() ? static_cast<int>(dimension.constant()) : -1;
        return step;
    }

    LoopProgram& program_;
    std::string_view text_;
    base::Location before_; ///< the line before the text's first one, of a file
    LoopTree tree_;
    NameTable names_;
    std::map<std::string, BufferId, std::less<>> buffers_;
    std::map<std::string, LocalId, std::less<>> locals_;
    std::vector<std::pair<StepId, size_t>> open_; ///< loops and their indentation
    int line_ = 0;
};

} // namespace

base::Result<LoopTree> parseTree(LoopProgram& program, std::string_view text,
                                 const base::Location& before) {
    return TreeParser(program, text, before).run();
}

} // namespace cutaway::kernel
