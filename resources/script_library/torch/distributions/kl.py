# SPDX-License-Identifier: Apache-2.0
# Kullback-Leibler divergences between two distributions of known kinds.
import torch

_formulas = {}


def register_kl(type_p, type_q):
    def decorator(formula):
        _formulas[type_p, type_q] = formula
        return formula

    return decorator


def kl_divergence(p, q):
    for (type_p, type_q), formula in _formulas.items():
        if isinstance(p, type_p) and isinstance(q, type_q):
            return formula(p, q)
    raise NotImplementedError(f"No KL(p || q) is implemented for p type {type(p).__name__} and q type "
                              f"{type(q).__name__}")


def _normal(p, q):
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


def _categorical(p, q):
    t = p.probs * (p.logits - q.logits)
    t = torch.where(q.probs == 0, torch.inf, t)
    return torch.where(p.probs == 0, 0.0, t).sum(-1)


def _bernoulli(p, q):
    softplus = torch.nn.functional.softplus
    first = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    first = torch.where(p.probs == 0, 0.0, torch.where(q.probs == 0, torch.inf, first))
    second = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    return first + torch.where(p.probs == 1, 0.0, torch.where(q.probs == 1, torch.inf, second))


def _exponential(p, q):
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


def _independent(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError("the events have different numbers of dimensions")
    return p._summed(kl_divergence(p.base_dist, q.base_dist))


def _multivariate(p, q):
    half = (q.scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1) -
            p.scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1))
    solve = torch.linalg.solve_triangular
    spread = solve(q.scale_tril, p.scale_tril, upper=False).pow(2).sum((-2, -1))
    apart = solve(q.scale_tril, (q.loc - p.loc).unsqueeze(-1), upper=False).squeeze(-1).pow(2).sum(-1)
    return half + 0.5 * (spread + apart - p.event_shape[0])


def _fill():
    import torch.distributions as d
    for kind, formula in ((d.Normal, _normal), (d.Categorical, _categorical), (d.Bernoulli, _bernoulli),
                          (d.Exponential, _exponential), (d.Independent, _independent),
                          (d.MultivariateNormal, _multivariate)):
        _formulas[kind, kind] = formula
