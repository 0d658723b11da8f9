// SPDX-License-Identifier: Apache-2.0
// torch.cond, of which both functions are in the graph.
#include "core/capture/control_flow.h"

#include "core/capture/tensor_world.h"
#include "core/capture/torch_calls.h"
#include "core/capture/torch_support.h"

namespace cutaway::capture {

/// branches(condition, true, false, operands, choose): of torch.cond.
Val branchesOfCond(Interp& in, const BuiltinObj& self, const Arguments& args) {
    const std::vector<Val> v =
        parseArguments(in, self.name, args, {"condition", "true", "false", "operands", "choose"});
    const std::vector<Val> functions{v[1], v[2]}, operands = in.items(v[3]);
    const auto choose = [&](const Val& a, const Val& b) { return in.call(v[4], {a, b}); };
    if (TorchCalls* calls = in.torchOverrides.calls)
        return calls->branches(v[0], functions, operands, choose);
    const Val first = in.call(v[1], operands);
    return choose(first, in.call(v[2], operands));
}

/// is_open(v): whether it is a bool on sizes that nobody has asked yet.
Val isOpen(Interp& in, const BuiltinObj& self, const Arguments& args) {
    return Val::boolean(parseArguments(in, self.name, args, {"v"})[0].is(Kind::Truth));
}

Val tensorOfTruth(Interp& in, const TruthObj& truth) {
    const ir::Condition& condition = truth.condition;
    static constexpr CompareOp kOperators[] = {CompareOp::Equal, CompareOp::NotEqual,
                                               CompareOp::Less, CompareOp::LessEqual};
    const auto number = [&](const ir::Sym& size) {
        return in.world().number(in.size(size), ir::DType::Int64, {});
    };
    return in.compare(kOperators[static_cast<size_t>(condition.relation)], number(condition.a),
                      number(condition.b));
}

/// truth(v)
Val tensorOfTruth(Interp& in, const BuiltinObj& self, const Arguments& args) {
    return tensorOfTruth(in, *parseArguments(in, self.name, args, {"v"})[0].as<TruthObj>());
}

} // namespace cutaway::capture
