// SPDX-License-Identifier: Apache-2.0
/// \file
/// Objects into memory: LLVM ORC's linker. Private to this folder.
#pragma once

#include "core/base/result.h"
#include "core/jit/cpu_compiler.h"

#include <memory>
#include <string>

namespace cutaway::jit {

/// One linking session; modules keep it alive. Thread-safe.
class Loader : public std::enable_shared_from_this<Loader> {
public:
    static base::Result<std::shared_ptr<Loader>> create();
    virtual ~Loader() = default;
    /// Each object has a name space of its own; undefined symbols come from this process.
    /// Errors: bug naming the symbols that are not there.
    virtual base::Result<std::shared_ptr<CpuModule>>
    load(const std::string& name, const std::string& object, bool fromCache) = 0;
};

} // namespace cutaway::jit
