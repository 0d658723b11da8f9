a = []
b = [a]
a.append(b)
c = []
d = [c]
c.append(d)
a == c
