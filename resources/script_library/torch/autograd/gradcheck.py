# SPDX-License-Identifier: Apache-2.0
# torch.autograd.gradcheck: gradients against central differences.
import torch


class GradcheckError(RuntimeError):
    pass


def _all_outputs(func, inputs):
    outputs = func(*inputs)
    return list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]


def _outputs(func, inputs):
    return [o for o in _all_outputs(func, inputs) if o.requires_grad]


def gradcheck(func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, nondet_tol=0.0,
              check_undefined_grad=True, check_grad_dtypes=False, check_batched_grad=False, fast_mode=False, **rest):
    inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    wanted = [x for x in inputs if isinstance(x, torch.Tensor) and x.requires_grad]
    if not wanted:
        raise ValueError("gradcheck expects at least one input tensor to require gradient, but none of the them "
                         "have requires_grad=True.")
    # All of them first: below, inputs that backward() may need are written.
    gradients = [(number, [torch.autograd.functional._rows(output, [x], False)[0].reshape(output.numel(), x.numel())
                           for x in wanted])
                 for number, output in enumerate(_all_outputs(func, inputs)) if output.requires_grad]
    for number, of_output in gradients:
        for place, (x, analytic) in enumerate(zip(wanted, of_output)):
            for k in range(x.numel()):
                with torch.no_grad():
                    flat = x.view(-1)
                    before = flat[k].item()
                    flat[k] = before + eps
                    above = _value(func, inputs, number)
                    flat[k] = before - eps
                    below = _value(func, inputs, number)
                    flat[k] = before
                numeric = (above - below) / (2 * eps)
                if not torch.allclose(analytic[:, k], numeric, rtol, atol):
                    if not raise_exception:
                        return False
                    raise GradcheckError(f"Jacobian mismatch for output {number} with respect to input {place},\n"
                                         f"numerical:{numeric}\nanalytical:{analytic[:, k]}\n")
    return True


def _value(func, inputs, number):
    with torch.enable_grad():  # gradients of gradients are checked, too
        return _all_outputs(func, inputs)[number].detach().clone().reshape(-1)


def gradgradcheck(func, inputs, grad_outputs=None, **options):
    inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    options.pop("gen_non_contig_grad_outputs", None)
    if grad_outputs is None:
        grad_outputs = [torch.testing.make_tensor(o.shape, dtype=o.dtype, device=o.device, low=-1, high=1, requires_grad=True)
                        for o in _outputs(func, inputs)]
    elif isinstance(grad_outputs, torch.Tensor):
        grad_outputs = [grad_outputs]

    def first(*args):
        args, along = args[:len(inputs)], args[len(inputs):]
        wanted = [x for x in args if isinstance(x, torch.Tensor) and x.requires_grad]
        return torch.autograd.grad(_outputs(func, args), wanted, along, create_graph=True, allow_unused=True,
                                   materialize_grads=True)

    return gradcheck(first, inputs + tuple(grad_outputs), **options)
