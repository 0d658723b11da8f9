// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lines of a text with the buffers each line is for, and names that are unique in it.
#pragma once

#include "core/codegen/source.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::codegen {

class TextWriter {
public:
    explicit TextWriter(std::string_view before = {});
    void line(std::string_view text);
    /// "text {", and one step inwards until close().
    void open(std::string_view text);
    void close(std::string_view text = "}");
    /// Buffers that the following lines are for.
    void setOrigin(std::vector<kernel::BufferId> buffers) { origin_ = std::move(buffers); }
    void setOrigin(kernel::BufferId buffer);

    std::string text;
    std::vector<LineOrigin> origins;

private:
    int line_ = 1;
    int depth_ = 0;
    std::vector<kernel::BufferId> origin_;
};

/// Valid C++ identifiers, none twice and none that the language or the emitter uses.
class Namer {
public:
    Namer();
    std::string fresh(std::string_view wanted);

private:
    std::set<std::string, std::less<>> used_;
    std::map<std::string, int> next_; ///< number to try first, by name
};

/// "float", "long long", "bool"
std::string_view cudaType(ir::DType dtype);
/// A literal of exactly this value: "0.5f", "1ll", "true".
std::string cudaLiteral(ir::DType dtype, double value, int64_t integer);
/// An index expression; \p name gives the text of variables. Operands are not negative.
std::string cudaIndex(const ir::Sym& index, const std::function<std::string(ir::Var)>& name);

} // namespace cutaway::codegen
