// SPDX-License-Identifier: Apache-2.0
#include "core/passes/join_products.h"
#include "core/passes/simplify_algebra.h"
#include "tests/support/calls.h"
#include "tests/support/rewritten.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

struct Options {
    bool cuda = true, frozen = true, bias = true, shared = true;
    int64_t rows = 4, width = 8;
};

/// What becomes of q, k and v, k narrower than q.
ir::Graph attention(const Options& how) {
    Captured c;
    auto input = [&](const std::string& name, ir::Shape sizes) {
        const NodeId id = c.input(name, std::move(sizes), false);
        if (how.cuda) c.graph.node(id).types[0].device = {ir::Device::Kind::Cuda, 0};
        return id;
    };
    auto parameter = [&](const std::string& name, ir::Shape sizes) {
        const NodeId id = input(name, std::move(sizes));
        c.graph.node(id).frozen = how.frozen;
        return id;
    };
    const NodeId x = input("x", {1, how.rows, how.width});
    auto linear = [&](const std::string& name, int64_t out) {
        const NodeId w = parameter("w" + name, {out, how.width});
        const Arg bias = how.bias ? Arg(parameter("b" + name, {out})) : Arg();
        const NodeId own = how.shared ? x : c.b.mul(x, 0.5 + static_cast<double>(name[0]));
        return c.call("linear", {own, w, bias});
    };
    auto heads = [&](NodeId value, int64_t count) {
        const NodeId seen = c.call("view", {value, ints({1, how.rows, count, how.width / 4})});
        return c.b.permute(seen, {0, 2, 1, 3});
    };
    const NodeId q = heads(linear("q", how.width), 4), k = heads(linear("k", how.width / 2), 2);
    const NodeId v = c.call("tanh", {linear("v", how.width / 2)});
    c.output(c.call("cos", {q}));
    c.output(c.call("sin", {k}));
    c.output(v);
    check(passes::decomposeBeforeAutograd(c.graph));
    check(passes::decomposeAfterAutograd(c.graph));
    check(passes::simplifyAlgebra(c.graph));
    check(passes::mergeCommon(c.graph));
    check(passes::removeDead(c.graph));
    return std::move(c.graph);
}

qsizetype products(const ir::Graph& graph) {
    return calls(graph).count("mm") + calls(graph).count("addmm");
}

/// How many products the pass leaves; the results are compared.
qsizetype left(const ir::Graph& before) {
    ir::Graph after = before.clone();
    check(passes::joinProducts(after));
    check(passes::removeDead(after));
    wantSame(after, before);
    return products(after);
}

} // namespace

class TestJoinProducts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void q_k_and_v_become_one_product() {
        QCOMPARE(products(attention({})), 3);
        QCOMPARE(left(attention({})), 1);
        QCOMPARE(left(attention({.bias = false})), 1);
    }
    void what_is_read_is_a_view_of_it() {
        ir::Graph graph = attention({});
        check(passes::joinProducts(graph));
        check(passes::removeDead(graph));
        QCOMPARE(calls(graph).count("slice.Tensor"), 3);
        QVERIFY(!calls(graph).contains("clone"));
    }
    void the_cpu_keeps_them_apart() { QCOMPARE(left(attention({.cuda = false})), 3); }
    void weights_that_calls_bring_stay_apart() { QCOMPARE(left(attention({.frozen = false})), 3); }
    void different_matrices_stay_apart() { QCOMPARE(left(attention({.shared = false})), 3); }
    void what_fills_a_gpu_stays_apart() {
        QVERIFY(left(attention({.rows = 64 * 128, .width = 8})) > 1);
    }
    void results_lie_by_themselves() {
        ir::Graph graph = attention({});
        for (NodeId id : graph.order())
            if (graph.node(id).op == "addmm" && graph.outputs.size() < 5) {
                graph.outputs.push_back(id);
                graph.outputNames.push_back("product");
            }
        QCOMPARE(left(graph), 3);
    }
};

QTEST_APPLESS_MAIN(TestJoinProducts)
#include "test_join_products.moc"
