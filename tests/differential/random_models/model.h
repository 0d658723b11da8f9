// SPDX-License-Identifier: Apache-2.0
/// \file
/// A random model as a list of statements, its text as a script that runs under Cutaway and PyTorch
/// alike, and how it becomes smaller while it still fails.
#pragma once

#include "core/ir/dtype.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cutaway::testing {

struct Value {
    std::string name;
    std::vector<int64_t> sizes;
    ir::DType dtype = ir::DType::Float32;
    bool grad = false; ///< depends on an input that wants a gradient
};

struct Input {
    enum class Layout { Plain, Transposed, Sliced, Expanded };
    Value value;
    Layout layout = Layout::Plain;
    int seed = 0;
    int64_t below = 0; ///< indices: values from 0 to below - 1
};

/// Lines of the model's body that define some values from others.
struct Statement {
    std::string text; ///< lines without indentation
    std::vector<Value> results;
    std::vector<std::string> uses;
};

struct RandomModel {
    std::vector<Input> inputs;
    std::vector<Statement> body;
    std::vector<std::string> outputs;

    /// A script: runs the compiled model and its backward, prints outputs, gradients and inputs.
    std::string script() const;
    /// Without statements and inputs that no output needs.
    RandomModel pruned() const;
};

RandomModel randomModel(uint64_t seed);

/// A smaller model for which \p fails still holds, by at most \p budget trials.
RandomModel shrunk(RandomModel model, const std::function<bool(const RandomModel&)>& fails,
                   int budget);

} // namespace cutaway::testing
