// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/host_memory.h"

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>

using namespace cutaway;
using namespace cutaway::runtime;

namespace {

void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << text;
}

} // namespace

class TestHostMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_freed_block_is_handed_out_again();
    void blocks_are_aligned();
    void size_classes_waste_little();
    void statistics_follow_what_was_asked_for();
    void trim_returns_cached_blocks();
    void a_request_beyond_memory_is_refused_with_numbers();
    void available_memory_is_the_smallest_of_system_and_groups();
    void an_unlimited_group_does_not_count();
};

void TestHostMemory::a_freed_block_is_handed_out_again() {
    HostAllocator allocator;
    for (size_t bytes : {size_t{100}, size_t{70000}, size_t{64} << 20}) {
        auto first = allocator.take(bytes);
        QVERIFY(first.ok());
        static_cast<char*>(first->data)[bytes - 1] = 1;
        allocator.giveBack(*first, bytes);
        auto second = allocator.take(bytes - 1);
        QVERIFY(second.ok());
        QCOMPARE(second->data, first->data);
        auto third = allocator.take(bytes);
        QVERIFY(third->data != second->data);
        allocator.giveBack(*second, bytes - 1);
        allocator.giveBack(*third, bytes);
    }
}

void TestHostMemory::blocks_are_aligned() {
    HostAllocator allocator;
    for (size_t bytes : {size_t{0}, size_t{1}, size_t{65}, size_t{5000}, size_t{3} << 20}) {
        auto block = allocator.take(bytes);
        QVERIFY(block->data != nullptr);
        QCOMPARE(reinterpret_cast<uintptr_t>(block->data) % 64, uintptr_t{0});
        allocator.giveBack(*block, bytes);
    }
    auto large = allocator.take(size_t{9} << 20);
    QCOMPARE(reinterpret_cast<uintptr_t>(large->data) % (2 << 20), uintptr_t{0});
    allocator.giveBack(*large, size_t{9} << 20);
}

void TestHostMemory::size_classes_waste_little() {
    for (size_t bytes = 1; bytes < (size_t{1} << 33); bytes += 1 + bytes / 7) {
        size_t rounded = sizeClass(bytes);
        QVERIFY(rounded >= bytes);
        QVERIFY(rounded <= bytes + std::max<size_t>(64, bytes / 8) + (size_t{2} << 20));
        if (bytes < (size_t{1} << 20)) QVERIFY(rounded <= bytes + std::max<size_t>(64, bytes / 8));
        QCOMPARE(sizeClass(rounded), rounded);
    }
}

void TestHostMemory::statistics_follow_what_was_asked_for() {
    HostAllocator allocator;
    auto a = allocator.take(1000);
    auto b = allocator.take(500);
    allocator.giveBack(*a, 1000);
    QCOMPARE(allocator.statistics().currentBytes, int64_t{500});
    QCOMPARE(allocator.statistics().peakBytes, int64_t{1500});
    allocator.resetPeak();
    QCOMPARE(allocator.statistics().peakBytes, int64_t{500});
    allocator.giveBack(*b, 500);
}

void TestHostMemory::trim_returns_cached_blocks() {
    HostAllocator allocator;
    auto a = allocator.take(size_t{32} << 20);
    allocator.giveBack(*a, size_t{32} << 20);
    QCOMPARE(allocator.cachedBytes(), int64_t{32} << 20);
    allocator.trim();
    QCOMPARE(allocator.cachedBytes(), int64_t{0});
}

void TestHostMemory::a_request_beyond_memory_is_refused_with_numbers() {
    HostAllocator allocator;
    auto block = allocator.take(size_t{1} << 46);
    QVERIFY(!block.ok());
    QCOMPARE(block.error().fault, base::Fault::Environment);
    QVERIFY(block.error().message.starts_with(
        "out of memory on cpu: 70368744177664 bytes (65536.0 GiB) asked for, "));
    QVERIFY(block.error().message.ends_with("available"));
    QVERIFY(!block.error().hint.empty());
    QCOMPARE(allocator.statistics().currentBytes, int64_t{0});
}

void TestHostMemory::available_memory_is_the_smallest_of_system_and_groups() {
    QTemporaryDir folder;
    std::string root = folder.path().toStdString();
    QVERIFY(!availableHostBytes(root).has_value());
    write(root + "/proc/meminfo", "MemTotal: 100 kB\nMemAvailable:   5000 kB\n");
    QCOMPARE(*availableHostBytes(root), int64_t{5000} * 1024);
    write(root + "/proc/self/cgroup", "0::/outer/inner\n");
    write(root + "/sys/fs/cgroup/outer/memory.max", "1000000\n");
    write(root + "/sys/fs/cgroup/outer/memory.current", "900000\n");
    write(root + "/sys/fs/cgroup/outer/memory.stat", "anon 5\ninactive_file 50000\n");
    QCOMPARE(*availableHostBytes(root), int64_t{150000});
    write(root + "/proc/self/cgroup", "5:memory:/job\n4:cpu:/other\n");
    write(root + "/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2000000\n");
    write(root + "/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "1999000\n");
    QCOMPARE(*availableHostBytes(root), int64_t{1000});
}

void TestHostMemory::an_unlimited_group_does_not_count() {
    QTemporaryDir folder;
    std::string root = folder.path().toStdString();
    write(root + "/proc/meminfo", "MemAvailable: 10 kB\n");
    write(root + "/proc/self/cgroup", "0::/\n");
    write(root + "/sys/fs/cgroup/memory.max", "max\n");
    write(root + "/sys/fs/cgroup/memory.current", "900000\n");
    QCOMPARE(*availableHostBytes(root), int64_t{10240});
}

QTEST_APPLESS_MAIN(TestHostMemory)
#include "test_host_memory.moc"
