#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Where answers were while their requesters waited, where that is known: requesters and responders in virtual time, seen by taps
at both ends and in the middle, whose clocks differ.

usage: residence.py PROGRAM
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import capfile
from known_time import MS, US, Run

PART = 0.02  # of the waiting may stay not known


class Seen(Run):
    """The same, as taps along the way see it: each is so many parts of the way from the requester; `slow_ns`: how long the
    responder takes."""

    def __init__(self, kind, depth, delay_ns, messages, slow_ns, parts, **more):
        super().__init__(kind, depth, delay_ns, messages, jitter_ns=slow_ns, **more)
        self.parts, self.at = parts, [[] for _ in parts]
        self.network = self.responder = 0

    def put(self, time_ns, packet, back=False):
        super().put(time_ns, packet, back)
        way = -self.delay if back else self.delay
        for part, frames in zip(self.parts, self.at):
            frames.append((time_ns + round(part * way), self.frames[-1][1]))

    def answer(self, index, sent):
        """Up to its first packet it was waited for."""
        first, last = super().answer(index, sent)
        self.network += 2 * self.delay
        self.responder += first - sent - 2 * self.delay
        return first, last


def taps(folder, run, clocks):
    """A capture of each tap, as its clock (ahead in ns, ppm) stamps it."""
    zero = min(time for time, _ in run.frames)
    for number, (frames, (ahead, ppm)) in enumerate(zip(run.at, clocks)):
        stamped = [(time + ahead + round((time - zero) * ppm / 1e6), frame) for time, frame in sorted(frames, key=lambda f: f[0])]
        path = pathlib.Path(folder) / f"tap{number}.pcap"
        capfile.write_pcap(path, 1, stamped)
        yield path


def check(program, name, run, clocks):
    with tempfile.TemporaryDirectory() as folder:
        files = list(taps(folder, run, clocks))
        last = files[max(range(len(files)), key=lambda i: run.parts[i])].name
        first = files[min(range(len(files)), key=lambda i: run.parts[i])].name
        output = subprocess.run([program, "--format", "json", *files], check=True, capture_output=True).stdout
    document = json.loads(output)
    connection, = document["connections"]
    waits, = connection["waits"]
    flow = connection["flows"][waits["flow"]]
    spent = flow["spent_ns"]
    pace = 1 + clocks[min(range(len(files)), key=lambda i: run.parts[i])][1] / 1e6  # of the clock that tells the time
    network, responder = run.network * pace, run.responder * pace
    if (waits["from"], waits["to"]) != (first, last):
        yield f"{name}: told from {waits['from']} to {waits['to']}, and it was {first}, {last}"
    for kind, was in (("network", network), ("responder", responder)):
        if not waits[f"{kind}_ns"] - run.messages <= was <= waits[f"{kind}_ns"] + waits["not_known_ns"] + run.messages:
            yield f"{name}: {kind} {was}, and told is {waits}"
    if waits["not_known_ns"] > PART * (network + responder):
        yield f"{name}: too much is not known: {waits}"
    limited = run.messages >= 8
    if (spent["network"], spent["responder"]) != ((0, 0) if limited else (waits["network_ns"], waits["responder_ns"])):
        yield f"{name}: {waits}, and the time is {spent}"
    if sum(ns for cause, ns in spent.items() if cause != "total") != spent["total"]:
        yield f"{name}: {spent} does not add up"
    said = [finding["text"] for finding in document["findings"] if finding["code"] == "T13"]
    percent = responder * 100 / (network + responder)
    if len(said) != 1 or f"% passed behind {last}." not in said[0]:
        yield f"{name}: T13 says {said}"
    elif abs(float(said[0].rsplit(" % passed behind", 1)[0].rsplit(" ", 1)[1]) - percent) > 100 * PART:
        yield f"{name}: T13 says {said}, and it was {percent:.1f} %"


TWO, THREE = (0, 1), (0, 0.25, 1)
CLOCKS = ((0, 0), (7 * MS, 60), (-3 * MS, -40))


def main(program):
    wrong, count = [], 0
    for kind in ("write", "send", "read"):
        for delay, slow in ((MS, 0), (100 * US, 800 * US), (MS, 5 * MS)):
            for messages in (6, 60):
                for parts in (TWO, THREE, THREE[::-1]):
                    name = f"{kind}, {delay} ns away, answered in up to {slow} ns, {messages} of them, {parts}"
                    run = Seen(kind, 1, delay, messages, slow, parts, packets=1 if kind == "send" else 4).run()
                    clocks = CLOCKS[:len(parts)]
                    wrong += check(program, name, run, clocks)
                    count += 1
    for what in wrong:
        print(what)
    if not wrong:
        print(f"{count} requesters: where their answers were is within its bounds")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
