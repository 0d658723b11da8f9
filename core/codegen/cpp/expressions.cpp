// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cpp/expressions.h"

#include "core/base/tick.h"
#include "core/kernel/address.h"
#include "core/kernel/scalar_eval.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace cutaway::codegen::cpp {

using namespace kernel;
using ir::DType;
using ir::Sym;

namespace {

/// Texts longer than this get a name of their own.
constexpr size_t kLongText = 64; ///< see length
/// So does a part of an expression that nests deeper: text is made by recursion.
constexpr int kDeep = 100;

/// Characters, with every name counted as one of eight: what is compiled has other names than what
/// is shown, and the same lines.
size_t length(std::string_view text) {
    constexpr size_t kName = 8;
    auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    size_t length = 0;
    for (size_t i = 0; i < text.size();) {
        size_t end = i;
        while (end < text.size() && isWord(text[end]))
            ++end;
        const bool name = end > i && !std::isdigit(static_cast<unsigned char>(text[i]));
        length += name ? kName : std::max<size_t>(end - i, 1);
        i = std::max(end, i + 1);
    }
    return length;
}

} // namespace

Expressions::Expressions(KernelNames& kernel, const std::vector<ExprId>& roots, bool inner,
                         Lines& before, Lines& body, std::string lanes)
    : kernel_(kernel), inner_(inner), before_(before), body_(body), lanes_(std::move(lanes)),
      loop_(*kernel.block),
      varying_(
          kernel.program.loops, innerVar(),
          [&kernel](LocalId local) { return kernel.perElement[local.index]; }, false) {
    for (ExprId root : roots)
        count(root);
}

void Expressions::count(ExprId root) {
    ++uses_[root];
    pool().visit(root, [&](ExprId id, const Expr& e) {
        if (depth_.contains(id)) return;
        int below = 0;
        auto use = [&](ExprId operand) {
            ++uses_[operand];
            below = std::max(below, depth_.at(operand));
        };
        for (ExprId arg : e.args)
            use(arg);
        for (const Coord& coord : e.coords)
            if (coord.indirect.valid()) use(coord.indirect);
        depth_[id] = below + 1;
    });
}

std::string Expressions::scalar(ExprId id, BufferId from) {
    from_ = from;
    nameDeepParts(id, false);
    return value(id, false).text;
}

std::string Expressions::vector(ExprId id, BufferId from) {
    from_ = from;
    nameDeepParts(id, true);
    return operand(id, 0, true, true);
}

bool Expressions::deep(ExprId id) const {
    return depth_.at(id) % kDeep == 0;
}

/// The deepest first, so that value() meets a name after at most kDeep steps.
void Expressions::nameDeepParts(ExprId root, bool vector) {
    if (depth_.at(root) <= kDeep) return;
    pool().visit(root, [&](ExprId id, const Expr&) {
        if (deep(id)) value(id, vector && varying(id));
    });
}

/// Text of an operand, in parentheses when it binds less than \p precedence. In vector text, a
/// uniform operand stays a scalar (which arithmetic signs accept) unless \p spread.
std::string Expressions::operand(ExprId id, int precedence, bool vector, bool spread) {
    const bool uniform = vector && !varying(id);
    const Value v = value(id, vector && !uniform);
    if (uniform && spread) return "splat(" + v.text + ")";
    return v.precedence < precedence ? "(" + v.text + ")" : v.text;
}

Expressions::Value Expressions::bind(ExprId id, const std::string& wanted, DType dtype,
                                     const std::string& text, bool vector, bool exact) {
    Scope& scope = vector ? loop_ : *kernel_.block;
    const std::string name = exact ? wanted : scope.unique(wanted);
    const std::string type = vector ? kernel_.vectorOf(dtype) : scalarType(dtype);
    Lines& lines = vector || !inner_ ? body_ : before_;
    const LinePtr line = lines.add(fmt::format("const {} {} = {};", type, name, text), {from_});
    bindings_[{id, vector}] = {name, line};
    return {name, kPrimary};
}

Expressions::Value Expressions::value(ExprId id, bool vector) {
    if (auto found = bindings_.find({id, vector}); found != bindings_.end()) {
        found->second.line->from.insert(from_);
        return {found->second.name, kPrimary};
    }
    base::tick();
    const Expr& e = pool()[id];
    if (e.kind == ExprKind::Constant) return {literal(e.dtype, e.value, e.integer), kUnary};
    if (e.kind == ExprKind::Local) return localValue(id, e, vector);
    if (e.kind == ExprKind::Load) return load(id, e, vector);
    if (e.kind == ExprKind::Check) return bind(id, "checked", e.dtype, check(e, vector), vector);
    Value v = leaf(id, e, vector);
    // Named: what is used again, what is long or deep, and what can be computed before the loop.
    const bool hoist = inner_ && !vector;
    if (uses_[id] > 1 || hoist || length(v.text) > kLongText || deep(id))
        return bind(id, fmt::format("t{}", kernel_.temporaries++), e.dtype, v.text, vector);
    return v;
}

Expressions::Value Expressions::leaf(ExprId, const Expr& e, bool vector) {
    if (e.kind == ExprKind::Index) {
        const Sym sym = kernel_.byRow(e.index);
        return {vector ? kernel_.indices().vector(sym) : kernel_.indices().scalar(sym), kSum};
    }
    return e.kind == ExprKind::Cast ? cast(e, vector) : operation(e, vector);
}

Expressions::Value Expressions::localValue(ExprId id, const Expr& e, bool vector) {
    const LocalAccess& access = kernel_.locals[e.local.index];
    if (definedHere(e.local)) return {access.name, kPrimary};
    if (!vector && !access.address.empty())
        return {fmt::format("{}[{}]", access.address, kernel_.indices().scalar(access.index)),
                kPrimary};
    if (!vector) return {access.name, kPrimary};
    if (!access.address.empty())
        return bind(id, access.name, e.dtype,
                    fmt::format("load({}{})",
                                plus(access.address, kernel_.indices().scalar(access.index)),
                                lanes_),
                    true, true);
    const Value first = bind(id, access.name, e.dtype,
                             fmt::format("load({} + i{})", access.parts, lanes_), true, true);
    // One partial result a thread.
    LinePtr& line = bindings_[{id, true}].line;
    line->text.erase(line->text.find("const "), 6);
    body_.add("for (long part = 1; part < threads; ++part)", {from_});
    body_.add("    " + fmt::format("{} = {};", first.text,
                                   combined(access.reduce, first.text,
                                            fmt::format("load({} + {} * part + i{})", access.parts,
                                                        access.columns, lanes_))),
              {from_});
    return first;
}

/// A check is a line of its own: every element of the loop makes it, whatever is chosen later.
std::string Expressions::check(const Expr& e, bool vector) {
    const Check& check = kernel_.program.loops.check(e.check);
    const std::string value = operand(e.args[0], 0, vector, true);
    const std::string faults = fmt::format("faults, {}{}", e.check.index + 1, vector ? lanes_ : "");
    return check.kind == Check::Kind::Index
               ? fmt::format("check_index({}, {}, {})", value, kernel_.indices().scalar(check.size),
                             faults)
               : fmt::format("check_divisor({}, {})", value, faults);
}

std::string Expressions::within(const Buffer& buffer, size_t dimension, const Coord& coord,
                                bool vector) {
    return fmt::format("within({}, {})", operand(coord.indirect, 0, vector, false),
                       kernel_.indices().scalar(buffer.sizes[dimension]));
}

std::string Expressions::address(const Buffer& buffer, const std::vector<Coord>& coords,
                                 bool vector, bool& uniform) {
    Sym plain(0);
    std::vector<std::string> scalars, vectors;
    for (size_t k = 0; k < coords.size(); ++k) {
        const Coord& coord = coords[k];
        const Sym& stride = buffer.strides[k];
        if (!coord.indirect.valid()) {
            plain = plain + coord.index * stride;
            continue;
        }
        const bool wide = vector && varying(coord.indirect);
        const std::string index = within(buffer, k, coord, wide);
        const std::string scaled =
            stride.is(1)       ? index
            : stride.isConst() ? fmt::format("{}L * {}", stride.constant(), index)
                               : fmt::format("({}) * {}", kernel_.indices().scalar(stride), index);
        (wide ? vectors : scalars).push_back(scaled);
    }
    const Sym sym = kernel_.byRow(plain);
    std::string text;
    uniform = vectors.empty();
    if (vector && sym.dependsOn(innerVar())) {
        uniform = false;
        text = kernel_.indices().vector(sym);
    } else if (!sym.is(0) || (scalars.empty() && vectors.empty())) {
        text = kernel_.indices().scalar(sym);
    }
    for (const auto* group : {&scalars, &vectors})
        for (const std::string& term : *group)
            text += (text.empty() ? "" : " + ") + term;
    return text;
}

/// The place of the first lane where lanes lie \p apart elements apart; computed coordinates may be
/// part of it as long as they are the same for all lanes.
std::optional<std::string> Expressions::stepping(int64_t apart, const Buffer& buffer,
                                                 const std::vector<Coord>& coords) {
    Sym plain(0);
    for (size_t k = 0; k < coords.size(); ++k) {
        if (!coords[k].indirect.valid())
            plain = plain + coords[k].index * buffer.strides[k];
        else if (varying(coords[k].indirect))
            return std::nullopt;
    }
    const auto step = kernel_.byRow(plain).coefficient(innerVar());
    if (!step || !step->is(apart)) return std::nullopt;
    bool uniform = true;
    return address(buffer, coords, false, uniform);
}

/// An element of memory in its compute dtype.
Expressions::Value Expressions::element(const Buffer& buffer, const std::string& index) const {
    const std::string text = fmt::format("{}[{}]", kernel_.pointers.at(buffer.id), index);
    if (!ir::isStorageOnly(buffer.dtype)) return {text, kPrimary};
    return {fmt::format("({}){}", scalarType(ir::computeType(buffer.dtype)), text), kUnary};
}

Expressions::Value Expressions::load(ExprId id, const Expr& e, bool vector) {
    if (vector) return loadLanes(id, e);
    const Buffer& buffer = kernel_.program.loops.buffer(e.buffer);
    bool uniform = true;
    Value v;
    if (e.isMasked()) {
        const std::string reads = operand(e.mask(), kChoice + 1, false, false);
        const std::string none = operand(e.neutral(), kChoice + 1, false, false);
        const Value read = element(buffer, address(buffer, e.coords, false, uniform));
        v = {fmt::format("{} ? {} : {}", reads, read.text, none), kChoice};
    } else {
        v = element(buffer, address(buffer, e.coords, false, uniform));
    }
    if (!inner_ && uses_[id] <= 1 && !deep(id)) return v;
    return bind(id, buffer.name, e.dtype, v.text, false);
}

/// One value for each lane. A condition that is the same for all lanes chooses what is loaded.
Expressions::Value Expressions::loadLanes(ExprId id, const Expr& e) {
    const Buffer& buffer = kernel_.program.loops.buffer(e.buffer);
    const std::string& pointer = kernel_.pointers.at(e.buffer);
    const bool byLane = e.isMasked() && varying(e.mask());
    std::string reads, none;
    if (e.isMasked()) {
        reads = operand(e.mask(), byLane ? 0 : kChoice + 1, byLane, false);
        none = operand(e.neutral(), kChoice + 1, true, true);
    }
    const std::string masked = byLane ? fmt::format(", {}, {}", reads, none) : "";
    std::string text;
    if (const auto place = stepping(1, buffer, e.coords)) {
        const char* call = byLane ? "load_where" : kernel_.prefetch ? "load_ahead" : "load";
        text = fmt::format("{}({}{}{})", call, plus(pointer, *place), masked, lanes_);
    } else if (const auto first = stepping(2, buffer, e.coords)) {
        text = fmt::format("{}({}, EverySecond(){}{})", byLane ? "gather_where" : "gather",
                           plus(pointer, *first), masked, lanes_);
    } else {
        bool uniform = true;
        const std::string index = address(buffer, e.coords, true, uniform);
        const std::string at = uniform ? fmt::format("splat((long)({}))", index) : index;
        text = byLane && uniform
                   ? fmt::format("load_one_where({}{}{})", plus(pointer, index), masked, lanes_)
                   : fmt::format("{}({}, {}{}{})", byLane ? "gather_where" : "gather", pointer, at,
                                 masked, lanes_);
    }
    if (e.isMasked() && !byLane) text = fmt::format("{} ? {} : {}", reads, text, none);
    return bind(id, buffer.name, e.dtype, text, true);
}

void Expressions::store(const Step& s, const std::string& value, bool stream) {
    const Buffer& buffer = kernel_.program.loops.buffer(s.target);
    const std::string& pointer = kernel_.pointers.at(s.target);
    const bool adds = s.store == StoreKind::Accumulate;
    const DType dtype = buffer.dtype;
    // Sums of truth values are "or", in memory and in lanes.
    const ReduceOp op =
        dtype == DType::Bool && s.reduce == ReduceOp::Sum ? ReduceOp::Any : s.reduce;
    bool uniform = true;
    if (!inner_ && s.conflict == Conflict::Atomic) {
        const std::string index = address(buffer, s.coords, false, uniform);
        body_.add(
            fmt::format("atomic_{}({}, {});", updating(s.reduce), plus(pointer, index), value),
            {s.from});
        return;
    }
    if (!inner_) {
        const std::string place =
            fmt::format("{}[{}]", pointer, address(buffer, s.coords, false, uniform));
        const std::string old = element(buffer, address(buffer, s.coords, false, uniform)).text;
        const std::string text =
            adds ? fmt::format("({})({})", scalarType(dtype), combined(op, old, "(" + value + ")"))
                 : value;
        body_.add(fmt::format("{} = {};", place, text), {s.from});
        return;
    }
    if (const auto place = stepping(1, buffer, s.coords)) {
        const std::string at = plus(pointer, *place);
        const std::string text =
            adds ? combined(op, fmt::format("load({}{})", at, lanes_), "(" + value + ")") : value;
        body_.add(fmt::format("{}({}, {}{});", stream ? "stream" : "store", at, text, lanes_),
                  {s.from});
        return;
    }
    std::string index = address(buffer, s.coords, true, uniform);
    if (uniform) index = fmt::format("splat((long)({}))", index);
    const std::string text =
        adds ? combined(op, fmt::format("gather({}, {}{})", pointer, index, lanes_),
                        "(" + value + ")")
             : value;
    body_.add(fmt::format("scatter({}, {}, {}{});", pointer, index, text, lanes_), {s.from});
}

} // namespace cutaway::codegen::cpp
