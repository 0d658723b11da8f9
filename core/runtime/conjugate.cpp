// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/conjugate.h"

#include "core/runtime/device.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

namespace cutaway::runtime {

namespace {

class Conjugate;

/// Who sees which memory conjugated.
struct Known {
    std::mutex mutex;
    std::map<const Storage*, std::weak_ptr<Conjugate>> of;
    std::atomic<size_t> count{0}; ///< of entries: writes ask this first
};
Known& known() {
    static auto* const all = new Known; // outlives every storage
    return *all;
}

class Conjugate : public Storage {
public:
    Conjugate(StoragePtr base, StoragePtr memory, ir::DType real)
        : base(std::move(base)), memory(std::move(memory)), real(real) {
        data_ = this->memory->data();
        sizeBytes_ = this->memory->sizeBytes();
        device_ = this->memory->device();
        version = this->base->version;
    }
    ~Conjugate() override {
        const std::scoped_lock lock(known().mutex);
        const auto at = known().of.find(base.get());
        if (at == known().of.end() || !at->second.expired()) return;
        known().of.erase(at);
        known().count = known().of.size();
    }

    const StoragePtr base, memory;
    const ir::DType real; ///< of the parts
    /// The bytes that follow: what somebody has seen.
    size_t begin = 0, end = 0;
};

std::shared_ptr<Conjugate> conjugateAt(const Storage& storage) {
    if (known().count == 0) return nullptr;
    const std::scoped_lock lock(known().mutex);
    const auto at = known().of.find(&storage);
    return at == known().of.end() ? nullptr : at->second.lock();
}

template <class T> void conjugate(T* to, const T* from, size_t bytes) {
    for (size_t i = 0; i + 1 < bytes / sizeof(T); i += 2) {
        to[i] = from[i];
        to[i + 1] = -from[i + 1];
    }
}

void conjugate(void* to, const void* from, size_t bytes, ir::DType real) {
    if (real == ir::DType::Float64)
        conjugate(static_cast<double*>(to), static_cast<const double*>(from), bytes);
    else
        conjugate(static_cast<float*>(to), static_cast<const float*>(from), bytes);
}

/// Bytes [begin, end) of \p to from those of \p from.
base::Status follow(const Storage& to, const Storage& from, size_t begin, size_t end,
                    ir::DType real) {
    if (begin >= end) return {};
    auto* const target = static_cast<std::byte*>(to.data()) + begin;
    const auto* const source = static_cast<const std::byte*>(from.data()) + begin;
    const size_t bytes = end - begin;
    if (!to.device().isCuda()) {
        conjugate(target, source, bytes, real);
        return {};
    }
    CUTAWAY_TRY(DeviceBackend * backend, backendFor(to.device()));
    std::vector<double> host((bytes + sizeof(double) - 1) / sizeof(double));
    CUTAWAY_CHECK(backend->copyToHost(host.data(), source, bytes));
    conjugate(host.data(), host.data(), bytes, real);
    return backend->copyFromHost(target, host.data(), bytes);
}

/// The bytes of whole complex numbers that \p window lies in.
std::pair<size_t, size_t> bytesOf(const Tensor& window, ir::DType real) {
    int64_t last = 1;
    for (size_t i = 0; i < window.type.rank(); ++i) {
        if (window.type.sizes[i].is(0)) return {0, 0};
        last += (window.type.sizes[i].constant() - 1) * window.type.strides[i].constant();
    }
    const size_t size = ir::sizeBytes(window.type.dtype), number = 2 * ir::sizeBytes(real);
    const size_t begin = static_cast<size_t>(window.offset) * size;
    const size_t end = begin + static_cast<size_t>(last) * size;
    return {begin / number * number, (end + number - 1) / number * number};
}

base::Result<std::shared_ptr<Conjugate>> conjugateFor(const StoragePtr& base, ir::DType real) {
    if (auto made = conjugateAt(*base)) {
        if (made->real == real) return made;
        return base::userError({}, "conj() of memory that is seen conjugated as numbers of "
                                   "another dtype");
    }
    CUTAWAY_TRY(StoragePtr memory, allocate(base->device(), base->sizeBytes()));
    auto made = std::make_shared<Conjugate>(base, std::move(memory), real);
    const std::scoped_lock lock(known().mutex);
    known().of[base.get()] = made;
    known().count = known().of.size();
    return made;
}

/// What has been seen, and \p bytes, follow from here on.
base::Status extend(Conjugate& seen, std::pair<size_t, size_t> bytes) {
    const auto [begin, end] = bytes;
    if (begin >= end) return {};
    if (seen.begin == seen.end) seen.begin = seen.end = begin;
    CUTAWAY_CHECK(follow(seen, *seen.base, begin, std::min(seen.begin, end), seen.real));
    CUTAWAY_CHECK(follow(seen, *seen.base, std::max(seen.end, begin), end, seen.real));
    // Between two windows apart.
    CUTAWAY_CHECK(follow(seen, *seen.base, end, seen.begin, seen.real));
    CUTAWAY_CHECK(follow(seen, *seen.base, seen.end, begin, seen.real));
    seen.begin = std::min(seen.begin, begin);
    seen.end = std::max(seen.end, end);
    return {};
}

} // namespace

base::Result<TensorPtr> conjugateOf(const TensorPtr& pairs) {
    const ir::Shape& strides = pairs->type.strides;
    const bool together =
        !strides.empty() && strides.back().is(1) && pairs->offset % 2 == 0 &&
        std::all_of(strides.begin(), strides.end() - 1,
                    [](const ir::Sym& stride) { return stride.constant() % 2 == 0; });
    if (!together)
        return base::userError({}, "conj() of numbers that do not lie together in pairs");
    TensorPtr seen = viewOf(pairs, pairs->type.sizes, strides, 0);
    if (const auto* conjugate = dynamic_cast<const Conjugate*>(pairs->storage.get())) {
        seen->storage = conjugate->base;
        return seen;
    }
    CUTAWAY_TRY(const std::shared_ptr<Conjugate> conjugate,
                conjugateFor(pairs->storage, pairs->type.dtype));
    CUTAWAY_CHECK(extend(*conjugate, bytesOf(*pairs, conjugate->real)));
    seen->storage = conjugate;
    return seen;
}

bool isConjugate(const Storage& storage) {
    return known().count > 0 && dynamic_cast<const Conjugate*>(&storage);
}

bool hasConjugate(const Storage& storage) {
    return isConjugate(storage) || conjugateAt(storage);
}

const Storage* memoryOf(const Storage& storage) {
    if (known().count == 0) return &storage;
    const auto* conjugate = dynamic_cast<const Conjugate*>(&storage);
    return conjugate ? conjugate->base.get() : &storage;
}

base::Status conjugateWritten(const Tensor& window) {
    if (known().count == 0) return {};
    if (const auto* conjugate = dynamic_cast<const Conjugate*>(window.storage.get())) {
        const auto [begin, end] = bytesOf(window, conjugate->real);
        ++conjugate->base->version;
        ++conjugate->base->writes;
        return follow(*conjugate->base, *conjugate, begin, end, conjugate->real);
    }
    const std::shared_ptr<Conjugate> conjugate = conjugateAt(*window.storage);
    if (!conjugate) return {};
    ++conjugate->version;
    ++conjugate->writes;
    const auto [begin, end] = bytesOf(window, conjugate->real);
    return follow(*conjugate, *window.storage, std::max(begin, conjugate->begin),
                  std::min(end, conjugate->end), conjugate->real);
}

} // namespace cutaway::runtime
