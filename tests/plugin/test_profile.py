#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The profile "RDMA": its columns have what they should, its filters are understood, and its colour rules go first."""
import collections
import pathlib
import re
import subprocess
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
    ("roce_err_psn_ahead.a.pcap", "TCP SYN/FIN", 4),  # stock rules stay, behind ours
]
# frames of roce_loss_single.a.pcap: values of some columns
COLUMNS = {
    120: {"Conn.": "0", "Rel. PSN": "100", "Finding": "S02", "Info": "WRITE First QP 0x516 +100 key 0x44fc len 4096 1024 B [S02]"},
    238: {"Conn.": "0", "Rel. PSN": "100", "RTT": "0.015040337", "Info": "NAK PSN sequence error QP 0x170 +100 [of 120, S02]"},
    239: {"Conn.": "0", "Rel. PSN": "100", "Message": "25", "Resend of": "120",
          "Info": "WRITE First QP 0x516 +100 key 0x44fc len 4096 1024 B [resent after a NAK in 238, first in 120, S02]"},
}


SNAPLEN = 80  # behind the headers: the built-in dissector calls such packets malformed


def rows_of(tshark, capture, *options):
    """The list of packets as the profile has it: {title of column: text} for each (not by
    -e _ws.col.Info: in 4.2 that is the built-in column of this name, whatever the profile shows)."""
    titles = re.findall(r'^\s+"([^"]+)", "%', (PROFILE / "preferences").read_text(), re.M)
    printed = tshark.run("-C", "RDMA", "-2", "-n", "-r", capture, "-T", "tabs", *options)
    return [dict(zip(titles, (value.strip() for value in line.replace("\t→", "").split("\t"))))
            for line in printed.splitlines()]


def check_cut(tshark, options):
    """The column Info says the same of packets that the capture cut."""
    capture = tshark.copy(options.captures / "roce_loss_single.a.pcap")
    subprocess.run(["editcap", "-s", str(SNAPLEN), capture, capture.parent / "cut"], check=True)
    (capture.parent / "cut").chmod(0o644)
    whole, cut = ([row["Info"] for row in rows_of(tshark, file, "-Y", "rdma.bth")] for file in (capture, capture.parent / "cut"))
    different = sum(a != b for a, b in zip(whole, cut)) + abs(len(whole) - len(cut))
    plain = tshark.run("-2", "-n", "-r", capture.parent / "cut")
    if different or len(whole) != 394 or "Malformed" not in plain:
        print(f"column Info: {different} of {len(whole)} rows differ where the capture was cut")
    return bool(different or len(whole) != 394 or "Malformed" not in plain)


def quoted(name):
    """The rows of a file of the profile."""
    return [re.findall(r'"([^"]*)"', line) for line in (PROFILE / name).read_text().splitlines() if line.startswith('"')]


def check_filters(tshark, options):
    """Those of buttons and graphs are understood, and find something in some capture."""
    wrong = 0
    filters = [row[2] for name in ("dfilter_buttons", "io_graphs") for row in quoted(name)]
    assert len(filters) == 11, filters
    captures = [tshark.copy(options.captures / name) for name in
                ("roce_loss_single.a.pcap", "made/ip.pcap")]
    for expression in sorted({*filters}):
        if not any(tshark.run("-2", "-n", "-r", capture, "-Y", expression) for capture in captures):
            wrong += 1
            print(f"{expression}: finds nothing")
    return wrong


def check_widths():
    """Each column has a width."""
    columns = re.findall(r'^\s+"[^"]+", "([^"]+)"', (PROFILE / "preferences").read_text(), re.M)
    columns = [re.sub(r":0:R$", "", column) for column in columns]
    widths = [name.strip('"') for name in re.findall(r"^\t(\S+), \d+", (PROFILE / "recent").read_text(), re.M)]
    if columns != widths:
        print(f"columns {columns}, widths of {widths}")
    return columns != widths


def check_columns(tshark, options):
    capture = tshark.copy(options.captures / "roce_loss_single.a.pcap")
    rows = rows_of(tshark, capture)
    wrong = 0
    for frame, values in COLUMNS.items():
        row = rows[frame - 1]
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
    wrong = check_columns(tshark, options) + check_colours(tshark, options) + check_cut(tshark, options)
    wrong += check_filters(tshark, options) + check_widths()
    print(f"{len(COLUMNS)} rows, {len(COLOURED)} colours, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
