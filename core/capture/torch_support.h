// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the torch module and tensor methods share.
#pragma once

#include "core/capture/interp.h"

namespace cutaway::capture {

/// Whether ops::bind knows the base name (aliases such as "divide" included).
bool operationExists(const std::string& base);
Val convertTo(Interp& interp, const Val& tensor, ir::DType dtype);
/// Writes \p value, broadcast and converted, into what \p window sees of \p self, in place and on
/// the tape. \p fills: the value is one number for all elements. \p what names the deed in
/// messages.
void writeInPlace(Interp& interp, TensorObj& self, const std::function<Val()>& window, Val value,
                  bool fills, std::string_view what);
/// Raises when elements of a tensor that is written share memory (expand()).
void wantSeparateElements(Interp& interp, const ir::TensorType& type);
/// Raises when other elements of \p written, a real tensor, lie where \p read has some.
void wantOtherMemory(Interp& interp, const TensorObj& written, const Val& read);
/// A number as a tensor of no dimensions.
Val numberTensor(Interp& interp, const Val& number, ir::DType dtype, ir::Device device);
/// torch.tensor of nested lists of numbers; a constant of the graph under capture. \p dtype: else
/// what the numbers give.
Val tensorOfData(Interp& interp, const Val& data, std::optional<ir::DType> dtype,
                 ir::Device device);
Val moveTo(Interp& interp, const Val& tensor, ir::Device device);
ir::Device wantDevice(Interp& interp, const Val& v);
Val drawTensor(Interp& interp, ir::DType dtype, std::vector<int64_t> sizes, ir::Device device,
               ops::Distribution distribution, int64_t low = 0, int64_t high = 0);

} // namespace cutaway::capture
