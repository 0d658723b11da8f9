// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/options.h"

namespace cutaway::pipeline {

Toolchain::Toolchain(std::string cacheFolder)
    : cacheFolder_(std::move(cacheFolder)), host_(jit::hostCpu()) {
    for (const runtime::TargetRow& row : runtime::targetTable())
        targets_.push_back(row.create());
}

runtime::Target& Toolchain::target(ir::Device::Kind kind) const {
    return *targets_[static_cast<size_t>(&runtime::targetRow(kind) -
                                         runtime::targetTable().data())];
}

} // namespace cutaway::pipeline
