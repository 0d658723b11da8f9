// SPDX-License-Identifier: Apache-2.0
/// \file
/// Kernels and graphs as files of their own.
#pragma once

#include "core/driver/session.h"

namespace cutaway::driver {

struct ExportedFile {
    std::string path; ///< below the folder that is exported to
    std::string bytes;
};
/// What exportSources writes. Errors: what compile says.
base::Result<std::vector<ExportedFile>> exportedSources(Tools& tools, const SessionOptions& options,
                                                        bool cuda);

/// Writes FOLDER/FUNCTION_GRAPH/ for every compiled graph: one source a kernel (exactly the text
/// that was compiled), a source that calls them in order, a header, a CMakeLists.txt, and a main
/// that runs on the recorded inputs, compares with the recorded outputs and times a call; and above them
/// a CMakeLists.txt that builds all, and a README.md. \param
/// cuda true: CUDA sources (from a compilation for the CPU too: the same graphs, other texts)
/// Errors: what compile says; environment error when the folder cannot be written. Then there is no
/// file of it.
base::Status exportSources(Tools& tools, const SessionOptions& options, const std::string& folder,
                           bool cuda);

/// DOT text of a recorded graph: nodes with names, operations and types; saved tensors marked.
std::string graphDot(const record::Entry& entry, const record::GraphStage& graph);
/// GraphML of a recorded graph: all that the record says of a node as data of its own, edges with the
/// number of the argument.
std::string graphMl(const record::GraphStage& graph);

} // namespace cutaway::driver
