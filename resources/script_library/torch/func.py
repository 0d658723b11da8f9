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


def grad_and_value(func, argnums=0, has_aux=False):
    def wrapped(*args, **kwargs):
        places, leaves = _pick(args, argnums)
        with torch.enable_grad():
            output = func(*leaves, **kwargs)
        aux = None
        if has_aux:
            output, aux = output
        if output.numel() != 1:
            raise RuntimeError("Expected the function given to grad to return a scalar tensor. Got tensor with "
                               f"{output.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?")
        inputs = _flat([leaves[i] for i in places])
        outside = any(t.requires_grad for t in _flat(list(args)))
        found = torch.autograd.grad(output, inputs, create_graph=outside, allow_unused=True, materialize_grads=True)
        found = _like([leaves[i] for i in places], found)
        found = found[0] if isinstance(argnums, int) else tuple(found)
        value = output if outside else output.detach()
        return found, (value, aux) if has_aux else value

    return wrapped


def grad(func, argnums=0, has_aux=False):
    both = grad_and_value(func, argnums, has_aux)

    def wrapped(*args, **kwargs):
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return wrapped


def jacrev(func, argnums=0, has_aux=False, chunk_size=None):
    def wrapped(*args):
        def one(x):
            return func(*args[:argnums], x, *args[argnums + 1:])

        return _functional.jacobian(one, args[argnums], create_graph=args[argnums].requires_grad)

    return wrapped


jacfwd = jacrev


def hessian(func, argnums=0):
    def wrapped(*args):
        def one(x):
            return func(*args[:argnums], x, *args[argnums + 1:])

        return _functional.hessian(one, args[argnums])

    return wrapped


def vjp(func, *primals, has_aux=False):
    places, leaves = _pick(primals, tuple(range(len(primals))))
    with torch.enable_grad():
        outputs = func(*leaves)
    aux = None
    if has_aux:
        outputs, aux = outputs

    def pull(cotangents):
        found = torch.autograd.grad(_flat(outputs), leaves, _flat(cotangents), retain_graph=True, allow_unused=True,
                                    materialize_grads=True)
        return tuple(found)

    values = _map(lambda t: t.detach(), outputs)
    return (values, pull, aux) if has_aux else (values, pull)


def jvp(func, primals, tangents):
    return _functional.jvp(func, tuple(primals), list(tangents))


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    def wrapped(*args, **kwargs):
        dims = in_dims if isinstance(in_dims, (tuple, list)) else (in_dims,) * len(args)
        size = None
        for arg, dim in zip(args, dims):
            if dim is not None:
                leaves = _flat(arg)
                if not leaves or not all(isinstance(leaf, torch.Tensor) for leaf in leaves):
                    raise ValueError(f"vmap: Got in_dim={dim} for an input but the input is of type {type(arg)}. We "
                                     "cannot vmap over non-Tensor arguments, please use None as the respective in_dim")
                if not -leaves[0].dim() <= dim < leaves[0].dim():
                    raise ValueError(f"vmap: Got in_dim={dim} for some input, but that input is a Tensor of "
                                     f"dimensionality {leaves[0].dim()} so expected in_dim to satisfy "
                                     f"-{leaves[0].dim()} <= in_dim < {leaves[0].dim()}.")
                count = _flat(arg)[0].shape[dim]
                if size is not None and count != size:
                    raise ValueError("vmap: Expected all tensors to have the same size in the mapped dimension, got "
                                     f"sizes {[size, count]} for the mapped dimension")
                size = count
        if size is None:
            raise ValueError("vmap: at least one input must be mapped over")

        def row(i):
            given = [arg if dim is None else _map(lambda t: t.select(dim, i), arg) for arg, dim in zip(args, dims)]
            return _C.without_draws(func, *given, **kwargs) if randomness == "error" else func(*given, **kwargs)

        def empty(t, dim):
            return t.new_zeros([n for d, n in enumerate(t.shape) if d != dim % t.dim()])

        if size == 0:  # what the rows would be is seen from one of zeros
            state = torch.get_rng_state()
            found = func(*[arg if dim is None else _map(lambda t: empty(t, dim), arg) for arg, dim in zip(args, dims)],
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
        columns = [list(column) for column in zip(*[_flat(found) for found in rows])]
        places = list(out_dims) if isinstance(out_dims, (tuple, list)) else [out_dims] * len(columns)
        if len(places) != len(columns):
            raise ValueError(f"vmap: `out_dims` has {len(places)} entries for {len(columns)} outputs")
        stacked = [torch.stack(column, place) for column, place in zip(columns, places)]
        if size == 0:
            stacked = [t.narrow(place, 0, 0) for t, place in zip(stacked, places)]
        return _like(rows[0], stacked)

    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    return wrapped


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    given = {}
    dicts = parameter_and_buffer_dicts
    for each in dicts if isinstance(dicts, (list, tuple)) else [dicts]:
        given.update(each)
    kept = []
    for name, value in given.items():
        path = name.split(".")
        owner = module.get_submodule(".".join(path[:-1]))
        table = owner._parameters if path[-1] in owner._parameters else owner._buffers
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
