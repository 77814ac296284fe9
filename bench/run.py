#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reading speed and memory of rdma-analyze, against a bare loop over pcap_next_ex.

    run.py [--build DIR] [--packets N] [--runs N]

Writes a capture of N RoCEv2 packets and one of a fifth of them into the build folder, reads the
large one with both programs in turn, and prints the medians of their user time: of rdma-analyze
as it comes, with all accounts and checks, which has a bar, and with --count-only. Then the peak
memory on both captures, and the time for each packet of 20,000 and of 100,000 connections. Exit
code 1 when a bar is missed.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys

RATIO_BAR = 3.0 # user time of rdma-analyze over the bare loop's
GROWTH_BAR = 1.10 # peak memory of five times the packets
CONNECTIONS_BAR = 2.0 # time for each packet of five times the connections
PACKETS_OF_CONNECTION = 22 # of the capture of many


def run(command):
    """user seconds, user and system seconds, and peak kilobytes of a program"""
    with open(os.devnull, "w") as nothing:
        process = subprocess.Popen(command, stdout=nothing)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]}: exit code {process.returncode}")
    return usage.ru_utime, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def generate(program, packets, path, connections=16):
    with open(path, "wb") as out:
        subprocess.run([program, str(packets), str(connections)], stdout=out, check=True)


def many_connections(generator, program, path, connections, runs):
    """median user seconds for each packet, and peak kilobytes"""
    packets = connections * PACKETS_OF_CONNECTION
    generate(generator, packets, path, connections)
    seen = [run([program, path]) for _ in range(runs)]
    return statistics.median(seconds for seconds, _, _ in seen) / packets, max(
        peak for _, _, peak in seen)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent / "build")
    parser.add_argument("--packets", type=int, default=5_000_000)
    parser.add_argument("--runs", type=int, default=9)
    args = parser.parse_args()

    program = args.build / "analyzer/rdma-analyze/rdma-analyze"
    loop = args.build / "bench/bench-pcap-loop"
    large, small = args.build / "bench/large.pcap", args.build / "bench/small.pcap"
    try:
        generate(args.build / "bench/bench-generate", args.packets, large)
        generate(args.build / "bench/bench-generate", args.packets // 5, small)
        run([loop, large]) # so that no run waits for the disk
        bare, ours, judged = [], [], []
        for _ in range(args.runs): # in turn, so that both see the same machine
            bare.append(run([loop, large]))
            ours.append(run([program, "--count-only", large]))
            judged.append(run([program, large]))
        small_peak = run([program, small])[2]
        few, _ = many_connections(args.build / "bench/bench-generate", program, small, 20_000, 3)
        many, many_peak = many_connections(args.build / "bench/bench-generate", program, large,
                                           100_000, 3)
    finally:
        large.unlink(missing_ok=True)
        small.unlink(missing_ok=True)

    user = {}
    for name, runs in (("bare loop", bare), ("count only", ours), ("with checks", judged)):
        seconds, total, _ = (statistics.median(column) for column in zip(*runs))
        user[name] = seconds
        print(f"{name:13} {seconds:6.2f} s user ({min(runs)[0]:.2f} to {max(runs)[0]:.2f}), "
              f"{total:.2f} s with system; {seconds / args.packets * 1e9:.1f} ns user/packet")
    ratio = user["with checks"] / user["bare loop"]
    large_peak = max(peak for _, _, peak in judged)
    growth = large_peak / small_peak
    print(f"ratio         {ratio:6.2f}   user, medians of {args.runs}, with checks (bar: {RATIO_BAR})")
    print(f"              {user['count only'] / user['bare loop']:6.2f}   count only")
    print(f"peak memory   {small_peak / 1024:6.1f} MB at {args.packets // 5:,} packets, "
          f"{large_peak / 1024:.1f} MB at {args.packets:,}: x {growth:.2f} (bar: {GROWTH_BAR})")
    print(f"connections   {few * 1e9:6.1f} ns user/packet of 20,000, {many * 1e9:.1f} of 100,000: "
          f"x {many / few:.2f} (bar: {CONNECTIONS_BAR}); {many_peak / 1024:.0f} MB")
    good = ratio <= RATIO_BAR and growth <= GROWTH_BAR and many / few <= CONNECTIONS_BAR
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
