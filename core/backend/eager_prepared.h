// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the eager world keeps of its calls: made ready, families of them, and on the tape.
/// Internal to core/backend.
#pragma once

#include "core/backend/call_numbers.h"
#include "core/backend/eager_runner.h"
#include "core/ops/op_def.h"
#include "core/runtime/autograd.h"
#include "core/runtime/saved_versions.h"
#include "core/runtime/shown_inputs.h"

#include <algorithm>
#include <iterator>

namespace cutaway::backend {

using runtime::TensorPtr;

/// An operation with everything that depends on its arguments and its tensors' types only.
struct EagerRunner::Prepared {
    const ops::OpDef* def = nullptr;
    ir::Graph graph; ///< placeholders for the tensors, then the call (or its decomposition)
    ir::NodeId call; ///< the call, when it was not decomposed
    std::vector<ir::TensorType> types;
    bool composite = false; ///< decomposed before autograd: runs call by call
    bool copy = false;      ///< to another device: no kernel
    bool view = false;
    int64_t viewOffset = 0;                          ///< elements, relative to the input
    std::shared_ptr<runtime::Executable> executable; ///< null: on the device without values
    std::vector<int64_t> symbols;                    ///< of the executable, when it has any
    int64_t bytesMoved = 0;                          ///< by one call
    std::vector<int> gradientOutputs; ///< backward graphs: output of each tensor's gradient, or -1
    std::vector<bool>
        reads; ///< backward graphs: whether each saved value matters, not its type only

    /// What the shape rule says of other numbers: full() does not take 300 for uint8.
    base::Status accepts(ir::ArgList args) const;
};

/// Calls that differ in the values of their numbers only.
struct EagerRunner::Family {
    PreparedPtr prepared; ///< takes the numbers behind the tensors; null until a second value came
    NumberDTypes dtypes;
    bool refused = false;   ///< what the operation is depends on the values
    bool composite = false; ///< of operations that take the numbers: not kept
};

/// Graphs that differ in the values of their sizes only.
struct EagerRunner::SizeFamily {
    std::vector<int64_t> first;           ///< the sizes that came first
    PreparedPtr prepared;                 ///< over symbols; null until second sizes came
    std::shared_ptr<ir::ShapeEnv> shapes; ///< its guards
    bool refused = false;                 ///< what the graph is depends on the sizes
};

/// One operation on the tape.
struct EagerRunner::TapeEntry : runtime::GradFunction, runtime::SavesResults, runtime::ShownInputs {
    ~TapeEntry() override {
        if (shownInputs) // taken apart as what leads on from here is
            std::ranges::move(*shownInputs, std::back_inserter(inputs));
    }
    EagerRunner* runner = nullptr;
    std::shared_ptr<const Prepared> forward;
    std::vector<TensorPtr> tensors;                      ///< forward inputs
    std::vector<std::weak_ptr<runtime::Tensor>> origins; ///< what these are values of
    ir::ArgList args;                                    ///< of the call
    size_t numbers = 0;                                  ///< of the inputs, the last ones
    std::vector<runtime::StoragePtr> resultStorage; ///< keeps values alive, not the tape (no cycle)
    std::vector<int64_t> resultOffsets;
    std::vector<uint32_t> versions; ///< of the tensors' storage, then of the results'

    base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>& gradOutputs) override;
    base::Result<std::vector<TensorPtr>>
    applyRecorded(const std::vector<TensorPtr>& gradOutputs) override {
        return oneByOne(gradOutputs, true);
    }
    base::Result<std::vector<TensorPtr>> oneByOne(const std::vector<TensorPtr>& gradOutputs,
                                                  bool record);
    /// The call with its numbers as constants again, for a gradient rule that reads them.
    base::Status putNumbersIn();
    /// What saved_tensors_hooks() keep instead of values: by place among the tensors, behind them
    /// the results.
    std::map<size_t, std::shared_ptr<void>> packed;
    std::shared_ptr<const capture::SavedHooks> hooks; ///< null: values are kept as they are
    void unpack();
    void followData();
    /// By place among the tensors, why its value is not known: its .data got another type.
    std::map<size_t, base::Diagnostic> lost;
    /// Lets go of a value; its type stays.
    void drop(size_t i);
    /// What PyTorch saves although no gradient here reads it: refused where it was written, too.
    struct SavedBeside {
        TensorPtr value, edge; ///< edge: as in `inputs`; null for results
        int output = -1;       ///< of this function
        uint32_t version = 0;
    };
    std::vector<SavedBeside> beside;
    void saveBeside(const ops::SavedValues& saved, const ir::ArgList& args,
                    std::span<const TensorPtr> given, const std::vector<TensorPtr>& results);
    base::Status checkBeside() const;
    void countEarlierWrites(uint32_t writes) override;
    base::Status checkSaved(const Prepared& backward, const std::vector<TensorPtr>& saved) const;
    runtime::Producer producerOf(size_t i) const;
    bool saves = true; ///< the last apply() read values of the forward
    /// Of what no gradient reads, the types stay: it can be run back again, as in PyTorch.
    bool release() override {
        packed.clear();
        if (saves || !beside.empty()) {
            beside.clear();
            tensors.clear();
            resultStorage.clear();
            return true;
        }
        for (TensorPtr& tensor : tensors) {
            auto typeOnly = std::make_shared<runtime::Tensor>();
            typeOnly->type = tensor->type;
            tensor = std::move(typeOnly);
        }
        resultStorage.assign(resultStorage.size(), nullptr);
        return false;
    }
    /// Any memory will do for what release() left the type of.
    base::Status putMemoryIn();
};

} // namespace cutaway::backend
