# SPDX-License-Identifier: Apache-2.0

import math as _m


class StatisticsError(ValueError):
    pass


def _exact(total, n):
    r = total / n
    return int(r) if isinstance(total, int) and total % n == 0 else r


def mean(data):
    data = list(data)
    if not data:
        raise StatisticsError("mean requires at least one data point")
    return _exact(_m.fsum(data) if any(isinstance(x, float) for x in data) else sum(data), len(data))


def fmean(data):
    data = list(data)
    return _m.fsum(data) / len(data)


def median(data):
    data = sorted(data)
    n = len(data)
    if not n:
        raise StatisticsError("no median for empty data")
    return data[n // 2] if n % 2 else (data[n // 2 - 1] + data[n // 2]) / 2


def median_low(data):
    data = sorted(data)
    return data[(len(data) - 1) // 2]


def median_high(data):
    data = sorted(data)
    return data[len(data) // 2]


def mode(data):
    counts = {}
    for x in data:
        counts[x] = counts.get(x, 0) + 1
    if not counts:
        raise StatisticsError("no mode for empty data")
    return max(counts, key=counts.get)


def _squares(data):
    n = len(data)
    total = sum(data) if not any(isinstance(x, float) for x in data) else _m.fsum(data)
    if isinstance(total, int):
        return (n * sum(x * x for x in data) - total * total), n
    c = total / n
    return _m.fsum((x - c) ** 2 for x in data), 1


def pvariance(data, mu=None):
    data = list(data)
    s, scale = _squares(data)
    return _exact(s, scale * len(data))


def variance(data, xbar=None):
    data = list(data)
    if len(data) < 2:
        raise StatisticsError("variance requires at least two data points")
    s, scale = _squares(data)
    return _exact(s, scale * (len(data) - 1))


def stdev(data, xbar=None):
    return _m.sqrt(variance(data))


def pstdev(data, mu=None):
    return _m.sqrt(pvariance(data))
