// SPDX-License-Identifier: Apache-2.0
#include "core/ops/formula.h"

#include "core/ops/rules.h"

#include <stdexcept>

namespace cutaway::ops::formula {

struct Formula::Call {
    std::vector<Formula> operands;
    Build build;
    std::optional<ir::Arg> made; ///< once it has been added
};

Formula::Formula(const ir::Shape& sizes) : arg_(sizeList(sizes)) {}
Formula::Formula(const std::vector<int>& dims) : arg_(intList(dims)) {}
Formula::Formula(std::vector<Formula> list) : Formula(nullptr, std::move(list), nullptr) {}

Formula::Formula(Builder* builder, std::vector<Formula> operands, Build build)
    : builder_(builder),
      call_(std::make_shared<Call>(Call{std::move(operands), std::move(build), {}})) {
    for (const Formula& operand : call_->operands)
        if (!builder_) builder_ = operand.builder_;
}

Formula::operator ir::NodeId() const {
    const ir::Arg argument = added();
    return argument.node() ? *argument.node() : ir::NodeId();
}

ir::Arg Formula::added() const {
    if (!call_) return arg_;
    if (!call_->made) {
        ir::ArgList operands;
        for (const Formula& operand : call_->operands)
            operands.push_back(operand.added());
        if (call_->build && !builder_) throw std::logic_error("a formula without a value");
        call_->made = call_->build ? ir::Arg(call_->build(*builder_, std::move(operands)))
                                   : ir::Arg(std::move(operands));
        call_->operands.clear();
    }
    return *call_->made;
}

Formula call(std::string_view op, std::vector<Formula> arguments) {
    return {nullptr, std::move(arguments),
            [op](Builder& b, ir::ArgList args) { return b.call(op, std::move(args)); }};
}

Formula item(const Formula& results, int index) {
    return {nullptr, {results}, [index](Builder& b, const ir::ArgList& args) {
                return b.getitem(*args[0].node(), index);
            }};
}

namespace {

/// The overload by the kind of the second operand.
Formula compared(std::string_view scalar, std::string_view tensor, const Formula& a,
                 const Formula& b) {
    return {nullptr, {a, b}, [=](Builder& builder, ir::ArgList args) {
                const std::string_view op = args[1].node() ? tensor : scalar;
                return builder.call(op, std::move(args));
            }};
}

} // namespace

Formula eq(const Formula& a, const Formula& b) {
    return compared("eq.Scalar", "eq.Tensor", a, b);
}
Formula ne(const Formula& a, const Formula& b) {
    return compared("ne.Scalar", "ne.Tensor", a, b);
}
Formula lt(const Formula& a, const Formula& b) {
    return compared("lt.Scalar", "lt.Tensor", a, b);
}
Formula le(const Formula& a, const Formula& b) {
    return compared("le.Scalar", "le.Tensor", a, b);
}
Formula gt(const Formula& a, const Formula& b) {
    return compared("gt.Scalar", "gt.Tensor", a, b);
}
Formula ge(const Formula& a, const Formula& b) {
    return compared("ge.Scalar", "ge.Tensor", a, b);
}

Formula where(const Formula& condition, const Formula& a, const Formula& b) {
    return {nullptr, {condition, a, b}, [](Builder& builder, const ir::ArgList& args) {
                return builder.where(*args[0].node(), args[1], args[2]);
            }};
}

Formula maskedFill(const Formula& x, const Formula& mask, const Formula& number) {
    return aten("masked_fill.Scalar", x, mask, number);
}

Formula sum(const Formula& x, const std::vector<int>& dims, bool keepdim) {
    return aten("sum.dim_IntList", x, dims, keepdim);
}

Formula amax(const Formula& x, const std::vector<int>& dims, bool keepdim) {
    return aten("amax", x, dims, keepdim);
}

Formula reshape(const Formula& x, const ir::Shape& sizes) {
    return {nullptr, {x}, [sizes](Builder& b, const ir::ArgList& args) {
                return b.reshape(*args[0].node(), sizes);
            }};
}

Formula expand(const Formula& x, const ir::Shape& sizes) {
    return {nullptr, {x}, [sizes](Builder& b, const ir::ArgList& args) {
                return b.expand(*args[0].node(), sizes);
            }};
}

Formula convert(const Formula& x, ir::DType dtype) {
    return {nullptr, {x}, [dtype](Builder& b, const ir::ArgList& args) {
                return b.convert(*args[0].node(), dtype);
            }};
}

Formula full(Builder& builder, const ir::Shape& sizes, const Formula& number,
             const ir::TensorType& like) {
    return {&builder,
            {sizes, number, like.dtype, ir::Arg{}, like.device},
            [](Builder& b, ir::ArgList args) { return b.call("full", std::move(args)); }};
}

Formula Operands::operator[](size_t i) const {
    const ir::Arg& argument = node.args[i];
    return argument.node() ? Formula(Value(b, *argument.node())) : Formula(argument);
}

std::vector<Formula> Operands::all() const {
    std::vector<Formula> arguments;
    for (size_t i = 0; i < node.args.size(); ++i)
        arguments.push_back((*this)[i]);
    return arguments;
}

OpCall Operands::call() const {
    return OpCall(*catalogue().find(node.op), node.args, b.graph());
}

} // namespace cutaway::ops::formula
