// SPDX-License-Identifier: Apache-2.0
/// \file
/// A number of loop iterations: a size, maybe with symbols, and its value in the call that was
/// captured. Equality is that of the sizes, whatever the values; the order is that of the values in
/// that call and ranks choices only: what is legal never depends on it.
#pragma once

#include "core/kernel/loop_program.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace cutaway::fusion {

class Extent {
public:
    Extent(int64_t value) : size_(value), hint_(value) {}
    Extent(const kernel::LoopProgram& program, const ir::Sym& size)
        : size_(size), hint_(program.hint(size)) {}

    const ir::Sym& size() const { return size_; }
    int64_t hint() const { return hint_; }
    /// Anything but the number 0.
    explicit operator bool() const { return !size_.is(0); }

    Extent& operator*=(const Extent& other) { return *this = *this * other; }
    Extent& operator/=(const Extent& other) { return *this = *this / other; }
    friend Extent operator*(const Extent& a, const Extent& b) {
        return {a.size_ * b.size_, (ir::Sym(a.hint_) * ir::Sym(b.hint_)).constant()};
    }
    /// Only where divides() holds.
    friend Extent operator/(const Extent& a, const Extent& b) {
        return {ir::floorDiv(a.size_, b.size_), b.hint_ == 0 ? 0 : a.hint_ / b.hint_};
    }
    friend bool operator==(const Extent& a, const Extent& b) { return a.size_ == b.size_; }
    friend bool operator<(const Extent& a, const Extent& b) { return a.hint_ < b.hint_; }
    friend bool operator>(const Extent& a, const Extent& b) { return b < a; }
    friend bool operator<=(const Extent& a, const Extent& b) { return !(b < a); }
    friend bool operator>=(const Extent& a, const Extent& b) { return !(a < b); }

private:
    Extent(ir::Sym size, int64_t hint) : size_(std::move(size)), hint_(hint) {}
    ir::Sym size_;
    int64_t hint_;
};

/// Whether \p a is a multiple of \p b for all values of the symbols.
inline bool divides(const Extent& b, const Extent& a) {
    return !b.size().is(0) && ir::mod(a.size(), b.size()).is(0);
}

/// How many of the outer \p dims have \p rows iterations together; nothing when no number of them
/// has.
inline std::optional<size_t> cutAt(const std::vector<Extent>& dims, const Extent& rows) {
    Extent outer = 1;
    for (size_t cut = 0;; outer *= dims[cut++]) {
        if (outer == rows) return cut;
        if (cut == dims.size()) return std::nullopt;
    }
}

/// Bytes of a buffer in the call that was captured.
inline int64_t bytesOf(const kernel::LoopProgram& program, const kernel::Buffer& buffer) {
    return program.hint(buffer.numel()) * static_cast<int64_t>(ir::sizeBytes(buffer.dtype));
}

/// The same of what lies in memory: along a stride of 0 it is one element again and again.
inline int64_t distinctBytesOf(const kernel::LoopProgram& program, const kernel::Buffer& buffer) {
    ir::Sym elements(1);
    for (size_t i = 0; i < buffer.sizes.size(); ++i)
        if (i >= buffer.strides.size() || !buffer.strides[i].is(0) || buffer.sizes[i].is(0))
            elements = elements * buffer.sizes[i];
    return program.hint(elements) * static_cast<int64_t>(ir::sizeBytes(buffer.dtype));
}

} // namespace cutaway::fusion

template <> struct fmt::formatter<cutaway::fusion::Extent> : fmt::formatter<std::string> {
    auto format(const cutaway::fusion::Extent& extent, fmt::format_context& context) const {
        return fmt::formatter<std::string>::format(extent.size().str(), context);
    }
};
