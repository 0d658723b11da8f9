// SPDX-License-Identifier: Apache-2.0
// Complex numbers seen as pairs of real ones and back: the only operations on complex tensors. All
// others are made of operations on the pairs (resources/script_library/torch/_complex.py); compiled
// graphs have the pairs alone (core/backend/complex_boundary.h).
#include "core/ops/bits_view.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"
#include "core/ops/view_strides.h"
#include "core/ops/written_view.h"

#include <fmt/format.h>

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::Sym;
using Coords = std::span<const Sym>;

Result<Types> realShape(const OpCall& call) {
    const ir::TensorType& self = call.tensor(0);
    if (!ir::isComplex(self.dtype))
        return refuse(call,
                      fmt::format("expected a complex tensor, found {}", ir::name(self.dtype)));
    ir::TensorType type = viewType(call, self.sizes, self.strides);
    type.dtype = ir::realType(self.dtype);
    for (Sym& stride : type.strides)
        stride = stride * Sym(2);
    type.sizes.push_back(Sym(2));
    type.strides.push_back(Sym(1));
    return one(type);
}
std::vector<Sym> mapReal(const OpCall&, Coords coords) {
    return {coords.begin(), coords.end() - 1};
}

Result<Types> complexShape(const OpCall& call) {
    const ir::TensorType& self = call.tensor(0);
    if (self.dtype != DType::Float32 && self.dtype != DType::Float64)
        return refuse(call,
                      fmt::format("expected float32 or float64, found {}", ir::name(self.dtype)),
                      "convert it with .to(torch.float32)");
    if (self.rank() == 0) return refuse(call, "Input tensor must have one or more dimensions");
    if (!self.sizes.back().is(2))
        return refuse(call, "Tensor must have a last dimension of size 2");
    if (!self.strides.back().is(1))
        return refuse(call, "Tensor must have a last dimension with stride 1");
    ir::TensorType type = viewType(call, {self.sizes.begin(), self.sizes.end() - 1},
                                   {self.strides.begin(), self.strides.end() - 1});
    type.dtype = ir::complexType(self.dtype);
    for (size_t d = 0; d < type.rank(); ++d) {
        if (!type.sizes[d].is(1) && !call.divisible(type.strides[d], Sym(2)))
            return refuse(call,
                          "Tensor must have a stride divisible by 2 for all but last dimension");
        type.strides[d] = ir::floorDiv(type.strides[d], Sym(2));
    }
    return one(type);
}
std::vector<Sym> mapComplex(const OpCall&, Coords coords) {
    std::vector<Sym> at(coords.begin(), coords.end());
    at.push_back(Sym(0));
    return at;
}

/// The same bytes with the result's type.
Values sameBytes(const OpCall& call, Tensors tensors) {
    const ir::TensorType type = call.def.shape(call)->front();
    ir::HostTensor result = *tensors[0];
    result.dtype = type.dtype;
    result.sizes = call.numbers(type.sizes);
    return oneValue(std::move(result));
}

/// Whether pairs can be seen as complex numbers where they lie.
bool areAdjacent(const ir::TensorType& pairs) {
    if (!pairs.strides.back().is(1)) return false;
    for (size_t d = 0; d + 1 < pairs.rank(); ++d)
        if (!pairs.sizes[d].is(1) && !ir::provable(ir::divisible(pairs.strides[d], ir::Sym(2))))
            return false;
    return true;
}

void realGradient(Vjp& v) {
    const bool adjacent = areAdjacent(v.b.type(v.grad));
    v.set(0, aten("view_as_complex", adjacent ? Value(v.b, v.grad) : aten("contiguous", v.grad)));
}
void complexGradient(Vjp& v) {
    v.set(0, aten("view_as_real", v.grad));
}

} // namespace

std::vector<OpDef> complexViewOps() {
    std::vector<OpDef> ops;
    ops.push_back(written({intoPairs},
                          {"view_as_real(Tensor(a) self) -> Tensor(a)",
                           realShape,
                           VjpRule{realGradient},
                           View{mapReal},
                           sameBytes,
                           [] {
                               return std::vector<Sample>{
                                   bad({f32({2})}, {T(0)},
                                       "view_as_real: expected a complex tensor, found float32")};
                           },
                           {"complex numbers as pairs, along one more dimension at the end",
                            "y[.., 0] = Re x, y[.., 1] = Im x", "torch.view_as_real"}}));
    ops.push_back(written(
        {intoComplex},
        {"view_as_complex(Tensor(a) self) -> Tensor(a)",
         complexShape,
         VjpRule{complexGradient},
         View{mapComplex},
         sameBytes,
         [] {
             return std::vector<Sample>{
                 bad({f32({2, 3})}, {T(0)},
                     "view_as_complex: Tensor must have a last dimension of size 2")};
         },
         {"pairs as complex numbers", "y = x[.., 0] + i x[.., 1]", "torch.view_as_complex"}}));
    ops.push_back(bitsView());
    ops.push_back(conjugateView());
    return ops;
}

} // namespace cutaway::ops
