class I:
    def __len__(self):
        l.clear()
        return 3
l = [1, 2, 3]
l[len(I()) - 1]
