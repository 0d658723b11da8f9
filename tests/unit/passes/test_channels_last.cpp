// SPDX-License-Identifier: Apache-2.0
#include "core/ops/parse_graph.h"
#include "core/ops/verify_views.h"
#include "core/passes/channels_last.h"
#include "tests/support/calls.h"
#include "tests/support/interpret.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

/// Two convolutions in a row, of an image with \p channels, on \p device; what is returned of them.
/// \param small taps of 1 x 1, which leave little to gain
ir::Graph chainOf(int channels, const QString& device, bool mean, bool small = false) {
    QString text =
        QString("graph captured(x: f32[64, %1, 56, 56]%2, v: f32[64, %1, 3, 3]%2, w: f32[64, 64, "
                "3, 3]%2):\n"
                "    a: f32[64, 64, 56, 56]%2 = aten.convolution.default(x, v, None, [1, 1], [1, "
                "1], [1, 1], False, [0, 0], 1)\n"
                "    b: f32[64, 64, 56, 56]%2 = aten.convolution.default(a, w, None, [1, 1], [1, "
                "1], [1, 1], False, [0, 0], 1)\n"
                "    y: f32[]%2 = aten.sum.default(b)\n"
                "    return (%3,)\n")
            .arg(channels)
            .arg(device, mean ? "y" : "b");
    if (small)
        text.replace("64, 3, 3]", "64, 1, 1]")
            .replace("[1, 1], [1, 1], [1, 1], False", "[1, 1], [0, 0], [1, 1], False");
    return take(ops::parseGraph(text.toStdString(), "graph"));
}

struct Outcome {
    QStringList copied; ///< by their names
    bool resultsLast = true, outputLies = false;
};
Outcome relay(const ir::Graph& before) {
    ir::Graph after = before.clone();
    check(passes::channelsLast(after));
    if (auto problem = ir::verify(after)) throw std::runtime_error(*problem);
    Outcome outcome;
    for (NodeId id : after.order()) {
        const ir::Node& node = after.node(id);
        if (node.op == "clone")
            outcome.copied << QString::fromStdString(after.node(*node.args[0].node()).name);
        if (node.op == "convolution")
            outcome.resultsLast = outcome.resultsLast && node.type().strides[1].is(1);
    }
    outcome.outputLies = after.node(after.outputs[0]).type().strides ==
                         before.node(before.outputs[0]).type().strides;
    return outcome;
}

} // namespace

class TestChannelsLast : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void an_image_is_copied_once_and_results_follow() {
        for (const char* device : {"", "cuda:0"}) {
            const Outcome outcome = relay(chainOf(64, device, true));
            QCOMPARE(outcome.copied, QStringList{"x"});
            QVERIFY(outcome.resultsLast);
        }
    }
    void results_keep_the_scripts_strides() {
        const Outcome outcome = relay(chainOf(64, "", false));
        QCOMPARE(outcome.copied.size(), 2);
        QVERIFY(outcome.outputLies);
    }
    void on_a_gpu_few_channels_stay_and_the_result_follows_the_weight() {
        const Outcome outcome = relay(chainOf(3, "cuda:0", true));
        QCOMPARE(outcome.copied, QStringList{"v"});
        QVERIFY(outcome.resultsLast);
    }
    /// A view of a turned result cannot be read of channels innermost: it reads a copy that lies as
    /// the result did, so that its own strides hold (saved for the backward, they are read by them).
    void a_view_that_needs_a_copy_keeps_its_strides() {
        ir::Graph graph = take(ops::parseGraph(
            "graph captured(x: f32[2, 4, 4], v: f32[4, 4, 3]):\n"
            "    a: f32[2, 4, 2] = aten.convolution.default(x, v, None, [2], [1], [1], False, [0], "
            "1)\n"
            "    b: f32[4, 2, 2][2, 1, 8] = aten.permute.default(a, [1, 2, 0])\n"
            "    c: f32[8, 2][1, 8] = aten.view.default(b, [8, 2])\n"
            "    return (c,)\n"));
        check(passes::channelsLast(graph));
        QCOMPARE(ops::verifyViews(graph).value_or(""), std::string());
        const ir::Node& output = graph.node(graph.outputs[0]);
        QVERIFY(output.type().strides[0].is(1));
        QVERIFY(output.type().strides[1].is(8));
    }
    void a_gpu_leaves_what_copies_would_cost_more_than() {
        const Outcome outcome = relay(chainOf(64, "cuda:0", false, true));
        QVERIFY(outcome.copied.isEmpty());
        QVERIFY(!outcome.resultsLast);
        QVERIFY(outcome.outputLies);
    }
};

QTEST_APPLESS_MAIN(TestChannelsLast)
#include "test_channels_last.moc"
