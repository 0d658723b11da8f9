// SPDX-License-Identifier: Apache-2.0
#include "core/ops/composite.h"

#include "core/ops/reference.h"
#include "core/ops/reference_tools.h"
#include "core/ops/refusal.h"

#include <fmt/format.h>

#include <map>
#include <numeric>

namespace cutaway::ops {

namespace {

/// A composite's formula in a graph of its own, for tensors of given types.
struct Scratch {
    ir::Graph graph{"composite"};
    std::vector<ir::NodeId> results;

    /// \p typeOf gives the type of the k-th tensor among \p call's arguments.
    template <class TypeOf> Scratch(const OpCall& call, TypeOf typeOf) {
        graph.shapes = call.graph.shapes;
        ir::Node node;
        node.op = call.def.parsed.name;
        node.args = call.args;
        size_t next = 0;
        ir::rewriteNodes(node.args, [&](ir::NodeId id) {
            return graph.addPlaceholder(fmt::format("x{}", next), typeOf(next++, id));
        });
        Builder builder(graph);
        results = std::get<Decompose>(call.def.lowering).build({builder, node});
        graph.outputs = results;
    }
};

} // namespace

Result<Types> typesOfFormula(const OpCall& call) {
    try {
        const Scratch scratch(call,
                              [&](size_t, ir::NodeId id) { return call.graph.node(id).type(); });
        Types types;
        for (ir::NodeId id : scratch.results)
            types.push_back(scratch.graph.node(id).type());
        for (ir::TensorType& type : types)
            type.requiresGrad = false;
        return types;
    } catch (const Refusal& refusal) {
        base::Diagnostic error = refusal.error;
        if (error.fault != base::Fault::User) throw;
        // "cat: shapes ..." is told in the name of what was called; PyTorch's words stay.
        const size_t colon = error.message.find(": ");
        const bool named =
            colon != std::string::npos &&
            std::all_of(
                error.message.begin(), error.message.begin() + static_cast<long>(colon),
                [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
        if (named && !error.message.starts_with("mm: mat") &&
            !error.message.starts_with("addmm: mat"))
            error.message = call.def.parsed.base + error.message.substr(colon);
        return error;
    }
}

namespace {

Values composedReference(const OpCall& call, Tensors tensors) {
    const Scratch scratch(call, [&](size_t k, ir::NodeId) { return tensors[k]->type(); });
    std::vector<ir::HostTensor> inputs;
    for (const ir::HostTensor* tensor : tensors)
        inputs.push_back(*tensor);
    auto values = call.defaultDType == ir::DType::Float64 ? evaluateDouble(scratch.graph, inputs)
                                                          : evaluate(scratch.graph, inputs);
    return values.ok() ? std::move(*values) : Values();
}

} // namespace

OpDef composite(std::string_view schema, DecomposeRule build, Samples samples, OpDoc doc,
                Traits traits) {
    return {schema,
            typesOfFormula,
            ThroughDecomposition{},
            Decompose{build, DecomposeWhen::BeforeAutograd},
            composedReference,
            samples,
            doc,
            traits};
}

OpDef withGradient(VjpRule gradient, OpDef composite) {
    composite.gradient = gradient;
    std::get<Decompose>(composite.lowering).when = DecomposeWhen::AfterAutograd;
    return composite;
}

bool isComposite(const OpDef& def) {
    return def.reference == &composedReference;
}

void throwRefusal(base::Diagnostic error) {
    throw CallRefused(std::move(error));
}

void refuseCall(const Operands& x, std::string message, std::string hint, ErrorClass as) {
    base::Diagnostic error = refuse(x.call(), std::move(message), std::move(hint));
    throw CallRefused(std::move(error).as(as));
}

size_t dimOf(const Operands& x, size_t i, size_t rank) {
    return static_cast<size_t>(orRefuse(x.call().dim(i, rank)));
}

Formula positions(Builder& b, const Sym& count, ir::Device device) {
    return {&b, {count, ir::DType::Int64, Arg{}, device}, [](Builder& builder, ir::ArgList args) {
                return builder.call("arange", std::move(args));
            }};
}

Formula picked(const Formula& x, size_t dim, const Formula& index) {
    std::vector<Formula> indices(dim, Formula(Arg{}));
    indices.push_back(index);
    return aten("index.Tensor", x, indices);
}

std::vector<Value> listOf(const Operands& x, size_t i) {
    std::vector<Value> values;
    for (const Arg& element : *x.node.args[i].list())
        values.emplace_back(x.b, *element.node());
    return values;
}

Value flatIn(Builder& b, const Value& other, const Value& y) {
    TensorType truth = y.type();
    truth.dtype = ir::DType::Bool;
    return where(full(b, {}, 1, truth), y, other);
}

Formula reducedLoss(const Formula& loss, int64_t reduction) {
    if (reduction == 1) return aten("mean", loss);
    return reduction == 2 ? aten("sum", loss) : loss;
}

Sym productOf(std::span<const Sym> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), Sym(1),
                           [](const Sym& a, const Sym& b) { return a * b; });
}

} // namespace cutaway::ops
