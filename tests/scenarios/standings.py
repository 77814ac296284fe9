#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What --packets says of packets is what flows count: as many new, resent, reordered and mirrored ones. Where LATE has
numbers of a capture, so many fewer are told as reordered: resends that came late are told as resent and counted as
reordered too, and late ACKs have no role. Responses that turn out to be of a copied request were told, and are not counted.

usage: standings.py PROGRAM ROOT [CAPTURE...]     default: the captures of all scenarios, and those of captures/
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import run

COUNTS = {"new": "new_request_packets", "resent": "retransmitted_packets", "reordered": "reordered_packets",
          "mirrored": "mirrored_packets"}


# capture: reordered packets told by --packets, and counted
LATE = {"sequence.run_known_late_goes_on": (3, 8), "sequence.run_known_late_behind_the_next": (5, 10),
        "capture.late_resend": (0, 1),
        "sequence.reads_go_on_behind_a_late_one": (0, 1),
        "sequence.late_resend_of_an_earlier_run": (0, 1), "sequence.runs_pass_among_each_other": (0, 9),
        "sequence.two_runs_pass_among_each_other": (0, 4),
        "sequence.run_begun_by_what_came_last": (0, 6), "sequence.run_begun_before_what_came_last": (0, 7),
        "sequence.run_overtaken_at_its_beginning": (4, 6), "sequence.runs_overtaken_by_the_next": (0, 17),
        "sequence.run_passes_late_originals": (3, 4), "sequence.late_in_two_runs": (0, 2),
        "sequence.late_behind_what_its_run_sent_later": (0, 6),
        "keys.refused_changed_when_overtaken": (0, 1), "sequence.set_up_anew_overtaken": (1, 2),
        "answer.reset_acks_overtaken": (0, 1), "sequence.nak_of_another_run": (1, 3),
        "sequence.late_behind_new_requests": (1, 2), "sequence.run_of_a_timer_overtaken": (1, 3),
        "sequence.run_overtaken_without_order": (1, 3), "sequence.originals_behind_their_resends": (1, 2),
        "sequence.run_ends_late_behind_the_next": (1, 7), "sequence.run_goes_on_past_a_nak": (0, 2),
        "sequence.run_late_what_had_arrived": (0, 1), "sequence.runs_overtaken_one_behind_the_other": (2, 12),
        "sequence.read_answer_overtaken_or_once_more": (1, 0), "sequence.run_overtaken_by_its_own": (1, 4),
        "capture.resends_pass_before_their_originals": (6, 11), "sequence.nak_obeyed_behind_a_later_one": (0, 7),
        "sequence.run_of_a_nak_from_behind": (8, 13), "sequence.run_that_began_below_its_nak": (1, 3),
        "sequence.read_run_overtaken_by_its_second": (1, 1),
        "sequence.acknowledged_lost_where_others_overtake": (0, 2),
        "sequence.runs_that_overtake_each_other_lose_nothing": (10, 17), "sequence.copy_was_taken_in_turn": (9, 10),
        "sequence.nak_obeyed_late_where_resends_overtake": (0, 4),
        "sequence.timer_run_overtakes_the_one_before": (0, 2),
        "answer.naks_come_late": (0, 1), "answer.msn_where_a_nak_is_late": (0, 1),
        "roce_reorder_loss_write_d4_p10_l1.a": (46, 106), "roce_reorder_readreq_d4_p10.a": (7, 23)}


def output(program, *words):
    return subprocess.run([program, *words], stdout=subprocess.PIPE, check=False).stdout


def counted(program, capture, options):
    document = json.loads(output(program, "--format=json", *options, capture))
    counts = collections.Counter()
    for connection in document["connections"]:
        for side, flow in enumerate(connection["flows"]):
            if flow and connection["transport"] != "iwarp":
                counts.update({(connection["id"], side, role): flow[name] or 0 for role, name in COUNTS.items()})
    return +counts


def listed(program, capture, options):
    counts = collections.Counter()
    for line in output(program, "--packets", "--format=ndjson", *options, capture).splitlines():
        packet = json.loads(line)
        if packet.get("role") and packet["transport"] != "iwarp":
            counts[packet["connection"], packet["flow"], packet["role"]] += 1
    return counts


def main():
    program, root, *named = sys.argv[1:]
    total, resent, failed = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for path, options in [(path, []) for path in named] or run.captures(pathlib.Path(root), folder):
            want, got = counted(program, path, options), listed(program, path, options)
            differ = {key: (got[key], want[key]) for key in {*got, *want} if got[key] != want[key]}
            late = [numbers for key, numbers in differ.items() if key[2] == "reordered"]
            known = tuple(map(sum, zip(*late))) == LATE.get(path.stem, ())
            if known:
                differ = {key: numbers for key, numbers in differ.items() if key[2] != "reordered"}
            total, failed = total + 1, failed + bool(differ or not known)
            resent += sum(number for (_, _, role), number in got.items() if role == "resent")
            for (connection, side, role), numbers in sorted(differ.items()):
                print(f"{path}: connection {connection}, flow {side}, {role}: --packets has {numbers[0]}, "
                      f"the flow {numbers[1]}")
            if not known:
                print(f"{path}: reordered packets told late are not those of LATE")
    print(f"{total} captures, {resent} packets resent, {failed} captures differ")
    return 1 if failed or not resent else 0


if __name__ == "__main__":
    sys.exit(main())
