# SPDX-License-Identifier: Apache-2.0
"""Tests as classes: cases, suites, and a runner that prints what Python's prints."""
import sys as _sys
import time as _time
import traceback as _traceback
import types as _types
import difflib as _difflib
import pprint as _pprint
import re as _re
import warnings as _warnings


class SkipTest(Exception):
    pass


def skip(reason):
    def decorate(item):
        if not isinstance(item, type):
            def skipped(*args, **kwargs):
                raise SkipTest(reason)
            skipped.__name__, skipped.__doc__ = item.__name__, item.__doc__
            return skipped
        item.__unittest_skip__, item.__unittest_skip_why__ = True, reason
        return item

    if isinstance(reason, _types.FunctionType):
        item, reason = reason, ""
        return decorate(item)
    return decorate


def skipIf(condition, reason):
    return skip(reason) if condition else lambda item: item


def skipUnless(condition, reason):
    return skipIf(not condition, reason)


def expectedFailure(item):
    item.__unittest_expecting_failure__ = True
    return item


class TestResult:
    def __init__(self, stream=None, descriptions=None, verbosity=None):
        self.failures, self.errors, self.skipped = [], [], []
        self.expectedFailures, self.unexpectedSuccesses = [], []
        self.testsRun, self.shouldStop, self.failfast = 0, False, False

    def startTest(self, test):
        self.testsRun += 1

    def stopTest(self, test):
        pass

    def startTestRun(self):
        pass

    def stopTestRun(self):
        pass

    def addSuccess(self, test):
        pass

    def addFailure(self, test, err):
        self.failures.append((test, self._told(err)))
        self.shouldStop = self.shouldStop or self.failfast

    def addError(self, test, err):
        self.errors.append((test, self._told(err)))
        self.shouldStop = self.shouldStop or self.failfast

    def addSkip(self, test, reason):
        self.skipped.append((test, reason))

    def addExpectedFailure(self, test, err):
        self.expectedFailures.append((test, self._told(err)))

    def addUnexpectedSuccess(self, test):
        self.unexpectedSuccesses.append(test)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            failed = issubclass(err[0], test.failureException)
            (self.failures if failed else self.errors).append((subtest, self._told(err)))

    def wasSuccessful(self):
        return not (self.failures or self.errors or self.unexpectedSuccesses)

    def stop(self):
        self.shouldStop = True

    def _told(self, err):
        return "".join(_traceback.format_exception(*err))

    def __repr__(self):
        return (f"<{type(self).__module__}.{type(self).__qualname__} run={self.testsRun} errors={len(self.errors)} "
                f"failures={len(self.failures)}>")


class _SubTest:
    def __init__(self, test, message, params):
        self.test, self._message, self.params = test, message, params

    def _described(self):
        parts = [f"[{self._message}]"] if self._message is not None else []
        if self.params:
            parts.append("({})".format(", ".join(f"{k}={v!r}" for k, v in self.params.items())))
        return " ".join(parts) or "(<subtest>)"

    def id(self):
        return f"{self.test.id()} {self._described()}"

    def __str__(self):
        return f"{self.test} {self._described()}"


class _Raises:
    def __init__(self, case, expected, pattern=None):
        self._case, self._expected, self._pattern, self.msg = case, expected, pattern, None

    def _name(self):
        expected = self._expected
        return " or ".join(e.__name__ for e in expected) if isinstance(expected, tuple) else expected.__name__

    def handle(self, args, kwargs):
        if not args:
            self.msg = kwargs.get("msg")
            return self
        function, *args = args
        with self:
            function(*args, **kwargs)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if kind is None:
            self._case.fail(self._case._formatMessage(self.msg, f"{self._name()} not raised"))
        if not issubclass(kind, self._expected):
            return False
        self.exception = error
        if self._pattern is not None and not _re.search(self._pattern, str(error)):
            pattern = self._pattern if isinstance(self._pattern, str) else self._pattern.pattern
            self._case.fail(self._case._formatMessage(self.msg, f'"{pattern}" does not match "{error}"'))
        return True


class _Warns(_Raises):
    def __enter__(self):
        self._caught = _warnings.catch_warnings(record=True)
        self.warnings = self._caught.__enter__()
        _warnings.simplefilter("always")
        return self

    def __exit__(self, kind, error, traceback):
        self._caught.__exit__(kind, error, traceback)
        if kind is not None:
            return False
        for one in self.warnings:
            if issubclass(one.category, self._expected):
                self.warning = one.message
                if self._pattern is None or _re.search(self._pattern, str(one.message)):
                    return True
        self._case.fail(self._case._formatMessage(self.msg, f"{self._name()} not triggered"))


class _Logs:
    def __init__(self, case, logger, level, none):
        import logging
        self._case, self._none, self._logging = case, none, logging
        self._logger = logger if isinstance(logger, logging.Logger) else logging.getLogger(logger)
        self._level = logging.INFO if level is None else getattr(logging, level) if isinstance(level, str) else level

    def __enter__(self):
        watch = self

        class Keep(self._logging.Handler):
            def emit(self, record):
                watch.records.append(record)
                watch.output.append(f"{record.levelname}:{record.name}:{record.getMessage()}")

        self.records, self.output = [], []
        logger = self._logger
        self._before = logger.handlers[:], logger.level, logger.propagate
        logger.handlers[:] = [Keep()]
        logger.setLevel(self._level)
        logger.propagate = False
        return self

    def __exit__(self, kind, error, traceback):
        self._logger.handlers[:], level, self._logger.propagate = self._before
        self._logger.setLevel(level)
        if kind is not None:
            return False
        name = self._logging.getLevelName(self._level)
        if self._none and self.records:
            self._case.fail(f"Unexpected logs found: {self.output!r}")
        if not self._none and not self.records:
            self._case.fail(f"no logs of level {name} or higher triggered on {self._logger.name}")
        return False


class TestCase:
    failureException = AssertionError
    longMessage = True
    maxDiff = 640

    def __init__(self, methodName="runTest"):
        self._testMethodName, self._cleanups, self._result = methodName, [], None
        if methodName != "runTest" and not hasattr(self, methodName):
            raise ValueError(f"no such test method in {type(self)}: {methodName}")
        method = getattr(self, methodName, None)
        self._testMethodDoc = method.__doc__ if method is not None else None

    def setUp(self):
        pass

    def tearDown(self):
        pass

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def id(self):
        return f"{type(self).__module__}.{type(self).__qualname__}.{self._testMethodName}"

    def shortDescription(self):
        return self._testMethodDoc.strip().split("\n")[0].strip() if self._testMethodDoc else None

    def __str__(self):
        kind = f"{type(self).__module__}.{type(self).__qualname__}"
        return f"{self._testMethodName} ({kind}.{self._testMethodName})"

    def __repr__(self):
        return f"<{type(self).__module__}.{type(self).__qualname__} testMethod={self._testMethodName}>"

    def countTestCases(self):
        return 1

    def addCleanup(self, function, /, *args, **kwargs):
        self._cleanups.append((function, args, kwargs))

    def enterContext(self, context):
        found = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return found

    def doCleanups(self):
        while self._cleanups:
            function, args, kwargs = self._cleanups.pop()
            function(*args, **kwargs)

    def defaultTestResult(self):
        return TestResult()

    def subTest(self, msg=None, **params):
        return _SubTestScope(self, _SubTest(self, msg, params))

    def skipTest(self, reason):
        raise SkipTest(reason)

    def run(self, result=None):
        result = result or self.defaultTestResult()
        self._result, self._failed_inside = result, False
        result.startTest(self)
        method = getattr(self, self._testMethodName)
        expects = getattr(method, "__unittest_expecting_failure__", False)
        try:
            if getattr(type(self), "__unittest_skip__", False):
                result.addSkip(self, type(self).__unittest_skip_why__)
                return result
            good = self._guarded(self.setUp, result, False)
            if good:
                good = self._guarded(method, result, expects)
                good = self._guarded(self.tearDown, result, False) and good
            good = self._guarded(self.doCleanups, result, False) and good
            if good and not self._failed_inside:
                result.addUnexpectedSuccess(self) if expects else result.addSuccess(self)
        finally:
            result.stopTest(self)
        return result

    def _guarded(self, step, result, expects):
        try:
            step()
            return True
        except SkipTest as why:
            result.addSkip(self, str(why))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            told = type(error), error, error.__traceback__
            if expects:
                result.addExpectedFailure(self, told)
            elif isinstance(error, self.failureException):
                result.addFailure(self, told)
            else:
                result.addError(self, told)
        return False

    def __call__(self, *args, **kwargs):
        return self.run(*args, **kwargs)

    def debug(self):
        self.setUp()
        getattr(self, self._testMethodName)()
        self.tearDown()
        self.doCleanups()

    def _formatMessage(self, msg, standard):
        if msg is None:
            return standard
        return f"{standard} : {msg}" if self.longMessage else msg

    def fail(self, msg=None):
        raise self.failureException(msg)

    def _unless(self, condition, msg, standard):
        if not condition:
            raise self.failureException(self._formatMessage(msg, standard))

    def assertTrue(self, expr, msg=None):
        self._unless(expr, msg, f"{_safe(expr)} is not true")

    def assertFalse(self, expr, msg=None):
        self._unless(not expr, msg, f"{_safe(expr)} is not false")

    def addTypeEqualityFunc(self, typeobj, function):
        if "_equalities" not in self.__dict__:
            self._equalities = {}
        self._equalities[typeobj] = function

    def assertEqual(self, first, second, msg=None):
        if type(first) is type(second):
            own = getattr(self, "_equalities", {}).get(type(first))
            if own is not None:
                return own(first, second, msg=msg)
            if type(first) is str:
                return self.assertMultiLineEqual(first, second, msg)
            if type(first) in (list, tuple):
                return self.assertSequenceEqual(first, second, msg, type(first))
            if type(first) is dict:
                return self.assertDictEqual(first, second, msg)
            if type(first) in (set, frozenset):
                return self.assertSetEqual(first, second, msg)
        self._unless(first == second, msg, f"{_safe(first)} != {_safe(second)}")

    def assertNotEqual(self, first, second, msg=None):
        self._unless(first != second, msg, f"{_safe(first)} == {_safe(second)}")

    def _differs(self, first, second, msg, standard, a, b):
        diff = "\n".join(line.rstrip("\n") for line in _ndiff(a, b))
        diff = "\n" + diff
        if self.maxDiff is not None and len(diff) > self.maxDiff:
            diff = f"Diff is {len(diff)} characters long. Set self.maxDiff to None to see it."
        raise self.failureException(self._formatMessage(msg, standard + diff))

    def assertMultiLineEqual(self, first, second, msg=None):
        if first != second:
            a, b = first.splitlines(True), second.splitlines(True)
            if len(a) == 1 and first.strip("\r\n") == first:
                a, b = [first + "\n"], [second + "\n"]
            self._differs(first, second, msg, f"{_safe(first, True)} != {_safe(second, True)}\n"[:-1], a, b)

    def assertSequenceEqual(self, first, second, msg=None, seq_type=None):
        if first == second:
            return
        name = (seq_type.__name__ if seq_type is not None else "sequence").capitalize()
        told = f"{name}s differ: {_safe(first, True)} != {_safe(second, True)}\n"
        for i in range(min(len(first), len(second))):
            if first[i] != second[i]:
                told += f"\nFirst differing element {i}:\n{_safe(first[i])}\n{_safe(second[i])}\n"
                break
        if len(first) > len(second):
            told += f"\nFirst {name.lower()} contains {len(first) - len(second)} additional elements.\n"
            told += f"First extra element {len(second)}:\n{_safe(first[len(second)])}\n"
        elif len(first) < len(second):
            told += f"\nSecond {name.lower()} contains {len(second) - len(first)} additional elements.\n"
            told += f"First extra element {len(first)}:\n{_safe(second[len(first)])}\n"
        self._differs(first, second, msg, told, _pprint.pformat(first).splitlines(), _pprint.pformat(second).splitlines())

    def assertListEqual(self, list1, list2, msg=None):
        self.assertSequenceEqual(list1, list2, msg, list)

    def assertTupleEqual(self, tuple1, tuple2, msg=None):
        self.assertSequenceEqual(tuple1, tuple2, msg, tuple)

    def assertSetEqual(self, set1, set2, msg=None):
        lines = []
        for name, extra in (("first", set1 - set2), ("second", set2 - set1)):
            if extra:
                lines += [f"Items in the {name} set but not the {'second' if name == 'first' else 'first'}:"]
                lines += [repr(item) for item in extra]
        self._unless(not lines, msg, "\n".join(lines))

    def assertDictEqual(self, d1, d2, msg=None):
        if d1 != d2:
            self._differs(d1, d2, msg, f"{_safe(d1, True)} != {_safe(d2, True)}", _pprint.pformat(d1).splitlines(),
                          _pprint.pformat(d2).splitlines())

    def assertCountEqual(self, first, second, msg=None):
        rest, extra = list(second), []
        for item in first:
            rest.remove(item) if item in rest else extra.append(item)
        self._unless(not rest and not extra, msg, "Element counts were not equal:\n" + "\n".join(
            [f"First has 1, Second has 0:  {item!r}" for item in extra] +
            [f"First has 0, Second has 1:  {item!r}" for item in rest]))

    def assertIn(self, member, container, msg=None):
        self._unless(member in container, msg, f"{_safe(member)} not found in {_safe(container)}")

    def assertNotIn(self, member, container, msg=None):
        self._unless(member not in container, msg, f"{_safe(member)} unexpectedly found in {_safe(container)}")

    def assertIs(self, expr1, expr2, msg=None):
        self._unless(expr1 is expr2, msg, f"{_safe(expr1)} is not {_safe(expr2)}")

    def assertIsNot(self, expr1, expr2, msg=None):
        self._unless(expr1 is not expr2, msg, f"unexpectedly identical: {_safe(expr1)}")

    def assertIsNone(self, obj, msg=None):
        self._unless(obj is None, msg, f"{_safe(obj)} is not None")

    def assertIsNotNone(self, obj, msg=None):
        self._unless(obj is not None, msg, "unexpectedly None")

    def assertIsInstance(self, obj, cls, msg=None):
        self._unless(isinstance(obj, cls), msg, f"{_safe(obj)} is not an instance of {cls!r}")

    def assertNotIsInstance(self, obj, cls, msg=None):
        self._unless(not isinstance(obj, cls), msg, f"{_safe(obj)} is an instance of {cls!r}")

    def assertGreater(self, a, b, msg=None):
        self._unless(a > b, msg, f"{_safe(a)} not greater than {_safe(b)}")

    def assertGreaterEqual(self, a, b, msg=None):
        self._unless(a >= b, msg, f"{_safe(a)} not greater than or equal to {_safe(b)}")

    def assertLess(self, a, b, msg=None):
        self._unless(a < b, msg, f"{_safe(a)} not less than {_safe(b)}")

    def assertLessEqual(self, a, b, msg=None):
        self._unless(a <= b, msg, f"{_safe(a)} not less than or equal to {_safe(b)}")

    def _distance(self, first, second, places, delta):
        difference = abs(first - second)
        if delta is not None:
            return difference <= delta, f"{_safe(delta)} delta ({_safe(difference)} difference)"
        places = 7 if places is None else places
        return round(difference, places) == 0, f"{places} places ({_safe(difference)} difference)"

    def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if first == second:
            return
        near, within = self._distance(first, second, places, delta)
        self._unless(near, msg, f"{_safe(first)} != {_safe(second)} within {within}")

    def assertNotAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        near, within = self._distance(first, second, places, delta)
        self._unless(first != second and not near, msg, f"{_safe(first)} == {_safe(second)} within {within}")

    def assertRegex(self, text, expected_regex, msg=None):
        pattern = _re.compile(expected_regex)
        self._unless(pattern.search(text), msg, f"Regex didn't match: {pattern.pattern!r} not found in {text!r}")

    def assertNotRegex(self, text, unexpected_regex, msg=None):
        pattern = _re.compile(unexpected_regex)
        found = pattern.search(text)
        self._unless(not found, msg, f"Regex matched: {found and found.group()!r} matches {pattern.pattern!r} in {text!r}")

    def assertRaises(self, expected_exception, *args, **kwargs):
        return _Raises(self, expected_exception).handle(args, kwargs)

    def assertRaisesRegex(self, expected_exception, expected_regex, *args, **kwargs):
        return _Raises(self, expected_exception, expected_regex).handle(args, kwargs)

    def assertWarns(self, expected_warning, *args, **kwargs):
        return _Warns(self, expected_warning).handle(args, kwargs)

    def assertWarnsRegex(self, expected_warning, expected_regex, *args, **kwargs):
        return _Warns(self, expected_warning, expected_regex).handle(args, kwargs)

    def assertLogs(self, logger=None, level=None):
        return _Logs(self, logger, level, False)

    def assertNoLogs(self, logger=None, level=None):
        return _Logs(self, logger, level, True)


class _SubTestScope:
    def __init__(self, test, subtest):
        self._test, self._subtest = test, subtest

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if kind is None:
            self._test._result.addSubTest(self._test, self._subtest, None)
            return False
        if issubclass(kind, SkipTest):
            self._test._result.addSkip(self._subtest, str(error))
            return True
        if not issubclass(kind, Exception):
            return False
        self._test._failed_inside = True
        self._test._result.addSubTest(self._test, self._subtest, (kind, error, traceback))
        return True


def _safe(value, short=False):
    text = repr(value)
    return text if not short or len(text) < 80 else text[:80] + " [truncated]..."


def _ndiff(a, b):
    for tag, i1, i2, j1, j2 in _difflib.SequenceMatcher(None, a, b).get_opcodes():
        if tag == "equal":
            yield from ("  " + line for line in a[i1:i2])
            continue
        yield from ("- " + line for line in a[i1:i2])
        yield from ("+ " + line for line in b[j1:j2])


class FunctionTestCase(TestCase):
    def __init__(self, testFunc, setUp=None, tearDown=None, description=None):
        super().__init__()
        self._function = testFunc
        self.setUp, self.tearDown = setUp or self.setUp, tearDown or self.tearDown

    def runTest(self):
        self._function()


class TestSuite:
    def __init__(self, tests=()):
        self._tests = list(tests)

    def __iter__(self):
        return iter(self._tests)

    def addTest(self, test):
        self._tests.append(test)

    def addTests(self, tests):
        for test in tests:
            self.addTest(test)

    def countTestCases(self):
        return sum(test.countTestCases() for test in self._tests)

    def run(self, result, debug=False):
        kind, ready = None, True
        for test in self._tests:
            if result.shouldStop:
                break
            if isinstance(test, TestSuite):
                test.run(result)
                continue
            if type(test) is not kind:
                if kind is not None:
                    kind.tearDownClass()
                kind = type(test)
                ready = self._prepared(kind, result)
            if ready:
                test(result)
        if kind is not None and ready:
            kind.tearDownClass()
        return result

    def _prepared(self, kind, result):
        if getattr(kind, "__unittest_skip__", False):
            return True
        try:
            kind.setUpClass()
            return True
        except SkipTest as why:
            result.addSkip(_ClassPart("setUpClass", kind), str(why))
        except Exception as error:
            result.addError(_ClassPart("setUpClass", kind), (type(error), error, error.__traceback__))
        return False

    def __call__(self, result):
        return self.run(result)

    def __repr__(self):
        return f"<{type(self).__module__}.{type(self).__qualname__} tests={self._tests}>"


class _ClassPart:
    def __init__(self, step, kind):
        self._told = f"{step} ({kind.__module__}.{kind.__qualname__})"

    def __str__(self):
        return self._told

    def shortDescription(self):
        return None


class TestLoader:
    testMethodPrefix = "test"

    def getTestCaseNames(self, testCaseClass):
        return sorted(name for name in dir(testCaseClass)
                      if name.startswith(self.testMethodPrefix) and callable(getattr(testCaseClass, name)))

    def loadTestsFromTestCase(self, testCaseClass):
        names = self.getTestCaseNames(testCaseClass)
        if not names and hasattr(testCaseClass, "runTest"):
            names = ["runTest"]
        return TestSuite(testCaseClass(name) for name in names)

    def loadTestsFromModule(self, module, *, pattern=None):
        return self._of(vars(module).values() if not isinstance(module, dict) else module.values())

    def _of(self, values):
        kinds = [v for v in values if isinstance(v, type) and issubclass(v, TestCase) and v not in (TestCase, FunctionTestCase)]
        return TestSuite(self.loadTestsFromTestCase(kind) for kind in sorted(set(kinds), key=lambda k: k.__name__))

    def loadTestsFromName(self, name, module=None):
        found = module
        for part in name.split("."):
            owner, found = found, getattr(found, part) if not isinstance(found, dict) else found[part]
        if isinstance(found, type):
            return self.loadTestsFromTestCase(found)
        return TestSuite([owner(name.split(".")[-1])])


defaultTestLoader = TestLoader()


class TextTestResult(TestResult):
    separator1, separator2 = "=" * 70, "-" * 70

    def __init__(self, stream, descriptions, verbosity, *, durations=None):
        super().__init__()
        self.stream, self._verbosity, self._descriptions = stream, verbosity, descriptions
        self._at_start = True

    def getDescription(self, test):
        described = test.shortDescription() if hasattr(test, "shortDescription") else None
        return "\n".join((str(test), described)) if self._descriptions and described else str(test)

    def startTest(self, test):
        super().startTest(test)
        if self._verbosity > 1:
            self.stream.write(self.getDescription(test) + " ... ")
            self._at_start = False

    def _tell(self, word, sign, subtest=None):
        if self._verbosity > 1:
            if subtest is not None:
                self.stream.write(("" if self._at_start else "\n") + "  " + self.getDescription(subtest) + " ... ")
            self.stream.write(word + "\n")
            self._at_start = True
        elif self._verbosity == 1:
            self.stream.write(sign)

    def addSuccess(self, test):
        super().addSuccess(test)
        self._tell("ok", ".")

    def addError(self, test, err):
        super().addError(test, err)
        self._tell("ERROR", "E")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._tell("FAIL", "F")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._tell(f"skipped {reason!r}", "s")

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self._tell("expected failure", "x")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._tell("unexpected success", "u")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            failed = issubclass(err[0], test.failureException)
            self._tell("FAIL" if failed else "ERROR", "F" if failed else "E", subtest)

    def printErrors(self):
        if self._verbosity:
            self.stream.write("\n")
        for kind, found in (("ERROR", self.errors), ("FAIL", self.failures)):
            for test, told in found:
                self.stream.write(f"{self.separator1}\n{kind}: {self.getDescription(test)}\n{self.separator2}\n{told}\n")
        for test in self.unexpectedSuccesses:
            self.stream.write(f"{self.separator1}\nUNEXPECTED SUCCESS: {self.getDescription(test)}\n")


TextTestResult.__module__ = "unittest.runner"


class TextTestRunner:
    resultclass = TextTestResult

    def __init__(self, stream=None, descriptions=True, verbosity=1, failfast=False, buffer=False, resultclass=None,
                 warnings=None, *, tb_locals=False, durations=None):
        self.stream, self.descriptions, self.verbosity = stream or _sys.stderr, descriptions, verbosity
        self.failfast, self.resultclass = failfast, resultclass or self.resultclass

    def run(self, test):
        result = self.resultclass(self.stream, self.descriptions, self.verbosity)
        result.failfast = self.failfast
        start = _time.perf_counter()
        result.startTestRun()
        test(result)
        result.stopTestRun()
        taken = _time.perf_counter() - start
        result.printErrors()
        n = result.testsRun
        write = self.stream.write
        write(f"{TextTestResult.separator2}\nRan {n} test{'s' if n != 1 else ''} in {taken:.3f}s\n\n")
        counts = [(name, len(found)) for name, found in (
            ("failures", result.failures), ("errors", result.errors), ("skipped", result.skipped),
            ("expected failures", result.expectedFailures), ("unexpected successes", result.unexpectedSuccesses)) if found]
        told = "OK" if result.wasSuccessful() else "FAILED"
        if not n and not result.skipped and result.wasSuccessful():
            told = "NO TESTS RAN"
        write(told + (" ({})".format(", ".join(f"{name}={count}" for name, count in counts)) if counts else "") + "\n")
        return result


class TestProgram:
    def __init__(self, module="__main__", defaultTest=None, argv=None, testRunner=None, testLoader=defaultTestLoader,
                 exit=True, verbosity=1, failfast=None, **_):
        argv = _sys.argv if argv is None else argv
        names = [word for word in argv[1:] if not word.startswith("-")]
        verbosity = 2 if "-v" in argv or "--verbose" in argv else 0 if "-q" in argv else verbosity
        scope = _sys.modules[module] if isinstance(module, str) else module
        names = names or ([defaultTest] if isinstance(defaultTest, str) else defaultTest)
        suite = (TestSuite(testLoader.loadTestsFromName(name, scope) for name in names) if names
                 else testLoader.loadTestsFromModule(scope))
        runner = testRunner or TextTestRunner
        if isinstance(runner, type):
            runner = runner(verbosity=verbosity, failfast=bool(failfast))
        self.result = runner.run(suite)
        if exit:
            _sys.exit(0 if self.result.wasSuccessful() else 1)


main = TestProgram
