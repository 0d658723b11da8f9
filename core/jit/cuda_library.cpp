// SPDX-License-Identifier: Apache-2.0
#include "core/jit/cuda_library.h"

#include <fmt/format.h>

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

namespace cutaway::jit {

std::vector<std::string> cudaToolkitFolders() {
    std::vector<std::string> folders;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* value = std::getenv(variable); value && *value) folders.push_back(value);
    folders.insert(folders.end(), {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"});
    return folders;
}

base::Result<CudaLibrary> CudaLibrary::open(const std::string& what,
                                            const std::vector<std::string>& names,
                                            const std::string& hint) {
    std::vector<std::string> places;
    for (const std::string& folder : cudaToolkitFolders())
        for (const char* sub : {"/lib64/", "/lib/", "/targets/x86_64-linux/lib/"})
            places.push_back(folder + sub);
    places.insert(places.begin(), ""); // the loader's own path
    CudaLibrary library;
    std::string broken;
    for (const std::string& place : places)
        for (const std::string& name : names) {
            library.handle_ = dlopen((place + name).c_str(), RTLD_NOW | RTLD_LOCAL);
            if (library.handle_) return library;
            std::error_code failed;
            if (!place.empty() && std::filesystem::exists(place + name, failed)) broken = dlerror();
        }
    if (!broken.empty())
        return base::environmentError(fmt::format("{} cannot be opened: {}", what, broken), hint);
    return base::environmentError(
        fmt::format("{} was not found: looked for {} on the library path, "
                    "in $CUDA_HOME and in /usr/local/cuda",
                    what, fmt::join(names, ", ")),
        hint);
}

void* CudaLibrary::symbol(const char* name) const {
    return handle_ ? dlsym(handle_, name) : nullptr;
}

} // namespace cutaway::jit
