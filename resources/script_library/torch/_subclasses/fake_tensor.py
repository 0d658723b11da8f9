# SPDX-License-Identifier: Apache-2.0
# torch._subclasses.fake_tensor: tensors without elements, as nodes of graphs tell what they give.
import torch


class FakeTensor(torch.Tensor):
    """Lies on the meta device, and says that it lies where the tensor of the graph does."""

    @property
    def device(self):
        return self.fake_device

    @property
    def shape(self):
        return self.size()

    def size(self, dim=None):
        return self._sizes if dim is None else self._sizes[dim]

    def __repr__(self):
        where = "" if self.device.type == "cpu" else f"device='{self.device}', "
        dtype = "" if self.dtype is torch.float32 else f", dtype={self.dtype}"
        return f"FakeTensor(..., {where}size={tuple(self.size())}{dtype}" + \
               (", requires_grad=True)" if self.requires_grad else ")")


def fake_tensor(kind, sizes, strides):
    """\param kind: (sizes, dtype, place, strides, device, requires_grad) of a node
    \param sizes, strides: ints, of which those that are open are torch.SymInt"""
    made = torch.empty_strided([int(n) for n in sizes], [int(n) for n in strides], dtype=kind[1], device="meta")
    made = made.as_subclass(FakeTensor)
    made.fake_device, made._sizes = kind[4], torch.Size(sizes)
    return made
