# Compilers of a script behind ahead-of-time autograd, settings that refuse and suppress, and small protocols beside them.
import enum
import warnings

import torch
import torch._dynamo
from functorch.compile import aot_function, aot_module, make_boxed_func, nop
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.debugging import ExplainWithBackend
from torch._dynamo.testing import CompileCounter
from torch._functorch.aot_autograd import aot_module_simplified
from torch._inductor.compile_fx import compile_fx
from torch.fx.experimental.symbolic_shapes import ConstraintViolationError
from torch.fx.passes.shape_prop import ShapeProp
from torch.optim.optimizer import Optimizer

warnings.simplefilter("ignore")
torch.manual_seed(0)
seen = []


def forward_compiler(gm, example_inputs):
    seen.append("forward")
    return make_boxed_func(gm.forward)


def backward_compiler(gm, example_inputs):
    seen.append("backward")
    return gm.forward


def numbers(t):
    return [round(v, 4) for v in t.detach().flatten().tolist()]


def refused(function, *kinds):
    try:
        return function()
    except kinds as error:
        return type(error).__name__


x = torch.randn(3, 4, requires_grad=True)
w = torch.randn(4, 2, requires_grad=True)
compiled = aot_function(lambda x, w: {"a": (torch.tanh(x @ w) * 2).sum(), "b": x + 1}, forward_compiler, backward_compiler)
found = compiled(x, w)
found["a"].backward()
print("aot_function", list(found), numbers(found["a"]), numbers(x.grad), numbers(w.grad), seen)
seen.clear()
net = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.GELU(), torch.nn.LayerNorm(3))
compiled = aot_module(net, forward_compiler, backward_compiler)
compiled(x).square().sum().backward()
print("aot_module", [numbers(p.grad)[:3] for p in net.parameters()], seen)
for module in (net, torch.nn.Sequential(torch.nn.Conv1d(2, 3, 3), torch.nn.BatchNorm1d(3), torch.nn.ReLU())):
    seen.clear()
    backend = aot_autograd(fw_compiler=forward_compiler, bw_compiler=backward_compiler)
    model = torch.compile(module, backend=backend)
    given = x if module is net else torch.randn(2, 2, 6)
    module.zero_grad()
    model(given).square().mean().backward()
    found = [p.grad.clone() for p in module.parameters()]
    module.zero_grad()
    module(given).square().mean().backward()
    print("aot_autograd", [torch.allclose(a, p.grad, atol=1e-5) for a, p in zip(found, module.parameters())], seen)
seen.clear()
with torch.no_grad():
    model = torch.compile(net, backend=backend)
    print("without gradients", torch.allclose(model(x), net(x), atol=1e-6), seen)


def simplified(gm, example_inputs):
    return aot_module_simplified(gm, example_inputs, fw_compiler=forward_compiler)


print("aot_module_simplified", numbers(torch.compile(lambda x: x.sin().sum(), backend=simplified)(x)))
print("compile_fx", numbers(torch.compile(lambda x: x[0].sin() + 1, backend=lambda gm, inputs: compile_fx(gm, inputs))(x)))
traced = torch.fx.symbolic_trace(lambda x: torch.relu(x) + 1)
ShapeProp(traced).propagate(torch.ones(2, 3))
print("ShapeProp", [tuple(n.meta["tensor_meta"].shape) for n in traced.graph.nodes])


def broken(x):
    x = x + 1
    torch._dynamo.graph_break()
    return x * 2


told = ExplainWithBackend("eager")
torch.compile(broken, backend=told)(torch.ones(2))
told = told.output()
print("ExplainWithBackend", told.graph_count, told.graph_break_count, told.op_count, len(told.break_reasons))
torch._dynamo.reset()
told = torch._dynamo.explain(broken)(torch.ones(2))
print("explain", told.graph_count, told.graph_break_count, told.op_count, [len(ops) for ops in told.ops_per_graph],
      told.compile_times.split("\n")[:2], [r.user_stack[-1].name for r in told.break_reasons])
tensor = [g for g in told.out_guards if g.name == "L['x']"][0]
print("guards", tensor.create_fn_name(), str(tensor).split("\n")[0], [h in str(told) for h in (
    "Graph Count: 2", "Graph Break Count: 1", "Break Reason 1:", "User Stack:", "Ops per Graph:", "Out Guards:",
    "Create Function: TENSOR_MATCH", "Compile Times: TorchDynamo")])


def failing(gm, example_inputs):
    raise ValueError("no")


with torch._dynamo.config.patch(suppress_errors=True):
    print("suppressed", torch.compile(lambda x: x + 1, backend=failing)(torch.ones(2)).tolist())
counter = CompileCounter()
counted = torch.compile(lambda x, s: x + len(s), backend=counter)
with torch._dynamo.config.patch(error_on_recompile=True):
    print("refused", counted(torch.ones(1), "a").item(),
          refused(lambda: counted(torch.ones(1), "ab"), torch._dynamo.exc.RecompileError), counter.frame_count)
print("again", counted(torch.ones(1), "abc").item(), counter.frame_count)


def unknown():
    torch._dynamo.config.not_a_setting = 3


print("unknown setting", refused(unknown, AttributeError))


def only_three(x):
    return x + 1 if x.shape[0] == 3 else x


three = torch.ones(3)
torch._dynamo.mark_dynamic(three, 0)
print("a promise", refused(lambda: torch.compile(only_three, backend="eager")(three), RuntimeError),
      issubclass(ConstraintViolationError, RuntimeError))


@torch.compile(backend="eager", fullgraph=True)
def leaf(x):
    return x + 1 if x.is_leaf and (x * 2).is_leaf else x


print("is_leaf", leaf(torch.ones(2)).tolist())


class Width(int):
    def __repr__(self):
        return "wide"


class Level(enum.IntEnum):
    LOW = 2


width = Width(3)
print("ints of a class", (torch.ones(3) * width).tolist(), tuple(torch.ones(6).view(width, -1).shape),
      tuple(torch.zeros((width, Level.LOW)).shape), torch.arange(width).tolist(), torch.tensor([width, 2]).tolist(),
      torch.ones(5)[:width].tolist(), torch.arange(5)[width].item(), tuple(torch.ones(3).expand(Level.LOW, 3).shape))
filled = torch.zeros(4)
filled[Level.LOW] = width
print("written", filled.tolist(), (2.567).__round__(1), (7).__round__(), (2.5).__round__())
with torch.device("cpu"):
    print("a device as a block", torch.ones(2).device, torch.get_default_device())


@torch._dynamo.assume_constant_result
def constant():
    return 5


print("constants", torch.compile(lambda x: x + constant(), backend="eager")(torch.ones(1)).tolist())


class Lion(Optimizer):
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if len(state) == 0:
                    state["mean"] = torch.zeros_like(p)
                p.add_((state["mean"] * 0.9 + p.grad * 0.1).sign_(), alpha=-group["lr"])
                state["mean"].mul_(0.99).add_(p.grad, alpha=0.01)


p = torch.nn.Parameter(torch.tensor([1.0, -1.0]))
optimizer = Lion([p])
for _ in range(3):
    optimizer.zero_grad()
    (p * p).sum().backward()
    optimizer.step()
print("an optimizer", numbers(p), len(optimizer.state))
from torch._higher_order_ops import associative_scan, scan, while_loop

print("loops", [v.tolist() for v in while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2), (torch.tensor(0), torch.ones(2)))],
      [v.tolist() for v in scan(lambda c, v: (c + v, c * v), torch.zeros(2), torch.arange(6.0).reshape(3, 2))])
