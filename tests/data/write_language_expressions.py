#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes language/expressions.py: snippets that each call a method or function of Python on several values, made from the tables
below. Run it, then language/record.py."""
import os

TEXTS = ["''", "'a'", "'Hello World'", "'  padded\\t'", "'a,b,,c'", "'1234'", "'ÄÖß straße'", "'line\\nnext\\r\\nlast'", "'tEST 42x'"]
TEXT_CALLS = """upper() lower() title() capitalize() swapcase() casefold() strip() lstrip() rstrip() split() split(',') rsplit(None,1)
 splitlines() splitlines(True) isalpha() isdigit() isalnum() isspace() isupper() islower() istitle() isidentifier()
 isdecimal() isnumeric() isascii() isprintable() center(12,'*') ljust(9,'.') rjust(9) zfill(8) partition('l')
 rpartition('l') replace('l','L') replace('','-') replace('a','b',1) find('l') rfind('l') count('l') count('')
 startswith('H') endswith(('d','c')) removeprefix('He') removesuffix('x') expandtabs(4) encode() join(['x','y','z'])
 translate({97:'A',98:None}) split(maxsplit=1) strip('aH') __len__() __contains__('a')""".split()
NUMBERS = ["0", "7", "-13", "255", "10**20", "True"]
INT_CALLS = ["bit_length()", "to_bytes(12,'big',signed=True)", "conjugate()", "__index__()", "bit_count()", "as_integer_ratio()"]
FLOATS = ["0.0", "-0.0", "1.5", "-2.75", "1e20", "3.14159", "1e-7", "float('inf')", "float('nan')", "123456789.125", "2.5", "0.1"]
FLOAT_CALLS = ["is_integer()", "hex()", "__abs__()", "__neg__()", "conjugate()"]
SPECS = ["", "d", "5", "<8", ">8", "^9", "*^9", "+", "-", " ", "05", ",", "_", "x", "X", "#x", "b", "#o", "e", ".2f", "10.3f",
         "+.1e", "%", ".1%", "g", ".3g", "n", "08.3f", "=+10", "c", ".0f", "#.0f", "s"]
LISTS = ["[]", "[3, 1, 2]", "[1, 2, 3, 4, 5, 6]", "['b', 'a']", "[[1], [2, 3]]"]
LIST_STATEMENTS = ["a.append(9)", "a.extend('xy')", "a.insert(1, 7)", "a.pop()", "a.pop(0)", "a.remove(1)", "a.reverse()", "a.sort()",
                   "a.sort(reverse=True)", "a.clear()", "a[1:2] = [8, 8, 8]", "a[::2] = []", "del a[0]", "del a[::2]", "a *= 2",
                   "a += (1,)", "a[-1] = 0", "a[5:] = [1]", "a = a[::-1]", "a = a[-3:-1]", "a = a + a", "a = a.copy(); a.append(1)",
                   "b = a; b += [1]", "a.index(2)", "a.count(1)", "a[10]", "x, *a = a", "*a, x = a", "a = sorted(a, key=str)",
                   "a = list(enumerate(a, 1))", "a = list(zip(a, a[1:]))", "a = list(map(str, a))", "a = list(filter(None, a))",
                   "a = [x for x in a if x]", "a = max(a)", "a = min(a, default=None)", "a = sum(a)", "a = any(a), all(a)",
                   "a = tuple(a)", "a = sorted(set(map(str, a)))", "a = dict(enumerate(a))", "a = repr(a)", "a = len(a)", "a = a == list(a)",
                   "a = a < [3, 2]", "a = list(reversed(a))", "a = 2 in a", "a = iter(a); a = next(a, 'none')", "a = [*a, *a]", "a = str(a).replace(' ', '')"]
DICTS = ["{}", "{'a': 1, 'b': 2}", "{1: 'x', (2, 3): [4]}"]
DICT_STATEMENTS = ["d['c'] = 3", "del d['a']", "d.pop('a')", "d.pop('z', None)", "d.popitem()", "d.setdefault('a', 9)", "d.setdefault('n', []).append(1)",
                   "d.update(b=5)", "d.update([(1, 2)])", "d.update({'q': 1}, r=2)", "d.clear()", "d |= {'a': 0}", "d = d | {'z': 26}", "d = list(d)", "d = list(d.items())",
                   "d = list(d.values())", "d = sorted(map(str, d))", "d = dict.fromkeys(d, 0)", "d = {v: k for k, v in d.items() if not isinstance(v, list)}",
                   "d = 'a' in d, 1 in d", "d = d.get('a'), d.get('zz', -1)", "d['missing']", "d = len(d), bool(d)", "d = d == dict(d)",
                   "d = list(reversed(d))", "d = {**d, 'x': 1}", "d = sorted(map(str, d.keys() & {'a', 1}))", "d = d.copy(); d['new'] = 1", "d = max(d, key=str, default='nothing')",
                   "for k in list(d): d[k] = k", "d = str(d)", "d = next(iter(d.items()), None)"]
SETS = ["set()", "{1, 2, 3}", "{2, 4}"]
SET_STATEMENTS = ["s.add(2)", "s.discard(1)", "s.remove(9)", "s = s | {7}", "s = s & {2, 3}", "s = s - {2}", "s = s ^ {2, 9}", "s.update([5, 6])", "s = s <= {1, 2, 3, 4}",
                  "s = s.issuperset({2})", "s = s.isdisjoint({9})", "s = frozenset(s)", "s.intersection_update({2})", "s = len(s), 2 in s", "s = {x * 2 for x in s}",
                  "s = s == {2, 4}", "s = sorted(s, reverse=True)", "s = s.union([1], (2,), {3})", "s -= {2}", "s.clear()"]
PAIRS = ["7, 3", "-7, 3", "7, -3", "-7, -3", "7.5, 2", "-7.5, 2.0", "2, 10", "0, 5", "10**20, 7", "True, 2", "2, -1", "5, 0"]
BINARY = ["+", "-", "*", "/", "//", "%", "**", "<", "<=", "==", "!=", ">", "and", "or", "is not"]
BITS = ["&", "|", "^", "<<", ">>"]
MATH = ["sqrt(2)", "floor(-1.5)", "ceil(1.2)", "trunc(-1.7)", "factorial(10)", "gcd(12, 18)", "isclose(1.0, 1.0 + 1e-10)", "hypot(3, 4)", "log(8, 2)", "log2(8)",
        "log10(1000)", "exp(1)", "sin(1)", "cos(1)", "tan(1)", "atan2(1, -1)", "degrees(3.14159)", "radians(180)", "fmod(-7, 3)", "copysign(3, -0.0)", "frexp(10.0)",
        "ldexp(0.5, 4)", "modf(3.25)", "isnan(float('nan'))", "isinf(-1e400)", "isfinite(1)", "prod([1, 2, 3, 4])", "fsum([0.1] * 10)", "comb(5, 2)", "perm(5, 2)",
        "erf(0.5)", "gamma(5)", "lgamma(3)", "expm1(1e-9)", "log1p(1e-9)", "sqrt(-1)", "log(0)", "factorial(-1)", "cbrt(27)", "dist((1, 2), (4, 6))", "pow(2, 0.5)",
        "lcm(4, 6)", "isqrt(99)", "asinh(1)", "acosh(2)", "atanh(0.5)", "remainder(7, 4)", "nextafter(1, 2)", "ulp(1.0)", "exp2(3)"]
TOOLS = ["list(itertools.chain([1], 'ab'))", "list(itertools.islice(itertools.count(3, 2), 4))", "list(itertools.accumulate([1, 2, 3, 4]))",
         "list(itertools.accumulate([3, 1, 2], max))", "list(itertools.product('ab', [1, 2]))", "list(itertools.permutations([1, 2, 3], 2))",
         "list(itertools.combinations('abcd', 2))", "list(itertools.combinations_with_replacement('ab', 2))", "[(k, list(g)) for k, g in itertools.groupby('aabbc')]",
         "list(itertools.zip_longest([1, 2], [3], fillvalue=0))", "list(itertools.takewhile(lambda x: x < 3, [1, 2, 3, 1]))",
         "list(itertools.dropwhile(lambda x: x < 3, [1, 2, 3, 1]))", "list(itertools.starmap(pow, [(2, 3), (3, 2)]))", "list(itertools.repeat('x', 3))",
         "list(itertools.compress('abcd', [1, 0, 1, 0]))", "list(itertools.filterfalse(None, [0, 1, 2]))", "list(itertools.pairwise('abcd'))",
         "[list(x) for x in itertools.tee([1, 2])]", "functools.reduce(lambda a, b: a * 10 + b, [1, 2, 3])", "functools.reduce(max, [3, 5, 1], 4)",
         "functools.partial(pow, 2)(5)", "functools.partial(print, 'a', sep='-')('b')", "sorted(['b', 'A', 'c'], key=str.lower)", "collections.Counter('hello').most_common(2)",
         "collections.OrderedDict([('a', 1)])", "collections.deque([1, 2, 3], maxlen=2)", "collections.defaultdict(list, a=[1])", "collections.namedtuple('P', 'x y')(1, y=2)",
         "collections.Counter(a=3, b=1) - collections.Counter(a=1)", "list(collections.ChainMap({'a': 1}, {'b': 2}).items())", "operator.itemgetter(1, 0)('ab')",
         "operator.attrgetter('real')(3)", "operator.methodcaller('upper')('a')", "operator.add(1, 2), operator.mul(3, 4)", "string.ascii_lowercase[:5] + string.digits",
         "copy.deepcopy([[1], [2]])", "list(map(operator.neg, [1, -2]))", "sorted({'b': 1, 'a': 2}.items(), key=lambda kv: kv[1])", "bisect.bisect([1, 3, 5], 3)",
         "heapq.nsmallest(2, [5, 1, 4])", "statistics.mean([1, 2, 4])", "statistics.median([3, 1, 2])", "textwrap.shorten('hello big world', 10)", "json.dumps({'a': [1, None, True]})",
         "json.loads('{\"x\": [1.5, \"y\"]}')", "re.sub(r'(\\d)', r'<\\1>', 'a1b2')", "re.findall(r'\\w+', 'two words')", "types.SimpleNamespace(a=1)", "random.Random(5).randint(1, 100)",
         "random.Random(1).sample(range(10), 3)"]
BUILTINS = ["abs(-3), abs(2.5), abs(True)", "divmod(-7, 2), divmod(7.5, 2)", "round(2.5), round(3.5), round(-2.675, 2), round(1234, -2)", "pow(3, 4, 5), pow(2, -1)",
            "int('ff', 16), int('0b11', 0), int(' 12 '), int(3.9)", "int('x')", "int('1_000')", "float('1e3'), float(' -2.5 '), float('nan')", "float('x')", "bool([]), bool(0.0), bool('0')",
            "str(None), str(1.0), str(1e16), str(1e-5)", "repr('it\\'s'), repr(\"q\\\"\"), repr('\\n\\t\\\\'), ascii('ä')", "chr(97), ord('a'), chr(8364)", "hex(255), oct(8), bin(-5)",
            "list(range(5)), list(range(5, 0, -2)), range(3) == range(0, 3)", "range(10)[2:5], len(range(0, 10, 3)), 4 in range(0, 10, 2)", "sum([1, 2], 10), sum([[1], [2]], [])", "max(1, 2, 3), max('abc'), max([1, 5], key=lambda x: -x)",
            "min([]) ", "sorted([3, 1, 2], reverse=True), sorted('bca')", "sorted([1, 'a'])", "any([]), all([])", "list(zip('ab', [1, 2, 3]))", "list(zip([1], [2, 3], strict=True))", "dict(zip('ab', [1, 2]))",
            "list(map(lambda x, y: x + y, [1, 2], [3, 4]))", "isinstance(True, int), isinstance(1, (str, int)), issubclass(bool, int)", "type(1).__name__, type('').__name__, type(None).__name__", "callable(len), callable(3)",
            "hash('a') == hash('a'), hash(1) == hash(1.0), hash((1, 2)) == hash((1, 2))", "hash([])", "id(None) == id(None)", "getattr(3, 'real'), getattr(3, 'nope', 'd'), hasattr('', 'upper')", "getattr(3, 'nope')", "slice(1, 5, 2).indices(4)",
            "bytes([65, 66]), bytes('ä', 'utf8'), bytearray(b'ab')", "b'abc'[1], b'abc'[1:], b'abc'.decode(), b'a' + b'b'", "'abc'[::-1], 'abc'[-1], 'abc'[5:]", "'abc'[5]", "(1, 2) + (3,), (1,) * 3, (1, 2) < (1, 3)", "1 < 2 < 3, 1 < 3 > 2, 1 == 1.0 == True",
            "[] is [], () == [], None == 0", "'a' 'b', 'x' * 3, 'a' + str(1)", "'a' + 1", "1 + 'a'", "not 0, not [1], -True, ~5", "complex(1, 2) * 2j, abs(3+4j), (1+2j).conjugate()", "0.1 + 0.2, 1e308 * 10, 5 // 0.3", "1 / 0", "5 % 0", "2 ** 0.5, 2 ** -1, (-8) ** 2",
            "print(1, 2, sep='-', end='!\\n')", "print(*[1, 2], 'x')", "f'{3:>5}|{\"a\":<4}|{1.5:.2f}|{2!r:>4}'", "f'{1+1=}, {\"x\"!r}, {[1,2]}'", "'%5.2f|%-5s|%05d|%x|%%' % (3.14159, 'ab', 42, 255)", "'{} {1}'.format(1, 2)", "'{0} {1} {0}'.format('a', 'b'), '{x:>{w}}'.format(x=1, w=4)", "'{a[0]} {b.real}'.format(a=[1], b=2)",
            "list('abc'), tuple('ab'), set('aa')", "dict(a=1, b=2), dict([('x', 1)])", "enumerate('ab').__next__()", "iter([1]).__next__(), next(iter([]), 'end')", "next(iter([]))", "vars(type('T', (), {'x': 1})())", "len('äö'), len({}), len(range(7))", "len(5)"]

CLASSES = ["__add__", "__radd__", "__eq__", "__lt__", "__len__", "__getitem__", "__contains__", "__call__", "__bool__", "__neg__", "__iter__",
           "__hash__", "__str__", "__enter__", "__getattr__", "__matmul__", "__floordiv__", "__iadd__", "__index__", "__format__"]
USES = ["o + 1", "1 + o", "o == 1", "o < 2", "len(o)", "o[3]", "4 in o", "o(5)", "bool(o)", "-o", "list(o)", "hash(o)", "str(o)", "o.missing", "o @ 2",
        "o // 2", "[1, 2, 3][o]", "f'{o:spec}'", "o > 1", "o != 1"]
COMPREHENSIONS = ["[x * y for x in range(3) for y in range(2)]", "[x for x in range(10) if x % 2 if x > 3]", "{x: x ** 2 for x in range(3)}", "{x % 2 for x in range(5)}",
                  "list(x for x in 'abc')", "[[y for y in range(x)] for x in range(3)]", "[(i, c) for i, c in enumerate('ab')]", "sum(x for x in range(4))", "[a if a else b for a, b in [(0, 1), (2, 3)]]",
                  "[y := 5, y ** 2]", "[lambda: i for i in range(2)][0]()", "dict(a=[z for z in 'x'])", "max((len(w), w) for w in 'a bbb cc'.split())", "[*range(3), *'ab']", "{**{'a': 1}, 'b': 2}",
                  "(lambda *a, k=1, **kw: (a, k, kw))(1, 2, k=3, z=4)", "(lambda x, /, y: x - y)(5, y=2)", "(lambda x=[]: x + [1])()", "1 if [] else 2", "[1, 2][True], (1, 2)[-1]"]

snippets = []


def guarded(code, value):
    return (f"try:\n    {code}\n    print({value})\n"
            "except Exception as e:\n    print(type(e).__name__, e)\n")


for call in TEXT_CALLS:
    snippets.append((f"str.{call}", "for s in [" + ", ".join(TEXTS) + f"]:\n    print(repr(s.{call}))\n"))
for call in INT_CALLS:
    snippets.append((f"int.{call}", "for n in [" + ", ".join(NUMBERS) + f"]:\n    print(n.{call})\n"))
for call in FLOAT_CALLS:
    snippets.append((f"float.{call}", "for n in [" + ", ".join(FLOATS) + f"]:\n    print(n.{call})\n"))
for spec in SPECS:
    for kind, values in (("int", NUMBERS), ("float", FLOATS), ("str", TEXTS[:5])):
        snippets.append((f"format {kind} {spec!r}", f"for v in [{', '.join(values)}]:\n    try:\n        print(format(v, {spec!r}) + '|')\n"
                         "    except (ValueError, OverflowError) as e:\n        print(type(e).__name__, e)\n"))
for statement in LIST_STATEMENTS:
    snippets.append((f"list: {statement}", "".join(f"a = {v}\n" + guarded(statement, "a") for v in LISTS)))
for statement in DICT_STATEMENTS:
    snippets.append((f"dict: {statement}", "".join(f"d = {v}\n" + guarded(statement, "d") for v in DICTS)))
for statement in SET_STATEMENTS:
    snippets.append((f"set: {statement}", "".join(
        f"s = {v}\n" + guarded(statement, "sorted(s) if isinstance(s, (set, frozenset)) else s") for v in SETS)))
for op in BINARY:
    snippets.append((f"numbers {op}", "".join(f"a, b = {p}\n" + guarded("pass", f"a {op} b") for p in PAIRS)))
for op in BITS:
    snippets.append((f"integers {op}", "".join(f"a, b = {p}\n" + guarded("pass", f"a {op} b") for p in PAIRS)))
for call in MATH:
    snippets.append((f"math.{call}", "import math\n" + guarded("pass", f"math.{call}")))
for call in TOOLS:
    module = "".join(f"import {m}\n" for m in ("itertools", "functools", "collections", "operator", "string", "copy", "bisect", "heapq", "statistics", "textwrap", "json", "re", "types", "random") if m + "." in call)
    snippets.append((f"tool {call}", module + guarded("pass", call)))
for call in BUILTINS:
    snippets.append((f"builtin {call}", guarded("pass", call)))

for method in CLASSES:
    body = "return 'text'" if method in ("__str__", "__format__") else "return iter('it')" if method == "__iter__" else \
        "return 1" if method in ("__len__", "__bool__", "__hash__", "__index__") else "return (type(self).__name__, a)"
    code = f"class C:\n    def {method}(self, *a):\n        {body}\n"
    snippets.append((f"class with {method}", code + "".join("o = C()\n" + guarded("pass", u if u != "str(o)" or method == "__str__" else "1") for u in USES if (u != "hash(o)" or method == "__hash__") and (method != "__getitem__" or u not in ("list(o)", "4 in o")))))
for code in COMPREHENSIONS:
    snippets.append((f"expression {code}", guarded("pass", code)))
for left in ("[1, 2]", "(1, 2)", "'ab'", "{1: 2}", "{1, 2}", "None", "3", "2.5", "b'ab'", "range(2)"):
    rights = ("[1]", "(1,)", "'a'", "{3: 4}", "{2}", "None", "2", "1.5", "b'a'", "True")
    for op in ("+", "*", "==", "<", "in", "%"):
        snippets.append((f"{left} {op}", "".join(guarded("pass", f"{left} {op} {r}") for r in rights)))

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "language", "expressions.py"), "w", encoding="utf-8") as f:
    for name, code in snippets:
        f.write(f"#---- {name}\n{code}")
print(len(snippets), "snippets")
