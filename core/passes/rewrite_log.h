// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which node met a rule's condition, and what came of it: written by the walk that rewriting passes
/// share (sweep.h) while somebody listens. A pass says its condition (Sweep::because) and no more.
#pragma once

#include "core/ir/graph.h"

#include <string>
#include <vector>

namespace cutaway::passes {

struct LoggedRewrite {
    ir::NodeId node;
    std::string name, line;           ///< of the node, as its rule saw it
    std::vector<std::string> inputs;  ///< names of those of the node, as its rule saw them
    std::string rule;                 ///< empty: the pass has one
    std::string condition;            ///< what held there
    std::vector<std::string> becomes; ///< names of what stands for the node; empty: it is changed
    std::vector<ir::NodeId> built, replaced;
};
using RewriteLog = std::vector<LoggedRewrite>;

namespace detail {
inline constinit thread_local RewriteLog* listening = nullptr;
} // namespace detail

/// Until it ends, rewrites on this thread are added to \p log.
class RewriteListener {
public:
    explicit RewriteListener(RewriteLog* log) : before_(detail::listening) {
        detail::listening = log;
    }
    ~RewriteListener() { detail::listening = before_; }
    RewriteListener(const RewriteListener&) = delete;
    RewriteListener& operator=(const RewriteListener&) = delete;

private:
    RewriteLog* before_;
};

} // namespace cutaway::passes
