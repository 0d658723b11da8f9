# SPDX-License-Identifier: Apache-2.0

class tqdm:
    def __init__(self, iterable=None, desc=None, total=None, **kwargs):
        self.iterable, self.desc, self.total, self.n = iterable, desc, total, 0

    def __iter__(self):
        for x in self.iterable:
            yield x
            self.n += 1

    def __len__(self):
        return self.total if self.total is not None else len(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def update(self, n=1):
        self.n += n

    def set_description(self, desc=None, refresh=True):
        self.desc = desc

    def set_postfix(self, ordered_dict=None, refresh=True, **kwargs):
        pass

    set_description_str = set_postfix_str = set_postfix

    def close(self):
        pass

    refresh = clear = reset = close

    @classmethod
    def write(cls, s, file=None, end="\n", nolock=False):
        print(s, end=end, file=file)


def trange(*args, **kwargs):
    return tqdm(range(*args), **kwargs)



