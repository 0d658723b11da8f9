// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/sampler.h"

#include "core/runtime/perf_events.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace cutaway::runtime {

namespace {

constexpr uint64_t kPerSecond = 4999;
constexpr size_t kPages = 32; ///< of data, a power of two: some two seconds of one processor

struct Kind {
    std::string_view what;
    uint32_t type;
    uint64_t config;
};
constexpr std::array kKinds{Kind{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
                            Kind{"clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK}};

size_t pageBytes() {
    static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

/// Copies what may lie around the end of the ring.
void copyOut(void* to, const std::byte* data, uint64_t at, size_t bytes) {
    const size_t size = kPages * pageBytes(), begin = at % size,
                 first = std::min(bytes, size - begin);
    std::memcpy(to, data + begin, first);
    std::memcpy(static_cast<std::byte*>(to) + first, data, bytes - first);
}

} // namespace

Sampler::Sampler() {
    const long processors = sysconf(_SC_NPROCESSORS_CONF);
    for (const Kind& kind : kKinds) {
        perf_event_attr how{};
        how.type = kind.type;
        how.config = kind.config;
        how.freq = 1;
        how.sample_freq = kPerSecond;
        how.sample_type = PERF_SAMPLE_IP;
        int error = 0;
        // A ring for an event that threads inherit is one processor's.
        for (int cpu = 0; cpu < processors; ++cpu) {
            const int file = openEvent(how, cpu);
            if (file >= 0)
                rings_.push_back({file, nullptr});
            else if (error == 0 && file != -ENODEV) // that processor is switched off
                error = -file;
        }
        what_ = kind.what;
        missing_ = rings_.empty() ? whyNoEvent(error) : std::string();
        if (!rings_.empty()) return;
    }
}

Sampler::~Sampler() {
    for (const Ring& ring : rings_) {
        if (ring.pages) munmap(ring.pages, (kPages + 1) * pageBytes());
        close(ring.file);
    }
}

void Sampler::start() {
    for (Ring& ring : rings_) {
        if (ring.pages) continue;
        void* pages = mmap(nullptr, (kPages + 1) * pageBytes(), PROT_READ | PROT_WRITE, MAP_SHARED,
                           ring.file, 0);
        if (pages == MAP_FAILED)
            missing_ = "the memory for samples is refused (/proc/sys/kernel/perf_event_mlock_kb)";
        else
            ring.pages = pages;
    }
    for (const Ring& ring : rings_) {
        std::vector<uintptr_t> old;
        if (ring.pages) take(ring, old);
    }
    for (const Ring& ring : rings_)
        if (ring.pages) ioctl(ring.file, PERF_EVENT_IOC_ENABLE, 0);
}

std::vector<uintptr_t> Sampler::stop() {
    for (const Ring& ring : rings_)
        if (ring.pages) ioctl(ring.file, PERF_EVENT_IOC_DISABLE, 0);
    std::vector<uintptr_t> all;
    for (const Ring& ring : rings_)
        if (ring.pages) take(ring, all);
    return all;
}

void Sampler::take(const Ring& ring, std::vector<uintptr_t>& into) {
    auto* page = static_cast<perf_event_mmap_page*>(ring.pages);
    const auto* data = static_cast<std::byte*>(ring.pages) + pageBytes();
    const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    uint64_t at = page->data_tail;
    while (at + sizeof(perf_event_header) <= head) {
        perf_event_header header;
        copyOut(&header, data, at, sizeof header);
        if (header.size < sizeof header) break; // nothing that the kernel writes
        uint64_t address = 0;
        copyOut(&address, data, at + sizeof header,
                std::min(sizeof address, header.size - sizeof header));
        if (header.type == PERF_RECORD_SAMPLE) into.push_back(address);
        at += header.size;
    }
    __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

Sampler& processSampler() {
    static Sampler sampler;
    return sampler;
}

} // namespace cutaway::runtime
