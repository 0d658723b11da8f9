// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/tensor.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::runtime;
using ir::DType;

namespace {

TensorPtr counting(DType dtype, std::vector<int64_t> sizes) {
    auto host = ir::HostTensor::zeros(dtype, std::move(sizes));
    for (int64_t i = 0; i < host.numel(); ++i)
        host.set(i, static_cast<double>(i));
    auto tensor = fromHost(host, {});
    return tensor ? *tensor : nullptr;
}

ir::Shape shape(std::initializer_list<int64_t> sizes) {
    return ir::Shape(sizes.begin(), sizes.end());
}

} // namespace

class TestTensor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void host_values_come_back_unchanged();
    void a_view_shares_memory_and_reads_by_its_strides();
    void a_view_of_a_view_adds_offsets();
    void copies_convert_between_all_dtypes();
    void strided_copies_agree_with_indexing_data();
    void strided_copies_agree_with_indexing();
    void overlapping_copies_read_first();
    void different_sizes_are_refused();
    void an_empty_tensor_can_be_copied();
    void memory_returns_with_the_last_reference();
    void a_tensor_beyond_memory_is_refused();
    void a_missing_device_is_an_environment_error();
};

void TestTensor::host_values_come_back_unchanged() {
    TensorPtr tensor = counting(DType::Float32, {3, 5});
    auto host = toHost(*tensor);
    QVERIFY(host.ok());
    QCOMPARE(host->sizes, (std::vector<int64_t>{3, 5}));
    for (int64_t i = 0; i < 15; ++i)
        QCOMPARE(host->get(i), static_cast<double>(i));
}

void TestTensor::a_view_shares_memory_and_reads_by_its_strides() {
    TensorPtr tensor = counting(DType::Int64, {3, 4});
    TensorPtr transposed = viewOf(tensor, shape({4, 3}), shape({1, 4}), 0);
    QCOMPARE(transposed->storage.get(), tensor->storage.get());
    auto host = toHost(*transposed);
    QCOMPARE(host->getInt(1), int64_t{4});
    QCOMPARE(host->getInt(3), int64_t{1});
    TensorPtr row = viewOf(tensor, shape({4}), shape({0}), 6);
    QCOMPARE(toHost(*row)->getInt(3), int64_t{6});
}

void TestTensor::a_view_of_a_view_adds_offsets() {
    TensorPtr tensor = counting(DType::Float64, {10});
    TensorPtr tail = viewOf(tensor, shape({6}), shape({1}), 4);
    TensorPtr end = viewOf(tail, shape({2}), shape({2}), 3);
    QCOMPARE(end->offset, int64_t{7});
    QCOMPARE(toHost(*end)->get(1), 9.0);
}

void TestTensor::copies_convert_between_all_dtypes() {
    const DType all[] = {DType::Bool,  DType::UInt8,   DType::Int32,
                         DType::Int64, DType::Float32, DType::Float64};
    for (DType from : all)
        for (DType to : all) {
            TensorPtr source = counting(from, {4});
            TensorPtr target = counting(to, {4});
            QVERIFY(copyInto(*target, *source).ok());
            QCOMPARE(target->storage->version, 1u);
            for (int64_t i = 0; i < 4; ++i) {
                double expected = static_cast<double>(i);
                if (from == DType::Bool || to == DType::Bool) expected = i != 0;
                QCOMPARE(toHost(*target)->get(i), expected);
            }
        }
}

void TestTensor::strided_copies_agree_with_indexing_data() {
    QTest::addColumn<std::vector<int64_t>>("sizes");
    QTest::addColumn<std::vector<int>>("order");
    QTest::newRow("scalar") << std::vector<int64_t>{} << std::vector<int>{};
    QTest::newRow("one row") << std::vector<int64_t>{300001} << std::vector<int>{0};
    QTest::newRow("small transpose") << std::vector<int64_t>{3, 5} << std::vector<int>{1, 0};
    QTest::newRow("large transpose") << std::vector<int64_t>{517, 403} << std::vector<int>{1, 0};
    QTest::newRow("attention heads")
        << std::vector<int64_t>{4, 33, 8, 70} << std::vector<int>{0, 2, 1, 3};
    QTest::newRow("rotation") << std::vector<int64_t>{65, 40, 66} << std::vector<int>{2, 0, 1};
    QTest::newRow("ones") << std::vector<int64_t>{1, 7, 1, 3} << std::vector<int>{3, 2, 1, 0};
}

void TestTensor::strided_copies_agree_with_indexing() {
    QFETCH(std::vector<int64_t>, sizes);
    QFETCH(std::vector<int>, order);
    TensorPtr source = counting(DType::Float32, sizes);
    ir::Shape viewSizes, viewStrides;
    for (int dim : order) {
        viewSizes.push_back(source->type.sizes[static_cast<size_t>(dim)]);
        viewStrides.push_back(source->type.strides[static_cast<size_t>(dim)]);
    }
    TensorPtr view = viewOf(source, viewSizes, viewStrides, 0);
    auto check = [&](const Tensor& target) {
        QVERIFY(target.type.sizes == viewSizes);
        auto host = toHost(target);
        std::vector<int64_t> plain = ir::constants(viewSizes), strides = ir::constants(viewStrides);
        for (int64_t i = 0; i < host->numel(); ++i) {
            int64_t rest = i, expected = 0;
            for (size_t d = plain.size(); d-- > 0; rest /= plain[d])
                expected += rest % plain[d] * strides[d];
            if (host->get(i) != static_cast<double>(expected))
                QCOMPARE(host->get(i), static_cast<double>(expected));
        }
    };
    // Out of strides into a dense tensor, and into strides from a dense one.
    auto dense = emptyTensor(ir::TensorType::contiguous(DType::Float64, viewSizes));
    QVERIFY(copyInto(**dense, *view).ok());
    check(**dense);
    TensorPtr other = viewOf(counting(DType::Float32, sizes), viewSizes, viewStrides, 0);
    QVERIFY(copyInto(*other, **dense).ok());
    check(*other);
}

void TestTensor::overlapping_copies_read_first() {
    TensorPtr tensor = counting(DType::Float32, {1000});
    TensorPtr tail = viewOf(tensor, shape({999}), shape({1}), 1);
    TensorPtr head = viewOf(tensor, shape({999}), shape({1}), 0);
    QVERIFY(copyInto(*tail, *head).ok());
    auto host = toHost(*tensor);
    QCOMPARE(host->get(0), 0.0);
    for (int64_t i = 1; i < 1000; ++i)
        QCOMPARE(host->get(i), static_cast<double>(i - 1));
}

void TestTensor::different_sizes_are_refused() {
    TensorPtr a = counting(DType::Float32, {2, 3}), b = counting(DType::Float32, {3, 2});
    auto status = copyInto(*a, *b);
    QVERIFY(!status.ok());
    QCOMPARE(status.error().message, std::string("copy between different sizes: destination is "
                                                 "[2, 3], source is [3, 2]"));
}

void TestTensor::an_empty_tensor_can_be_copied() {
    TensorPtr a = counting(DType::Float32, {0, 4}), b = counting(DType::Float64, {0, 4});
    QVERIFY(copyInto(*a, *b).ok());
    QCOMPARE(toHost(*a)->numel(), int64_t{0});
}

void TestTensor::memory_returns_with_the_last_reference() {
    int64_t before = memoryStatistics({}).currentBytes;
    TensorPtr tensor = counting(DType::Float32, {1024});
    TensorPtr view = viewOf(tensor, shape({1}), shape({1}), 0);
    tensor.reset();
    QCOMPARE(memoryStatistics({}).currentBytes, before + 4096);
    void* place = view->data();
    view.reset();
    QCOMPARE(memoryStatistics({}).currentBytes, before);
    QCOMPARE(counting(DType::Float32, {1024})->data(), place);
    resetPeak({});
    QCOMPARE(memoryStatistics({}).peakBytes, before);
    trimCaches();
}

void TestTensor::a_tensor_beyond_memory_is_refused() {
    auto huge = emptyTensor(ir::TensorType::contiguous(DType::Float32, {1 << 20, 1 << 20}));
    QVERIFY(!huge.ok());
    QCOMPARE(huge.error().fault, base::Fault::Environment);
    QVERIFY(huge.error().message.find("4398046511104 bytes") != std::string::npos);
    ir::TensorType absurd;
    absurd.sizes = shape({int64_t{1} << 40, int64_t{1} << 40});
    absurd.strides = shape({int64_t{1} << 40, 1});
    QVERIFY(!emptyTensor(absurd).ok());
}

void TestTensor::a_missing_device_is_an_environment_error() {
    auto tensor =
        emptyTensor(ir::TensorType::contiguous(DType::Float32, {4}, {ir::Device::Kind::Cuda, 99}));
    QVERIFY(!tensor.ok());
    QCOMPARE(tensor.error().fault, base::Fault::Environment);
    QVERIFY(!tensor.error().hint.empty());
}

QTEST_APPLESS_MAIN(TestTensor)
#include "test_tensor.moc"
