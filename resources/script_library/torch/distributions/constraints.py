# SPDX-License-Identifier: Apache-2.0
# What parameters of distributions must satisfy.


class Constraint:
    def __init__(self, name, holds):
        self._name = name
        self._holds = holds

    def check(self, value):
        return self._holds(value)

    def __repr__(self):
        return self._name + "()"


real = Constraint("Real", lambda value: value == value)
positive = Constraint("GreaterThan", lambda value: value > 0)
unit_interval = Constraint("Interval", lambda value: (value >= 0) & (value <= 1))
