// SPDX-License-Identifier: Apache-2.0
#include "core/passes/join_trained.h"
#include "core/passes/remove_dead.h"
#include "tests/support/calls.h"
#include "tests/support/rewritten.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

struct Options {
    bool cuda = true, trained = true, bias = true, shared = true, cast = false, shown = false;
    int64_t rows = 4, width = 8;
};

/// What becomes of q, k and v, k narrower than q.
ir::Graph attention(const Options& how) {
    Captured c;
    auto input = [&](const std::string& name, ir::Shape sizes, bool trained) {
        const NodeId id = c.input(name, std::move(sizes), trained);
        if (how.cuda) c.graph.node(id).types[0].device = {ir::Device::Kind::Cuda, 0};
        return id;
    };
    const NodeId x = input("x", {1, how.rows, how.width}, false);
    std::vector<NodeId> weights;
    for (int64_t out : {how.width, how.width / 2, how.width / 2}) {
        const std::string name = std::to_string(weights.size());
        weights.push_back(input("w" + name, {out, how.width}, how.trained));
        weights.push_back(input("b" + name, {out}, how.trained));
    }
    auto linear = [&](size_t which) {
        // As autocast writes it: the input is cast for every layer.
        auto cast = [&](NodeId id) {
            return how.cast ? c.call("prims.convert_element_type", {id, Arg(ir::DType::Float64)})
                            : id;
        };
        const NodeId own = how.shared ? x : c.b.mul(x, 0.5 + static_cast<double>(which));
        const Arg bias = how.bias ? Arg(cast(weights[2 * which + 1])) : Arg();
        return c.call("linear", {cast(own), cast(weights[2 * which]), bias});
    };
    auto heads = [&](NodeId value, int64_t count) {
        const NodeId seen = c.call("view", {value, ints({1, how.rows, count, how.width / 4})});
        return c.b.permute(seen, {0, 2, 1, 3});
    };
    const NodeId q = heads(linear(0), 4), k = heads(linear(1), 2), v = linear(2);
    c.output(how.shown ? q : c.call("cos", {q}));
    c.output(how.shown ? k : c.call("sin", {k}));
    c.output(how.shown ? v : c.call("tanh", {v}));
    return std::move(c.graph);
}

/// How many layers the pass leaves; the results are compared, and as they lie.
qsizetype left(const ir::Graph& before) {
    ir::Graph after = before.clone();
    check(passes::joinTrained(after));
    check(passes::removeDead(after));
    wantSame(after, before);
    return calls(after).count("linear");
}

} // namespace

class TestJoinTrained : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void q_k_and_v_become_one_layer() {
        QCOMPARE(calls(attention({})).count("linear"), 3);
        QCOMPARE(left(attention({})), 1);
        QCOMPARE(left(attention({.bias = false})), 1);
    }
    void casts_of_weights_are_followed() {
        QCOMPARE(left(attention({.cast = true})), 1);
        QCOMPARE(left(attention({.shared = false, .cast = true})), 3);
    }
    void what_is_read_is_a_view_of_it() {
        ir::Graph graph = attention({});
        check(passes::joinTrained(graph));
        check(passes::removeDead(graph));
        QCOMPARE(calls(graph).count("slice.Tensor"), 3);
        QCOMPARE(calls(graph).count("cat"), 2);
        QVERIFY(!calls(graph).contains("clone"));
    }
    void the_cpu_keeps_them_apart() { QCOMPARE(left(attention({.cuda = false})), 3); }
    void without_gradients_they_stay_apart() { QCOMPARE(left(attention({.trained = false})), 3); }
    void different_inputs_stay_apart() { QCOMPARE(left(attention({.shared = false})), 3); }
    void what_fills_a_gpu_stays_apart() {
        QVERIFY(left(attention({.rows = 64 * 128, .width = 8})) > 1);
    }
    void results_lie_by_themselves() { QCOMPARE(left(attention({.shown = true})), 3); }
};

QTEST_APPLESS_MAIN(TestJoinTrained)
#include "test_join_trained.moc"
