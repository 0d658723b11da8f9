// SPDX-License-Identifier: Apache-2.0
#include "core/jit/cpu_compiler.h"
#include "core/jit/machine.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>

namespace cutaway::jit {

namespace {

const std::vector<std::string>& featuresThatMatter() {
    static const std::vector<std::string> names = {
        "sse4.2", "avx", "f16c", "fma", "avx2", "avx512f", "avx512bw", "avx512dq", "avx512vl"};
    return names;
}

int vectorBytesOf(const llvm::StringMap<bool>& features) {
    auto has = [&](const char* name) {
        auto found = features.find(name);
        return found != features.end() && found->second;
    };
    if (has("avx512f") && has("avx512bw") && has("avx512dq") && has("avx512vl")) return 64;
    return has("avx2") && has("fma") ? 32 : 16;
}

} // namespace

HostCpu hostCpu() {
    HostCpu host;
    host.name = llvm::sys::getHostCPUName().str();
    const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    for (const std::string& name : featuresThatMatter())
        if (auto found = features.find(name); found != features.end() && found->second)
            host.features.push_back(name);
    host.vectorBytes = vectorBytesOf(features);
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
        return target;
    }
    // A virtual machine may hide features that the CPU's name implies, so each is said.
    target.cpu = llvm::sys::getHostCPUName().str();
    const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    for (const auto& feature : features)
        target.features.push_back((feature.second ? "+" : "-") + feature.first().str());
    std::sort(target.features.begin(), target.features.end());
    target.vectorBytes = vectorBytesOf(features);
    return target;
}

} // namespace cutaway::jit
