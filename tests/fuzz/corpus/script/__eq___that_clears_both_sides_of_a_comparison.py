class E:
    def __eq__(self, other):
        a.clear()
        b.clear()
        return True
a = {i: E() for i in range(50)}
b = {i: E() for i in range(50)}
a == b
