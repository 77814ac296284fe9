#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Looks with readelf whether what was linked has what cmake/Hardening.cmake asks for.

    hardening.py [--readelf READELF] [--fortified] [--cet] FILE...

FILE is a program, a shared library or a module. --fortified: functions of libc that check what they
copy must be among the imports of one FILE at least. --cet: each FILE must begin its functions with
landing pads (the note that says so is lost where libc's own start files have none, so the code is
looked at). Prints each lack; exit code 1 when there is one.
"""
import argparse
import re
import subprocess
import sys


def told(tool, *arguments):
    return subprocess.run([tool, *arguments], check=True, capture_output=True, text=True).stdout


def lacks_of(readelf, file):
    header = told(readelf, "--file-header", file)
    segments = told(readelf, "--program-headers", "--wide", file)
    dynamic = told(readelf, "--dynamic", "--wide", file)
    imports = told(readelf, "--dyn-syms", "--wide", file)
    program = "INTERP" in segments
    if not re.search(r"Type:\s+DYN", header):
        yield "is loaded at a fixed address (no PIE)"
    if program and not re.search(r"FLAGS_1\).*\bPIE\b", dynamic):
        yield "is no PIE"
    if "GNU_RELRO" not in segments:
        yield "has no RELRO"
    if not re.search(r"BIND_NOW|FLAGS_1\).*\bNOW\b", dynamic):
        yield "finds functions when they are called first (no BIND_NOW)"
    stack = re.search(r"GNU_STACK\s.*", segments)
    if not stack or "RWE" in stack.group(0):
        yield "has a stack that can be executed"
    if re.search(r"^\s*LOAD\s.*\bRWE\b", segments, re.MULTILINE):
        yield "has memory that can be written and executed"
    if "TEXTREL" in dynamic:
        yield "has relocations in its code"
    if "__stack_chk_fail" not in imports:
        yield "has no stack protector"


# __do_global_dtors_aux and frame_dummy, which the compiler brings along
START_FILES_PADS = 2


def has_landing_pads(objdump, file):
    out = told(objdump, "--disassemble", "--no-show-raw-insn", "--section=.text", file)
    return len(re.findall(r"\bendbr64\b", out)) > START_FILES_PADS


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--readelf", default="readelf")
    parser.add_argument("--objdump", default="objdump")
    parser.add_argument("--fortified", action="store_true")
    parser.add_argument("--cet", action="store_true")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()

    failed = False
    fortified = False
    for file in args.files:
        lacks = list(lacks_of(args.readelf, file))
        if args.cet and not has_landing_pads(args.objdump, file):
            lacks.append("has no landing pads (CET)")
        for lack in lacks:
            print(f"{file} {lack}")
            failed = True
        imports = told(args.readelf, "--dyn-syms", "--wide", file)
        fortified |= bool(re.search(r"\b__\w+_chk\b", imports.replace("__stack_chk_fail", "")))
    if args.fortified and not fortified:
        print("no file calls functions of libc that check what they copy (no FORTIFY)")
        failed = True
    print(f"{len(args.files)} files: {'hardened as asked' if not failed else 'not hardened'}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
