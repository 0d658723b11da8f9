s = 'café'
