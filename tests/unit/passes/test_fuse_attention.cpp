// SPDX-License-Identifier: Apache-2.0
#include "core/ops/parse_graph.h"
#include "core/passes/decompose.h"
#include "core/passes/fuse_attention.h"
#include "tests/support/calls.h"
#include "tests/support/rewritten.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

/// A graph of q, k, v [2, 3, 256, 16] and what else \p inputs says, from the lines of \p body to y.
ir::Graph graphOf(const QString& body, const QString& inputs = {},
                  const QString& result = "y: f32[2, 3, 256, 16]") {
    const QString type = "f32[2, 3, 256, 16]";
    QString text = QString("graph captured(q: %1, k: %1, v: %1%2):\n").arg(type, inputs);
    for (const QString& line : body.split('\n', Qt::SkipEmptyParts))
        text += "    " + line.trimmed() + "\n";
    text.replace("y = ", result + " = ");
    return take(ops::parseGraph((text + "    return (y,)\n").toStdString(), "graph"));
}

const QString kScores =
    "t: f32[2, 3, 16, 256][12288, 4096, 1, 16] = aten.transpose.int(k, -2, -1)\n"
    "s: f32[2, 3, 256, 256] = aten.matmul.default(q, t)\n";
const QString kWeights = "p: f32[2, 3, 256, 256] = aten.softmax.int(m, -1)\n"
                         "y = aten.matmul.default(p, v)\n";
const QString kTriangle = "ones: f32[256, 256] = aten.ones.default([256, 256])\n"
                          "low: f32[256, 256] = aten.tril.default(ones, 0)\n";

struct Outcome {
    qsizetype fused = 0;
    bool causal = false, masked = false;
    std::string rule;
};
/// What the pass makes of the graph; its results are compared, row by row what a mask leaves.
Outcome fuse(const ir::Graph& before) {
    ir::Graph after = before.clone();
    check(passes::fuseAttention(after));
    wantSame(after, before, ir::isHalf(before.node(before.outputs[0]).type().dtype) ? 2e-2 : 1e-5);
    Outcome outcome;
    for (NodeId id : after.order()) {
        const ir::Node& node = after.node(id);
        if (!node.rule.empty()) outcome.rule = node.rule;
        if (node.op != "_attention") continue;
        ++outcome.fused;
        outcome.causal = std::get<bool>(node.args[4]);
        outcome.masked = !node.args[3].isNone();
    }
    return outcome;
}

} // namespace

class TestFuseAttention : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void what_the_pattern_was_made_of_leads_to_the_call() {
        ir::Graph graph = graphOf(kScores + kTriangle +
                                  "c: f32[2, 3, 256, 256] = aten.mul.Tensor(s, 0.25)\n"
                                  "h: b8[256, 256] = aten.eq.Scalar(low, 0)\n"
                                  "m: f32[2, 3, 256, 256] = aten.masked_fill.Scalar(c, h, -inf)\n" +
                                  kWeights);
        for (NodeId id : graph.order())
            graph.node(id).from = {id};
        ir::Graph after = graph.clone();
        check(passes::fuseAttention(after));
        for (const char* name : {"s", "ones", "low", "c", "h", "m", "p", "y"}) {
            int became = 0;
            for (NodeId id : after.order())
                for (NodeId from : after.node(id).from)
                    became += after.node(id).op == "_attention" && graph.node(from).name == name;
            QVERIFY2(became == 1, name);
        }
    }
    void fires_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<bool>("causal");
        QTest::addColumn<bool>("masked");
        const auto row = [](const char* name, const QString& body, bool causal, bool masked) {
            QTest::newRow(name) << body << causal << masked;
        };
        row("whole",
            "y = aten.scaled_dot_product_attention.default(q, k, v, None, 0.0, False, None, False)",
            false, false);
        row("whole, causal",
            "y = aten.scaled_dot_product_attention.default(q, k, v, None, 0.0, True, None, False)",
            true, false);
        row("divided", kScores + "m: f32[2, 3, 256, 256] = aten.div.Tensor(s, 4.0)\n" + kWeights,
            false, false);
        row("no scale, no mask",
            kScores +
                "p: f32[2, 3, 256, 256] = aten.softmax.int(s, 3)\ny = aten.matmul.default(p, v)",
            false, false);
        row("masked_fill of tril == 0",
            kScores + kTriangle +
                "c: f32[2, 3, 256, 256] = aten.mul.Tensor(s, 0.25)\n"
                "u: f32[1, 256, 256] = aten.unsqueeze.default(low, 0)\n"
                "h: b8[1, 256, 256] = aten.eq.Scalar(u, 0)\n"
                "m: f32[2, 3, 256, 256] = aten.masked_fill.Scalar(c, h, -inf)\n" +
                kWeights,
            true, false);
        row("where of tril > 0 with -1e9",
            kScores + kTriangle +
                "g: b8[256, 256] = aten.gt.Scalar(low, 0)\n"
                "n: f32[] = aten.full.default([], -1000000000.0)\n"
                "m: f32[2, 3, 256, 256] = aten.where.self(g, s, n)\n" +
                kWeights,
            true, false);
        row("added triu of -inf",
            kScores +
                "f: f32[256, 256] = aten.full.default([256, 256], -inf)\n"
                "h: f32[256, 256] = aten.triu.default(f, 1)\n"
                "m: f32[2, 3, 256, 256] = aten.add.Tensor(s, h, 1)\n" +
                kWeights,
            true, false);
        row("triu of a wrong diagonal is a mask",
            kScores +
                "f: b8[256, 256] = aten.full.default([256, 256], True)\n"
                "h: b8[256, 256] = aten.triu.default(f, 2)\n"
                "m: f32[2, 3, 256, 256] = aten.masked_fill.Scalar(s, h, -inf)\n" +
                kWeights,
            false, true);
        row("einsum, rows first in memory",
            "e: f32[2, 256, 3, 16][12288, 16, 4096, 1] = aten.permute.default(q, [0, 2, 1, 3])\n"
            "s: f32[2, 3, 256, 256] = aten.einsum.default('bqhd,bhkd->bhqk', [e, k])\n"
            "m: f32[2, 3, 256, 256] = aten.mul.Tensor(s, 0.25)\n"
            "p: f32[2, 3, 256, 256] = aten.softmax.int(m, -1)\n"
            "y = aten.einsum.default('bhqk,bhkd->bhqd', [p, v])",
            false, false);
        row("dropped out with p = 0",
            kScores + "m: f32[2, 3, 256, 256] = aten.softmax.int(s, -1)\n"
                      "p: f32[2, 3, 256, 256] = aten.dropout.default(m, 0.0, True)\n"
                      "y = aten.matmul.default(p, v)",
            false, false);
        row("three dimensions by baddbmm",
            "a: f32[6, 256, 16] = aten.view.default(q, [6, 256, 16])\n"
            "b: f32[6, 256, 16] = aten.view.default(k, [6, 256, 16])\n"
            "c: f32[6, 256, 16] = aten.view.default(v, [6, 256, 16])\n"
            "z: f32[6, 256, 256] = aten.zeros.default([6, 256, 256])\n"
            "t: f32[6, 16, 256][4096, 1, 16] = aten.transpose.int(b, 1, 2)\n"
            "s: f32[6, 256, 256] = aten.baddbmm.default(z, a, t, 0, 0.25)\n"
            "p: f32[6, 256, 256] = aten.softmax.int(s, -1)\n"
            "o: f32[6, 256, 16] = aten.bmm.default(p, c)\n"
            "y = aten.view.default(o, [2, 3, 256, 16])",
            false, false);
    }
    void fires() {
        QFETCH(QString, body);
        QFETCH(bool, causal);
        QFETCH(bool, masked);
        const Outcome outcome = fuse(graphOf(body));
        QCOMPARE(outcome.fused, 1);
        QCOMPARE(outcome.causal, causal);
        QCOMPARE(outcome.masked, masked);
        QVERIFY2(outcome.rule.find("us by blocks of keys") != std::string::npos,
                 outcome.rule.c_str());
    }

    void a_mask_of_numbers_is_added() {
        const QString body =
            kScores + "m: f32[2, 3, 256, 256] = aten.add.Tensor(s, a, 1)\n" + kWeights;
        const Outcome outcome = fuse(graphOf(body, ", a: f32[256, 256]"));
        QCOMPARE(outcome.fused, 1);
        QVERIFY(outcome.masked);
        // One that learns gets a gradient.
        ir::Graph learned = graphOf(body, ", a: f32[256, 256]");
        learned.node(learned.placeholders().back()).types[0].requiresGrad = true;
        QCOMPARE(fuse(learned).fused, 0);
    }

    void must_not_data() {
        QTest::addColumn<QString>("body");
        QTest::newRow("along the rows") << kScores +
                                               "p: f32[2, 3, 256, 256] = aten.softmax.int(s, 2)\n"
                                               "y = aten.matmul.default(p, v)";
        QTest::newRow("weights used otherwise")
            << kScores + "p: f32[2, 3, 256, 256] = aten.softmax.int(s, -1)\n"
                         "o: f32[2, 3, 256, 16] = aten.matmul.default(p, v)\n"
                         "c: f32[2, 3, 256, 16] = aten.slice.Tensor(p, 3, 0, 16, 1)\n"
                         "y = aten.add.Tensor(o, c, 1)";
        QTest::newRow("scaled behind the mask")
            << kScores +
                   "a: f32[2, 3, 256, 256] = aten.add.Tensor(s, s, 1)\n"
                   "m: f32[2, 3, 256, 256] = aten.mul.Tensor(a, 0.5)\n" +
                   kWeights;
        // A row that sees nothing would have equal weights.
        QTest::newRow("-1e9 where nothing is known of the mask")
            << kScores +
                   "n: f32[2, 3, 256, 256] = aten.matmul.default(k, t)\n"
                   "h: b8[2, 3, 256, 256] = aten.gt.Scalar(n, 1.0)\n"
                   "m: f32[2, 3, 256, 256] = aten.masked_fill.Scalar(s, h, -1000000000.0)\n" +
                   kWeights;
        QTest::newRow("a mask that hides little")
            << kScores + kTriangle +
                   "h: b8[256, 256] = aten.eq.Scalar(low, 0)\n"
                   "m: f32[2, 3, 256, 256] = aten.masked_fill.Scalar(s, h, -100.0)\n" +
                   kWeights;
    }
    void must_not() {
        QFETCH(QString, body);
        QCOMPARE(fuse(graphOf(body)).fused, 0);
    }
    void a_gpu_takes_heads_that_fit() {
        const auto fused = [&](const QString& dtype, int width) -> qsizetype {
            const QString q = QString("%1[1, 2, 64, %2]cuda:0").arg(dtype).arg(width);
            const QString text =
                QString("graph captured(q: %1, k: %1, v: %1):\n    y: %1 = "
                        "aten.scaled_dot_product_attention.default(q, k, v, None, 0.0, True, None, "
                        "False)\n    return (y,)\n")
                    .arg(q);
            const Outcome outcome = fuse(take(ops::parseGraph(text.toStdString(), "graph")));
            if (outcome.fused && outcome.rule.find("on a GPU") == std::string::npos) return -1;
            return outcome.fused;
        };
        QCOMPARE(fused("f32", 64), 1);
        QCOMPARE(fused("f32", 128), 1);
        QCOMPARE(fused("f32", 192), 0);
        QCOMPARE(fused("f64", 64), 0);
        QCOMPARE(fused("f16", 64), 1);
        QCOMPARE(fused("bf16", 128), 1);
        QCOMPARE(fused("bf16", 136), 0);
    }
    /// Weights in float32 and scores in 16 bits, as many models write it.
    void a_gpu_sees_past_casts() {
        const auto fused = [](const QString& mask, const QString& scores) {
            const QString q = "f16[1, 2, 64, 32]cuda:0", s = "f16[1, 2, 64, 64]cuda:0",
                          w = "f32[1, 2, 64, 64]cuda:0";
            const QString text = QString("graph captured(q: %1, k: %1, v: %1, a: %2):\n"
                                         "    t: f16[1, 2, 32, 64][4096, 2048, 1, 32]cuda:0 = "
                                         "aten.transpose.int(k, -2, -1)\n"
                                         "    s: %3 = aten.matmul.default(q, t)\n%4"
                                         "    p: %5 = aten.softmax.int(m, -1, torch.float32)\n"
                                         "    b: %3 = aten.to.dtype(p, torch.float16)\n"
                                         "    y: %1 = aten.matmul.default(b, v)\n    return (y,)\n")
                                     .arg(q, mask, s, scores, w);
            return fuse(take(ops::parseGraph(text.toStdString(), "graph"))).fused;
        };
        const QString half = "f16[64, 64]cuda:0", single = "f32[64, 64]cuda:0";
        QCOMPARE(fused(half, "    m: f16[1, 2, 64, 64]cuda:0 = aten.mul.Tensor(s, 0.25)\n"), 1);
        QCOMPARE(fused(half, "    m: f16[1, 2, 64, 64]cuda:0 = aten.add.Tensor(s, a, 1)\n"), 1);
        QCOMPARE(fused(half, "    m: f32[1, 2, 64, 64]cuda:0 = aten.to.dtype(s, torch.float32)\n"),
                 1);
        // A mask of float32 may hold more than float16 can.
        QCOMPARE(fused(single, "    c: f32[1, 2, 64, 64]cuda:0 = aten.to.dtype(s, torch.float32)\n"
                               "    m: f32[1, 2, 64, 64]cuda:0 = aten.add.Tensor(c, a, 1)\n"),
                 0);
    }
    /// One call is computed in float32, in training, too; products of 16 bits stay what they are there.
    void a_processor_widens_16_bits() {
        const auto graph = [](QString body) {
            body.replace("f32", "f16");
            QString text = "graph captured(q: f16[2, 3, 256, 16], k: f16[2, 3, 256, 16], v: "
                           "f16[2, 3, 256, 16]):\n";
            for (const QString& line : body.split('\n', Qt::SkipEmptyParts))
                text += "    " + line + "\n";
            text.replace("y = ", "y: f16[2, 3, 256, 16] = ");
            return take(ops::parseGraph((text + "    return (y,)\n").toStdString(), "graph"));
        };
        const auto learning = [&](const QString& body) {
            ir::Graph learns = graph(body);
            learns.node(learns.placeholders().front()).types[0].requiresGrad = true;
            learns.node(learns.outputs[0]).types[0].requiresGrad = true;
            return learns;
        };
        const QString whole = "y = aten.scaled_dot_product_attention.default(q, k, v, None, 0.0, "
                              "True, None, False)\n";
        const QString written =
            kScores + "m: f32[2, 3, 256, 256] = aten.mul.Tensor(s, 0.25)\n" + kWeights;
        // Nothing multiplies float16 here: products would be widened, too.
        const Outcome outcome = fuse(graph(whole));
        QCOMPARE(outcome.fused, 1);
        QVERIFY(outcome.causal);
        QCOMPARE(fuse(learning(whole)).fused, 1);
        QCOMPARE(fuse(graph(written)).fused, 1);
        QCOMPARE(fuse(learning(written)).fused, 0);
    }
    void one_query_stays_products_with_the_reason() {
        const QString text =
            "graph captured(q: f32[1, 4, 1, 16], k: f32[1, 4, 500, 16], v: f32[1, 4, 500, 16]):\n"
            "    y: f32[1, 4, 1, 16] = aten.scaled_dot_product_attention.default(q, k, v, None, "
            "0.0, False, None, False)\n"
            "    return (y,)\n";
        ir::Graph graph = take(ops::parseGraph(text.toStdString(), "graph"));
        const Outcome outcome = fuse(graph);
        QCOMPARE(outcome.fused, 0);
        QVERIFY2(outcome.rule.starts_with("attention stays apart: predicted"),
                 outcome.rule.c_str());
        // The products that it becomes say so, too.
        check(passes::fuseAttention(graph));
        check(passes::decomposeBeforeAutograd(graph));
        QVERIFY(std::ranges::any_of(graph.order(), [&](NodeId id) {
            return graph.node(id).op == "bmm" &&
                   graph.node(id).rule.find("attention stays apart") != std::string::npos;
        }));
    }
};

QTEST_APPLESS_MAIN(TestFuseAttention)
#include "test_fuse_attention.moc"
