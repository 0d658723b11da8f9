a = [3, 1, 2]
a.append(4)
a.extend([5, 6])
a.insert(0, 9)
print(a, len(a), a[0], a[-1], a[1:3], a[::2], a[::-1], a[10:], a[-2:])
print(a.pop(), a.pop(0), a, a.index(2), a.count(1))
a.remove(3)
a[0] = 100
a[1:2] = [7, 8, 9]
print(a, sorted(a), sorted(a, reverse=True), sorted(["bb", "a", "ccc"], key=len), sorted(["b", "A", "c"], key=lambda s: s.lower()))
a.sort()
a.reverse()
del a[0]
print(a, [1] + [2], [0] * 3, 3 in a, list(range(5)), list(range(10, 0, -3)), list("abc"))
b = a
b += [1]
print(a is b, a == b, a)
t = (1, 2, 3)
x, y, z = t
first, *rest = [1, 2, 3, 4]
*init, last = (1, 2, 3)
p, *m, q = range(6)
(u, v), w = (1, 2), 3
print(x, y, z, first, rest, init, last, p, m, q, u, v, w, t + (4,), t[1:], (), (5,), t.index(2))
d = {"a": 1, "b": 2}
d["c"] = 3
d.update({"d": 4}, e=5)
print(d, d["a"], d.get("z"), d.get("z", 0), "a" in d, len(d), list(d), list(d.keys()), list(d.values()), list(d.items()))
print(d.pop("a"), d.pop("zz", None), d.setdefault("n", []), d, {**d, "x": 1}, dict(a=1, b=2), dict([("k", "v")]))
del d["b"]
for key, value in d.items():
    print(key, value, end="; ")
print()
d2 = {1: "int", 2.5: "float", (1, 2): "tuple", None: "none", True: "bool"}
print(d2, d2[1.0], d2[(1, 2)])
s = {3, 1, 2, 3}
s.add(5)
s.discard(1)
print(len(s), 3 in s, 1 in s, sorted(s), sorted(s & {2, 3}), sorted(s | {9}), sorted(s - {2}), set() == set([]), sorted({1, 2} ^ {2, 3}))
print([i * i for i in range(5)], [i for i in range(10) if i % 2 if i > 3], [(i, j) for i in range(2) for j in range(2)])
print({i: i * i for i in range(3)}, sorted({i % 3 for i in range(9)}), [[j for j in range(i)] for i in range(3)])
print(list(zip([1, 2, 3], "ab")), list(map(lambda v: v + 1, [1, 2])), list(filter(None, [0, 1, 2])), list(reversed([1, 2])), list(enumerate(["x"])))
print(any([0, 1]), all([]), all([1, 0]), sum(i for i in range(4)), max(i * i for i in range(-3, 3)), ", ".join(str(i) for i in range(3)))
m = [[1, 2], [3, 4]]
print(list(zip(*m)), [sum(row) for row in m], m[1][0], [c for row in m for c in row])
i = 99
print([i for i in range(3)], i)
nested = {"a": [1, {"b": (2, 3)}]}
print(nested["a"][1]["b"][0])
r = range(2, 20, 3)
print(len(r), r[1], r[-1], 8 in r, 9 in r, r)
e = [1, 2, 3]
for v in e:
    if v == 1:
        e.append(4)
print(e)
print([*range(3), *"ab"], (*[1], 2), {*[1, 1]}, {"a": 1, **{"b": 2}})

l = [1, 2]
l.append(l)
print(l, [l, l])
d = {"a": 1}
d["self"] = d
d["list"] = l
print(d)
t = (l, [])
t[1].append(t)
print(t, str(t), f"{t}")


class Holder:
    def __init__(self):
        self.items = [self]

    def __repr__(self):
        return f"Holder({self.items})"


print(Holder())
deep = []
for i in range(80):
    deep = [deep]
print(repr(deep) == "[" * 81 + "]" * 81)
n = float("nan")
held = [1, n, 2]
print(held.index(n), held.count(n), n in held, held == [1, n, 2], [n, 1] < [n, 2], (n,) == (n,))
held.remove(n)
print(held)
