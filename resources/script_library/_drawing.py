# SPDX-License-Identifier: Apache-2.0
# Generators of random numbers: a compiled function draws from those of the outside between two graphs.


def _whole(function):
    def drawn(self, *args, **kwargs):
        return _native.draw(function, self, *args, **kwargs)

    drawn.__name__, drawn.__qualname__ = function.__name__, function.__qualname__
    drawn.__doc__, drawn.__wrapped__ = function.__doc__, function
    return drawn


def drawing(*natives):
    """A class all of whose public methods draw. \param natives: those that are one call of the evaluator's own"""

    def of(cls):
        for name, function in list(vars(cls).items()):
            if not name.startswith("_") and callable(function) and name not in natives:
                setattr(cls, name, _whole(function))
        return cls

    return of
