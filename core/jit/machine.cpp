// SPDX-License-Identifier: Apache-2.0
#include "core/jit/machine.h"

#include <fmt/format.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopIdiomRecognize.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <mutex>

namespace cutaway::jit {

void initialiseTargets() {
    static std::once_flag once;
    std::call_once(once, [] {
        // LLVM knows the syntax of printed assembly as a command-line option only.
        // Of a thousand stores in one block, each is ordered against all others before scheduling:
        // beyond so many the oldest count as one.
        const char* const arguments[] = {"cutaway", "-x86-asm-syntax=intel",
                                         "-dag-maps-huge-region=128"};
        llvm::cl::ParseCommandLineOptions(std::size(arguments), arguments);
        LLVMInitializeX86TargetInfo();
        LLVMInitializeX86Target();
        LLVMInitializeX86TargetMC();
        LLVMInitializeX86AsmPrinter();
        LLVMInitializeNVPTXTargetInfo();
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
    });
}

namespace {

/// Loops in the shape that the later passes and the code generator like.
llvm::FunctionPassManager loopPasses() {
    llvm::LoopPassManager first;
    first.addPass(llvm::LoopRotatePass());
    first.addPass(llvm::LICMPass(llvm::LICMOptions()));
    llvm::LoopPassManager second;
    second.addPass(llvm::IndVarSimplifyPass());
    second.addPass(llvm::LoopIdiomRecognizePass());
    second.addPass(llvm::LoopFullUnrollPass(3, /*OnlyWhenForced=*/false));
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(first), /*UseMemorySSA=*/true));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(second)));
    return passes;
}

/// LLVM's -O3 without the passes that look for what generated text already spells out:
/// vectors, unrolling, inlining (what should be inline says so) and whole-program facts. Code for
/// such text is as fast, and takes half the time to make.
llvm::ModulePassManager kernelPasses() {
    llvm::FunctionPassManager clean;
    clean.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    clean.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
    clean.addPass(llvm::SimplifyCFGPass());
    clean.addPass(llvm::InstCombinePass());
    clean.addPass(loopPasses());
    clean.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    clean.addPass(llvm::GVNPass());
    clean.addPass(llvm::InstCombinePass());
    llvm::LoopPassManager hoist;
    hoist.addPass(llvm::LICMPass(llvm::LICMOptions()));
    clean.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(hoist), /*UseMemorySSA=*/true));
    clean.addPass(llvm::DSEPass());
    clean.addPass(llvm::ADCEPass());
    clean.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().sinkCommonInsts(true)));
    llvm::ModulePassManager passes;
    passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
    passes.addPass(llvm::GlobalDCEPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(clean)));
    passes.addPass(llvm::GlobalDCEPass());
    return passes;
}

} // namespace

/// LLVM's code generator with what it writes to. It runs module after module, as LLVM's own
/// llc --compile-twice has it: to put it together takes as long as the code of a small kernel.
struct Machine::Emission {
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream{bytes};
    llvm::legacy::PassManager passes;

    Emission(llvm::TargetMachine& machine, llvm::CodeGenFileType type) {
        machine.addPassesToEmitFile(passes, stream, nullptr, type);
    }
    std::string of(llvm::Module& module, const llvm::TargetMachine& machine) {
        module.setDataLayout(machine.createDataLayout());
        bytes.clear();
        passes.run(module);
        return std::string(bytes.data(), bytes.size());
    }
};

Machine::Machine() = default;
Machine::~Machine() = default;

base::Result<std::unique_ptr<Machine>> Machine::create(const CpuTarget& target, int optimisation) {
    initialiseTargets();
    std::string error;
    const llvm::Target* found = llvm::TargetRegistry::lookupTarget(target.triple, error);
    if (!found)
        return base::bugError(fmt::format("LLVM has no target {}: {}", target.triple, error));
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Standard; // where the front end allows it
    auto result = std::unique_ptr<Machine>(new Machine);
    result->optimisation_ = optimisation;
    result->machine_.reset(found->createTargetMachine(
        target.triple, target.cpu, target.features, options, llvm::Reloc::PIC_, std::nullopt,
        optimisation == 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default));
    if (!result->machine_)
        return base::bugError(fmt::format("LLVM cannot generate code for {}", target.triple));
    return result;
}

void Machine::optimise(llvm::Module& module, const base::CancelToken& cancel) {
    module.setDataLayout(machine_->createDataLayout());
    llvm::PassInstrumentationCallbacks callbacks;
    callbacks.registerShouldRunOptionalPassCallback(
        [&cancel](llvm::StringRef, llvm::Any) { return !cancel.cancelled(); });
    llvm::PassBuilder builder(machine_.get(), llvm::PipelineTuningOptions(), std::nullopt,
                              &callbacks);
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    llvm::ModulePassManager passes =
        optimisation_ == 0 ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                           : kernelPasses();
    passes.run(module, modules);
}

std::string Machine::object(llvm::Module& module) {
    if (!objects_)
        objects_ = std::make_unique<Emission>(*machine_, llvm::CodeGenFileType::ObjectFile);
    return objects_->of(module, *machine_);
}
std::string Machine::assembly(llvm::Module& module) {
    return Emission(*machine_, llvm::CodeGenFileType::AssemblyFile).of(module, *machine_);
}

} // namespace cutaway::jit
