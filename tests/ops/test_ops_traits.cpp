// SPDX-License-Identifier: Apache-2.0
// What a record says of itself holds.
#include "tests/ops/sample_graph.h"

#include "core/kernel/interpret.h"
#include "core/lower/lower.h"
#include "core/passes/decompose.h"

#include <QtTest>

#include <algorithm>

using namespace cutaway;

namespace {

/// What is wrong with a type-only operation, or nothing: other values may not change the result.
std::string checkIgnored(const ops::OpDef& def, const ops::Sample& sample) {
    auto made = tests::makeSampleGraph(def, sample);
    if (!made.ok()) return made.error().message;
    auto first = ops::evaluate(made->graph, made->inputs);
    for (ir::HostTensor& input : made->inputs)
        input = ir::HostTensor::zeros(input.dtype, input.sizes);
    auto second = ops::evaluate(made->graph, made->inputs);
    if (!first.ok() || !second.ok()) return "no values";
    return tests::difference(*second, *first, 0);
}

/// The input that holds a call's first positions, or -1.
int indexInput(const tests::SampleGraph& made, const ops::OpDef& def) {
    const ir::Arg& argument = made.graph.node(made.call).args[def.traits.index->argument];
    const std::vector<ir::NodeId> nodes = ir::inputNodes({argument});
    const std::vector<ir::NodeId> inputs = made.graph.placeholders();
    if (nodes.empty() || made.inputs.empty()) return -1;
    return static_cast<int>(std::find(inputs.begin(), inputs.end(), nodes[0]) - inputs.begin());
}

/// What is wrong with how a position that lies outside is told, or nothing.
std::string checkOutside(const ops::OpDef& def, const ops::Sample& sample, int& checked) {
    auto made = tests::makeSampleGraph(def, sample);
    if (!made.ok()) return made.error().message;
    const int input = indexInput(*made, def);
    if (input < 0 || made->inputs[static_cast<size_t>(input)].numel() == 0) return {};
    // cross_entropy_loss takes probabilities in the classes' place, masked_scatter a mask.
    const ir::DType dtype = made->inputs[static_cast<size_t>(input)].dtype;
    if (ir::isFloating(dtype) || dtype == ir::DType::Bool) return {};
    made->inputs[static_cast<size_t>(input)].setInt(0, 1000);
    if (ops::evaluate(made->graph, made->inputs).ok()) return "the reference gives values";
    for (auto pass : {passes::decomposeBeforeAutograd, passes::decomposeAfterAutograd,
                      passes::decomposeBeforeLowering})
        if (auto status = pass(made->graph); !status.ok()) return status.error().message;
    auto program = lower::lowerGraph(made->graph);
    if (!program.ok()) return program.error().message;
    auto found = kernel::interpret(*program, made->inputs);
    if (found.ok()) return "loop IR gives values";
    const std::string wanted =
        std::string(def.traits.index->word) + " 1000 is out of bounds for dimension ";
    if (found.error().message.find(wanted) == std::string::npos) return found.error().message;
    // check_index speaks for another operation.
    const ops::OpDef& speaker = def.name() == "check_index"
                                    ? *ops::catalogue().find(std::get<std::string>(sample.args[3]))
                                    : def;
    if (found.error().errorClass != speaker.traits.index->outside) return "another class of error";
    ++checked;
    return {};
}

} // namespace

class TestOpsTraits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void what_ignores_values_gives_the_same_for_others() {
        auto ignores = [](const ops::OpDef& def) {
            return def.traits.ignoresValues && def.reference;
        };
        tests::Tally tally = tests::checkSamples(ignores, checkIgnored);
        QVERIFY2(tally.failures.empty(), tally.failures.c_str());
        QVERIFY(tally.checked > 5);
    }
    void positions_outside_are_told_alike() {
        int checked = 0;
        auto indexes = [](const ops::OpDef& def) { return def.traits.index.has_value(); };
        auto check = [&](const ops::OpDef& def, const ops::Sample& sample) {
            return checkOutside(def, sample, checked);
        };
        tests::Tally tally = tests::checkSamples(indexes, check);
        QVERIFY2(tally.failures.empty(), tally.failures.c_str());
        QVERIFY(checked > 40);
    }
};

QTEST_APPLESS_MAIN(TestOpsTraits)
#include "test_ops_traits.moc"
