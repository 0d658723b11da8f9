// SPDX-License-Identifier: Apache-2.0
/// \file
/// The walk over a graph that lower.h's function does. Internal to core/lower.
#pragma once

#include "core/lower/value.h"
#include "core/ops/op_def.h"

#include <map>
#include <set>

namespace cutaway::lower {

using base::Result;
using base::Status;
using ir::DType;
using ir::Sym;
using kernel::Buffer;
using kernel::BufferId;
using kernel::BufferKind;
using kernel::Coord;
using kernel::ExprId;
using kernel::LoopProgram;
using kernel::StridedView;

/// Where loops with the coordinates \p at read a tensor of \p sizes that is broadcast to them.
std::vector<Coord> broadcastCoords(const ir::Shape& sizes, const std::vector<Sym>& at);
/// By dimension of \p type, the coordinate in a loop nest over its dimensions in memory order.
std::vector<Sym> loopsInMemoryOrder(const ir::TensorType& type);
/// Where a buffer in the memory order of \p type has the element of the loop coordinates of type.
std::vector<Sym> coordsInMemoryOrder(const ir::TensorType& type);
bool hasElements(const ir::Shape& sizes);

/// Lowers one graph; the nodes' results are in values_. Library calls are in lower_library.cpp.
class Lowering {
public:
    explicit Lowering(const ir::Graph& graph) : graph_(graph), values_(graph.idLimit()) {
        program_.name = graph.graphName;
        program_.outputNames = graph.outputNames;
        program_.shapes = graph.shapes;
    }

    Result<LoopProgram> run();

private:
    friend class ArgLoader;
    std::vector<bool> liveNodes();
    static size_t selectedBy(const ir::Node& getitem);
    bool isLive(const ir::Node& tuple, size_t result) const;
    std::string resultName(const ir::Node& tuple, size_t result);
    Status lowerNode(const ir::Node& node);
    Status lowerCall(const ir::Node& node, const ops::OpDef& def);
    void lowerPlaceholder(const ir::Node& node);
    void lowerConstant(const ir::Node& node);
    void lowerPointwise(const ir::Node& node, const ops::OpDef& def, const ops::Pointwise& how);
    void lowerIndexed(const ir::Node& node, const ops::OpDef& def, const ops::Indexed& how);
    void lowerScatter(const ir::Node& node, const ops::OpDef& def, const ops::Scatter& how);
    Status lowerReduction(const ir::Node& node, const ops::OpDef& def, const ops::Reduction& how);
    /// A reduction made ready: the element of each place that is reduced.
    struct Reducing {
        Buffer buffer;
        std::vector<Sym> at; ///< coordinates of the result
        ExprId element;
    };
    /// \param result of the node's results the one that is computed
    Result<Reducing> reducing(const ir::Node& node, const ops::OpDef& def,
                              const ops::Reduction& how, size_t result);
    Value reduced(Reducing made, kernel::ReduceOp op, const ir::TensorType& type);
    Status lowerBoth(const ir::Node& node, const ops::OpDef& def, const ops::Reduction& how);
    Value elementAt(const ir::TensorType& type, Buffer buffer, std::vector<Sym> coords);
    Value viewed(const ir::Node& node, const ops::View& how, const Value& source) const;
    /// By the overload of lowerCallOf for the operation's lowering.
    void lowerLibrary(const ir::Node& node, const ops::OpDef& def);
    void lowerCallOf(const ir::Node& node, const ops::OpDef& def, const ops::MatrixProduct& how);
    bool readsHalves(const ir::Node& node, const kernel::LibraryCall& call) const;
    void lowerCallOf(const ir::Node& node, const ops::OpDef& def, const ops::Convolution& how);
    void lowerCallOf(const ir::Node& node, const ops::OpDef& def, const ops::RowsOfLibrary& how);
    void lowerRunningExtreme(const ir::Node& node, kernel::LibraryCall call,
                             std::vector<uint32_t> from);
    void lowerCallOf(const ir::Node& node, const ops::OpDef& def, const ops::MatrixOfLibrary& how);
    void lowerCallOf(const ir::Node& node, const ops::OpDef& def,
                     const ops::AttentionOfLibrary& how);
    Value placeResult(const ir::Node& node, kernel::LibraryCall call, std::vector<uint32_t> from) {
        return placeResult(node, node.type(), node.name, std::move(call), std::move(from));
    }
    Value placeResult(const ir::Node& node, const ir::TensorType& type, const std::string& name,
                      kernel::LibraryCall call, std::vector<uint32_t> from);
    Value scaledSum(const ir::Node& node, const ops::MatrixProduct& how, const Value& product,
                    double alpha, double beta);
    Status lowerOutputs();
    Value outputValue(ir::NodeId id);
    ir::Sym beginning(ir::NodeId id, const kernel::StridedView& view);

    Buffer newBuffer(const ir::Node& node, BufferKind kind) {
        return newBuffer(node, node.type(), node.name, kind);
    }
    Buffer newBuffer(const ir::Node& node, const ir::TensorType& type, const std::string& name,
                     BufferKind kind);
    BufferId add(Buffer buffer);
    void finishPointwise(const ir::Node& node, Buffer buffer) {
        values_[node.id.index] = pointwise(node.type(), std::move(buffer));
    }
    Value pointwise(const ir::TensorType& type, Buffer buffer);
    /// A gradient asks nothing: the call that it belongs to has looked at the same values.
    ops::OpCall callOf(const ir::Node& node, const ops::OpDef& def, ops::Asks& asks) const {
        ops::OpCall call(def, node.args, graph_);
        if (!node.backward) call.asks = &asks;
        return call;
    }
    std::string uniqueName(const std::string& wanted);

    const Value& valueOf(ir::NodeId id) const { return values_[id.index]; }
    ExprId load(const Value& value, const std::vector<Coord>& coords,
                const ir::Shape& reduced = {});
    /// Nodes of calls in which something jumps (Traits::jumps).
    std::vector<bool> exactReaders() const;
    /// \p element of node \p id as \p reader has it: where that is one of those, and the two are of
    /// different calls of the script, as memory would hold it. A kernel that computes both keeps 16
    /// bits in float32, as within a call; who calls them one by one does not.
    ExprId asRead(const ir::Node& reader, ir::NodeId id, ExprId element);
    /// \p element as memory of 16 bits would hold it.
    ExprId rounded(ir::DType half, ExprId element);
    void note(Buffer& buffer, const Value& value) const;
    /// A buffer that holds the elements of a value of \p type, dense in the type's memory order.
    Value materialise(const Value& value, const ir::TensorType& type, const std::string& name);
    /// What libraries and reductions make of a dtype that is only stored is in its compute dtype: a
    /// sum of float16 may leave its range before it is divided, a sum of bfloat16 its precision.
    void widen(Buffer& buffer);
    /// What \p wide is as \p type where it was computed in a wider dtype: rounded where it is
    /// stored.
    Value narrowed(const ir::TensorType& type, const std::string& name, const Value& wide);
    /// A view of the value, which is copied where it is no window of a buffer of the type's dtype,
    /// and where a library that reads it (\p readsAsIs set) does not take the window.
    using ReadsAsIs = bool (*)(const StridedView&);
    StridedView operand(Value value, const ir::TensorType& type, const ir::Shape& sizes,
                        ReadsAsIs readsAsIs, const std::string& name, std::vector<uint32_t>& from);

    const ir::Graph& graph_;
    std::vector<Value> values_;
    std::map<uint32_t, std::vector<Value>> tuples_; // by node: its results
    std::vector<bool> exact_;
    std::set<std::pair<uint32_t, size_t>> selected_; // results of tuples that something reads
    std::set<std::string> names_;
    std::map<uint32_t, Value> owned_; // by node: the program's own copies of constants
    LoopProgram program_;
    ir::Shape loopSizes_; // of the buffer that is being built
};

} // namespace cutaway::lower
