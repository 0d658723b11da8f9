# SPDX-License-Identifier: Apache-2.0
# Random numbers that are drawn by the values of tensors, with PyTorch's derivatives through the draws.
import torch


def _without_gradient(drawn, values):
    """The numbers, whose derivative by the values is 0."""
    return torch.where(values < values, values, drawn) if values.requires_grad else drawn


class _Underived(torch.autograd.Function):
    """What PyTorch has no derivative for: its error, once one is asked for."""
    @staticmethod
    def forward(ctx, found, of, error):
        ctx.error = error
        return found.clone()

    @staticmethod
    def backward(ctx, grad):
        raise ctx.error


def replaced(drawn, by):
    """Numbers drawn in the place of others by one probability."""
    return _Underived.apply(drawn, by, RuntimeError("derivative for aten::bernoulli is not implemented"))


def underived(found, of):
    """Elements that were picked by their values, alone or before what else is told of them."""
    if isinstance(found, tuple):
        return (underived(found[0], of),) + found[1:]
    return _Underived.apply(found, of, NotImplementedError("the derivative for '_unique2' is not implemented."))


def poisson(input, generator=None):
    return _without_gradient(_C.by_values("poisson", [input.detach()], generator), input)


def binomial(count, prob, generator=None):
    count, prob = torch.broadcast_tensors(count, prob)
    return _without_gradient(_C.by_values("binomial", [count.detach(), prob.detach()], generator), prob)


def _standard_gamma_grad(input, output):
    return _C.by_values("gamma_slope", [input.detach(), output.detach()])


def _dirichlet_grad(x, alpha, total):
    return _C.by_values("dirichlet_slope", [x.detach(), alpha.detach(), total.detach()])


class StandardGamma(torch.autograd.Function):
    @staticmethod
    def forward(ctx, concentration, generator):
        x = _C.by_values("gamma", [concentration], generator)
        ctx.save_for_backward(concentration, x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * _standard_gamma_grad(*ctx.saved_tensors), None


def _standard_gamma(input, generator=None):
    return StandardGamma.apply(input, generator)


def _sample_dirichlet(input, generator=None):
    gamma = _C.by_values("gamma", [input.detach().double()], generator)
    info = torch.finfo(input.dtype)
    below_one = 1 - info.eps / 2
    return (gamma / gamma.sum(-1, keepdim=True)).to(input.dtype).clamp(info.tiny, below_one)


class Dirichlet(torch.autograd.Function):
    @staticmethod
    def forward(ctx, concentration):
        x = _sample_dirichlet(concentration)
        ctx.save_for_backward(x, concentration)
        return x

    @staticmethod
    def backward(ctx, grad):
        x, concentration = ctx.saved_tensors
        total = concentration.sum(-1, True).expand_as(concentration)
        return _dirichlet_grad(x, concentration, total) * (grad - (x * grad).sum(-1, True))
