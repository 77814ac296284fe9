#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds the program to one law: a capture that is poorer, or merely different, proves no more.

usage: poorer.py PROGRAM FOLDER|CAPTURE... [--open FILE | --write FILE] [--only TRANSFORMATION]

Each transformation (transform.py) of each capture is read, and of what is said of it

    proven   nothing may be proven that the whole capture does not prove of the same sender
    error    nothing may be an error that the whole does not say as an error, or prove
    new      what the whole does not say at all must be a note, or of group Q (the capture itself)

What the whole only suspects as the capture has gaps in that connection, or as what passed there was lost behind,
too, a part may prove that has none of that; and a loss (S01) that may be one of the whole's damaged packets, a part
that does not have these, or has nothing to check their ICRC by: a packet that comes damaged under another QP's number
is not delivered either, so that it was lost before the capture point holds for who reads it. No more losses than the
whole has, with its damaged packets.
The same of requests that were sent again as their answers came damaged (S05): these did pass.
Group H is of what lies between two taps, which no one capture tells: taps.py holds it against what was lost there.

Findings are the same when the check is, and the address of who sent what they are about. A share of what
was sent (S15, S16) may be larger in a part; there the whole must have as many resends, with its damaged packets. A measured figure
(MEASURED) is of the packets that are there.

Prints each violation, and a table of them by transformation and check. With --open those that FILE lists
are known to be open: it fails for one that is not listed, and for one that is listed and went away, so
that the list only shrinks. --write makes that list.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import zlib

import capfile
from transform import TRANSFORMATIONS, Whole, partner

SHARES = ("S15", "S16")
# Notes of what was measured: medians, tails, the busiest moment, where a key had worked. Those of a part, or of the same packets at
# other times, are others, and as true; what they are compared with may lie below them there only.
MEASURED = ("T01", "T02", "T03", "T08", "T12", "K02")
# What a gap of the capture looks like, and nothing tells from it. Suspected only, so the law's last line
# is the only one that it would break.
ALLOWED = {
    "S01": "a UC packet that is missing is missed by the receiver or here",
    "S12": "the READ that asked for it is missing",
    "W27": "TCP's bytes that were lost come late, too, when they are sent again",
    "T04": "a later ACK stands for one that is missing, and is late for it",
    "A02": "the answer is missing, and nothing comes behind it that stands for it",
    "M10": "the answer is missing, and nothing comes behind it that stands for it",
    "S19": "a copy: how far behind the original it comes is all that tells the network's from a mirror's",
    "T11": "a pause is long against medians, which are others in a part; of one direction alone no answers tell theirs",
    "A26": "of the answers alone: where the requests are there S01, S02 or Q10 tells what became of them",
    "M09": "of one direction alone: who is put off (RNR NAKs), or whose QP is set up anew with the PSNs it "
           "had, sends as one that gives up does",
}
# So much is missing there that what remains is another story, and that it is need not show: a suspicion is new there,
# and a warning, where no gap of the capture is known. Nothing is proven, nor an error.
HEAVY = ("tap-missed-half", "tap-missed-bursts", "second-host-mostly-missing")
# What is said of a part where what the whole says of the same sender has lost its evidence.
WEAKER = {
    "S04": {"S05": "a resend that came too early, and of its answers or of the beginning too little is there to tell",
            "S06": "a resend with another header, and that is cut",
            "S03": "a resend long after a NAK, which a timer may have made as well; and the NAK seems too old",
            "Q05": "the network's copy of one packet, where a mirror shows all twice"},
    "A17": {"A18": "an RNR NAK, and that what it puts off needs no receive is not there to tell"},
    "F14": {"F01": "damage, and nothing is there to check the ICRC by; two lengths differ whatever made them"},
}
# A damaged packet says what nobody sent, and is why others are sent again. A part that has nothing to check the ICRC
# by has that packet, and cannot tell: it may suspect both, of a sender whose packets the whole knows to be damaged.
DAMAGE = "F01"
SAID_BY_DAMAGE = re.compile("F|A|G07|S05|S06|S08|S09|S1[0-4]|M05|K01|K02|K05|K16|K17")
# What the whole only suspects, as the margin for mirrors that show one direction late leaves a timer possible, or an answer
# that came later; and where one does show it late the time that is left is shorter, or longer, than any with that margin.
LATE = {"S03", "S05"}
# What the whole only suspects, as runs have told what timer its sender has: without identifications fewer runs are told.
WITHOUT_IDENTIFICATIONS = "without-identifications"
OF_FEWER_RUNS = {"S03"}
# A copy that comes late looks like what was sent again where no identification tells it.
LIKE_A_COPY = {"S02", "S05"}
# Suspected as all waits for a timer were alike: of fewer waits they are, where those before a part's beginning differ.
SAMPLED = {"M09"}
# Told of who answered where the request that it is about is missing, else of who asked.
OF_EITHER = {"K01"}
OPEN_HEAD = """# Violations of the law of tests/captures/poorer.py that are known: capture, transformation, kind, check.
# The list only shrinks: a line that no longer holds fails the test as a new one does.
"""

Said = collections.namedtuple("Said", "code sender severity proof count text unbroken behind")
Violation = collections.namedtuple("Violation", "capture transformation kind code")


class Report:
    """What the program says of one or more files."""

    def __init__(self, program, *files):
        run = subprocess.run([program, "--format", "json", *files], capture_output=True, check=True)
        told = json.loads(run.stdout)
        self.connections = told["connections"]
        self.said = [Said(finding["code"], self.sender(finding), finding["severity"], finding["proof"],
                          finding["count"], finding["text"], self.is_unbroken(finding),
                          finding["arguments"].get("behind", False)) for finding in told["findings"]]
        self.codes = {one.code for one in self.said}

    def is_unbroken(self, finding):
        """The capture has no gap in the connection that it is about."""
        return finding["connection"] is None or self.connections[finding["connection"]]["seen"]["unbroken"]

    def sender(self, finding):
        if finding["connection"] is None or finding["flow"] is None:
            return finding["arguments"].get("sender")
        return self.connections[finding["connection"]]["endpoints"][finding["flow"]]["address"]

    def damaged(self):
        return sum(said.count for said in self.said if said.code == DAMAGE)

    def count(self, codes, sender):
        return sum(said.count for said in self.said if said.code in codes and said.sender == sender)

    def resends(self, address):
        return sum(flow["retransmitted_packets"] or 0 for connection in self.connections
                   for end, flow in zip(connection["endpoints"], connection["flows"])
                   if end["address"] == address and flow.get("retransmitted_packets"))


class Wholes:
    """What is said of whole captures: of one, or of the two that both taps made."""

    def __init__(self, *reports):
        self.reports = reports
        said = [one for report in reports for one in report.said]
        # a suspected loss behind the tap (S02) is told beside resends that are proven, and does not repeat them
        self.proven = {one[:2] for one in said if one.proof == "proven" or one.code == "S02"}
        self.broken = {one[:2] for one in said if not one.unbroken}
        self.behind = {one[:2] for one in said if one.behind}
        self.errors = self.proven | {one[:2] for one in said if one.severity == "error"}
        self.codes = {one.code for one in said}
        self.said = {one[:2] for one in said}

    @staticmethod
    def has(one, said):
        return (one[:2] in said or any(Wholes.of_sender(one, code, said) for code in WEAKER.get(one.code, ())) or
                (one.code in OF_EITHER and any(code == one.code for code, _ in said)))

    @staticmethod
    def of_sender(one, code, said):
        """A packet of which little is left is nobody's."""
        return (code, one.sender) in said or (one.sender is None and any(code == other for other, _ in said))

    @staticmethod
    def is_others(one, code, said):
        return any(code == other and sender != one.sender for other, sender in said)

    def may_be_damage(self, one):
        return SAID_BY_DAMAGE.match(one.code) and (
            self.of_sender(one, DAMAGE, self.said) or  # an answer tells of what it answers, and that is the other's
            (one.code[0] == "A" and self.is_others(one, DAMAGE, self.said)))

    def may_be_nobodys(self, one, part):
        """A loss that the whole only suspects: a damaged packet that names nobody may be the missing one. The part
        lacks such packets, though it has its ICRCs."""
        return (one.code == "S01" and one[:2] in self.said and not part.codes & {"F02", "Q04"} and
                part.damaged() < max(report.damaged() for report in self.reports))

    def may_have_come_damaged(self, one, part):
        """A loss where the whole knows packets of the same sender to be damaged, and no more losses than these make."""
        return (one.code == "S01" and (DAMAGE, one.sender) in self.proven and part.count({one.code}, one.sender) <=
                max(report.count({one.code, DAMAGE}, one.sender) for report in self.reports))

    def may_be_of_damaged_answers(self, one, part):
        """Answers passed, and what they answer was sent again: they came damaged, which the part has nothing to check
        by. The program names that among the reasons."""
        missed = max(report.damaged() for report in self.reports) - part.damaged()
        return one.code == "S05" and one.count <= missed and self.is_others(one, DAMAGE, self.proven)

    def resends(self, sender):
        """What that sender may have sent again: a damaged packet may be one, which a part without ICRCs counts."""
        return max(report.resends(sender) + report.count({DAMAGE}, sender) for report in self.reports)

    def breach(self, one, part, name):
        """How what is said of a part breaks the law; None: it does not."""
        if one.code[0] in "QH" or (one.code in MEASURED and one.severity == "note") or (
                one.code in SHARES and one.count <= self.resends(one.sender)):
            return None
        late = one.code in LATE and name.endswith("-late") and one[:2] in self.said
        unknown = name == WITHOUT_IDENTIFICATIONS
        of_fewer = unknown and one.code in OF_FEWER_RUNS and one[:2] in self.said
        held_back = late or of_fewer or (one.unbroken and one[:2] in self.broken) or (
            one.code == "S01" and not one.behind and one[:2] in self.behind) or (
            self.may_be_nobodys(one, part) or self.may_have_come_damaged(one, part) or
            self.may_be_of_damaged_answers(one, part))
        if one.proof == "proven" and not held_back and not self.has(one, self.proven):
            return "proven"
        sampled = one.code in SAMPLED and one.proof == "suspected" and name == "beginning-missing"
        if one.severity == "error" and not sampled and not self.has(one, self.errors):
            return "error"
        if one.severity != "note" and name not in HEAVY and one.code not in self.codes | ALLOWED.keys() and not (
                unknown and one.code in LIKE_A_COPY) and not (
                self.has(one, self.said) or self.may_be_damage(one) or self.may_be_of_damaged_answers(one, part)):
            return "new"
        return None


def write(files, link, folder):
    paths = []
    for number, records in enumerate(files):
        paths.append(pathlib.Path(folder) / f"{number}.pcap")
        capfile.write_pcap(paths[-1], link, records)
    return paths


def try_capture(program, path, only):
    """-> [(Violation, text)] and how many transformations there were"""
    frames = list(capfile.read(path))
    if not frames or len({frame.link for frame in frames}) > 1:
        return [], 0
    broken, tried, whole = {}, 0, Whole(path, frames)
    wholes = alone = Wholes(Report(program, path))
    if partner(path):
        wholes = Wholes(*alone.reports, Report(program, partner(path)))
    with tempfile.TemporaryDirectory() as scratch:
        for name, make in TRANSFORMATIONS:
            rng = random.Random(zlib.crc32(f"{path.name} {name}".encode()))
            files = make(whole, rng) if only in (None, name) else None
            if not files:
                continue
            tried += 1
            against = wholes if name.startswith("both-taps") else alone
            part = Report(program, *write(files, frames[0].link, scratch))
            for one in part.said:
                kind = against.breach(one, part, name)
                if kind:
                    broken.setdefault(Violation(path.name, name, kind, one.code), one.text)
    return list(broken.items()), tried


def print_table(violations):
    codes = sorted({violation.code for violation in violations})
    counts = collections.Counter((violation.transformation, violation.code) for violation in violations)
    print(f"{'':24}{''.join(f'{code:>5}' for code in codes)}  all")
    for name, _ in TRANSFORMATIONS:
        row = [counts[name, code] for code in codes]
        print(f"{name:24}{''.join(f'{count or str():>5}' for count in row)}{sum(row):5}")
    print(f"{'all':24}{''.join(f'{sum(counts[name, code] for name, _ in TRANSFORMATIONS):5}' for code in codes)}"
          f"{len(violations):5}")


def compare(found, file):
    """-> how many differ from the list of open ones; prints them"""
    listed = {Violation(*line.split("\t")) for line in file.read_text(encoding="utf-8").splitlines()
              if not line.startswith("#")}
    for violation in sorted(listed - found.keys()):
        print(f"{' '.join(violation)}: holds, take it out of {file.name}")
    for violation in sorted(found.keys() - listed):
        print(f"{' '.join(violation)}: not in {file.name}: {found[violation]}")
    return len(listed ^ found.keys())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("captures", nargs="+")
    parser.add_argument("--open", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--only", choices=[name for name, _ in TRANSFORMATIONS])
    given = parser.parse_args()
    paths = [path for name in given.captures for path in capfile.find(name)]
    found, tried = {}, 0
    with concurrent.futures.ProcessPoolExecutor(min(os.cpu_count() or 1, 4)) as pool:
        for broken, count in pool.map(try_capture, [given.program] * len(paths), paths,
                                      [given.only] * len(paths)):
            found.update(broken)
            tried += count
    if given.write:
        given.write.write_text(OPEN_HEAD + "".join("\t".join(violation) + "\n" for violation in sorted(found)),
                               encoding="utf-8")
    if not given.open:
        for violation in sorted(found):
            print(f"{violation.capture}, {violation.transformation}: {violation.kind} {violation.code}: "
                  f"{found[violation]}")
    print_table(found)
    wrong = compare(found, given.open) if given.open else len(found)
    print(f"{len(paths)} captures, {tried} transformed, {len(found)} violations")
    return 1 if wrong or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
