class L:
    def __lt__(self, other):
        return True
sorted([L() for i in range(99)])
