#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""CHANGELOG.md has every check, opcode and header of the tables, so that nobody adds one and tells no user of it.

    changelog.py PROGRAM ROOT

It has them by code (F01, F01-F26), by value (0x1c, 0x00-0x14) and by name (RETH). Prints what is missing; exit code 1
when something is.
"""
import json
import pathlib
import re
import subprocess
import sys


def rows(program, table):
    return json.loads(subprocess.run([program, f"--list-{table}=json"], stdout=subprocess.PIPE, check=True).stdout)


def codes(text):
    """Those of checks, with what lies between the two of F01-F26."""
    return {f"{group}{number:02}" for group, first, last in re.findall(r"\b([A-Z])(\d\d)(?:-\1(\d\d))?\b", text)
            for number in range(int(first), int(last or first) + 1)}


def values(text):
    """Bytes in hexadecimal digits, with what lies between the two of 0x00-0x14."""
    return {value for first, last in re.findall(r"\b0x([0-9a-f]{2})(?:-0x([0-9a-f]{2}))?\b", text)
            for value in range(int(first, 16), int(last or first, 16) + 1)}


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    text = (root / "CHANGELOG.md").read_text()
    told_codes, told_values, words = codes(text), values(text), set(re.findall(r"\w+", text))
    missing = [f"check {row['code']}" for row in rows(program, "checks") if row["code"] not in told_codes]
    missing += [f"opcode 0x{row['opcode']:02x}, {row['name']}," for row in rows(program, "opcodes")
                if row["opcode"] not in told_values]
    missing += [f"header {row['header'].upper()}" for row in rows(program, "headers")
                if row["header"].upper() not in words]
    for what in missing:
        print(f"{what} is not in CHANGELOG.md: users see it, so write a line there")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
