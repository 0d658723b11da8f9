// SPDX-License-Identifier: Apache-2.0
#include "core/backend/frozen_inputs.h"

#include <algorithm>

namespace cutaway::backend {

using runtime::TensorPtr;

base::Result<std::unique_ptr<FrozenInputs>> FrozenInputs::make(const partition::FrozenPart& part,
                                                               pipeline::Toolchain& toolchain,
                                                               const pipeline::Options& options,
                                                               pipeline::EntryRecorder* recorder) {
    auto made = std::make_unique<FrozenInputs>();
    CUTAWAY_TRY(made->unit_, pipeline::compileGraph(part.graph, toolchain, options, recorder));
    for (int input : part.inputs)
        made->reads_.push_back({input, nullptr, 0, 0});
    return made;
}

base::Status FrozenInputs::update(std::span<const TensorPtr> inputs) {
    std::vector<TensorPtr> given;
    for (Read& read : reads_) {
        const TensorPtr& tensor = inputs[static_cast<size_t>(read.input)];
        given.push_back(tensor);
        read = {read.input, tensor->storage, tensor->storage->writes, tensor->offset};
    }
    results_.clear(); // the old ones need not lie beside the new ones
    CUTAWAY_TRY(results_, unit_.executable->run(given, {}));
    return {};
}

base::Result<std::vector<TensorPtr>> FrozenInputs::append(std::span<const TensorPtr> inputs) {
    const bool known = !results_.empty() && std::ranges::all_of(reads_, [&](const Read& read) {
        return read.same(*inputs[static_cast<size_t>(read.input)]);
    });
    if (!known) CUTAWAY_CHECK(update(inputs));
    std::vector<TensorPtr> all(inputs.begin(), inputs.end());
    all.insert(all.end(), results_.begin(), results_.end());
    return all;
}

} // namespace cutaway::backend
