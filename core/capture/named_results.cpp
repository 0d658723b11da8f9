// SPDX-License-Identifier: Apache-2.0
#include "core/capture/named_results.h"

#include <algorithm>

namespace cutaway::capture {
namespace {

/// "Tensor values": the schema names the result.
bool isNamed(const std::string& result) {
    return result.find(' ') != std::string::npos;
}

} // namespace

Val resultsOf(Interp& in, const ops::OpDef& def, std::vector<Val> values) {
    const std::vector<std::string>& returns = def.parsed.returns;
    if (returns.size() == 1 && returns[0] != "Tensor[]") return values.front();
    Val results = in.tuple(std::move(values));
    if (returns.size() == 1 || !std::ranges::all_of(returns, isNamed)) return results;
    const Val classes = in.import("torch.return_types");
    Val* type = classes.as<ModuleObj>()->attributes->find(in.intern(def.parsed.base));
    if (!type || !type->is(Kind::Class)) return results;
    auto* tuple = results.as<TupleObj>();
    tuple->own = std::make_unique<BuiltinTypeObj::Own>();
    tuple->own->type = *type;
    tuple->own->attributes = Val(in.make<DictObj>());
    return results;
}

} // namespace cutaway::capture
