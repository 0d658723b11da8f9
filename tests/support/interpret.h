// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs graphs with the operations' reference functions, and a joint graph through its partition.
/// For tests only.
#pragma once

#include "core/ops/reference.h"
#include "core/partition/partition.h"
#include "tests/support/captured_graphs.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace cutaway::testing {

using HostTensors = std::vector<ir::HostTensor>;

/// The outputs of a graph; an empty tensor for None.
inline HostTensors interpret(const ir::Graph& graph, const HostTensors& inputs) {
    return take(ops::evaluate(graph, inputs));
}

/// The joint graph's outputs, computed by forward and backward graph one after the other.
inline HostTensors interpret(const partition::Partition& parts, int forwardOutputs,
                             const HostTensors& primals, const HostTensors& tangents) {
    HostTensors results = interpret(parts.forward, primals);
    HostTensors inputs(results.begin() + forwardOutputs, results.end());
    results.resize(static_cast<size_t>(forwardOutputs));
    inputs.insert(inputs.end(), tangents.begin(), tangents.end());
    for (ir::HostTensor& gradient : interpret(parts.backward, inputs))
        results.push_back(std::move(gradient));
    return results;
}

inline ir::HostTensor randomTensor(const ir::TensorType& type, std::mt19937& random,
                                   int64_t integerLimit = 4) {
    auto tensor = ir::HostTensor::zeros(type.dtype, ir::constants(type.sizes));
    std::uniform_real_distribution<double> real(-1.5, 1.5);
    for (int64_t i = 0; i < tensor.numel(); ++i) {
        if (ir::isFloating(type.dtype)) {
            tensor.set(i, real(random));
        } else {
            tensor.setInt(i, static_cast<int64_t>(random() % static_cast<uint64_t>(integerLimit)));
        }
    }
    return tensor;
}

inline HostTensors randomInputs(const ir::Graph& graph, std::mt19937& random) {
    HostTensors inputs;
    for (ir::NodeId id : graph.placeholders())
        inputs.push_back(randomTensor(graph.node(id).type(), random));
    return inputs;
}

/// The largest |a - b| / (1 + |b|) over all elements; NaN equals NaN; infinite for other shapes.
inline double distance(const HostTensors& a, const HostTensors& b) {
    if (a.size() != b.size()) return INFINITY;
    double worst = 0;
    for (size_t k = 0; k < a.size(); ++k) {
        if (a[k].sizes != b[k].sizes || a[k].dtype != b[k].dtype) return INFINITY;
        for (int64_t i = 0; i < a[k].numel() && !a[k].bytes.empty(); ++i) {
            double x = a[k].get(i), y = b[k].get(i);
            if (x == y || (std::isnan(x) && std::isnan(y))) continue;
            double here = std::abs(x - y) / (1 + std::abs(y));
            worst = std::isnan(here) ? INFINITY : std::max(worst, here);
        }
    }
    return worst;
}

} // namespace cutaway::testing
