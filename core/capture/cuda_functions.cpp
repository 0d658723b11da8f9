// SPDX-License-Identifier: Apache-2.0
// torch.cuda: what of it is no text of the script library. Every GPU has one stream.
#include "core/capture/interp.h"
#include "core/capture/script_observer.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"
#include "core/runtime/cuda.h"

#include <fmt/format.h>

namespace cutaway::capture {

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;

/// The argument "device" of torch.cuda's functions: a number, a name, or by default the current
/// one.
int wantGpu(Interp& in, Self self, Args args) {
    Val given = parseArguments(in, self.name, args, {"device="})[0];
    if (!given.bound() || given.isNone()) {
        in.observer().readCurrentGpu();
        return in.currentGpu();
    }
    const ir::Device device = wantDevice(in, given);
    if (!device.isCuda())
        in.raise(Error::Value, fmt::format("Expected a cuda device, but got: {}", device.str()));
    return device.index;
}

ir::Device gpu(int index) {
    return {ir::Device::Kind::Cuda, index};
}

/// is_available(), device_count(), current_device()
Val askDevices(Interp& in, Self self, Args args) {
    parseArguments(in, self.name, args, {});
    if (self.text == "current_device") {
        in.observer().readCurrentGpu();
        in.need(runtime::cudaDevice(in.currentGpu()));
        return Val::integer(in.currentGpu());
    }
    const int count = runtime::cudaDeviceCount();
    return self.text == "is_available" ? Val::boolean(count > 0) : Val::integer(count);
}

Val indexOf(Interp& in, Self self, Args args) {
    return Val::integer(wantGpu(in, self, args));
}

Val synchronize(Interp& in, Self self, Args args) {
    in.need(runtime::synchronize(gpu(wantGpu(in, self, args))));
    return Val::none();
}

/// A negative number changes nothing, as in PyTorch.
Val setDevice(Interp& in, Self self, Args args) {
    const int index = wantGpu(in, self, args);
    if (index < 0) return Val::none();
    in.need(runtime::cudaDevice(index));
    in.setCurrentGpu(index);
    return Val::none();
}

/// Name, compute capability "9.0", multiprocessors, bytes of memory and of the second-level cache.
Val properties(Interp& in, Self self, Args args) {
    const runtime::CudaDeviceInfo info = in.need(runtime::cudaDevice(wantGpu(in, self, args)));
    const std::string digits = info.architecture.substr(3); // of "sm_90"
    return in.tuple({in.str(info.name),
                     Val::integer(std::stoi(digits.substr(0, digits.size() - 1))),
                     Val::integer(digits.back() - '0'), Val::integer(info.multiprocessors),
                     Val::integer(info.memoryBytes), Val::integer(info.l2Bytes)});
}

/// Bytes of tensors, and the most that they have been; zeros without a device.
Val memory(Interp& in, Self self, Args args) {
    const runtime::MemoryStatistics now = runtime::memoryStatistics(gpu(wantGpu(in, self, args)));
    return in.tuple({Val::integer(now.currentBytes), Val::integer(now.peakBytes)});
}

Val freeMemory(Interp& in, Self self, Args args) {
    return Val::integer(in.need(runtime::cudaFreeBytes(wantGpu(in, self, args))));
}

Val resetPeak(Interp& in, Self self, Args args) {
    runtime::resetPeak(gpu(wantGpu(in, self, args)));
    return Val::none();
}

Val emptyCache(Interp& in, Self self, Args args) {
    parseArguments(in, self.name, args, {});
    runtime::trimCaches();
    return Val::none();
}

} // namespace

void addCuda(Interp& in, ModuleObj& internal) {
    ModuleObj& cuda = *in.module("torch.cuda");
    const auto add = [&](ModuleObj& m, const std::string& name, BuiltinFunction f,
                         const char* stops = nullptr) {
        Val v = in.builtin(m.name + "." + name, f, stops);
        v.as<BuiltinObj>()->text = name;
        m.attributes->set(in.intern(name), v);
    };
    for (const char* name : {"is_available", "device_count", "current_device"})
        add(cuda, name, askDevices);
    add(cuda, "synchronize", synchronize, "waits for the device");
    add(cuda, "set_device", setDevice, "changes the current device");
    add(cuda, "reset_peak_memory_stats", resetPeak, "changes the device's counters");
    add(cuda, "empty_cache", emptyCache, "gives memory back");
    add(internal, "gpu_index", indexOf);
    add(internal, "gpu_properties", properties);
    add(internal, "gpu_memory", memory, "reads the device's counters");
    add(internal, "gpu_free_memory", freeMemory, "reads the device's counters");
}

} // namespace cutaway::capture
