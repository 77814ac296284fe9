#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Packed captures: told as what is in them, copied from (-w), read from pipes, and with any number of threads."""
import gzip
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import pcap
from program import CAPTURES, PROGRAM, main, run, same, text

CAPTURE = CAPTURES / "roce_loss_burst.a.pcap"


def packers():
    """What packs a file, by the end of its name; zstd where the command is there."""
    yield ".gz", lambda content: gzip.compress(content)
    try:
        subprocess.run(["zstd", "--version"], stdout=subprocess.DEVNULL, check=True)
    except FileNotFoundError:
        return
    yield ".zst", lambda content: subprocess.run(["zstd", "-q", "-c"], input=content, stdout=subprocess.PIPE, check=True).stdout


def told(*arguments, **options):
    document = json.loads(text("--format", "json", *map(str, arguments), **options))
    for capture in document["captures"]:
        del capture["file"]
    return document


def many(packets):
    """A capture of which packing leaves more than a file that is unpacked without a thread: noise behind packets of RDMA."""
    header, records = pcap.records(CAPTURE.read_bytes())
    noise = random.Random(1)
    size = (1200).to_bytes(4, "little")
    return header + b"".join(records) + b"".join(records[-1][:8] + size + size + noise.randbytes(1200) for _ in range(packets))


def test_same_as_plain():
    """Small and large, with one thread and more."""
    with tempfile.TemporaryDirectory() as folder:
        plain = pathlib.Path(folder) / "plain"
        small = CAPTURE.read_bytes()
        for content in (small, many(2000)):
            plain.write_bytes(content)
            for end, pack in packers():
                packed = pathlib.Path(folder) / f"packed{end}"
                packed.write_bytes(pack(content))
                assert len(content) == len(small) or packed.stat().st_size > 2**20, packed.stat()
                same(told(packed), told(plain), end)
                same(told("-j3", packed), told(plain), f"{end}, three threads")
                same(told("--reader=pcap", packed), told(plain), f"{end}, without libwiretap")


def test_copied():
    """What is written of a packed file is what is written of the plain one."""
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        run("-w", base / "of_plain", CAPTURE)
        for end, pack in packers():
            (base / "packed").write_bytes(pack(CAPTURE.read_bytes()))
            result = run("-w", base / "of_packed", base / "packed")
            assert result.returncode in (0, 1), result.stderr
            same((base / "of_packed").read_bytes(), (base / "of_plain").read_bytes(), end)


def test_piped():
    for end, pack in packers():
        result = subprocess.run([PROGRAM, "--format", "json", "-"], input=pack(CAPTURE.read_bytes()), stdout=subprocess.PIPE, check=False)
        document = json.loads(result.stdout)
        del document["captures"][0]["file"]
        same(document, told(CAPTURE), end)


main(sys.modules[__name__])
