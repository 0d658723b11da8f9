// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/autograd.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::runtime;
using ir::DType;

namespace {

TensorPtr filled(ir::Shape sizes, double value, bool requiresGrad = false) {
    auto host = ir::HostTensor::zeros(DType::Float32, ir::constants(sizes));
    for (int64_t i = 0; i < host.numel(); ++i)
        host.set(i, value);
    TensorPtr tensor = *fromHost(host, {});
    tensor->type.requiresGrad = requiresGrad;
    return tensor;
}

double first(const TensorPtr& tensor) {
    return toHost(*tensor)->get(0);
}

TensorPtr combine(const TensorPtr& a, const TensorPtr& b, double (*f)(double, double)) {
    auto x = *toHost(*a), y = *toHost(*b);
    for (int64_t i = 0; i < x.numel(); ++i)
        x.set(i, f(x.get(i), y.get(i)));
    return *fromHost(x, {});
}

GradientArithmetic arithmetic(int* additions = nullptr) {
    return {[additions](const TensorPtr& a, const TensorPtr& b) -> base::Result<TensorPtr> {
                if (additions) ++*additions;
                return combine(a, b, [](double x, double y) { return x + y; });
            },
            [](const ir::TensorType& type, double value) -> base::Result<TensorPtr> {
                return filled(type.sizes, value);
            }};
}

base::Status backward(const TensorPtr& root, const TensorPtr& gradient,
                      const GradientArithmetic& how) {
    CUTAWAY_CHECK(runtime::backward({.roots = {root}, .gradients = {gradient}}, how));
    return {};
}

/// d(a*b): keeps both operands, and frees them on release.
struct MulBackward : GradFunction {
    TensorPtr a, b;
    int runs = 0;
    bool keeps = false;
    base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>& grads) override {
        ++runs;
        auto times = [](double x, double y) { return x * y; };
        return std::vector<TensorPtr>{inputs[0] ? combine(grads[0], b, times) : nullptr,
                                      inputs[1] ? combine(grads[0], a, times) : nullptr};
    }
    bool release() override {
        if (keeps) return false;
        a = b = nullptr;
        return true;
    }
};

/// Hands its gradient to all inputs unchanged.
struct AddBackward : GradFunction {
    base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>& grads) override {
        return std::vector<TensorPtr>(inputs.size(), grads[0]);
    }
};

/// Two outputs of one input, with different factors.
struct SplitBackward : GradFunction {
    bool sawNull = false;
    base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>& grads) override {
        double sum = 0;
        if (grads[0]) sum += 10 * first(grads[0]);
        if (grads[1]) sum += 100 * first(grads[1]);
        sawNull = !grads[0] || !grads[1];
        return std::vector<TensorPtr>{filled(inputs[0]->type.sizes, sum)};
    }
};

template <typename F>
TensorPtr record(std::shared_ptr<F> function, std::string name, TensorPtr result,
                 std::initializer_list<TensorPtr> inputs) {
    function->name = std::move(name);
    for (const TensorPtr& input : inputs)
        function->inputs.push_back(gradEdge(input));
    function->outputTypes = {result->type};
    result->gradFunction = std::move(function);
    result->type.requiresGrad = true;
    return result;
}

TensorPtr mul(const TensorPtr& a, const TensorPtr& b) {
    auto function = std::make_shared<MulBackward>();
    function->a = a;
    function->b = b;
    return record(function, "MulBackward", combine(a, b, [](double x, double y) { return x * y; }),
                  {a, b});
}

TensorPtr add(const TensorPtr& a, const TensorPtr& b) {
    return record(std::make_shared<AddBackward>(), "AddBackward",
                  combine(a, b, [](double x, double y) { return x + y; }), {a, b});
}

} // namespace

class TestAutograd : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_product_gives_each_factor_the_other();
    void a_value_used_twice_gets_the_sum_and_runs_once();
    void gradients_accumulate_in_the_same_tensor_object();
    void two_leaves_never_share_one_gradient();
    void an_input_without_gradient_is_skipped();
    void several_outputs_arrive_in_their_places();
    void a_given_gradient_is_used_and_left_alone();
    void a_leaf_is_its_own_root();
    void the_tape_keeps_no_activation_alive();
    void a_second_backward_works_when_tensors_were_kept();
    void a_second_backward_on_freed_tensors_is_a_user_error();
    void a_root_of_many_elements_needs_a_gradient();
    void a_gradient_of_other_sizes_is_refused();
    void a_tensor_without_gradient_is_refused();
    void a_wrong_gradient_size_of_a_function_is_a_bug();
    void a_failing_function_stops_the_run();
    void a_chain_of_hundreds_of_thousands_is_freed_without_recursion();
};

void TestAutograd::a_product_gives_each_factor_the_other() {
    TensorPtr x = filled({}, 3, true), y = filled({}, 5, true);
    QVERIFY(backward(mul(x, y), nullptr, arithmetic()).ok());
    QCOMPARE(first(x->grad), 5.0);
    QCOMPARE(first(y->grad), 3.0);
}

void TestAutograd::a_value_used_twice_gets_the_sum_and_runs_once() {
    // z = (x*x) * (x*x) + (x*x): 4x^3 + 2x
    TensorPtr x = filled({}, 2, true);
    TensorPtr square = mul(x, x);
    auto* function = static_cast<MulBackward*>(square->gradFunction.get());
    TensorPtr z = add(mul(square, square), square);
    int additions = 0;
    QVERIFY(backward(z, nullptr, arithmetic(&additions)).ok());
    QCOMPARE(first(x->grad), 36.0);
    QCOMPARE(function->runs, 1);
    QCOMPARE(additions, 3);
}

void TestAutograd::gradients_accumulate_in_the_same_tensor_object() {
    TensorPtr x = filled({3}, 2, true);
    QVERIFY(backward(mul(x, filled({3}, 7)), filled({3}, 1), arithmetic()).ok());
    TensorPtr held = x->grad;
    QVERIFY(backward(mul(x, filled({3}, 4)), filled({3}, 1), arithmetic()).ok());
    QCOMPARE(x->grad.get(), held.get());
    QCOMPARE(first(held), 11.0);
}

void TestAutograd::two_leaves_never_share_one_gradient() {
    TensorPtr x = filled({2}, 1, true), y = filled({2}, 2, true);
    QVERIFY(backward(add(x, y), filled({2}, 1), arithmetic()).ok());
    QVERIFY(x->grad->storage != y->grad->storage);
    QVERIFY(copyInto(*x->grad, *filled({2}, 9)).ok());
    QCOMPARE(first(y->grad), 1.0);
}

void TestAutograd::an_input_without_gradient_is_skipped() {
    TensorPtr x = filled({}, 3, true), constant = filled({}, 5);
    QVERIFY(backward(mul(x, constant), nullptr, arithmetic()).ok());
    QVERIFY(!constant->grad);
    QCOMPARE(first(x->grad), 5.0);
}

void TestAutograd::several_outputs_arrive_in_their_places() {
    auto build = [](const TensorPtr& x) {
        auto function = std::make_shared<SplitBackward>();
        TensorPtr a = record(function, "SplitBackward", filled({}, 1), {x});
        TensorPtr b = filled({}, 2);
        b->type.requiresGrad = true;
        b->gradFunction = function;
        b->gradOutput = 1;
        function->outputTypes = {a->type, b->type};
        return std::pair(a, b);
    };
    TensorPtr x = filled({}, 3, true);
    auto [a, b] = build(x);
    QVERIFY(backward(mul(b, add(a, b)), nullptr, arithmetic()).ok());
    // d/da = b = 2, d/db = a + 2b = 5
    QCOMPARE(first(x->grad), 520.0);
    TensorPtr y = filled({}, 3, true);
    auto second = build(y).second;
    QVERIFY(backward(second, nullptr, arithmetic()).ok());
    QCOMPARE(first(y->grad), 100.0);
    QVERIFY(static_cast<SplitBackward*>(second->gradFunction.get())->sawNull);
}

void TestAutograd::a_given_gradient_is_used_and_left_alone() {
    TensorPtr x = filled({2}, 1, true), gradient = filled({2}, 4);
    QVERIFY(backward(add(x, filled({2}, 0)), gradient, arithmetic()).ok());
    QCOMPARE(first(x->grad), 4.0);
    QVERIFY(x->grad->storage != gradient->storage);
}

void TestAutograd::a_leaf_is_its_own_root() {
    TensorPtr x = filled({}, 3, true);
    QVERIFY(backward(x, nullptr, arithmetic()).ok());
    QCOMPARE(first(x->grad), 1.0);
}

void TestAutograd::the_tape_keeps_no_activation_alive() {
    TensorPtr x = filled({}, 3, true);
    TensorPtr inner = add(x, x);
    std::weak_ptr<Storage> memory = inner->storage;
    TensorPtr outer = add(inner, x);
    inner.reset();
    QVERIFY(memory.expired());
    QVERIFY(backward(outer, nullptr, arithmetic()).ok());
    QCOMPARE(first(x->grad), 3.0);
}

void TestAutograd::a_second_backward_works_when_tensors_were_kept() {
    TensorPtr x = filled({}, 3, true);
    TensorPtr z = mul(x, filled({}, 4));
    static_cast<MulBackward*>(z->gradFunction.get())->keeps = true;
    QVERIFY(backward(z, nullptr, arithmetic()).ok());
    QVERIFY(backward(z, nullptr, arithmetic()).ok());
    QCOMPARE(first(x->grad), 8.0);
}

void TestAutograd::a_second_backward_on_freed_tensors_is_a_user_error() {
    TensorPtr x = filled({}, 3, true);
    TensorPtr z = mul(x, x);
    QVERIFY(backward(z, nullptr, arithmetic()).ok());
    auto status = backward(z, nullptr, arithmetic());
    QVERIFY(!status.ok());
    QCOMPARE(status.error().fault, base::Fault::User);
    QVERIFY(status.error().message.starts_with(
        "Trying to backward through the graph a second time (or"));
    QVERIFY(status.error().hint.starts_with("what MulBackward saved was freed"));
    QCOMPARE(first(x->grad), 6.0);
}

void TestAutograd::a_root_of_many_elements_needs_a_gradient() {
    TensorPtr x = filled({2, 3}, 1, true);
    auto status = backward(add(x, x), nullptr, arithmetic());
    QVERIFY(!status.ok());
    QCOMPARE(status.error().message,
             std::string("grad can be implicitly created only for scalar outputs"));
}

void TestAutograd::a_gradient_of_other_sizes_is_refused() {
    TensorPtr x = filled({2}, 1, true);
    auto status = backward(add(x, x), filled({3}, 1), arithmetic());
    QVERIFY(!status.ok());
    QCOMPARE(status.error().message,
             std::string("Mismatch in shape: grad_output[0] has a shape of torch.Size([3]) "
                         "and output[0] has a shape of torch.Size([2])."));
}

void TestAutograd::a_tensor_without_gradient_is_refused() {
    auto status = backward(filled({}, 1), nullptr, arithmetic());
    QVERIFY(!status.ok());
    QCOMPARE(status.error().message,
             std::string("element 0 of tensors does not require grad and does not have a "
                         "grad_fn"));
}

void TestAutograd::a_wrong_gradient_size_of_a_function_is_a_bug() {
    TensorPtr x = filled({2}, 1, true);
    TensorPtr z = record(std::make_shared<AddBackward>(), "SumBackward", filled({}, 2), {x});
    auto status = backward(z, nullptr, arithmetic());
    QVERIFY(!status.ok());
    QCOMPARE(status.error().fault, base::Fault::Bug);
}

void TestAutograd::a_failing_function_stops_the_run() {
    struct Failing : GradFunction {
        base::Result<std::vector<TensorPtr>> apply(const std::vector<TensorPtr>&) override {
            return base::environmentError("out of memory");
        }
    };
    TensorPtr x = filled({}, 1, true);
    TensorPtr z = record(std::make_shared<Failing>(), "Failing", filled({}, 2), {x});
    auto status = backward(z, nullptr, arithmetic());
    QVERIFY(!status.ok());
    QCOMPARE(status.error().message, std::string("out of memory"));
    QVERIFY(!x->grad);
}

void TestAutograd::a_chain_of_hundreds_of_thousands_is_freed_without_recursion() {
    TensorPtr x = filled({}, 1, true);
    TensorPtr z = x;
    for (int i = 0; i < 300000; ++i) {
        auto next = std::make_shared<Tensor>();
        next->type = x->type;
        next->storage = x->storage;
        z = record(std::make_shared<AddBackward>(), "AddBackward", next, {z});
    }
    QVERIFY(backward(z, nullptr, arithmetic()).ok());
    z.reset();
    QCOMPARE(first(x->grad), 1.0);
}

QTEST_APPLESS_MAIN(TestAutograd)
#include "test_autograd.moc"
