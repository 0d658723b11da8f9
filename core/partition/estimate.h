// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a choice of saved values comes to, predicted before any code exists: the time of the fused
/// kernels of forward and backward, and the peak of memory by liveness.
///
/// Kernels are taken to be what producers and users that can be fused make together, up to the next
/// operation that cannot (a product, a convolution); a kernel reads and writes each value that it
/// shares with others once, at the rate of memory or of arithmetic, whichever is slower, after a
/// launch. Approximate: the fusion stage may keep apart what is one kernel here (a total before
/// what follows it), and joins siblings that are two here; a library call's workspace and the
/// holes of the arena are not seen. Both are linear in nodes, so that every corner of a curve can
/// be asked.
#pragma once

#include "core/partition/joint_info.h"

namespace cutaway::partition {

/// What a device does in a microsecond, roughly.
struct Rates {
    double bytesPerUs = 20e3;
    double flopsPerUs = 100e3;
    double launchUs = 1; ///< of what is no part of another kernel
};

struct Estimate {
    int64_t savedBytes = 0; ///< of what nobody else keeps: neither inputs nor forward outputs
    int64_t peakBytes = 0;  ///< forward and backward after each other, without their inputs
    double us = 0;          ///< forward and backward
    int saved = 0;          ///< tensors, inputs included
    int recomputed = 0;     ///< calls of both graphs
};

class Estimator {
public:
    Estimator(const JointInfo& info, const Rates& rates);
    /// \param saved in any order; what the backward does not use is left out.
    Estimate of(const std::vector<ir::NodeId>& saved) const;

private:
    struct Value {
        int64_t bytes = 0;
        double flops = 0;
        ir::NodeId root;       ///< whose memory it shows: itself but for views
        bool fusible = false;  ///< with producers and users
        bool takesAll = false; ///< takes what it reads into its kernel, whatever made that
        bool work = false;     ///< a call that is no view and no element of a tuple
    };
    struct Step;
    class Sequence;

    const JointInfo& info_;
    Rates rates_;
    std::vector<Value> values_;                  ///< by node id
    std::vector<std::vector<ir::NodeId>> reads_; ///< by node id
    std::vector<bool> kept_;                     ///< by node id: an input or a forward output
};

} // namespace cutaway::partition
