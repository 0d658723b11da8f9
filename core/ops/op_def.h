// SPDX-License-Identifier: Apache-2.0
/// \file
/// What an operation is. One record in one family file under core/ops holds everything that any
/// stage, the window, the manual and the tests know of it.
#pragma once

#include "core/base/result.h"
#include "core/ir/graph.h"
#include "core/kernel/expr.h"
#include "core/kernel/loop_program.h"
#include "core/ops/op_traits.h"

#include <span>
#include <string_view>
#include <variant>

namespace cutaway::ops {

class Vjp;
struct OpDef;
namespace formula {
class Operands;
}

/// One argument of an ATen schema.
struct SchemaArg {
    std::string name;
    std::string type; ///< "Tensor", "Tensor[]", "Tensor?[]", "Scalar", "int", "int[]", "SymInt[]",
                      ///< "bool", "float", "ScalarType", "Device", "str"
    bool optional = false;
    bool keywordOnly = false;
    std::optional<ir::Arg> defaultValue; ///< set when the argument may be left out
};

/// A parsed ATen schema: "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *,
/// ScalarType? dtype=None) -> Tensor".
struct Schema {
    std::string name; ///< "sum.dim_IntList": the operation's key
    std::string base; ///< "sum"
    std::vector<SchemaArg> args;
    std::vector<std::string> returns;

    int find(std::string_view argName) const; ///< -1 when there is none
    std::string str() const;
};

/// Takes what a lowering rule asks of integers that it reads. Each function gives the expression to
/// use in the integer's place.
class Asks {
public:
    virtual ~Asks() = default;
    /// The int64 \p position lies in a dimension of \p size. \p wraps: a negative one has had the
    /// size added.
    virtual kernel::ExprId inside(kernel::ExprId position, const ir::Sym& size, int dim,
                                  bool wraps) = 0;
    virtual kernel::ExprId notZero(kernel::ExprId divisor) = 0;
};

/// The answer of the graph's ShapeEnv, or of the constants.
bool decide(const ir::Graph& graph, const ir::Condition& condition);

/// A call whose types are wanted or that is being lowered: arguments with the types of its tensors.
/// Arguments are complete and in schema order.
class OpCall {
public:
    OpCall(const OpDef& def, const ir::ArgList& args, const ir::Graph& graph)
        : def(def), args(args), graph(graph) {}

    const OpDef& def;
    const ir::ArgList& args;
    const ir::Graph& graph;
    /// torch.get_default_dtype(): what Python floats and true division make of integers. The
    /// double-precision oracle sets Float64.
    ir::DType defaultDType = ir::DType::Float32;
    /// Null where nobody reports what does not hold.
    Asks* asks = nullptr;

    bool has(size_t i) const { return i < args.size() && !args[i].isNone(); }
    /// Type of the tensor argument \p i.
    const ir::TensorType& tensor(size_t i) const;
    /// Types of the tensors of a list argument.
    std::vector<ir::TensorType> tensors(size_t i) const;
    bool isTensor(size_t i) const { return i < args.size() && args[i].node() != nullptr; }
    ir::Sym integer(size_t i) const; ///< int or bool scalar
    double real(size_t i) const;     ///< any scalar, as double
    bool boolean(size_t i) const;
    std::vector<ir::Sym> integers(size_t i) const; ///< an int list; a single int is a list of one
    ir::DType dtype(size_t i) const;
    // Questions about sizes. Where the answer depends on symbols the graph's ShapeEnv gives it and
    // keeps it as a guard; rules compare sizes in no other way. (Whether a size is 0 or 1 may be
    // read off, Sym::is: symbols are 2 and more.)
    bool same(const ir::Sym& a, const ir::Sym& b) const {
        return a == b || decide(graph, ir::equal(a, b));
    }
    bool same(const ir::Shape& a, const ir::Shape& b) const;
    bool less(const ir::Sym& a, const ir::Sym& b) const { return decide(graph, ir::less(a, b)); }
    bool atMost(const ir::Sym& a, const ir::Sym& b) const { return !less(b, a); }
    /// \p by is not 0.
    bool divisible(const ir::Sym& a, const ir::Sym& by) const {
        return decide(graph, ir::divisible(a, by));
    }
    /// A size as a number, which it is from now on.
    int64_t number(const ir::Sym& size) const;
    /// An integer argument as a number.
    int64_t number(size_t i) const { return number(integer(i)); }
    std::vector<int64_t> numbers(size_t i) const; ///< of an int list
    std::vector<int64_t> numbers(const ir::Shape& sizes) const;
    kernel::ExprId inside(kernel::ExprId position, const ir::Sym& size, int dim,
                          bool wraps = false) const {
        return asks ? asks->inside(position, size, dim, wraps) : position;
    }
    kernel::ExprId notZero(kernel::ExprId divisor) const {
        return asks ? asks->notZero(divisor) : divisor;
    }
    /// Dimension argument: negative values wrapped; out of range gives a user error.
    base::Result<int> dim(size_t i, size_t rank) const;
};

/// Result types of a call, or a user error ("found ..., expected ...") without location: the caller
/// adds it. View operations give true strides (relative to their input's).
using ShapeRule = base::Result<std::vector<ir::TensorType>> (*)(const OpCall&);

/// Gradient by building graph nodes: sets the gradients of a call's arguments (gradient_tools.h).
/// Source: PyTorch's derivatives.yaml.
using VjpRule = void (*)(Vjp&);
struct ThroughDecomposition {}; ///< decomposed before differentiation
struct NotDifferentiable {
    std::string_view why;
};
/// The tensors that a rule's gradients belong to, in order: one place for each argument (null where
/// it is no tensor), and one for each tensor of a list argument (cat, stack).
inline std::vector<const ir::NodeId*> gradientTargets(const ir::ArgList& args) {
    std::vector<const ir::NodeId*> targets;
    for (const ir::Arg& argument : args) {
        if (!argument.list() || ir::inputNodes({argument}).empty()) {
            targets.push_back(argument.node());
            continue;
        }
        for (const ir::Arg& element : *argument.list())
            targets.push_back(element.node());
    }
    return targets;
}

using Gradient = std::variant<VjpRule, ThroughDecomposition, NotDifferentiable>;

/// Builds an equal value from simpler operations and returns its node(s), one per result; a node
/// may be one of the call's own inputs (dropout outside training).
using DecomposeRule = std::vector<ir::NodeId> (*)(const formula::Operands& call);
enum class DecomposeWhen {
    BeforeAutograd, ///< ATen's CompositeImplicitAutograd: linear, layer_norm, cross_entropy
    AfterAutograd,  ///< Inductor's decompositions: native_layer_norm, _softmax, gelu, the backwards
    BeforeLowering  ///< after the partition, which sees these as PyTorch's does: var_mean, mean,
                    ///< split
};
struct Decompose {
    DecomposeRule build;
    DecomposeWhen when;
};

/// Loads element \p coords of tensor argument \p arg (index among all arguments) of the call that
/// is being lowered.
class LoadArg {
public:
    virtual ~LoadArg() = default;
    virtual kernel::ExprId operator()(size_t arg, std::vector<kernel::Coord> coords) = 0;
    /// The same of element \p index of a tensor list argument (cat).
    virtual kernel::ExprId element(size_t arg, size_t index, std::vector<kernel::Coord> coords) = 0;
};

/// Scalar expression of one output element from the elements of the tensor arguments, which come
/// broadcast and in argument order, not converted; scalar arguments are read from the call.
struct Pointwise {
    kernel::ExprId (*build)(kernel::ExprPool&, const OpCall&,
                            std::span<const kernel::ExprId> inputs);
};
/// Like Pointwise, but for any index arithmetic: \p coords are the output coordinates.
struct Indexed {
    kernel::ExprId (*build)(kernel::ExprPool&, const OpCall&, LoadArg& load,
                            std::span<const ir::Sym> coords);
};
/// Elements of argument 0 are converted to the result's dtype before they are reduced (to Bool for
/// Any and All), except for ArgMax and ArgMin. Of these, an operation of two results gives the
/// extreme and its position.
struct Reduction {
    kernel::ReduceOp op;
    /// The reduced dimensions (of argument 0), sorted; keepdim is read off the result's rank.
    base::Result<std::vector<int>> (*dims)(const OpCall&);
};
/// A view: input coordinates (of argument 0) from output coordinates; no memory, no cost.
struct View {
    std::vector<ir::Sym> (*map)(const OpCall&, std::span<const ir::Sym> coords);
};
/// A matrix product through the vendor's library: a [batch..., M, K] x b [batch..., K, N] (+ bias).
struct MatrixProduct {
    int a, b;      ///< argument positions
    int bias = -1; ///< argument added to the product, or -1
};
/// A copy of argument \p base that is reduced with values at places that are computed: one for
/// every element of argument \p updates, in its order where several meet (a GPU: in any order).
struct Scatter {
    int base, updates;
    /// Where in base the update goes that stands at \p coords of updates.
    std::vector<kernel::Coord> (*place)(kernel::ExprPool&, const OpCall&, LoadArg& load,
                                        std::span<const ir::Sym> coords);
    kernel::ReduceOp reduce = kernel::ReduceOp::Sum; ///< or Max: the largest update stays
    int over = -1; ///< argument as large as the part of updates that is gone through; -1: all of it
};
/// A convolution or one of its adjoints, through a library: operands [n, channels, spatial...].
struct Convolution {
    int first, second; ///< argument positions of the library call's operands
    int bias = -1;     ///< argument with one number for each channel of the result, or -1
    struct Call {
        kernel::LibraryOp op;
        kernel::ConvolutionWindow window;
    };
    Call (*how)(const OpCall&);
    /// Products that one element of the result is the sum of.
    double (*summed)(const OpCall&);
};
/// What a library computes of the rows of argument 0, the elements along one dimension. A scan of
/// two results gives the running extreme and its position.
struct RowsOfLibrary {
    kernel::LibraryOp op;
    kernel::RowCall (*how)(const OpCall&); ///< the operand's dtype is filled in
};
/// What a library makes of the matrices of argument 0 (and 1), the last two dimensions.
struct MatrixOfLibrary {
    kernel::MatrixTask (*how)(const OpCall&);
};
/// Attention by a library, query, key and value (arguments 0 to 2) as [B, H, rows, width].
struct AttentionOfLibrary {
    kernel::LibraryOp op;
    std::vector<size_t>
        operands; ///< positions of the tensor arguments, as the library call has them
    kernel::AttentionTask (*how)(const OpCall&);
};
/// No loop IR: drawn by the runtime's generator, or a copy between devices.
struct NoLowering {
    std::string_view why;
};
using Lowering =
    std::variant<Decompose, Pointwise, Indexed, Reduction, View, MatrixProduct, Scatter,
                 Convolution, RowsOfLibrary, MatrixOfLibrary, AttentionOfLibrary, NoLowering>;

/// The slowest obvious way to the values: loops over host tensors in double (or exact integers),
/// independent of shape rule, decomposition and lowering. \p tensors are the tensor arguments in
/// order (lists flattened); scalars are read from the call. Null for random operations. Gives no
/// value at all when there is none: an index out of bounds, an integer divided by zero.
using Reference = std::vector<ir::HostTensor> (*)(const OpCall&,
                                                  std::span<const ir::HostTensor* const> tensors);

/// What a view that is changed in place asks of its record (functionalisation).
struct WrittenView {
    /// The tensor that \p view is of once \p part, of the view's type, is in the view's place, or
    /// an invalid id where it cannot be. \p result: which of several views \p part is of.
    ir::NodeId (*putBack)(const formula::Operands& view, ir::NodeId part, int result) = nullptr;
    /// Elements between the first of the viewed tensor and that of a view; null: as its lowering
    /// maps coordinates.
    ir::Sym (*start)(const OpCall& view, int result) = nullptr;
};

/// A sample call for tests: how to make its tensors, and its arguments. Tensor arguments are
/// written as NodeId(k), the k-th tensor.
struct SampleTensor {
    ir::DType dtype = ir::DType::Float32;
    std::vector<int64_t> sizes;
    double low = -2, high = 2; ///< uniform values; integers inclusive
    bool awkward = false;      ///< add NaN, infinities, -0 and extremes
    bool transposed = false;   ///< last two dimensions swapped in memory
    bool definite = false;     ///< X X^T + 1 of it: square, symmetric, positive definite
};
struct Sample {
    std::vector<SampleTensor> tensors;
    ir::ArgList args;
    std::string expectedError; ///< a bad sample: the exact message of the shape rule
    bool gradient = true;      ///< check the gradient too (where there is one)
};
using Samples = std::vector<Sample> (*)();

struct OpDoc {
    std::string_view summary; ///< one line
    std::string_view formula; ///< "y = cos(x)"
    std::string_view source;  ///< paper, standard or PyTorch page
};

/// Traits::saves.
struct SavedValues {
    std::vector<size_t> arguments; ///< positions in the schema
    bool result = false;           ///< all of them
    bool none() const { return arguments.empty() && !result; }
};

struct OpDef {
    std::string_view schema;
    ShapeRule shape;
    Gradient gradient;
    Lowering lowering;
    Reference reference;
    Samples samples;
    OpDoc doc;
    Traits traits = {};
    WrittenView written = {};
    Category category = {}; ///< these three are filled in by the catalogue
    Schema parsed = {};
    SavedValues saved = {};

    const std::string& name() const { return parsed.name; }
    bool isRandom() const { return traits.distribution != Distribution::None; }
    bool isView() const { return traits.view || std::holds_alternative<View>(lowering); }
    /// Computed by a library.
    bool isLibrary() const {
        return std::holds_alternative<MatrixProduct>(lowering) ||
               std::holds_alternative<Convolution>(lowering) ||
               std::holds_alternative<RowsOfLibrary>(lowering) ||
               std::holds_alternative<MatrixOfLibrary>(lowering) ||
               std::holds_alternative<AttentionOfLibrary>(lowering);
    }
    bool isPointwise() const { return std::holds_alternative<Pointwise>(lowering); }
};

/// The record with one trait more: `with<&Traits::savesNothing>({"neg(Tensor self) -> Tensor", ..})`.
template <auto trait, auto value = true> OpDef with(OpDef def) {
    def.traits.*trait = value;
    return def;
}
/// The same of Traits::saves: `saving("self result", composite(..))`.
inline OpDef saving(std::string_view values, OpDef def) {
    def.traits.saves = values;
    return def;
}

} // namespace cutaway::ops
