// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/verify_scopes.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>

namespace cutaway::codegen {

namespace {

struct Token {
    std::string_view text;
    int line = 0;
    bool name = false; ///< an identifier or keyword
};

bool isLetter(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Names, numbers, strings and single signs ("::" is one). \p macros gets what #define defines.
std::vector<Token> tokensOf(std::string_view text, std::set<std::string_view>& macros) {
    std::vector<Token> tokens;
    int line = 1;
    bool lineStart = true;
    for (size_t at = 0; at < text.size();) {
        const char c = text[at];
        size_t end = at + 1;
        if (c == '\n' || c == ' ') {
            line += c == '\n';
            lineStart = c == '\n' || lineStart;
            ++at;
            continue;
        }
        if (c == '#' && lineStart) {
            // A directive, with the lines that it goes on to.
            end = at;
            while (end < text.size() && (text[end] != '\n' || text[end - 1] == '\\'))
                line += text[end++] == '\n';
            if (text.substr(at, 8) == "#define ") {
                size_t last = at + 8;
                while (last < end && (isLetter(text[last]) || isDigit(text[last])))
                    ++last;
                macros.insert(text.substr(at + 8, last - at - 8));
            }
            at = end;
            continue;
        }
        lineStart = false;
        if (c == '/' && text.substr(at, 2) == "//") {
            at = std::min(text.find('\n', at), text.size());
            continue;
        }
        const bool name = isLetter(c);
        if (name || isDigit(c)) {
            while (end < text.size() && (isLetter(text[end]) || isDigit(text[end]) ||
                                         (!name && (text[end] == '.' || text[end - 1] == 'e'))))
                ++end;
        } else if (c == '"') {
            end = std::min(text.find('"', end), text.size() - 1) + 1;
        } else if (text.substr(at, 2) == "::") {
            end = at + 2;
        }
        tokens.push_back({text.substr(at, end - at), line, name});
        at = end;
    }
    return tokens;
}

const std::set<std::string_view> kTypeWords = {"void",   "bool",     "char",  "short",
                                               "int",    "long",     "auto",  "float",
                                               "double", "unsigned", "signed"};
const std::set<std::string_view> kSpecifiers = {"const", "static", "extern", "inline"};
const std::set<std::string_view> kWords = {"const",     "static",      "extern",
                                           "inline",    "void",        "bool",
                                           "char",      "short",       "int",
                                           "long",      "auto",        "float",
                                           "double",    "unsigned",    "signed",
                                           "true",      "false",       "for",
                                           "if",        "else",        "while",
                                           "return",    "sizeof",      "break",
                                           "continue",  "static_cast", "reinterpret_cast",
                                           "threadIdx", "blockIdx"};

class ScopeVerifier {
public:
    explicit ScopeVerifier(const KernelSource& source) : preludeLines_(source.preludeLines) {
        tokens_ = tokensOf(source.text, macros_);
        tokens_.push_back({"", 0, false});
        blocks_.emplace_back();
        readPrelude();
    }

    std::optional<std::string> run() {
        while (!problem_ && !at("") && !done())
            statement();
        return problem_;
    }

private:
    const Token& token(size_t ahead = 0) const {
        return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
    }
    bool at(std::string_view text) const { return token().text == text; }
    bool done() const { return next_ + 1 >= tokens_.size(); }
    void fail(const Token& where, const std::string& what) {
        if (!problem_) problem_ = fmt::format("line {}: {} {}", where.line, where.text, what);
        next_ = tokens_.size() - 1;
    }

    /// What the prelude declares outside namespaces and functions.
    void readPrelude() {
        int depth = 0;
        std::string_view typedefName;
        bool inTypedef = false;
        for (; !done() && token().line <= preludeLines_; ++next_) {
            const std::string_view text = token().text;
            depth += text == "{" || text == "(";
            depth -= text == "}" || text == ")";
            if (depth > 0 && !(depth == 1 && (text == "(" || text == "{"))) continue;
            const bool before = next_ > 0 && tokens_[next_ - 1].name;
            if (before && (text == "(" || text == ";" || text == "{"))
                prelude_.insert(tokens_[next_ - 1].text);
            if (text == "typedef") inTypedef = true;
            if (inTypedef && text == "__attribute__") typedefName = tokens_[next_ - 1].text;
            if (inTypedef && text == ";") {
                if (!typedefName.empty()) prelude_.insert(typedefName);
                typedefName = {};
                inTypedef = false;
            }
        }
    }

    bool known(std::string_view name) const {
        for (const auto& block : blocks_)
            if (block.count(name)) return true;
        return prelude_.count(name) || macros_.count(name) || kWords.count(name) ||
               name.starts_with("__");
    }
    void declare(const Token& name) {
        if (blocks_.back().count(name.text))
            return fail(name, fmt::format("is declared in line {} of the same block already",
                                          blocks_.back().at(name.text)));
        for (const auto& block : blocks_)
            if (auto other = block.find(name.text); other != block.end())
                return fail(name, fmt::format("hides the one of line {}", other->second));
        if (prelude_.count(name.text) || macros_.count(name.text))
            return fail(name, "hides the prelude's");
        blocks_.back()[name.text] = name.line;
    }
    void use(size_t index) {
        const Token& name = tokens_[index];
        const std::string_view before = index > 0 ? tokens_[index - 1].text : "";
        const std::string_view after = tokens_[index + 1].text;
        if (before == "." || before == "::" || after == "::" || after == "(") return;
        if (!known(name.text)) return fail(name, "is not declared");
        if (unset_.count(name.text)) element(index);
    }
    /// An element of an array that has no value yet: must be given one before it is read.
    void element(size_t index) {
        const Token& name = tokens_[index];
        if (tokens_[index + 1].text == "[") {
            size_t behind = index + 1;
            for (int depth = 0; behind + 1 < tokens_.size();) {
                depth += tokens_[behind].text == "[";
                depth -= tokens_[behind].text == "]";
                ++behind;
                if (depth == 0 && tokens_[behind].text != "[") break;
            }
            const bool assigned = tokens_[behind].text == "=" && tokens_[behind + 1].text != "=";
            if (!assigned) return fail(name, "is read before it has a value");
        }
        unset_.erase(name.text);
    }

    void skip(std::string_view text) {
        if (at(text))
            ++next_;
        else
            fail(token(), fmt::format("stands where {} is expected", text));
    }
    /// To behind the sign that closes the one here.
    void skipBalanced() {
        int depth = 0;
        do {
            depth += at("(") || at("<") || at("[");
            depth -= at(")") || at(">") || at("]");
            ++next_;
        } while (depth > 0 && !done());
    }

    /// Past specifiers and a type, when a name follows it: the declared one.
    bool typeBeforeName() {
        const size_t begin = next_;
        bool type = false;
        while (token().name) {
            const std::string_view text = token().text;
            if (kSpecifiers.count(text) || text.starts_with("__") || macros_.count(text)) {
                ++next_;
                if (text == "extern" && token().text.starts_with('"')) ++next_;
                if (text.starts_with("__") && at("(")) skipBalanced();
            } else if (kTypeWords.count(text)) {
                type = true;
                ++next_;
            } else if (!type && !kWords.count(text)) {
                type = true;
                ++next_;
                while (at("::"))
                    next_ += 2;
                if (at("<")) skipBalanced();
            } else {
                break;
            }
            while (type && (at("*") || at("&")))
                ++next_;
        }
        static const std::set<std::string_view> kAfter = {"=", "[", ";", "(", "{", ",", ")"};
        if (type && token().name && !kWords.count(token().text) && kAfter.count(token(1).text))
            return true;
        next_ = begin;
        return false;
    }

    /// "(type name, ...)" into the block that is open.
    void parameters() {
        skip("(");
        while (!at(")") && !done()) {
            if (!typeBeforeName()) return fail(token(), "is no parameter");
            declare(token());
            ++next_;
            if (at(",")) ++next_;
        }
        skip(")");
    }
    void body() {
        while (!at("{") && !at(";") && !done())
            ++next_; // attributes
        if (at(";")) return skip(";");
        skip("{");
        while (!at("}") && !done())
            statement();
        skip("}");
    }

    /// Uses, up to \p end on this level.
    void expression(std::string_view end) {
        int depth = 0;
        while (!done() && !(depth == 0 && at(end))) {
            if (at("[") && token(1).text == "&" && token(2).text == "]") {
                next_ += 3;
                blocks_.emplace_back();
                parameters();
                body();
                blocks_.pop_back();
                continue;
            }
            depth += at("(") || at("[") || at("{");
            depth -= at(")") || at("]") || at("}");
            if (token().name) use(next_);
            ++next_;
        }
    }
    /// A declaration or an expression, up to \p end.
    void clause(std::string_view end) {
        if (!typeBeforeName()) return expression(end);
        const Token name = token();
        ++next_;
        if (at("(") && blocks_.size() == 1) {
            declare(name);
            blocks_.emplace_back();
            parameters();
            body();
            blocks_.pop_back();
            return;
        }
        const bool array = at("[");
        bool value = false;
        for (size_t k = next_; k + 1 < tokens_.size() && tokens_[k].text != end; ++k)
            value |= tokens_[k].text == "=";
        expression(end);
        declare(name);
        unset_.erase(name.text);
        if (array && !value) unset_.insert(name.text);
    }

    void statement() {
        if (problem_ || done()) return;
        if (at("typedef")) {
            while (!at(";") && !done())
                ++next_;
            blocks_.back()[tokens_[next_ - 1].text] = tokens_[next_ - 1].line;
            return skip(";");
        }
        while (token().name && macros_.count(token().text) && token(1).name)
            ++next_; // UNROLLED for ...
        const bool loop = at("for");
        if (at("{")) {
            blocks_.emplace_back();
            body();
            blocks_.pop_back();
        } else if (loop || at("if") || at("while")) {
            ++next_;
            skip("(");
            blocks_.emplace_back();
            clause(loop ? ";" : ")");
            if (loop) {
                skip(";");
                expression(")");
            }
            skip(")");
            statement();
            if (at("else")) {
                ++next_;
                statement();
            }
            blocks_.pop_back();
        } else {
            const bool file = blocks_.size() == 1;
            clause(";");
            if (!file || at(";")) skip(";");
        }
    }

    std::vector<Token> tokens_;
    std::set<std::string_view> macros_, prelude_;
    std::set<std::string_view> unset_; ///< arrays of which no element has been given a value
    int preludeLines_;
    size_t next_ = 0;
    std::vector<std::map<std::string_view, int>>
        blocks_; ///< names with their lines, outermost first
    std::optional<std::string> problem_;
};

} // namespace

std::optional<std::string> verifyScopes(const KernelSource& source) {
    return ScopeVerifier(source).run();
}

} // namespace cutaway::codegen
