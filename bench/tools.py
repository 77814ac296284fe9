#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What other programs take for the same capture, as a table for docs/performance.md.

    tools.py [--build DIR] [--packets N] [--connections N] [--runs N]

The least CPU (user and system), with the wall time and the peak of memory of that run, in turn, standard output
into /dev/null. They do not do the same: the table says what each tells. Programs that are not installed are
left out, and named on standard error.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
FIELDS = ["frame.time_epoch", "ip.src", "ip.dst", "infiniband.bth.opcode", "infiniband.bth.destqp", "infiniband.bth.psn"]


def commands(build, path):
    """name, what it tells, command"""
    program = build / "analyzer/rdma-analyze/rdma-analyze"
    fields = [word for field in FIELDS for word in ("-e", field)]
    return [
        ("a loop over pcap_next_ex", "nothing", [build / "bench/bench-pcap-loop", path]),
        ("capinfos", "counts, times, checksums of the file", ["capinfos", path]),
        ("tcpdump", "a line a packet, no RDMA", ["tcpdump", "-nr", path]),
        ("tshark -z io,stat", "packets and bytes a second", ["tshark", "-nqr", path, "-z", "io,stat,1"]),
        ("tshark -T fields", "PSN, QPN and opcode a packet", ["tshark", "-nr", path, "-T", "fields", *fields]),
        ("tcptrace", "TCP connections; of RoCE nothing", ["tcptrace", path]),
        ("rdma-analyze --count-only", "connections, counts", [program, "-j1", "--count-only", path]),
        ("rdma-analyze -j1", "all accounts, checks, latencies", [program, "-j1", path]),
        ("rdma-analyze", "the same, threads as it chooses", [program, path]),
        ("rdma-analyze --packets", "a line a packet, RDMA only, what is wrong with each", [program, "--packets", path]),
    ]


def run(command):
    """CPU seconds, wall seconds, and peak megabytes"""
    with open(os.devnull, "r+b") as nothing:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]}: exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / "build")
    parser.add_argument("--packets", type=int, default=1_000_000)
    parser.add_argument("--connections", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()

    path = args.build / "bench/tools.pcap"
    there = []
    for row in commands(args.build, path):
        if shutil.which(row[2][0]):
            there.append(row)
        else:
            print(f"{row[0]}: not installed", file=sys.stderr)
    try:
        with open(path, "wb") as out:
            subprocess.run([args.build / "bench/bench-generate", str(args.packets), str(args.connections)], stdout=out,
                           check=True)
        run(there[0][2]) # so that none waits for the disk
        seen = [[run(command) for _, _, command in there] for _ in range(args.runs)]
    finally:
        path.unlink(missing_ok=True)
    least = [min(taken[i] for taken in seen) for i in range(len(there))]
    print("| program | what it tells | CPU, s | times the loop | wall, s | peak MB |\n|---|---|---|---|---|---|")
    for (name, tells, _), (cpu, wall, peak) in zip(there, least):
        print(f"| {name} | {tells} | {cpu:.2f} | {cpu / least[0][0]:.1f} | {wall:.2f} | {peak:.0f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
