// SPDX-License-Identifier: Apache-2.0
// Small blocks that a thread gives back are its next ones, and no block is two at once.
#include "core/base/sanitizers.h"

#include <QtTest>
#include <algorithm>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

namespace {

constexpr size_t kBlocks = 200; // as many as a step of an optimizer returns

std::vector<void*> taken(size_t bytes) {
    std::vector<void*> blocks(kBlocks);
    for (void*& block : blocks) {
        block = ::operator new(bytes);
        std::memset(block, 0x5a, bytes);
    }
    return blocks;
}

std::vector<void*> sorted(std::vector<void*> blocks) {
    std::ranges::sort(blocks);
    return blocks;
}

} // namespace

class TestSmallBlocks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void what_a_thread_gives_back_is_what_it_takes_next() {
        if (cutaway::base::kSanitized) QSKIP("sanitizers hand out the blocks");
        for (bool sized : {true, false}) {
            const std::vector<void*> first = taken(304);
            for (void* block : first)
                if (sized)
                    ::operator delete(block, size_t{304});
                else
                    ::operator delete(block);
            void* large = ::operator new(kBlocks * 304);  // does not lie where they lay
            const std::vector<void*> second = taken(300); // of the same size in grains
            ::operator delete(large);
            QCOMPARE(sorted(second), sorted(first));
            for (void* block : second)
                ::operator delete(block, size_t{300});
        }
    }
    void all_sizes_are_apart_and_aligned() {
        std::vector<std::pair<std::byte*, size_t>> blocks;
        for (int round = 0; round < 3; ++round) {
            for (size_t bytes = 0; bytes <= 1200; ++bytes) {
                auto* block = static_cast<std::byte*>(::operator new(bytes));
                QCOMPARE(reinterpret_cast<uintptr_t>(block) % __STDCPP_DEFAULT_NEW_ALIGNMENT__, 0U);
                std::memset(block, static_cast<int>(bytes % 251), bytes);
                blocks.emplace_back(block, bytes);
            }
            for (const auto& [block, bytes] : blocks)
                for (size_t i = 0; i < bytes; ++i)
                    QCOMPARE(std::to_integer<size_t>(block[i]), bytes % 251);
            for (const auto& [block, bytes] : blocks)
                if (bytes % 2) // Clang 19 takes both sides of a conditional expression
                    ::operator delete(block);
                else
                    ::operator delete(block, bytes);
            blocks.clear();
        }
    }
    void blocks_go_from_thread_to_thread() {
        for (int round = 0; round < 20; ++round) {
            std::vector<void*> blocks;
            std::thread([&] { blocks = taken(48); }).join();
            const std::vector<void*> own = taken(48);
            std::vector<void*> all = own;
            all.insert(all.end(), blocks.begin(), blocks.end());
            all = sorted(std::move(all));
            QVERIFY(std::ranges::adjacent_find(all) == all.end());
            std::thread([&] {
                for (void* block : own)
                    ::operator delete(block, size_t{48});
            }).join();
            for (void* block : blocks)
                ::operator delete(block);
        }
    }
    void more_than_there_is_is_refused() {
        if (cutaway::base::kSanitized) QSKIP("sanitizers end a program that asks for too much");
        volatile size_t bytes = size_t{1} << 62;
        QVERIFY_THROWS_EXCEPTION(std::bad_alloc, ::operator delete(::operator new(bytes)));
    }
};

QTEST_GUILESS_MAIN(TestSmallBlocks)
#include "test_small_blocks.moc"
