#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds the program to this: a packet that a mirror shows twice was sent once.

usage: doubled.py PROGRAM FOLDER [CAPTURE...]

Of each capture with connections a second one is made in which every frame is there once more, a while later,
as mirrors of two ports of one path have it. What is said of it must be what is said of the first:
connections, counters, losses, resends, times, findings, each with the frame that shows it first. What
counts frames counts more of them, and Q05 says why; bursts (T12) are not told then.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import capfile
from transform import double

DELAYS_NS = (2_000, 50_000, 1_000_000)
# What counts or names frames, or findings (Q05 comes between), or is what Q05 tells.
FRAMES = {"finding", "file", "captures", "mirrored_packets", "request_packets", "response_packets", "packets", "bytes"}
# Q05 tells of the copies; bursts (T12) are told of captures without copies only.
MAY_DIFFER = ("Q05", "T12")
# What does not hold yet, and why.
NO_IDENTIFICATION = "IPv6: only time tells copies, so they are looked at like packets"
SYN = "a SYN or ACK without payload has no copies: the other side's begins, or a connection, again"
IWARP = ((1_000_000,), SYN)  # of each with connections of iWARP
OPEN = {
    "roce_cm_rping_ipv6.a.pcap": (DELAYS_NS, NO_IDENTIFICATION),
    "roce_rc_allops_ipv6.a.pcap": (DELAYS_NS, NO_IDENTIFICATION),
    "roce_rc_write_ipv6.a.pcap": (DELAYS_NS, NO_IDENTIFICATION),
}


def said(program, path):
    run = subprocess.run([program, "--format", "json", path], capture_output=True, check=True)
    return json.loads(run.stdout)


def comparable(told, numbers, key=""):
    """What is told, with numbers of frames as the first capture has them, and without FRAMES."""
    if isinstance(told, dict):
        return {name: comparable(value, numbers, name) for name, value in told.items()
                if name not in FRAMES}
    if isinstance(told, list):
        return [comparable(value, numbers, key) for value in told
                if not (key == "findings" and value["code"] in MAY_DIFFER)]
    if isinstance(told, int) and key.endswith(("frame", "frames")):
        return numbers[told - 1]
    if key == "text":
        return re.sub(r"(?<=frame )\d+|(?<=frames )\d+|(?<= to )\d+(?=\))", lambda number: str(numbers[int(number[0]) - 1]), told)
    return told


def differences(one, two, where=""):
    if isinstance(one, dict) and isinstance(two, dict) and one.keys() == two.keys():
        for name in one:
            yield from differences(one[name], two[name], f"{where}.{name}")
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for index, pair in enumerate(zip(one, two)):
            yield from differences(*pair, f"{where}[{index}]")
    elif one != two:
        yield f"{where}: {brief(one)}, doubled {brief(two)}"


def brief(value):
    if isinstance(value, list):
        return f"{len(value)} [{' '.join(brief(item) for item in value)}]"
    return value.get("code", "...") if isinstance(value, dict) else repr(value)


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    tried = wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        made = pathlib.Path(scratch) / "doubled.pcap"
        for path in [folder / name for name in sys.argv[3:]] or sorted(folder.glob("*.pcap")):
            frames = list(capfile.read(path))
            told = said(program, path)
            if not frames or not told["connections"]:
                continue
            is_iwarp = any(connection["transport"] == "iwarp" for connection in told["connections"])
            once = comparable(told, range(1, len(frames) + 1))
            for delay_ns in DELAYS_NS:
                if is_iwarp and delay_ns in IWARP[0]:
                    continue
                records, numbers = double(frames, delay_ns)
                capfile.write_pcap(made, frames[0].link, records)
                tried += 1
                found = list(differences(once, comparable(said(program, made), numbers)))
                if delay_ns in OPEN.get(path.name, ((), ""))[0]:
                    found = [] if found else [": holds, and stands in OPEN"]
                wrong += bool(found)
                for difference in found:
                    print(f"{path.name}, {delay_ns} ns{difference}")
    print(f"{tried} doubled captures, {wrong} of which other things are told")
    return 1 if wrong or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
