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

/// Such values for all that \p c reads.
inline std::vector<ir::HostTensor> inputsNear1(const CudaProgram& c, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<ir::HostTensor> inputs;
    for (kernel::BufferId id : c.program->loops.inputs)
        inputs.push_back(near1(c.program->loops.buffer(id), random));
    return inputs;
}

constexpr double kRounding = 3e-5;

/// The first element that differs by more than \p tolerance, in words, or nothing.
inline QString difference(const ir::HostTensor& want, const ir::HostTensor& got,
                          double tolerance = kRounding) {
    if (want.sizes != got.sizes) return "sizes differ";
    for (int64_t i = 0; i < want.numel(); ++i) {
        const double x = want.get(i), y = got.get(i);
        if (x != y && !(std::fabs(x - y) <= tolerance * (1 + std::fabs(x)))) // infinities are equal
            return QString("element %1: %2 and %3").arg(i).arg(x).arg(y);
    }
    return {};
}
inline QString difference(const std::vector<ir::HostTensor>& want,
                          const std::vector<ir::HostTensor>& got) {
    for (size_t o = 0; o < want.size(); ++o)
        if (const QString differs = difference(want[o], got[o]); !differs.isEmpty())
            return QString("output %1, %2").arg(o).arg(differs);
    return {};
}

/// Two calls of the compiled program; the first element that differs, in words, or nothing.
inline QString differenceToInterpreter(const CudaProgram& c, runtime::Executable& executable,
                                       ir::Device device) {
    const std::vector<ir::HostTensor> hosts = inputsNear1(c, 3);
    std::vector<runtime::TensorPtr> inputs;
    for (size_t i = 0; i < hosts.size(); ++i)
        inputs.push_back(
            upload(hosts[i], c.program->loops.buffer(c.program->loops.inputs[i]), device));
    const auto expected = take(kernel::interpret(*c.program, hosts));
    for (int repeat = 0; repeat < 2; ++repeat) {
        const auto found = take(executable.run(inputs));
        for (size_t o = 0; o < found.size(); ++o) {
            if (!found[o]) continue;
            const ir::HostTensor host = take(runtime::toHost(*found[o]));
            // What is rounded to fewer bits may fall on either side: one step.
            const double tolerance =
                ir::isStorageOnly(host.dtype) ? ir::floatLimits(host.dtype).eps : 2e-5;
            const QString differs = difference(expected[o], host, tolerance);
            if (!differs.isEmpty())
                return QString("%1, output %2, %3").arg(c.name.c_str()).arg(o).arg(differs);
        }
    }
    return {};
}

} // namespace cutaway::testing
