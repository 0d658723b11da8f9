// SPDX-License-Identifier: Apache-2.0
/// \file
/// CUDA text to cubin and PTX through NVRTC, which is opened at run time.
#pragma once

#include "core/base/cancel.h"
#include "core/base/result.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::jit {

struct CudaBinary {
    std::string cubin;
    std::string ptx;
    std::string log;
    double compileMs = 0;
    bool cached = false;
};

class CudaCompiler {
public:
    /// Errors: environment error telling which library was looked for, and where, when there is no
    /// CUDA toolkit.
    static base::Result<std::unique_ptr<CudaCompiler>> create();
    virtual ~CudaCompiler() = default;
    /// \param architecture "sm_90". The cubin is cached on disk (cacheFolder not empty) by content.
    /// Errors: bug when the text does not compile; cancelledError() as soon as \p cancel says
    /// so, while NVRTC goes on behind it.
    virtual base::Result<CudaBinary> compile(const std::string& name, const std::string& text,
                                             const std::string& architecture,
                                             const std::string& cacheFolder,
                                             const base::CancelToken& cancel = {}) = 0;
    /// Several texts on a pool of threads; same order. Errors: as compile.
    virtual std::vector<base::Result<CudaBinary>>
    compileAll(const std::vector<std::pair<std::string, std::string>>& namedTexts,
               const std::string& architecture, const std::string& cacheFolder,
               const base::CancelToken& cancel,
               const std::function<void(size_t done, size_t all)>& progress) = 0;
    virtual std::string version() const = 0; ///< "13.0"
    /// A warning for the user when the disk cache could not be read or written; said once.
    virtual std::optional<base::Diagnostic> cacheProblem() = 0;
};

/// SASS of a cubin by the toolkit's disassembler (nvdisasm or cuobjdump on PATH or in the toolkit).
/// Errors: environment error when there is none.
base::Result<std::string> disassembleSass(const std::string& cubin);

} // namespace cutaway::jit
