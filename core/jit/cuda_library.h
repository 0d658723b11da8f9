// SPDX-License-Identifier: Apache-2.0
/// \file
/// Opens a shared library of the CUDA toolkit or driver at run time, wherever it is installed.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace cutaway::jit {

/// A library that stays open for the process's life: CUDA's own do not survive being closed.
class CudaLibrary {
public:
    CudaLibrary() = default;
    /// Tries every name in the toolkit of $CUDA_HOME and $CUDA_PATH, on the loader's path, then in
    /// the usual folders. Errors: environment error naming what was looked for, and where.
    static base::Result<CudaLibrary>
    open(const std::string& what, const std::vector<std::string>& names, const std::string& hint);
    /// Address of a function, or null.
    void* symbol(const char* name) const;
    template <typename F> bool load(F& function, const char* name) const {
        function = reinterpret_cast<F>(symbol(name));
        return function != nullptr;
    }

private:
    void* handle_ = nullptr;
};

/// Folders of CUDA toolkits, best first.
std::vector<std::string> cudaToolkitFolders();

} // namespace cutaway::jit
