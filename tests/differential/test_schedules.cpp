// SPDX-License-Identifier: Apache-2.0
// Every way to run a kernel that a schedule considers computes what the slow interpreter computes:
// on the processor, and on a GPU where there is one; elsewhere its CUDA text compiles.
#include "case_run.h"

#include "core/jit/cuda_compiler.h"
#include "core/runtime/cuda.h"
#include "tests/support/cuda_text.h"
#include "tests/support/schedules.h"

#include <QtTest>
#include <set>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

void moveTo(kernel::KernelProgram& program, ir::Device device) {
    for (kernel::Buffer& buffer : program.loops.buffers)
        buffer.device = device;
    for (kernel::Kernel& kernel : program.kernels)
        kernel.device = device;
}

/// Schedules that take candidate \p number where it can be taken; empty when it never can.
std::vector<schedule::Schedule> forced(const kernel::KernelProgram& program,
                                       const schedule::DeviceModel& model, int number) {
    std::vector<schedule::Schedule> all = schedule::makeSchedules(program, model);
    bool any = false;
    for (size_t i = 0; i < all.size(); ++i)
        any |= schedule::force(all[i], program, program.kernels[i], model, std::to_string(number))
                   .ok();
    return any ? all : std::vector<schedule::Schedule>();
}

base::Result<std::shared_ptr<runtime::Executable>>
loaded(const std::shared_ptr<kernel::KernelProgram>& program,
       std::vector<runtime::CompiledKernel> kernels) {
    return runtime::targetRow(program->kernels.front().device.kind)
        .create()
        ->load(program, memory::planMemory(*program), std::move(kernels));
}

constexpr int kMostCandidates = 24;

/// A processor with hardly any cache: streams are among the candidates of small kernels, too.
schedule::DeviceModel smallCpu() {
    schedule::DeviceModel model = schedule::cpuModel(2, jit::hostCpu().vectorBytes);
    model.nearBytes = 256;
    model.cacheBytes = 512;
    return model;
}

} // namespace

class TestSchedules : public QObject {
    Q_OBJECT

private slots:
    void every_candidate_computes_on_the_processor() {
        auto compiler = jit::CpuCompiler::create();
        int run = 0;
        for (const CudaProgram& c : cudaPrograms(0)) {
            moveTo(*c.program, {});
            for (int number = 1; number <= kMostCandidates; ++number) {
                const auto schedules = forced(*c.program, smallCpu(), number);
                if (schedules.empty()) continue;
                std::vector<runtime::CompiledKernel> kernels(schedules.size());
                for (size_t i = 0; i < kernels.size(); ++i) {
                    if (schedules[i].taken < 0) continue;
                    kernels[i].source = sourceBy(*c.program, c.program->kernels[i], schedules[i],
                                                 ir::Device::Kind::Cpu);
                    kernels[i].module = take(
                        compiler->compile(c.program->kernels[i].name, kernels[i].source.text, {}));
                    ++run;
                }
                auto executable = take(loaded(c.program, std::move(kernels)));
                const QString problem = differenceToInterpreter(c, *executable, {});
                QVERIFY2(problem.isEmpty(),
                         qPrintable(problem + QString(", candidate %1").arg(number)));
            }
        }
        QVERIFY(run > 50);
    }

    void cuda_text_of_every_candidate_compiles_data() { cudaCompilerRows(); }
    void cuda_text_of_every_candidate_compiles() {
        const CudaText compiler;
        if (!compiler.missing().isEmpty()) QSKIP(qPrintable(compiler.missing()));
        std::set<std::string> templates;
        for (int scale : {0, 1})
            for (const CudaProgram& c : cudaPrograms(scale))
                for (const kernel::Kernel& kernel : c.program->kernels)
                    for (const schedule::Candidate& candidate :
                         schedule::makeSchedule(*c.program, kernel, schedule::cudaModel())
                             .considered) {
                        if (!candidate.refused.empty()) continue;
                        const auto source = codegen::emitCuda(*c.program, kernel, candidate);
                        // One of each template goes through the compiler, the others through ours.
                        const auto found = codegen::verifyScopes(source);
                        QVERIFY2(!found, (c.name + ": " + candidate.str()).c_str());
                        if (!templates.insert(candidate.by).second && scale == 1) continue;
                        const QString problem = compiler.problem(source);
                        QVERIFY2(problem.isEmpty(),
                                 qPrintable(c.name.c_str() + problem + candidate.str().c_str()));
                    }
        QVERIFY(templates.size() >= 5);
    }

    void every_candidate_computes_on_a_gpu() {
        auto device = runtime::cudaDevice(0);
        if (!device.ok()) QSKIP(device.error().message.c_str());
        const ir::Device cuda{ir::Device::Kind::Cuda, 0};
        auto compiler = take(jit::CudaCompiler::create());
        const auto model = schedule::cudaModel(device->multiprocessors, device->l2Bytes);
        for (const CudaProgram& c : cudaPrograms(0))
            for (int number = 1; number <= kMostCandidates; ++number) {
                const auto schedules = forced(*c.program, model, number);
                if (schedules.empty()) continue;
                std::vector<runtime::CompiledKernel> kernels(schedules.size());
                for (size_t i = 0; i < kernels.size(); ++i) {
                    if (schedules[i].taken < 0) continue;
                    kernels[i].source = sourceBy(*c.program, c.program->kernels[i], schedules[i],
                                                 ir::Device::Kind::Cuda);
                    kernels[i].cubin =
                        take(compiler->compile(kernels[i].source.entry, kernels[i].source.text,
                                               device->architecture, ""))
                            .cubin;
                }
                auto executable = take(loaded(c.program, std::move(kernels)));
                const QString problem = differenceToInterpreter(c, *executable, cuda);
                QVERIFY2(problem.isEmpty(),
                         qPrintable(problem + QString(", candidate %1").arg(number)));
            }
    }
};

QTEST_APPLESS_MAIN(TestSchedules)
#include "test_schedules.moc"
