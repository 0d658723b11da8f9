# SPDX-License-Identifier: Apache-2.0
# Tensors of torch.inference_mode, Tensor.set_ and _base, as PyTorch has them: inference_tensors.txt.
import torch


def attempt(name, function):
    try:
        print(name, function())
    except Exception as error:
        print(name, type(error).__name__, str(error).split("\n")[0])


normal = torch.ones(3)
weight = torch.ones(3, requires_grad=True)
with torch.inference_mode():
    made = torch.arange(3.)
    computed = normal * 2
    view_of_normal = normal[1:]
    view_of_made = made[1:]
    normal.add_(1)
    made.mul_(2)
    of_weight = weight * 2
    print("inside", torch.is_inference_mode_enabled(), torch.is_grad_enabled(), made.is_inference(), computed.is_inference(),
          view_of_normal.is_inference(), view_of_made.is_inference(), normal.is_inference(), of_weight.is_inference(),
          of_weight.requires_grad, torch.is_inference(made))
    with torch.inference_mode(False):
        print("off", torch.is_inference_mode_enabled(), torch.is_grad_enabled(), torch.ones(2).is_inference(),
              made.view(3).is_inference(), (made + 1).is_inference())
    attempt("leaf inside", lambda: torch.ones(2, requires_grad=True).is_inference())
print("outside", torch.is_inference_mode_enabled(), torch.is_grad_enabled(), normal, made)
with torch.no_grad():
    print("no_grad", torch.is_inference_mode_enabled(), torch.ones(2).is_inference())
print("views outside", made.view(3, 1).is_inference(), made[0].is_inference(), made.clone().is_inference(),
      (made + 1).is_inference(), made.detach().is_inference(), made.t().is_inference())
attempt("add_", lambda: made.add_(1))
attempt("item", lambda: made.__setitem__(0, 5.))
attempt("fill_", lambda: made.fill_(1.))
attempt("zero_", lambda: made.zero_())
attempt("copy_", lambda: made.copy_(normal))
attempt("into a view", lambda: made[1:].add_(1))
with torch.inference_mode():
    made = torch.arange(3.) * 2  # PyTorch writes before it refuses
attempt("copied from", lambda: torch.zeros(3).copy_(made))
attempt("requires_grad_", lambda: made.requires_grad_())
attempt("requires_grad_ off", lambda: made.requires_grad_(False))
attempt("version", lambda: made._version)
attempt("saved by mul", lambda: weight * made)
attempt("saved by matmul", lambda: weight @ made)
attempt("saved by sin", lambda: (made.sin() * 2))
attempt("add saves nothing", lambda: (weight + made).sum())
attempt("no gradient wanted", lambda: (made * made).sum())
attempt("linear", lambda: torch.nn.functional.linear(made.reshape(1, 3), weight.reshape(1, 3)))
attempt("clone helps", lambda: (weight * made.clone()).sum())
with torch.no_grad():
    attempt("under no_grad", lambda: (weight * made).is_inference())


@torch.inference_mode()
def decorated(x):
    return x * 2


@torch.inference_mode
def plain(x):
    return x * 2


print("decorated", decorated(normal).is_inference(), plain(normal).is_inference(), decorated(weight).requires_grad)
layer = torch.nn.Linear(2, 2)
with torch.inference_mode():
    result = layer(torch.ones(1, 2))
attempt("backward", lambda: result.sum().backward())

target, source = torch.ones(3), torch.arange(6.)
print("set_", target.set_(source) is target, target, target.data_ptr() == source.data_ptr())
target[0] = 7
print("shared", source)
print("set_ part", torch.ones(3).set_(source, 1, (2, 2), (2, 1)), torch.ones(3).set_().shape)
attempt("set_ dtype", lambda: torch.ones(3).set_(torch.zeros(2, dtype=torch.int64)).shape)
attempt("uniform_", lambda: made.uniform_())
x = torch.ones(3)
print("_base", x._base, x[1:]._base, x[1:].view(2, 1)._base.shape, x.detach()._base, (x + 1)._base, x[1:].clone()._base)
# Gradients turned on in inference mode record nothing all the same.
with torch.inference_mode():
    with torch.enable_grad():
        leaf = torch.ones(3, requires_grad=True)
        y = normal * leaf
        print("enabled", torch.is_grad_enabled(), torch.is_inference_mode_enabled(), y.requires_grad, y.is_inference(), (leaf * 2).requires_grad)
        other = torch.ones(3)
        other.add_(leaf)
        print("written", other, other.requires_grad)
    torch.set_grad_enabled(True)
    print("set", torch.is_grad_enabled(), (weight * 2).requires_grad)
# The same refusals in compiled functions, also where an entry of a normal tensor is there before.
with torch.inference_mode():
    made = torch.arange(3.)


def saved(x):
    return weight * x


def saved_view(x):
    return (x.view(1, 3) * weight, x.sum())


def made_inside(x):
    with torch.inference_mode():
        y = x * 2
    return y * weight


def not_saved(x):
    return (x + 1) + weight


def written(x):
    x.add_(1)
    return x * 2


with torch.no_grad():
    attempt("compiled, no gradient wanted", lambda: torch.compile(saved, backend="eager")(made))
for f in (saved, saved_view, made_inside, not_saved, written):
    g = torch.compile(f, backend="eager")
    attempt(f.__name__, lambda: g(torch.ones(3)))
    attempt(f.__name__, lambda: g(made))


# Views of a normal tensor are normal, in compiled functions too.
def seen(x):
    return x * 2, x.view(-1), x, x[0].unsqueeze(0), (x + 1).view(-1)


for f in (seen, torch.compile(seen, backend="aot_eager")):
    normal = torch.arange(4.).reshape(2, 2)
    with torch.inference_mode():
        results = f(normal)
    print([r.is_inference() for r in results])
    attempt("its view is saved", lambda: weight.new_ones(4, requires_grad=True) * results[1])
    results[1].add_(1)
    print(normal, results[3])
