# SPDX-License-Identifier: Apache-2.0
# torch.nn.utils.fusion: a batch norm that is evaluated, as part of the layer before it.
import copy

import torch

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def _fused(weight, bias, mean, var, eps, gain, shift, dim):
    bias = torch.zeros_like(mean) if bias is None else bias
    gain = torch.ones_like(mean) if gain is None else gain
    shift = torch.zeros_like(mean) if shift is None else shift
    factor = gain * torch.rsqrt(var + eps)
    sizes = [-1 if d == dim else 1 for d in range(weight.dim())]
    return (torch.nn.Parameter((weight * factor.reshape(sizes)).to(weight.dtype), weight.requires_grad),
            torch.nn.Parameter(((bias - mean) * factor + shift).to(weight.dtype), bias.requires_grad))


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    """The weight and the bias of a convolution that gives what the batch norm behind it gives."""
    return _fused(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, 1 if transpose else 0)


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    return _fused(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, 0)


def _evaluated(layer, bn):
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    return copy.deepcopy(layer)


def fuse_conv_bn_eval(conv, bn, transpose=False):
    made = _evaluated(conv, bn)
    made.weight, made.bias = fuse_conv_bn_weights(made.weight, made.bias, bn.running_mean, bn.running_var, bn.eps,
                                                  bn.weight, bn.bias, transpose)
    return made


def fuse_linear_bn_eval(linear, bn):
    made = _evaluated(linear, bn)
    if linear.out_features != bn.num_features and bn.num_features != 1:
        raise AssertionError("To fuse, linear.out_features == bn.num_features or bn.num_features == 1")
    made.weight, made.bias = fuse_linear_bn_weights(made.weight, made.bias, bn.running_mean, bn.running_var, bn.eps,
                                                    bn.weight, bn.bias)
    return made
