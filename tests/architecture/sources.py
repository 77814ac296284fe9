#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the rules of docs/conventions.md that can be read off the sources.

    sources.py ROOT SUITE...

SUITE... are the unit suites that the build knows. Prints each breach; exit code 1 when there is
one.
"""
import pathlib
import re
import sys

MAX_FILE = 500
MAX_FUNCTION = 60

PURE = {"stdbool.h", "stddef.h", "stdint.h", "string.h"}
ENGINE = PURE | {"stdarg.h", "stdlib.h", "inttypes.h", "glib.h"}
# the families of checks: one folder each
FAMILIES = ["answer", "capture", "congestion", "frame", "iwarp", "keys", "management", "sequence", "time"]
BASE = {"dissectors", "analyzer/base"}
# the trackers: what they notice the checks judge, of which they know nothing
TRACKERS = {"analyzer/track": {"analyzer/track/setup", "analyzer/track/roce", "analyzer/track/iwarp", "analyzer/track/keys", "analyzer/checks"},
            "analyzer/track/roce": {"analyzer/track/setup"}, "analyzer/track/iwarp": {"analyzer/track/roce"},
            "analyzer/track/keys": {"analyzer/track/setup", "analyzer/track/roce", "analyzer/track/iwarp"}, "analyzer/track/setup": set()}
CHECKS = {"analyzer/checks": {f"analyzer/checks/{family}" for family in FAMILIES},
          **{f"analyzer/checks/{family}": {f"analyzer/checks/{family}"} for family in FAMILIES}}
# folder -> headers in <> that its files may include, folders that it may include from
INCLUDES = {
    "dissectors": (PURE | {"isa-l.h", "isa-l/crc.h"}, {"dissectors"}),
    "analyzer/base": (ENGINE, BASE),
    **{folder: (ENGINE, BASE | {"analyzer/track", folder} | more) for folder, more in TRACKERS.items()},
    **{folder: (ENGINE, BASE | {*TRACKERS, "analyzer/facts", "analyzer/checks", "analyzer/engine"} | {f"analyzer/checks/{f}" for f in FAMILIES})
       for folder in CHECKS},
    "analyzer/facts": (ENGINE, BASE | {*TRACKERS, "analyzer/facts"}),
    "analyzer/engine": (ENGINE, BASE | {*TRACKERS, *CHECKS, "analyzer/facts", "analyzer/engine"}),
}
CODE_FOLDERS = [*INCLUDES, "analyzer/report", "analyzer/rdma-analyze", "plugin", "bench", "tests/unit",
                "tests/fuzz", "tests/simulate"]


def suite_of(path):
    """analyzer/checks/FAMILY/NAME.c has test_check_FAMILY_NAME.c; FAMILY.c test_check_FAMILY.c"""
    family = path.parent.name
    if path.parent.parent.name != "checks":
        return path.stem
    return f"check_{family}" if path.stem == family else f"check_{family}_{path.stem}"


def files(root, folder, *endings):
    return sorted(path for ending in endings for path in (root / folder).glob("*" + ending))


def check_includes(root):
    include = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)', re.M)
    for folder, (system, own) in INCLUDES.items():
        for path in files(root, folder, ".c", ".h"):
            for bracket, name in include.findall(path.read_text()):
                # the project's own are written from the root, so their folder is known
                parent = str(pathlib.PurePath(name).parent)
                if name not in system if bracket == "<" else parent not in own:
                    yield f"{path}: {folder}/ may not include {name}"


def check_bytes(root):
    touch = re.compile(r"dissectors/cursor\.h|rda_cursor|frame->bytes|frame\.bytes")
    for folder in CHECKS.keys() - {"analyzer/checks/keys"}:
        for path in files(root, folder, ".c", ".h"):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if touch.search(line):
                    yield (f"{path}:{number}: a check sees no bytes: have dissectors/ read the value into struct "
                           f"rda_packet, or ask rda_read_..._of (dissectors/packet.h)")


def check_sizes(root):
    for folder in CODE_FOLDERS:
        for path in files(root, folder, ".c", ".h"):
            lines = path.read_text().splitlines()
            if len(lines) >= MAX_FILE:
                yield f"{path}: {len(lines)} lines; a file has less than {MAX_FILE}"
            start = None
            for number, line in enumerate(lines, 1): # a function's braces stand in column 1
                if line == "{":
                    start = number
                elif line == "}" and start:
                    length = number - start + 1
                    if length > MAX_FUNCTION:
                        yield f"{path}:{start}: a function of {length} lines; {MAX_FUNCTION} at most"
                    start = None


def check_suites(root, suites):
    tests = {path.stem.removeprefix("test_") for path in (root / "tests/unit").glob("test_*.c")}
    for folder in INCLUDES:
        for path in files(root, folder, ".c"):
            if suite_of(path) not in tests:
                yield f"{path}: tests/unit/test_{suite_of(path)}.c is missing"
    for name in sorted(tests - set(suites)):
        yield f"tests/unit/test_{name}.c: missing in the list of tests/CMakeLists.txt"


def check_first_lines(root):
    for folder in CODE_FOLDERS:
        for path in files(root, folder, ".c", ".h", ".def"):
            if not path.read_text().startswith("/* SPDX-License-Identifier: GPL-2.0-or-later */\n"):
                yield f"{path}: the first line is no SPDX licence line"


def main():
    root, suites = pathlib.Path(sys.argv[1]), sys.argv[2:]
    if not files(root, "dissectors", ".c"):
        sys.exit(f"{root}: no sources here")
    broken = [*check_includes(root), *check_bytes(root), *check_sizes(root), *check_suites(root, suites),
              *check_first_lines(root)]
    print("\n".join(broken) or "all rules kept")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
