# SPDX-License-Identifier: Apache-2.0
# Distributions that are made of others: draws with a seed, densities, moments, divergences, gradients through draws,
# larger batches. What PyTorch printed: more_distributions.txt.
import torch
import torch.distributions as D

loc, scale = torch.tensor([0.5, -1.0, 2.0]), torch.tensor([1.0, 0.5, 3.0])
probs = torch.tensor([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]])
logits = torch.tensor([[0.1, -0.4, 1.5], [2.0, 0.0, -1.0]])
temperature = torch.tensor(0.7)


def show(what, f):
    try:
        found = f()
    except Exception as e:
        found = None
        print(what, type(e).__name__)
    if found is not None:
        print(what, tuple(found.shape), *[f"{v:.4f}" for v in found.detach().double().reshape(-1).tolist()])


kinds = {
    "cauchy": (lambda: D.Cauchy(loc, scale), loc + 0.3),
    "gumbel": (lambda: D.Gumbel(loc, scale), loc + 0.3),
    "half normal": (lambda: D.HalfNormal(scale), scale + 0.2),
    "half cauchy": (lambda: D.HalfCauchy(scale), scale + 0.2),
    "weibull": (lambda: D.Weibull(scale, scale + 1), scale),
    "pareto": (lambda: D.Pareto(scale, scale + 2), scale + 1),
    "kumaraswamy": (lambda: D.Kumaraswamy(scale, scale + 0.5), torch.tensor([0.2, 0.4, 0.6])),
    "inverse gamma": (lambda: D.InverseGamma(scale + 2, scale), scale),
    "logistic normal": (lambda: D.LogisticNormal(loc, scale), torch.tensor([0.1, 0.2, 0.3, 0.4])),
    "fisher": (lambda: D.FisherSnedecor(scale + 1, scale + 5), scale),
    "geometric": (lambda: D.Geometric(probs), torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 0.0]])),
    "geometric of logits": (lambda: D.Geometric(logits=logits), torch.ones(2, 3)),
    "negative binomial": (lambda: D.NegativeBinomial(5, probs), torch.tensor([0.0, 3.0, 7.0])),
    "negative binomial of logits": (lambda: D.NegativeBinomial(scale, logits=logits), torch.ones(3)),
    "multinomial": (lambda: D.Multinomial(4, probs), torch.tensor([[1.0, 1.0, 2.0], [4.0, 0.0, 0.0]])),
    "relaxed bernoulli": (lambda: D.RelaxedBernoulli(temperature, probs[0]), torch.tensor([0.3, 0.4, 0.6])),
    "relaxed categorical": (lambda: D.RelaxedOneHotCategorical(temperature, logits=logits), probs),
    "straight through": (lambda: D.OneHotCategoricalStraightThrough(probs), torch.eye(3)[:2]),
    "continuous bernoulli": (lambda: D.ContinuousBernoulli(torch.tensor([0.1, 0.5, 0.9])), torch.tensor([0.2, 0.4, 1.0])),
    "mixture": (lambda: D.MixtureSameFamily(D.Categorical(probs[0]), D.Normal(loc, scale)), torch.tensor(0.4)),
    "mixture of events": (lambda: D.MixtureSameFamily(D.Categorical(probs[1]),
                                                      D.Independent(D.Normal(torch.stack([loc, scale], -1), 1.0), 1)),
                          torch.tensor([0.4, 1.0])),
    "von mises": (lambda: D.VonMises(loc, scale), loc + 0.5),
}
for name, (make, value) in kinds.items():
    d = make()
    print(name, d.batch_shape, d.event_shape, d.has_rsample)
    show("log_prob", lambda: d.log_prob(value))
    for what in ("mean", "mode", "variance", "stddev"):
        show(what, lambda: getattr(d, what))
    if "mixture" not in name and "relaxed" not in name and name not in ("fisher", "negative binomial", "logistic normal",
                                                                       "negative binomial of logits", "von mises"):
        show("entropy", lambda: d.entropy())
    if name in ("cauchy", "gumbel", "half normal", "half cauchy", "weibull", "pareto", "kumaraswamy",
                "continuous bernoulli", "mixture"):
        show("cdf", lambda: d.cdf(value))
    if name in ("cauchy", "half normal", "half cauchy", "continuous bernoulli"):
        show("icdf", lambda: d.icdf(torch.tensor([0.1, 0.5, 0.7])))
    torch.manual_seed(0)
    show("draws", lambda: d.sample((2,)))
    if name != "von mises":
        wide = d.expand((4,) + tuple(d.batch_shape))
        print(wide.batch_shape, wide.event_shape)
        show("of more", lambda: wide.log_prob(value))
        torch.manual_seed(1)
        show("draws of more", lambda: wide.sample())
for make in (lambda a, b: D.Gumbel(a, b), lambda a, b: D.Cauchy(a, b), lambda a, b: D.Weibull(b, b + 1),
             lambda a, b: D.RelaxedBernoulli(b, logits=a), lambda a, b: D.HalfNormal(b),
             lambda a, b: D.RelaxedOneHotCategorical(b[0], logits=a), lambda a, b: D.LogisticNormal(a, b),
             lambda a, b: D.OneHotCategoricalStraightThrough(logits=a * b)):
    a, b = loc.clone().requires_grad_(), scale.clone().requires_grad_()
    torch.manual_seed(2)
    x = make(a, b).rsample()
    for g in torch.autograd.grad((x * torch.arange(1.0, x.numel() + 1)).sum(), (a, b), allow_unused=True):
        show("gradient", lambda: g)
for p, q in ((D.Cauchy(loc, scale), D.Cauchy(loc + 1, scale)), (D.Gumbel(loc, scale), D.Gumbel(loc + 1, scale * 2)),
             (D.Geometric(probs), D.Geometric(probs.flip(0))), (D.HalfNormal(scale), D.HalfNormal(scale + 1)),
             (D.Pareto(scale, scale + 1), D.Pareto(scale * 0.5, scale))):
    show("divergence", lambda: D.kl_divergence(p, q))
for bad in (lambda: D.Cauchy(0.0, -1.0), lambda: D.Geometric(torch.tensor(0.0)), lambda: D.Multinomial(torch.tensor(3), probs),
            lambda: D.MixtureSameFamily(D.Normal(0.0, 1.0), D.Normal(loc, scale)), lambda: D.NegativeBinomial(3),
            lambda: D.MixtureSameFamily(D.Categorical(torch.ones(2)), D.Normal(loc, scale)),
            lambda: D.TransformedDistribution(D.Normal(0.0, 1.0), D.StickBreakingTransform())):
    try:
        bad()
        print("taken")
    except Exception as e:
        print(type(e).__name__)
for turn, x in ((D.StickBreakingTransform(), loc), (D.SoftmaxTransform(), loc), (D.AbsTransform(), loc),
                (D.ReshapeTransform((3,), (3, 1)), loc), (D.IndependentTransform(D.ExpTransform(), 1), loc)):
    y = turn(x)
    show("turned", lambda: y)
    show("back", lambda: turn.inv(y))
    show("determinant", lambda: turn.log_abs_det_jacobian(x, y))
