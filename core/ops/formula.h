// SPDX-License-Identifier: Apache-2.0
/// \file
/// Gradients and decompositions written as formulas: `half * (erf(x * kSqrtHalf) + 1)`.
///
/// Operators and functions over values only write a Formula down. Its calls are added to the graph
/// when it becomes a Value (a named variable, a rule's result): operands before the call that uses
/// them, from left to right, each once. So the order of a graph's nodes is the order of the text,
/// whatever order C++ evaluates operands in. Functions are found by their arguments' type; what is
/// no value (numbers, dims, sizes, dtypes) is passed as it is in C++.
#pragma once

#include "core/ops/builder.h"

#include <concepts>

namespace cutaway::ops::formula {

/// A value, a call that has not been added yet, or an argument that is no value.
class Formula {
public:
    /// Adds one or several calls for operands that are in the graph.
    using Build = std::function<ir::NodeId(Builder&, ir::ArgList operands)>;

    Formula(ir::Arg argument) : arg_(std::move(argument)) {}
    Formula(ir::ArgList list) : arg_(std::move(list)) {}
    Formula(std::vector<Formula> list); ///< a list of tensors
    Formula(bool flag) : arg_(flag) {}
    Formula(double number) : arg_(number) {}
    template <std::integral T> Formula(T number) : arg_(ir::Sym(static_cast<int64_t>(number))) {}
    Formula(ir::Sym size) : arg_(std::move(size)) {}
    Formula(ir::DType dtype) : arg_(dtype) {}
    Formula(ir::Device device) : arg_(device) {}
    Formula(const char* word) : arg_(std::string(word)) {}
    Formula(const ir::Shape& sizes);
    Formula(const std::vector<int>& dims);
    /// \p builder null: that of the first operand that has one.
    Formula(Builder* builder, std::vector<Formula> operands, Build build);

    /// The result in the graph; adds what has not been added. std::logic_error when no value occurs
    /// in the formula.
    operator ir::NodeId() const;

private:
    friend class Value;
    struct Call;
    Formula() = default;
    Formula(Builder* builder, ir::NodeId id) : builder_(builder), arg_(id) {}
    ir::Arg added() const;

    Builder* builder_ = nullptr;
    ir::Arg arg_;
    std::shared_ptr<Call> call_;
};

/// A node of the graph that is being built, or none.
class Value : public Formula {
public:
    Value() = default;
    Value(Builder& builder, ir::NodeId id)
        : Formula(id.valid() ? Formula(&builder, id) : Formula()) {}
    Value(const Formula& formula) : Formula(formula.builder_, formula) {} ///< adds its calls

    bool valid() const { return ir::NodeId(*this).valid(); }
    const ir::TensorType& type() const { return builder_->type(*this); }
};

/// The call of any operation. \p op outlives the formula.
Formula call(std::string_view op, std::vector<Formula> arguments);
template <class... T> Formula aten(std::string_view op, const T&... arguments) {
    return call(op, {Formula(arguments)...});
}
/// One result of a call that has several.
Formula item(const Formula& results, int index);

inline Formula operator+(const Formula& a, const Formula& b) {
    return aten("add.Tensor", a, b);
}
inline Formula operator-(const Formula& a, const Formula& b) {
    return aten("sub.Tensor", a, b);
}
inline Formula operator*(const Formula& a, const Formula& b) {
    return aten("mul.Tensor", a, b);
}
inline Formula operator/(const Formula& a, const Formula& b) {
    return aten("div.Tensor", a, b);
}
inline Formula operator-(const Formula& x) {
    return aten("neg", x);
}

inline Formula abs(const Formula& x) {
    return aten("abs", x);
}
inline Formula cos(const Formula& x) {
    return aten("cos", x);
}
inline Formula erf(const Formula& x) {
    return aten("erf", x);
}
inline Formula exp(const Formula& x) {
    return aten("exp", x);
}
inline Formula log(const Formula& x) {
    return aten("log", x);
}
inline Formula rsqrt(const Formula& x) {
    return aten("rsqrt", x);
}
inline Formula sigmoid(const Formula& x) {
    return aten("sigmoid", x);
}
inline Formula sign(const Formula& x) {
    return aten("sign", x);
}
inline Formula sin(const Formula& x) {
    return aten("sin", x);
}
inline Formula sqrt(const Formula& x) {
    return aten("sqrt", x);
}
inline Formula tanh(const Formula& x) {
    return aten("tanh", x);
}
inline Formula pow(const Formula& x, const Formula& exponent) {
    return aten("pow.Tensor_Scalar", x, exponent);
}

// Comparisons of a value with a value or a number.
Formula eq(const Formula& a, const Formula& b);
Formula ne(const Formula& a, const Formula& b);
Formula lt(const Formula& a, const Formula& b);
Formula le(const Formula& a, const Formula& b);
Formula gt(const Formula& a, const Formula& b);
Formula ge(const Formula& a, const Formula& b);
inline Formula logicalAnd(const Formula& a, const Formula& b) {
    return aten("logical_and", a, b);
}
inline Formula logicalOr(const Formula& a, const Formula& b) {
    return aten("logical_or", a, b);
}
inline Formula logicalNot(const Formula& x) {
    return aten("logical_not", x);
}
/// A number becomes a 0-dim tensor of the other side's dtype.
Formula where(const Formula& condition, const Formula& a, const Formula& b);
Formula maskedFill(const Formula& x, const Formula& mask, const Formula& number);

inline Formula sum(const Formula& x) {
    return aten("sum", x);
}
Formula sum(const Formula& x, const std::vector<int>& dims, bool keepdim = false);
Formula amax(const Formula& x, const std::vector<int>& dims, bool keepdim = false);

/// Unlike reshape and expand, a call even where the sizes are the same.
inline Formula view(const Formula& x, const ir::Shape& sizes) {
    return aten("view", x, sizes);
}
inline Formula unsqueeze(const Formula& x, int64_t dim) {
    return aten("unsqueeze", x, dim);
}
inline Formula squeeze(const Formula& x, int64_t dim) {
    return aten("squeeze.dim", x, dim);
}
inline Formula permute(const Formula& x, const std::vector<int>& d) {
    return aten("permute", x, d);
}
// See Builder.
Formula reshape(const Formula& x, const ir::Shape& sizes);
Formula expand(const Formula& x, const ir::Shape& sizes);
Formula convert(const Formula& x, ir::DType dtype);

inline Formula zerosLike(const Formula& x) {
    return aten("zeros_like", x);
}
/// A tensor of \p sizes that holds \p number, with the dtype and on the device of \p like.
Formula full(Builder& builder, const ir::Shape& sizes, const Formula& number,
             const ir::TensorType& like);
/// A 0-dim tensor.
inline Value scalar(Builder& b, double number, ir::DType dtype, ir::Device device) {
    return {b, b.scalar(number, dtype, device)};
}

/// The call that a rule is applied to: its arguments as formulas.
class Operands {
public:
    Operands(Builder& builder, const ir::Node& node) : b(builder), node(node) {}

    Builder& b;
    const ir::Node& node;

    Formula operator[](size_t i) const; ///< whatever the argument is
    std::vector<Formula> all() const;   ///< every argument
    bool has(size_t i) const { return i < node.args.size() && !node.args[i].isNone(); }
    bool isValue(size_t i) const { return node.args[i].node() != nullptr; }
    Value tensor(size_t i) const { return {b, *node.args[i].node()}; }
    const ir::TensorType& type(size_t i) const { return b.type(*node.args[i].node()); }
    /// The call as shape rules see it.
    OpCall call() const;
};

/// What a decomposition gives: a node for each result.
using Results = std::vector<ir::NodeId>;

} // namespace cutaway::ops::formula

namespace cutaway::ops {
using formula::aten;
using formula::Formula;
using formula::full;
using formula::Operands;
using formula::Results;
using formula::scalar;
using formula::Value;
} // namespace cutaway::ops
