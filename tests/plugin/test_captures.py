#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The plugin says what the program says, of every frame of every capture.

In two passes: findings, connection, role, message, flight, answers, check sums, the reports and the tables. In one
pass: a part of it, and nothing else; each field as fields.def says when it is known. And, of each eighth capture, or with
--all of all (a start of tshark takes 0.4 s, whatever it reads): the reports need no tree, no line of a tree is taken back,
and what the built-in dissectors say is the same with and without the plugin.
"""
import concurrent.futures
import itertools
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict

import tables
from fields import own_fields
from plugged import Tshark, Unreadable, arguments, captures

PART, BEGINS = "rdma.mpa.part_of", "rdma.mpa.first_frame"
FINDING, ICRC, CRC = "rdma.analysis.finding", "rdma.icrc.status", "rdma.mpa.crc.status"
# field of the plugin: member of the program's records
COMMON = {"rdma.connection": "connection", "rdma.analysis.answers": "answers",
          "rdma.analysis.message": "message", "rdma.analysis.message_first": "message_frame",
          "rdma.analysis.message_bytes": "message_bytes",
          "rdma.analysis.reads_outstanding": "reads_outstanding"}
PACKETS = {**COMMON, "rdma.analysis.relative_psn": "relative_psn",
           "rdma.analysis.retransmission_of": "retransmission_of",
           "rdma.analysis.resend_cause": "resend_cause",
           "rdma.analysis.psns_in_flight": "psns_in_flight",
           "rdma.analysis.bytes_in_flight": "bytes_in_flight", "rdma.analysis.key_use": "key_use",
           "rdma.bth.opcode": "opcode", "rdma.bth.psn": "psn", "rdma.bth.dest_qp": "dest_qp",
           "rdma.payload_length": "payload_length"}
# there may be several in a frame: the values of each in turn
FPDUS = {**COMMON, "rdma.ddp_untagged.msn": "msn", "rdma.ddp_untagged.queue": "queue",
         "rdma.rdmap_read.size": "read_size", "rdma.mpa_start.revision": "mpa_revision",
         "rdma.mpa_depths.ird": "ird"}
NUMBERS = [*{**PACKETS, **FPDUS}]
WORDS = {"rdma.analysis.role": "role", "rdma.analysis.resend_trigger": "resend_trigger"}
# one of its interfaces is InfiniBand, whose frames no dissector gets to see
MIXED = "mixed_links.pcapng"
FIELDS = [FINDING, ICRC, CRC, *NUMBERS, *WORDS]
OURS = [PART, BEGINS]  # that the program does not print
WHEN = own_fields()
IWARP = ["rdma.fpdu", "rdma.mpa_start"]  # there in a frame of iWARP
ALL = [*dict.fromkeys([*FIELDS, *OURS, *WHEN, *IWARP])]
VERDICTS = {"good": "Good", "bad": "Bad", "absent": "Absent", "not_checkable": "Not checkable",
            "off": "Off"}
REPORTS = ["-z", "rdma,report", "-z", "rdma,connections", "-z", "rdma,keys", "-z", "rdma,findings", *tables.STATISTICS]
BUILT_IN = "frame,infiniband,iwarp_mpa,iwarp_ddp_rdmap,rpcordma"


def program(options, capture, *words):
    return subprocess.run([options.program, *words, capture.name], cwd=capture.parent,
                          capture_output=True).stdout.decode()


def wanted(options, capture, document):
    """What the program says, as rows of the plugin's fields by frame number."""
    rows = defaultdict(lambda: {name: [] for name in FIELDS})
    for line in program(options, capture, "--packets", "-F", "ndjson").splitlines():
        packet = json.loads(line)
        row = rows[packet["frame"]]
        iwarp = packet["transport"] == "iwarp"
        for name, member in {**(FPDUS if iwarp else PACKETS), **WORDS}.items():
            if packet.get(member) is not None:
                row[name].append(packet[member])
        verdict = packet.get("mpa_crc" if iwarp else "icrc")
        row[CRC if iwarp else ICRC] += [VERDICTS[verdict]] if verdict else []
        row[FINDING] = sorted({*row[FINDING], *packet["notes"]})
    for finding in document["findings"]:
        for frame in finding["frames"]:
            assert finding["code"] in rows[frame][FINDING], f"--packets: {finding['code']} is not in frame {frame}"
    return dict(rows)


def take_parts(rows, whole):
    """Checks, and takes out, what is told of segments in which FPDUs do not end: the program has no line for these."""
    ours = {frame: (row.pop(PART), row.pop(BEGINS)) for frame, row in rows.items()}
    for frame, (parts, begins) in ours.items():
        row = rows[frame]
        for end in parts:
            assert {*row["rdma.connection"]} == {*rows[int(end)]["rdma.connection"]}, f"frame {frame}: part of {end}"
        for begin in begins if whole else ():
            assert str(frame) in ours[int(begin)][0], f"frame {frame}: begins in {begin}"
        if parts and not row[CRC] and not row["rdma.mpa_start.revision"]:
            row["rdma.connection"] = []


def got(tshark, capture, *words):
    """What the program should say too, what tshark printed behind it, and all of our fields."""
    everything, printed = tshark.fields("-r", capture, *words, *REPORTS, names=ALL)
    rows = {frame: {name: row[name] for name in (*FIELDS, *OURS)} for frame, row in everything.items()}
    told = {}
    take_parts(rows, whole="-2" in words)
    for frame, row in rows.items():
        if not any(row.values()):
            continue  # none of ours
        told[frame] = {name: [int(value, 0) for value in row[name]] for name in NUMBERS}
        told[frame] |= {name: row[name] for name in [ICRC, CRC, *WORDS]}
        if not row["rdma.bth.opcode"]:
            told[frame]["rdma.payload_length"] = []  # of FPDUs the program counts otherwise
        told[frame][FINDING] = sorted(row[FINDING])
    return told, printed, everything


def part(report, pattern):
    """A part of a report: from its first line to the next empty one."""
    found = re.search(rf"^{pattern}\n(?:.+\n)*", report, re.M)
    return found[0] if found else ""


def check_reports(printed, report, whole, what):
    assert whole in printed, f"{what}: the report has not\n{whole}but\n{printed}"
    for pattern in (r"[\d,' ]+ connections?\b.*", r"[\d,' ]+ memory keys?\b.*",
                    r"[\d,' ]+ findings?"):
        want = part(report, pattern)
        assert want in printed and bool(want) == bool(part(printed, pattern)), \
            f"{what}: the report has not\n{want}but\n{part(printed, pattern)}"


def check_rows(told, want, what):
    for frame in sorted({*told, *want}):
        assert told.get(frame) == want.get(frame), \
            f"{what}, frame {frame}: got {told.get(frame)}, want {want.get(frame)}"


def check_part(told, want, what):
    """What is told in one pass is told in two."""
    for frame, row in told.items():
        for name, values in row.items():
            extra = set(values) - set(want.get(frame, {}).get(name, []))
            assert not extra, f"{what}, frame {frame}: {name} {extra} is taken back later"


def check_streams(rows, iwarp):
    """A stream is of one connection, which has one, or one for each direction: these name each other."""
    streams, peers = defaultdict(set), {}
    for frame, row in rows.items():
        for stream, connection in zip(row["rdma.stream"], row["rdma.connection"]):
            streams[connection].add(stream)
            if row["rdma.stream.peer"]:
                peers.setdefault(stream, row["rdma.stream.peer"][0])
        if not iwarp and row["rdma.connection"]:
            assert len(row["rdma.stream"]) == 1, f"frame {frame}: stream {row['rdma.stream']}"
    for connection, found in streams.items():
        assert len(found) <= 2, f"connection {connection}: streams {found}"
        if len(found) == 2:
            one, other = found
            assert peers.get(one) == other and peers.get(other) == one, f"streams {found}, peers {peers}"
    assert sum(map(len, streams.values())) == len(set().union(*streams.values())), "a stream of two connections"
    numbers = sorted(int(stream) for found in streams.values() for stream in found)
    assert numbers == [*range(len(numbers))] or iwarp, f"streams {numbers}"


def check_when(one, two):
    """What is told in one pass is what fields.def says."""
    iwarp = any(row[name] for row in one.values() for name in IWARP)
    for frame, row in two.items():
        for name, when in WHEN.items():
            values, first = row[name], one.get(frame, {}).get(name, [])
            if when == "LATER":
                assert not first, f"one pass, frame {frame}: {name} {first} is no field for two passes only"
            elif when == "NOW" and not iwarp and row["rdma.bth.psn"]:
                assert first == values, f"one pass, frame {frame}: {name} {first}, in two {values}"
    check_streams(two, iwarp)


def trees(tshark, capture, *words, plugin=True):
    """The lines of our tree, by frame; and all others: the packet list, the protocols of each frame, their trees."""
    lines, frame, ours, others = {}, 0, False, []
    layers = BUILT_IN + ",rdma" * plugin
    for line in tshark.run("-n", "-r", capture, *words, "-P", "-O", layers, plugin=plugin).splitlines():
        if line.startswith("Frame "):
            frame = int(re.match(r"Frame (\d+)", line)[1])
        if not line.startswith(" "): # a tree, or the empty line behind a frame
            ours = re.match(r"RDMA(,|$)", line)
        if ours:
            lines.setdefault(frame, Counter())[line] += 1
        else:
            others.append(line)
    return lines, others


def check_trees(tshark, capture):
    """Every line that is shown in one pass is shown in two, and the built-in dissectors say what they say without us."""
    (two, _), (one, ours), (_, theirs) = (trees(tshark, capture, *words, plugin=plugin) for words, plugin in (
        (["-2"], True), ([], True), ([], False)))
    for frame, lines in one.items():
        extra = lines - two.get(frame, Counter())
        assert not extra, f"one pass, frame {frame}: {[*extra]} is taken back later"
    for with_us, without in itertools.zip_longest(ours, theirs):
        assert with_us == without, f"the built-in dissectors say {with_us!r} with the plugin, and without it {without!r}"


def check_bare(tshark, capture, report, whole, document, of_iwarp):
    """Reports with nothing that asks for a tree; and trees."""
    printed = tshark.run("-n", "-q", "-r", capture, *REPORTS)
    check_reports(printed, report, whole, "reports alone")
    tables.check(printed, document, of_iwarp, whole=False)
    check_trees(tshark, capture)


def check(options, tshark, capture, more):
    if capture.name == MIXED:
        raise Unreadable("libwiretap does not know InfiniBand's link type")
    copy = tshark.copy(capture)
    document = json.loads(program(options, copy, "-F", "json"))
    of_iwarp = tables.segments(tshark, copy, document)
    want, report = wanted(options, copy, document), program(options, copy, "--keys")
    # that a file ends too early the plugin is not told
    whole = re.sub(r"^  Damaged .*\n(?: {14}.*\n)*", "", program(options, copy), flags=re.M)
    told, printed, two = got(tshark, copy, "-2")
    check_rows(told, want, "two passes")
    check_reports(printed, report, whole, "two passes")
    tables.check(printed, document, of_iwarp, whole=True)
    told, printed, one = got(tshark, copy)
    check_part(told, want, "one pass")
    check_reports(printed, report, whole, "one pass")
    tables.check(printed, document, of_iwarp, whole=False)
    check_when(one, two)
    if more:
        check_bare(tshark, copy, report, whole, document, of_iwarp)
    assert {*told} >= {frame for frame, row in want.items() if row[ICRC]}, "one pass: frames missing"
    return len(want)


def main():
    options = arguments("--all")
    tshark = Tshark(options)
    failed, skipped, frames = 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = {capture: pool.submit(check, options, tshark, capture, options.all or index % 8 == 0)
                for index, capture in enumerate(captures(options.captures))}
        for capture, job in jobs.items():
            try:
                frames += job.result()
            except Unreadable as reason:
                skipped += 1
                print(f"{capture.name}: left out: {reason}")
            except AssertionError as error:
                failed += 1
                print(f"{capture.name}: {error}")
    print(f"{len(jobs)} captures, {frames} frames, {skipped} left out, {failed} captures differ")
    sys.exit(1 if failed or not frames else 0)


if __name__ == "__main__":
    main()
