// SPDX-License-Identifier: Apache-2.0
// Sizes of inputs that are symbols, the script's questions about them, and their guards.
// Source: torch/_dynamo/variables/builder.py, torch/fx/experimental/symbolic_shapes.py.
#include "core/capture/capture.h"
#include "core/capture/integers.h"
#include "core/capture/settings.h"
#include "core/capture/tensor_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cutaway::capture {

using What = GuardStep::What;

Capture::~Capture() {
    restoreOutside();
    for (auto& [tensor, type] : seen_)
        tensor->seen = nullptr;
}

ir::ShapeEnv& Capture::shapes() {
    if (!graph.shapes) graph.shapes = std::make_shared<ir::ShapeEnv>();
    return *graph.shapes;
}

/// Parameters and what belongs to a module keep their sizes (force_parameter_static_shapes).
bool Capture::belongsToModule(int32_t source) const {
    for (; source >= 0; source = sources_[static_cast<size_t>(source)].parent) {
        const Object* o = sources_[static_cast<size_t>(source)].object;
        if (o && o->kind == Kind::Instance && static_cast<const InstanceObj*>(o)->type->module)
            return true;
    }
    return false;
}

bool Capture::belongsToOneModule(int32_t source) const {
    for (int32_t s = source; s >= 0; s = sources_[static_cast<size_t>(s)].parent)
        if (sources_[static_cast<size_t>(s)].varies) return false;
    return belongsToModule(source);
}

ir::Sym Capture::symbolFor(int64_t value, const std::string& source, SizePlace place, bool own,
                           ir::SizeRange range) {
    ir::ShapeEnv& env = shapes();
    // Duck sizing, where all sizes are symbols: equal ones are one until a call in which they differ.
    if (!own && history_ && history_->dynamic.value_or(false) && sharesSymbols(interp_))
        for (size_t i = 0; i < env.symbols().size(); ++i)
            if (env.symbols()[i].hint == value && !env.symbols()[i].promised &&
                symbolPlaces_[i].kind == SizePlace::Kind::Size)
                return env.replaced(ir::Sym(env.symbols()[i].variable));
    const ir::Sym symbol = env.add(value, source, range);
    symbolPlaces_.push_back(place);
    return symbol;
}

/// The type as the capture sees it: sizes that vary are symbols, and strides that follow from them.
ir::TensorType Capture::symbolicType(TensorObj& t, int32_t source) {
    ir::TensorType type = t.real->type;
    const std::string& text = sources_[static_cast<size_t>(source)].text;
    const bool fixed = t.parameter || belongsToModule(source);
    if (fixed && !t.marks) return type;
    std::vector<int64_t> numbers = ir::constants(type.sizes);
    const std::vector<int64_t> strides = ir::constants(type.strides);
    numbers.insert(numbers.end(), strides.begin(), strides.end());
    if (history_) history_->note(text, numbers);
    const std::optional<bool> dynamic = history_ ? history_->dynamic : std::optional(false);
    bool symbolic = false;
    for (size_t i = 0; i < type.rank(); ++i) {
        const int64_t size = numbers[i];
        const SizeMark* mark = t.markOf(i);
        bool varies = dynamic ? *dynamic : history_->varies(text, i);
        if (fixed) varies = false;
        if (mark) varies = mark->kind != SizeMark::Kind::Static;
        if (!varies) continue;
        const bool promised = mark && mark->kind == SizeMark::Kind::Dynamic;
        const ir::SizeRange range = promised ? mark->range : ir::SizeRange{};
        const bool outside = size < range.least || size > range.most;
        if (promised && outside && range != ir::SizeRange{})
            interp_.raise(Error::Value,
                          fmt::format("mark_dynamic: dimension {} of {} has size {}, outside of "
                                      "the range {} to {} that was given",
                                      i, text, size, range.least, range.most),
                          "give mark_dynamic() the range of all sizes");
        if (size < 2) continue;
        symbolic = true;
        const std::string name = fmt::format("{}.size()[{}]", text, i);
        const SizePlace place{source, SizePlace::Kind::Size, static_cast<int32_t>(i)};
        type.sizes[i] = symbolFor(size, name, place, promised, range);
        if (promised) shapes().promise(*type.sizes[i].asVar(), range);
    }
    if (symbolic) type.strides = symbolicStrides(type, strides, text, source);
    return type;
}

/// From the innermost stride outwards: a product of a size and its stride where that is what the
/// stride is, else a constant, or a symbol of its own when it varied.
ir::Shape Capture::symbolicStrides(const ir::TensorType& type, const std::vector<int64_t>& strides,
                                   const std::string& text, int32_t source) {
    const size_t rank = type.rank();
    std::vector<size_t> outwards(rank);
    std::iota(outwards.rbegin(), outwards.rend(), size_t{0});
    std::stable_sort(outwards.begin(), outwards.end(),
                     [&](size_t a, size_t b) { return strides[a] < strides[b]; });
    ir::Shape result(rank);
    std::vector<ir::Sym> candidates;
    for (size_t i : outwards) {
        const int64_t stride = strides[i];
        std::optional<ir::Sym> found;
        for (const ir::Sym& candidate : candidates)
            if (!candidate.isConst() && shapes().hint(candidate) == stride) found = candidate;
        const bool varies = !found && stride >= 2 && history_ && history_->varies(text, rank + i);
        if (varies)
            found = symbolFor(stride, fmt::format("{}.stride()[{}]", text, i),
                              {source, SizePlace::Kind::Stride, static_cast<int32_t>(i)}, true, {});
        result[i] = found.value_or(ir::Sym(stride));
        candidates.push_back(result[i] * type.sizes[i]);
    }
    return result;
}

void Capture::guardBeginning(TensorObj& t) {
    nodeOf(t);
    const int32_t source = sourceOf(&t);
    if (first(source, GuardStep::What::CheckBegins))
        guard(source, GuardStep::of(GuardStep::What::CheckBegins, t.real->offset), "TENSOR_MATCH",
              fmt::format("storage_offset() == {}", t.real->offset));
}

ir::Sym Capture::beginning(TensorObj& t) {
    const auto known = views_.find(&t);
    TensorObj& base = known == views_.end() ? t : *known->second.base.as<TensorObj>();
    const ir::Sym within = known == views_.end() ? ir::Sym(int64_t{0}) : known->second.offset;
    if (!base.real) return within;
    guardBeginning(base);
    const auto bytes = [](TensorObj& of) {
        return static_cast<int64_t>(ir::sizeBytes(of.type().dtype));
    };
    return within + ir::Sym(base.real->offset * bytes(base) / bytes(t));
}

void Capture::guardTensor(TensorObj& t, int32_t source) {
    const ir::TensorType type = symbolicType(t, source);
    auto numbers = [&](const ir::Shape& shape, SizePlace::Kind kind) {
        std::vector<int64_t> values;
        for (size_t i = 0; i < shape.size(); ++i) {
            values.push_back(shape[i].isConst() ? shape[i].constant() : kAnySize);
            if (!shape[i].isConst())
                sizePlaces_.emplace_back(SizePlace{source, kind, static_cast<int32_t>(i)},
                                         shape[i]);
        }
        return values;
    };
    TensorPattern pattern{type.dtype,
                          type.device,
                          type.requiresGrad,
                          t.inference,
                          numbers(type.sizes, SizePlace::Kind::Size),
                          numbers(type.strides, SizePlace::Kind::Stride),
                          t.marks ? *t.marks : std::vector<SizeMark>()};
    patterns_.push_back(std::move(pattern));
    guard(source, GuardStep::of(What::CheckTensor, static_cast<int64_t>(patterns_.size() - 1)),
          "TENSOR_MATCH",
          fmt::format("{}, {}, sizes {}, strides {}{}{}", ir::name(type.dtype), type.device.str(),
                      ir::str(type.sizes), ir::str(type.strides),
                      type.requiresGrad ? ", requires_grad" : "",
                      t.inference ? ", inference" : ""));
    if (type.staticSizes()) return;
    auto [known, fresh] = seen_.emplace(&t, std::make_unique<ir::TensorType>(type));
    if (fresh) t.seen = known->second.get();
}

std::optional<Val> Capture::symbolicInt(GuardStep load, int32_t parent, const Val& v,
                                        const std::string& text) {
    if (!v.isInt() || !history_ || specializesInts(interp_)) return std::nullopt;
    const int64_t value = v.asInt();
    history_->note(text, {value});
    const bool varies = history_->dynamic.value_or(history_->varies(text, 0));
    if (!varies || value < 2) return std::nullopt;
    const auto id = static_cast<int32_t>(sources_.size());
    load.slot = id;
    load.from = parent;
    sources_.push_back({std::move(load), parent, text, false, here(), nullptr});
    guard(id, GuardStep::of(What::CheckInt), "TYPE_MATCH", "is an int");
    const SizePlace place{id, SizePlace::Kind::Int, 0};
    const ir::Sym symbol = symbolFor(value, text, place, true, {});
    sizePlaces_.emplace_back(place, symbol);
    return interp_.size(symbol);
}

void Capture::ask() {
    const CallSite site = interp_.userSite();
    const base::Location where = here();
    std::string code = site.source ? std::string(site.source->trimmed(site.span.line)) : "";
    shapes().setAsker({code.empty() ? "the script" : std::move(code), where});
}

bool Capture::decide(const ir::Condition& condition) {
    ask();
    return shapes().decide(condition);
}

std::optional<bool> Capture::answer(const ir::Condition& condition) {
    if (std::optional<bool> known = shapes().answer(condition)) return known;
    return calls || keepsSized ? std::nullopt : std::optional(decide(condition));
}

bool Capture::keepsExact(const ir::Sym& size) {
    std::vector<int64_t> hints, slots;
    for (const ir::SizeSymbol& symbol : shapes().symbols())
        hints.push_back(symbol.hint);
    ir::SizeProgram program;
    program.slot(size);
    if (!isExact(program, hints, slots)) return false;
    exact_.push_back(size);
    return true;
}

int64_t Capture::specialize(const ir::Sym& size) {
    ask();
    return shapes().specialize(size);
}

void Capture::settleSizes() {
    if (!graph.shapes) return;
    graph.rewriteSizes([&](const ir::Sym& size) { return graph.shapes->replaced(size); });
    bool symbols = false;
    graph.rewriteSizes([&](const ir::Sym& size) {
        symbols |= !size.isConst();
        return size;
    });
    settled_ = graph.shapes;
    if (!symbols) graph.shapes = nullptr;
}

SizeChecks Capture::sizeChecks() const {
    SizeChecks checks;
    if (!settled_) return checks;
    for (const SizePlace& place : symbolPlaces_)
        checks.addSymbol(place);
    for (const auto& [place, size] : sizePlaces_)
        checks.addPlace(place, size);
    for (const ir::SizeSymbol& symbol : settled_->symbols()) {
        checks.addRelation(ir::atMost(symbol.range.least, ir::Sym(symbol.variable)));
        if (symbol.range.most != INT64_MAX)
            checks.addRelation(ir::atMost(ir::Sym(symbol.variable), symbol.range.most));
    }
    for (const ir::SizeGuard& guard : settled_->guards())
        checks.addRelation(guard.condition);
    for (const ir::Sym& size : integers_)
        checks.addInteger(size);
    for (const ir::Sym& size : exact_)
        checks.addExact(size);
    return checks;
}

/// mark_dynamic's promise: the code serves all sizes of the range that it was given, and is not
/// for a single size where it was given none.
std::optional<base::Diagnostic> Capture::brokenPromise() const {
    if (!settled_) return std::nullopt;
    for (const ir::SizeSymbol& symbol : settled_->symbols()) {
        if (!symbol.promised) continue;
        const ir::SizeRange range = settled_->range(ir::Sym(symbol.variable));
        const bool kept = *symbol.promised == ir::SizeRange{} ||
                          (range.least <= std::max<int64_t>(symbol.promised->least, 2) &&
                           range.most >= symbol.promised->most);
        const bool constant = settled_->replaced(ir::Sym(symbol.variable)).isConst();
        if (kept && !constant) continue;
        const ir::SizeGuard* culprit = nullptr;
        for (const ir::SizeGuard& guard : settled_->guards())
            if (guard.condition.a.dependsOn(symbol.variable) ||
                guard.condition.b.dependsOn(symbol.variable))
                culprit = culprit ? culprit : &guard;
        base::Diagnostic d = base::userError(
            culprit ? culprit->asker.where : base::Location{},
            fmt::format(
                "mark_dynamic: {} was to stay dynamic, but the code {}{}", symbol.source,
                constant
                    ? fmt::format("makes it the constant {}", symbol.hint)
                    : fmt::format("works for sizes from {} to {} only", range.least, range.most),
                culprit ? fmt::format(": {}, {}", culprit->condition.str(), culprit->asker.str())
                        : ""),
            "change that line, give mark_dynamic() the range, or use maybe_mark_dynamic()");
        return d;
    }
    return std::nullopt;
}

GuardText textOf(const ir::SizeGuard& guard) {
    return {"SHAPE_ENV", guard.condition.str(), guard.asker.str(), guard.asker.where};
}

void addSizeTexts(const ir::ShapeEnv& shapes, std::vector<GuardText>& texts) {
    for (const ir::SizeSymbol& symbol : shapes.symbols())
        texts.push_back({"SIZE", symbol.variable.str(), shapes.describe(symbol), {}});
    for (const ir::SizeGuard& guard : shapes.guards())
        texts.push_back(textOf(guard));
}

// --- the evaluator's side ---

Val Interp::size(const ir::Sym& written) {
    if (written.isConst()) return Val::integer(written.constant());
    const ir::Sym size = world_->size(written);
    if (size.isConst()) return Val::integer(size.constant());
    return Val(make<SymbolObj>(size));
}

Val Interp::plain(const Val& v) {
    if (auto* number = v.to<NumberObj>(); number && number->known) {
        for (const ir::Sym& size : number->sizes)
            world_->sizeValue(size);
        return Val::real(*number->known);
    }
    if (auto* number = v.to<NumberObj>()) capture_->wantNumber(*number);
    if (auto* truth = v.to<TruthObj>()) return Val::boolean(world_->decide(truth->condition));
    auto* symbol = v.to<SymbolObj>();
    if (!symbol) return plainNumber(v);
    return Val::integer(world_->sizeValue(symbol->size));
}

std::optional<ir::Sym> symbolOf(const Val& v) {
    if (auto* symbol = v.to<SymbolObj>()) return symbol->size;
    if (v.isIntegral()) return ir::Sym(v.asInt());
    return std::nullopt;
}

/// No number that is written in an expression, nor in a sum or difference with another such, has more
/// than 64 bits.
constexpr double kSmall = 0x1p61;

/// All that is written in an expression taken together.
static double writtenIn(const ir::Sym& size) {
    if (size.isConst()) return std::abs(static_cast<double>(size.constant()));
    double all = 0;
    for (const ir::Sym::Term& term : size.terms()) {
        double product = std::abs(static_cast<double>(term.coefficient));
        for (const ir::Sym::Atom& atom : term.atoms)
            if (atom.kind != ir::Sym::Atom::Kind::Variable)
                product *= std::max(1.0, writtenIn(atom.a) + writtenIn(atom.b));
        all += product;
    }
    return all;
}

/// An operator on ints of which one is a symbol; unbound when it needs their values, or more than 64
/// bits.
Val Interp::symbolic(BinaryOp op, const ir::Sym& a, const ir::Sym& b) {
    const double x = writtenIn(a), y = writtenIn(b);
    if ((op == BinaryOp::Mul ? x * y : std::max(x, y)) > kSmall) return {};
    const auto exact = [&](const ir::Sym& result) {
        return result.isConst() || world_->exact(result) ? size(result) : Val();
    };
    switch (op) {
    case BinaryOp::Add:
        return exact(a + b);
    case BinaryOp::Sub:
        return exact(a - b);
    case BinaryOp::Mul:
        return exact(a * b);
    case BinaryOp::FloorDiv:
    case BinaryOp::Mod:
        if (!world_->decide(ir::less(0, b))) return {};
        return exact(op == BinaryOp::Mod ? ir::mod(a, b) : ir::floorDiv(a, b));
    default:
        return {};
    }
}

static ir::Condition conditionOf(CompareOp op, const ir::Sym& a, const ir::Sym& b) {
    switch (op) {
    case CompareOp::Less:
        return ir::less(a, b);
    case CompareOp::LessEqual:
        return ir::atMost(a, b);
    case CompareOp::Greater:
        return ir::less(b, a);
    case CompareOp::GreaterEqual:
        return ir::atMost(b, a);
    case CompareOp::NotEqual:
        return ir::equal(a, b).negated();
    default:
        return ir::equal(a, b);
    }
}

Val Interp::compareSizes(CompareOp op, const ir::Sym& a, const ir::Sym& b) {
    if (std::max(writtenIn(a), writtenIn(b)) > kSmall) {
        const int64_t x = world_->sizeValue(a), y = world_->sizeValue(b);
        return compare(op, Val::integer(x), Val::integer(y));
    }
    const ir::Condition condition = conditionOf(op, a, b);
    const std::optional<bool> known = world_->answer(condition);
    return known ? Val::boolean(*known) : Val(make<TruthObj>(condition));
}

} // namespace cutaway::capture
