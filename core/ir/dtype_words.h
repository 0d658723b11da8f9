// SPDX-License-Identifier: Apache-2.0
/// \file
/// What PyTorch's messages call dtypes.
#pragma once

#include "core/ir/dtype.h"

#include <string>

namespace cutaway::ir {

/// "Float", "Long", "ComplexDouble", "UInt16", "Float8_e4m3fn": of c10::ScalarType.
std::string scalarType(DType dtype);
/// "float", "long int", "c10::Half": of C++.
std::string nameInCpp(DType dtype);
/// That a number is none of the dtype's.
std::string notHeld(DType dtype);

} // namespace cutaway::ir
