#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the program gives up while it reads changes nothing of what it prints and writes."""
import gzip
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from program import CAPTURES, PROGRAM, main, same, text

CAPTURE = CAPTURES / "roce_err_dereg.a.pcap"
OTHER = CAPTURES / "roce_corrupt.a.pcap"

# OUT is the folder of what is written, OLD one with what was written before
ROWS = {
    "names in a filter": ["-f", "udp port 4791 or host localhost or tcp port domain", CAPTURE],
    "names in a filter, of each file": ["--each", "-f", "udp port 4791 or tcp port domain", CAPTURE, OTHER],
    "each": ["--each", CAPTURE, OTHER],
    "libwiretap": ["--reader=wiretap", CAPTURE],
    "packed": ["OLD/capture.pcap.gz"],
    "two threads": ["-j", "2", CAPTURE],
    "two taps": [CAPTURES / "taps" / "roce_taps_loss_data.a.pcap", CAPTURES / "taps" / "roce_taps_loss_data.b.pcap"],
    "page": ["--html", "OUT/page.html", CAPTURE],
    "database": ["--sqlite", "OUT/capture.db", CAPTURE],
    "database of packets as they come": ["-p", "-l", "--sqlite", "OUT/capture.db", CAPTURE],
    "capture with comments": ["--annotate", "OUT/commented.pcapng", CAPTURE],
    "capture without names": ["--anonymize", "OUT/anonymous.pcapng", CAPTURE],
    "part of a capture": ["--extract", "0", "OUT/part.pcapng", CAPTURE],
    "packets that are read": ["-w", "OUT/read.pcapng", CAPTURE],
    "packets around a finding": ["--save-on", "note", "OUT", CAPTURE],
    "JUnit and SARIF": ["--junit", "OUT/junit.xml", "--sarif", "OUT/sarif.json", CAPTURE],
    "expectations": ["--expect", "OLD/expect", CAPTURE],
    "baseline": ["--baseline", "OLD/report.json", OTHER],
    "difference": ["--diff", "OLD/report.json", OTHER],
    "options from a file": ["--config", "OLD/options", CAPTURE],
    "through a link": ["--html", "OUT/link", CAPTURE],
    "graph": ["--graph", "psn", "-C", "0", CAPTURE],
}


# in folders beside the test: /tmp may be written to at any rate


def prepare(folder):
    old = pathlib.Path(folder, "old")
    old.mkdir()
    (old / "elsewhere").mkdir()
    (old / "capture.pcap.gz").write_bytes(gzip.compress(CAPTURE.read_bytes()))
    (old / "expect").write_text("no finding >= error\n")
    (old / "options").write_text("format ndjson\n")
    (old / "report.json").write_text(text("-F", "json", "--fail-on=never", CAPTURE))
    return old


def outcome(old, row, *options):
    """What a row prints and writes, with the folder's name taken out."""
    with tempfile.TemporaryDirectory(dir=os.getcwd()) as out:
        page = old / "elsewhere" / "page.html"
        page.unlink(missing_ok=True)
        pathlib.Path(out, "link").symlink_to(page.absolute())
        page.touch()
        arguments = [str(one).replace("OUT", out).replace("OLD", str(old)) for one in row]
        result = subprocess.run([PROGRAM, *options, *arguments], capture_output=True)
        files = {file.name: file.read_bytes() for file in pathlib.Path(out).iterdir()}
        return (result.returncode, result.stdout.replace(out.encode(), b"OUT"),
                result.stderr.replace(out.encode(), b"OUT"), files)


def test_rows():
    """Each row of the table ends, prints and writes alike with and without the sandbox."""
    with tempfile.TemporaryDirectory(dir=os.getcwd()) as folder:
        old = prepare(folder)
        for name, row in ROWS.items():
            confined, free = outcome(old, row), outcome(old, row, "--no-sandbox")
            assert confined[0] < 2, f"{name}: {confined[2].decode()}"
            for got, want, what in zip(confined, free, ("exit code", "output", "errors")):
                same(got, want, f"{name}: {what}")
            same(sorted(confined[3]), sorted(free[3]), f"{name}: files")
            for file in set(confined[3]) - {"capture.db"}: # pages of a database have no fixed order
                same(confined[3][file], free[3][file], f"{name}: {file}")


def test_ring_below_a_wildcard():
    """Folders of a ring that come while it is followed are read."""
    with tempfile.TemporaryDirectory(dir=os.getcwd()) as folder:
        os.mkdir(f"{folder}/kept") # elsewhere: what is written opens its folder
        with subprocess.Popen([PROGRAM, "-F", "json", "--follow", f"{folder}/day*/ring*.pcap", "-w",
                               f"{folder}/kept/kept.pcapng"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                os.mkdir(f"{folder}/day1")
                shutil.copy(CAPTURE, f"{folder}/day1/ring1.pcap")
                wait_for_packets(pathlib.Path(folder, "kept", "kept.pcapng"))
            finally:
                process.send_signal(signal.SIGINT)
            out, errors = process.communicate()
        same(errors.decode(), "")
        same(json.loads(out)["captures"][0]["packets"],
             json.loads(text("-F", "json", CAPTURE))["captures"][0]["packets"])


def test_libraries_elsewhere():
    """libwiretap is taken where LD_LIBRARY_PATH says: here it is none, which is told."""
    module = pathlib.Path(PROGRAM).parent / "rdma-analyze-wiretap.so"
    if not module.exists():
        return
    needed = subprocess.run(["readelf", "-d", module], capture_output=True, text=True, check=True).stdout
    name = re.search(r"\[(libwiretap\.so[^]]*)\]", needed).group(1)
    with tempfile.TemporaryDirectory(dir=os.getcwd()) as folder:
        pathlib.Path(folder, name).write_text("no library\n")
        environment = dict(os.environ, LD_LIBRARY_PATH=folder)
        result = subprocess.run([PROGRAM, "--reader=wiretap", CAPTURE], capture_output=True, text=True,
                                env=environment)
        same(result.returncode, 2)
        assert f"{folder}/{name}: " in result.stderr, result.stderr


def wait_for_packets(file):
    """Until more than the head of a capture is there, which comes when all that is there was read."""
    deadline = time.monotonic() + 20
    while not file.exists() or file.stat().st_size < 1000:
        assert time.monotonic() < deadline, "nothing of the ring was read"
        time.sleep(0.05)


if "gives up" not in text("--version"):
    print("skipped: this system has no Landlock and no seccomp, or this build has sanitizers")
    sys.exit(77)
main(sys.modules[__name__])
