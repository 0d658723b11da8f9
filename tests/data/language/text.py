#---- case
print("Hello World".upper(), "ABC".lower(), "hello world".title(), "hELLO".capitalize(), "Hello".swapcase(), "é".upper(), "ÀÉ".lower(), "straße".upper(), "ß".casefold(), "ĳ".upper(), "привет".title())
#---- strip
print("  a b ".strip() + "|", "xxaxx".strip("x"), "xxaxx".lstrip("x"), "xxaxx".rstrip("x"), "abcba".strip("ab"), "\t\n a \r".strip() + "|")
#---- split
print("a,b,,c".split(","), "a b  c".split(), " a b ".split(" "), "a,b,c".split(",", 1), "a b c d".split(maxsplit=2), "".split(), "".split(","), "a,b,c".rsplit(",", 1), "a b c".rsplit(None, 1))
#---- splitlines
print("a\nb\r\nc".splitlines(), "a\nb\n".splitlines(), "a\nb".splitlines(True), "".splitlines())
#---- partition
print("a=b=c".partition("="), "a=b=c".rpartition("="), "abc".partition("x"), "abc".rpartition("x"))
#---- join and replace
print("-".join(["a", "b"]), "".join(str(i) for i in range(4)), "aaa".replace("a", "b", 2), "abc".replace("", "-"), "hello".replace("l", "L"), ",".join("abc"))
#---- find
s = "hello hello"
print(s.find("l"), s.rfind("l"), s.find("x"), s.index("o"), s.rindex("o"), s.count("l"), s.find("l", 4), s.find("l", 4, 6), s.count("hel", 1), s.count(""))
try:
    s.index("z")
except ValueError as e:
    print(e)
#---- startswith
print("hello".startswith("he"), "hello".startswith(("x", "h")), "hello".endswith("lo"), "hello".startswith("l", 2), "hello".endswith("l", 0, 4), "".startswith(""))
#---- removeprefix
print("module.weight".removeprefix("module."), "weight".removeprefix("module."), "a.py".removesuffix(".py"))
#---- tests
print("abc".isalpha(), "abc1".isalnum(), "123".isdigit(), "12.3".isdigit(), " \t".isspace(), "ABC".isupper(), "aB".islower(), "Title Case".istitle(), "abc".isidentifier(), "1a".isidentifier(), "é".isalpha(), "".isalpha(), "²".isdigit(), "²".isdecimal(), "½".isnumeric(), "abc".isascii(), "é".isascii(), "a b".isprintable(), "a1".isupper(), "A1".isupper())
#---- align
print("a".ljust(3, "."), "a".rjust(3), "a".center(4, "*"), "42".zfill(5), "-42".zfill(5), "ab".center(5, "-"), "abc".ljust(2))
#---- index and slice
s = "abcdef"
print(s[0], s[-1], s[1:3], s[::-1], s[::2], s[-3:], s[:-1], s[10:], s[5:2], "héllo"[1], "héllo"[::-1], len("héllo"))
try:
    s[10]
except IndexError as e:
    print(e)
#---- iterate
print(list("héé"), [c for c in "abc"], sorted("banana"), "".join(reversed("abc")), list(enumerate("ab")), set("aab") == {"a", "b"})
#---- multiply and add
print("ab" * 3, 3 * "x", "a" + "b", "a" * 0, "-" * 10, "x" * -1)
#---- in
print("ell" in "hello", "x" not in "hello", "" in "a", "a" in "")
#---- compare
print("a" < "b", "abc" < "abd", "Z" < "a", "a" == "a", max(["b", "a"]), sorted(["b", "A", "a"]), sorted(["bb", "a"], key=len, reverse=True), "é" > "z")
#---- translate
t = str.maketrans("abc", "xyz")
print("aabbcc".translate(t), "hello".translate(str.maketrans({"l": "L", "o": None})), "abc".translate(str.maketrans("a", "b", "c")))
#---- expandtabs encode
print("a\tb".expandtabs(4), "abc".encode(), "é".encode("utf-8"), b"abc".decode(), "é".encode("utf-8").decode("utf-8"), len("é".encode()))
#---- escapes
print("a\tb\\n", 'it\'s', "\x41\u00e9", r"\n", "a\
b", repr("a\nb"), repr('it"s'), repr("it's"), repr("é\x00"), ascii("é"))
#---- triple quotes
s = """line one
  line two
"""
print(s, end="")
print(len(s), s.count("\n"))
#---- concatenation of literals
print("a" "b" 'c', "x" f"{1 + 1}" "y", ("long "
      "text"))
#---- ord chr
print(ord("a"), chr(97), ord("é"), chr(8364), [chr(ord("a") + i) for i in range(5)])
#---- unbound methods
print(list(map(str.upper, ["a", "b"])), str.join(",", ["a", "b"]), sorted(["B", "a"], key=str.lower), list(map(str.strip, [" a "])), str.format("{}", 3))
#---- str of things
print(str(1), str(1.5), str(None), str([1, "a"]), str({"a": 1}), str((1,)), str(b"x"), repr("x"), str(True), str(range(3)), str({1, }), str(set()), str(frozenset([1])), str(slice(1, 2)), str(Ellipsis))
#---- percent
print("%d items" % 3, "%s and %s" % ("a", 1), "%5d|%-5d|%05d" % (1, 2, 3), "%.2f" % 3.14159, "%8.3f|" % 2.5, "%e" % 12345.678, "%g" % 0.0001, "%x %X %o" % (255, 255, 8), "%r" % "a", "%c" % "z", "%%", "%5s|%-5s|" % ("a", "b"))
#---- percent with dict
print("%(name)s is %(age)d" % {"name": "Bob", "age": 5}, "%(x).2f" % {"x": 1.005}, "%s" % [1, 2], "%s" % ((1, 2),), "%+d % d" % (3, 3), "%*d" % (5, 42), "%#x" % 255, "%i" % 3.7, "%.3s|" % "abcdef")
#---- percent errors
for f in (lambda: "%d" % "a", lambda: "%s %s" % "a", lambda: "%s" % (1, 2)):
    try:
        print(f())
    except TypeError as e:
        print(e)
#---- bytes
b = b"hello"
print(b, b[0], b[1:3], len(b), list(b"ab"), b + b"!", b"\x00\xff", b.decode(), bytes([1, 2]), bytes(3), b == b"hello", b"l" in b, b.upper(), b.split(b"l"), b.hex(), bytes.fromhex("00ff"), bytes("é", "utf8"))
#---- bytearray
a = bytearray(b"abc")
a[0] = 120
a.append(33)
print(a, len(a), bytes(a), a.decode(), list(a))
#---- string module
import string
print(string.ascii_lowercase, string.digits, string.punctuation, string.ascii_letters[:3], string.hexdigits, string.Template("$a is $b").substitute(a=1, b=2), string.capwords("hello world"), repr(string.whitespace))
#---- textwrap
import textwrap
print(textwrap.dedent("  a\n    b\n  c"))
print(textwrap.indent("a\nb", "> "), textwrap.fill("the quick brown fox jumps", 10), sep="\n")
#---- string compare identity
a = "abc"
b = "".join(["a", "b", "c"])
print(a == b, hash(a) == hash(b), {a: 1}[b])
#---- str subclass
class S(str):
    def shout(self):
        return self.upper() + "!"
s = S("hi")
print(s, s.shout(), len(s), s + "x", isinstance(s, str), type(s).__name__, s == "hi", {s: 1}["hi"])
#---- str errors
for f in (lambda: "a" + 1, lambda: "a" * "b", lambda: ",".join([1]), lambda: "abc".foo, lambda: len(5), lambda: "a" < 1):
    try:
        f()
    except (TypeError, AttributeError) as e:
        print(type(e).__name__, e)
#---- re basics
import re
print(re.sub(r"\s+", " ", "a   b \n c"), re.findall(r"\d+", "a1b22c333"), re.split(r"[,;]", "a,b;c"), bool(re.match(r"ab+", "abbb")), re.search(r"(\w+)@(\w+)", "me@home").groups())
m = re.match(r"(?P<name>\w+)=(?P<value>\d+)", "lr=10")
print(m.group("name"), m.group(2), m.groupdict(), m.span(), m.start(1), re.match("x", "abc"))
#---- re more
import re
p = re.compile(r"([a-z]+)(\d*)", re.I)
print([m.groups() for m in p.finditer("Ab12 cd")], p.sub(lambda m: m.group(1).upper(), "ab1cd"), re.escape("a.b"), re.fullmatch(r"\d{2,3}", "123") is not None, re.sub(r"(\w)(\w)", r"\2\1", "abcd"), re.findall(r"(a)(b)?", "aba"), re.split(r"(-)", "a-b"))
print(re.findall(r"^\w", "a\nb", re.M), re.sub("x*?b", "-", "xxb"), re.findall(r"(?<=a)b(?!c)", "abc abd"), re.match(r"(a|b)*c", "ababc").group(0))
