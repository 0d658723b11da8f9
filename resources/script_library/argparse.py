# SPDX-License-Identifier: Apache-2.0

import sys as _sys

SUPPRESS = "==SUPPRESS=="
REMAINDER, OPTIONAL, ZERO_OR_MORE, ONE_OR_MORE = "...", "?", "*", "+"


class ArgumentTypeError(Exception):
    pass


class ArgumentError(Exception):
    pass


class Namespace:
    def __init__(self, **kwargs):
        for k, v in kwargs.items():
            setattr(self, k, v)

    def __repr__(self):
        return "Namespace(" + ", ".join(f"{k}={v!r}" for k, v in self.__dict__.items()) + ")"

    def __eq__(self, other):
        return isinstance(other, Namespace) and vars(self) == vars(other)

    def __contains__(self, key):
        return key in self.__dict__


class HelpFormatter:
    def __init__(self, *args, **kwargs):
        pass


ArgumentDefaultsHelpFormatter = RawTextHelpFormatter = RawDescriptionHelpFormatter = HelpFormatter


class BooleanOptionalAction:
    pass


class Action:
    pass


class _Argument:
    def __init__(self, flags, action="store", nargs=None, const=None, default=None, type=None, choices=None,
                 required=False, help=None, metavar=None, dest=None, version=None):
        self.flags = flags
        self.action, self.nargs, self.const, self.type, self.choices = action, nargs, const, type, choices
        self.required, self.help = required, help
        self.positional = not flags[0].startswith("-")
        if dest is None:
            longest = [f for f in flags if f.startswith("--")] or flags
            dest = longest[0].lstrip("-").replace("-", "_") if not self.positional else flags[0]
        self.dest = dest
        if default is None and action == "store_true":
            default = False
        if default is None and action == "store_false":
            default = True
        self.default = default

    def convert(self, text, parser):
        value = text
        if self.type is not None:
            try:
                value = self.type(text)
            except ArgumentTypeError as e:
                parser.error(f"argument {'/'.join(self.flags)}: {e}")
            except (TypeError, ValueError):
                name = getattr(self.type, "__name__", repr(self.type))
                parser.error(f"argument {'/'.join(self.flags)}: invalid {name} value: {text!r}")
        if self.choices is not None and value not in self.choices:
            listed = ", ".join(map(repr, self.choices))
            parser.error(f"argument {'/'.join(self.flags)}: invalid choice: {value!r} (choose from {listed})")
        return value


class ArgumentParser:
    def __init__(self, prog=None, usage=None, description=None, epilog=None, parents=(), formatter_class=None,
                 add_help=True, **kwargs):
        self.prog = prog or _sys.argv[0].split("/")[-1]
        self.description = description
        self._arguments = [a for p in parents for a in p._arguments]
        self._defaults = {}

    def add_argument(self, *flags, **kwargs):
        if kwargs.get("action") is BooleanOptionalAction:
            kwargs["action"] = "boolean"
            flags = flags + tuple("--no-" + f[2:] for f in flags if f.startswith("--"))
        a = _Argument(flags, **kwargs)
        self._arguments.append(a)
        return a

    def add_argument_group(self, *args, **kwargs):
        return self

    def add_mutually_exclusive_group(self, **kwargs):
        return self

    def set_defaults(self, **kwargs):
        self._defaults.update(kwargs)
        for a in self._arguments:
            if a.dest in kwargs:
                a.default = kwargs[a.dest]

    def get_default(self, dest):
        for a in self._arguments:
            if a.dest == dest:
                return a.default
        return self._defaults.get(dest)

    def error(self, message):
        print(f"usage: {self.prog}\n{self.prog}: error: {message}", file=_sys.stderr)
        raise SystemExit(2)

    def exit(self, status=0, message=None):
        raise SystemExit(status)

    def print_help(self, file=None):
        print(self.format_help(), end="", file=file)

    def format_help(self):
        return f"usage: {self.prog}\n"

    print_usage, format_usage = print_help, format_help

    def parse_args(self, args=None, namespace=None):
        found, rest = self.parse_known_args(args, namespace)
        if rest:
            self.error("unrecognized arguments: " + " ".join(rest))
        return found

    def parse_known_args(self, args=None, namespace=None):
        args = list(_sys.argv[1:] if args is None else args)
        space = namespace or Namespace()
        for a in self._arguments:
            if a.default is not SUPPRESS and not hasattr(space, a.dest):
                value = a.default
                if isinstance(value, str) and a.type is not None:
                    value = a.convert(value, self)
                setattr(space, a.dest, value)
        for k, v in self._defaults.items():
            if not hasattr(space, k):
                setattr(space, k, v)
        options = {f: a for a in self._arguments if not a.positional for f in a.flags}
        loose, rest, given = [], [], set()
        i = 0
        while i < len(args):
            text = args[i]
            i += 1
            if text == "--":
                loose.extend(args[i:])
                break
            flag, eq, inline = text.partition("=") if text.startswith("--") else (text, "", "")
            a = options.get(flag)
            if a is None and text.startswith("--"):
                near = [f for f in options if f.startswith(flag)]
                a = options[near[0]] if len(near) == 1 else None
            if a is None:
                number = text[:1] == "-" and text[1:2].isdigit()
                (rest if text.startswith("-") and len(text) > 1 and not number else loose).append(text)
                continue
            given.add(a.dest)
            if a.action in ("store_true", "store_false", "store_const", "count", "append_const", "boolean"):
                old = getattr(space, a.dest, None)
                setattr(space, a.dest, True if a.action == "store_true" else False if a.action == "store_false"
                        else a.const if a.action == "store_const" else (old or 0) + 1 if a.action == "count"
                        else not flag.startswith("--no-") if a.action == "boolean" else (old or []) + [a.const])
                continue
            values = [inline] if eq else []
            if not eq:
                most = 1 if a.nargs is None or a.nargs == "?" else a.nargs if isinstance(a.nargs, int) else len(args)
                while i < len(args) and len(values) < most and (not args[i].startswith("-") or args[i][1:2].isdigit() or args[i] == "-"):
                    values.append(args[i])
                    i += 1
            if a.nargs is None and not values or a.nargs == "+" and not values:
                self.error(f"argument {'/'.join(a.flags)}: expected {'one' if a.nargs is None else 'at least one'} argument")
            values = [a.convert(v, self) for v in values]
            value = values if a.nargs not in (None, "?") else values[0] if values else a.const
            if a.action == "append":
                value = (getattr(space, a.dest, None) or []) + [value]
            setattr(space, a.dest, value)
        wanted = [a for a in self._arguments if a.positional]
        for k, a in enumerate(wanted):
            after = sum(1 if b.nargs in (None, "+") else b.nargs if isinstance(b.nargs, int) else 0 for b in wanted[k + 1:])
            most = len(loose) - after
            n = 1 if a.nargs is None else a.nargs if isinstance(a.nargs, int) else min(1, most) if a.nargs == "?" else max(most, 0)
            if n > len(loose) or (a.nargs == "+" and n < 1):
                self.error("the following arguments are required: " + ", ".join(b.dest for b in wanted[k:]))
            values = [a.convert(v, self) for v in loose[:n]]
            del loose[:n]
            if a.nargs is None:
                setattr(space, a.dest, values[0])
            elif a.nargs == "?":
                if values:
                    setattr(space, a.dest, values[0])
            elif values or a.default is None:
                setattr(space, a.dest, values)
        missing = ["/".join(a.flags) for a in self._arguments if a.required and a.dest not in given]
        if missing:
            self.error("the following arguments are required: " + ", ".join(missing))
        return space, rest + loose
