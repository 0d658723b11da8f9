// SPDX-License-Identifier: Apache-2.0
#include "core/capture/seen_calls.h"

#include "core/capture/interp.h"
#include "core/ops/seen_formula.h"
#include "core/ops/written_view.h"

#include <algorithm>
#include <map>

namespace cutaway::capture {

base::Result<std::optional<std::vector<Val>>> seenCall(TensorWorld& world, const ops::OpDef& def,
                                                       const ir::ArgList& args,
                                                       const std::vector<TensorObj*>& tensors,
                                                       std::shared_ptr<ir::ShapeEnv> shapes) {
    std::optional<std::vector<Val>> found;
    const auto* decompose = std::get_if<ops::Decompose>(&def.lowering);
    if (!decompose || decompose->when != ops::DecomposeWhen::BeforeAutograd || tensors.empty())
        return found;
    ir::Graph graph("call");
    graph.shapes = std::move(shapes);
    std::vector<ir::NodeId> inputs;
    for (TensorObj* t : tensors)
        inputs.push_back(graph.addPlaceholder("x", world.type(*t)));
    ir::ArgList linked = args;
    std::vector<Val> operands; // in the order of the arguments
    ir::rewriteNodes(linked, [&](ir::NodeId k) {
        operands.emplace_back(tensors[k.index]);
        return inputs[k.index];
    });
    const auto formula = ops::seenFormula(ops::OpCall(def, linked, graph));
    if (!formula) return found;
    std::map<uint32_t, Val> values;
    const std::vector<ir::NodeId> placeholders = formula->graph.placeholders();
    for (size_t i = 0; i < placeholders.size(); ++i)
        values.emplace(placeholders[i].index, operands[i]);
    const auto given = [&](ir::NodeId id) { return values.contains(id.index); };
    // reshape() to the same sizes is a view all the same.
    const bool orItself =
        def.written.putBack == &ops::itself || def.written.putBack == &ops::otherSizesOrItself;
    if (TensorWorld::sharesMemory(def) &&
        (!orItself || !std::ranges::all_of(formula->results, given)))
        return found;
    std::vector<Val> results;
    for (ir::NodeId id : formula->results) {
        std::vector<ir::NodeId> chain; // from the result to the operand
        for (; !given(id); id = *formula->graph.node(id).args[0].node())
            chain.push_back(id);
        Val value = values.at(id.index);
        while (!chain.empty()) {
            const ir::Node& node = formula->graph.node(chain.back());
            chain.pop_back();
            ir::ArgList viewed = node.args;
            viewed[0] = ir::NodeId{0};
            CUTAWAY_TRY(std::vector<Val> made,
                        world.call(*ops::catalogue().find(node.op), std::move(viewed),
                                   {value.as<TensorObj>()}));
            value = made.front();
            values.emplace(node.id.index, value);
        }
        results.push_back(value);
    }
    found = std::move(results);
    return found;
}

} // namespace cutaway::capture
