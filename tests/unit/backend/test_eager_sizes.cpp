// SPDX-License-Identifier: Apache-2.0
// Sizes of eager calls: lengths that change cost no new kernels and change no result.
#include "tests/support/compiled_scripts.h"

#include <QtTest>

using namespace cutaway;

class TestEagerSizes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void changing_sizes_keep_their_kernels_data();
    void changing_sizes_keep_their_kernels();
    void sizes_that_are_special_give_the_same_values();
    void large_tensors_have_kernels_of_their_sizes();

private:
    struct Told {
        QString text;
        int64_t compiled = 0;
    };
    Told run(const std::string& text) {
        const QString said = QString::fromStdString(
            scripts_.run("import torch\nimport torch.nn.functional as F\n" + text));
        return {said, scripts_.compiled};
    }
    /// The values of \p call for lengths one after the other.
    static std::string script(const std::string& lengths, const std::string& call, bool shown) {
        return R"(
def slope(f, x):
    leaf = x.clone().requires_grad_()
    f(leaf).sum().backward()
    return leaf.grad

torch.manual_seed(0)
wide = torch.randn(3, 64)
for n in )" + lengths +
               ":\n    x, i = wide[:, :n].contiguous(), torch.arange(n)\n    t = x.t()\n    a = " +
               call + (shown ? "\n    print(n, a)\n" : "\n");
    }

    test::CompiledScripts scripts_;
};

void TestEagerSizes::changing_sizes_keep_their_kernels_data() {
    QTest::addColumn<QString>("call"); // of x float32 (3, n), t its transpose, i int64 (n)
    for (const char* call : {"x.exp()",
                             "t * t",
                             "x * t.contiguous().t()",
                             "x[:, 1:] + x[:, :-1]",
                             "torch.cat([x, x[:, :1]], 1)",
                             "torch.stack([x, x], 1)",
                             "x @ t",
                             "t @ x",
                             "torch.bmm(x[None], t[None])",
                             "F.linear(t, torch.ones(4, 3))",
                             "x.sum(0)",
                             "x.mean(1, keepdim=True)",
                             "x.softmax(1)",
                             "x.amax(1)",
                             "x.argmax(1)",
                             "x.cumsum(1)",
                             "F.layer_norm(x, (n,))",
                             "F.scaled_dot_product_attention(t[None], t[None], t[None])",
                             "F.embedding(i % 3, x[:, :2])",
                             "x.gather(1, i[None])",
                             "x[:, i % 2]",
                             "torch.ones(n, 2)",
                             "torch.arange(n) * 2",
                             "x[0].expand(4, n) * 2",
                             "x.repeat(2, 1)",
                             "x.tril()",
                             "x.flip(1)",
                             "F.pad(x, (1, 2))",
                             "torch.where(x > 0, x, 0.)",
                             "slope(lambda a: a.tanh() * a.sum(0), x)",
                             "slope(lambda a: a.softmax(1) * a, x)",
                             "slope(lambda a: a @ t, x)",
                             "slope(lambda a: torch.cat([a, a * a], 1)[:, 1:], x)"})
        QTest::newRow(call) << call;
}

void TestEagerSizes::changing_sizes_keep_their_kernels() {
    QFETCH(QString, call);
    const std::string text = call.toStdString();
    const Told few = run(script("range(5, 9)", text, false));
    QVERIFY2(few.text.isEmpty(), qPrintable(few.text));
    const Told many = run(script("range(5, 17)", text, false));
    QCOMPARE(many.compiled, few.compiled);
    // Against the last length alone, which is a constant of its kernels then.
    const QString after = run(script("range(5, 17)", text, true)).text;
    const QString alone = run(script("[16]", text, true)).text;
    QVERIFY(!alone.isEmpty());
    QCOMPARE(after.last(alone.size()), alone);
}

/// 0 and 1 are no symbols, equal sizes one; each is right between others.
void TestEagerSizes::sizes_that_are_special_give_the_same_values() {
    const std::string call = "(x.exp() @ t, x.sum(1), x * x.sum(0), torch.cat([x, x], 1), "
                             "slope(lambda a: a * a.sum(1, keepdim=True), x))";
    QString alone;
    for (const char* length : {"[7]", "[1]", "[6]", "[0]", "[3]", "[2]", "[5]", "[64]"})
        alone += run(script(length, call, true)).text;
    QCOMPARE(run(script("[7, 1, 6, 0, 3, 2, 5, 64]", call, true)).text, alone);
}

void TestEagerSizes::large_tensors_have_kernels_of_their_sizes() {
    const Told few = run("for n in (300001, 300002):\n    a = torch.ones(n)\n    b = a + a\n");
    const Told many =
        run("for n in range(300001, 300005):\n    a = torch.ones(n)\n    b = a + a\n");
    QCOMPARE(few.text + many.text, QString());
    QCOMPARE(many.compiled, 2 * few.compiled);
}

QTEST_APPLESS_MAIN(TestEagerSizes)
#include "test_eager_sizes.moc"
