// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/library_call.h"

#include "core/ir/shape_env.h"
#include "core/kernel/attention_call.h"
#include "core/kernel/loop_program.h"
#include "core/kernel/row_call.h"
#include "core/kernel/scalar_eval.h"

#include <algorithm>
#include <array>

namespace cutaway::kernel {

namespace {

using Problem = std::optional<std::string>;
using Index = std::span<const int64_t>;
using Operand = std::function<Scalar(size_t which, Index index)>;

/// A sum of products: in double for floating dtypes, exact for integers.
struct Sum {
    double real = 0;
    int64_t integer = 0;
    void add(const Scalar& x, const Scalar& y) {
        real += x.real * y.real;
        integer += static_cast<int64_t>(static_cast<uint64_t>(x.integer) *
                                        static_cast<uint64_t>(y.integer));
    }
    Scalar as(ir::DType dtype) const {
        return ir::isFloating(dtype) ? scalarOf(dtype, real) : scalarOfInt(dtype, integer);
    }
};

ir::Sym count(const ir::Shape& sizes) {
    ir::Sym product(1);
    for (const ir::Sym& size : sizes)
        product = product * size;
    return product;
}

// --- matrix product ---

// Libraries want one of a matrix's two strides to be 1 and the other at least the row's length.
bool isLibraryMatrix(const StridedView& view) {
    const size_t rank = view.sizes.size();
    auto fits = [&](size_t rows, size_t columns) {
        if (!view.sizes[columns].is(1) && !view.strides[columns].is(1)) return false;
        if (view.sizes[rows].is(1)) return true;
        return ir::provable(ir::atMost(view.sizes[columns], view.strides[rows]));
    };
    return fits(rank - 2, rank - 1) || fits(rank - 1, rank - 2);
}

ir::Sym productFlops(const LibraryCall& call) {
    return count(call.sizes) * call.operands[0].sizes.back() * ir::Sym(2);
}

Problem verifyProduct(const LibraryCall& call, const Buffer& result) {
    const size_t rank = result.sizes.size();
    for (const StridedView& view : call.operands)
        if (view.sizes.size() != rank) return result.name + " and its operands differ in rank";
    if (rank < 2 || !(call.operands[0].sizes[rank - 1] == call.operands[1].sizes[rank - 2]))
        return "inner sizes of " + result.name + " differ";
    return std::nullopt;
}

Scalar productElement(const LibraryCall& call, ir::DType dtype, Index index,
                      const Operand& operand) {
    std::vector<int64_t> a(index.begin(), index.end()), b = a;
    Sum sum;
    for (int64_t k = 0; k < call.operands[0].sizes.back().constant(); ++k) {
        a.back() = k;
        b[b.size() - 2] = k;
        sum.add(operand(0, a), operand(1, b));
    }
    return sum.as(dtype);
}

// --- convolution ---

/// The three tensors of a convolution, whichever of them is the result.
struct Tensors {
    const ir::Shape *image, *weight, *output;
};
Tensors tensorsOf(const LibraryCall& call) {
    const ir::Shape& first = call.operands[0].sizes;
    const ir::Shape& second = call.operands[1].sizes;
    switch (call.op) {
    case LibraryOp::ConvolutionImage:
        return {&call.sizes, &second, &first};
    case LibraryOp::ConvolutionWeight:
        return {&first, &call.sizes, &second};
    default:
        return {&first, &second, &call.sizes};
    }
}

bool readsDense(const StridedView& view) {
    // Any order of the dimensions without repetitions or overlap: from the innermost outwards, each
    // continues where the ones before it end.
    std::vector<size_t> left;
    for (size_t d = 0; d < view.sizes.size(); ++d)
        if (!view.sizes[d].is(1)) left.push_back(d);
    for (ir::Sym next = 1; !left.empty();) {
        const auto inner = std::find_if(left.begin(), left.end(),
                                        [&](size_t d) { return view.strides[d] == next; });
        if (inner == left.end()) return false;
        next = next * view.sizes[*inner];
        left.erase(inner);
    }
    return true;
}

/// Every element of the output has one product for each channel of its group and each tap.
ir::Sym convolutionFlops(const LibraryCall& call) {
    const Tensors t = tensorsOf(call);
    ir::Shape taps(t.weight->begin() + 1, t.weight->end());
    return count(*t.output) * count(taps) * ir::Sym(2);
}

Problem verifyConvolution(const LibraryCall& call, const Buffer& result) {
    const Tensors t = tensorsOf(call);
    const size_t rank = call.sizes.size(), spatial = rank - 2;
    const ConvolutionWindow& w = call.window;
    if (rank < 3 || t.image->size() != rank || t.weight->size() != rank || t.output->size() != rank)
        return result.name + " and its operands differ in rank";
    if (w.stride.size() != spatial || w.padding.size() != spatial || w.dilation.size() != spatial)
        return "the window of " + result.name + " has another rank than its operands";
    if (!((*t.image)[1] == (*t.weight)[1] * ir::Sym(w.groups)) ||
        !((*t.weight)[0] == (*t.output)[1]) || !((*t.image)[0] == (*t.output)[0]))
        return "channels of " + result.name + " do not fit its operands";
    return std::nullopt;
}

/// Calls \p body for every index below \p sizes from dimension \p from on, the rest as in \p index.
template <typename Body>
void forEachFrom(size_t from, Index sizes, std::vector<int64_t>& index, const Body& body) {
    if (from == sizes.size()) return body();
    for (index[from] = 0; index[from] < sizes[from]; ++index[from])
        forEachFrom(from + 1, sizes, index, body);
}

/// Where tap \p k of output place \p y lies in the image; false when that is padding.
bool placeInImage(const LibraryCall& call, Index sizes, std::span<const int64_t> y, Index k,
                  std::vector<int64_t>& x) {
    for (size_t d = 0; d + 2 < sizes.size(); ++d) {
        x[d + 2] = y[d + 2] * call.window.stride[d] - call.window.padding[d] +
                   k[d + 2] * call.window.dilation[d];
        if (x[d + 2] < 0 || x[d + 2] >= sizes[d + 2]) return false;
    }
    return true;
}

Scalar convolutionElement(const LibraryCall& call, ir::DType dtype, Index index,
                          const Operand& operand) {
    const auto image = ir::constants(*tensorsOf(call).image);
    const auto weight = ir::constants(*tensorsOf(call).weight);
    std::vector<int64_t> x(index.begin(), index.end()), k(index.size());
    const int64_t perGroup = weight[0] / call.window.groups;
    k[0] = index[1];
    Sum sum;
    forEachFrom(1, weight, k, [&] {
        if (!placeInImage(call, image, index, k, x)) return;
        x[1] = k[0] / perGroup * weight[1] + k[1];
        sum.add(operand(0, x), operand(1, k));
    });
    return sum.as(dtype);
}

/// The output places that read image place \p index: those whose tap falls on it.
Scalar imageElement(const LibraryCall& call, ir::DType dtype, Index index, const Operand& operand) {
    const auto weight = ir::constants(call.operands[1].sizes);
    const auto output = ir::constants(call.operands[0].sizes);
    const int64_t perGroup = weight[0] / call.window.groups;
    const int64_t group = index[1] / weight[1];
    std::vector<int64_t> k(index.size()), y(index.size());
    y[0] = index[0];
    k[1] = index[1] % weight[1];
    Sum sum;
    forEachFrom(2, weight, k, [&] {
        for (size_t d = 0; d + 2 < index.size(); ++d) {
            const int64_t at =
                index[d + 2] + call.window.padding[d] - k[d + 2] * call.window.dilation[d];
            if (at < 0 || at % call.window.stride[d] != 0) return;
            y[d + 2] = at / call.window.stride[d];
            if (y[d + 2] >= output[d + 2]) return;
        }
        for (y[1] = group * perGroup; y[1] < (group + 1) * perGroup; ++y[1]) {
            k[0] = y[1];
            sum.add(operand(0, y), operand(1, k));
        }
    });
    return sum.as(dtype);
}

Scalar weightElement(const LibraryCall& call, ir::DType dtype, Index index,
                     const Operand& operand) {
    const auto image = ir::constants(call.operands[0].sizes);
    const auto output = ir::constants(call.operands[1].sizes);
    const int64_t perGroup = output[1] / call.window.groups;
    std::vector<int64_t> y(index.size()), x(index.size());
    Sum sum;
    for (y[0] = 0; y[0] < output[0]; ++y[0]) {
        y[1] = index[0];
        x[0] = y[0];
        x[1] = y[1] / perGroup * call.sizes[1].constant() + index[1];
        forEachFrom(2, output, y, [&] {
            if (placeInImage(call, image, y, index, x)) sum.add(operand(0, x), operand(1, y));
        });
    }
    return sum.as(dtype);
}

using Kind = Epilogue::Kind;

/// A convolution, or one of its adjoints.
LibraryOpInfo convolutionRow(LibraryOp op, std::pair<std::string_view, std::string_view> names,
                             std::vector<std::string_view> operands, std::vector<Kind> epilogues,
                             decltype(LibraryOpInfo::element) element) {
    return {op,    names.first,          names.second, std::move(operands),
            false, std::move(epilogues), readsDense,   convolutionFlops,
            128,   verifyConvolution,    element};
}

/// What goes along rows.
LibraryOpInfo rowsRow(LibraryOp op, std::string_view name, decltype(LibraryOpInfo::flops) flops,
                      decltype(LibraryOpInfo::element) element) {
    return {op,    name, name,       {"rows"}, false, {}, [](const StridedView&) { return true; },
            flops, 128,  verifyRows, element};
}

const std::array<LibraryOpInfo, 9>& table() {
    static const std::vector<Kind> every = {Kind::AddTensor, Kind::AddScalar, Kind::MulScalar,
                                            Kind::Relu};
    static const std::array<LibraryOpInfo, 9> rows = {{
        {LibraryOp::MatrixProduct,
         "matmul",
         "mm",
         {"a", "b"},
         false,
         every,
         isLibraryMatrix,
         productFlops,
         128,
         verifyProduct,
         productElement},
        convolutionRow(LibraryOp::Convolution, {"convolution", "conv"}, {"image", "weight"}, every,
                       convolutionElement),
        convolutionRow(LibraryOp::ConvolutionImage, {"convolution_image", "conv_image"},
                       {"gradient", "weight"}, every, imageElement),
        convolutionRow(LibraryOp::ConvolutionWeight, {"convolution_weight", "conv_weight"},
                       {"image", "gradient"}, {}, weightElement),
        rowsRow(LibraryOp::Sort, "sort", sortFlops, sortElement),
        rowsRow(LibraryOp::Scan, "scan", scanFlops, scanElement),
        {LibraryOp::LinearAlgebra,
         "linear_algebra",
         "linalg",
         {"matrix", "right"},
         true,
         {},
         [](const StridedView&) { return true; },
         taskFlops,
         8,
         verifyTask,
         taskElement},
        {LibraryOp::Attention,
         "attention",
         "attention",
         {"query", "key", "value", "mask"},
         true,
         {},
         readsAttentionRows,
         attentionFlops,
         64,
         verifyAttention,
         attentionElement},
        {LibraryOp::AttentionBackward,
         "attention_backward",
         "attention_backward",
         {"query", "key", "value", "gradient", "output", "logarithms", "mask"},
         true,
         {},
         readsAttentionRows,
         attentionFlops,
         64,
         verifyAttention,
         attentionBackwardElement},
    }};
    return rows;
}

} // namespace

std::vector<StridedView> LibraryCall::reads() const {
    std::vector<StridedView> views = operands;
    if (bias) views.push_back(*bias);
    for (const Epilogue& epilogue : epilogues)
        if (epilogue.tensor) views.push_back(*epilogue.tensor);
    return views;
}

ir::Sym LibraryCall::flops() const {
    return info(op).flops(*this) + count(sizes) * ir::Sym(static_cast<int64_t>(epilogues.size()));
}

std::span<const LibraryOpInfo> libraryOps() {
    return table();
}

const LibraryOpInfo& info(LibraryOp op) {
    return table()[static_cast<size_t>(op)];
}

} // namespace cutaway::kernel
