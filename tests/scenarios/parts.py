#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the captures of all scenarios by parts: alone, and some of them at a time in one.

usage: parts.py RDA-SIMULATE SEEDS

The merged results of the parts must say what one pass says, of every check that a scenario fires
(tests/simulate/results.c).
"""

import subprocess
import sys
import tempfile

import run


def main():
    simulate, seeds = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        captures = [file for file, _ in run.played(folder)]
        alone = subprocess.run([simulate, "parts", *captures], check=False)
        mixed = subprocess.run([simulate, "mixed", "1", seeds, *captures], check=False)
    return alone.returncode or mixed.returncode


if __name__ == "__main__":
    sys.exit(main())
