#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds what the program counts in the recorded captures against the kernel's own counters.

usage: truth.py PROGRAM FOLDER

For each RoCE capture of FOLDER/truth.json: the packets of each host that the program lists must be as
many as that host's rxe device sent, less those that were dropped before the tap, and no more than
arrived at the other where nothing was lost behind the tap. Of roce_corrupt the frames with a bad ICRC
must be as many as the receiver threw away.

Of the reliable connections: runs of resends are as many as the requester's completer_retry_err; what was
lost before the tap is at least 95 % of what the link dropped there, and never more; what was lost behind
it is never more than was dropped there. FEWER says where the capture cannot tell, and why.

Where "wire" tells what the link did to each packet, that is held too: packets sent again, those that came
late, those that it doubled.
"""

import json
import math
import pathlib
import subprocess
import sys
from collections import Counter

HOSTS = {"10.10.0.1": "a", "fd00:10::1": "a", "10.10.0.2": "b", "fd00:10::2": "b"}
# the network itself multiplied packets behind the sender, so there are more than it sent
MULTIPLIED = {"roce_duplicate_ack": {"b": 7}}


# captures in which the capture point cannot see what the kernel counted
FEWER = {
    "roce_loss_acks_send_l40": "acknowledgments, as in the one below",
    "roce_loss_ack_upstream": "acknowledgments may be coalesced: one that is missing is not known to be lost",
}


def connections(program, path):
    run = subprocess.run([program, "--format", "json", path], stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)["connections"]


def lost(flows, where):
    return sum(flow["lost"][where] or 0 for flow in flows)


def wire_errors(host, wire, flows):
    """What does not agree with the fate that the link gave each packet of HOST, as text."""
    again = sum(flow["retransmitted_packets"] for flow in flows)
    late = sum(flow["reordered_packets"] or 0 for flow in flows)
    doubled = sum(flow["mirrored_packets"] or 0 for flow in flows)
    least_again = wire["resends_seen"] - wire["resends_first_seen"]  # the first of one that is sent twice may have been dropped
    if not least_again <= again <= wire["resends_seen"]:
        yield f"{again} packets sent again by host {host}: {wire['resends_seen']} were"
    if not min(wire["moved"], wire["late"]) <= late <= max(wire["moved"], wire["late"]):
        yield f"{late} packets of host {host} out of order: {wire['late']} came late of {wire['moved']} that were held up"
    if doubled > wire["duplicated"]:
        yield f"{doubled} packets of host {host} mirrored: the link doubled {wire['duplicated']}"


def account_errors(name, truth, found):
    """What does not agree of resends and losses in one capture, as text."""
    dropped = truth.get("dropped", {})
    for host in "ab":
        flows = [flow for connection in found if connection["service"] == "RC"
                 for endpoint, flow in zip(connection["endpoints"], connection["flows"])
                 if HOSTS.get(endpoint["address"]) == host]
        if not flows or any(flow["lost"]["before_tap"] is None for flow in flows):
            continue
        # rxe counts the resend after an RNR NAK sometimes as a retry: there the RNR NAKs are held
        after_rnr = sum(flow["resends"]["after_rnr"] for flow in flows)
        rnr = truth["counters"][host].get("rcvd_rnr_err", 0)
        retries = truth["counters"][host].get("completer_retry_err", 0)
        runs = sum(sum(flow["resends"].values()) for flow in flows)
        if after_rnr != rnr:
            yield f"{after_rnr} runs after an RNR NAK by host {host}, which counted {rnr}"
        wire = truth.get("wire", {}).get(host)
        on_the_wire = wire["runs"] if wire else retries  # what was asked again before it left is on no wire
        if not rnr and not min(retries, on_the_wire) <= runs <= max(retries, on_the_wire):
            yield f"{runs} runs of resends by host {host}, which counted {retries} retries"
        before = dropped.get("before_tap_leaving", {}).get(host, 0)
        behind = dropped.get("behind_tap_entering", {}).get("b" if host == "a" else "a", 0)
        if name == "roce_corrupt":
            behind = truth["counters"]["a"]["sent_pkts"] - truth["counters"]["b"]["rcvd_pkts"]
        least = 0 if name in FEWER else math.ceil(before * 0.95)
        if not least <= lost(flows, "before_tap") <= before:
            yield f"{lost(flows, 'before_tap')} lost before the tap from host {host}: {before} dropped"
        if lost(flows, "after_tap") > behind:
            yield f"{lost(flows, 'after_tap')} lost behind the tap from host {host}: {behind} dropped"
        if wire:
            yield from wire_errors(host, wire, flows)
        if lost(flows, "by_capture"):
            yield f"{lost(flows, 'by_capture')} not captured from host {host}: the capture missed none"


def listing(program, path):
    run = subprocess.run([program, "--packets", "--format", "ndjson", path],
                         stdout=subprocess.PIPE, check=True)
    packets = [json.loads(line) for line in run.stdout.splitlines()]
    return [packet for packet in packets if packet["transport"]]  # others are what findings are about


def errors_of(name, truth, packets):
    """What does not agree in one capture, as text."""
    seen, counters = Counter(HOSTS[packet["source"]] for packet in packets), truth["counters"]
    for host in "ab":
        sent = counters[host].get("sent_pkts", 0)
        sent -= truth.get("dropped", {}).get("before_tap_leaving", {}).get(host, 0)
        sent += MULTIPLIED.get(name, {}).get(host, 0)
        sent += truth.get("wire", {}).get(host, {}).get("duplicated", 0)
        if seen[host] != sent:
            yield f"{seen[host]} packets of host {host}, which sent {sent}"
    bad = Counter(HOSTS[packet["source"]] for packet in packets if packet["icrc"] == "bad")
    wanted = Counter()
    if name == "roce_corrupt":
        wanted["a"] = counters["a"]["sent_pkts"] - counters["b"]["rcvd_pkts"]
    if bad != wanted:
        yield f"bad ICRC in {dict(bad)}, thrown away by the receiver {dict(wanted)}"


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    truths = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    errors = checked = 0
    for path in sorted(folder.glob("*.pcap")):
        name = path.name.split(".")[0]
        counters = truths[name]["counters"]
        if "sent_pkts" not in counters["a"] and "sent_pkts" not in counters["b"]:
            continue  # iWARP, or nothing but TCP
        checked += 1
        found = list(errors_of(name, truths[name], listing(program, path)))
        for error in found + list(account_errors(name, truths[name], connections(program, path))):
            errors += 1
            print(f"{path.name}: {error}")
    print(f"{checked} captures agree with the kernel's counters" if not errors else f"{errors} errors")
    sys.exit(1 if errors or not checked else 0)


if __name__ == "__main__":
    main()
