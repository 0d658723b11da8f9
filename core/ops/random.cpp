// SPDX-License-Identifier: Apache-2.0
// Random numbers: their values are drawn by the runtime.
#include "core/ops/factory_rules.h"
#include "core/ops/families.h"
#include "core/ops/gradient_tools.h"
#include "core/ops/sample_tools.h"

namespace cutaway::ops {

namespace {

constexpr NotDifferentiable kRandom{"random values do not depend on an argument"};
constexpr NoLowering kDrawn{"its values are drawn by the runtime's generator"};

void addRandom(std::vector<OpDef>& ops) {
    auto drawn = [](Distribution distribution, bool like = false) {
        return Traits{
            .distribution = distribution, .ignoresValues = like, .recompute = Recompute::No};
    };
    auto sizes = [] { return std::vector<Sample>{good({}, {L({2, 3})}), good({}, {L({})})}; };
    auto like = [] { return std::vector<Sample>{good({f32({2, 3})}, {T(0)})}; };
    OpDoc uniform{"uniform random numbers in [0, 1)", "y ~ U[0, 1)", "torch.rand"};
    OpDoc normal{"normal random numbers", "y ~ N(0, 1)", "torch.randn"};
    OpDoc integer{"uniform random integers in [low, high)", "y ~ U{low .. high - 1}",
                  "torch.randint"};
    ops.push_back({"rand(SymInt[] size" CUTAWAY_OPTIONS, newShape<floatDefault, 0>, kRandom, kDrawn,
                   nullptr, sizes, uniform, drawn(Distribution::Uniform)});
    ops.push_back({"randn(SymInt[] size" CUTAWAY_OPTIONS, newShape<floatDefault, 0>, kRandom,
                   kDrawn, nullptr, sizes, normal, drawn(Distribution::Normal)});
    ops.push_back({"rand_like(Tensor self" CUTAWAY_LIKE_OPTIONS, newLike, VjpRule{noGradients},
                   kDrawn, nullptr, like, uniform, drawn(Distribution::Uniform, true)});
    ops.push_back({"randn_like(Tensor self" CUTAWAY_LIKE_OPTIONS, newLike, VjpRule{noGradients},
                   kDrawn, nullptr, like, normal, drawn(Distribution::Normal, true)});
    ops.push_back(
        {"randint(SymInt high, SymInt[] size, *, ScalarType? dtype=long, Layout? layout=None, "
         "Device? device=None, bool? pin_memory=None) -> Tensor",
         newShape<intDefault, 1>, kRandom, kDrawn, nullptr,
         [] { return std::vector<Sample>{good({}, {I(10), L({3})})}; }, integer,
         drawn(Distribution::Integer)});
    ops.push_back({"randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=long, "
                   "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                   newShape<intDefault, 2>, kRandom, kDrawn, nullptr,
                   [] { return std::vector<Sample>{good({}, {I(-3), I(10), L({3, 2})})}; }, integer,
                   drawn(Distribution::Integer)});
}

} // namespace

std::vector<OpDef> randomOps() {
    std::vector<OpDef> ops;
    addRandom(ops);
    return ops;
}

} // namespace cutaway::ops
