#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes library_expressions.py, a script that prints the value of each expression (those below and
those of library_expressions.list), and library_expressions.txt, what it prints under PyTorch.

usage: record_library_expressions.py        (with a Python that has torch)
"""
import pathlib
import subprocess
import sys

HEAD = '''# Written by record_library_expressions.py; do not edit.
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
import torch.utils.checkpoint
import torch.fx.experimental.proxy_tensor
from torch.optim import lr_scheduler as S
from torch.utils.data import DataLoader, TensorDataset, Subset, random_split


def show(v):
    if isinstance(v, torch.Tensor):
        numbers = [f"{x:.3e}" if abs(x) > 5e-6 else "0" for x in v.detach().double().reshape(-1).tolist()[:12]]
        return f"{tuple(v.shape)} " + " ".join(numbers)
    if isinstance(v, float):
        return f"{v:.4e}"
    if isinstance(v, (list, tuple)):
        return "[" + ", ".join(show(x) for x in v) + "]"
    return str(v)


def x(*sizes):
    torch.manual_seed(7)
    return torch.randn(*sizes)


def made(module, *inputs):
    torch.manual_seed(3)
    return module()(*inputs)


def trained(make, steps=4):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer = make(net.parameters())
    data, target = torch.randn(8, 3), torch.randn(8, 1)
    losses = []
    for _ in range(steps):
        def closure():
            optimizer.zero_grad()
            loss = F.mse_loss(net(data), target)
            loss.backward()
            return loss
        losses.append(optimizer.step(closure).item())
    return losses


def rates(make, steps=7):
    optimizer = optim.SGD([nn.Parameter(torch.ones(1))], lr=0.1, momentum=0.9)
    scheduler = make(optimizer)
    found = []
    for _ in range(steps):
        optimizer.step()
        scheduler.step()
        found.append(optimizer.param_groups[0]["lr"])
    return found


def grads(function, *inputs):
    leaves = [i.clone().requires_grad_() for i in inputs]
    return torch.autograd.grad(function(*leaves).sum(), leaves)


def second(function, at):
    at = at.clone().requires_grad_()
    first, = torch.autograd.grad(function(at).sum(), at, create_graph=True)
    return torch.autograd.grad(first.sum(), at)[0]


def drawn(function):
    torch.manual_seed(11)
    return function()


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, scale):
        ctx.save_for_backward(a)
        ctx.scale = scale
        return a ** 3 * scale

    @staticmethod
    def backward(ctx, g):
        a, = ctx.saved_tensors
        return g * 3 * a * a * ctx.scale, None


class Exponential(torch.autograd.Function):
    @staticmethod
    def forward(a):
        return a.exp()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        result, = ctx.saved_tensors
        return g * result


class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2

    @staticmethod
    def backward(ctx, g):
        return g, g


def hooked():
    w = torch.ones(2, requires_grad=True)
    seen = []
    handle = w.register_hook(lambda g: g * 2)
    m = w * 3
    m.retain_grad()
    m.register_hook(lambda g: seen.append(g.sum().item()))
    w.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.sum().item()))
    m.sum().backward()
    handle.remove()
    (w * 1).sum().backward()
    return seen, w.grad, m.grad


def module_hooks():
    net = nn.Linear(2, 2)
    nn.init.constant_(net.weight, 0.5)
    nn.init.zeros_(net.bias)
    seen = []
    net.register_forward_pre_hook(lambda m, a: (a[0] + 1,))
    net.register_forward_hook(lambda m, a, o: o * 3)
    net.register_full_backward_hook(lambda m, gi, go: seen.append((gi[0].sum().item(), go[0].sum().item())))
    a = torch.ones(1, 2, requires_grad=True)
    out = net(a)
    out.sum().backward()
    return out, seen, a.grad


def tell(number, function):
    try:
        print(number, show(function()))
    except Exception as error:
        print(number, "raises", type(error).__name__)


'''

activations = ["ReLU()", "ReLU6()", "GELU()", "GELU(approximate='tanh')", "SiLU()", "Mish()", "Tanh()", "Sigmoid()",
               "LogSigmoid()", "Hardsigmoid()", "Hardswish()", "Hardtanh()", "Hardtanh(-2.0, 2.0)", "LeakyReLU(0.2)",
               "ELU()", "ELU(0.5)", "CELU()", "SELU()", "Softplus()", "Softplus(2.0)", "Softsign()", "Tanhshrink()",
               "Softshrink()", "Hardshrink()", "Threshold(0.1, 20.0)", "GLU()", "Softmax(dim=1)", "LogSoftmax(dim=1)",
               "Softmin(dim=1)", "PReLU()", "Identity()", "Flatten()", "Flatten(0)", "Dropout(0.0)"]
layers = [("Linear(4, 3)", "x(2, 4)"), ("Linear(4, 3, bias=False)", "x(2, 4)"), ("Bilinear(3, 4, 2)", "x(5, 3), x(5, 4)"),
          ("LayerNorm(4)", "x(2, 4)"), ("LayerNorm((2, 4))", "x(3, 2, 4)"), ("RMSNorm(4)", "x(2, 4)"),
          ("GroupNorm(2, 4)", "x(2, 4, 3)"), ("BatchNorm1d(4)", "x(5, 4)"), ("BatchNorm1d(4)", "x(5, 4, 3)"),
          ("BatchNorm2d(2)", "x(2, 2, 3, 3)"), ("InstanceNorm1d(3)", "x(2, 3, 4)"), ("InstanceNorm2d(2)", "x(2, 2, 3, 3)"),
          ("Conv1d(2, 3, 3)", "x(1, 2, 6)"), ("Conv2d(2, 3, 3, padding=1)", "x(1, 2, 4, 4)"),
          ("Conv2d(2, 4, 3, stride=2, groups=2)", "x(1, 2, 6, 6)"), ("ConvTranspose2d(2, 3, 2, stride=2)", "x(1, 2, 3, 3)"),
          ("MaxPool2d(2)", "x(1, 2, 4, 4)"), ("AvgPool2d(2)", "x(1, 2, 4, 4)"), ("MaxPool1d(2)", "x(1, 2, 6)"),
          ("AvgPool1d(2)", "x(1, 2, 6)"), ("AdaptiveAvgPool2d(1)", "x(1, 2, 4, 4)"), ("AdaptiveAvgPool1d(2)", "x(1, 2, 6)"),
          ("ConstantPad2d(1, 0.5)", "x(1, 2, 2)"), ("ZeroPad2d(1)", "x(1, 1, 2, 2)"), ("ReflectionPad2d(1)", "x(1, 1, 3, 3)"),
          ("ReplicationPad2d(1)", "x(1, 1, 2, 2)"), ("PixelShuffle(2)", "x(1, 4, 2, 2)"), ("Upsample(scale_factor=2)", "x(1, 1, 2, 2)"),
          ("Embedding(5, 3)", "torch.tensor([1, 4, 1])"), ("Embedding(5, 3, padding_idx=0)", "torch.tensor([0, 2])"),
          ("RNNCell(3, 4)", "x(2, 3)"), ("GRUCell(3, 4)", "x(2, 3)"), ("LSTMCell(3, 4)", "x(2, 3)"),
          ("RNN(3, 4)", "x(5, 2, 3)"), ("GRU(3, 4, 2)", "x(5, 2, 3)"), ("LSTM(3, 4, bidirectional=True)", "x(5, 2, 3)"),
          ("LSTM(3, 4, batch_first=True)", "x(2, 5, 3)"), ("MultiheadAttention(4, 2)", "x(3, 2, 4), x(3, 2, 4), x(3, 2, 4)"),
          ("TransformerEncoderLayer(4, 2, 8, dropout=0.0)", "x(3, 2, 4)"),
          ("TransformerDecoderLayer(4, 2, 8, dropout=0.0)", "x(3, 2, 4), x(2, 2, 4)"),
          ("CosineSimilarity()", "x(3, 4), x(3, 4) + 1"), ("PairwiseDistance()", "x(3, 4), x(3, 4) + 1"),
          ("Unflatten(1, (2, 2))", "x(3, 4)"), ("Dropout(0.5)", "x(3, 4)"), ("Dropout2d(0.5)", "x(2, 3, 2, 2)"),
          ("Sequential(nn.Linear(4, 3), nn.ReLU())", "x(2, 4)")]
losses = [("CrossEntropyLoss()", "torch.tensor([0, 2])"), ("CrossEntropyLoss(label_smoothing=0.1)", "torch.tensor([0, 2])"),
          ("CrossEntropyLoss(reduction='none')", "torch.tensor([0, 2])"), ("CrossEntropyLoss(ignore_index=2)", "torch.tensor([0, 2])"),
          ("MSELoss()", "x(2, 3) + 1"), ("MSELoss(reduction='sum')", "x(2, 3) + 1"), ("L1Loss()", "x(2, 3) + 1"),
          ("SmoothL1Loss()", "x(2, 3) + 1"), ("SmoothL1Loss(beta=0.5)", "x(2, 3) * 2"), ("HuberLoss()", "x(2, 3) * 3"),
          ("BCEWithLogitsLoss()", "torch.ones(2, 3)"), ("KLDivLoss(reduction='batchmean')", "torch.softmax(x(2, 3), 1)"),
          ("PoissonNLLLoss()", "torch.ones(2, 3)"), ("SoftMarginLoss()", "torch.ones(2, 3)"),
          ("HingeEmbeddingLoss()", "torch.ones(2, 3)"), ("NLLLoss()", "torch.tensor([1, 2])")]
expressions = [f"nn.{a}(x(2, 4))" for a in activations]
expressions += [f"made(lambda: nn.{m}, {i})" for m, i in layers]
expressions += [f"nn.{m}(x(2, 3), {t})" for m, t in losses]
expressions += [f"str(nn.{m})" for m, _ in layers[:28]]
expressions += [f"trained(lambda p: optim.{o})" for o in (
    "SGD(p, lr=0.1)", "SGD(p, lr=0.1, momentum=0.9)", "SGD(p, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01)",
    "SGD(p, lr=0.1, maximize=True)", "Adam(p, lr=0.01)", "Adam(p, lr=0.01, amsgrad=True)", "Adam(p, lr=0.01, weight_decay=0.1)",
    "AdamW(p, lr=0.01)", "AdamW(p, lr=0.01, betas=(0.5, 0.9))", "NAdam(p)", "RAdam(p)", "Adamax(p)", "RMSprop(p)",
    "RMSprop(p, centered=True, momentum=0.5)", "Adagrad(p)", "Adagrad(p, lr_decay=0.1)", "Adadelta(p)", "ASGD(p)", "Rprop(p)",
    "LBFGS(p, max_iter=4)", "LBFGS(p, max_iter=4, line_search_fn='strong_wolfe')")]
expressions += [f"rates(lambda o: S.{s})" for s in (
    "StepLR(o, 2)", "MultiStepLR(o, [2, 4], 0.5)", "ExponentialLR(o, 0.9)", "CosineAnnealingLR(o, 4)",
    "CosineAnnealingWarmRestarts(o, 2, 2)", "LambdaLR(o, lambda e: 0.9 ** e)", "MultiplicativeLR(o, lambda e: 0.9)",
    "LinearLR(o, total_iters=4)", "ConstantLR(o, total_iters=3)", "PolynomialLR(o, 5, 2.0)", "OneCycleLR(o, 0.5, total_steps=10)",
    "OneCycleLR(o, 0.5, total_steps=10, anneal_strategy='linear')", "CyclicLR(o, 0.01, 0.1, step_size_up=3)",
    "SequentialLR(o, [S.ConstantLR(o, 0.1, 2), S.ExponentialLR(o, 0.9)], [2])",
    "ChainedScheduler([S.ConstantLR(o), S.ExponentialLR(o, 0.9)])")]
expressions += [f"drawn(lambda: nn.init.{i})" for i in (
    "uniform_(torch.empty(3, 2))", "normal_(torch.empty(4, 5))", "constant_(torch.empty(2), 3.0)", "eye_(torch.empty(2, 3))",
    "xavier_uniform_(torch.empty(3, 2))", "xavier_normal_(torch.empty(3, 6))", "kaiming_uniform_(torch.empty(3, 2))",
    "kaiming_normal_(torch.empty(3, 2), mode='fan_out', nonlinearity='relu')", "trunc_normal_(torch.empty(4, 4))",
    "orthogonal_(torch.empty(3, 3))", "calculate_gain('tanh')")]
expressions += [f"drawn(lambda: {d})" for d in (
    "torch.rand(3)", "torch.randn(3)", "torch.randn(17)", "torch.randint(0, 9, (5,))", "torch.randperm(6)",
    "torch.bernoulli(torch.full((5,), 0.4))", "torch.empty(4).uniform_(-1, 2)", "torch.empty(4).exponential_()",
    "torch.multinomial(torch.tensor([0.2, 0.3, 0.5]), 4, replacement=True)", "torch.normal(1.0, 2.0, (3,))",
    "torch.rand(3, dtype=torch.float64)", "torch.randn(2, generator=torch.Generator().manual_seed(4))",
    "F.dropout(torch.ones(6), 0.5)", "F.gumbel_softmax(torch.zeros(4))", "torch.initial_seed()")]
expressions += [f"grads({g})" for g in (
    "lambda a: a.sin() * a, x(3)", "lambda a, b: a @ b, x(2, 3), x(3, 2)", "lambda a: F.layer_norm(a, (4,)), x(2, 4)",
    "lambda a: torch.softmax(a, 1)[:, 0], x(2, 3)", "lambda a: F.gelu(a), x(4)", "lambda a: a.view(4)[1:3], x(2, 2)")]
expressions += [f"second({g})" for g in (
    "lambda a: a ** 3, x(3)", "lambda a: torch.tanh(a), x(3)", "lambda a: torch.sigmoid(a), x(3)", "lambda a: a.exp() * a, x(3)",
    "lambda a: F.softmax(a, 0)[0], x(3)", "lambda a: 1 / (1 + a * a), x(3)", "lambda a: (a @ a.t()) ** 2, x(2, 2)",
    "lambda a: F.silu(a), x(3)", "lambda a: F.softplus(a), x(3)")]
expressions += [
    "torch.autograd.functional.jacobian(lambda a: a * a, x(2))", "torch.autograd.functional.hessian(lambda a: (a ** 3).sum(), x(2))",
    "torch.autograd.functional.vjp(lambda a: a * a, x(2), torch.ones(2))", "torch.func.grad(lambda a: (a ** 2).sum())(x(3))",
    "torch.func.vmap(lambda a: a.sum())(x(3, 2))", "torch.func.jacrev(lambda a: a.sin())(x(2))",
    "[len(b[0]) for b in DataLoader(TensorDataset(torch.arange(10)), batch_size=4)]",
    "drawn(lambda: [b[0] for b in DataLoader(TensorDataset(torch.arange(7)), batch_size=3, shuffle=True)])",
    "len(DataLoader(TensorDataset(torch.arange(10)), batch_size=4, drop_last=True))",
    "drawn(lambda: [len(s) for s in random_split(list(range(10)), [0.6, 0.4])])", "list(Subset([5, 6, 7], [2, 0]))",
    "[n for n, _ in nn.Sequential(nn.Linear(1, 2), nn.BatchNorm1d(2)).named_parameters()]",
    "list(nn.Sequential(nn.Linear(1, 2), nn.BatchNorm1d(2)).state_dict())", "next(nn.Linear(2, 3).parameters()).shape",
    "[type(m).__name__ for m in nn.Sequential(nn.Linear(1, 2), nn.ReLU()).modules()]", "nn.Linear(2, 3).double().weight.dtype",
    "nn.Linear(2, 2).eval().training", "nn.Linear(2, 2).requires_grad_(False).weight.requires_grad",
    "nn.Linear(2, 2).load_state_dict(nn.Linear(2, 2).state_dict())", "nn.Linear(2, 2).load_state_dict({})",
    "nn.Linear(2, 2).register_buffer('a.b', None)", "nn.ModuleList([nn.ReLU()])[1]", "len(nn.ModuleDict({'a': nn.ReLU()}))",
    "nn.Module().forward", "(x(3).requires_grad_() * 2).grad_fn.name()", "x(3).backward()", "torch.autograd.grad(x(2).sum(), x(2))",
    "nn.utils.clip_grad_norm_([], 1.0)", "nn.utils.parameters_to_vector([torch.ones(2), torch.zeros(1)])",
    "nn.utils.rnn.pad_sequence([torch.ones(2), torch.ones(3)], batch_first=True)", "optim.SGD([], lr=0.1)", "optim.SGD([x(2)], lr=-1)",
    "torch.compile(lambda a: a + 1, backend='nope')", "torch.compile(lambda a: a * 2, backend=lambda gm, inputs: gm.forward)(x(2))",
    "torch.fx.symbolic_trace(nn.Sequential(nn.Linear(2, 3), nn.ReLU())).code.count('self')",
    "torch.is_grad_enabled(), torch.no_grad()(torch.is_grad_enabled)()", "torch.compiler.is_compiling()"]

expressions += [
    "grads(lambda a: Cube.apply(a, 2.0), x(3))", "second(lambda a: Cube.apply(a, 2.0), x(3))",
    "grads(Exponential.apply, x(3))", "second(Exponential.apply, x(3))", "grads(Wrong.apply, x(3))", "hooked()",
    "module_hooks()", "grads(lambda a: torch.utils.checkpoint.checkpoint(lambda b: b.sin() * b, a, use_reentrant=False), x(3))",
    "torch.utils.checkpoint.checkpoint_sequential([nn.Tanh(), nn.ReLU(), nn.Sigmoid()], 2, x(3), use_reentrant=False)",
    "torch.fx.experimental.proxy_tensor.make_fx(lambda a: a.cos().cos())(x(3))(x(3) + 1)",
    "torch.fx.symbolic_trace(nn.Sequential(nn.Tanh(), nn.ReLU()))(x(3))",
    "torch.fx.Interpreter(torch.fx.symbolic_trace(nn.Sequential(nn.Tanh(), nn.Sigmoid()))).run(x(3))",
    "torch.autograd.gradcheck(lambda a: a.sin() * a, x(3).double().requires_grad_())",
    "x(2).requires_grad_().sum().backward(inputs=[])", "torch.autograd.grad(x(2).requires_grad_() * 2, x(2).requires_grad_())"]

here = pathlib.Path(__file__).resolve().parent
# One a line: functions of torch, methods, indices, texts, modules, wrong calls.
expressions += (here / "library_expressions.list").read_text().splitlines()
script = here / "library_expressions.py"
script.write_text("# SPDX-License-Identifier: Apache-2.0\n" + HEAD +
                  "".join(f"tell({i}, lambda: ({e}))\n" for i, e in enumerate(expressions)))
run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
(here / "library_expressions.txt").write_text(run.stdout)
print(len(expressions), "expressions")
