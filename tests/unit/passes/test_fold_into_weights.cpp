// SPDX-License-Identifier: Apache-2.0
#include "core/passes/fold_into_weights.h"
#include "tests/support/calls.h"
#include "tests/support/captured_graphs.h"

#include <QtTest>

#include <functional>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

struct Frozen : Captured {
    NodeId parameter(const std::string& name, ir::Shape sizes,
                     ir::DType dtype = ir::DType::Float32) {
        const NodeId id = input(name, std::move(sizes), false, dtype);
        graph.node(id).frozen = true;
        return id;
    }
    NodeId convolution(NodeId x, NodeId w, const Arg& bias, bool transposed = false) {
        return call("convolution", {x, w, bias, ints({1, 1}), ints({0, 0}), ints({1, 1}),
                                    transposed, ints({0, 0}), Arg(ir::Sym(1))});
    }
};

using Make = std::function<NodeId(Frozen&)>;

/// Whether what \p make ends with is, after the pass, a product or a view of one.
bool folds(const Make& make) {
    Frozen c;
    c.output(make(c));
    check(passes::decomposeBeforeAutograd(c.graph));
    check(passes::decomposeAfterAutograd(c.graph));
    check(passes::foldIntoWeights(c.graph));
    check(passes::removeDead(c.graph));
    if (auto problem = ir::verify(c.graph)) throw std::runtime_error(*problem);
    const ir::Node* last = &c.graph.node(c.graph.outputs.back());
    if (last->op == "view") last = &c.graph.node(*last->args[0].node());
    return last->op == "convolution" || last->op == "addmm" || last->op == "mm";
}

/// bn(conv(x, w, bias)) in evaluation mode.
NodeId normalized(Frozen& c, NodeId convolved) {
    const NodeId tuple = c.call(
        "native_batch_norm", {convolved, c.parameter("gamma", {6}), c.parameter("beta", {6}),
                              c.parameter("mean", {6}), c.parameter("var", {6}), false, 0.1, 1e-5});
    return c.b.getitem(tuple, 0);
}

NodeId image(Frozen& c, ir::DType dtype = ir::DType::Float32) {
    return c.input("x", {2, 3, 5, 5}, false, dtype);
}

} // namespace

class TestFoldIntoWeights : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_view_of_one_element_is_no_product() {
        QVERIFY(!folds([](Frozen& c) {
            const NodeId one = c.call("view", {c.call("exp", {c.input("x", {1})}), ints({})});
            return c.call("mul.Tensor", {one, c.parameter("w", {})});
        }));
    }
    void fires_data() {
        QTest::addColumn<Make>("make");
        auto row = [](const char* name, const Make& make) { QTest::newRow(name) << make; };
        row("batch norm behind a convolution", [](Frozen& c) {
            return normalized(c, c.convolution(image(c), c.parameter("w", {6, 3, 3, 3}), Arg()));
        });
        row("with a bias", [](Frozen& c) {
            return normalized(
                c, c.convolution(image(c), c.parameter("w", {6, 3, 3, 3}), c.parameter("b", {6})));
        });
        row("transposed", [](Frozen& c) {
            return normalized(c,
                              c.convolution(image(c), c.parameter("w", {3, 6, 3, 3}), Arg(), true));
        });
        row("batch norm behind a linear", [](Frozen& c) {
            return normalized(c,
                              c.call("linear", {c.input("x", {4, 3}, false),
                                                c.parameter("w", {6, 3}), c.parameter("b", {6})}));
        });
        row("scales behind a linear of three dimensions", [](Frozen& c) {
            const NodeId y = c.call("linear", {c.input("x", {2, 4, 3}, false),
                                               c.parameter("w", {6, 3}), c.parameter("b", {6})});
            return c.b.mul(c.b.div(y, 2.0), c.parameter("s", {6}));
        });
        row("an addend becomes the bias", [](Frozen& c) {
            const NodeId y = c.call("mm", {c.input("x", {4, 3}, false), c.parameter("w", {3, 6})});
            return c.b.add(c.parameter("s", {1, 6}), Arg(y));
        });
    }
    void fires() {
        QFETCH(Make, make);
        QVERIFY(folds(make));
    }
    void leaves_alone_data() {
        QTest::addColumn<Make>("make");
        auto row = [](const char* name, const Make& make) { QTest::newRow(name) << make; };
        row("a weight that calls bring", [](Frozen& c) {
            return c.b.mul(c.convolution(image(c), c.input("w", {6, 3, 3, 3}, false), Arg()), 2.0);
        });
        row("a scale that calls bring", [](Frozen& c) {
            return c.b.mul(c.convolution(image(c), c.parameter("w", {6, 3, 3, 3}), Arg()),
                           c.input("s", {6, 1, 1}, false));
        });
        row("bfloat16", [](Frozen& c) {
            return c.b.mul(c.convolution(image(c, ir::DType::BFloat16),
                                         c.parameter("w", {6, 3, 3, 3}, ir::DType::BFloat16),
                                         Arg()),
                           2.0);
        });
        row("a product that is a result, too", [](Frozen& c) {
            const NodeId y = c.convolution(image(c), c.parameter("w", {6, 3, 3, 3}), Arg());
            c.output(y);
            return c.b.mul(y, 2.0);
        });
        row("a product that something else reads", [](Frozen& c) {
            const NodeId y = c.convolution(image(c), c.parameter("w", {6, 3, 3, 3}), Arg());
            return c.b.add(c.b.mul(y, 2.0), c.call("cos", {y}));
        });
        row("a scale for each column of the image", [](Frozen& c) {
            return c.b.mul(c.convolution(image(c), c.parameter("w", {6, 3, 3, 3}), Arg()),
                           c.parameter("s", {3}));
        });
        row("one divided by a convolution", [](Frozen& c) {
            return c.b.div(c.parameter("s", {6, 1, 1}),
                           c.convolution(image(c), c.parameter("w", {6, 3, 3, 3}), Arg()));
        });
        row("an addend behind an activation", [](Frozen& c) {
            const NodeId y = c.convolution(image(c), c.parameter("w", {6, 3, 3, 3}), Arg());
            return c.b.add(c.call("relu", {y}), c.parameter("s", {6, 1, 1}));
        });
        row("a larger result", [](Frozen& c) {
            return c.b.add(c.call("mm", {c.input("x", {1, 3}, false), c.parameter("w", {3, 6})}),
                           c.parameter("s", {2, 1, 6}));
        });
        row("an addend that stretches one column to six", [](Frozen& c) {
            return c.b.add(c.call("addmm", {c.parameter("b", {1}), c.input("x", {2, 3}, false),
                                            c.parameter("w", {3, 1})}),
                           c.parameter("s", {6}));
        });
    }
    void leaves_alone() {
        QFETCH(Make, make);
        QVERIFY(!folds(make));
    }
};

QTEST_APPLESS_MAIN(TestFoldIntoWeights)
#include "test_fold_into_weights.moc"
