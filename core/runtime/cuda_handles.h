// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a library of the CUDA toolkit needs once: its functions, and a handle for each device.
/// Private to this folder.
#pragma once

#include "core/runtime/cuda_device.h"

#include <map>
#include <mutex>

namespace cutaway::runtime {

/// What \p open gave the first time that somebody asked. \p Library is a type of one file's own.
template <typename Library>
base::Result<const Library*> openedOnce(base::Result<Library> (*open)()) {
    static auto* const opened = new base::Result<Library>(open());
    if (!opened->ok()) return opened->error();
    return &opened->value();
}

/// The handle that all calls of a library on one device share. \param start makes it; where that
/// fails, the next call asks again
template <typename Handle, typename Library>
base::Result<Handle> handleOf(const Library& library, CudaDevice& device,
                              base::Status (*start)(const Library&, CudaDevice&, Handle&)) {
    static auto* const mutex = new std::mutex;
    static auto* const handles = new std::map<int, Handle>;
    std::lock_guard lock(*mutex);
    const auto known = handles->find(device.device().index);
    if (known != handles->end()) return known->second;
    device.activate();
    Handle made{};
    CUTAWAY_CHECK(start(library, device, made));
    handles->emplace(device.device().index, made);
    return made;
}

} // namespace cutaway::runtime
