# SPDX-License-Identifier: Apache-2.0
"""Sections of keys and values, as .ini files hold them."""
import collections.abc as _abc
import re as _re

DEFAULTSECT = "DEFAULT"


class Error(Exception):
    pass


class NoSectionError(Error):
    def __init__(self, section):
        super().__init__(f"No section: {section!r}")
        self.section = section


class DuplicateSectionError(Error):
    pass


class NoOptionError(Error):
    def __init__(self, option, section):
        super().__init__(f"No option {option!r} in section: {section!r}")
        self.option, self.section = option, section


class MissingSectionHeaderError(Error):
    pass


class InterpolationError(Error):
    pass


_UNSET = object()
_TRUTH = {"1": True, "yes": True, "true": True, "on": True, "0": False, "no": False, "false": False, "off": False}


class SectionProxy(_abc.MutableMapping):
    def __init__(self, parser, name):
        self._parser, self._name = parser, name

    def __repr__(self):
        return f"<Section: {self._name}>"

    @property
    def name(self):
        return self._name

    def __getitem__(self, key):
        if not self._parser.has_option(self._name, key):
            raise KeyError(key)
        return self._parser.get(self._name, key)

    def __setitem__(self, key, value):
        self._parser.set(self._name, key, value)

    def __delitem__(self, key):
        if not self._parser.remove_option(self._name, key):
            raise KeyError(key)

    def __contains__(self, key):
        return self._parser.has_option(self._name, key)

    def __len__(self):
        return len(self._parser.options(self._name))

    def __iter__(self):
        return iter(self._parser.options(self._name))

    def get(self, option, fallback=None, *, raw=False):
        return self._parser.get(self._name, option, raw=raw, fallback=fallback)

    def getint(self, option, fallback=None):
        return self._parser.getint(self._name, option, fallback=fallback)

    def getfloat(self, option, fallback=None):
        return self._parser.getfloat(self._name, option, fallback=fallback)

    def getboolean(self, option, fallback=None):
        return self._parser.getboolean(self._name, option, fallback=fallback)


class RawConfigParser(_abc.MutableMapping):
    _interpolates = False

    def __init__(self, defaults=None, *, allow_no_value=False, delimiters=("=", ":"), interpolation=_UNSET,
                 comment_prefixes=("#", ";"), **_):
        self._defaults, self._sections = {}, {}
        self._bare, self._delimiters, self._comments = allow_no_value, delimiters, comment_prefixes
        if interpolation is None:
            self._interpolates = False
        for key, value in (defaults or {}).items():
            self._defaults[self.optionxform(key)] = str(value)

    def optionxform(self, optionstr):
        return optionstr.lower()

    def sections(self):
        return list(self._sections)

    def defaults(self):
        return self._defaults

    def add_section(self, section):
        if section in self._sections:
            raise DuplicateSectionError(f"Section {section!r} already exists")
        self._sections[section] = {}

    def has_section(self, section):
        return section in self._sections

    def _of(self, section):
        if section == DEFAULTSECT:
            return self._defaults
        if section not in self._sections:
            raise NoSectionError(section)
        return self._sections[section]

    def options(self, section):
        return list({**self._of(section), **self._defaults})

    def has_option(self, section, option):
        option = self.optionxform(option)
        return option in self._sections.get(section, {}) or option in self._defaults

    def set(self, section, option, value=None):
        if self._interpolates and not isinstance(value, str):
            raise TypeError("option values must be strings")
        self._of(section)[self.optionxform(option)] = value

    def remove_option(self, section, option):
        return self._of(section).pop(self.optionxform(option), None) is not None

    def remove_section(self, section):
        return self._sections.pop(section, None) is not None

    def read_string(self, string, source="<string>"):
        self.read_file(string.splitlines(), source)

    def read_dict(self, dictionary, source="<dict>"):
        for section, values in dictionary.items():
            if section != DEFAULTSECT and section not in self._sections:
                self._sections[section] = {}
            for key, value in values.items():
                self._of(section)[self.optionxform(str(key))] = None if value is None else str(value)

    def read_file(self, f, source=None):
        section = key = None
        for number, line in enumerate(f, 1):
            text = line.strip()
            if not text or text.startswith(tuple(self._comments)):
                continue
            if line[0].isspace() and key is not None:
                section[key] += "\n" + text
                continue
            if header := _re.match(r"\[(.+)\]$", text):
                name, key = header.group(1), None
                section = self._defaults if name == DEFAULTSECT else self._sections.setdefault(name, {})
                continue
            if section is None:
                raise MissingSectionHeaderError(
                    f"File contains no section headers.\nfile: {source!r}, line: {number}\n{line!r}")
            places = [at for d in self._delimiters if (at := text.find(d)) >= 0]
            if places:
                at = min(places)
                key = self.optionxform(text[:at].strip())
                section[key] = text[at + 1:].strip()
            elif self._bare:
                key = self.optionxform(text)
                section[key] = None
            else:
                raise Error(f"Source contains parsing errors: {source!r}\n\t[line {number:2d}]: {line!r}")

    def read(self, filenames, encoding=None):
        for name in [filenames] if isinstance(filenames, str) else filenames:
            with open(name) as f:
                self.read_file(f.read().splitlines(), name)
        return [filenames] if isinstance(filenames, str) else list(filenames)

    def get(self, section, option, *, raw=False, vars=None, fallback=_UNSET):
        try:
            values = {**self._defaults, **self._of(section), **(vars or {})}
        except NoSectionError:
            if fallback is _UNSET:
                raise
            return fallback
        key = self.optionxform(option)
        if key not in values:
            if fallback is _UNSET:
                raise NoOptionError(option, section)
            return fallback
        value = values[key]
        if raw or not self._interpolates or value is None:
            return value
        for _ in range(10):
            if "%(" not in value:
                break
            def known(found):
                name = self.optionxform(found.group(1))
                if name not in values:
                    raise InterpolationError(f"Bad value substitution: option {option!r} in section {section!r} "
                                             f"contains an interpolation key {name!r} which is not a valid option "
                                             f"name. Raw value: {values[key]!r}")
                return values[name]
            value = _re.sub(r"%\((\w+)\)s", known, value)
        return value.replace("%%", "%")

    def _as(self, convert, section, option, fallback):
        value = self.get(section, option, fallback=fallback)
        return value if value is fallback else convert(value)

    def getint(self, section, option, *, fallback=_UNSET, **_):
        return self._as(int, section, option, fallback)

    def getfloat(self, section, option, *, fallback=_UNSET, **_):
        return self._as(float, section, option, fallback)

    def getboolean(self, section, option, *, fallback=_UNSET, **_):
        def convert(value):
            if value.lower() not in _TRUTH:
                raise ValueError(f"Not a boolean: {value}")
            return _TRUTH[value.lower()]
        return self._as(convert, section, option, fallback)

    def items(self, section=_UNSET, raw=False, vars=None):
        if section is _UNSET:
            return super().items()
        return [(key, self.get(section, key, raw=raw)) for key in {**self._defaults, **self._of(section)}]

    def write(self, fp, space_around_delimiters=True):
        d = " = " if space_around_delimiters else "="
        for name, values in ([(DEFAULTSECT, self._defaults)] if self._defaults else []) + list(self._sections.items()):
            fp.write(f"[{name}]\n")
            for key, value in values.items():
                fp.write(key + ("" if value is None else d + str(value).replace("\n", "\n\t")) + "\n")
            fp.write("\n")

    def __getitem__(self, key):
        if key != DEFAULTSECT and key not in self._sections:
            raise KeyError(key)
        return SectionProxy(self, key)

    def __setitem__(self, key, value):
        self._sections[key] = {}
        self.read_dict({key: value})

    def __delitem__(self, key):
        del self._sections[key]

    def __contains__(self, key):
        return key == DEFAULTSECT or key in self._sections

    def __len__(self):
        return len(self._sections) + 1

    def __iter__(self):
        return iter([DEFAULTSECT] + list(self._sections))


class ConfigParser(RawConfigParser):
    _interpolates = True
