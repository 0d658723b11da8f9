// SPDX-License-Identifier: Apache-2.0
/// \file
/// The text of expressions (ExprPool::str) back to expressions. Constants take the dtype that their
/// place asks for, as an operation's operands have one dtype. Internal to core/kernel.
#pragma once

#include "core/base/result.h"
#include "core/kernel/loop_program.h"

#include <memory>
#include <optional>
#include <string_view>

namespace cutaway::kernel {

/// Thrown by all of this header where a text is no expression.
struct ParseError {
    std::string what;
};

/// An expression whose dtypes are not known yet.
struct SyntaxNode {
    enum class Kind : uint8_t { Number, Name, Call, Element, Sign };
    Kind kind = Kind::Number;
    std::string text; ///< digits, a name, or a sign
    std::vector<SyntaxNode> operands;
};

/// Reads tokens off the front of a line.
class TextReader {
public:
    explicit TextReader(std::string_view text) : rest_(text) {}
    bool atEnd();                      ///< nothing follows but a comment: # and what is behind it
    bool take(std::string_view token); ///< words as whole words
    void expect(std::string_view token);
    std::string word();
    std::string upTo(std::string_view token);    ///< what stands before \p token
    std::string rest();                          ///< what is not read yet, without leading spaces
    void skipOver(size_t characters);            ///< of that
    size_t left() const { return rest_.size(); } ///< characters not read yet
    SyntaxNode expression(int strength = 0);
    std::vector<SyntaxNode> list(std::string_view end); ///< up to and with \p end

private:
    SyntaxNode atom();
    std::optional<std::pair<std::string, int>> sign();
    void skip();
    std::string_view rest_;
};

/// A part of a text, and how many lines stand before it.
struct TextPart {
    std::string_view text;
    int linesBefore = 0;
};
/// The parts of a text that begin with a line that begins with \p word; what is before the first such
/// line belongs to it.
std::vector<TextPart> partsOf(std::string_view text, std::string_view word);

/// The loop program of a part (loops_text.h).
base::Result<LoopProgram> parseLoops(const TextPart& part, const std::string& file);

/// What names mean.
struct NameTable {
    std::function<std::optional<LocalId>(std::string_view)> local;
    std::function<ir::DType(LocalId)> localType;
    std::function<std::optional<BufferId>(std::string_view)> buffer;
    std::function<ir::DType(BufferId)> bufferType;
    /// The coordinates of an element; \p indices are as written.
    std::function<std::vector<Coord>(BufferId, std::vector<Coord> indices)> place;
};

/// "o0", "i", "s1"; nothing for other words.
std::optional<ir::Var> variableOf(std::string_view word);
/// Nothing when it is no index expression: it names something else than variables.
std::optional<ir::Sym> indexOf(const SyntaxNode& node);
ExprId build(ExprPool& pool, const NameTable& names, const SyntaxNode& node,
             std::optional<ir::DType> wanted);
/// One coordinate each: an index expression where it is one.
std::vector<Coord> coordsOf(ExprPool& pool, const NameTable& names,
                            const std::vector<SyntaxNode>& nodes);
std::optional<ir::DType> dtypeNamed(std::string_view word); ///< "float32" or "f32"

} // namespace cutaway::kernel
