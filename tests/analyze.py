#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""clang-tidy, cppcheck and gcc -fanalyzer over the sources of the program, the engine and the plugin.

    analyze.py BUILD [FILE...]

BUILD is a folder that CMake configured with clang and CMAKE_EXPORT_COMPILE_COMMANDS; FILE, relative to the tree, makes it
look at these only. Prints what they find, and nothing else; exit code 1 when there is something. What clang-tidy looks
for is in .clang-tidy, with the reasons; of the others all is on but what stands here.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

CPPCHECK = ["--quiet", "--inline-suppr", "--enable=warning,performance,portability", "--template={file}:{line}: {id}: {message}"]
CPPCHECK_OFF = [
    "missingIncludeSystem",  # it knows the C library by itself
    "returnDanglingLifetime:*/iwarp.c",  # what a hook returns is a flow, which does not point to the key
]

GCC = ["gcc", "-std=c11", "-O1", "-fanalyzer", "-c", "-o", "/dev/null"]
# gcc 12 does not follow what is known of a pointer or a struct through calls and loops: of its findings of
# these kinds in this tree (2026-11-22: some 20) about half were looked at: two were mended, the others were its mistakes.
# What is left on are leaks, what is freed twice or used after it, descriptors, bounds and signal handlers.
GCC_OFF = ["null-dereference", "null-argument", "possible-null-dereference", "possible-null-argument",
           "use-of-uninitialized-value"]


def own_sources(build, wanted):
    """The commands of the compile database that are about the program's own files, once each."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
        if re.match("(analyzer|dissectors|plugin)/", name) and (not wanted or name in wanted):
            found[name] = entry
    return found


def run(command, folder):
    result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return result.returncode, result.stdout


def tidy(build, entry):
    code, said = run(["clang-tidy", "-p", build, "--quiet", entry["file"]], ROOT)
    lines = [line for line in said.splitlines() if not re.match(r"\d+ warnings? (generated|treated)", line)]
    return "\n".join(lines) if code else ""


def gcc(entry):
    words, options = shlex.split(entry["command"]), []
    for word, following in zip(words, words[1:]):
        if word.startswith(("-I", "-D")):
            options.append(word)
        elif word == "-isystem":
            options += [word, following]
    code, said = run([*GCC, *(f"-Wno-analyzer-{kind}" for kind in GCC_OFF), *options, entry["file"]], entry["directory"])
    return said if code or "-Wanalyzer" in said else ""


def cppcheck(sources):
    with tempfile.TemporaryDirectory() as folder:
        project = pathlib.Path(folder) / "compile_commands.json"
        project.write_text(json.dumps(list(sources.values())))
        return run(["cppcheck", *CPPCHECK, *(f"--suppress={name}" for name in CPPCHECK_OFF), f"--project={project}"], ROOT)[1]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    sources = own_sources(build, sys.argv[2:])
    if not sources:
        sys.exit(f"analyze.py: {build} builds none of these")
    found = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = [pool.submit(cppcheck, sources)]
        for entry in sources.values():
            tasks += [pool.submit(tidy, build, entry), pool.submit(gcc, entry)]
        for task in concurrent.futures.as_completed(tasks):
            if task.result().strip():
                found += 1
                print(task.result(), flush=True)
    sys.exit(1 if found else 0)


main()
