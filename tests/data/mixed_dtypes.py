# SPDX-License-Identifier: Apache-2.0
"""Operations of several tensors, for all pairs of dtypes: in which dtype they compute and which they refuse.
mixed_dtypes.txt is what this prints under PyTorch (python3 mixed_dtypes.py > mixed_dtypes.txt)."""
import torch
import torch.nn.functional as F

compiled = False  # the test sets it

DTYPES = [torch.bool, torch.uint8, torch.int8, torch.int64, torch.bfloat16, torch.float32, torch.float64, torch.complex64]


def of(dtype, which, shape=(4,)):
    return torch.tensor([[1, 2, 3, 100], [3, 1, 90, 7], [2, 60, 4, 1]][which]).to(dtype).reshape(shape)


def triple(f):
    """f of three tensors, the pair's dtypes at each two places; and with one of no dimensions."""
    return [lambda a, b: f(of(a, 0), of(a, 1), of(b, 2)), lambda a, b: f(of(a, 0), of(b, 1), of(b, 2)),
            lambda a, b: f(of(a, 0), of(b, 1)[1], of(a, 2)), lambda a, b: f(of(a, 0)[1], of(b, 1), of(b, 2))]


S = (2, 2)
OPS = {
    "addcmul": triple(torch.addcmul), "addcmul of 2": triple(lambda a, b, c: torch.addcmul(a, b, c, value=2)),
    "addcmul of 0.5": triple(lambda a, b, c: torch.addcmul(a, b, c, value=0.5)),
    "addcmul_": triple(lambda a, b, c: a.clone().addcmul_(b, c, value=2)),
    "addcdiv": triple(torch.addcdiv), "addcdiv of 3": triple(lambda a, b, c: torch.addcdiv(a, b, c, value=3)),
    "addcdiv_": triple(lambda a, b, c: a.clone().addcdiv_(b, c)),
    "lerp": triple(torch.lerp), "lerp of 0.5": [lambda a, b: torch.lerp(of(a, 0), of(b, 1), 0.5)],
    "addr": [lambda a, b: torch.addr(of(a, 0, S), of(b, 1)[:2], of(b, 2)[:2]),
             lambda a, b: torch.addr(of(a, 0, S), of(a, 1)[:2], of(b, 2)[:2], beta=2, alpha=3)],
    "addr of 0.5": [lambda a, b: torch.addr(of(a, 0, S), of(b, 1)[:2], of(b, 2)[:2], beta=0.5)],
    "addmm": [lambda a, b: torch.addmm(of(a, 0, S), of(b, 1, S), of(b, 2, S)),
              lambda a, b: torch.addmm(of(a, 0, S), of(b, 0, S), of(b, 0, S), beta=2, alpha=3),
              lambda a, b: torch.addmm(of(a, 0, S), of(a, 1, S), of(b, 2, S))],
    "addmv": [lambda a, b: torch.addmv(of(a, 0)[:2], of(b, 1, S), of(b, 2)[:2])],
    "baddbmm": [lambda a, b: torch.baddbmm(of(a, 0, (1, 2, 2)), of(b, 1, (1, 2, 2)), of(b, 2, (1, 2, 2)))],
    "linear": [lambda a, b: F.linear(of(a, 1, S), of(a, 2, S), of(b, 0)[:2])],
    "conv1d": [lambda a, b: F.conv1d(of(a, 0, (1, 1, 4)), of(a, 1, (1, 1, 4)), of(b, 0)[:1])],
    "mm": [lambda a, b: torch.mm(of(a, 1, S), of(b, 2, S))],
    "cross": [lambda a, b: torch.linalg.cross(of(a, 1)[:3], of(b, 2)[:3])],
    "sub": [lambda a, b: torch.sub(of(a, 0), of(b, 1), alpha=2), lambda a, b: torch.rsub(of(a, 0), of(b, 1), alpha=2),
            lambda a, b: torch.add(of(a, 0), of(b, 1), alpha=2)],
    "where": [lambda a, b: torch.where(of(a, 0), of(b, 1), of(b, 2))],
    # Of small numbers, which 16 bits hold exactly.
    "losses": [lambda a, b: F.mse_loss(of(a, 0)[:2], of(b, 1)[:2]), lambda a, b: F.huber_loss(of(a, 0), of(b, 1)),
               lambda a, b: F.cosine_similarity(of(a, 0), of(b, 0), 0),
               lambda a, b: F.soft_margin_loss(of(a, 0) % 8 if a != torch.bool and not a.is_complex else of(a, 0), of(b, 1))],
    "cross_entropy": [lambda a, b: F.cross_entropy(of(a, 0, S), torch.tensor([0, 1]), of(b, 1)[:2])],
    "norms": [lambda a, b: F.layer_norm(of(a, 0), (4,), of(b, 1)), lambda a, b: F.rms_norm(of(a, 0), (4,), of(b, 1)),
              lambda a, b: F.prelu(of(a, 0), of(b, 1)[:1])],
    "attention": [lambda a, b: F.scaled_dot_product_attention(of(a, 0, (1, 2, 2)), of(a, 1, (1, 2, 2)), of(b, 2, (1, 2, 2)))],
    "scattered": [lambda a, b: torch.scatter(of(a, 0), 0, torch.arange(4), of(b, 1))],
    "joined": [lambda a, b: torch.block_diag(of(a, 0)[:2], of(b, 1)[:2]), lambda a, b: torch.cartesian_prod(of(a, 0), of(b, 1)),
               lambda a, b: torch.meshgrid(of(a, 0), of(b, 1), indexing="ij")[0], lambda a, b: torch.isclose(of(a, 0), of(b, 0))],
    "reduced": [lambda a, b: torch.sum(of(a, 0), dtype=b), lambda a, b: torch.cumsum(of(a, 0), 0, dtype=b if b != torch.bool else None),
                lambda a, b: torch.prod(of(a, 0), dtype=b)],
    "out": [lambda a, b: torch.add(of(a, 0), of(a, 1), out=torch.zeros(4, dtype=b)),
            lambda a, b: torch.sum(of(a, 0), 0, out=torch.zeros((), dtype=b)),
            lambda a, b: torch.cumsum(of(a, 0), 0, out=torch.zeros(4, dtype=b if b != torch.bool else torch.int64))],
}


def shown(x):
    numbers = [(round(z.real, 3), round(z.imag, 3)) for z in x.reshape(-1).tolist()] if x.is_complex() else [
        float(f"{z:.4g}") if isinstance(z, float) else z for z in x.reshape(-1).tolist()]
    return f"{str(x.dtype)[6:]} {numbers}"


# What PyTorch has and Cutaway does not: pairs of 16-bit numbers.
narrow = (torch.float16, torch.bfloat16)


def tried(f, a, b):
    try:
        return f(a, b)
    except (RuntimeError, TypeError, ValueError) as error:
        return "refused"


for name, functions in OPS.items():
    for a in DTYPES:
        for b in DTYPES:
            if (a.is_complex and b in narrow) or (b.is_complex and a in narrow) or (
                    name in ("where", "losses", "norms") and (a.is_complex or b.is_complex)):
                continue
            eager = [tried(f, a, b) for f in functions]
            taken = [f for f, x in zip(functions, eager) if not isinstance(x, str)]
            if compiled and a != b and taken and name != "out":
                torch._dynamo.reset()
                again = iter(torch.compile(lambda: [f(a, b) for f in taken])())
                eager = [x if isinstance(x, str) else next(again) for x in eager]
            print(name, str(a)[6:], str(b)[6:], *[x if isinstance(x, str) else shown(x) for x in eager])
