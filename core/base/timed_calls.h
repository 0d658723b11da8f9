// SPDX-License-Identifier: Apache-2.0
/// \file
/// Times of single calls on a processor that other programs use, too.
#pragma once

#include <cstddef>
#include <vector>

namespace cutaway::base {

/// Asks, after every call, whether the system took a processor from this process to run another
/// since the question before (Linux counts these involuntary context switches: getrusage(2)).
/// A thread that was taken off between two calls is missed by the next one as well: threads wait
/// for each other.
class Preemptions {
public:
    Preemptions();
    /// Whether what ran since the last question, or just before it, was disturbed.
    bool disturbed();
    /// Whether processors were taken so often since the beginning that other programs had them all
    /// the while. False where the process has more of \p threads than there are processors: it
    /// disturbs itself then.
    bool isBusy(int threads) const;

private:
    double begin_;      ///< seconds
    long first_, seen_; ///< waiting threads that yield count, too
    bool before_ = false;
};

/// Calls in their order, in microseconds.
struct TimedCalls {
    std::vector<double> us;
    std::vector<bool> disturbed; ///< as long as `us`

    void add(double time, bool wasDisturbed);
    size_t undisturbed() const;
    /// The undisturbed calls where they are \p fewest at least; all where they are not: then the
    /// machine was so busy that no time is the program's own.
    std::vector<double> worth(size_t fewest) const;
};

} // namespace cutaway::base
