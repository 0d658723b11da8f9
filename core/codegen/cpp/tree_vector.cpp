// SPDX-License-Identifier: Apache-2.0
// A vector loop around its body: whole vectors, turns of several, and the rest of the row.
#include "core/codegen/cpp/tree.h"

#include <fmt/format.h>

namespace cutaway::codegen::cpp {

using namespace kernel;
using ir::Sym;

void TreeEmitter::printVectorLoop(const Lines& body, const Step& loop, const std::string& begin,
                                  const std::string& end, Lines& lines) {
    const int lanes = names_.lanes, wide = lanes * turns_;
    const Sym& extent = tree_.axis(loop.axis).extent;
    const bool masked = loop.tail == Tail::Mask, turns = turns_ > 1;
    if (isPlain(loop, begin)) return printPlainLoop(body, loop, begin, end, lines);
    const std::string step = names_.block->unique(fmt::format("step_{}", ++loops_));
    lines.open(fmt::format("const auto {} = [&](long i, auto lanes{}) INLINE_LAMBDA", step,
                           turns ? ", int u" : ""));
    lines.append(body);
    lines.close("};");
    const char* one = turns ? ", 0" : "";
    const auto takeTurns = [&](const std::string& from, const std::string& to) {
        lines.add(fmt::format("for (long j = {}; j < {}; j += {})", from, to, wide));
        lines.add(fmt::format("    UNROLLED for (int u = 0; u < {}; ++u) {}(j + u * {}, All(), u);",
                              turns_, step, lanes));
    };
    if (begin == "0" && extent.isConst()) {
        const int64_t count = extent.constant(), whole = count / lanes * lanes;
        const int64_t far = turns ? count / wide * wide : 0;
        if (far > 0) takeTurns("0", std::to_string(far));
        if (loop.backwards && whole < count)
            lines.add(fmt::format("{}({}, First{{{}}}{});", step, whole, count - whole, one));
        if (far < whole) {
            lines.add(loop.backwards
                          ? fmt::format("for (long j = {}; j >= 0; j -= {})", whole - lanes, lanes)
                          : fmt::format("for (long j = {}; j < {}; j += {})", far, whole, lanes));
            lines.add(fmt::format("    {}(j, All(){});", step, one));
        }
        if (!loop.backwards && whole < count)
            lines.add(fmt::format("{}({}, First{{{}}}{});", step, whole, count - whole, one));
        return;
    }
    std::string rest = begin;
    const std::string count = begin == "0" ? end : fmt::format("({} - {})", end, begin);
    if (turns) {
        rest = names_.block->unique("wide");
        lines.add(fmt::format("const long {} = {};", rest,
                              (begin == "0" ? "" : begin + " + ") +
                                  fmt::format("{} / {} * {}", count, wide, wide)));
        takeTurns(begin, rest);
    }
    if (loop.backwards) {
        if (masked) {
            lines.add(fmt::format("if (const long rest = {} % {})", count, lanes));
            lines.add(fmt::format("    {}({} - rest, First{{rest}}{});", step, end, one));
        }
        lines.add(fmt::format("for (long j = {3}{0} / {1} * {1} - {1}; j >= {2}; j -= {1})", count,
                              lanes, begin, begin == "0" ? "" : begin + " + "));
        lines.add(fmt::format("    {}(j, All(){});", step, one));
        return;
    }
    lines.add(fmt::format("for (long j = {}; j + {} <= {}; j += {})", rest, lanes, end, lanes));
    lines.add(fmt::format("    {}(j, All(){});", step, one));
    if (!masked) return;
    lines.add(fmt::format("if (const long rest = {} % {})", count, lanes));
    lines.add(fmt::format("    {}({} - rest, First{{rest}}{});", step, end, one));
}

/// Whether all turns are whole: no rest, no lanes that are left out.
bool TreeEmitter::isPlain(const Step& loop, const std::string& begin) const {
    if (loop.tail == Tail::Mask) return false;
    const int wide = names_.lanes * turns_;
    const Sym& extent = tree_.axis(loop.axis).extent;
    return turns_ == 1 || ((begin == "0" || kBlock % wide == 0) && extent.isConst() &&
                           extent.constant() % wide == 0);
}

void TreeEmitter::printPlainLoop(const Lines& body, const Step& loop, const std::string& begin,
                                 const std::string& end, Lines& lines) {
    const int lanes = names_.lanes, wide = lanes * turns_;
    if (turns_ == 1) {
        lines.open(
            loop.backwards
                ? fmt::format("for (long i = {} - {}; i >= {}; i -= {})", end, lanes, begin, lanes)
                : fmt::format("for (long i = {}; i < {}; i += {})", begin, end, lanes));
        lines.append(body);
        lines.close();
        return;
    }
    lines.open(fmt::format("for (long j = {}; j < {}; j += {})", begin, end, wide));
    lines.open(fmt::format("UNROLLED for (int u = 0; u < {}; ++u)", turns_));
    lines.add(fmt::format("const long i = j + u * {};", lanes));
    lines.append(body);
    lines.close();
    lines.close();
}

} // namespace cutaway::codegen::cpp
