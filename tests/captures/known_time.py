#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the time went, where that is known: requesters and responders in virtual time, of which it is given how many
requests they have outstanding, how far they are apart, when the application sleeps and when no receive is posted.

usage: known_time.py PROGRAM [NAME]       NAME: only this one, and its capture is kept as NAME.pcap

Each is captured at the requester. What the requester did is written down as it happens: `truth` has each nanosecond,
from the first packet to the last, under one cause. The program must find each cause within 1 % of the time, and T13
must say which one the connection is about.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

import capfile
from frames import IP4_A, IP4_B, aeth, ethernet, reth, rocev2_ip4, transport

PACKET_NS = 1_000  # to send one, as fast as it can
MTU = 256
US, MS = 1_000, 1_000_000
ANSWER_NS = 2 * US  # the responder's own time
WRITE = {"only": 0x0A, "first": 0x06, "middle": 0x07, "last": 0x08}
SEND = {"only": 0x04}
READ_REQUEST, READ_ONLY, READ_FIRST, READ_MIDDLE, READ_LAST = 0x0C, 0x10, 0x0D, 0x0E, 0x0F
RNR_NS = {16: 2_560 * US, 23: 30_720 * US, 30: 327_680 * US}  # by timer code
SLACK = 0.01


class Run:
    """A connection: requests of one kind, at most `depth` outstanding, one way of `delay_ns` to the responder.

    sleep_ns: the application posts a batch of `depth`, waits for all, and sleeps. rnr: of so many SENDs the last is
    refused once, and comes again after the time of `rnr_code`.
    """

    def __init__(self, kind, depth, delay_ns, messages, packets=1, sleep_ns=0, rnr=0, rnr_code=0, jitter_ns=0):
        self.kind, self.depth, self.delay, self.messages, self.packets = kind, depth, delay_ns, messages, packets
        self.sleep, self.rnr, self.rnr_code, self.jitter = sleep_ns, rnr, rnr_code, jitter_ns
        self.random = random.Random(1)
        self.frames, self.truth = [], {}
        self.free = 1_700_000_000 * 10 ** 9  # when the wire from the requester is free
        self.back = 0  # when the one to it is
        self.begin = self.passed = self.free

    def spend(self, cause, until):
        """From the latest of what passed to `until`."""
        if until > self.passed:
            self.truth[cause] = self.truth.get(cause, 0) + until - self.passed
            self.passed = until

    def put(self, time_ns, packet, back=False):
        addresses = {"source": IP4_B, "destination": IP4_A} if back else {"source": IP4_A, "destination": IP4_B}
        self.frames.append((time_ns, ethernet(rocev2_ip4(packet, ident=len(self.frames) & 0xFFFF, **addresses))))

    def request(self, index, at):
        """All packets of one, back to back from `at` on; returns when the last one passed."""
        psn = 100 + index * self.packets
        if self.kind == "read":
            self.put(at, transport(READ_REQUEST, reth(dmalen=self.packets * MTU), psn=psn, dest_qp=0x22, ack_req=1))
            self.free = at + PACKET_NS
            return at
        for i in range(self.packets):
            place = ("only" if self.packets == 1 else
                     "first" if i == 0 else "last" if i == self.packets - 1 else "middle")
            opcodes = SEND if self.kind == "send" else WRITE
            extended = reth(dmalen=self.packets * MTU) if place in ("only", "first") and self.kind == "write" else b""
            self.put(at + i * PACKET_NS, transport(opcodes[place], extended, bytes(MTU), psn=psn + i, dest_qp=0x22,
                                                   ack_req=int(place in ("only", "last"))))
        self.free = at + self.packets * PACKET_NS
        return self.free - PACKET_NS

    def answer(self, index, sent):
        """Returns when its first and its last packet pass."""
        psn = 100 + index * self.packets
        at = max(sent + 2 * self.delay + ANSWER_NS + self.random.randrange(self.jitter + 1), self.back)
        count = self.packets if self.kind == "read" else 1
        for i in range(count):
            if self.kind == "read":
                opcode = (READ_ONLY if count == 1 else
                          READ_FIRST if i == 0 else READ_LAST if i == count - 1 else READ_MIDDLE)
                extended = b"" if opcode == READ_MIDDLE else aeth(msn=index + 1)
                self.put(at + i * PACKET_NS, transport(opcode, extended, bytes(MTU), psn=psn + i, dest_qp=0x11), True)
            else:
                self.put(at, transport(0x11, aeth(msn=index + 1), psn=psn + self.packets - 1, dest_qp=0x11), True)
        self.back = at + count * PACKET_NS
        return at, at + (count - 1) * PACKET_NS

    def note(self, at, cause, last):
        """What passes from `at` to `last`, and what was before: `cause`, but for what goes on without a pause."""
        self.spend("sending" if at - self.passed <= PACKET_NS else cause, at)
        self.spend("sending", last)

    def run(self):
        """In order of time, for the truth: requests wait for the answer to the one `depth` before them."""
        events, answered, slept_until, done = [], [], self.free, 0
        for index in range(self.messages):
            at = max(self.free, slept_until)
            if self.sleep:
                if index and index % self.depth == 0:
                    at = max(at, answered[-1] + self.sleep)
                    events.append((answered[-1], answered[-1], "limited"))  # all are answered: it sleeps from here
            elif index >= self.depth:
                at = max(at, answered[index - self.depth] + US // 2)
            sent = self.request(index, at)
            events.append((at, sent, "idle" if self.sleep and index and index % self.depth == 0 else "limited"))
            if self.rnr and index % self.rnr == self.rnr - 1:
                refused = sent + 2 * self.delay + ANSWER_NS
                self.put(refused, transport(0x11, aeth(0x20 | self.rnr_code, index), psn=100 + index, dest_qp=0x11), True)
                sent = self.request(index, refused + RNR_NS[self.rnr_code])
                events.append((sent, sent, "after_rnr"))
            first, last = self.answer(index, sent)
            answered.append(last)
            if self.kind == "read":
                events.append((first, last, "limited"))
            done = max(done, last)
        for at, last, cause in sorted(events):
            self.note(at, cause, last)
        self.spend("limited", done)
        self.frames.sort(key=lambda frame: frame[0])
        return self


def many(kind, depth, delay_ns, **more):
    return Run(kind, depth, delay_ns, messages=max(12 * depth, 40), **more)


LIMITED = {1: "waiting with one {} outstanding", 16: "waiting with at most 16 requests outstanding",
           128: "waiting with at most 128 requests outstanding"}

RNR_CODES = {100 * US: 16, MS: 23, 10 * MS: 30}

# name -> the run, and what T13 says; None: it is silent
ROWS = {}
for delay in (100 * US, MS, 10 * MS):
    for depth_ in (1, 16, 128):
        for kind_ in ("write", "send", "read"):
            if kind_ != "read" or depth_ < 128:
                # of 128 packets in 200 us most of the time goes into sending them
                silent = depth_ == 128 and delay == 100 * US
                ROWS[f"{kind_}_{depth_}_{delay // US}us"] = (
                    many(kind_, depth_, delay), None if silent else LIMITED[depth_].format(kind_.upper()))
    ROWS[f"long_1_{delay // US}us"] = (many("write", 1, delay, packets=8), LIMITED[1].format("WRITE"))
    ROWS[f"long_16_{delay // US}us"] = (many("write", 16, delay, packets=8),
                                        LIMITED[16] if delay > 100 * US else None)
    ROWS[f"reads_16_{delay // US}us"] = (many("read", 16, delay, packets=8),
                                         LIMITED[16] if delay > 100 * US else None)
    ROWS[f"late_receiver_{delay // US}us"] = (many("send", 1, delay, rnr=1, rnr_code=RNR_CODES[delay]),
                                              "a receiver that had no receive posted")
    ROWS[f"sleeps_{delay // US}us"] = (many("write", 4, delay, sleep_ns=50 * delay), "nothing was asked")
ROWS["jitter_16"] = (many("write", 16, MS, jitter_ns=100 * US), LIMITED[16])
ROWS["as_fast_as_it_can"] = (Run("write", 64, US, 2000, packets=4), None)


def wrong(program, run, said, folder, name):
    path = pathlib.Path(folder) / f"{name}.pcap"
    capfile.write_pcap(path, 1, run.frames)
    document = json.loads(subprocess.run([program, "--format", "json", path], stdout=subprocess.PIPE, check=True).stdout)
    time = next(flow["spent_ns"] for connection in document["connections"] for flow in connection["flows"]
                if flow["request_packets"])
    total = time.pop("total")
    if total != sum(run.truth.values()) or total != run.frames[-1][0] - run.frames[0][0]:
        yield f"it took {sum(run.truth.values())}, and is told as {total}"
    for cause, ns in time.items():
        if abs(ns - run.truth.get(cause, 0)) > SLACK * total:
            yield f"{cause}: {ns / total:.1%}, and it was {run.truth.get(cause, 0) / total:.1%}"
    told = [finding["text"] for finding in document["findings"] if finding["code"] == "T13"]
    if len(told) != (said is not None) or (said and said not in told[0]):
        yield f"T13 says {told}, and not {said}"


def main(program, only=None):
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (run, said) in ROWS.items():
            if only in (None, name):
                for line in wrong(program, run.run(), said, "." if only else folder, name):
                    print(f"{name}: {line}")
                    bad += 1
    print(f"{len(ROWS)} requesters, {bad} faults")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
