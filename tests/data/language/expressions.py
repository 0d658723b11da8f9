#---- str.upper()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.upper()))
#---- str.lower()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.lower()))
#---- str.title()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.title()))
#---- str.capitalize()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.capitalize()))
#---- str.swapcase()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.swapcase()))
#---- str.casefold()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.casefold()))
#---- str.strip()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.strip()))
#---- str.lstrip()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.lstrip()))
#---- str.rstrip()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.rstrip()))
#---- str.split()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.split()))
#---- str.split(',')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.split(',')))
#---- str.rsplit(None,1)
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.rsplit(None,1)))
#---- str.splitlines()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.splitlines()))
#---- str.splitlines(True)
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.splitlines(True)))
#---- str.isalpha()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.isalpha()))
#---- str.isdigit()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.isdigit()))
#---- str.isalnum()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.isalnum()))
#---- str.isspace()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.isspace()))
#---- str.isupper()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.isupper()))
#---- str.islower()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.islower()))
#---- str.istitle()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.istitle()))
#---- str.isidentifier()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.isidentifier()))
#---- str.isdecimal()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.isdecimal()))
#---- str.isnumeric()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.isnumeric()))
#---- str.isascii()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.isascii()))
#---- str.isprintable()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.isprintable()))
#---- str.center(12,'*')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.center(12,'*')))
#---- str.ljust(9,'.')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.ljust(9,'.')))
#---- str.rjust(9)
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.rjust(9)))
#---- str.zfill(8)
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.zfill(8)))
#---- str.partition('l')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.partition('l')))
#---- str.rpartition('l')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.rpartition('l')))
#---- str.replace('l','L')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.replace('l','L')))
#---- str.replace('','-')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.replace('','-')))
#---- str.replace('a','b',1)
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.replace('a','b',1)))
#---- str.find('l')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.find('l')))
#---- str.rfind('l')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.rfind('l')))
#---- str.count('l')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.count('l')))
#---- str.count('')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.count('')))
#---- str.startswith('H')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.startswith('H')))
#---- str.endswith(('d','c'))
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.endswith(('d','c'))))
#---- str.removeprefix('He')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.removeprefix('He')))
#---- str.removesuffix('x')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.removesuffix('x')))
#---- str.expandtabs(4)
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.expandtabs(4)))
#---- str.encode()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.encode()))
#---- str.join(['x','y','z'])
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.join(['x','y','z'])))
#---- str.translate({97:'A',98:None})
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.translate({97:'A',98:None})))
#---- str.split(maxsplit=1)
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.split(maxsplit=1)))
#---- str.strip('aH')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.strip('aH')))
#---- str.__len__()
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.__len__()))
#---- str.__contains__('a')
for s in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c', '1234', 'ÄÖß straße', 'line\nnext\r\nlast', 'tEST 42x']:
    print(repr(s.__contains__('a')))
#---- int.bit_length()
for n in [0, 7, -13, 255, 10**20, True]:
    print(n.bit_length())
#---- int.to_bytes(12,'big',signed=True)
for n in [0, 7, -13, 255, 10**20, True]:
    print(n.to_bytes(12,'big',signed=True))
#---- int.conjugate()
for n in [0, 7, -13, 255, 10**20, True]:
    print(n.conjugate())
#---- int.__index__()
for n in [0, 7, -13, 255, 10**20, True]:
    print(n.__index__())
#---- int.bit_count()
for n in [0, 7, -13, 255, 10**20, True]:
    print(n.bit_count())
#---- int.as_integer_ratio()
for n in [0, 7, -13, 255, 10**20, True]:
    print(n.as_integer_ratio())
#---- float.is_integer()
for n in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    print(n.is_integer())
#---- float.hex()
for n in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    print(n.hex())
#---- float.__abs__()
for n in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    print(n.__abs__())
#---- float.__neg__()
for n in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    print(n.__neg__())
#---- float.conjugate()
for n in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    print(n.conjugate())
#---- format int ''
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float ''
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str ''
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int 'd'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, 'd') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float 'd'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, 'd') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str 'd'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, 'd') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '5'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '5') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '5'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '5') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '5'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '5') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '<8'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '<8') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '<8'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '<8') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '<8'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '<8') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '>8'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '>8') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '>8'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '>8') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '>8'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '>8') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '^9'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '^9') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '^9'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '^9') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '^9'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '^9') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '*^9'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '*^9') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '*^9'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '*^9') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '*^9'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '*^9') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '+'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '+') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '+'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '+') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '+'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '+') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '-'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '-') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '-'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '-') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '-'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '-') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int ' '
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, ' ') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float ' '
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, ' ') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str ' '
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, ' ') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '05'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '05') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '05'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '05') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '05'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '05') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int ','
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, ',') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float ','
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, ',') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str ','
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, ',') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '_'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '_') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '_'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '_') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '_'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '_') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int 'x'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, 'x') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float 'x'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, 'x') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str 'x'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, 'x') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int 'X'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, 'X') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float 'X'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, 'X') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str 'X'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, 'X') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '#x'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '#x') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '#x'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '#x') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '#x'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '#x') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int 'b'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, 'b') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float 'b'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, 'b') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str 'b'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, 'b') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '#o'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '#o') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '#o'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '#o') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '#o'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '#o') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int 'e'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, 'e') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float 'e'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, 'e') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str 'e'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, 'e') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '.2f'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '.2f') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '.2f'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '.2f') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '.2f'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '.2f') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '10.3f'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '10.3f') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '10.3f'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '10.3f') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '10.3f'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '10.3f') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '+.1e'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '+.1e') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '+.1e'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '+.1e') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '+.1e'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '+.1e') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '%'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '%') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '%'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '%') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '%'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '%') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '.1%'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '.1%') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '.1%'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '.1%') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '.1%'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '.1%') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int 'g'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, 'g') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float 'g'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, 'g') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str 'g'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, 'g') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '.3g'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '.3g') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '.3g'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '.3g') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '.3g'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '.3g') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int 'n'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, 'n') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float 'n'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, 'n') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str 'n'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, 'n') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '08.3f'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '08.3f') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '08.3f'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '08.3f') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '08.3f'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '08.3f') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '=+10'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '=+10') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '=+10'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '=+10') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '=+10'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '=+10') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int 'c'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, 'c') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float 'c'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, 'c') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str 'c'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, 'c') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '.0f'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '.0f') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '.0f'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '.0f') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '.0f'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '.0f') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int '#.0f'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, '#.0f') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float '#.0f'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, '#.0f') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str '#.0f'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, '#.0f') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format int 's'
for v in [0, 7, -13, 255, 10**20, True]:
    try:
        print(format(v, 's') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format float 's'
for v in [0.0, -0.0, 1.5, -2.75, 1e20, 3.14159, 1e-7, float('inf'), float('nan'), 123456789.125, 2.5, 0.1]:
    try:
        print(format(v, 's') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- format str 's'
for v in ['', 'a', 'Hello World', '  padded\t', 'a,b,,c']:
    try:
        print(format(v, 's') + '|')
    except (ValueError, OverflowError) as e:
        print(type(e).__name__, e)
#---- list: a.append(9)
a = []
try:
    a.append(9)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a.append(9)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a.append(9)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a.append(9)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a.append(9)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a.extend('xy')
a = []
try:
    a.extend('xy')
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a.extend('xy')
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a.extend('xy')
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a.extend('xy')
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a.extend('xy')
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a.insert(1, 7)
a = []
try:
    a.insert(1, 7)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a.insert(1, 7)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a.insert(1, 7)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a.insert(1, 7)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a.insert(1, 7)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a.pop()
a = []
try:
    a.pop()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a.pop()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a.pop()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a.pop()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a.pop()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a.pop(0)
a = []
try:
    a.pop(0)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a.pop(0)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a.pop(0)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a.pop(0)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a.pop(0)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a.remove(1)
a = []
try:
    a.remove(1)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a.remove(1)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a.remove(1)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a.remove(1)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a.remove(1)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a.reverse()
a = []
try:
    a.reverse()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a.reverse()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a.reverse()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a.reverse()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a.reverse()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a.sort()
a = []
try:
    a.sort()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a.sort()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a.sort()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a.sort()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a.sort()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a.sort(reverse=True)
a = []
try:
    a.sort(reverse=True)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a.sort(reverse=True)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a.sort(reverse=True)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a.sort(reverse=True)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a.sort(reverse=True)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a.clear()
a = []
try:
    a.clear()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a.clear()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a.clear()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a.clear()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a.clear()
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a[1:2] = [8, 8, 8]
a = []
try:
    a[1:2] = [8, 8, 8]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a[1:2] = [8, 8, 8]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a[1:2] = [8, 8, 8]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a[1:2] = [8, 8, 8]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a[1:2] = [8, 8, 8]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a[::2] = []
a = []
try:
    a[::2] = []
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a[::2] = []
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a[::2] = []
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a[::2] = []
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a[::2] = []
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: del a[0]
a = []
try:
    del a[0]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    del a[0]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    del a[0]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    del a[0]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    del a[0]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: del a[::2]
a = []
try:
    del a[::2]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    del a[::2]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    del a[::2]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    del a[::2]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    del a[::2]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a *= 2
a = []
try:
    a *= 2
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a *= 2
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a *= 2
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a *= 2
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a *= 2
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a += (1,)
a = []
try:
    a += (1,)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a += (1,)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a += (1,)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a += (1,)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a += (1,)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a[-1] = 0
a = []
try:
    a[-1] = 0
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a[-1] = 0
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a[-1] = 0
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a[-1] = 0
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a[-1] = 0
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a[5:] = [1]
a = []
try:
    a[5:] = [1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a[5:] = [1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a[5:] = [1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a[5:] = [1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a[5:] = [1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = a[::-1]
a = []
try:
    a = a[::-1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = a[::-1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = a[::-1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = a[::-1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = a[::-1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = a[-3:-1]
a = []
try:
    a = a[-3:-1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = a[-3:-1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = a[-3:-1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = a[-3:-1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = a[-3:-1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = a + a
a = []
try:
    a = a + a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = a + a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = a + a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = a + a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = a + a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = a.copy(); a.append(1)
a = []
try:
    a = a.copy(); a.append(1)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = a.copy(); a.append(1)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = a.copy(); a.append(1)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = a.copy(); a.append(1)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = a.copy(); a.append(1)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: b = a; b += [1]
a = []
try:
    b = a; b += [1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    b = a; b += [1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    b = a; b += [1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    b = a; b += [1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    b = a; b += [1]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a.index(2)
a = []
try:
    a.index(2)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a.index(2)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a.index(2)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a.index(2)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a.index(2)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a.count(1)
a = []
try:
    a.count(1)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a.count(1)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a.count(1)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a.count(1)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a.count(1)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a[10]
a = []
try:
    a[10]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a[10]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a[10]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a[10]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a[10]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: x, *a = a
a = []
try:
    x, *a = a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    x, *a = a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    x, *a = a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    x, *a = a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    x, *a = a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: *a, x = a
a = []
try:
    *a, x = a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    *a, x = a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    *a, x = a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    *a, x = a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    *a, x = a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = sorted(a, key=str)
a = []
try:
    a = sorted(a, key=str)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = sorted(a, key=str)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = sorted(a, key=str)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = sorted(a, key=str)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = sorted(a, key=str)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = list(enumerate(a, 1))
a = []
try:
    a = list(enumerate(a, 1))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = list(enumerate(a, 1))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = list(enumerate(a, 1))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = list(enumerate(a, 1))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = list(enumerate(a, 1))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = list(zip(a, a[1:]))
a = []
try:
    a = list(zip(a, a[1:]))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = list(zip(a, a[1:]))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = list(zip(a, a[1:]))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = list(zip(a, a[1:]))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = list(zip(a, a[1:]))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = list(map(str, a))
a = []
try:
    a = list(map(str, a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = list(map(str, a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = list(map(str, a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = list(map(str, a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = list(map(str, a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = list(filter(None, a))
a = []
try:
    a = list(filter(None, a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = list(filter(None, a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = list(filter(None, a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = list(filter(None, a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = list(filter(None, a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = [x for x in a if x]
a = []
try:
    a = [x for x in a if x]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = [x for x in a if x]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = [x for x in a if x]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = [x for x in a if x]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = [x for x in a if x]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = max(a)
a = []
try:
    a = max(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = max(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = max(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = max(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = max(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = min(a, default=None)
a = []
try:
    a = min(a, default=None)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = min(a, default=None)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = min(a, default=None)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = min(a, default=None)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = min(a, default=None)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = sum(a)
a = []
try:
    a = sum(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = sum(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = sum(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = sum(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = sum(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = any(a), all(a)
a = []
try:
    a = any(a), all(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = any(a), all(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = any(a), all(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = any(a), all(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = any(a), all(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = tuple(a)
a = []
try:
    a = tuple(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = tuple(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = tuple(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = tuple(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = tuple(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = sorted(set(map(str, a)))
a = []
try:
    a = sorted(set(map(str, a)))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = sorted(set(map(str, a)))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = sorted(set(map(str, a)))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = sorted(set(map(str, a)))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = sorted(set(map(str, a)))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = dict(enumerate(a))
a = []
try:
    a = dict(enumerate(a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = dict(enumerate(a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = dict(enumerate(a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = dict(enumerate(a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = dict(enumerate(a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = repr(a)
a = []
try:
    a = repr(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = repr(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = repr(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = repr(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = repr(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = len(a)
a = []
try:
    a = len(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = len(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = len(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = len(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = len(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = a == list(a)
a = []
try:
    a = a == list(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = a == list(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = a == list(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = a == list(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = a == list(a)
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = a < [3, 2]
a = []
try:
    a = a < [3, 2]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = a < [3, 2]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = a < [3, 2]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = a < [3, 2]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = a < [3, 2]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = list(reversed(a))
a = []
try:
    a = list(reversed(a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = list(reversed(a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = list(reversed(a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = list(reversed(a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = list(reversed(a))
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = 2 in a
a = []
try:
    a = 2 in a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = 2 in a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = 2 in a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = 2 in a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = 2 in a
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = iter(a); a = next(a, 'none')
a = []
try:
    a = iter(a); a = next(a, 'none')
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = iter(a); a = next(a, 'none')
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = iter(a); a = next(a, 'none')
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = iter(a); a = next(a, 'none')
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = iter(a); a = next(a, 'none')
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = [*a, *a]
a = []
try:
    a = [*a, *a]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = [*a, *a]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = [*a, *a]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = [*a, *a]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = [*a, *a]
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- list: a = str(a).replace(' ', '')
a = []
try:
    a = str(a).replace(' ', '')
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [3, 1, 2]
try:
    a = str(a).replace(' ', '')
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [1, 2, 3, 4, 5, 6]
try:
    a = str(a).replace(' ', '')
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = ['b', 'a']
try:
    a = str(a).replace(' ', '')
    print(a)
except Exception as e:
    print(type(e).__name__, e)
a = [[1], [2, 3]]
try:
    a = str(a).replace(' ', '')
    print(a)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d['c'] = 3
d = {}
try:
    d['c'] = 3
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d['c'] = 3
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d['c'] = 3
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: del d['a']
d = {}
try:
    del d['a']
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    del d['a']
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    del d['a']
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d.pop('a')
d = {}
try:
    d.pop('a')
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d.pop('a')
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d.pop('a')
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d.pop('z', None)
d = {}
try:
    d.pop('z', None)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d.pop('z', None)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d.pop('z', None)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d.popitem()
d = {}
try:
    d.popitem()
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d.popitem()
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d.popitem()
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d.setdefault('a', 9)
d = {}
try:
    d.setdefault('a', 9)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d.setdefault('a', 9)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d.setdefault('a', 9)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d.setdefault('n', []).append(1)
d = {}
try:
    d.setdefault('n', []).append(1)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d.setdefault('n', []).append(1)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d.setdefault('n', []).append(1)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d.update(b=5)
d = {}
try:
    d.update(b=5)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d.update(b=5)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d.update(b=5)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d.update([(1, 2)])
d = {}
try:
    d.update([(1, 2)])
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d.update([(1, 2)])
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d.update([(1, 2)])
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d.update({'q': 1}, r=2)
d = {}
try:
    d.update({'q': 1}, r=2)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d.update({'q': 1}, r=2)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d.update({'q': 1}, r=2)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d.clear()
d = {}
try:
    d.clear()
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d.clear()
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d.clear()
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d |= {'a': 0}
d = {}
try:
    d |= {'a': 0}
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d |= {'a': 0}
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d |= {'a': 0}
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = d | {'z': 26}
d = {}
try:
    d = d | {'z': 26}
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = d | {'z': 26}
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = d | {'z': 26}
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = list(d)
d = {}
try:
    d = list(d)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = list(d)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = list(d)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = list(d.items())
d = {}
try:
    d = list(d.items())
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = list(d.items())
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = list(d.items())
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = list(d.values())
d = {}
try:
    d = list(d.values())
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = list(d.values())
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = list(d.values())
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = sorted(map(str, d))
d = {}
try:
    d = sorted(map(str, d))
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = sorted(map(str, d))
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = sorted(map(str, d))
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = dict.fromkeys(d, 0)
d = {}
try:
    d = dict.fromkeys(d, 0)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = dict.fromkeys(d, 0)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = dict.fromkeys(d, 0)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = {v: k for k, v in d.items() if not isinstance(v, list)}
d = {}
try:
    d = {v: k for k, v in d.items() if not isinstance(v, list)}
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = {v: k for k, v in d.items() if not isinstance(v, list)}
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = {v: k for k, v in d.items() if not isinstance(v, list)}
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = 'a' in d, 1 in d
d = {}
try:
    d = 'a' in d, 1 in d
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = 'a' in d, 1 in d
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = 'a' in d, 1 in d
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = d.get('a'), d.get('zz', -1)
d = {}
try:
    d = d.get('a'), d.get('zz', -1)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = d.get('a'), d.get('zz', -1)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = d.get('a'), d.get('zz', -1)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d['missing']
d = {}
try:
    d['missing']
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d['missing']
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d['missing']
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = len(d), bool(d)
d = {}
try:
    d = len(d), bool(d)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = len(d), bool(d)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = len(d), bool(d)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = d == dict(d)
d = {}
try:
    d = d == dict(d)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = d == dict(d)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = d == dict(d)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = list(reversed(d))
d = {}
try:
    d = list(reversed(d))
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = list(reversed(d))
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = list(reversed(d))
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = {**d, 'x': 1}
d = {}
try:
    d = {**d, 'x': 1}
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = {**d, 'x': 1}
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = {**d, 'x': 1}
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = sorted(map(str, d.keys() & {'a', 1}))
d = {}
try:
    d = sorted(map(str, d.keys() & {'a', 1}))
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = sorted(map(str, d.keys() & {'a', 1}))
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = sorted(map(str, d.keys() & {'a', 1}))
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = d.copy(); d['new'] = 1
d = {}
try:
    d = d.copy(); d['new'] = 1
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = d.copy(); d['new'] = 1
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = d.copy(); d['new'] = 1
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = max(d, key=str, default='nothing')
d = {}
try:
    d = max(d, key=str, default='nothing')
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = max(d, key=str, default='nothing')
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = max(d, key=str, default='nothing')
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: for k in list(d): d[k] = k
d = {}
try:
    for k in list(d): d[k] = k
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    for k in list(d): d[k] = k
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    for k in list(d): d[k] = k
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = str(d)
d = {}
try:
    d = str(d)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = str(d)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = str(d)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- dict: d = next(iter(d.items()), None)
d = {}
try:
    d = next(iter(d.items()), None)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {'a': 1, 'b': 2}
try:
    d = next(iter(d.items()), None)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
d = {1: 'x', (2, 3): [4]}
try:
    d = next(iter(d.items()), None)
    print(d)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s.add(2)
s = set()
try:
    s.add(2)
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s.add(2)
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s.add(2)
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s.discard(1)
s = set()
try:
    s.discard(1)
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s.discard(1)
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s.discard(1)
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s.remove(9)
s = set()
try:
    s.remove(9)
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s.remove(9)
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s.remove(9)
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s = s | {7}
s = set()
try:
    s = s | {7}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s = s | {7}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s = s | {7}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s = s & {2, 3}
s = set()
try:
    s = s & {2, 3}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s = s & {2, 3}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s = s & {2, 3}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s = s - {2}
s = set()
try:
    s = s - {2}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s = s - {2}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s = s - {2}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s = s ^ {2, 9}
s = set()
try:
    s = s ^ {2, 9}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s = s ^ {2, 9}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s = s ^ {2, 9}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s.update([5, 6])
s = set()
try:
    s.update([5, 6])
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s.update([5, 6])
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s.update([5, 6])
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s = s <= {1, 2, 3, 4}
s = set()
try:
    s = s <= {1, 2, 3, 4}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s = s <= {1, 2, 3, 4}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s = s <= {1, 2, 3, 4}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s = s.issuperset({2})
s = set()
try:
    s = s.issuperset({2})
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s = s.issuperset({2})
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s = s.issuperset({2})
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s = s.isdisjoint({9})
s = set()
try:
    s = s.isdisjoint({9})
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s = s.isdisjoint({9})
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s = s.isdisjoint({9})
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s = frozenset(s)
s = set()
try:
    s = frozenset(s)
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s = frozenset(s)
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s = frozenset(s)
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s.intersection_update({2})
s = set()
try:
    s.intersection_update({2})
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s.intersection_update({2})
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s.intersection_update({2})
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s = len(s), 2 in s
s = set()
try:
    s = len(s), 2 in s
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s = len(s), 2 in s
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s = len(s), 2 in s
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s = {x * 2 for x in s}
s = set()
try:
    s = {x * 2 for x in s}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s = {x * 2 for x in s}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s = {x * 2 for x in s}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s = s == {2, 4}
s = set()
try:
    s = s == {2, 4}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s = s == {2, 4}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s = s == {2, 4}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s = sorted(s, reverse=True)
s = set()
try:
    s = sorted(s, reverse=True)
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s = sorted(s, reverse=True)
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s = sorted(s, reverse=True)
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s = s.union([1], (2,), {3})
s = set()
try:
    s = s.union([1], (2,), {3})
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s = s.union([1], (2,), {3})
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s = s.union([1], (2,), {3})
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s -= {2}
s = set()
try:
    s -= {2}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s -= {2}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s -= {2}
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- set: s.clear()
s = set()
try:
    s.clear()
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {1, 2, 3}
try:
    s.clear()
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
s = {2, 4}
try:
    s.clear()
    print(sorted(s) if isinstance(s, (set, frozenset)) else s)
except Exception as e:
    print(type(e).__name__, e)
#---- numbers +
a, b = 7, 3
try:
    pass
    print(a + b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a + b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a + b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a + b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a + b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a + b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a + b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a + b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a + b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a + b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a + b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a + b)
except Exception as e:
    print(type(e).__name__, e)
#---- numbers -
a, b = 7, 3
try:
    pass
    print(a - b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a - b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a - b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a - b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a - b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a - b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a - b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a - b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a - b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a - b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a - b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a - b)
except Exception as e:
    print(type(e).__name__, e)
#---- numbers *
a, b = 7, 3
try:
    pass
    print(a * b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a * b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a * b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a * b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a * b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a * b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a * b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a * b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a * b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a * b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a * b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a * b)
except Exception as e:
    print(type(e).__name__, e)
#---- numbers /
a, b = 7, 3
try:
    pass
    print(a / b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a / b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a / b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a / b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a / b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a / b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a / b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a / b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a / b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a / b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a / b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a / b)
except Exception as e:
    print(type(e).__name__, e)
#---- numbers //
a, b = 7, 3
try:
    pass
    print(a // b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a // b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a // b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a // b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a // b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a // b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a // b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a // b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a // b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a // b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a // b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a // b)
except Exception as e:
    print(type(e).__name__, e)
#---- numbers %
a, b = 7, 3
try:
    pass
    print(a % b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a % b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a % b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a % b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a % b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a % b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a % b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a % b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a % b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a % b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a % b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a % b)
except Exception as e:
    print(type(e).__name__, e)
#---- numbers **
a, b = 7, 3
try:
    pass
    print(a ** b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a ** b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a ** b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a ** b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a ** b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a ** b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a ** b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a ** b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a ** b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a ** b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a ** b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a ** b)
except Exception as e:
    print(type(e).__name__, e)
#---- numbers <
a, b = 7, 3
try:
    pass
    print(a < b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a < b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a < b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a < b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a < b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a < b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a < b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a < b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a < b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a < b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a < b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a < b)
except Exception as e:
    print(type(e).__name__, e)
#---- numbers <=
a, b = 7, 3
try:
    pass
    print(a <= b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a <= b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a <= b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a <= b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a <= b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a <= b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a <= b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a <= b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a <= b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a <= b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a <= b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a <= b)
except Exception as e:
    print(type(e).__name__, e)
#---- numbers ==
a, b = 7, 3
try:
    pass
    print(a == b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a == b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a == b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a == b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a == b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a == b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a == b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a == b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a == b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a == b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a == b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a == b)
except Exception as e:
    print(type(e).__name__, e)
#---- numbers !=
a, b = 7, 3
try:
    pass
    print(a != b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a != b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a != b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a != b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a != b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a != b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a != b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a != b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a != b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a != b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a != b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a != b)
except Exception as e:
    print(type(e).__name__, e)
#---- numbers >
a, b = 7, 3
try:
    pass
    print(a > b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a > b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a > b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a > b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a > b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a > b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a > b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a > b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a > b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a > b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a > b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a > b)
except Exception as e:
    print(type(e).__name__, e)
#---- numbers and
a, b = 7, 3
try:
    pass
    print(a and b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a and b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a and b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a and b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a and b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a and b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a and b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a and b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a and b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a and b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a and b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a and b)
except Exception as e:
    print(type(e).__name__, e)
#---- numbers or
a, b = 7, 3
try:
    pass
    print(a or b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a or b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a or b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a or b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a or b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a or b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a or b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a or b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a or b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a or b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a or b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a or b)
except Exception as e:
    print(type(e).__name__, e)
#---- numbers is not
a, b = 7, 3
try:
    pass
    print(a is not b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a is not b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a is not b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a is not b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a is not b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a is not b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a is not b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a is not b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a is not b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a is not b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a is not b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a is not b)
except Exception as e:
    print(type(e).__name__, e)
#---- integers &
a, b = 7, 3
try:
    pass
    print(a & b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a & b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a & b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a & b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a & b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a & b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a & b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a & b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a & b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a & b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a & b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a & b)
except Exception as e:
    print(type(e).__name__, e)
#---- integers |
a, b = 7, 3
try:
    pass
    print(a | b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a | b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a | b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a | b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a | b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a | b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a | b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a | b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a | b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a | b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a | b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a | b)
except Exception as e:
    print(type(e).__name__, e)
#---- integers ^
a, b = 7, 3
try:
    pass
    print(a ^ b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a ^ b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a ^ b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a ^ b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a ^ b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a ^ b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a ^ b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a ^ b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a ^ b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a ^ b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a ^ b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a ^ b)
except Exception as e:
    print(type(e).__name__, e)
#---- integers <<
a, b = 7, 3
try:
    pass
    print(a << b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a << b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a << b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a << b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a << b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a << b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a << b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a << b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a << b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a << b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a << b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a << b)
except Exception as e:
    print(type(e).__name__, e)
#---- integers >>
a, b = 7, 3
try:
    pass
    print(a >> b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, 3
try:
    pass
    print(a >> b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7, -3
try:
    pass
    print(a >> b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7, -3
try:
    pass
    print(a >> b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 7.5, 2
try:
    pass
    print(a >> b)
except Exception as e:
    print(type(e).__name__, e)
a, b = -7.5, 2.0
try:
    pass
    print(a >> b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, 10
try:
    pass
    print(a >> b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 0, 5
try:
    pass
    print(a >> b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 10**20, 7
try:
    pass
    print(a >> b)
except Exception as e:
    print(type(e).__name__, e)
a, b = True, 2
try:
    pass
    print(a >> b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 2, -1
try:
    pass
    print(a >> b)
except Exception as e:
    print(type(e).__name__, e)
a, b = 5, 0
try:
    pass
    print(a >> b)
except Exception as e:
    print(type(e).__name__, e)
#---- math.sqrt(2)
import math
try:
    pass
    print(math.sqrt(2))
except Exception as e:
    print(type(e).__name__, e)
#---- math.floor(-1.5)
import math
try:
    pass
    print(math.floor(-1.5))
except Exception as e:
    print(type(e).__name__, e)
#---- math.ceil(1.2)
import math
try:
    pass
    print(math.ceil(1.2))
except Exception as e:
    print(type(e).__name__, e)
#---- math.trunc(-1.7)
import math
try:
    pass
    print(math.trunc(-1.7))
except Exception as e:
    print(type(e).__name__, e)
#---- math.factorial(10)
import math
try:
    pass
    print(math.factorial(10))
except Exception as e:
    print(type(e).__name__, e)
#---- math.gcd(12, 18)
import math
try:
    pass
    print(math.gcd(12, 18))
except Exception as e:
    print(type(e).__name__, e)
#---- math.isclose(1.0, 1.0 + 1e-10)
import math
try:
    pass
    print(math.isclose(1.0, 1.0 + 1e-10))
except Exception as e:
    print(type(e).__name__, e)
#---- math.hypot(3, 4)
import math
try:
    pass
    print(math.hypot(3, 4))
except Exception as e:
    print(type(e).__name__, e)
#---- math.log(8, 2)
import math
try:
    pass
    print(math.log(8, 2))
except Exception as e:
    print(type(e).__name__, e)
#---- math.log2(8)
import math
try:
    pass
    print(math.log2(8))
except Exception as e:
    print(type(e).__name__, e)
#---- math.log10(1000)
import math
try:
    pass
    print(math.log10(1000))
except Exception as e:
    print(type(e).__name__, e)
#---- math.exp(1)
import math
try:
    pass
    print(math.exp(1))
except Exception as e:
    print(type(e).__name__, e)
#---- math.sin(1)
import math
try:
    pass
    print(math.sin(1))
except Exception as e:
    print(type(e).__name__, e)
#---- math.cos(1)
import math
try:
    pass
    print(math.cos(1))
except Exception as e:
    print(type(e).__name__, e)
#---- math.tan(1)
import math
try:
    pass
    print(math.tan(1))
except Exception as e:
    print(type(e).__name__, e)
#---- math.atan2(1, -1)
import math
try:
    pass
    print(math.atan2(1, -1))
except Exception as e:
    print(type(e).__name__, e)
#---- math.degrees(3.14159)
import math
try:
    pass
    print(math.degrees(3.14159))
except Exception as e:
    print(type(e).__name__, e)
#---- math.radians(180)
import math
try:
    pass
    print(math.radians(180))
except Exception as e:
    print(type(e).__name__, e)
#---- math.fmod(-7, 3)
import math
try:
    pass
    print(math.fmod(-7, 3))
except Exception as e:
    print(type(e).__name__, e)
#---- math.copysign(3, -0.0)
import math
try:
    pass
    print(math.copysign(3, -0.0))
except Exception as e:
    print(type(e).__name__, e)
#---- math.frexp(10.0)
import math
try:
    pass
    print(math.frexp(10.0))
except Exception as e:
    print(type(e).__name__, e)
#---- math.ldexp(0.5, 4)
import math
try:
    pass
    print(math.ldexp(0.5, 4))
except Exception as e:
    print(type(e).__name__, e)
#---- math.modf(3.25)
import math
try:
    pass
    print(math.modf(3.25))
except Exception as e:
    print(type(e).__name__, e)
#---- math.isnan(float('nan'))
import math
try:
    pass
    print(math.isnan(float('nan')))
except Exception as e:
    print(type(e).__name__, e)
#---- math.isinf(-1e400)
import math
try:
    pass
    print(math.isinf(-1e400))
except Exception as e:
    print(type(e).__name__, e)
#---- math.isfinite(1)
import math
try:
    pass
    print(math.isfinite(1))
except Exception as e:
    print(type(e).__name__, e)
#---- math.prod([1, 2, 3, 4])
import math
try:
    pass
    print(math.prod([1, 2, 3, 4]))
except Exception as e:
    print(type(e).__name__, e)
#---- math.fsum([0.1] * 10)
import math
try:
    pass
    print(math.fsum([0.1] * 10))
except Exception as e:
    print(type(e).__name__, e)
#---- math.comb(5, 2)
import math
try:
    pass
    print(math.comb(5, 2))
except Exception as e:
    print(type(e).__name__, e)
#---- math.perm(5, 2)
import math
try:
    pass
    print(math.perm(5, 2))
except Exception as e:
    print(type(e).__name__, e)
#---- math.erf(0.5)
import math
try:
    pass
    print(math.erf(0.5))
except Exception as e:
    print(type(e).__name__, e)
#---- math.gamma(5)
import math
try:
    pass
    print(math.gamma(5))
except Exception as e:
    print(type(e).__name__, e)
#---- math.lgamma(3)
import math
try:
    pass
    print(math.lgamma(3))
except Exception as e:
    print(type(e).__name__, e)
#---- math.expm1(1e-9)
import math
try:
    pass
    print(math.expm1(1e-9))
except Exception as e:
    print(type(e).__name__, e)
#---- math.log1p(1e-9)
import math
try:
    pass
    print(math.log1p(1e-9))
except Exception as e:
    print(type(e).__name__, e)
#---- math.sqrt(-1)
import math
try:
    pass
    print(math.sqrt(-1))
except Exception as e:
    print(type(e).__name__, e)
#---- math.log(0)
import math
try:
    pass
    print(math.log(0))
except Exception as e:
    print(type(e).__name__, e)
#---- math.factorial(-1)
import math
try:
    pass
    print(math.factorial(-1))
except Exception as e:
    print(type(e).__name__, e)
#---- math.cbrt(27)
import math
try:
    pass
    print(math.cbrt(27))
except Exception as e:
    print(type(e).__name__, e)
#---- math.dist((1, 2), (4, 6))
import math
try:
    pass
    print(math.dist((1, 2), (4, 6)))
except Exception as e:
    print(type(e).__name__, e)
#---- math.pow(2, 0.5)
import math
try:
    pass
    print(math.pow(2, 0.5))
except Exception as e:
    print(type(e).__name__, e)
#---- math.lcm(4, 6)
import math
try:
    pass
    print(math.lcm(4, 6))
except Exception as e:
    print(type(e).__name__, e)
#---- math.isqrt(99)
import math
try:
    pass
    print(math.isqrt(99))
except Exception as e:
    print(type(e).__name__, e)
#---- math.asinh(1)
import math
try:
    pass
    print(math.asinh(1))
except Exception as e:
    print(type(e).__name__, e)
#---- math.acosh(2)
import math
try:
    pass
    print(math.acosh(2))
except Exception as e:
    print(type(e).__name__, e)
#---- math.atanh(0.5)
import math
try:
    pass
    print(math.atanh(0.5))
except Exception as e:
    print(type(e).__name__, e)
#---- math.remainder(7, 4)
import math
try:
    pass
    print(math.remainder(7, 4))
except Exception as e:
    print(type(e).__name__, e)
#---- math.nextafter(1, 2)
import math
try:
    pass
    print(math.nextafter(1, 2))
except Exception as e:
    print(type(e).__name__, e)
#---- math.ulp(1.0)
import math
try:
    pass
    print(math.ulp(1.0))
except Exception as e:
    print(type(e).__name__, e)
#---- math.exp2(3)
import math
try:
    pass
    print(math.exp2(3))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.chain([1], 'ab'))
import itertools
try:
    pass
    print(list(itertools.chain([1], 'ab')))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.islice(itertools.count(3, 2), 4))
import itertools
try:
    pass
    print(list(itertools.islice(itertools.count(3, 2), 4)))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.accumulate([1, 2, 3, 4]))
import itertools
try:
    pass
    print(list(itertools.accumulate([1, 2, 3, 4])))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.accumulate([3, 1, 2], max))
import itertools
try:
    pass
    print(list(itertools.accumulate([3, 1, 2], max)))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.product('ab', [1, 2]))
import itertools
try:
    pass
    print(list(itertools.product('ab', [1, 2])))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.permutations([1, 2, 3], 2))
import itertools
try:
    pass
    print(list(itertools.permutations([1, 2, 3], 2)))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.combinations('abcd', 2))
import itertools
try:
    pass
    print(list(itertools.combinations('abcd', 2)))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.combinations_with_replacement('ab', 2))
import itertools
try:
    pass
    print(list(itertools.combinations_with_replacement('ab', 2)))
except Exception as e:
    print(type(e).__name__, e)
#---- tool [(k, list(g)) for k, g in itertools.groupby('aabbc')]
import itertools
try:
    pass
    print([(k, list(g)) for k, g in itertools.groupby('aabbc')])
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.zip_longest([1, 2], [3], fillvalue=0))
import itertools
try:
    pass
    print(list(itertools.zip_longest([1, 2], [3], fillvalue=0)))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.takewhile(lambda x: x < 3, [1, 2, 3, 1]))
import itertools
try:
    pass
    print(list(itertools.takewhile(lambda x: x < 3, [1, 2, 3, 1])))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.dropwhile(lambda x: x < 3, [1, 2, 3, 1]))
import itertools
try:
    pass
    print(list(itertools.dropwhile(lambda x: x < 3, [1, 2, 3, 1])))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.starmap(pow, [(2, 3), (3, 2)]))
import itertools
try:
    pass
    print(list(itertools.starmap(pow, [(2, 3), (3, 2)])))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.repeat('x', 3))
import itertools
try:
    pass
    print(list(itertools.repeat('x', 3)))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.compress('abcd', [1, 0, 1, 0]))
import itertools
try:
    pass
    print(list(itertools.compress('abcd', [1, 0, 1, 0])))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.filterfalse(None, [0, 1, 2]))
import itertools
try:
    pass
    print(list(itertools.filterfalse(None, [0, 1, 2])))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(itertools.pairwise('abcd'))
import itertools
try:
    pass
    print(list(itertools.pairwise('abcd')))
except Exception as e:
    print(type(e).__name__, e)
#---- tool [list(x) for x in itertools.tee([1, 2])]
import itertools
try:
    pass
    print([list(x) for x in itertools.tee([1, 2])])
except Exception as e:
    print(type(e).__name__, e)
#---- tool functools.reduce(lambda a, b: a * 10 + b, [1, 2, 3])
import functools
try:
    pass
    print(functools.reduce(lambda a, b: a * 10 + b, [1, 2, 3]))
except Exception as e:
    print(type(e).__name__, e)
#---- tool functools.reduce(max, [3, 5, 1], 4)
import functools
try:
    pass
    print(functools.reduce(max, [3, 5, 1], 4))
except Exception as e:
    print(type(e).__name__, e)
#---- tool functools.partial(pow, 2)(5)
import functools
try:
    pass
    print(functools.partial(pow, 2)(5))
except Exception as e:
    print(type(e).__name__, e)
#---- tool functools.partial(print, 'a', sep='-')('b')
import functools
try:
    pass
    print(functools.partial(print, 'a', sep='-')('b'))
except Exception as e:
    print(type(e).__name__, e)
#---- tool sorted(['b', 'A', 'c'], key=str.lower)
try:
    pass
    print(sorted(['b', 'A', 'c'], key=str.lower))
except Exception as e:
    print(type(e).__name__, e)
#---- tool collections.Counter('hello').most_common(2)
import collections
try:
    pass
    print(collections.Counter('hello').most_common(2))
except Exception as e:
    print(type(e).__name__, e)
#---- tool collections.OrderedDict([('a', 1)])
import collections
try:
    pass
    print(collections.OrderedDict([('a', 1)]))
except Exception as e:
    print(type(e).__name__, e)
#---- tool collections.deque([1, 2, 3], maxlen=2)
import collections
try:
    pass
    print(collections.deque([1, 2, 3], maxlen=2))
except Exception as e:
    print(type(e).__name__, e)
#---- tool collections.defaultdict(list, a=[1])
import collections
try:
    pass
    print(collections.defaultdict(list, a=[1]))
except Exception as e:
    print(type(e).__name__, e)
#---- tool collections.namedtuple('P', 'x y')(1, y=2)
import collections
try:
    pass
    print(collections.namedtuple('P', 'x y')(1, y=2))
except Exception as e:
    print(type(e).__name__, e)
#---- tool collections.Counter(a=3, b=1) - collections.Counter(a=1)
import collections
try:
    pass
    print(collections.Counter(a=3, b=1) - collections.Counter(a=1))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(collections.ChainMap({'a': 1}, {'b': 2}).items())
import collections
try:
    pass
    print(list(collections.ChainMap({'a': 1}, {'b': 2}).items()))
except Exception as e:
    print(type(e).__name__, e)
#---- tool operator.itemgetter(1, 0)('ab')
import operator
try:
    pass
    print(operator.itemgetter(1, 0)('ab'))
except Exception as e:
    print(type(e).__name__, e)
#---- tool operator.attrgetter('real')(3)
import operator
try:
    pass
    print(operator.attrgetter('real')(3))
except Exception as e:
    print(type(e).__name__, e)
#---- tool operator.methodcaller('upper')('a')
import operator
try:
    pass
    print(operator.methodcaller('upper')('a'))
except Exception as e:
    print(type(e).__name__, e)
#---- tool operator.add(1, 2), operator.mul(3, 4)
import operator
try:
    pass
    print(operator.add(1, 2), operator.mul(3, 4))
except Exception as e:
    print(type(e).__name__, e)
#---- tool string.ascii_lowercase[:5] + string.digits
import string
try:
    pass
    print(string.ascii_lowercase[:5] + string.digits)
except Exception as e:
    print(type(e).__name__, e)
#---- tool copy.deepcopy([[1], [2]])
import copy
try:
    pass
    print(copy.deepcopy([[1], [2]]))
except Exception as e:
    print(type(e).__name__, e)
#---- tool list(map(operator.neg, [1, -2]))
import operator
try:
    pass
    print(list(map(operator.neg, [1, -2])))
except Exception as e:
    print(type(e).__name__, e)
#---- tool sorted({'b': 1, 'a': 2}.items(), key=lambda kv: kv[1])
try:
    pass
    print(sorted({'b': 1, 'a': 2}.items(), key=lambda kv: kv[1]))
except Exception as e:
    print(type(e).__name__, e)
#---- tool bisect.bisect([1, 3, 5], 3)
import bisect
try:
    pass
    print(bisect.bisect([1, 3, 5], 3))
except Exception as e:
    print(type(e).__name__, e)
#---- tool heapq.nsmallest(2, [5, 1, 4])
import heapq
try:
    pass
    print(heapq.nsmallest(2, [5, 1, 4]))
except Exception as e:
    print(type(e).__name__, e)
#---- tool statistics.mean([1, 2, 4])
import statistics
try:
    pass
    print(statistics.mean([1, 2, 4]))
except Exception as e:
    print(type(e).__name__, e)
#---- tool statistics.median([3, 1, 2])
import statistics
try:
    pass
    print(statistics.median([3, 1, 2]))
except Exception as e:
    print(type(e).__name__, e)
#---- tool textwrap.shorten('hello big world', 10)
import textwrap
try:
    pass
    print(textwrap.shorten('hello big world', 10))
except Exception as e:
    print(type(e).__name__, e)
#---- tool json.dumps({'a': [1, None, True]})
import json
try:
    pass
    print(json.dumps({'a': [1, None, True]}))
except Exception as e:
    print(type(e).__name__, e)
#---- tool json.loads('{"x": [1.5, "y"]}')
import json
try:
    pass
    print(json.loads('{"x": [1.5, "y"]}'))
except Exception as e:
    print(type(e).__name__, e)
#---- tool re.sub(r'(\d)', r'<\1>', 'a1b2')
import re
try:
    pass
    print(re.sub(r'(\d)', r'<\1>', 'a1b2'))
except Exception as e:
    print(type(e).__name__, e)
#---- tool re.findall(r'\w+', 'two words')
import re
try:
    pass
    print(re.findall(r'\w+', 'two words'))
except Exception as e:
    print(type(e).__name__, e)
#---- tool types.SimpleNamespace(a=1)
import types
try:
    pass
    print(types.SimpleNamespace(a=1))
except Exception as e:
    print(type(e).__name__, e)
#---- tool random.Random(5).randint(1, 100)
import random
try:
    pass
    print(random.Random(5).randint(1, 100))
except Exception as e:
    print(type(e).__name__, e)
#---- tool random.Random(1).sample(range(10), 3)
import random
try:
    pass
    print(random.Random(1).sample(range(10), 3))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin abs(-3), abs(2.5), abs(True)
try:
    pass
    print(abs(-3), abs(2.5), abs(True))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin divmod(-7, 2), divmod(7.5, 2)
try:
    pass
    print(divmod(-7, 2), divmod(7.5, 2))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin round(2.5), round(3.5), round(-2.675, 2), round(1234, -2)
try:
    pass
    print(round(2.5), round(3.5), round(-2.675, 2), round(1234, -2))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin pow(3, 4, 5), pow(2, -1)
try:
    pass
    print(pow(3, 4, 5), pow(2, -1))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin int('ff', 16), int('0b11', 0), int(' 12 '), int(3.9)
try:
    pass
    print(int('ff', 16), int('0b11', 0), int(' 12 '), int(3.9))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin int('x')
try:
    pass
    print(int('x'))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin int('1_000')
try:
    pass
    print(int('1_000'))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin float('1e3'), float(' -2.5 '), float('nan')
try:
    pass
    print(float('1e3'), float(' -2.5 '), float('nan'))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin float('x')
try:
    pass
    print(float('x'))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin bool([]), bool(0.0), bool('0')
try:
    pass
    print(bool([]), bool(0.0), bool('0'))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin str(None), str(1.0), str(1e16), str(1e-5)
try:
    pass
    print(str(None), str(1.0), str(1e16), str(1e-5))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin repr('it\'s'), repr("q\""), repr('\n\t\\'), ascii('ä')
try:
    pass
    print(repr('it\'s'), repr("q\""), repr('\n\t\\'), ascii('ä'))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin chr(97), ord('a'), chr(8364)
try:
    pass
    print(chr(97), ord('a'), chr(8364))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin hex(255), oct(8), bin(-5)
try:
    pass
    print(hex(255), oct(8), bin(-5))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin list(range(5)), list(range(5, 0, -2)), range(3) == range(0, 3)
try:
    pass
    print(list(range(5)), list(range(5, 0, -2)), range(3) == range(0, 3))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin range(10)[2:5], len(range(0, 10, 3)), 4 in range(0, 10, 2)
try:
    pass
    print(range(10)[2:5], len(range(0, 10, 3)), 4 in range(0, 10, 2))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin sum([1, 2], 10), sum([[1], [2]], [])
try:
    pass
    print(sum([1, 2], 10), sum([[1], [2]], []))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin max(1, 2, 3), max('abc'), max([1, 5], key=lambda x: -x)
try:
    pass
    print(max(1, 2, 3), max('abc'), max([1, 5], key=lambda x: -x))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin min([]) 
try:
    pass
    print(min([]) )
except Exception as e:
    print(type(e).__name__, e)
#---- builtin sorted([3, 1, 2], reverse=True), sorted('bca')
try:
    pass
    print(sorted([3, 1, 2], reverse=True), sorted('bca'))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin sorted([1, 'a'])
try:
    pass
    print(sorted([1, 'a']))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin any([]), all([])
try:
    pass
    print(any([]), all([]))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin list(zip('ab', [1, 2, 3]))
try:
    pass
    print(list(zip('ab', [1, 2, 3])))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin list(zip([1], [2, 3], strict=True))
try:
    pass
    print(list(zip([1], [2, 3], strict=True)))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin dict(zip('ab', [1, 2]))
try:
    pass
    print(dict(zip('ab', [1, 2])))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin list(map(lambda x, y: x + y, [1, 2], [3, 4]))
try:
    pass
    print(list(map(lambda x, y: x + y, [1, 2], [3, 4])))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin isinstance(True, int), isinstance(1, (str, int)), issubclass(bool, int)
try:
    pass
    print(isinstance(True, int), isinstance(1, (str, int)), issubclass(bool, int))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin type(1).__name__, type('').__name__, type(None).__name__
try:
    pass
    print(type(1).__name__, type('').__name__, type(None).__name__)
except Exception as e:
    print(type(e).__name__, e)
#---- builtin callable(len), callable(3)
try:
    pass
    print(callable(len), callable(3))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin hash('a') == hash('a'), hash(1) == hash(1.0), hash((1, 2)) == hash((1, 2))
try:
    pass
    print(hash('a') == hash('a'), hash(1) == hash(1.0), hash((1, 2)) == hash((1, 2)))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin hash([])
try:
    pass
    print(hash([]))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin id(None) == id(None)
try:
    pass
    print(id(None) == id(None))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin getattr(3, 'real'), getattr(3, 'nope', 'd'), hasattr('', 'upper')
try:
    pass
    print(getattr(3, 'real'), getattr(3, 'nope', 'd'), hasattr('', 'upper'))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin getattr(3, 'nope')
try:
    pass
    print(getattr(3, 'nope'))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin slice(1, 5, 2).indices(4)
try:
    pass
    print(slice(1, 5, 2).indices(4))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin bytes([65, 66]), bytes('ä', 'utf8'), bytearray(b'ab')
try:
    pass
    print(bytes([65, 66]), bytes('ä', 'utf8'), bytearray(b'ab'))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin b'abc'[1], b'abc'[1:], b'abc'.decode(), b'a' + b'b'
try:
    pass
    print(b'abc'[1], b'abc'[1:], b'abc'.decode(), b'a' + b'b')
except Exception as e:
    print(type(e).__name__, e)
#---- builtin 'abc'[::-1], 'abc'[-1], 'abc'[5:]
try:
    pass
    print('abc'[::-1], 'abc'[-1], 'abc'[5:])
except Exception as e:
    print(type(e).__name__, e)
#---- builtin 'abc'[5]
try:
    pass
    print('abc'[5])
except Exception as e:
    print(type(e).__name__, e)
#---- builtin (1, 2) + (3,), (1,) * 3, (1, 2) < (1, 3)
try:
    pass
    print((1, 2) + (3,), (1,) * 3, (1, 2) < (1, 3))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin 1 < 2 < 3, 1 < 3 > 2, 1 == 1.0 == True
try:
    pass
    print(1 < 2 < 3, 1 < 3 > 2, 1 == 1.0 == True)
except Exception as e:
    print(type(e).__name__, e)
#---- builtin [] is [], () == [], None == 0
try:
    pass
    print([] is [], () == [], None == 0)
except Exception as e:
    print(type(e).__name__, e)
#---- builtin 'a' 'b', 'x' * 3, 'a' + str(1)
try:
    pass
    print('a' 'b', 'x' * 3, 'a' + str(1))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin 'a' + 1
try:
    pass
    print('a' + 1)
except Exception as e:
    print(type(e).__name__, e)
#---- builtin 1 + 'a'
try:
    pass
    print(1 + 'a')
except Exception as e:
    print(type(e).__name__, e)
#---- builtin not 0, not [1], -True, ~5
try:
    pass
    print(not 0, not [1], -True, ~5)
except Exception as e:
    print(type(e).__name__, e)
#---- builtin complex(1, 2) * 2j, abs(3+4j), (1+2j).conjugate()
try:
    pass
    print(complex(1, 2) * 2j, abs(3+4j), (1+2j).conjugate())
except Exception as e:
    print(type(e).__name__, e)
#---- builtin 0.1 + 0.2, 1e308 * 10, 5 // 0.3
try:
    pass
    print(0.1 + 0.2, 1e308 * 10, 5 // 0.3)
except Exception as e:
    print(type(e).__name__, e)
#---- builtin 1 / 0
try:
    pass
    print(1 / 0)
except Exception as e:
    print(type(e).__name__, e)
#---- builtin 5 % 0
try:
    pass
    print(5 % 0)
except Exception as e:
    print(type(e).__name__, e)
#---- builtin 2 ** 0.5, 2 ** -1, (-8) ** 2
try:
    pass
    print(2 ** 0.5, 2 ** -1, (-8) ** 2)
except Exception as e:
    print(type(e).__name__, e)
#---- builtin print(1, 2, sep='-', end='!\n')
try:
    pass
    print(print(1, 2, sep='-', end='!\n'))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin print(*[1, 2], 'x')
try:
    pass
    print(print(*[1, 2], 'x'))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin f'{3:>5}|{"a":<4}|{1.5:.2f}|{2!r:>4}'
try:
    pass
    print(f'{3:>5}|{"a":<4}|{1.5:.2f}|{2!r:>4}')
except Exception as e:
    print(type(e).__name__, e)
#---- builtin f'{1+1=}, {"x"!r}, {[1,2]}'
try:
    pass
    print(f'{1+1=}, {"x"!r}, {[1,2]}')
except Exception as e:
    print(type(e).__name__, e)
#---- builtin '%5.2f|%-5s|%05d|%x|%%' % (3.14159, 'ab', 42, 255)
try:
    pass
    print('%5.2f|%-5s|%05d|%x|%%' % (3.14159, 'ab', 42, 255))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin '{} {1}'.format(1, 2)
try:
    pass
    print('{} {1}'.format(1, 2))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin '{0} {1} {0}'.format('a', 'b'), '{x:>{w}}'.format(x=1, w=4)
try:
    pass
    print('{0} {1} {0}'.format('a', 'b'), '{x:>{w}}'.format(x=1, w=4))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin '{a[0]} {b.real}'.format(a=[1], b=2)
try:
    pass
    print('{a[0]} {b.real}'.format(a=[1], b=2))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin list('abc'), tuple('ab'), set('aa')
try:
    pass
    print(list('abc'), tuple('ab'), set('aa'))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin dict(a=1, b=2), dict([('x', 1)])
try:
    pass
    print(dict(a=1, b=2), dict([('x', 1)]))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin enumerate('ab').__next__()
try:
    pass
    print(enumerate('ab').__next__())
except Exception as e:
    print(type(e).__name__, e)
#---- builtin iter([1]).__next__(), next(iter([]), 'end')
try:
    pass
    print(iter([1]).__next__(), next(iter([]), 'end'))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin next(iter([]))
try:
    pass
    print(next(iter([])))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin vars(type('T', (), {'x': 1})())
try:
    pass
    print(vars(type('T', (), {'x': 1})()))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin len('äö'), len({}), len(range(7))
try:
    pass
    print(len('äö'), len({}), len(range(7)))
except Exception as e:
    print(type(e).__name__, e)
#---- builtin len(5)
try:
    pass
    print(len(5))
except Exception as e:
    print(type(e).__name__, e)
#---- class with __add__
class C:
    def __add__(self, *a):
        return (type(self).__name__, a)
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __radd__
class C:
    def __radd__(self, *a):
        return (type(self).__name__, a)
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __eq__
class C:
    def __eq__(self, *a):
        return (type(self).__name__, a)
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __lt__
class C:
    def __lt__(self, *a):
        return (type(self).__name__, a)
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __len__
class C:
    def __len__(self, *a):
        return 1
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __getitem__
class C:
    def __getitem__(self, *a):
        return (type(self).__name__, a)
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __contains__
class C:
    def __contains__(self, *a):
        return (type(self).__name__, a)
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __call__
class C:
    def __call__(self, *a):
        return (type(self).__name__, a)
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __bool__
class C:
    def __bool__(self, *a):
        return 1
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __neg__
class C:
    def __neg__(self, *a):
        return (type(self).__name__, a)
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __iter__
class C:
    def __iter__(self, *a):
        return iter('it')
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __hash__
class C:
    def __hash__(self, *a):
        return 1
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(hash(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __str__
class C:
    def __str__(self, *a):
        return 'text'
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(str(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __enter__
class C:
    def __enter__(self, *a):
        return (type(self).__name__, a)
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __getattr__
class C:
    def __getattr__(self, *a):
        return (type(self).__name__, a)
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __matmul__
class C:
    def __matmul__(self, *a):
        return (type(self).__name__, a)
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __floordiv__
class C:
    def __floordiv__(self, *a):
        return (type(self).__name__, a)
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __iadd__
class C:
    def __iadd__(self, *a):
        return (type(self).__name__, a)
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __index__
class C:
    def __index__(self, *a):
        return 1
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- class with __format__
class C:
    def __format__(self, *a):
        return 'text'
o = C()
try:
    pass
    print(o + 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1 + o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o == 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o < 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(len(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o[3])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(4 in o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o(5))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(bool(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(-o)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(list(o))
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o.missing)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o @ 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o // 2)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print([1, 2, 3][o])
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(f'{o:spec}')
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o > 1)
except Exception as e:
    print(type(e).__name__, e)
o = C()
try:
    pass
    print(o != 1)
except Exception as e:
    print(type(e).__name__, e)
#---- expression [x * y for x in range(3) for y in range(2)]
try:
    pass
    print([x * y for x in range(3) for y in range(2)])
except Exception as e:
    print(type(e).__name__, e)
#---- expression [x for x in range(10) if x % 2 if x > 3]
try:
    pass
    print([x for x in range(10) if x % 2 if x > 3])
except Exception as e:
    print(type(e).__name__, e)
#---- expression {x: x ** 2 for x in range(3)}
try:
    pass
    print({x: x ** 2 for x in range(3)})
except Exception as e:
    print(type(e).__name__, e)
#---- expression {x % 2 for x in range(5)}
try:
    pass
    print({x % 2 for x in range(5)})
except Exception as e:
    print(type(e).__name__, e)
#---- expression list(x for x in 'abc')
try:
    pass
    print(list(x for x in 'abc'))
except Exception as e:
    print(type(e).__name__, e)
#---- expression [[y for y in range(x)] for x in range(3)]
try:
    pass
    print([[y for y in range(x)] for x in range(3)])
except Exception as e:
    print(type(e).__name__, e)
#---- expression [(i, c) for i, c in enumerate('ab')]
try:
    pass
    print([(i, c) for i, c in enumerate('ab')])
except Exception as e:
    print(type(e).__name__, e)
#---- expression sum(x for x in range(4))
try:
    pass
    print(sum(x for x in range(4)))
except Exception as e:
    print(type(e).__name__, e)
#---- expression [a if a else b for a, b in [(0, 1), (2, 3)]]
try:
    pass
    print([a if a else b for a, b in [(0, 1), (2, 3)]])
except Exception as e:
    print(type(e).__name__, e)
#---- expression [y := 5, y ** 2]
try:
    pass
    print([y := 5, y ** 2])
except Exception as e:
    print(type(e).__name__, e)
#---- expression [lambda: i for i in range(2)][0]()
try:
    pass
    print([lambda: i for i in range(2)][0]())
except Exception as e:
    print(type(e).__name__, e)
#---- expression dict(a=[z for z in 'x'])
try:
    pass
    print(dict(a=[z for z in 'x']))
except Exception as e:
    print(type(e).__name__, e)
#---- expression max((len(w), w) for w in 'a bbb cc'.split())
try:
    pass
    print(max((len(w), w) for w in 'a bbb cc'.split()))
except Exception as e:
    print(type(e).__name__, e)
#---- expression [*range(3), *'ab']
try:
    pass
    print([*range(3), *'ab'])
except Exception as e:
    print(type(e).__name__, e)
#---- expression {**{'a': 1}, 'b': 2}
try:
    pass
    print({**{'a': 1}, 'b': 2})
except Exception as e:
    print(type(e).__name__, e)
#---- expression (lambda *a, k=1, **kw: (a, k, kw))(1, 2, k=3, z=4)
try:
    pass
    print((lambda *a, k=1, **kw: (a, k, kw))(1, 2, k=3, z=4))
except Exception as e:
    print(type(e).__name__, e)
#---- expression (lambda x, /, y: x - y)(5, y=2)
try:
    pass
    print((lambda x, /, y: x - y)(5, y=2))
except Exception as e:
    print(type(e).__name__, e)
#---- expression (lambda x=[]: x + [1])()
try:
    pass
    print((lambda x=[]: x + [1])())
except Exception as e:
    print(type(e).__name__, e)
#---- expression 1 if [] else 2
try:
    pass
    print(1 if [] else 2)
except Exception as e:
    print(type(e).__name__, e)
#---- expression [1, 2][True], (1, 2)[-1]
try:
    pass
    print([1, 2][True], (1, 2)[-1])
except Exception as e:
    print(type(e).__name__, e)
#---- [1, 2] +
try:
    pass
    print([1, 2] + [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] + (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] + 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] + {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] + {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] + None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] + 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] + 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] + b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] + True)
except Exception as e:
    print(type(e).__name__, e)
#---- [1, 2] *
try:
    pass
    print([1, 2] * [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] * (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] * 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] * {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] * {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] * None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] * 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] * 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] * b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] * True)
except Exception as e:
    print(type(e).__name__, e)
#---- [1, 2] ==
try:
    pass
    print([1, 2] == [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] == (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] == 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] == {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] == {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] == None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] == 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] == 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] == b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] == True)
except Exception as e:
    print(type(e).__name__, e)
#---- [1, 2] <
try:
    pass
    print([1, 2] < [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] < (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] < 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] < {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] < {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] < None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] < 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] < 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] < b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] < True)
except Exception as e:
    print(type(e).__name__, e)
#---- [1, 2] in
try:
    pass
    print([1, 2] in [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] in (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] in 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] in {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] in {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] in None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] in 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] in 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] in b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] in True)
except Exception as e:
    print(type(e).__name__, e)
#---- [1, 2] %
try:
    pass
    print([1, 2] % [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] % (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] % 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] % {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] % {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] % None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] % 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] % 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] % b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print([1, 2] % True)
except Exception as e:
    print(type(e).__name__, e)
#---- (1, 2) +
try:
    pass
    print((1, 2) + [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) + (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) + 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) + {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) + {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) + None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) + 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) + 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) + b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) + True)
except Exception as e:
    print(type(e).__name__, e)
#---- (1, 2) *
try:
    pass
    print((1, 2) * [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) * (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) * 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) * {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) * {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) * None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) * 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) * 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) * b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) * True)
except Exception as e:
    print(type(e).__name__, e)
#---- (1, 2) ==
try:
    pass
    print((1, 2) == [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) == (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) == 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) == {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) == {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) == None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) == 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) == 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) == b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) == True)
except Exception as e:
    print(type(e).__name__, e)
#---- (1, 2) <
try:
    pass
    print((1, 2) < [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) < (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) < 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) < {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) < {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) < None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) < 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) < 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) < b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) < True)
except Exception as e:
    print(type(e).__name__, e)
#---- (1, 2) in
try:
    pass
    print((1, 2) in [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) in (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) in 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) in {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) in {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) in None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) in 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) in 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) in b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) in True)
except Exception as e:
    print(type(e).__name__, e)
#---- (1, 2) %
try:
    pass
    print((1, 2) % [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) % (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) % 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) % {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) % {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) % None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) % 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) % 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) % b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print((1, 2) % True)
except Exception as e:
    print(type(e).__name__, e)
#---- 'ab' +
try:
    pass
    print('ab' + [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' + (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' + 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' + {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' + {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' + None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' + 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' + 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' + b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' + True)
except Exception as e:
    print(type(e).__name__, e)
#---- 'ab' *
try:
    pass
    print('ab' * [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' * (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' * 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' * {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' * {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' * None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' * 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' * 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' * b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' * True)
except Exception as e:
    print(type(e).__name__, e)
#---- 'ab' ==
try:
    pass
    print('ab' == [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' == (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' == 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' == {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' == {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' == None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' == 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' == 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' == b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' == True)
except Exception as e:
    print(type(e).__name__, e)
#---- 'ab' <
try:
    pass
    print('ab' < [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' < (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' < 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' < {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' < {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' < None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' < 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' < 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' < b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' < True)
except Exception as e:
    print(type(e).__name__, e)
#---- 'ab' in
try:
    pass
    print('ab' in [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' in (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' in 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' in {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' in {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' in None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' in 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' in 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' in b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' in True)
except Exception as e:
    print(type(e).__name__, e)
#---- 'ab' %
try:
    pass
    print('ab' % [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' % (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' % 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' % {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' % {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' % None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' % 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' % 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' % b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print('ab' % True)
except Exception as e:
    print(type(e).__name__, e)
#---- {1: 2} +
try:
    pass
    print({1: 2} + [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} + (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} + 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} + {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} + {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} + None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} + 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} + 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} + b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} + True)
except Exception as e:
    print(type(e).__name__, e)
#---- {1: 2} *
try:
    pass
    print({1: 2} * [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} * (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} * 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} * {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} * {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} * None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} * 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} * 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} * b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} * True)
except Exception as e:
    print(type(e).__name__, e)
#---- {1: 2} ==
try:
    pass
    print({1: 2} == [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} == (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} == 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} == {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} == {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} == None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} == 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} == 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} == b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} == True)
except Exception as e:
    print(type(e).__name__, e)
#---- {1: 2} <
try:
    pass
    print({1: 2} < [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} < (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} < 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} < {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} < {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} < None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} < 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} < 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} < b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} < True)
except Exception as e:
    print(type(e).__name__, e)
#---- {1: 2} in
try:
    pass
    print({1: 2} in [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} in (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} in 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} in {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} in {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} in None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} in 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} in 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} in b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} in True)
except Exception as e:
    print(type(e).__name__, e)
#---- {1: 2} %
try:
    pass
    print({1: 2} % [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} % (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} % 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} % {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} % {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} % None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} % 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} % 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} % b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1: 2} % True)
except Exception as e:
    print(type(e).__name__, e)
#---- {1, 2} +
try:
    pass
    print({1, 2} + [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} + (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} + 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} + {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} + {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} + None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} + 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} + 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} + b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} + True)
except Exception as e:
    print(type(e).__name__, e)
#---- {1, 2} *
try:
    pass
    print({1, 2} * [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} * (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} * 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} * {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} * {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} * None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} * 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} * 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} * b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} * True)
except Exception as e:
    print(type(e).__name__, e)
#---- {1, 2} ==
try:
    pass
    print({1, 2} == [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} == (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} == 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} == {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} == {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} == None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} == 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} == 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} == b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} == True)
except Exception as e:
    print(type(e).__name__, e)
#---- {1, 2} <
try:
    pass
    print({1, 2} < [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} < (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} < 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} < {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} < {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} < None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} < 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} < 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} < b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} < True)
except Exception as e:
    print(type(e).__name__, e)
#---- {1, 2} in
try:
    pass
    print({1, 2} in [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} in (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} in 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} in {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} in {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} in None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} in 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} in 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} in b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} in True)
except Exception as e:
    print(type(e).__name__, e)
#---- {1, 2} %
try:
    pass
    print({1, 2} % [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} % (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} % 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} % {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} % {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} % None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} % 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} % 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} % b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print({1, 2} % True)
except Exception as e:
    print(type(e).__name__, e)
#---- None +
try:
    pass
    print(None + [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None + (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None + 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None + {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None + {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None + None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None + 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None + 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None + b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None + True)
except Exception as e:
    print(type(e).__name__, e)
#---- None *
try:
    pass
    print(None * [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None * (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None * 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None * {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None * {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None * None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None * 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None * 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None * b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None * True)
except Exception as e:
    print(type(e).__name__, e)
#---- None ==
try:
    pass
    print(None == [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None == (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None == 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None == {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None == {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None == None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None == 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None == 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None == b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None == True)
except Exception as e:
    print(type(e).__name__, e)
#---- None <
try:
    pass
    print(None < [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None < (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None < 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None < {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None < {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None < None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None < 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None < 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None < b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None < True)
except Exception as e:
    print(type(e).__name__, e)
#---- None in
try:
    pass
    print(None in [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None in (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None in 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None in {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None in {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None in None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None in 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None in 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None in b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None in True)
except Exception as e:
    print(type(e).__name__, e)
#---- None %
try:
    pass
    print(None % [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None % (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None % 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None % {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None % {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None % None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None % 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None % 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None % b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(None % True)
except Exception as e:
    print(type(e).__name__, e)
#---- 3 +
try:
    pass
    print(3 + [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 + (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 + 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 + {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 + {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 + None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 + 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 + 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 + b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 + True)
except Exception as e:
    print(type(e).__name__, e)
#---- 3 *
try:
    pass
    print(3 * [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 * (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 * 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 * {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 * {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 * None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 * 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 * 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 * b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 * True)
except Exception as e:
    print(type(e).__name__, e)
#---- 3 ==
try:
    pass
    print(3 == [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 == (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 == 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 == {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 == {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 == None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 == 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 == 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 == b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 == True)
except Exception as e:
    print(type(e).__name__, e)
#---- 3 <
try:
    pass
    print(3 < [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 < (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 < 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 < {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 < {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 < None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 < 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 < 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 < b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 < True)
except Exception as e:
    print(type(e).__name__, e)
#---- 3 in
try:
    pass
    print(3 in [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 in (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 in 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 in {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 in {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 in None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 in 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 in 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 in b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 in True)
except Exception as e:
    print(type(e).__name__, e)
#---- 3 %
try:
    pass
    print(3 % [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 % (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 % 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 % {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 % {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 % None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 % 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 % 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 % b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(3 % True)
except Exception as e:
    print(type(e).__name__, e)
#---- 2.5 +
try:
    pass
    print(2.5 + [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 + (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 + 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 + {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 + {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 + None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 + 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 + 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 + b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 + True)
except Exception as e:
    print(type(e).__name__, e)
#---- 2.5 *
try:
    pass
    print(2.5 * [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 * (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 * 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 * {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 * {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 * None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 * 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 * 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 * b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 * True)
except Exception as e:
    print(type(e).__name__, e)
#---- 2.5 ==
try:
    pass
    print(2.5 == [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 == (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 == 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 == {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 == {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 == None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 == 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 == 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 == b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 == True)
except Exception as e:
    print(type(e).__name__, e)
#---- 2.5 <
try:
    pass
    print(2.5 < [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 < (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 < 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 < {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 < {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 < None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 < 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 < 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 < b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 < True)
except Exception as e:
    print(type(e).__name__, e)
#---- 2.5 in
try:
    pass
    print(2.5 in [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 in (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 in 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 in {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 in {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 in None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 in 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 in 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 in b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 in True)
except Exception as e:
    print(type(e).__name__, e)
#---- 2.5 %
try:
    pass
    print(2.5 % [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 % (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 % 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 % {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 % {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 % None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 % 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 % 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 % b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(2.5 % True)
except Exception as e:
    print(type(e).__name__, e)
#---- b'ab' +
try:
    pass
    print(b'ab' + [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' + (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' + 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' + {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' + {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' + None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' + 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' + 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' + b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' + True)
except Exception as e:
    print(type(e).__name__, e)
#---- b'ab' *
try:
    pass
    print(b'ab' * [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' * (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' * 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' * {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' * {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' * None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' * 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' * 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' * b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' * True)
except Exception as e:
    print(type(e).__name__, e)
#---- b'ab' ==
try:
    pass
    print(b'ab' == [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' == (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' == 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' == {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' == {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' == None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' == 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' == 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' == b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' == True)
except Exception as e:
    print(type(e).__name__, e)
#---- b'ab' <
try:
    pass
    print(b'ab' < [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' < (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' < 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' < {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' < {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' < None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' < 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' < 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' < b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' < True)
except Exception as e:
    print(type(e).__name__, e)
#---- b'ab' in
try:
    pass
    print(b'ab' in [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' in (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' in 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' in {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' in {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' in None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' in 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' in 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' in b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' in True)
except Exception as e:
    print(type(e).__name__, e)
#---- b'ab' %
try:
    pass
    print(b'ab' % [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' % (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' % 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' % {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' % {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' % None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' % 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' % 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' % b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(b'ab' % True)
except Exception as e:
    print(type(e).__name__, e)
#---- range(2) +
try:
    pass
    print(range(2) + [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) + (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) + 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) + {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) + {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) + None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) + 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) + 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) + b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) + True)
except Exception as e:
    print(type(e).__name__, e)
#---- range(2) *
try:
    pass
    print(range(2) * [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) * (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) * 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) * {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) * {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) * None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) * 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) * 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) * b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) * True)
except Exception as e:
    print(type(e).__name__, e)
#---- range(2) ==
try:
    pass
    print(range(2) == [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) == (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) == 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) == {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) == {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) == None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) == 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) == 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) == b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) == True)
except Exception as e:
    print(type(e).__name__, e)
#---- range(2) <
try:
    pass
    print(range(2) < [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) < (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) < 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) < {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) < {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) < None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) < 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) < 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) < b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) < True)
except Exception as e:
    print(type(e).__name__, e)
#---- range(2) in
try:
    pass
    print(range(2) in [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) in (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) in 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) in {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) in {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) in None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) in 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) in 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) in b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) in True)
except Exception as e:
    print(type(e).__name__, e)
#---- range(2) %
try:
    pass
    print(range(2) % [1])
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) % (1,))
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) % 'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) % {3: 4})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) % {2})
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) % None)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) % 2)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) % 1.5)
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) % b'a')
except Exception as e:
    print(type(e).__name__, e)
try:
    pass
    print(range(2) % True)
except Exception as e:
    print(type(e).__name__, e)
