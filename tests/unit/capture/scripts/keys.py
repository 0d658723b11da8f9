class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __eq__(self, other):
        return isinstance(other, Point) and self.x == other.x and self.y == other.y

    def __hash__(self):
        return self.x * 31 + self.y

    def __repr__(self):
        return f"P({self.x}, {self.y})"


a, b, c = Point(1, 2), Point(1, 2), Point(2, -29)
print(hash(a), hash(Point(-1, 0)), hash(a) == hash(c))
d = {a: "a"}
d[b] = "b"
d[c] = "c"
print(d, len(d), d[Point(1, 2)], Point(1, 2) in d, Point(9, 9) in d, d.get(Point(9, 9), "none"))
print(list(d)[0] is a, d.pop(Point(1, 2)), d)
del d[Point(2, -29)]
print(d)
s = {a, b, c}
print(len(s), Point(1, 2) in s, sorted([p.x for p in s]))
s.add(Point(1, 2))
s.discard(Point(2, -29))
print(s, s == {b}, {a: 1} == {b: 1}, {a: 1} == {c: 1})
print({a, c} & {b}, {a} | {b}, {a, c} - {b}, set([a, b, c]) == {c, b})
t = {(a, 1): "pair"}
print(t[(b, 1)], (b, 2) in t, ((b, 1),) in t)
print(dict([(a, 1), (b, 2)]), {k: v for k, v in [(a, 1), (b, 2)]}, {k for k in [a, b]})


class Unhashable:
    def __eq__(self, other):
        return True


for use in (lambda: {Unhashable(): 1}, lambda: {Unhashable()}, lambda: hash(Unhashable()), lambda: {(1, Unhashable())}):
    try:
        use()
        print("no error")
    except TypeError:
        print("TypeError")


class Plain:
    pass


p, q = Plain(), Plain()
print({p: 1, q: 2}[q], p in {q}, p in {p})

for rows in ([[1, 2], [3, 4]], [[1, 2], [3]], [[1], [3, 4]], [[1, 2], [3, 4], [5]]):
    try:
        print(list(zip(*rows, strict=True)))
    except ValueError as error:
        print(error)
print(list(zip([1, 2], [3], strict=False)))
