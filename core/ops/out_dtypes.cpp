// SPDX-License-Identifier: Apache-2.0
#include "core/ops/out_dtypes.h"

#include "core/ir/dtype_words.h"
#include "core/ops/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace cutaway::ops {

namespace {

struct Rule {
    OutDTypes taken = OutDTypes::Cast;
    std::string_view said;
};

/// What families say otherwise than their categories, by the names of their schemas: filled while the
/// catalogue is made, and only read behind that.
std::map<std::string_view, Rule>& told() {
    static std::map<std::string_view, Rule> rules;
    return rules;
}

std::string_view nameOf(const OpDef& def) {
    return def.schema.substr(0, def.schema.find('('));
}

Rule ruleOf(const OpDef& def) {
    if (const auto found = told().find(nameOf(def)); found != told().end()) return found->second;
    switch (def.category) {
    case Category::Indexing:
    case Category::MatrixProduct:
    case Category::LinearAlgebra:
    case Category::Softmax:
    case Category::Pooling:
    case Category::View:
        return {OutDTypes::Same, {}};
    default:
        return {};
    }
}

} // namespace

void outTakes(const std::vector<OpDef>& ops, std::initializer_list<std::string_view> names,
              OutDTypes taken, std::string_view said) {
    for (const std::string_view name : names) {
        const auto found = std::ranges::find(ops, name, nameOf);
        if (found == ops.end())
            throw std::logic_error(fmt::format("the family has no operation {}", name));
        told()[nameOf(*found)] = {taken, said};
    }
}

std::optional<base::Diagnostic> refusedOut(std::string_view name, size_t results, ir::DType result,
                                           ir::DType out) {
    if (result == out) return std::nullopt;
    for (const OpDef* def : overloadsOf(name)) {
        if (def->parsed.returns.size() != results) continue;
        const Rule rule = ruleOf(*def);
        if (rule.taken == OutDTypes::Cast) return std::nullopt;
        if (rule.taken == OutDTypes::Truth && out == ir::DType::UInt8) return std::nullopt;
        const std::string_view said =
            rule.said.empty()
                ? "Expected out tensor to have dtype {cresult}, but got {cout} instead"
                : rule.said;
        return base::userError({}, fmt::format(fmt::runtime(said),
                                               fmt::arg("result", ir::scalarType(result)),
                                               fmt::arg("out", ir::scalarType(out)),
                                               fmt::arg("cresult", ir::nameInCpp(result)),
                                               fmt::arg("cout", ir::nameInCpp(out))));
    }
    return std::nullopt;
}

} // namespace cutaway::ops
