# Derivatives along directions: dual tensors, jvp, linearize.
import torch
import torch.autograd.forward_ad as fwAD

torch.manual_seed(0)
primal, tangent, other = torch.rand(3, 4), torch.rand(3, 4), torch.rand(3, 4)


def function(x, y):
    return x ** 2 * y + torch.sin(x) @ y.T @ torch.ones(3, 4)


with fwAD.dual_level():
    dual = fwAD.make_dual(primal, tangent)
    print(fwAD.unpack_dual(dual).tangent)
    out = fwAD.unpack_dual(function(dual, other))
    print(out.primal, out.tangent)
    both = fwAD.unpack_dual(function(dual, fwAD.make_dual(other, primal)))
    print(both.tangent)
    print(fwAD.unpack_dual(other).tangent, fwAD.unpack_dual(dual * 3 + 1).tangent)
    try:
        fwAD.make_dual(primal, torch.ones(2))
    except RuntimeError:
        print("RuntimeError")
try:
    fwAD.make_dual(primal, tangent)
except RuntimeError:
    print("RuntimeError")
print(fwAD.unpack_dual(primal).tangent)

model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Tanh(), torch.nn.Linear(3, 2))
names = [name for name, p in model.named_parameters()]
directions = {name: torch.rand_like(p) for name, p in model.named_parameters()}
with fwAD.dual_level():
    duals = {name: fwAD.make_dual(p, directions[name]) for name, p in model.named_parameters()}
    tangents = fwAD.unpack_dual(torch.func.functional_call(model, duals, primal)).tangent
print(tangents.detach())

value, direction = torch.func.jvp(function, (primal, other), (tangent, primal))
print(value, direction)
value, derivative = torch.func.linearize(lambda x: x.sin() * x, primal)
print(value, derivative(tangent), derivative(other))
value, derivative = torch.func.linearize(function, primal, other)
print(torch.allclose(derivative(tangent, primal), direction))
