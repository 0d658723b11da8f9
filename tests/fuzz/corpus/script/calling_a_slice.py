slice(1, 2)()
