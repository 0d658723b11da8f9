# SPDX-License-Identifier: Apache-2.0
"""Moments as tuples and texts; the clocks themselves are the evaluator's. The time zone is UTC."""
import collections as _collections

timezone = altzone = daylight = 0
tzname = ("UTC", "UTC")
_FIELDS = "tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday tm_isdst"


class struct_time(_collections.namedtuple("struct_time", _FIELDS)):
    tm_zone, tm_gmtoff = "UTC", 0

    def __new__(cls, sequence):
        if len(sequence) != 9:
            raise TypeError(f"time.struct_time() takes a 9-sequence ({len(sequence)}-sequence given)")
        return super().__new__(cls, *sequence)

    def __repr__(self):
        return "time.struct_time(" + ", ".join(f"{name}={value}" for name, value in zip(self._fields, self)) + ")"


def _moment(t):
    import datetime
    return datetime.datetime(*(tuple(t)[:6] if t is not None else tuple(gmtime())[:6]))


def gmtime(seconds=None):
    import datetime
    seconds = time() if seconds is None else seconds
    days, rest = divmod(int(seconds // 1), 86400)
    day = datetime.date.fromordinal(719163 + days)
    return struct_time((day.year, day.month, day.day, rest // 3600, rest // 60 % 60, rest % 60, day.weekday(),
                        day.toordinal() - datetime.date(day.year, 1, 1).toordinal() + 1, 0))


localtime = gmtime


def mktime(t):
    import calendar
    return float(calendar.timegm(t))


def strftime(format, t=None):
    return _moment(t).strftime(format)


def strptime(string, format="%a %b %d %H:%M:%S %Y"):
    import datetime
    return datetime.datetime.strptime(string, format).timetuple()


def asctime(t=None):
    moment = _moment(t)
    return moment.strftime("%a %b ") + f"{moment.day:2d}" + moment.strftime(" %H:%M:%S %Y")


def ctime(seconds=None):
    return asctime(gmtime(seconds))


process_time_ns, thread_time, CLOCK_MONOTONIC = perf_counter_ns, process_time, 1
