// SPDX-License-Identifier: Apache-2.0
// Values, dtypes, gradients, aliases and strides of scripts, eager and compiled: as PyTorch's.
#include "tests/support/compiled_scripts.h"

#include <QtTest>

using namespace cutaway;

class TestValuesAndLayouts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void small_integers_and_bools_keep_their_dtypes_data();
    void small_integers_and_bools_keep_their_dtypes();
    void tensors_are_found_in_containers();
    void integers_are_of_any_size_and_lengths_are_not();
    void ranks_beyond_index_variables_are_refused();
    void written_items_get_their_gradients();
    void writes_that_gradients_cannot_follow_are_refused();
    void a_clamped_value_at_its_bound_has_no_gradient();
    void statistics_of_layer_norm_carry_no_gradient();
    void a_break_keeps_the_gradient_mode_of_its_block();
    void gradients_are_recorded_within_enable_grad();
    void constants_belong_to_their_call();
    void texts_of_tensors_under_capture_have_their_numbers();
    void views_keep_their_memory_across_a_break();
    void elementwise_results_keep_the_memory_order_data();
    void elementwise_results_keep_the_memory_order();
    void gradients_keep_the_memory_order();
    void results_of_einsum_lie_in_the_order_of_their_labels();
    void a_product_minus_itself_is_zero();
    void nans_share_the_gradient_of_the_extreme_of_all();
    void an_empty_batch_leaves_the_running_statistics();
    void rows_whose_keys_are_all_masked_attend_to_nothing();
    void operations_with_rules_of_their_own_are_differentiated_twice();
    void logsumexp_of_nothing_is_minus_infinity();
    void texts_of_empty_tensors_tell_sizes_and_dtype();
    void quotients_of_the_least_integer_are_right();
    void to_follows_the_memory_format();

private:
    /// What a script printed, then its message if it failed.
    QString printed(const std::string& text) {
        return QString::fromStdString(scripts_.run("import torch\n" + text));
    }

    test::CompiledScripts scripts_;
};

void TestValuesAndLayouts::results_of_einsum_lie_in_the_order_of_their_labels() {
    // Strides as PyTorch's.
    QCOMPARE(printed(R"(
q, s = torch.randn(2, 3, 4, 5), torch.randn(2, 3, 4, 4)
a, b, c = torch.randn(3, 4), torch.randn(4, 5), torch.randn(2, 3, 4)
def show(text, strides, *xs):
    y = torch.einsum(text, *xs)
    z = torch.compile(lambda *xs: torch.einsum(text, *xs))(*xs)
    if y.stride() != strides or z.stride() != strides or not torch.allclose(y, z, atol=1e-5):
        print(text, y.stride(), z.stride())
show('bhls,bhsd->bhld', (60, 20, 5, 1), s, q)
show('bhld,bhsd->bhls', (48, 16, 4, 1), q, q)
show('bhls,bhsd->lbhd', (5, 60, 20, 1), s, q)
show('bqhd,bkhd->bhqk', (72, 18, 6, 1), torch.randn(2, 3, 4, 5), torch.randn(2, 6, 4, 5))
show('bhqk,bkhd->bqhd', (60, 5, 15, 1), torch.randn(2, 4, 3, 6), torch.randn(2, 6, 4, 5))
show('ij,jk->ki', (3, 1), a, b)
show('ij,jk', (5, 1), a, b)
show('bij->ji', (3, 1), c)
show('bij,jk,k->ib', (2, 1), c, b, b[0])
show('i,j->ij', (5, 1), a[0], b[0])
show('...i,i->...', (3, 1), c, a[0])
try:
    torch.einsum('ij->ii', a)
except RuntimeError:
    print('refused')
)"),
             QString("refused\n"));
}

void TestValuesAndLayouts::operations_with_rules_of_their_own_are_differentiated_twice() {
    // Each against the same written out, whose second derivatives are those of sums and products.
    const QString said = printed(R"(
import torch.nn.functional as F
torch.manual_seed(0)
def second(f, *xs):
    xs = [x.double().requires_grad_() for x in xs]
    y = f(*xs)
    grads = torch.autograd.grad((y * y * y).sum(), xs, create_graph=True)
    return torch.autograd.grad(sum((g * g).sum() for g in grads), xs)
def agree(f, g, *xs):
    return all(torch.allclose(a, b, rtol=1e-9) for a, b in zip(second(f, *xs), second(g, *xs)))
def norm(x, dims, eps=1e-5):
    return (x - x.mean(dims, True)) / (x.var(dims, unbiased=False, keepdim=True) + eps).sqrt()
def conv(x, w, b, stride):
    p = F.pad(x, (1, 1, 1, 1))
    out = 0
    n = (x.shape[-1] - 1) // stride + 1
    for i in range(3):
        for j in range(3):
            part = p[:, :, i:i + stride * (n - 1) + 1:stride, j:j + stride * (n - 1) + 1:stride]
            out = out + torch.einsum("nchw,oc->nohw", part, w[:, :, i, j])
    return out + b.reshape(1, -1, 1, 1)
x, image = torch.randn(3, 4), torch.randn(2, 3, 6, 6)
w, b = torch.randn(4), torch.randn(4)
print(agree(lambda x, w, b: F.layer_norm(x, (4,), w, b), lambda x, w, b: norm(x, (1,)) * w + b, x, w, b))
print(agree(lambda x, w: F.batch_norm(x, None, None, w, training=True),
            lambda x, w: norm(x, (0,)) * w, x, w))
print(agree(lambda x: F.group_norm(x, 1), lambda x: norm(x, (1, 2, 3)), image))
print(agree(lambda x: F.instance_norm(x), lambda x: norm(x, (2, 3)), image))
taps = torch.randn(4, 3, 3, 3)
for stride in (1, 2):
    print(agree(lambda x, w, b: F.conv2d(x, w, b, stride=stride, padding=1),
                lambda x, w, b: conv(x, w, b, stride), image, taps, b))
print(agree(lambda x: F.avg_pool2d(x, 2), lambda x: x.reshape(2, 3, 3, 2, 3, 2).mean((3, 5)), image))
print(agree(lambda x: F.max_pool2d(x, 2), lambda x: x.reshape(2, 3, 3, 2, 3, 2).amax((3, 5)), image))
)");
    QCOMPARE(said, QString("True\n").repeated(8));
}

void TestValuesAndLayouts::texts_of_empty_tensors_tell_sizes_and_dtype() {
    QCOMPARE(
        printed("print(torch.zeros(0), torch.zeros(1, 0), torch.zeros(0, dtype=torch.int64))\n"),
        QString("tensor([]) tensor([], size=(1, 0)) tensor([], dtype=torch.int64)\n"));
}

void TestValuesAndLayouts::logsumexp_of_nothing_is_minus_infinity() {
    QCOMPARE(printed("f = lambda x: torch.logsumexp(x, 0)\n"
                     "print(f(torch.zeros(0)), torch.compile(f)(torch.zeros(0, 2)))\n"),
             QString("tensor(-inf) tensor([-inf, -inf])\n"));
}

void TestValuesAndLayouts::small_integers_and_bools_keep_their_dtypes_data() {
    QTest::addColumn<QString>("result");
    auto row = [](const char* expression, const char* result) {
        QTest::newRow(expression) << QString(result);
    };
    row("torch.amax(u, 1)", "tensor([  3, 200], dtype=torch.uint8)");
    row("torch.amin(u, 0)", "tensor([1, 0, 3], dtype=torch.uint8)");
    row("torch.max(u)", "tensor(200, dtype=torch.uint8)");
    row("200 % torch.amax(u, 1)", "tensor([2, 0], dtype=torch.uint8)");
    row("7 // torch.tensor([2, -3])", "tensor([ 3, -3])");
    row("5.5 % torch.tensor([2, 3])", "tensor([1.5000, 2.5000])");
    row("torch.min(u + 7)", "tensor(7, dtype=torch.uint8)");
    row("torch.gcd(u[1], torch.full_like(u[1], 255))", "tensor([1, 5, 3], dtype=torch.uint8)");
    row("u[0].to(torch.int8).gcd(u[1].to(torch.int8))", "tensor([ 1, 56,  3], dtype=torch.int8)");
    row("torch.lcm(u[1].to(torch.int16), 0 * u[1] + 6)",
        "tensor([ 12, 600,   6], dtype=torch.int16)");
    row("torch.any(u)", "tensor(1, dtype=torch.uint8)");
    row("torch.all(u)", "tensor(0, dtype=torch.uint8)");
    row("torch.all(u, 1)", "tensor([0, 1], dtype=torch.uint8)");
    row("torch.any(u[:0])", "tensor(0, dtype=torch.uint8)");
    row("torch.all(u[:0])", "tensor(1, dtype=torch.uint8)");
    row("torch.any(u > 100, 1)", "tensor([False,  True])");
    row("torch.square(u > 3)", "tensor([[0, 0, 0],\n        [1, 1, 1]])");
    row("torch.square(u)", "tensor([[ 1,  0,  9],\n        [16, 64, 36]], dtype=torch.uint8)");
    row("torch.zeros_like(u).scatter_add(0, torch.tensor([[0, 1, 0], [0, 1, 0]]), u + 100)",
        "tensor([[205,   0, 209],\n        [  0, 144,   0]], dtype=torch.uint8)");
    row("torch.zeros(2, 3).int().scatter_add(0, torch.tensor([[0, 1, 0], [0, 1, 0]]), u.int())",
        "tensor([[  5,   0,   9],\n        [  0, 200,   0]], dtype=torch.int32)");
    row("torch.zeros(2, 3).bool().scatter_add(0, torch.tensor([[0, 1, 0], [0, 1, 0]]), u > 1)",
        "tensor([[ True, False,  True],\n        [False,  True, False]])");
}

void TestValuesAndLayouts::small_integers_and_bools_keep_their_dtypes() {
    QFETCH(QString, result);
    QString out = printed(std::string(R"(
def f(u):
    return )") + QTest::currentDataTag() +
                          R"(
u = torch.tensor([[1, 0, 3], [4, 200, 6]]).to(torch.uint8)
print(f(u))
print(torch.compile(f)(u))
)");
    QCOMPARE(out, result + "\n" + result + "\n");
}

void TestValuesAndLayouts::tensors_are_found_in_containers() {
    QCOMPARE(printed(R"(
t = torch.tensor([1, 2, 3])
one, two = torch.tensor(1), torch.tensor(2)
print(3 in t, 5 in t, 2.0 in t, two in t, 5 not in t)
print(t in [t], two in [one, two], one in [3, 1], 3 in (torch.tensor(3),), None in [one])
print([one, two].index(two), [one, two].count(2), [one] == [1])
try:
    print("a" in t)
except RuntimeError as e:
    print(e)
)"),
             QString("True False True True True\n"
                     "True True True True False\n"
                     "1 1 True\n"
                     "'in' a tensor looks for a number or a tensor, found str\n"));
}

void TestValuesAndLayouts::integers_are_of_any_size_and_lengths_are_not() {
    QCOMPARE(printed(R"(
def attempt(f):
    try:
        print(f())
    except OverflowError as e:
        print("overflow")
attempt(lambda: 2 ** 64)
attempt(lambda: 4 ** 32)
attempt(lambda: 2 ** 10 ** 9)
attempt(lambda: (-2) ** 64)
attempt(lambda: 3 ** 40)
attempt(lambda: len(range(-2 ** 62, 2 ** 62)))
attempt(lambda: (-2) ** 63 + 2 ** 62)
attempt(lambda: (-1) ** (2 ** 62 + 1) + 0 ** 2 ** 62 + 1 ** 2 ** 62)
attempt(lambda: len(range(1 - 2 ** 62, 2 ** 62)))
attempt(lambda: (2 ** 62 - 1 in range(1 - 2 ** 62, 2 ** 62), -9 in range(-1, -10, -4)))
)"),
             QString("18446744073709551616\n18446744073709551616\noverflow\n18446744073709551616\n"
                     "12157665459056928801\noverflow\n-"
                     "4611686018427387904\n0\n9223372036854775807\n(True, True)\n"));
}

void TestValuesAndLayouts::ranks_beyond_index_variables_are_refused() {
    QCOMPARE(printed(R"(
print((torch.zeros(1).reshape((1,) * 65535) + 1).dim())
try:
    torch.zeros(1).reshape((1,) * 65536)
except RuntimeError as e:
    print(e)
)"),
             QString("65535\na tensor of 65536 dimensions\n"));
}

void TestValuesAndLayouts::written_items_get_their_gradients() {
    QCOMPARE(printed(R"(
def show(c, z):
    (z * torch.arange(1., 1. + z.numel()).view(z.shape)).sum().backward()
    print(c.grad.tolist(), z.tolist())
c = torch.ones(3, requires_grad=True)
z = torch.zeros(3)
z[1] = c[0] * 5
(z.sum() + c.sum()).backward()
print(c.grad, z.requires_grad)
c = torch.ones(3, requires_grad=True)
z = c * 2
z[0:2] = c[1:] * 3
z[2] = 7.
show(c, z)
c = torch.ones(2, requires_grad=True)
z = torch.zeros(2, 4)
z[:, ::2] = c * torch.tensor([1., 2.])
z[..., -1] = c.sum()
show(c, z)
c = torch.ones(2, requires_grad=True)
z = torch.zeros(4)
for i in range(4):
    z[i] = c[i % 2] * i + (c[0] if i else 0.)
show(c, z)
c = torch.ones(2, 2, requires_grad=True)
z = torch.zeros(2, 2, dtype=torch.float64)
z.copy_(c.t() * 2)
show(c, z)
z = torch.zeros(2, 2) + c.sum()
z.zero_()
z[0] = torch.ones(2)
print(z.tolist())
)"),
             QString("tensor([6., 1., 1.]) True\n"
                     "[0.0, 3.0, 6.0] [3.0, 3.0, 7.0]\n"
                     "[18.0, 32.0] [[1.0, 0.0, 2.0, 2.0], [1.0, 0.0, 2.0, 2.0]]\n"
                     "[15.0, 14.0] [0.0, 2.0, 3.0, 4.0]\n"
                     "[[2.0, 6.0], [4.0, 8.0]] [[2.0, 2.0], [2.0, 2.0]]\n"
                     "[[1.0, 1.0], [0.0, 0.0]]\n"));
}

void TestValuesAndLayouts::writes_that_gradients_cannot_follow_are_refused() {
    QCOMPARE(
        printed(R"(
def attempt(f):
    try:
        f()
    except RuntimeError as e:
        print(e)
c = torch.ones(3, requires_grad=True)
def leaf():
    c[0] = 2.
def viewed():
    z = c.clone()
    with torch.no_grad():
        v = z[:2]
    v[0] = 5.
def saved():
    z = c.clone()
    y = z * z
    z[0] = 5.
    y.sum().backward()
for f in (leaf, viewed, saved):
    attempt(f)
with torch.no_grad():
    c[0] = 4.
print(c)
)"),
        QString("a view of a leaf Variable that requires grad is being used in an in-place "
                "operation.\n"
                "A view was created in no_grad mode and is being modified inplace with grad mode "
                "enabled. Given that this use case is ambiguous and error-prone, it is forbidden. "
                "You can clarify your code by moving both the view and the inplace either both "
                "inside the no_grad block (if you don't want the inplace to be tracked) or both "
                "outside (if you want the inplace to be tracked).\n"
                "one of the variables needed for gradient computation has been modified by an "
                "inplace operation: [torch.FloatTensor [3]], which is output 0 of Clone, is at "
                "version 1; expected version 0 instead. Hint: enable anomaly detection to find the "
                "operation that failed to compute its gradient, with "
                "torch.autograd.set_detect_anomaly(True, check_nan=False).\n"
                "tensor([4., 1., 1.], requires_grad=True)\n"));
}

void TestValuesAndLayouts::a_clamped_value_at_its_bound_has_no_gradient() {
    QCOMPARE(printed(R"(
def f(x):
    return x.clamp(1, 2) + x.clamp(min=1) + x.clamp_min(0) + x.clamp(max=2)
for g in (f, torch.compile(f)):
    x = torch.tensor([0., 1., 1.5, 2., 3.], requires_grad=True)
    g(x).sum().backward()
    print(x.grad)
)"),
             QString("tensor([1., 2., 4., 2., 2.])\n").repeated(2));
}

void TestValuesAndLayouts::statistics_of_layer_norm_carry_no_gradient() {
    QCOMPARE(printed(R"(
def f(x, w):
    return torch.native_layer_norm(x, [2], w, None, 1e-5)
for g in (f, torch.compile(f)):
    x = torch.tensor([[1., 2.], [3., 5.]], requires_grad=True)
    w = torch.ones(2, requires_grad=True)
    out, mean, rstd = g(x, w)
    print(out.requires_grad, mean.requires_grad, rstd.requires_grad, mean.tolist())
    (out.sum() + mean.sum() + rstd.sum()).backward()
    print(x.grad.abs().max() < 1e-5)
)"),
             QString("True False False [[1.5], [4.0]]\ntensor(True)\n").repeated(2));
}

void TestValuesAndLayouts::a_break_keeps_the_gradient_mode_of_its_block() {
    const std::string body = R"(
def within(x):
    with torch.no_grad():
        y = x * 2
        print("in", torch.is_grad_enabled())
        z = y + 1
    return (x * z).requires_grad, z.requires_grad
def returns(x):
    with torch.no_grad():
        print("in", torch.is_grad_enabled())
        return x * 2
def raises(x):
    with torch.no_grad():
        print("in", torch.is_grad_enabled())
        raise ValueError("out")
def sets(x):
    torch.set_grad_enabled(False)
    return x * 2
x = torch.ones(2, requires_grad=True)
for f in (within, returns, raises, sets):
    for g in (f, torch.compile(f)):
        for i in range(2):
            torch.set_grad_enabled(True)
            try:
                r = g(x)
                print(r, torch.is_grad_enabled())
            except ValueError as e:
                print(e, torch.is_grad_enabled())
)";
    QCOMPARE(printed(body), QString("in False\n(True, False) True\n").repeated(4) +
                                QString("in False\ntensor([2., 2.]) True\n").repeated(4) +
                                QString("in False\nout True\n").repeated(4) +
                                QString("tensor([2., 2.]) False\n").repeated(4));
}

void TestValuesAndLayouts::gradients_are_recorded_within_enable_grad() {
    QCOMPARE(printed(R"(
def f(x):
    a = x * 2
    with torch.enable_grad():
        b = x * a
    c = b * x
    return a, b, c
x = torch.ones(2, requires_grad=True)
for g in (f, torch.compile(f), torch.compile(f, backend="eager")):
    with torch.no_grad():
        a, b, c = g(x)
    print(a.requires_grad, b.requires_grad, c.requires_grad)
    b.sum().backward()
    print(x.grad)
    x.grad = None
)"),
             QString("False True False\ntensor([2., 2.])\n").repeated(3));
}

void TestValuesAndLayouts::texts_of_tensors_under_capture_have_their_numbers() {
    QCOMPARE(printed(R"(
@torch.compile
def f(x):
    y = x * 2
    return str(y), repr(y), f"{y}", "{}".format(y), f"{y.sum():.1f}", y + 1
for k in range(2):
    print(f(torch.ones(2)))
)"),
             QString("('tensor([2., 2.])', 'tensor([2., 2.])', 'tensor([2., 2.])', 'tensor([2., "
                     "2.])', '4.0', tensor([3., 3.]))\n")
                 .repeated(2));
}

void TestValuesAndLayouts::constants_belong_to_their_call() {
    QCOMPARE(printed(R"(
def f(x):
    c = torch.tensor([1., 2.])
    z = torch.zeros(2)
    return c, c[1:], z, z.view(2, 1)
for g in (f, torch.compile(f)):
    for i in range(2):
        c, d, z, v = g(torch.ones(2))
        print(c, d, z, v.tolist())
        c.add_(10)
        v.add_(1)
        print(d, z)
)"),
             QString("tensor([1., 2.]) tensor([2.]) tensor([0., 0.]) [[0.0], [0.0]]\n"
                     "tensor([12.]) tensor([1., 1.])\n")
                 .repeated(4));
}

void TestValuesAndLayouts::views_keep_their_memory_across_a_break() {
    const std::string body = R"(
def zeros(x):
    a = torch.zeros(3)
    b = a[0:1]
    print("break")
    a += 2
    return b
def inputs(a):
    b = a[0:1]
    print("break")
    a += 2
    return b
def computed(x):
    a = x * 1
    b = a[0:1]
    print("break")
    b += 2
    return a
for f in (zeros, inputs, computed):
    for g in (f, torch.compile(f)):
        print(g(torch.zeros(3)))
def recorded(x):
    a = x * 2
    b = a[0:1]
    print("break")
    a += 2
    return b
for g in (recorded, torch.compile(recorded)):
    x = torch.zeros(3, requires_grad=True)
    b = g(x)
    (b * 5).sum().backward()
    print(b.tolist(), x.grad.tolist())
)";
    QCOMPARE(printed(body), QString("break\ntensor([2.])\n").repeated(4) +
                                QString("break\ntensor([2., 0., 0.])\n").repeated(2) +
                                QString("break\n[2.0] [10.0, 0.0, 0.0]\n").repeated(2));
}

void TestValuesAndLayouts::elementwise_results_keep_the_memory_order_data() {
    QTest::addColumn<QString>("strides");
    auto row = [](const char* expression, const char* strides) {
        QTest::newRow(expression) << QString(strides);
    };
    // Q [3, 4] (1, 3), R [3, 4] (4, 1), S and T windows with gaps, E expanded, P [2, 4, 5, 3]
    row("-Q", "(1, 3)");
    row("Q + R", "(1, 3)");
    row("R + Q", "(4, 1)");
    row("Q + B", "(1, 3)");
    row("B + Q", "(1, 3)");
    row("S + Q", "(4, 1)");
    row("E + Q", "(1, 3)");
    row("-S", "(4, 1)");
    row("-T", "(1, 3)");
    row("-E", "(4, 1)");
    row("P * 2 + 1", "(60, 5, 1, 20)");
    row("P + torch.ones(3)", "(60, 5, 1, 20)");
    row("V + V[:, :, :1]", "(1, 4, 12)");
    row("torch.where(R > 0, Q, 0.)", "(4, 1)");
    row("torch.where(Q > 0, Q, R)", "(1, 3)");
    row("Q.masked_fill(Q > 0, 1.)", "(4, 1)");
    row("torch.nn.functional.gelu(Q)", "(1, 3)");
    row("torch.nn.functional.softmax(Q, 1)", "(4, 1)");
    row("torch.nn.functional.layer_norm(P, (3,))", "(60, 15, 3, 1)");
    row("Q.clone()", "(1, 3)");
    row("Q.contiguous()", "(4, 1)");
    row("T.double()", "(1, 3)");
    row("torch.zeros_like(Q)", "(1, 3)");
    row("V.sum(0)", "(2, 1)");
    row("(Q * 2 + 1).t() + Q.t()", "(3, 1)");
    row("(P * 2).reshape(2, 20, 3)", "(60, 1, 20)");
    row("torch.ones(4, 1, 3).permute(2, 1, 0) + torch.ones(3, 5, 1)", "(20, 4, 1)");
    row("(Q @ Q.t() + Q[:, :3]) * 2", "(3, 1)");
    row("Q[:, :3] + Q @ Q.t()", "(1, 3)");
    // Strides of dimensions of size 1 lead nowhere, and are PyTorch's all the same.
    row("R.unsqueeze(0)", "(12, 4, 1)");
    row("R.unsqueeze(1).relu()", "(4, 4, 1)");
    row("R.unsqueeze(0).permute(2, 0, 1) * 2", "(1, 12, 4)");
    row("R[0:1].t()", "(1, 4)");
    row("R[0:1].t().relu()", "(1, 1)");
    row("R.sum(0, keepdim=True)", "(4, 1)");
    row("R.chunk(3)[1]", "(4, 1)");
}

void TestValuesAndLayouts::elementwise_results_keep_the_memory_order() {
    QFETCH(QString, strides);
    QString out = printed(std::string(R"(
import torch.nn.functional
def f(P, Q, R, S, T, V, B, E):
    return )") + QTest::currentDataTag() +
                          R"(
def rows(x):
    return (x * 1.).contiguous()
P = torch.arange(120.).reshape(2, 3, 4, 5).permute(0, 2, 3, 1) - 60
Q = torch.arange(12.).reshape(4, 3).t() - 5
R = torch.arange(12.).reshape(3, 4) - 3
S = torch.arange(48.).reshape(6, 8)[::2, ::2]
T = torch.arange(24.).reshape(4, 6).t()[::2]
V = torch.arange(24.).reshape(2, 3, 4).transpose(0, 2)
B = torch.arange(3.).reshape(3, 1)
E = torch.arange(4.).reshape(4, 1).t().expand(3, 4)
args = (P, Q, R, S, T, V, B, E)
eager, compiled = f(*args), torch.compile(f)(*args)
plain = f(*[rows(a) for a in args])
print(eager.stride())
print(compiled.stride())
print(((eager - plain).abs() < 1e-5).all(), ((compiled - plain).abs() < 1e-5).all())
)");
    QCOMPARE(out, strides + "\n" + strides + "\ntensor(True) tensor(True)\n");
}

void TestValuesAndLayouts::gradients_keep_the_memory_order() {
    QCOMPARE(printed(R"(
def f(a, b):
    return torch.sigmoid(a * 2) * b + torch.nn.functional.softmax(a, 1)
def run(g, rows):
    c = (torch.arange(12.).reshape(4, 3) / 10).t()
    c = (c.contiguous() if rows else c).detach().requires_grad_()
    b = torch.arange(12.).reshape(3, 4).requires_grad_()
    r = g(c * 1, b)
    (r * r).sum().backward()
    return r, c.grad, b.grad
plain = run(f, True)
for g in (f, torch.compile(f)):
    found = run(g, False)
    print([t.stride() for t in found], [bool(((t - p).abs() < 1e-4).all()) for t, p in zip(found, plain)])
)"),
             QString("[(1, 3), (1, 3), (4, 1)] [True, True, True]\n").repeated(2));
}

void TestValuesAndLayouts::a_product_minus_itself_is_zero() {
    // One product is computed again in front of the loop; rounding one but not the other (by a
    // fused multiply-add) would leave 1e-8.
    QCOMPARE(printed("def f(x, y):\n    z = x * y\n    return z[-1:] - z\n"
                     "x = torch.arange(1, 9) / 3\n"
                     "print(torch.compile(f)(x, x + 0.1)[-1], f(x, x + 0.1)[-1])\n"),
             QString("tensor(0.) tensor(0.)\n"));
}

void TestValuesAndLayouts::nans_share_the_gradient_of_the_extreme_of_all() {
    QCOMPARE(printed(R"(
nan = float("nan")
def largest(x):
    return x.max()
def smallest(x):
    return torch.min(x)
for f in (largest, smallest):
    for g in (f, torch.compile(f)):
        for values in ([1., nan, 3.], [nan, 2., nan], [3., 3., 3.]):
            x = torch.tensor(values, requires_grad=True)
            g(x).backward(torch.tensor(6.))
            print(x.grad.tolist())
)"),
             QString("[0.0, 6.0, 0.0]\n[3.0, 0.0, 3.0]\n[2.0, 2.0, 2.0]\n").repeated(4));
}

void TestValuesAndLayouts::an_empty_batch_leaves_the_running_statistics() {
    QCOMPARE(printed(R"(
m = torch.nn.BatchNorm1d(2)
m(torch.tensor([[1., 2.], [3., 6.]]))
for g in (m, torch.compile(m)):
    x = torch.zeros(0, 2, requires_grad=True)
    y = g(x)
    y.sum().backward()
    print(y.shape, x.grad.shape, m.running_mean, m.running_var)
)"),
             QString("torch.Size([0, 2]) torch.Size([0, 2]) tensor([0.2000, 0.4000]) "
                     "tensor([1.1000, 1.7000])\n")
                 .repeated(2));
}

void TestValuesAndLayouts::rows_whose_keys_are_all_masked_attend_to_nothing() {
    QCOMPARE(printed(R"(
lowest = float("-inf")
q, k, v = torch.ones(2, 4), torch.zeros(3, 4), torch.tensor([[1.], [2.], [6.]])
def f(q, k, v, mask):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, mask)
for g in (f, torch.compile(f)):
    for mask in (torch.tensor([[False, False, False], [True, True, False]]),
                 torch.tensor([[lowest, lowest, lowest], [0., 0., lowest]])):
        operands = [x.clone().requires_grad_() for x in (q, k, v)]
        y = g(*operands, mask)
        y.sum().backward()
        print(y.tolist(), [x.grad.tolist() for x in operands])
)"),
             QString("[[0.0], [1.5]] [[[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], "
                     "[[-0.125, -0.125, -0.125, -0.125], [0.125, 0.125, 0.125, 0.125], "
                     "[0.0, 0.0, 0.0, 0.0]], [[0.5], [0.5], [0.0]]]\n")
                 .repeated(4));
}

void TestValuesAndLayouts::quotients_of_the_least_integer_are_right() {
    QCOMPARE(printed(R"(
def f(a, b):
    return [torch.div(a, b, rounding_mode="trunc"), torch.fmod(a, b), a // b, a % b]
for g in (f, torch.compile(f)):
    for dtype in (torch.int8, torch.int16, torch.int32, torch.int64):
        least, most = torch.iinfo(dtype).min, torch.iinfo(dtype).max
        for a in (least, least + 1, -7, -1, 0, 1, 7, most - 1, most):
            for b in (least, least + 1, -3, 1, 3, most):
                q = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
                want = [q, a - q * b, a // b, a % b]
                got = [t.item() for t in g(torch.tensor([a], dtype=dtype), torch.tensor([b], dtype=dtype))]
                if got != want:
                    print(dtype, a, b, got, want)
)"),
             QString());
}

void TestValuesAndLayouts::to_follows_the_memory_format() {
    QCOMPARE(printed(R"(
x = torch.rand(2, 3, 4, 5)
def f(x):
    y = x.to(memory_format=torch.channels_last)
    return y, y.to(torch.float64), y.to(memory_format=torch.preserve_format)
for g in (f, torch.compile(f)):
    y, z, w = g(x)
    print(y.stride(), z.stride(), w.stride(), torch.equal(x, y), y.to(memory_format=torch.channels_last).data_ptr() == y.data_ptr())
)"),
             QString("(60, 1, 15, 3) (60, 1, 15, 3) (60, 1, 15, 3) True True\n").repeated(2));
}

QTEST_GUILESS_MAIN(TestValuesAndLayouts)
#include "test_values_and_layouts.moc"
