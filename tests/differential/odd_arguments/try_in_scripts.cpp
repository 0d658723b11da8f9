// SPDX-License-Identifier: Apache-2.0
#include "tries.h"

#include "core/driver/session.h"
#include "core/jit/quick_code.h"
#include "core/ops/call_forms.h"
#include "tests/differential/random_models/catalogue_call.h"
#include "tests/ops/sample_graph.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cutaway::testing {

namespace {

constexpr std::string_view kPrelude = R"(import torch

nan, inf = float("nan"), float("inf")
kLooked = 500

def flat(value):
    if isinstance(value, (list, tuple)):
        return [v for item in value for v in flat(item)]
    return [value]

def seen(value, looks, lies):
    if not isinstance(value, torch.Tensor):
        return (str(value) if looks else type(value).__name__, [])
    real = torch.view_as_real(value.detach().resolve_conj()) if value.is_complex() else value.detach()
    numbers = real.reshape(-1)[:kLooked].tolist() if looks else []
    steps = [step for size, step in zip(value.shape, value.stride()) if size > 1 and value.numel()]
    return (f"{value.dtype} {list(value.shape)} {steps if lies else ''} {value.requires_grad}", numbers)

def weights(t):
    n = t.numel()
    if n > kLooked or not t.is_contiguous():
        return torch.ones_like(t)
    return torch.tensor([0.25 + 0.5 * (i * 7 % 5) for i in range(n)], dtype=t.dtype).reshape(t.shape)

def outcome(f, make, looks, lies):
    given = make()
    try:
        torch.manual_seed(3)
        results = flat(f(*given))
        found = [seen(r, looks, lies) for r in results]
        roots = [r for r in results if isinstance(r, torch.Tensor) and r.requires_grad]
        leaves = [g for g in given if g.requires_grad]
        if roots and leaves:
            gradients = torch.autograd.grad(roots, leaves, [weights(r) for r in roots], allow_unused=True)
            found += [seen(g, looks, lies) for g in gradients]
        return found, None
    except Exception as e:
        return None, type(e).__name__ + ": " + str(e)

def close(a, b, rough):
    size = max([abs(v) for v in a if abs(v) < 1e300], default=0)
    for p, q in zip(a, b):
        if p == q or (p != p and q != q):
            continue
        if not abs(p - q) <= rough * (size + abs(p)):
            return False
    return len(a) == len(b)

def difference(eager, compiled, halves):
    if len(eager) != len(compiled):
        return f"compiled gives {len(compiled)} values, eager {len(eager)}"
    for a, b in zip(eager, compiled):
        rough = 2e-2 if halves else 1e-7 if "64" in a[0] and "complex64" not in a[0] else 1e-4
        if a[0] != b[0] or not close(a[1], b[1], rough):
            return f"compiled gives {b[0]} {b[1][:8]}, eager {a[0]} {a[1][:8]}"
    return None

def look(number, f, compiled, make, looks, lies, halves):
    print(f"@{number}")
    found, refusal = outcome(f, make, looks, lies)
    again, other = outcome(compiled, make, looks, lies)
    # What complex operations are made of has words of its own in a graph: there the class counts.
    if refusal and other and any(t.is_complex() for t in make()):
        refusal, other = refusal.split(":")[0], other.split(":")[0]
    if refusal != other:
        print(f"!compiled: {other or 'done'}, eager: {refusal or 'done'}".replace("\n", " "))
    elif refusal is None:
        print("+")
        wrong = difference(found, again, halves)
        if wrong:
            print("!" + wrong)
)";

std::string textOf(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    const std::string text = fmt::format("{}", value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// An expression that makes the tensor.
std::string textOf(const ops::SampleTensor& tensor, std::mt19937_64& random) {
    ops::SampleTensor real = tensor;
    const bool complex = ir::isComplex(tensor.dtype);
    if (complex) real.dtype = ir::DType::Float32;
    const ir::HostTensor values = tests::sampleValues(real, real.dtype, random);
    std::vector<std::string> texts;
    for (int64_t i = 0; i < values.numel(); ++i) {
        if (ir::isIntegral(values.dtype))
            texts.push_back(std::to_string(values.getInt(i)));
        else if (complex)
            texts.push_back(fmt::format("complex({}, {})", textOf(values.get(i)),
                                        textOf(values.get(values.numel() - 1 - i))));
        else
            texts.push_back(textOf(values.get(i)));
    }
    std::vector<int64_t> sizes = tensor.sizes;
    const bool transposed = tensor.transposed && sizes.size() >= 2;
    if (transposed) std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
    std::string text = fmt::format("torch.tensor([{}], dtype=torch.{}).reshape({})",
                                   fmt::join(texts, ", "), ir::name(tensor.dtype), sizes);
    if (transposed) text += ".mT";
    if (ir::isFloating(tensor.dtype) || complex) text += ".requires_grad_()";
    return text;
}

std::string textOf(const OddCall& call, size_t number) {
    std::mt19937_64 random(7);
    std::vector<std::string> names, tensors;
    for (size_t k = 0; k < call.sample.tensors.size(); ++k) {
        names.push_back(fmt::format("x{}", k));
        tensors.push_back(textOf(call.sample.tensors[k], random));
    }
    const CatalogueCall named{call.def, &call.sample, {}, false};
    const bool looks = !call.def->isRandom() && call.def->name().find("empty") == std::string::npos;
    // Attention differentiated by its own kernel lies in rows (DIFFERENCES.md).
    const bool lies = call.def->name().find("attention") == std::string::npos;
    const std::string made = fmt::format("{}", fmt::join(tensors, ", ")), said = named.text(names);
    // Roundings to the narrowest dtype on the way are fewer in a kernel.
    const auto narrow = [](const std::string& text) {
        return text.find("float16") != text.npos || text.find("float8") != text.npos;
    };
    const auto word = [](bool value) { return value ? "True" : "False"; };
    return fmt::format("def f({}):\n    return {}\n"
                       "look({}, f, torch.compile(f), lambda: [{}], {}, {}, {})\n",
                       fmt::join(names, ", "), said, number, made, word(looks), word(lies),
                       word(narrow(made) || narrow(said)));
}

/// Whether a script can say it, and what it wants is not too large.
bool isTried(const OddCall& call) {
    if (ops::isInternal(*call.def) || call.def->name().starts_with("prims.")) return false;
    int64_t elements = 0;
    for (const ops::SampleTensor& tensor : call.sample.tensors) {
        int64_t each = 1;
        for (int64_t size : tensor.sizes)
            each *= size;
        elements += each;
    }
    return elements <= 20000 && resultBytes(call) <= kLargest;
}

} // namespace

void tryInScripts(std::span<const OddCall> calls, size_t begin, const std::string& cache,
                  const Say& say) {
    const jit::QuickCode quick;
    driver::Tools tools(cache);
    for (size_t next = begin; next < calls.size();) {
        std::string text(kPrelude);
        size_t at = next;
        for (; next < calls.size(); ++next)
            if (isTried(calls[next])) text += textOf(calls[next], next);
        driver::SessionOptions options;
        options.path = "odd.py";
        options.text = text;
        options.threads = 1;
        std::string line;
        options.print = [&](std::string_view printed) {
            for (char c : printed) {
                if (c != '\n') {
                    line += c;
                    continue;
                }
                if (line.starts_with('@')) at = std::stoul(line.substr(1));
                if (line.starts_with('!'))
                    say(line.substr(1) + "\n    " + textOf(calls[at]));
                else
                    say(line);
                line.clear();
            }
        };
        const auto ran = driver::runScript(tools, options);
        if (ran.ok()) return;
        say(ran.error().str() + "\n    " + textOf(calls[at]));
        next = at + 1;
    }
}

} // namespace cutaway::testing
