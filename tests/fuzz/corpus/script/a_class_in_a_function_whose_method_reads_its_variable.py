def f(x):
    class A:
        y = x
        def g(self):
            return x
    return A
assert f(5)().g() == 5 and f(6).y == 6
