// SPDX-License-Identifier: Apache-2.0
/// \file
/// CUDA text through both compilers: Clang's NVPTX target, which every machine has, and NVRTC,
/// where the toolkit is installed. For tests only.
#pragma once

#include "core/codegen/verify_scopes.h"
#include "core/jit/cpu_compiler.h"
#include "core/jit/cuda_compiler.h"

#include <QtTest>

namespace cutaway::testing {

inline constexpr const char* kCudaArchitecture = "sm_90";

/// The rows of a data-driven test: one a compiler.
inline void cudaCompilerRows() {
    QTest::addColumn<bool>("nvrtc");
    QTest::newRow("Clang's NVPTX target") << false;
    QTest::newRow("NVRTC") << true;
}

/// Compiles with the compiler of the current row.
class CudaText {
public:
    CudaText() {
        QFETCH(bool, nvrtc);
        if (!nvrtc) return;
        auto compiler = jit::CudaCompiler::create();
        if (compiler.ok())
            nvrtc_ = std::move(*compiler);
        else
            missing_ = QString::fromStdString(compiler.error().message);
    }
    /// Why there is no such compiler here; empty when there is.
    const QString& missing() const { return missing_; }

    /// What is wrong with a generated text, or nothing; warnings count.
    QString problem(const codegen::KernelSource& source) const {
        if (auto found = codegen::verifyScopes(source)) return QString::fromStdString(*found);
        return refusal(source);
    }
    /// What the compiler says of any text.
    QString refusal(const codegen::KernelSource& source) const {
        if (!nvrtc_) {
            auto ptx = jit::previewPtx(source.entry, source.text, kCudaArchitecture);
            if (!ptx.ok()) return QString::fromStdString(ptx.error().str());
            const std::string entry = ".visible .entry " + source.entry;
            return ptx->find(entry) != std::string::npos
                       ? QString()
                       : QString("the PTX has no entry %1").arg(source.entry.c_str());
        }
        auto binary = nvrtc_->compile(source.entry, source.text, kCudaArchitecture, "");
        if (!binary.ok()) return QString::fromStdString(binary.error().str());
        if (!binary->log.empty()) return QString::fromStdString(binary->log);
        return binary->cubin.empty() || binary->ptx.empty() ? "no cubin or no PTX" : QString();
    }

private:
    std::unique_ptr<jit::CudaCompiler> nvrtc_;
    QString missing_;
};

} // namespace cutaway::testing
