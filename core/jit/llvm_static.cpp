// SPDX-License-Identifier: Apache-2.0
// LLVM's archives name the Polly plug-in, whose archive Debian does not package.
#ifdef CUTAWAY_STATIC_LLVM
#include <llvm/Passes/PassPlugin.h>

llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "Polly", "none", [](llvm::PassBuilder&) {}};
}
#endif
