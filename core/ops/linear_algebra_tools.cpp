// SPDX-License-Identifier: Apache-2.0
#include "core/ops/linear_algebra_tools.h"

#include "core/ops/sample_tools.h"

#include "core/ops/composite.h"

#include <fmt/format.h>

namespace cutaway::ops {

using ir::DType;

void wantMatrices(const Operands& x, size_t i, bool square) {
    const ir::TensorType& type = x.type(i);
    if (type.rank() < 2)
        refuseCall(
            x, fmt::format("expected matrices, found a tensor of shape {}", ir::str(type.sizes)));
    const MatrixSizes s(type);
    if (square && !x.call().same(s.rows, s.columns))
        refuseCall(x, fmt::format("expected batches of square matrices, found {} by {} matrices",
                                  s.rows.str(), s.columns.str()));
    if (type.dtype != DType::Float32 && type.dtype != DType::Float64)
        refuseCall(x, fmt::format("expected float32 or float64, found {}", ir::name(type.dtype)),
                   "convert it with .to(torch.float32)", ErrorClass::NotImplemented);
}
ir::Sym leastOf(const Operands& x, const MatrixSizes& s) {
    return x.call().atMost(s.rows, s.columns) ? s.rows : s.columns;
}
Value identityLike(const Operands& x, const ir::Sym& n) {
    return convert(diagonalMask(x.b, n, x.type(0).device), x.type(0).dtype);
}

Value triangularSolve(const Value& a, const Value& b, bool upper, bool unit) {
    const ir::Shape sizes = b.type().sizes;
    const char* words = upper ? (unit ? "triangular, upper, unit" : "triangular, upper")
                              : (unit ? "triangular, unit" : "triangular");
    return reshape(matrixTask(a, b, words), sizes);
}
void broadcastBatches(const Operands& x, Value& a, Value& b) {
    MatrixSizes first(a.type()), second(b.type());
    const ir::Shape batch = orRefuse(broadcast(x.call(), first.batch, second.batch));
    auto grown = [&](const Value& v, const MatrixSizes& s) {
        ir::Shape sizes = batch;
        sizes.push_back(s.rows);
        sizes.push_back(s.columns);
        return Value(expand(v, sizes));
    };
    a = grown(a, first);
    b = grown(b, second);
}
Triangles trianglesOf(const Operands& x, const Value& both) {
    const MatrixSizes s(both.type());
    const ir::Sym k = leastOf(x, s);
    const size_t row = s.batch.size();
    Value l = sliced(both, row + 1, 0, k), u = sliced(both, row, 0, k);
    Value order = positions(x.b, s.rows, x.type(0).device);
    Value across = positions(x.b, k, x.type(0).device);
    Value one = convert(eq(unsqueeze(order, -1), across), both.type().dtype);
    return {aten("tril", l, -1) + one, aten("triu", u)};
}
Value permutation(const Operands& x, const Value& places, DType dtype) {
    const ir::Sym m = places.type().sizes.back();
    Value order = positions(x.b, m, x.type(0).device);
    return convert(eq(columns(places), unsqueeze(order, -1)), dtype);
}

bool isVector(const Operands& x, const ir::TensorType& a, const ir::TensorType& b) {
    if (b.rank() == 1) return true;
    return b.rank() + 1 == a.rank() &&
           x.call().same(ir::Shape(a.sizes.begin(), a.sizes.end() - 1), b.sizes);
}

std::vector<Sample> definites(std::vector<ir::Arg> tail, bool gradient) {
    std::vector<Sample> all;
    for (const SampleTensor& t : {f32({3, 3}), f64({2, 3, 3}), f64({1, 1})}) {
        Sample sample = gradient ? good({definite(t)}, {T(0)}) : forwardOnly({definite(t)}, {T(0)});
        sample.args.insert(sample.args.end(), tail.begin(), tail.end());
        all.push_back(sample);
    }
    return all;
}
std::vector<Sample> rectangles() {
    return {good({f64({3, 2})}, {T(0)}), good({f64({2, 2, 3})}, {T(0)}),
            good({transposed(f32({3, 3}))}, {T(0)})};
}

Value nothingOf(const Value& a) {
    Value flat = formula::reshape(a, {a.type().numel()});
    return aten("clone", sliced(flat, 0, ir::Sym(0), ir::Sym(0)), "contiguous_format");
}

} // namespace cutaway::ops
