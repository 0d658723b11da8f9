l = list(range(50))
l.sort(key=lambda x: l.clear() or x)
