// SPDX-License-Identifier: Apache-2.0
#include "core/jit/cpu_compiler.h"
#include "core/jit/machine.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <unistd.h>

namespace cutaway::jit {

namespace {

const std::vector<std::string>& featuresThatMatter() {
    static const std::vector<std::string> names = {
        "sse4.2", "avx", "f16c", "fma", "avx2", "avx512f", "avx512bw", "avx512dq", "avx512vl"};
    return names;
}

/// A level of the x86-64 ABI, what it adds to the one below, and its vector register.
struct Level {
    const char* name;
    std::vector<const char*> adds;
    int vectorBytes;
};
const std::vector<Level>& levels() {
    static const std::vector<Level> all = {
        {"x86-64", {}, 16},
        {"x86-64-v2", {"cx16", "sahf", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3"}, 16},
        {"x86-64-v3", {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}, 32},
        {"x86-64-v4", {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}, 64}};
    return all;
}

/// The highest level whose features the machine has; a virtual machine may hide some that the
/// processor's name implies.
const Level& levelOf(const llvm::StringMap<bool>& features) {
    const Level* highest = &levels().front();
    for (const Level& level : levels()) {
        for (const char* name : level.adds) {
            auto found = features.find(name);
            if (found == features.end() || !found->second) return *highest;
        }
        highest = &level;
    }
    return *highest;
}

} // namespace

HostCpu hostCpu() {
    HostCpu host;
    host.name = llvm::sys::getHostCPUName().str();
    const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    for (const std::string& name : featuresThatMatter())
        if (auto found = features.find(name); found != features.end() && found->second)
            host.features.push_back(name);
    host.vectorBytes = levelOf(features).vectorBytes;
    // The C library asks the processor itself, or says 0 or -1. Of the last cache it may tell what
    // all of the processor's parts have together, of which a thread sees its own.
    constexpr long kPart = 32 << 20;
    host.l2Bytes = std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), 0L);
    host.l3Bytes = std::clamp(sysconf(_SC_LEVEL3_CACHE_SIZE), 0L, kPart);
    return host;
}

std::string llvmVersion() {
    return LLVM_VERSION_STRING;
}

CpuTarget cpuTarget(const std::string& cpu) {
    CpuTarget target;
    target.triple = llvm::sys::getProcessTriple();
    if (!cpu.empty()) {
        target.cpu = cpu;
        target.tune = cpu.starts_with("x86-64") ? "generic" : cpu;
        return target;
    }
    // The level instead of the processor's own list of features: the rest of the list (AMX, key
    // locker ...) is of no use to kernels, and Clang copies it for every call with a vector.
    const Level& level = levelOf(llvm::sys::getHostCPUFeatures());
    target.cpu = level.name;
    target.tune = llvm::sys::getHostCPUName().str();
    target.vectorBytes = level.vectorBytes;
    return target;
}

} // namespace cutaway::jit
