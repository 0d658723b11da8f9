// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cuda_driver.h"

#include "core/jit/cuda_library.h"

#include <fmt/format.h>

namespace cutaway::runtime {
namespace {

constexpr const char* kHint = "use the device \"cpu\", or install NVIDIA's driver";

bool loadAll(const jit::CudaLibrary& library, CudaDriver& d) {
    return library.load(d.init, "cuInit") && library.load(d.errorString, "cuGetErrorString") &&
           library.load(d.driverVersion, "cuDriverGetVersion") &&
           library.load(d.deviceCount, "cuDeviceGetCount") &&
           library.load(d.deviceGet, "cuDeviceGet") &&
           library.load(d.deviceName, "cuDeviceGetName") &&
           library.load(d.deviceAttribute, "cuDeviceGetAttribute") &&
           library.load(d.deviceMemory, "cuDeviceTotalMem_v2") &&
           library.load(d.retainContext, "cuDevicePrimaryCtxRetain") &&
           library.load(d.setContext, "cuCtxSetCurrent") &&
           library.load(d.memAlloc, "cuMemAlloc_v2") && library.load(d.memFree, "cuMemFree_v2") &&
           library.load(d.hostAlloc, "cuMemHostAlloc") &&
           library.load(d.hostFree, "cuMemFreeHost") &&
           library.load(d.memInfo, "cuMemGetInfo_v2") &&
           library.load(d.copyToDevice, "cuMemcpyHtoDAsync_v2") &&
           library.load(d.copyToHost, "cuMemcpyDtoHAsync_v2") &&
           library.load(d.copyOnDevice, "cuMemcpyDtoDAsync_v2") &&
           library.load(d.fillBytes, "cuMemsetD8Async") &&
           library.load(d.streamCreate, "cuStreamCreate") &&
           library.load(d.streamSynchronize, "cuStreamSynchronize") &&
           library.load(d.eventCreate, "cuEventCreate") &&
           library.load(d.eventDestroy, "cuEventDestroy_v2") &&
           library.load(d.eventRecord, "cuEventRecord") &&
           library.load(d.eventSynchronize, "cuEventSynchronize") &&
           library.load(d.eventElapsed, "cuEventElapsedTime") &&
           library.load(d.moduleLoad, "cuModuleLoadData") &&
           library.load(d.moduleUnload, "cuModuleUnload") &&
           library.load(d.moduleFunction, "cuModuleGetFunction") &&
           library.load(d.functionAttribute, "cuFuncSetAttribute") &&
           library.load(d.launch, "cuLaunchKernel") &&
           library.load(d.beginCapture, "cuStreamBeginCapture_v2") &&
           library.load(d.endCapture, "cuStreamEndCapture") &&
           library.load(d.graphInstantiate, "cuGraphInstantiateWithFlags") &&
           library.load(d.graphLaunch, "cuGraphLaunch") &&
           library.load(d.graphDestroy, "cuGraphDestroy") &&
           library.load(d.graphExecDestroy, "cuGraphExecDestroy");
}

base::Result<CudaDriver> openDriver() {
    auto library = jit::CudaLibrary::open("NVIDIA's driver", {"libcuda.so.1"}, kHint);
    if (!library.ok())
        return base::environmentError("no CUDA device: NVIDIA's driver (libcuda.so.1) is not "
                                      "installed on this machine",
                                      kHint);
    CudaDriver driver;
    if (!loadAll(*library, driver))
        return base::environmentError("no CUDA device: NVIDIA's driver is older than CUDA 12",
                                      "update NVIDIA's driver, or use the device \"cpu\"");
    if (CuResult status = driver.init(0)) {
        const char* text = nullptr;
        driver.errorString(status, &text);
        return base::environmentError(
            fmt::format("no CUDA device: the driver reports \"{}\"", text ? text : "unknown error"),
            "check that nvidia-smi lists a GPU, or use the device "
            "\"cpu\"");
    }
    return driver;
}

} // namespace

base::Status CudaDriver::check(CuResult result, const std::string& action) const {
    if (result == 0) return {};
    const char* text = nullptr;
    errorString(result, &text);
    return base::environmentError(
        fmt::format("CUDA cannot {}: {}", action, text ? text : "unknown error"),
        "a failed kernel leaves the device unusable for this process: restart it");
}

base::Result<const CudaDriver*> cudaDriver() {
    // Never closed: the driver must outlive every object that frees device memory.
    static const auto* const opened = new base::Result<CudaDriver>(openDriver());
    if (!opened->ok()) return opened->error();
    return &opened->value();
}

} // namespace cutaway::runtime
