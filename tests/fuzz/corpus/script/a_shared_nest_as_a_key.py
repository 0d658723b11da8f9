t = ()
for i in range(60):
    t = (t, t)
d = {t: 1}
assert t in d
