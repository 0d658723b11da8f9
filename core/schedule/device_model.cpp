// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/device_model.h"

#include <cmath>

namespace cutaway::schedule {

double DeviceModel::wake(int64_t threads) const {
    return threads > 1 ? wakeUs * std::log2(static_cast<double>(threads)) : 0;
}

// The rates are those of a server core at 2.6 GHz with DDR5 (measured with `cutaway tune` on the
// benchmark cases); what a schedule compares hardly depends on them.
DeviceModel cpuModel(int threads, int vectorBytes, int64_t nearBytes, int64_t cacheBytes) {
    DeviceModel model;
    model.kind = ir::Device::Kind::Cpu;
    model.units = threads;
    model.vectorBytes = vectorBytes;
    model.nearBytes = nearBytes > 0 ? nearBytes : 1 << 20;
    model.cacheBytes = cacheBytes > 0 ? cacheBytes : 32 << 20;
    model.launchUs = 0.05;
    // 0.6 to 0.7 while the threads of the last kernel still spin. A little more is asked for: on a
    // busy machine they sleep.
    model.wakeUs = 1.1;
    model.opsPerUs = 4000;
    model.bytesPerUs = 40000;
    model.unitBytesPerUs = 25000;
    model.cacheBytesPerUs = 40000;
    model.nearBytesPerUs = 100000;
    return model;
}

// Rates of an H200: 4.8 TB/s of memory, about twice that from its 50 MB of cache.
DeviceModel cudaModel(int multiprocessors, int64_t l2Bytes) {
    DeviceModel model;
    model.kind = ir::Device::Kind::Cuda;
    model.units = multiprocessors;
    model.vectorBytes = sizeof(float); // a lane is a thread's
    model.nearBytes = 220 << 10;       // of 227 KiB, less the static arrays of reductions
    model.cacheBytes = l2Bytes > 0 ? l2Bytes : 50 << 20;
    model.launchUs = 2.2;
    model.opsPerUs = 128 * 1700;
    model.bytesPerUs = 4.8e6 * multiprocessors / 132;
    model.unitBytesPerUs = 64e3;
    model.cacheBytesPerUs = 9e6 * multiprocessors / 132;
    return model;
}

} // namespace cutaway::schedule
