class R:
    def __repr__(self):
        d.clear()
        return 'R'
d = {i: R() for i in range(50)}
print(d)
