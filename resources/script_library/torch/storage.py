# SPDX-License-Identifier: Apache-2.0
# torch.storage: the memory behind tensors, to look at.
import torch


class UntypedStorage:
    """The bytes that a tensor and its views show."""

    def __init__(self, tensor):
        self._tensor = tensor

    def data_ptr(self):
        t = self._tensor
        return 0 if t.is_meta else t.data_ptr() - t.storage_offset() * t.element_size()

    @property
    def _cdata(self):
        return self.data_ptr()

    def nbytes(self):
        return self._tensor._storage_bytes()

    def size(self):
        return self.nbytes()

    def __len__(self):
        return self.nbytes()

    def element_size(self):
        return 1

    @property
    def device(self):
        return self._tensor.device

    @property
    def is_cuda(self):
        return self._tensor.is_cuda

    def _elements(self):
        t = self._tensor.detach()
        return t.as_strided((self.nbytes() // t.element_size(),), (1,), 0)

    def tolist(self):
        return self._elements().view(torch.uint8).tolist()

    def resize_(self, size):
        raise NotImplementedError("resize_() of a storage is not available: make another tensor")

    def __repr__(self):
        rows = "".join(f" {v}\n" for v in self.tolist())
        return f"{rows}[torch.storage.UntypedStorage(device={self.device}) of size {self.nbytes()}]"


class TypedStorage(UntypedStorage):
    """The same as elements of the tensor's dtype."""

    @property
    def dtype(self):
        return self._tensor.dtype

    def untyped(self):
        return UntypedStorage(self._tensor)

    def element_size(self):
        return self._tensor.element_size()

    def size(self):
        return self.nbytes() // self.element_size()

    def __len__(self):
        return self.size()

    def tolist(self):
        return self._elements().tolist()

    def __getitem__(self, index):
        found = self._elements()[index]
        return found.item() if isinstance(index, int) else found.tolist()

    def __setitem__(self, index, value):
        self._elements()[index] = value

    def __iter__(self):
        return iter(self.tolist())

    def __repr__(self):
        rows = "".join(f" {v}\n" for v in self.tolist())
        return f"{rows}[torch.storage.TypedStorage(dtype={self.dtype}, device={self.device}) of size {self.size()}]"
