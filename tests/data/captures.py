# What people do beside plain functions: modules that make their parameters when they see their first input, stances,
# errors of backends, dicts of own classes, attributes of tensors.
import torch
import torch.nn as nn
from torch.nn.modules.lazy import LazyModuleMixin
from torch.nn.parameter import UninitializedParameter

torch.manual_seed(0)
model = nn.Sequential(nn.LazyConv2d(4, 3), nn.LazyBatchNorm2d(), nn.ReLU(), nn.Flatten(), nn.LazyLinear(2))
print(model)
y = model(torch.ones(2, 3, 5, 5) * torch.arange(2.).view(2, 1, 1, 1))
print(model)
print(y.shape, float(y.sum()), isinstance(model[0], nn.Conv2d), type(model[4]).__name__)

layer = nn.LazyLinear(3)
weight = layer.weight
print(isinstance(weight, UninitializedParameter), layer.has_uninitialized_params())
compiled = torch.compile(layer, fullgraph=True)
x = torch.ones(2, 4)
print(compiled(x).shape, type(layer).__name__, weight is layer.weight, weight.shape, torch.equal(compiled(x), layer(x)))


class Several(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.LazyLinear(8), nn.LazyLinear(1, bias=False)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


several = Several()
compiled = torch.compile(several, fullgraph=True)
print(torch.allclose(compiled(x), several(x)), [tuple(p.shape) for p in several.parameters()])
for lazy, shape in ((nn.LazyConv1d(2, 2), (1, 3, 5)), (nn.LazyConv3d(2, 2), (1, 2, 3, 3, 3)),
                    (nn.LazyConvTranspose1d(3, 2), (1, 2, 4)), (nn.LazyConvTranspose2d(3, 2, groups=1), (2, 4, 4)),
                    (nn.LazyConvTranspose3d(1, 2), (1, 2, 2, 2, 2)), (nn.LazyBatchNorm1d(), (4, 3)),
                    (nn.LazyBatchNorm3d(affine=False, track_running_stats=False), (1, 2, 2, 2, 2)),
                    (nn.LazyInstanceNorm1d(), (1, 2, 4)), (nn.LazyInstanceNorm2d(affine=False), (1, 2, 4, 4)),
                    (nn.LazyInstanceNorm3d(), (1, 2, 2, 2, 2))):
    print(lazy, lazy(torch.ones(shape)).shape, lazy, list(lazy.state_dict()))
for lazy, shape in ((nn.LazyConv2d(4, 3), (2, 2)), (nn.LazyConv1d(3, 1, groups=3), (1, 2, 4))):
    try:
        lazy(torch.ones(shape))
    except (RuntimeError, ValueError) as e:
        print(type(e).__name__, str(e)[:80])


class Offset(LazyModuleMixin, nn.Module):
    def initialize_parameters(self, values):
        with torch.no_grad():
            self.offset = nn.Parameter(torch.full(values[0].shape, 0.5))

    def forward(self, values):
        return sum(values) + self.offset


offset = Offset()
print(torch.compile(offset, fullgraph=True, backend="eager")([torch.ones(2), torch.ones(2)]), type(offset).__name__)

# What compiled functions do from now on, or for a while.
ask = torch.compile(lambda x: torch.compiler.is_compiling(), backend="eager")
with torch.compiler.set_stance("force_eager"):
    print("force_eager", ask(torch.ones(2)))
with torch.compiler.set_stance("eager_on_recompile"):
    print("eager_on_recompile", ask(torch.ones(2)))
print("default", ask(torch.ones(2)))
with torch.compiler.set_stance("fail_on_recompile"):
    print("fail_on_recompile", ask(torch.ones(2)))
    try:
        torch.compile(lambda x: x + 1, backend="eager")(torch.ones(3))
    except RuntimeError:
        print("RuntimeError")


@torch.compiler.set_stance("force_eager")
def decorated():
    return ask(torch.ones(2))


print("decorated", decorated(), ask(torch.ones(2)))


def refusing(gm, example_inputs):
    raise ValueError("duck")


try:
    torch.compile(lambda x: x + 1, backend=refusing)(torch.ones(3))
except torch._dynamo.exc.BackendCompilerFailed as e:
    print(str(e).split("\n")[:2])


def observed(x):
    return [1, 2].index(5)


for fullgraph in (True, False):
    try:
        torch.compile(observed, fullgraph=fullgraph)(torch.ones(2))
    except (ValueError, torch._dynamo.exc.Unsupported) as e:
        print(fullgraph, type(e).__name__)

# A second backward through what saved nothing.
leaf = torch.ones(3, requires_grad=True)
y = (leaf + 1).reshape(3, 1).clone()
y.sum().backward()
y.mean().backward()
print(leaf.grad)
y = leaf.exp()
y.sum().backward()
try:
    y.sum().backward()
except RuntimeError as e:
    print(str(e)[:50])
aten = torch.ops.aten


# A dict of a class with its own __setitem__, as models of Hugging Face give.
import collections


class Output(collections.OrderedDict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        super().__setattr__(key, value)


output = Output(a=torch.ones(2), b=torch.zeros(1))
print(output.a, list(output), torch.compile(lambda o: o.a + o["b"], fullgraph=True)(output),
      Output([("c", 1)]).c)

# Attributes that a script gave a tensor.
tagged = torch.ones(2)
tagged.factor, tagged.other = 3, torch.full((2,), 2.0)
read = torch.compile(lambda x: x * x.factor + x.other, fullgraph=True)
print(read(tagged))
tagged.factor = 5
print(read(tagged))
tagged.other = torch.zeros(2)
print(read(tagged))

# Names that tutorials import.
from torch.nn.modules.batchnorm import BatchNorm2d, _BatchNorm
from torch.nn.modules.conv import Conv2d
import torch.nn.modules.activation as activation
print(issubclass(BatchNorm2d, _BatchNorm), Conv2d is nn.Conv2d, activation.ReLU is nn.ReLU)

# What traces a compiled function.
try:
    torch.fx.symbolic_trace(torch.compile(lambda x: x + x))
except RuntimeError as e:
    print(e)

# Sizes by factors.
image = torch.arange(24.).view(1, 2, 3, 4)
for f in (lambda x: aten.upsample_nearest2d(x, None, [2.0, 1.5]),
          lambda x: aten.upsample_bilinear2d(x, None, True, [2.0, 2.0]),
          lambda x: aten.upsample_nearest1d(x[0], None, [1.7])):
    print(f(image).sum(), torch.compile(f, fullgraph=True)(image).shape)
print(torch.arange(torch.tensor(1), torch.tensor(4)))
