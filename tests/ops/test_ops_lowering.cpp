// SPDX-License-Identifier: Apache-2.0
#include "tests/ops/sample_graph.h"

#include "core/kernel/interpret.h"
#include "core/lower/lower.h"
#include "core/passes/decompose.h"

#include <QtTest>

using namespace cutaway;

namespace {

/// \p layout: of the operands; one that the operation refuses (a view) is passed over.
std::string checkLayout(const ops::OpDef& def, const ops::Sample& sample, tests::Layout layout) {
    auto made = tests::makeSampleGraph(def, sample, false, layout);
    if (!made.ok()) return layout == tests::Layout::AsTold ? made.error().message : "";
    // What it writes depends on where its operand's elements lie, which values do not tell.
    if (def.parsed.base == "as_strided_scatter" && layout != tests::Layout::AsTold) return {};
    auto expected = ops::evaluate(made->graph, made->inputs);
    if (!expected.ok()) return expected.error().message;
    for (auto pass : {passes::decomposeBeforeAutograd, passes::decomposeAfterAutograd,
                      passes::decomposeBeforeLowering})
        if (auto status = pass(made->graph); !status.ok()) return status.error().message;
    auto program = lower::lowerGraph(made->graph);
    if (!program.ok()) return program.error().message;
    auto found = kernel::interpret(*program, made->inputs);
    if (!found.ok()) return found.error().message;
    return tests::difference(*found, *expected, 5e-6);
}

std::string checkSample(const ops::OpDef& def, const ops::Sample& sample) {
    for (tests::Layout layout :
         {tests::Layout::AsTold, tests::Layout::Reversed, tests::Layout::FirstReversed,
          tests::Layout::ChannelsLast, tests::Layout::Rotated})
        if (std::string wrong = checkLayout(def, sample, layout); !wrong.empty())
            return std::string(tests::name(layout)) + ": " + wrong;
    return {};
}

} // namespace

class TestOpsLowering : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void loop_ir_equals_the_reference() {
        auto lowers = [](const ops::OpDef& def) {
            return !std::holds_alternative<ops::NoLowering>(def.lowering);
        };
        tests::Tally tally = tests::checkSamples(lowers, checkSample);
        QVERIFY2(tally.failures.empty(), tally.failures.c_str());
        QVERIFY(tally.checked > 400);
    }
};

QTEST_APPLESS_MAIN(TestOpsLowering)
#include "test_ops_lowering.moc"
