# SPDX-License-Identifier: Apache-2.0
# What numpy has and a script cannot have here: calling it says why.
__all__ = []

_files = "there is no file access here; make the numbers in the script, or give them to a case file with --input"
_objects = "arrays here hold numbers only; use lists"
_why = {"load": _files, "save": _files, "savez": _files, "savez_compressed": _files, "loadtxt": _files,
        "savetxt": _files, "genfromtxt": _files, "fromfile": _files, "fromregex": _files, "memmap": _files,
        "fromstring": "use numpy.array of text.split()", "datetime64": _objects, "timedelta64": _objects,
        "bytes_": _objects, "object_": _objects, "void": _objects, "recarray": _objects,
        "matrix": "use arrays of two dimensions", "asmatrix": "use arrays of two dimensions",
        "bmat": "use numpy.block", "poly1d": "use arrays of coefficients with polyval, polyadd, polymul",
        "nditer": "use ndindex, or operations on whole arrays", "longdouble": "use float64",
        "float128": "use float64", "clongdouble": "use complex128", "complex256": "use complex128"}


def _refusal(name, why):
    class refused:
        def __new__(cls, *args, **named):
            error = OSError if why is _files else NotImplementedError
            raise error(f"numpy.{name} is not available: {why}")

    refused.__name__ = refused.__qualname__ = name
    refused.__module__ = "numpy"
    return refused


for _name in _why:
    globals()[_name] = _refusal(_name, _why[_name])
    __all__.append(_name)
