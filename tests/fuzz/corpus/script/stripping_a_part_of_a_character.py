s = 'éè'.strip('è')
assert s == 'é'
