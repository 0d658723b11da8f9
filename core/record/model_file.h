// SPDX-License-Identifier: Apache-2.0
/// \file
/// Graphs that other programs stored, to be compared with ours: ONNX, torch.export's archives, and
/// what PyTorch prints of its graphs (as tlparse and TORCH_LOGS keep it).
#pragma once

#include "core/base/result.h"
#include "core/record/record.h"

#include <string_view>

namespace cutaway::record {

/// A record of such a file's graph alone: one entry with a stage, "captured" unless the file says
/// that it is another. Subgraphs of nodes and values of weights are not read.
/// Errors: user error naming \p path: the bytes are of none of these formats, or damaged.
base::Result<Record> readModel(std::string_view bytes, const std::string& path);
/// A .cutaway file as open() reads it, or a model as readModel() does.
base::Result<Record> openToCompare(const std::string& path);

} // namespace cutaway::record
