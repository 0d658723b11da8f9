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

Wanted wantedOf(const std::vector<WishedPair>& pairs, const std::vector<BufferId>& group,
                BufferId b) {
    Wanted wanted;
    for (const WishedPair& pair : pairs) {
        if (pair.a != b && pair.b != b) continue;
        const BufferId other = pair.a == b ? pair.b : pair.a;
        if (std::find(group.begin(), group.end(), other) == group.end()) continue;
        (pair.wish->together ? wanted.together : wanted.apart) = true;
    }
    return wanted;
}

} // namespace cutaway::fusion
