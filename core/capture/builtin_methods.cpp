// SPDX-License-Identifier: Apache-2.0
// Methods of lists, tuples, dicts, sets and numbers.
#include "core/capture/integers.h"
#include "core/capture/sets.h"
#include "core/capture/type_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cutaway::capture {

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;

std::vector<Val>& listOf(Args a) {
    return a.positional[0].as<ListObj>()->items;
}
Arguments rest(Args a) {
    return {a.positional.subspan(1), a.keywords};
}

// ---- list

Val listAppend(Interp& in, Self, Args a) {
    Val v = parseArguments(in, "append", rest(a), {"item"})[0];
    in.mutating(a.positional[0].object(), "a list");
    in.add(listOf(a), v);
    a.positional[0].as<ListObj>()->counted();
    return Val::none();
}
Val listExtend(Interp& in, Self, Args a) {
    std::vector<Val> more = in.items(parseArguments(in, "extend", rest(a), {"iterable"})[0]);
    in.mutating(a.positional[0].object(), "a list");
    in.room(more.size() * sizeof(Val));
    listOf(a).insert(listOf(a).end(), more.begin(), more.end());
    a.positional[0].as<ListObj>()->counted();
    return Val::none();
}
Val listInsert(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "insert", rest(a), {"index", "item"});
    in.mutating(a.positional[0].object(), "a list");
    const int64_t i = wantInt(in, v[0], "index"); // may run a script's code, which may change it
    const int64_t n = static_cast<int64_t>(listOf(a).size());
    listOf(a).insert(listOf(a).begin() + std::clamp<int64_t>(i < 0 ? i + n : i, 0, n), v[1]);
    a.positional[0].as<ListObj>()->counted();
    return Val::none();
}
Val listPop(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "pop", rest(a), {"index="});
    in.mutating(a.positional[0].object(), "a list");
    const Val index = Val::integer(v[0].bound() ? wantInt(in, v[0], "index") : -1);
    if (listOf(a).empty())
        in.raisePython(Error::Index, "pop from empty list", "pop() from an empty list");
    const int64_t n = static_cast<int64_t>(listOf(a).size()), i = index.asInt();
    if (i >= n || i < -n)
        in.raisePython(Error::Index, "pop index out of range",
                       fmt::format("index {} is out of range for a list of {} items", i, n));
    Val out = in.getItemOfBuiltin(a.positional[0], index);
    in.deleteItemOfBuiltin(a.positional[0], index);
    return out;
}
Val listRemove(Interp& in, Self, Args a) {
    Val v = parseArguments(in, "remove", rest(a), {"item"})[0];
    in.mutating(a.positional[0].object(), "a list");
    for (size_t i = 0; i < listOf(a).size(); ++i) {
        in.tick();
        Val item = listOf(a)[i];
        if (!(item.identical(v) || in.equal(item, v)) || i >= listOf(a).size()) continue;
        listOf(a).erase(listOf(a).begin() + static_cast<std::ptrdiff_t>(i));
        return Val::none();
    }
    in.raisePython(Error::Value, "list.remove(x): x not in list",
                   "remove(): the item is not in the list");
}
Val sequenceIndex(Interp& in, Self self, Args a) {
    auto v = parseArguments(in, self.text, rest(a), {"item", "start=", "stop="});
    std::vector<Val> values = in.items(a.positional[0]);
    const int64_t n = static_cast<int64_t>(values.size());
    auto bound = [&](const Val& given, int64_t otherwise) {
        if (!given.bound()) return otherwise;
        const int64_t i = wantInt(in, given, "a bound");
        return std::clamp<int64_t>(i < 0 ? i + n : i, 0, n);
    };
    int64_t count = 0;
    for (int64_t i = bound(v[1], 0); i < bound(v[2], n); ++i) {
        in.tick();
        const Val& item = values[static_cast<size_t>(i)];
        if (!item.identical(v[0]) && !in.equal(item, v[0])) continue;
        if (self.text == "index") return Val::integer(i);
        ++count;
    }
    if (self.text == "index")
        in.raisePython(
            Error::Value,
            a.positional[0].is(Kind::Tuple)
                ? "tuple.index(x): x not in tuple"
                : fmt::format("{} is not in {}", in.repr(v[0]), in.typeName(a.positional[0])),
            fmt::format("{} is not in the {}", in.repr(v[0]), in.typeName(a.positional[0])));
    return Val::integer(count);
}
Val listReverse(Interp& in, Self, Args a) {
    in.mutating(a.positional[0].object(), "a list");
    std::reverse(listOf(a).begin(), listOf(a).end());
    return Val::none();
}

/// Merge sort by hand: std::sort may read out of range when a comparison is inconsistent.
void mergeSort(Interp& in, std::vector<std::pair<Val, Val>>& rows, bool reverse) {
    std::vector<std::pair<Val, Val>> other(rows.size());
    for (size_t width = 1; width < rows.size(); width *= 2) {
        for (size_t low = 0; low < rows.size(); low += 2 * width) {
            size_t mid = std::min(low + width, rows.size()),
                   high = std::min(low + 2 * width, rows.size());
            size_t i = low, j = mid;
            for (size_t k = low; k < high; ++k) {
                in.tick();
                bool second =
                    i >= mid || (j < high && (reverse ? in.less(rows[i].first, rows[j].first)
                                                      : in.less(rows[j].first, rows[i].first)));
                other[k] = second ? rows[j++] : rows[i++];
            }
        }
        rows.swap(other);
    }
}

Val listSort(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "sort", rest(a), {"*", "key=", "reverse="});
    in.mutating(a.positional[0].object(), "a list");
    bool reverse = v[1].bound() && in.truthy(v[1]);
    // The list is empty while its items are compared, so that it shows when a script changes it.
    std::vector<Val> taken;
    taken.swap(listOf(a));
    std::vector<std::pair<Val, Val>> rows;
    try {
        for (const Val& item : taken)
            rows.emplace_back(v[0].bound() && !v[0].isNone() ? in.call(v[0], {item}) : item, item);
        mergeSort(in, rows, reverse);
    } catch (...) {
        listOf(a) = std::move(taken);
        throw;
    }
    bool changed = listOf(a).capacity() > 0;
    for (size_t i = 0; i < rows.size(); ++i)
        taken[i] = rows[i].second;
    listOf(a) = std::move(taken);
    a.positional[0].as<ListObj>()->counted();
    if (changed) in.raise(Error::Value, "list modified during sort");
    return Val::none();
}
Val copyOf(Interp& in, Self, Args a) {
    const Val& from = a.positional[0];
    if (auto* set = from.to<SetObj>()) {
        in.noteLength(from);
        return copyOfSet(in, *set, set->frozen);
    }
    std::vector<Val> values;
    Val it = in.iterateBuiltin(from), v;
    while (in.next(it, v))
        in.add(values, v);
    if (from.is(Kind::List)) return in.list(std::move(values));
    DictObj* copy = in.make<DictObj>();
    Val keep(copy);
    for (const Val& key : values)
        in.put(*copy, key, in.getItemOfBuiltin(from, key));
    return keep;
}
Val clearIt(Interp& in, Self, Args a) {
    in.mutating(a.positional[0].object(), "a container");
    if (auto* l = a.positional[0].to<ListObj>())
        l->empty();
    else if (auto* bytes = a.positional[0].to<BytesObj>())
        bytes->bytes.clear();
    else
        a.positional[0].as<DictObj>()->empty();
    return Val::none();
}

// ---- dict and set

Val dictGet(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "get", rest(a), {"key", "default="});
    Val* found = in.dictFind(*a.positional[0].as<DictObj>(), v[0]);
    return found ? *found : v[1].bound() ? v[1] : Val::none();
}
Val dictParts(Interp& in, Self self, Args a) {
    parseArguments(in, self.text, rest(a), {});
    return Val(in.make<ViewObj>(a.positional[0], self.text == "keys"     ? ViewObj::Of::Keys
                                                 : self.text == "values" ? ViewObj::Of::Values
                                                                         : ViewObj::Of::Items));
}
Val dictFromKeys(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "fromkeys", rest(a), {"iterable", "value="});
    Val made = in.call(a.positional[0], {});
    for (const Val& key : in.items(v[0]))
        in.setItem(made, key, v[1].bound() ? v[1] : Val::none());
    return made;
}
Val dictPop(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "pop", rest(a), {"key", "default="});
    auto* dict = a.positional[0].as<DictObj>();
    in.mutating(dict, "a dict");
    Val* found = in.findKey(*dict, v[0]);
    if (!found) {
        if (v[1].bound()) return v[1];
        in.raisePython(Error::Key, std::vector<Val>{v[0]},
                       fmt::format("the dict has no key {}", in.repr(v[0])));
    }
    Val out = *found;
    in.eraseKey(*dict, v[0]);
    return out;
}
Val dictSetDefault(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "setdefault", rest(a), {"key", "default="});
    auto* dict = a.positional[0].as<DictObj>();
    if (Val* found = in.dictFind(*dict, v[0])) return *found;
    in.dictSet(*dict, v[0], v[1].bound() ? v[1] : Val::none());
    return v[1].bound() ? v[1] : Val::none();
}
Val dictUpdate(Interp& in, Self, Args a) {
    in.updateDict(*a.positional[0].as<DictObj>(), rest(a));
    return Val::none();
}
Val setPop(Interp& in, Self self, Args a) {
    parseArguments(in, self.text, rest(a), {});
    const Val from = a.positional[0];
    in.noteLength(from);
    in.mutating(from.object(), "a set");
    const DictObj::Entry* entry = from.as<SetObj>()->next();
    if (!entry)
        in.raisePython(Error::Key, "pop from an empty set",
                       fmt::format("pop() of an empty {}", in.typeName(from)));
    const Val key = entry->key;
    from.as<SetObj>()->erase(key, entry->hash);
    return key;
}
/// popitem() takes the newest pair.
Val popNewest(Interp& in, Self self, Args a) {
    parseArguments(in, self.text, rest(a), {});
    const Val from = a.positional[0];
    std::vector<Val> keys;
    Val it = in.iterateBuiltin(from), key_;
    while (in.next(it, key_))
        in.add(keys, key_);
    if (keys.empty())
        in.raisePython(Error::Key, "popitem(): dictionary is empty",
                       fmt::format("{}() of an empty {}", self.text, in.typeName(from)));
    in.mutating(from.object(), "a dict");
    const Val key = keys.back();
    const Val value = in.tuple({key, in.getItemOfBuiltin(from, key)});
    in.eraseKey(*from.as<DictObj>(), key);
    return value;
}
Val setAdd(Interp& in, Self, Args a) {
    Val v = parseArguments(in, "add", rest(a), {"item"})[0];
    in.mutating(a.positional[0].object(), "a set");
    in.put(*a.positional[0].as<SetObj>(), v, Val::none());
    return Val::none();
}
Val setRemove(Interp& in, Self self, Args a) {
    Val v = parseArguments(in, self.text, rest(a), {"item"})[0];
    in.mutating(a.positional[0].object(), "a set");
    if (!in.eraseKey(*a.positional[0].as<SetObj>(), v) && self.text == "remove")
        in.raisePython(Error::Key, std::vector<Val>{v},
                       fmt::format("the set has no {}", in.repr(v)));
    return Val::none();
}
Val setOf(Interp& in, const Val& v) {
    if (v.is(Kind::Set)) return v;
    auto* made = in.make<SetObj>();
    Val set(made);
    addAll(in, *made, v);
    return set;
}
/// Several others, one after another.
Val setCombine(Interp& in, Self self, Args a) {
    const std::string& name = self.text;
    const bool changes = name.ends_with("update");
    const BinaryOp op = name.starts_with("union") || name == "update" ? BinaryOp::Or
                        : name.starts_with("intersection")            ? BinaryOp::And
                        : name.starts_with("symmetric")               ? BinaryOp::Xor
                                                                      : BinaryOp::Sub;
    auto* set = a.positional[0].as<SetObj>();
    in.noteLength(a.positional[0]);
    const bool copies = !changes && (op == BinaryOp::Or || a.positional.size() == 1);
    Val result = copies ? copyOfSet(in, *set, set->frozen) : a.positional[0];
    if (changes) in.mutating(set, "a set");
    for (const Val& other : a.positional.subspan(1)) {
        if (op == BinaryOp::Or)
            addAll(in, *result.as<SetObj>(), other);
        else if (changes)
            changeSet(in, op, *set, other);
        else
            result = setOperation(in, op, result, other);
    }
    return changes ? Val::none() : result;
}
Val setTest(Interp& in, Self self, Args a) {
    const Val other = setOf(in, parseArguments(in, self.text, rest(a), {"other"})[0]);
    const Val& set = a.positional[0];
    if (self.text == "issubset") return in.compareBuiltins(CompareOp::LessEqual, set, other);
    if (self.text == "issuperset") return in.compareBuiltins(CompareOp::GreaterEqual, set, other);
    Val both = in.binaryOfBuiltins(BinaryOp::And, set, other);
    return Val::boolean(both.as<SetObj>()->size() == 0);
}

// ---- numbers

Val isWhole(Interp&, Self, Args a) {
    const double f = plainNumber(a.positional[0]).asFloat();
    return Val::boolean(std::isfinite(f) && std::floor(f) == f);
}
Val floatRatio(Interp& in, Self, Args a) {
    const double f = plainNumber(a.positional[0]).asFloat();
    Val whole = integerOf(in, 0);
    if (!std::isfinite(f)) integerOf(in, f); // raises
    int exponent = 0;
    double fraction = std::frexp(f, &exponent);
    for (; fraction != std::floor(fraction); --exponent)
        fraction *= 2;
    Val numerator = integerOf(in, fraction), denominator = Val::integer(1);
    const Val shift = Val::integer(std::abs(exponent));
    (exponent > 0 ? numerator : denominator) =
        integers(in, BinaryOp::LeftShift, exponent > 0 ? numerator : denominator, shift);
    return in.tuple({numerator, denominator});
}
Val floatHex(Interp& in, Self, Args a) {
    const double f = plainNumber(a.positional[0]).asFloat();
    if (!std::isfinite(f)) return in.str(in.repr(a.positional[0]));
    if (f == 0) return in.str(std::signbit(f) ? "-0x0.0p+0" : "0x0.0p+0");
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(f), &exponent);
    const auto bits = static_cast<uint64_t>(std::ldexp(fraction * 2 - 1, 52));
    return in.str(fmt::format("{}0x1.{:013x}p{:+d}", f < 0 ? "-" : "", bits, exponent - 1));
}
Val floatFromHex(Interp& in, Self, Args a) {
    const std::string s = wantStr(in, parseArguments(in, "fromhex", rest(a), {"text"})[0], "text");
    return Val::real(std::strtod(s.c_str(), nullptr));
}
Val intNumber(Interp& in, Self self, Args a) {
    const Val& v = a.positional[0];
    if (self.text == "bit_length") return Val::integer(bitLength(v));
    if (self.text == "bit_count") return Val::integer(bitCount(v));
    if (self.text == "as_integer_ratio")
        return in.tuple({in.unary(UnaryOp::Plus, v), Val::integer(1)});
    return in.unary(UnaryOp::Plus, v);
}
Val intToBytes(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "to_bytes", rest(a), {"length=", "byteorder=", "*", "signed="});
    const int64_t n = v[0].bound() ? wantInt(in, v[0], "length") : 1;
    if (n < 0) in.raise(Error::Value, "length argument must be non-negative");
    std::string bytes =
        integerBytes(in, a.positional[0], static_cast<size_t>(n), v[2].bound() && in.truthy(v[2]));
    if (!v[1].bound() || wantStr(in, v[1], "byteorder") == "big")
        std::reverse(bytes.begin(), bytes.end());
    return Val(in.make<BytesObj>(std::move(bytes)));
}
Val intFromBytes(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "from_bytes", rest(a), {"bytes", "byteorder=", "*", "signed="});
    std::string bytes;
    if (auto* b = v[0].to<BytesObj>())
        bytes = b->bytes;
    else
        for (const Val& item : in.items(v[0]))
            bytes += static_cast<char>(wantInt(in, item, "a byte"));
    if (!v[1].bound() || wantStr(in, v[1], "byteorder") == "big")
        std::reverse(bytes.begin(), bytes.end());
    return integerFromBytes(in, bytes, v[2].bound() && in.truthy(v[2]));
}
Val roundNumber(Interp& in, Self, Args a) {
    return in.call(*in.builtins()->find(in.intern("round")),
                   std::vector<Val>(a.positional.begin(), a.positional.end()));
}
Val conjugate(Interp& in, Self, Args a) {
    if (auto* z = a.positional[0].to<ComplexObj>())
        return Val(in.make<ComplexObj>(z->real, -z->imaginary));
    return in.unary(UnaryOp::Plus, a.positional[0]);
}
Val sizeNumel(Interp& in, Self, Args a) {
    int64_t n = 1;
    for (const Val& v : in.items(a.positional[0]))
        n *= wantInt(in, v, "a size");
    return Val::integer(n);
}
Val rangeMethod(Interp& in, Self self, Args a) {
    return sequenceIndex(in, self, a);
}
Val sliceIndices(Interp& in, Self, Args a) {
    auto* s = a.positional[0].as<SliceObj>();
    const int64_t n = wantInt(in, parseArguments(in, "indices", rest(a), {"length"})[0], "length");
    const int64_t step = s->step.isNone() ? 1 : wantInt(in, s->step, "the step");
    if (step == 0) in.raise(Error::Value, "slice step cannot be zero");
    auto bound = [&](const Val& v, int64_t otherwise) {
        if (v.isNone()) return otherwise;
        const int64_t i = wantInt(in, v, "a bound");
        return std::clamp<int64_t>(i < 0 ? i + n : i, step > 0 ? 0 : -1, step > 0 ? n : n - 1);
    };
    return in.tuple({Val::integer(bound(s->start, step > 0 ? 0 : n - 1)),
                     Val::integer(bound(s->stop, step > 0 ? n : -1)), Val::integer(step)});
}

const MethodRow kRows[] = {
    {"list", "append", listAppend},
    {"list", "extend", listExtend},
    {"list", "insert", listInsert},
    {"list", "pop", listPop},
    {"list", "remove", listRemove},
    {"list", "index count", sequenceIndex},
    {"list", "reverse", listReverse},
    {"list", "sort", listSort},
    {"list", "copy", copyOf},
    {"list", "clear", clearIt},
    {"tuple", "index count", sequenceIndex},
    {"Size", "numel", sizeNumel},
    {"range", "index count", rangeMethod},
    {"slice", "indices", sliceIndices},
    {"dict", "get", dictGet},
    {"dict", "keys values items", dictParts},
    {"dict", "pop", dictPop},
    {"dict", "popitem", popNewest},
    {"dict", "setdefault", dictSetDefault},
    {"dict", "update", dictUpdate},
    {"dict", "copy", copyOf},
    {"dict", "clear", clearIt},
    {"dict", "fromkeys", dictFromKeys, true},
    {"set", "add", setAdd},
    {"set", "remove discard", setRemove},
    {"set", "pop", setPop},
    {"set", "update intersection_update difference_update symmetric_difference_update", setCombine},
    {"set frozenset", "union intersection difference symmetric_difference", setCombine},
    {"set frozenset", "issubset issuperset isdisjoint", setTest},
    {"set frozenset", "copy", copyOf},
    {"set", "clear", clearIt},
    {"float", "is_integer", isWhole},
    {"float", "as_integer_ratio", floatRatio},
    {"float", "hex", floatHex},
    {"float", "fromhex", floatFromHex, true},
    {"int", "bit_length bit_count as_integer_ratio", intNumber},
    {"int", "to_bytes", intToBytes},
    {"int", "from_bytes", intFromBytes, true},
    {"int float complex", "conjugate", conjugate},
    {"int float", "__round__", roundNumber},
};

} // namespace

std::span<const MethodRow> containerMethods() {
    return kRows;
}

Val Interp::builtinMethod(const Val& self, StrObj* name) {
    ClassObj* type = typeOf(self);
    if (Val* found = type ? type->find(name) : nullptr) return bindMethod(*found, self, type);
    if (self.isNumber() || self.is(Kind::Integer) || self.is(Kind::Real)) {
        if (name->text == "real" || (isInteger(self) && name->text == "numerator"))
            return unary(UnaryOp::Plus, self);
        if (name->text == "imag")
            return plainNumber(self).isFloat() ? Val::real(0) : Val::integer(0);
        if (isInteger(self) && name->text == "denominator") return Val::integer(1);
    }
    if (self.tag() == Tag::DType) {
        if (name->text == "is_floating_point") return Val::boolean(ir::isFloating(self.asDType()));
        if (name->text == "is_complex") return Val::boolean(ir::isComplex(self.asDType()));
        if (name->text == "itemsize")
            return Val::integer(static_cast<int64_t>(ir::sizeBytes(self.asDType())));
    }
    if (self.tag() == Tag::Device) {
        if (name->text == "type") {
            const std::string device = self.asDevice().str();
            return str(device.substr(0, device.find(':')));
        }
        if (name->text == "index")
            return self.asDevice().isCuda() ? Val::integer(self.asDevice().index) : Val::none();
    }
    if (name->text == "__class__") return Val(type);
    return {};
}

} // namespace cutaway::capture
