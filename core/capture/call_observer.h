// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sees every operation that the eager world runs on this thread, below autograd: composites come
/// as the operations that they are made of, a backward pass as the operations of its rules.
#pragma once

#include "core/ops/catalogue.h"
#include "core/runtime/tensor.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace cutaway::capture {

class Val;

class CallObserver {
public:
    /// As long as it is there, what the operation \p base gives is written into \p into.
    struct Write {
        Write(std::string_view base, const runtime::Tensor& into)
            : base(base), into(&into), before(std::exchange(current(), this)) {}
        Write(const Write&) = delete;
        ~Write() { current() = before; }
        static Write*& current() {
            static thread_local Write* write = nullptr;
            return write;
        }
        const std::string_view base;
        const runtime::Tensor* const into;
        Write* const before;
    };
    /// As long as it is there, nobody sees what runs.
    struct Unseen {
        Unseen() : before(std::exchange(current(), nullptr)) {}
        Unseen(const Unseen&) = delete;
        ~Unseen() { current() = before; }
        CallObserver* const before;
    };

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
    /// What \p into becomes where \p value, if there is one, is written into it by the operation
    /// \p name in place; asked where replaces().
    virtual runtime::TensorPtr written(const std::string& name, const runtime::Tensor& into,
                                       const Val* value) {
        (void)name, (void)value;
        return std::make_shared<runtime::Tensor>(into);
    }
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
