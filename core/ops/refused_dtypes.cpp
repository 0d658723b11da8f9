// SPDX-License-Identifier: Apache-2.0
#include "core/ops/refused_dtypes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace cutaway::ops {

namespace {

bool refuses(Refuses what, std::span<const ir::DType> tensors) {
    const auto are = [&](auto property) { return std::ranges::all_of(tensors, property); };
    const auto isBool = [](ir::DType dtype) { return dtype == ir::DType::Bool; };
    const auto isWhole = [&](ir::DType dtype) { return isBool(dtype) || ir::isIntegral(dtype); };
    switch (what) {
    case Refuses::Nothing:
        return false;
    case Refuses::Bools:
        return are(isBool);
    case Refuses::SeveralBools:
        return tensors.size() > 1 && are(isBool);
    case Refuses::WholeNumbers:
        return are(isWhole);
    }
    return false;
}

bool isFloat8(ir::DType dtype) {
    return ir::isFloating(dtype) && ir::sizeBytes(dtype) == 1;
}

/// What records say otherwise than their categories, by the names of their schemas: filled while the
/// catalogue is made, and only read behind that.
std::map<std::string_view, bool>& toldOfFloat8() {
    static std::map<std::string_view, bool> told;
    return told;
}

/// The names of the operations that take no floats of 16 bits; filled and read as those.
std::set<std::string_view>& toldOfHalves() {
    static std::set<std::string_view> told;
    return told;
}

std::string_view nameOf(const OpDef& def) {
    return def.schema.substr(0, def.schema.find('('));
}

/// Whether a number stands where the schema wants a tensor (Traits::numbersAsTensors).
bool hasNumberForTensor(const OpDef& def, const ir::ArgList& args) {
    for (size_t i = 0; i < std::min(args.size(), def.parsed.args.size()); ++i)
        if (def.parsed.args[i].type == "Tensor" && !args[i].isNone() && !args[i].node())
            return true;
    return false;
}

bool takesFloat8(const OpDef& def, const ir::ArgList& args) {
    if (hasNumberForTensor(def, args)) return false;
    const auto told = toldOfFloat8().find(nameOf(def));
    if (told != toldOfFloat8().end()) return told->second;
    return def.category == Category::View || def.category == Category::Joining ||
           def.category == Category::Conversion || def.category == Category::Factory;
}

OpDef tell(OpDef def, bool taken) {
    toldOfFloat8()[nameOf(def)] = taken;
    return def;
}

} // namespace

OpDef withFloat8(OpDef def) {
    return tell(std::move(def), true);
}

OpDef withoutFloat8(OpDef def) {
    return tell(std::move(def), false);
}

void refuseHalves(std::initializer_list<std::string_view> ops) {
    toldOfHalves().insert(ops);
}

std::optional<base::Diagnostic> refusedDType(const OpDef& def, std::string_view name,
                                             const ir::ArgList& args,
                                             std::span<const ir::DType> tensors) {
    std::vector<ir::DType> dtypes(tensors.begin(), tensors.end());
    for (const ir::Arg& arg : args) // of a factory: what is to be made
        if (const auto* made = std::get_if<ir::DType>(&arg); made && tensors.empty())
            dtypes.push_back(*made);
    auto narrow = std::ranges::find_if(dtypes, isFloat8);
    if (narrow != dtypes.end() && takesFloat8(def, args)) narrow = dtypes.end();
    if (narrow == dtypes.end() && toldOfHalves().contains(nameOf(def)))
        narrow = std::ranges::find_if(dtypes, ir::isHalf);
    std::vector<ir::DType> operands(tensors.begin(), tensors.end());
    for (size_t i = 0; i < std::min(args.size(), def.parsed.args.size()); ++i) {
        const std::string& type = def.parsed.args[i].type;
        if (std::holds_alternative<bool>(args[i]) && (type == "Scalar" || type == "Tensor"))
            operands.push_back(ir::DType::Bool); // a truth value beside a mask is one more of it
    }
    const bool refused = !tensors.empty() && refuses(def.traits.refuses, operands);
    if (!refused && narrow == dtypes.end()) return std::nullopt;
    return base::userError({},
                           fmt::format("{}: not implemented for {}", name,
                                       ir::name(refused ? tensors.front() : *narrow)),
                           "convert it to another dtype")
        .as(base::ErrorClass::NotImplemented);
}

} // namespace cutaway::ops
