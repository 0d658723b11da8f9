// SPDX-License-Identifier: Apache-2.0
/// \file
/// The eager world: one operation at a time, each compiled as its own kernel, with an autograd tape.
/// Once per signature; small tensors of second sizes get a kernel that serves the others, too.
#pragma once

#include "core/capture/world.h"
#include "core/pipeline/compile.h"

#include <string>
#include <unordered_map>

namespace cutaway::backend {

class EagerRunner : public capture::EagerOps {
public:
    EagerRunner(pipeline::Toolchain& toolchain, pipeline::Options options);
    ~EagerRunner() override;

    base::Result<std::vector<runtime::TensorPtr>> call(const ops::OpDef& def,
                                                       const ir::ArgList& args,
                                                       std::span<const runtime::TensorPtr> tensors,
                                                       bool gradMode) override;
    base::Result<std::vector<runtime::TensorPtr>>
    backward(const runtime::BackwardRequest& request) override;
    runtime::Generator& generator() override { return generator_; }
    void setSavedHooks(std::shared_ptr<const capture::SavedHooks> hooks) override {
        savedHooks_ = std::move(hooks);
    }

    /// By name, with arguments that may be short of defaults: for callers in C++.
    base::Result<runtime::TensorPtr> call(std::string_view op, ir::ArgList args,
                                          std::vector<runtime::TensorPtr> tensors,
                                          bool gradMode = false);
    struct Work {
        int64_t launches = 0, bytesMoved = 0, compiled = 0;
    };
    /// What was done since the last call of this function.
    Work takeWork();

private:
    struct Prepared;
    struct Family;
    struct SizeFamily;
    struct TapeEntry;
    using PreparedPtr = std::shared_ptr<Prepared>;

    /// What becomes of an operation that is made of others: one kernel, or calls of its parts.
    enum class Parts {
        AsItSays,
        Apart, ///< of what is made of others once gradients are computed, too
        Shown, ///< those that the tape shows as one stay calls
    };
    base::Result<PreparedPtr> prepare(const ops::OpDef& def, const ir::ArgList& args,
                                      std::span<const runtime::TensorPtr> tensors, Parts parts);
    /// The call in a graph, nothing compiled.
    base::Result<PreparedPtr> written(const ops::OpDef& def, const ir::ArgList& args,
                                      std::span<const runtime::TensorPtr> tensors);
    base::Status complete(Prepared& form, Parts parts);
    /// What runs the call. A number that came with a second value is an input of its kernel from
    /// then on: appended to \p tensors.
    base::Result<PreparedPtr> find(const ops::OpDef& def, const ir::ArgList& args,
                                   std::vector<runtime::TensorPtr>& tensors, Parts parts);
    base::Result<Family*> family(const ops::OpDef& def, const ir::ArgList& args,
                                 std::span<const runtime::TensorPtr> tensors,
                                 std::span<const size_t> numbers);
    base::Result<PreparedPtr> prepareGraph(ir::Graph graph);
    base::Result<PreparedPtr> compile(ir::Graph graph);
    /// What a graph of other sizes was compiled for as well; null when there is nothing yet.
    PreparedPtr forOpenSizes(const ir::Graph& graph);
    /// The gradients of a call as a graph: placeholders for its tensors, its results and the
    /// gradients that arrived. \p outputs: output of each tensor's gradient, or -1.
    base::Result<ir::Graph> backwardGraph(const TapeEntry& entry,
                                          const std::vector<runtime::TensorPtr>& gradOutputs,
                                          std::vector<int>& outputs);
    base::Result<PreparedPtr> prepareBackward(TapeEntry& entry,
                                              const std::vector<runtime::TensorPtr>& gradOutputs);
    base::Result<PreparedPtr> newBackward(const TapeEntry& entry,
                                          const std::vector<runtime::TensorPtr>& gradOutputs,
                                          const std::string& key);
    base::Result<std::vector<runtime::TensorPtr>> run(Prepared& prepared,
                                                      std::span<const runtime::TensorPtr> tensors);
    base::Result<std::vector<runtime::TensorPtr>>
    launch(const Prepared& prepared, std::span<const runtime::TensorPtr> inputs);
    base::Result<runtime::TensorPtr> random(const ops::OpDef& def, const ir::ArgList& args);
    base::Result<std::vector<runtime::TensorPtr>> strided(const ops::OpDef& def, ir::ArgList args,
                                                          const runtime::TensorPtr& tensor,
                                                          bool gradMode);
    base::Result<std::vector<runtime::TensorPtr>>
    plainCall(const ops::OpDef& def, const ir::ArgList& args,
              std::span<const runtime::TensorPtr> tensors, bool gradMode);
    base::Status pack(TapeEntry& entry);
    /// ops::OpDef::saved of a call that the script makes, not an operation that it consists of.
    void saveBeside(const ops::OpDef& def, const ir::ArgList& args,
                    std::span<const runtime::TensorPtr> tensors,
                    const std::vector<runtime::TensorPtr>& results);
    base::Status recordOnTape(const PreparedPtr& prepared,
                              std::span<const runtime::TensorPtr> tensors, const ir::ArgList& args,
                              size_t numbers, std::vector<runtime::TensorPtr>& results);

    pipeline::Toolchain& toolchain_;
    pipeline::Options options_;
    runtime::Generator generator_;
    std::shared_ptr<const capture::SavedHooks> savedHooks_;
    std::unordered_map<std::string, PreparedPtr> prepared_;    ///< null: no such form
    std::unordered_map<std::string, Family> families_;         ///< by what numbers do not change
    std::unordered_map<std::string, SizeFamily> sizeFamilies_; ///< by what sizes do not change
    Work work_;
    int parts_ = 0; ///< composites that run now
};

/// A tensor on the same memory that is a leaf of its own: values without the tape behind them.
runtime::TensorPtr valueOf(const runtime::TensorPtr& tensor);

/// Runs a graph's calls one by one on real tensors: the backend `eager`.
base::Result<std::vector<runtime::TensorPtr>>
runOneByOne(const ir::Graph& graph, capture::EagerOps& eager,
            std::span<const runtime::TensorPtr> inputs, bool gradMode);

} // namespace cutaway::backend
