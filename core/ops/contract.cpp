// SPDX-License-Identifier: Apache-2.0
// Matrix products. Gradients as mm_mat1_backward and mm_mat2_backward: computed in the layout of
// the operand, so that weights stored transposed get gradients stored alike.
#include "core/ir/dtype_words.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/out_dtypes.h"
#include "core/ops/reference_tools.h"
#include "core/ops/refused_dtypes.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::ops {

namespace {

using ir::Shape;
using ir::Sym;
using ir::TensorType;

base::Status sameDType(const OpCall& call, size_t a, size_t b) {
    const ir::DType x = call.tensor(a).dtype, y = call.tensor(b).dtype;
    if (x == y) return {};
    const std::string_view base = call.def.parsed.base;
    if (base == "mm" || base == "matmul" || (base == "linear" && !call.has(2)))
        return base::userError({}, fmt::format("expected m1 and m2 to have the same dtype, but "
                                               "got: {} != {}",
                                               ir::nameInCpp(x), ir::nameInCpp(y)));
    if (base == "addmm" || base == "linear")
        return base::userError({}, fmt::format("mat1 and mat2 must have the same dtype, but got {} "
                                               "and {}",
                                               ir::scalarType(x), ir::scalarType(y)));
    return refuse(call, fmt::format("expected operands of one dtype, found {} and {}", ir::name(x),
                                    ir::name(y)));
}

/// Of matrices; of an input of more dimensions its rows.
base::Diagnostic misfit(const OpCall& call, const Shape& x, const Shape& y) {
    const std::string_view name = call.def.parsed.base;
    const bool added = name == "addmm" || (name == "linear" && call.has(2));
    Sym rows(1);
    for (size_t i = 0; i + 1 < x.size(); ++i)
        rows = rows * x[i];
    return base::userError(
        {},
        fmt::format("{}: mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})",
                    added ? "addmm" : "mm", rows.str(), x.back().str(), y[0].str(), y[1].str()));
}

base::Status innerSizes(const OpCall& call, size_t a, size_t b) {
    const Shape &x = call.tensor(a).sizes, &y = call.tensor(b).sizes;
    if (call.same(x.back(), y[y.size() - 2])) return {};
    if (x.size() == 3)
        return base::userError({}, fmt::format("Expected size for first two dimensions of batch2 "
                                               "tensor to be: [{}, {}] but got: [{}, {}].",
                                               x[0].str(), x[2].str(), y[0].str(), y[1].str()));
    return misfit(call, x, y);
}

base::Status haveRank(const OpCall& call, size_t a, size_t b, size_t rank) {
    if (call.tensor(a).rank() == rank && call.tensor(b).rank() == rank) return {};
    const bool first = call.tensor(a).rank() != rank;
    if (rank == 3)
        return base::userError({}, fmt::format("batch{} must be a 3D tensor", first ? 1 : 2));
    const std::string_view name = call.def.parsed.base;
    return base::userError({}, fmt::format("{}: {} must be a matrix, got {}-D tensor", name,
                                           !first         ? "mat2"
                                           : name == "mm" ? "self"
                                                          : "mat1",
                                           call.tensor(first ? a : b).rank()));
}

Result<Types> mmShape(const OpCall& call) {
    CUTAWAY_TRY(ir::Device device, commonDevice(call));
    CUTAWAY_CHECK(haveRank(call, 0, 1, 2));
    CUTAWAY_CHECK(innerSizes(call, 0, 1));
    CUTAWAY_CHECK(sameDType(call, 0, 1));
    const TensorType &a = call.tensor(0), &b = call.tensor(1);
    return one(TensorType::contiguous(a.dtype, {a.sizes[0], b.sizes[1]}, device));
}

Result<Types> bmmShape(const OpCall& call) {
    CUTAWAY_TRY(ir::Device device, commonDevice(call));
    CUTAWAY_CHECK(haveRank(call, 0, 1, 3));
    const TensorType &a = call.tensor(0), &b = call.tensor(1);
    if (!call.same(a.sizes[0], b.sizes[0]))
        return refuse(call, fmt::format("batch sizes differ: {} against {}", ir::str(a.sizes),
                                        ir::str(b.sizes)));
    CUTAWAY_CHECK(innerSizes(call, 0, 1));
    CUTAWAY_CHECK(sameDType(call, 0, 1));
    return one(TensorType::contiguous(a.dtype, {a.sizes[0], a.sizes[1], b.sizes[2]}, device));
}

Result<Types> addmmShape(const OpCall& call) {
    CUTAWAY_TRY(ir::Device device, commonDevice(call));
    if (call.real(3) != 1 || call.real(4) != 1)
        return refuse(call, "beta and alpha other than 1 are not supported",
                      "write beta * c + alpha * (a @ b)");
    CUTAWAY_CHECK(haveRank(call, 1, 2, 2));
    CUTAWAY_CHECK(innerSizes(call, 1, 2));
    CUTAWAY_CHECK(sameDType(call, 1, 2));
    CUTAWAY_CHECK(sameDType(call, 0, 1));
    Shape sizes{call.tensor(1).sizes[0], call.tensor(2).sizes[1]};
    auto both = broadcast(call, call.tensor(0).sizes, sizes);
    if (!both.ok() || !call.same(*both, sizes))
        return refuse(call, fmt::format("shape {} cannot be expanded to the product's {}",
                                        ir::str(call.tensor(0).sizes), ir::str(sizes)));
    return one(TensorType::contiguous(call.tensor(1).dtype, std::move(sizes), device));
}

// --- gradients ---

std::vector<int> lastTwoExchanged(size_t rank) {
    std::vector<int> dims = allDims(rank);
    std::swap(dims[rank - 1], dims[rank - 2]);
    return dims;
}
/// Its argument is in the graph: the rank is read off.
Formula transposedLast(const Value& x) {
    return permute(x, lastTwoExchanged(x.type().rank()));
}

bool columnMajor(const TensorType& type) {
    return type.strides[0].is(1) && ir::provable(ir::equal(type.strides[1], type.sizes[0]));
}

Formula mat1Gradient(const Value& grad, const Value& mat1, const Value& mat2) {
    if (columnMajor(mat1.type())) return permute(aten("mm", mat2, transposedLast(grad)), {1, 0});
    return aten("mm", grad, transposedLast(mat2));
}

Formula mat2Gradient(const Value& grad, const Value& mat1, const Value& mat2) {
    if (columnMajor(mat2.type())) return permute(aten("mm", transposedLast(grad), mat1), {1, 0});
    return aten("mm", transposedLast(mat1), grad);
}

void mmVjp(Vjp& v) {
    v.set(1, mat2Gradient(v.grad, v.tensor(0), v.tensor(1)));
    v.set(0, mat1Gradient(v.grad, v.tensor(0), v.tensor(1)));
}

void bmmVjp(Vjp& v) {
    v.set(1, aten("bmm", transposedLast(v.tensor(0)), v.grad));
    v.set(0, aten("bmm", v.grad, transposedLast(v.tensor(1))));
}

void addmmVjp(Vjp& v) {
    v.set(1, mat1Gradient(v.grad, v.tensor(1), v.tensor(2)));
    v.set(2, mat2Gradient(v.grad, v.tensor(1), v.tensor(2)));
    v.set(0, v.grad);
}

// --- matmul, linear ---

Result<Types> matmulShape(const OpCall& call) {
    CUTAWAY_TRY(ir::Device device, commonDevice(call));
    const TensorType &a = call.tensor(0), &b = call.tensor(1);
    if (a.rank() == 0 || b.rank() == 0)
        return refuse(call,
                      fmt::format("expected at least 1 dimension in both, found shapes {} and {}",
                                  ir::str(a.sizes), ir::str(b.sizes)));
    Sym rows = b.rank() == 1 ? b.sizes[0] : b.sizes[b.rank() - 2];
    if (!call.same(a.sizes.back(), rows)) {
        const bool plain = b.rank() == 2 || (b.rank() == 1 && a.rank() > 2);
        if (plain) return misfit(call, a.sizes, b.rank() == 2 ? b.sizes : Shape{rows, Sym(1)});
        return refuse(call, fmt::format("inner sizes differ: {} has {} columns, {} has {} rows",
                                        ir::str(a.sizes), a.sizes.back().str(), ir::str(b.sizes),
                                        rows.str()));
    }
    CUTAWAY_CHECK(sameDType(call, 0, 1));
    auto batch = [](const TensorType& type) {
        size_t count = type.rank() < 2 ? 0 : type.rank() - 2;
        return Shape(type.sizes.begin(), type.sizes.begin() + static_cast<std::ptrdiff_t>(count));
    };
    CUTAWAY_TRY(Shape sizes, broadcast(call, batch(a), batch(b)));
    if (a.rank() > 1) sizes.push_back(a.sizes[a.rank() - 2]);
    if (b.rank() > 1) sizes.push_back(b.sizes.back());
    return one(TensorType::contiguous(a.dtype, std::move(sizes), device));
}

Sym productOf(std::span<const Sym> sizes) {
    Sym count(1);
    for (const Sym& size : sizes)
        count = count * size;
    return count;
}

/// [.., M, K] x [K, N] as [.. * M, K] x [K, N].
Formula foldedProduct(const Value& x, const Value& y) {
    Shape sizes = x.type().sizes;
    Shape rows{productOf(std::span(sizes).first(sizes.size() - 1)), sizes.back()};
    sizes.back() = y.type().sizes.back();
    return aten("_unsafe_view", aten("mm", reshape(x, rows), y), sizes);
}

Formula batchedProduct(const Value& x, const Value& y, Shape batch) {
    auto flattened = [&](const Value& operand) {
        Shape matrix(operand.type().sizes.end() - 2, operand.type().sizes.end()), wide = batch;
        wide.insert(wide.end(), matrix.begin(), matrix.end());
        return reshape(aten("expand", operand, wide), {productOf(batch), matrix[0], matrix[1]});
    };
    Value left = flattened(x), right = flattened(y);
    Shape sizes = batch;
    sizes.push_back(left.type().sizes[1]);
    sizes.push_back(right.type().sizes[2]);
    return aten("_unsafe_view", aten("bmm", left, right), sizes);
}

/// at::native::_matmul_impl: a product of many rows by one matrix is one mm, the rest is bmm over
/// expanded batches.
Results matmul(const Operands& in) {
    Value x = in.tensor(0), y = in.tensor(1), product;
    const bool row = x.type().rank() == 1, column = y.type().rank() == 1;
    if (row && column && ir::sizeBytes(x.type().dtype) >= 4) return {aten("dot", x, y)};
    if (column && x.type().rank() == 2) return {aten("mv", x, y)};
    if (row) x = unsqueeze(x, 0);
    if (column) y = unsqueeze(y, 1);
    const size_t rank = std::max(x.type().rank(), y.type().rank());
    if (rank == 2)
        product = aten("mm", x, y);
    else if (y.type().rank() == 2)
        product = foldedProduct(x, y);
    else
        product =
            batchedProduct(x, y,
                           Shape(in.node.types[0].sizes.begin(),
                                 in.node.types[0].sizes.begin() + static_cast<int64_t>(rank - 2)));
    if (column) product = squeeze(product, -1);
    if (row) product = squeeze(product, column ? -1 : -2);
    return {product};
}

Result<Types> linearShape(const OpCall& call) {
    CUTAWAY_TRY(ir::Device device, commonDevice(call));
    const TensorType &x = call.tensor(0), &w = call.tensor(1);
    const bool flat = w.rank() == 1 && !call.has(2);
    if (x.rank() == 0 || (w.rank() != 2 && !flat))
        return refuse(call,
                      fmt::format("expected input [.., in] and weight [out, in], found {} and {}",
                                  ir::str(x.sizes), ir::str(w.sizes)));
    if (!call.same(x.sizes.back(), w.sizes.back())) {
        base::Diagnostic why = flat ? refuse(call, "sizes differ")
                                    : misfit(call, x.sizes, Shape{w.sizes[1], w.sizes[0]});
        why.hint =
            fmt::format("the input {} has {} features, the weight {} expects {}", ir::str(x.sizes),
                        x.sizes.back().str(), ir::str(w.sizes), w.sizes.back().str());
        return why;
    }
    if (call.has(2) && !call.same(call.tensor(2).sizes, Shape{w.sizes[0]}))
        return refuse(call, fmt::format("expected bias [{}], found {}", w.sizes[0].str(),
                                        ir::str(call.tensor(2).sizes)));
    CUTAWAY_CHECK(sameDType(call, 0, 1));
    if (call.has(2)) CUTAWAY_CHECK(sameDType(call, 0, 2));
    Shape sizes = x.sizes;
    sizes.pop_back();
    if (!flat) sizes.push_back(w.sizes[0]);
    return one(TensorType::contiguous(x.dtype, std::move(sizes), device));
}

/// at::linear: the weight's transpose, then addmm over rows; a weight of one row in one dimension.
Results linear(const Operands& in) {
    if (in.type(1).rank() == 1) return {aten("matmul", in[0], in[1])};
    Value x = in.tensor(0);
    const Shape sizes = x.type().sizes;
    const bool flat = sizes.size() == 2;
    if (!flat) x = reshape(x, {productOf(std::span(sizes).first(sizes.size() - 1)), sizes.back()});
    Value weight = aten("t", in[1]);
    Value y = in.has(2) ? aten("addmm", in[2], x, weight) : aten("mm", x, weight);
    return {flat ? y : Value(aten("_unsafe_view", y, in.node.types[0].sizes))};
}

// --- references ---

/// out[m, n] += a[m, k] * b[k, n], the innermost loop along rows of b and out; a row of b is read
/// for four of out.
void multiplyInto(const double* a, const double* b, double* out, int64_t m, int64_t k, int64_t n) {
    int64_t i = 0;
    for (; i + 4 <= m; i += 4)
        for (int64_t p = 0; p < k; ++p) {
            const double f0 = a[i * k + p], f1 = a[(i + 1) * k + p], f2 = a[(i + 2) * k + p],
                         f3 = a[(i + 3) * k + p];
            const double* __restrict row = b + p * n;
            double* __restrict to = out + i * n;
            for (int64_t j = 0; j < n; ++j) {
                const double x = row[j];
                to[j] += f0 * x;
                to[n + j] += f1 * x;
                to[2 * n + j] += f2 * x;
                to[3 * n + j] += f3 * x;
            }
        }
    for (; i < m; ++i)
        for (int64_t p = 0; p < k; ++p) {
            const double factor = a[i * k + p];
            const double* row = b + p * n;
            double* to = out + i * n;
            for (int64_t j = 0; j < n; ++j)
                to[j] += factor * row[j];
        }
}

Values mmReference(const OpCall&, Tensors tensors) {
    const ir::HostTensor &a = *tensors[0], &b = *tensors[1];
    size_t rank = a.sizes.size();
    int64_t m = a.sizes[rank - 2], k = a.sizes[rank - 1], n = b.sizes[rank - 1];
    int64_t batch = rank == 3 ? a.sizes[0] : 1;
    std::vector<double> x = valuesOf<double>(a), y = valuesOf<double>(b);
    std::vector<double> out(static_cast<size_t>(batch * m * n));
    for (int64_t i = 0; i < batch; ++i)
        multiplyInto(x.data() + i * m * k, y.data() + i * k * n, out.data() + i * m * n, m, k, n);
    Sizes sizes = a.sizes;
    sizes.back() = n;
    return oneValue(tensorOf(a.dtype, sizes, out));
}

Values addmmReference(const OpCall&, Tensors tensors) {
    const ir::HostTensor &c = *tensors[0], &a = *tensors[1], &b = *tensors[2];
    int64_t m = a.sizes[0], k = a.sizes[1], n = b.sizes[1];
    std::vector<double> x = valuesOf<double>(a), y = valuesOf<double>(b), z = valuesOf<double>(c);
    std::vector<double> out(static_cast<size_t>(m * n));
    multiplyInto(x.data(), y.data(), out.data(), m, k, n);
    Odometer<1> at({m, n}, {broadcastStrides(c.sizes, {m, n})});
    for (double& value : out) {
        value += z[static_cast<size_t>(at.offsets[0])];
        at.next();
    }
    return oneValue(tensorOf(a.dtype, {m, n}, out));
}

/// Element by element over broadcast batches.
Values matmulReference(const OpCall&, Tensors tensors) {
    ir::HostTensor a = *tensors[0], b = *tensors[1];
    bool rowVector = a.sizes.size() == 1, columnVector = b.sizes.size() == 1;
    if (rowVector) a.sizes.insert(a.sizes.begin(), 1);
    if (columnVector) b.sizes.push_back(1);
    Sizes batchA(a.sizes.begin(), a.sizes.end() - 2), batchB(b.sizes.begin(), b.sizes.end() - 2);
    Sizes batch = broadcastSizes({batchA, batchB});
    int64_t m = a.sizes[a.sizes.size() - 2], k = a.sizes.back(), n = b.sizes.back();
    std::vector<double> x = valuesOf<double>(a), y = valuesOf<double>(b);
    std::vector<double> out(static_cast<size_t>(product(batch) * m * n));
    Odometer<2> at(batch, {broadcastStrides(batchA, batch), broadcastStrides(batchB, batch)});
    for (int64_t i = 0; i < product(batch); ++i, at.next())
        multiplyInto(x.data() + at.offsets[0] * m * k, y.data() + at.offsets[1] * k * n,
                     out.data() + i * m * n, m, k, n);
    Sizes sizes = batch;
    if (!rowVector) sizes.push_back(m);
    if (!columnVector) sizes.push_back(n);
    return oneValue(tensorOf(a.dtype, sizes, out));
}

Values linearReference(const OpCall& call, Tensors tensors) {
    std::vector<double> x = valuesOf<double>(*tensors[0]), w = valuesOf<double>(*tensors[1]);
    int64_t in = tensors[1]->sizes[1], features = tensors[1]->sizes[0];
    std::vector<double> bias(static_cast<size_t>(features));
    if (call.has(2)) bias = valuesOf<double>(*tensors[2]);
    Sizes sizes = tensors[0]->sizes;
    sizes.back() = features;
    std::vector<double> out(static_cast<size_t>(product(sizes)));
    for (size_t i = 0; i < out.size(); ++i) {
        auto f = static_cast<int64_t>(i) % features, row = static_cast<int64_t>(i) / features;
        double sum = bias[static_cast<size_t>(f)];
        for (int64_t j = 0; j < in; ++j)
            sum += x[static_cast<size_t>(row * in + j)] * w[static_cast<size_t>(f * in + j)];
        out[i] = sum;
    }
    return oneValue(tensorOf(tensors[0]->dtype, sizes, out));
}

// --- samples ---

std::vector<Sample> mmSamples() {
    return {good({f32({2, 3}), f32({3, 4})}, {T(0), T(1)}),
            good({transposed(f32({2, 3})), transposed(f32({3, 4}))}, {T(0), T(1)}),
            good({f64({1, 1}), f64({1, 5})}, {T(0), T(1)}),
            good({f32({2, 0}), f32({0, 3})}, {T(0), T(1)}),
            bad({f32({2, 3}), f32({2, 3})}, {T(0), T(1)},
                "mm: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"),
            bad({f32({2}), f32({2, 3})}, {T(0), T(1)}, "mm: self must be a matrix, got 1-D tensor"),
            bad({f32({2, 3}), f64({3, 2})}, {T(0), T(1)},
                "expected m1 and m2 to have the same dtype, but got: float != double")};
}
std::vector<Sample> bmmSamples() {
    return {good({f32({2, 3, 4}), f32({2, 4, 5})}, {T(0), T(1)}),
            good({f32({2, 3, 4}), transposed(f32({2, 4, 5}))}, {T(0), T(1)}),
            good({f32({0, 3, 4}), f32({0, 4, 5})}, {T(0), T(1)}),
            bad({f32({2, 3, 4}), f32({3, 4, 5})}, {T(0), T(1)},
                "bmm: batch sizes differ: [2, 3, 4] against [3, 4, 5]")};
}
std::vector<Sample> addmmSamples() {
    return {good({f32({4}), f32({2, 3}), f32({3, 4})}, {T(0), T(1), T(2)}),
            good({f32({4}), f32({2, 3}), transposed(f32({3, 4}))}, {T(0), T(1), T(2)}),
            good({f32({2, 1}), f32({2, 3}), f32({3, 4})}, {T(0), T(1), T(2)}),
            bad({f32({4}), f32({2, 3}), f32({3, 4})}, {T(0), T(1), T(2), Arg(0.5), I(1)},
                "addmm: beta and alpha other than 1 are not supported"),
            bad({f32({3}), f32({2, 3}), f32({3, 4})}, {T(0), T(1), T(2)},
                "addmm: shape [3] cannot be expanded to the product's [2, 4]")};
}
std::vector<Sample> matmulSamples() {
    return {good({f32({2, 3}), f32({3, 4})}, {T(0), T(1)}),
            good({f32({3}), f32({3})}, {T(0), T(1)}),
            good({f32({3}), f32({3, 4})}, {T(0), T(1)}),
            good({f32({2, 3}), f32({3})}, {T(0), T(1)}),
            good({f32({2, 2, 3}), f32({3, 4})}, {T(0), T(1)}),
            good({f32({2, 1, 2, 3}), f32({5, 3, 4})}, {T(0), T(1)}),
            good({f32({2, 3, 4}), f32({4})}, {T(0), T(1)}),
            good({f32({4}), f32({2, 4, 3})}, {T(0), T(1)}),
            good({f32({1, 2, 3, 4}), transposed(f32({1, 2, 4, 3}))}, {T(0), T(1)}),
            bad({f32({32, 64}), f32({128, 10})}, {T(0), T(1)},
                "mm: mat1 and mat2 shapes cannot be multiplied (32x64 and 128x10)"),
            bad({f32({}), f32({2})}, {T(0), T(1)},
                "matmul: expected at least 1 dimension in both, found shapes [] and [2]")};
}
std::vector<Sample> linearSamples() {
    return {good({f32({2, 3}), f32({4, 3}), f32({4})}, {T(0), T(1), T(2)}),
            good({f32({2, 3}), f32({4, 3})}, {T(0), T(1)}),
            good({f32({2, 5, 3}), f32({4, 3}), f32({4})}, {T(0), T(1), T(2)}),
            good({f32({3}), f32({4, 3}), f32({4})}, {T(0), T(1), T(2)}),
            bad({f32({2, 3}), f32({4, 5})}, {T(0), T(1)},
                "mm: mat1 and mat2 shapes cannot be multiplied (2x3 and 5x4)"),
            bad({f32({2, 3}), f32({4, 3}), f32({3})}, {T(0), T(1), T(2)},
                "linear: expected bias [4], found [3]")};
}

// --- outer ---

Result<Types> outerShape(const OpCall& call) {
    CUTAWAY_TRY(ir::Device device, commonDevice(call));
    const TensorType &a = call.tensor(0), &b = call.tensor(1);
    if (a.rank() != 1 || b.rank() != 1)
        return refuse(call, fmt::format("expected two vectors, found shapes {} and {}",
                                        ir::str(a.sizes), ir::str(b.sizes)));
    return one(
        TensorType::contiguous(ir::promote(a.dtype, b.dtype), {a.sizes[0], b.sizes[0]}, device));
}

template <typename T> Values outerOf(const OpCall&, Tensors tensors, ir::DType dtype) {
    const std::vector<T> a = valuesOf<T>(*tensors[0]), b = valuesOf<T>(*tensors[1]);
    std::vector<T> products;
    for (const T& x : a)
        for (const T& y : b)
            products.push_back(x * y);
    return oneValue(tensorOf(dtype, {tensors[0]->sizes[0], tensors[1]->sizes[0]}, products));
}
Values outerReference(const OpCall& call, Tensors tensors) {
    const ir::DType dtype = ir::promote(tensors[0]->dtype, tensors[1]->dtype);
    return ir::isFloating(dtype) ? outerOf<double>(call, tensors, dtype)
                                 : outerOf<int64_t>(call, tensors, dtype);
}

std::vector<Sample> outerSamples() {
    return {good({f32({3}), f32({4})}, {T(0), T(1)}), good({i64({3}), f64({2})}, {T(0), T(1)}),
            good({i64({0}), i64({2})}, {T(0), T(1)}),
            bad({f32({3}), f32({4, 1})}, {T(0), T(1)},
                "outer: expected two vectors, found shapes [3] and [4, 1]")};
}

} // namespace

std::vector<OpDef> contractOps() {
    Traits heavy{.computeIntensive = true, .recompute = Recompute::No};
    std::vector<OpDef> ops;
    ops.push_back(with<&Traits::refuses, Refuses::SeveralBools>(
        withFloat8({"mm(Tensor self, Tensor mat2) -> Tensor",
                    mmShape,
                    VjpRule{mmVjp},
                    MatrixProduct{0, 1},
                    mmReference,
                    mmSamples,
                    {"matrix product", "y[m, n] = sum over k of a[m, k] b[k, n]", "torch.mm"},
                    heavy})));
    ops.push_back(with<&Traits::refuses, Refuses::SeveralBools>(
        {"bmm(Tensor self, Tensor mat2) -> Tensor",
         bmmShape,
         VjpRule{bmmVjp},
         MatrixProduct{0, 1},
         mmReference,
         bmmSamples,
         {"matrix products of a batch", "y[b, m, n] = sum over k of a[b, m, k] b[b, k, n]",
          "torch.bmm"},
         heavy}));
    ops.push_back(with<&Traits::refuses, Refuses::SeveralBools>(withFloat8(
        {"addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
         addmmShape,
         VjpRule{addmmVjp},
         MatrixProduct{1, 2, 0},
         addmmReference,
         addmmSamples,
         {"matrix product added to a tensor", "y = c + a @ b", "torch.addmm"},
         heavy})));
    ops.push_back(with<&Traits::refuses, Refuses::SeveralBools>(
        withFloat8({"matmul(Tensor self, Tensor other) -> Tensor",
                    matmulShape,
                    ThroughDecomposition{},
                    Decompose{matmul, DecomposeWhen::BeforeAutograd},
                    matmulReference,
                    matmulSamples,
                    {"matrix product with broadcast batches",
                     "y[.., m, n] = sum over k of a[.., m, k] b[.., k, n]", "torch.matmul"}})));
    ops.push_back(
        withFloat8({"outer(Tensor self, Tensor vec2) -> Tensor",
                    outerShape,
                    ThroughDecomposition{},
                    Decompose{[](const Operands& x) {
                                  return Results{reshape(x[0], {x.type(0).sizes[0], 1}) * x[1]};
                              },
                              DecomposeWhen::BeforeAutograd},
                    outerReference,
                    outerSamples,
                    {"products of every two elements", "y[i, j] = a[i] b[j]", "torch.outer"}}));
    ops.push_back(with<&Traits::refuses, Refuses::SeveralBools>(withFloat8(
        {"linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
         linearShape,
         ThroughDecomposition{},
         Decompose{linear, DecomposeWhen::BeforeAutograd},
         linearReference,
         linearSamples,
         {"linear map of the last dimension", "y = x W^T + b", "torch.nn.functional.linear"}})));
    outTakes(ops, {"outer"}, OutDTypes::Cast);
    return ops;
}

} // namespace cutaway::ops
