# SPDX-License-Identifier: Apache-2.0
"""Days of months."""
import datetime as _datetime

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)
day_name = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
day_abbr = [name[:3] for name in day_name]
month_name = ["", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
              "November", "December"]
month_abbr = [name[:3] for name in month_name]


def isleap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def leapdays(y1, y2):
    return sum(isleap(year) for year in range(y1, y2))


def weekday(year, month, day):
    return _datetime.date(year, month, day).weekday()


def monthrange(year, month):
    if not 1 <= month <= 12:
        raise ValueError(f"bad month number {month}; must be 1-12")
    days = [31, 29 if isleap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    return weekday(year, month, 1), days


def timegm(tuple):
    year, month, day, hour, minute, second = tuple[:6]
    days = _datetime.date(year, month, day).toordinal() - _datetime.date(1970, 1, 1).toordinal()
    return ((days * 24 + hour) * 60 + minute) * 60 + second


def monthcalendar(year, month):
    first, days = monthrange(year, month)
    cells = [0] * first + list(range(1, days + 1))
    cells += [0] * (-len(cells) % 7)
    return [cells[i:i + 7] for i in range(0, len(cells), 7)]


def month(theyear, themonth, w=0, l=0):
    w = max(2, w)
    width = 7 * (w + 1) - 1
    lines = [f"{month_name[themonth]} {theyear}".center(width).rstrip(),
             " ".join(name[:w].center(w) for name in (day_abbr if w < 9 else day_name)).rstrip()]
    for week in monthcalendar(theyear, themonth):
        lines.append(" ".join((str(day) if day else "").rjust(2).center(w) for day in week).rstrip())
    return "\n".join(lines) + "\n"
