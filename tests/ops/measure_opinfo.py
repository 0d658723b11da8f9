# SPDX-License-Identifier: Apache-2.0
"""How many operators of PyTorch's own operator database (OpInfo) give PyTorch's results here:

    python3 measure_opinfo.py [--dtype float32] [--compiled] [--only REGEX] [--samples 4]
                              [--show NAME] [--out FILE.json] TOOL
    python3 measure_opinfo.py --write FOLDER [...] TOOL       scripts and PyTorch's output only
    python3 measure_opinfo.py --judge FOLDER [--device cuda] [--compiled] TOOL       without PyTorch

needs PyTorch, expecttest and scipy, and is no part of the build. Every operator becomes one script
that calls it on up to --samples small inputs and takes the gradient; the script runs under PyTorch and
under `TOOL run`; dtype, shape and values must agree, or be as near to the result in float64 as
PyTorch's are (ways to round on the way differ). Prints a line for every operator that fails, with
the first difference or message, then counts. --show prints one operator's script."""
import argparse
import cmath
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

warnings.filterwarnings("ignore")
PRELUDE = """import torch
import torch.nn.functional
nan = float("nan")
inf = float("inf")

def flat(value):
    if isinstance(value, (list, tuple)):
        found = []
        for item in value:
            found += flat(item)
        return found
    return [value]

def show(kind, value):
    if isinstance(value, torch.Tensor):
        print(kind, str(value.dtype), list(value.shape), value.detach().clone().resolve_conj().reshape(-1).tolist())
    else:
        print(kind, value)

def ordered(values, vectors):
    order = values.abs().argsort(-1)
    return [values.abs().gather(-1, order), vectors.abs().gather(-1, order.unsqueeze(-2).expand(vectors.shape))]

def weights(t):
    return torch.tensor([0.25 + 0.5 * (i * 7 % 5) for i in range(t.numel())], dtype=t.dtype).reshape(t.shape)

def sample(f, inputs, wanted):
    torch.manual_seed(3)
    outputs = flat(f(*inputs))
    for value in outputs:
        show("OUT", value)
    if not wanted:
        return
    loss = None
    for value in outputs:
        if isinstance(value, torch.Tensor) and value.requires_grad:
            real = torch.view_as_real(value.resolve_conj()) if value.is_complex() else value
            part = (real * weights(real)).sum()
            loss = part if loss is None else loss + part
    if loss is not None:
        loss.backward()
        for value in inputs:
            if isinstance(value, torch.Tensor) and value.is_leaf and value.requires_grad and value.grad is not None:
                show("GRAD", value.grad)
"""


GENERATOR = threading.Lock()  # PyTorch's default generator is everybody's


class NotExpressible(Exception):
    pass


# What a person writes where it is not name(arguments); {0} is the input, {n} the n-th argument,
# {named} what is given by name.
FORMS = {
    "as_strided_partial_views": None, "svd_lowrank": "[v.abs() for v in torch.svd_lowrank({0} @ {1}.mT{named})]",
    "pca_lowrank": "[v.abs() for v in torch.pca_lowrank({0} @ {1}.mT{named})]", "normal_in_place": "{0}.clone().normal_({rest})",
    "max_pool2d_with_indices_backward": None, "einsum": "torch.einsum({1}, {0})",
    "where": "torch.where({1}, {0}, {2})", "slice": "torch.ops.aten.slice({all})",
    "nn_functional_embedding": "torch.nn.functional.embedding({1}, {0}{more})",
    "linalg_pinv_singular": "torch.linalg.pinv({0} @ {1}.mT)", "zero_": "torch.zero_({0}.clone())",
    **{n: "{0}." + n for n in ("T", "H", "mT", "mH")},
    **{n: "{0}." + n + "({rest})" for n in (
        "bfloat16", "bool", "double", "float", "half", "int", "long", "short", "cdouble", "cfloat", "chalf")},
    **{n: "{0}." + n + "_({rest})" for n in ("cauchy", "exponential", "geometric", "log_normal", "uniform")},
    **{f"polygamma_polygamma_n_{n}": "torch.polygamma({1}, {0})" for n in range(5)},
    "special_polygamma_special_polygamma_n_0": "torch.special.polygamma({1}, {0})",
    # vectors are right up to their signs, as OpInfo compares them
    "linalg_eig": "[v.abs() for v in torch.linalg.eig({all})]",
    "linalg_eigh": "[v if k == 0 else v.abs() for k, v in enumerate(torch.linalg.eigh({all}))]",
    # what is not written to has any value
    **{n: "torch.zeros_like(torch." + n + "({all}))" for n in (
        "empty", "empty_like", "empty_permuted", "empty_strided")},
    **{n: "torch.zeros_like({0}." + n + "({rest}))" for n in ("new_empty", "new_empty_strided")},
}


# the order of complex eigenvalues is the algorithm's
COMPLEX_FORMS = {
    "linalg_eig": "ordered(*torch.linalg.eig({all}))",
    "linalg_eigvals": "torch.linalg.eigvals({all}).abs().sort(-1)[0]",
    # vectors are right up to their phases
    "linalg_svd": "[v.abs() for v in torch.linalg.svd({all})]",
    "svd": "[v.abs() for v in torch.svd({all})]",
}


def spelling(op, dtype):
    r"""The call of \p op as text, its arguments in braces."""
    if dtype.is_complex and op.formatted_name in COMPLEX_FORMS:
        return COMPLEX_FORMS[op.formatted_name]
    if op.formatted_name in FORMS:
        form = FORMS[op.formatted_name]
        if form is None:
            raise NotExpressible(op.name)
        return form
    for prefix, at in (("torch.", torch), ("torch.ops.aten.", torch.ops.aten)):
        for part in op.name.split("."):
            at = getattr(at, part, None)
        if at is not None and not op.name.startswith("__"):
            return prefix + op.name + "({all})"
        if hasattr(torch.Tensor, op.name):
            return "{0}." + op.name + "({rest})"
    raise NotExpressible(op.name)


class Writer:
    """A sample's arguments as text; tensors become parameters."""

    def __init__(self):
        self.tensors = []

    def text(self, value):
        if isinstance(value, torch.Tensor):
            for k, known in enumerate(self.tensors):
                if known is value:
                    return f"a{k}"
            self.tensors.append(value)
            return f"a{len(self.tensors) - 1}"
        if isinstance(value, torch.Size):
            return self.text(list(value))
        if isinstance(value, list):
            return "[" + ", ".join(map(self.text, value)) + "]"
        if isinstance(value, tuple):
            return "(" + "".join(self.text(v) + ", " for v in value) + ")"
        if isinstance(value, slice):
            return f"slice({self.text(value.start)}, {self.text(value.stop)}, {self.text(value.step)})"
        if isinstance(value, torch.device):
            return repr(str(value))
        if type(value) is torch.nn.PairwiseDistance:
            return f"torch.nn.PairwiseDistance({value.norm}, {value.eps}, {value.keepdim})"
        if value is None or value is Ellipsis or isinstance(
                value, (bool, int, float, str, complex, torch.dtype, torch.memory_format, torch.layout)):
            return "..." if value is Ellipsis else repr(value)
        raise NotExpressible(type(value).__name__)


def literal(t):
    if t.layout != torch.strided or t.is_quantized:
        raise NotExpressible(str(t.layout))
    d = t.detach()
    return f"torch.tensor({d.reshape(-1).tolist()}, dtype={d.dtype}).reshape({list(d.shape)})"


def size_of(sample):
    total = 0

    def add(value):
        nonlocal total
        if isinstance(value, torch.Tensor):
            total += value.numel()
        elif isinstance(value, (list, tuple)):
            for v in value:
                add(v)

    add([sample.input, sample.args, list(sample.kwargs.values())])
    return total


def script_of(op, dtype, limit, compiled):
    gradient = op.supports_autograd and dtype in op.supported_backward_dtypes("cpu")
    form = spelling(op, dtype)
    parts, kept = [], 0
    torch.manual_seed(0)
    samples = list(op.sample_inputs("cpu", dtype, requires_grad=gradient))
    small = [s for s in samples if size_of(s) <= 2000]
    for sample in small or [s for s in samples if size_of(s) <= 30000]:
        writer = Writer()
        first = writer.text(sample.input)
        rest = [writer.text(a) for a in sample.args]
        more = [f"{k}={writer.text(v)}" for k, v in sample.kwargs.items()]
        call = form.format(first, *rest, rest=", ".join(rest + more), all=", ".join([first] + rest + more),
                           more="".join(", " + m for m in rest[1:] + more), named="".join(", " + m for m in more))
        params = ", ".join(f"a{k}" for k in range(len(writer.tensors)))
        made = "".join(f"{literal(t)}{'.requires_grad_()' if t.requires_grad else ''}, "
                       for t in writer.tensors)
        wrap = "@torch.compile\n" if compiled else ""
        parts.append(f"print('SAMPLE')\n{wrap}def f{kept}({params}):\n    return {call}\n"
                     f"sample(f{kept}, ({made}), {gradient})\n")
        kept += 1
        if kept == limit:
            break
    if not parts:
        raise NotExpressible("no small sample")
    return PRELUDE + "\n" + "\n".join(parts), PRELUDE + "\n" + "\n".join(
        p.replace("@torch.compile\n", "") for p in parts)


def reference(text):
    """What PyTorch prints, and whether it drew random numbers on the way."""
    lines, drawn, seed = [], [False], torch.manual_seed
    seeded = seed(3).get_state()

    def watched(number):
        drawn[0] |= not torch.equal(torch.get_rng_state(), seeded)
        return seed(number)

    torch.manual_seed = watched
    try:
        exec(compile(text, "<sample>", "exec"),
             {"__name__": "__main__", "print": lambda *words: lines.append(" ".join(map(str, words)))})
    finally:
        torch.manual_seed = seed
    drawn[0] |= not torch.equal(torch.get_rng_state(), seeded)
    return "\n".join(lines), drawn[0]


TENSOR = re.compile(r"(torch\.\w+) (\[[^\]]*\]) (\[.*\])$")
NAMES = {"nan": math.nan, "inf": math.inf, "nanj": complex(0, math.nan), "infj": complex(0, math.inf)}


def same(ours, theirs, exact):
    a, b = ours.split(" ", 1), theirs.split(" ", 1)
    if a[0] != b[0]:
        return False
    x, y = (TENSOR.match(s[1]) if len(s) > 1 else None for s in (a, b))
    if not x or not y:
        return a == b or numbers(a[1:], b[1:])
    if x[1] != y[1] or x[2] != y[2]:
        return False
    mine, yours = eval(x[3], NAMES), eval(y[3], NAMES)
    return close(mine, yours, x[1]) or as_near(mine, yours, exact, x[1])


def as_near(ours, theirs, exact, dtype):
    """Not more than twice as far from the result in float64 as PyTorch's worst element."""
    z = TENSOR.match(exact.split(" ", 1)[-1])
    values = eval(z[3], NAMES) if z else []
    if not dtype.startswith(("torch.float", "torch.bfloat", "torch.complex")) or len(values) != len(theirs):
        return False
    finite = cmath.isfinite
    far = max((abs(q - e) for q, e in zip(theirs, values) if finite(q) and finite(e)), default=0)
    return all(p == q or (p != p and q != q) or (finite(q) and abs(p - e) <= 2 * far)
               for p, q, e in zip(ours, theirs, values))


def numbers(a, b):
    try:
        return close([float(a[0])], [float(b[0])], "torch.float32")
    except (ValueError, IndexError):
        return False


def close(a, b, dtype):
    if len(a) != len(b):
        return False
    if not dtype.startswith(("torch.float", "torch.bfloat", "torch.complex")):
        return a == b
    rough = {"torch.float16": 2e-3, "torch.bfloat16": 2e-2, "torch.float64": 1e-7}.get(dtype, 1e-4)
    least = 1e-5 if dtype in ("torch.float16", "torch.bfloat16") else 1e-7
    finite = [abs(v) for v in b if not (v != v or abs(v) == math.inf)]
    scale = max(finite, default=0)
    for p, q in zip(a, b):
        if p == q or (p != p and q != q):
            continue
        if not abs(p - q) <= rough * abs(q) + 0.1 * rough * scale + least:
            return False
    return True


def expected(op, dtype, limit, compiled):
    """The script, what PyTorch prints for it and for its float64 form, or why there is none."""
    with GENERATOR:
        try:
            text, plain = script_of(op, dtype, limit, compiled)
            wanted, random = reference(plain)
        except NotExpressible as e:
            return "", "", "", f"not expressible: {e}"
        except Exception as e:  # what PyTorch itself refuses measures nothing
            return "", "", "", f"PyTorch: {type(e).__name__}: {e}".splitlines()[0]
        exact = ""
        if not random and dtype in (torch.float16, torch.bfloat16, torch.float32, torch.complex64):
            try:
                wide = plain.replace("torch.complex64", "torch.complex128").replace("torch.float32", "torch.float64")
                exact = reference(wide.replace(str(dtype), "torch.float64"))[0]
            except Exception:
                pass
    return text, wanted, exact, ""


def measure(tool, op, dtype, limit, compiled):
    text, wanted, exact, why = expected(op, dtype, limit, compiled)
    return judge(tool, text, wanted, exact) if text else ("skipped", why)


def compiled_form(text):
    return re.sub(r"^(def f\d+\()", r"@torch.compile\n\1", text, flags=re.M)


def judge(tool, text, wanted, exact):
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as f:
        f.write(text)
    try:
        done = subprocess.run([tool, "run", f.name], capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return "fail", "took more than 300 s"
    finally:
        os.unlink(f.name)
    theirs = wanted.strip().split("\n")
    ours = done.stdout.strip().split("\n")
    doubles = exact.strip().split("\n")
    if len(doubles) != len(theirs):
        doubles = [""] * len(theirs)
    for k, line in enumerate(theirs):
        if k >= len(ours) or not same(ours[k], line, doubles[k]):
            break
    else:
        return ("pass", "") if len(ours) == len(theirs) else ("fail", "more lines than PyTorch prints")
    samples = sum(line == "SAMPLE" for line in theirs[:k]) - 1
    if k < len(ours):
        return "fail", f"sample {samples}: {ours[k][:110]} | PyTorch: {line[:110]}"
    said = [s for s in done.stderr.strip().split("\n") if "error" in s] or ["ended early"]
    return "fail", f"sample {samples}: " + re.sub(r"^.*?\.py:\d+:\d+: ", "", said[0])[:200]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--show")
    parser.add_argument("--out")
    parser.add_argument("--write")
    parser.add_argument("--judge")
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    if args.judge:
        folder = pathlib.Path(args.judge)
        args.dtype = folder.name
        default = f"import torch\ntorch.set_default_device({args.device!r})\n"
        form = compiled_form if args.compiled else str
        return report(args, {f.stem: lambda f=f: judge(args.tool, default + form(f.read_text()),
                                                       f.with_suffix(".expected").read_text(),
                                                       f.with_suffix(".exact").read_text())
                             for f in sorted(folder.glob("*.py")) if re.search(args.only, f.stem)})
    global torch
    import torch
    from torch.testing._internal.common_methods_invocations import op_db
    dtype = getattr(torch, args.dtype)
    ops = {}
    for op in op_db:
        if dtype in op.supported_dtypes("cpu") and re.search(args.only, op.formatted_name):
            ops[op.formatted_name] = op
    if args.show:
        print(script_of(ops[args.show], dtype, args.samples, args.compiled)[0])
        return
    if args.write:
        folder = pathlib.Path(args.write)
        folder.mkdir(parents=True, exist_ok=True)
        for n, op in sorted(ops.items()):
            text, wanted, exact, why = expected(op, dtype, args.samples, args.compiled)
            if not text:
                print(f"{n}: {why}")
                continue
            for ending, content in ((".py", text), (".expected", wanted), (".exact", exact)):
                (folder / (n + ending)).write_text(content)
        return
    report(args, {n: lambda op=op: measure(args.tool, op, dtype, args.samples, args.compiled)
                  for n, op in sorted(ops.items())})


def report(args, measurements):
    results = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {n: pool.submit(work) for n, work in measurements.items()}
        for n, job in jobs.items():
            results[n] = job.result()
            if results[n][0] != "pass":
                print(f"{results[n][0]:8}{n}: {results[n][1]}", flush=True)
    counts = {s: sum(r[0] == s for r in results.values()) for s in ("pass", "fail", "skipped")}
    print(f"{args.dtype}{', compiled' if args.compiled else ''}: " +
          ", ".join(f"{v} {k}" for k, v in counts.items()) + f" of {len(results)}")
    if args.out:
        with open(args.out, "w") as f:
            json.dump(results, f, indent=1)


if __name__ == "__main__":
    main()
