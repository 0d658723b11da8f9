// SPDX-License-Identifier: Apache-2.0
// Eager graphs that differ in their sizes only: the first is compiled as it is, the second with
// symbols for its sizes, which serves all others that its guards hold for. A loop over lengths compiles
// twice. Large tensors get kernels of their own sizes: those run longer than their compilation takes.
#include "core/backend/call_key.h"
#include "core/backend/eager_prepared.h"
#include "core/ir/meta_device.h"
#include "core/ops/builder.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace cutaway::backend {

namespace {

constexpr int64_t kMostElements = 1 << 16;

/// Whether an argument is sizes of tensors (full's, expand's, layer_norm's) or ends among them.
bool isSizes(const ops::SchemaArg& argument) {
    static constexpr std::string_view kNames[] = {"size", "shape", "input_sizes",
                                                  "normalized_shape"};
    if (argument.type == "SymInt[]")
        return std::ranges::find(kNames, argument.name) != std::end(kNames);
    return argument.name == "end" || (argument.name == "start" && argument.type == "SymInt");
}

/// The sizes in a graph over symbols. Equal sizes are one symbol and 0 and 1 are none, as in
/// torch.compile (torch/fx/experimental/symbolic_shapes.py, duck shaping).
struct OpenSizes {
    std::vector<ir::TensorType> types; ///< of the placeholders
    std::vector<ir::ArgList> args;     ///< of the calls, in order
    std::vector<int64_t> symbols;      ///< values, by index

    explicit OpenSizes(const ir::Graph& graph) {
        for (ir::NodeId id : graph.placeholders())
            add(graph.node(id).type());
        for (ir::NodeId id : graph.order())
            if (graph.node(id).kind == ir::NodeKind::Call) add(graph.node(id));
    }

private:
    ir::Sym open(const ir::Sym& size) {
        if (size.constant() < 2 || size.constant() > kMostElements) return size;
        const auto at = std::ranges::find(symbols, size.constant());
        const auto index = static_cast<uint16_t>(at - symbols.begin());
        if (at == symbols.end()) symbols.push_back(size.constant());
        return ir::Var{'s', index};
    }
    void add(const ir::Node& call) {
        ir::ArgList& list = args.emplace_back(call.args);
        const ops::OpDef* def = ops::catalogue().find(call.op);
        for (size_t i = 0; def && i < std::min(list.size(), def->parsed.args.size()); ++i) {
            if (!isSizes(def->parsed.args[i])) continue;
            if (auto* one = std::get_if<ir::Sym>(&list[i])) *one = open(*one);
            if (auto* sizes = std::get_if<ir::ArgList>(&list[i]))
                for (ir::Arg& size : *sizes)
                    if (auto* number = std::get_if<ir::Sym>(&size)) *number = open(*number);
        }
    }
    void add(const ir::TensorType& exact) {
        ir::TensorType& type = types.emplace_back(exact);
        for (ir::Sym& size : type.sizes)
            size = open(size);
        if (exact.strides == ir::contiguousStrides(exact.sizes)) {
            type.strides = ir::contiguousStrides(type.sizes);
            return;
        }
        // Dense in another order; a stride that is no product of the sizes inside is a symbol, too.
        std::vector<size_t> order(exact.rank());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, {}, [&](size_t i) { return exact.strides[i].constant(); });
        ir::Sym inside = 1, insideExact = 1;
        for (size_t i : order) {
            const bool dense = exact.strides[i] == insideExact && !exact.sizes[i].is(1);
            type.strides[i] = dense ? inside : open(exact.strides[i]);
            inside = inside * type.sizes[i];
            insideExact = insideExact * exact.sizes[i];
        }
    }
};

/// A copy of \p exact over the symbols; nothing when its results would have other types than they have,
/// or are not of sizes alone.
std::optional<ir::Graph> opened(const ir::Graph& exact, const OpenSizes& over) {
    ir::Graph graph(exact.graphName);
    graph.shapes = std::make_shared<ir::ShapeEnv>();
    for (int64_t value : over.symbols)
        graph.shapes->add(value, "an eager call's size");
    const auto now = [&](const ir::Shape& shape) {
        ir::Shape values = shape;
        for (ir::Sym& size : values)
            size = graph.shapes->hint(size);
        return values;
    };
    ops::Builder builder(graph);
    std::vector<ir::NodeId> copies(exact.idLimit());
    size_t placeholder = 0, call = 0;
    for (ir::NodeId id : exact.order()) {
        const ir::Node& node = exact.node(id);
        ir::NodeId& copy = copies[id.index];
        if (node.kind == ir::NodeKind::Placeholder) {
            copy = graph.addPlaceholder(node.name, over.types[placeholder++]);
            continue;
        }
        ir::ArgList args = over.args[call++];
        ir::rewriteNodes(args, [&](ir::NodeId input) { return copies[input.index]; });
        if (node.op == "getitem") {
            copy = builder.getitem(*args[0].node(),
                                   static_cast<int>(std::get<ir::Sym>(args[1]).constant()));
        } else {
            auto called = builder.tryCall(node.op, std::move(args));
            if (!called.ok()) return std::nullopt;
            copy = *called;
        }
        const std::vector<ir::TensorType>& types = graph.node(copy).types;
        const auto same = [&](const ir::TensorType& open, const ir::TensorType& type) {
            return open.dtype == type.dtype && now(open.sizes) == type.sizes &&
                   now(open.strides) == type.strides;
        };
        if (!std::ranges::equal(types, node.types, same)) return std::nullopt;
    }
    for (ir::NodeId output : exact.outputs)
        graph.outputs.push_back(output.valid() ? copies[output.index] : output);
    graph.outputNames = exact.outputNames;
    return graph;
}

/// What graphs of one family have in common, as bytes.
std::string familyKey(const ir::Graph& graph, const OpenSizes& over) {
    std::string key;
    for (const ir::TensorType& type : over.types)
        key += fmt::format("{} {} {}{};", type.str(), ir::str(type.strides), type.device.str(),
                           type.requiresGrad);
    size_t call = 0;
    for (ir::NodeId id : graph.order())
        if (graph.node(id).kind == ir::NodeKind::Call)
            key += callKey(graph.node(id).op, over.args[call++], {});
    for (ir::NodeId output : graph.outputs)
        key += fmt::format(",{}", output.index);
    return key;
}

/// Of inputs and calls, none of many elements.
bool isSmall(const ir::Graph& graph) {
    return std::ranges::all_of(graph.order(), [&](ir::NodeId id) {
        if (graph.node(id).kind == ir::NodeKind::Constant) return false;
        return std::ranges::all_of(graph.node(id).types, [](const ir::TensorType& type) {
            return type.staticSizes() && type.numel().constant() <= kMostElements;
        });
    });
}

} // namespace

EagerRunner::PreparedPtr EagerRunner::forOpenSizes(const ir::Graph& graph) {
    if (!isSmall(graph) || pipeline::deviceOf(graph) == ir::kMetaDevice) return nullptr;
    const OpenSizes over(graph);
    if (over.symbols.empty()) return nullptr;
    SizeFamily& family = sizeFamilies_[familyKey(graph, over)];
    if (family.first.empty()) family.first = over.symbols;
    if (family.refused || family.first == over.symbols) return nullptr;
    if (!family.prepared) {
        family.refused = true; // an error is told by the compilation for these sizes
        std::optional<ir::Graph> open = opened(graph, over);
        if (!open) return nullptr;
        family.shapes = open->shapes;
        auto compiled = compile(std::move(*open));
        if (!compiled.ok()) return nullptr;
        family.prepared = *compiled;
        family.refused = false;
    }
    const auto value = [&](ir::Var symbol) { return over.symbols[symbol.index]; };
    for (const ir::SizeGuard& guard : family.shapes->guards())
        if (!guard.condition.holds(guard.condition.a.evaluate(value),
                                   guard.condition.b.evaluate(value)))
            return nullptr;
    auto prepared = std::make_shared<Prepared>();
    prepared->graph = family.prepared->graph.withSizes(over.symbols);
    prepared->executable = family.prepared->executable;
    prepared->bytesMoved = family.prepared->bytesMoved;
    prepared->symbols = over.symbols;
    return prepared;
}

} // namespace cutaway::backend
