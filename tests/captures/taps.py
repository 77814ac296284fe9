#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Both ends of one traffic: what was lost between the taps, as a filter there counted it, and the clocks, as they were set.

    taps.py PROGRAM CAPTURES

truth.json beside the pairs has what the machines were told: how far ahead a clock was set and how fast it was made to run. What
their clocks differed by before nobody knows; so the bounds of the offset are held to captures that are made of a recorded one,
with taps and clocks of which everything is known.
"""
import itertools
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

import capfile
import transform

PROGRAM, CAPTURES = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
FOLDER = CAPTURES / "taps"
LOSS = "H01"
MISSED = ("tap-missed-1-percent", "tap-missed-half", "tap-missed-bursts")


def of(*files):
    return json.loads(subprocess.run([PROGRAM, "--format", "json", *files], check=True, capture_output=True).stdout)


def proven(document):
    """(code, whose it is) of each proven finding; whose: the two addresses and QPs, or the host, or nothing."""
    connections = document["connections"]
    for finding in document["findings"]:
        if finding["proof"] == "proven" and finding["code"][0] != "H":
            whose = finding["connection"]
            ends = () if whose is None else tuple(sorted((e["address"], e["qpn"]) for e in connections[whose]["endpoints"]))
            yield finding["code"], ends, finding.get("host")


def not_told_alone(document, alone):
    either = set(proven(alone[0])) | set(proven(alone[1]))
    return set(proven(document)) - either


def losses(document):
    """(lost, what is certain of it) of all findings of loss between taps, and the sentence that is told first."""
    certain = perhaps = 0
    for finding in document["findings"]:
        if finding["code"] == LOSS:
            proof, arguments = finding["proof"], finding["arguments"]
            certain += arguments["lost"] if proof == "proven" else 0
            perhaps += arguments["lost"] if proof != "proven" else arguments.get("more") or 0
    return certain, perhaps


# ---- recorded pairs ------------------------------------------------------------------------------

def check_hops(truth, document, client):
    sums = {"a_to_b": [0] * 4, "b_to_a": [0] * 4}
    for connection in document["connections"]:
        if connection["tap"] != client:
            yield f"connection {connection['id']} is told as {connection['tap']} saw it"
        for hop in connection["hops"]:
            way = "a_to_b" if hop["from"].endswith(".a.pcap") else "b_to_a"
            numbers = (hop["packets"], hop["lost"], hop["duplicated"], hop["not_compared"] + hop["appeared"])
            sums[way] = [old + new for old, new in zip(sums[way], numbers)]
            if not hop["ordered"]:
                yield f"{way}: not known which tap comes first"
            if hop["delay_ns"]["min"] + hop["delay_error_ns"] < 0:
                yield f"{way}: {hop['delay_ns']} +- {hop['delay_error_ns']}"
    for way, was in truth["between_taps"].items():
        if sums[way] != [was["offered"], was["dropped"], was["duplicated"], 0]:
            yield f"{way}: {sums[way]}, {was}"


def check_finding(truth, document):
    lost = sum(was["dropped"] for was in truth["between_taps"].values())
    certain, perhaps = losses(document)
    if certain + perhaps != lost:
        yield f"findings tell of {certain} + {perhaps} lost packets, and {lost} were lost"
    if truth["between_taps"]["a_to_b"]["dropped"] and not certain:
        yield "no loss of data is proven"
    if truth["between_taps"]["b_to_a"]["dropped"] and certain:
        yield "a lost acknowledgment is proven, and the tap may have missed it"
    effects = [finding["code"] for finding in document["findings"] if finding["explained_by"] and finding["explained_by"]["code"] == LOSS]
    if truth["between_taps"]["a_to_b"]["dropped"] and "S02" not in effects:
        yield f"effects of what was lost: {effects}"
    first = next((finding for finding in document["findings"] if finding["severity"] != "note"), None)
    if lost and first["code"] != LOSS:
        yield f"the first finding is {first['code']}"
    frames = [set(finding["file"]) for finding in document["findings"] if finding["code"] == LOSS]
    if any(captures != {0, 1} for captures in frames):
        yield f"frames of {frames}: not of both taps"


def check_clock(truth, document, sides):
    ppm = truth.get("clock", {}).get("b", {}).get("ppm", 0)
    drift, offset = document["taps"][1]["drift_ppm"], document["taps"][1]["clock_offset_ns"]
    if sides == "ba": # a's clock against b's
        ppm = (1 / (1 + ppm / 1e6) - 1) * 1e6
    if not drift["min"] <= ppm <= drift["max"] or drift["max"] - drift["min"] > 2000:
        yield f"drift {drift}, and it was {ppm}"
    if not 0 < offset["max"] - offset["min"] < 2000000:
        yield f"offset {offset}"


def check_pair(name, truth, sides):
    """Yields what is not as it was."""
    files = [FOLDER / f"{name}.{side}.pcap" for side in sides]
    alone = [of(file) for file in files]
    document = of(*files)
    yield from check_hops(truth, document, f"{name}.a.pcap")
    yield from check_finding(truth, document)
    yield from check_clock(truth, document, sides)
    for flow in (flow for connection in document["connections"] for flow in connection["flows"] if flow["spent_ns"]):
        if sum(ns for cause, ns in flow["spent_ns"].items() if cause != "total") != flow["spent_ns"]["total"]:
            yield f"{flow['spent_ns']} does not add up"
    waits = [waits for connection in document["connections"] for waits in connection["waits"]]
    if not waits or any(of["from"] != f"{name}.a.pcap" or of["not_known_ns"] > (of["network_ns"] + of["responder_ns"]) / 20
                        for of in waits):
        yield f"waits {waits}"
    if len(document["connections"]) != len(alone[0]["connections"]):
        yield f"{len(document['connections'])} connections"
    if not_told_alone(document, alone):
        yield f"proven of both and of neither: {not_told_alone(document, alone)}"


def check_outputs(name):
    """The finding in the verdict, in expectations, JUnit, SARIF and the page, like any other."""
    files = [FOLDER / f"{name}.{side}.pcap" for side in "ab"]
    text = " ".join(subprocess.run([PROGRAM, *files], check=True, capture_output=True, text=True).stdout.split())
    sentence = f"packets that passed {files[0].name} did not come to {files[1].name}"
    # a long path is broken where it has room to be
    verdict = text.split("findings:")[0].replace(" ", "")
    if sentence.replace(" ", "") not in verdict:
        yield f"the verdict does not name the hop: {verdict}"
    with tempfile.TemporaryDirectory() as folder:
        wanted = {kind: pathlib.Path(folder) / kind for kind in ("junit", "sarif", "html")}
        expect = pathlib.Path(folder) / "expect"
        expect.write_text(f"finding {LOSS}\nno finding >= error\n")
        result = subprocess.run([PROGRAM, "--expect", expect, "--fail-on", "warning", "--junit", wanted["junit"], "--sarif",
                                 wanted["sarif"], "--html", wanted["html"], *files], capture_output=True, text=True, check=False)
        if result.returncode != 1 or "H01" in result.stderr:
            yield f"expectations: {result.returncode}, {result.stderr}"
        for kind, file in wanted.items():
            if "lost-between-taps" not in file.read_text():
                yield f"{kind} has no {LOSS}"
    off = subprocess.run([PROGRAM, "--check", f"{LOSS}=off", "--format", "json", *files], check=True, capture_output=True)
    if losses(json.loads(off.stdout)) != (0, 0):
        yield f"{LOSS} is off, and told"


def check_silent(a, b):
    """Of any pair of captures nothing is proven that neither says alone, in either order."""
    alone = [of(a), of(b)]
    for files in ((a, b), (b, a)):
        document = of(*files)
        if not_told_alone(document, alone):
            yield f"{files[0].name}, {files[1].name}: proven of neither alone: {not_told_alone(document, alone)}"
        lost = sum(hop["lost"] for connection in document["connections"] for hop in connection.get("hops", ()) if hop["ordered"])
        if sum(losses(document)) != lost:
            yield f"{files[0].name}, {files[1].name}: {lost} lost, and findings tell of {losses(document)}"


def check_missed(a, b, seeds=4):
    """A tap that missed packets of its own proves no loss on the way that both taps as they are do not prove."""
    most, _ = losses(of(a, b))
    with tempfile.TemporaryDirectory() as folder:
        for name, whole, seed in itertools.product(MISSED, (a, b), range(seeds)):
            frames, part = list(capfile.read(whole)), pathlib.Path(folder) / whole.name
            records, = dict(transform.TRANSFORMATIONS)[name](transform.Whole(whole, frames), random.Random(seed))
            capfile.write_pcap(part, frames[0].link, records)
            certain, _ = losses(of(*(part if file == whole else file for file in (a, b))))
            if certain > most:
                yield f"{whole.name}, {name} {seed}: {certain} lost for certain, and of both whole taps {most}"


# ---- taps that are made of a recorded capture -----------------------------------------------------

LATER = 5000  # ns from one tap to the next at least, and as much again at most
FAR = 60000   # there and back it is more than a mirror may be late by: the order of the taps is certain


def records(capture):
    data, order = capture.read_bytes(), "<"
    nano = data[:4] in (b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d")
    at = 24
    while at < len(data):
        seconds, part, length = struct.unpack_from(f"{order}III", data, at)
        yield seconds * 10**9 + part * (1 if nano else 1000), data[at:at + 16 + length]
        at += 16 + length


def write_tap(path, frames, clock):
    """Frames (time, record) in order of time, stamped by a clock: (ahead in ns, ppm) at the first of all."""
    ahead, ppm, zero = clock
    with path.open("wb") as file:
        file.write(struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 262144, 1))
        for time, record in sorted(frames, key=lambda frame: frame[0]):
            stamp = time + ahead + round((time - zero) * ppm / 1e6)
            file.write(struct.pack("<II", stamp // 10**9, stamp % 10**9) + record[8:])


def source_of(record):
    return record[16 + 26:16 + 30]


def make_taps(folder, clocks, seed, capture=FOLDER / "roce_taps_rc_drift.a.pcap", spread=LATER, least=LATER):
    """So many taps on one way, behind each other, `least` ns apart and `spread` more at most; answers come back as they came."""
    draw, frames = random.Random(seed), list(records(capture))
    zero, client = frames[0][0], source_of(frames[0][1])
    seen = [[] for _ in clocks]
    for time, record in frames:
        forward = source_of(record) == client
        for tap in seen: # the first tap is the client's: what comes to it passed the others before
            tap.append((time, record))
            later = least + draw.randrange(spread)
            time += later if forward else -later
    names = [pathlib.Path(folder) / f"tap{i}.pcap" for i in range(len(clocks))]
    for name, tap, (ahead, ppm) in zip(names, seen, clocks):
        write_tap(name, tap, (ahead, ppm, zero))
    return names, zero


def offset_at(clocks, zero, one, other, stamp):
    """The clock `other` less `one` at the moment when `one` shows `stamp`; and its drift in ppm."""
    (a, p), (b, q) = clocks[one], clocks[other]
    time = zero + (stamp - zero - a) / (1 + p / 1e6)
    true = b - a + (time - zero) * (q - p) / 1e6
    return true, ((1 + q / 1e6) / (1 + p / 1e6) - 1) * 1e6


def check_made(clocks, seed):
    """The bounds have the truth in them, from whichever tap one counts, and no packet counts as lost."""
    with tempfile.TemporaryDirectory() as folder:
        names, zero = make_taps(folder, clocks, seed)
        for first in range(len(names)):
            order = [first, *(i for i in range(len(names)) if i != first)]
            document = of(*(names[i] for i in order))
            begin = min(time for time, _ in records(names[first]))
            for tap, index in zip(document["taps"][1:], order[1:]):
                offset, drift = offset_at(clocks, zero, first, index, begin)
                bounds, ppm = tap["clock_offset_ns"], tap["drift_ppm"]
                what = f"clocks {clocks}: tap {index} against {first}"
                if not bounds["min"] - 2 <= offset <= bounds["max"] + 2:
                    yield f"{what}: offset {bounds}, and it was {offset}"
                if not ppm["min"] <= drift <= ppm["max"]:
                    yield f"{what}: drift {ppm}, and it was {drift}"
                if bounds["max"] - bounds["min"] > 4 * LATER * abs(index - first) + 100000:
                    yield f"{what}: {bounds} is wide"
            for hop in (hop for connection in document["connections"] for hop in connection["hops"]):
                if hop["lost"] or hop["appeared"] or not hop["ordered"]:
                    yield f"clocks {clocks}: {hop}"
                if hop["delay_ns"]["p50"] - hop["delay_error_ns"] > 2 * LATER or \
                        hop["delay_ns"]["p50"] + hop["delay_error_ns"] < LATER:
                    yield f"clocks {clocks}: {hop['delay_ns']} +- {hop['delay_error_ns']}"
            if losses(document) != (0, 0):
                yield f"clocks {clocks}: {losses(document)}"


def check_order():
    """Whichever tap comes first: an error that each tells alone is told, and of its connection."""
    with tempfile.TemporaryDirectory() as folder:
        names, _ = make_taps(folder, [(0, 0), (10**6, 20)], 1, CAPTURES / "roce_corrupt.a.pcap")
        for files in (names, names[::-1]):
            errors = [(finding["code"], finding["connection"]) for finding in of(*files)["findings"]
                      if finding["severity"] == "error"]
            if errors != [("F01", 0)]:
                yield f"{[file.name for file in files]} of roce_corrupt: errors {errors}"


def rewritten(record, change):
    """With another class: change(class) in the IPv4 header, whose checksum goes with it."""
    header = bytearray(record[30:50])
    header[1] = change(header[1])
    header[10:12] = b"\0\0"
    total = sum(struct.unpack(">10H", header))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    header[10:12] = struct.pack(">H", total ^ 0xffff)
    return record[:30] + bytes(header) + record[50:]


# What becomes of a packet on its way to the second tap: the records that come to it, and how much later the first does.
FATES = (
    ("H02", lambda record: ([record[:-8] + bytes([record[-8] ^ 1]) + record[-7:]], 0)),
    ("H02", lambda record: ([record[:-2] + bytes([record[-2] ^ 1]) + record[-1:]], 0)), # of the ICRC
    ("H02", lambda record: ([record[:31] + bytes([record[31] ^ 3]) + record[32:]], 0)), # of the class: no mark
    ("H03", lambda record: ([record], None)),
    ("H04", lambda record: ([rewritten(record, lambda tos: 26 << 2 | tos & 3)], 0)),
    ("H05", lambda record: ([rewritten(record, lambda tos: tos | 3)], 0)),
    ("H06", lambda record: ([record, record], 0)),
)


# What they say of it. Requests that were acknowledged all the same were damaged by what captures; of what answers nothing tells that.
PROOFS = {"H02": {"suspected", "proven"}, "H03": {"suspected"}, "H06": {"suspected"}}


def check_fate(code, change, seed):
    """All of one kind are told, by the one check, whichever file comes first; and nothing but that is new."""
    draw, count = random.Random(seed), 0
    with tempfile.TemporaryDirectory() as folder:
        names, zero = make_taps(folder, ((0, 0), (0, 0)), seed, spread=1, least=FAR)
        there, client = list(records(names[1])), source_of(next(records(names[0]))[1])
        before, here, held = {finding["code"] for finding in of(*names)["findings"]}, [], []
        for number, (time, record) in enumerate(there):
            forward = source_of(record) == client and record[30 + 22:30 + 24] == b"\x12\xb7" # RoCEv2's port
            if forward and held and held[0][63:66] == record[63:66]: # what waited goes behind this one, of its QP
                here += [(time, record), (time + 1, held.pop())]
                count += 1
                continue
            if not forward or held or draw.random() > 0.05 or not 20 < number < len(there) - 20:
                here.append((time, record))
                continue
            arrive, later = change(record)
            if later is None:
                held += arrive
                continue
            here += [(time + i, one) for i, one in enumerate(arrive)]
            count += 1
        here += [(there[-1][0], record) for record in held]
        write_tap(names[1], here, (0, 0, zero))
        for files in (names, names[::-1]):
            told = of(*files)["findings"]
            found = sum(finding["count"] for finding in told if finding["code"] == code)
            others = {finding["code"] for finding in told} - before - {code}
            proofs = {finding["proof"] for finding in told if finding["code"] == code}
            if not count or found != count or any(other[0] == "H" for other in others) or \
                    proofs != PROOFS.get(code, {"proven"}):
                yield f"{code}: {count} were, {found} are told, {proofs}, and {others}"


def check_middle(of_side):
    """A third tap beside one of a recorded pair: in whatever order the files are given, what the told tap says of lost packets
    is the effect of what was lost on the hop where they were."""
    ends = [FOLDER / f"roce_taps_loss_data.{side}.pcap" for side in "ab"]
    with tempfile.TemporaryDirectory() as folder:
        middle, beside = pathlib.Path(folder) / "middle.pcap", ends["ab".index(of_side)]
        client, after = bytes((10, 10, 0, 1)), 20000 if of_side == "a" else -20000
        frames = [(time + (after if source_of(record) == client else -after), record) for time, record in records(beside)]
        write_tap(middle, frames, (0, 0, frames[0][0]))
        wanted = [middle.name, ends[1].name] if of_side == "a" else [ends[0].name, middle.name]
        for files in itertools.permutations([*ends, middle]):
            told = of(*files)["findings"]
            causes = {finding["code"]: finding["explained_by"] for finding in told}
            by = causes.get("S02") and told[causes["S02"]["finding"]]
            hop = by and [by["arguments"]["from"], by["arguments"]["to"]]
            if hop != wanted:
                yield f"{[file.name for file in files]}: S02 is the effect of what was lost at {hop}, and not at {wanted}"


def check_lost_before_both(seed):
    """What was lost before both taps is not what the second only missed, of packets that were sent again besides."""
    with tempfile.TemporaryDirectory() as folder:
        names, zero = make_taps(folder, ((0, 0), (0, 0)), seed, CAPTURES / "roce_loss_burst.a.pcap")
        frames, client = list(records(names[1])), source_of(next(records(names[0]))[1])
        headers = [record[16 + 42:16 + 54] for _, record in frames] # of RoCEv2 over IPv4: opcode to PSN
        again = [place for place, (_, record) in enumerate(frames) if source_of(record) == client and len(record) > 300 and
                 headers[place] in headers[place + 1:]]
        missed = random.Random(seed).sample(again, 4)
        write_tap(names[1], [frame for place, frame in enumerate(frames) if place not in missed], (0, 0, zero))
        found = losses(of(*names))
        if found != (0, len(missed)):
            yield f"missed by the second tap, {seed}: {found}"


def check_iwarp(seed):
    """Segments of iWARP that are dropped, doubled, damaged and overtaken on the way from the first tap to the second."""
    draw, truth = random.Random(seed), {"lost": 0, "duplicated": 0, "reordered": 0, "icrc_broken": 0}
    with tempfile.TemporaryDirectory() as folder:
        names, zero = make_taps(folder, ((0, 0), (0, 0)), seed, CAPTURES / "iwarp_loss_data.a.pcap", 1)
        there, client = list(records(names[1])), source_of(next(records(names[0]))[1])
        here, late = [], None
        for number, (time, record) in enumerate(there):
            # not what comes before it is known to be iWARP, and every other one stays as it is
            fate = draw.choice(("lost", "duplicated", "reordered", "icrc_broken", *["none"] * 20)) if 60 < number < len(there) - 20 and \
                source_of(record) == client and len(record) > 1000 and number % 3 == 0 else "none"
            if fate == "reordered" and not late:
                late = record
                continue
            if fate == "icrc_broken": # TCP's checksum, in iWARP
                record = record[:-1] + bytes([record[-1] ^ 4])
            if fate in ("lost", "duplicated", "icrc_broken"):
                truth[fate] += 1
            if fate != "lost":
                here.append((time, record))
            if fate == "duplicated":
                here.append((time + 1, record))
            if late and source_of(record) == client and fate == "none":
                here.append((time + 2, late))
                truth["reordered"] += 1
                late = None
        write_tap(names[1], here, (0, 0, zero))
        hops = [hop for connection in of(*names)["connections"] for hop in connection["hops"]]
        there = [hop for hop in hops if hop["from"] == names[0].name]
        back = [hop for hop in hops if hop["from"] == names[1].name]
        told = {key: sum(hop[key] for hop in there) for key in truth}
        if told != truth or not all(truth.values()):
            yield f"iWARP, {seed}: {told}, and it was {truth}"
        if any(hop[key] for hop in back for key in ("appeared", *truth)) or any(hop["appeared"] for hop in there):
            yield f"iWARP, {seed}: {hops}"
        found = losses(of(*names))
        if found != (0, truth["lost"]): # TCP acknowledges bytes, whichever segment brought them
            yield f"iWARP, {seed}: findings of {found}"


MADE = (((0, 0), (7000000, 5000)), ((0, 0), (-3700000000, 2000)), ((0, 0), (0, -5000)),
        ((0, 0), (250000000, 2000), (-1000000000, -3000)), ((5, 100), (7, -100), (11, 0)))


def main():
    truth = json.loads((FOLDER / "truth.json").read_text())
    pairs = [(a, a.with_name(a.name.replace(".a.", ".b."))) for a in sorted(CAPTURES.glob("*.a.pcap"))]
    pairs = [(a, b) for a, b in pairs if b.exists()]
    assert len(truth) > 2 and len(pairs) > 6, (truth, pairs)
    wrong = [f"{name} ({sides}): {what}" for name, was in truth.items() for sides in ("ab", "ba")
             for what in check_pair(name, was, sides)]
    wrong += check_outputs("roce_taps_loss_data")
    wrong += [what for pair in pairs for what in check_silent(*pair)]
    recorded = [(FOLDER / f"{name}.a.pcap", FOLDER / f"{name}.b.pcap") for name in truth]
    wrong += [what for pair in recorded + pairs for what in check_missed(*pair)]
    wrong += [what for seed, clocks in enumerate(MADE) for what in check_made(clocks, seed)]
    wrong += check_order()
    wrong += [what for side in "ab" for what in check_middle(side)]
    wrong += [what for seed in range(4) for what in check_lost_before_both(seed)]
    wrong += [what for seed in range(4) for what in check_iwarp(seed)]
    wrong += [what for seed, (code, change) in enumerate(FATES) for what in check_fate(code, change, seed)]
    print("\n".join(wrong) or f"{len(truth)} pairs in both orders, {len(MADE)} made, {len(pairs)} others")
    sys.exit(1 if wrong else 0)


main()
