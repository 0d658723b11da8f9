// SPDX-License-Identifier: Apache-2.0
#include "core/capture/graph_rows.h"

#include "core/capture/script_graph.h"
#include "core/ops/catalogue.h"
#include "core/ops/op_def.h"

#include <algorithm>
#include <optional>

namespace cutaway::capture {

Val placeOf(Interp& in, const ir::SourceStack& source) {
    if (source)
        for (auto frame = source->rbegin(); frame != source->rend(); ++frame)
            if (!frame->where.file.starts_with('<'))
                return in.tuple({in.str(frame->where.file), Val::integer(frame->where.line),
                                 in.str(frame->function), in.str(frame->code)});
    return Val::none();
}

Val describedType(Interp& in, const ir::TensorType& type, const ir::SourceStack& source) {
    std::vector<Val> sizes;
    for (const ir::Sym& size : type.sizes)
        sizes.push_back(size.isConst() ? Val::integer(size.constant()) : in.str(size.str()));
    std::vector<Val> strides;
    for (const ir::Sym& stride : type.strides)
        strides.push_back(stride.isConst() ? Val::integer(stride.constant())
                                           : in.str(stride.str()));
    return in.tuple({in.tuple(std::move(sizes)), Val::dtype(type.dtype), placeOf(in, source),
                     in.tuple(std::move(strides)), Val::device(type.device),
                     Val::boolean(type.requiresGrad)});
}

namespace {

/// An argument of a node as a script's value; other nodes as \p nodes has them.
Val argument(Interp& in, const ir::Arg& arg, const std::function<Val(ir::NodeId)>& nodes) {
    if (const ir::NodeId* id = arg.node()) return nodes(*id);
    if (const ir::ArgList* list = arg.list()) {
        std::vector<Val> items;
        for (const ir::Arg& each : *list)
            items.push_back(argument(in, each, nodes));
        return in.list(std::move(items));
    }
    if (const bool* b = std::get_if<bool>(&arg)) return Val::boolean(*b);
    if (const ir::Sym* s = std::get_if<ir::Sym>(&arg))
        return s->isConst() ? Val::integer(s->constant())
                            : in.tuple({Val::ellipsis(), in.str(s->str())});
    if (const double* d = std::get_if<double>(&arg)) return Val::real(*d);
    if (const ir::DType* t = std::get_if<ir::DType>(&arg)) return Val::dtype(*t);
    if (const ir::Device* d = std::get_if<ir::Device>(&arg)) return Val::device(*d);
    if (const std::string* s = std::get_if<std::string>(&arg)) return in.str(*s);
    return Val::none();
}

/// Whether an argument is a list of numbers.
bool takesNumbers(const ops::OpDef* def, size_t argument) {
    if (!def || argument >= def->parsed.args.size()) return false;
    const std::string& type = def->parsed.args[argument].type;
    return type == "SymInt[]" || type == "int[]";
}

} // namespace

std::pair<Val, Val> argumentsOf(Interp& in, const std::string& op, const ir::ArgList& args,
                                const std::function<Val(ir::NodeId)>& nodes) {
    const ops::OpDef* def = ops::catalogue().find(op);
    auto isDefault = [&](size_t i) {
        if (!def || i >= def->parsed.args.size()) return false;
        const auto& value = def->parsed.args[i].defaultValue;
        return value ? *value == args[i] : args[i].isNone();
    };
    size_t positional = args.size();
    for (size_t i = 0; def && i < std::min(positional, def->parsed.args.size()); ++i)
        if (def->parsed.args[i].keywordOnly) positional = i;
    auto* named = in.make<DictObj>();
    Val keep(named);
    for (size_t i = positional; i < args.size(); ++i)
        if (!isDefault(i))
            named->set(in.intern(def->parsed.args[i].name), argument(in, args[i], nodes));
    while (positional > 0 && isDefault(positional - 1))
        --positional;
    std::vector<Val> values;
    for (size_t i = 0; i < positional; ++i) {
        Val value = argument(in, args[i], nodes);
        // One number for each dimension, which the operation takes from below only.
        if (takesNumbers(def, i) && std::holds_alternative<ir::Sym>(args[i]))
            value = in.list({std::move(value)});
        values.push_back(std::move(value));
    }
    return {in.list(std::move(values)), keep};
}

static void addVariables(const ir::Arg& arg, std::set<ir::Var>& found) {
    if (const ir::Sym* size = std::get_if<ir::Sym>(&arg)) {
        const std::vector<ir::Var> variables = size->variables();
        found.insert(variables.begin(), variables.end());
    }
    if (const ir::ArgList* list = arg.list())
        for (const ir::Arg& each : *list)
            addVariables(each, found);
}

void addVariables(const ir::TensorType& type, std::set<ir::Var>& found) {
    for (const ir::Shape* shape : {&type.sizes, &type.strides})
        for (const ir::Sym& size : *shape)
            addVariables(ir::Arg(size), found);
}

namespace {

/// The size symbols that a graph computes with, or that its inputs' types say.
std::set<ir::Var> symbolsOf(const ir::Graph& graph) {
    std::set<ir::Var> found;
    for (ir::NodeId id : graph.order()) {
        const ir::Node& node = graph.node(id);
        if (node.kind == ir::NodeKind::Placeholder) addVariables(node.type(), found);
        for (const ir::Arg& arg : node.args)
            addVariables(arg, found);
    }
    return found;
}

/// Which draw of the capture an input of the graph is, where it is one.
std::optional<size_t> drawOf(const ir::Node& node) {
    constexpr std::string_view kDraw = "draw ";
    if (!node.inputSource.starts_with(kDraw)) return std::nullopt;
    return std::stoul(node.inputSource.substr(kDraw.size()));
}

/// (kind, a, b, low, high)
Val drawnAs(Interp& in, const runtime::Draw& draw) {
    static constexpr const char* kKinds[] = {"uniform",    "normal",      "integers",  "chances",
                                             "dropping",   "exponential", "geometric", "cauchy",
                                             "logarithms", "permutation", "any"};
    return in.tuple({in.str(kKinds[static_cast<size_t>(draw.distribution)]), Val::real(draw.a),
                     Val::real(draw.b), Val::integer(draw.low), Val::integer(draw.high)});
}

Val shapeOf(Interp& in, const ir::Shape& shape) {
    std::vector<Val> sizes;
    for (const ir::Sym& size : shape)
        sizes.push_back(argument(in, ir::Arg(size), nullptr));
    return in.list(std::move(sizes));
}

} // namespace

Val rowsOf(Interp& in, const ir::Graph& graph, const std::vector<DrawnInput>& draws,
           const std::vector<LaterCheck>& checks, GraphInputs* inputs) {
    std::vector<Val> rows;
    std::set<ir::Var> symbols;
    if (inputs) symbols = symbolsOf(graph);
    std::vector<int64_t> number(graph.idLimit());
    std::vector<ir::NodeId> drawn;
    size_t written = 0;
    auto reference = [&](ir::NodeId id) {
        return id.valid() ? in.tuple({Val::ellipsis(), Val::integer(number[id.index])})
                          : Val::none();
    };
    auto row = [&](const char* op, const std::string& name, Val target, Val args, Val type,
                   Val named = Val::none()) {
        rows.push_back(in.tuple({in.str(op), in.str(name), std::move(target), std::move(args),
                                 std::move(named), std::move(type)}));
    };
    auto symbolRows = [&](const std::set<ir::Var>& wanted) {
        for (ir::Var symbol : wanted) {
            if (!symbols.erase(symbol)) continue;
            row("placeholder", symbol.str(), in.str(symbol.str()), in.list({}),
                Val::integer(graph.shapes->hint(ir::Sym(symbol))));
            inputs->emplace_back(symbol);
        }
    };
    /// Of all that is drawn up to \p id, in the order of the script.
    auto drawRows = [&](ir::NodeId id) {
        const auto end = std::ranges::find(drawn, id);
        if (end == drawn.end()) return;
        for (; written <= static_cast<size_t>(end - drawn.begin()); ++written) {
            const ir::Node& node = graph.node(drawn[written]);
            number[drawn[written].index] = static_cast<int64_t>(rows.size());
            row("draw", node.name, drawnAs(in, draws[*drawOf(node)].draw),
                in.list({shapeOf(in, node.type().sizes), shapeOf(in, node.type().strides)}),
                describedType(in, node.type(), node.source), Val::device(node.type().device));
        }
    };
    for (ir::NodeId id : graph.order()) {
        const ir::Node& node = graph.node(id);
        if (node.kind == ir::NodeKind::Placeholder && drawOf(node)) {
            drawn.push_back(id);
            continue;
        }
        if (node.kind == ir::NodeKind::Placeholder) {
            std::set<ir::Var> wanted;
            addVariables(node.type(), wanted);
            symbolRows(wanted);
        } else {
            symbolRows(std::set<ir::Var>(symbols)); // of ints
        }
        ir::forEachNode(node.args, drawRows);
        number[id.index] = static_cast<int64_t>(rows.size());
        if (node.kind == ir::NodeKind::Placeholder) {
            row("placeholder", node.name, in.str(node.inputSource), in.list({}),
                describedType(in, node.type(), nullptr));
            if (inputs) inputs->emplace_back();
        } else if (node.kind == ir::NodeKind::Constant) {
            Val value = in.tensor(in.need(runtime::fromHost(*node.constant, node.type().device)));
            row("get_attr", node.name, value, in.list({}),
                describedType(in, node.type(), node.source));
        } else {
            auto [args, named] = argumentsOf(in, node.op, node.args, reference);
            Val target = node.op == "getitem" ? in.str("getitem") : overload(in, node.op);
            row("call_function", node.name, target, args,
                describedType(in, node.type(), node.source), named);
        }
        for (const LaterCheck& check : checks)
            if (graph.outputs[static_cast<size_t>(check.output)] == id)
                row("call_function", "_assert_async",
                    writtenInScript(in, "overloads", "_assert_async.msg"),
                    in.list({reference(id), in.str(check.message)}), placeOf(in, node.source));
    }
    std::vector<Val> outputs;
    for (size_t i = 0; i < graph.outputs.size(); ++i) {
        if (isOnlyChecked(checks, i)) continue;
        drawRows(graph.outputs[i]);
        outputs.push_back(reference(graph.outputs[i]));
    }
    row("output", "output", in.str("output"), in.list({in.tuple(std::move(outputs))}), Val::none());
    return in.list(std::move(rows));
}

} // namespace cutaway::capture
