// SPDX-License-Identifier: Apache-2.0
#include "core/backend/call_key.h"

#include <QtTest>

#include <limits>
#include <set>

using namespace cutaway;

namespace {

runtime::TensorPtr tensor(ir::DType dtype, ir::Shape sizes, ir::Device device = {}) {
    auto made = std::make_shared<runtime::Tensor>();
    made->type = ir::TensorType::contiguous(dtype, std::move(sizes), device);
    return made;
}

} // namespace

class TestCallKey : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Every pair differs in one thing that calls for another kernel.
    void different_calls_have_different_keys() {
        using ir::Arg;
        using ir::ArgList;
        using ir::Sym;
        const ir::NodeId a(0), b(1);
        const auto f32 = tensor(ir::DType::Float32, {2, 3});
        const auto f64 = tensor(ir::DType::Float64, {2, 3});
        auto transposed = tensor(ir::DType::Float32, {2, 3});
        transposed->type.strides = {1, 2};
        struct Call {
            std::string_view op;
            ArgList args;
            std::vector<runtime::TensorPtr> tensors;
        };
        const std::vector<Call> calls = {
            {"add.Tensor", {a, b}, {f32, f32}},
            {"add.Tensor", {b, a}, {f32, f32}},
            {"sub.Tensor", {a, b}, {f32, f32}},
            {"add.Tensor", {a, b}, {f32, f64}},
            {"add.Tensor", {a, b}, {f64, f32}},
            {"add.Tensor", {a, b}, {f32, transposed}},
            {"add.Tensor", {a, b}, {f32, tensor(ir::DType::Float32, {3, 2})}},
            {"add.Tensor", {a, b}, {f32, tensor(ir::DType::Float32, {6})}},
            {"add.Tensor", {a, b}, {f32, nullptr}},
            {"add.Tensor",
             {a, b},
             {f32, tensor(ir::DType::Float32, {2, 3}, {ir::Device::Kind::Cuda, 0})}},
            {"add.Tensor",
             {a, b},
             {f32, tensor(ir::DType::Float32, {2, 3}, {ir::Device::Kind::Cuda, 1})}},
            {"f", {Arg()}, {}},
            {"f", {Arg(), Arg()}, {}},
            {"f", {true}, {}},
            {"f", {Sym(1)}, {}},
            {"f", {1.0}, {}},
            {"f", {0.0}, {}},
            {"f", {-0.0}, {}},
            {"f", {std::numeric_limits<double>::quiet_NaN()}, {}},
            {"f", {std::numeric_limits<double>::infinity()}, {}},
            {"f", {0.1}, {}},
            {"f", {std::nextafter(0.1, 1)}, {}},
            {"f", {ir::DType::Float32}, {}},
            {"f", {ir::Device()}, {}},
            {"f", {std::string("ab")}, {}},
            {"f", {std::string("a"), std::string("b")}, {}},
            {"f", {std::string("sum")}, {}},
            {"f", {Arg(ArgList{Sym(1), Sym(2)})}, {}}, // braces around one list may copy it
            {"f", {ArgList{Sym(1)}, Sym(2)}, {}},
            {"f", {Arg(ArgList{ArgList{Sym(1)}, Sym(2)})}, {}},
            {"f", {Arg(ArgList{})}, {}},
            {"f", {ArgList{}, ArgList{}}, {}},
            {"f", {Arg(ArgList{Arg(ArgList{})})}, {}},
        };
        std::set<std::string> keys;
        for (size_t i = 0; i < calls.size(); ++i) {
            const std::string key = backend::callKey(calls[i].op, calls[i].args, calls[i].tensors);
            QVERIFY2(keys.insert(key).second, std::to_string(i).c_str());
            QCOMPARE(backend::callKey(calls[i].op, calls[i].args, calls[i].tensors), key);
        }
    }
    void values_and_gradients_are_not_part_of_it() {
        auto x = tensor(ir::DType::Float32, {4}), y = tensor(ir::DType::Float32, {4});
        y->type.requiresGrad = true;
        y->offset = 3;
        const ir::ArgList args = {ir::NodeId(0)};
        QCOMPARE(backend::callKey("relu", args, {{x}}), backend::callKey("relu", args, {{y}}));
    }
};

QTEST_GUILESS_MAIN(TestCallKey)
#include "test_call_key.moc"
