// SPDX-License-Identifier: Apache-2.0
/// \file
/// Graphs drawn by the window's program, which lies beside this one: as the window shows them, in a
/// second for ten thousand nodes, where Graphviz takes minutes.
#pragma once

#include "core/base/result.h"
#include "core/record/record.h"

#include <memory>
#include <string>
#include <sys/types.h>

namespace cutaway::cli {

class GraphDrawer {
public:
    /// Starts it: before the box, in which none can be started. Null: there is no window's program.
    /// \param as "svg", "pdf" or "png"
    static std::unique_ptr<GraphDrawer> start(const std::string& folder, const std::string& as);
    ~GraphDrawer();
    GraphDrawer(const GraphDrawer&) = delete;
    GraphDrawer& operator=(const GraphDrawer&) = delete;
    /// Errors: environment error; the program has said on standard error what was wrong.
    base::Status draw(const record::Record& record);

private:
    GraphDrawer() = default;
    int wait();

    int input_ = -1;
    pid_t child_ = -1;
};

} // namespace cutaway::cli
