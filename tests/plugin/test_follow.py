#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Following a stream shows each byte of both directions once, in the order of the messages."""
import json
import pathlib
import re
import struct
import subprocess
import sys

from plugged import Tshark, arguments

SCENARIOS = pathlib.Path(__file__).resolve().parents[1] / "scenarios"

# with resends of requests and responses, damaged packets, several connections, UD, every operation
CAPTURES = ["roce_loss_single.a.pcap", "roce_loss_resp_last.b.pcap", "roce_corrupt.a.pcap",
            "roce_cm_rping.a.pcap", "roce_ud_pingpong.a.pcap", "roce_rc_allops.a.pcap"]
SIMPLE = "roce_rc_send_small.a.pcap"
# iWARP: every operation, with CRCs and without; lost segments; what was going on before; other protocols above
IWARP = ["iwarp_allops.a.pcap", "iwarp_crc_rping.a.pcap", "iwarp_loss_data.a.pcap", "iwarp_midstream.a.pcap",
         "iwarp_rping_big.a.pcap", "ulp_nfs_siw.a.pcap", "ulp_nvme_siw.a.pcap"]
SHAPES = 40  # connections, each in two shapes
WRITE, RESPONSE, SENDS, IMMEDIATES = 0, 2, range(3, 7), range(8, 10)


def sections(printed, what):
    """What is printed of each stream that is followed: its filter's number, its ends, its bytes both ways."""
    for part in printed.split(f"\nFollow: {what},raw\n")[1:]:
        stream = int(re.search(r"^Filter: \S+ (?:==|eq) (\d+)$", part, re.M)[1])
        lines = re.findall(r"^(\t?)([0-9a-f]+)$", part, re.M)
        yield stream, re.findall(r"^Node [01]: (\S+)$", part, re.M), [
            b"".join(bytes.fromhex(data) for tab, data in lines if bool(tab) == back)
            for back in (False, True)]


def follow(tshark, capture, streams):
    """The bytes of both directions of each stream."""
    asked = [word for stream in range(streams) for word in ("-z", f"follow,rdma,raw,{stream}")]
    printed = tshark.run("-n", "-2", "-q", "-r", capture, *asked)
    told = {stream: both for stream, _, both in sections(printed, "rdma")}
    return [told[stream] for stream in range(streams)]


# ---- iWARP -----------------------------------------------------------------------------------------------------------


def without_markers(data):
    return b"".join(data[at + 4:at + 512] for at in range(0, len(data), 512))


def payload(data, markers):
    """Of the FPDUs in a stream that begins with its start frame."""
    data, found = data[20 + struct.unpack_from(">H", data, 18)[0]:], []
    data = without_markers(data) if markers else data
    while len(data) > 2:
        length, control, opcode = struct.unpack_from(">HBB", data)
        if opcode & 0x0f in (WRITE, RESPONSE, *SENDS, *IMMEDIATES):
            found.append(data[2 + (14 if control & 0x80 else 18):2 + length])
        data = data[(2 + length + 3 & ~3) + 4:]
    return b"".join(found)


def of_tcp(tshark, capture):
    """The payload of each iWARP connection that is there from its start, both ways, by its ends: from TCP's bytes."""
    streams = {int(number) for number in tshark.run("-r", capture, "-T", "fields", "-e", "tcp.stream").split()}
    asked = [word for stream in sorted(streams) for word in ("-z", f"follow,tcp,raw,{stream}")]
    wanted = {}
    for _, ends, both in sections(tshark.run("-n", "-q", "-r", capture, *asked), "tcp"):
        if all(data.startswith(b"MPA ID Re") for data in both):
            wanted[tuple(ends)] = [payload(data, markers=other[16] & 0x80)
                                   for data, other in zip(both, reversed(both))]
    return wanted


def document_of(options, capture):
    return json.loads(subprocess.run([options.program, "-F", "json", capture], capture_output=True,
                                     check=True).stdout)


def lengths_of(document):
    return [[flow["payload_bytes"] if flow else 0 for flow in connection["flows"]]
            for connection in document["connections"]]


def ends_of(connection):
    return tuple(f"{end['address']}:{end['port']}" for end in connection["endpoints"])


def check_bytes(options, tshark, capture, name):
    """The bytes are those that tshark's own following of TCP has, and as many as the program counts."""
    document, want = document_of(options, capture), of_tcp(tshark, capture)
    told = follow(tshark, capture, len(document["connections"]))
    wrong = [[len(data) for data in both] for both in told] != lengths_of(document)
    for connection, both in zip(document["connections"], told):
        wrong |= want.get(ends_of(connection), both) != both
    if wrong or not want and "midstream" not in name:
        print(f"{name}: got {[[len(data) for data in both] for both in told]} bytes, program "
              f"{lengths_of(document)}, TCP {[[len(data) for data in both] for both in want.values()]}")
    return wrong


def check_shapes(options, tshark):
    """However TCP carries it, the payload is the same: cuts, copies, segments that overtake each other, markers."""
    told = []
    capture = tshark.copy(options.captures / SIMPLE)  # its folder
    subprocess.run([sys.executable, SCENARIOS / "shapes.py", options.program, SCENARIOS.parents[1], "--seeds",
                    str(SHAPES), "--keep", capture.parent], stdout=subprocess.DEVNULL, check=True)
    for shape in ("plain", "cut"):
        shaped = tshark.copy(capture.parent / f"{shape}.pcap")
        document = document_of(options, shaped)
        told.append(dict(zip(map(ends_of, document["connections"]),
                             follow(tshark, shaped, len(document["connections"])))))
    want, got = told
    wrong = [ends for ends in want if got.get(ends) != want[ends]]
    for ends in wrong:
        print(f"shape {ends}: {[len(data) for data in got.get(ends, [])]} bytes, in order "
              f"{[len(data) for data in want[ends]]}")
    assert len(want) == SHAPES, want.keys()
    return len(wrong)


def check_ends(options, tshark, name):
    """The ends may be given instead of the number."""
    capture = tshark.copy(options.captures / name)
    ends = ",".join(ends_of(document_of(options, capture)["connections"][0]))
    want, got = (re.findall(r"^\t?[0-9a-f]+$", tshark.run("-n", "-2", "-q", "-r", capture, "-z", f"follow,rdma,raw,{which}"),
                            re.M) for which in ("0", ends))
    if got != want or not want:
        print(f"{name}: {ends}: {len(got)} parts, want {len(want)}")
    return got != want or not want


# ---- RoCE ------------------------------------------------------------------------------------------------------------


def check_lengths(options, tshark, name):
    """As many bytes as the program counts of each direction."""
    capture = tshark.copy(options.captures / name)
    want = lengths_of(document_of(options, capture))
    got = [[len(data) for data in both] for both in follow(tshark, capture, len(want))]
    if got != want:
        print(f"{name}: got {got} bytes of each direction, want {want}")
    return got != want


def records(capture):
    """The header of a pcap file, and its records."""
    data, at, found = capture.read_bytes(), 24, []
    while at < len(data):
        end = at + 16 + struct.unpack_from("<I", data, at + 8)[0]
        found.append(data[at:end])
        at = end
    return data[:24], found


def check_order(options, tshark):
    """A packet that comes late goes to its place; one that comes twice is there once."""
    capture = tshark.copy(options.captures / SIMPLE)
    head, packets = records(capture)
    want = follow(tshark, capture, 1)
    # two that follow one another in the same direction, both with payload of RoCEv2
    large = [i for i, packet in enumerate(packets) if packet[16 + 36:16 + 38] == b"\x12\xb7"
             and len(packet) > 16 + 100]
    late = next(i for i, j in zip(large, large[1:]) if j == i + 1
                and packets[i][16 + 26:16 + 34] == packets[j][16 + 26:16 + 34])
    mixed = [*packets[:late], packets[late + 1], packets[late], packets[late + 1],
             *packets[late + 2:]]
    capture.write_bytes(head + b"".join(mixed))
    got = follow(tshark, capture, 1)
    if got != want or not want[0][0]:
        print(f"{SIMPLE}, frames {late + 1} and {late + 2} exchanged: {len(got[0][0])} bytes, "
              f"want {len(want[0][0])} in the same order")
    return got != want or not want[0][0]


def main():
    options = arguments()
    tshark = Tshark(options)
    failed = sum(check_lengths(options, tshark, name) for name in CAPTURES)
    failed += check_order(options, tshark)
    failed += sum(check_bytes(options, tshark, tshark.copy(options.captures / name), name) for name in IWARP)
    failed += check_ends(options, tshark, IWARP[0]) + check_shapes(options, tshark)
    print(f"{len(CAPTURES) + len(IWARP)} captures followed, {failed} wrong")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
