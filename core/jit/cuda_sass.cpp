// SPDX-License-Identifier: Apache-2.0
#include "core/base/file_system.h"
#include "core/jit/cuda_compiler.h"
#include "core/jit/cuda_library.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace cutaway::jit {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> searchFolders() {
    std::vector<std::string> folders;
    const char* path = std::getenv("PATH");
    std::string rest = path ? path : "";
    for (size_t begin = 0; begin < rest.size();) {
        size_t end = std::min(rest.find(':', begin), rest.size());
        if (end > begin) folders.push_back(rest.substr(begin, end - begin));
        begin = end + 1;
    }
    for (const std::string& toolkit : cudaToolkitFolders())
        folders.push_back(toolkit + "/bin");
    return folders;
}

std::string findTool(const std::string& name) {
    for (const std::string& folder : searchFolders()) {
        std::string path = folder + "/" + name;
        if (access(path.c_str(), X_OK) == 0) return path;
    }
    return {};
}

/// Standard output of a program, or nothing when it failed.
base::Result<std::string> outputOf(const std::vector<std::string>& command) {
    int ends[2];
    if (pipe(ends) != 0)
        return base::environmentError(
            fmt::format("cannot run {}: {}", command[0], strerror(errno)));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    std::vector<char*> arguments;
    for (const std::string& word : command)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int failed =
        posix_spawn(&child, command[0].c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    std::string output;
    char block[1 << 16];
    while (failed == 0) {
        const ssize_t got = read(ends[0], block, sizeof block);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        output.append(block, static_cast<size_t>(got));
    }
    close(ends[0]);
    int status = 0;
    if (failed == 0) waitpid(child, &status, 0);
    if (failed != 0 || status != 0)
        return base::environmentError(fmt::format("{} failed", command[0]),
                                      "check that the CUDA toolkit matches the compiler");
    return output;
}

} // namespace

base::Result<std::string> disassembleSass(const std::string& cubin) {
    const std::string nvdisasm = findTool("nvdisasm"), cuobjdump = findTool("cuobjdump");
    if (nvdisasm.empty() && cuobjdump.empty())
        return base::environmentError(
            "no disassembler for GPU code: looked for nvdisasm and cuobjdump on PATH and in the "
            "CUDA toolkit",
            "install the CUDA toolkit's binary utilities");
    std::error_code failed;
    fs::path folder = fs::temp_directory_path(failed);
    std::string file = (folder / "cutaway-XXXXXX").string();
    const int descriptor = mkstemp(file.data());
    if (descriptor < 0)
        return base::environmentError(fmt::format("cannot write a temporary file in {}: {}",
                                                  folder.string(), strerror(errno)),
                                      "free some space or set TMPDIR");
    close(descriptor);
    base::Status written = base::writeFileAtomically(file, cubin);
    base::Result<std::string> text = std::string();
    if (!written.ok())
        text = written.error();
    else if (!nvdisasm.empty())
        text = outputOf({nvdisasm, "-c", "-g", file});
    else
        text = outputOf({cuobjdump, "--dump-sass", file});
    fs::remove(file, failed);
    return text;
}

} // namespace cutaway::jit
