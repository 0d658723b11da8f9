// SPDX-License-Identifier: Apache-2.0
// Every way to run a kernel that a schedule considers computes what the slow interpreter computes:
// on the processor, and on a GPU where there is one; elsewhere its CUDA text compiles.
#include "gpu_run.h"

#include "core/kernel/printer.h"
#include "core/kernel/verify.h"
#include "core/schedule/cuda_tree.h"
#include "tests/support/cuda_text.h"

#include <QtTest>
#include <set>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

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

bool same(const ir::HostTensor& a, const ir::HostTensor& b) {
    if (a.bytes.empty() || b.bytes.empty()) return a.bytes.empty() && b.bytes.empty(); // None
    for (int64_t i = 0; i < a.numel(); ++i)
        if (!(std::fabs(a.get(i) - b.get(i)) <= 2e-5 * (1 + std::fabs(a.get(i))))) return false;
    return true;
}

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

private Q_SLOTS:
    void every_candidate_computes_on_the_processor() {
        auto compiler = jit::CpuCompiler::create();
        int run = 0, inParts = 0;
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
                    inParts += schedules[i].chosen().by == "parts";
                }
                auto executable = take(loaded(c.program, std::move(kernels)));
                const QString problem = differenceToInterpreter(c, *executable, {});
                QVERIFY2(problem.isEmpty(),
                         qPrintable(problem + QString(", candidate %1").arg(number)));
            }
        }
        QVERIFY(run > 50);
        QVERIFY(inParts >= 6); // sums both ways, extremes, products
    }

    void trees_of_every_cuda_candidate_compute() {
        int run = 0;
        std::vector<CudaProgram> programs = cudaPrograms(0);
        for (CudaProgram& c : cudaProgramsOfSymbols())
            programs.push_back(std::move(c));
        for (const CudaProgram& c : programs) {
            std::mt19937 random(5);
            std::vector<ir::HostTensor> inputs;
            for (kernel::BufferId id : c.program->loops.inputs) {
                const kernel::Buffer& buffer = c.program->loops.buffer(id);
                std::vector<int64_t> sizes;
                for (const ir::Sym& size : buffer.sizes)
                    sizes.push_back(c.program->loops.hint(size));
                inputs.push_back(near1(buffer.dtype, std::move(sizes), random));
            }
            const auto expected = take(kernel::interpret(*c.program, inputs));
            for (size_t k = 0; k < c.program->kernels.size(); ++k) {
                const kernel::Kernel& kernel = c.program->kernels[k];
                for (const schedule::Candidate& candidate :
                     schedule::makeSchedule(*c.program, kernel, schedule::cudaModel()).considered) {
                    if (!candidate.refused.empty()) continue;
                    kernel::KernelProgram scheduled = *c.program;
                    scheduled.kernels[k].tree =
                        schedule::cudaLoops(*c.program, kernel, candidate).tree;
                    const auto wrong = kernel::verify(scheduled);
                    QVERIFY2(!wrong, (c.name + ", " + candidate.str() + ": " + wrong.value_or("") +
                                      "\n" + kernel::print(scheduled))
                                         .c_str());
                    const auto found = take(kernel::interpret(scheduled, inputs));
                    for (size_t o = 0; o < found.size(); ++o)
                        QVERIFY2(found[o].sizes == expected[o].sizes && same(found[o], expected[o]),
                                 (c.name + ", " + candidate.str()).c_str());
                    ++run;
                }
            }
        }
        QVERIFY(run > 100);
    }

    void columns_are_loops_of_a_kernel_on_a_gpu() {
        int fit = 0, taken = 0;
        for (int scale : {0, 1})
            for (const CudaProgram& c : cudaPrograms(scale)) {
                if (c.name.find("down columns") == std::string::npos) continue;
                for (const kernel::Kernel& kernel : c.program->kernels) {
                    QVERIFY2(kernel.tree, (c.name + ": " + kernel.name).c_str());
                    const auto schedule =
                        schedule::makeSchedule(*c.program, kernel, schedule::cudaModel());
                    taken += schedule.chosen().by == "rows-beside";
                    for (const schedule::Candidate& candidate : schedule.considered)
                        fit += candidate.by == "rows-beside" && candidate.refused.empty();
                }
            }
        QVERIFY(fit >= 12);
        // Many columns keep a GPU busy with a thread each.
        Captured c;
        c.output(c.call("cumsum", {c.input("x", {16, 1024, 2048}, false), Arg(ir::Sym(1))}));
        const auto many = fusedForCuda(inferenceOf(c));
        for (const kernel::Kernel& kernel : many->kernels)
            taken += schedule::makeSchedule(*many, kernel, schedule::cudaModel()).chosen().by ==
                     "rows-beside";
        QVERIFY(taken >= 1);
    }

    void same_bits_in_every_run_when_they_are_wanted() {
        schedule::DeviceModel model = schedule::cudaModel();
        int inAnyOrder = 0, inOrder = 0;
        for (bool wanted : {false, true})
            for (const CudaProgram& c : cudaPrograms(0))
                for (const kernel::Kernel& kernel : c.program->kernels) {
                    model.deterministic = wanted;
                    const auto schedule = schedule::makeSchedule(*c.program, kernel, model);
                    if (schedule.taken < 0) continue;
                    const auto tree =
                        schedule::cudaLoops(*c.program, kernel, schedule.chosen()).tree;
                    for (const kernel::Step& step : tree.steps) {
                        if (step.store != kernel::StoreKind::Accumulate) continue;
                        const bool atomic = step.conflict == kernel::Conflict::Atomic;
                        QVERIFY2(!wanted || !atomic, c.name.c_str());
                        (atomic ? inAnyOrder : inOrder) += 1;
                    }
                }
        QCOMPARE(inAnyOrder, 2);
        QVERIFY(inOrder >= 2);
    }

    void cuda_text_of_every_candidate_compiles_data() { cudaCompilerRows(); }
    void cuda_text_of_every_candidate_compiles() {
        const CudaText compiler;
        if (!compiler.missing().isEmpty()) QSKIP(qPrintable(compiler.missing()));
        std::set<std::string> templates, symbolic;
        for (int scale : {0, 1, 2})
            for (const CudaProgram& c : scale == 2 ? cudaProgramsOfSymbols() : cudaPrograms(scale))
                for (const kernel::Kernel& kernel : c.program->kernels)
                    for (const schedule::Candidate& candidate :
                         schedule::makeSchedule(*c.program, kernel, schedule::cudaModel())
                             .considered) {
                        if (!candidate.refused.empty()) continue;
                        const auto source = codegen::emitCuda(*c.program, kernel, candidate);
                        // One of each template goes through the compiler, the others through ours.
                        const auto found = codegen::verifyScopes(source);
                        QVERIFY2(!found, (c.name + ": " + candidate.str()).c_str());
                        if (scale == 2) symbolic.insert(candidate.by);
                        if (!templates.insert(candidate.by).second && scale == 1) continue;
                        const QString problem = compiler.problem(source);
                        QVERIFY2(problem.isEmpty(),
                                 qPrintable(c.name.c_str() + problem + candidate.str().c_str()));
                    }
        QVERIFY(templates.size() >= 5);
        QVERIFY(symbolic.size() >= 5);
    }

    void every_candidate_computes_on_a_gpu() {
        const auto gpu = Gpu::open();
        if (!gpu.ok()) QSKIP(gpu.error().message.c_str());
        for (const CudaProgram& c : cudaPrograms(0))
            for (int number = 1; number <= kMostCandidates; ++number) {
                const auto schedules = forced(*c.program, gpu->model, number);
                if (schedules.empty()) continue;
                const QString problem =
                    differenceToInterpreter(c, *gpu->executable(c, schedules), gpu->device);
                QVERIFY2(problem.isEmpty(),
                         qPrintable(problem + QString(", candidate %1").arg(number)));
            }
    }
};

QTEST_APPLESS_MAIN(TestSchedules)
#include "test_schedules.moc"
