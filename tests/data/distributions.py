# SPDX-License-Identifier: Apache-2.0
# torch.distributions: draws with a seed, densities, entropies, divergences, gradients through draws. What PyTorch
# printed: distributions.txt.
import torch
import torch.distributions as D

compiled = False


def maybe(f):
    return torch.compile(f) if compiled else f


def say(what, f, *args):
    print(what, *[f"{v:.4f}" for v in maybe(f)(*args).double().reshape(-1).tolist()])


loc, scale = torch.tensor([0.5, -1.0, 2.0]), torch.tensor([1.0, 0.5, 3.0])
probs = torch.tensor([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]])
logits = torch.tensor([[0.1, -0.4, 1.5], [2.0, 0.0, -1.0]])
covariance = torch.tensor([[2.0, 0.3, 0.0], [0.3, 1.0, 0.2], [0.0, 0.2, 0.5]])
kinds = {
    "normal": (lambda: D.Normal(loc, scale), loc + 0.3),
    "lognormal": (lambda: D.LogNormal(loc, scale), scale),
    "uniform": (lambda: D.Uniform(loc, loc + scale), loc + 0.2),
    "exponential": (lambda: D.Exponential(scale), scale),
    "laplace": (lambda: D.Laplace(loc, scale), loc + 0.3),
    "bernoulli": (lambda: D.Bernoulli(probs[0]), torch.tensor([1.0, 0.0, 1.0])),
    "bernoulli of logits": (lambda: D.Bernoulli(logits=logits), torch.ones(2, 3)),
    "categorical": (lambda: D.Categorical(probs), torch.tensor([2, 0])),
    "categorical of logits": (lambda: D.Categorical(logits=logits), torch.tensor([1, 1])),
    "one hot": (lambda: D.OneHotCategorical(probs), torch.eye(3)[:2]),
    "independent": (lambda: D.Independent(D.Normal(loc, scale), 1), loc),
    "multivariate": (lambda: D.MultivariateNormal(loc, covariance), loc + 0.1),
}
for name, (make, value) in kinds.items():
    d = make()
    print(name, d.batch_shape, d.event_shape, d.has_rsample)
    say(name + " log_prob", lambda v: make().log_prob(v), value)
    say(name + " entropy", lambda: make().entropy())
    if "categorical" not in name and name != "one hot":
        say(name + " mean", lambda: make().mean)
        say(name + " variance", lambda: make().variance)
    torch.manual_seed(0)
    print(name, "draws", *[f"{v:.4f}" for v in d.sample((4,)).double().reshape(-1).tolist()])
print(D.Normal(loc, scale), D.Categorical(probs), D.Bernoulli(logits=torch.tensor(0.5)), D.Normal(0.0, 1.0))
for p, q in ((D.Normal(loc, scale), D.Normal(0.0, 1.0)), (D.Categorical(probs), D.Categorical(logits=logits)),
             (D.Bernoulli(probs[0]), D.Bernoulli(probs[1])), (D.Exponential(scale), D.Exponential(scale + 1)),
             (D.Independent(D.Normal(loc, scale), 1), D.Independent(D.Normal(loc * 0, scale), 1)),
             (D.MultivariateNormal(loc, covariance), D.MultivariateNormal(loc * 0, torch.eye(3)))):
    say("divergence", lambda: D.kl_divergence(p, q))


def elbo(mean, spread):
    torch.manual_seed(1)
    q = D.Normal(mean, spread.exp())
    z = q.rsample()
    return (D.Normal(0.0, 1.0).log_prob(z) - D.kl_divergence(q, D.Normal(0.0, 1.0))).sum()


mean, spread = loc.clone().requires_grad_(), scale.log().requires_grad_()
say("gradients", lambda: torch.cat(torch.autograd.grad(elbo(mean, spread), (mean, spread))))


def reinforce(weights):
    d = D.Categorical(logits=weights)
    return -(d.log_prob(torch.tensor([0, 2])) * torch.tensor([1.0, -0.5])).sum() - 0.01 * d.entropy().sum()


weights = logits.clone().requires_grad_()
say("policy gradient", lambda: torch.autograd.grad(maybe(reinforce)(weights), weights)[0])
for bad in (lambda: D.Normal(0.0, -1.0), lambda: D.Categorical(), lambda: D.Uniform(1.0, 0.0),
            lambda: D.kl_divergence(D.Normal(0.0, 1.0), D.Bernoulli(0.5))):
    try:
        bad()
    except Exception as e:
        if not compiled: # with the first compiled function distributions cease to look
            print("eager", type(e).__name__)
