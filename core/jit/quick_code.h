// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether machine code shall be made quickly rather than run quickly.
#pragma once

namespace cutaway::jit {

/// While one lives, C++ texts are compiled without LLVM's optimiser: for runs of very many texts
/// once each, whose values do not depend on it.
class QuickCode {
public:
    QuickCode();
    ~QuickCode();
    QuickCode(const QuickCode&) = delete;
    QuickCode& operator=(const QuickCode&) = delete;
};

} // namespace cutaway::jit
