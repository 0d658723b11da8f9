// SPDX-License-Identifier: Apache-2.0
/// \file
/// C++ text to machine code in this process: Clang as a library, LLVM's optimiser, ORC's linker.
#pragma once

#include "core/base/cancel.h"
#include "core/base/result.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::jit {

struct CpuCompileOptions {
    int optimisation = 3;
    std::string cpu;          ///< empty: this machine's ("native")
    std::string cacheFolder;  ///< empty: no disk cache
    base::CancelToken cancel; ///< looked at between steps, and while compileAll waits
    int preludeLines = 0;     ///< list: code inlined from these lines is the calling statement's
    /// compileAll tells how many texts are done, on its caller's thread; may be null.
    std::function<void(size_t done, size_t all)> progress;
};

/// Loaded machine code; symbols live as long as the module.
class CpuModule {
public:
    virtual ~CpuModule() = default;
    /// Address of an extern "C" function; null when there is none.
    virtual void* symbol(std::string_view name) const = 0;
    virtual bool fromCache() const = 0;
    /// All of its instructions, as they lie in memory; empty where that is not known.
    virtual std::span<const std::byte> code() const = 0;
};

/// Which line of a text each instruction comes from.
struct LineTable {
    struct Row {
        size_t offset = 0; ///< from the first instruction; what follows is of this line, too
        int line = 0;      ///< 0: not known
    };
    size_t bytes = 0;      ///< of all instructions: CpuModule::code() of the same text has as many
    std::vector<Row> rows; ///< by offset
    int lineAt(size_t offset) const;
};

struct AsmLine {
    std::string text;
    int sourceLine = 0; ///< line of the C++ text, 0 when unknown
};

struct Remark {
    enum class Kind { Passed, Missed, Analysis };
    Kind kind = Kind::Analysis;
    std::string pass;
    int sourceLine = 0;
    int sourceColumn = 0;
    std::string message;
};

/// What the compiler made of a text. Deterministic for one text, option set and LLVM version, so it
/// may be produced again later for code that already runs.
struct CodeListing {
    std::string llvmBefore;    ///< LLVM IR before optimisation
    std::vector<AsmLine> llvm; ///< optimised IR, with source lines
    std::vector<AsmLine> assembly;
    std::vector<Remark> remarks;
    std::string target; ///< "x86-64, sapphirerapids, LLVM 19.1.7"
};

struct CpuCompileTimes {
    double frontendMs = 0, optimiseMs = 0, codegenMs = 0, linkMs = 0;
    bool cached = false;
};

/// Thread-safe; texts may be compiled on several threads at once.
class CpuCompiler {
public:
    static std::unique_ptr<CpuCompiler> create();
    virtual ~CpuCompiler() = default;

    /// Errors: bug (Clang's messages with the text's line) when generated text does not compile;
    /// an unwritable cache is no error here: see cacheProblem().
    virtual base::Result<std::shared_ptr<CpuModule>> compile(const std::string& name,
                                                             const std::string& text,
                                                             const CpuCompileOptions& options,
                                                             CpuCompileTimes* times = nullptr) = 0;
    /// Several texts on a pool of threads; same order. Errors: as compile; cancelledError()
    /// for texts that were not ready then: the call does not wait for them.
    virtual std::vector<base::Result<std::shared_ptr<CpuModule>>>
    compileAll(const std::vector<std::pair<std::string, std::string>>& namedTexts,
               const CpuCompileOptions& options, std::vector<CpuCompileTimes>* times = nullptr) = 0;
    virtual base::Result<CodeListing> list(const std::string& name, const std::string& text,
                                           const CpuCompileOptions& options) = 0;
    /// Of what compile() makes of the same text and options: lines do not change the code.
    virtual base::Result<LineTable> lineTable(const std::string& name, const std::string& text,
                                              const CpuCompileOptions& options) = 0;
    /// A warning for the user when the disk cache could not be read or written; said once.
    virtual std::optional<base::Diagnostic> cacheProblem() = 0;
};

/// PTX of CUDA text through Clang's NVPTX target: no toolkit needed. For looking at, not for
/// running.
base::Result<std::string> previewPtx(const std::string& name, const std::string& text,
                                     const std::string& architecture);

struct HostCpu {
    std::string name;                  ///< LLVM's name, "sapphirerapids"
    std::vector<std::string> features; ///< those that matter: avx2, fma, avx512f ...
    int vectorBytes = 16;              ///< widest useful vector register
    int64_t l2Bytes = 0, l3Bytes = 0;  ///< of one core, and shared by cores; 0: unknown
};
HostCpu hostCpu();
std::string llvmVersion();

} // namespace cutaway::jit
