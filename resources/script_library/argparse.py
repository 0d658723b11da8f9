# SPDX-License-Identifier: Apache-2.0

import sys as _sys
from textwrap import wrap as _wrap

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
    raw_help = raw_description = defaults = False


class RawDescriptionHelpFormatter(HelpFormatter):
    raw_description = True


class RawTextHelpFormatter(RawDescriptionHelpFormatter):
    raw_help = True


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    defaults = True


class MetavarTypeHelpFormatter(HelpFormatter):
    pass


class BooleanOptionalAction:
    pass


class Action:
    pass


class _Argument:
    def __init__(self, flags, action="store", nargs=None, const=None, default=None, type=None, choices=None,
                 required=False, help=None, metavar=None, dest=None, version=None):
        self.flags = flags
        self.action, self.nargs, self.const, self.type, self.choices = action, nargs, const, type, choices
        self.required, self.help, self.metavar, self.version = required, help, metavar, version
        self.positional = not flags[0].startswith("-")
        if dest is None:
            longest = [f for f in flags if f.startswith("--")] or flags
            dest = longest[0].lstrip("-").replace("-", "_") if not self.positional else flags[0]
        self.dest = dest
        if default is None and action == "store_true":
            default = False
        if default is None and action == "store_false":
            default = True
        if action in ("help", "version"):
            default = SUPPRESS
        self.default = default

    def values(self):
        """What stands behind the flags, or for a positional argument."""
        if self.action not in ("store", "append", "extend"):
            return ""
        name = self.metavar
        if name is None and self.choices is not None:
            name = "{" + ",".join(map(str, self.choices)) + "}"
        if name is None:
            name = self.dest if self.positional else self.dest.upper()
        n = self.nargs
        first, second = name if isinstance(name, tuple) and len(name) > 1 else (name, name)
        if isinstance(n, int):
            return " ".join(name if isinstance(name, tuple) else [name] * n)
        return {None: f"{first}", "?": f"[{first}]", "*": f"[{first} ...]", "+": f"{first} [{second} ...]"}.get(n, "...")

    def usage(self):
        if self.positional:
            return self.values()
        flags = " | ".join(self.flags) if self.action == "boolean" else self.flags[0]
        text = f"{flags} {self.values()}".strip()
        return text if self.required else f"[{text}]"

    def invocation(self):
        if self.positional:
            return str(self.metavar) if self.metavar is not None else self.values() if self.choices is not None else self.dest
        return ", ".join(f"{f} {self.values()}".strip() for f in self.flags)

    def explained(self, parser):
        text = self.help or ""
        if parser.formatter_class.defaults and "%(default)" not in text and self.default is not SUPPRESS:
            if not self.positional or self.nargs in ("?", "*"):
                text += " (default: %(default)s)"
        if "%" not in text:
            return text
        names = {k: v for k, v in vars(self).items() if v is not SUPPRESS}
        names["type"] = getattr(self.type, "__name__", self.type)
        names["prog"] = parser.prog
        if self.choices is not None:
            names["choices"] = ", ".join(map(str, self.choices))
        return text % names

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


class _SubParsers(_Argument):
    """A positional argument that names the parser of all that follows."""
    def __init__(self, parser, dest, required, metavar, help, prog):
        super().__init__([dest or "command"], nargs="...", required=required, help=help, metavar=metavar, dest=dest or SUPPRESS)
        before = " ".join(a.usage() for a in parser._arguments if a.positional)
        self.prog = prog or f"{parser.prog} {before}".strip()
        self.choices, self.told = {}, []
        self.default = None if dest else SUPPRESS

    def add_parser(self, name, help=None, aliases=(), **kwargs):
        made = ArgumentParser(**{"prog": f"{self.prog} {name}", **kwargs})
        for word in (name, *aliases):
            self.choices[word] = made
        if help is not None:
            shown = f"{name} ({', '.join(aliases)})" if aliases else name
            self.told.append((shown, help))
        return made

    def values(self):
        return self.metavar or "{" + ",".join(self.choices) + "}"

    def usage(self):
        return self.values() + " ..."

    def invocation(self):
        return self.values()


class _Group:
    """Adds to the parser that it is of."""
    def __init__(self, parser, title, description):
        self.parser, self.title, self.description = parser, title, description

    def add_argument(self, *flags, **kwargs):
        a = self.parser.add_argument(*flags, **kwargs)
        a.group = self
        return a

    def add_mutually_exclusive_group(self, **kwargs):
        return self


_PLAIN = ("store_true", "store_false", "store_const", "count", "append_const", "boolean")  # take no value


class ArgumentParser:
    def __init__(self, prog=None, usage=None, description=None, epilog=None, parents=(), formatter_class=None,
                 add_help=True, **kwargs):
        self.prog = prog or _sys.argv[0].split("/")[-1]
        self.usage, self.description, self.epilog = usage, description, epilog
        self.formatter_class = formatter_class or HelpFormatter
        self._arguments, self._groups = [], []
        self._defaults = {}
        if add_help:
            self.add_argument("-h", "--help", action="help", help="show this help message and exit")
        for p in parents:
            self._arguments += p._arguments
            self._groups += p._groups

    def add_argument(self, *flags, **kwargs):
        if kwargs.get("action") is BooleanOptionalAction:
            kwargs["action"] = "boolean"
            flags = flags + tuple("--no-" + f[2:] for f in flags if f.startswith("--"))
        if "version" in kwargs and kwargs.get("help") is None:
            kwargs["help"] = "show program's version number and exit"
        a = _Argument(flags, **kwargs)
        a.group = None
        self._arguments.append(a)
        return a

    def add_argument_group(self, title=None, description=None, **kwargs):
        group = _Group(self, title, description)
        self._groups.append(group)
        return group

    def add_mutually_exclusive_group(self, **kwargs):
        return self

    def add_subparsers(self, title=None, description=None, dest=None, required=False, metavar=None, help=None, prog=None,
                       **kwargs):
        a = _SubParsers(self, dest, required, metavar, help, prog)
        a.group = self.add_argument_group(title or "subcommands", description) if title or description else None
        self._arguments.append(a)
        return a

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
        print(self.format_usage() + f"{self.prog}: error: {message}", file=_sys.stderr)
        raise SystemExit(2)

    def exit(self, status=0, message=None):
        if message:
            print(message, end="", file=_sys.stderr)
        raise SystemExit(status)

    def print_help(self, file=None):
        print(self.format_help(), end="", file=file)

    def print_usage(self, file=None):
        print(self.format_usage(), end="", file=file)

    def format_usage(self):
        if self.usage is not None:
            return "usage: " + self.usage.replace("%(prog)s", self.prog) + "\n"
        shown = [a for a in self._arguments if a.help != SUPPRESS]
        options = [part for a in shown if not a.positional for part in (a.usage().split(" ") if a.required else [a.usage()])]
        places = [a.usage() for a in shown if a.positional]
        start = f"usage: {self.prog}"
        whole = " ".join([start] + options + places)
        if len(whole) <= 78:
            return whole + "\n"
        if len(start) <= 58:
            indent, lines = " " * (len(start) + 1), []
        else:
            indent, lines = " " * 7, [start]
        for parts in (options, places):
            now = indent if lines else start + " "
            empty = True
            for part in parts:
                if not empty and len(now) + len(part) > 78:
                    lines.append(now.rstrip())
                    now, empty = indent, True
                now, empty = now + part + " ", False
            if not empty:
                lines.append(now.rstrip())
        return "\n".join(lines) + "\n"

    def format_help(self):
        def described(text):
            text = text.replace("%(prog)s", self.prog)
            return text.strip("\n") if self.formatter_class.raw_description else "\n".join(_wrap(text, 78))

        shown = [a for a in self._arguments if a.help != SUPPRESS]
        parts = [self.format_usage().rstrip("\n")]
        if self.description:
            parts.append(described(self.description))
        place = min(max([len(a.invocation()) + 2 for a in shown] + [len(w) + 4 for a in shown for w, _ in getattr(a, "told", ())]
                        or [0]) + 2, 24)
        own = [("positional arguments", None, [a for a in shown if a.positional and a.group is None]),
               ("options", None, [a for a in shown if not a.positional and a.group is None])]
        for title, description, members in own + [(g.title, g.description, [a for a in shown if a.group is g]) for g in self._groups]:
            if not members and not description:
                continue
            lines = [f"{title}:"] if title else []
            if description:
                lines += ["  " + l for l in _wrap(description, 76)] + ([""] if members else [])
            for a in members:
                text = a.explained(self)
                rows = text.splitlines() if self.formatter_class.raw_help else _wrap(text, 78 - place)
                name = "  " + a.invocation()
                if rows and len(name) <= place - 2:
                    lines.append(f"{name:<{place}}" + rows.pop(0))
                else:
                    lines.append(name)
                lines += [" " * place + row for row in rows]
                for word, told in getattr(a, "told", ()):
                    rows = _wrap(told, 78 - place)
                    lines.append(f"    {word:<{place - 4}}" + rows[0] if len(word) <= place - 6 else "    " + word)
                    lines += [" " * place + row for row in rows[1 if len(word) <= place - 6 else 0:]]
            parts.append("\n".join(lines))
        if self.epilog:
            parts.append(described(self.epilog))
        return "\n\n".join(parts) + "\n"

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
        commands = next((a for a in self._arguments if isinstance(a, _SubParsers)), None)
        before = sum(1 for a in self._arguments if a.positional) - 1
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
            if a is None and text.startswith("-") and not text.startswith("--") and text[:2] in options:
                flag, a = text[:2], options[text[:2]]
                if a.action in _PLAIN:
                    args.insert(i, "-" + text[2:])
                else:
                    eq, inline = "=", text[2:].removeprefix("=")
            if a is None:
                number = text[:1] == "-" and text[1:2].isdigit()
                if commands is not None and not text.startswith("-") and len(loose) == before:
                    if text not in commands.choices:
                        listed = ", ".join(map(repr, commands.choices))
                        name = "" if commands.dest is SUPPRESS else f"argument {commands.metavar or commands.dest}: "
                        self.error(f"{name}invalid choice: {text!r} (choose from {listed})")
                    if commands.dest is not SUPPRESS:
                        setattr(space, commands.dest, text)
                    found, more = commands.choices[text].parse_known_args(args[i:])
                    for key, value in vars(found).items():
                        setattr(space, key, value)
                    rest += more
                    given.add(commands.dest)
                    break
                (rest if text.startswith("-") and len(text) > 1 and not number else loose).append(text)
                continue
            given.add(a.dest)
            if a.action == "help":
                self.print_help()
                self.exit()
            if a.action == "version":
                print(a.version.replace("%(prog)s", self.prog))
                self.exit()
            if a.action in _PLAIN:
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
        wanted = [a for a in self._arguments if a.positional and a is not commands]
        for k, a in enumerate(wanted):
            after = sum(1 if b.nargs in (None, "+") else b.nargs if isinstance(b.nargs, int) else 0 for b in wanted[k + 1:])
            most = len(loose) - after
            n = 1 if a.nargs is None else a.nargs if isinstance(a.nargs, int) else min(1, most) if a.nargs == "?" else max(most, 0)
            if n > len(loose) or (a.nargs == "+" and n < 1):
                late = [b for b in self._arguments if b in wanted[k:] or b.required and b.dest not in given]
                self.error("the following arguments are required: " + ", ".join("/".join(b.flags) for b in late))
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
