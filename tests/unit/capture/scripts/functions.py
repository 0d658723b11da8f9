def f(a, b=2, *args, c=3, **kwargs):
    return a, b, args, c, kwargs


print(f(1), f(1, 5), f(1, 5, 6, 7), f(1, c=9), f(1, d=4), f(*[1, 2, 3], **{"c": 4, "z": 5}), f(b=1, a=2))


def counter():
    n = 0

    def step(by=1):
        nonlocal n
        n += by
        return n

    return step


c = counter()
print(c(), c(), c(5), counter()())
total = 0


def add(x):
    global total
    total += x


add(3)
add(4)
print(total)
print((lambda x, y=1: x + y)(2), (lambda *a: a)(1, 2), [g(3) for g in [lambda x: x, lambda x: x * x]])
fs = [lambda: i for i in range(3)]
print([g() for g in fs])


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print([fib(i) for i in range(12)])


def gen(n):
    for i in range(n):
        got = yield i * 2
    return 5


print(list(gen(4)), sum(gen(3)), next(gen(2)))


def chain(*its):
    for it in its:
        yield from it


print(list(chain([1], (2, 3), "x")))


def delegating(n):
    first = yield from gen(n)
    second = yield from [first]
    ended = gen(0)
    third = [(yield from ended), (yield from ended)]
    yield first, second, third


print(list(delegating(2)))
g = gen(2)
print(next(g), next(g), next(g, "end"))


def loops():
    out = []
    for i in range(10):
        if i == 2:
            continue
        if i == 5:
            break
        out.append(i)
    else:
        out.append("never")
    for i in range(2):
        pass
    else:
        out.append("else")
    n = 0
    while True:
        n += 1
        if n > 3:
            break
    while n > 0:
        n -= 1
    else:
        out.append(n)
    return out


print(loops())


def early(x):
    for i in range(10):
        for j in range(10):
            if i * j == x:
                return i, j
    return None


print(early(12), early(97))


def deco(tag):
    def wrap(fn):
        def inner(*a, **k):
            return tag, fn(*a, **k)

        return inner

    return wrap


@deco("x")
@deco("y")
def decorated(v):
    return v * 2


print(decorated(4), decorated.__name__)


def annotated(x: int, y: "str" = "a") -> float:
    z: int = x
    w: float
    return z, y


print(annotated(1))
if (n := 10) > 5:
    print("walrus", n)


def kwonly(*, a, b=2):
    return a + b


print(kwonly(a=1), kwonly(b=1, a=1))


def posonly(a, b, /, c):
    return a, b, c


print(posonly(1, 2, c=3))
x = 1; y = 2
print(x, y)
f.attribute = [1]
print(f.attribute, callable(f), callable(3))


def stubborn():
    while True:
        try:
            yield 1
        except GeneratorExit:
            pass


generator = stubborn()
print(next(generator))
del generator  # it is asked to end once
print("after")
