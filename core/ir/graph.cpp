// SPDX-License-Identifier: Apache-2.0
#include "core/ir/graph.h"

#include "core/base/hash.h"
#include "core/base/tick.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

namespace cutaway::ir {

bool operator==(const Arg& a, const Arg& b) {
    using Base = std::variant<std::monostate, NodeId, bool, Sym, double, DType, Device, std::string,
                              ArgList>;
    return static_cast<const Base&>(a) == static_cast<const Base&>(b);
}

/// FX never gives a node the name of a Python builtin: the first sum is sum_1. Of these, the ones
/// that are operations.
static bool isPythonBuiltin(std::string_view name) {
    static constexpr std::string_view kNames[] = {"abs", "all", "any",   "max",
                                                  "min", "pow", "round", "sum"};
    return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::string Graph::uniqueName(std::string_view hint) {
    std::string name(hint);
    auto [entry, fresh] = nameCounts_.try_emplace(name, 1);
    if (fresh && !isPythonBuiltin(name)) return name;
    // A name like "cos_1" may also have been given as a hint; the loop steps over it.
    for (;;) {
        std::string candidate = name + "_" + std::to_string(entry->second++);
        if (!nameCounts_.contains(candidate)) {
            nameCounts_.emplace(candidate, 1);
            return candidate;
        }
    }
}

NodeId Graph::insert(std::unique_ptr<Node> node) {
    base::tick();
    NodeId id(static_cast<uint32_t>(nodes_.size()));
    node->id = id;
    nodes_.push_back(std::move(node));
    if (insertAt_ == kAtEnd) {
        order_.push_back(id);
    } else {
        order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(insertAt_), id);
        ++insertAt_;
    }
    return id;
}

NodeId Graph::addPlaceholder(std::string name, TensorType type) {
    auto node = std::make_unique<Node>();
    node->kind = NodeKind::Placeholder;
    node->name = uniqueName(name);
    node->types = {std::move(type)};
    size_t keep = std::exchange(insertAt_, kAtEnd);
    // Placeholders come first.
    const auto afterThem = std::partition_point(order_.begin(), order_.end(), [this](NodeId id) {
        return this->node(id).kind == NodeKind::Placeholder;
    });
    insertAt_ = static_cast<size_t>(afterThem - order_.begin());
    NodeId id = insert(std::move(node));
    insertAt_ = keep == kAtEnd ? kAtEnd : keep + 1;
    return id;
}

NodeId Graph::addConstant(std::string name, std::shared_ptr<const HostTensor> value,
                          Device device) {
    auto node = std::make_unique<Node>();
    node->kind = NodeKind::Constant;
    node->name = uniqueName(name);
    node->types = {value->type(device)};
    node->constant = std::move(value);
    return insert(std::move(node));
}

NodeId Graph::addCall(std::string op, ArgList args, std::vector<TensorType> types,
                      std::string_view nameHint) {
    auto node = std::make_unique<Node>();
    std::string_view hint =
        nameHint.empty() ? std::string_view(op).substr(0, op.find('.')) : nameHint;
    while (hint.starts_with('_'))
        hint.remove_prefix(1);
    node->name = uniqueName(hint);
    node->op = std::move(op);
    node->args = std::move(args);
    node->tuple = types.size() > 1;
    node->types = std::move(types);
    return insert(std::move(node));
}

NodeId Graph::addCopy(const Node& original, const std::function<NodeId(NodeId)>& map) {
    NodeId id;
    if (original.kind == NodeKind::Placeholder) {
        id = addPlaceholder(original.name, original.type());
    } else {
        auto fresh = std::make_unique<Node>();
        fresh->name = uniqueName(original.name);
        id = insert(std::move(fresh));
    }
    Node& copy = node(id);
    std::string name = std::move(copy.name);
    copy = original;
    copy.id = id;
    copy.name = std::move(name);
    rewriteNodes(copy.args, map);
    return id;
}

std::vector<NodeId> Graph::placeholders() const {
    std::vector<NodeId> result;
    for (NodeId id : order_)
        if (node(id).kind == NodeKind::Placeholder) result.push_back(id);
    return result;
}

void Graph::setInsertionPoint(NodeId id) {
    auto at = std::find(order_.begin(), order_.end(), id);
    assert(at != order_.end());
    insertAt_ = static_cast<size_t>(at - order_.begin());
}

void Graph::replaceAllUses(NodeId old, NodeId with) {
    auto map = [&](NodeId id) { return id == old ? with : id; };
    for (NodeId id : order_)
        rewriteNodes(node(id).args, map);
    for (NodeId& output : outputs)
        output = map(output);
}

void Graph::erase(std::span<const NodeId> ids) {
    std::vector<bool> dead(nodes_.size());
    for (NodeId id : ids)
        dead[id.index] = true;
    std::erase_if(order_, [&](NodeId id) { return dead[id.index]; });
    for (NodeId id : ids)
        nodes_[id.index].reset();
}

std::vector<std::vector<NodeId>> Graph::users() const {
    std::vector<std::vector<NodeId>> result(nodes_.size());
    for (NodeId id : order_)
        forEachNode(node(id).args, [&](NodeId input) {
            auto& list = result[input.index];
            if (list.empty() || list.back() != id) list.push_back(id);
        });
    return result;
}

Graph Graph::clone() const {
    Graph copy(graphName);
    copy.outputs = outputs;
    copy.outputNames = outputNames;
    copy.shapes = shapes;
    copy.order_ = order_;
    copy.nameCounts_ = nameCounts_;
    copy.nodes_.reserve(nodes_.size());
    for (const auto& node : nodes_)
        copy.nodes_.push_back(node ? std::make_unique<Node>(*node) : nullptr);
    return copy;
}

Graph Graph::withSizes(std::span<const int64_t> symbols) const {
    Graph copy = clone();
    copy.rewriteSizes([&](const Sym& size) {
        if (size.isConst()) return size;
        return Sym(size.evaluate([&](Var v) { return symbols[v.index]; }));
    });
    copy.shapes = nullptr;
    return copy;
}

static void rewriteArg(Arg& arg, const std::function<Sym(const Sym&)>& value) {
    if (auto* size = std::get_if<Sym>(&arg)) *size = value(*size);
    if (auto* list = std::get_if<ArgList>(&arg))
        for (Arg& element : *list)
            rewriteArg(element, value);
}

void Graph::rewriteSizes(const std::function<Sym(const Sym&)>& value) {
    for (NodeId id : order_) {
        Node& changed = node(id);
        for (Arg& arg : changed.args)
            rewriteArg(arg, value);
        for (TensorType& type : changed.types) {
            for (Sym& size : type.sizes)
                size = value(size);
            for (Sym& stride : type.strides)
                stride = value(stride);
        }
    }
}

static void hashArg(base::Hasher& hasher, const Arg& arg) {
    hasher.add(static_cast<uint64_t>(arg.index()));
    struct Visitor {
        base::Hasher& hasher;
        void operator()(std::monostate) const {}
        void operator()(NodeId id) const { hasher.add(uint64_t{id.index}); }
        void operator()(bool b) const { hasher.add(uint64_t{b}); }
        void operator()(const Sym& s) const { hasher.add(s.hash()); }
        void operator()(double d) const {
            hasher.add(std::string_view(reinterpret_cast<const char*>(&d), sizeof d));
        }
        void operator()(DType d) const { hasher.add(static_cast<uint64_t>(d)); }
        void operator()(Device d) const { hasher.add(d.str()); }
        void operator()(const std::string& s) const { hasher.add(s); }
        void operator()(const ArgList& list) const {
            hasher.add(uint64_t{list.size()});
            for (const Arg& arg : list)
                hashArg(hasher, arg);
        }
    };
    std::visit(Visitor{hasher}, static_cast<const Arg::variant&>(arg));
}

uint64_t hashArgs(const ArgList& args) {
    base::Hasher hasher;
    for (const Arg& arg : args)
        hashArg(hasher, arg);
    return hasher.word();
}

uint64_t Graph::contentHash() const {
    base::Hasher hasher;
    for (NodeId id : order_) {
        base::tick();
        const Node& n = node(id);
        hasher.add(uint64_t{id.index}).add(static_cast<uint64_t>(n.kind)).add(n.op);
        for (const Arg& arg : n.args)
            hashArg(hasher, arg);
        for (const TensorType& type : n.types) {
            hasher.add(static_cast<uint64_t>(type.dtype))
                .add(static_cast<uint64_t>(type.device.kind))
                .add(static_cast<uint64_t>(type.device.index));
            for (const Sym& s : type.sizes)
                hasher.add(s.hash());
            for (const Sym& s : type.strides)
                hasher.add(s.hash());
        }
        if (n.constant)
            hasher.add(std::string_view(reinterpret_cast<const char*>(n.constant->bytes.data()),
                                        n.constant->bytes.size()));
    }
    for (NodeId id : outputs)
        hasher.add(uint64_t{id.index});
    return hasher.word();
}

void forEachNode(const ArgList& args, const std::function<void(NodeId)>& visit) {
    for (const Arg& arg : args) {
        if (const NodeId* id = arg.node()) visit(*id);
        if (const ArgList* list = arg.list()) forEachNode(*list, visit);
    }
}

std::vector<NodeId> inputNodes(const ArgList& args) {
    std::vector<NodeId> result;
    forEachNode(args, [&](NodeId id) { result.push_back(id); });
    return result;
}

void rewriteNodes(ArgList& args, const std::function<NodeId(NodeId)>& map) {
    for (Arg& arg : args) {
        if (NodeId* id = std::get_if<NodeId>(&arg)) *id = map(*id);
        if (ArgList* list = std::get_if<ArgList>(&arg)) rewriteNodes(*list, map);
    }
}

namespace {

/// A name that stands twice in \p names, beside their hashes; null: none does. Sorts them.
const std::string* namedTwice(std::vector<std::pair<size_t, const std::string*>>& names) {
    std::sort(names.begin(), names.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto same = names.begin(); same != names.end();) {
        auto end = std::find_if(same, names.end(),
                                [&](const auto& one) { return one.first != same->first; });
        for (auto a = same; a != end; ++a)
            for (auto b = std::next(a); b != end; ++b)
                if (*a->second == *b->second) return a->second;
        same = end;
    }
    return nullptr;
}

/// What is wrong with a value that \p node reads; \p defined tells what stands before it.
std::optional<std::string> wrongInput(const Graph& graph, const Node& node, const ArgList& args,
                                      const std::vector<bool>& defined) {
    for (const Arg& arg : args) {
        if (const ArgList* list = arg.list())
            if (auto problem = wrongInput(graph, node, *list, defined)) return problem;
        const NodeId* input = arg.node();
        if (!input) continue;
        if (input->index >= defined.size() || !defined[input->index])
            return "node " + node.name + " uses a value that is not defined before it";
        if (graph.node(*input).tuple && node.op != "getitem")
            return "node " + node.name + " uses the tuple " + graph.node(*input).name;
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string> verify(const Graph& graph) {
    std::vector<bool> defined(graph.idLimit());
    std::vector<std::pair<size_t, const std::string*>> names; // with their hashes
    names.reserve(graph.order().size());
    for (NodeId id : graph.order()) {
        base::tick();
        if (!graph.contains(id)) return "the order names a node that does not exist";
        const Node& node = graph.node(id);
        if (auto problem = wrongInput(graph, node, node.args, defined)) return problem;
        if (node.types.empty()) return "node " + node.name + " has no type";
        for (const TensorType& type : node.types)
            if (type.sizes.size() != type.strides.size())
                return "node " + node.name + " has sizes and strides of different length";
        if (node.kind == NodeKind::Call && node.op.empty())
            return "node " + node.name + " calls nothing";
        defined[id.index] = true;
        names.emplace_back(std::hash<std::string>()(node.name), &node.name);
    }
    if (const std::string* twice = namedTwice(names)) return "two nodes are named " + *twice;
    for (NodeId id : graph.outputs)
        if (id.valid() && (id.index >= defined.size() || !defined[id.index]))
            return "an output is not defined";
    if (!graph.outputNames.empty() && graph.outputNames.size() != graph.outputs.size())
        return "outputs and their names differ in number";
    return std::nullopt;
}

} // namespace cutaway::ir
