// SPDX-License-Identifier: Apache-2.0
// Copies between devices are calls without a kernel: x.cuda() and y.cpu() of what requires a
// gradient. Here from the CPU to itself.
#include "core/backend/eager_runner.h"

#include <QtTest>

using namespace cutaway;
using runtime::TensorPtr;

class TestEagerCopies : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void gradients_go_back_through_a_copy_data() {
        QTest::addColumn<bool>("record");
        QTest::newRow("gradients") << false;
        QTest::newRow("gradients on the tape") << true;
    }
    void gradients_go_back_through_a_copy() {
        QFETCH(bool, record);
        pipeline::Toolchain toolchain("");
        backend::EagerRunner eager(toolchain, {});
        ir::HostTensor values = ir::HostTensor::zeros(ir::DType::Float32, {3});
        for (int64_t i = 0; i < 3; ++i)
            values.set(i, static_cast<double>(i + 1));
        TensorPtr x = take(runtime::fromHost(values, {}));
        x->type.requiresGrad = true;
        TensorPtr y =
            take(eager.call("prims.device_put", {ir::NodeId(0), ir::Device{}, false}, {x}, true));
        QVERIFY(y->type.requiresGrad);
        QVERIFY(y->storage != x->storage);
        QCOMPARE(numbers(y), (std::vector<double>{1, 2, 3}));
        TensorPtr square =
            take(eager.call("mul.Tensor", {ir::NodeId(0), ir::NodeId(1)}, {y, y}, true));
        TensorPtr sum = take(eager.call("sum", {ir::NodeId(0)}, {square}, true));
        const auto gradients = take(eager.backward({.roots = {sum},
                                                    .gradients = {nullptr},
                                                    .inputs = {x},
                                                    .accumulate = false,
                                                    .record = record}));
        QCOMPARE(numbers(gradients[0]), (std::vector<double>{2, 4, 6}));
        QCOMPARE(gradients[0]->type.requiresGrad, record);
    }

private:
    template <class T> static T take(base::Result<T> result) {
        if (!result.ok()) throw std::runtime_error(result.error().str());
        return std::move(*result);
    }
    static std::vector<double> numbers(const TensorPtr& tensor) {
        const ir::HostTensor host = take(runtime::toHost(*tensor));
        std::vector<double> values;
        for (int64_t i = 0; i < host.numel(); ++i)
            values.push_back(host.get(i));
        return values;
    }
};

QTEST_GUILESS_MAIN(TestEagerCopies)
#include "test_eager_copies.moc"
