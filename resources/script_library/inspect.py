# SPDX-License-Identifier: Apache-2.0

import types as _types


class _Empty:
    pass


class _Kind:
    def __init__(self, name, description, order):
        self.name, self.description, self._order = name, description, order

    def __repr__(self):
        return self.name

    def __lt__(self, other):
        return self._order < other._order

    def __str__(self):
        return self.name


class Parameter:
    empty = _Empty
    POSITIONAL_ONLY = _Kind("POSITIONAL_ONLY", "positional-only", 0)
    POSITIONAL_OR_KEYWORD = _Kind("POSITIONAL_OR_KEYWORD", "positional or keyword", 1)
    VAR_POSITIONAL = _Kind("VAR_POSITIONAL", "variadic positional", 2)
    KEYWORD_ONLY = _Kind("KEYWORD_ONLY", "keyword-only", 3)
    VAR_KEYWORD = _Kind("VAR_KEYWORD", "variadic keyword", 4)

    def __init__(self, name, kind, *, default=_Empty, annotation=_Empty):
        self.name, self.kind, self.default, self.annotation = name, kind, default, annotation

    def replace(self, **changes):
        given = {"name": self.name, "kind": self.kind, "default": self.default, "annotation": self.annotation}
        given.update(changes)
        return Parameter(given.pop("name"), given.pop("kind"), **given)

    def __str__(self):
        text = self.name
        if self.kind is Parameter.VAR_POSITIONAL:
            text = "*" + text
        if self.kind is Parameter.VAR_KEYWORD:
            text = "**" + text
        if self.annotation is not _Empty:
            text += ": " + formatannotation(self.annotation)
        if self.default is not _Empty:
            text += (" = " if self.annotation is not _Empty else "=") + repr(self.default)
        return text

    def __repr__(self):
        return f'<Parameter "{self}">'


def formatannotation(annotation):
    if isinstance(annotation, type):
        return annotation.__name__ if annotation.__module__ == "builtins" else f"{annotation.__module__}.{annotation.__qualname__}"
    return repr(annotation)


class BoundArguments:
    def __init__(self, signature, arguments):
        self.signature, self.arguments = signature, arguments

    def apply_defaults(self):
        filled = {}
        for name, p in self.signature.parameters.items():
            if name in self.arguments:
                filled[name] = self.arguments[name]
            elif p.default is not _Empty:
                filled[name] = p.default
            elif p.kind is Parameter.VAR_POSITIONAL:
                filled[name] = ()
            elif p.kind is Parameter.VAR_KEYWORD:
                filled[name] = {}
        self.arguments = filled

    @property
    def args(self):
        out = []
        for name, p in self.signature.parameters.items():
            if name in self.arguments and p.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD):
                out.append(self.arguments[name])
            elif name in self.arguments and p.kind is Parameter.VAR_POSITIONAL:
                out.extend(self.arguments[name])
        return tuple(out)

    @property
    def kwargs(self):
        out = {}
        for name, p in self.signature.parameters.items():
            if name in self.arguments and p.kind is Parameter.KEYWORD_ONLY:
                out[name] = self.arguments[name]
            elif name in self.arguments and p.kind is Parameter.VAR_KEYWORD:
                out.update(self.arguments[name])
        return out


class Signature:
    empty = _Empty

    def __init__(self, parameters=None, *, return_annotation=_Empty):
        self.parameters = {p.name: p for p in parameters or ()}
        self.return_annotation = return_annotation

    def bind(self, *args, **kwargs):
        return self._bind(args, kwargs, False)

    def bind_partial(self, *args, **kwargs):
        return self._bind(args, kwargs, True)

    def _bind(self, args, kwargs, partial):
        args, kwargs, found = list(args), dict(kwargs), {}
        for name, p in self.parameters.items():
            if p.kind is Parameter.VAR_POSITIONAL:
                if args:
                    found[name] = tuple(args)
                args = []
            elif p.kind is Parameter.VAR_KEYWORD:
                if kwargs:
                    found[name] = kwargs
                kwargs = {}
            elif args and p.kind is not Parameter.KEYWORD_ONLY:
                if name in kwargs:
                    raise TypeError(f"multiple values for argument {name!r}")
                found[name] = args.pop(0)
            elif name in kwargs and p.kind is not Parameter.POSITIONAL_ONLY:
                found[name] = kwargs.pop(name)
            elif p.default is _Empty and not partial:
                raise TypeError(f"missing a required argument: {name!r}")
        if args:
            raise TypeError("too many positional arguments")
        if kwargs:
            raise TypeError(f"got an unexpected keyword argument {next(iter(kwargs))!r}")
        return BoundArguments(self, found)

    def replace(self, *, parameters=None, return_annotation=_Empty):
        return Signature(self.parameters.values() if parameters is None else parameters,
                         return_annotation=return_annotation)

    def __str__(self):
        out, star, slash = [], False, False
        for p in self.parameters.values():
            if p.kind is Parameter.POSITIONAL_ONLY:
                slash = True
            elif slash:
                out.append("/")
                slash = False
            if p.kind is Parameter.VAR_POSITIONAL:
                star = True
            elif p.kind is Parameter.KEYWORD_ONLY and not star:
                out.append("*")
                star = True
            out.append(str(p))
        if slash:
            out.append("/")
        end = "" if self.return_annotation is _Empty else " -> " + formatannotation(self.return_annotation)
        return "(" + ", ".join(out) + ")" + end

    def __repr__(self):
        return f"<Signature {self}>"

    @classmethod
    def from_callable(cls, obj):
        return signature(obj)


def _of_function(f):
    code = f.__code__
    names = code.co_varnames
    defaults = f.__defaults__ or ()
    keyword = f.__kwdefaults__ or {}
    hints = f.__annotations__
    n = code.co_argcount
    out = []
    for i, name in enumerate(names[:n]):
        at = i - (n - len(defaults))
        out.append(Parameter(name, Parameter.POSITIONAL_ONLY if i < code.co_posonlyargcount else Parameter.POSITIONAL_OR_KEYWORD,
                             default=defaults[at] if at >= 0 else _Empty, annotation=hints.get(name, _Empty)))
    rest = n + code.co_kwonlyargcount
    if code.co_flags & 4:
        out.append(Parameter(names[rest], Parameter.VAR_POSITIONAL, annotation=hints.get(names[rest], _Empty)))
    for name in names[n:rest]:
        out.append(Parameter(name, Parameter.KEYWORD_ONLY, default=keyword.get(name, _Empty), annotation=hints.get(name, _Empty)))
    if code.co_flags & 8:
        name = names[rest + (1 if code.co_flags & 4 else 0)]
        out.append(Parameter(name, Parameter.VAR_KEYWORD, annotation=hints.get(name, _Empty)))
    return Signature(out, return_annotation=hints.get("return", _Empty))


def signature(obj, *, follow_wrapped=True):
    while follow_wrapped and hasattr(obj, "__wrapped__"):
        obj = obj.__wrapped__
    if isinstance(obj, _types.MethodType):
        full = signature(obj.__func__)
        return full.replace(parameters=list(full.parameters.values())[1:], return_annotation=full.return_annotation)
    if isinstance(obj, _types.FunctionType):
        return _of_function(obj)
    if isinstance(obj, type):
        own = obj.__init__
        fields = getattr(own, "_fields", None)
        if fields is not None:
            return Signature([Parameter(f.name, Parameter.KEYWORD_ONLY if f.kw_only else Parameter.POSITIONAL_OR_KEYWORD,
                                        default=_Empty if repr(f.default) == "MISSING" else f.default, annotation=f.type)
                              for f in fields if f.init])
        if isinstance(own, _types.FunctionType):
            full = _of_function(own)
            return full.replace(parameters=list(full.parameters.values())[1:])
        return Signature()
    call = getattr(type(obj), "forward", None) or getattr(type(obj), "__call__", None)
    if isinstance(call, _types.FunctionType):
        full = _of_function(call)
        return full.replace(parameters=list(full.parameters.values())[1:])
    raise ValueError(f"no signature found for builtin {obj!r}")


class FullArgSpec(tuple):
    _fields = ("args", "varargs", "varkw", "defaults", "kwonlyargs", "kwonlydefaults", "annotations")
    args = property(lambda self: self[0])
    varargs = property(lambda self: self[1])
    varkw = property(lambda self: self[2])
    defaults = property(lambda self: self[3])
    kwonlyargs = property(lambda self: self[4])
    kwonlydefaults = property(lambda self: self[5])
    annotations = property(lambda self: self[6])


def getfullargspec(f):
    s = signature(f)
    ps = list(s.parameters.values())
    if isinstance(f, _types.MethodType):
        ps.insert(0, Parameter("self", Parameter.POSITIONAL_OR_KEYWORD))
    plain = [p for p in ps if p.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)]
    only = [p for p in ps if p.kind is Parameter.KEYWORD_ONLY]
    star = [p.name for p in ps if p.kind is Parameter.VAR_POSITIONAL]
    double = [p.name for p in ps if p.kind is Parameter.VAR_KEYWORD]
    defaults = tuple(p.default for p in plain if p.default is not _Empty)
    return FullArgSpec(([p.name for p in plain], star[0] if star else None, double[0] if double else None,
                        defaults or None, [p.name for p in only],
                        {p.name: p.default for p in only if p.default is not _Empty} or None, {}))


def isfunction(x):
    return isinstance(x, _types.FunctionType)


def ismethod(x):
    return isinstance(x, _types.MethodType)


def isbuiltin(x):
    return isinstance(x, _types.BuiltinFunctionType)


def isclass(x):
    return isinstance(x, type)


def ismodule(x):
    return isinstance(x, _types.ModuleType)


def isgenerator(x):
    return isinstance(x, _types.GeneratorType)


def isgeneratorfunction(x):
    return isfunction(x) and bool(x.__code__.co_flags & 32)


def iscoroutinefunction(x):
    return isfunction(x) and bool(x.__code__.co_flags & 128)


def isasyncgenfunction(x):
    return isfunction(x) and bool(x.__code__.co_flags & 512)


def iscoroutine(x):
    return isinstance(x, _types.CoroutineType)


def isawaitable(x):
    return iscoroutine(x) or hasattr(type(x), "__await__")


def isroutine(x):
    return isfunction(x) or ismethod(x) or isbuiltin(x)


def isabstract(x):
    return bool(getattr(x, "__abstractmethods__", ()))


def getdoc(x):
    text = x.__doc__
    if text is None:
        return None
    lines = text.expandtabs().split("\n")
    margin = min([len(l) - len(l.lstrip()) for l in lines[1:] if l.strip()], default=0)
    return "\n".join([lines[0].lstrip()] + [l[margin:] for l in lines[1:]]).strip("\n")


def getmembers(x, predicate=None):
    found = [(n, getattr(x, n)) for n in dir(x)]
    return [(n, v) for n, v in found if predicate is None or predicate(v)]


def getmro(cls):
    return cls.__mro__


def unwrap(f):
    while hasattr(f, "__wrapped__"):
        f = f.__wrapped__
    return f


def getmodule(x):
    return None


def _block(lines, first):
    """The line and those after it that are indented more."""
    margin = len(lines[first]) - len(lines[first].lstrip())
    end = first + 1
    for i in range(first + 1, len(lines)):
        if lines[i].strip() and len(lines[i]) - len(lines[i].lstrip()) <= margin:
            break
        if lines[i].strip():
            end = i + 1
    return end


def _with_decorators(lines, first):
    while first > 0 and lines[first - 1].lstrip().startswith("@"):
        first -= 1
    return first


def getsourcelines(object):
    if ismethod(object):
        object = object.__func__
    object = unwrap(object)
    if isinstance(object, type):
        for own in vars(object).values():
            own = getattr(own, "__func__", getattr(own, "fget", own))
            found = _native.source(own) if isfunction(own) else None
            if found is None or own.__qualname__.rpartition(".")[0] != object.__qualname__:
                continue
            lines = found[0]
            for first in range(found[1] - 1, -1, -1):
                words = lines[first].split()
                if words[:1] == ["class"] and words[1].split(":")[0].split("(")[0] == object.__name__:
                    start = _with_decorators(lines, first)
                    return [line + "\n" for line in lines[start:_block(lines, first)]], start + 1
        raise OSError("could not find class definition")
    if not isfunction(object):
        raise TypeError("module, class, method, function, traceback, frame, or code object was expected, got "
                        + type(object).__name__)
    lines, first, last = _native.source(object)
    start = _with_decorators(lines, first - 1)
    return [line + "\n" for line in lines[start:last]], start + 1


def getsource(object):
    return "".join(getsourcelines(object)[0])


def getsourcefile(object):
    return unwrap(object).__code__.co_filename


getfile = getsourcefile


class _Frame:
    """A frame as it was when it was asked for."""

    def __init__(self, places, names):
        (file, self.f_lineno, name, _), self.f_globals = places[0], names
        self.f_code = _types.SimpleNamespace(co_name=name, co_filename=file, co_qualname=name)
        self._outer = places[1:]

    @property
    def f_back(self):
        return _Frame(self._outer, self.f_globals) if self._outer else None


def currentframe():
    return _Frame([p for p in _native.frames() if not p[0].startswith("<")], _native.caller_globals())


class FrameInfo(tuple):
    frame, filename, lineno = property(lambda self: self[0]), property(lambda self: self[1]), property(lambda self: self[2])
    function, code_context = property(lambda self: self[3]), property(lambda self: self[4])
    index = property(lambda self: self[5])


def stack(context=1):
    found, frame = [], currentframe()
    for file, line, name, text in [p for p in _native.frames() if not p[0].startswith("<")]:
        found.append(FrameInfo((frame, file, line, name, [text + "\n"], 0)))
        frame = frame.f_back
    return found
