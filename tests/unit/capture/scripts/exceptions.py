def attempt(f):
    try:
        return f()
    except ZeroDivisionError as e:
        return "zero"
    except (KeyError, IndexError) as e:
        return type(e).__name__
    except Exception as e:
        return "other " + type(e).__name__
    else:
        return "else"
    finally:
        print("finally", end=" ")


print(attempt(lambda: 1 / 0), attempt(lambda: {}["a"]), attempt(lambda: [][1]), attempt(lambda: int("x")), attempt(lambda: 5))


class MyError(ValueError):
    def __init__(self, code):
        super().__init__(f"code {code}")
        self.code = code


try:
    raise MyError(7)
except ValueError as e:
    print(e, e.code, e.args, isinstance(e, MyError))
try:
    try:
        raise KeyError("inner")
    except KeyError:
        raise
    finally:
        print("cleanup")
except LookupError as e:
    print("caught", repr(e))
try:
    assert 1 == 2, "message"
except AssertionError as e:
    print(e)


def finals():
    for i in range(3):
        try:
            if i == 1:
                continue
            if i == 2:
                return "returned"
        finally:
            print("f", i)


print(finals())


class Manager:
    def __init__(self, swallow):
        self.swallow = swallow

    def __enter__(self):
        print("enter")
        return self

    def __exit__(self, kind, error, trace):
        print("exit", error)
        return self.swallow


with Manager(True) as m, Manager(False):
    print("body", m.swallow)
    raise RuntimeError("boom")
with Manager(False):
    print("fine")


def in_with():
    for i in range(2):
        with Manager(False):
            if i == 0:
                continue
            return i


print(in_with())
try:
    raise NotImplementedError
except RuntimeError as e:
    print(type(e).__name__, str(e) == "")
try:
    undefined_name
except NameError:
    print("name error")
try:
    None.attribute
except AttributeError:
    print("attribute error")
try:
    raise ValueError("a", 1)
except ValueError as e:
    print(e.args)


def nested():
    try:
        try:
            1 / 0
        except ZeroDivisionError:
            raise ValueError("second")
    except ValueError as e:
        return str(e)


print(nested())
for i in range(3):
    try:
        if i == 1:
            raise ValueError
        print("ok", i)
    except ValueError:
        print("skip", i)
        continue
import math

for name in ["exp", "expm1", "cosh", "sinh"]:
    try:
        getattr(math, name)(1000)
    except OverflowError as error:
        print(name, error)
try:
    math.log2(0)
except ValueError as error:
    print(error)
print(math.exp(float("inf")))


class Negative:
    def __len__(self):
        return -1


try:
    len(Negative())
except ValueError as error:
    print(error)
for container in [{1: 1, 2: 2}, {1, 2}]:
    try:
        for key in container:
            print("key", key)
            if isinstance(container, dict):
                container[key + 10] = 0
            else:
                container.add(key + 10)
    except RuntimeError as error:
        print(error)
once = {1: 1}
ended = iter(once)
print(next(ended), next(ended, "end"))
once[2] = 2
print(next(ended, "end"))


class Grows:
    def __lt__(self, other):
        grown.append(self)
        return True


grown = [Grows() for i in range(5)]
try:
    grown.sort()
except ValueError as error:
    print(error, len(grown))
cleared = list(range(5))
cleared.sort(key=lambda x: cleared.clear() or -x)
print(cleared)
broken = [3, 1, "a", 2]
try:
    broken.sort()
except TypeError:
    print("still", len(broken))

error = "kept"
try:
    raise ValueError("x")
except ValueError as error:
    pass
try:
    error
except NameError:
    print("the name is gone")


def forgets(how):
    for i in range(2):
        try:
            raise ValueError(i)
        except ValueError as caught:
            if how == "return":
                return caught.args
            if how == "continue":
                continue
            if how == "break":
                break
            if how == "del":
                del caught
            if how == "raise":
                raise KeyError("from the handler")
    try:
        return caught
    except UnboundLocalError:
        return how + ": unbound"


for how in ["return", "continue", "break", "del", "fall"]:
    print(forgets(how))
try:
    forgets("raise")
except KeyError as error:
    print(repr(error), error.args)


def closes():
    try:
        raise ValueError("inner")
    except ValueError as caught:
        def later():
            return caught
        print(later())
    try:
        later()
    except NameError:
        print("gone for closures")


closes()
