// SPDX-License-Identifier: Apache-2.0
#include "core/ops/composed.h"

#include "core/ops/composite.h"

namespace cutaway::ops {

Result<Types> composedShape(const OpCall& call) {
    CUTAWAY_TRY(Types types, typesOfFormula(call));
    // The oracle computes in double: what integers became there.
    if (call.defaultDType == ir::DType::Float64)
        for (ir::TensorType& type : types)
            if (type.dtype == ir::DType::Float32) type.dtype = ir::DType::Float64;
    return types;
}

void refuseComposed(const OpCall& call, std::string message, std::string hint, ErrorClass as) {
    throwRefusal(refuse(call, std::move(message), std::move(hint)).as(as));
}

OpDef composed(std::string_view schema, DecomposeRule build, Reference reference, Samples samples,
               OpDoc doc) {
    OpDef def = composite(schema, build, samples, doc);
    def.shape = composedShape;
    def.reference = reference;
    return def;
}

OpDef composed(std::string_view schema, Gradient gradient, DecomposeRule build, Reference reference,
               Samples samples, OpDoc doc) {
    OpDef def = composed(schema, build, reference, samples, doc);
    def.gradient = gradient;
    def.lowering = Decompose{build, DecomposeWhen::AfterAutograd};
    return def;
}

void addOverloads(std::vector<OpDef>& ops, const OpDef& def,
                  std::initializer_list<std::string_view> schemas) {
    const OpDef original = def; // which may lie in ops
    for (std::string_view schema : schemas) {
        ops.push_back(original);
        ops.back().schema = schema;
    }
}

} // namespace cutaway::ops
