// SPDX-License-Identifier: Apache-2.0
// Complex numbers, as pairs, seen conjugated. In a kernel that is another sign; what a script gets,
// and may write to, follows the memory and is followed by it (runtime/conjugate.h).
#include "core/ops/bits_view.h"
#include "core/ops/call_forms.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/reference_tools.h"
#include "core/ops/sample_tools.h"
#include "core/ops/view_strides.h"
#include "core/ops/written_view.h"

namespace cutaway::ops {

namespace {

using ir::DType;
using ir::Sym;
using kernel::ExprId;
using kernel::ExprPool;
using kernel::ScalarOp;

Result<Types> pairsShape(const OpCall& call) {
    const ir::TensorType& self = call.tensor(0);
    if (self.dtype != DType::Float32 && self.dtype != DType::Float64)
        return refuse(call, "expected pairs of float32 or float64");
    if (self.rank() == 0 || !self.sizes.back().is(2))
        return refuse(call, "Tensor must have a last dimension of size 2");
    if (!self.strides.back().is(1))
        return refuse(call, "Tensor must have a last dimension with stride 1");
    return one(viewType(call, self.sizes, self.strides));
}

ExprId conjugateElement(ExprPool& pool, const OpCall&, LoadArg& load, std::span<const Sym> coords) {
    std::vector<kernel::Coord> at;
    for (const Sym& coord : coords)
        at.push_back({coord, {}});
    const ExprId element = load(0, at);
    const ExprId imaginary =
        pool.op(ScalarOp::Eq, {pool.index(coords.back()), pool.constantInt(DType::Int64, 1)});
    return pool.op(ScalarOp::Where, {imaginary, pool.op(ScalarOp::Neg, {element}), element});
}

Values otherSigns(const OpCall&, Tensors tensors) {
    ir::HostTensor result = *tensors[0];
    for (int64_t i = 1; i < result.numel(); i += 2)
        result.set(i, -result.get(i));
    return oneValue(std::move(result));
}

void conjugateGradient(Vjp& v) {
    v.set(0, aten("clone", aten("_conj_pairs", aten("clone", v.grad, "contiguous_format"))));
}

} // namespace

bool conjugates(const OpDef& def) {
    return seesBits(def) && def.written.putBack == &sameAgain;
}

OpDef conjugateView() {
    OpDef def{"_conj_pairs(Tensor(a) self) -> Tensor(a)",
              pairsShape,
              VjpRule{conjugateGradient},
              Indexed{conjugateElement},
              otherSigns,
              [] {
                  return std::vector<Sample>{
                      good({f32({3, 2})}, {T(0)}), good({f64({2})}, {T(0)}),
                      good({f32({2, 5, 2})}, {T(0)}),
                      bad({f32({2, 3})}, {T(0)},
                          "_conj_pairs: Tensor must have a last dimension of size 2"),
                      bad({transposed(f32({2, 2}))}, {T(0)},
                          "_conj_pairs: Tensor must have a last dimension with stride 1")};
              },
              {"complex numbers, as pairs, conjugated", "y[.., 0] = x[.., 0], y[.., 1] = -x[.., 1]",
               "torch.Tensor.conj"}};
    return internal(with<&Traits::view>(written({sameAgain}, std::move(def))));
}

} // namespace cutaway::ops
