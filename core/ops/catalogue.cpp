// SPDX-License-Identifier: Apache-2.0
#include "core/ops/catalogue.h"

#include "core/base/text.h"
#include "core/ops/families.h"
#include "core/ops/families_composed.h"
#include "core/ops/families_custom.h"
#include "core/ops/schema.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

namespace cutaway::ops {

namespace {

struct FamilyRow {
    Category category;
    Family ops;
};
/// The only list of families. Order matters where overloads of one name are tried in turn.
constexpr FamilyRow kFamilies[] = {
    {Category::Elementwise, elementwiseUnaryOps},
    {Category::Elementwise, elementwiseBinaryOps},
    {Category::Elementwise, powerOps},
    {Category::Elementwise, elementwiseFunctionOps},
    {Category::Elementwise, elementwiseComposedOps},
    {Category::Elementwise, specialOps},
    {Category::Elementwise, specialPolynomialOps},
    {Category::Comparison, comparisonOps},
    {Category::Selection, selectionOps},
    {Category::Elementwise, elementwisePairOps},
    {Category::Reduction, reduceOps},
    {Category::Reduction, reduceFormOps},
    {Category::Statistics, statisticsOps},
    {Category::View, viewOps},
    {Category::View, viewDimOps},
    {Category::View, viewWindowOps},
    {Category::View, complexViewOps},
    {Category::View, viewCompositeOps},
    {Category::View, repeatOps},
    {Category::View, viewCopyOps},
    {Category::Joining, splitJoinOps},
    {Category::Joining, joinCompositeOps},
    {Category::Joining, customFunctionOps},
    {Category::MatrixProduct, productOps},
    {Category::MatrixProduct, contractOps},
    {Category::MatrixProduct, contractionOps},
    {Category::Indexing, indexOps},
    {Category::Indexing, indexTensorOps},
    {Category::Indexing, indexAlongOps},
    {Category::Indexing, indexWriteOps},
    {Category::Reduction, scanOps},
    {Category::Indexing, orderOps},
    {Category::Statistics, statisticsFormOps},
    {Category::Factory, factoryOps},
    {Category::Factory, factoryFormOps},
    {Category::Conversion, conversionOps},
    {Category::Random, randomOps},
    {Category::Softmax, softmaxOps},
    {Category::Normalization, layerNormOps},
    {Category::Activation, activationOps},
    {Category::Activation, activationFormulaOps},
    {Category::Activation, activationSlopeOps},
    {Category::Loss, lossOps},
    {Category::Loss, lossFormulaOps},
    {Category::Loss, marginLossOps},
    {Category::Attention, attentionOps},
    {Category::Convolution, convolutionOps},
    {Category::Normalization, batchNormOps},
    {Category::Pooling, poolingOps},
    {Category::Pooling, windowPoolingOps},
    {Category::Pooling, paddingOps},
    {Category::Pooling, resamplingOps},
    {Category::Pooling, gridOps},
    {Category::Normalization, normalizationOps},
    {Category::Statistics, distanceOps},
    {Category::Statistics, normOps},
    {Category::LinearAlgebra, linearAlgebraOps},
    {Category::LinearAlgebra, linearAlgebraFormOps},
};

/// Traits::saves by the positions of its names.
SavedValues savedBy(const OpDef& def) {
    SavedValues saved;
    for (std::string_view rest = def.traits.saves; !rest.empty();) {
        const std::string name(rest.substr(0, rest.find(' ')));
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
        const int at = def.parsed.find(name);
        if (at >= 0)
            saved.arguments.push_back(static_cast<size_t>(at));
        else if (name == "result")
            saved.result = true;
        else
            throw std::logic_error(def.parsed.name + " has no argument that is named " + name);
    }
    return saved;
}

} // namespace

std::string_view name(Category category) {
    switch (category) {
    case Category::Elementwise:
        return "elementwise";
    case Category::Comparison:
        return "comparison";
    case Category::Selection:
        return "selection";
    case Category::Reduction:
        return "reduction";
    case Category::Statistics:
        return "statistics";
    case Category::View:
        return "view";
    case Category::Joining:
        return "joining";
    case Category::MatrixProduct:
        return "matrix product";
    case Category::LinearAlgebra:
        return "linear algebra";
    case Category::Convolution:
        return "convolution";
    case Category::Pooling:
        return "pooling";
    case Category::Normalization:
        return "normalization";
    case Category::Softmax:
        return "softmax";
    case Category::Activation:
        return "activation";
    case Category::Loss:
        return "loss";
    case Category::Attention:
        return "attention";
    case Category::Indexing:
        return "indexing";
    case Category::Factory:
        return "factory";
    case Category::Conversion:
        return "conversion";
    case Category::Random:
        return "random";
    }
    return "";
}

struct Catalogue::Tables {
    std::vector<OpDef> defs;
    // Keys are texts of `defs`, which stay where they are.
    std::unordered_map<std::string_view, const OpDef*> byName;
    std::unordered_map<std::string_view, std::vector<const OpDef*>> byBase;
};

Catalogue::Catalogue() : tables_(std::make_unique<Tables>()) {
    for (const FamilyRow& family : kFamilies)
        for (OpDef& def : family.ops()) {
            def.category = family.category;
            tables_->defs.push_back(std::move(def));
        }
    for (OpDef& def : tables_->defs) {
        auto schema = parseSchema(def.schema);
        if (!schema.ok()) throw std::logic_error(schema.error().message);
        def.parsed = std::move(*schema);
        def.saved = savedBy(def);
        if (!tables_->byName.emplace(def.parsed.name, &def).second)
            throw std::logic_error("two operations are named " + def.parsed.name);
        tables_->byBase[def.parsed.base].push_back(&def);
    }
}

Catalogue::~Catalogue() = default;

const OpDef* Catalogue::find(std::string_view name) const {
    auto at = tables_->byName.find(name);
    return at == tables_->byName.end() ? nullptr : at->second;
}

std::span<const OpDef* const> Catalogue::overloads(std::string_view base) const {
    auto at = tables_->byBase.find(base);
    if (at == tables_->byBase.end()) return {};
    return at->second;
}

std::span<const OpDef> Catalogue::all() const {
    return tables_->defs;
}

std::vector<std::string> Catalogue::nearest(std::string_view base, size_t count) const {
    std::vector<std::pair<size_t, std::string>> ranked;
    for (const auto& [name, overloads] : tables_->byBase) {
        size_t distance = base::editDistance(base, name);
        if (distance <= std::max<size_t>(2, base.size() / 3)) ranked.emplace_back(distance, name);
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::string> names;
    for (size_t i = 0; i < std::min(count, ranked.size()); ++i)
        names.push_back(ranked[i].second);
    return names;
}

const Catalogue& catalogue() {
    static const Catalogue instance;
    return instance;
}

} // namespace cutaway::ops
