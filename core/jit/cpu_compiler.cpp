// SPDX-License-Identifier: Apache-2.0
#include "core/jit/cpu_compiler.h"

#include "core/jit/listing.h"
#include "core/jit/loader.h"
#include "core/jit/machine.h"
#include "core/jit/object_cache.h"
#include "core/jit/parallel.h"
#include "core/jit/quick_code.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>

namespace cutaway::jit {

static std::atomic<int> quickCodes = 0; ///< QuickCode objects

QuickCode::QuickCode() {
    ++quickCodes;
}
QuickCode::~QuickCode() {
    --quickCodes;
}

namespace {

class Stopwatch {
public:
    double lapMs() {
        const auto now = std::chrono::steady_clock::now();
        const double ms = std::chrono::duration<double, std::milli>(now - last_).count();
        last_ = now;
        return ms;
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

using MachineKey = std::pair<std::string, int>; ///< cpu, optimisation

class Compiler : public CpuCompiler {
public:
    base::Result<std::shared_ptr<CpuModule>> compile(const std::string& name,
                                                     const std::string& text,
                                                     const CpuCompileOptions& options,
                                                     CpuCompileTimes* times) override;
    std::vector<base::Result<std::shared_ptr<CpuModule>>>
    compileAll(const std::vector<std::pair<std::string, std::string>>& namedTexts,
               const CpuCompileOptions& options, std::vector<CpuCompileTimes>* times) override;
    base::Result<CodeListing> list(const std::string& name, const std::string& text,
                                   const CpuCompileOptions& options) override;
    base::Result<LineTable> lineTable(const std::string& name, const std::string& text,
                                      const CpuCompileOptions& options) override;
    std::optional<base::Diagnostic> cacheProblem() override { return cache_.takeProblem(); }

private:
    base::Result<std::string> makeObject(const std::string& name, const std::string& text,
                                         const CpuCompileOptions& options, CpuCompileTimes& times);
    /// All that an object depends on.
    std::vector<std::string> ingredients(const std::string& name, const std::string& text,
                                         const CpuCompileOptions& options);
    base::Result<std::shared_ptr<Loader>> loader();
    const CpuTarget& target(const std::string& cpu);
    /// A code generator that no other thread uses; given back after use.
    base::Result<std::unique_ptr<Machine>> borrow(const CpuCompileOptions& options);
    void giveBack(const CpuCompileOptions& options, std::unique_ptr<Machine> machine);

    std::mutex mutex_;
    std::map<MachineKey, std::vector<std::unique_ptr<Machine>>> idle_;
    std::map<std::string, CpuTarget> targets_;
    std::shared_ptr<Loader> loader_;
    ObjectCache cache_;
    Background background_; ///< gone first: its threads use the rest
};

const CpuTarget& Compiler::target(const std::string& cpu) {
    const std::lock_guard lock(mutex_);
    auto found = targets_.find(cpu);
    if (found == targets_.end()) found = targets_.emplace(cpu, cpuTarget(cpu)).first;
    return found->second;
}

base::Result<std::shared_ptr<Loader>> Compiler::loader() {
    const std::lock_guard lock(mutex_);
    if (!loader_) {
        CUTAWAY_TRY(loader_, Loader::create());
    }
    return loader_;
}

base::Result<std::unique_ptr<Machine>> Compiler::borrow(const CpuCompileOptions& options) {
    const CpuTarget& made = target(options.cpu);
    {
        const std::lock_guard lock(mutex_);
        auto& machines = idle_[{options.cpu, options.optimisation}];
        if (!machines.empty()) {
            std::unique_ptr<Machine> machine = std::move(machines.back());
            machines.pop_back();
            return machine;
        }
    }
    return Machine::create(made, options.optimisation);
}

void Compiler::giveBack(const CpuCompileOptions& options, std::unique_ptr<Machine> machine) {
    const std::lock_guard lock(mutex_);
    idle_[{options.cpu, options.optimisation}].push_back(std::move(machine));
}

std::vector<std::string> Compiler::ingredients(const std::string& name, const std::string& text,
                                               const CpuCompileOptions& options) {
    std::vector<std::string> all = {llvmVersion(), name, text};
    for (std::string& argument : cppArguments(target(options.cpu), options.optimisation, false))
        all.push_back(std::move(argument));
    return all;
}

base::Result<std::string> Compiler::makeObject(const std::string& name, const std::string& text,
                                               const CpuCompileOptions& options,
                                               CpuCompileTimes& times) {
    Stopwatch watch;
    // The context outlives the module.
    llvm::LLVMContext context;
    CUTAWAY_TRY(auto module,
                toModule(context, name, text,
                         cppArguments(target(options.cpu), options.optimisation, false)));
    times.frontendMs = watch.lapMs();
    if (options.cancel.cancelled()) return base::cancelledError();
    CUTAWAY_TRY(auto machine, borrow(options));
    machine->optimise(*module, options.cancel);
    if (options.cancel.cancelled()) {
        giveBack(options, std::move(machine));
        return base::cancelledError();
    }
    times.optimiseMs = watch.lapMs();
    std::string object = machine->object(*module);
    giveBack(options, std::move(machine));
    times.codegenMs = watch.lapMs();
    return object;
}

base::Result<std::shared_ptr<CpuModule>> Compiler::compile(const std::string& name,
                                                           const std::string& text,
                                                           const CpuCompileOptions& wanted,
                                                           CpuCompileTimes* times) {
    CpuCompileOptions options = wanted;
    if (quickCodes > 0) options.optimisation = 0;
    CpuCompileTimes unused;
    CpuCompileTimes& measured = times ? *times : unused;
    measured = {};
    if (options.cancel.cancelled()) return base::cancelledError();
    CUTAWAY_TRY(auto linker, loader());
    const bool useCache = !options.cacheFolder.empty();
    std::vector<std::string> madeFrom;
    if (useCache) madeFrom = ingredients(name, text, options);
    if (useCache) {
        if (auto cached = cache_.find(options.cacheFolder, madeFrom)) {
            Stopwatch watch;
            auto module = linker->load(name, *cached, true);
            measured.linkMs = watch.lapMs();
            measured.cached = module.ok();
            // An object that does not link is compiled anew, and its entry replaced.
            if (module.ok()) return module;
        }
    }
    CUTAWAY_TRY(const std::string object, makeObject(name, text, options, measured));
    if (useCache) cache_.put(options.cacheFolder, madeFrom, object);
    Stopwatch watch;
    auto module = linker->load(name, object, false);
    measured.linkMs = watch.lapMs();
    return module;
}

std::vector<base::Result<std::shared_ptr<CpuModule>>>
Compiler::compileAll(const std::vector<std::pair<std::string, std::string>>& namedTexts,
                     const CpuCompileOptions& options, std::vector<CpuCompileTimes>* times) {
    struct Made {
        std::shared_ptr<CpuModule> module;
        CpuCompileTimes times;
    };
    CpuCompileOptions each = options;
    each.progress = nullptr; // told on the caller's thread
    auto all =
        inParallel<Made>(background_, lengthsOf(namedTexts), options.cancel, options.progress,
                         [this, each, namedTexts](size_t i) -> base::Result<Made> {
                             Made made;
                             const auto& [name, text] = namedTexts[i];
                             CUTAWAY_TRY(made.module, compile(name, text, each, &made.times));
                             return made;
                         });
    std::vector<base::Result<std::shared_ptr<CpuModule>>> results;
    if (times) times->assign(all.size(), {});
    for (size_t i = 0; i < all.size(); ++i) {
        if (all[i] && times) (*times)[i] = all[i]->times;
        if (all[i])
            results.emplace_back(std::move(all[i]->module));
        else
            results.emplace_back(std::move(all[i].error()));
    }
    return results;
}

base::Result<CodeListing> Compiler::list(const std::string& name, const std::string& text,
                                         const CpuCompileOptions& options) {
    const CpuTarget& made = target(options.cpu);
    CUTAWAY_TRY(auto machine, borrow(options));
    auto listing = makeListing(name, text, made, options, *machine);
    giveBack(options, std::move(machine));
    return listing;
}

base::Result<LineTable> Compiler::lineTable(const std::string& name, const std::string& text,
                                            const CpuCompileOptions& wanted) {
    CpuCompileOptions options = wanted;
    if (quickCodes > 0) options.optimisation = 0;
    const CpuTarget& made = target(options.cpu);
    CUTAWAY_TRY(auto machine, borrow(options));
    auto table = makeLineTable(name, text, made, options, *machine);
    giveBack(options, std::move(machine));
    return table;
}

} // namespace

std::unique_ptr<CpuCompiler> CpuCompiler::create() {
    return std::make_unique<Compiler>();
}

} // namespace cutaway::jit
