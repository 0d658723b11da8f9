// SPDX-License-Identifier: Apache-2.0
// x[...] and x[...] = v. Ints, slices, None and ... are a chain of views; tensors and lists of
// positions, and truth values, then pick elements of what is seen
// (torch/csrc/autograd/python_variable_indexing.cpp).
#include "core/capture/capture.h"
#include "core/capture/graph_numbers.h"
#include "core/capture/integers.h"
#include "core/capture/script_observer.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

namespace {

const ir::TensorType& tensorType(const Val& tensor) {
    return tensor.as<TensorObj>()->type();
}
bool isMask(const Val& part) {
    if (!part.is(Kind::Tensor)) return false;
    const ir::DType dtype = tensorType(part).dtype;
    return dtype == ir::DType::Bool || dtype == ir::DType::UInt8;
}

/// One position: an integer tensor of no dimensions.
bool isPlace(const Val& part) {
    return part.is(Kind::Tensor) && tensorType(part).rank() == 0 &&
           ir::isIntegral(tensorType(part).dtype) && !isMask(part);
}

bool isSequence(const Val& v) {
    return v.is(Kind::List) || v.is(Kind::Tuple) || v.is(Kind::Range);
}
/// A list that PyTorch reads as a tuple: a short one that holds more than numbers.
bool listMeansTuple(const std::vector<Val>& items) {
    constexpr size_t kShort = 32;
    return items.size() < kShort && std::ranges::any_of(
                                        items,
                                        [](const Val& item) {
                                            return isSequence(item) || item.is(Kind::Tensor) ||
                                                   item.is(Kind::Slice) || item.isNone() ||
                                                   item.tag() == Tag::Ellipsis;
                                        });
}

/// The parts of an index, with sequences made tensors.
std::vector<Val> partsOf(Interp& in, const Val& index, ir::Device device) {
    std::vector<Val> parts{index};
    if (index.is(Kind::Tuple)) {
        const auto& items = index.as<TupleObj>()->items;
        parts.assign(items.begin(), items.end());
    } else if (index.is(Kind::List)) {
        std::vector<Val> items = in.items(index);
        if (listMeansTuple(items)) parts = std::move(items);
    }
    for (Val& part : parts) {
        if (part.is(Kind::Truth)) part = in.plain(part);
        if (auto* number = part.to<NumberObj>()) part = number->tensor.val();
        if (part.is(Kind::Instance) && in.special(part, "__array__")) { // NumPy's
            const Val array = in.tryAttr(part, in.intern("_tensor"));
            if (array.is(Kind::Tensor) && tensorType(array).rank() > 0) part = array;
        }
        // Shows a view, as the int that it is.
        if (isPlace(part) && in.world().comparesElements())
            part = indexOfTensor(in, *part.as<TensorObj>());
        if (!isSequence(part)) continue;
        const bool empty = in.items(part).empty();
        part =
            tensorOfData(in, part, empty ? std::optional(ir::DType::Int64) : std::nullopt, device);
    }
    return parts;
}
/// True, False, or a mask of no dimensions: a new dimension of size 1, picked or not.
bool isTruth(const Val& part) {
    return part.tag() == Tag::Bool ||
           (part.is(Kind::Tensor) && tensorType(part).dtype == ir::DType::Bool &&
            tensorType(part).rank() == 0);
}
bool picks(const std::vector<Val>& parts) {
    return std::any_of(parts.begin(), parts.end(), [](const Val& part) {
        return part.is(Kind::Tensor) || part.tag() == Tag::Bool;
    });
}

/// Dimensions that a part stands for.
size_t spans(const Val& part) {
    if (part.isNone() || part.tag() == Tag::Ellipsis || isTruth(part)) return 0;
    return isMask(part) ? tensorType(part).rank() : 1;
}
/// Of a tensor of \p rank, the dimensions that are seen by \p parts that pick single places at most.
size_t seenRank(size_t rank, const std::vector<Val>& parts) {
    for (const Val& part : parts)
        rank = rank + (part.isNone() || part.is(Kind::Slice)) - spans(part);
    return rank;
}

void wantMaskFits(Interp& in, const Val& seen, const Val& mask, size_t dim) {
    const ir::TensorType type = in.world().type(*seen.as<TensorObj>());
    const ir::Shape sizes = in.world().type(*mask.as<TensorObj>()).sizes;
    for (size_t i = 0; i < sizes.size(); ++i)
        if (sizes[i] != type.sizes[dim + i] &&
            !in.world().decide(ir::equal(sizes[i], type.sizes[dim + i])))
            in.raise(Error::Index,
                     fmt::format("The shape of the mask {} at index {} does not match the shape of "
                                 "the indexed tensor {} at index {}",
                                 ir::str(sizes), i, ir::str(type.sizes), dim + i));
}

/// What the parts of an index see, and which positions they then pick there.
struct Picked {
    Val seen;               ///< the tensor itself, or a view
    std::vector<Val> parts; ///< by dimension: None, a tensor of positions, or a mask
    std::vector<Val> indices(Interp& in) const {
        std::vector<Val> all;
        for (size_t d = 0; d < parts.size(); ++d) {
            if (!isMask(parts[d])) {
                in.add(all, parts[d]);
                continue;
            }
            for (const Val& column : maskPositions(in, parts[d]))
                in.add(all, column);
            d += tensorType(parts[d]).rank() - 1;
        }
        while (!all.empty() && all.back().isNone())
            all.pop_back();
        return all;
    }
};

class Walk {
public:
    Walk(Interp& in, Val tensor) : in_(in), picked_{std::move(tensor), {}} {}

    Picked run(const std::vector<Val>& parts) {
        const size_t rank = tensorType(picked_.seen).rank();
        size_t consumed = 0;
        for (const Val& part : parts)
            consumed += spans(part);
        if (consumed > rank)
            in_.raise(Error::Index,
                      fmt::format("too many indices for tensor of dimension {}", rank),
                      fmt::format("found {}", consumed));
        for (const Val& part : parts)
            if (part.tag() == Tag::Ellipsis)
                skip(rank - consumed);
            else
                step(asIndex(part));
        return std::move(picked_);
    }

    /// Places of no dimensions are looked at on the way, so that what other tensors pick stays where
    /// it is. For reading: what is seen then shares no memory.
    bool selectsPlaces = false;

private:
    int64_t dim() const { return static_cast<int64_t>(picked_.parts.size()); }
    /// An object that stands for an int, as NumPy's scalars do, is that int.
    Val asIndex(const Val& part) {
        if (!part.is(Kind::Instance)) return plainInteger(part);
        Val* index = in_.special(part, "__index__");
        return index ? in_.call(in_.bindMethod(*index, part, in_.typeOf(part)), {}) : part;
    }
    void skip(size_t dims) {
        for (size_t i = 0; i < dims; ++i)
            in_.add(picked_.parts, Val::none());
    }
    void see(std::string_view operation, std::vector<Val> arguments) {
        arguments.insert(arguments.begin(), {picked_.seen, Val::integer(dim())});
        picked_.seen = in_.operation(std::string(operation), Arguments{arguments, {}});
    }
    /// A dimension is told as it was before those in front of it were selected from.
    void wantInside(const Val& part) {
        const ir::Sym& size = tensorType(picked_.seen).sizes[static_cast<size_t>(dim())];
        if (!part.isInt() || !size.isConst() || selected_ == 0) return;
        const int64_t at = part.asInt(), count = size.constant();
        if (at < -count || at >= count)
            in_.raise(Error::Index,
                      fmt::format("index {} is out of bounds for dimension {} with size {}", at,
                                  dim() + selected_, count));
    }
    /// Position 0, or none.
    Val truthPositions(bool holds) {
        std::vector<Val> positions;
        if (holds) positions.push_back(Val::integer(0));
        return tensorOfData(in_, in_.list(std::move(positions)), ir::DType::Int64,
                            tensorType(picked_.seen).device);
    }
    /// A bound that 64 bits cannot hold lies behind the end, or before the beginning.
    Val bound(const Val& end) {
        const Val given = plainInteger(end);
        if (auto* tensor = given.to<TensorObj>()) return indexOfTensor(in_, *tensor);
        if (given.isBool()) return Val::integer(given.asBool());
        if (!given.is(Kind::Integer)) return given;
        const bool negative = compareIntegers(given, Val::integer(0)) < 0;
        return Val::integer(negative ? INT64_MIN / 2 : INT64_MAX / 2);
    }
    void step(const Val& part) {
        if (part.isNone()) {
            see("unsqueeze", {});
            return skip(1);
        }
        if (isTruth(part)) {
            see("unsqueeze", {});
            return in_.add(picked_.parts, truthPositions(in_.truthy(part)));
        }
        if (part.isInt() || part.is(Kind::Symbol)) {
            wantInside(part);
            ++selected_;
            return see("select", {part});
        }
        if (auto* s = part.to<SliceObj>()) {
            const bool whole = s->start.isNone() && s->stop.isNone() && s->step.isNone();
            if (!whole)
                see("slice", {bound(s->start), bound(s->stop),
                              s->step.isNone() ? Val::integer(1) : bound(s->step)});
            return skip(1);
        }
        if (part.is(Kind::Integer))
            in_.raise(Error::Value, "Overflow when unpacking long long",
                      "an index is an integer of 64 bits");
        if (!part.is(Kind::Tensor))
            in_.raise(part.is(Kind::Str) || part.is(Kind::Bytes) ? Error::Type : Error::Index,
                      fmt::format("only integers, slices (`:`), ellipsis (`...`), None and long or "
                                  "byte Variables are valid indices (got {})",
                                  in_.typeName(part)),
                      "ints, slices, None, ..., lists and tensors of positions or truth values "
                      "work");
        if (selectsPlaces && isPlace(part)) {
            std::vector<Val> before(picked_.parts.size());
            std::ranges::fill(before, Val::none());
            before.push_back(besideTensor(part));
            picked_.seen = in_.operation("index", {picked_.seen, in_.list(std::move(before))});
            return;
        }
        stepTo(besideTensor(part));
    }
    /// Positions on the host are taken to where the tensor lies, not the other way around.
    Val besideTensor(const Val& part) {
        const ir::Device device = tensorType(picked_.seen).device, its = tensorType(part).device;
        if (its.isCuda() && its != device)
            in_.raise(Error::Runtime,
                      fmt::format("indices should be either on cpu or on the same device as the "
                                  "indexed tensor ({})",
                                  device.str()));
        return moveTo(in_, part, device);
    }
    void stepTo(const Val& part) {
        if (isMask(part)) {
            if (tensorType(part).rank() == 0)
                in_.raise(Error::Index, "a mask of no dimensions is not supported",
                          "use torch.where");
            wantMaskFits(in_, picked_.seen, part, picked_.parts.size());
            in_.add(picked_.parts, part);
            return skip(tensorType(part).rank() - 1);
        }
        in_.add(picked_.parts, part);
    }

    Interp& in_;
    Picked picked_;
    int64_t selected_ = 0; ///< dimensions that single positions took away
};

/// A single mask and one number for all that it picks: torch.where does it, and keeps the shape.
bool fillsMask(const Picked& picked, const Val& value) {
    const auto tensors = std::count_if(picked.parts.begin(), picked.parts.end(),
                                       [](const Val& part) { return part.is(Kind::Tensor); });
    const auto masks = std::count_if(picked.parts.begin(), picked.parts.end(), isMask);
    return tensors == 1 && masks == 1 &&
           (!value.is(Kind::Tensor) || tensorType(value).numel().is(1));
}

void fillMask(Interp& in, const Picked& picked, const Val& value) {
    const auto at = std::find_if(picked.parts.begin(), picked.parts.end(), isMask);
    Val mask = convertTo(in, *at, ir::DType::Bool);
    const size_t rank = tensorType(picked.seen).rank();
    for (size_t d = static_cast<size_t>(at - picked.parts.begin()) + tensorType(*at).rank();
         d < rank; ++d)
        mask = in.operation("unsqueeze", {mask, Val::integer(-1)});
    Val number = value;
    if (value.is(Kind::Tensor) && tensorType(value).rank() > 0)
        number = in.operation("reshape", {value, in.list({})});
    const Val operands[] = {picked.seen, mask, number};
    in.inPlaceOperation("masked_fill", Arguments{operands, {}});
}

/// The true places of \p mask, numbered in order from 0; places before the first as the first.
/// Every call checks that there are \p count of them.
Val numberedPlaces(Interp& in, const Val& mask, const ir::Sym& count) {
    const Val flat = in.operation(
        "reshape", {convertTo(in, mask, ir::DType::Int64), in.list({Val::integer(-1)})});
    const Val fits = in.operation("eq", {in.operation("sum", {flat}), in.size(count)});
    if (const Val held = graphNumber(in, *fits.as<TensorObj>());
        auto* condition = held.to<NumberObj>())
        in.capture()->checkLater(*condition,
                                 fmt::format("shape mismatch: {} values cannot be broadcast to as "
                                             "many elements as the mask has true ones",
                                             count.str()));
    const Val places =
        in.operation("sub", {in.operation("cumsum", {flat, Val::integer(0)}), Val::integer(1)});
    return in.operation("clamp", {places, Val::integer(0), in.size(count - ir::Sym(int64_t{1}))});
}

/// Under capture, where nobody knows how many elements the mask picks: where it is true, each takes
/// the value of its number among the true ones. False: it takes more than one mask and values.
bool putByMask(Interp& in, const Picked& picked, const Val& value, bool sums) {
    const auto tensors = std::count_if(picked.parts.begin(), picked.parts.end(),
                                       [](const Val& part) { return part.is(Kind::Tensor); });
    const auto at = std::find_if(picked.parts.begin(), picked.parts.end(), isMask);
    if (in.world().comparesElements() || tensors != 1 || at == picked.parts.end()) return false;
    const ir::TensorType seen = in.world().type(*picked.seen.as<TensorObj>()),
                         from = in.world().type(*value.as<TensorObj>());
    const size_t lead = static_cast<size_t>(at - picked.parts.begin());
    const size_t tail = seen.rank() - lead - tensorType(*at).rank();
    if (from.dtype != seen.dtype || from.rank() > lead + 1 + tail) return false;
    Val mask = convertTo(in, *at, ir::DType::Bool), values = value;
    if (from.rank() > tail) {
        const size_t axis = from.rank() - 1 - tail;
        const ir::Sym& count = from.sizes[axis];
        if (count.is(0)) return false;
        const bool one = count.is(1);
        if (!one)
            values = in.operation("index_select", {values, Val::integer(static_cast<int64_t>(axis)),
                                                   numberedPlaces(in, mask, count)});
        std::vector<Val> sizes;
        for (size_t d = 0; d < from.rank(); ++d)
            if (d != axis)
                sizes.push_back(in.size(from.sizes[d]));
            else
                for (const ir::Sym& size : in.world().type(*mask.as<TensorObj>()).sizes)
                    sizes.push_back(one ? Val::integer(1) : in.size(size));
        values = in.operation("reshape", {values, in.list(std::move(sizes))});
    }
    for (size_t d = 0; d < tail; ++d)
        mask = in.operation("unsqueeze", {mask, Val::integer(-1)});
    in.changeInPlace("index_put", picked.seen, [&] {
        const Val now = sums ? in.operation("add", {picked.seen, values}) : values;
        return in.operation("where", {mask, now, picked.seen});
    });
    return true;
}

} // namespace

static bool sumByMask(Interp& in, const Val& self, const Val& index, const Val& value) {
    const std::vector<Val> parts = partsOf(in, index, tensorType(self).device);
    return putByMask(in, Walk(in, self).run(parts), value, true);
}

Val Interp::tensorItem(const Val& self, const Val& index) {
    observer_->readTensor(*self.as<TensorObj>());
    const std::vector<Val> parts = partsOf(*this, index, tensorType(self).device);
    Walk walk(*this, self);
    walk.selectsPlaces = !std::ranges::all_of(
        parts, [](const Val& part) { return !part.is(Kind::Tensor) || isPlace(part); });
    Picked picked = walk.run(parts);
    if (!picks(parts)) // x[:] is a view, not x
        return picked.seen.object() == self.object() ? operation("alias", {self}) : picked.seen;
    return operation("index", {picked.seen, list(picked.indices(*this))});
}

/// \p value, of more dimensions than what it is written to, without sizes of 1 in front.
/// Source: slicePrefix1sSize, aten/src/ATen/TensorIndexing.h.
static Val withoutOnesInFront(Interp& in, const Val& value, size_t rank) {
    if (!value.is(Kind::Tensor)) return value;
    const ir::Shape& sizes = tensorType(value).sizes;
    std::vector<Val> ones;
    while (ones.size() + rank < sizes.size() && sizes[ones.size()].is(1))
        ones.push_back(Val::integer(static_cast<int64_t>(ones.size())));
    return ones.empty() ? value : in.operation("squeeze", {value, in.tuple(std::move(ones))});
}

void Interp::setTensorItem(const Val& self, const Val& index, const Val& item) {
    auto& t = *self.as<TensorObj>();
    wantOwn(t, "copy");
    Val value = plainNumber(item);
    if (value.is(Kind::Integer) && t.type().dtype != ir::DType::UInt64)
        raise(Error::Value, "Overflow when unpacking long long");
    // In PyTorch, too, an item of 16 bits becomes infinite instead.
    if (const ir::DType dtype = t.type().dtype; !ir::isFloating(dtype) || ir::sizeBytes(dtype) > 2)
        wantHeld(*this, value, dtype);
    const std::vector<Val> parts = partsOf(*this, index, t.type().device);
    if (picks(parts)) {
        const Picked picked = Walk(*this, self).run(parts);
        if (fillsMask(picked, value)) return fillMask(*this, picked, value);
        Val from = value;
        const bool shows = std::ranges::none_of(parts, [](const Val& part) {
            return part.tag() == Tag::Bool || (part.is(Kind::Tensor) && !isPlace(part));
        });
        if (shows && value.is(Kind::Tensor)) // a view is written, which is not where value lies
            from = operation("clone",
                             {withoutOnesInFront(*this, value, seenRank(t.type().rank(), parts))});
        if (!value.is(Kind::Tensor)) from = world_->number(value, t.type().dtype, t.type().device);
        if (putByMask(*this, picked, from, false)) return;
        const Val operands[] = {picked.seen, list(picked.indices(*this)), from};
        inPlaceOperation("index_put", Arguments{operands, {}});
        return;
    }
    auto view = [&] { return Walk(*this, self).run(parts).seen; };
    value = withoutOnesInFront(*this, value, seenRank(t.type().rank(), parts));
    world_->write(self, view, value, {"copy", !value.is(Kind::Tensor), "assigning an item"});
}

std::vector<Val> maskPositions(Interp& in, const Val& mask) {
    in.world().wantCount("a mask picks as many elements as it has true ones");
    const runtime::TensorPtr real = in.real(mask, "the mask");
    const ir::HostTensor host = in.need(runtime::toHost(*real));
    std::vector<std::vector<int64_t>> found(host.sizes.size());
    std::vector<int64_t> at(host.sizes.size(), 0);
    for (int64_t i = 0; i < host.numel(); ++i) {
        for (size_t d = 0; host.getInt(i) && d < at.size(); ++d)
            found[d].push_back(at[d]);
        for (size_t d = at.size(); d-- > 0 && ++at[d] == host.sizes[d];)
            at[d] = 0;
    }
    std::vector<Val> tensors;
    for (const std::vector<int64_t>& column : found) {
        ir::HostTensor values =
            ir::HostTensor::zeros(ir::DType::Int64, {static_cast<int64_t>(column.size())});
        for (size_t i = 0; i < column.size(); ++i)
            values.setInt(static_cast<int64_t>(i), column[i]);
        tensors.push_back(in.tensor(in.need(runtime::fromHost(values, tensorType(mask).device))));
    }
    return tensors;
}

namespace {

bool sharesElements(const ir::TensorType& type, size_t dim) {
    return type.strides[dim].is(0) && !type.sizes[dim].is(1);
}

/// index_put_(accumulate=True) of an expanded tensor: what its elements are to get is added where
/// their memory is.
Val addToShared(Interp& in, const Val& target, const Val& indices, const Val& values) {
    const ir::TensorType type = in.world().type(*target.as<TensorObj>());
    Val added = in.operation(
        "index_put", {in.operation("zeros_like", {target}), indices, values, Val::boolean(true)});
    Val memory = target;
    std::vector<Val> dims;
    for (size_t d = 0; d < type.rank(); ++d) {
        if (!sharesElements(type, d)) continue;
        const Val dim = Val::integer(static_cast<int64_t>(d));
        dims.push_back(dim);
        memory = in.operation("narrow", {memory, dim, Val::integer(0), Val::integer(1)});
    }
    added = in.operation("sum", {added, in.list(std::move(dims)), Val::boolean(true)});
    const Val operands[] = {memory, convertTo(in, added, type.dtype)};
    in.inPlaceOperation("add", Arguments{operands, {}});
    return target;
}

} // namespace

Val indexPut(Interp& in, const BuiltinObj& f, const Arguments& a) {
    const Arguments given{a.positional.subspan(1), a.keywords};
    auto v = parseArguments(in, f.text, given, {"indices", "values", "accumulate="});
    const bool inPlace = f.text == "index_put_", sums = v[2].bound() && in.truthy(v[2]);
    std::vector<Val> indices = in.items(v[0]);
    const auto none = std::ranges::find_if(indices, &Val::isNone);
    if (none != indices.end() && !f.name.starts_with("torch.ops."))
        in.raise(Error::Type, fmt::format("expected Tensor as element {} in argument 0, but got "
                                          "NoneType",
                                          none - indices.begin()));
    if (std::any_of(indices.begin(), indices.end(), isMask) &&
        (!sums || !in.world().comparesElements())) {
        const Val target = inPlace ? a.positional[0] : in.operation("clone", {a.positional[0]});
        for (Val& index : indices) // a dimension that nothing picks, not a new one
            if (index.isNone()) {
                auto* whole = in.make<SliceObj>();
                index = Val(whole);
                whole->start = whole->stop = whole->step = Val::none();
            }
        if (!sums) {
            in.setItem(target, in.tuple(indices), v[1]);
            return target;
        }
        if (sumByMask(in, target, in.tuple(indices), v[1])) return target;
    }
    std::vector<Val> places;
    for (const Val& index : indices) {
        if (!isMask(index)) {
            in.add(places, index);
            continue;
        }
        for (const Val& column : maskPositions(in, index))
            in.add(places, column);
    }
    const ir::TensorType& type = in.world().type(*a.positional[0].as<TensorObj>());
    bool shared = false;
    for (size_t d = 0; d < type.rank(); ++d)
        shared |= sharesElements(type, d);
    const Val picked = in.list(std::move(places));
    if (inPlace && sums && shared) return addToShared(in, a.positional[0], picked, v[1]);
    const Val operands[] = {a.positional[0], picked, v[1], Val::boolean(sums)};
    return inPlace ? in.inPlaceOperation("index_put", Arguments{operands, {}})
                   : in.operation("index_put", Arguments{operands, {}});
}

} // namespace cutaway::capture
