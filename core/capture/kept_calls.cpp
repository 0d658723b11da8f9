// SPDX-License-Identifier: Apache-2.0
// Calls that a script makes of a compiled function: which took an entry, and those that are kept so that they
// can be made again.
#include "core/capture/compiled_unit.h"
#include "core/capture/interp.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>

namespace cutaway::capture {

std::string EntryCalls::text() const {
    const auto more = count - static_cast<int64_t>(first.size());
    return fmt::format("{}{}", fmt::join(first, ", "),
                       more ? fmt::format(" and {} more", more) : "");
}

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
    if (keep->made && keep->asksFor(name_, number)) keep->made(*keptCall());
    return result;
}

/// Arguments that the script has computed, as leaves with the same memory: what goes back from a
/// call ends at its arguments.
class Leaves {
public:
    explicit Leaves(Interp& interp) : interp_(interp) {}
    Val of(const Val& given) {
        auto* t = given.to<TensorObj>();
        if (!t || !t->real || !t->real->gradFunction || t->subclass) return given;
        auto [at, first] = leaves_.emplace(t, Val());
        if (first) {
            const ir::TensorType& type = t->real->type;
            auto leaf = runtime::viewOf(t->real, type.sizes, type.strides, 0);
            leaf->type.requiresGrad = type.requiresGrad;
            at->second = interp_.tensor(std::move(leaf));
        }
        return at->second;
    }

private:
    Interp& interp_;
    std::map<const TensorObj*, Val> leaves_;
};

std::optional<KeptCall> CompiledUnit::keptCall() {
    if (!kept_) return std::nullopt;
    auto again = [unit = shared_from_this()]() -> base::Result<ValuePtr> {
        const Kept& kept = *unit->kept_;
        Leaves leaves(unit->interp_);
        std::vector<Val> positional;
        for (const Val& v : kept.positional)
            positional.push_back(leaves.of(v));
        std::vector<std::pair<StrObj*, Val>> keywords;
        for (const auto& [name, v] : kept.keywords)
            keywords.emplace_back(name.get(), leaves.of(v));
        Interp& in = unit->interp_;
        Val result;
        const bool before = in.gradMode();
        in.setGradMode(kept.gradMode);
        base::Status status =
            in.guarded([&] { result = unit->callCompiled(Arguments{positional, keywords}); });
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
