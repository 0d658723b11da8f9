"""torch._dynamo's explain, counters and backends by name, torch.library's operations: what PyTorch gives, checked
here, and a count at the end."""
import torch
import torch._dynamo as dynamo
from torch._dynamo.utils import counters

agree = 0


def check(name, found, wanted):
    global agree
    if found == wanted:
        agree += 1
    else:
        print(f"{name}: {found}, expected {wanted}")


def broken(x):
    y = torch.sin(x)
    torch._dynamo.graph_break()
    return y + 1


found = dynamo.explain(broken)(torch.randn(3))
check("graphs", (found.graph_count, found.graph_break_count, found.op_count), (2, 1, 2))
check("reasons", (len(found.break_reasons), found.break_reasons[0].user_stack[0].lineno), (1, 20))
check("text", str(found).split("\n")[:4], ["Graph Count: 2", "Graph Break Count: 1", "Op Count: 2", "Break Reasons:"])
check("operations", [len(ops) for ops in found.ops_per_graph], [1, 1])
check("guards", any(["L['x']" in guard.name for guard in found.out_guards]), True)
whole = dynamo.explain(lambda x: x.relu() * 2, torch.ones(2))
check("without a break", (whole.graph_count, whole.graph_break_count, whole.break_reasons), (1, 0, []))

counters.clear()
torch.compile(broken)(torch.ones(4))
check("counters", (counters["stats"]["unique_graphs"], counters["frames"]["total"], len(counters["graph_break"])),
      (2, 2, 1))


@dynamo.register_backend
def doubling(gm, example_inputs):
    return lambda *inputs: [value * 2 for value in gm(*inputs)]


check("a name", "doubling" in dynamo.list_backends(), True)
check("what runs", torch.compile(lambda x: x + 1, backend="doubling")(torch.ones(2)).tolist(), [4.0, 4.0])
check("looked up", dynamo.lookup_backend("doubling") is doubling, True)


@torch.library.custom_op("mine::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice.register_fake
def _(x):
    return torch.empty_like(x)


twice.register_autograd(lambda ctx, gradient: gradient * ctx.factor,
                        setup_context=lambda ctx, inputs, output: setattr(ctx, "factor", 5))
x = torch.ones(3, requires_grad=True)
for function in [lambda x: twice(x).sum(), lambda x: torch.ops.mine.twice(x).sum(),
                 torch.compile(lambda x: twice(x).sum())]:
    x.grad = None
    result = function(x)
    result.backward()
    check("custom", (result.item(), x.grad.tolist()), (6.0, [5.0, 5.0, 5.0]))


@torch.library.custom_op("mine::fill", mutates_args={"x"})
def fill(x: torch.Tensor, value: float) -> None:
    x.fill_(value)


y = torch.zeros(2)
fill(y, 3.0)
torch.compile(lambda y: torch.ops.mine.fill(y[1:], 4.0))(y)
check("written", y.tolist(), [3.0, 4.0])
check("checked", torch.library.opcheck(torch.ops.mine.twice, (torch.ones(2),))["test_faketensor"], "SUCCESS")


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(3, 2)
        self.register_buffer("scale", torch.tensor([2.0, 3.0]))

    def forward(self, x):
        return {"y": torch.relu(self.l(x)), "z": x.sum() * self.scale}


model = Model()
program = torch.export.export(model, (torch.ones(4, 3),))
check("signature", str(program.graph_signature), """
# inputs
p_l_weight: PARAMETER target='l.weight'
p_l_bias: PARAMETER target='l.bias'
b_scale: BUFFER target='scale' persistent=True
x: USER_INPUT

# outputs
relu: USER_OUTPUT
mul: USER_OUTPUT
""")
lines = [line for line in str(program).split("\n") if "# File" not in line]
check("program", lines[:3] + [lines[3].split(";")[0]], [
    "ExportedProgram:", "    class GraphModule(torch.nn.Module):",
    '        def forward(self, p_l_weight: "f32[2, 3]", p_l_bias: "f32[2]", b_scale: "f32[2]", x: "f32[4, 3]"):',
    '            linear: "f32[4, 2]" = torch.ops.aten.linear.default(x, p_l_weight, p_l_bias)'])
again, now = program.module()(torch.full((4, 3), 0.5)), model(torch.full((4, 3), 0.5))
check("run", [list(again.keys()), torch.equal(again["y"], now["y"]), torch.equal(again["z"], now["z"])],
      [["y", "z"], True, True])
try:
    program.module()(torch.ones(2, 3))
    check("other sizes", "no error", "an error")
except AssertionError as e:
    check("other sizes", "Guard failed" in str(e), True)


class Largest(torch.nn.Module):
    def forward(self, x):
        return {"by": x * 2, "largest": x.max().item()}


try:  # the example's number would be every call's
    torch.export.export(Largest(), (torch.ones(3),))
    check("a number of the data", "no error", "an error")
except NotImplementedError as e:
    check("a number of the data", "depends on its data" in str(e), True)
print(agree, "agree")
