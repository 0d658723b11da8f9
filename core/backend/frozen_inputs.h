// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a compiled graph reads besides its call's inputs: the results of its frozen part.
#pragma once

#include "core/pipeline/compile.h"

#include <span>

namespace cutaway::backend {

class FrozenInputs {
public:
    /// \param part not empty
    static base::Result<std::unique_ptr<FrozenInputs>> make(const partition::FrozenPart& part,
                                                            pipeline::Toolchain& toolchain,
                                                            const pipeline::Options& options,
                                                            pipeline::EntryRecorder* recorder);

    /// \p inputs and the results behind them. The part runs in the first call, and whenever a
    /// tensor that it reads is another one or was written since.
    base::Result<std::vector<runtime::TensorPtr>>
    append(std::span<const runtime::TensorPtr> inputs);

private:
    struct Read {
        int input = 0; ///< of the call
        runtime::StoragePtr storage;
        uint32_t writes = 0;
        int64_t offset = 0;
        bool same(const runtime::Tensor& tensor) const {
            return storage == tensor.storage && writes == tensor.storage->writes &&
                   offset == tensor.offset;
        }
    };
    base::Status update(std::span<const runtime::TensorPtr> inputs);

    pipeline::ExecutableGraph unit_;
    std::vector<Read> reads_;
    std::vector<runtime::TensorPtr> results_;
};

} // namespace cutaway::backend
