# SPDX-License-Identifier: Apache-2.0
# Python's own modules as scripts use them beside tensors, coroutines and groups of exceptions. Recorded: python_modules.txt.
import argparse, asyncio, ast, base64, calendar, collections, configparser, contextlib, datetime, decimal, difflib
import enum, fnmatch, html, inspect, io, json, logging, pathlib, platform, pprint, secrets, shlex, statistics, sys
import textwrap, time, traceback, unittest, warnings
from dataclasses import dataclass, field


class Perm(enum.Flag):
    R = 4
    W = 2
    X = 1


@dataclass
class Card:
    rank: int
    suit: str = "S"
    notes: list = field(default_factory=list)


Point = collections.namedtuple("Point", "x y")


def shown(source):
    try:
        print(source[:60], "->", repr(eval(source, globals())))
    except Exception as e:
        print(source[:60], "!!", type(e).__name__, e)


for line in r'''
datetime.datetime(2024, 3, 5, 14, 7).strftime("%d/%m/%y %I:%M %p %b %a %A %B %-d %e %j %U %W %w %u %G-%V %H%M%S.%f %%")
datetime.date(2024, 12, 30).isocalendar(), datetime.date(2021, 1, 3).isocalendar(), datetime.date(2024, 2, 29).timetuple().tm_yday
datetime.timedelta(days=1.5), abs(datetime.timedelta(-1)), datetime.timedelta(1) * 2.5, datetime.timedelta(hours=5) // datetime.timedelta(hours=2)
datetime.timedelta(hours=1) / datetime.timedelta(minutes=1), divmod(datetime.timedelta(hours=5), datetime.timedelta(hours=2))
datetime.datetime.fromisoformat("2024-01-05 10:20:30.123"), datetime.datetime.fromisoformat("2024-01-05T10:20:30+02:00")
datetime.datetime.strptime("Jan 5 2024 3:04 PM", "%b %d %Y %I:%M %p"), datetime.datetime.strptime("05/01/24", "%d/%m/%y")
datetime.datetime.strptime("x", "%Y")
datetime.datetime.strptime("2024-01-05 z", "%Y-%m-%d")
datetime.time(10, 20, 30).isoformat(), datetime.time(1, 2) < datetime.time(3), repr(datetime.time(1, 2, 3, 4)), f"{datetime.time(5):%H.%M}"
datetime.datetime.combine(datetime.date(2024, 1, 1), datetime.time(5)), datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc).isoformat()
datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=2))).astimezone(datetime.timezone.utc), datetime.timezone(datetime.timedelta(hours=-5))
datetime.datetime.fromtimestamp(0, datetime.timezone.utc), datetime.datetime(1970, 1, 2, tzinfo=datetime.timezone.utc).timestamp(), datetime.datetime.utcfromtimestamp(1e9)
datetime.date.fromordinal(738000), datetime.date.max, datetime.timedelta.max, datetime.datetime.min, datetime.timedelta(0), str(datetime.timedelta(days=-1, seconds=5))
datetime.datetime(2024, 1, 31).replace(month=2)
datetime.datetime(2024, 1, 1) - datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
datetime.datetime(2024, 13, 1)
datetime.date(2024, 1, 1) < datetime.date(2024, 2, 1), datetime.date(2024, 1, 31) + datetime.timedelta(1), datetime.date(2024, 3, 1) - datetime.date(2024, 2, 1)
time.gmtime(0), time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(86400 * 365)), time.asctime(time.gmtime(3661)), time.gmtime(5).tm_sec
calendar.monthrange(2024, 2), calendar.isleap(1900), calendar.month_name[3], calendar.timegm((1970, 1, 2, 0, 0, 0)), calendar.monthcalendar(2024, 2)[0]
print(calendar.month(2024, 2))
statistics.multimode("aabbc"), statistics.geometric_mean([1, 4]), statistics.harmonic_mean([40, 60]), statistics.fmean([1, 2], weights=[3, 1])
statistics.quantiles(range(10), n=4), statistics.quantiles([1, 2, 3], n=2, method="inclusive"), statistics.median_grouped([1, 2, 2, 3])
statistics.correlation([1, 2, 3], [1, 2, 4]), statistics.covariance([1, 2, 3], [1, 2, 4]), statistics.linear_regression([1, 2, 3], [2, 4, 6])
statistics.NormalDist(100, 15).cdf(115), statistics.NormalDist.from_samples([1, 2, 3]), statistics.NormalDist() + 3, round(statistics.NormalDist().inv_cdf(.975), 6)
statistics.stdev([1])
statistics.mean([])
textwrap.wrap("a-b-c well-known hyphen", 8), textwrap.wrap("supercalifragilistic", 6), textwrap.wrap("aaa bbbbbbbbb", 4, break_long_words=False)
textwrap.fill("the quick brown fox jumps over", 15, initial_indent="* ", subsequent_indent="  "), textwrap.shorten("Hello world foo bar", 12, placeholder="..."), textwrap.wrap("a b c d e f g", 5, max_lines=2)
pprint.pformat([[1, 2], {"k": (1,)}], width=10), pprint.pformat({"a": 1, "b": {"c": 2}}, depth=1), pprint.pformat([1000000], underscore_numbers=True)
pprint.pformat("word " * 30, width=40), pprint.pformat({"x" * 20: {"y" * 20: ["z" * 20, "w" * 20]}}, width=40)
pprint.pformat(list(range(40)), compact=True, width=60), pprint.pformat({"b": 1, "a": 2}, sort_dicts=False), pprint.pformat(set())
pprint.pformat([Card(1, "H" * 30, ["x" * 30, "y" * 30])], width=50), pprint.pformat({"name": "model", "layers": [{"type": "linear", "in": i, "out": i * 2, "bias": True} for i in range(3)]}, indent=4)
pprint.pformat(collections.OrderedDict(a="x" * 50, b="y" * 50)), pprint.pformat(collections.defaultdict(list, {"a": ["x" * 40, "y" * 40]})), pprint.pformat(collections.Counter({"a" * 40: 1, "b" * 40: 2}))
json.loads("1.50", parse_float=decimal.Decimal), json.loads("[1, 2.0, -3e2]", parse_int=str), json.loads('{"a": [NaN, -Infinity]}')
json.loads("[1.2.3]")
Perm(8)
Perm.__members__, Point.__doc__, collections.UserString("ab").upper()
collections.namedtuple("Q", "a def")
"é\u20ac".encode("ascii", "backslashreplace"), "é".encode("ascii", "xmlcharrefreplace"), repr("\u200b\ufeff\ue000")
base64.b32encode(b"hello"), base64.b32decode("NBSWY3DP"), html.escape("<a & 'b'>"), html.unescape("&lt;&#65;&eacute;&hellip;")
fnmatch.filter(["a.py", "b.txt", "cc.py"], "*.py"), fnmatch.fnmatch("resnet50", "res*[0-9]"), fnmatch.translate("a?[!b]*") != "", shlex.split("a 'b c' \"d\\\"e\" f\\ g"), shlex.quote("it's"), shlex.join(["a", "b c"])
shlex.split("a 'b")
difflib.get_close_matches("appel", ["ape", "apple", "peach"]), round(difflib.SequenceMatcher(None, "abcd", "bcde").ratio(), 3), difflib.SequenceMatcher(None, "qabxcd", "abycdf").get_opcodes()
list(difflib.unified_diff(["a", "b", "c"], ["a", "x", "c"], "one", "two", lineterm=""))
pathlib.PurePosixPath("/a/b").relative_to("/a"), pathlib.Path("a.txt").with_stem("q"), pathlib.Path("a/b").match("*/b"), pathlib.Path("a/b").is_relative_to("a")
pathlib.Path("a").relative_to("b")
"abc"["a"]
[1, 2]["a"]
max()
range(1, 2, 0)
chr(0x110000)
ord("ab")
len(secrets.token_hex(4)), secrets.randbelow(1), platform.system(), inspect.iscoroutinefunction(shown)
'''.strip().splitlines():
    shown(line)

print("== settings")
parser = argparse.ArgumentParser(prog="t")
parser.add_argument("-v", action="count", default=0)
parser.add_argument("-n", type=int)
parser.add_argument("-q", action="store_true")
print(parser.parse_args(["-vv", "-n3", "-qv"]))
settings = configparser.ConfigParser()
settings.read_string("[DEFAULT]\nroot = /d\n[a]\nx = 1\ny: hello\n  more\n; no\n[b]\nz = %(root)s/q\non = yes\n")
print(settings.sections(), settings["a"]["x"], settings.getint("a", "x"), settings["b"]["z"], settings.getboolean("b", "on"),
      dict(settings["a"]), settings.get("a", "k", fallback="d"), "c" in settings, settings.has_option("b", "root"))
for wrong in (lambda: settings["zz"], lambda: settings.get("a", "k"), lambda: settings.getint("a", "y")):
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e)
settings["c"] = {"n": "5"}
settings.write(out := io.StringIO())
print(out.getvalue())

print("== where")


def deep(n):
    if n == 0:
        raise ValueError("deep down")
    deep(n - 1)


class Kept:
    # a comment
    def method(self):
        return inspect.currentframe().f_code.co_name, inspect.stack()[1].function


def caller():
    return Kept().method()


try:
    deep(2)
except ValueError as e:
    print([(f.name, f.line) for f in traceback.extract_tb(e.__traceback__)])
    print(traceback.format_exception_only(type(e), e), traceback.format_exc().splitlines()[0], len(traceback.format_tb(e.__traceback__)))
print(inspect.getsource(deep), inspect.getsource(Kept), inspect.getsourcelines(caller), caller(), sep="\n")
print([f.name for f in traceback.extract_stack()], sys.modules["__main__"].Kept is Kept)

print("== logging")
handler = logging.StreamHandler(sys.stdout)
handler.setFormatter(logging.Formatter("[%(levelname)-8s] %(name)s:%(funcName)s:%(module)s - %(message)s"))
handler.formatter.formatException = lambda told: f"{told[0].__name__}: {told[1]}"  # without the place
log = logging.getLogger("app.train")
log.addHandler(handler)
log.setLevel(logging.DEBUG)
log.propagate = False


def logs():
    log.debug("d %s", 1)
    log.warning("w %(a)s", {"a": 1})
    log.log(25, "custom")
    try:
        raise ValueError("inside")
    except ValueError:
        log.exception("oops")


logs()
logging.addLevelName(25, "NOTICE")
handler.addFilter(lambda record: "secret" not in record.getMessage())
log.info("secret")
log.log(25, "public")
print(log, log.handlers, log.parent, logging.getLevelName("INFO"), log.isEnabledFor(5), logging.getLogger("app") is logging.getLogger("app.train").parent)


class Adapter(logging.LoggerAdapter):
    def process(self, msg, kwargs):
        return f"[{self.extra['id']}] {msg}", kwargs


Adapter(log, {"id": 7}).info("adapted")
handler.setFormatter(logging.Formatter("{levelname:>8}|{message}", style="{"))
log.error("braces %d", 3)
print(bool(time.strptime(logging.Formatter("%(asctime)s").format(logging.makeLogRecord({"msg": "x"}))[:19], "%Y-%m-%d %H:%M:%S")))

print("== tests")


class Tests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.n = 3

    def test_equal(self):
        self.assertEqual(self.n, 3)
        self.assertAlmostEqual(.1 + .2, .3)
        with self.assertRaisesRegex(ValueError, "bad .*"):
            raise ValueError("bad thing")

    def test_fails(self):
        self.assertEqual([1, 2], [1, 3])

    @unittest.skip("later")
    def test_later(self):
        pass

    def test_parts(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertLess(i, 2, "too much")

    def test_raises(self):
        self.assertIn(3, [])


result = unittest.TextTestRunner(stream=(told := io.StringIO()), verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(Tests))
print(result.testsRun, len(result.failures), len(result.errors), len(result.skipped), result.wasSuccessful(), result)
print([line for line in told.getvalue().splitlines() if line.startswith(("test_", "AssertionError", "FAIL"))])

print("== groups")


def groups(error):
    try:
        raise error
    except* ValueError as g:
        print("values", g.exceptions, g)
    except* (TypeError, KeyError) as g:
        print("types", g.exceptions)
        if len(g.exceptions) > 1:
            raise RuntimeError("more")
    else:
        print("nothing")
    finally:
        print("at last")


for error in (ValueError(1), ExceptionGroup("eg", [ValueError(1), TypeError("t"), ExceptionGroup("in", [KeyError("k"), ValueError(2)])]),
              ExceptionGroup("left", [OSError("o"), ValueError(3)])):
    try:
        groups(error)
    except Exception as e:
        print(type(e).__name__, e, getattr(e, "exceptions", None))
whole = ExceptionGroup("w", [ValueError(1), ExceptionGroup("x", [TypeError(2)])])
print(whole.split(TypeError), whole.subgroup(ValueError), repr(whole), whole.message, isinstance(whole, Exception))
shown("ExceptionGroup('a', [])")
shown("ExceptionGroup(1, [ValueError()])")

print("== coroutines")


async def fetch(n, delay=0.0):
    await asyncio.sleep(delay)
    return n * 2


async def counted(n):
    for i in range(n):
        yield i
        await asyncio.sleep(0)


class Manager:
    async def __aenter__(self):
        print("enter")
        return self

    async def __aexit__(self, kind, error, trace):
        print("exit", kind)
        return kind is KeyError


async def fails():
    await asyncio.sleep(0)
    raise ValueError("failed")


async def main():
    print(await asyncio.gather(fetch(1, .02), fetch(2, .01)), await fetch(3), [i async for i in counted(3) if i != 1])
    async with Manager() as m, Manager():
        print(type(m).__name__)
        raise KeyError
    async for i in counted(5):
        if i == 1:
            continue
        if i == 3:
            break
        print("i", i)
    else:
        print("not reached")
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(5)
    except TimeoutError as e:
        print("timeout", type(e).__name__)
    try:
        await asyncio.wait_for(fetch(1, 5), timeout=0.01)
    except asyncio.TimeoutError:
        print("waited")
    queue = asyncio.Queue(maxsize=2)

    async def produce():
        for i in range(4):
            await queue.put(i)
        await queue.put(None)

    async def consume():
        found = []
        while (item := await queue.get()) is not None:
            found.append(item)
        return found

    print(await asyncio.gather(produce(), consume()), await asyncio.gather(fails(), fetch(1), return_exceptions=True))
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fails())
            one = group.create_task(fetch(7))
    except* ValueError as g:
        print("group", g.exceptions)
    print(one.done(), f"{await fetch(4)}")
    task = asyncio.create_task(fetch(1, 5))
    await asyncio.sleep(0)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        print("cancelled", task.cancelled())
    lock, event, order = asyncio.Lock(), asyncio.Event(), []

    async def worker(n):
        async with lock:
            order.append(n)
            await asyncio.sleep(0)
            order.append(n)
        await event.wait()
        return n

    workers = [asyncio.create_task(worker(n)) for n in range(3)]
    await asyncio.sleep(0.01)
    event.set()
    done, pending = await asyncio.wait(workers)
    print(order, len(done), pending, sorted(t.result() for t in done))
    for future in asyncio.as_completed([fetch(1, .02), fetch(2, .01)]):
        print(await future)
    return "ok"


print(asyncio.run(main()), inspect.iscoroutinefunction(main), inspect.isasyncgenfunction(counted))
coroutine = fetch(1)
print(type(coroutine).__name__, asyncio.iscoroutine(coroutine), type(counted(1)).__name__)
coroutine.close()
for wrong in (lambda: list(fetch(1)), lambda: asyncio.run(3), lambda: asyncio.get_running_loop()):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wrong()
    except (TypeError, ValueError, RuntimeError) as e:
        print(type(e).__name__, e)

print("== modules by name, signals, streams")
import importlib
import importlib.metadata
import importlib.util
import math
import signal
import zlib

shown("importlib.import_module('math').sqrt(4), importlib.import_module('collections.abc').Sized.__name__")
shown("importlib.import_module('no_such_module')")
shown("importlib.import_module('.abc', 'collections').__name__, importlib.util.find_spec('json') is not None, importlib.util.find_spec('nothing_here')")
shown("signal.SIGINT, int(signal.SIGTERM), signal.Signals(2).name, signal.SIGALRM.value, signal.signal(signal.SIGINT, signal.SIG_IGN) is signal.default_int_handler")
for data in (b"", b"a", b"abc" * 100, bytes(range(256)), b"to be or not to be, that is the question"):
    print(zlib.crc32(data), zlib.adler32(data), zlib.decompress(zlib.compress(data)) == data)
print(zlib.decompress(bytes.fromhex("789c4b4c4a4e8421858cd49c9c7c08090070120901")), zlib.crc32(zlib.decompress(bytes.fromhex("78da1d8bd111045108c25a496bf850e9bf82f5ee0b8690477525615dd12e4a9b1a49a0c52b7cd8e3cbbe857a740dd7dccd99e7f8cc373095ff61278a1a8ebe87e57b2fc3e4376a3f246b254a"))))
shown("zlib.decompress(b'nothing')")
shown("importlib.metadata.version('no-such-package')")

print("== commands of programs")


def parser():
    p = argparse.ArgumentParser(prog="tool", description="Does it.")
    p.add_argument("-v", "--verbose", action="count", default=0)
    sub = p.add_subparsers(dest="command", required=True, help="what to do")
    t = sub.add_parser("train", help="fits a model", aliases=["fit"])
    t.add_argument("data")
    t.add_argument("--lr", type=float, default=.1)
    t.set_defaults(run="trains")
    e = sub.add_parser("eval", help="measures it")
    e.add_argument("--split", choices=["a", "b"], default="a")
    return p


print(parser().parse_args(["-vv", "train", "x.csv", "--lr", ".5"]), parser().parse_args(["eval"]), parser().parse_args(["fit", "y"]).run)
print(parser().format_help())
for line in (["eval", "--split", "c"], ["walk"], [], ["train"]):
    with contextlib.redirect_stderr(told := io.StringIO()):
        try:
            parser().parse_args(line)
        except SystemExit as e:
            print(e.code, told.getvalue())
q = argparse.ArgumentParser(prog="q")
s = q.add_subparsers(title="actions", description="one of these", metavar="ACTION")
s.add_parser("go", help="goes").set_defaults(f=3)
print(q.format_help(), q.parse_args(["go"]), q.parse_args([]))

print("== mocks")
from unittest import mock
from unittest.mock import ANY, MagicMock, Mock, call, patch, sentinel

m = Mock(return_value=3)
print(m(1, a=2), m.called, m.call_count, m.call_args, m.call_args_list, m.mock_calls, m.call_args.args, m.call_args.kwargs)
m.assert_called_once_with(1, a=2)


def told_by(f):
    try:
        f()
    except (AssertionError, AttributeError, StopIteration, ValueError) as e:
        print(type(e).__name__, e)
    else:
        print("nothing")


told_by(lambda: m.assert_called_with(2))
told_by(lambda: m.assert_not_called())
told_by(lambda: m.assert_any_call(5))
told_by(lambda: m.assert_has_calls([call(1, a=2), call(9)]))
m(4)
told_by(m.assert_called_once)
told_by(lambda: m.assert_called_once_with(4))
told_by(lambda: m.assert_has_calls([call(4), call(1, a=2)], any_order=True))
told_by(Mock(name="thing").assert_called)
told_by(lambda: Mock(name="thing").assert_called_with(1))
m.side_effect = [1, ValueError("x")]
print(m())
told_by(m)
told_by(m)
m.side_effect = lambda *a: mock.DEFAULT if a else "none"
print(m(1), m())
m.reset_mock()
print(m.called, m.call_args, m.mock_calls)
mm = MagicMock()
mm.foo.bar.return_value = 7
print(mm.foo.bar(1), mm.foo.bar.call_count, len(mm), bool(mm), list(mm), 3 in mm, int(mm), mm.mock_calls[:1], mm.method_calls)
mm["k"] = 1
mm.__setitem__.assert_called_with("k", 1)
mm.__len__.return_value = 4
mm.__getitem__.side_effect = lambda k: k * 2
mm.__iter__.return_value = [1, 2]
with mm as inside:
    print(len(mm), mm["ab"], list(mm), inside is mm.__enter__.return_value, mm.__exit__.called)
m = Mock(spec=["a"])
m.a(1).b(2)
told_by(lambda: m.b)
print(m.mock_calls, m.a.return_value.b.call_args, call.a(1).b(2), call(1) == ((1,), {}), ANY == 5, sentinel.one, sentinel.one is sentinel.one)
m = Mock(x=5, **{"y.z.return_value": 6})
print(m.x, m.y.z(), m.method_calls, m.mock_calls)
told_by(lambda: m.assert_caled())


class Loader:
    scale = 2

    def fetch(self, n):
        raise ValueError("network")


def use(loader):
    return loader.fetch(3) * Loader.scale


with patch.object(Loader, "fetch", return_value=4) as f, patch.object(Loader, "scale", 10):
    print(use(Loader()))
    f.assert_called_once_with(3)
told_by(lambda: use(Loader()))
told_by(lambda: patch.object(Loader, "nope").__enter__())
with patch("math.floor", side_effect=lambda x: -1) as p:
    print(math.floor(2.5), p.call_args == call(2.5))
print(math.floor(2.5), Loader.scale)
with patch.dict({"a": 1}, {"b": 2}) as d, patch.multiple(Loader, scale=7, fetch=mock.DEFAULT) as made:
    print(d, Loader.scale, list(made), Loader().fetch is made["fetch"])


@patch.object(Loader, "fetch")
@patch("math.sqrt", return_value=9)
def patched(sqrt, fetch, more=1):
    fetch.return_value = 5
    return math.sqrt(2), use(Loader()), more, sqrt.call_count, fetch.call_args_list


print(patched(more=3), math.sqrt(4))
started = patch.object(Loader, "scale", 99)
print(started.start(), Loader.scale, started.stop(), Loader.scale)
with patch.object(Loader, "scale", new_callable=mock.PropertyMock, return_value=8):
    print(Loader().scale)
wrapped = Mock(wraps=[3, 1, 2])
print(wrapped.index(1), wrapped.index.call_args)
opened = mock.mock_open(read_data="one\ntwo\n")
with opened("f") as handle:
    print(handle.read(), opened.call_args)
called = mock.AsyncMock(return_value=3)
print(asyncio.run(called(1)), called.call_args, called.await_count)

print("== what classes say of their data")
import collections
import dataclasses


@dataclasses.dataclass(frozen=True, order=True)
class Data:
    a: int
    b: dataclasses.InitVar[float] = 1.0


print(Data.__dataclass_params__, Data.__annotations__)


class Place:
    def __index__(self):
        return 1


shown("collections.deque([1, 2, 3])[Place()], collections.deque([1, 2, 3])[True]")
shown("collections.deque([1, 2, 3])[0:1]")
