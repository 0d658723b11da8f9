# SPDX-License-Identifier: Apache-2.0
# unittest.mock: objects that record how they are used, and what puts them in the place of others.
import sys as _sys
from functools import wraps as _wraps


class _Named:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"sentinel.{self.name}"


class _Sentinels:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = self.__dict__[name] = _Named(name)
        return made


sentinel = _Sentinels()
DEFAULT = sentinel.DEFAULT
_missing = sentinel.MISSING
_deleted = sentinel.DELETED


class _Any:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __repr__(self):
        return "<ANY>"


ANY = _Any()


def _signature(name, args, kwargs):
    given = [repr(a) for a in args] + [f"{k}={v!r}" for k, v in kwargs.items()]
    return f"{name}({', '.join(given)})"


class _Call(tuple):
    """(name, args, kwargs), or without the name."""

    def __new__(cls, value=(), name="", parent=None, two=False):
        args, kwargs = (), {}
        for part in value:
            if isinstance(part, str):
                name = part
            elif isinstance(part, dict):
                kwargs = part
            else:
                args = part
        self = tuple.__new__(cls, (args, kwargs) if two else (name, args, kwargs))
        self._name, self._parent, self._whole = name, parent, bool(value)
        return self

    def __init__(self, value=(), name="", parent=None, two=False):
        pass

    @property
    def args(self):
        return tuple(self)[-2]

    @property
    def kwargs(self):
        return tuple(self)[-1]

    def __eq__(self, other):
        if not isinstance(other, tuple) or len(other) > 3:
            return NotImplemented
        if not isinstance(other, _Call):
            if len(other) == 2 and not isinstance(other[0], str) and isinstance(other[1], tuple):
                return False
            other = _Call(other, two=not (other and isinstance(other[0], str)))
        if self._name and other._name and self._name != other._name:
            return False
        if len(self) == len(other) == 3 and (self[0] or "") != (other[0] or ""):
            return False
        return (other.args, other.kwargs) == (self.args, self.kwargs)

    def __ne__(self, other):
        return not self == other

    def __call__(self, /, *args, **kwargs):
        return _Call((self._base(), args, kwargs), parent=self)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        base = self._base()
        return _Call(name=f"{base}.{name}" if base else name, parent=self)

    def _base(self):
        return self._name + ("()" if self._whole else "")

    def __repr__(self):
        if not self._whole:
            return f"call.{self._name}" if self._name else "call"
        name = self._name if len(self) == 3 else ""
        return _signature(("call" if not name or name.startswith("()") else "call.") + name, self.args, self.kwargs)


call = _Call()


class _CallList(list):
    def __contains__(self, value):
        if not isinstance(value, list):
            return list.__contains__(self, value)
        return any(list(self[i:i + len(value)]) == list(value) for i in range(len(self) - len(value) + 1))


class _Magic:
    """A special method of a MagicMock: a mock of its own."""

    def __init__(self, name):
        self.name = name

    def __get__(self, mock, owner=None):
        return self if mock is None else mock._special(self.name)

    def __set__(self, mock, value):
        if isinstance(value, NonCallableMock):
            mock._adopt(self.name, value)
            mock._mock_children[self.name] = value
        else:
            mock._mock_children[self.name] = lambda *args, **kwargs: value(mock, *args, **kwargs)


class NonCallableMock:
    def __init__(self, spec=None, wraps=None, name=None, spec_set=None, parent=None, _path="", side_effect=None,
                 return_value=DEFAULT, unsafe=False, **attributes):
        spec = spec if spec is not None else spec_set
        own = self.__dict__
        own["_mock_name"], own["_mock_path"], own["_mock_parent"] = name, _path, parent
        own["_mock_children"], own["_mock_wraps"], own["_mock_unsafe"] = {}, wraps, unsafe
        own["_mock_methods"] = None if spec is None else list(spec) if isinstance(spec, (list, tuple)) else dir(spec)
        own["_mock_spec"] = spec if isinstance(spec, type) or not isinstance(spec, (list, tuple, type(None))) else None
        own["_mock_set_only"] = spec_set is not None
        own["_mock_return"] = return_value
        own["_mock_effect"] = None
        self._forget()
        self.side_effect = side_effect
        self.configure_mock(**attributes)

    def _forget(self):
        own = self.__dict__
        own["called"], own["call_count"], own["call_args"] = False, 0, None
        own["call_args_list"], own["mock_calls"], own["method_calls"] = _CallList(), _CallList(), _CallList()

    def configure_mock(self, /, **attributes):
        for path, value in sorted(attributes.items(), key=lambda pair: pair[0].count(".")):
            target = self
            *before, last = path.split(".")
            for name in before:
                target = getattr(target, name)
            setattr(target, last, value)

    def reset_mock(self, *, return_value=False, side_effect=False):
        self._forget()
        if return_value:
            self._mock_return = DEFAULT
        if side_effect:
            self._mock_effect = None
        for child in self._mock_children.values():
            if isinstance(child, NonCallableMock):
                child.reset_mock(return_value=return_value, side_effect=side_effect)
        if isinstance(self._mock_return, NonCallableMock) and self._mock_return is not self:
            self._mock_return.reset_mock()

    def attach_mock(self, mock, attribute):
        mock.__dict__["_mock_parent"] = None
        mock.__dict__["_mock_name"] = None
        setattr(self, attribute, mock)

    def _child(self, **given):
        return (MagicMock if isinstance(self, MagicMock) else AsyncMock if isinstance(self, AsyncMock) else Mock)(**given)

    def _adopt(self, path, mock):
        if isinstance(mock, NonCallableMock) and mock._mock_parent is None and mock._mock_name is None:
            mock.__dict__["_mock_parent"], mock.__dict__["_mock_path"] = self, path

    def __getattr__(self, name):
        own = object.__getattribute__(self, "__dict__")
        if "_mock_children" not in own or name.startswith("_mock_") or (name.startswith("__") and name.endswith("__")):
            raise AttributeError(name)
        if own["_mock_methods"] is not None and name not in own["_mock_methods"]:
            raise AttributeError(f"Mock object has no attribute {name!r}")
        if not own["_mock_unsafe"] and own["_mock_methods"] is None \
                and name.startswith(("assert", "assret", "asert", "aseert", "assrt")):
            raise AttributeError(f"{name!r} is not a valid assertion. Use a spec for the mock if {name!r} is meant to be"
                                 " an attribute.")
        found = own["_mock_children"].get(name)
        if found is _deleted:
            raise AttributeError(name)
        if found is None:
            wrapped = own["_mock_wraps"]
            found = self._child(parent=self, _path=name, wraps=None if wrapped is None else getattr(wrapped, name))
            own["_mock_children"][name] = found
        return found

    def __setattr__(self, name, value):
        if self._mock_set_only and name not in self._mock_methods and not name.startswith("_mock_") \
                and name not in ("return_value", "side_effect"):
            raise AttributeError(f"Mock object has no attribute '{name}'")
        if isinstance(value, NonCallableMock) and not name.startswith("_mock_") and name != "return_value":
            self._adopt(name, value)
            self._mock_children[name] = value
        object.__setattr__(self, name, value)

    def __delattr__(self, name):
        if self._mock_children.get(name) is _deleted:
            raise AttributeError(name)
        if name in self.__dict__:
            object.__delattr__(self, name)
        self._mock_children[name] = _deleted

    @property
    def return_value(self):
        if self._mock_return is DEFAULT:
            self.__dict__["_mock_return"] = self._child(parent=self, _path="()")
        return self._mock_return

    @return_value.setter
    def return_value(self, value):
        self.__dict__["_mock_return"] = value
        self._adopt("()", value)

    @property
    def side_effect(self):
        return self._mock_effect

    @side_effect.setter
    def side_effect(self, value):
        plain = value is None or callable(value) or isinstance(value, BaseException)
        self.__dict__["_mock_effect"] = value if plain else iter(value)

    @property
    def __class__(self):
        spec = self._mock_spec
        return type(self) if spec is None else spec if isinstance(spec, type) else type(spec)

    def _full_name(self):
        path, mock = self._mock_path, self
        while mock._mock_parent is not None:
            mock = mock._mock_parent
            path = mock._mock_path + ("" if path.startswith("()") or not mock._mock_path else ".") + path
        name = mock._mock_name or "mock"
        return name + (path if path.startswith("()") or not path else "." + path)

    def __repr__(self):
        named = self._mock_name or self._mock_path
        spec = self._mock_spec
        told = (f" name={(self._mock_name or self._full_name())!r}" if named else "") + \
            (f" spec={(spec if isinstance(spec, type) else type(spec)).__name__!r}" if spec is not None else "")
        return f"<{type(self).__name__}{told} id='{id(self)}'>"

    def _record(self, args, kwargs):
        own = self.__dict__
        own["called"] = True
        own["call_count"] += 1
        own["call_args"] = _Call((args, kwargs), two=True)
        own["call_args_list"].append(own["call_args"])
        own["mock_calls"].append(_Call(("", args, kwargs)))
        path, mock, method = self._mock_path, self, self._mock_path and not self._mock_path.startswith(("()", "__"))
        while mock._mock_parent is not None:
            mock = mock._mock_parent
            if method:
                mock.method_calls.append(_Call((path, args, kwargs)))
            mock.mock_calls.append(_Call((path, args, kwargs)))
            if mock._mock_path:
                path = mock._mock_path + ("" if path.startswith("()") else ".") + path
                method = method and not mock._mock_path.startswith("()")

    def _calls_text(self, prefix="Calls"):
        return f"\n{prefix}: {self.mock_calls!r}." if self.mock_calls else ""

    def _shown(self):
        return self._mock_name or self._mock_path or "mock"

    def assert_not_called(self):
        if self.call_count:
            raise AssertionError(f"Expected '{self._shown()}' to not have been called. Called {self.call_count} times."
                                 f"{self._calls_text()}")

    def assert_called(self):
        if not self.call_count:
            raise AssertionError(f"Expected '{self._shown()}' to have been called.")

    def assert_called_once(self):
        if self.call_count != 1:
            raise AssertionError(f"Expected '{self._shown()}' to have been called once. Called {self.call_count} times."
                                 f"{self._calls_text()}")

    def assert_called_with(self, /, *args, **kwargs):
        expected = _signature(self._shown(), args, kwargs)
        if self.call_args is None:
            raise AssertionError(f"expected call not found.\nExpected: {expected}\n  Actual: not called.")
        if _Call((args, kwargs), two=True) != self.call_args:
            actual = _signature(self._shown(), *self.call_args)
            raise AssertionError(f"expected call not found.\nExpected: {expected}\n  Actual: {actual}")

    def assert_called_once_with(self, /, *args, **kwargs):
        if self.call_count != 1:
            raise AssertionError(f"Expected '{self._shown()}' to be called once. Called {self.call_count} times."
                                 f"{self._calls_text()}")
        self.assert_called_with(*args, **kwargs)

    def assert_any_call(self, /, *args, **kwargs):
        if _Call((args, kwargs), two=True) not in self.call_args_list:
            raise AssertionError(f"{_signature(self._shown(), args, kwargs)} call not found")

    def assert_has_calls(self, calls, any_order=False):
        if not any_order:
            if list(calls) not in self.mock_calls:
                raise AssertionError(f"Calls not found.\nExpected: {list(calls)!r}"
                                     f"{self._calls_text('  Actual').rstrip('.')}")
            return
        left, absent = list(self.mock_calls), []
        for one in calls:
            if one in left:
                left.remove(one)
            else:
                absent.append(one)
        if absent:
            raise AssertionError(f"{self._shown()!r} does not contain all of {tuple(absent)!r} in its call list, found "
                                 f"{self.mock_calls!r} instead")


class _Callable:
    def __call__(self, /, *args, **kwargs):
        self._record(args, kwargs)
        return self._result(args, kwargs)

    def _result(self, args, kwargs):
        effect = self._mock_effect
        if effect is not None:
            if isinstance(effect, BaseException) or (isinstance(effect, type) and issubclass(effect, BaseException)):
                raise effect
            if not callable(effect):
                result = next(effect)
                if isinstance(result, BaseException) or (isinstance(result, type) and issubclass(result, BaseException)):
                    raise result
            else:
                result = effect(*args, **kwargs)
            if result is not DEFAULT:
                return result
        if self._mock_return is DEFAULT and self._mock_wraps is not None:
            return self._mock_wraps(*args, **kwargs)
        return self.return_value


class Mock(_Callable, NonCallableMock):
    pass


_NUMERIC = "add sub mul matmul truediv floordiv mod lshift rshift and xor or pow".split()
_GIVES = {"__lt__": NotImplemented, "__gt__": NotImplemented, "__le__": NotImplemented, "__ge__": NotImplemented,
          "__int__": 1, "__contains__": False, "__len__": 0, "__exit__": False, "__float__": 1.0, "__bool__": True,
          "__index__": 1, "__complex__": 1j}


class _MagicMethods:
    def _special(self, name):
        found = self._mock_children.get(name)
        if found is None:
            found = self._mock_children[name] = MagicMock(parent=self, _path=name)
            if name in _GIVES:
                found.return_value = _GIVES[name]
            elif name == "__iter__":
                found.side_effect = lambda: iter([] if found._mock_return is DEFAULT else found._mock_return)
            elif name == "__eq__":
                found.side_effect = lambda other: self is other or NotImplemented
            elif name == "__ne__":
                found.side_effect = lambda other: NotImplemented if self is not other else False
            elif name == "__hash__":
                found.return_value = id(self)
            elif name == "__str__":
                found.side_effect = lambda: self.__repr__()
        return found


for _name in ["lt", "gt", "le", "ge", "eq", "ne", "hash", "str", "len", "contains", "getitem", "setitem", "delitem", "iter",
              "next", "enter", "exit", "bool", "int", "float", "index", "complex", "neg", "pos", "abs", "invert", "round"] \
        + _NUMERIC + ["r" + n for n in _NUMERIC] + ["i" + n for n in _NUMERIC]:
    setattr(_MagicMethods, f"__{_name}__", _Magic(f"__{_name}__"))


class NonCallableMagicMock(_MagicMethods, NonCallableMock):
    pass


class MagicMock(_MagicMethods, Mock):
    pass


class AsyncMock(MagicMock):
    async def __call__(self, /, *args, **kwargs):
        self._record(args, kwargs)
        self.__dict__["await_count"] = self.__dict__.get("await_count", 0) + 1
        result = self._result(args, kwargs)
        return await result if hasattr(result, "__await__") and not isinstance(result, NonCallableMock) else result

    def assert_awaited(self):
        if not self.__dict__.get("await_count"):
            raise AssertionError(f"Expected {self._shown()} to have been awaited.")

    def assert_awaited_once(self):
        count = self.__dict__.get("await_count", 0)
        if count != 1:
            raise AssertionError(f"Expected {self._shown()} to have been awaited once. Awaited {count} times.")


class PropertyMock(Mock):
    def _child(self, **given):
        return MagicMock(**given)

    def __get__(self, instance, owner=None):
        return self()

    def __set__(self, instance, value):
        self(value)


def create_autospec(spec, spec_set=False, instance=False, **given):
    made = MagicMock(spec=spec, **given)
    if isinstance(spec, type) and not instance:
        made.return_value = MagicMock(spec=spec)
    return made


class _Patch:
    def __init__(self, find, attribute, new=DEFAULT, spec=None, create=False, autospec=None, new_callable=None, **given):
        self._find, self.attribute, self.new, self.create = find, attribute, new, create
        self._given, self._spec, self._autospec, self._callable = given, spec, autospec, new_callable

    def __enter__(self):
        target = self.target = self._find()
        names = target.__dict__ if hasattr(target, "__dict__") else {}
        self._local = self.attribute in names
        self._original = names[self.attribute] if self._local else getattr(target, self.attribute, _missing)
        if self._original is _missing and not self.create:
            raise AttributeError(f"{target!r} does not have the attribute {self.attribute!r}")
        new = self.new
        if new is DEFAULT and self._autospec:
            new = create_autospec(self._original, **self._given)
        elif new is DEFAULT:
            named = {} if self._callable or "name" in self._given else {"name": self.attribute}
            if self._spec is not None:
                named["spec"] = self._original if self._spec is True else self._spec
            new = (self._callable or MagicMock)(**named, **self._given)
        setattr(target, self.attribute, new)
        return new

    def __exit__(self, *error):
        if self._local:
            setattr(self.target, self.attribute, self._original)
        else:
            delattr(self.target, self.attribute)
            always = ("__doc__", "__module__", "__defaults__", "__annotations__", "__kwdefaults__")
            if self._original is not _missing and (not hasattr(self.target, self.attribute) or self.attribute in always):
                setattr(self.target, self.attribute, self._original)
        return False

    def start(self):
        new = self.__enter__()
        _started.append(self)
        return new

    def stop(self):
        if self in _started:
            _started.remove(self)
            return self.__exit__(None, None, None)

    def copy(self):
        return _Patch(self._find, self.attribute, self.new, self._spec, self.create, self._autospec, self._callable,
                      **self._given)

    def __call__(self, function):
        if isinstance(function, type):
            for name in dir(function):
                if name.startswith(patch.TEST_PREFIX) and callable(getattr(function, name)):
                    setattr(function, name, self.copy()(getattr(function, name)))
            return function

        if hasattr(function, "patchings"):
            function.patchings.append(self)
            return function

        @_wraps(function)
        def patched(*args, **kwargs):
            entered, made = [], []
            try:
                for part in patched.patchings:
                    new = part.__enter__()
                    entered.append(part)
                    if part.new is DEFAULT:
                        made.append(new)
                return function(*args, *made, **kwargs)
            finally:
                for part in reversed(entered):
                    part.__exit__(None, None, None)

        patched.patchings = [self]
        return patched


_started = []


def _imported(path):
    import importlib
    parts = path.split(".")
    found = importlib.import_module(parts[0])
    for i, part in enumerate(parts[1:], 2):
        if not hasattr(found, part):
            importlib.import_module(".".join(parts[:i]))
        found = getattr(found, part)
    return found


def patch(target, new=DEFAULT, **given):
    path, dot, attribute = target.rpartition(".")
    if not dot:
        raise TypeError(f"Need a valid target to patch. You supplied: {target!r}")
    return _Patch(lambda: _imported(path), attribute, new, **given)


def _patch_object(target, attribute, new=DEFAULT, **given):
    return _Patch(lambda: target, attribute, new, **given)


class _PatchMany:
    def __init__(self, target, given):
        find = (lambda: _imported(target)) if isinstance(target, str) else (lambda: target)
        self._parts = {name: _Patch(find, name, new) for name, new in given.items()}

    def __enter__(self):
        made = {name: part.__enter__() for name, part in self._parts.items()}
        return {name: value for name, value in made.items() if self._parts[name].new is DEFAULT}

    def __exit__(self, *error):
        for part in reversed(list(self._parts.values())):
            part.__exit__(*error)
        return False

    def __call__(self, function):
        @_wraps(function)
        def patched(*args, **kwargs):
            with self as made:
                return function(*args, **kwargs, **made)

        return patched


class _PatchDict:
    def __init__(self, in_dict, values=(), clear=False, **more):
        self.in_dict, self.values, self.clear = in_dict, dict(values, **more), clear

    def __enter__(self):
        if isinstance(self.in_dict, str):
            self.in_dict = _imported(self.in_dict)
        self._original = dict(self.in_dict)
        if self.clear:
            self.in_dict.clear()
        for key, value in self.values.items():
            self.in_dict[key] = value
        return self.in_dict

    def __exit__(self, *error):
        for key in list(self.in_dict):
            if key not in self._original:
                del self.in_dict[key]
        for key, value in self._original.items():
            self.in_dict[key] = value
        return False

    start = __enter__

    def stop(self):
        return self.__exit__(None, None, None)

    def __call__(self, function):
        @_wraps(function)
        def patched(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return patched


def _stop_all():
    for one in reversed(list(_started)):
        one.stop()


patch.object = _patch_object
patch.dict = _PatchDict
patch.multiple = lambda target, **given: _PatchMany(target, given)
patch.stopall = _stop_all
patch.TEST_PREFIX = "test"


def mock_open(mock=None, read_data=""):
    import io
    mock = mock or MagicMock(name="open")

    def opened(*args, **kwargs):
        file = io.StringIO(read_data)
        handle = mock.return_value
        handle.__enter__.return_value = handle
        handle.read.side_effect = file.read
        handle.readline.side_effect = file.readline
        handle.readlines.side_effect = file.readlines
        handle.__iter__.side_effect = lambda: iter(file)
        return DEFAULT

    mock.side_effect = opened
    return mock
