#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Requesters that send again by a schedule, until they give up or are answered half-way.

usage: timers.py PROGRAM ROOT [--every N] [--keep FOLDER]

Each case is a capture of its own: ack timeout 10 to 20, retry count 0 to 7, told by connection
management or not, a WRITE, SEND or READ; ConnectX with adaptive retransmission, or the plain timer of
the specification. What the program says of it is held against the schedule: who gave up, when to a
millisecond, how often it sent, and what the NIC's counters show.

The schedule of ConnectX-6 Dx as measured: resends by the ladder while its next step is shorter than a
regular timeout (twice 4.096 us * 2^T, T = 16 at least), which take one unit of the retry count; then
retry count - 1 regular timeouts (one at least) expire, each but the last with one more resend.
"""

import argparse
import collections
import datetime
import json
import pathlib
import sys
import tempfile

import iwarp  # noqa: F401  its verbs are in VERBS by being imported
import run
from language import without_comment, statements
from scene import Scene

LADDER_MS = [20.7, 37.7, 71.4, 138.4, 239.1, 440.4, 977.3, 1782.4, 3930.3, 8225.1]
UNIT_MS, FLOOR = 0.004096, 16
ADAPTIVE, PLAIN = "adaptive", "constant"
MANNER = {"write": ("A write {0}", "B ack {0}"), "send": ("A send {0}", "B ack {0}"),
          "read": ("A read {0}-{2}", "B response {0}-{2}")}
MARGIN_MS = 3000  # of the capture, behind the last timeout

Case = collections.namedtuple("Case", "timer timeout retries told manner answered")


def regular_ms(timeout):
    return 2 * UNIT_MS * 2 ** max(timeout, FLOOR)


def schedule(timer, timeout, retries):
    """When resends go out and when the sender gives up, in ms after the first; how many are adaptive."""
    if timer == PLAIN:
        wait = UNIT_MS * 2 ** timeout
        return [wait * (i + 1) for i in range(retries)], wait * (retries + 1), 0
    wait, ladder = regular_ms(timeout), []
    for i, at in enumerate(LADDER_MS):
        if at - (LADDER_MS[i - 1] if i else 0) >= wait - 1:
            break
        ladder.append(at)
    regular = max(retries - 1, 1)
    resends = ladder + [ladder[-1] + wait * (i + 1) for i in range(regular - 1)]
    return resends, ladder[-1] + wait * regular, len(ladder)


def sent_again(case):
    resends = schedule(*case[:3])[0]
    return resends[:max(len(resends) // 2, 1)] if case.answered else resends


def looks(case):
    """What of a case without management passes on the wire."""
    return case.answered, tuple(round(at, -1) for at in sent_again(case))


def lines_of(case):
    asks, answers = MANNER[case.manner]
    gives_up = schedule(*case[:3])[1]
    names = [20, 21, 22]
    lines = [f"cm timeout={case.timeout} retry={case.retries}"] if case.told else []
    lines += ["qp C=0x31 D=0x32", "A write 10", "+2us B ack 10", "A write 11", "+2us B ack 11",
              "A write 12-19", "+2us B ack 19", asks.format(*names)]
    before = 0
    for at in sent_again(case):
        lines.append(f"+{round((at - before) * 1_000_000)}ns A resend " + asks.format(*names).split()[-1])
        before = at
    if case.answered:
        lines += ["+2us " + answers.format(*names), "+5us A write 23", "+2us B ack 23"]
    # a timer that was seen to expire once or twice may yet double, or be one of a longer ladder
    margin = MARGIN_MS + (0 if case.told else 3 * (gives_up - before))
    for i in range(4):  # somebody else goes on
        lines += [f"+{round((gives_up - before + margin) * 250_000)}ns C write {500 + i}",
                  f"+2us D ack {500 + i}"]
    return lines


def write(case, path):
    """Returns when what is sent again was first sent, in ns."""
    scene, first = Scene(), None
    parsed = list(statements([(i, without_comment(text)) for i, text in enumerate(lines_of(case), 1)]))
    for index, statement in enumerate(parsed):
        scene.first_psn = lambda name, at=index: run.first_psn(parsed[at:], name)
        run.perform(scene, statement)
        if statement.words[2:] and statement.words[2].split("-")[0] == "20" and first is None:
            first = scene.now_ns
    scene.write(path)
    return first


# ---- what is right ------------------------------------------------------------------------------

def moment_ns(text):
    day = datetime.datetime.fromisoformat(text[:19] + "+00:00")
    return int(day.timestamp()) * 1_000_000_000 + int(text[20:29])


def judge(case, document, first_ns, alike):
    resends, gives_up, adaptive = schedule(*case[:3])
    findings = collections.defaultdict(list)
    for finding in document["findings"]:
        findings[finding["code"]].append(finding)
    host = document["hosts"][0]
    sent = sent_again(case)
    exhausted = not case.answered and resends

    def want(what, found, wanted):
        if found != wanted:
            yield f"{what} is {found}, expected {wanted}"

    yield from want("M09", len(findings["M09"]), int(bool(exhausted)))
    yield from want("T05, T06", len(findings["T05"] + findings["T06"]), 0)
    yield from want("A02", len(findings["A02"]), int(not case.answered and not resends))
    yield from want("retry_exceeded", host["counters"]["retry_exceeded"], int(bool(exhausted)))
    # without management ladders of several timeouts look alike: all of them have six steps
    if case.told or (case.answered and len(sent) <= 6):
        known = True
    else:
        known = not case.answered and all(
            abs(schedule(*other[:3])[1] - gives_up) < 1 and schedule(*other[:3])[2] == adaptive
            for other in alike)
    if case.timer == ADAPTIVE and known:
        yield from want("roce_adp_retrans", host["counters"]["roce_adp_retrans"], min(len(sent), adaptive))
        yield from want("local_ack_timeout_err", host["counters"]["local_ack_timeout_err"],
                        max(len(sent) - adaptive, 0) + int(bool(exhausted)))
    if len(sent) > 2:
        yield from want("retransmission", host["nic"]["retransmission"], case.timer)
    for finding in findings["M09"]:
        said = finding["arguments"]
        yield from want("proof", finding["proof"], "suspected")
        yield from want("transmissions", said.get("transmissions"), len(sent) + 1)
        yield from want("completion_status", said.get("completion_status"), "IBV_WC_RETRY_EXC_ERR")
        yield from want("gave_up_time known", "gave_up_time" in said, known)
        if "gave_up_time" in said:
            after_ms = (moment_ns(said["gave_up_time"]) - first_ns) / 1e6
            if abs(after_ms - gives_up) > 1:
                yield f"gave up after {after_ms} ms, expected {gives_up}"


def cases():
    for timer in ADAPTIVE, PLAIN:
        for timeout in range(10, 21):
            for retries in range(8):
                for told in True, False:
                    for manner in MANNER:
                        for answered in False, True:
                            case = Case(timer, timeout, retries, told, manner, answered)
                            if not answered or schedule(*case[:3])[0]:
                                yield case


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("root")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    everything = list(cases())
    same = collections.defaultdict(list)
    for case in everything:
        same[looks(case)].append(case)
    wrong = total = 0
    sys.argv = [sys.argv[0], arguments.program, arguments.root]
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "program"))
    from program import run as run_program
    with tempfile.TemporaryDirectory() as folder:
        for case in everything[::arguments.every]:
            path = pathlib.Path(arguments.keep or folder) / ("-".join(map(str, case)) + ".pcap")
            first_ns = write(case, path)
            result = run_program("--format", "json", str(path))
            problems = list(judge(case, json.loads(result.stdout), first_ns, same[looks(case)]))
            for problem in problems:
                print(f"{case}: {problem}")
            total, wrong = total + 1, wrong + bool(problems)
            if not arguments.keep:
                path.unlink()
    print(f"{total - wrong} of {total} cases are told right")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
