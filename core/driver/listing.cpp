// SPDX-License-Identifier: Apache-2.0
#include "core/base/keyed_hash.h"
#include "core/base/text.h"
#include "core/driver/listing_lines.h"
#include "core/driver/tools.h"
#include "core/runtime/cuda.h"

#include <algorithm>
#include <fmt/format.h>

namespace cutaway::driver {

namespace {

constexpr const char* kAbsentDevice = "sm_90"; // what GPU code is shown for without a GPU

const record::Code* findCode(const record::KernelInfo& kernel, const std::string& language) {
    for (const record::Code& code : kernel.codes)
        if (code.language == language) return &code;
    return nullptr;
}

std::string textOf(const record::Code& code) {
    std::string text;
    for (const record::CodeLine& line : code.lines)
        text += line.text + "\n";
    return text;
}

record::CodeLine linked(const std::string& text, int sourceLine, const record::Code& source) {
    auto index = static_cast<size_t>(sourceLine) - 1;
    bool known = sourceLine > 0 && index < source.lines.size();
    return {known ? source.lines[index].item : record::kNoItem, text};
}

std::vector<record::CodeLine> plainLines(const std::string& text) {
    std::vector<record::CodeLine> lines;
    for (std::string& line : base::splitLines(text))
        lines.push_back({record::kNoItem, std::move(line)});
    return lines;
}

/// Machine code, with each statement of the C++ text before the instructions that it became.
std::vector<record::CodeLine> withSource(const std::vector<jit::AsmLine>& assembly,
                                         const record::Code& cpp) {
    std::vector<record::CodeLine> lines;
    int shown = 0;
    for (const jit::AsmLine& line : assembly) {
        const auto index = static_cast<size_t>(line.sourceLine) - 1;
        if (line.sourceLine > cpp.hiddenPrefix && line.sourceLine != shown &&
            index < cpp.lines.size()) {
            const std::string& statement = cpp.lines[index].text;
            const size_t begin = std::min(statement.find_first_not_of(' '), statement.size());
            lines.push_back(linked("    # " + statement.substr(begin), line.sourceLine, cpp));
            shown = line.sourceLine;
        }
        lines.push_back(linked(line.text, line.sourceLine, cpp));
    }
    return lines;
}

base::Result<Listing> cpuListing(pipeline::Toolchain& toolchain, const record::KernelInfo& kernel,
                                 const record::Code& cpp, const std::string& language) {
    jit::CpuCompileOptions options;
    options.preludeLines = cpp.hiddenPrefix;
    CUTAWAY_TRY(jit::CodeListing made, toolchain.cpu().list(kernel.name, textOf(cpp), options));
    Listing result;
    result.code.language = language;
    result.code.note = made.target;
    if (language == "llvm-before") {
        result.code.lines = plainLines(made.llvmBefore);
    } else if (language == "llvm") {
        for (const jit::AsmLine& line : made.llvm)
            result.code.lines.push_back(linked(line.text, line.sourceLine, cpp));
    } else {
        result.code.lines = withSource(made.assembly, cpp);
    }
    static constexpr const char* kKinds[] = {"passed", "missed", "analysis"};
    for (const jit::Remark& remark : made.remarks)
        result.remarks.push_back({kKinds[static_cast<size_t>(remark.kind)], remark.pass,
                                  remark.message, remark.sourceLine});
    return result;
}

/// GPU code, each line linked to the line of the CUDA text that it was made from.
std::vector<record::CodeLine> gpuLines(const std::string& text, const record::Code& cuda) {
    std::vector<record::CodeLine> lines;
    int current = 0;
    for (const record::CodeLine& line : plainLines(text)) {
        if (auto location = sourceLineNamedBy(line.text)) current = *location;
        lines.push_back(linked(line.text, current, cuda));
    }
    return lines;
}

base::Result<Listing> cudaListing(pipeline::Toolchain& toolchain, const record::KernelInfo& kernel,
                                  const record::Code& cuda, const std::string& language) {
    Listing result;
    result.code.language = language;
    const auto device = runtime::cudaDevice();
    const std::string architecture = device ? device->architecture : kAbsentDevice;
    auto compiler = toolchain.cuda();
    if (!compiler && language == "ptx") { // Clang's NVPTX target needs no toolkit
        auto preview = jit::previewPtx(kernel.name, textOf(cuda), architecture);
        if (!preview) return preview.error();
        result.code.lines = gpuLines(*preview, cuda);
        result.code.note = "made by Clang's NVPTX target; NVRTC: " + compiler.error().message;
        return result;
    }
    if (!compiler) return compiler.error();
    CUTAWAY_TRY(
        jit::CudaBinary binary,
        (*compiler)->compile(kernel.name, textOf(cuda), architecture, toolchain.cacheFolder()));
    if (language == "ptx") {
        result.code.lines = gpuLines(binary.ptx, cuda);
        result.code.note = fmt::format("NVRTC {}, {}", (*compiler)->version(), architecture);
        return result;
    }
    CUTAWAY_TRY(std::string sass, jit::disassembleSass(binary.cubin));
    result.code.lines = gpuLines(sass, cuda);
    result.code.note = architecture;
    return result;
}

} // namespace

std::string codeHash(const record::Code& code) {
    return base::keyedHash({}, {code.language, textOf(code)});
}

base::Result<Listing> listing(Tools& tools, const record::KernelInfo& kernel,
                              const std::string& language) {
    if (const record::Code* known = findCode(kernel, language))
        return Listing{*known, kernel.remarks};
    bool cpu = language == "llvm" || language == "llvm-before" || language == "asm";
    bool cuda = language == "ptx" || language == "sass";
    if (!cpu && !cuda)
        return base::userError({}, fmt::format("unknown language '{}'", language),
                               "known: cpp, llvm, llvm-before, asm, cuda, ptx, sass, loops");
    const record::Code* source = findCode(kernel, cpu ? "cpp" : "cuda");
    if (!source)
        return base::userError(
            {}, fmt::format("kernel {} is a library call: it has no generated code", kernel.name));
    if (!tools.parts().generated.contains(codeHash(*source)))
        return base::userError(
            {}, fmt::format("the code of kernel {} comes from a file and is not compiled",
                            kernel.name),
            "compile the script that the record was made from");
    pipeline::Toolchain& toolchain = tools.parts().toolchain;
    return cpu ? cpuListing(toolchain, kernel, *source, language)
               : cudaListing(toolchain, kernel, *source, language);
}

} // namespace cutaway::driver
