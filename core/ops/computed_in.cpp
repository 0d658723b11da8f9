// SPDX-License-Identifier: Apache-2.0
#include "core/ops/computed_in.h"

namespace cutaway::ops {

bool hasTensorOf(const Operands& x, bool (*kind)(ir::DType)) {
    for (size_t i = 0; i < x.node.args.size(); ++i)
        if (x.isValue(i) && kind(x.type(i).dtype)) return true;
    return false;
}

Results computedIn(const Operands& x, ir::DType to, bool (*narrow)(ir::DType)) {
    std::vector<Formula> arguments = x.all();
    std::optional<ir::DType> wanted, given;
    for (size_t i = 0; i < x.node.args.size(); ++i) {
        const auto* dtype = std::get_if<ir::DType>(&x.node.args[i]);
        if (dtype) given = *dtype;
        if (x.isValue(i) && narrow(x.type(i).dtype)) {
            if (!wanted) wanted = x.type(i).dtype;
            arguments[i] = formula::convert(x[i], to);
        } else if (dtype && narrow(*dtype)) {
            arguments[i] = to;
        }
    }
    const OpDef& def = x.call().def;
    const Value all = formula::call(def.parsed.name, arguments);
    const size_t count = def.parsed.returns.size();
    Results results;
    for (size_t i = 0; i < count; ++i) {
        Value result = count == 1 ? all : Value(formula::item(all, static_cast<int>(i)));
        if (result.type().dtype == to) result = formula::convert(result, given.value_or(*wanted));
        results.push_back(result);
    }
    return results;
}

} // namespace cutaway::ops
