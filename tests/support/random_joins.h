// SPDX-License-Identifier: Apache-2.0
/// \file
/// Random captured graphs of stores, cuts and joins, one for each seed. For tests only.
#pragma once

#include "tests/support/captured_graphs.h"

#include <random>

namespace cutaway::testing {

inline NodeId sliceStore(Captured& c, NodeId into, NodeId value, int64_t dim, int64_t start,
                         int64_t end, int64_t step = 1) {
    return c.call("slice_scatter", {into, value, Arg(ir::Sym(dim)), Arg(ir::Sym(start)),
                                    Arg(ir::Sym(end)), Arg(ir::Sym(step))});
}
inline NodeId selectStore(Captured& c, NodeId into, NodeId value, int64_t dim, int64_t at) {
    return c.call("select_scatter", {into, value, Arg(ir::Sym(dim)), Arg(ir::Sym(at))});
}
inline NodeId slice(Captured& c, NodeId of, int64_t dim, int64_t start, int64_t end,
                    const char* op = "slice.Tensor", int64_t step = 1) {
    return c.call(
        op, {of, Arg(ir::Sym(dim)), Arg(ir::Sym(start)), Arg(ir::Sym(end)), Arg(ir::Sym(step))});
}
inline NodeId cat(Captured& c, std::initializer_list<NodeId> parts, int64_t dim) {
    return c.call("cat", {Arg(ArgList(parts.begin(), parts.end())), Arg(ir::Sym(dim))});
}

/// Stores and reads at random, along both dimensions.
inline ir::Graph randomStores(unsigned seed) {
    std::mt19937 random(seed);
    Captured c;
    const NodeId x = c.input("x", {6, 4}, random() % 2 == 0);
    NodeId y = random() % 2 ? x : c.call("cos", {x});
    std::vector<NodeId> read;
    const int64_t fixed = random() % 3; // 2: any dimension
    for (int step = 0; step < 8; ++step) {
        const int64_t dim = fixed < 2 ? fixed : random() % 2, size = dim == 0 ? 6 : 4;
        const auto start = static_cast<int64_t>(random() % static_cast<unsigned>(size));
        const int64_t end =
            start + 1 + static_cast<int64_t>(random() % static_cast<unsigned>(size - start));
        const std::string name = "v" + std::to_string(step);
        switch (random() % 6) {
        case 0:
            y = selectStore(c, y,
                            c.call("sin", {c.input(name, {dim == 0 ? 4 : 6}, random() % 3 == 0)}),
                            dim, random() % 2 ? start : start - size);
            break;
        case 1:
            read.push_back(
                c.call("cos", {slice(c, y, dim, start, end,
                                     random() % 2 ? "slice_copy.Tensor" : "slice.Tensor")}));
            break;
        case 2:
            read.push_back(c.call(random() % 2 ? "select.int" : "select_copy.int",
                                  {y, Arg(ir::Sym(dim)), Arg(ir::Sym(start))}));
            break;
        default: {
            const ir::Shape sizes =
                dim == 0 ? ir::Shape{end - start, 4} : ir::Shape{6, end - start};
            y = sliceStore(c, y, c.input(name, sizes, random() % 3 == 0), dim, start, end, 1);
        }
        }
    }
    if (random() % 3) c.output(y);
    c.output(c.call("tanh", {y}));
    for (NodeId id : read)
        if (random() % 2) c.output(id);
    return std::move(c.graph);
}

/// Cuts and joins at random along both dimensions.
inline ir::Graph randomCuts(unsigned seed) {
    std::mt19937 random(seed);
    Captured c;
    std::vector<NodeId> values = {c.input("x", {6, 4}), c.input("y", {6, 4})};
    auto any = [&] { return values[random() % values.size()]; };
    for (int step = 0; step < 10; ++step) {
        const NodeId x = any();
        const int64_t dim = random() % 2;
        const int64_t size = c.b.type(x).sizes[static_cast<size_t>(dim)].constant();
        const auto middle = static_cast<int64_t>(random() % static_cast<unsigned>(size));
        switch (random() % 6) {
        case 0:
            values.push_back(c.call("cos", {x}));
            break;
        case 1:
            if (middle > 0)
                values.push_back(
                    cat(c, {slice(c, x, dim, 0, middle), slice(c, x, dim, middle, size)}, dim));
            break;
        case 2:
            if (middle > 0)
                values.push_back(
                    cat(c, {slice(c, x, dim, middle, size), slice(c, x, dim, 0, middle)}, dim));
            break;
        case 3:
            if (size < 12) values.push_back(cat(c, {x, c.call("sin", {x})}, dim));
            break;
        case 4:
            if (middle > 0)
                values.push_back(slice(c, x, dim, random() % 2 ? 0 : middle / 2, middle));
            break;
        default: {
            const NodeId pair = c.call("chunk", {x, Arg(ir::Sym(2)), Arg(ir::Sym(dim))});
            if (c.graph.node(pair).types.size() != 2) break;
            const NodeId a = c.b.getitem(pair, 0), b = c.b.getitem(pair, 1);
            values.push_back(random() % 2 ? cat(c, {a, b}, dim) : cat(c, {c.b.neg(b), a}, dim));
        }
        }
    }
    for (size_t i = 2; i < values.size(); ++i)
        if (random() % 3 == 0) c.output(values[i]);
    c.output(c.call("tanh", {values.back()}));
    return std::move(c.graph);
}

} // namespace cutaway::testing
