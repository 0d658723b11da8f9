// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether results must be the same bits in every run: torch.use_deterministic_algorithms.
#pragma once

namespace cutaway::runtime {

bool deterministic();
void setDeterministic(bool wanted);

} // namespace cutaway::runtime
