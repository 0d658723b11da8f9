// SPDX-License-Identifier: Apache-2.0
#include "core/jit/cuda_compiler.h"

#include "core/jit/cuda_library.h"
#include "core/jit/object_cache.h"
#include "core/jit/parallel.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>

namespace cutaway::jit {

namespace {

constexpr const char* kHint =
    "install the CUDA toolkit (its NVRTC library), or set CUDA_HOME to it";

// What of nvrtc.h is used; the numbers are part of its stable interface.
using Program = struct _nvrtcProgram*;
struct Nvrtc {
    const char* (*errorString)(int) = nullptr;
    int (*version)(int*, int*) = nullptr;
    int (*create)(Program*, const char*, const char*, int, const char* const*,
                  const char* const*) = nullptr;
    int (*compile)(Program, int, const char* const*) = nullptr;
    int (*destroy)(Program*) = nullptr;
    int (*cubinSize)(Program, size_t*) = nullptr;
    int (*cubin)(Program, char*) = nullptr;
    int (*ptxSize)(Program, size_t*) = nullptr;
    int (*ptx)(Program, char*) = nullptr;
    int (*logSize)(Program, size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;

    bool load(const CudaLibrary& library) {
        return library.load(errorString, "nvrtcGetErrorString") &&
               library.load(version, "nvrtcVersion") &&
               library.load(create, "nvrtcCreateProgram") &&
               library.load(compile, "nvrtcCompileProgram") &&
               library.load(destroy, "nvrtcDestroyProgram") &&
               library.load(cubinSize, "nvrtcGetCUBINSize") &&
               library.load(cubin, "nvrtcGetCUBIN") && library.load(ptxSize, "nvrtcGetPTXSize") &&
               library.load(ptx, "nvrtcGetPTX") &&
               library.load(logSize, "nvrtcGetProgramLogSize") &&
               library.load(log, "nvrtcGetProgramLog");
    }
};

std::string fetch(Program program, int (*size)(Program, size_t*), int (*get)(Program, char*)) {
    size_t bytes = 0;
    if (size(program, &bytes) != 0 || bytes == 0) return {};
    std::string text(bytes, '\0');
    if (get(program, text.data()) != 0) return {};
    return text;
}

// Logs and PTX come with a terminating zero.
std::string trimmed(std::string text) {
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n'))
        text.pop_back();
    return text;
}

// One cached file: the length of the PTX, the PTX, the cubin.
std::string pack(const CudaBinary& binary) {
    const uint64_t length = binary.ptx.size();
    std::string file(sizeof length, '\0');
    std::memcpy(file.data(), &length, sizeof length);
    return file + binary.ptx + binary.cubin;
}

bool unpack(const std::string& file, CudaBinary& binary) {
    uint64_t length = 0;
    if (file.size() < sizeof length) return false;
    std::memcpy(&length, file.data(), sizeof length);
    if (length > file.size() - sizeof length) return false;
    binary.ptx = file.substr(sizeof length, length);
    binary.cubin = file.substr(sizeof length + length);
    return true;
}

class NvrtcCompiler : public CudaCompiler {
public:
    explicit NvrtcCompiler(const Nvrtc& api) : api_(api) {
        int major = 0, minor = 0;
        api_.version(&major, &minor);
        version_ = fmt::format("{}.{}", major, minor);
    }

    std::string version() const override { return version_; }

    base::Result<CudaBinary> compile(const std::string& name, const std::string& text,
                                     const std::string& architecture,
                                     const std::string& cacheFolder,
                                     const base::CancelToken& cancel) override {
        return std::move(
            compileAll({{name, text}}, architecture, cacheFolder, cancel, nullptr).front());
    }

    std::vector<base::Result<CudaBinary>>
    compileAll(const std::vector<std::pair<std::string, std::string>>& namedTexts,
               const std::string& architecture, const std::string& cacheFolder,
               const base::CancelToken& cancel,
               const std::function<void(size_t done, size_t all)>& progress) override {
        return inParallel<CudaBinary>(background_, lengthsOf(namedTexts), cancel, progress,
                                      [this, namedTexts, architecture, cacheFolder](size_t i) {
                                          return make(namedTexts[i].first, namedTexts[i].second,
                                                      architecture, cacheFolder);
                                      });
    }

    std::optional<base::Diagnostic> cacheProblem() override { return cache_.takeProblem(); }

private:
    base::Result<CudaBinary> make(const std::string& name, const std::string& text,
                                  const std::string& architecture, const std::string& cacheFolder) {
        const auto start = std::chrono::steady_clock::now();
        const std::vector<std::string> madeFrom = {version_, architecture, name, text};
        CudaBinary binary;
        if (!cacheFolder.empty())
            if (auto file = cache_.find(cacheFolder, madeFrom); file && unpack(*file, binary))
                binary.cached = true;
        if (!binary.cached) {
            CUTAWAY_CHECK(compileNow(name, text, architecture, binary));
            if (!cacheFolder.empty()) cache_.put(cacheFolder, madeFrom, pack(binary));
        }
        const std::chrono::duration<double, std::milli> elapsed =
            std::chrono::steady_clock::now() - start;
        binary.compileMs = elapsed.count();
        return binary;
    }

    base::Status compileNow(const std::string& name, const std::string& text,
                            const std::string& architecture, CudaBinary& binary) const {
        Program program = nullptr;
        const std::string file = name + ".cu";
        if (int status = api_.create(&program, text.c_str(), file.c_str(), 0, nullptr, nullptr))
            return base::bugError(
                fmt::format("NVRTC cannot take kernel {}: {}", name, api_.errorString(status)));
        const std::string target = "--gpu-architecture=" + architecture;
        // 177: a variable that is never used; generated loops name all of theirs.
        const char* options[] = {target.c_str(), "--std=c++17", "-lineinfo", "-diag-suppress=177"};
        const int status = api_.compile(program, 4, options);
        binary.log = trimmed(fetch(program, api_.logSize, api_.log));
        if (status == 0) {
            binary.cubin = fetch(program, api_.cubinSize, api_.cubin);
            binary.ptx = trimmed(fetch(program, api_.ptxSize, api_.ptx));
        }
        api_.destroy(&program);
        if (status == 0 && !binary.cubin.empty()) return {};
        const std::string said = status ? api_.errorString(status) : "no code was made";
        base::Diagnostic bug = base::bugError(
            fmt::format("NVRTC {} rejects the generated kernel {}: {}", version_, name, said));
        if (!binary.log.empty()) bug.notes.push_back({{}, binary.log});
        return bug;
    }

    Nvrtc api_;
    std::string version_;
    ObjectCache cache_{"cuda"};
    Background background_; ///< gone first: its threads use the rest
};

} // namespace

base::Result<std::unique_ptr<CudaCompiler>> CudaCompiler::create() {
    CUTAWAY_TRY(CudaLibrary library,
                CudaLibrary::open("NVRTC, which compiles CUDA kernels,",
                                  {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}, kHint));
    Nvrtc api;
    if (!api.load(library))
        return base::environmentError(
            "the NVRTC library found is too old: it cannot make machine code",
            "install CUDA toolkit 12 or newer");
    return std::unique_ptr<CudaCompiler>(std::make_unique<NvrtcCompiler>(api));
}

} // namespace cutaway::jit
