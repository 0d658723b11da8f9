// SPDX-License-Identifier: Apache-2.0
#include "core/capture/torch_calls.h"

#include "core/capture/capture.h"
#include "core/capture/frame.h"
#include "core/capture/graph_rows.h"
#include "core/capture/script_graph.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

/// An argument of a call.
struct TorchCalls::Piece {
    enum class Kind : uint8_t { Value, Row, Input, Size, Tuple, List, Dict, Slice };
    Kind kind = Kind::Value;
    Val value; ///< what it is; of a dict the list of its keys
    size_t row = 0;
    ir::NodeId input;
    ir::Sym size;
    std::optional<ir::Condition> truth; ///< of a size
    std::vector<Piece> parts;

    bool operator==(const Piece& o) const {
        return kind == o.kind && row == o.row && input == o.input && size == o.size &&
               truth == o.truth;
    }
};

/// A function that an operator calls: rows that stand where rows of the graph around it begin.
struct TorchCalls::Body {
    size_t first = 0;
    std::vector<Row> rows;
    Piece result;
};

struct TorchCalls::Row {
    const char* op;
    Val target;
    std::vector<Piece> args;
    std::vector<std::pair<Val, Piece>> keywords;
    std::string hint; ///< the local that it is written to
    std::optional<ir::TensorType> type;
    ir::SourceStack source;
    bool own = false;          ///< an operation of the script, which runs as it is
    bool item = false;         ///< of a tuple: left out where nothing uses it
    uint32_t from = 0, to = 0; ///< ids of the operations that it consists of
    std::vector<Body> bodies;  ///< of torch.cond: true, false
};

/// Visits the arguments of rows, those in bodies included; not their parts.
template <typename Rows, typename Visit>
void TorchCalls::eachPiece(Rows& rows, const Visit& visit) {
    for (auto& row : rows) {
        for (auto& arg : row.args)
            visit(arg);
        for (auto& [name, value] : row.keywords)
            visit(value);
        for (auto& body : row.bodies) {
            eachPiece(body.rows, visit);
            visit(body.result);
        }
    }
}

TorchCalls::TorchCalls(Interp& in, Capture& capture, bool gradMode)
    : in_(in), capture_(capture), gradMode_(gradMode) {}

TorchCalls::~TorchCalls() = default;

size_t TorchCalls::size() const {
    return rows_.size();
}

void TorchCalls::rollBack(size_t size) {
    rows_.resize(size, Row{});
    std::erase_if(open_, [&](size_t row) { return row >= size; });
    std::erase_if(objects_, [&](const auto& known) { return known.second >= size; });
    std::erase_if(values_, [&](const auto& known) { return known.second >= size; });
}

/// The locals that a result is written to next: of a tuple that is unpacked, one for each element.
static std::vector<std::string> hintsOf(const Frame* frame, const Frame* root) {
    auto at = [](const Frame& f, size_t ip) {
        return ip < f.code->instructions.size() ? f.code->instructions[ip] : Instruction{};
    };
    while (frame && at(*frame, frame->ip + 1).op == Op::Return && frame != root)
        frame = frame->caller;
    if (!frame) return {};
    std::vector<std::string> names;
    size_t ip = frame->ip + 1, count = 1;
    if (const Instruction next = at(*frame, ip); next.op == Op::Unpack) {
        count = static_cast<size_t>(next.a);
        ++ip;
    }
    for (; count > 0; --count, ++ip) {
        const Instruction next = at(*frame, ip);
        names.push_back(next.op == Op::StoreFast ? frame->code->locals[static_cast<size_t>(next.a)]
                                                 : std::string());
    }
    return names;
}

/// Whether the result of the running instruction is thrown away.
static bool isDropped(const Frame* frame) {
    const size_t ip = frame ? frame->ip + 1 : 0;
    return frame && ip < frame->code->instructions.size() &&
           frame->code->instructions[ip].op == Op::Pop;
}

/// Methods that do more than compute.
static bool isBeside(std::string_view name) {
    constexpr std::string_view kNames[] = {"backward", "register_hook", "retain_grad", "set_",
                                           "register_post_accumulate_grad_hook"};
    return std::ranges::find(kNames, name) != std::end(kNames);
}

Val TorchCalls::call(const Val& callee, const Arguments& arguments) {
    std::vector<Val> args(arguments.positional.begin(), arguments.positional.end());
    Row row{};
    auto* method = callee.to<MethodObj>();
    if (method && !method->self.is(Kind::Tensor)) return {};
    auto* instance = callee.to<InstanceObj>();
    row.own = instance && instance->type->find(in_.intern("_opoverload")); // of torch.library
    std::string own = method ? tensorMethod(*method) : std::string();
    if (method) {
        const Val* known = in_.tensorClass()->find(in_.intern(own));
        if (own.empty() ||
            (method->function.is(Kind::Function) && !(known && known->identical(method->function))))
            return {};
        args.insert(args.begin(), method->self);
    } else if (!row.own && !isFunctionOfTorch(in_, callee)) {
        return {};
    } else if (auto* builtin = callee.to<BuiltinObj>();
               builtin && builtin->name.starts_with("Tensor.")) {
        own = builtin->name.substr(builtin->name.find('.') + 1);
    }
    if (isBeside(own)) whole_ = false;
    row.op = own.empty() ? "call_function" : "call_method";
    row.target = own.empty() ? callee : in_.str(own);
    return record(std::move(row), args, &arguments,
                  [&] { return in_.call(callee, arguments.positional, arguments.keywords); });
}

/// "__and__" is operator.and_, "__iadd__" operator.iadd.
static std::string operatorName(std::string_view method) {
    if (method.starts_with("__")) method = method.substr(2, method.size() - 4);
    return std::string(method) + (method == "and" || method == "or" ? "_" : "");
}

Val TorchCalls::operation(const char* name, const std::vector<Val>& args,
                          const std::function<Val()>& compute) {
    Row row{};
    row.op = "call_function";
    row.target = in_.str(operatorName(name));
    return record(std::move(row), args, nullptr, compute);
}

static bool holdsTensor(const Val& v) {
    if (v.is(Kind::Tensor)) return true;
    if (auto* tuple = v.to<TupleObj>()) return std::ranges::any_of(tuple->items, holdsTensor);
    auto* list = v.to<ListObj>();
    return list && std::ranges::any_of(list->items, holdsTensor);
}

Val TorchCalls::quietly(const std::function<Val()>& compute) {
    struct Quiet {
        TorchOverrides& overrides;
        TorchCalls& calls;
        ~Quiet() {
            overrides.calls = &calls;
            calls.busy_ = false;
        }
    } quiet{in_.torchOverrides, *this};
    in_.torchOverrides.calls = nullptr;
    busy_ = true;
    return compute();
}

Val TorchCalls::record(Row row, const std::vector<Val>& args, const Arguments* given,
                       const std::function<Val()>& compute) {
    const Frame* frame = in_.top();
    const std::vector<std::string> names = hintsOf(frame, capture_.root_);
    const bool dropped = isDropped(frame);
    const bool whole = whole_;
    noteGradMode(in_.gradMode());
    for (const Val& arg : args)
        row.args.push_back(piece(arg));
    if (given)
        for (const auto& [name, v] : given->keywords)
            row.keywords.emplace_back(Val(name), piece(v));
    row.from = static_cast<uint32_t>(capture_.graph.idLimit());
    const Val result = quietly(compute);
    row.to = static_cast<uint32_t>(capture_.graph.idLimit());
    auto* number = result.to<NumberObj>();
    if (!holdsTensor(result) && !number) {
        const bool computed = row.from != row.to;
        whole_ = computed ? whole_ && result.isNone() : whole;
        if (!computed || !result.isNone()) return result; // a size, a dtype, a number of the graph
    }
    row.source = capture_.sourceStack();
    if (names.size() == 1) row.hint = names[0];
    const size_t at = rows_.size();
    rows_.push_back(std::move(row));
    const bool changes = !args.empty() && args[0].is(Kind::Tensor) &&
                         (result.isNone() || result.object() == args[0].object());
    if (changes && dropped && result.is(Kind::Tensor))
        rows_[at].type = in_.world().type(*result.as<TensorObj>());
    if (changes && (dropped || result.isNone())) return result; // it is called as before
    if (number) {
        objects_[number->serial] = at;
        return result;
    }
    if (auto* t = result.to<TensorObj>()) {
        rows_[at].type = in_.world().type(*t);
        objects_[t->serial] = at;
        values_[capture_.nodeOf(*t)] = at;
        return result;
    }
    keep(result, at);
    if (names.size() > 1) {
        size_t name = 0;
        for (size_t i = at + 1; i < rows_.size() && name < names.size(); ++i)
            if (rows_[i].args[0].row == at) rows_[i].hint = names[name++];
    }
    return result;
}

/// Elements of a tuple are rows of their own.
void TorchCalls::keep(const Val& result, size_t row) {
    auto item = [&](const Val& v, int64_t i) {
        if (!holdsTensor(v)) return;
        Row made{};
        made.op = "call_function";
        made.target = in_.str("getitem");
        Piece whole, index;
        whole.kind = Piece::Kind::Row;
        whole.row = row;
        index.value = Val::integer(i);
        made.args = {whole, index};
        made.item = true;
        made.source = rows_[row].source;
        const size_t at = rows_.size();
        if (auto* t = v.to<TensorObj>()) {
            made.type = in_.world().type(*t);
            objects_[t->serial] = at;
            values_[capture_.nodeOf(*t)] = at;
        }
        rows_.push_back(std::move(made));
        if (!v.is(Kind::Tensor)) keep(v, at);
    };
    const std::vector<Val> items = in_.items(result);
    for (size_t i = 0; i < items.size(); ++i)
        item(items[i], static_cast<int64_t>(i));
}

TorchCalls::Body TorchCalls::body(const Val& function, std::span<const Val> operands, Val& result) {
    Body made;
    made.first = rows_.size();
    result = in_.call(function, operands);
    made.result = piece(result);
    for (size_t i = made.first; i < rows_.size(); ++i)
        made.rows.push_back(std::move(rows_[i]));
    rollBack(made.first);
    return made;
}

Val TorchCalls::branches(const Val& condition, std::span<const Val> functions,
                         std::span<const Val> operands,
                         const std::function<Val(const Val&, const Val&)>& choose) {
    noteGradMode(in_.gradMode());
    Row row{};
    row.op = "call_function";
    row.target = in_.str("cond");
    row.source = capture_.sourceStack();
    row.args = {piece(condition)};
    row.from = static_cast<uint32_t>(capture_.graph.idLimit());
    std::vector<Val> results(functions.size());
    for (size_t i = 0; i < functions.size(); ++i)
        row.bodies.push_back(body(functions[i], operands, results[i]));
    const Val chosen = quietly([&] { return choose(results[0], results[1]); });
    row.to = static_cast<uint32_t>(capture_.graph.idLimit());
    const size_t at = rows_.size();
    rows_.push_back(std::move(row));
    keep(chosen, at);
    return chosen;
}

void TorchCalls::asserts(const Val& condition, const std::string& message) {
    Row row{};
    row.op = "call_function";
    row.target = condition.is(Kind::Tensor)
                     ? in_.getAttr(in_.import("torch"), in_.intern("_assert_async"))
                     : writtenInScript(in_, "overloads", "_assert_scalar");
    row.args = {piece(condition), piece(in_.str(message))};
    row.source = capture_.sourceStack();
    rows_.push_back(std::move(row));
}

void TorchCalls::noteGradMode(bool now) {
    if (gradMode_ == now) return;
    gradMode_ = now;
    Row row{};
    row.op = "call_function";
    row.target = in_.str("_set_grad_enabled");
    Piece mode;
    mode.value = Val::boolean(gradMode_);
    row.args = {mode};
    rows_.push_back(std::move(row));
}

void TorchCalls::beginAutocast(const std::vector<Val>& args) {
    Row row{};
    row.op = "call_function";
    row.target = in_.str("_enter_autocast");
    for (const Val& arg : args)
        row.args.push_back(piece(arg));
    open_.push_back(rows_.size());
    rows_.push_back(std::move(row));
}

void TorchCalls::endAutocast() {
    if (open_.empty()) { // of a block that began before the graph did
        whole_ = false;
        return;
    }
    Row row{};
    row.op = "call_function";
    row.target = in_.str("_exit_autocast");
    Piece mode;
    mode.kind = Piece::Kind::Row;
    mode.row = open_.back();
    row.args = {mode};
    open_.pop_back();
    rows_.push_back(std::move(row));
}

TorchCalls::Piece TorchCalls::pieceOf(TensorObj& t) {
    Piece made;
    made.kind = Piece::Kind::Row;
    if (auto known = objects_.find(t.serial); known != objects_.end()) {
        made.row = known->second;
        return made;
    }
    const ir::NodeId node = capture_.nodeOf(t);
    if (auto known = values_.find(node); known != values_.end()) {
        made.row = known->second;
        return made;
    }
    made.kind = Piece::Kind::Input;
    made.input = node;
    if (!t.fake) { // also where it was written to: it is the same tensor
        const auto input = capture_.placeholders_.find(&t);
        if (input != capture_.placeholders_.end()) {
            made.input = input->second;
            return made;
        }
    }
    if (t.fake || capture_.graph.node(node).kind != ir::NodeKind::Placeholder) whole_ = false;
    return made;
}

/// A number that the calls compute; one that the call gives is asked of a tensor.
TorchCalls::Piece TorchCalls::pieceOf(NumberObj& number) {
    Piece made;
    made.kind = Piece::Kind::Row;
    if (const auto known = objects_.find(number.serial); known != objects_.end()) {
        made.row = known->second;
    } else if (capture_.isFloatInput(number)) {
        Row row{};
        row.op = "call_method";
        row.target = in_.str("item");
        row.source = capture_.sourceStack();
        Piece given;
        given.kind = Piece::Kind::Input;
        given.input = number.tensor->fake->node;
        row.args = {given};
        made.row = objects_[number.serial] = rows_.size();
        rows_.push_back(std::move(row));
    } else {
        whole_ = false;
    }
    return made;
}

TorchCalls::Piece TorchCalls::piece(const Val& v) {
    Piece made;
    auto parts = [&](Piece::Kind kind, std::span<const Val> items) {
        made.kind = kind;
        for (const Val& item : items)
            made.parts.push_back(piece(item));
        return made;
    };
    if (auto* t = v.to<TensorObj>()) return pieceOf(*t);
    if (auto* tuple = v.to<TupleObj>()) return parts(Piece::Kind::Tuple, tuple->items);
    if (auto* list = v.to<ListObj>()) return parts(Piece::Kind::List, list->items);
    if (auto* slice = v.to<SliceObj>())
        return parts(Piece::Kind::Slice, std::vector<Val>{slice->start, slice->stop, slice->step});
    if (auto* dict = v.to<DictObj>()) {
        std::vector<Val> keys, values;
        for (const auto& entry : dict->entries()) {
            keys.push_back(entry.key);
            values.push_back(entry.value);
        }
        made.value = in_.list(std::move(keys));
        return parts(Piece::Kind::Dict, values);
    }
    if (auto* symbol = v.to<SymbolObj>()) {
        made.kind = Piece::Kind::Size;
        made.size = symbol->size;
        return made;
    }
    if (auto* number = v.to<NumberObj>()) return pieceOf(*number);
    if (auto* truth = v.to<TruthObj>()) {
        made.kind = Piece::Kind::Size;
        made.truth = truth->condition;
        return made;
    }
    const bool plain = !v.isObject() || v.is(Kind::Str) || v.is(Kind::Integer) ||
                       v.is(Kind::Real) || v.is(Kind::Complex) || v.is(Kind::Range);
    if (!plain) whole_ = false;
    made.value = v.bound() ? v : Val::none();
    return made;
}

void TorchCalls::output(size_t number, TensorObj& t) {
    if (const auto written = capture_.writtenAt_.find(&t); written != capture_.writtenAt_.end()) {
        const uint32_t id = capture_.written_[written->second].now.node.index;
        if (std::ranges::none_of(rows_,
                                 [&](const Row& row) { return row.from <= id && id < row.to; }))
            whole_ = false; // something else wrote to it
    }
    const auto input = capture_.placeholders_.find(&t);
    if (t.fake) given_.emplace(t.serial, number);
    if (t.fake)
        outputs_.emplace(number, pieceOf(t));
    else if (input == capture_.placeholders_.end())
        whole_ = false; // written only: it is no input
    else if (!outputs_.contains(number))
        written_.emplace(number, input->second);
}

void TorchCalls::returns(const Val& result) {
    size_t before = 0;
    std::set<uint64_t> seen;
    const std::function<void(const Val&)> visit = [&](const Val& v) {
        if (auto* tuple = v.to<TupleObj>())
            for (const Val& item : tuple->items)
                visit(item);
        if (auto* list = v.to<ListObj>())
            for (const Val& item : list->items)
                visit(item);
        auto* t = v.to<TensorObj>();
        if (!t || !seen.insert(t->serial).second) return;
        if (const auto given = given_.find(t->serial); given != given_.end()) {
            before = given->second + 1;
            return;
        }
        const bool input = !t->fake && capture_.placeholders_.contains(t);
        if (objects_.contains(t->serial) || (input && v.identical(result)))
            beside_.emplace_back(before, pieceOf(*t));
    };
    visit(result);
}

std::vector<size_t> TorchCalls::beside() const {
    std::vector<size_t> places;
    for (const auto& [before, piece] : beside_)
        places.push_back(before);
    return places;
}

std::map<size_t, size_t> TorchCalls::written(const ir::Graph& graph) const {
    std::map<size_t, size_t> found;
    for (const auto& [number, input] : written_) {
        size_t at = 0;
        for (ir::NodeId id : graph.placeholders()) {
            if (id == input) found[number] = at;
            at += names_.contains(id);
        }
    }
    return found;
}

std::set<ir::NodeId> TorchCalls::inputs() const {
    std::set<ir::NodeId> found;
    std::function<void(const Piece&)> visit = [&](const Piece& piece) {
        if (piece.kind == Piece::Kind::Input) found.insert(piece.input);
        std::ranges::for_each(piece.parts, visit);
    };
    eachPiece(rows_, visit);
    for (const auto& [number, piece] : outputs_)
        visit(piece);
    for (const auto& [before, piece] : beside_)
        visit(piece);
    for (const auto& [number, input] : written_)
        found.insert(input);
    return found;
}

/// The way to a tensor from what the function is given, in PyTorch's words:
/// L_self_modules_linear_parameters_weight_
std::string TorchCalls::nameOf(int32_t source) const {
    std::string text;
    for (int32_t at = source; at >= 0;) {
        const Capture::Source& here = capture_.sources_[static_cast<size_t>(at)];
        const Capture::Source* owner = nullptr;
        int32_t parent = here.parent;
        while (parent >= 0 && !here.text.starts_with(capture_.sourceText(parent)))
            parent = capture_.sources_[static_cast<size_t>(parent)].parent;
        if (parent >= 0) owner = &capture_.sources_[static_cast<size_t>(parent)];
        std::string step = owner ? here.text.substr(owner->text.size()) : here.text;
        if (!owner && step.starts_with("self")) step = "L_self_" + step.substr(4);
        auto* module = owner && owner->object && owner->object->kind == Kind::Instance
                           ? static_cast<const InstanceObj*>(owner->object)
                           : nullptr;
        if (module && module->type->module && step.starts_with('.')) {
            const std::string name = step.substr(1);
            auto in = [&](const char* table) {
                const Val* names = module->attributes->find(in_.intern(table));
                auto* dict = names ? names->to<DictObj>() : nullptr;
                return dict && dict->find(in_.intern(name.substr(0, name.find('.'))));
            };
            if (in("_parameters")) step = "_parameters_" + name + "_";
            if (in("_buffers")) step = "_buffers_" + name + "_";
            if (in("_modules")) step = "_modules_" + name + "_";
        }
        text = step + "|" + text;
        at = parent;
    }
    std::string name;
    for (char c : text) {
        const bool word = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (word)
            name += c;
        else if (c != '|' && !name.empty() && name.back() != '_')
            name += '_';
    }
    return name;
}

void TorchCalls::settle(Piece& piece) {
    const ir::ShapeEnv* sizes = capture_.settledSizes();
    if (piece.kind == Piece::Kind::Size && sizes) piece.size = sizes->replaced(piece.size);
    if (piece.truth && sizes) {
        piece.truth->a = sizes->replaced(piece.truth->a);
        piece.truth->b = sizes->replaced(piece.truth->b);
    }
    for (Piece& part : piece.parts)
        settle(part);
}

/// Sizes found equal are written alike.
void TorchCalls::settle(std::vector<Row>& rows) {
    const ir::ShapeEnv* sizes = capture_.settledSizes();
    for (Row& row : rows) {
        if (sizes && row.type)
            for (auto* numbers : {&row.type->sizes, &row.type->strides})
                for (ir::Sym& number : *numbers)
                    number = sizes->replaced(number);
        for (Body& body : row.bodies)
            settle(body.rows);
    }
}

bool TorchCalls::computes() const {
    return std::ranges::any_of(rows_, [&](const Row& row) {
        auto* name = row.target.to<StrObj>();
        return !row.item && !(name && name->text.starts_with('_'));
    });
}

bool TorchCalls::finish(bool gradMode, const std::vector<LaterCheck>& checks) {
    const ir::Graph& graph = capture_.graph;
    const auto ofOwn = [&](ir::NodeId id) { // with its own gradient
        return std::ranges::any_of(rows_, [&](const Row& row) {
            return row.own && row.from <= id.index && id.index < row.to;
        });
    };
    for (ir::NodeId id : graph.order())
        if (graph.node(id).op.starts_with("prims.custom_function") && !ofOwn(id)) whole_ = false;
    for (size_t i = 0; i < graph.outputs.size(); ++i)
        if (graph.outputs[i].valid() && !outputs_.contains(i) && !written_.contains(i) &&
            !isOnlyChecked(checks, i))
            whole_ = false;
    for (const LaterCheck& check : checks)
        if (check.only) checked_.insert(static_cast<size_t>(check.output));
    if (!whole_) return false;
    while (!open_.empty())
        endAutocast();
    noteGradMode(gradMode);
    eachPiece(rows_, [&](Piece& piece) { settle(piece); });
    settle(rows_);
    for (const auto& [id, source] : capture_.inputs_) {
        if (!graph.contains(id) || source < 0) continue;
        auto* t = const_cast<Object*>(capture_.sourceObject(source));
        const bool parameter =
            t && t->kind == Kind::Tensor && static_cast<TensorObj*>(t)->parameter;
        names_[id] = {nameOf(source), parameter};
    }
    return true;
}

void TorchCalls::addSymbols(std::set<ir::Var>& found) const {
    const auto add = [&](const ir::Sym& size) {
        const std::vector<ir::Var> variables = size.variables();
        found.insert(variables.begin(), variables.end());
    };
    std::function<void(const Piece&)> visit = [&](const Piece& piece) {
        if (piece.truth) {
            add(piece.truth->a);
            add(piece.truth->b);
        } else if (piece.kind == Piece::Kind::Size) {
            add(piece.size);
        }
        std::ranges::for_each(piece.parts, visit);
    };
    eachPiece(rows_, visit);
}

/// A graph that is written down: the whole, or a body of one of its rows.
struct TorchCalls::Scope {
    Val recording;
    size_t first = 0;                              ///< row
    std::vector<Val> nodes;                        ///< of its rows
    std::vector<std::pair<Piece, Val>> taken = {}; ///< what it has from outside
    Val find(const Piece& piece) const {
        const auto known = std::ranges::find(taken, piece, &std::pair<Piece, Val>::first);
        return known == taken.end() ? Val() : known->second;
    }
};

Val TorchCalls::tell(const Scope& scope, const char* method, std::vector<Val> args) const {
    return in_.call(in_.getAttr(scope.recording, in_.intern(method)), args);
}

Val TorchCalls::build(const Scope& scope, const Piece& piece) const {
    if (Val taken = scope.find(piece); taken.bound()) return taken;
    std::vector<Val> parts;
    for (const Piece& part : piece.parts)
        parts.push_back(build(scope, part));
    const auto size = [&](const ir::Sym& of) {
        return of.isConst() ? Val::integer(of.constant())
                            : tell(scope, "size", {in_.str(of.str())});
    };
    switch (piece.kind) {
    case Piece::Kind::Row:
        return scope.nodes[piece.row - scope.first];
    case Piece::Kind::Size: {
        static constexpr const char* kSigns[] = {"eq", "ne", "lt", "le"};
        if (!piece.truth) return size(piece.size);
        const char* sign = kSigns[static_cast<size_t>(piece.truth->relation)];
        return tell(scope, "truth", {in_.str(sign), size(piece.truth->a), size(piece.truth->b)});
    }
    case Piece::Kind::Tuple:
        return in_.tuple(std::move(parts));
    case Piece::Kind::List:
        return in_.list(std::move(parts));
    case Piece::Kind::Slice: {
        auto* slice = in_.make<SliceObj>();
        Val made(slice);
        slice->start = parts[0];
        slice->stop = parts[1];
        slice->step = parts[2];
        return made;
    }
    case Piece::Kind::Dict: {
        Val made(in_.make<DictObj>());
        const std::vector<Val> keys = in_.items(piece.value);
        for (size_t i = 0; i < keys.size(); ++i)
            in_.setItem(made, keys[i], parts[i]);
        return made;
    }
    default:
        return piece.value;
    }
}

/// What the bodies of a row have of the graph around it.
std::vector<TorchCalls::Piece> TorchCalls::takenFromOutside(const Row& row) {
    std::vector<Piece> found;
    const size_t first = row.bodies.empty() ? 0 : row.bodies[0].first;
    std::function<void(const Piece&)> visit = [&](const Piece& piece) {
        const bool open = piece.truth || !piece.size.isConst();
        const bool outside = piece.kind == Piece::Kind::Input ||
                             (piece.kind == Piece::Kind::Row && piece.row < first) ||
                             (piece.kind == Piece::Kind::Size && open);
        if (outside && std::ranges::find(found, piece) == found.end()) found.push_back(piece);
        std::ranges::for_each(piece.parts, visit);
    };
    for (const Body& body : row.bodies) {
        eachPiece(body.rows, visit);
        visit(body.result);
    }
    return found;
}

Val TorchCalls::buildBody(const Scope& scope, const Body& body,
                          const std::vector<Piece>& taken) const {
    Scope inner{tell(scope, "inner", {}), body.first, {}};
    for (const Piece& piece : taken) {
        const bool size = piece.kind == Piece::Kind::Size && !piece.truth;
        inner.taken.emplace_back(
            piece, tell(inner, "operand",
                        {build(scope, piece), size ? in_.str(piece.size.str()) : Val::none()}));
    }
    buildRows(inner, body.rows);
    return tell(inner, "finish", {in_.tuple(in_.items(build(inner, body.result)))});
}

void TorchCalls::buildRows(Scope& scope, const std::vector<Row>& rows) const {
    for (const Row& row : rows) {
        std::vector<Val> args;
        for (const Piece& arg : row.args)
            args.push_back(build(scope, arg));
        if (!row.bodies.empty()) {
            const std::vector<Piece> taken = takenFromOutside(row);
            for (size_t i = 0; i < row.bodies.size(); ++i)
                args.push_back(tell(scope, "body",
                                    {in_.str(i == 0 ? "cond_true" : "cond_false"),
                                     buildBody(scope, row.bodies[i], taken)}));
            std::vector<Val> operands;
            for (const Piece& piece : taken)
                operands.push_back(build(scope, piece));
            args.push_back(in_.tuple(std::move(operands)));
        }
        Val keywords(in_.make<DictObj>());
        for (const auto& [name, value] : row.keywords)
            in_.setItem(keywords, name, build(scope, value));
        const Val type =
            row.type ? describedType(in_, *row.type, row.source) : placeOf(in_, row.source);
        scope.nodes.push_back(tell(scope, "node",
                                   {in_.str(row.op), row.target, in_.tuple(std::move(args)),
                                    keywords, in_.str(row.hint), type, Val::boolean(row.item)}));
    }
}

Val TorchCalls::module(const ir::Graph& graph, const GraphInputs& inputs,
                       const std::map<ir::Var, std::string>& names) const {
    Scope scope{in_.call(in_.getAttr(in_.import("torch.fx"), in_.intern("_Recording")), {}), 0, {}};
    std::vector<ir::NodeId> placeholders = graph.placeholders();
    std::erase_if(placeholders, [&](ir::NodeId id) { return !names_.contains(id); });
    size_t tensor = 0;
    if (graph.shapes)
        for (const ir::SizeSymbol& known : graph.shapes->symbols())
            tell(scope, "hint", {in_.str(known.variable.str()), Val::integer(known.hint)});
    for (const std::optional<ir::Var>& symbol : inputs) {
        if (symbol) {
            tell(scope, "symbol",
                 {in_.str(symbol->str()), Val::integer(graph.shapes->hint(ir::Sym(*symbol))),
                  in_.str(names.at(*symbol)),
                  in_.str(graph.shapes->symbols()[symbol->index].source)});
            continue;
        }
        Piece given;
        given.kind = Piece::Kind::Input;
        given.input = placeholders[tensor++];
        const Input& input = names_.at(given.input);
        scope.taken.emplace_back(
            given, tell(scope, "placeholder",
                        {in_.str(input.name), Val::boolean(input.parameter),
                         describedType(in_, graph.node(given.input).type(), nullptr)}));
    }
    buildRows(scope, rows_);
    std::vector<Val> results;
    auto beside = beside_.begin();
    for (size_t i = 0; i <= graph.outputs.size(); ++i) {
        for (; beside != beside_.end() && beside->first == i; ++beside)
            results.push_back(build(scope, beside->second));
        if (i < graph.outputs.size() && !written_.contains(i) && !checked_.contains(i))
            results.push_back(graph.outputs[i].valid() ? build(scope, outputs_.at(i))
                                                       : Val::none());
    }
    return tell(scope, "finish", {in_.tuple(std::move(results))});
}

} // namespace cutaway::capture
