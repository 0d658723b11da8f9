# SPDX-License-Identifier: Apache-2.0
# Which operands and results the tape saves of a call: a write to those in place makes backward() refuse. What PyTorch
# printed: saved_by_calls.txt.
import torch
import torch.nn.functional as F

index = torch.tensor([[1, 0], [2, 1]])
row = torch.tensor([2, 0])
mask = torch.tensor([[True, False, True], [False, True, True], [True, True, False]])


def fresh():
    a = torch.tensor([[2.0, 0.5, 0.3], [0.4, 1.5, 0.2], [0.1, 0.7, 1.2]])
    image = (torch.arange(64.0) * 37 % 29 / 10).reshape(1, 2, 4, 8)
    return {"a": a, "b": a.flip(0) + 0.1, "image": image, "volume": image.reshape(1, 1, 4, 4, 4),
            "signal": image.reshape(2, 2, 16), "w": torch.tensor([0.3, 0.5, 0.9])}


calls = """abs(a) acos(a/4) acosh(a+2) add(a,b) addcdiv(a,a,b) addcmul(a,a,b) addmm(a,a,b) addmv(w,a,w) amax(a,1) amin(a,1)
asinh(a) atan(a) atan2(a,b) baddbmm(volume[0,0],volume[0,0],volume[0,0]) bmm(volume[0,0],volume[0,0]) cat([a,b]) cdist(a,b) ceil(a)
cholesky_inverse(a) clamp(a,0.3,1) clamp(a,b,a+1) clamp_min(a,0.4) clone(a) copysign(a,b) cos(a) cosh(a) cross(a,b) cummax(a,0) cummin(a,0)
cumprod(a,0) cumsum(a,0) deg2rad(a) det(a) diagonal(a) diff(a) digamma(a) div(a,b) div(a,2) div(a,b,rounding_mode="floor") dot(w,w)
erf(a) erfc(a) exp(a) exp2(a) expm1(a) fmax(a,b) fmin(a,b) fmod(a,b) frac(a) gather(a,1,index) heaviside(a,b)
hypot(a,b) i0(a) index_add(a,0,row,b[:2]) index_copy(a,0,row,b[:2]) index_fill(a,0,row,2.0) index_select(a,0,row) inverse(a)
kthvalue(a,2) ldexp(a,b) lerp(a,b,0.3) lerp(a,b,b) lgamma(a) linalg.cholesky(a@a.mT+torch.eye(3)) linalg.cross(a,b)
linalg.eigh(a+a.mT) linalg.eigvalsh(a+a.mT) linalg.inv(a) linalg.qr(a) linalg.solve(a,b) linalg.vector_norm(a)
linalg.vector_norm(a,3) linalg.matrix_exp(a) log(a) log10(a) log1p(a) log2(a) logaddexp(a,b) logaddexp2(a,b)
logcumsumexp(a,0) logdet(a@a.mT+torch.eye(3)) logit(a/4) logsumexp(a,1) masked_fill(a,mask,0.5) masked_scatter(a,mask,b) 
matmul(a,b) max(a) max(a,1) maximum(a,b) mean(a) mean(a,1) median(a) median(a,1) min(a,1) minimum(a,b) mm(a,b) mode(a,1) mul(a,b) mul(a,2)
mv(a,w) nan_to_num(a) nanmean(a) nansum(a) neg(a) norm(a) norm(a,3) outer(w,w) polygamma(1,a) pow(a,b) pow(a,3) pow(2.0,a) prod(a)
prod(a,1) rad2deg(a) reciprocal(a) relu(a) remainder(a,b) renorm(a,2,0,1.0) repeat_interleave(a,2) roll(a,1) round(a) rsqrt(a) scatter(a,1,index,b[:2,:2])
scatter_add(a,1,index,b[:2,:2]) scatter_reduce(a,1,index,b,"prod") scatter_reduce(a,1,index,b,"amax") sgn(a) sigmoid(a) sign(a) sin(a) sinc(a) sinh(a) sort(a,1) sqrt(a)
square(a) stack([a,b]) std(a) std(a,1) std_mean(a,1) sub(a,b) sum(a) take(a,row) tan(a) tanh(a) topk(a,2) trace(a) tril(a) var(a) var_mean(a,1)
where(mask,a,b) xlogy(a,b) ops.aten.reflection_pad2d(image,(1,1,1,1)) ops.aten.replication_pad1d(signal,(1,1)) special.entr(a) special.erfcx(a) special.log_ndtr(a) special.ndtri(a/4) special.xlog1py(a,b) special.i1(a)
F.adaptive_avg_pool1d(signal,4) F.adaptive_avg_pool2d(image,2) F.adaptive_avg_pool3d(volume,2) F.adaptive_max_pool1d(signal,4) F.adaptive_max_pool2d(image,2)
F.adaptive_max_pool3d(volume,2) F.avg_pool1d(signal,2) F.avg_pool2d(image,2) F.avg_pool3d(volume,2) F.max_pool1d(signal,2) F.max_pool2d(image,2) F.max_pool3d(volume,2)
F.lp_pool2d(image,2.0,2) F.batch_norm(image,None,None,training=True) F.binary_cross_entropy(a/4,b/4) F.binary_cross_entropy_with_logits(a,b) F.celu(a-1) F.conv1d(signal,signal[:,:,:3])
F.conv2d(image,image[:,:,:2,:3]) F.cosine_similarity(a,b) F.cross_entropy(a,row.repeat(2)[:3]) F.elu(a-1) F.gelu(a) F.glu(image,1) F.grid_sample(image,volume[0,0,:,:2,:2].reshape(1,2,4,2))
F.group_norm(image,2) F.hardshrink(a) F.hardsigmoid(a) F.hardswish(a) F.hardtanh(a) F.huber_loss(a,b) F.instance_norm(image) F.interpolate(image,scale_factor=2)
F.interpolate(image,scale_factor=2,mode="bilinear") F.kl_div(a,b) F.l1_loss(a,b) F.layer_norm(a,(3,)) F.leaky_relu(a) F.linear(a,b,w) F.log_softmax(a,1)
F.logsigmoid(a) F.margin_ranking_loss(a,b,torch.sign(b-0.5)) F.mish(a) F.mse_loss(a,b) F.nll_loss(a,row.repeat(2)[:3]) F.normalize(a) F.pad(a,(1,1))
F.pairwise_distance(a,b) F.pdist(a) F.pixel_shuffle(volume.reshape(1,4,4,4),2) F.poisson_nll_loss(a,b) F.prelu(a-0.5,w) F.relu6(a) F.rms_norm(a,(3,)) F.selu(a) F.silu(a)
F.smooth_l1_loss(a,b) F.softmax(a,1) F.softplus(a) F.softshrink(a) F.softsign(a) F.tanhshrink(a) F.threshold(a,0.4,0.1) F.unfold(image,2) a[row] a[mask] a+1 a*b a/b a**2 2**a a@b -a abs(a-b)""".split()


def saved(call):
    names = [n for n in fresh() if n in call.replace("baddbmm", "").replace("addmm", "").replace("row", "")
             and any(f"{before}{n}" in call for before in "(,[@*/-+") or call.startswith(n + "[") or call.startswith(n + "+")
             or call.startswith(n + "*") or call.startswith(n + "/") or call.startswith(n + "@")]
    found, results = [], 1
    for what in names + ["result", "result1", "result2"]:
        if what.startswith("result") and int(what[6:] or 0) >= results:
            continue
        leaves = {n: x.requires_grad_() for n, x in fresh().items()}
        given = {n: x * 1 for n, x in leaves.items()}
        known = dict(torch=torch, F=F, index=index, row=row, mask=mask, **given)
        text = call if call[:2] == "F." or call[0] in "a-2" and call[:2] in ("a[", "a+", "a*", "a/", "a@", "-a", "2*") or call.startswith("abs(a-b") else "torch." + call
        try:
            y = eval(text, known)
        except Exception as e:
            return type(e).__name__
        ys = list(y) if isinstance(y, (tuple, list)) else [y]
        results = len(ys)
        written = given[what] if what in given else ys[int(what[6:] or 0)]
        with torch.no_grad():
            written.add_(0)
        try:
            sum(t.sum() for t in ys if t.requires_grad).backward()
        except RuntimeError:
            found.append(what)
    return " ".join(found)


for call in calls:
    print(call, saved(call))
