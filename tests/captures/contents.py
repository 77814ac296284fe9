#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the tables of captures/README.md from the captures themselves.

usage: contents.py PROGRAM FOLDER            writes them into FOLDER/README.md
       contents.py --check PROGRAM FOLDER    fails when they are not there as they would be written

Frames are counted here, RDMA packets by the program; what happens in a recorded capture is in
truth.json, what is in a made one in make.py.
"""

import json
import pathlib
import subprocess
import sys

import capfile
import make

BEGIN, END = "<!-- written by tests/captures/contents.py -->\n", "<!-- end -->\n"


def rdma_packets(program, path):
    run = subprocess.run([program, "--format", "json", path], stdout=subprocess.PIPE, check=True)
    counts = json.loads(run.stdout)["captures"][0]["rdma_packets"]
    return sum(count or 0 for count in counts.values())  # null: not counted yet


def row(program, path, contents):
    frames = sum(1 for _ in capfile.read(path))
    return f"| {path.name} | {frames} | {rdma_packets(program, path)} | {contents} |\n"


def tables(program, folder):
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    head = "| capture | frames | RDMA packets | what is in it |\n|---|---|---|---|\n"
    recorded = "".join(row(program, path, truth[path.name.split(".")[0]]["what"].replace("|", "\\|"))
                       for path in capfile.find(folder) if path.parent == folder)
    made = "".join(row(program, path, make.CONTENTS[path.name])
                   for path in capfile.find(folder / "made"))
    return ["\n" + head + recorded + "\n", "\n" + head + made + "\n"]


def main():
    checking = sys.argv[1] == "--check"
    program, folder = sys.argv[-2], pathlib.Path(sys.argv[-1])
    readme = folder / "README.md"
    parts = readme.read_text(encoding="utf-8").split(BEGIN)
    written = parts[0] + "".join(BEGIN + table + END + part.split(END, 1)[1]
                                 for table, part in zip(tables(program, folder), parts[1:], strict=True))
    if written == readme.read_text(encoding="utf-8"):
        return
    if checking:
        print(f"{readme}: its tables are not those of the captures; run tests/captures/contents.py")
        sys.exit(1)
    readme.write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main()
