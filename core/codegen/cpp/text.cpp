// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cpp/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::codegen::cpp {

using ir::DType;
using kernel::ReduceOp;

LinePtr Lines::add(const std::string& text, const std::set<kernel::BufferId>& from) {
    const bool directive = text.starts_with('#') || text.empty();
    lines_.push_back(
        std::make_shared<Line>(Line{std::string(directive ? 0 : 4 * depth_, ' ') + text, from}));
    return lines_.back();
}

void Lines::open(const std::string& text, const std::set<kernel::BufferId>& from) {
    add(text + " {", from);
    ++depth_;
}

void Lines::close(const std::string& end) {
    --depth_;
    add(end);
}

void Lines::append(const Lines& other) {
    lines_.insert(lines_.end(), other.lines_.begin(), other.lines_.end());
}

Scope::Scope() {
    for (const char* word :
         {"alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
          "case", "catch", "char", "class", "compl", "concept", "const", "continue", "decltype",
          "default", "delete", "do", "double", "else", "enum", "explicit", "export", "extern",
          "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable",
          "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq",
          "private", "protected", "public", "register", "requires", "return", "short", "signed",
          "sizeof", "static", "struct", "switch", "template", "this", "throw", "true", "try",
          "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void",
          "volatile", "wchar_t", "while", "xor", "xor_eq", "unix", "linux", "main",
          // the prelude's
          "math", "convert", "to_bool", "splat", "lane_numbers", "any", "All", "First", "load",
          "load_ahead", "store", "stream", "count_of", "within", "gather", "scatter", "scatter_add",
          "scatter_max", "scatter_min", "scatter_prod", "atomically", "atomic_add", "atomic_prod",
          "atomic_max", "atomic_min", "extreme_of", "sizes", "u", "share", "faults", "fault",
          "check_index", "check_divisor", "any_lane", "lanes_of", "omp_get_thread_num",
          "omp_get_num_threads", "is_lane", "keep", "Sum", "Product", "Max", "Min", "Or", "And",
          "fold", "across", "Extreme", "beats", "take", "position_of", "f32v", "f64v", "i32v",
          "i64v", "u8v", "boolv", "LANES", "INLINE", "ROLLED", "UNROLLED", "EACH_LANE", "VectorOf",
          "BY_LANE_1", "BY_LANE_2", "BY_LANE_2_ALL", "FAR_LANES", "FROM_LIBM", "INLINE_LAMBDA",
          "NOINLINE", "ROLLED_LANES", "ROUNDING", "stream_end", "NARROW_INTEGERS", "to_u64",
          "from_bits", "half_to_float", "float_to_half", "HALF_CONVERSIONS", "to_bits",
          "SmallFloat", "bits_of", "float_of", "i8", "i16", "u16", "u32", "u64", "i8v", "i16v",
          "u16v", "u32v", "u64v", "f16", "bf16", "f8e4m3fn", "f8e5m2", "narrowed", "widened",
          "moved", "LaneList", "prefixes", "running", "running_extreme", "RunningExtreme",
          "LaneExtreme", "kAllLanes", "at_least", "lane_extremes", "Extremes", "Moments",
          "add_moment", "moments_of", "Spread", "running_log_sum", "RunningLogSum",
          // the emitter's
          "buffers", "scratch", "threads", "part", "first", "last", "row", "i", "block", "lanes",
          "rows", "memory", "own", "rest", "end", "j"})
        declared_.insert(word);
}

Scope::Scope(Scope& around) : around_(&around) {
    around.inside_.push_back(this);
}

Scope::~Scope() {
    if (around_) std::erase(around_->inside_, this);
}

bool Scope::declares(std::string_view name) const {
    return declared_.contains(name) || (around_ && around_->declares(name));
}

bool Scope::declaredInside(std::string_view name) const {
    return std::any_of(inside_.begin(), inside_.end(), [&](const Scope* block) {
        return block->declared_.contains(name) || block->declaredInside(name);
    });
}

std::string Scope::unique(std::string_view wanted) {
    std::string name;
    for (char c : wanted) {
        const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                          (c >= '0' && c <= '9' && !name.empty());
        name += fine ? c : '_';
    }
    // Names that begin with an underscore belong to the compiler.
    if (name.empty() || name.front() == '_') name = "v" + name;
    while (name.find("__") != std::string::npos)
        name.erase(name.find("__"), 1);
    std::string free = name;
    int& n = next_.emplace(name, 2).first->second;
    for (; declares(free) || declaredInside(free); ++n)
        free = fmt::format("{}_v{}", name, n);
    declared_.insert(free);
    return free;
}

std::string scalarType(DType dtype) {
    return std::string(ir::info(dtype).cppType);
}

namespace {

std::string shortType(DType dtype) {
    return dtype == DType::Bool ? "bool" : std::string(ir::shortName(dtype));
}

std::string floating(DType dtype, double value) {
    const bool single = dtype == DType::Float32;
    const char* suffix = single ? "f" : "";
    if (std::isnan(value)) return fmt::format("__builtin_nan{}(\"\")", suffix);
    if (std::isinf(value)) return fmt::format("{}__builtin_inf{}()", value < 0 ? "-" : "", suffix);
    std::string digits =
        single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
    if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
    return digits + suffix;
}

std::string integral(DType dtype, int64_t value) {
    if (dtype == DType::Bool) return value != 0 ? "true" : "false";
    if (dtype == DType::UInt64) return fmt::format("{}UL", static_cast<uint64_t>(value));
    if (dtype == DType::UInt32) return fmt::format("{}U", value);
    if (ir::sizeBytes(dtype) < 4) return fmt::format("({}){}", scalarType(dtype), value);
    if (dtype == DType::Int32)
        return value == std::numeric_limits<int32_t>::min() ? "(-2147483647 - 1)"
                                                            : std::to_string(value);
    return value == std::numeric_limits<int64_t>::min() ? "(-9223372036854775807L - 1)"
                                                        : fmt::format("{}L", value);
}

} // namespace

std::string vectorType(DType dtype, int lanes) {
    return fmt::format("{}x{}", shortType(dtype), lanes);
}

std::string preludeType(DType dtype) {
    return shortType(dtype) + "v";
}

std::string literal(DType dtype, double value, int64_t integer) {
    return ir::isFloating(dtype) ? floating(dtype, value) : integral(dtype, integer);
}

std::string identity(ReduceOp op, DType dtype) {
    const double infinity = std::numeric_limits<double>::infinity();
    const ir::IntegerLimits limits = ir::integerLimits(dtype);
    switch (op) {
    case ReduceOp::Sum:
    case ReduceOp::Any:
        return literal(dtype, 0, 0);
    case ReduceOp::Prod:
    case ReduceOp::All:
        return literal(dtype, 1, 1);
    case ReduceOp::Max:
    case ReduceOp::ArgMax:
        return literal(dtype, -infinity, limits.min);
    case ReduceOp::Min:
    case ReduceOp::ArgMin:
        return literal(dtype, infinity, limits.max);
    case ReduceOp::Welford:
        break;
    }
    return {};
}

std::string reducer(ReduceOp op) {
    switch (op) {
    case ReduceOp::Sum:
        return "Sum";
    case ReduceOp::Prod:
        return "Product";
    case ReduceOp::Max:
    case ReduceOp::ArgMax:
        return "Max";
    case ReduceOp::Min:
    case ReduceOp::ArgMin:
        return "Min";
    case ReduceOp::Any:
        return "Or";
    case ReduceOp::All:
        return "And";
    case ReduceOp::Welford:
        break;
    }
    return {};
}

} // namespace cutaway::codegen::cpp
