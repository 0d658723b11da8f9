#---- order
def f(x):
    try:
        print("try")
        if x: raise ValueError("v")
    except ValueError as e:
        print("except", e)
        return "r1"
    else:
        print("else")
    finally:
        print("finally")
    return "r2"
print(f(0), f(1))
#---- finally overrides
def f():
    try:
        return 1
    finally:
        return 2
def g():
    for i in range(3):
        try:
            continue
        finally:
            print("f", i)
    return "g"
def h():
    while True:
        try:
            break
        finally:
            print("brk")
    return "h"
print(f(), g(), h())
#---- hierarchy
for e in (KeyError("k"), IndexError("i"), ZeroDivisionError("z"), FileNotFoundError("f"), NotImplementedError(), RecursionError(), UnboundLocalError("u"), ModuleNotFoundError("m"), UnicodeDecodeError if False else UnicodeError("x"), TimeoutError("t"), StopIteration(3), KeyboardInterrupt(), SystemExit(1), OSError("o"), EOFError(), PermissionError("p"), BufferError(), FloatingPointError(), ConnectionError()):
    print(type(e).__name__, [c.__name__ for c in type(e).__mro__[1:-1]])
#---- tuple of types
for f in (lambda: {}["a"], lambda: [][0], lambda: int("x")):
    try:
        f()
    except (KeyError, IndexError) as e:
        print("lookup", type(e).__name__)
    except ValueError:
        print("value")
#---- user classes
class MyError(Exception):
    def __init__(self, code, msg="m"):
        super().__init__(msg)
        self.code = code
class Sub(MyError): pass
try:
    raise Sub(5)
except MyError as e:
    print(type(e).__name__, e.code, e, e.args, repr(e), isinstance(e, Exception))
class Strange(Exception):
    def __str__(self): return "strange!"
try:
    raise Strange(1, 2)
except Exception as e:
    print(e, e.args, repr(e))
#---- args
for e in (ValueError(), ValueError("a"), ValueError("a", 1), KeyError("k"), KeyError(1), Exception(None)):
    print(str(e), repr(e), e.args)
#---- raise class
try:
    raise ValueError
except ValueError as e:
    print(repr(e))
try:
    raise NotImplementedError
except NotImplementedError as e:
    print("ni")
#---- raise from
try:
    try:
        1 / 0
    except ZeroDivisionError as e:
        raise ValueError("bad") from e
except ValueError as e:
    print(repr(e.__cause__), repr(e.__context__), e.__suppress_context__)
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise ValueError("x") from None
except ValueError as e:
    print(e.__cause__, repr(e.__context__), e.__suppress_context__)
#---- raise from bad
for bad in (3, "x"):
    try:
        raise ValueError("a") from bad
    except TypeError as e:
        print(e)
try:
    raise ValueError("a") from KeyError
except ValueError as e:
    print(repr(e.__cause__))
#---- context
try:
    try:
        {}["x"]
    except KeyError:
        [][1]
except IndexError as e:
    print(repr(e.__context__), e.__cause__)
#---- bare raise
def f():
    try:
        1 / 0
    except ZeroDivisionError:
        print("log")
        raise
try:
    f()
except ZeroDivisionError as e:
    print("again", e)
#---- bare raise outside
try:
    raise
except RuntimeError as e:
    print(e)
def g(): raise
try:
    try:
        1 / 0
    except ZeroDivisionError:
        g()
except ZeroDivisionError as e:
    print("from g", e)
#---- raise not exception
for v in (3, "text", None, int):
    try:
        raise v
    except TypeError as e:
        print(e)
#---- name deleted
try:
    raise ValueError("x")
except ValueError as e:
    pass
try:
    e
except NameError as err:
    print(err)
#---- nested
def f():
    try:
        try:
            raise KeyError("a")
        except ValueError:
            print("no")
        finally:
            print("inner finally")
    except KeyError as e:
        print("outer", e)
        try:
            raise RuntimeError("b")
        except RuntimeError as e2:
            print(e2, e)
    finally:
        print("outer finally")
f()
#---- assert
try:
    assert 1 == 2, "message"
except AssertionError as e:
    print(e, e.args)
try:
    assert []
except AssertionError as e:
    print(repr(str(e)), e.args)
assert True
assert (1, "always true") if True else None
#---- loop else
for i in range(3):
    if i == 5: break
else:
    print("no break")
while True:
    break
else:
    print("never")
#---- exception in else and finally
try:
    try:
        pass
    except ValueError:
        print("no")
    else:
        raise ValueError("from else")
except ValueError as e:
    print(e)
try:
    try:
        raise KeyError("1")
    finally:
        raise ValueError("2")
except ValueError as e:
    print(e, repr(e.__context__))
#---- catch all
try:
    undefined
except:
    print("caught all")
try:
    raise SystemExit(3)
except SystemExit as e:
    print("exit", e.code)
try:
    raise KeyboardInterrupt
except BaseException as e:
    print(type(e).__name__)
#---- sys exc_info and traceback
import sys, traceback
try:
    1 / 0
except ZeroDivisionError:
    t, v, tb = sys.exc_info()
    print(t.__name__, v, tb is not None)
    print(traceback.format_exc().splitlines()[-1], traceback.format_exc().splitlines()[0])
print(sys.exc_info())
#---- with_traceback and add_note
e = ValueError("x").with_traceback(None)
e.add_note("a note")
print(e.__notes__, e.__traceback__)
#---- exceptions compare
a = ValueError("x")
print(a == ValueError("x"), a == a, isinstance(a, ValueError), issubclass(KeyError, LookupError), ValueError.__name__, type(a).__mro__[1].__name__)
#---- finally with generator
def g():
    try:
        yield 1
    finally:
        print("gen finally")
for x in g(): print(x)
#---- return in with
class C:
    def __enter__(self): return 1
    def __exit__(self, *a): print("exit", a[0]); return False
def f():
    for i in range(2):
        with C():
            if i: return i
print(f())
#---- error in exit
class C:
    def __enter__(self): return self
    def __exit__(self, *a): raise RuntimeError("in exit")
try:
    with C(): raise ValueError("body")
except RuntimeError as e:
    print(e, repr(e.__context__))
#---- uncaught value error
print("before")
raise ValueError("end of script")
#---- uncaught in function
def f(x):
    return 1 / x
f(0)
#---- uncaught own class
class MyError(RuntimeError): pass
raise MyError("mine", 2)
#---- uncaught assert
assert 1 > 2, f"expected {1}"
#---- uncaught key error
{"a": 1}["b"]
#---- uncaught no message
raise KeyError
#---- system exit
import sys
print("x")
sys.exit(0)
print("y")
#---- warnings
import warnings
warnings.warn("careful")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    warnings.warn("quiet")
warnings.filterwarnings("ignore", category=UserWarning)
print("ok", issubclass(DeprecationWarning, Warning))
warnings.filterwarnings("error")
try:
    warnings.warn("now an error", RuntimeWarning)
except RuntimeWarning as e:
    print(e)
#---- files and network
for f in (lambda: open("missing_file.txt"), ):
    try:
        f()
    except OSError as e:
        print("OSError")
#---- import errors
try:
    import does_not_exist
except ImportError as e:
    print(type(e).__name__, e, e.name)
try:
    from math import nothing_here
except ImportError as e:
    print(type(e).__name__)
#---- error attributes
try:
    (3).foo
except AttributeError as e:
    print(e.name, e.obj)
try:
    undefined_thing
except NameError as e:
    print(e.name)
try:
    raise StopIteration(5)
except StopIteration as e:
    print(e.value)
try:
    raise OSError(2, "No such file")
except OSError as e:
    print(e.errno, e.strerror, e)
#---- retry loop
def flaky(state={"n": 0}):
    state["n"] += 1
    if state["n"] < 3: raise ConnectionError(f"try {state['n']}")
    return "ok"
for attempt in range(5):
    try:
        print(flaky())
        break
    except ConnectionError as e:
        print(e)
#---- exception chaining text
import traceback
try:
    try:
        int("x")
    except ValueError as e:
        raise RuntimeError("wrapped") from e
except RuntimeError as e:
    lines = traceback.format_exception(e)
    text = "".join(lines)
    print("direct cause" in text, "ValueError: invalid literal for int() with base 10: 'x'" in text, text.strip().splitlines()[-1])
