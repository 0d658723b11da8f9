// SPDX-License-Identifier: Apache-2.0
#include "core/ir/parser.h"

#include <algorithm>
#include <charconv>

namespace cutaway::ir {

namespace {

/// Sums of products of atoms; any failure makes the whole nothing.
class SymReader {
public:
    explicit SymReader(std::string_view text) : rest_(text) {}

    std::optional<Sym> run() {
        auto value = sum();
        skip();
        return rest_.empty() ? value : std::nullopt;
    }

private:
    void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
    bool take(std::string_view token) {
        skip();
        if (!rest_.starts_with(token)) return false;
        rest_.remove_prefix(token.size());
        return true;
    }

    std::optional<Sym> sum() {
        auto value = product();
        while (value) {
            const bool plus = take("+");
            if (!plus && !take("-")) break;
            auto next = product();
            if (!next) return std::nullopt;
            value = plus ? *value + *next : *value - *next;
        }
        return value;
    }

    std::optional<Sym> product() {
        auto value = atom();
        while (value) {
            const bool times = take("*"), over = !times && (take("//") || take("/"));
            if (!times && !over && !take("%")) break;
            auto next = atom();
            if (!next) return std::nullopt;
            value = times ? *value * *next : over ? floorDiv(*value, *next) : mod(*value, *next);
        }
        return value;
    }

    std::optional<Sym> atom() {
        if (take("-")) {
            auto value = atom();
            return value ? std::optional(Sym(0) - *value) : std::nullopt;
        }
        if (take("min(")) return pair(minimum);
        if (take("max(")) return pair(maximum);
        if (take("(")) {
            auto value = sum();
            return value && take(")") ? value : std::nullopt;
        }
        skip();
        const char* last = rest_.data() + rest_.size();
        const bool letter = !rest_.empty() && rest_[0] >= 'a' && rest_[0] <= 'z';
        int64_t number = 0;
        const auto [end, error] = std::from_chars(rest_.data() + letter, last, number);
        if (error != std::errc() || number < 0) return std::nullopt;
        const char kind = rest_.empty() ? '\0' : rest_[0];
        rest_ = {end, static_cast<size_t>(last - end)};
        if (letter && number > UINT16_MAX) return std::nullopt;
        return letter ? Sym(Var{kind, static_cast<uint16_t>(number)}) : Sym(number);
    }

    std::optional<Sym> pair(Sym (*combine)(const Sym&, const Sym&)) {
        auto a = sum();
        if (!a || !take(",")) return std::nullopt;
        auto b = sum();
        return b && take(")") ? std::optional(combine(*a, *b)) : std::nullopt;
    }

    std::string_view rest_;
};

} // namespace

std::optional<Sym> parseSym(std::string_view text) {
    return SymReader(text).run();
}

} // namespace cutaway::ir
