// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/stage_table.h"

#include "core/passes/collapse_one_hot.h"
#include "core/passes/decompose.h"
#include "core/passes/fold_constants.h"
#include "core/passes/gather_joined_slices.h"
#include "core/passes/merge_common.h"
#include "core/passes/reassociate_constants.h"
#include "core/passes/remove_dead.h"
#include "core/passes/simplify_algebra.h"
#include "core/passes/split_wide_joins.h"

namespace cutaway::pipeline {

namespace {

constexpr StageRow kStages[] = {
    {"guards", "Guards", "what the capture relied on; when all hold, the entry is valid"},
    {"captured", "Captured graph", "the operations the function performed, with ATen names"},
    {"joint", "Joint graph", "forward and backward in one graph, from primals and tangents"},
    {"partition", "Partition", "the minimum cut: which tensors are saved, which are recomputed"},
    {"forward", "Forward graph", "what runs first, and what it hands to the backward graph"},
    {"backward", "Backward graph", "gradients from saved tensors and tangents"},
    {"passes", "Passes", "every rewrite of a graph: before, after, which rule, how long"},
    {"loops", "Loop IR", "each buffer as a loop nest or a library call"},
    {"kernels", "Kernels", "buffers fused into kernels, with a reason for every pair"},
    {"memory", "Memory plan", "offsets and lifetimes of every intermediate buffer in one arena"},
    {"cpp", "C++", "generated C++ with OpenMP: what is compiled and run on the CPU", true},
    {"cuda", "CUDA C++", "generated CUDA C++ for the same kernels", true},
    {"llvm", "LLVM IR", "the C++ text's LLVM IR after optimisation", true},
    {"asm", "Assembly", "machine code with the lines of the C++ text", true},
    {"ptx", "PTX", "the CUDA text as PTX", true},
    {"sass", "SASS", "the GPU's machine code, by the CUDA toolkit's disassembler", true},
};

constexpr PassRow kPasses[] = {
    {"decompose_before_autograd", PassPoint::Captured, passes::decomposeBeforeAutograd, true,
     "composite operations (linear, layer_norm, cross_entropy) become ATen's differentiable ones"},
    {"decompose_after_autograd", PassPoint::Joint, passes::decomposeAfterAutograd, true,
     "operations and their backwards become pointwise operations, reductions and products"},
    {"fold_constants", PassPoint::Joint, passes::foldConstants, false,
     "values known at compile time are computed now; x+0, x*1 disappear"},
    {"simplify_algebra", PassPoint::Joint, passes::simplifyAlgebra, false,
     "log(exp(x)), double negations, inverse permutations and chained views disappear"},
    {"reassociate_constants", PassPoint::Joint, passes::reassociateConstants, false,
     "chains of constant addends become one addition, with fewer roundings"},
    {"merge_common", PassPoint::Joint, passes::mergeCommon, false,
     "equal calls with equal arguments are computed once"},
    {"remove_dead", PassPoint::Joint, passes::removeDead, true,
     "values that nothing uses are removed"},
    {"collapse_one_hot", PassPoint::Lowering, passes::collapseOneHot, false,
     "the sum of a one-hot tensor is the value in its hot place"},
    {"gather_joined_slices", PassPoint::Lowering, passes::gatherJoinedSlices, false,
     "a join of many slices of one tensor is one gather"},
    {"split_wide_joins", PassPoint::Lowering, passes::splitWideJoins, true,
     "a join of very many tensors becomes a join of joins"},
    {"decompose_before_lowering", PassPoint::Lowering, passes::decomposeBeforeLowering, true,
     "what is left (var_mean) becomes loops' primitives"},
    {"merge_common", PassPoint::Lowering, passes::mergeCommon, false,
     "equal calls with equal arguments are computed once"},
    {"remove_dead", PassPoint::Lowering, passes::removeDead, true,
     "values that nothing uses are removed"},
};

} // namespace

std::span<const StageRow> stageTable() {
    return kStages;
}
std::span<const PassRow> passTable() {
    return kPasses;
}

} // namespace cutaway::pipeline
