# SPDX-License-Identifier: Apache-2.0

ascii_lowercase = "abcdefghijklmnopqrstuvwxyz"
ascii_uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ascii_letters = ascii_lowercase + ascii_uppercase
digits = "0123456789"
hexdigits = digits + "abcdefABCDEF"
octdigits = "01234567"
punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
whitespace = " \t\n\r\x0b\x0c"
printable = digits + ascii_letters + punctuation + whitespace


def capwords(s, sep=None):
    return (sep or " ").join(w.capitalize() for w in s.split(sep))


class Template:
    def __init__(self, template):
        self.template = template

    def _run(self, values, safe):
        s, out, i = self.template, [], 0
        while i < len(s):
            if s[i] != "$":
                out.append(s[i])
                i += 1
                continue
            if s[i + 1:i + 2] == "$":
                out.append("$")
                i += 2
                continue
            braced = s[i + 1:i + 2] == "{"
            j = i + 1 + braced
            k = j
            while k < len(s) and (s[k].isalnum() or s[k] == "_"):
                k += 1
            name = s[j:k]
            end = k + braced
            if not name:
                if not safe:
                    raise ValueError("Invalid placeholder in string")
                out.append("$")
                i += 1
                continue
            if name in values:
                out.append(str(values[name]))
            elif safe:
                out.append(s[i:end])
            else:
                raise KeyError(name)
            i = end
        return "".join(out)

    def substitute(self, mapping={}, /, **kwargs):
        return self._run({**mapping, **kwargs}, False)

    def safe_substitute(self, mapping={}, /, **kwargs):
        return self._run({**mapping, **kwargs}, True)


class Formatter:
    def format(self, text, /, *args, **kwargs):
        return text.format(*args, **kwargs)
