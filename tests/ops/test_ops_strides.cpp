// SPDX-License-Identifier: Apache-2.0
// Results lie in memory as PyTorch's do, whatever the layout of the operands
// (compare_with_torch.py --strides), and keep doing so when operations are decomposed.
#include "core/passes/decompose.h"
#include "tests/ops/sample_graph.h"

#include <QtTest>

#include <map>
#include <set>
#include <sstream>

using namespace cutaway;

namespace {

std::string stridesOf(const std::vector<ir::TensorType>& types) {
    std::string text;
    for (const ir::TensorType& type : types) {
        text += text.empty() ? "[" : ";[";
        for (size_t i = 0; i < type.rank(); ++i)
            text += (i ? "," : "") + type.strides[i].str();
        text += "]";
    }
    return text;
}

/// With "-" where PyTorch gives no tensor.
std::string withHoles(std::string found, const std::string& expected) {
    std::istringstream ours(found), theirs(expected);
    std::string all;
    for (std::string a, b; std::getline(ours, a, ';') && std::getline(theirs, b, ';');)
        all += (all.empty() ? "" : ";") + (b == "-" ? b : a);
    return all;
}

std::vector<ir::TensorType> outputTypes(const ir::Graph& graph) {
    std::vector<ir::TensorType> types;
    for (ir::NodeId id : graph.outputs)
        types.push_back(graph.node(id).type());
    return types;
}

/// What lies otherwise than in PyTorch: operations, each with the reason.
const std::map<std::string, std::string> kKnown = {
    {"narrow.Tensor", "picks: a view would need the number that the tensor holds"},
    {"as_strided", "of a tensor that is not contiguous is refused"},
    {"as_strided_copy", "of a tensor that is not contiguous is refused"},
    {"diagonal_scatter", "fills the gaps of its operand"},
    {"select_scatter", "fills the gaps of its operand"},
    {"slice_scatter", "fills the gaps of its operand"},
    {"as_strided_scatter", "fills the gaps of its operand"},
    {"convolution", "PyTorch computes volumes and empty batches row-major"},
    {"native_batch_norm_backward", "keeps channels of three dimensions innermost"},
    {"batch_norm", "keeps channels of three dimensions innermost"},
    {"native_batch_norm", "keeps channels of three dimensions innermost"},
    {"max_pool3d", "of one volume without a batch is row-major"},
    {"max_pool3d_with_indices", "of one volume without a batch is row-major"},
    {"linalg_matrix_norm", "the strides of dimensions of size 1"},
    {"linalg_lstsq", "PyTorch shows rows of a larger matrix"},
    {"linalg_tensorinv", "PyTorch shows a matrix by columns in more dimensions"}};

/// One operation with one sample in one layout: what is wrong, or nothing.
std::string compare(const ops::OpDef& def, const ops::Sample& sample, tests::Layout layout,
                    const std::string& expected) {
    auto made = tests::makeSampleGraph(def, sample, false, layout);
    if (!made.ok()) return made.error().message;
    const std::string found = withHoles(stridesOf(outputTypes(made->graph)), expected);
    if (found != expected) return found + ", PyTorch " + expected;
    const std::vector<ir::TensorType> types = outputTypes(made->graph);
    for (auto pass : {passes::decomposeBeforeAutograd, passes::decomposeAfterAutograd,
                      passes::decomposeBeforeLowering})
        if (auto status = pass(made->graph); !status.ok()) return status.error().message;
    std::vector<ir::TensorType> decomposed = outputTypes(made->graph);
    for (size_t i = 0; i < types.size(); ++i)
        for (size_t d = 0; d < types[i].rank(); ++d)
            if (types[i].sizes[d].is(1) || types[i].numel().is(0))
                decomposed[i].strides[d] = types[i].strides[d];
    const std::string then = withHoles(stridesOf(decomposed), expected);
    return then == expected ? "" : then + " when decomposed, PyTorch " + expected;
}

} // namespace

class TestOpsStrides : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void results_lie_in_memory_as_pytorchs() {
        int compared = 0;
        std::set<std::string> differ;
        const auto inEveryLayout = [&](const ops::OpDef& def, const ops::Sample& sample,
                                       const std::vector<std::string>& expected) {
            std::string wrong;
            for (size_t k = 0; k < std::size(tests::kLayouts); ++k) {
                if (expected.at(k) == "refused") continue; // by PyTorch, or one of our own
                ++compared;
                const std::string found = compare(def, sample, tests::kLayouts[k], expected[k]);
                if (found.empty()) continue;
                differ.insert(def.name());
                if (kKnown.contains(def.name())) continue;
                wrong += std::string(tests::name(tests::kLayouts[k])) + ": " + found + " ";
            }
            return wrong;
        };
        const std::string failures =
            tests::checkRecorded(
                tests::readSampleRecord(CUTAWAY_SOURCE_DIR "/tests/data/strides_by_torch.txt"),
                [](const ops::OpDef&) { return true; }, inEveryLayout)
                .failures;
        QVERIFY2(failures.empty(), failures.c_str());
        for (const auto& [name, reason] : kKnown)
            QVERIFY2(differ.contains(name), (name + " no longer differs").c_str());
        QVERIFY(compared > 15000);
    }
};

QTEST_APPLESS_MAIN(TestOpsStrides)
#include "test_ops_strides.moc"
