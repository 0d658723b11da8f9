# SPDX-License-Identifier: Apache-2.0

def count(start=0, step=1):
    n = start
    while True:
        yield n
        n += step


def cycle(iterable):
    saved = []
    for x in iterable:
        yield x
        saved.append(x)
    while saved:
        for x in saved:
            yield x


class repeat:
    def __init__(self, object, times=None):
        self._object = object
        self._left = times

    def __iter__(self):
        return self

    def __next__(self):
        if self._left is not None:
            if self._left <= 0:
                raise StopIteration
            self._left -= 1
        return self._object

    def __len__(self):
        return self._left


def accumulate(iterable, func=None, *, initial=None):
    it = iter(iterable)
    total = initial
    if initial is None:
        for total in it:
            break
        else:
            return
    yield total
    for x in it:
        total = total + x if func is None else func(total, x)
        yield total


def batched(iterable, n):
    it = iter(iterable)
    while True:
        batch = tuple(islice(it, n))
        if not batch:
            return
        yield batch


class chain:
    def __init__(self, *iterables):
        self._rest = iter(iterables)
        self._now = iter(())

    @classmethod
    def from_iterable(cls, iterables):
        made = cls()
        made._rest = iter(iterables)
        return made

    def __iter__(self):
        return self

    def __next__(self):
        while True:
            for x in self._now:
                return x
            for rest in self._rest:
                self._now = iter(rest)
                break
            else:
                raise StopIteration


def compress(data, selectors):
    return (d for d, s in zip(data, selectors) if s)


def dropwhile(predicate, iterable):
    it = iter(iterable)
    for x in it:
        if not predicate(x):
            yield x
            break
    for x in it:
        yield x


def takewhile(predicate, iterable):
    for x in iterable:
        if not predicate(x):
            break
        yield x


def filterfalse(predicate, iterable):
    for x in iterable:
        if not (x if predicate is None else predicate(x)):
            yield x


def groupby(iterable, key=None):
    it = iter(iterable)
    end = object()
    state = {"value": next(it, end)}

    def key_of(v):
        return v if key is None else key(v)

    def group(k):
        while state["value"] is not end and key_of(state["value"]) == k:
            v = state["value"]
            state["value"] = next(it, end)
            yield v

    while state["value"] is not end:
        k = key_of(state["value"])
        g = group(k)
        yield k, g
        for _ in g:
            pass


def islice(iterable, *args):
    s = slice(*args)
    start, stop, step = s.start or 0, s.stop, s.step or 1
    if start < 0 or (stop is not None and stop < 0) or step < 1:
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    it = iter(iterable)
    i = 0
    wanted = start
    while stop is None or i < stop:
        if stop is not None and wanted >= stop:
            while i < stop:
                for _ in it:
                    break
                else:
                    return
                i += 1
            return
        for x in it:
            break
        else:
            return
        if i == wanted:
            yield x
            wanted += step
        i += 1


def pairwise(iterable):
    it = iter(iterable)
    for a in it:
        break
    else:
        return
    for b in it:
        yield a, b
        a = b


def product(*args, repeat=1):
    pools = [tuple(pool) for pool in args] * repeat
    if any(not p for p in pools):
        return
    at = [0] * len(pools)
    while True:
        yield tuple(p[i] for p, i in zip(pools, at))
        for k in reversed(range(len(pools))):
            at[k] += 1
            if at[k] < len(pools[k]):
                break
            at[k] = 0
        else:
            return


def permutations(iterable, r=None):
    pool = tuple(iterable)
    n = len(pool)
    r = n if r is None else r
    if r > n:
        return
    for row in product(range(n), repeat=r):
        if len(set(row)) == r:
            yield tuple(pool[i] for i in row)


def combinations(iterable, r):
    pool = tuple(iterable)
    n = len(pool)
    if r > n:
        return
    at = list(range(r))
    yield tuple(pool[i] for i in at)
    while True:
        for i in reversed(range(r)):
            if at[i] != i + n - r:
                break
        else:
            return
        at[i] += 1
        for j in range(i + 1, r):
            at[j] = at[j - 1] + 1
        yield tuple(pool[i] for i in at)


def combinations_with_replacement(iterable, r):
    pool = tuple(iterable)
    n = len(pool)
    if not n and r:
        return
    at = [0] * r
    yield tuple(pool[i] for i in at)
    while True:
        for i in reversed(range(r)):
            if at[i] != n - 1:
                break
        else:
            return
        at[i:] = [at[i] + 1] * (r - i)
        yield tuple(pool[i] for i in at)


def starmap(function, iterable):
    for args in iterable:
        yield function(*args)


def tee(iterable, n=2):
    it = iter(iterable)
    queues = [[] for _ in range(n)]

    def one(mine):
        while True:
            if not mine:
                for x in it:
                    break
                else:
                    return
                for q in queues:
                    q.append(x)
            yield mine.pop(0)

    return tuple(one(q) for q in queues)


def zip_longest(*args, fillvalue=None):
    its = [iter(a) for a in args]
    left = len(its)
    if not left:
        return
    done = [False] * left
    end = object()
    while True:
        row = []
        for i, it in enumerate(its):
            v = end if done[i] else next(it, end)
            if v is end:
                if not done[i]:
                    done[i] = True
                    left -= 1
                    if not left:
                        return
                v = fillvalue
            row.append(v)
        yield tuple(row)
