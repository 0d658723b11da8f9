// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Traces that other programs wrote (torch.profiler, Perfetto, chrome://tracing, `cutaway bench
/// --trace`), as lanes: what each thread and each stream of a GPU did, calls within calls.
#pragma once

#include "core/base/result.h"
#include "views/models/timeline.h"

namespace cutaway::views {

/// Chrome's trace event format: complete events (X), begins and ends (B, E) and names (M). Each
/// thread has as many lanes as its calls are deep; times begin with the first slice.
/// Errors: user error naming \p file: no JSON, or no slices.
base::Result<Timeline> readTrace(const QByteArray& bytes, const QString& file);

/// Slices that are named as kernels of \p entry lead to these. \returns how many.
int linkKernels(Timeline& line, const record::Entry& entry);

} // namespace cutaway::views
