// SPDX-License-Identifier: Apache-2.0
/// \file
/// Random captured graphs, one for each seed. For tests only.
#pragma once

#include "tests/support/captured_graphs.h"

#include <random>

namespace cutaway::testing {

/// A random graph over [3, 4] tensors with broadcasts, reductions, views and products.
inline ir::Graph randomGraph(unsigned seed) {
    std::mt19937 random(seed);
    Captured c;
    std::vector<NodeId> values = {c.input("a", {3, 4}), c.input("b", {3, 4}), c.input("r", {4}),
                                  c.input("m", {4, 4}), c.input("k", {3, 4}, false)};
    auto matrix = [&] {
        for (;;) {
            NodeId id = values[random() % values.size()];
            if (c.b.type(id).sizes == ir::Shape{3, 4}) return id;
        }
    };
    auto any = [&](NodeId with) { // broadcasts with a [3, 4]
        for (;;) {
            NodeId id = values[random() % values.size()];
            if (c.b.type(id).sizes != ir::Shape{4, 4} || c.b.type(with).rank() == 0) return id;
        }
    };
    int steps = 4 + static_cast<int>(random() % 14);
    for (int step = 0; step < steps; ++step) {
        NodeId x = matrix(), y = any(x);
        switch (random() % 14) {
        case 0:
            values.push_back(c.call("sin", {x}));
            break;
        case 1:
            values.push_back(c.call("cos", {x}));
            break;
        case 2:
            values.push_back(c.call("tanh", {x}));
            break;
        case 3:
            values.push_back(c.b.add(x, y));
            break;
        case 4:
            values.push_back(c.b.mul(x, y));
            break;
        case 5:
            values.push_back(c.b.sub(x, y));
            break;
        case 6:
            values.push_back(c.b.add(x, Arg(ir::Sym(1))));
            break;
        case 7:
            values.push_back(c.b.mul(x, 0.5));
            break;
        case 8:
            values.push_back(c.call("sum.dim_IntList", {x, ints({1}), true}));
            break;
        case 9:
            values.push_back(c.call("log", {c.call("exp", {x})}));
            break;
        case 10:
            values.push_back(c.call("mm", {x, values[3]}));
            break;
        case 11:
            values.push_back(c.b.permute(c.b.permute(x, {1, 0}), {1, 0}));
            break;
        case 12:
            values.push_back(c.b.neg(c.b.neg(x)));
            break;
        default:
            values.push_back(c.call("sigmoid", {c.b.add(x, 0.0)}));
            break;
        }
    }
    int outputs = 1 + static_cast<int>(random() % 3);
    for (int k = 0; k < outputs; ++k)
        c.output(values[values.size() - 1 - random() % 4]);
    return std::move(c.graph);
}

} // namespace cutaway::testing
