class E:
    def __eq__(self, other):
        l.clear()
        return True
l = [E() for i in range(50)]
l.remove(5)
