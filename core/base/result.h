// SPDX-License-Identifier: Apache-2.0
/// \file
/// A value or one diagnostic. What can go wrong with an input travels as a value. Two things are
/// thrown across folders, and caught where a stage or a request begins: base::Cancelled (tick.h), and
/// exceptions of an operation's own rule, which are defects.
#pragma once

#include "core/base/diagnostic.h"

#include <cassert>
#include <memory>
#include <utility>
#include <variant>

namespace cutaway::base {

template <typename T> class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::move(value)) {}
    Result(Diagnostic error) : state_(std::make_unique<Diagnostic>(std::move(error))) {}

    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() & {
        assert(ok());
        return std::get<0>(state_);
    }
    const T& value() const& {
        assert(ok());
        return std::get<0>(state_);
    }
    T&& value() && {
        assert(ok());
        return std::get<0>(std::move(state_));
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    const Diagnostic& error() const {
        assert(!ok());
        return *std::get<1>(state_);
    }
    Diagnostic& error() {
        assert(!ok());
        return *std::get<1>(state_);
    }

private:
    std::variant<T, std::unique_ptr<Diagnostic>>
        state_; ///< a pointer: what fails is rare and large
};

/// Success, or one diagnostic.
class [[nodiscard]] Status {
public:
    Status() = default;
    Status(Diagnostic error) : error_(std::make_unique<Diagnostic>(std::move(error))) {}
    bool ok() const { return !error_; }
    explicit operator bool() const { return ok(); }
    const Diagnostic& error() const {
        assert(error_);
        return *error_;
    }
    Diagnostic& error() {
        assert(error_);
        return *error_;
    }

private:
    std::unique_ptr<Diagnostic> error_;
};

} // namespace cutaway::base

/// Evaluates a Result or Status; on failure returns its diagnostic from the enclosing function.
#define CUTAWAY_CHECK(expression)                                                                  \
    do {                                                                                           \
        if (auto status_ = (expression); !status_.ok()) return status_.error();                    \
    } while (false)

#define CUTAWAY_CONCAT_(a, b) a##b
#define CUTAWAY_CONCAT(a, b) CUTAWAY_CONCAT_(a, b)
/// CUTAWAY_TRY(auto x, f()): declares x from a Result, or returns the diagnostic.
#define CUTAWAY_TRY(declaration, expression)                                                       \
    auto CUTAWAY_CONCAT(result_, __LINE__) = (expression);                                         \
    if (!CUTAWAY_CONCAT(result_, __LINE__).ok())                                                   \
        return std::move(CUTAWAY_CONCAT(result_, __LINE__).error());                               \
    declaration = std::move(*CUTAWAY_CONCAT(result_, __LINE__))
