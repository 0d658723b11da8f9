// SPDX-License-Identifier: Apache-2.0
/// \file
/// Pieces of C++ text: lines with their origin, names, types and literals. Private to this folder.
#pragma once

#include "core/codegen/source.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::codegen::cpp {

struct Line {
    std::string text;
    std::set<kernel::BufferId> from;
};
using LinePtr = std::shared_ptr<Line>;

/// Lines in order, indented by four spaces a level.
class Lines {
public:
    explicit Lines(int depth = 0) : depth_(depth) {}
    LinePtr add(const std::string& text, const std::set<kernel::BufferId>& from = {});
    void open(const std::string& text, const std::set<kernel::BufferId>& from = {}); ///< "text {"
    void close(const std::string& end = "}");
    void append(const Lines& other);
    int depth() const { return depth_; }
    const std::vector<LinePtr>& all() const { return lines_; }

private:
    std::vector<LinePtr> lines_;
    int depth_;
};

/// The names declared in one C++ block. A name is free when this block, the blocks around it and
/// the open blocks inside it have not declared it: nothing is declared twice, nothing hides
/// another.
class Scope {
public:
    /// A file's: the words of C++, of the prelude and of the emitters are taken.
    Scope();
    /// A block inside \p around, open until it is destroyed.
    explicit Scope(Scope& around);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    /// \p wanted as an identifier when that is free, else with a number; declared here from now on.
    std::string unique(std::string_view wanted);

private:
    bool declares(std::string_view name) const;
    bool declaredInside(std::string_view name) const;
    std::set<std::string, std::less<>> declared_;
    std::map<std::string, int> next_; ///< number to try first, by name
    Scope* around_ = nullptr;
    std::vector<const Scope*> inside_;
};

std::string scalarType(ir::DType dtype);
/// "f32x16"
std::string vectorType(ir::DType dtype, int lanes);
/// The prelude's name of the same type: "f32v".
std::string preludeType(ir::DType dtype);
/// A literal that reads back as exactly this value.
std::string literal(ir::DType dtype, double value, int64_t integer);
/// The value that changes nothing in a reduction, as a scalar.
std::string identity(kernel::ReduceOp op, ir::DType dtype);
/// The prelude's struct for a reduction: "Sum".
std::string reducer(kernel::ReduceOp op);

} // namespace cutaway::codegen::cpp
