#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How much TCP payload of iWARP rdma-analyze decodes and judges in a second, on one core.

    iwarp.py [--build DIR] [--segments N] [--runs N]

Writes a capture of N segments with one FPDU each into the build folder, without CRC and with, and
prints the medians of user and system time. Exit code 1 when a bar is missed.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys

BARS = {"": 1.5, "crc": 1.0} # GB of TCP payload in a second
PAYLOAD = 1444 # of a segment, as generate_iwarp.c makes them


def seconds(command):
    """user and system time of a program"""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]}: exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent / "build")
    parser.add_argument("--segments", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    program = args.build / "analyzer/rdma-analyze/rdma-analyze"
    path, good = args.build / "bench/iwarp.pcap", True
    for crc, bar in BARS.items():
        try:
            with open(path, "wb") as out:
                subprocess.run([args.build / "bench/bench-generate-iwarp", str(args.segments),
                                *crc.split()], stdout=out, check=True)
            seconds([program, "-j1", path]) # so that no run waits for the disk
            time = statistics.median(seconds([program, "-j1", path]) for _ in range(args.runs))
        finally:
            path.unlink(missing_ok=True)
        rate = args.segments * PAYLOAD / time / 1e9
        print(f"{'with CRC' if crc else 'without CRC':12} {rate:5.2f} GB/s (bar: {bar}), "
              f"{time / args.segments * 1e9:.0f} ns/segment")
        good = good and rate >= bar
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
