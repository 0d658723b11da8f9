// SPDX-License-Identifier: Apache-2.0
#include "core/jit/machine.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace cutaway::jit {

namespace {

struct Message {
    unsigned line = 0, column = 0;
    std::string text;
};

/// Keeps errors; warnings of generated text are of no use to anybody.
class ErrorCollector : public clang::DiagnosticConsumer {
public:
    std::vector<Message> errors;

    void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                          const clang::Diagnostic& info) override {
        clang::DiagnosticConsumer::HandleDiagnostic(level, info);
        if (level < clang::DiagnosticsEngine::Error) return;
        Message message;
        if (info.getLocation().isValid() && info.hasSourceManager()) {
            const clang::PresumedLoc place =
                info.getSourceManager().getPresumedLoc(info.getLocation());
            if (place.isValid()) {
                message.line = place.getLine();
                message.column = place.getColumn();
            }
        }
        llvm::SmallString<128> text;
        info.FormatDiagnostic(text);
        message.text = text.str().str();
        errors.push_back(std::move(message));
    }
};

std::string lineOf(const std::string& text, unsigned line) {
    size_t begin = 0;
    for (unsigned i = 1; i < line; ++i) {
        begin = text.find('\n', begin);
        if (begin == std::string::npos) return {};
        ++begin;
    }
    return text.substr(begin, text.find('\n', begin) - begin);
}

base::Diagnostic notCompiled(const std::string& name, const std::string& text,
                             const std::vector<Message>& errors) {
    constexpr size_t kShown = 8;
    const Message first = errors.empty() ? Message{0, 0, "no message"} : errors.front();
    base::Diagnostic problem =
        base::bugError(fmt::format("generated text of {} does not compile: {}", name, first.text));
    problem.where = {name, static_cast<int>(first.line), static_cast<int>(first.column)};
    for (size_t i = 0; i < errors.size() && i < kShown; ++i) {
        const base::Location where{name, static_cast<int>(errors[i].line),
                                   static_cast<int>(errors[i].column)};
        if (i > 0) problem.notes.push_back({where, errors[i].text});
        if (errors[i].line > 0) problem.notes.push_back({where, lineOf(text, errors[i].line)});
    }
    return problem;
}

} // namespace

std::vector<std::string> cppArguments(const CpuTarget& target, int optimisation, bool lineTables) {
    std::vector<std::string> arguments = {
        "-triple", target.triple, "-emit-llvm", "-x", "c++", "-std=gnu++20", "-target-cpu",
        target.cpu, "-tune-cpu", target.tune, fmt::format("-O{}", optimisation),
        "-disable-llvm-passes", "-fopenmp",
        // Contraction to fused multiply-add, where the text does not forbid it, is the only
        // liberty taken with floating point: reductions are written out, and range reductions rely
        // on the order of operations.
        "-ffp-contract=fast", "-mrelocation-model", "pic", "-pic-level", "2", "-w",
        "-fno-caret-diagnostics", "-disable-llvm-verifier"};
    if (target.vectorBytes > 0)
        arguments.push_back(fmt::format("-mprefer-vector-width={}", 8 * target.vectorBytes));
    if (lineTables) {
        arguments.push_back("-debug-info-kind=line-tables-only");
        arguments.push_back("-dwarf-version=5");
    }
    return arguments;
}

base::Result<std::unique_ptr<llvm::Module>>
toModule(llvm::LLVMContext& context, const std::string& name, const std::string& text,
         const std::vector<std::string>& arguments, std::string_view declared) {
    initialiseTargets();
    ErrorCollector collector;
    clang::CompilerInstance instance;
    instance.createDiagnostics(&collector, /*ShouldOwnClient=*/false);

    std::vector<const char*> argv;
    for (const std::string& argument : arguments)
        argv.push_back(argument.c_str());
    auto invocation = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(*invocation, argv, instance.getDiagnostics()))
        return notCompiled(name, text, collector.errors);
    const std::string fileName = name + ".cpp";
    const auto buffer = llvm::MemoryBuffer::getMemBuffer(text, fileName);
    clang::FrontendOptions& frontend = invocation->getFrontendOpts();
    const clang::InputKind kind = frontend.Inputs.empty() ? clang::InputKind(clang::Language::CXX)
                                                          : frontend.Inputs.front().getKind();
    frontend.Inputs = {clang::FrontendInputFile(buffer->getMemBufferRef(), kind)};
    frontend.DisableFree = false;
    invocation->getCodeGenOpts().MainFileName = fileName;
    instance.setInvocation(std::move(invocation));
    // The text includes nothing; an empty file system makes sure of it.
    auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    if (!declared.empty()) {
        files->addFile("/declared.h", 0, llvm::MemoryBuffer::getMemBuffer(declared));
        instance.getPreprocessorOpts().Includes.push_back("/declared.h");
    }
    instance.createFileManager(files);

    clang::EmitLLVMOnlyAction action(&context);
    if (!instance.ExecuteAction(action) || !collector.errors.empty())
        return notCompiled(name, text, collector.errors);
    std::unique_ptr<llvm::Module> module = action.takeModule();
    if (!module) return notCompiled(name, text, collector.errors);
    return module;
}

} // namespace cutaway::jit
