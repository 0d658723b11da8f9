// SPDX-License-Identifier: Apache-2.0
/// \file
/// Factorizations and solutions of a GPU's matrices by cuSOLVER (triangles: cuBLAS), which are opened
/// at run time.
#pragma once

#include "core/runtime/cuda_device.h"
#include "core/runtime/linear_algebra.h"

namespace cutaway::runtime {

/// Why cuSOLVER cannot be used on this machine; empty when it can.
std::string whyNoCusolver();

/// Why it does not do the task, in words; empty when it does.
std::string whyNotByCusolver(const MatricesSpec& spec);
/// Predicted microseconds of the call.
double cusolverUs(const MatricesSpec& spec);

/// CUDA text of the two kernels around its calls: "matrices_pack" copies the operands' matrices side
/// by side, column-major, "matrices_unpack" makes the rows of the result.
std::string matricesText(const MatricesSpec& spec);

/// A task that whyNotByCusolver() allows. Its errors are makeLapack()'s; it waits for the GPU only
/// where a matrix can fail. Errors: environment error when a library is missing or cannot start.
base::Result<LibraryKernelPtr> makeCusolver(CudaDevice& device, const MatricesSpec& spec);

} // namespace cutaway::runtime
