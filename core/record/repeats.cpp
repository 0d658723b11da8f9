// SPDX-License-Identifier: Apache-2.0
#include "core/record/repeats.h"

#include <fmt/format.h>

namespace cutaway::record {

namespace {

constexpr size_t kLeastHidden = 8; ///< calls that a repeat must save to be worth telling
constexpr size_t kLongestPeriod = 256;
/// With two stretches nothing but the looser comparison of the first would be known.
constexpr size_t kLeastTimes = 3;

bool beginsWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isOfWord(char c) {
    return beginsWord(c) || (c >= '0' && c <= '9');
}

/// f(position, length) of every name in the text.
template <class F> void eachWord(std::string_view text, F f) {
    for (size_t i = 0; i < text.size();) {
        if (!isOfWord(text[i])) {
            ++i;
            continue;
        }
        size_t end = i;
        while (end < text.size() && isOfWord(text[end]))
            ++end;
        if (beginsWord(text[i])) f(i, end - i);
        i = end;
    }
}

class Finder {
public:
    Finder(std::span<const RepeatItem> items, CallSignatures& signatures,
           const std::vector<bool>& apart, std::span<const int> place)
        : place_(place) {
        std::vector<int> position(items.size());
        for (size_t i = 0; i < items.size(); ++i) {
            position[i] = static_cast<int>(calls_.size());
            if (!apart[i] && items[i].isCall()) calls_.push_back(static_cast<int>(i));
        }
        for (int call : calls_) {
            const bool backward = items[static_cast<size_t>(call)].backward;
            auto number = [&](bool loose) {
                return signatures.number(call, [&](int input) {
                    const RepeatItem& from = items[static_cast<size_t>(input)];
                    const bool own = from.isCall() && !apart[static_cast<size_t>(input)];
                    // A backward reads each block's own saved value, as a block its own weights.
                    const bool saved = own && backward && !from.backward;
                    if (own && !saved && !loose)
                        return fmt::format("<{}>", position[static_cast<size_t>(call)] -
                                                       position[static_cast<size_t>(input)]);
                    return fmt::format("<{} {}>", loose ? "" : from.node->op, from.node->type);
                });
            };
            strict_.push_back(number(false));
            loose_.push_back(number(true));
        }
    }

    std::vector<Repeat> find() const {
        std::vector<Repeat> found;
        for (size_t start = 0; start < calls_.size();) {
            size_t best = 0, bestPeriod = 0;
            for (size_t period = 1; period <= kLongestPeriod && start + 2 * period <= calls_.size();
                 ++period) {
                size_t equal = 0;
                while (start + period + equal < calls_.size() && same(start, equal, period))
                    ++equal;
                const size_t times = 1 + equal / period;
                if (times < kLeastTimes || times * period <= best) continue;
                best = times * period;
                bestPeriod = period;
            }
            if (bestPeriod == 0 || best < bestPeriod + kLeastHidden) {
                ++start;
                continue;
            }
            const auto begin = calls_.begin() + static_cast<std::ptrdiff_t>(start);
            found.push_back({{begin, begin + static_cast<std::ptrdiff_t>(best)},
                             bestPeriod,
                             best / bestPeriod});
            start += best;
        }
        return found;
    }

private:
    int place(size_t call) const { return place_[static_cast<size_t>(calls_[call])]; }
    bool same(size_t start, size_t i, size_t period) const {
        // The first stretch may read what stands before the run.
        const auto& of = i < period ? loose_ : strict_;
        return of[start + i] == of[start + period + i] &&
               place(start) == place(start + period + i) && place(start) == place(start + i);
    }

    std::span<const int> place_;
    std::vector<int> calls_;          ///< indices of calls
    std::vector<int> strict_, loose_; ///< by call: equal numbers, equal signatures
};

} // namespace

std::vector<RepeatItem> repeatItems(const GraphStage& stage) {
    std::unordered_map<ItemId, int> at;
    std::vector<RepeatItem> items;
    for (const GraphNode& node : stage.nodes) {
        at.emplace(node.item, static_cast<int>(items.size()));
        items.push_back({&node, node.backward || node.name.starts_with("tangents"), {}});
    }
    for (RepeatItem& item : items)
        for (ItemId input : item.node->inputs)
            if (const auto from = at.find(input); from != at.end())
                item.inputs.push_back(from->second);
    return items;
}

CallSignatures::CallSignatures(std::span<const RepeatItem> items)
    : heads_(items.size()), pieces_(items.size()) {
    for (size_t i = 0; i < items.size(); ++i) {
        const RepeatItem& item = items[i];
        if (!item.isCall()) continue;
        heads_[i] = item.node->op + "|" + item.node->type + "|" + (item.backward ? "b" : "f");
        std::unordered_map<std::string_view, int> names;
        for (int input : item.inputs)
            names.emplace(items[static_cast<size_t>(input)].node->name, input);
        // The printed arguments hold names and numbers; a node may be called as its operation is.
        std::string_view arguments = item.node->text;
        for (const std::string_view before : {" = ", "("}) {
            const size_t found = arguments.find(before);
            arguments.remove_prefix(found == arguments.npos ? arguments.size()
                                                            : found + before.size());
        }
        size_t last = 0;
        eachWord(arguments, [&](size_t begin, size_t length) {
            const auto input = names.find(arguments.substr(begin, length));
            if (input == names.end()) return;
            pieces_[i].push_back({std::string(arguments.substr(last, begin - last)), -1});
            pieces_[i].push_back({{}, input->second});
            last = begin + length;
        });
        pieces_[i].push_back({std::string(arguments.substr(last)), -1});
    }
}

int CallSignatures::intern(const std::string& text) {
    return numbers_.try_emplace(text, static_cast<int>(numbers_.size())).first->second;
}

std::vector<Repeat> findRepeats(std::span<const RepeatItem> items, CallSignatures& signatures,
                                const std::vector<bool>& apart, std::span<const int> place) {
    return Finder(items, signatures, apart, place).find();
}

std::vector<Repeat> findRepeats(const GraphStage& stage) {
    const std::vector<RepeatItem> items = repeatItems(stage);
    CallSignatures signatures(items);
    return findRepeats(items, signatures, std::vector<bool>(items.size()),
                       std::vector<int>(items.size(), 0));
}

} // namespace cutaway::record
