// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a capture calls of torch, as the script writes it (torch.sin(x), x.view(-1), x + y), beside
/// the graph of operations: the graph that a backend of the script gets, as PyTorch's do. Kept only
/// where such a backend will ask. Source: torch/_dynamo/variables, torch/_dynamo/output_graph.py.
#pragma once

#include "core/capture/interp.h"
#include "core/ir/graph.h"

#include <functional>
#include <map>
#include <set>
#include <span>
#include <unordered_map>

namespace cutaway::capture {

class Capture;
struct LaterCheck;

/// The inputs of a graph that a script's backend gets: a symbol, or nothing for a tensor.
using GraphInputs = std::vector<std::optional<ir::Var>>;

class TorchCalls {
public:
    /// \param gradMode what the graph begins with
    TorchCalls(Interp& in, Capture& capture, bool gradMode);
    ~TorchCalls();

    /// Calls \p callee and writes it down; unbound where it is no function of torch.
    Val call(const Val& callee, const Arguments& arguments);
    /// An operator, by its name in Python's module operator; getattr(x, "T") by its own.
    Val operation(const char* name, const std::vector<Val>& args,
                  const std::function<Val()>& compute);

    /// torch.cond: both functions of the operands are bodies of one operator, each a graph of its own,
    /// which give lists; \p choose makes the results.
    Val branches(const Val& condition, std::span<const Val> functions,
                 std::span<const Val> operands,
                 const std::function<Val(const Val&, const Val&)>& choose);

    /// Asserts that \p condition, a tensor of one element or a number of the graph, is true.
    void asserts(const Val& condition, const std::string& message);

    /// A block of torch.autocast begins, with what _enter_autocast() is given, or ends.
    void beginAutocast(const std::vector<Val>& args);
    void endAutocast();

    /// While a call is under way.
    bool busy() const { return busy_; }

    /// \name What happened to the capture
    /// @{
    size_t size() const;
    void rollBack(size_t size);
    /// The graph's result \p number is \p t.
    void output(size_t number, TensorObj& t);
    /// The function returns \p result, whose graph's results are told: tensors that are none, but that
    /// a backend is to give as PyTorch's are (those that were written, a single one) are given, too.
    void returns(const Val& result);
    /// Inputs that the calls read, also where no operation does.
    std::set<ir::NodeId> inputs() const;
    /// Called last: whether the calls make all that the graph gives. \p gradMode: what it ends with
    bool finish(bool gradMode, const std::vector<LaterCheck>& checks);
    /// Whether something is computed, be it for nothing: PyTorch compiles such graphs, too.
    bool computes() const;
    /// @}

    /// By how many results of the graph come before them, what is given although it is none.
    std::vector<size_t> beside() const;
    /// Results of the graph that no call gives: the tensor that is written, by its number among the
    /// tensors that the module is called with.
    std::map<size_t, size_t> written(const ir::Graph& graph) const;
    /// Whether an input of the graph is one of the calls.
    bool takes(ir::NodeId input) const { return names_.contains(input); }
    /// Size symbols that the calls are given.
    void addSymbols(std::set<ir::Var>& found) const;
    /// The calls as a GraphModule, after finish(). \param inputs those of \p graph, and symbols
    /// \param names of symbols, as they are shown
    Val module(const ir::Graph& graph, const GraphInputs& inputs,
               const std::map<ir::Var, std::string>& names) const;

private:
    struct Piece;
    struct Row;
    struct Body;
    struct Scope;
    template <typename Rows, typename Visit> static void eachPiece(Rows& rows, const Visit& visit);
    Body body(const Val& function, std::span<const Val> operands, Val& result);
    static std::vector<Piece> takenFromOutside(const Row& row);
    Val tell(const Scope& scope, const char* method, std::vector<Val> args) const;
    Val build(const Scope& scope, const Piece& piece) const;
    void buildRows(Scope& scope, const std::vector<Row>& rows) const;
    Val buildBody(const Scope& scope, const Body& body, const std::vector<Piece>& taken) const;
    /// What a function calls in its turn is its own affair.
    Val quietly(const std::function<Val()>& compute);
    Val record(Row row, const std::vector<Val>& args, const Arguments* given,
               const std::function<Val()>& compute);
    Piece piece(const Val& v);
    Piece pieceOf(TensorObj& t);
    Piece pieceOf(NumberObj& number);
    void keep(const Val& result, size_t row);
    void noteGradMode(bool now);
    void settle(Piece& piece);
    void settle(std::vector<Row>& rows);
    std::string nameOf(int32_t source) const;

    Interp& in_;
    Capture& capture_;
    std::vector<Row> rows_;
    std::unordered_map<uint64_t, size_t> objects_; ///< rows by the serial of a tensor
    std::map<ir::NodeId, size_t> values_;          ///< rows by what computes a tensor
    std::map<size_t, Piece> outputs_;
    std::map<size_t, ir::NodeId> written_;       ///< results that are inputs, changed
    std::set<size_t> checked_;                   ///< results that the calls look at themselves
    std::unordered_map<uint64_t, size_t> given_; ///< results of the graph by the serial of a tensor
    std::vector<std::pair<size_t, Piece>> beside_; ///< by how many results come before
    std::vector<size_t> open_;                     ///< rows that began autocast
    struct Input {
        std::string name;
        bool parameter;
    };
    std::map<ir::NodeId, Input> names_;
    bool whole_ = true; ///< the calls say all
    bool busy_ = false;
    bool gradMode_;
};

Val branchesOfCond(Interp& in, const BuiltinObj& self, const Arguments& args);
Val isOpen(Interp& in, const BuiltinObj& self, const Arguments& args);
Val tensorOfTruth(Interp& in, const BuiltinObj& self, const Arguments& args);

} // namespace cutaway::capture
