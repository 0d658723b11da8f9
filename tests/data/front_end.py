# SPDX-License-Identifier: Apache-2.0
# What scripts ask of the front end beside their formulas: out=, sizes changed in place, methods of torch.Tensor by
# name, numbers where tensors are wanted and the other way round, settings for a while, backends that run the graph
# themselves. What PyTorch printed: front_end.txt.
import functools
from typing import Dict, List, Tuple

import torch
import torch.nn as nn

compiled = False


def own(gm, example_inputs):
    return gm.forward


def maybe(f):
    return torch.compile(f, backend=own) if compiled else f


def say(what, f, *args):
    try:
        found = maybe(f)(*args)
    except Exception as e:
        found = "RuntimeError" if isinstance(e, RuntimeError) else type(e).__name__
    print(what, found)


x = torch.arange(6.0).reshape(2, 3)
n = torch.arange(6).reshape(2, 3)


def outs(x):
    a, b, c = torch.empty(0), torch.empty(2, 3), torch.empty(3)
    d = torch.sin(x, out=b)
    torch.add(x, 2, alpha=3, out=a)
    torch.sum(x, 0, out=c)
    values, places = torch.empty(3), torch.empty(3, dtype=torch.int64)
    torch.max(x, 0, out=(values, places))
    torch.arange(3, out=c)
    return a, b, c, d is b, values, places


say("out=", outs, x)
say("out= of another dtype", lambda x: torch.sin(x, out=torch.empty(2, 3, dtype=torch.int64)), x)
say("out= and a gradient", lambda x: torch.sin(x, out=torch.empty(2, 3, requires_grad=True)), x)


def reshaped(x):
    y = x.clone()
    y.unsqueeze_(0)
    y.squeeze_()
    y.t_()
    z = x * 2
    z.transpose_(0, 1).unsqueeze_(-1)
    z.add_(1)
    return y, z, z.shape, y.stride()


say("sizes in place", reshaped, x)


def reshaped_gradient():
    leaf = torch.ones(2, 3, requires_grad=True)
    y = leaf * 2
    y.unsqueeze_(1)
    y.mul_(3)
    (y * torch.arange(6.0).reshape(2, 1, 3)).sum().backward()
    return leaf.grad, y.shape


print("their gradient", *reshaped_gradient())
say("of a leaf", lambda leaf: leaf.unsqueeze_(0), torch.ones(2, requires_grad=True))


# A tensor of the function's own gets other sizes behind operations that read it: no graph breaks there.
def turned(x, w):
    v = x.amax(0)
    y = w / (v.abs() + 1)
    v.t_()
    return v, y


def turned_views(x, w):
    v = x * 2
    row, column = v[0], v.view(-1)
    z = v.sin() * w
    v.transpose_(0, 1)
    v.unsqueeze_(0).mul_(3)
    row.unsqueeze_(-1)
    v[0, 1] += row[2]
    column.add_(1)
    return v, row, column, z, v.shape, v.stride(), row.stride()


def turned_input(x, w):
    v = x.view(-1)
    v.unsqueeze_(0)
    v.add_(w.sum().detach())
    return v, v.shape


def turned_inside(x, w):
    v = w * 2
    v.t_()
    (v * v).sum().backward()
    return v, w.grad


for f in (turned, turned_views, turned_input, turned_inside):
    for call in (f, torch.compile(f, backend="aot_eager", fullgraph=f is not turned_inside)):
        of, w = torch.arange(6.).reshape(2, 3), torch.ones(2, 3, requires_grad=True)
        if f is turned: of = of.unsqueeze(0)
        results = call(of, w)
        if results[-1] is not w.grad and any(isinstance(r, torch.Tensor) and r.requires_grad for r in results):
            sum(r.sum() for r in results if isinstance(r, torch.Tensor)).backward()
        print(f.__name__, *(r.detach() if isinstance(r, torch.Tensor) else r for r in results), of, w.grad)

say("methods by name", lambda x: (torch.Tensor.add(x, 1), torch.Tensor.abs_(x - 3), torch.Tensor.size(x),
                                  torch.Tensor.sum(x, 0), torch.Tensor.unsqueeze_(x * 1, 0).shape), x)
say("mapped", lambda x: list(map(torch.Tensor.item, x[0])), x)
say("numbers as tensors", lambda: (torch.add(2, 3), torch.mul(2, 1.5), torch.div(7, 2, rounding_mode="floor"),
                                   torch.sub(2, 3), torch.true_divide(1, 4)))
say("a number first", lambda n: (torch.div(12, n + 1), torch.sub(1, n), torch.floor_divide(7, n + 1)), n)
say("no number", lambda: torch.sin(3))
say("tensors as ints", lambda x, k: (x.permute(k, k - 1), x.reshape(k + 2, -1), torch.topk(x, k, 1).values,
                                     x.narrow(1, k, 1), x.sum(k)), x, torch.tensor(1))
say("classes as dtypes", lambda: (torch.ones(2, dtype=float), torch.zeros(2, dtype=int), torch.tensor(1, dtype=bool),
                                  x.to(dtype=int), x.new_ones(2, dtype=float)))
say("a range", lambda: torch.tensor(range(4)))
say("the least and the most", lambda x: (max(x.sum(), x.mean()), min(x.sum(), x.mean())), x)
say("sizes", lambda x: (x.size() + x.size(), x.shape + (1,), (1,) + x.shape, x.shape * 2, x.shape.index(3),
                        x.shape.count(2), isinstance(x.shape, tuple)), x)
say("new", lambda x: (x.new(x.shape).shape, x.new([1, 2]), x.new(2, 1).shape), x)


class Stages(list):
    def __call__(self, x):
        for stage in self:
            x = stage(x)
        return x


say("a list that is called", lambda x: Stages([torch.sin, torch.cos])(x), x)
say("operations in place", lambda x: (torch.ops.aten.index_put_(x.clone(), [torch.tensor([0])], torch.tensor(9.0)),
                                      torch.ops.aten.relu_(x - 2), torch.ops.aten.add_.Tensor(x * 1, 1)), x)
say("keywords", lambda x: (torch.addcdiv(x, x, x + 1, value=5.0), x.clone().add_(x, alpha=2.0),
                           torch.zeros(2, dtype=torch.float64), torch.ones_like(x, dtype=torch.int32),
                           torch.full((2,), 7), x.sum(0, dtype=torch.float64)), x)
say("of its elements", lambda xs: (torch.jit.isinstance(xs, List[torch.Tensor]), torch.jit.isinstance(xs, List[int]),
                                   torch.jit.isinstance({"a": 1}, Dict[str, int]),
                                   torch.jit.isinstance((1, "b"), Tuple[int, str])), [x])
say("like a tensor", lambda x: (torch.overrides.is_tensor_like(x), torch.overrides.is_tensor_like(3)), x)
say("checked", lambda x: torch._check(x.shape[0] == 3, lambda: "three rows"), x)
say("fans", lambda: (nn.init._calculate_correct_fan(torch.ones(2, 3, 5), "fan_in"),
                     nn.init._calculate_correct_fan(torch.ones(2, 3, 5), "fan_out")))
say("annotated", lambda: torch.jit.annotate(List[int], []))

say("by class", lambda x: (x.type(torch.HalfTensor).dtype, x.to(int).dtype, x.type("torch.DoubleTensor").dtype), x)
say("pairs", lambda: (nn.modules.utils._pair(3), nn.modules.utils._triple((1, 2, 3))))
say("reductions", lambda: [nn.functional._Reduction.get_enum(r) for r in ("none", "mean", "sum")])

from torch.utils import _pytree as pytree


def doubled(nest):
    leaves, spec = pytree.tree_flatten(nest)
    again = pytree.tree_unflatten([leaf * 2 for leaf in leaves], spec)
    return again, pytree.tree_map(lambda a, b: a - b, nest, again), spec.num_leaves


say("nests", doubled, {"a": [x[0], (x[1], x[0, 0])], "b": x[1, 1]})
say("of one type", lambda nest: pytree.tree_map_only(torch.Tensor, torch.neg, nest), [x[0], 3, ("a", x[1])])


def marked(x):
    x.purpose = "weights"
    y = x + 1
    y.note = [1, 2]
    return x.purpose, y.note, hasattr(x, "other"), y


say("attributes of tensors", marked, x.clone())


def sized(x):
    return x * 2 if x.shape[0] > 2 else x


for n_rows in (3, 5, 1):
    z = torch.ones(n_rows, 2)
    torch._dynamo.mark_dynamic(z, 0)
    say("marked", sized, z)


class Block(nn.Module):
    def forward(self, x, y):
        return torch.relu(x + y) * torch.relu(y + x) + torch.relu(x + x)


traced = torch.fx.symbolic_trace(Block())
found = torch.fx.replace_pattern(traced, lambda a, b: torch.relu(a + b), lambda a, b: torch.sin(a) - b)
print("replaced", len(found), found[0].anchor.name, traced(x, x - 1))

say("one branch or the other", lambda x: (torch.cond(x.sum() > 3, lambda a: a.sin(), lambda a: a.cos(), (x,)),
                                          torch.cond(x.sum() < 3, torch.sin, torch.cos, (x,))), x)
say("mapped by name", lambda x: torch.func.vmap(lambda a, *, b: a * b.sum())(x, b=x + 1), x)

from torch.autograd.function import Function, once_differentiable


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return g * 3 * ctx.saved_tensors[0] ** 2


leaf = torch.tensor(2.0, requires_grad=True)
print("once", torch.autograd.grad(maybe(lambda x: Cube.apply(x))(leaf), leaf)[0])

for backend in ("eager", "aot_eager", "inductor", own):
    leaf = torch.tensor([2.0, -1.0], requires_grad=True)
    f = lambda x: (Cube.apply(x * 2) + Cube.apply(x)) * x
    y = torch.compile(f, backend=backend)(leaf) if compiled else f(leaf)
    print("a function's gradient", *torch.autograd.grad(y.sum(), leaf))

# Settings for a while.
config = torch._dynamo.config
with config.patch(assume_static_by_default=False):
    print("inside", config.assume_static_by_default)
print("outside", config.assume_static_by_default)


@config.patch("recompile_limit", 2)
def limit():
    return config.recompile_limit


print("decorated", limit(), config.recompile_limit)


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        torch._dynamo.graph_break()
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * x.cos()


leaf = torch.tensor(0.5, requires_grad=True)
y = maybe(lambda x: Sine.apply(x) * 2)(leaf)
print("a break in a function's forward", y.detach(), torch.autograd.grad(y, leaf)[0])

from torch._dynamo.testing import CompileCounter, EagerAndRecordGraphs, same

count, kept = CompileCounter(), EagerAndRecordGraphs()
print("the same", same(torch.compile(lambda x: torch.sin(x), backend=count)(x), torch.sin(x)), same([x], [x + 1]),
      same({"a": 1.0}, {"a": 1.0}))
torch.compile(lambda x: x.sin() + 1, backend=kept)(x)
print("counted", count.frame_count, count.op_count, len(kept.graphs))


def assigned(w):
    o = w.detach() + 1
    w.grad = o
    return o


leaf = torch.ones(2, requires_grad=True)
print("an assigned gradient is the object", assigned(leaf) is leaf.grad, torch.compile(assigned)(leaf) is leaf.grad)


def grown_behind(x, items):
    """An iterator that has ended stays so, though its list grows."""
    it = iter(items)
    seen = [i for i in it]
    items.append(7)
    again = [i for i in it]
    return x * len(seen) + len(again), next(it, "end"), it


for function in (grown_behind, torch.compile(grown_behind)):
    for items in ([], [1, 2]):
        y, end, it = function(torch.ones(2), items)
        items.append(8)
        print("grown", y.tolist(), end, list(it), items)
