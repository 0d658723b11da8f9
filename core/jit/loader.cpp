// SPDX-License-Identifier: Apache-2.0
#include "core/jit/loader.h"

#include <fmt/format.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/EPCDynamicLibrarySearchGenerator.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>

#include <atomic>
#include <map>
#include <mutex>

namespace cutaway::jit {

namespace {

class OrcLoader;

class OrcModule : public CpuModule {
public:
    OrcModule(std::shared_ptr<OrcLoader> loader, llvm::orc::JITDylib& space, bool fromCache)
        : loader_(std::move(loader)), space_(&space), fromCache_(fromCache) {}
    ~OrcModule() override;
    OrcModule(const OrcModule&) = delete;
    OrcModule& operator=(const OrcModule&) = delete;

    void* symbol(std::string_view name) const override {
        auto found = symbols.find(name);
        return found == symbols.end() ? nullptr : found->second;
    }
    bool fromCache() const override { return fromCache_; }
    std::span<const std::byte> code() const override { return instructions; }

    std::map<std::string, void*, std::less<>> symbols;
    std::span<const std::byte> instructions;

private:
    std::shared_ptr<OrcLoader> loader_;
    llvm::orc::JITDylib* space_;
    bool fromCache_;
};

class OrcLoader : public Loader {
public:
    explicit OrcLoader(std::unique_ptr<llvm::orc::ExecutorProcessControl> process)
        : session_(std::move(process)),
          layer_(session_, session_.getExecutorProcessControl().getMemMgr()),
          process_(session_.createBareJITDylib("process")) {
        // What goes wrong inside the linker is reported here; the look-up itself only says that it
        // failed.
        session_.setErrorReporter([this](llvm::Error error) {
            const std::lock_guard lock(mutex_);
            reported_ += llvm::toString(std::move(error)) + "; ";
        });
    }
    ~OrcLoader() override { llvm::consumeError(session_.endSession()); }

    llvm::Error openProcess() {
        auto generator = llvm::orc::EPCDynamicLibrarySearchGenerator::GetForTargetProcess(session_);
        if (!generator) return generator.takeError();
        process_.addGenerator(std::move(*generator));
        return llvm::Error::success();
    }

    base::Result<std::shared_ptr<CpuModule>>
    load(const std::string& name, const std::string& object, bool fromCache) override {
        llvm::orc::JITDylib& space =
            session_.createBareJITDylib(fmt::format("{}#{}", name, count_.fetch_add(1)));
        space.addToLinkOrder(process_);
        auto module = std::make_shared<OrcModule>(
            std::static_pointer_cast<OrcLoader>(shared_from_this()), space, fromCache);
        if (llvm::Error error = link(space, object, *module))
            return base::bugError(fmt::format("machine code of {} does not link: {}{}", name,
                                              takeReported(), llvm::toString(std::move(error))));
        return std::shared_ptr<CpuModule>(std::move(module));
    }

    void unload(llvm::orc::JITDylib& space) { llvm::consumeError(session_.removeJITDylib(space)); }

private:
    std::string takeReported() {
        const std::lock_guard lock(mutex_);
        return std::exchange(reported_, {});
    }

    /// A function that others may call: where it begins in its section, and how long that is.
    struct Function {
        uint64_t offset = 0, sectionBytes = 0;
    };
    using Functions = std::map<std::string, Function>;

    llvm::Error link(llvm::orc::JITDylib& space, const std::string& object, OrcModule& module) {
        auto buffer = llvm::MemoryBuffer::getMemBufferCopy(object, space.getName());
        auto functions = functionsOf(*buffer);
        if (!functions) return functions.takeError();
        if (llvm::Error error = layer_.add(space, std::move(buffer))) return error;
        llvm::orc::SymbolLookupSet wanted;
        for (const auto& [name, function] : *functions)
            wanted.add(session_.intern(name));
        auto found = session_.lookup({{&space, llvm::orc::JITDylibLookupFlags::MatchAllSymbols}},
                                     std::move(wanted));
        if (!found) return found.takeError();
        for (const auto& [symbol, definition] : *found) {
            const std::string name = (*symbol).str();
            void* address = module.symbols[name] = definition.getAddress().toPtr<void*>();
            const Function& function = functions->at(name);
            module.instructions = {static_cast<const std::byte*>(address) - function.offset,
                                   function.sectionBytes};
        }
        return llvm::Error::success();
    }

    static llvm::Expected<Functions> functionsOf(const llvm::MemoryBuffer& buffer) {
        auto file = llvm::object::ObjectFile::createObjectFile(buffer.getMemBufferRef());
        if (!file) return file.takeError();
        Functions functions;
        for (const llvm::object::SymbolRef& symbol : (*file)->symbols()) {
            auto flags = symbol.getFlags();
            if (!flags) return flags.takeError();
            auto type = symbol.getType();
            if (!type) return type.takeError();
            auto name = symbol.getName();
            if (!name) return name.takeError();
            const bool exported = (*flags & llvm::object::SymbolRef::SF_Global) != 0 &&
                                  (*flags & llvm::object::SymbolRef::SF_Undefined) == 0;
            if (!exported || *type != llvm::object::SymbolRef::ST_Function) continue;
            auto offset = symbol.getValue();
            if (!offset) return offset.takeError();
            auto section = symbol.getSection();
            if (!section) return section.takeError();
            functions[name->str()] = {*offset, (*section)->getSize()};
        }
        return functions;
    }

    std::atomic<uint64_t> count_{0};
    std::mutex mutex_;
    std::string reported_;
    llvm::orc::ExecutionSession session_;
    llvm::orc::ObjectLinkingLayer layer_;
    llvm::orc::JITDylib& process_;
};

OrcModule::~OrcModule() {
    loader_->unload(*space_);
}

} // namespace

base::Result<std::shared_ptr<Loader>> Loader::create() {
    auto failed = [](llvm::Error error) {
        return base::environmentError("LLVM's linker does not start: " +
                                      llvm::toString(std::move(error)));
    };
    auto process = llvm::orc::SelfExecutorProcessControl::Create();
    if (!process) return failed(process.takeError());
    auto loader = std::make_shared<OrcLoader>(std::move(*process));
    if (llvm::Error error = loader->openProcess()) return failed(std::move(error));
    return std::shared_ptr<Loader>(std::move(loader));
}

} // namespace cutaway::jit
