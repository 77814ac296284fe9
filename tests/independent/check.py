#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds what the program says to be proven, and each error, against the truth of generated captures.

usage: check.py PROGRAM SEED[-SEED] [--open FILE] [--keep FOLDER] [--suspected]

Prints each finding that the truth contradicts, and how many there were by check. With --open the seeds that FILE
lists are known not to hold: it fails for one that is not listed, and for one that is listed and holds, so that the
list only shrinks. --suspected tells of suspicions that are wrong too, which is no failure: it shows what is guessed
badly.
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


class Claim:
    """A finding beside the truth of whom it is about: of one end, or of all."""

    def __init__(self, finding, told, truth):
        self.finding, self.code, self.count = finding, finding["code"], finding["count"]
        self.arguments, self.truth = finding.get("arguments") or {}, truth
        self.directions = [way for qp in truth["qps"] for way in qp["asked_by"]]  # of requests
        self.answering = self.directions
        if finding["connection"] is not None:
            ends = told["connections"][finding["connection"]]["endpoints"]
            which = finding["flow"]
            of = [(qp, i) for qp in truth["qps"] for i in range(2)
                  if matches(qp, i, ends[which or 0], ends[1 - (which or 0)])]
            if which is None:
                of = [(qp, i) for qp, _ in of for i in range(2)]
            self.directions = [qp["asked_by"][i] for qp, i in of]       # it is the one who asks
            self.answering = [qp["asked_by"][1 - i] for qp, i in of]    # it is the one who answers
        self.unbroken = finding["connection"] is None or told["connections"][finding["connection"]]["seen"]["unbroken"]

    def say(self, name):
        return self.arguments.get(name) or 0

    def asked(self, *keys):
        """A sum over its requests: asked("resent"), asked("request", "lost_before")."""
        return total(self.directions, keys)

    def answered(self, kind, *names):
        return sum(total(self.answering, (kind, name)) for name in names)

    def requests(self, *names):
        return sum(self.asked("request", name) for name in names)


def total(directions, keys):
    def get(way):
        for key in keys:
            way = way[key]
        return way
    return sum(map(get, directions))


def matches(qp, i, end, other):
    """Whether what an endpoint of a connection sends is what end i of a QP sends: by whom, and to which QP."""
    ours, theirs = qp["ends"][i], qp["ends"][1 - i]
    if other["qpn"] is None:  # nothing was captured of this endpoint
        return end["address"] in (ours["address"], None) and end["qpn"] == ours["qpn"]
    return end["address"] in (ours["address"], None) and other["qpn"] == theirs["qpn"]


def strangers(connection, truth):
    """Whether two QPs were taken for one connection that have nothing to do with each other."""
    qpns = {end["qpn"] for end in connection["endpoints"]}
    return None not in qpns and not any(qpns == {end["qpn"] for end in qp["ends"]} for qp in truth["qps"])


# ---- what is true; each returns what contradicts the finding, or None ---------------------------

def at_most(name, said, true):
    return f"{name}: {said} said, at most {true}" if said > true else None


def s01(c):
    gone = ("lost_before", "damaged_before", "missed")
    if c.say("acks"):
        return at_most("acks", c.say("missing"), c.answered("ack", *gone))
    return (at_most("lost", c.say("lost"), c.requests(*gone)) or
            at_most("responses", c.say("responses"), c.answered("response", *gone)))


def s02(c):
    behind = ("lost_behind", "late_behind")
    return (at_most("resent", c.count, c.asked("resent_shown")) or
            at_most("lost behind", c.say("lost"), c.requests(*behind)) or
            at_most("responses behind", c.say("responses"), c.answered("response", *behind)) or
            f01(c))


def s03(c):
    return at_most("runs by NAKs", c.count, c.asked("runs", "nak"))


def s05(c):
    if "what was sent first was not lost" in c.finding["text"] and not c.asked("clean_in_vain"):
        return "each resend in vain had lost something"
    return at_most("runs in vain", c.count, c.asked("runs_in_vain"))


def s06(c):
    return None if any(qp["setups"] > 1 for qp in c.truth["qps"]) else "no QP was set up anew"


def s15(c):
    return at_most("resent", c.say("resent"), c.asked("resent_shown"))


def s16(c):
    lost = c.requests("lost_before", "damaged_before", "missed", "lost_behind", "late_before", "late_behind")
    return s15(c) or at_most("not in place", c.say("lost"), lost)


def q01(c):
    return at_most("unseen", c.count, c.asked("unseen"))


def q03(c):
    kinds = ("response", "ack", "nak", "rnr")
    if any(qp["setups"] > 1 for qp in c.truth["qps"]):
        return None  # the truth counts the connections of a QP together
    # what an end sent: its requests, and its answers to the other's
    sent = [total([asks], ("request", "shown")) + sum(total([asked], (kind, "shown")) for kind in kinds)
            for asks, asked in zip(c.directions, c.answering)]
    return "both directions were shown" if all(sent) else None


def m09(c):
    return None if any(way["gave_up"] for way in c.directions) else "it did not give up"


def a16(c):
    gave_up = [why for way in c.directions + c.answering for why in way["gave_up"]]
    return None if any(why[0] == "rnr" for why in gave_up) else "it did not give up for RNR NAKs"


def a17(c):
    shown = sum(total(ways, ("rnr", "shown")) for ways in (c.directions, c.answering))
    return at_most("RNR NAKs", c.say("rnr_naks"), shown)


def f01(c):
    damaged = sum(way[kind]["shown_damaged"] for qp in c.truth["qps"] for way in qp["asked_by"]
                  for kind in ("request", "response", "ack", "nak", "rnr"))
    return at_most("damaged", c.say("damaged"), damaged * (2 if c.truth["tap"]["mirror_ns"] else 1))


def never(_):
    return "the hosts do nothing of the kind"


RULES = {"S01": s01, "S02": s02, "S03": s03, "S04": never, "S05": s05, "S06": s06, "S15": s15, "S16": s16,
         "Q01": q01, "Q03": q03, "M09": m09, "A16": a16, "A17": a17, "F01": f01}
TRUE_OF_ALL = {"S20"}  # counts what is there


def judge(finding, told, truth):
    """-> what is wrong with a finding; None: it is right, or it is only suspected"""
    claim = Claim(finding, told, truth)
    if finding["proof"] != "proven" and finding["severity"] != "error":
        return None
    if not claim.directions:
        return "no QP of the seed is meant"
    if claim.code in RULES:
        return RULES[claim.code](claim)
    accuses = claim.code[0] in "AS" and claim.code not in TRUE_OF_ALL
    return never(claim) if accuses or finding["severity"] == "error" else None


def suspect(finding, told, truth):
    """-> likewise of a suspicion"""
    claim = Claim(finding, told, truth)
    if finding["proof"] == "proven" or claim.code not in ("S01", "S02", "S03", "S04", "S05", "M09"):
        return None
    if claim.code == "S04":
        return at_most("timers", claim.count, claim.asked("runs", "timer"))
    return RULES[claim.code](claim)


# ---- seeds --------------------------------------------------------------------------------------

def try_seed(given):
    """-> the seed, and (code, proof, what is wrong, the sentence) of each finding that is"""
    program, seed, keep, suspected = given
    with tempfile.TemporaryDirectory() as scratch:
        path, truth = generate.write(seed, keep or scratch)
        if not truth["packets"]:
            return seed, "", []
        told = json.loads(subprocess.run([program, "--format", "json", path], capture_output=True, check=True).stdout)
    wrong = [("PAIR", "proven", f"joined by {connection['paired_by']}", str(connection["endpoints"]))
             for connection in told["connections"]  # the only candidate is a guess, and said to be one
             if strangers(connection, truth) and connection["paired_by"] != "only_candidate"]
    for finding in told["findings"]:
        why = judge(finding, told, truth) or (suspected and suspect(finding, told, truth))
        if why:
            wrong.append((finding["code"], finding["proof"], why, finding["text"]))
    return seed, " (set up anew)" * any(qp["setups"] > 1 for qp in truth["qps"]), wrong


def read_open(path):
    return {int(line) for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("seeds", type=seeds.seeds_of)
    parser.add_argument("--open", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--suspected", action="store_true")
    given = parser.parse_args()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    known = read_open(given.open) if given.open else set()
    counts, failed = collections.Counter(), set()
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        work = [(given.program, seed, given.keep, given.suspected) for seed in given.seeds]
        for seed, anew, wrong in pool.map(try_seed, work, chunksize=4):
            for code, proof, why, text in wrong:
                counts[code, proof] += 1
                if seed not in known:
                    print(f"seed {seed}{anew}: {code} {proof}: {why}\n    {text}", flush=True)
                if proof == "proven" or not given.suspected:
                    failed.add(seed)
    held = known.intersection(given.seeds) - failed
    for seed in sorted(held):
        print(f"seed {seed} holds: take it out of {given.open.name}")
    table = ", ".join(f"{code} {proof} {count}" for (code, proof), count in counts.most_common())
    print(f"{len(given.seeds)} seeds, {len(failed)} do not hold: {table or 'none'}")
    return 1 if failed - known or held else 0


if __name__ == "__main__":
    sys.exit(main())
