#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Proves with nm what a static library imports and that it has no state.

    symbols.py [--nm NM] RULES LIBRARY [--with LIBRARY]...

RULES is 'dissect' or 'engine'. Symbols that the library itself, or one given by --with, defines
are no imports. Prints each symbol that breaks a rule; exit code 1 when there is one.
"""
import argparse
import re
import subprocess
import sys

# What the compiler emits by itself, whatever the source says; bcmp is what clang makes of memcmp() == 0,
# __cpu_model is what the processor can.
COMPILER = r"__cpu_model|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__mem(cpy|set|move)_chk|bcmp"

ALLOWED = {
    # bytes to values, and the CRC of ISA-L
    "dissect": COMPILER + r"|mem(cpy|set|cmp)|strcmp|crc32_gzip_refl|crc32_iscsi",
    # besides: containers of GLib and what they need, memory and string functions of libc, sorting
    "engine": COMPILER
    + r"|mem(cpy|set|cmp|move|chr)|str(n?cmp|n?len|r?chr|str)|qsort"
    + r"|g_(array|ptr_array|byte_array|bytes|hash_table|queue|list|slist|tree|sequence)_\w+"
    + r"|g_(string|strdup|strndup|strcmp0|str_hash|str_equal|direct_hash|direct_equal)\w*"
    + r"|g_(int|int64|double)_(hash|equal)|g_qsort_with_data"
    + r"|g_(malloc|malloc0|realloc|try_malloc)(_n)?|g_free|g_memdup2|g_slice_\w+",
}

# Writable in a running program. Relocated constants (.data.rel.ro) are read-only once loaded.
WRITABLE = re.compile(r"^(\*COM\*|\.(data|bss|tdata|tbss|tm_clone_table)(?!\.rel\.ro)(\..*)?)$")


def symbols(nm, library):
    """(object, name, class, section) of every symbol of an archive"""
    out = subprocess.run([nm, "--format=sysv", library], check=True, capture_output=True, text=True)
    member = library
    for line in out.stdout.splitlines():
        found = re.match(r"^Symbols from .*\[(.*)\]:$", line)
        if found:
            member = found.group(1)
        columns = [column.strip() for column in line.split("|")]
        if len(columns) == 7 and columns[0] != "Name":
            yield member, columns[0], columns[2], columns[6]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--with", dest="others", action="append", default=[])
    parser.add_argument("rules", choices=sorted(ALLOWED))
    parser.add_argument("library")
    args = parser.parse_args()

    own = list(symbols(args.nm, args.library))
    known = own + [symbol for other in args.others for symbol in symbols(args.nm, other)]
    defined = {name for _, name, kind, _ in known if kind != "U"}
    broken = []
    for member, name, kind, section in own:
        if kind == "U":
            if name not in defined and not re.fullmatch(ALLOWED[args.rules], name):
                broken.append(f"{member}: imports {name}")
        elif WRITABLE.match(section):
            broken.append(f"{member}: {name} is writable ({section})")
    if len(own) < 10: # an archive always has more: nm's output was not understood
        broken.append(f"{args.library}: only {len(own)} symbols found")
    print("\n".join(sorted(set(broken))) or f"{args.library}: {len(own)} symbols, all allowed")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
