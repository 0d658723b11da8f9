# SPDX-License-Identifier: Apache-2.0
# torch.export.dynamic_shapes: sizes that an exported program leaves open, what was asked of them and what was found.
import hashlib
import re

import torch
import torch.utils._pytree as pytree
from torch.fx.experimental.symbolic_shapes import ConstraintViolationError


class _DimHint:
    def __init__(self, kind, min=None, max=None):
        self.type = kind
        self.min = min
        self.max = max

    def __call__(self, min=None, max=None):
        return _DimHint(self.type, min, max)

    def __repr__(self):
        return f"DimHint({self.type})"


class Dim:
    """A size that an exported program leaves open."""

    AUTO = _DimHint("AUTO")
    DYNAMIC = _DimHint("DYNAMIC")
    STATIC = _DimHint("STATIC")

    def __init__(self, name, *, min=None, max=None):
        self.__name__ = name
        self.min = 0 if min is None else min
        self.max = max
        if not name.isidentifier():
            raise AssertionError(f"Dim name must be a valid identifier, got {name}")
        if max is not None and self.min >= max:
            raise AssertionError(f"Cannot create Dim with inconsistent min={self.min}, max={max}")
        self.root, self.factor, self.offset = self, 1, 0

    def __repr__(self):
        return f"Dim('{self.__name__}', min={self.min}" + (")" if self.max is None else f", max={self.max})")

    def __add__(self, other):
        self._whole("+", other)
        return _DerivedDim(self, f"{self.__name__} + {other}" if other >= 0 else f"{self.__name__} - {-other}", 1, other)

    def __sub__(self, other):
        self._whole("-", other)
        return self + -other

    def __mul__(self, other):
        self._whole("*", other)
        if other <= 0:
            raise NotImplementedError(f"Attempted to multiply {self.__name__} by {other}, where a positive integer was "
                                      "expected. (Only increasing linear operations with integer coefficients are "
                                      "supported.)")
        return _DerivedDim(self, f"{other}*{self.__name__}", other, 0)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        raise NotImplementedError(f"Attempted to negate {self.__name__}. (Only increasing linear operations with integer "
                                  "coefficients are supported.)")

    def _whole(self, sign, other):
        if type(other) is not int:
            raise NotImplementedError(f"Attempted {self.__name__} {sign} {other}, where an integer was expected. (Only "
                                      "increasing linear operations with integer coefficients are supported.)")


class _DerivedDim(Dim):
    """factor * root + offset."""

    def __init__(self, dim, name, factor, offset):
        self.__name__ = name
        self.root = dim.root
        self.factor = dim.factor * factor
        self.offset = dim.offset * factor + offset

    @property
    def min(self):
        return self.root.min * self.factor + self.offset

    @property
    def max(self):
        return None if self.root.max is None else self.root.max * self.factor + self.offset

    def __repr__(self):
        return self.__name__


def dims(*names, min=None, max=None):
    return tuple(Dim(name, min=min, max=max) for name in names)


class ShapesCollection:
    """What is asked of the sizes of tensors, by the tensor."""

    def __init__(self):
        self._shapes = {}

    def __setitem__(self, t, shape):
        self._shapes[id(t)] = (t, shape)

    def __getitem__(self, t):
        return self._shapes.setdefault(id(t), (t, {}))[1]

    def __len__(self):
        return len(self._shapes)

    def dynamic_shapes(self, m, args, kwargs=None):
        import inspect
        bound = inspect.signature(m.forward).bind(*args, **(kwargs or {})).arguments
        leaves, spec = pytree.tree_flatten(dict(bound))
        return spec.unflatten([self._shapes[id(leaf)][1] if id(leaf) in self._shapes else None for leaf in leaves])


class ValueRanges:
    """The sizes that a symbol stands for; upper None: no end."""

    def __init__(self, lower, upper):
        self.lower = lower
        self.upper = upper

    def __repr__(self):
        return f"VR[{self.lower}, {'int_oo' if self.upper is None else self.upper}]"


class _Symbol(str):
    def __repr__(self):
        return str(self)


def _children(value):
    """(what a nested value holds by key) or None for a leaf."""
    kind, children, context = pytree._children(value)
    if kind is None:
        return None
    keys = list(value) if isinstance(value, dict) else list(value._fields) if hasattr(value, "_fields") else \
        range(len(children))
    return list(zip(keys, children))


def _leaves(name, source, value, shape):
    """[(name, source, value, what is asked of its sizes)] of what an argument holds."""
    children = _children(value)
    if children is None:
        return [(re.sub(r"[^a-zA-Z0-9_]", "_", name), source, value, shape)]
    found = []
    for at, (key, child) in enumerate(children):
        inner = None
        if isinstance(shape, dict):
            inner = shape.get(key)
        elif shape is not None:
            inner = shape[at]
        found += _leaves(f"{name}_{key}", f"{source}[{key!r}]", child, inner)
    return found


class _Wish:
    """What is asked of one size: a Dim or a hint."""

    def __init__(self, leaf, dim, source, hint, asked):
        self.leaf, self.dim, self.source, self.hint, self.asked = leaf, dim, source, hint, asked
        self.named = isinstance(asked, Dim)
        self.text = asked.__name__ if self.named else source

    @property
    def least(self):
        return self.asked.min if self.named else max(self.asked.min or 2, 2)

    @property
    def most(self):
        return self.asked.max

    def specialized(self, size):
        fixes = f"\nSuggested fixes:\n  {self.text} = {size}" if self.named else ""
        return _violated(self.text, [
            f"You marked {self.text} as dynamic but your code specialized it to be a constant ({size}). If you're using "
            "mark_dynamic, either remove it or use maybe_mark_dynamic. If you're using Dim.DYNAMIC, replace it with either "
            "Dim.STATIC or Dim.AUTO."], fixes)


def _violated(text, reasons, fixes):
    return torch._dynamo.exc.UserError(
        f"Constraints violated ({text})! For more information, run with TORCH_LOGS=\"+dynamic\".\n" +
        "\n".join(f"  - {reason}" for reason in reasons) + fixes)


def _wishes(leaves):
    found = []
    for i, (name, source, value, shape) in enumerate(leaves):
        if shape is None:
            continue
        if not isinstance(value, torch.Tensor):
            if isinstance(shape, _DimHint) and shape.type in ("STATIC", "AUTO"):
                continue
            raise NotImplementedError(f"'{name}' is no tensor: numbers are constants of an exported program here")
        each = shape.items() if isinstance(shape, dict) else enumerate(shape)
        for d, asked in each:
            if not -value.dim() <= d < value.dim():
                raise IndexError(f"'{name}' has no dimension {d}: its shape is {tuple(value.shape)}")
            d = d % value.dim()
            size, place = value.shape[d], f"{source}.size()[{d}]"
            if isinstance(asked, int) and asked != size:
                raise ConstraintViolationError(f"Static shape constraint of {asked} does not match input size of {size}, "
                                               f"for {place}")
            if not isinstance(asked, (Dim, _DimHint)) or asked is Dim.STATIC:
                continue
            wish = _Wish(i, d, place, size, asked)
            if size < 2:
                if not wish.named and asked.type == "AUTO":
                    continue
                raise wish.specialized(size)
            if isinstance(asked, _DerivedDim) and (size - asked.offset) % asked.factor:
                raise torch._dynamo.exc.UserError(f"Expected shape[{d}] = {size} of input Tensor to be of the form "
                                                  f"{asked.__name__}, where {asked.root.__name__} is an integer")
            if size < wish.least or (wish.most is not None and size > wish.most):
                end = "int_oo" if wish.most is None else wish.most
                raise ConstraintViolationError(f"{size} not in range [{wish.least}, {end}]")
            found.append(wish)
    return found


class _Premises:
    """What sizes are to each other because they were asked to be, as questions that a capture asks first."""

    def __init__(self, wishes):
        self.count = 0  # of what holds
        self.equal, self.ranges, self.extra, roots = [], [], [], {}
        for wish in wishes:
            place = (wish.leaf, wish.dim)
            if not wish.named:
                self.ranges.append((place, wish.least, wish.most))
            elif not isinstance(wish.asked, _DerivedDim):
                first = roots.setdefault(wish.asked.__name__, (place, wish.hint))
                if first[0] == place:
                    self.ranges.append((place, wish.least, wish.most))
                else:
                    self.equal.append((place, first[0], 1, 0))
        for wish in wishes:
            if not isinstance(wish.asked, _DerivedDim):
                continue
            dim = wish.asked
            if dim.root.__name__ not in roots:  # no input has it: a tensor that is not the module's stands for it
                size = (wish.hint - dim.offset) // dim.factor
                roots[dim.root.__name__] = ((None, len(self.extra)), size)
                self.ranges.append(((None, len(self.extra)), dim.root.min, dim.root.max))
                self.extra.append((dim, wish, size))
            self.equal.append(((wish.leaf, wish.dim), roots[dim.root.__name__][0], dim.factor, dim.offset))
        self.equal = [each for each in self.equal if each[0] != each[1]]
        self.count = len(self.equal) + sum((least > 2) + (most is not None) for place, least, most in self.ranges)

    def ask(self, values, extra):
        def size(place):
            return extra[place[1]].shape[0] if place[0] is None else values[place[0]].shape[place[1]]

        for place, least, most in self.ranges:
            n = size(place)
            if (least > 2 and n < least) or (most is not None and n > most):
                raise ValueError("a size is outside of its range")
        for place, root, factor, offset in self.equal:
            if size(place) != size(root) * factor + offset:
                raise ValueError("a size is not what it was to be")


_RELATION = re.compile(r"^(.*) (==|!=|<|<=) (.*)$")


def _replaced(text, by):
    return re.sub(r"\bs\d+\b", lambda m: by.get(m.group(), m.group()), text)


def _argument(source):
    """L['x'][0] as it is written in a program's errors: x[0]"""
    return source[3:].replace("']", "", 1)


def _names_of(text):
    return sorted(set(re.findall(r"\bs\d+\b", text)))


def _plain(text):
    """Without the brackets around it all."""
    while text.startswith("(") and text.endswith(")"):
        depth = 0
        for i, c in enumerate(text):
            depth += (c == "(") - (c == ")")
            if depth == 0 and i < len(text) - 1:
                return text
        text = text[1:-1]
    return text


class Sizes:
    """What a capture found of the sizes that were left open."""

    def __init__(self, leaves, wishes, premises, facts):
        symbols, holds = facts if facts is not None else ([], [])
        self.wishes, self.premises = wishes, premises
        self.equal = {name: equal or name for name, hint, source, least, most, equal in symbols}
        self.limits = {name: (least, most) for name, hint, source, least, most, equal in symbols}
        self.at = {}
        for name, hint, source, least, most, equal in symbols:
            found = re.match(r"L\['(values|extra)'\]\[(\d+)\]\.size\(\)\[(\d+)\]$", source)
            if found is not None:
                values, i, d = found.groups()
                self.at[(int(i), int(d)) if values == "values" else (None, int(i))] = self.equal[name]
        self.holds = [_RELATION.match(_replaced(text, self.equal)).groups() for text in holds[premises.count:]]
        self._check()
        self._name(symbols, leaves)

    def shape(self, leaf, value):
        """Of an input, sizes that are open being texts."""
        return tuple(self.renamed(self.at[leaf, d]) if (leaf, d) in self.at and not self.at[leaf, d].isdigit() else size
                     for d, size in enumerate(value.shape))

    def _check(self):
        """Raises where a size that was to stay open did not."""
        known = {}
        for wish in self.wishes:
            text = self.at.get((wish.leaf, wish.dim), str(wish.hint))
            if text.isdigit() and (wish.named or wish.asked.type == "DYNAMIC"):
                raise wish.specialized(int(text))
            if not wish.named or isinstance(wish.asked, _DerivedDim):
                continue
            name = wish.text
            first = known.setdefault(text, wish)
            if first.text != name:
                raise _violated(name, [f"The values of {name} = {wish.source} and {first.text} = {first.source} must always "
                                       "be equal."], f"\nSuggested fixes:\n  {name} = {first.text}")
        for text, wish in known.items():
            self._check_alone(wish, text, known)

    def _check_alone(self, wish, text, known):
        name, reasons, fixes = wish.text, [], []
        told = f"Not all values of {name} = {wish.source} in the specified range satisfy the generated guard "
        if text not in self.limits:
            sources = {t: w.source for t, w in known.items()}
            reasons.append(f"{told}{wish.source} == {_replaced(text, sources)}.")
            raise _violated(name, reasons, "")
        for left, sign, right in self.holds:
            if left == right or _names_of(left + " " + right) != [text]:
                continue
            if "%" in left and sign == "==":
                by = re.sub(r"^.*% (\d+).*$", r"\1", left)
                fixes += [f"  _{name} = Dim('_{name}')", f"  {name} = {by}*_{name}"]
            elif sign != "!=" and (left.isdigit() or right.isdigit()):
                continue  # a limit
            reasons.append(told + _replaced(f"{left} {sign} {right}.", {text: wish.source}).replace(" / ", "//"))
        least, most = self.limits[text]
        low, high = least > max(wish.least, 2), most is not None and (wish.most is None or most < wish.most)
        if low or high:
            end = "IntInfinity()" if most is None else most
            reasons.append(f"{told}{least} <= {wish.source} and {wish.source} <= {end}")
            limits = ([f"min={least}"] if low else []) + ([f"max={most}"] if high else [])
            fixes = fixes or [f"  {name} = Dim('{name}', {', '.join(limits)})"]
        if reasons:
            raise _violated(name, reasons, "\nSuggested fixes:\n" + "\n".join(fixes) if fixes else "")

    def _name(self, symbols, leaves):
        """PyTorch numbers a symbol by the hash of where it comes from; of equal ones the least name stays."""
        taken, self._new, by_symbol = set(), {}, {}
        for wish in self.wishes:
            place = (wish.leaf, wish.dim)
            if place not in self.at:
                continue
            number = int(hashlib.sha256(wish.source.encode()).hexdigest(), 16) % 100
            while number in taken:
                number += 1
            taken.add(number)
            if self.at[place] in self.limits:
                by_symbol.setdefault(self.at[place], []).append(f"s{number}")
        for symbol, names in by_symbol.items():
            self._new[symbol] = min(names)
        for i, (dim, wish, size) in enumerate(self.premises.extra):
            number = int(hashlib.sha256(dim.root.__name__.encode()).hexdigest(), 16) % 100
            self._new.setdefault(self.at.get((None, i), ""), f"s{number}")

    def renamed(self, text):
        return _replaced(text, self._new).replace(" / ", "//")

    def ranges(self):
        found = {}
        for wish in self.wishes:
            text = self.at.get((wish.leaf, wish.dim), str(wish.hint))
            if text.isdigit():
                continue
            if wish.named:
                limits = wish.least, wish.most
            elif text in self.limits:
                limits = self.limits[text]
                limits = (max(limits[0], wish.least),
                          wish.most if limits[1] is None else limits[1] if wish.most is None else min(limits[1], wish.most))
            else:
                continue
            key = self.renamed(text)
            before = found.get(key)
            if before is not None:
                limits = (max(limits[0], before.lower), limits[1] if before.upper is None else
                          before.upper if limits[1] is None else min(limits[1], before.upper))
            found[_Symbol(key)] = ValueRanges(*limits)
        for i, (dim, wish, size) in enumerate(self.premises.extra):
            found[_Symbol(self.renamed(self.at[None, i]))] = ValueRanges(max(dim.root.min, 2), dim.root.max)
        return found

    def root(self, i):
        """(leaf, dimension, factor, offset) that the size which no input has is found by."""
        dim, wish, size = self.premises.extra[i]
        return wish.leaf, wish.dim, dim.factor, dim.offset

    def checks(self, leaves):
        """[(condition of the values of the inputs, what failed if it does not hold)]"""
        texts, sources, found = {}, {}, []
        for wish in self.wishes:  # where a symbol's number is found
            at = (wish.leaf, wish.dim)
            if self.at.get(at) in self.limits and self.at[at] not in texts:
                texts[self.at[at]] = f"{_argument(leaves[wish.leaf][1])}.size()[{wish.dim}]"
                sources[self.at[at]] = f"v[{wish.leaf}].shape[{wish.dim}]"
        for i, (dim, wish, size) in enumerate(self.premises.extra):
            place = f"{_argument(leaves[wish.leaf][1])}.size()[{wish.dim}]"
            sources[self.at[None, i]] = f"((v[{wish.leaf}].shape[{wish.dim}] - {dim.offset}) // {dim.factor})"
            texts[self.at[None, i]] = place if (dim.factor, dim.offset) == (1, 0) else f"(({place} - {dim.offset}) // {dim.factor})"

        def put(text, by):
            return _plain(_replaced(text, by).replace(" / ", " // "))

        def check(code, text):
            found.append((eval("lambda v: " + code), "Guard failed: " + text))

        for wish in self.wishes:
            text = self.at.get((wish.leaf, wish.dim), str(wish.hint))
            if text.isdigit():
                continue
            place = f"{_argument(leaves[wish.leaf][1])}.size()[{wish.dim}]"
            mine = f"v[{wish.leaf}].shape[{wish.dim}]"
            if isinstance(wish.asked, _DerivedDim) and wish.asked.factor > 1:
                dim = wish.asked
                inner = place if dim.offset == 0 else f"({-dim.offset} + {place})"
                check(f"({mine} - {dim.offset}) % {dim.factor} == 0", f"{inner} % {dim.factor} == 0")
                root = texts[_names_of(text)[0]]
                if not root.startswith("("):
                    check(f"({mine} - {dim.offset}) // {dim.factor} == {sources[_names_of(text)[0]]}",
                          f"{inner} // {dim.factor} == {root}")
            elif isinstance(wish.asked, _DerivedDim):
                root = texts[_names_of(text)[0]]
                if not root.startswith("("):
                    check(f"{mine} == {put(text, sources)}", f"{-wish.asked.offset} + {place} == {root}")
            elif texts.get(text) != place:
                check(f"{mine} == {put(text, sources)}", f"{place} == {put(text, texts)}")
            allowed = self.ranges().get(self.renamed(text))
            if allowed is not None and allowed.lower > 0:
                check(f"{mine} >= {allowed.lower}", f"{place} >= {allowed.lower}")
            if allowed is not None and allowed.upper is not None:
                check(f"{mine} <= {allowed.upper}", f"{place} <= {allowed.upper}")
        for left, sign, right in self.holds:
            names = _names_of(left + " " + right)
            one = len(names) == 1
            if left == right or any(name not in sources for name in names):
                continue  # of a size that the inputs do not have
            if one and sign in ("<", "<=") and (left in sources or right in sources) and (left.isdigit() or right.isdigit()):
                continue  # in the ranges
            code = f"{put(left, sources)} {sign} {put(right, sources)}"
            if left.isdigit():
                left, sign, right = right, {"<": ">", "<=": ">="}.get(sign, sign), left
            check(code, f"{put(left, texts)} {sign} {put(right, texts)}".replace("*", " * "))
        return found
