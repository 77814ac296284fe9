#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds what the program says to be proven of iWARP against the truth of generated captures.

usage: check.py PROGRAM SEED[-SEED] [--keep FOLDER] [--sorts]

Prints each finding that the truth contradicts, each wrong count of messages or bytes where a capture is whole, and
how many there were by check. --sorts also counts what was found at all.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

import generate
import seeds
import truth
import wire as w

NO_DEPTH = 0x3FFF


class Claim:
    """A finding beside the truth of whom it is about."""

    def __init__(self, finding, told, pairs):
        self.finding, self.code, self.count = finding, finding["code"], finding["count"]
        self.arguments = finding.get("arguments") or {}
        self.sides = [side for pair in pairs for side in pair]
        self.others = [side for pair in pairs for side in pair[::-1]]
        if finding["connection"] is None:
            return
        ends = told["connections"][finding["connection"]]["endpoints"]
        flow = finding["flow"]
        wanted = [ends[flow]] if flow is not None else ends
        both = [(side, other) for side, other in zip(self.sides, self.others)
                if any(is_of(side, end) for end in wanted)]
        self.sides, self.others = [one for one, _ in both], [other for _, other in both]

    def say(self, name):
        return self.arguments.get(name) or 0

    def total(self, what):
        return sum(what(side) for side in self.sides)


def is_of(side, end):
    t = side.tcp
    return (end["address"], end["port"]) == (w.written(t.host.number, t.habits.version), t.ports[0])


def at_most(name, said, true):
    return f"{name}: {said} said, at most {true}" if said > true else None


def k11(c):
    """A key of a host that several connections use."""
    stag, users, hosts = int(c.say("rkey"), 16), 0, set()
    for side, other in zip(c.sides, c.others):
        owner = w.written(other.tcp.host.number, other.tcp.habits.version)
        if owner == c.say("host") and any(target_of(m) == stag for m in side.app.messages):
            users += 1
            hosts.add(side.tcp.host.number)
    several = "only one host" if c.arguments.get("several_hosts") and len(hosts) < 2 else None
    return at_most("QPs", c.say("qps"), users) or several


def target_of(message):
    return message.source[0] if message.opcode in (w.READ_REQUEST, w.ATOMIC) else message.stag


def never(_):
    return "the hosts do nothing of the kind"


def damaged(c):
    """What only a changed byte that TCP let pass explains."""
    return None if any(f.silent for side in c.sides + c.others for f in side.data) else never(c)


# ---- each returns what contradicts the finding, or None -----------------------------------------

def w01(c):
    return at_most("damaged FPDUs", c.count, c.total(lambda side: side.damaged_fpdus()))


def w08(c):
    return None if any(side.app.plan.rejects for side in c.sides) else "nobody rejected"


def w09(c):
    for side, other in zip(c.sides, c.others):
        reply, request = (side, other) if not side.app.initiates else (other, side)
        (ird, order), (ask_ird, ask_order) = reply.app.plan.depths or (0, 0), request.app.plan.depths or (0, 0)
        if c.say("reads") in (order, ask_order) and c.say("allowed") in (ird, ask_ird):
            if order > ask_ird != NO_DEPTH or NO_DEPTH != ird < ask_order:
                return None
    return damaged(c) and "the depths are as they should be"


def w18(c):
    why = damaged(c) and "nobody sent a Terminate"
    for side, other in zip(c.sides, c.others):
        if side.app.refused:
            why = refusal(c, side.app.refused, other)
            if not why:
                return None
    return why


def refusal(c, refused, asker):
    reason, record, message = refused
    said = tuple(c.say(name) for name in ("layer", "type", "code"))
    if said != reason and not ("other_reason" in c.arguments and (said[1], said[0], said[2]) == reason):
        return f"reason {said} said, {reason} sent"
    if message is None:
        return "it names no message" if "opcode" in c.arguments else None
    if c.arguments.get("opcode") != w.NAMES[message.opcode]:
        return f"{c.arguments.get('opcode')} said, {w.NAMES[message.opcode]} was refused"
    read = message.opcode == w.READ_REQUEST
    length = message.size if read else message.length
    if "length" in c.arguments and c.say("length") != length:
        return f"{c.say('length')} bytes said, it had {length}"
    stag, offset = message.source if read else (message.stag, message.offset)
    if "stag" in c.arguments and (int(c.say("stag"), 16), int(c.say("offset"), 16)) != (stag, offset):
        return f"STag {c.say('stag')} {c.say('offset')} said, it was {stag:#x} {offset:#x}"
    frame = c.arguments.get("refused_frame")
    frames = set().union(*(asker.first_frames(record) for record in message.records))
    if frame and frame["frame"] not in frames:
        return f"frame {frame['frame']} said, it is in {sorted(frames)}"
    return None


def w26(c):
    return (at_most("not aligned", c.say("not_aligned"), c.total(lambda side: side.not_aligned())) or
            at_most("FPDUs", c.say("fpdus"), c.total(lambda side: len(side.fpdus))))


def w27(c):
    if c.finding["proof"] != "proven":
        return None
    sure = c.say("retransmitted") - c.say("perhaps_copies")
    return (at_most("segments", c.say("segments"), c.total(lambda side: len(side.data))) or
            at_most("retransmitted", sure, c.total(lambda side: side.repeated())) or
            at_most("late", c.say("late"), c.total(lambda side: side.late())) or
            at_most("overtaken", c.say("overtaken"), c.total(lambda side: side.overtaken())) or
            at_most("again", c.say("again"), c.total(lambda side: side.late_again())) or
            at_most("had already", c.say("needless"), 0) or  # no D-SACK is sent
            at_most("closed windows", c.say("zero_windows"), c.total(lambda side: sum(f.zero for f in side.frames))) or
            in_vain(c))


def in_vain(c):
    """That the last bytes were never acknowledged, and sent again so often."""
    if not c.say("unacked_bytes"):
        return None
    if len(c.sides) > 1:
        return None  # the ports were used again
    side, other = c.sides[0], c.others[0]
    highest = max((f.end for f in side.frames if not f.wrong), default=0)  # one without data tells what was sent before it
    acked = max((s.ack for s in side.scene.sent if s.conversation == side.app.conversation and s.flags & w.ACK
                 and s.side != side.tcp.side and any((damage or ("",))[0] != "wrong" for _, damage in s.shown)),
                default=0)
    if highest - c.say("unacked_bytes") < acked - 1:
        return f"acknowledged up to {acked - highest} of the last byte"
    return at_most("resent in vain", c.say("resent"), side.repeated())


def w28(c):
    wants = [side.app.plan.crc or other.app.plan.crc for side, other in zip(c.sides, c.others)]
    return "one wants CRCs" if all(wants) else None


def w29(c):
    most = 0
    for side, other in zip(c.sides, c.others):
        closes = [(one.closed_at(), one) for one in (side, other) if one.closed_at() is not None]
        for when, closer in closes:
            most = max(most, sum(not answered(m, side, other, closer, when) for m in side.app.messages
                                 if m.opcode in (w.READ_REQUEST, w.ATOMIC)))
    return at_most("unanswered", c.say("reads"), most)


def answered(asked, side, other, closer, when):
    for m in other.app.messages:
        if m.asked is asked:
            end = m.records[-1].end
            return side is closer and other.arrived_by(when, end) or side is not closer and other.sent_by(when, end)
    return False


def w30(c):
    return c.finding["proof"] == "proven" and at_most("damaged", c.count, c.total(
        lambda side: sum(f.wrong for f in side.frames))) or None


RULES = {"W01": w01, "W08": w08, "W09": w09, "W18": w18, "W26": w26, "W27": w27, "W28": w28, "W29": w29, "W30": w30,
         "K11": k11}
ONLY_DAMAGED = {"W02", "W03", "W04", "W05", "W06", "W07", "W10", "W11", "W12", "W13", "W14", "W15", "W16", "W17", "W19",
                "W22", "W23", "W24", "W25"}


def judge(finding, told, pairs):
    """-> what is wrong with a finding; None: it is right, or it is only suspected"""
    claim = Claim(finding, told, pairs)
    if finding["proof"] != "proven" and (claim.code != "W04" or finding["severity"] == "note"):
        return None  # as a note W04 says itself that damage may have made it
    if not claim.sides:
        return "no connection of the seed is meant"
    if claim.code in RULES:
        return RULES[claim.code](claim)
    if claim.code in ONLY_DAMAGED:
        return damaged(claim)
    return never(claim) if finding["severity"] == "error" else None


# ---- what was counted ---------------------------------------------------------------------------

KINDS = {w.WRITE: "write", w.SEND: "send", w.SEND_INV: "send", w.SEND_SE: "send", w.SEND_SE_INV: "send",
         w.IMMEDIATE: "send", w.IMMEDIATE_SE: "send", w.READ_REQUEST: "read", w.ATOMIC: "atomic"}


def counted(told, pairs):
    """Messages of connections that were captured whole."""
    for connection in told["connections"]:
        for flow, end in zip(connection["flows"], connection["endpoints"]):
            of = [pair[i] for pair in pairs for i in range(2) if is_of(pair[i], end)]
            others = [pair[1 - i] for pair in pairs for i in range(2) if is_of(pair[i], end)]
            if len(of) != 1 or flow is None or of[0].app.plan.begun:
                continue
            if not all(of[0].is_shown(r) for r in of[0].app.records):
                continue
            for kind in ("send", "write", "read", "atomic"):
                mine = [m for m in of[0].app.messages if KINDS.get(m.opcode) == kind]
                said = flow["messages"][kind]["count"]
                if said != len(mine):
                    yield f"{kind}: {said} messages said, {len(mine)} were sent by {end['address']}:{end['port']}"
                size = sum(m.size if kind == "read" else m.length for m in mine)
                if kind in ("read", "atomic") and all(others[0].is_shown(r) for r in others[0].app.records):
                    timed = (flow["messages"][kind]["latency_ns"] or {"count": 0})["count"]
                    done = sum(any(m.asked is one for m in others[0].app.messages) for one in mine)
                    if timed > done:
                        yield f"{kind}: {timed} timed, {done} were answered to {end['address']}:{end['port']}"
                if kind in ("send", "write") and flow["messages"][kind]["bytes"] != size:
                    said = flow["messages"][kind]["bytes"]
                    yield f"{kind}: {said} bytes said, {size} were sent by {end['address']}"


def broken(told, pairs):
    """Connections that are said to be there without a gap, and are not."""
    for connection in told["connections"]:
        for end in connection["endpoints"]:
            of = [(pair[i], pair[1 - i]) for pair in pairs for i in range(2) if is_of(pair[i], end)]
            seen = connection["seen"]
            if len(of) != 1 or not all(seen[what] for what in ("unbroken", "from_start", "both_directions")):
                continue
            side, other = of[0]
            at = side.tcp.begin
            acked = max((f.parts[-1][0].ack for f in other.frames if not f.wrong), default=0)
            fin = side.tcp.end_of_data()
            for f in sorted(side.data, key=lambda f: f.begin):
                if f.begin <= at and not f.wrong:
                    at = max(at, f.end)
            if at < min(acked, fin):
                yield f"{min(acked, fin) - at} acknowledged bytes are not there, of {end['address']}:{end['port']}"


# ---- seeds --------------------------------------------------------------------------------------

def try_seed(given):
    """-> the seed, how many findings of each sort, and (code, proof, what is wrong, the sentence) of each that is"""
    program, seed, keep = given
    with tempfile.TemporaryDirectory() as scratch:
        path, scene = generate.write(seed, keep or scratch)
        if not scene.records:
            return seed, {}, []
        told = json.loads(subprocess.run([program, "--format", "json", path], capture_output=True, check=True).stdout)
    pairs = truth.sides(scene)
    sorts = collections.Counter((f["code"], f["severity"], f["proof"]) for f in told["findings"])
    wrong = [(f["code"], f["proof"], why, f["text"]) for f in told["findings"] if (why := judge(f, told, pairs))]
    if scene.plan.tap.whole and not any(f.silent or f.wrong for pair in pairs for side in pair for f in side.data):
        wrong += [("COUNT", "proven", why, "") for why in counted(told, pairs)]
    wrong += [("SEEN", "proven", why, "") for why in broken(told, pairs)]
    return seed, sorts, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("seeds", type=seeds.seeds_of)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--sorts", action="store_true", help="what was found at all")
    given = parser.parse_args()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    counts, sorts, failed = collections.Counter(), collections.Counter(), set()
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        work = [(given.program, seed, given.keep) for seed in given.seeds]
        for seed, found, wrong in pool.map(try_seed, work, chunksize=4):
            sorts.update(found)
            for code, proof, why, text in wrong:
                counts[code, proof] += 1
                failed.add(seed)
                print(f"seed {seed}: {code} {proof}: {why}\n    {text}", flush=True)
    for sort, count in sorted(sorts.items()) if given.sorts else ():
        print(*sort, count)
    table = ", ".join(f"{code} {proof} {count}" for (code, proof), count in counts.most_common())
    print(f"{len(given.seeds)} seeds, {len(failed)} do not hold: {table or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
