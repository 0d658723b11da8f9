#---- findall none
import re
print(re.findall(r"\d", "abc"))
#---- findall words
import re
print(re.findall(r"\w+", "the quick_fox 12"))
#---- findall groups
import re
print(re.findall(r"(\w)=(\d)", "a=1 b=2"))
#---- findall optional group
import re
print(re.findall(r"(a)(b)?", "aab"))
#---- findall empty
import re
print(re.findall(r"x*", "axbc"))
#---- findall bytes
import re
print(re.findall(rb"\d+", b"a12 b3"))
#---- search
import re
print(re.search(r"b+", "aabbb").span())
#---- search none
import re
print(re.search("z", "abc"))
#---- match
import re
print(re.match(r"(\w+)@(\w+)\.com", "user@host.com").groups())
#---- match not at start
import re
print(re.match("b", "ab"))
#---- fullmatch
import re
print(re.fullmatch(r"[a-z]+\d?", "abc1"), re.fullmatch("a", "ab"))
#---- named
import re
print(re.match(r"(?P<y>\d{4})-(?P<m>\d\d)", "2024-05").groupdict())
#---- last
import re
print([(m.lastindex, m.lastgroup) for m in [re.match(r"(?P<a>x)(?P<b>y)?", "x"), re.match(r"((a)(b))", "ab")]])
#---- start end
import re
print([re.search("(b)(c)?", "ab").start(i) for i in (0, 1, 2)])
#---- regs
import re
print(re.match(r"(a)(b)", "ab").regs)
#---- getitem
import re
print(re.match(r"(?P<n>a)(b)", "ab")["n"] + re.match(r"(a)(b)", "ab")[2])
#---- expand
import re
print(re.match(r"(\w) (\w)", "a b").expand(r"\2-\g<1>\n"))
#---- sub
import re
print(re.sub(r"\s+", " ", "a \n b\t\tc"))
#---- sub groups
import re
print(re.sub(r"(\w+) (\w+)", r"\2 \1", "hello world"))
#---- sub named
import re
print(re.sub(r"(?P<x>\d)", r"<\g<x>>", "a1b2"))
#---- sub function
import re
print(re.sub(r"\d+", lambda m: str(int(m.group()) * 2), "3 and 40"))
#---- sub count
import re
print(re.sub("a", "b", "aaaa", count=2))
#---- subn
import re
print(re.subn("a", "b", "banana"))
#---- sub empty
import re
print(re.sub("", "-", "abc"), re.sub("x*", "-", "abxd"))
#---- sub escapes
import re
print(re.sub("a", r"\\n\t", "a"))
#---- split
import re
print(re.split(r"\W+", "a b,c"), re.split(r"(,)\s*", "a, b,c"), re.split(",", "a,b,c", maxsplit=1))
#---- split empty
import re
print(re.split("x*", "axbc"), re.split(r"\b", "ab cd"))
#---- split none
import re
print(re.split("z", "abc"))
#---- finditer
import re
print([(m.group(), m.start()) for m in re.finditer(r"[aeiou]", "education")])
#---- flags i
import re
print(re.findall(r"ab", "AbaB", re.I))
#---- flags m
import re
print(re.findall(r"^\w$", "a\nb\ncd", re.M))
#---- flags s
import re
print(re.match("a.c", "a\nc", re.S) is not None, re.match("a.c", "a\nc"))
#---- flags x
import re
print(re.findall(r"""(\d+) # digits
   \s* [ ]? # space""", "1 22", re.X))
#---- flags a
import re
print(re.findall(r"\w", "aé", re.A), re.findall(r"\w", "aé"))
#---- inline flags
import re
print(re.findall(r"(?i)a", "aA"), re.findall(r"(?i:a)b", "Ab AB"), re.findall(r"(?s).", "\n"))
#---- flag text
import re
print(repr(re.I), repr(re.I | re.M), str(re.X), re.I | re.M == 10, int(re.S))
#---- pattern text
import re
print(re.compile("a+"), re.compile("a", re.I | re.S), re.compile(b"x"))
#---- pattern parts
import re
print((lambda p: (p.pattern, p.flags, p.groups, dict(p.groupindex)))(re.compile(r"(a)(?P<n>b)")))
#---- match text
import re
print(re.match("a", "abc"), bool(re.match("", "")), re.search("b", "abc").string)
#---- lookahead
import re
print(re.findall(r"\w+(?=!)", "a! b c!"), re.findall(r"a(?!b)", "abac"))
#---- lookbehind
import re
print(re.findall(r"(?<=\$)\d+", "$5 6 $77"), re.findall(r"(?<!a)b", "ab cb"))
#---- backreference
import re
print(re.findall(r"(\w)\1", "aabbcd"), re.match(r"(?P<q>['\"]).*(?P=q)", "'x'").group())
#---- conditional
import re
print([bool(re.fullmatch(r"(<)?a(?(1)>)", s)) for s in ("<a>", "a", "<a")])
#---- lazy
import re
print(re.findall(r"<.+?>", "<a><b>"), re.findall(r"<.+>", "<a><b>"))
#---- possessive
import re
print(re.match(r"a++a", "aaa"), re.match(r"(?>a+)b", "aab").group())
#---- counts
import re
print(re.findall(r"a{2}", "aaaaa"), re.findall(r"a{,2}b", "aab"), re.findall(r"a{2,}", "a aa aaa"), re.findall(r"a{1,2}?", "aaa"))
#---- literal brace
import re
print(re.findall(r"{a}", "{a}"), re.findall("x{", "x{"), re.findall(r"a{b}", "a{b}"))
#---- sets
import re
print(re.findall(r"[a-c]", "abcd"), re.findall(r"[^a-c]", "abcd"), re.findall(r"[]a]", "]a"), re.findall(r"[\]\-a]", "a]-b"), re.findall(r"[a-]", "a-b"))
#---- set classes
import re
print(re.findall(r"[\d\s]", "a1 b"), re.findall(r"[^\W\d_]+", "héllo_9"), re.findall(r"[.*]", ".a*"), re.findall(r"[[:x]", "[:x]"))
#---- escapes
import re
print(re.findall(r"\x41\u0042", "AB"), re.findall(r"\t", "\t"), re.findall(r"[\b]", "\x08"), re.findall("\\.", "a.b"))
#---- anchors
import re
print(re.findall(r"\Aa", "aa"), re.findall(r"a\Z", "aa"), re.findall(r"a$", "a\n"), re.findall(r"a\Z", "a\n"))
#---- boundaries
import re
print(re.findall(r"\bfoo\b", "foo food foo"), re.findall(r"\Boo", "foo oo"))
#---- alternation
import re
print(re.findall(r"cat|dog", "cat dog bird"), re.findall(r"(?:a|b)c", "ac bc"))
#---- unicode
import re
print(re.findall(r"\d", "٣4"), re.sub("é", "e", "été"), re.search("ß", "straße").start(), re.findall("(?i)straße", "STRASSE"))
#---- pos endpos
import re
print(re.compile("a").findall("aaaa", 1, 3), re.compile("^a").match("ba", 1), re.compile("a").search("bab", 2), re.compile("a$").search("ab", 0, 1) is not None)
#---- escape
import re
print(re.escape("a.b*c [x]-y"), re.escape(b"a.b"))
#---- callable pattern
import re
print(re.compile(re.compile("a")).match("a").group(), re.compile("a") == re.compile("a"), len({re.compile("a"), re.compile("a")}))
#---- comment
import re
print(re.findall(r"a(?#none)b", "ab"))
#---- tokens
import re
print([(m.lastgroup, m.group()) for m in re.finditer(r"(?P<num>\d+)|(?P<op>[+*/-])|(?P<ws>\s+)", "3 + 42")])
#---- camel
import re
print(re.sub(r"(?<!^)(?=[A-Z])", "_", "camelCaseName").lower())
#---- key values
import re
print(dict(re.findall(r"(\w+)=(\w+)", "a=1 b=two")))
#---- floats
import re
print([float(x) for x in re.findall(r"[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?", "x=-1.5e3 y=.25 z=7")])
#---- nested quantifier
import re
print(re.match(r"(?:(\w+),?)+", "a,b,c").group(1))
#---- group several
import re
print(re.match(r"(a)(b)(c)", "abc").group(1, 3))
#---- groups default
import re
print(re.match(r"(a)(b)?", "a").groups("none"), re.match(r"(?P<x>a)?b", "b").groupdict(default=0))
#---- gpt pattern
import re
print(re.findall(r"'s|'t| ?[a-zA-Z]+| ?\d+| ?[^\sa-zA-Z\d]+|\s+(?!\S)|\s+", "it's  42 ok!"))
#---- type names
import re
print(type(re.compile("a")).__name__, type(re.match("a", "a")).__name__, isinstance(re.compile("a"), re.Pattern), isinstance(re.match("", ""), re.Match))
#---- purge
import re
print(re.purge())
#---- error 0
import re
try:
    re.compile('(')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 1
import re
try:
    re.compile('a**')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 2
import re
try:
    re.compile('[b')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 3
import re
try:
    re.compile('(?P<x>a)(?P<x>b)')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 4
import re
try:
    re.compile('\\q')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 5
import re
try:
    re.compile('a{3,1}')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 6
import re
try:
    re.compile('(?<n>a)')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 7
import re
try:
    re.compile('*a')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 8
import re
try:
    re.compile(')')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 9
import re
try:
    re.compile('(?P=no)')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 10
import re
try:
    re.compile('(?(1)a|b)')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 11
import re
try:
    re.compile('a|*')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 12
import re
try:
    re.compile('[z-a]')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 13
import re
try:
    re.compile('(?P<1>a)')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 14
import re
try:
    re.compile('(?z)')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 15
import re
try:
    re.compile('\\1')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 16
import re
try:
    re.compile('(a\\1)')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 17
import re
try:
    re.compile('\\')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 18
import re
try:
    re.compile('(?P<a')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 19
import re
try:
    re.compile('(?i')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 20
import re
try:
    re.compile('a(?i)')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 21
import re
try:
    re.compile('x{2}{3}')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 22
import re
try:
    re.compile("(?'n'a)")
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 23
import re
try:
    re.compile('(*ACCEPT)')
except re.error as e:
    print(e, e.pos, e.msg)
#---- error 24
import re
try:
    re.compile('\\x4')
except re.error as e:
    print(e, e.pos, e.msg)
#---- errors of types
import re
for f in (lambda: re.match("a", b"a"), lambda: re.match(b"a", "a"), lambda: re.match("a", 3), lambda: re.match(3, "a"), lambda: re.match("a", "a").group(2), lambda: re.match("a", "a").group("x"), lambda: re.sub("a", r"\\2", "a"), lambda: re.compile(re.compile("a"), re.I)):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
