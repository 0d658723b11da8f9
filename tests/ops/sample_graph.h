// SPDX-License-Identifier: Apache-2.0
/// \file
/// A sample of the catalogue as a graph of one call with values for its inputs.
#pragma once

#include "core/ops/builder.h"
#include "core/ops/reference.h"

#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace cutaway::tests {

struct SampleGraph {
    ir::Graph graph{"sample"};
    std::vector<ir::HostTensor> inputs; ///< one per placeholder, row-major
    ir::NodeId call;                    ///< outputs are the call, or the getitems of its tuple
};

/// How the tensors of a sample lie in memory.
enum class Layout {
    AsTold,        ///< row-major, or transposed where the sample says so
    Reversed,      ///< the last dimension outermost, the first innermost
    FirstReversed, ///< the first tensor reversed, the others as told
    OthersReversed,
    ChannelsLast, ///< the second dimension innermost
    Rotated,      ///< the first dimension innermost, the others row-major: permute(2, 0, 1)
    Expanded,     ///< the same elements along the first dimension
    Gaps          ///< every second element of the last dimension
};
inline constexpr Layout kLayouts[] = {
    Layout::AsTold,       Layout::Reversed, Layout::FirstReversed, Layout::OthersReversed,
    Layout::ChannelsLast, Layout::Rotated,  Layout::Expanded,      Layout::Gaps};
std::string_view name(Layout layout);

/// Values for a sample's tensor in that dtype.
ir::HostTensor sampleValues(const ops::SampleTensor& want, ir::DType dtype,
                            std::mt19937_64& random);

/// The type of a sample's tensor \p number in that layout.
ir::TensorType sampleType(const ops::Sample& sample, size_t number, Layout layout,
                          bool doubles = false);

/// Errors: what the shape rule says. Floating placeholders require a gradient, but weights of classes. Values depend on the
/// sample alone. \p doubles makes float32 tensors and dtype arguments float64.
base::Result<SampleGraph> makeSampleGraph(const ops::OpDef& def, const ops::Sample& sample,
                                          bool doubles = false, Layout layout = Layout::AsTold);

/// First difference beyond tolerance * max(1, |expected|), in words; empty when there is none. NaN
/// equals NaN.
std::string difference(const std::vector<ir::HostTensor>& found,
                       const std::vector<ir::HostTensor>& expected, double tolerance);

/// Runs a check on every good sample of the operations that \p takes; a check returns what is
/// wrong, or nothing.
struct Tally {
    int checked = 0;
    std::string failures; ///< one line for each sample that failed
};
Tally checkSamples(const std::function<bool(const ops::OpDef&)>& takes,
                   const std::function<std::string(const ops::OpDef&, const ops::Sample&)>& check);

/// A record: lines of "op sample word ..": the words by "op sample".
using SampleRecord = std::map<std::string, std::vector<std::string>>;
SampleRecord readSampleRecord(const std::string& path);
/// The same with what \p record has for the sample; one that it has not has failed.
Tally checkRecorded(const SampleRecord& record, const std::function<bool(const ops::OpDef&)>& takes,
                    const std::function<std::string(const ops::OpDef&, const ops::Sample&,
                                                    const std::vector<std::string>& words)>& check);

/// "add.Tensor, sample 3: " for messages.
std::string label(const ops::OpDef& def, size_t sample);

} // namespace cutaway::tests
