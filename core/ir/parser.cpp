// SPDX-License-Identifier: Apache-2.0
#include "core/ir/parser.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <map>

namespace cutaway::ir {

namespace {

/// Thrown inside this file only.
struct Failure {
    size_t at;
    std::string expected;
};

bool isWord(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

class GraphParser {
public:
    GraphParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    base::Result<std::vector<Graph>> run() {
        std::vector<Graph> graphs;
        for (skip(); at_ < text_.size() || graphs.empty(); skip()) {
            CUTAWAY_TRY(Graph graph, parseOne());
            graphs.push_back(std::move(graph));
        }
        return graphs;
    }

private:
    base::Result<Graph> parseOne() {
        graph_ = Graph();
        nodes_.clear();
        const size_t start = at_;
        try {
            parseHead();
            while (!take("return"))
                parseNode();
            parseOutputs();
        } catch (const Failure& failure) {
            return base::userError(
                placeOf(failure.at),
                fmt::format("expected {}, found {}", failure.expected, foundAt(failure.at)));
        }
        if (auto broken = verify(graph_))
            return base::userError({file_, placeOf(start).line},
                                   "the graph cannot be right: " + *broken);
        return std::move(graph_);
    }

    [[noreturn]] void fail(std::string expected) { throw Failure{at_, std::move(expected)}; }

    base::Location placeOf(size_t at) const {
        const std::string_view before = text_.substr(0, at);
        const auto line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
        const size_t start = before.rfind('\n') + 1; // npos + 1 is 0
        return {file_, line, static_cast<int>(at - start) + 1};
    }
    std::string foundAt(size_t at) const {
        const std::string_view rest = text_.substr(at);
        if (rest.empty()) return "the end of the text";
        return fmt::format("'{}'", rest.substr(0, std::min<size_t>(rest.find('\n'), 20)));
    }

    /// Spaces, ends of lines and comments: # and what is behind it.
    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '#'))
            at_ = text_[at_] == '#' ? std::min(text_.find('\n', at_), text_.size()) : at_ + 1;
    }
    bool take(std::string_view token) {
        skip();
        if (!text_.substr(at_).starts_with(token)) return false;
        const size_t end = at_ + token.size();
        if (isWord(token.back()) && end < text_.size() && isWord(text_[end])) return false;
        at_ = end;
        return true;
    }
    void want(std::string_view token) {
        if (!take(token)) fail(fmt::format("'{}'", token));
    }
    std::string_view wordWith(std::string_view more, const char* what) {
        skip();
        const size_t start = at_;
        while (at_ < text_.size() &&
               (isWord(text_[at_]) || more.find(text_[at_]) != std::string_view::npos))
            ++at_;
        if (at_ == start) fail(what);
        return text_.substr(start, at_ - start);
    }

    void parseHead() {
        want("graph");
        graph_.graphName = wordWith("", "the graph's name");
        want("(");
        for (bool first = true; !take(")"); first = false) {
            if (!first) want(",");
            const size_t start = (skip(), at_);
            const std::string name(wordWith("", "an input's name"));
            want(":");
            TensorType type = parseType();
            type.requiresGrad = take("requires_grad");
            define(name, start, graph_.addPlaceholder(name, std::move(type)));
        }
        want(":");
    }

    void define(const std::string& name, size_t start, NodeId id) {
        Node& node = graph_.node(id);
        if (!nodes_.emplace(name, id).second) {
            at_ = start;
            fail("a name that is not used yet");
        }
        node.name = name;
        const size_t end = std::min(text_.find('\n', start), text_.size());
        node.source = std::make_shared<const std::vector<SourceFrame>>(std::vector<SourceFrame>{
            {placeOf(start), graph_.graphName, std::string(text_.substr(start, end - start))}});
    }

    void parseNode() {
        const size_t start = (skip(), at_);
        const std::string name(wordWith("", "a node's name, or 'return'"));
        want(":");
        const bool tuple = take("(");
        std::vector<TensorType> types;
        if (!tuple) types.push_back(parseType());
        while (tuple && !take(")")) {
            if (!types.empty()) want(",");
            types.push_back(parseType());
        }
        want("=");
        if (!tuple && take("constant")) {
            const TensorType& type = types[0];
            auto value = std::make_shared<HostTensor>(parseConstant(type));
            const NodeId id = graph_.addConstant(name, std::move(value), type.device);
            return define(name, start, id);
        }
        std::string op = parseOp();
        want("(");
        const NodeId id = graph_.addCall(std::move(op), parseList(")"), std::move(types), name);
        graph_.node(id).tuple = tuple;
        define(name, start, id);
    }

    std::string parseOp() {
        std::string op(wordWith(".", "an operation, 'aten.NAME.OVERLOAD'"));
        if (!op.starts_with("aten.")) return op;
        op.erase(0, 5);
        if (op.ends_with(".default")) op.erase(op.size() - 8);
        return op;
    }

    /// f32[4, 3], with strides [1, 4] behind it where it is not contiguous, and a GPU's name.
    TensorType parseType() {
        skip();
        const size_t start = at_;
        const auto dtype = dtypeFromName(wordWith("", "a type, as f32[2, 3]"));
        if (!dtype) {
            at_ = start;
            fail("a type, as f32[2, 3]");
        }
        TensorType type = TensorType::contiguous(*dtype, parseShape());
        if (at_ < text_.size() && text_[at_] == '[') {
            const size_t at = at_;
            type.strides = parseShape();
            if (type.strides.size() != type.sizes.size())
                throw Failure{at, fmt::format("{} strides", type.sizes.size())};
        }
        if (at_ < text_.size() && text_[at_] == 'c') {
            const size_t at = at_;
            const auto device = deviceFromName(wordWith(":", "a device"));
            if (!device) throw Failure{at, "a device, as cuda:0"};
            type.device = *device;
        }
        return type;
    }

    Shape parseShape() {
        want("[");
        Shape shape;
        while (!take("]")) {
            if (!shape.empty()) want(",");
            shape.push_back(parseSize());
        }
        return shape;
    }

    Sym parseSize() {
        const size_t at = (skip(), at_);
        const auto size = parseSym(element());
        if (!size) throw Failure{at, "a size"};
        return *size;
    }

    /// The text up to the comma or bracket that ends an element of a list.
    std::string_view element() {
        skip();
        const size_t start = at_;
        for (int depth = 0; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
            const char c = text_[at_];
            if (depth == 0 && (c == ',' || c == ']' || c == ')')) break;
            depth += (c == '(') - (c == ')');
        }
        return text_.substr(start, at_ - start);
    }

    ArgList parseList(std::string_view end) {
        ArgList list;
        while (!take(end)) {
            if (!list.empty()) want(",");
            if (take(end)) break; // "(x,)"
            list.push_back(parseArg());
        }
        return list;
    }

    Arg parseArg() {
        if (take("[")) return parseList("]");
        if (take("None")) return {};
        if (take("True")) return true;
        if (take("False")) return false;
        if (take("'")) return quoted();
        if (take("device('")) {
            const size_t at = at_;
            const auto device = deviceFromName(quoted());
            if (!device) throw Failure{at, "a device, as cuda:0"};
            want(")");
            return *device;
        }
        const size_t at = at_;
        const std::string word(element());
        if (word.starts_with("torch."))
            if (auto dtype = dtypeFromName(std::string_view(word).substr(6))) return *dtype;
        if (auto node = nodes_.find(word); node != nodes_.end()) return node->second;
        if (auto size = parseSym(word)) return *size;
        char* end = nullptr;
        const double number = std::strtod(word.c_str(), &end);
        if (!word.empty() && *end == '\0') return number;
        throw Failure{at, "an argument: a node above, a number, a list, 'text', None"};
    }

    std::string quoted() {
        const size_t end = text_.find('\'', at_);
        if (end == std::string_view::npos) fail("a closing '");
        std::string text(text_.substr(at_, end - at_));
        at_ = end + 1;
        return text;
    }

    /// "0.5 x 40" becomes "0.5"; how often it is meant.
    static int64_t takeTimes(std::string& word) {
        const size_t at = word.find(" x ");
        if (at == std::string::npos) return 1;
        const int64_t times = std::strtoll(word.c_str() + at + 3, nullptr, 10);
        word.erase(at);
        return times;
    }

    HostTensor parseConstant(const TensorType& type) {
        want("(");
        const size_t at = (skip(), at_);
        if (take("..."))
            throw Failure{at, "the constant's values, which a text of large ones leaves out"};
        for (const Sym& size : type.sizes)
            if (!size.isConst()) throw Failure{at, "a constant of constant size"};
        HostTensor value = HostTensor::zeros(type.dtype, constants(type.sizes));
        for (int64_t i = 0, times = 1; i < value.numel(); i += times) {
            if (i > 0) want(",");
            skip();
            std::string word(element());
            times = takeTimes(word);
            if (times < 1 || times > value.numel() - i)
                throw Failure{at, fmt::format("{} values", value.numel())};
            char* end = nullptr;
            for (int64_t k = i; k < i + times; ++k)
                if (isFloating(type.dtype))
                    value.set(k, std::strtod(word.c_str(), &end));
                else
                    value.setInt(k, std::strtoll(word.c_str(), &end, 10));
            if (word.empty() || *end != '\0')
                throw Failure{at, fmt::format("{} values", value.numel())};
        }
        want(")");
        return value;
    }

    void parseOutputs() {
        want("(");
        for (bool first = true; !take(")"); first = false) {
            if (!first) want(",");
            if (take(")")) break;
            if (take("None")) {
                graph_.outputs.emplace_back();
                continue;
            }
            const size_t at = (skip(), at_);
            auto node = nodes_.find(std::string(wordWith("", "a node's name, or None")));
            if (node == nodes_.end()) throw Failure{at, "a node's name, or None"};
            graph_.outputs.push_back(node->second);
        }
        for (size_t i = 0; i < graph_.outputs.size(); ++i)
            graph_.outputNames.push_back(fmt::format("output {}", i));
    }

    std::string_view text_;
    const std::string& file_;
    size_t at_ = 0;
    Graph graph_;
    std::map<std::string, NodeId> nodes_;
};

} // namespace

base::Result<Graph> parseGraph(std::string_view text, const std::string& file) {
    CUTAWAY_TRY(std::vector<Graph> graphs, GraphParser(text, file).run());
    if (graphs.size() > 1) return base::userError({file, 1}, "expected one graph, found several");
    return std::move(graphs.front());
}

base::Result<std::vector<Graph>> parseGraphs(std::string_view text, const std::string& file) {
    return GraphParser(text, file).run();
}

} // namespace cutaway::ir
