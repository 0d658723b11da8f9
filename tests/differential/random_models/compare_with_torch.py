# SPDX-License-Identifier: Apache-2.0
"""Runs random models under Cutaway and under PyTorch and compares what they print: outputs,
gradients and inputs.

    random_models --write DIR --seed 1 --count 500
    python3 compare_with_torch.py path/to/cutaway DIR
"""
import contextlib
import io
import math
import pathlib
import subprocess
import sys
import warnings

import torch

# What both print was rounded along different ways: what is looked for is a wrong value.
LIMIT = 2e-3


def under_torch(text):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, "model.py", "exec"), {"__name__": "__main__"})
    return printed.getvalue()


def parsed(line):
    head, _, numbers = line.partition("[")
    words = numbers.rstrip("]").replace("True", "1").replace("False", "0").split(",")
    return head, [float(word) for word in words if word.strip()]


def close(ours, theirs):
    if len(ours) != len(theirs):
        return False
    finite = [x for x in theirs if math.isfinite(x)]
    size = math.sqrt(sum(x * x for x in finite) / len(finite)) if finite else 0
    for x, y in zip(ours, theirs):
        if x == y or (math.isnan(x) and math.isnan(y)):
            continue
        if not abs(x - y) <= LIMIT * (size + abs(y)) + 1e-5:
            return False
    return True


def difference(cutaway, path):
    ran = subprocess.run([cutaway, "run", path], capture_output=True, text=True, timeout=120)
    try:
        theirs = under_torch(path.read_text()).splitlines()
    except Exception as error:
        first = str(error).splitlines()[0] if str(error) else ""
        return "PyTorch refuses: " + type(error).__name__ + ": " + first
    if ran.returncode != 0:
        return "Cutaway: " + (ran.stderr.splitlines() or [f"status {ran.returncode}"])[0]
    ours = ran.stdout.splitlines()
    if len(ours) != len(theirs):
        return f"{len(ours)} lines, PyTorch {len(theirs)}"
    for our, their in zip(ours, theirs):
        (head, numbers), (their_head, their_numbers) = parsed(our), parsed(their)
        if head != their_head or not close(numbers, their_numbers):
            return f"\n  cutaway: {our[:300]}\n  pytorch: {their[:300]}"
    return None


def main():
    cutaway, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    warnings.simplefilter("ignore")
    torch.compile = lambda function: function  # PyTorch's eager is the oracle
    paths = sorted(folder.glob("*.py"), key=lambda path: int(path.stem.split("_")[-1]))
    different = 0
    for path in paths:
        problem = difference(cutaway, path)
        if problem:
            different += 1
            print(path.name, problem, flush=True)
    print(f"{len(paths)} models, {different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
