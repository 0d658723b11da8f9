// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes loop IR by hand for tests of what comes after lowering: broadcasting pointwise buffers,
/// reductions with kept dimensions, permuted reads.
#pragma once

#include "core/kernel/interpret.h"
#include "core/kernel/kernel_program.h"

#include <algorithm>
#include <random>

namespace cutaway::testing {

using kernel::Buffer;
using kernel::BufferId;
using kernel::BufferKind;
using kernel::Coord;
using kernel::ExprId;
using kernel::ReduceOp;
using kernel::ScalarOp;

class LoopBuilder {
public:
    kernel::LoopProgram program;

    BufferId input(const std::string& name, std::vector<int64_t> sizes,
                   ir::DType dtype = ir::DType::Float32) {
        Buffer b = make(name, BufferKind::Input, sizes, dtype);
        const BufferId id = add(b);
        program.inputs.push_back(id);
        return id;
    }
    ExprId number(double value, ir::DType dtype = ir::DType::Float32) {
        return program.pool.constant(dtype, value);
    }
    /// Element of \p id broadcast (aligned right) to loops of \p sizes.
    ExprId at(BufferId id, const std::vector<int64_t>& sizes) {
        const Buffer& b = program.buffer(id);
        std::vector<Coord> coords;
        const size_t shift = sizes.size() - b.sizes.size();
        for (size_t i = 0; i < b.sizes.size(); ++i)
            coords.push_back(
                {b.sizes[i].is(1) ? ir::Sym(0) : ir::Sym(kernel::dimVar(shift + i)), {}});
        return program.pool.load(id, b.dtype, coords);
    }
    /// Element of a matrix with its indices swapped.
    ExprId transposed(BufferId id) {
        const Buffer& b = program.buffer(id);
        auto coord = [&](size_t dim, size_t loop) -> Coord {
            return {b.sizes[dim].is(1) ? ir::Sym(0) : ir::Sym(kernel::dimVar(loop)), {}};
        };
        return program.pool.load(id, b.dtype, {coord(0, 1), coord(1, 0)});
    }
    BufferId pointwise(const std::string& name, std::vector<int64_t> sizes, ExprId body) {
        Buffer b = make(name, BufferKind::Pointwise, sizes, program.pool[body].dtype);
        b.body = body;
        return add(b);
    }
    BufferId unary(const std::string& name, ScalarOp op, BufferId a) {
        const auto sizes = ir::constants(program.buffer(a).sizes);
        return pointwise(name, sizes, program.pool.op(op, {at(a, sizes)}));
    }
    BufferId binary(const std::string& name, ScalarOp op, BufferId a, BufferId b) {
        const auto x = ir::constants(program.buffer(a).sizes),
                   y = ir::constants(program.buffer(b).sizes);
        std::vector<int64_t> sizes(std::max(x.size(), y.size()), 1);
        for (size_t i = 0; i < sizes.size(); ++i) {
            if (i < x.size()) sizes[sizes.size() - 1 - i] = x[x.size() - 1 - i];
            if (i < y.size() && y[y.size() - 1 - i] != 1)
                sizes[sizes.size() - 1 - i] = y[y.size() - 1 - i];
        }
        return pointwise(name, sizes, program.pool.op(op, {at(a, sizes), at(b, sizes)}));
    }
    /// The same elements in row-major order under other sizes.
    BufferId reshaped(const std::string& name, BufferId a, const std::vector<int64_t>& sizes) {
        const Buffer& b = program.buffer(a);
        const ir::Shape to(sizes.begin(), sizes.end());
        const ir::Shape strides = ir::contiguousStrides(to);
        ir::Sym flat(0);
        for (size_t i = 0; i < to.size(); ++i)
            if (!to[i].is(1)) flat = flat + ir::Sym(kernel::dimVar(i)) * strides[i];
        std::vector<Coord> coords;
        const auto bound = [&](ir::Var v) { return std::optional(sizes[v.index]); };
        for (size_t i = b.sizes.size(); i-- > 0; flat = ir::floorDiv(flat, b.sizes[i]))
            coords.insert(coords.begin(), {ir::mod(flat, b.sizes[i]).simplify(bound), {}});
        return pointwise(name, sizes, program.pool.load(a, b.dtype, coords));
    }
    BufferId scaled(const std::string& name, ScalarOp op, BufferId a, double value) {
        const auto sizes = ir::constants(program.buffer(a).sizes);
        return pointwise(name, sizes, program.pool.op(op, {at(a, sizes), number(value)}));
    }
    BufferId reduce(const std::string& name, ReduceOp op, BufferId a, std::vector<int> dims,
                    bool keepdim) {
        const Buffer source = program.buffer(a);
        std::vector<int64_t> sizes;
        std::vector<Coord> coords;
        ir::Shape reduced;
        for (size_t i = 0; i < source.sizes.size(); ++i) {
            if (std::find(dims.begin(), dims.end(), static_cast<int>(i)) != dims.end()) {
                coords.push_back({kernel::reduceVar(reduced.size()), {}});
                reduced.push_back(source.sizes[i]);
                if (keepdim) sizes.push_back(1);
                continue;
            }
            const bool single = source.sizes[i].is(1);
            coords.push_back({single ? ir::Sym(0) : ir::Sym(kernel::dimVar(sizes.size())), {}});
            sizes.push_back(source.sizes[i].constant());
        }
        const bool arg = op == ReduceOp::ArgMax || op == ReduceOp::ArgMin;
        Buffer b = make(name, BufferKind::Reduction, sizes, arg ? ir::DType::Int64 : source.dtype);
        b.reduced = reduced;
        b.reduce = op;
        b.body = program.pool.load(a, source.dtype, coords);
        return add(b);
    }
    /// Rows of \p updates added to the rows \p index of \p base, a pointwise buffer.
    BufferId scatterRows(const std::string& name, BufferId base, BufferId index, BufferId updates) {
        const Buffer start = program.buffer(base), rows = program.buffer(updates);
        Buffer b = make(name, BufferKind::Scatter, ir::constants(start.sizes), start.dtype);
        b.base = base;
        b.reduced = rows.sizes;
        const ir::Sym row(kernel::reduceVar(0)), column(kernel::reduceVar(1));
        b.body = program.pool.load(updates, rows.dtype, {{row, {}}, {column, {}}});
        const ExprId at = program.pool.load(index, ir::DType::Int64, {{row, {}}});
        b.place = program.pool.load(BufferId(static_cast<uint32_t>(program.buffers.size())),
                                    b.dtype, {{ir::Sym(0), at}, {column, {}}});
        return add(b);
    }
    kernel::StridedView whole(BufferId id) const {
        const Buffer& b = program.buffer(id);
        return {id, b.sizes, b.strides, ir::Sym(0)};
    }
    BufferId matmul(const std::string& name, BufferId a, BufferId b) {
        Buffer out =
            make(name, BufferKind::Library,
                 {program.buffer(a).sizes[0].constant(), program.buffer(b).sizes[1].constant()},
                 program.buffer(a).dtype);
        out.call.emplace();
        out.call->operands = {whole(a), whole(b)};
        out.call->sizes = out.sizes;
        out.call->strides = out.strides;
        return add(out);
    }
    /// Along the last dimension.
    BufferId scan(const std::string& name, kernel::RowCall::Running running, BufferId a,
                  bool backwards = false) {
        const Buffer source = program.buffer(a);
        kernel::LibraryCall call;
        call.op = kernel::LibraryOp::Scan;
        call.row = {.dim = static_cast<int>(source.sizes.size()) - 1,
                    .dtype = source.dtype,
                    .running = running,
                    .backwards = backwards};
        Buffer out = make(name, BufferKind::Library, ir::constants(source.sizes),
                          call.row.givesPlaces() ? ir::DType::Int64 : source.dtype);
        call.operands = {whole(a)};
        call.sizes = out.sizes;
        call.strides = out.strides;
        out.call = call;
        return add(out);
    }
    void output(BufferId id) {
        program.outputs.push_back(whole(id));
        program.outputNames.push_back(program.buffer(id).name);
    }

private:
    static Buffer make(const std::string& name, BufferKind kind, const std::vector<int64_t>& sizes,
                       ir::DType dtype) {
        Buffer b;
        b.name = name;
        b.kind = kind;
        b.dtype = dtype;
        b.sizes = ir::Shape(sizes.begin(), sizes.end());
        b.strides = ir::contiguousStrides(b.sizes);
        return b;
    }
    BufferId add(Buffer b) {
        b.id = BufferId(static_cast<uint32_t>(program.buffers.size()));
        b.from = {b.id.index};
        program.buffers.push_back(b);
        return b.id;
    }
};

/// Values for every input: floats in [-2, 2), integers in [0, 3].
inline std::vector<ir::HostTensor> randomInputs(const kernel::LoopProgram& program, uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<ir::HostTensor> inputs;
    for (BufferId id : program.inputs) {
        const Buffer& b = program.buffer(id);
        ir::HostTensor t = ir::HostTensor::zeros(b.dtype, ir::constants(b.sizes));
        for (int64_t i = 0; i < t.numel(); ++i) {
            if (ir::isFloating(b.dtype))
                t.set(i, (random() % 4096) / 1024.0 - 2);
            else
                t.setInt(i, random() % (b.dtype == ir::DType::Bool ? 2 : 4));
        }
        inputs.push_back(t);
    }
    return inputs;
}

/// The first difference beyond rounding between two lists of tensors; empty when there is none.
inline std::string difference(const std::vector<ir::HostTensor>& a,
                              const std::vector<ir::HostTensor>& b, double tolerance) {
    if (a.size() != b.size()) return "different numbers of outputs";
    for (size_t k = 0; k < a.size(); ++k) {
        if (a[k].sizes != b[k].sizes || a[k].dtype != b[k].dtype ||
            a[k].bytes.size() != b[k].bytes.size())
            return "output " + std::to_string(k) + " differs in type";
        if (a[k].bytes.empty()) continue;
        for (int64_t i = 0; i < a[k].numel(); ++i) {
            const double x = a[k].get(i), y = b[k].get(i);
            if (std::isnan(x) && std::isnan(y)) continue;
            if (x == y || std::fabs(x - y) <= tolerance * (1 + std::fabs(x))) continue;
            return "output " + std::to_string(k) + " element " + std::to_string(i) + ": " +
                   std::to_string(x) + " and " + std::to_string(y);
        }
    }
    return {};
}

} // namespace cutaway::testing
