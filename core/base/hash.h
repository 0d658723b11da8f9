// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stable content hash (two lanes of FNV-1a with a finaliser): finds equal things quickly. Not
/// cryptographic.
#pragma once

#include <cstdint>
#include <string_view>

namespace cutaway::base {

class Hasher {
public:
    Hasher& add(std::string_view bytes);
    Hasher& add(uint64_t value);
    uint64_t word() const;

private:
    uint64_t a_ = 0xcbf29ce484222325ull;
    uint64_t b_ = 0x9ae16a3b2f90404full;
};

} // namespace cutaway::base
