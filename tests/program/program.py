# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests of the program share: running it, and saying what is wrong."""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import traceback

PROGRAM = pathlib.Path(sys.argv[1])
ROOT = pathlib.Path(sys.argv[2])
CAPTURES = ROOT / "captures"
# with a sanitizer, where each run takes ten times as long, only some of many captures are read: each nth
EVERY = int(sys.argv[3]) if sys.argv[3:] and sys.argv[3].isdigit() else 1


def run(*arguments, stdin=None, env=None, stdout=subprocess.PIPE):
    """Runs the program; stdin is bytes. The environment is the test's, without NO_COLOR."""
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    environment.update(env or {})
    return subprocess.run([PROGRAM, *arguments], input=stdin, stdout=stdout,
                          stderr=subprocess.PIPE, env=environment)


def text(*arguments, **keywords):
    """Runs the program, which must succeed silently; returns what it printed."""
    result = run(*arguments, **keywords)
    assert result.returncode == 0, f"exit code {result.returncode}: {result.stderr.decode()}"
    assert not result.stderr, result.stderr.decode()
    return result.stdout.decode()


def options():
    """{"format": ("F", "FORMAT")}: what --help lists, which is options.def expanded."""
    found = {}
    for letter, name, argument in re.findall(
            r"^  (?:-(\w), |    )--([a-z-]+)(?:\[?[ =]([A-Z=]+(?: [A-Z]+)?)\]?)?(?:\s|$)", text("--help"), re.M):
        found[name] = (letter, argument)
    assert len(found) > 10
    return found


def same(got, want, what=""):
    if got != want and isinstance(got, str) and "\n" in got:
        lines = difflib.unified_diff(want.splitlines(True), got.splitlines(True), "expected", "printed")
        raise AssertionError(f"{what}:\n{''.join(lines)}")
    assert got == want, f"{what}: got {got!r}, want {want!r}"


def matches(pattern, got, what=""):
    assert re.search(pattern, got), f"{what}: {got!r} has no {pattern!r}"


def main(module):
    """Runs each function test_* of a module; exit code 1 when one fails."""
    failed = 0
    tests = [value for name, value in vars(module).items() if name.startswith("test_")]
    for test in tests:
        try:
            test()
        except Exception:
            failed += 1
            print(f"not so: {test.__name__}: {test.__doc__}")
            traceback.print_exc(file=sys.stdout)
    print(f"{len(tests) - failed} of {len(tests)} hold")
    sys.exit(1 if failed or not tests else 0)
