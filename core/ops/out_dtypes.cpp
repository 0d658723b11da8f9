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
    base::ErrorClass as = base::ErrorClass::Runtime;
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
              OutDTypes taken, std::string_view said, base::ErrorClass as) {
    for (const std::string_view name : names) {
        const auto found = std::ranges::find(ops, name, nameOf);
        if (found == ops.end())
            throw std::logic_error(fmt::format("the family has no operation {}", name));
        told()[nameOf(*found)] = {taken, said, as};
    }
}

/// The categories of torch.can_cast, in their order.
static int kindOf(ir::DType dtype) {
    if (ir::isComplex(dtype)) return 3;
    return ir::isFloating(dtype) ? 2 : dtype == ir::DType::Bool ? 0 : 1;
}

static bool takes(OutDTypes taken, ir::DType result, ir::DType out) {
    if (taken == OutDTypes::Cast) return kindOf(result) <= kindOf(out);
    return taken == OutDTypes::Truth && out == ir::DType::UInt8;
}

std::optional<base::Diagnostic> refusedOut(std::string_view name, size_t results, ir::DType result,
                                           ir::DType out) {
    if (result == out) return std::nullopt;
    Rule rule;
    const auto overloads = overloadsOf(name);
    const auto gives = [&](const OpDef* def) { return def->parsed.returns.size() == results; };
    if (const auto def = std::ranges::find_if(overloads, gives); def != overloads.end())
        rule = ruleOf(**def);
    if (takes(rule.taken, result, out)) return std::nullopt;
    if (rule.said.empty())
        rule.said = rule.taken == OutDTypes::Cast
                        ? "result type {result} can't be cast to the desired output type {out}"
                        : "Expected out tensor to have dtype {cresult}, but got {cout} instead";
    return base::userError({}, fmt::format(fmt::runtime(rule.said),
                                           fmt::arg("result", ir::scalarType(result)),
                                           fmt::arg("out", ir::scalarType(out)),
                                           fmt::arg("cresult", ir::nameInCpp(result)),
                                           fmt::arg("cout", ir::nameInCpp(out))))
        .as(rule.as);
}

} // namespace cutaway::ops
