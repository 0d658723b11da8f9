# SPDX-License-Identifier: Apache-2.0
# Attributes of modules, __index__, numbers out of range: what PyTorch and Python say. Recorded: small_protocols.txt.
import torch, sys
def t(name, f):
    try: print(name, repr(f()))
    except Exception as e: print(name, type(e).__name__, str(e)[:150])
t("version", lambda: isinstance(torch.__version__, str) and torch.__version__[0] in "12")
import types, math
def sm():
    math.foo = 3; return math.foo
t("setattr module", sm)
def sm2():
    setattr(torch, "my_thing", 5); return torch.my_thing
t("setattr torch", sm2)
def sm4():
    math.foo = 2.0
    f = torch.compile(lambda x: x * math.foo)
    first = f(torch.ones(1)).item()
    math.foo = 5.0
    return (first, f(torch.ones(1)).item())
t("compiled setattr", sm4)
def sm3():
    m = types.ModuleType("abc2"); m.x = 1; setattr(m, "y", 2); return (m.x, m.y, m.__name__)
t("moduletype", sm3)
t("int nan", lambda: int(torch.tensor(float("nan"))))
t("int inf", lambda: int(torch.tensor(float("inf"))))
t("int 2.7", lambda: int(torch.tensor(2.7)))
t("index", lambda: [1,2,3][torch.tensor(1)])
class I:
    def __index__(self): return 2
t("index2", lambda: ([1,2,3][I()], range(5)[I()], "abcd"[I()], hex(I()), list(range(I())), [0]*I(), bin(I()), (1,2,3)[I():], math.factorial(I())))
t("index3", lambda: torch.zeros(3, 4).sum(I() - 1 if False else 1).shape)
t("index float", lambda: [1,2][torch.tensor(1.0)])
t("bernoulli2", lambda: torch.bernoulli(torch.tensor([0.5]), 2.0))
t("bernoulli_", lambda: torch.zeros(2).bernoulli_(1.5))
t("triu", lambda: torch.triu_indices(3, 3).shape)
import re
t("re", lambda: re.findall(r"a|ab|c", "abcab"))
t("re2", lambda: re.match(r"(a|b|ab)*c", "abababc").group())
t("x+2**62", lambda: torch.tensor([1]) + 2**62)
nan = float("nan")
found = {nan: 1}
t("nan", lambda: (found[nan], found.get(float("nan")), nan in found, float("nan") in [nan], nan in [nan], [nan] == [nan], [nan] == [float("nan")], [nan].count(nan), [nan].count(float("nan"))))
t("nans", lambda: (len({float("nan"): 1, float("nan"): 2, nan: 3, nan: 4}), {nan, nan, nan * 1} == {nan}, len({nan, nan + 1}), {math.nan: 5}[math.nan], nan != nan))
t("nan of a tensor", lambda: (lambda a: ({a: 1}[a], {a: 1}.get(torch.tensor(nan).item())))(torch.tensor(nan).item()))
z = torch.zeros(2, 2)
def singular(kind):
    try: torch.linalg.inv(z)
    except kind as e: return type(e).__name__, isinstance(e, RuntimeError), str(e)
t("LinAlgError", lambda: (singular(torch.linalg.LinAlgError), singular(RuntimeError), issubclass(torch.linalg.LinAlgError, RuntimeError), torch.linalg.LinAlgError is RuntimeError))
def name(f):
    try: return f()
    except Exception as e: return type(e).__name__
a = torch.arange(6.).view(3, 2)
huge = 10 ** 30
t("huge", lambda: [name(f) for f in (lambda: a + huge, lambda: huge * a, lambda: a < huge, lambda: a ** huge, lambda: torch.full((2,), huge), lambda: torch.arange(huge, huge + 2), lambda: a[huge], lambda: a[-huge:huge].shape, lambda: a[huge:].shape, lambda: a[:huge].shape, lambda: a.add_(huge))])
t("outside", lambda: [name(f) for f in (lambda: a.index_add(0, torch.tensor([5]), a[:1]), lambda: a.index_copy(0, torch.tensor([5]), a[:1]), lambda: a.index_fill(0, torch.tensor([5]), 1.), lambda: a.index_select(0, torch.tensor([5])))])
t("truth", lambda: [a[i].tolist() for i in (True, False, (True, 0), (0, True), (..., True), (slice(None), False), (True, True), torch.tensor(True), torch.tensor(False))])
t("truth shapes", lambda: [tuple(a[i].shape) for i in (True, False, (None, True), (True, None), (True, False), (slice(None), True), (True, torch.tensor([0, 1])), (torch.tensor(False), None))])
def written(index):
    b = a.clone(); b[index] = 7.; return b.tolist()
t("truth written", lambda: [written(i) for i in (True, False, (None, True), (True, 0), (0, False))])
import atexit, pickle, threading
lock, again, slot = threading.Lock(), threading.RLock(), threading.local()
slot.x = 3
def taken():
    with lock, again, again: return lock.locked(), lock.acquire(blocking=False)
t("locks", lambda: (taken(), lock.locked(), slot.x, threading.current_thread() is threading.main_thread(), threading.Event().wait(0)))
t("pickle", lambda: pickle.loads(pickle.dumps({"a": [1, 2.5, (None, True)], "b": b"x", 3: {4}})))
t("pickle of tensors", lambda: pickle.loads(pickle.dumps([torch.arange(3), torch.ones(2, requires_grad=True)])))
t("signs by name", lambda: (torch.tensor(3).__index__(), int(torch.tensor(2.5).__int__()), torch.ones(2).__iadd__(1), torch.Tensor.__imul__(torch.ones(2), 3), (-a).__neg__().equal(a), torch.Tensor.__add__(a, 1).sum(), torch.ones(1).__lt__(2)))
t("of the class", lambda: (torch.Tensor.shape.__get__(a), torch.Tensor.grad.__get__(a)))
t("doc", lambda: __doc__)
u = torch.tensor([[1, 2, 1], [3, 1, 3], [1, 2, 1]])
t("unique rows", lambda: (torch.unique(u, dim=0, return_inverse=True, return_counts=True), torch.unique(u, dim=1), u.unique(dim=0), torch.unique_consecutive(u, dim=0, return_counts=True)))
atexit.register(print, "at the end", 2)
atexit.register(lambda: print("at the end", 1))
