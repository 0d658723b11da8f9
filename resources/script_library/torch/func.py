# SPDX-License-Identifier: Apache-2.0
# torch.func: gradients of functions. vmap runs row after row.
import torch
from torch.autograd import functional as _functional


def _pick(args, argnums):
    places = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    leaves = list(args)
    for i in places:
        leaves[i] = _map(lambda t: t.detach().requires_grad_() if not t.requires_grad else t.view_as(t), args[i])
    return places, leaves


def _map(function, tree):
    if isinstance(tree, torch.Tensor):
        return function(tree)
    if isinstance(tree, dict):
        return {name: _map(function, value) for name, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return type(tree)([_map(function, value) for value in tree])
    return tree


def _flat(tree):
    if isinstance(tree, torch.Tensor):
        return [tree]
    if isinstance(tree, dict):
        return [t for value in tree.values() for t in _flat(value)]
    if isinstance(tree, (list, tuple)):
        return [t for value in tree for t in _flat(value)]
    return []


def _like(tree, values):
    rest = iter(values)
    return _map(lambda t: next(rest), tree)


def _as_it_is(func):
    """Runs compiled functions operation by operation: their gradients are derived again."""
    def wrapped(*args, **kwargs):
        if torch.compiler.is_compiling():
            return func(*args, **kwargs)
        before = torch._set_stance("force_eager")
        try:
            return func(*args, **kwargs)
        finally:
            torch._set_stance(before)

    return wrapped


def _owning(leaves, func, **kwargs):
    """What it gives for the leaves, which it may write beside what it makes itself."""
    return _C.own_writes(False, _flat(list(leaves)), func, *leaves, **kwargs)


def grad_and_value(func, argnums=0, has_aux=False):
    def wrapped(*args, **kwargs):
        places, leaves = _pick(args, argnums)
        outside = any(t.requires_grad for t in _flat(list(args)))
        with torch.enable_grad():
            output = _owning(leaves, _as_it_is(func) if outside else func, **kwargs)
        aux = None
        if has_aux:
            output, aux = output
        if output.numel() != 1:
            raise RuntimeError("grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with "
                               f"{output.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?")
        inputs = _flat([leaves[i] for i in places])
        found = torch.autograd.grad(output, inputs, create_graph=outside, allow_unused=True, materialize_grads=True)
        found = _like([leaves[i] for i in places], found)
        found = found[0] if isinstance(argnums, int) else tuple(found)
        if not outside:
            output, aux = output.detach(), _map(lambda t: t.detach(), aux)
        return found, (output, aux) if has_aux else output

    return wrapped


def grad(func, argnums=0, has_aux=False):
    both = grad_and_value(func, argnums, has_aux)

    def wrapped(*args, **kwargs):
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return wrapped


def jacrev(func, argnums=0, has_aux=False, chunk_size=None):
    def wrapped(*args, **kwargs):
        places, leaves = _pick(args, argnums)
        outside = any(t.requires_grad for t in _flat(list(args)))
        with torch.enable_grad():
            output = _owning(leaves, _as_it_is(func) if outside else func, **kwargs)
        if has_aux:
            output, aux = output
        chosen = [leaves[i] for i in places]

        def rows(y):
            found = _like(chosen, _functional._rows(y, _flat(chosen), outside))
            return found[0] if isinstance(argnums, int) else tuple(found)

        found = _map(rows, output)
        return (found, aux if outside else _map(lambda t: t.detach(), aux)) if has_aux else found

    return wrapped


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    return jacrev(func, argnums, has_aux=has_aux)


def hessian(func, argnums=0):
    return jacfwd(jacrev(func, argnums), argnums)


def vjp(func, *primals, has_aux=False):
    places, leaves = _pick(primals, tuple(range(len(primals))))
    outside = any(t.requires_grad for t in _flat(list(primals)))
    with torch.enable_grad():
        outputs = _owning(leaves, _as_it_is(func) if outside else func)
    aux = None
    if has_aux:
        outputs, aux = outputs

    def pull(cotangents):
        found = torch.autograd.grad(_flat(outputs), leaves, _flat(cotangents), retain_graph=True,
                                    create_graph=outside, allow_unused=True, materialize_grads=True)
        return tuple(found)

    values = outputs if outside else _map(lambda t: t.detach(), outputs)
    return (values, pull, aux) if has_aux else (values, pull)


def jvp(func, primals, tangents):
    outside = any(t.requires_grad for t in _flat([list(primals), list(tangents)]))
    if outside:
        places, primals = _pick(primals, tuple(range(len(primals))))
    return _functional.jvp(lambda *leaves: _owning(leaves, _as_it_is(func)), tuple(primals), list(tangents), create_graph=outside)


def linearize(func, *primals):
    """The value, and a function that gives the change of it along tangents of the primals, as often as one likes."""
    places, leaves = _pick(primals, tuple(range(len(primals))))
    with torch.enable_grad():
        output = _owning(leaves, _as_it_is(func))
        outputs = [t for t in _flat(output) if t.requires_grad]
        directions = [torch.zeros_like(t, requires_grad=True) for t in outputs]
        back = torch.autograd.grad(outputs, _flat(leaves), directions, create_graph=True, allow_unused=True,
                                   materialize_grads=True) if outputs else []

    def along(*tangents):
        given = _flat(list(tangents))
        inputs = _flat(leaves)
        if len(given) != len(inputs) or any(t.shape != x.shape for t, x in zip(given, inputs)):
            raise RuntimeError("Expected the tangents to have the structure and the shapes of the primals, got shapes "
                             f"{[tuple(t.shape) for t in given]} for {[tuple(x.shape) for x in inputs]}")
        used = [(g, t) for g, t in zip(back, given) if g.requires_grad]
        found = torch.autograd.grad([g for g, t in used], directions, [t for g, t in used], retain_graph=True,
                                    allow_unused=True, materialize_grads=True) if used else directions
        rest = iter(found)
        return _map(lambda t: next(rest).detach() if t.requires_grad else torch.zeros_like(t), output)

    return _map(lambda t: t.detach(), output), along


def _leaves(tree):
    if isinstance(tree, dict):
        return [leaf for value in tree.values() for leaf in _leaves(value)]
    if isinstance(tree, (list, tuple)):
        return [leaf for value in tree for leaf in _leaves(value)]
    return [tree]


def _of_leaves(tree, rest):
    """The same structure of other leaves; rest is an iterator."""
    if isinstance(tree, dict):
        return {name: _of_leaves(value, rest) for name, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return type(tree)([_of_leaves(value, rest) for value in tree])
    return next(rest)


def _dims_of(dims, tree, told):
    """The dimension of each leaf of a tree that is mapped over; None for what all rows see."""
    if dims is None or isinstance(dims, int):
        found = _leaves(tree)
        for leaf in found if dims is not None else []:
            if not isinstance(leaf, torch.Tensor):
                raise ValueError(f"{told}: Got in_dim={dims} for an input but the input is of type {type(leaf)}. We "
                                 "cannot vmap over non-Tensor arguments, please use None as the respective in_dim")
        return [dims] * len(found)
    if isinstance(dims, (tuple, list)) and isinstance(tree, (tuple, list)) and len(dims) == len(tree):
        return [d for part, value in zip(dims, tree) for d in _dims_of(part, value, told)]
    if isinstance(dims, dict) and isinstance(tree, dict) and dims.keys() == tree.keys():
        return [d for name, value in tree.items() for d in _dims_of(dims[name], value, told)]
    from torch.utils._pytree import tree_flatten
    raise ValueError(f"{told}: in_dims is not compatible with the structure of `inputs`. in_dims has structure "
                     f"{tree_flatten(dims)[1]} but inputs has structure {tree_flatten(tree)[1]}.")


def _row_count(leaves, dims, told):
    size = None
    for leaf, dim in zip(leaves, dims):
        if dim is None:
            continue
        if not -leaf.dim() <= dim < leaf.dim():
            raise ValueError(f"{told}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality "
                             f"{leaf.dim()} so expected in_dim to satisfy -{leaf.dim()} <= in_dim < {leaf.dim()}.")
        count = leaf.shape[dim]
        if size is not None and count != size:
            raise ValueError("vmap: Expected all tensors to have the same size in the mapped dimension, got "
                             f"sizes {[size, count]} for the mapped dimension")
        size = count
    if size is None:
        raise ValueError("vmap: at least one input must be mapped over")
    return size


def _joined(column, place, name, inputs):
    """What the rows gave, as one tensor; with place None what all of them gave. inputs: (tensor, its dim, its rows)"""
    first = column[0]
    for tensor, dim, rows in inputs:  # each gave its own row, which it may have changed
        if place is not None and dim is not None and all(x is row for x, row in zip(column, rows)):
            return tensor if dim % tensor.dim() == place % tensor.dim() else tensor.movedim(dim, place)
    if place is None:
        if isinstance(first, torch.Tensor) and not all(torch.equal(first, other) for other in column):
            raise ValueError("vmap: the function can not return a BatchedTensor when out_dim is None")
        return first
    if not isinstance(first, torch.Tensor):
        raise ValueError(f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(first)}. Did you mean to "
                         "set out_dims= to None for output?")
    return torch.stack(column, place)


class _Batch:
    """What a rule of an operation is told of the vmap that calls it."""

    def __init__(self, batch_size, randomness):
        self.batch_size = batch_size
        self.randomness = randomness


def _by_rule(rule, size, randomness, in_dims, out_dims, args, kwargs):
    dims = (in_dims,) * len(args) if in_dims is None or isinstance(in_dims, int) else tuple(in_dims)
    dims = tuple(dim if isinstance(arg, (torch.Tensor, tuple, list)) else None for arg, dim in zip(args, dims))
    found, places = rule(_Batch(size, randomness), dims, *args, **kwargs)
    if isinstance(found, torch.Tensor):
        return found.expand(size, *found.shape) if places is None else found.movedim(places, out_dims)
    wanted = out_dims if isinstance(out_dims, (tuple, list)) else [out_dims] * len(found)
    return tuple(t.expand(size, *t.shape) if place is None else t.movedim(place, to)
                 for t, place, to in zip(found, places, wanted))


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    name = getattr(func, "__name__", None) or repr(func)
    told = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>)"

    def wrapped(*args, **kwargs):
        if not isinstance(in_dims, (int, tuple)):
            raise ValueError(f"{told}: expected `in_dims` to be int or a (potentially nested) tuple matching the "
                             f"structure of inputs, got: {type(in_dims)}.")
        if not args:
            raise ValueError(f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying "
                             "to vmap over a function with no inputs. The latter is unsupported.")
        leaves = _leaves(args)
        dims = _dims_of(in_dims, args, told)
        size = _row_count(leaves, dims, told)
        if getattr(func, "_vmap", None) is not None:  # an operation of a script that says so itself
            return _by_rule(func._vmap, size, randomness, in_dims, out_dims, args, kwargs)

        taken = []

        def row(i):
            taken.append([x if dim is None else x.select(dim, i) for x, dim in zip(leaves, dims)])
            given = _of_leaves(args, iter(taken[-1]))
            own = (True, [x for x, dim in zip(leaves, dims) if dim is not None], func, *given)
            return (_C.without_draws(_C.own_writes, *own, **kwargs) if randomness == "error"
                    else _C.own_writes(*own, **kwargs))

        def empty(t, dim):
            return t.new_zeros([n for d, n in enumerate(t.shape) if d != dim % t.dim()])

        if size == 0:  # what the rows would be is seen from one of zeros
            state = torch.get_rng_state()
            found = func(*_of_leaves(args, iter([x if dim is None else empty(x, dim) for x, dim in zip(leaves, dims)])),
                         **kwargs)
            torch.set_rng_state(state)
            rows = [found]
        elif randomness == "same":
            state = torch.get_rng_state()
            rows = []
            for i in range(size):
                torch.set_rng_state(state)
                rows.append(row(i))
        else:
            rows = [row(i) for i in range(size)]
        columns = [list(column) for column in zip(*[_leaves(found) for found in rows])]
        places = list(out_dims) if isinstance(out_dims, (tuple, list)) else [out_dims] * len(columns)
        if len(places) != len(columns):
            raise ValueError(f"vmap: `out_dims` has {len(places)} entries for {len(columns)} outputs")
        inputs = list(zip(leaves, dims, zip(*taken)))
        stacked = [_joined(column, place, name, inputs) for column, place in zip(columns, places)]
        if size == 0:
            stacked = [t if place is None else t.narrow(place, 0, 0) for t, place in zip(stacked, places)]
        return _of_leaves(rows[0], iter(stacked))

    if chunk_size is not None and chunk_size < 1:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    return wrapped


def functionalize(func, *, remove="mutations"):
    """The function: that its changes in place are functional is so under capture; what it gives and does is the same."""
    if remove not in ("mutations", "mutations_and_views"):
        raise RuntimeError(f"functionalize(f, remove='mutations'): received "
                           f"invalid argument for the remove= keyword, got {remove}")

    def wrapped(*args, **kwargs):
        return func(*args, **kwargs)

    return wrapped


def replace_all_batch_norm_modules_(root):
    for module in root.modules():
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    given = {}
    dicts = parameter_and_buffer_dicts
    for each in dicts if isinstance(dicts, (list, tuple)) else [dicts]:
        given.update(each)
    kept = []
    for name, value in given.items():
        path = name.split(".")
        owner = dict(module.named_modules(remove_duplicate=False)).get(".".join(path[:-1]))
        tables = [] if owner is None else [t for t in (owner._parameters, owner._buffers) if path[-1] in t]
        if not tables:
            if strict:
                raise RuntimeError(f"Error(s) in loading state_dict for {type(module).__name__}: unexpected key {name!r}")
            continue
        table = tables[0]
        kept.append((table, path[-1], table[path[-1]]))
        table[path[-1]] = value
    try:
        args = () if args is None else args if isinstance(args, tuple) else (args,)
        return module(*args, **({} if kwargs is None else kwargs))
    finally:
        for table, name, value in kept:
            table[name] = value


def stack_module_state(models):
    parameters = [dict(m.named_parameters()) for m in models]
    buffers = [dict(m.named_buffers()) for m in models]
    return ({name: torch.stack([p[name].detach() for p in parameters]) for name in parameters[0]},
            {name: torch.stack([b[name] for b in buffers]) for name in buffers[0]})
