#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What loading rdma.so costs tshark: user time, instructions and memory, with it and without it.

    plugin.py [--build DIR] [--packets N] [--runs N] [--instructions]

Writes a RoCE capture of N packets and runs `tshark -q -z io,stat,0` on it in turn without and with
the plugin; prints the medians of the user time, their ratio, and the memory of a frame (peak with
the plugin less peak without it). Where other programs run beside it the times are noise:
--instructions counts instructions with callgrind instead, on a tenth and on a fifth of the packets,
so that what tshark does to begin with is left out. Exit code 1 when the ratio misses the bar.
"""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

BAR = 1.25
NOBODY = 65534 # as root tshark loads no plugin from a person's folder


class Homes:
    """Two home folders, one of them with the plugin."""

    def __init__(self, plugin):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.root.chmod(0o755)
        version = subprocess.run(["tshark", "-v"], capture_output=True, text=True, check=True).stdout
        version = re.search(r"(\d+\.\d+)", version)[1]
        (self.root / "without").mkdir()
        for name in (version, version.replace(".", "-")):  # on Debian; elsewhere
            folder = self.root / "with/.local/lib/wireshark/plugins" / name / "epan"
            folder.mkdir(parents=True)
            shutil.copy(plugin, folder / "rdma.so")
        self.user = {}
        if os.geteuid() == 0:
            self.user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}

    def run(self, home, command):
        """user seconds, and peak kilobytes"""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.root / home)}
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=environment, cwd=self.root, **self.user)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{command[0]}: exit code {process.returncode}")
        return usage.ru_utime, usage.ru_maxrss


def tshark(capture):
    return ["tshark", "-n", "-q", "-r", str(capture), "-z", "io,stat,0"]


def instructions(homes, home, capture):
    """that tshark took, from callgrind's own file"""
    folder = homes.root / "callgrind"
    folder.mkdir(exist_ok=True)
    folder.chmod(0o777)
    out = folder / "out"
    out.unlink(missing_ok=True)
    homes.run(home, ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}",
                     *tshark(capture)])
    return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)[1])


def by_time(homes, capture, packets, runs):
    seen = {"without": [], "with": []}
    for _ in range(runs):
        for home in seen:
            seen[home].append(homes.run(home, tshark(capture)))
    seconds = {home: statistics.median(s for s, _ in those) for home, those in seen.items()}
    peak = {home: max(kb for _, kb in those) for home, those in seen.items()}
    print(f"user seconds: {seconds['without']:.2f} without the plugin, {seconds['with']:.2f} with it")
    print(f"memory: {(peak['with'] - peak['without']) * 1024 / packets:.0f} bytes a frame")
    return seconds["with"] / seconds["without"]


def by_instructions(homes, captures, packets):
    small, large = captures
    each = {home: (instructions(homes, home, large) - instructions(homes, home, small)) / packets
            for home in ("without", "with")}
    print(f"instructions a packet: {each['without']:.0f} without the plugin, {each['with']:.0f} with it")
    return each["with"] / each["without"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent / "build")
    parser.add_argument("--packets", type=int, default=500_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--instructions", action="store_true")
    args = parser.parse_args()
    homes = Homes(args.build / "plugin/rdma.so")

    def write(packets):
        path = homes.root / f"{packets}.pcap"
        with open(path, "wb") as out:
            subprocess.run([args.build / "bench/bench-generate", str(packets)], stdout=out, check=True)
        path.chmod(0o644)
        return path

    if args.instructions:
        part = args.packets // 10
        ratio = by_instructions(homes, [write(part), write(2 * part)], part)
    else:
        ratio = by_time(homes, write(args.packets), args.packets, args.runs)
    print(f"ratio {ratio:.3f}; at most {BAR}")
    sys.exit(0 if ratio <= BAR else 1)


if __name__ == "__main__":
    main()
