class A:
    def __bool__(self):
        return self
bool(A())
