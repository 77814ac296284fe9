#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Scenarios (tests/scenarios) as several taps on one way see them: what is told of them, and what is not.

usage: taps_told.py PROGRAM

Each case is a near pair: what is wrong to say of the one is true of the other. All are judged in both orders of the files.
"""
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "scenarios"))
import capfile  # noqa: E402
import frames as frames_of  # noqa: E402
import run  # noqa: E402

PROGRAM = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
CLIENT = bytes([192, 0, 2, 1]) # A of the scenarios
DELAY = 2000                   # ns from the first tap to the last one
AHEAD = 700                    # ns: the clock of the last tap


class Frame:
    """A frame of a scenario; `time`: when it was sent."""

    def __init__(self, number, time, data, wire):
        self.number, self.time, self.data, self.wire = number, time, data, wire

    @property
    def is_request(self):
        return self.data[26:30] == CLIENT

    @property
    def is_sent(self):
        """A SEND of A's, or a WRITE: no acknowledgment, and no connection management, which have other PSNs."""
        return self.is_request and self.data[42] != 0x11 and int.from_bytes(self.data[47:50], "big") != 1

    @property
    def psn(self):
        return int.from_bytes(self.data[51:54], "big")


def scene(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "scene.scn"
        path.write_text(f"# a scene\n{text}", encoding="utf-8")
        return [Frame(number, *frame[:3]) for number, frame in enumerate(run.play(path)[1].frames)]


def tap(frames, part, ahead=0, late=0, jitter=0, delay=DELAY):
    """What a tap sees that stands at that part of the way from A to B: (time, frame); `late`: what B sent is shown so much
    later; `delay`: of the whole way."""
    draw = random.Random(part)
    for frame in frames:
        way = part if frame.is_request else 1 - part
        time = frame.time + round(delay * way) + ahead + (0 if frame.is_request else late)
        yield time + (draw.randrange(jitter) if jitter else 0), frame


def write(path, seen, snaplen=None):
    records = sorted(((time, frame.data[:snaplen], frame.wire) for time, frame in seen), key=lambda record: record[0])
    capfile.write_pcap(path, 1, records)


def judge(folder, taps, *options):
    """The documents of the taps (name: what it saw, and perhaps where it was cut) in both orders."""
    paths = []
    for name, seen in taps.items():
        paths.append(pathlib.Path(folder) / name)
        write(paths[-1], *(seen if isinstance(seen, tuple) else (seen,)))
    for files in (paths, paths[::-1]):
        output = subprocess.run([PROGRAM, "--format", "json", *options, *files], check=True, capture_output=True).stdout
        yield json.loads(output)


def told(taps, *options):
    """{code: [finding]} of each order."""
    with tempfile.TemporaryDirectory() as folder:
        for document in judge(folder, taps, *options):
            codes = {}
            for finding in document["findings"]:
                codes.setdefault(finding["code"], []).append(finding)
            yield codes


def words(taps, *options):
    """The text of each order, in one line."""
    with tempfile.TemporaryDirectory() as folder:
        for name, seen in taps.items():
            write(pathlib.Path(folder) / name, seen)
        paths = [pathlib.Path(folder) / name for name in taps]
        for files in (paths, paths[::-1])[:len(paths)]:
            output = subprocess.run([PROGRAM, *options, *files], check=True, capture_output=True, text=True).stdout
            yield " ".join(output.split())


def proofs(codes, code):
    return {finding["proof"] for finding in codes.get(code, ())}


# ---- whose view is told --------------------------------------------------------------------------

EXCHANGES = "cm\nrepeat 100: A send {10+i} ; B ack {10+i}\n"


def named():
    """The verdict names the tap that it is of, where there are several."""
    lost = scene("cm\nrepeat 20: A send {10+i} ; B ack {10+i}\nlost A send 30\nA send 31\nB nak 30\nA resend 30-31\nB ack 31\n"
                 "repeat 20: A send {32+i} ; B ack {32+i}\n")
    near, far = list(tap(lost, 0)), list(tap(lost, 1, AHEAD))
    for text in words({"near.pcap": near, "far.pcap": far}):
        verdict = text.split(" findings:")[0]
        if "before the capture point of near.pcap" not in verdict or "this capture point" in verdict:
            yield f"of two taps: {verdict}"
    for text in words({"near.pcap": near}):
        if "before this capture point" not in text:
            yield f"of one tap: {text}"


def views():
    """What only the farther tap saw is told where the nearer one ended earlier, began later, or was cut."""
    refused = scene(EXCHANGES + "A write 110 bytes=64 rkey=0x77\nB access 110\n")
    near, far = list(tap(refused, 0)), list(tap(refused, 1, AHEAD))
    for what, a, b, wanted in (("both saw it", near, far, True), ("a ended before it", near[:120], far, True),
                               ("b ended before it", near, far[:120], True), ("both ended before it", near[:120], far[:120], False)):
        for codes in told({"a.pcap": a, "b.pcap": b}):
            if ("K01" in codes) != wanted:
                yield f"a refused WRITE, {what}: {sorted(codes)}"
    silent = scene(EXCHANGES + "A send 110\n" + "+70ms A resend 110\n" * 7)
    near, far = list(tap(silent, 0)), list(tap(silent, 1, AHEAD))
    for codes in told({"a.pcap": near[:120], "b.pcap": far}):
        if "A02" not in codes:
            yield f"a request that is never answered, behind the end of a: {sorted(codes)}"
    waits = scene("cm\nrepeat 20: A send {10+i} ; B ack {10+i}\n"
                  "repeat 5: A send {30+i} ; B rnr {30+i} code=20 ; +20ms A resend {30+i} ; B ack {30+i}\n"
                  "repeat 60: A send {35+i} ; B ack {35+i}\n")
    near, far = list(tap(waits, 0)), list(tap(waits, 1, AHEAD))
    begun = [(time, frame) for time, frame in near if time > waits[0].time + 90_000_000]
    for codes in told({"a.pcap": begun, "b.pcap": far}):
        if "A17" not in codes:
            yield f"a receiver that is not ready, before a began: {sorted(codes)}"
    long_answers = scene("cm\nrepeat 20: A read {10+i} bytes=64 ; B response {10+i} fill=1\n")
    near, far = list(tap(long_answers, 0)), list(tap(long_answers, 1, AHEAD))
    for what, a, b, wanted in (("a", (near, 60), far, "b.pcap"), ("b", near, (far, 60), "a.pcap"),
                               ("each", (near, 60), (far, 60), "a.pcap"), ("none", near, far, "a.pcap")):
        with tempfile.TemporaryDirectory() as folder:
            for document in judge(folder, {"a.pcap": a, "b.pcap": b}):
                taps = {connection["tap"] for connection in document["connections"]}
                if taps != {wanted}:
                    yield f"{what} was cut, and told is what {taps} saw"


# ---- what came damaged ---------------------------------------------------------------------------

REPAIRED = ("cm\nrepeat 20: A send {10+i} ; B ack {10+i}\nA send 30-31 ack\nB nak 30\nA resend 30-31\nB ack 31\n"
            "repeat 20: A send {32+i} ; B ack {32+i}\n")


def flipped(frame):
    data = bytearray(frame.data)
    data[-10] ^= 4
    return Frame(frame.number, frame.time, bytes(data), frame.wire)


def changed(seen, which, change):
    """With some frames changed: of those that are `which`."""
    return [(time, change(frame) if which(frame) else frame) for time, frame in seen]


def nth(frames, psn):
    """The first request with that PSN."""
    return next(frame.number for frame in frames if frame.is_sent and frame.psn == psn)


def damaged():
    """Damage on the way is proven by what it led to; what was acknowledged and never sent again was damaged where it was captured."""
    for text, what, wanted in ((REPAIRED, "sent again", "proven"), (EXCHANGES, "acknowledged", "suspected")):
        frames = scene(text)
        number = nth(frames, 30)
        near, far = routed(tap(frames, 0), False), routed(tap(frames, 1, AHEAD), True)
        far = changed(far, lambda frame, n=number: frame.number == n, flipped)
        for codes in told({"a.pcap": near, "b.pcap": far}):
            if proofs(codes, "H02") != {wanted} or any(f["severity"] == "error" and wanted != "proven" for f in codes.get("H02", ())):
                yield f"one packet is damaged at b, and {what}: H02 is {proofs(codes, 'H02')}"


def blanked(frame):
    return Frame(frame.number, frame.time, frame.data[:-4] + bytes(4), frame.wire)


def without_checksums():
    """A tap whose ICRCs are blanked shows no damage, however few packets of a connection there are; one packet of many is damage."""
    many = "".join(f"qp A{k}={0x20 + 2 * k:#x} B{k}={0x21 + 2 * k:#x}\n" for k in range(2, 32))
    many += "".join(f"A{k} send {10 + i}\nB{k} ack {10 + i}\n" for i in range(8) for k in range(2, 32))
    for what, text in (("30 connections", many), ("one", "cm\nrepeat 8: A send {10+i} ; B ack {10+i}\n")):
        frames = scene(text)
        for codes in told({"a.pcap": tap(frames, 0), "b.pcap": changed(tap(frames, 1, AHEAD), lambda frame: True, blanked)}):
            if "H02" in codes:
                yield f"{what}, and no ICRC at b: H02 is {proofs(codes, 'H02')} of {len(codes['H02'])}"


# ---- what was lost -------------------------------------------------------------------------------

MIXED = ("cm\nrepeat 40: A send {10+3*i}-{12+3*i} ; B ack {12+3*i} ; B write {100+i} bytes=500 ; A ack {100+i}\n"
         "A send 130-135 ack\nB nak 131\nA resend 131-135\nB ack 135\nrepeat 40: A send {136+i} ; B ack {136+i}\n")


def without(seen, *numbers):
    return [(time, frame) for time, frame in seen if frame.number not in numbers]


def lost_of(codes):
    """(certain, perhaps) that findings tell of."""
    certain = perhaps = 0
    for finding in codes.get("H01", ()):
        certain += finding["arguments"]["lost"] if finding["proof"] == "proven" else 0
        perhaps += finding["arguments"]["lost"] if finding["proof"] != "proven" else finding["arguments"].get("more") or 0
    return certain, perhaps


def lost():
    """Not what another tap saw farther on, what was acknowledged and sent but once, nor what a mirror shows twice."""
    for ids in ("", "default ip_id=0\n"):
        frames = scene(ids + MIXED)
        gone = nth(frames, 131)
        a, b = list(tap(frames, 0)), without(tap(frames, 1, AHEAD), gone)
        c = list(tap(frames, 0.5, -5000))
        twice = sorted(a + [(time + 700, frame) for time, frame in a], key=lambda one: one[0])
        missed = [frame.number for frame in frames if frame.is_sent and frame.psn in (20, 40, 60)]
        halves = {f"c{side}.pcap": [(time, frame) for time, frame in c if frame.psn % 2 == side] for side in (0, 1)}
        for what, taps, wanted in (
                ("one lost", {"a": a, "b": b}, (1, 0)),
                ("one lost behind c", {"a": a, "c": c, "b": b}, (1, 0)),
                ("each of two taps in the middle sees half", {"a": a, "b": b, **halves}, (0, 2)), # it is at neither
                ("a shows all twice", {"a": twice, "b": b}, (1, 0)),
                ("b misses three", {"a": a, "b": without(b, *missed)}, (0, 1))):
            for codes in told(taps):
                found = lost_of(codes)
                if sum(found) != sum(wanted) or found[0] > wanted[0] or (wanted[0] and not found[0]):
                    yield f"{ids.strip() or 'numbered'}: {what}: lost are {found}, and not {wanted}"


# ---- class and mark ------------------------------------------------------------------------------

def classed(frame, dscp=None, ecn=None):
    """With another class, or mark, in the IPv4 header, whose checksum goes with it."""
    header = bytearray(frame.data[14:34])
    header[1] = (header[1] >> 2 if dscp is None else dscp) << 2 | (header[1] & 3 if ecn is None else ecn)
    header[10:12] = bytes(2)
    header[10:12] = struct.pack(">H", frames_of.checksum(bytes(header)))
    return Frame(frame.number, frame.time, frame.data[:14] + bytes(header) + frame.data[34:], frame.wire)


def tunnelled(frame, dscp=0, ecn=2):
    packet = frames_of.ip4(frames_of.udp(frames_of.vxlan(frame.data, 42), 4789), 17, dscp=dscp, ecn=ecn)
    data = frames_of.ethernet(packet)
    return Frame(frame.number, frame.time, data, len(data))


def tunnels(count=20):
    """What the outer header has at the first tap is copied inwards where the tunnel ends: it was so before."""
    frames = scene("default dscp=26 ecn=2\ncm\nrepeat 60: A send {10+i} ; B ack {10+i}\n")
    some = [frame.number for frame in frames if frame.is_sent][20:20 + count]
    for code, outer, plain, inner in (("H05", {"dscp": 26, "ecn": 3}, {"dscp": 26}, {"ecn": 3}),
                                      ("H04", {"dscp": 10}, {"dscp": 26}, {"dscp": 10})):
        far = changed(tap(frames, 1, AHEAD), lambda frame: frame.number in some, lambda frame, k=inner: classed(frame, **k))
        for before in (True, False):
            near = [(time, tunnelled(frame, **(outer if before and frame.number in some else plain))) for time, frame in tap(frames, 0)]
            for codes in told({"a.pcap": near, "b.pcap": far}):
                found = sum(finding["count"] for finding in codes.get(code, ()))
                if found != (0 if before else count):
                    yield f"{code} {'before' if before else 'behind'} a: {found} are told"


# ---- which tap comes first -----------------------------------------------------------------------

def routed(seen, requests):
    """What passed a router to come here: of A's packets, or of B's."""
    def behind(frame):
        header = bytearray(frame.data[14:34])
        header[8] -= 1
        header[10:12] = bytes(2)
        header[10:12] = struct.pack(">H", frames_of.checksum(bytes(header)))
        return Frame(frame.number, frame.time, frame.data[:14] + bytes(header) + frame.data[34:], frame.wire)
    return changed(seen, lambda frame: frame.is_request == requests, behind)


def orders():
    """A switch rewrites the class of what A sends; the mirror at b may show what B sends later than the way is long."""
    frames = scene("default dscp=26 ecn=2\ncm\nrepeat 100: A send {10+i} ; B ack {10+i}\n")
    for what, delay, late, router, wanted in (("as it seems", 2000, 0, False, "suspected"), ("late", 2000, 12000, False, "suspected"),
                                              ("a long way", 120000, 12000, False, "proven"), ("a router", 2000, 0, True, "proven"),
                                              ("late, and a router", 2000, 12000, True, "proven")):
        near = list(tap(frames, 0, delay=delay, jitter=100))
        far = changed(tap(frames, 1, AHEAD, late, 100, delay), lambda frame: frame.is_request, lambda frame: classed(frame, dscp=0))
        if router:
            near, far = routed(near, False), routed(far, True)
        for codes in told({"a.pcap": near, "b.pcap": far}):
            if proofs(codes, "H04") != {wanted} or (wanted == "proven" and codes["H04"][0]["arguments"]["from"] != "a.pcap"):
                yield f"another class, {what}: {[(f['proof'], f['arguments']['from']) for f in codes.get('H04', ())]}"
    frames = scene(REPAIRED)
    gone = nth(frames, 30)
    for late in (0, 12000):
        near, far = list(tap(frames, 0, jitter=100)), without(tap(frames, 1, AHEAD, late, 100), gone)
        for codes in told({"a.pcap": near, "b.pcap": far}):
            if [finding["arguments"]["from"] for finding in codes.get("H01", ())] != ["a.pcap"]:
                yield f"one lost, b shows what comes back {late} ns late: {codes.get('H01')}"


# ---- which files are of which tap ----------------------------------------------------------------

def rings():
    """Two hosts, a ring of files each, numbered alike, whosever clock is ahead."""
    frames = scene("cm\nrepeat 300: A send {10+i} ; B ack {10+i}\n")
    for ahead in (0, -300_000, 300_000):
        taps, half = {}, len(frames) // 2
        for name, seen in (("node1.pcap", list(tap(frames, 0))), ("node2.pcap", list(tap(frames, 1, ahead)))):
            taps |= {f"{name}0": seen[:half], f"{name}1": seen[half:]}
        with tempfile.TemporaryDirectory() as folder:
            for document in judge(folder, taps):
                of = [sorted(tap["captures"]) for tap in document["taps"]]
                codes = {finding["code"] for finding in document["findings"]} & {"Q06", "H01"}
                if sorted(map(len, of)) != [2, 2] or codes:
                    yield f"rings, {ahead} ns ahead: taps {of}, {codes}"


def job(fill, count, losses=()):
    """A run whose sender does not number its packets, and whose QPs and PSNs are those of each run."""
    text = "default ip_id=0\n"
    for i in range(count):
        if i in losses:
            text += f"lost A send {i} bytes=256 fill={(fill + i) % 250}\nA send {i + 1} fill={(fill + i + 1) % 250} bytes=256\n"
            text += f"B nak {i}\nA resend {i}-{i + 1}\nB ack {i + 1}\n"
        elif i - 1 not in losses:
            text += f"A send {i} fill={(fill + i) % 250} bytes=256\nB ack {i}\n"
    return scene(text)


def runs(day=86400 * 10**9):
    """A job of each of two days is no tap of the other's: what was lost on the second is told. Two taps of one run are, with whatever
    clocks."""
    monday, tuesday = job(1, 90), job(77, 60, (30, 40, 50))
    for codes in told({"monday.pcap": tap(monday, 0, jitter=6000), "tuesday.pcap": tap(tuesday, 1, day, jitter=6000)}):
        if "S01" not in codes:
            yield f"a run of the next day, with other data: {sorted(codes)}"
    for ahead in (0, day, 5000 * day):
        with tempfile.TemporaryDirectory() as folder:
            for document in judge(folder, {"a.pcap": tap(tuesday, 0, jitter=600), "b.pcap": tap(tuesday, 1, ahead, jitter=600)}):
                if {one["relation"] for one in document["taps"]} != {"same_traffic"}:
                    yield f"one run, and a clock {ahead} ns ahead: {document['taps']}"


# --------------------------------------------------------------------------------------------------

CASES = (views, named, damaged, without_checksums, lost, tunnels, orders, rings, runs)


def main():
    wrong = [what for case in CASES for what in case()]
    print("\n".join(wrong) or f"{len(CASES)} cases")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
