# SPDX-License-Identifier: Apache-2.0
# Ahead-of-time autograd for compilers that are functions of a script: a function is traced together with its gradient,
# cut into a forward and a backward graph, and each is given to a compiler as a GraphModule with example inputs.
import torch
import torch.utils._pytree as pytree
from torch.fx import Graph, GraphModule
from torch.fx.experimental.proxy_tensor import make_fx


def nop(gm, example_inputs):
    return gm


def make_boxed_func(f):
    """f as a function of one list of arguments."""
    def boxed(args):
        return f(*args)

    boxed._boxed_call = True
    return boxed


def make_boxed_compiler(compiler):
    def boxed(gm, example_inputs):
        return make_boxed_func(compiler(gm, example_inputs))

    return boxed


def _called(compiled, args):
    found = compiled(list(args)) if getattr(compiled, "_boxed_call", False) else compiled(*args)
    return list(found) if isinstance(found, (list, tuple)) else [found]


def _wants_gradient(v):
    return isinstance(v, torch.Tensor) and v.requires_grad


def _joint_graph(f, primals):
    """The graph of (primals, gradients of results) -> results and gradients of primals; which results have one."""
    leaves = [p.detach().requires_grad_(p.requires_grad) if isinstance(p, torch.Tensor) else p for p in primals]
    with torch.enable_grad():
        results = f(*leaves)
        with_gradient = [_wants_gradient(r) for r in results]
        tangents = [torch.ones_like(r) for r in results if _wants_gradient(r)]

        def joint(primals, tangents):
            results = f(*primals)
            found = torch.autograd.grad([r for r, wanted in zip(results, with_gradient) if wanted],
                                        [p for p in primals if _wants_gradient(p)], tangents, allow_unused=True)
            found = list(found)
            return tuple(results) + tuple([found.pop(0) if _wants_gradient(p) else None for p in primals])

        return make_fx(joint)(leaves, tangents), with_gradient


def _copied(module, nodes, inputs, results):
    """A module of some nodes of another one's graph."""
    graph, values = Graph(), {}
    for node in inputs:
        values[node] = graph.placeholder(node.name)
        values[node].meta = dict(node.meta)
    for node in nodes:
        values[node] = graph.node_copy(node, lambda n: values[n])
    graph.output(tuple([values[r] if isinstance(r, torch.fx.Node) else r for r in results]))
    return GraphModule(module, graph)


def default_partition(joint_module, _joint_inputs, *, num_fwd_outputs, static_lifetime_input_indices=None):
    """Everything that does not need a gradient of a result is forward; what the rest reads of it is saved.
    _joint_inputs: (primals, tangents); gives the forward and the backward module."""
    nodes = list(joint_module.graph.nodes)
    results = list(nodes[-1].args[0])
    inputs = [n for n in nodes if n.op == "placeholder"]
    primals, tangents = inputs[:len(inputs) - len(_joint_inputs[1])], inputs[len(inputs) - len(_joint_inputs[1]):]
    late = set(tangents)
    for node in nodes[:-1]:
        if any(other in late for other in node.all_input_nodes):
            late.add(node)
    early = [n for n in nodes[:-1] if n not in late and n.op != "placeholder"]
    backward = [n for n in nodes[:-1] if n in late and n.op != "placeholder"]
    gradients = results[num_fwd_outputs:]
    read = [other for n in backward for other in n.all_input_nodes if other not in late]
    read += [g for g in gradients if isinstance(g, torch.fx.Node) and g not in late]
    saved = list(dict.fromkeys(read))
    needed, keep = set(saved) | {r for r in results[:num_fwd_outputs] if isinstance(r, torch.fx.Node)}, []
    for node in reversed(early):
        if node in needed:
            keep.append(node)
            needed.update(node.all_input_nodes)
    keep.reverse()
    return (_copied(joint_module, keep, primals, results[:num_fwd_outputs] + saved),
            _copied(joint_module, backward, saved + tangents, gradients))


min_cut_rematerialization_partition = default_partition


class _Compiled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, made, *primals):
        found = _called(made.forward, primals)
        results, saved = found[:made.count], found[made.count:]
        # What has no gradient may be a buffer, which gets its new value before the backward reads the old one.
        saved = [v.clone() if any(v is p for p in primals) and not _wants_gradient(v) and isinstance(v, torch.Tensor) else v
                 for v in saved]
        ctx.made = made
        ctx.kept = [None if isinstance(v, torch.Tensor) else v for v in saved]
        ctx.save_for_backward(*[v for v in saved if isinstance(v, torch.Tensor)])
        ctx.mark_non_differentiable(*[r for r, wanted in zip(results, made.with_gradient)
                                      if not wanted and isinstance(r, torch.Tensor)])
        return tuple(results)

    @staticmethod
    def backward(ctx, *gradients):
        tensors = iter(ctx.saved_tensors)
        given = [next(tensors) if other is None else other for other in ctx.kept]
        given += [g for g, wanted in zip(gradients, ctx.made.with_gradient) if wanted]
        return (None,) + tuple(_called(ctx.made.backward(given), given))


class _Made:
    """A function for inputs of certain types, compiled."""

    def __init__(self, f, primals, fw_compiler, bw_compiler, inference_compiler, partition_fn):
        self._backward = None
        self.needs_gradient = torch.is_grad_enabled() and any(_wants_gradient(p) for p in primals)
        if not self.needs_gradient:
            with torch.no_grad():
                graph = make_fx(lambda *args: tuple(f(*args)))(*primals)
                self.forward = (inference_compiler or fw_compiler)(graph, list(primals))
            return
        joint, self.with_gradient = _joint_graph(f, primals)
        self.count = len(self.with_gradient)
        tangents = sum(self.with_gradient)
        forward, self._graph = partition_fn(joint, [list(primals), [None] * tangents], num_fwd_outputs=self.count)
        with torch.no_grad():
            self.forward = fw_compiler(forward, list(primals))
        self._compiler = bw_compiler or fw_compiler

    def backward(self, inputs):
        if self._backward is None:
            self._backward = self._compiler(self._graph, list(inputs))
        return self._backward

    def __call__(self, *primals):
        if not self.needs_gradient:
            return _called(self.forward, primals)
        return list(_Compiled.apply(self, *primals))


def _key(v):
    if isinstance(v, torch.Tensor):
        return (tuple(v.shape), v.stride(), v.dtype, str(v.device), v.requires_grad)
    return (type(v), v)


def _compiled_flat(f, fw_compiler, bw_compiler, inference_compiler, partition_fn):
    """f, a function of flat arguments to a list, compiled for each kind of inputs when they first arrive."""
    known = {}

    def call(*primals):
        key = (torch.is_grad_enabled(),) + tuple([_key(p) for p in primals])
        if key not in known:
            known[key] = _Made(f, primals, fw_compiler, bw_compiler, inference_compiler, partition_fn)
        return known[key](*primals)

    return call


def aot_function(fn, fw_compiler, bw_compiler=None, partition_fn=default_partition, decompositions=None,
                 num_params_buffers=0, keep_inference_input_mutations=False, inference_compiler=None, *,
                 static_argnums=None, dynamic=False, enable_log=True, **options):
    """fn, whose graph and whose gradient's graph the compilers make callables of."""
    compiled = {}

    def wrapped(*args, **kwargs):
        flat, spec = pytree.tree_flatten((args, kwargs))
        key = str(spec)
        if key not in compiled:
            told = []

            def of_flat(*values):
                args, kwargs = pytree.tree_unflatten(list(values), spec)
                results, results_spec = pytree.tree_flatten(fn(*args, **kwargs))
                told.append(results_spec)
                return results

            compiled[key] = _compiled_flat(of_flat, fw_compiler, bw_compiler, inference_compiler, partition_fn), told
        call, told = compiled[key]
        results = call(*flat)
        return pytree.tree_unflatten(results, told[0])

    return wrapped


def aot_module_simplified(mod, args, fw_compiler, bw_compiler=None, partition_fn=default_partition, decompositions=None,
                          keep_inference_input_mutations=False, inference_compiler=None, **options):
    """A function of flat tensors, mod's parameters and buffers being bound: what a backend of torch.compile calls."""
    state = dict(mod.named_parameters(remove_duplicate=False))
    state.update(dict(mod.named_buffers(remove_duplicate=False)))
    names = list(state)

    def of_flat(*values):
        if not names:
            found = mod(*values)
        else:
            found = torch.func.functional_call(mod, dict(zip(names, values[:len(names)])), values[len(names):])
        return list(found) if isinstance(found, (list, tuple)) else [found]

    call = _compiled_flat(of_flat, fw_compiler, bw_compiler, inference_compiler, partition_fn)

    def forward(*values):
        return tuple(call(*[state[n] for n in names], *values))

    return forward


class _AOTModule(torch.nn.Module):
    def __init__(self, mod, fw_compiler, bw_compiler, partition_fn, inference_compiler):
        super().__init__()
        self.orig_module = mod
        self._compiled = aot_function(
            lambda state, args, kwargs: torch.func.functional_call(mod, state, args, kwargs), fw_compiler, bw_compiler,
            partition_fn, inference_compiler=inference_compiler)

    def forward(self, *args, **kwargs):
        state = dict(self.orig_module.named_parameters())
        state.update(dict(self.orig_module.named_buffers()))
        return self._compiled(state, args, kwargs)


def aot_module(mod, fw_compiler, bw_compiler=None, partition_fn=default_partition, decompositions=None,
               inference_compiler=None, **options):
    return _AOTModule(mod, fw_compiler, bw_compiler, partition_fn, inference_compiler)
