#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Gives the kernel's own counters of recorded captures to --counters: each difference is explained, or right.

usage: counters.py PROGRAM FOLDER [--list]

FOLDER is captures/ (truth.json has what the counters grew by), or any folder of captures with NAME.json beside NAME.a.pcap
and NAME.b.pcap that has counters.SIDE.DEVICE/COUNTER.before and .after. The counters go to the program as a program would have
printed them before and after, in another form for each capture. A difference of packets that nothing in the capture explains
is right where it is what the link or the host is known to have dropped, or what tcpdump says that it received and did not write
(N03: the capture misses packets). Any other is an error. --list prints the explained and the right ones too.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
from collections import Counter

HOSTS = {"10.10.0.1": "a", "fd00:10::1": "a", "10.20.0.1": "a", "10.10.0.2": "b", "fd00:10::2": "b", "10.20.0.2": "b"}

# of captures/: how often each reason explains something
REASONS = {"not_whole_time": 1, "of_oldest": 11, "lost_behind_tap": 9, "doubled": 1, "resent": 2, "lost_before_tap": 3, "after_rnr": 1,
           "qp_gone": 10}


def ethtool(device, counters):
    return "NIC statistics:\n" + "".join(f"     {name}: {value}\n" for name, value in counters.items())


def rdma(device, counters):
    return f"link {device}/1 " + " ".join(f"{name} {value}" for name, value in counters.items()) + " \n"


def rdma_json(device, counters):
    return json.dumps([{"ifindex": 1, "ifname": device, "port": 1, **counters}]) + "\n"


def sysfs(device, counters):
    return "".join(f"/sys/class/infiniband/{device}/ports/1/hw_counters/{name}:{value}\n" for name, value in counters.items())


def tail(device, counters):
    return "\n".join(f"==> {name} <==\n{value}\n" for name, value in counters.items())


FORMS = [ethtool, rdma, rdma_json, sysfs, tail]


def drops_of(truth, side):
    """{tap: (before the tap leaving the host, behind it entering)}, as the emulated links and hosts counted"""
    leaving, entering = drops_at(truth, side)
    between, other = truth.get("between_taps") or {}, "b" if side == "a" else "a"
    sent, came = (between.get(way, {}).get("dropped", 0) for way in (f"{side}_to_{other}", f"{other}_to_{side}"))
    return {side: (leaving, entering), other: (leaving + sent, entering + came)}


def drops_at(truth, side):
    """The same of the host's own tap."""
    if "dropped" in truth or "qdisc_stats" not in truth and "iptables_stats" not in truth:
        dropped = truth.get("dropped", {})
        return (dropped.get("before_tap_leaving", {}).get(side, 0), dropped.get("behind_tap_entering", {}).get(side, 0))
    leaving = re.findall(r"netem .*\n.*\(dropped (\d+)", truth.get("qdisc_stats", {}).get(side, "") or "")
    entering = re.findall(r"^ *(\d+) +\d+ DROP", (truth.get("iptables_stats") or {}).get(side, "") or "", re.M)
    wire = (truth.get("wire_truth") or {}).get(side)
    return wire["dropped"] if wire else sum(map(int, leaving)), sum(map(int, entering))


def unwritten(truth, tap):
    """Packets that tcpdump received and did not write, as it says itself."""
    said = " ".join((truth.get("tcpdump") or {}).get(tap, []))
    numbers = [re.search(rf"(\d+) packets {what}", said) for what in ("received by filter", "captured")]
    return int(numbers[0].group(1)) - int(numbers[1].group(1)) if all(numbers) else 0


def is_right(row, drops, missed):
    """Whether the whole difference of packets is what is known to have been dropped, or not written."""
    if row["counter"] in ("sent_pkts", "rcvd_pkts") and 0 < row["nic"] - row["captured"] <= missed:
        return True
    return (row["counter"] == "sent_pkts" and row["nic"] - row["captured"] == drops[0] > 0 or
            row["counter"] == "rcvd_pkts" and row["captured"] - row["nic"] == drops[1] > 0)


def truths(folder):
    """(name, its truth, {side: (device, before, after, drops)}) of each capture that has counters of RDMA devices"""
    if (folder / "truth.json").exists():
        for name, truth in json.loads((folder / "truth.json").read_text(encoding="utf-8")).items():
            sides = truth["counters"]
            if any("sent_pkts" in sides[side] for side in sides):
                yield name, truth, {side: ("rxe0", dict.fromkeys(RXE, 1000), {name: 1000 + grown.get(name, 0) for name in RXE},
                                           drops_of(truth, side)) for side, grown in sides.items()}
        return
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        sides = {}
        for side, counters in truth.get("counters", {}).items():
            of = {key.split("/")[1]: value for key, value in counters.items() if key.startswith("rxe0/")}
            if of.get("sent_pkts"):
                sides[side] = ("rxe0", {name: value["before"] for name, value in of.items()},
                               {name: value["after"] for name, value in of.items()}, drops_of(truth, side))
        if sides:
            yield path.stem, truth, sides


RXE = ["sent_pkts", "rcvd_pkts", "duplicate_request", "out_of_seq_request", "rcvd_rnr_err", "send_rnr_err", "rcvd_seq_err",
       "ack_deferred", "retry_exceeded_err", "retry_rnr_exceeded_err", "completer_retry_err", "send_err", "link_downed",
       "rdma_sends", "rdma_recvs"]


def addresses(program, path):
    """side -> the addresses of its host that are in the capture"""
    run = subprocess.run([program, "--count-only", "--format", "json", path], stdout=subprocess.PIPE, check=True)
    found = {}
    for host in json.loads(run.stdout)["hosts"]:
        side = HOSTS.get(host["address"])
        if side:
            found.setdefault(side, []).append(host["address"])
    return found


def hold(program, path, sides, form):
    """side -> what the program makes of its counters, and the codes of group N that it finds"""
    found = addresses(program, path)
    with tempfile.TemporaryDirectory() as folder:
        arguments, order = [], []
        for side, (device, before, after, _) in sides.items():
            file = pathlib.Path(folder) / side
            if side not in found:
                continue
            file.write_text(form(device, before) + form(device, after), encoding="utf-8")
            arguments += ["--counters", f"{'+'.join(found[side])}={file}"]
            order.append(side)
        run = subprocess.run([program, "--format", "json", *arguments, path], stdout=subprocess.PIPE, check=True)
    document = json.loads(run.stdout)
    return dict(zip(order, document.get("nic_counters", []))), [f for f in document["findings"] if f["code"][0] == "N"]


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    ours, tell = (folder / "truth.json").exists(), "--list" in sys.argv
    verdicts, reasons, kinds, errors, captures = Counter(), Counter(), Counter(), 0, 0
    for number, (name, truth, sides) in enumerate(truths(folder)):
        for tap in "ab":
            path = folder / f"{name}.{tap}.pcap"
            if not path.exists():
                continue
            captures += 1
            held, findings = hold(program, path, sides, FORMS[number % len(FORMS)])
            counted = sum(finding["count"] for finding in findings)
            unexplained = 0
            for side, nic in held.items():
                if nic["not_understood"] or len(nic["counters"]) != 11:
                    errors += 1
                    print(f"{path.name}: {len(nic['counters'])} counters of host {side}, {nic['not_understood']} lines not understood")
                for row in nic["counters"]:
                    _, before, after, drops = sides[side]
                    differs = row["verdict"] == "differs"
                    right = differs and is_right(row, drops[tap], unwritten(truth, tap))
                    verdicts["different, and right: dropped there" if right else row["verdict"]] += 1
                    unexplained += row["unexplained"]
                    reasons.update(why["reason"] for why in row["why"])
                    if row["nic"] != after[row["counter"]] - before[row["counter"]]:
                        errors += 1
                        print(f"{path.name}: {row['counter']} of host {side}: read as {row['nic']}")
                    if differs and not right or tell and (right or row["why"]):
                        print(f"{path.name}: {row['counter']} of host {side}: {row['nic']}, captured {row['captured']}: "
                              f"{row['verdict']}, {row['unexplained']} unexplained, "
                              f"{', '.join(str(why['count']) + ' ' + why['reason'] for why in row['why'])}")
                    if differs and not right:
                        kinds[row["counter"], "more" if row["nic"] > row["captured"] else "fewer"] += 1
            if counted != unexplained:
                errors += 1
                print(f"{path.name}: findings of {counted} cases, and {unexplained} are unexplained")
    if ours and reasons != REASONS:
        errors += 1
        print(f"not REASONS: {dict(reasons)}")
    print(f"{captures} captures: {dict(verdicts)}; reasons {dict(reasons)}; different {dict(kinds)}")
    sys.exit(1 if errors or kinds or not captures else 0)


if __name__ == "__main__":
    main()
