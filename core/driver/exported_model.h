// SPDX-License-Identifier: Apache-2.0
/// \file
/// Private to driver: what torch.export saved (.pt2), as a case file that computes it.
#pragma once

#include "core/capture/program.h"

#include <map>

namespace cutaway::driver {

/// A script, and the tensors that its torch.export.load() gives.
struct ModelScript {
    std::string text;
    std::vector<capture::HeldTensor> tensors;
    std::map<int, std::string> modulesOfLines; ///< where the model's modules computed its lines
};

/// Bytes of an archive at most.
constexpr size_t kLargestModel = size_t{4} << 30;

/// Whether \p bytes are an archive of torch.export, as PyTorch has saved them since 2.9: a zip with
/// models/NAME.json and the raw bytes of every weight (torch/export/pt2_archive/_package.py).
bool isExportedModel(std::string_view bytes);

/// The program of such an archive: `model`, a module with its parameters and buffers, one line an
/// operation; `example_inputs`, those that were saved, or random ones of their sizes; `train`,
/// whether there is something to train.
/// Errors: user error naming \p path: damaged, or something in it that scripts do not have.
base::Result<ModelScript> exportedModel(std::string_view bytes, const std::string& path);

} // namespace cutaway::driver
