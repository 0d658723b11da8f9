# SPDX-License-Identifier: Apache-2.0
# Numbers drawn by the values of tensors, per seed, and gradients through draws. What PyTorch printed:
# drawn_by_values.txt.
import torch
import torch.distributions as D


def say(what, t):
    print(what, t.dtype, list(t.shape), *[f"{v:.5g}" for v in t.detach().double().reshape(-1).tolist()])


for dtype in (torch.float32, torch.float64):
    rates = torch.tensor([[0.0, 0.3, 2.0, 9.9], [10.0, 25.5, 400.0, 1e5]], dtype=dtype)
    alphas = torch.tensor([[0.01, 0.3, 1.0, 1.5], [3.0, 8.5, 40.0, 900.0]], dtype=dtype)
    for seed in range(4):
        torch.manual_seed(seed)
        say("poisson", torch.poisson(rates))
        say("poisson of a turned one", torch.poisson(rates.t()))
        say("gamma", torch._standard_gamma(alphas))
        say("after", torch.rand(2))
        say("binomial", torch.binomial(torch.tensor([0.0, 5.0, 30.0, 30.0, 200.0], dtype=dtype),
                                       torch.tensor([0.5, 0.3, 0.9, 0.4, 0.55], dtype=dtype)))
        say("dirichlet", torch._sample_dirichlet(alphas[:, :3]))
        say("after", torch.randn(3))
    x = torch.tensor([[0.001, 0.2, 0.9, 2.5], [2.0, 9.0, 41.0, 700.0]], dtype=dtype)
    say("gamma slope", torch._standard_gamma_grad(alphas, x))
    for total in (1.5, 5.0, 30.0, 200.0):
        for share in (0.02, 0.4, 0.8):
            inner = torch.tensor([0.01, 0.2, 0.35, 0.5, 0.79, 0.99], dtype=dtype)
            whole = torch.full_like(inner, total)
            say(f"dirichlet slope {total} {share}", torch._dirichlet_grad(inner, whole * share, whole))

a, b = torch.tensor([0.4, 2.0, 9.0], requires_grad=True), torch.tensor([1.0, 3.0, 0.7], requires_grad=True)
kinds = {"gamma": lambda: D.Gamma(a, b), "beta": lambda: D.Beta(a, b), "dirichlet": lambda: D.Dirichlet(a),
         "chi2": lambda: D.Chi2(a), "student": lambda: D.StudentT(a + 2, b, 2.0), "poisson": lambda: D.Poisson(a),
         "binomial": lambda: D.Binomial(7, torch.sigmoid(b)), "binomial of logits": lambda: D.Binomial(7, logits=b)}
for name, make in kinds.items():
    d = make()
    torch.manual_seed(1)
    drawn = d.rsample((2,)) if d.has_rsample else d.sample((2,))
    print(name, d.batch_shape, d.event_shape, d.has_rsample, drawn.requires_grad)
    say("draws", drawn)
    say("mean", d.mean)
    say("variance", d.variance)
    say("log_prob", d.log_prob(drawn.detach()))
    if name[:3] not in ("poi", "bin"):
        say("entropy", d.entropy())
    if drawn.requires_grad:
        weights = torch.linspace(0.5, 2, drawn.numel()).reshape(drawn.shape)
        for g in torch.autograd.grad((drawn * weights).sum(), (a, b), allow_unused=True):
            if g is not None:
                say("gradient", g)
for p, q in ((D.Gamma(a, b), D.Gamma(b, a)), (D.Beta(a, b), D.Beta(b, a)), (D.Dirichlet(a), D.Dirichlet(b)),
             (D.Poisson(a), D.Poisson(b))):
    say("divergence", D.kl_divergence(p, q))
for bad in (lambda: torch.poisson(torch.tensor([-1.0])), lambda: D.Gamma(torch.tensor(-1.0), 1.0),
            lambda: D.Dirichlet(torch.tensor(1.0))):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__)
columns = torch.arange(1.0, 13.0).reshape(4, 3).t()
for count, again in ((4, False), (1, False), (4, True)):
    torch.manual_seed(3)
    print(torch.multinomial(columns, count, again).tolist(), torch.multinomial(columns.contiguous(), count, again).tolist())
torch.manual_seed(3)
say("complex", torch.view_as_real(torch.ops.aten.rand([2], dtype=torch.complex64)))
say("complex", torch.view_as_real(torch.ops.aten.randn([2], dtype=torch.complex64)))
