// SPDX-License-Identifier: Apache-2.0
// Calls that a script makes of a compiled function, kept so that they can be made again.
#include "core/capture/compiled_unit.h"
#include "core/capture/interp.h"

#include <algorithm>
#include <chrono>

namespace cutaway::capture {

Val CompiledUnit::callValues(const Arguments& given) {
    const KeepCalls* keep = interp_.keptCalls();
    const int number = ++calls_;
    if (!keep || !(keep->function.empty() || keep->function == name_)) return callCompiled(given);
    const bool wanted = keep->number == 0 || keep->number == number;
    if (wanted) {
        kept_ = Kept{
            {given.positional.begin(), given.positional.end()}, {}, interp_.gradMode(), number};
        for (const auto& [name, v] : given.keywords)
            kept_->keywords.emplace_back(Ref<StrObj>(name), v);
    }
    const auto begin = std::chrono::steady_clock::now();
    Val result = callCompiled(given);
    if (number == 1)
        firstSeconds_ =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (wanted && keep->number == number && keep->made) keep->made(*keptCall());
    return result;
}

std::optional<KeptCall> CompiledUnit::keptCall() {
    if (!kept_) return std::nullopt;
    auto again = [unit = shared_from_this()]() -> base::Result<ValuePtr> {
        const Kept& kept = *unit->kept_;
        std::vector<std::pair<StrObj*, Val>> keywords;
        for (const auto& [name, v] : kept.keywords)
            keywords.emplace_back(name.get(), v);
        Interp& in = unit->interp_;
        Val result;
        const bool before = in.gradMode();
        in.setGradMode(kept.gradMode);
        base::Status status =
            in.guarded([&] { result = unit->callCompiled(Arguments{kept.positional, keywords}); });
        in.setGradMode(before);
        if (!status.ok()) return status.error();
        return std::make_shared<Value>(std::move(result));
    };
    std::vector<runtime::TensorPtr> leaves;
    auto take = [&](const runtime::TensorPtr& t) {
        if (t->type.requiresGrad && !t->gradFunction) leaves.push_back(t);
    };
    for (const Val& given : kept_->positional)
        std::ranges::for_each(flattenTensors(std::make_shared<Value>(given)), take);
    for (const auto& [name, given] : kept_->keywords)
        std::ranges::for_each(flattenTensors(std::make_shared<Value>(given)), take);
    for (const auto& [name, parameter] : namedParameters(std::make_shared<Value>(callable_)))
        take(parameter);
    return KeptCall{name_, kept_->number, firstSeconds_, std::move(leaves), std::move(again)};
}

} // namespace cutaway::capture
