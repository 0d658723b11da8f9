n = float('nan')
d = {n: 1}
assert list(d.items())[0][1] == 1
d.copy()
dict(d)
d | d
d.update(d)
assert d[n] == 1 and n != n
