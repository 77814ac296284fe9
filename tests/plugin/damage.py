#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""tshark -V with the plugin on damaged captures: no crash, no sanitizer report, no dissector bug but
those that tshark has without the plugin too (RPC over RDMA in two passes).

editcap changes bytes of each capture at random, with many seeds; several such files are put into one,
so that tshark starts less often, and read in one pass and in two by turns. With a plugin that was built
with sanitizers (build-asan/plugin/rdma.so):

    tests/plugin/damage.py --plugin build-asan/plugin/rdma.so --seeds 200 captures

What fails is tried alone, and kept in the working directory.
"""
import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import time

from plugged import Tshark, captures

FILE_BYTES = 2 << 20  # of what is put into one file
REPORTS = re.compile(rb"AddressSanitizer|runtime error:")
BUG = re.compile(rb"Dissector bug, protocol .*")
# tshark's exit codes for files that it cannot read to the end; damage to a cut file stays cut
READ_ERRORS = (0, 2)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, default=200, help="how many for each capture")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--rate", type=float, default=0.02, help="share of the bytes that are changed")
    parser.add_argument("--largest", type=int, default=1 << 40, help="bytes of the captures that count")
    parser.add_argument("--minutes", type=float, default=1e9, help="when to stop")
    parser.add_argument("captures", type=pathlib.Path)
    return parser.parse_args()


def damage(options, capture, seed, folder):
    """-> the damaged file; None when editcap does not know the capture's link."""
    to = folder / f"{capture.stem}.{seed}"
    edited = subprocess.run(["editcap", "-E", str(options.rate), "--seed", str(seed), capture, to],
                            capture_output=True)
    return to if to.exists() and to.stat().st_size and edited.returncode in READ_ERRORS else None


def merge(files, to):
    subprocess.run(["mergecap", "-a", "-w", to, *files], capture_output=True, check=True)
    to.chmod(0o644)


def run(tshark, file, passes, plugin):
    """-> exit code, dissector bugs by what they say, the end of what it says of errors."""
    command = ["nice", "-n", "19", "tshark", *passes, "-n", "-V", "-x", "-r", str(file)]
    with open(tshark.root / "errors", "w+b") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors,
                                   **tshark.surroundings(plugin))
        bugs = collections.Counter(found[0] for found in map(BUG.search, process.stdout) if found)
        process.stdout.close()
        status = process.wait()
        errors.seek(0)
        return status, bugs, errors.read()


def read(tshark, file, passes):
    """-> what is wrong, or None; and how many bugs of tshark's own it met."""
    status, bugs, text = run(tshark, file, passes, True)
    report = REPORTS.search(text)
    wrong, own = None, collections.Counter()
    if report or status not in READ_ERRORS:
        wrong = text[report.start():][:1000] if report else text[-1000:] or b"no message"
    elif bugs:
        own = bugs & run(tshark, file, passes, False)[1]
        wrong = b"; ".join(bugs - own) or None
    if wrong is not None:
        wrong = f"exit code {status}: {wrong.decode(errors='replace').strip()}"
    return wrong, own.total()


def blame(tshark, files, passes):
    """The first that fails alone, kept; else all of them."""
    for file in files:
        file.chmod(0o644)
        wrong, _ = read(tshark, file, passes)
        if wrong:
            shutil.copy(file, pathlib.Path.cwd() / f"damaged.{file.name}")
            return f"{file.name} {' '.join(passes)}: {wrong}"
    kept = pathlib.Path.cwd() / f"damaged.{files[0].name}.and_more"
    merge(files, kept)
    return f"{kept.name}: fails together only"


class Batch:
    """Damaged files that wait to be read."""

    def __init__(self, tshark):
        self.tshark, self.files, self.count, self.failed, self.own = tshark, [], 0, 0, 0

    def add(self, file):
        self.files.append(file)
        if sum(file.stat().st_size for file in self.files) >= FILE_BYTES:
            self.flush()

    def flush(self):
        if not self.files:
            return
        together = self.tshark.root / "together"
        merge(self.files, together)
        passes = ["-2"] if self.count % 2 else []
        self.count += 1
        wrong, own = read(self.tshark, together, passes)
        self.own += own
        if wrong:
            self.failed += 1
            print(blame(self.tshark, self.files, passes), flush=True)
        for file in self.files:
            file.unlink()
        self.files = []


def main():
    options = arguments()
    tshark = Tshark(options)
    batch, end, read_files = Batch(tshark), time.monotonic() + 60 * options.minutes, 0
    chosen = [capture for capture in captures(options.captures)
              if capture.stat().st_size <= options.largest]
    seeds = range(options.first, options.first + options.seeds)
    for seed in seeds:
        for capture in chosen:
            file = damage(options, capture, seed, tshark.root)
            if file:
                read_files += 1
                batch.add(file)
        if time.monotonic() > end:
            seeds = range(options.first, seed + 1)
            break
    batch.flush()
    print(f"{len(chosen)} captures, {len(seeds)} seeds, {read_files} damaged files, "
          f"{'with' if tshark.sanitizers else 'without'} sanitizers, {batch.own} bugs of tshark's own, "
          f"{batch.failed} failed")
    sys.exit(1 if batch.failed or not read_files else 0)


if __name__ == "__main__":
    main()
