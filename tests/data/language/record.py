#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what Python 3.11 prints for every snippet of this folder: NAME.txt beside NAME.py, and
in NAME.function.txt what it prints for the same statements inside a function.

An uncaught exception is recorded as the last line of its account. Run: python3 record.py [NAME...]
"""
import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def snippets(path):
    parts = re.split(r"(?m)^#---- (.*)\n", open(path, encoding="utf-8").read())
    return list(zip(parts[1::2], parts[2::2]))


def in_function(code):
    return "def main():\n" + "".join("    " + line + "\n" for line in code.splitlines()) + "main()\n"


def run(code):
    done = subprocess.run([sys.executable, "-I", "-W", "ignore", "-"], input=code, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                          env={**os.environ, "PYTHONHASHSEED": "0"}, cwd="/")
    out = done.stdout
    if done.returncode and done.stderr.strip():
        out += done.stderr.strip().splitlines()[-1] + "\n"
    return out


for path in sorted(glob.glob(os.path.join(HERE, "*.py"))):
    stem = os.path.basename(path)[:-3]
    if stem == "record" or sys.argv[1:] and stem not in sys.argv[1:]:
        continue
    for suffix, form in ((".txt", lambda c: c), (".function.txt", in_function)):
        with open(os.path.join(HERE, stem + suffix), "w", encoding="utf-8") as f:
            for name, code in snippets(path):
                f.write(f"#---- {name}\n" + run(form(code)))
