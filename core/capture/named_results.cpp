// SPDX-License-Identifier: Apache-2.0
#include "core/capture/named_results.h"

#include <algorithm>

namespace cutaway::capture {
namespace {

/// "Tensor values": the schema names the result.
bool isNamed(const std::string& result) {
    return result.find(' ') != std::string::npos;
}

/// \p tuple as one of the class \p name of torch.return_types, where there is one.
void becomeNamed(Interp& in, TupleObj& tuple, const std::string& name) {
    const Val classes = in.import("torch.return_types");
    Val* type = classes.as<ModuleObj>()->attributes->find(in.intern(name));
    if (!type || !type->is(Kind::Class)) return;
    tuple.own = std::make_unique<BuiltinTypeObj::Own>();
    tuple.own->type = *type;
    tuple.own->attributes = Val(in.make<DictObj>());
}

} // namespace

Val resultsOf(Interp& in, const ops::OpDef& def, std::vector<Val> values) {
    const std::vector<std::string>& returns = def.parsed.returns;
    if (returns.size() == 1 && returns[0] != "Tensor[]") return values.front();
    Val results = in.tuple(std::move(values));
    if (returns.size() == 1 || !std::ranges::all_of(returns, isNamed)) return results;
    becomeNamed(in, *results.as<TupleObj>(), def.parsed.base);
    return results;
}

Val outsOf(Interp& in, const Val& results, std::vector<Val> outs) {
    Val named = in.tuple(std::move(outs));
    if (const ClassObj* type = in.classOf(results))
        becomeNamed(in, *named.as<TupleObj>(), type->name + "_out");
    return named;
}

} // namespace cutaway::capture
