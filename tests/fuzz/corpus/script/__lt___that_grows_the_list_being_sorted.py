class L:
    def __lt__(self, other):
        l.append(L())
        return True
l = [L() for i in range(50)]
l.sort()
