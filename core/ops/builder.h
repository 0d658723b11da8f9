// SPDX-License-Identifier: Apache-2.0
/// \file
/// Adds calls to a graph with inferred types and the current provenance. Gradients, decompositions,
/// passes, capture and importers all build nodes through it.
#pragma once

#include "core/ops/catalogue.h"

#include <functional>

namespace cutaway::ops {

/// What every node created from now on inherits.
struct Provenance {
    ir::SourceStack source;
    std::string modulePath;
    std::vector<ir::NodeId> from;
    bool backward = false;
    std::string rule;   ///< "gelu_backward decomposition", "vjp of cos"
    int checkpoint = 0; ///< as ir::Node::checkpoint
};

class Builder {
public:
    explicit Builder(ir::Graph& graph) : graph_(graph) {}

    ir::Graph& graph() { return graph_; }
    const ir::TensorType& type(ir::NodeId id) const { return graph_.node(id).type(); }
    Provenance provenance;
    /// Which values want a gradient; gradient rules skip the others. Unset: all that are floating.
    std::function<bool(ir::NodeId)> wantsGradient;

    // Questions about sizes, as OpCall's.
    bool same(const ir::Sym& a, const ir::Sym& b) const {
        return a == b || decide(graph_, ir::equal(a, b));
    }
    bool same(const ir::Shape& a, const ir::Shape& b) const;
    bool less(const ir::Sym& a, const ir::Sym& b) const { return decide(graph_, ir::less(a, b)); }
    /// Checked: complete or short argument lists (defaults are filled in). Errors: what the shape
    /// rule says.
    base::Result<ir::NodeId> tryCall(std::string_view op, ir::ArgList args);
    /// For rules whose inputs are known to be legal; a failure is our bug and throws
    /// std::logic_error, caught by the pass runner.
    ir::NodeId call(std::string_view op, ir::ArgList args);
    ir::NodeId getitem(ir::NodeId tuple, int index);

    // The handful that nearly every rule needs.
    ir::NodeId add(ir::NodeId a, ir::Arg b);
    ir::NodeId sub(ir::NodeId a, ir::Arg b);
    ir::NodeId mul(ir::NodeId a, ir::Arg b);
    ir::NodeId div(ir::NodeId a, ir::Arg b);
    ir::NodeId neg(ir::NodeId a);
    /// A gradient of broadcast operands summed back to \p target's sizes (PyTorch: sum_to_size).
    ir::NodeId sumTo(ir::NodeId gradient, const ir::Shape& sizes);
    /// A view where the strides allow one, else a copy seen as \p sizes.
    ir::NodeId reshape(ir::NodeId a, ir::Shape sizes);
    ir::NodeId expand(ir::NodeId a, const ir::Shape& sizes);
    ir::NodeId permute(ir::NodeId a, const std::vector<int>& dims);
    ir::NodeId where(ir::NodeId condition, ir::Arg a, ir::Arg b);
    /// prims.convert_element_type when the dtype differs, else the node itself.
    ir::NodeId convert(ir::NodeId a, ir::DType dtype);
    ir::NodeId scalar(double value, ir::DType dtype, ir::Device device); ///< scalar_tensor

private:
    ir::Graph& graph_;
};

} // namespace cutaway::ops
