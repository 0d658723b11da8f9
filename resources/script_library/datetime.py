# SPDX-License-Identifier: Apache-2.0

import time as _time

_DAYS = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
MINYEAR, MAXYEAR = 1, 9999


def _leap(y):
    return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)


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


class timedelta:
    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        total = round((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60_000_000 + seconds * 1_000_000 + milliseconds * 1000 + microseconds)
        self.days, rest = divmod(total, 86_400_000_000)
        self.seconds, self.microseconds = divmod(rest, 1_000_000)

    def _us(self):
        return (self.days * 86400 + self.seconds) * 1_000_000 + self.microseconds

    def total_seconds(self):
        return self._us() / 1_000_000

    def __add__(self, other):
        return timedelta(microseconds=self._us() + other._us()) if isinstance(other, timedelta) else NotImplemented

    def __sub__(self, other):
        return timedelta(microseconds=self._us() - other._us())

    def __mul__(self, n):
        return timedelta(microseconds=self._us() * n)

    __rmul__ = __mul__

    def __truediv__(self, n):
        return self._us() / n._us() if isinstance(n, timedelta) else timedelta(microseconds=self._us() / n)

    def __neg__(self):
        return timedelta(microseconds=-self._us())

    def __eq__(self, other):
        return isinstance(other, timedelta) and self._us() == other._us()

    def __lt__(self, other):
        return self._us() < other._us()

    def __le__(self, other):
        return self._us() <= other._us()

    def __hash__(self):
        return hash(self._us())

    def __bool__(self):
        return self._us() != 0

    def __str__(self):
        h, rest = divmod(self.seconds, 3600)
        m, s = divmod(rest, 60)
        days = f"{self.days} day{'' if abs(self.days) == 1 else 's'}, " if self.days else ""
        return f"{days}{h}:{m:02d}:{s:02d}" + (f".{self.microseconds:06d}" if self.microseconds else "")

    def __repr__(self):
        parts = [f"{n}={getattr(self, n)}" for n in ("days", "seconds", "microseconds") if getattr(self, n)]
        return f"datetime.timedelta({', '.join(parts) or '0'})"


class date:
    def __init__(self, year, month, day):
        self.year, self.month, self.day = year, month, day

    @classmethod
    def today(cls):
        return datetime.now().date()

    def toordinal(self):
        return _ordinal(self.year, self.month, self.day)

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoformat(self):
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"

    __str__ = isoformat

    def _key(self):
        return (self.year, self.month, self.day)

    def __eq__(self, other):
        return isinstance(other, date) and self._key() == other._key()

    def __lt__(self, other):
        return self._key() < other._key()

    def __le__(self, other):
        return self._key() <= other._key()

    def __hash__(self):
        return hash(self._key())

    def strftime(self, fmt):
        names = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                 "November", "December"]
        days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        h, mi, s, us = getattr(self, "hour", 0), getattr(self, "minute", 0), getattr(self, "second", 0), getattr(self, "microsecond", 0)
        table = {"Y": f"{self.year:04d}", "m": f"{self.month:02d}", "d": f"{self.day:02d}", "H": f"{h:02d}",
                 "M": f"{mi:02d}", "S": f"{s:02d}", "f": f"{us:06d}", "y": f"{self.year % 100:02d}", "%": "%",
                 "B": names[self.month - 1], "b": names[self.month - 1][:3], "A": days[self.weekday()],
                 "a": days[self.weekday()][:3], "I": f"{h % 12 or 12:02d}", "p": "AM" if h < 12 else "PM",
                 "j": f"{_ordinal(self.year, self.month, self.day) - _ordinal(self.year, 1, 1) + 1:03d}"}
        out, i = [], 0
        while i < len(fmt):
            if fmt[i] == "%" and i + 1 < len(fmt):
                out.append(table.get(fmt[i + 1], ""))
                i += 2
            else:
                out.append(fmt[i])
                i += 1
        return "".join(out)

    def __format__(self, spec):
        return self.strftime(spec) if spec else str(self)

    def __repr__(self):
        return f"datetime.date({self.year}, {self.month}, {self.day})"

    def __add__(self, delta):
        return date(*_date(self.toordinal() + delta.days))

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + -other
        return timedelta(days=self.toordinal() - other.toordinal())


class datetime(date):
    def __init__(self, year, month, day, hour=0, minute=0, second=0, microsecond=0, tzinfo=None):
        super().__init__(year, month, day)
        self.hour, self.minute, self.second, self.microsecond, self.tzinfo = hour, minute, second, microsecond, tzinfo

    @classmethod
    def fromtimestamp(cls, t, tz=None):
        us = round(t * 1_000_000)
        return cls(1970, 1, 1) + timedelta(microseconds=us)

    utcfromtimestamp = fromtimestamp

    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(_time.time())

    utcnow = now

    def _us(self):
        return ((self.toordinal() * 24 + self.hour) * 60 + self.minute) * 60_000_000 + self.second * 1_000_000 + self.microsecond

    def timestamp(self):
        return (self - datetime(1970, 1, 1)).total_seconds()

    def date(self):
        return date(self.year, self.month, self.day)

    def isoformat(self, sep="T", timespec="auto"):
        end = f".{self.microsecond:06d}" if self.microsecond else ""
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}{sep}{self.hour:02d}:{self.minute:02d}:{self.second:02d}{end}"

    def __str__(self):
        return self.isoformat(" ")

    def _key(self):
        return (self._us(),)

    def replace(self, **changes):
        given = {n: getattr(self, n) for n in ("year", "month", "day", "hour", "minute", "second", "microsecond")}
        return datetime(**{**given, **changes})

    def __add__(self, delta):
        us = self._us() + delta._us()
        days, rest = divmod(us, 86_400_000_000)
        y, m, d = _date(days)
        rest, micro = divmod(rest, 1_000_000)
        return datetime(y, m, d, rest // 3600, rest // 60 % 60, rest % 60, micro)

    def __sub__(self, other):
        return self + -other if isinstance(other, timedelta) else timedelta(microseconds=self._us() - other._us())

    def __repr__(self):
        parts = [self.year, self.month, self.day, self.hour, self.minute]
        if self.second or self.microsecond:
            parts.append(self.second)
        if self.microsecond:
            parts.append(self.microsecond)
        return f"datetime.datetime({', '.join(map(str, parts))})"


class timezone:
    utc = None


UTC = None
