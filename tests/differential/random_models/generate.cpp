// SPDX-License-Identifier: Apache-2.0
// Random models as wide as the catalogue of operations: every statement is drawn from a table of
// kinds and knows its result's sizes and dtype.
#include "catalogue_call.h"
#include "model.h"

#include "core/pipeline/pass_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <random>
#include <set>

namespace cutaway::testing {

namespace {

using ir::DType;
using Sizes = std::vector<int64_t>;

/// A piece of script text, and what it is.
struct Expr {
    std::string text;
    Sizes sizes;
    DType dtype = DType::Float32;
    bool grad = false;
    std::vector<std::string> uses;

    size_t rank() const { return sizes.size(); }
    bool floating() const { return ir::isFloating(dtype); }
    int64_t numel() const {
        int64_t n = 1;
        for (int64_t size : sizes)
            n *= size;
        return n;
    }
};

int category(DType dtype) {
    return dtype == DType::Bool ? 0 : ir::isFloating(dtype) ? 2 : 1;
}

/// PyTorch's result dtype of two tensors: one without dimensions counts by its category only.
DType resultDType(const Expr& a, const Expr& b) {
    if ((a.rank() == 0) == (b.rank() == 0)) return ir::promote(a.dtype, b.dtype);
    const Expr& whole = a.rank() ? a : b;
    const Expr& scalar = a.rank() ? b : a;
    if (category(scalar.dtype) <= category(whole.dtype)) return whole.dtype;
    return ir::promote(scalar.dtype, whole.dtype);
}

std::string list(const Sizes& sizes) {
    return fmt::format("({}{})", fmt::join(sizes, ", "), sizes.size() == 1 ? "," : "");
}

class Generator {
public:
    explicit Generator(uint64_t seed) : random_(seed) {
        static constexpr int64_t kLengths[] = {2, 3, 4, 5, 7, 8, 9, 13, 16, 17};
        for (int64_t& length : lengths_)
            length = kLengths[below(std::size(kLengths))];
        if (chance(8)) lengths_[below(3)] = 1;
        if (chance(20)) lengths_[below(3)] = 0;
        if (chance(25)) { // enough for several threads, and for more than one block of a sum
            lengths_[0] = 130 + static_cast<int64_t>(below(200));
            lengths_[1] = 33 + static_cast<int64_t>(below(60));
            limit_ = 30000;
        }
    }

    /// \param steps 0: a few
    RandomModel generate(size_t steps) {
        const size_t inputs = 2 + below(3);
        for (size_t k = 0; k < inputs; ++k)
            newInput(someSizes(), k == 0 ? floatDType() : anyDType(), true);
        const bool whole = steps >= kWhole;
        if (steps == 0) steps = 4 + below(8);
        for (size_t tries = 0; model_.body.size() < steps && tries < 20 * steps; ++tries)
            if (chance(4))
                catalogued();
            else
                (this->*kKinds[below(kKinds.size())])();
        if (whole)
            outputEveryEnd();
        else
            chooseOutputs();
        return model_.pruned();
    }

private:
    using Kind = void (Generator::*)();
    static const std::vector<Kind> kKinds;

    // What is drawn.
    size_t below(size_t n) { return static_cast<size_t>(random_() % n); }
    bool chance(size_t oneIn) { return below(oneIn) == 0; }
    template <size_t N> const char* one(const char* const (&choices)[N]) {
        return choices[below(N)];
    }
    DType floatDType() { return chance(6) ? DType::Float64 : DType::Float32; }
    DType anyDType() {
        if (!chance(3)) return floatDType();
        static constexpr DType kOthers[] = {DType::Int64, DType::Int32, DType::UInt8, DType::Bool};
        return kOthers[below(4)];
    }
    Sizes someSizes() {
        Sizes sizes;
        const size_t rank = below(10) == 0 ? 0 : 1 + below(3);
        for (size_t d = 0; d < rank; ++d)
            sizes.push_back(chance(7) ? 1 : lengths_[below(3)]);
        while (product(sizes) > limit_)
            sizes.pop_back();
        return sizes;
    }
    static int64_t product(const Sizes& sizes) {
        int64_t n = 1;
        for (int64_t size : sizes)
            n *= size;
        return n;
    }

    // Values there are.
    Expr read(const Value& value) const {
        return {value.name, value.sizes, value.dtype, value.grad, {value.name}};
    }
    Expr newInput(const Sizes& sizes, DType dtype, bool mayGrad, int64_t indicesBelow = 0) {
        Input input;
        input.value = {fmt::format("a{}", model_.inputs.size()), sizes, dtype,
                       mayGrad && ir::isFloating(dtype) && !chance(3)};
        input.seed = static_cast<int>(model_.inputs.size());
        input.below = indicesBelow;
        if (sizes.size() >= 2 && chance(4)) input.layout = Input::Layout::Transposed;
        if (!sizes.empty() && !indicesBelow && chance(10)) input.layout = Input::Layout::Sliced;
        if (!sizes.empty() && sizes[0] > 1 && chance(12)) input.layout = Input::Layout::Expanded;
        model_.inputs.push_back(input);
        values_.push_back(input.value);
        return read(input.value);
    }
    template <class Wanted> std::optional<Expr> pick(Wanted wanted) {
        std::vector<const Value*> fitting;
        for (const Value& value : values_)
            if (wanted(read(value))) fitting.push_back(&value);
        if (fitting.empty()) return {};
        // Late values more often: chains grow.
        const size_t n = fitting.size();
        return read(*fitting[chance(2) ? n - 1 - below(std::min<size_t>(n, 3)) : below(n)]);
    }
    Expr any() {
        return *pick([](const Expr&) { return true; });
    }
    Expr anyFloat() {
        auto found = pick([](const Expr& e) { return e.floating(); });
        return found ? *found : newInput(someSizes(), floatDType(), true);
    }
    Expr ranked(size_t least, bool floating = true) {
        auto found =
            pick([&](const Expr& e) { return e.rank() >= least && (e.floating() || !floating); });
        if (found) return *found;
        Sizes sizes = someSizes();
        while (sizes.size() < least)
            sizes.push_back(lengths_[below(3)]);
        while (product(sizes) > limit_)
            sizes.back() = 2, sizes.front() = 2;
        return newInput(sizes, floatDType(), true);
    }

    // What becomes of them.
    void define(Expr e) {
        if (e.numel() > 2 * limit_ + 300 || e.rank() > 5) return;
        Value value{fmt::format("v{}", count_++), e.sizes, e.dtype, e.grad && e.floating()};
        model_.body.push_back({value.name + " = " + e.text, {value}, e.uses});
        values_.push_back(value);
    }
    static Expr with(const Expr& from, std::string text) {
        Expr e = from;
        e.text = std::move(text);
        return e;
    }
    static Expr joined(const Expr& a, const Expr& b, std::string text, Sizes sizes, DType dtype) {
        Expr e{std::move(text), std::move(sizes), dtype, a.grad || b.grad, a.uses};
        e.uses.insert(e.uses.end(), b.uses.begin(), b.uses.end());
        return e;
    }
    static std::optional<Sizes> broadcast(const Sizes& a, const Sizes& b) {
        Sizes sizes(std::max(a.size(), b.size()), 1);
        for (size_t d = 0; d < sizes.size(); ++d) {
            int64_t x = d < a.size() ? a[a.size() - 1 - d] : 1;
            int64_t y = d < b.size() ? b[b.size() - 1 - d] : 1;
            if (x != y && x != 1 && y != 1) return {};
            sizes[sizes.size() - 1 - d] = x == 1 ? y : x;
        }
        return sizes;
    }
    /// Sizes that broadcast to the given ones.
    Sizes narrowed(Sizes sizes) {
        if (!sizes.empty() && chance(3))
            sizes.erase(sizes.begin(),
                        sizes.begin() + static_cast<std::ptrdiff_t>(1 + below(sizes.size())));
        for (int64_t& size : sizes)
            if (chance(3)) size = 1;
        return sizes;
    }
    /// A part of a value or a reduction of it, which the value broadcasts with.
    Expr part(const Expr& x) {
        const size_t d = below(x.rank());
        Expr e = x;
        switch (below(6)) {
        case 0: // at one element of the last dimension
            e.text += fmt::format("[..., {}]", chance(2) ? "0:1" : "-1:");
            e.sizes.back() = std::min<int64_t>(1, e.sizes.back());
            return e;
        case 1:
        case 2:
            if (x.sizes[0] == 0) return e;
            e.text += chance(2) ? "[0]" : "[-1]";
            e.sizes.erase(e.sizes.begin());
            return e;
        case 3:
            if (!x.floating()) return e;
            e.text += fmt::format(".{}(dim={}, keepdim=True)", chance(2) ? "sum" : "mean", d);
            e.sizes[d] = 1;
            return e;
        case 4:
            if (x.sizes[d] == 0) return e;
            e.text += fmt::format(".amax(dim={}, keepdim=True)", d);
            e.sizes[d] = 1;
            return e;
        default:
            if (!x.floating()) return e;
            e.text += chance(2) ? ".sum()" : ".mean()";
            e.sizes.clear();
            return e;
        }
    }
    /// Something to combine \p x with.
    Expr partner(const Expr& x) {
        switch (below(6)) {
        case 0: {
            Expr e = any();
            if (e.rank() > 0) e = part(e);
            if (broadcast(x.sizes, e.sizes)) return e;
            break;
        }
        case 1:
            if (x.rank() > 0) return part(x);
            break;
        case 2:
            return newInput(narrowed(x.sizes), anyDType(), true);
        default:
            break;
        }
        auto found = pick([&](const Expr& e) { return broadcast(x.sizes, e.sizes).has_value(); });
        return found ? *found : newInput(narrowed(x.sizes), anyDType(), true);
    }
    /// About x, so near to one that the product of all neither vanishes nor overflows.
    static std::string factors(const Expr& x) {
        const double reach =
            std::min(0.5, 3 / static_cast<double>(std::max<int64_t>(1, x.numel())));
        return fmt::format("(torch.tanh({}) * {:.4f} + 1)", x.text, reach);
    }
    static DType floated(DType dtype) { return ir::isFloating(dtype) ? dtype : DType::Float32; }

    // The kinds of statements.
    void smooth() {
        static const char* const kForms[] = {"torch.sin({})",
                                             "torch.cos({})",
                                             "torch.tanh({})",
                                             "torch.sigmoid({})",
                                             "torch.erf({})",
                                             "torch.exp(-({}).abs())",
                                             "torch.expm1({} * 0.5)",
                                             "torch.log({}.abs() + 0.25)",
                                             "torch.log1p({}.abs())",
                                             "torch.sqrt({}.abs() + 0.25)",
                                             "torch.rsqrt({}.abs() + 0.5)",
                                             "torch.reciprocal({}.abs() + 0.5)",
                                             "torch.tan(torch.tanh({}))",
                                             "({}.abs() + 0.5) ** 0.5",
                                             "1.5 / ({}.abs() + 1)",
                                             "2.0 ** torch.tanh({})"};
        const Expr x = chance(6) ? any() : anyFloat();
        if (x.dtype == DType::Bool) return;
        Expr e = with(x, fmt::format(fmt::runtime(one(kForms)), x.text));
        e.dtype = floated(x.dtype);
        define(e);
    }
    void activation() {
        static const char* const kForms[] = {"torch.relu({})",
                                             "F.gelu({})",
                                             "F.silu({})",
                                             "torch.square({})",
                                             "F.gelu({}, approximate=\"none\")",
                                             "({}) ** 2",
                                             "({}) ** 3",
                                             "torch.clamp({}, -0.53, 0.77)",
                                             "torch.clamp({}, min=-0.31)",
                                             "torch.abs({})",
                                             "-({})",
                                             "2.5 - {}",
                                             "{} * 0.37",
                                             "{} / 1.7",
                                             "torch.pow({}, 2)",
                                             "{}.clamp_min(0.13)",
                                             "{} + 1",
                                             "{}.neg()"};
        const Expr x = anyFloat();
        define(with(x, fmt::format(fmt::runtime(one(kForms)), x.text)));
    }
    void rounding() {
        static const char* const kForms[] = {"torch.floor({} * 1.01)", "torch.ceil({} * 1.01)",
                                             "torch.round({} * 1.01)", "torch.trunc({} * 1.01)",
                                             "torch.sign({} + 0.003)"};
        const Expr x = anyFloat();
        define(with(x, fmt::format(fmt::runtime(one(kForms)), x.text)));
    }
    void arithmetic() {
        static const char* const kForms[] = {"{} + {}",
                                             "{} - {}",
                                             "{} * {}",
                                             "{} * {}",
                                             "torch.maximum({}, {})",
                                             "torch.minimum({}, {})"};
        const Expr x = any(), y = partner(x);
        const char* form = one(kForms);
        const DType dtype = resultDType(x, y);
        if (form[3] == '-' && (x.dtype == DType::Bool || y.dtype == DType::Bool)) return;
        const bool swapped = chance(3);
        define(joined(
            x, y,
            fmt::format(fmt::runtime(form), swapped ? y.text : x.text, swapped ? x.text : y.text),
            *broadcast(x.sizes, y.sizes), dtype));
    }
    void quotient() {
        static const char* const kForms[] = {"{} / ({}.abs() + 0.5)",
                                             "({} * 1.01) % ({}.abs() + 0.5)"};
        const Expr x = anyFloat(), y = partner(x);
        if (y.dtype == DType::Bool) return;
        Expr half = y;
        half.dtype = floated(y.dtype);
        Expr e = joined(x, y, fmt::format(fmt::runtime(one(kForms)), x.text, y.text),
                        *broadcast(x.sizes, y.sizes), resultDType(x, half));
        if (chance(4)) { // a rounded quotient has no gradient
            e.text =
                fmt::format("({} * 1.01).detach() // ({}.abs() + 0.5).detach()", x.text, y.text);
            e.grad = false;
        }
        define(e);
    }
    void power() {
        const Expr x = anyFloat(), y = partner(x);
        if (!y.floating()) return;
        define(joined(x, y, fmt::format("({}.abs() + 0.5) ** torch.tanh({})", x.text, y.text),
                      *broadcast(x.sizes, y.sizes), resultDType(x, y)));
    }
    void integers() {
        auto x = pick([](const Expr& e) { return category(e.dtype) == 1; });
        if (!x) x = newInput(someSizes(), chance(2) ? DType::Int64 : DType::UInt8, false);
        static const char* const kForms[] = {"{} // 3", "{} % 3", "{} * 2", "{} + 1",
                                             "~{}",     "-{}",    "{} ** 2"};
        if (chance(2)) {
            define(with(*x, fmt::format(fmt::runtime(one(kForms)), x->text)));
            return;
        }
        const Expr y = partner(*x);
        if (category(y.dtype) != 1) return;
        static const char* const kPairs[] = {
            "{} + {}", "{} * {}", "{} & {}", "{} // ({} * 2 + 1)", "{} % ({} * 2 + 1)", "{} | {}"};
        define(joined(*x, y, fmt::format(fmt::runtime(one(kPairs)), x->text, y.text),
                      *broadcast(x->sizes, y.sizes), resultDType(*x, y)));
    }
    void comparison() {
        static const char* const kSigns[] = {"<", "<=", ">", ">=", "==", "!="};
        const Expr x = any();
        Expr e;
        if (chance(2)) {
            e = with(x,
                     fmt::format("{} {} {}", x.text, one(kSigns), x.floating() ? "0.0317" : "1"));
        } else {
            const Expr y = partner(x);
            e = joined(x, y, fmt::format("{} {} {}", x.text, one(kSigns), y.text),
                       *broadcast(x.sizes, y.sizes), DType::Bool);
        }
        e.dtype = DType::Bool;
        e.grad = false;
        define(e);
    }
    void logic() {
        auto x = pick([](const Expr& e) { return e.dtype == DType::Bool; });
        if (!x) return comparison();
        auto y = pick(
            [&](const Expr& e) { return e.dtype == DType::Bool && broadcast(x->sizes, e.sizes); });
        static const char* const kForms[] = {"{} & {}", "{} | {}", "torch.logical_and({}, {})",
                                             "torch.logical_or({}, {})",
                                             "torch.logical_xor({}, {})"};
        if (chance(4))
            define(with(*x, chance(2) ? "~" + x->text : "torch.logical_not(" + x->text + ")"));
        else
            define(joined(*x, *y, fmt::format(fmt::runtime(one(kForms)), x->text, y->text),
                          *broadcast(x->sizes, y->sizes), DType::Bool));
    }
    /// A condition that broadcasts with \p x.
    Expr condition(const Expr& x) {
        auto found = pick(
            [&](const Expr& e) { return e.dtype == DType::Bool && broadcast(x.sizes, e.sizes); });
        if (found && chance(2)) return *found;
        Expr e = with(x, fmt::format("({} > {})", x.text, x.floating() ? "0.0213" : "0"));
        e.dtype = DType::Bool;
        e.grad = false;
        return e;
    }
    void choice() {
        const Expr x = anyFloat(), c = condition(x);
        const Sizes sizes = *broadcast(x.sizes, c.sizes);
        if (chance(3)) {
            if (sizes != x.sizes) return;
            define(joined(x, c, fmt::format("{}.masked_fill({}, -0.5)", x.text, c.text), sizes,
                          x.dtype));
            return;
        }
        if (chance(2)) {
            const char* form = chance(2) ? "torch.where({}, {}, 0.0)" : "torch.where({}, 1.5, {})";
            define(joined(x, c, fmt::format(fmt::runtime(form), c.text, x.text), sizes, x.dtype));
            return;
        }
        const Expr y = partner(x);
        const auto all = broadcast(sizes, y.sizes);
        if (!all) return;
        define(joined(joined(x, y, "", {}, x.dtype), c,
                      fmt::format("torch.where({}, {}, {})", c.text, x.text, y.text), *all,
                      resultDType(x, y)));
    }
    /// A quotient whose dead lanes are 0/0, behind a condition, then summed.
    void maskedTail() {
        const Expr x = ranked(1);
        const int64_t n = x.sizes.back(), live = n > 1 ? n - 1 : n;
        const std::string k = fmt::format("torch.arange({})", n);
        Expr e = with(x, fmt::format("torch.where({0} < {1}, {2} / ({0} < {1}), 0.0).sum(dim=-1)",
                                     k, live, x.text));
        if (!x.grad)
            e.text = fmt::format(
                "torch.where({0} < {1}, ({0} * {2}) / ({1} - {0}).clamp_min(0), 0.0).sum(dim=-1)",
                k, live, x.text);
        e.sizes.pop_back();
        define(e);
    }
    Sizes reducedSizes(const Sizes& sizes, const Sizes& dims, bool keep) {
        Sizes result;
        for (size_t d = 0; d < sizes.size(); ++d) {
            const bool gone =
                std::find(dims.begin(), dims.end(), static_cast<int64_t>(d)) != dims.end();
            if (!gone || keep) result.push_back(gone ? 1 : sizes[d]);
        }
        return result;
    }
    void reduction() {
        static const char* const kNames[] = {"sum",  "sum", "mean", "amax",     "amin",
                                             "prod", "var", "std",  "logsumexp"};
        const Expr x = ranked(1);
        const std::string name = one(kNames);
        Sizes dims;
        for (size_t d = 0; d < x.rank(); ++d)
            if (chance(2)) dims.push_back(static_cast<int64_t>(d));
        if (dims.empty() || name == "prod") dims = {static_cast<int64_t>(below(x.rank()))};
        int64_t elements = 1;
        for (int64_t d : dims)
            elements *= x.sizes[static_cast<size_t>(d)];
        if (elements < 2 && (name == "var" || name == "std")) return;
        if (elements == 0 && name[0] != 's' && name != "prod" && name != "mean") return;
        const bool keep = chance(2);
        // Far from where a product or a deviation of equal values has no gradient.
        const std::string of = name == "prod" ? factors(x) : x.text;
        std::string dim =
            dims.size() == 1
                ? fmt::format("{}", chance(2) ? dims[0] - static_cast<int64_t>(x.rank()) : dims[0])
                : list(dims);
        Expr e =
            with(x, fmt::format("{}.{}(dim={}{})", of, name, dim, keep ? ", keepdim=True" : ""));
        e.sizes = reducedSizes(x.sizes, dims, keep);
        define(e);
    }
    void reductionOfAll() {
        static const char* const kNames[] = {"sum", "mean", "amax", "max", "min", "prod", "var"};
        const Expr x = anyFloat();
        const std::string name = one(kNames);
        if (name != "sum" && name != "mean" && name != "prod" && x.numel() == 0) return;
        if (name == "var" && x.numel() < 2) return;
        Expr e = with(x, fmt::format("{}.{}()", name == "prod" ? factors(x) : x.text, name));
        e.sizes.clear();
        define(e);
    }
    void integerReduction() {
        static const char* const kNames[] = {"sum",    "amax",   "amin", "any", "all",
                                             "argmax", "argmin", "prod", "max", "min"};
        const std::string name = one(kNames);
        const bool position = name.starts_with("arg"); // of floats too
        auto x = position ? ranked(1, false)
                          : pick([&](const Expr& e) { return e.rank() > 0 && !e.floating(); });
        if (!x || x->numel() == 0 || x->rank() == 0) return;
        if ((position || name == "prod") && x->dtype == DType::Bool) return;
        Expr e = *x;
        const size_t d = below(x->rank());
        const bool whole = chance(3) || name == "max" || name == "min";
        // Of larger numbers, a product is more than floats hold.
        const std::string of = name == "prod" ? fmt::format("({} % 2)", x->text) : x->text;
        e.text = fmt::format("{}.{}({})", of, name, whole ? "" : fmt::format("dim={}", d));
        if (whole)
            e.sizes.clear();
        else
            e.sizes.erase(e.sizes.begin() + static_cast<std::ptrdiff_t>(d));
        if (name == "sum" || name == "prod" || position) e.dtype = DType::Int64;
        if (name == "any" || name == "all")
            e.dtype = x->dtype == DType::UInt8 ? DType::UInt8 : DType::Bool;
        e.grad = false;
        define(e);
    }
    void expandedReduction() {
        const Expr x = any();
        if (!x.floating() || x.rank() > 3) return;
        Sizes sizes = x.sizes;
        for (int64_t& size : sizes)
            if (size == 1) size = lengths_[below(3)];
        sizes.insert(sizes.begin(), 3);
        if (product(sizes) > 2 * limit_) return;
        Expr e = with(x, fmt::format("{}.expand({})", x.text, list(sizes)));
        e.sizes = sizes;
        if (chance(2)) {
            e.text += chance(2) ? ".sum()" : ".mean()";
            e.sizes.clear();
        } else if (chance(2)) {
            const size_t d = below(sizes.size());
            e.text += fmt::format(".sum(dim={})", d);
            e.sizes.erase(e.sizes.begin() + static_cast<std::ptrdiff_t>(d));
        }
        define(e);
    }
    void normalise() {
        const Expr x = ranked(1);
        const size_t d = below(x.rank());
        switch (below(4)) {
        case 0:
            define(with(x, fmt::format("torch.softmax({}, dim={})", x.text, d)));
            break;
        case 1:
            define(with(x, fmt::format("F.log_softmax({}, dim={})", x.text, d)));
            break;
        case 2:
            if (x.sizes.back() < 2) return;
            define(with(x, fmt::format("F.layer_norm({}, ({},))", x.text, x.sizes.back())));
            break;
        default: {
            if (x.sizes.back() < 2) return;
            const Expr w = newInput({x.sizes.back()}, x.dtype, true);
            const Expr b = newInput({x.sizes.back()}, x.dtype, true);
            define(joined(joined(x, w, "", {}, x.dtype), b,
                          fmt::format("F.layer_norm({}, ({},), {}, {})", x.text, x.sizes.back(),
                                      w.text, b.text),
                          x.sizes, x.dtype));
        }
        }
    }
    void view() {
        const Expr x = ranked(1, false);
        const size_t r = x.rank(), d = below(r);
        Expr e = x;
        switch (below(10)) {
        case 0:
            e.text += chance(2) ? ".reshape(-1)" : ".flatten()";
            e.sizes = {x.numel()};
            if (x.numel() == 0) return;
            break;
        case 1: {
            std::vector<int64_t> order(r);
            for (size_t i = 0; i < r; ++i)
                order[i] = static_cast<int64_t>(i);
            std::shuffle(order.begin(), order.end(), random_);
            e.text += fmt::format(".permute({})", fmt::join(order, ", "));
            for (size_t i = 0; i < r; ++i)
                e.sizes[i] = x.sizes[static_cast<size_t>(order[i])];
            break;
        }
        case 2:
            e.text += fmt::format(".transpose(0, {})", d);
            std::swap(e.sizes[0], e.sizes[d]);
            break;
        case 3:
            e.text += fmt::format(".unsqueeze({})", d);
            e.sizes.insert(e.sizes.begin() + static_cast<std::ptrdiff_t>(d), 1);
            break;
        case 4:
            e.text += ".squeeze()";
            e.sizes.erase(std::remove(e.sizes.begin(), e.sizes.end(), 1), e.sizes.end());
            break;
        case 5: {
            const auto from = static_cast<int64_t>(below(2)),
                       step = static_cast<int64_t>(1 + below(3));
            if (x.sizes[0] < 2) return;
            e.text += step == 1 ? fmt::format("[{}:]", from) : fmt::format("[{}::{}]", from, step);
            e.sizes[0] = (x.sizes[0] - from + step - 1) / step;
            break;
        }
        case 6:
            if (x.sizes.back() < 2) return;
            e.text += "[..., 1:]";
            e.sizes.back() -= 1;
            break;
        case 7:
            if (x.sizes[d] == 0) return;
            e.text += fmt::format(".select({}, {})", d, chance(2) ? 0 : -1);
            e.sizes.erase(e.sizes.begin() + static_cast<std::ptrdiff_t>(d));
            break;
        case 8:
            if (r != 2) return;
            e.text += ".t()";
            std::swap(e.sizes[0], e.sizes[1]);
            break;
        default:
            if (r < 2 || x.numel() == 0) return;
            e.sizes.erase(e.sizes.begin());
            e.sizes[0] *= x.sizes[0];
            e.text += fmt::format(".reshape({})", list(e.sizes));
        }
        define(e);
    }
    void outer() {
        const Expr x = ranked(1, false);
        if (x.rank() > 2 || x.dtype == DType::Bool) return;
        Expr e = with(
            x, fmt::format("{0}.unsqueeze(0) {1} {0}.unsqueeze(1)", x.text, chance(2) ? "-" : "*"));
        e.sizes.insert(e.sizes.begin(), x.sizes[0]);
        define(e);
    }
    void atAnElement() {
        const Expr x = ranked(1);
        if (x.numel() == 0) return;
        static const char* const kForms[] = {"{0} - {0}[..., 0:1]", "{0} * {0}[0]", "{0} - {0}[-1]",
                                             "{0} / ({0}[0].abs() + 1)"};
        define(with(x, fmt::format(fmt::runtime(one(kForms)), x.text)));
    }
    void pieces() {
        const Expr x = ranked(1, false);
        const size_t d = below(x.rank());
        const int64_t n = x.sizes[d];
        if (n < 2) return;
        const int64_t size = (n + 1) / 2;
        const Value a{fmt::format("v{}", count_), x.sizes, x.dtype, x.grad},
            b{fmt::format("v{}", count_ + 1), x.sizes, x.dtype, x.grad};
        count_ += 2;
        Statement s;
        s.text =
            chance(2)
                ? fmt::format("{}, {} = {}.split({}, dim={})", a.name, b.name, x.text, size, d)
                : fmt::format("{}, {} = torch.chunk({}, 2, dim={})", a.name, b.name, x.text, d);
        s.results = {a, b};
        s.results[0].sizes[d] = size;
        s.results[1].sizes[d] = n - size;
        s.uses = x.uses;
        model_.body.push_back(s);
        values_.insert(values_.end(), s.results.begin(), s.results.end());
    }
    void join() {
        const Expr x = ranked(1, false);
        auto y = pick([&](const Expr& e) { return e.sizes == x.sizes && e.dtype == x.dtype; });
        const size_t d = below(x.rank());
        Expr e = joined(x, *y, "", x.sizes, x.dtype);
        const bool stack = chance(3);
        e.text =
            fmt::format("torch.{}([{}, {}], dim={})", stack ? "stack" : "cat", x.text, y->text, d);
        if (stack)
            e.sizes.insert(e.sizes.begin() + static_cast<std::ptrdiff_t>(d), 2);
        else
            e.sizes[d] *= 2;
        define(e);
    }
    void triangle() {
        const Expr x = ranked(2);
        define(with(x, fmt::format("torch.{}({}{})", chance(2) ? "tril" : "triu", x.text,
                                   chance(2) ? "" : ", 1")));
    }
    void gather() {
        const Expr x = ranked(1);
        const size_t d = below(x.rank());
        if (x.numel() == 0) return;
        Sizes sizes = x.sizes;
        sizes[d] = 3;
        const Expr index = newInput(sizes, DType::Int64, false, x.sizes[d]);
        if (chance(2)) {
            define(joined(x, index, fmt::format("torch.gather({}, {}, {})", x.text, d, index.text),
                          sizes, x.dtype));
            return;
        }
        const Expr source = newInput(sizes, x.dtype, true);
        Expr e =
            joined(joined(x, index, "", {}, x.dtype), source,
                   fmt::format("{}.scatter_add({}, {}, {})", x.text, d, index.text, source.text),
                   x.sizes, x.dtype);
        if (chance(4))
            e = joined(x, index, fmt::format("{}.scatter({}, {}, 0.75)", x.text, d, index.text),
                       x.sizes, x.dtype);
        define(e);
    }
    void embedding() {
        auto table =
            pick([](const Expr& e) { return e.rank() == 2 && e.floating() && e.sizes[0] > 0; });
        if (!table) return;
        Sizes sizes = chance(2) ? Sizes{5} : Sizes{2, 3};
        const Expr index = newInput(sizes, DType::Int64, false, table->sizes[0]);
        sizes.push_back(table->sizes[1]);
        define(joined(*table, index, fmt::format("F.embedding({}, {})", index.text, table->text),
                      sizes, table->dtype));
    }
    void loss() {
        const Expr x = ranked(2);
        if (x.rank() != 2 || x.numel() == 0) return;
        Expr e;
        if (chance(3)) {
            const Expr y = newInput(x.sizes, x.dtype, true);
            e = joined(x, y, fmt::format("F.mse_loss({}, {})", x.text, y.text), {}, x.dtype);
        } else {
            const Expr target = newInput({x.sizes[0]}, DType::Int64, false, x.sizes[1]);
            e = joined(
                x, target,
                fmt::format(fmt::runtime(chance(2) ? "F.cross_entropy({}, {})"
                                                   : "F.nll_loss(F.log_softmax({}, dim=1), {})"),
                            x.text, target.text),
                {}, x.dtype);
        }
        define(e);
    }
    void matrixProduct() {
        const Expr x = ranked(2);
        if (x.rank() > 3) return;
        const int64_t k = x.sizes.back(), n = 1 + static_cast<int64_t>(below(6));
        Sizes sizes = x.sizes;
        sizes.back() = n;
        switch (below(5)) {
        case 0: {
            auto y = pick([&](const Expr& e) {
                return e.rank() == 2 && e.dtype == x.dtype && e.sizes[0] == k;
            });
            if (!y) y = newInput({k, n}, x.dtype, true);
            sizes.back() = y->sizes[1];
            define(joined(x, *y, fmt::format("{} @ {}", x.text, y->text), sizes, x.dtype));
            break;
        }
        case 1: {
            const Expr w = newInput({n, k}, x.dtype, true), b = newInput({n}, x.dtype, true);
            define(joined(joined(x, w, "", {}, x.dtype), b,
                          fmt::format("F.linear({}, {}, {})", x.text, w.text, b.text), sizes,
                          x.dtype));
            break;
        }
        case 2: {
            sizes.back() = sizes[sizes.size() - 2];
            define(with(x, fmt::format("torch.matmul({0}, {0}.transpose(-1, -2))", x.text)));
            if (!model_.body.empty()) fixLast(sizes);
            break;
        }
        case 3: {
            if (x.rank() != 2) return;
            const Expr y = newInput({k, n}, x.dtype, true), b = newInput({n}, x.dtype, true);
            define(joined(joined(x, y, "", {}, x.dtype), b,
                          fmt::format("torch.addmm({}, {}, {})", b.text, x.text, y.text), sizes,
                          x.dtype));
            break;
        }
        default: {
            if (x.rank() != 3 || x.numel() == 0) return;
            const Expr y = newInput(x.sizes, x.dtype, true);
            define(joined(
                x, y, fmt::format("F.scaled_dot_product_attention({0}, {1}, {1})", x.text, y.text),
                x.sizes, x.dtype));
        }
        }
    }
    /// [n, channels, length] or [channels, height, width].
    void convolution() {
        const Expr x = ranked(3);
        if (x.rank() != 3 || x.numel() == 0 || !x.floating()) return;
        const bool image = chance(2);
        const int64_t features = 1 + static_cast<int64_t>(below(5));
        const int64_t stride = 1 + static_cast<int64_t>(below(2));
        const int64_t padding = static_cast<int64_t>(below(2));
        Sizes weight{features, x.sizes[image ? 0 : 1]};
        Sizes sizes = image ? Sizes{features} : Sizes{x.sizes[0], features};
        for (size_t d = image ? 1 : 2; d < 3; ++d) {
            const int64_t taps =
                1 + std::min<int64_t>(static_cast<int64_t>(below(3)), x.sizes[d] + 2 * padding - 1);
            weight.push_back(taps);
            sizes.push_back((x.sizes[d] + 2 * padding - taps) / stride + 1);
        }
        const Expr w = newInput(weight, x.dtype, true), b = newInput({features}, x.dtype, true);
        define(joined(joined(x, w, "", {}, x.dtype), b,
                      fmt::format("F.conv{}d({}, {}, {}, {}, {})", image ? 2 : 1, x.text, w.text,
                                  b.text, stride, padding),
                      sizes, x.dtype));
    }
    void pool() {
        const Expr x = ranked(3);
        if (x.rank() != 3 || x.numel() == 0 || !x.floating()) return;
        const int64_t stride = 1 + static_cast<int64_t>(below(2));
        const int64_t taps[] = {
            1 + std::min<int64_t>(static_cast<int64_t>(below(3)), x.sizes[1] - 1),
            1 + std::min<int64_t>(static_cast<int64_t>(below(3)), x.sizes[2] - 1)};
        Expr e = x;
        for (size_t d = 0; d < 2; ++d)
            e.sizes[d + 1] = (x.sizes[d + 1] - taps[d]) / stride + 1;
        e.text = fmt::format("F.{}_pool2d({}, ({}, {}), {})", chance(2) ? "max" : "avg", x.text,
                             taps[0], taps[1], stride);
        define(e);
    }
    /// The statement just defined has these sizes.
    void fixLast(const Sizes& sizes) {
        model_.body.back().results[0].sizes = sizes;
        values_.back().sizes = sizes;
    }
    /// What whole numbers are taken of: none by chance, and neither NaN nor too large for one, of which
    /// processors make what they like.
    static std::string countable(const std::string& text) {
        return fmt::format("({} * 1.01).nan_to_num(0.25, 9e3, -9e3).clamp(-9e3, 9e3)", text);
    }
    void cast() {
        static constexpr std::pair<const char*, DType> kCasts[] = {
            {".float()", DType::Float32},       {".double()", DType::Float64},
            {".to(torch.int64)", DType::Int64}, {".int()", DType::Int32},
            {".bool()", DType::Bool},           {".to(torch.float32)", DType::Float32}};
        const Expr x = any();
        const auto& [text, dtype] = kCasts[below(std::size(kCasts))];
        const bool toInteger = x.floating() && category(dtype) == 1;
        Expr e = with(x, (toInteger ? countable(x.text) : x.text) + text);
        e.dtype = dtype;
        e.grad = x.grad && ir::isFloating(dtype);
        define(e);
    }
    void factory() {
        const Expr x = ranked(1);
        static const char* const kForms[] = {
            "{0} + torch.zeros_like({0})",   "{0} * torch.full_like({0}, 0.5)",
            "torch.ones_like({0}) - {0}",    "{0} * torch.arange({1})",
            "{0} + torch.full(({1},), 2.5)", "torch.zeros({1}) + {0}",
            "{0} - torch.ones(1, {1})"};
        const char* form = one(kForms);
        Expr e = with(x, fmt::format(fmt::runtime(form), x.text, x.sizes.back()));
        if (std::string_view(form).find("ones(1") != std::string_view::npos && x.rank() == 1)
            e.sizes.insert(e.sizes.begin(), 1);
        define(e);
    }
    void lessCommon() {
        static const char* const kForms[] = {
            "torch.div({}, 0.37, rounding_mode=\"floor\").detach()",
            "torch.div({}, 1.9, rounding_mode=\"trunc\").detach()",
            "({}).detach() // 0.7",
            "torch.where({} > 0.0213, 2.0, -1.0)",
            "torch.rsub({}, 1.5)",
            "{}.contiguous() * 2",
            "F.dropout({}, p=0.5, training=False)",
            "{0}.masked_fill({0} < 0.0113, torch.tensor(0.25))",
            "torch.where(torch.isnan({0}), 0.0, {0})",
            "{0}.to({0}) + 1"};
        const Expr x = anyFloat();
        const char* form = one(kForms);
        Expr e = with(x, fmt::format(fmt::runtime(form), x.text));
        if (std::string_view(form).find("-1.0)") != std::string_view::npos) {
            e.dtype = DType::Float32;
            e.grad = false;
        }
        if (std::string_view(form).find("detach") != std::string_view::npos) e.grad = false;
        define(e);
    }
    void statistics() {
        const Expr x = ranked(1);
        const size_t d = below(x.rank());
        if (x.numel() == 0 || x.sizes[d] < 2) return;
        static const char* const kForms[] = {
            "{}.var(dim={}, correction=0)", "torch.std({}, dim={}, unbiased=False)",
            "{}.std(dim={}, correction=1)", "torch.var_mean({}, dim={})[1]",
            "torch.var_mean({}, dim={}, correction=0)[0]"};
        Expr e = with(x, fmt::format(fmt::runtime(one(kForms)), x.text, d));
        e.sizes.erase(e.sizes.begin() + static_cast<std::ptrdiff_t>(d));
        define(e);
    }
    void moreViews() {
        const Expr x = ranked(1, false);
        const size_t d = below(x.rank());
        Expr e = x;
        if (chance(3)) {
            e.text += fmt::format(".squeeze({})", d);
            if (x.sizes[d] == 1) e.sizes.erase(e.sizes.begin() + static_cast<std::ptrdiff_t>(d));
        } else if (chance(2)) {
            e.text += fmt::format(".contiguous().view({})", x.numel());
            e.sizes = {x.numel()};
        } else {
            if (x.sizes[d] < 3) return;
            e.text += fmt::format(".split([1, {}], dim={})[1]", x.sizes[d] - 1, d);
            e.sizes[d] -= 1;
        }
        define(e);
    }
    void ranges() {
        const Expr x = ranked(1);
        const int64_t n = x.sizes.back();
        static const char* const kForms[] = {"{0} * torch.arange(1, {1} + 1)",
                                             "{0} - torch.arange(0, 2 * {1}, 2)",
                                             "{0} + torch.arange({1}, dtype=torch.float32)"};
        define(with(x, fmt::format(fmt::runtime(one(kForms)), x.text, n)));
    }
    void products() {
        const Expr x = ranked(2);
        if (x.rank() > 3) return;
        Sizes sizes = x.sizes;
        std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
        const Expr y = newInput(sizes, x.dtype, true);
        sizes = x.sizes;
        sizes.back() = sizes[sizes.size() - 2];
        define(joined(x, y,
                      fmt::format("torch.{}({}, {})", x.rank() == 2 ? "mm" : "bmm", x.text, y.text),
                      sizes, x.dtype));
    }
    void batchNorm() {
        const Expr x = ranked(2);
        if (x.numel() == 0 || x.numel() / x.sizes[1] < 2) return;
        if (chance(2)) {
            define(with(x, fmt::format("F.batch_norm({}, None, None, training=True)", x.text)));
            return;
        }
        const Expr w = newInput({x.sizes[1]}, x.dtype, true), b = newInput(w.sizes, x.dtype, true);
        define(joined(joined(x, w, "", {}, x.dtype), b,
                      fmt::format("F.batch_norm({}, None, None, {}, {}, training=True)", x.text,
                                  w.text, b.text),
                      x.sizes, x.dtype));
    }
    void inPlace() {
        const Expr x = anyFloat();
        if (x.rank() == 0 || x.numel() == 0) return;
        const std::string name = fmt::format("v{}", count_);
        Expr e = x;
        std::string lines = fmt::format("{} = {}.clone()", name, x.text);
        const size_t steps = 1 + below(3);
        for (size_t k = 0; k < steps; ++k) {
            auto y = pick([&](const Expr& other) {
                return other.floating() && broadcast(x.sizes, other.sizes) == x.sizes &&
                       other.dtype == x.dtype;
            });
            switch (below(5)) {
            case 0:
                if (y) {
                    lines += fmt::format("\n{} += {}", name, y->text);
                    e = joined(e, *y, "", x.sizes, x.dtype);
                }
                break;
            case 1:
                lines += fmt::format("\n{}.mul_(0.5)", name);
                break;
            default: // a part of it is written: refused where gradients are recorded
                static const char* const kParts[] = {"[0] -= 1.25", "[..., 0:1].add_(0.5)",
                                                     "[0] = 0.25", "[-1] *= 2"};
                if (!e.grad) lines += fmt::format("\n{}{}", name, one(kParts));
            }
        }
        ++count_;
        Value value{name, x.sizes, x.dtype, e.grad};
        model_.body.push_back({lines, {value}, e.uses});
        values_.push_back(value);
    }
    void changedInput() {
        auto x = pick([](const Expr& e) {
            return e.text[0] == 'a' && !e.grad && e.floating() && e.numel() > 0;
        });
        if (!x || changed_) return;
        // What was computed from it may be kept for the backward pass.
        for (const Statement& statement : model_.body)
            for (const std::string& use : statement.uses)
                if (use == x->text) return;
        for (const Input& input : model_.inputs)
            if (input.value.name == x->text && input.layout == Input::Layout::Expanded) return;
        changed_ = true;
        define(with(*x, x->text + (chance(2) ? ".mul_(1.5)" : ".add_(0.5)")));
    }
    /// A tensor for a sample's: a value there is, or a new input that hangs on one; in the sample's
    /// range. \p given: by itself, as numbers that are the same to the last bit.
    Expr sampled(const ops::SampleTensor& want, bool given) {
        const bool usual = want.low == -2 && want.high == 2;
        if (!ir::isFloating(want.dtype)) {
            const auto low = static_cast<int64_t>(want.low), high = static_cast<int64_t>(want.high);
            if (want.dtype == DType::Bool) return newInput(want.sizes, want.dtype, false);
            Expr e = newInput(want.sizes, want.dtype, false, high - low + 1);
            return low == 0 ? e : with(e, fmt::format("({} + {})", e.text, low));
        }
        auto found =
            pick([&](const Expr& e) { return e.sizes == want.sizes && e.dtype == want.dtype; });
        Expr e = found && !given && chance(2) ? *found : newInput(want.sizes, want.dtype, true);
        auto other = pick([&](const Expr& o) { return o.dtype == want.dtype && o.numel() > 0; });
        if (other && !given && chance(2))
            e = joined(e, *other, fmt::format("({} + {}.mean() * 0.1)", e.text, other->text),
                       e.sizes, e.dtype);
        if (usual) return e;
        return with(e, fmt::format("(torch.sigmoid({}) * {} + {})", e.text, want.high - want.low,
                                   want.low));
    }
    /// Any operation of the catalogue, as one of its samples calls it.
    void catalogued() {
        const CatalogueCall call = randomCall(random_);
        Expr whole;
        std::vector<std::string> texts;
        for (size_t k = 0; k < call.sample->tensors.size(); ++k) {
            Expr e = sampled(call.sample->tensors[k], call.looksAtBits());
            if (call.converts() && e.floating() && category(call.results[0].dtype) == 1)
                e.text = countable(e.text);
            // What sees memory as it lies expects it in order.
            if (call.def->isView() || call.def->name().starts_with("as_strided") ||
                call.def->name().starts_with("view"))
                e.text += ".contiguous()";
            if (call.isCut(k)) {
                e.text += ".detach()";
                e.grad = false;
            }
            texts.push_back(e.text);
            whole = joined(whole, e, "", {}, e.dtype);
        }
        std::vector<Value> results;
        std::vector<std::string> names;
        for (const ir::TensorType& type : call.results) {
            names.push_back(fmt::format("v{}", count_++));
            results.push_back({names.back(), ir::constants(type.sizes), type.dtype,
                               whole.grad && ir::isFloating(type.dtype)});
        }
        const char* comma = call.tuple && names.size() == 1 ? "," : "";
        model_.body.push_back(
            {fmt::format("{}{} = {}", fmt::join(names, ", "), comma, call.text(texts)), results,
             whole.uses});
        for (const Value& value : results)
            if (product(value.sizes) <= 2 * limit_ + 300 && value.sizes.size() <= 5)
                values_.push_back(value);
    }
    void detached() {
        Expr e = anyFloat();
        e.text += ".detach()";
        e.grad = false;
        define(e);
    }

    void chooseOutputs() {
        std::vector<const Value*> made;
        for (const Statement& statement : model_.body)
            for (const Value& value : statement.results)
                made.push_back(&value);
        if (made.empty()) {
            model_.outputs = {model_.inputs[0].value.name};
            return;
        }
        const size_t count = 1 + below(4);
        for (size_t k = 0; k < count; ++k) {
            const Value& value = *made[made.size() - 1 - below(std::min<size_t>(made.size(), 6))];
            if (std::find(model_.outputs.begin(), model_.outputs.end(), value.name) ==
                model_.outputs.end())
                model_.outputs.push_back(value.name);
        }
    }

    /// What no statement uses: nothing of the model is without effect.
    void outputEveryEnd() {
        std::set<std::string> used;
        for (const Statement& statement : model_.body)
            used.insert(statement.uses.begin(), statement.uses.end());
        for (const Statement& statement : model_.body)
            for (const Value& value : statement.results)
                if (!used.count(value.name)) model_.outputs.push_back(value.name);
    }

    /// A model of as many statements is kept whole.
    static constexpr size_t kWhole = 40;

    std::mt19937_64 random_;
    int64_t lengths_[3];
    int64_t limit_ = 600; ///< elements of an input
    RandomModel model_;
    std::vector<Value> values_;
    size_t count_ = 0;
    bool changed_ = false;
};

const std::vector<Generator::Kind> Generator::kKinds = {&Generator::smooth,
                                                        &Generator::smooth,
                                                        &Generator::activation,
                                                        &Generator::arithmetic,
                                                        &Generator::arithmetic,
                                                        &Generator::arithmetic,
                                                        &Generator::rounding,
                                                        &Generator::quotient,
                                                        &Generator::power,
                                                        &Generator::integers,
                                                        &Generator::comparison,
                                                        &Generator::logic,
                                                        &Generator::choice,
                                                        &Generator::maskedTail,
                                                        &Generator::reduction,
                                                        &Generator::reduction,
                                                        &Generator::reductionOfAll,
                                                        &Generator::integerReduction,
                                                        &Generator::expandedReduction,
                                                        &Generator::normalise,
                                                        &Generator::view,
                                                        &Generator::view,
                                                        &Generator::outer,
                                                        &Generator::atAnElement,
                                                        &Generator::pieces,
                                                        &Generator::join,
                                                        &Generator::triangle,
                                                        &Generator::gather,
                                                        &Generator::loss,
                                                        &Generator::matrixProduct,
                                                        &Generator::convolution,
                                                        &Generator::pool,
                                                        &Generator::batchNorm,
                                                        &Generator::cast,
                                                        &Generator::inPlace,
                                                        &Generator::changedInput,
                                                        &Generator::embedding,
                                                        &Generator::factory,
                                                        &Generator::lessCommon,
                                                        &Generator::statistics,
                                                        &Generator::moreViews,
                                                        &Generator::ranges,
                                                        &Generator::products,
                                                        &Generator::detached};

} // namespace

RandomModel randomModel(uint64_t seed, int least, int most) {
    if (least <= 0) return Generator(seed).generate(0);
    const auto span = static_cast<uint64_t>(std::max(most - least, 0)) + 1;
    return Generator(seed).generate(static_cast<size_t>(least) + seed * 7919 % span);
}

Manner randomManner(uint64_t seed) {
    std::mt19937_64 random(seed * 31 + 17);
    Manner manner;
    manner.dynamic = random() % 4 == 0;
    manner.frozen = random() % 4 == 0;
    std::set<std::string> off;
    for (const pipeline::PassRow& row : pipeline::passTable())
        if (!row.required && random() % 4 == 0) off.insert(std::string(row.name));
    for (const std::string& pass : off)
        manner.decisions.push_back("without " + pass);
    if (manner.frozen) {
        manner.decisions.push_back("freezing");
    } else if (random() % 3 == 0) {
        manner.decisions.push_back(random() % 2 ? "partitioner default" : "budget 0.5");
    }
    manner.unfused = !manner.frozen && random() % 5 == 0;
    return manner;
}

} // namespace cutaway::testing
