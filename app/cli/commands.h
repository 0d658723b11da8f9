// SPDX-License-Identifier: Apache-2.0
/// \file
/// The commands of the command-line tool: each takes parsed options and gives an exit status.
#pragma once

#include "core/driver/session.h"

#include <string>
#include <vector>

namespace cutaway::cli {

/// Exit statuses (design section 12).
enum ExitStatus { kSuccess = 0, kInputWrong = 1, kUsage = 2, kEnvironment = 3 };

struct CommandOptions {
    driver::SessionOptions session;
    std::vector<std::string> files;
    std::vector<std::string> plugins; ///< loaded before anything else (core/backend/plugin.h)
    std::string stage, output, exportAs = "cpp", name, overlay;
    std::vector<std::string> backends{"eager", "inductor"};
    double minSeconds = 0.5;
    int rounds = 5;
    bool backward = false; ///< bench: a call, and back from the sum of what it gives
    bool json = false, exitCode = false, kernels = false, counters = false, lines = false,
         noCache = false, curve = false, probe = false;
};

/// Prints the diagnostic to standard error and gives the exit status that its fault calls for.
int fail(const base::Diagnostic& diagnostic);
/// Where compiled kernels are kept; empty: nowhere. Errors: environment error.
base::Result<std::string> cacheFolder(const CommandOptions& options);
/// Confines this process (base/box.h) before it evaluates a script: it reads the files given, writes
/// the output and the kernel cache, and that is all.
void confine(const CommandOptions& options);
/// Prints a warning when compiled kernels could not be kept on disk.
void warnOfCache(driver::Tools& tools);

int runCommand(const CommandOptions& options);
int explainCommand(const CommandOptions& options);
int checkCommand(const CommandOptions& options);
/// Prints every value of the file's step beside eager mode and double precision.
int probeFile(driver::Tools& tools, const CommandOptions& options, const std::string& file);
int benchCommand(const CommandOptions& options);
/// Compiles the one case file and writes that with \p runs as a trace to the output.
int writeTrace(const CommandOptions& options, std::vector<record::Run> runs);
/// Compiles and times the case file with every choice of its curve of memory against time.
int benchCurve(const CommandOptions& options, const std::string& file);
int tuneCommand(const CommandOptions& options);
int compileCommand(const CommandOptions& options);
int diffCommand(const CommandOptions& options);
int exportCommand(const CommandOptions& options);
int opsCommand(const CommandOptions& options);
int doctorCommand(const CommandOptions& options);
int serveCommand(const CommandOptions& options);

} // namespace cutaway::cli
