# SPDX-License-Identifier: Apache-2.0
# Operations of a script's own: kernels, fakes, gradients, vmap, in place. Recorded: users_operations.txt.
import torch
from torch.library import custom_op, register_fake, triton_op
@custom_op("mylib::scale_add", mutates_args=())
def scale_add(x: torch.Tensor, y: torch.Tensor, alpha: float = 1.0) -> torch.Tensor:
    return x.clone() * alpha + y
@scale_add.register_fake
def _(x, y, alpha=1.0): return torch.empty_like(x)
def setup(ctx, inputs, output):
    x, y, alpha = inputs; ctx.alpha = alpha; ctx.save_for_backward(x)
def back(ctx, g): return g * ctx.alpha, g, None
scale_add.register_autograd(back, setup_context=setup)
x = torch.arange(3., requires_grad=True); y = torch.ones(3, requires_grad=True)
f = lambda x, y: scale_add(x, y, 2.0).sin().sum()
for fn in (f, torch.compile(f, fullgraph=True)):
    x.grad = y.grad = None
    l = fn(x, y); l.backward(); print(round(l.item(), 4), [round(v, 4) for v in x.grad.tolist()], [round(v, 4) for v in y.grad.tolist()])
@custom_op("mylib::inc_", mutates_args=("buf",))
def inc_(buf: torch.Tensor, by: int) -> None:
    buf.add_(by)
@torch.compile(fullgraph=True)
def g(t):
    u = t * 2; inc_(u, 3); return u + 1
print(g(torch.zeros(2)))
b = torch.zeros(2); torch.ops.mylib.inc_(b, 5); print(b)
@custom_op("mylib::split_sum", mutates_args=())
def split_sum(x: torch.Tensor, sizes: list[int]) -> tuple[torch.Tensor, torch.Tensor]:
    a, c = x.split(sizes); return a.sum(0, keepdim=True), c.sum(0, keepdim=True)
@split_sum.register_fake
def _(x, sizes): return x.new_empty(1, *x.shape[1:]), x.new_empty(1, *x.shape[1:])
h = torch.compile(lambda t: sum(split_sum(t, [1, 3])), fullgraph=True); print(h(torch.arange(8.).view(4, 2)))
print(torch.ops.mylib.scale_add.default._schema, torch.ops.mylib.split_sum.default)
@scale_add.register_vmap
def _(info, in_dims, x, y, alpha=1.0):
    x = x.movedim(in_dims[0], 0) if in_dims[0] is not None else x; y = y.movedim(in_dims[1], 0) if in_dims[1] is not None else y
    return scale_add(x, y, alpha), 0
print(torch.func.vmap(lambda a, c: scale_add(a, c, 3.0))(torch.ones(2, 2), torch.zeros(2, 2)))
lib = torch.library.Library("oldlib", "DEF"); lib.define("twice(Tensor x) -> Tensor"); lib.impl("twice", lambda x: x * 2, "CompositeExplicitAutograd")
print(torch.ops.oldlib.twice(torch.ones(2)), torch.compile(lambda t: torch.ops.oldlib.twice(t) + 1)(torch.ones(2)))
try: scale_add(torch.ones(2), "no")
except Exception as e: print(type(e).__name__)
try: torch.ops.mylib.missing(x)
except AttributeError as e: print(str(e)[:70])
torch.library.opcheck(scale_add, (torch.ones(2), torch.ones(2))); print("checked")
