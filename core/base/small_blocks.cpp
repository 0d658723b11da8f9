// SPDX-License-Identifier: Apache-2.0
/// \file
/// operator new and operator delete of the whole program: a small block that a thread gives back waits
/// in that thread for the next request of its size, without a look into the system's allocator.
/// Tensors that a compiled function returns, their sizes and memory are such blocks, hundreds of them
/// made and freed in a call, and what a call costs besides its kernels is mostly this.
///
/// Every block is one of malloc's, which free() takes as well: libraries with an operator new of their
/// own may free what this one gave, and the other way round.
#include "core/base/sanitizers.h"

#if !CUTAWAY_ADDRESS_SANITIZER && !CUTAWAY_THREAD_SANITIZER // they look at each block themselves

#include <array>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

constexpr size_t kGrain = 16;                 ///< bytes between two sizes of blocks
constexpr size_t kLargest = 512;              ///< larger blocks are malloc's alone
constexpr size_t kMostKept = size_t{1} << 17; ///< bytes that one thread keeps of one size
constexpr size_t kSizes = kLargest / kGrain + 1;

struct Block {
    Block* next;
};

/// The blocks that one thread keeps, by size in grains.
struct Kept {
    std::array<Block*, kSizes> first;
    std::array<uint32_t, kSizes>
        room; ///< so many more are kept; none before open(), none after close()
    bool opened;

    void open() {
        opened = true;
        for (size_t size = 1; size < kSizes; ++size)
            room[size] = static_cast<uint32_t>(kMostKept / (size * kGrain));
    }
    void close() {
        room = {};
        for (Block*& kept : first)
            while (Block* block = kept) {
                kept = block->next;
                std::free(block);
            }
    }
};

constinit thread_local Kept kept{};

/// Ends with the thread; what is freed later goes to the system.
struct Closing {
    ~Closing() { kept.close(); }
};

[[gnu::noinline]] void open() {
    kept.open();
    static thread_local const Closing closing;
    (void)closing;
}

size_t grains(size_t bytes) {
    return (bytes + kGrain - 1) / kGrain;
}

[[gnu::noinline]] void* takeFresh(size_t bytes) {
    for (;;) {
        if (void* fresh = std::malloc(bytes)) return fresh;
        std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

/// \p block has \p size grains at least.
[[gnu::noinline]] void giveToSystem(void* block, size_t size) {
    if (!kept.opened && size > 0 && size < kSizes) {
        open();
        ::operator delete(block, size * kGrain);
        return;
    }
    std::free(block);
}

inline void give(void* block, size_t size) {
    if (size >= kSizes || kept.room[size] == 0) return giveToSystem(block, size);
    --kept.room[size];
    kept.first[size] = new (block) Block{kept.first[size]};
}

} // namespace

[[gnu::hot]] void* operator new(size_t bytes) {
    const size_t size = grains(bytes);
    if (bytes > kLargest) return takeFresh(bytes);
    Block* block = kept.first[size];
    if (!block) return takeFresh(size * kGrain);
    kept.first[size] = block->next;
    ++kept.room[size];
    return block;
}

[[gnu::hot]] void operator delete(void* block, size_t bytes) noexcept {
    if (block) give(block, grains(bytes));
}

void operator delete(void* block) noexcept {
    if (block) give(block, malloc_usable_size(block) / kGrain);
}

#endif
