// SPDX-License-Identifier: Apache-2.0
/// \file
/// Values in place of those that a case file's example_inputs gives: drawn from a distribution, or
/// an array of a file. They are decisions: "input 0=normal(0, 1, 7)".
#pragma once

#include "core/capture/program.h"
#include "core/driver/session.h"

namespace cutaway::driver {

struct GivenInput {
    enum class Kind : uint8_t { Normal, Uniform, Integers, Zeros, Ones, File };
    size_t number = 0; ///< of the case's tensors, from the first argument to the last
    Kind kind = Kind::Zeros;
    double a = 0, b = 1; ///< mean and deviation, or from a to below b
    uint64_t seed = 0;   ///< as torch.manual_seed takes it
    std::string path;    ///< File
    std::string hash;    ///< File: what record::textHash of its bytes begins with; empty: any
    std::string text;    ///< as it was written
};

/// \param text what follows "input ": NUMBER=normal(MEAN, DEVIATION, SEED), uniform(LOW, HIGH, SEED),
/// ints(LOW, HIGH, SEED), zeros, ones, file(PATH) or file(PATH, HASH). Errors: usage error saying so.
base::Result<GivenInput> parseInput(const std::string& text);

/// Every tensor of the arguments once, in order.
std::vector<runtime::TensorPtr> caseTensors(const std::vector<capture::ValuePtr>& arguments);

/// Writes the values into the tensors; a file's array may have other sizes. \param read the bytes of
/// a file. Errors: usage error for a number that no tensor has; user error for a file that holds
/// something else than the tensor wants.
base::Status
giveInputs(const std::vector<GivenInput>& inputs,
           const std::function<base::Result<std::string>(const std::string& path)>& read,
           const std::vector<runtime::TensorPtr>& tensors);

} // namespace cutaway::driver
