class A:
    def __getattr__(self, n): return self.x
A().y
