#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""No memory is left: the program ends in order, wherever that happens.

usage: test_shortage.py PROGRAM SOURCE_DIR FAIL_ALLOCATION [all]

The n-th allocation of the program and of its libraries fails (fail_allocation.c), once or from then on: for
the first n, and for some of the others; with "all" for every n. Then the same with limits of address space.
The exit code is 0, 1 or 2, never a signal; a report is one; and no file is there by halves.
"""
import concurrent.futures
import json
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile

PROGRAM, SOURCE, LIBRARY = (pathlib.Path(name).resolve() for name in sys.argv[1:4])
ALL = sys.argv[4:] == ["all"]
CAPTURE = SOURCE / "captures" / "roce_cm_rping.a.pcap"
FIRST, SOME = 15, 25
FOREVER = 1 << 40
NO_BLOCKS = 1 << 46  # a limit of address space has all memory come from the functions that fail (blocks.h)
PACKETS = 30000
MIB = 1 << 20
LINE = b"out of memory"


def run(folder, options, environment=None, limit=None):
    def confine():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    return subprocess.run([PROGRAM, *options], capture_output=True, check=False, cwd=folder, timeout=600,
                          env={**os.environ, **(environment or {})}, preexec_fn=confine if limit else None)


def wrong(result, folder, want):
    """What is wrong with how it ended; None: nothing."""
    left = {path.name for path in pathlib.Path(folder).iterdir()}
    if result.returncode not in (0, 1, 2):
        return f"exit code {result.returncode}: {result.stderr.decode()[-300:]}"
    if result.returncode == 2 and LINE not in result.stderr:
        return f"exit code 2, and nobody says why: {result.stderr.decode()}"
    if any(name.startswith(".") for name in left):
        return f"left behind: {left}"
    if result.returncode != 2 and want is not None and (result.returncode, result.stdout) != want:
        return "another report, and nothing said"
    return None


def complete(path):
    """Whether a file that the program wrote is whole."""
    data = path.read_bytes()
    return data.rstrip().endswith(b"</html>") if path.suffix == ".html" else data.startswith(b"SQLite format 3")


def fail_one(options, number, count, want, files):
    with tempfile.TemporaryDirectory() as folder:
        result = run(folder, options, {"LD_PRELOAD": str(LIBRARY), "RDA_FAIL_FROM": str(number), "RDA_FAIL_COUNT": str(count)},
                     limit=NO_BLOCKS)
        error = wrong(result, folder, want)
        if not error:
            halves = [name for name in files if pathlib.Path(folder, name).exists() and
                      not complete(pathlib.Path(folder, name))]
            error = f"half of {halves}" if halves else None
        return f"{' '.join(options)}: allocation {number}, {count} fail: {error}" if error else None


def each_allocation():
    cases = [(("--color=never", str(CAPTURE)), ()),
             (("--format=json", str(CAPTURE)), ()),
             (("--format=json", "-j", "2", str(CAPTURE)), ()),
             (("--packets", str(CAPTURE)), ()),
             (("--html", "page.html", "--sqlite", "rows.db", str(CAPTURE)), ("page.html", "rows.db"))]
    errors = []
    for options, files in cases:
        with tempfile.TemporaryDirectory() as folder:
            told = pathlib.Path(folder) / "told"
            result = run(folder, options, {"LD_PRELOAD": str(LIBRARY), "RDA_FAIL_TOLD": str(told)}, limit=NO_BLOCKS)
            allocations = int(told.read_text())
        assert result.returncode == 0 and allocations > 500, (options, result.returncode, allocations)
        step = 1 if ALL else max(1, allocations // SOME)
        numbers = [*range(1, FIRST), *range(FIRST, allocations + 2, step)]
        want = None if "-j" in options else (0, result.stdout)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [pool.submit(fail_one, options, number, count, want, files)
                    for number in numbers for count in (1, FOREVER)]
            found = [job.result() for job in jobs]
        errors += [error for error in found if error]
        print(f"{' '.join(options)}: {allocations} allocations, {len(numbers)} tried twice")
    return errors


def many_flows(path, count):
    """A capture of which each packet has a connection of its own: RoCEv2 SENDs."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
        for i in range(count):
            bth = struct.pack(">BBHII", 4, 0x40, 0xFFFF, i & 0xFFFFFF, i & 0xFFFFFF) + bytes(20)
            udp = struct.pack(">HHHH", 49152, 4791, 8 + len(bth), 0) + bth
            ip = struct.pack(">BBHHHBBHII", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, 0x0A000001, 0x0A000002)
            frame = bytes(12) + b"\x08\x00" + ip + udp
            file.write(struct.pack("<IIII", i // 1000000, i % 1000000, len(frame), len(frame)) + frame)


def each_limit():
    """Address space for the program, and less and less of what it wants: what was read till then is told."""
    errors, cut = [], 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "many.pcap"
        many_flows(path, PACKETS)
        for mib in range(20, 200, 30):
            result = run(folder, ("--format=json", "--memory", "4G", "-j", "1", str(path)), limit=mib * MIB)
            if result.returncode == 127 and b"shared librar" in result.stderr:
                continue  # the loader had no room for them
            error = wrong(result, folder, None)
            if not error and result.stdout:
                capture = json.loads(result.stdout)["captures"][0]
                error = None if (capture["stopped"] == "memory") == (result.returncode == 2) else "not told"
                cut += capture["stopped"] == "memory" and 0 < capture["packets"] < PACKETS
            if error:
                errors.append(f"{mib} MiB: {error}")
    if not cut:
        errors.append("no report of what was read till then: the test is too small")
    print(f"limits of address space: {cut} reports of what was read till then")
    return errors


def main():
    errors = each_allocation() + each_limit()
    for error in errors[:20]:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
