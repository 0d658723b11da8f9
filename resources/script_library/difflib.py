# SPDX-License-Identifier: Apache-2.0
"""What two sequences have in common (the matches of Ratcliff and Obershelp)."""
import collections as _collections

Match = _collections.namedtuple("Match", "a b size")


class SequenceMatcher:
    def __init__(self, isjunk=None, a="", b="", autojunk=True):
        self.isjunk, self.autojunk = isjunk, autojunk
        self.set_seqs(a, b)

    def set_seqs(self, a, b):
        self.set_seq1(a)
        self.set_seq2(b)

    def set_seq1(self, a):
        self.a, self._blocks = a, None

    def set_seq2(self, b):
        self.b, self._blocks = b, None
        self.b2j = {}
        for i, item in enumerate(b):
            self.b2j.setdefault(item, []).append(i)
        if self.isjunk:
            for item in [item for item in self.b2j if self.isjunk(item)]:
                del self.b2j[item]
        if self.autojunk and len(b) >= 200:
            most = len(b) // 100 + 1
            for item in [item for item, at in self.b2j.items() if len(at) > most]:
                del self.b2j[item]

    def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
        a, b = self.a, self.b
        ahi = len(a) if ahi is None else ahi
        bhi = len(b) if bhi is None else bhi
        besti, bestj, best, lengths = alo, blo, 0, {}
        for i in range(alo, ahi):
            new = {}
            for j in self.b2j.get(a[i], ()):
                if j < blo:
                    continue
                if j >= bhi:
                    break
                k = new[j] = lengths.get(j - 1, 0) + 1
                if k > best:
                    besti, bestj, best = i - k + 1, j - k + 1, k
            lengths = new
        while besti > alo and bestj > blo and a[besti - 1] == b[bestj - 1]:
            besti, bestj, best = besti - 1, bestj - 1, best + 1
        while besti + best < ahi and bestj + best < bhi and a[besti + best] == b[bestj + best]:
            best += 1
        return Match(besti, bestj, best)

    def get_matching_blocks(self):
        if self._blocks is not None:
            return self._blocks
        todo, found = [(0, len(self.a), 0, len(self.b))], []
        while todo:
            alo, ahi, blo, bhi = todo.pop()
            i, j, k = match = self.find_longest_match(alo, ahi, blo, bhi)
            if k:
                found.append(match)
                if alo < i and blo < j:
                    todo.append((alo, i, blo, j))
                if i + k < ahi and j + k < bhi:
                    todo.append((i + k, ahi, j + k, bhi))
        found.sort()
        joined = []
        for i, j, k in found:
            if joined and joined[-1][0] + joined[-1][2] == i and joined[-1][1] + joined[-1][2] == j:
                joined[-1] = Match(joined[-1][0], joined[-1][1], joined[-1][2] + k)
            else:
                joined.append(Match(i, j, k))
        self._blocks = joined + [Match(len(self.a), len(self.b), 0)]
        return self._blocks

    def get_opcodes(self):
        i = j = 0
        codes = []
        for ai, bj, size in self.get_matching_blocks():
            tag = "replace" if i < ai and j < bj else "delete" if i < ai else "insert" if j < bj else ""
            if tag:
                codes.append((tag, i, ai, j, bj))
            i, j = ai + size, bj + size
            if size:
                codes.append(("equal", ai, i, bj, j))
        return codes

    def get_grouped_opcodes(self, n=3):
        codes = self.get_opcodes() or [("equal", 0, 1, 0, 1)]
        if codes[0][0] == "equal":
            tag, i1, i2, j1, j2 = codes[0]
            codes[0] = tag, max(i1, i2 - n), i2, max(j1, j2 - n), j2
        if codes[-1][0] == "equal":
            tag, i1, i2, j1, j2 = codes[-1]
            codes[-1] = tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)
        group = []
        for tag, i1, i2, j1, j2 in codes:
            if tag == "equal" and i2 - i1 > 2 * n:
                group.append((tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)))
                yield group
                group = []
                i1, j1 = max(i1, i2 - n), max(j1, j2 - n)
            group.append((tag, i1, i2, j1, j2))
        if group and not (len(group) == 1 and group[0][0] == "equal"):
            yield group

    def ratio(self):
        total = len(self.a) + len(self.b)
        return 2.0 * sum(block[2] for block in self.get_matching_blocks()) / total if total else 1.0

    def quick_ratio(self):
        total = len(self.a) + len(self.b)
        common = _collections.Counter(self.a) & _collections.Counter(self.b)
        return 2.0 * sum(common.values()) / total if total else 1.0

    def real_quick_ratio(self):
        la, lb = len(self.a), len(self.b)
        return 2.0 * min(la, lb) / (la + lb) if la + lb else 1.0


def get_close_matches(word, possibilities, n=3, cutoff=0.6):
    if not n > 0:
        raise ValueError("n must be > 0: %r" % (n,))
    if not 0.0 <= cutoff <= 1.0:
        raise ValueError("cutoff must be in [0.0, 1.0]: %r" % (cutoff,))
    scored, matcher = [], SequenceMatcher()
    matcher.set_seq2(word)
    for x in possibilities:
        matcher.set_seq1(x)
        if matcher.ratio() >= cutoff:
            scored.append((matcher.ratio(), x))
    return [x for score, x in sorted(scored, reverse=True)[:n]]


def _range(start, stop, zero):
    length = stop - start
    if length == 1:
        return f"{start + 1}"
    return f"{start + (length > 0)},{length}"


def unified_diff(a, b, fromfile="", tofile="", fromfiledate="", tofiledate="", n=3, lineterm="\n"):
    started = False
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
        if not started:
            started = True
            yield "--- {}{}{}".format(fromfile, "\t" + fromfiledate if fromfiledate else "", lineterm)
            yield "+++ {}{}{}".format(tofile, "\t" + tofiledate if tofiledate else "", lineterm)
        first, last = group[0], group[-1]
        yield "@@ -{} +{} @@{}".format(_range(first[1], last[2], 0), _range(first[3], last[4], 0), lineterm)
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                for line in a[i1:i2]:
                    yield " " + line
            if tag in ("replace", "delete"):
                for line in a[i1:i2]:
                    yield "-" + line
            if tag in ("replace", "insert"):
                for line in b[j1:j2]:
                    yield "+" + line
