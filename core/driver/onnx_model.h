// SPDX-License-Identifier: Apache-2.0
/// \file
/// Private to driver: an ONNX model as a case file that computes it.
#pragma once

#include "core/driver/exported_model.h"

namespace cutaway::driver {

using ReadFile = std::function<base::Result<std::string>(const std::string& path)>;

/// The graph of such a model: `model`, a module that holds its weights, one line an operator, of
/// torch.onnx._operators; `example_inputs`, random ones of its inputs' sizes, open sizes being open.
/// Weights in files beside \p path are read from there, by \p read where it is given.
/// Errors: user error naming \p path: damaged, or something in it that scripts do not have.
base::Result<ModelScript> onnxModel(std::string_view bytes, const std::string& path,
                                    const ReadFile& read = nullptr);

} // namespace cutaway::driver
