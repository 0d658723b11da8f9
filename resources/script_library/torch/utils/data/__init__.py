# SPDX-License-Identifier: Apache-2.0
# torch.utils.data in the script language; everything happens in this process.
import math

import torch


class Dataset:
    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    def __iter__(self):
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")


class TensorDataset(Dataset):
    def __init__(self, *tensors):
        if any(t.shape[0] != tensors[0].shape[0] for t in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return self.tensors[0].shape[0]


class ConcatDataset(Dataset):
    def __init__(self, datasets):
        self.datasets = list(datasets)
        self.cumulative_sizes = []
        total = 0
        for dataset in self.datasets:
            total += len(dataset)
            self.cumulative_sizes.append(total)

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, index):
        if index < 0:
            index += len(self)
        before = 0
        for dataset, end in zip(self.datasets, self.cumulative_sizes):
            if index < end:
                return dataset[index - before]
            before = end
        raise IndexError("index out of range")


class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index):
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=None):
    if abs(sum(lengths) - 1) < 1e-9 and sum(lengths) <= 1 + 1e-9:
        sizes = [int(math.floor(len(dataset) * fraction)) for fraction in lengths]
        for i in range(len(dataset) - sum(sizes)):
            sizes[i % len(sizes)] += 1
        lengths = sizes
    if sum(lengths) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = torch.randperm(sum(lengths), generator=generator).tolist()
    parts = []
    at = 0
    for length in lengths:
        parts.append(Subset(dataset, order[at:at + length]))
        at += length
    return parts


class Sampler:
    def __init__(self, data_source=None):
        pass


class SequentialSampler(Sampler):
    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


def _fresh(generator):
    """The generator of one epoch: seeded from the default one, as PyTorch does."""
    if generator is not None:
        return generator
    return torch.Generator().manual_seed(int(torch.empty((), dtype=torch.int64).random_().item()))


class RandomSampler(Sampler):
    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator

    @property
    def num_samples(self):
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self):
        n = len(self.data_source)
        generator = _fresh(self.generator)
        if self.replacement:
            for _ in range(self.num_samples // 32):
                yield from torch.randint(high=n, size=(32,), dtype=torch.int64, generator=generator).tolist()
            rest = torch.randint(high=n, size=(self.num_samples % 32,), dtype=torch.int64, generator=generator)
            yield from rest.tolist()
        else:
            for _ in range(self.num_samples // n):
                yield from torch.randperm(n, generator=generator).tolist()
            yield from torch.randperm(n, generator=generator).tolist()[:self.num_samples % n]

    def __len__(self):
        return self.num_samples


class SubsetRandomSampler(Sampler):
    def __init__(self, indices, generator=None):
        self.indices = indices
        self.generator = generator

    def __iter__(self):
        for i in torch.randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    def __init__(self, weights, num_samples, replacement=True, generator=None):
        self.weights = torch.as_tensor(weights, dtype=torch.float64)
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self):
        return iter(torch.multinomial(self.weights, self.num_samples, self.replacement,
                                      generator=self.generator).tolist())

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler):
    def __init__(self, sampler, batch_size, drop_last):
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self):
        batch = []
        for index in self.sampler:
            batch.append(index)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self):
        n = len(self.sampler)
        return n // self.batch_size if self.drop_last else (n + self.batch_size - 1) // self.batch_size


def default_collate(batch):
    first = batch[0]
    if isinstance(first, torch.Tensor):
        return torch.stack(list(batch), 0)
    if isinstance(first, bool) or isinstance(first, int):
        return torch.tensor(list(batch))
    if isinstance(first, float):
        return torch.tensor(list(batch), dtype=torch.float64)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, dict):
        return {name: default_collate([row[name] for row in batch]) for name in first}
    if hasattr(first, "_fields"):
        return type(first)(*[default_collate(column) for column in zip(*batch)])
    if isinstance(first, (tuple, list)):
        size = len(first)
        if any(len(row) != size for row in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(column) for column in zip(*batch)]
    if hasattr(first, "dtype"):  # of numpy
        return torch.stack([torch.as_tensor(each) for each in batch], 0)
    raise TypeError("default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found "
                    f"{type(first)}")


def default_convert(data):
    if hasattr(data, "dtype") and not isinstance(data, torch.Tensor):  # of numpy
        return torch.as_tensor(data)
    if isinstance(data, dict):
        return {name: default_convert(value) for name, value in data.items()}
    if hasattr(data, "_fields"):
        return type(data)(*[default_convert(value) for value in data])
    return [default_convert(value) for value in data] if isinstance(data, (list, tuple)) else data


class _LoaderIter:
    def __init__(self, loader):
        self.loader = loader
        torch.empty((), dtype=torch.int64).random_(generator=loader.generator)  # the seed of workers
        self.rows = self._read()

    def _read(self):
        loader = self.loader
        if isinstance(loader.dataset, IterableDataset):
            if loader.batch_size is None:
                for item in loader.dataset:
                    yield loader.collate_fn(item)
                return
            batch = []
            for item in loader.dataset:
                batch.append(item)
                if len(batch) == loader.batch_size:
                    yield loader.collate_fn(batch)
                    batch = []
            if batch and not loader.drop_last:
                yield loader.collate_fn(batch)
            return
        if loader.batch_sampler is None:
            for index in loader.sampler:
                yield loader.collate_fn(loader.dataset[index])
            return
        for indices in loader.batch_sampler:
            yield loader.collate_fn([loader.dataset[i] for i in indices])

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.rows)

    def __len__(self):
        return len(self.loader)


class DataLoader:
    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0,
                 collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None,
                 multiprocessing_context=None, generator=None, *, prefetch_factor=None, persistent_workers=False,
                 pin_memory_device="", in_order=True):
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError("batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and "
                                 "drop_last")
            batch_size = None
        if batch_size is not None and (not isinstance(batch_size, int) or batch_size <= 0):
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        self.dataset = dataset
        self.num_workers = num_workers
        self.pin_memory = pin_memory
        self.generator = generator
        self.drop_last = drop_last
        self.batch_size = batch_size
        if isinstance(dataset, IterableDataset):
            if shuffle:
                raise ValueError("DataLoader with IterableDataset: expected unspecified shuffle option, but got "
                                 f"shuffle={shuffle}")
        elif sampler is None:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        self.sampler = sampler
        if batch_sampler is None and batch_size is not None and sampler is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_sampler = batch_sampler
        if collate_fn is None:
            collate_fn = default_collate if batch_sampler is not None or batch_size is not None else default_convert
        self.collate_fn = collate_fn

    def __iter__(self):
        return _LoaderIter(self)

    def __len__(self):
        if self.sampler is None:
            n, size = len(self.dataset), self.batch_size or 1
            return n // size if self.drop_last else -(-n // size)
        return len(self.sampler) if self.batch_sampler is None else len(self.batch_sampler)


def get_worker_info():
    return None


class ChainDataset(IterableDataset):
    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        for dataset in self.datasets:
            yield from dataset

    def __len__(self):
        return sum(len(dataset) for dataset in self.datasets)


class StackDataset(Dataset):
    """Items of several datasets as one tuple, or dict, each."""

    def __init__(self, *args, **kwargs):
        if bool(args) == bool(kwargs):
            raise ValueError("Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output, "
                             "but both types are given." if args else "At least one dataset should be passed")
        self.datasets = args or kwargs
        sizes = [len(dataset) for dataset in (args or list(kwargs.values()))]
        if any(size != sizes[0] for size in sizes):
            raise ValueError("Size mismatch between datasets")
        self._length = sizes[0]

    def __getitem__(self, index):
        if isinstance(self.datasets, dict):
            return {name: dataset[index] for name, dataset in self.datasets.items()}
        return tuple(dataset[index] for dataset in self.datasets)

    def __len__(self):
        return self._length


from torch.utils.data.distributed import DistributedSampler
from torch._homes import settle as _settle

_settle("torch.utils.data", globals())
