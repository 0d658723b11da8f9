// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/host_memory.h"

#include "core/base/sanitizers.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/mman.h>

#if CUTAWAY_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace cutaway::runtime {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kHugePage = size_t{2} << 20;
/// From here on blocks come from mmap and lie on huge pages.
constexpr size_t kLarge = size_t{4} << 20;
/// Requests from here on are held against what the system has left; smaller ones are not worth the
/// look into /proc.
constexpr size_t kChecked = size_t{8} << 20;

std::optional<int64_t> readNumber(const std::string& path) {
    std::ifstream file(path);
    int64_t value = 0;
    if (!(file >> value)) return std::nullopt; // missing, or "max"
    return value;
}

/// The value after "name" in a file of "name value" lines, in the file's unit.
std::optional<int64_t> readField(const std::string& path, std::string_view field) {
    std::ifstream file(path);
    std::string key;
    int64_t value = 0;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        if (words >> key >> value && key == field) return value;
    }
    return std::nullopt;
}

/// What one control group still gives: its limit less its use; pages of the file cache that were
/// not touched lately count as free, as the kernel drops them first.
std::optional<int64_t> leftInGroup(const std::string& folder) {
    auto limit = readNumber(folder + "/memory.max");
    auto used = readNumber(folder + "/memory.current");
    if (!limit || !used) {
        limit = readNumber(folder + "/memory.limit_in_bytes");
        used = readNumber(folder + "/memory.usage_in_bytes");
    }
    if (!limit || !used) return std::nullopt;
    int64_t droppable = readField(folder + "/memory.stat", "inactive_file").value_or(0);
    return std::max<int64_t>(0, *limit - *used + droppable);
}

/// The folders of this process's memory control groups, innermost first, up to the root.
std::vector<std::string> groupFolders(const std::string& root) {
    std::vector<std::string> folders;
    std::ifstream file(root + "/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        std::string controllers = line.substr(first + 1, second - first - 1);
        bool unified = controllers.empty();
        if (!unified && controllers != "memory") continue;
        std::string base = root + (unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory");
        std::string path = line.substr(second + 1);
        for (; path.size() > 1; path.resize(path.rfind('/'))) {
            folders.push_back(base + path);
            if (path.rfind('/') == 0) break;
        }
        folders.push_back(base);
    }
    return folders;
}

void* mapAligned(size_t bytes) {
    size_t whole = bytes + kHugePage;
    void* raw = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) return nullptr;
    auto start = reinterpret_cast<uintptr_t>(raw);
    uintptr_t aligned = (start + kHugePage - 1) / kHugePage * kHugePage;
    if (aligned > start) munmap(raw, aligned - start);
    size_t tail = start + whole - (aligned + bytes);
    if (tail > 0) munmap(reinterpret_cast<void*>(aligned + bytes), tail);
    madvise(reinterpret_cast<void*>(aligned), bytes, MADV_HUGEPAGE);
    return reinterpret_cast<void*>(aligned);
}

std::string readableBytes(int64_t bytes) {
    if (bytes < (int64_t{1} << 20)) return fmt::format("{} bytes", bytes);
    double gib = static_cast<double>(bytes) / static_cast<double>(int64_t{1} << 30);
    if (gib < 1) return fmt::format("{} bytes ({:.1f} MiB)", bytes, gib * 1024);
    return fmt::format("{} bytes ({:.1f} GiB)", bytes, gib);
}

base::Diagnostic outOfMemory(size_t bytes, std::optional<int64_t> available) {
    std::string left = available ? readableBytes(*available) : "less";
    return base::environmentError(fmt::format("out of memory on cpu: {} asked for, {} available",
                                              readableBytes(static_cast<int64_t>(bytes)), left),
                                  "make the tensor smaller, or free memory and try again");
}

} // namespace

std::optional<int64_t> availableHostBytes(const std::string& root) {
    std::optional<int64_t> available;
    if (auto kib = readField(root + "/proc/meminfo", "MemAvailable:")) available = *kib * 1024;
    for (const std::string& folder : groupFolders(root)) {
        auto left = leftInGroup(folder);
        if (left && (!available || *left < *available)) available = left;
    }
    return available;
}

size_t sizeClass(size_t bytes) {
    size_t rounded = (std::max<size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
    if (rounded <= 8 * kAlignment) return rounded;
    // Eight classes per doubling.
    size_t step = std::bit_floor(rounded) / 8;
    rounded = (rounded + step - 1) / step * step;
    if (rounded < kLarge) return rounded;
    return (rounded + kHugePage - 1) / kHugePage * kHugePage;
}

base::Result<HostAllocator::Block> HostAllocator::takeFresh(size_t bytes, size_t askedBytes) {
    if (bytes >= kChecked) {
        auto available = availableHostBytes();
        if (available && static_cast<int64_t>(bytes) > *available) {
            trim();
            available = availableHostBytes();
        }
        if (available && static_cast<int64_t>(bytes) > *available)
            return outOfMemory(askedBytes, available);
    }
    void* data = bytes >= kLarge ? mapAligned(bytes) : std::aligned_alloc(kAlignment, bytes);
    if (!data) return outOfMemory(askedBytes, availableHostBytes());
    return Block{data, bytes};
}

[[gnu::hot]] base::Result<HostAllocator::Block> HostAllocator::take(size_t bytes) {
    if (bytes > (size_t{1} << 62)) return outOfMemory(bytes, availableHostBytes());
    size_t rounded = sizeClass(bytes);
    Block block{nullptr, rounded};
    auto count = [&] {
        statistics_.currentBytes += static_cast<int64_t>(bytes);
        statistics_.peakBytes = std::max(statistics_.peakBytes, statistics_.currentBytes);
    };
    {
        std::lock_guard lock(lock_);
        auto found = free_.find(rounded);
        if (found != free_.end() && !found->second.empty()) {
            block.data = found->second.back();
            found->second.pop_back();
            cachedBytes_ -= static_cast<int64_t>(rounded);
            count();
        }
    }
    if (block.data) {
        ASAN_UNPOISON_MEMORY_REGION(block.data, block.bytes);
        return block;
    }
    CUTAWAY_TRY(block, takeFresh(rounded, bytes));
    std::lock_guard lock(lock_);
    count();
    return block;
}

[[gnu::hot]] void HostAllocator::giveBack(Block block, size_t askedBytes) {
    ASAN_POISON_MEMORY_REGION(block.data, block.bytes);
    std::lock_guard lock(lock_);
    free_[block.bytes].push_back(block.data);
    cachedBytes_ += static_cast<int64_t>(block.bytes);
    statistics_.currentBytes -= static_cast<int64_t>(askedBytes);
}

void HostAllocator::trim() {
    std::lock_guard lock(lock_);
    for (auto& [bytes, blocks] : free_) {
        for (void* block : blocks) {
            ASAN_UNPOISON_MEMORY_REGION(block, bytes);
            if (bytes >= kLarge)
                munmap(block, bytes);
            else
                std::free(block);
        }
    }
    free_.clear();
    cachedBytes_ = 0;
}

MemoryStatistics HostAllocator::statistics() const {
    std::lock_guard lock(lock_);
    return statistics_;
}

void HostAllocator::resetPeak() {
    std::lock_guard lock(lock_);
    statistics_.peakBytes = statistics_.currentBytes;
}

int64_t HostAllocator::cachedBytes() const {
    std::lock_guard lock(lock_);
    return cachedBytes_;
}

} // namespace cutaway::runtime
