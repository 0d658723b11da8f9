// SPDX-License-Identifier: Apache-2.0
// Results that a script wants in tensors of its own: out=.
#include "core/capture/interp.h"
#include "core/capture/named_results.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"
#include "core/ops/catalogue.h"
#include "core/ops/out_dtypes.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

namespace {

/// Whether \p args leave out the dtype that \p name computes in: a keyword of reductions.
bool leavesOutDType(const std::string& name, const Arguments& args) {
    const auto named = [](const auto& keyword) { return keyword.first->text == "dtype"; };
    if (std::ranges::any_of(args.keywords, named)) return false;
    return std::ranges::any_of(ops::overloadsOf(name), [](const ops::OpDef* def) {
        const int dtype = def->parsed.find("dtype");
        return def->category == ops::Category::Reduction && dtype >= 0 &&
               def->parsed.args[static_cast<size_t>(dtype)].keywordOnly;
    });
}

/// Puts \p result of function \p name into the tensor, or the tensors of the tuple, that out= names:
/// that.
Val into(Interp& in, const std::string& name, const Val& out, const Val& result,
         size_t ofResults = 1) {
    if (auto* tensor = out.to<TensorObj>()) {
        const ir::TensorType &from = wantTensor(in, result, "the result").type(),
                             &to = tensor->type();
        if ((to.requiresGrad || from.requiresGrad) && in.gradMode())
            in.raise(Error::Runtime, name + "(): functions with out=... arguments don't support "
                                            "automatic differentiation, but one of the arguments "
                                            "requires grad.");
        if (!(from.device == to.device))
            in.raise(Error::Runtime,
                     fmt::format("Attempting to copy from device {} to device {}, but cross-device "
                                 "copies are not allowed!",
                                 from.device.str(), to.device.str()));
        if (auto refused = ops::refusedOut(name, ofResults, from.dtype, to.dtype))
            in.fail(std::move(*refused));
        if (!(from.sizes == to.sizes))
            in.callMethod(out, "resize_", {in.getAttr(result, in.intern("shape"))});
        in.callMethod(out, "copy_", {result});
        return out;
    }
    if (result.is(Kind::Tensor))
        in.raise(Error::Type, fmt::format("{}(): argument 'out' must be Tensor, not {}", name,
                                          in.typeName(out)));
    const std::vector<Val> outs = in.items(out), results = in.items(result);
    if (outs.size() != results.size())
        in.raise(Error::Type, fmt::format("out= names {} tensors, the operation gives {}",
                                          outs.size(), results.size()));
    for (size_t i = 0; i < outs.size(); ++i)
        into(in, name, outs[i], results[i], results.size());
    return outsOf(in, result, outs);
}

} // namespace

Val withOut(Interp& in, const std::string& name, const Arguments& args,
            const std::function<Val(const Arguments&)>& compute) {
    Val out;
    std::vector<std::pair<StrObj*, Val>> rest;
    for (const auto& [keyword, v] : args.keywords)
        if (keyword->text == "out")
            out = v;
        else
            rest.emplace_back(keyword, v);
    if (!out.bound()) return compute(args);
    if (auto* written = out.to<TensorObj>())
        for (const Val& v : args.positional)
            wantOtherMemory(in, *written, v, goesByPlaces(name));
    // What adds up or multiplies does so in the dtype that it is put in.
    if (auto* written = out.to<TensorObj>(); written && leavesOutDType(name, args))
        rest.emplace_back(in.intern("dtype"), Val::dtype(written->type().dtype));
    Val result = compute(Arguments{args.positional, rest});
    return out.isNone() ? result : into(in, name, out, result);
}

} // namespace cutaway::capture
