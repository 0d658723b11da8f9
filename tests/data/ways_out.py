# SPDX-License-Identifier: Apache-2.0
# Every way out of a loop, a handler or a with block while another way out is pending in a finally block: what is
# pending is dropped, and the loops around go on with their own iterators. Recorded: ways_out.txt.
import torch

WAYS = ("return", "raise", "break", "continue", "on")


class Manager:
    def __init__(self, log, swallows=False):
        self.log, self.swallows = log, swallows

    def __enter__(self):
        self.log.append("in")

    def __exit__(self, kind, error, trace):
        self.log.append("out" if kind is None else kind.__name__)
        return self.swallows


def of_for(first, second, log):
    for i in range(3):
        log.append(i)
        try:
            if first == "return": return iter([7, 8])
            if first == "raise": raise ValueError(i)
            if first == "break": break
            if first == "continue": continue
        finally:
            log.append("f")
            if second == "return": return "second"
            if second == "raise": raise KeyError(i)
            if second == "break": break
            if second == "continue": continue
        log.append("on")
    else:
        log.append("else")
    return "end"


def of_while(first, second, log):
    i = 0
    while i < 3:
        i += 1
        log.append(i)
        try:
            try:
                if first == "return": return "first"
                if first == "raise": raise ValueError(i)
                if first == "break": break
                if first == "continue": continue
            finally:
                for k in (1, 2):
                    log.append(-k)
                    if second == "break" and k == 2: break
                if second == "return": return "second"
                if second == "raise": raise KeyError(i)
                if second == "continue": continue
        except ValueError as e:
            log.append(str(e))
        finally:
            log.append("f")
            if second == "break" and i == 2: break
    return "end"


def of_loops(first, second, log):
    for i in "ab":
        for j in "xy":
            with Manager(log):
                log.append(i + j)
                try:
                    if first == "return": return i
                    if first == "raise": raise ValueError(i)
                    if first == "break": break
                    if first == "continue": continue
                finally:
                    try:
                        with Manager(log, True):
                            if second == "return": return "second"
                            if second == "raise": raise KeyError(j)
                            if second == "break": break
                            if second == "continue": continue
                    finally:
                        log.append("f")
                        if j == "x" and second == "on": continue
    return "end"


def of_handlers(first, second, log):
    for i in range(3):
        try:
            try:
                raise ValueError(i)
            except ValueError as e:
                log.append(str(e))
                if first == "return": return [1, 2]
                if first == "raise": raise
                if first == "break": break
                if first == "continue": continue
            finally:
                for k in [5, 6]:
                    try:
                        if k == 5 and second == "return": return "second"
                        if second == "raise": raise KeyError(k)
                    except KeyError:
                        log.append(k)
                        if k == 5: continue
                        break
                    finally:
                        log.append("f")
                        if second == "continue": continue
                        if second == "break": break
        finally:
            log.append("g")
            if second != "return": continue
    return "end"


def of_generators(first, second, log):
    def values():
        for i in range(3):
            try:
                yield i
                if first == "return": return 5
                if first == "raise": raise ValueError(i)
                if first == "break": break
                if first == "continue": continue
            finally:
                yield -i
                if second == "return": return 6
                if second == "raise": raise KeyError(i)
                if second == "break": break
                if second == "continue": continue
    for v in values():
        log.append(v)
    return "end"


def told(f, *args):
    log = []
    try:
        result = f(*args, log)
        return log, list(result) if hasattr(result, "__next__") else result
    except Exception as e:
        return log, type(e).__name__, type(e.__context__).__name__


for f in (of_for, of_while, of_loops, of_handlers, of_generators):
    for first in WAYS:
        for second in WAYS:
            print(f.__name__, first, second, *told(f, first, second))


# A handler that is left is over: what runs behind it handles nothing.
def raised_again(way):
    for i in range(2):
        try:
            try:
                raise ValueError(i)
            except ValueError:
                if way == "return": return i
                if way == "break": break
                if way == "continue": continue
        finally:
            if way == "raise": raise KeyError(i)
            raise
    return "end"


def in_return(way):
    try:
        try:
            raise ValueError(1)
        finally:
            if way == "return": return 1
    finally:
        if way == "raise": raise KeyError(2)
        raise


for f in (raised_again, in_return):
    for way in WAYS:
        try:
            print(f.__name__, way, f(way))
        except Exception as e:
            print(f.__name__, way, type(e).__name__, e, type(e.__context__).__name__)


# In compiled functions.
def stepped(x, first, second):
    for i in range(4):
        try:
            if first == "return" and i < 2: return [x, 20]
            if first == "break" and i < 3: break
            if first == "raise": raise ValueError(i)
        finally:
            x = x + i
            if second == "continue" and i < 3: continue
            if second == "break": break
            if second == "print": print("finally", i); continue
        x = x * 2
    return x


for first in ("return", "raise", "break", "on"):
    for second in ("continue", "break", "print", "on"):
        torch.compiler.reset()  # one function, compiled for each of these
        for f in (stepped, torch.compile(stepped)):
            try:
                print("compiled", first, second, f(torch.ones(2), first, second))
            except Exception as e:
                print("compiled", first, second, type(e).__name__, e)
