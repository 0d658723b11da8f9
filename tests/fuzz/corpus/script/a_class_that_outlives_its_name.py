def f():
    class A: pass
    class B(A):
        def g(self): return super()
    return B().g()
s = f()
s.__init__()
