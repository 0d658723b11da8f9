// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs a case's compiled program on random inputs beside the slow interpreter. For tests only.
#pragma once

#include "cuda_case_programs.h"

#include "core/kernel/interpret.h"
#include "core/runtime/target.h"

#include <QString>

#include <cmath>
#include <random>

namespace cutaway::testing {

/// Values between 0.5 and 1.5, or 0 and 1 for integers: no logarithm or index leaves its range.
inline ir::HostTensor near1(ir::DType dtype, std::vector<int64_t> sizes, std::mt19937& random) {
    ir::HostTensor t = ir::HostTensor::zeros(dtype, std::move(sizes));
    for (int64_t i = 0; i < t.numel(); ++i)
        if (ir::isFloating(dtype))
            t.set(i, 0.5 + (random() % 1024) / 1024.0);
        else
            t.setInt(i, random() % 2);
    return t;
}
inline ir::HostTensor near1(const kernel::Buffer& buffer, std::mt19937& random) {
    return near1(buffer.dtype, ir::constants(buffer.sizes), random);
}

inline runtime::TensorPtr upload(const ir::HostTensor& host, const kernel::Buffer& buffer,
                                 ir::Device device) {
    auto dense = take(runtime::fromHost(host, device));
    auto tensor =
        take(runtime::emptyTensor({buffer.dtype, buffer.sizes, buffer.strides, device, false}));
    check(runtime::copyInto(*tensor, *dense));
    return tensor;
}

/// Two calls of the compiled program; the first element that differs, in words, or nothing.
inline QString differenceToInterpreter(const CudaProgram& c, runtime::Executable& executable,
                                       ir::Device device) {
    std::mt19937 random(3);
    std::vector<ir::HostTensor> hosts;
    std::vector<runtime::TensorPtr> inputs;
    for (kernel::BufferId id : c.program->loops.inputs) {
        hosts.push_back(near1(c.program->loops.buffer(id), random));
        inputs.push_back(upload(hosts.back(), c.program->loops.buffer(id), device));
    }
    const auto expected = take(kernel::interpret(*c.program, hosts));
    for (int repeat = 0; repeat < 2; ++repeat) {
        const auto found = take(executable.run(inputs));
        for (size_t o = 0; o < found.size(); ++o) {
            if (!found[o]) continue;
            const ir::HostTensor host = take(runtime::toHost(*found[o]));
            const QString where = QString("%1, output %2").arg(c.name.c_str()).arg(o);
            if (host.sizes != expected[o].sizes) return where + ": sizes differ";
            // What is rounded to fewer bits may fall on either side: one step.
            const double tolerance =
                ir::isStorageOnly(host.dtype) ? ir::floatLimits(host.dtype).eps : 2e-5;
            for (int64_t i = 0; i < host.numel(); ++i) {
                const double x = expected[o].get(i), y = host.get(i);
                if (!(std::fabs(x - y) <= tolerance * (1 + std::fabs(x))))
                    return where + QString(", element %1: %2 and %3").arg(i).arg(x).arg(y);
            }
        }
    }
    return {};
}

} // namespace cutaway::testing
