#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reading speed and memory of rdma-analyze, against a bare loop over pcap_next_ex.

    run.py [--build DIR] [--packets N] [--runs N] [--all]

Writes captures into the build folder, reads each with the bare loop, with rdma-analyze --count-only
and with rdma-analyze as it comes, in turn, and prints what they take for each packet: CPU, of the
user and of the system together, the least of all runs, because what else runs on the machine only
adds to it. Cases with a bar come first; --all adds those without: 16, 1,000, 100,000 and 1,000,000
connections, in bursts of 1, 4 and 17 packets of one connection, with and without resends. Then the
peak memory of a capture and of one five times as long. Exit code 1 when a bar is missed.

Ratios are of one machine at one time: caches, and what others do to them, move them. Numbers that do
not move are instructions (valgrind --tool=callgrind), docs/performance.md has both.
"""
import argparse
import os
import pathlib
import subprocess
import sys

GROWTH_BAR = 1.10 # peak memory of five times the packets

# connections, packets of a burst, per cent of resends, whole frames; bars: full analysis, count only
CASES = [
    (16, 4, 0, False, 1.9, None),
    (1000, 4, 0, False, 2.2, 1.2),
    (100_000, 4, 0, False, 5.0, None),
    (1000, 4, 0, True, 1.7, None),
]
OTHERS = [(connections, burst, resends, False, None, None)
          for connections in (16, 1000, 100_000, 1_000_000)
          for burst in (1, 4, 17) for resends in (0, 1)]


def run(command):
    """user and system seconds, and peak kilobytes of a program"""
    with open(os.devnull, "w") as nothing:
        process = subprocess.Popen(command, stdout=nothing)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]}: exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def generate(build, path, packets, connections=16, burst=4, resends=0, whole=False):
    arguments = [str(n) for n in (packets, connections, burst, resends)] + ["whole"] * whole
    with open(path, "wb") as out:
        subprocess.run([build / "bench/bench-generate", *arguments], stdout=out, check=True)


def measure(build, path, case, packets, runs):
    """prints one case; whether its bars hold"""
    connections, burst, resends, whole, bar, count_bar = case
    program = build / "analyzer/rdma-analyze/rdma-analyze"
    commands = {"loop": [build / "bench/bench-pcap-loop", path],
                "count": [program, "-j1", "--count-only", path],
                "full": [program, "-j1", path]}

    packets = max(packets // (4 if whole else 1), 2 * connections)
    generate(build, path, packets, connections, burst, resends, whole)
    run(commands["loop"]) # so that no run waits for the disk
    seen = [{name: run(command) for name, command in commands.items()} for _ in range(runs)]
    least = {name: min(taken[name][0] for taken in seen) for name in commands}
    peak = max(taken["full"][1] for taken in seen)
    ratio, count_ratio = least["full"] / least["loop"], least["count"] / least["loop"]
    good = (bar is None or ratio <= bar) and (count_bar is None or count_ratio <= count_bar)
    bars = " ".join(f"({name} <= {limit})" for name, limit in (("full", bar), ("count", count_bar))
                    if limit)
    print(f"{connections:>9,} {burst:>5} {resends:>6}% {'whole' if whole else '128 B':>6} "
          f"{least['loop'] / packets * 1e9:>7.0f} {count_ratio:>6.2f} {ratio:>6.2f} "
          f"{peak / 1024:>7.0f}  {bars}{'' if good else ' MISSED'}", flush=True)
    return good


def growth(build, path, packets):
    """peak memory of five times the packets; whether its bar holds"""
    peaks = []
    for count in (packets // 5, packets):
        generate(build, path, count)
        peaks.append(run([build / "analyzer/rdma-analyze/rdma-analyze", "-j1", path])[1])
    grown = peaks[1] / peaks[0]
    print(f"peak memory {peaks[0] / 1024:.1f} MB at {packets // 5:,} packets, "
          f"{peaks[1] / 1024:.1f} MB at {packets:,}: x {grown:.2f} (bar: {GROWTH_BAR})")
    return grown <= GROWTH_BAR


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent / "build")
    parser.add_argument("--packets", type=int, default=2_000_000)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()

    path = args.build / "bench/bench.pcap"
    cases = CASES + [case for case in OTHERS if args.all and case[:4] not in
                     [barred[:4] for barred in CASES]]
    print("connections burst resends frames  ns/loop  count   full  MB peak")
    try:
        good = [measure(args.build, path, case, args.packets, args.runs) for case in cases]
        good.append(growth(args.build, path, 5 * args.packets // 2))
    finally:
        path.unlink(missing_ok=True)
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
