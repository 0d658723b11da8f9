class L:
    def __lt__(self, other):
        l.clear()
        return True
l = [L() for i in range(50)]
l.sort()
