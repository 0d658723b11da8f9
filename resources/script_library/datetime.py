# SPDX-License-Identifier: Apache-2.0
"""Dates, times of day, spans and time zones of fixed offsets; the local zone is UTC."""
import re as _re
import time as _time

_DAYS = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
           "December")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MINYEAR, MAXYEAR = 1, 9999
_EPOCH = 719163


def _leap(y):
    return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)


def _length(y, m):
    return 29 if m == 2 and _leap(y) else _LENGTHS[m - 1]


def _ordinal(y, m, d):
    p = y - 1
    return p * 365 + p // 4 - p // 100 + p // 400 + _DAYS[m - 1] + (m > 2 and _leap(y)) + d


def _date(n):
    y = n * 400 // 146097 + 1
    while _ordinal(y, 1, 1) > n:
        y -= 1
    while _ordinal(y + 1, 1, 1) <= n:
        y += 1
    m = 12
    while _ordinal(y, m, 1) > n:
        m -= 1
    return y, m, n - _ordinal(y, m, 1) + 1


def _check_date(y, m, d):
    if not MINYEAR <= y <= MAXYEAR:
        raise ValueError(f"year {y} is out of range")
    if not 1 <= m <= 12:
        raise ValueError("month must be in 1..12")
    if not 1 <= d <= _length(y, m):
        raise ValueError("day is out of range for month")


def _check_time(h, m, s, us, fold):
    for name, value, end in (("hour", h, 24), ("minute", m, 60), ("second", s, 60), ("microsecond", us, 1000000)):
        if not 0 <= value < end:
            raise ValueError(f"{name} must be in 0..{end - 1}")


class timedelta:
    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        total = round((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60_000_000 + seconds * 1_000_000
                      + milliseconds * 1000 + microseconds)
        self.days, rest = divmod(total, 86_400_000_000)
        self.seconds, self.microseconds = divmod(rest, 1_000_000)
        if abs(self.days) > 999999999:
            raise OverflowError(f"days={self.days}; must have magnitude <= 999999999")

    def _us(self):
        return (self.days * 86400 + self.seconds) * 1_000_000 + self.microseconds

    def total_seconds(self):
        return self._us() / 1_000_000

    def __add__(self, other):
        return timedelta(microseconds=self._us() + other._us()) if isinstance(other, timedelta) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        return timedelta(microseconds=self._us() - other._us()) if isinstance(other, timedelta) else NotImplemented

    def __mul__(self, n):
        return timedelta(microseconds=self._us() * n) if isinstance(n, (int, float)) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, n):
        return self._us() / n._us() if isinstance(n, timedelta) else timedelta(microseconds=self._us() / n)

    def __floordiv__(self, n):
        return self._us() // n._us() if isinstance(n, timedelta) else timedelta(microseconds=self._us() // n)

    def __mod__(self, other):
        return timedelta(microseconds=self._us() % other._us()) if isinstance(other, timedelta) else NotImplemented

    def __divmod__(self, other):
        return self // other, self % other

    def __neg__(self):
        return timedelta(microseconds=-self._us())

    def __pos__(self):
        return self

    def __abs__(self):
        return -self if self.days < 0 else self

    def __bool__(self):
        return self._us() != 0

    def __eq__(self, other):
        return isinstance(other, timedelta) and self._us() == other._us()

    def __lt__(self, other):
        return self._us() < other._us() if isinstance(other, timedelta) else NotImplemented

    def __le__(self, other):
        return self._us() <= other._us() if isinstance(other, timedelta) else NotImplemented

    def __gt__(self, other):
        return self._us() > other._us() if isinstance(other, timedelta) else NotImplemented

    def __ge__(self, other):
        return self._us() >= other._us() if isinstance(other, timedelta) else NotImplemented

    def __hash__(self):
        return hash(self._us())

    def __str__(self):
        text = f"{self.seconds // 3600}:{self.seconds // 60 % 60:02d}:{self.seconds % 60:02d}"
        if self.days:
            text = f"{self.days} day{'' if abs(self.days) == 1 else 's'}, {text}"
        return text + (f".{self.microseconds:06d}" if self.microseconds else "")

    def __repr__(self):
        parts = [f"{n}={v}" for n, v in (("days", self.days), ("seconds", self.seconds),
                                         ("microseconds", self.microseconds)) if v]
        return f"datetime.timedelta({', '.join(parts) or '0'})"


timedelta.min, timedelta.resolution = timedelta(-999999999), timedelta(microseconds=1)
timedelta.max = timedelta(999999999, 86399, 999999)


class tzinfo:
    def utcoffset(self, dt):
        raise NotImplementedError("a tzinfo subclass must implement utcoffset()")

    def tzname(self, dt):
        raise NotImplementedError("a tzinfo subclass must implement tzname()")

    def dst(self, dt):
        raise NotImplementedError("a tzinfo subclass must implement dst()")


def _offset_text(span, separator=":"):
    sign, span = ("-", -span) if span.days < 0 else ("+", span)
    text = f"{sign}{span.seconds // 3600:02d}{separator}{span.seconds // 60 % 60:02d}"
    return text + (f"{separator}{span.seconds % 60:02d}" if span.seconds % 60 else "")


class timezone(tzinfo):
    def __init__(self, offset, name=None):
        if not isinstance(offset, timedelta):
            raise TypeError("timezone() argument 1 must be datetime.timedelta, not " + type(offset).__name__)
        if not timedelta(-1) < offset < timedelta(1):
            raise ValueError("offset must be a timedelta strictly between -timedelta(hours=24) and "
                             f"timedelta(hours=24), not {offset!r}.")
        self._offset, self._name = offset, name

    def utcoffset(self, dt):
        return self._offset

    def dst(self, dt):
        return None

    def tzname(self, dt):
        return self._name or ("UTC" + _offset_text(self._offset) if self._offset else "UTC")

    def __eq__(self, other):
        return isinstance(other, timezone) and self._offset == other._offset

    def __hash__(self):
        return hash(self._offset)

    def __str__(self):
        return self.tzname(None)

    def __repr__(self):
        if self is timezone.utc:
            return "datetime.timezone.utc"
        return f"datetime.timezone({self._offset!r}" + (f", {self._name!r})" if self._name else ")")


UTC = timezone.utc = timezone(timedelta(0))


class IsoCalendarDate(tuple):
    year, week = property(lambda self: self[0]), property(lambda self: self[1])
    weekday = property(lambda self: self[2])

    def __repr__(self):
        return f"datetime.IsoCalendarDate(year={self[0]}, week={self[1]}, weekday={self[2]})"


def _told(moment, format):
    """strftime: moment has what dates and times have."""
    def number(value, width, flag, fill="0"):
        return str(value) if flag == "-" else str(value).rjust(width, " " if flag == "_" else fill)

    def field(found):
        flag, code = found.groups()
        day = moment
        if code == "%":
            return "%"
        if code in "YmdjUWwuaAbBhyGVeDFxc":
            since = _ordinal(day.year, day.month, day.day) - _ordinal(day.year, 1, 1)
            weekday = (_ordinal(day.year, day.month, day.day) + 6) % 7
        if code == "Y":
            return str(day.year)
        if code == "G":
            return str(moment.isocalendar()[0])
        if code == "V":
            return number(moment.isocalendar()[1], 2, flag)
        if code in "aAbBhpZzfnt":
            return {"a": lambda: _WEEKDAYS[weekday][:3], "A": lambda: _WEEKDAYS[weekday],
                    "b": lambda: _MONTHS[day.month - 1][:3], "h": lambda: _MONTHS[day.month - 1][:3],
                    "B": lambda: _MONTHS[day.month - 1], "p": lambda: "AM" if moment.hour < 12 else "PM",
                    "f": lambda: f"{moment.microsecond:06d}", "n": lambda: "\n", "t": lambda: "\t",
                    "Z": lambda: moment.tzname() or "",
                    "z": lambda: _offset_text(moment.utcoffset(), "") if moment.utcoffset() is not None else ""}[code]()
        whole = {"D": "%m/%d/%y", "F": "%Y-%m-%d", "T": "%H:%M:%S", "R": "%H:%M", "c": "%a %b %e %H:%M:%S %Y",
                 "x": "%m/%d/%y", "X": "%H:%M:%S", "r": "%I:%M:%S %p"}
        if code in whole:
            return _told(moment, whole[code])
        if code == "s":
            return str(int(moment.timestamp()))
        value, width, fill = {
            "m": lambda: (day.month, 2, "0"), "d": lambda: (day.day, 2, "0"), "e": lambda: (day.day, 2, " "),
            "y": lambda: (day.year % 100, 2, "0"), "C": lambda: (day.year // 100, 2, "0"),
            "j": lambda: (since + 1, 3, "0"), "w": lambda: ((weekday + 1) % 7, 1, "0"), "u": lambda: (weekday + 1, 1, "0"),
            "U": lambda: ((since + 7 - (weekday + 1) % 7) // 7, 2, "0"), "W": lambda: ((since + 7 - weekday) // 7, 2, "0"),
            "H": lambda: (moment.hour, 2, "0"), "k": lambda: (moment.hour, 2, " "),
            "I": lambda: ((moment.hour + 11) % 12 + 1, 2, "0"), "l": lambda: ((moment.hour + 11) % 12 + 1, 2, " "),
            "M": lambda: (moment.minute, 2, "0"), "S": lambda: (moment.second, 2, "0")}[code]()
        return number(value, width, flag, fill)

    return _re.sub(r"%([-_]?)([a-zA-Z%])", field, format)


class date:
    def __new__(cls, year, month=None, day=None, *rest, **more):
        if cls is date:
            _check_date(year, month, day)
        return object.__new__(cls)

    def __init__(self, year, month, day):
        self.year, self.month, self.day = year, month, day

    @classmethod
    def today(cls):
        return cls.fromtimestamp(_time.time())

    @classmethod
    def fromtimestamp(cls, t):
        return cls(*_date(int(t // 86400) + _EPOCH))

    @classmethod
    def fromordinal(cls, n):
        return cls(*_date(n))

    @classmethod
    def fromisoformat(cls, date_string):
        found = _re.fullmatch(r"(\d{4})-?(\d\d)-?(\d\d)", date_string)
        if not found:
            raise ValueError(f"Invalid isoformat string: {date_string!r}")
        return cls(*(int(part) for part in found.groups()))

    @classmethod
    def fromisocalendar(cls, year, week, day):
        first = _ordinal(year, 1, 4)
        return cls.fromordinal(first - (first + 6) % 7 + (week - 1) * 7 + day - 1)

    def toordinal(self):
        return _ordinal(self.year, self.month, self.day)

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.weekday() + 1

    def isocalendar(self):
        n = self.toordinal()
        year = _date(n - self.weekday() + 3)[0]
        first = _ordinal(year, 1, 4)
        return IsoCalendarDate((year, (n - (first - (first + 6) % 7)) // 7 + 1, self.weekday() + 1))

    def timetuple(self):
        return _time.struct_time((self.year, self.month, self.day, 0, 0, 0, self.weekday(),
                                  self.toordinal() - _ordinal(self.year, 1, 1) + 1, -1))

    def replace(self, year=None, month=None, day=None):
        return type(self)(year or self.year, month or self.month, day or self.day)

    def isoformat(self):
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"

    __str__ = isoformat

    def ctime(self):
        return _told(self, "%a %b %e 00:00:00 %Y")

    hour = minute = second = microsecond = property(lambda self: 0)

    def tzname(self):
        return None

    def utcoffset(self):
        return None

    def strftime(self, format):
        return _told(self, format)

    def __format__(self, spec):
        return _told(self, spec) if spec else str(self)

    def __repr__(self):
        return f"datetime.date({self.year}, {self.month}, {self.day})"

    def _key(self):
        return self.toordinal()

    def _comparable(self, other):
        return isinstance(other, date) and isinstance(other, datetime) == isinstance(self, datetime)

    def __eq__(self, other):
        return self._key() == other._key() if self._comparable(other) else NotImplemented

    def __lt__(self, other):
        return self._key() < other._key() if self._comparable(other) else NotImplemented

    def __le__(self, other):
        return self._key() <= other._key() if self._comparable(other) else NotImplemented

    def __gt__(self, other):
        return self._key() > other._key() if self._comparable(other) else NotImplemented

    def __ge__(self, other):
        return self._key() >= other._key() if self._comparable(other) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        n = self.toordinal() + other.days
        if not 1 <= n <= 3652059:
            raise OverflowError("date value out of range")
        return type(self).fromordinal(n)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + timedelta(-other.days)
        return timedelta(self.toordinal() - other.toordinal()) if isinstance(other, date) else NotImplemented


class _Clock:
    """What times of day and datetimes have."""

    def _time_text(self, timespec):
        text = f"{self.hour:02d}:{self.minute:02d}:{self.second:02d}"
        if timespec == "auto":
            return text + (f".{self.microsecond:06d}" if self.microsecond else "")
        return {"hours": text[:2], "minutes": text[:5], "seconds": text,
                "milliseconds": text + f".{self.microsecond // 1000:03d}",
                "microseconds": text + f".{self.microsecond:06d}"}[timespec]

    def _zone_text(self):
        offset = self.utcoffset()
        return "" if offset is None else _offset_text(offset)

    def _repr_end(self):
        parts = f"{self.hour}, {self.minute}"
        if self.second or self.microsecond:
            parts += f", {self.second}" + (f", {self.microsecond}" if self.microsecond else "")
        return parts + (f", tzinfo={self.tzinfo!r})" if self.tzinfo is not None else ")")


_TIME = r"(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,6})\d*)?)?)?(Z|[+-]\d\d(?::?\d\d)?(?::?\d\d)?)?"


def _time_parts(found):
    h, m, s, fraction, zone = found
    zone = None if not zone else UTC if zone == "Z" else _zone(zone)
    return int(h), int(m or 0), int(s or 0), int((fraction or "").ljust(6, "0")), zone


def _zone(text):
    digits = text[1:].replace(":", "")
    span = timedelta(hours=int(digits[:2]), minutes=int(digits[2:4] or 0), seconds=int(digits[4:6] or 0))
    return timezone(-span if text[0] == "-" else span) if span else UTC


class time(_Clock):
    def __init__(self, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        _check_time(hour, minute, second, microsecond, fold)
        self.hour, self.minute, self.second, self.microsecond = hour, minute, second, microsecond
        self.tzinfo, self.fold = tzinfo, fold

    year, month, day = 1900, 1, 1

    @classmethod
    def fromisoformat(cls, time_string):
        found = _re.fullmatch("T?" + _TIME, time_string)
        if not found:
            raise ValueError(f"Invalid isoformat string: {time_string!r}")
        return cls(*_time_parts(found.groups()))

    def replace(self, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None):
        return type(self)(self.hour if hour is None else hour, self.minute if minute is None else minute,
                          self.second if second is None else second,
                          self.microsecond if microsecond is None else microsecond,
                          self.tzinfo if tzinfo is True else tzinfo)

    def utcoffset(self):
        return None if self.tzinfo is None else self.tzinfo.utcoffset(None)

    def tzname(self):
        return None if self.tzinfo is None else self.tzinfo.tzname(None)

    def isoformat(self, timespec="auto"):
        return self._time_text(timespec) + self._zone_text()

    __str__ = isoformat

    def strftime(self, format):
        return _told(self, format)

    def __format__(self, spec):
        return _told(self, spec) if spec else str(self)

    def __repr__(self):
        return "datetime.time(" + self._repr_end()

    def _key(self):
        return (self.hour, self.minute, self.second, self.microsecond)

    def __eq__(self, other):
        return isinstance(other, time) and self._key() == other._key()

    def __lt__(self, other):
        return self._key() < other._key() if isinstance(other, time) else NotImplemented

    def __le__(self, other):
        return self._key() <= other._key() if isinstance(other, time) else NotImplemented

    def __gt__(self, other):
        return self._key() > other._key() if isinstance(other, time) else NotImplemented

    def __ge__(self, other):
        return self._key() >= other._key() if isinstance(other, time) else NotImplemented

    def __hash__(self):
        return hash(self._key())


_PARSED = {"Y": r"\d{4}", "m": r"\d{1,2}", "d": r"\d{1,2}", "e": r"\d{1,2}", "H": r"\d{1,2}", "I": r"\d{1,2}",
           "M": r"\d{1,2}", "S": r"\d{1,2}", "y": r"\d\d", "f": r"\d{1,6}", "j": r"\d{1,3}", "p": "[AaPp][Mm]",
           "b": "|".join(name[:3] for name in _MONTHS), "B": "|".join(_MONTHS), "a": "|".join(n[:3] for n in _WEEKDAYS),
           "A": "|".join(_WEEKDAYS), "z": r"[+-]\d\d:?\d\d|Z", "Z": "UTC|GMT", "w": r"\d", "%": "%"}


class datetime(_Clock, date):
    hour = minute = second = microsecond = 0

    def __init__(self, year, month, day, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        _check_date(year, month, day)
        _check_time(hour, minute, second, microsecond, fold)
        self.year, self.month, self.day = year, month, day
        self.hour, self.minute, self.second, self.microsecond = hour, minute, second, microsecond
        self.tzinfo, self.fold = tzinfo, fold

    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(_time.time(), tz)

    today = now

    @classmethod
    def utcnow(cls):
        return cls.fromtimestamp(_time.time())

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        us = round(timestamp * 1_000_000)
        if tz is not None:
            us += tz.utcoffset(None)._us()
        return cls._of(us, tz)

    utcfromtimestamp = classmethod(lambda cls, t: cls.fromtimestamp(t))

    @classmethod
    def _of(cls, us, tz=None):
        """\\param us: since 1970, of the wall's clock"""
        days, us = divmod(us, 86_400_000_000)
        s, us = divmod(us, 1_000_000)
        if not 1 <= days + _EPOCH <= 3652059:
            raise OverflowError("date value out of range")
        return cls(*_date(days + _EPOCH), s // 3600, s // 60 % 60, s % 60, us, tz)

    @classmethod
    def fromordinal(cls, n):
        return cls(*_date(n))

    @classmethod
    def fromisoformat(cls, date_string):
        found = _re.fullmatch(r"(\d{4})-?(\d\d)-?(\d\d)(?:." + _TIME + ")?", date_string)
        if not found:
            raise ValueError(f"Invalid isoformat string: {date_string!r}")
        parts = found.groups()
        return cls(*(int(p) for p in parts[:3]), *(_time_parts(parts[3:]) if parts[3] else ()))

    @classmethod
    def combine(cls, date, time, tzinfo=True):
        return cls(date.year, date.month, date.day, time.hour, time.minute, time.second, time.microsecond,
                   time.tzinfo if tzinfo is True else tzinfo)

    @classmethod
    def strptime(cls, date_string, format):
        for code, whole in (("%T", "%H:%M:%S"), ("%D", "%m/%d/%y"), ("%F", "%Y-%m-%d"), ("%R", "%H:%M")):
            format = format.replace(code, whole)
        codes, pattern, i = [], "", 0
        while i < len(format):
            if format[i] == "%" and i + 1 < len(format):
                code = format[i + 1]
                if code not in _PARSED:
                    raise ValueError(f"'{code}' is a bad directive in format {format!r}")
                codes.append(code)
                pattern += f"({_PARSED[code]})"
                i += 2
            elif format[i].isspace():
                pattern += r"\s+"
                i += 1
            else:
                pattern += _re.escape(format[i])
                i += 1
        found = _re.match(pattern, date_string, _re.I)
        if not found:
            raise ValueError(f"time data {date_string!r} does not match format {format!r}")
        if found.end() != len(date_string):
            raise ValueError(f"unconverted data remains: {date_string[found.end():]}")
        got = dict(zip(codes, found.groups()))
        year = int(got["Y"]) if "Y" in got else int(got["y"]) + (1900 if int(got["y"]) > 68 else 2000) if "y" in got else 1900
        month = int(got.get("m", 1))
        for code, size in (("b", 3), ("B", None)):
            if code in got:
                month = [name[:size].lower() for name in _MONTHS].index(got[code].lower()) + 1
        day, hour = int(got.get("d", got.get("e", 1))), int(got.get("H", 0))
        if "I" in got:
            hour = int(got["I"]) % 12 + (12 if got.get("p", "AM").upper() == "PM" else 0)
        if "j" in got:
            year, month, day = _date(_ordinal(year, 1, 1) + int(got["j"]) - 1)
        zone = (UTC if got["z"] == "Z" else _zone(got["z"])) if "z" in got else None
        return cls(year, month, day, hour, int(got.get("M", 0)), int(got.get("S", 0)),
                   int(got.get("f", "0").ljust(6, "0")), zone)

    def _us(self):
        return ((self.toordinal() - _EPOCH) * 86400 + self.hour * 3600 + self.minute * 60 + self.second) * 1_000_000 \
            + self.microsecond

    def _key(self):
        offset = self.utcoffset()
        return self._us() - (0 if offset is None else offset._us())

    def timestamp(self):
        return self._key() / 1_000_000

    def utcoffset(self):
        return None if self.tzinfo is None else self.tzinfo.utcoffset(self)

    def tzname(self):
        return None if self.tzinfo is None else self.tzinfo.tzname(self)

    def dst(self):
        return None if self.tzinfo is None else self.tzinfo.dst(self)

    def astimezone(self, tz=None):
        tz = UTC if tz is None else tz
        moved = type(self)._of(self._key(), tz)
        return type(self)._of(self._key() + tz.utcoffset(moved)._us(), tz)

    def date(self):
        return date(self.year, self.month, self.day)

    def time(self):
        return time(self.hour, self.minute, self.second, self.microsecond)

    def timetz(self):
        return time(self.hour, self.minute, self.second, self.microsecond, self.tzinfo)

    def timetuple(self):
        return _time.struct_time((self.year, self.month, self.day, self.hour, self.minute, self.second, self.weekday(),
                                  self.toordinal() - _ordinal(self.year, 1, 1) + 1, -1))

    def replace(self, year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None, tzinfo=True,
                *, fold=None):
        given = [(year, self.year), (month, self.month), (day, self.day), (hour, self.hour), (minute, self.minute),
                 (second, self.second), (microsecond, self.microsecond)]
        return type(self)(*(old if new is None else new for new, old in given), self.tzinfo if tzinfo is True else tzinfo)

    def isoformat(self, sep="T", timespec="auto"):
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}{sep}" + self._time_text(timespec) + self._zone_text()

    def __str__(self):
        return self.isoformat(" ")

    def ctime(self):
        return _told(self, "%a %b %e %H:%M:%S %Y")

    def __repr__(self):
        return f"datetime.datetime({self.year}, {self.month}, {self.day}, " + self._repr_end()

    def __add__(self, other):
        return type(self)._of(self._us() + other._us(), self.tzinfo) if isinstance(other, timedelta) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return type(self)._of(self._us() - other._us(), self.tzinfo)
        if not isinstance(other, datetime):
            return NotImplemented
        if (self.tzinfo is None) != (other.tzinfo is None):
            raise TypeError("can't subtract offset-naive and offset-aware datetimes")
        return timedelta(microseconds=self._key() - other._key())


date.min, date.max, date.resolution = date(1, 1, 1), date(9999, 12, 31), timedelta(1)
time.min, time.max, time.resolution = time(), time(23, 59, 59, 999999), timedelta.resolution
datetime.min, datetime.max = datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)
datetime.resolution = timedelta.resolution
