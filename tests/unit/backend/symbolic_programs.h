// SPDX-License-Identifier: Apache-2.0
/// \file
/// A function compiled for sizes that are symbols, beside itself run operation by operation.
#pragma once

#include "tests/support/compiled_scripts.h"

#include <QString>

#include <string>

namespace cutaway {

/// f(*inputs) with several sizes against the compiled one: results, and gradients of all inputs.
inline const std::string kEverySize = R"(
def leaves(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [t for part in value for t in leaves(part)]

def run(function, inputs):
    inputs = [t.detach().clone().requires_grad_(t.requires_grad) for t in inputs]
    outputs = leaves(function(*inputs))
    wanted = [o for o in outputs if o.requires_grad]
    if wanted:
        sum([(o * (torch.arange(o.numel()) / o.numel() + 0.5).view(o.shape)).sum() for o in wanted]).backward()
    return outputs + [t.grad for t in inputs if t.grad is not None]

compiled = torch.compile(f, dynamic=True)
for n in (2, 7, 33, 3, 16, 7):
    a = inputs(n)
    got, want = run(compiled, a), run(f, a)
    scale = max([float(y.abs().amax()) for y in want if y.numel()], default=0)
    summed = max(t.numel() for t in a) # values of about one, whose sum may be about zero
    for x, y in zip(got, want):
        limit = 1e-5 * (1 + float(y.abs().amax()) if y.numel() else 1) + 2e-7 * scale + 2e-8 * summed
        if x.shape != y.shape or not torch.allclose(x, y, rtol=1e-4, atol=limit):
            print('size', n, 'differs:', repr(x)[:300], repr(y)[:300])
    if len(got) != len(want):
        print('size', n, 'has', len(got), 'results and gradients, expected', len(want))
)";

class SymbolicPrograms {
public:
    int compilations = 0; ///< of the last run
    QString bySize;       ///< why its graphs were compiled for each combination of sizes

    /// What the script prints, its errors included.
    std::string run(const std::string& text, const std::string& backend) {
        pipeline::RecordBuilder record;
        Counting compiler(toolchain_, options_, eager_, &record);
        std::string out = test::printed(text, backend, eager_, compiler);
        compilations = compiler.compilations;
        bySize.clear();
        for (const record::Function& called : record.record.functions)
            for (const record::Entry& entry : called.entries)
                for (const record::Guard& guard : entry.guards)
                    if (guard.condition.starts_with("are compiled for each"))
                        bySize += QString::fromStdString(guard.condition) + "\n";
        return out;
    }

private:
    struct Counting : backend::BackendCompiler {
        using BackendCompiler::BackendCompiler;
        int compilations = 0;
        base::Result<std::shared_ptr<capture::CompiledGraph>>
        compile(const capture::CapturedFunction& captured, const capture::CompileOptions& options,
                bool gradMode) override {
            ++compilations;
            return BackendCompiler::compile(captured, options, gradMode);
        }
    };

    pipeline::Toolchain toolchain_{""};
    pipeline::Options options_;
    /// Of all programs: an operation on the sizes of an earlier one is not compiled again.
    backend::EagerRunner eager_{toolchain_, options_};
};

} // namespace cutaway
