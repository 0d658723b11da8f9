# SPDX-License-Identifier: Apache-2.0
# glob: there are no files, so nothing is found.


def glob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    return []


def iglob(pathname, **options):
    return iter(())


def escape(pathname):
    return "".join(f"[{c}]" if c in "*?[" else c for c in pathname)
