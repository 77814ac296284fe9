#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The filters that people type find the frames that they should."""
import sys

from plugged import Tshark, arguments

# capture, filter, frames in two passes, frames in one pass (None: not known by then)
CASES = [
    ("roce_loss_single.a.pcap", "rdma", 394, 394),
    ("roce_loss_single.a.pcap", "rdma.stream == 0", 394, None),
    ("roce_loss_single.a.pcap", "rdma.stream == 1", 0, None),
    ("roce_loss_single.a.pcap", "rdma.analysis.retransmission", 93, 93),
    ("roce_loss_single.a.pcap", "rdma.analysis.retransmission_of == 120", 1, 1),
    ("roce_loss_single.a.pcap", "rdma.analysis.resent_by == 239", 1, None),
    ("roce_loss_single.a.pcap", "rdma.analysis.nak", 1, 1),
    ("roce_loss_single.a.pcap", 'rdma.analysis.finding == "S03"', 2, None),
    ("roce_loss_single.a.pcap", "rdma.finding.s02.warning", 3, None),
    ("roce_loss_single.a.pcap", "rdma.rkey == 0x44fc && frame.number == 120", 1, 1),
    ("roce_loss_single.a.pcap", "rdma.reth.rkey == 0x44fc && frame.number == 120", 1, 1),
    ("roce_loss_single.a.pcap", "rdma.analysis.ack_rtt > 0.015 && frame.number == 238", 1, 1),
    ("roce_loss_single.a.pcap", "rdma.qp == 0x516", 394, None),
    ("roce_corrupt.a.pcap", 'rdma.icrc.status == "Bad"', 21, None),
]


def count(tshark, capture, expression, *words):
    return len(tshark.run("-n", "-r", capture, *words, "-Y", expression).splitlines())


def check_ports(tshark, options):
    """RoCEv2 on another UDP port is found where a preference names it."""
    capture = tshark.copy(options.captures / "roce_loss_single.a.pcap")
    to_4791, to_5000 = (4791).to_bytes(2, "big"), (5000).to_bytes(2, "big")
    capture.write_bytes(capture.read_bytes().replace(to_4791, to_5000))
    got = count(tshark, capture, "rdma"), count(tshark, capture, "rdma", "-o", "rdma.ports:4999-5001")
    if got != (0, 394):
        print(f"on UDP port 5000: {got[0]} frames, with the preference {got[1]}; want 0 and 394")
    return got != (0, 394)


def main():
    options = arguments()
    tshark = Tshark(options)
    failed = 0
    for name, expression, two, one in CASES:
        capture = tshark.copy(options.captures / name)
        got = count(tshark, capture, expression, "-2"), count(tshark, capture, expression)
        if got != (two, one or 0):
            failed += 1
            print(f"{name}: {expression}: {got[0]} frames in two passes, {got[1]} in one; "
                  f"want {two} and {one or 0}")
    print(f"{len(CASES)} filters, {failed} wrong")
    failed += check_ports(tshark, options)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
