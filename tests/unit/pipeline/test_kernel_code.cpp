// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/kernel_code.h"
#include "tests/unit/codegen/kernel_fixture.h"

#include <QtTest>
#undef emit // Qt's word for nothing

using namespace cutaway;
using namespace cutaway::test;

namespace {

/// Counts the texts it is asked to compile.
class CountingTarget : public runtime::Target {
public:
    size_t compiled = 0;

    std::string_view language() const override { return "cpp"; }
    base::Result<runtime::TargetDevice> device(int, const runtime::DeviceLimits& limits) override {
        return exampleDevice(limits);
    }
    runtime::TargetDevice exampleDevice(const runtime::DeviceLimits& limits) const override {
        return {{}, schedule::cpuModel(limits.threads, 64)};
    }
    bool takesSizes() const override { return true; }
    codegen::KernelSource emit(const KernelProgram& program, const Kernel& kernel,
                               const schedule::Candidate& how) const override {
        return codegen::emitCpp(program, kernel, how);
    }
    std::string launchText(const codegen::KernelSource&) const override { return {}; }
    std::vector<base::Result<runtime::CompiledKernel>>
    compile(std::span<const codegen::KernelSource> sources, const runtime::TargetDevice&,
            const runtime::BinaryOptions&) override {
        compiled += sources.size();
        std::vector<base::Result<runtime::CompiledKernel>> made;
        for (const codegen::KernelSource& source : sources)
            made.emplace_back(runtime::CompiledKernel{source, nullptr, "code of " + source.text});
        return made;
    }
    base::Result<std::shared_ptr<runtime::Executable>>
    load(std::shared_ptr<const KernelProgram>, memory::MemoryPlan,
         std::vector<runtime::CompiledKernel>) override {
        return base::bugError("not loaded here");
    }
    std::span<const std::string_view> listings() const override { return {}; }
    base::Result<runtime::CompilerListing> list(const runtime::ListingRequest&) override {
        return base::bugError("not listed here");
    }
    std::optional<base::Diagnostic> cacheProblem() override { return std::nullopt; }
};

} // namespace

class TestKernelCode : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void kernels_that_differ_in_names_only_are_compiled_once() {
        KernelFixture f({}, 64);
        BufferId x = f.input("x", DType::Float32, {64});
        BufferId y = f.output("y", DType::Float32, {64});
        Phase& p = f.phase();
        f.store(p, y, {i()}, f.let(p, "neg", f.pool().op(ScalarOp::Neg, {f.load(x, {at(i())})})));
        Kernel named = f.finished(), narrow = named;
        named.name = "fused_other";
        named.tree->locals.front().name = "other";
        narrow.name = "fused_narrow";
        f.program.kernels.push_back(named);
        f.program.kernels.push_back(narrow);

        CountingTarget target;
        const runtime::TargetDevice device = target.exampleDevice({});
        auto schedules = schedule::makeSchedules(f.program, device.model);
        QVERIFY(schedule::force(schedules[2], f.program, narrow, device.model,
                                "elements: vector 4, threads 1")
                    .ok());
        const pipeline::KernelCode code = pipeline::emitKernels(f.program, schedules, target);
        QCOMPARE(code.sameAs, std::vector<size_t>({0, 0, 2}));
        QCOMPARE(code.shown[1].entry, std::string("fused_other"));
        const auto kernels = pipeline::compileKernels(code, target, device, {}, "forward", {});
        QVERIFY(kernels.ok());
        QCOMPARE(target.compiled, size_t(2));
        QCOMPARE((*kernels)[1].cubin, (*kernels)[0].cubin);
        QVERIFY((*kernels)[2].cubin != (*kernels)[0].cubin);
        QVERIFY((*kernels)[2].cubin.ends_with(code.compiled[2].text));
    }
};

QTEST_APPLESS_MAIN(TestKernelCode)
#include "test_kernel_code.moc"
