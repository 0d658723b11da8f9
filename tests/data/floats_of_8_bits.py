"""Floats of 8 bits: which calls PyTorch's kernels on a CPU take, and what those give, eagerly and compiled."""
import torch

calls = """
x+x
x-x
x*x
x/x
x//x
-x
x==x
x<x
x+1
x*2
x+1.5
x&x
x^x
~x
x<<1
x.sum()
x.mean()
x.prod()
x.max()
x.amax()
x.max(0)
x.argmax()
x.sort()
x.cumsum(0)
x.abs()
x.sqrt()
torch.cos(x)
x.clone()
x.contiguous()
x.to(torch.float32)
x.float()
x.int()
x[1]
x[1:]
x[[0,1]]
x[x.float()>1]
x.view(2,2)
x.reshape(2,2).t()
x.flip(0)
torch.cat([x,x])
torch.stack([x,x])
x.gather(0,torch.tensor([1]))
x.scatter(0,torch.tensor([1]),x[:1])
x.scatter_add(0,torch.tensor([1]),x[:1])
x.index_select(0,torch.tensor([1]))
x.index_add(0,torch.tensor([1]),x[:1])
torch.where(x.float()>1,x,x)
torch.where(x.float()>1,x,0)
x.masked_fill(x.float()>1,0)
x.fill_(1)
x.zero_()
x.copy_(torch.ones(4))
torch.zeros(3,dtype=d)
torch.ones(3,dtype=d)
torch.full((3,),2,dtype=d)
torch.empty(3,dtype=d).shape
torch.arange(3,dtype=d)
torch.eye(3,dtype=d)
torch.linspace(0,1,3,dtype=d)
x.isnan()
x.isfinite()
x.any()
x.all()
torch.allclose(x,x)
x.tolist()
x[0].item()
bool(x[0])
float(x[0])
int(x[0])
x.unique()
x.clamp(0,1)
torch.maximum(x,x)
x.relu()
x.sigmoid()
torch.softmax(x.reshape(2,2),0)
x.reshape(2,2)@x.reshape(2,2)
torch.dot(x,x)
x.norm()
x.topk(2)
x.argsort()
x.kthvalue(1)
x.median()
x.mode()
x.roll(1)
x.repeat(2)
x.expand(3,4)
x.pow(2)
x**2
torch.nn.functional.pad(x,(1,1))
torch.nn.functional.one_hot(x)
torch.nn.functional.embedding(torch.tensor([1]),x.reshape(2,2))
x.bincount()
x.diff()
torch.outer(x,x)
x.lerp(x,0.5)
torch.addcmul(x,x,x)
x.add_(1)
x.add_(x)
x.mul_(2)
x.sign()
x.round()
x.floor()
x.trunc()
x.logical_not()
x.logical_and(x)
x.bool()
x.eq(1)
x!=1
x>=1
x.count_nonzero()
x.index_fill(0,torch.tensor([1]),0)
x.take(torch.tensor([1]))
x.put_(torch.tensor([1]),x[:1])
x.index_put((torch.tensor([1]),),x[:1])
x.masked_select(x.float()>1)
x.split(2)
x.unbind()
x.diag()
x.nansum()
x.nan_to_num()
x.logsumexp(0)
x.exp()
x.reciprocal()
x.square()
torch.zeros_like(x)
x.new_ones(2)
torch.tensor([1.0,2.0],dtype=d)
x+torch.tensor(1.0)
torch.searchsorted(x,x)
torch.bucketize(x,x)
x.histc()
x.cummax(0)
x.cumprod(0)
x.aminmax()
x.minimum(x)
x.fmod(x)
x.remainder(2)
x.hypot(x)
x.dist(x)
x.masked_scatter(x.float()>1,x)
x.type_as(torch.ones(1))
x.view(torch.uint8)
torch.nn.functional.gelu(x)
torch.nn.functional.mse_loss(x,x)
torch.nn.functional.layer_norm(x,(4,))
torch.nn.functional.linear(x.reshape(2,2),x.reshape(2,2))
torch.nn.functional.max_pool1d(x.reshape(1,1,4),2)
torch.bmm(x.reshape(1,2,2),x.reshape(1,2,2))
torch.einsum('i,i->',x,x)
x.reshape(2,2).diagonal()
x.heaviside(x)
x.gcd(x)
x.bitwise_not()
x.bitwise_and(1)
x.repeat_interleave(2)
x.unfold(0,2,1)
x.tile(2)
x.reshape(2,2).rot90()
torch.nn.functional.interpolate(x.reshape(1,1,4),scale_factor=2)
x.max(x)
x.copysign(x)
x.ldexp(x)
torch.signbit(x)
x.index_copy(0,torch.tensor([1]),x[:1])
x.select_scatter(x[0],0,0)
x.slice_scatter(x[:1],0,0,1)
x.scatter_reduce(0,torch.tensor([1]),x[:1],'amax')
x.scatter(0,torch.tensor([1]),1)
"""


def told(v):
    if isinstance(v, (tuple, list)):
        return [told(t) for t in v]
    return (v.float() if v.is_floating_point() else v).tolist() if torch.is_tensor(v) else v


for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
    for call in calls.strip().split("\n"):
        x, d = torch.tensor([1, 2, 3, 0]).to(dtype), dtype
        try:
            print(dtype, call, told(eval(call, {"torch": torch, "x": x, "d": d})))
        except Exception as e:
            print(dtype, call, type(e).__name__)
x = torch.tensor([1, 2, 3, 0]).to(torch.float8_e5m2)
for name, f in (("moved", lambda x: torch.cat([x[1:], x]).reshape(7, 1).t().float()), ("equal", lambda x: x == x[1])):
    print("compiled", name, torch.compile(f, backend="aot_eager")(x).tolist())
