#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes FOLDER_output/NAME.txt: what each script of samples/training and samples/models prints
under PyTorch, run eagerly on the CPU.

usage: record_sample_output.py [NAME ...]        (with a Python that has torch and einops)
"""
import os
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
eager = dict(os.environ, TORCHDYNAMO_DISABLE="1", CUDA_VISIBLE_DEVICES="")
for folder in ("training", "models"):
    output = here / f"{folder}_output"
    output.mkdir(exist_ok=True)
    for script in sorted((here.parent.parent / "samples" / folder).glob("*.py")):
        if len(sys.argv) > 1 and script.stem not in sys.argv[1:]:
            continue
        run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True, env=eager)
        (output / (script.stem + ".txt")).write_text(run.stdout)
