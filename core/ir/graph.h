// SPDX-License-Identifier: Apache-2.0
/// \file
/// The graph of every stage from capture to partition: nodes in execution order, in the manner of
/// torch.fx. A node is a placeholder, a constant, or a call of an ATen operation; its result is a
/// tensor or, for a few operations, a tuple of tensors from which "getitem" nodes select.
///
/// A node that a pass does not touch keeps its id, so a stage can be compared with the next.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/ids.h"
#include "core/ir/host_tensor.h"
#include "core/ir/shape_env.h"
#include "core/ir/tensor_type.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace cutaway::ir {

using NodeId = base::Id<struct NodeTag>;

/// An argument in the order of the operation's schema. Scalars stay scalars (add(x, 1)).
struct Arg;
using ArgList = std::vector<Arg>;
struct Arg
    : std::variant<std::monostate, NodeId, bool, Sym, double, DType, Device, std::string, ArgList> {
    using variant::variant;
    bool isNone() const { return index() == 0; }
    const NodeId* node() const { return std::get_if<NodeId>(this); }
    const ArgList* list() const { return std::get_if<ArgList>(this); }
};
bool operator==(const Arg& a, const Arg& b);

/// One level of the script's call stack at the moment a node was captured, innermost last.
struct SourceFrame {
    base::Location where;
    std::string function;
    std::string code; ///< the source line's text, trimmed
};
using SourceStack = std::shared_ptr<const std::vector<SourceFrame>>;

enum class NodeKind : uint8_t { Placeholder, Constant, Call };

struct Node {
    NodeId id;
    NodeKind kind = NodeKind::Call;
    std::string name;              ///< unique in the graph, FX style: cos, cos_1, primals_1
    std::string op;                ///< ATen name without "aten.": "cos", "add.Tensor"; "getitem"
    ArgList args;                  ///< in schema order
    std::vector<TensorType> types; ///< one, or one per element of a tuple result
    bool tuple = false;            ///< the result is a tuple, even when types has one element
    SourceStack source;            ///< null only for graphs built by hand
    std::string modulePath;        ///< "layers.0", empty outside modules
    int checkpoint = 0;            ///< region of torch.utils.checkpoint, from 1; 0: in none
    std::string inputSource;       ///< placeholders: where the value comes from, "L['x']"
    bool frozen = false;           ///< placeholders: the same values in call after call (freezing)
    std::vector<NodeId> from;      ///< nodes of the previous stage's graph this one came from
    bool backward = false;         ///< created by differentiation
    std::string rule;              ///< the rule or decomposition that created it, if any
    std::shared_ptr<const HostTensor> constant; ///< kind Constant

    const TensorType& type() const { return types.front(); }
};

class Graph {
public:
    explicit Graph(std::string name = {}) : graphName(std::move(name)) {}

    std::string graphName; ///< "captured", "joint", "forward", "backward"
    /// The graph's results in order; an invalid id is None (a primal without gradient).
    std::vector<NodeId> outputs;
    /// A name for each output: "output", "grad of primals_1", "saved cos".
    std::vector<std::string> outputNames;
    /// What is known of the sizes that are symbols; null when all are constants. A size that is no
    /// constant is 2 or more.
    std::shared_ptr<ShapeEnv> shapes;

    /// Writes every size, also those among arguments, as \p value gives it.
    void rewriteSizes(const std::function<Sym(const Sym&)>& value);
    NodeId addPlaceholder(std::string name, TensorType type);
    NodeId addConstant(std::string name, std::shared_ptr<const HostTensor> value,
                       Device device = {});
    /// Appends, or inserts before the current insertion point; the name is made unique.
    NodeId addCall(std::string op, ArgList args, std::vector<TensorType> types,
                   std::string_view nameHint = {});
    /// A copy of a node of another graph: everything but the id, arguments through \p map, the name
    /// made unique. Placeholders go behind the other placeholders.
    NodeId addCopy(const Node& original, const std::function<NodeId(NodeId)>& map);

    Node& node(NodeId id) { return *nodes_[id.index]; }
    const Node& node(NodeId id) const { return *nodes_[id.index]; }
    bool contains(NodeId id) const {
        return id.index < nodes_.size() && nodes_[id.index] != nullptr;
    }
    /// Ids in execution order.
    const std::vector<NodeId>& order() const { return order_; }
    std::vector<NodeId> placeholders() const;
    /// One more than the largest id ever used: sizes id-indexed tables.
    size_t idLimit() const { return nodes_.size(); }

    /// New calls go before \p id until clearInsertionPoint.
    void setInsertionPoint(NodeId id);
    void clearInsertionPoint() { insertAt_ = kAtEnd; }

    /// Replaces every use of \p old (arguments and outputs) by \p with.
    void replaceAllUses(NodeId old, NodeId with);
    /// Removes unused nodes; the caller guarantees that nothing uses them.
    void erase(std::span<const NodeId> ids);
    void setOrder(std::vector<NodeId> order) { order_ = std::move(order); }

    /// users[id.index]: the calls that use the node, in order, each once.
    std::vector<std::vector<NodeId>> users() const;
    /// Unique name from a hint: cos, cos_1, ...
    std::string uniqueName(std::string_view hint);
    /// A copy with the same ids.
    Graph clone() const;
    /// Hash of everything that a pass may change: order, ops, arguments, types, outputs.
    uint64_t contentHash() const;
    /// A copy with numbers for the size symbols, by index.
    Graph withSizes(std::span<const int64_t> symbols) const;

private:
    static constexpr size_t kAtEnd = static_cast<size_t>(-1);
    NodeId insert(std::unique_ptr<Node> node);

    std::vector<std::unique_ptr<Node>> nodes_;
    std::vector<NodeId> order_;
    size_t insertAt_ = kAtEnd;
    std::unordered_map<std::string, int> nameCounts_; ///< looked up, never walked
};

/// Every node id in an argument list, nested lists included, in order.
std::vector<NodeId> inputNodes(const ArgList& args);
void forEachNode(const ArgList& args, const std::function<void(NodeId)>& visit);
void rewriteNodes(ArgList& args, const std::function<NodeId(NodeId)>& map);
/// Equal for equal lists; 0.0 and -0.0 differ here though they compare equal.
uint64_t hashArgs(const ArgList& args);

/// First broken invariant, or nothing: ids in range, uses after definitions, unique names, outputs
/// defined, tuple values used by getitem only.
std::optional<std::string> verify(const Graph& graph);

} // namespace cutaway::ir
