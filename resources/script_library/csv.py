# SPDX-License-Identifier: Apache-2.0
# csv over lines and over what has a write(): files there are none.
QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = range(4)


class Error(Exception):
    pass


def reader(lines, dialect="excel", *, delimiter=",", quotechar='"', skipinitialspace=False):
    text, row, quoted, was_quoted = "", [], False, False
    for line in lines:
        i = 0
        while i < len(line):
            c = line[i]
            if quoted:
                if c != quotechar:
                    text += c
                elif line[i + 1:i + 2] == quotechar:
                    text += c
                    i += 1
                else:
                    quoted = False
            elif c == quotechar and not text and not was_quoted:
                quoted = was_quoted = True
            elif c == delimiter:
                row.append(text)
                text, was_quoted = "", False
                while skipinitialspace and line[i + 1:i + 2] == " ":
                    i += 1
            elif c not in "\r\n":
                text += c
            i += 1
        if not quoted:
            if row or text or was_quoted:
                row.append(text)
            yield row
            text, row, was_quoted = "", [], False
    if quoted:
        yield row + [text]


class writer:
    def __init__(self, csvfile, dialect="excel", *, delimiter=",", quotechar='"', lineterminator="\r\n",
                 quoting=QUOTE_MINIMAL):
        self._to = csvfile
        self._delimiter, self._quote, self._end, self._quoting = delimiter, quotechar, lineterminator, quoting

    def _field(self, value, alone):
        text = "" if value is None else str(value)
        number = isinstance(value, (int, float))
        if self._quoting == QUOTE_ALL or self._quoting == QUOTE_NONNUMERIC and not number or (
                self._quoting != QUOTE_NONE and (alone and not text or any(
                    c in text for c in (self._delimiter, self._quote, "\r", "\n")))):
            return self._quote + text.replace(self._quote, 2 * self._quote) + self._quote
        return text

    def writerow(self, row):
        row = list(row)
        return self._to.write(self._delimiter.join(self._field(v, len(row) == 1) for v in row) + self._end)

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", **options):
        self._rows = reader(f, dialect, **options)
        self._names, self._restkey, self._restval = fieldnames, restkey, restval

    @property
    def fieldnames(self):
        if self._names is None:
            self._names = next(self._rows, None)
        return self._names

    def __iter__(self):
        return self

    def __next__(self):
        names = self.fieldnames
        row = next(self._rows)
        while not row:
            row = next(self._rows)
        made = dict(zip(names, row))
        if len(names) < len(row):
            made[self._restkey] = row[len(names):]
        for name in names[len(row):]:
            made[name] = self._restval
        return made


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", **options):
        self.fieldnames, self.restval, self.extrasaction = list(fieldnames), restval, extrasaction
        self.writer = writer(f, dialect, **options)

    def writeheader(self):
        return self.writer.writerow(self.fieldnames)

    def writerow(self, row):
        more = [repr(name) for name in row if name not in self.fieldnames]
        if more and self.extrasaction == "raise":
            raise ValueError("dict contains fields not in fieldnames: " + ", ".join(more))
        return self.writer.writerow([row.get(name, self.restval) for name in self.fieldnames])

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)
