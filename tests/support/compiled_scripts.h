// SPDX-License-Identifier: Apache-2.0
/// \file
/// The world of scripts as the program has it: operations and captured graphs compiled by the
/// backends. Kernels lie where the environment says, as they do for the program.
#pragma once

#include "core/backend/graph_compiler.h"
#include "core/capture/program.h"

#include <QtGlobal>

#include <string>

namespace cutaway::test {

/// What a script prints in this world, then its message if it fails.
inline std::string printed(const std::string& text, const std::string& backend,
                           backend::EagerRunner& eager, backend::BackendCompiler& compiler,
                           const base::CancelToken& cancel = {}) {
    std::string out;
    capture::ProgramOptions options;
    options.path = "s.py";
    options.text = text;
    options.print = [&](std::string_view part) { out += part; };
    options.compileDefaults.backend = backend;
    options.cancel = cancel;
    auto program = capture::Program::load(options, eager, compiler);
    if (!program.ok()) out += program.error().str();
    return out;
}

/// Scripts that share their compilers and nothing else.
class CompiledScripts {
public:
    int64_t compiled = 0; ///< kernels of single operations, in the last run

    std::string run(const std::string& text, const std::string& backend = "inductor",
                    const base::CancelToken& cancel = {}) {
        const pipeline::Options options;
        backend::EagerRunner eager(toolchain_, options);
        backend::BackendCompiler compiler(toolchain_, options, eager, nullptr);
        std::string out = printed(text, backend, eager, compiler, cancel);
        compiled = eager.takeWork().compiled;
        return out;
    }

private:
    pipeline::Toolchain toolchain_{qEnvironmentVariable("CUTAWAY_CACHE_DIR").toStdString()};
};

} // namespace cutaway::test
