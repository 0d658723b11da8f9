d = {i: i for i in range(99)}
for k in d:
    d.clear()
