// SPDX-License-Identifier: Apache-2.0
#include "core/fusion/wishes.h"

#include <algorithm>

namespace cutaway::fusion {

using kernel::BufferId;

static std::optional<BufferId> bufferCalled(const kernel::LoopProgram& program,
                                            const std::string& name) {
    for (const kernel::Buffer& buffer : program.buffers)
        if (name == buffer.name || name == program.name + "/" + buffer.name) return buffer.id;
    return std::nullopt;
}

std::vector<WishedPair> wishedPairs(const kernel::LoopProgram& program, std::vector<Wish>* wishes) {
    std::vector<WishedPair> pairs;
    if (!wishes) return pairs;
    for (Wish& wish : *wishes) {
        const auto a = bufferCalled(program, wish.a), b = bufferCalled(program, wish.b);
        if (!a || !b || *a == *b) continue;
        wish.problem.clear();
        pairs.push_back({std::min(*a, *b), std::max(*a, *b), &wish});
    }
    return pairs;
}

bool wantedApart(const std::vector<WishedPair>& pairs, BufferId a, BufferId b) {
    return std::any_of(pairs.begin(), pairs.end(), [&](const WishedPair& pair) {
        return !pair.wish->together && pair.a == std::min(a, b) && pair.b == std::max(a, b);
    });
}

} // namespace cutaway::fusion
