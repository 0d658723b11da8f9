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

/// How a model is compiled, besides what it computes.
struct Manner {
    bool dynamic = false; ///< sizes are symbols
    /// Without gradients; floating inputs but the first are a module's, and folded into the graph.
    bool frozen = false;
    bool unfused = false;               ///< one kernel a buffer
    std::vector<std::string> decisions; ///< as --decide takes them: "without merge_common"
};

struct RandomModel {
    Manner manner;
    std::vector<Input> inputs;
    std::vector<Statement> body;
    std::vector<std::string> outputs;

    /// A script: runs the compiled model and its backward, prints outputs, gradients and inputs.
    std::string script() const;
    /// Without statements and inputs that no output needs.
    RandomModel pruned() const;
};

/// What stands before each decision in a script.
constexpr const char* kDecision = "# decide: ";

/// \param least, most statements that are tried for; 0: a few
RandomModel randomModel(uint64_t seed, int least = 0, int most = 0);
/// Passes off, freezing, symbolic sizes, partitioner and budget, no fusion, at random.
Manner randomManner(uint64_t seed);

/// A smaller model for which \p fails still holds, by at most \p budget trials.
RandomModel shrunk(RandomModel model, const std::function<bool(const RandomModel&)>& fails,
                   int budget);

} // namespace cutaway::testing
