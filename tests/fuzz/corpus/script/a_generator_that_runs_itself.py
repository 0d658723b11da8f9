def f():
    yield next(g)
g = f()
next(g)
