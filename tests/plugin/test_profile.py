#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The profile "RDMA": its columns have what they should, and its colour rules are understood."""
import collections
import pathlib
import re
import sys

from plugged import Tshark, arguments

PROFILE = pathlib.Path(__file__).resolve().parents[2] / "plugin/profile/RDMA"
# capture, rule, frames that it colours
COLOURED = [
    ("roce_loss_single.a.pcap", "RDMA NAK", 1),
    ("roce_loss_single.a.pcap", "RDMA resent", 93),
    ("roce_corrupt.a.pcap", "RDMA damaged", 21),
    ("roce_cm_rping.a.pcap", "RDMA connection management", 5),
    ("roce_cm_rping.a.pcap", "RDMA READ and atomics", 20),
    ("iwarp_err_oob_read.a.pcap", "RDMA Terminate", 1),
]
# frames of roce_loss_single.a.pcap: values of some columns
COLUMNS = {
    120: {"Stream": "0", "Rel. PSN": "100", "Finding": "S02"},
    238: {"Stream": "0", "Rel. PSN": "100", "RTT": "0.015040337"},
    239: {"Stream": "0", "Rel. PSN": "100", "Message": "25", "Resend of": "120"},
}


def check_columns(tshark, options):
    capture = tshark.copy(options.captures / "roce_loss_single.a.pcap")
    titles = re.findall(r'^\s+"([^"]+)", "%', (PROFILE / "preferences").read_text(), re.M)
    printed = tshark.run("-C", "RDMA", "-2", "-n", "-r", capture, "-T", "tabs")
    rows = [line.replace("\t→", "").split("\t") for line in printed.splitlines()]
    wrong = 0
    for frame, values in COLUMNS.items():
        row = dict(zip(titles, (value.strip() for value in rows[frame - 1])))
        if not values.items() <= row.items():
            wrong += 1
            print(f"frame {frame}: columns {row}, want {values}")
    return wrong


def check_colours(tshark, options):
    rules = re.findall(r"^@([^@]+)@", (PROFILE / "colorfilters").read_text(), re.M)
    found, wrong = {}, 0
    for name in {name for name, _, _ in COLOURED}:
        capture = tshark.copy(options.captures / name)
        names = tshark.run("-C", "RDMA", "--color", "-2", "-n", "-r", capture, "-T", "fields", "-e",
                           "frame.coloring_rule.name")
        found[name] = collections.Counter(names.splitlines())
    for name, rule, frames in COLOURED:
        assert rule in rules, rule
        if found[name][rule] != frames:
            wrong += 1
            print(f'{name}: "{rule}" colours {found[name][rule]} frames, want {frames}')
    return wrong


def main():
    options = arguments()
    tshark = Tshark(options)
    tshark.add_profile(PROFILE)
    wrong = check_columns(tshark, options) + check_colours(tshark, options)
    print(f"{len(COLUMNS)} rows, {len(COLOURED)} colours, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
