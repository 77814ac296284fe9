#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--jobs: any number of threads prints what one prints, to the byte."""
import concurrent.futures
import gzip
import itertools
import json
import os
import subprocess
import sys
import tempfile

import pcap
from program import CAPTURES, EVERY, PROGRAM, main, run, same

JOBS = (1, 2, 3, 7)
# of each capture: JSON has all that is known, the text has it in sentences; the other formats have the records of JSON
WHOLE = ["--format=json"]
PARTS = (["--all", "--keys"], ["--count-only"])
WAYS = (*PARTS, WHOLE, [], ["--format=ndjson"], ["--format=csv"])


def files():
    found = sorted(str(path) for folder in (CAPTURES, CAPTURES / "made")
                   for path in folder.glob("*.pcap*"))
    assert len(found) > 50
    return found[::EVERY]


def of(jobs, *arguments, **keywords):
    result = run(f"-j{jobs}", *arguments, **keywords)
    return result.returncode, result.stdout, result.stderr


def check(arguments, numbers=JOBS[1:]):
    alone = of(1, *arguments)
    for jobs in numbers:
        assert of(jobs, *arguments) == alone, f"-j {jobs} {' '.join(arguments)}"


def check_all(lines, *numbers):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(lambda line: check(line, *numbers), lines):
            pass


def test_every_capture():
    """JSON with any number of threads; text with all findings and keys, and counts only, with three; what is damaged too."""
    check_all([*WHOLE, file] for file in files())
    check_all(([*way, file] for way, file in itertools.product(PARTS, files())), (3,))


def test_one_thread_that_reads_for_all():
    """With a filter, or packed, files are not read side by side: what all pass by is what all read."""
    check_all(([*WHOLE, "--filter=greater 1", file] for file in files()), (2, 3))
    with tempfile.TemporaryDirectory() as folder:
        packed = []
        for i, file in enumerate(files()):
            with open(file, "rb") as plain:
                data = plain.read()
            packed.append(f"{folder}/{i}.gz")
            with open(packed[-1], "wb") as out:
                out.write(data if file.endswith(".gz") else gzip.compress(data, 1))
        check_all([[*WHOLE, *packed], [*WHOLE, *packed[::2], *files()[1::2]]], (3,))


def test_too_few_files_at_once():
    """Each thread opens a file for itself: where that fails it is said, and where it does not, nothing is missing."""
    file, failed = str(CAPTURES / "roce_corrupt.a.pcap"), 0
    alone = of(1, *WHOLE, file)
    for limit in range(4, 20):
        result = subprocess.run(["sh", "-c", f"ulimit -n {limit}; exec \"$@\"", "sh", PROGRAM, "-j4", *WHOLE, file], capture_output=True)
        if (result.returncode, result.stdout, result.stderr) == alone:
            break
        assert result.returncode in (2, 127), (limit, result)
        failed += b": Too many open files" in result.stderr and bool(result.stdout)
    assert limit < 19 and failed, "where nothing but a thread's file is missing there is a report"


def test_several_files():
    """All captures in one run, forwards and backwards: hosts in common, link types of all kinds."""
    check_all([*way, *order] for way in WAYS for order in (files(), files()[::-1]))


def test_other_options():
    """A filter, weights of checks, another reader, standard input, a file that is not there."""
    two = [str(CAPTURES / "roce_corrupt.a.pcap"), str(CAPTURES / "roce_rc_write_ipv6.a.pcap")]
    check_all([["--filter=udp port 4791", "--format=json", *two],
               ["--check=F01=note,S05=off", *two],
               ["--reader=pcap", *files()],
               ["--fail-on=note", *two],
               [*two, "/nonexistent"]])
    with open(two[0], "rb") as capture:
        data = capture.read()
    for jobs in JOBS:
        same(of(jobs, "-", stdin=data), of(1, "-", stdin=data), f"-j {jobs} -")


def test_default():
    """A file of 64 MiB is worth several threads without being asked for them."""
    data = (CAPTURES / "roce_corrupt.a.pcap").read_bytes()
    with tempfile.NamedTemporaryFile() as file:
        file.write(data[:pcap.HEADER])
        for _ in range(1 + (64 << 20) // (len(data) - pcap.HEADER)):
            file.write(data[pcap.HEADER:])
        file.flush()
        same(run(*WHOLE, file.name).stdout, of(1, *WHOLE, file.name)[1], "without -j")


def test_many_keys():
    """As many memory keys as fit into the memory of one thread are all kept with several."""
    data, link = (CAPTURES / "roce_rc_write_lat.a.pcap").read_bytes(), 14 + 20 + 8  # in front of the BTH
    at = next(offset for offset, _, frame, _ in pcap.frames(data) if frame[link:link + 1] == b"\x0a")  # WRITE Only
    length = int.from_bytes(data[at + 8:at + 12], "little")
    record, keys = data[at:at + 16 + length], 5_000
    psn, key = 16 + link + 9, 16 + link + 12 + 8
    with tempfile.NamedTemporaryFile() as file:
        file.write(data[:pcap.HEADER])
        for i in range(keys):  # without ICRC
            file.write(record[:psn] + i.to_bytes(3, "big") + record[psn + 3:key] + i.to_bytes(4, "big") +
                       record[key + 4:-4] + bytes(4))
        file.flush()
        limited = [*WHOLE, "--memory=64M", file.name]
        check(limited)
        assert len(json.loads(of(1, *limited)[1])["memory_keys"]) == keys


def test_packets():
    """Listings are made by one thread, whatever is asked for."""
    check(["--packets", str(CAPTURES / "roce_corrupt.a.pcap")])


def test_bad_numbers():
    for bad in ("0", "65", "4294967295"):
        result = run("-j", bad, str(CAPTURES / "roce_corrupt.a.pcap"))
        assert result.returncode == 2 and not result.stdout, bad
        same(result.stderr.decode(), "rdma-analyze: --jobs: 1 to 64 threads (--help tells more)\n")


main(sys.modules[__name__])
