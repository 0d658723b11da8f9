#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes training_losses/NAME.txt: what each script of samples/training prints under PyTorch.

usage: record_training_losses.py        (with a Python that has torch and einops)
"""
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
for script in sorted((here.parent.parent / "samples" / "training").glob("*.py")):
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    (here / "training_losses" / (script.stem + ".txt")).write_text(run.stdout)
