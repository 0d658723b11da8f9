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

#include <mutex>

namespace cutaway::jit {

namespace {

void initialiseTargets() {
    static std::once_flag once;
    std::call_once(once, [] {
        // LLVM knows the syntax of printed assembly as a command-line option only.
        const char* const arguments[] = {"cutaway", "-x86-asm-syntax=intel"};
        llvm::cl::ParseCommandLineOptions(2, arguments);
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

llvm::OptimizationLevel passLevel(int optimisation) {
    if (optimisation <= 0) return llvm::OptimizationLevel::O0;
    if (optimisation == 1) return llvm::OptimizationLevel::O1;
    return optimisation == 2 ? llvm::OptimizationLevel::O2 : llvm::OptimizationLevel::O3;
}

} // namespace

Machine::Machine() = default;
Machine::~Machine() = default;

base::Result<std::unique_ptr<Machine>> Machine::create(const CpuTarget& target, int optimisation) {
    initialiseTargets();
    std::string error;
    const llvm::Target* found = llvm::TargetRegistry::lookupTarget(target.triple, error);
    if (!found)
        return base::bugError(fmt::format("LLVM has no target {}: {}", target.triple, error));
    std::string features;
    for (const std::string& feature : target.features)
        features += (features.empty() ? "" : ",") + feature;
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Fast;
    auto result = std::unique_ptr<Machine>(new Machine);
    result->optimisation_ = optimisation;
    result->machine_.reset(found->createTargetMachine(
        target.triple, target.cpu, features, options, llvm::Reloc::PIC_, std::nullopt,
        optimisation == 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default));
    if (!result->machine_)
        return base::bugError(fmt::format("LLVM cannot generate code for {}", target.triple));
    return result;
}

void Machine::optimise(llvm::Module& module) {
    module.setDataLayout(machine_->createDataLayout());
    llvm::PassBuilder builder(machine_.get());
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    const llvm::OptimizationLevel level = passLevel(optimisation_);
    llvm::ModulePassManager passes = level == llvm::OptimizationLevel::O0
                                         ? builder.buildO0DefaultPipeline(level)
                                         : builder.buildPerModuleDefaultPipeline(level);
    passes.run(module, modules);
}

std::string Machine::emit(llvm::Module& module, bool text) {
    module.setDataLayout(machine_->createDataLayout());
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::legacy::PassManager passes;
    machine_->addPassesToEmitFile(passes, stream, nullptr,
                                  text ? llvm::CodeGenFileType::AssemblyFile
                                       : llvm::CodeGenFileType::ObjectFile);
    passes.run(module);
    return std::string(bytes.data(), bytes.size());
}

std::string Machine::object(llvm::Module& module) {
    return emit(module, false);
}
std::string Machine::assembly(llvm::Module& module) {
    return emit(module, true);
}

} // namespace cutaway::jit
