// SPDX-License-Identifier: Apache-2.0
// What only a GPU can show: generated kernels against the slow interpreter, matrix products against
// plain loops, copies, memory. Without a GPU every test is skipped and says why.
#include "tests/support/library_run.h"
#include "tests/support/schedules.h"
#include "tests/unit/codegen/cuda_cases.inc"

#include "core/base/file_system.h"
#include "core/jit/cuda_compiler.h"
#include "core/kernel/interpret.h"
#include "core/runtime/cuda_convolution.h"
#include "core/runtime/cuda_rows.h"
#include "core/runtime/cudnn.h"
#include "core/runtime/executable_internal.h"
#include "core/runtime/precision.h"
#include "tests/unit/runtime/convolution_cases.h"
#include "tests/unit/runtime/row_cases.h"

#include <QtTest>

#include <cmath>
#include <cstring>

using namespace cutaway;
using namespace cutaway::runtime;

namespace {

QString missing() {
    auto device = cudaDevice(0);
    return device.ok() ? QString() : QString::fromStdString(device.error().message);
}

#define NEEDS_DEVICE()                                                                             \
    if (QString why = missing(); !why.isEmpty()) QSKIP(qPrintable(why))

const ir::Device kCuda{ir::Device::Kind::Cuda, 0};

base::Status runOnDevice(CudaDevice& device, LibraryKernel& kernel, void* const* pointers) {
    CUTAWAY_TRY(const StoragePtr memory, device.allocate(static_cast<size_t>(kernel.workspace(1))));
    return kernel.run(pointers, memory->data(), 1);
}

ir::HostTensor randomTensor(ir::DType dtype, std::vector<int64_t> sizes, double low, double high,
                            uint64_t seed) {
    ir::HostTensor tensor = ir::HostTensor::zeros(dtype, std::move(sizes));
    for (int64_t i = 0; i < tensor.numel(); ++i) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        const double u = static_cast<double>(seed >> 11) * 0x1p-53;
        const double value = low + (high - low) * u;
        tensor.set(i, ir::isFloating(dtype) ? value : std::floor(value));
    }
    return tensor;
}

/// Largest difference over the reference's largest magnitude (exact dtypes: 0 or 1).
double difference(const ir::HostTensor& found, const ir::HostTensor& expected) {
    if (found.dtype != expected.dtype || found.sizes != expected.sizes) return 1e9;
    if (!ir::isFloating(found.dtype)) return found.bytes == expected.bytes ? 0 : 1;
    double most = 0, scale = 1e-3;
    for (int64_t i = 0; i < found.numel(); ++i) {
        const double a = found.get(i), b = expected.get(i);
        if (std::isnan(a) != std::isnan(b)) return 1e9;
        if (std::isnan(a) || a == b) continue;
        most = std::max(most, std::fabs(a - b));
        scale = std::max(scale, std::fabs(b));
    }
    return most / scale;
}

memory::MemoryPlan planOf(const kernel::KernelProgram& program) {
    memory::MemoryPlan plan;
    auto place = [&](kernel::BufferId id, memory::Placement::Kind kind, int index) {
        memory::Placement placement;
        placement.buffer = id;
        placement.kind = kind;
        placement.index = index;
        placement.bytes = program.loops.buffer(id).bytes();
        plan.placements.push_back(placement);
    };
    int index = 0;
    for (kernel::BufferId id : program.loops.inputs)
        place(id, memory::Placement::Kind::Input, index++);
    for (const kernel::StridedView& view : program.loops.outputs)
        place(view.buffer, memory::Placement::Kind::Output, plan.outputAllocations++);
    return plan;
}

/// Values into a buffer's own layout.
TensorPtr upload(const ir::HostTensor& host, const kernel::Buffer& buffer) {
    auto dense = fromHost(host, kCuda);
    auto type = ir::TensorType{buffer.dtype, buffer.sizes, buffer.strides, kCuda, false};
    auto tensor = emptyTensor(type);
    if (!dense.ok() || !tensor.ok() || !copyInto(**tensor, **dense).ok()) return nullptr;
    return *tensor;
}

base::Result<std::shared_ptr<Executable>> compiled(const tests::KernelCase& c) {
    CUTAWAY_TRY(CudaDeviceInfo info, cudaDevice(0));
    CUTAWAY_TRY(auto compiler, jit::CudaCompiler::create());
    CompiledKernel kernel;
    kernel.source = cutaway::testing::cudaText(*c.program, c.kernel(), info.multiprocessors);
    CUTAWAY_TRY(jit::CudaBinary binary,
                compiler->compile(kernel.source.entry, kernel.source.text, info.architecture, ""));
    kernel.cubin = binary.cubin;
    return makeCudaExecutable(c.program, planOf(*c.program), {kernel});
}

/// By the provider that the table chooses; every pointer begins at a multiple of 256 bytes.
base::Result<LibraryKernelPtr> onDevice(CudaDevice& device, const LibrarySpec& spec,
                                        size_t pointers) {
    ProviderContext context;
    context.cuda = &device;
    context.offsets.assign(pointers, 0);
    return makeLibraryKernel(ir::Device::Kind::Cuda, spec, context);
}

MatmulSpec product(int64_t m, int64_t n, int64_t k, ir::DType dtype = ir::DType::Float32) {
    MatmulSpec spec;
    spec.dtype = dtype;
    spec.m = m;
    spec.n = n;
    spec.k = k;
    spec.a = {{}, k, 1};
    spec.b = {{}, n, 1};
    spec.result = {{}, n, 1};
    return spec;
}

MatmulSpec batched(std::vector<int64_t> batch, int64_t m, int64_t n, int64_t k) {
    MatmulSpec spec = product(m, n, k);
    spec.batch = batch;
    auto strides = [&](int64_t matrix) {
        std::vector<int64_t> all(batch.size());
        for (size_t d = batch.size(); d-- > 0; matrix *= batch[d])
            all[d] = matrix;
        return all;
    };
    spec.a.batchStrides = strides(m * k);
    spec.b.batchStrides = strides(k * n);
    spec.result.batchStrides = strides(m * n);
    return spec;
}

MatrixView along(const MatmulSpec& spec, int64_t row, int64_t column) {
    return {std::vector<int64_t>(spec.batch.size(), 0), row, column};
}

std::vector<std::pair<const char*, MatmulSpec>> products() {
    using Kind = kernel::Epilogue::Kind;
    std::vector<std::pair<const char*, MatmulSpec>> all;
    all.emplace_back("plain", product(33, 65, 17));
    all.emplace_back("double", product(33, 65, 17, ir::DType::Float64));
    all.emplace_back("int64", product(5, 6, 7, ir::DType::Int64));
    all.emplace_back("no inner size", product(5, 6, 0));
    all.emplace_back("vector", product(1, 64, 128));
    MatmulSpec spec = product(64, 48, 32);
    spec.a = {{}, 1, 64};
    all.emplace_back("a transposed", spec);
    spec = product(64, 48, 32);
    spec.b = {{}, 1, 32};
    all.emplace_back("b transposed", spec);
    spec = product(64, 48, 32);
    spec.result = {{}, 1, 64};
    all.emplace_back("result transposed", spec);
    spec = product(64, 48, 32);
    spec.a = {{}, 96, 3};
    all.emplace_back("a with gaps", spec);
    for (const char* kind : {"bias", "bias of rows", "whole bias"}) {
        spec = product(64, 48, 32);
        spec.bias = kind[4] == 0     ? along(spec, 0, 1)
                    : kind[0] == 'b' ? along(spec, 1, 0)
                                     : along(spec, 48, 1);
        all.emplace_back(kind, spec);
        spec.epilogues.push_back({Kind::Relu, 0, {}});
        all.emplace_back("bias and relu", spec);
    }
    spec = product(64, 64, 64);
    spec.epilogues = {{Kind::AddScalar, 1, {}}, {Kind::Relu, 0, {}}};
    all.emplace_back("scalar and relu", spec);
    spec.epilogues = {{Kind::MulScalar, 0.125, {}}, {Kind::AddTensor, 0, along(spec, 0, 1)}};
    all.emplace_back("scaled and a vector", spec);
    spec.epilogues = {{Kind::AddTensor, 0, along(spec, 64, 1)},
                      {Kind::MulScalar, 0.5, {}},
                      {Kind::AddTensor, 0, along(spec, 0, 1)},
                      {Kind::Relu, 0, {}}};
    all.emplace_back("a chain", spec);
    all.emplace_back("batched", batched({3, 4}, 16, 24, 8));
    spec = batched({3, 4}, 16, 24, 8);
    spec.b.batchStrides = {0, 0};
    all.emplace_back("one b for all", spec);
    spec = batched({5}, 16, 24, 8);
    spec.b.batchStrides = {0};
    spec.bias = along(spec, 0, 1);
    all.emplace_back("a linear layer", spec);
    spec = batched({3, 4}, 16, 24, 8);
    spec.a = {{16 * 8, 3 * 16 * 8}, 8, 1}; // batches in the other order
    all.emplace_back("batches permuted", spec);
    spec = batched({2, 3}, 8, 8, 4);
    spec.a = {{96, 4}, 12, 1}; // heads side by side in a row
    all.emplace_back("heads", spec);
    return all;
}

int64_t span(const MatmulSpec& spec, const MatrixView& o, int64_t rows, int64_t columns) {
    if (rows == 0 || columns == 0) return 1;
    int64_t last = (rows - 1) * o.rowStride + (columns - 1) * o.columnStride;
    for (size_t d = 0; d < spec.batch.size(); ++d)
        last += (spec.batch[d] - 1) * o.batchStrides[d];
    return last + 1;
}

/// The operands and room for the result on the GPU. \returns whether all could be put there.
bool upload(const tests::ConvolutionCase& c, ir::DType dtype, std::vector<TensorPtr>& tensors,
            std::vector<void*>& pointers) {
    std::vector<std::vector<double>> all = c.operands;
    all.emplace_back(c.expected.size(), 12345);
    for (const std::vector<double>& values : all) {
        auto host = ir::HostTensor::zeros(dtype, {static_cast<int64_t>(values.size())});
        for (size_t i = 0; i < values.size(); ++i)
            host.set(static_cast<int64_t>(i), values[i]);
        auto tensor = fromHost(host, kCuda);
        if (!tensor) return false;
        tensors.push_back(*tensor);
        pointers.push_back((*tensor)->data());
    }
    return true;
}

} // namespace

class TestCudaDevice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_missing_device_is_one_message_with_a_hint() {
        auto device = cudaDevice(4711);
        QVERIFY(!device.ok());
        QCOMPARE(device.error().fault, base::Fault::Environment);
        QVERIFY(device.error().message.starts_with("no CUDA device"));
        QVERIFY(!device.error().hint.empty());
    }

    void generated_kernels_compute_what_the_interpreter_computes() {
        NEEDS_DEVICE();
        int number = 0;
        for (tests::KernelCase& c : tests::cudaCases()) {
            auto executable = compiled(c);
            QVERIFY2(executable.ok(), executable.ok() ? "" : executable.error().str().c_str());
            std::vector<ir::HostTensor> hosts;
            std::vector<TensorPtr> inputs;
            for (kernel::BufferId id : c.program->loops.inputs) {
                const kernel::Buffer& buffer = c.program->loops.buffer(id);
                hosts.push_back(randomTensor(buffer.dtype, ir::constants(buffer.sizes), c.low,
                                             c.high, 7 + hosts.size()));
                inputs.push_back(upload(hosts.back(), buffer));
                QVERIFY(inputs.back());
            }
            auto expected = kernel::interpret(*c.program, hosts);
            QVERIFY2(expected.ok(), expected.ok() ? "" : expected.error().str().c_str());
            for (int repeat = 0; repeat < 2; ++repeat) { // the second finds the tickets used
                auto found = (*executable)->run(inputs);
                QVERIFY2(found.ok(), found.ok() ? "" : found.error().str().c_str());
                QVERIFY(synchronize(kCuda).ok());
                for (size_t o = 0; o < found->size(); ++o) {
                    auto host = toHost(*(*found)[o]);
                    QVERIFY(host.ok());
                    const double error = difference(*host, (*expected)[o]);
                    const QString what = QString("case %1, %2, output %3: off by %4")
                                             .arg(number)
                                             .arg(c.kernel().name.c_str())
                                             .arg(c.program->loops.outputNames[o].c_str())
                                             .arg(error);
                    QVERIFY2(error <= 3e-6, qPrintable(what));
                }
            }
            ++number;
        }
    }

    void matrix_products_agree_with_plain_loops() {
        NEEDS_DEVICE();
        auto device = CudaDevice::open(0);
        for (const auto& [name, spec] : products()) {
            std::vector<int64_t> counts{span(spec, spec.a, spec.m, spec.k),
                                        span(spec, spec.b, spec.k, spec.n)};
            if (spec.bias) counts.push_back(span(spec, *spec.bias, spec.m, spec.n));
            for (const EpilogueSpec& e : spec.epilogues)
                if (e.kind == kernel::Epilogue::Kind::AddTensor)
                    counts.push_back(span(spec, e.tensor, spec.m, spec.n));
            counts.push_back(span(spec, spec.result, spec.m, spec.n));
            std::vector<ir::HostTensor> hosts;
            std::vector<TensorPtr> tensors;
            std::vector<void*> hostPointers, pointers;
            for (int64_t count : counts) {
                hosts.push_back(randomTensor(spec.dtype, {count}, -3, 3, 11 + hosts.size()));
                auto tensor = fromHost(hosts.back(), kCuda);
                QVERIFY(tensor.ok());
                tensors.push_back(*tensor);
            }
            for (size_t i = 0; i < hosts.size(); ++i) {
                hostPointers.push_back(hosts[i].bytes.data());
                pointers.push_back(tensors[i]->data());
            }
            auto matmul = onDevice(**device, spec, counts.size());
            QVERIFY2(matmul.ok(), matmul.ok() ? "" : matmul.error().str().c_str());
            auto status = runOnDevice(**device, **matmul, pointers.data());
            QVERIFY2(status.ok(), status.ok() ? "" : status.error().str().c_str());
            QVERIFY(testing::runCall(*makeLoopMatmul(spec), hostPointers.data(), 1).ok());
            auto found = toHost(*tensors.back());
            QVERIFY(found.ok());
            const double error = difference(*found, hosts.back());
            QVERIFY2(error < 3e-6, qPrintable(QString("%1 by %2: off by %3")
                                                  .arg(name)
                                                  .arg((*matmul)->implementation().c_str())
                                                  .arg(error)));
        }
    }

    void relu_behind_a_product_keeps_nan() {
        NEEDS_DEVICE();
        MatmulSpec spec = product(64, 48, 32);
        spec.bias = along(spec, 0, 1);
        spec.epilogues.push_back({kernel::Epilogue::Kind::Relu, 0, {}});
        auto a = randomTensor(ir::DType::Float32, {64 * 32}, -1, 1, 1);
        a.set(5, std::nan(""));
        std::vector<TensorPtr> tensors;
        std::vector<void*> pointers;
        for (const ir::HostTensor& host : {a, randomTensor(ir::DType::Float32, {32 * 48}, -1, 1, 2),
                                           randomTensor(ir::DType::Float32, {48}, -1, 1, 3),
                                           randomTensor(ir::DType::Float32, {64 * 48}, -1, 1, 4)}) {
            auto tensor = fromHost(host, kCuda);
            QVERIFY(tensor.ok());
            tensors.push_back(*tensor);
            pointers.push_back((*tensor)->data());
        }
        auto device = CudaDevice::open(0);
        auto matmul = onDevice(**device, spec, 4);
        QVERIFY(matmul.ok() && runOnDevice(**device, **matmul, pointers.data()).ok());
        ir::HostTensor found = *toHost(*tensors.back());
        for (int64_t i = 0; i < 64 * 48; ++i)
            QCOMPARE(std::isnan(found.get(i)), i < 48);
    }

    void convolutions_agree_with_plain_loops() {
        NEEDS_DEVICE();
        auto device = CudaDevice::open(0);
        QVERIFY(device.ok());
        int library = 0;
        for (uint32_t seed = 1; seed <= 180; ++seed) {
            const ir::DType dtype = seed > 120  ? ir::DType::Float16
                                    : seed > 60 ? ir::DType::BFloat16
                                    : seed % 5  ? ir::DType::Float32
                                                : ir::DType::Float64;
            tests::ConvolutionCase c = tests::convolutionCase(seed, dtype);
            if (seed % 2 && c.spec.op != tests::LibraryOp::ConvolutionWeight)
                tests::addEpilogues(c);
            std::vector<TensorPtr> tensors;
            std::vector<void*> pointers;
            QVERIFY(upload(c, dtype, tensors, pointers));
            for (int way = 0; way < 4; ++way) {
                const bool own = way % 2, tf32 = way >= 2;
                if (!own && !whyNoCudnn().empty()) continue;
                if (ir::isHalf(dtype) && tf32) continue;
                setPrecision({false, tf32});
                auto kernel = own ? makeGeneratedConvolution(**device, c.spec, true)
                                  : makeCudnnConvolution(**device, c.spec, true, seed / 2 % 2 == 0);
                QVERIFY2(kernel.ok(), kernel.ok() ? "" : kernel.error().str().c_str());
                if (!*kernel) continue;
                auto status = runOnDevice(**device, **kernel, pointers.data());
                QVERIFY2(status.ok(),
                         status.ok() ? "" : (c.text + ": " + status.error().str()).c_str());
                library += (*kernel)->implementation().starts_with("cuDNN");
                auto found = toHost(*tensors.back());
                QVERIFY(found.ok());
                // 11 bits of each factor, which are below 2, and sums of up to 1280 products.
                // Operands are of few bits; a result of 16 bits is rounded once, or by cuDNN before
                // what follows it.
                const double limit = tf32                           ? 0.1
                                     : dtype == ir::DType::BFloat16 ? 2e-2
                                     : dtype == ir::DType::Float16  ? 3e-3
                                                                    : 1e-4;
                for (size_t i = 0; i < c.expected.size(); ++i)
                    QVERIFY2(
                        std::fabs(found->get(static_cast<int64_t>(i)) - c.expected[i]) <
                            limit * (1 + std::fabs(c.expected[i])),
                        qPrintable(QString("%1 by %2, element %3")
                                       .arg(c.text.c_str(), (*kernel)->implementation().c_str())
                                       .arg(i)));
            }
        }
        setPrecision({});
        qInfo("cuDNN took %d of 240%s%s", library, whyNoCudnn().empty() ? "" : ": ",
              whyNoCudnn().c_str());
    }

    void convolutions_of_one_tap_are_products() {
        NEEDS_DEVICE();
        auto device = CudaDevice::open(0);
        QVERIFY(device.ok());
        int taken = 0;
        for (uint32_t seed = 1; seed <= 60; ++seed) {
            tests::ConvolutionCase c =
                tests::convolutionCase(seed, ir::DType::Float32, /*pointwise=*/true);
            if (seed % 2 && c.spec.op != tests::LibraryOp::ConvolutionWeight)
                tests::addEpilogues(c);
            std::vector<TensorPtr> tensors;
            std::vector<void*> pointers;
            QVERIFY(upload(c, ir::DType::Float32, tensors, pointers));
            setPrecision({false, false});
            ProviderContext context;
            context.cuda = *device;
            context.offsets.assign(pointers.size(), 0);
            context.wanted = "cuBLASLt";
            auto kernel = makeLibraryKernel(ir::Device::Kind::Cuda, c.spec, context);
            QVERIFY2(kernel.ok(), kernel.ok() ? "" : kernel.error().str().c_str());
            auto status = runOnDevice(**device, **kernel, pointers.data());
            QVERIFY2(status.ok(),
                     status.ok() ? "" : (c.text + ": " + status.error().str()).c_str());
            taken += (*kernel)->implementation().starts_with("cuBLASLt");
            auto found = toHost(*tensors.back());
            QVERIFY(found.ok());
            for (size_t i = 0; i < c.expected.size(); ++i)
                QVERIFY2(std::fabs(found->get(static_cast<int64_t>(i)) - c.expected[i]) <
                             1e-4 * (1 + std::fabs(c.expected[i])),
                         qPrintable(QString("%1 by %2, element %3")
                                        .arg(c.text.c_str(), (*kernel)->implementation().c_str())
                                        .arg(i)));
        }
        setPrecision({});
        QVERIFY2(taken > 20, qPrintable(QString("cuBLASLt took %1 of 60").arg(taken)));
    }

    void rows_are_sorted_and_scanned() {
        NEEDS_DEVICE();
        auto device = CudaDevice::open(0);
        QVERIFY(device.ok());
        // Sizes are constants of the text: every case is a compilation of its own, a third of a
        // second each. Eight of each dtype, no two of one seed: six of short rows, two of long ones.
        uint32_t first = 1;
        for (tests::LibraryOp op : {tests::LibraryOp::Sort, tests::LibraryOp::Scan})
            for (ir::DType dtype : {ir::DType::Float32, ir::DType::Float64, ir::DType::Int32,
                                    ir::DType::Int64, ir::DType::UInt8, ir::DType::Bool}) {
                for (uint32_t seed = first; seed < first + 8; ++seed) {
                    const int64_t longest = seed % 4 ? 300 : seed % 8 ? 5000 : 40000;
                    tests::RowCase c = tests::rowCase(seed, dtype, op, longest);
                    auto from = (*device)->allocate(c.operand.size());
                    auto to = (*device)->allocate(c.result.size());
                    QVERIFY(from.ok() && to.ok());
                    QVERIFY((*device)
                                ->copyFromHost((*from)->data(), c.operand.data(), c.operand.size())
                                .ok());
                    auto kernel = makeGeneratedRows(**device, c.spec);
                    QVERIFY2(kernel.ok(), kernel.ok() ? "" : kernel.error().str().c_str());
                    void* pointers[] = {(*from)->data(), (*to)->data()};
                    for (int round = 0; round < 2; ++round) {
                        auto status = runOnDevice(**device, **kernel, pointers);
                        QVERIFY2(status.ok(), status.ok() ? "" : status.error().str().c_str());
                        QVERIFY((*device)
                                    ->copyToHost(c.result.data(), (*to)->data(), c.result.size())
                                    .ok());
                        const std::string wrong = tests::complaintOf(c);
                        QVERIFY2(wrong.empty(), wrong.c_str());
                    }
                }
                first += 8;
            }
    }

    void strided_copies_convert_and_keep_values() {
        NEEDS_DEVICE();
        ir::HostTensor host = randomTensor(ir::DType::Float32, {6, 10}, -50, 50, 3);
        auto dense = fromHost(host, kCuda);
        QVERIFY(dense.ok());
        auto turned = viewOf(*dense, {10, 5}, {1, 10}, 10); // rows 1.. transposed, 8-byte offset
        ir::HostTensor back = *toHost(*turned);
        for (int64_t i = 0; i < 10; ++i)
            for (int64_t j = 0; j < 5; ++j)
                QCOMPARE(back.get(i * 5 + j), host.get((j + 1) * 10 + i));
        auto whole = emptyTensor(ir::TensorType::contiguous(ir::DType::Int64, {10, 5}, kCuda));
        QVERIFY(whole.ok());
        QVERIFY(copyInto(**whole, *turned).ok());
        back = *toHost(**whole);
        QCOMPARE(back.getInt(3), int64_t(host.get(40)));
    }

    void an_input_at_an_odd_address_gives_the_same_values() {
        NEEDS_DEVICE();
        tests::KernelCase c = std::move(tests::cudaCases()[2]);
        auto executable = compiled(c);
        QVERIFY(executable.ok());
        ir::HostTensor host = randomTensor(ir::DType::Float32, {257}, -3, 3, 5);
        auto base = fromHost(host, kCuda);
        QVERIFY(base.ok());
        auto found = (*executable)->run(std::vector<TensorPtr>{viewOf(*base, {256}, {1}, 1)});
        QVERIFY(found.ok());
        ir::HostTensor values = *toHost(*found->front());
        for (int64_t i = 0; i < 256; ++i)
            QVERIFY(std::fabs(values.get(i) - std::cos(std::cos(host.get(i + 1)))) < 1e-6);
    }

    void memory_is_counted_and_reused() {
        NEEDS_DEVICE();
        resetPeak(kCuda);
        const int64_t before = memoryStatistics(kCuda).currentBytes;
        void* first = nullptr;
        {
            auto block = allocate(kCuda, 3 << 20);
            QVERIFY(block.ok());
            first = (*block)->data();
            QVERIFY(memoryStatistics(kCuda).currentBytes >= before + (3 << 20));
        }
        QCOMPARE(memoryStatistics(kCuda).currentBytes, before);
        QVERIFY(memoryStatistics(kCuda).peakBytes >= before + (3 << 20));
        auto again = allocate(kCuda, 3 << 20);
        QVERIFY(again.ok());
        QCOMPARE((*again)->data(), first);
    }

    void too_large_a_tensor_is_told_with_its_bytes() {
        NEEDS_DEVICE();
        auto block = allocate(kCuda, size_t(1) << 45);
        QVERIFY(!block.ok());
        QVERIFY(block.error().message.find("35184372088832 bytes") != std::string::npos);
        QVERIFY(block.error().message.find("are free") != std::string::npos);
    }

    void kernels_can_be_timed_one_by_one() {
        NEEDS_DEVICE();
        tests::KernelCase c = std::move(tests::cudaCases()[3]);
        auto executable = compiled(c);
        QVERIFY(executable.ok());
        auto x = fromHost(randomTensor(ir::DType::Float32, {1 << 20}, -3, 3, 5), kCuda);
        std::vector<KernelTime> times;
        auto found = (*executable)->profile(std::vector<TensorPtr>{*x}, times);
        QVERIFY(found.ok());
        QCOMPARE(times.size(), size_t(1));
        QVERIFY(times[0].us > 0 && times[0].us < 1e5);
    }
};

QTEST_APPLESS_MAIN(TestCudaDevice)
#include "test_cuda_device.moc"
