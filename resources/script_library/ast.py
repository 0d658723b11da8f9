# SPDX-License-Identifier: Apache-2.0
# ast: the values of literals; syntax trees are the evaluator's own.


def _is_literal(value):
    if isinstance(value, (list, tuple, set)):
        return all(_is_literal(v) for v in value)
    if isinstance(value, dict):
        return all(_is_literal(k) and _is_literal(v) for k, v in value.items())
    return value is None or value is Ellipsis or isinstance(value, (str, bytes, int, float, complex, bool))


def literal_eval(node_or_string):
    try:
        value = eval(node_or_string.strip(" \t"), {"__builtins__": {}})
    except (NameError, AttributeError, TypeError):
        raise ValueError(f"malformed node or string: {node_or_string!r}") from None
    if not _is_literal(value):
        raise ValueError(f"malformed node or string: {node_or_string!r}")
    return value
