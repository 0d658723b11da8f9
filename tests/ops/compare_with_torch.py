# SPDX-License-Identifier: Apache-2.0
"""Runs every sample call of the catalogue in PyTorch and compares dtype, shape, strides of views and
values with our reference: dump_op_samples | python3 compare_with_torch.py [--record FILE]

--record writes what PyTorch gives for composites, which have no reference of their own:
test_ops_recorded reads it from tests/data/composites_by_torch.txt.

dump_op_samples --layouts | python3 compare_with_torch.py --strides FILE writes the strides of PyTorch's
results for every layout of the inputs: test_ops_strides reads them from tests/data/strides_by_torch.txt."""
import itertools
import json
import sys

import torch


def tensor(text):
    dtype = getattr(torch, text["dtype"])
    value = torch.tensor(text["values"], dtype=torch.float64).to(dtype).reshape(text["sizes"])
    if text["transposed"] and value.dim() >= 2:
        value = value.transpose(-1, -2).contiguous().transpose(-1, -2)
    return value


def laid_out(text):
    """The tensor with the strides that its text asks for."""
    value, strides = tensor(text["tensor"]), text["strides"]
    length = 1 + sum((n - 1) * s for n, s in zip(value.shape, strides)) if value.numel() else 0
    found = torch.zeros(length, dtype=value.dtype).as_strided(value.shape, strides)
    if strides and strides[0] == 0 and value.shape[0] > 1:
        found[:1].copy_(value[:1])  # an expanded tensor
    else:
        found.copy_(value)
    return found


def argument(arg, inputs):
    if isinstance(arg, list):
        return [argument(a, inputs) for a in arg]
    if isinstance(arg, dict):
        if "tensor" in arg:
            return inputs[arg["tensor"]]
        if "float" in arg:
            return float(arg["float"])
        if "dtype" in arg:
            return getattr(torch, arg["dtype"])
        return torch.device(arg["device"])
    if arg == "contiguous_format":
        return torch.contiguous_format
    return arg


def overload(name):
    space = torch.ops.aten
    if name.startswith("prims."):
        space, name = torch.ops.prims, name[6:]
    base, _, rest = name.partition(".")
    packet = getattr(space, base)
    # An overload of our own ("addmm.scaled") is one of PyTorch's default's forms.
    return getattr(packet, rest or "default", None) or packet.default


def results(call, inputs):
    positional, keywords = [], {}
    for (name, keyword_only), arg in zip(call["schema"], call["args"]):
        value = argument(arg, inputs)
        if keyword_only:
            keywords[name] = value
        else:
            positional.append(value)
    found = overload(call["op"])(*positional, **keywords)
    return list(found) if isinstance(found, (tuple, list)) else [found]


def recorded(call, found):
    """op sample; then for each result its dtype, sizes and values, all separated by blanks."""
    words = [call["op"], str(call["sample"])]
    for value in found:
        words += [str(value.dtype).removeprefix("torch."), "x".join(map(str, value.shape)) or "-"]
        words.append(",".join(f"{v:.8g}" for v in value.reshape(-1).to(torch.float64).tolist()) or "-")
    return " ".join(words)


def difference(call, found):
    if len(found) != len(call["outputs"]):
        return f"{len(call['outputs'])} results, PyTorch {len(found)}"
    for ours, theirs in zip(call["outputs"], found):
        value = tensor(ours["tensor"])
        if theirs is None:
            continue
        if value.dtype != theirs.dtype or value.shape != theirs.shape:
            return f"{value.dtype} {list(value.shape)}, PyTorch {theirs.dtype} {list(theirs.shape)}"
        # Strides of dimensions of size 1 and of empty tensors mean nothing.
        sizes = list(theirs.shape)
        ours_strides = [s for s, n in zip(ours["strides"], sizes) if n > 1]
        their_strides = [s for s, n in zip(theirs.stride(), sizes) if n > 1]
        if call["view"] and theirs.numel() and ours_strides != their_strides:
            return f"strides {ours['strides']}, PyTorch {list(theirs.stride())}"
        try:
            torch.testing.assert_close(value, theirs.contiguous(), rtol=2e-5, atol=2e-6, equal_nan=True)
        except AssertionError as error:
            return f"{str(error).splitlines()[0]} ours {value.flatten()[:8].tolist()}, PyTorch {theirs.flatten()[:8].tolist()}"
    return None


def strides(call):
    """Of the results, "-" for none, "refused"."""
    try:
        found = results(call, [laid_out(t) for t in call["inputs"]])
    except Exception:
        return "refused"
    return ";".join("-" if value is None else str(list(value.stride())).replace(" ", "") for value in found)


def record_strides(file):
    """A line for each sample: operation, number, the strides in the order of the layouts."""
    calls = map(json.loads, sys.stdin)
    with open(file, "w") as out:
        for (op, sample), layouts in itertools.groupby(calls, key=lambda call: (call["op"], call["sample"])):
            print(op, sample, *map(strides, layouts), file=out)


def main():
    if sys.argv[1:2] == ["--strides"]:
        return record_strides(sys.argv[2])
    calls = wrong = skipped = 0
    record = open(sys.argv[2], "w") if sys.argv[1:2] == ["--record"] else None
    for line in sys.stdin:
        call = json.loads(line)
        calls += 1
        try:
            found = results(call, [tensor(t) for t in call["inputs"]])
            if record and call["composite"]:
                print(recorded(call, found), file=record)
            problem = difference(call, found)
        except Exception as error:  # PyTorch refuses the call: worth a look, not always a fault
            skipped += 1
            problem = f"PyTorch refuses: {type(error).__name__}: {str(error).splitlines()[0]}"
        if problem:
            wrong += 1
            print(call["op"], json.dumps(call["args"]), problem)
    print(f"{calls} calls, {wrong} differ, {skipped} of them refused by PyTorch")


main()
