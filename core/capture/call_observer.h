// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sees every operation that the eager world runs on this thread, below autograd: composites come
/// as the operations that they are made of, a backward pass as the operations of its rules.
#pragma once

#include "core/ops/catalogue.h"
#include "core/runtime/tensor.h"

#include <span>

namespace cutaway::capture {

class CallObserver {
public:
    CallObserver() : before_(current()) { current() = this; }
    CallObserver(const CallObserver&) = delete;
    virtual ~CallObserver() { current() = before_; }
    virtual void called(const ops::OpDef& def, const ir::ArgList& args,
                        std::span<const runtime::TensorPtr> tensors,
                        std::span<const runtime::TensorPtr> results) = 0;
    /// The one in force on this thread; null: none.
    static CallObserver*& current() {
        static thread_local CallObserver* observer = nullptr;
        return observer;
    }

private:
    CallObserver* before_;
};

} // namespace cutaway::capture
