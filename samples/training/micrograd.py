# SPDX-License-Identifier: Apache-2.0
# An autograd engine of scalars in plain Python, in the style of micrograd, checked against torch's.
import math

import torch

compiled = False


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, other):
        assert isinstance(other, (int, float))
        out = Value(self.data ** other, (self,), f"**{other}")

        def _backward():
            self.grad += (other * self.data ** (other - 1)) * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += (1 - out.data ** 2) * out.grad

        out._backward = _backward
        return out

    def backward(self):
        topo = []
        visited = set()

        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)

        build_topo(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

    def __neg__(self):
        return self * -1

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self + (-other)

    def __rmul__(self, other):
        return self * other

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"


class Neuron:
    def __init__(self, weights, bias):
        self.w = [Value(w) for w in weights]
        self.b = Value(bias)

    def __call__(self, x):
        act = sum((wi * xi for wi, xi in zip(self.w, x)), self.b)
        return act.tanh()

    def parameters(self):
        return self.w + [self.b]


class Layer:
    def __init__(self, weight, bias):
        self.neurons = [Neuron(w, b) for w, b in zip(weight.tolist(), bias.tolist())]

    def __call__(self, x):
        out = [n(x) for n in self.neurons]
        return out[0] if len(out) == 1 else out

    def parameters(self):
        return [p for n in self.neurons for p in n.parameters()]


torch.manual_seed(42)
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 4), torch.nn.Tanh(),
                          torch.nn.Linear(4, 1), torch.nn.Tanh()).double()
layers = [Layer(net[i].weight, net[i].bias) for i in (0, 2, 4)]
xs = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]
ys = [1.0, -1.0, -1.0, 1.0]


def mlp(x):
    for layer in layers:
        x = layer(x)
    return x


step_net = torch.compile(net) if compiled else net
tx = torch.tensor(xs, dtype=torch.float64)
ty = torch.tensor(ys, dtype=torch.float64)
parameters = [p for layer in layers for p in layer.parameters()]
for k in range(8):
    loss = sum((mlp(x) - y) ** 2 for x, y in zip(xs, ys))
    for p in parameters:
        p.grad = 0.0
    loss.backward()
    for p in parameters:
        p.data += -0.05 * p.grad
    torch_loss = ((step_net(tx).squeeze(1) - ty) ** 2).sum()
    net.zero_grad()
    torch_loss.backward()
    with torch.no_grad():
        for p in net.parameters():
            p -= 0.05 * p.grad
    print(f"step {k} loss {loss.data:.8f} torch {torch_loss.item():.8f}")
