# SPDX-License-Identifier: Apache-2.0
# torch.return_types: what operations of several results return, tuples with named fields.
import operator


def _named(name, fields):
    def __new__(cls, values, dict={}):
        values = tuple(values)
        if len(values) != len(fields):
            raise TypeError(f"torch.return_types.{name}() takes a {len(fields)}-sequence ({len(values)}-sequence given)")
        return tuple.__new__(cls, values)

    def __repr__(self):
        return f"torch.return_types.{name}(\n" + ",\n".join(f"{n}={v!r}" for n, v in zip(fields, self)) + ")"

    body = {"__new__": __new__, "__repr__": __repr__, "__module__": "torch.return_types", "__slots__": (),
            "__match_args__": fields, "n_fields": len(fields), "n_sequence_fields": len(fields),
            "n_unnamed_fields": 0, "__reduce__": lambda self: (type(self), (tuple(self),))}
    for i, n in enumerate(fields):
        body[n] = property(operator.itemgetter(i))
    return type(name, (tuple,), body)


_values = ("values", "indices")
max = _named("max", _values)
min = _named("min", _values)
median = _named("median", _values)
nanmedian = _named("nanmedian", _values)
mode = _named("mode", _values)
kthvalue = _named("kthvalue", _values)
sort = _named("sort", _values)
topk = _named("topk", _values)
cummax = _named("cummax", _values)
cummin = _named("cummin", _values)
aminmax = _named("aminmax", ("min", "max"))
frexp = _named("frexp", ("mantissa", "exponent"))
histogram = _named("histogram", ("hist", "bin_edges"))
histogramdd = _named("histogramdd", ("hist", "bin_edges"))
lu_unpack = _named("lu_unpack", ("P", "L", "U"))
slogdet = _named("slogdet", ("sign", "logabsdet"))
qr = _named("qr", ("Q", "R"))
svd = _named("svd", ("U", "S", "V"))
geqrf = _named("geqrf", ("a", "tau"))
triangular_solve = _named("triangular_solve", ("solution", "cloned_coefficient"))
linalg_slogdet = _named("linalg_slogdet", ("sign", "logabsdet"))
linalg_qr = _named("linalg_qr", ("Q", "R"))
linalg_svd = _named("linalg_svd", ("U", "S", "Vh"))
linalg_eig = _named("linalg_eig", ("eigenvalues", "eigenvectors"))
linalg_eigh = _named("linalg_eigh", ("eigenvalues", "eigenvectors"))
linalg_cholesky_ex = _named("linalg_cholesky_ex", ("L", "info"))
linalg_inv_ex = _named("linalg_inv_ex", ("inverse", "info"))
linalg_solve_ex = _named("linalg_solve_ex", ("result", "info"))
linalg_lu = _named("linalg_lu", ("P", "L", "U"))
linalg_lu_factor = _named("linalg_lu_factor", ("LU", "pivots"))
linalg_lu_factor_ex = _named("linalg_lu_factor_ex", ("LU", "pivots", "info"))
linalg_ldl_factor = _named("linalg_ldl_factor", ("LD", "pivots"))
linalg_ldl_factor_ex = _named("linalg_ldl_factor_ex", ("LD", "pivots", "info"))
linalg_polar = _named("linalg_polar", ("U", "H"))
linalg_lstsq = _named("linalg_lstsq", ("solution", "residuals", "rank", "singular_values"))
for _name, _type in list(globals().items()):
    if isinstance(_type, type):
        globals()[_name + "_out"] = _named(_name + "_out", _type.__match_args__)
all_return_types = [value for value in list(globals().values()) if isinstance(value, type)]
