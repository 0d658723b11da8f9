// SPDX-License-Identifier: Apache-2.0
#include "core/capture/size_checks.h"

#include <algorithm>

namespace cutaway::capture {

int64_t SizePlace::read(const Val& v) const {
    if (kind == Kind::Int) return v.asInt();
    const ir::TensorType& type = v.as<TensorObj>()->real->type;
    const ir::Shape& numbers = kind == Kind::Size ? type.sizes : type.strides;
    return numbers[static_cast<size_t>(dim)].constant();
}

void SizeChecks::addRelation(const ir::Condition& condition) {
    const int32_t a = program_.slot(condition.a), b = program_.slot(condition.b);
    relations_.push_back({condition.relation, a, b});
}

int32_t SizeChecks::addInteger(const ir::Sym& size) {
    integers_.push_back(program_.slot(size));
    return static_cast<int32_t>(integers_.size() - 1);
}

bool isExact(const ir::SizeProgram& program, std::span<const int64_t> symbols,
             std::vector<int64_t>& slots) {
    program.run(symbols, slots); // what has more bits stays at the limit
    return std::ranges::none_of(slots, [](int64_t v) { return v == INT64_MAX || v == INT64_MIN; });
}

[[gnu::hot]] bool SizeChecks::hold(std::span<const Val* const> values) {
    if (symbols_.empty() && integers_.empty()) return true;
    symbolValues_.resize(symbols_.size());
    auto number = [&](const SizePlace& place) {
        return place.read(*values[static_cast<size_t>(place.slot)]);
    };
    for (size_t i = 0; i < symbols_.size(); ++i)
        symbolValues_[i] = number(symbols_[i]);
    if (!exact_.empty() && !isExact(exact_, symbolValues_, exactSlots_)) return false;
    program_.run(symbolValues_, slots_);
    for (const Place& p : places_)
        if (number(p.place) != slots_[static_cast<size_t>(p.slot)]) return false;
    for (const Relation& r : relations_)
        if (!ir::Condition{r.relation, {}, {}}.holds(slots_[static_cast<size_t>(r.a)],
                                                     slots_[static_cast<size_t>(r.b)]))
            return false;
    return true;
}

void SizeHistory::note(const std::string& source, const std::vector<int64_t>& numbers) {
    const auto [at, isNew] = seen_.try_emplace(source);
    std::vector<std::optional<int64_t>>& known = at->second;
    if (isNew) known.assign(numbers.begin(), numbers.end());
    // Of what came with another number of dimensions all of them vary, as in PyTorch.
    if (known.size() != numbers.size()) known.assign(numbers.size(), std::nullopt);
    for (size_t i = 0; i < numbers.size(); ++i)
        if (known[i] && *known[i] != numbers[i]) known[i].reset();
}

bool SizeHistory::varies(const std::string& source, size_t i) const {
    auto known = seen_.find(source);
    return known != seen_.end() && i < known->second.size() && !known->second[i];
}

} // namespace cutaway::capture
