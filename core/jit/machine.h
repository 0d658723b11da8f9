// SPDX-License-Identifier: Apache-2.0
/// \file
/// The steps inside the CPU compiler: text to LLVM module, module to optimised module, module to
/// object or assembly. Private to this folder.
#pragma once

#include "core/base/result.h"
#include "core/jit/cpu_compiler.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace cutaway::jit {

/// What code is made for.
struct CpuTarget {
    std::string triple;
    std::string cpu;      ///< whose instructions may be used
    std::string tune;     ///< whose speed matters
    std::string features; ///< beyond the cpu's: "+ptx83"
    int vectorBytes = 0;  ///< preferred vector register; 0: LLVM's choice
};
CpuTarget cpuTarget(const std::string& cpu);

/// Registers LLVM's targets, once. Before anything that looks one up: Clang's front end does so
/// too, and a registry that another thread is filling crashes it.
void initialiseTargets();

/// Arguments of Clang's compiler proper (cc1).
std::vector<std::string> cppArguments(const CpuTarget& target, int optimisation, bool lineTables);

/// Clang's front end on one text that includes nothing; no file is opened. Thread-safe.
/// \param declared text to read first; the lines of \p text keep their numbers.
/// Errors: bug with Clang's messages, each with the text's line.
base::Result<std::unique_ptr<llvm::Module>>
toModule(llvm::LLVMContext& context, const std::string& name, const std::string& text,
         const std::vector<std::string>& arguments, std::string_view declared = {});

/// An LLVM code generator for one target and level. One per thread.
class Machine {
public:
    /// Errors: bug when LLVM was built without the target or does not know the CPU.
    static base::Result<std::unique_ptr<Machine>> create(const CpuTarget& target, int optimisation);
    ~Machine();

    /// Passes that need not run are left out once \p cancel says so.
    void optimise(llvm::Module& module, const base::CancelToken& cancel = {});
    std::string object(llvm::Module& module);
    std::string assembly(llvm::Module& module); ///< Intel syntax

private:
    struct Emission;
    Machine();

    std::unique_ptr<llvm::TargetMachine> machine_;
    std::unique_ptr<Emission> objects_; ///< from the first object on; gone before machine_
    int optimisation_ = 3;
};

} // namespace cutaway::jit
