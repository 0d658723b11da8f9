// SPDX-License-Identifier: Apache-2.0
// Pools over one and three dimensions, adaptive ones and those that give positions: windows are
// gathered, what lies outside is masked. Sources: ATen/native/Pool.h, AdaptiveAveragePooling.cpp.
#include "core/ops/composite.h"
#include "core/ops/families_composed.h"
#include "core/ops/lying.h"
#include "core/ops/pooling_rules.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;
using ir::DType;

/// The windows of one dimension: [taps, count] positions, and which of them lie inside.
struct Windows {
    Value index, inside;
    Sym taps, count;
    Value divisor; ///< [count]: elements of a window, those of the padding as the call wants
    bool beginsOutside = false;
};

Formula column(Formula v) {
    return unsqueeze(v, 1);
}

Windows fixedWindows(const Operands& x, const Sym& size, const WindowNumbers& n, bool ceil,
                     bool countsPadding) {
    const ir::Device device = x.type(0).device;
    const OpCall call = x.call();
    const int64_t reach = n.dilation * (n.taps - 1) + 1;
    const int64_t extra = ceil ? n.stride - 1 : 0;
    Sym count = ir::floorDiv(size + Sym(2 * n.padding - reach + extra), Sym(n.stride)) + Sym(1);
    // The last window begins inside the image or its left padding.
    if (ceil && !call.less((count - Sym(1)) * Sym(n.stride), size + Sym(n.padding)))
        count = count - Sym(1);
    Value starts = positions(x.b, count, device) * n.stride - n.padding;
    Value places = column(positions(x.b, Sym(n.taps), device) * n.dilation) + starts;
    Value inside = logicalAnd(ge(places, 0), lt(places, size));
    Value end = aten("clamp", starts + n.taps, Arg{}, size + Sym(n.padding));
    Value first = starts;
    if (!countsPadding) {
        end = aten("clamp", end, Arg{}, size);
        first = aten("clamp_min", first, 0);
    }
    return {aten("clamp", places, 0, size - Sym(1)),
            inside,
            Sym(n.taps),
            count,
            end - first,
            n.padding > 0};
}

/// Windows from floor(i size / count) to ceil((i + 1) size / count).
Windows adaptiveWindows(const Operands& x, const Sym& size, const Sym& count) {
    const ir::Device device = x.type(0).device;
    // The longest window, or of sizes that are not known what is never shorter.
    Sym taps = ir::floorDiv(size + count - Sym(1), count) + Sym(1);
    if (size.isConst() && count.isConst()) {
        // Where i from mod to, a multiple of gcd, is the largest.
        const int64_t from = x.call().number(size), to = x.call().number(count), rest = from % to;
        taps = Sym(from / to + (rest == 0 ? 0 : rest > std::gcd(rest, to) ? 2 : 1));
    }
    auto quotient = [&](const Formula& of) { return aten("div.Tensor_mode", of, count, "floor"); };
    Value i = positions(x.b, count, device);
    Value start = quotient(i * size), end = quotient((i + 1) * size + (count - Sym(1)));
    Value places = column(positions(x.b, taps, device)) + start;
    return {aten("clamp", places, 0, size - Sym(1)), lt(places, end), taps, count, end - start};
}

/// The windows' elements, [n, channels, taps of all dimensions, counts..].
struct Gathered {
    Value values, inside, position; ///< position in the flat image: [taps, counts..]
    Shape counts;
};

Gathered gather(const Value& image, const std::vector<Windows>& windows) {
    const size_t spatial = windows.size();
    const Shape sizes = image.type().sizes;
    Gathered all;
    all.values = image;
    for (size_t d = spatial; d-- > 0;)
        all.values = picked(all.values, d + 2, windows[d].index);
    std::vector<int> order{0, 1};
    Sym taps(1);
    for (size_t d = 0; d < spatial; ++d) {
        order.push_back(static_cast<int>(2 + 2 * d));
        taps = taps * windows[d].taps;
    }
    for (size_t d = 0; d < spatial; ++d) {
        order.push_back(static_cast<int>(3 + 2 * d));
        all.counts.push_back(windows[d].count);
    }
    auto spread = [&](const Value& v, size_t d) {
        Shape along(2 * spatial, Sym(1));
        along[d] = windows[d].taps;
        along[spatial + d] = windows[d].count;
        return reshape(v, along);
    };
    for (size_t d = 0; d < spatial; ++d) {
        Value inside = spread(windows[d].inside, d), place = spread(windows[d].index, d);
        all.inside = d == 0 ? inside : Value(logicalAnd(all.inside, inside));
        all.position = d == 0 ? place : Value(all.position * sizes[d + 2] + place);
    }
    Shape whole{taps};
    whole.insert(whole.end(), all.counts.begin(), all.counts.end());
    Shape apart;
    for (size_t d = 0; d < spatial; ++d)
        apart.push_back(windows[d].taps);
    apart.insert(apart.end(), all.counts.begin(), all.counts.end());
    all.inside = reshape(expand(all.inside, apart), whole);
    all.position = reshape(expand(all.position, apart), whole);
    whole.insert(whole.begin(), {sizes[0], sizes[1]});
    all.values = reshape(permute(all.values, order), whole);
    return all;
}

/// [n, channels, spatial..]; a single image gets a dimension.
Value batched(const Operands& x, size_t spatial) {
    const size_t rank = x.type(0).rank();
    const std::string_view name = x.call().def.parsed.base;
    if (rank != spatial + 1 && rank != spatial + 2 && name.starts_with("adaptive"))
        throwRefusal(base::userError(
            {}, fmt::format("{}(): Expected {}D or {}D tensor, but got{} {}", name, spatial + 1,
                            spatial + 2, name.starts_with("adaptive_max") ? ":" : "",
                            ir::str(x.type(0).sizes))));
    if (rank != spatial + 1 && rank != spatial + 2)
        throwRefusal(base::userError(
            {}, fmt::format("non-empty {}D or {}D (batch mode) tensor expected for input",
                            spatial + 1, spatial + 2)));
    return rank == spatial + 1 ? Value(unsqueeze(x[0], 0)) : x.tensor(0);
}
Formula unbatched(const Operands& x, size_t spatial, const Value& y) {
    return x.type(0).rank() == spatial + 1 ? squeeze(y, 0) : Formula(y);
}

/// The places of the last NaNs among the elements of windows, 0 where there is none.
Formula lastNaNs(Builder& b, const Value& values) {
    const Shape& wide = values.type().sizes;
    Shape along(wide.size() - 2, Sym(1));
    along[0] = wide[2];
    Value place = reshape(positions(b, wide[2], values.type().device), along);
    return aten("argmax", where(aten("isnan", values), place, -1), 2, true);
}

/// Values and positions of the largest elements: as PyTorch's loops replace what they have by a
/// larger element or a NaN, the first of equal ones and the last NaN.
Results largest(const Operands& x, const Value& image, const std::vector<Windows>& windows) {
    const size_t spatial = windows.size();
    Gathered all = gather(image, windows);
    const Shape wide = all.values.type().sizes;
    Value values = all.values;
    values = where(all.inside, values,
                   ir::isFloating(values.type().dtype)
                       ? Formula(-std::numeric_limits<double>::infinity())
                       : Formula(std::numeric_limits<int32_t>::min()));
    Value seen = aten("detach", values), at = aten("argmax", seen, 2, true);
    if (ir::isFloating(seen.type().dtype)) at = aten("maximum", at, lastNaNs(x.b, seen));
    // Of a window of nothing but the least number the first one that lies inside, not the padding.
    if (std::ranges::any_of(windows, &Windows::beginsOutside))
        at = aten("maximum", at, aten("argmax", convert(all.inside, DType::Int32), 0, true));
    Value largest = squeeze(aten("gather", values, 2, at), 2);
    Value place = squeeze(aten("gather", expand(all.position, wide), 2, at), 2);
    return {unbatched(x, spatial, largest), unbatched(x, spatial, place)};
}

Formula sums(const Value& image, const std::vector<Windows>& windows) {
    Gathered all = gather(image, windows);
    return sum(where(all.inside, all.values, 0), {2});
}
/// Sums over the windows, divided by their sizes or by a number.
Formula average(const Operands& x, const Value& image, const std::vector<Windows>& windows,
                std::optional<double> divisor) {
    const size_t spatial = windows.size();
    const DType dtype = image.type().dtype;
    Value total = sums(image, windows);
    if (divisor) return unbatched(x, spatial, total / *divisor);
    Value count;
    for (size_t d = 0; d < spatial; ++d) {
        Shape along(spatial, Sym(1));
        along[d] = windows[d].count;
        Value some = reshape(windows[d].divisor, along);
        count = d == 0 ? some : Value(count * some);
    }
    return unbatched(x, spatial, total / convert(count, dtype));
}

std::vector<int64_t> numbersAt(const Operands& x, size_t i, size_t spatial,
                               const std::vector<int64_t>& otherwise) {
    std::vector<int64_t> list = x.call().numbers(i);
    if (list.empty() && !otherwise.empty()) return otherwise;
    if (list.size() == 1) list.resize(spatial, list[0]);
    if (list.size() != spatial)
        refuseCall(x, fmt::format("expected {} {} numbers, found {}", spatial,
                                  x.call().def.parsed.args[i].name, list.size()));
    return list;
}

/// The windows of a pool over three dimensions, whose numbers begin with argument 1.
std::vector<Windows> windowsOver(const Operands& x, const Value& image, bool isMax) {
    const auto kernel = numbersAt(x, 1, 3, {}), stride = numbersAt(x, 2, 3, kernel),
               padding = numbersAt(x, 3, 3, {});
    const std::vector<int64_t> dilation =
        isMax ? numbersAt(x, 4, 3, {}) : std::vector<int64_t>{1, 1, 1};
    for (const auto& numbers : {kernel, stride, padding, dilation})
        for (const int64_t number : numbers)
            if (number > std::numeric_limits<int32_t>::max())
                refuseCall(x, fmt::format("{} is more than 32 bits hold", number));
    std::vector<WindowNumbers> numbers;
    for (size_t d = 0; d < 3; ++d)
        numbers.push_back({kernel[d], stride[d], padding[d], dilation[d]});
    auto want = [](const std::string& unfit) {
        if (!unfit.empty()) throwRefusal(base::userError({}, unfit));
    };
    want(unfitNumbers(numbers));
    want(emptyImage(x.call(), isMax ? "max_pool3d_with_indices_out_cpu_template" : "avg_pool3d",
                    x.type(0).rank() == 5));
    std::vector<Windows> windows;
    Shape places;
    for (size_t d = 0; d < 3; ++d) {
        const bool ceil = x.call().boolean(isMax ? 5 : 4), counts = isMax || x.call().boolean(5);
        windows.push_back(fixedWindows(x, image.type().sizes[d + 2], numbers[d], ceil, counts));
        places.push_back(windows.back().count);
    }
    want(unfitPlaces(x.call(), image.type().sizes, places));
    return windows;
}
Results maxWithPositions(const Operands& x) {
    Value image = batched(x, 3);
    return largest(x, image, windowsOver(x, image, true));
}
Results maxPool(const Operands& x) {
    return {maxWithPositions(x)[0]};
}
/// PyTorch averages floating-point numbers and int64.
void wantAveraged(const Operands& x) {
    const DType dtype = x.type(0).dtype;
    if (!ir::isFloating(dtype) && dtype != DType::Int64)
        refuseCall(x, fmt::format("not implemented for {}", ir::name(dtype)), {},
                   ErrorClass::NotImplemented);
}
Results averagePool(const Operands& x) {
    wantAveraged(x);
    Value image = batched(x, 3);
    std::optional<double> divisor;
    if (x.has(6)) divisor = x.call().real(6);
    if (divisor == 0.0) throwRefusal(base::userError({}, "divisor must be not zero"));
    return {average(x, image, windowsOver(x, image, false), divisor)};
}

/// What PyTorch computes of one dimension as an image of one row.
Formula asRow(const Operands& x) {
    const size_t rank = x.type(0).rank();
    if (rank != 2 && rank != 3)
        throwRefusal(base::userError(
            {}, fmt::format("Expected 2 to 3 dimensions, but got {}-dimensional tensor for "
                            "argument #1 'self' (while checking arguments for {})",
                            rank, x.call().def.parsed.base)));
    return unsqueeze(x[0], -2);
}
/// A number of the windows over one dimension, of those over the row.
Shape inRow(const Operands& x, size_t i, int64_t first) {
    const std::vector<int64_t> given = x.call().numbers(i);
    if (given.empty() && x.call().def.parsed.args[i].name == "stride") return {};
    return {Sym(first), Sym(numbersAt(x, i, 1, {})[0])};
}
Results maxOfRow(const Operands& x) {
    Value both = aten("max_pool2d_with_indices", asRow(x), inRow(x, 1, 1), inRow(x, 2, 1),
                      inRow(x, 3, 0), inRow(x, 4, 1), x.call().boolean(5));
    return {squeeze(item(both, 0), -2), squeeze(item(both, 1), -2)};
}
Results averageOfRow(const Operands& x) {
    wantAveraged(x);
    return {squeeze(aten("avg_pool2d", asRow(x), inRow(x, 1, 1), inRow(x, 2, 1), inRow(x, 3, 0),
                         x.call().boolean(4), x.call().boolean(5)),
                    -2)};
}
Results adaptiveAverageOfRow(const Operands& x) {
    return {squeeze(aten("adaptive_avg_pool2d", asRow(x), inRow(x, 1, 1)), -2)};
}

/// The sizes that an adaptive pool gives an image.
Shape adaptiveCounts(const Operands& x, size_t spatial) {
    const std::vector<int64_t> counts = numbersAt(x, 1, spatial, {});
    const std::string& name = x.call().def.parsed.base;
    const bool average = name.starts_with("adaptive_avg");
    // PyTorch: one place is the mean, a NaN where the image has no elements.
    const bool mean = average && std::ranges::all_of(counts, [](int64_t n) { return n == 1; });
    if (const std::string empty = emptyImage(x.call(), name); !empty.empty() && !mean)
        throwRefusal(base::userError({}, empty));
    const auto negative = std::ranges::find_if(counts, [](int64_t count) { return count < 0; });
    if (negative == counts.end()) return {counts.begin(), counts.end()};
    if (average)
        throwRefusal(base::userError(
            {}, fmt::format("{}: elements of output_size must be greater than or equal to 0 but "
                            "received {{{}, {},{}}}",
                            name, counts[0], counts[1], counts[2])));
    Shape sizes = x.type(0).sizes;
    for (size_t d = 0; d < spatial; ++d)
        sizes[sizes.size() - spatial + d] = Sym(counts[d]);
    throwRefusal(
        base::userError({}, fmt::format("Trying to create tensor with negative dimension {}: {}",
                                        *negative, ir::str(sizes))));
}

/// Of images, no place at all.
Formula nowhere(const Value& image, const Shape& counts) {
    Shape sizes{image.type().sizes[0], image.type().sizes[1]};
    sizes.insert(sizes.end(), counts.begin(), counts.end());
    return aten("clone", reshape(aten("narrow", image, 2, 0, 0), sizes), "contiguous_format");
}
bool hasNone(const Shape& counts) {
    return std::ranges::any_of(counts, [](const Sym& count) { return count.is(0); });
}

std::vector<Windows> adaptive(const Operands& x, const Value& image, const Shape& counts) {
    std::vector<Windows> windows;
    for (size_t d = 0; d < counts.size(); ++d)
        windows.push_back(adaptiveWindows(x, image.type().sizes[d + 2], counts[d]));
    return windows;
}
template <size_t spatial> Results adaptiveMax(const Operands& x) {
    Value image = batched(x, spatial);
    const Shape counts = adaptiveCounts(x, spatial);
    if (hasNone(counts)) {
        Value none = nowhere(image, counts);
        return {unbatched(x, spatial, none),
                unbatched(x, spatial, Value(convert(none, DType::Int64)))};
    }
    return largest(x, image, adaptive(x, image, counts));
}
Results adaptiveMaxOfRow(const Operands& x) {
    if (const std::string empty = emptyImage(x.call(), "adaptive_max_pool1d"); !empty.empty())
        throwRefusal(base::userError({}, empty));
    Value both = aten("adaptive_max_pool2d", asRow(x), inRow(x, 1, 1));
    return {squeeze(item(both, 0), -2), squeeze(item(both, 1), -2)};
}
Results adaptiveAverage(const Operands& x) {
    Value image = batched(x, 3);
    const Shape counts = adaptiveCounts(x, 3);
    if (std::ranges::all_of(counts, [](const Sym& count) { return count.is(1); }))
        return {aten("mean.dim", x[0], std::vector<int>{-1, -2, -3}, true)};
    if (hasNone(counts)) return {unbatched(x, 3, nowhere(image, counts))};
    return {average(x, image, adaptive(x, image, counts), {})};
}

/// Elements back at the positions that a max pool gave.
template <size_t spatial> Results maxUnpool(const Operands& x) {
    Value image = batched(x, spatial);
    Value index = x.type(1).rank() == spatial + 1 ? Value(unsqueeze(x[1], 0)) : x.tensor(1);
    const Shape sizes = image.type().sizes;
    if (!x.call().same(sizes, index.type().sizes))
        refuseCall(x, fmt::format("expected indices of sizes {}, found {}",
                                  ir::str(x.type(0).sizes), ir::str(x.type(1).sizes)));
    const std::vector<Sym> wanted = x.call().integers(2);
    if (wanted.size() != spatial)
        refuseCall(x, fmt::format("expected {} sizes, found {}", spatial, wanted.size()));
    const Sym from = productOf(std::span(sizes).subspan(2)), to = productOf(wanted);
    Value zeros = full(x.b, {sizes[0], sizes[1], to}, 0, image.type());
    Value flat = aten("scatter.src", zeros, 2, reshape(index, {sizes[0], sizes[1], from}),
                      reshape(image, {sizes[0], sizes[1], from}));
    Shape result{sizes[0], sizes[1]};
    result.insert(result.end(), wanted.begin(), wanted.end());
    return {unbatched(x, spatial, Value(reshape(flat, result)))};
}

// --- records ---

List maxSamples(size_t spatial) {
    const std::vector<int64_t> image{2, 2, 7, 5, 4};
    auto list = [&](int64_t n) { return L(std::vector<int64_t>(spatial, n)); };
    const SampleTensor x = f32({image.begin(),
                                image.begin() + 2 + static_cast<std::ptrdiff_t>(spatial)}),
                       single = f32({image.begin() + 1,
                                     image.begin() + 2 + static_cast<std::ptrdiff_t>(spatial)});
    return {good({x}, {T(0), list(2), L({}), list(0), list(1), Arg(false)}),
            good({x}, {T(0), list(3), list(2), list(1), list(1), Arg(true)}),
            good({single}, {T(0), list(2), list(1), list(0), list(2), Arg(false)})};
}
List averageSamples(size_t spatial) {
    const std::vector<int64_t> image{2, 2, 7, 5, 4};
    auto list = [&](int64_t n) { return L(std::vector<int64_t>(spatial, n)); };
    const SampleTensor x =
        f32({image.begin(), image.begin() + 2 + static_cast<std::ptrdiff_t>(spatial)});
    List samples;
    for (bool counts : {true, false})
        samples.push_back(good({x}, {T(0), list(3), list(2), list(1), Arg(true), Arg(counts)}));
    samples.push_back(good({x}, {T(0), list(2), L({}), list(0), Arg(false), Arg(true)}));
    if (spatial > 1) {
        for (Sample& sample : samples)
            sample.args.push_back(none());
        samples.push_back(good({x}, {T(0), list(2), L({}), list(0), Arg(false), Arg(true), I(3)}));
    }
    return samples;
}
List adaptiveSamples(size_t spatial) {
    const std::vector<int64_t> image{2, 2, 7, 5, 4}, wanted{3, 5, 2};
    return {
        good({f32({image.begin(), image.begin() + 2 + static_cast<std::ptrdiff_t>(spatial)})},
             {T(0), L({wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(spatial)})})};
}

/// One average a channel is a mean, which PyTorch lays out as the volume.
Shape averageVolume(const OpCall& call, const TensorType& result) {
    const auto one = [](const Sym& size) { return size.is(1); };
    const bool whole =
        result.rank() == 5 && std::all_of(result.sizes.begin() + 2, result.sizes.end(), one);
    return whole ? likeImage(call, result) : rowMajor(call, result);
}

void addMax(std::vector<OpDef>& ops) {
    const OpDoc doc{"the largest element of each window, and where it is",
                    "y[i] = max_k x[i stride + k - padding]", "torch.nn.functional.max_pool1d"};
    auto one = [] { return maxSamples(1); };
    auto three = [] { return maxSamples(3); };
    ops.push_back(
        saving("self", with<&Traits::refuses, Refuses::WholeNumbers>(lying<rowMajor>(composite(
                           "max_pool1d(Tensor self, int[1] kernel_size, int[1] "
                           "stride=[], int[1] padding=0, int[1] "
                           "dilation=1, bool ceil_mode=False) -> Tensor",
                           [](const Operands& x) { return Results{maxOfRow(x)[0]}; }, one, doc)))));
    ops.push_back(lying<likeSignal>(composite(
        "max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] "
        "padding=0, int[1] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
        maxOfRow, one, doc)));
    ops.push_back(saving("self", with<&Traits::refuses, Refuses::Bools>(lying<likeImage>(
                                     composite("max_pool3d(Tensor self, int[3] kernel_size, "
                                               "int[3] stride=[], int[3] padding=0, int[3] "
                                               "dilation=1, bool ceil_mode=False) -> Tensor",
                                               maxPool, three, doc)))));
    ops.push_back(lying<likeImage>(composite(
        "max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] "
        "padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
        maxWithPositions, three, doc)));
    ops.push_back(saving(
        "self", with<&Traits::refuses, Refuses::WholeNumbers>(lying<likeSignal>(composite(
                    "adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)",
                    adaptiveMaxOfRow, [] { return adaptiveSamples(1); }, doc)))));
    ops.push_back(saving(
        "self", with<&Traits::refuses, Refuses::WholeNumbers>(lying<likeImage>(composite(
                    "adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)",
                    adaptiveMax<2>, [] { return adaptiveSamples(2); }, doc)))));
    ops.push_back(saving(
        "self", with<&Traits::refuses, Refuses::WholeNumbers>(lying<rowMajor>(composite(
                    "adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)",
                    adaptiveMax<3>, [] { return adaptiveSamples(3); }, doc)))));
    const OpDoc undone{"elements back at the places where max pooling found them",
                       "y = 0, then y.flat[index] = x", "torch.nn.functional.max_unpool2d"};
    ops.push_back(lying<likeImage>(composite(
        "max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor", maxUnpool<2>,
        [] {
            return List{
                good({f32({1, 1, 2, 1}), i64({1, 1, 2, 1}, 0, 11)}, {T(0), T(1), L({3, 4})})};
        },
        undone)));
    ops.push_back(composite(
        "max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3] "
        "padding) -> Tensor",
        maxUnpool<3>,
        [] {
            return List{good({f32({1, 1, 1, 2, 1}), i64({1, 1, 1, 2, 1}, 0, 23)},
                             {T(0), T(1), L({2, 3, 4}), L({2, 2, 2}), L({0, 0, 0})})};
        },
        undone));
}

void addAverage(std::vector<OpDef>& ops) {
    const OpDoc doc{"the mean of each window", "y[i] = mean_k x[i stride + k - padding]",
                    "torch.nn.functional.avg_pool1d"};
    ops.push_back(saving(
        "self",
        with<&Traits::refuses, Refuses::Bools>(lying<likeSignal>(composite(
            "avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, bool "
            "ceil_mode=False, bool count_include_pad=True) -> Tensor",
            averageOfRow, [] { return averageSamples(1); }, doc)))));
    ops.push_back(saving(
        "self",
        lying<rowMajor>(composite(
            "avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool "
            "ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
            averagePool, [] { return averageSamples(3); }, doc))));
    ops.push_back(
        saving("self", with<&Traits::refuses, Refuses::WholeNumbers>(lying<likeSignal>(composite(
                           "adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor",
                           adaptiveAverageOfRow, [] { return adaptiveSamples(1); }, doc)))));
    ops.push_back(
        saving("self", with<&Traits::refuses, Refuses::WholeNumbers>(lying<averageVolume>(composite(
                           "adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor",
                           adaptiveAverage, [] { return adaptiveSamples(3); }, doc)))));
    ops.push_back(lying<averageVolume>(composite(
        "_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor", adaptiveAverage,
        [] { return adaptiveSamples(3); }, doc)));
}

} // namespace

Results averagesOfWindows(const Operands& x) {
    Value image = batched(x, 2);
    const std::vector<Sym> counts = orRefuse(spatialList(x.call(), 1, 2));
    if (hasNone(counts)) return {unbatched(x, 2, nowhere(image, counts))};
    return {average(x, image, adaptive(x, image, counts), {})};
}

Results slopesOfAverages(const Operands& x) {
    const Shape given = x.type(0).sizes, sizes = x.type(1).sizes;
    const size_t rank = sizes.size();
    if (given.size() != rank || (rank != 3 && rank != 4))
        refuseCall(x, fmt::format("expected images of 3 or 4 dimensions, found {} and {}",
                                  x.type(0).str(), x.type(1).str()));
    if (x.type(0).numel().is(0)) return {full(x.b, sizes, 0, x.type(1))};
    // The windows that an element lies in are adaptive ones, too, over their places.
    Value shares = batched(x, 2);
    std::vector<Windows> windows;
    for (size_t d = 0; d < 2; ++d) {
        const Sym &from = sizes[rank - 2 + d], &to = given[rank - 2 + d];
        Value lengths = convert(adaptiveWindows(x, from, to).divisor, x.type(0).dtype);
        shares = shares / (d == 0 ? column(lengths) : Formula(lengths));
        windows.push_back(adaptiveWindows(x, to, from));
    }
    return {unbatched(x, 2, sums(shares, windows))};
}

std::vector<OpDef> windowPoolingOps() {
    std::vector<OpDef> ops;
    addMax(ops);
    addAverage(ops);
    return ops;
}

} // namespace cutaway::ops
