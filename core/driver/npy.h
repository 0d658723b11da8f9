// SPDX-License-Identifier: Apache-2.0
/// \file
/// Private to driver: arrays of NumPy's .npy files.
#pragma once

#include "core/base/result.h"
#include "core/ir/host_tensor.h"

#include <string>
#include <string_view>

namespace cutaway::driver {

/// The array of a .npy file (format 1 to 3, little-endian, in C or Fortran order), row-major. Like
/// numpy.load, it does not look at what follows the array: a file may hold several.
/// Errors: user error naming \p path and what is wrong with it.
base::Result<ir::HostTensor> readNpy(std::string_view bytes, const std::string& path);

} // namespace cutaway::driver
