// SPDX-License-Identifier: Apache-2.0
// torch._dynamo.assume_constant_result: what a function gives of the captured call's own values is a
// constant of the graph, as the script has promised.
#include "core/base/said.h"
#include "core/capture/interp.h"
#include "core/capture/script_graph.h"
#include "core/capture/tensor_world.h"
#include "core/runtime/tensor.h"

namespace cutaway::capture {
namespace {

void wantReal(Interp& in, const Val& v) {
    if (auto* t = v.to<TensorObj>()) {
        if (!t->real)
            in.stop(base::said("assume_constant_result() of a function of a tensor that the graph "
                               "computes"),
                    base::said("give it the inputs of the compiled function, or what is known "
                               "without them"));
    } else if (v.is(Kind::List) || v.is(Kind::Tuple)) {
        for (const Val& item : in.items(v))
            wantReal(in, item);
    }
}

/// What was computed outside of the capture, as the capture has it.
Val asConstant(Interp& in, const Val& v) {
    if (auto* t = v.to<TensorObj>())
        return in.world().constant(in.need(runtime::toHost(*t->real)), t->real->type.device);
    if (!v.is(Kind::List) && !v.is(Kind::Tuple)) return v;
    std::vector<Val> items;
    for (const Val& item : in.items(v))
        items.push_back(asConstant(in, item));
    return v.is(Kind::List) ? in.list(std::move(items)) : in.tuple(std::move(items));
}

} // namespace

Val callConstant(Interp& in, const BuiltinObj&, const Arguments& args) {
    const std::vector<Val> given(args.positional.begin() + 1, args.positional.end());
    if (!in.capture()) return in.call(args.positional[0], given, args.keywords);
    for (const Val& v : given)
        wantReal(in, v);
    for (const auto& [name, v] : args.keywords)
        wantReal(in, v);
    Val result;
    {
        const OutsideCapture outside(in);
        result = in.call(args.positional[0], given, args.keywords);
    }
    return asConstant(in, result);
}

} // namespace cutaway::capture
