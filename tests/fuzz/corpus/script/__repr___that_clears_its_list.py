class R:
    def __repr__(self):
        l.clear()
        return 'R'
l = [R() for i in range(50)]
assert repr(l) == '[R]'
