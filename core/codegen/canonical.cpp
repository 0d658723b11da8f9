// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/canonical.h"

#include <fmt/format.h>

namespace cutaway::codegen {

CanonicalNames::CanonicalNames(const kernel::KernelProgram& program) {
    program_.loops = program.loops;
}

kernel::Kernel CanonicalNames::rename(const kernel::Kernel& kernel) {
    kernel::Kernel renamed = kernel;
    renamed.name = "kernel";
    size_t next = 0; // not b0, b1: b8 is what a bool is called
    for (const auto* buffers : {&kernel.reads, &kernel.writes})
        for (kernel::BufferId id : *buffers)
            program_.loops.buffer(id).name = fmt::format("buf{}", next++);
    for (auto* tree : {&renamed.tree, &renamed.oneLoop})
        if (*tree)
            for (size_t i = 0; i < (*tree)->locals.size(); ++i)
                (*tree)->locals[i].name = fmt::format("v{}", i);
    return renamed;
}

} // namespace cutaway::codegen
