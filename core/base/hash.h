// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stable 128-bit content hash (two lanes of FNV-1a with a finaliser): names of cache files and
/// identities of kernels. Not cryptographic.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cutaway::base {

class Hasher {
public:
    Hasher& add(std::string_view bytes);
    Hasher& add(uint64_t value);
    /// 32 lower-case hexadecimal digits.
    std::string hex() const;
    uint64_t word() const;

private:
    uint64_t a_ = 0xcbf29ce484222325ull;
    uint64_t b_ = 0x9ae16a3b2f90404full;
};

std::string hashHex(std::string_view bytes);

} // namespace cutaway::base
