// SPDX-License-Identifier: Apache-2.0
// The order of sets is CPython's: elements stand in an open table by their hash, ten places in a row are tried, then
// the hash's upper bits decide; a table that is three fifths full grows to more than four times what it holds.
#include "core/capture/sets.h"

#include "core/capture/integers.h"

#include <algorithm>
#include <cmath>

namespace cutaway::capture {

namespace {

constexpr size_t kInARow = 9;
constexpr int kMaxNesting = 64;

/// Calls \p is for the places where an element of this hash may stand, until it says so.
template <typename Is>
SetTable::Place& placeOf(const Object& owner, SetTable& table, int64_t hash, const Is& is) {
    const size_t mask = table.places.size() - 1;
    auto perturb = static_cast<size_t>(hash);
    for (size_t i = perturb & mask;; perturb >>= 5, i = (i * 5 + 1 + perturb) & mask) {
        owner.tick();
        const size_t last = i + kInARow <= mask ? i + kInARow : i;
        for (size_t at = i; at <= last; ++at)
            if (is(table.places[at])) return table.places[at];
    }
}

bool isEmpty(const SetTable::Place& place) {
    return place.entry == SetTable::kEmpty;
}

int64_t hashOfTuple(const TupleObj& tuple, int depth) {
    constexpr uint64_t kFirst = 11400714785074694791u, kSecond = 14029467366897019727u,
                       kFifth = 2870177450012600261u;
    uint64_t all = kFifth;
    for (const Val& item : tuple.items) {
        const std::optional<int64_t> one = settledHash(item, depth + 1);
        if (!one) return -1;
        all += static_cast<uint64_t>(*one) * kSecond;
        all = ((all << 31) | (all >> 33)) * kFirst;
    }
    all += tuple.items.size() ^ (kFifth ^ 3527539u);
    return all == ~uint64_t{0} ? 1546275796 : static_cast<int64_t>(all);
}

std::optional<int64_t> hashOfSet(const SetObj& set) {
    auto mix = [](uint64_t h) { return ((h ^ 89869747u) ^ (h << 16)) * 3644798167u; };
    if (!set.frozen || !set.table()) return {};
    uint64_t all = 0;
    for (size_t i = 0; i < set.places(); ++i)
        if (set.at(i)) all ^= mix(static_cast<uint64_t>(set.table()->places[i].hash));
    all ^= (set.size() + 1) * 1927868237u;
    all ^= (all >> 11) ^ (all >> 25);
    all = all * 69069u + 907133923u;
    return all == ~uint64_t{0} ? 590923713 : static_cast<int64_t>(all);
}

std::optional<int64_t> hashOfFloat(double f) {
    if (std::isnan(f)) return {};
    if (std::isinf(f)) return f > 0 ? 314159 : -314159;
    constexpr uint64_t kModulus = (uint64_t{1} << 61) - 1;
    int exponent = 0;
    double m = std::frexp(std::fabs(f), &exponent);
    uint64_t x = 0;
    while (m != 0) {
        x = ((x << 28) & kModulus) | (x >> 33);
        m *= 268435456.0;
        exponent -= 28;
        const auto y = static_cast<uint64_t>(m);
        m -= static_cast<double>(y);
        x += y;
        if (x >= kModulus) x -= kModulus;
    }
    const int turn = exponent >= 0 ? exponent % 61 : 60 - ((-1 - exponent) % 61);
    x = ((x << turn) & kModulus) | (x >> (61 - turn));
    const auto h = f < 0 ? -static_cast<int64_t>(x) : static_cast<int64_t>(x);
    return h == -1 ? -2 : h;
}

} // namespace

std::optional<int64_t> settledHash(const Val& v, int depth) {
    if (isInteger(v)) return integerHash(v);
    if (v.isFloat() || v.is(Kind::Real)) return hashOfFloat(plainNumber(v).asFloat());
    if (auto* z = v.to<ComplexObj>()) {
        const auto real = hashOfFloat(z->real), imaginary = hashOfFloat(z->imaginary);
        if (!real || !imaginary) return {};
        const auto all = static_cast<int64_t>(static_cast<uint64_t>(*real) +
                                              1000003u * static_cast<uint64_t>(*imaginary));
        return all == -1 ? -2 : all;
    }
    if (auto* set = v.to<SetObj>()) return hashOfSet(*set);
    auto* tuple = v.to<TupleObj>();
    if (!tuple || depth > kMaxNesting) return {};
    if (tuple->settledHash == 0) {
        tuple->tick();
        tuple->settledHash = hashOfTuple(*tuple, depth);
    }
    if (tuple->settledHash == -1) return {};
    return tuple->settledHash;
}

size_t DictObj::places() const {
    const SetTable* table = kind == Kind::Set ? static_cast<const SetObj*>(this)->table() : nullptr;
    return table ? table->places.size() : entries_.size();
}

const DictObj::Entry* DictObj::at(size_t place) const {
    const SetTable* table = kind == Kind::Set ? static_cast<const SetObj*>(this)->table() : nullptr;
    const int64_t entry = table ? table->places[place].entry : static_cast<int64_t>(place);
    return entry >= 0 && entries_[static_cast<size_t>(entry)].live()
               ? &entries_[static_cast<size_t>(entry)]
               : nullptr;
}

SetTable& SetObj::changeable() {
    if (table_.use_count() > 1) table_ = std::make_shared<SetTable>(*table_);
    return *table_;
}

void SetObj::resize(size_t more) {
    size_t count = 8;
    while (count <= more)
        count *= 2;
    SetTable wider;
    wider.places.assign(count, {});
    wider.finger = table_->finger;
    wider.fill = size();
    for (const SetTable::Place& place : table_->places)
        if (place.entry >= 0) placeOf(*this, wider, place.hash, isEmpty) = place;
    table_ = std::make_shared<SetTable>(std::move(wider));
}

void SetObj::stand(const Val& key, int32_t entry) {
    if (!table_) return;
    const std::optional<int64_t> hash = settledHash(key);
    if (!hash) {
        table_ = nullptr;
        return;
    }
    SetTable& table = changeable();
    SetTable::Place* left = nullptr; // the last on the way that an element has left is taken again
    SetTable::Place& empty = placeOf(*this, table, *hash, [&](SetTable::Place& place) {
        if (place.entry == SetTable::kLeft) left = &place;
        return isEmpty(place);
    });
    (left ? *left : empty) = {*hash, entry};
    if (left) return;
    if (++table.fill * 5 >= (table.places.size() - 1) * 3) resize(grown());
}

void SetObj::leave(int32_t entry) {
    if (!table_) return;
    const Val key = entries_[static_cast<size_t>(entry)].key;
    placeOf(*this, changeable(), *settledHash(key), [&](const SetTable::Place& place) {
        return place.entry == entry;
    }) = {-1, SetTable::kLeft};
}

void SetObj::makeRoom(size_t more) {
    if (table_ && (table_->fill + more) * 5 >= (table_->places.size() - 1) * 3)
        resize((size() + more) * 2);
}

void SetObj::standAs(const SetObj& other) {
    const bool gaps = other.table_ && other.table_->fill != other.size();
    if (other.table_ && !gaps && table_->places.size() == other.table_->places.size())
        return restore(other.contents());
    for (size_t i = 0; i < other.places(); ++i)
        if (const Entry* e = other.at(i)) set(e->key, e->hash, e->value);
}

void SetObj::standLike(const SetObj& model) {
    if (!table_ || !model.table_ || size() != model.size()) return;
    std::vector<int32_t> live(model.entries_.size());
    int32_t count = 0;
    for (size_t i = 0; i < live.size(); ++i) {
        live[i] = count;
        if (!model.entries_[i].live()) continue;
        if (model.entries_[i].hash != entries_[static_cast<size_t>(count)].hash) return;
        ++count;
    }
    auto table = std::make_shared<SetTable>(*model.table_);
    for (SetTable::Place& place : table->places)
        if (place.entry >= 0) place.entry = live[static_cast<size_t>(place.entry)];
    table_ = std::move(table);
}

void SetObj::closeGaps() {
    if (table_ && table_->fill - size() > (table_->places.size() - 1) / 4) resize(grown());
}

const DictObj::Entry* SetObj::next() {
    if (size() == 0) return nullptr;
    size_t i = table_ ? table_->finger & (places() - 1) : 0;
    while (!at(i))
        i = (i + 1) % places();
    if (table_) changeable().finger = i + 1;
    return at(i);
}

Val copyOfSet(Interp& in, const SetObj& from, bool frozen) {
    auto* made = in.make<SetObj>(frozen);
    Val keep(made);
    in.room(from.size() * sizeof(DictObj::Entry));
    made->makeRoom(from.size());
    made->standAs(from);
    return keep;
}

void addAll(Interp& in, SetObj& set, const Val& more) {
    auto* other = more.to<SetObj>();
    if (other == &set) return;
    if (other || more.is(Kind::Dict)) set.makeRoom(static_cast<size_t>(in.lengthOfBuiltin(more)));
    if (other && set.size() == 0 && (!set.table() || set.table()->fill == 0))
        return set.standAs(*other);
    for (const Val& item : other ? in.items(in.iterateBuiltin(more)) : in.items(more))
        in.put(set, item, Val::none());
}

static void takeAway(Interp& in, SetObj& set, const Val& other) {
    if (other.is(Kind::Set) && (other.as<SetObj>()->size() >> 3) > set.size())
        return takeAway(in, set, setOperation(in, BinaryOp::And, Val(&set), other));
    for (const Val& item :
         other.is(Kind::Set) ? in.items(in.iterateBuiltin(other)) : in.items(other))
        in.eraseKey(set, item);
    set.closeGaps();
}

static void exchange(Interp& in, SetObj& set, const Val& other) {
    for (const Val& item : in.items(in.iterateBuiltin(other)))
        if (!in.eraseKey(set, item)) in.put(set, item, Val::none());
}

Val setOperation(Interp& in, BinaryOp op, const Val& a, const Val& b) {
    const bool frozen = a.as<SetObj>()->frozen;
    in.noteLength(a);
    const size_t size = a.as<SetObj>()->size();
    const bool sized = b.is(Kind::Set) || b.is(Kind::Dict);
    const size_t other = sized ? static_cast<size_t>(in.lengthOfBuiltin(b)) : 0;
    if (op == BinaryOp::Or || (op == BinaryOp::Sub && (!sized || size / 4 > other))) {
        Val out = copyOfSet(in, *a.as<SetObj>(), frozen);
        op == BinaryOp::Or ? addAll(in, *out.as<SetObj>(), b) : takeAway(in, *out.as<SetObj>(), b);
        return out;
    }
    auto* out = in.make<SetObj>(frozen);
    Val keep(out);
    if (op == BinaryOp::Xor) {
        addAll(in, *out, b);
        exchange(in, *out, a);
        return keep;
    }
    // What both have: the elements of the smaller one, or of what is no set.
    const bool through = op == BinaryOp::And && (!b.is(Kind::Set) || other <= size);
    const Val from = through ? b : a, against = through ? a : b;
    for (const Val& v : from.is(Kind::Set) ? in.items(in.iterateBuiltin(from)) : in.items(from))
        if (in.containsOfBuiltin(against, v) == (op == BinaryOp::And)) in.put(*out, v, Val::none());
    return keep;
}

void changeSet(Interp& in, BinaryOp op, SetObj& a, const Val& b) {
    Val self(&a);
    in.mutating(&a, "a set");
    switch (op) {
    case BinaryOp::Or:
        return addAll(in, a, b);
    case BinaryOp::Sub:
        if (b.is(Kind::Set) && b.as<SetObj>() == &a) return a.empty();
        return takeAway(in, a, b);
    case BinaryOp::Xor: {
        if (b.is(Kind::Set) && b.as<SetObj>() == &a) return a.empty();
        auto* other = in.make<SetObj>();
        Val keep(other);
        if (!b.is(Kind::Set)) addAll(in, *other, b);
        return exchange(in, a, b.is(Kind::Set) ? b : keep);
    }
    default:
        a.restore(setOperation(in, op, self, b).as<SetObj>()->contents());
    }
}

bool isLikeSet(const Val& v) {
    auto* view = v.to<ViewObj>();
    return v.is(Kind::Set) || (view && view->of != ViewObj::Of::Values);
}

bool isOfSets(BinaryOp op) {
    return op == BinaryOp::And || op == BinaryOp::Or || op == BinaryOp::Xor || op == BinaryOp::Sub;
}

Val asSet(Interp& in, const Val& v) {
    if (v.is(Kind::Set)) return v;
    Val set(in.make<SetObj>());
    for (const Val& item : in.items(v))
        in.put(*set.as<SetObj>(), item, Val::none());
    return set;
}

Val likeSetOperation(Interp& in, BinaryOp op, const Val& a, const Val& b) {
    const bool sets = a.is(Kind::Set) && b.is(Kind::Set);
    if (sets || op != BinaryOp::And) return setOperation(in, op, asSet(in, a), asSet(in, b));
    // Items of a dict are looked up in it: their values need no hash, as in CPython's dictviews_and.
    const bool swapped = !a.is(Kind::View);
    Val set(in.make<SetObj>());
    for (const Val& item : in.items(swapped ? a : b))
        if (in.contains(swapped ? b : a, item)) in.put(*set.as<SetObj>(), item, Val::none());
    return set;
}

} // namespace cutaway::capture
