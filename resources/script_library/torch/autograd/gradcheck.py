# SPDX-License-Identifier: Apache-2.0
# torch.autograd.gradcheck: gradients against central differences.
import torch


def _outputs(func, inputs):
    outputs = func(*inputs)
    return [o for o in (outputs if isinstance(outputs, (tuple, list)) else [outputs]) if o.requires_grad]


def gradcheck(func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, nondet_tol=0.0,
              check_undefined_grad=True, check_grad_dtypes=False, check_batched_grad=False, fast_mode=False, **rest):
    inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    wanted = [x for x in inputs if isinstance(x, torch.Tensor) and x.requires_grad]
    if not wanted:
        raise ValueError("gradcheck expects at least one input tensor to require gradient, but none of the them "
                         "have requires_grad=True.")
    for number, output in enumerate(_outputs(func, inputs)):
        # All of them first: below, inputs that backward() may need are written.
        gradients = [torch.autograd.functional._rows(output, [x], False)[0].reshape(output.numel(), x.numel())
                     for x in wanted]
        for place, (x, analytic) in enumerate(zip(wanted, gradients)):
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
                    raise RuntimeError(f"Jacobian mismatch for output {number} with respect to input {place},\n"
                                       f"numerical:{numeric}\nanalytical:{analytic[:, k]}\n")
    return True


def _value(func, inputs, number):
    outputs = func(*inputs)
    outputs = outputs if isinstance(outputs, (tuple, list)) else [outputs]
    return outputs[number].detach().clone().reshape(-1)


def gradgradcheck(func, inputs, grad_outputs=None, **options):
    inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)

    def first(*args):
        wanted = [x for x in args if isinstance(x, torch.Tensor) and x.requires_grad]
        outputs = _outputs(func, args)
        return torch.autograd.grad(outputs, wanted, [torch.ones_like(o) for o in outputs], create_graph=True,
                                   allow_unused=True, materialize_grads=True)

    options.pop("gen_non_contig_grad_outputs", None)
    return gradcheck(first, inputs, **options)
