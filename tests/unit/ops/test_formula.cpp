// SPDX-License-Identifier: Apache-2.0
#include "core/ops/gradient_tools.h"

#include <QtTest>

using namespace cutaway;
using ops::Formula;
using ops::Value;

namespace {

struct Rule {
    ir::Graph graph{"rule"};
    ops::Builder b{graph};
    Value x = input("x"), y = input("y");

    Value input(const char* name) {
        return {b, graph.addPlaceholder(
                       name, ir::TensorType::contiguous(ir::DType::Float32, {ir::Sym(3)}))};
    }
    /// The operations in the order in which they were added.
    std::string calls() const {
        std::string text;
        for (ir::NodeId id : graph.order())
            if (const ir::Node& node = graph.node(id); node.kind == ir::NodeKind::Call)
                text += (text.empty() ? "" : " ") + node.op;
        return text;
    }
};

} // namespace

class TestFormula : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void calls_are_added_in_the_order_of_the_text() {
        Rule r;
        Value result = sin(r.x) * cos(r.y) - exp(r.x) / sqrt(r.y);
        QCOMPARE(r.calls(), std::string("sin cos mul.Tensor exp sqrt div.Tensor sub.Tensor"));
        QCOMPARE(r.graph.node(result).op, std::string("sub.Tensor"));
    }
    void a_formula_adds_nothing_before_it_has_a_name() {
        Rule r;
        Formula late = sin(r.x);
        Value early = cos(r.x);
        QCOMPARE(r.calls(), std::string("cos"));
        Value sum = early + late;
        QCOMPARE(r.calls(), std::string("cos sin add.Tensor"));
    }
    void a_formula_used_twice_is_added_once() {
        Rule r;
        Formula s = sin(r.x);
        Value product = s * s;
        QCOMPARE(r.calls(), std::string("sin mul.Tensor"));
        const ir::ArgList& args = r.graph.node(product).args;
        QVERIFY(args[0] == args[1]);
    }
    void numbers_keep_their_kind() {
        Rule r;
        Value a = 1 - r.x * 0.5;
        const ir::Node& node = r.graph.node(a);
        QVERIFY(node.args[0] == ir::Arg(ir::Sym(1)));
        QVERIFY(r.graph.node(*node.args[1].node()).args[1] == ir::Arg(0.5));
        Value scalar = eq(r.x, 2), tensor = eq(r.x, r.y);
        QCOMPARE(r.graph.node(scalar).op, std::string("eq.Scalar"));
        QCOMPARE(r.graph.node(tensor).op, std::string("eq.Tensor"));
    }
    void a_list_of_formulas_is_one_argument() {
        Rule r;
        Value joined = ops::aten("cat", std::vector<Formula>{sin(r.x), r.y}, 0);
        QCOMPARE(r.calls(), std::string("sin cat"));
        QVERIFY(joined.type().sizes == ir::Shape{ir::Sym(6)});
    }
    void a_formula_without_a_value_is_told() {
        QVERIFY_THROWS_EXCEPTION(std::logic_error, Value(ops::aten("scalar_tensor", 1.0)));
    }
    void a_gradient_that_nobody_wants_adds_nothing() {
        Rule r;
        Value product = r.x * r.y;
        r.b.wantsGradient = [&](ir::NodeId id) { return id == ir::NodeId(r.y); };
        const ir::NodeId grads[] = {r.input("grad")};
        ops::Vjp v(r.b, product, grads);
        v.set(1, v.grad * v[0]);
        v.set(0, v.grad * sin(v[1]));
        QCOMPARE(r.calls(), std::string("mul.Tensor mul.Tensor"));
        const ops::Gradients gradients = v.finish();
        QVERIFY(!gradients[0].valid() && gradients[1].valid());
    }
};

QTEST_APPLESS_MAIN(TestFormula)
#include "test_formula.moc"
