#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the program prints for a few captures, as golden/ has it.

golden/LIST has a line for each: the name of the file of the expected output, then the arguments.
With a third argument, `update`, the files are written instead; read the difference before it is
committed.
"""
import os
import pathlib
import shlex
import subprocess
import sys

from program import CAPTURES, PROGRAM, main, same

GOLDEN = pathlib.Path(__file__).parent / "golden"


def rows():
    for line in (GOLDEN / "LIST").read_text().splitlines():
        if line and not line.startswith("#"):
            name, *arguments = shlex.split(line)
            yield GOLDEN / name, arguments


def printed(arguments):
    """Run in captures/, so that no path depends on where the tree is."""
    return subprocess.run([PROGRAM, *arguments], cwd=CAPTURES, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**os.environ, "TZ": "Asia/Kathmandu"},
                          check=True, text=True).stdout


def test_golden():
    """Each is as expected."""
    for path, arguments in rows():
        same(printed(arguments), path.read_text(),
             f"{path.name}; if that is meant: test_golden.py PROGRAM ROOT update")


def test_golden_is_short():
    """Whoever reviews a change reads them all."""
    same({path.name for path, _ in rows()} | {"LIST"}, {path.name for path in GOLDEN.iterdir()})
    for path, _ in rows():
        assert path.stat().st_size < 8000, f"{path} is too long to be read"


if sys.argv[3:] == ["update"]:
    for path, arguments in rows():
        path.write_text(printed(arguments))
else:
    main(sys.modules[__name__])
