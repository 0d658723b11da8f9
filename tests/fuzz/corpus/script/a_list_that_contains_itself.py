l = []
l.append(l)
print(l)
l == l
