// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who computes a library call: the table of providers, one row each, and the choice among them.
#pragma once

#include "core/kernel/kernel_program.h"
#include "core/runtime/attention.h"
#include "core/runtime/convolution.h"
#include "core/runtime/linear_algebra.h"
#include "core/runtime/matmul.h"
#include "core/runtime/rows.h"
#include "core/schedule/schedule.h"

#include <variant>

namespace cutaway::runtime {

class CudaDevice;

using LibrarySpec =
    std::variant<MatmulSpec, ConvolutionSpec, RowsSpec, MatricesSpec, AttentionSpec>;

/// A kernel's call with plain numbers, and the views whose first elements LibraryKernel::run takes,
/// in its order.
struct LibraryBinding {
    LibrarySpec spec;
    std::vector<kernel::StridedView> operands; ///< all pointers but the result
    kernel::BufferId result;
};
/// Errors: bug, when a size or stride is no constant.
base::Result<LibraryBinding> bindCall(const kernel::KernelProgram& program,
                                      const kernel::Kernel& kernel);
/// Bytes from the start of a view's buffer to its first element; its offset is a constant.
int64_t startOf(const kernel::KernelProgram& program, const kernel::StridedView& view);

/// Where the call will run.
struct ProviderContext {
    int threads = 1;
    CudaDevice* cuda = nullptr; ///< null: the CPU, or a GPU that is not there
    /// GPU: of the pointers, in bytes from a 256-byte aligned address.
    std::vector<int64_t> offsets = {};
    std::string_view wanted = {}; ///< the provider that comes first where it takes the call
};

/// A provider's answer to a call, before anything is prepared.
struct Verdict {
    bool takes = false;
    std::string reason; ///< in words
    double predictedUs = 0;
};

struct Provider {
    std::string_view name; ///< "oneDNN"
    ir::Device::Kind target;
    Verdict (*judge)(const LibrarySpec& spec, const ProviderContext& context);
    /// Null when it cannot after all: the next best is asked.
    base::Result<LibraryKernelPtr> (*make)(const LibrarySpec& spec, const ProviderContext& context);
};

/// One provider that was asked.
struct Considered {
    const Provider* provider = nullptr;
    Verdict verdict;
};
/// All providers of a target with their verdicts, the one that will be tried first in front.
std::vector<Considered> considerProviders(ir::Device::Kind target, const LibrarySpec& spec,
                                          const ProviderContext& context);

/// The same for a kernel of a program: a candidate for each provider, named as it is, the one that
/// is tried first taken. Empty when a size is no constant.
schedule::Schedule providerSchedule(const kernel::KernelProgram& program,
                                    const kernel::Kernel& kernel,
                                    const schedule::DeviceModel& model);

/// Prepares the call with the best provider that takes it. Errors: environment error when a library
/// fails; bug when nobody takes the call.
base::Result<LibraryKernelPtr> makeLibraryKernel(ir::Device::Kind target, const LibrarySpec& spec,
                                                 const ProviderContext& context);

} // namespace cutaway::runtime
