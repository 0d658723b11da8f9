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
    /// Whether instead() is to be asked for each operation.
    virtual bool replaces() const { return false; }
    /// What an operation gives, \p count tensors; those that it is given know no tape.
    virtual base::Result<std::vector<runtime::TensorPtr>>
    instead(const ops::OpDef& def, const ir::ArgList& args,
            std::span<const runtime::TensorPtr> tensors, size_t count);
    /// The one in force on this thread; null: none.
    static CallObserver*& current() {
        static thread_local CallObserver* observer = nullptr;
        return observer;
    }

protected:
    CallObserver* before() const { return before_; }

private:
    CallObserver* before_;
};

inline base::Result<std::vector<runtime::TensorPtr>>
CallObserver::instead(const ops::OpDef& def, const ir::ArgList&,
                      std::span<const runtime::TensorPtr>, size_t) {
    return base::bugError("nothing stands in for " + def.name());
}

} // namespace cutaway::capture
