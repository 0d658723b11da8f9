l = list(range(100))
def g():
    l.clear()
    yield 1
l[0:50] = g()
assert l == [1]
