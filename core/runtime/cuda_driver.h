// SPDX-License-Identifier: Apache-2.0
/// \file
/// The CUDA driver's functions that are used here, found at run time. Names and numbers are those
/// of its stable binary interface (cuda.h), so that no toolkit is needed to build.
#pragma once

#include "core/base/result.h"

#include <cstdint>

namespace cutaway::runtime {

using CuResult = int;
using CuDevicePtr = unsigned long long;
using CuContext = struct CUctx_st*;
using CuStream = struct CUstream_st*;
using CuEvent = struct CUevent_st*;
using CuModule = struct CUmod_st*;
using CuFunction = struct CUfunc_st*;
using CuGraph = struct CUgraph_st*;
using CuGraphExec = struct CUgraphExec_st*;

constexpr CuResult kCudaOutOfMemory = 2;

struct CudaDriver {
    CuResult (*init)(unsigned) = nullptr;
    CuResult (*errorString)(CuResult, const char**) = nullptr;
    CuResult (*driverVersion)(int*) = nullptr;
    CuResult (*deviceCount)(int*) = nullptr;
    CuResult (*deviceGet)(int*, int) = nullptr;
    CuResult (*deviceName)(char*, int, int) = nullptr;
    CuResult (*deviceAttribute)(int*, int, int) = nullptr;
    CuResult (*deviceMemory)(size_t*, int) = nullptr;
    CuResult (*retainContext)(CuContext*, int) = nullptr;
    CuResult (*setContext)(CuContext) = nullptr;
    CuResult (*memAlloc)(CuDevicePtr*, size_t) = nullptr;
    CuResult (*memFree)(CuDevicePtr) = nullptr;
    CuResult (*hostAlloc)(void**, size_t, unsigned) = nullptr;
    CuResult (*hostFree)(void*) = nullptr;
    CuResult (*memInfo)(size_t*, size_t*) = nullptr;
    CuResult (*copyToDevice)(CuDevicePtr, const void*, size_t, CuStream) = nullptr;
    CuResult (*copyToHost)(void*, CuDevicePtr, size_t, CuStream) = nullptr;
    CuResult (*copyOnDevice)(CuDevicePtr, CuDevicePtr, size_t, CuStream) = nullptr;
    CuResult (*fillBytes)(CuDevicePtr, unsigned char, size_t, CuStream) = nullptr;
    CuResult (*streamCreate)(CuStream*, unsigned) = nullptr;
    CuResult (*streamSynchronize)(CuStream) = nullptr;
    CuResult (*eventCreate)(CuEvent*, unsigned) = nullptr;
    CuResult (*eventDestroy)(CuEvent) = nullptr;
    CuResult (*eventRecord)(CuEvent, CuStream) = nullptr;
    CuResult (*eventSynchronize)(CuEvent) = nullptr;
    CuResult (*eventElapsed)(float*, CuEvent, CuEvent) = nullptr;
    CuResult (*moduleLoad)(CuModule*, const void*) = nullptr;
    CuResult (*moduleUnload)(CuModule) = nullptr;
    CuResult (*moduleFunction)(CuFunction*, CuModule, const char*) = nullptr;
    CuResult (*functionAttribute)(CuFunction, int, int) = nullptr;
    CuResult (*launch)(CuFunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       unsigned, CuStream, void**, void**) = nullptr;
    CuResult (*beginCapture)(CuStream, int) = nullptr;
    CuResult (*endCapture)(CuStream, CuGraph*) = nullptr;
    CuResult (*graphInstantiate)(CuGraphExec*, CuGraph, unsigned long long) = nullptr;
    CuResult (*graphLaunch)(CuGraphExec, CuStream) = nullptr;
    CuResult (*graphDestroy)(CuGraph) = nullptr;
    CuResult (*graphExecDestroy)(CuGraphExec) = nullptr;

    /// Success, or an environment error: "CUDA cannot \p action: out of memory".
    base::Status check(CuResult result, const std::string& action) const;
};

/// Opened once. Errors: environment error telling that there is no driver, or what it reports.
base::Result<const CudaDriver*> cudaDriver();

} // namespace cutaway::runtime
