"""Random programs that write through views of views, of inputs and of computed tensors, with breaks in between:
compiled against eager, results, strides and which of them share memory. Prints each that differs, then a count."""
import random

import torch


def program(seed):
    r = random.Random(seed)
    lines = ["def f(x):"]
    names = [("x", (4, 6))]
    outside = r.random() < 0.5
    if not outside:
        lines.append("    y = x * 2"); names = [("y", (4, 6))]
        base = "y"
    else:
        base = "x"
    n = 0
    for k in range(r.randint(3, 9)):
        name, shape = r.choice(names)
        what = r.random()
        new = f"v{n}"
        if what < 0.5:
            c = r.choice(["t", "transpose", "select", "slice", "view", "unsq", "split", "unbind", "diag", "narrow", "chunk", "perm", "flat", "exp", "detach", "step", "squeeze"])
            if c == "t" and len(shape) == 2:
                lines.append(f"    {new} = {name}.t()"); s = (shape[1], shape[0])
            elif c == "transpose" and len(shape) > 1:
                lines.append(f"    {new} = {name}.transpose(0, -1)"); s = (shape[-1],) + shape[1:-1] + (shape[0],)
            elif c == "select" and len(shape) > 0:
                d = r.randrange(len(shape)); i = r.randrange(shape[d])
                lines.append(f"    {new} = {name}.select({d}, {i})"); s = shape[:d] + shape[d+1:]
            elif c == "slice" and len(shape) > 0 and shape[0] > 2:
                lines.append(f"    {new} = {name}[1:-1]"); s = (shape[0] - 2,) + shape[1:]
            elif c == "step" and len(shape) > 1 and shape[1] > 2:
                lines.append(f"    {new} = {name}[:, ::2]"); s = (shape[0], (shape[1] + 1) // 2) + shape[2:]
            elif c == "view":
                m = 1
                for q in shape: m *= q
                lines.append(f"    {new} = {name}.reshape(-1)"); s = (m,)
            elif c == "flat" and len(shape) > 1:
                lines.append(f"    {new} = {name}.flatten(0, 1)"); s = (shape[0] * shape[1],) + shape[2:]
            elif c == "unsq":
                d = r.randrange(len(shape) + 1)
                lines.append(f"    {new} = {name}.unsqueeze({d})"); s = shape[:d] + (1,) + shape[d:]
            elif c == "squeeze":
                lines.append(f"    {new} = {name}.squeeze()"); s = tuple(q for q in shape if q != 1)
            elif c == "split" and len(shape) > 0 and shape[0] > 1:
                lines.append(f"    {new} = {name}.split([1, {shape[0] - 1}])[1]"); s = (shape[0] - 1,) + shape[1:]
            elif c == "chunk" and len(shape) > 0 and shape[-1] > 1 and shape[-1] % 2 == 0:
                lines.append(f"    {new} = {name}.chunk(2, -1)[1]"); s = shape[:-1] + (shape[-1] // 2,)
            elif c == "unbind" and len(shape) > 0:
                lines.append(f"    {new} = {name}.unbind(-1)[0]"); s = shape[:-1]
            elif c == "diag" and len(shape) == 2:
                lines.append(f"    {new} = {name}.diagonal()"); s = (min(shape),)
            elif c == "narrow" and len(shape) > 0 and shape[-1] > 2:
                lines.append(f"    {new} = {name}.narrow(-1, 1, 2)"); s = shape[:-1] + (2,)
            elif c == "perm" and len(shape) == 3:
                lines.append(f"    {new} = {name}.permute(2, 0, 1)"); s = (shape[2], shape[0], shape[1])
            elif c == "detach":
                lines.append(f"    {new} = {name}.detach()"); s = shape
            else:
                continue
            names.append((new, s)); n += 1
        elif what < 0.95:
            c = r.choice(["mul", "add", "zero", "item", "copy", "fill", "relu", "aug", "mask"])
            if c == "mul": lines.append(f"    {name}.mul_({r.randint(2, 3)})")
            elif c == "add": lines.append(f"    {name}.add_({name} * 0.5)")
            elif c == "zero": lines.append(f"    {name}.zero_()")
            elif c == "item" and len(shape) > 0: lines.append(f"    {name}[{r.randrange(shape[0])}] = {r.randint(1, 9)}")
            elif c == "copy": lines.append(f"    {name}.copy_({name} + 1)")
            elif c == "fill": lines.append(f"    {name}.fill_({r.randint(1, 5)})")
            elif c == "relu": lines.append(f"    {name}.sin_()")
            elif c == "aug" and len(shape) > 1: lines.append(f"    {name}[..., 0] += 2")
            elif c == "mask" and len(shape) > 0: lines.append(f"    {name}[{name} > 3] = 0.5")
        else:
            lines.append("    torch._dynamo.graph_break()")
    lines.append("    return (" + ", ".join(v for v, s in names) + (",)" if len(names) == 1 else ")"))
    return "\n".join(lines)


agree = 0
for seed in range(70):
    text = program(seed)
    scope = {"torch": torch}
    exec(text, scope)
    f = scope["f"]
    compiled = torch.compile(f, fullgraph="graph_break" not in text)
    theirs = torch.arange(24.0).reshape(4, 6).sin() * 4
    mine = theirs.clone()
    try:
        wanted = f(theirs)
    except RuntimeError:
        continue  # a legal program is wanted
    good = True
    for call in range(2):
        got = compiled(mine)
        good = good and torch.allclose(mine, theirs) and len(got) == len(wanted)
        for a, b in zip(got, wanted):
            good = good and a.shape == b.shape and a.stride() == b.stride() and torch.allclose(a, b)
        got[-1].add_(1)  # who else sees it?
        wanted[-1].add_(1)
        for a, b in zip((mine,) + got, (theirs,) + wanted):
            good = good and torch.allclose(a, b)
        wanted = f(theirs)
    if good:
        agree += 1
    else:
        print(f"program {seed} differs:\n{text}")
print(agree, "agree")
