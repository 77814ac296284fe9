#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Seeds that were wrong once are right: once_red.py RDA-SIMULATE, the seeds of once_red.txt beside it."""
import pathlib
import subprocess
import sys


def main():
    wrong = seeds = 0
    for line in pathlib.Path(__file__).with_suffix(".txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        name, seed = line.split()
        seeds += 1
        wrong += subprocess.run([sys.argv[1], name, "--seed", seed], stdout=subprocess.DEVNULL).returncode != 0
    print(f"{seeds} seeds, {wrong} wrong")
    return 1 if wrong or not seeds else 0


sys.exit(main())
