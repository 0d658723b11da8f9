// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether a script's compiled model gives what it should.
#pragma once

#include <set>
#include <string>

namespace cutaway::testing {

struct Verdict {
    std::string fault; ///< empty: none; else its kind, equal for what looks like the same fault
    std::string detail = {};               ///< expected and found
    std::set<std::string> operations = {}; ///< of the graphs that were compared
};

/// The fault of a model whose compiled and eager results are equally far from double precision, which
/// says nothing of the compiler: a floor beside a whole number, the deviation of equal numbers.
inline constexpr const char* kAsEager = "as far from double precision as eager";

/// Where and how a script's kernels are made and run.
struct Bench {
    std::string cacheFolder = {}; ///< of compiled kernels
    std::string device = "cpu";   ///< where tensors are made
    /// C++ texts are compiled without LLVM's optimiser: a third of the time, where each runs once.
    bool quick = false;
};

/// Runs a script compiled, compares every graph with eager, with the kernels' interpreter and with
/// double precision, and what it prints with what it prints when nothing is compiled.
Verdict judge(const std::string& script, const Bench& bench);

/// judge() in a process of its own: a crash is a fault, and so is running for longer than
/// \p seconds of computing.
Verdict triedAlone(const std::string& script, const Bench& bench, int seconds);

/// A verdict as text, and back.
std::string packed(const Verdict& verdict);
Verdict unpacked(const std::string& text);

} // namespace cutaway::testing
