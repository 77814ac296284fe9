#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The filters that people type find the frames that they should."""
import subprocess
import sys

from plugged import Tshark, arguments

# capture, filter, frames in two passes, frames in one pass (None: not known by then)
CASES = [
    ("roce_loss_single.a.pcap", "rdma", 394, 394),
    # streams are numbered while frames pass, connections when all have
    ("roce_loss_single.a.pcap", "rdma.stream == 0", 394, 394),
    ("roce_loss_single.a.pcap", "rdma.stream == 1", 0, None),
    ("roce_cm_rping.a.pcap", "rdma.stream == 1", 120, 120),
    ("roce_loss_single.a.pcap", "rdma.connection == 0", 394, None),
    ("roce_loss_single.a.pcap", "rdma.stream.peer", 0, None),
    ("roce_loss_single.a.pcap", "rdma.time_relative > 0.03", 3, 3),
    ("roce_loss_single.a.pcap", "rdma.time_delta > 0.001", 5, 5),
    ("roce_loss_single.a.pcap", "rdma.bth", 394, 394),
    ("roce_loss_single.a.pcap", "rdma.reth && rdma.stream == 0", 84, 84),
    ("roce_loss_single.a.pcap", "rdma.analysis.flags", 94, 94),
    ("roce_loss_single.a.pcap", 'rdma.analysis.flags == "resent"', 93, 93),
    ("roce_loss_single.a.pcap", "rdma.analysis.previous_not_captured", 0, 0),
    ("roce_loss_burst.a.pcap", "rdma.analysis.previous_not_captured", 2, 2),
    ("roce_loss_single.a.pcap", 'rdma.analysis.severity == "Warning"', 3, None),
    ("roce_loss_single.a.pcap", "rdma.analysis.severity > 2", 0, None),
    ("roce_cm_rping.a.pcap", "rdma.completeness == 63", 120, None),
    ("iwarp_allops.a.pcap", "rdma.completeness == 27", 17, None),
    ("iwarp_allops.a.pcap", 'rdma.info contains "iWARP READ Request"', 2, 2),
    # every frame that is a case of a finding, not only those that it lists
    ("roce_loss_burst.a.pcap", 'rdma.analysis.finding == "S02"', 103, None),
    ("roce_loss_burst.a.pcap", "rdma.finding.s15.note", 103, None),
    ("roce_corrupt.a.pcap", 'rdma.analysis.finding == "F01"', 21, None),
    ("roce_loss_single.a.pcap", "rdma.analysis.retransmission", 93, 93),
    ("roce_loss_single.a.pcap", "rdma.analysis.retransmission_of == 120", 1, 1),
    ("roce_loss_single.a.pcap", "rdma.analysis.resent_by == 239", 1, None),
    ("roce_loss_single.a.pcap", "rdma.analysis.nak", 1, 1),
    ("roce_loss_single.a.pcap", 'rdma.analysis.finding == "S03"', 94, None),
    ("roce_loss_single.a.pcap", "rdma.finding.s02.warning", 3, None),
    ("roce_loss_single.a.pcap", "rdma.rkey == 0x44fc && frame.number == 120", 1, 1),
    ("roce_loss_single.a.pcap", "rdma.reth.rkey == 0x44fc && frame.number == 120", 1, 1),
    ("roce_loss_single.a.pcap", "rdma.analysis.ack_rtt > 0.015 && frame.number == 238", 1, 1),
    ("roce_loss_single.a.pcap", "rdma.qp == 0x516", 394, None),
    ("roce_corrupt.a.pcap", 'rdma.icrc.status == "Bad"', 21, None),
    ("roce_loss_single.a.pcap", 'rdma.analysis.role == "new"', 240, 240),
    ("roce_loss_single.a.pcap", 'rdma.analysis.resend_trigger == "after_nak"', 93, 93),
    ("roce_loss_single.a.pcap", "rdma.analysis.resend_cause == 238", 93, 93),
    ("roce_loss_single.a.pcap", "rdma.analysis.message == 25", 10, 10),
    ("roce_loss_single.a.pcap", "rdma.analysis.message_first == 120", 10, 10),
    ("roce_loss_single.a.pcap", "rdma.analysis.message_done == 342 && frame.number == 120", 1, None),
    ("roce_loss_single.a.pcap", "rdma.analysis.message_latency > 0.018 && frame.number == 342", 1, 1),
    ("roce_loss_single.a.pcap", "rdma.analysis.bytes_in_flight > 90000", 193, 193),
    ("roce_loss_single.a.pcap", "rdma.analysis.answered_by == 238", 1, None),
    ("roce_loss_single.a.pcap", "rdma.key.writes == 60", 84, None),
    # what fills a hole is late or resent: the next packet tells
    ("roce_loss_burst.a.pcap", "rdma.analysis.retransmission", 103, 103),
    ("roce_err_dereg.a.pcap", "rdma.key.refused == 1", 2, None),
    ("roce_err_rd_over.a.pcap", "rdma.analysis.reads_outstanding == 8", 7, 7),
    ("iwarp_allops.a.pcap", "rdma.stag == 0x61981b00", 6, 6),
    ("iwarp_allops.a.pcap", "rdma.stream == 0 && rdma.fpdu.length", 15, 15),
    ("iwarp_allops.a.pcap", "rdma.analysis.answers", 4, 4),
    ("iwarp_allops.a.pcap", "rdma.analysis.answered_by", 2, None),
    ("iwarp_crc_allops.a.pcap", 'rdma.mpa.crc.status == "Good"', 15, 15),
    ("iwarp_err_bad_rkey_write.a.pcap", "rdma.terminate", 1, 1),
    # commands of upper layers: what needed several packets is known at the last of them
    ("ulp_nvme_roce.a.pcap", "rdma.ulp.nvme", 192, 171),
    ("ulp_nvme_siw.a.pcap", "rdma.ulp.nvme && rdma.ulp.time > 0.05", 2, 2),
    ("ulp_nvme_roce.a.pcap", "rdma.ulp.status != 0", 1, 1),
    ("ulp_iser_roce.a.pcap", 'rdma.ulp.error == "INVALID COMMAND OPERATION CODE"', 1, 1),
    ("ulp_iser_roce.a.pcap", 'rdma.ulp.operation == "WRITE(10)" && rdma.ulp.bytes == 65536', 4, 2),
    ("ulp_nfs_roce.a.pcap", "rdma.ulp.nfs && rdma.ulp.response_in", 70, None),
    ("ulp_srp_roce.a.pcap", "rdma.ulp.request_in == 63", 1, 1),
    ("ulp_srp_roce.a.pcap", 'rdma.ulp.operation == "Login"', 2, None),  # before it is known that this is SRP
    ("roce_loss_single.a.pcap", "rdma.ulp.operation", 0, 0),
]
# filters that no other may stand beside
ALONE = [
    # no field of ours: the tree is built all the same
    ("roce_loss_single.a.pcap", '_ws.expert.severity == "Warning" && frame.number == 120', 1, None),
    ("roce_loss_single.a.pcap", "rdma", 394, 394),
    # a comma
    ("roce_loss_single.a.pcap", 'rdma.info contains "[resent after a NAK in 238, first in 120"', 1, 1),
    ("roce_loss_burst.a.pcap", 'rdma.analysis.finding == "S02"', 103, None),
]


def count(tshark, capture, expression, *words):
    return len(tshark.run("-n", "-r", capture, *words, "-Y", expression).splitlines())


def counts(tshark, capture, expressions, *words):
    """Frames that each filter finds, from one start of tshark: as the table of io,stat has them."""
    printed = tshark.run("-n", "-q", "-r", capture, *words, "-z", ",".join(["io,stat,0", *expressions]))
    row = next(line for line in printed.splitlines() if " <> " in line)  # frames and bytes of each; perhaps padded
    found = [int(cell) for cell in row.split("|")[2:-1:2] if cell.strip()]
    assert len(found) == len(expressions), f"{capture}: no column for each filter:\n{printed}"
    return found


def check_cases(tshark, options):
    wrong = 0
    for name in dict.fromkeys(case[0] for case in CASES):
        cases = [case[1:] for case in CASES if case[0] == name]
        capture = tshark.copy(options.captures / name)
        found = [counts(tshark, capture, [case[0] for case in cases], *words) for words in (["-2"], [])]
        wrong += sum(told(name, *case, *got) for case, *got in zip(cases, *found))
    return wrong


def check_alone(tshark, options):
    wrong = 0
    for name, expression, two, one in ALONE:
        capture = tshark.copy(options.captures / name)
        wrong += told(name, expression, two, one, count(tshark, capture, expression, "-2"),
                      count(tshark, capture, expression))
    return wrong


def told(name, expression, two, one, got_two, got_one):
    """Whether it is wrong, which is printed."""
    wrong = (got_two, got_one) != (two, one or 0)
    if wrong:
        print(f"{name}: {expression}: {got_two} frames in two passes, {got_one} in one; want {two} and {one or 0}")
    return wrong


def check_words(tshark, options):
    """The tree says a word of the program's output, which is what filters take, in plain words too."""
    capture = tshark.copy(options.captures / "roce_loss_single.a.pcap")
    tree = tshark.run("-n", "-r", capture, "-O", "rdma", "-Y", "frame.number == 239")
    wrong = "[Sent again: after a NAK (after_nak)]" not in tree
    if wrong:
        print(f"frame 239: not sent again after a NAK:\n{tree}")
    return wrong


def check_ports(tshark, options):
    """RoCEv2 on another UDP port is found where a preference names it, ours or Wireshark's, or Decode As."""
    capture = tshark.copy(options.captures / "roce_loss_single.a.pcap")
    to_4791, to_5000 = (4791).to_bytes(2, "big"), (5000).to_bytes(2, "big")
    capture.write_bytes(capture.read_bytes().replace(to_4791, to_5000))
    ways = [], ["-o", "rdma.ports:4999-5001"], ["-o", "infiniband.rroce.port:5000"], ["-d", "udp.port==5000,infiniband"]
    got = [count(tshark, capture, "rdma", *way) for way in ways]
    if got != [0, 394, 394, 394]:
        print(f"on UDP port 5000: {got} frames by {ways}; want 0, and 394 each")
    return got != [0, 394, 394, 394]


# preference, capture, filter, frames in two passes with it and without it
PREFERENCES = [
    ("rdma.checks_off:s03, S02", "roce_loss_single.a.pcap", 'rdma.analysis.finding == "S03"', 0, 94),
    ("rdma.checks_off:s03, S02", "roce_loss_single.a.pcap", "rdma.finding.s02.warning", 0, 3),
    ("rdma.checks_off:s03, S02", "roce_loss_single.a.pcap", 'rdma.analysis.finding == "S15"', 93, 93),
    ("rdma.window:4", "roce_loss_single.a.pcap", "rdma.analysis.retransmission_of", 4, 93),
    ("rdma.iwarp_connections:1", "iwarp_loss_data.a.pcap", "rdma.connection == 1", 0, 403),
    ("rdma.held:1", "iwarp_loss_data.a.pcap", "rdma.fpdu.length", 380, 392),
    ("rdma.keys:1", "roce_cm_rping.a.pcap", "rdma.analysis.key_use", 10, 20),
]


def check_preferences(tshark, options):
    wrong = 0
    for preference, name, expression, *want in PREFERENCES:
        capture = tshark.copy(options.captures / name)
        got = [count(tshark, capture, expression, "-2", *words)
               for words in (("-o", preference), ())]
        if got != want:
            wrong += 1
            print(f"{name}: {expression}: {got[0]} frames with -o {preference}, {got[1]} without; "
                  f"want {want[0]} and {want[1]}")
    return wrong


# what cannot be taken is told
REFUSED = [
    ("rdma.checks_off:S03,S3", "rdma.checks_off: there is no check S3\n"),
    ("rdma.ports:1-10", "rdma.ports: 2 ports too many; the first 8 count\n"),
    ("rdma.ports:1-8", ""),
]


def check_refused(tshark, options):
    wrong = 0
    capture = tshark.copy(options.captures / "roce_loss_single.a.pcap")
    for preference, want in REFUSED:
        run = subprocess.run(["tshark", "-q", "-r", capture, "-o", preference], text=True, capture_output=True,
                             **tshark.surroundings())
        if run.returncode or run.stderr.removeprefix("tshark: ") != want:
            wrong += 1
            print(f"-o {preference}: exit code {run.returncode}, {run.stderr!r}; want {want!r}")
    return wrong


def main():
    options = arguments()
    tshark = Tshark(options)
    failed = check_cases(tshark, options) + check_alone(tshark, options)
    print(f"{len(CASES) + len(ALONE)} filters, {failed} wrong")
    failed += check_words(tshark, options) + check_ports(tshark, options)
    failed += check_preferences(tshark, options) + check_refused(tshark, options)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
