# SPDX-License-Identifier: Apache-2.0
# Written by record_library_expressions.py; do not edit.
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


tell(0, lambda: (nn.ReLU()(x(2, 4))))
tell(1, lambda: (nn.ReLU6()(x(2, 4))))
tell(2, lambda: (nn.GELU()(x(2, 4))))
tell(3, lambda: (nn.GELU(approximate='tanh')(x(2, 4))))
tell(4, lambda: (nn.SiLU()(x(2, 4))))
tell(5, lambda: (nn.Mish()(x(2, 4))))
tell(6, lambda: (nn.Tanh()(x(2, 4))))
tell(7, lambda: (nn.Sigmoid()(x(2, 4))))
tell(8, lambda: (nn.LogSigmoid()(x(2, 4))))
tell(9, lambda: (nn.Hardsigmoid()(x(2, 4))))
tell(10, lambda: (nn.Hardswish()(x(2, 4))))
tell(11, lambda: (nn.Hardtanh()(x(2, 4))))
tell(12, lambda: (nn.Hardtanh(-2.0, 2.0)(x(2, 4))))
tell(13, lambda: (nn.LeakyReLU(0.2)(x(2, 4))))
tell(14, lambda: (nn.ELU()(x(2, 4))))
tell(15, lambda: (nn.ELU(0.5)(x(2, 4))))
tell(16, lambda: (nn.CELU()(x(2, 4))))
tell(17, lambda: (nn.SELU()(x(2, 4))))
tell(18, lambda: (nn.Softplus()(x(2, 4))))
tell(19, lambda: (nn.Softplus(2.0)(x(2, 4))))
tell(20, lambda: (nn.Softsign()(x(2, 4))))
tell(21, lambda: (nn.Tanhshrink()(x(2, 4))))
tell(22, lambda: (nn.Softshrink()(x(2, 4))))
tell(23, lambda: (nn.Hardshrink()(x(2, 4))))
tell(24, lambda: (nn.Threshold(0.1, 20.0)(x(2, 4))))
tell(25, lambda: (nn.GLU()(x(2, 4))))
tell(26, lambda: (nn.Softmax(dim=1)(x(2, 4))))
tell(27, lambda: (nn.LogSoftmax(dim=1)(x(2, 4))))
tell(28, lambda: (nn.Softmin(dim=1)(x(2, 4))))
tell(29, lambda: (nn.PReLU()(x(2, 4))))
tell(30, lambda: (nn.Identity()(x(2, 4))))
tell(31, lambda: (nn.Flatten()(x(2, 4))))
tell(32, lambda: (nn.Flatten(0)(x(2, 4))))
tell(33, lambda: (nn.Dropout(0.0)(x(2, 4))))
tell(34, lambda: (made(lambda: nn.Linear(4, 3), x(2, 4))))
tell(35, lambda: (made(lambda: nn.Linear(4, 3, bias=False), x(2, 4))))
tell(36, lambda: (made(lambda: nn.Bilinear(3, 4, 2), x(5, 3), x(5, 4))))
tell(37, lambda: (made(lambda: nn.LayerNorm(4), x(2, 4))))
tell(38, lambda: (made(lambda: nn.LayerNorm((2, 4)), x(3, 2, 4))))
tell(39, lambda: (made(lambda: nn.RMSNorm(4), x(2, 4))))
tell(40, lambda: (made(lambda: nn.GroupNorm(2, 4), x(2, 4, 3))))
tell(41, lambda: (made(lambda: nn.BatchNorm1d(4), x(5, 4))))
tell(42, lambda: (made(lambda: nn.BatchNorm1d(4), x(5, 4, 3))))
tell(43, lambda: (made(lambda: nn.BatchNorm2d(2), x(2, 2, 3, 3))))
tell(44, lambda: (made(lambda: nn.InstanceNorm1d(3), x(2, 3, 4))))
tell(45, lambda: (made(lambda: nn.InstanceNorm2d(2), x(2, 2, 3, 3))))
tell(46, lambda: (made(lambda: nn.Conv1d(2, 3, 3), x(1, 2, 6))))
tell(47, lambda: (made(lambda: nn.Conv2d(2, 3, 3, padding=1), x(1, 2, 4, 4))))
tell(48, lambda: (made(lambda: nn.Conv2d(2, 4, 3, stride=2, groups=2), x(1, 2, 6, 6))))
tell(49, lambda: (made(lambda: nn.ConvTranspose2d(2, 3, 2, stride=2), x(1, 2, 3, 3))))
tell(50, lambda: (made(lambda: nn.MaxPool2d(2), x(1, 2, 4, 4))))
tell(51, lambda: (made(lambda: nn.AvgPool2d(2), x(1, 2, 4, 4))))
tell(52, lambda: (made(lambda: nn.MaxPool1d(2), x(1, 2, 6))))
tell(53, lambda: (made(lambda: nn.AvgPool1d(2), x(1, 2, 6))))
tell(54, lambda: (made(lambda: nn.AdaptiveAvgPool2d(1), x(1, 2, 4, 4))))
tell(55, lambda: (made(lambda: nn.AdaptiveAvgPool1d(2), x(1, 2, 6))))
tell(56, lambda: (made(lambda: nn.ConstantPad2d(1, 0.5), x(1, 2, 2))))
tell(57, lambda: (made(lambda: nn.ZeroPad2d(1), x(1, 1, 2, 2))))
tell(58, lambda: (made(lambda: nn.ReflectionPad2d(1), x(1, 1, 3, 3))))
tell(59, lambda: (made(lambda: nn.ReplicationPad2d(1), x(1, 1, 2, 2))))
tell(60, lambda: (made(lambda: nn.PixelShuffle(2), x(1, 4, 2, 2))))
tell(61, lambda: (made(lambda: nn.Upsample(scale_factor=2), x(1, 1, 2, 2))))
tell(62, lambda: (made(lambda: nn.Embedding(5, 3), torch.tensor([1, 4, 1]))))
tell(63, lambda: (made(lambda: nn.Embedding(5, 3, padding_idx=0), torch.tensor([0, 2]))))
tell(64, lambda: (made(lambda: nn.RNNCell(3, 4), x(2, 3))))
tell(65, lambda: (made(lambda: nn.GRUCell(3, 4), x(2, 3))))
tell(66, lambda: (made(lambda: nn.LSTMCell(3, 4), x(2, 3))))
tell(67, lambda: (made(lambda: nn.RNN(3, 4), x(5, 2, 3))))
tell(68, lambda: (made(lambda: nn.GRU(3, 4, 2), x(5, 2, 3))))
tell(69, lambda: (made(lambda: nn.LSTM(3, 4, bidirectional=True), x(5, 2, 3))))
tell(70, lambda: (made(lambda: nn.LSTM(3, 4, batch_first=True), x(2, 5, 3))))
tell(71, lambda: (made(lambda: nn.MultiheadAttention(4, 2), x(3, 2, 4), x(3, 2, 4), x(3, 2, 4))))
tell(72, lambda: (made(lambda: nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0), x(3, 2, 4))))
tell(73, lambda: (made(lambda: nn.TransformerDecoderLayer(4, 2, 8, dropout=0.0), x(3, 2, 4), x(2, 2, 4))))
tell(74, lambda: (made(lambda: nn.CosineSimilarity(), x(3, 4), x(3, 4) + 1)))
tell(75, lambda: (made(lambda: nn.PairwiseDistance(), x(3, 4), x(3, 4) + 1)))
tell(76, lambda: (made(lambda: nn.Unflatten(1, (2, 2)), x(3, 4))))
tell(77, lambda: (made(lambda: nn.Dropout(0.5), x(3, 4))))
tell(78, lambda: (made(lambda: nn.Dropout2d(0.5), x(2, 3, 2, 2))))
tell(79, lambda: (made(lambda: nn.Sequential(nn.Linear(4, 3), nn.ReLU()), x(2, 4))))
tell(80, lambda: (nn.CrossEntropyLoss()(x(2, 3), torch.tensor([0, 2]))))
tell(81, lambda: (nn.CrossEntropyLoss(label_smoothing=0.1)(x(2, 3), torch.tensor([0, 2]))))
tell(82, lambda: (nn.CrossEntropyLoss(reduction='none')(x(2, 3), torch.tensor([0, 2]))))
tell(83, lambda: (nn.CrossEntropyLoss(ignore_index=2)(x(2, 3), torch.tensor([0, 2]))))
tell(84, lambda: (nn.MSELoss()(x(2, 3), x(2, 3) + 1)))
tell(85, lambda: (nn.MSELoss(reduction='sum')(x(2, 3), x(2, 3) + 1)))
tell(86, lambda: (nn.L1Loss()(x(2, 3), x(2, 3) + 1)))
tell(87, lambda: (nn.SmoothL1Loss()(x(2, 3), x(2, 3) + 1)))
tell(88, lambda: (nn.SmoothL1Loss(beta=0.5)(x(2, 3), x(2, 3) * 2)))
tell(89, lambda: (nn.HuberLoss()(x(2, 3), x(2, 3) * 3)))
tell(90, lambda: (nn.BCEWithLogitsLoss()(x(2, 3), torch.ones(2, 3))))
tell(91, lambda: (nn.KLDivLoss(reduction='batchmean')(x(2, 3), torch.softmax(x(2, 3), 1))))
tell(92, lambda: (nn.PoissonNLLLoss()(x(2, 3), torch.ones(2, 3))))
tell(93, lambda: (nn.SoftMarginLoss()(x(2, 3), torch.ones(2, 3))))
tell(94, lambda: (nn.HingeEmbeddingLoss()(x(2, 3), torch.ones(2, 3))))
tell(95, lambda: (nn.NLLLoss()(x(2, 3), torch.tensor([1, 2]))))
tell(96, lambda: (str(nn.Linear(4, 3))))
tell(97, lambda: (str(nn.Linear(4, 3, bias=False))))
tell(98, lambda: (str(nn.Bilinear(3, 4, 2))))
tell(99, lambda: (str(nn.LayerNorm(4))))
tell(100, lambda: (str(nn.LayerNorm((2, 4)))))
tell(101, lambda: (str(nn.RMSNorm(4))))
tell(102, lambda: (str(nn.GroupNorm(2, 4))))
tell(103, lambda: (str(nn.BatchNorm1d(4))))
tell(104, lambda: (str(nn.BatchNorm1d(4))))
tell(105, lambda: (str(nn.BatchNorm2d(2))))
tell(106, lambda: (str(nn.InstanceNorm1d(3))))
tell(107, lambda: (str(nn.InstanceNorm2d(2))))
tell(108, lambda: (str(nn.Conv1d(2, 3, 3))))
tell(109, lambda: (str(nn.Conv2d(2, 3, 3, padding=1))))
tell(110, lambda: (str(nn.Conv2d(2, 4, 3, stride=2, groups=2))))
tell(111, lambda: (str(nn.ConvTranspose2d(2, 3, 2, stride=2))))
tell(112, lambda: (str(nn.MaxPool2d(2))))
tell(113, lambda: (str(nn.AvgPool2d(2))))
tell(114, lambda: (str(nn.MaxPool1d(2))))
tell(115, lambda: (str(nn.AvgPool1d(2))))
tell(116, lambda: (str(nn.AdaptiveAvgPool2d(1))))
tell(117, lambda: (str(nn.AdaptiveAvgPool1d(2))))
tell(118, lambda: (str(nn.ConstantPad2d(1, 0.5))))
tell(119, lambda: (str(nn.ZeroPad2d(1))))
tell(120, lambda: (str(nn.ReflectionPad2d(1))))
tell(121, lambda: (str(nn.ReplicationPad2d(1))))
tell(122, lambda: (str(nn.PixelShuffle(2))))
tell(123, lambda: (str(nn.Upsample(scale_factor=2))))
tell(124, lambda: (trained(lambda p: optim.SGD(p, lr=0.1))))
tell(125, lambda: (trained(lambda p: optim.SGD(p, lr=0.1, momentum=0.9))))
tell(126, lambda: (trained(lambda p: optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01))))
tell(127, lambda: (trained(lambda p: optim.SGD(p, lr=0.1, maximize=True))))
tell(128, lambda: (trained(lambda p: optim.Adam(p, lr=0.01))))
tell(129, lambda: (trained(lambda p: optim.Adam(p, lr=0.01, amsgrad=True))))
tell(130, lambda: (trained(lambda p: optim.Adam(p, lr=0.01, weight_decay=0.1))))
tell(131, lambda: (trained(lambda p: optim.AdamW(p, lr=0.01))))
tell(132, lambda: (trained(lambda p: optim.AdamW(p, lr=0.01, betas=(0.5, 0.9)))))
tell(133, lambda: (trained(lambda p: optim.NAdam(p))))
tell(134, lambda: (trained(lambda p: optim.RAdam(p))))
tell(135, lambda: (trained(lambda p: optim.Adamax(p))))
tell(136, lambda: (trained(lambda p: optim.RMSprop(p))))
tell(137, lambda: (trained(lambda p: optim.RMSprop(p, centered=True, momentum=0.5))))
tell(138, lambda: (trained(lambda p: optim.Adagrad(p))))
tell(139, lambda: (trained(lambda p: optim.Adagrad(p, lr_decay=0.1))))
tell(140, lambda: (trained(lambda p: optim.Adadelta(p))))
tell(141, lambda: (trained(lambda p: optim.ASGD(p))))
tell(142, lambda: (trained(lambda p: optim.Rprop(p))))
tell(143, lambda: (trained(lambda p: optim.LBFGS(p, max_iter=4))))
tell(144, lambda: (trained(lambda p: optim.LBFGS(p, max_iter=4, line_search_fn='strong_wolfe'))))
tell(145, lambda: (rates(lambda o: S.StepLR(o, 2))))
tell(146, lambda: (rates(lambda o: S.MultiStepLR(o, [2, 4], 0.5))))
tell(147, lambda: (rates(lambda o: S.ExponentialLR(o, 0.9))))
tell(148, lambda: (rates(lambda o: S.CosineAnnealingLR(o, 4))))
tell(149, lambda: (rates(lambda o: S.CosineAnnealingWarmRestarts(o, 2, 2))))
tell(150, lambda: (rates(lambda o: S.LambdaLR(o, lambda e: 0.9 ** e))))
tell(151, lambda: (rates(lambda o: S.MultiplicativeLR(o, lambda e: 0.9))))
tell(152, lambda: (rates(lambda o: S.LinearLR(o, total_iters=4))))
tell(153, lambda: (rates(lambda o: S.ConstantLR(o, total_iters=3))))
tell(154, lambda: (rates(lambda o: S.PolynomialLR(o, 5, 2.0))))
tell(155, lambda: (rates(lambda o: S.OneCycleLR(o, 0.5, total_steps=10))))
tell(156, lambda: (rates(lambda o: S.OneCycleLR(o, 0.5, total_steps=10, anneal_strategy='linear'))))
tell(157, lambda: (rates(lambda o: S.CyclicLR(o, 0.01, 0.1, step_size_up=3))))
tell(158, lambda: (rates(lambda o: S.SequentialLR(o, [S.ConstantLR(o, 0.1, 2), S.ExponentialLR(o, 0.9)], [2]))))
tell(159, lambda: (rates(lambda o: S.ChainedScheduler([S.ConstantLR(o), S.ExponentialLR(o, 0.9)]))))
tell(160, lambda: (drawn(lambda: nn.init.uniform_(torch.empty(3, 2)))))
tell(161, lambda: (drawn(lambda: nn.init.normal_(torch.empty(4, 5)))))
tell(162, lambda: (drawn(lambda: nn.init.constant_(torch.empty(2), 3.0))))
tell(163, lambda: (drawn(lambda: nn.init.eye_(torch.empty(2, 3)))))
tell(164, lambda: (drawn(lambda: nn.init.xavier_uniform_(torch.empty(3, 2)))))
tell(165, lambda: (drawn(lambda: nn.init.xavier_normal_(torch.empty(3, 6)))))
tell(166, lambda: (drawn(lambda: nn.init.kaiming_uniform_(torch.empty(3, 2)))))
tell(167, lambda: (drawn(lambda: nn.init.kaiming_normal_(torch.empty(3, 2), mode='fan_out', nonlinearity='relu'))))
tell(168, lambda: (drawn(lambda: nn.init.trunc_normal_(torch.empty(4, 4)))))
tell(169, lambda: (drawn(lambda: nn.init.orthogonal_(torch.empty(3, 3)))))
tell(170, lambda: (drawn(lambda: nn.init.calculate_gain('tanh'))))
tell(171, lambda: (drawn(lambda: torch.rand(3))))
tell(172, lambda: (drawn(lambda: torch.randn(3))))
tell(173, lambda: (drawn(lambda: torch.randn(17))))
tell(174, lambda: (drawn(lambda: torch.randint(0, 9, (5,)))))
tell(175, lambda: (drawn(lambda: torch.randperm(6))))
tell(176, lambda: (drawn(lambda: torch.bernoulli(torch.full((5,), 0.4)))))
tell(177, lambda: (drawn(lambda: torch.empty(4).uniform_(-1, 2))))
tell(178, lambda: (drawn(lambda: torch.empty(4).exponential_())))
tell(179, lambda: (drawn(lambda: torch.multinomial(torch.tensor([0.2, 0.3, 0.5]), 4, replacement=True))))
tell(180, lambda: (drawn(lambda: torch.normal(1.0, 2.0, (3,)))))
tell(181, lambda: (drawn(lambda: torch.rand(3, dtype=torch.float64))))
tell(182, lambda: (drawn(lambda: torch.randn(2, generator=torch.Generator().manual_seed(4)))))
tell(183, lambda: (drawn(lambda: F.dropout(torch.ones(6), 0.5))))
tell(184, lambda: (drawn(lambda: F.gumbel_softmax(torch.zeros(4)))))
tell(185, lambda: (drawn(lambda: torch.initial_seed())))
tell(186, lambda: (grads(lambda a: a.sin() * a, x(3))))
tell(187, lambda: (grads(lambda a, b: a @ b, x(2, 3), x(3, 2))))
tell(188, lambda: (grads(lambda a: F.layer_norm(a, (4,)), x(2, 4))))
tell(189, lambda: (grads(lambda a: torch.softmax(a, 1)[:, 0], x(2, 3))))
tell(190, lambda: (grads(lambda a: F.gelu(a), x(4))))
tell(191, lambda: (grads(lambda a: a.view(4)[1:3], x(2, 2))))
tell(192, lambda: (second(lambda a: a ** 3, x(3))))
tell(193, lambda: (second(lambda a: torch.tanh(a), x(3))))
tell(194, lambda: (second(lambda a: torch.sigmoid(a), x(3))))
tell(195, lambda: (second(lambda a: a.exp() * a, x(3))))
tell(196, lambda: (second(lambda a: F.softmax(a, 0)[0], x(3))))
tell(197, lambda: (second(lambda a: 1 / (1 + a * a), x(3))))
tell(198, lambda: (second(lambda a: (a @ a.t()) ** 2, x(2, 2))))
tell(199, lambda: (second(lambda a: F.silu(a), x(3))))
tell(200, lambda: (second(lambda a: F.softplus(a), x(3))))
tell(201, lambda: (torch.autograd.functional.jacobian(lambda a: a * a, x(2))))
tell(202, lambda: (torch.autograd.functional.hessian(lambda a: (a ** 3).sum(), x(2))))
tell(203, lambda: (torch.autograd.functional.vjp(lambda a: a * a, x(2), torch.ones(2))))
tell(204, lambda: (torch.func.grad(lambda a: (a ** 2).sum())(x(3))))
tell(205, lambda: (torch.func.vmap(lambda a: a.sum())(x(3, 2))))
tell(206, lambda: (torch.func.jacrev(lambda a: a.sin())(x(2))))
tell(207, lambda: ([len(b[0]) for b in DataLoader(TensorDataset(torch.arange(10)), batch_size=4)]))
tell(208, lambda: (drawn(lambda: [b[0] for b in DataLoader(TensorDataset(torch.arange(7)), batch_size=3, shuffle=True)])))
tell(209, lambda: (len(DataLoader(TensorDataset(torch.arange(10)), batch_size=4, drop_last=True))))
tell(210, lambda: (drawn(lambda: [len(s) for s in random_split(list(range(10)), [0.6, 0.4])])))
tell(211, lambda: (list(Subset([5, 6, 7], [2, 0]))))
tell(212, lambda: ([n for n, _ in nn.Sequential(nn.Linear(1, 2), nn.BatchNorm1d(2)).named_parameters()]))
tell(213, lambda: (list(nn.Sequential(nn.Linear(1, 2), nn.BatchNorm1d(2)).state_dict())))
tell(214, lambda: (next(nn.Linear(2, 3).parameters()).shape))
tell(215, lambda: ([type(m).__name__ for m in nn.Sequential(nn.Linear(1, 2), nn.ReLU()).modules()]))
tell(216, lambda: (nn.Linear(2, 3).double().weight.dtype))
tell(217, lambda: (nn.Linear(2, 2).eval().training))
tell(218, lambda: (nn.Linear(2, 2).requires_grad_(False).weight.requires_grad))
tell(219, lambda: (nn.Linear(2, 2).load_state_dict(nn.Linear(2, 2).state_dict())))
tell(220, lambda: (nn.Linear(2, 2).load_state_dict({})))
tell(221, lambda: (nn.Linear(2, 2).register_buffer('a.b', None)))
tell(222, lambda: (nn.ModuleList([nn.ReLU()])[1]))
tell(223, lambda: (len(nn.ModuleDict({'a': nn.ReLU()}))))
tell(224, lambda: (nn.Module().forward))
tell(225, lambda: ((x(3).requires_grad_() * 2).grad_fn.name()))
tell(226, lambda: (x(3).backward()))
tell(227, lambda: (torch.autograd.grad(x(2).sum(), x(2))))
tell(228, lambda: (nn.utils.clip_grad_norm_([], 1.0)))
tell(229, lambda: (nn.utils.parameters_to_vector([torch.ones(2), torch.zeros(1)])))
tell(230, lambda: (nn.utils.rnn.pad_sequence([torch.ones(2), torch.ones(3)], batch_first=True)))
tell(231, lambda: (optim.SGD([], lr=0.1)))
tell(232, lambda: (optim.SGD([x(2)], lr=-1)))
tell(233, lambda: (torch.compile(lambda a: a + 1, backend='nope')))
tell(234, lambda: (torch.compile(lambda a: a * 2, backend=lambda gm, inputs: gm.forward)(x(2))))
tell(235, lambda: (torch.fx.symbolic_trace(nn.Sequential(nn.Linear(2, 3), nn.ReLU())).code.count('self')))
tell(236, lambda: (torch.is_grad_enabled(), torch.no_grad()(torch.is_grad_enabled)()))
tell(237, lambda: (torch.compiler.is_compiling()))
tell(238, lambda: (grads(lambda a: Cube.apply(a, 2.0), x(3))))
tell(239, lambda: (second(lambda a: Cube.apply(a, 2.0), x(3))))
tell(240, lambda: (grads(Exponential.apply, x(3))))
tell(241, lambda: (second(Exponential.apply, x(3))))
tell(242, lambda: (grads(Wrong.apply, x(3))))
tell(243, lambda: (hooked()))
tell(244, lambda: (module_hooks()))
tell(245, lambda: (grads(lambda a: torch.utils.checkpoint.checkpoint(lambda b: b.sin() * b, a, use_reentrant=False), x(3))))
tell(246, lambda: (torch.utils.checkpoint.checkpoint_sequential([nn.Tanh(), nn.ReLU(), nn.Sigmoid()], 2, x(3), use_reentrant=False)))
tell(247, lambda: (torch.fx.experimental.proxy_tensor.make_fx(lambda a: a.cos().cos())(x(3))(x(3) + 1)))
tell(248, lambda: (torch.fx.symbolic_trace(nn.Sequential(nn.Tanh(), nn.ReLU()))(x(3))))
tell(249, lambda: (torch.fx.Interpreter(torch.fx.symbolic_trace(nn.Sequential(nn.Tanh(), nn.Sigmoid()))).run(x(3))))
tell(250, lambda: (torch.autograd.gradcheck(lambda a: a.sin() * a, x(3).double().requires_grad_())))
tell(251, lambda: (x(2).requires_grad_().sum().backward(inputs=[])))
tell(252, lambda: (torch.autograd.grad(x(2).requires_grad_() * 2, x(2).requires_grad_())))
