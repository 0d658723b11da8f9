// SPDX-License-Identifier: Apache-2.0
// Regular expressions by PCRE2's 32-bit library: positions are characters, as Python counts them.
// resources/script_library/re.py writes Python's syntax as PCRE2's.
#include "core/capture/regular_expressions.h"

#include "core/capture/characters.h"

#define PCRE2_CODE_UNIT_WIDTH 32
#include <pcre2.h>

#include <map>

namespace cutaway::capture {
namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;

/// One match may take so many steps (a second or so): nested repetitions would take for ever.
constexpr uint32_t kMostSteps = 20'000'000;
constexpr uint32_t kMostMemory = 64 << 10; // KiB
constexpr size_t kMostPatterns = 256;

struct FreeCode {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
struct FreeData {
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};
struct FreeCompile {
    void operator()(pcre2_compile_context* context) const { pcre2_compile_context_free(context); }
};
struct FreeMatch {
    void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};
using Code = std::shared_ptr<pcre2_code>;

struct Compiled {
    Code code; ///< null: an error
    std::string error;
    size_t errorAt = 0;
};

/// "imsxa": Python's flags by their letters.
uint32_t optionsOf(std::string_view letters) {
    uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C;
    for (char c : letters) {
        if (c == 'i') options |= PCRE2_CASELESS;
        if (c == 'm') options |= PCRE2_MULTILINE;
        if (c == 's') options |= PCRE2_DOTALL;
        if (c == 'x') options |= PCRE2_EXTENDED;
        if (c == 'a') options &= ~static_cast<uint32_t>(PCRE2_UCP);
    }
    return options;
}

Compiled compiledPattern(const std::string& pattern, const std::string& letters) {
    thread_local std::map<std::string, Code> known;
    const std::string key = letters + ' ' + pattern;
    if (auto at = known.find(key); at != known.end()) return {at->second, {}, 0};
    const std::u32string text = charactersOf(pattern);
    const std::unique_ptr<pcre2_compile_context, FreeCompile> context(
        pcre2_compile_context_create(nullptr));
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    int error = 0;
    PCRE2_SIZE at = 0;
    Code code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                            optionsOf(letters), &error, &at, context.get()),
              FreeCode());
    if (!code) {
        PCRE2_UCHAR words[256];
        const int length = pcre2_get_error_message(error, words, 256);
        std::u32string message;
        for (int i = 0; i < length; ++i)
            message += static_cast<char32_t>(words[i]);
        return {nullptr, utf8Of(message), at};
    }
    if (known.size() >= kMostPatterns) known.clear();
    known.emplace(key, code);
    return {code, {}, 0};
}

/// None, or what is wrong with the pattern and where.
Val regexError(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "regex_error", args, {"pattern", "options"});
    const Compiled compiled =
        compiledPattern(wantStr(in, v[0], "the pattern"), wantStr(in, v[1], "the options"));
    if (compiled.code) return Val::none();
    return in.tuple({in.str(compiled.error), Val::integer(static_cast<int64_t>(compiled.errorAt))});
}

/// A tuple of a match's starts and ends, of the whole and of each group (-1: took no part).
Val placesOf(Interp& in, pcre2_match_data* data) {
    const PCRE2_SIZE* places = pcre2_get_ovector_pointer(data);
    const uint32_t count = pcre2_get_ovector_count(data);
    std::vector<Val> values;
    for (uint32_t i = 0; i < 2 * count; ++i)
        values.push_back(
            Val::integer(places[i] == PCRE2_UNSET ? -1 : static_cast<int64_t>(places[i])));
    return in.tuple(std::move(values));
}

/// The matches in text[:end] from \p start on. kind: "match" and "fullmatch" are at the start,
/// "search" is the next one; count 0: all of them.
Val regexMatches(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "regex_matches", args,
                            {"pattern", "options", "text", "start", "end", "kind", "count"});
    const Compiled compiled =
        compiledPattern(wantStr(in, v[0], "the pattern"), wantStr(in, v[1], "the options"));
    if (!compiled.code) in.raise(Error::Value, compiled.error);
    const std::u32string text = charactersOf(wantStr(in, v[2], "the text"));
    const auto size = static_cast<int64_t>(text.size());
    const int64_t end = std::clamp<int64_t>(wantInt(in, v[4], "the end"), 0, size);
    int64_t start = std::max<int64_t>(wantInt(in, v[3], "the start"), 0);
    const std::string& kind = wantStr(in, v[5], "the kind");
    const int64_t count = wantInt(in, v[6], "the count");
    const uint32_t anchors = kind == "match"       ? PCRE2_ANCHORED
                             : kind == "fullmatch" ? PCRE2_ANCHORED | PCRE2_ENDANCHORED
                                                   : 0u;
    const std::unique_ptr<pcre2_match_data, FreeData> data(
        pcre2_match_data_create_from_pattern(compiled.code.get(), nullptr));
    const std::unique_ptr<pcre2_match_context, FreeMatch> context(
        pcre2_match_context_create(nullptr));
    pcre2_set_match_limit(context.get(), kMostSteps);
    pcre2_set_heap_limit(context.get(), kMostMemory);
    Val found = in.list({});
    bool empty = false; // the last match was: the next one is another
    while (start <= end) {
        in.tick();
        const uint32_t options =
            anchors | PCRE2_NO_UTF_CHECK | (empty ? PCRE2_NOTEMPTY_ATSTART : 0);
        const int result =
            pcre2_match(compiled.code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()),
                        static_cast<PCRE2_SIZE>(end), static_cast<PCRE2_SIZE>(start), options,
                        data.get(), context.get());
        if (result == PCRE2_ERROR_NOMATCH) break;
        if (result == PCRE2_ERROR_MATCHLIMIT || result == PCRE2_ERROR_HEAPLIMIT ||
            result == PCRE2_ERROR_DEPTHLIMIT)
            in.raise(Error::Runtime, "the pattern needs too many steps for this text",
                     "nested repetitions such as (a+)+ try every division of the text");
        if (result < 0) in.raise(Error::Value, "the text cannot be searched");
        const PCRE2_SIZE* places = pcre2_get_ovector_pointer(data.get());
        found.as<ListObj>()->items.push_back(placesOf(in, data.get()));
        if (static_cast<int64_t>(found.as<ListObj>()->items.size()) == count) break;
        empty = places[0] == places[1];
        // \K is refused: a match ends behind its start.
        start = static_cast<int64_t>(places[1]);
    }
    return found;
}

} // namespace

void addRegularExpressions(Interp& interp, ModuleObj& native) {
    native.attributes->set(interp.intern("regex_error"), interp.builtin("regex_error", regexError));
    native.attributes->set(interp.intern("regex_matches"),
                           interp.builtin("regex_matches", regexMatches));
}

} // namespace cutaway::capture
