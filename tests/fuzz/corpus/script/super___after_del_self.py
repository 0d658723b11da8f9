class A:
    def f(self):
        del self
        super().f()
A().f()
