l = list(range(100))
def g():
    l.clear()
    yield 1
l[0:50:2] = g()
