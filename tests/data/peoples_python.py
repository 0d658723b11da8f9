# SPDX-License-Identifier: Apache-2.0
# Plain Python as people's scripts have it, beside tensors and in compiled functions: tokenisers, registries, protocols. Recorded: peoples_python.txt.
print("== tokenizer")
import re, json, string, unicodedata
from collections import Counter, defaultdict
from functools import lru_cache

def get_stats(ids, counts=None):
    counts = {} if counts is None else counts
    for pair in zip(ids, ids[1:]):
        counts[pair] = counts.get(pair, 0) + 1
    return counts

def merge(ids, pair, idx):
    newids = []
    i = 0
    while i < len(ids):
        if ids[i] == pair[0] and i < len(ids) - 1 and (ids[i + 1] == pair[1]):
            newids.append(idx)
            i += 2
        else:
            newids.append(ids[i])
            i += 1
    return newids

def replace_control_characters(s: str) -> str:
    chars = []
    for ch in s:
        if unicodedata.category(ch)[0] != 'C':
            chars.append(ch)
        else:
            chars.append(f'\\u{ord(ch):04x}')
    return ''.join(chars)

def render_token(t: bytes) -> str:
    return replace_control_characters(t.decode('utf-8', errors='replace'))

class Tokenizer:

    def __init__(self):
        self.merges = {}
        self.special_tokens = {}
        self.vocab = self._build_vocab()

    def _build_vocab(self):
        vocab = {idx: bytes([idx]) for idx in range(256)}
        for (p0, p1), idx in self.merges.items():
            vocab[idx] = vocab[p0] + vocab[p1]
        for special, idx in self.special_tokens.items():
            vocab[idx] = special.encode('utf-8')
        return vocab

class BasicTokenizer(Tokenizer):

    def train(self, text, vocab_size, verbose=False):
        assert vocab_size >= 256
        ids = list(text.encode('utf-8'))
        merges = {}
        vocab = {idx: bytes([idx]) for idx in range(256)}
        for i in range(vocab_size - 256):
            stats = get_stats(ids)
            pair = max(stats, key=stats.get)
            idx = 256 + i
            ids = merge(ids, pair, idx)
            merges[pair] = idx
            vocab[idx] = vocab[pair[0]] + vocab[pair[1]]
            if verbose:
                print(f'merge {i + 1}/{vocab_size - 256}: {pair} -> {idx} ({vocab[idx]}) had {stats[pair]} occurrences')
        self.merges = merges
        self.vocab = vocab

    def decode(self, ids):
        return b''.join((self.vocab[idx] for idx in ids)).decode('utf-8', errors='replace')

    def encode(self, text):
        ids = list(text.encode('utf-8'))
        while len(ids) >= 2:
            stats = get_stats(ids)
            pair = min(stats, key=lambda p: self.merges.get(p, float('inf')))
            if pair not in self.merges:
                break
            ids = merge(ids, pair, self.merges[pair])
        return ids
t = BasicTokenizer()
text = 'low lower lowest, newer newest wider — naïve café ☕ low low new new'
t.train(text, 266, verbose=True)
e = t.encode('lowest café\n')
print(e, t.decode(e) == 'lowest café\n', [render_token(t.vocab[i]) for i in e])
pat = re.compile("'(?:[sdmt]|ll|ve|re)| ?[A-Za-z]+| ?[0-9]+| ?[^\\s\\w]+|\\s+(?!\\S)|\\s+")
print(re.findall(pat, "I've got 22 dogs, haven't you?!  ok"))

@lru_cache()
def bytes_to_unicode():
    bs = list(range(ord('!'), ord('~') + 1)) + list(range(ord('¡'), ord('¬') + 1)) + list(range(ord('®'), ord('ÿ') + 1))
    cs = bs[:]
    n = 0
    for b in range(2 ** 8):
        if b not in bs:
            bs.append(b)
            cs.append(2 ** 8 + n)
            n += 1
    return dict(zip(bs, [chr(c) for c in cs]))
b2u = bytes_to_unicode()
print(len(b2u), b2u[32], ''.join((b2u[b] for b in 'hé llo'.encode())), bytes_to_unicode.cache_info().misses)

class WordPiece:

    def __init__(self, vocab, unk='[UNK]'):
        self.vocab = vocab
        self.unk = unk

    def clean(self, text):
        return ''.join((c for c in unicodedata.normalize('NFD', text.lower()) if unicodedata.category(c) != 'Mn'))

    def __call__(self, text):
        out = []
        for word in re.sub(f'([{re.escape(string.punctuation)}])', ' \\1 ', self.clean(text)).split():
            start = 0
            sub = []
            while start < len(word):
                end = len(word)
                cur = None
                while start < end:
                    s = ('##' if start > 0 else '') + word[start:end]
                    if s in self.vocab:
                        cur = s
                        break
                    end -= 1
                if cur is None:
                    sub = [self.unk]
                    break
                sub.append(cur)
                start = end
            out.extend(sub)
        return out
wp = WordPiece({w: i for i, w in enumerate('play ##ing ##ed cafe the , . ! un ##able'.split())})
print(wp('Playing, the café played! unable xyz.'))
c = Counter(re.findall('\\w+', text.lower()))
print(c.most_common(3), sum(c.values()), c['low'], c['none'])
vocab = sorted(c, key=lambda w: (-c[w], w))
print(vocab[:5])
inv = dict(enumerate(vocab))
print(json.dumps({'vocab': vocab[:3], 'n': len(inv), 'f': 1.5, 't': None}, indent=2, sort_keys=True))
idx = defaultdict(list)
for i, w in enumerate('a b a c b a'.split()):
    idx[w].append(i)
print(dict(idx), '-'.join(map(str, idx['a'])), '{:<8}|{:^8}|{:>8}|{:08.3f}|{:+d}|{:,}|{:.2%}|{:x}'.format('ab', 'cd', 'ef', 3.14159, 5, 1234567, 0.1234, 255))
print('abc'.translate(str.maketrans('abc', 'xyz')), 'Hello World'.swapcase(), 'a,b,,c'.split(','), '  x '.strip() + '|', 'title case here'.title(), 'x'.zfill(4), 'a\tb'.expandtabs(4), 'abcabc'.rfind('b'), 'path/to/file.txt'.rpartition('/'))


print("== python")
import itertools, functools, operator, heapq, bisect, textwrap, string, enum, abc, re, math, time, random, contextlib, collections, dataclasses, typing, copy, json, sys, os, logging, warnings, traceback, datetime, shutil, glob, csv, types
from pathlib import Path
from typing import *
from dataclasses import dataclass, field, replace, asdict, astuple, fields
from enum import Enum, auto, IntEnum, Flag

@dataclass(order=True)
class Item:
    prio: int
    name: str = field(compare=False, default='x')
    tags: List[str] = field(default_factory=list, repr=False)

    def __post_init__(self):
        self.tags.append(self.name)

    @property
    def label(self):
        return f'{self.name!r}:{self.prio:>3}'
print(sorted([Item(3, 'c'), Item(1, 'a')]), Item(2).label, asdict(Item(1)), replace(Item(1), name='z'), [f.name for f in fields(Item)])

class Color(Enum):
    RED = auto()
    GREEN = auto()

    @classmethod
    def parse(cls, s):
        return cls[s.upper()]
print(Color.parse('red'), list(Color), Color.RED.name, Color(2), Color.RED in Color, {c: c.value for c in Color})

@contextlib.contextmanager
def timer(name):
    print('enter', name)
    try:
        yield name.upper()
    except ValueError as e:
        print('caught', e)
    finally:
        print('exit', name)
with timer('t') as n:
    print(n)
    raise ValueError('inside')
with contextlib.ExitStack() as st:
    [st.enter_context(timer(c)) for c in 'ab']
    st.callback(print, 'cb')
with contextlib.suppress(KeyError):
    {}['x']

def gen(n):
    total = 0
    while True:
        x = (yield total)
        if x is None:
            return 'done'
        total += x
g = gen(1)
next(g)
print(g.send(3), g.send(4))
try:
    g.send(None)
except StopIteration as s:
    print(s.value)

def chain(*its):
    for it in its:
        yield from it
print(list(chain([1], (2, 3))), list(itertools.islice(itertools.count(5, 2), 3)), list(itertools.product('ab', [1, 2])), [(k, list(v)) for k, v in itertools.groupby('aabb')], list(itertools.accumulate([1, 2, 3], operator.mul)), list(itertools.pairwise([1, 2, 3])), list(itertools.zip_longest([1], [2, 3], fillvalue=0)), list(itertools.combinations(range(3), 2)), list(itertools.starmap(pow, [(2, 3)])), list(itertools.takewhile(lambda v: v < 3, range(9))))
print(functools.reduce(lambda a, b: a * b, range(1, 6)), functools.partial(int, base=2)('101'), sorted('bca', key=functools.cmp_to_key(lambda a, b: (a < b) - (a > b))))

@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(50), fib.cache_info())

@functools.singledispatch
def show(x):
    return 'other'

@show.register
def _(x: int):
    return 'int'

@show.register(list)
def _(x):
    return 'list'
print(show(1), show([]), show('s'))
h = []
[heapq.heappush(h, v) for v in [5, 1, 3]]
print(heapq.heappop(h), heapq.nlargest(2, h), bisect.bisect_left([1, 3, 5], 3))

class Base(abc.ABC):
    registry = {}

    def __init_subclass__(cls, /, key=None, **kw):
        super().__init_subclass__(**kw)
        Base.registry[key or cls.__name__] = cls

    @abc.abstractmethod
    def run(self):
        ...

    def __repr__(self):
        return f'<{type(self).__name__}>'

class A(Base, key='a'):

    def run(self):
        return 1

class B(A):
    __slots__ = ('v',)
print(Base.registry, A().run(), B())
try:
    Base()
except TypeError as e:
    print(e)

def f(a, /, b, *args, c=1, **kw):
    return (a, b, args, c, kw)
print(f(1, 2, 3, c=4, d=5), f(*[1, 2], **{'c': 9}))
try:
    f(1)
except TypeError as e:
    print(e)
match {'type': 'add', 'args': [1, 2]}:
    case {'type': 'add', 'args': [x, y]}:
        print('add', x + y)
    case _:
        print('no')
print(f"{3.14159:.2f} {1234567:,} {'x':*^7} {255:#x} {0.5:%} {10000000000.0:g} {True!s:>6} {[1, 2]!r} math.pi={math.pi:.3f}", '{0}-{1}-{0} {k}'.format(1, 2, k=3), '%5.1f|%-5s|%05d|%x' % (2.25, 'ab', 42, 255))
try:
    try:
        1 / 0
    except ZeroDivisionError as e:
        raise RuntimeError('wrapped') from e
except RuntimeError as e:
    print(e, type(e.__cause__).__name__)
else:
    print('no')
finally:
    print('fin')
a, *b, c = range(5)
print(a, b, c, [*b, *'xy'], {**{'a': 1}, 'b': 2}, {1, 2} | {3}, {'a': 1} | {'b': 2})
if (n := len(b)) > 2:
    print(n)
print(collections.Counter('hello').most_common(2), collections.deque([1, 2, 3], maxlen=2), collections.ChainMap({'a': 1}, {'b': 2})['b'], collections.OrderedDict(a=1).popitem(), collections.namedtuple('P', 'x y')(1, 2)._asdict())
print(Path('a/b') / 'c.txt', Path('a/b/c.txt').suffix, Path('x.tar.gz').stem, os.path.splitext('a.b'), os.path.join('a', 'b'))
print(json.loads('{"a": [1, 2.5, null, true]}'), json.dumps({'x': (1, 2)}), re.sub('(\\w+) (\\w+)', '\\2 \\1', 'hello world'), re.split('[,;]\\s*', 'a, b;c'))
print(datetime.timedelta(seconds=90), textwrap.dedent('  a\n  b'), string.ascii_lowercase[:5], sys.version_info >= (3, 8), int('ff', 16), round(2.5), divmod(7, -2), -7 // 2, 2 ** 100, 0.1 + 0.2, float('1e-7'), 1e+16, 1e+22, complex(1, 2), abs(-3), any([]), all([]), bin(5), ord('a'), chr(97), hash((1, 2)) == hash((1, 2)), isinstance(True, int), type(1).__name__, callable(print), max([1, 5, 2], key=lambda v: -v), sum([[1], [2]], []), list(zip(*[(1, 2), (3, 4)])), list(reversed([1, 2])), list(map(str, [1])), list(filter(None, [0, 1])), sorted({'b': 1, 'a': 2}.items(), key=lambda kv: kv[1]), 'ab', slice(1, 2), range(3)[::-1], b'ab'[0], bytearray(b'x'), None, ..., NotImplemented)


print("== metaprog")
import torch, torch.nn as nn, torch.nn.functional as F, math, json, re, sys
from typing import NamedTuple, Callable, Iterator, Sequence, Literal, Protocol, TypeVar, Generic
from functools import wraps, cached_property, reduce, partialmethod
from collections import defaultdict, OrderedDict
torch.manual_seed(0)

class Registry:

    def __init__(self):
        self._m = {}

    def register(self, name=None):

        def deco(cls):
            self._m[name or cls.__name__.lower()] = cls
            return cls
        return deco

    def build(self, cfg):
        cfg = dict(cfg)
        return self._m[cfg.pop('type')](**cfg)

    def __contains__(self, k):
        return k in self._m
MODELS = Registry()

@MODELS.register()
class MLP(nn.Module):

    def __init__(self, dims=(4, 8, 2), act='relu', **kw):
        super().__init__()
        self.net = nn.Sequential(*[l for i, o in zip(dims, dims[1:]) for l in (nn.Linear(i, o), getattr(nn, {'relu': 'ReLU', 'gelu': 'GELU'}[act])())][:-1])

    def forward(self, x):
        return self.net(x)

@MODELS.register('res')
class Res(MLP):

    def forward(self, x):
        return x[..., :2] + super().forward(x)
ms = [MODELS.build(c) for c in json.loads('[{"type": "mlp", "act": "gelu"}, {"type": "res", "dims": [4, 3, 2]}]')]
print(ms, 'mlp' in MODELS)
x = torch.ones(1, 4)
print([torch.compile(m)(x).shape for m in ms])

class Trainer:

    def __init__(self, model, callbacks=()):
        self.model, self.callbacks, self.state = (model, list(callbacks), defaultdict(list))

    def fire(self, ev, **kw):
        for cb in self.callbacks:
            if (fn := getattr(cb, f'on_{ev}', None)) is not None:
                fn(self, **kw)

    def fit(self, data, epochs):
        opt = torch.optim.SGD(self.model.parameters(), 0.1)
        for e in range(epochs):
            for xb, yb in data:
                loss = F.mse_loss(self.model(xb), yb)
                opt.zero_grad()
                loss.backward()
                opt.step()
                self.state['loss'].append(loss.item())
            self.fire('epoch_end', epoch=e, loss=sum(self.state['loss'][-len(data):]) / len(data))
            if getattr(self, 'stop', False):
                print('early stop')
                break
        return self

class Printer:

    def on_epoch_end(self, tr, epoch, loss, **_):
        print(f'[{epoch:>2}] loss={loss:<8.4f}|')

class EarlyStop:

    def __init__(self, patience):
        self.best, self.bad, self.patience = (math.inf, 0, patience)

    def on_epoch_end(self, tr, loss, **_):
        if loss < self.best - 0.01:
            self.best, self.bad = (loss, 0)
        else:
            self.bad += 1
        tr.stop = self.bad >= self.patience
t = Trainer(torch.compile(MLP()), [Printer(), EarlyStop(1)]).fit([(torch.randn(4, 4), torch.zeros(4, 2)) for _ in range(2)], 6)
print(len(t.state['loss']))

class Batch(NamedTuple):
    x: torch.Tensor
    y: torch.Tensor = None

    def to(self, d):
        return Batch(*[v.to(d) if v is not None else None for v in self])

@torch.compile
def step(b: Batch):
    return b._replace(x=b.x * 2, y=b.x.sum())
o = step(Batch(x))
print(o.x, o.y, type(o).__name__, o.to(torch.float64).x.dtype)

class AttrDict(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__
cfg = AttrDict(lr=0.1, m=AttrDict(d=3))
cfg.z = 2
print(cfg.m.d, cfg, torch.compile(lambda c, t: t * c.z + c.m.d)(cfg, x))

class Lazy:

    @cached_property
    def mask(self):
        print('made')
        return torch.tril(torch.ones(2, 2))

    def pw(self, t, k):
        return t ** k
    sq = partialmethod(pw, 2)
l = Lazy()
print(l.mask is l.mask, l.sq(x * 3))

def retry(n):

    def deco(f):

        @wraps(f)
        def inner(*a, **k):
            for i in range(n):
                try:
                    return f(*a, **k)
                except ValueError as e:
                    print('retry', i, e)
            raise RuntimeError('gave up')
        return inner
    return deco
calls = []

@retry(3)
def flaky(x):
    """doc"""
    calls.append(1)
    if len(calls) < 3:
        raise ValueError(len(calls))
    return x
print(flaky(7), flaky.__name__, flaky.__doc__)
T = TypeVar('T')

class Stack(Generic[T]):

    def __init__(self):
        self.items: list[T] = []

    def push(self, i: T) -> 'Stack[T]':
        self.items.append(i)
        return self

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]

    def __iter__(self):
        return iter(self.items)

    def __bool__(self):
        return bool(self.items)

    def __enter__(self):
        return self

    def __exit__(self, *a):
        print('closing', a[0].__name__ if a[0] else None)
        return True
s = Stack[int]().push(1).push(2)
print(list(s), s[-1], bool(s), *s, sep=',')
with s:
    raise KeyError('x')

class Vec:

    def __init__(self, *v):
        self.v = torch.tensor(v)

    def __add__(self, o):
        return Vec(*(self.v + o.v).tolist())

    def __mul__(self, k):
        return Vec(*(self.v * k).tolist())
    __rmul__ = __mul__

    def __eq__(self, o):
        return torch.equal(self.v, o.v)

    def __hash__(self):
        return hash(tuple(self.v.tolist()))

    def __repr__(self):
        return f'Vec{tuple(self.v.tolist())}'

    def __matmul__(self, o):
        return (self.v * o.v).sum().item()

    def __lt__(self, o):
        return self.v.norm() < o.v.norm()

    def __format__(self, spec):
        return '<' + ', '.join((format(e, spec) for e in self.v.tolist())) + '>'

    def __getattr__(self, n):
        if n in 'xyz':
            return self.v['xyz'.index(n)].item()
        raise AttributeError(n)
a, b = (Vec(1.0, 2.0), Vec(3.0, 4.0))
print(a + b, 2 * a, a @ b, a == Vec(1.0, 2.0), {a: 1}[Vec(1.0, 2.0)], sorted([b, a]), f'{a:.2f}', a.x, getattr(a, 'w', None))
print(reduce(lambda p, q: p @ q, [torch.eye(2)] * 3), [*map(lambda p: p.shape, nn.Linear(2, 1).parameters())], {n: p.numel() for n, p in ms[0].named_parameters() if 'weight' in n}, max(ms[1].named_parameters(), key=lambda kv: kv[1].numel())[0])
print(re.sub('layers\\.(\\d+)\\.', lambda m: f'blocks.{int(m.group(1)) + 1}.', 'layers.0.w'), '{:>10}|{:<10}|{:^10}'.format('a', 'b', 'c'), '%s' % [1, 'a'], f"{'x' * 3:-^9}", f'{1e-05:.1e}', f"{[f'{v:.1f}' for v in (1.25, 2)]}", repr("it's"), 'tab\tq"', 'raw\\n', b'by\x00', 'multi\nline', sep='\n')

def count_parameters(model):
    return sum((p.numel() for p in model.parameters() if p.requires_grad))
table = [('name', 'params')] + [(n, count_parameters(m)) for n, m in ms[0].named_modules() if n]
w = max((len(str(r[0])) for r in table))
print('\n'.join((f'{r[0]:<{w}} | {r[1]!s:>6}' for r in table)))
assert isinstance(ms[1], MLP) and issubclass(Res, nn.Module) and (Res.__mro__[1] is MLP)
print(Res.__name__, Res.__bases__[0].__name__, type(ms[1]).forward is Res.forward, hasattr(ms[0], 'net'), callable(ms[0]), vars(cfg) if False else '', Stack.__doc__)


print("== dynamo_tests")
import torch, math, collections, functools, operator, itertools, copy, enum, dataclasses
import torch.nn.functional as F
from torch import nn

def run(name, fn, *mk, **kw):

    def args():
        torch.manual_seed(0)
        return [m() if callable(m) else m for m in mk]
    try:
        a = fn(*args())
    except Exception as e:
        a = type(e).__name__
    try:
        b = torch.compile(fn, **kw)(*args())
    except Exception as e:
        b = type(e).__name__
    flat = lambda r: torch.utils._pytree.tree_leaves(r)
    same = len(flat(a)) == len(flat(b)) and all((torch.equal(p, q) or torch.allclose(p, q, atol=1e-05) if isinstance(p, torch.Tensor) else p == q for p, q in zip(flat(a), flat(b))))
    print(name, same, [tuple(v.shape) if isinstance(v, torch.Tensor) else v for v in flat(a)])
R = lambda *s: lambda: torch.randn(*s)

def t1(x):
    d = collections.OrderedDict()
    d['a'] = x
    d.move_to_end('a')
    d.update(b=x + 1)
    return list(d.values())

def t2(x):
    it = iter([x, x + 1])
    a = next(it)
    return a + next(it) + next(it, 0)

def t3(x):
    r = []
    for i, (a, b) in enumerate(itertools.product([1, 2], [3])):
        r.append(x * a * b + i)
    return torch.stack(r)

class E(enum.Enum):
    A = 1
    B = 2

def t4(x, e=E.B):
    return x + 1 if e is E.A else x * e.value

@dataclasses.dataclass
class D:
    x: torch.Tensor
    n: int = 2

def t5(x):
    d = D(x)
    d.n += 1
    return d.x * d.n

def t6(x):
    return x.view(x.shape[0] * x.shape[1]).tolist()[0] > 100

def t7(x):

    def inner():
        nonlocal x
        x = x + 1
    inner()
    inner()
    return x

def t8(x):
    try:
        with torch.no_grad():
            y = x * 2
            raise RuntimeError('a')
    except RuntimeError:
        return (x + 1, torch.is_grad_enabled())

def t9(x):
    x[0] = 1
    x.add_(1)
    y = x[1:]
    y *= 2
    return x

def t10(x):
    return (functools.reduce(operator.add, [x] * 3), functools.reduce(lambda a, b: a * b, [x, x], 2))

def t11(x):
    a, *b = x.unbind(0)
    return (a, torch.stack(b))

def t12(x):
    return ({k: v.sum() for k, v in zip('ab', x)}, {i for i in range(2)}, [y for y in x if y.shape[0] > 1])

def t13(x):
    return (x.new_zeros(3).fill_(2), x.new_full((2,), 3), torch.zeros_like(x), torch.full((2,), math.pi), torch.arange(x.shape[0]))

def t14(x):
    s = slice(0, 2)
    return (x[s], x[..., s], x[::2], x[None], x[:, None, 0], x[-1])

def t15(x):
    return (x.size(), x.shape[0], x.dtype, x.device.type, x.requires_grad, x.is_contiguous(), x.dim())

def t16(x):
    for _ in range(20):
        x = x.sin()
        if x.shape[0] > 1:
            break
    else:
        x = x.cos()
    return x

def t17(x):
    return (torch.where(x > 0, x, torch.zeros_like(x)), torch.nonzero(x > 100).shape[0])

def t18(x):
    f = [lambda v, i=i: v + i for i in range(3)]
    return sum((g(x) for g in f))

def t19(x):
    return 'abc'.upper() + f'{x.shape[0]:03d}' + 'x'.join(['a', 'b']) + str(len('q')) + '%d' % 3

def t20(x):
    c = copy.copy([x])
    c.append(x)
    dd = copy.deepcopy({'a': [1]})
    return (c, dd)

def t21(x):
    return (max(x.shape), min(3, 4), sorted([3, 1]), sum([1, 2]), abs(-1), round(1.5), divmod(5, 2), pow(2, 3), any([0, 1]), all([1]), list(range(3)), list(reversed([1, 2])), int('3'), float('1.5'), bool(x.shape), hash('a') == hash('a'), isinstance(x, (torch.Tensor, int)), issubclass(int, object), callable(t1), chr(97), ord('a'))

def t22(x):
    g = (x * i for i in range(3))
    next(g)
    return (next(g), list(g))

def t23(x):
    y = x.clone()
    y.requires_grad_()
    (y ** 2).sum().backward()
    return y.grad

def t24(x):
    return (torch.nn.functional.dropout(x, 0.5, True).shape, torch.rand(2).shape)

def t25(x):
    s = torch.tensor(0.0)
    for row in x:
        s = s + row.max()
    return s

def t26(x):
    k = {'dim': 0, 'keepdim': True}
    return (x.sum(**k), torch.sum(x, *[1]), x.mean(dim=(0, 1)))

class P:

    def __init__(s, t):
        s.t = t

    def __getitem__(s, i):
        return s.t[i]

    def __len__(s):
        return len(s.t)

    def __iter__(s):
        return iter(s.t)

    def __call__(s, k):
        return s.t * k

    def __contains__(s, k):
        return k == 1

    def __enter__(s):
        s.t = s.t + 1
        return s

    def __exit__(s, *a):
        s.t = s.t - 1

def t27(x):
    p = P(x)
    with p as q:
        r = q(2) + p[0]
    return (r, len(p), 1 in p, [v.sum() for v in p], p.t)

def t28(x):
    x.foo = 3
    return x.foo + x

def t29(x):
    return torch.stack([x, x]).transpose(0, 1).reshape(-1, 2).t().contiguous().flatten().unflatten(0, (2, -1))

def t30(x):
    m = {}
    m.setdefault('a', []).append(x)
    m.update({'b': 1})
    v = m.pop('b')
    del m['a']
    return (len(m), v, m.get('z', 5))

class Mod(nn.Module):

    def __init__(s):
        super().__init__()
        s.l = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])
        s.d = nn.ModuleDict({'a': nn.ReLU()})
        s.register_buffer('n', torch.zeros(1))
        s.k = 0

    def forward(s, x, *, flag=True):
        for i, l in enumerate(s.l):
            if i % 2 == 0 and flag:
                x = s.d['a'](l(x))
            else:
                x = l(x)
        s.n += 1
        s.k += 1
        return (x + s.n * s.k, [n for n, _ in s.named_parameters()][0])
torch.manual_seed(0)
mod = Mod()
for i in range(1, 31):
    run(f't{i}', globals()[f't{i}'], R(3, 4))
cm = torch.compile(mod)
x = torch.ones(1, 4)
print([round(cm(x)[0].sum().item(), 3) for _ in range(3)], mod.n, mod.k, cm(x, flag=False)[1])

def gf(x):
    global COUNT
    COUNT += 1
    return x + COUNT
COUNT = 0
cg = torch.compile(gf)
print(cg(x)[0, 0], cg(x)[0, 0], COUNT)
lst = []

@torch.compile
def app(x):
    lst.append(x.sum())
    return len(lst)
print(app(x), app(x), lst)

@torch.compile
def rec(n, x):
    return x if n == 0 else rec(n - 1, x * 2)
print(rec(3, x))

@torch.compile
def gen_consumer(x):
    return sum(g(x))

def g(x):
    for i in range(3):
        yield (x * i)
print(gen_consumer(x))

@torch.compile(dynamic=False)
def spec(x, n):
    if n > 2:
        return x * n
    return x - n
print([spec(x, i)[0, 0].item() for i in range(5)])


print("== compile_blog")
import torch, warnings, logging, time, functools
import torch.nn as nn
warnings.filterwarnings('ignore')
torch.set_float32_matmul_precision('high')

@torch.compile
def opt_foo2(x, y):
    a = torch.sin(x)
    b = torch.cos(y)
    return a + b
t1, t2 = (torch.ones(3, 3), torch.zeros(3, 3))
print(opt_foo2(t1, t2))

class MyModule(torch.nn.Module):

    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(3, 3)

    @torch.compile
    def forward(self, x):
        return torch.nn.functional.relu(self.lin(x))
torch.manual_seed(0)
mod2 = MyModule()
print(mod2(t1).shape)

class Outer(nn.Module):

    def __init__(self):
        super().__init__()
        self.inner = MyModule()
        self.outer_lin = nn.Linear(3, 2)

    def forward(self, x):
        return self.outer_lin(self.inner(x))
om = Outer()
om.compile()
print(om(t1).shape, type(om).__name__)

def some_fun(x):
    x = x * 2
    torch._dynamo.graph_break()
    return x + 1
print(torch.compile(some_fun)(t1)[0])

def timed(fn):
    s = time.time()
    r = fn()
    return (r, time.time() - s)

def generate_data(b):
    return (torch.randn(b, 3).to(torch.float32), torch.randint(3, (b,)))
model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 3))
opt = torch.optim.Adam(model.parameters())

@functools.wraps(timed)
def train(mod, data):
    opt.zero_grad(True)
    pred = mod(data[0])
    loss = torch.nn.CrossEntropyLoss()(pred, data[1])
    loss.backward()
    opt.step()
    return loss
train_opt = torch.compile(train, mode='reduce-overhead')
torch.manual_seed(1)
for i in range(3):
    inp = generate_data(4)
    r, _ = timed(lambda: train_opt(model, inp))
    print(f'{r.item():.3f}')

@torch.compile(fullgraph=True, dynamic=True, options={'max_autotune': False, 'triton.cudagraphs': False})
def dyn(x):
    return x.view(-1, x.shape[-1] // 2).sum(0) * x.shape[0]
for n in (2, 4, 6):
    print(dyn(torch.ones(n, 4)))

def f3(x, n):
    return ([x * i for i in range(n)], {'n': n, 's': x.shape})
r = torch.compile(f3)(t1, 2)
print(len(r[0]), r[1])

@torch.compile
def opt_step():
    opt.step()
for p in model.parameters():
    p.grad = torch.ones_like(p)
before = model[0].bias.clone()
opt_step()
print((model[0].bias - before).abs().max() > 0)

@torch._dynamo.disable
def helper(x):
    return x.tolist()

@torch.compile
def uses(x):
    return sum(helper(x[0])) + x.mean()
print(uses(t1))
torch.compiler.reset()
print(torch.compiler.is_compiling(), torch._dynamo.is_dynamo_supported() if hasattr(torch._dynamo, 'is_dynamo_supported') else True)

@torch.compiler.allow_in_graph
def aig(x):
    return x + 1
print(torch.compile(lambda x: aig(x))(t1)[0])
from torch._dynamo import optimize
print(torch._dynamo.optimize('eager')(lambda x: x + 1)(t1)[0])
torch._dynamo.mark_dynamic(t2, 0)
print(torch.compile(lambda x: x * x.size(0))(t2).sum())
nested = torch.compile(torch.compile(lambda x: x + 2))
print(nested(t1)[0])
with torch.compiler.set_stance('force_eager'):
    print(opt_foo2(t1, t2)[0, 0])
print(torch.compile(nn.Linear(3, 3), disable=True)(t1).shape, torch.compile(backend='eager')(lambda x: x)(t1) is t1)
try:
    torch.compile(lambda x: x.foo())(t1)
except AttributeError as e:
    print('AttributeError', e)
try:
    torch.compile(lambda x: x @ torch.ones(2))(t1)
except Exception as e:
    print(type(e).__name__ in ('RuntimeError', 'TorchRuntimeError'))
try:
    torch.compile(lambda x: {}['k'])(t1)
except KeyError as e:
    print('KeyError', e)


print("== seq2seq_attn")
from io import StringIO
import unicodedata, string, re, random, time, math
import torch, torch.nn as nn, torch.nn.functional as F
from torch import optim
SOS_token, EOS_token = (0, 1)

class Lang:

    def __init__(self, name):
        self.name = name
        self.word2index = {}
        self.word2count = {}
        self.index2word = {0: 'SOS', 1: 'EOS'}
        self.n_words = 2

    def addSentence(self, sentence):
        for word in sentence.split(' '):
            self.addWord(word)

    def addWord(self, word):
        if word not in self.word2index:
            self.word2index[word] = self.n_words
            self.word2count[word] = 1
            self.index2word[self.n_words] = word
            self.n_words += 1
        else:
            self.word2count[word] += 1

def unicodeToAscii(s):
    return ''.join((c for c in unicodedata.normalize('NFD', s) if unicodedata.category(c) != 'Mn'))

def normalizeString(s):
    s = unicodeToAscii(s.lower().strip())
    s = re.sub('([.!?])', ' \\1', s)
    s = re.sub('[^a-zA-Z!?]+', ' ', s)
    return s.strip()
print(normalizeString('Je suis français, à côté!  Ça va?'), unicodeToAscii('Ślusàrski'), unicodedata.category('é'), unicodedata.normalize('NFKC', 'ﬁ'))
pairs = [('i am cold', 'j ai froid'), ('you are here', 'vous etes ici'), ('i am here', 'je suis ici')]
il, ol = (Lang('eng'), Lang('fra'))
for a, b in pairs:
    il.addSentence(a)
    ol.addSentence(b)
random.seed(0)
torch.manual_seed(0)

class EncoderRNN(nn.Module):

    def __init__(self, i, h, dropout_p=0.1):
        super().__init__()
        self.embedding = nn.Embedding(i, h)
        self.gru = nn.GRU(h, h, batch_first=True)
        self.dropout = nn.Dropout(dropout_p)

    def forward(self, x):
        return self.gru(self.dropout(self.embedding(x)))

class BahdanauAttention(nn.Module):

    def __init__(self, h):
        super().__init__()
        self.Wa = nn.Linear(h, h)
        self.Ua = nn.Linear(h, h)
        self.Va = nn.Linear(h, 1)

    def forward(self, query, keys):
        s = self.Va(torch.tanh(self.Wa(query) + self.Ua(keys))).squeeze(2).unsqueeze(1)
        w = F.softmax(s, dim=-1)
        return (torch.bmm(w, keys), w)

class AttnDecoderRNN(nn.Module):

    def __init__(self, h, o):
        super().__init__()
        self.embedding = nn.Embedding(o, h)
        self.attention = BahdanauAttention(h)
        self.gru = nn.GRU(2 * h, h, batch_first=True)
        self.out = nn.Linear(h, o)

    def forward(self, eo, eh, target=None):
        di = torch.empty(eo.size(0), 1, dtype=torch.long).fill_(SOS_token)
        dh = eh
        outs = []
        atts = []
        for i in range(5):
            o, dh, w = self.step(di, dh, eo)
            outs.append(o)
            atts.append(w)
            if target is not None:
                di = target[:, i].unsqueeze(1)
            else:
                _, topi = o.topk(1)
                di = topi.squeeze(-1).detach()
        return (F.log_softmax(torch.cat(outs, dim=1), dim=-1), dh, torch.cat(atts, dim=1))

    def step(self, x, h, eo):
        e = self.embedding(x)
        q = h.permute(1, 0, 2)
        c, w = self.attention(q, eo)
        o, h = self.gru(torch.cat((e, c), dim=2), h)
        return (self.out(o), h, w)

def ids(l, s, n=5):
    r = [l.word2index[w] for w in s.split(' ')] + [EOS_token]
    return r + [EOS_token] * (n - len(r))
X = torch.tensor([ids(il, a) for a, _ in pairs])
Y = torch.tensor([ids(ol, b) for _, b in pairs])
enc, dec = (EncoderRNN(il.n_words, 8, 0.0), AttnDecoderRNN(8, ol.n_words))
eo_, do_ = (optim.Adam(enc.parameters(), lr=0.01), optim.Adam(dec.parameters(), lr=0.01))
crit = nn.NLLLoss()
cenc, cdec = (torch.compile(enc), torch.compile(dec))
for e in range(3):
    eo_.zero_grad()
    do_.zero_grad()
    o, h = cenc(X)
    d, _, _ = cdec(o, h, Y)
    l = crit(d.view(-1, d.size(-1)), Y.view(-1))
    l.backward()
    eo_.step()
    do_.step()
    print(f'{l.item():.4f}')

def asMinutes(s):
    m = math.floor(s / 60)
    s -= m * 60
    return '%dm %ds' % (m, s)
with torch.no_grad():
    o, h = enc(X[:1])
    d, _, a = dec(o, h)
    _, top = d.topk(1)
    print([ol.index2word[i.item()] for i in top.squeeze()], a.shape, asMinutes(125))


print("== slices of ranges, masks beside open sizes")
print(range(5)[1:4:2], range(10)[::-1], range(0, 20, 3)[5:1:-2], range(5)[3:1], range(3)[10:], range(5, 0, -1)[1:-1], range(4)[:])
masked = torch.compile(lambda x: (x[torch.tensor([True, False])], x[:, [True, False, True]]), dynamic=True)
print(masked(torch.arange(6.).reshape(2, 3)), masked(torch.arange(6.).reshape(2, 3) + 1))
