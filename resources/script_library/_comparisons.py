# SPDX-License-Identifier: Apache-2.0
"""The comparison operators of numbers that compare by one method."""


class Compared:
    """Of classes with _compare(other, holds): what holds says of both values, made alike."""

    def _order(self, other, holds):
        return self._compare(other, holds)

    def __eq__(self, other):
        return self._compare(other, lambda a, b: a == b)

    def __lt__(self, other):
        return self._order(other, lambda a, b: a < b)

    def __le__(self, other):
        return self._order(other, lambda a, b: a <= b)

    def __gt__(self, other):
        return self._order(other, lambda a, b: a > b)

    def __ge__(self, other):
        return self._order(other, lambda a, b: a >= b)
