# SPDX-License-Identifier: Apache-2.0
# Second derivatives, and first ones at kinks, as PyTorch prints them: derivatives.txt.
import torch
import torch.nn as nn
import torch.nn.functional as F
compiled = False


def second(name, function, x):
    x = x.double().requires_grad_()
    result = function(x)
    weights = torch.arange(1., 1 + result.numel(), dtype=torch.float64).reshape(result.shape)
    slope, = torch.autograd.grad((result * weights).sum(), x, create_graph=True)
    bend, = torch.autograd.grad((slope * slope).sum(), x)
    print(name, *[f"{round(v, 6) + 0.0:.6f}" for v in slope.flatten().tolist() + bend.flatten().tolist()])


def first(name, function, *values):
    if compiled:
        torch._dynamo.reset()
        function = torch.compile(function)
    x = torch.tensor(values, requires_grad=True)
    print(name, *[f"{round(v, 6) + 0.0:.6f}" for v in torch.autograd.grad(function(x).sum(), x)[0].tolist()])


functions = dict(
    logcumsumexp=lambda x: x.logcumsumexp(0),
    cumprod=lambda x: x.cumprod(0),
    cumsum=lambda x: x.cumsum(0)**2,
    exp=torch.exp,
    tanh=torch.tanh,
    sigmoid=torch.sigmoid,
    softmax=lambda x: x.softmax(0),
    log_softmax=lambda x: x.log_softmax(0),
    logsumexp=lambda x: x.logsumexp(0, keepdim=True),
    norm=lambda x: x.norm().reshape(1),
    var=lambda x: x.var().reshape(1),
    std=lambda x: x.std().reshape(1),
    prod=lambda x: x.prod().reshape(1),
    gelu=F.gelu,
    silu=F.silu,
    mish=F.mish,
    softplus=F.softplus,
    elu=F.elu,
    selu=F.selu,
    celu=F.celu,
    logsigmoid=F.logsigmoid,
    hardswish=F.hardswish,
    erf=torch.erf,
    layer_norm=lambda x: F.layer_norm(x,(4,)),
    tan=torch.tan,
    atan=torch.atan,
    sinh=torch.sinh,
    asinh=torch.asinh,
    cosh=torch.cosh,
    softsign=F.softsign,
    tanhshrink=F.tanhshrink,
    glu=lambda x: F.glu(x),
    expm1=torch.expm1,
    sinc=torch.sinc,
    xlogy=lambda x: torch.xlogy(x*x,x*x+1),
    logaddexp=lambda x: torch.logaddexp(x, x*x),
    hypot=lambda x: torch.hypot(x, x*x+1),
    atan2=lambda x: torch.atan2(x, x*x+1),
    cummax=lambda x: (x*x).cummax(0)[0],
    cosine=lambda x: F.cosine_similarity(x, x*x+1, 0).reshape(1),
    normalize=lambda x: F.normalize(x,dim=0),
    bce=lambda x: F.binary_cross_entropy_with_logits(x,torch.tensor([0.,1.,.5,.2],dtype=x.dtype)).reshape(1),
    huber=lambda x: F.huber_loss(x*x,x*0).reshape(1),
    inv=lambda x: torch.linalg.inv(x.reshape(2,2)),
    det=lambda x: torch.linalg.det(x.reshape(2,2)).reshape(1),
    mm=lambda x: x.reshape(2,2)@x.reshape(2,2),
    conv=lambda x: F.conv1d(x.reshape(1,1,4), x.reshape(1,1,4)[:,:,:2]*2),
    avg=lambda x: F.avg_pool1d(x.reshape(1,1,4)**3,2),
    maxp=lambda x: F.max_pool1d(x.reshape(1,1,4)**3,2),
    interp=lambda x: F.interpolate(x.reshape(1,1,4)**3, scale_factor=2, mode='linear'),
    bn=lambda x: F.batch_norm(x.reshape(2,2),None,None,training=True),
    gn=lambda x: F.group_norm(x.reshape(1,2,2),1),
    inorm=lambda x: F.instance_norm(x.reshape(1,2,2)),
    embed=lambda x: F.embedding(torch.tensor([0,1,0]), x.reshape(2,2)**2),
    gather=lambda x: (x**3).gather(0,torch.tensor([1,1,0])),
    index=lambda x: (x**3)[torch.tensor([1,1,0])],
    scatter=lambda x: torch.zeros(3,dtype=x.dtype).scatter_add(0,torch.tensor([1,1,0,2]),x**3),
    topk=lambda x: (x**3).topk(2)[0],
    mean=lambda x: (x**3).mean().reshape(1),
    renorm=lambda x: torch.renorm(x.reshape(2,2),2,0,.5),
    rsqrt=lambda x: (x*x).rsqrt(),
    pow=lambda x: (x*x)**x,
    lgamma=lambda x: torch.lgamma(x*x+1),
    digamma=lambda x: torch.digamma(x*x+1),
    erfinv=lambda x: torch.erfinv(x/10),
    logit=lambda x: torch.logit(torch.sigmoid(x)),
    i0=torch.i0,
    aminmax=lambda x: (x**3).amax().reshape(1),
    median=lambda x: (x**3).median().reshape(1),
    cross=lambda x: F.cross_entropy(x.reshape(2,2), torch.tensor([0,1])).reshape(1),
    nll=lambda x: F.nll_loss(x.reshape(2,2).log_softmax(1), torch.tensor([0,1])).reshape(1),
    smooth=lambda x: F.smooth_l1_loss(x*x, x*0).reshape(1),
    poisson=lambda x: F.poisson_nll_loss(x, x*x).reshape(1),
    gauss=lambda x: F.gaussian_nll_loss(x, x*2, x*x+1).reshape(1),
    triplet=lambda x: F.triplet_margin_loss(x.reshape(2,2), x.reshape(2,2)**2, x.reshape(2,2)*3).reshape(1),
    pad=lambda x: F.pad(x.reshape(1,4)**3,(1,1),mode='reflect'),
    rms=lambda x: F.rms_norm(x,(4,)),
    tri=lambda x: torch.tril(x.reshape(2,2)**3),
    trapz=lambda x: torch.trapezoid(x**3).reshape(1),
    logdet=lambda x: torch.logdet(x.reshape(2,2)@x.reshape(2,2).t()+torch.eye(2,dtype=x.dtype)).reshape(1),
    cholesky=lambda x: torch.linalg.cholesky(x.reshape(2,2)@x.reshape(2,2).t()+torch.eye(2,dtype=x.dtype)),
    solve=lambda x: torch.linalg.solve(x.reshape(2,2)**2+torch.eye(2,dtype=x.dtype), x.reshape(2,2)),
    lstm=lambda x: torch.lerp(x, x*x, x.sigmoid()),
    dist=lambda x: torch.dist(x, x*x).reshape(1),
    addcdiv=lambda x: torch.addcdiv(x, x*x, x*x+1),
)
if not compiled:
    for name, function in functions.items():
        second("eager " + name, function, torch.tensor([1.1, 2., -2.5, .5]))
    second("eager logcumsumexp of a factor 0", lambda x: x.logcumsumexp(0) * torch.tensor([0., 1., 2.]), torch.tensor([1., 2., -3.]))
    second("eager logsigmoid at 0", F.logsigmoid, torch.tensor([0., 1.]))
    second("eager loss of logits at 0", lambda x: F.binary_cross_entropy_with_logits(x, torch.tensor([0., 1.], dtype=x.dtype)).reshape(1), torch.tensor([0., 1.]))
    for name, function in dict(elu=F.elu, steep=lambda x: F.elu(x, 0.7), selu=F.selu, celu=lambda x: F.celu(x, 1.5)).items():
        second("eager " + name + " at 0", function, torch.tensor([-1., 0., -0., 2.]))
    for delta in (0.5, 2.):
        for loss in (lambda x: F.huber_loss(x, x * 0, reduction="none", delta=delta) + x,
                     lambda x: F.smooth_l1_loss(x, x.detach() * 0, reduction="none", beta=delta) + x):
            second(f"eager loss at 0 and {delta}", loss, torch.tensor([0., delta, -delta, delta / 2, 3.]))
    second("eager prelu at 0", lambda x: F.prelu(x[1:], x[:1]), torch.tensor([.25, 0., 1., -2.]))
    second("eager ldexp", lambda x: torch.ldexp(x * x, torch.tensor([3, -2, 0])), torch.tensor([0., 1., -3.]))
    # A pair of weights for second derivatives at zeros, of which slope * slope has few.
    def bent(name, function, *values):
        x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
        y = function(x)
        slope, = torch.autograd.grad((y * torch.arange(1., 1 + y.numel(), dtype=y.dtype).reshape(y.shape)).sum(), x, create_graph=True)
        weights = torch.arange(1., 1 + len(values), dtype=y.dtype)
        bend, = torch.autograd.grad((slope * weights).sum(), x, create_graph=True)
        twist, = torch.autograd.grad((bend * weights * weights).sum(), x)
        print("eager bent " + name, *[f"{v + 0.0:.3f}" for v in slope.tolist() + bend.tolist() + twist.tolist()])


    for values in ((2., 0., 3., 0., 4.), (2., 0., 3., 5., 4.), (0., 0., 0., 1., 2.), (1., 2., 3., 4., 5.), (0., 1., 0.)):
        bent("cumprod", lambda x: x.cumprod(0), *values)
        bent("cumprod of columns", lambda x: torch.stack([x, x * 2], 1).cumprod(0), *values)
        bent("prod", lambda x: x.prod(), *values)
        bent("prod of columns", lambda x: torch.stack([x, x + 1], 1).prod(0), *values)
        bent("prod of all", lambda x: torch.stack([x, x + 1], 1).prod(), *values)
first("clamp", lambda x: x.clamp(-1, 1), -1., 0., 1.)
first("clamp min", lambda x: x.clamp(min=0), -1., 0., 1.)
first("clamp max", lambda x: x.clamp(max=0), -1., 0., 1.)
first("clamp_min", lambda x: x.clamp_min(0), -1., 0., 1.)
low, high = torch.tensor(-1.), torch.tensor(1.)
first("clamp, tensors", lambda x: x.clamp(low, high), -2., -1., 0., 1., 2., float("nan"))
first("clamp, one tensor", lambda x: x.clamp(min=low), -2., -1., 0., float("nan"))
first("clamp_max, tensor", lambda x: x.clamp_max(high), 0., 1., 2.)
first("clamp, low", lambda low: torch.tensor([0., 1., 2.]).clamp(low, torch.tensor(2.)), 0., 1., 2.)
first("clamp, high", lambda high: torch.tensor([0., 1., 2.]).clamp(torch.tensor(1.), high), 0., 1., 3.)
first("clamp, bounds that meet", lambda bound: torch.tensor([0., 1., 2.]).clamp(bound, bound.detach()), 1., 1., 1.)
first("clip", lambda x: torch.clip(x, 0), -1., 0., 1.)
first("clamp_", lambda x: (x * 1).clamp_(0, 1), -1., 0., 1.)
for name in "hardswish hardsigmoid relu6 hardtanh softplus leaky_relu relu logsigmoid".split():
    first(name, getattr(F, name), -3., 0., 1., 3., 6.)
first("ranking", lambda x: F.margin_ranking_loss(x, x * 0 + 1, torch.tensor([1., 1.])), 0., 1.)
first("hinge", lambda x: F.hinge_embedding_loss(x, torch.tensor([-1., -1.])), 0., 1.)
first("multi margin", lambda x: F.multi_margin_loss(x.reshape(1, 2), torch.tensor([1])), 0., 1.)

# Statistics of training are updated behind the call that took them, and not read by its gradients.
torch.manual_seed(0)
norm = torch.nn.BatchNorm1d(3)
x = torch.randn(4, 3, requires_grad=True)
(g,) = torch.autograd.grad((norm(x) ** 3).sum(), x, create_graph=True)
(g * g).sum().backward()
print([round(v, 2) for v in x.grad.flatten().tolist()], [round(v, 4) for v in norm.running_mean.tolist()])
norm = torch.nn.BatchNorm1d(3).bfloat16()
x = torch.arange(12.0).reshape(4, 3).bfloat16().requires_grad_()
(norm(x) * x.detach()).sum().backward()
print(x.grad.dtype, norm.weight.grad.float().round().tolist(), norm.num_batches_tracked.item())
first("smooth l1, beta 0", lambda x: F.smooth_l1_loss(x, torch.zeros(3), beta=0.), 0., 1., -2.)
first("smooth l1, beta 0, sum", lambda x: F.smooth_l1_loss(torch.zeros(3), x, beta=0., reduction="sum"), 0., 1., -2.)
